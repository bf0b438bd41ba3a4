/** Messages that need no transport: a sender writes into the receiver's shared memory. */
#ifndef TSR_SRC_DIST_GPU_PACKED_H
#define TSR_SRC_DIST_GPU_PACKED_H

#include "tessera/dist/gpu.h"

/** tsr_dist_packed_plan. With slots of so many bytes, memory of `3 * ranks` slots takes the buffer's place: slot
 *  `c mod 3 * ranks + p` of the receiver has chunk c of the message of rank p. */
bool tsr_dist_packed_plan_(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_dist_plan const *plan,
                           tsr_dist_terms const *terms, uint64_t old, uint64_t new_, int64_t budget, int64_t slot,
                           tsr_dist_packed **packed, tsr_message *error);

/** Writes what a stage sends; `reach` has every rank's shared memory. */
bool tsr_dist_packed_write_(tsr_dist_packed const *packed, int64_t stage, uint64_t old, uint64_t const *reach,
                            tsr_gpu_stream const *stream, tsr_message *error);

#endif
