/* The elements of reductions by NEON (exec/compute/reduce_row.h): 16 bytes become accumulators at once, short integers
 * are added to wider ones. Eight elements are two vectors. */
#define SMALLS_AT_ONCE 2
#define PARTS 2

typedef uint32x4_t part32;
typedef uint8x16_t lanes;

typedef struct eight {
    part32 part[PARTS];
} eight;

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
ALWAYS void load_words(tsr_dtype const type, unsigned char const *p, words *x)
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

/** Eight integers of 16 bits, or of 8, as integers of 32. */
ALWAYS void load_smalls(tsr_dtype const type, unsigned char const *p, smalls *x)
{
    bool const bytes = tsr_dtype_bits(type) == 8;
    if (type == TSR_I8 || type == TSR_I16) {
        int16x8_t const s = bytes ? vmovl_s8(vreinterpret_s8_u8(vld1_u8(p))) : vreinterpretq_s16_u8(vld1q_u8(p));
        x[0] = (smalls)vmovl_s16(vget_low_s16(s));
        x[1] = (smalls)vmovl_high_s16(s);
    } else {
        uint16x8_t const u = bytes ? vmovl_u8(vld1_u8(p)) : HALVES_AT(p);
        x[0] = (smalls)vmovl_u16(vget_low_u16(u));
        x[1] = (smalls)vmovl_high_u16(u);
    }
}

ALWAYS eight eight_of(tsr_dtype const type, unsigned char const *p)
{
    eight x;
    if (type == TSR_BF16 || type == TSR_F16)
        eight_floats(type, p, (float32x4_t *)x.part);
    else if (tsr_dtype_bits(type) == 32)
        EACH_PART x.part[k] = vreinterpretq_u32_u8(vld1q_u8(p + VECTOR * k));
    else
        load_smalls(type, p, (smalls *)x.part);
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
        uint32x4_t const a = vzip1q_u32(r[i].part[j], r[i + 1].part[j]),
                         b = vzip2q_u32(r[i].part[j], r[i + 1].part[j]);
        uint32x4_t const c = vzip1q_u32(r[i + 2].part[j], r[i + 3].part[j]);
        uint32x4_t const d = vzip2q_u32(r[i + 2].part[j], r[i + 3].part[j]);
        turn_pairs(&a, &c, &t[4 * j].part[k / 2], &t[4 * j + 1].part[k / 2]);
        turn_pairs(&b, &d, &t[4 * j + 2].part[k / 2], &t[4 * j + 3].part[k / 2]);
    }
    TSR_UNROLL
    for (int k = 0; k < 8; ++k)
        r[k] = t[k];
}

ALWAYS void words_of_eight(bool const real, eight const *x, words w[8 / EACH])
{
    TSR_UNROLL
    for (int k = 0; k < PARTS; ++k)
        load_words(real ? TSR_F32 : TSR_I32, (unsigned char const *)&x->part[k], w + 2 * k);
}

ALWAYS part32 extreme_reals(int const op, part32 x, part32 m)
{
    float32x4_t const a = vreinterpretq_f32_u32(x), b = vreinterpretq_f32_u32(m);
    return vbslq_u32(op == TSR_REDUCE_MAX ? vcgtq_f32(a, b) : vcltq_f32(a, b), x, m);
}

/** A maximum that is NaN, where either is, stands beside: it does not tell zeros apart as the law does. */
ALWAYS part32 nan_mask(part32 x) { return x; }

ALWAYS part32 note_nan(part32 none, part32 x)
{
    return vreinterpretq_u32_f32(vmaxq_f32(vreinterpretq_f32_u32(none), vreinterpretq_f32_u32(x)));
}

ALWAYS part32 with_nan(part32 m, part32 none)
{
    float32x4_t const x = vreinterpretq_f32_u32(none);
    return vbslq_u32(vceqq_f32(x, x), m, none);
}

ALWAYS part32 folded_integers(int const op, part32 x, part32 m)
{
    int32x4_t const a = vreinterpretq_s32_u32(x), b = vreinterpretq_s32_u32(m);
    return op == TSR_REDUCE_SUM ? x + m
                                : vreinterpretq_u32_s32(op == TSR_REDUCE_MAX ? vmaxq_s32(a, b) : vminq_s32(a, b));
}

ALWAYS lanes extreme_integers(int const op, tsr_dtype const type, lanes a, lanes b)
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

ALWAYS words extreme_bytes(int const op, words a, words b)
{
    uint8x16_t const x = (uint8x16_t)a, y = (uint8x16_t)b;
    return (words)(op == TSR_REDUCE_MAX ? vmaxq_u8(x, y) : vminq_u8(x, y));
}

/** Of eight bytes each. */
ALWAYS words sum_of_bytes(bool const is_signed, words x)
{
    return is_signed ? (words)vpaddlq_s32(vpaddlq_s16(vpaddlq_s8((int8x16_t)x)))
                     : (words)vpaddlq_u32(vpaddlq_u16(vpaddlq_u8((uint8x16_t)x)));
}
