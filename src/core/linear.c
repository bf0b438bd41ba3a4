/** Linear maps over F2: their sides, what makes one, its values, and when two are the same. */
#include "core/linear_side.h"

tsr_linear tsr_bad_linear(tsr_reason why)
{
    tsr_linear r = TSR_ZERO;
    r.why = why;
    return r;
}

void tsr_linear_side_add(tsr_linear_side *side, char const *name, int bits)
{
    int const i = side->count < TSR_LINEAR_DIMS ? side->count : TSR_LINEAR_DIMS - 1;
    size_t const n = strlen(name);
    side->count = (uint8_t)(side->count < 255 ? side->count + 1 : 255);
    side->bits[i] = (uint8_t)(bits < 0 || bits > 255 ? 255 : bits);
    memset(side->name[i], 0, TSR_LINEAR_NAME);
    if (n < TSR_LINEAR_NAME) /* a longer one stays empty, which is refused */
        memcpy(side->name[i], name, n);
}

int tsr_linear_dim(tsr_linear_side const *side, char const *name)
{
    for (int i = 0; i < side->count; ++i)
        if (strcmp(side->name[i], name) == 0)
            return i;
    return -1;
}

static bool is_name(char const *name)
{
    static char const letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    size_t const n = strspn(name, letters);
    return n > 0 && n < TSR_LINEAR_NAME && name[n] == 0 && !(name[0] >= '0' && name[0] <= '9');
}

/** Why a side is none. */
static tsr_reason side_why(tsr_linear_side const *side)
{
    if (side->count > TSR_LINEAR_DIMS)
        return tsr_because(TSR_LINEAR_CAPACITY, 0, side->count, TSR_LINEAR_DIMS, 0);
    for (int i = 0; i < side->count; ++i) {
        if (!is_name(side->name[i]) || tsr_linear_dim(side, side->name[i]) < i)
            return tsr_because(TSR_LINEAR_BAD_NAME, i, TSR_LINEAR_NAME - 1, 0, 0);
        if (side->bits[i] > TSR_LINEAR_DIM_BITS)
            return tsr_because(TSR_LINEAR_CAPACITY, i, side->bits[i], TSR_LINEAR_DIM_BITS, 0);
    }
    int const bits = tsr_linear_bits(side);
    return bits > TSR_LINEAR_BITS ? tsr_because(TSR_LINEAR_CAPACITY, 0, bits, TSR_LINEAR_BITS, 0) : tsr_no_reason();
}

tsr_linear tsr_make_linear(tsr_linear_side const *in, tsr_linear_side const *out, uint64_t const *basis)
{
    tsr_reason why = tsr_reason_or(side_why(in), side_why(out));
    int const bits = why.status ? 0 : tsr_linear_bits(in), outs = why.status ? 0 : tsr_linear_bits(out);
    for (int i = 0; i < bits && !why.status; ++i)
        if (basis[i] & ~linear_mask(outs))
            why = tsr_because(TSR_OUTSIDE, i, (int64_t)(basis[i] & (uint64_t)TSR_INT_MAX),
                              outs < 62 ? (int64_t)1 << outs : TSR_INT_MAX, 0);
    if (why.status)
        return tsr_bad_linear(why);
    tsr_linear r = linear_between(in, out);
    for (int i = 0; i < bits; ++i)
        r.basis[i] = basis[i];
    return r;
}

tsr_tuple tsr_linear_call(tsr_linear f, tsr_tuple coord)
{
    uint64_t x = 0;
    if (f.why.status || coord.status)
        return f.why.status ? tsr_reason_tuple(f.why) : coord;
    bool const index = tsr_is_leaf(&coord) && !tsr_is_unit(&coord);
    int const modes = tsr_mode_count(&coord);
    if (!index && modes != f.in.count)
        return tsr_bad_tuple(TSR_RANK, 0, modes, f.in.count, 0);
    for (int i = 0; i < (index ? 1 : modes); ++i) {
        tsr_tuple const at = index ? coord : tsr_tuple_get(coord, i);
        int const bits = index ? tsr_linear_bits(&f.in) : f.in.bits[i];
        int64_t const v = tsr_is_leaf(&at) && tsr_leaf_is_int(at.leaf[0]) ? at.leaf[0].value : -1;
        if (v < 0 || (bits < 63 && v >> bits != 0))
            return tsr_bad_tuple(TSR_OUTSIDE, i, v, bits < 62 ? (int64_t)1 << bits : TSR_INT_MAX, 0);
        x |= index ? (uint64_t)v : linear_place(&f.in, i, (uint64_t)v);
    }
    uint64_t const y = tsr_linear_at(&f, x);
    tsr_tuple r = TSR_ZERO;
    for (int i = 0; i < f.out.count; ++i) {
        tsr_tuple const part = tsr_int((int64_t)linear_part(&f.out, i, y));
        if (f.out.count == 1)
            return part;
        tsr_tuple_push(&r, &part);
    }
    return f.out.count == 0 ? tsr_unit() : tsr_tuple_close(r);
}

static bool sides_equal(tsr_linear_side const *a, tsr_linear_side const *b)
{
    bool same = a->count == b->count;
    for (int i = 0; i < a->count && same; ++i)
        same = a->bits[i] == b->bits[i] && strcmp(a->name[i], b->name[i]) == 0;
    return same;
}

tsr_tuple tsr_linear_equal(tsr_linear f, tsr_linear g)
{
    if (f.why.status || g.why.status)
        return tsr_reason_tuple(tsr_reason_or(f.why, g.why));
    bool same = sides_equal(&f.in, &g.in) && sides_equal(&f.out, &g.out);
    for (int i = 0; i < TSR_LINEAR_BITS; ++i)
        same = same && f.basis[i] == g.basis[i];
    return tsr_s(same);
}

/** The first dimension of a that is not in b: of no such name, or, where bits count, of other bits. */
static tsr_reason unmatched(tsr_linear_side const *a, tsr_linear_side const *b, bool bits)
{
    for (int i = 0; i < a->count; ++i) {
        int const k = tsr_linear_dim(b, a->name[i]);
        if (k < 0 || (bits && a->bits[i] != b->bits[k]))
            return linear_mismatch(i, a->bits[i], k < 0 ? -1 : b->bits[k]);
    }
    return tsr_no_reason();
}

/** Input bit `bit` of a map as that of another one with the same inputs in another order. */
static int bit_of(tsr_linear_side const *of, tsr_linear_side const *in, int bit)
{
    int dim = 0;
    while (bit >= linear_begin(in, dim + 1))
        ++dim;
    return linear_begin(of, tsr_linear_dim(of, in->name[dim])) + bit - linear_begin(in, dim);
}

tsr_verdict tsr_linear_same_function(tsr_linear f, tsr_linear g)
{
    tsr_reason why = tsr_reason_or(f.why, g.why);
    if (why.status)
        return tsr_undecided_(why);
    why = tsr_reason_or(unmatched(&f.in, &g.in, true), unmatched(&g.in, &f.in, true));
    why = tsr_reason_or(why, tsr_reason_or(unmatched(&f.out, &g.out, false), unmatched(&g.out, &f.out, false)));
    if (why.status)
        return tsr_no_((tsr_status)why.status, why.mode, why.number[0], why.number[1], 0);
    for (int i = 0; i < tsr_linear_bits(&f.in); ++i)
        for (int k = 0; k < f.out.count; ++k) {
            int const other = tsr_linear_dim(&g.out, f.out.name[k]);
            uint64_t const a = linear_part(&f.out, k, f.basis[i]);
            uint64_t const b = linear_part(&g.out, other, g.basis[bit_of(&g.in, &f.in, i)]);
            if (a != b)
                return tsr_no_(TSR_DIFFER, k, i < 63 ? (int64_t)1 << i : TSR_INT_MAX, (int64_t)a, (int64_t)b);
        }
    return tsr_yes_();
}
