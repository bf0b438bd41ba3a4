/** Normalize lines: the loops that softmax and its relatives run in.
 *
 *      lines of numbers, floats or doubles, `step` bytes from one to the next; each column has numbers of its own:
 *      greatest[c], sum[c], mean[c] and squares[c] what is known of it so far; a[c], b[c] and factor[c] what its
 *      results are made with
 *
 *  The columns are groups side by side, or the lanes of one group. A piece of lines is joined to those before it:
 *
 *      greatest    a = the greatest of all, or a little less; the sum of e^(x - old a) becomes that of e^(x - a)
 *      mean        d = mean of the piece - mean: mean += d n / (seen + n), squares += d^2 seen n / (seen + n)
 *
 *  Sums are doubles, line by line, and then added to those of the pieces before.
 *
 *  Law     all rows of the engine leave the same numbers.
 *  Source  Milakov, Gimelshein, Online normalizer calculation for softmax (2018), section 3; Chan, Golub, LeVeque,
 *          Updating formulae and a pairwise algorithm for computing sample variances (1979).
 */
#ifndef TSR_EXEC_NORMALIZE_LINES_H
#define TSR_EXEC_NORMALIZE_LINES_H

#include "tessera/exec/reduce.h"

TSR_HEADER_BEGIN

/** Columns at most, lines, and numbers; how far a number may be above what is subtracted from it. */
enum { TSR_NORMAL_COLUMNS = 1024, TSR_NORMAL_LINES = 64, TSR_NORMALIZED = 4096, TSR_NORMAL_ABOVE = 8 };

/** One number for each column. */
typedef union tsr_normal_row_ {
    float single[TSR_NORMAL_COLUMNS];
    double real[TSR_NORMAL_COLUMNS];
} tsr_normal_row_;

typedef union tsr_normal_room_ {
    float single[TSR_NORMALIZED];
    double real[TSR_NORMALIZED];
} tsr_normal_room_;

/** What is known of columns, and what is made of them. */
typedef struct tsr_normal_state_ {
    tsr_normal_row_ greatest, a, b, factor;
    double sum[TSR_NORMAL_COLUMNS], mean[TSR_NORMAL_COLUMNS], squares[TSR_NORMAL_COLUMNS];
    double seen, part; /* elements of a group that are known, and of the piece that joins them */
    double share;      /* of a group that a column is */
} tsr_normal_state_;

/** The lines of a piece, of which what is made is so many numbers apart; for each of them, what is read next is asked
 *  for: so many bytes a column, a step apart. */
typedef struct tsr_normal_lines_ {
    bool wide; /* doubles */
    int columns, apart;
    int64_t lines, step;
    void const *from;
    unsigned char const *next;
    int64_t next_size, next_step;
} tsr_normal_lines_;

/** Each number x of the lines, in column first + c, the place `at` of what is made of it. */
#define TSR_NORMAL_EACH_(T, ...)                                                                     \
    for (int64_t line = 0; line < p.lines; ++line) {                                                 \
        unsigned char const *const from = (unsigned char const *)p.from + line * p.step;             \
        for (int64_t k = 0; k < columns * p.next_size; k += TSR_LINE_BYTES)                          \
            TSR_ASK(p.next + line * p.next_step + first * p.next_size + k);                          \
        TSR_EACH_ALONE for (int c = 0; c < columns; ++c)                                             \
        {                                                                                            \
            int64_t const at = line * p.apart + first + c;                                           \
            T x = 0;                                                                                 \
            TSR_COPY(&x, from + (first + c) * (int64_t)sizeof x, sizeof x);                          \
            __VA_ARGS__;                                                                             \
            (void)at;                                                                                \
        }                                                                                            \
    }

/** The same, of which a number for each column is made in a register: it begins as one and ends as another. */
#define TSR_NORMAL_REDUCE_(T, U, numbers, begin, end, ...)                                           \
    do {                                                                                             \
        U acc[TSR_REDUCE_LANES];                                                                     \
        for (int c = 0; c < columns; ++c)                                                            \
            acc[c] = begin;                                                                          \
        TSR_NORMAL_EACH_(T, __VA_ARGS__)                                                             \
        for (int c = 0; c < columns; ++c)                                                            \
            (numbers)[first + c] = end;                                                              \
    } while (0)

/** Sums of lines are added to those before. */
#define TSR_NORMAL_ADD_(T, sum, ...) TSR_NORMAL_REDUCE_(T, double, sum, 0, sum[first + c] + acc[c], __VA_ARGS__)

/** m = the greatest; NaN is none. */
TSR_REF void tsr_normal_greatest_(tsr_normal_lines_ p, int first, int columns, tsr_normal_row_ *TSR_RESTRICT m)
{
    if (p.wide)
        TSR_NORMAL_REDUCE_(double, double, m->real, m->real[first + c], acc[c], acc[c] = x > acc[c] ? x : acc[c]);
    else
        TSR_NORMAL_REDUCE_(float, float, m->single, m->single[first + c], acc[c], acc[c] = x > acc[c] ? x : acc[c]);
}

/** out = e^(x - m), which sum is added to. */
TSR_REF void tsr_normal_powers_(tsr_normal_lines_ p, int first, int columns, tsr_normal_row_ const *TSR_RESTRICT m,
                                tsr_normal_room_ *TSR_RESTRICT out, double *TSR_RESTRICT sum)
{
    if (p.wide)
        TSR_NORMAL_ADD_(double, sum, double const y = tsr_exp_(x - m->real[first + c]); out->real[at] = y;
                        acc[c] = acc[c] + y);
    else
        TSR_NORMAL_ADD_(float, sum, float const y = tsr_exp_float_low_(x - m->single[first + c]);
                        out->single[at] = y; acc[c] = acc[c] + (double)y);
}

/** a becomes the greatest, or 0 where that is infinite, unless it is near enough below: few pieces change it. */
#define TSR_NORMAL_JOIN_(T, B, kind)                                                              \
    do {                                                                                          \
        bool const is_first = s->seen == 0;                                                       \
        B apart = 0;                                                                              \
        for (int c = first; c < first + columns; ++c) {                                           \
            T const m = s->greatest.kind[c], x = m - m == 0 ? m : 0, a = s->a.kind[c];            \
            apart |= (B)(x > a + (T)TSR_NORMAL_ABOVE) | (B)(s->sum[c] == 0);                       \
            s->a.kind[c] = is_first ? x : a;                                                      \
        }                                                                                         \
        for (int c = first; !is_first && apart != 0 && c < first + columns; ++c) {                \
            T const m = s->greatest.kind[c], x = m - m == 0 ? m : 0, a = s->a.kind[c];            \
            T const y = x > a || s->sum[c] == 0 ? x : a;                                          \
            double const less = tsr_exp_((double)a - (double)y) * s->sum[c];                      \
            s->sum[c] = s->sum[c] == 0 ? 0 : less;                                                \
            s->a.kind[c] = y;                                                                     \
        }                                                                                         \
    } while (0)

TSR_REF void tsr_normal_join_(bool wide, int first, int columns, tsr_normal_state_ *s)
{
    if (wide)
        TSR_NORMAL_JOIN_(double, uint64_t, real);
    else
        TSR_NORMAL_JOIN_(float, uint32_t, single);
}

#undef TSR_NORMAL_JOIN_

/** The mean of a piece from its sum, and that of all. */
TSR_REF void tsr_normal_merge_(int first, int columns, tsr_normal_state_ *s)
{
    double const n = s->part, weight = n / (s->seen + n), more = s->seen * weight * s->share;
    for (int c = first; c < first + columns; ++c) {
        double const mean = s->sum[c] / n, d = mean - s->mean[c], step = d * weight, square = d * d * more;
        s->sum[c] = mean;
        s->mean[c] = s->mean[c] + step;
        s->squares[c] = s->squares[c] + square;
    }
}

/** Sums of x. */
TSR_REF void tsr_normal_sums_(tsr_normal_lines_ p, int first, int columns, double *TSR_RESTRICT sum)
{
    if (p.wide)
        TSR_NORMAL_ADD_(double, sum, acc[c] = acc[c] + x);
    else
        TSR_NORMAL_ADD_(float, sum, acc[c] = acc[c] + (double)x);
}

/** Sums of (x - mean)^2. */
TSR_REF void tsr_normal_squares_(tsr_normal_lines_ p, int first, int columns, double const *TSR_RESTRICT mean,
                                 double *TSR_RESTRICT sum)
{
    if (p.wide)
        TSR_NORMAL_ADD_(double, sum, double const d = x - mean[first + c], square = d * d;
                        acc[c] = acc[c] + square);
    else
        TSR_NORMAL_ADD_(float, sum, double const d = (double)x - mean[first + c], square = d * d;
                        acc[c] = acc[c] + square);
}

/** out = e^(x - m) * factor. */
TSR_REF void tsr_normal_shares_(tsr_normal_lines_ p, int first, int columns, tsr_normal_row_ const *TSR_RESTRICT m,
                                tsr_normal_row_ const *TSR_RESTRICT factor, tsr_normal_room_ *TSR_RESTRICT out)
{
    if (p.wide)
        TSR_NORMAL_EACH_(double, double const y = tsr_exp_(x - m->real[first + c]) * factor->real[first + c];
                         out->real[at] = y != y ? tsr_nan_() : y)
    else
        TSR_NORMAL_EACH_(float, float const y = tsr_exp_float_low_(x - m->single[first + c])
                                               * factor->single[first + c];
                         out->single[at] = tsr_bits_float_(tsr_one_nan_(y)))
}

/** out = ((x - a) - b) * factor. */
TSR_REF void tsr_normal_results_(tsr_normal_lines_ p, int first, int columns, tsr_normal_state_ const *TSR_RESTRICT s,
                                 tsr_normal_room_ *TSR_RESTRICT out)
{
    if (p.wide)
        TSR_NORMAL_EACH_(double, double const less = (x - s->a.real[first + c]) - s->b.real[first + c],
                         y = less * s->factor.real[first + c];
                         out->real[at] = y != y ? tsr_nan_() : y)
    else
        TSR_NORMAL_EACH_(float, float const less = (x - s->a.single[first + c]) - s->b.single[first + c],
                         y = less * s->factor.single[first + c];
                         out->single[at] = tsr_bits_float_(tsr_one_nan_(y)))
}

#undef TSR_NORMAL_ADD_
#undef TSR_NORMAL_REDUCE_
#undef TSR_NORMAL_EACH_

enum {
    TSR_PASS_GREATEST,
    TSR_PASS_JOIN,
    TSR_PASS_POWERS,
    TSR_PASS_SUM,
    TSR_PASS_MERGE,
    TSR_PASS_SQUARES,
    TSR_PASS_SHARES,
    TSR_PASS_OUT
};

/** One pass over columns from one on, any number of them or a constant one. */
TSR_REF void tsr_normal_pass_of_(int pass, tsr_normal_lines_ p, int first, int columns, tsr_normal_state_ *s,
                                 tsr_normal_room_ *out)
{
    if (pass == TSR_PASS_GREATEST)
        tsr_normal_greatest_(p, first, columns, &s->greatest);
    else if (pass == TSR_PASS_JOIN)
        tsr_normal_join_(p.wide, first, columns, s);
    else if (pass == TSR_PASS_POWERS)
        tsr_normal_powers_(p, first, columns, &s->a, out, s->sum);
    else if (pass == TSR_PASS_SUM)
        tsr_normal_sums_(p, first, columns, s->sum);
    else if (pass == TSR_PASS_MERGE)
        tsr_normal_merge_(first, columns, s);
    else if (pass == TSR_PASS_SQUARES)
        tsr_normal_squares_(p, first, columns, s->sum, s->squares);
    else if (pass == TSR_PASS_SHARES)
        tsr_normal_shares_(p, first, columns, &s->a, &s->factor, out);
    else
        tsr_normal_results_(p, first, columns, s, out);
}

TSR_INLINE void tsr_normal_pass_(int pass, tsr_normal_lines_ p, tsr_normal_state_ *s, tsr_normal_room_ *out)
{
    int first = 0;
    for (; first + TSR_REDUCE_LANES <= p.columns; first += TSR_REDUCE_LANES)
        tsr_normal_pass_of_(pass, p, first, TSR_REDUCE_LANES, s, out);
    if (first < p.columns)
        tsr_normal_pass_of_(pass, p, first, p.columns - first, s, out);
}

TSR_HEADER_END

#endif
