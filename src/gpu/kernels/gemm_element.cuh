/** Elements of any type as numbers of a product's sums.
 *
 *  Law     sums in float, in double where an operand is, of integers in 64 bits; the epilogue in the same, of integers
 *          in double.
 */
#ifndef TSR_SRC_GPU_KERNELS_GEMM_ELEMENT_CUH
#define TSR_SRC_GPU_KERNELS_GEMM_ELEMENT_CUH

#include "tessera/cuda/copy.cuh"
#include "tessera/cuda/gemm_epilogue.cuh"
#include "gpu/kernels/gemm_any.h"

/** Adds to r how far element i of a mode is from its first one in `Count` operands; I counts the elements. */
template <int Count, class I>
TSR_DEVICE void tsr_loops_offsets_(tsr_gemm_loops const &x, int const (&operand)[Count], I i, int64_t (&r)[Count])
{
#pragma unroll 1
    for (int l = 0; l < x.loops; ++l) {
        I const here = l + 1 < x.loops ? i % (I)x.count[l] : i;
        TSR_UNROLL for (int o = 0; o < Count; ++o) r[o] += (int64_t)here * x.step[operand[o]][l];
        if (l + 1 < x.loops)
            i /= (I)x.count[l];
    }
}

/** What an element of a type is in memory: as tsr_stored, of 8 bits with its sign, of 64. */
template <int Type> struct tsr_plain_ {
    typedef tsr_stored<Type> type;
};
template <> struct tsr_plain_<TSR_I8> {
    typedef int8_t type;
};
template <> struct tsr_plain_<TSR_F64> {
    typedef double type;
};

/** What is multiplied, what sums of products are kept in, and what the epilogue makes of them: with a double among the
 *  operands; of integers. */
template <bool Double, bool Whole> struct tsr_sum_ {
    typedef float factor, sum, number;
};
template <bool Whole> struct tsr_sum_<true, Whole> {
    typedef double factor, sum, number;
};
template <> struct tsr_sum_<false, true> {
    typedef int32_t factor;
    typedef long long sum;
    typedef double number;
};
static_assert(TSR_I32 / 256 < 2 && TSR_U8 / 256 < 2 && TSR_F16 / 256 == 2, "the codes of integers come first");
template <int A, int B> using tsr_sum_of_ = tsr_sum_<A == TSR_F64 || B == TSR_F64, A / 256 < 2 && B / 256 < 2>;

/** What is multiplied: elements as they are by tensor cores that have their type, else numbers for the sums. */
template <int A, int B, bool Tensor> struct tsr_factor_ {
    typedef typename tsr_sum_of_<A, B>::factor type;
};
template <int A> struct tsr_factor_<A, A, true> {
    typedef typename tsr_plain_<A>::type type;
};

/** An element as a number. */
template <int Type, class R> TSR_DEVICE R tsr_any_number_(typename tsr_plain_<Type>::type x)
{
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

/** Where an element is, by its offset; behind the swizzle with `Swizzled`. */
template <int Type, bool Swizzled>
TSR_DEVICE typename tsr_plain_<Type>::type *tsr_any_at_(tsr_gemm_base const &base, int64_t offset)
{
    typedef typename tsr_plain_<Type>::type element;
    int64_t const at = base.begin + offset;
    return reinterpret_cast<element *>(base.address)
           + (Swizzled ? (int64_t)tsr_swizzle_apply(base.swizzle, (uint64_t)at) : at);
}

template <int Type, bool Swizzled, class R> TSR_DEVICE R tsr_any_read_(tsr_gemm_base const &base, int64_t offset)
{
    return tsr_any_number_<Type, R>(*tsr_any_at_<Type, Swizzled>(base, offset));
}

template <int Type, bool Swizzled, class R>
TSR_DEVICE void tsr_any_write_(tsr_gemm_base const &base, int64_t offset, R x)
{
    typedef typename tsr_plain_<Type>::type element;
    if constexpr (Type == TSR_F16 || Type == TSR_BF16)
        *tsr_any_at_<Type, Swizzled>(base, offset) = element((float)x);
    else
        *tsr_any_at_<Type, Swizzled>(base, offset) = (element)x;
}

#endif
