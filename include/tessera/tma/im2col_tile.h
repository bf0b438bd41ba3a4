/** A tile of shared memory (pixels, channels) as boxes of an im2col map: the numbers that both sides of a convolution
 *  share, with the layout, its swizzle and the elements of tma/tile.h.
 *
 *      tsr_tma_tile const t = tsr_make_im2col_tile(smem, TSR_F16);
 *      tsr_tma_desc const d = tsr_im2col_tile_desc(&t, TSR_F16, image, tsr_fprop_pixels(conv), tsr_fprop_taps(conv));
 *      tsr_gpu_tma_encode(&device, &d, address, &map);
 *
 *  `image` is ((w,h,n),c), in elements, with one to three modes in front of n; `conv` is (filter, lower padding, upper
 *  padding, stride, dilation), each a tuple of a number for W, H and D (tma/im2col.h). The kernel loads by
 *  tsr_tma_load_tile_im2col (cuda/tile_im2col.cuh).
 *
 *  Law     row i of the tile is the i-th pixel from the one at the coordinates of the load, counted through rows and
 *          images, at the tap of the load; column j is channel j from that of the load. Outside of the image it is 0.
 *  Errors  those of tsr_make_tma_tile; TMA_MAJOR for a tile whose channels are no neighbours, TMA_SIZE for one
 *          whose boxes have not all pixels; of the map those of tsr_make_im2col_tma_copy.
 */
#ifndef TSR_TMA_IM2COL_TILE_H
#define TSR_TMA_IM2COL_TILE_H

#include "tessera/tma/im2col.h"
#include "tessera/tma/tile.h"

TSR_HEADER_BEGIN

/** The tile of shared memory `smem`, modes (pixels, channels), as boxes of all pixels each. */
TSR_OP tsr_tma_tile tsr_make_im2col_tile(tsr_layout smem, tsr_dtype type);

/** The im2col map of an image of such tiles. */
TSR_API tsr_tma_desc tsr_im2col_tile_desc(tsr_tma_tile const *t, tsr_dtype type, tsr_layout image, tsr_tuple pixels,
                                          tsr_tuple taps);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tma/body/im2col_tile.h"
#endif

#endif
