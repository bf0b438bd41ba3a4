/** Access: the elements behind a tensor, read and written as numbers: any element type, any engine. Type, pointer,
 *  coordinate and bounds are checked. tensor/ref.h has elements as values of C.
 *
 *  Errors  OUTSIDE names the mode, the coordinate and the extent, BOUNDS the element and the memory of a part;
 *          NULL_DATA, CONSTANT, NO_NUMBER.
 */
#ifndef TSR_TENSOR_ACCESS_H
#define TSR_TENSOR_ACCESS_H

#include "tessera/base/memory.h"
#include "tessera/tensor/tensor.h"

TSR_HEADER_BEGIN

/* Elements of an engine */

/** Where element k of a pointer is: the byte, its address behind the swizzle of the pointer, and the bit in it. */
TSR_INLINE unsigned char *tsr_element_place(tsr_engine const *e, int64_t k, int *bit)
{
    int64_t const width = tsr_dtype_bits(e->type), distance = k * width + e->bit;
    *bit = (int)(distance & 7);
    return (unsigned char *)(uintptr_t)tsr_swizzle_apply(e->swizzle, e->address + (uint64_t)(distance >> 3));
}

TSR_INLINE tsr_number tsr_mapped_(tsr_map const *map, tsr_number x)
{
    if (map->kind == TSR_CAST && tsr_dtype_code(map->type) != 5)
        return tsr_decode(map->type, tsr_encode(map->type, x));
    if (map->kind == TSR_CAST)
        return tsr_number_complex(tsr_number_to_double(x), tsr_number_imaginary_(x));
    if (map->kind == TSR_SCALE_BY && x.kind == TSR_COMPLEX)
        return tsr_number_complex(x.re * map->scale, x.im * map->scale);
    if (map->kind == TSR_SCALE_BY)
        return tsr_number_real(tsr_number_to_double(x) * map->scale);
    return map->kind == TSR_FUNCTION ? map->function(x, map->context) : x;
}

/** The element of an engine at an offset of its layout: a number, whatever the engine. A coordinate is a number only
 *  behind tsr_inside_iter. */
TSR_INLINE tsr_number tsr_element_(tsr_engine const *e, int64_t k)
{
    int bit = 0;
    if (e->kind == TSR_COUNTING)
        return tsr_mapped_(&e->map, tsr_number_int(e->at.leaf[0].value + k));
    unsigned char const *const p = tsr_element_place(e, k, &bit);
    return tsr_mapped_(&e->map, tsr_load(e->type, p, bit));
}

/* What can be read and written */

/** Whether the swizzle of a pointer moves whole elements; if not, why. */
TSR_FN tsr_reason tsr_whole_elements_(tsr_engine const *e)
{
    int64_t const bytes = tsr_dtype_bits(e->type) / 8, kept = (int64_t)1 << e->swizzle.base;
    if (e->swizzle.bits > 0 && bytes > 1 && (bytes > kept || e->address % (uint64_t)bytes != 0))
        return tsr_because(TSR_SWIZZLE_ELEMENT, 0, kept, bytes, (int64_t)(e->address % (uint64_t)bytes));
    return tsr_no_reason();
}

TSR_FN tsr_reason tsr_readable_(tsr_tensor const *t)
{
    tsr_engine const *const e = &t->engine;
    tsr_reason const why = tsr_tensor_why_(t);
    if (why.status)
        return why;
    if (e->kind == TSR_COORDINATES)
        return e->map.kind == TSR_INSIDE ? tsr_no_reason() : tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    if (tsr_has_basis(&t->layout.stride))
        return tsr_because(TSR_BASIS, 0, 0, 0, 0);
    if (e->kind != TSR_POINTER)
        return tsr_no_reason();
    if (e->space == TSR_TMEM)
        return tsr_because(TSR_NOT_READ, 0, 0, 0, 0);
    if (e->address == 0)
        return tsr_because(TSR_NULL_DATA, 0, 0, 0, 0);
    return tsr_whole_elements_(e);
}

TSR_FN tsr_reason tsr_writable_(tsr_tensor const *t)
{
    tsr_reason const r = tsr_readable_(t);
    bool const computed = t->engine.kind != TSR_POINTER || t->engine.map.kind != TSR_AS_IS;
    return !r.status && (computed || t->engine.constant) ? tsr_because(TSR_CONSTANT, 0, computed, 0, 0) : r;
}

/** Whether numbers can be read from a tensor; if not, why. */
TSR_FN tsr_reason tsr_readable(tsr_tensor t) { return tsr_readable_(&t); }

/** Whether a tensor can be written: its elements are in memory, not constant, and not computed. */
TSR_FN tsr_reason tsr_writable(tsr_tensor t) { return tsr_writable_(&t); }

/** The 1-D coordinate of a coordinate inside a shape, or where it is outside. An integer in it counts the elements of
 *  the mode under it. */
TSR_FN tsr_tuple tsr_coord_inside(tsr_tuple coord, tsr_tuple shape)
{
    if (coord.status || shape.status)
        return coord.status ? coord : shape;
    if (tsr_is_unit(&shape) && (tsr_is_unit(&coord) || (tsr_is_leaf(&coord) && coord.leaf[0].value == 0)))
        return tsr_int(0); /* one element, no mode */
    tsr_tuple const profile = tsr_weakly_congruent(coord, shape);
    if (profile.status || profile.leaf[0].value == 0)
        return profile.status ? profile
                              : tsr_bad_tuple(TSR_COORD, 0, tsr_mode_count(&coord), tsr_mode_count(&shape), 0);
    int i = 0; /* leaf of the shape */
    int64_t index = 0, before = 1;
    for (int j = 0, depth = 0, at = 0; j < coord.leaves; ++j) {
        tsr_leaf const c = coord.leaf[j];
        int64_t extent = 1;
        at += c.open;
        do { /* the modes under this leaf of the coordinate */
            depth += shape.leaf[i].open;
            extent *= shape.leaf[i].kind == TSR_UNIT ? 1 : shape.leaf[i].value;
            depth -= shape.leaf[i].close;
        } while (++i < shape.leaves && depth > at);
        at -= c.close;
        if (!tsr_leaf_is_int(c))
            return tsr_bad_tuple(TSR_WILDCARD, j, 0, 0, 0);
        if (c.value < 0 || c.value >= extent)
            return tsr_bad_tuple(TSR_OUTSIDE, j, c.value, extent, 0);
        index += c.value * before;
        before *= extent;
    }
    return tsr_int(index);
}

/* Elements of a tensor, checked */

/** Why element k of an engine may not be touched. */
TSR_FN tsr_reason tsr_element_inside_(tsr_engine const *e, int64_t k)
{
    int64_t first = 0, last = 0;
    if (!tsr_bounds_(e, &first, &last) || (first <= k && k < last))
        return tsr_no_reason();
    return tsr_out_of_bounds_(k, k, first, last);
}

/** The element at a coordinate, into *x. */
TSR_INLINE TSR_NODISCARD tsr_reason tsr_tensor_read(tsr_tensor t, tsr_tuple coord, tsr_number *x)
{
    tsr_reason const readable = tsr_readable(t);
    tsr_tuple const index = tsr_coord_inside(coord, t.layout.shape);
    if (readable.status || index.status)
        return readable.status ? readable : tsr_tuple_why(index);
    if (t.engine.kind == TSR_COORDINATES) {
        tsr_tuple const c = tsr_engine_add(t.engine, tsr_layout_at(t.layout, coord)).at;
        tsr_tuple const inside = tsr_elem_less(c, *(tsr_tuple const *)t.engine.map.context);
        *x = tsr_number_int(inside.status ? 0 : inside.leaf[0].value);
        return tsr_tuple_why(inside);
    }
    int64_t const k = tsr_layout_offset(&t.layout, index.leaf[0].value);
    tsr_reason const inside = tsr_element_inside_(&t.engine, k);
    if (inside.status)
        return inside;
    *x = tsr_element_(&t.engine, k);
    return x->kind == TSR_NO_NUMBER ? tsr_because(TSR_NOT_NUMBERS, 0, t.engine.type, 0, 0) : inside;
}

/** Writes the element at a coordinate. */
TSR_INLINE TSR_NODISCARD tsr_reason tsr_tensor_write(tsr_tensor t, tsr_tuple coord, tsr_number x)
{
    int bit = 0;
    tsr_reason const writable = tsr_writable(t);
    tsr_tuple const index = tsr_coord_inside(coord, t.layout.shape);
    if (writable.status)
        return writable;
    if (x.kind == TSR_NO_NUMBER || tsr_number_kind_of(t.engine.type) == TSR_NO_NUMBER)
        return tsr_because(TSR_NOT_NUMBERS, 0, t.engine.type, 0, 0);
    if (index.status)
        return tsr_tuple_why(index);
    int64_t const k = tsr_layout_offset(&t.layout, index.leaf[0].value);
    tsr_reason const inside = tsr_element_inside_(&t.engine, k);
    if (inside.status)
        return inside;
    unsigned char *const p = tsr_element_place(&t.engine, k, &bit);
    tsr_store(t.engine.type, p, bit, x);
    return inside;
}

TSR_HEADER_END

#endif
