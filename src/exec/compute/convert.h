/** Convert: numbers that lie side by side, from one element type to another.
 *
 *      load    memory  ->  floats, doubles or 64-bit integers, the simplest that hold the numbers of both types
 *      store   these   ->  memory
 *
 *  so that N types need 2 N loops, which have no branches. Between the two a number is rounded at most once: to odd,
 *  where the type to come is shorter than float. An element smaller than a byte stands in the low bits of a byte of
 *  its own, whose others are 0. Complex numbers to others, E8M0 and UE4M3 go one by one.
 *
 *  Law     every number becomes what tsr_store makes of tsr_load.
 */
#ifndef TSR_SRC_EXEC_COMPUTE_CONVERT_H
#define TSR_SRC_EXEC_COMPUTE_CONVERT_H

#include "exec/compute/convert_native.h"

TSR_HEADER_BEGIN

/* Floats: of what they hold, and of integers of at most 32 bits, rounded; and back, to integers of at most 16, and
 * I32. */

TSR_LOCAL_REF void tsr_patterns_to_floats_(void *TSR_RESTRICT to, void const *TSR_RESTRICT from,
                                           tsr_patterns_ const patterns, int bytes, tsr_lines_ b)
{
    if (bytes == 1)
        TSR_EACH_(uint32_t, uint8_t, tsr_pattern_to_float_(&patterns, x))
    if (bytes == 2)
        TSR_EACH_(uint32_t, uint16_t, tsr_pattern_to_float_(&patterns, x))
    if (bytes == 4)
        TSR_EACH_(uint32_t, uint32_t, tsr_pattern_to_float_(&patterns, x))
}

TSR_LOCAL_REF void tsr_floats_to_patterns_(void *TSR_RESTRICT to, tsr_patterns_ const patterns, int bytes,
                                           void const *TSR_RESTRICT from, tsr_lines_ b)
{
    if (bytes == 1)
        TSR_EACH_(uint8_t, uint32_t, tsr_float_to_pattern_(&patterns, x))
    if (bytes == 2)
        TSR_EACH_(uint16_t, uint32_t, tsr_float_to_pattern_(&patterns, x))
    if (bytes == 4)
        TSR_EACH_(uint32_t, uint32_t, tsr_float_to_pattern_(&patterns, x))
}

TSR_LOCAL_MEMORY void tsr_load_floats_(void *TSR_RESTRICT to, tsr_form_ const *f, void const *TSR_RESTRICT from,
                                       tsr_lines_ b)
{
    int const high = f->kind == TSR_SIGNED ? 32 - f->bits : 0;
    switch (f->type) {
#define TSR_X_(id)                                                                                     \
case TSR_##id:                                                                                         \
  tsr_patterns_to_floats_(to, from, tsr_patterns_of_(tsr_float_format_of(TSR_##id), (TSR_##id) % 256), \
                          (TSR_##id) % 256 / 8, b);                                                    \
  break;
        TSR_KNOWN_PATTERN_LIST(TSR_X_)
#undef TSR_X_
    case TSR_BF16:
        TSR_EACH_(uint32_t, uint16_t, (uint32_t)tsr_one_nan_bf16_(x) << 16)
        break;
    case TSR_BOOL:
        TSR_EACH_(float, uint8_t, x != 0)
        break;
#define TSR_X_(id, T)    \
case TSR_##id:           \
  TSR_EACH_(float, T, x) \
  break;
        TSR_SMALL_INTEGER_LIST(TSR_X_)
#undef TSR_X_
    default:
        if (f->is_float)
            tsr_patterns_to_floats_(to, from, tsr_form_patterns_(f), f->bytes == 1 ? 1 : 4, b);
        else if (f->bytes == 1)
            TSR_EACH_(float, uint8_t, (int32_t)((uint32_t)x << high) >> high)
        else
            TSR_EACH_(float, uint16_t, (int32_t)((uint32_t)x << high) >> high)
    }
}

/** Each rounded; to integers cut toward zero and to the range of the type, 0 for NaN. */
TSR_LOCAL_MEMORY void tsr_store_floats_(void *TSR_RESTRICT to, tsr_form_ const *t, void const *TSR_RESTRICT from,
                                        tsr_lines_ b)
{
    bool const is_signed = t->kind == TSR_SIGNED;
    float const limit = (float)tsr_exp2_(t->bits - is_signed), least = is_signed ? -limit : 0, most = limit - 1;
    uint32_t const ones = ((uint32_t)1 << t->bits % 32) - 1;
    switch (t->type) {
#define TSR_X_(id)                                                                               \
case TSR_##id:                                                                                   \
  tsr_floats_to_patterns_(to, tsr_patterns_of_(tsr_float_format_of(TSR_##id), (TSR_##id) % 256), \
                          (TSR_##id) % 256 / 8, from, b);                                        \
  break;
        TSR_KNOWN_PATTERN_LIST(TSR_X_)
#undef TSR_X_
    case TSR_BF16:
        TSR_EACH_(uint16_t, uint32_t, tsr_bf16_of_(x))
        break;
    case TSR_I32:
        TSR_EACH_(uint32_t, float, tsr_int_of_(x))
        break;
    default:
        if (t->is_float)
            tsr_floats_to_patterns_(to, tsr_form_patterns_(t), t->bytes == 1 ? 1 : 4, from, b);
        else if (t->bytes == 1)
            TSR_EACH_(uint8_t, float, (uint32_t)(int32_t)tsr_within_(x, least, most) & ones)
        else
            TSR_EACH_(uint16_t, float, (uint32_t)(int32_t)tsr_within_(x, least, most) & ones)
    }
}

/* Integers of 64 bits */

TSR_LOCAL_MEMORY void tsr_load_ints_(void *TSR_RESTRICT to, tsr_form_ const *f, void const *TSR_RESTRICT from,
                                     tsr_lines_ b)
{
    int const high = f->kind == TSR_SIGNED ? 64 - f->bits : 0;
    bool const truth = f->type == TSR_BOOL;
    if (truth)
        TSR_EACH_(int64_t, uint8_t, x != 0)
#define TSR_X_(T)                      \
  if (f->bytes == sizeof(T) && !truth) \
  TSR_EACH_(int64_t, T, (int64_t)((uint64_t)x << high) >> high)
    TSR_PATTERN_LIST(TSR_X_)
#undef TSR_X_
}

TSR_LOCAL_MEMORY void tsr_store_ints_(void *TSR_RESTRICT to, tsr_form_ const *t, void const *TSR_RESTRICT from,
                                      tsr_lines_ b)
{
    uint64_t const ones = ~(uint64_t)0 >> (64 - t->bits);
    bool const truth = t->type == TSR_BOOL;
    if (truth)
        TSR_EACH_(uint8_t, uint64_t, x != 0)
#define TSR_X_(T)                      \
  if (t->bytes == sizeof(T) && !truth) \
  TSR_EACH_(T, uint64_t, x &ones)
    TSR_PATTERN_LIST(TSR_X_)
#undef TSR_X_
}

/* Doubles */

TSR_LOCAL_MEMORY void tsr_floats_to_doubles_(void *TSR_RESTRICT to, void const *TSR_RESTRICT from,
                                             tsr_lines_ b){TSR_EACH_(double, float, x)}

/** NaN as one pattern. */
TSR_LOCAL_MEMORY void tsr_doubles_to_doubles_(void *TSR_RESTRICT to, void const *TSR_RESTRICT from,
                                              tsr_lines_ b){TSR_EACH_(double, double, x != x ? tsr_nan_() : x)}

/** Of 64-bit integers; to odd where they are rounded once more. */
TSR_LOCAL_MEMORY void tsr_ints_to_doubles_(void *TSR_RESTRICT to, tsr_form_ const *f, void const *TSR_RESTRICT from,
                                           bool odd, tsr_lines_ b)
{
    bool const cut = odd && f->bits > 53;
    if (f->kind == TSR_SIGNED)
        TSR_EACH_(double, uint64_t, (int64_t)(cut ? tsr_int_odd_(x, true) : x))
    else
        TSR_EACH_(double, uint64_t, cut ? tsr_int_odd_(x, false) : x)
}

/** To floats; to odd where they are rounded once more. */
TSR_LOCAL_MEMORY void tsr_doubles_to_floats_(void *TSR_RESTRICT to, bool odd, void const *TSR_RESTRICT from,
                                             tsr_lines_ b)
{
    if (odd)
        TSR_EACH_(float, double, tsr_float_odd_(x))
    else
        TSR_EACH_(uint32_t, double, tsr_one_nan_((float)x))
}

/** To 64-bit integers, cut as floats are; what is not 0 is true. */
TSR_LOCAL_MEMORY void tsr_doubles_to_ints_(void *TSR_RESTRICT to, tsr_form_ const *t, void const *TSR_RESTRICT from,
                                           tsr_lines_ b)
{
    bool const is_signed = t->kind == TSR_SIGNED;
    double const limit = tsr_exp2_(t->bits - is_signed), least = is_signed ? -limit : 0, most = limit - 1;
    if (t->type == TSR_BOOL)
        TSR_EACH_(int64_t, double, !(x == 0))
    else if (t->bits <= 32 && is_signed)
        TSR_EACH_(int64_t, double, (int32_t)tsr_double_within_(x, least, most))
    else if (t->bits <= 32)
        TSR_EACH_(int64_t, double, tsr_double_within_(x, least, most))
    else if (is_signed)
        TSR_EACH_(int64_t, double, x >= limit ? TSR_INT_MAX : (int64_t)(x >= least ? x : x < least ? least : 0))
    else
        TSR_EACH_(uint64_t, double, x >= limit ? ~(uint64_t)0 : (uint64_t)(x > 0 ? x : 0))
}

/* From type to type */

/** How elements pass from type to type. */
typedef struct tsr_pass_ {
    tsr_form_ to, from;
    uint8_t in, out;          /* what they are when they were read, and before they are written */
    uint8_t parts;            /* numbers of an element */
    bool one_by_one, at_once; /* nothing waits between two loops */
    bool native;              /* C has both types: one loop */
} tsr_pass_;

enum { TSR_AS_FLOATS_, TSR_AS_INTS_, TSR_AS_DOUBLES_ };

TSR_LOCAL_MEMORY tsr_pass_ tsr_pass_of_(tsr_dtype to, tsr_dtype from)
{
    tsr_pass_ r = TSR_ZERO;
    r.parts = 1;
    if (tsr_dtype_code(to) == 5 && tsr_dtype_code(from) == 5) { /* real and imaginary parts by themselves */
        to = tsr_dtype_bits(to) == 64 ? TSR_F32 : TSR_F64;
        from = tsr_dtype_bits(from) == 64 ? TSR_F32 : TSR_F64;
        r.parts = 2;
    }
    tsr_form_ const t = tsr_form_of_(to), f = tsr_form_of_(from);
    bool const in_float = f.is_int && (f.bits <= 16 || (f.bits <= 32 && to == TSR_F32));
    bool const from_float = t.is_int && (t.bits <= 16 || to == TSR_I32) && to != TSR_BOOL;
    r.to = t;
    r.from = f;
    r.one_by_one = (!t.is_int && !t.is_float && !t.is_double) || (!f.is_int && !f.is_float && !f.is_double);
    r.in = f.is_float || (in_float && t.is_float) ? TSR_AS_FLOATS_ : f.is_int ? TSR_AS_INTS_ : TSR_AS_DOUBLES_;
    r.out = t.is_float || (from_float && f.is_float) ? TSR_AS_FLOATS_
            : t.is_int && f.is_int                   ? TSR_AS_INTS_
                                                     : TSR_AS_DOUBLES_;
    r.native = tsr_are_native_(&t, &f);
    r.at_once = r.native
                || (r.out == TSR_AS_FLOATS_
                    && (to == TSR_F32 ? r.in != TSR_AS_INTS_ : r.in == TSR_AS_FLOATS_ && from == TSR_F32));
    return r;
}

/** Lines of n elements. n is a multiple of TSR_STEP; at most TSR_GROUP lines wait. */
TSR_LOCAL_MEMORY void tsr_pass_group_(tsr_pass_ const *pass, void *q, int64_t to_step, void const *p,
                                      int64_t from_step, int64_t n, int64_t lines)
{
    tsr_form_ const *const t = &pass->to, *const f = &pass->from;
    float single[TSR_GROUP];
    double real[TSR_GROUP];
    int64_t integer[TSR_GROUP];
    bool const to_f32 = t->type == TSR_F32, by_floats = pass->out == TSR_AS_FLOATS_;
    bool const as_it_is = by_floats && !to_f32 && f->type == TSR_F32;
    void *const floats = to_f32 ? q : single, *const doubles = t->is_double ? q : real;
    void const *const wide = f->is_double ? p : real;
    int64_t const four = 4 * n, eight = 8 * n;
    int64_t const to_floats = to_f32 ? to_step : four, to_doubles = t->is_double ? to_step : eight;
    int64_t const from_wide = f->is_double ? from_step : eight;
    if (pass->native) {
        tsr_convert_native_(q, t, p, f, tsr_lines_of_(n, lines, to_step, from_step));
        return;
    }
    if (pass->in == TSR_AS_FLOATS_ && !as_it_is)
        tsr_load_floats_(floats, f, p, tsr_lines_of_(n, lines, to_floats, from_step));
    if (pass->in == TSR_AS_INTS_)
        tsr_load_ints_(integer, f, p, tsr_lines_of_(n, lines, eight, from_step));
    if (pass->in == TSR_AS_FLOATS_ && !by_floats)
        tsr_floats_to_doubles_(doubles, single, tsr_lines_of_(n, lines, to_doubles, four));
    if (pass->in == TSR_AS_INTS_ && pass->out != TSR_AS_INTS_)
        tsr_ints_to_doubles_(doubles, f, integer, by_floats, tsr_lines_of_(n, lines, to_doubles, eight));
    if (pass->in != TSR_AS_FLOATS_ && by_floats)
        tsr_doubles_to_floats_(floats, !to_f32, wide, tsr_lines_of_(n, lines, to_floats, from_wide));
    if (pass->out == TSR_AS_DOUBLES_ && t->is_int)
        tsr_doubles_to_ints_(integer, t, wide, tsr_lines_of_(n, lines, eight, from_wide));
    if (by_floats && !to_f32)
        tsr_store_floats_(q, t, as_it_is ? p : single, tsr_lines_of_(n, lines, to_step, as_it_is ? from_step : four));
    if (!by_floats && t->is_int)
        tsr_store_ints_(q, t, integer, tsr_lines_of_(n, lines, to_step, eight));
    if (t->is_double && f->is_double)
        tsr_doubles_to_doubles_(q, p, tsr_lines_of_(n, lines, to_step, from_step));
}

TSR_APART void tsr_convert_numbers_(tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        tsr_store(to_type, (unsigned char *)to + i * ((tsr_dtype_bits(to_type) + 7) / 8), 0,
                  tsr_load(from_type, (unsigned char const *)from + i * ((tsr_dtype_bits(from_type) + 7) / 8), 0));
}

/** Converts lines of n elements, `to_step` and `from_step` bytes apart: several at once where they are whole steps. */
TSR_LOCAL_MEMORY void tsr_convert_lines_(tsr_pass_ const *pass, void *to, int64_t to_step, void const *from,
                                         int64_t from_step, int64_t n, int64_t lines)
{
    unsigned char in[TSR_STEP * 8], out[TSR_STEP * 8]; /* the last elements of a line, filled up to a step */
    int64_t const t = pass->to.bytes, f = pass->from.bytes, all = n * pass->parts, steps = all & -TSR_STEP;
    int64_t const most = pass->at_once ? steps : tsr_min64(steps, TSR_GROUP);
    int64_t const together = most < all ? 1 : pass->at_once ? lines : TSR_GROUP / most;
    for (int64_t k = 0; k < lines && all > 0; k += together)
        for (int64_t i = 0, m = 0; i < all; i += m) {
            unsigned char *const q = (unsigned char *)to + k * to_step + i * t;
            unsigned char const *const p = (unsigned char const *)from + k * from_step + i * f;
            bool const last = all - i < TSR_STEP;
            m = last ? all - i : tsr_min64(most, steps - i);
            for (int64_t j = 0; last && j < TSR_STEP * f; ++j)
                in[j] = j < m * f ? p[j] : 0;
            tsr_pass_group_(pass, last ? out : q, to_step, last ? in : p, from_step, last ? TSR_STEP : m,
                            tsr_min64(together, lines - k));
            if (last)
                TSR_COPY(q, out, (size_t)(m * t));
        }
}

/** Converts n elements. */
TSR_LOCAL_MEMORY void tsr_convert(tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from, int64_t n)
{
    tsr_pass_ const pass = tsr_pass_of_(to_type, from_type);
    if (pass.one_by_one)
        tsr_convert_numbers_(to_type, to, from_type, from, n);
    else
        tsr_convert_lines_(&pass, to, 0, from, 0, n, 1);
}

TSR_HEADER_END

#endif
