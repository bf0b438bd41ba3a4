/** Chains of launches, such as those of an einsum of three tensors.
 *
 *  While a call is noted, each launch tells its plan and its tensors. A tensor's owner tells whether it lies in
 *  an array of the call or in memory between two launches. A chain is these plans, with the places of their operands.
 *
 *  Law     a chain serves all arrays of its key (cuda_kept.c) that do not reach into the result. Its plans depend on
 *          layouts and on addresses modulo KEPT_ALIGNED bytes. Launches of one stream do not overtake each other, so
 *          the memory between them is free for others after the last one. */
#include "cuda_chain.h"
#include "cuda_kept.h"

#include <string.h>

enum { MOST_STEPS = 32, MOST_BETWEEN = 32, OPERANDS = 3 };

/** Where an operand begins: bytes behind the beginning of an array, or of the memory between for `array` = arrays. */
typedef struct place {
    int array;
    uint64_t offset;
} place;

typedef struct step {
    tsr_gpu_planned_copy *copy; /* its own */
    tsr_gpu_planned_gemm const *product;
    tsr_gpu_planned_reduce const *sum;
    place at[OPERANDS];
} step;

struct chain {
    int arrays, steps, device;
    uint64_t between;            /* bytes of the memory between launches */
    PyObject *maker, *arguments; /* what makes it */
    step step[MOST_STEPS];
};

/** The call that is noted. */
static struct {
    bool now, broken;
    unsigned long thread;
    chain *chain;
    PyObject *owner[KEPT_ARRAYS + MOST_BETWEEN];      /* of the arrays, and of the memory between, which is held */
    uint64_t begin[KEPT_ARRAYS], place[MOST_BETWEEN]; /* of the arrays; in the one piece of memory */
    int owners;
} noted;

/** Whether a launch of this thread is to be noted. Another one may come in between. */
static bool is_noted(void) { return noted.now && !noted.broken && PyThread_get_thread_ident() == noted.thread; }

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
    int const k = i - noted.chain->arrays;
    if (!o || k >= MOST_BETWEEN || (uintptr_t)o->base % KEPT_ALIGNED != 0 || o->device_id != noted.chain->device)
        return -1;
    Py_INCREF(x);
    noted.owner[i] = x;
    noted.owners = i + 1;
    noted.place[k] = noted.chain->between;
    noted.chain->between += (o->bytes + KEPT_ALIGNED - 1) / KEPT_ALIGNED * KEPT_ALIGNED;
    return i;
}

static bool place_of(PyObject *x, place *to)
{
    if (!PyObject_TypeCheck(x, tensor_type))
        return false;
    object const *const o = (object const *)x;
    int const arrays = noted.chain->arrays, i = number_of(o->owner);
    tsr_engine const *const e = &o->v.as.tensor.engine;
    if (i < 0 || e->bit != 0)
        return false;
    bool const between = i >= arrays;
    uint64_t const begin = between ? (uint64_t)(uintptr_t)((owner const *)o->owner)->base : noted.begin[i];
    to->array = between ? arrays : i;
    to->offset = e->address - begin + (between ? noted.place[i - arrays] : 0);
    return true;
}

/** The next step, with the places of its operands; NULL: the call is not kept. */
static step *next_step(PyObject *const *x, int operands)
{
    chain *const c = noted.chain;
    step *const s = c->steps < MOST_STEPS ? &c->step[c->steps] : NULL;
    bool fits = s != NULL;
    for (int i = 0; i < operands && fits; ++i)
        fits = place_of(x[i], &s->at[i]);
    c->steps += fits;
    noted.broken = !fits;
    return fits ? s : NULL;
}

void chain_note_copy(PyObject *const x[2], tsr_gpu_planned_copy **plan)
{
    step *const s = is_noted() ? next_step(x, 2) : NULL;
    if (s) {
        s->copy = *plan;
        *plan = NULL;
    }
}

void chain_note_product(PyObject *const x[3], tsr_gpu_planned_gemm const *plan)
{
    step *const s = is_noted() ? next_step(x, 3) : NULL;
    if (s)
        s->product = plan;
}

void chain_note_sum(PyObject *const x[2], tsr_gpu_planned_reduce const *plan)
{
    step *const s = is_noted() ? next_step(x, 2) : NULL;
    if (s)
        s->sum = plan;
}

void chain_free(chain **c)
{
    if (!*c)
        return;
    for (int i = 0; i < (*c)->steps; ++i)
        tsr_gpu_copy_free(&(*c)->step[i].copy);
    Py_XDECREF((*c)->maker);
    Py_XDECREF((*c)->arguments);
    PyMem_Free(*c);
    *c = NULL;
}

/* Again */

/** Memory between the launches, at an address; NULL: there is none on the device, or an exception is set. */
static PyObject *make_between(chain const *c, uint64_t *address)
{
    DLTensor d;
    PyObject *const x = PyObject_Call(c->maker, c->arguments, NULL);
    if (!x || !cuda_peek(x, &d, NULL, NULL) || d.device.device_id != c->device) {
        Py_XDECREF(x);
        return NULL;
    }
    *address = (uint64_t)(uintptr_t)d.data + d.byte_offset;
    return x;
}

int chain_run(chain const *c, uint64_t const *address, tsr_gpu_stream const *on)
{
    uint64_t base[KEPT_ARRAYS + 1];
    memcpy(base, address, (size_t)c->arrays * sizeof *address);
    PyObject *const between = c->between > 0 ? make_between(c, &base[c->arrays]) : NULL;
    bool good = c->between == 0 || between;
    if (!good || (between && base[c->arrays] % KEPT_ALIGNED != 0)) {
        Py_XDECREF(between);
        return PyErr_Occurred() ? -1 : 0;
    }
    for (int i = 0; i < c->steps && good; ++i) {
        step const *const s = &c->step[i];
        uint64_t at[OPERANDS];
        for (int k = 0; k < (s->product ? 3 : 2); ++k)
            at[k] = base[s->at[k].array] + s->at[k].offset;
        good = cuda_check(s->copy      ? tsr_gpu_copy_run(s->copy, at[0], at[1], on)
                          : s->product ? tsr_gpu_gemm_run_at(s->product, at[0], at[1], at[2], 0, on)
                                       : tsr_gpu_reduce_run(s->sum, at[0], at[1], on));
    }
    Py_XDECREF(between);
    return good ? 1 : -1;
}

/* The first time */

/** Begins to note a call on these tensors. False: it is not kept, and no exception is set. */
static bool begin(PyObject *tensors, int arrays)
{
    if (noted.now || arrays > KEPT_ARRAYS || PyTuple_Size(tensors) != arrays)
        return PyErr_Clear(), false;
    for (int i = 0; i < arrays; ++i) {
        object const *const o = (object const *)PyTuple_GetItem(tensors, i);
        if (!PyObject_TypeCheck((PyObject *)o, tensor_type) || !o->owner)
            return false;
        noted.owner[i] = o->owner;
        noted.begin[i] = o->v.as.tensor.engine.address;
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

/** Ends it. The chain, which needs `maker` and the type of a byte where memory lies between its launches; NULL: none is
 *  kept. */
static chain *end(bool done, PyObject *maker, PyObject *type)
{
    chain *c = noted.chain;
    bool const keeps = done && !noted.broken && c->steps > 0 && (c->between == 0 || PyCallable_Check(maker));
    noted.now = false;
    noted.chain = NULL;
    if (keeps && c->between > 0 && (c->arguments = Py_BuildValue("((K)(i)O)", c->between, 1, type)) != NULL) {
        Py_INCREF(maker);
        c->maker = maker;
    }
    if (!keeps || (c->between > 0 && !c->arguments))
        chain_free(&c);
    for (int i = 0; i < noted.owners; ++i)
        Py_DECREF(noted.owner[i]);
    return c;
}

PyObject *cuda_noted(PyObject *module, PyObject *const *x, Py_ssize_t count)
{
    enum { INPUTS = 5 };
    char const *text = NULL;
    (void)module;
    if (count < INPUTS + 2 || !PyTuple_Check(x[2]) || !PyArg_Parse(x[0], "s", &text))
        return PyErr_Occurred()
                   ? NULL
                   : PyErr_Format(PyExc_TypeError, "a call is noted with a text, a tuple and two arrays");
    int const arrays = (int)count - INPUTS;
    bool const begins = begin(x[2], arrays);
    PyObject *const r = PyObject_CallObject(x[1], NULL);
    chain *c = begins ? end(r != NULL, x[3], x[4]) : NULL;
    if (c)
        cuda_remember_chain(text, x + INPUTS, arrays, c->device, c);
    if (PyErr_Occurred() && r)
        PyErr_Clear();
    return r;
}
