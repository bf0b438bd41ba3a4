/** tessera in kernels: one include, for nvcc and NVRTC, C++17, sm_80 and later; wgmma needs sm_90a.
 *
 *      cuda/mma.cuh     tsr_mma          products of a thread or a warp: the atom says which instruction
 *      cuda/wgmma.cuh   tsr_wgmma        products of a warpgroup, from shared memory or registers
 *      cuda/matrix.cuh  tsr_ldmatrix     8x8 matrices between shared memory and registers
 *      cuda/async.cuh   tsr_cp_async     copies of a thread that run in the background
 *      cuda/tma.cuh     tsr_tma_load     boxes of a tensor, by the copy engine
 *      cuda/barrier.cuh tsr_pipeline     barriers, rings of buffers, clusters
 */
#ifndef TSR_CUDA_CUH
#define TSR_CUDA_CUH

#include "tessera/cuda/async.cuh"
#include "tessera/cuda/mma.cuh"
#include "tessera/cuda/tma.cuh"
#include "tessera/cuda/wgmma.cuh"

#endif
