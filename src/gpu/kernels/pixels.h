/** An operand that is an im2col view of an image: its rows are pixels, its columns are channels of taps. One text for
 *  the host, which finds the view, and for the kernel (hopper_pixels.cuh), which walks through it.
 *
 *  The image has a dimension of channels, then `dims` dimensions with taps, then one without. A step of K is a block of
 *  channels of one tap. Blocks of a tap come first, then the taps of the first dimension.
 *
 *  Law     row m is the pixel of the digits of m in `pixels`, digit i times stride[i] along dimension i. Tap t of
 *          dimension i adds t * dilation[i]. Steps behind the last tap have no channels, so they read zeros.
 */
#ifndef TSR_SRC_GPU_KERNELS_PIXELS_H
#define TSR_SRC_GPU_KERNELS_PIXELS_H

#include "tessera/cuda/both_sides.h"

TSR_HEADER_BEGIN

enum { TSR_PIXEL_DIMS = 3 };

typedef struct tsr_gemm_pixels {
    int32_t dims, blocks; /* dimensions with taps; blocks of channels of a tap */
    int32_t pixels[TSR_PIXEL_DIMS], stride[TSR_PIXEL_DIMS], taps[TSR_PIXEL_DIMS], dilation[TSR_PIXEL_DIMS];
} tsr_gemm_pixels;

TSR_SAME_(sizeof(tsr_gemm_pixels) == 56);

/** Where a tile reads: its first pixel, and the step that comes next. */
typedef struct tsr_pixel_walk {
    int32_t first[TSR_PIXEL_DIMS + 1]; /* in the image; the last one has no taps */
    int32_t block, tap[TSR_PIXEL_DIMS];
} tsr_pixel_walk;

/** The tile of row m from `step` on; `dims` is that of the view, known to the compiler. */
TSR_LOCAL tsr_pixel_walk tsr_pixel_walk_begin(tsr_gemm_pixels const *x, int dims, int32_t m, int32_t step)
{
    tsr_pixel_walk r = TSR_ZERO;
    int32_t tap = step / x->blocks;
    r.block = step % x->blocks;
    TSR_UNROLL for (int i = 0; i < TSR_PIXEL_DIMS; ++i)
    {
        if (i >= dims)
            continue;
        r.first[i] = m % x->pixels[i] * x->stride[i];
        r.tap[i] = tap % x->taps[i];
        m /= x->pixels[i];
        tap /= x->taps[i];
    }
    r.first[TSR_PIXEL_DIMS] = m;
    r.block += tap * x->blocks; /* 0 but behind the last tap */
    return r;
}

TSR_LOCAL void tsr_pixel_walk_next(tsr_pixel_walk *w, tsr_gemm_pixels const *x, int dims)
{
    if (++w->block != x->blocks)
        return;
    TSR_UNROLL for (int i = 0; i < TSR_PIXEL_DIMS; ++i)
    {
        if (i >= dims)
            continue;
        if (++w->tap[i] < x->taps[i]) {
            w->block = 0;
            return;
        }
        w->tap[i] = 0;
    }
}

TSR_HEADER_END

#endif
