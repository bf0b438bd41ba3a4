/** Operations within a thread's part of a tile, as maps between buffer offsets: what an element type does not change.
 *
 *      sweep      visits Y indices, X0 outermost, several elements a call
 *      shuffle    the same elements in another order of Y
 *      slice      the elements of a box of Y
 *      reduce     the elements that become one when some X are reduced
 *      lanes      which lane exchanges with which, so that all that share a replication have all of it
 *
 *  Example  sweep dist{R=();H=((16,4));P=((1.0));Y=(1.1)} unpack=(2)  =  (0)+(1) (2)+(3)
 *  Example  lanes dist{R=(4);H=((2));P=((1.0,0.0));Y=()}  =  (1,0,3,2,5,4,7,6) (2,3,0,1,6,7,4,5)
 *  Source   ROCm composable_kernel, include/ck_tile/core/tensor/{sweep_tile,shuffle_tile,slice_tile}.hpp and
 *           ops/reduce/block/block_reduce.hpp.
 */
#ifndef TSR_TILE_OPERATIONS_H
#define TSR_TILE_OPERATIONS_H

#include "tessera/tile/encoding_algebra.h"

TSR_HEADER_BEGIN

/** The Y index of a place in the buffer. */
TSR_FN tsr_index tsr_thread_buffer_index(tsr_encoding const *e, int64_t offset)
{
    tsr_index y = tsr_y_lengths(e);
    for (int i = y.rank - 1; i >= 0; --i) {
        int64_t const length = y.at[i];
        y.at[i] = offset % length;
        offset /= length;
    }
    return y;
}

/* Sweep */

/** Ys in the order of X and H: the box of one call, and how many boxes there are along each. */
typedef struct tsr_sweep {
    tsr_reason why;
    uint8_t ys, y[TSR_MAX_DIMS];
    int64_t box[TSR_MAX_DIMS], boxes[TSR_MAX_DIMS];
} tsr_sweep;

/** `unpack` elements of each X a call, the fastest factors first.
 *  Errors  UNPACK at the X whose span it does not divide. */
TSR_FN tsr_sweep tsr_make_sweep(tsr_encoding const *e, int64_t const *unpack)
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

TSR_FN int64_t tsr_sweep_calls(tsr_sweep const *s)
{
    int64_t n = 1;
    for (int k = 0; k < s->ys; ++k)
        n *= s->boxes[k];
    return n;
}

TSR_FN int64_t tsr_sweep_elements(tsr_sweep const *s)
{
    int64_t n = 1;
    for (int k = 0; k < s->ys; ++k)
        n *= s->box[k];
    return n;
}

/** The Y index of an element of a call. */
TSR_FN tsr_index tsr_sweep_index(tsr_sweep const *s, int64_t call, int64_t element)
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

/* Shuffle */

/** Are two encodings the same but for the order of Y? Errors  SHUFFLE. */
TSR_FN tsr_reason tsr_shuffle_reason(tsr_encoding const *from, tsr_encoding const *to)
{
    uint64_t ys = 0;
    bool same = from->xs == to->xs && from->ps == to->ps && from->ys == to->ys;
    if (from->why.status || to->why.status)
        return from->why.status ? from->why : to->why;
    for (int m = 0; same && m <= from->xs + 1; ++m)
        same = from->first[m] == to->first[m];
    for (int f = 0; same && f < tsr_factors_(from); ++f)
        same = from->length[f] == to->length[f];
    for (int i = 0; same && i <= from->ps; ++i)
        same = from->p_first[i] == to->p_first[i];
    for (int k = 0; same && k < from->p_first[from->ps]; ++k)
        same = from->p_factor[k] == to->p_factor[k];
    for (int i = 0; same && i < from->ys; ++i)
        ys ^= (uint64_t)1 << from->y_factor[i] ^ (uint64_t)1 << to->y_factor[i];
    return tsr_because(same && ys == 0 ? TSR_OK : TSR_SHUFFLE, 0, 0, 0, 0);
}

/** Where in the buffer of `from` the element stands that belongs at `offset` in that of `to`. */
TSR_FN int64_t tsr_shuffle_source(tsr_encoding const *from, tsr_encoding const *to, int64_t offset)
{
    tsr_index const y = tsr_thread_buffer_index(to, offset);
    tsr_index source = TSR_ZERO;
    for (int i = 0; i < to->ys; ++i)
        for (int k = 0; k < from->ys; ++k)
            if (from->y_factor[k] == to->y_factor[i])
                source.at[k] = y.at[i];
    return tsr_thread_buffer_offset(from, source.at);
}

/* Slice */

/** Where in the buffer of the whole the element stands that belongs at `offset` in that of the slice. */
TSR_FN int64_t tsr_slice_source(tsr_encoding const *whole, tsr_encoding_slice const *slice, int64_t offset)
{
    tsr_index y = tsr_thread_buffer_index(&slice->encoding, offset);
    for (int i = 0; i < y.rank; ++i)
        y.at[i] += slice->y_origin.at[i];
    return tsr_thread_buffer_offset(whole, y.at);
}

/* Reduce */

/** Where in the buffer of the reduced encoding the element at `offset` is counted; `dims` are the X reduced. */
TSR_FN int64_t tsr_reduce_target(tsr_encoding const *e, uint32_t dims, int64_t offset)
{
    tsr_index const y = tsr_thread_buffer_index(e, offset);
    int64_t r = 0;
    for (int i = 0; i < e->ys; ++i)
        if ((dims >> (tsr_place_of_(e, e->y_factor[i]).major - 1) & 1u) == 0)
            r = r * e->length[e->y_factor[i]] + y.at[i];
    return r;
}

/* Lanes: a butterfly over the replication that one P owns. A stage pairs indices of this P that differ in one bit of
 * one R; after all stages each index has met all that differ from it in these R only. */

/** Can replication of P p be halved again and again? Errors  LANES at the R whose length is no power of two. */
TSR_FN tsr_reason tsr_lane_reason(tsr_encoding const *e, int p)
{
    if (e->why.status)
        return e->why;
    for (int r = 0; r < e->first[1]; ++r)
        if (tsr_p_owns_r(e, p, r) && !tsr_is_pow2(e->length[r]))
            return tsr_because(TSR_LANES, r, e->length[r], 0, 0);
    return tsr_because(TSR_OK, 0, 0, 0, 0);
}

/** The number of stages. */
TSR_FN int tsr_lane_stages(tsr_encoding const *e, int p)
{
    int n = 0;
    for (int r = 0; r < e->first[1]; ++r)
        n += tsr_p_owns_r(e, p, r) ? tsr_bit_width((uint64_t)e->length[r]) - 1 : 0;
    return n;
}

/** The index of P p that `lane` exchanges with; partner(partner(lane)) = lane. */
TSR_FN int64_t tsr_lane_partner(tsr_encoding const *e, int p, int stage, int64_t lane)
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

TSR_HEADER_END

#endif
