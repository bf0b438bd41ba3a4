/* Plans of a few kilobytes are made as those of gigabytes are: the planners of copies and reductions are compiled once
 * more behind these limits, for the tests of the engine (src/exec/move/blocks.h, src/exec/compute/reduce.h). */
#ifndef TESTS_SMALL_LIMITS_H
#define TESTS_SMALL_LIMITS_H

#define TSR_CACHED_BYTES 2048
#define TSR_STREAMED_BYTES 4096
#define TSR_NEAR_PAGES 3
#define TSR_NEAR_TILES 3
#define TSR_CACHE_WAYS 1
#define TSR_REMOTE_BYTES 2048
#define TSR_REDUCE_PIECE 700

/* Tiles move as on every machine (src/exec/move/machine.h). */
extern int tests_machine;
#define TSR_MACHINE tests_machine

#endif
