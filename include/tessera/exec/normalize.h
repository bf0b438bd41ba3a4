/** Normalize: softmax and its relatives, over any modes of any layouts.
 *
 *      tsr_softmax(x, groups, y)            y = e^(x - m) / sum of e^(x - m)            m the greatest x of the group
 *      tsr_log_softmax(x, groups, y)        y = x - m - log of that sum
 *      tsr_log_sum_exp(x, y)                y = m + log of that sum, one for each group
 *      tsr_layer_norm(x, groups, y, eps)    y = (x - mean) / sqrt(mean of (x - mean)^2 + eps)
 *      tsr_rms_norm(x, groups, y, eps)      y = x / sqrt(mean of x^2 + eps)
 *
 *  `groups` has the shape of x: the elements along its modes of stride 0 are one group, as tsr_reduce_to reduces them
 *  into one. (N,M):(0,1) normalizes each column, (N,M):(1,0) each row, (N,M):(0,0) all. y is x, or apart from it.
 *
 *  Law     e^x and what is subtracted from x are computed in double where x or y is f64 or x an integer, else in float;
 *          sums in double, in pieces of 4096 elements of a group, of 256 where groups lie closer to each other than
 *          elements of one, in the order of their addresses, each in 32 partial sums as those of exec/reduce.h. So y is
 *          within (16 + 2 |x - m|) 2^-24 (2^-53) of itself, or as far as its type rounds; of log_softmax, layer_norm
 *          and rms_norm, within that part of what is subtracted, too. softmax(x + c) = softmax(x), up to the rounding
 *          of x + c. A group with NaN is NaN; of softmax also one whose greatest is infinite. All rows of the engine,
 *          and any number of threads, leave the same bytes.
 *  Errors  those of a copy; DIFFER_SIZE where groups has another size; NOT_NUMBERS of complex elements; REDUCE_MODES.
 *  Source  Milakov, Gimelshein, Online normalizer calculation for softmax (2018), section 2; torch.nn.functional.
 */
#ifndef TSR_EXEC_NORMALIZE_H
#define TSR_EXEC_NORMALIZE_H

#include "tessera/exec/algorithm.h"

enum { TSR_SOFTMAX, TSR_LOG_SOFTMAX, TSR_LOG_SUM_EXP, TSR_LAYER_NORM, TSR_RMS_NORM, TSR_NORMALIZERS };

typedef struct tsr_normalize_plan {
    tsr_reason why; /* why there are none */
    uint8_t op, kept, reduced;
    bool wide;   /* in double */
    bool beside; /* groups side by side are closer than the elements of one */
    double epsilon;
    int64_t groups, each; /* how many, of how many elements */
    tsr_side from, to;
    tsr_loop keep[TSR_MAX_LEAVES + 1], over[TSR_MAX_LEAVES + 1]; /* the smallest step of the source first */
} tsr_normalize_plan;

/** What normalizes n floats, or doubles if `wide`: the loops below, or what is compiled for more instructions. */
typedef struct tsr_normalizer_ {
    tsr_reducer_ reduce;
    void (*exps)(bool wide, void *out, void const *x, int64_t n, double m);
    void (*centered)(bool wide, void *out, void const *x, int64_t n, double a, double b, double factor);
    double (*squares)(bool wide, void const *x, int64_t n, double mean);
} tsr_normalizer_;

/* Kernels */

/* What they read and write is apart, so that the compiler makes vector loops of them. */

/** e^x as tsr_exp_ computes it, in float. */
TSR_REF float tsr_exp_float_(float x)
{
    float const magic = 12582912.0f;                                        /* 1.5 * 2^23: its last bits count ones */
    float const a = x < 110.0f ? x : 110.0f, b = a > -110.0f ? a : -110.0f; /* infinity, and 0 */
    uint32_t const ones = tsr_float_bits_(b * 1.44269504f + magic) - tsr_float_bits_(magic);
    float const k = (float)(int32_t)ones; /* which -ffast-math would not round without the bits */
    float const r = (b - k * 0.693359375f) - k * -2.12194440e-4f;
    float p = 1.0f / 5040.0f;
    p = p * r + 1.0f / 720.0f;
    p = p * r + 1.0f / 120.0f;
    p = p * r + 1.0f / 24.0f;
    p = p * r + 1.0f / 6.0f;
    p = p * r + 0.5f;
    p = p * r * r + r + 1.0f;
    uint32_t const up = ones + 512, half = up >> 1; /* k + 512 */
    p = p * tsr_bits_float_((half + 127 - 256) << 23) * tsr_bits_float_((up - half + 127 - 256) << 23);
    return x != x ? x : p;
}

/** out = e^(x - m). */
TSR_REF void tsr_exps_(bool wide, void *out, void const *x, int64_t n, double m)
{
    float const least = (float)m;
    for (int64_t i = 0; wide && i < n; ++i)
        ((double *)out)[i] = tsr_exp_(((double const *)x)[i] - m);
    for (int64_t i = 0; !wide && i < n; ++i)
        ((float *)out)[i] = tsr_exp_float_(((float const *)x)[i] - least);
}

/** out = ((x - a) - b) * factor, rounded to float once. */
TSR_REF void tsr_centered_(bool wide, void *out, void const *x, int64_t n, double a, double b, double factor)
{
    for (int64_t i = 0; wide && i < n; ++i)
        ((double *)out)[i] = ((((double const *)x)[i] - a) - b) * factor;
    for (int64_t i = 0; !wide && i < n; ++i)
        ((float *)out)[i] = (float)((((double)((float const *)x)[i] - a) - b) * factor);
}

/** The sum of (x - mean)^2, in 32 partial sums. */
TSR_REF double tsr_squares_(bool wide, void const *x, int64_t n, double mean)
{
    enum { LANES = TSR_REDUCE_LANES };
    double lanes[LANES], square[LANES];
    for (int j = 0; j < LANES; ++j)
        lanes[j] = 0;
    for (int64_t i = 0; i < n; i += LANES) {
        int const m = (int)tsr_min64(n - i, LANES);
        for (int j = 0; j < m; ++j) {
            double const d = (wide ? ((double const *)x)[i + j] : (double)((float const *)x)[i + j]) - mean;
            square[j] = d * d;
        }
        for (int j = 0; j < m; ++j)
            lanes[j] = lanes[j] + square[j];
    }
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int j = 0; j < half; ++j)
            lanes[j] = lanes[j] + lanes[j + half];
    return lanes[0];
}

/* Groups */

enum { TSR_PASS_GREATEST, TSR_PASS_SUM, TSR_PASS_SQUARES, TSR_PASS_OUT, TSR_PASSES };

/** Elements that are worked on at once: of one group, or of several side by side. */
enum { TSR_NORMALIZED = 4096, TSR_NORMALIZED_GROUPS = 16 };

/** Elements of a group in a piece, and the first of the numbers of group k. */
TSR_INLINE int64_t tsr_normalize_piece_(tsr_normalize_plan const *p)
{
    return p->beside ? TSR_NORMALIZED / TSR_NORMALIZED_GROUPS : TSR_NORMALIZED;
}

TSR_INLINE unsigned char *tsr_normalize_row_(tsr_normalize_plan const *p, uint64_t *numbers, int k)
{
    return (unsigned char *)numbers + k * tsr_normalize_piece_(p) * (p->wide ? 8 : 4);
}

/** Elements first to first + n - 1 of groups side by side, which begin at a bit, to the numbers of each, or back. */
TSR_INLINE void tsr_normalize_turn_(tsr_normalize_plan const *p, tsr_normalizer_ const *k, bool stores, uint64_t base,
                                    int64_t at, int64_t first, int64_t n, int groups, uint64_t *numbers)
{
    enum { LINES = (int)TSR_REDUCE_GROUP / (int)TSR_NORMALIZED_GROUPS }; /* C++20 takes no two enumerations */
    tsr_side const *const x = stores ? &p->to : &p->from;
    tsr_dtype const work = p->wide ? TSR_F64 : TSR_F32;
    int64_t const bytes = (tsr_dtype_bits(x->type) + 7) / 8, size = p->wide ? 8 : 4;
    int64_t const nearby = stores ? p->keep[0].to : p->keep[0].from;
    uint64_t raw[TSR_REDUCE_GROUP], turned[TSR_REDUCE_GROUP];
    unsigned char *const elements = (unsigned char *)raw, *const lines = (unsigned char *)turned;
    for (int64_t i = 0; i < n; i += LINES) {
        int64_t const some = tsr_min64(n - i, LINES);
        for (int64_t j = 0; stores && j < some * groups; ++j)
            TSR_COPY(lines + j * size, tsr_normalize_row_(p, numbers, (int)(j % groups)) + (i + j / groups) * size,
                     (size_t)size);
        if (stores)
            k->reduce.convert(x->type, raw, work, turned, some * groups);
        for (int64_t j = 0; j < some; ++j) {
            int64_t rest = first + i + j, y = at;
            for (int l = 0; l < p->reduced; rest /= p->over[l++].count)
                y += rest % p->over[l].count * (stores ? p->over[l].to : p->over[l].from);
            if (stores)
                tsr_reduce_scatter_(x, base, y, nearby, groups, elements + j * groups * bytes);
            else
                tsr_reduce_gather_(x, base, y, nearby, groups, elements + j * groups * bytes);
        }
        if (!stores)
            k->reduce.convert(work, turned, x->type, raw, some * groups);
        for (int g = 0; !stores && g < groups; ++g) {
            unsigned char *const row = tsr_normalize_row_(p, numbers, g) + i * size;
            for (int64_t j = 0; p->wide && j < some; ++j)
                TSR_COPY(row + j * 8, lines + (j * groups + g) * 8, 8);
            for (int64_t j = 0; !p->wide && j < some; ++j)
                TSR_COPY(row + j * 4, lines + (j * groups + g) * 4, 4);
        }
    }
}

/** Elements first to first + n - 1 of a group that begins at a bit, to numbers side by side, or, if `stores`, back. */
TSR_INLINE void tsr_normalize_move_(tsr_normalize_plan const *p, tsr_normalizer_ const *k, bool stores, uint64_t base,
                                    int64_t at, int64_t first, int64_t n, void *numbers)
{
    tsr_side const *const x = stores ? &p->to : &p->from;
    tsr_dtype const work = p->wide ? TSR_F64 : TSR_F32;
    int64_t const bits = tsr_dtype_bits(x->type), bytes = p->wide ? 8 : 4, inner = p->over[0].count;
    int64_t const step = stores ? p->over[0].to : p->over[0].from;
    bool const dense = step == bits && bits % 8 == 0 && x->swizzle.bits == 0;
    uint64_t raw[TSR_REDUCE_GROUP];
    unsigned char *q = (unsigned char *)numbers;
    for (int64_t i = first, m = 0; i < first + n; i += m, q += m * bytes) {
        int64_t rest = i / inner, y = at + i % inner * step;
        m = tsr_min64(tsr_min64(inner - i % inner, first + n - i), dense ? (int)TSR_NORMALIZED : (int)TSR_REDUCE_GROUP);
        for (int l = 1; l < p->reduced; rest /= p->over[l++].count)
            y += rest % p->over[l].count * (stores ? p->over[l].to : p->over[l].from);
        void *const memory = dense ? (void *)tsr_byte_at_(base, y) : (void *)raw;
        if (!stores && !dense)
            tsr_reduce_gather_(x, base, y, step, m, (unsigned char *)raw);
        if (stores)
            k->reduce.convert(x->type, memory, work, q, m);
        else
            k->reduce.convert(work, q, x->type, memory, m);
        if (stores && !dense)
            tsr_reduce_scatter_(x, base, y, step, m, (unsigned char const *)raw);
    }
}

/** What is known of a group, pass by pass. */
typedef struct tsr_normalized_ {
    double greatest, sum, squares, mean;
} tsr_normalized_;

/** One pass over n numbers of a group; the results are in `numbers` for softmax, else in `powers`. */
TSR_INLINE void tsr_normalize_pass_(tsr_normalize_plan const *p, tsr_normalizer_ const *k, int pass, bool several,
                                    tsr_normalized_ *g, void *numbers, void *powers, int64_t n)
{
    tsr_dtype const work = p->wide ? TSR_F64 : TSR_F32;
    bool const norm = p->op == TSR_LAYER_NORM || p->op == TSR_RMS_NORM, softmax = p->op == TSR_SOFTMAX;
    double part = 0, a = g->mean, b = 0, factor = 1;
    switch (pass) {
    case TSR_PASS_GREATEST:
        k->reduce.runs(TSR_REDUCE_MAX, work, numbers, n, 1, 0, &g->greatest);
        break;
    case TSR_PASS_SUM:
        if (!norm)
            k->exps(p->wide, powers, numbers, n, g->greatest);
        k->reduce.runs(TSR_REDUCE_SUM, work, norm ? numbers : powers, n, 1, 0, &part);
        g->sum += part;
        break;
    case TSR_PASS_SQUARES:
        g->squares += k->squares(p->wide, numbers, n, g->mean);
        break;
    default:
        if (softmax && several)
            k->exps(p->wide, powers, numbers, n, g->greatest);
        if (norm)
            factor = 1.0 / tsr_sqrt_(g->squares / (double)p->each + p->epsilon);
        else if (softmax)
            factor = 1.0 / g->sum;
        else
            a = g->greatest;
        if (p->op == TSR_LOG_SOFTMAX)
            b = tsr_log_(g->sum);
        k->centered(p->wide, softmax ? numbers : powers, softmax ? powers : numbers, n, a, b, factor);
        break;
    }
}

/** Some groups, which begin near each other: passes over their pieces. What is a single one is read once. */
TSR_INLINE void tsr_normalize_some_(tsr_normalize_plan const *p, tsr_normalizer_ const *k, uint64_t to, int64_t y,
                                    uint64_t from, int64_t x, int groups)
{
    uint64_t numbers[TSR_NORMALIZED], powers[TSR_NORMALIZED];
    tsr_normalized_ group[TSR_NORMALIZED_GROUPS];
    int64_t const piece = tsr_normalize_piece_(p);
    double const infinity = tsr_bits_double_((uint64_t)0x7ff << 52);
    bool const norm = p->op == TSR_LAYER_NORM || p->op == TSR_RMS_NORM, several = p->each > piece;
    bool loaded = false;
    for (int i = 0; i < groups; ++i) {
        group[i].greatest = -infinity;
        group[i].sum = group[i].squares = group[i].mean = 0;
    }
    for (int pass = 0; pass < TSR_PASSES; ++pass) {
        bool const skip = (pass == TSR_PASS_GREATEST && norm) || (pass == TSR_PASS_SUM && p->op == TSR_RMS_NORM)
                          || (pass == TSR_PASS_SQUARES && !norm)
                          || (pass == TSR_PASS_OUT && p->op == TSR_LOG_SUM_EXP);
        for (int64_t first = 0, n = 0; !skip && first < p->each; first += n) {
            uint64_t *const out = p->op == TSR_SOFTMAX ? numbers : powers;
            n = tsr_min64(p->each - first, piece);
            if ((several || !loaded) && p->beside)
                tsr_normalize_turn_(p, k, false, from, x, first, n, groups, numbers);
            else if (several || !loaded)
                tsr_normalize_move_(p, k, false, from, x, first, n, numbers);
            loaded = true;
            for (int i = 0; i < groups; ++i)
                tsr_normalize_pass_(p, k, pass, several, &group[i], tsr_normalize_row_(p, numbers, i),
                                    tsr_normalize_row_(p, powers, i), n);
            if (pass == TSR_PASS_OUT && p->beside)
                tsr_normalize_turn_(p, k, true, to, y, first, n, groups, out);
            else if (pass == TSR_PASS_OUT)
                tsr_normalize_move_(p, k, true, to, y, first, n, out);
        }
        for (int i = 0; i < groups; ++i) {
            tsr_normalized_ *const g = &group[i];
            if (pass == TSR_PASS_GREATEST && (g->greatest == infinity || g->greatest == -infinity))
                g->greatest = 0;
            if (pass == TSR_PASS_SUM && norm)
                g->mean = g->sum / (double)p->each;
        }
    }
    for (int i = 0; p->op == TSR_LOG_SUM_EXP && i < groups; ++i) {
        double const r = group[i].greatest + tsr_log_(group[i].sum);
        uint64_t raw[2];
        k->reduce.convert(p->to.type, raw, TSR_F64, &r, 1);
        tsr_reduce_scatter_(&p->to, to, y + i * p->keep[0].to, 0, 1, (unsigned char const *)raw);
    }
}

/** Groups first to last - 1. */
TSR_INLINE void tsr_normalize_groups_(tsr_normalize_plan const *p, tsr_normalizer_ const *k, uint64_t to,
                                      uint64_t from, int64_t first, int64_t last)
{
    for (int64_t g = first, some = 1; g < last; g += some) {
        int64_t x = p->from.begin, y = p->to.begin, rest = g;
        for (int i = 0; i < p->kept; rest /= p->keep[i++].count) {
            x += rest % p->keep[i].count * p->keep[i].from;
            y += rest % p->keep[i].count * p->keep[i].to;
        }
        some = p->beside
                   ? tsr_min64(tsr_min64(p->keep[0].count - g % p->keep[0].count, last - g), TSR_NORMALIZED_GROUPS)
                   : 1;
        tsr_normalize_some_(p, k, to, y, from, x, (int)some);
    }
}

/* Plans */

/** What forbids it. */
TSR_INLINE tsr_reason tsr_normalizable_(int op, tsr_tensor const *x, tsr_layout const *groups, tsr_tensor const *y)
{
    tsr_reason const touched = tsr_reason_or(tsr_all_readable_(x), tsr_all_writable_(y));
    if (touched.status)
        return touched;
    if (groups->shape.status || groups->stride.status)
        return tsr_tuple_why(groups->shape.status ? groups->shape : groups->stride);
    int64_t const n = tsr_layout_size(x->layout), m = tsr_layout_size(*groups);
    if (n != m)
        return tsr_because(TSR_DIFFER_SIZE, 0, n, m, 0);
    if (op < 0 || op >= TSR_NORMALIZERS || !tsr_has_numbers_(x) || !tsr_has_numbers_(y)
        || tsr_dtype_code(x->engine.type) == 5 || tsr_dtype_code(y->engine.type) == 5)
        return tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    if (op == TSR_LOG_SUM_EXP)
        return tsr_reducible_(TSR_REDUCE_SUM, x, y);
    if (tsr_is_in_place_(x, y)) {
        tsr_verdict const once = tsr_is_injective(y->layout);
        return once.answer != TSR_YES ? once.why : tsr_no_reason();
    }
    return tsr_copyable(x, y);
}

/** The plan of tsr_normalize. */
TSR_INLINE tsr_normalize_plan tsr_plan_normalize(int op, tsr_tensor x, tsr_layout groups, tsr_tensor y,
                                                 double epsilon)
{
    tsr_normalize_plan r = TSR_ZERO;
    tsr_plan p = TSR_ZERO;
    r.why = tsr_normalizable_(op, &x, &groups, &y);
    if (r.why.status)
        return r;
    p.from.type = x.engine.type;
    p.to.type = y.engine.type;
    p.edges = 1; /* the steps of `groups`: loops of both kinds are not joined */
    if (x.engine.kind != TSR_POINTER || x.engine.map.kind != TSR_AS_IS)
        p.slow = TSR_SLOW_COMPUTED;
    if (!p.slow) {
        tsr_leaves_ l[3] = {tsr_leaves_of_(&x.layout, tsr_dtype_bits(x.engine.type), TSR_IN_SOURCE),
                            tsr_leaves_of_(&y.layout, tsr_dtype_bits(y.engine.type), TSR_IN_DESTINATION),
                            tsr_leaves_of_(&groups, 1, TSR_TOWARD_EDGE)};
        tsr_plan_side_(&p, &p.from, &x);
        tsr_plan_side_(&p, &p.to, &y);
        tsr_plan_cut_modes_(&p, l, 3);
    }
    if (p.slow) {
        r.why = tsr_because(TSR_REDUCE_MODES, 0, p.slow == TSR_SLOW_COMPUTED, 0, 0);
        return r;
    }
    r.groups = r.each = 1;
    for (int i = 0; i < p.loops; ++i) {
        bool const over = p.loop[i].edge[0] == 0;
        *(over ? &r.each : &r.groups) *= p.loop[i].count;
        tsr_reduce_insert_(over ? r.over : r.keep, over ? &r.reduced : &r.kept, p.loop[i]);
    }
    tsr_reduce_join_(r.over, &r.reduced);
    tsr_reduce_join_(r.keep, &r.kept);
    r.op = (uint8_t)op;
    r.epsilon = epsilon;
    r.from = p.from;
    r.to = p.to;
    r.beside = tsr_abs64(r.keep[0].from) < tsr_abs64(r.over[0].from) && r.keep[0].count > 1;
    r.wide = p.to.type == TSR_F64 || !tsr_form_of_(p.from.type).is_float;
    return r;
}

#if TSR_HAS_ENGINE
/** Runs a plan by the kernels of the engine's row, in its threads. */
TSR_API void tsr_engine_normalize(tsr_normalize_plan const *p, void *to, void const *from);
#endif

/** Runs a plan between two pointers. */
TSR_INLINE void tsr_normalize_run_at(tsr_normalize_plan const *p, void *to, void const *from)
{
#if TSR_HAS_ENGINE
    tsr_engine_normalize(p, to, from);
#else
    tsr_normalizer_ const k = {
        {tsr_convert, tsr_reduce_lines_, tsr_reduce_runs_}, tsr_exps_, tsr_centered_, tsr_squares_};
    tsr_normalize_groups_(p, &k, p->to.absolute ? 0 : (uint64_t)(uintptr_t)to,
                          p->from.absolute ? 0 : (uint64_t)(uintptr_t)from, 0, p->groups);
#endif
}

/** y becomes what TSR_SOFTMAX, TSR_LOG_SOFTMAX, TSR_LAYER_NORM or TSR_RMS_NORM makes of the groups of x. */
TSR_INLINE tsr_reason tsr_normalize(int op, tsr_tensor x, tsr_layout groups, tsr_tensor y, double epsilon)
{
    tsr_normalize_plan const p = tsr_plan_normalize(op, x, groups, y, epsilon);
    if (!p.why.status)
        tsr_normalize_run_at(&p, (void *)(uintptr_t)y.engine.address, (void const *)(uintptr_t)x.engine.address);
    return p.why;
}

TSR_INLINE tsr_reason tsr_softmax(tsr_tensor x, tsr_layout groups, tsr_tensor y)
{
    return tsr_normalize(TSR_SOFTMAX, x, groups, y, 0);
}

TSR_INLINE tsr_reason tsr_log_softmax(tsr_tensor x, tsr_layout groups, tsr_tensor y)
{
    return tsr_normalize(TSR_LOG_SOFTMAX, x, groups, y, 0);
}

/** y has stride 0 where x is summed up, as the destination of tsr_reduce_to. */
TSR_INLINE tsr_reason tsr_log_sum_exp(tsr_tensor x, tsr_tensor y)
{
    return tsr_normalize(TSR_LOG_SUM_EXP, x, y.layout, y, 0);
}

TSR_INLINE tsr_reason tsr_layer_norm(tsr_tensor x, tsr_layout groups, tsr_tensor y, double epsilon)
{
    return tsr_normalize(TSR_LAYER_NORM, x, groups, y, epsilon);
}

TSR_INLINE tsr_reason tsr_rms_norm(tsr_tensor x, tsr_layout groups, tsr_tensor y, double epsilon)
{
    return tsr_normalize(TSR_RMS_NORM, x, groups, y, epsilon);
}

#endif
