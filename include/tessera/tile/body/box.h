/** The bodies of tile/box.h. */
#ifndef TSR_TILE_BODY_BOX_H
#define TSR_TILE_BODY_BOX_H

#include "tessera/tile/box.h"

TSR_HEADER_BEGIN

/** One more loop outside the others, joined to the last one where it goes on: in bytes. Loops stay apart where they
 *  would reach across `low` bytes, 0: never. */
TSR_LOCAL void tsr_box_push_(tsr_box *b, int64_t count, int64_t memory, int64_t buffer, int64_t low)
{
    tsr_box_loop *const last = &b->loop[b->loops > 0 ? b->loops - 1 : 0];
    if (count == 1)
        return;
    bool const within = low == 0 || last->memory >= low || memory * count <= low;
    if (b->loops > 0 && within && last->count * last->memory == memory && last->count * last->buffer == buffer) {
        last->count *= count;
        return;
    }
    if (b->loops == TSR_MAX_BOX) {
        b->full = true;
        return;
    }
    b->loop[b->loops].count = count;
    b->loop[b->loops].memory = memory;
    b->loop[b->loops++].buffer = buffer;
}

/** Takes loop i out of a box. */
TSR_LOCAL tsr_box_loop tsr_box_take_(tsr_box *b, int i)
{
    tsr_box_loop const l = b->loop[i];
    --b->loops;
    for (; i < b->loops; ++i)
        b->loop[i] = b->loop[i + 1];
    return l;
}

TSR_LOCAL void tsr_box_front_(tsr_box *b, tsr_box_loop l)
{
    if (b->loops == TSR_MAX_BOX) {
        b->full = true;
        return;
    }
    for (int i = b->loops++; i > 0; --i)
        b->loop[i] = b->loop[i - 1];
    b->loop[0] = l;
}

/** Makes `once` of loop i, which leaves the rest of it, and puts the longest loop inside the others. */
TSR_LOCAL void tsr_box_order_(tsr_box *b, int i)
{
    int longest = 0;
    b->once.count = 1;
    if (b->loops == 0)
        return;
    tsr_box_loop l = tsr_box_take_(b, i);
    b->once = l;
    b->once.count = tsr_gcd64(l.count, 4);
    l.count /= b->once.count;
    l.memory *= b->once.count;
    l.buffer *= b->once.count;
    if (l.count > 1)
        tsr_box_front_(b, l);
    for (int k = 1; k < b->loops; ++k)
        longest = b->loop[k].count > b->loop[longest].count ? k : longest;
    if (b->loops > 1)
        tsr_box_front_(b, tsr_box_take_(b, longest));
}

/** Orders a box whose runs have `run` bytes. Four neighbours in the buffer are best, four of anything second. */
TSR_LOCAL void tsr_box_close_(tsr_box *b, int64_t run)
{
    int best = 0;
    int64_t most = 0;
    for (int i = 0; i < b->loops; ++i) {
        int64_t const gain = 2 * tsr_gcd64(b->loop[i].count, 4) + (b->loop[i].buffer == run);
        best = gain > most ? i : best;
        most = tsr_max64(gain, most);
    }
    tsr_box_order_(b, best);
}

/** Cuts a long run: the pieces are one loop more. */
TSR_LOCAL void tsr_box_cut_run_(tsr_box *b)
{
    tsr_box_loop l = TSR_ZERO;
    if (b->run <= TSR_RUN_BYTES || b->run % TSR_RUN_BYTES != 0)
        return;
    l.count = b->run / TSR_RUN_BYTES;
    l.memory = l.buffer = b->run = TSR_RUN_BYTES;
    tsr_box_front_(b, l);
}

TSR_HEADER_END

#endif
