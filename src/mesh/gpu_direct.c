/** Moves between ranks that have peer access to each other. The sender writes into the receiver's part. Where elements
 *  are added, or a rank has a timeout, the receiver reads. So a *mover* touches the part of an *owner*:
 *
 *      owner    ready   after all work of its stream
 *      mover    moves   after ready
 *      mover    done    after its moves
 *      owner    goes on after done
 *
 *  Flags (mesh/gpu_control.h) are written and waited for by streams, so that the host waits for handle messages only.
 *  They are the same in each run. So a run can be captured in a graph.
 */
#include <stdlib.h>

#include "mesh/form.h"
#include "mesh/gpu_copies.h"
#include "mesh/gpu_direct.h"
#include "mesh/gpu_replay.h"
#include "mesh/gpu_flag.h"
#include "gpu/call.h"

enum { ALIGNED = 16, UNKNOWN = -1 };

/** Where the part of another rank is while copies are planned: no memory is there. */
#define PLACE ((uint64_t)1 << 52)

/** Copies to or from a part that begins `low` bytes behind a multiple of 16. */
typedef struct direct_copies {
    int low;
    dist_gpu_copies copies;
} direct_copies;

/** A message, and the copies that move it: for the usual place of the other rank's part, and for another one. */
typedef struct direct_move {
    tsr_dist_message const *message;
    uint64_t part;
    direct_copies usual, other;
} direct_move;

struct dist_gpu_direct {
    dist_gpu_p2p *p2p;
    tsr_dist_plan const *plan;
    tsr_dist_terms terms;
    uint64_t memory[2]; /* old and new part, as they were planned */
    bool reads, alone;  /* what stays is copied on the side */
    tsr_gpu_memory zeros;
    dist_gpu_copies clear, keep;
    direct_move *move; /* by rounds */
    int64_t moves;
    tsr_gpu_kernel flag;
    bool operates;             /* outside of captures the driver's operations give flags */
    dist_gpu_flags start, end; /* ready: to movers, and of owners; done: to owners, and of movers */
    tsr_gpu_stream side;
    tsr_gpu_event begun, kept;
    uint64_t *address; /* of a run: its parts, and those that it touches */
    uint64_t places;   /* of the last run (tsr_dist_gpu_p2p_places_) */
    dist_gpu_repeats repeats;
};

static bool after(tsr_gpu_stream const *stream, tsr_gpu_event const *event, tsr_message *error)
{
    return tsr_dist_gpu_done_(tsr_gpu_stream_after(stream, event), error);
}

static bool record(tsr_gpu_event const *event, tsr_gpu_stream const *stream, tsr_message *error)
{
    return tsr_dist_gpu_done_(tsr_gpu_event_record(event, stream), error);
}

/** The flags of all neighbours. */
static void plan_flags(dist_gpu_direct *d)
{
    tsr_dist_plan const *const p = d->plan;
    dist_gpu_control const *const b = &d->p2p->control;
    tsr_dist_message const *const owner = d->reads ? p->receive : p->send, *const mover =
                                                                               d->reads ? p->send : p->receive;
    uint32_t const owners = (uint32_t)(d->reads ? p->receives : p->sends),
                   movers = (uint32_t)(d->reads ? p->sends : p->receives);
    int const me = b->rank;
    d->start.raised = d->end.awaited = movers;
    d->start.awaited = d->end.raised = owners;
    for (uint32_t i = 0; i < movers; ++i) {
        int const peer = (int)mover[i].peer;
        d->start.flag[i] = tsr_dist_gpu_control_flag_(b, peer, me, DIST_GPU_READY);
        d->end.flag[owners + i] = tsr_dist_gpu_control_flag_(b, me, peer, DIST_GPU_DONE);
    }
    for (uint32_t i = 0; i < owners; ++i) {
        int const peer = (int)owner[i].peer;
        d->start.flag[movers + i] = tsr_dist_gpu_control_flag_(b, me, peer, DIST_GPU_READY);
        d->end.flag[i] = tsr_dist_gpu_control_flag_(b, peer, me, DIST_GPU_DONE);
    }
}

static dist_gpu_maker maker_of(dist_gpu_direct const *d, tsr_gpu_cache *cache, tsr_message *error)
{
    dist_gpu_maker const m = {.cache = cache,
                              .device = d->p2p->control.device,
                              .memory = {d->memory[0], d->memory[1]},
                              .terms = d->terms,
                              .error = error};
    return m;
}

/** Plans the copies of a message for a place of the other rank's part. */
static bool plan_copies(dist_gpu_direct const *d, tsr_gpu_cache *cache, tsr_dist_message const *message, int low,
                        direct_copies *c, tsr_message *error)
{
    dist_gpu_maker m = maker_of(d, cache, error);
    tsr_dist_gpu_copies_free_(&c->copies);
    c->low = UNKNOWN;
    m.list = &c->copies;
    int64_t const bytes = message->elements * (tsr_dtype_bits(d->terms.from) / 8);
    m.row = d->reads && bytes < d->p2p->read ? 0 : d->p2p->row;
    m.memory[d->reads ? 0 : 1] = PLACE + (uint64_t)low;
    if (!tsr_dist_walk(d->plan, message, !d->reads, 0, message->elements, tsr_dist_gpu_box_, &m))
        return false;
    c->low = low;
    return true;
}

/** Plans moves for parts of other ranks that begin at multiples of 16 bytes; a run plans others. */
static bool plan_moves(dist_gpu_direct *d, tsr_gpu_cache *cache, tsr_message *error)
{
    tsr_dist_plan const *const p = d->plan;
    bool ok = true;
    d->moves = d->reads ? p->receives : p->sends;
    d->move = (direct_move *)calloc((size_t)tsr_max64(d->moves, 1), sizeof *d->move);
    d->address = (uint64_t *)calloc((size_t)d->moves + 2, sizeof *d->address);
    if (!d->move || !d->address)
        return tsr_dist_fail_(error, "there is no memory for %lld messages", (long long)d->moves);
    for (int64_t i = 0; ok && i < d->moves; ++i) {
        direct_move *const v = &d->move[i];
        v->message = d->reads ? &p->receive[i] : &p->send[i];
        v->other.low = UNKNOWN;
        ok = plan_copies(d, cache, v->message, 0, &v->usual, error);
    }
    return ok;
}

/** The copies for the place of the other rank's part. */
static direct_copies *copies_of(direct_move *v) { return v->part % ALIGNED == 0 ? &v->usual : &v->other; }

static bool make_streams(dist_gpu_direct *d, tsr_message *error)
{
    tsr_gpu_device const *const on = d->p2p->control.device;
    return !d->alone
           || (tsr_dist_gpu_done_(tsr_gpu_stream_make(on, &d->side), error)
               && tsr_dist_gpu_done_(tsr_gpu_mark_make_(on, &d->begun), error)
               && tsr_dist_gpu_done_(tsr_gpu_mark_make_(on, &d->kept), error));
}

/** Are small plans, and those that the caller wishes so, graphs when they come again? Not where ranks share a process:
 *  a graph with copies between GPUs is not made before both are idle, and the other one may wait for this rank. */
static bool repeats(dist_gpu_direct const *d)
{
    int64_t launches = 2 + d->clear.copies + d->keep.copies, elements = 0;
    for (int64_t i = 0; i < d->moves; ++i) {
        launches += d->move[i].usual.copies.copies;
        elements += d->move[i].message->elements;
    }
    dist_gpu_replay const wish = d->p2p->replay;
    if (d->p2p->shares)
        return false;
    return wish == DIST_GPU_GRAPHS
           || (wish == DIST_GPU_CHOSEN
               && tsr_dist_gpu_choose_(launches, 2, elements * (tsr_dtype_bits(d->terms.from) / 8))
                      == DIST_GPU_GRAPHS);
}

/** Do operations give flags? They take longer than kernels. But a kernel waits for room beside copies that fill the
 *  GPU, as those of what stays. Operations are not used between processes, where they were not measured. */
static bool operates(dist_gpu_direct const *d)
{
    dist_gpu_p2p const *const n = d->p2p;
    bool const wanted =
        n->flag_writer == DIST_GPU_FLAGER ? n->shares && d->alone : n->flag_writer == DIST_GPU_OPERATIONS;
    return wanted && d->p2p->control.device->gpu->cuStreamBatchMemOp;
}

bool tsr_dist_gpu_direct_plan_(dist_gpu_p2p *p2p, tsr_gpu_cache *cache, tsr_dist_plan const *plan,
                               tsr_dist_terms const *terms, uint64_t old, uint64_t new_, dist_gpu_direct **direct,
                               tsr_message *error)
{
    *direct = NULL;
    if (!tsr_dist_gpu_runs_(plan->rank, plan->part, terms, old, new_, error))
        return false;
    dist_gpu_direct *const d = (dist_gpu_direct *)calloc(1, sizeof *d);
    if (!d)
        return tsr_dist_fail_(error, "there is no memory for a plan");
    d->p2p = p2p;
    p2p->late.folder = cache->folder;
    d->plan = plan;
    d->terms = tsr_dist_gpu_terms_(terms, plan->adds).all;
    d->memory[0] = old;
    d->memory[1] = new_;
    d->reads = p2p->reads || plan->adds || !tsr_number_is_zero(terms->beta);
    d->alone = !plan->adds && plan->keep.elements * (tsr_dtype_bits(terms->to) / 8) > p2p->small;
    *direct = d;
    dist_gpu_maker const m = maker_of(d, cache, error);
    bool const ok = tsr_dist_gpu_own_(&m, plan, terms->beta, &d->zeros, &d->clear, &d->keep)
                    && plan_moves(d, cache, error)
                    && tsr_dist_gpu_flag_plan_(cache, p2p->control.device, &d->flag, error) && make_streams(d, error);
    if (!ok) {
        tsr_dist_gpu_direct_free_(direct);
        return false;
    }
    plan_flags(d);
    d->operates = operates(d);
    d->repeats.off = !repeats(d);
    return true;
}

/** Finds the parts of other ranks. */
static bool find_parts(dist_gpu_direct *d, bool captured, tsr_message *error)
{
    bool ok = true;
    for (int64_t i = 0; ok && i < d->moves; ++i) {
        direct_move *const v = &d->move[i];
        ok = tsr_dist_gpu_p2p_reach_(d->p2p, (int)v->message->peer, captured, &v->part, error);
        int const low = (int)(v->part % ALIGNED);
        direct_copies *const c = copies_of(v);
        ok = ok && (c->low == low || plan_copies(d, &d->p2p->late, v->message, low, c, error));
    }
    return ok;
}

/** A rank that has found the parts makes no slow calls any more (mesh/gpu_p2p.h). Where the parts are others than
 *  those of the last run, ranks that share a process wait for each other again behind it. */
static bool settle(dist_gpu_direct *d, tsr_message *error)
{
    uint64_t const places = tsr_dist_gpu_p2p_places_(d->p2p);
    bool const same = places == d->places && !d->p2p->any_remote;
    d->places = places;
    return !d->p2p->shares || same || tsr_dist_gpu_p2p_exchange_again_(d->p2p, error);
}

/** What stays; sums come after it. */
static bool run_own(dist_gpu_direct *d, uint64_t old, uint64_t new_, tsr_gpu_stream const *stream, tsr_message *error)
{
    tsr_gpu_stream const *const on = d->alone ? &d->side : stream;
    return (!d->alone || after(on, &d->begun, error))
           && tsr_dist_gpu_launch_(&d->clear, d->zeros.address, new_, on, error)
           && tsr_dist_gpu_launch_(&d->keep, old, new_, on, error) && (!d->alone || record(&d->kept, on, error));
}

static bool run_moves(dist_gpu_direct *d, uint64_t old, uint64_t new_, tsr_gpu_stream const *stream,
                      tsr_message *error)
{
    bool ok = true;
    for (int64_t i = 0; ok && i < d->moves; ++i) {
        direct_move *const v = &d->move[i];
        ok = tsr_dist_gpu_launch_(&copies_of(v)->copies, d->reads ? v->part : old, d->reads ? new_ : v->part, stream,
                                  error);
    }
    return ok;
}

/** Calls for a stream. The first flags are given before what stays is copied, which may fill the GPU. */
static bool run(dist_gpu_direct *d, uint64_t old, uint64_t new_, tsr_gpu_stream const *stream, bool captured,
                tsr_message *error)
{
    tsr_gpu_kernel const none = {0}, *const flag = d->operates && !captured ? &none : &d->flag;
    return (!d->alone || record(&d->begun, stream, error)) && tsr_dist_gpu_flag_(flag, &d->start, stream, error)
           && run_own(d, old, new_, stream, error) && run_moves(d, old, new_, stream, error)
           && tsr_dist_gpu_flag_(flag, &d->end, stream, error) && (!d->alone || after(stream, &d->kept, error));
}

/** Runs calls, or the graph of an earlier run with the same addresses. */
static bool run_again(dist_gpu_direct *d, uint64_t old, uint64_t new_, tsr_gpu_stream const *stream,
                      tsr_message *error)
{
    bool seen = false;
    d->address[0] = old;
    d->address[1] = new_;
    for (int64_t i = 0; i < d->moves; ++i)
        d->address[2 + i] = d->move[i].part;
    dist_gpu_repeat *const x = tsr_dist_gpu_repeat_(&d->repeats, d->address, d->moves + 2, &seen);
    if (seen && !x->graph.run) {
        tsr_gpu_stream *const own = &d->repeats.own;
        bool const made = (own->handle || tsr_gpu_ok(tsr_gpu_stream_make(d->p2p->control.device, own)))
                          && tsr_dist_gpu_capture_(own, stream, 1)
                          && tsr_dist_gpu_captured_(own, run(d, old, new_, own, true, error), &x->graph);
        d->repeats.off = !made;
    }
    return x && x->graph.run ? tsr_dist_gpu_graph_launch_(&x->graph, stream, error)
                             : run(d, old, new_, stream, false, error);
}

bool tsr_dist_gpu_direct_run_(dist_gpu_direct *d, uint64_t old, uint64_t new_, tsr_gpu_stream const *stream,
                              bool captured, bool *moved, tsr_message *error)
{
    tsr_gpu_event const *const idle = &d->p2p->idle; /* events of other runs mean nothing in a capture */
    uint64_t const part = d->reads ? old : new_;
    if (!tsr_dist_gpu_p2p_exchange_(d->p2p, d->end.awaited ? part : 0, d->reads ? new_ : old, moved, error))
        return false;
    return !*moved
           || (find_parts(d, captured, error) && settle(d, error) && (captured || after(stream, idle, error))
               && (captured ? run(d, old, new_, stream, true, error) : run_again(d, old, new_, stream, error))
               && (captured || record(idle, stream, error)));
}

void tsr_dist_gpu_direct_free_(dist_gpu_direct **direct)
{
    dist_gpu_direct *const d = *direct;
    if (!d)
        return;
    for (int64_t i = 0; d->move && i < d->moves; ++i) {
        tsr_dist_gpu_copies_free_(&d->move[i].usual.copies);
        tsr_dist_gpu_copies_free_(&d->move[i].other.copies);
    }
    free(d->move);
    free(d->address);
    tsr_dist_gpu_repeats_free_(&d->repeats);
    tsr_dist_gpu_copies_free_(&d->clear);
    tsr_dist_gpu_copies_free_(&d->keep);
    (void)tsr_gpu_free(&d->zeros);
    (void)tsr_gpu_stream_free(&d->side);
    (void)tsr_gpu_event_free(&d->begun);
    (void)tsr_gpu_event_free(&d->kept);
    free(d);
    *direct = NULL;
}
