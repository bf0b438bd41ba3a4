/** The functions that read and write memory: X(result, function, (parameters), (their names)). They are no rows of the
 *  calculator, whose pointers point nowhere; the library exports them as it does the operations. */
#ifndef TSR_OPS_MEMORY_H
#define TSR_OPS_MEMORY_H

#include "tessera/exec/einsum.h"
#include "tessera/tensor/clip.h"
#include "tessera/tensor/like.h"
#include "tessera/tensor/map.h"

TSR_HEADER_BEGIN

/* clang-format off */
#define TSR_MEMORY_LIST(X) \
    X(tsr_reason, readable, (tsr_tensor t), (t)) \
    X(tsr_tensor, in_memory, (tsr_tensor t, void *memory), (t, memory)) \
    X(tsr_reason, writable, (tsr_tensor t), (t)) \
    X(tsr_reason, within, (tsr_tensor t, void const *base, uint64_t bytes), (t, base, bytes)) \
    X(tsr_reason, in_bounds, (tsr_tensor t), (t)) \
    X(tsr_clip, clipped_tile, (tsr_tensor t, tsr_tiler tiler, tsr_tuple coord), (t, tiler, coord)) \
    X(tsr_reason, aligned, (tsr_tensor t, int64_t bytes), (t, bytes)) \
    X(tsr_reason, disjoint, (tsr_tensor a, tsr_tensor b), (a, b)) \
    X(tsr_engine, scale_iter, (tsr_engine e, double factor), (e, factor)) \
    X(tsr_engine, transform_iter, (tsr_engine e, tsr_function f, void const *context), (e, f, context)) \
    X(tsr_engine, inside_iter, (tsr_engine e, tsr_tuple const *shape), (e, shape)) \
    X(tsr_reason, tensor_read, (tsr_tensor t, tsr_tuple coord, tsr_number *x), (t, coord, x)) \
    X(tsr_reason, tensor_write, (tsr_tensor t, tsr_tuple coord, tsr_number x), (t, coord, x)) \
    X(tsr_accesses, copy_vector, (tsr_tensor s, tsr_tensor d, int64_t max_bits), (s, d, max_bits)) \
    X(tsr_reason, copy_aligned, (tsr_tensor s, tsr_tensor d, int64_t bits), (s, d, bits)) \
    X(tsr_reason, gemm, (tsr_tensor a, tsr_tensor b, tsr_tensor c), (a, b, c)) \
    X(tsr_reason, gemm_with, (tsr_tensor a, tsr_tensor b, tsr_tensor c, tsr_epilogue const *e), (a, b, c, e)) \
    X(tsr_reason, gemm_by_element, (tsr_tensor a, tsr_tensor b, tsr_tensor c, tsr_epilogue const *e), (a, b, c, e)) \
    X(tsr_reason, einsum, (char const *text, tsr_tensor a, tsr_tensor b, tsr_tensor c), (text, a, b, c)) \
    X(tsr_reason, einsum_with, (char const *text, tsr_tensor a, tsr_tensor b, tsr_tensor c, tsr_epilogue const *e), \
      (text, a, b, c, e)) \
    X(tsr_reason, gemm_into, (tsr_tensor d, tsr_tensor a, tsr_tensor b, tsr_tensor c), (d, a, b, c))
/* clang-format on */

#define TSR_DECLARE_(result, fn, parameters, names) TSR_API result tsrc_##fn parameters;
TSR_MEMORY_LIST(TSR_DECLARE_)
#undef TSR_DECLARE_

TSR_HEADER_END

#endif
