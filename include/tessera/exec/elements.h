/** The elements of a tensor one after the other, in the order of the 1-D coordinate, for any engine. Copies without a
 *  plan of loops and the algorithms that compute use it. */
#ifndef TSR_EXEC_ELEMENTS_H
#define TSR_EXEC_ELEMENTS_H

#include "tessera/exec/plan.h"

TSR_HEADER_BEGIN

/** It stands in its tensor, which stays where it is. The offsets of coordinates are coordinates, which no walk adds
 *  up. */
typedef struct tsr_cursor {
    tsr_tensor const *tensor;
    tsr_walk walk;
    int64_t index;
} tsr_cursor;

/** At element i of a tensor that is readable. */
TSR_INLINE tsr_cursor tsr_cursor_at(tsr_tensor const *t, int64_t i)
{
    tsr_cursor c;
    c.tensor = t;
    c.index = i;
    if (t->engine.kind != TSR_COORDINATES)
        c.walk = tsr_walk_at(t->layout, i);
    return c;
}

/** To the next element. */
TSR_INLINE void tsr_cursor_next(tsr_cursor *c)
{
    ++c->index;
    if (c->tensor->engine.kind != TSR_COORDINATES)
        tsr_walk_next(&c->walk);
}

/** The element as a number. */
TSR_INLINE tsr_number tsr_cursor_get(tsr_cursor const *c)
{
    tsr_engine const *const e = &c->tensor->engine;
    if (e->kind != TSR_COORDINATES)
        return tsr_element_(e, c->walk.offset);
    tsr_tuple const at = tsr_add(e->at, tsr_layout_at(c->tensor->layout, tsr_int(c->index)));
    tsr_tuple const inside = tsr_elem_less(at, *(tsr_tuple const *)e->map.context);
    return tsr_number_int(!inside.status && inside.leaf[0].value != 0);
}

/** Writes the element. */
TSR_INLINE void tsr_cursor_put(tsr_cursor const *c, tsr_number x)
{
    int bit = 0;
    unsigned char *const p = tsr_element_place(&c->tensor->engine, c->walk.offset, &bit);
    tsr_store(c->tensor->engine.type, p, bit, x);
}

/** The element under one cursor to the other: its bits where the types are the same, else its number. */
TSR_INLINE void tsr_cursor_copy_(tsr_cursor const *from, tsr_cursor const *to, bool same)
{
    int const width = tsr_dtype_bits(to->tensor->engine.type);
    int at = 0, bit = 0;
    if (!same) {
        tsr_cursor_put(to, tsr_cursor_get(from));
        return;
    }
    unsigned char const *const p = tsr_element_place(&from->tensor->engine, from->walk.offset, &at);
    unsigned char *const q = tsr_element_place(&to->tensor->engine, to->walk.offset, &bit);
    if (width % 8 == 0)
        TSR_COPY(q, p, (size_t)width / 8);
    else
        tsr_store_bits_(q, bit, width, tsr_load_bits_(p, at, width));
}

/** Copies elements first to last - 1, of a predicate (which may be NULL) those for which it is not 0. Returns how many
 *  there were. */
TSR_INLINE int64_t tsr_copy_elements(tsr_tensor const *where, tsr_tensor const *s, tsr_tensor const *d, int64_t first,
                                     int64_t last)
{
    bool const same = tsr_same_bits_(s, d);
    tsr_cursor test = tsr_cursor_at(where ? where : s, first), from = tsr_cursor_at(s, first),
               to = tsr_cursor_at(d, first);
    int64_t copied = 0;
    for (int64_t i = first; i < last; ++i) {
        if (!where || !tsr_number_is_zero(tsr_cursor_get(&test))) {
            tsr_cursor_copy_(&from, &to, same);
            ++copied;
        }
        if (where)
            tsr_cursor_next(&test);
        tsr_cursor_next(&from);
        tsr_cursor_next(&to);
    }
    return copied;
}

TSR_HEADER_END

#endif
