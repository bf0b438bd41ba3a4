/** Pictures of values and of expressions, as text: SVG, HTML, characters. */
#include "module.h"

#include <string.h>

#include "tessera/picture.h"

/** The parts of a drawing, joined. */
static bool collect(void *context, char const *bytes, size_t n)
{
    PyObject *const part = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)n);
    bool const ok = part && PyList_Append((PyObject *)context, part) == 0;
    Py_XDECREF(part);
    return ok;
}

static PyObject *draw(tsr_evaluation const *e, tsr_picture_options const *options, tsr_drawing how)
{
    tsr_picture p = tsr_make_picture(e, options);
    PyObject *const parts = PyList_New(0), *const nothing = PyBytes_FromString("");
    PyObject *r = NULL;
    if (!tsr_picture_ok(&p) && says_no_memory(p.refused))
        PyErr_NoMemory();
    else if (!tsr_picture_ok(&p))
        refuse(NULL, p.refused);
    else if (parts && nothing && (tsr_draw_picture(&p, how, collect, parts) || PyErr_Occurred() || PyErr_NoMemory()))
        r = PyErr_Occurred() ? NULL : PyObject_CallMethod(nothing, "join", "O", parts);
    tsr_picture_free(&p);
    Py_XDECREF(parts);
    Py_XDECREF(nothing);
    return r;
}

/** _draw(x, format, label, dtype, thread, panel, alone): of a value, or of the text of an expression. */
static PyObject *draw_value(PyObject *module, PyObject *args)
{
    static char const *const labels[] = {"own", "coord", "index", "offset", "bank"};
    PyObject *x = NULL, *type = NULL, *r = NULL;
    char const *format = NULL, *label = NULL;
    long long thread = -1;
    int alone = 0;
    tsr_picture_options options = tsr_plain_picture();
    tsr_drawing how;
    (void)module;
    if (!PyArg_ParseTuple(args, "OssOLzp", &x, &format, &label, &type, &thread, &options.panel, &alone)
        || (type != Py_None && !type_from_python(type, &options.type)))
        return NULL;
    memset(&how, 0, sizeof how);
    how.format = tsr_format_named(format);
    if (how.format == TSR_FORMATS)
        return PyErr_Format(PyExc_ValueError, "there is no format %s of pictures", format);
    options.flags = NOTATION;
    options.label = TSR_LABEL_OWN;
    for (int i = 0; i < (int)(sizeof labels / sizeof labels[0]); ++i)
        if (strcmp(labels[i], label) == 0)
            options.label = (tsr_label)i;
    options.thread = thread;
    options.alone = alone != 0;
    PyObject *const text = PyUnicode_Check(x) ? PyUnicode_AsUTF8String(x) : NULL;
    tsr_evaluation *const e = text ? tsr_evaluate(PyBytes_AsString(text), NOTATION, NULL, NULL)
                                   : (tsr_evaluation *)PyMem_Calloc(1, sizeof *e);
    if (!e) {
        PyErr_NoMemory();
    } else if (text) {
        r = draw(e, &options, how);
    } else if (PyObject_TypeCheck(x, value_type)) {
        e->ok = true;
        e->result = ((object *)x)->v;
        r = draw(e, &options, how);
    } else if (!PyErr_Occurred()) {
        PyErr_Format(PyExc_TypeError, "%R has no picture", x);
    }
    if (text)
        tsr_evaluation_free(e);
    else
        PyMem_Free(e);
    Py_XDECREF(text);
    return r;
}

PyMethodDef picture_functions[] = {{"_draw", draw_value, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
