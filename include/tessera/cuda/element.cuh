/** The numbers that a type of C holds, so that kernels mix no types. A part of floats goes into no registers of
 *  halves, and a tile of bf16 is no operand of an instruction for f16. Unsigned integers are bits, and so are types
 *  that tessera does not know.
 */
#ifndef TSR_CUDA_ELEMENT_CUH
#define TSR_CUDA_ELEMENT_CUH

#include "tessera/base/dtype.h"

/** Which numbers a type of C holds; -1 where it is bits: unsigned integers, and types of others. */
template <class T> constexpr int tsr_number_type_ = -1;
template <> constexpr int tsr_number_type_<float> = TSR_F32;
template <> constexpr int tsr_number_type_<double> = TSR_F64;
template <> constexpr int tsr_number_type_<signed char> = TSR_I8;
template <> constexpr int tsr_number_type_<short> = TSR_I16;
template <> constexpr int tsr_number_type_<int> = TSR_I32;
template <> constexpr int tsr_number_type_<long> = sizeof(long) == 8 ? TSR_I64 : TSR_I32;
template <> constexpr int tsr_number_type_<long long> = TSR_I64;
template <class T> constexpr int tsr_number_type_<T const> = tsr_number_type_<T>;

/** The bits of a number: 4 of two to a byte. */
template <class T> constexpr int tsr_number_bits_ = 8 * (int)sizeof(T);
template <class T> constexpr int tsr_number_bits_<T const> = tsr_number_bits_<T>;

/** May numbers of type A be used as numbers of type B? */
TSR_FN bool tsr_alike_(int a, int b)
{
    return a < 0 || b < 0 || a == b || (a == TSR_F32 && b == TSR_TF32) || (a == TSR_TF32 && b == TSR_F32);
}

/** May a register of R hold numbers of a type: theirs, or several in an integer? */
template <class R> TSR_TEMPLATE_FN bool tsr_holds_(int type)
{
    int const mine = tsr_number_type_<R>;
    bool const integer = mine == TSR_I16 || mine == TSR_I32 || mine == TSR_I64;
    return tsr_alike_(mine, type) || (integer && 8 * (int)sizeof(R) > tsr_dtype_bits((tsr_dtype)type));
}

/** May a U be used as a T? It must be a T, or an int, which converts to numbers of any type. */
template <class U, class T> constexpr bool tsr_stands_for_ = false;
template <class T> constexpr bool tsr_stands_for_<T, T> = true;
template <class T> constexpr bool tsr_stands_for_<int, T> = true;
template <> constexpr bool tsr_stands_for_<int, int> = true;

template <class T> constexpr bool tsr_is_const_ = false;
template <class T> constexpr bool tsr_is_const_<T const> = true;

#endif
