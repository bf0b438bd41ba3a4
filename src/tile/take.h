/** What the operations of CK Tile on tuples have in common: indices and numbers are taken out of tuples, and answers
 *  are written. The first reason why something cannot be taken stays. */
#ifndef TSR_SRC_TILE_TAKE_H
#define TSR_SRC_TILE_TAKE_H

#include "ops/ops.h"

#include "text/write.h"

/** The most elements of memory or of a buffer that an answer is made of. */
enum { TILE_ELEMENTS = TSR_WORK_BUDGET / 4 };

/** The reason, or if there is none that of an invalid tuple: an operation gives that of its first invalid argument. */
tsr_reason tsr_tile_also_(tsr_reason why, tsr_tuple t);

/** The index that a tuple of integers is, of a rank unless that is negative; zeros where it is none. */
tsr_index tsr_tile_index_(tsr_tuple t, int rank, tsr_reason *why);

/** The same of an index inside the lengths. */
tsr_index tsr_tile_inside_(tsr_tuple t, tsr_index length, tsr_reason *why);

/** The integer that a tuple is, or `absent` for (). */
int64_t tsr_tile_number_(tsr_tuple t, int64_t absent, tsr_reason *why);

/** Dimensions of the tile of a distribution, as a set. */
uint32_t tsr_tile_dims_(tsr_tuple t, tsr_encoding const *e, tsr_reason *why);

/** Refuses an index far outside, whose hidden indices would overflow. */
void tsr_tile_bounded_(tsr_descriptor const *d, tsr_index at, tsr_reason *why);

/** Zeros for `elements` elements; NULL where they are too many. The caller frees them. */
void *tsr_tile_memory_(int64_t elements, size_t size, tsr_reason *why);

/** A tuple of these integers, and (a) for one. */
tsr_tuple tsr_tile_tuple_(tsr_index at);

/** An integer; the reason why there is none; and of an answer that has been written (). */
tsr_tuple tsr_tile_integer_(int64_t n, tsr_reason why);
tsr_tuple tsr_tile_answer_(tsr_reason why);

void tsr_write_index_(writer *w, int n, int64_t const *at);
void tsr_write_encoding_(writer *w, tsr_encoding const *e);

/** Does the text still have room? Answers of many numbers stop where it ends. */
static inline bool has_room(writer const *w) { return w->used < w->size; }

#endif
