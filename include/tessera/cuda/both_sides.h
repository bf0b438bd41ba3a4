/** Macros for structs that the host writes, in C, and a kernel reads. */
#ifndef TSR_CUDA_BOTH_SIDES_H
#define TSR_CUDA_BOTH_SIDES_H

#include "tessera/base/config.h"

/** Asserts a size or an offset in the compiler of each side, but not on hosts of 32 bits: they have no CUDA driver.
 *  TSR_ON_DEVICE_(T): an address of the device in C, a pointer in C++ and in kernels. */
#ifdef __cplusplus
#  define TSR_SAME_(truth) static_assert(sizeof(void *) < 8 || (truth), "host and kernel have the same argument")
#  define TSR_ON_DEVICE_(T) T *
#else
#  define TSR_SAME_(truth) _Static_assert(sizeof(void *) < 8 || (truth), "host and kernel have the same argument")
#  define TSR_ON_DEVICE_(T) uint64_t
#endif

/** Whether a member begins this number of bytes behind the first one. nvcc and the host's compilers are asked: NVRTC
 *  has no way to say. */
#ifdef __CUDACC_RTC__
#  define TSR_BEGINS_(T, member, bytes) true
#else
#  define TSR_BEGINS_(T, member, bytes) (__builtin_offsetof(T, member) == (bytes))
#endif

#endif
