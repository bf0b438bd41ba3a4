/** C = epilogue(A * B^T) of f32 or f64 by loops, whose tiles the copy unit brings while others are multiplied.
 *
 *      tsr_gemm_by_copies<TSR_F32, TSR_F32, TSR_F32, TSR_F32, 0, 8, access>
 *          <<<blocks, form.threads, form.bytes>>>(product)
 *
 *  For layouts without swizzles whose rows of a tile are within 4 GB (gpu/gemm.h). Tiles lie along M and N in shared
 *  memory: what has its neighbours along K is copied element by element, to where it belongs, by lanes that are
 *  neighbours along K. A thread has 8x16 sums, of f64 a warp 64x32 by tensor cores; the next fragment is read while one
 *  is multiplied. Tiles of 64x64 are multiplied in slices of K by several warps, whose sums are added at the end.
 *
 *  Law     that of gemm_any.cuh.
 */
#ifndef TSR_SRC_GPU_KERNELS_GEMM_ASYNC_CUH
#define TSR_SRC_GPU_KERNELS_GEMM_ASYNC_CUH

#include "gpu/kernels/gemm_sums.cuh"
#include "gpu/kernels/gemm_task.cuh"

/** Where copies go. */
template <class S, int Rows, int Depth, bool ByRow> struct tsr_any_copied_ {
    typedef tsr_sums_tile_<S, Depth, Rows, 0> type;
};
template <int Rows, int Depth> struct tsr_any_copied_<double, Rows, Depth, true> {
    typedef tsr_sums_rows_<Depth, Rows> type;
};

/** Copies of tiles of an operand, Rows of M or N by Depth of K: by threads that are neighbours along the rows, or,
 *  eight by eight, along K; `each` elements at a time. Doubles that lie in twos along K stay so. Straight, along K in
 *  one loop, the place along K is part of the address, which goes on. */
template <class S, int Threads, int Rows, int Depth, bool AlongRows, bool Wide, bool Straight>
struct tsr_any_copier_ {
    static constexpr bool by_row = !AlongRows && Wide && sizeof(S) == 8;
    static constexpr int unit = sizeof(S), each = by_row || (AlongRows && Wide) ? 16 / unit : 1;
    static constexpr int line = AlongRows ? Rows / each : 8, step = Threads / line;
    static constexpr int rows = AlongRows ? 1 : Rows / step, count = Rows * Depth / each / Threads;
    static constexpr int further = AlongRows ? step : line * each; /* along K, when all rows are copied */
    static_assert(count * each * Threads == Rows * Depth, "all threads have as many elements");
    static_assert(!(Straight && AlongRows), "along K");
    typedef typename tsr_any_copied_<S, Rows, Depth, by_row>::type tile;
    char const *first;
    int64_t on;         /* bytes that are further */
    uint32_t row[rows]; /* how much further the thread's rows are */
    int near, far;      /* its first row; its first element along K */

    /** `places` are those of the tile's rows, which begins at k. */
    TSR_DEVICE_MEMBER void begin(tsr_gemm_any const &g, tsr_gemm_loops const &mode, int operand, int64_t from,
                                 int64_t const *places, uint32_t k)
    {
        int const last = (int)min(mode.size - from, (int64_t)Rows) - (AlongRows ? each : 1);
        int64_t const anchor = places[mode.loops > 1 ? Rows : 0], pitch = g.k.step[operand][0] * unit;
        near = AlongRows ? threadIdx.x % line * each : threadIdx.x / line;
        far = AlongRows ? threadIdx.x / line : threadIdx.x % line * each;
        TSR_UNROLL for (int i = 0; i < rows; ++i) row[i] = (uint32_t)(places[min(near + step * i, last)] - anchor);
        first = reinterpret_cast<char const *>(g.base[operand].address) + anchor + (Straight ? (k + far) * pitch : 0);
        on = further * pitch;
        asm("" : "+l"(first)); /* one number, and not a sum that is made again for each element */
    }
    /** Loads part `part` of `parts` of a tile. `k` holds its offsets along K, and `left` of them exist. Reads zeros
     *  behind the end of K. */
    TSR_DEVICE_MEMBER void copy(tile &to, int64_t const *k, int left, int part, int parts)
    {
        int64_t y = 0;
        bool there = false;
        TSR_UNROLL for (int i = 0; i < count; ++i) if (i * parts / count == part)
        {
            int const down = i % rows, along = far + i / rows * further;
            if (down == 0 || i * parts % count < parts) {
                y = Straight ? 0 : k[along];
                there = along < left;
            }
            tsr_cp_async_or_zero<each * unit>(to.place(along, near + step * down), first + y + row[down], there);
            if (Straight && down == rows - 1) {
                first += on;
                asm("" : "+l"(first));
            }
        }
    }
};

/** Who adds up. */
template <class P, bool Tensor> struct tsr_any_ring_sums_ {
    typedef tsr_sums_fma_<float, float, P::side, P::form.depth, 8, 16, P::form.slices> type;
};
template <class P> struct tsr_any_ring_sums_<P, true> {
    typedef tsr_sums_mma_<TSR_F64, P::side, P::form.depth, 8, 8, P::form.slices> type;
};

template <int A, int B, int C, int Bias, int Parts, int Each, int Access>
__global__ __launch_bounds__(tsr_any_copy_plan_<A, B, C, Bias, Parts, Each, Access>::form.threads,
                             tsr_any_copy_plan_<A, B, C, Bias, Parts, Each, Access>::form
                                 .blocks) void tsr_gemm_by_copies(__grid_constant__ tsr_gemm_any const g)
{
    typedef tsr_any_copy_plan_<A, B, C, Bias, Parts, Each, Access> P;
    typedef typename P::factor S;
    typedef typename tsr_any_ring_sums_<P, sizeof(S) == 8>::type sums;
    constexpr tsr_any_form form = P::form;
    constexpr int steps = form.depth / form.slices / sums::step; /* of a tile */
    constexpr int parts = steps > 4 ? 2 : 1;                     /* of the copies */
    constexpr bool straight = (Access & TSR_ANY_STRAIGHT) != 0;
    static_assert(steps % 2 == 0 && 2 * parts < steps && sums::threads == form.threads, "fragments come in twos");
    typedef tsr_any_copier_<S, form.threads, P::side, form.depth, (Access & TSR_ANY_A_ROWS) != 0,
                            (Access & TSR_ANY_A_WIDE) != 0, straight>
        left;
    typedef tsr_any_copier_<S, form.threads, P::side, form.depth, (Access & TSR_ANY_B_ROWS) != 0,
                            (Access & TSR_ANY_B_WIDE) != 0, straight>
        right;
    auto &s = *tsr_dynamic_smem<tsr_any_memory_<P, typename left::tile, typename right::tile>>();
    tsr_any_run_<P, left, right, sums, straight ? 0 : 2 * TSR_ANY_KNOWN>(
        g, s, [&](tsr_any_task_<typename P::index> const &task, sums &me, left &x, right &y) {
            TSR_UNROLL for (int l = 0; l < form.stages - 1; ++l)
            {
                uint32_t const k = task.begin + l * form.depth;
                x.copy(s.a[l], s.known.from(0, k), (int)((uint32_t)g.k.size - k), 0, 1);
                y.copy(s.b[l], s.known.from(1, k), (int)((uint32_t)g.k.size - k), 0, 1);
                tsr_cp_async_commit();
            }
            tsr_cp_async_wait<form.stages - 2>();
            __syncthreads();
            typename sums::fragment f[2];
            me.read(f[0], s.a[0], s.b[0], 0);
            int stage = 0, ahead = form.stages - 1;
#pragma unroll 1
            for (uint32_t k = task.begin; k < task.end; k += form.depth) {
                uint32_t const next = k + (form.stages - 1) * form.depth;
                int const left_of = (int)((uint32_t)g.k.size - next);
                if (!straight && next % TSR_ANY_KNOWN == 0)
                    s.known.template find<P, TSR_ANY_KNOWN>(g.k, next + TSR_ANY_KNOWN, sizeof(S), sizeof(S));
                TSR_UNROLL for (int at = 0; at < steps; ++at)
                {
                    if (at + 1 == steps) { /* the next tile is there, for all */
                        tsr_cp_async_wait<form.stages - 2>();
                        __syncthreads();
                        ahead = stage;
                        stage = stage + 1 == form.stages ? 0 : stage + 1;
                    }
                    me.read(f[(at + 1) % 2], s.a[stage], s.b[stage], (at + 1) % steps * sums::step);
                    if (at < parts)
                        x.copy(s.a[ahead], s.known.from(0, next), left_of, at, parts);
                    else if (at < 2 * parts)
                        y.copy(s.b[ahead], s.known.from(1, next), left_of, at - parts, parts);
                    if (at == 2 * parts - 1)
                        tsr_cp_async_commit();
                    me.add(f[at % 2]);
                }
            }
            tsr_cp_async_wait<0>();
        });
}

#endif
