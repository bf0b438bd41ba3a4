/** C = epilogue(A * B^T) for any loops, types and GPUs: simple and correct, without tensor cores.
 *
 *      tsr_gemm_by_loops<TSR_F32, TSR_F32, TSR_F32, TSR_F32, TSR_EPILOGUE_ADDS><<<blocks, 256>>>(product)
 *
 *  A block makes 64x64 elements of C at a time, a thread 4x4, from 16 elements of K in shared memory; what is
 *  contiguous is read by neighbouring threads.
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
template <bool Double, bool Whole> struct tsr_sum_ {
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

enum { TSR_ANY_TILE = 64, TSR_ANY_STEP = 16 };

/** Brings a tile (64 of a mode from `first` on, 16 of K) of an operand to shared memory, zeros where it ends. */
template <int Type, class S> TSR_DEVICE void tsr_any_load_(S (*to)[TSR_ANY_TILE + 1], tsr_gemm_any const &g,
                                                           tsr_gemm_loops const &mode, int operand, int64_t batch,
                                                           int64_t first, int64_t k)
{
    bool const along_k = g.k.loops > 0 && g.k.step[operand][0] == 1;
    int const t = threadIdx.x;
    for (int i = 0; i < 4; ++i) {
        int const row = along_k ? t / 16 + 16 * i : t % 64, deep = along_k ? t % 16 : t / 64 + 4 * i;
        bool const inside = first + row < mode.size && k + deep < g.k.size;
        to[deep][row] =
            inside ? tsr_any_read_<Type, S>(g.base[operand], batch + tsr_loops_offset_(mode, operand, first + row)
                                                                 + tsr_loops_offset_(g.k, operand, k + deep))
                   : S(0);
    }
}

template <int A, int B, int C, int Bias, int Parts>
__global__ __launch_bounds__(256, 2) void tsr_gemm_by_loops(__grid_constant__ tsr_gemm_any const g)
{
    typedef typename tsr_sum_of_<A, B>::sum S;
    typedef typename tsr_sum_of_<A, B>::number R;
    __shared__ S a[TSR_ANY_STEP][TSR_ANY_TILE + 1], b[TSR_ANY_STEP][TSR_ANY_TILE + 1];
    int64_t const down = (g.m.size + TSR_ANY_TILE - 1) / TSR_ANY_TILE,
                  across = (g.n.size + TSR_ANY_TILE - 1) / TSR_ANY_TILE;
    int const t = threadIdx.x;
    for (int64_t tile = blockIdx.x; tile < down * across * g.v.size; tile += gridDim.x) {
        int64_t const v = tile / (down * across), m = tile % down * TSR_ANY_TILE,
                      n = tile / down % across * TSR_ANY_TILE;
        S sum[4][4] = {};
        for (int64_t k = 0; k < g.k.size; k += TSR_ANY_STEP) {
            tsr_any_load_<A>(a, g, g.m, TSR_IN_A, tsr_loops_offset_(g.v, TSR_IN_A, v), m, k);
            tsr_any_load_<B>(b, g, g.n, TSR_IN_B, tsr_loops_offset_(g.v, TSR_IN_B, v), n, k);
            __syncthreads();
            for (int x = 0; x < TSR_ANY_STEP; ++x)
                TSR_UNROLL for (int i = 0; i < 4; ++i) TSR_UNROLL for (int j = 0; j < 4; ++j) sum[i][j] +=
                    a[x][t % 16 + 16 * i] * b[x][t / 16 + 16 * j];
            __syncthreads();
        }
        for (int i = 0; i < 16; ++i) {
            int64_t const row = m + t % 16 + 16 * (i % 4), column = n + t / 16 + 16 * (i / 4);
            if (row >= g.m.size || column >= g.n.size)
                continue;
            auto const place = [&](int operand) {
                return tsr_loops_offset_(g.v, operand, v) + tsr_loops_offset_(g.m, operand, row)
                       + tsr_loops_offset_(g.n, operand, column);
            };
            R x = 0;
            TSR_UNROLL for (int l = 0; l < 16; ++l) x = l == i ? R(sum[l % 4][l / 4]) : x;
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
