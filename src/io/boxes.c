/** Large copies: tsr_copy box by box, so that what is read and what is written stay in the caches together.
 *
 *  Law  the boxes of a shape are disjoint and hold every element once; a box of a swizzled layout is that layout with
 *       what is fixed added to the offset under the swizzle, for Sw(off + L(at + c)) = Sw((off + L(at)) + L(c)).
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

/** Boxes of about BOX elements: as far as RUN elements along what is closest in the source, then along what is
 *  closest in the destination. */
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

/** The first and the last byte of a tensor, exactly: a swizzled layout is walked. */
static tsr_tuple bytes_of(tsr_tensor const *t)
{
    tsr_tuple span = tsr_span(t->layout);
    int64_t const width = tsr_dtype_bits(t->engine.type), size = tsr_layout_size(t->layout);
    if (span.status)
        return span;
    int64_t low = span.leaf[0].value, high = span.leaf[1].value, first = 0, last = 0;
    if (t->layout.composed) {
        tsr_walk w = tsr_walk_begin(t->layout);
        low = high = w.offset;
        for (int64_t i = 1; i < size; ++i) {
            tsr_walk_next(&w);
            low = tsr_min64(low, w.offset);
            high = tsr_max64(high, w.offset);
        }
    }
    if (!tsr_mul64(low, width, &first) || !tsr_mul64(high, width, &last))
        return tsr_bad_tuple(TSR_OVERFLOW, 0, high, 0, 0);
    int64_t const base = (int64_t)t->engine.address;
    return tsr_t(base + first / 8 - (first % 8 != 0), base + (last + width) / 8);
}

/** What forbids the copy as a whole; its boxes are checked one by one. */
static tsr_tuple check_whole(tsr_tensor const *s, tsr_tensor const *d)
{
    tsr_tuple const from = tsr_readable(*s), to = tsr_writable(*d);
    if (from.status || to.status)
        return from.status ? from : to;
    tsr_tuple const from_in = tsr_in_bounds(*s), to_in = tsr_in_bounds(*d);
    if (from_in.status || to_in.status)
        return from_in.status ? from_in : to_in;
    tsr_tuple const same = same_shape(&s->layout, &d->layout);
    tsr_verdict const once = tsr_is_injective(d->layout);
    if (same.status || once.answer != TSR_YES)
        return same.status ? same : tsr_reason_tuple(once.why);
    tsr_tuple const a = bytes_of(s), b = bytes_of(d);
    if (a.status || b.status)
        return a.status ? a : b;
    bool const apart = a.leaf[1].value < b.leaf[0].value || b.leaf[1].value < a.leaf[0].value;
    return apart ? same : tsr_disjoint(*s, *d);
}

tsr_tuple tsr_copy_boxes(tsr_tensor s, tsr_tensor d, tsr_progress progress, void *context)
{
    int64_t done = 0, elements = 0;
    if (s.engine.kind != TSR_POINTER)
        return tsr_copy(s, d);
    tsr_tuple const whole = check_whole(&s, &d);
    if (whole.status)
        return whole;
    boxes b = sort_modes(&s.layout, &d.layout);
    choose_boxes(&b);
    do {
        tsr_tensor const from = box_of(s, &b, b.from, &elements), to = box_of(d, &b, b.to, &elements);
        tsr_tuple const copied = tsr_copy(from, to);
        if (copied.status)
            return copied;
        done += elements;
    } while ((!progress || progress(context, elements)) && next_box(&b));
    return tsr_int(done);
}
