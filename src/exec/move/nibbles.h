/** Elements of 4 bits, many at a time: eight of a word to a byte each and back, blocks that are turned, and small
 *  permutations by a table.
 *
 *  Law     each of them moves what the loops of tsr_block_place_ would move, one by one.
 */
#ifndef TSR_SRC_EXEC_MOVE_NIBBLES_H
#define TSR_SRC_EXEC_MOVE_NIBBLES_H

#include "exec/move/plan.h"

/** Nibbles a side of a part of a block that the first cache holds, and the most of a table. */
#define TSR_NIBBLE_SIDE 128
#define TSR_NIBBLE_TABLE 4096

/** n elements, `step` bits apart from bit `at` of `base` on, to a byte each. */
TSR_INTERNAL void tsr_nibbles_spread_(unsigned char *out, uint64_t base, int64_t at, int64_t step, int64_t n);

/** And back; the other halves of the first and the last byte stay. */
TSR_INTERNAL void tsr_nibbles_join_(uint64_t base, int64_t at, int64_t step, unsigned char const *in, int64_t n);

/** A block of `count` elements, `from` and `to` bits apart, from bit x of one side to bit y of the other. */
TSR_INTERNAL void tsr_nibbles_block_(uint64_t to, int64_t y, uint64_t from, int64_t x, int64_t const *count,
                                     int64_t const *to_step, int64_t const *from_step);

/** A set of loops that fills whole bytes side by side: where its elements come from. */
typedef struct tsr_nibbles_ {
    int64_t units, count;           /* of a plan that are one of these; elements, 0: there is no such set */
    int32_t from[TSR_NIBBLE_TABLE]; /* in nibbles, in the order of the destination */
} tsr_nibbles_;

/** The largest such set of the first loops of a plan that moves parts of bytes. */
TSR_INTERNAL void tsr_nibbles_of_plan_(tsr_nibbles_ *t, tsr_planned_copy const *p);

/** Moves such a set from bit x to bit y, both multiples of 8. */
TSR_INTERNAL void tsr_nibbles_by_table_(tsr_nibbles_ const *t, uint64_t to, int64_t y, uint64_t from, int64_t x);

#endif
