/** Products whose operands have a scale for each block of 128 elements of K: numbers of 8 bits that were quantised in
 *  blocks.
 *
 *      typedef tsr_hopper_plan<TSR_F8_E4M3FN, TSR_F8_E4M3FN, TSR_BF16, 128, 128, TSR_HOPPER_SCALES> plan;
 *      typedef tsr_gemm_scaled<tsr_gemm_epilogue<TSR_BF16, TSR_BF16, 0>> epilogue;
 *      tsr_hopper_gemm<plan, epilogue>
 *
 *  A has one for each row (1x128), B one for 128 columns (128x128). A step of the kernel is such a block: its products
 *  go to accumulators of their own, which are scaled and added to the sums in f32 while the next step is multiplied, so
 *  that they do not stay in the shorter numbers of the tensor cores.
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

/** What a thread of a consumer multiplies its sums by: the scales of its two rows, and those of B for each 64
 *  columns. */
template <class P> struct tsr_hopper_scale_ {
    static constexpr int wide = P::N < 64 ? 1 : P::N / 64;
    static constexpr tsr_coords_<2, tsr_values<P::fragment>> value = tsr_value_coords_<P::fragment, 2>();
    static_assert(P::rows == 64 && value.at[0].at[0] == 0 && value.at[1].at[0] == 0 && value.at[2].at[0] == 8
                      && value.at[3].at[0] == 8,
                  "values come in twos of a row, in turns of two rows");
    float const *at[2 + wide];
    int64_t step[2];

    /** What is outside has the scales of the last row and column: it is not stored. Those of B would be numbers of the
     *  warp, which the compiler waits for at once, if their addresses had nothing of the thread, even if it is 0. */
    TSR_DEVICE_MEMBER void begin(tsr_gemm_scales const &x, int m, int n, int batch, int t)
    {
        int const row = m + tsr_thread_coord_<P::fragment, 2>(t).at[0];
        TSR_UNROLL for (int i = 0; i < 2; ++i) at[i] =
            x.a + min(row + 8 * i, x.rows - 1) * x.stride_a[0] + batch * x.stride_a[2];
        TSR_UNROLL for (int i = 0; i < wide; ++i) at[2 + i] =
            x.b + min(n + 64 * i, x.columns - 1) / 128 * x.stride_b[0] + batch * x.stride_b[2] + (row < 0);
        step[0] = x.stride_a[1];
        step[1] = x.stride_b[1];
    }
    /** The scales of the next block. */
    TSR_DEVICE_MEMBER void read(float (&now)[2 + wide])
    {
        TSR_UNROLL for (int i = 0; i < 2 + wide; ++i)
        {
            now[i] = __ldg(at[i]);
            at[i] += step[i > 1];
        }
    }
};

/** The products of a block on their way, and their scales. */
template <class P> struct tsr_hopper_block_ {
    float sum[P::slice], scale[2 + tsr_hopper_scale_<P>::wide];

    /** Sets step `stage` to work. */
    TSR_DEVICE_MEMBER void begin(typename P::memory &s, tsr_stage<P::stages> &stage, int row)
    {
        tsr_barrier_wait(&s.ring.full[stage.index], stage.parity);
        tsr_wgmma_fence();
        tsr_gemm_wgmma<P::atom, P::rows_a, P::smem_b>(s.a[stage.index] + row * P::K, s.b[stage.index], sum, 0);
        tsr_wgmma_commit();
        stage.next();
    }
    /** Adds a step up that is done, and gives its buffer back. Then `more` scales are asked for: who waits for some waits
     *  for all that were asked for before, so these have a step's time. */
    TSR_DEVICE_MEMBER void add(typename P::memory &s, float (&to)[P::slice], tsr_stage<P::stages> &stage,
                               tsr_hopper_scale_<P> &scales, bool more)
    {
        tsr_wgmma_hold(sum);
        tsr_hopper_release_<P>(s, stage.index, threadIdx.x % 128);
        stage.next();
        TSR_UNROLL for (int i = 0; i < P::slice; ++i) to[i] += scale[i / 2 % 2] * scale[2 + i / 32] * sum[i];
        if (more)
            scales.read(scale);
    }
};

/** The sums of one tile: `steps` buffers from `stage` on, one step multiplied while the one before is added up. With
 *  `hands_on` the other consumer has a tile behind it. */
template <class P, class T> TSR_DEVICE void tsr_hopper_multiply_scaled_(typename P::memory &s, float (&sum)[P::slice],
                                                                        tsr_stage<P::stages> &stage, int steps,
                                                                        int me, bool hands_on, T const &task)
{
    int const row = P::turns ? 0 : me * P::rows;
    tsr_stage<P::stages> ahead = stage;
    tsr_hopper_block_<P> even, odd;
    tsr_hopper_scale_<P> scales;
    scales.begin(task.epilogue->scales, task.m + row, task.n, task.batch, threadIdx.x % 128);
    TSR_UNROLL for (int i = 0; i < P::slice; ++i) sum[i] = 0;
    scales.read(even.scale);
    if (steps > 1)
        scales.read(odd.scale);
    even.begin(s, ahead, row);
#pragma unroll 1
    for (int k = 2; k < steps; k += 2) {
        odd.begin(s, ahead, row);
        tsr_wgmma_wait<1>();
        even.add(s, sum, stage, scales, true);
        even.begin(s, ahead, row);
        tsr_wgmma_wait<1>();
        odd.add(s, sum, stage, scales, k + 1 < steps);
    }
    if (steps % 2 == 0) {
        odd.begin(s, ahead, row);
        tsr_wgmma_wait<1>();
        even.add(s, sum, stage, scales, false);
        tsr_wgmma_wait<0>();
        odd.add(s, sum, stage, scales, false);
    } else {
        tsr_wgmma_wait<0>();
        even.add(s, sum, stage, scales, false);
    }
    if (P::turns && hands_on)
        tsr_arrive_threads(3 + (me ^ 1), 128 * P::consumers);
}

#endif
