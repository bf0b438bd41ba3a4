/** Tables: intervals of a mode and the digits that own them. Each is kept once, so layouts that have it stay plain
 *  values, which are copied and compared, and nobody frees it. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/form.h"

static tsr_dist_table const *all;
static atomic_flag busy = ATOMIC_FLAG_INIT;

/** Checks the intervals; *runs is how many there are without empty ones and with neighbours of one owner as one. */
static bool check_intervals(int mode, int64_t extent, int64_t ranks, int64_t n, tsr_dist_interval const *x,
                            int64_t *runs, tsr_message *error)
{
    int64_t sum = 0, owner = -1;
    *runs = 0;
    if (n < 0 || n > DIST_MOST)
        return tsr_dist_fail_(error, "mode %d has %lld intervals, at most 2^24 are listed", mode, (long long)n);
    for (int64_t i = 0; i < n; ++i) {
        if (x[i].owner < 0 || x[i].owner >= ranks)
            return tsr_dist_fail_(error, "interval %lld of mode %d is rank %lld's: the ranks are 0 to %lld",
                                  (long long)i, mode, (long long)x[i].owner, (long long)ranks - 1);
        if (x[i].length < 0 || x[i].length > TSR_DIST_ELEMENTS)
            return tsr_dist_fail_(error, "interval %lld of mode %d has %lld elements: they are 0 to 2^58",
                                  (long long)i, mode, (long long)x[i].length);
        sum = tsr_min64(sum + x[i].length, 2 * TSR_DIST_ELEMENTS);
        *runs += x[i].length > 0 && x[i].owner != owner;
        owner = x[i].length > 0 ? x[i].owner : owner;
    }
    return sum == extent
           || tsr_dist_fail_(error, "the intervals of mode %d have %lld elements together, and the mode has %lld",
                             mode, (long long)sum, (long long)extent);
}

/** An empty table with memory for its lists; NULL: there is none. */
static tsr_dist_table *reserve(int64_t extent, int64_t owners, int64_t runs)
{
    size_t const n = (size_t)runs;
    tsr_dist_table *const t = (tsr_dist_table *)calloc(
        1, sizeof *t + n * (sizeof *t->interval + sizeof *t->run) + (n + (size_t)owners + 1) * sizeof(int64_t));
    if (!t)
        return NULL;
    t->extent = extent;
    t->owners = owners;
    t->interval = (dist_interval *)(t + 1);
    t->run = (tsr_dist_interval *)(t->interval + n);
    t->begin = (int64_t *)(t->run + n);
    t->first = t->begin + n;
    return t;
}

static void add_runs(tsr_dist_table *t, int64_t n, tsr_dist_interval const *x)
{
    int64_t at = 0;
    for (int64_t i = 0; i < n; ++i) {
        if (x[i].length == 0)
            continue;
        if (t->count > 0 && t->run[t->count - 1].owner == x[i].owner) {
            t->run[t->count - 1].length += x[i].length;
        } else {
            t->begin[t->count] = at;
            t->run[t->count++] = x[i];
        }
        at += x[i].length;
    }
}

/** The runs by their owners. */
static void sort_runs(tsr_dist_table *t)
{
    for (int64_t i = 0; i < t->count; ++i)
        ++t->first[t->run[i].owner + 1];
    for (int64_t k = 0; k < t->owners; ++k)
        t->first[k + 1] += t->first[k];
    for (int64_t i = 0; i < t->count; ++i) { /* first[k] goes on to the end of owner k .. */
        int64_t const to = t->first[t->run[i].owner]++;
        t->interval[to].at = t->begin[i];
        t->interval[to].length = t->run[i].length;
    }
    for (int64_t k = t->owners; k > 0; --k) /* .. which is where the next one begins */
        t->first[k] = t->first[k - 1];
    t->first[0] = 0;
}

/** The table with these runs that is kept; a new one is kept from now on, and one that was there replaces it. */
static tsr_dist_table const *keep(tsr_dist_table *t)
{
    size_t const bytes = (size_t)t->count * sizeof *t->run;
    tsr_dist_table const *k;
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        ;
    for (k = all; k; k = k->next)
        if (k->extent == t->extent && k->owners == t->owners && k->count == t->count
            && memcmp(k->run, t->run, bytes) == 0)
            break;
    if (!k) {
        t->next = all;
        all = t;
    }
    atomic_flag_clear_explicit(&busy, memory_order_release);
    if (k)
        free(t);
    return k ? k : t;
}

/** Are the runs blocks of one size, dealt in turn, of which only the last may be shorter? */
static bool is_rule(tsr_dist_table const *t)
{
    for (int64_t i = 1; i < t->count; ++i) {
        bool const last = i == t->count - 1;
        if (t->run[i].owner != (t->run[0].owner + i) % t->owners
            || (last ? t->run[i].length > t->run[0].length : t->run[i].length != t->run[0].length))
            return false;
    }
    return true;
}

bool tsr_dist_split_by(tsr_dist_layout *d, int mode, int64_t ranks, int64_t stride, int64_t n,
                       tsr_dist_interval const *interval, tsr_message *error)
{
    int64_t runs = 0;
    if (ranks < 1 || ranks > TSR_DIST_RANKS)
        return tsr_dist_fail_(error, "mode %d is split for %lld ranks: they are 1 to 2^24", mode, (long long)ranks);
    if (mode < 0 || mode >= d->modes || d->splits == TSR_DIST_SPLITS)
        return tsr_dist_fail_(error,
                              "mode %d is split behind %d splits: the tensor has %d modes, and at most %d splits",
                              mode, d->splits, d->modes, TSR_DIST_SPLITS);
    for (int k = 0; k < d->splits; ++k)
        if (tsr_dist_cuts_(&d->split[k]) && d->split[k].mode == mode)
            return tsr_dist_fail_(error, "mode %d has split %d already: a table splits a whole mode", mode, k);
    if (!check_intervals(mode, d->extent[mode], ranks, n, interval, &runs, error))
        return false;
    tsr_dist_table *const t = reserve(d->extent[mode], ranks, runs);
    if (!t)
        return tsr_dist_fail_(error, "a table of %lld intervals does not fit in memory", (long long)n);
    add_runs(t, n, interval);
    tsr_dist_split s = {TSR_DIST_TABLE, mode, ranks, stride, 0, 0, 0};
    if (is_rule(t)) {
        s.role = TSR_DIST_SHARD;
        s.block = t->count > 0 ? t->run[0].length : 1;
        s.period = tsr_mul64_most(s.block, ranks);
        s.turn = t->count > 0 ? t->run[0].owner : 0;
        free(t);
    } else {
        sort_runs(t);
        d->table[mode] = keep(t);
    }
    d->split[d->splits++] = s;
    return true;
}
