/** Cursor: the elements of a tensor one after the other, in the order of the 1-D coordinate, whatever the engine. */
#ifndef TSR_TENSOR_CURSOR_H
#define TSR_TENSOR_CURSOR_H

#include "tessera/tensor/span.h"

typedef struct tsr_cursor {
    tsr_engine engine;
    tsr_walk walk;
    int64_t index;
} tsr_cursor;

/** At the first element of a tensor that is readable. */
TSR_INLINE tsr_cursor tsr_cursor_begin(tsr_tensor t)
{
    tsr_cursor c;
    c.engine = t.engine;
    c.index = 0;
    if (t.engine.kind == TSR_COORDINATES)
        c.walk.layout = t.layout; /* its offsets are coordinates, which no walk adds up */
    else
        c.walk = tsr_walk_begin(t.layout);
    return c;
}

TSR_INLINE void tsr_cursor_next(tsr_cursor *c)
{
    ++c->index;
    if (c->engine.kind != TSR_COORDINATES)
        tsr_walk_next(&c->walk);
}

TSR_INLINE tsr_number tsr_cursor_get(tsr_cursor const *c)
{
    if (c->engine.kind != TSR_COORDINATES)
        return tsr_element_(&c->engine, c->walk.offset);
    tsr_tuple const at = tsr_add(c->engine.at, tsr_layout_at(c->walk.layout, tsr_int(c->index)));
    tsr_tuple const inside = tsr_elem_less(at, *(tsr_tuple const *)c->engine.map.context);
    return tsr_number_int(!inside.status && inside.leaf[0].value != 0);
}

TSR_INLINE void tsr_cursor_put(tsr_cursor const *c, tsr_number x)
{
    int bit = 0;
    unsigned char *const p = tsr_element_place_(&c->engine, c->walk.offset, &bit);
    tsr_store(c->engine.type, p, bit, x);
}

#endif
