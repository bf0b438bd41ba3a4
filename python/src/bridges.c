/** Layouts of other systems, code, and what explains samples (tessera.convert, emit, fit). */
#include "module.h"

#include <string.h>

#include "tessera/convert.h"
#include "tessera/samples.h"

enum { ROOM = 1 << 16 };

/** The value of a text over a shape, "" for none. False: raised. */
static bool take_converted(char const *text, char const *shape, int64_t bytes, tsr_converted *v)
{
    tsr_message error = {0, ""};
    tsr_tuple const over = shape[0] ? tsr_parse_tuple(shape, TSR_TEXT_STATIC, &error) : tsr_unit();
    bool const ok = !error.text[0] && tsr_converted_of(text, NOTATION, over, bytes, v, &error);
    if (!ok)
        refuse_message(&error);
    return ok;
}

/** _convert(text, shape, to, type): in the words of a system, or as an expression for "". */
static PyObject *convert(PyObject *module, PyObject *args)
{
    char const *text = NULL, *shape = NULL, *to = NULL;
    PyObject *type = NULL;
    tsr_dtype of = 0;
    tsr_converted v = {false, tsr_make_layout(1), tsr_bad_linear(tsr_no_reason())};
    tsr_message error = {0, ""};
    (void)module;
    if (!PyArg_ParseTuple(args, "sssO", &text, &shape, &to, &type) || !type_from_python(type, &of))
        return NULL;
    int64_t const bytes = tsr_dtype_bits(of) % 8 == 0 ? tsr_dtype_bits(of) / 8 : 0;
    tsr_system const system = tsr_system_named(to);
    if (to[0] && system == TSR_SYSTEMS)
        return PyErr_Format(
            PyExc_ValueError,
            "there is no system %s: triton, ttg, gluon, cute, cutedsl, ck, numpy, ggml, onednn, mdspan, isl, "
            "tilelang, mpi or ttg_named",
            to);
    if (!take_converted(text, shape, bytes, &v))
        return NULL;
    char *const out = (char *)PyMem_Malloc(ROOM);
    if (!out)
        return PyErr_NoMemory();
    bool const ok = !to[0] || tsr_convert_write(out, ROOM, system, &v, bytes, &error);
    if (!to[0] && v.is_map)
        tsr_format_linear(out, ROOM, v.map);
    else if (!to[0])
        tsr_format_layout(out, ROOM, v.layout, NOTATION);
    PyObject *const r = ok ? PyUnicode_FromString(out) : refuse_message(&error);
    PyMem_Free(out);
    return r;
}

/** _emit(language, text, other, type): the index function, or where `other` is not "" a copy. */
static PyObject *emit(PyObject *module, PyObject *args)
{
    char const *language = NULL, *text = NULL, *other = NULL;
    PyObject *type = NULL;
    tsr_converted v = {false, tsr_make_layout(1), tsr_bad_linear(tsr_no_reason())}, to = v;
    tsr_dtype of = 0;
    tsr_message error = {0, ""};
    (void)module;
    if (!PyArg_ParseTuple(args, "sssO", &language, &text, &other, &type) || !type_from_python(type, &of))
        return NULL;
    if (tsr_code_named(language) == TSR_CODES)
        return PyErr_Format(PyExc_ValueError, "there is no language %s: c, cuda, hip, python, triton or cute",
                            language);
    if (!take_converted(text, "", 4, &v) || (other[0] && !take_converted(other, "", 4, &to)))
        return NULL;
    char *const out = (char *)PyMem_Malloc(ROOM);
    if (!out)
        return PyErr_NoMemory();
    bool const ok = other[0] ? tsr_emit_copy(out, ROOM, tsr_code_named(language), &v, &to, of, &error)
                             : tsr_emit(out, ROOM, tsr_code_named(language), &v, &error);
    PyObject *const r = ok ? PyUnicode_FromString(out) : refuse_message(&error);
    PyMem_Free(out);
    return r;
}

/** The integers of a list, None where there is no sample. False: raised. */
static bool take_values(PyObject *list, tsr_samples *s)
{
    Py_ssize_t const n = PyList_Size(list);
    for (Py_ssize_t i = 0; i < n && i < TSR_LAW_BUDGET; ++i) {
        PyObject *const x = PyList_GetItem(list, i);
        Py_XINCREF(x); /* reading it may change the list */
        s->value[i] = x == Py_None ? TSR_BAD_OFFSET : x ? PyLong_AsLongLong(x) : 0;
        Py_XDECREF(x);
        if (PyErr_Occurred())
            return false;
        if (x != Py_None && s->value[i] == TSR_BAD_OFFSET)
            return PyErr_Format(PyExc_OverflowError, "sample %zd is -2^63, which is no offset", i) != NULL;
    }
    s->count = n;
    if (n == 0)
        PyErr_SetString(PyExc_ValueError, "there are no samples");
    if (n > TSR_LAW_BUDGET)
        PyErr_Format(PyExc_ValueError, "%zd samples, at most %d are taken", n, TSR_LAW_BUDGET);
    return !PyErr_Occurred();
}

/** Samples from a list over a shape, or from a formula over ranges. False: raised. */
static bool take_samples(PyObject *of, char const *over, tsr_samples *s)
{
    tsr_message error = {0, ""};
    if (PyList_Check(of)) {
        s->shape = tsr_parse_tuple(over, TSR_TEXT_STATIC, &error);
        return error.text[0] ? refuse_message(&error) != NULL : take_values(of, s);
    }
    PyObject *const text = PyUnicode_AsUTF8String(of);
    bool const ok = text && tsr_samples_formula(s, PyBytes_AsString(text), over, &error);
    Py_XDECREF(text);
    if (text && !ok)
        refuse_message(&error);
    return ok;
}

/** _explain(samples, over): (form, None or the text) of each form that was tried, and what breaks it or "". */
static PyObject *explain(PyObject *module, PyObject *args)
{
    PyObject *of = NULL, *r = NULL;
    char const *over = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "Os", &of, &over))
        return NULL;
    int64_t *const memory = (int64_t *)PyMem_Malloc(3 * (size_t)TSR_LAW_BUDGET * sizeof *memory);
    tsr_found *const found = (tsr_found *)PyMem_Calloc(TSR_FORMS, sizeof *found);
    if (!memory || !found) {
        PyErr_NoMemory();
    } else {
        tsr_samples s = tsr_make_samples(memory, TSR_LAW_BUDGET, memory + TSR_LAW_BUDGET, 2 * TSR_LAW_BUDGET);
        if (take_samples(of, over, &s)) {
            s.shape = tsr_static_tuple(s.shape);
            tsr_form const best = tsr_samples_explain(&s, NOTATION, found);
            r = PyList_New(0);
            for (int i = 0; r && i < TSR_FORMS; ++i) {
                PyObject *const item = Py_BuildValue("sOs", tsr_form_name((tsr_form)i),
                                                     i == (int)best ? Py_True : Py_False, found[i].text);
                bool const ok = item && (!found[i].tried || PyList_Append(r, item) == 0);
                Py_XDECREF(item);
                if (!ok)
                    Py_CLEAR(r);
            }
        }
    }
    PyMem_Free(memory);
    PyMem_Free(found);
    return r;
}

PyMethodDef bridge_functions[] = {{"_convert", convert, METH_VARARGS, NULL},
                                  {"_emit", emit, METH_VARARGS, NULL},
                                  {"_explain", explain, METH_VARARGS, NULL},
                                  {NULL, NULL, 0, NULL}};
