/** The bodies of atom/scales.h. */
#ifndef TSR_ATOM_BODY_SCALES_H
#define TSR_ATOM_BODY_SCALES_H

#include "tessera/atom/scales.h"
#include "tessera/atom/body/mma.h"
#include "tessera/atom/body/tv.h"
#include "tessera/core/integer.h"

TSR_HEADER_BEGIN

TSR_OP tsr_layout tsr_scales_block(int64_t vector, int64_t rows, tsr_major major)
{
    tsr_layout lines = TSR_ZERO, columns = TSR_ZERO;
    if ((vector != 16 && vector != 32 && vector != 64) || (rows != 128 && rows != 8))
        return tsr_bad_layout(TSR_SCALES_BLOCK, 0, vector, rows, 0);
    tsr_tv_push_(&lines, rows == 128 ? 32 : 8, rows == 128 ? 16 : 4);
    if (rows == 128)
        tsr_tv_push_(&lines, 4, 4);
    tsr_tv_push_(&columns, vector, 0);
    tsr_tv_push_(&columns, 4, 1);
    return major == TSR_MAJOR_K ? tsr_make_tv(lines, columns) : tsr_make_tv(columns, lines);
}

/** A static extent rounded up to whole blocks, as tile_to_shape rounds dynamic ones. */
TSR_LOCAL tsr_tuple tsr_whole_blocks_(tsr_tuple extent, int64_t block)
{
    int64_t const n = extent.leaf[0].value;
    bool const fixed = tsr_is_leaf(&extent) && tsr_leaf_is_int(extent.leaf[0]) && extent.leaf[0].kind == TSR_STATIC;
    return fixed && n > 0 && n <= TSR_INT_MAX - block ? tsr_s((n + block - 1) / block * block) : extent;
}

/** Blocks repeated up to (MN,K), the further modes behind them. */
TSR_PART tsr_layout tsr_tiles_of_(tsr_layout const *block, tsr_tuple const *shape, bool k_first)
{
    int const rank = shape->status ? 0 : tsr_mode_count(shape);
    if (block->shape.status || shape->status)
        return tsr_refused_(tsr_tuple_why(shape->status ? *shape : block->shape));
    if (rank != 2 && rank != 3)
        return tsr_bad_layout(TSR_RANK, 0, rank, 2, 0);
    tsr_tuple const first = k_first ? tsr_t(tsr_s(2), tsr_s(1)) : tsr_t(tsr_s(1), tsr_s(2));
    tsr_tuple whole = tsr_unit();
    for (int i = 0; i < rank; ++i) {
        tsr_tuple const extent = tsr_tuple_get(*shape, i);
        whole = tsr_tuple_append(whole,
                                 i == 2 ? extent : tsr_whole_blocks_(extent, tsr_layout_size(tsr_mode_(block, i))));
    }
    return tsr_tile_to_shape_ordered(*block, whole, rank == 3 ? tsr_tuple_append(first, tsr_s(3)) : first);
}

TSR_OP tsr_layout tsr_scales_layout(int64_t vector, tsr_tuple shape, int64_t rows, tsr_major major)
{
    tsr_layout const block = tsr_scales_block(vector, rows, major);
    return tsr_tiles_of_(&block, &shape, major == TSR_MAJOR_K);
}

/** Number i of the brackets of a call, or what stands for it. */
TSR_LOCAL int64_t tsr_bracket_(tsr_tuple const *form, int i, int64_t absent)
{
    return i < tsr_mode_count(form) ? tsr_leaf_value(form->leaf[i]) : absent;
}

TSR_OP tsr_layout tsr_scales_block_k(tsr_tuple vector, tsr_tuple form)
{
    if (vector.status || form.status)
        return tsr_refused_(tsr_tuple_why(vector.status ? vector : form));
    return tsr_scales_block(tsr_tuple_number(tsr_product(vector)), tsr_bracket_(&form, 0, 128),
                            (tsr_major)(tsr_bracket_(&form, 1, 0) != 0));
}

TSR_OP tsr_layout tsr_scales_layout_k(tsr_tuple vector, tsr_tuple shape, tsr_tuple form)
{
    if (vector.status || shape.status || form.status)
        return tsr_refused_(tsr_tuple_why(vector.status ? vector : shape.status ? shape : form));
    return tsr_scales_layout(tsr_tuple_number(tsr_product(vector)), shape, tsr_bracket_(&form, 0, 128),
                             (tsr_major)(tsr_bracket_(&form, 1, 0) != 0));
}

/** Mode i of a tile in instructions; 0 where it has a part of one. */
TSR_LOCAL int64_t tsr_scales_parts_(tsr_tuple tile, int i, int64_t of)
{
    int64_t const extent = tsr_tuple_number(tsr_product(tsr_tuple_get(tile, i)));
    return extent % of == 0 ? extent / of : 0;
}

TSR_OP tsr_layout tsr_scales_smem(tsr_mma_atom x, tsr_tuple tile, bool b)
{
    int32_t const vector = tsr_mma_scale_vector(x);
    if (x.status || tile.status || vector == 0 || !tsr_mma_is_umma(x))
        return tsr_refused_(x.status      ? tsr_mma_why(x)
                            : tile.status ? tsr_tuple_why(tile)
                                          : tsr_because(TSR_UMMA_ATOM, 0, 0, 0, 0));
    if (tsr_mode_count(&tile) != 3)
        return tsr_bad_layout(TSR_RANK, 0, tsr_mode_count(&tile), 3, 0);
    int64_t const extent[] = {x.m, x.n, 4 * vector}, scales = x.k / vector;
    for (int i = 0; i < 3; ++i)
        if (tsr_scales_parts_(tile, i, extent[i]) < 1 || (i < 2 && tsr_scales_parts_(tile, i, extent[i]) != 1))
            return tsr_bad_layout(TSR_GMMA_PARTS, i, tsr_tuple_number(tsr_product(tsr_tuple_get(tile, i))), extent[i],
                                  0);
    if (4 % scales != 0)
        return tsr_bad_layout(TSR_GMMA_PARTS, 2, 4, scales, 0);
    int64_t const rows = b ? x.n : x.kind == TSR_MMA_CTA_PAIR ? x.m / 2 : x.m, tiles = (rows + 127) / 128;
    tsr_layout const lines = tsr_make_layout(tsr_t(tsr_t(tsr_s(32), tsr_s(4)), tsr_s(tiles)),
                                             tsr_t(tsr_t(tsr_s(16), tsr_s(4)), tsr_s(512)));
    tsr_layout const columns = tsr_make_layout(tsr_t(tsr_s(vector), tsr_s(scales)), tsr_t(tsr_s(0), tsr_s(1)));
    tsr_layout const depth = tsr_make_layout(tsr_t(tsr_s(4 / scales), tsr_s(tsr_scales_parts_(tile, 2, 4 * vector))),
                                             tsr_t(tsr_s(scales), tsr_s(512 * tiles)));
    tsr_layout const values = tsr_make_pair(&lines, &columns), one = tsr_make_layout(tsr_s(1), tsr_s(0));
    return tsr_layout_append(tsr_make_pair(&values, &one), depth);
}

TSR_OP tsr_layout tsr_sparse_e_block(tsr_dtype type)
{
    int const bits = tsr_dtype_bits(type);
    int64_t const width = bits == 16 ? 16 : 8, depth = bits == 4 ? 256 : 128;
    tsr_layout rows = TSR_ZERO, columns = TSR_ZERO;
    if (bits != 4 && bits != 6 && bits != 8 && bits != 16 && bits != 32)
        return tsr_bad_layout(TSR_TYPE, 0, bits, 0, 0);
    if (bits <= 8) {
        tsr_tv_push_(&rows, 128, depth);
        tsr_tv_push_(&columns, depth, 1);
        return tsr_make_tv(rows, columns);
    }
    tsr_tv_push_(&rows, 8, 8 * width);
    tsr_tv_push_(&rows, 2, width);
    tsr_tv_push_(&rows, 8, 128 * width);
    tsr_tv_push_(&columns, width, 1);
    tsr_tv_push_(&columns, 2, 64 * width);
    tsr_tv_push_(&columns, 4, 2 * width);
    return tsr_make_tv(rows, columns);
}

/** The mode of a batch: a lone one has stride 0. */
TSR_LOCAL tsr_layout tsr_batch_(tsr_tuple batch, tsr_tuple apart)
{
    return tsr_make_layout(batch, tsr_tuple_number(tsr_product(batch)) == 1 ? tsr_isub(batch, tsr_s(1)) : apart);
}

TSR_OP tsr_layout tsr_sparse_e_layout(tsr_tuple shape, tsr_dtype type)
{
    tsr_layout const block = tsr_sparse_e_block(type);
    bool const batched = !shape.status && tsr_mode_count(&shape) == 3;
    tsr_tuple const matrix = batched ? tsr_t(tsr_tuple_get(shape, 0), tsr_tuple_get(shape, 1)) : shape;
    tsr_layout const r = tsr_tiles_of_(&block, &matrix, false);
    return batched && !r.shape.status
               ? tsr_layout_append(r, tsr_batch_(tsr_tuple_get(shape, 2), tsr_product(r.shape)))
               : r;
}

TSR_OP tsr_layout tsr_sparse_a_layout(tsr_tuple shape, tsr_major major)
{
    int const rank = shape.status ? 0 : tsr_mode_count(&shape);
    if (shape.status || (rank != 2 && rank != 3))
        return shape.status ? tsr_refused_(tsr_tuple_why(shape)) : tsr_bad_layout(TSR_RANK, 0, rank, 2, 0);
    tsr_tuple const m = tsr_tuple_get(shape, 0), k = tsr_tuple_get(shape, 1);
    if (tsr_tuple_number(tsr_product(k)) % 2 != 0)
        return tsr_bad_layout(TSR_GMMA_PARTS, 1, tsr_tuple_number(tsr_product(k)), 2, 0);
    bool const along_k = major == TSR_MAJOR_K;
    tsr_tuple const half = tsr_t(tsr_s(2), tsr_idiv(k, tsr_s(2)));
    tsr_tuple const apart = tsr_t(tsr_s(1), along_k ? tsr_s(2) : tsr_imul(m, tsr_s(2)));
    tsr_layout const r = tsr_make_layout(tsr_t(m, half), tsr_t(along_k ? k : tsr_s(2), apart));
    return rank == 3 ? tsr_layout_append(r, tsr_batch_(tsr_tuple_get(shape, 2), tsr_imul(m, k))) : r;
}

TSR_HEADER_END

#endif
