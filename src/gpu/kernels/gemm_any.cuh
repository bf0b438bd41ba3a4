/** C = epilogue(A * B^T) for any loops, types and GPUs; of two operands of f16, of bf16, or of f64 by tensor cores that
 *  have them.
 *
 *      tsr_gemm_by_loops<TSR_F32, TSR_F32, TSR_F32, TSR_F32, 0, 8, access><<<blocks, 256>>>(product)
 *
 *  A block makes 128x128 elements of C at a time, a thread 8x8. Smaller tiles are 64x64, 4x4 a thread, and 32x32 by
 *  64 threads: many of these run at once, for products of few steps of K are latency. Tiles of A and B go through
 *  registers into one of two buffers of shared memory while the other one is multiplied, 16 bytes at a time where
 *  `access` (gemm_any.h) says that neighbours allow it. Offsets along K wait in shared memory, 256 at a time, so that a
 *  mode of many loops costs little more than one of one.
 *
 *  Law     that of exec/gemm.h, with the sums of gemm_element.cuh.
 */
#ifndef TSR_SRC_GPU_KERNELS_GEMM_ANY_CUH
#define TSR_SRC_GPU_KERNELS_GEMM_ANY_CUH

#include "gpu/kernels/gemm_halves.cuh"

/** A tile of an operand on its way, Rows of M or N by Depth of K: a thread has groups of elements, neighbours along the
 *  rows, or along K. Places are addresses, and steps bytes, but for swizzles, which want offsets. */
template <int Type, class S, int Threads, int Rows, int Depth, bool AlongRows, bool Wide, bool Swizzled>
struct tsr_any_tile_ {
    typedef typename tsr_plain_<Type>::type element;
    typedef tsr_sums_tile_<S, Depth, Rows, 8> tile;
    static constexpr int unit = Swizzled ? 1 : (int)sizeof(element);
    static constexpr int each = Wide ? 16 / (int)sizeof(S) : 1, groups = Rows * Depth / Threads / each;
    static constexpr int line = (AlongRows ? Rows : Depth) / each, step = Threads / line;
    static_assert(Threads % line == 0 && groups * each * Threads == Rows * Depth,
                  "all threads have as many elements");
    S at[groups * each];
    int near, far;                         /* of group 0; the next are `step` further */
    int64_t first[AlongRows ? 1 : groups]; /* places of rows */

    /** `rows` are the places of the tile's rows. */
    TSR_DEVICE_MEMBER void begin(tsr_gemm_any const &g, tsr_gemm_loops const &mode, int operand, int64_t from,
                                 int64_t const *rows, int64_t)
    {
        int const last = (int)min(mode.size - from, (int64_t)Rows) - (AlongRows ? each : 1);
        near = threadIdx.x % line * each;
        far = threadIdx.x / line;
        TSR_UNROLL for (int i = 0; i < (AlongRows ? 1 : groups); ++i) first[i] =
            (Swizzled ? 0 : (int64_t)g.base[operand].address) + rows[min(AlongRows ? near : far + step * i, last)];
    }
    /** `k` holds the tile's offsets along K, and `left` of them exist. Reads zeros behind the end of K. */
    TSR_DEVICE_MEMBER void read(tsr_gemm_base const &base, int64_t const *k, int left)
    {
        TSR_UNROLL for (int i = 0; i < groups; ++i)
        {
            int const along = AlongRows ? far + step * i : near;
            int64_t const x = first[AlongRows ? 0 : i] + k[along];
            TSR_UNROLL for (int e = 0; e < each; ++e) at[i * each + e] = 0;
            if (along < left) {
                element const *from = reinterpret_cast<element const *>(x);
                if constexpr (Swizzled)
                    from = reinterpret_cast<element const *>(base.address)
                           + (int64_t)tsr_swizzle_apply(base.swizzle, (uint64_t)x);
                element now[each];
                tsr_read<each *(int)sizeof(element)>(from, now);
                TSR_UNROLL for (int e = 0; e < each; ++e) at[i * each + e] = tsr_any_number_<Type, S>(now[e]);
            }
        }
    }
    TSR_DEVICE_MEMBER void write(tile &to) const
    {
        TSR_UNROLL for (int i = 0; i < groups; ++i)
        {
            if constexpr (AlongRows)
                tsr_write<each *(int)sizeof(S)>(at + i * each, to.place(far + step * i, near));
            else
                TSR_UNROLL for (int e = 0; e < each; ++e) * to.place(near + e, far + step * i) = at[i * each + e];
        }
    }
};

/** Who brings an operand, and who adds up. */
template <class P, int Type, int Access, int Bytes> struct tsr_any_mover_ {
    typedef tsr_any_tile_<Type, typename P::factor, P::form.threads, P::side, P::form.depth,
                          (Access & TSR_ANY_A_ROWS) != 0, (Access & TSR_ANY_A_WIDE) != 0, P::swizzled>
        type;
};
template <class P, int Type, int Access> struct tsr_any_mover_<P, Type, Access, 2> {
    typedef tsr_any_halves_<P::form.threads, P::side, P::form.depth, (Access & TSR_ANY_A_ROWS) != 0,
                            (Access & TSR_ANY_A_WIDE) != 0, P::swizzled>
        type;
};
template <class P, int Type, bool Tensor> struct tsr_any_sums_ {
    static constexpr int each = P::side == 32 ? 4 : P::side / 16;
    typedef tsr_sums_fma_<typename P::factor, typename P::sum, P::side, P::form.depth, each, each, 1> type;
};
template <class P, int Type> struct tsr_any_sums_<P, Type, true> {
    static constexpr int rows = Type == TSR_F64 && P::side > 64 ? 8 : 4,
                         columns = Type != TSR_F64 && P::side > 32 ? 8 : rows;
    typedef tsr_sums_mma_<Type, P::side, P::form.depth, rows, columns, 1> type;
};

template <int A, int B, int C, int Bias, int Parts, int Each, int Access>
__global__ __launch_bounds__(tsr_any_copy_plan_<A, B, C, Bias, Parts, Each, Access>::form.threads,
                             tsr_any_copy_plan_<A, B, C, Bias, Parts, Each, Access>::form
                                 .blocks) void tsr_gemm_by_loops(__grid_constant__ tsr_gemm_any const g)
{
    typedef tsr_any_copy_plan_<A, B, C, Bias, Parts, Each, Access> P;
    constexpr int depth = P::form.depth, bytes = (int)sizeof(typename P::factor);
    typedef typename tsr_any_mover_<P, A, Access, bytes>::type left;
    typedef typename tsr_any_mover_<P, B, Access / TSR_ANY_B_ROWS, bytes>::type right;
    typedef typename tsr_any_sums_<P, bytes == 8 ? TSR_F64 : A, P::tensor>::type sums;
    auto &s = *tsr_dynamic_smem<tsr_any_memory_<P, typename left::tile, typename right::tile>>();
    auto const left_of = [&](typename P::index k) { return (int)min(g.k.size - (int64_t)k, (int64_t)depth); };
    tsr_any_run_<P, left, right, sums, TSR_ANY_KNOWN>(
        g, s, [&](tsr_any_task_<typename P::index> const &task, sums &me, left &x, right &y) {
            x.read(g.base[TSR_IN_A], s.known.from(0, task.begin), left_of(task.begin));
            y.read(g.base[TSR_IN_B], s.known.from(1, task.begin), left_of(task.begin));
            int turn = 0;
#pragma unroll 1
            for (typename P::index k = task.begin; k < task.end; k += depth, turn ^= 1) {
                x.write(s.a[turn]); /* behind the last tile nothing is multiplied */
                x.read(g.base[TSR_IN_A], s.known.from(0, k + depth), left_of(k + depth));
                y.write(s.b[turn]);
                y.read(g.base[TSR_IN_B], s.known.from(1, k + depth), left_of(k + depth));
                if (k % TSR_ANY_KNOWN == 0)
                    s.known.template find<P, TSR_ANY_KNOWN>(g.k, k + TSR_ANY_KNOWN, left::unit, right::unit);
                __syncthreads();
                TSR_UNROLL for (int at = 0; at < depth; at += sums::step)
                {
                    typename sums::fragment f;
                    me.read(f, s.a[turn], s.b[turn], at);
                    me.add(f);
                }
            }
        });
}

#endif
