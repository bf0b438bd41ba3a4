/** Cuts as layouts. What no rule of blocks says is a table of intervals: fused parts, padding, sizes. */
#include "reshard/cut.h"

#include <stdlib.h>
#include <string.h>

#include "mesh/form.h"

/** Intervals of a mode in the making. */
typedef struct interval_list {
    tsr_dist_interval *x;
    int64_t n, capacity;
    int64_t left; /* elements of the whole that are still to come */
} interval_list;

/** Cuts n neighbours into chunks for the axes from k on, as torch does, axis by axis. `owner` is their rank so far. */
static bool add_chunks(interval_list *l, int axes, int64_t const *size, int64_t const *sizes, int64_t owner,
                       int64_t n)
{
    if (axes == 0) {
        if (!tsr_dist_grow_((void **)&l->x, l->n, &l->capacity, sizeof *l->x))
            return false;
        int64_t const length = tsr_min64(n, l->left);
        l->x[l->n++] = (tsr_dist_interval){owner, length};
        l->left -= length;
        return true;
    }
    int64_t const chunk = tsr_max64(tsr_ceil_div64(n, size[0]), 1);
    for (int64_t i = 0, at = 0; i < size[0]; ++i) {
        int64_t const length = sizes ? sizes[i] : tsr_min64(chunk, n - at);
        if (!add_chunks(l, axes - 1, size + 1, NULL, owner * size[0] + i, length))
            return false;
        at += length;
    }
    return true;
}

/** What a rule says of one mode by a table. */
typedef struct mode_table {
    int mode;
    int first, axes; /* neighbours in the mesh, that cut the mode */
    int64_t stride;
} mode_table;

/** Finds the axes that cut the mode. They are neighbours, so that their ranks are one number times a stride. */
static bool find_axes(reshard_mesh const *mesh, tsr_placement const *p, mode_table *t, tsr_message *error)
{
    t->first = t->axes = 0;
    t->stride = 1;
    for (int a = 0; a < mesh->axes; ++a) {
        bool const cuts = p[a].kind != TSR_PLACE_REPLICATE && p[a].mode == t->mode && mesh->size[a] > 1;
        if (cuts && p[a].kind == TSR_PLACE_STRIDED)
            return tsr_dist_fail_(error, "a strided shard of mode %d has no parts, sizes or padding", t->mode);
        if (cuts && t->axes > 0 && t->first + t->axes < a)
            return tsr_dist_fail_(error, "mode %d has parts, sizes or padding: the axes that cut it are neighbours",
                                  t->mode);
        t->first = cuts && t->axes == 0 ? a : t->first;
        t->axes += cuts;
        t->stride = cuts ? 1 : t->axes > 0 ? t->stride * mesh->size[a] : 1;
    }
    return true;
}

/** The copies that stand for the axes of a table go. */
static void remove_copies(tsr_dist_layout *d, reshard_mesh const *mesh, mode_table const *t)
{
    int64_t reach = t->stride;
    int n = 0;
    for (int a = 0; a < t->axes; ++a)
        reach *= mesh->size[t->first + a];
    for (int k = 0; k < d->splits; ++k)
        if (d->split[k].role != TSR_DIST_COPY || d->split[k].stride < t->stride || d->split[k].stride >= reach)
            d->split[n++] = d->split[k];
    d->splits = n;
}

/** The intervals of the parts of a mode, one after the other; `n` is the extent in files. */
static bool list_parts(cutting const *c, mode_table const *t, int64_t n, interval_list *l, tsr_message *error)
{
    reshard_rule const *const rule = c->rule;
    reshard_mesh const *const mesh = &c->mesh;
    int const parts = rule->joined == 1 && rule->parts.count > 0 ? rule->parts.count : 1;
    int64_t sum = 0;
    bool const equal = rule->parts.size[0] == 0;
    if (c->sizes.count > 0 && (t->axes != 1 || c->sizes.count != mesh->size[t->first]))
        return tsr_dist_fail_(error, "%d sizes are those of the ranks of one axis that cuts the tensor",
                              c->sizes.count);
    for (int i = 0; i < (c->sizes.count > 0 ? c->sizes.count : parts); ++i)
        sum += c->sizes.count > 0 ? c->sizes.size[i] : parts == 1 ? n : equal ? n / parts : rule->parts.size[i];
    if (sum != n)
        return tsr_dist_fail_(error, "mode %d has %lld elements, and its %s have %lld together", t->mode,
                              (long long)n, c->sizes.count > 0 ? "sizes" : "parts", (long long)sum);
    for (int i = 0; i < parts; ++i)
        if (!add_chunks(l, t->axes, mesh->size + t->first, c->sizes.count > 0 ? c->sizes.size : NULL, 0,
                        parts == 1 ? n
                        : equal    ? n / parts
                                   : rule->parts.size[i]))
            return tsr_dist_fail_(error, "out of memory for the intervals of mode %d", t->mode);
    return true;
}

static bool add_table(cutting const *c, mode_table const *t, int64_t there, tsr_dist_layout *d, tsr_message *error)
{
    interval_list l = {NULL, 0, 0, d->extent[t->mode]};
    int64_t ranks = 1;
    for (int a = 0; a < t->axes; ++a)
        ranks *= c->mesh.size[t->first + a];
    bool const ok =
        list_parts(c, t, there, &l, error) && tsr_dist_split_by(d, t->mode, ranks, t->stride, l.n, l.x, error);
    free(l.x);
    return ok;
}

/** The mode that a table may cut: the one of the first shard. */
static int mode_of(reshard_mesh const *mesh, tsr_placement const *p)
{
    for (int a = 0; a < mesh->axes; ++a)
        if (p[a].kind != TSR_PLACE_REPLICATE)
            return p[a].mode;
    return 0;
}

bool tsr_reshard_cut_(cutting const *c, int modes, int64_t const *extent, int64_t there, tsr_dist_layout *d,
                      tsr_message *error)
{
    reshard_mesh const *const mesh = &c->mesh;
    tsr_placement p[RESHARD_AXES + 1];
    memcpy(p, c->p, sizeof p);
    for (int a = 0; a < mesh->axes && modes == 0; ++a)
        p[a].kind = TSR_PLACE_REPLICATE; /* nothing is cut */
    bool const parts = modes > 0 && c->rule->joined == 1 && c->rule->parts.count > 0,
               padded = modes > 0 && there != extent[0];
    mode_table t = {padded ? 0 : c->mode >= 0 ? c->mode : mode_of(mesh, p), 0, 0, 1};
    if (!parts && !padded && c->sizes.count == 0)
        return tsr_dist_from_placements(modes, extent, mesh->axes, mesh->size, p, NULL, d, error);
    if (!find_axes(mesh, p, &t, error))
        return false;
    for (int a = 0; a < t.axes; ++a)
        p[t.first + a].kind = TSR_PLACE_REPLICATE;
    if (!tsr_dist_from_placements(modes, extent, mesh->axes, mesh->size, p, NULL, d, error))
        return false;
    if (t.axes == 0)
        return true;
    remove_copies(d, mesh, &t);
    return add_table(c, &t, t.mode == 0 ? there : extent[t.mode], d, error) && tsr_dist_check(d, error);
}
