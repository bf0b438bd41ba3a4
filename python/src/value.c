/** The types of values: Value, Layout and Tensor. What a sign of Python means is an operation of the table. */
#include "module.h"

#include <string.h>

PyTypeObject *value_type, *layout_type, *tensor_type, *dynamic_type;
PyObject *refused_type;

static object *as_object(PyObject *self) { return (object *)self; }

static void value_dealloc(PyObject *self)
{
    PyTypeObject *const type = Py_TYPE(self);
    tsr_memory_free_(&as_object(self)->kept);
    Py_XDECREF(as_object(self)->owner);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* Making */

static PyObject *value_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *x = NULL, *from = NULL;
    value v;
    memory kept = {NULL, false};
    if ((keywords && PyDict_Size(keywords) > 0) || PyTuple_Size(args) != 1)
        return PyErr_Format(PyExc_TypeError, "Value(x) takes one value, or the text of one");
    (void)type;
    x = PyTuple_GetItem(args, 0);
    if (PyObject_TypeCheck(x, value_type)) {
        Py_INCREF(x);
        return x;
    }
    return value_from_python(x, &v, &kept, &from) ? value_to_python(&v, &kept, from)
                                                  : (tsr_memory_free_(&kept), NULL);
}

/** Whether an object has an attribute; -1: an exception says why this is not known. */
static int has(PyObject *x, char const *name)
{
    PyObject *const found = PyObject_GetAttrString(x, name);
    if (!found && !PyErr_ExceptionMatches(PyExc_AttributeError))
        return -1;
    if (!found)
        PyErr_Clear();
    Py_XDECREF(found);
    return found != NULL;
}

static PyObject *layout_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    bool const one = PyTuple_Size(args) == 1 && !(keywords && PyDict_Size(keywords) > 0);
    PyObject *const x = one ? PyTuple_GetItem(args, 0) : NULL;
    int const array = x && !PyObject_TypeCheck(x, value_type) ? has(x, "__array_interface__") : 0;
    int const counted = array > 0 ? has(x, "__len__") : array;
    if (counted < 0)
        return NULL;
    if (counted > 0)
        return PyErr_Format(PyExc_TypeError,
                            "an array is not a layout: tessera.tensor(x).layout is the layout of its "
                            "memory, Layout(x.shape) a new one of its shape");
    bool const same = x && PyObject_TypeCheck(x, layout_type);
    if (!same && !(x && PyUnicode_Check(x))) {
        PyObject *const make = operation("make_layout");
        return make ? PyObject_Call(make, args, keywords) : NULL;
    }
    PyObject *const r = value_new(type, args, NULL);
    if (!r || PyObject_TypeCheck(r, layout_type))
        return r;
    PyObject *const made = PyLong_Check(r) || PyTuple_Check(r)
                               ? run_on("make_layout", r, NULL)
                               : PyErr_Format(PyExc_TypeError, "%R is not a layout", r);
    Py_DECREF(r);
    return made;
}

static PyObject *tensor_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *const r = value_new(type, args, keywords);
    if (!r || PyObject_TypeCheck(r, tensor_type))
        return r;
    PyErr_Format(PyExc_TypeError, "%R is not a tensor; tessera.tensor(x) makes one of an array", r);
    Py_DECREF(r);
    return NULL;
}

/* Text */

static PyObject *value_str(PyObject *self) { return text_of(&as_object(self)->v, NOTATION); }

static PyObject *value_text(PyObject *self, void *closure) { return (void)closure, value_str(self); }

static tsr_dtype type_of(value const *v)
{
    return v->kind == VALUE_TENSOR   ? v->as.tensor.engine.type
           : v->kind == VALUE_ENGINE ? v->as.engine.type
           : v->kind == VALUE_TYPE   ? v->as.types.value
                                     : (tsr_dtype)0;
}

PyObject *expression_of(object const *o)
{
    PyObject *const text = text_of(&o->v, NOTATION), *bytes = text && !o->owner ? PyUnicode_AsUTF8String(text) : NULL;
    tsr_evaluation *const e = bytes ? tsr_evaluate(PyBytes_AsString(bytes), NOTATION, NULL, NULL) : NULL;
    if (bytes && (!e || (!e->ok && says_no_memory(e->error.text))))
        PyErr_NoMemory();
    bool const read = e && e->ok && e->result.kind == o->v.kind && type_of(&e->result) == type_of(&o->v);
    PyObject *const again = read ? text_of(&e->result, NOTATION) : NULL;
    bool const same = again && PyUnicode_Compare(text, again) == 0;
    Py_XDECREF(again);
    tsr_evaluation_free(e);
    Py_XDECREF(bytes);
    if (same)
        return text;
    Py_XDECREF(text);
    return NULL;
}

/** L("text") or V("text"), which give the value again, or <text>. */
static PyObject *value_repr(PyObject *self)
{
    PyObject *const text = expression_of(as_object(self));
    PyObject *const shown = text || PyErr_Occurred() ? text : value_str(self);
    char const *const format = !text ? "<%U>" : as_object(self)->v.kind == VALUE_LAYOUT ? "L(\"%U\")" : "V(\"%U\")";
    PyObject *const r = shown ? PyUnicode_FromFormat(format, shown) : NULL;
    Py_XDECREF(shown);
    return r;
}

PyObject *value_lacks(PyObject *self, PyObject *type, char const *what)
{
    PyObject *const text = value_repr(self);
    if (text)
        PyErr_Format(type, "%U has no %s", text, what);
    Py_XDECREF(text);
    return NULL;
}

static PyObject *value_reduce(PyObject *self, PyObject *none)
{
    PyObject *const text = expression_of(as_object(self));
    (void)none;
    if (!text)
        return PyErr_Occurred() ? NULL : value_lacks(self, PyExc_TypeError, "text that gives it again");
    return Py_BuildValue("(O(N))", value_type, text);
}

/* Equality: of layouts by their numbers, static or not; of other values by their text */

static uint64_t mix(uint64_t h, uint64_t x) { return (h ^ x) * 0x9e3779b97f4a7c15u ^ (h >> 29); }

static uint64_t hash_tuple(uint64_t h, tsr_tuple const *t)
{
    for (int i = 0; i < t->leaves; ++i) {
        tsr_leaf const x = t->leaf[i];
        h = mix(mix(h, (uint64_t)tsr_leaf_value(x)), (uint64_t)x.open << 8 | x.close);
    }
    return h;
}

static uint64_t hash_layout(tsr_layout const *l)
{
    uint64_t h = hash_tuple(hash_tuple(0x7e55e7a, &l->shape), &l->stride);
    if (l->composed)
        h = mix(mix(h, (uint64_t)tsr_leaf_value(l->offset)),
                (uint64_t)l->swizzle.bits << 8 | (uint8_t)l->swizzle.base);
    return h;
}

/** A text that two equal values share: without blanks, and without the marks of dynamic numbers. */
static PyObject *key_of(value const *v)
{
    PyObject *const text = text_of(v, TSR_TEXT_STATIC);
    PyObject *const bytes = text ? PyUnicode_AsUTF8String(text) : NULL; /* nobody else's */
    char *const p = bytes ? PyBytes_AsString(bytes) : NULL;
    Py_ssize_t n = 0;
    for (Py_ssize_t i = 0; p && p[i]; ++i)
        if (p[i] != ' ' && p[i] != '?')
            p[n++] = p[i];
    PyObject *const r = p ? PyUnicode_FromStringAndSize(p, n) : NULL;
    Py_XDECREF(text);
    Py_XDECREF(bytes);
    return r;
}

static Py_hash_t value_hash(PyObject *self)
{
    object const *const o = as_object(self);
    if (o->v.kind == VALUE_LAYOUT) {
        Py_hash_t const h = (Py_hash_t)hash_layout(&o->v.as.layout);
        return h == -1 ? -2 : h;
    }
    PyObject *const text = key_of(&o->v);
    Py_hash_t const h = text ? PyObject_Hash(text) : -1;
    Py_XDECREF(text);
    return h;
}

/** Are all numbers of two tuples the same? False also where only an operation can tell. */
static bool same_numbers(tsr_tuple const *a, tsr_tuple const *b)
{
    bool same = a->leaves == b->leaves;
    for (int i = 0; same && i < a->leaves; ++i) {
        tsr_leaf const x = a->leaf[i], y = b->leaf[i];
        same = tsr_leaf_is_number(x) && tsr_leaf_is_number(y) && x.value == y.value && x.aux == y.aux
               && x.open == y.open && x.close == y.close;
    }
    return same;
}

static bool same_layout(tsr_layout const *a, tsr_layout const *b)
{
    bool const plain = !a->composed && !b->composed;
    return (plain && same_numbers(&a->shape, &b->shape) && same_numbers(&a->stride, &b->stride))
           || tsr_layout_equal(*a, *b).leaf[0].value != 0;
}

static int same(object const *a, object const *b)
{
    if (a->v.kind != b->v.kind || type_of(&a->v) != type_of(&b->v))
        return 0;
    if (a->v.kind == VALUE_LAYOUT)
        return same_layout(&a->v.as.layout, &b->v.as.layout);
    PyObject *const x = key_of(&a->v), *const y = key_of(&b->v);
    int const r = x && y ? PyUnicode_Compare(x, y) == 0 : -1;
    Py_XDECREF(x);
    Py_XDECREF(y);
    return r;
}

static PyObject *value_compare(PyObject *a, PyObject *b, int how)
{
    if ((how != Py_EQ && how != Py_NE) || !PyObject_TypeCheck(a, value_type) || !PyObject_TypeCheck(b, value_type)) {
        Py_INCREF(Py_NotImplemented);
        return Py_NotImplemented;
    }
    int const r = same(as_object(a), as_object(b));
    return r < 0 ? NULL : PyBool_FromLong(how == Py_EQ ? r : !r);
}

/* Properties */

static char the_shape[] = "shape", the_stride[] = "stride";

static PyObject *by_operation(PyObject *self, void *name)
{
    tsr_layout const *const l = as_object(self)->v.kind == VALUE_LAYOUT ? &as_object(self)->v.as.layout : NULL;
    if (l && !l->composed && name == the_shape) /* what they are, without an operation */
        return tuple_to_python(&l->shape);
    if (l && !l->composed && name == the_stride)
        return tuple_to_python(&l->stride);
    return run_on((char const *)name, self, NULL);
}

static PyObject *value_layout_of(PyObject *self, void *closure)
{
    tsr_layout const *const l = modes_of(self);
    value v;
    memory kept = {NULL, false};
    (void)closure;
    if (!l)
        return value_lacks(self, PyExc_AttributeError, "layout");
    memset(&v, 0, sizeof v);
    v.kind = VALUE_LAYOUT;
    v.as.layout = *l;
    return value_to_python(&v, &kept, NULL);
}

static PyObject *value_kind_of(PyObject *self, void *closure)
{
    static char const *const words[] = {
#define VALUE(letter, id, type, member, words) words,
        VALUE_LIST(VALUE, VALUE)
#undef VALUE
    };
    (void)closure;
    return PyUnicode_FromString(words[as_object(self)->v.kind]);
}

static PyObject *value_dtype(PyObject *self, void *closure)
{
    tsr_dtype const type = type_of(&as_object(self)->v);
    char const *const name = type ? type_name(type) : NULL;
    (void)closure;
    if (name)
        return PyUnicode_FromString(name);
    return value_lacks(self, PyExc_AttributeError, "elements of a type");
}

/* Types */

static PyObject *dynamic_repr(PyObject *self)
{
    PyObject *const n = PyNumber_Long(self), *const r = n ? PyUnicode_FromFormat("dynamic(%R)", n) : NULL;
    Py_XDECREF(n);
    return r;
}

static PyMethodDef value_methods[] = {{"__reduce__", value_reduce, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};

static PyGetSetDef value_properties[] = {
    {"shape", by_operation, NULL, "the shape: an integer or a tuple", the_shape},
    {"stride", by_operation, NULL, "the stride: an integer or a tuple", the_stride},
    {"size", by_operation, NULL, "the number of elements", (void *)"size"},
    {"cosize", by_operation, NULL, "the size of the codomain", (void *)"cosize"},
    {"rank", by_operation, NULL, "the number of modes", (void *)"rank"},
    {"depth", by_operation, NULL, "the depth of nesting", (void *)"depth"},
    {"modes", value_modes, NULL, "the modes, one by one", NULL},
    {"layout", value_layout_of, NULL, "the layout of a tensor, of a slice, ..", NULL},
    {"text", value_text, NULL, "as the calculator writes it", NULL},
    {"kind", value_kind_of, NULL, "what it is: \"a layout\", ..", NULL},
    {"dtype", value_dtype, NULL, "the type of the elements: \"f32\", ..", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef tensor_methods[] = {{"__dlpack__", (PyCFunction)(void (*)(void))tensor_dlpack,
                                        METH_VARARGS | METH_KEYWORDS, "the elements for DLPack"},
                                       {"__dlpack_device__", tensor_dlpack_device, METH_NOARGS, "where they are"},
                                       {NULL, NULL, 0, NULL}};

static PyGetSetDef tensor_properties[] = {
    {"__array_interface__", tensor_interface, NULL, "the elements for NumPy", NULL},
    {"T", tensor_transposed, NULL, "the modes in the opposite order: a view", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyTypeObject *make_type(PyObject *module, char const *name, PyType_Spec *spec, PyObject *base)
{
    PyObject *const bases = base ? PyTuple_Pack(1, base) : NULL;
    PyObject *const r = base && !bases ? NULL : PyType_FromSpecWithBases(spec, bases);
    Py_XDECREF(bases);
    return r && add(module, name, r) ? (PyTypeObject *)r : NULL;
}

bool value_types(PyObject *module)
{
    static PyType_Slot value_slots[] = {
        {Py_tp_doc, (void *)"A value of the calculator: Value(x) of a text, an integer or a tuple."},
        {Py_tp_new, (void *)value_new},
        {Py_tp_dealloc, (void *)value_dealloc},
        {Py_tp_repr, (void *)value_repr},
        {Py_tp_str, (void *)value_str},
        {Py_tp_hash, (void *)value_hash},
        {Py_tp_richcompare, (void *)value_compare},
        {Py_tp_call, (void *)value_call},
        {Py_tp_iter, (void *)PySeqIter_New},
        {Py_tp_methods, value_methods},
        {Py_tp_getset, value_properties},
        {Py_mp_length, (void *)value_length},
        {Py_mp_subscript, (void *)value_subscript},
        {Py_sq_item, (void *)value_item},
        {Py_nb_bool, (void *)value_truth},
        {Py_nb_matrix_multiply, (void *)value_matmul},
        {0, NULL}};
    static PyType_Slot layout_slots[] = {
        {Py_tp_doc, (void *)"A layout: Layout(\"(4,8):(8,1)\"), Layout(shape) or Layout(shape, stride)."},
        {Py_tp_new, (void *)layout_new},
        {0, NULL}};
    static PyType_Slot tensor_slots[] = {
        {Py_tp_doc, (void *)"An engine in front of a layout; tessera.tensor(x) makes one of an array."},
        {Py_tp_new, (void *)tensor_new},
        {Py_mp_length, (void *)tensor_length},
        {Py_sq_length, (void *)tensor_length},
        {Py_mp_subscript, (void *)tensor_subscript},
        {Py_mp_ass_subscript, (void *)tensor_assign},
        {Py_sq_item, (void *)tensor_item},
        {Py_nb_add, (void *)tensor_add},
        {Py_nb_subtract, (void *)tensor_subtract},
        {Py_nb_multiply, (void *)tensor_multiply},
        {Py_nb_true_divide, (void *)tensor_divide},
        {Py_nb_matrix_multiply, (void *)tensor_matmul},
        {Py_nb_negative, (void *)tensor_negate},
        {Py_nb_inplace_add, (void *)tensor_add_in_place},
        {Py_nb_inplace_subtract, (void *)tensor_subtract_in_place},
        {Py_nb_inplace_multiply, (void *)tensor_multiply_in_place},
        {Py_nb_inplace_true_divide, (void *)tensor_divide_in_place},
        {Py_tp_methods, tensor_methods},
        {Py_tp_getset, tensor_properties},
        {0, NULL}};
    static PyType_Slot dynamic_slots[] = {
        {Py_tp_doc, (void *)"A dynamic integer, 8?: its value is known when a program runs, and no layout "
                            "follows from it."},
        {Py_tp_repr, (void *)dynamic_repr},
        {0, NULL}};
    static PyType_Spec value_spec = {"tessera.Value", sizeof(object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                                     value_slots};
    static PyType_Spec layout_spec = {"tessera.Layout", sizeof(object), 0, Py_TPFLAGS_DEFAULT, layout_slots};
    static PyType_Spec tensor_spec = {"tessera.Tensor", sizeof(object), 0, Py_TPFLAGS_DEFAULT, tensor_slots};
    static PyType_Spec dynamic_spec = {"tessera.dynamic", 0, 0, Py_TPFLAGS_DEFAULT, dynamic_slots};
    PyObject *const plain = Py_BuildValue("{sOsis()}", "status", Py_None, "mode", 0, "numbers");
    refused_type =
        plain ? PyErr_NewExceptionWithDoc("tessera.Refused",
                                          "An operation that has no answer, and why: `status` is the reason's "
                                          "name in base/status_list.h, `mode` the mode at "
                                          "fault, `numbers` are those of the sentence.",
                                          PyExc_ValueError, plain)
              : NULL;
    Py_XDECREF(plain);
    return refused_type && add(module, "Refused", refused_type)
           && (value_type = make_type(module, "Value", &value_spec, NULL))
           && (layout_type = make_type(module, "Layout", &layout_spec, (PyObject *)value_type))
           && (tensor_type = make_type(module, "Tensor", &tensor_spec, (PyObject *)value_type))
           && (dynamic_type = make_type(module, "dynamic", &dynamic_spec, (PyObject *)&PyLong_Type));
}
