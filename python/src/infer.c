/** Fragments of tile programs (tessera.infer). */
#include "module.h"

#include "tessera/infer.h"

/** The text of a linear map; NULL: an exception is set. */
static PyObject *map_text(tsr_linear f)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_linear(text, sizeof text, f);
    return PyUnicode_FromString(text);
}

/** Pairs (name, fragment). */
static PyObject *fragments_of(tsr_inference const *p)
{
    int const n = tsr_inference_values(p);
    PyObject *const list = PyList_New(n);
    for (int v = 0; list && v < n; ++v) {
        PyObject *const item = Py_BuildValue("sN", tsr_inference_name(p, v), map_text(tsr_inference_fragment(p, v)));
        if (!item)
            return Py_DECREF(list), NULL;
        PyList_SetItem(list, v, item);
    }
    return list;
}

/** Tuples (value, user, fragment, elements of the thread itself, by shuffles, through shared memory). */
static PyObject *moves_of(tsr_inference const *p)
{
    int const n = tsr_inference_moves(p);
    PyObject *const list = PyList_New(n);
    for (int i = 0; list && i < n; ++i) {
        tsr_inferred_move const m = tsr_inference_move(p, i);
        PyObject *const item =
            Py_BuildValue("ssNLLL", tsr_inference_name(p, m.value), tsr_inference_name(p, m.user), map_text(m.to),
                          (long long)m.count.own, (long long)m.count.shuffled, (long long)m.count.shared);
        if (!item)
            return Py_DECREF(list), NULL;
        PyList_SetItem(list, i, item);
    }
    return list;
}

/** _infer(program): the fragments, the moves, the cost, and whether none costs less. */
static PyObject *infer(PyObject *module, PyObject *args)
{
    char const *program = NULL;
    tsr_message error;
    (void)module;
    if (!PyArg_ParseTuple(args, "s", &program))
        return NULL;
    tsr_inference *const p = tsr_infer(program, &error);
    if (!p)
        return refuse_message(&error);
    PyObject *const fragments = fragments_of(p), *const moves = fragments ? moves_of(p) : NULL;
    PyObject *const r = moves ? Py_BuildValue("OOLO", fragments, moves, (long long)tsr_inference_cost(p),
                                              tsr_inference_is_least(p) ? Py_True : Py_False)
                              : NULL;
    Py_XDECREF(fragments);
    Py_XDECREF(moves);
    tsr_inference_free(p);
    return r;
}

PyMethodDef infer_functions[] = {{"_infer", infer, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
