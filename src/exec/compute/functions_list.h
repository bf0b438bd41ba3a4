/* The functions of floats, one body for floats one by one (exec/compute/functions_float.h) and for blocks of packets
 * (exec/compute/functions_row.h). Each step is one of a whole block, for what waits for each other is long: one
 * packet alone fills half of a machine. The file that includes this says
 *
 *      TSR_P_(name), TSR_P_FN_                 the name of a function here, and what stands before it
 *      TSR_P_BLOCK_, TSR_P_EACH_               how many a block has; for (each i of a block)
 *      TSR_P_F32_, TSR_P_U32_, TSR_P_MASK_     what an element of a block is: floats, their bits, conditions
 *      TSR_P_POWER_                            a power of two
 *
 *  and has the functions
 *
 *      all_f32(x), bits_of(x), floats_of(bits) a constant; bits, and back
 *      integer_f32(bits)                       of a signed integer
 *      less(x, y), equal(x, y), select_f32(mask, x, y)
 *      at_most(x, most), at_least(x, least)    clamped to a bound of at least 0, and to one of at most 0; NaN becomes
 *                                              either. Floats compare like integers, the negative ones in reverse order
 *      split(t, magic, &power)                 the whole number k that t - magic is, and its power
 *      scaled(p, power, x)                     p 2^k, rounded but once, where magic holds 254; x has the sign of k
 *      raised(p, power, more)                  p 2^(k + more - 127), where magic holds `more`
 */

/** e^x = (p + 1) 2^k: |x| < 160 as k ln 2 + r, |r| < 0.35: p = e^r - 1, off by 2^-28. */
TSR_P_FN_ void TSR_P_(exp_terms)(TSR_P_F32_ const *x, uint32_t more, TSR_P_F32_ *p, TSR_P_POWER_ *power)
{
    /* 1.5 * 2^23 + more: its last nine bits count ones */
    TSR_P_F32_ const magic = TSR_P_(all_f32)(tsr_bits_float_(0x4b400000 + more));
    TSR_P_F32_ k[TSR_P_BLOCK_], r[TSR_P_BLOCK_], r2[TSR_P_BLOCK_];
    TSR_P_EACH_ k[i] = x[i] * 1.44269504f + magic;
    TSR_P_EACH_ k[i] = TSR_P_(split)(k[i], magic, &power[i]);
    TSR_P_EACH_ r[i] = x[i] - k[i] * 0.693359375f;
    TSR_P_EACH_ r[i] = r[i] + k[i] * 2.12194440e-4f;
    TSR_P_EACH_ r2[i] = r[i] * r[i];
    TSR_P_EACH_ p[i] = 0.0416683957916f + 0.00836879668139f * r[i];
    TSR_P_EACH_ p[i] = p[i] + 0.00138144333616f * r2[i];
    TSR_P_EACH_ p[i] = (0.499999934034f + 0.166665199735f * r[i]) + p[i] * r2[i];
    TSR_P_EACH_ p[i] = p[i] * r2[i] + r[i];
}

/** Infinity, and 0, where |x| is beyond 110. */
TSR_P_FN_ void TSR_P_(exp_f32)(TSR_P_F32_ *x)
{
    TSR_P_F32_ p[TSR_P_BLOCK_], b[TSR_P_BLOCK_];
    TSR_P_POWER_ power[TSR_P_BLOCK_];
    TSR_P_EACH_ b[i] = TSR_P_(at_least)(TSR_P_(at_most)(x[i], 110.0f), -110.0f);
    TSR_P_(exp_terms)(b, 254, p, power);
    TSR_P_EACH_ x[i] = TSR_P_(scaled)(p[i] + 1.0f, power[i], x[i]);
}

/** Of |x|: (e^2x - 1) / (e^2x + 1), of which nothing cancels near 0. */
TSR_P_FN_ void TSR_P_(tanh_f32)(TSR_P_F32_ *x)
{
    TSR_P_F32_ p[TSR_P_BLOCK_], k[TSR_P_BLOCK_], b[TSR_P_BLOCK_];
    TSR_P_POWER_ power[TSR_P_BLOCK_];
    TSR_P_EACH_ b[i] = TSR_P_(at_most)(TSR_P_(floats_of)(TSR_P_(bits_of)(x[i]) & 0x7fffffff), 10.0f);
    TSR_P_EACH_ b[i] = b[i] + b[i];
    TSR_P_(exp_terms)(b, 127, p, power);
    TSR_P_EACH_ k[i] = TSR_P_(raised)(TSR_P_(all_f32)(1.0f), power[i], 127);
    TSR_P_EACH_ p[i] = p[i] * k[i] + (k[i] - 1.0f);
    TSR_P_EACH_ p[i] = p[i] / (p[i] + 2.0f);
    TSR_P_EACH_ x[i] = TSR_P_(floats_of)(TSR_P_(bits_of)(p[i]) | (TSR_P_(bits_of)(x[i]) & 0x80000000));
}

/** x / (1 + e^-y), for y < 0 as x e^y / (1 + e^y), so that no power is infinite: by e^-|y| 2^64, and e^-|y|. */
TSR_P_FN_ void TSR_P_(gated_f32)(TSR_P_F32_ *x, TSR_P_F32_ const *y)
{
    float const down = 5.42101086242752217e-20f; /* 2^-64 */
    TSR_P_F32_ p[TSR_P_BLOCK_], b[TSR_P_BLOCK_];
    TSR_P_POWER_ power[TSR_P_BLOCK_];
    TSR_P_MASK_ below[TSR_P_BLOCK_];
    TSR_P_EACH_ below[i] = TSR_P_(less)(y[i], TSR_P_(all_f32)(0));
    TSR_P_EACH_ b[i] = TSR_P_(floats_of)(TSR_P_(bits_of)(y[i]) | 0x80000000);
    TSR_P_EACH_ b[i] = TSR_P_(at_least)(b[i], -110.0f);
    TSR_P_(exp_terms)(b, 127 + 64, p, power);
    TSR_P_EACH_ p[i] = TSR_P_(raised)(p[i] + 1.0f, power[i], 127 + 64);
    TSR_P_EACH_ x[i] = TSR_P_(select_f32)(below[i], TSR_P_(at_least)(x[i], -110.0f) * p[i] * down, x[i]);
    TSR_P_EACH_ x[i] = x[i] / (1.0f + p[i] * down);
}

TSR_P_FN_ void TSR_P_(gelu_f32)(TSR_P_F32_ *x)
{
    TSR_P_F32_ y[TSR_P_BLOCK_];
    TSR_P_EACH_ y[i] = 1.5957691216f + 0.0713548162726f * (x[i] * x[i]);
    TSR_P_EACH_ y[i] = x[i] * y[i];
    TSR_P_(gated_f32)(x, y);
}

/** x = 2^k m, m from sqrt(1/2) on: k ln 2 + log m. */
TSR_P_FN_ TSR_P_F32_ TSR_P_(log_f32)(TSR_P_F32_ x)
{
    TSR_P_F32_ const zero = TSR_P_(all_f32)(0), infinity = TSR_P_(all_f32)(tsr_bits_float_(0x7f800000));
    TSR_P_MASK_ const tiny = TSR_P_(less)(x, TSR_P_(all_f32)(1.17549435e-38f));
    TSR_P_U32_ const bits = TSR_P_(bits_of)(TSR_P_(select_f32)(tiny, x * 8388608.0f, x)); /* 2^23 */
    TSR_P_U32_ const up = (bits - 0x3f3504f3 + ((uint32_t)128 << 23)) >> 23;              /* k + 128 */
    TSR_P_F32_ const f = TSR_P_(floats_of)(bits - ((up - 128) << 23)) - 1.0f, z = f * f;
    TSR_P_F32_ const k = TSR_P_(integer_f32)(up - 128) - TSR_P_(select_f32)(tiny, TSR_P_(all_f32)(23), zero);
    TSR_P_F32_ const a = 3.3333331174e-1f - 2.4999993993e-1f * f, b = 2.0000714765e-1f - 1.6668057665e-1f * f;
    TSR_P_F32_ const c = 1.4249322787e-1f - 1.2420140846e-1f * f, d = 1.1676998740e-1f - 1.1514610310e-1f * f;
    TSR_P_F32_ const p = (a + b * z) + ((c + d * z) + 7.0376836292e-2f * (z * z)) * (z * z);
    TSR_P_F32_ const tail = p * f * z - k * 2.12194440e-4f, r = k * 0.693359375f + (f + (tail - 0.5f * z));
    TSR_P_F32_ const bounded = TSR_P_(select_f32)(TSR_P_(less)(x, infinity), r, x);
    TSR_P_F32_ const of_less =
        TSR_P_(select_f32)(TSR_P_(equal)(x, zero), -infinity, TSR_P_(all_f32)(tsr_bits_float_(0x7fc00000)));
    return TSR_P_(select_f32)(TSR_P_(less)(zero, x), bounded, of_less);
}
