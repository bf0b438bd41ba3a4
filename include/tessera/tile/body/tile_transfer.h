/** The bodies of tile/tile_transfer.h. */
#ifndef TSR_TILE_BODY_TILE_TRANSFER_H
#define TSR_TILE_BODY_TILE_TRANSFER_H

#include "tessera/tile/tile_transfer.h"
#include "tessera/tile/body/box_copy.h"
#include "tessera/tile/body/tile_plan.h"

TSR_HEADER_BEGIN

/** Sorts the loops from `begin` on into those that some limit depends on, and the rest. */
TSR_LOCAL tsr_tile_edge tsr_make_tile_edge_(tsr_planned_tile const *p, int64_t const *x, int begin)
{
    tsr_tile_edge e = TSR_ZERO;
    e.walks = 1;
    for (int k = 0; k < tsr_tile_limits_(p); ++k) {
        int64_t const value = tsr_planned_tile_at(p, k, x);
        if (p->limit[k].first <= value && value < p->limit[k].last)
            continue;
        e.limit[e.limits] = (uint8_t)k;
        e.value[e.limits++] = value;
    }
    for (int i = 0; i < p->loops; ++i) {
        int const at = p->order[i];
        tsr_tile_loop const *const l = &p->loop[at];
        bool asked = false;
        if (at < begin || at == p->run)
            continue;
        for (int k = 0; k < e.limits; ++k)
            asked = asked || tsr_loop_step_(p, at, e.limit[k]) != 0;
        if (asked || e.inner.loops == TSR_MAX_BOX) {
            e.loop[e.loops++] = (uint8_t)at;
            e.walks *= l->count;
        } else {
            tsr_box_push_(&e.inner, l->count, tsr_loop_step_(p, at, -1) * p->bytes, l->buffer * p->bytes, 0);
        }
    }
    tsr_box_close_(&e.inner, p->bytes);
    return e;
}

/** The elements of a run that are there: from *b to *end - 1, of n. */
TSR_LOCAL void tsr_edge_clip_(tsr_planned_tile const *p, tsr_tile_edge const *e, int64_t n, int64_t *b, int64_t *end)
{
    *b = 0;
    *end = n;
    for (int k = 0; k < e->limits; ++k) {
        tsr_tile_limit const *const l = &p->limit[e->limit[k]];
        int64_t const value = e->value[k];
        if (p->run < TSR_MAX_LOOPS && tsr_loop_step_(p, p->run, e->limit[k]) != 0) {
            *b = tsr_max64(*b, tsr_wrap_sub(l->lo, value));
            *end = tsr_min64(*end, tsr_wrap_sub(l->hi, value));
        } else if (value < l->lo || value >= l->hi) {
            *end = 0;
        }
    }
    *end = tsr_max64(*b, *end);
}

/** One step of the loops of an edge: the first one is the fastest. */
TSR_LOCAL void tsr_edge_next_(tsr_planned_tile const *p, tsr_tile_edge *e, int64_t *digit, int64_t *memory,
                              int64_t *buffer)
{
    for (int i = 0; i < e->loops; ++i) {
        tsr_tile_loop const *const l = &p->loop[e->loop[i]];
        int64_t const steps = ++digit[i] < l->count ? 1 : 1 - l->count;
        *memory = tsr_wrap_add(*memory, tsr_wrap_mul(tsr_loop_step_(p, e->loop[i], -1), steps));
        *buffer += l->buffer * steps;
        for (int k = 0; k < e->limits; ++k)
            e->value[k] = tsr_wrap_add(e->value[k], tsr_wrap_mul(tsr_loop_step_(p, e->loop[i], e->limit[k]), steps));
        if (steps == 1)
            return;
        digit[i] = 0;
    }
}

/** Every element of a box with runs of `run` bytes becomes op(element, in), one by one. */
TSR_LOCAL_MEMORY void tsr_box_update_(tsr_box const *b, int64_t run, tsr_planned_tile const *p,
                                      tsr_buffer_view const *v, tsr_memory_operation op, int64_t offset,
                                      unsigned char const *in)
{
    int64_t runs = b->once.count;
    for (int k = 0; k < b->loops; ++k)
        runs *= b->loop[k].count;
    for (int64_t r = 0; r < runs; ++r) {
        unsigned char const *from = in + r % b->once.count * b->once.buffer;
        int64_t at = offset * p->bytes + r % b->once.count * b->once.memory;
        for (int64_t k = 0, rest = r / b->once.count; k < b->loops; rest /= b->loop[k++].count) {
            at += rest % b->loop[k].count * b->loop[k].memory;
            from += rest % b->loop[k].count * b->loop[k].buffer;
        }
        for (int64_t i = 0; i < run / p->bytes; ++i) {
            int64_t const place = at / p->bytes + i;
            int64_t const moved =
                p->swizzle.bits == 0 ? place : (int64_t)tsr_swizzle_apply(p->swizzle, (uint64_t)place);
            tsr_buffer_update_(v, op, moved, true, from + i * p->bytes);
        }
    }
}

/** Limit by limit: the way of a tile that is not all there, and of updates. `begin` is that of
 *  tsr_planned_tile_transfer(). */
TSR_LOCAL_MEMORY void tsr_edge_transfer_(tsr_planned_tile const *p, tsr_buffer_view const *v, tsr_access access,
                                         tsr_memory_operation op, int64_t const *x, int begin, unsigned char *out,
                                         unsigned char const *in)
{
    tsr_tile_edge e = tsr_make_tile_edge_(p, x, begin);
    int64_t digit[TSR_MAX_LOOPS] = {0}, memory = tsr_planned_tile_at(p, -1, x), at = 0;
    int64_t const n = p->run < TSR_MAX_LOOPS ? p->loop[p->run].count : 1, bytes = p->bytes;
    for (int64_t w = 0; w < e.walks; ++w) {
        int64_t b = 0, end = 0;
        tsr_edge_clip_(p, &e, n, &b, &end);
        int64_t const run = (end - b) * bytes, memory_at = memory + b, buffer_at = (at + b) * bytes;
        if (run > 0 && access == TSR_ACCESS_UPDATE)
            tsr_box_update_(&e.inner, run, p, v, op, memory_at, in + buffer_at);
        else if (run > 0 && access == TSR_ACCESS_SET)
            tsr_box_move_pieces_(&e.inner, run, false, tsr_buffer_at_(v, memory_at), in + buffer_at);
        else if (run > 0)
            tsr_box_move_pieces_(&e.inner, run, true, out + buffer_at, tsr_buffer_at_(v, memory_at));
        if (access == TSR_ACCESS_GET && end - b < n) {
            tsr_box_fill_(&e.inner, (run > 0 ? b : n) * bytes, v, out + at * bytes);
            tsr_box_fill_(&e.inner, (run > 0 ? n - end : 0) * bytes, v, out + (at + end) * bytes);
        }
        tsr_edge_next_(p, &e, digit, &memory, &at);
    }
}

TSR_LOCAL_MEMORY tsr_byte_swizzle tsr_tile_swizzle_(tsr_planned_tile const *p)
{
    tsr_byte_swizzle s = TSR_ZERO;
    s.bits = (((int64_t)1 << p->swizzle.bits) - 1) * tsr_tile_source_(p);
    s.shift = p->swizzle.shift;
    return s;
}

/** Loads or stores a box that is all there; `offset` is that of its first element, before the swizzle. */
TSR_LOCAL_MEMORY void tsr_box_transfer_(tsr_planned_tile const *p, tsr_box const *b, tsr_buffer_view const *v,
                                        bool get, int64_t offset, unsigned char *out, unsigned char const *in)
{
    unsigned char *const memory = (unsigned char *)v->data;
    int64_t const at = offset * p->bytes;
    if (p->swizzle.bits > 0)
        tsr_box_move_swizzled_(b, tsr_tile_swizzle_(p), get, get ? out : memory, get ? memory : in, at);
    else if (get)
        tsr_box_move_(b, true, out, memory + at);
    else
        tsr_box_move_(b, false, memory + at, in);
}

TSR_OP_MEMORY void tsr_planned_tile_transfer(tsr_planned_tile const *p, tsr_buffer_view const *v, tsr_access access,
                                             tsr_memory_operation op, tsr_tile_place place, int64_t const *x,
                                             int begin, unsigned char *out, unsigned char const *in)
{
    if (place == TSR_TILE_INSIDE && access != TSR_ACCESS_UPDATE)
        tsr_box_transfer_(p, begin == 0 ? &p->block : &p->thread, v, access == TSR_ACCESS_GET,
                          tsr_planned_tile_at(p, -1, x), out, in);
    else
        tsr_edge_transfer_(p, v, access, op, x, begin, out, in);
}

TSR_OP int64_t tsr_planned_tile_step(tsr_planned_tile const *p, int k, int64_t element)
{
    int64_t r = 0;
    for (int i = 0; i < p->loops; ++i) {
        int64_t const digit = element % p->loop[i].count;
        element /= p->loop[i].count;
        r = tsr_wrap_add(r, tsr_wrap_mul(digit, tsr_loop_step_(p, i, k)));
    }
    return r;
}

/** The elements of one thread, each asked for by itself; reads no local memory. */
TSR_LOCAL_MEMORY void tsr_tile_each_(tsr_planned_tile const *p, tsr_buffer_view const *v, tsr_access access,
                                     tsr_memory_operation op, int64_t const *origin, int64_t thread,
                                     unsigned char *out, unsigned char const *in)
{
    int64_t threads = 1;
    for (int i = 0; i < p->thread_loops; ++i)
        threads *= p->loop[i].count;
    for (int64_t n = 0; n < p->size; ++n) {
        int64_t const element = thread + n * threads;
        int64_t place = tsr_wrap_add(tsr_planned_tile_at(p, -1, origin), tsr_planned_tile_step(p, -1, element));
        bool there = true;
        for (int k = 0; k < tsr_tile_limits_(p) && there; ++k) {
            int64_t const value =
                tsr_wrap_add(tsr_planned_tile_at(p, k, origin), tsr_planned_tile_step(p, k, element));
            there = p->limit[k].lo <= value && value < p->limit[k].hi;
        }
        if (p->swizzle.bits > 0)
            place = (int64_t)tsr_swizzle_apply(p->swizzle, (uint64_t)place);
        if (access == TSR_ACCESS_GET)
            tsr_buffer_get_(v, place, there, out + n * p->bytes);
        else
            tsr_buffer_update_(v, access == TSR_ACCESS_SET ? TSR_UPDATE_SET : op, place, there, in + n * p->bytes);
    }
}

/** Moves one thread's part of a tile at `origin`. Does nothing if the tile's place is BY_GRAPH. */
TSR_LOCAL_MEMORY tsr_tile_place tsr_tile_access_(tsr_planned_tile const *p, tsr_buffer_view const *v,
                                                 tsr_access access, tsr_memory_operation op, int64_t const *origin,
                                                 int64_t thread, unsigned char *out, unsigned char const *in)
{
    bool const same = !tsr_buffer_packed_(v) && v->bytes == p->bytes && v->size == p->memory;
    bool const allowed = access == TSR_ACCESS_GET || !v->constant;
    tsr_tile_place const place = same && allowed ? tsr_planned_tile_place(p, origin) : TSR_TILE_BY_GRAPH;
    if (place == TSR_TILE_INSIDE && access != TSR_ACCESS_UPDATE)
        tsr_box_transfer_(p, &p->thread, v, access == TSR_ACCESS_GET,
                          tsr_planned_tile_at(p, -1, origin) + tsr_planned_tile_step(p, -1, thread), out, in);
    else if (place != TSR_TILE_BY_GRAPH)
        tsr_tile_each_(p, v, access, op, origin, thread, out, in);
    return place;
}

TSR_OP_MEMORY tsr_tile_place tsr_planned_tile_load(tsr_planned_tile const *p, tsr_buffer_view const *v,
                                                   int64_t const *origin, int64_t thread, void *buffer)
{
    return tsr_tile_access_(p, v, TSR_ACCESS_GET, TSR_UPDATE_SET, origin, thread, (unsigned char *)buffer,
                            (unsigned char const *)0);
}

TSR_OP_MEMORY tsr_tile_place tsr_planned_tile_store(tsr_planned_tile const *p, tsr_buffer_view const *v,
                                                    int64_t const *origin, int64_t thread, void const *buffer)
{
    return tsr_tile_access_(p, v, TSR_ACCESS_SET, TSR_UPDATE_SET, origin, thread, (unsigned char *)0,
                            (unsigned char const *)buffer);
}

TSR_OP_MEMORY tsr_tile_place tsr_planned_tile_update(tsr_planned_tile const *p, tsr_buffer_view const *v,
                                                     tsr_memory_operation op, int64_t const *origin, int64_t thread,
                                                     void const *buffer)
{
    return tsr_tile_access_(p, v, TSR_ACCESS_UPDATE, op, origin, thread, (unsigned char *)0,
                            (unsigned char const *)buffer);
}

TSR_HEADER_END

#endif
