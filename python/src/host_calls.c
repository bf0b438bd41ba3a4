/** Calls on tensors of the host: copies, views, sums, and arrays of NumPy. Each gives None where the function of
 *  the package is to do it, which also says what is wrong with a call. */
#include "cuda_replay.h"

#include "exec/rows.h"
#include "host.h"

#include "tessera/exec/reduce.h"

#include <string.h>

/** What is less is converted at once. */
enum { FEW_ELEMENTS = 1 << 14 };

PyObject *host_left(void) { return Py_BuildValue(""); }

/** The result of a call that may have been refused: then the function of the package says why. */
PyObject *host_result(PyObject *r, tsr_reason why)
{
    if (!why.status)
        return r;
    Py_DECREF(r);
    return host_left();
}

/** The number that a tensor of one element is; takes `r`. */
PyObject *host_number(PyObject *r, host const *h)
{
    PyObject *const number = number_to_python(tsr_load(h->type, h->at, 0));
    Py_DECREF(r);
    return number;
}

/** _relayout(x, type or None): a new tensor with the elements in the order of x */
static PyObject *relayout(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    host x, y;
    (void)module;
    if (count != 2 || !host_from_python(args[0], &x))
        return host_left();
    tsr_dtype type = x.type;
    if (args[1] != Py_None && !type_from_python(args[1], &type)) {
        PyErr_Clear();
        return host_left();
    }
    if (tsr_dtype_bits(type) % 8 != 0 || tsr_number_kind_of(type) == TSR_NO_NUMBER)
        return host_left();
    PyObject *const r = host_new_like(&x, type, &y);
    if (!r)
        return NULL;
    if (x.side_by_side && x.count < FEW_ELEMENTS) { /* both in one order: there is nothing to plan */
        if (x.type == type)
            memcpy(y.at, x.at, (size_t)(x.count * (tsr_dtype_bits(type) / 8)));
        else
            tsr_engine_convert(type, y.at, x.type, x.at, x.count);
        return r;
    }
    PyThreadState *const state = host_unlock(x.count);
    tsr_reason const why = tsr_copy(x.of->v.as.tensor, y.of->v.as.tensor);
    host_lock(state);
    return host_result(r, why);
}

/* Views */

/** Whether the last mode is the fastest, and each goes on where the one behind it ends. */
static bool is_in_c_order(host const *h)
{
    int64_t next = 1;
    bool is = true;
    for (int i = h->rank; is && i-- > 0; next *= h->extent[i])
        is = h->stride[i] == next;
    return is;
}

/** Integers of a call, a tuple or a list of them as the one argument, too. False: it has others. */
static bool take_integers(PyObject *const *args, Py_ssize_t count, int64_t *to, int *n)
{
    bool const one = count == 1 && (PyTuple_Check(args[0]) || PyList_Check(args[0]));
    Py_ssize_t const size = one ? PySequence_Size(args[0]) : count;
    bool good = size > 0 && size <= TSR_MAX_LEAVES;
    for (Py_ssize_t i = 0; good && i < size; ++i) {
        PyObject *const x = !one                     ? args[i]
                            : PyTuple_Check(args[0]) ? PyTuple_GetItem(args[0], i)
                                                     : PyList_GetItem(args[0], i);
        good = PyLong_CheckExact(x);
        to[i] = good ? PyLong_AsLongLong(x) : 0;
    }
    *n = (int)size;
    good = good && !PyErr_Occurred();
    PyErr_Clear();
    return good;
}

/** _reshaped(x, extents..): x in C order in another shape, of which one extent may be -1 */
static PyObject *reshaped(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    host x;
    int64_t extent[TSR_MAX_LEAVES], stride[TSR_MAX_LEAVES], next = 1;
    int rank = 0, free_one = -1;
    (void)module;
    if (count < 2 || !host_from_python(args[0], &x) || !take_integers(args + 1, count - 1, extent, &rank)
        || !is_in_c_order(&x))
        return host_left();
    bool good = true;
    for (int i = 0; good && i < rank; ++i) {
        good = extent[i] > 0 || (extent[i] == -1 && free_one < 0);
        free_one = extent[i] == -1 ? i : free_one;
        good = good && (extent[i] == -1 || tsr_mul64(next, extent[i], &next));
    }
    if (!good || x.count % next != 0 || (free_one < 0 && next != x.count))
        return host_left();
    if (free_one >= 0)
        extent[free_one] = x.count / next;
    next = 1;
    for (int i = rank; i-- > 0; next *= extent[i])
        stride[i] = next;
    return host_view(&x, 0, rank, extent, stride);
}

/** _permuted(x, axes..): the modes in another order */
static PyObject *permuted(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    host x;
    int64_t axis[TSR_MAX_LEAVES], extent[TSR_MAX_LEAVES], stride[TSR_MAX_LEAVES];
    int rank = 0;
    unsigned seen = 0;
    (void)module;
    if (count < 2 || !host_from_python(args[0], &x) || !take_integers(args + 1, count - 1, axis, &rank)
        || rank != x.rank)
        return host_left();
    for (int i = 0; i < rank; ++i) {
        int64_t const k = axis[i] < 0 ? axis[i] + rank : axis[i];
        if (k < 0 || k >= rank || (seen >> k & 1) != 0)
            return host_left();
        seen |= 1u << k;
        extent[i] = x.extent[k];
        stride[i] = x.stride[k];
    }
    return host_view(&x, 0, rank, extent, stride);
}

/** Which modes are reduced: one, or all. False: another axis, which is left to the function. */
static bool take_axis(PyObject *axis, int rank, bool *reduced)
{
    long const k = axis != Py_None && Py_TYPE(axis) == &PyLong_Type ? PyLong_AsLong(axis) : rank;
    if (axis != Py_None && (k < -rank || k >= rank)) {
        PyErr_Clear();
        return false;
    }
    for (int i = 0; i < rank; ++i)
        reduced[i] = axis == Py_None || i == (k < 0 ? k + rank : k);
    return true;
}

/** The type of a sum: integers are summed in 64 bits. */
static tsr_dtype type_of_sum(tsr_dtype type)
{
    int const code = (int)tsr_dtype_code(type);
    return code == 0 || type == TSR_BOOL ? TSR_I64 : code == 1 ? TSR_U64 : type;
}

/** _reduce_new(0 for the sum, 1 for the least, 2 for the greatest, x, axis or None): a new tensor, or a number */
static PyObject *reduce(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    host x, y;
    bool reduced[TSR_MAX_LEAVES];
    int64_t extent[TSR_MAX_LEAVES], stride[TSR_MAX_LEAVES];
    int rank = 0;
    (void)module;
    int const op = count == 3 ? (int)PyLong_AsLong(args[0]) : -1;
    if (op < 0 || !host_from_python(args[1], &x) || !take_axis(args[2], x.rank, reduced))
        return PyErr_Occurred() ? NULL : host_left();
    for (int i = 0; i < x.rank; ++i)
        if (!reduced[i])
            extent[rank++] = x.extent[i];
    tsr_dtype const type = op == 0 ? type_of_sum(x.type) : x.type;
    PyObject *const made = host_new(&x, rank ? rank : 1, rank ? extent : (int64_t const[]){1}, type, &y);
    if (!made)
        return NULL;
    for (int i = 0, k = 0; i < x.rank; ++i)
        stride[i] = reduced[i] ? 0 : y.stride[k++];
    tsr_tensor const to = host_part(&y, 0, x.rank, x.extent, stride);
    PyThreadState *const state = host_unlock(x.count);
    tsr_reason const why = tsr_reduce_to((tsr_reducer)op, x.of->v.as.tensor, to);
    host_lock(state);
    return why.status || rank > 0 ? host_result(made, why) : host_number(made, &y);
}

/* Arrays */

/** What __array_struct__ of NumPy gives. */
typedef struct array_struct {
    int two, nd;
    char kind;
    int bytes, flags;
    Py_ssize_t *shape, *strides;
    void *data;
} array_struct;

enum { IN_C_ORDER = 1, IS_NATIVE = 0x200, IS_WRITEABLE = 0x400 };

static tsr_dtype type_of_array(char kind, int bytes)
{
    static char const kinds[] = "iufcb";
    static tsr_dtype const types[sizeof kinds - 1][5] = {{TSR_I8, TSR_I16, TSR_I32, TSR_I64, 0},
                                                         {TSR_U8, TSR_U16, TSR_U32, TSR_U64, 0},
                                                         {0, TSR_F16, TSR_F32, TSR_F64, 0},
                                                         {0, 0, 0, TSR_C64, TSR_C128},
                                                         {TSR_BOOL, 0, 0, 0, 0}};
    char const *const row = (char const *)memchr(kinds, kind, sizeof kinds - 1);
    bool const known = row && bytes > 0 && bytes <= 16 && (bytes & (bytes - 1)) == 0;
    return known ? types[row - kinds][tsr_bit_width((uint64_t)bytes) - 1] : (tsr_dtype)0;
}

/** An array of NumPy, and of no subclass; that type is looked for until NumPy is imported. */
static bool is_array(PyObject *x)
{
    static PyTypeObject *array_type;
    if (!array_type) {
        PyObject *const modules = PyImport_GetModuleDict(), *const numpy = PyDict_GetItemString(modules, "numpy");
        array_type = numpy ? (PyTypeObject *)PyObject_GetAttrString(numpy, "ndarray") : NULL;
        PyErr_Clear();
    }
    return array_type && Py_TYPE(x) == array_type;
}

/** _array(x): an array of NumPy as a tensor; None: that is left to the function */
static PyObject *array_to_tensor(PyObject *module, PyObject *x)
{
    int64_t extent[TSR_MAX_LEAVES], stride[TSR_MAX_LEAVES];
    (void)module;
    PyObject *const capsule = is_array(x) ? PyObject_GetAttrString(x, "__array_struct__") : NULL;
    array_struct const *const a = capsule ? (array_struct const *)PyCapsule_GetPointer(capsule, NULL) : NULL;
    tsr_dtype const type = a && a->two == 2 ? type_of_array(a->kind, a->bytes) : (tsr_dtype)0;
    bool good = type && (a->flags & IS_NATIVE) && a->nd > 0 && a->nd <= TSR_MAX_LEAVES;
    int64_t next = 1;
    for (int i = good ? a->nd : 0; good && i-- > 0; next *= extent[i]) {
        good = a->data && a->shape[i] > 0 && a->strides[i] % a->bytes == 0;
        extent[i] = a->shape[i];
        stride[i] = a->flags & IN_C_ORDER ? next : a->strides[i] / a->bytes; /* also of modes of extent 1 */
    }
    PyErr_Clear();
    bool const constant = good && !(a->flags & IS_WRITEABLE);
    PyObject *const r = good ? host_array(a->data, type, a->nd, extent, stride, constant, x) : host_left();
    Py_XDECREF(capsule);
    return r;
}

#define AS_METHOD(f) ((PyCFunction)(void (*)(void))(f))

PyMethodDef host_functions[] = {{"_relayout", AS_METHOD(relayout), METH_FASTCALL, NULL},
                                {"_reshaped", AS_METHOD(reshaped), METH_FASTCALL, NULL},
                                {"_permuted", AS_METHOD(permuted), METH_FASTCALL, NULL},
                                {"_reduce_new", AS_METHOD(reduce), METH_FASTCALL, NULL},
                                {"_einsum_new", AS_METHOD(host_einsum), METH_FASTCALL, NULL},
                                {"_array", array_to_tensor, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};
