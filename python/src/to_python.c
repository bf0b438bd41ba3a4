/** Values of the calculator as Python objects, and refusals as exceptions. */
#include "module.h"

#include <string.h>

object *new_object(PyTypeObject *type, value const *v)
{
    object *const r = PyObject_New(object, type);
    if (!r)
        return NULL;
    r->owner = NULL;
    r->kept.last = NULL;
    r->kept.failed = false;
    r->v = *v;
    return r;
}

static PyObject *leaf_to_python(tsr_leaf leaf)
{
    if (leaf.kind == TSR_UNIT)
        return PyTuple_New(0);
    if (tsr_leaf_is_int(leaf))
        return leaf.kind == TSR_STATIC ? PyLong_FromLongLong(leaf.value)
                                       : PyObject_CallFunction((PyObject *)dynamic_type, "L", (long long)leaf.value);
    value v;
    memset(&v, 0, sizeof v);
    v.kind = VALUE_TUPLE;
    v.as.tuple = tsr_from_leaf(leaf);
    return (PyObject *)new_object(value_type, &v);
}

/** Where a walk along the leaves stands: the next one, and the parentheses to open in front of it and to close behind
 *  the last one. */
typedef struct walk {
    tsr_tuple const *t;
    int at, open, close;
} walk;

static PyObject *mode_to_python(walk *w)
{
    if (w->open == 0) {
        tsr_leaf const leaf = w->t->leaf[w->at++];
        w->close = leaf.close;
        w->open = w->at < w->t->leaves ? w->t->leaf[w->at].open : 0;
        return leaf_to_python(leaf);
    }
    PyObject *const list = PyList_New(0);
    PyObject *tuple = NULL;
    bool ok = list != NULL;
    --w->open;
    do {
        PyObject *const mode = ok ? mode_to_python(w) : NULL;
        ok = mode && PyList_Append(list, mode) == 0;
        Py_XDECREF(mode);
    } while (ok && w->close == 0);
    --w->close;
    if (ok)
        tuple = PyList_AsTuple(list);
    Py_XDECREF(list);
    return tuple;
}

PyObject *tuple_to_python(tsr_tuple const *t)
{
    walk w = {t, 0, t->leaf[0].open, 0};
    return t->status ? refuse(t, NULL) : mode_to_python(&w);
}

PyObject *number_to_python(tsr_number x)
{
    switch (x.kind) {
    case TSR_SIGNED:
        return PyLong_FromLongLong((int64_t)x.bits);
    case TSR_UNSIGNED:
        return PyLong_FromUnsignedLongLong(x.bits);
    case TSR_REAL:
        return PyFloat_FromDouble(x.re);
    default:
        return PyComplex_FromDoubles(x.re, x.im);
    }
}

PyObject *text_of(value const *v, unsigned flags)
{
    char text[TSR_TEXT_SIZE];
    writer w;
    writer_open(&w, text, sizeof text);
    tsr_value_write_(&w, v, flags);
    if (w.used < sizeof text)
        return PyUnicode_FromStringAndSize(text, (Py_ssize_t)w.used);
    size_t const size = w.used + 1;
    char *const longer = (char *)PyMem_Malloc(size);
    if (!longer)
        return PyErr_NoMemory();
    writer_open(&w, longer, size);
    tsr_value_write_(&w, v, flags);
    PyObject *const r = PyUnicode_FromString(longer);
    PyMem_Free(longer);
    return r;
}

PyObject *value_to_python(value *v, memory *kept, PyObject *from)
{
    PyObject *r = NULL;
    if (!tsr_value_ok_(v)) {
        tsr_tuple const reason = tsr_value_reason_(v);
        refuse(&reason, NULL);
    } else if (v->kind == VALUE_TUPLE || v->kind == VALUE_NUMBERS) {
        r = tuple_to_python(&v->as.tuple);
    } else if (v->kind == VALUE_ANSWER) {
        r = PyUnicode_FromString(v->text);
    } else {
        object *const o = new_object(v->kind == VALUE_LAYOUT   ? layout_type
                                     : v->kind == VALUE_TENSOR ? tensor_type
                                                               : value_type,
                                     v);
        if (o) {
            Py_XINCREF(from);
            o->owner = from;
            o->kept = *kept;
            kept->last = NULL;
        }
        r = (PyObject *)o;
    }
    tsr_memory_free_(kept);
    return r;
}

PyObject *refuse_why(tsr_reason why)
{
    tsr_tuple const t = tsr_reason_tuple(why);
    return refuse(&t, NULL);
}

/** The integers of a tuple become all static, or all dynamic. */
static void set_kind(tsr_tuple *t, tsr_kind kind)
{
    for (int i = 0; i < t->leaves; ++i)
        if (tsr_leaf_is_number(t->leaf[i]))
            t->leaf[i].kind = (uint8_t)kind;
}

void make_known(tsr_tuple *t) { set_kind(t, TSR_STATIC); }

/** The tuples of a value whose integers are known or not: at most this many. */
enum { TUPLES = 3 };

static int tuples_of(value const *v, tsr_tuple const *t[TUPLES])
{
    content const *const as = &v->as;
    switch (v->kind) {
    case VALUE_TUPLE:
    case VALUE_NUMBERS:
        t[0] = &as->tuple;
        return 1;
    case VALUE_LAYOUT:
        t[0] = &as->layout.shape;
        t[1] = &as->layout.stride;
        return 2;
    case VALUE_TENSOR:
        t[0] = &as->tensor.layout.shape;
        t[1] = &as->tensor.layout.stride;
        t[2] = &as->tensor.engine.at;
        return 3;
    case VALUE_PAIR:
        t[0] = &as->pair.layout.shape;
        t[1] = &as->pair.layout.stride;
        t[2] = &as->pair.offset;
        return 3;
    case VALUE_TILED_LAYOUT:
        t[0] = &as->tiled_layout.tv.shape;
        t[1] = &as->tiled_layout.tv.stride;
        t[2] = &as->tiled_layout.tiler;
        return 3;
    case VALUE_TILER:
        t[0] = &as->tiler.by.shape;
        t[1] = &as->tiler.by.stride;
        return 2;
    default:
        return 0;
    }
}

static tsr_leaf const *offset_of(value const *v)
{
    tsr_layout const *const l = v->kind == VALUE_LAYOUT   ? &v->as.layout
                                : v->kind == VALUE_TENSOR ? &v->as.tensor.layout
                                : v->kind == VALUE_PAIR   ? &v->as.pair.layout
                                                          : NULL;
    return l && l->composed ? &l->offset : NULL;
}

void value_make_known(value *v)
{
    tsr_tuple const *t[TUPLES];
    tsr_leaf *const offset = (tsr_leaf *)offset_of(v);
    for (int i = tuples_of(v, t); i > 0; --i)
        make_known((tsr_tuple *)t[i - 1]); /* of v, which may be changed */
    if (offset && tsr_leaf_is_number(*offset))
        offset->kind = TSR_STATIC;
}

bool value_is_dynamic(value const *v)
{
    tsr_tuple const *t[TUPLES];
    bool dynamic = false;
    tsr_leaf const *const offset = offset_of(v);
    for (int i = tuples_of(v, t); i > 0 && !dynamic; --i)
        for (int k = 0; k < t[i - 1]->leaves && !dynamic; ++k)
            dynamic = t[i - 1]->leaf[k].kind == TSR_DYNAMIC;
    return dynamic || (offset && offset->kind == TSR_DYNAMIC);
}

/** A tuple or a layout with all of its numbers of one kind; in parts a layout is (shape, stride). */
static PyObject *give_as(PyObject *x, tsr_kind kind, bool parts)
{
    value v;
    memory kept = {NULL, false};
    PyObject *from = NULL;
    if (!value_from_python(x, &v, &kept, &from)) {
        tsr_memory_free_(&kept);
        return NULL;
    }
    tsr_layout *const l = &v.as.layout;
    if (v.kind == VALUE_LAYOUT) {
        set_kind(&l->shape, kind);
        set_kind(&l->stride, kind);
        if (parts && !l->shape.status) {
            tsr_memory_free_(&kept);
            return Py_BuildValue("(NN)", tuple_to_python(&l->shape), tuple_to_python(&l->stride));
        }
    } else if (v.kind == VALUE_TUPLE) {
        set_kind(&v.as.tuple, kind);
    }
    return value_to_python(&v, &kept, from);
}

static PyObject *give_known(PyObject *module, PyObject *x) { return (void)module, give_as(x, TSR_STATIC, false); }

static PyObject *give_dynamic(PyObject *module, PyObject *x) { return (void)module, give_as(x, TSR_DYNAMIC, false); }

static PyObject *plain_to_python(PyObject *module, PyObject *x) { return (void)module, give_as(x, TSR_STATIC, true); }

PyMethodDef give_functions[] = {{"_known", give_known, METH_O, NULL},
                                {"_dynamic", give_dynamic, METH_O, NULL},
                                {"_plain", plain_to_python, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};

bool says_no_memory(char const *words)
{
    static char const said[] = "out of memory";
    return strncmp(words, said, sizeof said - 1) == 0;
}

/** "COMPOSE_STRIDE" */
static char const *status_name(int status)
{
    static char const *const names[TSR_STATUS_COUNT] = {
#define TSR_ROW_(id, text) #id,
#include "tessera/base/status_list.h"
    };
    return names[status];
}

static bool set(PyObject *o, char const *name, PyObject *x)
{
    bool const ok = x && PyObject_SetAttrString(o, name, x) == 0;
    Py_XDECREF(x);
    return ok;
}

PyObject *integers_to_python(int64_t const *number, int n)
{
    PyObject *const r = PyTuple_New(n);
    bool ok = r != NULL;
    for (int i = 0; ok && i < n; ++i) {
        PyObject *const x = PyLong_FromLongLong(number[i]);
        ok = x && PyTuple_SetItem(r, i, x) == 0;
    }
    if (!ok)
        Py_XDECREF(r);
    return ok ? r : NULL;
}

PyObject *refuse(tsr_tuple const *why, char const *text)
{
    char sentence[TSR_TEXT_SIZE];
    writer w;
    tsr_reason const r = why ? tsr_tuple_why(*why) : tsr_because(TSR_OK, 0, 0, 0, 0);
    writer_open(&w, sentence, sizeof sentence);
    if (!text)
        tsr_write_reason_(&w, why);
    PyObject *const e = PyObject_CallFunction(refused_type, "s", text ? text : sentence);
    bool const ok = e && set(e, "status", Py_BuildValue("s", why ? status_name(r.status) : NULL))
                    && set(e, "mode", PyLong_FromLong(r.mode))
                    && set(e, "numbers", integers_to_python(r.number, TSR_NOTES));
    if (ok)
        PyErr_SetObject(refused_type, e);
    Py_XDECREF(e);
    return NULL;
}
