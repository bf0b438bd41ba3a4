/** Convert: numbers that lie side by side, from one element type to another.
 *
 *  An element smaller than a byte stands in the low bits of a byte of its own, whose others are 0. Numbers pass in
 *  groups through the simplest kind that holds them all, float, double or 64-bit integers, by loops without branches. A
 *  group with a number that these loops would not treat right goes one by one: what is tiny or huge in double, integers
 *  that no double holds, what an integer saturates at; so do complex numbers to others, E8M0, UE4M3 and reals to bool.
 *
 *  Law     every number becomes what tsr_store makes of tsr_load.
 */
#ifndef TSR_EXEC_CONVERT_H
#define TSR_EXEC_CONVERT_H

#include "tessera/tensor/access.h"

#define TSR_GROUP 128

TSR_INLINE float tsr_bits_float_(uint32_t bits)
{
    float r = 0;
    TSR_COPY(&r, &bits, sizeof r);
    return r;
}

TSR_INLINE uint32_t tsr_float_bits_(float x)
{
    uint32_t r = 0;
    TSR_COPY(&r, &x, sizeof r);
    return r;
}

/** What a format's patterns mean: those above `nan` are NaN, `infinity` is; what lies beyond `largest` becomes `beyond`.
 *  Patterns stand `low` bits high in their element, `shift` bits lower than those of float. */
typedef struct tsr_patterns_ {
    uint32_t magnitude, infinity, nan, minus_zero, largest, beyond, made_nan, least, low, shift, half, one, rebias, sign;
    float up, down; /* 2^(127 - bias); what makes an integer of a number that is below the normal ones */
} tsr_patterns_;

/** A type as the loops see it: one whose numbers pass through float is `is_float`. */
typedef struct tsr_form_ {
    tsr_dtype type;
    uint8_t kind, bits, bytes;
    bool is_int, is_float, is_double;
    tsr_patterns_ patterns;
} tsr_form_;

TSR_REF tsr_patterns_ tsr_patterns_of_(tsr_float_format f, int bits)
{
    tsr_patterns_ r = TSR_ZERO;
    uint32_t const none = 0xffffffff, top = (1u << (f.exponent + f.mantissa)) - (1u << f.mantissa);
    bool const ieee = f.special == TSR_IEEE, shorter = f.mantissa < 23, normal = f.bias == 127;
    r.magnitude = (1u << (f.exponent + f.mantissa)) - 1;
    r.largest = (uint32_t)tsr_largest_(f);
    r.beyond = r.largest + ieee;
    r.infinity = ieee ? top : none;
    r.nan = ieee ? top : f.special == TSR_ONE_NAN ? r.magnitude - 1 : r.magnitude;
    r.minus_zero = f.special == TSR_ZERO_NAN ? r.magnitude + 1 : none;
    r.made_nan = ieee                        ? top + (1u << (f.mantissa - 1))
                 : f.special == TSR_ZERO_NAN ? r.minus_zero
                 : f.special == TSR_FINITE   ? r.largest
                                             : r.magnitude;
    r.low = (uint32_t)(bits - f.exponent - f.mantissa - 1);
    r.sign = (uint32_t)(31 - f.exponent - f.mantissa);
    r.shift = (uint32_t)(23 - f.mantissa);
    r.half = shorter ? (1u << (r.shift - 1)) - 1 : 0;
    r.one = shorter;
    r.rebias = (uint32_t)(127 - f.bias) << f.mantissa;
    r.least = normal ? 0 : (uint32_t)(128 - f.bias) << 23;
    r.up = (float)tsr_exp2_(127 - f.bias);
    r.down = normal ? 0 : (float)tsr_exp2_(f.bias - 1 + f.mantissa);
    return r;
}

TSR_INLINE tsr_form_ tsr_form_of_(tsr_dtype type)
{
    tsr_form_ r = TSR_ZERO;
    r.type = type;
    r.kind = (uint8_t)tsr_number_kind_of(type);
    r.bits = (uint8_t)tsr_dtype_bits(type);
    r.bytes = (uint8_t)((r.bits + 7) / 8);
    r.is_int = r.kind == TSR_SIGNED || r.kind == TSR_UNSIGNED;
    r.is_double = type == TSR_F64;
    r.is_float = r.kind == TSR_REAL && !r.is_double && type != TSR_F8_E8M0 && type != TSR_UE4M3;
    if (r.is_float)
        r.patterns = tsr_patterns_of_(tsr_float_format_of(type), r.bits);
    return r;
}

/** a where the condition holds, else b: without a branch, so that loops become vector loops. */
TSR_REF uint32_t tsr_bits_if_(bool condition, uint32_t a, uint32_t b)
{
    return b ^ ((a ^ b) & (0u - (uint32_t)condition));
}

TSR_REF uint32_t tsr_pattern_to_float_(tsr_patterns_ const *f, uint32_t bits)
{
    uint32_t const pattern = bits >> f->low, magnitude = pattern & f->magnitude;
    uint32_t r = tsr_float_bits_(tsr_bits_float_(magnitude << f->shift) * f->up);
    r = tsr_bits_if_(magnitude == f->infinity, 0x7f800000, r) | (pattern ^ magnitude) << f->sign;
    return tsr_bits_if_((magnitude > f->nan) | (pattern == f->minus_zero), 0x7fc00000, r);
}

/** The nearest pattern, ties to even: by carries where the result is a normal number, else by an addition. */
TSR_REF uint32_t tsr_float_to_pattern_(tsr_patterns_ const *f, uint32_t bits)
{
    uint32_t const a = bits & 0x7fffffff;
    uint32_t const small = tsr_float_bits_(tsr_bits_float_(a) * f->down + 8388608.0f) - 0x4b000000;
    uint32_t const large = ((a + f->half + (a >> f->shift & f->one)) >> f->shift) - f->rebias;
    uint32_t r = tsr_bits_if_(a < f->least, small, large);
    r = (r > f->largest ? f->beyond : r) | (bits ^ a) >> f->sign;
    r = r == f->minus_zero ? 0 : r;
    return tsr_bits_if_(a > 0x7f800000, f->made_nan, r) << f->low;
}

/** X(T): the unsigned integers in memory. */
#define TSR_PATTERN_LIST(X) X(uint8_t) X(uint16_t) X(uint32_t) X(uint64_t)

/** X(id): types whose patterns the compiler is to know, for shifts by constants. */
#define TSR_KNOWN_PATTERN_LIST(X) X(BF16) X(F16) X(F8_E4M3FN) X(F8_E5M2) X(F32)

TSR_REF void tsr_patterns_to_float_(void *r, void const *from, tsr_patterns_ const patterns, int bytes, int64_t n)
{
#define X(T)                                                                     \
    if (bytes == sizeof(T))                                                      \
        for (int64_t i = 0; i < n; ++i) {                                        \
            T bits = 0;                                                          \
            TSR_COPY(&bits, (T const *)from + i, sizeof bits);                   \
            uint32_t const f = tsr_pattern_to_float_(&patterns, (uint32_t)bits); \
            TSR_COPY((uint32_t *)r + i, &f, sizeof f);                           \
        }
    TSR_PATTERN_LIST(X)
#undef X
}

TSR_REF void tsr_floats_to_patterns_(void *to, tsr_patterns_ const patterns, int bytes, void const *r, int64_t n)
{
#define X(T)                                                           \
    if (bytes == sizeof(T))                                            \
        for (int64_t i = 0; i < n; ++i) {                              \
            uint32_t f = 0;                                            \
            TSR_COPY(&f, (uint32_t const *)r + i, sizeof f);           \
            T const bits = (T)tsr_float_to_pattern_(&patterns, f);     \
            TSR_COPY((T *)to + i, &bits, sizeof bits);                 \
        }
    TSR_PATTERN_LIST(X)
#undef X
}

TSR_INLINE void tsr_group_to_float_(void *r, void const *from, tsr_form_ const *x, int64_t n)
{
    switch (x->type) {
#define X(id)                                                                                                      \
    case TSR_##id:                                                                                                 \
        tsr_patterns_to_float_(r, from, tsr_patterns_of_(tsr_float_format_of(TSR_##id), (TSR_##id) % 256),         \
                               (TSR_##id) % 256 / 8, n);                                                           \
        break;
        TSR_KNOWN_PATTERN_LIST(X)
#undef X
    default:
        tsr_patterns_to_float_(r, from, x->patterns, x->bytes, n);
    }
}

TSR_INLINE void tsr_group_from_float_(void *to, tsr_form_ const *x, void const *r, int64_t n)
{
    switch (x->type) {
#define X(id)                                                                                                      \
    case TSR_##id:                                                                                                 \
        tsr_floats_to_patterns_(to, tsr_patterns_of_(tsr_float_format_of(TSR_##id), (TSR_##id) % 256),             \
                                (TSR_##id) % 256 / 8, r, n);                                                       \
        break;
        TSR_KNOWN_PATTERN_LIST(X)
#undef X
    default:
        tsr_floats_to_patterns_(to, x->patterns, x->bytes, r, n);
    }
}

TSR_INLINE void tsr_group_to_int_(int64_t *r, void const *from, tsr_form_ const *x, int64_t n)
{
    int const high = x->kind == TSR_SIGNED ? 64 - x->bits : 0;
#define X(T)                                                        \
    if (x->bytes == sizeof(T))                                      \
        for (int64_t i = 0; i < n; ++i) {                           \
            T bits = 0;                                             \
            TSR_COPY(&bits, (T const *)from + i, sizeof bits);      \
            r[i] = (int64_t)((uint64_t)bits << high) >> high;       \
        }
    TSR_PATTERN_LIST(X)
#undef X
    if (x->type == TSR_BOOL)
        for (int64_t i = 0; i < n; ++i)
            r[i] = r[i] != 0;
}

TSR_INLINE void tsr_group_from_int_(void *to, tsr_form_ const *x, int64_t const *r, int64_t n)
{
    uint64_t const ones = ~(uint64_t)0 >> (64 - x->bits);
    bool const truth = x->type == TSR_BOOL;
#define X(T)                                                                         \
    if (x->bytes == sizeof(T))                                                       \
        for (int64_t i = 0; i < n; ++i) {                                            \
            T const bits = (T)(truth ? (uint64_t)(r[i] != 0) : (uint64_t)r[i] & ones); \
            TSR_COPY((T *)to + i, &bits, sizeof bits);                               \
        }
    TSR_PATTERN_LIST(X)
#undef X
}

/* Groups. What is read is false where a number needs more care. */

/** Doubles as floats; with `odd` cut so that the next rounding, to a shorter format, is the only one. */
TSR_INLINE bool tsr_doubles_to_float_(float *r, double const *x, bool odd, int64_t n)
{
    uint64_t const cut = odd ? 0x1fffffff : 0;
    int bad = 0;
    for (int64_t i = 0; i < n; ++i) {
        uint64_t const bits = tsr_double_bits_(x[i]), low = bits & cut, a = bits & ~((uint64_t)1 << 63);
        bad |= a - 1 < ((uint64_t)897 << 52) - 1; /* 0 < |x| < 2^-126 */
        bad |= a - ((uint64_t)1150 << 52) < (uint64_t)897 << 52; /* 2^127 <= |x| < infinity */
        r[i] = (float)tsr_bits_double_((bits - low) | (low != 0 ? cut + 1 : 0));
    }
    return !bad;
}

/** Cut toward zero, and to the range of the type; what is no number is 0. Not of 64 bits. */
TSR_INLINE void tsr_floats_to_int_(int64_t *r, float const *x, tsr_form_ const *to, int64_t n)
{
    bool const is_signed = to->kind == TSR_SIGNED;
    float const limit = (float)tsr_exp2_(to->bits - is_signed), least = is_signed ? -limit : 0;
    for (int64_t i = 0; i < n; ++i) {
        float const number = x[i] == x[i] ? x[i] : 0, low = number < least ? least : number;
        r[i] = (int32_t)(low > limit - 1 ? limit - 1 : low);
    }
}

TSR_INLINE bool tsr_doubles_to_int_(int64_t *r, double const *x, tsr_form_ const *to, int64_t n)
{
    bool const is_signed = to->kind == TSR_SIGNED;
    double const limit = tsr_exp2_(to->bits < 64 ? to->bits - is_signed : 63), least = is_signed ? -limit : -1;
    int bad = to->type == TSR_BOOL;
    if (to->bits <= 32 && !bad) {
        double const lowest = is_signed ? -limit : 0;
        for (int64_t i = 0; i < n; ++i) {
            double const number = x[i] == x[i] ? x[i] : 0, low = number < lowest ? lowest : number;
            r[i] = (int64_t)(low > limit - 1 ? limit - 1 : low);
        }
        return true;
    }
    for (int64_t i = 0; i < n; ++i) {
        bool const fits = x[i] > least && x[i] < limit;
        bad |= !fits;
        r[i] = (int64_t)(fits ? x[i] : 0);
    }
    return !bad;
}

TSR_INLINE bool tsr_ints_to_double_(double *r, int64_t const *x, tsr_form_ const *from, int64_t n)
{
    uint64_t const most = (uint64_t)1 << 53, below = from->kind == TSR_SIGNED ? most : 0;
    int bad = 0;
    for (int64_t i = 0; i < n; ++i) {
        bad |= (uint64_t)x[i] + below > most + below;
        r[i] = (double)x[i];
    }
    return !bad;
}

/** A group on its way from what is no float to what is, or the other way, or between others. */
TSR_INLINE bool tsr_group_convert_(tsr_form_ const *to, void *q, tsr_form_ const *from, void const *p, int64_t n)
{
    double x[TSR_GROUP];
    float f[TSR_GROUP];
    int64_t k[TSR_GROUP];
    bool good = true;
    if (from->is_double && to->type == TSR_F32) { /* the one rounding is the machine's */
        TSR_COPY(x, p, (size_t)n * sizeof(double));
        for (int64_t i = 0; i < n; ++i)
            f[i] = (float)x[i];
        tsr_group_from_float_(q, to, f, n);
        return true;
    }
    if (from->is_int && (from->bits <= 16 || (from->bits <= 32 && to->type == TSR_F32)) && to->is_float) {
        tsr_group_to_int_(k, p, from, n);
        for (int64_t i = 0; i < n; ++i)
            f[i] = (float)k[i];
        tsr_group_from_float_(q, to, f, n);
        return true;
    }
    if (from->is_float && to->is_int && to->bits <= 16 && to->type != TSR_BOOL) {
        tsr_group_to_float_(f, p, from, n);
        tsr_floats_to_int_(k, f, to, n);
        tsr_group_from_int_(q, to, k, n);
        return true;
    }
    if (from->is_int) {
        tsr_group_to_int_(k, p, from, n);
        good = to->is_int || tsr_ints_to_double_(x, k, from, n);
    } else if (from->is_double) {
        TSR_COPY(x, p, (size_t)n * sizeof(double));
    } else {
        tsr_group_to_float_(f, p, from, n);
        for (int64_t i = 0; i < n; ++i)
            x[i] = (double)f[i];
    }
    if (to->is_float) {
        good = tsr_doubles_to_float_(f, x, to->type != TSR_F32, n) && good;
        tsr_group_from_float_(q, to, f, n);
    } else if (to->is_double) {
        for (int64_t i = 0; i < n; ++i)
            x[i] = x[i] != x[i] ? tsr_nan_() : x[i];
        TSR_COPY(q, x, (size_t)n * sizeof(double));
    } else {
        good = (from->is_int || tsr_doubles_to_int_(k, x, to, n)) && good;
        tsr_group_from_int_(q, to, k, n);
    }
    return good;
}

/** Converts n elements. */
TSR_INLINE void tsr_convert(tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from, int64_t n)
{
    if (tsr_dtype_code(to_type) == 5 && tsr_dtype_code(from_type) == 5) { /* real and imaginary parts by themselves */
        to_type = tsr_dtype_bits(to_type) == 64 ? TSR_F32 : TSR_F64;
        from_type = tsr_dtype_bits(from_type) == 64 ? TSR_F32 : TSR_F64;
        n *= 2;
    }
    tsr_form_ const t = tsr_form_of_(to_type), f = tsr_form_of_(from_type);
    bool const loops = (t.is_int || t.is_float || t.is_double) && (f.is_int || f.is_float || f.is_double);
    uint32_t group[TSR_GROUP];
    for (int64_t i = 0, m = 0; i < n; i += m) {
        unsigned char *const q = (unsigned char *)to + i * t.bytes;
        unsigned char const *const p = (unsigned char const *)from + i * f.bytes;
        m = tsr_min64(n - i, TSR_GROUP);
        if (t.is_float && f.is_float) {
            if (from_type != TSR_F32)
                tsr_group_to_float_(to_type == TSR_F32 ? (void *)q : group, p, &f, m);
            if (to_type != TSR_F32 || from_type == TSR_F32)
                tsr_group_from_float_(q, &t, from_type == TSR_F32 ? (void const *)p : group, m);
        } else if (!loops || !tsr_group_convert_(&t, q, &f, p, m)) {
            for (int64_t k = 0; k < m; ++k)
                tsr_store(to_type, q + k * t.bytes, 0, tsr_load(from_type, p + k * f.bytes, 0));
        }
    }
}

#endif
