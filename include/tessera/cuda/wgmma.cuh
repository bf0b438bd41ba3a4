/** Matrix products of a warpgroup: wgmma.mma_async, its descriptors and fences.
 *
 *      static constexpr tsr_mma_atom atom = tsr_wgmma(128, TSR_F32, TSR_F16, TSR_F16, 0, TSR_MMA_PLAIN);
 *      tsr_wgmma_fence();
 *      tsr_wgmma<atom>(c, desc_a, desc_b);                    // wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16
 *      tsr_wgmma_commit();
 *      tsr_wgmma_wait<0>();
 *
 *  Law     as of tsr_mma, asynchronous: c may be read, and shared memory written, after the wait.
 *  Source  PTX ISA 9.0, "Asynchronous warpgroup level matrix instructions".
 */
#ifndef TSR_CUDA_WGMMA_CUH
#define TSR_CUDA_WGMMA_CUH

#include "tessera/atom/mma_layout.h"
#include "tessera/atom/smem.h"
#include "tessera/cuda/later.cuh"
#include "tessera/cuda/refused.cuh"
#include "tessera/cuda/words.cuh"

TSR_WORD(tsr_ptx_scales_, ", 1, 1");

#if TSR_EMULATE
#  include "tessera/emulate/wgmma.h"
#else

/** Orders registers and shared memory before the first wgmma of a sequence. */
TSR_DEVICE void tsr_wgmma_fence(void) { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

/** Closes a group of wgmma. */
TSR_DEVICE void tsr_wgmma_commit(void) { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

/** Waits until at most `Pending` groups are under way. */
template <int Pending> TSR_DEVICE void tsr_wgmma_wait(void)
{
    static_assert(Pending >= 0 && Pending <= 7, "tsr_wgmma_wait: 0 to 7 groups");
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}

/** Keeps the compiler from moving accumulators across what follows. */
template <int N> TSR_DEVICE void tsr_wgmma_hold(float (&c)[N])
{
    TSR_UNROLL for (int i = 0; i < N; ++i) asm volatile("" : "+f"(c[i])::"memory");
}
template <class T, int N> TSR_DEVICE void tsr_wgmma_hold(T (&c)[N])
{
    static_assert(sizeof(T) == 4, "tsr_wgmma_hold: registers of 32 bits");
    if constexpr (sizeof(T) == 4)
        TSR_UNROLL for (int i = 0; i < N; ++i) asm volatile("" : "+r"(c[i])::"memory");
}

/** The descriptor of a tile in shared memory at `at`, of one instruction; see atom/gmma_tile.h for the fields. */
TSR_DEVICE uint64_t tsr_wgmma_desc(tsr_gmma_fields fields, void const *at)
{
    return tsr_gmma_bits(fields, (uint32_t)__cvta_generic_to_shared(at));
}

/* clang-format off */
#define TSR_D1_(K, i) "+" K(*((i) < N ? c + (i) : &none))
#define TSR_D4_(K, i) TSR_D1_(K, i), TSR_D1_(K, i + 1), TSR_D1_(K, i + 2), TSR_D1_(K, i + 3)
#define TSR_D16_(K, i) TSR_D4_(K, i), TSR_D4_(K, i + 4), TSR_D4_(K, i + 8), TSR_D4_(K, i + 12)
#define TSR_D64_(K, i) TSR_D16_(K, i), TSR_D16_(K, i + 16), TSR_D16_(K, i + 32), TSR_D16_(K, i + 48)
#define TSR_CUT1_(s, i) "C"(tsr_ptx_cut_<N == s * (i)>::text)
#define TSR_CUT4_(s, i) TSR_CUT1_(s, i), TSR_CUT1_(s, i + 1), TSR_CUT1_(s, i + 2), TSR_CUT1_(s, i + 3)
#define TSR_CUT16_(s, i) TSR_CUT4_(s, i), TSR_CUT4_(s, i + 4), TSR_CUT4_(s, i + 8), TSR_CUT4_(s, i + 12)

/** Up to 128 registers, a possible end behind every 4; up to 64, an end behind every 2. */
#define TSR_LIST_4_ \
    "{%0, %1, %2, %3 %153, %4, %5, %6, %7 %154, %8, %9, %10, %11 %155, %12, %13, %14, %15 %156" \
    ", %16, %17, %18, %19 %157, %20, %21, %22, %23 %158, %24, %25, %26, %27 %159, %28, %29, %30, %31 %160" \
    ", %32, %33, %34, %35 %161, %36, %37, %38, %39 %162, %40, %41, %42, %43 %163, %44, %45, %46, %47 %164" \
    ", %48, %49, %50, %51 %165, %52, %53, %54, %55 %166, %56, %57, %58, %59 %167, %60, %61, %62, %63 %168" \
    ", %64, %65, %66, %67 %169, %68, %69, %70, %71 %170, %72, %73, %74, %75 %171, %76, %77, %78, %79 %172" \
    ", %80, %81, %82, %83 %173, %84, %85, %86, %87 %174, %88, %89, %90, %91 %175, %92, %93, %94, %95 %176" \
    ", %96, %97, %98, %99 %177, %100, %101, %102, %103 %178, %104, %105, %106, %107 %179, %108, %109, %110, %111 %180" \
    ", %112, %113, %114, %115 %181, %116, %117, %118, %119 %182, %120, %121, %122, %123 %183, %124, %125, %126, %127 %184*/"
#define TSR_LIST_2_ \
    "{%0, %1 %153, %2, %3 %154, %4, %5 %155, %6, %7 %156, %8, %9 %157, %10, %11 %158, %12, %13 %159, %14, %15 %160" \
    ", %16, %17 %161, %18, %19 %162, %20, %21 %163, %22, %23 %164, %24, %25 %165, %26, %27 %166, %28, %29 %167, %30, %31 %168" \
    ", %32, %33 %169, %34, %35 %170, %36, %37 %171, %38, %39 %172, %40, %41 %173, %42, %43 %174, %44, %45 %175, %46, %47 %176" \
    ", %48, %49 %177, %50, %51 %178, %52, %53 %179, %54, %55 %180, %56, %57 %181, %58, %59 %182, %60, %61 %183, %62, %63 %184*/"

/** The instruction, with accumulators of constraint K in the list LIST whose lengths are multiples of `s`. */
#define TSR_WGMMA_(K, LIST, s)                                                                                     \
    asm volatile("{.reg .pred p; setp.ne.b32 p, %135, 0;"                                                          \
                 "wgmma.mma_async%138.sync.aligned.m64n%136k%137%139.%140.%141.%142 " LIST ","                     \
                 "%143 %128 %144 %145 {%129, %130, %131, %132} %146, %133 %147, %134, %152 %148, p%149%150%151;}"  \
                 : TSR_D64_(K, 0), TSR_D64_(K, 64)                                                                 \
                 : "l"(desc_a), "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(desc_b), "r"(meta), "r"(scale_d),  \
                   "n"(X.n), "n"(X.k), "C"(tsr_ptx_sp_<sparse>::text),                                                 \
                   "C"(tsr_ptx_satfinite_<X.form == TSR_MMA_SATURATE>::text),                                     \
                   "C"(tsr_ptx_type_<X.d>::text), "C"(tsr_ptx_type_<X.a>::text), "C"(tsr_ptx_type_<X.b>::text),    \
                   "C"(tsr_ptx_open_<rs>::text), "C"(tsr_ptx_close_<rs>::text),                                            \
                   "C"(tsr_ptx_open_<!rs>::text), "C"(tsr_ptx_close_<!rs>::text),                                          \
                   "C"(tsr_ptx_open_<!sparse>::text), "C"(tsr_ptx_close_<!sparse>::text),                                  \
                   "C"(tsr_ptx_scales_<X.d != TSR_I32>::text),                                                         \
                   "C"(tsr_ptx_major_<half && !rs, (X.flags & TSR_MMA_A_MN) != 0>::text),                              \
                   "C"(tsr_ptx_major_<half, (X.flags & TSR_MMA_B_MN) != 0>::text), "n"(Selector),                      \
                   TSR_CUT16_(s, 1), TSR_CUT16_(s, 17) : "memory")
/* clang-format on */

/** The major of an operand: a number for half, which has both, nothing for the other types. */
template <bool There, bool MN> struct tsr_ptx_major_ {
    static constexpr char text[] = ", 0";
};
template <> struct tsr_ptx_major_<true, true> {
    static constexpr char text[] = ", 1";
};
template <bool MN> struct tsr_ptx_major_<false, MN> {
    static constexpr char text[] = "";
};

template <tsr_mma_atom const &X, int Selector, class T>
TSR_DEVICE void tsr_wgmma_any_(T *c, uint64_t desc_a, uint32_t const *a, uint64_t desc_b, uint32_t meta, int scale_d)
{
    static_assert(TSR_FINE(tsr_mma_why(tsr_later_<T>(X))) && X.kind == TSR_MMA_WARPGROUP,
                  "tsr_wgmma: the atoms of a warpgroup");
    constexpr bool there = TSR_HAS_WGMMA && sizeof(T) > 0;
    static_assert(there, "tsr_wgmma: code for sm_90a alone (-gencode=arch=compute_90a,code=sm_90a)");
    constexpr bool sums =
        sizeof(T) == 4 && (X.d == TSR_F32) == (tsr_number_type_<T> == TSR_F32) && tsr_holds_<T>(X.d);
    static_assert(sums, "tsr_wgmma: accumulators are floats for F32, else registers of 32 bits of the atom's type");
    constexpr bool sparse = (X.flags & TSR_MMA_SPARSE) != 0, rs = (X.flags & TSR_MMA_A_REGISTERS) != 0;
    constexpr bool half = X.a == TSR_F16 || X.a == TSR_BF16;
    constexpr int N = X.d == TSR_F16 ? X.n / 4 : X.n / 2;
    T none = 0;
    if constexpr (!sums || !there)
        return;
    else if constexpr (X.d == TSR_F32)
        TSR_WGMMA_("f", TSR_LIST_4_, 4);
    else if constexpr (X.d == TSR_F16)
        TSR_WGMMA_("r", TSR_LIST_2_, 2);
    else
        TSR_WGMMA_("r", TSR_LIST_4_, 4);
}

/** c = a*b + scale_d*c, both operands in shared memory; scale_d is 0 or 1.
 *      c  64xN over the warpgroup: N/2 floats (F32) or registers (I32), N/4 registers (F16) */
template <tsr_mma_atom const &X, class T>
TSR_DEVICE void tsr_wgmma(T *c, uint64_t desc_a, uint64_t desc_b, int scale_d = 1)
{
    static_assert(!(X.flags & (TSR_MMA_A_REGISTERS | TSR_MMA_SPARSE)), "tsr_wgmma: A in shared memory and dense");
    uint32_t const none[4] = {};
    tsr_wgmma_any_<X, 0>(c, desc_a, none, desc_b, 0, scale_d);
}

/** The same with A in 4 registers of each thread. */
template <tsr_mma_atom const &X, class T>
TSR_DEVICE void tsr_wgmma(T *c, uint32_t const (&a)[4], uint64_t desc_b, int scale_d = 1)
{
    static_assert((X.flags & TSR_MMA_A_REGISTERS) && !(X.flags & TSR_MMA_SPARSE),
                  "tsr_wgmma: A in registers and dense");
    tsr_wgmma_any_<X, 0>(c, 0, a, desc_b, 0, scale_d);
}

/** Sparse A: `meta` says which two of four elements are stored, `Selector` which threads' words count. */
template <tsr_mma_atom const &X, int Selector = 0, class T>
TSR_DEVICE void tsr_wgmma_sparse(T *c, uint64_t desc_a, uint64_t desc_b, uint32_t meta, int scale_d = 1)
{
    static_assert((X.flags & TSR_MMA_SPARSE) && !(X.flags & TSR_MMA_A_REGISTERS),
                  "tsr_wgmma_sparse: A in shared memory");
    uint32_t const none[4] = {};
    tsr_wgmma_any_<X, Selector>(c, desc_a, none, desc_b, meta, scale_d);
}

template <tsr_mma_atom const &X, int Selector = 0, class T>
TSR_DEVICE void tsr_wgmma_sparse(T *c, uint32_t const (&a)[4], uint64_t desc_b, uint32_t meta, int scale_d = 1)
{
    static_assert((X.flags & TSR_MMA_SPARSE) && (X.flags & TSR_MMA_A_REGISTERS), "tsr_wgmma_sparse: A in registers");
    tsr_wgmma_any_<X, Selector>(c, 0, a, desc_b, meta, scale_d);
}

#  undef TSR_D1_
#  undef TSR_D4_
#  undef TSR_D16_
#  undef TSR_D64_
#  undef TSR_CUT1_
#  undef TSR_CUT4_
#  undef TSR_CUT16_
#  undef TSR_LIST_4_
#  undef TSR_LIST_2_
#  undef TSR_WGMMA_
#endif

#endif
