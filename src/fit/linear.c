/** The linear map of samples: bits of the coordinate to bits of the value, by elimination, so that few samples do. */
#include "fit/fit.h"

/** Samples in echelon form: for each bit, the index whose lowest bit it is, and its value. */
typedef struct rows {
    uint64_t index[TSR_LINEAR_BITS], value[TSR_LINEAR_BITS], pivots;
} rows;

static int lowest(uint64_t x) { return tsr_bit_width(x & (0 - x)) - 1; }

/** What the samples say of an index: its value, and what is left of the index where they say nothing. */
static uint64_t said(rows const *r, uint64_t *index)
{
    uint64_t v = 0;
    for (uint64_t rest = *index & r->pivots; rest; rest = *index & r->pivots) {
        v ^= r->value[lowest(rest)];
        *index ^= r->index[lowest(rest)];
    }
    return v;
}

/** One more sample, kept reduced: no row has the pivot of another one. */
static void insert(rows *r, uint64_t index, uint64_t value)
{
    int const p = lowest(index);
    for (uint64_t rest = r->pivots; rest; rest &= rest - 1) {
        int const q = lowest(rest);
        if (r->index[q] >> p & 1u) {
            r->index[q] ^= index;
            r->value[q] ^= value;
        }
    }
    r->index[p] = index;
    r->value[p] = value;
    r->pivots |= (uint64_t)1 << p;
}

/** The inputs are the modes, by their names or dim0, dim1, ..; the first extent that is no power of two is refused. */
static tsr_reason inputs_of(tsr_samples const *s, tsr_linear_side *in)
{
    for (int m = 0; m < tsr_mode_count(&s->shape); ++m) {
        tsr_tuple const mode = tsr_tuple_get(s->shape, m);
        grid const g = tsr_fit_grid_(&mode);
        char name[TSR_LINEAR_NAME];
        if (!tsr_is_pow2(g.size))
            return tsr_because(TSR_LINEAR_EXTENT, m, g.size, 0, 0);
        snprintf(name, sizeof name, "dim%d", m);
        bool const named = m < TSR_LINEAR_DIMS && s->name[m][0];
        tsr_linear_side_add(in, named ? s->name[m] : name, tsr_bit_width((uint64_t)g.size) - 1);
    }
    return tsr_no_reason();
}

bool tsr_fit_linear_(tsr_samples const *s, tsr_found *r)
{
    rows of = TSR_ZERO;
    tsr_linear_side in = TSR_ZERO, out = TSR_ZERO;
    uint64_t basis[TSR_LINEAR_BITS] = {0}, all = 0;
    tsr_reason const why = inputs_of(s, &in);
    if (why.status)
        return tsr_fit_refuse_(r, why), false;
    for (int64_t c = 0; c < s->count; ++c) {
        if (s->value[c] == TSR_BAD_OFFSET)
            continue;
        if (s->value[c] < 0)
            return tsr_fit_refuse_(r, tsr_because(TSR_NEGATIVE, 0, s->value[c], 0, 0)), false;
        uint64_t index = (uint64_t)c;
        uint64_t const value = said(&of, &index);
        if (index)
            insert(&of, index, value ^ (uint64_t)s->value[c]);
        else if (value != (uint64_t)s->value[c])
            return tsr_fit_break_(r, s, c, (int64_t)value), false;
    }
    for (int b = 0; b < tsr_linear_bits(&in); ++b) { /* what no sample says of a bit is 0 */
        basis[b] = of.pivots >> b & 1u ? of.value[b] : 0;
        all |= basis[b];
    }
    tsr_linear_side_add(&out, "offset", tsr_bit_width(all));
    r->map = tsr_make_linear(&in, &out, basis);
    r->ok = !r->map.why.status;
    tsr_format_linear(r->text, sizeof r->text, r->map);
    return r->ok;
}
