/** Messages between GPUs over a transport (mesh/run.h), and waiting for other ranks with a timeout. */
#ifndef TSR_SRC_MESH_GPU_MESSAGES_H
#define TSR_SRC_MESH_GPU_MESSAGES_H

#include "tessera/mesh/comm.h"

typedef struct dist_gpu_messages {
    tsr_dist_transport transport;
    tsr_gpu_device const *device;
    int rank, ranks;
    double timeout;
    bool ended; /* the transport was aborted, or is closed */
} dist_gpu_messages;

/** Has the transport not been aborted? */
bool tsr_dist_gpu_messages_usable_(dist_gpu_messages const *m, tsr_message *error);

/** The transport connects to the other ranks. */
bool tsr_dist_gpu_messages_connect_(dist_gpu_messages *m, tsr_message *error);

/** Calls a group of messages. `what` names the step, as the end of "rank 0 of 2 cannot". */
bool tsr_dist_gpu_messages_group_(dist_gpu_messages *m, tsr_dist_wire const *wire, int64_t wires,
                                  tsr_gpu_stream const *stream, char const *what, tsr_message *error);

/** Waits for an event, with the timeout. */
bool tsr_dist_gpu_messages_wait_for_(dist_gpu_messages *m, tsr_gpu_event const *event, tsr_message *error);

/** A rank does not come, or has left. Returns false. */
bool tsr_dist_gpu_messages_lost_(dist_gpu_messages const *m, int rank, bool left, tsr_message *error);

/** Aborts the transport after an error; ends it. */
void tsr_dist_gpu_messages_abort_(dist_gpu_messages *m);
void tsr_dist_gpu_messages_close_(dist_gpu_messages *m);

/** Seconds; a moment's rest after many looks; may this rank, which began to wait then, go on? */
double tsr_dist_gpu_now_(void);
void tsr_dist_gpu_rest_(int64_t looks);
bool tsr_dist_gpu_has_time_(dist_gpu_messages const *m, double began);

#endif
