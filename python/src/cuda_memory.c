/** Memory of a device, from the library whose arrays are in use, and the stream that this library works on: of torch
 *  without a call of Python's, which would take longer than a launch. */
#include "cuda_replay.h"

#include <string.h>

/** What torch offers, once it uses a device. */
static struct {
    PyObject *module; /* NULL: not asked, or it uses none yet */
    PyObject *tensor; /* its type */
    PyObject *maker;  /* of memory: what torch's compiler calls; NULL: there is none */
    PyObject *byte;   /* the type of a byte */
} torch;

/** The attribute at a path; NULL, without an exception: there is none. */
static PyObject *at_path(PyObject *x, char const *const *name, int count)
{
    Py_INCREF(x);
    for (int i = 0; i < count && x; ++i) {
        PyObject *const next = PyObject_GetAttrString(x, name[i]);
        Py_DECREF(x);
        x = next;
    }
    PyErr_Clear();
    return x;
}

static void remember(PyObject *module)
{
    static char const *const maker[] = {"_C", "_dynamo", "guards", "_empty_strided_cuda"};
    static char const *const type[] = {"Tensor"}, *const byte[] = {"uint8"};
    PyObject *const before[] = {torch.module, torch.tensor, torch.maker, torch.byte};
    Py_INCREF(module);
    torch.module = module;
    torch.tensor = at_path(module, type, 1);
    torch.maker = at_path(module, maker, 4);
    torch.byte = at_path(module, byte, 1);
    for (int i = 0; i < 4; ++i)
        Py_XDECREF(before[i]);
}

/** Whether torch uses a device. It never stops to. */
static bool torch_is_used(void)
{
    static PyObject *name;
    static char const *const asked[] = {"cuda", "is_initialized"};
    PyObject *const module = cuda_module(&name, "torch");
    bool used = module && module == torch.module;
    if (module && !used) {
        Py_INCREF(module); /* for what is called may remove it */
        PyObject *const f = at_path(module, asked, 2), *const is = f ? PyObject_CallObject(f, NULL) : NULL;
        used = is && PyObject_IsTrue(is) > 0;
        Py_XDECREF(f);
        Py_XDECREF(is);
        if (used)
            remember(module);
        Py_DECREF(module);
    }
    PyErr_Clear();
    return used;
}

bool cuda_torch_stream(int device, void **stream)
{
    return torch_is_used() && torch.tensor && cuda_type_stream(torch.tensor, device, stream);
}

/** Memory of torch's on its current device, which may be another one; NULL, without an exception: torch is not used. */
static PyObject *torch_memory(uint64_t bytes)
{
    if (!torch_is_used() || !torch.maker || !torch.byte)
        return NULL;
    PyObject *const arguments = Py_BuildValue("((K)(i)O)", (unsigned long long)bytes, 1, torch.byte);
    PyObject *const x = arguments ? PyObject_Call(torch.maker, arguments, NULL) : NULL;
    Py_XDECREF(arguments);
    return x;
}

/** Where bytes are that an object holds. False: on no device, or on another one. */
static bool is_there(PyObject *x, int device, uint64_t *address)
{
    DLTensor d;
    int found = -1;
    bool constant = false;
    tsr_tensor const *const own = cuda_own(x, &found, &constant);
    if (own)
        *address = own->engine.address;
    else if (cuda_peek(x, &d, NULL, NULL)) {
        *address = (uint64_t)(uintptr_t)d.data + d.byte_offset;
        found = d.device.device_id;
    }
    return found == device;
}

PyObject *cuda_memory(uint64_t bytes, int device, uint64_t *address)
{
    PyObject *x = torch_memory(bytes);
    if (x && !is_there(x, device, address)) {
        Py_DECREF(x);
        x = NULL;
    }
    PyObject *const f = x || PyErr_Occurred() ? NULL : cuda_memory_function();
    if (!f)
        return x;
    x = PyObject_CallFunction(f, "Ki", (unsigned long long)bytes, device);
    if (x && !is_there(x, device, address)) {
        Py_DECREF(x);
        return NULL;
    }
    return x;
}

PyObject *cuda_tensor_of(tsr_tensor t, PyObject *owner_of)
{
    value v;
    memory kept = {NULL, false};
    memset(&v, 0, sizeof v);
    v.kind = VALUE_TENSOR;
    v.as.tensor = t;
    return value_to_python(&v, &kept, owner_of);
}

PyObject *cuda_tensor_apart(object const *x)
{
    owner const *const of = (owner const *)x->owner;
    owner *const o = new_owner(x->owner, of->constant, NULL, NULL);
    if (!o)
        return NULL;
    o->base = of->base;
    o->bytes = of->bytes;
    o->device = of->device;
    o->device_id = of->device_id;
    PyObject *const r = cuda_tensor_of(x->v.as.tensor, (PyObject *)o);
    Py_DECREF(o);
    return r;
}

PyObject *cuda_tensor_in(tsr_tensor t, PyObject *x, int device)
{
    if (PyObject_TypeCheck(x, tensor_type))
        return cuda_tensor_of(t, ((object const *)x)->owner);
    owner *const o = new_owner(x, false, NULL, NULL);
    if (!o)
        return NULL;
    o->base = (void *)(uintptr_t)t.engine.begin;
    o->bytes = t.engine.end - t.engine.begin;
    o->device = kDLCUDA;
    o->device_id = device;
    PyObject *const r = cuda_tensor_of(t, (PyObject *)o);
    Py_DECREF(o);
    return r;
}

/* Memory of our own, where no library gives it */

static void free_memory(void *handle)
{
    (void)tsr_gpu_free((tsr_gpu_memory *)handle);
    PyMem_Free(handle);
}

PyObject *cuda_empty(PyObject *module, PyObject *args)
{
    PyObject *layout = NULL, *name = NULL;
    int i = 0;
    tsr_dtype type = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "iO!O", &i, layout_type, &layout, &name) || !type_from_python(name, &type))
        return NULL;
    tsr_layout const *const l = &((object *)layout)->v.as.layout;
    tsr_gpu_device const *const device = cuda_device(i);
    tsr_tuple const bytes = tsr_layout_size_in_bytes(*l, type);
    if (!device || bytes.status)
        return device ? refuse(&bytes, NULL) : NULL;
    tsr_gpu_memory *const m = (tsr_gpu_memory *)PyMem_Calloc(1, sizeof *m);
    owner *const o = m ? new_owner(NULL, false, m, free_memory) : NULL;
    if (!m || !o)
        return PyMem_Free(m), PyErr_NoMemory();
    if (!cuda_check(tsr_gpu_alloc(device, (size_t)bytes.leaf[0].value, m))) {
        Py_DECREF(o);
        return NULL;
    }
    o->device = kDLCUDA;
    o->device_id = i;
    return tensor_to_python(tsr_gpu_tensor(m, type, *l), o);
}
