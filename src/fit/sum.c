/** A sum of two layouts: the digits of the coordinate that only add are one layout, and what is left is another one,
 *  behind a swizzle. Rows that are padded and swizzled are such sums. */
#include "fit/fit.h"

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

bool tsr_fit_sum_(tsr_samples const *s, unsigned flags, tsr_found *r)
{
    grid const g = tsr_fit_grid_(&s->shape);
    digit d[TSR_LINEAR_BITS];
    int const n = digits_of(&g, d);
    int64_t *const rest = s->work, *const sum = s->work + s->count;
    if (tsr_fit_missing_(s) > 0) {
        snprintf(r->text, sizeof r->text, "a sum needs a sample of every coordinate");
        return false;
    }
    for (int i = 0; i < n; ++i)
        d[i].adds = adds(s, &d[i]);
    for (int64_t c = 0; c < s->count; ++c) {
        sum[c] = 0;
        for (int i = 0; i < n; ++i)
            if (d[i].adds)
                sum[c] = tsr_wrap_add(sum[c], tsr_wrap_mul(value_of(&d[i], c),
                                                   tsr_wrap_sub(s->value[d[i].weight], s->value[0])));
        rest[c] = tsr_wrap_sub(s->value[c], sum[c]);
    }
    r->layout = tsr_fit(rest, s->count, s->shape);
    r->second = tsr_fit(sum, s->count, s->shape);
    r->ok = tsr_ok(r->layout) && tsr_ok(r->second);
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
