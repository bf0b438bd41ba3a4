/** Redistributions as values: the sum over the plans of all ranks, and its text. */
#include "mesh/form.h"
#include "tessera/mesh/exchange.h"
#include "text/writer.h"

/** The most pairs of ranks in a text. */
enum { MOST_PAIRS = 16 };

tsr_dist_clock tsr_dist_usual_clock(int64_t host)
{
    tsr_dist_clock const clock = {2e-6, 1e10, host};
    return clock;
}

/** How many intervals one rank's share of each mode has, and how many shares the mode is cut into. */
static void count_shares(tsr_dist_layout const *d, int64_t *intervals, int64_t *shares)
{
    dist_form const f = tsr_dist_form_of_(d);
    int64_t const digit[TSR_DIST_SPLITS] = {0};
    dist_line l = {0};
    for (int m = 0; m < d->modes; ++m) {
        tsr_dist_line_take_(&l, &f, m, digit);
        intervals[m] = tsr_dist_has_table_(&f, m) ? d->table[m]->count : l.count;
        shares[m] = 1;
        for (int k = 0; k < f.nests[m]; ++k)
            shares[m] *= d->split[f.nest[m][k]].extent;
    }
    tsr_dist_line_free_(&l);
}

/** The pairs of intervals that meet in the plans of all ranks: a rank's share of a mode meets all shares of the other
 *  side. */
static int64_t pairs_of(tsr_dist_layout const *from, tsr_dist_layout const *to, int64_t ranks)
{
    int64_t intervals[2][TSR_DIST_MODES], shares[2][TSR_DIST_MODES], n = 0;
    count_shares(from, intervals[0], shares[0]);
    count_shares(to, intervals[1], shares[1]);
    for (int m = 0; m < from->modes && m < to->modes; ++m)
        n = tsr_max64(n, tsr_mul64_most(tsr_mul64_most(intervals[0][m], intervals[1][m]),
                                        tsr_max64(shares[0][m], shares[1][m])));
    return tsr_mul64_most(ranks, n);
}

bool tsr_dist_exchange_make(tsr_dist_layout const *from, tsr_dist_layout const *to, int64_t bytes,
                            tsr_dist_clock clock, tsr_dist_exchange *x, tsr_message *error)
{
    tsr_dist_exchange const made = {*from, *to, bytes, clock, {0}};
    if (clock.host < 1)
        return tsr_dist_fail_(error, "%lld ranks in a row share a host: there is at least one",
                              (long long)clock.host);
    if (!tsr_dist_check(from, error) || !tsr_dist_check(to, error))
        return false;
    int64_t const ranks = tsr_max64(tsr_dist_ranks(from), tsr_dist_ranks(to));
    int64_t const work = ranks > TSR_DIST_EXCHANGE_RANKS ? 0 : pairs_of(from, to, ranks);
    if (ranks > TSR_DIST_EXCHANGE_RANKS || work > TSR_WORK_BUDGET)
        return tsr_dist_fail_(
            error,
            "%lld ranks, and %lld pairs of intervals of their shares: at most %d and %d are planned "
            "here; `tessera dist --plan` takes more",
            (long long)ranks, (long long)work, TSR_DIST_EXCHANGE_RANKS, TSR_WORK_BUDGET);
    *x = made;
    return tsr_dist_simulate(&x->from, &x->to, bytes, clock, false, &x->all, error);
}

int64_t tsr_dist_exchange_sent(tsr_dist_exchange const *x, int64_t from, int64_t to, tsr_message *error)
{
    tsr_dist_plan p;
    int64_t elements = 0;
    if (from < 0 || from >= x->all.ranks || to < 0 || to >= x->all.ranks) {
        (void)tsr_dist_fail_(error, "ranks are 0 to %lld, not %lld and %lld", (long long)x->all.ranks - 1,
                             (long long)from, (long long)to);
        return -1;
    }
    if (!tsr_dist_plan_make(&x->from, &x->to, from, x->clock.host, &p, error))
        return -1;
    elements = from == to ? p.keep.elements : 0;
    for (int64_t i = 0; i < p.sends; ++i)
        elements += p.send[i].peer == to ? p.send[i].elements : 0;
    tsr_dist_plan_free(&p);
    return elements * x->bytes;
}

/** The first pairs; false: memory has run out. */
static bool put_pairs(writer *w, tsr_dist_exchange const *x)
{
    int64_t left = MOST_PAIRS;
    for (int64_t r = 0; r < x->all.ranks && left > 0; ++r) {
        tsr_dist_plan p;
        tsr_message error;
        if (!tsr_dist_plan_make(&x->from, &x->to, r, x->clock.host, &p, &error))
            return false;
        for (int64_t i = 0; i < p.sends && left > 0; ++i, --left)
            put(w, "%s%lld->%lld: %lld", left == MOST_PAIRS ? "" : ", ", (long long)r, (long long)p.send[i].peer,
                (long long)(p.send[i].elements * x->bytes));
        tsr_dist_plan_free(&p);
    }
    if (x->all.messages > MOST_PAIRS)
        put(w, " and %lld more", (long long)(x->all.messages - MOST_PAIRS));
    put(w, "%s", x->all.messages > 0 ? "; " : "");
    return true;
}

size_t tsr_dist_format_exchange(char *out, size_t size, tsr_dist_exchange const *x)
{
    writer w;
    tsr_dist_simulation const *const s = &x->all;
    writer_open(&w, out, size);
    if (!put_pairs(&w, x)) {
        writer_open(&w, out, size);
        put(&w, "(out of memory) ");
    }
    put(&w, "%lld bytes in %lld messages, lower bound %lld, ", (long long)(s->elements * x->bytes),
        (long long)s->messages, (long long)(s->least * x->bytes));
    put_real(&w, "%.3f", 1e6 * s->seconds);
    put(&w, " us; %lld bytes stay", (long long)(s->kept * x->bytes));
    return w.used;
}
