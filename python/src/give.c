/** Values of the calculator as Python objects, and refusals as exceptions. */
#include "module.h"

#include <string.h>

enum { SMALL = 257 };
static PyObject *small_statics[SMALL];

static PyObject *give_static(int64_t n)
{
    bool const small = n >= 0 && n < SMALL;
    if (small && small_statics[n]) {
        Py_INCREF(small_statics[n]);
        return small_statics[n];
    }
    PyObject *const r = PyObject_CallFunction((PyObject *)static_type, "L", (long long)n);
    if (small && r) {
        Py_INCREF(r);
        small_statics[n] = r;
    }
    return r;
}

static object *new_object(PyTypeObject *type, value const *v)
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

static PyObject *give_leaf(tsr_leaf leaf)
{
    if (leaf.kind == TSR_UNIT)
        return PyTuple_New(0);
    if (tsr_leaf_is_int(leaf))
        return leaf.kind == TSR_STATIC ? give_static(leaf.value) : PyLong_FromLongLong(leaf.value);
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

static PyObject *give_mode(walk *w)
{
    if (w->open == 0) {
        tsr_leaf const leaf = w->t->leaf[w->at++];
        w->close = leaf.close;
        w->open = w->at < w->t->leaves ? w->t->leaf[w->at].open : 0;
        return give_leaf(leaf);
    }
    PyObject *const list = PyList_New(0);
    PyObject *tuple = NULL;
    bool ok = list != NULL;
    --w->open;
    do {
        PyObject *const mode = ok ? give_mode(w) : NULL;
        ok = mode && PyList_Append(list, mode) == 0;
        Py_XDECREF(mode);
    } while (ok && w->close == 0);
    --w->close;
    if (ok)
        tuple = PyList_AsTuple(list);
    Py_XDECREF(list);
    return tuple;
}

PyObject *give_tuple(tsr_tuple const *t)
{
    walk w = {t, 0, t->leaf[0].open, 0};
    return t->status ? refuse(t, NULL) : give_mode(&w);
}

PyObject *give_number(tsr_number x)
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
    value_write(&w, v, flags);
    if (w.used < sizeof text)
        return PyUnicode_FromStringAndSize(text, (Py_ssize_t)w.used);
    size_t const size = w.used + 1;
    char *const longer = (char *)PyMem_Malloc(size);
    if (!longer)
        return PyErr_NoMemory();
    writer_open(&w, longer, size);
    value_write(&w, v, flags);
    PyObject *const r = PyUnicode_FromString(longer);
    PyMem_Free(longer);
    return r;
}

PyObject *give(value *v, memory *kept, PyObject *from)
{
    PyObject *r = NULL;
    if (!value_ok(v)) {
        tsr_tuple const reason = value_reason(v);
        refuse(&reason, NULL);
    } else if (v->kind == VALUE_TUPLE || v->kind == VALUE_NUMBERS) {
        r = give_tuple(&v->as.tuple);
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
    memory_free(kept);
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

/** _static(x), _plain(x): a tuple or a layout with all of its numbers static, or none; the plain one of a layout is
 *  (shape, stride). */
static PyObject *give_as(PyObject *x, tsr_kind kind)
{
    value v;
    memory kept = {NULL, false};
    PyObject *from = NULL;
    if (!take(x, &v, &kept, &from)) {
        memory_free(&kept);
        return NULL;
    }
    tsr_layout *const l = &v.as.layout;
    if (v.kind == VALUE_LAYOUT) {
        set_kind(&l->shape, kind);
        set_kind(&l->stride, kind);
        if (kind == TSR_DYNAMIC && !l->shape.status) {
            memory_free(&kept);
            return Py_BuildValue("(NN)", give_tuple(&l->shape), give_tuple(&l->stride));
        }
    } else if (v.kind == VALUE_TUPLE) {
        set_kind(&v.as.tuple, kind);
    }
    return give(&v, &kept, from);
}

static PyObject *give_all_static(PyObject *module, PyObject *x) { return (void)module, give_as(x, TSR_STATIC); }

static PyObject *give_plain(PyObject *module, PyObject *x) { return (void)module, give_as(x, TSR_DYNAMIC); }

PyMethodDef give_functions[] = {
    {"_static", give_all_static, METH_O, NULL}, {"_plain", give_plain, METH_O, NULL}, {NULL, NULL, 0, NULL}};

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

PyObject *give_integers(int64_t const *number, int n)
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
        write_reason(&w, why);
    PyObject *const e = PyObject_CallFunction(refused_type, "s", text ? text : sentence);
    bool const ok = e && set(e, "status", Py_BuildValue("s", why ? status_name(r.status) : NULL))
                    && set(e, "mode", PyLong_FromLong(r.mode)) && set(e, "numbers", give_integers(r.number, TSR_NOTES));
    if (ok)
        PyErr_SetObject(refused_type, e);
    Py_XDECREF(e);
    return NULL;
}
