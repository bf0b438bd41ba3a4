/** Boxes of elements as kept copies on a GPU. */
#include <stdlib.h>
#include <string.h>

#include "mesh/form.h"
#include "mesh/gpu_copies.h"

enum { ALIGNED = 16, LOOKED_AT = 64 };

bool tsr_dist_gpu_done_(tsr_gpu_result r, tsr_message *error)
{
    error->at = 0;
    if (!tsr_gpu_ok(r))
        tsr_format_gpu_result(error->text, sizeof error->text, r);
    return tsr_gpu_ok(r);
}

static int64_t bytes_of(tsr_dtype type) { return tsr_dtype_bits(type) / 8; }

static bool same_shape(dist_gpu_shape const *a, dist_gpu_shape const *b)
{
    size_t const n = (size_t)a->loops * sizeof *a->count;
    return a->loops == b->loops && a->low[0] == b->low[0] && a->low[1] == b->low[1]
           && memcmp(a->count, b->count, n) == 0 && memcmp(a->step[0], b->step[0], n) == 0
           && memcmp(a->step[1], b->step[1], n) == 0;
}

/** Are these long rows of bytes as they are? Then the driver's copy engines move them, and leave the processors to what
 *  else is copied meanwhile. */
static bool by_rows(dist_gpu_maker const *m, dist_gpu_shape *s)
{
    int64_t const bytes = bytes_of(m->terms.from);
    bool const rows = m->row > 0 && s->loops == 2 && s->step[0][0] == 1 && s->step[1][0] == 1
                      && s->count[0] * bytes >= m->row && s->step[0][1] >= s->count[0] && s->step[1][1] >= s->count[0]
                      && m->terms.from == m->terms.to && tsr_dist_copies_(&m->terms);
    if (!rows)
        return false;
    s->bytes = (size_t)(s->count[0] * bytes);
    s->rows = (size_t)s->count[1];
    s->pitch[0] = (size_t)(s->step[0][1] * bytes);
    s->pitch[1] = (size_t)(s->step[1][1] * bytes);
    m->list->device = m->device;
    return true;
}

/** The plan of a shape: a kept one, or a new one. -1: an error. */
static int64_t shape_of(dist_gpu_maker const *m, dist_gpu_shape *s, uint64_t from, uint64_t to)
{
    dist_gpu_copies *const c = m->list;
    for (int64_t i = c->shapes - 1; i >= 0 && i >= c->shapes - LOOKED_AT; --i)
        if (same_shape(&c->shape[i], s))
            return i;
    if (!tsr_dist_grow_((void **)&c->shape, c->shapes, &c->shape_capacity, sizeof *s)) {
        (void)tsr_dist_fail_(m->error, "there is no memory for %lld plans of copies", (long long)c->shapes + 1);
        return -1;
    }
    if (by_rows(m, s)) {
        c->shape[c->shapes] = *s;
        return c->shapes++;
    }
    char words[1024] = "";
    tsr_gpu_log const log = {words, sizeof words};
    bool const copies = tsr_dist_copies_(&m->terms);
    tsr_tensor const x =
        tsr_dist_strided_((void const *)(uintptr_t)from, true, m->terms.from, s->loops, s->count, s->step[0]);
    tsr_tensor const y =
        tsr_dist_strided_((void const *)(uintptr_t)to, false, m->terms.to, s->loops, s->count, s->step[1]);
    if (!tsr_dist_gpu_done_(tsr_gpu_copy_plan(m->cache, m->device, copies ? NULL : &m->terms.alpha, x,
                                              copies ? NULL : &m->terms.beta, y, &log, &s->plan),
                            m->error))
        return -1;
    c->shape[c->shapes] = *s;
    return c->shapes++;
}

/** Adds one copy of at most TSR_MAX_LEAVES loops. */
static bool add_copy(dist_gpu_maker const *m, dist_gpu_shape *s, int64_t from, int64_t to)
{
    dist_gpu_copies *const c = m->list;
    uint64_t const p = m->memory[0] + (uint64_t)from, q = m->memory[1] + (uint64_t)to;
    bool const there = m->fixed && p == q && tsr_dist_copies_(&m->terms) && m->terms.from == m->terms.to
                       && memcmp(s->step[0], s->step[1], (size_t)s->loops * sizeof *s->step[0]) == 0;
    if (there)
        return true;
    s->low[0] = (int)(p % ALIGNED);
    s->low[1] = (int)(q % ALIGNED);
    int64_t const shape = shape_of(m, s, p, q);
    if (shape < 0)
        return false;
    if (c->copies == DIST_GPU_MOST
        || !tsr_dist_grow_((void **)&c->copy, c->copies, &c->copy_capacity, sizeof *c->copy))
        return tsr_dist_fail_(m->error, "a message has more than %lld boxes, or there is no memory for %lld",
                              (long long)DIST_GPU_MOST, (long long)c->copies);
    dist_gpu_copy const made = {shape, from, to};
    c->copy[c->copies++] = made;
    return true;
}

/** Adds the innermost n loops from these bytes on; more loops than a layout has are unrolled. */
static bool add_loops(dist_gpu_maker const *m, int n, int64_t const *count, int64_t const *step[2], int64_t from,
                      int64_t to)
{
    dist_gpu_shape s;
    if (n > TSR_MAX_LEAVES) {
        int64_t const each[] = {step[0][n - 1] * bytes_of(m->terms.from), step[1][n - 1] * bytes_of(m->terms.to)};
        for (int64_t i = 0; i < count[n - 1]; ++i)
            if (!add_loops(m, n - 1, count, step, from + i * each[0], to + i * each[1]))
                return false;
        return true;
    }
    memset(&s, 0, sizeof s);
    s.loops = n;
    memcpy(s.count, count, (size_t)n * sizeof *count);
    for (int side = 0; side < 2; ++side)
        memcpy(s.step[side], step[side], (size_t)n * sizeof *count);
    return add_copy(m, &s, from, to);
}

bool tsr_dist_gpu_box_(void *context, tsr_dist_box const *box, int64_t at)
{
    dist_gpu_maker const *const m = (dist_gpu_maker const *)context;
    int64_t const bytes[] = {bytes_of(m->terms.from), bytes_of(m->terms.to)};
    int64_t compact[TSR_DIST_LOOPS], begin[2], reached = 1;
    for (int k = 0; k < box->loops; ++k) {
        compact[k] = reached;
        reached *= box->count[k];
    }
    int64_t const *step[2];
    for (int side = 0; side < 2; ++side) {
        step[side] = m->packed[side] ? compact : box->step[side];
        begin[side] = m->packed[side] ? m->at[side] + at * bytes[side] : box->begin[side] * bytes[side];
    }
    return add_loops(m, box->loops, box->count, step, begin[0], begin[1]);
}

bool tsr_dist_gpu_scale_(dist_gpu_maker const *m, tsr_dist_part const *part, int modes, tsr_number beta)
{
    dist_gpu_maker scale = *m;
    tsr_dist_box box = {0};
    int const code = tsr_dtype_code(m->terms.to);
    if (part->elements == 0)
        return true;
    for (int i = 0; i < modes; ++i)
        if (part->extent[i] > 1) {
            box.count[box.loops] = part->extent[i];
            box.step[1][box.loops++] = part->stride[i]; /* and 0 in the zeros */
        }
    scale.terms = tsr_dist_terms_of(m->terms.to);
    scale.terms.beta = beta;
    if (!tsr_number_is_zero(beta)) /* -0 + x is x, of +0 and -0 too */
        scale.terms.alpha = code == 0 || code == 1 ? tsr_number_int(0) : tsr_number_real(-0.0);
    return tsr_dist_gpu_box_(&scale, &box, 0);
}

bool tsr_dist_gpu_own_(dist_gpu_maker const *m, tsr_dist_plan const *plan, tsr_number beta, tsr_gpu_memory *zeros,
                       dist_gpu_copies *clear, dist_gpu_copies *keep)
{
    dist_gpu_maker own = *m;
    if (plan->clears) {
        if (!tsr_dist_gpu_zeros_(m->device, zeros, m->error))
            return false;
        own.list = clear;
        own.memory[0] = zeros->address;
        if (!tsr_dist_gpu_scale_(&own, &plan->part[1], plan->to.modes, beta))
            return false;
    }
    own.list = keep;
    own.memory[0] = m->memory[0];
    return tsr_dist_walk(plan, &plan->keep, false, 0, plan->keep.elements, tsr_dist_gpu_box_, &own);
}

bool tsr_dist_gpu_launch_(dist_gpu_copies const *c, uint64_t from, uint64_t to, tsr_gpu_stream const *stream,
                          tsr_message *error)
{
    for (int64_t i = 0; i < c->copies; ++i) {
        dist_gpu_copy const *const x = &c->copy[i];
        dist_gpu_shape const *const s = &c->shape[x->shape];
        uint64_t const p = from + (uint64_t)x->from, q = to + (uint64_t)x->to;
        if (!tsr_dist_gpu_done_(
                s->plan ? tsr_gpu_copy_run(s->plan, p, q, stream)
                        : tsr_gpu_move_rows(c->device, q, s->pitch[1], p, s->pitch[0], s->bytes, s->rows, stream),
                error))
            return false;
    }
    return true;
}

void tsr_dist_gpu_copies_free_(dist_gpu_copies *c)
{
    for (int64_t i = 0; i < c->shapes; ++i)
        tsr_gpu_copy_free(&c->shape[i].plan);
    free(c->shape);
    free(c->copy);
    memset(c, 0, sizeof *c);
}

dist_gpu_terms tsr_dist_gpu_terms_(tsr_dist_terms const *terms, bool adds)
{
    dist_gpu_terms t;
    t.all = *terms;
    if (adds)
        t.all.beta = tsr_number_int(1);
    bool const narrows = tsr_dtype_bits(terms->to) < tsr_dtype_bits(terms->from);
    bool const early = narrows && tsr_number_is_zero(t.all.beta); /* computed before it is sent */
    t.carried = early ? terms->to : terms->from;
    t.pack = early ? t.all : tsr_dist_terms_of(t.carried);
    t.unpack = early ? tsr_dist_terms_of(t.carried) : t.all;
    return t;
}

bool tsr_dist_gpu_runs_(int64_t rank, tsr_dist_part const part[2], tsr_dist_terms const *terms, uint64_t old,
                        uint64_t new_, tsr_message *error)
{
    tsr_dtype const types[] = {terms->from, terms->to};
    for (int i = 0; i < 2; ++i) {
        int const bits = tsr_dtype_bits(types[i]);
        if (bits <= 0 || bits % 8 != 0)
            return tsr_dist_fail_(error, "elements of %d bits are not whole bytes, which messages are made of", bits);
    }
    if ((part[0].elements > 0 && !old) || (part[1].elements > 0 && !new_))
        return tsr_dist_fail_(error, "rank %lld has %lld elements before and %lld after, and no memory for them",
                              (long long)rank, (long long)part[0].elements, (long long)part[1].elements);
    return tsr_dist_computes_(terms, error);
}

bool tsr_dist_gpu_zeros_(tsr_gpu_device const *device, tsr_gpu_memory *zeros, tsr_message *error)
{
    return tsr_dist_gpu_done_(tsr_gpu_alloc(device, ALIGNED, zeros), error)
           && tsr_dist_gpu_done_(tsr_gpu_fill(zeros, 0, 0, ALIGNED, NULL), error);
}
