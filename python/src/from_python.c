/** Python objects as values of the calculator. */
#include "module.h"

#include <string.h>

#include "calc/parser.h"

PyObject *item_named(PyObject *dict, char const *name)
{
    PyObject *const key = PyUnicode_FromString(name);
    PyObject *const item = key ? PyDict_GetItemWithError(dict, key) : NULL;
    Py_XDECREF(key);
    return item;
}

/** An integer as a leaf. */
static bool leaf_from_python(PyObject *x, tsr_leaf *leaf)
{
    int over = 0;
    long long const n = PyLong_AsLongLongAndOverflow(x, &over);
    if (over)
        PyErr_Format(PyExc_OverflowError, "%R is outside the range of 64-bit integers", x);
    *leaf = PyObject_TypeCheck(x, dynamic_type) ? tsr_leaf_dynamic(n) : tsr_leaf_static(n);
    return !over && (n != -1 || !PyErr_Occurred());
}

static bool integer_from_python(PyObject *x, value *v)
{
    tsr_leaf leaf;
    bool const ok = leaf_from_python(x, &leaf);
    v->as.tuple = tsr_from_leaf(leaf);
    return ok;
}

static void wrong_text(tsr_message const *error)
{
    tsr_tuple const why = tsr_syntax_reason_(error->at, error->text);
    char text[TSR_TEXT_SIZE + 64];
    snprintf(text, sizeof text, "%s (at character %zu)", error->text, error->at);
    if (says_no_memory(error->text))
        PyErr_NoMemory();
    else
        refuse(&why, text);
}

bool value_from_text(char const *text, value *v, memory *kept)
{
    tsr_evaluation *const e = tsr_evaluate(text, NOTATION, NULL, NULL);
    bool const ok = e && e->ok;
    if (!e)
        PyErr_NoMemory();
    else if (!e->ok)
        wrong_text(&e->error);
    if (ok) {
        *v = e->result;
        if (!strchr(text, '?')) /* of known numbers nothing unknown comes */
            value_make_known(v);
        tsr_memory_join_(kept, &e->kept);
    }
    tsr_evaluation_free(e);
    return ok;
}

bool value_from_word(char const *label, char const *text, value *v, memory *kept)
{
    tsr_message error;
    scan s = tsr_scan_open_(text, strlen(text), &error);
    memset(v, 0, sizeof *v);
    if (!tsr_token_word_(&s, v) || s.p < s.end) {
        if (!value_from_text(text, v, kept))
            return false;
    } else if (s.failed) {
        wrong_text(&error);
        return false;
    }
    snprintf(v->label, sizeof v->label, "%s", label);
    return true;
}

/** Is it `:`? */
static bool is_all(PyObject *x)
{
    if (Py_TYPE(x) != &PySlice_Type)
        return false;
    PyObject *const all = PySlice_New(NULL, NULL, NULL);
    int const r = all ? PyObject_RichCompareBool(x, all, Py_EQ) : -1;
    Py_XDECREF(all);
    return r == 1;
}

static bool take_at(PyObject *x, value *v, memory *kept, PyObject **from, int depth);

/** The elements of a tuple or a list, one behind the other, as a tuple. False: an exception is set, or *tiles has
 *  become true, since a layout is among them. */
static bool tuple_from_python(PyObject *x, value *v, memory *kept, PyObject **from, int depth, bool *tiles)
{
    bool const tuple = PyTuple_Check(x);
    tsr_tuple t = TSR_ZERO;
    for (Py_ssize_t i = 0; !t.status && i < (tuple ? PyTuple_Size(x) : PyList_Size(x)); ++i) {
        PyObject *const item = tuple ? PyTuple_GetItem(x, i) : PyList_GetItem(x, i);
        tsr_leaf leaf;
        if (PyLong_Check(item)) {
            if (!leaf_from_python(item, &leaf))
                return false;
            tsr_tuple_push_leaf(&t, leaf);
            continue;
        }
        Py_INCREF(item); /* taking it may change the list */
        bool const ok = take_at(item, v, kept, from, depth + 1);
        Py_DECREF(item);
        *tiles = ok && (v->kind == VALUE_LAYOUT || v->kind == VALUE_TILER);
        if (ok && !*tiles && v->kind != VALUE_TUPLE)
            PyErr_SetString(PyExc_TypeError, "a tuple holds integers, `_`, layouts and tuples of these");
        if (!ok || v->kind != VALUE_TUPLE)
            return false;
        tsr_tuple_push(&t, &v->as.tuple);
    }
    v->kind = VALUE_TUPLE;
    v->as.tuple = t.status || t.leaves > 0 ? tsr_tuple_close(t) : tsr_unit();
    return true;
}

/** The same as a tiler. */
static bool tiler_from_python(PyObject *x, value *v, memory *kept, PyObject **from, int depth)
{
    bool const tuple = PyTuple_Check(x);
    tsr_tiler tiler = TSR_ZERO;
    for (Py_ssize_t i = 0; i < (tuple ? PyTuple_Size(x) : PyList_Size(x)); ++i) {
        PyObject *const item = tuple ? PyTuple_GetItem(x, i) : PyList_GetItem(x, i);
        Py_INCREF(item);
        bool const ok = take_at(item, v, kept, from, depth + 1);
        Py_DECREF(item);
        if (ok && v->kind != VALUE_TUPLE && v->kind != VALUE_LAYOUT && v->kind != VALUE_TILER)
            PyErr_SetString(PyExc_TypeError, "a tiler holds layouts, integers, `_` and tilers");
        if (!ok || PyErr_Occurred())
            return false;
        tsr_tiler const mode = tsr_value_tiler_(v);
        tsr_tiler_push(&tiler, &mode);
    }
    v->kind = VALUE_TILER;
    v->as.tiler = tsr_tiler_close(tiler);
    return true;
}

static bool take_list(PyObject *x, value *v, memory *kept, PyObject **from, int depth)
{
    bool tiles = false;
    if (depth >= TSR_TEXT_DEPTH) {
        PyErr_Format(PyExc_ValueError, "tuples nest more than %d levels deep", TSR_TEXT_DEPTH);
        return false;
    }
    return tuple_from_python(x, v, kept, from, depth, &tiles)
           || (tiles && tiler_from_python(x, v, kept, from, depth));
}

static bool take_string(PyObject *x, value *v, memory *kept)
{
    PyObject *const bytes = PyUnicode_AsUTF8String(x);
    bool ok = bytes && value_from_text(PyBytes_AsString(bytes), v, kept);
    Py_XDECREF(bytes);
    if (ok && v->names && v->kind != VALUE_LAYOUT) { /* places would stand for names */
        PyErr_SetString(PyExc_ValueError, "names of modes stand in one text with the layout: "
                                          "\"logical_divide((m=4,n=8):(8,1), (n=2))\"");
        ok = false;
    }
    v->names = NULL; /* they end with the memory of the evaluation */
    return ok;
}

static bool take_index(PyObject *x, value *v)
{
    bool const array = PyObject_HasAttrString(x, "__array_interface__"); /* its __index__ is for one element */
    PyObject *const n = PyNumber_Index(x);
    bool const ok = n && integer_from_python(n, v);
    if (!n && array && PyErr_ExceptionMatches(PyExc_TypeError))
        PyErr_Format(PyExc_TypeError,
                     "%R is not a layout: tensor(x) makes a tensor of an array, "
                     "tensor(x).layout is its layout",
                     (PyObject *)Py_TYPE(x));
    Py_XDECREF(n);
    return ok;
}

static bool take_at(PyObject *x, value *v, memory *kept, PyObject **from, int depth)
{
    if (PyObject_TypeCheck(x, value_type)) {
        object const *const o = (object *)x;
        *v = o->v;
        v->label[0] = 0;
        if (!*from)
            *from = o->owner;
        return true;
    }
    memset(v, 0, offsetof(value, as));
    v->kind = VALUE_TUPLE;
    if (PyLong_Check(x))
        return integer_from_python(x, v);
    if (PyTuple_Check(x) || PyList_Check(x))
        return take_list(x, v, kept, from, depth);
    if (PyUnicode_Check(x))
        return take_string(x, v, kept);
    if (PyIndex_Check(x))
        return take_index(x, v);
    v->as.tuple = tsr_wild();
    if (x == Py_None || is_all(x))
        return true;
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError,
                     "%R is not a value: a layout, a tensor or the like, an integer, None or `:` for `_`, a tuple "
                     "or list of these, or the text of one",
                     (PyObject *)Py_TYPE(x));
    return false;
}

bool value_from_python(PyObject *x, value *v, memory *kept, PyObject **from) { return take_at(x, v, kept, from, 0); }
