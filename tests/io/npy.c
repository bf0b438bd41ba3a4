/** Arrays out and in again: every type, order and rank; what other writers write; and what replacing a file leaves
 *  behind. */
#define _POSIX_C_SOURCE 200809L /* symlink, lstat */

#include "io_test.h"
#include "../random.h"

#include <sys/stat.h>
#include <unistd.h>

#include "tessera/tensor/map.h"

/** A shape of this rank with few elements. */
static tsr_tuple any_shape(int rank)
{
    tsr_tuple r = TSR_ZERO;
    for (int i = 0, left = 4096; i < rank; ++i) {
        int64_t const n = left > 1 ? 1 + below(rank > 6 ? 3 : 7) : 1;
        left /= (int)n;
        tsr_tuple_push_leaf(&r, tsr_leaf_dynamic(n));
    }
    return tsr_tuple_close(r);
}

/** Whether two tensors of one type and shape have the same bits everywhere. */
static bool same_bits(tsr_tensor a, tsr_tensor b)
{
    size_t const bytes = (size_t)tsr_dtype_bits(a.engine.type) / 8;
    int64_t const n = tsr_layout_size(a.layout);
    bool same = a.engine.type == b.engine.type && n == tsr_layout_size(b.layout);
    for (int64_t i = 0; same && i < n; ++i) {
        int bit = 0;
        same = memcmp(tsr_element_place(&a.engine, tsr_at_index(a.layout, i), &bit),
                      tsr_element_place(&b.engine, tsr_at_index(b.layout, i), &bit), bytes)
               == 0;
    }
    return same;
}

static unsigned char memory[16 * 1024 * 1024];

/** An array of random bits in the order that the file does not have. */
static tsr_tensor any_tensor(tsr_dtype type, int rank, tsr_order order)
{
    for (size_t i = 0; i < sizeof memory / 64; ++i)
        memory[i] = (unsigned char)below(256);
    return tsr_make_tensor_of(tsr_engine_at(TSR_RMEM, memory, false, type),
                              tsr_make_layout_from(any_shape(rank), order == TSR_C_ORDER ? tsr_left() : tsr_right()));
}

static bool round_trip(tsr_tensor t, tsr_order order, tsr_file *file)
{
    tsr_message error;
    char const *const path = scratch("npy", "trip.npy");
    bool const ok = tsr_npy_write(path, t, order, &error) && tsr_npy_open_as(path, t.engine.type, file, &error);
    remove(path);
    if (!ok)
        printf("%s\n", error.text);
    return ok;
}

static void test_types(void)
{
    static tsr_dtype const types[] = {
#define X(id, ...) TSR_##id,
        TSR_DTYPE_LIST(X)
#undef X
    };
    for (size_t k = 0; k < sizeof types / sizeof types[0]; ++k)
        for (int rank = 0; rank <= TSR_MAX_LEAVES; rank += rank < 3 ? 1 : 13)
            for (int order = 0; order < 2; ++order) {
                tsr_file file;
                tsr_message error;
                tsr_tensor const t = any_tensor(types[k], rank, (tsr_order)order);
                if (!tsr_npy_descr(types[k])) {
                    check("elements of no whole bytes are refused",
                          tsr_dtype_bits(types[k]) % 8 != 0
                              && !tsr_npy_write(scratch("npy", "none.npy"), t, (tsr_order)order, &error)
                              && strstr(error.text, "NumPy has no elements of"));
                    continue;
                }
                bool const ok = round_trip(t, (tsr_order)order, &file);
                check(tsr_dtype_name(types[k]), ok && same_bits(t, file.tensor)
                                                    && tsr_mode_count(&file.tensor.layout.shape) == rank
                                                    && file.npy.order == (tsr_order)order && file.npy.begin % 64 == 0
                                                    && file.tensor.engine.constant);
                tsr_file_close(&file);
            }
}

/** Arrays as other programs write them: the same four numbers, 1 to 4, in Fortran order. */
static void test_writers(void)
{
    static struct {
        char const *name, *prefix, *header;
        char const *elements;
    } const files[] = {
        {"version 1", "\x93NUMPY\x01\x00", "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 2), }\n",
         "\1\0\2\0\3\0\4\0"},
        {"version 2", "\x93NUMPY\x02\x00", "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 2), }\n",
         "\1\0\2\0\3\0\4\0"},
        {"version 3", "\x93NUMPY\x03\x00", "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 2), }\n",
         "\1\0\2\0\3\0\4\0"},
        {"big-endian", "\x93NUMPY\x01\x00", "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 2), }\n",
         "\0\1\0\2\0\3\0\4"},
        {"Python 2", "\x93NUMPY\x01\x00", "{'descr': '<i2', 'fortran_order': True, 'shape': (2L, 2L), }\n",
         "\1\0\2\0\3\0\4\0"},
        {"Python 2, version 2", "\x93NUMPY\x02\x00", "{'descr': '<i2', 'fortran_order': True, 'shape': (2L, 2L), }\n",
         "\1\0\2\0\3\0\4\0"},
        {"other keys first", "\x93NUMPY\x01\x00", "{\"shape\":(2,2),\"fortran_order\":True,\"descr\":\"<i2\"}    \n",
         "\1\0\2\0\3\0\4\0"},
    };
    for (size_t k = 0; k < sizeof files / sizeof files[0]; ++k) {
        unsigned char bytes[256];
        tsr_file file;
        tsr_message error;
        size_t const n = strlen(files[k].header), begin = files[k].prefix[6] == 1 ? 10 : 12;
        memset(bytes, 0, sizeof bytes);
        memcpy(bytes, files[k].prefix, 8);
        bytes[8] = (unsigned char)n;
        memcpy(bytes + begin, files[k].header, n);
        memcpy(bytes + begin + n, files[k].elements, 8);
        bool ok = write_bytes(scratch("npy", "other.npy"), bytes, begin + n + 8)
                  && tsr_npy_open(scratch("npy", "other.npy"), &file, &error);
        for (int64_t i = 0; ok && i < 4; ++i) {
            tsr_number x;
            ok = !tsr_tensor_read(file.tensor, tsr_t(i % 2, i / 2), &x).status && (int64_t)x.bits == i + 1;
        }
        check(files[k].name, ok);
        if (ok)
            tsr_file_close(&file);
    }
    remove(scratch("npy", "other.npy"));
}

/** The names of ml_dtypes, of which each of whole bytes stands for its type. */
static void test_ml_dtypes(void)
{
    static struct {
        char const *name;
        tsr_dtype type;
    } const rows[] = {{"bfloat16", TSR_BF16},           {"float8_e3m4", TSR_F8_E3M4},
                      {"float8_e4m3", TSR_F8_E4M3},     {"float8_e4m3b11fnuz", TSR_F8_E4M3B11FNUZ},
                      {"float8_e4m3fn", TSR_F8_E4M3FN}, {"float8_e4m3fnuz", TSR_F8_E4M3FNUZ},
                      {"float8_e5m2", TSR_F8_E5M2},     {"float8_e5m2fnuz", TSR_F8_E5M2FNUZ},
                      {"float8_e8m0fnu", TSR_F8_E8M0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        unsigned char bytes[256];
        tsr_npy array;
        tsr_message error;
        size_t const elements = 2 * (size_t)tsr_dtype_bits(rows[i].type) / 8;
        memset(bytes, 0, sizeof bytes);
        memcpy(bytes, "\x93NUMPY\x01", 8);
        int const n = snprintf((char *)bytes + 10, 200, "{'descr': '%s', 'fortran_order': False, 'shape': (2,), }\n",
                               rows[i].name);
        bytes[8] = (unsigned char)n;
        check(rows[i].name, tsr_npy_view(bytes, 10 + (size_t)n + elements, 0, &array, &error)
                                && array.tensor.engine.type == rows[i].type && !array.swapped
                                && strcmp(array.descr, rows[i].name) == 0);
    }
}

/** A file of one type in one order of bytes, as somebody else writes it: '<' the low byte first, '>' the high one. */
static size_t write_order(unsigned char *file, char const *descr, char order, tsr_dtype type, tsr_tensor t, int64_t n)
{
    size_t const bytes = (size_t)tsr_dtype_bits(type) / 8, part = tsr_dtype_code(type) == 5 ? bytes / 2 : bytes;
    bool const big = order == '>' || (order == '=' && TSR_BIG_ENDIAN);
    memset(file, ' ', 128);
    memcpy(file, "\x93NUMPY\x01\0\x76\0", 10);
    int const length =
        snprintf((char *)file + 10, 118, "{'descr': '%c%s', 'fortran_order': False, 'shape': (%lld,), }", order,
                 descr + 1, (long long)n);
    file[10 + length] = ' ';
    file[127] = '\n';
    for (size_t i = 0; i < (size_t)n * bytes; i += part)
        for (size_t k = 0; k < part; ++k) {
            size_t const from = big == TSR_BIG_ENDIAN ? k : part - 1 - k;
            file[128 + i + k] = ((unsigned char const *)(uintptr_t)t.engine.address)[i + from];
        }
    return 128 + (size_t)n * bytes;
}

/** Every type that NumPy names, in every order that it names, and raw bytes whose order nobody names. */
static void test_orders(void)
{
    enum { N = 37 };
    static tsr_dtype const types[] = {
#define X(id, ...) TSR_##id,
        TSR_DTYPE_LIST(X)
#undef X
    };
    static unsigned char file[128 + 16 * N];
    for (size_t k = 0; k < sizeof types / sizeof types[0]; ++k)
        for (char const *order = "<>=|"; *order && tsr_npy_descr(types[k]); ++order) {
            tsr_dtype const type = types[k];
            char const *const descr = tsr_npy_descr(type);
            bool const single = tsr_dtype_bits(type) == 8;
            tsr_file f;
            tsr_message error = {0, ""};
            tsr_tensor const any = any_tensor(type, 0, TSR_C_ORDER);
            tsr_tensor const t = tsr_make_tensor_of(any.engine, tsr_make_layout(tsr_t(N)));
            size_t const n = write_order(file, descr, *order, type, t, N);
            char const *const path = scratch("npy", "order.npy");
            bool const opened = write_bytes(path, file, n) && tsr_npy_open_as(path, type, &f, &error);
            if (*order == '|' && descr[1] != 'V' && !single)
                check("numbers without an order", !opened && strstr(error.text, "does not say its byte order"));
            else
                check(tsr_dtype_name(type), opened && same_bits(t, f.tensor)
                                                && f.npy.swapped == (!single && f.npy.big_endian != TSR_BIG_ENDIAN));
            if (opened)
                tsr_file_close(&f);
            remove(path);
        }
}

/** The numbers, too, are the same whatever the machine is: 1, 2.5 and -3 by the bytes of IEEE 754. */
static void test_known_bytes(void)
{
    static char const header[] = "\x93NUMPY\x01\0\x36\0{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }\n";
    static unsigned char const low[] = {0, 0, 128, 63, 0, 0, 32, 64, 0, 0, 64, 192};
    static double const want[] = {1, 2.5, -3};
    for (int big = 0; big < 2; ++big) {
        unsigned char bytes[sizeof header - 1 + 12];
        tsr_file file;
        tsr_message error;
        memcpy(bytes, header, sizeof header - 1);
        bytes[8] = sizeof header - 11;
        memcpy(strstr((char *)bytes + 10, "<f4"), big ? ">f4" : "<f4", 3);
        for (size_t i = 0; i < 12; ++i)
            bytes[sizeof header - 1 + i] = low[big ? i / 4 * 4 + 3 - i % 4 : i];
        bool ok = write_bytes(scratch("npy", "known.npy"), bytes, sizeof bytes)
                  && tsr_npy_open(scratch("npy", "known.npy"), &file, &error);
        for (int64_t i = 0; ok && i < 3; ++i) {
            tsr_number x;
            ok = !tsr_tensor_read(file.tensor, tsr_t(i), &x).status && x.re == want[i];
        }
        check(big ? "high byte first" : "low byte first", ok);
        tsr_file_close(&file);
    }
    remove(scratch("npy", "known.npy"));
}

/** Complex numbers are swapped part by part. */
static void test_big_endian(void)
{
    static char const header[] = "\x93NUMPY\x01\0\x36\0{'descr': '>c8', 'fortran_order': False, 'shape': (1,), }\n";
    unsigned char bytes[sizeof header - 1 + 8];
    tsr_file file;
    tsr_message error;
    tsr_number x;
    memcpy(bytes, header, sizeof header - 1);
    bytes[8] = sizeof header - 11;
    memcpy(bytes + sizeof header - 1, "\x3f\x80\0\0\x40\0\0\0", 8);
    bool const ok = write_bytes(scratch("npy", "big.npy"), bytes, sizeof header - 1 + 8)
                    && tsr_npy_open(scratch("npy", "big.npy"), &file, &error);
    check("big-endian complex", ok && !tsr_tensor_read(file.tensor, tsr_t(0), &x).status && x.re == 1 && x.im == 2);
    if (ok)
        tsr_file_close(&file);
    remove(scratch("npy", "big.npy"));
}

/** Tensors that are not plain arrays in memory: the modes become the dimensions. */
static void test_tensors(void)
{
    static float const data[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    tsr_file file;
    tsr_message error;
    tsr_number x;
    char const *const path = scratch("npy", "tensor.npy");
    tsr_tensor const nested = tsr_make_tensor(&data[0], tsr_t(tsr_t(2, 2), 3), tsr_t(tsr_t(6, 1), 2));
    bool ok = tsr_npy_write(path, nested, TSR_C_ORDER, &error) && tsr_npy_open(path, &file, &error);
    check("a nested mode is one dimension", ok && tsr_mode_count(&file.tensor.layout.shape) == 2
                                                && !tsr_tensor_read(file.tensor, tsr_t(3, 2), &x).status
                                                && x.re == 11);
    tsr_file_close(&file);
    tsr_tensor const cast = tsr_make_tensor_of(tsr_cast_iter(nested.engine, TSR_BF16), nested.layout);
    ok = tsr_npy_write(path, cast, TSR_F_ORDER, &error) && tsr_npy_open(path, &file, &error);
    check("converted elements", ok && file.tensor.engine.type == TSR_BF16
                                    && !tsr_tensor_read(file.tensor, tsr_t(3, 2), &x).status && x.re == 11);
    tsr_file_close(&file);
    tsr_layout const swizzled = tsr_swizzled(tsr_make_swizzle(1, 0, 2), tsr_make_layout(tsr_t(4, 2)));
    ok = tsr_npy_write(path, tsr_make_counting_tensor(swizzled), TSR_C_ORDER, &error)
         && tsr_npy_open(path, &file, &error);
    check("the offsets of a swizzle", ok && !tsr_tensor_read(file.tensor, tsr_t(0, 1), &x).status && x.bits == 5);
    tsr_file_close(&file);
    tsr_tensor const nothing = tsr_make_tensor((float *)NULL, tsr_t(4, 2));
    check("no data", !tsr_npy_write(path, nothing, TSR_C_ORDER, &error) && strstr(error.text, "its address is 0"));
    check("no positive extent", !tsr_npy_write(path, tsr_make_tensor(&data[0], tsr_t(4, 0)), TSR_C_ORDER, &error)
                                    && strstr(error.text, "extent 0 of mode 1"));
    remove(path);
}

/** What replacing a file leaves: the old one until the new one is whole, its permissions, and the link to it. */
static void test_replacing(void)
{
    tsr_npy_writer w;
    tsr_message error;
    tsr_file file;
    struct stat status;
    char target[256], link_path[256];
    snprintf(target, sizeof target, "%s", scratch("npy", "target.npy"));
    snprintf(link_path, sizeof link_path, "%s", scratch("npy", "link.npy"));
    check("write", write_bytes(target, "old", 3) && chmod(target, 0640) == 0);
    check("create", tsr_npy_create(target, TSR_F32, tsr_t(2, 3), TSR_C_ORDER, &w, &error));
    check("the target is as it was", stat(target, &status) == 0 && status.st_size == 3);
    check("the new file is beside it",
          strncmp(w.image.output.temporary, w.image.output.target, strlen(w.image.output.target)) == 0
              && access(w.image.output.temporary, F_OK) == 0);
    char temporary[512];
    snprintf(temporary, sizeof temporary, "%s", w.image.output.temporary);
    tsr_npy_discard(&w);
    check("discarded", access(temporary, F_OK) != 0 && stat(target, &status) == 0 && status.st_size == 3);
    check("through a link", symlink(target, link_path) == 0
                                && tsr_npy_create(link_path, TSR_F32, tsr_t(2, 3), TSR_C_ORDER, &w, &error)
                                && tsr_npy_commit(&w, &error));
    check("the link is still one", lstat(link_path, &status) == 0 && S_ISLNK(status.st_mode));
    check("permissions stay", stat(target, &status) == 0 && (status.st_mode & 07777) == 0640);
    check("the elements are 0",
          tsr_npy_open(target, &file, &error) && file.npy.bytes == 24
              && memcmp((char const *)file.bytes.data + file.npy.begin, memory + sizeof memory - 24, 24) == 0);
    tsr_file_close(&file);
    remove(link_path);
    remove(target);
    check("a device is written to", tsr_npy_create("/dev/null", TSR_F32, tsr_t(2, 3), TSR_C_ORDER, &w, &error)
                                        && !w.image.output.temporary && tsr_npy_commit(&w, &error)
                                        && stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode));
    check("and says when it is full", tsr_npy_create("/dev/full", TSR_F32, tsr_t(2, 3), TSR_C_ORDER, &w, &error)
                                          && !tsr_npy_commit(&w, &error)
                                          && strstr(error.text, "/dev/full: cannot be written: No space left")
                                          && stat("/dev/full", &status) == 0 && S_ISCHR(status.st_mode));
    check("a folder that is not there", !tsr_npy_create("no/such/f.npy", TSR_F32, tsr_t(2), TSR_C_ORDER, &w, &error)
                                            && strstr(error.text, "no file can be made beside it"));
    check("no room",
          !tsr_npy_create(target, TSR_F32, tsr_t(1ll << 58), TSR_C_ORDER, &w, &error)
              && strstr(error.text, SIZE_MAX > UINT32_MAX ? "there is no room for" : "do not fit in memory"));
    check("beyond 64 bits", !tsr_npy_create(target, TSR_F32, tsr_t(1ll << 62), TSR_C_ORDER, &w, &error)
                                && strstr(error.text, "more than 2^63 bytes"));
    check("a shape that nests", !tsr_npy_create(target, TSR_F32, tsr_t(tsr_t(2, 2), 2), TSR_C_ORDER, &w, &error)
                                    && strstr(error.text, "does not nest"));
    check("nothing is left", access(target, F_OK) != 0);
}

/** Arrays without elements come back with their extents, and no operation takes them for one element. */
static void test_empty(void)
{
    static int64_t const shapes[][3] = {{0, -1, -1}, {0, 3, -1}, {3, 0, -1}, {2, 0, 3}, {0, 0, 0}};
    char const *const path = scratch("npy", "empty.npy");
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; ++k)
        for (int order = 0; order < 2; ++order) {
            tsr_npy_writer w;
            tsr_file file;
            tsr_message error;
            tsr_tuple shape = TSR_ZERO;
            int rank = 0;
            for (; rank < 3 && shapes[k][rank] >= 0; ++rank)
                tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(shapes[k][rank]));
            bool ok =
                tsr_npy_create(path, TSR_F32, tsr_tuple_close(shape), order ? TSR_F_ORDER : TSR_C_ORDER, &w, &error);
            ok = ok && tsr_copy(w.tensor, w.tensor).status == TSR_EXTENT && tsr_npy_commit(&w, &error)
                 && tsr_npy_open(path, &file, &error);
            check("an array without elements", ok && file.npy.elements == 0 && file.npy.bytes == 0
                                                   && file.npy.rank == rank
                                                   && memcmp(file.npy.extent, shapes[k], (size_t)rank * 8) == 0
                                                   && file.tensor.engine.type == TSR_F32);
            check("is refused by operations", ok && tsr_readable(file.tensor).status == TSR_EXTENT
                                                  && !tsr_npy_write(path, file.tensor, TSR_C_ORDER, &error)
                                                  && strstr(error.text, "extent 0 of mode"));
            if (ok)
                tsr_file_close(&file);
        }
    remove(path);
}

/** The last of what is read of dimensions and of structures in structures: one more is refused in hostile.c. */
static void test_bounds(void)
{
    char ones[64 * 2 + 1], header[400], list[200] = "'|u1'";
    for (int i = 0; i < 64; ++i)
        memcpy(ones + 2 * i, "1,", 3);
    for (int i = 0; i < 8; ++i) {
        char inner[200];
        snprintf(inner, sizeof inner, "%s", list);
        snprintf(list, sizeof list, "[('a', %.180s)]", inner);
    }
    for (int k = 0; k < 2; ++k) {
        unsigned char bytes[10 + sizeof header];
        tsr_file file;
        tsr_message error = {0, ""};
        int const n = snprintf(header, sizeof header, "{'descr': %s, 'fortran_order': False, 'shape': (%s), }\n",
                               k ? list : "'|u1'", k ? "1," : ones);
        memcpy(bytes, "\x93NUMPY\1\0", 8);
        bytes[8] = (unsigned char)(n & 255);
        bytes[9] = (unsigned char)(n >> 8);
        memcpy(bytes + 10, header, (size_t)n);
        bytes[10 + n] = 7;
        char const *const path = scratch("npy", "bounds.npy");
        bool const ok = write_bytes(path, bytes, (size_t)n + 11)
                        && tsr_npy_open_field(path, k ? "a.a.a.a.a.a.a.a" : NULL, 0, &file, &error);
        if (!ok)
            printf("  %s\n", error.text);
        check(k ? "structures 8 deep" : "64 dimensions",
              ok && file.npy.elements == 1 && file.npy.dimensions == (k ? 1 : 64) && file.npy.rank == k
                  && *(unsigned char const *)(uintptr_t)file.tensor.engine.address == 7);
        if (ok)
            tsr_file_close(&file);
        remove(path);
    }
}

/** The type may be said where NumPy does not know it, and must have the right size. */
static void test_asked_type(void)
{
    tsr_file file;
    tsr_message error;
    char const *const path = scratch("npy", "asked.npy");
    static unsigned char const byte[1] = {0x38};
    tsr_tensor const t =
        tsr_make_tensor_of(tsr_engine_at(TSR_RMEM, byte, true, TSR_F8_E4M3FN), tsr_make_layout(tsr_t(1)));
    tsr_number x;
    check("write raw", tsr_npy_write(path, t, TSR_C_ORDER, &error));
    check("not without a type", !tsr_npy_open(path, &file, &error) && strstr(error.text, "the type must be given"));
    check("not with another size",
          !tsr_npy_open_as(path, TSR_F16, &file, &error) && strstr(error.text, "8 bits ('|V1')"));
    check("with it", tsr_npy_open_as(path, TSR_F8_E4M3FN, &file, &error)
                         && !tsr_tensor_read(file.tensor, tsr_t(0), &x).status && x.re == 1);
    tsr_file_close(&file);
    remove(path);
}

int main(void)
{
    test_types();
    test_writers();
    test_orders();
    test_known_bytes();
    test_ml_dtypes();
    test_big_endian();
    test_tensors();
    test_replacing();
    test_empty();
    test_bounds();
    test_asked_type();
    return report();
}
