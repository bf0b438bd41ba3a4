/** Sectors of global memory: how many an access touches, beside the fewest that could hold its bytes.
 *
 *  An access is a layout (thread, value) to the index of an element, cut into vectors as in atom/banks.h. A warp of 32
 *  threads asks for one vector each with one request. Memory answers in sectors of 32 bytes, four to a line of 128; a
 *  sector that several threads need is moved once for a request. The first element stands at a multiple of 128 bytes.
 *
 *  Law     per request: sectors = distinct at / 32, lines = distinct at / 128 over the bytes `at` that it touches, and
 *          ideal = distinct bytes / 32, rounded up; ideal <= sectors <= 4 * lines. The counts add up over requests.
 *  Source  CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory"; Nsight Compute, memory tables.
 */
#ifndef TSR_ATOM_SECTORS_H
#define TSR_ATOM_SECTORS_H

#include "tessera/atom/banks.h"

TSR_HEADER_BEGIN

typedef struct tsr_sectors_ {
    int64_t requests, sectors, lines, ideal;
} tsr_sectors_;

enum { TSR_WARP_ = 32, TSR_SECTOR_ = 32, TSR_LINE_ = 128 };

/** Adds a number to a set of at most 32; is it new? */
TSR_FN bool tsr_distinct_(int64_t *set, int *count, int64_t x)
{
    for (int i = 0; i < *count; ++i)
        if (set[i] == x)
            return false;
    set[(*count)++] = x;
    return true;
}

/** One more request: the vectors that begin with value v, of the threads from `first` on. A vector is aligned to its
 *  size, so that it lies in one sector, and two of them are the same bytes or none in common. */
TSR_FN void tsr_request_(tsr_lane_access const *a, int64_t first, int64_t v, tsr_sectors_ *r)
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
TSR_FN tsr_tuple tsr_count_sectors_(tsr_lane_access const *a, int64_t v, int64_t end)
{
    tsr_sectors_ r = TSR_ZERO;
    for (; v < end; v += a->vector)
        for (int64_t t = 0; t < a->threads; t += TSR_WARP_)
            tsr_request_(a, t, v, &r);
    return tsr_t(r.requests, r.sectors, r.lines, r.ideal);
}

/** (requests, sectors, lines, ideal sectors) of a global memory access. Sectors beyond the ideal are moved for nothing.
 *  Errors   those of bank_conflicts.
 *  Example  global_sectors<float>((_32,_1):(_1,_0))  =  (1,4,1,4)
 *  Example  global_sectors<float>((_32,_1):(_32,_0))  =  (1,32,32,4) */
TSR_FN tsr_tuple tsr_global_sectors(tsr_layout access, tsr_dtype type)
{
    tsr_lane_access a = TSR_ZERO;
    tsr_tuple const why = tsr_make_lane_access(access, type, &a);
    return why.status ? why : tsr_count_sectors_(&a, 0, a.values);
}

/** The same of one value: of the vector that holds it.
 *  Errors   OUTSIDE for a value that the access does not have.
 *  Example  global_sectors<half_t>((_32,(_8,_2)):(_8,(_1,_256)), 11)  =  (1,16,4,16) */
TSR_FN tsr_tuple tsr_global_sectors_of(tsr_layout access, tsr_tuple value, tsr_dtype type)
{
    tsr_lane_access a = TSR_ZERO;
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

TSR_HEADER_END

#endif
