/** Traces: launches in a row, such as those of an einsum of three tensors.
 *
 *  While a call is recorded, each launch tells its plan and its tensors. A tensor's owner tells where it lies: in an
 *  array of the call, in memory between two launches, or in the result. A number is known by its object. A trace is
 *  these plans, with the places of their operands and where their numbers come from.
 *
 *  Law     a trace serves all arrays of its key (cuda_cache.c) that do not reach into those it writes. Its plans depend
 *          on layouts and on addresses modulo CACHE_ALIGNED bytes. Launches of one stream do not overtake each other,
 *          so the memory between them is free for others after the last one. */
#include "cuda_trace.h"
#include "cuda_cache.h"

#include <string.h>

enum { MOST_STEPS = 32, MOST_BETWEEN = 32, OPERANDS = 4 };

/** Where an operand begins: bytes behind a base. While a call is recorded, the bases are the owners. Of a trace they
 *  are its arrays, the memory between, and that of the result. */
typedef struct place {
    int base;
    uint64_t offset;
} place;

/** Where a number comes from: from the call, of which it is number `from`, -1: it stays. */
typedef struct factor {
    int from;
    scalar like;
} factor;

typedef struct step {
    tsr_gpu_planned_copy *copy;       /* its own */
    tsr_gpu_planned_combine *combine; /* its own */
    tsr_gpu_planned_gemm const *product;
    tsr_gpu_planned_reduce const *sum;
    int operands;
    bool renumbered; /* some number comes from the call */
    place at[OPERANDS];
    factor number[2];
} step;

struct trace {
    int arrays, steps, device;
    unsigned written;  /* a bit for each array */
    uint64_t bytes[2]; /* of the memory between launches, and of the result's */
    trace_result result;
    place result_at;
    tsr_tensor result_tensor;
    step step[MOST_STEPS];
};

/** The call that is recorded. */
static struct {
    bool now, broken;
    unsigned long thread;
    trace *trace;
    PyObject *owner[CACHE_ARRAYS + MOST_BETWEEN]; /* of the arrays, then those of other memory, which are held */
    uint64_t begin[CACHE_ARRAYS + MOST_BETWEEN];
    int owners;
    PyObject *const *number;
    int numbers;
} recording;

/** Whether a launch of this thread is to be recorded. Another one may come in between. */
static bool records(void) { return trace_is_recording() && !recording.broken; }

bool trace_is_recording(void) { return recording.now && PyThread_get_thread_ident() == recording.thread; }

void trace_add_other(void) { recording.broken = true; }

/** The number of an owner, which is recorded if it is new; -1: there are too many, or it is no such memory. */
static int number_of(PyObject *x)
{
    int i = 0;
    while (i < recording.owners && recording.owner[i] != x)
        ++i;
    if (i < recording.owners)
        return i;
    owner const *const o = (owner const *)x;
    if (!o || i - recording.trace->arrays >= MOST_BETWEEN || (uintptr_t)o->base % CACHE_ALIGNED != 0
        || o->device_id != recording.trace->device)
        return -1;
    Py_INCREF(x);
    recording.owner[i] = x;
    recording.begin[i] = (uint64_t)(uintptr_t)o->base;
    recording.owners = i + 1;
    return i;
}

static bool place_of(PyObject *x, place *to)
{
    if (!PyObject_TypeCheck(x, tensor_type))
        return false;
    object const *const o = (object const *)x;
    tsr_engine const *const e = &o->v.as.tensor.engine;
    int const i = e->bit == 0 ? number_of(o->owner) : -1;
    to->base = i;
    to->offset = i < 0 ? 0 : e->address - recording.begin[i];
    return i >= 0;
}

/** The next step, with the places of its operands, of which one is written, and others may be NULL, numbers; NULL: the
 *  call is not kept. */
static step *next_step(PyObject *const *x, int operands, int written)
{
    trace *const c = recording.trace;
    step *const s = c->steps < MOST_STEPS ? &c->step[c->steps] : NULL;
    bool fits = s != NULL;
    for (int i = 0; i < operands && fits; ++i)
        fits = place_of(x[i] ? x[i] : x[written], &s->at[i]);
    recording.broken = !fits;
    if (!fits)
        return NULL;
    int const to = s->at[written].base;
    if (to < c->arrays)
        c->written |= 1u << to;
    s->operands = operands;
    ++c->steps;
    return s;
}

static void put_numbers(step *s, scalar const n[2])
{
    for (int i = 0; i < 2; ++i) {
        factor *const f = &s->number[i];
        *f = (factor){recording.numbers - 1, n[i]};
        while (f->from >= 0 && recording.number[f->from] != n[i].of)
            --f->from;
        s->renumbered = s->renumbered || f->from >= 0;
    }
}

void trace_add_copy(PyObject *const x[2], scalar const *n, tsr_gpu_planned_copy **plan)
{
    step *const s = records() ? next_step(x, 2, 1) : NULL;
    if (!s)
        return;
    if (n)
        put_numbers(s, n);
    s->copy = *plan;
    *plan = NULL;
}

void trace_add_combine(PyObject *const x[3], scalar const n[2], tsr_gpu_planned_combine **plan)
{
    step *const s = records() ? next_step(x, 3, 2) : NULL;
    if (!s)
        return;
    put_numbers(s, n);
    s->combine = *plan;
    *plan = NULL;
}

void trace_add_product(PyObject *const x[4], int operands, scalar const n[2], tsr_gpu_planned_gemm const *plan)
{
    step *const s = records() ? next_step(x, operands, 2) : NULL;
    if (!s)
        return;
    put_numbers(s, n);
    s->product = plan;
}

void trace_add_sum(PyObject *const x[2], tsr_gpu_planned_reduce const *plan)
{
    step *const s = records() ? next_step(x, 2, 1) : NULL;
    if (s)
        s->sum = plan;
}

void trace_free(trace **c)
{
    if (!*c)
        return;
    for (int i = 0; i < (*c)->steps; ++i)
        tsr_gpu_copy_free(&(*c)->step[i].copy), tsr_gpu_combine_free(&(*c)->step[i].combine);
    PyMem_Free(*c);
    *c = NULL;
}

/* Replay */

unsigned trace_written(trace const *c) { return c->written; }

int trace_array_given(trace const *c)
{
    return c->result != TRACE_NOTHING && c->result_at.base < c->arrays ? c->result_at.base : -1;
}

void trace_needs(trace const *c, trace_memory *room)
{
    memset(room, 0, sizeof *room);
    memcpy(room->bytes, c->bytes, sizeof room->bytes);
}

bool trace_fits(trace const *c, trace_memory const *room)
{
    return memcmp(c->bytes, room->bytes, sizeof c->bytes) == 0;
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

/** The numbers of a step. False: an exception is set. */
static bool numbers_of(step const *s, PyObject *const *number, tsr_number n[2])
{
    bool good = true;
    for (int i = 0; i < 2 && good; ++i) {
        factor const *const f = &s->number[i];
        scalar x = f->like;
        good = f->from < 0 || cuda_scalar(number[f->from], f->like.type, &x);
        if (f->from >= 0 && f->like.negated)
            cuda_negate(&x);
        n[i] = x.value;
    }
    return good;
}

static tsr_gpu_result run_step(step const *s, uint64_t const at[OPERANDS], tsr_gpu_stream const *on)
{
    return s->copy      ? tsr_gpu_copy_run(s->copy, at[0], at[1], on)
           : s->combine ? tsr_gpu_combine_run(s->combine, at[0], at[1], at[2], on)
           : s->product ? tsr_gpu_gemm_run_at(s->product, at[0], at[1], at[2], at[3], on)
                        : tsr_gpu_reduce_run(s->sum, at[0], at[1], on);
}

static tsr_gpu_result run_renumbered(step const *s, tsr_number const n[2], uint64_t const at[OPERANDS],
                                     tsr_gpu_stream const *on)
{
    return s->copy      ? tsr_gpu_copy_run_with(s->copy, n[0], at[0], n[1], at[1], on)
           : s->combine ? tsr_gpu_combine_run_with(s->combine, n[0], at[0], n[1], at[1], at[2], on)
                        : tsr_gpu_gemm_run_with(s->product, tsr_number_to_double(n[0]), tsr_number_to_double(n[1]),
                                                at[0], at[1], at[2], at[3], on);
}

int trace_run(trace const *c, uint64_t const *address, PyObject *const *number, trace_memory const *room,
              tsr_gpu_stream const *on)
{
    uint64_t base[CACHE_ARRAYS + 2];
    memcpy(base, address, (size_t)c->arrays * sizeof *address);
    memcpy(base + c->arrays, room->at, sizeof room->at);
    for (int i = 0; i < c->steps; ++i) {
        step const *const s = &c->step[i];
        uint64_t at[OPERANDS] = {0};
        tsr_number n[2];
        for (int k = 0; k < s->operands; ++k)
            at[k] = base[s->at[k].base] + s->at[k].offset;
        if (s->renumbered && !numbers_of(s, number, n))
            return -1;
        tsr_gpu_result const r = s->renumbered ? run_renumbered(s, n, at, on) : run_step(s, at, on);
        if (r.status == TSR_GPU_NUMBERS && i == 0)
            return 0;
        if (!cuda_check(r))
            return -1;
    }
    return 1;
}

PyObject *trace_give(trace const *c, PyObject *const *x, uint64_t const *address, trace_memory const *room)
{
    int const base = c->result_at.base;
    if (c->result == TRACE_NOTHING)
        return Py_BuildValue("");
    if (c->result == TRACE_ARGUMENT) {
        Py_INCREF(x[base]);
        return x[base];
    }
    tsr_tensor t = c->result_tensor;
    bool const made = base > c->arrays;
    t.engine.address = (made ? room->at[1] : address[base]) + c->result_at.offset;
    t.engine.begin = made ? room->at[1] : ((object const *)x[base])->v.as.tensor.engine.begin;
    t.engine.end = made ? room->at[1] + c->bytes[1] : ((object const *)x[base])->v.as.tensor.engine.end;
    return made ? cuda_tensor_in(t, room->memory[1], c->device) : cuda_tensor_of(t, ((object const *)x[base])->owner);
}

/* The first time */

bool trace_begin(PyObject *const *x, int arrays, PyObject *const *number, int numbers)
{
    if (recording.now || arrays < 1 || arrays > CACHE_ARRAYS)
        return false;
    for (int i = 0; i < arrays; ++i) {
        object const *const o = (object const *)x[i];
        if (!PyObject_TypeCheck(x[i], tensor_type) || !o->owner)
            return false;
        recording.owner[i] = o->owner;
        recording.begin[i] = o->v.as.tensor.engine.address;
    }
    recording.trace = (trace *)PyMem_Calloc(1, sizeof *recording.trace);
    if (!recording.trace)
        return false;
    for (int i = 0; i < arrays; ++i)
        Py_INCREF(recording.owner[i]);
    recording.trace->arrays = recording.owners = arrays;
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
    for (int i = 0; i < c->arrays; ++i)
        if (x[i] == r) {
            c->result = TRACE_ARGUMENT;
            c->result_at.base = i;
        }
    if (c->result != TRACE_TENSOR)
        return true;
    if (!place_of(r, &c->result_at))
        return false;
    owner const *const o = (owner const *)((object const *)r)->owner;
    tsr_engine const *const e = &((object const *)r)->v.as.tensor.engine;
    tsr_engine const *const whole =
        c->result_at.base < c->arrays ? &((object const *)x[c->result_at.base])->v.as.tensor.engine : NULL;
    c->result_tensor = ((object const *)r)->v.as.tensor;
    return e->begin == (whole ? whole->begin : (uint64_t)(uintptr_t)o->base)
           && e->end - e->begin == (whole ? whole->end - whole->begin : o->bytes);
}

/** From owners to the bases of a trace. */
static void settle(trace *c)
{
    place now[CACHE_ARRAYS + MOST_BETWEEN];
    int const made = c->result == TRACE_TENSOR ? c->result_at.base : -1;
    for (int i = 0; i < recording.owners; ++i) {
        uint64_t const bytes = ((owner const *)recording.owner[i])->bytes;
        now[i] = (place){i, 0};
        if (i < c->arrays)
            continue;
        if (i == made) {
            now[i].base = c->arrays + 1;
            c->bytes[1] = bytes;
        } else {
            now[i] = (place){c->arrays, c->bytes[0]};
            c->bytes[0] += (bytes + CACHE_ALIGNED - 1) / CACHE_ALIGNED * CACHE_ALIGNED;
        }
    }
    for (int i = 0; i < c->steps; ++i)
        for (int k = 0; k < c->step[i].operands; ++k) {
            place *const at = &c->step[i].at[k];
            *at = (place){now[at->base].base, now[at->base].offset + at->offset};
        }
    if (made >= 0)
        c->result_at.base = now[made].base;
}

trace *trace_end(PyObject *const *x, PyObject *r)
{
    trace *c = recording.trace;
    bool const keeps =
        r && !recording.broken && record_result(c, x, r) && (c->steps > 0 || c->result != TRACE_NOTHING);
    recording.now = false;
    recording.trace = NULL;
    if (keeps)
        settle(c);
    else
        trace_free(&c);
    for (int i = 0; i < recording.owners; ++i)
        Py_DECREF(recording.owner[i]);
    return c;
}
