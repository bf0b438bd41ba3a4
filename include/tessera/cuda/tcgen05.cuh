/** The instructions of tcgen05, one function each, without knowledge of layouts: cuda/umma.cuh and tmem.cuh have the
 *  verbs. Arguments are numbers; what an instruction has as words is a template number.
 *
 *  Addresses of tensor memory are lane << 16 | column. Allocation, ld, st, and their waits are executed by all lanes
 *  of a warp; mma, cp, shift and commit by one thread. Everything but alloc and dealloc is asynchronous.
 *
 *  Law     mma, cp and shift of a thread take effect in the order of their issue. A commit arrives when all of them
 *          before it have ended. ld and st have ended behind their wait.
 *  Needs   sm_100f, sm_100a, sm_103a or sm_110a; some forms fewer targets (cuda/target.cuh).
 *  Source  PTX ISA 9.0, "TensorCore 5th Generation Family Instructions".
 */
#ifndef TSR_CUDA_TCGEN05_CUH
#define TSR_CUDA_TCGEN05_CUH

#include "tessera/atom/umma.h"
#include "tessera/cuda/barrier.cuh"
#include "tessera/cuda/target.cuh"

/** Forms of an mma, a sum of them. */
enum {
    TSR_UMMA_TS = 1,        /* A is in tensor memory */
    TSR_UMMA_SP = 2,        /* A is sparse, with metadata at `e` */
    TSR_UMMA_WS = 4,        /* weight stationary: of one CTA, B may stay in one of four collector buffers */
    TSR_UMMA_ASHIFT = 8,    /* A's rows move down by one; A in tensor memory */
    TSR_UMMA_VECTOR_X = 16, /* says scale_vec::1X, 2X or 4X instead of block32 or block16 */
    TSR_UMMA_NVF4 = 32      /* says mxf4nvf4 instead of mxf4 where 32 elements have a scale */
};

/** What the collector buffer does with A, or with B of .ws, whose buffer 0 to 3 TSR_UMMA_BUFFER adds. */
enum {
    TSR_UMMA_COLLECT_NONE, /* the instruction does not say: as discard */
    TSR_UMMA_COLLECT_FILL,
    TSR_UMMA_COLLECT_USE,
    TSR_UMMA_COLLECT_LASTUSE,
    TSR_UMMA_COLLECT_DISCARD
};
#define TSR_UMMA_BUFFER(i) (8 * (i))

/** Shapes of tcgen05.cp. */
enum {
    TSR_CP_128X256,
    TSR_CP_4X256,
    TSR_CP_128X128,
    TSR_CP_64X128_02_13, /* .warpx2: lanes 0-31 also to 64-95, the others to 96-127 */
    TSR_CP_64X128_01_23, /* .warpx2: lanes 0-31 also to 32-63, the others to 96-127 */
    TSR_CP_32X128        /* .warpx4: to all four parts of the lanes */
};

/** How tcgen05.ld.red reduces the values of a lane; ABS and NAN are added for floats. */
enum { TSR_RED_MIN = 0, TSR_RED_MAX = 1, TSR_RED_ABS = 2, TSR_RED_NAN = 4 };

/** The operands of one mma. `a` is a descriptor, or with TSR_UMMA_TS an address. Without `add`, the old sums are not
 *  read. */
struct tsr_umma_issue {
    uint32_t c;
    uint64_t a, b;
    uint32_t word; /* the instruction descriptor */
    bool add;
    uint32_t e, sfa, sfb; /* addresses of metadata and of scales, where the form has them */
};

/** A form that exists. A fill or a use of buffer a is not one of ashift. */
template <int Kind, int Ctas, int Flags, int Vector, int Collect> struct tsr_tcgen05_form_ {
    static constexpr bool ts = (Flags & TSR_UMMA_TS) != 0, ws = (Flags & TSR_UMMA_WS) != 0;
    static constexpr bool ashift = (Flags & TSR_UMMA_ASHIFT) != 0, scaled = Vector > 0;
    static constexpr bool fp4 = Kind == TSR_UMMA_KIND_MXF4;
    static constexpr int use = Collect % TSR_UMMA_BUFFER(1), buffers = ws ? 4 : 1;
    static_assert(Ctas == 1 || (Ctas == 2 && !ws), "tsr_tcgen05_mma: 1 or 2 CTAs, of .ws 1");
    static_assert(scaled == (Kind == TSR_UMMA_KIND_MXF8F6F4 || fp4), "tsr_tcgen05_mma: a vector of 16 or 32 elements "
                                                                     "for the kinds with scales, 0 for the others");
    static_assert(!scaled || Vector == 32 || (Vector == 16 && fp4), "tsr_tcgen05_mma: vectors of 32 elements, of "
                                                                    "mxf4nvf4 also of 16");
    static_assert(!ws || !(scaled || ashift), "tsr_tcgen05_mma: .ws has neither scales nor ashift");
    static_assert(!ashift || ts, "tsr_tcgen05_mma: ashift is of A in tensor memory");
    static_assert(Collect >= 0 && Collect < TSR_UMMA_BUFFER(buffers) && use <= TSR_UMMA_COLLECT_DISCARD,
                  "tsr_tcgen05_mma: TSR_UMMA_COLLECT_.., of .ws with TSR_UMMA_BUFFER of 0 to 3");
    static_assert(!ashift || (use != TSR_UMMA_COLLECT_FILL && use != TSR_UMMA_COLLECT_USE),
                  "tsr_tcgen05_mma: ashift neither fills nor uses the collector");
    static constexpr bool good = true;
};

/** A form with scale-input-d. */
template <int Kind, int Shift> struct tsr_tcgen05_scales_d_ {
    static_assert(Kind == TSR_UMMA_KIND_F16 || Kind == TSR_UMMA_KIND_TF32, "tsr_tcgen05_mma_scale_d: f16 and tf32");
    static_assert(Shift >= 0 && Shift <= 15, "tsr_tcgen05_mma_scale_d: a shift of 0 to 15");
    static constexpr bool good = true;
};

/** Registers of a lane in ld and st: those of 32, 64, 128 or 256 bits a row, `Repeat` times along the columns. */
template <int Lanes, int Bits, int Repeat> struct tsr_tcgen05_shape {
    static constexpr bool lanes16 = Lanes == 16 && (Bits == 32 || Bits == 64 || Bits == 128 || Bits == 256);
    static constexpr bool lanes32 = Lanes == 32 && Bits == 32, half = Lanes == 16 && Bits == 32;
    static constexpr int each = lanes16 && Bits > 64 ? Bits / 64 : 1, registers = each * Repeat;
    static constexpr bool power = Repeat >= 1 && (Repeat & (Repeat - 1)) == 0;
    static constexpr bool good = (lanes16 || lanes32) && power && registers <= 128;
};

#if TSR_EMULATE
#  include "tessera/emulate/tcgen05.h"
#else

/* Tensor memory: allocation by a warp */

/** Allocates columns, 32 to 512, a power of two; the address of the first is written to shared memory. Waits for
 *  columns that other blocks of the SM have. Of a pair, a warp of each CTA asks. */
template <int Ctas> TSR_DEVICE void tsr_tcgen05_alloc(uint32_t *slot, int columns)
{
    TSR_NEEDS_VERB_(TSR_VERB_TCGEN05_ALLOC, Ctas);
    static_assert(Ctas == 1 || Ctas == 2, "tsr_tcgen05_alloc: 1 or 2 CTAs");
    asm volatile("tcgen05.alloc.cta_group::%2.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(tsr_smem_address(slot)),
                 "r"(columns), "n"(Ctas)
                 : "memory");
}

template <int Ctas> TSR_DEVICE void tsr_tcgen05_dealloc(uint32_t at, int columns)
{
    TSR_NEEDS_VERB_(TSR_VERB_TCGEN05_ALLOC, Ctas);
    asm volatile("tcgen05.dealloc.cta_group::%2.sync.aligned.b32 %0, %1;" ::"r"(at), "r"(columns), "n"(Ctas)
                 : "memory");
}

/** Gives up the right to allocate; other blocks need not wait for this one. */
template <int Ctas> TSR_DEVICE void tsr_tcgen05_relinquish(void)
{
    TSR_NEEDS_VERB_(TSR_VERB_TCGEN05_ALLOC, Ctas);
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::%0.sync.aligned;" ::"n"(Ctas) : "memory");
}

/* Order */

template <int Arch = 0> TSR_DEVICE void tsr_tcgen05_wait_ld(void)
{
    TSR_NEEDS_VERB_(TSR_VERB_TCGEN05_WAIT, Arch);
    asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
}

template <int Arch = 0> TSR_DEVICE void tsr_tcgen05_wait_st(void)
{
    TSR_NEEDS_VERB_(TSR_VERB_TCGEN05_WAIT, Arch);
    asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
}

/** Orders the tcgen05 instructions before it before a barrier that this thread then arrives at. */
template <int Arch = 0> TSR_DEVICE void tsr_tcgen05_fence_before(void)
{
    TSR_NEEDS_VERB_(TSR_VERB_TCGEN05_FENCE, Arch);
    asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
}

/** Orders the tcgen05 instructions behind it behind a barrier that this thread has waited for. */
template <int Arch = 0> TSR_DEVICE void tsr_tcgen05_fence_after(void)
{
    TSR_NEEDS_VERB_(TSR_VERB_TCGEN05_FENCE, Arch);
    asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}

/** The barrier, at the same place in this CTA, gets an arrival when all mma, cp and shift before have ended. */
template <int Ctas> TSR_DEVICE void tsr_tcgen05_commit(tsr_barrier *b)
{
    TSR_NEEDS_VERB_(TSR_VERB_TCGEN05_COMMIT, Ctas);
    asm volatile(
        "tcgen05.commit.cta_group::%1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(tsr_smem_address(b)),
        "n"(Ctas)
        : "memory");
}

/** The same of each CTA of the cluster whose bit of the mask is set. */
template <int Ctas> TSR_DEVICE void tsr_tcgen05_commit(tsr_barrier *b, uint16_t mask)
{
    TSR_NEEDS_VERB_(TSR_VERB_TCGEN05_COMMIT, Ctas);
    asm volatile(
        "tcgen05.commit.cta_group::%2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1;" ::"r"(
            tsr_smem_address(b)),
        "h"(mask), "n"(Ctas)
        : "memory");
}

/* Loads and stores of registers: a warp has the 32 lanes of its number modulo 4 */

TSR_WORD(tsr_ptx_pack_, ".pack::16b");
TSR_WORD(tsr_ptx_unpack_, ".unpack::16b");
TSR_WORD(tsr_ptx_x2_, "x2");
TSR_WORD(tsr_ptx_abs_, ".abs");
TSR_WORD(tsr_ptx_nan_, ".NaN");

template <bool Max> struct tsr_ptx_minmax_ {
    static constexpr char text[] = "min";
};
template <> struct tsr_ptx_minmax_<true> {
    static constexpr char text[] = "max";
};

/* clang-format off */
#define TSR_D1_(K, i) K(*((i) < N ? r + (i) : &none))
#define TSR_D4_(K, i) TSR_D1_(K, i), TSR_D1_(K, i + 1), TSR_D1_(K, i + 2), TSR_D1_(K, i + 3)
#define TSR_D16_(K, i) TSR_D4_(K, i), TSR_D4_(K, i + 4), TSR_D4_(K, i + 8), TSR_D4_(K, i + 12)
#define TSR_D128_(K) \
    TSR_D16_(K, 0), TSR_D16_(K, 16), TSR_D16_(K, 32), TSR_D16_(K, 48), TSR_D16_(K, 64), TSR_D16_(K, 80), \
    TSR_D16_(K, 96), TSR_D16_(K, 112)
#define TSR_CUT_(n) "C"(tsr_ptx_cut_<N == n>::text)
#define TSR_CUTS_ TSR_CUT_(1), TSR_CUT_(2), TSR_CUT_(4), TSR_CUT_(8), TSR_CUT_(16), TSR_CUT_(32), TSR_CUT_(64), TSR_CUT_(128)

/** Up to 128 registers, a possible end behind every power of two. */
#define TSR_LIST_ \
    "{%0 %130, %1 %131, %2, %3 %132, %4, %5, %6, %7 %133, %8, %9, %10, %11, %12, %13, %14, %15 %134" \
    ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31 %135" \
    ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47" \
    ", %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63 %136" \
    ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79" \
    ", %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95" \
    ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111" \
    ", %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127 %137*/"
/* clang-format on */

/** Registers of a lane from tensor memory. `Half` is the distance in columns of the two halves of 16x32bx2, `Pack`
 *  takes the lower 16 bits of two columns to a register. The registers are there behind tsr_tcgen05_wait_ld. */
template <int Lanes, int Bits, int Repeat, bool Pack, int Half = 0>
TSR_DEVICE void tsr_tcgen05_ld(uint32_t at, uint32_t *r)
{
    TSR_NEEDS_VERB_(TSR_VERB_TCGEN05_LD, Lanes);
    typedef tsr_tcgen05_shape<Lanes, Bits, Repeat> shape;
    static_assert(shape::good, "tsr_tcgen05_ld: 16x32bx2, 16x64b, 16x128b, 16x256b or 32x32b, up to 128 registers");
    constexpr int N = shape::registers;
    uint32_t none = 0;
    asm volatile("tcgen05.ld.sync.aligned.%138x%139b%140.x%141%142.b32 " TSR_LIST_ ", [%128] %143, %129 %144;"
                 : TSR_D128_("=r")
                 : "r"(at), "n"(Half), TSR_CUTS_, "n"(Lanes), "n"(Bits), "C"(tsr_ptx_x2_<shape::half>::text),
                   "n"(Repeat), "C"(tsr_ptx_pack_<Pack>::text), "C"(tsr_ptx_open_<!shape::half>::text),
                   "C"(tsr_ptx_close_<!shape::half>::text)
                 : "memory");
}

/** The other way; tensor memory has them behind tsr_tcgen05_wait_st. */
template <int Lanes, int Bits, int Repeat, bool Unpack, int Half = 0>
TSR_DEVICE void tsr_tcgen05_st(uint32_t at, uint32_t const *r)
{
    TSR_NEEDS_VERB_(TSR_VERB_TCGEN05_ST, Lanes);
    typedef tsr_tcgen05_shape<Lanes, Bits, Repeat> shape;
    static_assert(shape::good, "tsr_tcgen05_st: 16x32bx2, 16x64b, 16x128b, 16x256b or 32x32b, up to 128 registers");
    constexpr int N = shape::registers;
    uint32_t const none = 0;
    asm volatile("tcgen05.st.sync.aligned.%138x%139b%140.x%141%142.b32 [%128] %143, %129 %144, " TSR_LIST_
                 ";" ::TSR_D128_("r"),
                 "r"(at), "n"(Half), TSR_CUTS_, "n"(Lanes), "n"(Bits), "C"(tsr_ptx_x2_<shape::half>::text),
                 "n"(Repeat), "C"(tsr_ptx_unpack_<Unpack>::text), "C"(tsr_ptx_open_<!shape::half>::text),
                 "C"(tsr_ptx_close_<!shape::half>::text)
                 : "memory");
}

/** As tsr_tcgen05_ld, and in `reduced` the least or greatest of the lane's registers. `Reduce` is a sum of TSR_RED_..,
 *  Type is TSR_F32, TSR_U32 or TSR_I32. */
template <int Lanes, int Bits, int Repeat, int Reduce, int Type, int Half = 0>
TSR_DEVICE void tsr_tcgen05_ld_red(uint32_t at, uint32_t *r, uint32_t *reduced)
{
    TSR_NEEDS_VERB_(TSR_VERB_TCGEN05_LD_RED, Lanes);
    typedef tsr_tcgen05_shape<Lanes, Bits, Repeat> shape;
    static_assert(shape::good && Bits == 32 && Repeat > 1, "tsr_tcgen05_ld_red: 32x32b or 16x32bx2, x2 to x128");
    static_assert(Type == TSR_F32 || Reduce <= TSR_RED_MAX, "tsr_tcgen05_ld_red: ABS and NAN are of floats");
    constexpr int N = shape::registers;
    uint32_t none = 0;
    asm volatile("tcgen05.ld.red.sync.aligned.%138x%139b%140.x%141.%142%143%144.%145 " TSR_LIST_
                 ", %128, [%129] %146, %148 %147;"
                 : TSR_D128_("=r"), "=r"(*reduced)
                 : "r"(at), TSR_CUTS_, "n"(Lanes), "n"(Bits), "C"(tsr_ptx_x2_<shape::half>::text), "n"(Repeat),
                   "C"(tsr_ptx_minmax_<(Reduce & TSR_RED_MAX) != 0>::text),
                   "C"(tsr_ptx_abs_<(Reduce & TSR_RED_ABS) != 0>::text),
                   "C"(tsr_ptx_nan_<(Reduce & TSR_RED_NAN) != 0>::text), "C"(tsr_ptx_type_<Type>::text),
                   "C"(tsr_ptx_open_<!shape::half>::text), "C"(tsr_ptx_close_<!shape::half>::text), "n"(Half)
                 : "memory");
}

#  undef TSR_D1_
#  undef TSR_D4_
#  undef TSR_D16_
#  undef TSR_D128_
#  undef TSR_CUT_
#  undef TSR_CUTS_
#  undef TSR_LIST_

/* Copies from shared memory, and rows that move */

/* clang-format off */
/** X(shape, its words in PTX). */
#define TSR_CP_LIST(X) \
    X(TSR_CP_128X256, "128x256b") X(TSR_CP_4X256, "4x256b") X(TSR_CP_128X128, "128x128b") \
    X(TSR_CP_64X128_02_13, "64x128b.warpx2::02_13") X(TSR_CP_64X128_01_23, "64x128b.warpx2::01_23") \
    X(TSR_CP_32X128, "32x128b.warpx4")
/* clang-format on */

template <int Shape> struct tsr_ptx_cp_;
#  define TSR_X_(id, words)                 \
    template <> struct tsr_ptx_cp_<id> {    \
      static constexpr char text[] = words; \
    };
TSR_CP_LIST(TSR_X_)
#  undef TSR_X_

TSR_WORD(tsr_ptx_b4_, ".b8x16.b4x16_p64");
TSR_WORD(tsr_ptx_b6_, ".b8x16.b6x16_p32");

/** A part of shared memory, without swizzle, to the same place in each CTA. Elements of `Unpack` bits, 4 or 6, become
 *  bytes; 0 copies bits. */
template <int Shape, int Ctas, int Unpack> TSR_DEVICE void tsr_tcgen05_cp(uint32_t at, uint64_t desc)
{
    TSR_NEEDS_VERB_(TSR_VERB_TCGEN05_CP, Ctas);
    static_assert(Unpack == 0 || Unpack == 4 || Unpack == 6, "tsr_tcgen05_cp: elements of 4 or 6 bits, or 0");
    asm volatile("tcgen05.cp.cta_group::%2.%3%4%5 [%0], %1;" ::"r"(at), "l"(desc), "n"(Ctas),
                 "C"(tsr_ptx_cp_<Shape>::text), "C"(tsr_ptx_b4_<Unpack == 4>::text),
                 "C"(tsr_ptx_b6_<Unpack == 6>::text)
                 : "memory");
}

/** Rows of 32 bytes move down by one lane. */
template <int Ctas> TSR_DEVICE void tsr_tcgen05_shift(uint32_t at)
{
    TSR_NEEDS_VERB_(TSR_VERB_TCGEN05_SHIFT, Ctas);
    asm volatile("tcgen05.shift.cta_group::%1.down [%0];" ::"r"(at), "n"(Ctas) : "memory");
}

/* Products */

TSR_WORD(tsr_ptx_ws_, ".ws");
TSR_WORD(tsr_ptx_nvf4_, "nvf4");
TSR_WORD(tsr_ptx_ashift_, ".ashift");

template <int Kind> struct tsr_ptx_umma_kind_;
#  define TSR_X_(id, words, scaled)                             \
    template <> struct tsr_ptx_umma_kind_<TSR_UMMA_KIND_##id> { \
      static constexpr char text[] = words;                     \
    };
TSR_UMMA_KIND_LIST(TSR_X_)
#  undef TSR_X_

/** Elements with a scale: as a block, or as how many scales an instruction has. */
template <int Vector, bool X, bool F8> struct tsr_ptx_block_ {
    static constexpr char text[] = "";
};
#  define TSR_X_(vector, x, f8, words)                      \
    template <> struct tsr_ptx_block_<vector, x, f8> {      \
      static constexpr char text[] = ".block_scale." words; \
    }
TSR_X_(32, false, false, "block32");
TSR_X_(32, false, true, "block32");
TSR_X_(16, false, false, "block16");
TSR_X_(32, true, true, "scale_vec::1X");
TSR_X_(32, true, false, "scale_vec::2X");
TSR_X_(16, true, false, "scale_vec::4X");
#  undef TSR_X_

/** The collector: buffer a, or 0 to 3 of B. */
template <int Collect, bool Ws> struct tsr_ptx_collector_ {
    static constexpr char text[] = "";
};
#  define TSR_Y_(collect, ws, buffer, use)                           \
    template <> struct tsr_ptx_collector_<collect, ws> {             \
      static constexpr char text[] = ".collector::" buffer "::" use; \
    }
#  define TSR_X_(first, ws, buffer)                                  \
    TSR_Y_(first + TSR_UMMA_COLLECT_FILL, ws, buffer, "fill");       \
    TSR_Y_(first + TSR_UMMA_COLLECT_USE, ws, buffer, "use");         \
    TSR_Y_(first + TSR_UMMA_COLLECT_LASTUSE, ws, buffer, "lastuse"); \
    TSR_Y_(first + TSR_UMMA_COLLECT_DISCARD, ws, buffer, "discard")
TSR_X_(0, false, "a");
TSR_X_(TSR_UMMA_BUFFER(0), true, "b0");
TSR_X_(TSR_UMMA_BUFFER(1), true, "b1");
TSR_X_(TSR_UMMA_BUFFER(2), true, "b2");
TSR_X_(TSR_UMMA_BUFFER(3), true, "b3");
#  undef TSR_X_
#  undef TSR_Y_

/** Every form of mma. `Shift` -1: no scale-input-d. `Mask`: lanes that stay as they are. `Zero`: a zero-column mask. */
template <int Kind, int Ctas, int Flags, int Vector, int Collect, int Shift, bool Mask, bool Zero>
TSR_DEVICE void tsr_tcgen05_mma_(tsr_umma_issue const &x, uint32_t const *lanes, uint64_t zero)
{
    constexpr bool ts = (Flags & TSR_UMMA_TS) != 0, sp = (Flags & TSR_UMMA_SP) != 0, ws = (Flags & TSR_UMMA_WS) != 0;
    constexpr bool ashift = (Flags & TSR_UMMA_ASHIFT) != 0, fp4 = Kind == TSR_UMMA_KIND_MXF4;
    constexpr bool words = (Flags & TSR_UMMA_VECTOR_X) != 0, scaled = Vector > 0;
    constexpr bool integers = Kind == TSR_UMMA_KIND_I8;
    TSR_NEEDS_VERB_(integers ? TSR_VERB_TCGEN05_MMA_I8 : TSR_VERB_TCGEN05_MMA, Ctas);
    TSR_NEEDS_VERB_(ws ? TSR_VERB_TCGEN05_MMA_WS : TSR_VERB_TCGEN05_MMA, Ctas);
    TSR_NEEDS_VERB_(Shift < 0 ? TSR_VERB_TCGEN05_MMA : TSR_VERB_TCGEN05_MMA_SCALE_D, Ctas);
    TSR_NEEDS_VERB_(words ? TSR_VERB_TCGEN05_MMA_VEC : TSR_VERB_TCGEN05_MMA, Ctas);
    TSR_NEEDS_VERB_(sp && fp4 ? TSR_VERB_TCGEN05_MMA_SP_MXF4 : TSR_VERB_TCGEN05_MMA, Ctas);
    static_assert(tsr_tcgen05_form_<Kind, Ctas, Flags, Vector, Collect>::good, "tsr_tcgen05_mma: no such form");
    asm volatile(
        "{.reg .pred p; setp.ne.b32 p, %5, 0;"
        "tcgen05.mma%18%19.cta_group::%20.kind::%21%22%23%24%25 [%0], %26 %1 %27 %28 [%2] %29, %3"
        " %30, [%6] %31, %4"
        " %32, {%9, %10, %11, %12 %33, %13, %14, %15, %16 %34*/ %35, [%7], [%8] %36, p %37, %38 %39 %40, %17 %41;}" ::
            "r"(x.c),
        "l"(x.a), "r"((uint32_t)x.a), "l"(x.b), "r"(x.word), "r"((int)x.add), "r"(x.e), "r"(x.sfa), "r"(x.sfb),
        "r"(lanes[0]), "r"(lanes[1]), "r"(lanes[2]), "r"(lanes[3]), "r"(lanes[4 * Ctas - 4]),
        "r"(lanes[4 * Ctas - 3]), "r"(lanes[4 * Ctas - 2]), "r"(lanes[4 * Ctas - 1]), "l"(zero),
        "C"(tsr_ptx_ws_<ws>::text), "C"(tsr_ptx_sp_<sp>::text), "n"(Ctas), "C"(tsr_ptx_umma_kind_<Kind>::text),
        "C"(tsr_ptx_nvf4_<(fp4 && (Vector == 16 || (Flags & TSR_UMMA_NVF4)))>::text),
        "C"(tsr_ptx_block_<Vector, words, !fp4>::text), "C"(tsr_ptx_ashift_<ashift>::text),
        "C"(tsr_ptx_collector_<Collect, ws>::text), "C"(tsr_ptx_open_<ts>::text), "C"(tsr_ptx_close_<ts>::text),
        "C"(tsr_ptx_open_<!ts>::text), "C"(tsr_ptx_close_<!ts>::text), "C"(tsr_ptx_open_<!sp>::text),
        "C"(tsr_ptx_close_<!sp>::text), "C"(tsr_ptx_open_<!Mask>::text), "C"(tsr_ptx_cut_<(Mask && Ctas == 1)>::text),
        "C"(tsr_ptx_cut_<(Mask && Ctas == 2)>::text), "C"(tsr_ptx_open_<!scaled>::text),
        "C"(tsr_ptx_close_<!scaled>::text), "C"(tsr_ptx_open_<(Shift < 0)>::text), "n"(Shift),
        "C"(tsr_ptx_close_<(Shift < 0)>::text), "C"(tsr_ptx_open_<!Zero>::text), "C"(tsr_ptx_close_<!Zero>::text)
        : "memory");
}

/** c = a*b + c of a kind, by one or two CTAs. `Vector` elements of K have a scale, 0 where there are none. */
template <int Kind, int Ctas, int Flags, int Vector, int Collect>
TSR_DEVICE void tsr_tcgen05_mma(tsr_umma_issue const &x)
{
    uint32_t const none[4 * Ctas] = {};
    tsr_tcgen05_mma_<Kind, Ctas, Flags, Vector, Collect, -1, false, false>(x, none, 0);
}

/** c = a*b + c / 2^Shift, of the kinds f16 and tf32. */
template <int Kind, int Ctas, int Flags, int Collect, int Shift>
TSR_DEVICE void tsr_tcgen05_mma_scale_d(tsr_umma_issue const &x)
{
    static_assert(tsr_tcgen05_scales_d_<Kind, Shift>::good, "tsr_tcgen05_mma_scale_d: no such form");
    uint32_t const none[4 * Ctas] = {};
    tsr_tcgen05_mma_<Kind, Ctas, Flags, 0, Collect, Shift, false, false>(x, none, 0);
}

/** The lanes whose bit is set stay as they are: 128 lanes of each CTA (disable-output-lane). */
template <int Kind, int Ctas, int Flags, int Collect>
TSR_DEVICE void tsr_tcgen05_mma_masked(tsr_umma_issue const &x, uint32_t const (&lanes)[4 * Ctas])
{
    static_assert(!(Flags & TSR_UMMA_WS), "tsr_tcgen05_mma_masked: .ws has masks of columns (_zeroed)");
    tsr_tcgen05_mma_<Kind, Ctas, Flags, 0, Collect, -1, true, false>(x, lanes, 0);
}

/** .ws with a zero-column mask: columns of B that are taken as 0. */
template <int Kind, int Flags, int Collect>
TSR_DEVICE void tsr_tcgen05_mma_zeroed(tsr_umma_issue const &x, uint64_t zero)
{
    uint32_t const none[4] = {};
    tsr_tcgen05_mma_<Kind, 1, Flags | TSR_UMMA_WS, 0, Collect, -1, false, true>(x, none, zero);
}

#endif

#endif
