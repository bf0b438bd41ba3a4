/** The product of cuda/hopper_gemm.cuh with tiles from anywhere: a source brings the buffers of A and B.
 *
 *      tsr_hopper_gemm_from<plan, source, epilogue>(source, map of D, shape, epilogue)
 *
 *  A source is a struct, passed by value, with
 *
 *      template <class P> auto begin(int m, int n, int k, int batch) const
 *
 *  which gives, for the tile of D at (m,n) from element k of K on, a struct with
 *
 *      void load(tsr_barrier *full, tsr_shared<P::element_a> a, tsr_shared<P::element_b> b)
 *      void next(void)
 *
 *  `load` brings P::M rows of A and P::N rows of B, P::K elements each, to buffers of layouts P::smem_a and P::smem_b;
 *  `full` counts their bytes, which it expects already. With TSR_HOPPER_PAIRS it brings half of B to both CTAs
 *  (tsr_tma_load_tile_shared<P::smem_b, P::ctas>). `next` goes on by P::K elements. One thread calls both, in turns,
 *  and must be faster than the product of a step; so what divides belongs into `begin`.
 *  examples/cuda/cuda_18_conv.cuh is a source of pixels and filters.
 *
 *  All 128 threads of warpgroup 0 call them where the struct has
 *
 *      enum { threads = 128, bytes = ... };      bytes: of a step, those that the copy engine brings, or 0
 *
 *  Then `full` counts these bytes and an arrival of each thread. A thread that copies in the background
 *  (tsr_copy_async_if) arrives by tsr_cp_async_arrive(full). One that stores by itself calls tsr_barrier_arrive(full)
 *  behind its stores; if it does both, it first waits for its copies (tsr_cp_async_wait). The consumers order what
 *  threads wrote before wgmma. The producer then has 56 registers a thread, the consumers 224.
 *  In examples/cuda/cuda_27_gather.cuh threads gather A, and the copy engine brings B.
 *
 *  Law     D(m,n,v) = epilogue(sum over k of A(m,k,v) * B(n,k,v)), where A and B are what the source brings.
 */
#ifndef TSR_CUDA_HOPPER_SOURCE_CUH
#define TSR_CUDA_HOPPER_SOURCE_CUH

#include "tessera/cuda/hopper_gemm.cuh"

template <class P, class S, class E> struct tsr_hopper_sourced_ : tsr_hopper_single<P, E> {
    S const *source;
    template <class T> TSR_DEVICE_MEMBER auto walk(T const &task) const
    {
        return source->template begin<P>(task.m, task.n, task.k, task.batch);
    }
};

template <class P, class S, class E>
__global__ __launch_bounds__(P::threads, 1) void tsr_hopper_gemm_from(__grid_constant__ S const source,
                                                                      __grid_constant__ tsr_tma_map const d,
                                                                      __grid_constant__ tsr_gemm_shape const shape,
                                                                      __grid_constant__ E const epilogue)
{
    static_assert(!P::modes && !P::batches && !P::scaled,
                  "tsr_hopper_gemm_from: a plan without TSR_HOPPER_MODES, _BATCHES and _SCALES");
    tsr_hopper_run_<P>(tsr_hopper_sourced_<P, S, E>{{&d, &d, &d, &shape, &epilogue}, &source});
}

#endif
