/** The bodies of tma/descriptor.h. */
#ifndef TSR_TMA_BODY_DESCRIPTOR_H
#define TSR_TMA_BODY_DESCRIPTOR_H

#include "tessera/tma/descriptor.h"
#include "tessera/tma/body/format.h"

TSR_HEADER_BEGIN

TSR_OP tsr_tma_desc tsr_tma_no_desc(void)
{
    tsr_tma_desc r = TSR_ZERO;
    r.l2 = TSR_TMA_L2_128B;
    for (int i = 0; i < TSR_TMA_DIMS; ++i)
        r.dim[i] = r.box[i] = r.step[i] = 1;
    return r;
}

TSR_OP tsr_tma_desc tsr_bad_tma_desc(tsr_reason why)
{
    tsr_tma_desc r = tsr_tma_no_desc();
    r.why = why;
    return r;
}

TSR_OP int64_t tsr_tma_extent(tsr_tma_desc const *d, int i)
{
    if (d->im2col)
        return i == 0 ? d->channels : i == 1 ? d->pixels : 1;
    return d->step[i] > 1 && i > 0 ? tsr_ceil_div64(d->box[i], d->step[i]) : d->box[i];
}

TSR_OP int64_t tsr_tma_row_bytes(tsr_tma_desc const *d)
{
    return tsr_mul64_most(tsr_tma_extent(d, 0), tsr_tma_smem_bits(d->format)) / 8;
}

TSR_OP int64_t tsr_tma_row_pitch(tsr_tma_desc const *d)
{
    return tsr_max64(tsr_tma_row_bytes(d), tsr_tma_swizzle_span(d->swizzle));
}

TSR_OP int64_t tsr_tma_box_rows(tsr_tma_desc const *d)
{
    int64_t n = 1;
    for (int i = 1; i < d->rank && i < TSR_TMA_DIMS; ++i)
        n = tsr_mul64_most(n, tsr_tma_extent(d, i));
    return n;
}

TSR_OP int64_t tsr_tma_box_bytes(tsr_tma_desc const *d)
{
    return tsr_mul64_most(tsr_tma_box_rows(d), tsr_tma_row_bytes(d));
}

TSR_OP int64_t tsr_tma_smem_bytes(tsr_tma_desc const *d)
{
    return tsr_mul64_most(tsr_tma_box_rows(d), tsr_tma_row_pitch(d));
}

TSR_OP int64_t tsr_tma_smem_alignment(tsr_tma_desc const *d)
{
    tsr_swizzle const sw = tsr_tma_swizzle_bits(d->swizzle);
    int64_t const period = sw.bits == 0 ? 1 : (int64_t)1 << (sw.base + sw.shift + sw.bits);
    return tsr_max64(TSR_TMA_SMEM_UNIT, period);
}

/** The numbers of a tuple of integers into an array, the rest stay. False: too many, or not integers. */
TSR_LOCAL bool tsr_tma_numbers_(tsr_tuple const *t, int64_t *to, int most, int *count)
{
    int n = 0;
    for (int i = 0; i < t->leaves; ++i) {
        if (t->leaf[i].kind == TSR_UNIT)
            continue;
        if (!tsr_leaf_is_int(t->leaf[i]) || n == most)
            return false;
        to[n++] = t->leaf[i].value;
    }
    *count = n;
    return true;
}

/** Swizzle, interleave, l2Promotion, oobFill and address, as the driver's numbers. Fields that are left out do not
 *  change. */
TSR_LOCAL tsr_tma_desc tsr_tma_modes_(tsr_tma_desc d, tsr_tuple modes)
{
    int64_t n[5] = {0, TSR_TMA_INTERLEAVE_NONE, TSR_TMA_L2_128B, TSR_TMA_FILL_ZERO, 0};
    int64_t const most[5] = {TSR_TMA_SWIZZLES - 1, TSR_TMA_INTERLEAVE_32B, TSR_TMA_L2_256B, TSR_TMA_FILL_NAN,
                             TSR_INT_MAX};
    int count = 0;
    if (!tsr_tma_numbers_(&modes, n, 5, &count))
        return tsr_bad_tma_desc(tsr_because(TSR_TMA_MODE, 0, modes.leaves, 0, 0));
    for (int i = 0; i < 5; ++i)
        if (n[i] < 0 || n[i] > most[i])
            return tsr_bad_tma_desc(tsr_because(TSR_TMA_MODE, i, i, n[i], most[i]));
    d.swizzle = (uint8_t)n[0];
    d.interleave = (uint8_t)n[1];
    d.l2 = (uint8_t)n[2];
    d.fill = (uint8_t)n[3];
    d.address = (uint64_t)n[4];
    return d;
}

/** Format, dimensions, strides and steps, which both kinds share. Errors: TMA_TYPE, TMA_RANK, TMA_NUMBERS, of the
 *  steps also why they are invalid. */
TSR_LOCAL tsr_tma_desc tsr_tma_tensor_(tsr_dtype type, tsr_tuple dim, tsr_tuple stride, tsr_tuple step)
{
    tsr_tma_desc d = tsr_tma_no_desc();
    int strides = 0, steps = 0, rank = 0;
    if (step.status)
        return tsr_bad_tma_desc(tsr_tuple_why(step));
    d.format = (uint8_t)tsr_tma_format_of(type);
    if (d.format == TSR_TMA_FORMATS)
        return tsr_bad_tma_desc(tsr_because(TSR_TMA_TYPE, 0, tsr_dtype_bits(type), 0, 0));
    if (dim.leaves > TSR_TMA_DIMS)
        return tsr_bad_tma_desc(tsr_because(TSR_TMA_RANK, 0, dim.leaves, 1, 0));
    bool const ok = tsr_tma_numbers_(&dim, d.dim, TSR_TMA_DIMS, &rank)
                    && tsr_tma_numbers_(&stride, d.stride + 1, TSR_TMA_DIMS - 1, &strides)
                    && tsr_tma_numbers_(&step, d.step, TSR_TMA_DIMS, &steps);
    if (!ok || strides != rank - 1 || (steps != rank && steps != 0))
        d.why = tsr_because(TSR_TMA_NUMBERS, 0, rank, strides, steps);
    d.rank = rank;
    return d;
}

TSR_OP tsr_tma_desc tsr_tma_tiled(tsr_dtype type, tsr_tuple dim, tsr_tuple stride, tsr_tuple box, tsr_tuple step,
                                  tsr_tuple modes)
{
    int rank = 0;
    if (dim.status || stride.status || box.status || step.status || modes.status)
        return tsr_bad_tma_desc(tsr_tuple_why(dim.status      ? dim
                                              : stride.status ? stride
                                              : box.status    ? box
                                              : step.status   ? step
                                                              : modes));
    tsr_tma_desc d = tsr_tma_tensor_(type, dim, stride, step);
    if (d.why.status)
        return d;
    if (!tsr_tma_numbers_(&box, d.box, TSR_TMA_DIMS, &rank) || rank != d.rank)
        return tsr_bad_tma_desc(tsr_because(TSR_TMA_NUMBERS, 0, d.rank, rank, rank));
    return tsr_tma_modes_(d, modes);
}

TSR_OP tsr_tma_desc tsr_tma_im2col(tsr_dtype type, tsr_tuple dim, tsr_tuple stride, tsr_tuple corners, tsr_tuple box,
                                   tsr_tuple modes)
{
    int64_t pair[2] = {0, 0};
    int lower = 0, upper = 0, count = 0;
    if (dim.status || stride.status || corners.status || box.status || modes.status)
        return tsr_bad_tma_desc(tsr_tuple_why(dim.status       ? dim
                                              : stride.status  ? stride
                                              : corners.status ? corners
                                              : box.status     ? box
                                                               : modes));
    int const parts = tsr_mode_count(&corners);
    bool const whole = !tsr_is_leaf(&corners) && (parts == 2 || parts == 3);
    tsr_tuple const low = whole ? tsr_tuple_get(corners, 0) : corners,
                    high = whole ? tsr_tuple_get(corners, 1) : corners;
    tsr_tma_desc d = tsr_tma_tensor_(type, dim, stride, whole && parts == 3 ? tsr_tuple_get(corners, 2) : tsr_unit());
    bool const ok = whole && tsr_tma_numbers_(&low, d.lower, 3, &lower) && tsr_tma_numbers_(&high, d.upper, 3, &upper)
                    && tsr_tma_numbers_(&box, pair, 2, &count);
    if (!d.why.status && (!ok || lower != upper || count != 2 || lower != tsr_max64(d.rank - 2, 0)))
        d.why = tsr_because(TSR_TMA_NUMBERS, 0, d.rank, lower, upper);
    d.im2col = true;
    d.channels = pair[0];
    d.pixels = pair[1];
    return d.why.status ? d : tsr_tma_modes_(d, modes);
}

TSR_HEADER_END

#endif
