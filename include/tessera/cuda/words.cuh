/** The words of PTX: instructions are one text each, with holes that the atom fills.
 *
 *  A hole takes a constant string ("C") or number ("n") of the compiler. A list of registers is written once at its
 *  greatest length, with a hole behind every length that occurs: tsr_ptx_cut_ closes the list there and opens a
 *  comment, which the end of the list closes.
 *
 *      {%0, %1 cut, %2, %3 cut * /     with two registers    {%0, %1 } / *, %2, %3 * /
 *
 *  Source  CUDA, "Inline PTX Assembly", constraints; PTX ISA 9.0.
 */
#ifndef TSR_CUDA_WORDS_CUH
#define TSR_CUDA_WORDS_CUH

#include "tessera/cuda/element.cuh"

#if TSR_EMULATE
#  include "tessera/emulate/words.h"
#endif

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

/** The elements between them are left out. */
TSR_WORD(tsr_ptx_open_, "/*");
TSR_WORD(tsr_ptx_close_, "*/");
TSR_WORD(tsr_ptx_satfinite_, ".satfinite");
TSR_WORD(tsr_ptx_ordered_, ".sp::ordered_metadata");
TSR_WORD(tsr_ptx_sp_, ".sp");

/* clang-format off */
/** X(element type, its name in PTX). */
#define TSR_PTX_TYPE_LIST(X)                                                                                        \
  X(F64, "f64")                                                                                                     \
  X(F32, "f32") X(TF32, "tf32") X(F16, "f16") X(BF16, "bf16") X(F8_E4M3FN, "e4m3") X(F8_E5M2, "e5m2") X(I32, "s32") \
      X(F4_E2M1, "e2m1") X(F6_E2M3, "e2m3") X(F6_E3M2, "e3m2") X(I8, "s8") X(U8, "u8") X(I4, "s4") X(U4, "u4")       \
          X(U1, "b1") X(U32, "u32")
/* clang-format on */

template <int Type> struct tsr_ptx_type_;
#define TSR_X_(id, name)                       \
  template <> struct tsr_ptx_type_<TSR_##id> { \
    static constexpr char text[] = name;       \
  };
TSR_PTX_TYPE_LIST(TSR_X_)
#undef TSR_X_

/** Register i of an array of elements of any type. */
template <class R, class T> TSR_DEVICE R tsr_register_(T const *from, int i)
{
    R r;
    TSR_COPY(&r, reinterpret_cast<char const *>(from) + i * sizeof(R), sizeof(R));
    return r;
}

#endif
