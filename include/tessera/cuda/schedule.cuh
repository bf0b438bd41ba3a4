/** Which tile when: the order in which a persistent grid goes through the tiles of a result.
 *
 *      tsr_tile_order const order = {tiles_m, tiles_n, batches, 8};
 *      for (int i = blockIdx.x; i < order.count(); i += gridDim.x)
 *          ... order.at(i).m, .n, .batch
 *
 *  Tiles go in groups of `height` rows, column by column, so that those that run together share rows of A and columns
 *  of B.
 *
 *  Law     every tile once.
 */
#ifndef TSR_CUDA_SCHEDULE_CUH
#define TSR_CUDA_SCHEDULE_CUH

#include "tessera/cuda/words.cuh"

struct tsr_tile_at {
    int m, n, batch;
};

struct tsr_tile_order {
    int m, n, batches, height;

    TSR_DEVICE_MEMBER int count(void) const { return m * n * batches; }

    TSR_DEVICE_MEMBER tsr_tile_at at(int i) const
    {
        unsigned const all = (unsigned)m * (unsigned)n, batch = (unsigned)i / all, in = (unsigned)i % all;
        unsigned const group = in / (unsigned)(height * n), place = in % (unsigned)(height * n);
        unsigned const rows = (unsigned)min(height, m - (int)group * height);
        return {(int)(group * (unsigned)height + place % rows), (int)(place / rows), (int)batch};
    }
};

#endif
