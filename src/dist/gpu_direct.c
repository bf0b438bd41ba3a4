/** Moves between ranks that are near each other. The sender writes into the receiver's part. Where elements are added,
 *  or a rank has patience, the receiver reads. So a *mover* touches the part of an *owner*:
 *
 *      owner    ready   after all work of its stream
 *      mover    moves   after ready
 *      mover    done    after its moves
 *      owner    goes on after done
 *
 *  Signs (dist/gpu_board.h) are written and waited for by streams, so that the host waits for letters only. Signs are
 *  the same in each run. So a run can be captured in a graph.
 */
#include <stdlib.h>

#include "dist/form.h"
#include "dist/gpu_copies.h"
#include "dist/gpu_direct.h"
#include "dist/gpu_graph.h"
#include "gpu/call.h"

enum { SMALL = 1 << 20 /* bytes that are copied sooner than events are made */, ALIGNED = 16, UNKNOWN = -1 };
enum { WAIT = 1 /* CU_STREAM_MEM_OP_WAIT_VALUE_32 */, WRITE = 2, EQUAL = 1 /* CU_STREAM_WAIT_VALUE_EQ */ };

/** Where the part of another rank is while copies are planned: no memory is there. */
#define PLACE ((uint64_t)1 << 52)

/** A message, and the copies that move it. */
typedef struct direct_move {
    tsr_dist_message const *message;
    int low; /* of the other rank's part, for which copies are planned */
    uint64_t part;
    dist_gpu_copies copies;
} direct_move;

/** Signs that a stream is given at once. */
typedef struct direct_signs {
    tsr_cu_mem_op *op;
    unsigned count;
} direct_signs;

struct dist_gpu_direct {
    tsr_dist_nccl *all;
    tsr_gpu_cache *cache;
    tsr_dist_plan const *plan;
    tsr_dist_terms terms;
    uint64_t memory[2]; /* old and new part, as they were planned */
    bool reads, alone;  /* what stays is copied on the side */
    tsr_gpu_memory zeros;
    dist_gpu_copies clear, keep;
    direct_move *move; /* by rounds */
    int64_t moves;
    direct_signs ready, start, end; /* tells movers; waits for owners; tells owners, and waits for movers */
    tsr_gpu_stream side;
    tsr_gpu_event begun, kept;
};

static bool after(tsr_gpu_stream const *stream, tsr_gpu_event const *event, tsr_message *error)
{
    return tsr_dist_gpu_done_(tsr_gpu_stream_after(stream, event), error);
}

static bool record(tsr_gpu_event const *event, tsr_gpu_stream const *stream, tsr_message *error)
{
    return tsr_dist_gpu_done_(tsr_gpu_event_record(event, stream), error);
}

static void add_write(direct_signs *s, uint64_t address, uint64_t value)
{
    tsr_cu_mem_op const op = {WRITE, address, value, 0, 0, 0};
    s->op[s->count++] = op;
}

/** Waits for a sign, and takes it away. */
static void add_wait(direct_signs *s, uint64_t address)
{
    tsr_cu_mem_op const op = {WAIT, address, 1, EQUAL, 0, 0};
    s->op[s->count++] = op;
    add_write(s, address, 0);
}

/** The signs of all neighbours. */
static bool plan_signs(dist_gpu_direct *d, tsr_message *error)
{
    tsr_dist_plan const *const p = d->plan;
    dist_gpu_board const *const b = &d->all->near.board;
    tsr_dist_message const *const owner = d->reads ? p->receive : p->send, *const mover =
                                                                               d->reads ? p->send : p->receive;
    int64_t const owners = d->reads ? p->receives : p->sends, movers = d->reads ? p->sends : p->receives;
    size_t const room = (size_t)tsr_max64(owners + 2 * movers, tsr_max64(2 * owners, 1));
    direct_signs *const all[] = {&d->ready, &d->start, &d->end};
    int const me = b->rank;
    for (int i = 0; i < 3; ++i)
        if (!(all[i]->op = (tsr_cu_mem_op *)calloc(room, sizeof *all[i]->op)))
            return tsr_dist_fail_(error, "there is no memory for the signs of %lld messages", (long long)room);
    for (int64_t i = 0; i < movers; ++i)
        add_write(&d->ready, tsr_dist_gpu_board_sign_(b, (int)mover[i].peer, me, DIST_GPU_READY), 1);
    for (int64_t i = 0; i < owners; ++i)
        add_wait(&d->start, tsr_dist_gpu_board_sign_(b, me, (int)owner[i].peer, DIST_GPU_READY));
    for (int64_t i = 0; i < owners; ++i)
        add_write(&d->end, tsr_dist_gpu_board_sign_(b, (int)owner[i].peer, me, DIST_GPU_DONE), 1);
    for (int64_t i = 0; i < movers; ++i)
        add_wait(&d->end, tsr_dist_gpu_board_sign_(b, me, (int)mover[i].peer, DIST_GPU_DONE));
    return true;
}

static dist_gpu_maker maker_of(dist_gpu_direct const *d, tsr_message *error)
{
    dist_gpu_maker const m = {.cache = d->cache,
                              .device = d->all->device,
                              .memory = {d->memory[0], d->memory[1]},
                              .terms = d->terms,
                              .error = error};
    return m;
}

/** Plans the copies of a message for the place of the other rank's part. */
static bool plan_move(dist_gpu_direct const *d, direct_move *v, tsr_message *error)
{
    dist_gpu_maker m = maker_of(d, error);
    int const low = (int)(v->part % ALIGNED);
    if (v->low == low)
        return true;
    tsr_dist_gpu_copies_free_(&v->copies);
    v->low = UNKNOWN;
    m.list = &v->copies;
    m.row = DIST_GPU_ROW;
    m.memory[d->reads ? 0 : 1] = PLACE + (uint64_t)low;
    if (!tsr_dist_walk(d->plan, v->message, !d->reads, 0, v->message->elements, tsr_dist_gpu_box_, &m))
        return false;
    v->low = low;
    return true;
}

/** Plans moves for parts of other ranks that begin at multiples of 16 bytes; a run plans others. */
static bool plan_moves(dist_gpu_direct *d, tsr_message *error)
{
    tsr_dist_plan const *const p = d->plan;
    int64_t const n = d->reads ? p->receives : p->sends;
    d->move = (direct_move *)calloc((size_t)tsr_max64(n, 1), sizeof *d->move);
    if (!d->move)
        return tsr_dist_fail_(error, "there is no memory for %lld messages", (long long)n);
    for (; d->moves < n; ++d->moves) {
        direct_move *const v = &d->move[d->moves];
        v->message = d->reads ? &p->receive[d->moves] : &p->send[d->moves];
        v->low = UNKNOWN;
        if (!plan_move(d, v, error)) {
            ++d->moves; /* what is there is freed */
            return false;
        }
    }
    return true;
}

static bool make_streams(dist_gpu_direct *d, tsr_message *error)
{
    tsr_gpu_device const *const on = d->all->device;
    return !d->alone
           || (tsr_dist_gpu_done_(tsr_gpu_stream_make(on, &d->side), error)
               && tsr_dist_gpu_done_(tsr_gpu_mark_make_(on, &d->begun), error)
               && tsr_dist_gpu_done_(tsr_gpu_mark_make_(on, &d->kept), error));
}

bool tsr_dist_gpu_direct_plan_(tsr_dist_nccl *all, tsr_gpu_cache *cache, tsr_dist_plan const *plan,
                               tsr_dist_terms const *terms, uint64_t old, uint64_t new_, dist_gpu_direct **direct,
                               tsr_message *error)
{
    *direct = NULL;
    if (!tsr_dist_gpu_runs_(plan->rank, plan->part, terms, old, new_, error))
        return false;
    dist_gpu_direct *const d = (dist_gpu_direct *)calloc(1, sizeof *d);
    if (!d)
        return tsr_dist_fail_(error, "there is no memory for a plan");
    d->all = all;
    d->cache = cache;
    d->plan = plan;
    d->terms = tsr_dist_gpu_terms_(terms, plan->adds).all;
    d->memory[0] = old;
    d->memory[1] = new_;
    d->reads = all->near.reads || plan->adds || !tsr_number_is_zero(terms->beta);
    d->alone = !plan->adds && plan->keep.elements * (tsr_dtype_bits(terms->to) / 8) > SMALL;
    *direct = d;
    dist_gpu_maker const m = maker_of(d, error);
    bool const ok = tsr_dist_gpu_own_(&m, plan, terms->beta, &d->zeros, &d->clear, &d->keep) && plan_moves(d, error)
                    && plan_signs(d, error) && make_streams(d, error);
    if (!ok)
        tsr_dist_gpu_direct_free_(direct);
    return ok;
}

/** Finds the parts of other ranks. */
static bool find_parts(dist_gpu_direct *d, bool captured, tsr_message *error)
{
    bool ok = true;
    for (int64_t i = 0; ok && i < d->moves; ++i)
        ok = tsr_dist_gpu_near_reach_(d->all, (int)d->move[i].message->peer, captured, &d->move[i].part, error)
             && plan_move(d, &d->move[i], error);
    return ok;
}

/** What stays; sums come after it. */
static bool run_own(dist_gpu_direct *d, uint64_t old, uint64_t new_, tsr_gpu_stream const *stream, tsr_message *error)
{
    tsr_gpu_stream const *const on = d->alone ? &d->side : stream;
    return (!d->alone || (record(&d->begun, stream, error) && after(on, &d->begun, error)))
           && tsr_dist_gpu_launch_(&d->clear, d->zeros.address, new_, on, error)
           && tsr_dist_gpu_launch_(&d->keep, old, new_, on, error) && (!d->alone || record(&d->kept, on, error));
}

static bool run_moves(dist_gpu_direct *d, uint64_t old, uint64_t new_, tsr_gpu_stream const *stream,
                      tsr_message *error)
{
    bool ok = true;
    for (int64_t i = 0; ok && i < d->moves; ++i) {
        direct_move const *const v = &d->move[i];
        ok = tsr_dist_gpu_launch_(&v->copies, d->reads ? v->part : old, d->reads ? new_ : v->part, stream, error);
    }
    return ok;
}

static bool run(dist_gpu_direct *d, uint64_t old, uint64_t new_, tsr_gpu_stream const *stream, tsr_message *error)
{
    return tsr_dist_gpu_near_sign_(stream, d->ready.op, d->ready.count, error) && run_own(d, old, new_, stream, error)
           && tsr_dist_gpu_near_sign_(stream, d->start.op, d->start.count, error)
           && run_moves(d, old, new_, stream, error)
           && tsr_dist_gpu_near_sign_(stream, d->end.op, d->end.count, error)
           && (!d->alone || after(stream, &d->kept, error));
}

bool tsr_dist_gpu_direct_run_(dist_gpu_direct *d, uint64_t old, uint64_t new_, tsr_gpu_stream const *stream,
                              bool *moved, tsr_message *error)
{
    tsr_gpu_event const *const idle = &d->all->near.idle;
    bool const captured = tsr_dist_gpu_is_captured_(stream); /* events of other runs mean nothing there */
    int const mode = captured ? tsr_dist_gpu_relax_(d->all->device, DIST_GPU_RELAXED) : 0;
    bool ok = tsr_dist_gpu_near_meet_(d->all, d->end.count ? (d->reads ? old : new_) : 0, moved, error);
    if (ok && *moved) {
        ok = find_parts(d, captured, error) && (captured || after(stream, idle, error))
             && run(d, old, new_, stream, error) && (captured || record(idle, stream, error));
        if (!ok)
            tsr_dist_nccl_abort_(d->all); /* the others wait for signs */
    }
    if (captured)
        (void)tsr_dist_gpu_relax_(d->all->device, mode);
    return ok;
}

void tsr_dist_gpu_direct_free_(dist_gpu_direct **direct)
{
    dist_gpu_direct *const d = *direct;
    if (!d)
        return;
    for (int64_t i = 0; i < d->moves; ++i)
        tsr_dist_gpu_copies_free_(&d->move[i].copies);
    free(d->move);
    tsr_dist_gpu_copies_free_(&d->clear);
    tsr_dist_gpu_copies_free_(&d->keep);
    free(d->ready.op);
    free(d->start.op);
    free(d->end.op);
    (void)tsr_gpu_free(&d->zeros);
    (void)tsr_gpu_stream_free(&d->side);
    (void)tsr_gpu_event_free(&d->begun);
    (void)tsr_gpu_event_free(&d->kept);
    free(d);
    *direct = NULL;
}
