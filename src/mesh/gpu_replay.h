/** Graphs of runs that come again with the same addresses: one launch in the place of many. */
#ifndef TSR_SRC_MESH_GPU_REPLAY_H
#define TSR_SRC_MESH_GPU_REPLAY_H

#include "mesh/gpu_graph.h"

enum { DIST_GPU_REPEATS = 4 /* sets of addresses whose graphs are kept */ };

/** {0}: no run has been seen. */
typedef struct dist_gpu_repeat {
    uint64_t *address; /* of the run */
    uint64_t used;     /* when */
    dist_gpu_graph graph;
} dist_gpu_repeat;

typedef struct dist_gpu_repeats {
    dist_gpu_repeat of[DIST_GPU_REPEATS];
    uint64_t runs;
    tsr_gpu_stream own; /* to capture graphs */
    bool off;           /* the driver makes no graphs */
} dist_gpu_repeats;

/** The place of a run with these addresses, all of which are kept. *seen: it is not the first one. NULL: there are no
 *  graphs. */
dist_gpu_repeat *tsr_dist_gpu_repeat_(dist_gpu_repeats *r, uint64_t const *address, int64_t count, bool *seen);
void tsr_dist_gpu_repeats_free_(dist_gpu_repeats *r);

#endif
