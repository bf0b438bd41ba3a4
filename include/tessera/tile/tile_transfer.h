/** A planned tile on its way: loads, stores and updates by the plan of tile/tile_plan.h, of one thread or of all.
 *
 *  Runs have a size that is known when code is generated, up to TSR_RUN_BYTES; loops are plain loops.
 *
 *  Law     an element that is there is moved, one that is not reads as the invalid value and is not written. Where
 *          memory has an element several times (replication, strides of 0), a store leaves one of them.
 */
#ifndef TSR_TILE_TILE_TRANSFER_H
#define TSR_TILE_TILE_TRANSFER_H

#include "tessera/tile/buffer_view.h"
#include "tessera/tile/tile_plan.h"

/* Boxes */

/** A loop as steps of the destination and of the source. */
typedef struct tsr_copy_loop {
    int64_t count, to, from;
} tsr_copy_loop;

/** Loop k of a box; one that is not there is walked once. */
TSR_REF tsr_copy_loop tsr_copy_loop_(tsr_box const *b, int k, bool get)
{
    tsr_copy_loop l = TSR_ZERO;
    l.count = k < b->loops ? b->loop[k].count : 1;
    l.to = k < b->loops ? (get ? b->loop[k].buffer : b->loop[k].memory) : 0;
    l.from = k < b->loops ? (get ? b->loop[k].memory : b->loop[k].buffer) : 0;
    return l;
}

/** Four runs that become neighbours: all are read before the first is written, so that they may go out at once. */
TSR_REF void tsr_gather_runs_(unsigned char *to, unsigned char const *from, int64_t run, int64_t f, int64_t f3)
{
    uint64_t a = 0, b = 0, c = 0, d = 0;
    tsr_copy_bytes_(&a, from, run);
    tsr_copy_bytes_(&b, from + f, run);
    tsr_copy_bytes_(&c, from + 2 * f, run);
    tsr_copy_bytes_(&d, from + f3, run);
    tsr_copy_bytes_(to, &a, run);
    tsr_copy_bytes_(to + run, &b, run);
    tsr_copy_bytes_(to + 2 * run, &c, run);
    tsr_copy_bytes_(to + 3 * run, &d, run);
}

/** Copies a box: runs of `run` bytes, `once` of them together, 0: four that become neighbours. Both are constants of
 *  the caller. */
TSR_REF void tsr_box_copy_(tsr_box const *b, int64_t run, int once, bool get, unsigned char *to,
                           unsigned char const *from)
{
    tsr_copy_loop const x = tsr_copy_loop_(b, 0, get), y = tsr_copy_loop_(b, 1, get), z = tsr_copy_loop_(b, 2, get);
    int64_t const t = get ? b->once.buffer : b->once.memory, f = get ? b->once.memory : b->once.buffer;
    int64_t const t3 = 3 * t, f3 = 3 * f;
    int64_t outer = 1;
    for (int k = 3; k < b->loops; ++k)
        outer *= b->loop[k].count;
    for (int64_t o = 0; o < outer; ++o) {
        unsigned char *to_z = to;
        unsigned char const *from_z = from;
        for (int64_t k = 3, digits = o; k < b->loops; digits /= b->loop[k++].count) {
            int64_t const digit = digits % b->loop[k].count;
            to_z += digit * (get ? b->loop[k].buffer : b->loop[k].memory);
            from_z += digit * (get ? b->loop[k].memory : b->loop[k].buffer);
        }
        for (int64_t i = 0; i < z.count; ++i, to_z += z.to, from_z += z.from) {
            unsigned char *to_y = to_z;
            unsigned char const *from_y = from_z;
            for (int64_t j = 0; j < y.count; ++j, to_y += y.to, from_y += y.from) {
                unsigned char *p = to_y;
                unsigned char const *q = from_y;
                for (int64_t n = x.count; n > 0; --n, p += x.to, q += x.from) {
                    if (once == 0) {
                        tsr_gather_runs_(p, q, run, f, f3);
                        continue;
                    }
                    tsr_copy_bytes_(p, q, run);
                    if (once > 1)
                        tsr_copy_bytes_(p + t, q + f, run);
                    if (once > 2) {
                        tsr_copy_bytes_(p + 2 * t, q + 2 * f, run);
                        tsr_copy_bytes_(p + t3, q + f3, run);
                    }
                }
            }
        }
    }
}

/** Source bits, and how far they are shifted onto others: a swizzle of bytes. */
typedef struct tsr_byte_swizzle {
    int64_t bits;
    int shift;
} tsr_byte_swizzle;

TSR_REF int64_t tsr_swizzle_source_(tsr_byte_swizzle s, int64_t at)
{
    return s.shift >= 0 ? (at & s.bits) >> s.shift : (at & s.bits) << -s.shift;
}

/** A run between x in the buffer and y in memory. */
TSR_REF void tsr_copy_between_(bool get, unsigned char *to, unsigned char const *from, int64_t x, int64_t y,
                               int64_t run)
{
    tsr_copy_bytes_(to + (get ? x : y), from + (get ? y : x), run);
}

/** A box behind a swizzle; memory begins at `offset`. `still`: the runs that are moved together have the same source
 *  bits. `run`, `once`, `still` and `get` are constants of the caller. */
TSR_REF void tsr_box_copy_swizzled_(tsr_box const *b, int64_t run, int once, bool still, bool get, unsigned char *to,
                                    unsigned char const *from, int64_t offset, tsr_byte_swizzle s)
{
    tsr_copy_loop const x = tsr_copy_loop_(b, 0, true), y = tsr_copy_loop_(b, 1, true);
    int64_t const t = b->once.buffer, f = b->once.memory;
    int64_t outer = 1;
    for (int k = 2; k < b->loops; ++k)
        outer *= b->loop[k].count;
    for (int64_t o = 0; o < outer; ++o) {
        int64_t at = 0, place = offset; /* in the buffer, and in memory before the swizzle */
        for (int64_t k = 2, digits = o; k < b->loops; digits /= b->loop[k++].count) {
            at += digits % b->loop[k].count * b->loop[k].buffer;
            place += digits % b->loop[k].count * b->loop[k].memory;
        }
        for (int64_t j = 0; j < y.count; ++j, at += y.to, place += y.from) {
            int64_t p = at, q = place;
            for (int64_t n = x.count; n > 0; --n, p += x.to, q += x.from) {
                int64_t const row = tsr_swizzle_source_(s, q);
                tsr_copy_between_(get, to, from, p, q ^ row, run);
                for (int k = 1; k < once && !still; ++k)
                    tsr_copy_between_(get, to, from, p + k * t, (q + k * f) ^ tsr_swizzle_source_(s, q + k * f), run);
                if (once > 1 && still)
                    tsr_copy_between_(get, to, from, p + t, (q + f) ^ row, run);
                if (once > 2 && still) {
                    tsr_copy_between_(get, to, from, p + 2 * t, (q + 2 * f) ^ row, run);
                    tsr_copy_between_(get, to, from, p + 3 * t, (q + 3 * f) ^ row, run);
                }
            }
        }
    }
}

/** One run after the other, in words of a constant number of bytes. */
TSR_REF void tsr_box_copy_words_(tsr_box const *b, unsigned long word, bool get, unsigned char *to,
                                 unsigned char const *from, int64_t offset, tsr_byte_swizzle s)
{
    int64_t runs = b->once.count;
    for (int k = 0; k < b->loops; ++k)
        runs *= b->loop[k].count;
    for (int64_t r = 0; r < runs; ++r) {
        int64_t place = offset + r % b->once.count * b->once.memory, at = r % b->once.count * b->once.buffer;
        for (int64_t k = 0, rest = r / b->once.count; k < b->loops; rest /= b->loop[k++].count) {
            place += rest % b->loop[k].count * b->loop[k].memory;
            at += rest % b->loop[k].count * b->loop[k].buffer;
        }
        place ^= tsr_swizzle_source_(s, place);
        for (int64_t i = 0; i < b->run; i += (int64_t)word)
            TSR_COPY(TSR_ALIGNED(to + (get ? at : place) + i, word), TSR_ALIGNED(from + (get ? place : at) + i, word),
                     word);
    }
}

/** The way of the GPU, whose threads have few runs each: the widest words that all addresses are multiples of. */
TSR_INLINE void tsr_box_move_words_(tsr_box const *b, bool get, unsigned char *to, unsigned char const *from,
                                    int64_t offset, tsr_byte_swizzle s)
{
    uint64_t all = (uint64_t)(uintptr_t)to | (uint64_t)(uintptr_t)from | (uint64_t)(offset | b->run | 16);
    all |= (uint64_t)(b->once.count > 1 ? b->once.memory | b->once.buffer : 0);
    for (int k = 0; k < b->loops; ++k)
        all |= (uint64_t)(b->loop[k].memory | b->loop[k].buffer);
    switch (all & (0 - all)) {
#define X(n)                                             \
  case n:                                                \
    tsr_box_copy_words_(b, n, get, to, from, offset, s); \
    break;
        X(1)
        X(2) X(4) X(8) X(16)
#undef X
            default : break;
    }
}

/** X(bytes): the runs that are copied by a few instructions. */
#define TSR_RUN_LIST(X) X(1) X(2) X(4) X(8) X(16) X(32) X(64)

TSR_INLINE void tsr_box_move_(tsr_box const *b, bool get, unsigned char *to, unsigned char const *from)
{
    bool const near = get && b->once.buffer == b->run;
    tsr_byte_swizzle const none = TSR_ZERO;
    if (TSR_ON_GPU) {
        tsr_box_move_words_(b, get, to, from, 0, none);
        return;
    }
    switch (b->run) {
#define X(n)                                  \
  case n:                                     \
    if (n <= 8 && b->once.count == 4 && near) \
      tsr_box_copy_(b, n, 0, get, to, from);  \
    else if (b->once.count == 4)              \
      tsr_box_copy_(b, n, 4, get, to, from);  \
    else if (b->once.count == 2)              \
      tsr_box_copy_(b, n, 2, get, to, from);  \
    else                                      \
      tsr_box_copy_(b, n, 1, get, to, from);  \
    break;
        TSR_RUN_LIST(X)
#undef X
        default:
            for (int64_t k = 0; k < b->once.count; ++k)
                tsr_box_copy_(b, b->run, 1, get, to + k * (get ? b->once.buffer : b->once.memory),
                              from + k * (get ? b->once.memory : b->once.buffer));
            break;
    }
}

TSR_INLINE void tsr_box_move_swizzled_(tsr_box const *b, tsr_tile_plan const *p, bool get, unsigned char *to,
                                       unsigned char const *from, int64_t offset)
{
    tsr_byte_swizzle s = TSR_ZERO;
    bool const still = b->once.count == 4 && offset % (4 * b->once.memory) == 0;
    s.bits = (((int64_t)1 << p->swizzle.bits) - 1) * tsr_plan_source_(p);
    s.shift = p->swizzle.shift;
    if (TSR_ON_GPU) {
        tsr_box_move_words_(b, get, to, from, offset, s);
        return;
    }
    switch (b->run) {
#define X(n)                                                                             \
  case n:                                                                                \
    if (still && get)                                                                    \
      tsr_box_copy_swizzled_(b, n, 4, true, true, to, from, offset, s);                  \
    else if (still)                                                                      \
      tsr_box_copy_swizzled_(b, n, 4, true, false, to, from, offset, s);                 \
    else                                                                                 \
      tsr_box_copy_swizzled_(b, n, (int)b->once.count, false, get, to, from, offset, s); \
    break;
        TSR_RUN_LIST(X)
#undef X
        default:
            tsr_box_copy_swizzled_(b, b->run, (int)b->once.count, false, get, to, from, offset, s);
            break;
    }
}

/** The same for a run of any length up to TSR_RUN_BYTES: in pieces of 2^n bytes. */
TSR_INLINE void tsr_box_move_pieces_(tsr_box *b, int64_t run, bool get, unsigned char *to, unsigned char const *from)
{
    for (int64_t at = 0; at < run; at += b->run) {
        b->run = run - at;
        if (run <= TSR_RUN_BYTES)
            b->run = (int64_t)1 << (tsr_bit_width((uint64_t)b->run) - 1);
        tsr_box_move_(b, get, to + at, from + at);
    }
}

/** Fills `run` bytes of the buffers of a box with the invalid value. */
TSR_INLINE void tsr_box_fill_(tsr_box const *b, int64_t run, tsr_buffer_view const *v, unsigned char *out)
{
    unsigned char row[TSR_RUN_BYTES];
    tsr_box still = *b;
    still.once.memory = 0;
    for (int k = 0; k < still.loops; ++k)
        still.loop[k].memory = 0;
    for (int i = 0; i < TSR_RUN_BYTES && i < run; i += v->bytes)
        tsr_copy_bytes_(row + i, v->invalid, v->bytes);
    for (int64_t at = 0; at < run; at += TSR_RUN_BYTES)
        tsr_box_move_pieces_(&still, tsr_min64(run - at, TSR_RUN_BYTES), true, out + at, row);
}

/* Edges */

/** The limits that an edge tile breaks, their values, and the loops that they depend on. */
typedef struct tsr_tile_edge {
    int limits, loops;
    uint8_t limit[TSR_MAX_LIMITS], loop[TSR_MAX_LOOPS];
    int64_t value[TSR_MAX_LIMITS], walks;
    tsr_box inner; /* the other loops, without a run */
} tsr_tile_edge;

/** Sorts the loops from `begin` on into those that some limit depends on, and the rest. */
TSR_FN tsr_tile_edge tsr_make_tile_edge_(tsr_tile_plan const *p, int64_t const *x, int begin)
{
    tsr_tile_edge e = TSR_ZERO;
    e.walks = 1;
    for (int k = 0; k < p->limits; ++k) {
        int64_t const value = tsr_plan_at(p, k, x);
        if (p->limit[k].first <= value && value < p->limit[k].last)
            continue;
        e.limit[e.limits] = (uint8_t)k;
        e.value[e.limits++] = value;
    }
    for (int i = 0; i < p->loops; ++i) {
        int const at = p->order[i];
        tsr_plan_loop const *const l = &p->loop[at];
        bool asked = false;
        if (at < begin || at == p->run)
            continue;
        for (int k = 0; k < e.limits; ++k)
            asked = asked || l->limit[e.limit[k]] != 0;
        if (asked) {
            e.loop[e.loops++] = (uint8_t)at;
            e.walks *= l->count;
        } else {
            tsr_box_push_(&e.inner, l->count, l->memory * p->bytes, l->buffer * p->bytes, 0);
        }
    }
    tsr_box_close_(&e.inner, p->bytes);
    return e;
}

/** The elements of a run that are there: from *b to *end - 1, of n. */
TSR_FN void tsr_edge_clip_(tsr_tile_plan const *p, tsr_tile_edge const *e, int64_t n, int64_t *b, int64_t *end)
{
    *b = 0;
    *end = n;
    for (int k = 0; k < e->limits; ++k) {
        tsr_plan_limit const *const l = &p->limit[e->limit[k]];
        int64_t const value = e->value[k];
        if (p->run < TSR_MAX_LOOPS && p->loop[p->run].limit[e->limit[k]] != 0) {
            *b = tsr_max64(*b, tsr_wrap_sub_(l->lo, value));
            *end = tsr_min64(*end, tsr_wrap_sub_(l->hi, value));
        } else if (value < l->lo || value >= l->hi) {
            *end = 0;
        }
    }
    *end = tsr_max64(*b, *end);
}

/** One step of the loops of an edge: the first one is the fastest. */
TSR_FN void tsr_edge_next_(tsr_tile_plan const *p, tsr_tile_edge *e, int64_t *digit, int64_t *memory, int64_t *buffer)
{
    for (int i = 0; i < e->loops; ++i) {
        tsr_plan_loop const *const l = &p->loop[e->loop[i]];
        int64_t const steps = ++digit[i] < l->count ? 1 : 1 - l->count;
        *memory = tsr_wrap_add_(*memory, tsr_wrap_mul_(l->memory, steps));
        *buffer += l->buffer * steps;
        for (int k = 0; k < e->limits; ++k)
            e->value[k] = tsr_wrap_add_(e->value[k], tsr_wrap_mul_(l->limit[e->limit[k]], steps));
        if (steps == 1)
            return;
        digit[i] = 0;
    }
}

/** Every element of a box with runs of `run` bytes becomes op(element, in), one by one. */
TSR_INLINE void tsr_box_update_(tsr_box const *b, int64_t run, tsr_tile_plan const *p, tsr_buffer_view const *v,
                                tsr_memory_operation op, int64_t offset, unsigned char const *in)
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
                p->swizzle.bits == 0 ? place : (int64_t)tsr_swizzle_bits_(p->swizzle, (uint64_t)place);
            tsr_buffer_update_(v, op, moved, true, from + i * p->bytes);
        }
    }
}

/** Limit by limit: the way of a tile that is not all there, and of updates. `begin` as in tsr_plan_transfer(). */
TSR_INLINE void tsr_edge_transfer_(tsr_tile_plan const *p, tsr_buffer_view const *v, tsr_access access,
                                   tsr_memory_operation op, int64_t const *x, int begin, unsigned char *out,
                                   unsigned char const *in)
{
    tsr_tile_edge e = tsr_make_tile_edge_(p, x, begin);
    int64_t digit[TSR_MAX_LOOPS] = {0}, memory = tsr_plan_at(p, -1, x), at = 0;
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

/** Loads or stores a box that is all there; `offset` is that of its first element, before the swizzle. */
TSR_INLINE void tsr_box_transfer_(tsr_tile_plan const *p, tsr_box const *b, tsr_buffer_view const *v, bool get,
                                  int64_t offset, unsigned char *out, unsigned char const *in)
{
    unsigned char *const memory = (unsigned char *)v->data;
    int64_t const at = offset * p->bytes;
    if (p->swizzle.bits > 0)
        tsr_box_move_swizzled_(b, p, get, get ? out : memory, get ? memory : in, at);
    else if (get)
        tsr_box_move_(b, true, out, memory + at);
    else
        tsr_box_move_(b, false, memory + at, in);
}

/** Moves what the loops from `begin` on name, at the index x of the tensor: all of them for the buffers of all
 *  threads, one behind the other; those of Y for one thread. The tile stands at `place`, not BY_GRAPH. */
TSR_INLINE void tsr_plan_transfer(tsr_tile_plan const *p, tsr_buffer_view const *v, tsr_access access,
                                  tsr_memory_operation op, tsr_tile_place place, int64_t const *x, int begin,
                                  unsigned char *out, unsigned char const *in)
{
    if (place == TSR_TILE_INSIDE && access != TSR_ACCESS_UPDATE)
        tsr_box_transfer_(p, begin == 0 ? &p->block : &p->thread, v, access == TSR_ACCESS_GET, tsr_plan_at(p, -1, x),
                          out, in);
    else
        tsr_edge_transfer_(p, v, access, op, x, begin, out, in);
}

/* By the plan alone, without a window: what a kernel needs */

/** How far an element is from the origin: in memory (k = -1), or in limit k. Elements are numbered with the threads
 *  fastest, which count P, the last one fastest. */
TSR_FN int64_t tsr_plan_step(tsr_tile_plan const *p, int k, int64_t element)
{
    int64_t r = 0;
    for (int i = 0; i < p->loops; ++i) {
        int64_t const digit = element % p->loop[i].count;
        element /= p->loop[i].count;
        r = tsr_wrap_add_(r, tsr_wrap_mul_(digit, k < 0 ? p->loop[i].memory : p->loop[i].limit[k]));
    }
    return r;
}

/** The elements of one thread, each asked for by itself; reads no local memory. */
TSR_INLINE void tsr_plan_each_(tsr_tile_plan const *p, tsr_buffer_view const *v, tsr_access access,
                               tsr_memory_operation op, int64_t const *origin, int64_t thread, unsigned char *out,
                               unsigned char const *in)
{
    for (int64_t n = 0; n < p->size; ++n) {
        int64_t const element = thread + n * p->threads;
        int64_t place = tsr_wrap_add_(tsr_plan_at(p, -1, origin), tsr_plan_step(p, -1, element));
        bool there = true;
        for (int k = 0; k < p->limits && there; ++k) {
            int64_t const value = tsr_wrap_add_(tsr_plan_at(p, k, origin), tsr_plan_step(p, k, element));
            there = p->limit[k].lo <= value && value < p->limit[k].hi;
        }
        if (p->swizzle.bits > 0)
            place = (int64_t)tsr_swizzle_bits_(p->swizzle, (uint64_t)place);
        if (access == TSR_ACCESS_GET)
            tsr_buffer_get_(v, place, there, out + n * p->bytes);
        else
            tsr_buffer_update_(v, access == TSR_ACCESS_SET ? TSR_UPDATE_SET : op, place, there, in + n * p->bytes);
    }
}

/** One thread of a tile at `origin`. Where the tile stands BY_GRAPH nothing is done. */
TSR_INLINE tsr_tile_place tsr_plan_access_(tsr_tile_plan const *p, tsr_buffer_view const *v, tsr_access access,
                                           tsr_memory_operation op, int64_t const *origin, int64_t thread,
                                           unsigned char *out, unsigned char const *in)
{
    bool const bytes = !tsr_buffer_packed_(v) && v->bytes == p->bytes; /* of the plan */
    bool const allowed = access == TSR_ACCESS_GET || !v->constant;
    tsr_tile_place const place = bytes && allowed ? tsr_plan_place(p, origin) : TSR_TILE_BY_GRAPH;
    if (place == TSR_TILE_INSIDE && access != TSR_ACCESS_UPDATE)
        tsr_box_transfer_(p, &p->thread, v, access == TSR_ACCESS_GET,
                          tsr_plan_at(p, -1, origin) + tsr_plan_step(p, -1, thread), out, in);
    else if (place != TSR_TILE_BY_GRAPH)
        tsr_plan_each_(p, v, access, op, origin, thread, out, in);
    return place;
}

/** load, store and update of one thread, from nothing but the plan: it may be an argument of a kernel, or a constant.
 *  Returns where the tile stands; TSR_TILE_BY_GRAPH: nothing is done, for the plan does not hold there. */
TSR_INLINE tsr_tile_place tsr_plan_load(tsr_tile_plan const *p, tsr_buffer_view const *v, int64_t const *origin,
                                        int64_t thread, void *buffer)
{
    return tsr_plan_access_(p, v, TSR_ACCESS_GET, TSR_UPDATE_SET, origin, thread, (unsigned char *)buffer,
                            (unsigned char const *)0);
}

TSR_INLINE tsr_tile_place tsr_plan_store(tsr_tile_plan const *p, tsr_buffer_view const *v, int64_t const *origin,
                                         int64_t thread, void const *buffer)
{
    return tsr_plan_access_(p, v, TSR_ACCESS_SET, TSR_UPDATE_SET, origin, thread, (unsigned char *)0,
                            (unsigned char const *)buffer);
}

TSR_INLINE tsr_tile_place tsr_plan_update(tsr_tile_plan const *p, tsr_buffer_view const *v, tsr_memory_operation op,
                                          int64_t const *origin, int64_t thread, void const *buffer)
{
    return tsr_plan_access_(p, v, TSR_ACCESS_UPDATE, op, origin, thread, (unsigned char *)0,
                            (unsigned char const *)buffer);
}

#endif
