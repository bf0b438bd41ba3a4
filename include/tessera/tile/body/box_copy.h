/** The bodies of tile/box_copy.h. */
#ifndef TSR_TILE_BODY_BOX_COPY_H
#define TSR_TILE_BODY_BOX_COPY_H

#include "tessera/tile/box_copy.h"
#include "tessera/tile/body/box.h"
#include "tessera/tile/body/buffer_view.h"

TSR_HEADER_BEGIN

/** Loop k of a box; one that is not there is walked once. */
TSR_LOCAL_REF tsr_copy_loop tsr_copy_loop_(tsr_box const *b, int k, bool get)
{
    tsr_copy_loop l = TSR_ZERO;
    l.count = k < b->loops ? b->loop[k].count : 1;
    l.to = k < b->loops ? (get ? b->loop[k].buffer : b->loop[k].memory) : 0;
    l.from = k < b->loops ? (get ? b->loop[k].memory : b->loop[k].buffer) : 0;
    return l;
}

/** Four runs that become neighbours: all are read before the first is written, so that they may go out at once. */
TSR_LOCAL_REF void tsr_gather_runs_(unsigned char *to, unsigned char const *from, int64_t run, int64_t f, int64_t f3)
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
TSR_LOCAL_REF void tsr_box_copy_(tsr_box const *b, int64_t run, int once, bool get, unsigned char *to,
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

TSR_LOCAL_REF int64_t tsr_swizzle_source_(tsr_byte_swizzle s, int64_t at)
{
    return s.shift >= 0 ? (at & s.bits) >> s.shift : (at & s.bits) << -s.shift;
}

/** A run between x in the buffer and y in memory. */
TSR_LOCAL_REF void tsr_copy_between_(bool get, unsigned char *to, unsigned char const *from, int64_t x, int64_t y,
                                     int64_t run)
{
    tsr_copy_bytes_(to + (get ? x : y), from + (get ? y : x), run);
}

/** A box behind a swizzle; memory begins at `offset`. With `still`, the runs that are moved together have the same
 *  source bits. The caller passes constants as `run`, `once`, `still` and `get`. */
TSR_LOCAL_REF void tsr_box_copy_swizzled_(tsr_box const *b, int64_t run, int once, bool still, bool get,
                                          unsigned char *to, unsigned char const *from, int64_t offset,
                                          tsr_byte_swizzle s)
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
TSR_LOCAL_REF void tsr_box_copy_words_(tsr_box const *b, unsigned long word, bool get, unsigned char *to,
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

/** The way of the GPU, where a thread has few runs: in the widest words to which all addresses are aligned. */
TSR_LOCAL_MEMORY void tsr_box_move_words_(tsr_box const *b, bool get, unsigned char *to, unsigned char const *from,
                                          int64_t offset, tsr_byte_swizzle s)
{
    uint64_t all = (uint64_t)(uintptr_t)to | (uint64_t)(uintptr_t)from | (uint64_t)(offset | b->run | 16);
    all |= (uint64_t)(b->once.count > 1 ? b->once.memory | b->once.buffer : 0);
    for (int k = 0; k < b->loops; ++k)
        all |= (uint64_t)(b->loop[k].memory | b->loop[k].buffer);
    switch (all & (0 - all)) {
#define TSR_X_(n)                                      \
case n:                                                \
  tsr_box_copy_words_(b, n, get, to, from, offset, s); \
  break;
        /* clang-format off */
        TSR_X_(1)
        TSR_X_(2) TSR_X_(4) TSR_X_(8) TSR_X_(16)
#undef TSR_X_
            default : break;
        /* clang-format on */
    }
}

TSR_LOCAL_MEMORY void tsr_box_move_(tsr_box const *b, bool get, unsigned char *to, unsigned char const *from)
{
    bool const nearby = get && b->once.buffer == b->run;
    tsr_byte_swizzle const none = TSR_ZERO;
    if (TSR_ON_GPU) {
        tsr_box_move_words_(b, get, to, from, 0, none);
        return;
    }
    switch (b->run) {
#define TSR_X_(n)                             \
case n:                                       \
  if (n <= 8 && b->once.count == 4 && nearby) \
    tsr_box_copy_(b, n, 0, get, to, from);    \
  else if (b->once.count == 4)                \
    tsr_box_copy_(b, n, 4, get, to, from);    \
  else if (b->once.count == 2)                \
    tsr_box_copy_(b, n, 2, get, to, from);    \
  else                                        \
    tsr_box_copy_(b, n, 1, get, to, from);    \
  break;
        TSR_RUN_LIST(TSR_X_)
#undef TSR_X_
    default:
        for (int64_t k = 0; k < b->once.count; ++k)
            tsr_box_copy_(b, b->run, 1, get, to + k * (get ? b->once.buffer : b->once.memory),
                          from + k * (get ? b->once.memory : b->once.buffer));
        break;
    }
}

TSR_LOCAL_MEMORY void tsr_box_move_swizzled_(tsr_box const *b, tsr_byte_swizzle s, bool get, unsigned char *to,
                                             unsigned char const *from, int64_t offset)
{
    bool const still = b->once.count == 4 && offset % (4 * b->once.memory) == 0;
    if (TSR_ON_GPU) {
        tsr_box_move_words_(b, get, to, from, offset, s);
        return;
    }
    switch (b->run) {
#define TSR_X_(n)                                                                      \
case n:                                                                                \
  if (still && get)                                                                    \
    tsr_box_copy_swizzled_(b, n, 4, true, true, to, from, offset, s);                  \
  else if (still)                                                                      \
    tsr_box_copy_swizzled_(b, n, 4, true, false, to, from, offset, s);                 \
  else                                                                                 \
    tsr_box_copy_swizzled_(b, n, (int)b->once.count, false, get, to, from, offset, s); \
  break;
        TSR_RUN_LIST(TSR_X_)
#undef TSR_X_
    default:
        tsr_box_copy_swizzled_(b, b->run, (int)b->once.count, false, get, to, from, offset, s);
        break;
    }
}

/** The same for a run of any length up to TSR_RUN_BYTES: in pieces of 2^n bytes. */
TSR_LOCAL_MEMORY void tsr_box_move_pieces_(tsr_box *b, int64_t run, bool get, unsigned char *to,
                                           unsigned char const *from)
{
    for (int64_t at = 0; at < run; at += b->run) {
        b->run = run - at;
        if (run <= TSR_RUN_BYTES)
            b->run = (int64_t)1 << (tsr_bit_width((uint64_t)b->run) - 1);
        tsr_box_move_(b, get, to + at, from + at);
    }
}

/** Fills `run` bytes of the buffers of a box with the invalid value. */
TSR_LOCAL_MEMORY void tsr_box_fill_(tsr_box const *b, int64_t run, tsr_buffer_view const *v, unsigned char *out)
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

TSR_HEADER_END

#endif
