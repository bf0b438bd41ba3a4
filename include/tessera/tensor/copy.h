/** Copy: element i of the source to element i of the destination, for any layouts of one size and any types.
 *
 *  Law     after copy(s, d), d(i) = s(i), converted to d's type; copying back gives s again where d's type holds its
 *          numbers. Elements that lie side by side in both are moved together; how many is proved from the layouts.
 *  Errors  DIFFER_SIZE, OVERLAP, CONSTANT, NULL_DATA, NOT_NUMBERS, NOT_INJECTIVE where two elements would land in one,
 *          BOUNDS where one would be touched outside of the memory that s or d is a part of. Nothing is copied then.
 *  Return  the number of elements copied.
 *  Source  CuTe, include/cute/algorithm/copy.hpp.
 */
#ifndef TSR_TENSOR_COPY_H
#define TSR_TENSOR_COPY_H

#include "tessera/tensor/cursor.h"

/** How a copy is cut into accesses: each of `elements` elements, at `source` and `target`. */
typedef struct tsr_accesses {
    int64_t elements, bits;
    tsr_tuple why;             /* not wider; invalid tuples explain themselves */
    tsr_layout source, target; /* of the accesses */
} tsr_accesses;

/** Whether elements of this type are moved as they are. */
TSR_FN bool tsr_same_bits_(tsr_tensor const *s, tsr_tensor const *d)
{
    return s->engine.kind == TSR_POINTER && s->engine.map.kind == TSR_AS_IS && s->engine.type == d->engine.type;
}

/** What forbids a copy, be it of some elements only; else the size. */
TSR_INLINE tsr_tuple tsr_copyable_(tsr_tensor s, tsr_tensor d)
{
    tsr_tuple const from = tsr_readable(s), to = tsr_writable(d);
    if (from.status || to.status)
        return from.status ? from : to;
    int64_t const n = tsr_layout_size(s.layout), m = tsr_layout_size(d.layout);
    if (n != m)
        return tsr_bad_tuple(TSR_DIFFER_SIZE, 0, n, m, 0);
    bool const numbers = s.engine.kind != TSR_POINTER || tsr_number_kind_of(s.engine.type) != TSR_NO_NUMBER;
    if (!tsr_same_bits_(&s, &d) && (!numbers || tsr_number_kind_of(d.engine.type) == TSR_NO_NUMBER))
        return tsr_bad_tuple(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    tsr_verdict const once = tsr_is_injective(d.layout);
    if (once.answer != TSR_YES)
        return tsr_reason_tuple(once.why);
    tsr_tuple const apart = tsr_disjoint(s, d);
    return apart.status ? apart : tsr_int(n);
}

/** What forbids a copy of all elements; else the size. */
TSR_INLINE tsr_tuple tsr_copyable(tsr_tensor s, tsr_tensor d)
{
    tsr_tuple const n = tsr_copyable_(s, d), from = tsr_in_bounds(s), to = tsr_in_bounds(d);
    return n.status ? n : from.status ? from : to.status ? to : n;
}

/** The runs of `elements` elements that the first ones of `common` are. */
TSR_FN tsr_layout tsr_runs_(tsr_layout const *l, tsr_layout const *common, int64_t elements)
{
    tsr_layout const run = tsr_composition_by(*common, tsr_tiler_of_tuple(tsr_s(elements)));
    return tsr_mode(tsr_logical_divide_by(*l, tsr_tiler_of_layout(run)), 1);
}

/** How far an address lies past a multiple of `bytes`. */
TSR_FN int64_t tsr_past_(tsr_tensor const *t, int64_t bytes)
{
    return (int64_t)(t->engine.address % (uint64_t)bytes);
}

/** The widest access that copies s to d: what lies side by side in both, in whole accesses at every step, aligned to
 *  its own size (a power of two of bytes, at most max_bits), and why it is not wider. */
TSR_INLINE tsr_accesses tsr_copy_vector(tsr_tensor s, tsr_tensor d, int64_t max_bits)
{
    tsr_layout const a = tsr_static_all(s.layout), b = tsr_static_all(d.layout);
    int64_t const width = tsr_dtype_bits(d.engine.type), size = tsr_layout_size(d.layout);
    tsr_accesses r = TSR_ZERO;
    r.elements = 1;
    r.bits = width;
    r.source = s.layout;
    r.target = d.layout;
    r.why = tsr_bad_tuple(TSR_VECTOR_TYPE, 0, tsr_dtype_bits(s.engine.type), width, 0);
    if (!tsr_same_bits_(&s, &d))
        return r;
    tsr_layout const common = tsr_max_common_layout(tsr_inner_(a), tsr_inner_(b));
    tsr_tuple const whole = tsr_gcd(tsr_t(tsr_max_alignment(a), tsr_max_alignment(b)));
    int64_t const most = tsr_min64(tsr_kept_together_(&s.engine), tsr_kept_together_(&d.engine));
    int64_t side = common.shape.status || whole.status ? 1 : tsr_gcd64(tsr_layout_size(common), whole.leaf[0].value);
    if (side > most)
        side = tsr_gcd64(side, most);
    r.why = tsr_bad_tuple(TSR_VECTOR_LAYOUT, 0, side, 0, 0);
    for (int64_t n = 2, bits = 2 * width; side % n == 0; n *= 2, bits *= 2) {
        if (bits > max_bits) {
            r.why = tsr_bad_tuple(TSR_VECTOR_LIMIT, 0, max_bits, 0, 0);
            break;
        }
        if (bits % 8 != 0 || (bits & (bits - 1)) != 0)
            continue;
        int64_t const past = tsr_max64(tsr_past_(&s, bits / 8), tsr_past_(&d, bits / 8));
        if (past != 0 || s.engine.bit != 0 || d.engine.bit != 0) {
            r.why = tsr_bad_tuple(TSR_VECTOR_ALIGN, 0, bits / 8, past, 0);
            break;
        }
        tsr_layout const source = tsr_runs_(&a, &common, n), target = tsr_runs_(&b, &common, n);
        if (source.shape.status || target.shape.status || tsr_layout_size(source) * n != size
            || tsr_layout_size(target) * n != size)
            break; /* the runs do not split the modes evenly */
        r.elements = n;
        r.bits = bits;
        r.source = source;
        r.target = target;
    }
    return r;
}

/** Moves accesses of a whole number of bytes. */
TSR_INLINE void tsr_move_(tsr_engine const *s, tsr_engine const *d, tsr_accesses const *v)
{
    tsr_walk from = tsr_walk_begin(v->source), to = tsr_walk_begin(v->target);
    int const width = tsr_dtype_bits(d->type);
    int64_t const n = tsr_layout_size(v->source);
    for (int64_t i = 0; i < n; ++i) {
        int bit = 0;
        unsigned char const *const p = tsr_element_place_(s, from.offset, &bit);
        TSR_COPY(tsr_element_place_(d, to.offset, &bit), p, (size_t)(v->elements * width / 8));
        tsr_walk_next(&from);
        tsr_walk_next(&to);
    }
}

/** The element under one cursor to the other: its bits where the types are the same, else its number. */
TSR_INLINE void tsr_cursor_copy_(tsr_cursor const *from, tsr_cursor const *to, bool same)
{
    int const width = tsr_dtype_bits(to->engine.type);
    int at = 0, bit = 0;
    if (!same) {
        tsr_cursor_put(to, tsr_cursor_get(from));
        return;
    }
    unsigned char const *const p = tsr_element_place_(&from->engine, from->walk.offset, &at);
    unsigned char *const q = tsr_element_place_(&to->engine, to->walk.offset, &bit);
    if (width % 8 == 0)
        TSR_COPY(q, p, (size_t)width / 8);
    else
        tsr_store_bits_(q, bit, width, tsr_load_bits_(p, at, width));
}

/** copy(s, d). */
TSR_INLINE tsr_tuple tsr_copy(tsr_tensor s, tsr_tensor d)
{
    tsr_tuple const n = tsr_copyable(s, d);
    if (n.status)
        return n;
    bool const same = tsr_same_bits_(&s, &d);
    tsr_accesses const v = tsr_copy_vector(s, d, 1 << 30);
    if (same && v.bits % 8 == 0) {
        tsr_move_(&s.engine, &d.engine, &v);
        return n;
    }
    tsr_cursor from = tsr_cursor_begin(s), to = tsr_cursor_begin(d);
    for (int64_t i = 0; i < n.leaf[0].value; ++i, tsr_cursor_next(&from), tsr_cursor_next(&to))
        tsr_cursor_copy_(&from, &to, same);
    return n;
}

/** copy(s, d) by accesses of exactly `bits` bits. Errors: the reason why none is that wide. */
TSR_INLINE tsr_tuple tsr_copy_aligned(tsr_tensor s, tsr_tensor d, int64_t bits)
{
    tsr_tuple const n = tsr_copyable(s, d);
    if (n.status)
        return n;
    tsr_accesses const v = tsr_copy_vector(s, d, bits);
    if (v.bits != bits || bits % 8 != 0)
        return v.why;
    tsr_move_(&s.engine, &d.engine, &v);
    return n;
}

/** Whether the elements of a tensor whose predicate is not 0 lie in its bounds; if not, the first that does not. */
TSR_INLINE tsr_tuple tsr_chosen_in_bounds_(tsr_tensor predicate, tsr_tensor t)
{
    tsr_tuple r = tsr_in_bounds(t);
    if (r.status != TSR_BOUNDS)
        return r;
    int64_t const n = tsr_layout_size(t.layout);
    tsr_cursor test = tsr_cursor_begin(predicate), at = tsr_cursor_begin(t);
    r = tsr_s(1);
    for (int64_t i = 0; i < n && !r.status; ++i, tsr_cursor_next(&test), tsr_cursor_next(&at))
        if (!tsr_number_is_zero(tsr_cursor_get(&test)))
            r = tsr_element_inside_(&t.engine, at.walk.offset);
    return r;
}

/** Copies the elements whose predicate is not 0; the others of s and d are not touched, so that they may lie outside of
 *  the bounds. Returns how many were copied. */
TSR_INLINE tsr_tuple tsr_copy_if(tsr_tensor predicate, tsr_tensor s, tsr_tensor d)
{
    tsr_tuple const tests = tsr_all_readable_(predicate), n = tsr_copyable_(s, d);
    int64_t const m = tests.status ? 0 : tsr_layout_size(predicate.layout);
    int64_t copied = 0;
    if (tests.status || n.status)
        return tests.status ? tests : n;
    if (m != n.leaf[0].value)
        return tsr_bad_tuple(TSR_DIFFER_SIZE, 0, m, n.leaf[0].value, 0);
    tsr_tuple const from_in = tsr_chosen_in_bounds_(predicate, s), to_in = tsr_chosen_in_bounds_(predicate, d);
    if (from_in.status || to_in.status)
        return from_in.status ? from_in : to_in;
    tsr_cursor test = tsr_cursor_begin(predicate), from = tsr_cursor_begin(s), to = tsr_cursor_begin(d);
    for (int64_t i = 0; i < m; ++i) {
        if (!tsr_number_is_zero(tsr_cursor_get(&test))) {
            tsr_cursor_copy_(&from, &to, tsr_same_bits_(&s, &d));
            ++copied;
        }
        tsr_cursor_next(&test);
        tsr_cursor_next(&from);
        tsr_cursor_next(&to);
    }
    return tsr_int(copied);
}

#endif
