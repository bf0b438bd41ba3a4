/** A communicator: messages, and the memory of other ranks where they have peer access. */
#ifndef TSR_SRC_MESH_GPU_COMM_H
#define TSR_SRC_MESH_GPU_COMM_H

#include "mesh/gpu_connect.h"

struct tsr_dist_comm {
    dist_gpu_messages messages;
    dist_gpu_p2p p2p;
    dist_gpu_connection connection;
    tsr_gpu_event event; /* what tsr_dist_comm_wait waits for */
    char p2p_why[256];
};

/** Ends the communicator after an error, and all that waits for its flags. Returns false. */
bool tsr_dist_comm_abort_(tsr_dist_comm *comm);

#endif
