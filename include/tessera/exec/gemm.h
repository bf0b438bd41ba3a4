/** gemm: C += A * B, by the ranks of the tensors.
 *
 *      (V)     x (V)     -> (V)       element by element
 *      (M)     x (N)     -> (M,N)     outer product
 *      (M,K)   x (N,K)   -> (M,N)     matrix product
 *      (V,M)   x (V,N)   -> (V,M,N)   outer products, element by element of V
 *      (V,M,K) x (V,N,K) -> (V,M,N)   matrix products
 *
 *  Law     C(v,m,n) = C(v,m,n) + sum over k of A(v,m,k) * B(v,n,k), in 64-bit integers or double, rounded once to C's
 *          type.
 *  Errors  GEMM_RANK, GEMM_SIZE; OVERLAP of C with A or B; CONSTANT, NULL_DATA, NOT_NUMBERS, NOT_INJECTIVE, BOUNDS.
 *  Source  CuTe, include/cute/algorithm/gemm.hpp.
 */
#ifndef TSR_EXEC_GEMM_H
#define TSR_EXEC_GEMM_H

#include "tessera/exec/algorithm.h"

/** A as (V,M,K), B as (V,N,K), C as (V,M,N), with modes of extent 1 where there are none. */
typedef struct tsr_gemm_ {
    tsr_tensor a, b, c;
} tsr_gemm_;

/** Modes i and on of a layout in the order `v`, `x`, `k`; -1 stands for an extent of 1. */
TSR_FN tsr_layout tsr_three_(tsr_layout l, int v, int x, int k)
{
    tsr_layout const one = tsr_pad_();
    tsr_layout const m0 = v < 0 ? one : tsr_mode(l, v), m1 = x < 0 ? one : tsr_mode(l, x),
                     m2 = k < 0 ? one : tsr_mode(l, k);
    tsr_tuple const shape = tsr_tuple_3(m0.shape, m1.shape, m2.shape),
                    stride = tsr_tuple_3(m0.stride, m1.stride, m2.stride);
    return tsr_with_(l, shape, stride);
}

/** Why one tensor of a product cannot take part. */
TSR_FN tsr_tuple tsr_gemm_reason_(tsr_tensor a, tsr_tensor b, tsr_tensor c)
{
    tsr_tuple const ra = tsr_all_readable_(a), rb = tsr_all_readable_(b), rc = tsr_all_writable_(c);
    if (ra.status || rb.status || rc.status)
        return ra.status ? ra : rb.status ? rb : rc;
    if (!tsr_has_numbers_(&a) || !tsr_has_numbers_(&b) || !tsr_has_numbers_(&c) || a.engine.kind == TSR_COORDINATES
        || b.engine.kind == TSR_COORDINATES)
        return tsr_bad_tuple(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    tsr_verdict const once = tsr_is_injective(c.layout);
    return once.answer == TSR_YES ? tsr_s(1) : tsr_reason_tuple(once.why);
}

/** Gives the three tensors the modes of their ranks. */
TSR_FN tsr_tuple tsr_gemm_modes_(tsr_gemm_ *g)
{
    int const a = (int)tsr_layout_rank(g->a.layout), b = (int)tsr_layout_rank(g->b.layout);
    int const c = (int)tsr_layout_rank(g->c.layout);
    bool const batched = c == 3, sums = a == (batched ? 3 : 2);
    if (a == 1 && b == 1 && c == 1) {
        g->a.layout = tsr_three_(g->a.layout, 0, -1, -1);
        g->b.layout = tsr_three_(g->b.layout, 0, -1, -1);
        g->c.layout = tsr_three_(g->c.layout, 0, -1, -1);
    } else if (a == b && (c == 2 || c == 3) && (a == c || a == c - 1)) {
        int const v = batched ? 0 : -1, x = batched ? 1 : 0;
        g->a.layout = tsr_three_(g->a.layout, v, x, sums ? x + 1 : -1);
        g->b.layout = tsr_three_(g->b.layout, v, x, sums ? x + 1 : -1);
        g->c.layout = tsr_three_(g->c.layout, v, x, x + 1);
    } else {
        return tsr_bad_tuple(TSR_GEMM_RANK, 0, a, b, c);
    }
    return tsr_s(1);
}

/** The extent of a mode of one tensor and of another; they must agree. */
TSR_FN tsr_tuple tsr_gemm_extent_(tsr_tensor const *x, int i, tsr_tensor const *y, int j)
{
    int64_t const n = tsr_layout_size(tsr_mode(x->layout, i)), m = tsr_layout_size(tsr_mode(y->layout, j));
    return n == m ? tsr_int(n) : tsr_bad_tuple(TSR_GEMM_SIZE, i, n, m, 0);
}

/** The offset of (v,x) in a tensor of modes (v,x,k), before its swizzle. */
TSR_FN int64_t tsr_gemm_start_(tsr_tensor const *t, int64_t v, int64_t x)
{
    tsr_layout const a = tsr_mode(tsr_layout_inner(t->layout), 0), b = tsr_mode(tsr_layout_inner(t->layout), 1);
    return tsr_layout_offset(&a, v) + tsr_layout_offset(&b, x);
}

TSR_INLINE tsr_number tsr_gemm_element_(tsr_tensor const *t, int64_t offset)
{
    return tsr_element_(&t->engine, tsr_finish_(&t->layout, (uint64_t)offset));
}

/** C(v,m,n), which is at `at`, plus the sum over the k elements from a and b on. */
TSR_INLINE void tsr_gemm_sum_(tsr_gemm_ const *g, int64_t a, int64_t b, int64_t at, int64_t k)
{
    tsr_walk x = tsr_walk_begin(tsr_mode(tsr_layout_inner(g->a.layout), 2)),
             y = tsr_walk_begin(tsr_mode(tsr_layout_inner(g->b.layout), 2));
    tsr_number sum = tsr_gemm_element_(&g->c, at);
    for (int64_t i = 0; i < k; ++i, tsr_walk_next(&x), tsr_walk_next(&y))
        sum = tsr_number_add(
            sum, tsr_number_mul(tsr_gemm_element_(&g->a, a + x.offset), tsr_gemm_element_(&g->b, b + y.offset)));
    int bit = 0;
    unsigned char *const p = tsr_element_place(&g->c.engine, tsr_finish_(&g->c.layout, (uint64_t)at), &bit);
    tsr_store(g->c.engine.type, p, bit, sum);
}

/** gemm(A, B, C). Returns the number of elements of C. */
TSR_INLINE tsr_tuple tsr_gemm(tsr_tensor a, tsr_tensor b, tsr_tensor c)
{
    tsr_gemm_ g;
    g.a = a;
    g.b = b;
    g.c = c;
    tsr_tuple r = tsr_gemm_reason_(a, b, c);
    if (!r.status)
        r = tsr_gemm_modes_(&g);
    if (!r.status)
        r = tsr_disjoint(a, c);
    if (!r.status)
        r = tsr_disjoint(b, c);
    if (r.status)
        return r;
    tsr_tuple const v = tsr_gemm_extent_(&g.a, 0, &g.b, 0), v2 = tsr_gemm_extent_(&g.a, 0, &g.c, 0);
    tsr_tuple const m = tsr_gemm_extent_(&g.a, 1, &g.c, 1), n = tsr_gemm_extent_(&g.b, 1, &g.c, 2);
    tsr_tuple const k = tsr_gemm_extent_(&g.a, 2, &g.b, 2);
    if (v.status || v2.status || m.status || n.status || k.status)
        return v.status ? v : v2.status ? v2 : m.status ? m : n.status ? n : k;
    tsr_layout const columns = tsr_mode(tsr_layout_inner(g.c.layout), 2);
    for (int64_t x = 0; x < n.leaf[0].value; ++x)
        for (int64_t y = 0; y < m.leaf[0].value; ++y)
            for (int64_t z = 0; z < v.leaf[0].value; ++z)
                tsr_gemm_sum_(&g, tsr_gemm_start_(&g.a, z, y), tsr_gemm_start_(&g.b, z, x),
                              tsr_gemm_start_(&g.c, z, y) + tsr_layout_offset(&columns, x), k.leaf[0].value);
    return tsr_int(tsr_layout_size(c.layout));
}

/** D = A * B + C, element i of C to element i of D. */
TSR_INLINE tsr_tuple tsr_gemm_into(tsr_tensor d, tsr_tensor a, tsr_tensor b, tsr_tensor c)
{
    tsr_tuple const n = tsr_copy(c, d);
    return n.status ? n : tsr_gemm(a, b, d);
}

#endif
