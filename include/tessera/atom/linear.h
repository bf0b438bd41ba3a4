/** Linear maps as accesses to shared memory: bank conflicts by rank, and the swizzle that has the fewest.
 *
 *  An access is a map with one output, the offset in elements. The input `register` counts the values of a thread; the
 *  bits of all other inputs, in their order, count threads. Vectors and banks are those of atom/banks.h. An output
 *  `block` may say in which block of a cluster the offset is, if it is the block of the threads.
 *
 *  Law     Over the bits of a phase, W gives the words of an access and B their banks: their lowest bits.
 *          The access takes 2^(rank W - rank B) rounds, which is what bank_conflicts counts word by word.
 *  Source  arXiv 2505.23819, "Optimal swizzling".
 */
#ifndef TSR_ATOM_LINEAR_H
#define TSR_ATOM_LINEAR_H

#include "tessera/atom/banks.h"
#include "tessera/core/linear.h"

TSR_HEADER_BEGIN

/** The rounds of an access: 1 when it is free of conflicts.
 *  Errors   ACCESS_OUTPUTS unless the map has one output, beside those of size 1 and `block`; ACCESS_BLOCKS where
 *           threads reach the memory of another block; TYPE.
 *  Example  bank_conflicts<half_t>(linear_tv((_8,_8):(_64,_1)))  =  8 */
TSR_API tsr_tuple tsr_linear_bank_conflicts(tsr_linear access, tsr_dtype type);

/** The same of an access to these banks.
 *  Example  bank_conflicts<half_t>(linear_tv((_64,_8):(_64,_1)), banks=gfx950)  =  8 */
TSR_API tsr_tuple tsr_linear_bank_conflicts_on(tsr_linear access, tsr_banks banks, tsr_dtype type);

/** The number of elements that each thread moves at once: up to 16 bytes of the first registers, contiguous and
 *  aligned in every thread.
 *  Example  access_vector<half_t>(linear_tv((_8,_8):(_64,_1)))  =  8 */
TSR_API tsr_tuple tsr_linear_access_vector(tsr_linear access, tsr_dtype type);

/** The permutation of shared memory under which two accesses, a store and a load, take the fewest rounds. It is a map
 *  from offset to offset: composition(S, a) is the access behind it.
 *
 *  Law      The rounds of a and of b together are counted, all vectors of both. S has the fewest of all maps that keep
 *           the vectors of both, or that lay the first values of one access, or of both, side by side as a longer
 *           vector. A vector of the other access may then be shorter than before. Words that share a bank differ by H,
 *           which avoids the threads of both as far as their ranks allow. The swizzle of find_swizzle never has fewer
 *           rounds.
 *  Errors   those of bank_conflicts; LINEAR_NAMESAKE where the outputs have different names. */
TSR_API tsr_linear tsr_linear_optimal_swizzle(tsr_linear a, tsr_linear b, tsr_dtype type);

/** The same on these banks: the store `a` on those of their writes. Where a store and a load have rows of different
 *  lengths, S parts each by its own. */
TSR_API tsr_linear tsr_linear_optimal_swizzle_on(tsr_linear a, tsr_linear b, tsr_banks banks, tsr_dtype type);

TSR_HEADER_END

#endif
