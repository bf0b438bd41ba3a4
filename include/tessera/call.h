/** The operations as symbols of the compiled library, for other languages: tsrc_NAME does what tsr_NAME does.
 *  Made from the table in ops.h, and from the lists in ops/memory.h and ops/move.h. */
#ifndef TSR_CALL_H
#define TSR_CALL_H

#include "tessera/ops.h"
#include "tessera/ops/memory.h"
#include "tessera/ops/move.h"

#define TSR_TYPE_T tsr_tuple
#define TSR_TYPE_L tsr_layout
#define TSR_TYPE_W tsr_swizzle
#define TSR_TYPE_X tsr_offset_layout
#define TSR_TYPE_D tsr_verdict
#define TSR_TYPE_E tsr_engine
#define TSR_TYPE_G tsr_tensor
#define TSR_TYPE_R tsr_tiler
#define TSR_TYPE_A tsr_mma_atom
#define TSR_TYPE_C tsr_copy_atom
#define TSR_TYPE_H tsr_tiled_mma
#define TSR_TYPE_K tsr_tiled_copy
#define TSR_TYPE_J tsr_tiled_layout
#define TSR_TYPE_S tsr_smem_layout
#define TSR_TYPE_F tsr_tma_desc
#define TSR_TYPE_I tsr_tma_copy
#define TSR_TYPE_O tsr_tma_op
#define TSR_TYPE_Y tsr_tma_types
#define TSR_TYPE_N int64_t
#define TSR_TYPE_B tsr_dtype
#define TSR_TYPE_P tsr_tuple
#define TSR_TYPE_U tsr_tuple
#define TSR_TYPE_V tsr_tuple
#define TSR_TYPE_Q tsr_tiler
#define TSR_TYPE_M tsr_tiler

#define TSR_PARAMS_1(p) TSR_TYPE_##p a
#define TSR_PARAMS_2(p, q) TSR_TYPE_##p a, TSR_TYPE_##q b
#define TSR_PARAMS_3(p, q, r) TSR_TYPE_##p a, TSR_TYPE_##q b, TSR_TYPE_##r c
#define TSR_PARAMS_4(p, q, r, s) TSR_TYPE_##p a, TSR_TYPE_##q b, TSR_TYPE_##r c, TSR_TYPE_##s d
#define TSR_PARAMS_6(p, q, r, s, t, u) \
    TSR_TYPE_##p a, TSR_TYPE_##q b, TSR_TYPE_##r c, TSR_TYPE_##s d, TSR_TYPE_##t e, TSR_TYPE_##u f
#define TSR_PARAMS_8(p, q, r, s, t, u, v, w) TSR_PARAMS_6(p, q, r, s, t, u), TSR_TYPE_##v g, TSR_TYPE_##w h
#define TSR_PARAMS(...) TSR_CAT(TSR_PARAMS_, TSR_NARG(__VA_ARGS__))(__VA_ARGS__)

#define X(name, fn, result, args, ...) TSR_API TSR_TYPE_##result tsrc_##fn(TSR_PARAMS args);
#define A(name, fn, result, args, ...)
TSR_OPS(X, A)
#undef X
#undef A

#endif
