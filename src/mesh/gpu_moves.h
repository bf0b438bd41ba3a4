/** A rank's moves over NCCL. */
#ifndef TSR_SRC_MESH_GPU_MOVES_H
#define TSR_SRC_MESH_GPU_MOVES_H

#include "mesh/gpu_direct.h"

struct tsr_dist_nccl_moves {
    tsr_dist_nccl *all;
    tsr_dist_plan plan;
    tsr_dist_terms terms;
    int64_t budget;
    uint64_t old, new_;
    dist_gpu_direct *direct; /* NULL: ranks have no peer access */
    tsr_dist_packed *packed; /* for NCCL; NULL: it was not needed yet */
    tsr_gpu_memory buffer;
    tsr_gpu_stream pack, unpack;
    tsr_gpu_event start, end, filled[2], moved[2], emptied[2]; /* of even and odd stages */
    dist_gpu_wire *wire;                                       /* of a stage */
    bool is_short;
};

#endif
