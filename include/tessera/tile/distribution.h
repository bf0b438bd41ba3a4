/** Tile distribution: what an encoding means, as a map from (P, Y) to X, as the graph of that map, and as a
 *  thread-value layout of CuTe.
 *
 *  Law     tsr_distribution_x(e, p, y) is the bottom index of tsr_distribution_adaptor(e) at (p, y).
 *          every element of the tile belongs to some (P, Y), and to as many as the lengths of R multiply to.
 *          tv(t, v) is the column-major number of X(p, y), where t counts p with the last P fastest and v is the
 *          place in the thread's buffer.
 *
 *  Example  x dist{R=();H=((4,2,4),(32));P=((1.1,2.0));Y=(1.0,1.2)} @ p=(33) y=(1,2)  =  (14,1)
 *  Example  tvlayout dist{R=();H=((4,2,4),(32));P=((1.1,2.0));Y=(1.0,1.2)}  =  ((32,2),(4,4)):((32,4),(1,8))
 *  Source   ROCm composable_kernel, include/ck_tile/core/tensor/tile_distribution.hpp.
 */
#ifndef TSR_TILE_DISTRIBUTION_H
#define TSR_TILE_DISTRIBUTION_H

#include "tessera/tile/encoding_algebra.h"
#include "tessera/tile/fold.h"

TSR_HEADER_BEGIN

/** The graph from (P, Y) to X: top dimensions are the Ps and then the Ys, bottom dimensions the Xs. */
TSR_FN tsr_adaptor tsr_distribution_adaptor(tsr_encoding const *e)
{
    tsr_index const x = tsr_x_lengths(e);
    tsr_adaptor a = tsr_identity_adaptor(e->xs, x.at);
    uint8_t factor[TSR_MAX_FACTORS] = {0}; /* the hidden dimension of each factor */
    if (e->why.status)
        a.why = e->why;
    for (int f = 0; f < tsr_factors_(e); ++f)
        factor[f] = (uint8_t)(e->xs + f);
    for (int major = 0; major <= e->xs; ++major) {
        int const n = e->first[major + 1] - e->first[major];
        uint8_t const below = (uint8_t)(major > 0 ? major - 1 : 0);
        tsr_coord_transform const t = major == 0 ? tsr_make_replicate_transform(n, e->length)
                                                 : tsr_make_unmerge_transform(n, &e->length[e->first[major]]);
        if (major > 0 || n > 0)
            tsr_adaptor_push_(&a, &t, &below);
    }
    a.tops = 0;
    for (int i = 0; i < e->ps; ++i) {
        int64_t length[TSR_MAX_DIMS] = {0};
        uint8_t low[TSR_MAX_DIMS] = {0};
        int const n = e->p_first[i + 1] - e->p_first[i];
        for (int k = 0; k < n; ++k) {
            low[k] = factor[e->p_factor[e->p_first[i] + k]];
            length[k] = e->length[e->p_factor[e->p_first[i] + k]];
        }
        tsr_coord_transform const merge = tsr_make_merge_transform(n, length);
        tsr_adaptor_push_(&a, &merge, low);
        a.top[a.tops++] = (uint8_t)(a.hidden - 1);
    }
    for (int i = 0; i < e->ys; ++i)
        a.top[a.tops++] = factor[e->y_factor[i]];
    return a;
}

/** X(p, y): the digits of every P, and the Ys, each so far along its X. */
TSR_FN tsr_index tsr_distribution_x(tsr_encoding const *e, int64_t const *p, int64_t const *y)
{
    int64_t digit[TSR_MAX_FACTORS] = {0};
    tsr_index x = TSR_ZERO;
    x.rank = e->xs;
    for (int i = 0; i < e->ps; ++i) {
        int64_t rest = p[i];
        for (int k = e->p_first[i + 1] - 1; k > e->p_first[i]; --k) {
            int64_t const length = e->length[e->p_factor[k]], q = tsr_floor_div(rest, length);
            digit[e->p_factor[k]] = tsr_wrap_sub(rest, tsr_wrap_mul(q, length));
            rest = q;
        }
        if (e->p_first[i] < e->p_first[i + 1])
            digit[e->p_factor[e->p_first[i]]] = rest;
    }
    for (int i = 0; i < e->ys; ++i)
        digit[e->y_factor[i]] = y[i];
    for (int k = 0; k < e->xs; ++k)
        for (int f = e->first[k + 1]; f < e->first[k + 2]; ++f)
            x.at[k] = tsr_wrap_add(tsr_wrap_mul(x.at[k], e->length[f]), digit[f]);
    return x;
}

/** The place of a factor in a column-major tile: X0 is the fastest. */
TSR_FN int64_t tsr_tile_stride_(tsr_encoding const *e, int factor)
{
    int const major = tsr_place_of_(e, factor).major;
    return major == 0 ? 0 : tsr_factor_weight_(e, factor) * tsr_factor_product_(e, e->first[1], e->first[major]);
}

/** The thread-value layout (T,V):(T,V), static, each mode coalesced. */
TSR_FN tsr_layout tsr_distribution_tv_layout(tsr_encoding const *e)
{
    tsr_modes_ m = TSR_ZERO;
    if (e->why.status)
        return tsr_invalid_layout(tsr_reason_tuple(e->why));
    m.dims = 2;
    for (int i = e->p_first[e->ps] - 1; i >= 0; --i)
        tsr_modes_push_(&m, 0, e->length[e->p_factor[i]], tsr_tile_stride_(e, e->p_factor[i]));
    for (int i = e->ys - 1; i >= 0; --i)
        tsr_modes_push_(&m, 1, e->length[e->y_factor[i]], tsr_tile_stride_(e, e->y_factor[i]));
    return tsr_modes_layout_(&m);
}

TSR_HEADER_END

#endif
