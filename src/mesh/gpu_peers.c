/** Redistributions between GPUs of one process: kernels that write to a neighbour's memory, or read from it. */
#include <stdlib.h>

#include "mesh/form.h"
#include "mesh/gpu_copies.h"
#include "mesh/gpu_graph.h"
#include "mesh/gpu_peers.h"
#include "gpu/call.h"

/** So many bytes are copied sooner than events are made. */
enum { SMALL = 1 << 20 };

/** Copies between a rank, which runs them, and another one. */
typedef struct gpu_move {
    int64_t other;
    dist_gpu_copies copies;
} gpu_move;

typedef struct gpu_rank {
    tsr_dist_gpu_rank at;
    tsr_gpu_memory zeros;
    tsr_gpu_stream side; /* where that is copied which stays */
    tsr_gpu_event ready, kept, done;
    dist_gpu_copies clear, keep;
    bool alone;     /* what stays is copied on the side */
    gpu_move *move; /* by rounds */
    int64_t moves, bytes;
    dist_gpu_graph graph; /* what it clears, keeps and moves */
} gpu_rank;

struct tsr_dist_peers {
    int64_t ranks, runs;
    dist_gpu_how how;
    bool reads;
    gpu_rank *rank;
    tsr_gpu_stream *own; /* a stream a rank, to capture graphs */
};

static bool make_events(gpu_rank *r, tsr_message *error)
{
    tsr_gpu_device const *const d = r->at.device;
    return tsr_dist_gpu_done_(tsr_gpu_stream_make(d, &r->side), error)
           && tsr_dist_gpu_done_(tsr_gpu_mark_make_(d, &r->ready), error)
           && tsr_dist_gpu_done_(tsr_gpu_mark_make_(d, &r->kept), error)
           && tsr_dist_gpu_done_(tsr_gpu_mark_make_(d, &r->done), error);
}

/** The messages that a rank moves: the ones that it sends, or the ones that it receives. */
static bool plan_moves(tsr_dist_peers *g, gpu_rank *r, tsr_dist_plan const *p, dist_gpu_maker *m)
{
    bool const sent = !g->reads;
    tsr_dist_message const *const list = sent ? p->send : p->receive;
    int64_t const n = sent ? p->sends : p->receives;
    r->move = (gpu_move *)calloc((size_t)tsr_max64(n, 1), sizeof *r->move);
    if (!r->move)
        return tsr_dist_fail_(m->error, "there is no memory for %lld messages", (long long)n);
    m->fixed = false;
    m->row = g->how.row;
    for (; r->moves < n; ++r->moves) {
        gpu_move *const v = &r->move[r->moves];
        tsr_dist_message const *const x = &list[r->moves];
        gpu_rank const *const other = &g->rank[x->peer];
        if (!tsr_dist_gpu_done_(tsr_gpu_reach(r->at.device, other->at.device), m->error))
            return false;
        v->other = x->peer;
        m->list = &v->copies;
        m->memory[0] = sent ? r->at.old : other->at.old;
        m->memory[1] = sent ? other->at.new_ : r->at.new_;
        if (!tsr_dist_walk(p, x, sent, 0, x->elements, tsr_dist_gpu_box_, m)) {
            ++r->moves; /* what is there is freed */
            return false;
        }
        if (r->at.device->context != other->at.device->context)
            r->bytes += x->elements * (tsr_dtype_bits(m->terms.from) / 8);
    }
    return true;
}

static bool plan_rank(tsr_dist_peers *g, tsr_gpu_cache *cache, tsr_dist_layout const *from, tsr_dist_layout const *to,
                      tsr_dist_terms const *terms, int64_t rank, tsr_message *error)
{
    tsr_dist_plan p;
    gpu_rank *const r = &g->rank[rank];
    if (!tsr_dist_plan_make(from, to, rank, g->ranks, &p, error))
        return false;
    dist_gpu_maker m = {.cache = cache, .device = r->at.device, .fixed = true, .error = error};
    m.memory[0] = r->at.old;
    m.memory[1] = r->at.new_;
    m.terms = tsr_dist_gpu_terms_(terms, p.adds).all;
    if (p.adds || !tsr_number_is_zero(terms->beta))
        g->reads = true;
    r->alone = !p.adds && p.keep.elements * (tsr_dtype_bits(terms->to) / 8) > SMALL;
    bool const ok = make_events(r, error) && tsr_dist_gpu_own_(&m, &p, terms->beta, &r->zeros, &r->clear, &r->keep)
                    && plan_moves(g, r, &p, &m);
    tsr_dist_plan_free(&p);
    return ok;
}

static void free_memory(tsr_dist_peers *g)
{
    if (g) {
        free(g->rank);
        free(g->own);
    }
    free(g);
}

bool tsr_dist_peers_plan_(tsr_gpu_cache *cache, tsr_dist_layout const *from, tsr_dist_layout const *to,
                          tsr_dist_terms const *terms, tsr_dist_gpu_rank const *rank, int64_t ranks, dist_gpu_how how,
                          tsr_dist_peers **plan, tsr_message *error)
{
    int64_t const needed = tsr_max64(tsr_dist_ranks(from), tsr_dist_ranks(to));
    *plan = NULL;
    if (ranks < needed)
        return tsr_dist_fail_(error, "%lld ranks have parts, and %lld have GPUs", (long long)needed,
                              (long long)ranks);
    tsr_dist_peers *const g = (tsr_dist_peers *)calloc(1, sizeof *g);
    if (g) {
        g->rank = (gpu_rank *)calloc((size_t)tsr_max64(ranks, 1), sizeof *g->rank);
        g->own = (tsr_gpu_stream *)calloc((size_t)tsr_max64(ranks, 1), sizeof *g->own);
    }
    if (!g || !g->rank || !g->own) {
        free_memory(g);
        return tsr_dist_fail_(error, "there is no memory for %lld ranks", (long long)ranks);
    }
    g->ranks = ranks;
    g->reads = how.way == DIST_GPU_READ;
    g->how = how;
    *plan = g;
    bool ok = tsr_dist_check(from, error) && tsr_dist_check(to, error);
    for (int64_t r = 0; ok && r < ranks; ++r) {
        tsr_dist_part part[2];
        g->rank[r].at = rank[r];
        (void)tsr_dist_part_of(from, r, &part[0]);
        (void)tsr_dist_part_of(to, r, &part[1]);
        ok = tsr_dist_gpu_runs_(r, part, terms, rank[r].old, rank[r].new_, error)
             && tsr_dist_gpu_done_(tsr_gpu_usable_(rank[r].device), error);
    }
    for (int64_t r = 0; ok && r < ranks; ++r)
        ok = plan_rank(g, cache, from, to, terms, r, error);
    if (!ok)
        tsr_dist_peers_free(plan);
    return ok;
}

bool tsr_dist_peers_plan(tsr_gpu_cache *cache, tsr_dist_layout const *from, tsr_dist_layout const *to,
                         tsr_dist_terms const *terms, tsr_dist_gpu_rank const *rank, int64_t ranks,
                         tsr_dist_peers **plan, tsr_message *error)
{
    dist_gpu_how const how = {DIST_GPU_WRITE, DIST_GPU_CHOSEN, DIST_GPU_ROW};
    return tsr_dist_peers_plan_(cache, from, to, terms, rank, ranks, how, plan, error);
}

static bool after(tsr_gpu_stream const *stream, tsr_gpu_event const *event, tsr_message *error)
{
    return tsr_dist_gpu_done_(tsr_gpu_stream_after(stream, event), error);
}

static bool record(tsr_gpu_event const *event, tsr_gpu_stream const *stream, tsr_message *error)
{
    return tsr_dist_gpu_done_(tsr_gpu_event_record(event, stream), error);
}

/** What stays; sums come after it. */
static bool run_own(gpu_rank *r, tsr_gpu_stream const *stream, tsr_message *error)
{
    tsr_gpu_stream const *const on = r->alone ? &r->side : stream;
    return (!r->alone || after(on, &r->ready, error))
           && tsr_dist_gpu_launch_(&r->clear, r->zeros.address, r->at.new_, on, error)
           && tsr_dist_gpu_launch_(&r->keep, r->at.old, r->at.new_, on, error)
           && (!r->alone || record(&r->kept, on, error));
}

static bool launch_moves(tsr_dist_peers const *g, gpu_rank const *r, int64_t i, tsr_gpu_stream const *stream,
                         tsr_message *error)
{
    gpu_move const *const v = &r->move[i];
    gpu_rank const *const other = &g->rank[v->other];
    uint64_t const from = g->reads ? other->at.old : r->at.old, to = g->reads ? r->at.new_ : other->at.new_;
    return tsr_dist_gpu_launch_(&v->copies, from, to, stream, error);
}

static bool run_moves(tsr_dist_peers const *g, gpu_rank *r, tsr_gpu_stream const *stream, tsr_message *error)
{
    for (int64_t i = 0; i < r->moves; ++i)
        if (!after(stream, &g->rank[r->move[i].other].ready, error) || !launch_moves(g, r, i, stream, error))
            return false;
    return record(&r->done, stream, error);
}

/** A rank's stream goes on when its own part is there, and when its neighbours are done with its memory. */
static bool join(tsr_dist_peers *g, int64_t rank, bool alone, tsr_gpu_stream const *stream, tsr_message *error)
{
    gpu_rank *const r = &g->rank[rank];
    if (alone && !after(&stream[rank], &r->kept, error))
        return false;
    for (int64_t i = 0; i < r->moves; ++i)
        if (!after(&stream[r->move[i].other], &r->done, error))
            return false;
    return true;
}

static bool run_calls(tsr_dist_peers *g, tsr_gpu_stream const *stream, tsr_message *error)
{
    bool ok = true;
    for (int64_t r = 0; ok && r < g->ranks; ++r)
        ok = record(&g->rank[r].ready, &stream[r], error);
    for (int64_t r = 0; ok && r < g->ranks; ++r)
        ok = run_own(&g->rank[r], &stream[r], error) && run_moves(g, &g->rank[r], &stream[r], error);
    for (int64_t r = 0; ok && r < g->ranks; ++r)
        ok = join(g, r, g->rank[r].alone, stream, error);
    return ok;
}

/** The work of one rank, without waiting for others. */
static bool run_rank(tsr_dist_peers *g, gpu_rank *r, tsr_gpu_stream const *stream, tsr_message *error)
{
    bool ok = record(&r->ready, stream, error) && run_own(r, stream, error);
    for (int64_t i = 0; ok && i < r->moves; ++i)
        ok = launch_moves(g, r, i, stream, error);
    return ok && (!r->alone || after(stream, &r->kept, error));
}

static bool make_own(tsr_dist_peers *g)
{
    bool ok = true;
    for (int64_t r = 0; ok && r < g->ranks; ++r)
        ok = g->own[r].handle || tsr_gpu_ok(tsr_gpu_stream_make(g->rank[r].at.device, &g->own[r]));
    return ok;
}

/** Makes the graphs. False: there are none, and never will be. */
static bool make_graphs(tsr_dist_peers *g, tsr_gpu_stream const *stream)
{
    tsr_message error;
    bool ok = make_own(g);
    for (int64_t r = 0; ok && r < g->ranks; ++r)
        ok = tsr_dist_gpu_capture_(&g->own[r], stream, g->ranks)
             && tsr_dist_gpu_captured_(&g->own[r], run_rank(g, &g->rank[r], &g->own[r], &error), &g->rank[r].graph);
    return ok;
}

static bool run_graphs(tsr_dist_peers *g, tsr_gpu_stream const *stream, tsr_message *error)
{
    bool ok = true;
    for (int64_t r = 0; ok && r < g->ranks; ++r)
        ok = record(&g->rank[r].ready, &stream[r], error);
    for (int64_t r = 0; ok && r < g->ranks; ++r) {
        for (int64_t i = 0; ok && i < g->rank[r].moves; ++i)
            ok = after(&stream[r], &g->rank[g->rank[r].move[i].other].ready, error);
        ok = ok && tsr_dist_gpu_graph_launch_(&g->rank[r].graph, &stream[r], error)
             && record(&g->rank[r].done, &stream[r], error);
    }
    for (int64_t r = 0; ok && r < g->ranks; ++r)
        ok = join(g, r, false, stream, error);
    return ok;
}

static dist_gpu_replay choose(tsr_dist_peers const *g)
{
    int64_t launches = 0, events = 0, busiest = 0;
    for (int64_t r = 0; r < g->ranks; ++r) {
        gpu_rank const *const x = &g->rank[r];
        launches += x->clear.copies + x->keep.copies;
        events += 2 + 2 * x->moves;
        for (int64_t i = 0; i < x->moves; ++i)
            launches += x->move[i].copies.copies;
        busiest = tsr_max64(busiest, x->bytes);
    }
    return tsr_dist_gpu_choose_(launches, events, busiest);
}

bool tsr_dist_peers_run(tsr_dist_peers *plan, tsr_gpu_stream const *stream, tsr_message *error)
{
    bool const first = plan->runs == 0;
    if (first && plan->how.replay == DIST_GPU_CHOSEN)
        plan->how.replay = choose(plan);
    if (plan->runs == 1 && plan->how.replay != DIST_GPU_CALLS && !make_graphs(plan, stream))
        plan->how.replay = DIST_GPU_CALLS;
    if (plan->runs < 2)
        ++plan->runs;
    if (first || plan->how.replay == DIST_GPU_CALLS)
        return run_calls(plan, stream, error);
    return run_graphs(plan, stream, error);
}

int64_t tsr_dist_peers_bytes(tsr_dist_peers const *plan)
{
    int64_t bytes = 0;
    for (int64_t r = 0; r < plan->ranks; ++r)
        bytes += plan->rank[r].bytes;
    return bytes;
}

static void free_rank(gpu_rank *r)
{
    for (int64_t i = 0; i < r->moves; ++i)
        tsr_dist_gpu_copies_free_(&r->move[i].copies);
    free(r->move);
    tsr_dist_gpu_graph_free_(&r->graph);
    tsr_dist_gpu_copies_free_(&r->clear);
    tsr_dist_gpu_copies_free_(&r->keep);
    (void)tsr_gpu_event_free(&r->ready);
    (void)tsr_gpu_event_free(&r->kept);
    (void)tsr_gpu_event_free(&r->done);
    (void)tsr_gpu_stream_free(&r->side);
    (void)tsr_gpu_free(&r->zeros);
}

void tsr_dist_peers_free(tsr_dist_peers **plan)
{
    tsr_dist_peers *const g = *plan;
    for (int64_t r = 0; g && r < g->ranks; ++r) {
        free_rank(&g->rank[r]);
        (void)tsr_gpu_stream_free(&g->own[r]);
    }
    free_memory(g);
    *plan = NULL;
}
