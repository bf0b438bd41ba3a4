/** Matrix products of a thread or a warp: one function, the atom says which instruction it is.
 *
 *      static constexpr tsr_mma_atom atom = tsr_warp_mma(80, 16, 8, 16, TSR_F32, TSR_F16, TSR_F16, TSR_MMA_PLAIN);
 *      tsr_mma<atom>(c, a, b);                  // mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
 *
 *      static constexpr tsr_mma_atom mx = tsr_warp_mma(120, 16, 8, 32, TSR_F32, TSR_F8_E4M3FN, TSR_F4_E2M1,
 *                                                      TSR_MMA_SCALE_32);
 *      tsr_mma_scaled<mx>(c, a, b, sfa, sfb);   // .kind::mxf8f6f4.block_scale: a word of scales of A and one of B
 *      tsr_mma_sparse<sparse>(c, a, b, meta);   // .sp::ordered_metadata: which half of A is stored
 *
 *  Law     register r of thread t holds the values (t, v) of tsr_mma_layout_a, _b and _c in their order, packed from
 *          the lowest bits on; c becomes c + a*b (tests/cuda/mma.cu, for every atom of a Hopper GPU).
 *  Rule    floats below a byte of the instructions with K = 32 (sparse: 64) have a byte each: e2m1 in its bits 2 to 5,
 *          e2m3 and e3m2 in bits 0 to 5. tsr_ldmatrix<4, false, 4> brings e2m1 in bits 0 to 3, so shift by 2.
 *  Note    what is for sm_120 alone was compiled, and ran on no GPU.
 *  Source  PTX ISA 9.0, "Warp-level matrix instructions", mma, mma.sp, "Block scaling"; dp4a, dp2a.
 */
#ifndef TSR_CUDA_MMA_CUH
#define TSR_CUDA_MMA_CUH

#include "tessera/atom/mma_layout.h"
#include "tessera/cuda/later.cuh"
#include "tessera/cuda/refused.cuh"
#include "tessera/cuda/target.cuh"
#include "tessera/cuda/words.cuh"

TSR_WORD(tsr_ptx_col_, "col");
TSR_WORD(tsr_ptx_row_, "row");

TSR_WORD(tsr_ptx_xor_popc_, ".xor.popc");
TSR_WORD(tsr_ptx_and_popc_, ".and.popc");

/* clang-format off */
/** X(kind, its words, the scales of a row, the type of a scale): the kinds of mma.sync of sm_120; NONE for the rest. */
#define TSR_MMA_KIND_LIST_(X)                                                     \
    X(NONE, "", 0, "")                                                            \
    X(F8F6F4, ".kind::f8f6f4", 0, "")                                             \
    X(MXF8F6F4, ".kind::mxf8f6f4.block_scale.scale_vec::1X", 1, ".ue8m0")         \
    X(MXF4, ".kind::mxf4.block_scale.scale_vec::2X", 2, ".ue8m0")                 \
    X(MXF4NVF4, ".kind::mxf4nvf4.block_scale.scale_vec::4X", 4, ".ue4m3")
/* clang-format on */
enum tsr_mma_kind_ {
#define TSR_X_(id, words, count, type) TSR_MMA_KIND_##id,
    TSR_MMA_KIND_LIST_(TSR_X_)
#undef TSR_X_
};
template <int Kind> struct tsr_ptx_mma_kind_;
#define TSR_X_(id, words, count, type)                      \
  template <> struct tsr_ptx_mma_kind_<TSR_MMA_KIND_##id> { \
    static constexpr char text[] = words;                   \
    static constexpr char scale[] = type;                   \
    enum { scales = count };                                \
  };
TSR_MMA_KIND_LIST_(TSR_X_)
#undef TSR_X_
#undef TSR_MMA_KIND_LIST_

/** Is an operand's type a float below a byte? */
TSR_FN bool tsr_mma_is_narrow_(tsr_dtype type)
{
    return tsr_float_format_of(type).exponent != 0 && tsr_dtype_bits(type) < 8;
}

/** The kind of a warp's instruction. The dense one of 8-bit floats needs none: it is that of sm_89. */
TSR_FN int tsr_mma_kind_of_(tsr_mma_atom x)
{
    bool const sparse = (x.flags & TSR_MMA_SPARSE) != 0, bytes = x.k == (sparse ? 64 : 32);
    if (x.arch != 120)
        return TSR_MMA_KIND_NONE;
    if (!tsr_mma_is_scaled(x))
        return sparse || tsr_mma_is_narrow_(x.a) || tsr_mma_is_narrow_(x.b) ? TSR_MMA_KIND_F8F6F4 : TSR_MMA_KIND_NONE;
    return bytes ? TSR_MMA_KIND_MXF8F6F4 : x.form == TSR_MMA_SCALE_32 ? TSR_MMA_KIND_MXF4 : TSR_MMA_KIND_MXF4NVF4;
}

/** The row of cuda/target.cuh of an instruction with a kind. */
TSR_FN int tsr_mma_verb_of_(tsr_mma_atom x)
{
    int const kind = tsr_mma_kind_of_(x);
    bool const sparse = (x.flags & TSR_MMA_SPARSE) != 0, narrow = tsr_mma_is_narrow_(x.a) || tsr_mma_is_narrow_(x.b);
    if (kind == TSR_MMA_KIND_F8F6F4)
        return !sparse ? TSR_VERB_MMA_F8F6F4 : narrow ? TSR_VERB_MMA_SP_F8F6F4 : TSR_VERB_MMA_SP_F8;
    if (kind == TSR_MMA_KIND_MXF8F6F4)
        return sparse ? TSR_VERB_MMA_SP_MXF8F6F4 : TSR_VERB_MMA_MXF8F6F4;
    return sparse ? TSR_VERB_MMA_SP_MXF4 : kind == TSR_MMA_KIND_MXF4 ? TSR_VERB_MMA_MXF4 : TSR_VERB_MMA_MXF4NVF4;
}

/** The type whose bits an element of A or B takes in a register: of floats below a byte beside bytes, a byte. */
TSR_FN tsr_dtype tsr_mma_stored(tsr_mma_atom x, tsr_dtype type)
{
    int const kind = tsr_mma_kind_of_(x);
    return kind == TSR_MMA_KIND_F8F6F4 || kind == TSR_MMA_KIND_MXF8F6F4 ? (tsr_dtype)TSR_U8 : type;
}

/** How many registers of `bits` bits a thread has for a matrix of the atom. */
TSR_FN int tsr_mma_registers(tsr_layout matrix, tsr_dtype type, int bits)
{
    int64_t const values = tsr_size(tsr_mode(matrix, 1));
    return (int)((values * tsr_dtype_bits(type) + bits - 1) / bits);
}

/** Which bytes and which threads' words have the scales of A and of B. */
template <int ByteA, int ThreadA, int ByteB, int ThreadB> struct tsr_mma_select_ {
    static constexpr int byte_a = ByteA, thread_a = ThreadA, byte_b = ByteB, thread_b = ThreadB;
};

/** The metadata of A, the scales of A and of B. */
struct tsr_mma_more_ {
    uint32_t meta, sfa, sfb;
};

#if TSR_EMULATE
#  include "tessera/emulate/mma.h"
#else

/* clang-format off */
/** One mma.sync with up to 8 registers of C and A and 4 of B; OUT and IN are the constraints of the registers. */
#define TSR_MMA_SYNC_(OUT, IN)                                                                                     \
    asm volatile("mma.sync.aligned%44%45.m%20n%21k%22.%23%24.%25%26%27.%28.%29.%30.%28%31%32%46"                       \
                 " {%0 %33, %1 %34, %2, %3 %35, %4, %5, %6, %7 %36*/,"                                                 \
                 " {%8 %37, %9 %38, %10, %11 %39, %12, %13, %14, %15 %40*/,"                                           \
                 " {%16 %41, %17 %42, %18, %19 %43*/,"                                                                 \
                 " {%0 %33, %1 %34, %2, %3 %35, %4, %5, %6, %7 %36*/"                                                  \
                 " %47, %51, 0 %48 %49, %52, {%54, %55}, %53, {%56, %57} %50;"                                         \
                 : "+" OUT(d[0]), "+" OUT(d[1]), "+" OUT(d[2]), "+" OUT(d[3]), "+" OUT(d[4]), "+" OUT(d[5]),           \
                   "+" OUT(d[6]), "+" OUT(d[7])                                                                        \
                 : IN(a[0]), IN(a[1]), IN(a[2]), IN(a[3]), IN(a[4]), IN(a[5]), IN(a[6]), IN(a[7]),                     \
                   IN(b[0]), IN(b[1]), IN(b[2]), IN(b[3]),                                                             \
                   "n"(X.m), "n"(X.n), "n"(X.k),                                                                       \
                   "C"(tsr_ptx_col_<(X.flags & TSR_MMA_A_MN) != 0>::text),                                             \
                   "C"(tsr_ptx_row_<(X.flags & TSR_MMA_A_MN) == 0>::text),                                             \
                   "C"(tsr_ptx_row_<(X.flags & TSR_MMA_B_MN) != 0>::text),                                             \
                   "C"(tsr_ptx_col_<(X.flags & TSR_MMA_B_MN) == 0>::text),                                             \
                   "C"(tsr_ptx_satfinite_<X.form == TSR_MMA_SATURATE>::text),                                          \
                   "C"(tsr_ptx_type_<X.d>::text), "C"(tsr_ptx_type_<X.a>::text), "C"(tsr_ptx_type_<X.b>::text),        \
                   "C"(tsr_ptx_xor_popc_<X.form == TSR_MMA_XORPOPC>::text),                                            \
                   "C"(tsr_ptx_and_popc_<X.form == TSR_MMA_ANDPOPC>::text),                                            \
                   "C"(tsr_ptx_cut_<C == 1>::text), "C"(tsr_ptx_cut_<C == 2>::text), "C"(tsr_ptx_cut_<C == 4>::text),  \
                   "C"(tsr_ptx_cut_<C == 8>::text),                                                                    \
                   "C"(tsr_ptx_cut_<A == 1>::text), "C"(tsr_ptx_cut_<A == 2>::text), "C"(tsr_ptx_cut_<A == 4>::text),  \
                   "C"(tsr_ptx_cut_<A == 8>::text),                                                                    \
                   "C"(tsr_ptx_cut_<B == 1>::text), "C"(tsr_ptx_cut_<B == 2>::text), "C"(tsr_ptx_cut_<B == 4>::text),  \
                   "C"(tsr_ptx_mma_kind_<kind>::text), "C"(tsr_ptx_ordered_<sparse>::text), "C"(tsr_ptx_mma_kind_<kind>::scale), \
                   "C"(tsr_ptx_open_<!sparse>::text), "C"(tsr_ptx_close_<!sparse>::text),                              \
                   "C"(tsr_ptx_open_<!scaled>::text), "C"(tsr_ptx_close_<!scaled>::text),                              \
                   "r"(more.meta), "r"(more.sfa), "r"(more.sfb),                                                       \
                   "n"(S::byte_a), "n"(S::thread_a), "n"(S::byte_b), "n"(S::thread_b))
/* clang-format on */

/** mma.sync with A, B and C registers of the types R (of A and B) and D. */
template <tsr_mma_atom const &X, class S, class D, class R, int C, int A, int B>
TSR_DEVICE void tsr_mma_sync_(D *c_at, void const *a_at, void const *b_at, tsr_mma_more_ more)
{
    constexpr int kind = tsr_mma_kind_of_(tsr_later_<D>(X));
    constexpr bool sparse = (X.flags & TSR_MMA_SPARSE) != 0, scaled = tsr_ptx_mma_kind_<kind>::scales > 0;
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
#endif

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
        tsr_mma_sync_<tsr_mma_real_<X>::atom, tsr_mma_select_<0, 0, 0, 0>, double, double, C, A, B>(pc, pa, pb, {});
        TSR_UNROLL for (int i = 0; i < C; ++i) c[parts * i + part] = pc[i];
    }
}

/** The product that the verbs below make of a valid atom. */
template <tsr_mma_atom const &X, class S, class TC, class TA, class TB>
TSR_DEVICE void tsr_mma_any_(TC *c, TA const *a, TB const *b, tsr_mma_more_ more)
{
    constexpr tsr_dtype type_a = tsr_mma_stored(tsr_later_<TA>(X), X.a),
                        type_b = tsr_mma_stored(tsr_later_<TB>(X), X.b);
    static_assert(
        (type_a == X.a || tsr_number_bits_<TA> >= 8) && (type_b == X.b || tsr_number_bits_<TB> >= 8),
        "tsr_mma: a float below a byte has a byte of its own here, so registers of bits (uint32_t) hold it");
    if constexpr (X.arch == 0) {
        c[0] += a[0] * b[0];
    } else if constexpr (X.kind == TSR_MMA_THREAD) {
        tsr_mma_dot_<X>(reinterpret_cast<int32_t *>(c), tsr_register_<uint32_t>(a, 0), tsr_register_<uint32_t>(b, 0));
    } else {
        constexpr bool wide = X.a == TSR_F64 || X.a == TSR_C128;
        constexpr int each = X.a == TSR_C128 ? 128 : wide ? 64 : 32;
        constexpr int stored = X.flags & TSR_MMA_SPARSE ? 2 : 1;
        constexpr int C = tsr_mma_registers(tsr_mma_layout_c(tsr_later_<TC>(X)), X.c, each);
        constexpr int A = tsr_mma_registers(tsr_mma_layout_a(tsr_later_<TA>(X)), type_a, each) / stored;
        constexpr int B = tsr_mma_registers(tsr_mma_layout_b(tsr_later_<TB>(X)), type_b, each);
        if constexpr (X.a == TSR_C128)
            tsr_mma_complex_<X, C, A, B>(reinterpret_cast<double *>(c), reinterpret_cast<double const *>(a),
                                         reinterpret_cast<double const *>(b));
        else if constexpr (wide)
            tsr_mma_sync_<X, S, double, double, C, A, B>(reinterpret_cast<double *>(c), a, b, more);
        else if constexpr (X.c == TSR_F32)
            tsr_mma_sync_<X, S, float, uint32_t, C, A, B>(reinterpret_cast<float *>(c), a, b, more);
        else
            tsr_mma_sync_<X, S, uint32_t, uint32_t, C, A, B>(reinterpret_cast<uint32_t *>(c), a, b, more);
    }
}

/** Can a verb of a thread or a warp do a valid atom, if it gives scales, or metadata, or neither? */
template <tsr_mma_atom const &X, bool Scaled, bool Sparse, class T> TSR_TEMPLATE_EVAL bool tsr_mma_takes_(void)
{
    constexpr bool valid = TSR_FINE(tsr_mma_why(tsr_later_<T>(X))), mine = X.kind <= TSR_MMA_WARP;
    static_assert(!valid || mine,
                  "tsr_mma: the atoms of a thread, a quad pair or a warp; tsr_wgmma takes those of a warpgroup");
    constexpr bool scaled = tsr_mma_is_scaled(tsr_later_<T>(X)), sparse = (X.flags & TSR_MMA_SPARSE) != 0;
    constexpr bool takes = valid && mine && scaled == Scaled && sparse == Sparse;
    static_assert(
        takes || !valid || !mine,
        "tsr_mma: c += a*b alone; tsr_mma_scaled takes block scales, tsr_mma_sparse the metadata of a sparse A, "
        "tsr_mma_sparse_scaled both");
    if constexpr (takes && tsr_mma_kind_of_(tsr_later_<T>(X)) != TSR_MMA_KIND_NONE)
        TSR_NEEDS_VERB_(tsr_mma_verb_of_(tsr_later_<T>(X)), sizeof(T));
    return takes;
}

/** Do the selectors of an atom with scales name bytes and threads that the instruction has? */
template <tsr_mma_atom const &X, class S, class T> TSR_TEMPLATE_EVAL bool tsr_mma_selects_(void)
{
    constexpr int n = tsr_ptx_mma_kind_<tsr_mma_kind_of_(tsr_later_<T>(X))>::scales;
    constexpr bool bytes = S::byte_a >= 0 && S::byte_a % n == 0 && S::byte_a + n <= 4 && S::byte_b >= 0
                           && S::byte_b % n == 0 && S::byte_b + n <= 4;
    constexpr bool threads = S::thread_a >= 0 && S::thread_a < 2 && S::thread_b >= 0 && S::thread_b < 4;
    static_assert(bytes, "tsr_mma_scaled: the first byte of one scale is 0 to 3, of two 0 or 2, of four 0");
    static_assert(threads, "tsr_mma_scaled: the threads with the scales of A are 0 or 1, with those of B 0 to 3");
    return bytes && threads;
}

/** c += a*b on a thread's fragments; all threads of the atom take part. Atoms with block scales or a sparse A do not
 *  compile.
 *      c  float, double or, for accumulators of F16 and I32, 32-bit registers
 *      a, b  elements or registers, packed as the atom says */
template <tsr_mma_atom const &X, class TC, class TA, class TB>
TSR_DEVICE void tsr_mma(TC *c, TA const *a, TB const *b)
{
    if constexpr (tsr_mma_takes_<X, false, false, TC>())
        tsr_mma_any_<X, tsr_mma_select_<0, 0, 0, 0>>(c, a, b, {});
}

/** The same of blocks of K that have a scale each, in A and in B.
 *      sfa  in lane 4*m + 2*ThreadA + h: the scales of row m + 8*h, from byte ByteA on (tsr_mma_layout_sfa)
 *      sfb  in lane 4*n + ThreadB: those of row n of B, from byte ByteB on (tsr_mma_layout_sfb)
 *  Words of other lanes are not read: a lane may hold the scales of four instructions, which the numbers choose. */
template <tsr_mma_atom const &X, int ByteA = 0, int ThreadA = 0, int ByteB = 0, int ThreadB = 0, class TC, class TA,
          class TB>
TSR_DEVICE void tsr_mma_scaled(TC *c, TA const *a, TB const *b, uint32_t sfa, uint32_t sfb)
{
    typedef tsr_mma_select_<ByteA, ThreadA, ByteB, ThreadB> select;
    if constexpr (tsr_mma_takes_<X, true, false, TC>())
        if constexpr (tsr_mma_selects_<X, select, TC>())
            tsr_mma_any_<X, select>(c, a, b, {0, sfa, sfb});
}

/** The same with half of A stored: `meta` says which elements of those of tsr_mma_layout_e, in order. */
template <tsr_mma_atom const &X, class TC, class TA, class TB>
TSR_DEVICE void tsr_mma_sparse(TC *c, TA const *a, TB const *b, uint32_t meta)
{
    if constexpr (tsr_mma_takes_<X, false, true, TC>())
        tsr_mma_any_<X, tsr_mma_select_<0, 0, 0, 0>>(c, a, b, {meta, 0, 0});
}

/** Both. */
template <tsr_mma_atom const &X, int ByteA = 0, int ThreadA = 0, int ByteB = 0, int ThreadB = 0, class TC, class TA,
          class TB>
TSR_DEVICE void tsr_mma_sparse_scaled(TC *c, TA const *a, TB const *b, uint32_t meta, uint32_t sfa, uint32_t sfb)
{
    typedef tsr_mma_select_<ByteA, ThreadA, ByteB, ThreadB> select;
    if constexpr (tsr_mma_takes_<X, true, true, TC>())
        if constexpr (tsr_mma_selects_<X, select, TC>())
            tsr_mma_any_<X, select>(c, a, b, {meta, sfa, sfb});
}

#endif
