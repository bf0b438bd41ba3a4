/* Lines of floats of up to 32 bits to others, a vector of floats at a time, where the row has instructions for them.
 *
 *  Law     those of exec/compute/convert.h: NaN is one pattern.
 */
#if VECTOR == 64
#  include "exec/compute/sixteen.h"
#  define FLOATS 16
#  define INLINED SIXTEEN
#  define load_floats load_sixteen
#  define store_floats store_sixteen
typedef __m512 floats;
#elif VECTOR == 32
#  include "exec/compute/eight.h"
#elif TSR_NEON
#  include "exec/compute/neon.h"
#endif
#if VECTOR == 32
/** Four vectors at a time to formats of eight bits, whose elements are packed together; how many elements. */
INLINED int64_t convert_bytes_of(tsr_dtype const to_type, unsigned char *to, tsr_dtype const from_type,
                                 unsigned char const *from, int64_t n)
{
    int64_t const f = tsr_dtype_bits(from_type) / 8;
    int64_t i = 0;
    for (; tsr_dtype_bits(to_type) == 8 && i + 4 * FLOATS <= n; i += 4 * FLOATS) {
        floats x[4];
        TSR_UNROLL
        for (int k = 0; k < 4; ++k)
            x[k] = load_floats(from_type, from + (i + k * FLOATS) * f);
        store_bytes(to_type, to + i, x);
    }
    return i;
}
#elif defined(FLOATS)
#  define convert_bytes_of(to_type, to, from_type, from, n) 0
#endif
#if defined(FLOATS)
/** n elements, a multiple of FLOATS, of constant types: a loop knows the constants of both. */
INLINED void convert_line_of(tsr_dtype const to_type, unsigned char *to, tsr_dtype const from_type,
                             unsigned char const *from, int64_t n)
{
    for (int64_t i = convert_bytes_of(to_type, to, from_type, from, n); i < n; i += FLOATS) {
        floats const x = load_floats(from_type, from + i * (tsr_dtype_bits(from_type) / 8));
        store_floats(to_type, to + i * (tsr_dtype_bits(to_type) / 8), one_nan(x, x));
    }
}

INLINED void convert_line_from(tsr_dtype const from_type, tsr_dtype to_type, unsigned char *to,
                               unsigned char const *from, int64_t n)
{
    switch ((int)to_type) {
#  define X(id)                                        \
  case TSR_##id:                                       \
    convert_line_of(TSR_##id, to, from_type, from, n); \
    break;
        FLOAT_TYPES(X)
#  undef X
    default:
        break;
    }
}

#  if TSR_NEON
/** To bf16 by the instructions for it, which not every processor has. */
#    include "exec/target_dots.h"
static void convert_line_to_brains(unsigned char *to, tsr_dtype from_type, unsigned char const *from, int64_t n)
{
    switch ((int)from_type) {
#    define X(id)                                                                  \
    case TSR_##id:                                                                 \
      for (int64_t i = 0; i < n; i += FLOATS) {                                    \
        floats const x = load_floats(TSR_##id, from + i * ((TSR_##id) % 256 / 8)); \
        store_brains(to + 2 * i, one_nan(x, x));                                   \
      }                                                                            \
      break;
        FLOAT_TYPES(X)
#    undef X
    default:
        break;
    }
}
#    include "exec/target_end.h"
#  endif

static void convert_line(tsr_dtype to_type, unsigned char *to, tsr_dtype from_type, unsigned char const *from,
                         int64_t n)
{
#  if TSR_NEON
    if (to_type == TSR_BF16 && tsr_engine_has_neon_(TSR_NEON_BRAINS)) {
        convert_line_to_brains(to, from_type, from, n);
        return;
    }
#  endif
    switch ((int)from_type) {
#  define X(id)                                        \
  case TSR_##id:                                       \
    convert_line_from(TSR_##id, to_type, to, from, n); \
    break;
        FLOAT_TYPES(X)
#  undef X
    default:
        break;
    }
}

/** Whether these are lines of such floats, which are then converted. */
static bool convert_sixteens(tsr_dtype t, void *to, int64_t to_step, tsr_dtype f, void const *from, int64_t from_step,
                             int64_t n, int64_t lines)
{
    int64_t const whole = n & -FLOATS, rest = n - whole;
    int64_t const to_bytes = tsr_dtype_bits(t) / 8, from_bytes = tsr_dtype_bits(f) / 8;
    if (!in_floats(t) || !in_floats(f))
        return false;
    for (int64_t line = 0; line < lines; ++line) {
        unsigned char *const q = (unsigned char *)to + line * to_step;
        unsigned char const *const p = (unsigned char const *)from + line * from_step;
        convert_line(t, q, f, p, whole);
        if (rest > 0) {
            unsigned char in[FLOATS * 4] = {0}, out[FLOATS * 4];
            memcpy(in, p + whole * from_bytes, (size_t)(rest * from_bytes));
            convert_line(t, out, f, in, FLOATS);
            memcpy(q + whole * to_bytes, out, (size_t)(rest * to_bytes));
        }
    }
    return true;
}
#else
static bool convert_sixteens(tsr_dtype t, void *to, int64_t to_step, tsr_dtype f, void const *from, int64_t from_step,
                             int64_t n, int64_t lines)
{
    (void)t, (void)to, (void)to_step, (void)f, (void)from, (void)from_step, (void)n, (void)lines;
    return false;
}
#endif
