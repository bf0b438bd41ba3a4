/** The bodies of atom/smem.h. */
#ifndef TSR_ATOM_BODY_SMEM_H
#define TSR_ATOM_BODY_SMEM_H

#include "tessera/atom/smem.h"
#include "tessera/atom/body/tv.h"

TSR_HEADER_BEGIN

TSR_OP tsr_layout tsr_smem_atom(tsr_major major, int swizzle, tsr_dtype type)
{
    int64_t const bits = tsr_dtype_bits(type);
    bool const wide = swizzle == TSR_SMEM_SW128_32B && major == TSR_MAJOR_MN;
    if (swizzle < 0 || (swizzle > 3 && !wide))
        return tsr_bad_layout(TSR_SMEM_SWIZZLE, 0, swizzle, 0, 0);
    if (bits == 0 || 128 % bits != 0)
        return tsr_bad_layout(TSR_TYPE, 0, bits, 0, 0);
    int64_t const row = ((int64_t)128 << (wide ? 3 : swizzle)) / bits, rows = wide ? 4 : 8;
    tsr_layout r = TSR_ZERO;
    tsr_tv_push_(&r, major == TSR_MAJOR_K ? rows : row, major == TSR_MAJOR_K ? row : 1);
    tsr_tv_push_(&r, major == TSR_MAJOR_K ? row : rows, major == TSR_MAJOR_K ? 1 : row);
    int const base = tsr_bit_width((uint64_t)(128 / bits)) - 1;
    return tsr_swizzled(wide ? tsr_make_swizzle(2, base + 1, 2) : tsr_make_swizzle(swizzle, base, 3),
                        tsr_tv_mode_(r));
}

TSR_LOCAL tsr_gmma_fields tsr_gmma_refuse_(tsr_reason why)
{
    tsr_gmma_fields r = TSR_ZERO;
    r.why = why;
    return r;
}

/** The strides of the canonical form ((8,n),(2,m)) or ((W,n),(R,m)), in units of 16 bytes; R is 8, or 4 with the
 *  swizzle of 32 bytes. B of a sparse product has 64
 *  bytes of K, two K-major blocks of 32 bytes: the leading offset is then the one between them. (Not documented: PTX
 *  says that swizzled K-major tiles do not use it; an H200 does, tests/cuda/mma.cu.)
 *  Errors  GMMA_CANONICAL, GMMA_STRIDE. */
TSR_LOCAL tsr_gmma_fields tsr_gmma_canonical_(tsr_layout units, tsr_major major, int swizzle)
{
    bool const k = major == TSR_MAJOR_K, inter = swizzle == 0, wide = swizzle == TSR_SMEM_SW128_32B;
    int64_t const width = (int64_t)1 << (wide ? 3 : swizzle);
    tsr_layout const form = tsr_logical_divide(
        units, tsr_tile(tsr_make_layout(tsr_s(k ? 8 : width), tsr_s(1)), tsr_make_layout(tsr_s(k      ? 2
                                                                                               : wide ? 4
                                                                                                      : 8),
                                                                                         tsr_s(1))));
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

/** The fields of either version; the layout type is Hopper's. */
TSR_PART tsr_gmma_fields tsr_gmma_fields_of_(tsr_layout const *tile, tsr_major major, int swizzle, int64_t vector)
{
    tsr_layout const units = tsr_upcast(*tile, vector);
    if (units.shape.status || tsr_mode_count(&units.shape) != 2)
        return tsr_gmma_refuse_(units.shape.status ? tsr_tuple_why(units.shape)
                                                   : tsr_because(TSR_RANK, 0, tsr_mode_count(&units.shape), 2, 0));
    int64_t const mn = tsr_layout_size(tsr_mode_(tile, 0)), depth = tsr_layout_size(tsr_mode_(tile, 1));
    bool const legal = depth == 2 * vector || depth == 4 * vector || (major == TSR_MAJOR_MN && depth == vector);
    if (!legal || mn % (major == TSR_MAJOR_K ? 8 : vector) != 0)
        return tsr_gmma_refuse_(tsr_because(TSR_GMMA_EXTENT, 0, mn, depth, 2 * vector));
    return tsr_gmma_canonical_(units, major, swizzle);
}

TSR_OP tsr_gmma_fields tsr_make_gmma_desc(tsr_layout tile, tsr_major major, int swizzle, int64_t vector)
{
    return swizzle == TSR_SMEM_SW128_32B ? tsr_gmma_refuse_(tsr_because(TSR_SMEM_SWIZZLE, 0, swizzle, 0, 0))
                                         : tsr_gmma_fields_of_(&tile, major, swizzle, vector);
}

TSR_OP tsr_gmma_fields tsr_make_umma_desc(tsr_layout tile, tsr_major major, int swizzle, int64_t vector)
{
    tsr_gmma_fields r = tsr_gmma_fields_of_(&tile, major, swizzle, vector);
    r.version = 1;
    r.layout_type = swizzle == TSR_SMEM_SW128_32B ? 1 : 2 * r.layout_type;
    return r;
}

/** The first tile of a block repeated up to a shape. */
TSR_PART tsr_layout tsr_gmma_tile_(tsr_layout const *block, tsr_tuple const *shape, tsr_tiler const *tile)
{
    tsr_layout const whole = tsr_tile_to_shape(*block, *shape), tiles = tsr_zipped_divide_by(whole, *tile);
    return tsr_mode_(&tiles, 0);
}

/** What a block of tsr_smem_atom is: its order, swizzle, and elements in 16 bytes. */
typedef struct tsr_smem_form_ {
    tsr_reason why;
    tsr_layout block; /* before the swizzle */
    tsr_major major;
    int swizzle;
    int64_t vector;
} tsr_smem_form_;

TSR_PART tsr_smem_form_ tsr_smem_form_of_(tsr_layout const *atom)
{
    tsr_smem_form_ r = TSR_ZERO;
    r.why = tsr_tuple_why(atom->shape);
    if (r.why.status)
        return r;
    bool const wide = atom->composed && atom->swizzle.shift == 2;
    r.block = tsr_layout_inner(*atom);
    r.swizzle = wide ? TSR_SMEM_SW128_32B : atom->composed ? atom->swizzle.bits : 0;
    r.major = tsr_leaf_is(r.block.stride.leaf[0], 1) ? TSR_MAJOR_MN : TSR_MAJOR_K;
    r.vector = r.block.shape.leaf[r.major == TSR_MAJOR_K ? 1 : 0].value >> (wide ? 3 : r.swizzle & 3);
    tsr_layout const known = r.vector > 0 && r.vector <= 128 && 128 % r.vector == 0
                                 ? tsr_smem_atom(r.major, r.swizzle, (tsr_dtype)(128 / r.vector))
                                 : tsr_bad_layout(TSR_SMEM_ATOM, 0, 0, 0, 0);
    if (known.shape.status || !tsr_leaf_is(tsr_as_leaf_(tsr_layout_equal(known, *atom)), 1))
        r.why = tsr_because(TSR_SMEM_ATOM, 0, 0, 0, 0);
    return r;
}

TSR_OP tsr_tuple tsr_gmma_desc(tsr_layout atom, tsr_tuple shape, tsr_tiler tile)
{
    if (atom.shape.status || shape.status || tile.by.shape.status)
        return atom.shape.status ? atom.shape : shape.status ? shape : tile.by.shape;
    tsr_smem_form_ const form = tsr_smem_form_of_(&atom);
    if (form.why.status)
        return tsr_reason_tuple(form.why);
    tsr_gmma_fields const f =
        tsr_make_gmma_desc(tsr_gmma_tile_(&form.block, &shape, &tile), form.major, form.swizzle, form.vector);
    return f.why.status ? tsr_reason_tuple(f.why) : tsr_t(f.layout_type, f.leading, f.stride, 0);
}

/** Parts begin at whole 16 bytes, in a row that the swizzle leaves where it is. */
TSR_LOCAL tsr_reason tsr_gmma_starts_(tsr_layout const *start, int swizzle, int64_t vector)
{
    int64_t const still = 8 * vector, period = swizzle == TSR_SMEM_SW128_32B ? 4 * still : still << swizzle;
    for (int64_t i = 0; i < tsr_layout_size(*start); ++i) {
        int64_t const at = tsr_layout_offset(start, i);
        if (at % vector != 0 || at % period >= still)
            return tsr_because(TSR_GMMA_START, 0, at, at % vector != 0 ? vector : period, 0);
    }
    return tsr_no_reason();
}

TSR_OP tsr_layout tsr_smem_desc_steps(tsr_layout block, tsr_tuple shape, tsr_tiler tile)
{
    if (block.shape.status || shape.status || tile.by.shape.status)
        return block.shape.status ? block : tsr_refused_(tsr_tuple_why(shape.status ? shape : tile.by.shape));
    tsr_smem_form_ const form = tsr_smem_form_of_(&block);
    if (form.why.status)
        return tsr_refused_(form.why);
    tsr_layout const cut = tsr_zipped_divide_by(tsr_tile_to_shape(form.block, shape), tile);
    if (cut.shape.status)
        return cut;
    tsr_layout const start = tsr_mode_(&cut, 1);
    tsr_reason const why = tsr_gmma_starts_(&start, form.swizzle, form.vector);
    return why.status ? tsr_refused_(why) : tsr_upcast(start, form.vector);
}

/** The descriptor at an address; its base offset is 0, so a swizzle pattern begins there. */
TSR_PART tsr_smem_word tsr_smem_word_(tsr_smem_form_ const *form, tsr_gmma_fields const *f, int64_t address,
                                      int64_t step)
{
    tsr_smem_word r = TSR_ZERO;
    int64_t const pattern = form->swizzle == TSR_SMEM_SW128_32B ? 512
                            : form->swizzle == 0                ? 16
                                                                : 128 << form->swizzle;
    r.why = f->why;
    if (!r.why.status
        && (address < 0 || address >= 1 << 18 || address % pattern != 0 || step < 0
            || step >= (1 << 14) - address / 16))
        r.why = tsr_because(TSR_SMEM_ADDRESS, 0, address, pattern, 0);
    r.bits = r.why.status ? 0 : tsr_gmma_bits(*f, (uint32_t)(address + 16 * step));
    return r;
}

TSR_OP tsr_smem_word tsr_make_smem_desc(tsr_layout block, tsr_tuple shape, tsr_tiler tile, int64_t address,
                                        tsr_tuple coord)
{
    tsr_smem_word r = TSR_ZERO;
    tsr_smem_form_ const form = tsr_smem_form_of_(&block);
    tsr_layout const steps = tsr_smem_desc_steps(block, shape, tile);
    tsr_tuple const at = steps.shape.status ? steps.shape : tsr_layout_at(steps, coord);
    r.why = tsr_tuple_why(at);
    if (r.why.status)
        return r;
    tsr_gmma_fields const f =
        tsr_make_umma_desc(tsr_gmma_tile_(&form.block, &shape, &tile), form.major, form.swizzle, form.vector);
    return tsr_smem_word_(&form, &f, address, tsr_leaf_value(at.leaf[0]));
}

TSR_OP tsr_tuple tsr_smem_desc_fields(uint64_t bits)
{
    int64_t const version = (int64_t)(bits >> 46 & 3), type = (int64_t)(bits >> (version ? 61 : 62));
    uint64_t const unused = (uint64_t)3 << 14 | (uint64_t)3 << 30 | (uint64_t)1 << 48 | (uint64_t)255 << 53
                            | (version ? 0 : (uint64_t)1 << 61 | (uint64_t)1 << 52);
    bool const known = version == 0 || type == 1 || type % 2 == 0;
    if (version > 1 || !known || (bits & unused) != 0)
        return tsr_bad_tuple(TSR_SMEM_WORD, 0, version, type, (int64_t)(bits & unused));
    return tsr_t((int64_t)(bits & 0x3fff), (int64_t)(bits >> 16 & 0x3fff), (int64_t)(bits >> 32 & 0x3fff), version,
                 (int64_t)(bits >> 49 & 7), (int64_t)(bits >> 52 & 1), type);
}

TSR_HEADER_END

#endif
