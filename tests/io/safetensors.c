/** A file of tensors, in and out: each type at its place, names of any characters, and what has no layout. */
#include "io_test.h"

/** Header and data in one buffer; returns the size. */
static size_t make_file(unsigned char *out, char const *header, unsigned char const *data, size_t bytes)
{
    size_t const n = strlen(header);
    for (int i = 0; i < 8; ++i)
        out[i] = (unsigned char)((uint64_t)n >> 8 * i & 255);
    memcpy(out + 8, header, n);
    memcpy(out + 8 + n, data, bytes);
    return 8 + n + bytes;
}

static double element(tsr_model const *f, char const *name, tsr_tuple at)
{
    tsr_tensor t;
    tsr_number x = tsr_number_real(-1);
    tsr_message error;
    if (!tsr_model_get(f, name, &t, &error) || tsr_tensor_read(t, at, &x).status)
        return -1;
    return tsr_number_to_double(x);
}

/** One tensor of every type that safetensors has. */
static void test_types(void)
{
    static struct {
        char const *name;
        int bits;
    } const types[] = {
#define X(id, code, bits, exponent, mantissa, bias, special, name, numpy, safetensors) {safetensors, bits},
        TSR_DTYPE_LIST(X)
#undef X
    };
    for (size_t k = 0; k < sizeof types / sizeof types[0]; ++k) {
        unsigned char out[512], data[64];
        char header[256];
        tsr_model f;
        tsr_message error;
        if (*types[k].name == 0)
            continue;
        memset(data, 0x55, sizeof data);
        snprintf(header, sizeof header, "{\"t\":{\"dtype\":\"%s\",\"shape\":[2,4],\"data_offsets\":[0,%d]}}  ",
                 types[k].name, types[k].bits);
        size_t const n = make_file(out, header, data, (size_t)types[k].bits);
        bool const ok = tsr_safetensors_view(out, n, &f, &error);
        tsr_tensor t;
        check(types[k].name, ok && tsr_model_get(&f, "t", &t, &error)
                                 && tsr_dtype_bits(t.engine.type) == types[k].bits && t.engine.constant
                                 && !tsr_within(t, f.data, (uint64_t)types[k].bits).status);
        if (ok)
            tsr_model_close(&f);
    }
}

static void test_file(void)
{
    static char const header[] =
        "{\"__metadata__\":{\"format\":\"pt\"},"
        "\"b\":{\"data_offsets\":[4,10],\"shape\":[3,2],\"dtype\":\"U8\"},"
        "\"a\\u00e9\\ud83d\\ude00\\n\":{\"dtype\":\"I16\",\"shape\":[],\"data_offsets\":[0,2]},"
        "\"nested/name.weight\":{\"dtype\":\"F4\",\"shape\":[4],\"data_offsets\":[2,4]},"
        "\"empty\":{\"dtype\":\"F32\",\"shape\":[3,0],\"data_offsets\":[10,10]},"
        "\"deep\":{\"dtype\":\"U8\",\"shape\":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],\"data_offsets\":[10,11]}}";
    static unsigned char const data[11] = {7, 0, 0x21, 0x43, 10, 11, 20, 21, 30, 31, 9};
    unsigned char out[1024];
    tsr_model f;
    tsr_tensor t;
    tsr_message error;
    size_t const n = make_file(out, header, data, sizeof data);
    check("write", write_bytes(scratch("safe", "file.safetensors"), out, n));
    if (!tsr_safetensors_open(scratch("safe", "file.safetensors"), &f, &error)) {
        check(error.text, false);
        return;
    }
    check("the metadata", f.notes == 1 && strcmp(f.note[0].key, "format") == 0 && strcmp(f.note[0].value, "pt") == 0);
    check("all tensors, in the order of their data", f.count == 5 && strcmp(f.tensor[2].name, "b") == 0);
    check("escapes", strcmp(f.tensor[0].name, "a\xc3\xa9\xf0\x9f\x98\x80\n") == 0);
    check("no dimensions", tsr_model_get(&f, f.tensor[0].name, &t, &error) && tsr_is_unit(&t.layout.shape));
    check("C order", element(&f, "b", tsr_t(2, 1)) == 31 && element(&f, "b", tsr_t(0, 1)) == 11);
    check("four bits, the lower ones first",
          element(&f, "nested/name.weight", tsr_t(0)) == 0.5 && element(&f, "nested/name.weight", tsr_t(3)) == 2);
    check("an empty one is listed", !tsr_model_get(&f, "empty", &t, &error) && strstr(error.text, "extent 1 is 0"));
    check("one of 17 dimensions, too", !tsr_model_get(&f, "deep", &t, &error) && strstr(error.text, "17 dimensions"));
    check("no such name",
          !tsr_model_get(&f, "c", &t, &error) && strstr(error.text, "no tensor of the 5 is named \"c\""));
    tsr_model_close(&f);
    remove(scratch("safe", "file.safetensors"));
    check("no tensors at all", tsr_safetensors_view("\2\0\0\0\0\0\0\0{}", 10, &f, &error) && f.count == 0);
    tsr_model_close(&f);
}

/* Out */

/** A tensor of bytes that says what it is. */
static tsr_model_tensor entry(char const *name, tsr_dtype type, int rank, int64_t x, int64_t y)
{
    tsr_model_tensor t = {name, type, NULL, rank, {x, y}, 0, 0, 0};
    return t;
}

/** What is written is what is read again: names of any characters, the metadata, every type at a multiple of its
 *  size. */
static void test_written(void)
{
    static tsr_model_note const notes[] = {
        {"format", "pt"}, {"quote\"back\\slash\n\x01", "caf\xc3\xa9 / \xf0\x9f\x98\x80"}, {"", ""}};
    static char name[64][8];
    tsr_model_tensor tensor[64];
    tsr_model_writer w;
    tsr_model m;
    tsr_tensor t;
    tsr_message error = {0, ""};
    int n = 0;
    char const *const path = scratch("safe", "out.safetensors");
#define X(id, code, bits, exponent, mantissa, bias, special, ours, numpy, theirs) \
  if (*theirs) {                                                                  \
    snprintf(name[n], sizeof name[n], "t%02d", n);                                \
    tensor[n] = entry(name[n], TSR_##id, 2, 3, 4);                                \
    ++n;                                                                          \
  }
    TSR_DTYPE_LIST(X)
#undef X
    tensor[n++] = entry("empty", TSR_F32, 2, 3, 0);
    tensor[n++] = entry("scalar", TSR_I64, 0, 0, 0);
    tensor[n++] = entry("a\"\\/\n\t\x7f\xc3\xa9", TSR_U8, 1, 5, 0);
    if (!tsr_safetensors_create(path, tensor, n, notes, 3, &w, &error)) {
        check(error.text, false);
        return;
    }
    bool all = true;
    for (int i = 0; i < n; ++i) {
        int64_t const bytes = (i == n - 3   ? 0
                               : i == n - 2 ? 8
                               : i == n - 1 ? 5
                                            : 12 * tsr_dtype_bits(tensor[i].type) / 8);
        bool const got = tsr_model_at(&w, tensor[i].name, &t, &error);
        all = all && (got == (bytes > 0)) && (!got || !t.engine.constant);
        for (int64_t k = 0; k < bytes; ++k)
            ((unsigned char *)(uintptr_t)t.engine.address)[k] = (unsigned char)(16 * i + k);
    }
    check("all but the empty one are written through tensors", all);
    check("no such tensor", !tsr_model_at(&w, "none", &t, &error) && strstr(error.text, "is named \"none\""));
    check("commit", tsr_model_commit(&w, &error) && w.data == NULL && w.model.tensor == NULL);
    if (!tsr_safetensors_open(path, &m, &error)) {
        check(error.text, false);
        return;
    }
    all = m.count == n;
    for (int i = 0; all && i < n; ++i) {
        tsr_model_tensor const *const x = &m.tensor[tsr_model_find(&m, tensor[i].name)];
        uint64_t const size = (uint64_t)tsr_dtype_bits(x->type) / 8;
        all = x->type == tensor[i].type && x->rank == tensor[i].rank && (size == 0 || x->begin % size == 0);
        for (uint64_t k = 0; all && k < x->end - x->begin; ++k)
            all = m.data[x->begin + k] == (unsigned char)(16 * i + (int)k);
    }
    check("what is read is what was written", all);
    check("data begin at a multiple of 8", (uint64_t)(m.data - (unsigned char const *)m.bytes.data) % 8 == 0);
    all = m.notes == 3;
    for (int i = 0; all && i < 3; ++i)
        all = strcmp(m.note[i].key, notes[i].key) == 0 && strcmp(m.note[i].value, notes[i].value) == 0;
    check("the metadata are kept", all);
    tsr_model_close(&m);
    check("nothing at all", tsr_safetensors_create(path, NULL, 0, NULL, 0, &w, &error) && tsr_model_commit(&w, &error)
                                && tsr_safetensors_open(path, &m, &error) && m.count == 0 && m.notes == 0);
    tsr_model_close(&m);
    check("what is discarded leaves the file", tsr_safetensors_create(path, tensor, n, NULL, 0, &w, &error)
                                                   && (tsr_model_discard(&w), tsr_safetensors_open(path, &m, &error))
                                                   && m.count == 0);
    tsr_model_close(&m);
    remove(path);
}

static void unwritten(char const *words, tsr_model_tensor const *t, int n, tsr_model_note const *notes, int count)
{
    tsr_model_writer w;
    tsr_message error = {0, ""};
    char const *const path = scratch("safe", "no.safetensors");
    bool const ok = !tsr_safetensors_create(path, t, n, notes, count, &w, &error) && strstr(error.text, words)
                    && strstr(error.text, path) == error.text;
    check(words, ok);
    if (!ok)
        printf("  %s\n", error.text);
}

static void test_unwritten(void)
{
    static tsr_model_note const twice[] = {{"a", "1"}, {"a", "2"}}, bad[] = {{"a", "\xff"}};
    tsr_model_tensor const t[] = {entry("a", TSR_U8, 1, 5, 0), entry("a", TSR_F32, 1, 5, 0)};
    tsr_model_tensor x = entry("__metadata__", TSR_U8, 1, 5, 0);
    unwritten("the name \"a\" twice", t, 2, NULL, 0);
    unwritten("that name means the metadata", &x, 1, NULL, 0);
    x = entry("\xc0\xaf", TSR_U8, 1, 5, 0);
    unwritten("that is not UTF-8", &x, 1, NULL, 0);
    x = entry("c", TSR_C128, 1, 5, 0);
    unwritten("safetensors has no elements of c128", &x, 1, NULL, 0);
    x = entry("q", 0, 1, 5, 0);
    unwritten("safetensors has no elements of", &x, 1, NULL, 0);
    x = entry("f4", TSR_F4_E2M1, 1, 5, 0);
    unwritten("has 20 bits, which are no whole bytes", &x, 1, NULL, 0);
    x = entry("r", TSR_U8, 17, 1, 1);
    unwritten("17 dimensions, at most 16", &x, 1, NULL, 0);
    x = entry("n", TSR_U8, 2, 5, -1);
    unwritten("extent 1 is -1", &x, 1, NULL, 0);
    x = entry("n", TSR_U8, 2, INT64_MAX, 3);
    unwritten("more than 2^63 elements", &x, 1, NULL, 0);
    x = entry("n", TSR_F64, 1, INT64_MAX / 8, 0);
    unwritten("more than 2^63 bytes", &x, 1, NULL, 0);
    unwritten("the key \"a\" twice", t, 1, twice, 2);
    unwritten("are not UTF-8", t, 1, bad, 1);
}

int main(void)
{
    test_types();
    test_file();
    test_written();
    test_unwritten();
    return report();
}
