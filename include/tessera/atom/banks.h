/** Banks of shared memory: the bank conflicts of an access, and the swizzle or the padding that avoids them.
 *
 *  An access is a layout (thread, value) to the index of an element. Values move in vectors of up to 16 bytes, as long
 *  as they are contiguous and aligned in every thread. A phase is the threads that are served together. On GPUs of
 *  NVIDIA 32 banks of 4 bytes deliver 128 bytes a round: a phase is 8 threads of 16 bytes, 16 of 8, or 32 of at most 4.
 *  On those of AMD it depends on the architecture, and writes differ from reads. Different words of one bank take a
 *  round each.
 *
 *  Law     For an access whose modes are powers of two, a phase takes 2^(rank W - rank B) rounds, where over bits W
 *          maps the number of a thread to its word and B to its bank (tests/laws/atom/tiled.inc).
 *  Source  NVIDIA: CUDA C++ Programming Guide, "Shared Memory" of the compute capabilities 5.x to 9.0.
 *          AMD, reads of gfx942, gfx950, gfx11 and gfx12: measured in nod-ai/amd-shark-ai, "Empirical LDS
 *          Measurements"; 16 bytes also in triton-lang/triton 11365. 12 bytes of gfx950, and its writes of 8:
 *          HazyResearch/HipKittens, "phases". Writes of 16: composable_kernel, "Understanding AMD GPU LDS and Bank
 *          Conflicts". Threads of the other widths: ROCm/rocRoller, LDSBankModel.
 *  Limits  rocRoller counts 32 threads and 32 banks for reads of 4 bytes of gfx950, where amd-shark-ai and triton 9662
 *          have 64 and 64, as here. Not documented, and assumed: gfx90a as gfx942; gfx10 as gfx11; 12 bytes as 16
 *          except on gfx950; writes of gfx10 to gfx12 in order; a wave of 64 on these as two of 32.
 */
#ifndef TSR_ATOM_BANKS_H
#define TSR_ATOM_BANKS_H

#include "tessera/base/dtype.h"
#include "tessera/generic.h"

TSR_HEADER_BEGIN

/* clang-format off */
/** X(id, name, threads of a phase for vectors of 4, 8, 12 and 16 bytes, their order for 12 and 16): who reads or writes
 *  shared memory. 0: there are no such vectors. */
#define TSR_BANKS_LIST(X)                                           \
  X(NVIDIA, "nvidia",             32, 16, 0,  8, TSR_IN_ORDER_, TSR_IN_ORDER_) \
  X(GFX90A, "gfx90a",             32, 16, 8,  8, TSR_SPREAD_,   TSR_SPREAD_)   \
  X(GFX90A_WRITE, "gfx90a_write", 32, 16, 8,  8, TSR_IN_ORDER_, TSR_IN_ORDER_) \
  X(GFX942, "gfx942",             32, 16, 8,  8, TSR_SPREAD_,   TSR_SPREAD_)   \
  X(GFX942_WRITE, "gfx942_write", 32, 16, 8,  8, TSR_IN_ORDER_, TSR_IN_ORDER_) \
  X(GFX950, "gfx950",             64, 32, 8, 16, TSR_SPREAD_,   TSR_SPREAD_16_) \
  X(GFX950_WRITE, "gfx950_write", 32, 16, 8,  8, TSR_IN_ORDER_, TSR_IN_ORDER_) \
  X(GFX10, "gfx10",               32, 16, 8,  8, TSR_SPREAD_,   TSR_SPREAD_)   \
  X(GFX10_WRITE, "gfx10_write",   32, 16, 8,  8, TSR_IN_ORDER_, TSR_IN_ORDER_) \
  X(GFX11, "gfx11",               32, 16, 8,  8, TSR_SPREAD_,   TSR_SPREAD_)   \
  X(GFX11_WRITE, "gfx11_write",   32, 16, 8,  8, TSR_IN_ORDER_, TSR_IN_ORDER_) \
  X(GFX12, "gfx12",               32, 16, 8,  8, TSR_IN_ORDER_, TSR_IN_ORDER_) \
  X(GFX12_WRITE, "gfx12_write",   32, 16, 8,  8, TSR_IN_ORDER_, TSR_IN_ORDER_)
/* clang-format on */

typedef enum tsr_banks {
#define TSR_X_(id, ...) TSR_BANKS_##id,
    TSR_BANKS_LIST(TSR_X_)
#undef TSR_X_
} tsr_banks;

/** "gfx950_write", and back; false: no banks have this name. */
TSR_API char const *tsr_banks_name(tsr_banks banks);
TSR_API bool tsr_banks_named(char const *name, tsr_banks *banks);

/** Those of the writes where reads are served otherwise: gfx950_write of gfx950; else the same. */
TSR_API tsr_banks tsr_banks_of_writes(tsr_banks banks);

/** How vectors of a number of bits are served: the threads of a phase, the banks of 4 bytes, and the order of the
 *  threads in phases. */
typedef struct tsr_bank_phase {
    int threads, banks;
    int order[5]; /* bit i of a place in that order adds order[i], by xor, to the number of the thread */
} tsr_bank_phase;

/** Returns no threads where vectors do not have this number of bits.
 *  So the 8 threads 0 to 3 and 20 to 23 are a phase of 128 bits of gfx942, whose order is 1, 2, 20, 4, 8. */
TSR_API tsr_bank_phase tsr_bank_phase_of(tsr_banks banks, int64_t bits);

/** The number of the thread at a place in the order of the phases. */
TSR_API int64_t tsr_bank_thread(tsr_bank_phase const *phase, int64_t place);

/** An access: its layout, and the vectors that it is cut into. */
typedef struct tsr_lane_access {
    tsr_layout layout;
    int64_t threads, values, bits, vector;
    tsr_bank_phase phase;
} tsr_lane_access;

/** The offset of value v of thread t, swizzled once more. */
TSR_API int64_t tsr_lane_access_at(tsr_lane_access const *a, tsr_swizzle sw, int64_t t, int64_t v);

/** Errors  ACCESS_MODES unless (thread, value), BASIS_VALUES, TYPE, NEGATIVE, NOT_DECIDED beyond TSR_LAW_BUDGET
 *          elements. */
TSR_API tsr_tuple tsr_make_lane_access(tsr_layout l, tsr_dtype type, tsr_lane_access *a);

/** The same of an access to these banks. */
TSR_API tsr_tuple tsr_make_lane_access_on(tsr_layout l, tsr_banks banks, tsr_dtype type, tsr_lane_access *a);

/** The rounds that the phase from place `first` on needs for the vector that begins with value v. */
TSR_API int64_t tsr_lane_access_rounds(tsr_lane_access const *a, tsr_swizzle sw, int64_t first, int64_t v);

/** The most rounds of any phase and any vector, under a swizzle of the offsets. */
TSR_API int64_t tsr_lane_access_most(tsr_lane_access const *a, tsr_swizzle sw, int64_t enough);

/** Returns the number of rounds that an access takes: 1 when it is free of conflicts.
 *  Example  bank_conflicts<half_t>((_8,_8):(_64,_1))  =  8
 *  Example  bank_conflicts<half_t>(composition(Sw<3,3,3>, (_8,_8):(_64,_1)))  =  1 */
TSR_API tsr_tuple tsr_bank_conflicts_int(tsr_layout access, tsr_dtype type);

/** The same of an access to these banks.
 *  Example  bank_conflicts<half_t>((_64,_8):(_64,_1), banks=gfx950)  =  8 */
TSR_API tsr_tuple tsr_bank_conflicts_on(tsr_layout access, tsr_banks banks, tsr_dtype type);

/** The bank conflicts as a number of C; TSR_BAD_OFFSET where they cannot be counted. */
TSR_API int64_t tsr_bank_conflicts(tsr_layout access, tsr_dtype type);

/** Returns the first swizzle under which every access takes one round: of the fewest bits, then of the least base, then
 *  of the least shift, S before -S.
 *
 *  Law      Bits of Y beyond the offsets are 0, bits of Z beyond them leave the memory: B + M + |S| is at most the bits
 *           of an offset. Words of one bank agree in all bits below the bank's, so -S, whose Y is below Z, parts them
 *           only by bits inside of a word.
 *  Errors   BANKS when none of up to as many bits as banks have does; NOT_DECIDED beyond TSR_WORK_BUDGET elements
 *           visited. */
TSR_API tsr_swizzle tsr_search_swizzle(tsr_lane_access const *a, int count);

/** As many layouts of two modes as a tiler holds. */
enum { TSR_ACCESSES_ = TSR_MAX_LEAVES / 2 };

/** The swizzle of the fewest bits (then the least base and shift, S before -S) under which every access of <A,B,..>
 *  goes in one round. The accesses are layouts over the unswizzled memory.
 *  Errors   BANKS when no swizzle serves them, those of bank_conflicts.
 *  Example  find_swizzle<half_t>((_8,_8):(_64,_1))  =  Sw<3,3,3> */
TSR_API tsr_swizzle tsr_find_swizzle(tsr_tiler accesses, tsr_dtype type);

/** The same of accesses to these banks.
 *  Example  find_swizzle<half_t>(((_16,_4),_8):((_64,_8),_1), banks=gfx942)  =  Sw<2,4,2> */
TSR_API tsr_swizzle tsr_find_swizzle_on(tsr_banks banks, tsr_tiler accesses, tsr_dtype type);

/** A padding: `pad` elements are left out behind every `every` of them, which is offset + offset / every * pad. */
typedef struct tsr_padding {
    int64_t every, pad, rounds, added; /* the most rounds of an access behind it, and the elements left out in all */
} tsr_padding;

/** The padding of the fewest rounds, then of the least memory, then of the longest run. `every` is a power of two,
 *  `pad` a multiple of the vector and of a word, below a row of all banks. every 0: none has fewer rounds than no
 *  padding.
 *  Errors   NOT_DECIDED beyond TSR_WORK_BUDGET elements visited. */
TSR_API tsr_tuple tsr_search_padding(tsr_lane_access const *a, int count, tsr_padding *r);

/** (every, pad, rounds, added) of the padding that serves all accesses of <A,B,..> best. In Triton it is
 *  #ttg.padded_shared<[every:+pad]>, where pad is a power of two.
 *  Errors   those of bank_conflicts and of tsr_search_padding.
 *  Example  find_padding<half_t>((_8,_8):(_64,_1))  =  (64,8,1,56) */
TSR_API tsr_tuple tsr_find_padding(tsr_tiler accesses, tsr_dtype type);

/** The same of accesses to these banks. */
TSR_API tsr_tuple tsr_find_padding_on(tsr_banks banks, tsr_tiler accesses, tsr_dtype type);

TSR_HEADER_END

#endif
