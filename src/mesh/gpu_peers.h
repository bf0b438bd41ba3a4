/** Plans between GPUs of one process; benchmarks try either side as the one that moves. */
#ifndef TSR_SRC_MESH_GPU_PEERS_H
#define TSR_SRC_MESH_GPU_PEERS_H

#include "mesh/gpu_graph.h"
#include "tessera/mesh/gpu.h"

/** Who moves an element: the sender writes, or the receiver reads. */
typedef enum dist_gpu_way { DIST_GPU_WRITE, DIST_GPU_READ, DIST_GPU_WAYS } dist_gpu_way;

typedef struct dist_gpu_how {
    dist_gpu_way way;
    dist_gpu_replay replay;
    int64_t row; /* copy engines move rows of at least this many bytes; 0: no rows */
} dist_gpu_how;

/** tsr_dist_peers_plan in one of the ways; sums and updates are read always. */
bool tsr_dist_peers_plan_(tsr_gpu_cache *cache, tsr_dist_layout const *from, tsr_dist_layout const *to,
                          tsr_dist_terms const *terms, tsr_dist_gpu_rank const *rank, int64_t ranks, dist_gpu_how how,
                          tsr_dist_peers **plan, tsr_message *error);

#endif
