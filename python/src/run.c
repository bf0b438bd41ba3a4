/** The functions that move and compute: by the engines of the library, without the lock of the interpreter. The
 *  tensors stay alive, since the caller holds them. */
#include "cuda.h"

#include <string.h>

#include "io/file.h"

static PyObject *none_or_refuse(tsr_reason why) { return why.status ? refuse_why(why) : Py_BuildValue(""); }

/** _copy(s, d) */
static PyObject *copy(PyObject *module, PyObject *args)
{
    PyObject *s = NULL, *d = NULL;
    tsr_tensor from, to;
    tsr_reason why;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &s, &d))
        return NULL;
    int const launched = cuda_copy(s, d, Py_None, Py_None, (tsr_dtype)0);
    if (launched)
        return launched > 0 ? Py_BuildValue("") : NULL;
    if (!tensor_from_python(s, false, &from) || !tensor_from_python(d, true, &to))
        return NULL;
    PyThreadState *const state = PyEval_SaveThread();
    why = tsr_copy(from, to);
    PyEval_RestoreThread(state);
    return none_or_refuse(why);
}

/** _product(text or None, a, b, c, alpha, beta, bias or None, relu, tune, unproven): gemm, or einsum of the text. On a
 *  GPU `tune` chooses between plans, and `unproven` allows kernels that no GPU has run; the CPU has one plan. */
static PyObject *product(PyObject *module, PyObject *args)
{
    PyObject *x[4] = {NULL};
    PyObject *number[2] = {NULL, NULL};
    char const *text = NULL;
    scalar n[2];
    int relu = 0, tune = 0, unproven = 0;
    tsr_tensor a, b, c, bias;
    tsr_reason why;
    (void)module;
    if (!PyArg_ParseTuple(args, "zOOOOOO|ppp", &text, &x[0], &x[1], &x[2], &number[0], &number[1], &x[3], &relu,
                          &tune, &unproven)
        || !cuda_real(number[0], &n[0]) || !cuda_real(number[1], &n[1]))
        return NULL;
    int const launched = cuda_multiply(text, x, n, relu != 0, tune != 0, unproven != 0);
    if (launched)
        return launched > 0 ? Py_BuildValue("") : NULL;
    if (!tensor_from_python(x[0], false, &a) || !tensor_from_python(x[1], false, &b)
        || !tensor_from_python(x[2], true, &c) || (x[3] != Py_None && !tensor_from_python(x[3], false, &bias)))
        return NULL;
    tsr_epilogue e = tsr_make_epilogue(n[0].value.re, n[1].value.re);
    e.bias = x[3] != Py_None ? &bias : NULL;
    e.activation = relu ? TSR_RELU : TSR_NO_ACTIVATION;
    PyThreadState *const state = PyEval_SaveThread();
    why = text ? tsr_einsum_with(text, a, b, c, &e) : tsr_gemm_with(a, b, c, &e);
    PyEval_RestoreThread(state);
    return none_or_refuse(why);
}

/* Files. The lock is given up while they are opened, read and written: a pipe may wait for another thread. */

/** A signal came: its handler runs, and may raise. */
static bool interrupted(void)
{
    PyGILState_STATE const state = PyGILState_Ensure();
    bool const raised = PyErr_CheckSignals() != 0;
    PyGILState_Release(state);
    return raised;
}

static PyThreadState *unlock(void)
{
    tsr_io_interrupted_ = interrupted;
    return PyEval_SaveThread();
}

/** Raises what a handler raised, or why a file failed. NULL. */
static PyObject *refuse_file(char const *path, tsr_message const *error)
{
    size_t const n = strlen(path);
    bool const named = strncmp(error->text, path, n) == 0 && strncmp(error->text + n, ": ", 2) == 0;
    if (!PyErr_Occurred())
        PyErr_SetString(says_no_memory(error->text + (named ? n + 2 : 0)) ? PyExc_MemoryError : PyExc_OSError,
                        error->text);
    return NULL;
}

static void close_file(void *handle)
{
    tsr_file_close((tsr_file *)handle);
    PyMem_Free(handle);
}

static void close_model(void *handle)
{
    tsr_model_close((tsr_model *)handle);
    PyMem_Free(handle);
}

/** Says why the array of a file is no tensor. */
static void tell_empty(char const *path, tsr_npy const *array, tsr_message *error)
{
    int at = 0;
    while (array->extent[at] != 0)
        ++at;
    snprintf(error->text, sizeof error->text,
             "%.400s: the array is empty: extent %d is 0, and the extents of a layout are positive", path, at);
}

/** _load_npy(path, dtype, field): the file's elements, mapped; the type of raw bytes, or None; the field of structures,
 *  or None. */
static PyObject *load_npy(PyObject *module, PyObject *args)
{
    PyObject *path = NULL, *dtype = NULL, *r = NULL;
    tsr_dtype type = 0;
    tsr_message error;
    char const *field = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&Oz", PyUnicode_FSConverter, &path, &dtype, &field))
        return NULL;
    if (dtype != Py_None && !type_from_python(dtype, &type)) {
        Py_DECREF(path);
        return NULL;
    }
    char const *const name = PyBytes_AsString(path);
    tsr_file *const file = (tsr_file *)PyMem_Calloc(1, sizeof *file);
    owner *const o = file ? new_owner(NULL, true, file, close_file) : NULL;
    if (!file) {
        PyErr_NoMemory();
    } else if (!o) {
        close_file(file);
    } else {
        PyThreadState *const state = unlock();
        bool ok = tsr_npy_open_field(name, field, type, file, &error);
        PyEval_RestoreThread(state);
        if (ok && file->npy.elements == 0) {
            tell_empty(name, &file->npy, &error);
            ok = false;
        }
        r = ok ? tensor_to_python(file->tensor, o) : refuse_file(name, &error);
        if (!ok)
            Py_DECREF(o);
    }
    Py_DECREF(path);
    return r;
}

/** ({name: tensor}, {name: why it is none}) of an open model, which `all` owns. */
static PyObject *model_to_python(tsr_model const *model, owner *all)
{
    tsr_message error;
    PyObject *const tensors = PyDict_New(), *const refused = PyDict_New();
    bool ok = tensors && refused;
    for (int i = 0; ok && i < model->count; ++i) {
        tsr_tensor t;
        char const *const name = model->tensor[i].name;
        bool const there = tsr_model_get(model, name, &t, &error);
        PyObject *const x = there ? tensor_to_python(t, new_owner((PyObject *)all, true, NULL, NULL))
                                  : PyUnicode_FromString(error.text);
        ok = x && PyDict_SetItemString(there ? tensors : refused, name, x) == 0;
        Py_XDECREF(x);
    }
    PyObject *const r = ok ? PyTuple_Pack(2, tensors, refused) : NULL;
    Py_XDECREF(tensors);
    Py_XDECREF(refused);
    return r;
}

/** _load_model(path) */
static PyObject *load_model(PyObject *module, PyObject *args)
{
    PyObject *path = NULL, *r = NULL;
    tsr_message error;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path))
        return NULL;
    char const *const name = PyBytes_AsString(path);
    tsr_model *const model = (tsr_model *)PyMem_Calloc(1, sizeof *model);
    owner *const all = model ? new_owner(NULL, true, model, close_model) : NULL;
    if (!model) {
        PyErr_NoMemory();
    } else if (!all) {
        close_model(model);
    } else {
        PyThreadState *const state = unlock();
        bool const ok = tsr_model_open(name, model, &error);
        PyEval_RestoreThread(state);
        r = ok ? model_to_python(model, all) : refuse_file(name, &error);
        Py_DECREF(all);
    }
    Py_DECREF(path);
    return r;
}

/** (type, shape) of an array without elements, as a row of a model. */
static bool empty_from_python(PyObject *x, tsr_model_tensor *row)
{
    PyObject *type = NULL, *shape = NULL;
    if (!PyArg_ParseTuple(x, "OO!", &type, &PyTuple_Type, &shape) || !type_from_python(type, &row->type))
        return false;
    if (PyTuple_Size(shape) > TSR_MAX_LEAVES)
        return PyErr_Format(PyExc_ValueError, "an array of %zd dimensions, at most %d fit (TSR_MAX_LEAVES)",
                            PyTuple_Size(shape), TSR_MAX_LEAVES),
               false;
    row->rank = (int)PyTuple_Size(shape);
    for (int k = 0; k < row->rank; ++k)
        row->extent[k] = PyLong_AsLongLong(PyTuple_GetItem(shape, k));
    return !PyErr_Occurred();
}

/** Writes an array without elements. */
static bool write_empty(char const *path, tsr_model_tensor const *row, tsr_message *error)
{
    tsr_npy_writer w;
    tsr_tuple shape = TSR_ZERO;
    for (int k = 0; k < row->rank; ++k)
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(row->extent[k]));
    return tsr_npy_create(path, row->type, tsr_tuple_close(shape), TSR_C_ORDER, &w, error)
           && tsr_npy_commit(&w, error);
}

/** _save_npy(path, tensor or (type, shape)) */
static PyObject *save_npy(PyObject *module, PyObject *args)
{
    PyObject *path = NULL, *x = NULL;
    tsr_tensor t;
    tsr_model_tensor row = {0};
    tsr_message error;
    bool ok = false;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&O", PyUnicode_FSConverter, &path, &x))
        return NULL;
    bool const empty = PyTuple_Check(x);
    if (empty ? empty_from_python(x, &row) : tensor_from_python(x, false, &t)) {
        PyThreadState *const state = unlock();
        ok = empty ? write_empty(PyBytes_AsString(path), &row, &error)
                   : tsr_npy_write(PyBytes_AsString(path), t, TSR_C_ORDER, &error);
        PyEval_RestoreThread(state);
        if (!ok)
            refuse_file(PyBytes_AsString(path), &error);
    }
    Py_DECREF(path);
    return ok ? Py_BuildValue("") : NULL;
}

/** The tensors of {name: tensor} as rows of a model, and in `name` their names as bytes, which they point into. */
static bool list_tensors(PyObject *tensors, tsr_model_tensor *row, tsr_tensor *t, PyObject *names)
{
    PyObject *key = NULL, *x = NULL;
    Py_ssize_t at = 0;
    for (int i = 0; PyDict_Next(tensors, &at, &key, &x); ++i) {
        PyObject *const name = PyUnicode_Check(key) ? PyUnicode_AsUTF8String(key) : NULL;
        bool const empty = PyTuple_Check(x);
        bool const ok = name && PyList_Append(names, name) == 0
                        && (empty ? empty_from_python(x, &row[i]) : tensor_from_python(x, false, &t[i]));
        if (!name && !PyErr_Occurred())
            PyErr_Format(PyExc_TypeError, "the name of a tensor is a text, not %R", key);
        Py_XDECREF(name);
        if (!ok)
            return false;
        row[i].name = PyBytes_AsString(name); /* the list keeps it */
        if (empty)
            continue;
        tsr_layout const inner = tsr_layout_inner(t[i].layout);
        row[i].type = t[i].engine.type;
        row[i].rank = tsr_mode_count(&inner.shape);
        for (int k = 0; k < row[i].rank; ++k)
            row[i].extent[k] = tsr_layout_size(tsr_mode(inner, k));
    }
    return true;
}

static bool list_notes(PyObject *metadata, tsr_model_note *note, PyObject *names)
{
    PyObject *key = NULL, *x = NULL;
    Py_ssize_t at = 0;
    for (int i = 0; PyDict_Next(metadata, &at, &key, &x); ++i) {
        bool const texts = PyUnicode_Check(key) && PyUnicode_Check(x);
        PyObject *const k = texts ? PyUnicode_AsUTF8String(key) : NULL, *const v =
                                                                            k ? PyUnicode_AsUTF8String(x) : NULL;
        bool const ok = v && PyList_Append(names, k) == 0 && PyList_Append(names, v) == 0;
        if (ok) {
            note[i].key = PyBytes_AsString(k);
            note[i].value = PyBytes_AsString(v);
        }
        if (!texts)
            PyErr_SetString(PyExc_TypeError, "metadata are texts by names");
        Py_XDECREF(k);
        Py_XDECREF(v);
        if (!ok)
            return false;
    }
    return true;
}

/** Writes the tensors; without the lock. */
static bool write_model(char const *path, tsr_model_tensor const *row, tsr_tensor const *t, int count,
                        tsr_model_note const *note, int notes, tsr_message *error)
{
    tsr_model_writer writer;
    tsr_model const metadata = {.note = (tsr_model_note *)(uintptr_t)note, .notes = notes};
    if (!tsr_model_create(path, row, count, &metadata, &writer, error))
        return false;
    for (int i = 0; i < count; ++i) {
        tsr_tensor to;
        if (writer.model.tensor[tsr_model_find(&writer.model, row[i].name)].elements == 0)
            continue;
        bool ok = tsr_model_at(&writer, row[i].name, &to, error);
        tsr_reason const why = ok ? tsr_copy(t[i], to) : tsr_no_reason();
        if (why.status)
            tsr_format_reason(error->text, sizeof error->text, why);
        if (!ok || why.status) {
            tsr_model_discard(&writer);
            return false;
        }
    }
    return tsr_model_commit(&writer, error);
}

/** _save_model(path, {name: tensor}, {key: text}) */
static PyObject *save_model(PyObject *module, PyObject *args)
{
    PyObject *path = NULL, *tensors = NULL, *metadata = NULL;
    tsr_message error;
    bool ok = false;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&O!O!", PyUnicode_FSConverter, &path, &PyDict_Type, &tensors, &PyDict_Type,
                          &metadata))
        return NULL;
    size_t const count = (size_t)PyDict_Size(tensors), notes = (size_t)PyDict_Size(metadata);
    PyObject *const names = PyList_New(0);
    tsr_model_tensor *const row = (tsr_model_tensor *)PyMem_Calloc(count + 1, sizeof *row);
    tsr_tensor *const t = (tsr_tensor *)PyMem_Calloc(count + 1, sizeof *t);
    tsr_model_note *const note = (tsr_model_note *)PyMem_Calloc(notes + 1, sizeof *note);
    if (!names || !row || !t || !note) {
        PyErr_NoMemory();
    } else if (list_tensors(tensors, row, t, names) && list_notes(metadata, note, names)) {
        PyThreadState *const state = unlock();
        ok = write_model(PyBytes_AsString(path), row, t, (int)count, note, (int)notes, &error);
        PyEval_RestoreThread(state);
        if (!ok)
            refuse_file(PyBytes_AsString(path), &error);
    }
    Py_XDECREF(names);
    PyMem_Free(row);
    PyMem_Free(t);
    PyMem_Free(note);
    Py_DECREF(path);
    return ok ? Py_BuildValue("") : NULL;
}

/* clang-format off */
PyMethodDef run_functions[] = {
    {"_copy", copy, METH_VARARGS, NULL},         {"_product", product, METH_VARARGS, NULL},
    {"_load_npy", load_npy, METH_VARARGS, NULL}, {"_load_model", load_model, METH_VARARGS, NULL},
    {"_save_npy", save_npy, METH_VARARGS, NULL}, {"_save_model", save_model, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};
/* clang-format on */
