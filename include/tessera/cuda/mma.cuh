/** Matrix products of a thread or a warp: one function, the atom says which instruction it is.
 *
 *      static constexpr tsr_mma_atom atom = tsr_warp_mma(80, 16, 8, 16, TSR_F32, TSR_F16, TSR_F16, TSR_MMA_PLAIN);
 *      tsr_mma<atom>(c, a, b);                  // mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
 *
 *  Law     register r of thread t holds the values (t, v) of tsr_mma_layout_a, _b and _c in their order, packed from
 *          the lowest bits on; c becomes c + a*b (tests/cuda/mma.cu, for every atom of a Hopper GPU).
 *  Source  PTX ISA 9.0, "Warp-level matrix instructions", mma; dp4a, dp2a.
 */
#ifndef TSR_CUDA_MMA_CUH
#define TSR_CUDA_MMA_CUH

#include "tessera/atom/mma_layout.h"
#include "tessera/cuda/later.cuh"
#include "tessera/cuda/refused.cuh"
#include "tessera/cuda/words.cuh"

TSR_WORD(tsr_ptx_col_, "col");
TSR_WORD(tsr_ptx_row_, "row");

TSR_WORD(tsr_ptx_xor_popc_, ".xor.popc");
TSR_WORD(tsr_ptx_and_popc_, ".and.popc");

/** How many registers of `bits` bits a thread has for a matrix of the atom. */
TSR_FN int tsr_mma_registers(tsr_layout matrix, tsr_dtype type, int bits)
{
    int64_t const values = tsr_size(tsr_mode(matrix, 1));
    return (int)((values * tsr_dtype_bits(type) + bits - 1) / bits);
}

/* clang-format off */
/** One mma.sync with up to 8 registers of C and A and 4 of B; OUT and IN are the constraints of the registers. */
#define TSR_MMA_SYNC_(OUT, IN)                                                                                     \
    asm volatile("mma.sync.aligned.m%20n%21k%22.%23%24.%25%26%27.%28.%29.%30.%28%31%32"                            \
                 " {%0 %33, %1 %34, %2, %3 %35, %4, %5, %6, %7 %36*/,"                                             \
                 " {%8 %37, %9 %38, %10, %11 %39, %12, %13, %14, %15 %40*/,"                                       \
                 " {%16 %41, %17 %42, %18, %19 %43*/,"                                                             \
                 " {%0 %33, %1 %34, %2, %3 %35, %4, %5, %6, %7 %36*/;"                                             \
                 : "+" OUT(d[0]), "+" OUT(d[1]), "+" OUT(d[2]), "+" OUT(d[3]), "+" OUT(d[4]), "+" OUT(d[5]),       \
                   "+" OUT(d[6]), "+" OUT(d[7])                                                                    \
                 : IN(a[0]), IN(a[1]), IN(a[2]), IN(a[3]), IN(a[4]), IN(a[5]), IN(a[6]), IN(a[7]),                 \
                   IN(b[0]), IN(b[1]), IN(b[2]), IN(b[3]),                                                         \
                   "n"(X.m), "n"(X.n), "n"(X.k),                                                                   \
                   "C"(tsr_ptx_col_<(X.flags & TSR_MMA_A_MN) != 0>::text),                                             \
                   "C"(tsr_ptx_row_<(X.flags & TSR_MMA_A_MN) == 0>::text),                                             \
                   "C"(tsr_ptx_row_<(X.flags & TSR_MMA_B_MN) != 0>::text),                                             \
                   "C"(tsr_ptx_col_<(X.flags & TSR_MMA_B_MN) == 0>::text),                                             \
                   "C"(tsr_ptx_satfinite_<X.form == TSR_MMA_SATURATE>::text),                                          \
                   "C"(tsr_ptx_type_<X.d>::text), "C"(tsr_ptx_type_<X.a>::text), "C"(tsr_ptx_type_<X.b>::text),    \
                   "C"(tsr_ptx_xor_popc_<X.form == TSR_MMA_XORPOPC>::text),                                            \
                   "C"(tsr_ptx_and_popc_<X.form == TSR_MMA_ANDPOPC>::text),                                            \
                   "C"(tsr_ptx_cut_<C == 1>::text), "C"(tsr_ptx_cut_<C == 2>::text), "C"(tsr_ptx_cut_<C == 4>::text),          \
                   "C"(tsr_ptx_cut_<C == 8>::text),                                                                    \
                   "C"(tsr_ptx_cut_<A == 1>::text), "C"(tsr_ptx_cut_<A == 2>::text), "C"(tsr_ptx_cut_<A == 4>::text),          \
                   "C"(tsr_ptx_cut_<A == 8>::text),                                                                    \
                   "C"(tsr_ptx_cut_<B == 1>::text), "C"(tsr_ptx_cut_<B == 2>::text), "C"(tsr_ptx_cut_<B == 4>::text))
/* clang-format on */

/** mma.sync with A, B and C registers of the types R (of A and B) and D. */
template <tsr_mma_atom const &X, class D, class R, int C, int A, int B>
TSR_DEVICE void tsr_mma_sync_(D *c_at, void const *a_at, void const *b_at)
{
    D d[8] = {};
    R a[8] = {}, b[4] = {};
    TSR_UNROLL for (int i = 0; i < C; ++i) d[i] = c_at[i];
    TSR_UNROLL for (int i = 0; i < A; ++i) a[i] = tsr_register_<R>(a_at, i);
    TSR_UNROLL for (int i = 0; i < B; ++i) b[i] = tsr_register_<R>(b_at, i);
    if constexpr (X.a == TSR_F64)
        TSR_MMA_SYNC_("d", "d");
    else if constexpr (X.c == TSR_F32)
        TSR_MMA_SYNC_("f", "r");
    else
        TSR_MMA_SYNC_("r", "r");
    TSR_UNROLL for (int i = 0; i < C; ++i) c_at[i] = d[i];
}

/** The atom on the real parts of a complex one. */
template <tsr_mma_atom const &X> struct tsr_mma_real_ {
    static constexpr tsr_mma_atom atom =
        tsr_warp_mma(X.arch, X.m, X.n, X.k, TSR_F64, TSR_F64, TSR_F64, TSR_MMA_PLAIN);
};

/** Products of complex numbers by real ones: four, or Gauss' three. With accumulators (t0, t1, t2) the real part is
 *  t0 - t1 and the imaginary part t2 - t0 - t1. */
template <tsr_mma_atom const &X, int C, int A, int B>
TSR_DEVICE void tsr_mma_complex_(double *c, double const *a, double const *b)
{
    constexpr bool gauss = X.form == TSR_MMA_GAUSS;
    constexpr int parts = gauss ? 3 : 2;
    TSR_UNROLL for (int p = 0; p < (gauss ? 3 : 4); ++p)
    {
        double pc[C], pa[A], pb[B];
        int const part = gauss ? p : p == 1 || p == 2;
        TSR_UNROLL for (int i = 0; i < C; ++i) pc[i] = c[parts * i + part];
        TSR_UNROLL for (int i = 0; i < A; ++i)
        {
            double const re = a[2 * i], im = a[2 * i + 1];
            pa[i] = gauss ? (p == 0 ? re : p == 1 ? im : re + im) : p == 0 || p == 1 ? re : p == 2 ? im : -im;
        }
        TSR_UNROLL for (int i = 0; i < B; ++i)
        {
            double const re = b[2 * i], im = b[2 * i + 1];
            pb[i] = gauss ? (p == 0 ? re : p == 1 ? im : re + im) : p == 0 || p == 2 ? re : im;
        }
        tsr_mma_sync_<tsr_mma_real_<X>::atom, double, double, C, A, B>(pc, pa, pb);
        TSR_UNROLL for (int i = 0; i < C; ++i) c[parts * i + part] = pc[i];
    }
}

/** dp4a; and dp2a, which multiplies numbers of 16 bits by bytes: those of B, low bytes and high ones. */
template <tsr_mma_atom const &X> TSR_DEVICE void tsr_mma_dot_(int32_t *c, uint32_t a, uint32_t b)
{
    if constexpr (X.k == 4)
        asm volatile("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(*c) : "r"(a), "r"(b));
    else
        asm volatile("{.reg .b32 bytes, high; prmt.b32 bytes, %2, 0, 0x3120;"
                     "dp2a.lo.s32.u32 %0, %1, bytes, %0; dp2a.hi.s32.s32 high, %1, bytes, 0;"
                     "shl.b32 high, high, 8; add.s32 %0, %0, high;}"
                     : "+r"(*c)
                     : "r"(a), "r"(b));
}

/** Can mma.sync of these operands do an atom? Scales and the metadata of a sparse A are operands of their own, and
 *  floats below a byte have a kind of instruction of their own. */
TSR_FN bool tsr_mma_is_plain_(tsr_mma_atom x)
{
    bool const a = tsr_float_format_of(x.a).exponent != 0 && tsr_dtype_bits(x.a) < 8;
    bool const b = tsr_float_format_of(x.b).exponent != 0 && tsr_dtype_bits(x.b) < 8;
    return x.form <= TSR_MMA_GAUSS && (x.flags & TSR_MMA_SPARSE) == 0 && !a && !b;
}

/** c += a*b on a thread's fragments; all threads of the atom take part. Atoms with block scales, a sparse A or floats
 *  below a byte do not compile.
 *      c  float, double or, for accumulators of F16 and I32, 32-bit registers
 *      a, b  elements or registers, packed as the atom says */
template <tsr_mma_atom const &X, class TC, class TA, class TB>
TSR_DEVICE void tsr_mma(TC *c, TA const *a, TB const *b)
{
    static_assert(
        X.status != TSR_OK || X.kind == TSR_MMA_THREAD || X.kind == TSR_MMA_QUADPAIR || X.kind == TSR_MMA_WARP,
        "tsr_mma: the atoms of a thread, a quad pair or a warp; tsr_wgmma takes those of a warpgroup");
    static_assert(
        X.status != TSR_OK || tsr_mma_is_plain_(X),
        "tsr_mma: c += a*b alone; block scales, the metadata of a sparse A and floats below a byte would be dropped");
    if constexpr (!TSR_FINE(tsr_mma_why(tsr_later_<TC>(X)))) {
        return;
    } else if constexpr (X.arch == 0) {
        c[0] += a[0] * b[0];
    } else if constexpr (X.kind == TSR_MMA_THREAD) {
        tsr_mma_dot_<X>(reinterpret_cast<int32_t *>(c), tsr_register_<uint32_t>(a, 0), tsr_register_<uint32_t>(b, 0));
    } else {
        constexpr bool wide = X.a == TSR_F64 || X.a == TSR_C128;
        constexpr int each = X.a == TSR_C128 ? 128 : wide ? 64 : 32;
        constexpr int C = tsr_mma_registers(tsr_mma_layout_c(tsr_later_<TC>(X)), X.c, each);
        constexpr int A = tsr_mma_registers(tsr_mma_layout_a(tsr_later_<TA>(X)), X.a, each);
        constexpr int B = tsr_mma_registers(tsr_mma_layout_b(tsr_later_<TB>(X)), X.b, each);
        if constexpr (X.a == TSR_C128)
            tsr_mma_complex_<X, C, A, B>(reinterpret_cast<double *>(c), reinterpret_cast<double const *>(a),
                                         reinterpret_cast<double const *>(b));
        else if constexpr (wide)
            tsr_mma_sync_<X, double, double, C, A, B>(reinterpret_cast<double *>(c), a, b);
        else if constexpr (X.c == TSR_F32)
            tsr_mma_sync_<X, float, uint32_t, C, A, B>(reinterpret_cast<float *>(c), a, b);
        else
            tsr_mma_sync_<X, uint32_t, uint32_t, C, A, B>(reinterpret_cast<uint32_t *>(c), a, b);
    }
}

#endif
