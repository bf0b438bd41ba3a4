/** The bodies of tensor/engine.h. */
#ifndef TSR_TENSOR_BODY_ENGINE_H
#define TSR_TENSOR_BODY_ENGINE_H

#include "tessera/tensor/engine.h"

TSR_HEADER_BEGIN

/** How many elements a swizzled pointer keeps together: 2^M bytes. */
TSR_LOCAL int64_t tsr_kept_together_(tsr_engine const *e)
{
    int64_t const bits = tsr_engine_bits(*e), kept = (int64_t)8 << e->swizzle.base;
    return e->swizzle.bits == 0 ? TSR_INT_MAX : kept > bits ? kept / bits : 1;
}

TSR_OP tsr_engine tsr_counting_iter(tsr_tuple n)
{
    return tsr_engine_of_(TSR_COUNTING, n.status || tsr_leaf_is_int(tsr_as_leaf_(n))
                                            ? n
                                            : tsr_bad_tuple(TSR_NOT_INTEGER, 0, tsr_mode_count(&n), 0, 0));
}

TSR_LOCAL tsr_engine tsr_ptr_(tsr_space space, tsr_tuple address, tsr_dtype type)
{
    tsr_engine r = tsr_engine_of_(TSR_POINTER, address.status ? address : tsr_s(0));
    tsr_leaf const a = tsr_as_leaf_(address);
    if (!r.at.status && (!tsr_leaf_is_int(a) || a.value < 0))
        r.at = tsr_bad_tuple(TSR_NEGATIVE, 0, a.value, 0, 0);
    if (!r.at.status && tsr_dtype_bits(type) == 0)
        r.at = tsr_bad_tuple(TSR_TYPE, 0, 0, 0, 0);
    r.space = (uint8_t)space;
    r.type = type;
    r.address = (uint64_t)a.value;
    return r;
}

TSR_OP tsr_engine tsr_gmem_ptr(tsr_tuple address, tsr_dtype type) { return tsr_ptr_(TSR_GMEM, address, type); }

TSR_OP tsr_engine tsr_smem_ptr(tsr_tuple address, tsr_dtype type) { return tsr_ptr_(TSR_SMEM, address, type); }

TSR_OP tsr_engine tsr_rmem_ptr(tsr_tuple address, tsr_dtype type) { return tsr_ptr_(TSR_RMEM, address, type); }

TSR_OP tsr_engine tsr_tmem_ptr(tsr_tuple address, tsr_dtype type)
{
    tsr_engine r = tsr_ptr_(TSR_TMEM, address, type);
    if (!r.at.status && (r.address > 0xffffffffu || !tsr_is_pow2(tsr_dtype_bits(type)) || tsr_dtype_bits(type) > 32))
        r.at = tsr_bad_tuple(TSR_TYPE, 0, 0, 0, 0);
    return r;
}

TSR_HEADER_END

#endif
