/* Lines of floats of up to 32 bits to others, four packets at a time, where the row has packets.
 *
 *  Law     those of exec/compute/convert.h: NaN is one pattern.
 */
#include "exec/compute/packet.h"

#if defined(PACKET)
#  define CONVERTED 4

INLINED void convert_packets(tsr_dtype const to_type, unsigned char *to, tsr_dtype const from_type,
                             unsigned char const *from, int const n)
{
    packet_f32 x[CONVERTED];
    load_packets(from_type, from, n, x);
    store_packets(to_type, to, n, x, x);
}

/** n elements of constant types. */
INLINED void convert_line_of(tsr_dtype const to_type, unsigned char *to, tsr_dtype const from_type,
                             unsigned char const *from, int64_t n)
{
    int64_t const t = tsr_dtype_bits(to_type) / 8, f = tsr_dtype_bits(from_type) / 8;
    int64_t i = 0;
    for (; i + CONVERTED * PACKET <= n; i += CONVERTED * PACKET)
        convert_packets(to_type, to + i * t, from_type, from + i * f, CONVERTED);
    for (; UNIT < CONVERTED && i + UNIT * PACKET <= n; i += UNIT * PACKET)
        convert_packets(to_type, to + i * t, from_type, from + i * f, UNIT);
    if (i < n) {
        _Alignas(64) unsigned char in[UNIT * PACKET * 4] = {0}, out[UNIT * PACKET * 4];
        load_buffer((int)f, from + i * f, n - i, in);
        convert_packets(to_type, out, from_type, in, UNIT);
        store_buffer((int)t, to + i * t, n - i, out);
    }
}

INLINED void convert_line_from(tsr_dtype const from_type, tsr_dtype to_type, unsigned char *to,
                               unsigned char const *from, int64_t n)
{
#  define X(id)                                        \
  case TSR_##id:                                       \
    convert_line_of(TSR_##id, to, from_type, from, n); \
    break;
    SWITCH_FLOATS(to_type, X)
#  undef X
}

#  if TSR_NEON
/** A multiple of four packets to bf16 by the instructions for it, which not every processor has; how many. */
#    include "exec/target_dots.h"
static int64_t convert_line_to_bf16(unsigned char *to, tsr_dtype from_type, unsigned char const *from, int64_t n)
{
    int64_t i = 0;
#    define X(id)                                                                \
    case TSR_##id:                                                               \
      for (; i + CONVERTED * PACKET <= n; i += CONVERTED * PACKET) {             \
        packet_f32 x[CONVERTED];                                                 \
        load_packets(TSR_##id, from + i * ((TSR_##id) % 256 / 8), CONVERTED, x); \
        store_bf16(to + 2 * i, x);                                               \
      }                                                                          \
      break;
    SWITCH_FLOATS(from_type, X)
#    undef X
    return i;
}
#    include "exec/target_end.h"
#  endif

static void convert_line(tsr_dtype to_type, unsigned char *to, tsr_dtype from_type, unsigned char const *from,
                         int64_t n)
{
#  if TSR_NEON
    if (to_type == TSR_BF16 && tsr_engine_has_neon_(TSR_NEON_BF16)) {
        int64_t const done = convert_line_to_bf16(to, from_type, from, n);
        to += 2 * done;
        from += done * (tsr_dtype_bits(from_type) / 8);
        n -= done;
    }
#  endif
#  define X(id)                                        \
  case TSR_##id:                                       \
    convert_line_from(TSR_##id, to_type, to, from, n); \
    break;
    SWITCH_FLOATS(from_type, X)
#  undef X
}

/** Whether these are lines of such floats, which are then converted. */
static bool convert_floats(tsr_dtype t, void *to, int64_t to_step, tsr_dtype f, void const *from, int64_t from_step,
                           int64_t n, int64_t lines)
{
    if (!in_floats(t) || !in_floats(f))
        return false;
    for (int64_t i = 0; i < lines; ++i)
        convert_line(t, (unsigned char *)to + i * to_step, f, (unsigned char const *)from + i * from_step, n);
    return true;
}
#else
static bool convert_floats(tsr_dtype t, void *to, int64_t to_step, tsr_dtype f, void const *from, int64_t from_step,
                           int64_t n, int64_t lines)
{
    (void)t, (void)to, (void)to_step, (void)f, (void)from, (void)from_step, (void)n, (void)lines;
    return false;
}
#endif
