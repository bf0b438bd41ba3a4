/** A box of runs: plain loops that move contiguous elements of a tile which is inside as a whole.
 *
 *  Loops are steps through memory and buffers, in bytes, the innermost first. Loops that continue in both are joined.
 *
 *  Limits  TSR_MAX_BOX loops; a box that needs more is `full`, and means nothing.
 */
#ifndef TSR_TILE_BOX_H
#define TSR_TILE_BOX_H

#include "tessera/core/tuple.h"

TSR_HEADER_BEGIN

#define TSR_MAX_BOX 6

/** A longer run is cut into runs of this many bytes, where that is even. */
#define TSR_RUN_BYTES 64

typedef struct tsr_box_loop {
    int64_t count, memory, buffer;
} tsr_box_loop;

/** `once` is 1, 2 or 4 runs that are moved together. */
typedef struct tsr_box {
    uint8_t loops;
    bool full;
    int64_t run; /* bytes that are contiguous in memory and buffer */
    tsr_box_loop once, loop[TSR_MAX_BOX];
} tsr_box;

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/box.h"
#endif

#endif
