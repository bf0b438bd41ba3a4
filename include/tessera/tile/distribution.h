/** Tile distribution: an encoding and the adaptor from (P, Y) to X; and the same as a thread-value layout of CuTe.
 *
 *  Law     every element of the tile belongs to some (P, Y), and to as many as the lengths of R multiply to.
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

/** Top dimensions of the graph are the Ps and then the Ys, bottom dimensions the Xs. */
typedef struct tsr_tile_distribution {
    tsr_encoding encoding;
    tsr_adaptor graph;
} tsr_tile_distribution;

TSR_FN tsr_reason tsr_distribution_reason(tsr_tile_distribution const *d)
{
    return d->encoding.why.status ? d->encoding.why : d->graph.why;
}

TSR_FN tsr_tile_distribution tsr_make_static_tile_distribution(tsr_encoding const *e)
{
    tsr_tile_distribution d = TSR_ZERO;
    d.encoding = *e;
    if (e->why.status)
        return d;
    tsr_index const x = tsr_x_lengths(e);
    d.graph = tsr_identity_adaptor(e->xs, x.at);
    uint8_t factor[TSR_MAX_FACTORS] = {0}; /* the hidden dimension of each factor */
    for (int f = 0; f < tsr_factors_(e); ++f)
        factor[f] = (uint8_t)(e->xs + f);
    for (int major = 0; major <= e->xs; ++major) {
        int const n = e->first[major + 1] - e->first[major];
        uint8_t const below = (uint8_t)(major > 0 ? major - 1 : 0);
        tsr_coord_transform const t = major == 0 ? tsr_make_replicate_transform(n, e->length)
                                                 : tsr_make_unmerge_transform(n, &e->length[e->first[major]]);
        if (major > 0 || n > 0)
            tsr_adaptor_push_(&d.graph, &t, &below);
    }
    d.graph.tops = 0;
    for (int i = 0; i < e->ps; ++i) {
        int64_t length[TSR_MAX_DIMS] = {0};
        uint8_t low[TSR_MAX_DIMS] = {0};
        int const n = e->p_first[i + 1] - e->p_first[i];
        for (int k = 0; k < n; ++k) {
            low[k] = factor[e->p_factor[e->p_first[i] + k]];
            length[k] = e->length[e->p_factor[e->p_first[i] + k]];
        }
        tsr_coord_transform const merge = tsr_make_merge_transform(n, length);
        tsr_adaptor_push_(&d.graph, &merge, low);
        d.graph.top[d.graph.tops++] = (uint8_t)(d.graph.hidden - 1);
    }
    for (int i = 0; i < e->ys; ++i)
        d.graph.top[d.graph.tops++] = factor[e->y_factor[i]];
    return d;
}

/** X(p, y). */
TSR_FN tsr_index tsr_distribution_x(tsr_tile_distribution const *d, int64_t const *p, int64_t const *y)
{
    int64_t top[TSR_MAX_DIMS] = {0}, hidden[TSR_MAX_HIDDEN] TSR_SCRATCH;
    tsr_index x = TSR_ZERO;
    for (int i = 0; i < d->encoding.ps; ++i)
        top[i] = p[i];
    for (int i = 0; i < d->encoding.ys; ++i)
        top[d->encoding.ps + i] = y[i];
    tsr_adaptor_indices(&d->graph, top, hidden);
    x.rank = d->encoding.xs;
    for (int i = 0; i < x.rank; ++i)
        x.at[i] = hidden[d->graph.bottom[i]];
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
        return tsr_invalid_(tsr_reason_tuple(e->why));
    m.dims = 2;
    for (int i = e->p_first[e->ps] - 1; i >= 0; --i)
        tsr_modes_push_(&m, 0, e->length[e->p_factor[i]], tsr_tile_stride_(e, e->p_factor[i]));
    for (int i = e->ys - 1; i >= 0; --i)
        tsr_modes_push_(&m, 1, e->length[e->y_factor[i]], tsr_tile_stride_(e, e->y_factor[i]));
    return tsr_modes_layout_(&m);
}

#endif
