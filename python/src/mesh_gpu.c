/** Redistributions of arrays on a GPU from Python: packed plans (mesh/gpu.h), whose packets torch.distributed moves. */
#include "cuda_engine.h"

#include "tessera/mesh/gpu.h"

static char const name[] = "tessera.dist.packed";

static void free_packed(PyObject *capsule)
{
    tsr_dist_packed *p = (tsr_dist_packed *)PyCapsule_GetPointer(capsule, name);
    tsr_dist_packed_free(&p);
}

/** ((peer, byte, bytes, in place), ..) of what a stage sends or receives. */
static PyObject *packets_of(tsr_dist_packed const *p, int64_t stage, bool sent)
{
    tsr_dist_packet const *x = NULL;
    int64_t const n = tsr_dist_packed_packets(p, stage, sent, &x);
    PyObject *const all = PyTuple_New((Py_ssize_t)n);
    for (int64_t i = 0; all && i < n; ++i) {
        PyObject *const one = Py_BuildValue("(LLLO)", (long long)x[i].peer, (long long)x[i].at, (long long)x[i].bytes,
                                            x[i].in_place ? Py_True : Py_False);
        if (!one || PyTuple_SetItem(all, (Py_ssize_t)i, one) != 0) {
            Py_DECREF(all);
            return NULL;
        }
    }
    return all;
}

/** ((packs, unpacks, sends, receives), ..) of the stages. */
static PyObject *stages_of(tsr_dist_packed const *p)
{
    int64_t const n = tsr_dist_packed_stages(p);
    PyObject *const all = PyTuple_New((Py_ssize_t)n);
    for (int64_t s = 0; all && s < n; ++s) {
        PyObject *const sends = packets_of(p, s, true), *const receives = sends ? packets_of(p, s, false) : NULL;
        PyObject *const one = receives
                                  ? Py_BuildValue("(LLOO)", (long long)tsr_dist_packed_copies(p, s, true),
                                                  (long long)tsr_dist_packed_copies(p, s, false), sends, receives)
                                  : NULL;
        Py_XDECREF(sends);
        Py_XDECREF(receives);
        if (!one || PyTuple_SetItem(all, (Py_ssize_t)s, one) != 0) {
            Py_DECREF(all);
            return NULL;
        }
    }
    return all;
}

/** _dist_packed(from, to, host, rank, type, device, old, new, budget): (plan, bytes of the buffer, stages) of a rank;
 *  old and new are addresses, 0 where the part is empty */
static PyObject *packed(PyObject *module, PyObject *args)
{
    PyObject *from = NULL, *to = NULL, *type_name = NULL;
    long long host = 1, rank = 0, budget = 0;
    unsigned long long old = 0, new_ = 0;
    int i = 0;
    tsr_dtype type = 0;
    tsr_dist_layout d[2];
    tsr_dist_plan plan;
    tsr_message error = {0, ""};
    (void)module;
    if (!PyArg_ParseTuple(args, "OOLLOiKKL", &from, &to, &host, &rank, &type_name, &i, &old, &new_, &budget)
        || !type_from_python(type_name, &type) || !distributed_from_python(from, &d[0])
        || !distributed_from_python(to, &d[1]))
        return NULL;
    tsr_gpu_device const *const device = cuda_device(i);
    tsr_dist_terms const terms = tsr_dist_terms_of(type);
    tsr_dist_packed *p = NULL;
    if (!device)
        return NULL;
    if (!tsr_dist_plan_make(&d[0], &d[1], rank, host, &plan, &error))
        return refuse_message(&error);
    bool const ok = tsr_dist_packed_plan(cuda_cache(), device, &plan, &terms, old, new_, budget, &p, &error);
    tsr_dist_plan_free(&plan);
    if (!ok)
        return refuse_message(&error);
    PyObject *const capsule = PyCapsule_New(p, name, free_packed);
    if (!capsule) {
        tsr_dist_packed_free(&p);
        return NULL;
    }
    PyObject *const stages = stages_of(p);
    if (!stages) {
        Py_DECREF(capsule);
        return NULL;
    }
    return Py_BuildValue("(NLN)", capsule, (long long)tsr_dist_packed_bytes(p), stages);
}

/** _dist_copies(plan, device, what, stage, from, to, stream): launches what a stage packs ("p"), unpacks ("u"), or what
 *  stays ("k") */
static PyObject *copies(PyObject *module, PyObject *args)
{
    PyObject *capsule = NULL;
    char const *what = NULL;
    long long stage = 0;
    unsigned long long from = 0, to = 0, handle = 0;
    int i = 0;
    tsr_message error = {0, ""};
    (void)module;
    if (!PyArg_ParseTuple(args, "OisLKKK", &capsule, &i, &what, &stage, &from, &to, &handle))
        return NULL;
    tsr_dist_packed const *const p = (tsr_dist_packed const *)PyCapsule_GetPointer(capsule, name);
    tsr_gpu_device const *const device = p ? cuda_device(i) : NULL;
    if (!device)
        return NULL;
    tsr_gpu_stream const stream = {device, (void *)(uintptr_t)handle};
    tsr_gpu_stream const *const on = handle ? &stream : NULL;
    if (*what != 'k' && (stage < 0 || stage >= tsr_dist_packed_stages(p)))
        return refuse(NULL, "the plan has no such stage");
    bool const ok = *what == 'k'   ? tsr_dist_packed_keep(p, from, to, on, &error)
                    : *what == 'p' ? tsr_dist_packed_pack(p, stage, from, to, on, &error)
                                   : tsr_dist_packed_unpack(p, stage, from, to, on, &error);
    return ok ? Py_BuildValue("") : refuse_message(&error);
}

PyMethodDef dist_gpu_functions[] = {{"_dist_packed", packed, METH_VARARGS, "a plan in stages"},
                                    {"_dist_copies", copies, METH_VARARGS, "launches copies of a plan"},
                                    {NULL, NULL, 0, NULL}};
