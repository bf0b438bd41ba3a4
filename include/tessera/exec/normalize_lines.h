/** Normalize lines: the loops that softmax and its relatives run in.
 *
 *      lines of numbers, floats or doubles, `step` bytes from one to the next; each column has numbers of its own:
 *      m[c] the greatest of it, sum[c] what is added up, a[c], b[c] and factor[c] what its results are made with
 *
 *  The columns are groups side by side, or the lanes of one group. Sums are doubles, line by line.
 *
 *  Law     all rows of the engine leave the same numbers.
 */
#ifndef TSR_EXEC_NORMALIZE_LINES_H
#define TSR_EXEC_NORMALIZE_LINES_H

#include "tessera/exec/reduce.h"

/** Columns at most, and numbers of some lines. */
enum { TSR_NORMAL_COLUMNS = 128, TSR_NORMALIZED = 4096 };

/** One number for each column. */
typedef union tsr_normal_row_ {
    float single[TSR_NORMAL_COLUMNS];
    double real[TSR_NORMAL_COLUMNS];
} tsr_normal_row_;

typedef union tsr_normal_room_ {
    float single[TSR_NORMALIZED];
    double real[TSR_NORMALIZED];
} tsr_normal_room_;

/** The lines of a piece; for each of them, so many bytes of what is read next are asked for, a step apart. */
typedef struct tsr_normal_lines_ {
    bool wide; /* doubles */
    int columns;
    int64_t lines, step;
    void const *from;
    unsigned char const *next;
    int64_t next_bytes, next_step;
} tsr_normal_lines_;

/** Each number x of the lines, in column c, the place `at` of what is made of it. */
#define TSR_NORMAL_EACH_(T, ...)                                                                     \
    for (int64_t line = 0; line < p.lines; ++line) {                                                 \
        unsigned char const *const from = (unsigned char const *)p.from + line * p.step;             \
        for (int64_t k = 0; k < p.next_bytes; k += TSR_LINE_BYTES)                                   \
            TSR_ASK(p.next + line * p.next_step + k);                                                \
        TSR_EACH_ALONE for (int c = 0; c < columns; ++c)                                             \
        {                                                                                            \
            int64_t const at = line * columns + c;                                                   \
            T x = 0;                                                                                 \
            TSR_COPY(&x, from + c * (int64_t)sizeof x, sizeof x);                                    \
            __VA_ARGS__;                                                                             \
            (void)at;                                                                                \
        }                                                                                            \
    }

/** m = the greatest; NaN is none. */
TSR_REF void tsr_normal_greatest_(tsr_normal_lines_ p, int columns, tsr_normal_row_ *TSR_RESTRICT m)
{
    if (p.wide)
        TSR_NORMAL_EACH_(double, m->real[c] = x > m->real[c] ? x : m->real[c])
    else
        TSR_NORMAL_EACH_(float, m->single[c] = x > m->single[c] ? x : m->single[c])
}

/** out = e^(x - m), which sum is added to. */
TSR_REF void tsr_normal_powers_(tsr_normal_lines_ p, int columns, tsr_normal_row_ const *TSR_RESTRICT m,
                                tsr_normal_room_ *TSR_RESTRICT out, double *TSR_RESTRICT sum)
{
    if (p.wide)
        TSR_NORMAL_EACH_(double, double const y = tsr_exp_(x - m->real[c]); out->real[at] = y; sum[c] = sum[c] + y)
    else
        TSR_NORMAL_EACH_(float, float const y = tsr_exp_float_(x - m->single[c]); out->single[at] = y;
                         sum[c] = sum[c] + (double)y)
}

/** Sums of x. */
TSR_REF void tsr_normal_sums_(tsr_normal_lines_ p, int columns, double *TSR_RESTRICT sum)
{
    if (p.wide)
        TSR_NORMAL_EACH_(double, sum[c] = sum[c] + x)
    else
        TSR_NORMAL_EACH_(float, sum[c] = sum[c] + (double)x)
}

/** Sums of (x - mean)^2. */
TSR_REF void tsr_normal_squares_(tsr_normal_lines_ p, int columns, double const *TSR_RESTRICT mean,
                                 double *TSR_RESTRICT sum)
{
    if (p.wide)
        TSR_NORMAL_EACH_(double, double const d = x - mean[c], square = d * d; sum[c] = sum[c] + square)
    else
        TSR_NORMAL_EACH_(float, double const d = (double)x - mean[c], square = d * d; sum[c] = sum[c] + square)
}

/** out = e^(x - m) * factor. */
TSR_REF void tsr_normal_shares_(tsr_normal_lines_ p, int columns, tsr_normal_row_ const *TSR_RESTRICT m,
                                tsr_normal_row_ const *TSR_RESTRICT factor, tsr_normal_room_ *TSR_RESTRICT out)
{
    if (p.wide)
        TSR_NORMAL_EACH_(double, double const y = tsr_exp_(x - m->real[c]) * factor->real[c];
                         out->real[at] = y != y ? tsr_nan_() : y)
    else
        TSR_NORMAL_EACH_(float, float const y = tsr_exp_float_(x - m->single[c]) * factor->single[c];
                         out->single[at] = tsr_bits_float_(tsr_one_nan_(y)))
}

/** out = ((x - a) - b) * factor. */
TSR_REF void tsr_normal_results_(tsr_normal_lines_ p, int columns, tsr_normal_row_ const *TSR_RESTRICT a,
                                 tsr_normal_row_ const *TSR_RESTRICT b, tsr_normal_row_ const *TSR_RESTRICT factor,
                                 tsr_normal_room_ *TSR_RESTRICT out)
{
    if (p.wide)
        TSR_NORMAL_EACH_(double, double const y = ((x - a->real[c]) - b->real[c]) * factor->real[c];
                         out->real[at] = y != y ? tsr_nan_() : y)
    else
        TSR_NORMAL_EACH_(float, float const y = ((x - a->single[c]) - b->single[c]) * factor->single[c];
                         out->single[at] = tsr_bits_float_(tsr_one_nan_(y)))
}

#undef TSR_NORMAL_EACH_

/** What is known of columns, and what is made of them. */
typedef struct tsr_normal_state_ {
    tsr_normal_row_ greatest, a, b, factor;
    double sum[TSR_NORMAL_COLUMNS], mean[TSR_NORMAL_COLUMNS];
} tsr_normal_state_;

enum { TSR_PASS_GREATEST, TSR_PASS_POWERS, TSR_PASS_SUM, TSR_PASS_SQUARES, TSR_PASS_SHARES, TSR_PASS_OUT };

/** One pass, of any columns or of a constant number of them. */
TSR_REF void tsr_normal_pass_of_(int pass, tsr_normal_lines_ p, int columns, tsr_normal_state_ *s,
                                 tsr_normal_room_ *out)
{
    if (pass == TSR_PASS_GREATEST)
        tsr_normal_greatest_(p, columns, &s->greatest);
    else if (pass == TSR_PASS_POWERS)
        tsr_normal_powers_(p, columns, &s->greatest, out, s->sum);
    else if (pass == TSR_PASS_SUM)
        tsr_normal_sums_(p, columns, s->sum);
    else if (pass == TSR_PASS_SQUARES)
        tsr_normal_squares_(p, columns, s->mean, s->sum);
    else if (pass == TSR_PASS_SHARES)
        tsr_normal_shares_(p, columns, &s->greatest, &s->factor, out);
    else
        tsr_normal_results_(p, columns, &s->a, &s->b, &s->factor, out);
}

TSR_INLINE void tsr_normal_pass_(int pass, tsr_normal_lines_ p, tsr_normal_state_ *s, tsr_normal_room_ *out)
{
    if (p.columns == TSR_REDUCE_LANES)
        tsr_normal_pass_of_(pass, p, TSR_REDUCE_LANES, s, out);
    else
        tsr_normal_pass_of_(pass, p, p.columns, s, out);
}

#endif
