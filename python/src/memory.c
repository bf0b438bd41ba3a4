/** Memory of others as tensors. A tensor keeps the Memory that its elements lie in, and whatever became of its engine,
 *  nothing outside of these bytes is touched. */
#include "cuda.h"

#include <string.h>

#include "buffer.h"
#include "io/types.h"

PyTypeObject *owner_type;

static owner *as_owner(PyObject *x) { return (owner *)x; }

/** Frees a chain link by link: what is let go meanwhile in this thread waits for its turn, since the frames of a call
 *  for each link would not fit on a stack. */
void holder_dealloc(PyObject *self)
{
    static _Thread_local holder *waiting;
    static _Thread_local bool frees;
    ((holder *)self)->next = waiting;
    waiting = (holder *)self;
    if (frees)
        return;
    frees = true;
    PyObject *error[3]; /* what runs here may be code of Python's, and an exception may be on its way */
    PyErr_Fetch(&error[0], &error[1], &error[2]);
    while (waiting) {
        holder *const h = waiting;
        PyTypeObject *const type = Py_TYPE((PyObject *)h);
        waiting = h->next;
        if (h->release)
            h->release(h->handle);
        Py_XDECREF(h->held);
        PyObject_Free(h);
        Py_DECREF(type);
    }
    PyErr_Restore(error[0], error[1], error[2]);
    frees = false;
}

owner *new_owner(PyObject *from, bool constant, void *handle, void (*release)(void *handle))
{
    owner *const o = (owner *)PyType_GenericAlloc(owner_type, 0);
    if (!o)
        return NULL;
    Py_XINCREF(from);
    o->as_holder.held = from;
    o->as_holder.handle = handle;
    o->as_holder.release = release;
    o->constant = constant;
    o->device = 1;
    return o;
}

PyObject *own_to_python(tsr_tensor t, owner *o)
{
    value v;
    memory kept = {NULL, false};
    o->base = (void *)(uintptr_t)t.engine.begin;
    o->bytes = t.engine.end - t.engine.begin;
    memset(&v, 0, sizeof v);
    v.kind = VALUE_TENSOR;
    v.as.tensor = t;
    tsr_reason const outside = tsr_in_bounds(t);
    PyObject *const r = outside.status ? refuse_why(outside) : value_to_python(&v, &kept, (PyObject *)o);
    Py_DECREF(o);
    return r;
}

PyObject *tensor_to_python(tsr_tensor t, owner *o)
{
    if (!o)
        return NULL;
    make_known(&t.layout.shape);
    make_known(&t.layout.stride);
    t.engine.constant = o->constant;
    t.engine = tsr_bounded(t.engine, &t.layout);
    if (t.engine.begin == 0 || t.engine.end < t.engine.begin) {
        Py_DECREF(o);
        return refuse(NULL, "no memory is at the address of these elements");
    }
    return own_to_python(t, o);
}

/* In */

static void release_buffer(void *handle)
{
    PyBuffer_Release((buffer *)handle);
    PyMem_Free(handle);
}

/** _buffer(x): (address, bytes, read only, what holds it) */
static PyObject *buffer_of(PyObject *module, PyObject *x)
{
    buffer *const b = (buffer *)PyMem_Malloc(sizeof *b);
    (void)module;
    if (!b)
        return PyErr_NoMemory();
    if (PyObject_GetBuffer(x, b, BUFFER_STRIDES) != 0) {
        PyMem_Free(b);
        return NULL;
    }
    owner *const o = new_owner(x, b->readonly != 0, b, release_buffer);
    if (!o)
        release_buffer(b);
    return o ? Py_BuildValue("(NNNN)", PyLong_FromVoidPtr(b->buf), PyLong_FromSsize_t(b->len),
                             PyBool_FromLong(b->readonly), (PyObject *)o)
             : NULL;
}

/** _tensor(owner, address, NumPy's name of the type, shape, strides in elements, read only) */
static PyObject *tensor_at(PyObject *module, PyObject *args)
{
    PyObject *from = NULL, *shape = NULL, *stride = NULL, *address = NULL, *none = NULL;
    char const *descr = NULL;
    int constant = 0;
    value s, d;
    memory kept = {NULL, false};
    (void)module;
    if (!PyArg_ParseTuple(args, "OO!sOOp", &from, &PyLong_Type, &address, &descr, &shape, &stride, &constant))
        return NULL;
    tsr_dtype const type = strlen(descr) > 2 ? tsr_io_type_of_numpy_(descr) : 0;
    void *const at = PyLong_AsVoidPtr(address);
    if (PyErr_Occurred())
        return NULL;
    if (type == 0)
        return PyErr_Format(PyExc_TypeError, "there is no element type %s", descr);
    if (*descr == '>' && tsr_dtype_bits(type) > 8)
        return PyErr_Format(PyExc_TypeError,
                            "elements of the type %s have the other byte order; x.astype(\"%s\") turns them", descr,
                            descr + 1);
    bool const ok = value_from_python(shape, &s, &kept, &none) && value_from_python(stride, &d, &kept, &none);
    tsr_memory_free_(&kept);
    if (!ok)
        return NULL;
    if (s.kind != VALUE_TUPLE || d.kind != VALUE_TUPLE)
        return PyErr_Format(PyExc_TypeError, "shape and strides are tuples");
    tsr_layout const l = tsr_layout_checked(tsr_make_layout_from(s.as.tuple, d.as.tuple));
    if (l.shape.status)
        return refuse(&l.shape, NULL);
    return tensor_to_python(tsr_make_tensor_of(tsr_engine_at(TSR_RMEM, at, constant != 0, type), l),
                            new_owner(from, constant != 0, NULL, NULL));
}

/** _as(tensor, layout, type): its memory under another layout, whose offsets count from its first element, or as
 *  elements of another type. */
static PyObject *tensor_as(PyObject *module, PyObject *args)
{
    PyObject *x = NULL, *layout = NULL, *name = NULL;
    tsr_dtype type = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!O", tensor_type, &x, layout_type, &layout, &name))
        return NULL;
    object const *const o = (object *)x;
    if (name != Py_None && !type_from_python(name, &type))
        return NULL;
    value v = o->v;
    memory kept = {NULL, false};
    tsr_engine *const e = &v.as.tensor.engine;
    e->type = type ? type : e->type;
    v.as.tensor = tsr_make_tensor_of(*e, ((object *)layout)->v.as.layout);
    tsr_reason const outside = tsr_in_bounds(v.as.tensor);
    return outside.status ? refuse_why(outside) : value_to_python(&v, &kept, o->owner);
}

/* Elements */

bool tensor_from_python(PyObject *x, bool written, tsr_tensor *t)
{
    object const *const o = (object *)x;
    if (!PyObject_TypeCheck(x, tensor_type)) {
        PyErr_Format(PyExc_TypeError, "%R is not a tensor; tessera.tensor(x) makes one of an array", x);
        return false;
    }
    *t = o->v.as.tensor;
    if (t->engine.kind != TSR_POINTER && !written)
        return true;
    owner const *const memory = o->owner ? as_owner(o->owner) : NULL;
    tsr_reason const outside = memory ? tsr_within(*t, memory->base, memory->bytes) : tsr_no_reason();
    bool const host = memory && (memory->device == 1 || memory->device == 3 || memory->device == 11);
    if (!memory)
        refuse(NULL, "nobody owns the memory at this address; tessera.tensor(x) makes a tensor of the memory of x");
    else if (!host)
        refuse(NULL, "the elements are in the memory of a device, which is not touched here");
    else if (outside.status)
        refuse_why(outside);
    else if (written && memory->constant)
        refuse(NULL, "the memory of this tensor may only be read");
    return !PyErr_Occurred();
}

PyObject *read_element(object *o, tsr_tuple coord)
{
    tsr_tensor t;
    tsr_number x = TSR_ZERO;
    int const fetched = cuda_element((PyObject *)o, coord, &x, false);
    if (fetched)
        return fetched > 0 ? number_to_python(x) : NULL;
    if (!tensor_from_python((PyObject *)o, false, &t))
        return NULL;
    tsr_reason const why = tsr_tensor_read(t, coord, &x);
    return why.status ? refuse_why(why) : number_to_python(x);
}

bool number_from_python(PyObject *x, tsr_number *n)
{
    if (PyComplex_Check(x)) {
        *n = tsr_number_complex(PyComplex_RealAsDouble(x), PyComplex_ImagAsDouble(x));
        return true;
    }
    if (!PyIndex_Check(x)) {
        *n = tsr_number_real(PyFloat_AsDouble(x));
        return !PyErr_Occurred();
    }
    PyObject *const i = PyNumber_Index(x);
    int over = 0;
    *n = tsr_number_int(i ? PyLong_AsLongLongAndOverflow(i, &over) : 0);
    if (over > 0) {
        n->kind = TSR_UNSIGNED;
        n->bits = PyLong_AsUnsignedLongLong(i);
    }
    if (over < 0 || (over > 0 && PyErr_ExceptionMatches(PyExc_OverflowError))) {
        PyErr_Format(PyExc_OverflowError, "%R is outside the range of 64-bit integers", x);
    }
    Py_XDECREF(i);
    return !PyErr_Occurred();
}

int write_element(object *o, tsr_tuple coord, PyObject *x)
{
    tsr_tensor t;
    tsr_number n = TSR_ZERO;
    if (!fitting_from_python(x, o->v.as.tensor.engine.type, &n))
        return -1;
    int const written = cuda_element((PyObject *)o, coord, &n, true);
    if (written)
        return written > 0 ? 0 : -1;
    if (!tensor_from_python((PyObject *)o, true, &t))
        return -1;
    tsr_reason const why = tsr_tensor_write(t, coord, n);
    if (why.status)
        refuse_why(why);
    return why.status ? -1 : 0;
}

/** _elements(tensor): the list of them, in the order of the 1-D coordinate. */
static PyObject *elements(PyObject *module, PyObject *x)
{
    tsr_tensor t;
    (void)module;
    if (!tensor_from_python(x, false, &t))
        return NULL;
    int64_t const n = tsr_layout_size(t.layout);
    PyObject *const list = PyList_New(0);
    for (int64_t i = 0; list && i < n; ++i) {
        tsr_number e = TSR_ZERO;
        tsr_reason const why = tsr_tensor_read(t, tsr_int(i), &e);
        PyObject *const item = why.status ? refuse_why(why) : number_to_python(e);
        bool const ok = item && PyList_Append(list, item) == 0;
        Py_XDECREF(item);
        if (!ok) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

/** _set_elements(tensor, list): the same order. */
static PyObject *set_elements(PyObject *module, PyObject *args)
{
    PyObject *x = NULL, *list = NULL;
    tsr_tensor t;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO!", &x, &PyList_Type, &list) || !tensor_from_python(x, true, &t))
        return NULL;
    int64_t const n = tsr_layout_size(t.layout);
    if (PyList_Size(list) != n)
        return PyErr_Format(PyExc_ValueError, "%zd numbers for %lld elements", PyList_Size(list), (long long)n);
    for (int64_t i = 0; i < n && i < PyList_Size(list); ++i) {
        tsr_number number = TSR_ZERO;
        PyObject *const item = PyList_GetItem(list, i);
        Py_XINCREF(item); /* reading it may change the list */
        bool const good = item && fitting_from_python(item, t.engine.type, &number);
        Py_XDECREF(item);
        if (!good)
            return NULL;
        tsr_reason const why = tsr_tensor_write(t, tsr_int(i), number);
        if (why.status)
            return refuse_why(why);
    }
    return Py_BuildValue("");
}

PyMethodDef tensor_functions[] = {{"_buffer", buffer_of, METH_O, NULL},
                                  {"_tensor", tensor_at, METH_VARARGS, NULL},
                                  {"_as", tensor_as, METH_VARARGS, NULL},
                                  {"_elements", elements, METH_O, NULL},
                                  {"_set_elements", set_elements, METH_VARARGS, NULL},
                                  {"_from_dlpack", tensor_from_dlpack, METH_VARARGS, NULL},
                                  {NULL, NULL, 0, NULL}};

/** Memory is somebody's. */
static PyObject *owner_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)type, (void)args, (void)keywords;
    return PyErr_Format(PyExc_TypeError, "tessera.empty(layout) makes new memory, tessera.tensor(x) takes that of x");
}

bool owner_types(PyObject *module)
{
    static PyType_Slot slots[] = {{Py_tp_doc, (void *)"Memory that somebody owns."},
                                  {Py_tp_new, (void *)owner_new},
                                  {Py_tp_dealloc, (void *)holder_dealloc},
                                  {0, NULL}};
    static PyType_Spec spec = {"tessera.Memory", sizeof(owner), 0, Py_TPFLAGS_DEFAULT, slots};
    PyObject *const type = PyType_FromSpec(&spec);
    owner_type = (PyTypeObject *)type;
    return type && add(module, "Memory", type);
}
