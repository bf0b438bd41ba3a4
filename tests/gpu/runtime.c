/** The run-time library without a GPU: every call of the driver and of NVRTC fails once, and every limit of a launch
 *  and of a copy is passed.
 *
 *  usage: gpu_runtime FAKE EMPTY FOLDER. FAKE is the library of fake.c, EMPTY one without functions, FOLDER one that
 *  exists and may be written to. Every status of gpu/driver.h must have been seen in the end. */
#define _POSIX_C_SOURCE 200809L

#include "uses.h"
#include "../sanitizer.h"
#include "gpu/copy_plan.h"

#include <limits.h>
#include <sys/resource.h>

/* Loading */

static void test_absent(char const *empty)
{
    tsr_gpu gpu = {0};
    tsr_gpu_device device = {0};
    tsr_gpu_binary binary;
    tsr_gpu_source const source = {.text = ""};
    int count = 1;
    device.gpu = &gpu;
    expect(tsr_gpu_find_driver(&gpu, "/nowhere/libcuda.so"), TSR_GPU_NO_DRIVER,
           "/nowhere/libcuda.so cannot be loaded");
    expect(tsr_gpu_find_compiler(&gpu, "/nowhere/libnvrtc.so"), TSR_GPU_NO_COMPILER, "no NVRTC");
    expect(tsr_gpu_count(&gpu, &count), TSR_GPU_NO_DRIVER, "libcuda.so.1 cannot be loaded");
    check(count == 0, "no driver has no devices");
    expect(tsr_gpu_wait(&device), TSR_GPU_NO_DRIVER, "no CUDA driver");
    device.gpu = NULL;
    expect(tsr_gpu_wait(&device), TSR_GPU_NOT_THERE, "there is no device: it was refused, given back, or never made");
    expect(tsr_gpu_compile(&gpu, "sm_90", &source, NULL, &binary), TSR_GPU_NO_COMPILER, "libnvrtc.so cannot be");
    expect(tsr_gpu_find_driver(&gpu, empty), TSR_GPU_NO_FUNCTION, "has no cuInit; CUDA 12.0");
    expect(tsr_gpu_find_compiler(&gpu, empty), TSR_GPU_NO_FUNCTION, "has no nvrtcVersion");
    expect(tsr_gpu_open(&gpu, 0, &device), TSR_GPU_NO_DRIVER, "no CUDA driver");
    tsr_gpu_forget(&gpu);
}

/* Every call */

static tsr_gpu_result use_all(tsr_gpu *gpu, char const *path)
{
    tsr_gpu_device d = {0};
    tsr_gpu_result r = tsr_gpu_find_driver(gpu, path);
    STEP(tsr_gpu_find_compiler(gpu, path));
    STEP(tsr_gpu_open(gpu, 1, &d));
    STEP(use_streams(&d));
    STEP(use_kernel(&d));
    END(tsr_gpu_close(&d));
    return r;
}

/** What fails is named, with its code, and nothing stays behind. */
static void test_failing(char const *path, char const *call, char const *symbol, int code)
{
    tsr_gpu gpu = {0};
    char words[128];
    reset();
    fake->failing = symbol;
    fake->code = code;
    tsr_gpu_result const r = use_all(&gpu, path);
    bool const compile = strcmp(call, "nvrtcCompileProgram") == 0;
    bool const named = code == 2 && call[0] == 'c';
    snprintf(words, sizeof words, "%s fails with%s", call, named ? " CUDA_ERROR_OUT_OF_MEMORY (2)" : "");
    if (compile)
        expect(r, TSR_GPU_COMPILE, "does not compile");
    else
        expect(r, TSR_GPU_CALL, words);
    check(r.code == code, call);
    check_books(call);
    tsr_gpu_forget(&gpu);
}

static void test_every_call(char const *path)
{
    static char const *const silent[] = {"cuGetErrorName",         "cuGetErrorString",       "nvrtcGetErrorString",
                                         "nvrtcDestroyProgram",    "nvrtcGetProgramLogSize", "nvrtcGetProgramLog",
                                         "cuTensorMapEncodeTiled", "cuTensorMapEncodeIm2col"};
    static struct {
        char const *call, *symbol;
    } const rows[] = {
#define X(result, name, symbol, parameters) {#name, symbol},
        TSR_GPU_DRIVER_LIST(X) TSR_GPU_COMPILER_LIST(X)
#undef X
    };
    tsr_gpu gpu = {0};
    reset();
    expect(use_all(&gpu, path), TSR_GPU_OK, "ok");
    check_books("after all calls");
    tsr_gpu_forget(&gpu);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        bool skip = false;
        for (size_t k = 0; k < sizeof silent / sizeof *silent; ++k)
            skip = skip || strcmp(rows[i].call, silent[k]) == 0;
        for (int way = 0; way < 2 && !skip; ++way)
            test_failing(path, rows[i].call, rows[i].symbol, way ? 999 : 2);
    }
}

/* Limits */

static void test_memory_limits(tsr_gpu_device const *d)
{
    tsr_gpu_memory m;
    char byte = 0;
    expect(tsr_gpu_alloc(d, 0, &m), TSR_GPU_EMPTY, "0 bytes");
    fake->no_handle = fake->handles + 1;
    expect(tsr_gpu_alloc(d, 16, &m), TSR_GPU_REPORTED, "cuMemAlloc reports 0 for the address; it must be 1 to");
    tsr_gpu_stream stream;
    fake->no_handle = fake->handles + 1;
    expect(tsr_gpu_stream_make(d, &stream), TSR_GPU_NOTHING, "cuStreamCreate succeeds but gives no handle");
    expect(tsr_gpu_free(&m), TSR_GPU_OK, "ok");
    expect(tsr_gpu_alloc(d, SIZE_MAX / 2, &m), TSR_GPU_CALL,
           "cuMemAlloc fails with CUDA_ERROR_OUT_OF_MEMORY (2): out of");
    expect(tsr_gpu_alloc(d, 16, &m), TSR_GPU_OK, "ok");
    expect(tsr_gpu_write(&m, 12, &byte, 5, NULL), TSR_GPU_OUTSIDE, "5 bytes from byte 12 on are not inside the 16");
    expect(tsr_gpu_read(&m, SIZE_MAX, &byte, 2, NULL), TSR_GPU_OUTSIDE, "2 bytes from byte 9223372036854775807 on");
    expect(tsr_gpu_fill(&m, 17, 0, 0, NULL), TSR_GPU_OUTSIDE, "0 bytes from byte 17 on");
    expect(tsr_gpu_fill(&m, 16, 0, 0, NULL), TSR_GPU_OK, "ok");
    expect(tsr_gpu_move(&m, 8, &m, 12, 5, NULL), TSR_GPU_OUTSIDE, "5 bytes from byte 12 on are not inside the 16");
    expect(tsr_gpu_move(&m, 12, &m, 4, 5, NULL), TSR_GPU_OUTSIDE, "5 bytes from byte 12 on are not inside the 16");
    expect(tsr_gpu_move(&m, 8, &m, 4, 5, NULL), TSR_GPU_OVERLAP,
           "5 bytes from byte 4 on and from byte 8 on of one memory");
    expect(tsr_gpu_move(&m, 8, &m, 0, 8, NULL), TSR_GPU_OK, "ok");
    expect(tsr_gpu_move_rows(d, m.address, 4, m.address + 8, 8, 5, 1, NULL), TSR_GPU_OVERLAP,
           "5 bytes from byte 0 on and from byte 4 on");
    expect(tsr_gpu_free(&m), TSR_GPU_OK, "ok");
}

/** Memory and streams of somebody else: used as ours, and not given back. */
static void test_adopted(tsr_gpu_device const *d)
{
    tsr_gpu_memory m, other;
    tsr_gpu_stream stream, theirs;
    char byte = 0;
    expect(tsr_gpu_adopt(d, 0, 16, &other), TSR_GPU_NOT_THERE, "there is no memory");
    expect(tsr_gpu_adopt(d, 4096, 0, &other), TSR_GPU_EMPTY, "0 bytes");
    expect(tsr_gpu_adopt(d, 4096, SIZE_MAX, &other), TSR_GPU_OUTSIDE, "bytes from byte 4096 on");
    expect(tsr_gpu_alloc(d, 64, &m), TSR_GPU_OK, "ok");
    expect(tsr_gpu_stream_make(d, &theirs), TSR_GPU_OK, "ok");
    expect(tsr_gpu_adopt(d, m.address + 16, 32, &other), TSR_GPU_OK, "ok");
    expect(tsr_gpu_stream_adopt(d, theirs.handle, &stream), TSR_GPU_OK, "ok");
    check(stream.handle == theirs.handle && other.address == m.address + 16, "the same handle and address");
    expect(tsr_gpu_write(&other, 31, &byte, 1, &stream), TSR_GPU_OK, "ok");
    expect(tsr_gpu_write(&other, 31, &byte, 2, &stream), TSR_GPU_OUTSIDE,
           "2 bytes from byte 31 on are not inside the 32");
    expect(tsr_gpu_free(&other), TSR_GPU_OK, "ok");
    check(other.address == 0, "it is forgotten");
    expect(tsr_gpu_write(&m, 0, &byte, 1, NULL), TSR_GPU_OK, "ok");
    expect(tsr_gpu_stream_adopt(d, NULL, &stream), TSR_GPU_OK, "ok");
    check(stream.handle != NULL, "the default stream has a handle");
    expect(tsr_gpu_stream_free(&theirs), TSR_GPU_OK, "ok");
    expect(tsr_gpu_free(&m), TSR_GPU_OK, "ok");
}

static void test_launch_limits(tsr_gpu const *gpu)
{
    tsr_gpu_device d, old;
    tsr_gpu_module module = {0};
    tsr_gpu_kernel k, fixed, before;
    uint64_t address = 0;
    short n[2] = {42}; /* the driver of the tests reads an int */
    int number = 0;
    tsr_gpu_argument const good[] = {TSR_GPU_ARGUMENT(address), TSR_GPU_ARGUMENT(number)};
    tsr_gpu_argument const bad[] = {TSR_GPU_ARGUMENT(address), TSR_GPU_ARGUMENT(n[0])};
    static struct {
        tsr_gpu_launch launch;
        tsr_gpu_status status;
        char const *words;
    } const tries[] = {
        {{.grid = {1, 65536}}, TSR_GPU_GRID, "65536 blocks in dimension 1, this device takes 1 to 65535"},
        {{.grid = {4294967295u}}, TSR_GPU_GRID, "4294967295 blocks in dimension 0"},
        {{.block = {1, 1, 65}}, TSR_GPU_BLOCK, "65 threads in dimension 2, this device takes 1 to 64"},
        {{.block = {64, 32}}, TSR_GPU_THREADS, "2048 threads, this device takes 1024"},
        {{.block = {1024}}, TSR_GPU_REGISTERS, "1024 threads of 128 registers, of this kernel the device takes 512"},
        {{.shared = 231425}, TSR_GPU_SHARED, "231425 bytes of shared memory are asked for beside the kernel's"},
        {{.shared = 4294967295u}, TSR_GPU_SHARED, "232448 in all"},
        {{.shared = 231424}, TSR_GPU_OK, "ok"},
        {{.grid = {32}, .cluster = {32}}, TSR_GPU_CLUSTER, "32 blocks, at most 16"},
        {{.cluster = {4294967295u, 4294967295u, 2}}, TSR_GPU_CLUSTER, "blocks, at most 16"},
        {{.grid = {6}, .cluster = {4}}, TSR_GPU_CLUSTER_GRID, "6 blocks in dimension 0, which is not a multiple of"},
        {{.grid = {8}, .cluster = {4}}, TSR_GPU_OK, "ok"},
        {{.grid = {0}}, TSR_GPU_OK, "ok"},
    };
    tsr_gpu_launch const plain = {.grid = {4}}, cluster = {.grid = {4}, .cluster = {2, 1, 1}};
    reset();
    tsr_gpu_device alien = {.gpu = gpu, .context = &alien, .handle = 10, .ordinal = 1};
    tsr_gpu_device const near = {.gpu = gpu, .context = &d, .handle = 10};
    expect(tsr_gpu_reach(&near, &alien), TSR_GPU_NO_PEER, "device 0 cannot use the memory of device 1");
    alien.context = NULL;
    expect(tsr_gpu_reach(&near, &alien), TSR_GPU_NOT_THERE, "there is no open device");
    expect(tsr_gpu_open(gpu, 2, &d), TSR_GPU_NO_DEVICE, "no device 2, the driver has 2");
    expect(tsr_gpu_open(gpu, -1, &d), TSR_GPU_NO_DEVICE, "no device -1");
    expect(tsr_gpu_open(gpu, 0, &d), TSR_GPU_OK, "ok");
    check(strcmp(d.arch, "sm_90a") == 0 && strcmp(d.name, "fake 10") == 0 && d.processors == 4, "a description");
    expect(tsr_gpu_module_load(&d, "code", &module), TSR_GPU_OK, "ok");
    expect(tsr_gpu_module_kernel(&module, "none", &k), TSR_GPU_CALL, "cuModuleGetFunction fails");
    expect(tsr_gpu_module_kernel(&module, "kernel", &k), TSR_GPU_OK, "ok");
    for (size_t i = 0; i < sizeof tries / sizeof *tries; ++i) {
        expect(tsr_gpu_check(&k, &tries[i].launch, good, 2), tries[i].status, tries[i].words);
        expect(tsr_gpu_run(&k, &tries[i].launch, good, 2), tries[i].status, tries[i].words);
    }
    check(fake->launches == 3, "what is refused is not launched");
    expect(tsr_gpu_run(&k, &plain, good, 1), TSR_GPU_ARGUMENT_COUNT, "1 arguments are given, the kernel takes 2");
    expect(tsr_gpu_run(&k, &plain, good, -1), TSR_GPU_ARGUMENT_COUNT, "-1 arguments");
    expect(tsr_gpu_run(&k, &plain, bad, 2), TSR_GPU_ARGUMENT_BYTES, "argument 1 has 2 bytes, the kernel takes 4");
    fake->clusters = 0;
    expect(tsr_gpu_run(&k, &cluster, good, 2), TSR_GPU_CLUSTER_FIT, "no cluster of 2 blocks with 1 threads and 1024");
    fake->clusters = 1;
    fake->attribute = 11;
    fake->value = 4;
    expect(tsr_gpu_module_kernel(&module, "kernel", &fixed), TSR_GPU_OK, "ok");
    expect(tsr_gpu_run(&fixed, &cluster, good, 2), TSR_GPU_CLUSTER_FIXED,
           "2 blocks in dimension 0, the kernel was compiled for 4");
    expect(tsr_gpu_run(&fixed, &plain, good, 2), TSR_GPU_OK, "ok");
    check(fake->cluster[0] == 4, "the cluster that a kernel was compiled for is what it gets");
    expect(tsr_gpu_module_free(&module), TSR_GPU_OK, "ok");
    test_memory_limits(&d);
    test_adopted(&d);
    /* A device before clusters, and a driver that knows no parameters. */
    tsr_gpu older = *gpu;
    older.cuFuncGetParamInfo = NULL;
    fake->attribute = -1;
    fake->major = 8;
    fake->minor = 6;
    expect(tsr_gpu_open(&older, 0, &old), TSR_GPU_OK, "ok");
    check(strcmp(old.arch, "sm_86") == 0, "the name of an architecture without an a");
    expect(tsr_gpu_module_load(&old, "code", &module), TSR_GPU_OK, "ok");
    expect(tsr_gpu_module_kernel(&module, "kernel", &before), TSR_GPU_OK, "ok");
    expect(tsr_gpu_run(&before, &cluster, good, 2), TSR_GPU_NO_CLUSTERS,
           "2 blocks, a device of compute capability 8.6");
    expect(tsr_gpu_run(&before, &plain, bad, 2), TSR_GPU_OK, "ok");
    expect(tsr_gpu_run(&before, &plain, good, 65), TSR_GPU_ARGUMENT_COUNT,
           "65 arguments are given, the kernel takes 64");
    expect(tsr_gpu_module_free(&module), TSR_GPU_OK, "ok");
    expect(tsr_gpu_close(&old), TSR_GPU_OK, "ok");
    expect(tsr_gpu_close(&d), TSR_GPU_OK, "ok");
    expect(tsr_gpu_close(&d), TSR_GPU_OK, "ok");
    check_books("after the limits");
}

/** The rules come before the driver. */
static void test_tensor_maps(tsr_gpu const *gpu)
{
    static tsr_tma_map map;
    tsr_gpu_device d;
    tsr_tma_desc const good = tsr_tma_tiled(TSR_F16, tsr_t(64, 8), tsr_t(128), tsr_t(64, 8), tsr_t(1, 1), tsr_unit());
    tsr_tma_desc const bad = tsr_tma_tiled(TSR_F16, tsr_t(64, 8), tsr_t(120), tsr_t(64, 8), tsr_t(1, 1), tsr_unit());
    reset();
    expect(tsr_gpu_open(gpu, 0, &d), TSR_GPU_OK, "ok");
    check(tsr_gpu_tma_encode(&d, &good, 4096, &map).status == TSR_OK && map.word[15] >> 56 == 1, "a good map");
    fake->failing = "cuTensorMapEncodeTiled";
    fake->code = 1;
    tsr_reason const refused = tsr_gpu_tma_encode(&d, &good, 4096, &map);
    check(refused.status == TSR_TMA_ENCODE && refused.number[0] == 1, "a map that the driver refuses");
    check(tsr_gpu_tma_encode(&d, &bad, 4096, &map).status == TSR_TMA_STRIDE, "a bad stride");
    fake->failing = "cuCtxPushCurrent_v2";
    check(tsr_gpu_tma_encode(&d, &good, 4096, &map).status == TSR_TMA_DRIVER, "no context");
    fake->failing = NULL;
    expect(tsr_gpu_close(&d), TSR_GPU_OK, "ok");
    check_books("after the maps");
}

/** What no product is; tests/gpu/gemm.c has those that are. */
static void test_products(tsr_gpu const *gpu)
{
    tsr_gpu_device d;
    tsr_gpu_cache cache = {0};
    tsr_gpu_planned_gemm *plan;
    tsr_tensor const a = tsr_make_tensor(tsr_gmem_ptr(tsr_int(1 << 20), TSR_F16), tsr_make_layout(tsr_t(8, 8)));
    tsr_tensor const c = tsr_make_tensor(tsr_gmem_ptr(tsr_int(2 << 20), TSR_F16), tsr_make_layout(tsr_t(8, 8)));
    tsr_tensor const bytes = tsr_make_tensor(tsr_gmem_ptr(tsr_int(2 << 20), TSR_I8), tsr_make_layout(tsr_t(8, 8)));
    tsr_tensor const scaled = tsr_make_tensor(tsr_scale_iter(a.engine, 2), tsr_make_layout(tsr_t(8, 8)));
    reset();
    expect(tsr_gpu_open(gpu, 0, &d), TSR_GPU_OK, "ok");
    expect(tsr_gpu_gemm_plan(&cache, &d, a, a, a, NULL, NULL, &plan), TSR_GPU_PRODUCT, "there is no such product");
    expect(tsr_gpu_gemm_plan(&cache, &d, a, a, bytes, NULL, NULL, &plan), TSR_GPU_PRODUCT_TYPES,
           "types 528 and 528 to 8");
    expect(tsr_gpu_gemm_plan(&cache, &d, a, scaled, c, NULL, NULL, &plan), TSR_GPU_PRODUCT_LOOPS, "in common loops");
    expect(tsr_gpu_gemm_plan_groups(&cache, &d, 0, &a, &a, NULL, NULL, &c, NULL, NULL, &plan), TSR_GPU_NO_PRODUCTS,
           "a group has one product or more, not 0");
    /* On a machine that has the memory for so many, the list of one product would be read beyond its end. The sanitizer
     * of addresses refuses so much by itself. */
    struct rlimit before, none;
    bool const limits = !HAS_SANITIZER && getrlimit(RLIMIT_AS, &before) == 0;
    if (limits) {
        none = before;
        none.rlim_cur = (rlim_t)1 << 28;
    }
    if (!limits || setrlimit(RLIMIT_AS, &none) == 0)
        expect(tsr_gpu_gemm_plan_groups(&cache, &d, INT_MAX, &a, &a, NULL, NULL, &c, NULL, NULL, &plan),
               TSR_GPU_OUT_OF_MEMORY, "no memory for");
    if (limits)
        (void)setrlimit(RLIMIT_AS, &before);
    expect(tsr_gpu_close(&d), TSR_GPU_OK, "ok");
    check_books("after the products");
}

/* Compilation */

static void test_compile(tsr_gpu const *gpu)
{
    tsr_gpu_cache cache = {.folder = "/nowhere/at/all"};
    tsr_gpu_binary const *kept = NULL;
    tsr_gpu_constant c;
    tsr_gpu_source source = source_of("#error", &c);
    tsr_gpu_binary binary;
    char text[20], more[256];
    tsr_gpu_log const small = {text, sizeof text}, log = {more, sizeof more};
    reset();
    expect(tsr_gpu_compile(gpu, "sm_90", &source, &log, &binary), TSR_GPU_COMPILE, "NVRTC_ERROR_COMPILATION");
    check(strcmp(more, "kernel.cu(1): error: #error") == 0, "the log of the compiler");
    expect(tsr_gpu_compile(gpu, "sm_90", &source, &small, &binary), TSR_GPU_COMPILE, "log");
    check(strcmp(text, "kernel.cu(1): error") == 0, "a log is cut where the buffer ends");
    source.text = "good";
    expect(tsr_gpu_compile(gpu, "sm_90", &source, &log, &binary), TSR_GPU_OK, "ok");
    check(more[0] == 0, "a log is emptied");
    check(strcmp(tsr_gpu_binary_name(&binary, 0), "_Zscale<tile>") == 0 && !tsr_gpu_binary_name(&binary, 1)
              && !tsr_gpu_binary_name(&binary, -1),
          "the lowered names");
    check(strstr(fake->text, "/* (4,_8):(8,_1) */\nstatic constexpr tsr_layout tile = {{0,2,0,0,0,{{4,0,0,1,0,0},"),
          "a layout is written as source");
    tsr_gpu_binary_free(&binary);
    expect(tsr_gpu_cache_compile(&cache, gpu, "sm_90", &source, NULL, &kept), TSR_GPU_OK, "ok");
    expect(cache.stored, TSR_GPU_FILE, "open of a file of the cache fails");
    check(kept && cache.misses == 1, "the code is there");
    tsr_gpu_cache_free(&cache);
    setenv("TESSERA_CACHE", "/dev/null/kernels", 1);
    expect(tsr_gpu_cache_compile(&cache, gpu, "sm_90", &source, NULL, &kept), TSR_GPU_OK, "ok");
    expect(cache.stored, TSR_GPU_FOLDER, "not kept in the user's folder: it cannot be made");
    setenv("TESSERA_CACHE", "off", 1);
    tsr_gpu_cache_free(&cache);
    c.name = "4tile";
    expect(tsr_gpu_compile(gpu, "sm_90", &source, NULL, &binary), TSR_GPU_NAME, "layout 0 is not an identifier");
    c.name = "a b";
    expect(tsr_gpu_compile(gpu, "sm_90", &source, NULL, &binary), TSR_GPU_NAME, "layout 0");
    c.name = "tile";
    c.layout = tsr_make_layout(tsr_t(4, 0));
    expect(tsr_gpu_compile(gpu, "sm_90", &source, &log, &binary), TSR_GPU_LAYOUT, "layout 0 is invalid");
    check(strstr(more, "extent 0 of mode 1"), "the reason of an invalid layout");
    source.constant_count = 0;
    source.option_count = 1000;
    expect(tsr_gpu_compile(gpu, "sm_90", &source, NULL, &binary), TSR_GPU_OPTIONS,
           "1000 options are given, at most 62");
    source.option_count = 0;
    fake->cubin = SIZE_MAX / 2;
    expect(tsr_gpu_compile(gpu, "sm_90", &source, NULL, &binary), TSR_GPU_REPORTED,
           "nvrtcGetCUBINSize reports 9223372036854775807 for bytes of code");
    check_books("after compiling");
}

/* Copies */

static tsr_number plus_one(tsr_number x, void const *context)
{
    (void)context;
    return tsr_number_add(x, tsr_number_int(1));
}

static void test_refused_copies(tsr_gpu_cache *cache, tsr_gpu_device const *d, tsr_gpu_memory const *m)
{
    tsr_layout const rows = tsr_parse("(8,8):(8,1)"), columns = tsr_parse("(8,8):(1,8)");
    tsr_tensor const s = tsr_gpu_tensor_at(m, 0, TSR_F32, rows), q = tsr_gpu_tensor_at(m, 0, TSR_U4, rows);
    tsr_tensor const to = tsr_gpu_tensor_at(m, 2048, TSR_F32, columns);
    tsr_tensor const p = tsr_gpu_tensor_at(m, 2048, TSR_U4, tsr_parse("(8,8):(1,9)"));
    char words[256];
    tsr_gpu_log const log = {words, sizeof words};
    tsr_tensor computed = s;
    computed.engine.map.kind = TSR_FUNCTION;
    computed.engine.map.function = plus_one;
    expect(tsr_gpu_copy(cache, d, s, tsr_gpu_tensor_at(m, 2048, TSR_F32, tsr_parse("(9,8):(1,9)")), NULL, &log),
           TSR_GPU_TENSORS, "cannot be copied");
    check(strstr(words, "64") && strstr(words, "72"), words);
    expect(tsr_gpu_copy(cache, d, s, tsr_gpu_tensor_at(m, 128, TSR_F32, columns), NULL, &log), TSR_GPU_TENSORS,
           "cannot be copied");
    expect(tsr_gpu_copy(cache, d, s, tsr_gpu_tensor_at(m, 4000, TSR_F32, columns), NULL, &log), TSR_GPU_TENSORS,
           "cannot be copied");
    expect(tsr_gpu_copy(cache, d, q, p, NULL, &log), TSR_GPU_BITS, "elements of 4 bits begin inside of bytes");
    expect(tsr_gpu_copy(cache, d, tsr_gpu_tensor_at(m, 2, TSR_F32, rows),
                        tsr_gpu_tensor_at(m, 2048, TSR_F16, columns), NULL, NULL),
           TSR_GPU_ALIGNED, "not a multiple of their 4 bytes");
    expect(tsr_gpu_copy(cache, d, computed, to, NULL, NULL), TSR_GPU_COMPUTED, "computed when it is read");
}

static void test_copies(tsr_gpu const *gpu)
{
    tsr_gpu_device d, closed = {0};
    tsr_gpu_cache cache = {0};
    tsr_gpu_memory m;
    tsr_gpu_planned_copy *plan = NULL;
    int out[64], in[64];
    reset();
    fake->parameter[0] = sizeof(tsr_relayout);
    fake->parameter[1] = fake->parameter[2] = 8;
    fake->attribute = 1; /* no static shared memory */
    for (int i = 0; i < 64; ++i)
        out[i] = i;
    expect(tsr_gpu_open(gpu, 0, &d), TSR_GPU_OK, "ok");
    expect(tsr_gpu_alloc(&d, 4096, &m), TSR_GPU_OK, "ok");
    expect(tsr_gpu_write(&m, 0, out, sizeof out, NULL), TSR_GPU_OK, "ok");
    tsr_tensor const s = tsr_gpu_tensor_at(&m, 0, TSR_I32, tsr_parse("(8,8):(1,8)"));
    tsr_tensor const run = tsr_gpu_tensor_at(&m, 1024, TSR_I32, tsr_parse("64:1"));
    tsr_tensor const tiles = tsr_gpu_tensor_at(&m, 1024, TSR_I32, tsr_parse("(8,8):(8,1)"));
    expect(tsr_gpu_copy(&cache, &d, s, run, NULL, NULL), TSR_GPU_OK, "ok");
    expect(tsr_gpu_read(&m, 1024, in, sizeof in, NULL), TSR_GPU_OK, "ok");
    check(memcmp(in, out, sizeof in) == 0 && fake->launches == 0, "a run is copied by the driver");
    for (int i = 0; i < 3; ++i)
        expect(tsr_gpu_copy(&cache, &d, s, tiles, NULL, NULL), TSR_GPU_OK, "ok");
    check(fake->launches == 3 && fake->compilations == 1 && fake->block[0] == TSR_RELAYOUT_THREADS,
          "a kernel for a form");
    expect(tsr_gpu_axpby(&cache, &d, tsr_number_int(2), s, tsr_number_int(1), tiles, NULL, NULL), TSR_GPU_OK, "ok");
    check(fake->compilations == 2, "another form");
    expect(tsr_gpu_copy_run(plan, 0, 0, NULL), TSR_GPU_NOT_THERE, "there is no plan");
    tsr_number const half = tsr_number_real(0.5), whole = tsr_number_int(3), none = tsr_number_int(0);
    expect(tsr_gpu_copy_run_with(plan, half, 0, none, 0, NULL), TSR_GPU_NOT_THERE, "there is no plan");
    expect(tsr_gpu_copy_plan(&cache, &d, &half, s, &half, tiles, NULL, &plan), TSR_GPU_OK, "ok");
    expect(tsr_gpu_copy_run_with(plan, half, m.address, half, m.address + 1024, NULL), TSR_GPU_OK, "ok");
    expect(tsr_gpu_copy_run_with(plan, whole, m.address, half, m.address + 1024, NULL), TSR_GPU_OK, "ok");
    expect(tsr_gpu_copy_run_with(plan, whole, m.address, none, m.address + 1024, NULL), TSR_GPU_NUMBERS,
           "0 and 1 differ from others");
    tsr_gpu_copy_free(&plan);
    expect(tsr_gpu_copy_plan(&cache, &d, NULL, s, NULL, tiles, NULL, &plan), TSR_GPU_OK, "ok");
    expect(tsr_gpu_copy_run(plan, m.address + 2048, m.address + 3072, NULL), TSR_GPU_OK, "ok");
    expect(tsr_gpu_copy_run(plan, m.address + 2044, m.address + 3072, NULL), TSR_GPU_MOVED,
           "is not a multiple of 16 bytes");
    expect(tsr_gpu_copy_run_with(plan, tsr_number_int(2), m.address, tsr_number_int(0), m.address + 1024, NULL),
           TSR_GPU_NUMBERS, "made for other numbers");
    check(tsr_gpu_copy_kernel(plan) && tsr_gpu_copy_kernel(plan)->handle, "a plan has its kernel");
    tsr_gpu_copy_free(&plan);
    check(!plan && !tsr_gpu_copy_kernel(plan), "what was given back has none");
    expect(tsr_gpu_copy_plan(NULL, NULL, NULL, s, NULL, tiles, NULL, &plan), TSR_GPU_OK, "ok");
    expect(tsr_gpu_copy_run(plan, m.address, m.address + 1024, NULL), TSR_GPU_NOT_THERE, "there is no plan");
    tsr_gpu_copy_free(&plan);
    expect(tsr_gpu_copy_plan(NULL, &d, NULL, s, NULL, tiles, NULL, &plan), TSR_GPU_NOT_THERE, "there is no cache");
    expect(tsr_gpu_copy_plan(&cache, &d, NULL, s, NULL, s, NULL, &plan), TSR_GPU_TENSORS, "cannot be copied");
    check(!plan, "what is refused leaves no plan");
    expect(tsr_gpu_copy(&cache, &closed, s, run, NULL, NULL), TSR_GPU_NOT_THERE, "there is no device");
    test_refused_copies(&cache, &d, &m);
    check(fake->launches == 7, "what is refused is not launched");
    tsr_gpu_cache_free(&cache);
    expect(tsr_gpu_free(&m), TSR_GPU_OK, "ok");
    expect(tsr_gpu_close(&d), TSR_GPU_OK, "ok");
    check_books("after the copies");
}

int main(int argc, char **argv)
{
    tsr_gpu gpu = {0};
    void *library = NULL;
    if (argc != 4 || !load_fake(argv[1], &library))
        return 2;
    test_absent(argv[2]);
    test_every_call(argv[1]);
    reset();
    find_fake(&gpu, argv[1]);
    test_launch_limits(&gpu);
    test_tensor_maps(&gpu);
    test_products(&gpu);
    test_compile(&gpu);
    test_copies(&gpu);
    check(!tsr_gpu_sentence(-1) && !tsr_gpu_sentence(TSR_GPU_STATUSES), "no sentence for what is no status");
    for (int i = 0; i < TSR_GPU_STATUSES; ++i)
        check(seen[i], tsr_gpu_sentence(i));
    return unload_fake(&gpu, library);
}
