/** tsr_gpu_combine on a GPU: random layouts, types and factors, each byte of the destination and those around it as
 *  tsr_transform_2 of the CPU makes them; elements that are more than 2^31 apart, and what is refused.
 *
 *  usage: gpu_combined FOLDER [SEED [CASES]]. FOLDER holds the cache. Exits with 77, which means skipped, where there
 *  is no GPU or no NVRTC. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gpu/any_combination.h"
#include "tessera/gpu.h"
#include "tessera/text.h"

enum { SKIPPED = 77 };

static _Alignas(256) unsigned char host[3][PAIR_BYTES], found[PAIR_BYTES];

static int renumbered[2]; /* combinations that a plan for other numbers did not serve, and that it did */

typedef struct world {
    tsr_gpu_device device;
    tsr_gpu_cache cache;
    tsr_gpu_memory memory[3];
} world;

static void show(tsr_gpu_result r)
{
    char text[512];
    tsr_format_gpu_result(text, sizeof text, r);
    printf("    %s\n", text);
}

static void show_tensors(any_combination const *c, tsr_tensor const t[3])
{
    char text[TSR_TEXT_SIZE];
    for (int i = 0; i < 3; ++i) {
        tsr_format_layout(text, sizeof text, t[i].layout, 0);
        printf("    %s %s at %lld\n", tsr_dtype_name(t[i].engine.type), text, (long long)c->place[i]);
    }
}

/** Another number that the same kernel takes: five times a number that is not 0, 1 or -1. */
static tsr_number like(tsr_number x)
{
    double const n = tsr_number_to_double(x);
    return n == 0 || n == 1 || n == -1 ? x : tsr_number_mul(tsr_number_int(5), x);
}

/** By a plan for other numbers, if it serves these. */
static tsr_gpu_result combine(world *w, any_combination const *c, tsr_tensor const t[3])
{
    tsr_gpu_planned_combine *plan;
    tsr_gpu_result r = tsr_gpu_combine_plan(&w->cache, &w->device, c->l.op, like(c->l.alpha), t[0], like(c->l.beta),
                                            t[1], t[2], NULL, &plan);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_combine_run_with(plan, c->l.alpha, t[0].engine.address, c->l.beta, t[1].engine.address,
                                     t[2].engine.address, NULL);
    tsr_gpu_combine_free(&plan);
    renumbered[tsr_gpu_ok(r)] += 1;
    return r.status == TSR_GPU_NUMBERS
               ? tsr_gpu_combine(&w->cache, &w->device, c->l.op, c->l.alpha, t[0], c->l.beta, t[1], t[2], NULL, NULL)
               : r;
}

static void try_case(world *w)
{
    any_combination c;
    tsr_tensor t[3], cpu[3];
    uint64_t device[3], here[3];
    if (!any_combination_of(&c))
        return;
    for (int i = 0; i < 3; ++i) {
        device[i] = w->memory[i].address;
        here[i] = (uint64_t)(uintptr_t)host[i];
    }
    combination_tensors(&c, device, t);
    combination_tensors(&c, here, cpu);
    tsr_gpu_result r = {0};
    for (int i = 0; i < 3; ++i) {
        put_numbers(cpu[i]);
        if (tsr_gpu_ok(r))
            r = tsr_gpu_write(&w->memory[i], 0, host[i], PAIR_BYTES, NULL);
    }
    check(tsr_gpu_ok(r), "numbers are moved");
    r = combine(w, &c, t);
    if (r.status == TSR_GPU_BITS || r.status == TSR_GPU_ALIGNED || r.status == TSR_GPU_TENSORS)
        return; /* tests/gpu/combine.c looks at these */
    tsr_reason const why = combine_on_cpu(&c, cpu);
    check(tsr_gpu_ok(r) && !why.status, "combined");
    if (!tsr_gpu_ok(r)) {
        show(r);
        return;
    }
    r = tsr_gpu_wait(&w->device);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_read(&w->memory[2], 0, found, PAIR_BYTES, NULL);
    bool const same = tsr_gpu_ok(r) && memcmp(found, host[2], PAIR_BYTES) == 0;
    check(same, "the bytes of tsr_transform_2");
    if (!same)
        show_tensors(&c, t);
    memcpy(host[2], found, PAIR_BYTES);
}

/** Planes of more than 2^32 bytes apart, in all three tensors. */
static void test_far(world *w)
{
    enum { ROWS = 1001, PLANES = 3 };
    int64_t const apart = ((int64_t)1 << 32) + 64;
    tsr_gpu_memory large = {0};
    if (!tsr_gpu_ok(tsr_gpu_alloc(&w->device, (size_t)(PLANES * apart + ROWS), &large))) {
        printf("not tried: elements more than 2^32 bytes apart, for which there is no memory\n");
        return;
    }
    tsr_layout const l = tsr_make_layout(tsr_t(ROWS, PLANES), tsr_t(1, apart));
    tsr_tensor const z = tsr_gpu_tensor_at(&large, 0, TSR_U8, l),
                     row = tsr_gpu_tensor_at(&w->memory[0], 0, TSR_U8, tsr_parse("(1001,3):(1,0)"));
    tsr_number const one = tsr_number_int(1), zero = tsr_number_int(0);
    tsr_gpu_result r = tsr_gpu_combine(&w->cache, &w->device, TSR_COMBINE_SUM, one, row, zero, row, z, NULL, NULL);
    if (tsr_gpu_ok(r)) /* in place: z + 2 z */
        r = tsr_gpu_combine(&w->cache, &w->device, TSR_COMBINE_SUM, one, z, tsr_number_int(2), z, z, NULL, NULL);
    for (int64_t k = 0; k < PLANES && tsr_gpu_ok(r); ++k) {
        bool same = true;
        r = tsr_gpu_read(&large, (size_t)(k * apart), found, ROWS, NULL);
        for (int i = 0; i < ROWS; ++i)
            same = same && found[i] == (unsigned char)(3 * host[0][i]);
        check(same, "far apart");
    }
    check(tsr_gpu_ok(r), "far apart");
    (void)tsr_gpu_free(&large);
}

/** einsum that sums nothing. */
static void test_einsum(world *w)
{
    static char const *const rows[][4] = {{"ij,ji->ij", "(24,40):(40,1)", "(40,24):(24,1)", "(24,40):(40,1)"},
                                          {"ij,j->ji", "(24,40):(40,1)", "40:1", "(40,24):(24,1)"},
                                          {"i,j->ij", "24:1", "40:1", "(24,40):(40,1)"},
                                          {"bij,bi->jbi", "(3,8,10):(80,10,1)", "(3,8):(1,3)", "(10,3,8):(24,8,1)"}};
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    for (int i = 0; i < PAIR_BYTES / 2; ++i) /* finite halves, none 0: a product keeps its sign, a sum begins at +0 */
        for (int k = 0; k < 3; ++k)
            tsr_store(TSR_F16, host[k] + 2 * i, 0, tsr_number_real((double)(2 * below(64) - 63) / 4));
    tsr_gpu_result r = {0};
    for (int k = 0; k < 3 && tsr_gpu_ok(r); ++k)
        r = tsr_gpu_write(&w->memory[k], 0, host[k], PAIR_BYTES, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && tsr_gpu_ok(r); ++i) {
        tsr_gpu_planned_gemm *plan = NULL;
        tsr_tensor t[3], cpu[3];
        for (int k = 0; k < 3; ++k) {
            t[k] = tsr_gpu_tensor_at(&w->memory[k], 0, TSR_F16, tsr_parse(rows[i][1 + k]));
            cpu[k] = pair_tensor((uint64_t)(uintptr_t)host[k], 0, TSR_F16, t[k].layout);
        }
        r = tsr_gpu_einsum_plan(&w->cache, &w->device, rows[i][0], t[0], t[1], t[2], &plain, NULL, &plan);
        if (tsr_gpu_ok(r))
            r = tsr_gpu_gemm_run(plan, NULL);
        if (tsr_gpu_ok(r))
            r = tsr_gpu_wait(&w->device);
        if (tsr_gpu_ok(r))
            r = tsr_gpu_read(&w->memory[2], 0, found, PAIR_BYTES, NULL);
        check(!tsr_einsum(rows[i][0], cpu[0], cpu[1], cpu[2]).status, "the CPU's");
        check(tsr_gpu_ok(r) && memcmp(found, host[2], PAIR_BYTES) == 0, rows[i][0]);
        check(tsr_gpu_ok(tsr_gpu_gemm_free(&plan)), "a plan is given back");
    }
    check(tsr_gpu_ok(r), "einsum that sums nothing");
}

static void test_refused(world *w)
{
    static struct {
        char const *x, *y, *z;
        int at; /* elements between x and z */
        tsr_status why;
    } const rows[] = {{"(4,8):(8,1)", "(4,8):(8,1)", "(4,8):(8,0)", 64, TSR_NOT_INJECTIVE},
                      {"(4,8):(8,1)", "(4,8):(8,1)", "(4,9):(9,1)", 64, TSR_DIFFER_SIZE},
                      {"(4,8):(8,1)", "(4,8):(8,1)", "(4,8):(8,1)", 3, TSR_OVERLAP},
                      {"(8,8):(8,1)", "(8,8):(8,1)", "(8,8):(1,8)", 0, TSR_OVERLAP}};
    tsr_number const one = tsr_number_int(1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        tsr_tensor const x = tsr_gpu_tensor_at(&w->memory[0], 0, TSR_F32, tsr_parse(rows[i].x)),
                         y = tsr_gpu_tensor_at(&w->memory[1], 0, TSR_F32, tsr_parse(rows[i].y)),
                         z = tsr_gpu_tensor_at(&w->memory[0], (size_t)rows[i].at * 4, TSR_F32, tsr_parse(rows[i].z));
        tsr_gpu_result const r =
            tsr_gpu_combine(&w->cache, &w->device, TSR_COMBINE_PRODUCT, one, x, one, y, z, NULL, NULL);
        check(r.status == TSR_GPU_TENSORS && r.why.status == rows[i].why, rows[i].z);
    }
}

int main(int argc, char **argv)
{
    tsr_gpu gpu = {0};
    world w = {.cache = {.folder = argc > 1 ? argv[1] : NULL}};
    int const cases = argc > 3 ? atoi(argv[3]) : 60;
    setvbuf(stdout, NULL, _IOLBF, 0);
    random_state = argc > 2 ? strtoull(argv[2], NULL, 10) * 2 + 1 : 1;
    tsr_gpu_result r = tsr_gpu_find_driver(&gpu, NULL);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_find_compiler(&gpu, NULL);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_open(&gpu, 0, &w.device);
    if (!tsr_gpu_ok(r)) {
        printf("skipped:\n");
        show(r);
        return SKIPPED;
    }
    for (int i = 0; i < 3; ++i) {
        r = tsr_gpu_alloc(&w.device, PAIR_BYTES, &w.memory[i]);
        check(tsr_gpu_ok(r), "memory");
        for (int k = 0; k < PAIR_BYTES; ++k)
            host[i][k] = (unsigned char)random_bits();
    }
    for (int i = 0; i < cases; ++i)
        try_case(&w);
    test_einsum(&w);
    test_refused(&w);
    test_far(&w);
    for (int i = 0; i < 3; ++i)
        (void)tsr_gpu_free(&w.memory[i]);
    (void)tsr_gpu_cache_free(&w.cache);
    (void)tsr_gpu_close(&w.device);
    tsr_gpu_forget(&gpu);
    check(cases < 60 || renumbered[1] > 0, "plans with other numbers");
    printf("by a plan for other numbers: %d of %d\n", renumbered[1], renumbered[0] + renumbered[1]);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
