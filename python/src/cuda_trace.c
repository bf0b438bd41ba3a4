/** Traces of Python's calls (gpu/trace.h), such as an einsum of three tensors.
 *
 *  While a call is recorded, each launch tells its plan and its tensors. A tensor's owner tells where it lies: in an
 *  array of the call, in memory between two launches, or in the result. A number is known by its object.
 *
 *  Law     a trace serves all arrays of its key (cuda_cache.c) that do not reach into those it writes. */
#include "cuda_trace.h"
#include "cuda_cache.h"
#include "tessera/gpu/trace.h"

#include <string.h>

/** A number of the call, of which it is number `from`, as the launch took it. */
typedef struct slot {
    int from;
    scalar like;
} slot;

struct trace {
    tsr_gpu_trace of;
    int device, slots;
    trace_result result;
    tsr_gpu_place result_at;
    tsr_tensor result_tensor;
    slot slot[2 * TSR_GPU_TRACE_STEPS];
};

/** The call that is recorded. */
static struct {
    bool now, broken;
    unsigned long thread;
    trace *trace;
    PyObject *owner[TSR_GPU_TRACE_MEMORIES]; /* of the arrays, then those of other memory, which are held */
    PyObject *const *number;
    int numbers;
} recording;

/** Whether a launch of this thread is to be recorded. Another one may come in between. */
static bool records(void) { return trace_is_recording() && !recording.broken; }

bool trace_is_recording(void) { return recording.now && PyThread_get_thread_ident() == recording.thread; }

void trace_add_other(void) { recording.broken = true; }

/** The number of an owner's memory, which is recorded if it is new; -1: there are too many, or it is no such memory. */
static int memory_of(PyObject *x)
{
    tsr_gpu_trace *const t = &recording.trace->of;
    int i = 0;
    while (i < t->memories && recording.owner[i] != x)
        ++i;
    if (i < t->memories)
        return i;
    owner const *const o = (owner const *)x;
    if (!o || o->device_id != recording.trace->device
        || tsr_gpu_trace_memory(t, (uint64_t)(uintptr_t)o->base, o->bytes) < 0)
        return -1;
    Py_INCREF(x);
    recording.owner[i] = x;
    return i;
}

static bool place_of(PyObject *x, tsr_gpu_place *to)
{
    if (!PyObject_TypeCheck(x, tensor_type))
        return false;
    object const *const o = (object const *)x;
    tsr_engine const *const e = &o->v.as.tensor.engine;
    int const i = e->bit == 0 ? memory_of(o->owner) : -1;
    to->memory = i;
    to->offset = i < 0 ? 0 : e->address - recording.trace->of.begin[i];
    return i >= 0;
}

/** The places of operands, of which one is written, and others may be NULL. False: the call is not kept. */
static bool places_of(PyObject *const *x, int operands, int written, tsr_gpu_place *at)
{
    bool good = records();
    for (int i = 0; i < operands && good; ++i)
        good = place_of(x[i] ? x[i] : x[written], &at[i]);
    return good;
}

/** Numbers of a launch: those that are the call's get slots. */
static tsr_gpu_factor const *factors_of(scalar const n[2], tsr_gpu_factor to[2])
{
    trace *const c = recording.trace;
    for (int i = 0; i < 2; ++i) {
        int from = recording.numbers - 1;
        while (from >= 0 && recording.number[from] != n[i].of)
            --from;
        bool const slotted = from >= 0 && c->slots < 2 * TSR_GPU_TRACE_STEPS;
        to[i] = (tsr_gpu_factor){slotted ? c->slots : -1, n[i].value};
        if (slotted)
            c->slot[c->slots++] = (slot){from, n[i]};
    }
    return to;
}

/** A launch of this thread that is not recorded breaks the recording. */
static void judge(bool kept)
{
    if (records() && !kept)
        recording.broken = true;
}

void trace_add_copy(PyObject *const x[2], scalar const *n, tsr_gpu_planned_copy **plan)
{
    tsr_gpu_place at[2];
    tsr_gpu_factor to[2];
    judge(places_of(x, 2, 1, at) && tsr_gpu_trace_copy(&recording.trace->of, at, n ? factors_of(n, to) : NULL, plan));
}

void trace_add_combine(PyObject *const x[3], scalar const n[2], tsr_gpu_planned_combine **plan)
{
    tsr_gpu_place at[3];
    tsr_gpu_factor to[2];
    judge(places_of(x, 3, 2, at) && tsr_gpu_trace_combine(&recording.trace->of, at, factors_of(n, to), plan));
}

void trace_add_product(PyObject *const x[4], int operands, scalar const n[2], tsr_gpu_planned_gemm const *plan)
{
    tsr_gpu_place at[TSR_GPU_TRACE_OPERANDS];
    tsr_gpu_factor to[2];
    judge(places_of(x, operands, 2, at)
          && tsr_gpu_trace_gemm(&recording.trace->of, at, operands, factors_of(n, to), plan));
}

void trace_add_sum(PyObject *const x[2], tsr_gpu_planned_reduce const *plan)
{
    tsr_gpu_place at[2];
    judge(places_of(x, 2, 1, at) && tsr_gpu_trace_reduce(&recording.trace->of, at, plan));
}

void trace_free(trace **c)
{
    if (!*c)
        return;
    tsr_gpu_trace_free(&(*c)->of);
    PyMem_Free(*c);
    *c = NULL;
}

/* Replay */

unsigned trace_written(trace const *c) { return c->of.written; }

int trace_array_given(trace const *c)
{
    return c->result != TRACE_NOTHING && c->result_at.memory < c->of.arrays ? c->result_at.memory : -1;
}

void trace_needs(trace const *c, trace_memory *room)
{
    memset(room, 0, sizeof *room);
    memcpy(room->bytes, c->of.bytes, sizeof room->bytes);
}

bool trace_fits(trace const *c, trace_memory const *room)
{
    return memcmp(c->of.bytes, room->bytes, sizeof room->bytes) == 0;
}

bool trace_take_memory(trace_memory *room, int device)
{
    bool good = true;
    for (int i = 0; i < 2 && good; ++i)
        if (room->bytes[i] > 0) {
            room->memory[i] = cuda_memory(room->bytes[i], device, &room->at[i]);
            good = room->memory[i] && room->at[i] % CACHE_ALIGNED == 0;
        }
    return good;
}

void trace_leave_memory(trace_memory *room)
{
    for (int i = 0; i < 2; ++i)
        Py_XDECREF(room->memory[i]);
    memset(room->memory, 0, sizeof room->memory);
}

/** The numbers of the slots. False: an exception is set. */
static bool numbers_of(trace const *c, PyObject *const *number, tsr_number *n)
{
    bool good = true;
    for (int i = 0; i < c->slots && good; ++i) {
        slot const *const from = &c->slot[i];
        scalar x = from->like;
        good = cuda_scalar(number[from->from], from->like.type, &x);
        if (from->like.negated)
            cuda_negate(&x);
        n[i] = x.value;
    }
    return good;
}

int trace_run(trace const *c, uint64_t const *address, PyObject *const *number, trace_memory const *room,
              tsr_gpu_stream const *on)
{
    tsr_number n[2 * TSR_GPU_TRACE_STEPS];
    int ran = 0;
    if (!numbers_of(c, number, n))
        return -1;
    tsr_gpu_result const r = tsr_gpu_trace_run(&c->of, address, room->at, n, on, &ran);
    if (r.status == TSR_GPU_NUMBERS && ran == 0)
        return 0;
    return cuda_check(r) ? 1 : -1;
}

PyObject *trace_give(trace const *c, PyObject *const *x, uint64_t const *address, trace_memory const *room)
{
    int const base = c->result_at.memory;
    if (c->result == TRACE_NOTHING)
        return Py_BuildValue("");
    if (c->result == TRACE_ARGUMENT) {
        Py_INCREF(x[base]);
        return x[base];
    }
    tsr_tensor t = c->result_tensor;
    bool const made = base > c->of.arrays;
    t.engine.address = (made ? room->at[1] : address[base]) + c->result_at.offset;
    t.engine.begin = made ? room->at[1] : ((object const *)x[base])->v.as.tensor.engine.begin;
    t.engine.end = made ? room->at[1] + c->of.bytes[1] : ((object const *)x[base])->v.as.tensor.engine.end;
    return made ? cuda_tensor_in(t, room->memory[1], c->device) : cuda_tensor_of(t, ((object const *)x[base])->owner);
}

/* The first time */

bool trace_begin(PyObject *const *x, int arrays, PyObject *const *number, int numbers)
{
    uint64_t begin[CACHE_ARRAYS];
    if (recording.now || arrays < 1 || arrays > CACHE_ARRAYS)
        return false;
    for (int i = 0; i < arrays; ++i) {
        object const *const o = (object const *)x[i];
        if (!PyObject_TypeCheck(x[i], tensor_type) || !o->owner)
            return false;
        recording.owner[i] = o->owner;
        begin[i] = o->v.as.tensor.engine.address;
    }
    recording.trace = (trace *)PyMem_Calloc(1, sizeof *recording.trace);
    if (!recording.trace || !tsr_gpu_trace_begin(&recording.trace->of, begin, arrays))
        return false;
    for (int i = 0; i < arrays; ++i)
        Py_INCREF(recording.owner[i]);
    recording.number = number;
    recording.numbers = numbers;
    recording.trace->device = ((owner const *)recording.owner[0])->device_id;
    recording.thread = PyThread_get_thread_ident();
    recording.broken = false;
    return recording.now = true;
}

/** What a call gave. False: it is not kept. */
static bool record_result(trace *c, PyObject *const *x, PyObject *r)
{
    c->result = r == Py_None ? TRACE_NOTHING : TRACE_TENSOR;
    for (int i = 0; i < c->of.arrays; ++i)
        if (x[i] == r) {
            c->result = TRACE_ARGUMENT;
            c->result_at.memory = i;
        }
    if (c->result != TRACE_TENSOR)
        return true;
    if (!place_of(r, &c->result_at))
        return false;
    owner const *const o = (owner const *)((object const *)r)->owner;
    tsr_engine const *const e = &((object const *)r)->v.as.tensor.engine;
    tsr_engine const *const whole =
        c->result_at.memory < c->of.arrays ? &((object const *)x[c->result_at.memory])->v.as.tensor.engine : NULL;
    c->result_tensor = ((object const *)r)->v.as.tensor;
    return e->begin == (whole ? whole->begin : (uint64_t)(uintptr_t)o->base)
           && e->end - e->begin == (whole ? whole->end - whole->begin : o->bytes);
}

trace *trace_end(PyObject *const *x, PyObject *r)
{
    trace *c = recording.trace;
    bool const keeps =
        r && !recording.broken && record_result(c, x, r) && (c->of.steps > 0 || c->result != TRACE_NOTHING);
    int const owners = c->of.memories, made = c->result == TRACE_TENSOR ? c->result_at.memory : -1;
    recording.now = false;
    recording.trace = NULL;
    if (keeps) {
        tsr_gpu_trace_end(&c->of, made);
        c->result_at.memory = made >= c->of.arrays ? c->of.arrays + 1 : c->result_at.memory;
    } else {
        trace_free(&c);
    }
    for (int i = 0; i < owners; ++i)
        Py_DECREF(recording.owner[i]);
    return c;
}
