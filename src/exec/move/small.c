/* Plans of a few kilobytes that are a single block: without cursor, prefetch and threads, whose cost would show at
 * such sizes. Panels of products are such blocks, too. */
#include "exec/engine.h"

bool tsr_engine_is_small_(tsr_planned_copy const *p)
{
    int64_t bytes = p->item / 8;
    for (int i = 0; i < p->box; ++i)
        bytes *= p->loop[i].count;
    return p->units == 1 && p->edges == 0 && p->way == TSR_WAY_BYTES && bytes <= ENGINE_SMALL_BYTES;
}

/** Transposes by the widest squares that fit: those of this row or of one with narrower vectors. */
static bool run_squares(engine_kernels const *k, unsigned char *to, unsigned char const *from, tsr_block_ const *b,
                        int64_t item)
{
    int64_t const side = tsr_min64(b->count[0], b->count[1]) * item / 8;
    while (k && (k->vector > side || item > k->vector * 8))
        k = k->narrower ? k->narrower() : NULL;
    if (k)
        k->tile[tsr_bit_width((uint64_t)item / 8) - 1].block(to, b->to[1] / 8, from, b->from[0] / 8, b->count[0],
                                                             b->count[1]);
    return k != NULL;
}

void tsr_engine_move_block_(engine_kernels const *k, unsigned char *to, unsigned char const *from,
                            tsr_block_ const *b, int64_t item)
{
    int64_t const rows = b->to[0] == item && b->from[0] == item ? b->count[0] * item : 0;
    bool const tiles = b->to[0] == item && b->from[1] == item && tsr_is_pow2(item) && item <= TSR_WIDEST_ITEM;
    if (k && rows > 0)
        k->rows(to, b->to[1] / 8, from, b->from[1] / 8, rows / 8, b->count[1]);
    else if (k && item >= 16 * 8)
        for (int64_t j = 0; j < b->count[1]; ++j)
            k->rows(to + j * (b->to[1] / 8), b->to[0] / 8, from + j * (b->from[1] / 8), b->from[0] / 8, item / 8,
                    b->count[0]);
    else if (!tiles || !run_squares(k, to, from, b, item))
        tsr_block_copy_(to, from, b, item);
}

int64_t tsr_engine_run_small_(engine_kernels const *k, tsr_planned_copy const *p, uint64_t to, uint64_t from)
{
    tsr_block_ b = {{1, 1}, {0, 0}, {0, 0}};
    for (int i = 0; i < p->box; ++i) {
        b.count[i] = p->loop[i].count;
        b.from[i] = p->loop[i].from;
        b.to[i] = p->loop[i].to;
    }
    tsr_engine_move_block_(k, tsr_byte_at_(to, p->to.begin), tsr_byte_at_(from, p->from.begin), &b, p->item);
    return b.count[0] * b.count[1];
}
