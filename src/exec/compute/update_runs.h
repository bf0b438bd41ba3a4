/** Update runs: elements that lie side by side, by loops that compilers make vectors of.
 *
 *  Law     that of exec/compute/update.h.
 */
#ifndef TSR_SRC_EXEC_COMPUTE_UPDATE_RUNS_H
#define TSR_SRC_EXEC_COMPUTE_UPDATE_RUNS_H

#include "exec/compute/out_of_line.h"
#include "exec/compute/update_powers.h"

/** Real elements that wait between two loops. */
enum { TSR_UPDATE_REALS = 1024 };

TSR_LOCAL_MEMORY void tsr_update_doubles_(tsr_update const *u, double *r, double const *y, bool reads, int64_t n)
{
    double const alpha = tsr_number_to_double(u->alpha), beta = tsr_number_to_double(u->beta);
    for (int64_t i = 0; i < n; ++i)
        r[i] = alpha * r[i];
    for (int64_t i = 0; reads && i < n; ++i) {
        double const old = beta * y[i];
        r[i] = r[i] + old;
    }
}

TSR_LOCAL_MEMORY void tsr_update_integers_(tsr_update const *u, uint64_t *r, uint64_t const *y, bool reads, int64_t n)
{
    uint64_t const alpha = u->alpha.bits, beta = u->beta.bits;
    for (int64_t i = 0; i < n; ++i)
        r[i] = alpha * r[i];
    for (int64_t i = 0; reads && i < n; ++i)
        r[i] = r[i] + beta * y[i];
}

/** Complex y times b (tsr_number_scale_); those of reals keep their other part of 0. Products and sums have loops of
 *  their own: gcc 12 fuses them in one, whatever it is told. */
TSR_LOCAL_MEMORY void tsr_complex_products_(double *y, tsr_number b, bool of_reals, int64_t n)
{
    double const re = tsr_number_to_double(b), im = tsr_number_imaginary_(b);
    bool const turns = b.kind == TSR_COMPLEX;
    double cross[TSR_GROUP];
    for (int64_t i = 0; turns && i < 2 * n; i += 2) {
        cross[i] = im * y[i + 1];
        cross[i + 1] = im * y[i];
    }
    for (int64_t i = 0; i < 2 * n; i += of_reals && !turns ? 2 : 1)
        y[i] = re * y[i];
    for (int64_t i = 0; turns && i < 2 * n; i += 2) {
        y[i] = y[i] - cross[i];
        y[i + 1] = y[i + 1] + cross[i + 1];
    }
}

TSR_LOCAL_MEMORY void tsr_update_complex_(tsr_update const *u, double *x, bool x_real, double *y, bool y_real,
                                          int64_t n)
{
    bool const reads = tsr_update_reads_(u);
    tsr_complex_products_(x, u->alpha, x_real, n);
    if (reads)
        tsr_complex_products_(y, u->beta, y_real, n);
    for (int64_t i = 0; reads && i < 2 * n; ++i)
        x[i] = x[i] + y[i];
}

/** r = alpha * x + beta * r in floats (tsr_update_is_single_). */
TSR_LOCAL_MEMORY void tsr_update_singles_(tsr_update const *u, void *TSR_RESTRICT r, void const *TSR_RESTRICT x,
                                          int64_t n)
{
    float const alpha = (float)tsr_number_to_double(u->alpha), beta = (float)tsr_number_to_double(u->beta);
    bool const reads = tsr_update_reads_(u);
    for (int64_t i = 0; i < n; ++i) {
        float v = 0, w = 0;
        TSR_COPY(&v, (float const *)x + i, sizeof v);
        if (reads)
            TSR_COPY(&w, (float *)r + i, sizeof w);
        uint32_t const bits = tsr_one_nan_(reads ? alpha * v + beta * w : alpha * v);
        TSR_COPY((float *)r + i, &bits, sizeof bits);
    }
}

/** r = alpha * x + beta * r in floats, of a bf16 x and an r of bf16, or of f32, by its bytes: one loop, because nothing
 *  but memory should be waited for. */
TSR_LOCAL_REF void tsr_update_bf16_(tsr_update const *u, void *r, int r_bytes, void const *x, int64_t n)
{
    float const alpha = (float)tsr_number_to_double(u->alpha), beta = (float)tsr_number_to_double(u->beta);
    bool const reads = tsr_update_reads_(u);
    TSR_SIDE_BY_SIDE_
    for (int64_t i = 0; i < n; ++i) {
        uint16_t v = 0, w = 0;
        float old = 0;
        TSR_COPY(&v, (uint16_t const *)x + i, sizeof v);
        if (r_bytes == 2)
            TSR_COPY(&w, (uint16_t *)r + i, sizeof w);
        else
            TSR_COPY(&old, (float *)r + i, sizeof old);
        old = r_bytes == 2 ? tsr_of_bf16_(w) : old;
        float const product = alpha * tsr_of_bf16_(v), sum = reads ? product + beta * old : product;
        uint32_t const bits = tsr_one_nan_(sum);
        uint16_t const rounded = (uint16_t)tsr_bf16_of_(tsr_float_bits_(sum));
        if (r_bytes == 2)
            TSR_COPY((uint16_t *)r + i, &rounded, sizeof rounded);
        else
            TSR_COPY((float *)r + i, &bits, sizeof bits);
    }
}

/** At most TSR_UPDATE_REALS real elements other than integers, which pass through float where they are shorter. */
TSR_LOCAL_MEMORY void tsr_update_group_(tsr_update const *u, tsr_converter convert, tsr_dtype to_type, void *to,
                                        tsr_dtype from_type, void const *from, int64_t n)
{
    float x[TSR_UPDATE_REALS], y[TSR_UPDATE_REALS];
    bool const wide = from_type == TSR_F64, shorter = to_type != TSR_F32 && to_type != TSR_F64;
    void const *const source = wide || from_type == TSR_F32 ? from : x;
    void *const r = shorter ? y : to;
    if (source == x)
        convert(TSR_F32, x, from_type, from, n);
    if (shorter && tsr_update_reads_(u))
        convert(TSR_F32, y, to_type, to, n);
    if (source != r && tsr_update_is_single_(u, to_type, from_type))
        tsr_update_singles_(u, r, source, n);
    else if (to_type == TSR_F64)
        wide ? tsr_update_reals_(u, r, 8, false, source, 8, n) : tsr_update_reals_(u, r, 8, false, source, 4, n);
    else if (to_type == TSR_F32)
        wide ? tsr_update_reals_(u, r, 4, false, source, 8, n) : tsr_update_reals_(u, r, 4, false, source, 4, n);
    else
        wide ? tsr_update_reals_(u, r, 4, true, source, 8, n) : tsr_update_reals_(u, r, 4, true, source, 4, n);
    if (shorter)
        convert(to_type, to, TSR_F32, y, n);
}

/** At most TSR_UPDATE_REALS elements whose f(x) are floats: f in one loop where only f is between two floats. */
TSR_LOCAL_MEMORY void tsr_update_floats_(tsr_update const *u, tsr_converter convert, tsr_dtype to_type, void *to,
                                         tsr_dtype from_type, void const *from, int64_t n)
{
    float x[TSR_UPDATE_REALS], r[TSR_UPDATE_REALS];
    bool const alone = !tsr_update_reads_(u) && tsr_number_to_double(u->alpha) == 1;
    bool const at_once = alone && to_type == TSR_F32, apart = from_type == TSR_F32 && to != from;
    if (!apart)
        convert(TSR_F32, x, from_type, from, n);
    tsr_apply_(u->function, TSR_IN_FLOATS_, at_once ? to : (void *)r, apart ? from : (void const *)x, n);
    if (alone && !at_once)
        convert(to_type, to, TSR_F32, r, n);
    else if (!alone)
        tsr_update_group_(u, convert, to_type, to, TSR_F32, r, n);
}

/** A group in doubles, complex numbers or integers. */
TSR_LOCAL_MEMORY void tsr_update_wide_(tsr_update const *u, int in, tsr_converter convert, tsr_dtype to_type,
                                       void *to, tsr_dtype from_type, void const *from, int64_t n)
{
    uint64_t integers[2][TSR_GROUP];
    double x[TSR_GROUP], y[TSR_GROUP], old[TSR_GROUP];
    bool const reads = tsr_update_reads_(u), ints = in == TSR_IN_INTEGERS_, parts = in == TSR_IN_COMPLEX_;
    bool const is_signed = tsr_number_kind_of(from_type) == TSR_SIGNED;
    bool const plain = u->function == TSR_OF_IDENTITY || parts;
    bool const alone = !ints && !parts && !reads && tsr_number_to_double(u->alpha) == 1;
    bool const at_once = alone && !plain && to_type == TSR_F64 && to != from;
    tsr_dtype const work = ints ? TSR_I64 : parts ? TSR_C128 : TSR_F64;
    void *const r = ints      ? (void *)integers[0]
                    : at_once ? to
                              : (void *)x,
                *const before = ints ? (void *)integers[1] : (void *)old;
    void const *const source = !plain && from_type == work ? from : (void const *)y;
    if (plain || source == y)
        convert(work, plain ? r : (void *)y, from_type, from, n);
    if (!plain && ints)
        tsr_apply_(tsr_function_for_(u->function, is_signed), TSR_IN_INTEGERS_, r, source, n);
    else if (!plain)
        tsr_apply_(u->function, TSR_IN_DOUBLES_, r, source, n);
    if (reads)
        convert(work, before, to_type, to, n);
    if (ints)
        tsr_update_integers_(u, integers[0], integers[1], reads, n);
    else if (parts)
        tsr_update_complex_(u, x, tsr_number_kind_of(from_type) != TSR_COMPLEX, old,
                            tsr_number_kind_of(to_type) != TSR_COMPLEX, n);
    else if (!alone)
        tsr_update_doubles_(u, x, old, reads, n);
    if (!at_once)
        convert(to_type, to, work, r, n);
}

/** y = alpha * f(x) + beta * y for n elements side by side, x at `from`, y at `to`, which may be the same place. */
TSR_LOCAL_MEMORY void tsr_update_run_(tsr_update const *u, tsr_converter convert, tsr_dtype to_type, void *to,
                                      tsr_dtype from_type, void const *from, int64_t n)
{
    tsr_form_ const a = tsr_form_of_(from_type), b = tsr_form_of_(to_type);
    tsr_direct_op_ const op = tsr_direct_of_(u, to_type, from_type);
    int const in = tsr_update_in_(u, to_type, from_type, a.kind);
    bool const parts = in == TSR_IN_COMPLEX_;
    bool const mixed = parts && (tsr_dtype_code(to_type) != 5 || tsr_dtype_code(from_type) != 5);
    bool const reals = in == TSR_IN_DOUBLES_ && u->function == TSR_OF_IDENTITY && (a.is_float || a.is_double)
                       && (b.is_float || b.is_double);
    bool const by_floats = reals || in == TSR_IN_FLOATS_;
    if (op == TSR_DIRECT_POWERS_) {
        tsr_update_powers_(u, to, from, n);
        return;
    }
    if (op != TSR_DIRECT_NONE_) {
        tsr_update_direct_(op, u, to_type, to, from, n);
        return;
    }
    if (reals && from_type == TSR_BF16 && tsr_update_is_single_(u, to_type, from_type)) {
        b.bytes == 2 ? tsr_update_bf16_(u, to, 2, from, n) : tsr_update_bf16_(u, to, 4, from, n);
        return;
    }
    int64_t const most = mixed ? 1 : by_floats ? (int)TSR_UPDATE_REALS : parts ? TSR_GROUP / 2 : TSR_GROUP;
    for (int64_t i = 0, m = 0; i < n; i += m) {
        unsigned char *const q = (unsigned char *)to + i * b.bytes;
        unsigned char const *const p = (unsigned char const *)from + i * a.bytes;
        m = tsr_min64(n - i, most);
        if (mixed)
            tsr_update_one_(u, to_type, q, 0, from_type, p, 0);
        else if (in == TSR_IN_FLOATS_)
            tsr_update_floats_(u, convert, to_type, q, from_type, p, m);
        else if (reals)
            tsr_update_group_(u, convert, to_type, q, from_type, p, m);
        else
            tsr_update_wide_(u, in, convert, to_type, q, from_type, p, m);
    }
}

#endif
