/** Operands of the engine on a GPU. */
#include "cuda_again.h"

#include <string.h>

#include "tessera/dlpack.h"

/** What a foreign type of tensors offers. One type is remembered: calls come in rows of the same. */
typedef struct exporter {
    PyTypeObject *type; /* kept */
    DLPackExchangeAPI const *api;
    bool differentiates; /* its tensors have requires_grad, is_neg and is_conj, as torch's */
} exporter;

static exporter *exporter_of(PyObject *x)
{
    static exporter last;
    PyTypeObject *const type = Py_TYPE(x);
    if (type == last.type)
        return &last;
    PyObject *const capsule = PyObject_GetAttrString((PyObject *)type, "__dlpack_c_exchange_api__");
    if (!capsule) {
        PyErr_Clear();
        return NULL;
    }
    DLPackExchangeAPI const *api = NULL;
    if (PyCapsule_IsValid(capsule, "dlpack_exchange_api"))
        api = (DLPackExchangeAPI const *)PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
    Py_DECREF(capsule); /* the table lives as long as the process */
    while (api && api->version.major != 1)
        api = api->prev_api;
    if (!api || !api->dltensor_from_py_object_no_sync || !api->current_work_stream)
        return NULL;
    Py_XDECREF(last.type);
    Py_INCREF(type);
    last.type = type;
    last.api = api;
    last.differentiates = PyObject_HasAttrString((PyObject *)type, "requires_grad")
                          && PyObject_HasAttrString((PyObject *)type, "is_neg");
    return &last;
}

/** What the table of functions does not tell of a tensor of torch's. */
typedef enum plainness { PLAIN, GRADIENTS, NEGATED, CONJUGATED, UNKNOWN } plainness;

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

static plainness plainness_of(PyObject *x, DLTensor const *d)
{
    static PyObject *grad_name, *neg_name, *conj_name;
    int const grad = flag(x, &grad_name, "requires_grad", false);
    int const neg = grad == 0 ? flag(x, &neg_name, "is_neg", true) : 0;
    int const conj = grad == 0 && neg == 0 && d->dtype.code == 5 ? flag(x, &conj_name, "is_conj", true) : 0;
    return grad < 0 || neg < 0 || conj < 0 ? UNKNOWN
           : grad > 0                      ? GRADIENTS
           : neg > 0                       ? NEGATED
           : conj > 0                      ? CONJUGATED
                                           : PLAIN;
}

/** Refuses tensors that are recorded for gradients, and views whose elements lie in memory with another sign. */
static bool is_plain(PyObject *x, DLTensor const *d)
{
    plainness const p = plainness_of(x, d);
    if (p == GRADIENTS)
        PyErr_SetString(PyExc_ValueError, "this tensor requires gradients, which are not recorded here: use x.detach() "
                                          "or the functions of tessera.torch, which have gradients");
    else if (p == NEGATED)
        PyErr_SetString(PyExc_ValueError, "the elements are kept with the other sign; resolve_neg() writes them");
    else if (p == CONJUGATED)
        PyErr_SetString(PyExc_ValueError, "the elements are kept conjugated; resolve_conj() writes them");
    return p == PLAIN;
}

static bool on_device(int type) { return type == kDLCUDA || type == kDLCUDAManaged; }

static bool take_foreign(PyObject *x, exporter const *e, operand *o)
{
    DLTensor d;
    tsr_message error;
    if (e->api->dltensor_from_py_object_no_sync(x, &d) != 0)
        return false;
    if (!on_device((int)d.device.device_type))
        return true;
    if (e->differentiates && !is_plain(x, &d))
        return false;
    if (!tsr_from_dlpack(&d, &o->tensor, &error)) {
        refuse(NULL, error.text);
        return false;
    }
    o->tensor.engine = tsr_bounded(o->tensor.engine, &o->tensor.layout);
    o->device = d.device.device_id;
    o->has_stream = true;
    return e->api->current_work_stream((DLDeviceType)d.device.device_type, d.device.device_id, &o->stream) == 0;
}

bool cuda_peek(PyObject *x, DLTensor *d, bool *streams, void **stream)
{
    exporter const *const e = PyObject_TypeCheck(x, tensor_type) ? NULL : exporter_of(x);
    bool const is =
        e && e->api->dltensor_from_py_object_no_sync(x, d) == 0 && on_device((int)d->device.device_type) && d->strides
        && (!e->differentiates || plainness_of(x, d) == PLAIN)
        && (*streams
            || e->api->current_work_stream((DLDeviceType)d->device.device_type, d->device.device_id, stream) == 0);
    *streams = *streams || is;
    PyErr_Clear();
    return is;
}

static bool take_own(object const *x, bool written, operand *o)
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

bool cuda_take(PyObject *x, bool written, operand *o)
{
    o->device = -1;
    o->has_stream = false;
    o->stream = NULL;
    if (PyObject_TypeCheck(x, tensor_type))
        return take_own((object const *)x, written, o);
    exporter const *const e = exporter_of(x);
    return !e || take_foreign(x, e, o);
}

static void refuse_places(operand const *a, operand const *b, int i)
{
    char place[2][32];
    operand const *const o[2] = {a, b};
    for (int k = 0; k < 2; ++k)
        snprintf(place[k], sizeof place[k], o[k]->device < 0 ? "the memory of the host" : "device %d", o[k]->device);
    PyErr_Format(PyExc_ValueError, "operand 0 is in %s and operand %d in %s: one call works in one place", place[0], i,
                 place[1]);
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
