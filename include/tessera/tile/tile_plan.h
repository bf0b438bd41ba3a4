/** The plan of a tile window: how a tile moves between memory and the buffers of threads, decided once.
 *
 *  The descriptor is folded (tile/digits.h, else tile/fold.h). Every factor of the distribution becomes a loop that
 *  steps through memory and buffers. Loops that continue each other in both are joined. Elements contiguous in both are
 *  a run.
 *
 *      memory(x)  =  Sw(base + sum of (x_dim / weight mod extent) * step)     over the terms
 *      limit(x)   in [lo, hi)                                                 lengths of the tensor, pads, the buffer
 *      element    =  sum of digit * step                                      over the loops: P first, then Y
 *
 *  If all limits hold for a tile, it is its box: loops and runs without a check. At an edge, the loops that a limit
 *  depends on become outer loops, runs are clipped, and the rest is still a box.
 *
 *  A dimension that folds to several terms is cut by their weights. A plan is right where the origin makes no digit
 *  carry: at multiples of `align`, within one `span`. Elsewhere, and without a plan, the window runs the graph.
 *
 *  Every dimension has a limit of its own: the length of the tensor without its pads. `limits` are the others.
 *
 *  Law     a planned access reads and writes what the graph does (tile/tile_window.h).
 *  Limits  TSR_MAX_TERMS, TSR_MAX_LOOPS, TSR_MAX_LIMITS, TSR_MAX_BOX.
 *  Example  plan packed((9)) @@ dist{R=();H=((2,4));P=((1.0));Y=(1.1)} origin=(0)  =  inside thread=4 block=8
 */
#ifndef TSR_TILE_TILE_PLAN_H
#define TSR_TILE_TILE_PLAN_H

#include "tessera/core/swizzle.h"
#include "tessera/tile/box.h"
#include "tessera/tile/encoding.h"

TSR_HEADER_BEGIN

#define TSR_MAX_TERMS 9
#define TSR_MAX_LOOPS 12
#define TSR_MAX_LIMITS 4

/** The digit x_dim / weight mod extent (extent 0: without end), and the length of one step of it. */
typedef struct tsr_tile_term {
    int64_t weight, extent, memory, limit[TSR_MAX_LIMITS];
} tsr_tile_term;

/** A loop: `count` iterations, each of `times` steps of its term in memory, and `buffer` elements in a buffer. */
typedef struct tsr_tile_loop {
    int64_t count, times, buffer;
} tsr_tile_loop;

/** lo <= value < hi for one element; first <= value at the origin < last for the whole tile. */
typedef struct tsr_tile_limit {
    int64_t lo, hi, first, last;
} tsr_tile_limit;

typedef struct tsr_planned_tile {
    tsr_reason why; /* why there is no plan */
    uint8_t dims, bytes, terms, limits, loops, thread_loops, run;
    uint8_t order[TSR_MAX_LOOPS];     /* the loops, the smallest step in memory first */
    uint8_t loop_term[TSR_MAX_LOOPS]; /* the term that a loop steps along */
    uint8_t term_dim[TSR_MAX_TERMS];
    tsr_swizzle swizzle;        /* of offsets in elements; bits 0: none */
    int64_t base, memory, size; /* memory: the elements there are; size: of the buffer of a thread */
    int64_t align[TSR_MAX_XS], span[TSR_MAX_XS];
    tsr_tile_term term[TSR_MAX_TERMS];
    tsr_tile_limit limit[TSR_MAX_XS + TSR_MAX_LIMITS]; /* of the dimensions, then the others */
    tsr_tile_loop loop[TSR_MAX_LOOPS];                 /* thread_loops of P, the fastest first, then those of Y */
    tsr_box thread, block; /* of one thread, and of all, their buffers one behind the other */
} tsr_planned_tile;

typedef enum tsr_tile_place { TSR_TILE_BY_GRAPH, TSR_TILE_AT_EDGE, TSR_TILE_INSIDE } tsr_tile_place;

/** Returns the offset in memory (k = -1), or the value of limit k, at an index of the tensor. */
TSR_OP int64_t tsr_planned_tile_at(tsr_planned_tile const *p, int k, int64_t const *x);

/** Returns whether the plan holds at this origin, and whether the whole tile is inside. */
TSR_OP tsr_tile_place tsr_planned_tile_place(tsr_planned_tile const *p, int64_t const *origin);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/tile_plan.h"
#endif

#endif
