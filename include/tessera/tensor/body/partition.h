/** The bodies of tensor/partition.h. */
#ifndef TSR_TENSOR_BODY_PARTITION_H
#define TSR_TENSOR_BODY_PARTITION_H

#include "tessera/tensor/partition.h"
#include "tessera/tensor/body/tensor.h"

TSR_HEADER_BEGIN

/** How many modes mode 0 or mode 1 of a divided shape has: so often is one parenthesis open behind a leaf of it. */
TSR_LOCAL int tsr_modes_of_half_(tsr_tuple const *shape, int i)
{
    int end = 0, modes = 0, begin = tsr_mode_begin_(shape, i, &end);
    int depth = begin == 0 ? -1 : 0;
    if (begin < 0)
        return 0;
    if (shape->leaf[begin].open == (begin == 0)) /* an integer or () */
        return shape->leaf[begin].kind != TSR_UNIT;
    for (int k = begin; k < end; ++k) {
        depth += shape->leaf[k].open - shape->leaf[k].close;
        modes += depth <= 1;
    }
    return modes;
}

/** `_` for every mode of one half. */
TSR_LOCAL void tsr_put_wilds_(tsr_tuple *r, int modes)
{
    tsr_leaf const wild = tsr_leaf_make(TSR_WILD, 0);
    for (int i = 0; i < modes; ++i)
        tsr_tuple_push_leaf(r, wild);
    if (modes != 1)
        tsr_enclose_all_(r);
}

/** A coordinate into the other half; one of fewer modes keeps the others. */
TSR_LOCAL void tsr_put_fixed_(tsr_tuple *r, tsr_tuple const *coord, int modes)
{
    int const rank = tsr_mode_count(coord);
    if (tsr_is_leaf(coord) || rank == modes)
        tsr_tuple_push(r, coord);
    else
        *r = tsr_tuple_append_to(*coord, tsr_wild(), modes);
}

/** The coordinate that keeps one half of a divided shape and fixes the other. */
TSR_LOCAL void tsr_put_half_(tsr_tuple *r, tsr_tuple const *shape, tsr_tuple const *coord, bool tile)
{
    tsr_tuple kept TSR_SCRATCH, fixed TSR_SCRATCH;
    tsr_begin_tuple_(&kept);
    tsr_begin_tuple_(&fixed);
    tsr_put_wilds_(&kept, tsr_modes_of_half_(shape, !tile));
    tsr_put_fixed_(&fixed, coord, tsr_modes_of_half_(shape, tile));
    tsr_tuple_push(r, tile ? &kept : &fixed);
    tsr_tuple_push(r, tile ? &fixed : &kept);
    tsr_enclose_all_(r);
}

/** The tile at a coordinate, or the elements at a coordinate of every tile. The first invalid argument comes first. */
TSR_LOCAL void tsr_put_partition_(tsr_tensor *r, tsr_tensor const *t, tsr_layout const *by, tsr_tuple const *coord,
                                  bool tile)
{
    tsr_tuple at TSR_SCRATCH, offset TSR_SCRATCH;
    tsr_layout tiled TSR_SCRATCH;
    bool const valid = !t->engine.at.status && !t->layout.shape.status;
    if (!valid || (!by->shape.status && coord->status)) {
        *r = *t;
        if (valid)
            r->engine.at = *coord;
        return;
    }
    tsr_begin_part_(r, t);
    tsr_begin_(&tiled);
    tsr_zipped_divide_into_(&tiled, &t->layout, by);
    tsr_begin_tuple_(&at);
    if (!tiled.shape.status)
        tsr_put_half_(&at, &tiled.shape, coord, tile);
    if (tiled.shape.status || at.status) {
        r->layout = tiled;
        r->engine.at = at.status ? at : r->engine.at;
        return;
    }
    tsr_bound_(&r->engine, &tiled); /* where t had a basis element that no tile has */
    tsr_begin_tuple_(&offset);
    tsr_put_slice_(&r->layout, &offset, &at, &tiled);
    if (!r->layout.shape.status)
        tsr_engine_move_(&r->engine, &offset);
}

TSR_OP tsr_tensor tsr_tensor_inner_partition(tsr_tensor t, tsr_tiler tiler, tsr_tuple coord)
{
    tsr_tensor r TSR_SCRATCH;
    tsr_put_partition_(&r, &t, &tiler.by, &coord, true);
    return r;
}

TSR_OP tsr_tensor tsr_tensor_outer_partition(tsr_tensor t, tsr_tiler tiler, tsr_tuple coord)
{
    tsr_tensor r TSR_SCRATCH;
    tsr_put_partition_(&r, &t, &tiler.by, &coord, false);
    return r;
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

TSR_OP tsr_tensor tsr_tensor_local_tile(tsr_tensor t, tsr_tiler tiler, tsr_tuple coord)
{
    tsr_tensor r TSR_SCRATCH;
    tsr_put_partition_(&r, &t, &tiler.by, &coord, true);
    return r;
}

TSR_OP tsr_tensor tsr_tensor_local_tile_by(tsr_tensor t, tsr_tiler tiler, tsr_tuple coord, tsr_tuple proj)
{
    if (coord.status)
        return tsr_tensor_local_tile(t, tiler, coord);
    return tsr_tensor_local_tile(t, tsr_tiler_dice(proj, tiler), tsr_tuple_dice(proj, coord));
}

TSR_OP tsr_tensor tsr_tensor_local_partition(tsr_tensor t, tsr_layout threads, tsr_tuple index)
{
    tsr_tensor r TSR_SCRATCH;
    tsr_tiler const tiler = tsr_tiler_of_tuple(tsr_product_each(threads.shape));
    tsr_tuple const coord = index.status ? index : tsr_get_flat_coord(threads, index);
    tsr_put_partition_(&r, &t, &tiler.by, &coord, false);
    return r;
}

TSR_OP tsr_tensor tsr_tensor_local_partition_by(tsr_tensor t, tsr_layout threads, tsr_tuple index, tsr_tuple proj)
{
    if (threads.shape.status || index.status || proj.status)
        return tsr_tensor_local_partition(t, threads, index.status ? index : proj);
    tsr_tuple const shape = tsr_tuple_dice(proj, threads.shape);
    tsr_tuple const coord = tsr_tuple_dice(proj, tsr_get_flat_coord(threads, index));
    return tsr_tensor_outer_partition(t, tsr_tiler_of_tuple(tsr_product_each(shape)), coord);
}

TSR_HEADER_END

#endif
