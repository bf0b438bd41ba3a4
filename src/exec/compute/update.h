/** Update: what becomes of an element y of the destination and the element x of the source that goes there
 *  (exec/functions.h).
 *
 *  Law     runs of elements (exec/compute/update_runs.h) become what tsr_update_number makes of each, bit by bit,
 *          whatever the row of the engine.
 */
#ifndef TSR_SRC_EXEC_COMPUTE_UPDATE_H
#define TSR_SRC_EXEC_COMPUTE_UPDATE_H

#include "exec/compute/convert.h"
#include "tessera/exec/functions.h"
#include "exec/compute/functions_float.h"
#include "tessera/exec/loops.h"

TSR_HEADER_BEGIN

TSR_LOCAL_MEMORY tsr_update tsr_make_update(int function, tsr_number alpha, tsr_number beta)
{
    tsr_update u = TSR_ZERO;
    u.computes = true;
    u.function = (uint8_t)function;
    u.alpha = alpha;
    u.beta = beta;
    return u;
}

/** In which numbers an update computes; in floats only f, and what follows in doubles. */
enum { TSR_IN_INTEGERS_, TSR_IN_FLOATS_, TSR_IN_DOUBLES_, TSR_IN_COMPLEX_, TSR_IN_KINDS_ };

/** By the type of y and that of x, whose numbers are of a kind. */
TSR_LOCAL_MEMORY int tsr_update_in_(tsr_update const *u, tsr_dtype to_type, tsr_dtype from_type, int x)
{
    tsr_form_ const a = tsr_form_of_(from_type), b = tsr_form_of_(to_type);
    bool const reads = tsr_update_reads_(u);
    bool const ints = (x == TSR_SIGNED || x == TSR_UNSIGNED) && b.is_int && tsr_number_is_int_(u->alpha)
                      && (!reads || tsr_number_is_int_(u->beta)) && u->function < TSR_OF_EXP;
    bool const floats = u->function != TSR_OF_IDENTITY && b.is_float && (a.is_float || (a.is_int && a.bits <= 16));
    if (x == TSR_COMPLEX || b.kind == TSR_COMPLEX || u->alpha.kind == TSR_COMPLEX
        || (reads && u->beta.kind == TSR_COMPLEX))
        return TSR_IN_COMPLEX_;
    return ints ? TSR_IN_INTEGERS_ : floats ? TSR_IN_FLOATS_ : TSR_IN_DOUBLES_;
}

/** Whether x is 2^e or -2^e, e from `least` to `most`, which are those of normal doubles. */
TSR_LOCAL_MEMORY bool tsr_is_power_(double x, int least, int most)
{
    uint64_t const bits = tsr_double_bits_(x);
    int64_t const e = (int64_t)(bits >> 52 & 2047) - 1023;
    return bits << 12 == 0 && e >= least && e <= most;
}

TSR_LOCAL_MEMORY bool tsr_is_float_(double x) { return (double)(float)x == x; }

/** Whether alpha x, or alpha x + beta y, of floats x and y is the same where products and sums are floats, not doubles,
 *  but for the pattern of NaN. To a type of p bits:
 *
 *          f32, alpha x               where alpha is a float. A double has room for the product.
 *          f32, alpha x + beta y      where both are 1 or -1. What is cut in a double has 53 bits, at least 2 * 24 + 2.
 *          x and y of p <= 11 bits    where both are 1 to 2^-8, or their negatives, so that products are floats of p
 *                                     bits. A sum that is cut in a float has 24 bits, at least 2 * 11 + 2. Below the
 *                                     normal numbers of the type sums are floats.
 *
 *  Then rounding twice is as rounding once (Figueroa, "When is double rounding innocuous?", 1995). */
TSR_LOCAL_MEMORY bool tsr_update_is_single_(tsr_update const *u, tsr_dtype to_type, tsr_dtype from_type)
{
    double const alpha = tsr_number_to_double(u->alpha), beta = tsr_number_to_double(u->beta);
    bool const reads = tsr_update_reads_(u), single = to_type == TSR_F32;
    int const least = single ? 0 : -8;
    if (!tsr_form_of_(to_type).is_float || !tsr_form_of_(from_type).is_float || !(single || to_type == from_type))
        return false;
    if (single && !reads)
        return tsr_is_float_(alpha);
    return tsr_is_power_(alpha, least, 0) && (!reads || tsr_is_power_(beta, least, 0));
}

/** f of n numbers, of a constant kind: the only place where the table becomes code. NaN is one pattern. */
TSR_LOCAL_REF void tsr_apply_(int function, int in, void *TSR_RESTRICT to, void const *TSR_RESTRICT from, int64_t n)
{
#define TSR_Y_(T, value)                                                         \
  for (int64_t i = 0; i < n; ++i) {                                              \
    T x = 0;                                                                     \
    TSR_COPY(&x, (unsigned char const *)from + i * (int64_t)sizeof x, sizeof x); \
    T const y = value;                                                           \
    TSR_COPY((unsigned char *)to + i * (int64_t)sizeof y, &y, sizeof y);         \
  }
    switch (function) {
#define TSR_X_(id, name, of_double, of_float, of_integer)                                       \
case TSR_OF_##id:                                                                               \
  if (in == TSR_IN_INTEGERS_)                                                                   \
    TSR_Y_(int64_t, of_integer)                                                                 \
  else if (in == TSR_IN_FLOATS_)                                                                \
    TSR_Y_(float, tsr_bits_float_(tsr_bits_if_(x != x, 0x7fc00000, tsr_float_bits_(of_float)))) \
  else                                                                                          \
    TSR_Y_(double, tsr_one_nan_double_(of_double))                                              \
  break;
        TSR_FUNCTION_LIST(TSR_X_)
#undef TSR_X_
#undef TSR_Y_
    default:
        break;
    }
}

/** Of unsigned numbers every function of integers but the square is the number itself. */
TSR_LOCAL_MEMORY int tsr_function_for_(int function, bool is_signed)
{
    return is_signed || function == TSR_OF_SQUARE ? function : (int)TSR_OF_IDENTITY;
}

/* One element */

/** f of a number that is not complex. */
TSR_APART tsr_number tsr_function_of_(int function, int in, tsr_number number)
{
    bool const ints = number.kind == TSR_SIGNED || number.kind == TSR_UNSIGNED;
    float const single = (float)tsr_number_to_double(number);
    float y = 0;
    if (number.kind == TSR_COMPLEX)
        return number;
    if (in == TSR_IN_FLOATS_) {
        tsr_apply_(function, TSR_IN_FLOATS_, &y, &single, 1);
        return tsr_number_real((double)y);
    }
    tsr_number const x = ints && function >= TSR_OF_EXP ? tsr_number_real(tsr_number_to_double(number)) : number;
    tsr_number r = x;
    if (x.kind == TSR_REAL)
        tsr_apply_(function, TSR_IN_DOUBLES_, &r.re, &x.re, 1);
    else
        tsr_apply_(tsr_function_for_(function, x.kind == TSR_SIGNED), TSR_IN_INTEGERS_, &r.bits, &x.bits, 1);
    return r;
}

/** alpha * f(x) + beta * y, for a y of a type and an x of one. */
TSR_LOCAL_MEMORY tsr_number tsr_update_number(tsr_update const *u, tsr_dtype to_type, tsr_dtype from_type,
                                              tsr_number x, tsr_number y)
{
    tsr_number alpha = u->alpha, beta = u->beta;
    int const in = tsr_update_in_(u, to_type, from_type, x.kind);
    if (in == TSR_IN_DOUBLES_ || in == TSR_IN_FLOATS_) {
        x = tsr_number_real(tsr_number_to_double(x));
        y = tsr_number_real(tsr_number_to_double(y));
        alpha = tsr_number_real(tsr_number_to_double(alpha));
        beta = tsr_number_real(tsr_number_to_double(beta));
    }
    bool const becomes = in == TSR_IN_COMPLEX_ && tsr_number_is_int_(x) && tsr_number_is_int_(alpha);
    if (becomes) /* no product of integers, which wraps */
        x = tsr_number_real(tsr_number_to_double(x));
    if (u->function != TSR_OF_IDENTITY)
        x = tsr_function_of_(u->function, in, x);
    tsr_number r = tsr_number_scale_(alpha, x);
    r.re = becomes ? r.re + 0.0 : r.re; /* and is no -0 */
    if (tsr_update_reads_(u)) {
        tsr_number const old = tsr_number_scale_(beta, y);
        r = tsr_number_add(r, old);
    }
    r.re = r.re != r.re ? tsr_nan_() : r.re;
    r.im = r.im != r.im ? tsr_nan_() : r.im;
    return r;
}

TSR_APART void tsr_update_element(tsr_update const *u, tsr_dtype to_type, void *to, int to_bit, tsr_dtype from_type,
                                  void const *from, int from_bit)
{
    tsr_number const x = tsr_load(from_type, from, from_bit);
    tsr_number const y = tsr_update_reads_(u) ? tsr_load(to_type, to, to_bit) : x;
    tsr_store(to_type, to, to_bit, tsr_update_number(u, to_type, from_type, x, y));
}

TSR_HEADER_END

#endif
