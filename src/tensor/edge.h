/** The functions of tensor/edge.h, compiled with the bodies of the room (bodies.c). */
#ifndef TSR_SRC_TENSOR_EDGE_H
#define TSR_SRC_TENSOR_EDGE_H

#include "tessera/tensor/edge.h"
#include "tessera/tensor/body/tensor.h"

/** Mode i of a shape or a tile as a number of elements, or why it has none. */
static tsr_tuple tsr_elements_(tsr_tuple const *t, int i)
{
    tsr_layout const mode = tsr_make_layout_compact(tsr_is_leaf(t) ? *t : tsr_tuple_get(*t, i));
    tsr_tuple r = mode.shape;
    r.mode = (uint8_t)i;
    return r.status ? r : tsr_int(tsr_layout_size(mode));
}

typedef enum tsr_edge_kind_ { TSR_EDGE_TILES, TSR_EDGE_FULL, TSR_EDGE_REST, TSR_EDGE_BOX } tsr_edge_kind_;

static tsr_tuple tsr_edge_(tsr_edge_kind_ kind, tsr_tuple shape, tsr_tuple tile, tsr_tuple coord)
{
    tsr_tuple r = TSR_ZERO;
    if (shape.status || tile.status || coord.status)
        return shape.status ? shape : tile.status ? tile : coord;
    int const rank = tsr_mode_count(&shape);
    if (tsr_is_leaf(&shape) != tsr_is_leaf(&tile) || tsr_mode_count(&tile) != rank)
        return tsr_bad_tuple(TSR_RANK, 0, rank, tsr_mode_count(&tile), 0);
    for (int i = 0; i < rank; ++i) {
        tsr_tuple const all = tsr_elements_(&shape, i), some = tsr_elements_(&tile, i);
        if (all.status || some.status)
            return all.status ? all : some;
        int64_t const n = tsr_tuple_number(all), t = tsr_tuple_number(some);
        tsr_tuple const c = tsr_is_leaf(&coord) ? coord : tsr_tuple_get(coord, i);
        if (kind == TSR_EDGE_BOX && (!tsr_is_leaf(&c) || !tsr_leaf_is_int(c.leaf[0])))
            return tsr_is_leaf(&c) ? tsr_bad_tuple(TSR_WILDCARD, i, 0, 0, 0)
                                   : tsr_bad_tuple(TSR_NOT_INTEGER, i, tsr_mode_count(&c), 0, 0);
        int64_t const tiles = (n - 1) / t + 1, at = kind == TSR_EDGE_BOX ? c.leaf[0].value : 0;
        if (at < 0 || at >= tiles)
            return tsr_bad_tuple(TSR_OUTSIDE, i, at, tiles, 0);
        tsr_tuple const x = tsr_int(kind == TSR_EDGE_TILES  ? tiles
                                    : kind == TSR_EDGE_FULL ? n / t
                                    : kind == TSR_EDGE_REST ? n % t
                                                            : tsr_min64(t, n - at * t));
        tsr_tuple_push(&r, &x);
    }
    return tsr_is_leaf(&shape) ? tsr_from_leaf(r.leaf[0]) : tsr_tuple_close(r);
}

TSR_API tsr_tuple tsr_tile_counts(tsr_tuple shape, tsr_tuple tile)
{
    return tsr_edge_(TSR_EDGE_TILES, shape, tile, tsr_s(0));
}

TSR_API int64_t tsr_tile_count(tsr_tuple shape, tsr_tuple tile)
{
    return tsr_tuple_number(tsr_product(tsr_tile_counts(shape, tile)));
}

TSR_API tsr_tuple tsr_full_tiles(tsr_tuple shape, tsr_tuple tile)
{
    return tsr_edge_(TSR_EDGE_FULL, shape, tile, tsr_s(0));
}

TSR_API tsr_tuple tsr_edge_tile(tsr_tuple shape, tsr_tuple tile)
{
    return tsr_edge_(TSR_EDGE_REST, shape, tile, tsr_s(0));
}

TSR_API tsr_tuple tsr_valid_box(tsr_tuple shape, tsr_tuple tile, tsr_tuple coord)
{
    int const rank = shape.status || tile.status || coord.status ? 0 : tsr_mode_count(&shape);
    if (rank > 0 && (tsr_is_leaf(&shape) != tsr_is_leaf(&coord) || tsr_mode_count(&coord) != rank))
        return tsr_bad_tuple(TSR_RANK, 0, rank, tsr_mode_count(&coord), 0);
    return tsr_edge_(TSR_EDGE_BOX, shape, tile, coord);
}

#endif
