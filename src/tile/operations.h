/** The functions of tile/operations.h that no kernel calls, compiled with the bodies of the room (bodies.c). */
#ifndef TSR_SRC_TILE_OPERATIONS_H
#define TSR_SRC_TILE_OPERATIONS_H

#include "tessera/tile/body/operations.h"

TSR_API tsr_sweep tsr_make_sweep(tsr_encoding const *e, int64_t const *unpack)
{
    tsr_sweep s = TSR_ZERO;
    s.why = e->why;
    for (int x = 0; x < e->xs && !s.why.status; ++x) {
        int64_t rest = unpack[x];
        int const begin = s.ys;
        for (int f = e->first[x + 1]; f < e->first[x + 2]; ++f)
            for (int i = 0; i < e->ys; ++i)
                if (e->y_factor[i] == f)
                    s.y[s.ys++] = (uint8_t)i;
        for (int k = s.ys - 1; k >= begin && rest > 0; --k) {
            int64_t const length = e->length[e->y_factor[s.y[k]]];
            s.box[k] = tsr_gcd64(length, rest);
            s.boxes[k] = length / s.box[k];
            rest /= s.box[k];
            rest = s.boxes[k] > 1 && rest > 1 ? 0 : rest;
        }
        if (rest != 1)
            s.why = tsr_because(TSR_UNPACK, x, unpack[x], 0, 0);
    }
    return s;
}

TSR_API int64_t tsr_sweep_calls(tsr_sweep const *s)
{
    int64_t n = 1;
    for (int k = 0; k < s->ys; ++k)
        n *= s->boxes[k];
    return n;
}

TSR_API int64_t tsr_sweep_elements(tsr_sweep const *s)
{
    int64_t n = 1;
    for (int k = 0; k < s->ys; ++k)
        n *= s->box[k];
    return n;
}

TSR_API tsr_index tsr_sweep_index(tsr_sweep const *s, int64_t call, int64_t element)
{
    tsr_index y = TSR_ZERO;
    y.rank = s->ys;
    for (int k = s->ys - 1; k >= 0; --k) {
        y.at[s->y[k]] = call % s->boxes[k] * s->box[k] + element % s->box[k];
        call /= s->boxes[k];
        element /= s->box[k];
    }
    return y;
}

TSR_API int64_t tsr_shuffle_source(tsr_encoding const *from, tsr_encoding const *to, int64_t offset)
{
    tsr_index const y = tsr_thread_buffer_index(to, offset);
    tsr_index source = TSR_ZERO;
    for (int i = 0; i < to->ys; ++i)
        for (int k = 0; k < from->ys; ++k)
            if (from->y_factor[k] == to->y_factor[i])
                source.at[k] = y.at[i];
    return tsr_thread_buffer_offset(from, source.at);
}

TSR_API int64_t tsr_slice_source(tsr_encoding const *whole, tsr_encoding_slice const *slice, int64_t offset)
{
    tsr_index y = tsr_thread_buffer_index(&slice->encoding, offset);
    for (int i = 0; i < y.rank; ++i)
        y.at[i] += slice->y_origin.at[i];
    return tsr_thread_buffer_offset(whole, y.at);
}

TSR_API int64_t tsr_reduce_target(tsr_encoding const *e, uint32_t dims, int64_t offset)
{
    tsr_index const y = tsr_thread_buffer_index(e, offset);
    int64_t r = 0;
    for (int i = 0; i < e->ys; ++i)
        if ((dims >> (tsr_place_of_(e, e->y_factor[i]).major - 1) & 1u) == 0)
            r = r * e->length[e->y_factor[i]] + y.at[i];
    return r;
}

TSR_API tsr_reason tsr_lane_why(tsr_encoding const *e, int p)
{
    if (e->why.status)
        return e->why;
    for (int r = 0; r < e->first[1]; ++r)
        if (tsr_p_owns_r(e, p, r) && !tsr_is_pow2(e->length[r]))
            return tsr_because(TSR_LANES, r, e->length[r], 0, 0);
    return tsr_because(TSR_OK, 0, 0, 0, 0);
}

TSR_API int tsr_lane_stages(tsr_encoding const *e, int p)
{
    int n = 0;
    for (int r = 0; r < e->first[1]; ++r)
        n += tsr_p_owns_r(e, p, r) ? tsr_bit_width((uint64_t)e->length[r]) - 1 : 0;
    return n;
}

TSR_API int64_t tsr_lane_partner(tsr_encoding const *e, int p, int stage, int64_t lane)
{
    for (int r = 0; r < e->first[1]; ++r) {
        int64_t const weight = tsr_p_over_r(e, p, r);
        int const stages = weight == 0 ? 0 : tsr_bit_width((uint64_t)e->length[r]) - 1;
        if (stage < stages) {
            int64_t const digit = lane / weight % e->length[r];
            return lane + ((digit ^ (int64_t)1 << stage) - digit) * weight;
        }
        stage -= stages;
    }
    return lane;
}

#endif
