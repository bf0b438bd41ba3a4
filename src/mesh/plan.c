/** The messages of a rank: products of the lists of its modes, times addends and copies. */
#include <stdlib.h>

#include "mesh/list.h"

/** A plan in the making: both layouts as forms, and what of a rank does not depend on its copies. */
typedef struct maker {
    tsr_dist_plan *p;
    dist_form form[2];
    int64_t digit[2][TSR_DIST_SPLITS];
    int64_t base[2];                               /* the rank's place without its copies, where a mesh has it */
    int64_t addend[2];                             /* which addend it has */
    int64_t *sum[2], sums[2], *copy[2], copies[2]; /* places of all addends and copies */
    int64_t host;
    int64_t capacity[2];
} maker;

/** Decodes a rank in one of the layouts; false where that mesh does not have it. */
static bool decode(maker const *k, int side, int64_t rank, int64_t *digit, int64_t *base, int64_t *addend)
{
    dist_form const *const f = &k->form[side];
    int64_t number = 0;
    if (!tsr_dist_digits_(f, rank, digit))
        return false;
    *base = rank - tsr_dist_place_of_(f, f->copy, f->copies, digit, &number);
    (void)tsr_dist_place_of_(f, f->sum, f->sums, digit, addend);
    return true;
}

static bool push(maker *k, int received, int64_t peer, tsr_dist_message const *message)
{
    tsr_dist_plan *const p = k->p;
    tsr_dist_message **const list = received ? &p->receive : &p->send;
    int64_t *const n = received ? &p->receives : &p->sends;
    if (!tsr_dist_grow_((void **)list, *n, &k->capacity[received], sizeof **list))
        return false;
    (*list)[*n] = *message;
    (*list)[(*n)++].peer = peer;
    *(received ? &p->receive_elements : &p->send_elements) += message->elements;
    return true;
}

/** Has rank `peer`, too, what this rank sends? Without copies each rank has elements of its own. */
static bool has_them(maker const *k, int64_t peer)
{
    int64_t digit[TSR_DIST_SPLITS], base = 0, addend = 0;
    return k->copies[0] == 1 ? peer == k->p->rank : decode(k, 0, peer, digit, &base, &addend) && base == k->base[0];
}

/** Does addend `old` of the old layout go to addend `new_` of the new one? */
static bool addends_meet(maker const *k, int64_t old, int64_t new_)
{
    return k->sums[0] == k->sums[1] ? old == new_ : k->sums[1] == 1 || new_ == 0;
}

/** The rank receives the elements at `place` of the old mesh, from each addend. */
static bool receive(maker *k, int64_t place, tsr_dist_message const *message)
{
    for (int64_t s = 0; s < k->sums[0]; ++s) {
        int64_t const base = k->form[0].d->first + place + k->sum[0][s];
        if (!addends_meet(k, s, k->addend[1]))
            continue;
        if (k->p->holds[0] && k->base[0] == base) {
            k->p->keep = *message;
            k->p->keep.peer = k->p->rank;
        } else if (!push(k, 1, tsr_dist_sender_(k->copy[0], k->copies[0], base, k->p->rank, k->host), message)) {
            return false;
        }
    }
    return true;
}

/** The rank sends the elements at `place` of the new mesh, to all copies that have it as their sender. */
static bool send(maker *k, int64_t place, tsr_dist_message const *message)
{
    for (int64_t s = 0; s < k->sums[1]; ++s) {
        if (!addends_meet(k, k->addend[0], s))
            continue;
        for (int64_t c = 0; c < k->copies[1]; ++c) {
            int64_t const peer = k->form[1].d->first + place + k->sum[1][s] + k->copy[1][c];
            if (!has_them(k, peer)
                && tsr_dist_sender_(k->copy[0], k->copies[0], k->base[0], peer, k->host) == k->p->rank
                && !push(k, 0, peer, message))
                return false;
        }
    }
    return true;
}

/** Each combination of entries of the lists is a message. */
static bool all_messages(maker *k, int received)
{
    tsr_dist_lists const *const lists = k->p->lists[received];
    int const modes = k->p->from.modes;
    tsr_dist_message x = {0};
    int64_t at[TSR_DIST_MODES] = {0}, most = k->sums[!received] * (received ? 1 : k->copies[1]);
    for (int m = 0; m < modes; ++m)
        most = tsr_mul64_most(most, lists->mode[m].count);
    tsr_dist_message **const list = received ? &k->p->receive : &k->p->send;
    if (most == 0)
        return true;
    tsr_dist_reserve_((void **)list, tsr_min64(most, k->p->ranks), &k->capacity[received], sizeof **list);
    for (;;) {
        int64_t place = 0;
        int m = 0;
        x.elements = 1;
        for (int i = 0; i < modes; ++i) {
            dist_entry const *const e = &lists->mode[i].entry[at[i]];
            place += e->rank;
            x.elements *= e->elements;
        }
        if (!(received ? receive(k, place, &x) : send(k, place, &x)))
            return false;
        for (; m < modes && ++at[m] == lists->mode[m].count; ++m)
            at[m] = 0;
        if (m == modes)
            return true;
        ++x.which;
    }
}

int64_t tsr_dist_round(tsr_dist_plan const *plan, int64_t sender, int64_t receiver)
{
    int64_t const round = receiver - sender;
    return round < 0 ? round + plan->ranks : round;
}

/** Orders messages by their rounds. No two messages have one peer, so each gets a place of its own. */
static bool by_rounds(tsr_dist_plan const *p, bool received, tsr_dist_message *list, int64_t n)
{
    uint32_t *const from = (uint32_t *)calloc((size_t)p->ranks, sizeof *from); /* of a place: which message, from 1 */
    int64_t done = 0;
    if (!from)
        return false;
    for (int64_t i = 0; i < n; ++i) {
        int64_t const peer = list[i].peer;
        from[received ? tsr_dist_round(p, peer, p->rank) : tsr_dist_round(p, p->rank, peer)] = (uint32_t)i + 1;
    }
    for (int64_t r = 0; r < p->ranks; ++r)
        if (from[r])
            from[done++] = from[r];
    for (int64_t i = 0; i < n; ++i) { /* each cycle of places in turn; a place that has its message is marked 0 */
        tsr_dist_message const first = list[i];
        for (int64_t to = i; from[to] > 0;) {
            int64_t const next = (int64_t)from[to] - 1;
            list[to] = next == i ? first : list[next];
            from[to] = 0;
            to = next;
        }
    }
    free(from);
    return true;
}

static bool comparable(tsr_dist_layout const *from, tsr_dist_layout const *to, tsr_message *error)
{
    int64_t const old = tsr_dist_sums(from), wanted = tsr_dist_sums(to);
    if (from->modes != to->modes)
        return tsr_dist_fail_(error, "the tensor has %d modes here and %d there", from->modes, to->modes);
    for (int m = 0; m < from->modes; ++m)
        if (from->extent[m] != to->extent[m])
            return tsr_dist_fail_(error, "mode %d has extent %lld here and %lld there", m, (long long)from->extent[m],
                                  (long long)to->extent[m]);
    int64_t most = tsr_max64(old, wanted) * tsr_dist_copies(to); /* what all ranks receive together */
    for (int m = 0; m < from->modes; ++m)
        most = tsr_mul64_most(most, tsr_max64(from->extent[m], 1));
    if (most > TSR_DIST_ELEMENTS)
        return tsr_dist_fail_(error, "all ranks together receive more than 2^58 elements");
    return old == wanted || old == 1 || wanted == 1
           || tsr_dist_fail_(error, "%lld addends do not become %lld: sum them first", (long long)old,
                             (long long)wanted);
}

/** Everything but the checks; false where memory has run out. */
static bool make(maker *k)
{
    tsr_dist_plan *const p = k->p;
    tsr_dist_layout const *const d[] = {&p->from, &p->to};
    bool ok = true;
    for (int side = 0; side < 2; ++side) {
        k->form[side] = tsr_dist_form_of_(d[side]);
        k->sum[side] = tsr_dist_offsets_(d[side], k->form[side].sum, k->form[side].sums, &k->sums[side]);
        k->copy[side] = tsr_dist_offsets_(d[side], k->form[side].copy, k->form[side].copies, &k->copies[side]);
        p->holds[side] = decode(k, side, p->rank, k->digit[side], &k->base[side], &k->addend[side]);
        (void)tsr_dist_part_of(d[side], p->rank, &p->part[side]);
        ok = ok && k->sum[side] && k->copy[side];
    }
    p->adds = k->sums[0] > 1 && k->sums[1] == 1;
    p->clears = p->adds || (k->sums[0] == 1 && k->addend[1] > 0);
    for (int side = 0; side < 2 && ok; ++side)
        if (p->holds[side])
            ok = (p->lists[side] = tsr_dist_lists_make_(k->form, side, k->digit[side])) && all_messages(k, side);
    ok = ok && by_rounds(p, false, p->send, p->sends) && by_rounds(p, true, p->receive, p->receives);
    for (int side = 0; side < 2; ++side) {
        free(k->copy[side]);
        free(k->sum[side]);
    }
    return ok;
}

bool tsr_dist_plan_make(tsr_dist_layout const *from, tsr_dist_layout const *to, int64_t rank, int64_t host,
                        tsr_dist_plan *plan, tsr_message *error)
{
    tsr_dist_plan const nothing = {0};
    maker k = {0};
    *plan = nothing;
    if (!tsr_dist_check(from, error) || !tsr_dist_check(to, error) || !comparable(from, to, error))
        return false;
    plan->from = *from;
    plan->to = *to;
    plan->rank = rank;
    plan->ranks = tsr_max64(tsr_dist_ranks(from), tsr_dist_ranks(to));
    if (rank < 0)
        return tsr_dist_fail_(error, "rank %lld is negative", (long long)rank);
    if (host < 1)
        return tsr_dist_fail_(error, "a host has %lld ranks", (long long)host);
    plan->ranks = tsr_max64(plan->ranks, rank + 1);
    plan->host = host;
    k.p = plan;
    k.host = host;
    if (make(&k))
        return true;
    tsr_dist_plan_free(plan);
    return tsr_dist_fail_(
        error,
        "the plan of rank %lld does not fit in memory, or has more than 2^24 pieces or 2^28 pairs of "
        "intervals along a mode",
        (long long)rank);
}

void tsr_dist_plan_free(tsr_dist_plan *plan)
{
    tsr_dist_plan const nothing = {0};
    tsr_dist_lists_free_(plan->lists[0]);
    tsr_dist_lists_free_(plan->lists[1]);
    free(plan->send);
    free(plan->receive);
    *plan = nothing;
}

int64_t tsr_dist_plan_least(tsr_dist_plan const *plan)
{
    int64_t const old = tsr_dist_sums(&plan->from), wanted = tsr_dist_sums(&plan->to);
    int64_t digit[2][TSR_DIST_SPLITS], addend[2] = {0, 0}, common = 1;
    dist_form const form[] = {tsr_dist_form_of_(&plan->from), tsr_dist_form_of_(&plan->to)};
    dist_line line[2] = {{0}, {0}};
    dist_pieces pieces = {0};
    if (!plan->holds[1] || (old == 1 && plan->clears))
        return 0;
    int64_t const needed = plan->part[1].elements * (plan->adds ? old : 1);
    for (int side = 0; side < 2 && plan->holds[0]; ++side) {
        (void)tsr_dist_digits_(&form[side], plan->rank, digit[side]);
        (void)tsr_dist_place_of_(&form[side], form[side].sum, form[side].sums, digit[side], &addend[side]);
    }
    if (!plan->holds[0] || (old == wanted && addend[0] != addend[1]) || (old == 1 && addend[1] != 0))
        return needed;
    for (int m = 0; m < plan->from.modes; ++m) {
        tsr_dist_line_take_(&line[0], &form[0], m, digit[0]);
        tsr_dist_line_take_(&line[1], &form[1], m, digit[1]);
        dist_common const c = tsr_dist_common_of_(plan->from.extent[m], line[0].period, line[1].period);
        common *= tsr_dist_intersect_(&pieces, &c, &line[0], &line[1]);
    }
    tsr_dist_line_free_(&line[0]);
    tsr_dist_line_free_(&line[1]);
    free(pieces.piece);
    return needed - common;
}
