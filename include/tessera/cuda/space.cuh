/** Pointers that say which memory they point to.
 *
 *      tsr_smem(p)      shared memory;  tsr_gmem(p): global memory;  tsr_rmem(p): registers of the thread
 *
 *  A pointer of C does not say it: a `__shared__` array and an array of registers have the same type. A verb that needs
 *  shared memory therefore takes tsr_smem(p), or a part of it, and no other pointer. The tag is the kernel's promise. A
 *  pointer without a tag counts as registers, as that of tsr_make_ptr on the host.
 */
#ifndef TSR_CUDA_SPACE_CUH
#define TSR_CUDA_SPACE_CUH

#include "tessera/cuda/words.cuh"
#include "tessera/tensor/engine.h"

template <tsr_space Space, class T> struct tsr_tagged {
    T *at;
    template <class I> TSR_DEVICE_MEMBER tsr_tagged operator+(I n) const { return {at + n}; }
};

template <class T> using tsr_shared = tsr_tagged<TSR_SMEM, T>;

template <class T> TSR_DEVICE tsr_shared<T> tsr_smem(T *at) { return {at}; }
template <class T> TSR_DEVICE tsr_tagged<TSR_GMEM, T> tsr_gmem(T *at) { return {at}; }
template <class T> TSR_DEVICE tsr_tagged<TSR_RMEM, T> tsr_rmem(T *at) { return {at}; }

#endif
