/** A sum of two layouts: the digits of the coordinate that only add are one layout, and what is left is another one,
 *  behind a swizzle. Rows that are padded and swizzled are such sums.
 *
 *  Where that fails, two layouts that cut a mode of n in different places are looked for. Such a sum is
 *  g(x) = sum of c_w * floor(x / w) over divisors w of n, and the c_w follow from its steps: g(x) - g(x-1) is the
 *  sum of c_w of all w that divide x. The cuts of one layout divide each other, so the w with c_w != 0 are two such
 *  chains. */
#include "fit/fit.h"

#include <string.h>

/** A digit of the coordinate index: index / weight % extent. */
typedef struct digit {
    int64_t weight, extent;
    bool adds;
} digit;

/** The digits of a grid: of each leaf its factors of 2, then the odd one. */
static int digits_of(grid const *g, digit *d)
{
    int n = 0;
    for (int k = 0; k < g->leaves; ++k) {
        int64_t weight = g->weight[k], rest = g->extent[k];
        for (; rest > 1 && n < TSR_LINEAR_BITS; ++n) {
            int64_t const extent = rest % 2 == 0 ? 2 : rest;
            d[n] = (digit){weight, extent, false};
            weight *= extent;
            rest /= extent;
        }
    }
    return n;
}

static int64_t value_of(digit const *d, int64_t c) { return c / d->weight % d->extent; }

/** Does a digit add its stride whatever the others are? */
static bool adds(tsr_samples const *s, digit const *d)
{
    int64_t const stride = tsr_wrap_sub(s->value[d->weight], s->value[0]);
    for (int64_t c = 0; c < s->count; ++c) {
        int64_t const x = value_of(d, c);
        if (tsr_wrap_sub(s->value[c], s->value[c - x * d->weight]) != tsr_wrap_mul(x, stride))
            return false;
    }
    return true;
}

/** The digits that add, of every sample. */
static void take_digits(tsr_samples const *s, grid const *g, int64_t *sum)
{
    digit d[TSR_LINEAR_BITS];
    int const n = digits_of(g, d);
    for (int i = 0; i < n; ++i)
        d[i].adds = adds(s, &d[i]);
    for (int64_t c = 0; c < s->count; ++c) {
        sum[c] = 0;
        for (int i = 0; i < n; ++i)
            if (d[i].adds)
                sum[c] = tsr_wrap_add(
                    sum[c], tsr_wrap_mul(value_of(&d[i], c), tsr_wrap_sub(s->value[d[i].weight], s->value[0])));
    }
}

/* Cuts */

enum { MOST_CUTS = 128 }; /* a number up to TSR_LAW_BUDGET has no more divisors */

typedef struct cuts {
    int count;
    int64_t at[MOST_CUTS], by[MOST_CUTS];
    int chain[MOST_CUTS]; /* 0 or 1 */
} cuts;

/** The cuts of a leaf whose steps are not 0. */
static void take_cuts(tsr_samples const *s, grid const *g, int k, cuts *r)
{
    r->count = 0;
    for (int64_t w = 1; w < g->extent[k]; ++w) {
        if (g->extent[k] % w != 0 || r->count == MOST_CUTS)
            continue;
        int64_t by = tsr_wrap_sub(s->value[w * g->weight[k]], s->value[(w - 1) * g->weight[k]]);
        for (int i = 0; i < r->count; ++i)
            if (w % r->at[i] == 0)
                by = tsr_wrap_sub(by, r->by[i]);
        if (by != 0) {
            r->at[r->count] = w;
            r->by[r->count++] = by;
        }
    }
}

/** Puts a cut and all that must then stand in one chain or the other: two that do not divide each other stand apart. */
static bool put_cut(cuts *r, int from)
{
    int queue[MOST_CUTS], n = 0;
    r->chain[from] = 0;
    queue[n++] = from;
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < r->count; ++i) {
            int64_t const a = r->at[queue[k]], b = r->at[i];
            if (a % b == 0 || b % a == 0)
                continue;
            if (r->chain[i] == r->chain[queue[k]])
                return false;
            if (r->chain[i] < 0)
                queue[n++] = i;
            r->chain[i] = 1 - r->chain[queue[k]];
        }
    return true;
}

/** The second chain of every leaf, of every sample; false: some leaf has more than two, or none has a second one. */
static bool take_chains(tsr_samples const *s, grid const *g, int64_t *sum)
{
    cuts c;
    bool some = false;
    memset(sum, 0, (size_t)s->count * sizeof *sum);
    for (int k = 0; k < g->leaves; ++k) {
        take_cuts(s, g, k, &c);
        for (int i = 0; i < c.count; ++i)
            c.chain[i] = -1;
        for (int i = 0; i < c.count; ++i)
            if (c.chain[i] < 0 && !put_cut(&c, i))
                return false;
        for (int i = 0; i < c.count; ++i)
            for (int64_t x = 0; x < s->count && c.chain[i] == 1; ++x)
                sum[x] = tsr_wrap_add(sum[x], tsr_wrap_mul(grid_digit(g, k, x) / c.at[i], c.by[i]));
        for (int i = 0; i < c.count; ++i)
            some = some || c.chain[i] == 1;
    }
    return some;
}

/** Are the samples less the numbers of `sum` a layout, and is `sum` another one? */
static bool fit_both(tsr_samples const *s, int64_t *rest, int64_t const *sum, tsr_found *r)
{
    for (int64_t c = 0; c < s->count; ++c)
        rest[c] = tsr_wrap_sub(s->value[c], sum[c]);
    r->layout = tsr_fit(rest, s->count, s->shape);
    r->second = tsr_fit(sum, s->count, s->shape);
    r->ok = tsr_ok(r->layout) && tsr_ok(r->second);
    return r->ok;
}

bool tsr_fit_sum_(tsr_samples const *s, unsigned flags, tsr_found *r)
{
    grid const g = tsr_fit_grid_(&s->shape);
    int64_t *const rest = s->work, *const sum = s->work + s->count;
    if (tsr_fit_missing_(s) > 0) {
        snprintf(r->text, sizeof r->text, "a sum needs a sample of every coordinate");
        return false;
    }
    take_digits(s, &g, sum);
    if (!fit_both(s, rest, sum, r) && !(take_chains(s, &g, sum) && fit_both(s, rest, sum, r))) {
        take_digits(s, &g, sum); /* whose failure is told */
        (void)fit_both(s, rest, sum, r);
    }
    tsr_reason const why = tsr_layout_why(tsr_ok(r->layout) ? r->second : r->layout);
    if (why.status == TSR_FIT)
        tsr_fit_break_(r, s, why.number[0], tsr_wrap_add(why.number[1], sum[why.number[0]]));
    else if (!r->ok)
        tsr_fit_refuse_(r, why);
    if (!r->ok)
        return false;
    writer w;
    writer_open(&w, r->text, sizeof r->text);
    tsr_write_layout_(&w, &r->layout, flags);
    put(&w, " + ");
    tsr_write_layout_(&w, &r->second, flags);
    return true;
}
