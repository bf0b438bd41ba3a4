/** Normalize groups: what is known of some groups, piece by piece, and then their results.
 *
 *      a piece is read once where its group has no other; else once to be known and once for the results
 *
 *  A group whose elements are closer to each other than to the next group's is worked on alone, its elements in 32
 *  columns; else its neighbours are columns beside it. Where pieces end follows from the plan alone.
 */
#ifndef TSR_EXEC_NORMALIZE_GROUPS_H
#define TSR_EXEC_NORMALIZE_GROUPS_H

#include "tessera/exec/normalize_move.h"

TSR_HEADER_BEGIN

/** Elements of each group in a piece that begins with one of them: as many as are worked on beside memory, or, where
 *  nothing but sums is made of what is read where it lies, as the second cache holds. */
TSR_INLINE int64_t tsr_normal_piece_(tsr_normalize_plan const *p, bool in_place, bool out, int64_t first)
{
    int64_t const columns = p->beside ? tsr_min64(p->keep[0].count, TSR_NORMAL_COLUMNS) : 1;
    int64_t const room = TSR_NORMALIZED / columns, most = p->beside ? tsr_min64(room, TSR_NORMAL_LINES) : room;
    int64_t const inner = p->over[0].count;
    int64_t const n = tsr_min64(p->each - first, in_place && p->beside && !out && p->each > most ? 8 * most : most);
    return in_place && p->beside ? tsr_min64(n, inner - first % inner) : n;
}

/** Numbers of lanes by halves: each becomes that of all. */
TSR_INLINE void tsr_normal_fold_sums_(double *x)
{
    for (int half = TSR_REDUCE_LANES / 2; half > 0; half /= 2)
        for (int j = 0; j < half; ++j)
            x[j] = x[j] + x[j + half];
    for (int j = 1; j < TSR_REDUCE_LANES; ++j)
        x[j] = x[0];
}

TSR_INLINE double tsr_normal_get_(tsr_normal_row_ const *row, bool wide, int c)
{
    return wide ? row->real[c] : (double)row->single[c];
}

TSR_INLINE void tsr_normal_put_(tsr_normal_row_ *row, bool wide, int first, int columns, double x)
{
    for (int c = first; c < columns; ++c)
        if (wide)
            row->real[c] = x;
        else
            row->single[c] = (float)x;
}

/** The greatest of lanes, by halves. */
#define TSR_NORMAL_FOLD_(m)                                            \
    for (int half = TSR_REDUCE_LANES / 2; half > 0; half /= 2)         \
        for (int j = 0; j < half; ++j)                                 \
            (m)[j] = (m)[j + half] > (m)[j] ? (m)[j + half] : (m)[j]

TSR_INLINE void tsr_normal_fold_greatest_(tsr_normal_row_ *row, bool wide)
{
    if (wide)
        TSR_NORMAL_FOLD_(row->real);
    else
        TSR_NORMAL_FOLD_(row->single);
    tsr_normal_put_(row, wide, 1, TSR_REDUCE_LANES, tsr_normal_get_(row, wide, 0));
}

#undef TSR_NORMAL_FOLD_

/** A pass over n elements of each group, which asks for what is read next unless that is NULL: those of lanes end in
 *  a part of a line. */
TSR_INLINE void tsr_normal_lines_pass_(tsr_normal_groups_ *g, int pass, int64_t n, void const *from, int64_t step,
                                       void const *next, tsr_normal_room_ *out)
{
    tsr_normalize_plan const *const p = g->plan;
    int64_t const bytes = tsr_normal_bytes_(p), lanes = TSR_REDUCE_LANES, whole = p->beside ? n : n / lanes;
    int64_t const size = tsr_dtype_bits(p->from.type) / 8;
    int const apart = pass == TSR_PASS_POWERS && !g->kept ? 0 : g->columns;
    tsr_normal_lines_ b = {p->wide, g->columns, apart, whole, step, from, (unsigned char const *)next, 0, 0};
    if (next) {
        b.next_step = p->beside ? p->over[0].from / 8 : lanes * size;
        b.next_size = size;
    }
    if (whole > 0)
        g->kernels->pass(pass, b, &g->state, out);
    if (p->beside || n % lanes == 0)
        return;
    b.lines = 1;
    b.next_size = 0;
    b.columns = (int)(n % lanes);
    b.from = (unsigned char const *)from + whole * lanes * bytes;
    g->kernels->pass(pass, b, &g->state, (tsr_normal_room_ *)(void *)((unsigned char *)out + whole * lanes * bytes));
}

/** A pass over columns. */
TSR_INLINE void tsr_normal_columns_pass_(tsr_normal_groups_ *g, int pass)
{
    tsr_normal_lines_ const b = {g->plan->wide, g->columns, 0, 0, 0, NULL, NULL, 0, 0};
    g->kernels->pass(pass, b, &g->state, &g->results);
}

/** A piece of n elements as it is read, in lines a step apart, and what is read after it. */
typedef struct tsr_normal_piece_at_ {
    void const *x, *next;
    int64_t first, n, step;
} tsr_normal_piece_at_;

/** The piece that begins with an element, of which results are made if `out`; `loaded` if its numbers are still
 *  there. */
TSR_INLINE tsr_normal_piece_at_ tsr_normal_piece_at_of_(tsr_normal_groups_ *g, int64_t first, bool out, bool loaded)
{
    tsr_normalize_plan const *const p = g->plan;
    int64_t const n = tsr_normal_piece_(p, g->in_place, out, first), at = g->from + tsr_normal_at_(p, first, false);
    int64_t const ahead = p->beside ? n * p->over[0].from : p->keep[0].from;
    int64_t const step = g->in_place && p->beside ? p->over[0].from / 8 : g->columns * tsr_normal_bytes_(p);
    void const *const memory = tsr_byte_at_(g->from_base, at), *const next = tsr_byte_at_(g->from_base, at + ahead);
    tsr_normal_piece_at_ const r = {g->in_place ? memory : (void const *)&g->numbers, next, first, n, step};
    if (!g->in_place && !loaded)
        tsr_normal_move_(g, false, first, n, &g->numbers);
    return r;
}

/** What a piece adds to what is known. */
TSR_INLINE void tsr_normal_learn_(tsr_normal_groups_ *g, tsr_normal_piece_at_ const *x)
{
    tsr_normalize_plan const *const p = g->plan;
    tsr_normal_state_ *const s = &g->state;
    s->seen = (double)x->first;
    s->part = (double)x->n;
    if (p->op < TSR_LAYER_NORM) {
        tsr_normal_lines_pass_(g, TSR_PASS_GREATEST, x->n, x->x, x->step, p->beside ? x->next : NULL, &g->results);
        if (!p->beside)
            tsr_normal_fold_greatest_(&s->greatest, p->wide);
        tsr_normal_columns_pass_(g, TSR_PASS_JOIN);
        tsr_normal_lines_pass_(g, TSR_PASS_POWERS, x->n, x->x, x->step, p->beside ? NULL : x->next, &g->results);
        return;
    }
    for (int c = 0; c < g->columns; ++c)
        s->sum[c] = 0;
    if (p->op == TSR_LAYER_NORM) {
        tsr_normal_lines_pass_(g, TSR_PASS_SUM, x->n, x->x, x->step, p->beside ? x->next : NULL, &g->results);
        if (!p->beside)
            tsr_normal_fold_sums_(s->sum);
        tsr_normal_columns_pass_(g, TSR_PASS_MERGE);
    }
    bool const asks = !p->beside || p->op == TSR_RMS_NORM;
    tsr_normal_lines_pass_(g, TSR_PASS_SQUARES, x->n, x->x, x->step, asks ? x->next : NULL, &g->results);
}

/** What the results of column c, and of those up to `columns`, which are lanes of the same group, are made with. */
TSR_INLINE void tsr_normal_conclude_(tsr_normalize_plan const *p, tsr_normal_state_ *s, bool kept, int c, int columns)
{
    double const infinity = tsr_bits_double_((uint64_t)0x7ff << 52), each = (double)p->each, sum = s->sum[c];
    bool const none = tsr_normal_get_(&s->greatest, p->wide, c) == infinity;
    if (p->op == TSR_SOFTMAX) {
        tsr_normal_put_(&s->factor, p->wide, c, columns, none ? tsr_nan_() : 1.0 / sum);
        if (kept)
            tsr_normal_put_(&s->a, p->wide, c, columns, 0);
    } else if (p->op < TSR_LAYER_NORM) {
        tsr_normal_put_(&s->b, p->wide, c, columns, none && sum == sum ? infinity : tsr_log_(sum));
        tsr_normal_put_(&s->factor, p->wide, c, columns, none ? tsr_nan_() : 1.0);
    } else {
        tsr_normal_put_(&s->a, p->wide, c, columns, s->mean[c]);
        tsr_normal_put_(&s->factor, p->wide, c, columns, 1.0 / tsr_sqrt_(s->squares[c] / each + p->epsilon));
    }
}

/** Some groups, which begin near each other. */
TSR_INLINE void tsr_normalize_some_(tsr_normal_groups_ *g)
{
    tsr_normalize_plan const *const p = g->plan;
    tsr_normal_state_ *const s = &g->state;
    int const columns = g->columns, known = p->beside ? columns : 1;
    bool const one = tsr_normal_piece_(p, g->in_place, true, 0) == p->each;
    g->kept = one && p->op == TSR_SOFTMAX;
    tsr_normal_put_(&s->greatest, p->wide, 0, columns, -tsr_bits_double_((uint64_t)0x7ff << 52));
    tsr_normal_put_(&s->a, p->wide, 0, columns, 0);
    tsr_normal_put_(&s->b, p->wide, 0, columns, 0);
    for (int c = 0; c < columns; ++c)
        s->sum[c] = s->mean[c] = s->squares[c] = 0;
    s->share = p->beside ? 1 : 1.0 / (double)TSR_REDUCE_LANES;
    for (int64_t first = 0, n = 0; first < p->each; first += n) {
        tsr_normal_piece_at_ const x = tsr_normal_piece_at_of_(g, first, false, false);
        tsr_normal_learn_(g, &x);
        n = x.n;
    }
    if (!p->beside)
        tsr_normal_fold_sums_(p->op < TSR_LAYER_NORM ? s->sum : s->squares);
    for (int c = 0; c < known; ++c)
        tsr_normal_conclude_(p, s, g->kept, c, p->beside ? c + 1 : columns);
    for (int64_t first = 0, n = 0; first < p->each && p->op != TSR_LOG_SUM_EXP; first += n) {
        tsr_normal_piece_at_ const x = tsr_normal_piece_at_of_(g, first, true, one);
        int const pass = p->op == TSR_SOFTMAX && !g->kept ? TSR_PASS_SHARES : TSR_PASS_OUT;
        n = x.n;
        if (g->kept) {
            tsr_normal_lines_pass_(g, pass, n, &g->results, columns * tsr_normal_bytes_(p), NULL, &g->numbers);
            tsr_normal_move_(g, true, first, n, &g->numbers);
        } else {
            tsr_normal_lines_pass_(g, pass, n, x.x, x.step, p->beside && !one ? x.next : NULL, &g->results);
            tsr_normal_move_(g, true, first, n, &g->results);
        }
    }
    for (int c = 0; p->op == TSR_LOG_SUM_EXP && c < known; ++c) {
        double const r = tsr_normal_get_(&s->a, p->wide, c) + tsr_normal_get_(&s->b, p->wide, c);
        uint64_t raw[2];
        g->kernels->reduce.convert(p->to.type, raw, TSR_F64, &r, 1);
        tsr_reduce_scatter_(&p->to, g->to_base, g->to + c * p->keep[0].to, 0, 1, (unsigned char const *)raw);
    }
}

/** Groups first to last - 1. */
TSR_INLINE void tsr_normalize_groups_(tsr_normalize_plan const *p, tsr_normalizer_ const *k, uint64_t to,
                                      uint64_t from, int64_t first, int64_t last)
{
    tsr_normal_groups_ s TSR_SCRATCH;
    s.plan = p;
    s.kernels = k;
    s.to_base = to;
    s.from_base = from;
    s.in_place = tsr_normal_in_place_(p);
    for (int64_t g = first, some = 1; g < last; g += some) {
        int64_t rest = g;
        s.from = p->from.begin;
        s.to = p->to.begin;
        for (int i = 0; i < p->kept; rest /= p->keep[i++].count) {
            s.from += rest % p->keep[i].count * p->keep[i].from;
            s.to += rest % p->keep[i].count * p->keep[i].to;
        }
        some = p->beside ? tsr_min64(tsr_min64(p->keep[0].count - g % p->keep[0].count, last - g), TSR_NORMAL_COLUMNS)
                         : 1;
        s.groups = (int)some;
        s.columns = p->beside ? (int)some : (int)TSR_REDUCE_LANES;
        tsr_normalize_some_(&s);
    }
}

TSR_HEADER_END

#endif
