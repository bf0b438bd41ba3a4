/** Distributed layouts: the checks of their law, parts of ranks, and elements to ranks and back. */
#include "mesh/form.h"
#include "tessera/mesh/layout.h"

tsr_dist_layout tsr_dist_whole(int modes, int64_t const *extent, bool last)
{
    tsr_dist_layout d = {0};
    d.modes = modes;
    for (int m = 0; m < modes && m < TSR_DIST_MODES; ++m) {
        d.extent[m] = extent[m];
        d.order[m] = last ? modes - 1 - m : m;
    }
    return d;
}

static bool check_modes(tsr_dist_layout const *d, tsr_message *error)
{
    int64_t elements = 1;
    unsigned seen = 0;
    if (d->modes < 0 || d->modes > TSR_DIST_MODES)
        return tsr_dist_fail_(error, "the tensor has %d modes, at most %d are distributed", d->modes, TSR_DIST_MODES);
    if (d->splits < 0 || d->splits > TSR_DIST_SPLITS)
        return tsr_dist_fail_(error, "the layout has %d splits, at most %d fit", d->splits, TSR_DIST_SPLITS);
    for (int m = 0; m < d->modes; ++m) {
        if (d->extent[m] < 0)
            return tsr_dist_fail_(error, "mode %d has the negative extent %lld", m, (long long)d->extent[m]);
        if (d->pitch[m] < 0)
            return tsr_dist_fail_(error, "memory has %lld elements along mode %d", (long long)d->pitch[m], m);
        elements = tsr_mul64_most(elements, tsr_max64(tsr_max64(d->extent[m], d->pitch[m]), 1));
        if (d->order[m] < 0 || d->order[m] >= d->modes || seen >> d->order[m] & 1)
            return tsr_dist_fail_(error, "place %d of the order of memory is mode %d, twice or not there", m,
                                  d->order[m]);
        seen |= 1u << d->order[m];
    }
    if (elements > TSR_DIST_ELEMENTS)
        return tsr_dist_fail_(error, "the extents of the tensor have a product above 2^58");
    return true;
}

static bool check_table(tsr_dist_layout const *d, int k, tsr_message *error)
{
    int const m = d->split[k].mode;
    tsr_dist_table const *const t = d->table[m];
    if (!t)
        return tsr_dist_fail_(error, "split %d is by a table, and mode %d has none", k, m);
    return (t->extent == d->extent[m] && t->owners == d->split[k].extent)
           || tsr_dist_fail_(
               error, "the table of mode %d has %lld elements of %lld ranks, the mode %lld and split %d %lld", m,
               (long long)t->extent, (long long)t->owners, (long long)d->extent[m], k, (long long)d->split[k].extent);
}

static bool check_split(tsr_dist_layout const *d, int k, tsr_message *error)
{
    tsr_dist_split const *const s = &d->split[k];
    if (s->extent < 1 || s->extent > TSR_DIST_RANKS || s->stride < 0 || s->stride > TSR_DIST_RANKS)
        return tsr_dist_fail_(error, "split %d has %lld ranks at steps of %lld: both are positive and at most 2^24",
                              k, (long long)s->extent, (long long)s->stride);
    if (s->role != TSR_DIST_SHARD && s->turn != 0)
        return tsr_dist_fail_(error, "split %d turns and has no digits", k);
    if (!tsr_dist_cuts_(s))
        return true;
    if (s->mode < 0 || s->mode >= d->modes)
        return tsr_dist_fail_(error, "split %d is of mode %d: the tensor has %d modes", k, s->mode, d->modes);
    if (s->role == TSR_DIST_TABLE)
        return check_table(d, k, error);
    if (s->role == TSR_DIST_CHUNK)
        return (s->block >= 1 && s->block <= DIST_MOST && s->period >= 1 && s->period <= TSR_DIST_SPLITS)
               || tsr_dist_fail_(
                   error, "split %d has %lld parts in chunks, at place %lld: parts are 1 to 2^24, places 1 to %d", k,
                   (long long)s->block, (long long)s->period, TSR_DIST_SPLITS);
    if (s->block < 1 || s->period < s->block || s->period > TSR_DIST_ELEMENTS)
        return tsr_dist_fail_(error, "split %d has blocks of %lld elements in a period of %lld", k,
                              (long long)s->block, (long long)s->period);
    if ((s->period - 1) / s->block >= s->extent)
        return tsr_dist_fail_(
            error, "element %lld of mode %d is nowhere: its digit %lld is not below the %lld ranks of split %d",
            (long long)(s->block * s->extent), s->mode, (long long)s->extent, (long long)s->extent, k);
    if (s->turn < 0 || s->turn >= s->extent)
        return tsr_dist_fail_(error, "split %d begins at rank %lld of %lld", k, (long long)s->turn,
                              (long long)s->extent);
    return true;
}

/** Two coordinates of the mesh are two ranks: each stride is larger than all that the smaller ones reach. */
static bool check_mesh(dist_form const *f, tsr_message *error)
{
    int64_t reach = 0;
    for (int k = f->d->splits - 1; k >= 0; --k) {
        tsr_dist_split const *const s = &f->d->split[f->by_stride[k]];
        if (s->extent > 1 && s->stride <= reach)
            return tsr_dist_fail_(
                error,
                "two coordinates of the mesh may be one rank: split %d steps by %lld ranks, and the "
                "splits of smaller steps reach %lld",
                f->by_stride[k], (long long)s->stride, (long long)reach);
        reach += (s->extent - 1) * s->stride;
        if (reach > TSR_DIST_RANKS)
            return tsr_dist_fail_(error, "the mesh has ranks above 2^24");
    }
    return (f->d->first >= 0 && f->d->first < TSR_DIST_RANKS - reach)
           || tsr_dist_fail_(error, "ranks from %lld on, %lld of them, leave the range 0 to 2^24 - 1",
                             (long long)f->d->first, (long long)reach + 1);
}

/** Blocks lie in blocks: a period ends where the block around it does, and where that one's period does, if it comes
 *  again. A table is alone but for chunks, and no two of these are at one place. */
static bool check_nests(dist_form const *f, tsr_message *error)
{
    for (int m = 0; m < f->d->modes; ++m)
        for (int k = 1; k < f->nests[m]; ++k) {
            tsr_dist_split const *const out = &f->d->split[f->nest[m][k - 1]], *const in =
                                                                                   &f->d->split[f->nest[m][k]];
            if ((out->role == TSR_DIST_TABLE && in->role != TSR_DIST_CHUNK)
                || (out->role == TSR_DIST_CHUNK && out->period == in->period))
                return tsr_dist_fail_(error, "splits %d and %d cut mode %d at one place", f->nest[m][k - 1],
                                      f->nest[m][k], m);
            if (in->role == TSR_DIST_CHUNK)
                continue;
            if (out->block % in->period != 0)
                return tsr_dist_fail_(
                    error,
                    "mode %d: a block of %lld elements is not a multiple of the period %lld inside of it: "
                    "element %lld begins a block in the middle of a period",
                    m, (long long)out->block, (long long)in->period, (long long)out->block);
            if (out->period < f->d->extent[m] && out->period % in->period != 0)
                return tsr_dist_fail_(
                    error,
                    "mode %d: element %lld begins the period %lld again, which is not a multiple of the period "
                    "%lld inside of it",
                    m, (long long)out->period, (long long)out->period, (long long)in->period);
        }
    return true;
}

/** The most intervals of a rank's share. Of shards the ranks of digits 0 have them, and each part that is cut into
 *  chunks adds one. */
static int64_t intervals_of(dist_form const *f, int m, dist_line *l)
{
    int64_t const digit[TSR_DIST_SPLITS] = {0};
    dist_form front = *f; /* without the chunks */
    int64_t parts = 0;
    front.nests[m] = f->rules[m];
    for (int k = f->rules[m]; k < f->nests[m]; ++k)
        parts += f->d->split[f->nest[m][k]].block;
    if (tsr_dist_has_table_(f, m))
        return f->d->table[m]->count + parts;
    tsr_dist_line_take_(l, &front, m, digit);
    int64_t const turns = parts > 0 ? tsr_ceil_div64(f->d->extent[m], l->period) : 1;
    return l->failed ? DIST_MOST + 1 : tsr_mul64_most(l->count, turns) + parts;
}

/** Memory holds each part. */
static bool check_memory(dist_form const *f, tsr_message *error)
{
    dist_line l = {0};
    bool ok = true;
    for (int m = 0; m < f->d->modes && ok; ++m) {
        if (intervals_of(f, m, &l) > DIST_MOST)
            ok = tsr_dist_fail_(error, "mode %d: a period has too many intervals for the memory, or more than 2^24",
                                m);
        else if (f->d->pitch[m] > 0 && f->d->pitch[m] < tsr_dist_line_most_(&l, f, m))
            ok = tsr_dist_fail_(error, "memory has %lld elements along mode %d, and a rank holds %lld",
                                (long long)f->d->pitch[m], m, (long long)tsr_dist_line_most_(&l, f, m));
    }
    tsr_dist_line_free_(&l);
    return ok;
}

bool tsr_dist_check(tsr_dist_layout const *d, tsr_message *error)
{
    if (!check_modes(d, error))
        return false;
    for (int k = 0; k < d->splits; ++k)
        if (!check_split(d, k, error))
            return false;
    dist_form const f = tsr_dist_form_of_(d);
    if (!check_mesh(&f, error) || !check_nests(&f, error) || !check_memory(&f, error))
        return false;
    int64_t all = tsr_dist_copies(d) * tsr_dist_sums(d);
    for (int m = 0; m < d->modes; ++m)
        all = tsr_mul64_most(all, tsr_max64(d->extent[m], 1));
    return all <= TSR_DIST_ELEMENTS || tsr_dist_fail_(error, "all ranks together hold more than 2^58 elements");
}

int64_t tsr_dist_ranks(tsr_dist_layout const *d)
{
    int64_t rank = d->first;
    for (int k = 0; k < d->splits; ++k)
        rank += (d->split[k].extent - 1) * d->split[k].stride;
    return rank + 1;
}

static int64_t ranks_of(tsr_dist_layout const *d, tsr_dist_role role)
{
    int64_t n = 1;
    for (int k = 0; k < d->splits; ++k)
        n *= d->split[k].role == role ? d->split[k].extent : 1;
    return n;
}

int64_t tsr_dist_copies(tsr_dist_layout const *d) { return ranks_of(d, TSR_DIST_COPY); }

int64_t tsr_dist_sums(tsr_dist_layout const *d) { return ranks_of(d, TSR_DIST_SUM); }

/** The strides of a part, whose extents are known. */
static void set_strides(tsr_dist_layout const *d, tsr_dist_part *part)
{
    int64_t stride = 1;
    part->elements = 1;
    part->span = 1;
    for (int k = 0; k < d->modes; ++k) {
        int const m = d->order[k];
        part->stride[m] = stride;
        part->span += (part->extent[m] - 1) * stride;
        part->elements *= part->extent[m];
        stride *= tsr_max64(d->pitch[m] > 0 ? d->pitch[m] : part->extent[m], 1);
    }
    part->span = part->elements == 0 ? 0 : part->span;
}

bool tsr_dist_part_of(tsr_dist_layout const *d, int64_t rank, tsr_dist_part *part)
{
    dist_form const f = tsr_dist_form_of_(d);
    int64_t digit[TSR_DIST_SPLITS];
    tsr_dist_part const nothing = {0};
    dist_line l = {0};
    *part = nothing;
    bool const there = tsr_dist_digits_(&f, rank, digit);
    for (int m = 0; m < d->modes && there; ++m) {
        tsr_dist_line_take_(&l, &f, m, digit);
        part->extent[m] = tsr_dist_line_count_(&l, d->extent[m]);
    }
    tsr_dist_line_free_(&l);
    if (there)
        set_strides(d, part);
    return there;
}

bool tsr_dist_at(tsr_dist_layout const *d, int64_t const *index, int64_t *rank, int64_t *offset)
{
    dist_form const f = tsr_dist_form_of_(d);
    int64_t digit[TSR_DIST_SPLITS] = {0}, local[TSR_DIST_MODES];
    tsr_dist_part part;
    dist_line l = {0};
    bool ok = true;
    for (int m = 0; m < d->modes; ++m)
        if (index[m] < 0 || index[m] >= d->extent[m])
            return false;
    for (int m = 0; m < d->modes && ok; ++m) {
        tsr_dist_digits_at_(&l, &f, m, index[m], digit);
        local[m] = tsr_dist_line_count_(&l, index[m]);
        ok = !l.failed;
    }
    tsr_dist_line_free_(&l);
    *rank = tsr_dist_rank_(d, digit);
    *offset = 0;
    ok = ok && tsr_dist_part_of(d, *rank, &part);
    for (int m = 0; m < d->modes && ok; ++m)
        *offset += local[m] * part.stride[m];
    return ok;
}

/** The index with that local index on a line. */
static bool line_index(dist_line const *l, int64_t local, int64_t *index)
{
    if (local < 0 || l->width == 0 || l->failed)
        return false;
    int64_t const inside = local % l->width;
    dist_interval const *const i = &l->interval[tsr_dist_line_find_(l, inside)];
    *index = local / l->width * l->period + i->at + inside - i->local;
    return *index < l->extent;
}

bool tsr_dist_index_at(tsr_dist_layout const *d, int64_t rank, int64_t const *local, int64_t *index)
{
    dist_form const f = tsr_dist_form_of_(d);
    int64_t digit[TSR_DIST_SPLITS];
    dist_line l = {0};
    bool ok = tsr_dist_digits_(&f, rank, digit);
    for (int m = 0; m < d->modes && ok; ++m) {
        tsr_dist_line_take_(&l, &f, m, digit);
        ok = line_index(&l, local[m], &index[m]);
    }
    tsr_dist_line_free_(&l);
    return ok;
}
