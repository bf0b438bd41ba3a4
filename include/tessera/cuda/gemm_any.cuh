/** C = epilogue(A * B^T) for any loops, types and GPUs, without tensor cores.
 *
 *      tsr_gemm_by_loops<TSR_F32, TSR_F32, TSR_F32, TSR_F32, 0, 8, access><<<blocks, 256>>>(product)
 *
 *  A block makes 128x128 elements of C at a time, a thread 8x8 (or 64x64, 4x4). Tiles of A and B go
 *  through registers into one of two buffers of shared memory while the other one is multiplied, 16 bytes at a time
 *  where `access` (exec/gemm_any.h) says that neighbours allow it. Offsets along K wait in shared memory, 256 at a
 *  time, so that a mode of many loops costs little more than one of one.
 *
 *  Law     that of exec/gemm.h, with the sums of cuda/gemm_element.cuh.
 */
#ifndef TSR_CUDA_GEMM_ANY_CUH
#define TSR_CUDA_GEMM_ANY_CUH

#include "tessera/cuda/gemm_element.cuh"
#include "tessera/cuda/gemm_sums.cuh"

/** The offset of what is outside. */
static constexpr int64_t tsr_any_outside_ = TSR_INT_MAX;

/** A tile of an operand on its way, Rows of M or N by Depth of K: a thread has groups of elements, neighbours along the
 *  rows, or along K. Places are addresses, and steps bytes, but for swizzles, which want offsets. */
template <int Type, class S, int Rows, int Depth, bool AlongRows, bool Wide, bool Swizzled> struct tsr_any_tile_ {
    typedef typename tsr_plain_<Type>::type element;
    static constexpr int unit = Swizzled ? 1 : (int)sizeof(element);
    static constexpr int each = Wide ? 16 / (int)sizeof(S) : 1, groups = Rows * Depth / 256 / each;
    static constexpr int line = (AlongRows ? Rows : Depth) / each, step = 256 / line;
    static_assert(256 % line == 0 && groups * each * 256 == Rows * Depth, "all threads have as many elements");
    S at[groups * each];
    int near, far;                         /* of group 0; the next are `step` further */
    int64_t first[AlongRows ? 1 : groups]; /* places of rows */

    /** Rows that are not there are the last one: what comes of them is not stored. */
    TSR_DEVICE_MEMBER void begin(tsr_gemm_any const &g, tsr_gemm_loops const &mode, int operand, int64_t batch,
                                 int64_t from)
    {
        tsr_gemm_base const &base = g.base[operand];
        int64_t const zero = base.begin + tsr_loops_offset_(g.v, operand, batch);
        near = threadIdx.x % line * each;
        far = threadIdx.x / line;
        TSR_UNROLL for (int i = 0; i < (AlongRows ? 1 : groups); ++i)
        {
            int64_t const row = from + (AlongRows ? near : far + step * i), last = mode.size - (AlongRows ? each : 1);
            int64_t const offset = zero + tsr_loops_offset_(mode, operand, min(row, last));
            first[i] = (Swizzled ? 0 : (int64_t)base.address) + offset * unit;
        }
    }
    /** `k` are the steps of the tile along K. Zeros where K ends. */
    TSR_DEVICE_MEMBER void read(tsr_gemm_base const &base, int64_t const *k)
    {
        TSR_UNROLL for (int i = 0; i < groups; ++i)
        {
            int64_t const y = k[AlongRows ? far + step * i : near], x = first[AlongRows ? 0 : i] + y;
            TSR_UNROLL for (int e = 0; e < each; ++e) at[i * each + e] = 0;
            if (y != tsr_any_outside_) {
                element const *from = reinterpret_cast<element const *>(x);
                if constexpr (Swizzled)
                    from = reinterpret_cast<element const *>(base.address)
                           + (int64_t)tsr_swizzle_apply(base.swizzle, (uint64_t)x);
                element now[each];
                tsr_read_<each *(int)sizeof(element)>(from, now);
                TSR_UNROLL for (int e = 0; e < each; ++e) at[i * each + e] = tsr_any_number_<Type, S>(now[e]);
            }
        }
    }
    TSR_DEVICE_MEMBER void write(tsr_sums_tile_<S, Depth, Rows> &to) const
    {
        TSR_UNROLL for (int i = 0; i < groups; ++i)
        {
            if constexpr (AlongRows)
                tsr_write_<each *(int)sizeof(S)>(at + i * each, to.place(far + step * i, near));
            else
                TSR_UNROLL for (int e = 0; e < each; ++e) * to.place(near + e, far + step * i) = at[i * each + e];
        }
    }
};

/** What a block does: which tile, from which row and column on, of which batch; which part of K. */
struct tsr_any_task_ {
    int64_t tile, split, v, m, n;
};
template <int Side, bool Splits> TSR_DEVICE tsr_any_task_ tsr_any_task_of_(tsr_gemm_any const &g, int64_t i)
{
    int64_t const down = (g.m.size + Side - 1) / Side, across = (g.n.size + Side - 1) / Side;
    int64_t const tile = Splits ? i / g.splits : i;
    return {tile, Splits ? i % g.splits : 0, tile / (down * across), tile % down * Side, tile / down % across * Side};
}
template <int Side> TSR_DEVICE int64_t tsr_any_tasks_(tsr_gemm_any const &g)
{
    return (g.m.size + Side - 1) / Side * ((g.n.size + Side - 1) / Side) * g.v.size * g.splits;
}

/** Offsets in C, or in the bias, of the rows of a tile, in its batch, and then of its columns. */
template <int Side>
TSR_DEVICE void tsr_any_places_(tsr_gemm_any const &g, int64_t *to, int operand, tsr_any_task_ const &task)
{
    for (int i = threadIdx.x; i < 2 * Side; i += 256) {
        bool const down = i < Side;
        tsr_gemm_loops const &mode = down ? g.m : g.n;
        int64_t const at = down ? task.m + i : task.n + i - Side;
        to[i] = at >= mode.size
                    ? tsr_any_outside_
                    : tsr_loops_offset_(mode, operand, at) + (down ? tsr_loops_offset_(g.v, operand, task.v) : 0);
    }
}

/** Puts the sums of a part of K beside those of the others; the last block to come finds all of them added up, in
 *  their order, and true. `slot` is the tile's number. */
template <class T, int N> TSR_DEVICE bool tsr_any_join_(tsr_gemm_any const &g, T *sum, int64_t slot, int split)
{
    __shared__ int last;
    T *const parts = reinterpret_cast<T *>(g.partial) + slot * g.splits * N * 256 + threadIdx.x;
    int *const arrived = reinterpret_cast<int *>(g.arrived) + slot;
    TSR_UNROLL for (int i = 0; i < N; ++i) __stcg(parts + (split * N + i) * 256, sum[i]);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(arrived, 1) == g.splits - 1;
        if (last)
            *arrived = 0;
        __threadfence();
    }
    __syncthreads();
    if (!last)
        return false;
    TSR_UNROLL for (int i = 0; i < N; ++i) sum[i] = 0;
#pragma unroll(N <= 16 ? 4 : 1)
    for (int k = 0; k < g.splits; ++k)
        TSR_UNROLL for (int i = 0; i < N; ++i) sum[i] += __ldcg(parts + (k * N + i) * 256);
    return true;
}

/** Blocks of a multiprocessor that registers are kept for, by the bytes of a thread's sums. */
TSR_FN int tsr_any_blocks_of_(int bytes, int access)
{
    int const more = access & (TSR_ANY_SWIZZLED | TSR_ANY_SPLITS);
    return bytes <= 64 ? (more ? 2 : 3) : bytes <= 256 && !more ? 2 : 1;
}
template <int A, int B, int Sums, int Access>
constexpr int tsr_any_blocks_ = tsr_any_blocks_of_(Sums *(int)sizeof(typename tsr_sum_of_<A, B>::sum), Access);

template <int A, int B, int C, int Bias, int Parts, int Each, int Access> __global__ __launch_bounds__(
    256, tsr_any_blocks_<A, B, Each * Each, Access>) void tsr_gemm_by_loops(__grid_constant__ tsr_gemm_any const g)
{
    typedef typename tsr_sum_of_<A, B>::factor S;
    typedef typename tsr_sum_of_<A, B>::sum T;
    typedef typename tsr_sum_of_<A, B>::number R;
    constexpr bool columns =
        !(Access & (TSR_ANY_A_ROWS | TSR_ANY_A_WIDE)) || !(Access & (TSR_ANY_B_ROWS | TSR_ANY_B_WIDE));
    constexpr int side = 16 * Each;
    constexpr int depth = Each == 8 && (columns || sizeof(S) == 8) ? 8 : 16; /* as registers allow */
    constexpr bool swizzled = (Access & TSR_ANY_SWIZZLED) != 0, splits = (Access & TSR_ANY_SPLITS) != 0;
    typedef tsr_any_tile_<A, S, side, depth, (Access & TSR_ANY_A_ROWS) != 0, (Access & TSR_ANY_A_WIDE) != 0, swizzled>
        left;
    typedef tsr_any_tile_<B, S, side, depth, (Access & TSR_ANY_B_ROWS) != 0, (Access & TSR_ANY_B_WIDE) != 0, swizzled>
        right;
    __shared__ alignas(16) tsr_sums_tile_<S, depth, side> a[2];
    __shared__ alignas(16) tsr_sums_tile_<S, depth, side> b[2];
    __shared__ int64_t known[2][2 * TSR_ANY_KNOWN]; /* offsets along K of A and B, in halves; then of the results */
    static_assert(side <= TSR_ANY_KNOWN, "the offsets of a tile have room");
    int const t = threadIdx.x;
    auto const know = [&](int64_t k) {
        int const at = (int)(k % (2 * TSR_ANY_KNOWN)) + t;
        bool const there = k + t < g.k.size;
        known[0][at] = there ? tsr_loops_offset_(g.k, TSR_IN_A, k + t) * left::unit : tsr_any_outside_;
        known[1][at] = there ? tsr_loops_offset_(g.k, TSR_IN_B, k + t) * right::unit : tsr_any_outside_;
    };
    __shared__ int64_t current; /* what is found again behind the loop over K needs no registers inside */
#pragma unroll 1
    for (int64_t i = blockIdx.x; i < tsr_any_tasks_<side>(g); i += gridDim.x) {
        tsr_any_task_ const task = tsr_any_task_of_<side, splits>(g, i);
        int64_t const begin = task.split * g.part, end = splits ? min(begin + g.part, g.k.size) : g.k.size;
        tsr_any_sums_<S, T, depth, Each, (Access & TSR_ANY_TENSOR) != 0> me;
        left x;
        right y;
        me.begin(t);
        x.begin(g, g.m, TSR_IN_A, task.v, task.m);
        y.begin(g, g.n, TSR_IN_B, task.v, task.n);
        know(begin);
        if (t == 0)
            current = i;
        __syncthreads();
        int const at = (int)(begin % (2 * TSR_ANY_KNOWN));
        x.read(g.base[TSR_IN_A], known[0] + at);
        y.read(g.base[TSR_IN_B], known[1] + at);
        int turn = 0;
#pragma unroll 1
        for (int64_t k = begin; k < end; k += depth, turn ^= 1) {
            x.write(a[turn]);
            y.write(b[turn]);
            if (k % TSR_ANY_KNOWN == 0)
                know(k + TSR_ANY_KNOWN);
            __syncthreads();
            int const next = (int)((k + depth) % (2 * TSR_ANY_KNOWN));
            x.read(g.base[TSR_IN_A], known[0] + next); /* behind the last tile nothing is multiplied */
            y.read(g.base[TSR_IN_B], known[1] + next);
            me.multiply(a[turn], b[turn]);
        }
        __syncthreads();
        i = current;
        tsr_any_task_ const done = tsr_any_task_of_<side, splits>(g, i);
        if constexpr (splits)
            if (!tsr_any_join_<T, Each * Each>(g, &me.sum[0][0], done.tile, (int)done.split))
                continue;
        tsr_any_places_<side>(g, known[0], TSR_IN_C, done);
        if constexpr ((Parts & TSR_EPILOGUE_BIASED) != 0)
            tsr_any_places_<side>(g, known[1], TSR_IN_BIAS, done);
        __syncthreads();
#pragma unroll 1
        for (int r = 0; r < Each * Each; r += 8) { /* eight of a row, or two rows of four */
            T mine[8];
            TSR_UNROLL for (int j = 0; j < 8; ++j) TSR_UNROLL for (int l = 0; l < Each * Each; l += 8) mine[j] =
                l == 0 || l == r ? me.sum[(l + j) / Each][(l + j) % Each] : mine[j];
            TSR_UNROLL for (int j = 0; j < 8; ++j)
            {
                int const row = me.row((r + j) / Each), column = side + me.column((r + j) % Each);
                if (known[0][row] == tsr_any_outside_ || known[0][column] == tsr_any_outside_)
                    continue;
                int64_t const at = known[0][row] + known[0][column];
                R z = R(mine[j]);
                z = (Parts & TSR_EPILOGUE_SCALES) ? R(g.alpha) * z : z;
                if constexpr ((Parts & TSR_EPILOGUE_ADDS) != 0)
                    z += R(g.beta) * tsr_any_read_<C, swizzled, R>(g.base[TSR_IN_C], at);
                if constexpr ((Parts & TSR_EPILOGUE_BIASED) != 0)
                    z += tsr_any_read_<Bias, swizzled, R>(g.base[TSR_IN_BIAS], known[1][row] + known[1][column]);
                z = (Parts & TSR_EPILOGUE_RELU) && z < R(0) ? R(0) : z;
                tsr_any_write_<C, swizzled>(g.base[TSR_IN_C], at, z);
            }
        }
        __syncthreads();
    }
}

#endif
