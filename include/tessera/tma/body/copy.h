/** The bodies of tma/copy.h. */
#ifndef TSR_TMA_BODY_COPY_H
#define TSR_TMA_BODY_COPY_H

#include "tessera/tma/copy.h"
#include "tessera/tma/body/basis.h"
#include "tessera/tma/body/lint.h"

TSR_HEADER_BEGIN

TSR_OP tsr_tma_copy tsr_bad_tma_copy(tsr_reason why)
{
    tsr_tma_copy r = TSR_ZERO;
    r.desc = tsr_bad_tma_desc(why);
    return r;
}

/** Makes a plan one that is invalid for a reason, unless the tuple is valid; returns whether it did. */
TSR_PART bool tsr_tma_refused_(tsr_tma_copy *r, tsr_tuple const *why)
{
    if (why->status)
        *r = tsr_bad_tma_copy(tsr_tuple_why(*why));
    return why->status != TSR_OK;
}

/** The extent and stride of modes that share dimension i: all their steps in steps of their common divisor. */
TSR_LOCAL void tsr_tma_share_(tsr_tma_desc *d, int i, tsr_leaf shape, tsr_leaf stride)
{
    int64_t const old = d->stride[i], common = tsr_gcd64(old, (int64_t)tsr_abs64(stride.value));
    int64_t first = 0, second = 0, sum = 0;
    d->stride[i] = common;
    if (common == 0) {
        d->dim[i] = shape.value;
    } else if (!tsr_mul64(d->dim[i] - 1, old / common, &first)
               || !tsr_mul64(shape.value - 1, stride.value / common, &second) || !tsr_add64(first, second, &sum)
               || !tsr_add64(sum, 1, &d->dim[i])) {
        d->why = tsr_because(TSR_OVERFLOW, i, shape.value, 0, 0);
    }
}

/** Extents and strides of the map, from the modes that the basis names. Errors: TMA_MAJOR, OVERFLOW. */
TSR_LOCAL void tsr_tma_fill_tensor_(tsr_tma_desc *d, tsr_layout const *basis, tsr_layout const *gmem, int bits)
{
    d->rank = tsr_mode_count(&basis->shape);
    for (int i = 0; i < d->rank; ++i) {
        tsr_tuple const modes = tsr_get_(&basis->stride, i);
        for (int k = 0; k < modes.leaves; ++k) {
            tsr_tuple const e = tsr_from_leaf(modes.leaf[k]);
            tsr_leaf const s = tsr_as_leaf_(tsr_basis_get(e, gmem->shape)),
                           t = tsr_as_leaf_(tsr_basis_get(e, gmem->stride));
            if (!tsr_leaf_is_int(s) || !tsr_leaf_is_int(t)) {
                d->why = tsr_because(TSR_BASIS, 0, i, 0, 0);
                return;
            }
            if (modes.leaves > 1) {
                tsr_tma_share_(d, i, s, t);
            } else {
                d->dim[i] = s.value;
                d->stride[i] = t.value;
            }
        }
    }
    if (d->stride[0] != 1)
        d->why = tsr_because(TSR_TMA_MAJOR, 0, d->stride[0], 0, 0);
    for (int i = 0; i < d->rank; ++i) {
        if (!tsr_mul64(d->stride[i], bits, &d->stride[i]))
            d->why = tsr_because(TSR_OVERFLOW, i, d->stride[i], 0, 0);
        d->stride[i] /= 8;
    }
}

/** The box: the extents of the basis, the outermost ones cut into one part for each CTA of the multicast.
 *  Errors  STATIC_ONLY, TMA_MULTICAST. */
TSR_LOCAL void tsr_tma_fill_box_(tsr_tma_desc *d, tsr_layout const *basis, int64_t multicast)
{
    for (int i = 0; i < d->rank; ++i) {
        tsr_leaf const n = tsr_as_leaf_(tsr_product(tsr_get_(&basis->shape, i)));
        if (!tsr_leaf_is_static(n))
            d->why = tsr_because(TSR_STATIC_ONLY, i, n.value, 0, 0);
        d->box[i] = n.value;
    }
    for (int i = d->rank - 1; i >= 0 && multicast > 1 && !d->why.status; --i) {
        int64_t const n = d->box[i];
        if (n % multicast != 0 && multicast % n != 0)
            d->why = tsr_because(TSR_TMA_MULTICAST, i, multicast, n, 0);
        d->box[i] = tsr_ceil_div64(n, multicast);
        multicast = tsr_ceil_div64(multicast, n);
    }
    if (multicast > 1 && !d->why.status)
        d->why = tsr_because(TSR_TMA_MULTICAST, 0, multicast, 1, 0);
}

/** The box of gather4 and scatter4: one row of those that were found. Errors: TMA_GATHER. */
TSR_LOCAL void tsr_tma_one_row_(tsr_tma_desc *d, int64_t multicast)
{
    if (!d->why.status && (d->rank != 2 || d->box[1] % 4 != 0 || multicast != 1))
        d->why = tsr_because(TSR_TMA_GATHER, 0, d->rank, d->box[1], multicast);
    d->box[1] = 1;
}

/** The place of mode e among the dimensions of the basis, or their number. */
TSR_LOCAL int tsr_tma_dimension_(tsr_layout const *basis, tsr_leaf e)
{
    int const rank = tsr_mode_count(&basis->stride);
    for (int i = 0; i < rank; ++i) {
        tsr_tuple const modes = tsr_get_(&basis->stride, i);
        if (tsr_has_leaf_(&modes, e))
            return i;
    }
    return rank;
}

/** a * n / m: exactly when static, as memory is laid out when not. */
TSR_LOCAL tsr_leaf tsr_leaf_ratio_(tsr_leaf a, int64_t n, int64_t m)
{
    int64_t const common = tsr_gcd64(n, m);
    return tsr_leaf_safe_div(tsr_leaf_mul(a, tsr_leaf_static(n / common)), tsr_leaf_static(m / common));
}

/** How many elements of the tensor the moved type holds; 1 where it is not wider. */
TSR_LOCAL int64_t tsr_tma_word_(tsr_tma_types types)
{
    int const value = tsr_dtype_bits(types.value), moved = tsr_dtype_bits(types.internal);
    return value > 0 && moved > value && moved % value == 0 ? moved / value : 1;
}

/** Does every step of a layout pass whole words of n elements? Errors: TMA_WORD. */
TSR_LOCAL tsr_tuple tsr_tma_whole_words_(tsr_layout const *l, int64_t n)
{
    for (int i = 0; !l->shape.status && i < l->shape.leaves; ++i) {
        int64_t const extent = l->shape.leaf[i].value, d = l->stride.leaf[i].value;
        int64_t const number = d == 1 ? extent : d;
        if (l->shape.leaf[i].kind != TSR_UNIT && extent > 1 && number % n != 0)
            return tsr_bad_tuple(TSR_TMA_WORD, i, extent, d, n);
    }
    return l->shape.status ? l->shape : tsr_s(1);
}

/** The coordinate of the map that one step along each mode of the tensor adds, a basis element. It is scaled in
 *  dimension 0 by the step in elements, and in a shared dimension by the number of common strides. 0 for modes that
 *  have no dimension.
 *      gmem, moved  the tensor, and the tensor in elements of the type that is moved */
TSR_LOCAL tsr_tuple tsr_tma_strides_(tsr_tma_desc const *d, tsr_layout const *basis, tsr_layout const *gmem,
                                     tsr_layout const *moved, tsr_tma_types types)
{
    tsr_tuple r = tsr_make_basis_like(gmem->shape);
    int const bits = tsr_dtype_bits(types.internal);
    for (int i = 0; !r.status && i < r.leaves; ++i) {
        tsr_leaf const e = r.leaf[i], stride = moved->stride.leaf[i];
        int const j = tsr_tma_dimension_(basis, e);
        tsr_leaf scale = tsr_leaf_static(1);
        if (e.kind == TSR_UNIT)
            continue;
        if (tsr_tma_void_(moved->shape.leaf[i], stride) || j == d->rank) {
            scale = tsr_leaf_static(0);
        } else if (j == 0) {
            scale = gmem->stride.leaf[i];
            if (tsr_tma_word_(types) == 1)
                scale = tsr_leaf_ratio_(scale, tsr_dtype_bits(types.value), bits);
        } else if (tsr_get_(&basis->stride, j).leaves > 1) {
            int64_t const most = TSR_INT_MAX / 128 - 8; /* beyond it the stride is out of range in any case */
            int64_t const step = tsr_min64(tsr_max64(stride.value, 0), most) * bits / tsr_max64(d->stride[j], 16);
            scale = tsr_leaf_dynamic(tsr_ceil_div64(step, 8));
        }
        if (scale.kind == TSR_BAD)
            return tsr_from_leaf(scale);
        r.leaf[i].value = scale.value;
        r.leaf[i].kind = scale.kind;
        r.leaf[i].aux = tsr_leaf_is(scale, 0) ? 0 : (uint32_t)(j + 1);
    }
    return r;
}

/** The elements of one instruction repeated over the tile, and the CTAs of a multicast at equal parts of it. */
TSR_PART tsr_layout tsr_tma_all_(tsr_layout const *one, tsr_layout const *tile)
{
    return tsr_tile_to_shape(tsr_layout_unchecked(tsr_tuple_1(one->shape), tsr_tuple_1(one->stride)),
                             tsr_product(tile->shape));
}

TSR_PART tsr_layout tsr_tma_who_(tsr_layout const *inverse, tsr_layout const *ctas, int64_t elements)
{
    tsr_tuple const n = tsr_cosize_of(*ctas, tsr_unit());
    tsr_leaf const part = tsr_leaf_safe_div(tsr_leaf_static(elements), tsr_as_leaf_(n));
    tsr_layout const parts = tsr_make_layout_from(n, tsr_from_leaf(part)), to = tsr_compose_layouts_(&parts, ctas);
    return tsr_compose_layouts_(inverse, &to);
}

/** (CTA, element) -> index in the tile: the elements of one instruction, then the instructions; the CTAs of a
 *  multicast begin at equal parts of it. */
TSR_PART tsr_layout tsr_tma_tv_(tsr_layout const *smem, tsr_layout const *tile, tsr_layout ctas, int64_t elements)
{
    tsr_layout const inverse = tsr_right_inverse(*smem);
    tsr_layout const one = tsr_compose_by_(inverse, tsr_tiler_of_tuple(tsr_s(elements)));
    tsr_layout const all = tsr_tma_all_(&one, tile), who = tsr_tma_who_(&inverse, &ctas, elements);
    if (one.shape.status || all.shape.status || who.shape.status)
        return one.shape.status ? one : all.shape.status ? all : who;
    return tsr_make_pair(&who, &all);
}

/** What all plans begin with: the operation, the format, the swizzle, and how many CTAs share a box.
 *  `rest` is the first invalid one of the other arguments, if any is.
 *  Errors  TMA_OP, TMA_TYPE, TMA_SWIZZLE. */
TSR_PART void tsr_tma_begin_(tsr_tma_copy *r, tsr_tma_op op, tsr_tma_op_mode mode, tsr_tma_types types,
                             tsr_layout const *gmem, tsr_smem_layout const *smem, tsr_tiler const *tiler,
                             tsr_tuple cluster, tsr_tuple rest)
{
    tsr_tma_copy const none = TSR_ZERO;
    tsr_tuple why = gmem->shape.status          ? gmem->shape
                    : smem->layout.shape.status ? smem->layout.shape
                    : tiler->by.shape.status    ? tiler->by.shape
                    : cluster.status            ? cluster
                                                : rest;
    if (!why.status && gmem->composed)
        why = tsr_bad_tuple(TSR_SWIZZLE_STRIDE, 0, 0, 0, 0);
    if (!why.status && tsr_has_basis(&smem->layout.stride))
        why = tsr_bad_tuple(TSR_INVERSE_BASIS, tsr_first_basis_(&smem->layout.stride), 0, 0, 0);
    *r = none;
    if (tsr_tma_refused_(r, &why))
        return;
    tsr_layout const ctas = tsr_make_layout_compact(tsr_static_tuple(cluster));
    r->desc = tsr_tma_no_desc();
    r->op = op;
    r->types = types;
    r->desc.format = (uint8_t)tsr_tma_format_of(types.internal);
    r->desc.swizzle = (uint8_t)tsr_tma_swizzle_of(smem->swizzle);
    r->multicast = tsr_cosize(ctas);
    if ((tsr_tma_mode_of(op) == TSR_TMA_OP_IM2COL) != (mode == TSR_TMA_OP_IM2COL))
        r->desc.why = tsr_because(TSR_TMA_OP, 0, 0, 0, 0);
    if (r->desc.format == TSR_TMA_FORMATS)
        r->desc.why = tsr_because(TSR_TMA_TYPE, 0, tsr_dtype_bits(types.internal), 0, 0);
    if (r->desc.swizzle == TSR_TMA_SWIZZLES)
        r->desc.why = tsr_because(TSR_TMA_SWIZZLE, 0, smem->swizzle.bits, smem->swizzle.base, smem->swizzle.shift);
    if (ctas.shape.status)
        r->desc.why = tsr_tuple_why(ctas.shape);
}

/** What all plans end with. Errors: the layouts' own, the rules of the hardware, TMA_PITCH. */
TSR_PART void tsr_tma_end_(tsr_tma_copy *r)
{
    if (!r->desc.why.status && (r->tensor.shape.status || r->tv.shape.status))
        r->desc.why = tsr_tuple_why(r->tensor.shape.status ? r->tensor.shape : r->tv.shape);
    if (!r->desc.why.status)
        r->desc.why = tsr_tma_lint(r->desc).why;
    int64_t const row = tsr_tma_row_bytes(&r->desc), pitch = tsr_tma_row_pitch(&r->desc);
    if (!r->desc.why.status && row != pitch
        && (tsr_tma_box_rows(&r->desc) > 1 || tsr_tma_mode_of(r->op) == TSR_TMA_OP_GATHER))
        r->desc.why = tsr_because(TSR_TMA_PITCH, 0, row, pitch, pitch * 8 / tsr_tma_smem_bits(r->desc.format));
}

/** The tile of a CTA as the coordinates of a tensor of this shape. */
TSR_PART tsr_layout tsr_tma_tile_(tsr_tuple shape, tsr_tiler const *tiler)
{
    return tsr_composition_by(tsr_make_identity_layout(shape), *tiler);
}

/** The basis of the coordinates of a plan. */
TSR_PART tsr_layout tsr_tma_basis_of_(tsr_layout const *gmem, tsr_layout const *smem, tsr_layout const *tile,
                                      tsr_tma_types types)
{
    return tsr_construct_tma_gbasis(*gmem, *smem, *tile, types.value, types.internal);
}

/** Returns why the tensor, or a contiguous run of shared memory, is not a whole number of words, or a valid tuple. */
TSR_PART tsr_tuple tsr_tma_words_of_(tsr_layout const *gmem, tsr_layout const *smem, tsr_layout const *tile,
                                     int64_t word)
{
    if (word <= 1)
        return tsr_s(0);
    tsr_layout const run = tsr_composition_layout_(*gmem, tsr_tma_vector_(smem, tile));
    tsr_tuple const tensor = tsr_tma_whole_words_(gmem, word);
    return tensor.status ? tensor : tsr_tma_whole_words_(&run, word);
}

/** Returns the thread-value layout of a plan whose instruction moves `elements` elements. */
TSR_PART tsr_layout tsr_tma_tv_of_(tsr_layout const *smem, tsr_layout const *tile, tsr_tuple cluster,
                                   int64_t elements)
{
    return tsr_tma_tv_(smem, tile, tsr_make_layout_compact(tsr_static_tuple(cluster)), elements);
}

/** Fills a plan: tensor, box, and who moves what. */
TSR_PART void tsr_tma_fill_(tsr_tma_copy *r, tsr_layout const *gmem, tsr_layout const *basis, bool gathers)
{
    tsr_layout const moved = tsr_recast_whole_(*gmem, r->types.value, r->types.internal);
    tsr_tma_fill_tensor_(&r->desc, basis, &moved, tsr_dtype_bits(r->types.internal));
    tsr_tma_fill_box_(&r->desc, basis, r->multicast);
    if (gathers)
        tsr_tma_one_row_(&r->desc, r->multicast);
    r->tensor = tsr_layout_unchecked(gmem->shape, tsr_tma_strides_(&r->desc, basis, gmem, &moved, r->types));
}

/** The plan as far as the structure of the tensor, its static numbers, decides it. */
TSR_PART tsr_tma_copy tsr_tma_plan_(tsr_tma_op op, tsr_tma_types types, tsr_layout gmem, tsr_smem_layout smem,
                                    tsr_tiler tiler, tsr_tuple cluster)
{
    bool const gathers = tsr_tma_mode_of(op) == TSR_TMA_OP_GATHER;
    tsr_tma_copy r = TSR_ZERO;
    tsr_tma_begin_(&r, op, TSR_TMA_OP_TILED, types, &gmem, &smem, &tiler, cluster, tsr_s(0));
    if (r.desc.why.status)
        return r;
    tsr_layout const tile = tsr_tma_tile_(gmem.shape, &tiler);
    r.word = tsr_tma_word_(types);
    tsr_tuple const words = tsr_tma_words_of_(&gmem, &smem.layout, &tile, r.word);
    if (tsr_tma_refused_(&r, &words))
        return r;
    tsr_layout const basis = tsr_tma_basis_of_(&gmem, &smem.layout, &tile, types);
    if (tsr_tma_refused_(&r, &basis.shape))
        return r;
    r.tiler = tsr_product_each(tile.shape);
    tsr_tma_fill_(&r, &gmem, &basis, gathers);
    tsr_leaf const box =
        gathers ? tsr_leaf_static(tsr_mul64_most(4, r.desc.box[0])) : tsr_product_leaf_(&basis.shape);
    tsr_leaf const count = tsr_leaf_ratio_(box, tsr_dtype_bits(types.internal), tsr_dtype_bits(types.value));
    r.elements = count.value;
    r.tv = count.kind == TSR_BAD ? tsr_invalid_layout(tsr_from_leaf(count))
                                 : tsr_tma_tv_of_(&smem.layout, &tile, cluster, count.value);
    tsr_tma_end_(&r);
    return r;
}

TSR_OP tsr_tma_copy tsr_make_tma_copy(tsr_tma_op op, tsr_tma_types types, tsr_layout gmem, tsr_smem_layout smem,
                                      tsr_tiler tiler, tsr_tuple cluster)
{
    tsr_tma_copy r = tsr_tma_plan_(op, types, gmem, smem, tiler, cluster);
    if (!r.desc.why.status || gmem.shape.status)
        return r;
    tsr_layout fixed = gmem;
    fixed.shape = tsr_static_tuple(gmem.shape);
    r = tsr_tma_plan_(op, types, fixed, smem, tiler, cluster);
    r.tensor = r.desc.why.status ? r.tensor : tsr_layout_unchecked(gmem.shape, r.tensor.stride);
    return r;
}

/** A layout of shared memory whose swizzle, if it has one, is taken to act on bytes, as CuTe takes it. */
TSR_LOCAL tsr_smem_layout tsr_tma_smem_(tsr_layout const *smem, tsr_dtype type)
{
    tsr_smem_layout s = tsr_make_smem_layout(tsr_make_swizzle(0, 4, 3), type, tsr_layout_inner(*smem));
    if (smem->composed)
        s.swizzle = smem->swizzle;
    if (smem->twice && !smem->shape.status)
        s.layout = tsr_bad_layout(TSR_SWIZZLE_TWICE, 0, 0, 0, 0);
    return s;
}

TSR_OP tsr_tma_copy tsr_make_tma_copy_plain(tsr_tma_op op, tsr_tma_types types, tsr_layout gmem, tsr_layout smem,
                                            tsr_tiler tiler, tsr_tuple cluster)
{
    return tsr_make_tma_copy(op, types, gmem, tsr_tma_smem_(&smem, types.value), tiler, cluster);
}

TSR_OP tsr_tensor tsr_get_tma_tensor(tsr_tma_copy c)
{
    tsr_layout l = c.tensor;
    if (c.desc.im2col)
        l = tsr_make_identity_layout(c.matrix);
    return tsr_make_counting_tensor(c.desc.why.status ? tsr_invalid_layout(tsr_reason_tuple(c.desc.why)) : l);
}

TSR_OP tsr_layout tsr_tma_tiled_layout_tv(tsr_tma_copy c)
{
    return c.desc.why.status ? tsr_invalid_layout(tsr_reason_tuple(c.desc.why)) : c.tv;
}

TSR_HEADER_END

#endif
