/** A kernel that is launched while the one in front of it ends (gpu/kernel.h, `early`). */
#ifndef TSR_SRC_GPU_KERNELS_WAIT_H
#define TSR_SRC_GPU_KERNELS_WAIT_H

#include "tessera/base/config.h"

#if TSR_ON_GPU
/** Waits for the kernels in front of this one: before it touches memory. */
static __device__ __forceinline__ void tsr_kernel_wait_(void)
{
#  if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#  endif
}
#endif

#endif
