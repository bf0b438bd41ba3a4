/** A plan at work: what stays, what is seen in windows, and two queues of chunks in flight. */
#include <stdlib.h>

#include "dist/form.h"
#include "dist/move.h"
#include "tessera/dist/run.h"

enum { DEFAULT_BUDGET = 16 << 20, MOST_CHUNK = 1 << 30 /* bytes: counts of MPI are int */ };

/** One direction: messages in order, cut into chunks; chunk number c has slot c modulo the flight. */
typedef struct queue {
    tsr_dist_message const *message;
    int64_t messages;
    int64_t next, first;   /* the message and its element that is posted next */
    int64_t posted, ended; /* chunks */
    struct {
        int64_t message, first, last;
    } chunk[TSR_DIST_FLIGHT];
} queue;

typedef enum phase { COME, SEE, MOVE, LEAVE, ENDED } phase;

struct tsr_dist_run {
    tsr_dist_plan const *plan;
    tsr_dist_transport transport;
    tsr_dtype type;
    int64_t bytes, chunk; /* of an element; elements of a chunk */
    void const *old;
    void *new_;
    char *buffer; /* 2 * TSR_DIST_FLIGHT chunks, those to send first */
    queue send, receive;
    phase phase;
};

static void const *window_of(tsr_dist_run const *r, int64_t peer)
{
    return r->transport.window ? r->transport.window(r->transport.self, peer) : NULL;
}

static char *buffer_of(tsr_dist_run const *r, int64_t slot) { return r->buffer + slot * r->chunk * r->bytes; }

static int64_t longest(queue const *q)
{
    int64_t n = 1;
    for (int64_t i = 0; i < q->messages; ++i)
        n = tsr_max64(n, q->message[i].elements);
    return n;
}

static bool refuse(tsr_dist_plan const *p, tsr_dist_transport const *t, tsr_dtype type, void const *old,
                   void const *new_, int64_t budget, tsr_message *error)
{
    int const bits = tsr_dtype_bits(type);
    if (bits <= 0 || bits % 8 != 0)
        return tsr_dist_fail_(error, "elements of %d bits are not whole bytes, which messages are made of", bits);
    if (p->rank != t->rank || tsr_max64(tsr_dist_ranks(&p->from), tsr_dist_ranks(&p->to)) > t->ranks)
        return tsr_dist_fail_(error, "the plan of rank %lld of %lld is run by rank %lld of %lld", (long long)p->rank,
                              (long long)p->ranks, (long long)t->rank, (long long)t->ranks);
    if ((p->part[0].elements > 0 && !old) || (p->part[1].elements > 0 && !new_))
        return tsr_dist_fail_(error, "rank %lld has %lld elements before and %lld after, and no memory for them",
                              (long long)p->rank, (long long)p->part[0].elements, (long long)p->part[1].elements);
    return budget >= 0 || tsr_dist_fail_(error, "the budget is %lld bytes", (long long)budget);
}

tsr_dist_run *tsr_dist_run_begin(tsr_dist_plan const *plan, tsr_dist_transport const *transport, tsr_dtype type,
                                 void const *old, void *new_, int64_t budget, tsr_message *error)
{
    if (!refuse(plan, transport, type, old, new_, budget, error))
        return NULL;
    tsr_dist_run *const r = (tsr_dist_run *)calloc(1, sizeof *r);
    if (r) {
        int64_t const bytes = tsr_dtype_bits(type) / 8, all = budget > 0 ? budget : DEFAULT_BUDGET;
        r->plan = plan;
        r->transport = *transport;
        r->type = type;
        r->bytes = bytes;
        r->old = old;
        r->new_ = new_;
        r->send.message = plan->send;
        r->send.messages = plan->sends;
        r->receive.message = plan->receive;
        r->receive.messages = plan->receives;
        r->chunk = tsr_max64(tsr_min64(all / (2 * TSR_DIST_FLIGHT), MOST_CHUNK) / bytes, 1);
        r->chunk =
            tsr_min64(r->chunk, tsr_max64(longest(&r->send), longest(&r->receive))); /* cuts no other message */
        uint64_t const room = 2 * TSR_DIST_FLIGHT * (uint64_t)(r->chunk * bytes);
        r->buffer = room <= SIZE_MAX ? (char *)malloc((size_t)room) : NULL;
    }
    if (r && r->buffer)
        return r;
    free(r);
    (void)tsr_dist_fail_(error, "the buffers of rank %lld do not fit in memory", (long long)plan->rank);
    return NULL;
}

void tsr_dist_run_free(tsr_dist_run *run)
{
    if (run)
        free(run->buffer);
    free(run);
}

/** What needs no message: zeros, what stays, and what other ranks show. */
static bool move_seen(tsr_dist_run *r, tsr_message *error)
{
    tsr_dist_plan const *const p = r->plan;
    dist_mover v = {r->old, r->new_, {false, false}, p->adds, r->type, error};
    if (p->clears && !tsr_dist_clear_(&p->part[1], p->to.modes, r->new_, r->type, error))
        return false;
    if (!tsr_dist_walk(p, &p->keep, false, 0, p->keep.elements, tsr_dist_move_, &v))
        return false;
    for (int64_t i = 0; i < p->receives; ++i) {
        v.from = window_of(r, p->receive[i].peer);
        if (v.from && !tsr_dist_walk(p, &p->receive[i], false, 0, p->receive[i].elements, tsr_dist_move_, &v))
            return false;
    }
    r->phase = MOVE;
    return true;
}

static bool carried(tsr_dist_run const *r, bool sent, bool ok, int64_t peer, tsr_message *error)
{
    return ok
           || tsr_dist_fail_(error, "rank %lld cannot %s rank %lld", (long long)r->plan->rank,
                             sent ? "send to" : "receive from", (long long)peer);
}

/** Posts the next chunk; *did is left where there is none or no slot is free. */
static bool post(tsr_dist_run *r, queue *q, bool sent, bool *did, tsr_message *error)
{
    tsr_dist_transport const *const t = &r->transport;
    while (q->next < q->messages && window_of(r, q->message[q->next].peer))
        ++q->next;
    if (q->next == q->messages || q->posted - q->ended == TSR_DIST_FLIGHT)
        return true;
    tsr_dist_message const *const m = &q->message[q->next];
    int64_t const place = q->posted % TSR_DIST_FLIGHT, slot = place + (sent ? 0 : TSR_DIST_FLIGHT);
    int64_t const last = tsr_min64(q->first + r->chunk, m->elements), n = (last - q->first) * r->bytes;
    dist_mover v = {r->old, buffer_of(r, slot), {false, true}, false, r->type, error};
    if (sent && !tsr_dist_walk(r->plan, m, true, q->first, last, tsr_dist_move_, &v))
        return false;
    q->chunk[place].message = q->next;
    q->chunk[place].first = q->first;
    q->chunk[place].last = last;
    q->first = last == m->elements ? 0 : last;
    q->next += last == m->elements;
    ++q->posted;
    *did = true;
    return carried(r, sent,
                   sent ? t->send(t->self, slot, m->peer, buffer_of(r, slot), n)
                        : t->receive(t->self, slot, m->peer, buffer_of(r, slot), n),
                   m->peer, error);
}

/** Ends the oldest chunk, if it is done. */
static bool end(tsr_dist_run *r, queue *q, bool sent, bool *did, tsr_message *error)
{
    if (q->ended == q->posted)
        return true;
    int64_t const place = q->ended % TSR_DIST_FLIGHT, slot = place + (sent ? 0 : TSR_DIST_FLIGHT);
    tsr_dist_message const *const m = &q->message[q->chunk[place].message];
    int const done = r->transport.done(r->transport.self, slot);
    dist_mover v = {buffer_of(r, slot), r->new_, {true, false}, r->plan->adds, r->type, error};
    if (done <= 0)
        return carried(r, sent, done == 0, m->peer, error);
    ++q->ended;
    *did = true;
    return sent || tsr_dist_walk(r->plan, m, false, q->chunk[place].first, q->chunk[place].last, tsr_dist_move_, &v);
}

static bool move(tsr_dist_run *r, tsr_message *error)
{
    for (bool did = true; did;) {
        did = false;
        if (!post(r, &r->receive, false, &did, error) || !post(r, &r->send, true, &did, error)
            || !end(r, &r->receive, false, &did, error) || !end(r, &r->send, true, &did, error))
            return false;
    }
    if (r->send.ended == r->send.posted && r->send.next == r->send.messages && r->receive.ended == r->receive.posted
        && r->receive.next == r->receive.messages)
        r->phase = LEAVE;
    return true;
}

/** Goes on when all ranks have come here; without windows nobody waits. */
static bool meet(tsr_dist_run *r, phase next, tsr_message *error)
{
    int const met = r->transport.window ? r->transport.meet(r->transport.self) : 1;
    if (met > 0)
        r->phase = next;
    return met >= 0 || tsr_dist_fail_(error, "rank %lld does not meet the others", (long long)r->plan->rank);
}

bool tsr_dist_run_step(tsr_dist_run *run, bool *done, tsr_message *error)
{
    if (run->phase == COME && !meet(run, SEE, error))
        return false;
    if (run->phase == SEE && !move_seen(run, error))
        return false;
    if (run->phase == MOVE && !move(run, error))
        return false;
    if (run->phase == LEAVE && !meet(run, ENDED, error))
        return false;
    *done = run->phase == ENDED;
    return true;
}

bool tsr_dist_redistribute(tsr_dist_plan const *plan, tsr_dist_transport const *transport, tsr_dtype type,
                           void const *old, void *new_, int64_t budget, tsr_message *error)
{
    tsr_dist_run *const r = tsr_dist_run_begin(plan, transport, type, old, new_, budget, error);
    bool ok = r != NULL;
    for (bool done = false; ok && !done;)
        ok = tsr_dist_run_step(r, &done, error);
    tsr_dist_run_free(r);
    return ok;
}
