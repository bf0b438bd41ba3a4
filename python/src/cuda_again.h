/** Calls that come again: a plan is found by what the arrays are, and launched at their addresses. */
#ifndef TSR_PYTHON_CUDA_AGAIN_H
#define TSR_PYTHON_CUDA_AGAIN_H

#include "cuda_engine.h"

#include <dlpack/dlpack.h>

/** An array of another library in the memory of a device, whose elements are what its bytes say, and unless `streams`
 *  is set the stream that the library works on. False, without an exception: x is none. */
bool cuda_peek(PyObject *x, DLTensor *d, bool *streams, void **stream);

/** Keeps what a call has planned for `count` arrays, of which the last one is written: a copy of two of the same shape,
 *  which is then kept or freed, or a product of a text, which stays its owner's. */
void cuda_remember_copy(tsr_gpu_device const *device, PyObject *const x[2], tsr_gpu_planned_copy *plan);
void cuda_remember_product(tsr_gpu_device const *device, char const *text, PyObject *const x[3],
                           tsr_gpu_planned_gemm const *plan);

/** _cuda_again(text or None, x, .., y): whether a plan for such arrays was there and is launched */
PyObject *cuda_again(PyObject *module, PyObject *args);

#endif
