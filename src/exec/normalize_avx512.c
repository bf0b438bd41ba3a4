/* Passes of exec/normalize_lines.h over floats by AVX-512, two lines of 32 columns at a time; the others are those that
 * the compiler makes vectors of.
 *
 *  Law     that of exec/normalize_lines.h: sums are added line by line.
 */
#include "exec/engine.h"

#if defined(__x86_64__) && defined(__GNUC__)
#  include <immintrin.h>
#  include "exec/target_avx512.h"
#  include "exec/sixteen.h"
#  include "exec/functions_sixteen.h"

enum { COLUMNS = TSR_REDUCE_LANES, LINES = MANY / COLUMNS };

/** Two vectors of the row of columns from one on, for each line. */
SIXTEEN void row_of(tsr_normal_row_ const *row, int first, __m512 *x)
{
    EACH x[i] = _mm512_loadu_ps(row->single + first + 16 * (i % 2));
}

/** Lines from one on: the second one is the first one again where there is none. */
SIXTEEN void lines_at(tsr_normal_lines_ const *p, int64_t line, int first, __m512 *x)
{
    unsigned char const *const a = (unsigned char const *)p->from + line * p->step + 4 * first;
    unsigned char const *const b = line + 1 < p->lines ? a + p->step : a;
    for (int64_t at = line; at < line + LINES && at < p->lines; ++at)
        for (int64_t k = 0; k < COLUMNS * p->next_size; k += TSR_LINE_BYTES)
            TSR_ASK(p->next + at * p->next_step + first * p->next_size + k);
    EACH x[i] = _mm512_loadu_ps((i < 2 ? a : b) + 64 * (i % 2));
}

/** What is made of these lines. */
SIXTEEN void put_lines(tsr_normal_lines_ const *p, int64_t line, int first, __m512 const *x, tsr_normal_room_ *out)
{
    float *const y = out->single + line * p->apart + first;
    for (int i = 0; i < 2; ++i)
        _mm512_storeu_ps(y + 16 * i, x[i]);
    for (int i = 0; line + 1 < p->lines && i < 2; ++i)
        _mm512_storeu_ps(y + p->apart + 16 * i, x[2 + i]);
}

/** Sums of two vectors, in double. */
SIXTEEN void add_line(__m512 const *x, __m512d *sum)
{
    for (int i = 0; i < 2; ++i) {
        sum[2 * i] = sum[2 * i] + _mm512_cvtps_pd(_mm512_castps512_ps256(x[i]));
        sum[2 * i + 1] = sum[2 * i + 1] + _mm512_cvtps_pd(_mm512_extractf32x8_ps(x[i], 1));
    }
}

/** tsr_exp_float_low_. */
SIXTEEN void exp_low_of(__m512 *x)
{
    __m512 y[FOUR], p[FOUR], k[FOUR];
    EACH y[i] = at_least(at_most(x[i], 40.0f), -110.0f);
    powers(y, 127 + 64, p, k);
    EACH x[i] = one_nan(x[i], _mm512_scalef_ps(p[i] + all(1), k[i]));
}

static void greatest(tsr_normal_lines_ const *p, int first, tsr_normal_row_ *row)
{
    __m512 x[FOUR], m[FOUR];
    row_of(row, first, m);
    for (int64_t line = 0; line < p->lines; line += LINES) {
        lines_at(p, line, first, x);
        EACH m[i] = _mm512_max_ps(x[i], m[i]);
    }
    for (int i = 0; i < 2; ++i)
        _mm512_storeu_ps(row->single + first + 16 * i, _mm512_max_ps(m[2 + i], m[i]));
}

static void powers_of(tsr_normal_lines_ const *p, int first, tsr_normal_state_ *s, tsr_normal_room_ *out)
{
    __m512 x[FOUR], a[FOUR];
    __m512d sum[4] = {_mm512_setzero_pd(), _mm512_setzero_pd(), _mm512_setzero_pd(), _mm512_setzero_pd()};
    row_of(&s->a, first, a);
    for (int64_t line = 0; line < p->lines; line += LINES) {
        lines_at(p, line, first, x);
        EACH x[i] = x[i] - a[i];
        exp_low_of(x);
        put_lines(p, line, first, x, out);
        add_line(x, sum);
        if (line + 1 < p->lines)
            add_line(x + 2, sum);
    }
    for (int i = 0; i < 4; ++i)
        _mm512_storeu_pd(s->sum + first + 8 * i, _mm512_loadu_pd(s->sum + first + 8 * i) + sum[i]);
}

/** e^(x - a) * factor. */
static void shares_of(tsr_normal_lines_ const *p, int first, tsr_normal_state_ const *s, tsr_normal_room_ *out)
{
    __m512 x[FOUR], a[FOUR], factor[FOUR];
    row_of(&s->a, first, a);
    row_of(&s->factor, first, factor);
    for (int64_t line = 0; line < p->lines; line += LINES) {
        lines_at(p, line, first, x);
        EACH x[i] = x[i] - a[i];
        exp_low_of(x);
        EACH x[i] = x[i] * factor[i];
        EACH x[i] = one_nan(x[i], x[i]);
        put_lines(p, line, first, x, out);
    }
}

void engine_normalize_sixteens(int pass, tsr_normal_lines_ p, tsr_normal_state_ *s, tsr_normal_room_ *out)
{
    bool const known = pass == TSR_PASS_GREATEST || pass == TSR_PASS_POWERS || pass == TSR_PASS_SHARES;
    if (p.wide || !known || p.columns % COLUMNS != 0) {
        engine_normalize_avx512(pass, p, s, out);
        return;
    }
    for (int first = 0; first < p.columns; first += COLUMNS)
        if (pass == TSR_PASS_GREATEST)
            greatest(&p, first, &s->greatest);
        else if (pass == TSR_PASS_POWERS)
            powers_of(&p, first, s, out);
        else
            shares_of(&p, first, s, out);
}
#  include "exec/target_end.h"
#endif
