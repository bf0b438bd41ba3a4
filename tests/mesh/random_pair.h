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

#endif
