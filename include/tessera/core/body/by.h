/** The bodies of core/by.h. */
#ifndef TSR_CORE_BODY_BY_H
#define TSR_CORE_BODY_BY_H

#include "tessera/core/by.h"
#include "tessera/core/body/product.h"

TSR_HEADER_BEGIN

#ifndef __cplusplus

TSR_INTERNAL void tsr_put_by_tuple_(tsr_layout *r, tsr_by_op_ op, tsr_layout const *l, tsr_tuple const *t)
{
    tsr_layout by TSR_SCRATCH;
    tsr_begin_(&by);
    tsr_tile_tuple_(&by, t);
    if (by.shape.status) /* which is the result */
        by = tsr_invalid_layout(by.shape);
    op(r, l, &by);
}

#  define TSR_BY_(name)                                                    \
    TSR_OP tsr_layout tsr_##name##_by_layout_(tsr_layout l, tsr_layout by) \
    {                                                                      \
      tsr_layout r TSR_SCRATCH;                                            \
      tsr_begin_(&r);                                                      \
      tsr_##name##_into_(&r, &l, &by);                                     \
      return r;                                                            \
    }                                                                      \
    TSR_OP tsr_layout tsr_##name##_by_tuple_(tsr_layout l, tsr_tuple by)   \
    {                                                                      \
      tsr_layout r TSR_SCRATCH;                                            \
      tsr_begin_(&r);                                                      \
      tsr_put_by_tuple_(&r, tsr_##name##_into_, &l, &by);                  \
      return r;                                                            \
    }                                                                      \
    TSR_OP tsr_layout tsr_##name##_by_int_(tsr_layout l, int64_t by)       \
    {                                                                      \
      return tsr_##name##_by_tuple_(l, tsr_int(by));                       \
    }
TSR_BY_BOTH_(TSR_BY_)
TSR_BY_PRODUCTS_(TSR_BY_)
#  undef TSR_BY_

#endif

TSR_HEADER_END

#endif
