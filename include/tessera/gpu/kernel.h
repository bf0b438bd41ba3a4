/** Modules of compiled code, their kernels, and launches that are checked before the driver sees them.
 *
 *  Law     a launch that violates a limit of the device or of the kernel is refused with the numbers; nothing is
 *          rounded or cut.
 *  Source  CUDA C++ Programming Guide, "Execution Configuration" and "Thread Block Clusters".
 */
#ifndef TSR_GPU_KERNEL_H
#define TSR_GPU_KERNEL_H

#include "tessera/gpu/device.h"

TSR_HEADER_BEGIN

/** Compiled code on a device. */
typedef struct tsr_gpu_module {
    tsr_gpu_device const *device;
    void *handle;
} tsr_gpu_module;

/** Loads a cubin, a fatbin, or the text of PTX (ended by a zero). */
TSR_API tsr_gpu_result tsr_gpu_module_load(tsr_gpu_device const *device, void const *image, tsr_gpu_module *module);
TSR_API tsr_gpu_result tsr_gpu_module_free(tsr_gpu_module *module);

/** The memory of a __device__ or __constant__ variable. It belongs to the module. */
TSR_API tsr_gpu_result tsr_gpu_module_variable(tsr_gpu_module const *module, char const *name,
                                               tsr_gpu_memory *memory);

/** The most arguments of a launch. */
#define TSR_GPU_ARGUMENTS 64

/** A kernel, and what it needs. */
typedef struct tsr_gpu_kernel {
    tsr_gpu_device const *device;
    void *handle;
    int threads, registers; /* most threads of a block; registers of a thread */
    int shared, local;      /* static shared memory of a block, local memory of a thread, in bytes */
    int cluster[3];         /* the cluster it was compiled for; 0: none */
    int parameters;         /* how many it takes; -1 where the driver is too old to tell (before CUDA 12.4) */
    uint16_t bytes[TSR_GPU_ARGUMENTS]; /* of each of them */
} tsr_gpu_kernel;

/** The kernel of that (lowered) name. */
TSR_API tsr_gpu_result tsr_gpu_module_kernel(tsr_gpu_module const *module, char const *name, tsr_gpu_kernel *kernel);

/** An argument: where its bytes are, and how many. */
typedef struct tsr_gpu_argument {
    void const *data;
    size_t bytes;
} tsr_gpu_argument;

/** The initialiser of an argument that is the variable x. For memory: TSR_GPU_ARGUMENT(memory.address). */
#define TSR_GPU_ARGUMENT(x) \
  {                         \
    &(x), sizeof(x)         \
  }

/** Blocks, threads of a block, blocks of a cluster: 0 in a dimension stands for 1. */
typedef struct tsr_gpu_launch {
    unsigned grid[3], block[3], cluster[3];
    unsigned shared;              /* dynamic shared memory of a block, in bytes */
    tsr_gpu_stream const *stream; /* NULL: the device's own */
    bool early; /* it may begin before the kernel in front of it ends, and waits for it itself (tsr_grid_wait) */
} tsr_gpu_launch;

/** Is the launch possible? The driver is not asked.
 *  Errors  GRID, BLOCK, THREADS, REGISTERS, SHARED, NO_CLUSTERS, CLUSTER (more than 16 blocks), CLUSTER_GRID,
 *          CLUSTER_FIXED, ARGUMENT_COUNT, ARGUMENT_BYTES. */
TSR_API tsr_gpu_result tsr_gpu_check(tsr_gpu_kernel const *kernel, tsr_gpu_launch const *launch,
                                     tsr_gpu_argument const *arguments, int count);

/** Launches the kernel and does not wait. Shared memory beyond 48 kB and clusters of more than 8 blocks are asked for
 *  as they are needed. Errors: those of tsr_gpu_check; CLUSTER_FIT. */
TSR_API tsr_gpu_result tsr_gpu_run(tsr_gpu_kernel const *kernel, tsr_gpu_launch const *launch,
                                   tsr_gpu_argument const *arguments, int count);

TSR_HEADER_END

#endif
