/** Ranks that find out whether they have peer access to each other. */
#ifndef TSR_SRC_MESH_GPU_CONNECT_H
#define TSR_SRC_MESH_GPU_CONNECT_H

#include "mesh/gpu_p2p.h"

/** What ranks tell each other passes through this memory. */
typedef struct dist_gpu_connection {
    tsr_gpu_stream stream;
    tsr_gpu_memory through;
    tsr_gpu_event event;
} dist_gpu_connection;

/** Makes what tsr_dist_gpu_connect_ needs, before the transport connects; frees it. */
bool tsr_dist_gpu_connection_make_(dist_gpu_connection *c, dist_gpu_messages const *messages, tsr_message *error);
void tsr_dist_gpu_connection_free_(dist_gpu_connection *c);

/** Finds out whether all ranks reach the memory of all; else writes why not. It fails only if a rank is lost. */
bool tsr_dist_gpu_connect_(dist_gpu_connection *c, dist_gpu_p2p *p2p, char why[256], tsr_message *error);

#endif
