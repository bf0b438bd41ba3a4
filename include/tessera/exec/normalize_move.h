/** Normalize move: the elements of groups to numbers in the first cache, and back.
 *
 *  A piece is so many elements of each of some groups, in the order of exec/normalize_lines.h: line by line of groups
 *  side by side, or as they follow each other in one group. What lies in memory as it is computed with is read there.
 */
#ifndef TSR_EXEC_NORMALIZE_MOVE_H
#define TSR_EXEC_NORMALIZE_MOVE_H

#include "tessera/exec/normalize_lines.h"

TSR_HEADER_BEGIN

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
    int groups, columns; /* which are the groups, or lanes of one */
    bool in_place, kept; /* elements are read where they lie; powers stay until they are results */
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

/** Whether elements are read where they lie: numbers of the kind that is computed with, in runs of whole lines that
 *  are not short. */
TSR_INLINE bool tsr_normal_in_place_(tsr_normalize_plan const *p)
{
    int64_t step = 0;
    int64_t const run = tsr_normal_run_(p, false, &step);
    return p->from.type == (p->wide ? TSR_F64 : TSR_F32) && tsr_normal_is_dense_(&p->from, step)
           && (p->beside ? p->over[0].from % 8 == 0 && p->over[0].count >= tsr_min64(p->each, TSR_NORMAL_LINES)
                         : run == p->each);
}

TSR_HEADER_END

#endif
