/** Sectors of global memory: the functions of atom/sectors.h. */
#include "tessera/atom/sectors.h"

typedef struct tsr_sectors_ {
    int64_t requests, sectors, lines, ideal;
} tsr_sectors_;

enum { TSR_WARP_ = 32, TSR_SECTOR_ = 32, TSR_LINE_ = 128 };

/** Adds a number to a set of at most 32; is it new? */
static bool tsr_distinct_(int64_t *set, int *count, int64_t x)
{
    for (int i = 0; i < *count; ++i)
        if (set[i] == x)
            return false;
    set[(*count)++] = x;
    return true;
}

/** One more request: the vectors that begin with value v, of the threads from `first` on. A vector is aligned to its
 *  size, so that it lies in one sector, and two of them are the same bytes or none in common. */
static void tsr_request_(tsr_lane_access const *a, int64_t first, int64_t v, tsr_sectors_ *r)
{
    int64_t start[TSR_WARP_] = {0}, sector[TSR_WARP_] = {0}, line[TSR_WARP_] = {0};
    int starts = 0, sectors = 0, lines = 0;
    int64_t const bytes = a->vector * a->bits < 8 ? 1 : a->vector * a->bits / 8;
    for (int64_t t = first; t < first + TSR_WARP_ && t < a->threads; ++t) {
        int64_t const at = tsr_lane_access_at(a, tsr_make_swizzle(0, 0, 0), t, v) * a->bits / 8;
        tsr_distinct_(start, &starts, at);
        tsr_distinct_(sector, &sectors, at / TSR_SECTOR_);
        tsr_distinct_(line, &lines, at / TSR_LINE_);
    }
    ++r->requests;
    r->sectors += sectors;
    r->lines += lines;
    r->ideal += (starts * bytes + TSR_SECTOR_ - 1) / TSR_SECTOR_;
}

/** The requests of values `v` to `end` - 1, as (requests, sectors, lines, ideal). */
static tsr_tuple tsr_count_sectors_(tsr_lane_access const *a, int64_t v, int64_t end)
{
    tsr_sectors_ r = {0};
    for (; v < end; v += a->vector)
        for (int64_t t = 0; t < a->threads; t += TSR_WARP_)
            tsr_request_(a, t, v, &r);
    return tsr_t(r.requests, r.sectors, r.lines, r.ideal);
}

tsr_tuple tsr_global_sectors(tsr_layout access, tsr_dtype type)
{
    tsr_lane_access a = {0};
    tsr_tuple const why = tsr_make_lane_access(access, type, &a);
    return why.status ? why : tsr_count_sectors_(&a, 0, a.values);
}

tsr_tuple tsr_global_sectors_of(tsr_layout access, tsr_tuple value, tsr_dtype type)
{
    tsr_lane_access a = {0};
    if (access.shape.status || value.status)
        return access.shape.status ? access.shape : value;
    tsr_tuple const why = tsr_make_lane_access(access, type, &a);
    tsr_leaf const v = tsr_as_leaf_(value);
    if (why.status)
        return why;
    if (!tsr_leaf_is_int(v))
        return tsr_bad_tuple(TSR_NOT_INTEGER, 0, tsr_mode_count(&value), 0, 0);
    if (v.value < 0 || v.value >= a.values)
        return tsr_bad_tuple(TSR_OUTSIDE, 1, v.value, a.values, 0);
    int64_t const first = v.value / a.vector * a.vector;
    return tsr_count_sectors_(&a, first, first + a.vector);
}
