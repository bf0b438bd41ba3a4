/** The bodies of tensor/partition.h. */
#ifndef TSR_TENSOR_BODY_PARTITION_H
#define TSR_TENSOR_BODY_PARTITION_H

#include "tessera/tensor/partition.h"
#include "tessera/tensor/body/tensor.h"

TSR_HEADER_BEGIN

/** `_` for every mode of mode i of a divided layout. */
TSR_LOCAL tsr_tuple tsr_keep_(tsr_layout const *l, int64_t i)
{
    tsr_tuple const mode = tsr_tuple_get(l->shape, i);
    return mode.status ? mode : tsr_repeat(tsr_wild(), tsr_mode_count(&mode));
}

/** A coordinate of fewer modes than mode i keeps the others. */
TSR_LOCAL tsr_tuple tsr_fix_(tsr_layout const *l, int64_t i, tsr_tuple coord)
{
    tsr_tuple const mode = tsr_tuple_get(l->shape, i);
    if (mode.status || coord.status || tsr_is_leaf(&coord))
        return mode.status ? mode : coord;
    return tsr_tuple_append_to(coord, tsr_wild(), tsr_mode_count(&mode));
}

/** The tensor divided; the first invalid argument comes first. */
TSR_LOCAL tsr_tensor tsr_tiled_(tsr_tensor t, tsr_tiler tiler, tsr_tuple coord)
{
    if (!tsr_tensor_bad_(t).status && !tiler.by.shape.status && coord.status)
        t.engine.at = coord;
    return tsr_tensor_bad_(t).status ? t : tsr_tensor_zipped_divide_by(t, tiler);
}

TSR_OP tsr_tensor tsr_inner_partition(tsr_tensor t, tsr_tiler tiler, tsr_tuple coord)
{
    tsr_tensor const tiled = tsr_tiled_(t, tiler, coord);
    if (tsr_tensor_bad_(tiled).status)
        return tiled;
    return tsr_tensor_slice(tsr_tuple_2(tsr_keep_(&tiled.layout, 0), tsr_fix_(&tiled.layout, 1, coord)), tiled);
}

TSR_OP tsr_tensor tsr_outer_partition(tsr_tensor t, tsr_tiler tiler, tsr_tuple coord)
{
    tsr_tensor const tiled = tsr_tiled_(t, tiler, coord);
    if (tsr_tensor_bad_(tiled).status)
        return tiled;
    return tsr_tensor_slice(tsr_tuple_2(tsr_fix_(&tiled.layout, 0, coord), tsr_keep_(&tiled.layout, 1)), tiled);
}

TSR_OP tsr_tiler tsr_tiler_dice(tsr_tuple proj, tsr_tiler tiler)
{
    tsr_tiler r = TSR_ZERO;
    int const rank = tsr_mode_count(&proj);
    if (proj.status || tiler.by.shape.status) {
        r.by.shape = tiler.by.shape.status ? tiler.by.shape : proj;
        return r;
    }
    if (tsr_is_leaf(&proj) || tsr_tiler_rank_(&tiler) != rank) {
        r.by.shape = tsr_bad_tuple(TSR_RANK, 0, rank, tsr_tiler_rank_(&tiler), 0);
        return r;
    }
    for (int i = 0; i < rank; ++i) {
        tsr_tuple const place = tsr_tuple_get(proj, i);
        tsr_tiler const x = tsr_tiler_get(tiler, i);
        if (!tsr_is_leaf(&place) || place.leaf[0].kind != TSR_WILD)
            tsr_tiler_push(&r, &x);
    }
    return tsr_tiler_close(r);
}

TSR_OP tsr_tensor tsr_local_tile(tsr_tensor t, tsr_tiler tiler, tsr_tuple coord)
{
    return tsr_inner_partition(t, tiler, coord);
}

TSR_OP tsr_tensor tsr_local_tile_by(tsr_tensor t, tsr_tiler tiler, tsr_tuple coord, tsr_tuple proj)
{
    if (coord.status)
        return tsr_local_tile(t, tiler, coord);
    return tsr_local_tile(t, tsr_tiler_dice(proj, tiler), tsr_tuple_dice(proj, coord));
}

TSR_OP tsr_tensor tsr_local_partition(tsr_tensor t, tsr_layout threads, tsr_tuple index)
{
    tsr_tiler const tiler = tsr_tiler_of_tuple(tsr_product_each(threads.shape));
    return tsr_outer_partition(t, tiler, index.status ? index : tsr_get_flat_coord(threads, index));
}

TSR_OP tsr_tensor tsr_local_partition_by(tsr_tensor t, tsr_layout threads, tsr_tuple index, tsr_tuple proj)
{
    if (threads.shape.status || index.status || proj.status)
        return tsr_local_partition(t, threads, index.status ? index : proj);
    tsr_tuple const shape = tsr_tuple_dice(proj, threads.shape);
    tsr_tuple const coord = tsr_tuple_dice(proj, tsr_get_flat_coord(threads, index));
    return tsr_outer_partition(t, tsr_tiler_of_tuple(tsr_product_each(shape)), coord);
}

TSR_HEADER_END

#endif
