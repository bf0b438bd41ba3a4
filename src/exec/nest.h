/** Nest: loops that go through any number of operands together.
 *
 *      offset of operand k  =  sum over the loops i of digit i * step of k in i        0 <= digit i < count of i
 *
 *  An operand is a tensor, or an edge: a sum that is bounded elsewhere. The unit is the user's, bits or elements. A
 *  plan keeps its loops in fields of its own, one after the other or count by count; a nest says where they are.
 *
 *  Law     turning, sorting, moving and joining loops change no tuple of offsets that the operands take together.
 */
#ifndef TSR_SRC_EXEC_NEST_H
#define TSR_SRC_EXEC_NEST_H

#include "tessera/core/eval.h"
#include "tessera/exec/loops.h"

/** Loop i is count[i * each] times step[i * each + k * apart] in operand k. */
typedef struct tsr_nest_ {
    int64_t *count, *step;
    int each, apart, operands, loops, most;
} tsr_nest_;

/** The leaves of a layout from `next` to `end` - 1, one by one, as they are used up. They step through an operand, or
 *  with `split` through the operand of each leaf's basis element, the first of which is `operand`. */
typedef struct tsr_leaves_ {
    tsr_layout const *layout;
    int64_t unit, count, step; /* unit: of a step of 1 */
    int operand, next, end;
    bool split;
} tsr_leaves_;

TSR_LOCAL_MEMORY tsr_leaves_ tsr_leaves_of_(tsr_layout const *l, int64_t unit, int operand)
{
    tsr_leaves_ const x = {l, unit, 1, 0, operand, 0, l->shape.leaves, false};
    return x;
}

/** The loops of a plan, and room for `most` of them. Those of a constant plan are read only. */
TSR_LOCAL_MEMORY tsr_nest_ tsr_nest_of_(tsr_loop const *loop, int loops, int most, int operands)
{
    int64_t *const row = (int64_t *)(uintptr_t)loop; /* count, from, to, edge[0], .. */
    tsr_nest_ const n = {row, row + 1, sizeof *loop / sizeof *row, 1, operands, loops, most};
    return n;
}

/* Makers */

/** Adds the loops of layouts: each leaf is cut where a leaf of another one ends. Says why there are none, or 0. */
TSR_INTERNAL tsr_slow tsr_nest_cut_(tsr_nest_ *n, tsr_leaves_ *x, int layouts);

/** Adds a loop around the others, unless it has one step. False: there is no room. */
TSR_INTERNAL bool tsr_nest_add_(tsr_nest_ *n, int64_t count, int64_t const *step);

/** Adds a loop of one step that stands still, if there is no loop. */
TSR_INTERNAL void tsr_nest_fill_(tsr_nest_ *n);

/** Makes loops go forward that go backward in an operand. Adds to `begin` where the operands then begin. */
TSR_INTERNAL void tsr_nest_turn_(tsr_nest_ const *n, int operand, int64_t *begin);

/** Sorts loops by the distance of their steps in an operand. Those that stand still come first, or last. */
TSR_INTERNAL void tsr_nest_sort_(tsr_nest_ const *n, int operand, bool still_last);

/** Joins loops that go on where the one before them ends, in all operands. */
TSR_INTERNAL void tsr_nest_join_(tsr_nest_ *n);

/** Puts loop `from` at the place of loop `to`; those between make room. */
TSR_INTERNAL void tsr_nest_move_(tsr_nest_ const *n, int from, int to);

/* Cursors: the digits of the loops, and what they add to the offsets of the operands */

/** The loops from i on. */
TSR_LOCAL tsr_nest_ tsr_nest_behind_(tsr_nest_ n, int i)
{
    n.count += i * n.each;
    n.step += i * n.each;
    n.loops -= i;
    return n;
}

/** From digits 0 to an index, of which the first loop counts fastest. */
TSR_LOCAL_MEMORY void tsr_nest_seek_(tsr_nest_ const *n, int64_t index, int64_t *digit, int64_t *at)
{
    for (int i = 0; i < n->loops; ++i) {
        int64_t const count = n->count[i * n->each];
        digit[i] = index % count;
        for (int k = 0; k < n->operands; ++k)
            at[k] += digit[i] * n->step[i * n->each + k * n->apart];
        index /= count;
    }
}

/** To the next index; behind the last one to the first. */
TSR_LOCAL_REF void tsr_nest_next_(tsr_nest_ const *n, int64_t *digit, int64_t *at)
{
    for (int i = 0; i < n->loops; ++i) {
        int64_t const count = n->count[i * n->each];
        bool const within = ++digit[i] < count;
        for (int k = 0; k < n->operands; ++k)
            at[k] += (within ? 1 : 1 - count) * n->step[i * n->each + k * n->apart];
        if (within)
            break;
        digit[i] = 0;
    }
}

#endif
