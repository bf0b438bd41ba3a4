/** The bodies of tma/tile.h. */
#ifndef TSR_TMA_BODY_TILE_H
#define TSR_TMA_BODY_TILE_H

#include "tessera/tma/tile.h"
#include "tessera/tma/body/copy.h"

TSR_HEADER_BEGIN

/** A tensor that has a tile of these extents, neighbours along `along`, and room between the lines. */
TSR_LOCAL tsr_layout tsr_tma_model_(int64_t rows, int64_t columns, int along)
{
    tsr_tuple const nearby = tsr_s(1), remote = tsr_s((int64_t)1 << 20);
    return tsr_make_layout_from(tsr_tuple_2(tsr_s(rows), tsr_s(columns)),
                                along == 0 ? tsr_tuple_2(nearby, remote) : tsr_tuple_2(remote, nearby));
}

/** The boxes of a tile that is lines of its swizzle, one behind the other across the whole tile, as tile_to_shape of a
 *  block of shared memory lays them. False: another tile, whose boxes tsr_make_tma_copy finds. */
TSR_LOCAL bool tsr_tma_lines_(tsr_tma_tile *r, int64_t columns, int bits)
{
    tsr_tuple const *const n = &r->start.shape, *const by = &r->start.stride;
    int64_t const across = r->along == 0 ? columns : r->rows, line = (128 << r->swizzle.bits) / bits;
    bool const known = !n->status && (n->leaves == 2 || n->leaves == 3) && r->swizzle.base == 4 && r->parts > 0
                       && (r->swizzle.bits == 0 || r->swizzle.shift == 3) && across <= 256 && across % r->parts == 0;
    if (!known || n->leaf[0].value != line || n->leaf[1].value != across
        || by->leaf[0].value != (r->along == 0 ? 1 : r->rows) || by->leaf[1].value != (r->along == 0 ? r->rows : 1)
        || line * across * (n->leaves == 3 ? n->leaf[2].value : 1) != r->rows * columns
        || (n->leaves == 3 && by->leaf[2].value != line * by->leaf[0].value))
        return false;
    int64_t const box = line * across / r->parts;
    if (box * bits / 8 % TSR_TMA_SMEM_UNIT != 0)
        return false;
    r->box[0] = (int32_t)line;
    r->box[1] = (int32_t)(across / r->parts);
    r->elements = (int32_t)box;
    r->boxes = (int32_t)(r->rows * columns / box);
    return true;
}

TSR_OP tsr_tma_tile tsr_make_tma_tile(tsr_layout smem, tsr_dtype type, int parts)
{
    tsr_tma_tile r = TSR_ZERO;
    int const bits = tsr_dtype_bits(type), rank = smem.shape.status ? 0 : tsr_mode_count(&smem.shape);
    tsr_layout const inner = tsr_layout_inner(smem);
    tsr_swizzle const sw = smem.swizzle;
    r.why = smem.shape.status                     ? tsr_tuple_why(smem.shape)
            : rank != 2                           ? tsr_because(TSR_RANK, 0, rank, 2, 0)
            : bits == 0 || bits % 8 || 128 % bits ? tsr_because(TSR_TYPE, 0, bits, 0, 0)
            : smem.twice || (smem.composed && (int64_t)bits << sw.base != 128)
                ? tsr_because(TSR_SMEM_ATOM, 0, 0, 0, 0)
                : tsr_no_reason();
    if (r.why.status)
        return r;
    tsr_layout const first = tsr_coalesce(tsr_mode(inner, 0));
    r.along = first.stride.leaf[0].value == 1 && first.shape.leaf[0].value > 1 ? 0 : 1;
    r.rows = (int32_t)tsr_layout_size(tsr_mode(inner, 0));
    r.parts = parts;
    r.swizzle = smem.composed ? tsr_make_swizzle(sw.bits, 4, sw.shift) : tsr_make_swizzle(0, 4, 3);
    int64_t const columns = tsr_layout_size(tsr_mode(inner, 1));
    r.start = tsr_right_inverse(inner);
    if (tsr_tma_lines_(&r, columns, bits))
        return r;
    tsr_tma_types const types = {type, type};
    tsr_tma_copy const one =
        tsr_make_tma_copy(TSR_SM90_TMA_LOAD_MULTICAST, types, tsr_tma_model_(r.rows, columns, r.along),
                          tsr_make_smem_layout(r.swizzle, type, inner),
                          tsr_tiler_of_tuple(tsr_tuple_2(tsr_s(r.rows), tsr_s(columns))), tsr_s(parts));
    r.why = one.desc.why;
    if (r.why.status)
        return r;
    r.box[0] = (int32_t)one.desc.box[0];
    r.box[1] = (int32_t)one.desc.box[1]; /* 1 of a map of one dimension */
    r.elements = r.box[0] * r.box[1];
    r.boxes = (int32_t)(r.rows * columns / r.elements);
    int64_t const box = (int64_t)r.elements * bits / 8, past = box % TSR_TMA_SMEM_UNIT;
    if (r.boxes > 1 && past != 0)
        r.why = tsr_tma_broken_(TSR_TMA_SMEM_ALIGN, 0, box, TSR_TMA_SMEM_UNIT, TSR_TMA_SMEM_UNIT - past,
                                box - past + TSR_TMA_SMEM_UNIT, 0);
    if ((int64_t)r.boxes * r.elements != r.rows * columns || tsr_layout_size(r.start) != r.rows * columns)
        r.why = tsr_because(TSR_TMA_SIZE, 0, r.elements, r.rows * columns, 0);
    return r;
}

TSR_OP tsr_tma_desc tsr_tma_tile_map(tsr_tma_tile const *t, tsr_dtype type, int rank, int64_t const *extent,
                                     int64_t const *stride)
{
    tsr_tma_desc d = tsr_tma_no_desc();
    d.why = t->why.status                     ? t->why
            : rank < 2 || rank > TSR_TMA_DIMS ? tsr_because(TSR_RANK, 0, rank, 2, 0)
                                              : tsr_no_reason();
    d.format = (uint8_t)tsr_tma_format_of(type);
    d.swizzle = (uint8_t)tsr_tma_swizzle_of(t->swizzle);
    if (d.format == TSR_TMA_FORMATS)
        d.why = tsr_because(TSR_TMA_TYPE, 0, tsr_dtype_bits(type), 0, 0);
    if (d.why.status)
        return d;
    d.rank = rank;
    for (int i = 0; i < rank && !d.why.status; ++i) {
        int const to = i < 2 ? i ^ t->along : i;
        d.dim[to] = extent[i];
        d.box[to] = i < 2 ? t->box[to] : 1;
        if (to == 0 && extent[i] > 1 && stride[i] != 1)
            d.why = tsr_because(TSR_TMA_MAJOR, 0, stride[i], 0, 0);
        else if (!tsr_mul64(stride[i], tsr_dtype_bits(type) / 8, &d.stride[to]))
            d.why = tsr_because(TSR_OVERFLOW, i, stride[i], 0, 0);
        if (extent[i] == 1)
            d.stride[to] = 16; /* never taken */
    }
    return d;
}

TSR_OP tsr_tma_desc tsr_tma_tile_desc(tsr_tma_tile const *t, tsr_dtype type, tsr_layout tensor)
{
    int const rank = tensor.shape.status || t->why.status ? 0 : tsr_mode_count(&tensor.shape);
    int64_t extent[TSR_TMA_DIMS] = {0}, stride[TSR_TMA_DIMS] = {0};
    tsr_reason why = t->why.status                     ? t->why
                     : tensor.shape.status             ? tsr_tuple_why(tensor.shape)
                     : rank < 2 || rank > TSR_TMA_DIMS ? tsr_because(TSR_RANK, 0, rank, 2, 0)
                     : tensor.composed                 ? tsr_because(TSR_SWIZZLE_STRIDE, 0, 0, 0, 0)
                                                       : tsr_no_reason();
    for (int i = 0; i < rank && !why.status; ++i) {
        tsr_layout mode = tsr_mode(tensor, i);
        if (mode.shape.leaves != 1)
            mode = tsr_coalesce(tsr_static_all(mode));
        extent[i] = mode.shape.leaf[0].value;
        stride[i] = mode.stride.leaf[0].value;
        if (mode.shape.leaves != 1)
            why = tsr_because(TSR_RANK, i, mode.shape.leaves, 1, 0);
    }
    tsr_tma_desc d = why.status ? tsr_bad_tma_desc(why) : tsr_tma_tile_map(t, type, rank, extent, stride);
    if (!d.why.status)
        d.why = tsr_tma_lint(d).why;
    return d;
}

TSR_HEADER_END

#endif
