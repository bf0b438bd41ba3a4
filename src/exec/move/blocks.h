/** Blocks: a plan's items, what moves at once, and how the rest is counted.
 *
 *  What lies side by side on both sides is one item, behind a swizzle as far as it keeps things together. Two loops
 *  are a block, along the destination and along what is closest in the source, cut so that what is read and what is
 *  written stay in the caches together; a cut that does not divide leaves an edge. The other loops count the units.
 */
#ifndef TSR_SRC_EXEC_MOVE_BLOCKS_H
#define TSR_SRC_EXEC_MOVE_BLOCKS_H

#include "exec/move/loops.h"

/* Items */

/** Bits: two cache lines. */
#define TSR_WIDEST_ITEM 1024

/* Blocks */

/** The bytes that a block of items reads and writes, about; the bytes converted at once. */
#define TSR_BLOCK_BYTES 65536
#define TSR_CONVERTED_BYTES 4096
#define TSR_BLOCK_PAGES 1536

/** The lines of a page, each in its own set of the first cache, and the ways of a
 *  set. */
#define TSR_CACHE_SETS (TSR_PAGE_BYTES / TSR_LINE_BYTES)

/** Adjacent lines of the destination that tiles move together: memory takes 256 bytes better than 64,
 *  2048 by 2048 floats are transposed at the speed of memcpy instead of 0.34 of it. */
#define TSR_GROUP_LINES 4

/** And the most lines of the source they come from (HPTT's floats on a Xeon: 0.83 of memcpy in the mean, from 64 lines
 *  0.80); from more where they fall into few sets of a cache, or there is more to do for each, and half of these where
 *  tiles are skewed: what waits beside takes room. */
#define TSR_GROUP_SOURCES 32
#define TSR_MOST_SOURCES 128

/** The lines of a skewed block, and the cache lines of each: the pieces of lines at its ends are read before they are
 *  written. */
#define TSR_SKEWED_LINES 256
#define TSR_SKEWED_LENGTH 256

/** Bytes of a line of one element from which it is filled by itself, beside lines of others. */
enum { TSR_FILLED_BYTES = 4096 };

/** Bytes asked for before they are moved, in tiles and in rows. */
#define TSR_TILES_AHEAD 8192
#define TSR_ROWS_AHEAD 4096

/** Equal swizzles of whole blocks on both sides move nothing: what lies side by side lies so behind them. */
TSR_INTERNAL void tsr_plan_drop_swizzles_(tsr_planned_copy *p);

/** Makes items of elements that lie side by side. */
TSR_INTERNAL void tsr_plan_items_(tsr_planned_copy *p, bool swizzled);

/** What is smaller stays in the caches: it is moved in few blocks, in the order of the destination. */
#ifndef TSR_CACHED_BYTES
#  define TSR_CACHED_BYTES 1048576
#endif

/** From this size of the destination in bytes, whole lines bypass the caches: 0.89 of memcpy. Ordinary stores reach
 *  0.47, because they read the lines that they overwrite. */
#ifndef TSR_STREAMED_BYTES
#  define TSR_STREAMED_BYTES 4194304
#endif

/** Pages that a loop may touch before it returns to one; a second-level TLB holds 1,536 and more (4096 by
 *  4096 floats: 1.05 of memcpy, without blocks 0.6; 48x28x28x48x28 ones, where 1,344 are touched, 0.71 by blocks and
 *  1.04 without). The tiles each way of the blocks that see to it, on at most this many pages, and half as many where
 *  the destination is read, too; and the rows. */
#ifndef TSR_NEAR_PAGES
#  define TSR_NEAR_PAGES 4000
#endif

#ifndef TSR_NEAR_TILES
#  define TSR_NEAR_TILES 96
#endif

#ifndef TSR_NEAR_ROWS
#  define TSR_NEAR_ROWS 16
#endif

#ifndef TSR_CACHE_WAYS
#  define TSR_CACHE_WAYS 8
#endif

/** Lines of the source that fall into few sets and are so far apart stand in each other's way in memory, too: they
 *  are read 256 bytes at a time (48x28x28x28x48 floats reversed: 0.75 of memcpy instead of 0.5, as where the lines
 *  are three cache lines farther apart). */
#ifndef TSR_REMOTE_BYTES
#  define TSR_REMOTE_BYTES 131072
#endif

/** Items of the destination that are moved together, in lines of `line` items, from at most `most` lines. */
TSR_INTERNAL int64_t tsr_group_of_(int64_t line, int64_t most);

TSR_INTERNAL int64_t tsr_group_items_(tsr_planned_copy const *p, int64_t line);

/** Items of a tile each way: one line, or TSR_GROUP_LINES where items are whole lines. */
TSR_INTERNAL int64_t tsr_tile_items_(int64_t item);

/** Bits of the turned items. If elements of the destination are read as well, bits of the source's items. */
TSR_INTERNAL int64_t tsr_turned_item_(tsr_planned_copy const *p);

/** Items, how they move, and in which blocks. */
TSR_INTERNAL void tsr_plan_block_(tsr_planned_copy *p);

#endif
