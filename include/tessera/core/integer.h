/** The integers of a calculation: C's operators with static and dynamic propagated (core/leaf.h). */
#ifndef TSR_CORE_INTEGER_H
#define TSR_CORE_INTEGER_H

#include "tessera/core/bits.h"
#include "tessera/core/stride.h"

TSR_HEADER_BEGIN

/** The negative of an integer or a basis element; of a coordinate, leaf by leaf.
 *  Example  ineg((1,_2@1))  =  (-1,_-2@1) */
TSR_OP tsr_tuple tsr_ineg(tsr_tuple a);

/** a - b of integers and of coordinates. Law: add(isub(a, b), b) = a, the shorter coordinate padded with _0.
 *  Example  isub((5,3), (1,2,4))  =  (4,1,-4) */
TSR_OP tsr_tuple tsr_isub(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_imul(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_idiv(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_imod(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_iand(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_ior(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_ixor(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_ishl(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_ishr(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_ilt(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_igt(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_ile(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_ige(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_ieq(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_ine(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_land(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_lor(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_inot(tsr_tuple a);

TSR_OP tsr_tuple tsr_abs(tsr_tuple a);

TSR_OP tsr_tuple tsr_signum(tsr_tuple a);

TSR_OP tsr_tuple tsr_lcm(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_safe_div(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_shiftl(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_shiftr(tsr_tuple a, tsr_tuple b);

/* The same questions of one mode of a tuple; the path () asks of the whole. */

TSR_OP tsr_tuple tsr_tuple_rank_of(tsr_tuple t, tsr_tuple path);

TSR_OP tsr_tuple tsr_tuple_depth_of(tsr_tuple t, tsr_tuple path);

TSR_OP tsr_tuple tsr_tuple_size_of(tsr_tuple t, tsr_tuple path);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/integer.h"
#endif

#endif
