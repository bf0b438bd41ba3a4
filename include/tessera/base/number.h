/** Number: the value of one element of any type, and the bits that stand for it.
 *
 *      integer   64 bits, signed or unsigned        real  a double        complex  two doubles
 *
 *  Law     decode(encode(x)) is x for every x of the type; encode gives the nearest number of a floating-point type,
 *          ties to even, in one rounding. Beyond the largest finite number comes infinity where the type has one, else
 *          that number. A type without NaN takes the largest number for it. To an integer a real is cut toward zero, as
 *          C does, and saturates where C is undefined (NaN gives 0); an integer keeps its low bits, as in C.
 *  Source  IEEE 754; the OCP 8-bit and microscaling formats; PTX, cvt.satfinite.
 */
#ifndef TSR_BASE_NUMBER_H
#define TSR_BASE_NUMBER_H

#include "tessera/base/dtype.h"

TSR_HEADER_BEGIN

typedef enum tsr_number_kind { TSR_NO_NUMBER, TSR_SIGNED, TSR_UNSIGNED, TSR_REAL, TSR_COMPLEX } tsr_number_kind;

typedef struct tsr_number {
    uint8_t kind;
    uint64_t bits; /* integers: two's complement */
    double re, im;
} tsr_number;

/** How a floating-point type is written; exponent is 0 for the others. */
typedef struct tsr_float_format {
    int exponent, mantissa, bias, special;
} tsr_float_format;

TSR_FN tsr_float_format tsr_float_format_make_(int exponent, int mantissa, int bias, int special)
{
    tsr_float_format r = TSR_ZERO;
    r.exponent = exponent;
    r.mantissa = mantissa;
    r.bias = bias;
    r.special = special;
    return r;
}

/** The format of a floating-point type. */
TSR_FN tsr_float_format tsr_float_format_of(tsr_dtype type)
{
    switch (type) {
#define TSR_X_(id, code, bits, exponent, mantissa, bias, special, ...) \
case TSR_##id:                                                         \
  return tsr_float_format_make_(exponent, mantissa, bias, TSR_##special);
        TSR_DTYPE_LIST(TSR_X_)
#undef TSR_X_
    default:
        return tsr_float_format_make_(0, 0, 0, TSR_NO_FLOAT);
    }
}

/** What numbers a type holds; TSR_NO_NUMBER for bits without arithmetic (u128, unknown codes). */
TSR_FN tsr_number_kind tsr_number_kind_of(tsr_dtype type)
{
    int const code = tsr_dtype_code(type);
    if (tsr_dtype_bits(type) == 0 || tsr_dtype_bits(type) > (code == 5 ? 128 : 64))
        return TSR_NO_NUMBER;
    return code == 0                                 ? TSR_SIGNED
           : code == 1 || code == 6                  ? TSR_UNSIGNED
           : code == 5                               ? TSR_COMPLEX
           : tsr_float_format_of(type).exponent != 0 ? TSR_REAL
                                                     : TSR_NO_NUMBER;
}

/** A signed integer as a number. */
TSR_FN tsr_number tsr_number_int(int64_t v)
{
    tsr_number r = TSR_ZERO;
    r.kind = TSR_SIGNED;
    r.bits = (uint64_t)v;
    return r;
}

/** A real number. */
TSR_FN tsr_number tsr_number_real(double v)
{
    tsr_number r = TSR_ZERO;
    r.kind = TSR_REAL;
    r.re = v;
    return r;
}

/** A complex number. */
TSR_FN tsr_number tsr_number_complex(double re, double im)
{
    tsr_number r = tsr_number_real(re);
    r.kind = TSR_COMPLEX;
    r.im = im;
    return r;
}

/** The real part of any number. */
TSR_FN double tsr_number_to_double(tsr_number x)
{
    return x.kind == TSR_SIGNED ? (double)(int64_t)x.bits : x.kind == TSR_UNSIGNED ? (double)x.bits : x.re;
}

TSR_FN double tsr_number_imaginary_(tsr_number x) { return x.kind == TSR_COMPLEX ? x.im : 0; }

/* Arithmetic: of integers modulo 2^64, of reals in double, of complex numbers in two; the result is of the wider
 * kind. */

TSR_FN bool tsr_number_is_int_(tsr_number x) { return x.kind == TSR_SIGNED || x.kind == TSR_UNSIGNED; }

TSR_FN tsr_number tsr_number_add(tsr_number a, tsr_number b)
{
    if (tsr_number_is_int_(a) && tsr_number_is_int_(b)) {
        a.kind = a.kind == TSR_SIGNED ? a.kind : b.kind;
        a.bits += b.bits;
        return a;
    }
    tsr_number r = tsr_number_real(tsr_number_to_double(a) + tsr_number_to_double(b));
    if (a.kind == TSR_COMPLEX || b.kind == TSR_COMPLEX)
        r = tsr_number_complex(r.re, tsr_number_imaginary_(a) + tsr_number_imaginary_(b));
    return r;
}

TSR_FN tsr_number tsr_number_mul(tsr_number a, tsr_number b)
{
    if (tsr_number_is_int_(a) && tsr_number_is_int_(b)) {
        a.kind = a.kind == TSR_SIGNED ? a.kind : b.kind;
        a.bits *= b.bits;
        return a;
    }
    double const x = tsr_number_to_double(a), y = tsr_number_to_double(b);
    if (a.kind != TSR_COMPLEX && b.kind != TSR_COMPLEX)
        return tsr_number_real(x * y);
    double const u = tsr_number_imaginary_(a), v = tsr_number_imaginary_(b);
    return tsr_number_complex(x * y - u * v, x * v + u * y);
}

/** factor * x, where a factor that is not complex multiplies the parts of a complex x: 1 * (inf + i) is inf + i. */
TSR_FN tsr_number tsr_number_scale_(tsr_number factor, tsr_number x)
{
    double const by = tsr_number_to_double(factor);
    return factor.kind != TSR_COMPLEX && x.kind == TSR_COMPLEX ? tsr_number_complex(by * x.re, by * x.im)
                                                               : tsr_number_mul(factor, x);
}

/** Is a less than b? Complex numbers are compared by their real parts; NaN is not less. */
TSR_FN bool tsr_number_less(tsr_number a, tsr_number b)
{
    if (!tsr_number_is_int_(a) || !tsr_number_is_int_(b))
        return tsr_number_to_double(a) < tsr_number_to_double(b);
    bool const negative_a = a.kind == TSR_SIGNED && (int64_t)a.bits < 0;
    bool const negative_b = b.kind == TSR_SIGNED && (int64_t)b.bits < 0;
    return negative_a != negative_b ? negative_a : a.bits < b.bits;
}

TSR_FN tsr_number tsr_number_min(tsr_number a, tsr_number b) { return tsr_number_less(b, a) ? b : a; }

TSR_FN tsr_number tsr_number_max(tsr_number a, tsr_number b) { return tsr_number_less(a, b) ? b : a; }

/** Is the number zero? Both parts of a complex one. */
TSR_FN bool tsr_number_is_zero(tsr_number x)
{
    return tsr_number_is_int_(x) ? x.bits == 0 : x.re == 0 && !(x.im != 0);
}

/* Bits */

TSR_INLINE uint64_t tsr_double_bits_(double x)
{
    uint64_t r = 0;
    TSR_COPY(&r, &x, sizeof r);
    return r;
}

TSR_INLINE double tsr_bits_double_(uint64_t bits)
{
    double r = 0;
    TSR_COPY(&r, &bits, sizeof r);
    return r;
}

/** 2^k for -1022 <= k <= 1023. */
TSR_INLINE double tsr_exp2_(int k) { return tsr_bits_double_((uint64_t)(k + 1023) << 52); }

TSR_INLINE double tsr_nan_(void) { return tsr_bits_double_((uint64_t)0x7ff8 << 48); }

TSR_INLINE double tsr_decode_float_(tsr_float_format f, int width, uint64_t bits)
{
    bool const has_sign = f.special != TSR_SCALE;
    int const used = f.exponent + f.mantissa + has_sign;
    uint64_t const pattern = bits >> (width - used), mask = ((uint64_t)1 << (f.exponent + f.mantissa)) - 1;
    uint64_t const magnitude = pattern & mask, top = ((uint64_t)1 << f.exponent) - 1;
    uint64_t const e = magnitude >> f.mantissa, m = magnitude & (((uint64_t)1 << f.mantissa) - 1);
    bool const negative = pattern > mask;
    double r = 0;
    if (f.exponent == 11)
        return tsr_bits_double_(bits);
    if (f.special == TSR_IEEE && e == top)
        return m != 0 ? tsr_nan_() : tsr_bits_double_((uint64_t)(negative ? 0xfff0 : 0x7ff0) << 48);
    if (((f.special == TSR_ONE_NAN || f.special == TSR_SCALE) && magnitude == mask)
        || (f.special == TSR_ZERO_NAN && negative && magnitude == 0))
        return tsr_nan_();
    if (f.special == TSR_SCALE)
        r = tsr_exp2_((int)e - f.bias);
    else if (e == 0)
        r = (double)m * tsr_exp2_(1 - f.bias - f.mantissa);
    else
        r = (double)(m + ((uint64_t)1 << f.mantissa)) * tsr_exp2_((int)e - f.bias - f.mantissa);
    return negative ? -r : r;
}

/** The largest finite pattern without its sign. */
TSR_FN uint64_t tsr_largest_(tsr_float_format f)
{
    uint64_t const all = ((uint64_t)1 << (f.exponent + f.mantissa)) - 1;
    if (f.special == TSR_IEEE)
        return all - ((uint64_t)1 << f.mantissa);
    return f.special == TSR_ONE_NAN || f.special == TSR_SCALE ? all - 1 : all;
}

/** The nearest pattern to a finite x >= 0, ties to even; it may lie beyond the largest. */
TSR_INLINE uint64_t tsr_round_(tsr_float_format f, double x)
{
    int const least = f.special == TSR_SCALE ? -f.bias : 1 - f.bias; /* exponent of the smallest normal number */
    int const e = (int)(tsr_double_bits_(x) >> 52) - 1023, q = (e > least ? e : least) - f.mantissa;
    if (f.special == TSR_SCALE && e < least)
        return 0;
    double const scaled = x * tsr_exp2_(-q); /* exact, below 2^(mantissa + 1) */
    uint64_t n = (uint64_t)scaled;
    double const rest = scaled - (double)n;
    if (rest > 0.5 || (rest == 0.5 && (n & 1) != 0))
        ++n;
    if (f.special == TSR_SCALE)
        return (uint64_t)(q + f.bias) + (n - 1);
    return n + ((uint64_t)(q + f.mantissa + f.bias - 1) << f.mantissa);
}

TSR_INLINE uint64_t tsr_encode_float_(tsr_float_format f, int width, bool has_sign, double x)
{
    uint64_t const all = ((uint64_t)1 << (f.exponent + f.mantissa)) - 1, largest = tsr_largest_(f);
    bool const negative = (tsr_double_bits_(x) >> 63) != 0, scale = f.special == TSR_SCALE;
    uint64_t magnitude = 0, sign = negative ? all + 1 : 0;
    if (f.exponent == 11)
        return tsr_double_bits_(x);
    if (x != x || (scale && negative && x != 0)) {
        sign = f.special == TSR_ZERO_NAN ? all + 1 : 0;
        magnitude = f.special == TSR_IEEE       ? all - (((uint64_t)1 << f.mantissa) / 2 - 1) /* the quiet one */
                    : f.special == TSR_ZERO_NAN ? 0
                    : f.special == TSR_FINITE   ? largest
                                                : all;
    } else if (!has_sign && negative) {
        magnitude = 0;
    } else {
        double const a = negative ? -x : x;
        magnitude = a > 1e300 ? all : tsr_round_(f, a);
        if (magnitude > largest)
            magnitude = f.special == TSR_IEEE ? largest + 1 : largest;
        if (f.special == TSR_ZERO_NAN && magnitude == 0)
            sign = 0;
    }
    return (magnitude | (has_sign ? sign : 0)) << (width - f.exponent - f.mantissa - (scale ? 0 : 1));
}

/** An integer as a double: exact, or so that one further rounding to a shorter format is right (round to odd). */
TSR_FN double tsr_odd_double_(bool negative, uint64_t magnitude)
{
    uint64_t step = 1;
    while (magnitude >> 53 >= step)
        step <<= 1;
    uint64_t const cut = magnitude / step * step;
    double const r = (double)(cut | (cut != magnitude ? step : 0));
    return negative ? -r : r;
}

/** The bits of a real, cut toward zero and kept within what an integer of `width` bits holds. */
TSR_FN uint64_t tsr_cut_(double x, bool is_signed, int width)
{
    double const limit = (double)((uint64_t)1 << (width - 1)) * (is_signed ? 1 : 2); /* 2^width or 2^(width-1) */
    uint64_t const ones = ~(uint64_t)0 >> (64 - width);
    if (x != x)
        return 0;
    if (x >= limit)
        return is_signed ? ones >> 1 : ones;
    if (x <= -limit || (!is_signed && x <= 0))
        return is_signed ? (ones >> 1) + 1 : 0;
    return (x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x) & ones;
}

/** The number that the low bits stand for, of a type of at most 64 bits that is not complex. */
TSR_INLINE tsr_number tsr_decode(tsr_dtype type, uint64_t bits)
{
    int const width = tsr_dtype_bits(type);
    tsr_number r = TSR_ZERO;
    r.kind = (uint8_t)tsr_number_kind_of(type);
    if (r.kind == TSR_REAL) {
        r.re = tsr_decode_float_(tsr_float_format_of(type), width, type == TSR_UE4M3 ? bits & 127 : bits);
    } else if (r.kind == TSR_SIGNED || r.kind == TSR_UNSIGNED) {
        bool const negative = r.kind == TSR_SIGNED && (bits >> (width - 1) & 1) != 0;
        r.bits = tsr_dtype_code(type) == 6 ? bits != 0 : bits | (negative && width < 64 ? ~(uint64_t)0 << width : 0);
    } else {
        r.kind = TSR_NO_NUMBER;
    }
    return r;
}

/** The bits of a number in a type of at most 64 bits that is not complex; the imaginary part is left out. */
TSR_INLINE uint64_t tsr_encode(tsr_dtype type, tsr_number x)
{
    int const width = tsr_dtype_bits(type), code = tsr_dtype_code(type);
    bool const is_int = x.kind == TSR_SIGNED || x.kind == TSR_UNSIGNED;
    bool const negative = x.kind == TSR_SIGNED && (int64_t)x.bits < 0;
    if (code == 6)
        return is_int ? x.bits != 0 : !(x.re == 0) || (x.kind == TSR_COMPLEX && !(x.im == 0));
    if (tsr_number_kind_of(type) == TSR_REAL) {
        tsr_float_format const f = tsr_float_format_of(type);
        double const v = !is_int            ? x.re
                         : f.exponent == 11 ? tsr_number_to_double(x)
                                            : tsr_odd_double_(negative, negative ? ~x.bits + 1 : x.bits);
        return tsr_encode_float_(f, width, type != TSR_UE4M3, v);
    }
    return is_int ? x.bits & (~(uint64_t)0 >> (64 - width)) : tsr_cut_(x.re, code == 0, width);
}

TSR_HEADER_END

#endif
