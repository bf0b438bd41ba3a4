/** The contiguous elements that two layouts have in common: what can be copied from one to the other at once.
 *
 *  Law     max_common_layout(a, b) = R with a(R(i)) = a(R(0)) + i and b(R(i)) = b(R(0)) + i for every i < size(R);
 *          a(R(0)) is 0, or what the swizzle makes of an offset. max_common_vector is the size of such an R. Only
 *          static modes count; a swizzle keeps runs of 2^M together, less where its offset begins inside of one, and
 *          two equal ones with one offset those that they permute.
 *  Source  CuTe, include/cute/layout.hpp and swizzle_layout.hpp.
 */
#ifndef TSR_CORE_COMMON_H
#define TSR_CORE_COMMON_H

#include "tessera/core/inverse.h"

TSR_HEADER_BEGIN

/** The contiguous elements that two layouts share, as a layout of their coordinates.
 *  Errors: SWIZZLE_TWICE, those of right_inverse. */
TSR_OP tsr_layout tsr_max_common_layout(tsr_layout a, tsr_layout b);

/** The number of contiguous elements that two layouts share, a static integer. */
TSR_OP tsr_tuple tsr_max_common_vector(tsr_layout a, tsr_layout b);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/common.h"
#endif

#endif
