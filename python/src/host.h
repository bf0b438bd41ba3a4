/** Tensors in the memory of the host as most calls have them: flat modes of known extents and strides, elements of
 *  whole bytes that are numbers, all of them in the memory of their owner. Calls on these take nothing from the package
 *  of Python; all other tensors are left to its functions. */
#ifndef TSR_PYTHON_HOST_H
#define TSR_PYTHON_HOST_H

#include "module.h"

typedef struct host {
    object const *of;
    int rank;
    int64_t extent[TSR_MAX_LEAVES], stride[TSR_MAX_LEAVES], count;
    tsr_dtype type;
    unsigned char *at;
    bool writable, side_by_side; /* elements that fill their bytes */
} host;

/** False, without an exception: it is another kind of tensor, or none. */
bool host_from_python(PyObject *x, host *h);

/** The tensor, its modes repeated to those of a shape, as NumPy does. */
tsr_tensor host_tensor(host const *h, int rank, int64_t const *extent);

/** The shape of two; false: they do not fit together. */
bool host_common(host const *a, host const *b, int *rank, int64_t *extent);
bool host_same_shape(host const *h, int rank, int64_t const *extent);

/** Whether two have their elements in the same order. */
bool host_same_order(host const *a, host const *b);

/** A new tensor of a shape in C order, or of the shape of another one with its strides in the same order, as
 *  arrays.like has it. Its elements are not set. NULL: an exception is set. */
PyObject *host_new(host const *beside, int rank, int64_t const *extent, tsr_dtype type, host *made);
PyObject *host_new_like(host const *h, tsr_dtype type, host *made);

/** A view of some elements of a tensor: at an offset in elements, with other modes. */
tsr_tensor host_part(host const *h, int64_t offset, int rank, int64_t const *extent, int64_t const *stride);
PyObject *host_view(host const *h, int64_t offset, int rank, int64_t const *extent, int64_t const *stride);

/** A tensor of these modes in memory of another object. */
PyObject *host_array(void *at, tsr_dtype type, int rank, int64_t const *extent, int64_t const *stride, bool constant,
                     PyObject *from);

/** None: that is left to the function of the package, which also says what is wrong with a call. */
PyObject *host_left(void);

/** The result of a call, or None where it was refused; and the number that a tensor of one element is. They take r. */
PyObject *host_result(PyObject *r, tsr_reason why);
PyObject *host_number(PyObject *r, host const *h);

/** a @ b, or None. */
PyObject *host_matmul(PyObject *a, PyObject *b);

/** _einsum_new(text, x, ..): a new tensor, a view, a number, or None */
PyObject *host_einsum(PyObject *module, PyObject *const *args, Py_ssize_t count);

/** Gives up the lock of the interpreter where there is enough to do for others to hold it; then takes it again. */
PyThreadState *host_unlock(int64_t elements);
void host_lock(PyThreadState *state);

#endif
