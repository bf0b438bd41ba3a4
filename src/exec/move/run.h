/** What the engines share of exec/run.h. */
#ifndef TSR_SRC_EXEC_MOVE_RUN_H
#define TSR_SRC_EXEC_MOVE_RUN_H

#include "exec/nest.h"
#include "exec/move/nibbles.h"
#include "exec/compute/out_of_line.h"
#include "exec/compute/update.h"
#include "tessera/exec/elements.h"
#include "tessera/exec/engine.h"
#include "tessera/exec/run.h"

/** X(bytes): items that a few instructions move. */
#define TSR_ITEM_LIST(X) X(1) X(2) X(4) X(8) X(16) X(32) X(64) X(128)

/** A block where it stands: counts, and steps in bits. */
typedef struct tsr_block_ {
    int64_t count[2], from[2], to[2];
} tsr_block_;

TSR_LOCAL_MEMORY unsigned char *tsr_byte_at_(uint64_t base, int64_t bit)
{
    return (unsigned char *)(uintptr_t)(base + (uint64_t)(bit >> 3));
}

/** Copies a block of items of a constant number of bytes. The first steps, in bytes, may be constants as well. */
TSR_LOCAL_REF void tsr_block_copy_items_(unsigned char *TSR_RESTRICT to, unsigned char const *TSR_RESTRICT from,
                                         tsr_block_ const *b, int64_t to_step, int64_t from_step, size_t bytes)
{
    for (int64_t j = 0; j < b->count[1]; ++j) {
        unsigned char *const q = to + j * (b->to[1] / 8);
        unsigned char const *const p = from + j * (b->from[1] / 8);
        for (int64_t i = 0; i < b->count[0]; ++i)
            TSR_COPY(q + i * to_step, p + i * from_step, bytes);
    }
}

/** Copies a block of items of whole bytes. */
TSR_LOCAL_MEMORY void tsr_block_copy_(unsigned char *to, unsigned char const *from, tsr_block_ const *b, int64_t item)
{
    int64_t const t = b->to[0] / 8, f = b->from[0] / 8;
    if (b->to[0] == item && b->from[0] == item) {
        for (int64_t j = 0; j < b->count[1]; ++j)
            TSR_COPY(to + j * (b->to[1] / 8), from + j * (b->from[1] / 8), (size_t)(b->count[0] * item / 8));
        return;
    }
    switch (item / 8) {
#define TSR_X_(n)                                \
case n:                                          \
  if (t == n)                                    \
    tsr_block_copy_items_(to, from, b, n, f, n); \
  else                                           \
    tsr_block_copy_items_(to, from, b, t, f, n); \
  break;
        TSR_ITEM_LIST(TSR_X_)
#undef TSR_X_
    default:
        tsr_block_copy_items_(to, from, b, t, f, (size_t)item / 8);
        break;
    }
}

/** Copies or converts a block item by item, each through its swizzle. `bytes` is a constant; 0 for items that are not
 *  whole bytes or that change their type. */
TSR_LOCAL_REF void tsr_block_place_(tsr_planned_copy const *p, uint64_t to, uint64_t from, int64_t y, int64_t x,
                                    tsr_block_ const *b, size_t bytes)
{
    for (int64_t j = 0; j < b->count[1]; ++j)
        for (int64_t i = 0; i < b->count[0]; ++i) {
            int64_t const at = (int64_t)tsr_swizzle_apply(p->to.swizzle, (uint64_t)(y + i * b->to[0] + j * b->to[1]));
            int64_t const source =
                (int64_t)tsr_swizzle_apply(p->from.swizzle, (uint64_t)(x + i * b->from[0] + j * b->from[1]));
            unsigned char *const d = tsr_byte_at_(to, at);
            unsigned char const *const s = tsr_byte_at_(from, source);
            if (bytes > 0)
                TSR_COPY(d, s, bytes);
            else if (p->update.computes)
                tsr_update_one_(&p->update, p->to.type, d, (int)(at & 7), p->from.type, s, (int)(source & 7));
            else if (p->to.type == p->from.type)
                tsr_store_bits_(d, (int)(at & 7), (int)p->item, tsr_load_bits_(s, (int)(source & 7), (int)p->item));
            else
                tsr_store(p->to.type, d, (int)(at & 7), tsr_load(p->from.type, s, (int)(source & 7)));
        }
}

TSR_LOCAL_MEMORY void tsr_block_place_all_(tsr_planned_copy const *p, uint64_t to, uint64_t from, int64_t y,
                                           int64_t x, tsr_block_ const *b)
{
    bool const whole = p->to.type == p->from.type && p->item % 8 == 0 && !p->update.computes;
    switch (whole ? p->item / 8 : 0) {
#define TSR_X_(n)                            \
case n:                                      \
  tsr_block_place_(p, to, from, y, x, b, n); \
  break;
        TSR_X_(0)
        TSR_ITEM_LIST(TSR_X_)
#undef TSR_X_
    default:
        tsr_block_place_(p, to, from, y, x, b, (size_t)p->item / 8);
        break;
    }
}

/** Elements side by side, one after the other, for a block as it is gathered. */
TSR_LOCAL_MEMORY tsr_block_ tsr_block_dense_(tsr_block_ const *b, int64_t const *step, int64_t bits)
{
    tsr_block_ r = *b;
    r.from[0] = step[0];
    r.from[1] = step[1];
    r.to[0] = bits;
    r.to[1] = bits * b->count[0];
    return r;
}

/** Gathers a block; elements smaller than a byte get one each. */
TSR_LOCAL_MEMORY void tsr_block_gather_(unsigned char *out, uint64_t base, int64_t at, tsr_block_ const *b,
                                        int64_t const *step, int64_t bits)
{
    tsr_block_ const g = tsr_block_dense_(b, step, bits);
    if (bits % 8 == 0)
        tsr_block_copy_(out, tsr_byte_at_(base, at), &g, bits);
    for (int64_t j = 0; bits == 4 && j < b->count[1]; ++j)
        tsr_nibbles_spread_(out + j * b->count[0], base, at + j * step[1], step[0], b->count[0]);
    for (int64_t i = 0; bits % 8 != 0 && bits != 4 && i < b->count[0] * b->count[1]; ++i) {
        int64_t const k = at + i % b->count[0] * step[0] + i / b->count[0] * step[1];
        out[i] = (unsigned char)tsr_load_part_(tsr_byte_at_(base, k), (int)(k & 7), (int)bits);
    }
}

/** Scatters it again. */
TSR_LOCAL_MEMORY void tsr_block_scatter_(uint64_t base, int64_t at, unsigned char const *in, tsr_block_ const *b,
                                         int64_t const *step, int64_t bits)
{
    tsr_block_ s = *b;
    for (int k = 0; k < 2; ++k) {
        s.from[k] = k == 0 ? bits : bits * b->count[0];
        s.to[k] = step[k];
    }
    if (bits % 8 == 0)
        tsr_block_copy_(tsr_byte_at_(base, at), in, &s, bits);
    for (int64_t j = 0; bits == 4 && j < b->count[1]; ++j)
        tsr_nibbles_join_(base, at + j * step[1], step[0], in + j * b->count[0], b->count[0]);
    for (int64_t i = 0; bits % 8 != 0 && bits != 4 && i < b->count[0] * b->count[1]; ++i) {
        int64_t const k = at + i % b->count[0] * step[0] + i / b->count[0] * step[1];
        tsr_store_part_(tsr_byte_at_(base, k), (int)(k & 7), (int)bits, in[i]);
    }
}

/** Converts or updates a block: what does not lie side by side is gathered before and scattered behind. */
TSR_LOCAL_MEMORY void tsr_block_convert_(tsr_planned_copy const *p, uint64_t to, uint64_t from, int64_t y, int64_t x,
                                         tsr_block_ const *b)
{
    uint64_t gathered[TSR_CONVERTED_BYTES / 8], scattered[TSR_CONVERTED_BYTES / 8];
    int64_t const f = tsr_dtype_bits(p->from.type), t = tsr_dtype_bits(p->to.type), n = b->count[0] * b->count[1];
    bool const rows = b->count[1] == 1;
    bool const from_dense = f % 8 == 0 && b->from[0] == f && (rows || b->from[1] == f * b->count[0]);
    bool const to_dense = t % 8 == 0 && b->to[0] == t && (rows || b->to[1] == t * b->count[0]);
    unsigned char *const in = from_dense ? tsr_byte_at_(from, x) : (unsigned char *)gathered;
    unsigned char *const out = to_dense ? tsr_byte_at_(to, y) : (unsigned char *)scattered;
    gathered[0] = scattered[0] = 0; /* compilers see blocks without elements, too */
    if (!from_dense)
        tsr_block_gather_(in, from, x, b, b->from, f);
    if (!to_dense && tsr_update_reads_(&p->update))
        tsr_block_gather_(out, to, y, b, b->to, t);
    if (p->update.computes)
        tsr_update_by_loops_(&p->update, tsr_convert_by_loops_, p->to.type, out, p->from.type, in, n);
    else
        tsr_convert_by_loops_(p->to.type, out, p->from.type, in, n);
    if (!to_dense)
        tsr_block_scatter_(to, y, out, b, b->to, t);
}

/** The position of a unit: its digits, the bits that they add on both sides, and the sums of the edges. */
typedef struct tsr_unit_ {
    int64_t at[TSR_IN_EDGE + TSR_PLAN_EDGES], digit[TSR_PLAN_LOOPS];
} tsr_unit_;

/** The loops that count the units. */
TSR_LOCAL_MEMORY tsr_nest_ tsr_units_of_(tsr_planned_copy const *p)
{
    return tsr_nest_behind_(tsr_nest_of_(p->loop, p->loops, 0, TSR_IN_EDGE + p->edges), p->box);
}

/** Stands at a unit. Sets what the plan has: a whole tsr_unit_ takes longer than a small copy. */
TSR_LOCAL_MEMORY void tsr_unit_begin_(tsr_unit_ *u, tsr_planned_copy const *p, int64_t unit)
{
    tsr_nest_ const n = tsr_units_of_(p);
    u->at[TSR_IN_SOURCE] = p->from.begin;
    u->at[TSR_IN_DESTINATION] = p->to.begin;
    for (int k = 0; k < p->edges; ++k)
        u->at[TSR_IN_EDGE + k] = 0;
    tsr_nest_seek_(&n, unit, u->digit, u->at);
}

TSR_LOCAL_MEMORY void tsr_unit_next_(tsr_unit_ *u, tsr_planned_copy const *p)
{
    tsr_nest_ n = tsr_units_of_(p);
    if (p->edges > 0) {
        tsr_nest_next_(&n, u->digit, u->at);
    } else { /* a constant number of operands takes 3 ns less */
        n.operands = TSR_IN_EDGE;
        tsr_nest_next_(&n, u->digit, u->at);
    }
}

/** The block of a unit, what the edges leave of it, and the bits at which it begins on both sides. */
TSR_LOCAL_MEMORY tsr_block_ tsr_unit_block_(tsr_planned_copy const *p, tsr_unit_ const *u, int64_t *from, int64_t *to)
{
    int64_t begin[2] = {0, 0}, end[2] = {1, 1};
    tsr_block_ b = TSR_ZERO;
    *from = u->at[TSR_IN_SOURCE];
    *to = u->at[TSR_IN_DESTINATION];
    for (int i = 0; i < p->box; ++i)
        end[i] = p->loop[i].count;
    for (int k = 0; k < p->edges; ++k) {
        int const i = p->box == 2 && p->loop[1].edge[k] != 0;
        tsr_clip_loop_(&p->edge[k], u->at[TSR_IN_EDGE + k], p->box > 0 ? p->loop[i].edge[k] : 0, &begin[i], &end[i]);
    }
    for (int i = 0; i < 2; ++i) {
        b.count[i] = end[i] - begin[i];
        if (i < p->box) {
            b.from[i] = p->loop[i].from;
            b.to[i] = p->loop[i].to;
            *from += begin[i] * b.from[i];
            *to += begin[i] * b.to[i];
        }
    }
    return b;
}

/** How much of a block moves at once. Tiles: one line of the destination by a run of the source. Conversions: as many
 *  elements as are gathered. */
TSR_LOCAL_MEMORY int64_t tsr_plan_part_(tsr_planned_copy const *p, tsr_block_ const *b, int64_t *lines)
{
    int64_t const bytes = tsr_max64(tsr_max64(p->item, tsr_dtype_bits(p->from.type)) / 8, 1);
    bool const tiles = p->kind >= TSR_BLOCK_TILES, convert = p->way == TSR_WAY_CONVERT;
    int64_t const line = tiles     ? tsr_max64(TSR_LINE_BYTES / bytes, 16)
                         : convert ? TSR_CONVERTED_BYTES / bytes
                                   : b->count[0];
    int64_t const area = TSR_CONVERTED_BYTES / bytes, most = tsr_max64(tsr_min64(line, b->count[0]), 1);
    *lines = convert ? tsr_max64(area / most, 1) : tiles ? 64 : b->count[1];
    return line;
}

#endif
