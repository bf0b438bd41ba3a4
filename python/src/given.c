/** Layouts over sizes with names: an expression is read again for each question, which takes microseconds. */
#include "module.h"

#include "tessera/symbolic.h"

/** NULL: an exception is set. */
static tsr_symbolic *read_given(char const *expression, char const *guards)
{
    tsr_message error;
    tsr_symbolic *const e = tsr_symbolic_read(expression, guards, &error);
    if (!e)
        (void)refuse_message(&error);
    return e;
}

/** The whole text of a result or of its guards; NULL: an exception is set. */
static PyObject *whole_text(size_t (*format)(char *out, size_t size, tsr_symbolic const *e), tsr_symbolic const *e)
{
    size_t const n = format(NULL, 0, e) + 1;
    char *const text = (char *)PyMem_Malloc(n);
    if (!text)
        return PyErr_NoMemory();
    format(text, n, e);
    PyObject *const r = PyUnicode_FromString(text);
    PyMem_Free(text);
    return r;
}

/** The names; NULL: an exception is set. */
static PyObject *names_of(tsr_symbolic const *e)
{
    int const n = tsr_symbolic_count(e);
    PyObject *const names = PyTuple_New(n);
    for (int i = 0; names && i < n; ++i)
        PyTuple_SetItem(names, i, PyUnicode_FromString(tsr_symbolic_name(e, i)));
    return names;
}

/** _given(expression, guards): the result, its guards and its names. */
static PyObject *given(PyObject *module, PyObject *args)
{
    char const *expression = NULL, *guards = NULL;
    (void)module;
    tsr_symbolic *const e =
        PyArg_ParseTuple(args, "ss", &expression, &guards) ? read_given(expression, guards) : NULL;
    if (!e)
        return NULL;
    PyObject *const text = whole_text(tsr_symbolic_format, e);
    PyObject *const conditions = text ? whole_text(tsr_symbolic_format_guards, e) : NULL;
    PyObject *const names = conditions ? names_of(e) : NULL;
    tsr_symbolic_free(e);
    if (names)
        return Py_BuildValue("NNN", text, conditions, names);
    Py_XDECREF(text);
    Py_XDECREF(conditions);
    return NULL;
}

/** The numbers of a tuple, as many as there are names. False: an exception is set. */
static bool numbers_from_python(PyObject *numbers, int n, int64_t *number)
{
    if (PyTuple_Size(numbers) != n)
        return PyErr_SetString(PyExc_TypeError, "a number for each name is needed"), false;
    for (int i = 0; i < n; ++i) {
        number[i] = PyLong_AsLongLong(PyTuple_GetItem(numbers, i));
        if (number[i] == -1 && PyErr_Occurred())
            return false;
    }
    return true;
}

/** _given_at(expression, guards, numbers): the text of a layout, or a number. */
static PyObject *given_at(PyObject *module, PyObject *args)
{
    char text[TSR_TEXT_SIZE];
    char const *expression = NULL, *guards = NULL;
    int64_t number[TSR_SYMBOLS], total = 0;
    PyObject *numbers = NULL, *r = NULL;
    tsr_message error;
    tsr_layout l;
    (void)module;
    if (!PyArg_ParseTuple(args, "ssO!", &expression, &guards, &PyTuple_Type, &numbers))
        return NULL;
    tsr_symbolic *const e = read_given(expression, guards);
    if (!e)
        return NULL;
    if (numbers_from_python(numbers, tsr_symbolic_count(e), number)) {
        bool const layout = tsr_symbolic_is_layout(e);
        bool const ok = layout ? tsr_symbolic_layout_at(e, number, &l, &error)
                               : tsr_symbolic_number_at(e, number, &total, &error);
        if (ok && layout)
            tsr_format_layout(text, sizeof text, l, 0);
        r = !ok ? refuse_message(&error) : layout ? PyUnicode_FromString(text) : PyLong_FromLongLong(total);
    }
    tsr_symbolic_free(e);
    return r;
}

/** _given_code(expression, guards, language): the code of a layout. */
static PyObject *given_code(PyObject *module, PyObject *args)
{
    static char text[1 << 16];
    char const *expression = NULL, *guards = NULL, *language = NULL;
    tsr_message error;
    (void)module;
    tsr_symbolic *const e =
        PyArg_ParseTuple(args, "sss", &expression, &guards, &language) ? read_given(expression, guards) : NULL;
    if (!e)
        return NULL;
    tsr_code const in = tsr_code_named(language);
    bool const ok = tsr_symbolic_emit(text, sizeof text, in, e, &error);
    tsr_symbolic_free(e);
    return ok ? PyUnicode_FromString(text) : refuse_message(&error);
}

PyMethodDef given_functions[] = {{"_given", given, METH_VARARGS, NULL},
                                 {"_given_at", given_at, METH_VARARGS, NULL},
                                 {"_given_code", given_code, METH_VARARGS, NULL},
                                 {NULL, NULL, 0, NULL}};
