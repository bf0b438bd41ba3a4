/* Cases of products: random types, layouts and epilogues that below() draws, by every set of instructions, beside
 * sums by plain loops; integers are exact, reals within the bound that exec/gemm.h states. Operands end at a page that
 * must not be touched. */
#ifndef TESTS_GEMM_CASES_H
#define TESTS_GEMM_CASES_H

#include "../random.h"
#include "../sanitizer.h"
#include "exec/gemm/engine.h"
#include "tessera/exec/engine.h"
#include "tessera/exec/gemm_plan.h"
#include "tessera/tessera.h"
#include "tessera/text.h"

#include <stdio.h>
#include <stdlib.h>
#if defined(__unix__)
#  include <sys/mman.h>
#endif

enum { ROOM = 1 << 20, MOST = 1 << 16, LETTERS = 8 };

static int failures;
static int64_t most_work = INT64_MAX;  /* larger products are not tried */
static bool plain;                     /* the product is one of column-major matrices */
static bool crossed;                   /* columns lie between two modes of rows */
static bool fits;                      /* no tensor was larger than its room */
static int misaligned;                 /* bytes from where numbers should begin */
static double scale[4] = {1, 1, 1, 1}; /* of the numbers of A, B, C and the bias */

#define LEAST (1.0 / 9223372036854775808.0 / 9223372036854775808.0) /* 2^-126: floats below it are denormal */

/* Memory between two pages that are not to be touched. */

typedef struct arena {
    unsigned char *bytes;
} arena;

static arena arenas[4];

static unsigned char *guarded(void)
{
#if defined(MAP_ANONYMOUS)
    size_t const page = 65536;
    unsigned char *const p =
        (unsigned char *)mmap(NULL, ROOM + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == (unsigned char *)MAP_FAILED || mprotect(p, page, PROT_NONE) != 0
        || mprotect(p + page + ROOM, page, PROT_NONE) != 0)
        exit(2);
    return p + page;
#else
    return (unsigned char *)malloc(ROOM);
#endif
}

/* A product is drawn by its letters: extents, and the mode that each belongs to: V, M, N, K. */

typedef struct letters {
    int count, mode[LETTERS];
    int64_t extent[LETTERS];
} letters;

static letters draw_letters(int64_t const most[4])
{
    letters l = {0};
    for (int mode = 0; mode < 4; ++mode) {
        bool const two = crossed && mode == 1;
        int const parts = plain ? 1 : two ? 2 : (int)(1 + below(2) * below(2) + (mode == 1 && below(4) == 0));
        int64_t const inner = 8 + below(41);
        int64_t left = two ? inner * (2 + below(4)) : 1 + below(most[mode]);
        for (int i = 0; i < parts && l.count < LETTERS; ++i) {
            int64_t const n = i + 1 == parts ? left
                              : two          ? inner
                                             : 1 + below(tsr_min64(left, below(3) == 0 ? 40 : 9));
            l.mode[l.count] = mode;
            l.extent[l.count++] = n;
            left = tsr_max64(left / n, 1);
        }
    }
    return l;
}

static tsr_tuple listed(tsr_tuple list, int64_t n, bool begins)
{
    return begins ? tsr_int(n) : tsr_tuple_append(tsr_is_leaf(&list) ? tsr_wrap(list) : list, tsr_int(n));
}

/** Where a letter stands in order: M, N, K, V; or the first one of M, N, K, V, the second one of M. */
static int place_of(letters const *l, int i)
{
    return crossed && i > 0 && l->mode[i] == 1 && l->mode[i - 1] == 1 ? 4 : (l->mode[i] + 3) % 4;
}

/** A layout of three modes in a random order of the letters, with gaps; a mode that the tensor has not is skipped.
 *  *low, *high: the offsets it reaches. */
static tsr_layout draw_layout(letters const *l, int const modes[3], bool broadcast, int64_t *low, int64_t *high)
{
    bool const in_order = plain || crossed || below(2) == 0;
    int64_t stride[LETTERS] = {0}, at = 1 + (!in_order && below(4) == 0);
    int order[LETTERS], count = 0;
    for (int place = 0; place < 5; ++place)
        for (int i = 0; i < l->count; ++i)
            if (place_of(l, i) == place)
                order[count++] = i;
    for (int i = 0; i < l->count && !in_order; ++i) {
        int const k = (int)below(i + 1), x = order[i];
        order[i] = order[k];
        order[k] = x;
    }
    *low = *high = 0;
    for (int i = 0; i < l->count; ++i) {
        int const x = order[i];
        bool const has = l->mode[x] == modes[0] || l->mode[x] == modes[1] || l->mode[x] == modes[2];
        if (!has || (broadcast && !plain && below(2)))
            continue;
        stride[x] = !in_order && below(12) == 0 ? -at : at;
        *(stride[x] < 0 ? low : high) += (l->extent[x] - 1) * stride[x];
        at = at * l->extent[x] + (below(3) == 0 ? below(5) : 0);
    }
    tsr_tuple shape[3], steps[3];
    for (int m = 0; m < 3; ++m) {
        bool begins = true;
        for (int x = 0; x < l->count; ++x)
            if (l->mode[x] == modes[m]) {
                shape[m] = listed(shape[m], l->extent[x], begins);
                steps[m] = listed(steps[m], stride[x], begins);
                begins = false;
            }
    }
    return tsr_make_layout_from(tsr_tuple_3(shape[0], shape[1], shape[2]), tsr_tuple_3(steps[0], steps[1], steps[2]));
}

/** A tensor whose elements lie at the end of an arena, or at its beginning. */
static tsr_tensor draw_tensor(arena *a, tsr_dtype type, letters const *l, int const modes[3], bool broadcast)
{
    double const size_of = scale[a - arenas] / 999;
    int64_t low = 0, high = 0;
    tsr_layout layout = draw_layout(l, modes, broadcast, &low, &high);
    int64_t const size = tsr_dtype_bits(type) / 8;
    bool const swizzle = !plain && low == 0 && below(8) == 0;
    if (swizzle) {
        layout = tsr_make_composed_layout(tsr_make_swizzle(2, 1, 3), tsr_s(0), layout);
        high |= 63;
    }
    if ((high - low + 1) * size + misaligned > ROOM) {
        fits = false;
        high = low;
    }
    unsigned char *const first =
        below(2) ? a->bytes + misaligned : a->bytes + ROOM - (high - low + 1) * size - misaligned;
    tsr_engine const e = tsr_gmem_ptr(tsr_int((int64_t)(uintptr_t)(first - low * size)), type);
    int64_t const times = tsr_dtype_bits(type) == 64 ? ((int64_t)1 << 32) + 1 : 1; /* sums wrap */
    for (int64_t i = 0; i <= high - low; ++i) {
        tsr_number const x =
            tsr_number_kind_of(type) == TSR_COMPLEX
                ? tsr_number_complex((double)(noise(2001) - 1000) * size_of, (double)(noise(2001) - 1000) * size_of)
            : tsr_number_kind_of(type) == TSR_REAL ? tsr_number_real((double)(noise(2001) - 1000) * size_of)
                                                   : tsr_number_int((noise(1 << 30) - (1 << 29)) * times);
        tsr_store(type, first + i * size, 0, x);
    }
    return tsr_make_tensor_of(e, layout);
}

/* The reference: numbers by coordinates, sums by plain loops. */

typedef struct numbers {
    double re[MOST], im[MOST];
    uint64_t bits[MOST];
} numbers;

static numbers na, nb, nc, nd;

static void read_numbers(numbers *x, tsr_tensor const *t)
{
    int64_t const n = tsr_layout_size(t->layout), size = tsr_dtype_bits(t->engine.type) / 8;
    if (n > MOST)
        exit(4);
    tsr_walk w = tsr_walk_begin(t->layout);
    for (int64_t i = 0; i < n; ++i, tsr_walk_next(&w)) {
        tsr_number const v =
            tsr_load(t->engine.type, (void const *)(uintptr_t)(t->engine.address + (uint64_t)(w.offset * size)), 0);
        x->re[i] = tsr_number_to_double(v);
        x->im[i] = v.kind == TSR_COMPLEX ? v.im : 0;
        x->bits[i] = v.bits;
    }
}

typedef struct wanted {
    double re, im, bound, lost; /* lost: what a product of bf16 may leave out */
    uint64_t bits;
} wanted;

static double absolute(double x) { return x < 0 ? -x : x; }

/** Element (v,m,n), whose index in C is i. */
static wanted want(tsr_epilogue const *e, int64_t const s[4], int64_t v, int64_t m, int64_t n, int64_t i)
{
    wanted w = {0, 0, 0, 0, 0};
    double size = 0;
    for (int64_t k = 0; k < s[3]; ++k) {
        int64_t const x = v + s[0] * (m + s[1] * k), y = v + s[0] * (n + s[2] * k);
        w.re += na.re[x] * nb.re[y] - na.im[x] * nb.im[y];
        w.im += na.re[x] * nb.im[y] + na.im[x] * nb.re[y];
        w.bits += na.bits[x] * nb.bits[y];
        double const p = na.re[x] * nb.re[y], q = na.im[x] * nb.im[y], r = na.re[x] * nb.im[y],
                     t = na.im[x] * nb.re[y];
        size += absolute(p) + absolute(q) + absolute(r) + absolute(t);
        w.lost += absolute(na.re[x]) < LEAST || absolute(nb.re[y]) < LEAST ? absolute(p) : 0;
    }
    w.lost = absolute(e->alpha) * (w.lost + (double)(s[3] + 4) * LEAST);
    w.re = e->alpha * w.re + (e->beta != 0 ? e->beta * nc.re[i] : 0) + (e->bias ? nd.re[i] : 0);
    w.im = e->alpha * w.im + (e->beta != 0 ? e->beta * nc.im[i] : 0) + (e->bias ? nd.im[i] : 0);
    bool const whole = e->alpha == (double)(int64_t)e->alpha && e->beta == (double)(int64_t)e->beta;
    if (whole)
        w.bits = w.bits * (uint64_t)(int64_t)e->alpha + nc.bits[i] * (uint64_t)(int64_t)e->beta;
    w.bits += e->bias ? nd.bits[i] : 0;
    if (e->activation == TSR_RELU) {
        w.re = w.re < 0 ? 0 : w.re;
        w.bits = w.bits >> 63 != 0 ? 0 : w.bits;
    }
    w.bound = (absolute(e->alpha) * size + 4 * scale[2]) * (double)(s[3] * 2 + 4);
    return w;
}

/** All elements of C, once for all sets of instructions. */
static wanted all_wanted[MOST];

static void want_all(tsr_epilogue const *e, int64_t const s[4])
{
    for (int64_t i = 0; i < s[0] * s[1] * s[2]; ++i)
        all_wanted[i] = want(e, s, i % s[0], i / s[0] % s[1], i / s[0] / s[1], i);
}

/** What rounding to a type, and sums in it, may add. */
static double epsilon_of(tsr_dtype t)
{
    int const m = tsr_float_format_of(t).mantissa;
    return t == TSR_C64 ? 1.2e-7 : t == TSR_C128 ? 2.3e-16 : 1.0 / (double)((uint64_t)1 << m);
}

static bool is_int_type(tsr_dtype t) { return tsr_dtype_code(t) <= 1; }

/** Whether the type's low bits are those of a number. */
static bool same_bits(tsr_dtype t, uint64_t a, uint64_t b)
{
    int const bits = tsr_dtype_bits(t);
    return bits == 64 ? a == b : (a ^ b) << (64 - bits) == 0;
}

static void fail(char const *says, tsr_planned_gemm const *p, int64_t number, int64_t i, double got, wanted w)
{
    char text[3][TSR_TEXT_SIZE];
    tsr_format_layout(text[0], TSR_TEXT_SIZE, p->of.product.a.layout, 0);
    tsr_format_layout(text[1], TSR_TEXT_SIZE, p->of.product.b.layout, 0);
    tsr_format_layout(text[2], TSR_TEXT_SIZE, p->of.product.c.layout, 0);
    fprintf(stderr, "case %lld: %s, %s way %d%s: element %lld is %g, not %g (bound %g)\n  %s %s\n  %s %s\n  %s %s\n",
            (long long)number, says, tsr_cpu_engine_name(), p->way, p->of.swapped ? " swapped" : "", (long long)i,
            got, w.re, w.bound, tsr_dtype_name(p->of.product.a.engine.type), text[0],
            tsr_dtype_name(p->of.product.b.engine.type), text[1], tsr_dtype_name(p->of.product.c.engine.type),
            text[2]);
    if (++failures > 5)
        exit(1);
}

/* clang-format off */
/** X(A, B, C): what is multiplied. */
#define TYPES(X)                                                                                             \
  X(F32, F32, F32)                                                                                           \
  X(F64, F64, F64) X(F32, F32, F32) X(F64, F64, F64) X(C64, C64, C64) X(C128, C128, C128) X(BF16, BF16, F32) \
      X(BF16, BF16, BF16) X(F16, F16, F32) X(F16, F16, F16) X(F8_E4M3FN, BF16, F32) X(F32, BF16, F32)        \
          X(F32, F64, F32) X(I8, I8, I32) X(U8, I8, I32) X(I8, U8, I32) X(U8, U8, I32) X(I16, I16, I32)      \
              X(I8, I16, U32) X(I32, I32, I32) X(U32, I32, I32) X(I8, I8, I8) X(I8, I8, F32) X(U8, I8, BF16) \
                  X(I64, I32, I64) X(U16, U16, I32) X(I64, I64, I64) X(U64, U64, U64) X(I64, I64, I32)           \
                      X(U64, I64, U64) X(I32, I32, I64)
/* clang-format on */

static struct {
    tsr_dtype a, b, c;
} const types[] = {
#define X(a, b, c) {TSR_##a, TSR_##b, TSR_##c},
    TYPES(X)
#undef X
};

enum { TYPES_COUNT = (int)(sizeof types / sizeof types[0]) };

static int64_t ways[3], rows_seen[8][16];

/** The sizes of numbers: mostly 1, else such that A is in part, or products are, below 2^-126. */
static void draw_scales(int which)
{
    static double const two_64 = 18446744073709551616.0;
    tsr_dtype const t[3] = {types[which].a, types[which].b, types[which].c};
    bool wide = true;
    for (int i = 0; i < 3; ++i)
        wide = wide && (t[i] == TSR_F32 || t[i] == TSR_BF16);
    int64_t const kind = wide ? below(8) : 7;
    scale[0] = kind == 0 ? LEAST * 4 : kind == 1 ? 1 / two_64 : 1;
    scale[1] = kind == 0 ? two_64 : kind == 1 ? 1 / two_64 : 1;
    scale[2] = scale[3] = scale[0] * scale[1];
}

/** Cuts a plan of blocks as that of many threads is: into parts of rows, columns and K, products of their own. */
static void cut(tsr_planned_gemm *p)
{
    gemm_row const *const row = tsr_gemm_choice_of(p).row;
    tsr_dtype const sum = gemm_sum_type(row->form);
    int64_t const rows = p->panel > 0 ? p->panel : row->vectors * row->lanes / p->parts;
    int64_t const depth = row->depth * gemm_group(row->form) > 32 ? row->depth * gemm_group(row->form) : 32;
    p->threads = 1;
    p->batches = 2 + below(2);
    p->rows = (int32_t)(rows * (1 + below(3)));
    p->slice = row->columns * (1 + below(4));
    p->depth = (sum == TSR_F32 || sum == TSR_F64) && below(4) != 0 ? (int32_t)(depth * (1 + below(2))) : 0;
}

/** One product, by every set of instructions. False if it was drawn too large. */
static bool try_product(int64_t number, int which)
{
    static int64_t const shapes[][4] = {{2, 60, 30, 40},   {1, 200, 20, 20}, {1, 20, 200, 20}, {1, 9, 9, 1200},
                                        {7, 9, 9, 9},      {1, 70, 70, 5},   {1, 900, 20, 6},  {1, 90, 90, 90},
                                        {1, 50, 50, 1200}, {3, 40, 70, 200}, {1, 300, 1, 200}, {2, 1, 100, 300},
                                        {1, 1, 1, 9000},   {1, 3, 3, 6000}};
    static int const of_a[3] = {0, 1, 3}, of_b[3] = {0, 2, 3}, of_c[3] = {0, 1, 2};
    static unsigned char before[ROOM], by_one[ROOM];
    plain = below(3) == 0;
    misaligned = below(8) == 0;
    draw_scales(which);
    tsr_dtype const tc = types[which].c, td = below(3) && !is_int_type(tc) && tsr_dtype_code(tc) != 5 ? TSR_F32 : tc;
    tsr_tensor a, b, c, d;
    letters l;
    do {
        fits = true;
        int64_t const *const shape = shapes[below(tsr_dtype_bits(types[which].a) == 8 ? 14 : 13)];
        crossed = !plain && shape[3] <= 90 && below(3) == 0;
        l = draw_letters(shape);
        a = draw_tensor(&arenas[0], types[which].a, &l, of_a, below(6) == 0);
        b = draw_tensor(&arenas[1], types[which].b, &l, of_b, below(6) == 0);
        c = draw_tensor(&arenas[2], tc, &l, of_c, false);
        d = draw_tensor(&arenas[3], td, &l, of_c, true);
    } while (!fits);
    int64_t s[4] = {1, 1, 1, 1};
    for (int i = 0; i < l.count; ++i)
        s[l.mode[i]] *= l.extent[i];
    if (s[0] * s[1] * s[2] * s[3] > most_work)
        return false;
    bool const ints = is_int_type(types[which].a) && is_int_type(types[which].b) && is_int_type(tc);
    tsr_epilogue e = tsr_make_epilogue(below(2) || ints || plain ? 1 : 0.75, (double)below(2));
    if (below(4) == 0 && !ints && !plain)
        e.beta = -0.5;
    static double const whole[] = {-1, 3, -7, 2147483649.0, 1234567890123.0, -9007199254740991.0};
    if (ints && below(2) == 0) {
        e.alpha = below(2) != 0 ? whole[below(6)] : 1;
        e.beta = below(2) != 0 ? whole[below(6)] : e.beta;
    }
    e.bias = below(3) == 0 && !plain ? &d : NULL;
    bool const has_sign = types[which].a != TSR_U64; /* of the sum as `want` sees it: its highest bit */
    e.activation = below(4) == 0 && !plain && has_sign && tsr_dtype_code(tc) != 5 ? TSR_RELU : TSR_NO_ACTIVATION;
    read_numbers(&na, &a);
    read_numbers(&nb, &b);
    read_numbers(&nc, &c);
    read_numbers(&nd, &d);
    memcpy(before, arenas[2].bytes, ROOM);
    int64_t const size = tsr_dtype_bits(tc) / 8, n = s[0] * s[1] * s[2];
    want_all(&e, s);
    double const rounding = epsilon_of(tc),
                 sums = tc == TSR_F64 || types[which].a == TSR_F64 || types[which].b == TSR_F64 || tc == TSR_C128
                            ? 2.3e-16
                            : 1.2e-7;
    for (int row = 0; tsr_cpu_engine_row(row); ++row) {
        bool const there = tsr_cpu_engine_use(tsr_cpu_engine_row(row));
        tsr_planned_gemm p = tsr_gemm_plan(a, b, c, &e);
        if (!there || p.of.product.why.status) {
            fail("refused", &p, number, p.of.product.why.status, 0, (wanted){0, 0, 0, 0, 0});
            return true;
        }
        ++ways[p.way];
        ++rows_seen[p.isa][p.row];
        if (number % 3 == 1 && p.way == TSR_GEMM_BLOCKED)
            cut(&p);
        for (int threads = 1; threads <= (number % 16 == 0 ? 2 : 1); ++threads) {
            memcpy(arenas[2].bytes, before, ROOM);
            p.threads = threads;
            size_t const need = tsr_gemm_workspace(&p);
            if (need && p.way != TSR_GEMM_BLOCKED)
                fail("memory that is not needed", &p, number, (int64_t)need, 0, (wanted){0, 0, 0, 0, 0});
            void *const work = below(2) && need ? malloc(need) : NULL;
            tsr_reason const why = tsr_gemm_run(&p, work, work ? need : 0);
            free(work);
            if (why.status)
                fail("not run", &p, number, why.status, 0, (wanted){0, 0, 0, 0, 0});
            if (threads == 1)
                memcpy(by_one, arenas[2].bytes, ROOM);
        }
        if (memcmp(by_one, arenas[2].bytes, ROOM) != 0)
            fail("other results by two threads", &p, number, 0, 0, (wanted){0, 0, 0, 0, 0});
        tsr_walk at = tsr_walk_begin(c.layout);
        for (int64_t i = 0; i < n; ++i, tsr_walk_next(&at)) {
            wanted const x = all_wanted[i];
            tsr_number const got =
                tsr_load(tc, (void const *)(uintptr_t)(c.engine.address + (uint64_t)(at.offset * size)), 0);
            double const lost = types[which].a == TSR_BF16 && types[which].b == TSR_BF16 ? x.lost : x.lost * 1.2e-7;
            double const re = tsr_number_to_double(got), im = got.kind == TSR_COMPLEX ? got.im : 0;
            bool const right =
                ints ? same_bits(tc, got.bits, x.bits)
                : is_int_type(types[which].a) && is_int_type(types[which].b)
                    ? absolute(re - x.re) <= 1e-5 * absolute(x.re) * (1 + rounding * 1e5) + rounding * x.bound * 1e-7
                    : absolute(re - x.re) <= sums * x.bound + rounding * (absolute(x.re) + lost) + lost
                          && absolute(im - x.im) <= sums * x.bound + rounding * absolute(x.im);
            if (!right) {
                fail("wrong", &p, number, i, re, x);
                break;
            }
        }
        at = tsr_walk_begin(c.layout);
        for (int64_t i = 0; i < n; ++i, tsr_walk_next(&at)) {
            uint64_t const byte = c.engine.address + (uint64_t)(at.offset * size);
            memcpy((void *)(uintptr_t)byte, before + (byte - (uint64_t)(uintptr_t)arenas[2].bytes), (size_t)size);
        }
        if (memcmp(before, arenas[2].bytes, ROOM) != 0)
            fail("touched outside of C", &p, number, 0, 0, (wanted){0, 0, 0, 0, 0});
    }
    return true;
}

static void begin_products(void)
{
    for (int i = 0; i < 4; ++i)
        arenas[i].bytes = guarded();
}

#endif
