/** Bit operations on integers and on partly static bits.
 *
 *  A mixed value is M_s|(d&f): bits s are known to be set when code is generated, bits f only at run time. It is
 *  what a swizzled layout keeps of a slice. Against a dynamic integer it decays to one.
 *  Source  CuTe, include/cute/swizzle.hpp (MixedBits) and numeric/math.hpp.
 */
#ifndef TSR_CORE_BITS_H
#define TSR_CORE_BITS_H

#include "tessera/core/shape.h"

TSR_HEADER_BEGIN

/** a & b of two leaves, integers or partly static bits. */
TSR_OP tsr_leaf tsr_leaf_and(tsr_leaf a, tsr_leaf b);

/** a or b, bit by bit, of two leaves. */
TSR_OP tsr_leaf tsr_leaf_or(tsr_leaf a, tsr_leaf b);

/** a ^ b of two leaves. */
TSR_OP tsr_leaf tsr_leaf_xor(tsr_leaf a, tsr_leaf b);

/** a shifted left by n bits. */
TSR_OP tsr_leaf tsr_leaf_shl(tsr_leaf a, tsr_leaf n);

/** a shifted right by n bits. */
TSR_OP tsr_leaf tsr_leaf_shr(tsr_leaf a, tsr_leaf n);

/** Shifts whose count may be negative, which is the other direction. */
TSR_OP tsr_leaf tsr_leaf_shiftl(tsr_leaf a, tsr_leaf n);

/** a shifted right by n bits; left for a negative n. */
TSR_OP tsr_leaf tsr_leaf_shiftr(tsr_leaf a, tsr_leaf n);

/** s | (d & f) with s and f static: mixed when d is dynamic and f has bits that s lacks, otherwise static. */
TSR_OP tsr_tuple tsr_make_mixed_bits(tsr_tuple s, tsr_tuple d, tsr_tuple f);

/** The bits that a coordinate into a layout of power-of-two extents contributes, each known or not. */
TSR_OP tsr_tuple tsr_to_mixed_bits(tsr_tuple shape, tsr_tuple stride, tsr_tuple coord);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/bits.h"
#endif

#endif
