/** Operands of the engine on a GPU. */
#include "cuda_replay.h"

#include <string.h>

#include "tessera/dlpack.h"

/** What a foreign type of tensors offers. A few types are remembered: tensors and parameters come in turns. */
typedef struct exporter {
    PyTypeObject *type; /* kept */
    DLPackExchangeAPI const *api;
    bool differentiates; /* its tensors have requires_grad, is_neg and is_conj, as torch's */
    bool wraps;          /* they stand for others, or take operations themselves: their calls are not kept */
} exporter;

/** Whether a type has a method of a name: a subclass of torch's that takes operations itself does, all others have a
 *  function of the module there. */
static bool has_own(PyTypeObject *type, char const *name)
{
    PyObject *const f = PyObject_GetAttrString((PyObject *)type, name);
    bool const r = f && !PyCFunction_Check(f);
    Py_XDECREF(f);
    PyErr_Clear();
    return r;
}

PyObject *cuda_module(PyObject **kept, char const *name)
{
    PyObject *const modules = PyImport_GetModuleDict();
    if (*kept || (*kept = PyUnicode_InternFromString(name))) {
        PyObject *const x = modules && PyDict_Check(modules) ? PyDict_GetItemWithError(modules, *kept) : NULL;
        if (x)
            return x;
    }
    PyErr_Clear();
    return NULL;
}

static PyObject *torch_name;

/** An attribute of torch, where that is in use; NULL, without an exception: there is none. */
static PyObject *of_torch(char const *name)
{
    PyObject *const torch = cuda_module(&torch_name, "torch");
    PyObject *const x = torch ? PyObject_GetAttrString(torch, name) : NULL;
    PyErr_Clear();
    return x;
}

/** Results of subclasses are of the subclass, which torch sees to; a tensor of torch's own has a method for it, too. */
static bool wraps_others(PyTypeObject *type)
{
    PyObject *const tensor = of_torch("Tensor");
    bool const r =
        has_own(type, "__torch_dispatch__") || (has_own(type, "__torch_function__") && (PyObject *)type != tensor);
    Py_XDECREF(tensor);
    return r;
}

/** The table of functions of a type, the newest of major version 1; NULL: it has none. */
static DLPackExchangeAPI const *table_of(PyTypeObject *type)
{
    PyObject *const capsule = PyObject_GetAttrString((PyObject *)type, "__dlpack_c_exchange_api__");
    DLPackExchangeAPI const *api = NULL;
    if (capsule && PyCapsule_IsValid(capsule, "dlpack_exchange_api"))
        api = (DLPackExchangeAPI const *)PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
    Py_XDECREF(capsule); /* the table lives as long as the process */
    PyErr_Clear();
    while (api && api->version.major != 1)
        api = api->prev_api;
    return api && api->dltensor_from_py_object_no_sync && api->current_work_stream ? api : NULL;
}

static exporter const *exporter_of_type(PyTypeObject *type)
{
    enum { KEPT = 4 };
    static exporter kept[KEPT];
    static int next;
    for (int i = 0; i < KEPT; ++i)
        if (type == kept[i].type)
            return &kept[i];
    DLPackExchangeAPI const *const api = table_of(type);
    if (!api)
        return NULL;
    exporter *const e = &kept[next++ % KEPT];
    Py_XDECREF(e->type);
    Py_INCREF(type);
    *e = (exporter){type, api,
                    PyObject_HasAttrString((PyObject *)type, "requires_grad")
                        && PyObject_HasAttrString((PyObject *)type, "is_neg"),
                    wraps_others(type)};
    return e;
}

static exporter const *exporter_of(PyObject *x) { return exporter_of_type(Py_TYPE(x)); }

bool cuda_has_table(PyObject *x) { return exporter_of(x) != NULL; }

bool cuda_type_stream(PyObject *type, int device, void **stream)
{
    exporter const *const e = PyType_Check(type) ? exporter_of_type((PyTypeObject *)type) : NULL;
    bool const r = e && e->api->current_work_stream(kDLCUDA, device, stream) == 0;
    PyErr_Clear();
    return r;
}

/** What the table of functions does not tell of a tensor of torch's. */
typedef enum plainness { PLAIN, GRADIENTS, FORWARD, NEGATED, CONJUGATED, UNKNOWN } plainness;

/** Whether a flag of the object, an attribute or a method without arguments, is set; -1: an exception. The name is made
 *  once: a call asks four times. */
static int flag(PyObject *x, PyObject **kept, char const *name, bool is_call)
{
    if (!*kept && !(*kept = PyUnicode_InternFromString(name)))
        return -1;
    PyObject *const answer = is_call ? PyObject_CallMethodObjArgs(x, *kept, NULL) : PyObject_GetAttr(x, *kept);
    int const r = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    return r;
}

/** Whether operations are recorded now, as torch says; -1: an exception. */
static int records_now(void)
{
    static PyObject *enabled_name;
    PyObject *const torch = cuda_module(&torch_name, "torch");
    return torch ? flag(torch, &enabled_name, "is_grad_enabled", true) : 1;
}

bool cuda_goes_forward(void)
{
    static PyObject *module_name, *module, *level_name;
    if (!module) {
        module = cuda_module(&module_name, "torch.autograd.forward_ad");
        Py_XINCREF(module);
    }
    if (module && (level_name || (level_name = PyUnicode_InternFromString("_current_level")))) {
        PyObject *const level = PyObject_GetAttr(module, level_name);
        bool const r = level && PyLong_AsLong(level) >= 0;
        Py_XDECREF(level);
        PyErr_Clear();
        return r;
    }
    PyErr_Clear();
    return false;
}

/** Elements of another sign come from complex ones, whose parts are no integers and no bf16. */
static plainness plainness_of(PyObject *x, DLTensor const *d)
{
    static PyObject *grad_name, *neg_name, *conj_name;
    bool const is_complex = d->dtype.code == kDLComplex, may_negate = is_complex || d->dtype.code == kDLFloat;
    int const requires = flag(x, &grad_name, "requires_grad", false), grad = requires > 0 ? records_now() : requires;
    int const neg = grad == 0 && may_negate ? flag(x, &neg_name, "is_neg", true) : 0;
    int const conj = grad == 0 && neg == 0 && is_complex ? flag(x, &conj_name, "is_conj", true) : 0;
    return grad < 0 || neg < 0 || conj < 0 ? UNKNOWN
           : grad > 0                      ? GRADIENTS
           : cuda_goes_forward()           ? FORWARD
           : neg > 0                       ? NEGATED
           : conj > 0                      ? CONJUGATED
                                           : PLAIN;
}

/** Refuses tensors that are recorded for gradients, and views whose elements lie in memory with another sign. */
static bool is_plain(PyObject *x, DLTensor const *d)
{
    plainness const p = plainness_of(x, d);
    if (p == GRADIENTS)
        PyErr_SetString(PyExc_ValueError,
                        "this tensor requires gradients, which are not recorded here: use x.detach() "
                        "or the functions of tessera.torch, which have gradients");
    else if (p == FORWARD)
        PyErr_SetString(PyExc_ValueError,
                        "derivatives are carried forward now, and not by this function: call it outside of the "
                        "dual level, or use the functions of tessera.torch");
    else if (p == NEGATED)
        PyErr_SetString(PyExc_ValueError, "the elements are kept with the other sign; resolve_neg() writes them");
    else if (p == CONJUGATED)
        PyErr_SetString(PyExc_ValueError, "the elements are kept conjugated; resolve_conj() writes them");
    return p == PLAIN;
}

static bool on_device(int type) { return type == kDLCUDA || type == kDLCUDAManaged; }

/** What an array of another library is, on a device or not. False: an exception is set. */
static bool describe(PyObject *x, exporter const *e, DLTensor *d)
{
    return e->api->dltensor_from_py_object_no_sync(x, d) == 0
           && (!on_device((int)d->device.device_type) || !e->differentiates || is_plain(x, d));
}

static bool foreign_from_python(PyObject *x, exporter const *e, operand *o)
{
    DLTensor d;
    tsr_message error;
    if (!describe(x, e, &d))
        return false;
    if (!on_device((int)d.device.device_type))
        return true;
    if (!tsr_from_dlpack(&d, &o->tensor, &error)) {
        refuse(NULL, error.text);
        return false;
    }
    o->tensor.engine = tsr_bounded(o->tensor.engine, &o->tensor.layout);
    o->device = d.device.device_id;
    o->has_stream = true;
    return e->api->current_work_stream((DLDeviceType)d.device.device_type, d.device.device_id, &o->stream) == 0;
}

bool cuda_address(PyObject *x, cuda_place_of *at)
{
    exporter const *const e = PyObject_TypeCheck(x, tensor_type) ? NULL : exporter_of(x);
    operand own = {.device = -1};
    DLTensor d;
    at->device = -1;
    if (!e) {
        bool const read = operand_from_python(x, false, &own);
        at->device = own.device;
        at->address = own.tensor.engine.address;
        return read;
    }
    if (!describe(x, e, &d))
        return false;
    if (!on_device((int)d.device.device_type))
        return true;
    at->device = d.device.device_id;
    at->address = (uint64_t)(uintptr_t)d.data + d.byte_offset;
    at->has_stream = at->has_stream
                     || e->api->current_work_stream((DLDeviceType)d.device.device_type, at->device, &at->stream) == 0;
    return at->has_stream;
}

bool cuda_peek(PyObject *x, DLTensor *d, bool *streams, void **stream)
{
    exporter const *const e = exporter_of(x); /* ours have no such table */
    bool is = e && !e->wraps && e->api->dltensor_from_py_object_no_sync(x, d) == 0
              && on_device((int)d->device.device_type) && d->strides;
    if (is && streams && !*streams) {
        DLDevice const on = d->device;
        *streams = is = e->api->current_work_stream(on.device_type, on.device_id, stream) == 0;
    }
    if (!is)
        PyErr_Clear();
    return is;
}

bool cuda_are_plain(PyObject *const *x, DLTensor const *d, int count, bool multiplies)
{
    bool plain = true;
    for (int i = 0; i < count && plain; ++i) {
        if (PyObject_TypeCheck(x[i], tensor_type))
            continue;
        exporter const *const e = exporter_of(x[i]);
        plain = e && (!e->differentiates || plainness_of(x[i], &d[i]) == PLAIN);
    }
    PyObject *const casts = plain && multiplies ? of_torch("is_autocast_enabled") : NULL;
    PyObject *const now = casts ? PyObject_CallFunctionObjArgs(casts, NULL) : NULL;
    plain = plain && (!now || !PyObject_IsTrue(now));
    Py_XDECREF(casts);
    Py_XDECREF(now);
    PyErr_Clear();
    return plain;
}

PyObject *cuda_guard_of(PyObject *const *x, int count)
{
    static char const *const path[] = {"_dynamo", "guards", "TensorGuards"};
    for (int i = 0; i < count; ++i)
        if (PyObject_TypeCheck(x[i], tensor_type)) /* which torch does not know */
            return NULL;
    PyObject *at = of_torch("_C");
    for (int i = 0; i < 3 && at; ++i) {
        PyObject *const next = PyObject_GetAttrString(at, path[i]);
        Py_DECREF(at);
        at = next;
    }
    PyObject *const arguments = at ? PyTuple_New(count) : NULL;
    for (int i = 0; i < count && arguments; ++i) {
        Py_INCREF(x[i]);
        PyTuple_SetItem(arguments, i, x[i]);
    }
    PyObject *const none = Py_BuildValue("{s:O,s:O}", "dynamic_dims_sizes", Py_None, "dynamic_dims_strides", Py_None);
    PyObject *const guard = arguments && none ? PyObject_Call(at, arguments, none) : NULL;
    PyObject *const check = guard ? PyObject_GetAttrString(guard, "check") : NULL;
    PyObject *const all[] = {at, arguments, none, guard};
    for (int i = 0; i < 4; ++i)
        Py_XDECREF(all[i]);
    PyErr_Clear();
    return check;
}

tsr_tensor const *cuda_own(PyObject *x, int *device, bool *constant)
{
    object const *const o = (object const *)x;
    owner const *const memory = PyObject_TypeCheck(x, tensor_type) ? (owner const *)o->owner : NULL;
    if (!memory || !on_device(memory->device) || tsr_within(o->v.as.tensor, memory->base, memory->bytes).status)
        return NULL;
    *device = memory->device_id;
    *constant = memory->constant;
    return &o->v.as.tensor;
}

static bool own_from_python(object const *x, bool written, operand *o)
{
    owner const *const memory = (owner const *)x->owner;
    if (!memory || !on_device(memory->device))
        return true;
    tsr_reason const outside = tsr_within(x->v.as.tensor, memory->base, memory->bytes);
    if (outside.status)
        refuse_why(outside);
    else if (written && memory->constant)
        refuse(NULL, "the memory of this tensor may only be read");
    o->tensor = x->v.as.tensor;
    o->device = memory->device_id;
    return !PyErr_Occurred();
}

bool operand_from_python(PyObject *x, bool written, operand *o)
{
    o->device = -1;
    o->has_stream = false;
    o->stream = NULL;
    if (PyObject_TypeCheck(x, tensor_type))
        return own_from_python((object const *)x, written, o);
    exporter const *const e = exporter_of(x);
    return !e || foreign_from_python(x, e, o);
}

static void refuse_places(operand const *a, operand const *b, int i)
{
    char place[2][32];
    operand const *const o[2] = {a, b};
    for (int k = 0; k < 2; ++k)
        snprintf(place[k], sizeof place[k], o[k]->device < 0 ? "the memory of the host" : "device %d", o[k]->device);
    PyErr_Format(PyExc_ValueError, "operand 0 is in %s and operand %d in %s: one call works in one place", place[0],
                 i, place[1]);
}

int cuda_place(operand const *o, int count)
{
    for (int i = 1; i < count; ++i)
        if (o[i].device != o[0].device) {
            refuse_places(&o[0], &o[i], i);
            return -2;
        }
    return o[0].device;
}
