/** Operands on a GPU: tensors of ours, and those of libraries that have DLPack's table of functions (torch). */
#ifndef TSR_PYTHON_CUDA_H
#define TSR_PYTHON_CUDA_H

#include "module.h"

#include "tessera/gpu.h"

/** An operand of a call: its tensor, and where that is. */
typedef struct operand {
    tsr_tensor tensor;
    int device; /* its number; -1: the host's memory, or an object that is read in another way */
    bool has_stream;
    void *stream; /* on which its library works now; NULL: the device's own */
} operand;

/** A number of a launch: the object that it is, and the type whose number it becomes, 0: as it is. */
typedef struct scalar {
    tsr_number value;
    PyObject *of; /* borrowed, NULL: the caller's own */
    tsr_dtype type;
    bool negated; /* the value is -1 times that */
} scalar;

/** Reads a number, or a real one as a double. False: an exception is set. */
bool cuda_scalar(PyObject *x, tsr_dtype type, scalar *n);
bool cuda_real(PyObject *x, scalar *n);

/** A number that no object is. */
static inline scalar cuda_constant(int x) { return (scalar){tsr_number_int(x), NULL, (tsr_dtype)0, false}; }

static inline void cuda_negate(scalar *n)
{
    n->value = tsr_number_scale_(tsr_number_int(-1), n->value);
    n->negated = !n->negated;
}

/** Takes an operand; one that is written must be writable. False: an exception is set. */
bool operand_from_python(PyObject *x, bool written, operand *o);

/** The device of all operands, or -1 where none is on a device. -2: they are in different places, an exception is
 *  set. */
int cuda_place(operand const *o, int count);

/** to = from, or, with numbers of a type, 0: as they are, to = alpha * from + beta * to, on the stream of their
 *  library. 1: launched, 0: they are not on a device, -1: an exception is set. */
int cuda_copy(PyObject *from, PyObject *to, PyObject *alpha, PyObject *beta, tsr_dtype type);

/** The same of x[2] = n[0] * x[0] op n[1] * x[1]. An operand that is NULL is its number. */
int cuda_combine(tsr_combiner op, PyObject *const x[3], scalar const n[2]);

/** The same of gemm, or of the einsum of a text, of A, B, C and a bias or None, with alpha and beta; `tune` measures
 *  some plans, `unproven` allows kernels that no GPU has run. */
int cuda_multiply(char const *text, PyObject *const x[4], scalar const n[2], bool relu, bool tune, bool unproven);

/** The same of tsr_reduce_to. */
int cuda_reduce(int op, PyObject *from, PyObject *to);

/** Reads the element at a coordinate, or writes it. The same results; it waits. */
int cuda_element(PyObject *x, tsr_tuple coord, tsr_number *n, bool writes);

#endif
