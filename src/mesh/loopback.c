/** A transport inside one process: the slots of all ranks, and messages that are copied when they are asked for. */
#include <stdlib.h>
#include <string.h>

#include "mesh/form.h"
#include "tessera/mesh/run.h"

enum { SLOTS = 2 * TSR_DIST_FLIGHT };

typedef struct slot {
    int64_t peer, bytes;
    uint64_t order; /* among all messages; 0: none is on its way */
    void const *sent;
    void *received;
} slot;

typedef struct rank_state {
    struct tsr_dist_loopback *loopback;
    int64_t rank;
    void const *shown;
    slot slot[SLOTS];
    int64_t barriers; /* that it has reached */
    bool waits;
} rank_state;

struct tsr_dist_loopback {
    int64_t ranks, bytes, come, barriers;
    uint64_t messages;
    rank_state *rank;
};

static bool post_slot(rank_state *r, int64_t index, int64_t peer, void const *sent, void *received, int64_t n)
{
    slot const s = {peer, n, ++r->loopback->messages, sent, received};
    if (peer < 0 || peer >= r->loopback->ranks || index < 0 || index >= SLOTS || r->slot[index].order)
        return false;
    r->slot[index] = s;
    return true;
}

static bool loopback_send(void *self, int64_t index, int64_t to, void const *bytes, int64_t n)
{
    return post_slot((rank_state *)self, index, to, bytes, NULL, n);
}

static bool loopback_receive(void *self, int64_t index, int64_t from, void *bytes, int64_t n)
{
    return post_slot((rank_state *)self, index, from, NULL, bytes, n);
}

/** The first message on its way from one rank to another. */
static slot *first_sent(rank_state *from, int64_t to)
{
    slot *found = NULL;
    for (int i = 0; i < SLOTS; ++i) {
        slot *const s = &from->slot[i];
        if (s->order && s->sent && s->peer == to && (!found || s->order < found->order))
            found = s;
    }
    return found;
}

static int loopback_done(void *self, int64_t index)
{
    rank_state *const r = (rank_state *)self;
    slot *const s = &r->slot[index];
    if (!s->order || !s->received)
        return !s->order;
    slot *const sent = first_sent(&r->loopback->rank[s->peer], r->rank);
    if (!sent)
        return 0;
    if (sent->bytes != s->bytes)
        return -1;
    memcpy(s->received, sent->sent, (size_t)s->bytes);
    r->loopback->bytes += s->bytes;
    s->order = sent->order = 0;
    return 1;
}

static int loopback_barrier(void *self)
{
    rank_state *const r = (rank_state *)self;
    tsr_dist_loopback *const l = r->loopback;
    if (!r->waits) {
        r->waits = true;
        ++r->barriers;
        if (++l->come == l->ranks) {
            l->come = 0;
            ++l->barriers;
        }
    }
    r->waits = l->barriers < r->barriers;
    return !r->waits;
}

static bool loopback_cancel(void *self, int64_t index)
{
    ((rank_state *)self)->slot[index].order = 0;
    return true;
}

static void const *loopback_window(void *self, int64_t rank)
{
    return ((rank_state *)self)->loopback->rank[rank].shown;
}

tsr_dist_loopback *tsr_dist_loopback_make(int64_t ranks)
{
    tsr_dist_loopback *const l = (tsr_dist_loopback *)calloc(1, sizeof *l);
    if (l && ranks > 0 && ranks < TSR_DIST_RANKS)
        l->rank = (rank_state *)calloc((size_t)ranks, sizeof *l->rank);
    if (!l || !l->rank) {
        free(l);
        return NULL;
    }
    l->ranks = ranks;
    for (int64_t i = 0; i < ranks; ++i) {
        l->rank[i].loopback = l;
        l->rank[i].rank = i;
    }
    return l;
}

void tsr_dist_loopback_free(tsr_dist_loopback *loopback)
{
    if (loopback)
        free(loopback->rank);
    free(loopback);
}

void tsr_dist_loopback_show(tsr_dist_loopback *loopback, int64_t rank, void const *old)
{
    loopback->rank[rank].shown = old ? old : &loopback->rank[rank];
}

tsr_dist_transport tsr_dist_loopback_at(tsr_dist_loopback *loopback, int64_t rank)
{
    tsr_dist_transport t = {0};
    t.self = &loopback->rank[rank];
    t.rank = rank;
    t.ranks = loopback->ranks;
    t.send = loopback_send;
    t.receive = loopback_receive;
    t.done = loopback_done;
    t.barrier = loopback_barrier;
    t.window = loopback_window;
    t.cancel = loopback_cancel;
    return t;
}

int64_t tsr_dist_loopback_bytes(tsr_dist_loopback const *loopback) { return loopback->bytes; }

bool tsr_dist_loopback_run(tsr_dist_loopback *loopback, tsr_dist_run *const *runs, tsr_message *error)
{
    int still = 0; /* turns of all ranks in which nothing was posted, moved or ended */
    for (int64_t left = loopback->ranks; left > 0;) {
        tsr_dist_loopback const before = *loopback;
        int64_t const waited = left;
        left = 0;
        for (int64_t i = 0; i < loopback->ranks; ++i) {
            bool done = false;
            if (!tsr_dist_run_step(runs[i], &done, error))
                return false;
            left += !done;
        }
        bool const same = left == waited && before.bytes == loopback->bytes && before.come == loopback->come
                          && before.messages == loopback->messages && before.barriers == loopback->barriers;
        still = same ? still + 1 : 0;
        if (still == 2)
            return tsr_dist_fail_(error, "%lld of %lld ranks wait for messages that nobody sends", (long long)left,
                                  (long long)loopback->ranks);
    }
    return true;
}
