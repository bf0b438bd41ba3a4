/** The rank of linear maps, what follows from it, and inverses. */
#include "core/linear_side.h"

/** An index as a number of a reason. */
static int64_t as_index(uint64_t x) { return x > (uint64_t)TSR_INT_MAX ? TSR_INT_MAX : (int64_t)x; }

static tsr_reason why_not_injective(linear_echelon const *e)
{
    return e->free ? tsr_because(TSR_NOT_INJECTIVE, 0, 0, as_index(e->kernel), 0) : tsr_no_reason();
}

static tsr_reason why_not_surjective(linear_echelon const *e, int bits)
{
    uint64_t const missed = linear_mask(bits) & ~e->pivots;
    return missed ? tsr_because(TSR_NOT_SURJECTIVE, 0, as_index(missed & (0 - missed)), 0, 0) : tsr_no_reason();
}

static tsr_verdict verdict_of(tsr_linear const *f, tsr_reason why)
{
    return f->why.status ? tsr_undecided_(f->why)
           : why.status  ? tsr_no_((tsr_status)why.status, why.mode, why.number[0], why.number[1], why.number[2])
                         : tsr_yes_();
}

tsr_tuple tsr_linear_rank(tsr_linear f)
{
    return f.why.status ? tsr_reason_tuple(f.why) : tsr_s(linear_echelon_of(&f).rank);
}

tsr_verdict tsr_linear_is_injective(tsr_linear f)
{
    linear_echelon const e = linear_echelon_of(&f);
    return verdict_of(&f, why_not_injective(&e));
}

tsr_verdict tsr_linear_is_surjective(tsr_linear f)
{
    linear_echelon const e = linear_echelon_of(&f);
    return verdict_of(&f, why_not_surjective(&e, tsr_linear_bits(&f.out)));
}

tsr_verdict tsr_linear_is_bijective(tsr_linear f)
{
    linear_echelon const e = linear_echelon_of(&f);
    return verdict_of(&f, tsr_reason_or(why_not_injective(&e), why_not_surjective(&e, tsr_linear_bits(&f.out))));
}

tsr_tuple tsr_linear_broadcast_bits(tsr_linear f)
{
    linear_echelon const e = linear_echelon_of(&f);
    tsr_tuple r = TSR_ZERO;
    if (f.why.status)
        return tsr_reason_tuple(f.why);
    for (int i = 0; i < f.in.count; ++i) {
        tsr_tuple const mask = tsr_s((int64_t)linear_part(&f.in, i, e.free));
        tsr_tuple_push(&r, &mask);
    }
    return f.in.count == 0 ? tsr_unit() : tsr_tuple_close(r);
}

/** The inverse on the span of the bases, 0 on the outputs that are no pivots. */
static tsr_linear inverse(tsr_linear const *f, bool left, bool right)
{
    if (f->why.status)
        return *f;
    linear_echelon const e = linear_echelon_of(f);
    int const bits = tsr_linear_bits(&f->out);
    tsr_reason const why = tsr_reason_or(left ? why_not_injective(&e) : tsr_no_reason(),
                                         right ? why_not_surjective(&e, bits) : tsr_no_reason());
    tsr_linear r = linear_between(&f->out, &f->in);
    for (int p = 0; p < bits; ++p)
        r.basis[p] = e.pivots >> p & 1u ? e.inputs[p] : 0;
    return why.status ? tsr_bad_linear(why) : r;
}

tsr_linear tsr_linear_pseudo_inverse(tsr_linear f) { return inverse(&f, false, false); }

tsr_linear tsr_linear_left_inverse(tsr_linear f) { return inverse(&f, true, false); }

tsr_linear tsr_linear_right_inverse(tsr_linear f) { return inverse(&f, false, true); }

tsr_tuple tsr_linear_largest_vector(tsr_linear f)
{
    int n = 0;
    if (f.why.status)
        return tsr_reason_tuple(f.why);
    bool const some = f.in.count > 0 && f.out.count > 0;
    while (some && n < f.in.bits[0] && n < f.out.bits[0] && f.basis[n] == (uint64_t)1 << n)
        ++n;
    for (int i = 0; i < tsr_linear_bits(&f.in); ++i) /* the other bases leave whole vectors alone */
        while (i >= n && n > 0 && (f.basis[i] & linear_mask(n)))
            --n;
    return tsr_s((int64_t)1 << n);
}
