/** What the signs of Python mean for a value: call, brackets, @, len, bool. */
#include "module.h"

#include <string.h>

static object *as_object(PyObject *self) { return (object *)self; }

static bool is_tensor_in_memory(object const *o)
{
    return o->v.kind == VALUE_TENSOR && o->v.as.tensor.engine.kind == TSR_POINTER;
}

/** The coordinate in the arguments of a call; one stands for itself. */
static bool coord_from_python(PyObject *args, value *c, memory *kept)
{
    PyObject *from = NULL;
    bool const one = PyTuple_Check(args) && PyTuple_Size(args) == 1;
    if (!value_from_python(one ? PyTuple_GetItem(args, 0) : args, c, kept, &from))
        return false;
    if (c->kind != VALUE_TUPLE)
        PyErr_SetString(PyExc_TypeError, "a coordinate is an integer, None or `:`, or a tuple of these");
    else if (c->as.tuple.status)
        refuse(&c->as.tuple, NULL);
    return !PyErr_Occurred();
}

/** The offset of a coordinate of plain numbers inside the shape, which no operation needs to check; false: it is none.
 *  */
static bool plain_offset(tsr_layout const *l, tsr_tuple const *c, int64_t *offset)
{
    int64_t index = 0, before = 1, sum = 0;
    bool const one = tsr_is_leaf(c);
    if (one && tsr_leaf_is_int(c->leaf[0]) && c->leaf[0].value >= 0)
        index = c->leaf[0].value;
    else if (one || c->leaves != l->shape.leaves)
        return false;
    for (int i = 0; !one && i < c->leaves; ++i) {
        tsr_leaf const x = c->leaf[i], s = l->shape.leaf[i];
        if (!tsr_leaf_is_int(x) || s.kind == TSR_UNIT || x.open != s.open || x.close != s.close || x.value < 0
            || x.value >= s.value)
            return false;
        index += x.value * before;
        before *= s.value;
        sum += x.value * l->stride.leaf[i].value;
    }
    *offset = one || l->composed ? tsr_layout_offset(l, index) : sum;
    return index < tsr_layout_size(*l) && !tsr_has_basis(&l->stride);
}

/** L(c), T(c); with `_` a slice. */
PyObject *value_call(PyObject *self, PyObject *args, PyObject *keywords)
{
    if (keywords && PyDict_Size(keywords) > 0)
        return PyErr_Format(PyExc_TypeError, "a coordinate has no keywords");
    object *const o = as_object(self);
    bool const memory = is_tensor_in_memory(o);
    if ((!memory && o->v.kind != VALUE_LAYOUT) || PyTuple_Size(args) == 0)
        return run_on("call", self, args);
    int64_t offset = 0;
    value c;
    struct memory kept = {NULL, false};
    bool const ok = coord_from_python(args, &c, &kept);
    tsr_memory_free_(&kept);
    if (!ok)
        return NULL;
    if (memory && !tsr_has_wildcard(&c.as.tuple))
        return read_element(o, c.as.tuple);
    return !memory && plain_offset(&o->v.as.layout, &c.as.tuple, &offset) ? PyLong_FromLongLong(offset)
                                                                          : run_on("call", self, args);
}

tsr_layout const *modes_of(PyObject *self) { return tsr_value_layout_(&as_object(self)->v); }

static bool is_pair(PyObject *self)
{
    return as_object(self)->v.kind == VALUE_PAIR || as_object(self)->v.kind == VALUE_TILED_LAYOUT;
}

Py_ssize_t value_length(PyObject *self)
{
    tsr_layout const *const l = modes_of(self);
    if (is_pair(self))
        return 2;
    if (l)
        return tsr_mode_count(&l->shape);
    (void)value_lacks(self, PyExc_TypeError, "modes");
    return -1;
}

/** (layout,offset) of a slice, (tile,layout) of a tile and its layout. */
static PyObject *part_to_python(object const *o, Py_ssize_t i)
{
    content const *const as = &o->v.as;
    bool const pair = o->v.kind == VALUE_PAIR;
    value v;
    memory kept = {NULL, false};
    memset(&v, 0, sizeof v);
    if ((i == 0) != pair)
        return tuple_to_python(pair ? &as->pair.offset : &as->tiled_layout.tiler);
    v.kind = VALUE_LAYOUT;
    v.as.layout = pair ? as->pair.layout : as->tiled_layout.tv;
    return value_to_python(&v, &kept, NULL);
}

/** Mode i of a tensor, or of a layout. */
static PyObject *mode_to_python(object const *o, int i)
{
    value v = o->v;
    memory kept = {NULL, false};
    if (v.kind == VALUE_TENSOR) {
        v.as.tensor.engine = tsr_bounded(v.as.tensor.engine, &v.as.tensor.layout);
        v.as.tensor.layout = tsr_mode(v.as.tensor.layout, i);
    } else {
        v.as.layout = tsr_mode(*tsr_value_layout_(&o->v), i);
        v.kind = VALUE_LAYOUT;
    }
    return value_to_python(&v, &kept, o->owner);
}

PyObject *value_modes(PyObject *self, void *closure)
{
    tsr_layout const *const l = modes_of(self);
    PyObject *const r = l ? PyTuple_New(tsr_mode_count(&l->shape)) : NULL;
    bool ok = r != NULL;
    (void)closure;
    if (!l)
        return value_lacks(self, PyExc_AttributeError, "modes");
    for (int i = 0; ok && i < tsr_mode_count(&l->shape); ++i) {
        PyObject *const mode = mode_to_python(as_object(self), i);
        ok = mode && PyTuple_SetItem(r, i, mode) == 0;
    }
    if (!ok)
        Py_XDECREF(r);
    return ok ? r : NULL;
}

/** Mode i, or a part of a pair. */
PyObject *value_item(PyObject *self, Py_ssize_t i)
{
    Py_ssize_t const n = value_length(self);
    if (n < 0)
        return NULL;
    if (i < 0 || i >= n)
        return PyErr_Format(PyExc_IndexError, "mode %zd does not exist, the rank is %zd", i, n);
    if (is_pair(self))
        return part_to_python(as_object(self), i);
    return mode_to_python(as_object(self), (int)i);
}

PyObject *value_subscript(PyObject *self, PyObject *key)
{
    if (PyIndex_Check(key)) {
        Py_ssize_t const i = PyNumber_AsSsize_t(key, PyExc_IndexError), n = i < 0 ? value_length(self) : 0;
        return PyErr_Occurred() ? NULL : value_item(self, i + n);
    }
    PyObject *const args = PyTuple_Check(key) ? (Py_INCREF(key), key) : PyTuple_Pack(1, key);
    PyObject *const r = args ? value_call(self, args, NULL) : NULL;
    Py_XDECREF(args);
    return r;
}

PyObject *element_of(object *o, tsr_tuple coord)
{
    PyObject *const at = tuple_to_python(&coord), *const args = at ? PyTuple_Pack(1, at) : NULL;
    PyObject *const r = args ? run_on("call", (PyObject *)o, args) : NULL;
    Py_XDECREF(at);
    Py_XDECREF(args);
    return r;
}

int write_coordinate(object *o, PyObject *coord, PyObject *x)
{
    value c;
    memory kept = {NULL, false};
    bool const ok = coord_from_python(coord, &c, &kept);
    tsr_memory_free_(&kept);
    return ok ? write_element(o, c.as.tuple, x) : -1;
}

int value_truth(PyObject *self)
{
    value const *const v = &as_object(self)->v;
    if (v->kind != VALUE_VERDICT)
        return 1;
    if (v->as.verdict.answer == TSR_YES || v->as.verdict.answer == TSR_NO)
        return v->as.verdict.answer == TSR_YES;
    tsr_tuple const why = tsr_reason_tuple(v->as.verdict.why);
    PyErr_SetString(PyExc_ValueError, "the verdict is undecided");
    if (why.status)
        refuse(&why, NULL);
    return -1;
}

PyObject *value_matmul(PyObject *a, PyObject *b)
{
    if (!PyObject_TypeCheck(a, value_type)) {
        Py_INCREF(Py_NotImplemented);
        return Py_NotImplemented;
    }
    PyObject *const right = PyTuple_Pack(1, b), *const r = right ? run_on("composition", a, right) : NULL;
    Py_XDECREF(right);
    return r;
}
