/** The normal form of a distributed layout. */
#include "mesh/form.h"
#include "mesh/same.h"

/** Joins splits of copies, and of addends, if the ranks of one continue those of the next. */
static void join_alike(tsr_dist_layout *d)
{
    int n = 0;
    for (int k = 0; k < d->splits; ++k) {
        tsr_dist_split const s = d->split[k];
        tsr_dist_split *const last = n > 0 ? &d->split[n - 1] : NULL;
        if (last && last->role == s.role && !tsr_dist_cuts_(&s) && last->stride == s.stride * s.extent) {
            last->stride = s.stride;
            last->extent *= s.extent;
        } else {
            d->split[n++] = s;
        }
    }
    d->splits = n;
}

tsr_dist_layout tsr_dist_normal_(tsr_dist_layout const *d)
{
    tsr_dist_layout r = *d;
    r.splits = 0;
    for (int k = 0; k < d->splits; ++k) {
        tsr_dist_split s = d->split[k];
        int i = r.splits;
        if (s.extent == 1)
            continue;
        if (s.role == TSR_DIST_SHARD && s.period >= d->extent[s.mode])
            s.period = tsr_mul64_most(s.block, s.extent);
        for (; i > 0 && r.split[i - 1].stride < s.stride; --i)
            r.split[i] = r.split[i - 1];
        r.split[i] = s;
        ++r.splits;
    }
    join_alike(&r);
    return r;
}

static bool same_splits(tsr_dist_split const *a, tsr_dist_split const *b)
{
    bool const same = a->role == b->role && a->extent == b->extent && a->stride == b->stride;
    return same
           && (!tsr_dist_cuts_(a)
               || (a->mode == b->mode && a->block == b->block && a->period == b->period && a->turn == b->turn));
}

bool tsr_dist_same_(tsr_dist_layout const *a, tsr_dist_layout const *b)
{
    tsr_dist_layout const x = tsr_dist_normal_(a), y = tsr_dist_normal_(b);
    bool same = x.modes == y.modes && x.splits == y.splits && x.first == y.first;
    for (int m = 0; same && m < x.modes; ++m)
        same = x.extent[m] == y.extent[m] && x.order[m] == y.order[m] && x.pitch[m] == y.pitch[m]
               && x.table[m] == y.table[m];
    for (int k = 0; same && k < x.splits; ++k)
        same = same_splits(&x.split[k], &y.split[k]);
    return same;
}
