/* The elements of reductions by what the compiler makes of vectors (exec/compute/reduce_row.h). */
#define WIDENED(name, T, n, TO)                      \
  ALWAYS TO widened_##name(unsigned char const *p)   \
  {                                                  \
    T __attribute__((vector_size(n * sizeof(T)))) x; \
    memcpy(&x, p, sizeof x);                         \
    return __builtin_convertvector(x, TO);           \
  }
WIDENED(halves, uint16_t, EACH, halves)
WIDENED(i32, int32_t, EACH, integers)
WIDENED(u32, uint32_t, EACH, integers)
WIDENED(f32, float, EACH, reals)
#if !REDUCE_NEON
WIDENED(i8, int8_t, SMALLS, smalls)
WIDENED(u8, uint8_t, SMALLS, smalls)
WIDENED(i16, int16_t, SMALLS, smalls)
WIDENED(u16, uint16_t, SMALLS, smalls)

#  define SMALLS_AT_ONCE 1

ALWAYS void load_smalls(tsr_dtype const type, unsigned char const *p, smalls *x)
{
    *x = type == TSR_I8    ? widened_i8(p)
         : type == TSR_U8  ? widened_u8(p)
         : type == TSR_I16 ? widened_i16(p)
                           : widened_u16(p);
}
#endif

ALWAYS halves halves_if(halves condition, halves a, halves b) { return (a & condition) | (b & ~condition); }

/** tsr_pattern_to_float_ of f16. */
ALWAYS halves f16_to_floats(halves pattern)
{
    tsr_patterns_ const f = tsr_patterns_of_(tsr_float_format_of(TSR_F16), 16);
    halves const magnitude = pattern & f.magnitude, sign = (pattern ^ magnitude) << f.sign;
    halves r = (halves)((floats)(magnitude << f.shift) * f.up);
    r = halves_if((halves)(magnitude == f.infinity), (halves){0} + 0x7f800000, r) | sign;
    return halves_if((halves)(magnitude > f.nan), (halves){0} + 0x7fc00000, r);
}

ALWAYS words load_word(tsr_dtype const type, unsigned char const *p)
{
    words x;
    if (type == TSR_I32 || type == TSR_U32)
        return (words)(type == TSR_I32 ? widened_i32(p) : widened_u32(p));
    if (type == TSR_F32)
        return (words)widened_f32(p);
    if (type == TSR_BF16 || type == TSR_F16) {
        halves const h = widened_halves(p);
        return (words) __builtin_convertvector((floats)(type == TSR_BF16 ? h << 16 : f16_to_floats(h)), reals);
    }
    memcpy(&x, p, sizeof x);
    return x;
}
