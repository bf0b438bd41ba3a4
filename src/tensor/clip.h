/** The functions of tensor/clip.h, compiled with the bodies of the room (bodies.c). */
#ifndef TSR_SRC_TENSOR_CLIP_H
#define TSR_SRC_TENSOR_CLIP_H

#include "tessera/tensor/clip.h"
#include "tensor/edge.h"
#include "tensor/map.h"
#include "tessera/tensor/body/partition.h"

/** How many neighbours element i of a tiler takes, of a mode of n elements. */
static tsr_tuple tsr_clip_extent_(tsr_tiler const *tiler, int i, int64_t n)
{
    tsr_tiler const x = tsr_tiler_is_tuple(tiler) ? tsr_tiler_get_(tiler, i) : *tiler;
    if (x.by.shape.status || tsr_tiler_is_wild(&x))
        return x.by.shape.status ? x.by.shape : tsr_int(n);
    if (tsr_tiler_is_int(&x) && tsr_is_leaf(&x.by.shape))
        return tsr_int(x.by.shape.leaf[0].value);
    if (tsr_tiler_is_int(&x) || tsr_tiler_is_tuple(&x))
        return tsr_bad_tuple(TSR_CLIP_TILER, i, 0, 0, 0);
    tsr_layout const l = tsr_layout_coalesce(tsr_static_all(x.by));
    bool const run = !l.shape.status && !l.composed && l.shape.leaves == 1
                     && (l.stride.leaf[0].value == 1 || l.shape.leaf[0].value == 1);
    return run ? tsr_int(l.shape.leaf[0].value) : tsr_bad_tuple(TSR_CLIP_TILER, i, 0, 0, 0);
}

/** The valid box of a tile, mode by mode of the tiler. */
static tsr_tuple tsr_clip_box_(tsr_tuple const *shape, tsr_tiler const *tiler, tsr_tuple const *coord)
{
    bool const whole = !tsr_tiler_is_tuple(tiler);
    int const modes = tsr_tiler_rank_(tiler), rank = whole ? 1 : tsr_mode_count(shape);
    tsr_tuple extents = TSR_ZERO, tile = TSR_ZERO, at = TSR_ZERO;
    if (modes > rank || (whole ? !tsr_is_leaf(coord) : tsr_is_leaf(coord) || tsr_mode_count(coord) != rank))
        return tsr_bad_tuple(TSR_RANK, 0, rank, modes > rank ? modes : tsr_mode_count(coord), 0);
    for (int i = 0; i < rank; ++i) { /* the modes behind the tiler's are tiles of one element */
        tsr_tuple const mode = whole ? *shape : tsr_get_(shape, i), c = whole ? *coord : tsr_get_(coord, i);
        tsr_tuple const n = tsr_int(tsr_tuple_number(tsr_product(mode)));
        tsr_tuple const t = i < modes ? tsr_clip_extent_(tiler, i, n.leaf[0].value) : tsr_int(1);
        if (t.status)
            return t;
        tsr_tuple_push(&extents, &n);
        tsr_tuple_push(&tile, &t);
        tsr_tuple_push(&at, &c);
    }
    tsr_tuple const all = tsr_valid_box(tsr_tuple_close(extents), tsr_tuple_close(tile), tsr_tuple_close(at));
    if (all.status || whole)
        return all.status ? all : tsr_get_(&all, 0);
    tsr_tuple box = TSR_ZERO;
    for (int i = 0; i < modes; ++i)
        tsr_tuple_push_leaf(&box, tsr_leaf_dynamic(all.leaf[i].value));
    return tsr_tuple_close(box);
}

/** Has mode i of a tile, or the tile, as many elements as the box? */
static bool tsr_clip_full_(tsr_layout const *tile, tsr_tuple const *box)
{
    bool full = true;
    for (int i = 0; i < tsr_mode_count(box); ++i) {
        tsr_layout const mode = tsr_is_leaf(box) ? *tile : tsr_mode(*tile, i);
        full = full && tsr_layout_size(mode) == tsr_tuple_number(tsr_elements_(box, i));
    }
    return full;
}

TSR_API tsr_clip tsr_clipped_tile(tsr_tensor t, tsr_tiler tiler, tsr_tuple coord)
{
    tsr_clip r = TSR_ZERO;
    tsr_tuple const reason = tsr_tensor_bad_(t);
    tsr_tuple const why = reason.status ? reason : tiler.by.shape.status ? tiler.by.shape : coord;
    r.shape = t.layout.shape;
    r.tile = tsr_tensor_local_tile(t, tiler, coord);
    r.coordinates =
        tsr_tensor_local_tile(tsr_make_identity_tensor(reason.status ? reason : t.layout.shape), tiler, coord);
    r.box = why.status ? why : tsr_clip_box_(&t.layout.shape, &tiler, &coord);
    r.part = r.tile;
    if (r.box.status && !tsr_tensor_bad_(r.part).status)
        r.part.engine.at = r.box;
    if (tsr_tensor_bad_(r.part).status)
        return r;
    if (!tsr_clip_full_(&r.part.layout, &r.box))
        r.part = tsr_tensor_composition_by(r.part, tsr_tiler_of_tuple(r.box));
    return r;
}

TSR_API tsr_tensor tsr_clipped_part(tsr_tensor t, tsr_tiler tiler, tsr_tuple coord)
{
    return tsr_clipped_tile(t, tiler, coord).part;
}

TSR_API tsr_tensor tsr_clip_predicate(tsr_clip const *clip)
{
    tsr_tensor r = clip->coordinates;
    r.engine = tsr_inside_iter(r.engine, &clip->shape);
    return r;
}

#endif
