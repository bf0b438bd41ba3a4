/** The bodies of core/stride.h. */
#ifndef TSR_CORE_BODY_STRIDE_H
#define TSR_CORE_BODY_STRIDE_H

#include "tessera/core/stride.h"
#include "tessera/core/body/coord.h"

TSR_HEADER_BEGIN

TSR_OP tsr_tuple tsr_prefix_product(tsr_tuple t)
{
    tsr_leaf product = tsr_leaf_static(1);
    for (int i = 0; !t.status && i < t.leaves; ++i) {
        tsr_leaf const x = t.leaf[i];
        if (product.kind == TSR_BAD)
            return tsr_from_leaf(product);
        t.leaf[i].value = product.value;
        t.leaf[i].kind = product.kind;
        product = tsr_leaf_mul(product, x);
    }
    return t;
}

/** The strides of one mode of an order: the product of all extents of lower order, then compact inside. */
TSR_LOCAL tsr_tuple tsr_ordered_(tsr_tuple shape, tsr_tuple order, tsr_tuple const *extents, tsr_tuple const *ranks,
                                 int *next)
{
    tsr_tuple r = TSR_ZERO;
    if (shape.status || tsr_is_unit(&order))
        return shape;
    if (tsr_is_leaf(&order)) {
        tsr_leaf const mine = ranks->leaf[(*next)++];
        tsr_leaf start = tsr_leaf_static(1);
        for (int i = 0; i < extents->leaves; ++i)
            if (ranks->leaf[i].value < mine.value)
                start = tsr_leaf_mul(start, extents->leaf[i]);
        return start.kind == TSR_BAD ? tsr_from_leaf(start) : tsr_compact_(shape, start, false);
    }
    int const rank = tsr_mode_count(&order);
    for (int i = 0; i < rank; ++i) {
        tsr_tuple const x = tsr_ordered_(tsr_tuple_get(shape, i), tsr_tuple_get(order, i), extents, ranks, next);
        tsr_tuple_push(&r, &x);
    }
    return tsr_tuple_close(r);
}

TSR_OP tsr_tuple tsr_compact_order(tsr_tuple shape, tsr_tuple order)
{
    int next = 0;
    int64_t largest = 0;
    if (shape.status || order.status)
        return shape.status ? shape : order;
    if (tsr_is_major_(&order))
        return tsr_compact_(shape, tsr_leaf_static(1), order.leaf[0].value != 0);
    tsr_tuple const extents = tsr_flatten_to_tuple(tsr_product_like(shape, order));
    tsr_tuple ranks = tsr_flatten_to_tuple(order);
    if (extents.status)
        return extents;
    for (int i = 0; i < ranks.leaves; ++i) {
        if (ranks.leaf[i].kind != TSR_UNIT && !tsr_leaf_is_int(ranks.leaf[i]))
            return tsr_from_leaf(tsr_leaf_refuse_(ranks.leaf[i], ranks.leaf[i]));
        if (tsr_leaf_is_static(ranks.leaf[i]))
            largest = tsr_max64(largest, ranks.leaf[i].value);
    }
    if (largest > TSR_INT_MAX - TSR_MAX_LEAVES)
        return tsr_bad_tuple(TSR_OVERFLOW, 0, largest, 0, 0);
    for (int i = 0; i < ranks.leaves; ++i)
        if (!tsr_leaf_is_static(ranks.leaf[i]))
            ranks.leaf[i].value = largest + 1 + i;
    return tsr_ordered_(shape, order, &extents, &ranks, &next);
}

TSR_OP tsr_tuple tsr_make_basis_like(tsr_tuple shape)
{
    int path[TSR_MAX_DEPTH + 1] = {0};
    int depth = 0;
    if (shape.status)
        return shape;
    for (int i = 0; i < shape.leaves; ++i) {
        tsr_leaf *const leaf = &shape.leaf[i];
        for (int k = 0; k < leaf->open; ++k)
            path[depth++] = 0;
        if (leaf->kind != TSR_UNIT) {
            leaf->kind = TSR_STATIC;
            leaf->value = 1;
            leaf->aux = 0;
            for (int k = depth - 1; k >= 0; --k) {
                if (depth > TSR_BASIS_LEVELS || path[k] >= TSR_BASIS_MODES)
                    return tsr_bad_tuple(TSR_BASIS_RANGE, i, path[k], TSR_BASIS_MODES - 1, TSR_BASIS_LEVELS);
                leaf->aux = leaf->aux << 5 | (uint32_t)(path[k] + 1);
            }
        }
        depth -= leaf->close;
        if (depth > 0)
            ++path[depth - 1];
    }
    return shape;
}

TSR_OP tsr_tuple tsr_basis_value(tsr_tuple t)
{
    if (!t.status && !tsr_is_leaf(&t))
        return tsr_bad_tuple(TSR_NOT_INTEGER, 0, tsr_mode_count(&t), 0, 0);
    t.leaf[0].aux = t.status || t.leaf[0].kind > TSR_STATIC ? t.leaf[0].aux : 0;
    return t;
}

TSR_OP tsr_tuple tsr_basis_get(tsr_tuple e, tsr_tuple t)
{
    if (e.status || t.status)
        return e.status ? e : t;
    if (!tsr_is_leaf(&e))
        return tsr_bad_tuple(TSR_NOT_INTEGER, 0, tsr_mode_count(&e), 0, 0);
    for (uint32_t path = e.leaf[0].kind <= TSR_STATIC ? e.leaf[0].aux : 0; path != 0; path >>= 5)
        t = tsr_tuple_get(t, (int64_t)(path & 31u) - 1);
    return t;
}

TSR_HEADER_END

#endif
