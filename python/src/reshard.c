/** Checkpoints from N files to M files (tessera.reshard). */
#include "module.h"

#include "tessera/reshard.h"

#include "io/file.h"

enum { MOST = 64 }; /* folders, and casts */

/** A call: what is asked for, and whom it is told. */
typedef struct resharding {
    char const *from[MOST];
    tsr_reshard_cast cast[MOST];
    tsr_reshard_options want;
    tsr_reshard_spec *spec[2];
    tsr_reshard *plan;
    PyObject *progress, *raised; /* what a call of progress raised */
    tsr_message error;
} resharding;

/** Strings of a tuple, which keeps them. */
static bool take_paths(resharding *r, PyObject *paths)
{
    Py_ssize_t const n = PyTuple_Size(paths);
    if (n > MOST)
        return PyErr_Format(PyExc_ValueError, "at most %d sources", MOST), false;
    for (Py_ssize_t i = 0; i < n; ++i)
        if (!(r->from[i] = PyBytes_AsString(PyTuple_GetItem(paths, i))))
            return false;
    r->want.from = r->from;
    r->want.count = (int)n;
    return true;
}

/** Pairs (pattern, type) of a tuple. */
static bool take_casts(resharding *r, PyObject *casts)
{
    Py_ssize_t const n = PyTuple_Size(casts);
    if (n > MOST)
        return PyErr_Format(PyExc_ValueError, "at most %d casts", MOST), false;
    for (Py_ssize_t i = 0; i < n; ++i) {
        PyObject *type = NULL;
        if (!PyArg_ParseTuple(PyTuple_GetItem(casts, i), "yO", &r->cast[i].pattern, &type)
            || !type_from_python(type, &r->cast[i].type))
            return false;
    }
    r->want.cast = r->cast;
    r->want.casts = (int)n;
    return true;
}

/** Calls progress(done, all) by whichever thread writes, and looks for signals. What is raised ends the run. */
static bool tell(void *context, int64_t bytes, int64_t done, int64_t all)
{
    resharding *const r = (resharding *)context;
    PyGILState_STATE const state = PyGILState_Ensure();
    PyObject *const said = r->progress == Py_None
                               ? Py_BuildValue("")
                               : PyObject_CallFunction(r->progress, "LL", (long long)done, (long long)all);
    bool goes_on = said && PyErr_CheckSignals() == 0;
    if (!goes_on && !r->raised) {
        PyObject *kind = NULL, *trace = NULL;
        PyErr_Fetch(&kind, &r->raised, &trace);
        PyErr_NormalizeException(&kind, &r->raised, &trace);
        Py_XDECREF(kind);
        Py_XDECREF(trace);
    }
    PyErr_Clear();
    Py_XDECREF(said);
    PyGILState_Release(state);
    return (void)bytes, goes_on;
}

/** The sentence of a failure. NULL. */
static PyObject *fail(resharding const *r)
{
    if (r->raised)
        PyErr_SetObject((PyObject *)Py_TYPE(r->raised), r->raised);
    else if (!PyErr_Occurred())
        PyErr_SetString(says_no_memory(r->error.text) ? PyExc_MemoryError : PyExc_OSError, r->error.text);
    return NULL;
}

/** Appends an item, which it takes; so it takes the list when that fails. */
static PyObject *appended(PyObject *list, PyObject *item)
{
    bool const ok = item && PyList_Append(list, item) == 0;
    Py_XDECREF(item);
    return ok ? list : (Py_DECREF(list), NULL);
}

static PyObject *problems_of(tsr_reshard const *plan, int64_t n)
{
    static char const *const words[] = {
#define X(id, word) word,
        TSR_RESHARD_PROBLEM_LIST(X)
#undef X
    };
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; list && i < n; ++i) {
        tsr_reshard_problem const p = tsr_reshard_problem_at(plan, i);
        list = appended(list, Py_BuildValue("sss", words[p.kind], p.tensor, p.text));
    }
    return list;
}

static PyObject *files_of(tsr_reshard const *plan)
{
    PyObject *list = PyList_New(0);
    int64_t bytes = 0;
    char const *path = NULL;
    for (int64_t i = 0; list && (path = tsr_reshard_file(plan, i, &bytes)); ++i)
        list = appended(list, PyUnicode_DecodeFSDefault(path));
    return list;
}

static PyObject *report_of(tsr_reshard const *plan)
{
    tsr_reshard_report const x = tsr_reshard_report_of(plan);
    PyObject *const problems = problems_of(plan, x.problems), *const files = problems ? files_of(plan) : NULL;
    PyObject *const r = files ? Py_BuildValue("L(LL)LLLLLLOO", (long long)x.tensors, (long long)x.ranks[0],
                                              (long long)x.ranks[1], (long long)x.sources, (long long)x.bytes_there,
                                              (long long)x.bytes_read, (long long)x.bytes_written,
                                              (long long)x.bytes_compared, (long long)x.kept, files, problems)
                              : NULL;
    Py_XDECREF(problems);
    Py_XDECREF(files);
    return r;
}

/** Opens, runs and verifies, without the lock of the interpreter. */
static PyObject *work(resharding *r, bool runs, bool verifies)
{
    PyThreadState *const state = PyEval_SaveThread();
    r->plan = tsr_reshard_open(&r->want, &r->error);
    bool const fine = r->plan && tsr_reshard_report_of(r->plan).problems == 0;
    bool ok = r->plan != NULL;
    if (fine && runs)
        ok = tsr_reshard_run(r->plan, tell, r, &r->error);
    if (fine && ok && runs && verifies)
        ok = tsr_reshard_verify(r->plan, tell, r, &r->error);
    PyEval_RestoreThread(state);
    return ok ? report_of(r->plan) : fail(r);
}

/** _reshard(sources, target, specs of both, casts, memory, shard_size, replicas, run, verify, progress): a report */
static PyObject *reshard(PyObject *module, PyObject *args)
{
    resharding r = {.progress = Py_None};
    PyObject *paths = NULL, *casts = NULL, *made = NULL;
    char const *text[2] = {NULL, NULL};
    long long memory = 0, shard_size = 0;
    int replicas = 0, runs = 0, verifies = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!yssO!LLippO", &PyTuple_Type, &paths, &r.want.to, &text[0], &text[1], &PyTuple_Type,
                          &casts, &memory, &shard_size, &replicas, &runs, &verifies, &r.progress)
        || !take_paths(&r, paths) || !take_casts(&r, casts))
        return NULL;
    r.want.memory = memory;
    r.want.shard_size = shard_size;
    r.want.replicas = (tsr_reshard_replicas)replicas;
    for (int side = 0; side < 2; ++side)
        if (!r.error.text[0])
            r.spec[side] = tsr_reshard_spec_read(text[side], &r.error);
    r.want.from_spec = r.spec[0];
    r.want.to_spec = r.spec[1];
    if (r.spec[0] && r.spec[1])
        made = work(&r, runs != 0, verifies != 0);
    else
        PyErr_SetString(PyExc_ValueError, r.error.text);
    tsr_reshard_close(r.plan);
    tsr_reshard_spec_free(r.spec[0]);
    tsr_reshard_spec_free(r.spec[1]);
    Py_XDECREF(r.raised);
    return made;
}

/** _reshard_preset(name): its text, or None */
static PyObject *preset(PyObject *module, PyObject *name)
{
    char const *text = NULL;
    (void)module;
    return PyArg_Parse(name, "s", &text) ? Py_BuildValue("z", tsr_reshard_preset(text)) : NULL;
}

/** _reshard_presets(): their names */
static PyObject *presets(PyObject *module, PyObject *nothing)
{
    (void)module, (void)nothing;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && tsr_reshard_preset_name(i); ++i)
        list = appended(list, PyUnicode_FromString(tsr_reshard_preset_name(i)));
    return list;
}

PyMethodDef reshard_functions[] = {{"_reshard", reshard, METH_VARARGS, NULL},
                                   {"_reshard_preset", preset, METH_O, NULL},
                                   {"_reshard_presets", presets, METH_NOARGS, NULL},
                                   {NULL, NULL, 0, NULL}};
