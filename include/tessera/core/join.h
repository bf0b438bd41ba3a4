/** Two layouts as one: append, prepend, replace, zip.
 *
 *  Law     R(l, x) = L(l) + X(x) on the modes as they are put together; a swizzle and an offset in front of L stay in
 *          front of all of it. A swizzled X adds its swizzled offsets: where no layout has these, FIT says where.
 *  Errors  BASIS_VALUES where a swizzle would be in front of basis strides; OVERFLOW where the joint size or offsets
 *          leave 64 bits; FIT; CAPACITY.
 *  Source  CuTe, include/cute/layout.hpp.
 */
#ifndef TSR_CORE_JOIN_H
#define TSR_CORE_JOIN_H

#include "tessera/core/fit.h"

TSR_HEADER_BEGIN

TSR_OP tsr_layout tsr_layout_append(tsr_layout l, tsr_layout x);

TSR_OP tsr_layout tsr_layout_prepend(tsr_layout l, tsr_layout x);

/** Copies of x at the end, or in front, up to rank n. */
TSR_OP tsr_layout tsr_layout_append_to(tsr_layout l, tsr_layout x, int64_t n);

TSR_OP tsr_layout tsr_layout_prepend_to(tsr_layout l, tsr_layout x, int64_t n);

/** Another mode n. */
TSR_OP tsr_layout tsr_layout_replace(tsr_layout l, tsr_layout x, int64_t n);

/** ((a,x),(b,y),...) of two layouts of the same rank. */
TSR_OP tsr_layout tsr_zip_layouts(tsr_layout a, tsr_layout b);

/** _1:_0 appended or prepended, once or up to rank n. */
TSR_OP tsr_layout tsr_layout_append_pad(tsr_layout l);

TSR_OP tsr_layout tsr_layout_prepend_pad(tsr_layout l);

TSR_OP tsr_layout tsr_layout_pad(tsr_layout l, int64_t n);

TSR_OP tsr_layout tsr_layout_pad_front(tsr_layout l, int64_t n);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/join.h"
#endif

#endif
