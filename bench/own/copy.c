/** bench_own copy: a copy beside memcpy, and beside the libraries that permute or transpose. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "own.h"
#include "tessera/exec/engine.h"
#include "tessera/tessera.h"

typedef struct copy_case {
    bench_operand operand[2]; /* from, to */
    tsr_planned_copy plan;
    unsigned char *source, *target; /* of memcpy: half as many bytes each as are read and written */
    size_t bytes;
} copy_case;

static void run_copy(void *context)
{
    copy_case const *const x = (copy_case const *)context;
    tsr_copy_run(&x->plan, NULL, &x->operand[0].tensor, &x->operand[1].tensor, 0, x->plan.units);
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
    tsr_tensor const *const s = &x->operand[0].tensor, *const d = &x->operand[1].tensor;
    tsr_dtype const type = s->engine.type;
    int64_t m = 0, n = 0, a = 0, b = 0, k = 0, l = 0, e = 0, f = 0;
    if (!is_matrix(&s->layout, &m, &n, &a, &b) || !is_matrix(&d->layout, &k, &l, &e, &f) || m != k || a != 1 || b != m
        || e != n || f != 1 || type != d->engine.type || (type != TSR_F32 && type != TSR_F64))
        return false;
    blas_transposition const r = {type, (int)m, (int)n, x->operand[0].memory, x->operand[1].memory, NULL};
    *t = r;
    return true;
}

/** The modes of a layout by their strides, the smallest first: which, in `order`; modes of extent 1 are none. Returns
 *  how many, 0 where they do not lie one behind the other. */
static int order_of(tsr_layout const *l, int order[TSR_MAX_LEAVES])
{
    int rank = 0;
    int64_t step = 1;
    for (int i = 0; i < l->shape.leaves; ++i) {
        int at = rank;
        if (l->shape.leaf[i].value == 1)
            continue;
        for (++rank; at > 0 && l->stride.leaf[order[at - 1]].value > l->stride.leaf[i].value; --at)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (int i = 0; i < rank; step *= l->shape.leaf[order[i++]].value)
        if (l->stride.leaf[order[i]].value != step)
            return 0;
    return rank;
}

/** The permutation of a whole tensor of floats or doubles? */
static bool permutation_of(copy_case const *x, permutation *p)
{
    tsr_tensor const *const s = &x->operand[0].tensor, *const d = &x->operand[1].tensor;
    tsr_layout const *const a = &s->layout, *const b = &d->layout;
    tsr_dtype const type = s->engine.type;
    int from[TSR_MAX_LEAVES], to[TSR_MAX_LEAVES];
    bool same = !a->composed && !b->composed && a->shape.leaves == b->shape.leaves;
    for (int i = 0; same && i < a->shape.leaves; ++i)
        same = a->shape.leaf[i].value == b->shape.leaf[i].value && a->shape.leaf[i].value <= INT32_MAX;
    memset(p, 0, sizeof *p);
    p->rank = same && type == d->engine.type && (type == TSR_F32 || type == TSR_F64) ? order_of(a, from) : 0;
    if (p->rank < 2 || order_of(b, to) != p->rank)
        return false;
    for (int i = 0; i < p->rank; ++i) {
        p->size[i] = (int)a->shape.leaf[from[i]].value;
        while (from[p->order[i]] != to[i])
            ++p->order[i];
    }
    p->type = type;
    p->from = x->operand[0].memory;
    p->to = x->operand[1].memory;
    return true;
}

/** Whether some elements of the copy are what they should be. */
static bool is_copied(copy_case const *x)
{
    tsr_tensor const *const s = &x->operand[0].tensor, *const d = &x->operand[1].tensor;
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

static int measure_copy(contest *c, copy_case *x)
{
    blas_transposition t;
    permutation p;
    x->plan = tsr_copy_plan(x->operand[0].tensor, x->operand[1].tensor);
    if (x->plan.why.status)
        return bench_refuse(x->plan.why);
    int64_t const n = x->plan.elements;
    int64_t const bits =
        tsr_dtype_bits(x->operand[0].tensor.engine.type) + tsr_dtype_bits(x->operand[1].tensor.engine.type);
    double const bytes = (double)n * (double)bits / 8;
    x->bytes = (size_t)(bytes / 2);
    x->source = (unsigned char *)calloc(1, x->bytes + 64);
    x->target = (unsigned char *)calloc(1, x->bytes + 64);
    if (!x->source || !x->target)
        return complain("there are no %lld bytes of memory for memcpy", 2 * (long long)x->bytes), FAILED;
    memset(x->source, 1, x->bytes); /* pages that are there */
    run_copy(x);
    if (tsr_number_kind_of(x->operand[1].tensor.engine.type) != TSR_NO_NUMBER && !is_copied(x))
        return complain("the copy is wrong"), FAILED;
    bench_print_case(c, "copy", bytes, "bytes read and written");
    bench_enter(c, "tessera", run_copy, x, bytes);
    bench_enter(c, "memcpy", run_memcpy, x, bytes);
    if (transposition_of(x, &t))
        bench_enter_omatcopy(c, &t, bytes);
    if (permutation_of(x, &p))
        bench_enter_hptt(c, &p, bytes);
    bench_measure(c);
    return DONE;
}

static tsr_dtype as_it_is(tsr_dtype type) { return type; }

int bench_copy(contest *c, int n, char **argument)
{
    copy_case x;
    tsr_dtype type = 0, other = 0;
    memset(&x, 0, sizeof x);
    if (n != 2)
        return misuse("copy needs two layouts of one size: FROM and TO");
    bench_take_types(c, as_it_is, &type, &other);
    int const status = bench_take_operands(n, argument, type, other, x.operand) ? measure_copy(c, &x) : FAILED;
    bench_free_operands(n, x.operand);
    free(x.source);
    free(x.target);
    return status;
}
