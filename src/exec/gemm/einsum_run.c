/** Runs the plan of an einsum of any number of tensors, one sum, copy or product of two after the other. */
#include "exec/gemm/einsum_plan.h"

#include <string.h>

#include "tessera/core/composition.h"
#include "tessera/core/sum.h"
#include "tessera/exec/reduce.h"
#include "tessera/exec/transform.h"
#include "tessera/tensor/array.h"

/** A plan on its way. */
typedef struct run {
    tsr_planned_einsum const *p;
    tsr_tensor const *const *x;
    tsr_tensor const *to;
    tsr_dtype type;                      /* of the values between */
    uint64_t address[TSR_EINSUM_VALUES]; /* of a value between; 0: it is not there */
    tsr_reason why;
} run;

/** The type of the values between. */
static tsr_dtype type_between(run const *r)
{
    bool integers = true, complex = false, wide = false;
    for (int i = 0; i <= r->p->operands; ++i) {
        tsr_dtype const type = (i < r->p->operands ? r->x[i] : r->to)->engine.type;
        tsr_number_kind const kind = tsr_number_kind_of(type);
        bool const real = kind == TSR_REAL;
        integers = integers && !real && kind != TSR_COMPLEX;
        complex = complex || kind == TSR_COMPLEX;
        wide = wide || tsr_dtype_bits(type) > (kind == TSR_COMPLEX ? 64 : real ? 32 : 16);
    }
    return integers ? TSR_I64 : complex ? (wide ? TSR_C128 : TSR_C64) : wide ? TSR_F64 : TSR_F32;
}

/* Views */

/** Adds the strides of a mode to those of another one: the diagonal of both. Modes of two shapes are cut first. */
static tsr_layout diagonal(tsr_layout a, tsr_layout b)
{
    tsr_tuple const equal = tsr_tuple_equal(a.shape, b.shape);
    if (!equal.status && equal.leaf[0].value == 0) {
        tsr_layout const cut = tsr_make_layout_from(tsr_common_refinement(a.shape, b.shape), tsr_left());
        a = tsr_composition_fit(a, cut);
        b = tsr_composition_fit(b, cut);
    }
    for (int i = 0; i < a.stride.leaves && !a.shape.status && !b.shape.status; ++i)
        if (!tsr_add64(a.stride.leaf[i].value, b.stride.leaf[i].value, &a.stride.leaf[i].value))
            return tsr_bad_layout(TSR_OVERFLOW, 0, a.stride.leaf[i].value, 0, 0);
    return b.shape.status ? b : a;
}

/** The mode of a letter: the diagonal of those that have it, or its extent with stride 0. */
static tsr_layout mode_of(tsr_layout const *inner, char const *given, char letter, int64_t extent)
{
    tsr_layout r = tsr_make_layout_from(tsr_int(extent), tsr_int(0));
    bool found = false;
    for (int k = 0; given[k]; ++k) {
        tsr_layout const mode = given[k] == letter ? tsr_mode(*inner, k) : r;
        if (given[k] != letter || tsr_layout_size(mode) != extent)
            continue;
        r = found ? diagonal(r, mode) : mode;
        found = true;
    }
    return r;
}

/** A tensor whose modes have the letters `given`, with the modes `wanted`. */
static tsr_tensor arranged(tsr_planned_einsum const *p, tsr_tensor t, char const *given, char const *wanted)
{
    tsr_layout const inner = tsr_layout_inner(t.layout);
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    for (int i = 0; wanted[i]; ++i) {
        tsr_layout const mode = mode_of(&inner, given, wanted[i], p->extent[tsr_letter_(wanted[i])]);
        tsr_tuple_push(&shape, &mode.shape);
        tsr_tuple_push(&stride, &mode.stride);
    }
    t.engine = tsr_bounded(t.engine, &t.layout);
    t.layout = tsr_with_(t.layout, wanted[0] ? tsr_tuple_close(shape) : tsr_int(1),
                         wanted[0] ? tsr_tuple_close(stride) : tsr_int(0));
    return t;
}

/* Values */

static bool is_result(run const *r, int value) { return value == r->p->operands + r->p->steps - 1; }

/** The layout of a value between. */
static tsr_layout compact(run const *r, int value)
{
    tsr_tuple shape = TSR_ZERO;
    for (char const *c = r->p->value[value]; *c; ++c) {
        tsr_tuple const n = tsr_int(r->p->extent[tsr_letter_(*c)]);
        tsr_tuple_push(&shape, &n);
    }
    return r->p->value[value][0] ? tsr_make_layout_from(tsr_tuple_close(shape), tsr_right()) : tsr_pad_();
}

/** A value between in its memory. */
static tsr_tensor between(run const *r, int value)
{
    tsr_layout const l = compact(r, value);
    tsr_engine const e = tsr_engine_at(TSR_RMEM, (void *)(uintptr_t)r->address[value], false, r->type);
    return tsr_make_tensor_of(tsr_bounded(e, &l), l);
}

/** A value with some modes. */
static tsr_tensor value_of(run const *r, int value, char const *wanted)
{
    int const tensors = r->p->operands;
    if (value < tensors)
        return arranged(r->p, *r->x[value], r->p->given[value], wanted);
    return is_result(r, value) ? arranged(r->p, *r->to, r->p->given[tensors], wanted)
                               : arranged(r->p, between(r, value), r->p->value[value], wanted);
}

/** Takes memory for a value between. */
static void take(run *r, int value)
{
    tsr_tensor const t = tsr_alloc(r->type, compact(r, value), 64);
    r->why = tsr_tensor_why(t);
    if (!r->why.status)
        r->address[value] = t.engine.begin;
}

static void give_back(run *r, int value)
{
    if (value < 0 || r->address[value] == 0)
        return;
    tsr_tensor t = between(r, value);
    tsr_free(&t);
    r->address[value] = 0;
}

/* Steps */

/** Whether a value has some letters. */
static bool has_all(char const *value, char const *letters) { return strspn(letters, value) == strlen(letters); }

/** A sum over the letters that the result does not have, or a copy. */
static tsr_reason run_one(run const *r, int from, int made)
{
    char const *const a = r->p->value[from], *const c = r->p->value[made];
    if (strlen(a) > strlen(c))
        return tsr_reduce_to(TSR_REDUCE_SUM, value_of(r, from, a), value_of(r, made, a));
    return tsr_copy(value_of(r, from, c), value_of(r, made, c));
}

static tsr_reason run_two(run const *r, int left, int right, int made)
{
    char const *const a = r->p->value[left], *const b = r->p->value[right], *const c = r->p->value[made];
    char text[3 * sizeof(tsr_einsum_letters) + 4];
    if (has_all(c, a) && has_all(c, b)) /* nothing is summed */
        return tsr_combine(TSR_COMBINE_PRODUCT, tsr_number_int(1), value_of(r, left, c), tsr_number_int(1),
                           value_of(r, right, c), value_of(r, made, c));
    size_t const m = strlen(a), n = strlen(b);
    memcpy(text, a, m);
    text[m] = ',';
    memcpy(text + m + 1, b, n);
    memcpy(text + m + 1 + n, "->", 2);
    memcpy(text + m + n + 3, c, strlen(c) + 1);
    return tsr_einsum(text, value_of(r, left, a), value_of(r, right, b), value_of(r, made, c));
}

/** Runs step s, and gives back the memory of what it has read. */
static void run_step(run *r, int s)
{
    tsr_einsum_step const *const step = &r->p->step[s];
    int const made = r->p->operands + s;
    if (!is_result(r, made))
        take(r, made);
    if (!r->why.status)
        r->why = step->right < 0 ? run_one(r, step->left, made) : run_two(r, step->left, step->right, made);
    give_back(r, step->left);
    give_back(r, step->right);
}

/** Whether a tensor has the modes that the plan was made for. */
static tsr_reason check(tsr_planned_einsum const *p, tsr_tensor const *t, int i)
{
    tsr_reason const why = tsr_tensor_why(*t);
    if (why.status)
        return why;
    tsr_layout const inner = tsr_layout_inner(t->layout);
    char const *const given = p->given[i];
    int64_t const rank = tsr_layout_rank(inner), letters = (int64_t)strlen(given);
    if (rank != letters && !(letters == 0 && tsr_layout_size(inner) == 1))
        return tsr_because(TSR_RANK, 0, rank, letters, 0);
    for (int k = 0; given[k]; ++k) {
        bool const whole = i == p->operands || strchr(p->value[i], given[k]);
        int64_t const n = tsr_layout_size(tsr_mode(inner, k)), all = whole ? p->extent[tsr_letter_(given[k])] : 1;
        if (n != all)
            return tsr_because(TSR_DIFFER_SIZE, k, n, all, 0);
    }
    return why;
}

tsr_reason tsr_einsum_run(tsr_planned_einsum const *p, tsr_tensor const *const *x, tsr_tensor const *to)
{
    run r = {.p = p, .x = x, .to = to, .why = p->why};
    for (int i = 0; !r.why.status && i <= p->operands; ++i)
        r.why = check(p, i < p->operands ? x[i] : to, i);
    if (!r.why.status)
        r.type = type_between(&r);
    for (int s = 0; !r.why.status && s < p->steps; ++s)
        run_step(&r, s);
    for (int v = 0; v < TSR_EINSUM_VALUES; ++v)
        give_back(&r, v);
    return r.why;
}

tsr_reason tsr_einsum_n(char const *text, tsr_tensor const *const *x, int operands, tsr_tensor const *to)
{
    tsr_planned_einsum const p = tsr_einsum_plan(text, x, operands);
    return tsr_einsum_run(&p, x, to);
}
