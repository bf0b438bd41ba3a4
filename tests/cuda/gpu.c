/** The run-time library on a GPU: memory, streams, kernels that NVRTC makes for layouts drawn at random and that must
 *  give the offsets of the host, the cache, clusters, and launches that are refused.
 *
 *  usage: gpu [FOLDER [SEED [ROUNDS]]]. FOLDER holds the cache, a new one if none is given. Exits with 77, which means
 *  skipped, where there is no GPU or no NVRTC. */
#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gpu/any_layout.h"
#include "tessera/gpu.h"
#include "tessera/text.h"

enum { LAYOUTS = 24, SHOWN = 10 };

static int passed, failed;
static char words[16384];
static tsr_gpu_log const to_words = {words, sizeof words};

static bool check(bool truth, char const *what)
{
    passed += truth;
    failed += !truth;
    if (!truth && failed <= SHOWN)
        printf("FAILED %s\n", what);
    return truth;
}

/** The result is good; or why it is not. */
static bool good(tsr_gpu_result r, char const *what)
{
    char text[512];
    if (check(tsr_gpu_ok(r), what))
        return true;
    tsr_format_gpu_result(text, sizeof text, r);
    printf("    %s\n%.2000s\n", text, r.status == TSR_GPU_COMPILE ? words : "");
    return false;
}

/** The result is a refusal, whose sentence is printed and holds these words. */
static void refused(tsr_gpu_result r, tsr_gpu_status status, char const *says)
{
    char text[512];
    tsr_format_gpu_result(text, sizeof text, r);
    check(r.status == status && strstr(text, says), says);
    printf("    refused: %s\n", text);
}

static int skip(tsr_gpu_result r)
{
    char text[512];
    tsr_format_gpu_result(text, sizeof text, r);
    printf("skipped: %s\n", text);
    return 77;
}

/* Memory and streams */

static void test_memory(tsr_gpu_device const *d)
{
    enum { BYTES = 1 << 20 };
    unsigned char *const out = (unsigned char *)malloc(BYTES), *const in = (unsigned char *)calloc(1, BYTES);
    tsr_gpu_memory a, b;
    tsr_gpu_stream stream, other;
    tsr_gpu_event from, to;
    float milliseconds = -1;
    if (!out || !in)
        exit(2);
    for (int i = 0; i < BYTES; ++i)
        out[i] = (unsigned char)random_bits();
    good(tsr_gpu_alloc(d, BYTES, &a), "alloc");
    good(tsr_gpu_alloc(d, BYTES, &b), "alloc");
    good(tsr_gpu_write(&a, 0, out, BYTES, NULL), "write");
    good(tsr_gpu_read(&a, 0, in, BYTES, NULL), "read");
    check(memcmp(in, out, BYTES) == 0, "what is written is read");
    good(tsr_gpu_fill(&a, 100, 0xa5, 1000, NULL), "fill");
    good(tsr_gpu_read(&a, 99, in, 1002, NULL), "read");
    check(in[0] == out[99] && in[1] == 0xa5 && in[1000] == 0xa5 && in[1001] == out[1100], "what is filled is read");
    good(tsr_gpu_stream_make(d, &stream), "stream");
    good(tsr_gpu_stream_make(d, &other), "stream");
    good(tsr_gpu_event_make(d, &from), "event");
    good(tsr_gpu_event_make(d, &to), "event");
    good(tsr_gpu_event_record(&from, &stream), "record");
    good(tsr_gpu_write(&b, 0, out, BYTES, &stream), "write in a stream");
    good(tsr_gpu_event_record(&to, &stream), "record");
    good(tsr_gpu_stream_after(&other, &to), "one stream after another");
    good(tsr_gpu_read(&b, 0, in, BYTES, &other), "read in a stream");
    good(tsr_gpu_stream_wait(&other), "wait");
    check(memcmp(in, out, BYTES) == 0, "what one stream writes, another reads");
    good(tsr_gpu_event_wait(&to), "wait");
    good(tsr_gpu_event_elapsed(&from, &to, &milliseconds), "elapsed");
    check(milliseconds > 0, "a time"); /* how long depends on who else uses the GPU */
    refused(tsr_gpu_write(&a, BYTES - 4, out, 5, NULL), TSR_GPU_OUTSIDE, "5 bytes from byte 1048572 on");
    refused(tsr_gpu_alloc(d, (size_t)1 << 50, &a), TSR_GPU_CALL, "cuMemAlloc fails with CUDA_ERROR_OUT_OF_MEMORY");
    good(tsr_gpu_free(&b), "free");
    good(tsr_gpu_event_free(&from), "free");
    good(tsr_gpu_event_free(&to), "free");
    good(tsr_gpu_stream_free(&stream), "free");
    good(tsr_gpu_stream_free(&other), "free");
    free(out);
    free(in);
}

/* Layouts */

/** One source for all of the layouts: the offsets of a layout that is a constant, and of one that is an argument. */
static char const offsets_text[] =
    "template <tsr_layout const &L> __global__ void offsets(int64_t *out, int64_t size)\n"
    "{\n"
    "    int64_t const i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;\n"
    "    if (i < size && size == tsr_size(L))\n"
    "        out[i] = tsr_at(L, i);\n"
    "}\n"
    "__global__ void of_argument(int64_t *out, int64_t size, tsr_layout l)\n"
    "{\n"
    "    int64_t const i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;\n"
    "    if (i < size)\n"
    "        out[i] = tsr_at(l, i);\n"
    "}\n";

static void compare(tsr_gpu_kernel const *kernel, tsr_gpu_memory const *memory, tsr_layout l, bool argument)
{
    static int64_t host[1 << 14];
    int64_t const size = tsr_size(l);
    tsr_gpu_argument const arguments[] = {TSR_GPU_ARGUMENT(memory->address), TSR_GPU_ARGUMENT(size),
                                          TSR_GPU_ARGUMENT(l)};
    tsr_gpu_launch const launch = {.grid = {(unsigned)((size + 127) / 128)}, .block = {128}};
    char text[TSR_TEXT_SIZE];
    good(tsr_gpu_fill(memory, 0, 0xff, memory->bytes, NULL), "fill");
    if (!good(tsr_gpu_run(kernel, &launch, arguments, argument ? 3 : 2), "launch")
        || !good(tsr_gpu_read(memory, 0, host, (size_t)size * sizeof *host, NULL), "read"))
        return;
    for (int64_t i = 0; i < size; ++i)
        if (!check(host[i] == tsr_at(l, i), "the device gives the offset of the host")) {
            tsr_format_layout(text, sizeof text, l, 0);
            printf("    %s at %lld: %lld, not %lld\n", text, (long long)i, (long long)host[i],
                   (long long)tsr_at(l, i));
            return;
        }
}

static void test_layouts(tsr_gpu_device const *d, tsr_gpu_cache *cache, char const *folder)
{
    tsr_gpu_constant constants[LAYOUTS];
    char names[LAYOUTS][8], expressions[LAYOUTS][32];
    char const *kernels[LAYOUTS + 1];
    tsr_gpu_kernel kernel[LAYOUTS + 1];
    tsr_gpu_memory memory;
    for (int k = 0; k < LAYOUTS; ++k) {
        snprintf(names[k], sizeof names[k], "l%d", k);
        snprintf(expressions[k], sizeof expressions[k], "offsets<l%d>", k);
        constants[k].name = names[k];
        constants[k].layout = any_layout();
        kernels[k] = expressions[k];
    }
    kernels[LAYOUTS] = "of_argument";
    tsr_gpu_source const source = {.text = offsets_text,
                                   .constants = constants,
                                   .constant_count = LAYOUTS,
                                   .kernels = kernels,
                                   .kernel_count = LAYOUTS + 1};
    int64_t const misses = cache->misses, loads = cache->loads, hits = cache->hits;
    if (!good(tsr_gpu_specialise(cache, d, &source, &to_words, kernel), "specialise"))
        return;
    check(cache->misses + cache->loads == misses + loads + 1 && cache->hits == hits, "compiled once");
    good(tsr_gpu_alloc(d, sizeof(int64_t) << 14, &memory), "alloc");
    for (int k = 0; k < LAYOUTS; ++k) {
        compare(&kernel[k], &memory, constants[k].layout, false);
        compare(&kernel[LAYOUTS], &memory, constants[k].layout, true);
    }
    good(tsr_gpu_specialise(cache, d, &source, &to_words, kernel), "specialise again");
    check(cache->hits == hits + 1 && cache->misses == misses + (cache->loads == loads),
          "from memory the second time");
    tsr_gpu_cache second = {.folder = folder};
    good(tsr_gpu_specialise(&second, d, &source, &to_words, kernel), "specialise from the folder");
    check(second.loads == 1 && second.misses == 0, "from the folder in another cache");
    compare(&kernel[0], &memory, constants[0].layout, false);
    tsr_gpu_cache_free(&second);
    good(tsr_gpu_free(&memory), "free");
}

/* Launches */

static char const launch_text[] =
    "__device__ int variable[4] = {1, 2, 3, 4};\n"
    "extern \"C\" __global__ void clusters(int *out)\n"
    "{\n"
    "    unsigned rank, blocks;\n"
    "    asm volatile(\"mov.u32 %0, %%cluster_ctarank;\" : \"=r\"(rank));\n"
    "    asm volatile(\"mov.u32 %0, %%cluster_nctarank;\" : \"=r\"(blocks));\n"
    "    out[blockIdx.x] = (int)(blocks * 100 + rank);\n"
    "}\n"
    "extern \"C\" __global__ void shared(int *out, int n)\n"
    "{\n"
    "    extern __shared__ int memory[];\n"
    "    __shared__ int fixed[256];\n"
    "    for (int i = threadIdx.x; i < n; i += blockDim.x)\n"
    "        memory[i] = i * 3;\n"
    "    fixed[threadIdx.x] = variable[threadIdx.x % 4];\n"
    "    __syncthreads();\n"
    "    if (threadIdx.x == 0)\n"
    "        out[0] = memory[n - 1] + fixed[255];\n"
    "}\n"
    "extern \"C\" __global__ void __launch_bounds__(64) few(int *out) { out[threadIdx.x] = 1; }\n"
    "extern \"C\" __global__ void stray(int *out) { out[((long long)1 << 45) + threadIdx.x] = 1; }\n";

static void test_clusters(tsr_gpu_kernel const *k, tsr_gpu_memory const *memory)
{
    tsr_gpu_argument const arguments[] = {TSR_GPU_ARGUMENT(memory->address)};
    int out[64];
    if (!k->device->clusters) {
        tsr_gpu_launch const launch = {.grid = {64}, .cluster = {2}};
        refused(tsr_gpu_run(k, &launch, arguments, 1), TSR_GPU_NO_CLUSTERS, "no clusters");
        return;
    }
    for (unsigned blocks = 1; blocks <= 16; blocks *= 2) {
        tsr_gpu_launch const launch = {.grid = {64}, .block = {32}, .cluster = {blocks}};
        bool same = good(tsr_gpu_run(k, &launch, arguments, 1), "a cluster")
                    && good(tsr_gpu_read(memory, 0, out, sizeof out, NULL), "read");
        for (unsigned i = 0; same && i < 64; ++i)
            same = out[i] == (int)(blocks * 100 + i % blocks);
        check(same, "ranks in a cluster");
    }
    tsr_gpu_launch const many = {.grid = {64}, .cluster = {32}}, odd = {.grid = {63}, .cluster = {2}};
    refused(tsr_gpu_run(k, &many, arguments, 1), TSR_GPU_CLUSTER, "32 blocks, at most 16");
    refused(tsr_gpu_run(k, &odd, arguments, 1), TSR_GPU_CLUSTER_GRID, "63 blocks in dimension 0");
}

static void test_shared(tsr_gpu_kernel const *k, tsr_gpu_memory const *memory)
{
    int const dynamic = k->device->shared - k->shared;
    int n = dynamic / 4, out = 0;
    tsr_gpu_argument const arguments[] = {TSR_GPU_ARGUMENT(memory->address), TSR_GPU_ARGUMENT(n)};
    tsr_gpu_launch const all = {.block = {256}, .shared = (unsigned)dynamic};
    tsr_gpu_launch const more = {.block = {256}, .shared = (unsigned)dynamic + 1};
    check(k->shared >= 1024 && k->parameters != 1, "what the kernel needs");
    good(tsr_gpu_run(k, &all, arguments, 2), "all shared memory");
    good(tsr_gpu_read(memory, 0, &out, sizeof out, NULL), "read");
    check(out == (n - 1) * 3 + 4, "what is in all shared memory");
    refused(tsr_gpu_run(k, &more, arguments, 2), TSR_GPU_SHARED, "in all");
    if (k->parameters >= 0) {
        int64_t const wide = n;
        tsr_gpu_argument const wrong[] = {TSR_GPU_ARGUMENT(memory->address), TSR_GPU_ARGUMENT(wide)};
        refused(tsr_gpu_run(k, &all, arguments, 1), TSR_GPU_ARGUMENT_COUNT,
                "1 arguments are given, the kernel takes");
        refused(tsr_gpu_run(k, &all, wrong, 2), TSR_GPU_ARGUMENT_BYTES, "argument 1 has 8 bytes, the kernel takes 4");
    }
}

static void test_refusals(tsr_gpu_kernel const *few, tsr_gpu_memory const *memory)
{
    tsr_gpu_argument const arguments[] = {TSR_GPU_ARGUMENT(memory->address)};
    tsr_gpu_launch const grid = {.grid = {1, 70000}}, block = {.block = {1, 1, 100}}, threads = {.block = {64, 32}},
                         most = {.block = {128}}, fits = {.block = {64}};
    refused(tsr_gpu_run(few, &grid, arguments, 1), TSR_GPU_GRID, "70000 blocks in dimension 1");
    refused(tsr_gpu_run(few, &block, arguments, 1), TSR_GPU_BLOCK, "100 threads in dimension 2");
    refused(tsr_gpu_run(few, &threads, arguments, 1), TSR_GPU_THREADS, "2048 threads, this device takes 1024");
    refused(tsr_gpu_run(few, &most, arguments, 1), TSR_GPU_REGISTERS, "128 threads");
    good(tsr_gpu_run(few, &fits, arguments, 1), "as many threads as the kernel takes");
    good(tsr_gpu_wait(few->device), "wait");
}

/** Maps of tensors: encoded without a current context, and the rules before the driver. */
static void test_tensor_maps(tsr_gpu_device const *d, tsr_gpu_memory const *memory)
{
    tsr_tma_map map;
    tsr_tuple const box = tsr_t(64, 8), step = tsr_t(1, 1);
    tsr_tma_desc const right = tsr_tma_tiled(TSR_F16, box, tsr_t(128), box, step, tsr_unit());
    tsr_tma_desc const bad = tsr_tma_tiled(TSR_F16, box, tsr_t(120), box, step, tsr_unit());
    if (d->major >= 9)
        check(tsr_gpu_tma_encode(d, &right, memory->address, &map).status == TSR_OK, "a tensor map");
    check(tsr_gpu_tma_encode(d, &bad, memory->address, &map).status == TSR_TMA_STRIDE, "a bad stride");
}

/** Comes last, for after it the context is of no more use. */
static void test_stray(tsr_gpu_kernel const *stray, tsr_gpu_memory const *memory)
{
    tsr_gpu_argument const arguments[] = {TSR_GPU_ARGUMENT(memory->address)};
    tsr_gpu_launch const launch = {.block = {1}};
    good(tsr_gpu_run(stray, &launch, arguments, 1), "launch");
    refused(tsr_gpu_wait(stray->device), TSR_GPU_CALL,
            "cuCtxSynchronize fails with CUDA_ERROR_ILLEGAL_ADDRESS (700)");
}

static void test_launches(tsr_gpu_device const *d)
{
    tsr_gpu_source const source = {.text = launch_text};
    tsr_gpu_binary binary;
    tsr_gpu_module module;
    tsr_gpu_kernel clusters, shared, few, stray;
    tsr_gpu_memory memory, variable;
    int values[4] = {0};
    if (!good(tsr_gpu_compile(d->gpu, d->arch, &source, &to_words, &binary), "compile")
        || !good(tsr_gpu_module_load(d, binary.cubin, &module), "load"))
        return;
    good(tsr_gpu_alloc(d, 4096, &memory), "alloc");
    good(tsr_gpu_module_variable(&module, "variable", &variable), "a variable");
    good(tsr_gpu_read(&variable, 0, values, sizeof values, NULL), "read");
    check(variable.bytes == 16 && values[3] == 4, "the value of a variable");
    refused(tsr_gpu_module_kernel(&module, "nothing", &few), TSR_GPU_CALL,
            "cuModuleGetFunction fails with CUDA_ERROR_NOT_FOUND");
    if (good(tsr_gpu_module_kernel(&module, "clusters", &clusters), "kernel")
        && good(tsr_gpu_module_kernel(&module, "shared", &shared), "kernel")
        && good(tsr_gpu_module_kernel(&module, "few", &few), "kernel")
        && good(tsr_gpu_module_kernel(&module, "stray", &stray), "kernel")) {
        test_clusters(&clusters, &memory);
        test_shared(&shared, &memory);
        test_refusals(&few, &memory);
        test_tensor_maps(d, &memory);
        test_stray(&stray, &memory);
    }
    (void)tsr_gpu_module_free(&module);
    tsr_gpu_binary_free(&binary);
}

static void show_devices(tsr_gpu const *gpu, int count)
{
    tsr_gpu_device d;
    for (int i = 0; i < count; ++i)
        if (good(tsr_gpu_describe(gpu, i, &d), "describe"))
            printf("device %d: %s, %s, %d processors, %zu MB, %d bytes of shared memory a block\n", i, d.name, d.arch,
                   d.processors, d.memory >> 20, d.shared);
    refused(tsr_gpu_describe(gpu, count, &d), TSR_GPU_NO_DEVICE, "there is no device");
}

int main(int argc, char **argv)
{
    char made[] = "/tmp/tessera-gpu-XXXXXX";
    tsr_gpu gpu = {0};
    tsr_gpu_device device;
    int count = 0;
    int const rounds = argc > 3 ? atoi(argv[3]) : 4;
    random_state = argc > 2 ? strtoull(argv[2], NULL, 10) * 2 + 1 : 1;
    tsr_gpu_result r = tsr_gpu_find_driver(&gpu, NULL);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_count(&gpu, &count);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_find_compiler(&gpu, NULL);
    if (!tsr_gpu_ok(r))
        return skip(r);
    char const *const folder = argc > 1 ? argv[1] : mkdtemp(made);
    show_devices(&gpu, count);
    if (!folder || !good(tsr_gpu_open(&gpu, 0, &device), "open"))
        return 2;
    tsr_gpu_cache cache = {.folder = folder};
    test_memory(&device);
    for (int i = 0; i < rounds; ++i)
        test_layouts(&device, &cache, folder);
    check(tsr_gpu_ok(cache.stored), "the cache is written");
    tsr_gpu_cache_free(&cache);
    test_launches(&device);
    (void)tsr_gpu_close(&device); /* of a context that has failed */
    tsr_gpu_forget(&gpu);
    printf("%d passed, %d failed; the cache is in %s\n", passed, failed, folder);
    return failed != 0;
}
