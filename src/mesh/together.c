/** Collectives: which redistributions are one, and their packed parts. */
#include <stdlib.h>
#include <string.h>

#include "mesh/form.h"
#include "mesh/together.h"

/** Larger tensors go by messages, of which one is packed while another one is under way. */
enum { MOST_TENSOR = 256 << 10 };

/** How many ranks the splits of modes tell apart. */
static int64_t shards_of(tsr_dist_layout const *d)
{
    int64_t n = 1;
    for (int k = 0; k < d->splits; ++k)
        n *= tsr_dist_cuts_(&d->split[k]) ? d->split[k].extent : 1;
    return n;
}

/** Is each rank below n one of the mesh's, and are all of them? */
static bool is_full(tsr_dist_layout const *d, int64_t n)
{
    return d->first == 0 && tsr_dist_ranks(d) == n && shards_of(d) * tsr_dist_copies(d) * tsr_dist_sums(d) == n;
}

static bool splits_mode(tsr_dist_layout const *d, int mode)
{
    for (int k = 0; k < d->splits; ++k)
        if (tsr_dist_cuts_(&d->split[k]) && d->split[k].mode == mode && d->split[k].extent > 1)
            return true;
    return false;
}

/** Does no mode have shards on both sides? */
static bool are_apart(tsr_dist_layout const *a, tsr_dist_layout const *b)
{
    for (int m = 0; m < a->modes; ++m)
        if (splits_mode(a, m) && splits_mode(b, m))
            return false;
    return true;
}

/** Has every rank some elements? */
static bool all_hold(tsr_dist_layout const *d, int64_t n)
{
    tsr_dist_part part;
    for (int64_t r = 0; r < n; ++r)
        if (!tsr_dist_part_of(d, r, &part) || part.elements == 0)
            return false;
    return true;
}

tsr_dist_collective tsr_dist_collective_of(tsr_dist_layout const *from, tsr_dist_layout const *to)
{
    int64_t const n = tsr_dist_ranks(from);
    if (n < 2 || !is_full(from, n) || !is_full(to, n))
        return TSR_DIST_NONE;
    bool const shards = shards_of(from) == n, sums = tsr_dist_sums(from) == n;
    if (tsr_dist_copies(to) == n)
        return shards ? TSR_DIST_ALLGATHER : sums ? TSR_DIST_ALLREDUCE : TSR_DIST_NONE;
    if (shards_of(to) == n && sums)
        return TSR_DIST_REDUCE_SCATTER;
    bool const meets = shards_of(to) == n && shards && are_apart(from, to);
    return meets && all_hold(from, n) && all_hold(to, n) ? TSR_DIST_ALLTOALL : TSR_DIST_NONE;
}

static bool sums(tsr_dist_collective kind) { return kind == TSR_DIST_REDUCE_SCATTER || kind == TSR_DIST_ALLREDUCE; }

bool tsr_dist_together_sums_(dist_together const *t) { return sums(t->call.kind); }

/** Do all orders of the addends give the same bits? */
static bool sums_exactly(tsr_dist_terms const *t)
{
    int const code = tsr_dtype_code(t->to);
    return (code == 0 || code == 1) && t->from == t->to && tsr_dist_copies_(t);
}

static bool is_used(tsr_dist_plan const *p, tsr_dist_transport const *t, tsr_dist_terms const *terms,
                    tsr_dist_collective kind, int64_t bytes, int64_t budget)
{
    int64_t all = bytes;
    for (int m = 0; m < p->from.modes; ++m)
        all = tsr_mul64_most(all, p->from.extent[m]);
    return kind != TSR_DIST_NONE && tsr_dist_ranks(&p->from) == t->ranks && all <= tsr_min64(budget / 2, MOST_TENSOR)
           && (!sums(kind) || sums_exactly(terms)) && t->joins(t->self, kind, terms->to);
}

/** The bytes of a list of messages, by their peers. */
static int64_t list_bytes(tsr_dist_message const *list, int64_t n, int64_t bytes, int64_t *of)
{
    int64_t all = 0;
    for (int64_t i = 0; i < n; ++i) {
        of[list[i].peer] = list[i].elements * bytes;
        all += of[list[i].peer];
    }
    return all;
}

bool tsr_dist_together_make_(tsr_dist_plan const *plan, tsr_dist_transport const *transport,
                             tsr_dist_terms const *terms, tsr_dtype carried, int64_t budget, dist_together *t)
{
    int64_t const n = transport->ranks, bytes = tsr_dtype_bits(carried) / 8;
    memset(t, 0, sizeof *t);
    if (!transport->joins)
        return true;
    tsr_dist_collective const kind = tsr_dist_collective_of(&plan->from, &plan->to);
    if (!is_used(plan, transport, terms, kind, bytes, budget))
        return true;
    t->bytes = (int64_t *)calloc(2 * (size_t)n, sizeof *t->bytes);
    if (!t->bytes)
        return false;
    int64_t *const sent = t->bytes, *const received = t->bytes + n, own = plan->keep.elements * bytes;
    int64_t send = list_bytes(plan->send, plan->sends, bytes, sent);
    int64_t receive = list_bytes(plan->receive, plan->receives, bytes, received);
    if (kind != TSR_DIST_ALLTOALL) { /* what stays takes part */
        sent[plan->rank] = received[plan->rank] = own;
        send = kind == TSR_DIST_REDUCE_SCATTER ? send + own : own;
        receive = kind == TSR_DIST_ALLGATHER ? receive + own : own;
    }
    t->buffer = (char *)malloc((size_t)(send + receive) + 1);
    t->call = (tsr_dist_together){kind, carried, t->buffer, t->buffer + send, sent, received};
    return t->buffer != NULL;
}

void tsr_dist_together_free_(dist_together *t)
{
    free(t->bytes);
    free(t->buffer);
    memset(t, 0, sizeof *t);
}

/** The message to a rank, or from it; NULL: there is none. */
static tsr_dist_message const *message_of(tsr_dist_plan const *p, bool sent, int64_t peer)
{
    if (peer == p->rank)
        return &p->keep;
    tsr_dist_message const *const list = sent ? p->send : p->receive;
    int64_t low = 0, high = sent ? p->sends : p->receives;
    int64_t const round = sent ? tsr_dist_round(p, p->rank, peer) : tsr_dist_round(p, peer, p->rank);
    while (low < high) {
        int64_t const middle = low + (high - low) / 2;
        int64_t const q = list[middle].peer;
        int64_t const there = sent ? tsr_dist_round(p, p->rank, q) : tsr_dist_round(p, q, p->rank);
        if (there == round)
            return &list[middle];
        if (there < round)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/** All parts of a buffer, in the order of their ranks: those that are sent, or received. */
static bool walk_all(tsr_dist_plan const *p, bool sent, int64_t const *bytes, int64_t ranks, dist_mover *v)
{
    for (int64_t r = 0; r < ranks; ++r) {
        bool const there = !sent && r == p->rank; /* what stays */
        tsr_dist_message const *const m = bytes[r] > 0 && !there ? message_of(p, sent, r) : NULL;
        if (m && !tsr_dist_walk(p, m, sent && r != p->rank, 0, m->elements, tsr_dist_move_, v))
            return false;
        if (sent)
            v->to = (char *)v->to + bytes[r];
        else
            v->from = (char const *)v->from + bytes[r];
    }
    return true;
}

static bool walk_one(tsr_dist_plan const *p, dist_mover *v)
{
    return tsr_dist_walk(p, &p->keep, false, 0, p->keep.elements, tsr_dist_move_, v);
}

bool tsr_dist_together_pack_(dist_together *t, tsr_dist_plan const *plan, tsr_dist_terms const *terms,
                             void const *old, tsr_message *error)
{
    tsr_dist_collective const kind = t->call.kind;
    dist_mover v = {old, t->buffer, {false, true}, *terms, error, false};
    if (kind == TSR_DIST_ALLGATHER || kind == TSR_DIST_ALLREDUCE)
        return walk_one(plan, &v);
    return walk_all(plan, true, t->call.sent, plan->ranks, &v);
}

bool tsr_dist_together_unpack_(dist_together *t, tsr_dist_plan const *plan, tsr_dist_terms const *terms, void *new_,
                               tsr_message *error)
{
    dist_mover v = {t->call.receive, new_, {true, false}, *terms, error, false};
    if (sums(t->call.kind))
        return walk_one(plan, &v);
    return walk_all(plan, false, t->call.received, plan->ranks, &v);
}
