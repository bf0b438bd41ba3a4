/** Update: what becomes of an element y of the destination and the element x of the source that goes there.
 *
 *      y = alpha * f(x) + beta * y          where beta is 0, y is not read
 *
 *  f is a row of TSR_FUNCTION_LIST (exec/functions.h). Where alpha, beta and both types are integers, it is computed
 *  modulo 2^64; else in double (complex numbers, to which no f but x itself is applied, in two), every product and sum
 *  rounded by itself, and once more to the type of y. NaN is one pattern, for no type says which one an operation
 *  gives.
 *
 *  Law     runs of elements become what tsr_update_number makes of each, bit by bit, whatever the row of the engine.
 */
#ifndef TSR_EXEC_UPDATE_H
#define TSR_EXEC_UPDATE_H

#include "tessera/exec/functions.h"
#include "tessera/exec/loops.h"

TSR_INLINE tsr_update tsr_make_update(int function, tsr_number alpha, tsr_number beta)
{
    tsr_update u = TSR_ZERO;
    u.computes = true;
    u.function = (uint8_t)function;
    u.alpha = alpha;
    u.beta = beta;
    return u;
}

TSR_INLINE bool tsr_update_reads_(tsr_update const *u) { return u->computes && !tsr_number_is_zero(u->beta); }

/** In which numbers an update computes, by the kinds of y and x. */
enum { TSR_IN_INTEGERS_, TSR_IN_DOUBLES_, TSR_IN_COMPLEX_ };

TSR_INLINE int tsr_update_in_(tsr_update const *u, int y, int x)
{
    bool const reads = tsr_update_reads_(u);
    bool const ints = (x == TSR_SIGNED || x == TSR_UNSIGNED) && (y == TSR_SIGNED || y == TSR_UNSIGNED)
                      && tsr_number_is_int_(u->alpha) && (!reads || tsr_number_is_int_(u->beta));
    if (x == TSR_COMPLEX || y == TSR_COMPLEX || u->alpha.kind == TSR_COMPLEX || (reads && u->beta.kind == TSR_COMPLEX))
        return TSR_IN_COMPLEX_;
    return ints && u->function < TSR_OF_EXP ? TSR_IN_INTEGERS_ : TSR_IN_DOUBLES_;
}

/* The functions of the table: here, and nowhere else, they become code. */

TSR_INLINE void tsr_apply_to_reals_(int function, double *r, int64_t n)
{
    switch (function) {
#define X(id, name, of_real, of_integer)    \
    case TSR_OF_##id:                       \
        for (int64_t i = 0; i < n; ++i) {   \
            double const x = r[i];          \
            r[i] = of_real;                 \
        }                                   \
        break;
        TSR_FUNCTION_LIST(X)
#undef X
    default:
        break;
    }
}

TSR_INLINE void tsr_apply_to_integers_(int function, int64_t *r, int64_t n)
{
    switch (function) {
#define X(id, name, of_real, of_integer)    \
    case TSR_OF_##id:                       \
        for (int64_t i = 0; i < n; ++i) {   \
            int64_t const x = r[i];         \
            r[i] = of_integer;              \
        }                                   \
        break;
        TSR_FUNCTION_LIST(X)
#undef X
    default:
        break;
    }
}

/** Of unsigned numbers every function of integers but the square is the number itself. */
TSR_INLINE int tsr_function_for_(int function, bool is_signed)
{
    return is_signed || function == TSR_OF_SQUARE ? function : (int)TSR_OF_IDENTITY;
}

/* One element */

/** f of a double or an integer; a complex number stays what it is. */
TSR_INLINE tsr_number tsr_function_of_(int function, tsr_number number)
{
    int64_t integer = (int64_t)number.bits;
    if (number.kind == TSR_REAL)
        tsr_apply_to_reals_(function, &number.re, 1);
    if (number.kind != TSR_SIGNED && number.kind != TSR_UNSIGNED)
        return number;
    tsr_apply_to_integers_(tsr_function_for_(function, number.kind == TSR_SIGNED), &integer, 1);
    number.bits = (uint64_t)integer;
    return number;
}

/** alpha * f(x) + beta * y, for a y of a type. */
TSR_INLINE tsr_number tsr_update_number(tsr_update const *u, tsr_dtype type, tsr_number x, tsr_number y)
{
    tsr_number alpha = u->alpha, beta = u->beta;
    if (tsr_update_in_(u, (int)tsr_number_kind_of(type), x.kind) == TSR_IN_DOUBLES_) {
        x = tsr_number_real(tsr_number_to_double(x));
        y = tsr_number_real(tsr_number_to_double(y));
        alpha = tsr_number_real(tsr_number_to_double(alpha));
        beta = tsr_number_real(tsr_number_to_double(beta));
    }
    tsr_number r = tsr_number_mul(alpha, tsr_function_of_(u->function, x));
    if (tsr_update_reads_(u)) {
        tsr_number const old = tsr_number_mul(beta, y);
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
    tsr_store(to_type, to, to_bit, tsr_update_number(u, to_type, x, y));
}

/* Runs */

/** tsr_convert, or one that is compiled for more instructions. */
typedef void (*tsr_converter)(tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from, int64_t n);

TSR_INLINE void tsr_update_doubles_(tsr_update const *u, double *r, double const *y, bool reads, int64_t n)
{
    double const alpha = tsr_number_to_double(u->alpha), beta = tsr_number_to_double(u->beta);
    tsr_apply_to_reals_(u->function, r, n);
    for (int64_t i = 0; i < n; ++i)
        r[i] = alpha * r[i];
    for (int64_t i = 0; reads && i < n; ++i) {
        double const old = beta * y[i];
        r[i] = r[i] + old;
    }
}

TSR_INLINE void tsr_update_integers_(tsr_update const *u, int64_t *r, int64_t const *y, bool is_signed, bool reads,
                                     int64_t n)
{
    uint64_t const alpha = u->alpha.bits, beta = u->beta.bits;
    tsr_apply_to_integers_(tsr_function_for_(u->function, is_signed), r, n);
    for (int64_t i = 0; i < n; ++i)
        r[i] = (int64_t)(alpha * (uint64_t)r[i]);
    for (int64_t i = 0; reads && i < n; ++i)
        r[i] = (int64_t)((uint64_t)r[i] + beta * (uint64_t)y[i]);
}

/** Complex y times b. Products and sums have loops of their own: gcc 12 fuses them in one, whatever it is told. */
TSR_INLINE void tsr_complex_products_(double *y, tsr_number b, int64_t n)
{
    double const re = tsr_number_to_double(b), im = tsr_number_imaginary_(b);
    double cross[TSR_GROUP];
    for (int64_t i = 0; i < 2 * n; i += 2) {
        cross[i] = im * y[i + 1];
        cross[i + 1] = im * y[i];
    }
    for (int64_t i = 0; i < 2 * n; ++i)
        y[i] = re * y[i];
    for (int64_t i = 0; i < 2 * n; i += 2) {
        y[i] = y[i] - cross[i];
        y[i + 1] = y[i + 1] + cross[i + 1];
    }
}

TSR_INLINE void tsr_update_complex_(tsr_update const *u, double *x, double *y, bool reads, int64_t n)
{
    tsr_complex_products_(x, u->alpha, n);
    if (reads)
        tsr_complex_products_(y, u->beta, n);
    for (int64_t i = 0; reads && i < 2 * n; ++i)
        x[i] = x[i] + y[i];
}

TSR_REF double tsr_real_at_(void const *p, int64_t i, int bytes)
{
    double r = 0;
    float f = 0;
    if (bytes == 8)
        TSR_COPY(&r, (double const *)p + i, sizeof r);
    else
        TSR_COPY(&f, (float const *)p + i, sizeof f);
    return bytes == 8 ? r : (double)f;
}

/** r = alpha * x + beta * r of floats and doubles, by their bytes; floats are odd where they are rounded once more:
 *  one loop, because nothing but memory should be waited for. */
TSR_REF void tsr_update_reals_(tsr_update const *u, void *r, int r_bytes, bool odd, void const *x, int x_bytes,
                               int64_t n)
{
    double const alpha = tsr_number_to_double(u->alpha), beta = tsr_number_to_double(u->beta);
    bool const reads = tsr_update_reads_(u);
    for (int64_t i = 0; i < n; ++i) {
        double sum = alpha * tsr_real_at_(x, i, x_bytes);
        if (reads) {
            double const old = beta * tsr_real_at_(r, i, r_bytes);
            sum = sum + old;
        }
        if (r_bytes == 8) {
            sum = sum != sum ? tsr_nan_() : sum;
            TSR_COPY((double *)r + i, &sum, sizeof sum);
        } else {
            uint32_t const bits = odd ? tsr_float_bits_(tsr_float_odd_(sum)) : tsr_one_nan_((float)sum);
            TSR_COPY((float *)r + i, &bits, sizeof bits);
        }
    }
}

/** A group of real elements other than of integers, which pass through float where they are shorter. */
TSR_INLINE void tsr_update_group_(tsr_update const *u, tsr_converter convert, tsr_dtype to_type, void *to,
                                  tsr_dtype from_type, void const *from, int64_t n)
{
    float x[TSR_GROUP], y[TSR_GROUP];
    bool const wide = from_type == TSR_F64, shorter = to_type != TSR_F32 && to_type != TSR_F64;
    void const *const source = wide || from_type == TSR_F32 ? from : x;
    void *const r = shorter ? y : to;
    if (source == x)
        convert(TSR_F32, x, from_type, from, n);
    if (shorter && tsr_update_reads_(u))
        convert(TSR_F32, y, to_type, to, n);
    if (to_type == TSR_F64)
        wide ? tsr_update_reals_(u, r, 8, false, source, 8, n) : tsr_update_reals_(u, r, 8, false, source, 4, n);
    else if (to_type == TSR_F32)
        wide ? tsr_update_reals_(u, r, 4, false, source, 8, n) : tsr_update_reals_(u, r, 4, false, source, 4, n);
    else
        wide ? tsr_update_reals_(u, r, 4, true, source, 8, n) : tsr_update_reals_(u, r, 4, true, source, 4, n);
    if (shorter)
        convert(to_type, to, TSR_F32, y, n);
}

/** y = alpha * f(x) + beta * y for n elements side by side, x at `from`, y at `to`, which may be the same place. */
TSR_INLINE void tsr_update_run_(tsr_update const *u, tsr_converter convert, tsr_dtype to_type, void *to,
                                tsr_dtype from_type, void const *from, int64_t n)
{
    tsr_form_ const a = tsr_form_of_(from_type), b = tsr_form_of_(to_type);
    int const in = tsr_update_in_(u, b.kind, a.kind);
    bool const reads = tsr_update_reads_(u), is_signed = a.kind == TSR_SIGNED;
    bool const parts = in == TSR_IN_COMPLEX_, ints = in == TSR_IN_INTEGERS_;
    bool const mixed = parts && (tsr_dtype_code(to_type) != 5 || tsr_dtype_code(from_type) != 5);
    tsr_dtype const work = ints ? TSR_I64 : parts ? TSR_C128 : TSR_F64;
    double x[TSR_GROUP], y[TSR_GROUP];
    int64_t k[TSR_GROUP], l[TSR_GROUP];
    void *const r = ints ? (void *)k : (void *)x, *const old = ints ? (void *)l : (void *)y;
    bool const reals = in == TSR_IN_DOUBLES_ && u->function == TSR_OF_IDENTITY && (a.is_float || a.is_double)
                       && (b.is_float || b.is_double);
    for (int64_t i = 0, m = 0; i < n; i += m) {
        unsigned char *const q = (unsigned char *)to + i * b.bytes;
        unsigned char const *const p = (unsigned char const *)from + i * a.bytes;
        m = tsr_min64(n - i, mixed ? 1 : parts ? TSR_GROUP / 2 : TSR_GROUP);
        if (mixed) {
            tsr_update_element(u, to_type, q, 0, from_type, p, 0);
            continue;
        }
        if (reals) {
            tsr_update_group_(u, convert, to_type, q, from_type, p, m);
            continue;
        }
        convert(work, r, from_type, p, m);
        if (reads)
            convert(work, old, to_type, q, m);
        if (ints)
            tsr_update_integers_(u, k, l, is_signed, reads, m);
        else if (parts)
            tsr_update_complex_(u, x, y, reads, m);
        else
            tsr_update_doubles_(u, x, y, reads, m);
        convert(to_type, q, work, r, m);
    }
}

#endif
