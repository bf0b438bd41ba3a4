/** A bounded search for a sum of strides: integers z_k between given bounds with sum z_k * stride_k = target.
 *
 *  Strides are tried from the largest on. A branch ends where the smaller strides cannot reach the rest, or where
 *  their greatest common divisor does not divide it. All branches together take at most TSR_LAW_BUDGET steps.
 */
#ifndef TSR_CORE_BODY_SEARCH_H
#define TSR_CORE_BODY_SEARCH_H

#include "tessera/base/int64.h"

TSR_HEADER_BEGIN

typedef struct tsr_search_ {
    int n, budget;                  /* budget < 0: the search was given up */
    int64_t stride[TSR_MAX_LEAVES]; /* positive, descending */
    int64_t least[TSR_MAX_LEAVES], most[TSR_MAX_LEAVES];
    int64_t low[TSR_MAX_LEAVES + 1], high[TSR_MAX_LEAVES + 1]; /* what the strides from here on reach */
    int64_t divisor[TSR_MAX_LEAVES + 1];
    int64_t z[TSR_MAX_LEAVES];
} tsr_search_;

/** One more stride, to be pushed in descending order of absolute value: a negative one is turned round. */
TSR_LOCAL void tsr_search_push_(tsr_search_ *s, int64_t stride, int64_t least, int64_t most)
{
    s->stride[s->n] = stride < 0 ? -stride : stride;
    s->least[s->n] = stride < 0 ? -most : least;
    s->most[s->n] = stride < 0 ? -least : most;
    ++s->n;
}

/** Prepares the search; false when what can be reached leaves 60 bits. */
TSR_LOCAL bool tsr_search_open_(tsr_search_ *s)
{
    s->budget = TSR_LAW_BUDGET;
    s->low[s->n] = s->high[s->n] = s->divisor[s->n] = 0;
    for (int i = s->n - 1; i >= 0; --i) {
        int64_t down = 0, up = 0;
        if (!tsr_mul64(s->least[i], s->stride[i], &down) || !tsr_add64(down, s->low[i + 1], &s->low[i])
            || !tsr_mul64(s->most[i], s->stride[i], &up) || !tsr_add64(up, s->high[i + 1], &s->high[i])
            || s->low[i] < -TSR_INT_MAX / 4 || s->high[i] > TSR_INT_MAX / 4)
            return false;
        s->divisor[i] = tsr_gcd64(s->stride[i], s->divisor[i + 1]);
    }
    return true;
}

/** Finds z[k..] with sum z * stride = target. */
TSR_LOCAL bool tsr_search_finds_(tsr_search_ *s, int k, int64_t target)
{
    if (k == s->n)
        return target == 0;
    if (--s->budget < 0 || target % s->divisor[k] != 0 || target < s->low[k] || target > s->high[k])
        return false;
    int64_t const d = s->stride[k], low = target - s->high[k + 1], high = target - s->low[k + 1];
    int64_t const from = tsr_max64(s->least[k], low > 0 ? (low + d - 1) / d : low / d);
    int64_t const to = tsr_min64(s->most[k], high < 0 ? (high - d + 1) / d : high / d);
    for (int64_t z = from; z <= to && s->budget >= 0; ++z) {
        s->z[k] = z;
        if (tsr_search_finds_(s, k + 1, target - z * d))
            return true;
    }
    s->z[k] = 0;
    return false;
}

TSR_HEADER_END

#endif
