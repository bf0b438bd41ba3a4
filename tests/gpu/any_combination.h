/** Random combinations of two tensors: their types, layouts, places and factors, and the law of gpu/combine.h. */
#ifndef TESTS_GPU_ANY_COMBINATION_H
#define TESTS_GPU_ANY_COMBINATION_H

#include "any_pair.h"
#include "check.h"
#include "tessera/exec/functions.h"
#include "tessera/exec/transform.h"

static tsr_dtype any_type(void)
{
    static tsr_dtype const types[] = {TSR_BOOL, TSR_I8,   TSR_U8,        TSR_I16,     TSR_U16,    TSR_I32,
                                      TSR_U32,  TSR_I64,  TSR_U64,       TSR_F16,     TSR_BF16,   TSR_F32,
                                      TSR_F64,  TSR_TF32, TSR_F8_E4M3FN, TSR_F8_E5M2, TSR_I4,     TSR_C64,
                                      TSR_C128, TSR_U4,   TSR_F8_E8M0,   TSR_F4_E2M1, TSR_F8_E3M4};
    return types[below((int64_t)(sizeof types / sizeof types[0]))];
}

/** The law of gpu/combine.h, in the order of its words. */
typedef struct law {
    tsr_combiner op;
    tsr_number alpha, beta;
    bool ints, parts, alone;
} law;

static tsr_number taken(law const *l, tsr_number factor, tsr_number x)
{
    bool const whole = tsr_number_is_int_(factor) && tsr_number_is_int_(x);
    if (!l->ints && x.kind != TSR_COMPLEX)
        x = tsr_number_real(tsr_number_to_double(x));
    if (!l->ints && factor.kind != TSR_COMPLEX)
        factor = tsr_number_real(tsr_number_to_double(factor));
    bool const is_one = factor.kind != TSR_COMPLEX && tsr_number_to_double(factor) == 1;
    tsr_number r = is_one ? x : tsr_number_scale_(factor, x);
    r.re += l->parts && whole ? 0.0 : -0.0; /* a product of integers is no -0 */
    return r;
}

static tsr_number combined(tsr_number x, tsr_number y, void const *context)
{
    law const *const l = (law const *)context;
    tsr_number const a = taken(l, l->alpha, x), b = taken(l, l->beta, y);
    double const p = tsr_number_to_double(a), q = tsr_number_to_double(b);
    bool const first = l->op == TSR_COMBINE_LEAST ? !tsr_number_less(b, a) : !tsr_number_less(a, b);
    tsr_number z = l->alone                        ? a
                   : l->op == TSR_COMBINE_SUM      ? tsr_number_add(a, b)
                   : l->op == TSR_COMBINE_PRODUCT  ? tsr_number_mul(a, b)
                   : l->op == TSR_COMBINE_QUOTIENT ? tsr_number_real(p / q)
                   : p != p || q != q              ? tsr_number_real(tsr_nan_())
                   : first                         ? a
                                                   : b;
    z.re = z.re != z.re ? tsr_nan_() : z.re;
    z.im = z.im != z.im ? tsr_nan_() : z.im;
    return z;
}

static tsr_number any_factor(void)
{
    return once_in(2)   ? tsr_number_int(once_in(2) ? 1 : -1)
           : once_in(2) ? tsr_number_int(below(9) - 4)
                        : tsr_number_real((double)(below(33) - 16) / 8);
}

/** A source of the shape of the destination, in another order, repeated, swizzled now and then. */
static tsr_layout source_of(tsr_layout to)
{
    tsr_layout const l = pair_layout(tsr_layout_inner(to).shape, true);
    return once_in(3) ? tsr_layout_inner(to) : once_in(12) ? pair_swizzled(l) : l;
}

typedef struct any_combination {
    law l;
    tsr_dtype type[3];
    tsr_layout layout[3];
    int64_t place[3];
    int mine;   /* the source that is the destination; -1: none */
    int number; /* the source that is a number; -1: none */
    bool alone; /* y is not read */
} any_combination;

/** What its factors are computed in. */
static void combination_law(any_combination *c)
{
    c->l.alone = c->alone = c->l.op == TSR_COMBINE_SUM && c->number != 1 && tsr_number_is_zero(c->l.beta);
    c->l.parts = false;
    c->l.ints = c->l.op != TSR_COMBINE_QUOTIENT && tsr_number_is_int_(c->l.alpha)
                && (c->alone || tsr_number_is_int_(c->l.beta));
    for (int i = 0; i < 3; i += 1 + (c->alone && i == 0)) {
        int const kind = i == c->number ? TSR_SIGNED : (int)tsr_number_kind_of(c->type[i]);
        c->l.ints = c->l.ints && (kind == TSR_SIGNED || kind == TSR_UNSIGNED);
        c->l.parts = c->l.parts || kind == TSR_COMPLEX;
    }
}

/** False: it does not fit. */
static bool any_combination_of(any_combination *c)
{
    static tsr_dtype const usual[] = {TSR_U8, TSR_F16, TSR_BF16, TSR_F32, TSR_F64};
    any_pair const p = any_pair_of(1 << 14, 1, any_type);
    memset(c, 0, sizeof *c);
    c->l.op = (tsr_combiner)below(TSR_COMBINERS);
    c->l.alpha = any_factor();
    c->l.beta = any_factor();
    c->type[0] = p.from_type;
    c->type[1] = any_type();
    c->type[2] = p.to_type;
    if (once_in(2))
        c->type[0] = c->type[1] = c->type[2] = once_in(2) ? usual[below(5)] : c->type[2];
    else if (once_in(2))
        c->type[once_in(2)] = c->type[2];
    c->layout[0] = source_of(p.to);
    c->layout[1] = source_of(p.to);
    c->layout[2] = p.to;
    c->mine = once_in(6) ? (int)below(2) : -1;
    c->number = once_in(5) ? (int)below(2) : -1;
    if (c->mine >= 0) {
        c->type[c->mine] = c->type[2];
        c->layout[c->mine] = c->layout[2];
    }
    for (int i = 0; i < 3; ++i) {
        int64_t const item = tsr_max64(tsr_dtype_bits(c->type[i]) / 8, 1);
        if (!pair_place(c->layout[i], c->type[i], &c->place[i]))
            return false;
        c->place[i] = once_in(50) ? c->place[i] : c->place[i] / item * item;
    }
    if (c->mine >= 0)
        c->place[c->mine] = c->place[2];
    if (c->number == c->mine)
        c->number = -1;
    combination_law(c);
    return true;
}

/** x, y and z in three pieces of memory of PAIR_BYTES bytes each. */
static void combination_tensors(any_combination const *c, uint64_t const memory[3], tsr_tensor t[3])
{
    for (int i = 0; i < 3; ++i)
        t[i] = pair_tensor(memory[i == c->mine ? 2 : i], c->place[i], c->type[i], c->layout[i]);
    if (c->number >= 0)
        t[c->number] = tsr_make_tensor_of(tsr_counting_iter(tsr_int(1)),
                                          tsr_make_layout(tsr_int(tsr_layout_size(c->layout[2])), tsr_int(0)));
}

/** The CPU's. */
static tsr_reason combine_on_cpu(any_combination const *c, tsr_tensor const t[3])
{
    tsr_reason const why = tsr_transform_2(t[0], t[c->alone ? 0 : 1], t[2], combined, &c->l);
    bool const compares = c->l.parts && c->l.op > TSR_COMBINE_PRODUCT;
    return why.status || !compares ? why : tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
}

/** NaN, small whole numbers, and numbers near the ends of a type among any bits. */
static void put_numbers(tsr_tensor t)
{
    int64_t const n = tsr_layout_size(t.layout);
    bool good = true;
    if (tsr_number_kind_of(t.engine.type) == TSR_NO_NUMBER || once_in(3))
        return;
    for (int i = 0; i < 400; ++i) {
        tsr_number const near = tsr_number_real((double)(below(2001) - 1000) * tsr_exp2_((int)below(300) - 150));
        tsr_number const x = once_in(9)   ? tsr_number_real(tsr_nan_())
                             : once_in(2) ? tsr_number_int(below(300) - 150)
                                          : near;
        good = good && !tsr_tensor_write(t, tsr_int(below(n)), x).status;
    }
    check(good, "numbers are written");
}

#endif
