/** Composition, divides and products by a layout, a tuple or an integer: the macros of C choose by type (generic.h).
 *
 *  Law  tsr_composition_by_layout_(l, by) = tsr_composition_by(l, tsr_tiler_of_layout(by)). So is every operation here,
 *       and so are tuples and integers.
 *
 *  A tiler has 600 bytes. A caller in C that makes one copies it three times. These functions make it where it is read.
 */
#ifndef TSR_CORE_BY_H
#define TSR_CORE_BY_H

#include "tessera/core/product.h"

TSR_HEADER_BEGIN

/* clang-format off */
/* The operations that tensors have, too, and those of layouts only. */
#define TSR_BY_BOTH_(X) \
    X(composition) X(logical_divide) X(zipped_divide) X(tiled_divide) X(flat_divide)
/* clang-format on */
#define TSR_BY_PRODUCTS_(X) X(logical_product) X(zipped_product) X(tiled_product) X(flat_product)

#ifndef __cplusplus /* which has overloads */

#  define TSR_BY_(name)                                                     \
    TSR_OP tsr_layout tsr_##name##_by_layout_(tsr_layout l, tsr_layout by); \
    TSR_OP tsr_layout tsr_##name##_by_tuple_(tsr_layout l, tsr_tuple by);   \
    TSR_OP tsr_layout tsr_##name##_by_int_(tsr_layout l, int64_t by);
TSR_BY_BOTH_(TSR_BY_)
TSR_BY_PRODUCTS_(TSR_BY_)
#  undef TSR_BY_

typedef void (*tsr_by_op_)(tsr_layout *, tsr_layout const *, tsr_layout const *);

/** op(l, t) into r, which has no modes. */
TSR_INTERNAL void tsr_put_by_tuple_(tsr_layout *r, tsr_by_op_ op, tsr_layout const *l, tsr_tuple const *t);

#endif

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/by.h"
#endif

#endif
