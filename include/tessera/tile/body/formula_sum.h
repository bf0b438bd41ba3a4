/** The bodies of tile/formula_sum.h. */
#ifndef TSR_TILE_BODY_FORMULA_SUM_H
#define TSR_TILE_BODY_FORMULA_SUM_H

#include "tessera/tile/formula_sum.h"
#include "tessera/tile/body/formula.h"

TSR_HEADER_BEGIN

typedef struct tsr_span_ {
    int64_t least, greatest;
} tsr_span_;

TSR_LOCAL tsr_span_ tsr_span_of_(int64_t least, int64_t greatest)
{
    tsr_span_ r = TSR_ZERO;
    r.least = least;
    r.greatest = greatest;
    return r;
}

TSR_LOCAL bool tsr_endless_(int64_t n) { return n == TSR_INT_MAX || n == -TSR_INT_MAX; }

/** a * n + b, where a or b may be without end; what overflows is without end too, on the side that it leads to. */
TSR_LOCAL int64_t tsr_reach_add_(int64_t a, int64_t n, int64_t b)
{
    int64_t product = 0, sum = 0;
    if (n == 0 || tsr_endless_(b))
        return b;
    if (!tsr_endless_(a) && tsr_mul64(a, n, &product) && tsr_add64(product, b, &sum) && !tsr_endless_(sum))
        return sum;
    return (a < 0) == (n < 0) ? TSR_INT_MAX : -TSR_INT_MAX;
}

/** The least and the greatest value of a sum. */
TSR_LOCAL tsr_span_ tsr_open_span_(tsr_formula const *f, tsr_open_sum const *s)
{
    tsr_span_ r = tsr_span_of_(s->constant, s->constant);
    bool known = true;
    for (int i = 0; i < s->parts; ++i) {
        tsr_value const *const v = &f->value[s->value[i]];
        int64_t const n = s->number[i].is;
        known = known && s->number[i].multiple == 0;
        r.least = tsr_reach_add_(n < 0 ? v->greatest : v->least, n, r.least);
        r.greatest = tsr_reach_add_(n < 0 ? v->least : v->greatest, n, r.greatest);
    }
    return known ? r : tsr_span_of_(-TSR_INT_MAX, TSR_INT_MAX);
}

TSR_LOCAL void tsr_formula_full_(tsr_formula *f)
{
    if (!f->why.status)
        f->why = tsr_because(TSR_FORMULA_CAPACITY, 0, TSR_MAX_VALUES, TSR_MAX_PARTS, TSR_MAX_BOUNDS);
}

/** One more value, or the one that is the same already. */
TSR_LOCAL int tsr_new_value_(tsr_formula *f, tsr_value const *v)
{
    for (int i = f->inputs; i < f->values && v->kind != TSR_VALUE_SUM && v->kind != TSR_VALUE_INPUT; ++i) {
        tsr_value const *const w = &f->value[i];
        if (w->kind == v->kind && w->of == v->of && w->other == v->other && w->table == v->table
            && w->number.is == v->number.is && w->number.multiple == 0 && v->number.multiple == 0)
            return i;
    }
    if (f->values == TSR_MAX_VALUES) {
        tsr_formula_full_(f);
        return 0;
    }
    f->value[f->values] = *v;
    return f->values++;
}

TSR_LOCAL tsr_value tsr_value_of_(tsr_value_kind kind, int of, tsr_known number)
{
    tsr_value v = TSR_ZERO;
    v.kind = (uint8_t)kind;
    v.of = (uint8_t)of;
    v.number = number;
    v.least = -TSR_INT_MAX;
    v.greatest = TSR_INT_MAX;
    return v;
}

/* Sums */

TSR_LOCAL tsr_open_sum tsr_open_value_(int value)
{
    tsr_open_sum s = TSR_ZERO;
    s.parts = 1;
    s.value[0] = (uint8_t)value;
    s.number[0] = tsr_known_(1);
    return s;
}

TSR_LOCAL void tsr_open_drop_(tsr_open_sum *s, int i)
{
    --s->parts;
    for (; i < s->parts; ++i) {
        s->value[i] = s->value[i + 1];
        s->number[i] = s->number[i + 1];
    }
}

TSR_LOCAL int tsr_name_sum_(tsr_formula *f, tsr_open_sum *s, tsr_span_ within);

/** s += number * value */
TSR_LOCAL void tsr_open_add_(tsr_formula *f, tsr_open_sum *s, int value, tsr_known number)
{
    int at = 0;
    if (tsr_is_(number, 0))
        return;
    while (at < s->parts && (s->value[at] != value || s->number[at].multiple != 0 || number.multiple != 0))
        ++at;
    if (at == TSR_MAX_SUM) {
        *s = tsr_open_value_(tsr_name_sum_(f, s, tsr_span_of_(-TSR_INT_MAX, TSR_INT_MAX)));
        at = 1;
    }
    if (at < s->parts) {
        s->number[at].is = tsr_wrap_add(s->number[at].is, number.is);
    } else {
        s->value[at] = (uint8_t)value;
        s->number[at] = number;
        ++s->parts;
        f->value[value].whole = f->value[value].whole || number.multiple != 0;
    }
    if (tsr_is_(s->number[at], 0))
        tsr_open_drop_(s, at);
}

/** s += number * t, which is named where a product would be of a number that is not known. */
TSR_LOCAL void tsr_open_join_(tsr_formula *f, tsr_open_sum *s, tsr_open_sum *t, tsr_known number, tsr_span_ within)
{
    bool known = true;
    for (int i = 0; i < t->parts; ++i)
        known = known && t->number[i].multiple == 0;
    if (number.multiple != 0 || (!known && !tsr_is_(number, 1))) {
        tsr_open_add_(f, s, tsr_name_sum_(f, t, within), number);
        return;
    }
    s->constant = tsr_wrap_add(s->constant, tsr_wrap_mul(t->constant, number.is));
    for (int i = 0; i < t->parts; ++i) {
        tsr_known by = t->number[i];
        by.is = tsr_wrap_mul(by.is, number.is);
        tsr_open_add_(f, s, t->value[i], by);
    }
}

/** v - n (v / n), n a power of two, is the low bits of v. */
TSR_LOCAL void tsr_find_lows_(tsr_formula *f, tsr_open_sum *s)
{
    for (int i = 0; i < s->parts; ++i) {
        tsr_value const q = f->value[s->value[i]];
        if (q.kind != TSR_VALUE_QUOTIENT || q.number.multiple != 0 || !tsr_is_pow2(q.number.is))
            continue;
        for (int k = 0; k < s->parts; ++k) {
            if (s->value[k] != q.of || s->number[k].multiple != 0
                || !tsr_is_(s->number[i], -tsr_wrap_mul(q.number.is, s->number[k].is)))
                continue;
            tsr_value low = tsr_value_of_(TSR_VALUE_LOW, q.of, q.number);
            low.least = 0;
            low.greatest = q.number.is - 1;
            s->value[k] = (uint8_t)tsr_new_value_(f, &low);
            tsr_open_drop_(s, i);
            i = -1;
            break;
        }
    }
}

/** Returns the value of a sum; `within` holds further known bounds of it. */
TSR_LOCAL int tsr_name_sum_(tsr_formula *f, tsr_open_sum *s, tsr_span_ within)
{
    tsr_find_lows_(f, s);
    bool const alone = s->parts == 1 && tsr_is_(s->number[0], 1) && s->constant == 0;
    tsr_span_ const span = tsr_open_span_(f, s);
    int at = s->value[0];
    if (!alone) {
        tsr_value v = tsr_value_of_(TSR_VALUE_SUM, 0, tsr_known_(s->constant));
        v.first = f->parts;
        v.parts = s->parts;
        v.least = span.least;
        v.greatest = span.greatest;
        if (f->parts + s->parts > TSR_MAX_PARTS) {
            tsr_formula_full_(f);
            return 0;
        }
        at = tsr_new_value_(f, &v);
        for (int i = 0; i < s->parts; ++i) {
            f->part[f->parts].value = s->value[i];
            f->part[f->parts++].number = s->number[i];
        }
    }
    f->value[at].least = tsr_max64(f->value[at].least, within.least);
    f->value[at].greatest = tsr_min64(f->value[at].greatest, within.greatest);
    *s = tsr_open_value_(at);
    return at;
}

/** q = e / n and r = e - n q; e is between the ends of `within`. */
TSR_LOCAL void tsr_open_divide_(tsr_formula *f, tsr_open_sum const *e, tsr_span_ within, tsr_known n, tsr_open_sum *q,
                                tsr_open_sum *r)
{
    tsr_open_sum const zero = TSR_ZERO, whole = *e;
    bool known = n.multiple == 0;
    *q = *r = zero;
    for (int i = 0; i < whole.parts; ++i)
        known = known && whole.number[i].multiple == 0;
    for (int i = 0; i < whole.parts && known; ++i) {
        tsr_open_add_(f, q, whole.value[i], tsr_known_(tsr_floor_div(whole.number[i].is, n.is)));
        tsr_open_add_(f, r, whole.value[i], tsr_known_(tsr_floor_mod(whole.number[i].is, n.is)));
    }
    q->constant = known ? tsr_floor_div(whole.constant, n.is) : 0;
    r->constant = known ? tsr_floor_mod(whole.constant, n.is) : 0;
    tsr_span_ const rest = tsr_open_span_(f, r);
    if (known && 0 <= rest.least && rest.greatest < n.is)
        return;
    bool const shorter = known && r->parts < whole.parts;
    if (!shorter) {
        *q = zero;
        *r = whole;
    }
    int const of = tsr_name_sum_(f, r, shorter ? tsr_span_of_(-TSR_INT_MAX, TSR_INT_MAX) : within);
    tsr_value v = tsr_value_of_(TSR_VALUE_QUOTIENT, of, n);
    tsr_value const *const dividend = &f->value[of];
    v.least = dividend->least >= 0 ? 0 : -TSR_INT_MAX;
    if (n.multiple == 0 && !tsr_endless_(dividend->least))
        v.least = tsr_floor_div(dividend->least, n.is);
    if (!tsr_endless_(dividend->greatest))
        v.greatest = n.multiple == 0 ? tsr_floor_div(dividend->greatest, n.is) : dividend->greatest;
    int const quotient = tsr_new_value_(f, &v);
    tsr_open_add_(f, q, quotient, tsr_known_(1));
    if (n.multiple == 0) {
        tsr_open_add_(f, r, quotient, tsr_known_(-n.is));
        return;
    }
    v.kind = TSR_VALUE_REST;
    v.other = (uint8_t)quotient;
    v.least = 0;
    v.greatest = TSR_INT_MAX;
    *r = tsr_open_value_(tsr_new_value_(f, &v));
}

TSR_HEADER_END

#endif
