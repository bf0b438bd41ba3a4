/** Walk: the offsets of a layout in the order of its 1-D coordinate, each by one addition instead of an evaluation.
 *
 *  Law     the i-th offset of a walk is L(i), for i < size(L).
 */
#ifndef TSR_TENSOR_WALK_H
#define TSR_TENSOR_WALK_H

#include "tessera/core/verdict.h"

TSR_HEADER_BEGIN

typedef struct tsr_walk {
    int modes;
    bool swizzled, twice;
    int64_t extent[TSR_MAX_LEAVES], stride[TSR_MAX_LEAVES], at[TSR_MAX_LEAVES];
    uint64_t plain; /* the offset before the swizzles */
    int64_t offset; /* L(i) */
    tsr_swizzle swizzle, outer_swizzle;
    int64_t before, outer_before; /* what is added in front of each */
} tsr_walk;

/** What the swizzles of a walk make of an offset. */
TSR_EVAL int64_t tsr_walk_swizzled_(tsr_walk const *w, uint64_t offset)
{
    offset = tsr_swizzle_apply(w->swizzle, offset + (uint64_t)w->before);
    if (w->twice)
        offset = tsr_swizzle_apply(w->outer_swizzle, offset + (uint64_t)w->outer_before);
    return (int64_t)offset;
}

/** At offset i of a valid layout with integer strides. Modes that continue each other become one. */
TSR_FN tsr_walk tsr_walk_at(tsr_layout l, int64_t i)
{
    tsr_walk w = TSR_ZERO;
    for (int k = 0; k < l.shape.leaves; ++k) {
        int64_t const n = l.shape.leaf[k].value, d = l.stride.leaf[k].value;
        int const last = w.modes - 1;
        int64_t span = 0;
        if (n == 1 || l.shape.leaf[k].kind == TSR_UNIT)
            continue;
        if (w.modes > 0 && tsr_mul64(w.extent[last], w.stride[last], &span) && d == span) {
            w.extent[last] *= n;
            continue;
        }
        w.extent[w.modes] = n;
        w.stride[w.modes] = d;
        ++w.modes;
    }
    w.swizzled = l.composed;
    w.twice = l.twice;
    if (l.composed) {
        w.swizzle = l.swizzle;
        w.before = tsr_leaf_value(l.offset);
    }
    if (l.twice) {
        w.outer_swizzle = l.outer_swizzle;
        w.outer_before = tsr_leaf_value(l.outer_offset);
    }
    for (int k = 0; k < w.modes; i /= w.extent[k++]) {
        w.at[k] = i % w.extent[k];
        w.plain += (uint64_t)w.at[k] * (uint64_t)w.stride[k];
    }
    w.offset = w.swizzled ? tsr_walk_swizzled_(&w, w.plain) : (int64_t)w.plain;
    return w;
}

/** At the first offset. */
TSR_FN tsr_walk tsr_walk_begin(tsr_layout l) { return tsr_walk_at(l, 0); }

/** To the next offset. After the last one comes the first again. */
TSR_FN void tsr_walk_next(tsr_walk *w)
{
    for (int i = 0; i < w->modes; ++i) {
        w->plain += (uint64_t)w->stride[i];
        if (++w->at[i] < w->extent[i])
            break;
        w->plain -= (uint64_t)w->extent[i] * (uint64_t)w->stride[i];
        w->at[i] = 0;
    }
    w->offset = w->swizzled ? tsr_walk_swizzled_(w, w->plain) : (int64_t)w->plain;
}

TSR_HEADER_END

#endif
