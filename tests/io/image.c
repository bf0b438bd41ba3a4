/** Images: copies into the file of an image give what copies into memory give, in pieces of every kind; bytes that are
 *  put; a disk that fails, an end in the middle, and threads.
 *  usage: image [SEED [COPIES]] */
#define _XOPEN_SOURCE 700

#include "io_test.h"

#include <fcntl.h>
#include <unistd.h>

#include "tessera/tessera.h"

static uint64_t state = 1;

static int64_t noise(int64_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)below);
}

typedef struct watch {
    int64_t elements, calls, ends_after; /* 0: never */
} watch;

static bool see(void *context, int64_t elements, int64_t done, int64_t all)
{
    watch *const w = (watch *)context;
    w->elements += elements;
    ++w->calls;
    return (w->ends_after == 0 || w->calls < w->ends_after) && done <= all;
}

/** A permutation of the modes of a compact source, all of it. */
static tsr_tensor permuted(void const *memory, tsr_dtype type, int rank, int64_t const *extent, int const *order)
{
    int64_t stride[3], reached = 1;
    tsr_tuple shape = TSR_ZERO, strides = TSR_ZERO;
    for (int k = 0; k < rank; ++k) {
        stride[order[k]] = reached;
        reached *= extent[order[k]];
    }
    for (int k = 0; k < rank; ++k) {
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(extent[k]));
        tsr_tuple_push_leaf(&strides, tsr_leaf_dynamic(stride[k]));
    }
    return tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, memory, true, type),
                              tsr_layout_unchecked(tsr_tuple_close(shape), tsr_tuple_close(strides)));
}

/** The destination of the same shape, compact or with a gap behind each line. */
static tsr_tensor target(void *memory, tsr_dtype type, tsr_tuple shape, int64_t gap)
{
    tsr_tuple strides = TSR_ZERO;
    int64_t reached = 1;
    for (int k = 0; k < shape.leaves; ++k) {
        tsr_tuple_push_leaf(&strides, tsr_leaf_dynamic(reached));
        reached = reached * shape.leaf[k].value + (k == 0 ? gap : 0);
    }
    return tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, memory, false, type),
                              tsr_layout_unchecked(shape, tsr_tuple_close(strides)));
}

static bool file_has(char const *path, void const *bytes, size_t n)
{
    FILE *const f = fopen(path, "rb");
    char *const read = malloc(n + 1);
    bool const same = f && read && fread(read, 1, n + 1, f) == n && memcmp(read, bytes, n) == 0;
    if (f)
        fclose(f);
    free(read);
    return same;
}

/** A copy from a permuted source, cast or not, into an image behind `before` bytes, beside the same copy in memory. */
static bool one_copy(int rank, int64_t const *extent, int const *order, tsr_dtype from, tsr_dtype to, int64_t gap,
                     size_t before, tsr_tensor const *where)
{
    char const *const path = scratch("image", "copy");
    int64_t size = 1;
    tsr_message error = {0, ""};
    tsr_image image;
    watch w = {0, 0, 0};
    for (int k = 0; k < rank; ++k)
        size *= extent[k];
    size_t const items = (size_t)(size + gap * size), bytes = before + items * (size_t)tsr_dtype_bits(to) / 8;
    unsigned char *const old = malloc((size_t)size * (size_t)tsr_dtype_bits(from) / 8 + 1);
    unsigned char *const wanted = calloc(bytes, 1);
    bool ok = old && wanted && tsr_image_create(path, bytes, &image, &error);
    if (!ok)
        return false;
    for (int64_t i = 0; i < size * tsr_dtype_bits(from) / 8; ++i)
        old[i] = (unsigned char)(i * 7 + (i >> 9) * 5 + (i >> 20));
    memset(wanted, 'h', before);
    memset(image.map, 'h', before);
    tsr_tensor const s = permuted(old, from, rank, extent, order);
    tsr_tensor const d = target(wanted + before, to, s.layout.shape, gap);
    tsr_tensor const f = target((char *)image.map + before, to, s.layout.shape, gap);
    if (where)
        ok = tsr_copy_if(*where, s, d).status == 0;
    else
        ok = tsr_copy(s, d).status == 0;
    ok = ok && tsr_image_copy(&image, where, s, f, see, &w, &error) && (where || w.elements == size)
         && tsr_image_commit(&image, &error) && file_has(path, wanted, bytes);
    if (!ok)
        printf("  rank %d, %lld elements, a gap of %lld behind %d bytes: %s\n", rank, (long long)size, (long long)gap,
               (int)before, error.text);
    free(old);
    free(wanted);
    return ok;
}

static void test_copies(int copies)
{
    static int const orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static tsr_dtype const types[][2] = {{TSR_U8, TSR_U8},   {TSR_I16, TSR_I16}, {TSR_U32, TSR_U32},
                                         {TSR_U64, TSR_U64}, {TSR_I32, TSR_F64}, {TSR_I32, TSR_I8}};
    for (int i = 0; i < copies; ++i) {
        int64_t const log = 10 + noise(14), a = 1 + noise((int64_t)1 << (log / 3 + 3)), b = 1 + noise(1 << (log / 3)),
                      c = 1 + noise(1 << (log / 3));
        int64_t extent[3] = {a, b, c};
        tsr_dtype const *const type = types[noise(6)];
        if (noise(2)) { /* the long one last */
            extent[0] = c;
            extent[2] = a;
        }
        check("a copy into an image",
              one_copy(3, extent, orders[noise(6)], type[0], type[1], noise(4) ? 0 : 1, (size_t)noise(200), NULL));
    }
    int64_t const rows[] = {3000, 4000, 1}, wide[] = {12500, 11003, 1};
    check("lines in pieces", one_copy(2, rows, orders[0], TSR_U32, TSR_U32, 0, 128, NULL));
    check("a cast in pieces", one_copy(2, rows, orders[0], TSR_I32, TSR_I16, 0, 128, NULL));
    check("a transpose in the file", one_copy(2, wide, orders[2], TSR_U8, TSR_U8, 0, 128, NULL));
}

/** Elements that are not there stay what they are. */
static void test_where(void)
{
    int64_t const extent[] = {3000, 2000, 1};
    static int const order[] = {0, 1, 2};
    unsigned char *const there = malloc((size_t)extent[0] * (size_t)extent[1]);
    for (int64_t i = 0; there && i < extent[0] * extent[1]; ++i)
        there[i] = (unsigned char)(i % 7 < 3);
    tsr_tensor const where = permuted(there, TSR_BOOL, 2, extent, order);
    check("elements that are there", there && one_copy(2, extent, order, TSR_U32, TSR_U32, 0, 64, &where));
    free(there);
}

static bool new_image(size_t bytes, tsr_image *image)
{
    tsr_message error;
    return tsr_image_create(scratch("image", "a"), bytes, image, &error);
}

static void test_put(void)
{
    enum { N = 100000 };
    static char bytes[N];
    tsr_image image;
    tsr_message error = {0, ""};
    for (int i = 0; i < N; ++i)
        bytes[i] = (char)(i * 31 >> 3);
    bool ok = new_image(N, &image);
    for (size_t at = 0, n; ok && at < N; at += n) { /* from the end to the beginning */
        n = at + 777 < N ? 777 : N - at;
        ok = tsr_image_put(&image, N - at - n, bytes + N - at - n, n, &error);
        tsr_image_flush(&image, N - at - n, n);
    }
    check("what was put is in memory, too", ok && memcmp(image.map, bytes, N) == 0);
    static uint64_t const bad[][2] = {{N, 1}, {0, N + 1}, {N - 5, 6}, {UINT64_MAX, 1}, {1, UINT64_MAX}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        check("a place outside", !tsr_image_put(&image, bad[i][0], bytes, bad[i][1], &error)
                                     && strstr(error.text, "are not in a file of 100000"));
    check("nothing", tsr_image_put(&image, N, bytes, 0, &error));
    check("and in the file",
          tsr_image_commit(&image, &error) && file_has(scratch("image", "a"), bytes, sizeof bytes));
}

/** Lines whose pieces are made in caches, or in the file, into an image whose disk fails or whose work is ended. */
static void test_ends(void)
{
    int64_t const extent[] = {2000, 8000, 1};
    static int const order[] = {0, 1, 2};
    size_t const bytes = 4 * 2000 * 8000;
    unsigned char *const old = calloc(bytes, 1);
    tsr_image image;
    tsr_message error = {0, ""};
    watch w = {0, 0, 3};
    bool ok = old && new_image(bytes, &image);
    tsr_tensor const s = permuted(old, TSR_U32, 2, extent, order);
    ok = ok && tsr_image_copy(&image, NULL, s, target(image.map, TSR_U32, s.layout.shape, 0), see, &w, &error);
    check("an end in the middle is no error", ok && w.calls >= 3 && w.elements < 2000 * 8000);
    int const handle = image.output.handle;
    image.output.handle = open("/dev/null", O_RDONLY | O_CLOEXEC);
    check("a disk that fails",
          !tsr_image_copy(&image, NULL, s, target(image.map, TSR_U32, s.layout.shape, 0), NULL, NULL, &error)
              && strstr(error.text, "io_image_a: cannot be written"));
    close(image.output.handle);
    image.output.handle = handle;
    tsr_tensor constant = target(image.map, TSR_U32, s.layout.shape, 0);
    constant.engine.constant = true;
    check("a destination that is not to be written",
          !tsr_image_copy(&image, NULL, s, constant, NULL, NULL, &error) && strstr(error.text, "io_image_a: "));
    char temporary[512];
    snprintf(temporary, sizeof temporary, "%s", image.output.temporary);
    tsr_image_discard(&image);
    check("and nothing is left", access(temporary, F_OK) != 0);
    free(old);
}

/** A stream is no file: its bytes are in memory until the commit. */
static void test_stream(void)
{
    enum { N = 3 << 20 };
    static unsigned char bytes[N];
    tsr_image image;
    tsr_message error = {0, ""};
    int64_t const extent[] = {N, 1, 1};
    static int const order[] = {0, 1, 2};
    tsr_tensor const s = permuted(bytes, TSR_U8, 1, extent, order);
    bool ok = tsr_image_create("/dev/null", N, &image, &error) && !image.mapped;
    memset(bytes, 7, N);
    ok = ok && tsr_image_copy(&image, NULL, s, target(image.map, TSR_U8, s.layout.shape, 0), NULL, NULL, &error)
         && tsr_image_put(&image, 5, "abc", 3, &error);
    memcpy(bytes + 5, "abc", 3);
    check("a stream", ok && memcmp(image.map, bytes, N) == 0 && tsr_image_commit(&image, &error));
}

int main(int argc, char **argv)
{
    state = argc > 1 ? (uint64_t)atoll(argv[1]) : 1;
    test_copies(argc > 2 ? atoi(argv[2]) : 60);
    test_where();
    test_put();
    test_ends();
    test_stream();
    remove(scratch("image", "a"));
    remove(scratch("image", "copy"));
    return report();
}
