/** The algebra of linear maps: composition, products and their factors, parts. */
#include "core/linear_side.h"

/** The first reason that one of two maps has. */
static tsr_linear bad_of(tsr_linear const *f, tsr_linear const *g)
{
    return tsr_bad_linear(tsr_reason_or(f->why, g->why));
}

static tsr_linear bad_match(int dim, int here, int there)
{
    return tsr_bad_linear(linear_mismatch(dim, here, there));
}

/** A basis of one side as that of another one that has its dimensions: of each the part, `above` its first bits. */
static uint64_t move_basis(tsr_linear_side const *from, uint64_t x, tsr_linear_side const *to,
                           tsr_linear_side const *above)
{
    uint64_t r = 0;
    for (int i = 0; i < from->count; ++i) {
        int const k = tsr_linear_dim(to, from->name[i]), under = above ? tsr_linear_dim(above, from->name[i]) : -1;
        int const shift = under < 0 ? 0 : above->bits[under];
        r |= shift > 63 ? 0 : linear_place(to, k, linear_part(from, i, x) << shift);
    }
    return r;
}

tsr_linear tsr_linear_composition(tsr_linear g, tsr_linear f)
{
    if (f.why.status || g.why.status)
        return bad_of(&g, &f);
    for (int i = 0; i < f.out.count; ++i) {
        int const k = tsr_linear_dim(&g.in, f.out.name[i]);
        if (k < 0 || f.out.bits[i] > g.in.bits[k])
            return bad_match(i, f.out.bits[i], k < 0 ? -1 : g.in.bits[k]);
    }
    for (int k = 0; k < g.in.count; ++k)
        if (tsr_linear_dim(&f.out, g.in.name[k]) < 0)
            return bad_match(k, -1, g.in.bits[k]);
    tsr_linear r = linear_between(&f.in, &g.out);
    for (int i = 0; i < tsr_linear_bits(&f.in); ++i)
        r.basis[i] = tsr_linear_at(&g, move_basis(&f.out, f.basis[i], &g.in, NULL));
    return r;
}

/* Products */

/** Is a name among the dimensions of a side from `first` on? */
static bool is_behind(tsr_linear_side const *side, int first, char const *name)
{
    return tsr_linear_dim(side, name) >= first;
}

/** The dimensions of both sides, in an order that both have, those of a first; the bits are added. The first dimension
 *  of b that has no place is returned, or -1. */
static int join_sides(tsr_linear_side const *a, tsr_linear_side const *b, tsr_linear_side *r)
{
    int i = 0, k = 0;
    while (i < a->count || k < b->count) {
        bool const both = i < a->count && k < b->count && strcmp(a->name[i], b->name[k]) == 0;
        if (both) {
            tsr_linear_side_add(r, a->name[i], a->bits[i] + b->bits[k]);
            ++i, ++k;
        } else if (i < a->count && !is_behind(b, k, a->name[i])) {
            tsr_linear_side_add(r, a->name[i], a->bits[i]);
            ++i;
        } else if (k < b->count && !is_behind(a, i, b->name[k])) {
            tsr_linear_side_add(r, b->name[k], b->bits[k]);
            ++k;
        } else {
            return k;
        }
    }
    return -1;
}

/** The bases of a factor among those of the product: behind the bits `inputs` and `outputs` of the other factor. */
static void put_factor(uint64_t *basis, tsr_linear const *f, tsr_linear_side const *in, tsr_linear_side const *out,
                       tsr_linear const *before)
{
    for (int i = 0; i < f->in.count; ++i) {
        int const under = before ? tsr_linear_dim(&before->in, f->in.name[i]) : -1;
        int const to = linear_begin(in, tsr_linear_dim(in, f->in.name[i])) + (under < 0 ? 0 : before->in.bits[under]);
        int const from = linear_begin(&f->in, i);
        for (int b = 0; b < f->in.bits[i]; ++b)
            basis[to + b] = move_basis(&f->out, f->basis[from + b], out, before ? &before->out : NULL);
    }
}

tsr_linear tsr_linear_multiply(tsr_linear f, tsr_linear g)
{
    tsr_linear_side in = TSR_ZERO, out = TSR_ZERO;
    uint64_t basis[TSR_LINEAR_BITS] = {0};
    if (f.why.status || g.why.status)
        return bad_of(&f, &g);
    int order = join_sides(&f.in, &g.in, &in);
    order = order < 0 ? join_sides(&f.out, &g.out, &out) : order;
    if (order >= 0)
        return bad_match(order, 0, -2);
    tsr_linear const empty = tsr_make_linear(&in, &out, basis);
    if (empty.why.status)
        return empty;
    put_factor(basis, &f, &in, &out, NULL);
    put_factor(basis, &g, &in, &out, &f);
    return tsr_make_linear(&in, &out, basis);
}

/** A side without the bits of a factor; the first dimension of the factor that it has not, or -1. */
static int rest_side(tsr_linear_side const *all, tsr_linear_side const *factor, tsr_linear_side *rest)
{
    *rest = *all;
    for (int i = 0; i < factor->count; ++i) {
        int const k = tsr_linear_dim(all, factor->name[i]);
        if (k < 0 || factor->bits[i] > all->bits[k])
            return i;
        rest->bits[k] = (uint8_t)(all->bits[k] - factor->bits[i]);
    }
    return -1;
}

/** The other factor of a product f that has the factor g, `first` or behind it. */
static tsr_linear divide(tsr_linear f, tsr_linear g, bool first)
{
    tsr_linear_side in, out;
    if (f.why.status || g.why.status)
        return bad_of(&f, &g);
    int const i = rest_side(&f.in, &g.in, &in), o = i < 0 ? rest_side(&f.out, &g.out, &out) : -1;
    if (i >= 0 || o >= 0) {
        tsr_linear_side const *const mine = i >= 0 ? &g.in : &g.out, *const all = i >= 0 ? &f.in : &f.out;
        int const at = i >= 0 ? i : o, k = tsr_linear_dim(all, mine->name[at]);
        return bad_match(at, mine->bits[at], k < 0 ? -1 : all->bits[k]);
    }
    tsr_linear h = linear_between(&in, &out);
    tsr_linear const *const low = first ? &g : &h;
    for (int dim = 0; dim < f.in.count; ++dim) { /* the parts above the lower factor's are those of the higher one */
        int const k = tsr_linear_dim(&low->in, f.in.name[dim]), lower = k < 0 ? 0 : low->in.bits[k];
        for (int b = 0; b < f.in.bits[dim]; ++b) {
            uint64_t const v = f.basis[linear_begin(&f.in, dim) + b];
            bool const mine = (b < lower) != first; /* of h, not of g */
            for (int d = 0; d < out.count && mine; ++d) {
                int const under = tsr_linear_dim(&g.out, out.name[d]);
                uint64_t const part = linear_part(&f.out, d, v);
                int const shift = first && under >= 0 ? g.out.bits[under] : 0;
                h.basis[linear_begin(&in, dim) + b - (first ? lower : 0)] |=
                    linear_place(&out, d, part >> shift & linear_mask(out.bits[d]));
            }
        }
    }
    tsr_linear const product = first ? tsr_linear_multiply(g, h) : tsr_linear_multiply(h, g);
    for (int b = 0; b < tsr_linear_bits(&f.in) && !product.why.status; ++b)
        if (product.basis[b] != f.basis[b])
            return tsr_bad_linear(tsr_because(TSR_LINEAR_FACTOR, 0, b, (int64_t)f.basis[b], 0));
    if (product.why.status)
        return product;
    return tsr_linear_equal(product, f).leaf[0].value ? h : bad_match(0, f.in.bits[0], -2);
}

tsr_linear tsr_linear_divide_left(tsr_linear f, tsr_linear g) { return divide(f, g, true); }

tsr_linear tsr_linear_divide_right(tsr_linear f, tsr_linear g) { return divide(f, g, false); }

/* Parts */

/** The first dimension in which sides that must be the same differ. */
static tsr_reason different(tsr_linear_side const *a, tsr_linear_side const *b)
{
    for (int i = 0; i < a->count || i < b->count; ++i) {
        bool const both = i < a->count && i < b->count && strcmp(a->name[i], b->name[i]) == 0;
        if (!both || a->bits[i] != b->bits[i])
            return linear_mismatch(i, i < a->count ? a->bits[i] : -1, both || i >= a->count ? b->bits[i] : -1);
    }
    return tsr_no_reason();
}

tsr_linear tsr_linear_concat_ins(tsr_linear f, tsr_linear g)
{
    uint64_t basis[TSR_LINEAR_BITS] = {0};
    int const mine = tsr_linear_bits(&f.in), all = mine + tsr_linear_bits(&g.in);
    tsr_reason const why = tsr_reason_or(tsr_reason_or(f.why, g.why), different(&f.out, &g.out));
    if (why.status)
        return tsr_bad_linear(why);
    tsr_linear_side in = f.in;
    for (int i = 0; i < g.in.count; ++i)
        tsr_linear_side_add(&in, g.in.name[i], g.in.bits[i]);
    for (int i = 0; i < all && i < TSR_LINEAR_BITS; ++i)
        basis[i] = i < mine ? f.basis[i] : g.basis[i - mine];
    return tsr_make_linear(&in, &f.out, basis);
}

tsr_linear tsr_linear_concat_outs(tsr_linear f, tsr_linear g)
{
    uint64_t basis[TSR_LINEAR_BITS] = {0};
    int const mine = tsr_linear_bits(&f.out);
    tsr_reason const why = tsr_reason_or(tsr_reason_or(f.why, g.why), different(&f.in, &g.in));
    if (why.status)
        return tsr_bad_linear(why);
    tsr_linear_side out = f.out;
    for (int i = 0; i < g.out.count; ++i)
        tsr_linear_side_add(&out, g.out.name[i], g.out.bits[i]);
    for (int i = 0; i < tsr_linear_bits(&f.in); ++i)
        basis[i] = f.basis[i] | (mine < 64 ? g.basis[i] << mine : 0);
    return tsr_make_linear(&f.in, &out, basis);
}

/** The dimensions of a side at these places. */
static tsr_reason select_side(tsr_linear_side const *side, tsr_tuple const *places, tsr_linear_side *r)
{
    *r = (tsr_linear_side)TSR_ZERO;
    if (places->status)
        return tsr_tuple_why(*places);
    for (int i = 0; i < places->leaves && places->leaf[i].kind != TSR_UNIT; ++i) {
        int64_t const at = places->leaf[i].value;
        if (!tsr_leaf_is_int(places->leaf[i]) || at < 0 || at >= side->count)
            return tsr_because(TSR_INDEX, 0, at, side->count, 0);
        tsr_linear_side_add(r, side->name[at], side->bits[at]);
    }
    return tsr_no_reason();
}

tsr_linear tsr_linear_select_ins(tsr_linear f, tsr_tuple places)
{
    tsr_linear_side in;
    uint64_t basis[TSR_LINEAR_BITS] = {0};
    tsr_reason const why = f.why.status ? f.why : select_side(&f.in, &places, &in);
    if (why.status)
        return tsr_bad_linear(why);
    for (int i = 0; i < in.count && i < TSR_LINEAR_DIMS; ++i)
        for (int b = 0; b < in.bits[i] && linear_begin(&in, i) + b < TSR_LINEAR_BITS; ++b)
            basis[linear_begin(&in, i) + b] = f.basis[linear_begin(&f.in, tsr_linear_dim(&f.in, in.name[i])) + b];
    return tsr_make_linear(&in, &f.out, basis);
}

tsr_linear tsr_linear_select_outs(tsr_linear f, tsr_tuple places)
{
    tsr_linear_side out;
    uint64_t basis[TSR_LINEAR_BITS] = {0};
    tsr_reason const why = f.why.status ? f.why : select_side(&f.out, &places, &out);
    tsr_linear const empty = why.status ? tsr_bad_linear(why) : tsr_make_linear(&f.in, &out, basis);
    for (int i = 0; i < tsr_linear_bits(&f.in) && !empty.why.status; ++i)
        for (int d = 0; d < out.count; ++d)
            basis[i] |= linear_place(&out, d, linear_part(&f.out, tsr_linear_dim(&f.out, out.name[d]), f.basis[i]));
    return empty.why.status ? empty : tsr_make_linear(&f.in, &out, basis);
}

/** One dimension of all bits. */
static tsr_linear_side flat_side(tsr_linear_side const *side)
{
    tsr_linear_side r = TSR_ZERO;
    if (side->count > 0)
        tsr_linear_side_add(&r, side->name[0], tsr_linear_bits(side));
    return r;
}

tsr_linear tsr_linear_flatten_ins(tsr_linear f)
{
    tsr_linear_side const in = flat_side(&f.in);
    return f.why.status ? f : tsr_make_linear(&in, &f.out, f.basis);
}

tsr_linear tsr_linear_flatten_outs(tsr_linear f)
{
    tsr_linear_side const out = flat_side(&f.out);
    return f.why.status ? f : tsr_make_linear(&f.in, &out, f.basis);
}
