/* The loops of reductions by NEON: 16 bytes of elements become accumulators at once, short integers are added to wider
 * ones, and extremes of floats and of bytes are found in their own type. NaN is known beside.
 */
#include <arm_neon.h>

#define FLOATS_AT(p) vreinterpretq_f32_u8(vld1q_u8(p))
#define HALVES_AT(p) vreinterpretq_u16_u8(vld1q_u8(p))

/** Eight floats of elements of 16 bits. */
ALWAYS void eight_floats(tsr_dtype const type, unsigned char const *p, float32x4_t x[2])
{
    uint16x8_t const h = HALVES_AT(p);
    float16x8_t const f16 = vreinterpretq_f16_u16(h);
    x[0] =
        type == TSR_BF16 ? vreinterpretq_f32_u32(vshll_n_u16(vget_low_u16(h), 16)) : vcvt_f32_f16(vget_low_f16(f16));
    x[1] = type == TSR_BF16 ? vreinterpretq_f32_u32(vshll_high_n_u16(h, 16)) : vcvt_high_f32_f16(f16);
}

/** The elements of 16 bytes as accumulators, two a vector. */
ALWAYS void spread(tsr_dtype const type, unsigned char const *p, words *x)
{
    if (type == TSR_F64 || type == TSR_I64) {
        x[0] = (words)vld1q_u8(p);
    } else if (type == TSR_F32) {
        x[0] = (words)vcvt_f64_f32(vget_low_f32(FLOATS_AT(p)));
        x[1] = (words)vcvt_high_f64_f32(FLOATS_AT(p));
    } else if (type == TSR_I32) {
        int32x4_t const i = vreinterpretq_s32_u8(vld1q_u8(p));
        x[0] = (words)vmovl_s32(vget_low_s32(i));
        x[1] = (words)vmovl_high_s32(i);
    } else if (type == TSR_U32) {
        uint32x4_t const i = vreinterpretq_u32_u8(vld1q_u8(p));
        x[0] = (words)vmovl_u32(vget_low_u32(i));
        x[1] = (words)vmovl_high_u32(i);
    } else {
        float32x4_t f[2];
        eight_floats(type, p, f);
        TSR_UNROLL
        for (int i = 0; i < 2; ++i) {
            x[2 * i] = (words)vcvt_f64_f32(vget_low_f32(f[i]));
            x[2 * i + 1] = (words)vcvt_high_f64_f32(f[i]);
        }
    }
}

/** Lines of CHUNK elements, 16 bytes at a time. */
ALWAYS void spread_columns(int const op, tsr_dtype const type, bool const real, unsigned char const *from,
                           int64_t lines, int64_t far, unsigned char *acc)
{
    int const together = 64 / tsr_dtype_bits(type); /* vectors of accumulators */
    words m[CHUNK / EACH];
    TSR_UNROLL
    for (int v = 0; v < CHUNK / EACH; ++v)
        memcpy(&m[v], acc + v * VECTOR, VECTOR);
    for (int64_t line = 0; line < lines; ++line, from += far) {
        TSR_UNROLL
        for (int v = 0; v < CHUNK / EACH; v += together) {
            words x[4];
            spread(type, from + v / together * VECTOR, x);
            TSR_UNROLL
            for (int i = 0; i < together; ++i) {
                words r = combined(op, real, m[v + i], x[i]);
                if (op == TSR_REDUCE_SUM)
                    __asm__("" : "+w"(r)); /* else gcc moves all sums back to where they were in each turn */
                m[v + i] = r;
            }
        }
    }
    TSR_UNROLL
    for (int v = 0; v < CHUNK / EACH; ++v)
        memcpy(acc + v * VECTOR, &m[v], VECTOR);
}

/** Eight integers of 16 bits to sums of 32. */
ALWAYS void add_shorts(bool const is_signed, uint16x8_t x, int32x4_t sum[2])
{
    int16x8_t const s = vreinterpretq_s16_u16(x);
    uint32x4_t const low = vreinterpretq_u32_s32(sum[0]), high = vreinterpretq_u32_s32(sum[1]);
    sum[0] = is_signed ? vaddw_s16(sum[0], vget_low_s16(s)) : vreinterpretq_s32_u32(vaddw_u16(low, vget_low_u16(x)));
    sum[1] = is_signed ? vaddw_high_s16(sum[1], s) : vreinterpretq_s32_u32(vaddw_high_u16(high, x));
}

/** Sums of lines of CHUNK integers of up to 16 bits, of which 32 bits hold up to 2^15. */
ALWAYS void short_sums(tsr_dtype const type, unsigned char const *from, int64_t lines, int64_t far, void *acc)
{
    bool const is_signed = type == TSR_I8 || type == TSR_I16;
    int32x4_t m[CHUNK / SMALLS];
    TSR_UNROLL
    for (int v = 0; v < CHUNK / SMALLS; ++v)
        m[v] = vdupq_n_s32(0);
    for (int64_t line = 0; line < lines; ++line, from += far) {
        TSR_UNROLL
        for (int v = 0; v < CHUNK / 8; ++v) {
            uint8x8_t const bytes = vld1_u8(from + 8 * v);
            uint16x8_t const wide =
                is_signed ? vreinterpretq_u16_s16(vmovl_s8(vreinterpret_s8_u8(bytes))) : vmovl_u8(bytes);
            add_shorts(is_signed, tsr_dtype_bits(type) == 8 ? wide : HALVES_AT(from + 16 * v), m + 2 * v);
        }
    }
    tsr_fold_lines_(TSR_REDUCE_SUM, TSR_I32, false, (unsigned char const *)m, 1, 0, CHUNK, 4, acc);
}

ALWAYS uint8x16_t extreme_integers(int const op, tsr_dtype const type, uint8x16_t a, uint8x16_t b)
{
    bool const most = op == TSR_REDUCE_MAX;
    int8x16_t const c = vreinterpretq_s8_u8(a), d = vreinterpretq_s8_u8(b);
    int16x8_t const e = vreinterpretq_s16_u8(a), f = vreinterpretq_s16_u8(b);
    uint16x8_t const g = vreinterpretq_u16_u8(a), h = vreinterpretq_u16_u8(b);
    return type == TSR_U8    ? (most ? vmaxq_u8(a, b) : vminq_u8(a, b))
           : type == TSR_I8  ? vreinterpretq_u8_s8(most ? vmaxq_s8(c, d) : vminq_s8(c, d))
           : type == TSR_I16 ? vreinterpretq_u8_s16(most ? vmaxq_s16(e, f) : vminq_s16(e, f))
                             : vreinterpretq_u8_u16(most ? vmaxq_u16(g, h) : vminq_u16(g, h));
}

ALWAYS void extreme_integer_lines(int const op, tsr_dtype const type, unsigned char const *from, int64_t lines,
                                  int64_t far, void *acc)
{
    int const vectors = CHUNK * (tsr_dtype_bits(type) / 8) / VECTOR;
    uint8x16_t m[4];
    TSR_UNROLL
    for (int v = 0; v < vectors; ++v)
        m[v] = vld1q_u8(from + v * VECTOR);
    for (int64_t line = 1; line < lines; ++line) {
        from += far;
        TSR_UNROLL
        for (int v = 0; v < vectors; ++v)
            m[v] = extreme_integers(op, type, vld1q_u8(from + v * VECTOR), m[v]);
    }
    tsr_fold_lines_(op, type, false, (unsigned char const *)m, 1, 0, CHUNK, tsr_dtype_bits(type) / 8, acc);
}

/** The first CHUNK floats of a line. */
ALWAYS void floats_of_line(tsr_dtype const type, unsigned char const *p, float32x4_t x[CHUNK / 4])
{
    TSR_UNROLL
    for (int v = 0; v < CHUNK / 4; v += 2)
        if (type == TSR_F32) {
            x[v] = FLOATS_AT(p + 4 * v * 4);
            x[v + 1] = FLOATS_AT(p + 4 * v * 4 + VECTOR);
        } else {
            eight_floats(type, p + 2 * v * 4, x + v);
        }
}

/** A maximum that is NaN, where either is, stands beside: it does not tell zeros apart as the law does. */
ALWAYS void extreme_float_lines(int const op, tsr_dtype const type, unsigned char const *from, int64_t lines,
                                int64_t far, void *acc)
{
    enum { VECTORS = CHUNK / 4 };
    float32x4_t m[VECTORS], none[VECTORS], x[VECTORS];
    floats_of_line(type, from, m);
    TSR_UNROLL
    for (int v = 0; v < VECTORS; ++v)
        none[v] = m[v];
    for (int64_t line = 1; line < lines; ++line) {
        from += far;
        floats_of_line(type, from, x);
        TSR_UNROLL
        for (int v = 0; v < VECTORS; ++v) {
            uint32x4_t const better = op == TSR_REDUCE_MAX ? vcgtq_f32(x[v], m[v]) : vcltq_f32(x[v], m[v]);
            m[v] = vbslq_f32(better, x[v], m[v]);
            none[v] = vmaxq_f32(none[v], x[v]);
        }
    }
    TSR_UNROLL
    for (int v = 0; v < VECTORS; ++v)
        m[v] = vbslq_f32(vceqq_f32(none[v], none[v]), m[v], none[v]);
    tsr_fold_lines_(op, TSR_F32, true, (unsigned char const *)m, 1, 0, CHUNK, 4, acc);
}
