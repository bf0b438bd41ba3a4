/** bench_own gemm, contract: products beside the libraries of BLAS and the peak of the processor. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "own.h"
#include "tessera/exec/gemm_plan.h"

typedef struct gemm_case {
    bench_operand operand[3]; /* A, B, C */
    tsr_planned_gemm plan;
    void *work;
    size_t bytes;
    blas_product blas, room[MOST_CONTESTANTS];
} gemm_case;

static void run_gemm(void *context)
{
    gemm_case const *const x = (gemm_case const *)context;
    tsr_reason const why = tsr_gemm_run(&x->plan, x->work, x->bytes); /* bench_verify has tried it */
    (void)why;
}

/** The type of sums. */
static tsr_dtype sum_of(tsr_dtype type)
{
    return type == TSR_BF16 || type == TSR_F16 ? TSR_F32 : type == TSR_I8 || type == TSR_U8 ? TSR_I32 : type;
}

/** Multiplies once, and looks at the result. */
static bool is_right(gemm_case *x, char const *letters)
{
    size_t const bytes = x->operand[2].bytes;
    void *const old = malloc(bytes);
    if (!old)
        return complain("there are no %lld bytes of memory", (long long)bytes), false;
    memcpy(old, x->operand[2].memory, bytes);
    run_gemm(x);
    bool const right = bench_is_product(letters, x->operand, old);
    free(old);
    return right;
}

/** The product of tensors of these ranks in letters. */
static char const *letters_of(gemm_case const *x)
{
    int64_t const a = tsr_layout_rank(x->operand[0].tensor.layout), c = tsr_layout_rank(x->operand[2].tensor.layout);
    return a == 1 ? c == 1 ? "v,v->v" : "m,n->mn" : a == 3 ? "vmk,vnk->vmn" : c == 3 ? "vm,vn->vmn" : "mk,nk->mn";
}

static void free_gemm(gemm_case *x)
{
    bench_free_operands(3, x->operand);
    free(x->work);
}

/** Makes the plan of operands that are there. */
static tsr_reason plan_gemm(gemm_case *x)
{
    x->plan = tsr_gemm_plan(x->operand[0].tensor, x->operand[1].tensor, x->operand[2].tensor, NULL);
    x->bytes = x->plan.of.product.why.status ? 0 : tsr_gemm_workspace(&x->plan);
    x->work = malloc(x->bytes + 64);
    x->bytes = x->work ? x->bytes : 0;
    return x->plan.of.product.why;
}

/** Enters BLAS, where the product has a form of it, and the peak. */
static void enter_peers(contest *c, gemm_case *x, double operations)
{
    double peak = 0;
    void (*const run)(void *) = bench_peak(x->operand[0].tensor.engine.type, &peak);
    if (blas_product_of(&x->operand[0].tensor, &x->operand[1].tensor, &x->operand[2].tensor, &x->blas))
        bench_enter_blas(c, &x->blas, x->room, operations);
    if (run)
        bench_enter(c, "FMA of a core", run, NULL, peak);
}

/** A, B and C of column-major matrices of these extents. */
static bool plain_operands(gemm_case *x, int64_t m, int64_t n, int64_t k, tsr_dtype type, tsr_dtype sum)
{
    return bench_make_operand(tsr_make_layout(tsr_t(m, k)), type, &x->operand[0])
           && bench_make_operand(tsr_make_layout(tsr_t(n, k)), type, &x->operand[1])
           && bench_make_operand(tsr_make_layout(tsr_t(m, n)), sum, &x->operand[2]);
}

/** A positive integer below 2^31, and nothing else; else 0. */
static int64_t extent_of(char const *text)
{
    char *end = NULL;
    long long const n = *text >= '1' && *text <= '9' ? strtoll(text, &end, 10) : 0;
    return n > 0 && n <= INT32_MAX && !*end ? (int64_t)n : 0;
}

static int measure_gemm(contest *c, gemm_case *x)
{
    tsr_reason const why = plan_gemm(x);
    if (why.status)
        return bench_refuse(why);
    double const operations = 2.0 * (double)tsr_layout_size(x->operand[2].tensor.layout) * (double)x->plan.of.k.size;
    if (!is_right(x, letters_of(x)))
        return FAILED;
    bench_print_case(c, "gemm", operations, "operations");
    bench_enter(c, "tessera", run_gemm, x, operations);
    enter_peers(c, x, operations);
    bench_measure(c);
    return DONE;
}

int bench_gemm(contest *c, int n, char **argument)
{
    gemm_case x;
    tsr_dtype type = 0, sum = 0;
    int64_t extent[3] = {0, 0, 0};
    int status = FAILED;
    memset(&x, 0, sizeof x);
    if (n != 3)
        return misuse("gemm needs M N K, or layouts of A (M,K), B (N,K) and C (M,N)");
    bench_take_types(c, sum_of, &type, &sum);
    for (int i = 0; i < 3; ++i)
        extent[i] = extent_of(argument[i]);
    bool const plain = extent[0] > 0 && extent[1] > 0 && extent[2] > 0;
    bool const good = plain ? plain_operands(&x, extent[0], extent[1], extent[2], type, sum)
                            : bench_take_operands(n, argument, type, sum, x.operand);
    if (good)
        status = measure_gemm(c, &x);
    free_gemm(&x);
    return status;
}

/* Contractions */

typedef struct contraction {
    char const *text;
    bench_operand operand[3];
    gemm_case plain; /* a product of matrices of the same extents */
} contraction;

static void run_contraction(void *context)
{
    contraction const *const x = (contraction const *)context;
    tsr_reason const why = tsr_einsum(x->text, x->operand[0].tensor, x->operand[1].tensor, x->operand[2].tensor);
    (void)why; /* bench_verify has tried it */
}

/** M, N and K of letters and operands: what the letters of A and C, of B and C, of A and B count; a batch counts as
 *  rows. */
static bool extents_of(contraction const *x, int64_t mnk[3])
{
    bench_letters const p = bench_letters_of(x->text, x->operand);
    mnk[0] = mnk[1] = mnk[2] = 1;
    for (int i = 0; i < TSR_EINSUM_LETTERS; ++i)
        if (p.extent[i] > 0)
            mnk[!p.in[2][i] ? 2 : p.in[0][i] ? 0 : 1] *= p.extent[i];
    return mnk[0] <= INT32_MAX && mnk[1] <= INT32_MAX && mnk[2] <= INT32_MAX;
}

static int measure_contraction(contest *c, contraction *x, tsr_dtype type, tsr_dtype sum)
{
    int64_t mnk[3];
    tsr_reason const why = tsr_einsum(x->text, x->operand[0].tensor, x->operand[1].tensor, x->operand[2].tensor);
    if (why.status)
        return bench_refuse(why);
    if (!bench_is_product(x->text, x->operand, NULL))
        return FAILED;
    if (!extents_of(x, mnk))
        return complain("a product of matrices of these extents is too large: %lld, %lld, %lld", (long long)mnk[0],
                        (long long)mnk[1], (long long)mnk[2]),
               FAILED;
    double const operations = 2.0 * (double)mnk[0] * (double)mnk[1] * (double)mnk[2];
    if (!plain_operands(&x->plain, mnk[0], mnk[1], mnk[2], type, sum) || plan_gemm(&x->plain).status
        || !is_right(&x->plain, "mk,nk->mn"))
        return FAILED;
    printf("M %lld, N %lld, K %lld\n", (long long)mnk[0], (long long)mnk[1], (long long)mnk[2]);
    bench_print_case(c, "contract", operations, "operations");
    bench_enter(c, "tessera", run_contraction, x, operations);
    bench_enter(c, "tessera gemm", run_gemm, &x->plain, operations);
    enter_peers(c, &x->plain, operations);
    bench_measure(c);
    return DONE;
}

int bench_contract(contest *c, int n, char **argument)
{
    contraction x;
    tsr_dtype type = 0, sum = 0;
    memset(&x, 0, sizeof x);
    if (n != 4)
        return misuse("contract needs letters and three layouts: \"mk,nk->mn\" A B C");
    bench_take_types(c, sum_of, &type, &sum);
    x.text = argument[0];
    bool const good = bench_take_operands(3, argument + 1, type, sum, x.operand);
    int const status = good ? measure_contraction(c, &x, type, sum) : FAILED;
    bench_free_operands(3, x.operand);
    free_gemm(&x.plain);
    return status;
}
