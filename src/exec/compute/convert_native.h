/** Native: conversions between types that C has on both sides, by one loop each, where nothing waits between two.
 *
 *      integers of whole bytes     their bits, cut or extended
 *      to doubles                  from integers of whole bytes, and from floats
 *      from doubles                to integers of at most 16 bits, and I32
 *
 *  Law     that of exec/compute/convert.h, whose other loops give the same.
 */
#ifndef TSR_SRC_EXEC_COMPUTE_CONVERT_NATIVE_H
#define TSR_SRC_EXEC_COMPUTE_CONVERT_NATIVE_H

#include "exec/compute/forms.h"

TSR_HEADER_BEGIN

/* clang-format off */
/** X(T, F): integers F that become longer ones T. */
#define TSR_LONGER_LIST(X) \
    X(uint16_t, int8_t) X(uint32_t, int8_t) X(uint64_t, int8_t) \
    X(uint32_t, int16_t) X(uint64_t, int16_t) X(uint64_t, int32_t) \
    X(uint16_t, uint8_t) X(uint32_t, uint8_t) X(uint64_t, uint8_t) \
    X(uint32_t, uint16_t) X(uint64_t, uint16_t) X(uint64_t, uint32_t)

/** X(T, F): integers F whose low bits are T. */
#define TSR_SHORTER_LIST(X) \
    X(uint8_t, uint8_t) X(uint16_t, uint16_t) X(uint32_t, uint32_t) X(uint64_t, uint64_t) \
    X(uint8_t, uint16_t) X(uint8_t, uint32_t) X(uint8_t, uint64_t) \
    X(uint16_t, uint32_t) X(uint16_t, uint64_t) X(uint32_t, uint64_t)
/* clang-format on */

/** Integers of whole bytes: their bits, cut or extended. */
TSR_LOCAL_MEMORY void tsr_ints_to_ints_(void *TSR_RESTRICT to, tsr_form_ const *t, void const *TSR_RESTRICT from,
                                        tsr_form_ const *f, tsr_lines_ b)
{
    bool const is_signed = f->kind == TSR_SIGNED;
#define TSR_X_(T, F)                                  \
  if (t->bytes == sizeof(T) && f->bytes == sizeof(F)) \
  TSR_EACH_(T, F, x)
#define TSR_Y_(T, F)                                                                   \
  if (t->bytes == sizeof(T) && f->bytes == sizeof(F) && is_signed == ((F)(-1) < (F)1)) \
  TSR_EACH_(T, F, x)
    TSR_SHORTER_LIST(TSR_X_)
    TSR_LONGER_LIST(TSR_Y_)
#undef TSR_X_
#undef TSR_Y_
}

/** Doubles of integers of whole bytes, or of floats. */
TSR_LOCAL_MEMORY void tsr_all_to_doubles_(void *TSR_RESTRICT to, void const *TSR_RESTRICT from, tsr_dtype type,
                                          tsr_lines_ b)
{
    switch (type) {
#define TSR_X_(id, T)     \
case TSR_##id:            \
  TSR_EACH_(double, T, x) \
  break;
        TSR_INTEGER_LIST(TSR_X_)
#undef TSR_X_
    default:
        TSR_EACH_(double, uint32_t, tsr_bits_float_(tsr_one_nan_bits_(x)))
    }
}

/** Integers that a double is cut to by way of 32 bits. */
TSR_LOCAL_MEMORY void tsr_doubles_to_small_ints_(void *TSR_RESTRICT to, tsr_form_ const *t,
                                                 void const *TSR_RESTRICT from, tsr_lines_ b)
{
    bool const is_signed = t->kind == TSR_SIGNED;
    double const limit = tsr_exp2_(t->bits - is_signed), least = is_signed ? -limit : 0, most = limit - 1;
#define TSR_X_(T)            \
  if (t->bytes == sizeof(T)) \
  TSR_EACH_(T, double, (uint32_t)(int32_t)tsr_double_within_(x, least, most))
    TSR_X_(uint8_t) TSR_X_(uint16_t) TSR_X_(uint32_t)
#undef TSR_X_
}

/** Whether there is such a loop. */
TSR_LOCAL_MEMORY bool tsr_are_native_(tsr_form_ const *t, tsr_form_ const *f)
{
    bool const whole = t->bits % 8 == 0 && f->bits % 8 == 0,
               small = t->is_int && (t->bits <= 16 || t->type == TSR_I32);
    if (!whole || t->type == TSR_BOOL || f->type == TSR_BOOL)
        return false;
    return (t->is_int && f->is_int) || (t->is_double && (f->is_int || f->type == TSR_F32)) || (f->is_double && small);
}

TSR_LOCAL_MEMORY void tsr_convert_native_(void *to, tsr_form_ const *t, void const *from, tsr_form_ const *f,
                                          tsr_lines_ b)
{
    if (t->is_double)
        tsr_all_to_doubles_(to, from, f->type, b);
    else if (f->is_double)
        tsr_doubles_to_small_ints_(to, t, from, b);
    else
        tsr_ints_to_ints_(to, t, from, f, b);
}

TSR_HEADER_END

#endif
