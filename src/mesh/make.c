/** Distributed layouts from ScaLAPACK's descriptors and HPF's formats. */
#include "mesh/form.h"
#include "tessera/mesh/make.h"

/** A mode in blocks that are dealt to the ranks of one axis in turn. */
static bool deal(tsr_dist_layout *d, int mode, int64_t block, int64_t ranks, int64_t stride, int64_t turn,
                 tsr_message *error)
{
    int64_t period = 0;
    if (block < 1 || ranks < 1 || !tsr_mul64(block, ranks, &period))
        return tsr_dist_fail_(error, "mode %d: blocks of %lld elements cannot be dealt to %lld ranks", mode,
                              (long long)block, (long long)ranks);
    if (d->splits == TSR_DIST_SPLITS)
        return tsr_dist_fail_(error, "the layout needs more than %d splits", TSR_DIST_SPLITS);
    tsr_dist_split const s = {TSR_DIST_SHARD, mode, ranks, stride, block, period, turn};
    d->split[d->splits++] = s;
    return true;
}

bool tsr_dist_from_scalapack(tsr_scalapack const *s, tsr_dist_layout *d, tsr_message *error)
{
    int64_t const extent[] = {s->m, s->n};
    *d = tsr_dist_whole(2, extent, false);
    if (!tsr_dist_check(d, error))
        return false;
    d->pitch[0] = s->lld;
    if (s->rsrc < 0 || s->rsrc >= s->p || s->csrc < 0 || s->csrc >= s->q)
        return tsr_dist_fail_(error, "the first process (%lld,%lld) is not one of the %lld by %lld processes",
                              (long long)s->rsrc, (long long)s->csrc, (long long)s->p, (long long)s->q);
    return deal(d, 0, s->mb, s->p, s->columns ? 1 : s->q, s->rsrc, error)
           && deal(d, 1, s->nb, s->q, s->columns ? s->p : 1, s->csrc, error) && tsr_dist_check(d, error);
}

bool tsr_dist_from_hpf(int modes, int64_t const *extent, tsr_hpf_format const *format, int axes, int64_t const *grid,
                       tsr_dist_layout *d, tsr_message *error)
{
    int64_t stride = 1;
    int axis = 0;
    if (modes < 0 || modes > TSR_DIST_MODES)
        return tsr_dist_fail_(error, "the tensor has %d modes, at most %d are distributed", modes, TSR_DIST_MODES);
    *d = tsr_dist_whole(modes, extent, false);
    if (!tsr_dist_check(d, error))
        return false;
    for (int m = 0; m < modes; ++m) {
        if (format[m].kind == TSR_HPF_WHOLE)
            continue;
        if (axis == axes)
            return tsr_dist_fail_(error, "mode %d is distributed, and the grid has only %d axes", m, axes);
        int64_t const ranks = grid[axis++], least = ranks < 1 ? 0 : tsr_max64(tsr_ceil_div64(extent[m], ranks), 1);
        bool const blocks = format[m].kind == TSR_HPF_BLOCK;
        int64_t const size = format[m].size ? format[m].size : blocks ? least : 1;
        if (blocks && size < least)
            return tsr_dist_fail_(error, "element %lld of mode %d is nowhere: %lld blocks of %lld do not hold %lld",
                                  (long long)(size * ranks), m, (long long)ranks, (long long)size,
                                  (long long)extent[m]);
        if (!deal(d, m, size, ranks, stride, 0, error))
            return false;
        stride = tsr_mul64_most(stride, ranks);
    }
    if (axis < axes)
        return tsr_dist_fail_(error, "the grid has %d axes, and %d modes are distributed", axes, axis);
    return tsr_dist_check(d, error);
}
