/** Random distributed layouts of given extents, by every maker, and memory that knows its elements. */
#ifndef TESTS_DIST_RANDOM_LAYOUT_H
#define TESTS_DIST_RANDOM_LAYOUT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../random.h"
#include "tessera/mesh.h"

static int passed, failed;

static inline void check(char const *what, bool ok)
{
    ++*(ok ? &passed : &failed);
    if (!ok)
        printf("failed: %s\n", what);
}

static inline int report(void)
{
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}

/** A mesh of at most `ranks` ranks; returns how many axes. */
static inline int random_mesh(int most, int64_t ranks, int64_t *mesh)
{
    int const axes = 1 + (int)noise(most);
    for (int a = 0; a < axes; ++a) {
        mesh[a] = 1 + noise(ranks < 6 ? ranks : 6);
        ranks /= mesh[a];
    }
    if (axes == 1 && ranks > 1 && noise(2))
        mesh[0] *= ranks;
    return axes;
}

static inline bool random_scalapack(int64_t const *extent, int64_t ranks, tsr_dist_layout *d, tsr_message *error)
{
    int64_t grid[2] = {1, 1};
    random_mesh(2, ranks, grid);
    tsr_scalapack s = {extent[0], extent[1], 1 + noise(9), 1 + noise(9), grid[0], grid[1], 0, 0, 0, noise(2) == 1};
    s.rsrc = noise(grid[0]);
    s.csrc = noise(grid[1]);
    s.lld = noise(2) ? extent[0] + noise(3) + 1 : 0;
    return tsr_dist_from_scalapack(&s, d, error);
}

static inline bool random_placements(int modes, int64_t const *extent, int64_t ranks, int64_t sums,
                                     tsr_dist_layout *d, tsr_message *error)
{
    int64_t mesh[4];
    tsr_placement p[4];
    int axes = random_mesh(3, sums > 1 ? (ranks + sums - 1) / sums : ranks, mesh), order[4];
    for (int a = 0; a < axes; ++a) {
        int64_t const kind = noise(4);
        p[a].kind = kind == 0 ? TSR_PLACE_REPLICATE : kind == 1 ? TSR_PLACE_STRIDED : TSR_PLACE_SHARD;
        p[a].mode = (int)noise(modes);
        p[a].factor = 1 + noise(4);
    }
    if (sums > 1) {
        mesh[axes] = sums;
        p[axes++].kind = TSR_PLACE_PARTIAL;
    }
    for (int a = 0; a < axes; ++a) { /* a shuffle */
        int const at = (int)noise(a + 1);
        order[a] = order[at];
        order[at] = a;
    }
    return tsr_dist_from_placements(modes, extent, axes, mesh, p, noise(2) ? order : NULL, d, error);
}

static inline bool random_hpf(int modes, int64_t const *extent, int64_t ranks, tsr_dist_layout *d, tsr_message *error)
{
    tsr_hpf_format format[TSR_DIST_MODES];
    int64_t grid[TSR_DIST_MODES];
    int axes = 0;
    for (int m = 0; m < modes; ++m) {
        tsr_hpf_format const f = {(tsr_hpf_kind)noise(3), 0, NULL};
        format[m] = f;
        if (f.kind == TSR_HPF_WHOLE)
            continue;
        grid[axes] = 1 + noise(ranks < 5 ? ranks : 5);
        ranks /= grid[axes++];
        if (f.kind == TSR_HPF_CYCLIC)
            format[m].size = noise(5);
    }
    return tsr_dist_from_hpf(modes, extent, format, axes, grid, d, error);
}

static inline bool random_sharding(int modes, int64_t const *extent, int64_t ranks, tsr_dist_layout *d,
                                   tsr_message *error)
{
    int64_t dim[4] = {1, 1, 1, 1}, tile[TSR_DIST_MODES + 1];
    char text[256];
    int const dims = random_mesh(3, ranks, dim), copies = (int)noise(2);
    int order[4], n = 0;
    for (int m = 0; m <= modes; ++m)
        tile[m] = 1;
    for (int a = 0; a < dims; ++a) {
        int const at = (int)noise(a + 1);
        order[a] = order[at];
        order[at] = a;
        tile[noise(modes + copies)] *= dim[a];
    }
    n += snprintf(text + n, sizeof text - (size_t)n, "{devices=[");
    for (int m = 0; m < modes + copies; ++m)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%lld", m ? "," : "", (long long)tile[m]);
    n += snprintf(text + n, sizeof text - (size_t)n, "]<=[");
    for (int a = 0; a < dims; ++a)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%lld", a ? "," : "", (long long)dim[a]);
    n += snprintf(text + n, sizeof text - (size_t)n, "]T(");
    for (int a = 0; a < dims; ++a)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%d", a ? "," : "", order[a]);
    snprintf(text + n, sizeof text - (size_t)n, ")%s}", copies ? " last_tile_dim_replicate" : "");
    return tsr_dist_from_sharding(modes, extent, text, d, error);
}

/** Blocks in blocks, cut at their ends: up to two splits of each mode, turned. */
static inline bool random_splits(int modes, int64_t const *extent, int64_t ranks, tsr_dist_layout *d,
                                 tsr_message *error)
{
    int64_t stride = 1 + noise(2);
    *d = tsr_dist_whole(modes, extent, noise(2) == 1);
    for (int m = 0; m < modes; ++m) {
        int64_t period = 0;
        d->pitch[m] = noise(3) ? 0 : extent[m] + 1 + noise(3);
        for (int k = (int)noise(3); k > 0; --k) {
            int64_t const n = 1 + noise(ranks / stride < 4 ? tsr_max64(ranks / stride, 1) : 4);
            int64_t const block = period ? period * (1 + noise(3)) : 1 + noise(5);
            int64_t const cut = n > 1 ? noise(block) : 0; /* the last block of a period is shorter */
            tsr_dist_split const s = {TSR_DIST_SHARD, m, n, stride, block, block * n - cut, noise(n)};
            period = s.period;
            stride *= n;
            d->split[d->splits++] = s;
        }
    }
    return tsr_dist_check(d, error);
}

/** Intervals of any lengths for any ranks. Returns how many. */
static inline int64_t random_intervals(int64_t extent, int64_t ranks, tsr_dist_interval *x, int64_t most)
{
    int64_t n = 0, left = extent;
    for (; n + 1 < most && noise(12); ++n) {
        x[n].owner = noise(ranks);
        x[n].length = noise(3) ? noise(left + 1) : tsr_min64(left, 1 + noise(3));
        left -= x[n].length;
    }
    x[n].owner = noise(ranks);
    x[n].length = left;
    return n + 1;
}

/** Modes by tables, of which some are cut into chunks again. */
static inline bool random_tables(int modes, int64_t const *extent, int64_t ranks, tsr_dist_layout *d,
                                 tsr_message *error)
{
    int64_t stride = 1;
    *d = tsr_dist_whole(modes, extent, noise(2) == 1);
    for (int m = 0; m < modes; ++m) {
        tsr_dist_interval x[40];
        int64_t const n = 1 + noise(tsr_max64(ranks / stride, 1)), parts = 1 + noise(3);
        tsr_dist_split const chunks = {TSR_DIST_CHUNK, m, 1 + noise(3), stride * n, parts, 1 + noise(16), 0};
        if (noise(3) == 0)
            continue;
        if (!tsr_dist_split_by(d, m, n, stride, random_intervals(extent[m], n, x, 40), x, error))
            return false;
        stride *= n;
        if (noise(2))
            continue;
        d->split[d->splits++] = chunks;
        stride *= chunks.extent;
    }
    return tsr_dist_check(d, error);
}

/** A layout of the extents on at most about `ranks` ranks, with that many addends. */
static inline tsr_dist_layout random_layout(int modes, int64_t const *extent, int64_t ranks, int64_t sums)
{
    tsr_dist_layout d;
    tsr_message error;
    for (;;) {
        int64_t const maker = sums > 1 ? 1 : noise(6);
        bool const ok = maker == 0   ? modes == 2 && random_scalapack(extent, ranks, &d, &error)
                        : maker == 1 ? random_placements(modes, extent, ranks, sums, &d, &error)
                        : maker == 2 ? random_hpf(modes, extent, ranks, &d, &error)
                        : maker == 3 ? random_sharding(modes, extent, ranks, &d, &error)
                        : maker == 4 ? random_tables(modes, extent, ranks, &d, &error)
                                     : random_splits(modes, extent, ranks, &d, &error);
        if (!ok || tsr_dist_ranks(&d) > 2 * ranks + sums)
            continue;
        d.first = noise(4) ? 0 : noise(3);
        return d;
    }
}

/** The number of an element, from 1 on. */
static inline int64_t number_of(tsr_dist_layout const *d, int64_t const *index)
{
    int64_t n = 0;
    for (int m = 0; m < d->modes; ++m)
        n = n * d->extent[m] + index[m];
    return n + 1;
}

/** Goes on to the next local indices of a part; false behind the last. */
static inline bool next_local(int modes, tsr_dist_part const *part, int64_t *local)
{
    for (int m = 0; m < modes; ++m) {
        if (++local[m] < part->extent[m])
            return true;
        local[m] = 0;
    }
    return false;
}

/** Which addend a rank has. */
static inline int64_t addend_of(tsr_dist_layout const *d, int64_t rank)
{
    for (int k = 0; k < d->splits; ++k)
        if (d->split[k].role == TSR_DIST_SUM)
            return (rank - d->first) / d->split[k].stride % d->split[k].extent;
    return 0;
}

#define UNTOUCHED (-7)

/** The memory of a rank's part as 32-bit integers: its elements are their numbers plus `more`, if it is filled, and the
 *  rest is UNTOUCHED. NULL: it has none. */
static inline int32_t *memory_of(tsr_dist_layout const *d, int64_t rank, int64_t more, bool filled)
{
    tsr_dist_part part;
    int64_t local[TSR_DIST_MODES] = {0}, index[TSR_DIST_MODES];
    if (!tsr_dist_part_of(d, rank, &part) || part.elements == 0)
        return NULL;
    int32_t *const memory = (int32_t *)malloc((size_t)part.span * sizeof *memory);
    if (!memory)
        abort();
    for (int64_t i = 0; i < part.span; ++i)
        memory[i] = UNTOUCHED;
    do {
        int64_t at = 0;
        for (int m = 0; m < d->modes; ++m)
            at += local[m] * part.stride[m];
        if (!tsr_dist_index_at(d, rank, local, index))
            return free(memory), NULL;
        if (filled)
            memory[at] = (int32_t)(number_of(d, index) + more);
    } while (next_local(d->modes, &part, local));
    return memory;
}

#endif
