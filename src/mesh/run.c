/** A running plan: local copies, windows of shared memory, and two queues of chunks in flight. */
#include <stdlib.h>

#include "mesh/form.h"
#include "mesh/together.h"

enum { DEFAULT_BUDGET = 16 << 20, MOST_CHUNK = 1 << 30 /* bytes: counts of MPI are int */, MOST_KEPT = 1 << 12 };

/** One direction: messages in order, cut into chunks; chunk number c has slot c modulo the flight. */
typedef struct queue {
    tsr_dist_message const *message;
    int64_t messages;
    int64_t next, first;   /* the message and its element that is posted next */
    int64_t posted, ended; /* chunks */
    struct {
        int64_t message, first, last;
    } chunk[TSR_DIST_FLIGHT];
    int64_t *kept, kept_count; /* the transport's requests of the first chunks */
} queue;

typedef enum phase { COME, SEE, MOVE, LEAVE, ENDED } phase;

struct tsr_dist_run {
    tsr_dist_plan const *plan;
    tsr_dist_transport transport;
    tsr_dist_terms terms; /* beta: of what is moved; a sum has scaled the part before */
    tsr_number beta;      /* as it was asked for */
    tsr_dtype carried;    /* the type of messages */
    int64_t bytes, chunk; /* of an element of a message; elements of a chunk */
    void const *old;
    void *new_;
    char *buffer; /* 2 * TSR_DIST_FLIGHT chunks, those to send first */
    queue send, receive;
    dist_together all; /* in place of the queues */
    phase phase;
    bool again; /* it has run before */
    bool past;  /* lines of the new part pass the caches */
};

static void const *window_of(tsr_dist_run const *r, int64_t peer)
{
    return r->transport.window ? r->transport.window(r->transport.self, peer) : NULL;
}

static int64_t slot_of(int64_t chunk, bool sent) { return chunk % TSR_DIST_FLIGHT + (sent ? 0 : TSR_DIST_FLIGHT); }

static char *buffer_of(tsr_dist_run const *r, int64_t slot) { return r->buffer + slot * r->chunk * r->bytes; }

static int64_t longest(queue const *q)
{
    int64_t n = 1;
    for (int64_t i = 0; i < q->messages; ++i)
        n = tsr_max64(n, q->message[i].elements);
    return n;
}

static bool refuse(tsr_dist_plan const *p, tsr_dist_transport const *t, tsr_dist_terms const *terms, void const *old,
                   void const *new_, int64_t budget, tsr_message *error)
{
    tsr_dtype const types[] = {terms->from, terms->to};
    if (!t->send || !t->receive || !t->done || (t->window && !t->barrier))
        return tsr_dist_fail_(error,
                              "the transport has no functions `send`, `receive` and `done`, or a `window` and no "
                              "`barrier`");
    for (int i = 0; i < 2; ++i) {
        int const bits = tsr_dtype_bits(types[i]);
        if (bits <= 0 || bits % 8 != 0)
            return tsr_dist_fail_(error, "elements of %d bits are not whole bytes, which messages are made of", bits);
    }
    if (p->rank != t->rank || tsr_max64(tsr_dist_ranks(&p->from), tsr_dist_ranks(&p->to)) > t->ranks)
        return tsr_dist_fail_(error, "the plan of rank %lld of %lld is run by rank %lld of %lld", (long long)p->rank,
                              (long long)p->ranks, (long long)t->rank, (long long)t->ranks);
    if ((p->part[0].elements > 0 && !old) || (p->part[1].elements > 0 && !new_))
        return tsr_dist_fail_(error, "rank %lld has %lld elements before and %lld after, and no memory for them",
                              (long long)p->rank, (long long)p->part[0].elements, (long long)p->part[1].elements);
    if (budget < 0)
        return tsr_dist_fail_(error, "the budget is %lld bytes", (long long)budget);
    return tsr_dist_computes_(terms, error);
}

tsr_dist_terms tsr_dist_terms_of(tsr_dtype type)
{
    tsr_dist_terms const terms = {type, type, tsr_number_int(1), tsr_number_int(0)};
    return terms;
}

/** The queues and their buffers. False: no memory. */
static bool make_queues(tsr_dist_run *r, int64_t budget)
{
    r->send.message = r->plan->send;
    r->send.messages = r->plan->sends;
    r->receive.message = r->plan->receive;
    r->receive.messages = r->plan->receives;
    r->chunk = tsr_max64(tsr_min64(budget / (2 * TSR_DIST_FLIGHT), MOST_CHUNK) / r->bytes, 1);
    r->chunk = tsr_min64(r->chunk, tsr_max64(longest(&r->send), longest(&r->receive))); /* cuts no other message */
    uint64_t const bytes = 2 * TSR_DIST_FLIGHT * (uint64_t)(r->chunk * r->bytes);
    r->buffer = bytes <= SIZE_MAX ? (char *)malloc((size_t)bytes) : NULL;
    return r->buffer != NULL;
}

tsr_dist_run *tsr_dist_axpby_begin(tsr_dist_plan const *plan, tsr_dist_transport const *transport,
                                   tsr_dist_terms const *terms, void const *old, void *new_, int64_t budget,
                                   tsr_message *error)
{
    if (!refuse(plan, transport, terms, old, new_, budget, error))
        return NULL;
    bool const narrows = tsr_dtype_bits(terms->to) < tsr_dtype_bits(terms->from);
    tsr_dist_run *const r = (tsr_dist_run *)calloc(1, sizeof *r);
    if (r) {
        r->plan = plan;
        r->transport = *transport;
        r->terms = *terms;
        r->beta = terms->beta;
        if (plan->adds)
            r->terms.beta = tsr_number_int(1);
        r->carried = narrows && tsr_number_is_zero(r->terms.beta) ? terms->to : terms->from;
        r->bytes = tsr_dtype_bits(r->carried) / 8;
        r->old = old;
        r->new_ = new_;
        r->past = tsr_dist_goes_past_(&plan->part[1], terms->to);
    }
    int64_t const most = budget > 0 ? budget : DEFAULT_BUDGET;
    if (r && tsr_dist_together_make_(plan, transport, terms, r->carried, most, &r->all)
        && (r->all.call.kind || make_queues(r, most)))
        return r;
    if (r)
        tsr_dist_together_free_(&r->all);
    free(r);
    (void)tsr_dist_fail_(error, "the buffers of rank %lld do not fit in memory", (long long)plan->rank);
    return NULL;
}

tsr_dist_run *tsr_dist_run_begin(tsr_dist_plan const *plan, tsr_dist_transport const *transport, tsr_dtype type,
                                 void const *old, void *new_, int64_t budget, tsr_message *error)
{
    tsr_dist_terms const terms = tsr_dist_terms_of(type);
    return tsr_dist_axpby_begin(plan, transport, &terms, old, new_, budget, error);
}

/** Ends the messages on their way and the kept requests of a queue. False: the transport still uses the buffer. */
static bool end_queue(tsr_dist_run *r, queue *q, bool sent)
{
    tsr_dist_transport const *const t = &r->transport;
    bool free_ = true;
    for (; q->ended < q->posted; ++q->ended)
        free_ = t->cancel && t->cancel(t->self, slot_of(q->ended, sent)) && free_;
    for (int64_t i = 0; free_ && i < q->kept_count; ++i)
        if (q->kept[i] >= 0)
            t->drop(t->self, q->kept[i]);
    free(q->kept);
    return free_;
}

void tsr_dist_run_free(tsr_dist_run *run)
{
    if (!run)
        return;
    bool const sent = end_queue(run, &run->send, true), received = end_queue(run, &run->receive, false);
    tsr_dist_transport const *const t = &run->transport;
    if (sent && received)
        free(run->buffer);
    if (!run->all.begun || run->phase == ENDED || (t->cancel && t->cancel(t->self, 0)))
        tsr_dist_together_free_(&run->all);
    free(run);
}

/** Reserves room for the requests of a queue, as many as its chunks so far. Without memory the queue keeps none. */
static void keep_requests(queue *q)
{
    int64_t const n = tsr_min64(q->posted, MOST_KEPT);
    q->kept = n > 0 ? (int64_t *)malloc((size_t)n * sizeof *q->kept) : NULL;
    q->kept_count = q->kept ? n : 0;
    for (int64_t i = 0; i < q->kept_count; ++i)
        q->kept[i] = -1;
}

bool tsr_dist_run_again(tsr_dist_run *run)
{
    queue *const queues[] = {&run->send, &run->receive};
    if (run->phase != ENDED)
        return false;
    for (int i = 0; i < 2; ++i) {
        queue *const q = queues[i];
        if (!run->again && run->transport.keep)
            keep_requests(q);
        q->next = q->first = q->posted = q->ended = 0;
    }
    run->again = true;
    run->all.begun = false;
    run->phase = COME;
    return true;
}

/** What needs no message: zeros, what stays, and what other ranks show. */
static bool move_seen(tsr_dist_run *r, tsr_message *error)
{
    tsr_dist_plan const *const p = r->plan;
    dist_mover v = {r->old, r->new_, {false, false}, r->terms, error, r->past};
    tsr_dist_terms scaled = r->terms;
    r->phase = MOVE;
    if (tsr_dist_together_sums_(&r->all))
        return true;
    scaled.beta = r->beta;
    if (p->clears && !tsr_dist_scale_(&p->part[1], p->to.modes, r->new_, &scaled, error))
        return false;
    if (!tsr_dist_walk(p, &p->keep, false, 0, p->keep.elements, tsr_dist_move_, &v))
        return false;
    for (int64_t i = 0; i < p->receives; ++i) {
        v.from = window_of(r, p->receive[i].peer);
        if (v.from && !tsr_dist_walk(p, &p->receive[i], false, 0, p->receive[i].elements, tsr_dist_move_, &v))
            return false;
    }
    return true;
}

static bool carried(tsr_dist_run const *r, bool sent, bool ok, int64_t peer, tsr_message *error)
{
    tsr_dist_transport const *const t = &r->transport;
    char const *const why = ok || !t->why ? "" : t->why(t->self);
    return ok
           || tsr_dist_fail_(error, "rank %lld cannot %s rank %lld%s%s", (long long)r->plan->rank,
                             sent ? "send to" : "receive from", (long long)peer, *why ? ": " : "", why);
}

/** Hands chunk number `chunk` to the transport: by a request that is kept, if there is one. */
static bool hand_over(tsr_dist_run *r, queue *q, bool sent, int64_t chunk, int64_t peer, int64_t n)
{
    tsr_dist_transport const *const t = &r->transport;
    int64_t const slot = slot_of(chunk, sent);
    char *const bytes = buffer_of(r, slot);
    if (chunk < q->kept_count && q->kept[chunk] < 0)
        q->kept[chunk] = t->keep(t->self, sent, peer, bytes, n);
    if (chunk < q->kept_count && q->kept[chunk] >= 0)
        return t->start(t->self, slot, q->kept[chunk]);
    return sent ? t->send(t->self, slot, peer, bytes, n) : t->receive(t->self, slot, peer, bytes, n);
}

/** The terms of packing: where the new type is the one that is carried, elements are computed here. */
static tsr_dist_terms pack_terms(tsr_dist_run const *r)
{
    return r->carried != r->terms.from ? r->terms : tsr_dist_terms_of(r->terms.from);
}

static tsr_dist_terms unpack_terms(tsr_dist_run const *r)
{
    return r->carried != r->terms.from ? tsr_dist_terms_of(r->carried) : r->terms;
}

static bool pack(tsr_dist_run *r, tsr_dist_message const *m, int64_t first, int64_t last, char *bytes,
                 tsr_message *error)
{
    dist_mover v = {r->old, bytes, {false, true}, pack_terms(r), error, false};
    return tsr_dist_walk(r->plan, m, true, first, last, tsr_dist_move_, &v);
}

static bool unpack(tsr_dist_run *r, tsr_dist_message const *m, int64_t first, int64_t last, char const *bytes,
                   tsr_message *error)
{
    dist_mover v = {bytes, r->new_, {true, false}, unpack_terms(r), error, r->past};
    return tsr_dist_walk(r->plan, m, false, first, last, tsr_dist_move_, &v);
}

/** Posts the next chunk. `did` stays as it was if no chunk is left or no slot is free. */
static bool post(tsr_dist_run *r, queue *q, bool sent, bool *did, tsr_message *error)
{
    while (q->next < q->messages && window_of(r, q->message[q->next].peer))
        ++q->next;
    if (q->next == q->messages || q->posted - q->ended == TSR_DIST_FLIGHT)
        return true;
    tsr_dist_message const *const m = &q->message[q->next];
    int64_t const chunk = q->posted, place = chunk % TSR_DIST_FLIGHT;
    int64_t const last = tsr_min64(q->first + r->chunk, m->elements), n = (last - q->first) * r->bytes;
    if (sent && !pack(r, m, q->first, last, buffer_of(r, place), error))
        return false;
    if (!carried(r, sent, hand_over(r, q, sent, chunk, m->peer, n), m->peer, error))
        return false;
    q->chunk[place].message = q->next;
    q->chunk[place].first = q->first;
    q->chunk[place].last = last;
    q->first = last == m->elements ? 0 : last;
    q->next += last == m->elements;
    ++q->posted;
    *did = true;
    return true;
}

/** Ends the oldest chunk, if it is done. */
static bool end(tsr_dist_run *r, queue *q, bool sent, bool *did, tsr_message *error)
{
    if (q->ended == q->posted)
        return true;
    int64_t const place = q->ended % TSR_DIST_FLIGHT, slot = slot_of(q->ended, sent);
    tsr_dist_message const *const m = &q->message[q->chunk[place].message];
    int const done = r->transport.done(r->transport.self, slot);
    if (done <= 0)
        return carried(r, sent, done == 0, m->peer, error);
    ++q->ended;
    *did = true;
    return sent || unpack(r, m, q->chunk[place].first, q->chunk[place].last, buffer_of(r, slot), error);
}

static bool joined(tsr_dist_run const *r, bool ok, tsr_message *error)
{
#define X(id, word) word,
    static char const *const words[] = {TSR_DIST_COLLECTIVE_LIST(X)};
#undef X
    tsr_dist_transport const *const t = &r->transport;
    char const *const why = ok || !t->why ? "" : t->why(t->self);
    return ok
           || tsr_dist_fail_(error, "rank %lld cannot join %s%s%s", (long long)r->plan->rank, words[r->all.call.kind],
                             *why ? ": " : "", why);
}

/** All messages as one call. */
static bool move_together(tsr_dist_run *r, tsr_message *error)
{
    tsr_dist_transport const *const t = &r->transport;
    tsr_dist_terms const in = pack_terms(r), out = tsr_dist_together_sums_(&r->all) ? in : unpack_terms(r);
    if (!r->all.begun) {
        if (!tsr_dist_together_pack_(&r->all, r->plan, &in, r->old, error)
            || !joined(r, t->together(t->self, &r->all.call), error))
            return false;
        r->all.begun = true;
    }
    int const done = t->done(t->self, 0);
    if (done <= 0)
        return joined(r, done == 0, error);
    r->phase = LEAVE;
    return tsr_dist_together_unpack_(&r->all, r->plan, &out, r->new_, error);
}

static bool move(tsr_dist_run *r, tsr_message *error)
{
    if (r->all.call.kind)
        return move_together(r, error);
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
static bool pass_barrier(tsr_dist_run *r, phase next, tsr_message *error)
{
    int const passed = r->transport.window ? r->transport.barrier(r->transport.self) : 1;
    if (passed > 0)
        r->phase = next;
    char const *const why = passed >= 0 || !r->transport.why ? "" : r->transport.why(r->transport.self);
    return passed >= 0
           || tsr_dist_fail_(error, "rank %lld does not pass the barrier%s%s", (long long)r->plan->rank,
                             *why ? ": " : "", why);
}

bool tsr_dist_run_step(tsr_dist_run *run, bool *done, tsr_message *error)
{
    if (run->phase == COME && !pass_barrier(run, SEE, error))
        return false;
    if (run->phase == SEE && !move_seen(run, error))
        return false;
    if (run->phase == MOVE && !move(run, error))
        return false;
    if (run->phase == LEAVE && !pass_barrier(run, ENDED, error))
        return false;
    *done = run->phase == ENDED;
    return true;
}

bool tsr_dist_run_wait(tsr_dist_run *run, tsr_message *error)
{
    for (bool done = false; !done;)
        if (!tsr_dist_run_step(run, &done, error))
            return false;
    return true;
}

bool tsr_dist_axpby(tsr_dist_plan const *plan, tsr_dist_transport const *transport, tsr_dist_terms const *terms,
                    void const *old, void *new_, int64_t budget, tsr_message *error)
{
    tsr_dist_run *const r = tsr_dist_axpby_begin(plan, transport, terms, old, new_, budget, error);
    bool const ok = r && tsr_dist_run_wait(r, error);
    tsr_dist_run_free(r);
    return ok;
}

bool tsr_dist_redistribute(tsr_dist_plan const *plan, tsr_dist_transport const *transport, tsr_dtype type,
                           void const *old, void *new_, int64_t budget, tsr_message *error)
{
    tsr_dist_terms const terms = tsr_dist_terms_of(type);
    return tsr_dist_axpby(plan, transport, &terms, old, new_, budget, error);
}
