/** C = epilogue(A * B^T) for any loops, types and GPUs, without tensor cores.
 *
 *      tsr_gemm_by_loops<TSR_F32, TSR_F32, TSR_F32, TSR_F32, 0, 8, 16, access><<<blocks, 256>>>(product)
 *
 *  A block makes 16*Down x 16*Across elements of C at a time, a thread Down x Across of them. Tiles of A and B go
 *  through registers into one of two buffers of shared memory while the other one is multiplied, 16 bytes at a time
 *  where `access` (exec/gemm_any.h) says that neighbours allow it. Offsets along K wait in shared memory, 256 at a
 *  time, so that a mode of many loops costs little more than one of one.
 *
 *  Law     that of exec/gemm.h, with the sums of cuda/gemm_element.cuh.
 */
#ifndef TSR_CUDA_GEMM_ANY_CUH
#define TSR_CUDA_GEMM_ANY_CUH

#include "tessera/cuda/gemm_element.cuh"

/** The offset of what is outside. */
static constexpr int64_t tsr_any_outside_ = TSR_INT_MAX;

TSR_DEVICE int64_t tsr_any_offset_(tsr_gemm_loops const &x, int operand, int64_t i)
{
    return i < x.size ? tsr_loops_offset_(x, operand, i) : tsr_any_outside_;
}

/** A tile of an operand on its way, Rows of M or N by Depth of K: a thread has groups of elements, neighbours along the
 *  rows, or along K. */
template <int Type, class S, int Rows, int Depth, bool AlongRows, bool Wide, bool Swizzled> struct tsr_any_tile_ {
    static constexpr int each = Wide ? 16 / (int)sizeof(S) : 1, groups = Rows * Depth / 256 / each;
    static constexpr int line = (AlongRows ? Rows : Depth) / each, step = 256 / line;
    static_assert(256 % line == 0 && groups * each * 256 == Rows * Depth, "all threads have as many elements");
    typedef S memory[Depth][Rows + 16 / (int)sizeof(S)]; /* those who write along K meet different banks */
    S at[groups * each];
    int near, far;                         /* of group 0; the next are `step` further */
    int64_t first[AlongRows ? 1 : groups]; /* offsets of rows */

    TSR_DEVICE_MEMBER void begin(tsr_gemm_loops const &mode, int operand, int64_t batch, int64_t from)
    {
        near = threadIdx.x % line * each;
        far = threadIdx.x / line;
        TSR_UNROLL for (int i = 0; i < (AlongRows ? 1 : groups); ++i)
        {
            int64_t const x = tsr_any_offset_(mode, operand, from + (AlongRows ? near : far + step * i));
            first[i] = x == tsr_any_outside_ ? x : batch + x;
        }
    }
    /** Zeros where the operand ends. `k` are the offsets of the tile along K. */
    TSR_DEVICE_MEMBER void read(tsr_gemm_base const &base, int64_t const *k)
    {
        TSR_UNROLL for (int i = 0; i < groups; ++i)
        {
            int64_t const x = first[AlongRows ? 0 : i], y = k[AlongRows ? far + step * i : near];
            TSR_UNROLL for (int e = 0; e < each; ++e) at[i * each + e] = 0;
            if (x != tsr_any_outside_ && y != tsr_any_outside_)
                tsr_any_read_<Type, Swizzled, each>(base, x + y, at + i * each);
        }
    }
    TSR_DEVICE_MEMBER void write(memory &to) const
    {
        TSR_UNROLL for (int i = 0; i < groups; ++i)
        {
            if constexpr (AlongRows)
                tsr_write_<each *(int)sizeof(S)>(at + i * each, &to[far + step * i][near]);
            else
                TSR_UNROLL for (int e = 0; e < each; ++e) to[near + e][far + step * i] = at[i * each + e];
        }
    }
};

/** The place of sum i of thread t of 16 in a row or column: 16 bytes side by side. */
template <class S> TSR_DEVICE int tsr_any_place_(int i, int t)
{
    constexpr int each = 16 / (int)sizeof(S);
    return i / each * 16 * each + t * each + i % each;
}

/** Which of 16 by 16 a thread is: a warp 8 by 4 of them, such that of any two lanes side by side, and of any two that
 *  are two apart, one operand is the same, which lets quarters of a warp read shared memory together. */
struct tsr_any_thread_ {
    int down, across;
};
TSR_DEVICE tsr_any_thread_ tsr_any_thread(int t)
{
    int const warp = t / 32, lane = t % 32;
    return {warp % 2 * 8 + lane / 2 % 8, warp / 2 * 4 + lane % 2 + lane / 16 * 2};
}

/** sum(i,j) += a(i) * b(j) of a tile in shared memory. */
template <class S, int Depth, class M, class N, class T, int Down, int Across>
TSR_DEVICE void tsr_any_multiply_(M const &a, N const &b, tsr_any_thread_ me, T (&sum)[Down][Across])
{
    constexpr int each = 16 / (int)sizeof(S);
    TSR_UNROLL for (int k = 0; k < Depth; ++k)
    {
        S x[Down], y[Across];
        TSR_UNROLL for (int i = 0; i < Down; i += each) tsr_read_<16>(&a[k][tsr_any_place_<S>(i, me.down)], x + i);
        TSR_UNROLL for (int j = 0; j < Across; j += each)
            tsr_read_<16>(&b[k][tsr_any_place_<S>(j, me.across)], y + j);
        TSR_UNROLL for (int j = 0; j < Across; ++j) TSR_UNROLL for (int i = 0; i < Down; ++i)
        {
            int const at = j % 2 ? Down - 1 - i : i; /* back and forth, so that one operand stays */
            sum[at][j] += (T)x[at] * y[j];
        }
    }
}

/** Offsets in C, and in the bias, of the rows and then the columns of a tile. */
TSR_DEVICE void tsr_any_places_(tsr_gemm_any const &g, int64_t *to, int operand, int64_t m, int64_t n, int tall,
                                int wide)
{
    for (int i = threadIdx.x; i < tall + wide; i += 256)
        to[i] = i < tall ? tsr_any_offset_(g.m, operand, m + i) : tsr_any_offset_(g.n, operand, n + i - tall);
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
TSR_FN int tsr_any_blocks_(int bytes) { return bytes <= 64 ? 3 : bytes <= 256 ? 2 : 1; }

template <int A, int B, int C, int Bias, int Parts, int Down, int Across, int Access> __global__ __launch_bounds__(
    256, tsr_any_blocks_(Down *Across *(int)sizeof(
             typename tsr_sum_of_<A, B>::sum))) void tsr_gemm_by_loops(__grid_constant__ tsr_gemm_any const g)
{
    typedef typename tsr_sum_of_<A, B>::factor S;
    typedef typename tsr_sum_of_<A, B>::sum T;
    typedef typename tsr_sum_of_<A, B>::number R;
    constexpr int depth = Down * Across <= 16 ? 16 : 8, tall = 16 * Down, wide = 16 * Across;
    constexpr bool swizzled = (Access & TSR_ANY_SWIZZLED) != 0, splits = (Access & TSR_ANY_SPLITS) != 0;
    typedef tsr_any_tile_<A, S, tall, depth, (Access & TSR_ANY_A_ROWS) != 0, (Access & TSR_ANY_A_WIDE) != 0, swizzled>
        left;
    typedef tsr_any_tile_<B, S, wide, depth, (Access & TSR_ANY_B_ROWS) != 0, (Access & TSR_ANY_B_WIDE) != 0, swizzled>
        right;
    __shared__ alignas(16) typename left::memory a[2];
    __shared__ alignas(16) typename right::memory b[2];
    __shared__ int64_t known[2][2 * TSR_ANY_KNOWN]; /* offsets along K of A and B, in halves; then of the results */
    static_assert(tall + wide <= 2 * TSR_ANY_KNOWN, "the offsets of a tile have room");
    int const t = threadIdx.x;
    tsr_any_thread_ const me = tsr_any_thread(t);
    int64_t const down = (g.m.size + tall - 1) / tall, across = (g.n.size + wide - 1) / wide;
    auto const know = [&](int64_t k) {
        int const at = (int)(k % (2 * TSR_ANY_KNOWN)) + t;
        known[0][at] = tsr_any_offset_(g.k, TSR_IN_A, k + t);
        known[1][at] = tsr_any_offset_(g.k, TSR_IN_B, k + t);
    };
#pragma unroll 1
    for (int64_t i = blockIdx.x; i < down * across * g.v.size * (splits ? g.splits : 1); i += gridDim.x) {
        int64_t const tile = splits ? i / g.splits : i, split = splits ? i % g.splits : 0;
        int64_t const begin = split * g.part, end = splits ? min(begin + g.part, g.k.size) : g.k.size;
        int64_t const v = tile / (down * across), m = tile % down * tall, n = tile / down % across * wide;
        T sum[Down][Across] = {};
        left x;
        right y;
        x.begin(g.m, TSR_IN_A, tsr_loops_offset_(g.v, TSR_IN_A, v), m);
        y.begin(g.n, TSR_IN_B, tsr_loops_offset_(g.v, TSR_IN_B, v), n);
        know(begin);
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
            x.read(g.base[TSR_IN_A], known[0] + next); /* behind the end nothing is read */
            y.read(g.base[TSR_IN_B], known[1] + next);
            tsr_any_multiply_<S, depth>(a[turn], b[turn], me, sum);
        }
        __syncthreads();
        if constexpr (splits)
            if (!tsr_any_join_<T, Down * Across>(g, &sum[0][0], tile, (int)split))
                continue;
        tsr_any_places_(g, known[0], TSR_IN_C, m, n, tall, wide);
        if constexpr ((Parts & TSR_EPILOGUE_BIASED) != 0)
            tsr_any_places_(g, known[1], TSR_IN_BIAS, m, n, tall, wide);
        __syncthreads();
        int64_t const first = tsr_loops_offset_(g.v, TSR_IN_C, v),
                      first_bias = tsr_loops_offset_(g.v, TSR_IN_BIAS, v);
#pragma unroll 1
        for (int i = 0; i < Down; ++i) {
            int const row = tsr_any_place_<S>(i, me.down);
            T mine[Across];
            TSR_UNROLL for (int j = 0; j < Across; ++j) TSR_UNROLL for (int l = 0; l < Down; ++l) mine[j] =
                l == 0 || l == i ? sum[l][j] : mine[j];
            if (known[0][row] == tsr_any_outside_)
                continue;
            TSR_UNROLL for (int j = 0; j < Across; ++j)
            {
                int const column = tall + tsr_any_place_<S>(j, me.across);
                if (known[0][column] == tsr_any_outside_)
                    continue;
                int64_t const at = first + known[0][row] + known[0][column];
                R z = R(mine[j]);
                z = (Parts & TSR_EPILOGUE_SCALES) ? R(g.alpha) * z : z;
                if constexpr ((Parts & TSR_EPILOGUE_ADDS) != 0)
                    z += R(g.beta) * tsr_any_read_<C, swizzled, R>(g.base[TSR_IN_C], at);
                if constexpr ((Parts & TSR_EPILOGUE_BIASED) != 0)
                    z += tsr_any_read_<Bias, swizzled, R>(g.base[TSR_IN_BIAS],
                                                          first_bias + known[1][row] + known[1][column]);
                z = (Parts & TSR_EPILOGUE_RELU) && z < R(0) ? R(0) : z;
                tsr_any_write_<C, swizzled>(g.base[TSR_IN_C], at, z);
            }
        }
        __syncthreads();
    }
}

#endif
