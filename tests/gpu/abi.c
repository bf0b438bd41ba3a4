/** Our own declarations of the driver's types and numbers against cuda.h, where there is one. */
#include <stddef.h>
#include <stdio.h>

#include <cuda.h>

#include "tessera/gpu.h"

#define SAME(a, b) _Static_assert((a) == (b), #a " is " #b)

SAME(sizeof(tsr_cu_launch), sizeof(CUlaunchConfig));
SAME(offsetof(tsr_cu_launch, block), offsetof(CUlaunchConfig, blockDimX));
SAME(offsetof(tsr_cu_launch, shared), offsetof(CUlaunchConfig, sharedMemBytes));
SAME(offsetof(tsr_cu_launch, stream), offsetof(CUlaunchConfig, hStream));
SAME(offsetof(tsr_cu_launch, attributes), offsetof(CUlaunchConfig, attrs));
SAME(offsetof(tsr_cu_launch, count), offsetof(CUlaunchConfig, numAttrs));
SAME(sizeof(tsr_cu_launch_attribute), sizeof(CUlaunchAttribute));
SAME(offsetof(tsr_cu_launch_attribute, value), offsetof(CUlaunchAttribute, value));
SAME(sizeof(tsr_cu_rows), sizeof(CUDA_MEMCPY2D));
SAME(offsetof(tsr_cu_rows, from.kind), offsetof(CUDA_MEMCPY2D, srcMemoryType));
SAME(offsetof(tsr_cu_rows, from.device), offsetof(CUDA_MEMCPY2D, srcDevice));
SAME(offsetof(tsr_cu_rows, from.pitch), offsetof(CUDA_MEMCPY2D, srcPitch));
SAME(offsetof(tsr_cu_rows, to), offsetof(CUDA_MEMCPY2D, dstXInBytes));
SAME(offsetof(tsr_cu_rows, bytes), offsetof(CUDA_MEMCPY2D, WidthInBytes));
SAME(offsetof(tsr_cu_rows, rows), offsetof(CUDA_MEMCPY2D, Height));
SAME(CU_MEMORYTYPE_DEVICE, 2);
SAME(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 4);
SAME(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, 6);
SAME(sizeof(CUdevice), sizeof(int));
SAME(sizeof(CUdeviceptr), sizeof(uint64_t));
SAME(sizeof(CUtensorMap), sizeof(tsr_tma_map));
SAME(_Alignof(CUtensorMap) % _Alignof(tsr_tma_map), 0); /* CUDA 12 aligns to 64, CUDA 13 to 128 */

/** The numbers of TSR_GPU_LIMIT_LIST, by their fields. */
enum {
    major = CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
    minor = CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
    processors = CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
    threads = CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
    block_x = CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X,
    block_y = CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y,
    block_z = CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z,
    grid_x = CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X,
    grid_y = CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y,
    grid_z = CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z,
    shared = CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
    clusters = CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH
};
#define X(field, number, least, most) SAME((int)field, number);
TSR_GPU_LIMIT_LIST(X)
#undef X

int main(void)
{
    printf("cuda.h %d agrees\n", CUDA_VERSION);
    return 0;
}
