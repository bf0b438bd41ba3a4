/* Where the engine stands in the blocks of a plan. */
#ifndef TSR_SRC_EXEC_MOVE_CURSOR_H
#define TSR_SRC_EXEC_MOVE_CURSOR_H

#include "exec/engine.h"

/** A line of the block of a unit. */
typedef struct cursor {
    tsr_planned_copy const *plan;
    tsr_unit_ unit;
    tsr_block_ block;
    int64_t index, last; /* units */
    int64_t j;           /* the line: along the second loop */
    int64_t from, to;    /* bits at which the block begins */
} cursor;

/** Stands at the first unit from here on that has elements. */
static inline void find_block(cursor *c)
{
    for (; c->index < c->last; ++c->index, tsr_unit_next_(&c->unit, c->plan)) {
        c->block = tsr_unit_block_(c->plan, &c->unit, &c->from, &c->to);
        if (c->block.count[0] > 0 && c->block.count[1] > 0)
            return;
    }
}

/** Stands at unit `first`, or at the first one behind it that has elements. */
static inline void begin_blocks(cursor *c, tsr_planned_copy const *p, int64_t first, int64_t last)
{
    c->plan = p;
    c->index = first;
    c->last = last;
    c->j = 0;
    tsr_unit_begin_(&c->unit, p, first);
    find_block(c);
}

static inline void next_block(cursor *c)
{
    c->j = 0;
    ++c->index;
    tsr_unit_next_(&c->unit, c->plan);
    if (c->plan->edges > 0) {
        find_block(c);
        return;
    }
    c->from = c->unit.at[TSR_IN_SOURCE]; /* the block is the same everywhere */
    c->to = c->unit.at[TSR_IN_DESTINATION];
}

static inline void next_line(cursor *c)
{
    if (++c->j >= c->block.count[1])
        next_block(c);
}

static inline unsigned char const *source(cursor const *c, uint64_t from)
{
    return tsr_byte_at_(from, c->from + c->j * c->block.from[1]);
}

static inline unsigned char *destination(cursor const *c, uint64_t to)
{
    return tsr_byte_at_(to, c->to + c->j * c->block.to[1]);
}

#endif
