/** Products on a GPU beside the same products on the CPU: types, majors, ragged and skinny sizes, batches,
 *  hierarchical modes, pitches that TMA does not take, steps of two, swizzles, epilogues. Elements are small integers,
 *  so that every order of sums is exact; all bytes of the result's memory are compared, padding too.
 *
 *  usage: gpu_products [FOLDER [SEED [ROUNDS]]]. Exits with 77, which means skipped, where there is no GPU or no
 *  NVRTC. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gpu/both.h"
#include "../gpu/check.h"
#include "tessera/exec/gemm_plan.h"
#include "tessera/text.h"

enum { SHOWN = 10 };

static int by_tma, by_loops, by_tensor_cores, in_parts;

/** A mode in one piece, or in two of which the second one steps further than it must. */
typedef struct mode {
    int64_t size;
    int cut; /* 0: in one piece */
} mode;

/** A layout (rows, columns) or (batch, rows, columns) with neighbours along either mode, seldom two apart. Pitches are
 *  multiples of 16, or, with `odd`, none that TMA takes; pieces of a mode then do not go on from each other. */
static tsr_layout any_matrix(int64_t batch, mode rows, mode columns, bool odd)
{
    int const first = any(2); /* the mode that steps by 1 */
    mode const m[2] = {rows, columns};
    tsr_tuple shape[2], stride[2];
    int64_t const apart = 16 * any(2);
    int64_t step = any(12) ? 1 : 2;
    for (int i = 0; i < 2; ++i) {
        int const at = i ^ first;
        int64_t const n = m[at].size, cut = m[at].cut, jump = step * cut + (odd ? 1 : apart);
        shape[at] = cut ? tsr_t(cut, n / cut) : tsr_int(n);
        stride[at] = cut ? tsr_t(step, jump) : tsr_int(step);
        step = ((cut ? jump * (n / cut) : step * n) + 15) / 16 * 16 + odd;
    }
    tsr_tuple const s = tsr_tuple_2(shape[0], shape[1]), d = tsr_tuple_2(stride[0], stride[1]);
    return batch == 0
               ? tsr_make_layout_from(s, d)
               : tsr_make_layout_from(tsr_tuple_prepend(s, tsr_int(batch)), tsr_tuple_prepend(d, tsr_int(step)));
}

/** One product both ways. */
static void try_product(tsr_gpu_device const *d, tsr_gpu_cache *cache, tsr_dtype ta, tsr_dtype tb, tsr_dtype tc)
{
    static int const sizes[] = {1, 8, 16, 40, 64, 77, 100, 128, 136, 200, 256, 300, 512},
                     few[] = {1, 8, 15, 16, 30, 33};
    bool const small = any(4) == 0; /* many products, each less than a tile of most kinds */
    int const large =
        small || any(6) ? 0 : 2300; /* more than one tile for a block, and some are left, of which K is divided */
    mode m = {large   ? large
              : small ? few[any(6)]
                      : sizes[any(13)],
              0},
         n = {large   ? large
              : small ? few[any(6)]
                      : sizes[any(13)],
              0},
         k = {small             ? few[any(6)]
              : large && any(2) ? 600
              : any(8)          ? sizes[any(13)]
              : any(3)          ? 2000
                                : 9000,
              0}; /* parts of K, and groups of parts */
    int64_t const batch = small ? 1 + any(60) : any(3) ? 0 : 1 + any(3);
    mode *const cut[3] = {&m, &n, &k};
    for (int i = 0; i < 3; ++i) /* by what tiles divide, or do not */
        if (any(5) == 0)
            cut[i]->cut = cut[i]->size % 256 == 0           ? 128 << any(2)
                          : cut[i]->size % 8 == 0 && any(2) ? 8
                          : cut[i]->size % 4 == 0           ? 4
                                                            : 0;
    both x[4];
    char text[512], name[1024];
    memset(x, 0, sizeof x);
    tsr_epilogue e = tsr_make_epilogue(any(3) ? 1 : 2, any(3) - 1);
    tsr_layout const c = any_matrix(batch, m, n, any(4) == 0);
    int const rarely = ta == tb && tsr_dtype_bits(ta) == 16 ? 2 : 8; /* of halves tensor cores take any pitch */
    tsr_layout const a = any_matrix(batch, m, k, any(rarely) == 0);
    int64_t const room = (tsr_cosize(a) + 127) / 128 * 128; /* whole blocks of the swizzle */
    bool made = make_both(d, &x[0], ta, tsr_make_layout(tsr_t(room), tsr_t(1)))
                && make_both(d, &x[1], tb, any_matrix(batch, n, k, any(rarely) == 0)) && make_both(d, &x[2], tc, c)
                && make_both(d, &x[3], tc, c);
    x[0].layout = any(12) ? a : tsr_make_composed_layout(tsr_make_swizzle(2, 2, 3), tsr_s(0), a);
    tsr_tensor bias_there = of_device(&x[3]), bias_here = of_host(&x[3]);
    bool const biased = any(3) == 0;
    if (any(3) == 0)
        e.activation = TSR_RELU;
    tsr_epilogue here = e;
    e.bias = biased ? &bias_there : NULL;
    here.bias = biased ? &bias_here : NULL;
    tsr_gpu_planned_gemm *plan;
    tsr_epilogue other = e; /* the plan is for other numbers than the run, now and then */
    bool const others = any(2);
    other.alpha = others && e.alpha != 1 ? 7 : e.alpha;
    other.beta = others && e.beta != 0 ? 5 : e.beta;
    tsr_gpu_result r =
        tsr_gpu_gemm_plan(cache, d, of_device(&x[0]), of_device(&x[1]), of_device(&x[2]), &other, &to_words, &plan);
    bool const tma = tsr_gpu_gemm_by_tma(plan);
    tsr_format_gpu_gemm(text, sizeof text, plan);
    bool const parts = tma && strstr(text, "K in parts"), tensor = !tma && strstr(text, "by tensor cores");
    if (tsr_gpu_ok(r))
        r = others ? tsr_gpu_gemm_run_with(plan, e.alpha, e.beta, 0, 0, 0, 0, NULL) : tsr_gpu_gemm_run(plan, NULL);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_wait(d);
    unsigned char *const back = (unsigned char *)malloc(x[2].bytes + 1);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_read(&x[2].there, 0, back, x[2].bytes, NULL);
    tsr_reason const same = tsr_gemm_with(of_host(&x[0]), of_host(&x[1]), of_host(&x[2]), &here);
    bool const good = made && tsr_gpu_ok(r) && !same.status && memcmp(back, x[2].here, x[2].bytes) == 0;
    snprintf(name, sizeof name, "%s x %s -> %s, M %d N %d K %d batch %d alpha %g beta %g%s%s: %s", tsr_dtype_name(ta),
             tsr_dtype_name(tb), tsr_dtype_name(tc), (int)m.size, (int)n.size, (int)k.size, (int)batch, e.alpha,
             e.beta, biased ? " bias" : "", e.activation == TSR_RELU ? " relu" : "", text);
    if (failed < SHOWN || good)
        check(good, name);
    else
        ++failed;
    if (!tsr_gpu_ok(r) && failed < SHOWN)
        show_refusal(r);
    by_tma += tma;
    by_loops += !tma;
    by_tensor_cores += tensor;
    in_parts += parts;
    (void)tsr_gpu_gemm_free(&plan);
    free(back);
    for (int i = 0; i < 4; ++i)
        free_both(&x[i]);
}

/** Launches right behind each other, each of which reads what the one before wrote: X goes round by a column to Y and
 *  back, and Z adds up what Y was. */
static void test_chain(tsr_gpu_device const *d, tsr_gpu_cache *cache)
{
    enum { M = 136, N = 256, ROUNDS = 8, X = 0, Y = 1, Z = 2, ROUND = 3 };
    static int const step[3][3] = {{X, ROUND, Y}, {Y, ROUND, Z}, {Y, ROUND, X}};
    tsr_epilogue const e[2] = {tsr_make_epilogue(1, 0), tsr_make_epilogue(1, 1)};
    tsr_gpu_planned_gemm *plan[3];
    both x[4];
    bool good = true;
    memset(x, 0, sizeof x);
    for (int i = 0; i < 4; ++i)
        good = good && make_both(d, &x[i], TSR_F16, tsr_make_layout(tsr_t(i == ROUND ? N : M, N), tsr_t(N, 1)));
    for (int i = 0; good && i < N * N; ++i)
        tsr_store(TSR_F16, x[ROUND].here + 2 * i, 0, tsr_number_int((i / N + 1) % N == i % N));
    good = good && tsr_gpu_ok(tsr_gpu_write(&x[ROUND].there, 0, x[ROUND].here, x[ROUND].bytes, NULL));
    for (int i = 0; i < 3; ++i)
        good = tsr_gpu_ok(tsr_gpu_gemm_plan(cache, d, of_device(&x[step[i][0]]), of_device(&x[step[i][1]]),
                                            of_device(&x[step[i][2]]), &e[i == 1], &to_words, &plan[i]))
               && good;
    for (int i = 0; good && i < 3 * ROUNDS; ++i)
        good = tsr_gpu_ok(tsr_gpu_gemm_run(plan[i % 3], NULL));
    for (int i = 0; good && i < 3 * ROUNDS; ++i)
        good = !tsr_gemm_with(of_host(&x[step[i % 3][0]]), of_host(&x[step[i % 3][1]]), of_host(&x[step[i % 3][2]]),
                              &e[i % 3 == 1])
                    .status;
    for (int i = 0; i < 3; ++i) {
        unsigned char *const back = (unsigned char *)malloc(x[i].bytes + 1);
        good = good && tsr_gpu_ok(tsr_gpu_read(&x[i].there, 0, back, x[i].bytes, NULL))
               && memcmp(back, x[i].here, x[i].bytes) == 0;
        free(back);
    }
    check(good, "each launch finds what the one before it has written");
    for (int i = 0; i < 3; ++i)
        (void)tsr_gpu_gemm_free(&plan[i]);
    for (int i = 0; i < 4; ++i)
        free_both(&x[i]);
}

int main(int argc, char **argv)
{
    static tsr_dtype const types[][3] = {
        {TSR_F16, TSR_F16, TSR_F16},
        {TSR_BF16, TSR_BF16, TSR_BF16},
        {TSR_F16, TSR_F16, TSR_F32},
        {TSR_TF32, TSR_TF32, TSR_F32},
        {TSR_F8_E4M3FN, TSR_F8_E4M3FN, TSR_BF16},
        {TSR_F8_E4M3FN, TSR_F8_E5M2, TSR_F32},
        {TSR_I8, TSR_I8, TSR_I32},
        {TSR_I8, TSR_I8, TSR_F32},
        {TSR_F32, TSR_F32, TSR_F32},
        {TSR_F64, TSR_F64, TSR_F64},
        {TSR_F16, TSR_BF16, TSR_F32},
        {TSR_U8, TSR_I8, TSR_I32},
    };
    on_gpu on;
    if (!begin_on_gpu(&on, argc, argv, 36))
        return 77;
    for (int i = 0; i < on.rounds; ++i)
        try_product(&on.device, &on.cache, types[i % 12][0], types[i % 12][1], types[i % 12][2]);
    test_chain(&on.device, &on.cache);
    printf(
        "%s: %d products by TMA (%d with K in parts), %d by plain loops (%d on tensor cores): %d passed, %d failed\n",
        on.device.name, by_tma, in_parts, by_loops, by_tensor_cores, passed, failed);
    end_on_gpu(&on);
    return failed != 0;
}
