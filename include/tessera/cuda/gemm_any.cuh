/** C = epilogue(A * B^T) for any loops, types and GPUs: simple and correct, without tensor cores.
 *
 *      tsr_gemm_by_loops<TSR_F32, TSR_F32, TSR_F32, TSR_F32, TSR_EPILOGUE_ADDS, 8><<<blocks, 256>>>(product)
 *
 *  A block makes 128x128 elements of C at a time, a thread 8x8 (or 64x64, 4x4), from 64 bytes of K of each row in
 *  shared memory; what is contiguous is read by neighbouring threads, while the elements before are multiplied.
 *
 *  Law     that of exec/gemm.h: sums in float, in double where an operand is, of integers in 64 bits; the epilogue in
 *          the same, of integers in double.
 */
#ifndef TSR_CUDA_GEMM_ANY_CUH
#define TSR_CUDA_GEMM_ANY_CUH

#include "tessera/cuda/gemm_epilogue.cuh"
#include "tessera/exec/gemm_any.h"

/** How far element i of a mode is from its first one. */
TSR_DEVICE int64_t tsr_loops_offset_(tsr_gemm_loops const &x, int operand, int64_t i)
{
    int64_t r = 0;
#pragma unroll 1
    for (int l = 0; l + 1 < x.loops; ++l) {
        r += i % x.count[l] * x.step[operand][l];
        i /= x.count[l];
    }
    return x.loops > 0 ? r + i * x.step[operand][x.loops - 1] : 0;
}

/** What an element of a type is in memory: as tsr_stored, and all integers. */
template <int Type> struct tsr_plain_ {
    typedef tsr_stored<Type> type;
};
/* clang-format off */
#define X(id, name) template <> struct tsr_plain_<id> { typedef name type; };
X(TSR_I8, int8_t) X(TSR_U8, uint8_t) X(TSR_I16, int16_t) X(TSR_U16, uint16_t) X(TSR_U32, uint32_t) X(TSR_F64, double)
#undef X
    /* clang-format on */

    /** What sums of products are kept in, and what the epilogue makes of them: with a double among the operands; of
 *  integers. */
    template <bool Double, bool Whole>
    struct tsr_sum_ {
    typedef float sum, number;
};
template <bool Whole> struct tsr_sum_<true, Whole> {
    typedef double sum, number;
};
template <> struct tsr_sum_<false, true> {
    typedef long long sum;
    typedef double number;
};
static_assert(TSR_I32 / 256 < 2 && TSR_U8 / 256 < 2 && TSR_F16 / 256 == 2, "the codes of integers come first");
template <int A, int B> using tsr_sum_of_ = tsr_sum_<A == TSR_F64 || B == TSR_F64, A / 256 < 2 && B / 256 < 2>;

/** An element, by its offset behind the swizzle. */
template <int Type, class R> TSR_DEVICE R tsr_any_read_(tsr_gemm_base const &base, int64_t offset)
{
    typedef typename tsr_plain_<Type>::type element;
    int64_t const at = (int64_t)tsr_swizzle_apply(base.swizzle, (uint64_t)(base.begin + offset));
    element const x = reinterpret_cast<element const *>(base.address)[at];
    if constexpr (Type == TSR_F8_E4M3FN || Type == TSR_F8_E5M2) {
        uint32_t two;
        if constexpr (Type == TSR_F8_E4M3FN)
            asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(two) : "h"((uint16_t)x));
        else
            asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(two) : "h"((uint16_t)x));
        tsr_f16 half;
        half.bits = (uint16_t)two;
        return R((float)half);
    } else if constexpr (Type == TSR_F16 || Type == TSR_BF16) {
        return R((float)x);
    } else {
        return R(x);
    }
}

template <int Type, class R> TSR_DEVICE void tsr_any_write_(tsr_gemm_base const &base, int64_t offset, R x)
{
    typedef typename tsr_plain_<Type>::type element;
    int64_t const at = (int64_t)tsr_swizzle_apply(base.swizzle, (uint64_t)(base.begin + offset));
    if constexpr (Type == TSR_F16 || Type == TSR_BF16)
        reinterpret_cast<element *>(base.address)[at] = element((float)x);
    else
        reinterpret_cast<element *>(base.address)[at] = (element)x;
}

/** A tile of an operand, 16 * Each of a mode and 64 bytes of K, on its way: elements of a thread, which differ in their
 *  row where neighbours are along K, else in their place along K. */
template <int Type, class S, int Each> struct tsr_any_tile_ {
    static constexpr int rows = 16 * Each, depth = 64 / (int)sizeof(S), count = rows * depth / 256;
    typedef S memory[depth][rows + 16 / (int)sizeof(S)];
    S at[count];
    bool along_k;
    int row, deep, step;  /* of element 0; from one to the next */
    int64_t first[count]; /* offsets of rows; of `outside` there are none */
    static constexpr int64_t outside = TSR_INT_MAX;

    TSR_DEVICE_MEMBER void begin(tsr_gemm_any const &g, tsr_gemm_loops const &mode, int operand, int64_t batch,
                                 int64_t from)
    {
        int const t = threadIdx.x;
        along_k = g.k.loops > 0 && g.k.step[operand][0] == 1;
        row = along_k ? t / depth : t % rows;
        deep = along_k ? t % depth : t / rows;
        step = along_k ? 256 / depth : 256 / rows;
        TSR_UNROLL for (int i = 0; i < count; ++i)
        {
            int64_t const x = from + row + (along_k ? step * i : 0);
            first[i] = x < mode.size ? batch + tsr_loops_offset_(mode, operand, x) : outside;
        }
    }
    /** Zeros where the operand ends. */
    TSR_DEVICE_MEMBER void read(tsr_gemm_any const &g, int operand, int64_t k)
    {
        TSR_UNROLL for (int i = 0; i < count; ++i)
        {
            int64_t const y = k + deep + (along_k ? 0 : step * i);
            at[i] = first[i] != outside && y < g.k.size
                        ? tsr_any_read_<Type, S>(g.base[operand], first[i] + tsr_loops_offset_(g.k, operand, y))
                        : S(0);
        }
    }
    TSR_DEVICE_MEMBER void write(memory &to) const
    {
        TSR_UNROLL for (int i = 0; i < count; ++i)
            to[deep + (along_k ? 0 : step * i)][row + (along_k ? step * i : 0)] = at[i];
    }
};

/** The place of sum i of thread t of 16 in a row or column: fours side by side. */
TSR_DEVICE int tsr_any_place_(int i, int t) { return i / 4 * 64 + t * 4 + i % 4; }

/** sum(i,j) += a(i) * b(j) of a tile in shared memory. */
template <int Each, class S, class M> TSR_DEVICE void tsr_any_multiply_(M const &a, M const &b, S (&sum)[Each][Each])
{
    constexpr int depth = 64 / (int)sizeof(S);
#pragma unroll(sizeof(S) == 4 ? 4 : 1)
    for (int k = 0; k < depth; ++k) {
        S x[Each], y[Each];
        TSR_UNROLL for (int i = 0; i < Each; i += 4)
        {
            TSR_COPY(x + i, &a[k][tsr_any_place_(i, threadIdx.x % 16)], 4 * sizeof(S));
            TSR_COPY(y + i, &b[k][tsr_any_place_(i, threadIdx.x / 16)], 4 * sizeof(S));
        }
        TSR_UNROLL for (int i = 0; i < Each; ++i) TSR_UNROLL for (int j = 0; j < Each; ++j) sum[i][j] += x[i] * y[j];
    }
}

template <int A, int B, int C, int Bias, int Parts, int Each>
__global__ __launch_bounds__(256, Each == 4 ? 2 : 1) void tsr_gemm_by_loops(__grid_constant__ tsr_gemm_any const g)
{
    typedef typename tsr_sum_of_<A, B>::sum S;
    typedef typename tsr_sum_of_<A, B>::number R;
    typedef tsr_any_tile_<A, S, Each> left;
    typedef tsr_any_tile_<B, S, Each> right;
    constexpr int tall = left::rows;
    __shared__ alignas(16) typename left::memory a[2], b[2];
    int64_t const down = (g.m.size + tall - 1) / tall, across = (g.n.size + tall - 1) / tall;
    for (int64_t tile = blockIdx.x; tile < down * across * g.v.size; tile += gridDim.x) {
        int64_t const v = tile / (down * across), m = tile % down * tall, n = tile / down % across * tall;
        S sum[Each][Each] = {};
        left x;
        right y;
        x.begin(g, g.m, TSR_IN_A, tsr_loops_offset_(g.v, TSR_IN_A, v), m);
        y.begin(g, g.n, TSR_IN_B, tsr_loops_offset_(g.v, TSR_IN_B, v), n);
        int turn = 0;
#pragma unroll 1
        for (int64_t k = -left::depth; k < g.k.size; k += left::depth, turn ^= 1) { /* the next step is read */
            if (k >= 0) {
                x.write(a[turn]);
                y.write(b[turn]);
                __syncthreads();
            }
            if (k + left::depth < g.k.size) {
                x.read(g, TSR_IN_A, k + left::depth);
                y.read(g, TSR_IN_B, k + left::depth);
            }
            if (k >= 0)
                tsr_any_multiply_<Each>(a[turn], b[turn], sum);
        }
        __syncthreads();
#pragma unroll 1
        for (int i = 0; i < Each * Each; ++i) {
            int64_t const row = m + tsr_any_place_(i % Each, threadIdx.x % 16),
                          column = n + tsr_any_place_(i / Each, threadIdx.x / 16);
            R x = 0;
            TSR_UNROLL for (int l = 0; l < Each * Each; ++l) x = l == i ? R(sum[l % Each][l / Each]) : x;
            if (row >= g.m.size || column >= g.n.size)
                continue;
            auto const place = [&](int operand) {
                return tsr_loops_offset_(g.v, operand, v) + tsr_loops_offset_(g.m, operand, row)
                       + tsr_loops_offset_(g.n, operand, column);
            };
            x = (Parts & TSR_EPILOGUE_SCALES) ? R(g.alpha) * x : x;
            if constexpr ((Parts & TSR_EPILOGUE_ADDS) != 0)
                x += R(g.beta) * tsr_any_read_<C, R>(g.base[TSR_IN_C], place(TSR_IN_C));
            if constexpr ((Parts & TSR_EPILOGUE_BIASED) != 0)
                x += tsr_any_read_<Bias, R>(g.base[TSR_IN_BIAS], place(TSR_IN_BIAS));
            x = (Parts & TSR_EPILOGUE_RELU) && x < R(0) ? R(0) : x;
            tsr_any_write_<C>(g.base[TSR_IN_C], place(TSR_IN_C), x);
        }
    }
}

#endif
