/** tessera bench: what a copy, a product and a contraction are measured beside. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "option.h"
#include "tessera/exec/einsum.h"
#include "tessera/exec/engine.h"
#include "tessera/exec/gemm_plan.h"
#include "tessera/ops/move.h"
#include "words.h"

static void print_case(contest *c, char const *what, double amount, char const *unit)
{
    c->unit = strcmp(what, "copy") == 0 ? "GB/s" : "GFLOP/s";
    printf("%s: %.0f %s; row %s, %d thread%s, median of %d\n", what, amount, unit, tsr_engine_name(), c->threads,
           c->threads > 1 ? "s" : "", c->turns);
}

static int refuse(options const *o, tsr_reason why)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_reason(text, sizeof text, why);
    complain(o, "%s", text);
    return FAILED;
}

/* Copies */

typedef struct copy_case {
    bench_operand from, to;
    tsr_plan plan;
    unsigned char *source, *target; /* of memcpy: half as many bytes each as are read and written */
    size_t bytes;
} copy_case;

static void run_copy(void *context)
{
    copy_case const *const x = (copy_case const *)context;
    tsrc_plan_run(&x->plan, NULL, &x->from.tensor, &x->to.tensor, 0, x->plan.units);
}

static void run_memcpy(void *context)
{
    copy_case const *const x = (copy_case const *)context;
    memcpy(x->target, x->source, x->bytes);
}

/** Whether a layout is (m,n):(a,b), by itself. */
static bool is_matrix(tsr_layout const *l, int64_t *m, int64_t *n, int64_t *a, int64_t *b)
{
    if (l->composed || l->shape.leaves != 2 || tsr_mode_count(&l->shape) != 2)
        return false;
    *m = l->shape.leaf[0].value;
    *n = l->shape.leaf[1].value;
    *a = l->stride.leaf[0].value;
    *b = l->stride.leaf[1].value;
    return *m <= INT32_MAX && *n <= INT32_MAX && *a <= INT32_MAX && *b <= INT32_MAX;
}

/** The transposition of a whole matrix of floats or doubles? */
static bool transposition_of(copy_case const *x, blas_transposition *t)
{
    tsr_tensor const *const s = &x->from.tensor, *const d = &x->to.tensor;
    tsr_dtype const type = s->engine.type;
    int64_t m = 0, n = 0, a = 0, b = 0, k = 0, l = 0, e = 0, f = 0;
    if (!is_matrix(&s->layout, &m, &n, &a, &b) || !is_matrix(&d->layout, &k, &l, &e, &f) || m != k || a != 1 || b != m || e != n
        || f != 1 || type != d->engine.type || (type != TSR_F32 && type != TSR_F64))
        return false;
    blas_transposition const r = {type, (int)m, (int)n, x->from.memory, x->to.memory, NULL};
    *t = r;
    return true;
}

/** Whether some elements of the copy are what they should be. */
static bool is_copied(copy_case const *x)
{
    tsr_tensor const *const s = &x->from.tensor, *const d = &x->to.tensor;
    int64_t const n = tsr_layout_size(d->layout);
    for (int64_t i = 0; i < n; i += 1 + n / 1000) {
        uint64_t wanted[2] = {0, 0};
        tsr_number x = tsr_number_int(0), y = x;
        if (tsr_tensor_read(*s, tsr_int(i), &x).status || tsr_tensor_read(*d, tsr_int(i), &y).status)
            return false;
        tsr_store(d->engine.type, wanted, 0, x);
        if (tsr_number_to_double(tsr_load(d->engine.type, wanted, 0)) != tsr_number_to_double(y))
            return false;
    }
    return true;
}

static int measure_copy(options const *o, contest *c, copy_case *x)
{
    blas_transposition t;
    x->plan = tsrc_plan_copy(x->from.tensor, x->to.tensor);
    if (x->plan.why.status)
        return refuse(o, x->plan.why);
    int64_t const n = x->plan.elements;
    int64_t const bits = tsr_dtype_bits(x->from.tensor.engine.type) + tsr_dtype_bits(x->to.tensor.engine.type);
    double const bytes = (double)n * (double)bits / 8;
    x->bytes = (size_t)(bytes / 2);
    x->source = (unsigned char *)calloc(1, x->bytes + 64);
    x->target = (unsigned char *)calloc(1, x->bytes + 64);
    if (!x->source || !x->target)
        return complain(o, "there are no %lld bytes of memory for memcpy", 2 * (long long)x->bytes), FAILED;
    memset(x->source, 1, x->bytes); /* pages that are there */
    run_copy(x);
    if (tsr_number_kind_of(x->to.tensor.engine.type) != TSR_NO_NUMBER && !is_copied(x))
        return complain(o, "the copy is wrong"), FAILED;
    print_case(c, "copy", bytes, "bytes read and written");
    bench_enter(c, "tessera", run_copy, x, bytes);
    bench_enter(c, "memcpy", run_memcpy, x, bytes);
    if (transposition_of(x, &t))
        bench_enter_omatcopy(c, &t, bytes);
    bench_measure(c);
    return DONE;
}

int bench_copy(options const *o, contest *c, int n, char **argument)
{
    copy_case x;
    tsr_dtype type = 0, other = 0;
    memset(&x, 0, sizeof x);
    if (n != 2)
        return misuse(o, "bench copy needs two layouts of one size: FROM and TO");
    if (!type_of_option(o, "--type", TSR_F32, &type) || !type_of_option(o, "--cast", type, &other))
        return MISUSE;
    int status = FAILED;
    if (bench_operand_of(o, argument[0], type, &x.from) && bench_operand_of(o, argument[1], other, &x.to))
        status = measure_copy(o, c, &x);
    free(x.from.memory);
    free(x.to.memory);
    free(x.source);
    free(x.target);
    return status;
}

/* Products */

typedef struct gemm_case {
    bench_operand operand[3]; /* A, B, C */
    tsr_gemm_plan plan;
    void *work;
    size_t bytes;
    blas_product blas, room[MOST_CONTESTANTS];
} gemm_case;

static void run_gemm(void *context)
{
    gemm_case const *const x = (gemm_case const *)context;
    (void)tsr_gemm_plan_run(&x->plan, x->work, x->bytes);
}

/** The type of sums. */
static tsr_dtype sum_of(tsr_dtype type)
{
    return type == TSR_BF16 || type == TSR_F16 ? TSR_F32 : type == TSR_I8 || type == TSR_U8 ? TSR_I32 : type;
}

static void free_gemm(gemm_case *x)
{
    for (int i = 0; i < 3; ++i)
        free(x->operand[i].memory);
    free(x->work);
}

/** Makes the plan of operands that are there. */
static tsr_reason plan_gemm(gemm_case *x)
{
    x->plan = tsr_plan_gemm(x->operand[0].tensor, x->operand[1].tensor, x->operand[2].tensor, NULL);
    x->bytes = x->plan.product.why.status ? 0 : tsr_gemm_plan_workspace(&x->plan);
    x->work = malloc(x->bytes + 64);
    x->bytes = x->work ? x->bytes : 0;
    return x->plan.product.why;
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
static bool plain_operands(options const *o, gemm_case *x, int64_t m, int64_t n, int64_t k, tsr_dtype type, tsr_dtype sum)
{
    return bench_make_operand(o, tsr_make_layout(tsr_t(m, k)), type, &x->operand[0])
           && bench_make_operand(o, tsr_make_layout(tsr_t(n, k)), type, &x->operand[1])
           && bench_make_operand(o, tsr_make_layout(tsr_t(m, n)), sum, &x->operand[2]);
}

/** A positive integer below 2^31, and nothing else; else 0. */
static int64_t extent_of(char const *text)
{
    char *end = NULL;
    long long const n = *text >= '1' && *text <= '9' ? strtoll(text, &end, 10) : 0;
    return n > 0 && n <= INT32_MAX && !*end ? (int64_t)n : 0;
}

int bench_gemm(options const *o, contest *c, int n, char **argument)
{
    gemm_case x;
    tsr_dtype type = 0, sum = 0;
    int64_t extent[3] = {0, 0, 0};
    int status = FAILED;
    memset(&x, 0, sizeof x);
    if (n != 3)
        return misuse(o, "bench gemm needs M N K, or layouts of A (M,K), B (N,K) and C (M,N)");
    if (!type_of_option(o, "--type", TSR_F32, &type) || !type_of_option(o, "--cast", sum_of(type), &sum))
        return MISUSE;
    for (int i = 0; i < 3; ++i)
        extent[i] = extent_of(argument[i]);
    bool const plain = extent[0] > 0 && extent[1] > 0 && extent[2] > 0;
    bool good = plain ? plain_operands(o, &x, extent[0], extent[1], extent[2], type, sum) : true;
    for (int i = 0; !plain && good && i < 3; ++i)
        good = bench_operand_of(o, argument[i], i < 2 ? type : sum, &x.operand[i]);
    if (good) {
        tsr_reason const why = plan_gemm(&x);
        double const operations = why.status ? 0 : 2.0 * (double)tsr_layout_size(x.operand[2].tensor.layout) * (double)x.plan.k.size;
        status = why.status ? refuse(o, why) : DONE;
        if (!why.status) {
            print_case(c, "gemm", operations, "operations");
            bench_enter(c, "tessera", run_gemm, &x, operations);
            enter_peers(c, &x, operations);
            bench_measure(c);
        }
    }
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
    (void)tsr_einsum(x->text, x->operand[0].tensor, x->operand[1].tensor, x->operand[2].tensor);
}

/** M, N and K of "abk,kc->abc" and its operands: what the letters of A and C, of B and C, of A and B count. */
static bool extents_of(contraction const *x, int64_t mnk[3])
{
    char letters[3][64] = {"", "", ""};
    mnk[0] = mnk[1] = mnk[2] = 1;
    if (sscanf(x->text, "%63[a-zA-Z],%63[a-zA-Z]->%63[a-zA-Z]", letters[0], letters[1], letters[2]) < 2)
        return false;
    for (int t = 0; t < 2; ++t)
        for (int i = 0; letters[t][i]; ++i) {
            bool const a = strchr(letters[0], letters[t][i]) != NULL, b = strchr(letters[1], letters[t][i]) != NULL;
            int64_t const extent = tsr_layout_size(tsr_mode(x->operand[t].tensor.layout, i));
            if (t == 0 || !a) /* a batch counts as rows */
                mnk[a && b && !strchr(letters[2], letters[t][i]) ? 2 : t] *= extent;
        }
    return mnk[0] <= INT32_MAX && mnk[1] <= INT32_MAX && mnk[2] <= INT32_MAX;
}

static int measure_contraction(options const *o, contest *c, contraction *x, tsr_dtype type, tsr_dtype sum)
{
    int64_t mnk[3];
    tsr_reason const why = tsr_einsum(x->text, x->operand[0].tensor, x->operand[1].tensor, x->operand[2].tensor);
    if (why.status)
        return refuse(o, why);
    if (!extents_of(x, mnk))
        return complain(o, "bench contract needs letters without blanks: \"mk,nk->mn\""), FAILED;
    double const operations = 2.0 * (double)mnk[0] * (double)mnk[1] * (double)mnk[2];
    if (!plain_operands(o, &x->plain, mnk[0], mnk[1], mnk[2], type, sum) || plan_gemm(&x->plain).status)
        return FAILED;
    printf("M %lld, N %lld, K %lld\n", (long long)mnk[0], (long long)mnk[1], (long long)mnk[2]);
    print_case(c, "contract", operations, "operations");
    bench_enter(c, "tessera", run_contraction, x, operations);
    bench_enter(c, "tessera gemm", run_gemm, &x->plain, operations);
    enter_peers(c, &x->plain, operations);
    bench_measure(c);
    return DONE;
}

int bench_contract(options const *o, contest *c, int n, char **argument)
{
    contraction x;
    tsr_dtype type = 0, sum = 0;
    memset(&x, 0, sizeof x);
    if (n != 4)
        return misuse(o, "bench contract needs letters and three layouts: \"mk,nk->mn\" A B C");
    if (!type_of_option(o, "--type", TSR_F32, &type) || !type_of_option(o, "--cast", sum_of(type), &sum))
        return MISUSE;
    bool good = true;
    x.text = argument[0];
    for (int i = 0; good && i < 3; ++i)
        good = bench_operand_of(o, argument[1 + i], i < 2 ? type : sum, &x.operand[i]);
    int const status = good ? measure_contraction(o, c, &x, type, sum) : FAILED;
    for (int i = 0; i < 3; ++i)
        free(x.operand[i].memory);
    free_gemm(&x.plain);
    return status;
}
