/** Moves between ranks that have peer access to each other: one kernel packs, sends and unpacks. */
#ifndef TSR_SRC_MESH_GPU_DIRECT_H
#define TSR_SRC_MESH_GPU_DIRECT_H

#include "mesh/gpu_p2p.h"

typedef struct dist_gpu_direct dist_gpu_direct;

/** Plans moves; `plan` must stay until they are freed. */
bool tsr_dist_gpu_direct_plan_(dist_gpu_p2p *p2p, tsr_gpu_cache *cache, tsr_dist_plan const *plan,
                               tsr_dist_terms const *terms, uint64_t old, uint64_t new_, dist_gpu_direct **direct,
                               tsr_message *error);

/** Runs them; `captured`: the stream is. *moved is false where a part of some rank cannot be reached: on all ranks
 *  alike, and nothing was done. */
bool tsr_dist_gpu_direct_run_(dist_gpu_direct *d, uint64_t old, uint64_t new_, tsr_gpu_stream const *stream,
                              bool captured, bool *moved, tsr_message *error);
void tsr_dist_gpu_direct_free_(dist_gpu_direct **direct);

#endif
