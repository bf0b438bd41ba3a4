/** The bodies of tma/im2col_tile.h. */
#ifndef TSR_TMA_BODY_IM2COL_TILE_H
#define TSR_TMA_BODY_IM2COL_TILE_H

#include "tessera/tma/body/tile.h"
#include "tessera/tma/im2col_tile.h"

TSR_HEADER_BEGIN

TSR_OP tsr_tma_tile tsr_make_im2col_tile(tsr_layout smem, tsr_dtype type)
{
    tsr_tma_tile r = tsr_make_tma_tile(smem, type, 1);
    if (!r.why.status && r.along != 1)
        r.why = tsr_because(TSR_TMA_MAJOR, 0, r.rows, 0, 0);
    if (!r.why.status && r.box[1] != r.rows)
        r.why = tsr_because(TSR_TMA_SIZE, 0, r.elements, (int64_t)r.rows * r.box[0], 0);
    return r;
}

TSR_HEADER_END

#endif
