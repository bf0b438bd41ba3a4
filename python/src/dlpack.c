/** DLPack: capsules in and out. No element is copied; a tensor of a device keeps its address and is not read here. */
#include "module.h"

#include <string.h>

#include "tessera/dlpack.h"

/* In */

static void release_plain(void *handle)
{
    DLManagedTensor *const m = (DLManagedTensor *)handle;
    if (m->deleter)
        m->deleter(m);
}

static void release_versioned(void *handle)
{
    DLManagedTensorVersioned *const m = (DLManagedTensorVersioned *)handle;
    if (m->deleter)
        m->deleter(m);
}

/** _from_dlpack(capsule) */
PyObject *tensor_from_dlpack(PyObject *module, PyObject *args)
{
    PyObject *capsule = NULL;
    tsr_tensor t;
    tsr_message error;
    (void)module;
    if (!PyArg_ParseTuple(args, "O", &capsule))
        return NULL;
    bool const plain = PyCapsule_IsValid(capsule, "dltensor");
    void *const managed = PyCapsule_GetPointer(capsule, plain ? "dltensor" : "dltensor_versioned");
    if (!managed)
        return NULL;
    DLManagedTensorVersioned const *const versioned = (DLManagedTensorVersioned *)managed;
    if (!plain && versioned->version.major != 1)
        return PyErr_Format(PyExc_BufferError, "DLPack of version %d is not known", (int)versioned->version.major);
    DLTensor const *const d = plain ? &((DLManagedTensor *)managed)->dl_tensor : &versioned->dl_tensor;
    bool const constant = !plain && (versioned->flags & DLPACK_FLAG_BITMASK_READ_ONLY);
    if (!tsr_from_dlpack(d, &t, &error))
        return refuse(NULL, error.text);
    owner *const o = new_owner(NULL, constant, NULL, NULL);
    if (!o || PyCapsule_SetName(capsule, plain ? "used_dltensor" : "used_dltensor_versioned") != 0) {
        Py_XDECREF(o);
        return NULL;
    }
    o->as_holder.handle = managed;
    o->as_holder.release = plain ? release_plain : release_versioned;
    o->device = d->device.device_type;
    o->device_id = d->device.device_id;
    return tensor_to_python(t, o);
}

/* Out */

/** What a capsule points to: both forms, the tensor that it keeps, its extents and steps. */
typedef struct shared {
    DLManagedTensor plain;
    DLManagedTensorVersioned versioned;
    PyObject *self;
    int64_t shape[TSR_MAX_LEAVES], strides[TSR_MAX_LEAVES];
} shared;

static void free_shared(shared *s)
{
    PyGILState_STATE const state = PyGILState_Ensure();
    Py_DECREF(s->self);
    PyMem_Free(s);
    PyGILState_Release(state);
}

static void delete_plain(DLManagedTensor *m) { free_shared((shared *)m->manager_ctx); }

static void delete_versioned(DLManagedTensorVersioned *m) { free_shared((shared *)m->manager_ctx); }

/** A capsule that nobody took. */
static void drop(PyObject *capsule)
{
    char const *const name = PyCapsule_GetName(capsule);
    if (!name || strncmp(name, "used_", 5) == 0)
        return;
    void *const p = PyCapsule_GetPointer(capsule, name);
    if (p)
        free_shared((shared *)(strcmp(name, "dltensor") == 0 ? ((DLManagedTensor *)p)->manager_ctx
                                                             : ((DLManagedTensorVersioned *)p)->manager_ctx));
}

/** The sentence of a refusal, with the name of the protocol that was asked for in front. */
static void refuse_by(char const *protocol, char const *text)
{
    static char const begins[] = "DLPack: ";
    char said[TSR_TEXT_SIZE + 64];
    size_t const n = sizeof begins - 1;
    snprintf(said, sizeof said, "%s: %s", protocol, strncmp(text, begins, n) == 0 ? text + n : text);
    refuse(NULL, said);
}

/** Describes a tensor, or refuses it in the name of a protocol. */
static bool describe(PyObject *self, char const *protocol, DLTensor *d, int64_t *shape, int64_t *strides)
{
    object const *const o = (object *)self;
    owner const *const memory = (owner *)o->owner;
    tsr_message error;
    DLDevice device = {1, 0};
    tsr_reason const outside = memory ? tsr_within(o->v.as.tensor, memory->base, memory->bytes) : tsr_no_reason();
    if (memory) {
        device.device_type = memory->device;
        device.device_id = memory->device_id;
    } else {
        refuse(NULL, "nobody owns the memory of this tensor");
        return false;
    }
    if (outside.status)
        refuse_why(outside);
    else if (!tsr_to_dlpack(o->v.as.tensor, device, shape, strides, d, &error))
        refuse_by(protocol, error.text);
    return !PyErr_Occurred();
}

static bool is_constant(PyObject *self)
{
    object const *const o = (object *)self;
    return o->v.as.tensor.engine.constant || (o->owner && ((owner *)o->owner)->constant);
}

/** Is a copy asked for, or another device? */
static bool asks_for_more(PyObject *self, PyObject *keywords)
{
    PyObject *const copy = keywords ? item_named(keywords, "copy") : NULL;
    PyObject *const device = keywords ? item_named(keywords, "dl_device") : NULL;
    PyObject *const own = PyErr_Occurred() ? NULL : tensor_dlpack_device(self, NULL);
    bool const other = own && device && device != Py_None && PyObject_RichCompareBool(own, device, Py_EQ) == 0;
    Py_XDECREF(own);
    if (copy == Py_True || other)
        PyErr_SetString(PyExc_BufferError, "memory given to DLPack is neither copied nor moved to another device");
    return PyErr_Occurred() != NULL;
}

/** Takers of DLPack know no negative steps: torch ends the process. */
static bool steps_back(DLTensor const *d)
{
    for (int i = 0; i < d->ndim; ++i)
        if (d->shape[i] > 1 && d->strides[i] < 0)
            return PyErr_Format(PyExc_BufferError,
                                "the step of dimension %d is %lld, and DLPack is not given negative ones; "
                                "numpy() and relayout() take them",
                                i, (long long)d->strides[i])
                   == NULL;
    return false;
}

/** __dlpack__(*, stream=None, max_version=None, ..): what was computed on a device was waited for by who gave it. */
PyObject *tensor_dlpack(PyObject *self, PyObject *args, PyObject *keywords)
{
    PyObject *const version = keywords ? item_named(keywords, "max_version") : NULL;
    PyObject *const major =
        version && PyTuple_Check(version) && PyTuple_Size(version) > 0 ? PyTuple_GetItem(version, 0) : NULL;
    bool const versioned = major && PyLong_Check(major) && PyLong_AsLong(major) >= 1;
    (void)args;
    if (PyErr_Occurred() || asks_for_more(self, keywords))
        return NULL;
    if (is_constant(self) && !versioned)
        return PyErr_Format(PyExc_BufferError, "what may only be read is not given to DLPack before version 1.0");
    shared *const s = (shared *)PyMem_Malloc(sizeof *s);
    if (!s)
        return PyErr_NoMemory();
    memset(s, 0, sizeof *s);
    DLTensor *const d = versioned ? &s->versioned.dl_tensor : &s->plain.dl_tensor;
    if (!describe(self, "DLPack", d, s->shape, s->strides) || steps_back(d)) {
        PyMem_Free(s);
        return NULL;
    }
    Py_INCREF(self);
    s->self = self;
    s->plain.manager_ctx = s->versioned.manager_ctx = s;
    s->plain.deleter = delete_plain;
    s->versioned.deleter = delete_versioned;
    s->versioned.version.major = 1;
    s->versioned.flags = is_constant(self) ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
    PyObject *const r = PyCapsule_New(versioned ? (void *)&s->versioned : (void *)&s->plain,
                                      versioned ? "dltensor_versioned" : "dltensor", drop);
    if (!r)
        free_shared(s);
    return r;
}

PyObject *tensor_dlpack_device(PyObject *self, PyObject *none)
{
    owner const *const o = (owner *)((object *)self)->owner;
    (void)none;
    return Py_BuildValue("(ii)", o ? o->device : 1, o ? o->device_id : 0);
}

/** __array_interface__ */
PyObject *tensor_interface(PyObject *self, void *closure)
{
    int64_t shape[TSR_MAX_LEAVES], strides[TSR_MAX_LEAVES];
    DLTensor d;
    tsr_tensor t;
    (void)closure;
    if (!tensor_from_python(self, false, &t) || !describe(self, "__array_interface__", &d, shape, strides))
        return NULL;
    char const *const descr = tsr_npy_descr(t.engine.type);
    if (!descr)
        return PyErr_Format(PyExc_TypeError, "NumPy has no element type %s", type_name(t.engine.type));
    for (int i = 0; i < d.ndim; ++i)
        strides[i] *= tsr_dtype_bits(t.engine.type) / 8;
    return Py_BuildValue("{sNsNsss(NN)si}", "shape", integers_to_python(shape, d.ndim), "strides",
                         integers_to_python(strides, d.ndim), "typestr", descr, "data", PyLong_FromVoidPtr(d.data),
                         PyBool_FromLong(is_constant(self)), "version", 3);
}
