/** gemm: the functions of exec/gemm.h. */
#include "exec/rows.h"
#include "exec/by_address.h"

/** The leaves of modes v, x and k of a layout. */
static tsr_gemm_modes tsr_modes_of_(tsr_layout const *l, int v, int x, int k)
{
    tsr_gemm_modes r = TSR_ZERO;
    int const mode[3] = {v, x, k};
    bool const flat = tsr_is_leaf(&l->shape);
    for (int i = 0; i < 3; ++i) {
        int depth = 0, at = 0;
        r.mode[i] = (int8_t)mode[i];
        r.size[i] = 1;
        for (int n = 0; n < l->shape.leaves && mode[i] >= 0; ++n) {
            depth += l->shape.leaf[n].open;
            if (at == mode[i]) {
                r.first[i] = r.end[i] == 0 ? (uint8_t)n : r.first[i];
                r.end[i] = (uint8_t)(n + 1);
                r.size[i] *= (int64_t)tsr_leaf_extent(l->shape.leaf[n]);
            }
            depth -= l->shape.leaf[n].close;
            at += depth <= 1 && !flat;
        }
    }
    return r;
}

/** A layout as (V,M,K), (V,N,K) or (V,M,N). Missing modes become modes of extent 1. */
static tsr_layout tsr_three_(tsr_layout l, tsr_gemm_modes const *modes)
{
    tsr_layout const one = tsr_pad_();
    tsr_layout const m0 = modes->mode[0] < 0 ? one : tsr_mode(l, modes->mode[0]),
                     m1 = modes->mode[1] < 0 ? one : tsr_mode(l, modes->mode[1]),
                     m2 = modes->mode[2] < 0 ? one : tsr_mode(l, modes->mode[2]);
    tsr_tuple const shape = tsr_tuple_3(m0.shape, m1.shape, m2.shape),
                    stride = tsr_tuple_3(m0.stride, m1.stride, m2.stride);
    return tsr_with_(l, shape, stride);
}

/** Why one tensor of a product cannot take part. */
static tsr_reason tsr_gemm_reason_(tsr_product_ const *g)
{
    tsr_reason const operands = tsr_reason_or(tsr_all_readable_(&g->a), tsr_all_readable_(&g->b));
    tsr_reason const why = tsr_reason_or(operands, tsr_all_writable_(&g->c));
    if (why.status)
        return why;
    tsr_reason const bias = g->biased ? tsr_all_readable_(&g->bias) : why;
    if (bias.status)
        return bias;
    if (!tsr_has_numbers_(&g->a) || !tsr_has_numbers_(&g->b) || !tsr_has_numbers_(&g->c)
        || g->a.engine.kind == TSR_COORDINATES || g->b.engine.kind == TSR_COORDINATES
        || (g->biased && (!tsr_has_numbers_(&g->bias) || g->bias.engine.kind == TSR_COORDINATES)))
        return tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    tsr_verdict const once = tsr_is_injective(g->c.layout);
    return once.answer == TSR_YES ? why : once.why;
}

/** Finds the modes of the tensors by their ranks. */
static tsr_reason tsr_gemm_modes_(tsr_product_ *g)
{
    int const a = (int)tsr_layout_rank(g->a.layout), b = (int)tsr_layout_rank(g->b.layout);
    int const c = (int)tsr_layout_rank(g->c.layout), d = g->biased ? (int)tsr_layout_rank(g->bias.layout) : c;
    bool const batched = c == 3, sums = a == (batched ? 3 : 2), points = a == 1 && b == 1 && c == 1;
    int const v = batched || points ? 0 : -1, m = points ? -1 : batched, n = points ? -1 : m + 1;
    if (!points && (a != b || (c != 2 && c != 3) || (a != c && a != c - 1)))
        return tsr_because(TSR_GEMM_RANK, 0, a, b, c);
    if (d != c)
        return tsr_because(TSR_RANK, 0, d, c, 0);
    g->modes[0] = tsr_modes_of_(&g->a.layout, v, m, sums && !points ? n : -1);
    g->modes[1] = tsr_modes_of_(&g->b.layout, v, m, sums && !points ? n : -1);
    g->modes[2] = tsr_modes_of_(&g->c.layout, v, m, n);
    g->modes[3] = g->biased ? tsr_modes_of_(&g->bias.layout, v, m, n) : g->modes[2];
    return tsr_no_reason();
}

void tsr_product_make_(tsr_product_ *g, tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c,
                       tsr_epilogue const *e)
{
    g->a = *a;
    g->b = *b;
    g->c = *c;
    g->biased = e->bias != NULL;
    g->bias = g->biased ? *e->bias : *c;
    g->alpha = e->alpha;
    g->beta = e->beta;
    g->activation = e->activation;
    g->why = tsr_gemm_reason_(g);
    if (!g->why.status)
        g->why = tsr_gemm_modes_(g);
    if (!g->why.status)
        g->why = tsr_disjoint_(a, c);
    if (!g->why.status)
        g->why = tsr_disjoint_(b, c);
    if (!g->why.status && g->biased)
        g->why = tsr_disjoint_(&g->bias, c);
    /* A and B, A and C, A and C, B and C, A and B; the bias and C: tensor, mode, tensor, mode */
    int const same[][4] = {{0, 0, 1, 0}, {0, 0, 2, 0}, {0, 1, 2, 1}, {1, 1, 2, 2},
                           {0, 2, 1, 2}, {3, 0, 2, 0}, {3, 1, 2, 1}, {3, 2, 2, 2}};
    for (int i = 0; i < 8 && !g->why.status; ++i) {
        int64_t const n = g->modes[same[i][0]].size[same[i][1]], m = g->modes[same[i][2]].size[same[i][3]];
        if (n != m)
            g->why = tsr_because(TSR_GEMM_SIZE, same[i][1], n, m, 0);
    }
}

/** The offset of (v,x) in a tensor of modes (v,x,k), before its swizzle. */
static int64_t tsr_gemm_start_(tsr_tensor const *t, int64_t v, int64_t x)
{
    tsr_layout const a = tsr_mode(tsr_layout_inner(t->layout), 0), b = tsr_mode(tsr_layout_inner(t->layout), 1);
    return tsr_layout_offset(&a, v) + tsr_layout_offset(&b, x);
}

static tsr_number tsr_gemm_element_(tsr_tensor const *t, int64_t offset)
{
    return tsr_element_(&t->engine, tsr_finish_(&t->layout, (uint64_t)offset));
}

static bool tsr_is_whole_(double x) { return x >= -0x1p63 && x < 0x1p63 && x == (double)(int64_t)x; }

bool tsr_epilogue_is_whole_(tsr_product_ const *g)
{
    return tsr_dtype_code(g->c.engine.type) <= 1 && (!g->biased || tsr_dtype_code(g->bias.engine.type) <= 1)
           && tsr_is_whole_(g->alpha) && tsr_is_whole_(g->beta);
}

/** What the epilogue makes of a sum, for the elements at `at` of C and at `bias`. */
static tsr_number tsr_epilogue_apply_(tsr_product_ const *g, tsr_number sum, int64_t at, int64_t bias)
{
    bool const whole = tsr_epilogue_is_whole_(g);
    if (g->alpha != 1)
        sum = tsr_number_mul(whole ? tsr_number_int((int64_t)g->alpha) : tsr_number_real(g->alpha), sum);
    if (g->beta != 0) {
        tsr_number const beta = whole ? tsr_number_int((int64_t)g->beta) : tsr_number_real(g->beta);
        tsr_number const c = tsr_gemm_element_(&g->c, at);
        sum = tsr_number_add(sum, g->beta != 1 ? tsr_number_mul(beta, c) : c);
    }
    if (g->biased)
        sum = tsr_number_add(sum, tsr_gemm_element_(&g->bias, bias));
    if (g->activation == TSR_RELU && tsr_number_less(sum, tsr_number_int(0)))
        sum = tsr_number_int(0);
    return sum;
}

/** Writes the element at `at` of C. */
static void tsr_gemm_put_(tsr_product_ const *g, tsr_number sum, int64_t at, int64_t bias)
{
    int bit = 0;
    unsigned char *const p = tsr_element_place(&g->c.engine, tsr_finish_(&g->c.layout, (uint64_t)at), &bit);
    tsr_store(g->c.engine.type, p, bit, tsr_epilogue_apply_(g, sum, at, bias));
}

/** One element of C, from the k elements from a and b on. */
static void tsr_gemm_sum_(tsr_product_ const *g, int64_t a, int64_t b, int64_t at, int64_t bias, int64_t k)
{
    tsr_walk x = tsr_walk_begin(tsr_mode(tsr_layout_inner(g->a.layout), 2)),
             y = tsr_walk_begin(tsr_mode(tsr_layout_inner(g->b.layout), 2));
    tsr_number sum = TSR_ZERO;
    for (int64_t i = 0; i < k; ++i, tsr_walk_next(&x), tsr_walk_next(&y)) {
        tsr_number const term =
            tsr_number_mul(tsr_gemm_element_(&g->a, a + x.offset), tsr_gemm_element_(&g->b, b + y.offset));
        sum = i == 0 ? term : tsr_number_add(sum, term);
    }
    tsr_gemm_put_(g, sum, at, bias);
}

/* Elements of memory by lines of K: a line of A meets some columns of B, as 64-bit integers or doubles side by side. */

enum { TSR_GEMM_LINE = 512, TSR_GEMM_COLUMNS = 4 };

typedef struct tsr_gemm_lines_ {
    tsr_dtype work;
    tsr_layout mode[4][3];        /* of A, B, C and the bias */
    int64_t at[2][TSR_GEMM_LINE]; /* the offsets along K of A and of B */
    uint64_t a[TSR_GEMM_LINE], b[TSR_GEMM_COLUMNS][TSR_GEMM_LINE], sum[TSR_GEMM_COLUMNS];
} tsr_gemm_lines_;

/** The offset of (v,x) in tensor i. */
static int64_t tsr_gemm_begin_(tsr_gemm_lines_ const *l, int i, int64_t v, int64_t x)
{
    return tsr_layout_offset(&l->mode[i][0], v) + tsr_layout_offset(&l->mode[i][1], x);
}

/** What the terms of a product are computed in; 0: numbers, as of complex or computed elements. */
static tsr_dtype tsr_gemm_work_(tsr_product_ const *g)
{
    tsr_engine const *const e[2] = {&g->a.engine, &g->b.engine};
    bool ints = true;
    for (int i = 0; i < 2; ++i) {
        int const kind = (int)tsr_number_kind_of(e[i]->type);
        if (e[i]->kind != TSR_POINTER || e[i]->map.kind != TSR_AS_IS || kind == TSR_NO_NUMBER || kind == TSR_COMPLEX)
            return 0;
        ints = ints && kind != TSR_REAL;
    }
    return ints ? TSR_I64 : TSR_F64;
}

/** n offsets along K from index `from` on. */
static void tsr_gemm_offsets_along_(tsr_layout const *mode, int64_t from, int64_t n, int64_t *at)
{
    int64_t const step = mode->stride.leaf[0].value;
    if (mode->shape.leaves == 1) {
        for (int64_t i = 0; i < n; ++i)
            at[i] = (from + i) * step;
        return;
    }
    tsr_walk w = tsr_walk_at(*mode, from);
    for (int64_t i = 0; i < n; ++i, tsr_walk_next(&w))
        at[i] = w.offset;
}

static void tsr_gemm_take_(tsr_tensor const *t, tsr_dtype work, int64_t start, int64_t const *at, int64_t n,
                           uint64_t *out)
{
    uint64_t raw[TSR_GEMM_LINE];
    int const bits = tsr_dtype_bits(t->engine.type), bytes = (bits + 7) / 8;
    bool const plain = bits % 8 == 0 && t->engine.swizzle.bits == 0 && !t->layout.composed;
    int begin = 0;
    unsigned char const *const from = plain ? tsr_element_place(&t->engine, start, &begin) : NULL;
    switch (plain ? bytes : 0) {
#define TSR_X_(T)                                                           \
  case sizeof(T):                                                           \
    for (int64_t i = 0; i < n; ++i)                                         \
      TSR_COPY((T *)raw + i, from + at[i] * (int64_t)sizeof(T), sizeof(T)); \
    break;
        TSR_PATTERN_LIST(TSR_X_)
#undef TSR_X_
    default:
        break;
    }
    for (int64_t i = 0; !plain && i < n; ++i) {
        int bit = 0;
        int64_t const k = tsr_finish_(&t->layout, (uint64_t)(start + at[i]));
        unsigned char const *const p = tsr_element_place(&t->engine, k, &bit);
        unsigned char *const q = (unsigned char *)raw + i * bytes;
        if (bits % 8 == 0)
            TSR_COPY(q, p, (size_t)bytes);
        else
            *q = (unsigned char)tsr_load_bits_(p, bit, bits);
    }
    tsr_engine_convert(work, out, t->engine.type, raw, n);
}

/** Adds n terms to each sum, in their order; the first of all terms is a sum. */
static void tsr_gemm_add_(tsr_gemm_lines_ *l, bool first, int64_t n)
{
#define TSR_X_(T)                                                       \
  T s[TSR_GEMM_COLUMNS], x = 0, y[TSR_GEMM_COLUMNS];                    \
  TSR_COPY(s, l->sum, sizeof s);                                        \
  T s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];                         \
  for (int64_t i = 0; i < n; ++i) {                                     \
    TSR_COPY(&x, &l->a[i], sizeof x);                                   \
    for (int c = 0; c < TSR_GEMM_COLUMNS; ++c)                          \
      TSR_COPY(&y[c], &l->b[c][i], sizeof x);                           \
    T const t0 = x * y[0], t1 = x * y[1], t2 = x * y[2], t3 = x * y[3]; \
    bool const begins = first && i == 0;                                \
    s0 = begins ? t0 : s0 + t0, s1 = begins ? t1 : s1 + t1;             \
    s2 = begins ? t2 : s2 + t2, s3 = begins ? t3 : s3 + t3;             \
  }                                                                     \
  s[0] = s0, s[1] = s1, s[2] = s2, s[3] = s3;                           \
  TSR_COPY(l->sum, s, sizeof s);
    if (l->work == TSR_I64) {
        TSR_X_(uint64_t)
    } else {
        TSR_X_(double)
    }
#undef TSR_X_
}

/** Row y of some columns of batch z. Columns that fit one line are taken with row 0. */
static void tsr_gemm_row_(tsr_product_ const *g, tsr_gemm_lines_ *l, int64_t z, int64_t y, int64_t x, int columns)
{
    int64_t const k = g->modes[0].size[2], a = tsr_gemm_begin_(l, 0, z, y);
    for (int64_t from = 0, n = 0; from < k; from += n) {
        n = tsr_min64(k - from, TSR_GEMM_LINE);
        if (y == 0 || k > TSR_GEMM_LINE) {
            tsr_gemm_offsets_along_(&l->mode[0][2], from, n, l->at[0]);
            tsr_gemm_offsets_along_(&l->mode[1][2], from, n, l->at[1]);
            for (int c = 0; c < columns; ++c)
                tsr_gemm_take_(&g->b, l->work, tsr_gemm_begin_(l, 1, z, x + c), l->at[1], n, l->b[c]);
            for (int c = columns; c < TSR_GEMM_COLUMNS; ++c) /* nobody reads its sum */
                TSR_COPY(l->b[c], l->b[0], (size_t)n * sizeof l->b[0][0]);
        }
        tsr_gemm_take_(&g->a, l->work, a, l->at[0], n, l->a);
        tsr_gemm_add_(l, from == 0, n);
    }
}

static void tsr_product_by_lines_(tsr_product_ const *g, tsr_dtype work)
{
    tsr_gemm_lines_ l TSR_SCRATCH;
    tsr_tensor const *const all[4] = {&g->a, &g->b, &g->c, &g->bias};
    int64_t const v = g->modes[2].size[0], m = g->modes[2].size[1], n = g->modes[2].size[2];
    bool const has_sign =
        tsr_number_kind_of(g->a.engine.type) == TSR_SIGNED || tsr_number_kind_of(g->b.engine.type) == TSR_SIGNED;
    l.work = work;
    memset(l.sum, 0, sizeof l.sum);
    for (int i = 0; i < 4 - !g->biased; ++i)
        for (int k = 0; k < 3; ++k)
            l.mode[i][k] = tsr_mode(tsr_layout_inner(all[i]->layout), k);
    for (int64_t z = 0; z < v; ++z)
        for (int64_t x = 0; x < n; x += TSR_GEMM_COLUMNS)
            for (int64_t y = 0; y < m; ++y) {
                int const columns = (int)tsr_min64(n - x, TSR_GEMM_COLUMNS);
                int64_t const c = tsr_gemm_begin_(&l, 2, z, y), d = g->biased ? tsr_gemm_begin_(&l, 3, z, y) : 0;
                tsr_gemm_row_(g, &l, z, y, x, columns);
                for (int k = 0; k < columns; ++k) {
                    tsr_number sum = tsr_number_int((int64_t)l.sum[k]);
                    sum.kind = has_sign ? TSR_SIGNED : TSR_UNSIGNED;
                    tsr_gemm_put_(g, work == TSR_F64 ? tsr_number_real(tsr_bits_double_(l.sum[k])) : sum,
                                  c + tsr_layout_offset(&l.mode[2][2], x + k),
                                  g->biased ? d + tsr_layout_offset(&l.mode[3][2], x + k) : 0);
                }
            }
}

void tsr_product_by_element_(tsr_product_ const *of)
{
    tsr_product_ three = *of;
    tsr_product_ *const g = &three;
    g->a.layout = tsr_three_(of->a.layout, &of->modes[0]);
    g->b.layout = tsr_three_(of->b.layout, &of->modes[1]);
    g->c.layout = tsr_three_(of->c.layout, &of->modes[2]);
    g->bias.layout = tsr_three_(of->bias.layout, &of->modes[3]);
    tsr_dtype const work = tsr_gemm_work_(g);
    if (work != 0) {
        tsr_product_by_lines_(g, work);
        return;
    }
    tsr_layout const columns = tsr_mode(tsr_layout_inner(g->c.layout), 2),
                     columns_of_bias = tsr_mode(tsr_layout_inner(g->bias.layout), 2);
    int64_t const v = of->modes[2].size[0], m = of->modes[2].size[1], n = of->modes[2].size[2],
                  k = of->modes[0].size[2];
    for (int64_t x = 0; x < n; ++x)
        for (int64_t y = 0; y < m; ++y)
            for (int64_t z = 0; z < v; ++z)
                tsr_gemm_sum_(g, tsr_gemm_start_(&g->a, z, y), tsr_gemm_start_(&g->b, z, x),
                              tsr_gemm_start_(&g->c, z, y) + tsr_layout_offset(&columns, x),
                              tsr_gemm_start_(&g->bias, z, y) + tsr_layout_offset(&columns_of_bias, x), k);
}

tsr_reason tsr_gemm_with(tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c, tsr_epilogue const *e)
{
    tsr_product_ g;
    tsr_product_make_(&g, a, b, c, e);
    if (g.why.status)
        return g.why;
    if (tsr_product_by_engine(&g))
        return g.why;
    tsr_product_by_element_(&g);
    return g.why;
}

tsr_reason tsr_gemm(tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c)
{
    tsr_epilogue const e = tsr_make_epilogue(1, 1);
    return tsr_gemm_with(a, b, c, &e);
}

tsr_reason tsr_gemm_by_element(tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c, tsr_epilogue const *e)
{
    tsr_product_ g;
    tsr_product_make_(&g, a, b, c, e);
    if (!g.why.status)
        tsr_product_by_element_(&g);
    return g.why;
}

tsr_reason tsr_gemm_into(tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c, tsr_tensor const *d)
{
    tsr_reason const why = tsr_copy(c, d);
    return why.status ? why : tsr_gemm(a, b, d);
}
