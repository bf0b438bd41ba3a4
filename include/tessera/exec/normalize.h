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
 *  Law     e^x, what is subtracted and what results are multiplied by are doubles where x or y is f64 or x an integer,
 *          else floats; sums are doubles. A group is known piece by piece, each joined to those before it by the rules
 *          of exec/normalize_lines.h, its elements in 32 partial sums as those of exec/reduce.h; where groups lie
 *          closer to each other than elements of one, one after the other. Where pieces end follows from the layouts
 *          alone. So y is off by at most (16 + 2 |x - m|) 2^-24 (2^-53) times |y|, and as far as its type
 *          rounds; that of log_softmax times |y| + |m| + |x| + 1, that of layer_norm and rms_norm times |y| and |x|
 *          and the mean of |x| over the root. Near 0 these are absolute errors: a y of log_softmax below 2^-24 may
 *          come out as 0. softmax(x + c) = softmax(x), up to the rounding of x + c. A group with NaN is
 *          NaN; of softmax also one whose greatest is infinite, of log_softmax one with infinity. All rows of the
 *          engine, and any number of threads, leave the same bytes.
 *  Errors  those of a copy; DIFFER_SIZE where groups has another size; NOT_NUMBERS of complex elements; REDUCE_LOOPS.
 *  Source  Milakov, Gimelshein, Online normalizer calculation for softmax (2018), section 2; torch.nn.functional.
 */
#ifndef TSR_EXEC_NORMALIZE_H
#define TSR_EXEC_NORMALIZE_H

#include "tessera/exec/algorithm.h"
#include "tessera/exec/normalize_groups.h"

TSR_HEADER_BEGIN

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
        r.why = tsr_because(TSR_REDUCE_LOOPS, 0, p.slow, 0, 0);
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
    tsr_normalizer_ const k = tsr_normalizer_of_loops_();
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

/** y = x - m - log of the sum of e^(x - m): off by at most (16 + 2 |x - m|) 2^-24 (|y| + |m| + |x| + 1), of doubles
 *  2^-53. Near 0 that is an absolute error, not a relative one. */
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

TSR_HEADER_END

#endif
