/** The bodies of tile/digits.h. */
#ifndef TSR_TILE_BODY_DIGITS_H
#define TSR_TILE_BODY_DIGITS_H

#include "tessera/tile/digits.h"
#include "tessera/tile/body/coordinate.h"

TSR_HEADER_BEGIN

TSR_LOCAL int tsr_add_digit_(tsr_digits *s, tsr_digit_kind kind, int dim, int64_t weight, int64_t least,
                             int64_t extent)
{
    if (s->count == TSR_MAX_DIGITS) {
        s->full = true;
        return 0;
    }
    tsr_digit *const g = &s->digit[s->count];
    g->kind = (uint8_t)kind;
    g->dim = (uint8_t)dim;
    g->weight = weight;
    g->least = least;
    g->extent = extent;
    return s->count++;
}

TSR_LOCAL void tsr_sum_clear_(tsr_digits *s, int slot)
{
    tsr_digit_sum const zero = TSR_ZERO;
    s->slot[slot] = zero;
}

/** slot += factor * from */
TSR_LOCAL void tsr_sum_add_(tsr_digits *s, int slot, int from, int64_t factor)
{
    tsr_digit_sum *const to = &s->slot[slot];
    tsr_digit_sum const *const e = &s->slot[from];
    int64_t product = 0;
    if (!tsr_mul64(e->constant, factor, &product) || !tsr_add64(to->constant, product, &to->constant))
        s->full = true;
    for (int i = 0; i < s->count; ++i)
        if (e->term[i] != 0
            && (!tsr_mul64(e->term[i], factor, &product) || !tsr_add64(to->term[i], product, &to->term[i])))
            s->full = true;
}

/** The least and the greatest value of a sum. Exact when all its digits are of the top index. */
TSR_LOCAL void tsr_sum_range_(tsr_digits *s, int slot, int64_t *least, int64_t *greatest)
{
    tsr_digit_sum const *const e = &s->slot[slot];
    *least = *greatest = e->constant;
    for (int i = 0; i < s->count; ++i) {
        int64_t a = 0, b = 0;
        tsr_digit const *const g = &s->digit[i];
        if (e->term[i] == 0)
            continue;
        if (!tsr_mul64(e->term[i], g->least, &a) || !tsr_mul64(e->term[i], g->least + (g->extent - 1), &b)
            || !tsr_add64(*least, tsr_min64(a, b), least) || !tsr_add64(*greatest, tsr_max64(a, b), greatest))
            s->full = true;
    }
}

/** Splits digit i into a low one of extent n, in its place, and a high one; n divides its extent. */
TSR_LOCAL void tsr_split_digit_(tsr_digits *s, int i, int64_t n)
{
    tsr_digit *const g = &s->digit[i];
    int const high = tsr_add_digit_(s, TSR_DIGIT_TOP, g->dim, g->weight * n, 0, g->extent / n);
    if (s->full)
        return;
    g->extent = n;
    for (int k = 0; k < TSR_DIGIT_SLOTS; ++k)
        if (s->slot[k].term[i] != 0 && !tsr_mul64(s->slot[k].term[i], n, &s->slot[k].term[high]))
            s->full = true;
}

/** e = q * length + r, 0 <= r < length, in slots; e may be q or r. */
TSR_LOCAL void tsr_cut_sum_(tsr_digits *s, int e, int64_t length, int q, int r)
{
    int64_t least = 0, greatest = 0;
    for (int i = 0; i < s->count; ++i) { /* splits add digits at the end, which are looked at in their turn */
        int64_t const rest = s->slot[e].term[i] % length;
        int64_t const n = rest == 0 ? 1 : length / tsr_gcd64(rest < 0 ? -rest : rest, length);
        tsr_digit const *const g = &s->digit[i];
        if (g->kind == TSR_DIGIT_TOP && n > 1 && n < g->extent && g->extent % n == 0)
            tsr_split_digit_(s, i, n);
        if (s->full)
            return;
    }
    tsr_digit_sum const sum = s->slot[e];
    tsr_sum_clear_(s, q);
    tsr_sum_clear_(s, r);
    s->slot[r].constant = sum.constant;
    for (int i = 0; i < s->count; ++i) {
        s->slot[r].term[i] = sum.term[i] % length;
        s->slot[q].term[i] = sum.term[i] / length;
    }
    tsr_sum_range_(s, r, &least, &greatest);
    int64_t const down = tsr_floor_div(least, length);
    s->slot[q].constant = down;
    s->slot[r].constant -= down * length;
    greatest -= down * length;
    if (s->full || greatest < length)
        return;
    int const opaque = tsr_add_digit_(s, TSR_DIGIT_QUOTIENT, 0, 0, 0, greatest / length + 1);
    if (!s->full) {
        s->slot[q].term[opaque] = 1;
        s->slot[r].term[opaque] = -length;
    }
}

TSR_LOCAL bool tsr_sum_is_constant_(tsr_digits const *s, int slot)
{
    for (int i = 0; i < s->count; ++i)
        if (s->slot[slot].term[i] != 0)
            return false;
    return true;
}

/** A slot xor bits: cut at every set bit b, which turns into 1 - b. */
TSR_LOCAL void tsr_xor_constant_(tsr_digits *s, int slot, int64_t bits)
{
    int const high = TSR_MAX_HIDDEN, bit = high + 1, low = high + 2;
    for (int k = 0; k < 62 && bits >> k != 0 && !s->full; ++k) {
        int64_t const one = (int64_t)1 << k;
        if ((bits >> k & 1) == 0)
            continue;
        tsr_cut_sum_(s, slot, 2 * one, high, low);
        tsr_cut_sum_(s, low, one, bit, low);
        tsr_sum_clear_(s, slot);
        tsr_sum_add_(s, slot, high, 2 * one);
        tsr_sum_add_(s, slot, bit, -one);
        tsr_sum_add_(s, slot, low, 1);
        s->slot[slot].constant += one;
    }
}

TSR_LOCAL void tsr_opaque_(tsr_digits *s, tsr_digit_kind kind, int64_t least, int64_t greatest, int slot)
{
    int const digit = tsr_add_digit_(s, kind, 0, 0, least, greatest - least + 1);
    tsr_sum_clear_(s, slot);
    s->slot[slot].term[digit] = 1;
}

/** The sums below one transform, from those above. */
TSR_LOCAL void tsr_digits_below_(tsr_digits *s, tsr_adaptor const *a, int i)
{
    tsr_node const *const n = &a->node[i];
    uint8_t const *const low = &a->low[n->low];
    int const scratch = TSR_MAX_HIDDEN, mask = TSR_MAX_HIDDEN + 1;
    int64_t least = 0, greatest = 0;
    switch ((tsr_transform_map)n->map) {
    case TSR_MAP_LINEAR:
        for (int k = n->up; k < n->up + n->ups; ++k)
            tsr_sum_add_(s, low[0], k, a->coefficient[k]);
        if (!tsr_add64(s->slot[low[0]].constant, a->number[i], &s->slot[low[0]].constant))
            s->full = true;
        break;
    case TSR_MAP_DIGITS: /* the slot of the slowest digit holds the rest to cut */
        if (n->lows > 0)
            s->slot[low[0]] = s->slot[n->up];
        for (int k = n->lows - 1; k > 0 && !s->full; --k)
            tsr_cut_sum_(s, low[0], a->length[low[k]], low[0], low[k]);
        break;
    case TSR_MAP_REMAINDER:
        tsr_cut_sum_(s, n->up, a->number[i], scratch, low[0]);
        break;
    case TSR_MAP_EXCLUSIVE: {
        int64_t const length = a->length[low[1]];
        tsr_cut_sum_(s, n->up, length, scratch, mask);
        s->slot[low[0]] = s->slot[n->up];
        s->slot[low[1]] = s->slot[n->up + 1];
        tsr_sum_range_(s, n->up + 1, &least, &greatest);
        if (tsr_sum_is_constant_(s, mask))
            tsr_xor_constant_(s, low[1], s->slot[mask].constant);
        else
            tsr_opaque_(s, TSR_DIGIT_XOR, tsr_floor_div(least, length) * length,
                        tsr_floor_div(greatest, length) * length + length - 1, low[1]);
        break;
    }
    case TSR_MAP_TABLE:
        tsr_opaque_(s, TSR_DIGIT_GATHER, 0, a->number[i] - 1, low[0]);
        break;
    case TSR_MAP_NOTHING:
        break;
    }
}

TSR_OP void tsr_make_digits(tsr_digits *s, tsr_adaptor const *a)
{
    s->count = 0;
    s->full = false;
    for (int i = 0; i < TSR_DIGIT_SLOTS; ++i)
        tsr_sum_clear_(s, i);
    for (int i = 0; i < a->tops; ++i)
        if (a->length[a->top[i]] > 1)
            s->slot[a->top[i]].term[tsr_add_digit_(s, TSR_DIGIT_TOP, i, 1, 0, a->length[a->top[i]])] = 1;
    for (int i = a->nodes - 1; i >= 0 && !s->full; --i)
        tsr_digits_below_(s, a, i);
}

TSR_HEADER_END

#endif
