/** Reduce lines: the loops that reductions run in.
 *
 *      acc[i] = op(.. op(op(acc[i], x(0, i)), x(1, i)) .., x(lines - 1, i))
 *      x(line, i) at byte line * outer + i * inner
 *
 *  Accumulators are doubles, or 64-bit integers for the elements that are integers. Results side by side are such
 *  lines, and short sums that follow each other, and the partial sums of a run.
 *
 *  Law     all rows of the engine leave the same accumulators.
 */
#ifndef TSR_SRC_EXEC_COMPUTE_REDUCE_LINES_H
#define TSR_SRC_EXEC_COMPUTE_REDUCE_LINES_H

#include "exec/compute/update_runs.h"
#include "tessera/exec/reduce.h"

/* clang-format off */
/** X(id, type in memory, is it a real number?): the types that are read as they lie. Other elements are converted
 *  first. */
#define TSR_REDUCED_LIST(X)                                                                                        \
    X(F32, uint32_t, true) X(F64, uint64_t, true) X(BF16, uint16_t, true) X(F16, uint16_t, true)                   \
    X(I8, int8_t, false) X(U8, uint8_t, false) X(I16, int16_t, false) X(U16, uint16_t, false)                      \
    X(I32, int32_t, false) X(U32, uint32_t, false) X(I64, int64_t, false)
/* clang-format on */

/** Partial sums of a run. */
enum { TSR_REDUCE_LANES = 32 };

/** What elements of a type are read as: the type itself, or one that they are converted to. */
TSR_LOCAL_MEMORY tsr_dtype tsr_reduced_as_(tsr_dtype type)
{
    tsr_form_ const form = tsr_form_of_(type);
    switch ((int)type) {
#define TSR_X_(id, T, real) case TSR_##id:
        TSR_REDUCED_LIST(TSR_X_)
#undef TSR_X_
        return type;
    default:
        return form.is_int ? TSR_I64 : form.is_float ? TSR_F32 : TSR_F64;
    }
}

/* Of a constant operation and type */

TSR_LOCAL_REF void tsr_reduce_real_(int op, tsr_dtype type, void const *p, void *acc)
{
    uint16_t bits = 0;
    double x = 0, m = 0;
    TSR_COPY(&m, (double const *)acc, sizeof m);
    if (type == TSR_F32 || type == TSR_F64) {
        x = tsr_real_at_(p, 0, type == TSR_F32 ? 4 : 8);
    } else {
        tsr_patterns_ const f = tsr_patterns_of_(tsr_float_format_of(TSR_F16), 16);
        TSR_COPY(&bits, (uint16_t const *)p, sizeof bits);
        x = (double)tsr_bits_float_(type == TSR_BF16 ? (uint32_t)bits << 16 : tsr_pattern_to_float_(&f, bits));
    }
#define TSR_X_(id, real, integer) \
  if (op == TSR_REDUCE_##id)      \
    m = real;
    TSR_REDUCER_LIST(TSR_X_)
#undef TSR_X_
    TSR_COPY((double *)acc, &m, sizeof m);
}

TSR_LOCAL_REF void tsr_reduce_integer_(int op, tsr_dtype type, void const *p, void *acc)
{
    int64_t x = 0, m = 0;
    TSR_COPY(&m, (int64_t const *)acc, sizeof m);
#define TSR_X_(id, T, real)                     \
  if (type == TSR_##id) {                       \
    T bits = 0;                                 \
    TSR_COPY(&bits, (T const *)p, sizeof bits); \
    x = (int64_t)bits;                          \
  }
    TSR_REDUCED_LIST(TSR_X_)
#undef TSR_X_
#define TSR_X_(id, real, integer) \
  if (op == TSR_REDUCE_##id)      \
    m = integer;
    TSR_REDUCER_LIST(TSR_X_)
#undef TSR_X_
    TSR_COPY((int64_t *)acc, &m, sizeof m);
}

/** One element of a line to its accumulator. */
TSR_LOCAL_REF void tsr_reduce_element_(int op, tsr_dtype type, bool real, unsigned char const *p, void *acc,
                                       int64_t i)
{
    if (real)
        tsr_reduce_real_(op, type, p, (unsigned char *)acc + 8 * i);
    else
        tsr_reduce_integer_(op, type, p, (unsigned char *)acc + 8 * i);
}

/** Line by line, or sum by sum where these have the smaller steps. */
TSR_LOCAL_REF void tsr_fold_lines_(int op, tsr_dtype type, bool real, unsigned char const *from, int64_t lines,
                                   int64_t outer, int64_t n, int64_t inner, void *acc)
{
    int64_t const bytes = tsr_dtype_bits(type) / 8;
    if (inner == bytes) {
        for (int64_t line = 0; line < lines; ++line)
            for (int64_t i = 0; i < n; ++i)
                tsr_reduce_element_(op, type, real, from + line * outer + i * bytes, acc, i);
    } else if (tsr_abs64(inner) < tsr_abs64(outer)) {
        for (int64_t line = 0; line < lines; ++line)
            for (int64_t i = 0; i < n; ++i)
                tsr_reduce_element_(op, type, real, from + line * outer + i * inner, acc, i);
    } else {
        for (int64_t i = 0; i < n; ++i) {
            uint64_t sum = 0; /* in a register */
            TSR_COPY(&sum, (uint64_t *)acc + i, sizeof sum);
            for (int64_t line = 0; line < lines; ++line)
                tsr_reduce_element_(op, type, real, from + line * outer + i * inner, &sum, 0);
            TSR_COPY((uint64_t *)acc + i, &sum, sizeof sum);
        }
    }
}

/* Of all */

/** Runs of `count` neighbours, `outer` bytes from one to the next, each by partial sums, which begin as acc[i] and are
 *  added by halves to it: lane j and j + 16, j and j + 8, .. */
TSR_LOCAL_MEMORY void tsr_reduce_runs_(int op, tsr_dtype type, void const *from, int64_t count, int64_t n,
                                       int64_t outer, void *acc)
{
    enum { LANES = TSR_REDUCE_LANES };
    int64_t const bytes = tsr_dtype_bits(type) / 8, rest = count % LANES;
    bool const real = tsr_number_kind_of(type) == TSR_REAL;
    for (int64_t i = 0; i < n; ++i) {
        uint64_t lanes[LANES], *const result = (uint64_t *)acc + i;
        unsigned char const *const p = (unsigned char const *)from + i * outer;
        for (int j = 0; j < LANES; ++j)
            lanes[j] = *result;
        tsr_reduce_lines_(op, type, p, count / LANES, LANES * bytes, LANES, bytes, lanes);
        tsr_reduce_lines_(op, type, p + (count - rest) * bytes, 1, 0, rest, bytes, lanes);
        for (int half = LANES / 2; half > 0; half /= 2)
            tsr_reduce_lines_(op, real ? TSR_F64 : TSR_I64, lanes + half, 1, 0, half, 8, lanes);
        *result = lanes[0];
    }
}

#endif
