/** Evaluation: the offset of a coordinate, as a number.
 *
 *  These few functions fold into their caller. A layout whose numbers the compiler knows costs the index arithmetic
 *  that one would write by hand; hence the loops with constant bounds. Coordinates are taken as unsigned.
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

/** L(i) of a 1-D coordinate; TSR_BAD_OFFSET where the value is a coordinate (tsr_layout_at gives it). Beyond the size
 *  the last integer mode goes on. Modes () behind it do not change that: they have one element each. */
TSR_EVAL int64_t tsr_at_index(tsr_layout l, int64_t index)
{
    uint64_t rest = (uint64_t)index, r = 0, end = 0;
    uint32_t units = 0;
    if (l.shape.status)
        return TSR_BAD_OFFSET;
    TSR_UNROLL for (int i = 0; i < TSR_MAX_LEAVES; ++i)
    {
        if (i < l.shape.leaves) {
            uint64_t const extent = tsr_leaf_extent(l.shape.leaf[i]), stride = tsr_leaf_step_(&l, i, end);
            bool const last = i + 1 == l.shape.leaves;
            end = extent * stride;
            r += (last ? rest : rest % extent) * stride;
            units |= l.stride.leaf[i].aux;
            if (!last)
                rest /= extent;
        }
    }
    return units ? TSR_BAD_OFFSET : tsr_finish_(&l, r);
}

/** The leaves up to the last integer; the () behind it are passed by. */
TSR_FN int tsr_leaves_with_integers_(tsr_tuple const *shape)
{
    int n = shape->leaves;
    while (n > 1 && shape->leaf[n - 1].kind == TSR_UNIT)
        --n;
    return n;
}

/** tsr_at_index by an ordinary loop, for algebra: less code at each call, and no slower at run time. */
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

/** L(c) of a coordinate that is as deep as the shape or less: (i,j), ((i,k),j), ...
 *  TSR_BAD_OFFSET when its profile does not fit, or when the value is a coordinate. */
TSR_EVAL int64_t tsr_at_coord(tsr_layout l, tsr_tuple c)
{
    uint64_t r = 0, rest = 0, end = 0;
    int j = 0, depth = 0, at = 0, close = 0; /* coordinate leaf; parentheses open in the shape, in the coordinate */
    bool fits = l.shape.status == TSR_OK && c.status == TSR_OK, fresh = true;
    uint32_t units = 0;
    TSR_UNROLL for (int i = 0; i < TSR_MAX_LEAVES; ++i)
    {
        if (i < l.shape.leaves) {
            end = fresh ? 0 : end;
            uint64_t const extent = tsr_leaf_extent(l.shape.leaf[i]), stride = tsr_leaf_step_(&l, i, end);
            end = extent * stride;
            depth += l.shape.leaf[i].open;
            units |= l.stride.leaf[i].aux;
            if (fresh) {
                TSR_UNROLL for (int k = 0; k < TSR_MAX_LEAVES; ++k)
                {
                    if (k == j) {
                        at += c.leaf[k].open;
                        close = c.leaf[k].close;
                        rest = (uint64_t)c.leaf[k].value;
                    }
                }
                fits = fits && at <= depth;
            }
            depth -= l.shape.leaf[i].close;
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
    if (!fits || j != c.leaves || units)
        return TSR_BAD_OFFSET;
    return tsr_finish_(&l, r);
}

/** L(c) for c an integer or a coordinate.
 *  Example  tsr_at(tsr_make_layout(tsr_t(4, 2), tsr_t(2, 1)), 5)  is  3
 *  Example  tsr_at(tsr_make_layout(tsr_t(4, 2), tsr_t(2, 1)), tsr_t(1, 1))  is  3 */
#ifdef __cplusplus
TSR_EVAL int64_t tsr_at(tsr_layout l, tsr_tuple c) { return tsr_at_coord(l, c); }
template <class Int> TSR_TEMPLATE_EVAL int64_t tsr_at(tsr_layout l, Int c)
{
    return tsr_at_index(l, static_cast<int64_t>(c));
}
#else
/* clang-format off */
#  define tsr_at(l, c) _Generic((c), tsr_tuple: tsr_at_coord, default: tsr_at_index)(l, c)
/* clang-format on */
#endif

TSR_HEADER_END

#endif
