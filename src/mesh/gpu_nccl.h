/** A communicator of NCCL, as the runs of plans use it. */
#ifndef TSR_SRC_MESH_GPU_NCCL_H
#define TSR_SRC_MESH_GPU_NCCL_H

#include "mesh/gpu_p2p.h"
#include "tessera/mesh/nccl.h"

struct tsr_dist_nccl {
    tsr_nccl const *nccl;
    tsr_gpu_device const *device;
    void *all; /* NULL: it was aborted */
    int rank, ranks;
    double timeout;
    tsr_gpu_event event;     /* what tsr_dist_nccl_wait waits for */
    tsr_gpu_stream connects; /* on which ranks connect */
    tsr_gpu_memory through;  /* what they tell each other */
    dist_gpu_p2p p2p;
    char far[256];      /* why ranks have no peer access */
    tsr_gpu_cache late; /* kernels that runs found they need: threads of several ranks may plan with one cache */
};

/** Is there a communicator still? */
bool tsr_dist_nccl_usable_(tsr_dist_nccl const *all, tsr_message *error);

/** Checks the result of a call: done, or in progress, which it waits for. On an error it aborts the communicator.
 *  `what` names the failed step. */
bool tsr_dist_nccl_settle_(tsr_dist_nccl *all, int result, char const *what, tsr_message *error);

/** Ends the communicator after an error, and all that waits for its flags. */
void tsr_dist_nccl_abort_(tsr_dist_nccl *all);

/** Waits for an event, with a timeout. */
bool tsr_dist_nccl_wait_for_(tsr_dist_nccl *all, tsr_gpu_event const *event, char const *what, tsr_message *error);

/** Seconds; a moment's rest after many looks; may this rank, which began to wait then, go on? */
double tsr_dist_nccl_now_(void);
void tsr_dist_nccl_rest_(int64_t looks);
bool tsr_dist_nccl_has_timeout_(tsr_dist_nccl const *all, double began);

/** A rank does not come, or has left: aborts the communicator. Returns false. */
bool tsr_dist_nccl_lost_(tsr_dist_nccl *all, int rank, bool left, tsr_message *error);

/** Bytes that are sent to a rank, or received from it. */
typedef struct dist_gpu_wire {
    void *at;
    size_t bytes;
    int peer;
    bool sent;
} dist_gpu_wire;

/** Calls a group of messages, all of which are under way at once. */
bool tsr_dist_nccl_group_(tsr_dist_nccl *all, dist_gpu_wire const *wire, int64_t wires, tsr_gpu_stream const *stream,
                          char const *what, tsr_message *error);

/** Makes what tsr_dist_nccl_connect_p2p_ needs, and frees it. */
bool tsr_dist_nccl_make_connection_(tsr_dist_nccl *all, tsr_message *error);
void tsr_dist_nccl_end_connection_(tsr_dist_nccl *all);

/** Finds out whether all ranks have peer access to each other. A failure is an error only if a rank is lost. */
bool tsr_dist_nccl_connect_p2p_(tsr_dist_nccl *all, tsr_message *error);

#endif
