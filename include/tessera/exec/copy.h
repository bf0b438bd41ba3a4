/** Copy: element i of the source to element i of the destination, for any layouts of one size and any types.
 *
 *  Law     after copy(s, d), d(i) = s(i), converted to d's type; copying back gives s again where d's type holds its
 *          numbers.
 *  Errors  those of a plan (exec/plan.h); nothing is copied then.
 *  Source  CuTe, include/cute/algorithm/copy.hpp.
 */
#ifndef TSR_EXEC_COPY_H
#define TSR_EXEC_COPY_H

#include "tessera/exec/run.h"

TSR_HEADER_BEGIN

/** copy(s, d). */
TSR_TRY tsr_reason tsr_copy(tsr_tensor const *s, tsr_tensor const *d);

/** copy(s, d) if accesses of exactly `bits` bits can do it. Errors: the reason why no access is that wide. */
TSR_TRY tsr_reason tsr_copy_aligned(tsr_tensor const *s, tsr_tensor const *d, int64_t bits);

/** The plan of the elements whose predicate is not 0. The others of s and d are not touched, so they may lie outside of
 *  the bounds. Where the predicate is that of a clip, those of d may also lie on elements that are chosen. */
TSR_TRY tsr_planned_copy tsr_copy_if_plan(tsr_tensor const *where, tsr_tensor const *s, tsr_tensor const *d);

/** Copies the elements whose predicate is not 0. To learn their number, run the plan. */
TSR_TRY tsr_reason tsr_copy_if(tsr_tensor const *where, tsr_tensor const *s, tsr_tensor const *d);

/* A call names tensors; where they are is what it passes (tensor/tensor.h). */
#ifdef __cplusplus
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_copy(tsr_tensor const &s, tsr_tensor const &d) { return tsr_copy(&s, &d); }
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_copy_aligned(tsr_tensor const &s, tsr_tensor const &d, int64_t bits)
{
    return tsr_copy_aligned(&s, &d, bits);
}
TSR_HOST_REF TSR_NODISCARD tsr_planned_copy tsr_copy_if_plan(tsr_tensor const &where, tsr_tensor const &s,
                                                             tsr_tensor const &d)
{
    return tsr_copy_if_plan(&where, &s, &d);
}
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_copy_if(tsr_tensor const &where, tsr_tensor const &s, tsr_tensor const &d)
{
    return tsr_copy_if(&where, &s, &d);
}
#else
#  define tsr_copy(s, d) tsr_copy(TSR_AT(s), TSR_AT(d))
#  define tsr_copy_aligned(s, d, bits) tsr_copy_aligned(TSR_AT(s), TSR_AT(d), bits)
#  define tsr_copy_if_plan(where, s, d) tsr_copy_if_plan(TSR_AT(where), TSR_AT(s), TSR_AT(d))
#  define tsr_copy_if(where, s, d) tsr_copy_if(TSR_AT(where), TSR_AT(s), TSR_AT(d))
#endif

TSR_HEADER_END

#endif
