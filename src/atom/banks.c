/** Banks of shared memory: the functions of atom/banks.h. */
#include "tessera/atom/banks.h"

int64_t tsr_lane_access_at(tsr_lane_access const *a, tsr_swizzle sw, int64_t t, int64_t v)
{
    int64_t const at = tsr_at_index(a->layout, t + v * a->threads);
    return tsr_swizzle_leaf_(sw, tsr_leaf_dynamic(at)).value;
}

/** Are all runs of n values contiguous and aligned? */
static bool tsr_lane_access_runs_(tsr_lane_access const *a, int64_t n)
{
    tsr_swizzle const none = tsr_make_swizzle(0, 0, 0);
    for (int64_t i = 0; i < a->threads * a->values; ++i) {
        int64_t const t = i % a->threads, v = i / a->threads, at = tsr_lane_access_at(a, none, t, v);
        if (v % n == 0 ? at % n != 0 : at != tsr_lane_access_at(a, none, t, v - 1) + 1)
            return false;
    }
    return true;
}

tsr_tuple tsr_make_lane_access(tsr_layout l, tsr_dtype type, tsr_lane_access *a)
{
    tsr_lane_access r = {0};
    r.layout = l;
    r.bits = tsr_dtype_bits(type);
    if (l.shape.status || tsr_mode_count(&l.shape) != 2)
        return l.shape.status ? l.shape : tsr_bad_tuple(TSR_RANK, 0, tsr_mode_count(&l.shape), 2, 0);
    if (tsr_has_basis(&l.stride))
        return tsr_bad_tuple(TSR_BASIS_VALUES, tsr_first_basis_(&l.stride), 0, 0, 0);
    if (r.bits == 0 || 128 % r.bits != 0)
        return tsr_bad_tuple(TSR_TYPE, 0, r.bits, 0, 0);
    r.threads = tsr_layout_size(tsr_mode(l, 0));
    r.values = tsr_layout_size(tsr_mode(l, 1));
    if (r.threads > TSR_LAW_BUDGET || r.values > TSR_LAW_BUDGET / r.threads)
        return tsr_bad_tuple(TSR_NOT_DECIDED, 0, TSR_LAW_BUDGET, 0, 0);
    for (int64_t i = 0; i < r.threads * r.values; ++i)
        if (tsr_at_index(l, i) < 0 || tsr_at_index(l, i) > TSR_INT_MAX / 128)
            return tsr_bad_tuple(TSR_NEGATIVE, 0, tsr_at_index(l, i), 0, 0);
    for (r.vector = 128 / r.bits; r.vector > 1; r.vector /= 2)
        if (r.values % r.vector == 0 && tsr_lane_access_runs_(&r, r.vector))
            break;
    *a = r;
    return tsr_s(0);
}

int64_t tsr_lane_access_rounds(tsr_lane_access const *a, tsr_swizzle sw, int64_t first, int64_t v)
{
    int64_t word[32] = {0}, most = 1;
    int64_t const wide = a->vector * a->bits, words = wide > 32 ? wide / 32 : 1, group = 32 / words;
    int found = 0, rounds[32] = {0};
    for (int64_t i = 0; i < group * words; ++i) {
        int64_t const t = first + i / words;
        if (t >= a->threads)
            break;
        int64_t const at = tsr_lane_access_at(a, sw, t, v) * a->bits / 32 + i % words;
        bool known = false;
        for (int k = 0; k < found; ++k)
            known = known || word[k] == at;
        if (!known) {
            word[found++] = at;
            most = tsr_max64(most, ++rounds[at % 32]);
        }
    }
    return most;
}

int64_t tsr_lane_access_most(tsr_lane_access const *a, tsr_swizzle sw, int64_t enough)
{
    int64_t const wide = a->vector * a->bits, group = wide > 32 ? 1024 / wide : 32;
    int64_t most = 1;
    for (int64_t v = 0; v < a->values && most < enough; v += a->vector)
        for (int64_t t = 0; t < a->threads && most < enough; t += group)
            most = tsr_max64(most, tsr_lane_access_rounds(a, sw, t, v));
    return most;
}

tsr_tuple tsr_bank_conflicts_int(tsr_layout access, tsr_dtype type)
{
    tsr_lane_access a = {0};
    tsr_tuple const why = tsr_make_lane_access(access, type, &a);
    return why.status ? why : tsr_int(tsr_lane_access_most(&a, tsr_make_swizzle(0, 0, 0), 33));
}

int64_t tsr_bank_conflicts(tsr_layout access, tsr_dtype type)
{
    return tsr_tuple_number(tsr_bank_conflicts_int(access, type));
}

/** True if all accesses go in one round under the swizzle, with unbroken vectors. *left counts down the elements that
 *  may still be visited. Once it is negative, the answer is no. */
static bool tsr_swizzle_serves_(tsr_swizzle sw, tsr_lane_access const *a, int count, int64_t *left)
{
    for (int i = 0; i < count; ++i) {
        int64_t const wide = a[i].vector * a[i].bits, group = wide > 32 ? 1024 / wide : 32;
        if (sw.bits > 0 && (int64_t)1 << sw.base < a[i].vector)
            return false;
        for (int64_t v = 0; v < a[i].values; v += a[i].vector)
            for (int64_t t = 0; t < a[i].threads; t += group) {
                *left -= 32;
                if (*left < 0 || tsr_lane_access_rounds(&a[i], sw, t, v) > 1)
                    return false;
            }
    }
    return true;
}

/** The bits of the largest offset of any access. */
static int tsr_lane_access_width_(tsr_lane_access const *a, int count)
{
    int64_t most = 0;
    for (int i = 0; i < count; ++i)
        for (int64_t k = 0; k < a[i].threads * a[i].values; ++k)
            most = tsr_max64(most, tsr_at_index(a[i].layout, k));
    return tsr_bit_width((uint64_t)most);
}

tsr_swizzle tsr_search_swizzle(tsr_lane_access const *a, int count)
{
    int const width = tsr_lane_access_width_(a, count), most = width < 30 ? width : 30;
    tsr_swizzle const none = tsr_make_swizzle(0, 0, 0);
    int64_t left = TSR_WORK_BUDGET;
    if (count == 0 || tsr_swizzle_serves_(none, a, count, &left))
        return none;
    for (int bits = 1; bits <= 5; ++bits)
        for (int base = 0; base <= 10; ++base)
            for (int remote = bits; bits + base + remote <= most; ++remote)
                for (int minus = 0; minus <= (a[0].bits << base < 32); ++minus) {
                    tsr_swizzle const sw = tsr_make_swizzle(bits, base, minus ? -remote : remote);
                    if (tsr_swizzle_serves_(sw, a, count, &left))
                        return sw;
                    if (left < 0)
                        return tsr_bad_swizzle(TSR_NOT_DECIDED, TSR_WORK_BUDGET, 0, 0);
                }
    return tsr_bad_swizzle(TSR_BANKS, count, 0, 0);
}

tsr_swizzle tsr_find_swizzle(tsr_tiler accesses, tsr_dtype type)
{
    tsr_lane_access a[TSR_ACCESSES_] = {0};
    tsr_tuple why = accesses.by.shape;
    int const count = why.status ? 0 : tsr_tiler_rank_(&accesses);
    for (int i = 0; i < count && !why.status; ++i)
        why = tsr_make_lane_access(tsr_tiler_get(accesses, i).by, type, &a[i]);
    if (why.status)
        return tsr_bad_swizzle((tsr_status)why.status, why.leaf[0].value, why.leaf[1].value, why.leaf[2].value);
    return tsr_search_swizzle(a, count);
}
