/** Chains: the launches of a call that takes several, noted once and done again at other addresses. */
#ifndef TSR_PYTHON_CUDA_CHAIN_H
#define TSR_PYTHON_CUDA_CHAIN_H

#include "cuda_again.h"

typedef struct chain chain;

/** While a call of this thread is noted, a launch of it with its operands, the last one written. A copy gives its plan
 *  away and sets *plan to NULL. The other plans stay their owners', who say so before they free one. */
void chain_note_copy(PyObject *const x[2], tsr_gpu_planned_copy **plan);
void chain_note_product(PyObject *const x[3], tsr_gpu_planned_gemm const *plan);
void chain_note_sum(PyObject *const x[2], tsr_gpu_planned_reduce const *plan);

/** The call does what no chain can, or some plans of it are no more: nothing is kept of it. */
void chain_note_other(void);

/** Does all launches, with the arrays of the call at these addresses. 1: launched, 0: there is no memory on the device
 *  for what lies between them, -1: an exception is set. */
int chain_run(chain const *c, uint64_t const *address, tsr_gpu_stream const *on);

void chain_free(chain **c);

/** Keeps a chain for a call of a text on `count` arrays, the last one written, or frees it. */
void cuda_remember_chain(char const *text, PyObject *const *x, int count, int device, chain *c);

/** _cuda_noted(text, work, tensors, maker or None, type of a byte, x, .., y): calls work() and returns what it does.
 *  work() computes the tensor of y from those of x. Its launches are kept for the next call of the text on such arrays.
 *  maker((bytes,), (1,), type) makes memory for the tensors between them. */
PyObject *cuda_noted(PyObject *module, PyObject *const *x, Py_ssize_t count);

#endif
