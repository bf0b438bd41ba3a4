/** The functions of tensor/strided.h and tensor/each.h, compiled with the bodies of the room (bodies.c). */
#ifndef TSR_SRC_TENSOR_STRIDED_H
#define TSR_SRC_TENSOR_STRIDED_H

#include "tessera/tensor/each.h"
#include "tensor/span.h"

TSR_API tsr_reason tsr_pointed_(tsr_tensor const *t, tsr_view_form_ const *form)
{
    tsr_engine const *const e = &t->engine;
    tsr_reason const why = tsr_tensor_why_(t);
    if (why.status)
        return why;
    if (e->kind != TSR_POINTER || e->map.kind != TSR_AS_IS)
        return tsr_because(TSR_VIEW_COMPUTED, 0, tsr_min64(e->kind, 2), 0, 0);
    if (form->type == 0 || e->type != form->type || tsr_dtype_bits(e->type) != 8 * form->bytes)
        return tsr_because(TSR_ELEMENT_TYPE, 0, e->type, form->type, form->bytes);
    if (e->constant && !form->constant)
        return tsr_because(TSR_CONSTANT, 0, 0, 0, 0);
    tsr_reason const readable = tsr_reason_or(tsr_all_readable_(t), tsr_tuple_why(tsr_product(t->layout.shape)));
    int64_t const past = (int64_t)(e->address % form->align);
    return readable.status || past == 0 ? readable : tsr_because(TSR_MISALIGNED, 0, past, form->align, 0);
}

/** The one stride of mode m, of leaves first to last - 1, or why it has none. */
static tsr_reason tsr_mode_stride_(tsr_layout const *l, int m, int first, int last, bool unit, int64_t *stride)
{
    int64_t n = 1, next = 0;               /* elements so far, and the stride that goes on behind them */
    *stride = l->stride.leaf[first].value; /* of one element: any */
    for (int i = first; i < last; ++i) {
        int64_t const extent = (int64_t)tsr_leaf_extent(l->shape.leaf[i]), d = l->stride.leaf[i].value;
        if (extent == 1)
            continue;
        if (n == 1)
            *stride = d;
        else if (!tsr_mul64(n, *stride, &next) || d != next)
            return tsr_because(TSR_VIEW_MODE, m, n, d, next);
        n *= extent;
    }
    return unit && n > 1 && *stride != 1 ? tsr_because(TSR_VIEW_MODE, m, 1, *stride, 1) : tsr_no_reason();
}

static tsr_reason tsr_strides_(tsr_layout const *l, tsr_view_form_ const *form, int64_t *stride)
{
    int leaf = 0;
    for (int m = 0; m < form->modes; ++m) {
        int const last = leaf + tsr_get_(&l->shape, m).leaves;
        tsr_reason const why = tsr_mode_stride_(l, m, leaf, last, m == form->unit, &stride[m]);
        if (why.status)
            return why;
        leaf = last;
    }
    return tsr_no_reason();
}

TSR_API tsr_reason tsr_strided_of_(tsr_tensor const *t, tsr_view_form_ const *form, tsr_view_any_ *view)
{
    tsr_view_any_ r = TSR_ZERO;
    tsr_reason why = tsr_pointed_(t, form);
    int const modes = why.status ? 0 : tsr_mode_count(&t->layout.shape);
    if (!why.status && (t->layout.composed || t->engine.swizzle.bits))
        why = tsr_because(TSR_SWIZZLE_STRIDE, 0, 0, 0, 0);
    else if (!why.status && modes != form->modes)
        why = tsr_because(TSR_RANK, 0, form->modes, modes, 0);
    r.data = (void *)(uintptr_t)t->engine.address;
    why = tsr_reason_or(why, why.status ? why : tsr_strides_(&t->layout, form, r.stride));
    if (!why.status)
        *view = r;
    return why;
}

/* The elements one after the other */

/** Chooses the modes of a block, and its offsets. */
static void tsr_each_choose_(tsr_addresses *a)
{
    tsr_walk const *const w = &a->walk;
    int64_t n = 1;
    for (int k = 0; k < TSR_AHEAD; ++k)
        a->block[k] = 0;
    for (a->mode = 0; a->mode < w->modes; ++a->mode) {
        int64_t const extent = w->extent[a->mode], steps = tsr_min64(extent, TSR_AHEAD / n);
        a->below = n;
        a->steps = steps;
        for (int64_t i = 1; i < steps; ++i)
            for (int64_t k = 0; k < n; ++k)
                a->block[i * n + k] = a->block[k] + (uint64_t)i * (uint64_t)w->stride[a->mode];
        n *= steps;
        if (steps < extent || n > TSR_AHEAD / 2)
            return;
    }
    a->below = n;
    a->steps = 1;
}

/** The walk goes to the first element of the next block. */
static void tsr_each_go_on_(tsr_addresses *a)
{
    tsr_walk *const w = &a->walk;
    int64_t steps = a->steps;
    for (int i = a->mode; i < w->modes; ++i, steps = 1) {
        w->at[i] += steps;
        w->plain += (uint64_t)steps * (uint64_t)w->stride[i];
        if (w->at[i] < w->extent[i])
            return;
        w->plain -= (uint64_t)w->at[i] * (uint64_t)w->stride[i];
        w->at[i] = 0;
    }
}

/** Each x of a block becomes base + sw(before + x) * 2^shift. All 64 do, so that the compiler knows how many; what lies
 *  behind the end of a block is not used. */
static void tsr_each_place_(uint64_t *x, uint64_t before, tsr_swizzle sw, uint64_t base, int shift)
{
    int const right = sw.shift > 0 ? sw.shift : 0, left = sw.shift < 0 ? -sw.shift : 0;
    uint64_t const mask = (((uint64_t)1 << sw.bits) - 1) << (sw.base + left);
    if (mask == 0)
        for (int k = 0; k < TSR_AHEAD; ++k)
            x[k] = base + ((before + x[k]) << shift);
    else
        for (int k = 0; k < TSR_AHEAD; ++k) {
            uint64_t const v = before + x[k];
            x[k] = base + ((v ^ (v >> right << left & mask)) << shift);
        }
}

/** The addresses of all elements of the block at which the walk is. */
static void tsr_each_addresses_(tsr_addresses *a)
{
    tsr_walk const *const w = &a->walk;
    uint64_t const before = w->plain + (uint64_t)w->before;
    TSR_COPY(a->address, a->block, sizeof a->block);
    tsr_each_place_(a->address, before, w->swizzle, w->twice ? 0 : a->base, w->twice ? 0 : a->shift);
    if (w->twice)
        tsr_each_place_(a->address, (uint64_t)w->outer_before, w->outer_swizzle, a->base, a->shift);
    if (a->swizzle.bits > 0)
        tsr_each_place_(a->address, 0, a->swizzle, 0, 0);
}

TSR_API uint64_t const *tsr_each_block_(tsr_addresses *a)
{
    int const i = a->mode;
    int64_t const steps = i < a->walk.modes ? tsr_min64(a->steps, a->walk.extent[i] - a->walk.at[i]) : 1;
    int64_t const n = tsr_min64(a->left, a->below * steps);
    tsr_each_addresses_(a);
    a->address[n] = 0;
    a->left -= n;
    tsr_each_go_on_(a);
    return a->address;
}

TSR_API tsr_reason tsr_each_of_(tsr_addresses *a, tsr_tensor const *t, tsr_view_form_ const *form)
{
    tsr_reason const why = tsr_pointed_(t, form);
    a->address[0] = 0;
    a->left = 0;
    if (why.status)
        return why;
    a->walk = tsr_walk_begin(t->layout);
    a->left = tsr_layout_size(t->layout);
    a->base = t->engine.address;
    a->shift = tsr_bit_width(form->bytes) - 1; /* elements of whole bytes have a power of two of them */
    a->swizzle = t->engine.swizzle;
    tsr_each_choose_(a);
    (void)tsr_each_block_(a);
    return why;
}

#endif
