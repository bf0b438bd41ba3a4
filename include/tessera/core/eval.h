/** Evaluation: the offset of a coordinate, as a number.
 *
 *  These few functions fold into their caller. A layout whose modes the compiler knows costs the index arithmetic that
 *  one would write by hand; hence the loops with constant bounds. Other layouts take an ordinary loop. Coordinates are
 *  taken as unsigned.
 */
#ifndef TSR_CORE_EVAL_H
#define TSR_CORE_EVAL_H

#include "tessera/core/layout.h"

TSR_HEADER_BEGIN

/** x with the bits under the mask Y, moved by the shift, xored in. Moved first and masked then, which a GPU does in two
 *  instructions. */
TSR_EVAL uint64_t tsr_swizzle_apply(tsr_swizzle sw, uint64_t x)
{
    uint64_t const mask = ((uint64_t)1 << sw.bits) - 1;
    if (sw.shift >= 0)
        return x ^ (x >> sw.shift & mask << sw.base);
    return x ^ (x << -sw.shift & mask << (sw.base - sw.shift));
}

TSR_EVAL int64_t tsr_finish_(tsr_layout const *l, uint64_t offset)
{
    if (l->composed)
        offset = tsr_swizzle_apply(l->swizzle, offset + (uint64_t)tsr_leaf_value(l->offset));
    if (l->twice)
        offset = tsr_swizzle_apply(l->outer_swizzle, offset + (uint64_t)tsr_leaf_value(l->outer_offset));
    return (int64_t)offset;
}

/** The extent of a leaf of a shape: a mode () has one element. */
TSR_EVAL uint64_t tsr_leaf_extent(tsr_leaf a) { return (uint64_t)a.value + (a.kind == TSR_UNIT); }

/** The stride of leaf i; of (), where the integer before it ends. */
TSR_EVAL uint64_t tsr_leaf_step_(tsr_layout const *l, int i, uint64_t end)
{
    return l->shape.leaf[i].kind == TSR_UNIT ? end : (uint64_t)l->stride.leaf[i].value;
}

/** The leaves up to the last integer; the () behind it are passed by. */
TSR_FN int tsr_leaves_with_integers_(tsr_tuple const *shape)
{
    int n = shape->leaves;
    while (n > 1 && shape->leaf[n - 1].kind == TSR_UNIT)
        --n;
    return n;
}

/** tsr_at_index by an ordinary loop, of integer strides: less code at each call, and faster where the compiler does not
 *  know the modes. */
TSR_FN int64_t tsr_layout_offset(tsr_layout const *l, int64_t index)
{
    uint64_t rest = (uint64_t)index, r = 0;
    if (l->shape.status)
        return TSR_BAD_OFFSET;
    int const leaves = tsr_leaves_with_integers_(&l->shape);
    for (int i = 0; i < leaves; ++i) {
        uint64_t const extent = tsr_leaf_extent(l->shape.leaf[i]), stride = (uint64_t)l->stride.leaf[i].value;
        bool const last = i + 1 == leaves;
        r += (last ? rest : rest % extent) * stride;
        if (!last)
            rest /= extent;
    }
    return tsr_finish_(l, r);
}

/** L(x[0],x[1],..) by an ordinary loop: an integer for each of the n modes. */
TSR_FN int64_t tsr_flat_offset_(tsr_layout const *l, int64_t const *x, int n)
{
    uint64_t r = 0, rest = 0, end = 0;
    uint32_t units = 0;
    int mode = 0, depth = -1;
    bool fresh = true; /* a mode begins */
    if (l->shape.status || l->shape.leaf[0].open == 0)
        return TSR_BAD_OFFSET;
    for (int i = 0; i < l->shape.leaves && mode < n; ++i) {
        tsr_leaf const s = l->shape.leaf[i];
        uint64_t const extent = tsr_leaf_extent(s), stride = tsr_leaf_step_(l, i, fresh ? 0 : end);
        rest = fresh ? (uint64_t)x[mode] : rest;
        end = extent * stride;
        units |= l->stride.leaf[i].aux;
        depth += s.open - s.close;
        fresh = depth <= 0;
        r += (fresh ? rest : rest % extent) * stride;
        rest = fresh ? 0 : rest / extent;
        mode += fresh;
    }
    return mode != n || depth >= 0 || units ? TSR_BAD_OFFSET : tsr_finish_(l, r);
}

/** tsr_at_coord by an ordinary loop. */
TSR_FN int64_t tsr_coord_offset_(tsr_layout const *l, tsr_tuple const *c)
{
    uint64_t r = 0, rest = 0, end = 0;
    int j = 0, depth = 0, at = 0;
    bool fits = l->shape.status == TSR_OK && c->status == TSR_OK, fresh = true;
    uint32_t units = 0;
    for (int i = 0; fits && i < l->shape.leaves; ++i) {
        tsr_leaf const s = l->shape.leaf[i];
        uint64_t const extent = tsr_leaf_extent(s), stride = tsr_leaf_step_(l, i, fresh ? 0 : end);
        end = extent * stride;
        depth += s.open;
        units |= l->stride.leaf[i].aux;
        if (fresh) {
            fits = j < c->leaves;
            at += fits ? c->leaf[j].open : 0;
            rest = fits ? (uint64_t)c->leaf[j].value : 0;
            fits = fits && at <= depth;
        }
        depth -= s.close;
        fresh = depth <= at;
        r += (fresh ? rest : rest % extent) * stride;
        if (!fresh)
            rest /= extent;
        if (fresh && fits) {
            at -= c->leaf[j++].close;
            fits = at == depth;
        }
    }
    return !fits || j != c->leaves || units ? TSR_BAD_OFFSET : tsr_finish_(l, r);
}

/** Is a tuple a list of at most four integers, (a,b,..)? */
TSR_EVAL bool tsr_is_list_(tsr_tuple const *c)
{
    bool list = c->status == TSR_OK && c->leaves <= 4;
    TSR_UNROLL for (int k = 0; k < 4; ++k) list =
        list && (k >= c->leaves || (c->leaf[k].open == (k == 0) && c->leaf[k].close == (k + 1 == c->leaves)));
    return list;
}

/** tsr_flat_offset_ of such a list. Only the integers of a literal are then in memory. */
TSR_EVAL int64_t tsr_list_offset_(tsr_layout const *l, tsr_tuple const *c)
{
    int64_t const x[4] = {c->leaf[0].value, c->leaf[1].value, c->leaf[2].value, c->leaf[3].value};
    return tsr_flat_offset_(l, x, c->leaves);
}

/** L(i) of a 1-D coordinate; TSR_BAD_OFFSET where the value is a coordinate (tsr_layout_at gives it). Beyond the size
 *  the last integer mode goes on. Modes () behind it do not change that: they have one element each. */
TSR_EVAL int64_t tsr_at_index_(tsr_layout const *l, int64_t index)
{
    uint64_t rest = (uint64_t)index, r = 0, end = 0;
    uint32_t units = 0;
    if (!TSR_IS_KNOWN(l->shape.leaves))
        return tsr_has_basis(&l->stride) ? TSR_BAD_OFFSET : tsr_layout_offset(l, index);
    if (l->shape.status)
        return TSR_BAD_OFFSET;
    TSR_UNROLL for (int i = 0; i < TSR_MAX_LEAVES; ++i)
    {
        if (i < l->shape.leaves) {
            uint64_t const extent = tsr_leaf_extent(l->shape.leaf[i]), stride = tsr_leaf_step_(l, i, end);
            bool const last = i + 1 == l->shape.leaves;
            end = extent * stride;
            r += (last ? rest : rest % extent) * stride;
            units |= l->stride.leaf[i].aux;
            if (!last)
                rest /= extent;
        }
    }
    return units ? TSR_BAD_OFFSET : tsr_finish_(l, r);
}

/** L(i) of a 1-D coordinate: tsr_at of an integer. */
TSR_EVAL int64_t tsr_at_index(tsr_layout l, int64_t index) { return tsr_at_index_(&l, index); }

/** L(c) of a coordinate that is as deep as the shape or less: (i,j), ((i,k),j), ...
 *  TSR_BAD_OFFSET when its profile does not fit, or when the value is a coordinate. */
TSR_EVAL int64_t tsr_at_coord_(tsr_layout const *l, tsr_tuple const *c)
{
    if (!TSR_IS_KNOWN(l->shape.leaves))
        return TSR_IS_KNOWN(c->leaves) && tsr_is_list_(c) ? tsr_list_offset_(l, c) : tsr_coord_offset_(l, c);
    uint64_t r = 0, rest = 0, end = 0;
    int j = 0, depth = 0, at = 0, close = 0; /* coordinate leaf; parentheses open in the shape, in the coordinate */
    bool fits = l->shape.status == TSR_OK && c->status == TSR_OK, fresh = true;
    uint32_t units = 0;
    TSR_UNROLL for (int i = 0; i < TSR_MAX_LEAVES; ++i)
    {
        if (i < l->shape.leaves) {
            end = fresh ? 0 : end;
            uint64_t const extent = tsr_leaf_extent(l->shape.leaf[i]), stride = tsr_leaf_step_(l, i, end);
            end = extent * stride;
            depth += l->shape.leaf[i].open;
            units |= l->stride.leaf[i].aux;
            if (fresh) {
                TSR_UNROLL for (int k = 0; k < TSR_MAX_LEAVES; ++k)
                {
                    if (k == j) {
                        at += c->leaf[k].open;
                        close = c->leaf[k].close;
                        rest = (uint64_t)c->leaf[k].value;
                    }
                }
                fits = fits && at <= depth;
            }
            depth -= l->shape.leaf[i].close;
            bool const last = depth <= at;
            r += (last ? rest : rest % extent) * stride;
            rest = last ? 0 : rest / extent;
            if (last) {
                at -= close;
                fits = fits && at == depth;
                ++j;
            }
            fresh = last;
        }
    }
    if (!fits || j != c->leaves || units)
        return TSR_BAD_OFFSET;
    return tsr_finish_(l, r);
}

/** L(c) of a coordinate: tsr_at of a tuple. */
TSR_EVAL int64_t tsr_at_coord(tsr_layout l, tsr_tuple c) { return tsr_at_coord_(&l, &c); }

/** L(c) for c an integer or a coordinate. Both are read where they are: gcc does not fold a layout that a loop copies.
 *  Example  tsr_at(tsr_make_layout(tsr_t(4, 2), tsr_t(2, 1)), 5)  is  3
 *  Example  tsr_at(tsr_make_layout(tsr_t(4, 2), tsr_t(2, 1)), tsr_t(1, 1))  is  3 */
#ifdef __cplusplus
TSR_EVAL int64_t tsr_at(TSR_ARG(tsr_layout) l, TSR_ARG(tsr_tuple) c) { return tsr_at_coord_(&l, &c); }
template <class Int> TSR_TEMPLATE_EVAL int64_t tsr_at(TSR_ARG(tsr_layout) l, Int c)
{
    return tsr_at_index_(&l, static_cast<int64_t>(c));
}
#else
TSR_EVAL tsr_layout const *tsr_layout_of_leaves_(tsr_leaf const *leaves)
{
    return (tsr_layout const *)(void const *)((char const *)leaves - offsetof(tsr_layout, shape.leaf));
}
TSR_EVAL int64_t tsr_at_tuple_(tsr_layout const *l, tsr_tuple c) { return tsr_at_coord_(l, &c); }
/* clang-format off */
#  define tsr_at(l, c) \
      _Generic((c), tsr_tuple: tsr_at_tuple_, default: tsr_at_index_)(tsr_layout_of_leaves_((l).shape.leaf), c)
/* clang-format on */
#endif

TSR_HEADER_END

#endif
