/** The bodies of atom/mma.h. */
#ifndef TSR_ATOM_BODY_MMA_H
#define TSR_ATOM_BODY_MMA_H

#include "tessera/atom/mma.h"

TSR_HEADER_BEGIN

TSR_LOCAL int tsr_mma_type_bit_(tsr_dtype type)
{
#define TSR_X_(name, id) \
  if (type == TSR_##id)  \
    return TSR_MMA_##name;
    TSR_MMA_TYPE_LIST(TSR_X_)
#undef TSR_X_
    return 0;
}

TSR_OP tsr_mma_row tsr_mma_row_at(int i)
{
    tsr_mma_row const none = TSR_ZERO;
    int at = 0;
#define TSR_X_(arch, kind, m, n, k, acc, in, forms, majors)                                                          \
  if (at++ == i) {                                                                                                   \
    tsr_mma_row const row = {                                                                                        \
        arch, TSR_MMA_##kind, m, n, k, TSR_MMA_##acc, TSR_MMA_##in, TSR_MMA_FORMS_##forms, TSR_MMA_MAJORS_##majors}; \
    return row;                                                                                                      \
  }
    TSR_MMA_LIST(TSR_X_)
#undef TSR_X_
    return none;
}

/** Where N is free, it is a multiple of this number. One CTA: 8; 16 for integers, and for 128 rows without block
 *  scales. (With A in shared memory CuTe takes 8 there, PTX does not.) Two CTAs: 16; 32 for integers, for A in tensor
 *  memory and for sparse 8-bit types. */
TSR_LOCAL int32_t tsr_mma_width_unit_(tsr_mma_atom x)
{
    bool const integers = x.c == TSR_I32, plain = !tsr_mma_is_scaled(x);
    bool const sparse_bytes = plain && x.k == 64 && (x.flags & TSR_MMA_SPARSE);
    if (x.kind == TSR_MMA_CTA_PAIR)
        return integers || sparse_bytes || (x.flags & TSR_MMA_A_REGISTERS) ? 32 : 16;
    return integers || x.arch == 103 || (x.kind == TSR_MMA_CTA && plain && x.m == 128) ? 16 : 8;
}

TSR_OP bool tsr_mma_is_width(tsr_mma_atom x)
{
    bool const little = x.n == 8 || (x.n == 24 && x.kind == TSR_MMA_WARPGROUP);
    return x.n >= 8 && x.n <= 256
           && (x.n % tsr_mma_width_unit_(x) == 0 || (little && x.c == TSR_I32 && x.kind != TSR_MMA_CTA_PAIR));
}

TSR_OP tsr_mma_atom tsr_mma_refuse(tsr_mma_atom x, tsr_status status, int32_t a, int32_t b)
{
    int32_t const shape[] = {x.m, x.n, x.k};
    x.status = (uint16_t)status;
    for (int i = 0; i < 6; ++i)
        x.note[i] = i < 3 ? shape[i] : 0;
    x.note[3] = a;
    x.note[4] = b;
    return x;
}

/** How far a row is from a shape; 0 when it has it. */
TSR_LOCAL int64_t tsr_mma_distance_(tsr_mma_row row, tsr_mma_atom x)
{
    int64_t const m = (int64_t)x.m - row.m, n = row.n == 0 ? 0 : (int64_t)x.n - row.n;
    int64_t const k = (int64_t)x.k - (x.flags & TSR_MMA_SPARSE ? 2 * row.k : row.k);
    return (m < 0 ? -m : m) + (n < 0 ? -n : n) + (k < 0 ? -k : k);
}

TSR_OP tsr_mma_atom tsr_mma_checked(tsr_mma_atom x)
{
    tsr_mma_row best = TSR_ZERO;
    int64_t distance = -1;
    bool const group = x.kind == TSR_MMA_WARPGROUP, cta = tsr_mma_is_umma(x);
    int const a = tsr_mma_type_bit_(x.a), b = tsr_mma_type_bit_(x.b), c = tsr_mma_type_bit_(x.c);
    for (int i = 0; i < TSR_MMA_ROWS; ++i) {
        tsr_mma_row const row = tsr_mma_row_at(i);
        if (row.arch != x.arch || row.kind != x.kind)
            continue;
        bool const types =
            (c & row.accumulators) != 0 && x.c == x.d && (a & row.inputs) != 0 && (b & row.inputs) != 0;
        int64_t const away = tsr_mma_distance_(row, x);
        bool const nearer = distance < 0 || away < distance || (away == distance && !(best.forms >> x.form & 1));
        if (types && nearer) {
            best = row;
            distance = away;
        }
    }
    bool const registers = (x.flags & TSR_MMA_A_REGISTERS) != 0;
    bool const sparse = (x.flags & TSR_MMA_SPARSE) != 0;
    bool const scaled = tsr_mma_is_scaled(x), dense_only = x.arch == 103 || x.form == TSR_MMA_SCALED_D;
    bool const major = (best.majors >> (x.flags & 3) & 1) != 0 && !(registers && (x.flags & TSR_MMA_A_MN));
    bool const source = group || (cta && !(registers && (sparse || scaled)) && !(sparse && dense_only))
                        || !(cta || registers || (sparse && x.arch != 120));
    if (distance < 0) {
        x = tsr_mma_refuse(x, TSR_MMA_TYPES, x.a, x.b);
        x.note[5] = x.c;
        return x;
    }
    if (distance > 0) {
        x = tsr_mma_refuse(x, TSR_MMA_SHAPE, best.m, best.n == 0 ? x.n : best.n);
        x.note[5] = x.flags & TSR_MMA_SPARSE ? 2 * best.k : best.k;
        return x;
    }
    if ((group || cta) && !tsr_mma_is_width(x))
        return tsr_mma_refuse(x, group && x.c == TSR_I32 ? TSR_MMA_INTEGER_WIDTH : TSR_MMA_WIDTH,
                              tsr_mma_width_unit_(x), 0);
    if (x.scale_d < 0 || x.scale_d > (x.form == TSR_MMA_SCALED_D ? 15 : 0))
        return tsr_mma_refuse(x, TSR_MMA_SCALE_D, x.scale_d, x.form == TSR_MMA_SCALED_D ? 15 : 0);
    bool const form = (best.forms >> x.form & 1) != 0;
    if (form && source && !major && best.majors == 1)
        return tsr_mma_refuse(x, TSR_MMA_MAJORS, 0, 0);
    return form && major && source ? x : tsr_mma_refuse(x, TSR_MMA_FORM, 0, 0);
}

TSR_OP tsr_mma_atom tsr_mma_of(int arch, tsr_mma_kind kind, int32_t m, int32_t n, int32_t k)
{
    tsr_mma_atom r = TSR_ZERO;
    r.arch = (uint8_t)arch;
    r.kind = (uint8_t)kind;
    r.m = m;
    r.n = n;
    r.k = k;
    return r;
}

TSR_OP tsr_mma_atom tsr_fma(tsr_dtype d, tsr_dtype a, tsr_dtype b, tsr_dtype c)
{
    tsr_mma_atom r = tsr_mma_of(0, TSR_MMA_THREAD, 1, 1, 1);
    r.d = d;
    r.a = a;
    r.b = b;
    r.c = c;
    return r;
}

TSR_OP tsr_mma_atom tsr_sm61_dot(int32_t k)
{
    tsr_mma_atom r = tsr_mma_of(61, TSR_MMA_THREAD, 1, 1, k);
    r.a = r.b = k == 2 ? TSR_I16 : TSR_I8;
    r.c = r.d = TSR_I32;
    return tsr_mma_checked(r);
}

TSR_OP tsr_mma_atom tsr_sm70_mma(tsr_dtype c, int flags)
{
    tsr_mma_atom r = tsr_mma_of(70, TSR_MMA_QUADPAIR, 8, 8, 4);
    r.a = r.b = TSR_F16;
    r.c = r.d = c;
    r.flags = (uint8_t)flags;
    return tsr_mma_checked(r);
}

TSR_LOCAL tsr_mma_atom tsr_warp_mma_(tsr_mma_atom r, tsr_dtype c, tsr_dtype a, tsr_dtype b, tsr_mma_form form,
                                     int flags)
{
    r.a = a;
    r.b = b;
    r.c = r.d = c;
    r.form = (uint8_t)form;
    r.flags = (uint8_t)flags;
    return tsr_mma_checked(r);
}

TSR_OP tsr_mma_atom tsr_warp_mma(int arch, int32_t m, int32_t n, int32_t k, tsr_dtype c, tsr_dtype a, tsr_dtype b,
                                 tsr_mma_form form)
{
    return tsr_warp_mma_(tsr_mma_of(arch, TSR_MMA_WARP, m, n, k), c, a, b, form, 0);
}

TSR_OP tsr_mma_atom tsr_warp_mma_sparse(int arch, int32_t m, int32_t n, int32_t k, tsr_dtype c, tsr_dtype a,
                                        tsr_dtype b, tsr_mma_form form)
{
    return tsr_warp_mma_(tsr_mma_of(arch, TSR_MMA_WARP, m, n, k), c, a, b, form, TSR_MMA_SPARSE);
}

TSR_OP tsr_mma_atom tsr_wgmma(int32_t n, tsr_dtype c, tsr_dtype a, tsr_dtype b, int flags, tsr_mma_form form)
{
    int32_t const bits = tsr_dtype_bits(a) > 0 ? tsr_dtype_bits(a) : 1;
    tsr_mma_atom r = tsr_mma_of(90, TSR_MMA_WARPGROUP, 64, n, 256 / bits * (flags & TSR_MMA_SPARSE ? 2 : 1));
    r.a = a;
    r.b = b;
    r.c = r.d = c;
    r.flags = (uint8_t)flags;
    r.form = (uint8_t)form;
    return tsr_mma_checked(r);
}

TSR_OP tsr_mma_atom tsr_umma(int ctas, int32_t m, int32_t n, tsr_dtype c, tsr_dtype a, tsr_dtype b, int flags,
                             tsr_mma_form form)
{
    int32_t const bits = tsr_dtype_bits(a) >= 16 ? tsr_dtype_bits(a) : 8;
    bool const packed = form == TSR_MMA_SCALE_16 || form == TSR_MMA_SCALE_16_4
                        || (form == TSR_MMA_SCALE_32 && a == TSR_F4_E2M1 && b == a);
    tsr_mma_atom r = tsr_mma_of(100, ctas == 2 ? TSR_MMA_CTA_PAIR : TSR_MMA_CTA, m, n, packed ? 64 : 256 / bits);
    r.k *= flags & TSR_MMA_SPARSE ? 2 : 1;
    r.a = a;
    r.b = b;
    r.c = r.d = c;
    r.flags = (uint8_t)flags;
    r.form = (uint8_t)form;
    return tsr_mma_checked(r);
}

TSR_OP tsr_mma_atom tsr_umma_ultra(int ctas, int32_t m, int32_t n, tsr_mma_form form)
{
    tsr_mma_atom r = tsr_mma_of(103, ctas == 2 ? TSR_MMA_CTA_PAIR : TSR_MMA_CTA, m, n, 96);
    r.a = r.b = TSR_F4_E2M1;
    r.c = r.d = TSR_F32;
    r.form = (uint8_t)form;
    return tsr_mma_checked(r);
}

TSR_OP tsr_mma_atom tsr_umma_scaled_d(tsr_mma_atom x, int32_t scale)
{
    x.form = x.form == TSR_MMA_PLAIN ? (uint8_t)TSR_MMA_SCALED_D : (uint8_t)TSR_MMA_FORMS;
    x.scale_d = scale;
    return x.status ? x : tsr_mma_checked(x);
}

TSR_OP tsr_mma_atom tsr_vendor_mma(int arch, int32_t m, int32_t n, int32_t k, tsr_dtype c, tsr_dtype a, tsr_dtype b)
{
    tsr_mma_atom r = tsr_mma_of(arch, TSR_MMA_TILE, m, n, k);
    r.a = a;
    r.b = b;
    r.c = r.d = c;
    for (int i = 0; i < TSR_MMA_ROWS; ++i) {
        if (tsr_mma_row_at(i).arch == arch) {
            r.kind = tsr_mma_row_at(i).kind;
            r.flags = tsr_mma_row_at(i).majors == TSR_MMA_MAJORS_TT ? TSR_MMA_B_MN : 0;
            if (tsr_mma_distance_(tsr_mma_row_at(i), r) == 0 && (tsr_mma_row_at(i).inputs & tsr_mma_type_bit_(a)))
                r.form = (uint8_t)(tsr_bit_width((uint64_t)tsr_mma_row_at(i).forms) - 1);
        }
    }
    return tsr_mma_checked(r);
}

TSR_OP tsr_reason tsr_mma_why(tsr_mma_atom x)
{
    tsr_reason r = tsr_because((tsr_status)x.status, 0, 0, 0, 0);
    for (int i = 0; i < 6; ++i)
        r.number[i] = x.note[i];
    return r;
}

TSR_HEADER_END

#endif
