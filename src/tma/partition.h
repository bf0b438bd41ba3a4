/** The functions of tma/partition.h, compiled with the bodies of the room (bodies.c). */
#ifndef TSR_SRC_TMA_PARTITION_H
#define TSR_SRC_TMA_PARTITION_H

#include "tessera/tensor/access.h"
#include "tessera/tma/partition.h"

/** (CTA, element) of one instruction, as it is numbered. */
static tsr_layout tsr_tma_instruction_(tsr_tma_copy const *c)
{
    tsr_tuple const peers = tsr_s(tsr_tma_op_peers(c->op)), n = tsr_s(c->elements);
    tsr_tuple const step = tsr_tma_op_peers(c->op) == 1 ? tsr_s(0) : n;
    return tsr_make_layout_from(tsr_tuple_2(peers, n), tsr_tuple_2(step, tsr_s(1)));
}

/** ((CTA),(element, instruction)) to an index of the tile. */
TSR_PART tsr_layout tsr_tma_places_of_(tsr_tma_copy const *c)
{
    tsr_layout const one = tsr_tma_instruction_(c);
    tsr_layout r = tsr_zipped_divide_by(c->tv, tsr_tiler_of_tuple(one.shape));
    r = tsr_compose_by_(r, tsr_tile_2(tsr_tiler_of_layout(one), tsr_tiler_of_tuple(tsr_wild())));
    return tsr_coalesce_by(tsr_layout_zip(r), tsr_tuple_2(tsr_s(1), tsr_tuple_2(tsr_s(1), tsr_s(1))));
}

/** Mode i of these places in the tiles of a tensor. */
TSR_PART tsr_layout tsr_tma_part_of_(tsr_layout const *tile, tsr_layout const *places, int i)
{
    tsr_tiler const by = tsr_tiler_of_layout(tsr_mode_(places, i));
    return tsr_composition_by(*tile, tsr_tile_2(by, tsr_tiler_of_tuple(tsr_wild())));
}

TSR_API tsr_tensor tsr_tma_partition_s(tsr_tma_copy c, tsr_tuple cta, tsr_tensor t)
{
    tsr_tuple const why = c.desc.why.status ? tsr_reason_tuple(c.desc.why) : cta;
    if (why.status || tsr_tensor_bad_(t).status) {
        t.engine.at = why.status ? why : tsr_tensor_bad_(t);
        return t;
    }
    int const rank = tsr_mode_count(&t.layout.shape);
    tsr_layout const tile = tsr_zipped_divide_by(t.layout, tsr_tiler_of_tuple(c.tiler));
    tsr_layout const places = tsr_tma_places_of_(&c);
    t.engine =
        tsr_engine_add(t.engine, tsr_layout_at(tsr_tma_part_of_(&tile, &places, 0), tsr_tuple_2(cta, tsr_s(0))));
    t.layout = tsr_tma_part_of_(&tile, &places, 1);
    return t.layout.shape.status ? t : tsr_tensor_slice(tsr_tuple_2(tsr_wild(), tsr_repeat(tsr_wild(), rank)), t);
}

/** The elements of a tile in the order of shared memory, whose layout has this inverse, by instructions. */
TSR_PART tsr_tiler tsr_tma_instructions_(tsr_layout const *inverse, tsr_tuple const *size, int64_t elements, int rank)
{
    tsr_layout const all =
        tsr_tile_to_shape(tsr_layout_unchecked(tsr_tuple_1(inverse->shape), tsr_tuple_1(inverse->stride)), *size);
    tsr_tiler by = TSR_ZERO;
    tsr_tiler const first = tsr_tiler_of_layout(
        tsr_logical_divide_by(all, tsr_tiler_of_layout(tsr_make_layout_from(tsr_s(elements), tsr_s(1)))));
    tsr_tiler const rest = tsr_tiler_of_tuple(tsr_wild());
    tsr_tiler_push(&by, &first);
    for (int i = 1; i < rank; ++i)
        tsr_tiler_push(&by, &rest);
    return tsr_tiler_close(by);
}

TSR_PART void tsr_tma_by_instruction_(tsr_tensor *t, tsr_tiler const *by)
{
    *t = tsr_tensor_composition_by(*t, *by);
    *t = tsr_tensor_coalesce_by(*t, tsr_tuple_1(tsr_tuple_2(tsr_s(1), tsr_s(1))));
}

/** Returns the element at which the part of a CTA begins. */
TSR_PART tsr_tuple tsr_tma_part_begin_(int64_t elements, tsr_layout const *ctas, tsr_tuple const *coord, int rank)
{
    tsr_leaf const slice = tsr_leaf_div(tsr_leaf_static(elements), tsr_as_leaf_(tsr_cosize_of(*ctas, tsr_unit())));
    tsr_tuple const offset = tsr_lift2_(tsr_leaf_mul, tsr_layout_at(*ctas, *coord), tsr_from_leaf(slice));
    return tsr_tuple_append_to(tsr_tuple_1(tsr_tuple_2(offset, tsr_s(0))), tsr_s(0), rank);
}

TSR_API tsr_tensor tsr_tma_partition(tsr_tma_copy c, tsr_tuple coord, tsr_layout ctas, tsr_tensor smem,
                                     tsr_tensor gmem, int64_t index)
{
    tsr_tensor t = index == 1 ? smem : gmem;
    tsr_tuple const s = tsr_tensor_bad_(smem), g = tsr_tensor_bad_(gmem);
    tsr_tuple why = c.desc.why.status   ? tsr_reason_tuple(c.desc.why)
                    : coord.status      ? coord
                    : ctas.shape.status ? ctas.shape
                    : s.status          ? s
                                        : g;
    if (!why.status && tsr_has_basis(&smem.layout.stride))
        why = tsr_bad_tuple(TSR_INVERSE_BASIS, tsr_first_basis_(&smem.layout.stride), 0, 0, 0);
    if (!why.status && (index < 0 || index > 1))
        why = tsr_bad_tuple(TSR_INDEX, 0, index, 2, 0);
    if (why.status) {
        t.engine.at = why;
        return t;
    }
    int const rank = tsr_mode_count(&t.layout.shape);
    tsr_layout const tile = tsr_layout_inner(tsr_mode(smem.layout, 0)), inverse = tsr_right_inverse(tile);
    tsr_tuple const size = tsr_product(tile.shape), other = tsr_product(tsr_tuple_get(gmem.layout.shape, 0));
    int64_t const there = tsr_tuple_number(size), here = tsr_tuple_number(other);
    if (!size.status && !other.status && (here != there || there % c.elements != 0)) {
        t.engine.at = tsr_bad_tuple(TSR_TMA_SIZE, 0, here != there ? here : c.elements, there, 0);
        return t;
    }
    tsr_tiler const by = tsr_tma_instructions_(&inverse, &size, c.elements, rank);
    tsr_tma_by_instruction_(&t, &by);
    return tsr_tensor_domain_offset(tsr_tma_part_begin_(c.elements, &ctas, &coord, rank), t);
}

/** Where the fixed part of a coordinate with `_` is outside of a shape, or a number. */
TSR_PART tsr_tuple tsr_slice_inside_(tsr_tuple coord, tsr_tuple const *shape)
{
    for (int i = 0; !coord.status && i < coord.leaves; ++i)
        if (coord.leaf[i].kind == TSR_WILD)
            coord.leaf[i].kind = TSR_STATIC; /* its value is 0 */
    return tsr_coord_inside(coord, *shape);
}

TSR_API tsr_tuple tsr_create_tma_multicast_mask(tsr_layout ctas, tsr_tuple coord, tsr_tuple path)
{
    if (ctas.shape.status || coord.status || path.status)
        return ctas.shape.status ? ctas.shape : coord.status ? coord : path;
    for (int i = 0; i < path.leaves && path.leaf[i].kind != TSR_UNIT; ++i)
        coord = tsr_tuple_replace(coord, tsr_wild(), path.leaf[i].value);
    tsr_tuple const inside = tsr_slice_inside_(coord, &ctas.shape);
    if (inside.status)
        return inside;
    tsr_offset_layout const x = tsr_slice_and_offset(coord, ctas);
    tsr_leaf const first = tsr_as_leaf_(x.offset);
    int64_t mask = 0;
    if (x.layout.shape.status || x.offset.status || !tsr_leaf_is_int(first))
        return x.layout.shape.status ? x.layout.shape
               : x.offset.status     ? x.offset
                                     : tsr_from_leaf(tsr_leaf_refuse_(first, first));
    int64_t const size = tsr_is_unit(&x.layout.shape) ? 1 : tsr_layout_size(x.layout);
    if (size > TSR_LAW_BUDGET)
        return tsr_bad_tuple(TSR_TMA_MASK, 0, size - 1, 0, 0);
    for (int64_t i = 0; i < size; ++i) {
        int64_t const cta = first.value + (tsr_is_unit(&x.layout.shape) ? 0 : tsr_at_index(x.layout, i));
        if (cta < 0 || cta > 15)
            return tsr_bad_tuple(TSR_TMA_MASK, 0, cta, 0, 0);
        mask |= (int64_t)1 << cta;
    }
    return tsr_int(mask);
}

#endif
