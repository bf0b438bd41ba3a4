/** Redistributions from Python: plans are run step by step over a transport, which is a Python object. It has `rank`,
 *  `ranks` and three methods of the table of mesh/run.h:
 *
 *      send(slot, to, bytes)        begins to send a message
 *      receive(slot, source, n)     begins to receive n bytes
 *      done(slot)                   False: not yet; the bytes of a message that has arrived; True of one that is sent
 *
 *  Messages are copied on both sides, so that no transport holds memory of a run. */
#include "module.h"

#include <string.h>

#include "buffer.h"
#include "tessera/mesh.h"

enum { SLOTS = 2 * TSR_DIST_FLIGHT };

typedef struct job {
    tsr_dist_plan plan;
    tsr_dist_run *run;
    PyObject *transport, *old, *new_; /* what is kept alive */
    void *into[SLOTS];                /* where a message goes */
    int64_t bytes[SLOTS];
    bool planned, busy, done;
} job;

/** Calls a method; NULL and an exception where it fails. */
#define CALL(j, ...) PyObject_CallMethod((j)->transport, __VA_ARGS__)

static bool finished(PyObject *r)
{
    Py_XDECREF(r);
    return r != NULL;
}

static bool send(void *self, int64_t slot, int64_t to, void const *bytes, int64_t n)
{
    job *const j = (job *)self;
    j->into[slot] = NULL;
    return finished(CALL(j, "send", "LLy#", (long long)slot, (long long)to, (char const *)bytes, (Py_ssize_t)n));
}

static bool receive(void *self, int64_t slot, int64_t from, void *bytes, int64_t n)
{
    job *const j = (job *)self;
    j->into[slot] = bytes;
    j->bytes[slot] = n;
    return finished(CALL(j, "receive", "LLL", (long long)slot, (long long)from, (long long)n));
}

/** Takes the bytes of a message that has arrived. */
static bool take_message(job *j, int64_t slot, PyObject *x)
{
    buffer b;
    if (PyObject_GetBuffer(x, &b, 0) != 0)
        return false;
    bool const fits = b.len == j->bytes[slot];
    if (fits)
        memcpy(j->into[slot], b.buf, (size_t)b.len);
    else
        PyErr_Format(PyExc_ValueError, "a message of %zd bytes arrived, not of %lld", b.len,
                     (long long)j->bytes[slot]);
    PyBuffer_Release(&b);
    return fits;
}

static int done(void *self, int64_t slot)
{
    job *const j = (job *)self;
    PyObject *const r = CALL(j, "done", "L", (long long)slot);
    int is = r ? PyObject_IsTrue(r) : -1;
    if (is > 0 && j->into[slot] && !take_message(j, slot, r))
        is = -1;
    Py_XDECREF(r);
    return is;
}

static void free_job(PyObject *capsule)
{
    job *const j = (job *)PyCapsule_GetPointer(capsule, "tessera.dist.run");
    if (!j)
        return;
    tsr_dist_run_free(j->run);
    if (j->planned)
        tsr_dist_plan_free(&j->plan);
    Py_XDECREF(j->transport);
    Py_XDECREF(j->old);
    Py_XDECREF(j->new_);
    PyMem_Free(j);
}

PyObject *refuse_message(tsr_message const *error)
{
    if (PyErr_Occurred())
        return NULL;
    return says_no_memory(error->text) ? PyErr_NoMemory() : refuse(NULL, error->text);
}

bool distributed_from_python(PyObject *x, tsr_dist_layout *d)
{
    memory kept = {NULL, false};
    PyObject *from = NULL;
    value v;
    bool const taken = value_from_python(x, &v, &kept, &from), is = taken && v.kind == VALUE_DISTRIBUTED;
    if (is)
        *d = *v.as.distributed;
    else if (taken)
        PyErr_Format(PyExc_TypeError, "%s is not a distributed layout", tsr_value_words_(&v));
    tsr_memory_free_(&kept);
    return is;
}

/** The memory of a part: a tensor that holds all that the part spans, of a type of whole bytes. None: the part is
 *  empty. */
static bool take_part(PyObject *x, bool written, tsr_dist_part const *part, tsr_dtype *type, void **at)
{
    tsr_tensor t;
    *at = NULL;
    if (x == Py_None && part->elements == 0)
        return true;
    if (x == Py_None)
        return refuse(NULL, "the part of this rank has elements, and None holds none") != NULL;
    if (!tensor_from_python(x, written, &t))
        return false;
    uint64_t const n = (uint64_t)part->span * ((uint64_t)tsr_dtype_bits(t.engine.type) / 8);
    if (t.engine.address < t.engine.begin || t.engine.end < t.engine.address || t.engine.end - t.engine.address < n)
        return refuse(NULL, "the tensor does not span the part of its rank") != NULL;
    if (*type && *type != t.engine.type)
        return refuse(NULL, "the old and the new part are of different types") != NULL;
    *type = t.engine.type;
    *at = (void *)(uintptr_t)t.engine.address;
    return true;
}

static bool begin(job *j, PyObject *from, PyObject *to, int64_t host)
{
    tsr_dist_layout d[2];
    tsr_message error = {0, ""};
    tsr_dtype type = 0;
    void *old = NULL, *new_ = NULL;
    PyObject *const rank = PyObject_GetAttrString(j->transport, "rank");
    PyObject *const ranks = rank ? PyObject_GetAttrString(j->transport, "ranks") : NULL;
    tsr_dist_transport t = TSR_ZERO; /* no memory is seen by others, so that there is no barrier */
    t.self = j;
    t.rank = rank ? PyLong_AsLongLong(rank) : -1;
    t.ranks = ranks ? PyLong_AsLongLong(ranks) : -1;
    t.send = send;
    t.receive = receive;
    t.done = done;
    Py_XDECREF(rank);
    Py_XDECREF(ranks);
    if (PyErr_Occurred() || !distributed_from_python(from, &d[0]) || !distributed_from_python(to, &d[1]))
        return false;
    j->planned = tsr_dist_plan_make(&d[0], &d[1], t.rank, host, &j->plan, &error);
    if (!j->planned)
        return refuse_message(&error) != NULL;
    if (!take_part(j->old, false, &j->plan.part[0], &type, &old)
        || !take_part(j->new_, true, &j->plan.part[1], &type, &new_))
        return false;
    j->run = tsr_dist_run_begin(&j->plan, &t, type ? type : TSR_U8, old, new_, 0, &error);
    return j->run || refuse_message(&error) != NULL;
}

/** _dist_begin(from, to, host, transport, old, new): a run, for _dist_step */
static PyObject *dist_begin(PyObject *module, PyObject *args)
{
    PyObject *from = NULL, *to = NULL, *transport = NULL, *old = NULL, *new_ = NULL;
    long long host = 1;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOLOOO", &from, &to, &host, &transport, &old, &new_))
        return NULL;
    job *const j = (job *)PyMem_Calloc(1, sizeof *j);
    PyObject *const capsule = j ? PyCapsule_New(j, "tessera.dist.run", free_job) : NULL;
    if (!capsule) {
        PyMem_Free(j);
        return PyErr_NoMemory();
    }
    Py_INCREF(transport);
    Py_INCREF(old);
    Py_INCREF(new_);
    j->transport = transport;
    j->old = old;
    j->new_ = new_;
    if (begin(j, from, to, host))
        return capsule;
    Py_DECREF(capsule);
    return NULL;
}

/** _dist_step(run): does what can be done without waiting; True: the run has ended */
static PyObject *dist_step(PyObject *module, PyObject *capsule)
{
    tsr_message error = {0, ""};
    bool ended = false;
    job *const j = (job *)PyCapsule_GetPointer(capsule, "tessera.dist.run");
    (void)module;
    if (!j)
        return NULL;
    if (j->busy)
        return refuse(NULL, "a transport steps the run that calls it");
    if (j->done)
        return PyBool_FromLong(1);
    j->busy = true;
    bool const ok = tsr_dist_run_step(j->run, &ended, &error);
    j->busy = false;
    j->done = ended;
    return ok && !PyErr_Occurred() ? PyBool_FromLong(ended) : refuse_message(&error);
}

/** _dist_part(layout, rank): extents and strides of a rank's part; None: it has no elements */
static PyObject *dist_part(PyObject *module, PyObject *args)
{
    PyObject *layout = NULL;
    long long rank = 0;
    tsr_dist_layout d;
    tsr_dist_part part;
    (void)module;
    if (!PyArg_ParseTuple(args, "OL", &layout, &rank) || !distributed_from_python(layout, &d))
        return NULL;
    if (!tsr_dist_part_of(&d, rank, &part) || part.elements == 0)
        return Py_BuildValue("");
    return Py_BuildValue("(NN)", integers_to_python(part.extent, d.modes), integers_to_python(part.stride, d.modes));
}

/** _dist_simulate(from, to, bytes, latency, bandwidth, host, check): what tsr_dist_simulation has, as a dictionary */
static PyObject *dist_simulate(PyObject *module, PyObject *args)
{
    PyObject *from = NULL, *to = NULL;
    long long bytes = 0;
    tsr_dist_clock clock;
    long long host = 1;
    int check = 0;
    tsr_dist_layout d[2];
    tsr_dist_simulation s;
    tsr_message error = {0, ""};
    (void)module;
    if (!PyArg_ParseTuple(args, "OOLddLp", &from, &to, &bytes, &clock.latency, &clock.bandwidth, &host, &check)
        || !distributed_from_python(from, &d[0]) || !distributed_from_python(to, &d[1]))
        return NULL;
    clock.host = host;
    PyThreadState *const state = PyEval_SaveThread();
    bool const ok = tsr_dist_simulate(&d[0], &d[1], bytes, clock, check != 0, &s, &error);
    PyEval_RestoreThread(state);
    if (!ok)
        return refuse_message(&error);
    return Py_BuildValue("{sLsLsLsLsLsLsLsLsLsdsd}", "ranks", (long long)s.ranks, "messages", (long long)s.messages,
                         "rounds", (long long)s.rounds, "bytes", (long long)(s.elements * bytes), "lower_bound",
                         (long long)(s.least * bytes), "kept", (long long)(s.kept * bytes), "most_sent",
                         (long long)(s.most_sent * bytes), "most_received", (long long)(s.most_received * bytes),
                         "checked", (long long)s.checked, "seconds", s.seconds, "least_seconds", s.least_seconds);
}

PyMethodDef dist_functions[] = {{"_dist_begin", dist_begin, METH_VARARGS, "begins a run of a plan"},
                                {"_dist_step", dist_step, METH_O, "one step of a run"},
                                {"_dist_part", dist_part, METH_VARARGS, "what a rank holds"},
                                {"_dist_simulate", dist_simulate, METH_VARARGS, "the plans of all ranks"},
                                {NULL, NULL, 0, NULL}};
