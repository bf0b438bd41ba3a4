/** Traces: the launches of a call that takes several, recorded once and replayed at other addresses. */
#ifndef TSR_PYTHON_CUDA_TRACE_H
#define TSR_PYTHON_CUDA_TRACE_H

#include "cuda_replay.h"

typedef struct trace trace;

/** What a call gives: None, one of its arrays, or a tensor in new memory or in that of an array. */
typedef enum trace_result { TRACE_NOTHING, TRACE_ARGUMENT, TRACE_TENSOR } trace_result;

/** Memory that a trace needs each time: between its launches, and for its result. */
typedef struct trace_memory {
    uint64_t bytes[2], at[2];
    PyObject *memory[2]; /* NULL: not needed */
} trace_memory;

/* While a call of this thread is recorded */

/** Begins to record a call on tensors of ours, each with an owner of its own, and on numbers that other calls have
 *  others of. False, without an exception: it is not kept. */
bool trace_begin(PyObject *const *x, int arrays, PyObject *const *number, int numbers);

/** Ends it, with what the call gave or NULL. The trace; NULL, without an exception: none is kept. */
trace *trace_end(PyObject *const *x, PyObject *r);

bool trace_is_recording(void);

/** A launch with its operands and its numbers, NULL of a plain copy. A copy is written to x[1], a combination to x[2];
 *  they give their plan away: *plan is NULL then. A product is written to x[2], a sum to x[1]; their plans stay their
 *  owners', who say so before they free one. */
void trace_add_copy(PyObject *const x[2], scalar const *n, tsr_gpu_planned_copy **plan);
void trace_add_combine(PyObject *const x[3], scalar const n[2], tsr_gpu_planned_combine **plan);
void trace_add_product(PyObject *const x[4], int operands, scalar const n[2], tsr_gpu_planned_gemm const *plan);
void trace_add_sum(PyObject *const x[2], tsr_gpu_planned_reduce const *plan);

/** The call does what no trace can, such as an element that the host writes, or some plans of it are no more: nothing
 *  is kept of it. */
void trace_add_other(void);

/* Replay */

/** The arrays that a trace writes, a bit for each; the one that it gives, or gives a view of, -1: none. */
unsigned trace_written(trace const *c);
int trace_array_given(trace const *c);

/** What memory a trace needs, with nothing taken yet. */
void trace_needs(trace const *c, trace_memory *room);

/** Takes that memory on a device, which may run other code of Python, that may free traces. False: there is none where
 *  the plans need it, or an exception is set. */
bool trace_take_memory(trace_memory *room, int device);
bool trace_fits(trace const *c, trace_memory const *room);
void trace_leave_memory(trace_memory *room);

/** Does all launches, with the arrays of the call at these addresses, and its numbers. 1: done, 0: the plans are for
 *  other numbers, -1: an exception is set. */
int trace_run(trace const *c, uint64_t const *address, PyObject *const *number, trace_memory const *room,
              tsr_gpu_stream const *on);

/** What the call on these arrays gives. */
PyObject *trace_give(trace const *c, PyObject *const *x, uint64_t const *address, trace_memory const *room);

void trace_free(trace **c);

#endif
