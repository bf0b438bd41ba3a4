/** Products whose operands have a scale for each block of 128 elements of K: numbers of 8 bits that were quantised in
 *  blocks.
 *
 *      typedef tsr_hopper_plan<TSR_F8_E4M3FN, TSR_F8_E4M3FN, TSR_BF16, 128, 256, TSR_HOPPER_SCALES> plan;
 *      typedef tsr_gemm_scaled<tsr_gemm_epilogue<TSR_BF16, TSR_BF16, 0>> epilogue;
 *      tsr_hopper_gemm<plan, epilogue>
 *
 *  A has one for each row (1x128), B one for 128 columns (128x128). A step of the kernel is such a block. Its
 *  products go to accumulators of their own, which are scaled and added to the sums in f32, because the tensor cores
 *  sum in shorter numbers. This runs while the next step is multiplied. In tiles of 256 columns, which read fewer
 *  bytes for their products, it runs while the other consumer multiplies. A warp of the producer brings the scales,
 *  steps ahead. Loads by the consumers, one step ahead, took 0.07 of the speed.
 *
 *  Law     sum(m,n) = sum over blocks k of a(m,k) * b(n/128,k) * (sum over the 128 of A(m,.) * B(n,.)).
 *  Source  DeepSeek-V3, arXiv 2412.19437, section 3.3.2.
 */
#ifndef TSR_CUDA_HOPPER_SCALES_CUH
#define TSR_CUDA_HOPPER_SCALES_CUH

#include "tessera/cuda/hopper_plan.cuh"

/** An epilogue, and the scales of its product. */
template <class E> struct tsr_gemm_scaled : E {
    tsr_gemm_scales scales;

    /** Moves to the `count` rows of A from row `first` on. */
    TSR_DEVICE_MEMBER void move(int mode, int64_t first, int count)
    {
        E::move(mode, first, count);
        scales.a += first * scales.stride_a[0];
        scales.rows = count;
    }
};

TSR_SAME_(sizeof(tsr_gemm_scaled<tsr_gemm_epilogue<TSR_F16, TSR_F16, 0>>) == sizeof(tsr_gemm_numbers));

/** Gives a buffer back to all CTAs that fill it. */
template <class P> TSR_DEVICE void tsr_hopper_release_(typename P::memory &s, int stage, int t)
{
    if (P::ctas == 1 && t == 0)
        tsr_barrier_arrive(&s.ring.free[stage]);
    if (P::ctas > 1 && t < P::ctas)
        tsr_barrier_arrive_at(&s.ring.free[stage], t);
}

/** Where a lane finds the scales of a tile's steps: of one row of A in 32, and in lanes 0 and 1 those of B, too. Rows
 *  and columns outside take the last one's scale, since they are not stored. */
template <class P> struct tsr_hopper_scales_at_ {
    static constexpr int rows = P::M / 32, together = 16 / rows; /* steps that are asked for at a time */
    float const *a[rows], *b;
    int64_t step_a, step_b;

    template <class T> TSR_DEVICE_MEMBER tsr_hopper_scales_at_(T const &task, int lane)
    {
        tsr_gemm_scales const &x = task.epilogue->scales;
        TSR_UNROLL for (int e = 0; e < rows; ++e) a[e] =
            x.a + min(task.m + lane + 32 * e, x.rows - 1) * x.stride_a[0] + task.batch * x.stride_a[2];
        b = x.b + min(task.n / 128 + lane % 2, (x.columns - 1) / 128) * x.stride_b[0] + task.batch * x.stride_b[2];
        step_a = x.stride_a[1];
        step_b = x.stride_b[1];
        if constexpr (P::splits) {
            TSR_UNROLL for (int e = 0; e < rows; ++e) a[e] += task.k / P::K * step_a;
            b += task.k / P::K * step_b;
        }
    }
    /** Asks for the scales of the next step. */
    TSR_DEVICE_MEMBER void load(float (&to)[rows + 1])
    {
        TSR_UNROLL for (int e = 0; e < rows; ++e)
        {
            to[e] = __ldg(a[e]);
            a[e] += step_a;
        }
        to[rows] = __ldg(b);
        b += step_b;
    }
};

/** How many steps of a task, of `steps`, begin within K: the last part of K may reach beyond it. */
template <class P, class W, class T> TSR_DEVICE int tsr_hopper_steps_within_(W const &work, T const &task, int steps)
{
    if constexpr (P::splits)
        return min(steps, (work.shape->k - task.k + P::K - 1) / P::K);
    else
        return steps;
}

/** By the second warp of the producer: the scales of the steps to come, 0 behind the end of K. They lie beside the
 *  ring's buffers, in entries that are free when all threads have read them. The scales of several steps are loaded at
 *  once, while the ring is full, because the compiler waits for consecutive loads together. Each thread arrives for its
 *  own writes and reads. */
template <class P, class W> TSR_DEVICE void tsr_hopper_bring_scales_(typename P::memory &s, W work)
{
    typedef tsr_hopper_scales_at_<P> places;
    constexpr int rows = places::rows, together = places::together;
    int const lane = threadIdx.x % 32;
    typename P::stage stage;
    for (int i = blockIdx.x / P::ctas; i < work.count(); i += gridDim.x / P::ctas) {
        auto const task = work.at(i);
        int const steps = work.steps(i), within = tsr_hopper_steps_within_<P>(work, task, steps);
        places at(task, lane);
        work.ask(i + gridDim.x / P::ctas);
#pragma unroll 1
        for (int step = 0; step < steps; step += together) {
            float held[together][rows + 1] = {};
            TSR_UNROLL for (int h = 0; h < together; ++h) if (step + h < within) at.load(held[h]);
            TSR_UNROLL for (int h = 0; h < together; ++h) if (step + h < steps)
            {
                float *const to = s.scale[stage.index];
                tsr_barrier_wait(&s.taken[stage.index], stage.parity ^ 1);
                TSR_UNROLL for (int e = 0; e < rows; ++e) to[lane + 32 * e] = held[h][e];
                if (lane < TSR_HOPPER_SCALES_B)
                    to[P::M + lane] = held[h][rows];
                tsr_barrier_arrive(&s.ring.full[stage.index]);
                stage.next();
            }
        }
    }
}

/** The first of the two rows of a thread that values come from in turns, of a consumer's 64. */
template <class P> TSR_DEVICE int tsr_hopper_line_(void)
{
    constexpr tsr_coords_<2, tsr_values<P::fragment>> value = tsr_value_coords_<P::fragment, 2>();
    static_assert(P::rows == 64 && value.at[0].at[0] == 0 && value.at[1].at[0] == 0 && value.at[2].at[0] == 8
                      && value.at[3].at[0] == 8,
                  "values come in twos of a row, in turns of two rows");
    return tsr_thread_coord_<P::fragment, 2>(threadIdx.x % 128).at[0];
}

/** The products of a block on their way, and the scales of a thread's two rows and of B. */
template <class P> struct tsr_hopper_block_ {
    float sum[P::slice], scale[3];

    /** Sets step `stage` to work, and gives its scales back. */
    TSR_DEVICE_MEMBER void begin(typename P::memory &s, typename P::stage &stage, int row)
    {
        float const *const from = s.scale[stage.index] + row + tsr_hopper_line_<P>();
        tsr_barrier_wait(&s.ring.full[stage.index], stage.parity);
        scale[0] = from[0];
        scale[1] = from[8];
        scale[2] = s.scale[stage.index][P::M];
        tsr_barrier_arrive(&s.taken[stage.index]);
        tsr_wgmma_fence();
        tsr_gemm_wgmma<P::atom, P::rows_a, P::smem_b>(tsr_smem(s.a[stage.index]) + row * P::K,
                                                      tsr_smem(s.b[stage.index]), sum, 0);
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

/** The same of a tile of 256 columns, 128 at a time: the sums leave room for the products of half a step, which are
 *  added up while the other consumer multiplies. The two take turns, so that they do not end at the same time. */
template <class P> TSR_DEVICE void tsr_hopper_multiply_wide_(typename P::memory &s, float (&sum)[P::slice],
                                                             typename P::stage &stage, int steps, int me,
                                                             bool hands_on)
{
    int const row = me * P::rows, line = row + tsr_hopper_line_<P>();
    float part[P::slice / 2], by[2][2];
    TSR_UNROLL for (int i = 0; i < P::slice; ++i) sum[i] = 0;
#pragma unroll 1
    for (int k = 0; k < steps; ++k, stage.next()) {
        tsr_barrier_wait(&s.ring.full[stage.index], stage.parity);
        TSR_UNROLL for (int h = 0; h < 2; ++h)
        {
            tsr_sync_threads(3 + me, 128 * P::consumers);
            tsr_wgmma_fence();
            tsr_gemm_wgmma<P::atom, P::rows_a, P::rows_b>(tsr_smem(s.a[stage.index]) + row * P::K,
                                                          tsr_smem(s.b[stage.index]) + h * P::across * P::K, part, 0);
            tsr_wgmma_commit();
            if (me == 0 || hands_on || k + 1 < steps || h == 0)
                tsr_arrive_threads(3 + (me ^ 1), 128 * P::consumers);
            if (h == 0) {
                float const *const scale = s.scale[stage.index];
                float const a[2] = {scale[line], scale[line + 8]}, b[2] = {scale[P::M], scale[P::M + 1]};
                tsr_barrier_arrive(&s.taken[stage.index]);
                TSR_UNROLL for (int i = 0; i < 4; ++i) by[i / 2][i % 2] = a[i % 2] * b[i / 2];
            }
            tsr_wgmma_wait<0>();
            tsr_wgmma_hold(part);
            if (h == 1)
                tsr_hopper_release_<P>(s, stage.index, threadIdx.x % 128);
            TSR_UNROLL for (int i = 0; i < P::slice / 2; ++i) sum[h * P::slice / 2 + i] += by[h][i / 2 % 2] * part[i];
        }
    }
}

#endif
