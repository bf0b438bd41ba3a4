/* Eight elements of sums by NEON, in two vectors (exec/compute/reduce_shorts.h). */

typedef struct eight {
    uint32x4_t half[2];
} eight;

ALWAYS eight eight_of(tsr_dtype const type, unsigned char const *p)
{
    bool const bytes = tsr_dtype_bits(type) == 8, is_signed = type == TSR_I8 || type == TSR_I16;
    eight x;
    if (type == TSR_BF16 || type == TSR_F16) {
        float32x4_t f[2];
        eight_floats(type, p, f);
        x.half[0] = vreinterpretq_u32_f32(f[0]);
        x.half[1] = vreinterpretq_u32_f32(f[1]);
    } else if (tsr_dtype_bits(type) == 32) {
        x.half[0] = vreinterpretq_u32_u8(vld1q_u8(p));
        x.half[1] = vreinterpretq_u32_u8(vld1q_u8(p + VECTOR));
    } else if (is_signed) {
        int16x8_t const s = bytes ? vmovl_s8(vreinterpret_s8_u8(vld1_u8(p))) : vreinterpretq_s16_u8(vld1q_u8(p));
        x.half[0] = vreinterpretq_u32_s32(vmovl_s16(vget_low_s16(s)));
        x.half[1] = vreinterpretq_u32_s32(vmovl_high_s16(s));
    } else {
        uint16x8_t const u = bytes ? vmovl_u8(vld1_u8(p)) : HALVES_AT(p);
        x.half[0] = vmovl_u16(vget_low_u16(u));
        x.half[1] = vmovl_high_u16(u);
    }
    return x;
}

/** Two elements of four rows. */
ALWAYS void turn_pairs(uint32x4_t const *low, uint32x4_t const *high, uint32x4_t *first, uint32x4_t *second)
{
    uint64x2_t const a = vreinterpretq_u64_u32(*low), b = vreinterpretq_u64_u32(*high);
    *first = vreinterpretq_u32_u64(vzip1q_u64(a, b));
    *second = vreinterpretq_u32_u64(vzip2q_u64(a, b));
}

ALWAYS void transpose(eight r[8])
{
    eight t[8];
    TSR_UNROLL
    for (int k = 0; k < 4; ++k) { /* the rows from i on, the columns from j on */
        int const i = k / 2 * 4, j = k % 2;
        uint32x4_t const a = vzip1q_u32(r[i].half[j], r[i + 1].half[j]),
                         b = vzip2q_u32(r[i].half[j], r[i + 1].half[j]);
        uint32x4_t const c = vzip1q_u32(r[i + 2].half[j], r[i + 3].half[j]);
        uint32x4_t const d = vzip2q_u32(r[i + 2].half[j], r[i + 3].half[j]);
        turn_pairs(&a, &c, &t[4 * j].half[k / 2], &t[4 * j + 1].half[k / 2]);
        turn_pairs(&b, &d, &t[4 * j + 2].half[k / 2], &t[4 * j + 3].half[k / 2]);
    }
    TSR_UNROLL
    for (int k = 0; k < 8; ++k)
        r[k] = t[k];
}

ALWAYS void combine_eight(int const op, bool const real, eight const *x, words m[8 / EACH])
{
    TSR_UNROLL
    for (int k = 0; k < 2; ++k) {
        float32x4_t const f = vreinterpretq_f32_u32(x->half[k]);
        int32x4_t const i = vreinterpretq_s32_u32(x->half[k]);
        words const low = real ? (words)vcvt_f64_f32(vget_low_f32(f)) : (words)vmovl_s32(vget_low_s32(i));
        words const high = real ? (words)vcvt_high_f64_f32(f) : (words)vmovl_high_s32(i);
        m[2 * k] = combined(op, real, m[2 * k], low);
        m[2 * k + 1] = combined(op, real, m[2 * k + 1], high);
    }
}

ALWAYS eight folded_eight(int const op, bool const real, eight const x[8], int first, int end)
{
    eight r = x[first], none = r;
    for (int j = first + 1; j < end; ++j) {
        TSR_UNROLL
        for (int k = 0; k < 2; ++k) {
            float32x4_t const y = vreinterpretq_f32_u32(x[j].half[k]), old = vreinterpretq_f32_u32(r.half[k]);
            int32x4_t const i = vreinterpretq_s32_u32(x[j].half[k]), n = vreinterpretq_s32_u32(r.half[k]);
            uint32x4_t const better = op == TSR_REDUCE_MAX ? vcgtq_f32(y, old) : vcltq_f32(y, old);
            float32x4_t const beside = vmaxq_f32(vreinterpretq_f32_u32(none.half[k]), y);
            none.half[k] = vreinterpretq_u32_f32(beside);
            r.half[k] = real ? vbslq_u32(better, x[j].half[k], r.half[k])
                        : op == TSR_REDUCE_SUM
                            ? vaddq_u32(x[j].half[k], r.half[k])
                            : vreinterpretq_u32_s32(op == TSR_REDUCE_MAX ? vmaxq_s32(i, n) : vminq_s32(i, n));
        }
    }
    TSR_UNROLL
    for (int k = 0; k < 2; ++k) {
        float32x4_t const beside = vreinterpretq_f32_u32(none.half[k]);
        r.half[k] = real ? vbslq_u32(vceqq_f32(beside, beside), r.half[k], none.half[k]) : r.half[k];
    }
    return r;
}

/** Of two sums. In extremes, bytes that have a sign are 128 too large on the way. */
ALWAYS words eight_bytes(int const op, tsr_dtype const type, words x)
{
    bool const is_signed = type == TSR_I8;
    uint64_t const high = 0x8080808080808080;
    uint8x16_t const bytes = (uint8x16_t)(is_signed ? x ^ high : x);
    uint64x2_t r = (uint64x2_t)bytes;
    if (op == TSR_REDUCE_SUM)
        return is_signed ? (words)vpaddlq_s32(vpaddlq_s16(vpaddlq_s8((int8x16_t)x)))
                         : (words)vpaddlq_u32(vpaddlq_u16(vpaddlq_u8((uint8x16_t)x)));
    TSR_UNROLL
    for (int shift = 32; shift >= 8; shift /= 2) {
        uint8x16_t const a = (uint8x16_t)r, b = (uint8x16_t)(r >> (uint64_t)shift);
        r = (uint64x2_t)(op == TSR_REDUCE_MAX ? vmaxq_u8(a, b) : vminq_u8(a, b));
    }
    return (words)(r & 0xff) - (uint64_t)(is_signed ? 128 : 0);
}
