/** The plans of all ranks against a clock. Elements are followed by tsr_dist_index_at alone, which no plan uses. */
#include <stdlib.h>

#include "mesh/form.h"
#include "tessera/mesh/simulate.h"
#include "text/writer.h"

/** A message of the simulation. */
typedef struct parcel {
    int64_t round, from, to, elements;
} parcel;

typedef struct simulator {
    tsr_dist_simulation *s;
    parcel *parcel;
    int64_t count, capacity;
    tsr_message *error;
} simulator;

/** What follows the elements of one rank: how often each place of its new part was written. */
typedef struct follower {
    tsr_dist_plan const *plan;
    int64_t peer;
    uint32_t *times; /* of the offsets of the new part */
    tsr_dist_part peer_part;
    tsr_message *error;
} follower;

/** The local indices of an offset of a part. */
static bool local_of(tsr_dist_layout const *d, tsr_dist_part const *part, int64_t offset, int64_t *local)
{
    for (int k = d->modes - 1; k >= 0; --k) {
        int const m = d->order[k];
        local[m] = part->extent[m] > 1 ? offset / part->stride[m] : 0;
        offset -= local[m] * part->stride[m];
        if (local[m] >= part->extent[m])
            return false;
    }
    return offset == 0;
}

/** One element goes from an offset of the peer's old part to an offset of the new part. */
static bool follow(follower *f, int64_t from, int64_t to)
{
    int64_t local[TSR_DIST_MODES], was[TSR_DIST_MODES], is[TSR_DIST_MODES];
    tsr_dist_plan const *const p = f->plan;
    bool same = local_of(&p->from, &f->peer_part, from, local) && tsr_dist_index_at(&p->from, f->peer, local, was)
                && local_of(&p->to, &p->part[1], to, local) && tsr_dist_index_at(&p->to, p->rank, local, is);
    for (int m = 0; same && m < p->from.modes; ++m)
        same = was[m] == is[m];
    if (!same)
        return tsr_dist_fail_(f->error,
                              "offset %lld of rank %lld gets another element, from offset %lld of rank %lld",
                              (long long)to, (long long)p->rank, (long long)from, (long long)f->peer);
    ++f->times[to];
    return true;
}

/** All elements of a box, the outermost loop first. */
static bool follow_loops(follower *f, tsr_dist_box const *b, int k, int64_t from, int64_t to)
{
    if (k < 0)
        return follow(f, from, to);
    for (int64_t i = 0; i < b->count[k]; ++i)
        if (!follow_loops(f, b, k - 1, from + i * b->step[0][k], to + i * b->step[1][k]))
            return false;
    return true;
}

static bool see(void *context, tsr_dist_box const *box, int64_t at)
{
    (void)at;
    return follow_loops((follower *)context, box, box->loops - 1, box->begin[0], box->begin[1]);
}

static bool follow_message(follower *f, tsr_dist_message const *m)
{
    f->peer = m->peer;
    (void)tsr_dist_part_of(&f->plan->from, m->peer, &f->peer_part);
    return tsr_dist_walk(f->plan, m, false, 0, m->elements, see, f);
}

/** Every place of the new part of a rank gets its element as often as there are addends for it. */
static bool check_rank(simulator *m, tsr_dist_plan const *p)
{
    tsr_dist_part const *const part = &p->part[1];
    follower f = {p, 0, NULL, {{0}, {0}, 0, 0}, m->error};
    int64_t const times = p->adds ? tsr_dist_sums(&p->from) : p->clears ? 0 : 1;
    int64_t local[TSR_DIST_MODES];
    if (part->elements == 0)
        return true;
    if ((uint64_t)part->span < SIZE_MAX / sizeof *f.times)
        f.times = (uint32_t *)calloc((size_t)part->span, sizeof *f.times);
    bool ok = f.times || tsr_dist_fail_(m->error, "the counts of rank %lld do not fit in memory", (long long)p->rank);
    ok = ok && follow_message(&f, &p->keep);
    for (int64_t i = 0; ok && i < p->receives; ++i)
        ok = follow_message(&f, &p->receive[i]);
    for (int64_t i = 0; ok && i < part->span; ++i) {
        int64_t const wanted = local_of(&p->to, part, i, local) ? times : 0;
        ok = f.times[i] == wanted
             || tsr_dist_fail_(m->error, "offset %lld of rank %lld gets %u elements, not %lld", (long long)i,
                               (long long)p->rank, f.times[i], (long long)wanted);
    }
    free(f.times);
    m->s->checked += part->elements;
    return ok;
}

/** Counts the messages that a rank sends. Received messages are the same ones seen from the other side: the sums agree.
 */
static bool add_rank(simulator *m, tsr_dist_plan const *p)
{
    tsr_dist_simulation *const s = m->s;
    for (int64_t i = 0; i < p->sends; ++i) {
        parcel const x = {tsr_dist_round(p, p->rank, p->send[i].peer), p->rank, p->send[i].peer, p->send[i].elements};
        if (!tsr_dist_grow_((void **)&m->parcel, m->count, &m->capacity, sizeof x))
            return tsr_dist_fail_(m->error, "the messages of %lld ranks do not fit in memory", (long long)p->rank);
        m->parcel[m->count++] = x;
    }
    s->elements += p->send_elements;
    s->least += tsr_dist_plan_least(p);
    s->kept += p->keep.elements;
    s->most_sent = tsr_max64(s->most_sent, p->send_elements);
    s->most_received = tsr_max64(s->most_received, p->receive_elements);
    return true;
}

static int by_round(void const *a, void const *b)
{
    parcel const *const x = (parcel const *)a, *const y = (parcel const *)b;
    if (x->round != y->round)
        return x->round < y->round ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

/** The clock: a message begins when its sender and its receiver are free. */
static bool run_clock(simulator *m, int64_t bytes, tsr_dist_clock clock)
{
    tsr_dist_simulation *const s = m->s;
    double *const until[] = {(double *)calloc((size_t)s->ranks, sizeof(double)),
                             (double *)calloc((size_t)s->ranks, sizeof(double))};
    double *const busy[] = {(double *)calloc((size_t)s->ranks, sizeof(double)),
                            (double *)calloc((size_t)s->ranks, sizeof(double))};
    bool const ok = until[0] && until[1] && busy[0] && busy[1];
    if (m->count > 0)
        qsort(m->parcel, (size_t)m->count, sizeof *m->parcel, by_round);
    for (int64_t i = 0; ok && i < m->count; ++i) {
        parcel const *const x = &m->parcel[i];
        double const takes = clock.latency + (double)x->elements * (double)bytes / clock.bandwidth;
        double const free_ = until[0][x->from] > until[1][x->to] ? until[0][x->from] : until[1][x->to];
        until[0][x->from] = until[1][x->to] = free_ + takes;
        busy[0][x->from] += takes;
        busy[1][x->to] += takes;
        s->rounds += i == 0 || x->round != x[-1].round;
        s->seconds = s->seconds > free_ + takes ? s->seconds : free_ + takes;
        for (int k = 0; k < 2; ++k) {
            double const all = busy[k][k == 0 ? x->from : x->to];
            s->least_seconds = s->least_seconds > all ? s->least_seconds : all;
        }
    }
    s->messages = m->count;
    for (int k = 0; k < 2; ++k) {
        free(until[k]);
        free(busy[k]);
    }
    return ok || tsr_dist_fail_(m->error, "the clocks of %lld ranks do not fit in memory", (long long)s->ranks);
}

bool tsr_dist_simulate(tsr_dist_layout const *from, tsr_dist_layout const *to, int64_t bytes, tsr_dist_clock clock,
                       bool check, tsr_dist_simulation *simulation, tsr_message *error)
{
    tsr_dist_simulation const nothing = {0};
    simulator m = {simulation, NULL, 0, 0, error};
    int64_t received = 0;
    bool ok = true;
    *simulation = nothing;
    if (bytes < 1 || bytes > 16 || !(clock.bandwidth > 0) || !(clock.latency >= 0))
        return tsr_dist_fail_(error, "the clock needs elements of 1 to 16 bytes, a bandwidth and a latency");
    if (!tsr_dist_check(from, error) || !tsr_dist_check(to, error))
        return false;
    simulation->ranks = tsr_max64(tsr_dist_ranks(from), tsr_dist_ranks(to));
    for (int64_t r = 0; ok && r < simulation->ranks; ++r) {
        tsr_dist_plan p;
        ok = tsr_dist_plan_make(from, to, r, clock.host, &p, error);
        if (!ok)
            break;
        received += p.receive_elements;
        ok = add_rank(&m, &p) && (!check || check_rank(&m, &p));
        tsr_dist_plan_free(&p);
    }
    ok = ok && run_clock(&m, bytes, clock);
    free(m.parcel);
    if (ok && received != simulation->elements)
        return tsr_dist_fail_(error, "ranks send %lld elements and receive %lld", (long long)simulation->elements,
                              (long long)received);
    return ok;
}

size_t tsr_dist_format_simulation(char *out, size_t size, tsr_dist_simulation const *s, int64_t bytes)
{
    writer w;
    writer_open(&w, out, size);
    put(&w, "%lld bytes in %lld messages, lower bound %lld; %lld bytes stay", (long long)(s->elements * bytes),
        (long long)s->messages, (long long)(s->least * bytes), (long long)(s->kept * bytes));
    put(&w, "\nat most %lld bytes sent and %lld received by a rank, in %lld rounds",
        (long long)(s->most_sent * bytes), (long long)(s->most_received * bytes), (long long)s->rounds);
    put(&w, "\n");
    put_real(&w, "%.3f", 1e6 * s->seconds);
    put(&w, " us by the model; the busiest rank alone ");
    put_real(&w, "%.3f", 1e6 * s->least_seconds);
    put(&w, " us");
    return w.used;
}
