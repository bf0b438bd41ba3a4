/** The bodies of core/join.h. */
#ifndef TSR_CORE_BODY_JOIN_H
#define TSR_CORE_BODY_JOIN_H

#include "tessera/core/join.h"
#include "tessera/core/body/fit.h"

TSR_HEADER_BEGIN

typedef enum tsr_join_kind_ {
    TSR_APPEND,
    TSR_PREPEND,
    TSR_APPEND_TO,
    TSR_PREPEND_TO,
    TSR_REPLACE,
    TSR_ZIP
} tsr_join_kind_;

TSR_LOCAL tsr_tuple tsr_join_tuples_(tsr_join_kind_ kind, tsr_tuple a, tsr_tuple x, int64_t n)
{
    switch (kind) {
    case TSR_APPEND:
        return tsr_tuple_append(a, x);
    case TSR_PREPEND:
        return tsr_tuple_prepend(a, x);
    case TSR_APPEND_TO:
        return tsr_tuple_append_to(a, x, n);
    case TSR_PREPEND_TO:
        return tsr_tuple_prepend_to(a, x, n);
    case TSR_REPLACE:
        return tsr_tuple_replace(a, x, n);
    case TSR_ZIP:
        break;
    }
    return tsr_tuple_zip(tsr_tuple_2(a, x));
}

TSR_LOCAL tsr_layout tsr_join_(tsr_join_kind_ kind, tsr_layout l, tsr_layout x, int64_t n)
{
    if (l.shape.status || x.shape.status)
        return l.shape.status ? l : x;
    tsr_layout const plain = tsr_layout_checked(
        tsr_with_(l, tsr_join_tuples_(kind, l.shape, x.shape, n), tsr_join_tuples_(kind, l.stride, x.stride, n)));
    int const basis = tsr_first_basis_(&plain.stride);
    if (l.composed && basis >= 0)
        return tsr_bad_layout(TSR_BASIS_VALUES, basis, 0, 0, 0);
    if (!x.composed || plain.shape.status)
        return plain;
    tsr_layout const mine =
        tsr_layout_unchecked(plain.shape, tsr_join_tuples_(kind, l.stride, tsr_zeros_(&x.stride), n));
    tsr_layout const theirs = tsr_with_(x, plain.shape, tsr_join_tuples_(kind, tsr_zeros_(&l.stride), x.stride, n));
    tsr_layout const front = tsr_front_(l);
    tsr_demand_ const f = {l.composed ? &front : 0, {&mine, &theirs}, {0, 0}, 0};
    return tsr_fit_demand_(&f, &plain.shape, tsr_kind_of_two_(&l, &x), false);
}

TSR_OP tsr_layout tsr_layout_append(tsr_layout l, tsr_layout x) { return tsr_join_(TSR_APPEND, l, x, 0); }

TSR_OP tsr_layout tsr_layout_prepend(tsr_layout l, tsr_layout x) { return tsr_join_(TSR_PREPEND, l, x, 0); }

TSR_OP tsr_layout tsr_layout_append_to(tsr_layout l, tsr_layout x, int64_t n)
{
    return tsr_join_(TSR_APPEND_TO, l, x, n);
}

TSR_OP tsr_layout tsr_layout_prepend_to(tsr_layout l, tsr_layout x, int64_t n)
{
    return tsr_join_(TSR_PREPEND_TO, l, x, n);
}

TSR_OP tsr_layout tsr_layout_replace(tsr_layout l, tsr_layout x, int64_t n)
{
    return tsr_join_(TSR_REPLACE, l, x, n);
}

TSR_OP tsr_layout tsr_zip_layouts(tsr_layout a, tsr_layout b) { return tsr_join_(TSR_ZIP, a, b, 0); }

TSR_OP tsr_layout tsr_layout_append_pad(tsr_layout l) { return tsr_layout_append(l, tsr_pad_()); }

TSR_OP tsr_layout tsr_layout_prepend_pad(tsr_layout l) { return tsr_layout_prepend(l, tsr_pad_()); }

TSR_OP tsr_layout tsr_layout_pad(tsr_layout l, int64_t n) { return tsr_layout_append_to(l, tsr_pad_(), n); }

TSR_OP tsr_layout tsr_layout_pad_front(tsr_layout l, int64_t n) { return tsr_layout_prepend_to(l, tsr_pad_(), n); }

TSR_HEADER_END

#endif
