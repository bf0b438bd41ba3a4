/** Reductions on a GPU, whose plans are kept: making one asks for its kernel, and perhaps for memory. */
#include "cuda_replay.h"
#include "cuda_trace.h"

#include <string.h>

/** What a plan was made for, and the plan. */
typedef struct reduction {
    struct reduction *next;
    tsr_gpu_planned_reduce *plan;
    void *stream; /* launches share the memory of a plan */
    int op, device;
    tsr_tensor from, to;
} reduction;

static reduction *reductions;
static int entries;

static bool is_like(reduction const *x, reduction const *y)
{
    return x->op == y->op && x->device == y->device && x->stream == y->stream
           && cuda_same_tensor(&x->from, &y->from, false) && cuda_same_tensor(&x->to, &y->to, false);
}

/** Makes room. Plans with memory stay: a graph that was captured may write to it. */
static void drop_some(void)
{
    cuda_forget(); /* names some of them */
    for (reduction **at = &reductions; *at;) {
        reduction *const x = *at;
        if (tsr_gpu_reduce_memory(x->plan) > 0 || !tsr_gpu_ok(tsr_gpu_reduce_free(&x->plan))) {
            at = &x->next;
            continue;
        }
        *at = x->next;
        --entries;
        PyMem_Free(x);
    }
}

/** The plan, made if there is none; NULL: an exception is set. The one that was used last stands first. */
static reduction *plan_of(reduction const *like, tsr_gpu_device const *device)
{
    enum { MOST_ENTRIES = 1024 };
    for (reduction **at = &reductions; *at; at = &(*at)->next)
        if (is_like(*at, like)) {
            reduction *const found = *at;
            *at = found->next;
            found->next = reductions;
            return reductions = found;
        }
    if (entries >= MOST_ENTRIES)
        drop_some();
    reduction *const x = (reduction *)PyMem_Malloc(sizeof *x);
    if (!x)
        return PyErr_NoMemory(), NULL;
    *x = *like;
    tsr_reducer const op = (tsr_reducer)x->op;
    int const before = cuda_making(device);
    tsr_gpu_result const r = tsr_gpu_reduce_plan(cuda_cache(), device, op, x->from, x->to, cuda_log(), &x->plan);
    cuda_made(device, before);
    if (!cuda_check(r)) {
        PyMem_Free(x);
        return NULL;
    }
    x->next = reductions;
    ++entries;
    return reductions = x;
}

int cuda_reduce(int op, PyObject *from, PyObject *to)
{
    operand o[2];
    reduction like;
    tsr_gpu_stream stream;
    memset(&like, 0, sizeof like);
    if (!operand_from_python(from, false, &o[0]) || !operand_from_python(to, true, &o[1]))
        return -1;
    like.op = op;
    like.device = cuda_place(o, 2);
    if (like.device < 0)
        return like.device == -1 ? 0 : -1;
    like.from = o[0].tensor;
    like.to = o[1].tensor;
    tsr_gpu_device const *const device = cuda_device(like.device);
    if (!device || !cuda_stream(o, 2, device, &stream))
        return -1;
    like.stream = stream.handle;
    reduction const *const x = plan_of(&like, device);
    if (!x)
        return -1;
    bool const done = cuda_check(tsr_gpu_reduce_run(x->plan, like.from.engine.address, like.to.engine.address,
                                                    stream.handle ? &stream : NULL));
    PyObject *const arrays[2] = {from, to};
    if (done)
        trace_add_sum(arrays, x->plan);
    else
        trace_add_other();
    return done ? 1 : -1;
}
