/** A driver and an NVRTC at their worst: every call fails once, every number that they report is wrong once, every
 *  handle is NULL once; and every allocation of the host fails once, where the program is linked so that its
 *  allocations come here (-Wl,--wrap).
 *
 *  usage: gpu_faults FAKE EMPTY FOLDER, as of gpu_runtime.
 *  Law     whatever is spoiled, the call ends with a sentence, nothing stays behind, and the same call works then. */
#include "uses.h"
#include "gpu/copy_plan.h"
#include "gpu/combine.h"
#include "gpu/reduce.h"

#include <limits.h>

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);

static long until = -1; /* allocations until one fails; negative: none does */

#ifdef TESTS_WRAP
static bool fails(void) { return until >= 0 && until-- == 0; }

void *__wrap_malloc(size_t n) { return fails() ? NULL : __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t size) { return fails() ? NULL : __real_calloc(n, size); }
void *__wrap_realloc(void *p, size_t n) { return fails() ? NULL : __real_realloc(p, n); }
#endif

static char words[4096];
static tsr_gpu_log const to_words = {words, sizeof words};
static char const *folder;

/** What a use works with. A use begins without anything of its own, but for what the cache has. */
typedef struct world {
    tsr_gpu gpu;
    tsr_gpu_device device;
    tsr_gpu_cache cache;
} world;

/* Uses */

static tsr_gpu_result use_nothing(world *w) { return tsr_gpu_wait(&w->device); }
static tsr_gpu_result use_handles(world *w) { return use_streams(&w->device); }
static tsr_gpu_result use_launches(world *w) { return use_kernel(&w->device); }

static tsr_gpu_result use_binaries(world *w)
{
    tsr_gpu_constant constant;
    tsr_gpu_source const source = source_of("good", &constant);
    tsr_gpu_binary binary = {0};
    tsr_gpu_binary const *kept = NULL;
    w->cache.folder = folder;
    tsr_gpu_result r = tsr_gpu_compile(&w->gpu, "sm_90", &source, &to_words, &binary);
    tsr_gpu_binary_free(&binary);
    STEP(tsr_gpu_cache_compile(&w->cache, &w->gpu, "sm_90", &source, &to_words, &kept));
    check(tsr_gpu_ok(r) == (kept != NULL), "code, or a reason");
    return r;
}

/** One by the driver, and two by kernels. */
static tsr_gpu_result use_copies(world *w)
{
    tsr_gpu_memory m = {0};
    tsr_gpu_planned_copy *plan = NULL;
    fake->parameter[0] = sizeof(tsr_relayout);
    fake->parameter[1] = fake->parameter[2] = 8;
    fake->attribute = 1; /* no static shared memory */
    tsr_gpu_result r = tsr_gpu_alloc(&w->device, 4096, &m);
    tsr_tensor const s = tsr_gpu_tensor_at(&m, 0, TSR_I32, tsr_parse("(8,8):(1,8)")),
                     run = tsr_gpu_tensor_at(&m, 1024, TSR_I32, tsr_parse("64:1")),
                     tiles = tsr_gpu_tensor_at(&m, 1024, TSR_I32, tsr_parse("(8,8):(8,1)"));
    STEP(tsr_gpu_copy(&w->cache, &w->device, s, run, NULL, &to_words));
    STEP(tsr_gpu_axpby(&w->cache, &w->device, tsr_number_int(2), s, tsr_number_int(1), tiles, NULL, &to_words));
    STEP(tsr_gpu_copy_plan(&w->cache, &w->device, NULL, s, NULL, tiles, &to_words, &plan));
    STEP(tsr_gpu_copy_run(plan, m.address, m.address + 1024, NULL));
    tsr_gpu_copy_free(&plan);
    END(tsr_gpu_free(&m));
    return r;
}

static tsr_gpu_result use_maps(world *w)
{
    static tsr_tma_map map;
    tsr_tma_desc const d = tsr_tma_tiled(TSR_F16, tsr_t(64, 8), tsr_t(128), tsr_t(64, 8), tsr_t(1, 1), tsr_unit());
    tsr_reason const encoded = tsr_gpu_tma_encode(&w->device, &d, 4096, &map);
    tsr_gpu_result r = {0};
    r.status = encoded.status ? TSR_GPU_TENSORS : TSR_GPU_OK;
    r.call = r.name = r.text = "";
    return r;
}

/* Products */

static tsr_tensor tensor(int place, tsr_dtype type, tsr_layout layout)
{
    return tsr_make_tensor(tsr_gmem_ptr(tsr_int((int64_t)(place + 1) << 36), type), layout);
}
static tsr_layout by_rows(int64_t m, int64_t n, int64_t pitch)
{
    return tsr_make_layout(tsr_t(m, n), tsr_t(pitch, 1));
}

/** Kernels of products have other parameters than the fake's, and no shared memory of their own. */
static void expect_products(world *w)
{
    w->gpu.cuFuncGetParamInfo = NULL;
    fake->attribute = 1;
}

static tsr_gpu_result run_and_free(tsr_gpu_result r, tsr_gpu_planned_gemm **plan)
{
    STEP(tsr_gpu_gemm_run(*plan, NULL));
    END(tsr_gpu_gemm_free(plan));
    return r;
}

static tsr_gpu_result use_product(world *w, tsr_dtype type, int64_t m, int64_t n, int64_t k)
{
    tsr_gpu_planned_gemm *plan;
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    expect_products(w);
    tsr_gpu_result const r =
        tsr_gpu_gemm_plan(&w->cache, &w->device, tensor(0, type, by_rows(m, k, k)), tensor(1, type, by_rows(n, k, k)),
                          tensor(2, type, by_rows(m, n, n)), &plain, &to_words, &plan);
    return run_and_free(r, &plan);
}

static tsr_gpu_result use_tiles(world *w) { return use_product(w, TSR_F16, 512, 512, 512); }
static tsr_gpu_result use_parts_of_k(world *w) { return use_product(w, TSR_F16, 64, 64, 65536); }
static tsr_gpu_result use_loops(world *w) { return use_product(w, TSR_F32, 300, 400, 500); }
static tsr_gpu_result use_loops_in_parts(world *w) { return use_product(w, TSR_F64, 64, 64, 65536); }

/** A and C of pitches that TMA does not take: plain matrices, and copies before and behind. */
static tsr_gpu_result use_packed(world *w)
{
    enum { M = 256, N = 256, K = 512 };
    tsr_gpu_planned_gemm *plan = NULL;
    tsr_gpu_memory m = {0};
    expect_products(w);
    tsr_gpu_result r = tsr_gpu_alloc(&w->device, (size_t)4 << 20, &m);
    tsr_tensor const a = tsr_gpu_tensor_at(&m, 0, TSR_F16, by_rows(M, K, K + 1)),
                     b = tsr_gpu_tensor_at(&m, (size_t)1 << 20, TSR_F16, by_rows(N, K, K)),
                     c = tsr_gpu_tensor_at(&m, (size_t)2 << 20, TSR_F16, by_rows(M, N, N + 1));
    STEP(tsr_gpu_gemm_plan(&w->cache, &w->device, a, b, c, NULL, &to_words, &plan));
    r = run_and_free(r, &plan);
    END(tsr_gpu_free(&m));
    return r;
}

static tsr_gpu_result use_groups(world *w)
{
    tsr_gpu_planned_gemm *plan;
    tsr_tensor a[2], b[2], c[2];
    tsr_epilogue const e[2] = {tsr_make_epilogue(1, 0), tsr_make_epilogue(1, 0)};
    expect_products(w);
    for (int i = 0; i < 2; ++i) {
        int const m = 100 * (i + 1), n = 512, k = 256 << i;
        a[i] = tensor(3 * i, TSR_F16, by_rows(m, k, k));
        b[i] = tensor(3 * i + 1, TSR_F16, by_rows(n, k, k));
        c[i] = tensor(3 * i + 2, TSR_F16, by_rows(m, n, n));
    }
    return run_and_free(tsr_gpu_gemm_plan_groups(&w->cache, &w->device, 2, a, b, NULL, NULL, c, e, &to_words, &plan),
                        &plan);
}

static tsr_gpu_result use_rows(world *w)
{
    tsr_gpu_planned_gemm *plan;
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    tsr_layout const weights = tsr_make_layout(tsr_t(2, 256, 128), tsr_t(256 * 128, 128, 1));
    expect_products(w);
    return run_and_free(
        tsr_gpu_gemm_plan_rows(&w->cache, &w->device, tensor(0, TSR_BF16, by_rows(512, 128, 128)),
                               tensor(1, TSR_BF16, weights), NULL, NULL, tensor(2, TSR_BF16, by_rows(512, 256, 256)),
                               4096, &plain, &to_words, &plan),
        &plan);
}

static tsr_gpu_result use_scales(world *w)
{
    tsr_gpu_planned_gemm *plan;
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    tsr_layout const of_a = tsr_make_layout(tsr_t(512, tsr_t(128, 8)), tsr_t(1, tsr_t(0, 512))),
                     of_b = tsr_make_layout(tsr_t(tsr_t(128, 3), tsr_t(128, 8)), tsr_t(tsr_t(0, 8), tsr_t(0, 1)));
    expect_products(w);
    return run_and_free(
        tsr_gpu_gemm_plan_scaled(&w->cache, &w->device, tensor(0, TSR_F8_E4M3FN, by_rows(512, 1000, 1008)),
                                 tensor(1, TSR_F8_E4M3FN, by_rows(384, 1000, 1008)), tensor(3, TSR_F32, of_a),
                                 tensor(4, TSR_F32, of_b), tensor(2, TSR_BF16, by_rows(512, 384, 384)), &plain,
                                 &to_words, &plan),
        &plan);
}

static tsr_gpu_result use_tuned(world *w)
{
    tsr_gpu_planned_gemm *plan;
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    tsr_tensor const a = tensor(0, TSR_F16, by_rows(512, 256, 256)), b = tensor(1, TSR_F16, by_rows(512, 256, 256)),
                     c = tensor(2, TSR_F16, by_rows(512, 512, 512));
    expect_products(w);
    return run_and_free(
        tsr_gpu_gemm_tune(&w->cache, &w->device, "mk,nk->mn", a, b, c, &plain, 3, NULL, &to_words, &plan), &plan);
}

/** In parts, through memory of the plan. */
static tsr_gpu_result use_reductions(world *w)
{
    tsr_gpu_planned_reduce *plan = NULL;
    tsr_tensor const from = tensor(0, TSR_F32, tsr_parse("(4096,1024):(1024,1)")),
                     to = tensor(1, TSR_F32, tsr_parse("(4096,1024):(0,0)"));
    fake->parameter[0] = sizeof(tsr_reduction);
    fake->parameter[1] = fake->parameter[2] = fake->parameter[3] = 8;
    fake->attribute = 1; /* no static shared memory */
    tsr_gpu_result r = tsr_gpu_reduce_plan(&w->cache, &w->device, TSR_REDUCE_SUM, from, to, &to_words, &plan);
    check(!tsr_gpu_ok(r) || tsr_gpu_reduce_memory(plan) > 0, "parts are in memory of the plan");
    STEP(tsr_gpu_reduce_run(plan, from.engine.address + 32, to.engine.address, NULL));
    if (tsr_gpu_ok(r)) {
        tsr_gpu_result const moved = tsr_gpu_reduce_run(plan, from.engine.address + 4, to.engine.address, NULL);
        check(moved.status == TSR_GPU_MOVED, "another alignment");
    }
    END(tsr_gpu_reduce_free(&plan));
    return r;
}

/** Sums of two tensors, at other addresses, too. */
static tsr_gpu_result use_combinations(world *w)
{
    tsr_gpu_planned_combine *plan = NULL;
    tsr_number const one = tsr_number_int(1);
    tsr_layout const rows = by_rows(64, 64, 64), columns = tsr_parse("(64,64):(1,64)");
    tsr_tensor const x = tensor(0, TSR_F32, rows), y = tensor(1, TSR_F32, columns), z = tensor(2, TSR_F32, rows);
    fake->parameter[0] = sizeof(tsr_combination);
    fake->parameter[1] = fake->parameter[2] = fake->parameter[3] = 8;
    fake->attribute = 1;
    tsr_gpu_result r =
        tsr_gpu_combine_plan(&w->cache, &w->device, TSR_COMBINE_SUM, one, x, one, y, z, &to_words, &plan);
    uint64_t const at[3] = {x.engine.address, y.engine.address, z.engine.address};
    STEP(tsr_gpu_combine_run(plan, at[0] + 32, at[1], at[2], NULL));
    STEP(tsr_gpu_combine_run_with(plan, one, at[0] + 32, one, at[1], at[2], NULL));
    if (tsr_gpu_ok(r)) {
        tsr_number const two = tsr_number_int(2);
        check(tsr_gpu_combine_run_with(plan, two, at[0], one, at[1], at[2], NULL).status == TSR_GPU_NUMBERS,
              "other numbers");
        check(tsr_gpu_combine_run_with(NULL, one, at[0], one, at[1], at[2], NULL).status == TSR_GPU_NOT_THERE,
              "no plan");
        check(tsr_gpu_combine_run(plan, at[0], at[1], at[2] + 4, NULL).status == TSR_GPU_MOVED, "another alignment");
        check(tsr_gpu_combine_run(NULL, at[0], at[1], at[2], NULL).status == TSR_GPU_NOT_THERE, "no plan");
    }
    tsr_gpu_combine_free(&plan);
    fake->parameter[3] = 0;
    return r;
}

typedef struct use_row {
    char const *name;
    tsr_gpu_result (*use)(world *);
} use_row;

static use_row const uses[] = {
    /* clang-format off */
    {"a device", use_nothing},         {"handles", use_handles},   {"launches", use_launches},
    {"binaries", use_binaries},        {"copies", use_copies},     {"tensor maps", use_maps},
    {"tiles", use_tiles},              {"parts of K", use_parts_of_k}, {"loops", use_loops},
    {"loops in parts", use_loops_in_parts}, {"packed", use_packed}, {"groups", use_groups},
    {"rows", use_rows},                {"scales", use_scales}, {"reductions", use_reductions},
    {"tuned", use_tuned},              {"combinations", use_combinations},
};
/* clang-format on */

/* What is spoiled */

/** From finding the libraries to forgetting them. Where a use fails, with `again` the next one has to work. */
static tsr_gpu_result use_whole(char const *path, use_row const *row, bool again, char const *what)
{
    world w;
    memset(&w, 0, sizeof w);
    tsr_gpu_result r = tsr_gpu_find_driver(&w.gpu, path);
    STEP(tsr_gpu_find_compiler(&w.gpu, path));
    STEP(tsr_gpu_open(&w.gpu, 1, &w.device));
    if (tsr_gpu_ok(r)) {
        r = row->use(&w);
        if (!tsr_gpu_ok(r) && again)
            check(tsr_gpu_ok(row->use(&w)), what);
    }
    END(tsr_gpu_cache_free(&w.cache));
    END(tsr_gpu_close(&w.device));
    tsr_gpu_forget(&w.gpu);
    return r;
}

static bool is_sentence(tsr_gpu_result r)
{
    char text[512];
    size_t const length = tsr_format_gpu_result(text, sizeof text, r);
    return length > 0 && length < sizeof text && !strchr(text, '{') && !strstr(text, "never set");
}

/** Calls and handles whose loss costs nothing that was asked for: a log, and what a compiler keeps. */
static bool is_silent(char const *call)
{
    static char const *const silent[] = {"nvrtcGetProgramLogSize", "nvrtcGetProgramLog", "nvrtcDestroyProgram"};
    for (size_t i = 0; i < sizeof silent / sizeof *silent; ++i)
        if (strcmp(call, silent[i]) == 0)
            return true;
    return false;
}

/** One use with something spoiled; `must`: it is not to be overlooked. */
static void use_spoiled(char const *path, use_row const *row, bool must)
{
    char what[128];
    tsr_gpu_result const r = use_whole(path, row, must, row->name);
    char const *const spoiled = fake->spoiled ? fake->spoiled : "nothing";
    snprintf(what, sizeof what, "%s: %s is spoiled", row->name, spoiled);
    check(fake->spoiled != NULL, what);
    check(is_sentence(r) && (!tsr_gpu_ok(r) || !must || is_silent(spoiled)), what);
    check_books(what);
}

/** A use while allocation after allocation fails: what fails says so, and works the next time. */
static int use_without_memory(char const *path, use_row const *row)
{
    char what[128];
    int failures = 0;
    for (long n = 0; n < 1000; ++n) {
        reset();
        until = n;
        tsr_gpu_result const r = use_whole(path, row, true, row->name);
        bool const failed_here = until < 0;
        until = -1;
        if (!failed_here)
            break;
        snprintf(what, sizeof what, "%s: allocation %ld fails", row->name, n);
        check(is_sentence(r), what);
        check_books(what);
        failures += r.status == TSR_GPU_OUT_OF_MEMORY;
    }
    return failures;
}

static void test_use(char const *path, use_row const *row)
{
    static long long const numbers[] = {0, 1, -1, INT_MAX, INT_MIN, 65536 + 8, LLONG_MAX};
    reset();
    expect(use_whole(path, row, false, row->name), TSR_GPU_OK, "ok");
    check_books(row->name);
    int const calls = fake->calls, reports = fake->reports, handles = fake->handles;
    for (int way = 0; way < 2; ++way)
        for (int i = 1; i <= calls; ++i) {
            reset();
            fake->code = way ? 999 : 2;
            fake->failing_call = i;
            use_spoiled(path, row, true);
        }
    for (int i = 1; i <= handles; ++i) {
        reset();
        fake->no_handle = i;
        use_spoiled(path, row, true);
    }
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; ++n)
        for (int i = 1; i <= reports; ++i) {
            reset();
            fake->reported = numbers[n];
            fake->false_report = i;
            use_spoiled(path, row, false);
        }
    reset();
    expect(use_whole(path, row, false, row->name), TSR_GPU_OK, "ok");
    int const out_of_memory = use_without_memory(path, row);
    printf("%s: %d calls, %d numbers, %d handles, %d times out of memory\n", row->name, calls, reports, handles,
           out_of_memory);
}

/* Named cases */

/** A device that reports this number is refused, or multiplies. */
static void test_attribute(char const *path, int attribute, int value, char const *sentence)
{
    tsr_gpu gpu = {0};
    tsr_gpu_device d;
    reset();
    find_fake(&gpu, path);
    fake->device_attribute = attribute;
    fake->device_value = value;
    expect(tsr_gpu_open(&gpu, 0, &d), sentence ? TSR_GPU_REPORTED : TSR_GPU_OK, sentence ? sentence : "ok");
    expect(tsr_gpu_close(&d), TSR_GPU_OK, "ok");
    tsr_gpu_forget(&gpu);
    for (size_t i = 0; i < sizeof uses / sizeof *uses && !sentence; ++i) {
        reset();
        fake->device_attribute = attribute;
        fake->device_value = value;
        expect(use_whole(path, &uses[i], false, ""), TSR_GPU_OK, "ok");
        check_books(uses[i].name);
    }
}

/** Handles whose context cannot be entered stay with their owners. */
static void test_kept(char const *path)
{
    tsr_gpu gpu = {0};
    tsr_gpu_device d;
    tsr_gpu_memory m;
    tsr_gpu_stream s;
    tsr_gpu_event e;
    tsr_gpu_module module;
    reset();
    find_fake(&gpu, path);
    expect(tsr_gpu_open(&gpu, 0, &d), TSR_GPU_OK, "ok");
    expect(tsr_gpu_alloc(&d, 64, &m), TSR_GPU_OK, "ok");
    expect(tsr_gpu_stream_make(&d, &s), TSR_GPU_OK, "ok");
    expect(tsr_gpu_event_make(&d, &e), TSR_GPU_OK, "ok");
    expect(tsr_gpu_module_load(&d, "code", &module), TSR_GPU_OK, "ok");
    for (int again = 0; again < 2; ++again) {
        tsr_gpu_status const status = again ? TSR_GPU_OK : TSR_GPU_CALL;
        char const *const said = again ? "ok" : "cuCtxPushCurrent fails";
        fake->failing = again ? NULL : "cuCtxPushCurrent_v2";
        fake->code = 2;
        expect(tsr_gpu_free(&m), status, said);
        expect(tsr_gpu_stream_free(&s), status, said);
        expect(tsr_gpu_event_free(&e), status, said);
        expect(tsr_gpu_module_free(&module), status, said);
    }
    expect(tsr_gpu_close(&d), TSR_GPU_OK, "ok");
    check_books("what was kept is given back");
    tsr_gpu_forget(&gpu);
}

/** Sizes of NVRTC's. */
static void test_code_size(char const *path, size_t bytes, char const *sentence)
{
    tsr_gpu gpu = {0};
    tsr_gpu_constant constant;
    tsr_gpu_source const source = source_of("good", &constant);
    tsr_gpu_binary binary;
    reset();
    find_fake(&gpu, path);
    fake->cubin = bytes;
    expect(tsr_gpu_compile(&gpu, "sm_90", &source, NULL, &binary), TSR_GPU_REPORTED, sentence);
    check_books("after a size");
    tsr_gpu_forget(&gpu);
}

int main(int argc, char **argv)
{
    tsr_gpu gpu = {0};
    void *library = NULL;
    if (argc != 4 || !load_fake(argv[1], &library))
        return 2;
    folder = argv[3];
    test_kept(argv[1]);
    test_code_size(argv[1], SIZE_MAX,
                   "nvrtcGetCUBINSize reports 9223372036854775807 for bytes of code; it must be 1 to");
    test_code_size(argv[1], ((size_t)256 << 20) + 1,
                   "reports 268435457 for bytes of code; it must be 1 to 268435456");
    test_attribute(argv[1], 16, 0, "cuDeviceGetAttribute reports 0 for processors; it must be 1 to 65536");
    test_attribute(argv[1], 16, -1, "reports -1 for processors");
    test_attribute(argv[1], 75, 2147483647, "reports 2147483647 for major; it must be 1 to 99");
    test_attribute(argv[1], 97, -1, "reports -1 for shared");
    test_attribute(argv[1], 16, 1, NULL);
    test_attribute(argv[1], 16, 65536, NULL);
    for (size_t i = 0; i < sizeof uses / sizeof *uses; ++i)
        test_use(argv[1], &uses[i]);
    return unload_fake(&gpu, library);
}
