/** Why a value of this layer is invalid: a status, the dimension at fault, and the numbers of its sentence. */
#ifndef TSR_TILE_REASON_H
#define TSR_TILE_REASON_H

#include "tessera/core/tuple.h"

TSR_HEADER_BEGIN

/** The most dimensions on one side of a transform, and of a descriptor. */
#ifndef TSR_MAX_DIMS
#  define TSR_MAX_DIMS 16
#endif
TSR_SHARES(dims, TSR_MAX_DIMS)

/** An index: one integer a dimension. */
typedef struct tsr_index {
    uint8_t rank;
    int64_t at[TSR_MAX_DIMS];
} tsr_index;

/* Sums and products that wrap. An index inside its lengths never overflows, for makers check the reach; one far
 *  outside gives some offset, and is known not to be valid. */

TSR_FN int64_t tsr_wrap_add(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }

TSR_FN int64_t tsr_wrap_sub(int64_t a, int64_t b) { return (int64_t)((uint64_t)a - (uint64_t)b); }

TSR_FN int64_t tsr_wrap_mul(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/reason.h"
#endif

#endif
