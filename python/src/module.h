/** The extension module: values of the calculator as Python objects.
 *
 *  A value is immutable and is read once: an operation takes the structs of its arguments and runs a row of the table
 *  of operations (ops.h). Nothing here names an operation but the few that Python has a sign for.
 *
 *  Only the limited API of 3.9 is used, so that one module serves all later versions. What it lacks: METH_FASTCALL
 *  (3.10), which cuda_replay.h names for the few calls that are short, and vectorcall (3.12), so all others make a
 *  tuple of their arguments; buffers (3.11), which are declared in buffer.h. */
#ifndef TSR_PYTHON_MODULE_H
#define TSR_PYTHON_MODULE_H

#define Py_LIMITED_API 0x03090000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "calc/value.h"
#include "tessera/tessera.h"

/* clang-format off */
/** What keeps another object alive, and may so be a link of a chain of any length: memory of an array of a tensor in
 *  the memory of an array .. */
typedef struct holder {
    PyObject_HEAD
    PyObject *held; /* NULL: none */
    void *handle;   /* for `release`, NULL: nothing is to be released */
    void (*release)(void *handle);
    struct holder *next; /* among those that are to be freed */
} holder;

/** A value, and what keeps its parts alive. */
typedef struct object {
    PyObject_HEAD
    PyObject *owner; /* of a tensor and its like: the Memory that its elements lie in; NULL: none that may be touched */
    memory kept; /* of what a large value points to */
    value v;
} object;

/** Memory that somebody owns: what keeps it alive, its bytes, and where it is. */
typedef struct owner {
    holder as_holder; /* of whom the bytes are, or what releases them */
    void *base;
    uint64_t bytes;
    bool constant;
    int device, device_id; /* DLPack's; 1: the host's */
} owner;

/* clang-format on */

extern PyTypeObject *value_type, *layout_type, *tensor_type, *dynamic_type, *operation_type, *owner_type;
extern PyObject *refused_type;

/** Types and their objects; false: an exception is set. */
bool value_types(PyObject *module);
bool operations(PyObject *module);
bool owner_types(PyObject *module);

/** Frees a holder. */
void holder_dealloc(PyObject *self);

/** Makes an object an attribute of the module. */
bool add(PyObject *module, char const *name, PyObject *x);

/** How values are read and written: a plain integer is known (static), 8? is dynamic. */
enum { NOTATION = TSR_TEXT_STATIC | TSR_TEXT_MARK };

/* Python to C */

/** An argument as a value: an object of ours, an integer, None or `:` for `_`, a tuple or list of these (with a layout
 *  in it a tiler), a text, which is evaluated. Memory of large values goes to `kept`, the owner of elements, borrowed,
 *  to *from where that is NULL. False: an exception is set. */
bool value_from_python(PyObject *x, value *v, memory *kept, PyObject **from);

/** The value of a text, and one of a word behind a label. */
bool value_from_text(char const *text, value *v, memory *kept);
bool value_from_word(char const *label, char const *text, value *v, memory *kept);

/** A distributed layout; false: an exception is set. */
bool distributed_from_python(PyObject *x, tsr_dist_layout *d);

/** The item of a name, borrowed; NULL: there is none, or an exception is set. */
PyObject *item_named(PyObject *dict, char const *name);

/** An element type by its name, one by that in the brackets of an operation, and the name in Python (dtype.c). */
bool type_from_python(PyObject *x, tsr_dtype *type);
bool type_in_brackets_from_python(PyObject *x, tsr_dtype *type);
char const *type_name(tsr_dtype type);

/* C to Python */

/** An object of a value that points to nothing, without an owner; NULL: an exception is set. */
object *new_object(PyTypeObject *type, value const *v);

/** A value as Python's own integer, tuple or text where it is one, else as an object, which takes `kept` and shares
 *  `from`; an invalid one raises Refused. `kept` is given back in any case. */
PyObject *value_to_python(value *v, memory *kept, PyObject *from);
PyObject *tuple_to_python(tsr_tuple const *t);

/** The integers of a tuple, or of a value, become known ones. */
void make_known(tsr_tuple *t);
void value_make_known(value *v);

/** Has a value an integer that is known at run time only? */
bool value_is_dynamic(value const *v);
PyObject *number_to_python(tsr_number x);
PyObject *integers_to_python(int64_t const *number, int n); /* a tuple */

/** Raises Refused with the sentence of a reason, or with a text in its place. NULL. */
PyObject *refuse(tsr_tuple const *why, char const *text);
PyObject *refuse_why(tsr_reason why);

/** Whether the words of a failure say that memory has run out: that is a MemoryError. */
bool says_no_memory(char const *words);

/** A refusal in the words of a message, unless an exception says more. NULL. */
PyObject *refuse_message(tsr_message const *error);

/** The text of a value; an expression that gives it again, NULL without an exception where there is none. */
PyObject *text_of(value const *v, unsigned flags);
PyObject *expression_of(object const *o);

/* Operations */

/** The operation of a name, borrowed; NULL: an exception is set. */
PyObject *operation(char const *name);

/** The operation of a name on a value and what is in a tuple, or NULL. */
PyObject *run_on(char const *name, PyObject *self, PyObject *args);

/* What operators mean (operators.c) */

tsr_layout const *modes_of(PyObject *self);
PyObject *value_call(PyObject *self, PyObject *args, PyObject *keywords);
Py_ssize_t value_length(PyObject *self);
PyObject *value_item(PyObject *self, Py_ssize_t i);
/** Sets the error "x has no ..", and returns NULL. The text of x asks nothing of it: the repr of a tensor asks for its
 *  type and its layout. */
PyObject *value_lacks(PyObject *self, PyObject *type, char const *what);
PyObject *value_modes(PyObject *self, void *closure); /* a tuple */
PyObject *value_subscript(PyObject *self, PyObject *key);
PyObject *element_of(object *o, tsr_tuple coord); /* of a tensor that is computed */
int write_coordinate(object *o, PyObject *coord, PyObject *x);
int value_truth(PyObject *self);
PyObject *value_matmul(PyObject *a, PyObject *b);

/* Brackets of tensors (index.c) */

PyObject *tensor_subscript(PyObject *self, PyObject *key);
int tensor_assign(PyObject *self, PyObject *key, PyObject *x);
Py_ssize_t tensor_length(PyObject *self);
PyObject *tensor_item(PyObject *self, Py_ssize_t i);
PyObject *tensor_transposed(PyObject *self, void *closure); /* .T */

/* Tensors */

/** The tensor of an object whose elements may be touched here, or an exception. */
bool tensor_from_python(PyObject *x, bool written, tsr_tensor *t);

/** New memory at a multiple of 64 bytes, and a new tensor in such; all 0 if it is `cleared`. NULL: an exception is
 *  set. */
owner *new_bytes(size_t bytes, bool cleared, char **at);
PyObject *new_tensor(tsr_layout l, tsr_dtype type, bool cleared);

/* Signs between tensors (arithmetic.c) */

PyObject *tensor_add(PyObject *a, PyObject *b);
PyObject *tensor_subtract(PyObject *a, PyObject *b);
PyObject *tensor_multiply(PyObject *a, PyObject *b);
PyObject *tensor_divide(PyObject *a, PyObject *b);
PyObject *tensor_matmul(PyObject *a, PyObject *b);
PyObject *tensor_negate(PyObject *a);
PyObject *tensor_add_in_place(PyObject *a, PyObject *b);
PyObject *tensor_subtract_in_place(PyObject *a, PyObject *b);
PyObject *tensor_multiply_in_place(PyObject *a, PyObject *b);
PyObject *tensor_divide_in_place(PyObject *a, PyObject *b);

/** A number of Python's; one that fits into a type, else an OverflowError. */
bool number_from_python(PyObject *x, tsr_number *n);
bool fitting_from_python(PyObject *x, tsr_dtype type, tsr_number *n);

/** The element at a coordinate, read, or written where x is not NULL: 0, or -1 and an exception. */
PyObject *read_element(object *o, tsr_tuple coord);
int write_element(object *o, tsr_tuple coord, PyObject *x);

/** Memory that `from` keeps, or `release` gives back; and the tensor in it, whose bounds are what its layout reaches
 *  and whose strides of 1 are static. The owner is taken. */
owner *new_owner(PyObject *from, bool constant, void *handle, void (*release)(void *handle));
PyObject *tensor_to_python(tsr_tensor t, owner *o);

/** A tensor with bounds, whose owner gets them and is taken. */
PyObject *own_to_python(tsr_tensor t, owner *o);

PyObject *tensor_from_dlpack(PyObject *module, PyObject *args);
PyObject *tensor_interface(PyObject *self, void *closure); /* __array_interface__ */
PyObject *tensor_dlpack(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *tensor_dlpack_device(PyObject *self, PyObject *none);

extern PyMethodDef give_functions[], tensor_functions[], index_functions[], run_functions[], compute_functions[],
    einsum_functions[], sign_functions[], host_functions[], picture_functions[], bridge_functions[], cuda_functions[],
    dist_functions[], dist_gpu_functions[], dist_nccl_functions[], given_functions[], infer_functions[],
    reshard_functions[];

#endif
