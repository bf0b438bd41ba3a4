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
 *          sums in double, in pieces of 4096 elements of a group in the order of their addresses, each in 32 partial
 *          sums as those of exec/reduce.h. So y is within (16 + 2 |x - m|) 2^-24 (2^-53) of itself, or as far as its
 *          type rounds; of log_softmax, layer_norm and rms_norm, within that part of what is subtracted, too. softmax(x
 *          + c) = softmax(x), up to the rounding of x + c. A group with NaN is NaN; of softmax also one whose greatest
 *          is infinite. All rows of the engine, and any number of threads, leave the same bytes.
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
    bool wide; /* in double */
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
    float const t = b * 1.44269504f + magic, k = t - magic;
    float const r = (b - k * 0.693359375f) - k * -2.12194440e-4f;
    float p = 1.0f / 5040.0f;
    p = p * r + 1.0f / 720.0f;
    p = p * r + 1.0f / 120.0f;
    p = p * r + 1.0f / 24.0f;
    p = p * r + 1.0f / 6.0f;
    p = p * r + 0.5f;
    p = p * r * r + r + 1.0f;
    uint32_t const up = tsr_float_bits_(t) - tsr_float_bits_(magic) + 512, half = up >> 1; /* k + 512 */
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

/** Elements of a group that are worked on at once. */
enum { TSR_NORMALIZED = 4096 };

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
        m = tsr_min64(tsr_min64(inner - i % inner, first + n - i), dense ? TSR_NORMALIZED : TSR_REDUCE_GROUP);
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

/** One group: passes over its pieces. What is a single one is read once. */
TSR_INLINE void tsr_normalize_group_(tsr_normalize_plan const *p, tsr_normalizer_ const *k, uint64_t to, int64_t y,
                                     uint64_t from, int64_t x)
{
    enum { GREATEST, SUM, SQUARES, OUT, PASSES };
    uint64_t numbers[TSR_NORMALIZED], powers[TSR_NORMALIZED];
    tsr_dtype const work = p->wide ? TSR_F64 : TSR_F32;
    double const infinity = tsr_bits_double_((uint64_t)0x7ff << 52), each = (double)p->each;
    bool const norm = p->op == TSR_LAYER_NORM || p->op == TSR_RMS_NORM, exps = !norm;
    bool const several = p->each > TSR_NORMALIZED;
    double greatest = -infinity, sum = 0, squares = 0, mean = 0;
    bool loaded = false;
    for (int pass = 0; pass < PASSES; ++pass) {
        bool const skip = (pass == GREATEST && norm) || (pass == SUM && p->op == TSR_RMS_NORM)
                          || (pass == SQUARES && exps) || (pass == OUT && p->op == TSR_LOG_SUM_EXP);
        double a = mean, b = 0, factor = 1;
        if (pass == OUT && norm)
            factor = 1.0 / tsr_sqrt_(squares / each + p->epsilon);
        if (pass == OUT && p->op == TSR_SOFTMAX)
            factor = 1.0 / sum;
        if (pass == OUT && p->op == TSR_LOG_SOFTMAX) {
            a = greatest;
            b = tsr_log_(sum);
        }
        for (int64_t first = 0, n = 0; !skip && first < p->each; first += n) {
            n = tsr_min64(p->each - first, TSR_NORMALIZED);
            double part = pass == GREATEST ? greatest : 0;
            void const *const summed = exps && pass == SUM ? powers : numbers;
            if (several || !loaded)
                tsr_normalize_move_(p, k, false, from, x, first, n, numbers);
            loaded = true;
            if ((exps && pass == SUM) || (pass == OUT && p->op == TSR_SOFTMAX && several))
                k->exps(p->wide, powers, numbers, n, greatest);
            if (pass == GREATEST || pass == SUM)
                k->reduce.runs(pass == SUM ? TSR_REDUCE_SUM : TSR_REDUCE_MAX, work, summed, n, 1, 0, &part);
            greatest = pass == GREATEST ? part : greatest;
            sum += pass == SUM ? part : 0;
            squares += pass == SQUARES ? k->squares(p->wide, numbers, n, mean) : 0;
            if (pass == OUT) {
                bool const turned = p->op == TSR_SOFTMAX;
                k->centered(p->wide, turned ? numbers : powers, turned ? powers : numbers, n, a, b, factor);
                tsr_normalize_move_(p, k, true, to, y, first, n, turned ? numbers : powers);
            }
        }
        if (pass == GREATEST && (greatest == infinity || greatest == -infinity))
            greatest = 0;
        mean = pass == SUM && norm ? sum / each : mean;
    }
    if (p->op == TSR_LOG_SUM_EXP) {
        double const r = greatest + tsr_log_(sum);
        uint64_t raw[2];
        k->reduce.convert(p->to.type, raw, TSR_F64, &r, 1);
        tsr_reduce_scatter_(&p->to, to, y, 0, 1, (unsigned char const *)raw);
    }
}

/** Groups first to last - 1. */
TSR_INLINE void tsr_normalize_groups_(tsr_normalize_plan const *p, tsr_normalizer_ const *k, uint64_t to,
                                      uint64_t from, int64_t first, int64_t last)
{
    for (int64_t g = first; g < last; ++g) {
        int64_t x = p->from.begin, y = p->to.begin, rest = g;
        for (int i = 0; i < p->kept; rest /= p->keep[i++].count) {
            x += rest % p->keep[i].count * p->keep[i].from;
            y += rest % p->keep[i].count * p->keep[i].to;
        }
        tsr_normalize_group_(p, k, to, y, from, x);
    }
}

/* Plans */

/** What forbids it. */
TSR_INLINE tsr_reason tsr_normalizable_(int op, tsr_tensor const *x, tsr_layout const *groups, tsr_tensor const *y)
{
    tsr_reason const touched = tsr_reason_or(tsr_all_readable_(*x), tsr_all_writable_(*y));
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
    return tsr_copyable(*x, *y);
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
