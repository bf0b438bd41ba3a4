/** The functions that move elements: as the list in ops/memory.h, compiled for speed (src/exec/move.c). */
#ifndef TSR_OPS_MOVE_H
#define TSR_OPS_MOVE_H

#include "tessera/exec/transform.h"

TSR_HEADER_BEGIN

/* clang-format off */
#define TSR_MOVE_LIST(X) \
    X(tsr_reason, copy, (tsr_tensor s, tsr_tensor d), (s, d)) \
    X(tsr_reason, copy_if, (tsr_tensor p, tsr_tensor s, tsr_tensor d), (p, s, d)) \
    X(tsr_plan, plan_copy, (tsr_tensor s, tsr_tensor d), (s, d)) \
    X(tsr_plan, plan_copy_if, (tsr_tensor p, tsr_tensor s, tsr_tensor d), (p, s, d)) \
    X(int64_t, plan_run, (tsr_plan const *p, tsr_tensor const *where, tsr_tensor const *s, tsr_tensor const *d, \
                          int64_t first, int64_t last), (p, where, s, d, first, last)) \
    X(int64_t, plan_run_at, (tsr_plan const *p, void *to, void const *from, int64_t first, int64_t last), \
      (p, to, from, first, last)) \
    X(tsr_reason, fill, (tsr_tensor t, tsr_number x), (t, x)) \
    X(tsr_reason, clear, (tsr_tensor t), (t)) \
    X(tsr_reason, transform, (tsr_tensor s, tsr_tensor d, tsr_function f, void const *context), (s, d, f, context)) \
    X(tsr_reason, transform_2, (tsr_tensor x, tsr_tensor y, tsr_tensor z, tsr_binary_function f, void const *context), \
      (x, y, z, f, context)) \
    X(tsr_reason, transform_reals, (tsr_tensor s, tsr_tensor d, tsr_real_function f, void const *context), \
      (s, d, f, context)) \
    X(tsr_reason, transform_reals_2, \
      (tsr_tensor x, tsr_tensor y, tsr_tensor z, tsr_real_function_2 f, void const *context), \
      (x, y, z, f, context)) \
    X(tsr_reason, reduce, (tsr_tensor t, tsr_operator op, tsr_number *x), (t, op, x)) \
    X(tsr_reason, axpby, (tsr_number a, tsr_tensor x, tsr_number b, tsr_tensor y), (a, x, b, y)) \
    X(tsr_reason, apply, (int function, tsr_tensor x, tsr_tensor y), (function, x, y)) \
    X(tsr_plan, plan_apply, (int function, tsr_number a, tsr_tensor x, tsr_number b, tsr_tensor y), \
      (function, a, x, b, y)) \
    X(tsr_reason, reduce_to, (int op, tsr_tensor from, tsr_tensor to), (op, from, to)) \
    X(tsr_reduce_plan, plan_reduce, (int op, tsr_tensor from, tsr_tensor to), (op, from, to))
/* clang-format on */

#define TSR_DECLARE_(result, fn, parameters, names) TSR_API result tsrc_##fn parameters;
TSR_MOVE_LIST(TSR_DECLARE_)
#undef TSR_DECLARE_

TSR_HEADER_END

#endif
