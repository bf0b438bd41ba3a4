/** Large copies: tsr_copy box by box, so that what is read and what is written stay in the caches together.
 *
 *  Law  the boxes of a shape are disjoint and hold every element once; a box of a swizzled layout is that layout with what is
 *       fixed added to the offset under the swizzle, for Sw(off + L(at + c)) = Sw((off + L(at)) + L(c)).
 */
#include "tessera/io.h"

enum { BOX = 1 << 16, RUN = 256 };

typedef struct boxes {
    int modes;
    int64_t shape[TSR_MAX_LEAVES], box[TSR_MAX_LEAVES], at[TSR_MAX_LEAVES];
    tsr_leaf from[TSR_MAX_LEAVES], to[TSR_MAX_LEAVES]; /* strides */
} boxes;

/** The leaves of both layouts, by growing distance in the destination. */
static boxes sort_modes(tsr_layout const *s, tsr_layout const *d)
{
    boxes b = {0};
    for (int i = 0; i < d->shape.leaves; ++i) {
        int k = b.modes;
        int64_t const step = d->stride.leaf[i].value;
        if (d->shape.leaf[i].kind == TSR_UNIT || d->shape.leaf[i].value == 1)
            continue;
        for (; k > 0 && tsr_abs64(b.to[k - 1].value) > tsr_abs64(step); --k) {
            b.shape[k] = b.shape[k - 1];
            b.from[k] = b.from[k - 1];
            b.to[k] = b.to[k - 1];
        }
        b.shape[k] = d->shape.leaf[i].value;
        b.from[k] = s->stride.leaf[i];
        b.to[k] = d->stride.leaf[i];
        ++b.modes;
    }
    return b;
}

/** Boxes of about BOX elements: as far as RUN elements along what is closest in the source, then along what is closest in
 *  the destination. */
static void choose_boxes(boxes *b)
{
    int64_t left = BOX;
    bool used[TSR_MAX_LEAVES] = {false};
    for (int i = 0; i < b->modes; ++i)
        b->box[i] = 1;
    for (int64_t run = RUN; left > 1 && run > 1;) {
        int next = -1;
        for (int i = 0; i < b->modes; ++i)
            if (!used[i] && (next < 0 || tsr_abs64(b->from[i].value) < tsr_abs64(b->from[next].value)))
                next = i;
        if (next < 0)
            break;
        used[next] = true;
        b->box[next] = tsr_min64(b->shape[next], run);
        run /= b->box[next];
        left /= b->box[next];
    }
    for (int i = 0; i < b->modes; ++i) {
        int64_t const more = tsr_min64(b->shape[i] / b->box[i], left);
        b->box[i] *= tsr_max64(more, 1);
        left /= tsr_max64(more, 1);
    }
}

/** The box at `at` of a tensor with these strides. */
static tsr_tensor box_of(tsr_tensor t, boxes const *b, tsr_leaf const *stride, int64_t *elements)
{
    tsr_tuple shape = TSR_ZERO, strides = TSR_ZERO;
    int64_t offset = 0;
    *elements = 1;
    for (int i = 0; i < b->modes; ++i) {
        int64_t const n = tsr_min64(b->box[i], b->shape[i] - b->at[i]);
        *elements *= n;
        offset += b->at[i] * stride[i].value;
        tsr_push_leaf_(&shape, tsr_leaf_dynamic(n));
        tsr_push_leaf_(&strides, stride[i]);
    }
    t.layout = tsr_with_(t.layout, tsr_close_(shape), tsr_close_(strides));
    if (t.layout.composed)
        t.layout.offset = tsr_leaf_dynamic(tsr_leaf_value(t.layout.offset) + offset);
    else
        t.engine = tsr_engine_add(t.engine, tsr_int(offset));
    return t;
}

/** To the next box; false after the last one. */
static bool next_box(boxes *b)
{
    for (int i = 0; i < b->modes; ++i) {
        b->at[i] += b->box[i];
        if (b->at[i] < b->shape[i])
            return true;
        b->at[i] = 0;
    }
    return false;
}

/** Whether two layouts have the same shape, leaf by leaf. */
static tsr_tuple same_shape(tsr_layout const *s, tsr_layout const *d)
{
    for (int i = 0; i < s->shape.leaves || i < d->shape.leaves; ++i) {
        tsr_leaf const a = s->shape.leaf[i], b = d->shape.leaf[i];
        if (s->shape.leaves != d->shape.leaves || a.open != b.open || a.close != b.close)
            return tsr_bad_tuple(TSR_CONGRUENT, i, s->shape.leaves, d->shape.leaves, 0);
        if (a.value != b.value)
            return tsr_bad_tuple(TSR_DIFFER_SIZE, i, a.value, b.value, 0);
    }
    return s->shape;
}

tsr_tuple tsr_copy_boxes(tsr_tensor s, tsr_tensor d, tsr_progress progress, void *context)
{
    int64_t done = 0, elements = 0;
    tsr_tuple const n = tsr_copyable(s, d), same = n.status ? n : same_shape(&s.layout, &d.layout);
    if (same.status)
        return same;
    if (s.engine.kind != TSR_POINTER)
        return tsr_copy(s, d);
    boxes b = sort_modes(&s.layout, &d.layout);
    choose_boxes(&b);
    do {
        tsr_tensor const from = box_of(s, &b, b.from, &elements), to = box_of(d, &b, b.to, &elements);
        tsr_tuple const copied = tsr_copy(from, to);
        if (copied.status)
            return copied;
        done += elements;
    } while ((!progress || progress(context, done)) && next_box(&b));
    return tsr_int(done);
}
