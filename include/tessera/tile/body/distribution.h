/** The bodies of tile/distribution.h. */
#ifndef TSR_TILE_BODY_DISTRIBUTION_H
#define TSR_TILE_BODY_DISTRIBUTION_H

#include "tessera/tile/distribution.h"
#include "tessera/tile/body/encoding.h"
#include "tessera/tile/body/fold.h"

TSR_HEADER_BEGIN

TSR_OP tsr_adaptor tsr_distribution_adaptor(tsr_encoding const *e)
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

TSR_OP tsr_index tsr_distribution_x(tsr_encoding const *e, int64_t const *p, int64_t const *y)
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
TSR_LOCAL int64_t tsr_tile_stride_(tsr_encoding const *e, int factor)
{
    int const major = tsr_place_of_(e, factor).major;
    return major == 0 ? 0 : tsr_factor_weight_(e, factor) * tsr_factor_product_(e, e->first[1], e->first[major]);
}

TSR_OP tsr_layout tsr_distribution_tv_layout(tsr_encoding const *e)
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
