/** Flags of streams (mesh/gpu_control.h): some are raised, and then others are awaited.
 *
 *  A kernel of one block does it, or operations of the driver (cuStreamBatchMemOp), which take 7 us from one GPU to
 *  another, measured on two H100.
 */
#ifndef TSR_SRC_MESH_GPU_FLAG_H
#define TSR_SRC_MESH_GPU_FLAG_H

#include "mesh/gpu_control.h"
#include "tessera/mesh/gpu.h"

/** What is raised, and then what is awaited and taken away. */
typedef struct dist_gpu_flags {
    uint32_t raised, awaited;
    uint64_t flag[2 * DIST_GPU_CONTROL_RANKS];
} dist_gpu_flags;

/** Finds or compiles the kernel of flags. */
bool tsr_dist_gpu_flag_plan_(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_gpu_kernel *kernel,
                             tsr_message *error);

/** Gives flags to a stream: what it has done before is seen by all that see a raised flag. With a kernel of {0} it
 *  gives operations. */
bool tsr_dist_gpu_flag_(tsr_gpu_kernel const *kernel, dist_gpu_flags const *flags, tsr_gpu_stream const *stream,
                        tsr_message *error);

#endif
