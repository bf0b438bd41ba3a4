/** Distributed layouts from DTensor's placements.
 *
 *  Each placement cuts the local tensor that those before it have left. Along a mode that tensor is a chain of pieces,
 *  from the outermost in: factors that were set free by strided shards, and the rest, which is contiguous.
 */
#include "dist/form.h"
#include "tessera/dist/make.h"

/** A factor of a mode that no rank has taken: `extent` blocks of `block` elements. */
typedef struct factor {
    int64_t extent, block;
} factor;

typedef struct chain {
    factor free[TSR_DIST_SPLITS];
    int frees;
    int64_t rest; /* contiguous elements of the innermost piece */
    bool uneven;  /* which the ranks do not have alike: it cannot be cut again */
} chain;

typedef struct cutter {
    tsr_dist_layout *d;
    tsr_message *error;
    chain mode[TSR_DIST_MODES];
} cutter;

static bool add_split(cutter *c, tsr_dist_split s)
{
    if (c->d->splits == TSR_DIST_SPLITS)
        return tsr_dist_fail_(c->error, "the layout needs more than %d splits", TSR_DIST_SPLITS);
    c->d->split[c->d->splits++] = s;
    return true;
}

/** Cuts the rest of a mode into `factor` parts and each of them into chunks for the ranks. */
static bool cut_rest(cutter *c, int m, int64_t factor_, int64_t ranks, int64_t stride)
{
    chain *const x = &c->mode[m];
    int64_t chunks = 0;
    if (ranks == 1 && factor_ == 1)
        return true;
    if (x->uneven)
        return tsr_dist_fail_(
            c->error,
            "mode %d of extent %lld is cut again after its chunks, of at most %lld elements, came out "
            "uneven: torch's parts of them differ in size, and lie in no one layout",
            m, (long long)c->d->extent[m], (long long)x->rest);
    if (!tsr_mul64(factor_, ranks, &chunks))
        return tsr_dist_fail_(c->error, "mode %d is cut into more than 2^63 chunks", m);
    int64_t const period = tsr_max64(tsr_ceil_div64(x->rest, factor_), 1); /* a part, of which the last is shorter */
    int64_t const block = tsr_ceil_div64(period, ranks);
    tsr_dist_split const s = {TSR_DIST_SHARD, m, ranks, stride, block, period, 0};
    x->uneven = x->rest % chunks != 0;
    x->rest = block;
    if (factor_ > 1) {
        factor const f = {factor_, period};
        x->free[x->frees++] = f;
    }
    return add_split(c, s);
}

/** A shard takes ranks from the outermost free factor in, and chunks of the rest at last. */
static bool cut(cutter *c, int m, int64_t ranks, int64_t stride)
{
    chain *const x = &c->mode[m];
    for (int k = 0; k < x->frees && ranks > 1; ++k) {
        factor *const f = &x->free[k];
        int64_t const taken = tsr_gcd64(f->extent, ranks), left = f->extent / taken;
        if (f->extent == 1)
            continue;
        if (x->uneven || (left > 1 && taken != ranks) || taken == 1)
            return tsr_dist_fail_(
                c->error,
                "mode %d: %lld parts of a strided shard cannot be dealt to %lld ranks in contiguous "
                "pieces of one size",
                m, (long long)f->extent, (long long)ranks);
        ranks /= taken;
        tsr_dist_split const s = {TSR_DIST_SHARD, m, taken, stride * ranks, f->block * left, f->block * f->extent, 0};
        if (!add_split(c, s))
            return false;
        f->extent = left;
    }
    return cut_rest(c, m, 1, ranks, stride);
}

static bool place(cutter *c, int axis, tsr_placement const *p, int64_t ranks, int64_t stride)
{
    bool const shards = p->kind == TSR_PLACE_SHARD || p->kind == TSR_PLACE_STRIDED;
    tsr_dist_split const alike = {
        p->kind == TSR_PLACE_PARTIAL ? TSR_DIST_SUM : TSR_DIST_COPY, 0, ranks, stride, 1, 1, 0};
    if (ranks < 1 || ranks > TSR_DIST_RANKS)
        return tsr_dist_fail_(c->error, "axis %d of the mesh has %lld ranks", axis, (long long)ranks);
    if (!shards)
        return ranks == 1 || add_split(c, alike);
    if (p->mode < 0 || p->mode >= c->d->modes)
        return tsr_dist_fail_(c->error, "axis %d shards mode %d: the tensor has %d modes", axis, p->mode,
                              c->d->modes);
    if (p->kind == TSR_PLACE_SHARD)
        return cut(c, p->mode, ranks, stride);
    if (p->factor < 1 || c->mode[p->mode].frees == TSR_DIST_SPLITS)
        return tsr_dist_fail_(c->error, "axis %d cuts mode %d into %lld parts", axis, p->mode, (long long)p->factor);
    for (int k = 0; k < c->mode[p->mode].frees; ++k)
        if (c->mode[p->mode].free[k].extent > 1)
            return tsr_dist_fail_(c->error, "axis %d: mode %d has a strided shard already, of %lld parts", axis,
                                  p->mode, (long long)c->mode[p->mode].free[k].extent);
    return cut_rest(c, p->mode, p->factor, ranks, stride);
}

bool tsr_dist_from_placements(int modes, int64_t const *extent, int axes, int64_t const *mesh,
                              tsr_placement const *placement, int const *order, tsr_dist_layout *d,
                              tsr_message *error)
{
    int64_t stride[TSR_DIST_SPLITS], all = 1;
    unsigned seen = 0;
    cutter c = {d, error, {{{{0, 0}}, 0, 0, false}}};
    if (modes < 0 || modes > TSR_DIST_MODES || axes < 0 || axes > TSR_DIST_SPLITS)
        return tsr_dist_fail_(error, "%d modes on a mesh of %d axes: at most %d and %d are distributed", modes, axes,
                              TSR_DIST_MODES, TSR_DIST_SPLITS);
    *d = tsr_dist_whole(modes, extent, true);
    if (!tsr_dist_check(d, error))
        return false;
    for (int m = 0; m < modes; ++m)
        c.mode[m].rest = extent[m];
    for (int a = axes - 1; a >= 0; --a) {
        stride[a] = all;
        all = tsr_mul64_most(all, tsr_max64(mesh[a], 1));
    }
    if (all > TSR_DIST_RANKS)
        return tsr_dist_fail_(error, "the mesh has ranks above 2^24");
    for (int k = 0; k < axes; ++k) {
        int const a = order ? order[k] : k;
        if (a < 0 || a >= axes || seen >> a & 1)
            return tsr_dist_fail_(error, "place %d of the order is axis %d, twice or not there", k, a);
        seen |= 1u << a;
        if (!place(&c, a, &placement[a], mesh[a], stride[a]))
            return false;
    }
    return tsr_dist_check(d, error);
}
