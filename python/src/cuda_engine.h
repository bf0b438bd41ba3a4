/** What calls of the engine on a GPU share: open devices, compiled kernels, streams. */
#ifndef TSR_PYTHON_CUDA_ENGINE_H
#define TSR_PYTHON_CUDA_ENGINE_H

#include "cuda.h"

/** The open device of a number; the driver and NVRTC are looked for by the first call. NULL: an exception is set. */
tsr_gpu_device const *cuda_device(int i);

tsr_gpu_cache *cuda_cache(void);
tsr_gpu_log const *cuda_log(void);

/** Whether a call succeeded; false: its exception is set. */
bool cuda_check(tsr_gpu_result r);

/** The stream of a call: that of the first operand which knows it, else what Python says. The default stream is no
 *  handle. False: an exception is set. */
bool cuda_stream(operand const *o, int count, tsr_gpu_device const *device, tsr_gpu_stream *stream);

/** A stream as launches take it: NULL for the device's own. */
static inline tsr_gpu_stream const *cuda_given(tsr_gpu_stream const *s) { return s->handle ? s : NULL; }

/** Whether the work of a stream is captured in a graph now. */
bool cuda_is_captured(tsr_gpu_stream const *s);

/** While plans are made: what they ask the driver for, memory and modules, is no work of a stream, and is allowed while
 *  one is captured in a graph. Gives what cuda_made takes when they are made. */
int cuda_making(tsr_gpu_device const *device);
void cuda_made(tsr_gpu_device const *device, int before);

/** Whether a plan of `a` serves `b`, too: the same but for the address, which has the same alignment, or is `exact`. */
bool cuda_same_tensor(tsr_tensor const *a, tsr_tensor const *b, bool exact);

/** The number of the device whose context is current, 0 where none is. -1: an exception is set. */
int cuda_current_device(void);

/** o[1] = o[0], and o[2] = the einsum of a text of o[0] and o[1], all on one device. 1: launched, -1: an exception is
 *  set. */
int cuda_copy_operands(operand const o[2]);
int cuda_multiply_operands(char const *text, operand const o[3]);

PyObject *cuda_xla(PyObject *module, PyObject *none);
PyObject *cuda_fetch(PyObject *module, PyObject *args);
PyObject *cuda_compile(PyObject *module, PyObject *args);
PyObject *cuda_launch(PyObject *module, PyObject *args);
PyObject *cuda_map(PyObject *module, PyObject *args);

#endif
