/** A communicator of NCCL, as the runs of plans use it. */
#ifndef TSR_SRC_DIST_GPU_NCCL_H
#define TSR_SRC_DIST_GPU_NCCL_H

#include "tessera/dist/nccl.h"

struct tsr_dist_nccl {
    tsr_nccl const *nccl;
    tsr_gpu_device const *device;
    void *all; /* NULL: it was aborted */
    int rank, ranks;
    double patience;
    tsr_gpu_event event; /* what tsr_dist_nccl_wait waits for */
};

/** Is there a communicator still? */
bool tsr_dist_nccl_usable_(tsr_dist_nccl const *all, tsr_message *error);

/** The result of a call: done, or in progress, which it waits for. Else the communicator is aborted. `what` is what the
 *  rank could not do. */
bool tsr_dist_nccl_settle_(tsr_dist_nccl *all, int result, char const *what, tsr_message *error);

#endif
