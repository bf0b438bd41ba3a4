/** Copying a box of runs (tile/box.h) between memory and buffers, on the CPU in runs of a size that is known when code
 *  is generated, up to TSR_RUN_BYTES, on the GPU in the widest words; and filling one.
 */
#ifndef TSR_TILE_BOX_COPY_H
#define TSR_TILE_BOX_COPY_H

#include "tessera/tile/box.h"
#include "tessera/tile/buffer_view.h"

TSR_HEADER_BEGIN

/** A loop as steps of the destination and of the source. */
typedef struct tsr_copy_loop {
    int64_t count, to, from;
} tsr_copy_loop;

/** Source bits, and how far they are shifted onto others: a swizzle of bytes. */
typedef struct tsr_byte_swizzle {
    int64_t bits;
    int shift;
} tsr_byte_swizzle;

/** X(bytes): the runs that are copied by a few instructions. */
#define TSR_RUN_LIST(X) X(1) X(2) X(4) X(8) X(16) X(32) X(64)

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/box_copy.h"
#endif

#endif
