/** The bodies of atom/smem.h. */
#ifndef TSR_ATOM_BODY_SMEM_H
#define TSR_ATOM_BODY_SMEM_H

#include "tessera/atom/smem.h"
#include "tessera/atom/body/tv.h"

TSR_HEADER_BEGIN

TSR_OP tsr_layout tsr_smem_atom(tsr_major major, int swizzle, tsr_dtype type)
{
    int64_t const bits = tsr_dtype_bits(type);
    if (swizzle < 0 || swizzle > 3)
        return tsr_bad_layout(TSR_SMEM_SWIZZLE, 0, swizzle, 0, 0);
    if (bits == 0 || 128 % bits != 0)
        return tsr_bad_layout(TSR_TYPE, 0, bits, 0, 0);
    int64_t const row = ((int64_t)128 << swizzle) / bits;
    tsr_layout r = TSR_ZERO;
    tsr_tv_push_(&r, major == TSR_MAJOR_K ? 8 : row, major == TSR_MAJOR_K ? row : 1);
    tsr_tv_push_(&r, major == TSR_MAJOR_K ? row : 8, major == TSR_MAJOR_K ? 1 : row);
    tsr_swizzle const sw = tsr_make_swizzle(swizzle, tsr_bit_width((uint64_t)(128 / bits)) - 1, 3);
    return tsr_swizzled(sw, tsr_tv_mode_(r));
}

TSR_LOCAL tsr_gmma_fields tsr_gmma_refuse_(tsr_reason why)
{
    tsr_gmma_fields r = TSR_ZERO;
    r.why = why;
    return r;
}

/** The strides of the canonical form ((8,n),(2,m)) or ((W,n),(8,m)), in units of 16 bytes. B of a sparse product has 64
 *  bytes of K, two K-major blocks of 32 bytes: the leading offset is then the one between them. (Not documented: PTX
 *  says that swizzled K-major tiles do not use it; an H200 does, tests/cuda/mma.cu.)
 *  Errors  GMMA_CANONICAL, GMMA_STRIDE. */
TSR_LOCAL tsr_gmma_fields tsr_gmma_canonical_(tsr_layout units, tsr_major major, int swizzle)
{
    int64_t const width = (int64_t)1 << swizzle;
    bool const k = major == TSR_MAJOR_K, inter = swizzle == 0;
    tsr_layout const form = tsr_logical_divide(units, tsr_tile(tsr_make_layout(tsr_s(k ? 8 : width), tsr_s(1)),
                                                               tsr_make_layout(tsr_s(k ? 2 : 8), tsr_s(1))));
    if (form.shape.status)
        return tsr_gmma_refuse_(tsr_tuple_why(form.shape));
    tsr_leaf const *const d = form.stride.leaf;
    int64_t const inner = d[0].value, inner_wanted = k ? width : 1, outer = d[2].value, outer_wanted = k ? 1 : width;
    if (form.shape.leaves != 4)
        return tsr_gmma_refuse_(tsr_because(TSR_GMMA_CANONICAL, 0, form.shape.leaves, 4, 0));
    if ((k || !inter) && inner != inner_wanted)
        return tsr_gmma_refuse_(tsr_because(TSR_GMMA_STRIDE, 0, inner, inner_wanted, 0));
    if ((!k || !inter) && outer != outer_wanted)
        return tsr_gmma_refuse_(tsr_because(TSR_GMMA_STRIDE, 1, outer, outer_wanted, 0));
    bool const twice = k && form.shape.leaf[3].value > 1, blocks = twice && swizzle == 1;
    if (twice && !blocks && d[3].value != 2 * outer)
        return tsr_gmma_refuse_(tsr_because(TSR_GMMA_STRIDE, 1, d[3].value, 2 * outer, 0));
    tsr_gmma_fields r = TSR_ZERO;
    r.layout_type = inter ? 0 : 4 - swizzle;
    r.leading = (int32_t)(blocks ? d[3].value : k ? d[2].value : inter ? d[3].value : d[1].value);
    r.stride = (int32_t)(k || inter ? d[1].value : d[3].value);
    return r;
}

TSR_OP tsr_gmma_fields tsr_make_gmma_desc(tsr_layout tile, tsr_major major, int swizzle, int64_t vector)
{
    tsr_layout const units = tsr_upcast(tile, vector);
    if (units.shape.status || tsr_mode_count(&units.shape) != 2)
        return tsr_gmma_refuse_(units.shape.status ? tsr_tuple_why(units.shape)
                                                   : tsr_because(TSR_RANK, 0, tsr_mode_count(&units.shape), 2, 0));
    int64_t const mn = tsr_layout_size(tsr_mode(tile, 0)), depth = tsr_layout_size(tsr_mode(tile, 1));
    bool const legal = depth == 2 * vector || depth == 4 * vector || (major == TSR_MAJOR_MN && depth == vector);
    if (!legal || mn % (major == TSR_MAJOR_K ? 8 : vector) != 0)
        return tsr_gmma_refuse_(tsr_because(TSR_GMMA_EXTENT, 0, mn, depth, 2 * vector));
    return tsr_gmma_canonical_(units, major, swizzle);
}

/** The first tile of a block repeated up to a shape. */
TSR_PART tsr_layout tsr_gmma_tile_(tsr_layout const *block, tsr_tuple const *shape, tsr_tiler const *tile)
{
    tsr_layout const whole = tsr_tile_to_shape(*block, *shape), tiles = tsr_zipped_divide_by(whole, *tile);
    return tsr_mode_(&tiles, 0);
}

TSR_OP tsr_tuple tsr_gmma_desc(tsr_layout atom, tsr_tuple shape, tsr_tiler tile)
{
    if (atom.shape.status || shape.status || tile.by.shape.status)
        return atom.shape.status ? atom.shape : shape.status ? shape : tile.by.shape;
    tsr_layout const block = tsr_layout_inner(atom);
    int const swizzle = atom.composed ? atom.swizzle.bits : 0;
    tsr_major const major = tsr_leaf_is(block.stride.leaf[0], 1) ? TSR_MAJOR_MN : TSR_MAJOR_K;
    int64_t const row = block.shape.leaf[major == TSR_MAJOR_K ? 1 : 0].value, vector = row >> swizzle;
    tsr_layout const known = vector > 0 && vector <= 128 && 128 % vector == 0
                                 ? tsr_smem_atom(major, swizzle, (tsr_dtype)(128 / vector))
                                 : tsr_bad_layout(TSR_SMEM_ATOM, 0, 0, 0, 0);
    if (known.shape.status || !tsr_leaf_is(tsr_as_leaf_(tsr_layout_equal(known, atom)), 1))
        return tsr_bad_tuple(TSR_SMEM_ATOM, 0, 0, 0, 0);
    tsr_gmma_fields const f = tsr_make_gmma_desc(tsr_gmma_tile_(&block, &shape, &tile), major, swizzle, vector);
    return f.why.status ? tsr_reason_tuple(f.why) : tsr_t(f.layout_type, f.leading, f.stride, 0);
}

TSR_HEADER_END

#endif
