/** Chains of launches, such as those of an einsum of three tensors.
 *
 *  While a call is noted, each launch tells its plan and its tensors. A tensor's owner tells where it lies: in an array
 *  of the call, in memory between two launches, in the result, or in memory that the host has written, such as that of
 *  a number that is added. A chain is these plans, with the places of their operands.
 *
 *  Law     a chain serves all arrays of its key (cuda_kept.c) that do not reach into those it writes. Its plans depend
 *          on layouts and on addresses modulo KEPT_ALIGNED bytes. Launches of one stream do not overtake each other, so
 *          the memory between them is free for others after the last one. */
#include "cuda_chain.h"
#include "cuda_kept.h"

#include <string.h>

enum { MOST_STEPS = 32, MOST_BETWEEN = 32, MOST_CONSTANTS = 4, OPERANDS = 4 };

/** Where an operand begins: bytes behind a base. While a call is noted, the bases are the owners. Of a chain they are
 *  its arrays, the memory between, that of the result, and the constants. */
typedef struct place {
    int base;
    uint64_t offset;
} place;

typedef struct step {
    tsr_gpu_planned_copy *copy;       /* its own */
    tsr_gpu_planned_combine *combine; /* its own */
    tsr_gpu_planned_gemm const *product;
    tsr_gpu_planned_reduce const *sum;
    int operands;
    place at[OPERANDS];
} step;

struct chain {
    int arrays, steps, device, constants;
    unsigned written;                   /* a bit for each array */
    uint64_t bytes[2];                  /* of the memory between launches, and of the result's */
    PyObject *constant[MOST_CONSTANTS]; /* owners of numbers that the host has written */
    bool captured;                      /* a graph reads them: they stay */
    chain_result result;
    place result_at;
    tsr_tensor result_tensor;
    step step[MOST_STEPS];
};

/** The call that is noted. */
static struct {
    bool now, broken;
    unsigned long thread;
    chain *chain;
    PyObject *owner[KEPT_ARRAYS + MOST_BETWEEN]; /* of the arrays, then those of other memory, which are held */
    uint64_t begin[KEPT_ARRAYS + MOST_BETWEEN];
    bool by_host[KEPT_ARRAYS + MOST_BETWEEN]; /* its elements are written by the host */
    int owners;
} noted;

/** Whether a launch of this thread is to be noted. Another one may come in between. */
static bool is_noted(void) { return chain_is_noting() && !noted.broken; }

bool chain_is_noting(void) { return noted.now && PyThread_get_thread_ident() == noted.thread; }

void chain_note_other(void) { noted.broken = true; }

/** The number of an owner, which is noted if it is new; -1: there are too many, or it is no such memory. */
static int number_of(PyObject *x)
{
    int i = 0;
    while (i < noted.owners && noted.owner[i] != x)
        ++i;
    if (i < noted.owners)
        return i;
    owner const *const o = (owner const *)x;
    if (!o || i - noted.chain->arrays >= MOST_BETWEEN || (uintptr_t)o->base % KEPT_ALIGNED != 0
        || o->device_id != noted.chain->device)
        return -1;
    Py_INCREF(x);
    noted.owner[i] = x;
    noted.begin[i] = (uint64_t)(uintptr_t)o->base;
    noted.by_host[i] = false;
    noted.owners = i + 1;
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
    to->offset = i < 0 ? 0 : e->address - noted.begin[i];
    return i >= 0;
}

/** The next step, with the places of its operands, of which one is written; NULL: the call is not kept. */
static step *next_step(PyObject *const *x, int operands, int written)
{
    chain *const c = noted.chain;
    step *const s = c->steps < MOST_STEPS ? &c->step[c->steps] : NULL;
    bool fits = s != NULL;
    for (int i = 0; i < operands && fits; ++i)
        fits = place_of(x[i], &s->at[i]);
    int const to = fits ? s->at[written].base : 0;
    fits = fits && !noted.by_host[to];
    noted.broken = !fits;
    if (!fits)
        return NULL;
    if (to < c->arrays)
        c->written |= 1u << to;
    s->operands = operands;
    ++c->steps;
    return s;
}

void chain_note_copy(PyObject *const x[2], tsr_gpu_planned_copy **plan)
{
    step *const s = is_noted() ? next_step(x, 2, 1) : NULL;
    if (s) {
        s->copy = *plan;
        *plan = NULL;
    }
}

void chain_note_combine(PyObject *const x[3], tsr_gpu_planned_combine **plan)
{
    step *const s = is_noted() ? next_step(x, 3, 2) : NULL;
    if (s) {
        s->combine = *plan;
        *plan = NULL;
    }
}

void chain_note_product(PyObject *const x[4], int operands, tsr_gpu_planned_gemm const *plan)
{
    step *const s = is_noted() ? next_step(x, operands, 2) : NULL;
    if (s)
        s->product = plan;
}

void chain_note_sum(PyObject *const x[2], tsr_gpu_planned_reduce const *plan)
{
    step *const s = is_noted() ? next_step(x, 2, 1) : NULL;
    if (s)
        s->sum = plan;
}

void chain_note_number(PyObject *x)
{
    place to;
    if (!is_noted())
        return;
    int const before = noted.owners;
    bool const fits = place_of(x, &to) && (to.base == before || noted.by_host[to.base]);
    if (fits)
        noted.by_host[to.base] = true;
    noted.broken = !fits;
}

void chain_free(chain **c)
{
    if (!*c)
        return;
    for (int i = 0; i < (*c)->steps; ++i)
        tsr_gpu_copy_free(&(*c)->step[i].copy), tsr_gpu_combine_free(&(*c)->step[i].combine);
    for (int i = 0; i < (*c)->constants && !(*c)->captured; ++i)
        Py_DECREF((*c)->constant[i]);
    PyMem_Free(*c);
    *c = NULL;
}

/* Again */

unsigned chain_written(chain const *c) { return c->written; }

int chain_array_given(chain const *c)
{
    return c->result != CHAIN_NOTHING && c->result_at.base < c->arrays ? c->result_at.base : -1;
}

void chain_needs(chain const *c, chain_room *room)
{
    memset(room, 0, sizeof *room);
    memcpy(room->bytes, c->bytes, sizeof room->bytes);
}

bool chain_fits(chain const *c, chain_room const *room)
{
    return memcmp(c->bytes, room->bytes, sizeof c->bytes) == 0;
}

bool chain_take_room(chain_room *room, int device)
{
    bool good = true;
    for (int i = 0; i < 2 && good; ++i)
        if (room->bytes[i] > 0) {
            room->memory[i] = cuda_memory(room->bytes[i], device, &room->at[i]);
            good = room->memory[i] && room->at[i] % KEPT_ALIGNED == 0;
        }
    return good;
}

void chain_leave_room(chain_room *room)
{
    for (int i = 0; i < 2; ++i)
        Py_XDECREF(room->memory[i]);
    memset(room->memory, 0, sizeof room->memory);
}

bool chain_run(chain *c, uint64_t const *address, chain_room const *room, tsr_gpu_stream const *on)
{
    uint64_t base[KEPT_ARRAYS + 2 + MOST_CONSTANTS];
    memcpy(base, address, (size_t)c->arrays * sizeof *address);
    memcpy(base + c->arrays, room->at, sizeof room->at);
    for (int i = 0; i < c->constants; ++i)
        base[c->arrays + 2 + i] = (uint64_t)(uintptr_t)((owner const *)c->constant[i])->base;
    bool good = true;
    c->captured = c->captured || (c->constants > 0 && on && cuda_is_captured(on));
    for (int i = 0; i < c->steps && good; ++i) {
        step const *const s = &c->step[i];
        uint64_t at[OPERANDS] = {0};
        for (int k = 0; k < s->operands; ++k)
            at[k] = base[s->at[k].base] + s->at[k].offset;
        good = cuda_check(s->copy      ? tsr_gpu_copy_run(s->copy, at[0], at[1], on)
                          : s->combine ? tsr_gpu_combine_run(s->combine, at[0], at[1], at[2], on)
                          : s->product ? tsr_gpu_gemm_run_at(s->product, at[0], at[1], at[2], at[3], on)
                                       : tsr_gpu_reduce_run(s->sum, at[0], at[1], on));
    }
    return good;
}

PyObject *chain_give(chain const *c, PyObject *const *x, uint64_t const *address, chain_room const *room)
{
    int const base = c->result_at.base;
    if (c->result == CHAIN_NOTHING)
        return Py_BuildValue("");
    if (c->result == CHAIN_ARGUMENT) {
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

bool chain_begin(PyObject *const *x, int arrays)
{
    if (noted.now || arrays < 1 || arrays > KEPT_ARRAYS)
        return false;
    for (int i = 0; i < arrays; ++i) {
        object const *const o = (object const *)x[i];
        if (!PyObject_TypeCheck(x[i], tensor_type) || !o->owner)
            return false;
        noted.owner[i] = o->owner;
        noted.begin[i] = o->v.as.tensor.engine.address;
        noted.by_host[i] = false;
    }
    noted.chain = (chain *)PyMem_Calloc(1, sizeof *noted.chain);
    if (!noted.chain)
        return false;
    for (int i = 0; i < arrays; ++i)
        Py_INCREF(noted.owner[i]);
    noted.chain->arrays = noted.owners = arrays;
    noted.chain->device = ((owner const *)noted.owner[0])->device_id;
    noted.thread = PyThread_get_thread_ident();
    noted.broken = false;
    return noted.now = true;
}

/** What a call gave. False: it is not kept. */
static bool note_result(chain *c, PyObject *const *x, PyObject *r)
{
    c->result = r == Py_None ? CHAIN_NOTHING : CHAIN_TENSOR;
    for (int i = 0; i < c->arrays; ++i)
        if (x[i] == r) {
            c->result = CHAIN_ARGUMENT;
            c->result_at.base = i;
        }
    if (c->result != CHAIN_TENSOR)
        return true;
    if (!place_of(r, &c->result_at) || noted.by_host[c->result_at.base])
        return false;
    owner const *const o = (owner const *)((object const *)r)->owner;
    tsr_engine const *const e = &((object const *)r)->v.as.tensor.engine;
    tsr_engine const *const whole =
        c->result_at.base < c->arrays ? &((object const *)x[c->result_at.base])->v.as.tensor.engine : NULL;
    c->result_tensor = ((object const *)r)->v.as.tensor;
    return e->begin == (whole ? whole->begin : (uint64_t)(uintptr_t)o->base)
           && e->end - e->begin == (whole ? whole->end - whole->begin : o->bytes);
}

/** From owners to the bases of a chain. False: there are too many constants. */
static bool settle(chain *c)
{
    place now[KEPT_ARRAYS + MOST_BETWEEN];
    int const made = c->result == CHAIN_TENSOR ? c->result_at.base : -1;
    for (int i = 0; i < noted.owners; ++i) {
        uint64_t const bytes = ((owner const *)noted.owner[i])->bytes;
        now[i] = (place){i, 0};
        if (i < c->arrays)
            continue;
        if (i == made) {
            now[i].base = c->arrays + 1;
            c->bytes[1] = bytes;
        } else if (noted.by_host[i]) {
            if (c->constants == MOST_CONSTANTS)
                return false;
            now[i].base = c->arrays + 2 + c->constants;
            c->constant[c->constants++] = noted.owner[i];
            Py_INCREF(noted.owner[i]);
        } else {
            now[i] = (place){c->arrays, c->bytes[0]};
            c->bytes[0] += (bytes + KEPT_ALIGNED - 1) / KEPT_ALIGNED * KEPT_ALIGNED;
        }
    }
    for (int i = 0; i < c->steps; ++i)
        for (int k = 0; k < c->step[i].operands; ++k) {
            place *const at = &c->step[i].at[k];
            *at = (place){now[at->base].base, now[at->base].offset + at->offset};
        }
    if (made >= 0)
        c->result_at.base = now[made].base;
    return true;
}

chain *chain_end(PyObject *const *x, PyObject *r)
{
    chain *c = noted.chain;
    bool const keeps =
        r && !noted.broken && note_result(c, x, r) && settle(c) && (c->steps > 0 || c->result != CHAIN_NOTHING);
    noted.now = false;
    noted.chain = NULL;
    if (!keeps)
        chain_free(&c);
    for (int i = 0; i < noted.owners; ++i)
        Py_DECREF(noted.owner[i]);
    return c;
}
