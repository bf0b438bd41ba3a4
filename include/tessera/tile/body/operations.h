/** The bodies of tile/operations.h that kernels call. */
#ifndef TSR_TILE_BODY_OPERATIONS_H
#define TSR_TILE_BODY_OPERATIONS_H

#include "tessera/tile/operations.h"
#include "tessera/tile/body/encoding.h"

TSR_HEADER_BEGIN

TSR_OP tsr_index tsr_thread_buffer_index(tsr_encoding const *e, int64_t offset)
{
    tsr_index y = tsr_y_lengths(e);
    for (int i = y.rank - 1; i >= 0; --i) {
        int64_t const length = y.at[i];
        y.at[i] = offset % length;
        offset /= length;
    }
    return y;
}

TSR_OP tsr_reason tsr_shuffle_why(tsr_encoding const *from, tsr_encoding const *to)
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

TSR_HEADER_END

#endif
