/** Distributed layouts from DTensor's placements.
 *
 *  Each placement cuts the local tensor that those before it have left. Along a mode that tensor is `parts` contiguous
 *  runs of `rest` elements, and a strided shard leaves more than one. Law, of torch 2.11: a shard gives each of n ranks
 *  ceil(elements / n) neighbours of the local tensor, and a strided shard does so with each of its parts, by the length
 *  of the part. Where all ranks have their elements alike this is a rule of blocks, and else a split by chunks.
 */
#include "mesh/form.h"
#include "tessera/mesh/make.h"

/** The local tensor along a mode. */
typedef struct chain {
    int64_t parts, apart; /* runs, and elements of the tensor from one to the next */
    int64_t rest;         /* elements of a run */
    bool uneven;          /* the ranks do not have these alike: no rule cuts it again */
    int chunks;           /* splits by chunks */
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

/** Cuts the only run of a mode of extent n into `factor` parts, and each of them into chunks for the ranks. A rule has
 *  blocks of one size, which a shorter last part may cut, and a period that comes again in no block.
 *  Returns how many splits that are: 0, no rule. */
static int cut_run(chain *x, int64_t n, int64_t factor, int64_t ranks, tsr_dist_split *s)
{
    int64_t const part = tsr_ceil_div64(x->rest, factor), block = tsr_ceil_div64(part, ranks);
    int64_t const last = (x->rest - 1) % part + 1;
    if ((last > 1 && tsr_ceil_div64(last, ranks) != block) || (last != part && x->rest != n))
        return 0;
    s->block = block;
    s->period = part;
    x->uneven = x->rest % part != 0 || part % ranks != 0;
    x->parts = tsr_ceil_div64(x->rest, part);
    x->apart = part;
    x->rest = block;
    return 1;
}

/** Deals the runs of a mode: some whole ones to each rank, or the chunks of each to some ranks. As above. */
static int cut_runs(chain *x, int64_t ranks, tsr_dist_split s[2])
{
    int64_t const elements = x->parts * x->rest, chunk = tsr_ceil_div64(elements, ranks);
    int64_t const some = tsr_max64(x->rest / chunk, 1), whole = tsr_max64(chunk / x->rest, 1);
    if ((x->rest % chunk != 0 && chunk % x->rest != 0) || ranks % some != 0)
        return 0;
    s[0].extent = ranks / some;
    s[0].stride *= some;
    s[0].block = x->apart * whole;
    s[0].period = x->apart * x->parts;
    s[1].extent = some;
    s[1].block = chunk;
    s[1].period = x->rest;
    x->uneven = elements != chunk * ranks;
    x->parts = whole;
    x->rest = tsr_min64(x->rest, chunk);
    return some == 1 ? 1 : 2;
}

/** Cuts a mode for the ranks of one axis. One rank keeps all, and of an empty mode each rank has nothing. */
static bool cut(cutter *c, int m, int64_t factor, int64_t ranks, int64_t stride)
{
    tsr_dist_split const nothing = {TSR_DIST_SHARD, m, ranks, stride, 1, 1, 0};
    chain *const x = &c->mode[m];
    tsr_dist_split s[2] = {nothing, nothing};
    int splits = 0;
    if (ranks == 1)
        return true;
    if (c->d->extent[m] == 0)
        return add_split(c, nothing);
    if (!x->uneven && x->parts == 1)
        splits = cut_run(x, c->d->extent[m], factor, ranks, s);
    else if (!x->uneven && factor == 1)
        splits = cut_runs(x, ranks, s);
    if (splits == 0) {
        tsr_dist_split const chunks = {TSR_DIST_CHUNK, m, ranks, stride, factor, ++x->chunks, 0};
        x->uneven = true;
        return add_split(c, chunks);
    }
    return add_split(c, s[0]) && (splits == 1 || add_split(c, s[1]));
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
        return cut(c, p->mode, 1, ranks, stride);
    if (p->factor < 1)
        return tsr_dist_fail_(c->error, "axis %d cuts mode %d into %lld parts", axis, p->mode, (long long)p->factor);
    return cut(c, p->mode, p->factor, ranks, stride);
}

bool tsr_dist_from_placements(int modes, int64_t const *extent, int axes, int64_t const *mesh,
                              tsr_placement const *placement, int const *order, tsr_dist_layout *d,
                              tsr_message *error)
{
    int64_t stride[TSR_DIST_SPLITS], all = 1;
    unsigned seen = 0;
    cutter c = {d, error, {{0}}};
    if (modes < 0 || modes > TSR_DIST_MODES || axes < 0 || axes > TSR_DIST_SPLITS)
        return tsr_dist_fail_(error, "%d modes on a mesh of %d axes: at most %d and %d are distributed", modes, axes,
                              TSR_DIST_MODES, TSR_DIST_SPLITS);
    *d = tsr_dist_whole(modes, extent, true);
    if (!tsr_dist_check(d, error))
        return false;
    for (int m = 0; m < modes; ++m) {
        chain const whole = {1, 0, extent[m], false, 0};
        c.mode[m] = whole;
    }
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
