/* alpha * x + beta * y of floats by NEON, sixteen at a time, and of doubles; bytes by a table.
 *
 *  Law     that of exec/compute/update.h: every product and sum is one of doubles, rounded alike.
 */
#include "exec/engine.h"
#include "exec/neon.h"

#if TSR_NEON && (defined(__clang__) || __GNUC__ >= 12)
#  include "exec/compute/ahead.h"
#  include "exec/compute/neon.h"

enum { MANY = FLOATS, WHOLE = MANY };

INLINED float64x2_t low_two(float32x4_t x) { return vcvt_f64_f32(vget_low_f32(x)); }

INLINED float64x2_t high_two(float32x4_t x) { return vcvt_high_f64_f32(x); }

/** Four doubles as floats: to the nearest, or, where they are rounded once more, to odd. A float has so many more bits
 *  than what it becomes that the number is then rounded as if it were once. */
INLINED float32x4_t joined(tsr_dtype const to_type, float64x2_t low, float64x2_t high)
{
    return to_type == TSR_F32 ? vcvt_high_f32_f64(vcvt_f32_f64(low), high)
                              : vcvtx_high_f32_f64(vcvtx_f32_f64(low), high);
}

/** alpha * x + beta * y in double. */
INLINED void sums_of_line(tsr_dtype const to_type, unsigned char *to, tsr_dtype const from_type,
                          unsigned char const *from, tsr_update const *u, int64_t n, tsr_next_ next)
{
    float64x2_t const a = vdupq_n_f64(tsr_number_to_double(u->alpha)), b = vdupq_n_f64(tsr_number_to_double(u->beta));
    bool const reads = tsr_update_reads_(u);
    int64_t const t = tsr_dtype_bits(to_type) / 8, f = tsr_dtype_bits(from_type) / 8;
    for (int64_t at = 0; at < n; at += MANY) {
        float64x2_t low[4], high[4];
        tsr_ask_(next, at * t, MANY * t, at * f, MANY * f);
        floats r = load_floats(from_type, from + at * f);
        EACH_PART low[i] = vmulq_f64(a, low_two(r.part[i]));
        EACH_PART high[i] = vmulq_f64(a, high_two(r.part[i]));
        if (reads) {
            floats const y = load_floats(to_type, to + at * t);
            EACH_PART low[i] = vaddq_f64(low[i], vmulq_f64(b, low_two(y.part[i])));
            EACH_PART high[i] = vaddq_f64(high[i], vmulq_f64(b, high_two(y.part[i])));
        }
        EACH_PART r.part[i] = joined(to_type, low[i], high[i]);
        store_floats(to_type, to + at * t, one_nan(r, r));
    }
}

/** The same in floats (tsr_update_is_single_). */
INLINED void singles_of_line(tsr_dtype const to_type, unsigned char *to, tsr_dtype const from_type,
                             unsigned char const *from, tsr_update const *u, int64_t n, tsr_next_ next)
{
    float32x4_t const a = vdupq_n_f32((float)tsr_number_to_double(u->alpha)),
                      b = vdupq_n_f32((float)tsr_number_to_double(u->beta));
    bool const reads = tsr_update_reads_(u);
    int64_t const t = tsr_dtype_bits(to_type) / 8, f = tsr_dtype_bits(from_type) / 8;
    for (int64_t at = 0; at < n; at += MANY) {
        tsr_ask_(next, at * t, MANY * t, at * f, MANY * f);
        floats r = load_floats(from_type, from + at * f);
        EACH_PART r.part[i] = vmulq_f32(a, r.part[i]);
        if (reads) {
            floats const y = load_floats(to_type, to + at * t);
            EACH_PART r.part[i] = vaddq_f32(r.part[i], vmulq_f32(b, y.part[i]));
        }
        store_floats(to_type, to + at * t, one_nan(r, r));
    }
}

INLINED void sums(tsr_dtype const to_type, unsigned char *to, tsr_dtype const from_type, unsigned char const *from,
                  tsr_update const *u, tsr_lines_ b)
{
    bool const single = tsr_update_is_single_(u, to_type, from_type);
    for (int64_t i = 0; i < b.lines; ++i, to += b.to, from += b.from)
        (single ? singles_of_line : sums_of_line)(to_type, to, from_type, from, u, b.n, tsr_next_of_(&b, i));
}
#  include "exec/compute/update_floats.h"

bool tsr_engine_update_lines_vector_(tsr_update const *u, tsr_dtype to_type, void *to, tsr_dtype from_type,
                                     void const *from, tsr_lines_ b)
{
    return add_lines(u, to_type, to, from_type, from, b);
}

/** A quarter of the table by a lookup each, which leaves what the other quarters have. */
int64_t tsr_engine_look_up_neon_(unsigned char *to, unsigned char const *from, unsigned char const *table, int64_t n)
{
    uint8x16x4_t quarter[4];
    int64_t i = 0;
    TSR_UNROLL
    for (int k = 0; k < 4; ++k)
        quarter[k] = vld1q_u8_x4(table + 64 * k);
    for (; i + 16 <= n; i += 16) {
        uint8x16_t x = vld1q_u8(from + i), y = vqtbl4q_u8(quarter[0], x);
        TSR_UNROLL
        for (int k = 1; k < 4; ++k) {
            x = vsubq_u8(x, vdupq_n_u8(64));
            y = vqtbx4q_u8(y, quarter[k], x);
        }
        vst1q_u8(to + i, y);
    }
    return i;
}
#else
int64_t tsr_engine_look_up_neon_(unsigned char *to, unsigned char const *from, unsigned char const *table, int64_t n)
{
    (void)to, (void)from, (void)table, (void)n;
    return 0;
}
#endif
