/** Banks of shared memory: the bank conflicts of an access, and the swizzle that avoids them.
 *
 *  An access is a layout (thread, value) to the index of an element. Values move in vectors of up to 16 bytes, as long
 *  as they are contiguous and aligned in every thread. 32 banks of 4 bytes deliver 128 bytes a round, which serves 8
 *  threads of 16 bytes, 16 of 8, or 32 of at most 4. Different words of one bank take a round each.
 *
 *  Law     For an access whose modes are powers of two, a group of threads takes 2^(rank W - rank B) rounds, where over
 *          bits W maps the number of a thread to its word and B to its bank (tests/laws/atom/tiled.inc).
 *  Source  CUDA C++ Programming Guide, "Shared Memory" of the compute capabilities 5.x to 9.0.
 */
#ifndef TSR_ATOM_BANKS_H
#define TSR_ATOM_BANKS_H

#include "tessera/base/dtype.h"
#include "tessera/generic.h"

TSR_HEADER_BEGIN

/** An access: its layout, and the vectors that it is cut into. */
typedef struct tsr_lane_access {
    tsr_layout layout;
    int64_t threads, values, bits, vector;
} tsr_lane_access;

/** The offset of value v of thread t, swizzled once more. */
TSR_API int64_t tsr_lane_access_at(tsr_lane_access const *a, tsr_swizzle sw, int64_t t, int64_t v);

/** Errors  RANK unless (thread, value), BASIS_VALUES, TYPE, NEGATIVE, NOT_DECIDED beyond TSR_LAW_BUDGET elements. */
TSR_API tsr_tuple tsr_make_lane_access(tsr_layout l, tsr_dtype type, tsr_lane_access *a);

/** The rounds that threads `first` on need for the vector that begins with value v. */
TSR_API int64_t tsr_lane_access_rounds(tsr_lane_access const *a, tsr_swizzle sw, int64_t first, int64_t v);

/** The most rounds of any group of threads and any vector, under a swizzle of the offsets. */
TSR_API int64_t tsr_lane_access_most(tsr_lane_access const *a, tsr_swizzle sw, int64_t enough);

/** Returns the number of rounds that an access takes: 1 when it is free of conflicts.
 *  Example  bank_conflicts<half_t>((_8,_8):(_64,_1))  =  8
 *  Example  bank_conflicts<half_t>(composition(Sw<3,3,3>, (_8,_8):(_64,_1)))  =  1 */
TSR_API tsr_tuple tsr_bank_conflicts_int(tsr_layout access, tsr_dtype type);

/** The bank conflicts as a number of C; TSR_BAD_OFFSET where they cannot be counted. */
TSR_API int64_t tsr_bank_conflicts(tsr_layout access, tsr_dtype type);

/** Returns the first swizzle under which every access takes one round: of the fewest bits, then of the least base, then
 *  of the least shift, S before -S.
 *
 *  Law      Bits of Y beyond the offsets are 0, bits of Z beyond them leave the memory: B + M + |S| is at most the bits
 *           of an offset. Words of one bank agree in all bits below the bank's, so -S, whose Y is below Z, parts them
 *           only by bits inside of a word.
 *  Errors   BANKS when none of up to 5 bits does; NOT_DECIDED beyond TSR_WORK_BUDGET elements visited. */
TSR_API tsr_swizzle tsr_search_swizzle(tsr_lane_access const *a, int count);

/** As many layouts of two modes as a tiler holds. */
enum { TSR_ACCESSES_ = TSR_MAX_LEAVES / 2 };

/** The swizzle of the fewest bits (then the least base and shift, S before -S) under which every access of <A,B,..>
 *  goes in one round. The accesses are layouts over the unswizzled memory.
 *  Errors   BANKS when no swizzle serves them, those of bank_conflicts.
 *  Example  find_swizzle<half_t>((_8,_8):(_64,_1))  =  Sw<3,3,3> */
TSR_API tsr_swizzle tsr_find_swizzle(tsr_tiler accesses, tsr_dtype type);

TSR_HEADER_END

#endif
