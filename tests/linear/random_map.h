/** Random linear maps and layouts of power-of-two extents, and what their tests count. */
#ifndef TESTS_LINEAR_RANDOM_MAP_H
#define TESTS_LINEAR_RANDOM_MAP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../random.h"
#include "ops/ops.h"

static int64_t passed, failed;

/** Counts a check; a failed one is shown with the text of a map. */
static inline bool check(char const *what, bool ok, tsr_linear const *f)
{
    char text[TSR_TEXT_SIZE] = "";
    ++*(ok ? &passed : &failed);
    if (!ok && failed < 10) {
        if (f)
            tsr_format_linear(text, sizeof text, *f);
        printf("failed: %s: %s\n", what, text);
    }
    return ok;
}

static inline int report(void)
{
    printf("%lld passed, %lld failed\n", (long long)passed, (long long)failed);
    return failed != 0 || passed == 0;
}

/** A side of `bits` bits in at most three dimensions called a, b, c, or as `names` has them. */
static inline tsr_linear_side random_side(char const *const *names, int bits)
{
    tsr_linear_side side = TSR_ZERO;
    int const dims = 1 + (int)noise(3);
    for (int d = 0; d < dims; ++d) {
        int const n = d + 1 == dims ? bits : (int)noise(bits + 1);
        tsr_linear_side_add(&side, names[d], n);
        bits -= n;
    }
    return side;
}

/** A map of the sides; `sparse` ones have few bits in a basis, so that some are layouts. */
static inline tsr_linear random_between(tsr_linear_side const *in, tsr_linear_side const *out)
{
    uint64_t basis[TSR_LINEAR_BITS] = {0};
    int const bits = tsr_linear_bits(out), kind = (int)noise(4);
    uint64_t const mask = bits ? ~(uint64_t)0 >> (64 - bits) : 0;
    for (int i = 0; i < tsr_linear_bits(in); ++i) {
        uint64_t const one = bits ? (uint64_t)1 << noise(bits) : 0, other = bits ? (uint64_t)1 << noise(bits) : 0;
        basis[i] = (kind == 0 ? random_bits() : kind == 1 ? one : noise(3) ? one : one | other) & mask;
        if (noise(12) == 0)
            basis[i] = 0;
    }
    return tsr_make_linear(in, out, basis);
}

static char const *const in_names[] = {"register", "lane", "warp"};
static char const *const out_names[] = {"dim0", "dim1", "dim2"};
static char const *const offset_name[] = {"offset", "offset2", "offset3"};

static inline tsr_linear random_map(int ins, int outs)
{
    tsr_linear_side const in = random_side(in_names, (int)noise(ins + 1));
    tsr_linear_side const out = random_side(out_names, (int)noise(outs + 1));
    return random_between(&in, &out);
}

/** A map to one offset. */
static inline tsr_linear random_offsets(int ins, int outs)
{
    tsr_linear_side const in = random_side(in_names, (int)noise(ins + 1));
    tsr_linear_side out = TSR_ZERO;
    tsr_linear_side_add(&out, offset_name[0], (int)noise(outs + 1));
    return random_between(&in, &out);
}

/** A layout of up to three modes and `bits` bits, whose strides are powers of two, their sums, or others; often one
 *  that is linear. */
static inline tsr_layout random_layout(int bits)
{
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    int const modes = 1 + (int)noise(3), kind = (int)noise(6);
    int free[24], left = 0;
    for (int i = 0; i < bits + 2; ++i)
        free[left++] = i;
    for (int m = 0; m < modes; ++m) {
        tsr_tuple extents = TSR_ZERO, steps = TSR_ZERO;
        int const leaves = 1 + (int)noise(3);
        for (int k = 0; k < leaves; ++k) {
            int n = (int)noise(4);
            n = n > bits ? bits : n;
            bits -= n;
            int64_t step = noise(9) == 0 ? 0 : noise(40);
            if (kind > 0 && left >= n && n > 0) { /* n bits in a row that are free, where there are any */
                int const at = (int)noise(left - n + 1);
                bool row = free[at + n - 1] - free[at] == n - 1;
                step = row ? (int64_t)1 << free[at] : 0;
                for (int i = at; row && i + n < left; ++i)
                    free[i] = free[i + n];
                left -= row ? n : 0;
            }
            tsr_tuple const s = tsr_s((int64_t)1 << n), d = tsr_s(noise(30) == 0 ? -step : step);
            tsr_tuple_push(&extents, &s);
            tsr_tuple_push(&steps, &d);
        }
        extents = leaves > 1 ? tsr_tuple_close(extents) : extents;
        steps = leaves > 1 ? tsr_tuple_close(steps) : steps;
        tsr_tuple_push(&shape, &extents);
        tsr_tuple_push(&stride, &steps);
    }
    if (modes > 1 || shape.leaves > 1) {
        shape = tsr_tuple_close(shape);
        stride = tsr_tuple_close(stride);
    }
    tsr_layout l = tsr_make_layout_from(shape, stride);
    for (int i = (int)noise(3); i > 0; --i) {
        int const b = (int)noise(4), m = (int)noise(4), s = b + (int)noise(3);
        int64_t const offset = noise(6) ? 0 : noise(64) * (noise(8) ? 1 : -1);
        l = tsr_make_composed_layout(tsr_make_swizzle(b, m, noise(2) ? s : -s), tsr_s(offset), l);
    }
    return l;
}

#endif
