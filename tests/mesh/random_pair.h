/** Random pairs of distributions, and what their ranks must have in the end. */
#ifndef TESTS_DIST_RANDOM_PAIR_H
#define TESTS_DIST_RANDOM_PAIR_H

#include "random_layout.h"

typedef struct pair {
    tsr_dist_layout from, to;
    int64_t ranks, host;
} pair;

static inline void print_pair(pair const *p)
{
    char text[TSR_TEXT_SIZE];
    tsr_dist_format(text, sizeof text, &p->from);
    printf("from %s\n", text);
    tsr_dist_format(text, sizeof text, &p->to);
    printf("to %s\n", text);
}

/** Extents with 0 and 1 among them, and two layouts, of which one may have addends. */
static inline pair random_pair(int64_t ranks, int64_t most)
{
    int64_t extent[TSR_DIST_MODES];
    pair p;
    int const modes = 1 + (int)noise(3);
    int64_t const sums = noise(4) ? 1 : 2 + noise(2), which = noise(3);
    for (int m = 0; m < modes; ++m)
        extent[m] = noise(12) ? 1 + noise(most) : noise(2);
    p.from = random_layout(modes, extent, ranks, which != 1 ? sums : 1);
    p.to = random_layout(modes, extent, ranks, which != 0 ? sums : 1);
    p.host = 1 + noise(4);
    p.ranks = tsr_max64(tsr_dist_ranks(&p.from), tsr_dist_ranks(&p.to));
    return p;
}

/** What a rank must have in the end. */
static inline int32_t *wanted_of(pair const *p, int64_t rank)
{
    tsr_dist_part part;
    int64_t const old = tsr_dist_sums(&p->from), new_ = tsr_dist_sums(&p->to), addend = addend_of(&p->to, rank);
    int32_t *const memory = memory_of(&p->to, rank, old == new_ ? 100 * addend : 0, true);
    (void)tsr_dist_part_of(&p->to, rank, &part);
    for (int64_t i = 0; memory && i < part.span; ++i)
        if (memory[i] != UNTOUCHED && old != new_)
            memory[i] = new_ == 1 ? (int32_t)(old * memory[i] + 100 * old * (old - 1) / 2) : addend ? 0 : memory[i];
    return memory;
}

static inline bool same_memory(pair const *p, int64_t rank, int32_t const *got, int32_t const *wanted)
{
    tsr_dist_part part;
    if (!tsr_dist_part_of(&p->to, rank, &part))
        return true;
    for (int64_t i = 0; i < part.span; ++i)
        if (got[i] != wanted[i]) {
            printf("rank %lld offset %lld: %d, not %d\n", (long long)rank, (long long)i, got[i], wanted[i]);
            return false;
        }
    return true;
}

/** Runs a pair in the loopback; all ranks show their memory, or none. */
static inline bool loopback_pair(pair const *p, bool windows, int64_t budget, int64_t *sent, int64_t *least)
{
    size_t const n = (size_t)p->ranks;
    tsr_dist_plan *const plan = (tsr_dist_plan *)calloc(n, sizeof *plan);
    tsr_dist_run **const run = (tsr_dist_run **)calloc(n, sizeof *run);
    int32_t **const old = (int32_t **)calloc(n, sizeof *old), **const new_ = (int32_t **)calloc(n, sizeof *new_);
    tsr_dist_loopback *const loopback = tsr_dist_loopback_make(p->ranks);
    tsr_message error = {0, ""};
    bool ok = plan && run && old && new_ && loopback;
    *least = 0;
    for (int64_t r = 0; ok && r < p->ranks; ++r) {
        old[r] = memory_of(&p->from, r, 100 * addend_of(&p->from, r), true);
        new_[r] = memory_of(&p->to, r, 0, false);
        if (windows)
            tsr_dist_loopback_show(loopback, r, old[r]);
    }
    for (int64_t r = 0; ok && r < p->ranks; ++r) {
        tsr_dist_transport const t = tsr_dist_loopback_at(loopback, r);
        ok = tsr_dist_plan_make(&p->from, &p->to, r, p->host, &plan[r], &error);
        run[r] = ok ? tsr_dist_run_begin(&plan[r], &t, TSR_I32, old[r], new_[r], budget, &error) : NULL;
        ok = run[r] != NULL;
        *least += ok ? 4 * tsr_dist_plan_least(&plan[r]) : 0;
    }
    ok = ok && tsr_dist_loopback_run(loopback, run, &error);
    *sent = tsr_dist_loopback_bytes(loopback);
    for (int64_t r = 0; r < p->ranks; ++r) {
        int32_t *const wanted = ok ? wanted_of(p, r) : NULL;
        ok = ok && same_memory(p, r, new_[r], wanted);
        free(wanted);
        free(old[r]);
        free(new_[r]);
        tsr_dist_run_free(run[r]);
        tsr_dist_plan_free(&plan[r]);
    }
    tsr_dist_loopback_free(loopback);
    free(plan);
    free(run);
    free(old);
    free(new_);
    if (error.text[0])
        printf("%s\n", error.text);
    return ok;
}

#endif
