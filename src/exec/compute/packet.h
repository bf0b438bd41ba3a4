/* Packets: the floats of a vector register. Each instruction set has one header of them, and all loops of floats are
 * written once, in these words. The file that includes this says VECTOR, the bytes of a register, or has NEON.
 *
 *      PACKET, UNIT, BLOCK               floats of a packet; packets that are loaded at once, and that loops take
 *      packet_f32, packet_f64            PACKET floats, half as many doubles, with + - * /
 *      packet_u32, packet_u16            PACKET integers, with + - & | << >>
 *      all_f32(x), all_f64(x), all_u32(x)
 *      min_u32(x, y), max_u32(x, y)
 *      low_f64(x), high_f64(x)           the halves of a packet
 *      nearest_f32(low, high)            two halves as floats, to the nearest
 *      odd_f32(low, high)                two halves as floats that a shorter format rounds as if they were rounded once
 *      load_packets(type, p, n, x)       n packets, UNIT or a multiple of it; NaN is left as it lies
 *      store_packets(type, q, n, old, x) NaN, one pattern, where `old` or x is that; for formats of eight bits old is x
 *      load_buffer(bytes, p, n, buffer)  the first n elements of `bytes` bytes, at most a unit; the others are any
 *      store_buffer(bytes, q, n, buffer) the same back; nothing else is read or written in memory
 *
 *  Law     those of exec/compute/patterns.h.
 */
#ifndef TSR_SRC_EXEC_COMPUTE_PACKET_H
#define TSR_SRC_EXEC_COMPUTE_PACKET_H

#include <string.h>

#include "exec/neon.h"
#include "tessera/base/dtype.h"

#define INLINED static inline __attribute__((always_inline))
#define EACH_OF(n) TSR_UNROLL for (int i = 0; i < (n); ++i)

#if VECTOR == 64
#  include "exec/compute/packet_avx512.h"
#elif VECTOR == 32
#  include "exec/compute/packet_avx2.h"
#elif TSR_NEON
#  include "exec/compute/packet_neon.h"
#endif

#if !defined(ROOM_BY_MASKS)
INLINED void load_buffer(int const bytes, void const *p, int64_t n, unsigned char *buffer)
{
    memcpy(buffer, p, (size_t)(n * bytes));
}

INLINED void store_buffer(int const bytes, void *q, int64_t n, unsigned char const *buffer)
{
    memcpy(q, buffer, (size_t)(n * bytes));
}
#endif

/** X(id): the types whose lines are converted a packet at a time. */
#define FLOAT_TYPES(X) X(F32) X(BF16) X(F16) X(F8_E4M3FN) X(F8_E5M2)

/** Of one of these types, which is then a constant: X(id). */
#define SWITCH_FLOATS(type, X) \
  switch ((int)(type)) {       \
    FLOAT_TYPES(X)             \
  default:                     \
    break;                     \
  }

INLINED bool in_floats(tsr_dtype type)
{
#define X(id) || type == TSR_##id
    return false FLOAT_TYPES(X);
#undef X
}

#endif
