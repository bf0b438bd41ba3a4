/** The bodies of atom/gmma_tile.h. */
#ifndef TSR_ATOM_BODY_GMMA_TILE_H
#define TSR_ATOM_BODY_GMMA_TILE_H

#include "tessera/atom/gmma_tile.h"
#include "tessera/atom/body/mma.h"
#include "tessera/atom/body/smem.h"

TSR_HEADER_BEGIN

TSR_OP tsr_major tsr_tile_major(tsr_layout tile)
{
    tsr_layout const rows = tsr_coalesce(tsr_mode(tsr_layout_inner(tile), 0));
    return tsr_leaf_is(rows.stride.leaf[0], 1) && rows.shape.leaf[0].value > 1 ? TSR_MAJOR_MN : TSR_MAJOR_K;
}

/** The number of a swizzle in tsr_smem_atom; -1 where the hardware has none like it. */
TSR_LOCAL int tsr_gmma_swizzle_(tsr_layout const *tile, int64_t vector)
{
    tsr_swizzle const sw = tile->swizzle;
    if (!tile->composed)
        return 0;
    bool const wide = sw.bits == 2 && sw.shift == 2;
    bool const known = !tile->twice && sw.bits >= 0 && sw.bits <= 3 && (wide || sw.shift == 3)
                       && (int64_t)1 << sw.base == (wide ? 2 * vector : vector) && tsr_leaf_value(tile->offset) == 0;
    return !known ? -1 : wide ? (int)TSR_SMEM_SW128_32B : sw.bits;
}

TSR_PART tsr_gmma_tile tsr_make_gmma_tile_(tsr_layout tile, tsr_tuple part, tsr_major major, tsr_dtype type,
                                           int version)
{
    tsr_gmma_tile r = TSR_ZERO;
    int const bits = tsr_dtype_bits(type), rank = tile.shape.status ? 0 : tsr_mode_count(&tile.shape);
    tsr_layout const inner = tsr_layout_inner(tile);
    int64_t extent[2] = {0, 0}, by[2] = {1, 1};
    r.why = tsr_tuple_why(tile.shape.status ? tile.shape : part);
    if (!r.why.status && (bits == 0 || 128 % bits != 0))
        r.why = tsr_because(TSR_TYPE, 0, bits, 0, 0);
    if (!r.why.status && (rank != 2 || part.leaves != 2))
        r.why = tsr_because(TSR_RANK, 0, rank != 2 ? rank : part.leaves, 2, 0);
    for (int i = 0; i < 2 && !r.why.status; ++i) {
        extent[i] = tsr_layout_size(tsr_mode(inner, i));
        by[i] = part.leaf[i].value;
        if (by[i] <= 0 || extent[i] % by[i] != 0)
            r.why = tsr_because(TSR_GMMA_PARTS, i, extent[i], by[i], 0);
    }
    if (r.why.status)
        return r;
    r.vector = 128 / bits;
    int const swizzle = tsr_gmma_swizzle_(&tile, r.vector);
    tsr_layout const cut = tsr_zipped_divide_by(inner, tsr_tiler_of_tuple(part));
    r.why = swizzle < 0 ? tsr_because(TSR_SMEM_ATOM, 0, 0, 0, 0)
            : tsr_tile_major(tile) != major
                ? tsr_because(TSR_GMMA_MAJOR, 0, tsr_tile_major(tile) == TSR_MAJOR_K, major == TSR_MAJOR_K, 0)
                : tsr_tuple_why(cut.shape);
    if (r.why.status)
        return r;
    r.rows = (int32_t)(extent[0] / by[0]);
    r.depth = (int32_t)(extent[1] / by[1]);
    r.start = tsr_mode(cut, 1);
    r.fields = version == 0 ? tsr_make_gmma_desc(tsr_mode(cut, 0), major, swizzle, r.vector)
                            : tsr_make_umma_desc(tsr_mode(cut, 0), major, swizzle, r.vector);
    r.why = r.fields.why.status ? r.fields.why : tsr_gmma_starts_(&r.start, swizzle, r.vector);
    return r;
}

TSR_OP tsr_gmma_tile tsr_make_gmma_tile(tsr_layout tile, tsr_tuple part, tsr_major major, tsr_dtype type)
{
    return tsr_make_gmma_tile_(tile, part, major, type, 0);
}

/** Elements of 4 and 6 bits have a byte each in shared memory, but where all are of 4 bits. */
TSR_LOCAL tsr_dtype tsr_umma_stored_(tsr_mma_atom const *x, tsr_dtype type)
{
    bool const bytes = tsr_mma_is_umma(*x) && x->k <= ((x->flags & TSR_MMA_SPARSE) != 0 ? 64 : 32);
    return bytes && tsr_dtype_bits(type) < 8 ? (tsr_dtype)TSR_U8 : type;
}

/** A part is that of one CTA: of a pair, half of the rows. */
TSR_LOCAL tsr_gmma_tile tsr_gmma_operand_(tsr_mma_atom const *x, tsr_layout tile, bool b)
{
    bool const sparse = !b && (x->flags & TSR_MMA_SPARSE) != 0, umma = tsr_mma_is_umma(*x);
    bool const mn = (x->flags & (b ? TSR_MMA_B_MN : TSR_MMA_A_MN)) != 0;
    int const ctas = x->kind == TSR_MMA_CTA_PAIR ? 2 : 1;
    tsr_tuple const part = tsr_tuple_2(tsr_s((b ? x->n : x->m) / ctas), tsr_s(sparse ? x->k / 2 : x->k));
    tsr_gmma_tile r = TSR_ZERO;
    r.why = x->status           ? tsr_mma_why(*x)
            : tile.shape.status ? tsr_tuple_why(tile.shape)
            : !(umma || x->kind == TSR_MMA_WARPGROUP) || (!b && (x->flags & TSR_MMA_A_REGISTERS) != 0)
                ? tsr_because(TSR_GMMA_OPERAND, 0, 0, 0, 0)
                : tsr_no_reason();
    return r.why.status ? r
                        : tsr_make_gmma_tile_(tile, part, mn ? TSR_MAJOR_MN : TSR_MAJOR_K,
                                              tsr_umma_stored_(x, b ? x->b : x->a), umma);
}

TSR_OP tsr_gmma_tile tsr_make_gmma_tile_a(tsr_mma_atom x, tsr_layout tile)
{
    return tsr_gmma_operand_(&x, tile, false);
}

TSR_OP tsr_gmma_tile tsr_make_gmma_tile_b(tsr_mma_atom x, tsr_layout tile)
{
    return tsr_gmma_operand_(&x, tile, true);
}

TSR_LOCAL tsr_tuple tsr_gmma_fields_(tsr_gmma_tile t)
{
    return t.why.status ? tsr_reason_tuple(t.why) : tsr_t(t.fields.layout_type, t.fields.leading, t.fields.stride, 0);
}

TSR_OP tsr_tuple tsr_gmma_desc_a(tsr_mma_atom x, tsr_layout tile)
{
    return tsr_gmma_fields_(tsr_make_gmma_tile_a(x, tile));
}

TSR_OP tsr_tuple tsr_gmma_desc_b(tsr_mma_atom x, tsr_layout tile)
{
    return tsr_gmma_fields_(tsr_make_gmma_tile_b(x, tile));
}

TSR_HEADER_END

#endif
