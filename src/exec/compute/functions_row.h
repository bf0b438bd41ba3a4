/* f of lines of floats, a block of packets at a time: what is loaded becomes f of it and is stored, without a loop of
 * its own for each. The packets of exec/compute/packet_avx512.h multiply by powers of two with one instruction. */
#define EACH EACH_OF(BLOCK)

#define TSR_P_(name) name
#define TSR_P_FN_ INLINED
#define TSR_P_BLOCK_ BLOCK
#define TSR_P_EACH_ EACH
#define TSR_P_F32_ packet_f32
#define TSR_P_U32_ packet_u32
#define TSR_P_MASK_ packet_mask
#define TSR_P_POWER_ packet_power
#include "exec/compute/functions_list.h"

/* clang-format off */
/** X(id, what makes f(x) of the floats x, which `old` keeps): TSR_FUNCTION_LIST but for what
 *  exec/compute/update_direct.h makes. NaN may become any number. */
#define PACKET_FUNCTION_LIST(X)                             \
    X(SQUARE, EACH x[i] = x[i] * x[i])                      \
    X(EXP, exp_f32(x))                                        \
    X(LOG, EACH x[i] = log_f32(x[i]))                         \
    X(SQRT, EACH x[i] = sqrt_f32(x[i]))                     \
    X(RSQRT, EACH x[i] = 1.0f / sqrt_f32(x[i]))             \
    X(RCP, EACH x[i] = 1.0f / x[i])                         \
    X(TANH, tanh_f32(x))                                      \
    X(SIGMOID, EACH x[i] = all_f32(1); gated_f32(x, old))     \
    X(SILU, gated_f32(x, old))                                \
    X(GELU, gelu_f32(x))
/* clang-format on */

/** A block by f; the last elements of a line go through memory of their own. */
#define X(id, ...)                                                                \
  case TSR_OF_##id:                                                               \
    for (int64_t at = 0; at < n; at += MANY, from += MANY * bytes) {              \
      int64_t const rest = tsr_min64(n - at, MANY);                               \
      packet_f32 old[BLOCK], x[BLOCK];                                            \
      if (rest < MANY)                                                            \
        memcpy(buffer, from, (size_t)(rest * bytes));                             \
      load_packets(type, rest < MANY ? buffer : from, BLOCK, old);                \
      EACH x[i] = old[i];                                                         \
      __VA_ARGS__;                                                                \
      store_packets(type, rest < MANY ? buffer : to + at * bytes, BLOCK, old, x); \
      if (rest < MANY)                                                            \
        memcpy(to + at * bytes, buffer, (size_t)(rest * bytes));                  \
    }                                                                             \
    break;
INLINED void apply(tsr_dtype const type, int function, unsigned char *to, unsigned char const *from, int64_t n)
{
    unsigned char buffer[MANY * 4] = {0};
    int64_t const bytes = tsr_dtype_bits(type) / 8;
    switch (function) {
        PACKET_FUNCTION_LIST(X)
    default:
        break;
    }
}
#undef X

/** f of lines of one type, of at least 16 bits: bytes are looked up (exec/compute/convert_lines.c). False: f is not
 *  alone, and nothing is done. */
static bool apply_floats(tsr_update const *u, tsr_dtype to_type, unsigned char *to, tsr_dtype from_type,
                         unsigned char const *from, tsr_lines_ b)
{
    if (to_type != from_type || tsr_dtype_bits(to_type) == 8 || tsr_update_reads_(u)
        || tsr_number_to_double(u->alpha) != 1)
        return false;
    for (; b.lines > 0; --b.lines, to += b.to, from += b.from)
        if (to_type == TSR_F32)
            apply(TSR_F32, u->function, to, from, b.n);
        else if (to_type == TSR_BF16)
            apply(TSR_BF16, u->function, to, from, b.n);
        else
            apply(TSR_F16, u->function, to, from, b.n);
    return true;
}
