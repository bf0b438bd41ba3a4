/** Random layouts for the tests of the run-time library: nested, static and dynamic, swizzled, with offsets. */
#ifndef TESTS_GPU_ANY_LAYOUT_H
#define TESTS_GPU_ANY_LAYOUT_H

#include "tessera/tessera.h"

static uint64_t layout_state = 1;

static inline uint64_t layout_bits(void) /* xorshift64* */
{
    layout_state ^= layout_state >> 12;
    layout_state ^= layout_state << 25;
    layout_state ^= layout_state >> 27;
    return layout_state * 2685821657736338717u;
}

static inline int64_t layout_below(int64_t n) { return (int64_t)((layout_bits() >> 11) % (uint64_t)n); }

static inline tsr_tuple any_number(int64_t n) { return layout_below(2) ? tsr_s(n) : tsr_int(n); }

/** A mode of one to three leaves: extents to `shape`, strides to `stride`. */
static inline void any_mode(tsr_tuple *shape, tsr_tuple *stride)
{
    tsr_tuple s[3], d[3];
    int const leaves = 1 + (int)layout_below(3);
    for (int i = 0; i < 3; ++i) {
        s[i] = any_number(1 + layout_below(5));
        d[i] = any_number(layout_below(3) ? (int64_t)1 << layout_below(7) : layout_below(100));
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
    bool const one = layout_below(4) == 0;
    tsr_layout l = one ? tsr_make_layout(s[0], d[0]) : tsr_make_layout(tsr_t(s[0], s[1]), tsr_t(d[0], d[1]));
    if (layout_below(3) == 0) {
        int64_t const bits = layout_below(4), base = layout_below(3), shift = bits + layout_below(2);
        l = tsr_swizzled(tsr_make_swizzle(bits, base, shift), l);
        if (l.composed && layout_below(2))
            l.offset = layout_below(2) ? tsr_leaf_static(layout_below(64)) : tsr_leaf_dynamic(layout_below(64));
    }
    return l;
}

#endif
