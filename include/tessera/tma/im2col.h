/** make_im2col_tma_copy takes an image in global memory, a layout of shared memory, a tile, and where the pixels and
 *  the taps of a convolution lie. It makes the im2col map of the hardware and the coordinates that its instructions
 *  take.
 *
 *  The matrix of a convolution has a row for each output pixel (q,p,z,n) and a column for each (c,s,r,t), channel and
 *  tap. Pixel q is at lower + q * stride of the image, and tap s reads first + s * dilation further. Elements outside
 *  of the image are 0.
 *
 *  Law     the tensor get_tma_tensor is that matrix, each element its own coordinate. Partitioned like the data, it
 *          says at which element an instruction begins, and tma_coordinate, at which (c,(w,h,d),n,(offsets)) of the
 *          hardware. Pixels are counted through all images, so a tile may span rows and images.
 *  Source  CuTe, include/cute/atom/copy_traits_sm90_im2col.hpp; PTX ISA, "Im2col mode".
 */
#ifndef TSR_TMA_IM2COL_H
#define TSR_TMA_IM2COL_H

#include "tessera/tma/copy.h"

TSR_HEADER_BEGIN

/** The largest number in one, so that no sum of them overflows. */
#define TSR_TMA_FAR ((int64_t)1 << 30)

/** Returns the places of the pixels of a convolution's output on its input: (lower, upper, stride). */
TSR_API tsr_tuple tsr_fprop_pixels(tsr_tuple conv);

/** Which elements its taps read: (filter, first, dilation). */
TSR_API tsr_tuple tsr_fprop_taps(tsr_tuple conv);

/** Returns the same for the gradient of the input, whose pixels are on the gradient of the output. */
TSR_API tsr_tuple tsr_dgrad_pixels(tsr_tuple conv);

TSR_API tsr_tuple tsr_dgrad_taps(tsr_tuple conv);

/** The plan for an image ((w[,h[,d]],n),c), or (c,(w..,n)) for a transposed tile.
 *      pixels  (lower, upper, stride): the corners of the box of the pixels, and their distance
 *      taps    (filter, first, dilation): how many taps, where the first one reads, and their distance
 *              (tsr_fprop_pixels and its kin make both)
 *  Errors  TMA_OP, TMA_IMAGE, TMA_CONVOLUTION, TMA_TAP, and those of make_tma_copy. */
TSR_API tsr_tma_copy tsr_make_im2col_tma_copy(tsr_tma_op op, tsr_tma_types types, tsr_layout image,
                                              tsr_smem_layout smem, tsr_tiler tiler, tsr_tuple cluster,
                                              tsr_tuple pixels, tsr_tuple taps);

/** tsr_make_im2col_tma_copy for a plain layout of shared memory; a swizzle in it acts on bytes. */
TSR_API tsr_tma_copy tsr_make_im2col_tma_copy_plain(tsr_tma_op op, tsr_tma_types types, tsr_layout image,
                                                    tsr_layout smem, tsr_tiler tiler, tsr_tuple cluster,
                                                    tsr_tuple pixels, tsr_tuple taps);

/** Returns the coordinate of the instruction that begins at element `coord` of get_tma_tensor. Of an im2col copy it is
 *  (c,(w,h,d),n,(offsets)). Of a tiled copy it is `coord`, with dimension 0 in elements of the type that is moved.
 *  Errors  TMA_INSIDE where that begins between two of them. */
TSR_API tsr_tuple tsr_tma_coordinate(tsr_tma_copy c, tsr_tuple coord);

TSR_HEADER_END

#endif
