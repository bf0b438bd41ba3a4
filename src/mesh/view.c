/** Distributed tensors with other extents.
 *
 *  Modes are grouped from the contiguous one on, so that the old ones of a group have as many elements as the new ones.
 *  In a group an element has one number, f. A shard of a mode of extent e whose elements are w apart gives f the digit
 *  (f mod period * w) / (block * w), where the period divides e or no larger mode of the group follows. The way to a
 *  new mode is the same one back. A shard that reaches beyond a new mode is two, one inside of it and one outside.
 */
#include <stdlib.h>

#include "mesh/form.h"
#include "tessera/mesh/make.h"

/** The modes of one side, the contiguous one first, and how far their elements are apart in a group. */
typedef struct side {
    int mode[TSR_DIST_MODES], group[TSR_DIST_MODES];
    int64_t extent[TSR_DIST_MODES], weight[TSR_DIST_MODES];
    int modes;
} side;

typedef struct viewer {
    tsr_dist_layout const *d;
    tsr_dist_layout *to;
    side side[2];
    int64_t elements[2 * TSR_DIST_MODES]; /* of a group */
    tsr_message *error;
} viewer;

static side side_of(int modes, int64_t const *extent, bool last)
{
    side s = {{0}, {0}, {0}, {0}, 0};
    s.modes = modes;
    for (int k = 0; k < modes; ++k) {
        s.mode[k] = last ? modes - 1 - k : k;
        s.extent[k] = extent[s.mode[k]];
    }
    return s;
}

/** Takes a mode into a group of so many elements. */
static void take(side *s, int *k, int group, int64_t *elements)
{
    s->group[*k] = group;
    s->weight[*k] = *elements;
    *elements *= s->extent[(*k)++];
}

/** Groups are as small as they can be. Modes of one element join the group before them. */
static void make_groups(viewer *v)
{
    int at[2] = {0, 0};
    for (int g = 0; at[0] < v->side[0].modes || at[1] < v->side[1].modes; ++g) {
        int64_t n[2] = {1, 1};
        do {
            int const k = at[0] == v->side[0].modes || (at[1] < v->side[1].modes && n[1] < n[0]);
            take(&v->side[k], &at[k], g, &n[k]);
        } while (n[0] != n[1] || (n[0] == 1 && (at[0] < v->side[0].modes || at[1] < v->side[1].modes)));
        for (int k = 0; k < 2; ++k)
            while (at[k] < v->side[k].modes && v->side[k].extent[at[k]] == 1)
                take(&v->side[k], &at[k], g, &n[k]);
        v->elements[g] = n[0];
    }
}

/** Does a larger mode of the group follow? */
static bool goes_on(side const *s, int k)
{
    for (int i = k + 1; i < s->modes && s->group[i] == s->group[k]; ++i)
        if (s->extent[i] > 1)
            return true;
    return false;
}

static bool refuse(viewer *v, int split, char const *why, int64_t a, int64_t b)
{
    char text[128];
    snprintf(text, sizeof text, why, (long long)a, (long long)b);
    return tsr_dist_fail_(v->error, "split %d of mode %d has no place in these extents: %s", split,
                          v->d->split[split].mode, text);
}

static bool add(viewer *v, tsr_dist_split s)
{
    if (v->to->splits == TSR_DIST_SPLITS)
        return tsr_dist_fail_(v->error, "the layout needs more than %d splits", TSR_DIST_SPLITS);
    v->to->split[v->to->splits++] = s;
    return true;
}

static bool add_of(viewer *v, tsr_dist_split s, int k)
{
    s.mode = v->side[1].mode[k];
    s.block /= v->side[1].weight[k];
    s.period /= v->side[1].weight[k];
    return add(v, s);
}

/** Puts a shard of the numbers of a group into its new modes; `split` is what it was. */
static bool put_shard(viewer *v, int split, int group, tsr_dist_split s)
{
    side const *const to = &v->side[1];
    int k = -1; /* the mode in which a block ends */
    for (int i = 0; i < to->modes; ++i)
        if (to->group[i] == group && (to->extent[i] > 1 || k < 0) && (k < 0 || to->weight[i] <= s.block))
            k = i;
    if (k < 0)
        return refuse(v, split, "%lld ranks cut the only element, and no mode is left of %lld", s.extent, 1);
    int64_t const weight = to->weight[k], reach = weight * to->extent[k];
    if (s.block % weight != 0)
        return refuse(v, split, "blocks of %lld elements begin inside of %lld neighbours", s.block, weight);
    if (!goes_on(to, k) || reach % s.period == 0)
        return s.period % weight == 0
                   ? add_of(v, s, k)
                   : refuse(v, split, "its period of %lld elements ends inside of %lld neighbours", s.period, weight);
    tsr_dist_split in = s, out = s;
    in.period = out.block = reach;
    in.extent = reach / s.block;
    if (s.period < reach)
        return refuse(v, split, "its period of %lld elements does not divide %lld neighbours", s.period, reach);
    if (reach % s.block != 0 || s.period % reach != 0)
        return refuse(v, split, "blocks of %lld elements do not fill %lld neighbours", s.block, reach);
    if (s.turn != 0 || s.extent % in.extent != 0)
        return refuse(v, split, "its %lld ranks are turned, or are not a multiple of %lld", s.extent, in.extent);
    out.extent = s.extent / in.extent;
    out.stride = s.stride * in.extent;
    return add_of(v, in, k) && (out.extent == 1 || put_shard(v, split, group, out));
}

static bool view_shard(viewer *v, int split, int k)
{
    side const *const from = &v->side[0];
    tsr_dist_split s = v->d->split[split];
    int64_t const n = from->extent[k], weight = from->weight[k];
    if (s.period >= n) { /* it does not come again in the mode */
        s.period = n;
        s.block = tsr_min64(s.block, n);
    } else if (n % s.period != 0 && goes_on(from, k)) {
        return refuse(v, split, "its period %lld does not divide the extent %lld", s.period, n);
    }
    s.block *= weight;
    s.period *= weight;
    return put_shard(v, split, from->group[k], s);
}

/** A table goes to the largest new mode of the group, whose elements are `weight` apart. */
static bool view_table(viewer *v, int split, int k)
{
    tsr_dist_split const *const s = &v->d->split[split];
    tsr_dist_table const *const t = v->d->table[s->mode];
    int to = 0;
    if (goes_on(&v->side[0], k))
        return refuse(v, split, "a table of %lld intervals stays on the outermost mode of its %lld elements",
                      t->count, v->elements[v->side[0].group[k]]);
    for (int i = 0; i < v->side[1].modes; ++i)
        if (v->side[1].group[i] == v->side[0].group[k] && v->side[1].extent[i] > 1)
            to = i;
    tsr_dist_interval *const x = (tsr_dist_interval *)malloc((size_t)t->count * sizeof *x);
    bool ok = x || tsr_dist_fail_(v->error, "a table of %lld intervals does not fit in memory", (long long)t->count);
    for (int64_t i = 0; ok && i < t->count; ++i) {
        int64_t const length = t->run[i].length * v->side[0].weight[k], weight = v->side[1].weight[to];
        x[i].owner = t->run[i].owner;
        x[i].length = length / weight;
        if (length % weight != 0)
            ok = refuse(v, split, "an interval of %lld elements ends inside of %lld neighbours", length, weight);
    }
    ok = ok && tsr_dist_split_by(v->to, v->side[1].mode[to], s->extent, s->stride, t->count, x, v->error);
    free(x);
    return ok;
}

/** Chunks stay where the group is one mode before and after. */
static bool view_chunks(viewer *v, int split, int k)
{
    side const *const to = &v->side[1];
    for (int i = 0; i < to->modes; ++i)
        if (to->group[i] == v->side[0].group[k] && to->extent[i] == v->side[0].extent[k]
            && v->elements[to->group[i]] == to->extent[i] && to->weight[i] == 1)
            return add_of(v, v->d->split[split], i);
    return refuse(v, split, "chunks of what is left are cut by the extent %lld of a mode, in a group of %lld",
                  v->side[0].extent[k], v->elements[v->side[0].group[k]]);
}

static bool view_split(viewer *v, int split)
{
    tsr_dist_split const *const s = &v->d->split[split];
    int k = 0;
    if (s->extent == 1)
        return true;
    if (!tsr_dist_cuts_(s))
        return add(v, *s);
    while (v->side[0].mode[k] != s->mode)
        ++k;
    return s->role == TSR_DIST_SHARD   ? view_shard(v, split, k)
           : s->role == TSR_DIST_TABLE ? view_table(v, split, k)
                                       : view_chunks(v, split, k);
}

/** Is memory compact, in C or Fortran order? */
static bool is_plain(tsr_dist_layout const *d, bool *last, tsr_message *error)
{
    *last = d->modes < 2 || d->order[0] != 0;
    for (int k = 0; k < d->modes; ++k)
        if (d->pitch[k] > 0 || d->order[k] != (*last ? d->modes - 1 - k : k))
            return tsr_dist_fail_(error, "memory has gaps, or is in neither C nor Fortran order: place %d is mode %d",
                                  k, d->order[k]);
    return true;
}

bool tsr_dist_view(tsr_dist_layout const *d, int modes, int64_t const *extent, tsr_dist_layout *view,
                   tsr_message *error)
{
    bool last = true;
    int64_t old = 1, new_ = 1;
    if (!tsr_dist_check(d, error) || !is_plain(d, &last, error))
        return false;
    *view = tsr_dist_whole(modes, extent, last);
    view->first = d->first;
    if (!tsr_dist_check(view, error))
        return false;
    for (int m = 0; m < d->modes; ++m)
        old *= d->extent[m];
    for (int m = 0; m < modes; ++m)
        new_ *= extent[m];
    if (old != new_ || old == 0)
        return tsr_dist_fail_(error, "a view has the elements of its tensor, and some: %lld became %lld",
                              (long long)old, (long long)new_);
    viewer v = {d, view, {side_of(d->modes, d->extent, last), side_of(modes, extent, last)}, {0}, error};
    make_groups(&v);
    for (int k = 0; k < d->splits; ++k)
        if (!view_split(&v, k))
            return false;
    return tsr_dist_check(view, error);
}
