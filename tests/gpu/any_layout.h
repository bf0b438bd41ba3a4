/** Random layouts for the tests of the run-time library: nested, static and dynamic, swizzled, with offsets. */
#ifndef TESTS_GPU_ANY_LAYOUT_H
#define TESTS_GPU_ANY_LAYOUT_H

#include "../random.h"
#include "tessera/tessera.h"

static inline tsr_tuple any_number(int64_t n) { return below(2) ? tsr_s(n) : tsr_int(n); }

/** A mode of one to three leaves: extents to `shape`, strides to `stride`. */
static inline void any_mode(tsr_tuple *shape, tsr_tuple *stride)
{
    tsr_tuple s[3], d[3];
    int const leaves = 1 + (int)below(3);
    for (int i = 0; i < 3; ++i) {
        s[i] = any_number(1 + below(5));
        d[i] = any_number(below(3) ? (int64_t)1 << below(7) : below(100));
    }
    *shape = leaves == 1 ? s[0] : leaves == 2 ? tsr_t(s[0], s[1]) : tsr_t(s[0], tsr_t(s[1], s[2]));
    *stride = leaves == 1 ? d[0] : leaves == 2 ? tsr_t(d[0], d[1]) : tsr_t(d[0], tsr_t(d[1], d[2]));
}

/** A valid layout of at most 15625 elements. */
static inline tsr_layout any_layout(void)
{
    tsr_tuple s[2], d[2];
    for (int i = 0; i < 2; ++i)
        any_mode(&s[i], &d[i]);
    bool const one = below(4) == 0;
    tsr_layout l = one ? tsr_make_layout(s[0], d[0]) : tsr_make_layout(tsr_t(s[0], s[1]), tsr_t(d[0], d[1]));
    if (below(3) == 0) {
        int64_t const bits = below(4), base = below(3), shift = bits + below(2);
        l = tsr_swizzled(tsr_make_swizzle(bits, base, shift), l);
        if (l.composed && below(2))
            l.offset = below(2) ? tsr_leaf_static(below(64)) : tsr_leaf_dynamic(below(64));
    }
    return l;
}

#endif
