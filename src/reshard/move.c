/** Pieces of tensors. A piece is a run of elements of a file. Each box of the plan is cut to the piece along the loops
 *  of the destination, the one with the largest step first. */
#include "reshard/move.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/form.h"
#include "mesh/move.h"

/** Memory of the peers of a plan, in the order of its messages. */
static bool find_memory(tsr_reshard const *r, reshard_tensor const *t, reshard_stream *s, tsr_message *error)
{
    tsr_dist_plan const *const p = &s->plan;
    s->memory = (void const **)calloc((size_t)p->receives + 1, sizeof *s->memory);
    if (!s->memory)
        return tsr_dist_fail_(error, "out of memory for %lld messages", (long long)p->receives);
    for (int64_t i = 0; i <= p->receives; ++i) {
        tsr_dist_message const *const m = i < p->receives ? &p->receive[i] : &p->keep;
        reshard_place place;
        if (m->elements == 0)
            continue;
        if (!tsr_reshard_place_(r, t, 0, m->peer, &place, error))
            return false;
        s->memory[i] = tsr_reshard_memory_(r, t, m->peer, &place);
        if (!s->memory[i])
            return tsr_dist_fail_(error, "tensor %s: no file has the part of rank %lld", t->name, (long long)m->peer);
    }
    return true;
}

bool tsr_reshard_move_make_(tsr_reshard const *r, reshard_target const *g, int64_t rank, uint64_t at, reshard_move *m,
                            tsr_message *error)
{
    memset(m, 0, sizeof *m);
    m->at = at;
    m->stream = (reshard_stream *)calloc((size_t)g->members, sizeof *m->stream);
    if (!m->stream)
        return tsr_dist_fail_(error, "out of memory for %d tensors", g->members);
    for (int k = 0; k < g->members; ++k) {
        reshard_tensor const *const t = tsr_reshard_member_(r, g, k);
        reshard_stream *const s = &m->stream[m->streams++];
        reshard_place from, to;
        int64_t sub = 0;
        s->from = t->type;
        s->to = t->to;
        if (!tsr_reshard_holds_(r, t, 1, rank, &sub) || !tsr_reshard_place_(r, t, 1, sub, &to, error)
            || !tsr_reshard_place_(r, t, 0, 0, &from, error)
            || !tsr_dist_plan_make(&from.layout, &to.layout, sub, 1, &s->plan, error)
            || !find_memory(r, t, s, error)) {
            tsr_reshard_move_free_(m);
            return false;
        }
        s->base = to.base;
        m->elements = to.elements;
        s->reach[0] = t->side[1].slots > 0 ? to.elements / t->side[1].slots * t->side[1].slot : 0;
        s->reach[1] = t->side[1].slots > 0 ? s->reach[0] + to.elements / t->side[1].slots : to.elements;
    }
    return true;
}

void tsr_reshard_move_free_(reshard_move *m)
{
    for (int k = 0; k < m->streams; ++k) {
        tsr_dist_plan_free(&m->stream[k].plan);
        free(m->stream[k].memory);
    }
    free(m->stream);
    m->stream = NULL;
    m->streams = 0;
}

/** A piece in the making. */
typedef struct piece_maker {
    reshard_move const *move;
    reshard_stream const *stream;
    char const *memory; /* of the message */
    tsr_image const *image;
    int64_t first, last; /* elements of the tensor in the file */
    int64_t touched;
    char *buffer;
    bool direct; /* it was one run, and is written */
    tsr_message *error;
} piece_maker;

static bool is_run(tsr_dist_box const *b)
{
    return b->loops == 0 || (b->loops == 1 && b->step[0][0] == 1 && b->step[1][0] == 1);
}

/** Bytes of the source that a box brings to memory, about: the system maps neighbours of what is read. */
static int64_t touched_by(tsr_dist_box const *b, int64_t bytes)
{
    enum { AROUND = 1 << 16 };
    int64_t span = 1, runs = 1;
    for (int k = 0; k < b->loops; ++k) {
        span += (b->count[k] - 1) * b->step[0][k];
        runs *= b->step[0][k] == 1 ? 1 : b->count[k];
    }
    return tsr_min64(span * bytes, tsr_mul64_most(runs, AROUND) + b->elements * bytes);
}

/** Moves a box that is in the piece. The begin of its destination counts from the piece. */
static bool move_box(piece_maker *p, tsr_dist_box const *b)
{
    reshard_stream const *const s = p->stream;
    int64_t const bytes = tsr_dtype_bits(s->from) / 8;
    p->touched += touched_by(b, bytes);
    if (b->elements == p->last - p->first && s->from == s->to && is_run(b)) {
        p->direct = true;
        return tsr_image_put(p->image, p->move->at + (uint64_t)(p->first * bytes), p->memory + b->begin[0] * bytes,
                             (uint64_t)(b->elements * bytes), p->error);
    }
    dist_mover v = {p->memory, p->buffer, {false, false}, tsr_dist_terms_of(s->from), p->error, false};
    v.terms.to = s->to;
    return tsr_dist_move_(&v, b, 0);
}

/** Cuts a box to the elements of the piece. Steps are not negative. */
static bool clip_box(piece_maker *p, tsr_dist_box const *box)
{
    int64_t const size = p->last - p->first;
    int64_t reach = 1;
    int widest = -1;
    for (int k = 0; k < box->loops; ++k) {
        reach += (box->count[k] - 1) * box->step[1][k];
        widest = widest < 0 || box->step[1][k] > box->step[1][widest] ? k : widest;
    }
    if (box->begin[1] >= size || box->begin[1] + reach <= 0)
        return true;
    if (box->begin[1] >= 0 && box->begin[1] + reach <= size)
        return move_box(p, box);
    int64_t const step = box->step[1][widest], count = box->count[widest];
    int64_t const inner = reach - (count - 1) * step; /* elements from the first to the last of one turn */
    int64_t const low = tsr_max64(box->begin[1] + inner <= 0 ? (-box->begin[1] - inner) / step + 1 : 0, 0);
    int64_t const high = tsr_min64((size - 1 - box->begin[1]) / step + 1, count);
    int64_t const whole_low = tsr_max64(box->begin[1] < 0 ? tsr_ceil_div64(-box->begin[1], step) : 0, low);
    int64_t const most = size - inner - box->begin[1];
    int64_t const whole_high = tsr_max64(tsr_min64(most < 0 ? 0 : most / step + 1, high), whole_low);
    for (int64_t i = low; i < high; ++i) {
        tsr_dist_box b = *box;
        bool const whole = i == whole_low && whole_high > whole_low;
        b.begin[0] += i * b.step[0][widest];
        b.begin[1] += i * step;
        b.count[widest] = whole ? whole_high - whole_low : 1;
        b.elements = box->elements / count * b.count[widest];
        if (!whole || b.count[widest] == 1) { /* one turn: the loop goes */
            --b.loops;
            for (int k = widest; k < b.loops; ++k) {
                b.count[k] = b.count[k + 1];
                b.step[0][k] = b.step[0][k + 1];
                b.step[1][k] = b.step[1][k + 1];
            }
        }
        if (!(whole ? move_box : clip_box)(p, &b))
            return false;
        i = whole ? whole_high - 1 : i;
    }
    return true;
}

static bool see_box(void *context, tsr_dist_box const *box, int64_t at)
{
    piece_maker *const p = (piece_maker *)context;
    tsr_dist_box b = *box;
    (void)at;
    b.begin[1] += p->stream->base - p->first;
    return clip_box(p, &b);
}

bool tsr_reshard_move_piece_(reshard_move const *m, tsr_image const *image, int64_t first, int64_t last, void *buffer,
                             int64_t *touched, tsr_message *error)
{
    int64_t const bytes = tsr_dtype_bits(m->stream[0].to) / 8;
    piece_maker p = {
        .move = m, .image = image, .first = first, .last = last, .buffer = (char *)buffer, .error = error};
    bool ok = true, padded = true;
    int64_t covered = 0;
    for (int k = 0; k < m->streams; ++k)
        covered += m->stream[k].plan.part[1].elements;
    padded = covered < m->elements;
    if (padded)
        memset(buffer, 0, (size_t)((last - first) * bytes));
    for (int k = 0; ok && k < m->streams; ++k) {
        tsr_dist_plan const *const plan = &m->stream[k].plan;
        p.stream = &m->stream[k];
        if (p.stream->reach[0] >= last || p.stream->reach[1] <= first)
            continue;
        for (int64_t i = 0; ok && i <= plan->receives; ++i) {
            tsr_dist_message const *const message = i < plan->receives ? &plan->receive[i] : &plan->keep;
            p.memory = (char const *)m->stream[k].memory[i];
            ok = message->elements == 0 || tsr_dist_walk(plan, message, false, 0, message->elements, see_box, &p);
        }
    }
    *touched = p.touched;
    return ok
           && (p.direct
               || tsr_image_put(image, m->at + (uint64_t)(first * bytes), buffer, (uint64_t)((last - first) * bytes),
                                error));
}
