/** einsum of any number of tensors: its plan for Python, and its run in the memory of the host. */
#include "cuda.h"

#include <string.h>

#include "tessera/exec/einsum_plan.h"

/** What a call is given. */
typedef struct einsum_call {
    char const *text;
    int operands, pairs;
    bool ordered;
    PyObject *object[TSR_EINSUM_OPERANDS];
    tsr_tensor const *x[TSR_EINSUM_OPERANDS];
    tsr_einsum_pair pair[TSR_EINSUM_OPERANDS];
} einsum_call;

/** Reads the tensors and an order or None. False: an exception is set. */
static bool read_call(einsum_call *c, PyObject *tensors, PyObject *order)
{
    Py_ssize_t const pairs = order == Py_None ? 0 : PyTuple_Size(order);
    c->ordered = order != Py_None;
    c->operands = (int)PyTuple_Size(tensors);
    c->pairs = pairs < TSR_EINSUM_OPERANDS ? (int)pairs : TSR_EINSUM_OPERANDS;
    if (PyTuple_Size(tensors) > TSR_EINSUM_OPERANDS)
        return PyErr_Format(PyExc_ValueError, "einsum takes up to %d tensors, not %zd", TSR_EINSUM_OPERANDS,
                            PyTuple_Size(tensors))
               != NULL;
    for (int i = 0; i < c->operands; ++i) {
        c->object[i] = PyTuple_GetItem(tensors, i);
        if (!PyObject_TypeCheck(c->object[i], tensor_type))
            return PyErr_Format(PyExc_TypeError, "%R is not a tensor", c->object[i]) != NULL;
        c->x[i] = &((object *)c->object[i])->v.as.tensor;
    }
    for (int i = 0; i < c->pairs; ++i)
        if (!PyArg_ParseTuple(PyTuple_GetItem(order, i), "ii", &c->pair[i].left, &c->pair[i].right))
            return false;
    return !PyErr_Occurred();
}

static tsr_planned_einsum plan_of(einsum_call const *c)
{
    return c->ordered ? tsr_einsum_plan_along(c->text, c->x, c->operands, c->pair, c->pairs)
                      : tsr_einsum_plan(c->text, c->x, c->operands);
}

/** The letters of `n` values, one text each. */
static PyObject *letters_to_python(tsr_einsum_letters const *letters, int n)
{
    PyObject *const r = PyTuple_New(n);
    for (int i = 0; r && i < n; ++i)
        if (PyTuple_SetItem(r, i, PyUnicode_FromString(letters[i])) != 0)
            break;
    return r;
}

static PyObject *steps_to_python(tsr_planned_einsum const *p)
{
    PyObject *const r = PyTuple_New(p->steps);
    for (int i = 0; r && i < p->steps; ++i)
        if (PyTuple_SetItem(r, i, Py_BuildValue("(ii)", p->step[i].left, p->step[i].right)) != 0)
            break;
    return r;
}

/** The extent of each letter of the tensors. */
static PyObject *sizes_to_python(tsr_planned_einsum const *p)
{
    PyObject *const r = PyDict_New();
    for (int i = 0; r && i < p->operands; ++i)
        for (char const *c = p->given[i]; *c; ++c) {
            char const name[2] = {*c, 0};
            int const x = *c >= 'a' ? *c - 'a' + 26 : *c - 'A';
            PyObject *const n = PyLong_FromLongLong(p->extent[x]);
            bool const put = n && PyDict_SetItemString(r, name, n) == 0;
            Py_XDECREF(n);
            if (!put)
                break;
        }
    return r;
}

/** _einsum_plan(text, tensors, order or None): the letters of each tensor and of the result; of each value, without
 *  those of extent 1; the values that each step reads; the extents of the letters. The order is a tuple of pairs. */
static PyObject *einsum_plan(PyObject *module, PyObject *args)
{
    einsum_call c;
    PyObject *tensors = NULL, *order = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "sO!O", &c.text, &PyTuple_Type, &tensors, &order) || !read_call(&c, tensors, order))
        return NULL;
    tsr_planned_einsum const p = plan_of(&c);
    if (p.why.status)
        return refuse_why(p.why);
    PyObject *r =
        Py_BuildValue("(NNNN)", letters_to_python(p.given, p.operands + 1),
                      letters_to_python(p.value, p.operands + p.steps), steps_to_python(&p), sizes_to_python(&p));
    if (PyErr_Occurred())
        Py_CLEAR(r);
    return r;
}

/** Reads the tensors where the host reaches them. 1: they are read, 0: one is in the memory of a device, -1: an
 *  exception is set. */
static int reach(einsum_call *c, PyObject *to, tsr_tensor *x, tsr_tensor *y)
{
    for (int i = 0; i <= c->operands; ++i) {
        operand o;
        PyObject *const object = i < c->operands ? c->object[i] : to;
        if (!operand_from_python(object, i == c->operands, &o))
            return -1;
        if (o.device >= 0)
            return 0;
    }
    for (int i = 0; i < c->operands; ++i) {
        if (!tensor_from_python(c->object[i], false, &x[i]))
            return -1;
        c->x[i] = &x[i];
    }
    return tensor_from_python(to, true, y) ? 1 : -1;
}

/** _einsum(text, tensors, order or None, to): whether it is computed; it is in the memory of the host. */
static PyObject *einsum(PyObject *module, PyObject *args)
{
    einsum_call c;
    PyObject *tensors = NULL, *order = NULL, *to = NULL;
    tsr_tensor x[TSR_EINSUM_OPERANDS], y;
    (void)module;
    if (!PyArg_ParseTuple(args, "sO!OO!", &c.text, &PyTuple_Type, &tensors, &order, tensor_type, &to)
        || !read_call(&c, tensors, order))
        return NULL;
    int const there = reach(&c, to, x, &y);
    if (there <= 0)
        return there < 0 ? NULL : PyBool_FromLong(false);
    PyThreadState *const state = PyEval_SaveThread();
    tsr_planned_einsum const p = plan_of(&c);
    tsr_reason const why = tsr_einsum_run(&p, c.x, &y);
    PyEval_RestoreThread(state);
    return why.status ? refuse_why(why) : PyBool_FromLong(true);
}

/* clang-format off */
PyMethodDef einsum_functions[] = {
    {"_einsum", einsum, METH_VARARGS, NULL}, {"_einsum_plan", einsum_plan, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};
/* clang-format on */
