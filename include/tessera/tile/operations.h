/** Operations within a thread's part of a tile, as maps between buffer offsets: what an element type does not change.
 *
 *      sweep      visits Y indices, X0 outermost, several elements a call
 *      shuffle    the same elements in another order of Y
 *      slice      the elements of a box of Y
 *      reduce     the elements that become one when some X are reduced
 *      lanes      which lane exchanges with which, so that all that share a replication have all of it
 *
 *  Example  sweep dist{R=();H=((16,4));P=((1.0));Y=(1.1)} unpack=(2)  =  (0)+(1) (2)+(3)
 *  Example  lanes dist{R=(4);H=((2));P=((1.0,0.0));Y=()}  =  (1,0,3,2,5,4,7,6) (2,3,0,1,6,7,4,5)
 *  Source   ROCm composable_kernel, include/ck_tile/core/tensor/{sweep_tile,shuffle_tile,slice_tile}.hpp and
 *           ops/reduce/block/block_reduce.hpp.
 */
#ifndef TSR_TILE_OPERATIONS_H
#define TSR_TILE_OPERATIONS_H

#include "tessera/tile/encoding_algebra.h"

TSR_HEADER_BEGIN

/** The Y index of a place in the buffer. */
TSR_OP tsr_index tsr_thread_buffer_index(tsr_encoding const *e, int64_t offset);

/* Sweep */

/** Ys in the order of X and H: the box of one call, and how many boxes there are along each. */
typedef struct tsr_sweep {
    tsr_reason why;
    uint8_t ys, y[TSR_MAX_DIMS];
    int64_t box[TSR_MAX_DIMS], boxes[TSR_MAX_DIMS];
} tsr_sweep;

/** `unpack` elements of each X a call, the fastest factors first.
 *  Errors  UNPACK at the X whose span it does not divide. */
TSR_API tsr_sweep tsr_make_sweep(tsr_encoding const *e, int64_t const *unpack);

TSR_API int64_t tsr_sweep_calls(tsr_sweep const *s);

TSR_API int64_t tsr_sweep_elements(tsr_sweep const *s);

/** The Y index of an element of a call. */
TSR_API tsr_index tsr_sweep_index(tsr_sweep const *s, int64_t call, int64_t element);

/* Shuffle */

/** Returns OK if two encodings differ only in the order of Y. Errors  SHUFFLE. */
TSR_OP tsr_reason tsr_shuffle_why(tsr_encoding const *from, tsr_encoding const *to);

/** Returns the place in the buffer of `from` of the element at `offset` in the buffer of `to`. */
TSR_API int64_t tsr_shuffle_source(tsr_encoding const *from, tsr_encoding const *to, int64_t offset);

/* Slice */

/** Returns the place in the buffer of the whole of the element at `offset` in the buffer of the slice. */
TSR_API int64_t tsr_slice_source(tsr_encoding const *whole, tsr_encoding_slice const *slice, int64_t offset);

/* Reduce */

/** Returns the place in the buffer of the reduced encoding that the element at `offset` is added to. `dims`: the X
 *  reduced. */
TSR_API int64_t tsr_reduce_target(tsr_encoding const *e, uint32_t dims, int64_t offset);

/* Lanes: a butterfly over the replication that one P owns. A stage pairs indices of this P that differ in one bit of
 * one R; after all stages each index has met all that differ from it in these R only. */

/** Returns OK if the replication of P p can be halved down to one. Errors  LANES at the R whose length is not a power
 *  of two. */
TSR_API tsr_reason tsr_lane_why(tsr_encoding const *e, int p);

/** The number of stages. */
TSR_API int tsr_lane_stages(tsr_encoding const *e, int p);

/** The index of P p that `lane` exchanges with; partner(partner(lane)) = lane. */
TSR_API int64_t tsr_lane_partner(tsr_encoding const *e, int p, int stage, int64_t lane);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/operations.h"
#endif

#endif
