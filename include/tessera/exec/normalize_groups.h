/** Normalize groups: how the elements of some groups pass through the lines of exec/normalize_lines.h.
 *
 *      pass by pass, each over the pieces of the groups: a piece is read where it lies, or as numbers side by side; the
 *      last pass makes the results of a piece, which are then rounded and put where they belong
 *
 *  A group whose elements are closer to each other than to the next group's is worked on alone, its elements in 32
 *  columns; else its neighbours are columns beside it.
 */
#ifndef TSR_EXEC_NORMALIZE_GROUPS_H
#define TSR_EXEC_NORMALIZE_GROUPS_H

#include "tessera/exec/normalize_lines.h"

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

/** What normalizes: exec/normalize_lines.h, or what is compiled for more instructions. */
typedef struct tsr_normalizer_ {
    tsr_reducer_ reduce;
    void (*pass)(int pass, tsr_normal_lines_ p, tsr_normal_state_ *s, tsr_normal_room_ *out);
    /* Bytes to where they belong, past the caches if `stream`; `next` is what is read after them. */
    void (*row)(unsigned char *to, unsigned char const *from, int64_t n, unsigned char const *next, bool stream);
    bool stream;
} tsr_normalizer_;

TSR_INLINE void tsr_normal_row_copy_(unsigned char *to, unsigned char const *from, int64_t n,
                                     unsigned char const *next, bool stream)
{
    (void)next, (void)stream;
    TSR_COPY(to, from, (size_t)n);
}

TSR_INLINE tsr_normalizer_ tsr_normalizer_of_loops_(void)
{
    tsr_normalizer_ const k = {
        {tsr_convert, tsr_reduce_lines_, tsr_reduce_runs_}, tsr_normal_pass_, tsr_normal_row_copy_, false};
    return k;
}

/* Elements */

/** What some groups side by side are worked on with, and where they begin on both sides. */
typedef struct tsr_normal_groups_ {
    tsr_normalize_plan const *plan;
    tsr_normalizer_ const *kernels;
    uint64_t to_base, from_base;
    int64_t to, from; /* bits */
    int groups;
    tsr_normal_room_ numbers, results;
    tsr_normal_state_ state;
} tsr_normal_groups_;

TSR_INLINE int64_t tsr_normal_bytes_(tsr_normalize_plan const *p) { return p->wide ? 8 : 4; }

/** The bit at which element i of a group lies, from the first one on. */
TSR_INLINE int64_t tsr_normal_at_(tsr_normalize_plan const *p, int64_t i, bool stores)
{
    int64_t y = 0;
    for (int l = 0; l < p->reduced; i /= p->over[l++].count)
        y += i % p->over[l].count * (stores ? p->over[l].to : p->over[l].from);
    return y;
}

/** Elements in a run along the groups, or along the elements of one; the bits from one to the next. */
TSR_INLINE int64_t tsr_normal_run_(tsr_normalize_plan const *p, bool stores, int64_t *step)
{
    tsr_loop const *const l = p->beside ? &p->keep[0] : &p->over[0];
    *step = stores ? l->to : l->from;
    return l->count;
}

TSR_INLINE bool tsr_normal_is_dense_(tsr_side const *x, int64_t step)
{
    return step == tsr_dtype_bits(x->type) && step % 8 == 0 && x->swizzle.bits == 0;
}

/** n elements a step apart from a bit on, to numbers. */
TSR_INLINE void tsr_normal_load_(tsr_normal_groups_ const *g, int64_t at, int64_t step, int64_t n, void *numbers)
{
    uint64_t raw[TSR_REDUCE_GROUP];
    tsr_normalize_plan const *const p = g->plan;
    tsr_converter const convert = g->kernels->reduce.convert;
    bool const dense = tsr_normal_is_dense_(&p->from, step);
    int64_t const most = dense ? n : (int64_t)TSR_REDUCE_GROUP;
    for (int64_t i = 0, m = 0; i < n; i += m) {
        void const *const memory = dense ? (void const *)tsr_byte_at_(g->from_base, at) : (void const *)raw;
        void *const q = (unsigned char *)numbers + i * tsr_normal_bytes_(p);
        m = tsr_min64(n - i, most);
        if (!dense)
            tsr_reduce_gather_(&p->from, g->from_base, at + i * step, step, m, (unsigned char *)raw);
        convert(p->wide ? TSR_F64 : TSR_F32, q, p->from.type, memory, m);
    }
}

/** The same back. */
TSR_INLINE void tsr_normal_store_(tsr_normal_groups_ const *g, int64_t at, int64_t step, int64_t n,
                                  void const *numbers)
{
    uint64_t raw[TSR_REDUCE_GROUP];
    tsr_normalize_plan const *const p = g->plan;
    tsr_converter const convert = g->kernels->reduce.convert;
    int64_t const bits = tsr_dtype_bits(p->to.type);
    bool const dense = tsr_normal_is_dense_(&p->to, step), as_it_is = p->to.type == (p->wide ? TSR_F64 : TSR_F32);
    int64_t const most = dense && as_it_is ? n : (int64_t)TSR_REDUCE_GROUP;
    for (int64_t i = 0, m = 0; i < n; i += m) {
        void const *const q = (unsigned char const *)numbers + i * tsr_normal_bytes_(p);
        void const *const elements = as_it_is ? q : (void const *)raw;
        m = tsr_min64(n - i, most);
        if (!as_it_is)
            convert(p->to.type, raw, p->wide ? TSR_F64 : TSR_F32, q, m);
        if (dense)
            g->kernels->row(tsr_byte_at_(g->to_base, at + i * step), (unsigned char const *)elements, m * bits / 8,
                            (unsigned char const *)elements, g->kernels->stream);
        else
            tsr_reduce_scatter_(&p->to, g->to_base, at + i * step, step, m, (unsigned char const *)elements);
    }
}

/** Elements first to first + n - 1 of the groups to numbers, or, if `stores`, back: run by run. */
TSR_INLINE void tsr_normal_move_(tsr_normal_groups_ *g, bool stores, int64_t first, int64_t n,
                                 tsr_normal_room_ *numbers)
{
    tsr_normalize_plan const *const p = g->plan;
    int64_t const begin = stores ? g->to : g->from, bytes = tsr_normal_bytes_(p);
    int64_t step = 0;
    int64_t const run = tsr_normal_run_(p, stores, &step);
    unsigned char *q = (unsigned char *)numbers;
    for (int64_t i = first, m = 1, each = 0; i < first + n; i += m, q += each * bytes) {
        int64_t const at = begin + tsr_normal_at_(p, i, stores);
        m = p->beside ? 1 : tsr_min64(run - i % run, first + n - i);
        each = p->beside ? g->groups : m;
        if (stores)
            tsr_normal_store_(g, at, step, each, q);
        else
            tsr_normal_load_(g, at, step, each, q);
    }
}

/* Groups */

/** Numbers of columns by halves: those of the lanes of one group become one. */
TSR_INLINE void tsr_normal_fold_(tsr_normal_state_ *s, bool wide, bool greatest)
{
    for (int half = TSR_REDUCE_LANES / 2; half > 0; half /= 2)
        for (int j = 0; j < half; ++j)
            if (!greatest)
                s->sum[j] = s->sum[j] + s->sum[j + half];
            else if (wide)
                s->greatest.real[j] = s->greatest.real[j + half] > s->greatest.real[j] ? s->greatest.real[j + half]
                                                                                       : s->greatest.real[j];
            else
                s->greatest.single[j] = s->greatest.single[j + half] > s->greatest.single[j]
                                            ? s->greatest.single[j + half]
                                            : s->greatest.single[j];
}

TSR_INLINE void tsr_normal_put_(tsr_normal_row_ *row, bool wide, int first, int columns, double x)
{
    for (int c = first; c < columns; ++c)
        if (wide)
            row->real[c] = x;
        else
            row->single[c] = (float)x;
}

TSR_INLINE double tsr_normal_get_(tsr_normal_row_ const *row, bool wide, int c)
{
    return wide ? row->real[c] : (double)row->single[c];
}

/** What follows from a pass for column c, and for those up to `columns`, which are lanes of the same group. */
TSR_INLINE void tsr_normal_conclude_(tsr_normalize_plan const *p, tsr_normal_state_ *s, int pass, int c, int columns)
{
    double const infinity = tsr_bits_double_((uint64_t)0x7ff << 52), each = (double)p->each, sum = s->sum[c];
    double const m = tsr_normal_get_(&s->greatest, p->wide, c);
    if (pass == TSR_PASS_GREATEST) {
        tsr_normal_put_(&s->greatest, p->wide, c, columns, m == infinity || m == -infinity ? 0 : m + 0.0);
    } else if (pass == TSR_PASS_POWERS) {
        tsr_normal_put_(&s->a, p->wide, c, columns, p->op == TSR_SOFTMAX ? 0 : m);
        tsr_normal_put_(&s->b, p->wide, c, columns, p->op == TSR_SOFTMAX ? 0 : tsr_log_(sum));
        tsr_normal_put_(&s->factor, p->wide, c, columns, p->op == TSR_SOFTMAX ? 1.0 / sum : 1.0);
    } else if (pass == TSR_PASS_SUM) {
        for (int j = c; j < columns; ++j)
            s->mean[j] = sum / each;
        tsr_normal_put_(&s->a, p->wide, c, columns, sum / each);
    } else {
        tsr_normal_put_(&s->factor, p->wide, c, columns, 1.0 / tsr_sqrt_(sum / each + p->epsilon));
    }
}

/** Lines of a pass, which asks for what is read next unless that is NULL: those of lanes end in a part of one. */
TSR_INLINE void tsr_normal_lines_pass_(tsr_normal_groups_ *g, int pass, int64_t n, void const *from, int64_t step,
                                       void const *next, tsr_normal_room_ *out)
{
    tsr_normalize_plan const *const p = g->plan;
    int64_t const bytes = tsr_normal_bytes_(p), lanes = TSR_REDUCE_LANES, whole = p->beside ? n : n / lanes;
    int64_t const size = tsr_dtype_bits(p->from.type) / 8, columns = p->beside ? g->groups : lanes;
    tsr_normal_lines_ b = {p->wide, (int)columns, whole, step, from, (unsigned char const *)next, 0, 0};
    if (next) {
        b.next_step = p->beside ? p->over[0].from / 8 : lanes * size;
        b.next_bytes = columns * size;
    }
    if (whole > 0)
        g->kernels->pass(pass, b, &g->state, out);
    if (p->beside || n % lanes == 0)
        return;
    b.lines = 1;
    b.next_bytes = 0;
    b.columns = (int)(n % lanes);
    b.from = (unsigned char const *)from + whole * lanes * bytes;
    g->kernels->pass(pass, b, &g->state, (tsr_normal_room_ *)(void *)((unsigned char *)out + whole * lanes * bytes));
}

/** Whether a pass has something to do. Of a softmax whose pieces are `kept` the powers are still there at the end. */
TSR_INLINE bool tsr_normal_has_pass_(int op, int pass, bool kept)
{
    bool const norm = op == TSR_LAYER_NORM || op == TSR_RMS_NORM, again = op == TSR_SOFTMAX && !kept;
    return pass == TSR_PASS_OUT       ? op != TSR_LOG_SUM_EXP && !again
           : pass == TSR_PASS_SHARES  ? again
           : pass == TSR_PASS_SUM     ? op == TSR_LAYER_NORM
           : pass == TSR_PASS_SQUARES ? norm
                                      : !norm;
}

/** One pass over the pieces of some groups; where there is but one piece, it is loaded once. */
TSR_INLINE void tsr_normal_pieces_(tsr_normal_groups_ *g, int pass, bool in_place, bool *loaded)
{
    tsr_normalize_plan const *const p = g->plan;
    int64_t const columns = p->beside ? g->groups : (int)TSR_REDUCE_LANES, inner = p->over[0].count;
    int64_t const piece = TSR_NORMALIZED / (p->beside ? columns : 1), bytes = tsr_normal_bytes_(p);
    bool const out = pass >= TSR_PASS_SHARES, powers = pass == TSR_PASS_OUT && p->op == TSR_SOFTMAX;
    bool const asks = p->beside || pass == TSR_PASS_POWERS || pass == TSR_PASS_SQUARES;
    for (int64_t first = 0, n = 0; first < p->each; first += n) {
        n = tsr_min64(p->each - first, piece);
        if (in_place && p->beside)
            n = tsr_min64(n, inner - first % inner);
        int64_t const at = g->from + tsr_normal_at_(p, first, false);
        int64_t const ahead = p->beside ? n * p->over[0].from : p->keep[0].from;
        int64_t const step = in_place && p->beside ? p->over[0].from / 8 : columns * bytes;
        void const *const next = asks ? (void const *)tsr_byte_at_(g->from_base, at + ahead) : NULL;
        void const *const x = in_place ? (void const *)tsr_byte_at_(g->from_base, at) : (void const *)&g->numbers;
        if (!in_place && (p->each > piece || !*loaded))
            tsr_normal_move_(g, false, first, n, &g->numbers);
        *loaded = true;
        if (powers)
            tsr_normal_lines_pass_(g, pass, n, &g->results, columns * bytes, NULL, &g->numbers);
        else
            tsr_normal_lines_pass_(g, pass, n, x, step, next, &g->results);
        if (out)
            tsr_normal_move_(g, true, first, n, powers ? &g->numbers : &g->results);
    }
}

/** Whether elements are read where they lie: numbers of the kind that is computed with, in runs of whole lines. */
TSR_INLINE bool tsr_normal_in_place_(tsr_normalize_plan const *p)
{
    int64_t step = 0;
    int64_t const run = tsr_normal_run_(p, false, &step);
    return p->from.type == (p->wide ? TSR_F64 : TSR_F32) && tsr_normal_is_dense_(&p->from, step)
           && (p->beside ? p->over[0].from % 8 == 0 : run == p->each);
}

/** Some groups, which begin near each other: pass by pass. */
TSR_INLINE void tsr_normalize_some_(tsr_normal_groups_ *g)
{
    tsr_normalize_plan const *const p = g->plan;
    tsr_normal_state_ *const s = &g->state;
    int const columns = p->beside ? g->groups : (int)TSR_REDUCE_LANES, known = p->beside ? columns : 1;
    bool const in_place = tsr_normal_in_place_(p), kept = !p->beside && p->each <= TSR_NORMALIZED;
    bool loaded = false;
    tsr_normal_put_(&s->greatest, p->wide, 0, columns, -tsr_bits_double_((uint64_t)0x7ff << 52));
    tsr_normal_put_(&s->a, p->wide, 0, columns, 0);
    tsr_normal_put_(&s->b, p->wide, 0, columns, 0);
    for (int c = 0; c < columns; ++c)
        s->mean[c] = 0;
    for (int pass = 0; pass <= TSR_PASS_OUT; ++pass) {
        bool const concludes = pass < TSR_PASS_SHARES;
        if (!tsr_normal_has_pass_(p->op, pass, kept))
            continue;
        for (int c = 0; c < columns; ++c)
            s->sum[c] = 0;
        tsr_normal_pieces_(g, pass, in_place, &loaded);
        if (!p->beside && concludes)
            tsr_normal_fold_(s, p->wide, pass == TSR_PASS_GREATEST);
        for (int c = 0; c < known && concludes; ++c)
            tsr_normal_conclude_(p, s, pass, c, p->beside ? c + 1 : columns);
    }
    for (int c = 0; p->op == TSR_LOG_SUM_EXP && c < known; ++c) {
        double const r = tsr_normal_get_(&s->greatest, p->wide, c) + tsr_normal_get_(&s->b, p->wide, c);
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
        tsr_normalize_some_(&s);
    }
}

#endif
