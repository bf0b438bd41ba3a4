/** GGUF: keys and tensors that are there, each way in which a header lies, and every beginning of a file. */
#include "io_test.h"

#include <unistd.h>

enum { U8, I8, U16, I16, U32, I32, F32, BOOL, STRING, ARRAY, U64, I64, F64 };
enum { ROOM = 2048 };

/** A file as it is put together. */
typedef struct bytes {
    unsigned char at[ROOM];
    size_t n;
} bytes;

static void put(bytes *b, uint64_t value, int size)
{
    for (int i = 0; i < size; ++i)
        b->at[b->n++] = (unsigned char)(value >> 8 * i & 255);
}

static void put_string(bytes *b, char const *text)
{
    put(b, strlen(text), 8);
    memcpy(b->at + b->n, text, strlen(text));
    b->n += strlen(text);
}

static void begin(bytes *b, uint64_t version, uint64_t tensors, uint64_t keys)
{
    memset(b, 0, sizeof *b);
    memcpy(b->at, "GGUF", 4);
    b->n = 4;
    put(b, version, 4);
    put(b, tensors, 8);
    put(b, keys, 8);
}

static void put_key(bytes *b, char const *key, int type)
{
    put_string(b, key);
    put(b, (uint64_t)type, 4);
}

static void put_tensor(bytes *b, char const *name, int rank, uint64_t x, uint64_t y, uint64_t type, uint64_t offset)
{
    put_string(b, name);
    put(b, (uint64_t)rank, 4);
    if (rank > 0)
        put(b, x, 8);
    if (rank > 1)
        put(b, y, 8);
    put(b, type, 4);
    put(b, offset, 8);
}

/** Zeros as far as a multiple of the alignment, then as many more. */
static void put_data(bytes *b, size_t alignment, size_t n)
{
    b->n = (b->n + alignment - 1) / alignment * alignment + n;
}

/** Memory of exactly the size, so that a sanitizer sees what reads beyond it. */
static bool view(bytes const *b, tsr_model *m, tsr_message *error)
{
    unsigned char *const exact = (unsigned char *)malloc(b->n ? b->n : 1);
    if (!exact)
        exit(2);
    memcpy(exact, b->at, b->n);
    bool const ok = tsr_gguf_view(exact, b->n, m, error);
    if (ok)
        tsr_model_close(m);
    free(exact);
    return ok;
}

static char const *note(tsr_model const *m, char const *key)
{
    for (int i = 0; i < m->notes; ++i)
        if (strcmp(m->note[i].key, key) == 0)
            return m->note[i].value;
    return "";
}

/** One key of every type, three tensors; data that begin at multiples of 64. */
static void make_whole(bytes *b)
{
    begin(b, 3, 3, 14);
    put_key(b, "u8", U8), put(b, 200, 1);
    put_key(b, "i8", I8), put(b, 200, 1);
    put_key(b, "u16", U16), put(b, 65535, 2);
    put_key(b, "i16", I16), put(b, 65535, 2);
    put_key(b, "general.alignment", U32), put(b, 64, 4);
    put_key(b, "i32", I32), put(b, 0x80000000u, 4);
    put_key(b, "f32", F32), put(b, 0x3fc00000u, 4);
    put_key(b, "bool", BOOL), put(b, 1, 1);
    put_key(b, "string", STRING), put_string(b, "caf\xc3\xa9");
    put_key(b, "u64", U64), put(b, UINT64_MAX, 8);
    put_key(b, "i64", I64), put(b, UINT64_MAX, 8);
    put_key(b, "f64", F64), put(b, 0xbfe0000000000000u, 8);
    put_key(b, "words", ARRAY), put(b, STRING, 4), put(b, 2, 8), put_string(b, "a"), put_string(b, "");
    put_key(b, "array", ARRAY), put(b, I16, 4), put(b, 3, 8), put(b, 7, 6);
    put_tensor(b, "w", 2, 3, 2, 0, 0);
    put_tensor(b, "blocks", 1, 32, 0, 2, 64);
    put_tensor(b, "scalar", 0, 0, 0, 24, 128);
    put_data(b, 64, 0);
    static uint32_t const floats[] = {0, 0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x40a00000}; /* 0 to 5 */
    for (int i = 0; i < 6; ++i)
        put(b, floats[i], 4);
    b->n += 40 + 64;
    put(b, 0xfb, 1);
}

static void test_whole(void)
{
    /* clang-format off */
    static char const *const notes[][2] = {{"u8", "200"}, {"i8", "-56"}, {"u16", "65535"}, {"i16", "-1"},
                                           {"general.alignment", "64"}, {"i32", "-2147483648"}, {"f32", "1.5"},
                                           {"bool", "true"}, {"string", "caf\xc3\xa9"},
                                           {"u64", "18446744073709551615"}, {"i64", "-1"}, {"f64", "-0.5"}};
    /* clang-format on */
    static bytes b;
    tsr_model m;
    tsr_tensor t;
    tsr_number x;
    tsr_message error = {0, ""};
    char const *const path = scratch("gguf", "whole.gguf");
    make_whole(&b);
    check("write", write_bytes(path, b.at, b.n));
    if (!tsr_gguf_open(path, &m, &error)) {
        check(error.text, false);
        return;
    }
    check("all keys but the arrays", m.notes == 12);
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; ++i)
        check(notes[i][0], strcmp(note(&m, notes[i][0]), notes[i][1]) == 0);
    check("all tensors", m.count == 3 && tsr_model_find(&m, "scalar") == 2 && tsr_model_find(&m, "none") == -1);
    bool all = tsr_model_get(&m, "w", &t, &error) && t.engine.constant && tsr_mode_count(&t.layout.shape) == 2
               && t.layout.shape.leaf[0].value == 2;
    for (int i = 0; all && i < 6; ++i)
        all = !tsr_tensor_read(t, tsr_t(i / 3, i % 3), &x).status && tsr_number_to_double(x) == i;
    check("the first dimension is the fastest", all);
    check("no dimensions", tsr_model_get(&m, "scalar", &t, &error) && tsr_is_unit(&t.layout.shape)
                               && !tsr_tensor_read(t, tsr_int(0), &x).status && tsr_number_to_double(x) == -5);
    check("blocks are listed, and refused by name", m.tensor[1].type == 0 && strcmp(m.tensor[1].format, "Q4_0") == 0
                                                        && m.tensor[1].end - m.tensor[1].begin == 18
                                                        && !tsr_model_get(&m, "blocks", &t, &error)
                                                        && strstr(error.text, "\"blocks\" is quantised (Q4_0)"));
    tsr_model_close(&m);
    remove(path);
    all = true;
    for (size_t whole = b.n; b.n-- > 0 && whole;)
        all = !view(&b, &m, &error) && *error.text && all;
    check("every beginning is refused", all);
    begin(&b, 2, 0, 0);
    check("nothing at all, in version 2", view(&b, &m, &error));
    put_data(&b, 32, 0);
    check("padded", view(&b, &m, &error));
    begin(&b, 3, 1, 0);
    put_tensor(&b, "t", 1, 0, 0, 0, 0);
    check("no elements, and no padding", view(&b, &m, &error));
    put_data(&b, 32, 0);
    check("no elements", view(&b, &m, &error));
    begin(&b, 3, 1, 0);
    put_tensor(&b, "t", 1, 3, 0, 30, 0);
    put_data(&b, 32, 32);
    check("padding behind the last tensor", view(&b, &m, &error));
}

/** Tensors of types that are not known, or given up, are listed with the bytes up to the next tensor, and hide no
 *  other. */
static void test_opaque(void)
{
    static bytes b;
    tsr_model m;
    tsr_tensor t;
    tsr_message error = {0, ""};
    begin(&b, 3, 5, 0);
    put_tensor(&b, "last", 1, 256, 0, 139, 192);
    put_tensor(&b, "a", 1, 8, 0, 0, 0);
    put_tensor(&b, "given up", 1, 32, 0, 4, 32);
    put_tensor(&b, "b", 1, 8, 0, 0, 160);
    put_tensor(&b, "no elements", 1, 0, 0, 41, 160);
    put_data(&b, 32, 192 + 40);
    bool const ok = tsr_gguf_view(b.at, b.n, &m, &error);
    check(ok ? "opaque tensors" : error.text, ok && m.count == 5);
    if (!ok)
        return;
    static uint64_t const ends[] = {32, 160, 160, 192, 232};
    for (int i = 0; i < 5; ++i) {
        bool const known = strlen(m.tensor[i].name) == 1;
        check(m.tensor[i].name, m.tensor[i].end == ends[i] && tsr_model_is_opaque(&m.tensor[i]) == !known
                                    && tsr_model_get(&m, m.tensor[i].name, &t, &error) == known
                                    && (known || strstr(error.text, "has the unknown type ")));
    }
    tsr_model_close(&m);
}

/* Lies */

typedef struct lie {
    char const *words;
    void (*make)(bytes *b);
} lie;

#define LIE(name, ...) \
  static void name(bytes *b) { __VA_ARGS__; }

LIE(no_magic, begin(b, 3, 0, 0); b->at[3] = 'f')
LIE(old, begin(b, 1, 0, 0))
LIE(newer, begin(b, 4, 0, 0))
LIE(big_endian, begin(b, 0x03000000, 0, 0))
LIE(many_tensors, begin(b, 3, UINT64_MAX, 0))
LIE(many_keys, begin(b, 3, 0, (uint64_t)1 << 62))
LIE(two_keys_of_one, begin(b, 3, 0, 2); put_key(b, "a", U8), put(b, 0, 1); b->n += 12)
LIE(empty_key, begin(b, 3, 0, 1); put_key(b, "", U8), put(b, 0, 1); b->n += 8)
LIE(long_key, begin(b, 3, 0, 1); put(b, UINT64_MAX, 8); b->n += 8)
LIE(long_string, begin(b, 3, 0, 1); put_key(b, "a", STRING), put(b, 1000, 8))
LIE(no_utf8, begin(b, 3, 0, 1); put_key(b, "\xc0\xaf", U8), put(b, 0, 1))
LIE(zero_in_key, begin(b, 3, 0, 1); put_key(b, "ab", U8), put(b, 0, 1); b->at[b->n - 6] = 0)
LIE(value_type, begin(b, 3, 0, 1); put_key(b, "a", 13), put(b, 0, 8))
LIE(bool_of_2, begin(b, 3, 0, 1); put_key(b, "a", BOOL), put(b, 2, 1))
LIE(bools, begin(b, 3, 0, 1); put_key(b, "a", ARRAY), put(b, BOOL, 4), put(b, 2, 8), put(b, 0x0301, 2))
LIE(nested, begin(b, 3, 0, 1); put_key(b, "a", ARRAY), put(b, ARRAY, 4), put(b, 1, 8))
LIE(item_type, begin(b, 3, 0, 1); put_key(b, "a", ARRAY), put(b, 99, 4), put(b, 1, 8))
LIE(many_items, begin(b, 3, 0, 1); put_key(b, "a", ARRAY), put(b, F64, 4), put(b, (uint64_t)1 << 61, 8))
LIE(more_items, begin(b, 3, 0, 1); put_key(b, "a", ARRAY), put(b, F64, 4), put(b, 1 << 20, 8))
LIE(more_strings, begin(b, 3, 0, 1); put_key(b, "a", ARRAY), put(b, STRING, 4), put(b, 3, 8), put_string(b, "a"))
LIE(same_key, begin(b, 3, 0, 2); put_key(b, "a", U8), put(b, 0, 1); put_key(b, "a", U8), put(b, 0, 1))
LIE(same_array, begin(b, 3, 0, 2); put_key(b, "a", U8), put(b, 0, 1);
    put_key(b, "a", ARRAY), put(b, U8, 4), put(b, 0, 8))
LIE(aligned_to_0, begin(b, 3, 0, 1); put_key(b, "general.alignment", U32), put(b, 0, 4))
LIE(aligned_to_24, begin(b, 3, 0, 1); put_key(b, "general.alignment", U32), put(b, 24, 4))
LIE(aligned_by_u64, begin(b, 3, 0, 1); put_key(b, "general.alignment", U64), put(b, 32, 8))
LIE(five_dimensions, begin(b, 3, 1, 0); put_tensor(b, "t", 5, 1, 1, 0, 0); b->n += 64)
LIE(many_elements, begin(b, 3, 1, 0); put_tensor(b, "t", 2, (uint64_t)1 << 40, (uint64_t)1 << 40, 0, 0))
LIE(negative_extent, begin(b, 3, 1, 0); put_tensor(b, "t", 1, UINT64_MAX, 0, 0, 0))
LIE(many_bytes, begin(b, 3, 1, 0); put_tensor(b, "t", 1, (uint64_t)1 << 62, 0, 28, 0))
LIE(far_unknown, begin(b, 3, 1, 0); put_tensor(b, "t", 1, 32, 0, 99, UINT64_MAX - 31); put_data(b, 32, 32))
LIE(behind, begin(b, 3, 1, 0); put_tensor(b, "t", 1, 32, 0, 99, 64); put_data(b, 32, 32))
LIE(no_bytes, begin(b, 3, 2, 0); put_tensor(b, "s", 1, 8, 0, 0, 0); put_tensor(b, "t", 1, 32, 0, 99, 32);
    put_data(b, 32, 32))
LIE(inside, begin(b, 3, 2, 0); put_tensor(b, "s", 1, 8, 0, 0, 0); put_tensor(b, "t", 1, 32, 0, 99, 0);
    put_data(b, 32, 64))
LIE(half_a_block, begin(b, 3, 1, 0); put_tensor(b, "t", 2, 16, 2, 8, 0); put_data(b, 32, 64))
LIE(far, begin(b, 3, 1, 0); put_tensor(b, "t", 1, 8, 0, 0, UINT64_MAX - 31); put_data(b, 32, 32))
LIE(beyond, begin(b, 3, 1, 0); put_tensor(b, "t", 1, 9, 0, 0, 0); put_data(b, 32, 32))
LIE(no_data, begin(b, 3, 1, 0); put_tensor(b, "t", 1, 8, 0, 0, 0))
LIE(crooked, begin(b, 3, 1, 0); put_tensor(b, "t", 1, 8, 0, 0, 4); put_data(b, 32, 64))
LIE(hole, begin(b, 3, 1, 0); put_tensor(b, "t", 1, 8, 0, 0, 32); put_data(b, 32, 64))
LIE(overlap, begin(b, 3, 2, 0); put_tensor(b, "s", 1, 16, 0, 0, 0); put_tensor(b, "t", 1, 8, 0, 0, 32);
    put_data(b, 32, 64))
LIE(twice, begin(b, 3, 2, 0); put_tensor(b, "t", 1, 8, 0, 0, 0); put_tensor(b, "t", 1, 8, 0, 0, 32);
    put_data(b, 32, 64))
LIE(more_data, begin(b, 3, 1, 0); put_tensor(b, "t", 1, 8, 0, 0, 0); put_data(b, 32, 33))

static lie const lies[] = {
    {"does not begin with GGUF", no_magic},
    {"version 1 of the format is not known", old},
    {"version 4 of the format is not known", newer},
    {"may be big-endian", big_endian},
    {"announces 18446744073709551615 tensors, there is room for 0", many_tensors},
    {"announces 4611686018427387904 keys", many_keys},
    {"the key at byte 38 is empty", two_keys_of_one},
    {"the key at byte 24 is empty", empty_key},
    {"a key at byte 24 is to have 18446744073709551615 bytes", long_key},
    {"the file ends after 45 bytes, inside a value", long_string},
    {"a key at byte 32 is not UTF-8", no_utf8},
    {"a key at byte 32 is not UTF-8", zero_in_key},
    {"has the unknown value type 13", value_type},
    {"the truth value before byte 38 is 2", bool_of_2},
    {"is 3", bools},
    {"key \"a\" before byte 49: an array has no items of type 9", nested},
    {"an array has no items of type 99", item_type},
    {"is to have 2305843009213693952 items", many_items},
    {"inside an array", more_items},
    {"inside a string of an array", more_strings},
    {"the key \"a\" twice", same_key},
    {"the key \"a\" twice", same_array},
    {"general.alignment is 0", aligned_to_0},
    {"general.alignment is 24", aligned_to_24},
    {"general.alignment is 32 of the value type 10", aligned_by_u64},
    {"tensor \"t\" has 5 dimensions, at most 4", five_dimensions},
    {"tensor \"t\" has more than 2^63 elements", many_elements},
    {"tensor \"t\" has more than 2^63 elements", negative_extent},
    {"tensor \"t\" ends beyond 2^63 bytes", many_bytes},
    {"tensor \"t\" begins beyond 2^63 bytes", far_unknown},
    {"tensor \"t\" ends at 64, the file has 32 bytes of tensors", behind},
    {"tensor \"t\" of the unknown type 99 has 32 elements, but no bytes", no_bytes},
    {"tensor \"t\" begins at 0, inside the one before it, which ends at 32", inside},
    {"16 elements are no whole blocks of 32 (Q8_0)", half_a_block},
    {"tensor \"t\" ends beyond 2^63 bytes", far},
    {"tensor \"t\" ends at 36, the file has 32 bytes of tensors", beyond},
    {"the data begin at byte 64, the file has 57", no_data},
    {"begins at 4, which is not a multiple of the alignment 32", crooked},
    {"the bytes 0 to 31 belong to no tensor", hole},
    {"tensor \"t\" begins at 32, inside the one before it, which ends at 64", overlap},
    {"the name \"t\" twice", twice},
    {"1 bytes follow the 32 bytes", more_data},
};

static void test_lies(void)
{
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; ++i) {
        static bytes b;
        tsr_model m;
        tsr_message error = {0, ""};
        lies[i].make(&b);
        bool const accepted = view(&b, &m, &error), ok = !accepted && strstr(error.text, lies[i].words);
        check(lies[i].words, ok);
        if (!ok)
            printf("  %s\n", accepted ? "accepted" : error.text);
    }
}

/** A stream has no size: what is announced is read, and no more. */
static void test_stream(void)
{
    static bytes b;
    int ends[2];
    char path[64], rest[8] = "";
    tsr_model m;
    tsr_tensor t;
    tsr_message error = {0, ""};
    make_whole(&b);
    if (pipe(ends) != 0)
        return;
    check("a pipe", write(ends[1], b.at, b.n) == (ssize_t)b.n && write(ends[1], "more", 4) == 4);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    bool const ok = tsr_gguf_open(path, &m, &error);
    check("tensors from a pipe", ok && tsr_model_get(&m, "w", &t, &error) && strcmp(note(&m, "f32"), "1.5") == 0);
    check("which is not read on", read(ends[0], rest, 7) == 4 && strcmp(rest, "more") == 0);
    if (ok)
        tsr_model_close(&m);
    check("half of it", write(ends[1], b.at, b.n / 2) == (ssize_t)(b.n / 2) && close(ends[1]) == 0
                            && !tsr_gguf_open(path, &m, &error) && strstr(error.text, "the file ends after"));
    close(ends[0]);
    check("a file that is not there",
          !tsr_gguf_open("no/such.gguf", &m, &error) && strstr(error.text, "no/such.gguf: cannot be opened"));
    check("a device without end",
          !tsr_gguf_open("/dev/zero", &m, &error) && strstr(error.text, "does not begin with"));
}

int main(void)
{
    test_whole();
    test_opaque();
    test_lies();
    test_stream();
    return report();
}
