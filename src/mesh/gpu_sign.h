/** Signs of streams (mesh/gpu_board.h): some are raised, and then others are awaited.
 *
 *  A kernel of one block does it, or operations of the driver (cuStreamBatchMemOp), which take 7 us from one GPU to
 *  another, measured on two H100.
 */
#ifndef TSR_SRC_MESH_GPU_SIGN_H
#define TSR_SRC_MESH_GPU_SIGN_H

#include "mesh/gpu_board.h"
#include "tessera/mesh/gpu.h"

/** What is raised, and then what is awaited and taken away. */
typedef struct dist_gpu_signs {
    uint32_t raised, awaited;
    uint64_t sign[2 * DIST_GPU_BOARD_RANKS];
} dist_gpu_signs;

/** Finds or compiles the kernel of signs. */
bool tsr_dist_gpu_sign_plan_(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_gpu_kernel *kernel,
                             tsr_message *error);

/** Gives signs to a stream: what it has done before is seen by all that see a raised sign. With a kernel of {0} it
 *  gives operations. */
bool tsr_dist_gpu_sign_(tsr_gpu_kernel const *kernel, dist_gpu_signs const *signs, tsr_gpu_stream const *stream,
                        tsr_message *error);

#endif
