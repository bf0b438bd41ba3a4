/** The product of cuda/hopper_gemm.cuh where A is an im2col view of an image (gpu/kernels/pixels.h).
 *
 *      tsr_hopper_pixels<plan, dims, epilogue>     blocks, threads and shared memory as of tsr_hopper_gemm
 *
 *  The map of A is that of the image, in im2col mode: its channels, `dims` dimensions with taps, one without. That of
 *  B is (N, channels, taps of each of the dimensions).
 *
 *  Law     D(m,n) = epilogue(sum over taps and channels of A(m, channel, tap) * B(n, channel, tap)).
 */
#ifndef TSR_SRC_GPU_KERNELS_HOPPER_PIXELS_CUH
#define TSR_SRC_GPU_KERNELS_HOPPER_PIXELS_CUH

#include "gpu/kernels/pixels.h"
#include "tessera/cuda/hopper_source.cuh"
#include "tessera/cuda/tile_im2col.cuh"

/** The source of tiles. */
template <int Dims> struct tsr_hopper_image_ {
    tsr_tma_map const *image, *filter;
    tsr_gemm_pixels const *view;

    template <class P> struct walk {
        tsr_hopper_image_ const &of;
        int n;
        tsr_pixel_walk at;

        TSR_DEVICE_MEMBER void load(tsr_barrier *full, tsr_shared<typename P::element_a> a,
                                    tsr_shared<typename P::element_b> b) const
        {
            int const c = at.block * P::K, image = at.first[TSR_PIXEL_DIMS];
            uint16_t far[3];
            TSR_UNROLL for (int i = 0; i < 3; ++i) far[i] = (uint16_t)(at.tap[i] * of.view->dilation[i]);
            if constexpr (Dims == 1) {
                tsr_tma_load_tile_im2col<P::smem_a>(of.image, full, a, far, c, at.first[0], image);
                tsr_tma_load_tile_shared<P::smem_b, P::ctas>(of.filter, full, b, n, c, at.tap[0]);
            } else if constexpr (Dims == 2) {
                tsr_tma_load_tile_im2col<P::smem_a>(of.image, full, a, far, c, at.first[0], at.first[1], image);
                tsr_tma_load_tile_shared<P::smem_b, P::ctas>(of.filter, full, b, n, c, at.tap[0], at.tap[1]);
            } else {
                tsr_tma_load_tile_im2col<P::smem_a>(of.image, full, a, far, c, at.first[0], at.first[1], at.first[2],
                                                    image);
                tsr_tma_load_tile_shared<P::smem_b, P::ctas>(of.filter, full, b, n, c, at.tap[0], at.tap[1],
                                                             at.tap[2]);
            }
        }
        TSR_DEVICE_MEMBER void next(void) { tsr_pixel_walk_next(&at, of.view, Dims); }
    };

    template <class P> TSR_DEVICE_MEMBER walk<P> begin(int m, int n, int k, int) const
    {
        return {*this, n, tsr_pixel_walk_begin(view, Dims, m, k / P::K)};
    }
};

template <class P, class E> constexpr bool tsr_hopper_needs_more_<tsr_hopper_sourced_<P, tsr_hopper_image_<3>, E>> =
    true;

/** The kernel; see above. */
template <class P, int Dims, class E> __global__ __launch_bounds__(P::threads, 1) void tsr_hopper_pixels(
    __grid_constant__ tsr_tma_map const a, __grid_constant__ tsr_tma_map const b,
    __grid_constant__ tsr_tma_map const d, __grid_constant__ tsr_gemm_shape const shape,
    __grid_constant__ E const epilogue, __grid_constant__ tsr_gemm_pixels const view)
{
    if (threadIdx.x == 0) {
        tsr_tma_prefetch(&a);
        tsr_tma_prefetch(&b);
    }
    tsr_hopper_image_<Dims> const source = {&a, &b, &view};
    tsr_hopper_run_<P>(tsr_hopper_sourced_<P, tsr_hopper_image_<Dims>, E>{{&a, &b, &d, &shape, &epilogue}, &source});
}

#endif
