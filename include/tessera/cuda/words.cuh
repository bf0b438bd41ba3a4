/** The words of PTX: instructions are one text each, with holes for what the atom says.
 *
 *  A hole takes a constant string ("C") or number ("n") of the compiler. A list of registers is written once at its
 *  greatest length, with a hole behind every length that occurs: tsr_ptx_cut_ closes the list there and opens a comment,
 *  which the end of the list closes.
 *
 *      {%0, %1 cut, %2, %3 cut * /     with two registers    {%0, %1 } / *, %2, %3 * /
 *
 *  Source  CUDA, "Inline PTX Assembly", constraints; PTX ISA 9.0.
 */
#ifndef TSR_CUDA_WORDS_CUH
#define TSR_CUDA_WORDS_CUH

#include "tessera/base/dtype.h"

/** A function of a kernel, and a member of a struct of one. */
#define TSR_DEVICE static __device__ __forceinline__
#define TSR_DEVICE_MEMBER __device__ __forceinline__

template <bool Here> struct tsr_ptx_cut_ {
    static constexpr char text[] = "";
};
template <> struct tsr_ptx_cut_<true> {
    static constexpr char text[] = "} /*";
};

/** A word that is there or not. */
#define TSR_WORD(name, word)             \
  template <bool There> struct name {    \
    static constexpr char text[] = "";   \
  };                                     \
  template <> struct name<true> {        \
    static constexpr char text[] = word; \
  }

/** What stands between them is left out. */
TSR_WORD(tsr_ptx_open_, "/*");
TSR_WORD(tsr_ptx_close_, "*/");
TSR_WORD(tsr_ptx_satfinite_, ".satfinite");

/** X(element type, its name in PTX). */
#define TSR_PTX_TYPE_LIST(X)                                                                                        \
  X(F64, "f64")                                                                                                     \
  X(F32, "f32") X(TF32, "tf32") X(F16, "f16") X(BF16, "bf16") X(F8_E4M3FN, "e4m3") X(F8_E5M2, "e5m2") X(I32, "s32") \
      X(I8, "s8") X(U8, "u8") X(I4, "s4") X(U4, "u4") X(U1, "b1")

template <int Type> struct tsr_ptx_type_;
#define TSR_X_(id, name)                       \
  template <> struct tsr_ptx_type_<TSR_##id> { \
    static constexpr char text[] = name;       \
  };
TSR_PTX_TYPE_LIST(TSR_X_)
#undef TSR_X_

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

/** May numbers of type A stand for those of type B? */
TSR_FN bool tsr_alike_(int a, int b)
{
    return a < 0 || b < 0 || a == b || (a == TSR_F32 && b == TSR_TF32) || (a == TSR_TF32 && b == TSR_F32);
}

/** May a register of R hold numbers of a type: theirs, or several in an integer? */
template <class R> TSR_FN bool tsr_holds_(int type)
{
    int const mine = tsr_number_type_<R>;
    bool const integer = mine == TSR_I16 || mine == TSR_I32 || mine == TSR_I64;
    return tsr_alike_(mine, type) || (integer && 8 * (int)sizeof(R) > tsr_dtype_bits((tsr_dtype)type));
}

template <class T> constexpr bool tsr_is_const_ = false;
template <class T> constexpr bool tsr_is_const_<T const> = true;

/** Register i of an array of elements of any type. */
template <class R, class T> TSR_DEVICE R tsr_register_(T const *from, int i)
{
    R r;
    TSR_COPY(&r, reinterpret_cast<char const *>(from) + i * sizeof(R), sizeof(R));
    return r;
}

#endif
