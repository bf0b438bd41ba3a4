/** NCCL from Python: communicators of tessera's own, and redistributions of arrays on a GPU between their ranks. Each
 *  call is one of C. The interpreter's lock is given back while others are waited for. */
#include "cuda_engine.h"

#include <string.h>

#include "tessera/mesh/nccl.h"

static char const all_name[] = "tessera.dist.nccl", moves_name[] = "tessera.dist.moves";
static tsr_nccl nccl;

static bool find_nccl(tsr_message *error) { return nccl.loaded || tsr_dist_nccl_find(&nccl, NULL, error); }

/** The stream of a handle; 0 is the device's own, which NCCL and events know as 1. */
static tsr_gpu_stream stream_of(tsr_gpu_device const *device, unsigned long long handle)
{
    tsr_gpu_stream const s = {device, (void *)(uintptr_t)(handle ? handle : 1)};
    return s;
}

static void free_all(PyObject *capsule)
{
    tsr_dist_comm *all = (tsr_dist_comm *)PyCapsule_GetPointer(capsule, all_name);
    tsr_dist_comm_close(&all);
}

static void free_moves(PyObject *capsule)
{
    tsr_dist_moves *moves = (tsr_dist_moves *)PyCapsule_GetPointer(capsule, moves_name);
    tsr_dist_moves_free(&moves);
}

/** _nccl_id(): the bytes by which ranks find each other */
static PyObject *make_id(PyObject *module, PyObject *args)
{
    tsr_nccl_id id;
    tsr_message error = {0, ""};
    (void)module, (void)args;
    if (!find_nccl(&error) || !tsr_dist_nccl_id(&nccl, &id, &error))
        return refuse_message(&error);
    return PyBytes_FromStringAndSize(id.bytes, sizeof id.bytes);
}

/** _nccl_open(device, id, rank, ranks, timeout): a communicator */
static PyObject *open_all(PyObject *module, PyObject *args)
{
    int i = 0, rank = 0, ranks = 0;
    char const *bytes = NULL;
    Py_ssize_t n = 0;
    double timeout = 0;
    tsr_nccl_id id;
    tsr_message error = {0, ""};
    tsr_dist_comm *all = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "iy#iid", &i, &bytes, &n, &rank, &ranks, &timeout))
        return NULL;
    if ((size_t)n != sizeof id.bytes)
        return refuse(NULL, "the id of a communicator has 128 bytes");
    memcpy(id.bytes, bytes, sizeof id.bytes);
    tsr_gpu_device const *const device = cuda_device(i);
    if (!device)
        return NULL;
    if (!find_nccl(&error))
        return refuse_message(&error);
    PyThreadState *const state = PyEval_SaveThread();
    bool const ok = tsr_dist_nccl_open(&nccl, device, &id, rank, ranks, timeout, &all, &error);
    PyEval_RestoreThread(state);
    return ok ? PyCapsule_New(all, all_name, free_all) : refuse_message(&error);
}

/** _nccl_p2p_why(all): why NCCL sends all messages, or "" */
static PyObject *p2p_why(PyObject *module, PyObject *capsule)
{
    (void)module;
    tsr_dist_comm const *const all = (tsr_dist_comm const *)PyCapsule_GetPointer(capsule, all_name);
    return all ? PyUnicode_FromString(tsr_dist_comm_p2p_why(all)) : NULL;
}

/** _nccl_plan(all, from, to, host, rank, type, old, new, budget): moves, for _nccl_run */
static PyObject *plan_moves(PyObject *module, PyObject *args)
{
    PyObject *capsule = NULL, *from = NULL, *to = NULL, *type_name = NULL;
    long long host = 1, rank = 0, budget = 0;
    unsigned long long old = 0, new_ = 0;
    tsr_dtype type = 0;
    tsr_dist_layout d[2];
    tsr_dist_plan plan;
    tsr_dist_moves *moves = NULL;
    tsr_message error = {0, ""};
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOLLOKKL", &capsule, &from, &to, &host, &rank, &type_name, &old, &new_, &budget)
        || !type_from_python(type_name, &type) || !distributed_from_python(from, &d[0])
        || !distributed_from_python(to, &d[1]))
        return NULL;
    tsr_dist_comm *const all = (tsr_dist_comm *)PyCapsule_GetPointer(capsule, all_name);
    tsr_dist_terms const terms = tsr_dist_terms_of(type);
    if (!all)
        return NULL;
    if (!tsr_dist_plan_make(&d[0], &d[1], rank, host, &plan, &error))
        return refuse_message(&error);
    bool const ok = tsr_dist_comm_plan(all, cuda_cache(), &plan, &terms, old, new_, budget, &moves, &error);
    tsr_dist_plan_free(&plan);
    return ok ? PyCapsule_New(moves, moves_name, free_moves) : refuse_message(&error);
}

/** _nccl_run(moves, device, old, new, stream) */
static PyObject *run_moves(PyObject *module, PyObject *args)
{
    PyObject *capsule = NULL;
    unsigned long long old = 0, new_ = 0, handle = 0;
    int i = 0;
    tsr_message error = {0, ""};
    (void)module;
    if (!PyArg_ParseTuple(args, "OiKKK", &capsule, &i, &old, &new_, &handle))
        return NULL;
    tsr_dist_moves *const moves = (tsr_dist_moves *)PyCapsule_GetPointer(capsule, moves_name);
    tsr_gpu_device const *const device = moves ? cuda_device(i) : NULL;
    if (!device)
        return NULL;
    tsr_gpu_stream const stream = stream_of(device, handle);
    PyThreadState *const state = PyEval_SaveThread();
    bool const ok = tsr_dist_comm_run_at(moves, old, new_, &stream, &error);
    PyEval_RestoreThread(state);
    return ok ? Py_BuildValue("") : refuse_message(&error);
}

/** _nccl_wait(all, device, stream) */
static PyObject *wait_all(PyObject *module, PyObject *args)
{
    PyObject *capsule = NULL;
    unsigned long long handle = 0;
    int i = 0;
    tsr_message error = {0, ""};
    (void)module;
    if (!PyArg_ParseTuple(args, "OiK", &capsule, &i, &handle))
        return NULL;
    tsr_dist_comm *const all = (tsr_dist_comm *)PyCapsule_GetPointer(capsule, all_name);
    tsr_gpu_device const *const device = all ? cuda_device(i) : NULL;
    if (!device)
        return NULL;
    tsr_gpu_stream const stream = stream_of(device, handle);
    PyThreadState *const state = PyEval_SaveThread();
    bool const ok = tsr_dist_comm_wait(all, &stream, &error);
    PyEval_RestoreThread(state);
    return ok ? Py_BuildValue("") : refuse_message(&error);
}

PyMethodDef dist_nccl_functions[] = {{"_nccl_id", make_id, METH_NOARGS, "the id of a communicator"},
                                     {"_nccl_open", open_all, METH_VARARGS, "a communicator"},
                                     {"_nccl_p2p_why", p2p_why, METH_O, "why ranks have no peer access"},
                                     {"_nccl_plan", plan_moves, METH_VARARGS, "a plan of messages"},
                                     {"_nccl_run", run_moves, METH_VARARGS, "runs it"},
                                     {"_nccl_wait", wait_all, METH_VARARGS, "waits for a stream"},
                                     {NULL, NULL, 0, NULL}};
