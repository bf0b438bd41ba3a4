/** Calls that come again: a plan is found by what the arrays are, and launched at their addresses. */
#ifndef TSR_PYTHON_CUDA_REPLAY_H
#define TSR_PYTHON_CUDA_REPLAY_H

#include "cuda_engine.h"

#include <dlpack/dlpack.h>

/** Functions that take their arguments as they stand, without a tuple: in the full API since 3.7, in the limited one
 *  since 3.10, with the same number and the same signature. */
#ifndef METH_FASTCALL
#  define METH_FASTCALL 0x0080
#endif
#define AS_METHOD(f) ((PyCFunction)(void (*)(void))(f))

/** An array of another library in the memory of a device, and unless `streams` is set or NULL the stream that the
 *  library works on. False, without an exception: x is none. */
bool cuda_peek(PyObject *x, DLTensor *d, bool *streams, void **stream);

/** Where the memory of an argument is. */
typedef struct cuda_place_of {
    uint64_t address;
    int device; /* -1: no array in the memory of a device */
    bool has_stream;
    void *stream; /* of the first array whose library has one */
} cuda_place_of;

/** The address and the device of an array whose elements are what its bytes say, and the stream of its library unless
 *  one is there already. False: an exception is set. */
bool cuda_address(PyObject *x, cuda_place_of *at);

/** The tensor of ours that an object is, in the memory of a device, all within its owner's; NULL, without an exception:
 *  it is none. */
tsr_tensor const *cuda_own(PyObject *x, int *device, bool *constant);

/** Whether the type of an object has DLPack's table of functions. */
bool cuda_has_table(PyObject *x);

/** A module that is in use, borrowed; its name is made once. NULL, without an exception: it is not. */
PyObject *cuda_module(PyObject **module, char const *name);

/** The stream that the library of a type of arrays works on now; that of torch, where it uses a device. False, without
 *  an exception: there is none. */
bool cuda_type_stream(PyObject *type, int device, void **stream);
bool cuda_torch_stream(int device, void **stream);

/** Memory on a device, of the library whose arrays are in use: what holds it, and its address. NULL: there is none, or
 *  an exception is set. */
PyObject *cuda_memory(uint64_t bytes, int device, uint64_t *address);

/** What Python calls for that: f(bytes, device). NULL: an exception is set. */
PyObject *cuda_memory_function(void);

/** A tensor in the memory of an owner; one in memory of cuda_memory, whose bounds the tensor has; and the same tensor
 *  with an owner of its own. */
PyObject *cuda_tensor_of(tsr_tensor t, PyObject *owner_of);
PyObject *cuda_tensor_in(tsr_tensor t, PyObject *x, int device);
PyObject *cuda_tensor_apart(object const *x);

/** Whether the elements of such arrays are what their bytes say, nothing records what is done with them, and torch
 *  would multiply them as they are. No exceptions. */
bool cuda_are_plain(PyObject *const *x, DLTensor const *d, int count, bool multiplies);

/** What torch's compiler asks of arguments before it runs what it has compiled for others: a function that says of
 *  tensors whether they are like these in type, extents, steps, device and everything that torch decides by, modes
 *  included. It takes as long as the flags of three tensors (0.45 us). NULL, without an exception: there is none. */
PyObject *cuda_guard_of(PyObject *const *x, int count);

/** Whether torch carries derivatives forward, of which neither tensors nor that function tell. */
bool cuda_goes_forward(void);

/** Keeps what a call has planned for `count` arrays, of which the last one is written: a copy of two of the same shape,
 *  which is then kept or freed, or a product of a text, which stays its owner's. */
void cuda_remember_copy(tsr_gpu_device const *device, PyObject *const x[2], tsr_gpu_planned_copy *plan);
void cuda_remember_product(tsr_gpu_device const *device, char const *text, PyObject *const x[3],
                           tsr_gpu_planned_gemm const *plan);

/** Forgets all of that. */
void cuda_forget(void);

/** _cuda_replay(text, texts or None, x, .., y): whether a plan for such arrays was there and is launched */
PyObject *cuda_replay(PyObject *module, PyObject *const *x, Py_ssize_t count);

/** _cuda_replay_new(text, texts or None, type, x, ..): the result in new memory where such a call is kept, else None */
PyObject *cuda_replay_new(PyObject *module, PyObject *const *x, Py_ssize_t count);

/** _cuda_keep(text or None, type, y, maker, arguments, x, ..): keeps that maker(*arguments) makes what y was for such a
 *  call; whether it is new. The plan that writes y was kept before. */
PyObject *cuda_keep(PyObject *module, PyObject *const *x, Py_ssize_t count);

/** f(*arguments, **named), whose launches and result are kept for the next call on such arguments; `named` may be
 *  NULL. */
PyObject *cuda_call_cached(PyObject *f, PyObject *arguments, PyObject *named, bool any_number);

/** _cuda_call(f, arguments, named ones, whether it is for any number): the same */
PyObject *cuda_call(PyObject *module, PyObject *const *x, Py_ssize_t count);

/** _cuda_record(text, work, tensors, x, .., y): calls work() and returns what it does. work() computes the tensor of y
 *  from those of x. Its launches are kept for the next call of the text on such arrays. */
PyObject *cuda_record(PyObject *module, PyObject *const *x, Py_ssize_t count);

/** _cuda_empty(device, layout, type): a tensor in memory of the driver's */
PyObject *cuda_empty(PyObject *module, PyObject *args);

#endif
