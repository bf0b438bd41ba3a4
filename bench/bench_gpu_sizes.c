/** How many kernels an operation of changing sizes compiles, and the processor's seconds: 24 sizes of each operation,
 *  one after the other, from an empty cache; then all operations with one cache. Then the same where any kernel that is
 *  there stands in for that of a product's best tile. NVRTC is the true one; the driver may be the fake one
 *  (tests/gpu/fake.c), for a machine without a GPU.
 *
 *  usage: bench_gpu_sizes [FAKE]. FAKE is the library of the target gpu_older. CUDA_CACHE_DISABLE=1: without NVRTC's
 *  own cache. */
#include "gpu_need.h"
#include "timing.h"

#include "tessera/gpu.h"
#include "tessera/text.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { PROCESSORS = 132 };

typedef enum kind { COPY, SUM, REDUCE, PRODUCT } kind;

/** An operation on tensors that lie in the order of their letters, the last one fastest. A letter of `shape` that a
 *  tensor does not have repeats it. Of a product each tensor has the shape of its own letters. */
typedef struct work {
    char const *name;
    kind kind;
    tsr_dtype type[3];
    char const *shape, *lies[3];
} work;

static int64_t const sizes[] = {1,   2,   3,   7,   8,   12,  16,  31,   33,   48,   64,   77,
                                100, 128, 196, 200, 256, 333, 512, 1000, 1024, 1500, 2047, 2048};
enum { SIZES = sizeof sizes / sizeof *sizes };

static work const works[] = {
    {"transpose f32 (n,4096)", COPY, {TSR_F32, TSR_F32}, "nk", {"kn", "nk"}},
    {"transpose f32 (4096,n)", COPY, {TSR_F32, TSR_F32}, "nk", {"nk", "kn"}},
    {"heads bf16 (4,n,16,128) to (4,16,n,128)", COPY, {TSR_BF16, TSR_BF16}, "bhnd", {"bnhd", "bhnd"}},
    {"NHWC to NCHW f32, 3 channels, n by n", COPY, {TSR_F32, TSR_F32}, "bcnm", {"bnmc", "bcnm"}},
    {"NCHW to NHWC f32, 64 channels, n by n", COPY, {TSR_F32, TSR_F32}, "benm", {"benm", "bnme"}},
    {"cast f32 to bf16 (n,1000)", COPY, {TSR_F32, TSR_BF16}, "no", {"no", "no"}},
    {"cast f32 to bf16 (4,n) of (n,4)", COPY, {TSR_F32, TSR_BF16}, "bn", {"nb", "bn"}},
    {"x + y f32 (4,n)", SUM, {TSR_F32, TSR_F32, TSR_F32}, "bn", {"bn", "bn", "bn"}},
    {"x + bias bf16 (n,4096)", SUM, {TSR_BF16, TSR_BF16, TSR_BF16}, "nk", {"nk", "k", "nk"}},
    {"x + transposed y f32 (n,1000)", SUM, {TSR_F32, TSR_F32, TSR_F32}, "no", {"no", "on", "no"}},
    {"sum f32 (n,4096) to n", REDUCE, {TSR_F32, TSR_F32}, "nk", {"nk", "n"}},
    {"sum f32 (n,4096) to 4096", REDUCE, {TSR_F32, TSR_F32}, "nk", {"nk", "k"}},
    {"sum bf16 (4,n) to 4", REDUCE, {TSR_BF16, TSR_BF16}, "bn", {"bn", "b"}},
    {"sum bf16 (4,n,16,128) to (4,16)", REDUCE, {TSR_BF16, TSR_BF16}, "bnhd", {"bnhd", "bh"}},
    {"product bf16 (n,4096) by 1000", PRODUCT, {TSR_BF16, TSR_BF16, TSR_BF16}, NULL, {"nk", "ok", "no"}},
    {"product bf16 (4,n,128) by 64", PRODUCT, {TSR_BF16, TSR_BF16, TSR_BF16}, NULL, {"bnd", "de", "bne"}},
    {"product f32 (n,4096) by 1000", PRODUCT, {TSR_F32, TSR_F32, TSR_F32}, NULL, {"nk", "ko", "no"}},
    {"scores bf16 bqhd,bkhd->bhqk", PRODUCT, {TSR_BF16, TSR_BF16, TSR_BF16}, NULL, {"bnhd", "bmhd", "bhnm"}},
    {"context bf16 bhqk,bkhd->bqhd", PRODUCT, {TSR_BF16, TSR_BF16, TSR_BF16}, NULL, {"bhnm", "bmhd", "bnhd"}},
};
enum { WORKS = sizeof works / sizeof *works };

static int64_t extent_of(char letter, int64_t n)
{
    static char const letters[] = "bhdeck";
    static int64_t const extents[] = {4, 16, 128, 64, 3, 4096};
    char const *const at = strchr(letters, letter);
    return letter == 'n' || letter == 'm' ? n : at ? extents[at - letters] : 1000;
}

static tsr_tensor tensor_of(work const *w, int i, int64_t n)
{
    char shape[128] = "", stride[128] = "", text[300];
    char const *const lies = w->lies[i];
    size_t ends[2] = {0, 0};
    for (char const *c = w->shape ? w->shape : lies; *c; ++c) {
        char const *const at = strchr(lies, *c);
        int64_t step = at ? 1 : 0;
        for (char const *s = at ? at + 1 : ""; *s; ++s)
            step *= extent_of(*s, n);
        ends[0] += (size_t)snprintf(shape + ends[0], sizeof shape - ends[0], ",%lld", (long long)extent_of(*c, n));
        ends[1] += (size_t)snprintf(stride + ends[1], sizeof stride - ends[1], ",%lld", (long long)step);
    }
    snprintf(text, sizeof text, "(%s):(%s)", shape + 1, stride + 1);
    return tsr_make_tensor_of(tsr_gmem_ptr(tsr_int((int64_t)(i + 1) << 40), w->type[i]), tsr_parse(text));
}

/** Plans the operation, whose kernel the cache then has; a product's is at most `slower` times as slow as the best. */
static void plan(work const *w, tsr_gpu_cache *cache, tsr_gpu_device const *device, int64_t n, double slower)
{
    tsr_tensor const x = tensor_of(w, 0, n), y = tensor_of(w, 1, n);
    tsr_number const one = tsr_number_int(1);
    if (w->kind == COPY) {
        tsr_gpu_planned_copy *p;
        need(tsr_gpu_copy_plan(cache, device, NULL, x, NULL, y, &to_words, &p), w->name);
        tsr_gpu_copy_free(&p);
    } else if (w->kind == SUM) {
        tsr_gpu_planned_combine *p;
        tsr_tensor const z = tensor_of(w, 2, n);
        need(tsr_gpu_combine_plan(cache, device, TSR_COMBINE_SUM, one, x, one, y, z, &to_words, &p), w->name);
        tsr_gpu_combine_free(&p);
    } else if (w->kind == REDUCE) {
        tsr_gpu_planned_reduce *p;
        need(tsr_gpu_reduce_plan(cache, device, TSR_REDUCE_SUM, x, y, &to_words, &p), w->name);
        need(tsr_gpu_reduce_free(&p), w->name);
    } else {
        char text[64];
        tsr_gpu_planned_gemm *p;
        tsr_epilogue const e = tsr_make_epilogue(1, 0);
        tsr_gpu_gemm_options const options = {.slower = slower};
        snprintf(text, sizeof text, "%s,%s->%s", w->lies[0], w->lies[1], w->lies[2]);
        need(tsr_gpu_gemm_plan_with(cache, device, text, x, y, tensor_of(w, 2, n), &e, &options, &to_words, &p),
             w->name);
        need(tsr_gpu_gemm_free(&p), w->name);
    }
}

/** Plans `count` operations in all sizes from an empty cache: the kernels compiled, and the processor's seconds. */
static int64_t plan_all(work const *w, int count, tsr_gpu_device const *device, double slower, double *seconds)
{
    tsr_gpu_cache cache = {.folder = ""};
    clock_t const begin = clock();
    for (int k = 0; k < count; ++k)
        for (int s = 0; s < SIZES; ++s)
            plan(&w[k], &cache, device, sizes[s], slower);
    *seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    int64_t const compiled = cache.misses;
    need(tsr_gpu_cache_free(&cache), "free");
    return compiled;
}

int main(int argc, char **argv)
{
    tsr_gpu gpu = {0};
    tsr_gpu_device device;
    need(tsr_gpu_find_driver(&gpu, argc > 1 ? argv[1] : NULL), "the driver");
    need(tsr_gpu_find_compiler(&gpu, NULL), "NVRTC");
    need(tsr_gpu_open(&gpu, 0, &device), "the device");
    device.processors = argc > 1 ? PROCESSORS : device.processors;
    bench_print_machine();
    printf("%s, NVRTC %d.%d: %d sizes from %lld to %lld: kernels, seconds; any kernel that is there\n", device.name,
           gpu.major, gpu.minor, SIZES, (long long)sizes[0], (long long)sizes[SIZES - 1]);
    for (int i = 0; i <= WORKS; ++i) {
        bool const one = i < WORKS;
        double seconds[2];
        int64_t const hardly = plan_all(&works[one ? i : 0], one ? 1 : WORKS, &device, 0, &seconds[0]),
                      any = plan_all(&works[one ? i : 0], one ? 1 : WORKS, &device, INFINITY, &seconds[1]);
        printf("  %-42s %4lld %7.2f %4lld %7.2f\n", one ? works[i].name : "all of them", (long long)hardly,
               seconds[0], (long long)any, seconds[1]);
    }
    return !tsr_gpu_ok(tsr_gpu_close(&device));
}
