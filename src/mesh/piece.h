/** Pieces: what two ranks have in common along a mode, as strided runs.
 *
 *  A line is the union of intervals, each of which repeats with the line's period. Two lines repeat together with the
 *  least common multiple L of their periods. In L the intervals of the line with the longer period, the outer one, come
 *  one after the other; each intersects some of the inner ones. An outer interval that is at least an inner period long
 *  intersects a run of them, which is one piece with a count. A shorter one intersects an inner interval where
 *
 *      outer at + t * outer period - inner at  =  delta  (mod inner period),   -(outer length) < delta < inner length
 *
 *  and the t of each delta is the solution of a linear congruence. So the work is that of the pieces that are found.
 */
#ifndef TSR_SRC_MESH_PIECE_H
#define TSR_SRC_MESH_PIECE_H

#include "mesh/form.h"

/** `length` neighbours, `count` times at steps, and that `again` times at leaps. All pieces of two lines have the same
 *  steps and leaps (tsr_dist_steps_of_). */
typedef struct dist_piece {
    int64_t length, count, again;
    int64_t at[2]; /* local indices of the first one: from, to */
} dist_piece;

typedef struct dist_pieces {
    dist_piece *piece;
    int64_t count, capacity;
    int64_t tried; /* pairs of intervals */
    bool failed;
} dist_pieces;

/** The most pairs of intervals that a mode of a plan tries. */
#define DIST_PAIRS ((int64_t)1 << 28)

/** What all pairs of lines of one mode share: L, and the inverse of the outer period modulo the inner one (the range),
 *  both divided by their greatest common divisor. */
typedef struct dist_common {
    int64_t period, divisor, range, inverse;
    int64_t inner;    /* the shorter of the two periods */
    int64_t turns[2]; /* how often each line repeats in L */
    int outer;        /* 0: from, 1: to */
} dist_common;

/** How far the runs of a piece are from each other, and its repetitions: local indices of one side, whose line has
 *  `width` of them in a period. */
typedef struct dist_steps {
    int64_t step, leap;
} dist_steps;

static inline dist_steps tsr_dist_steps_of_(dist_common const *c, int side, int64_t width)
{
    dist_steps const s = {side == c->outer ? c->inner : width, c->turns[side] * width};
    return s;
}

dist_common tsr_dist_common_of_(int64_t extent, int64_t from_period, int64_t to_period);

/** Adds the pieces of two lines; returns how many elements they have. */
int64_t tsr_dist_intersect_(dist_pieces *p, dist_common const *c, dist_line const *from, dist_line const *to);

#endif
