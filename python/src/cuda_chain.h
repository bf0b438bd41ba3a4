/** Chains: the launches of a call that takes several, noted once and done again at other addresses. */
#ifndef TSR_PYTHON_CUDA_CHAIN_H
#define TSR_PYTHON_CUDA_CHAIN_H

#include "cuda_again.h"

typedef struct chain chain;

/** What a call gives: None, one of its arrays, or a tensor in new memory or in that of an array. */
typedef enum chain_result { CHAIN_NOTHING, CHAIN_ARGUMENT, CHAIN_TENSOR } chain_result;

/** Memory that a chain needs each time: between its launches, and for its result. */
typedef struct chain_room {
    uint64_t bytes[2], at[2];
    PyObject *memory[2]; /* NULL: not needed */
} chain_room;

/* While a call of this thread is noted */

/** Begins to note a call on tensors of ours, each with an owner of its own, and on numbers that other calls have others
 *  of. False, without an exception: it is not kept. */
bool chain_begin(PyObject *const *x, int arrays, PyObject *const *number, int numbers);

/** Ends it, with what the call gave or NULL. The chain; NULL, without an exception: none is kept. */
chain *chain_end(PyObject *const *x, PyObject *r);

bool chain_is_noting(void);

/** A launch with its operands and its numbers, NULL of a plain copy. A copy is written to x[1], a combination to x[2];
 *  they give their plan away: *plan is NULL then. A product is written to x[2], a sum to x[1]; their plans stay their
 *  owners', who say so before they free one. */
void chain_note_copy(PyObject *const x[2], scalar const *n, tsr_gpu_planned_copy **plan);
void chain_note_combine(PyObject *const x[3], scalar const n[2], tsr_gpu_planned_combine **plan);
void chain_note_product(PyObject *const x[4], int operands, scalar const n[2], tsr_gpu_planned_gemm const *plan);
void chain_note_sum(PyObject *const x[2], tsr_gpu_planned_reduce const *plan);

/** The call does what no chain can, such as an element that the host writes, or some plans of it are no more: nothing
 *  is kept of it. */
void chain_note_other(void);

/* Again */

/** The arrays that a chain writes, a bit for each; the one that it gives, or gives a view of, -1: none. */
unsigned chain_written(chain const *c);
int chain_array_given(chain const *c);

/** What memory a chain needs, with nothing taken yet. */
void chain_needs(chain const *c, chain_room *room);

/** Takes that memory on a device, which may run other code of Python, that may free chains. False: there is none where
 *  the plans need it, or an exception is set. */
bool chain_take_room(chain_room *room, int device);
bool chain_fits(chain const *c, chain_room const *room);
void chain_leave_room(chain_room *room);

/** Does all launches, with the arrays of the call at these addresses, and its numbers. 1: done, 0: the plans are for
 *  other numbers, -1: an exception is set. */
int chain_run(chain const *c, uint64_t const *address, PyObject *const *number, chain_room const *room,
              tsr_gpu_stream const *on);

/** What the call on these arrays gives. */
PyObject *chain_give(chain const *c, PyObject *const *x, uint64_t const *address, chain_room const *room);

void chain_free(chain **c);

#endif
