/** Distributed layouts from ScaLAPACK's descriptors, and from the formats of HPF and MPI. */
#include <stdlib.h>

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

/** One interval for each rank of an axis. */
static bool deal_sizes(tsr_dist_layout *d, int mode, tsr_hpf_format const *f, int64_t ranks, int64_t stride,
                       tsr_message *error)
{
    if (f->size != ranks)
        return tsr_dist_fail_(error, "GEN_BLOCK of mode %d has %lld sizes for %lld ranks", mode, (long long)f->size,
                              (long long)ranks);
    tsr_dist_interval *const x = (tsr_dist_interval *)malloc((size_t)ranks * sizeof *x + 1);
    for (int64_t i = 0; x && i < ranks; ++i) {
        x[i].owner = i;
        x[i].length = f->sizes[i];
    }
    bool const ok = x ? tsr_dist_split_by(d, mode, ranks, stride, ranks, x, error)
                      : tsr_dist_fail_(error, "%lld sizes do not fit in memory", (long long)ranks);
    free(x);
    return ok;
}

/** A mode by its format, for the ranks of an axis. */
static bool deal_format(tsr_dist_layout *d, int m, tsr_hpf_format const *f, int64_t ranks, int64_t stride,
                        tsr_message *error)
{
    int64_t const n = d->extent[m], least = ranks < 1 ? 0 : tsr_max64(tsr_ceil_div64(n, ranks), 1);
    bool const blocks = f->kind == TSR_HPF_BLOCK;
    int64_t const size = f->size ? f->size : blocks ? least : 1;
    if (f->kind == TSR_HPF_GEN_BLOCK)
        return deal_sizes(d, m, f, ranks, stride, error);
    if (blocks && size < least)
        return tsr_dist_fail_(error, "element %lld of mode %d is nowhere: %lld blocks of %lld do not hold %lld",
                              (long long)(size * ranks), m, (long long)ranks, (long long)size, (long long)n);
    return deal(d, m, size, ranks, stride, 0, error);
}

bool tsr_dist_from_darray(int modes, int64_t const *extent, tsr_hpf_format const *format, int64_t const *grid,
                          bool fortran, tsr_dist_layout *d, tsr_message *error)
{
    int64_t stride = 1;
    if (modes < 0 || modes > TSR_DIST_MODES)
        return tsr_dist_fail_(error, "the tensor has %d modes, at most %d are distributed", modes, TSR_DIST_MODES);
    *d = tsr_dist_whole(modes, extent, !fortran);
    if (!tsr_dist_check(d, error))
        return false;
    for (int m = modes - 1; m >= 0; --m) {
        if (format[m].kind == TSR_HPF_WHOLE && grid[m] != 1)
            return tsr_dist_fail_(error, "mode %d is not distributed, and axis %d of the grid has %lld ranks, not 1",
                                  m, m, (long long)grid[m]);
        if (format[m].kind != TSR_HPF_WHOLE && !deal_format(d, m, &format[m], grid[m], stride, error))
            return false;
        stride = tsr_mul64_most(stride, grid[m]);
    }
    return tsr_dist_check(d, error);
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
        if (!deal_format(d, m, &format[m], grid[axis], stride, error))
            return false;
        stride = tsr_mul64_most(stride, grid[axis++]);
    }
    if (axis < axes)
        return tsr_dist_fail_(error, "the grid has %d axes, and %d modes are distributed", axes, axis);
    return tsr_dist_check(d, error);
}
