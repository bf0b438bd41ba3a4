/** Tiles of pixels of an image by the copy engine, as a convolution reads them.
 *
 *      tsr_barrier_expect(&full, tsr_tma_bytes<smem, tsr_f16>);
 *      uint16_t const tap[3] = {s, r};
 *      tsr_tma_load_tile_im2col<smem>(&map, &full, to, tap, channel, w, h, n);       to tsr_smem(p)
 *
 *  The map is that of tma/im2col_tile.h for the same layout, (pixels, channels). (w,h,n) is the first pixel, w from the
 *  lower corner on in steps of the stride; the tap is added to it. One thread issues.
 *
 *  Law     as of tma/im2col_tile.h.
 *  Needs   shared memory aligned to 1024 bytes.
 */
#ifndef TSR_CUDA_TILE_IM2COL_CUH
#define TSR_CUDA_TILE_IM2COL_CUH

#include "tessera/cuda/tile_tma.cuh"
#include "tessera/tma/im2col_tile.h"

/** The boxes of a tile of pixels, as numbers. */
template <tsr_layout const &L, class T> struct tsr_im2col_boxes_ : tsr_tma_boxes_<L, T, 1> {
    static constexpr bool fine = TSR_FINE(tsr_make_im2col_tile(L, (tsr_dtype)(TSR_U8 - 8 + 8 * sizeof(T))).why);
};

/** Loads the tile whose first pixel is at `pixel`, (w,n), (w,h,n) or (w,h,d,n), from channel `channel` on. `full`
 *  counts its bytes. */
template <tsr_layout const &L, class Map, class T, class... At>
TSR_DEVICE auto tsr_tma_load_tile_im2col(Map map, tsr_barrier *full, tsr_shared<T> to, uint16_t const (&tap)[3],
                                         int channel, At... pixel) -> tsr_tma_if_map_<decltype(tsr_tma_map_of_(map))>
{
    typedef tsr_im2col_boxes_<L, T> boxes;
    static_assert(sizeof...(At) >= 2 && sizeof...(At) <= 4, "tsr_tma_load_tile_im2col: a pixel (w,n) to (w,h,d,n)");
    if constexpr (boxes::fine) {
        constexpr typename boxes::starts start = boxes::find();
        TSR_UNROLL for (int i = 0; i < boxes::boxes; ++i)
            tsr_tma_load_im2col(map, full, to.at + i * boxes::each, tap, channel + start.at[1][i], pixel...);
    }
}

TSR_ELSE_(
    tsr_tma_load_tile_im2col,
    "tsr_tma_load_tile_im2col<layout>: a map, a barrier, tsr_smem(pointer), the tap, the channel, and the pixel",
    tsr_layout const &)

#endif
