/** Products whose operands have a scale for each block of 128 elements of K: numbers of 8 bits that were quantised in
 *  blocks.
 *
 *      typedef tsr_hopper_plan<TSR_F8_E4M3FN, TSR_F8_E4M3FN, TSR_BF16, 128, 128, TSR_HOPPER_SCALES> plan;
 *      typedef tsr_gemm_scaled<tsr_gemm_epilogue<TSR_BF16, TSR_BF16, 0>> epilogue;
 *      tsr_hopper_gemm<plan, epilogue>
 *
 *  A has one for each row (1x128), B one for 128 columns (128x128). A step of the kernel is such a block: its products
 *  go to accumulators of their own, which are scaled and added to the sums in f32 while the next step is multiplied, so
 *  that they do not stay in the shorter numbers of the tensor cores. Scales come by copies of their own, steps ahead:
 *  loads of the consumers, one step ahead, took 0.07 of the speed.
 *
 *  Law     sum(m,n) = sum over blocks k of a(m,k) * b(n/128,k) * (sum over the 128 of A(m,.) * B(n,.)).
 *  Source  DeepSeek-V3, arXiv 2412.19437, section 3.3.2.
 */
#ifndef TSR_CUDA_HOPPER_SCALES_CUH
#define TSR_CUDA_HOPPER_SCALES_CUH

#include "tessera/cuda/hopper_plan.cuh"

/** The scales of A, (row, block of K, batch), and of B, (block of columns, block of K, batch); strides in elements. */
struct tsr_gemm_scales {
    float const *a, *b;
    int rows, columns; /* of the product */
    int64_t stride_a[3], stride_b[3];
};

/** An epilogue, and the scales of its product. */
template <class E> struct tsr_gemm_scaled : E {
    tsr_gemm_scales scales;

    /** The same of what begins at row `first` of A and has so many. */
    TSR_DEVICE_MEMBER void move(int mode, int64_t first, int count)
    {
        E::move(mode, first, count);
        scales.a += first * scales.stride_a[0];
        scales.rows = count;
    }
};

/** Gives a buffer back to all CTAs that fill it. */
template <class P> TSR_DEVICE void tsr_hopper_release_(typename P::memory &s, int stage, int t)
{
    if (P::ctas == 1 && t == 0)
        tsr_barrier_arrive(&s.ring.free[stage]);
    if (P::ctas > 1 && t < P::ctas)
        tsr_barrier_arrive_at(&s.ring.free[stage], t);
}

/** By the second warp of the producer: the scales of the steps to come, each row's of A and then that of B, which a
 *  tile has one of. They lie in a ring of their own, whose entry is free when the warps have read what it held. What is
 *  outside has the scale of the last row or column: it is not stored. */
template <class P, class W> TSR_DEVICE void tsr_hopper_bring_scales_(typename P::memory &s, W const &work)
{
    constexpr int each = P::M / 32;
    int const lane = threadIdx.x % 32;
    typename P::stage stage;
    for (int i = blockIdx.x / P::ctas; i < work.count(); i += gridDim.x / P::ctas) {
        auto const task = work.at(i);
        tsr_gemm_scales const &x = task.epilogue->scales;
        int const steps = work.steps(i);
        float const *a[each],
            *b = x.b + min(task.n, x.columns - 1) / 128 * x.stride_b[0] + task.batch * x.stride_b[2];
        TSR_UNROLL for (int e = 0; e < each; ++e) a[e] =
            x.a + min(task.m + lane + 32 * e, x.rows - 1) * x.stride_a[0] + task.batch * x.stride_a[2];
#pragma unroll 1
        for (int step = 0; step < steps; ++step, stage.next(), b += x.stride_b[1]) {
            int const entry = stage.count % TSR_HOPPER_SCALED;
            float *const to = s.scale[entry];
            tsr_barrier_wait(&s.taken[entry], (uint32_t)(stage.count / TSR_HOPPER_SCALED & 1) ^ 1);
            TSR_UNROLL for (int e = 0; e < each; ++e)
            {
                tsr_cp_async<4>(to + lane + 32 * e, a[e]);
                a[e] += x.stride_a[1];
            }
            if (lane == 0)
                tsr_cp_async<4>(to + P::M, b);
            tsr_barrier_arrive_behind_copies(&s.ring.full[stage.index]);
        }
    }
}

/** The products of a block on their way, and the scales of a thread's two rows and of B. */
template <class P> struct tsr_hopper_block_ {
    static constexpr tsr_coords_<2, tsr_values<P::fragment>> value = tsr_value_coords_<P::fragment, 2>();
    static_assert(P::rows == 64 && 128 % P::N == 0 && value.at[0].at[0] == 0 && value.at[1].at[0] == 0
                      && value.at[2].at[0] == 8 && value.at[3].at[0] == 8,
                  "values come in twos of a row, in turns of two rows");
    float sum[P::slice], scale[3];

    /** Sets step `stage` to work; its scales are each warp's to give back. */
    TSR_DEVICE_MEMBER void begin(typename P::memory &s, typename P::stage &stage, int row)
    {
        int const line = row + tsr_thread_coord_<P::fragment, 2>(threadIdx.x % 128).at[0];
        int const entry = stage.count % TSR_HOPPER_SCALED;
        float const *const from = s.scale[entry];
        tsr_barrier_wait(&s.ring.full[stage.index], stage.parity);
        scale[0] = from[line];
        scale[1] = from[line + 8];
        scale[2] = from[P::M];
        __syncwarp();
        if (threadIdx.x % 32 == 0)
            tsr_barrier_arrive(&s.taken[entry]);
        tsr_wgmma_fence();
        tsr_gemm_wgmma<P::atom, P::rows_a, P::smem_b>(s.a[stage.index] + row * P::K, s.b[stage.index], sum, 0);
        tsr_wgmma_commit();
        stage.next();
    }
    /** Adds a step up that is done, and gives its buffer back. */
    TSR_DEVICE_MEMBER void add(typename P::memory &s, float (&to)[P::slice], typename P::stage &stage)
    {
        float const by[2] = {scale[0] * scale[2], scale[1] * scale[2]};
        tsr_wgmma_hold(sum);
        tsr_hopper_release_<P>(s, stage.index, threadIdx.x % 128);
        stage.next();
        TSR_UNROLL for (int i = 0; i < P::slice; ++i) to[i] += by[i / 2 % 2] * sum[i];
    }
};

/** The sums of one tile: `steps` buffers from `stage` on, one step multiplied while the one before is added up. With
 *  `hands_on` the other consumer has a tile behind it. */
template <class P> TSR_DEVICE void tsr_hopper_multiply_scaled_(typename P::memory &s, float (&sum)[P::slice],
                                                               typename P::stage &stage, int steps, int me,
                                                               bool hands_on)
{
    int const row = P::turns ? 0 : me * P::rows;
    typename P::stage ahead = stage;
    tsr_hopper_block_<P> even, odd;
    TSR_UNROLL for (int i = 0; i < P::slice; ++i) sum[i] = 0;
    even.begin(s, ahead, row);
#pragma unroll 1
    for (int k = 2; k < steps; k += 2) {
        odd.begin(s, ahead, row);
        tsr_wgmma_wait<1>();
        even.add(s, sum, stage);
        even.begin(s, ahead, row);
        tsr_wgmma_wait<1>();
        odd.add(s, sum, stage);
    }
    if (steps % 2 == 0) {
        odd.begin(s, ahead, row);
        tsr_wgmma_wait<1>();
        even.add(s, sum, stage);
        tsr_wgmma_wait<0>();
        odd.add(s, sum, stage);
    } else {
        tsr_wgmma_wait<0>();
        even.add(s, sum, stage);
    }
    if (P::turns && hands_on)
        tsr_arrive_threads(3 + (me ^ 1), 128 * P::consumers);
}

#endif
