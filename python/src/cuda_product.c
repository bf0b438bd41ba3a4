/** Products on a GPU. Their plans are kept, for making one takes longer than most products. */
#include "cuda_replay.h"
#include "cuda_trace.h"

#include <string.h>

/** Times as long as the best kernel that another one may take the first time. */
#define MUCH_SLOWER 1.5

enum { MOST_TEXT = 160, TRIES = 6, MOST_PRODUCTS = 1024 };

/** What a plan was made for, and the plan. */
typedef struct product {
    struct product *next;
    tsr_gpu_planned_gemm *plan;
    void *stream;
    char text[MOST_TEXT]; /* of einsum; empty: gemm */
    tsr_tensor operand[4];
    bool has_bias, relu, tuned, unproven;
    bool exact; /* C shares bytes with an operand: a plan is proved for these addresses only */
    double alpha, beta;
    int device;
} product;

/** Whether a plan for the numbers of one product serves those of another one: they are arguments, but 1 and 0 are none,
 *  and integers by the tensor cores are small. */
static bool same_numbers(product const *p, product const *q)
{
    double const number[4] = {p->alpha, p->beta, q->alpha, q->beta};
    bool small[4];
    for (int i = 0; i < 4; ++i)
        small[i] = number[i] >= -1e6 && number[i] <= 1e6 && number[i] == (double)(int32_t)number[i];
    return (p->alpha == 1) == (q->alpha == 1) && (p->beta == 0) == (q->beta == 0)
           && (small[0] && small[1]) == (small[2] && small[3]);
}

static product *products;
static int count_products;

static bool same_layout(tsr_layout const *a, tsr_layout const *b)
{
    size_t const n = a->shape.leaves;
    if (a->composed || b->composed)
        return tsr_equal(*a, *b);
    return n == b->shape.leaves && memcmp(a->shape.leaf, b->shape.leaf, n * sizeof *a->shape.leaf) == 0
           && memcmp(a->stride.leaf, b->stride.leaf, n * sizeof *a->stride.leaf) == 0;
}

bool cuda_same_tensor(tsr_tensor const *a, tsr_tensor const *b, bool exact)
{
    enum { ALIGNED = 256 };
    tsr_engine const *const x = &a->engine, *const y = &b->engine;
    bool const moved = x->address != y->address, swizzled = x->swizzle.bits > 0 || y->swizzle.bits > 0;
    if ((exact || swizzled) && (moved || memcmp(&x->swizzle, &y->swizzle, sizeof x->swizzle) != 0))
        return false;
    return x->kind == TSR_POINTER && y->kind == TSR_POINTER && x->type == y->type && x->map.kind == y->map.kind
           && x->map.kind == TSR_AS_IS && x->bit == y->bit && (x->address - y->address) % ALIGNED == 0
           && same_layout(&a->layout, &b->layout);
}

static bool same_product(product const *p, product const *like)
{
    bool same = p->stream == like->stream && strcmp(p->text, like->text) == 0 && p->has_bias == like->has_bias
                && p->relu == like->relu && same_numbers(p, like) && p->device == like->device
                && p->exact == like->exact && (p->tuned || !like->tuned) && p->unproven == like->unproven;
    for (int i = 0; same && i < (like->has_bias ? 4 : 3); ++i)
        same = cuda_same_tensor(&p->operand[i], &like->operand[i], like->exact);
    return same;
}

/** Makes room: programs whose shapes always differ would fill all memory. Plans with memory of the device stay, for a
 *  graph that was captured may write to it. */
static void drop_products(void)
{
    cuda_forget(); /* names some of them */
    for (product **at = &products; *at;) {
        product *const p = *at;
        if (tsr_gpu_gemm_memory(p->plan) > 0 || !tsr_gpu_ok(tsr_gpu_gemm_free(&p->plan))) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        --count_products;
        PyMem_Free(p);
    }
}

/** Whether a plan can be measured now; false: an exception is set. */
static bool can_measure(tsr_gpu_stream const *stream)
{
    bool const captured = cuda_is_captured(stream);
    if (captured)
        PyErr_SetString(PyExc_ValueError,
                        "tune=True measures plans, and this stream is captured in a graph, which runs "
                        "later: call the product once before the capture");
    return !captured;
}

/** A product that was planned, now the first one; NULL: there is none. */
static product *find(product const *like)
{
    for (product **at = &products; *at; at = &(*at)->next)
        if (same_product(*at, like)) {
            product *const found = *at;
            *at = found->next;
            found->next = products;
            return products = found;
        }
    return NULL;
}

/** Makes the plan of a product that comes for the first time, or again. The first time a kernel that is compiled will
 *  do if it is not much slower: programs whose sizes always differ would compile in every call. What a graph keeps is
 *  no first time. */
static tsr_gpu_result make_plan(product const *p, bool again, tsr_gpu_stream const *stream,
                                tsr_gpu_planned_gemm **plan)
{
    tsr_epilogue e = tsr_make_epilogue(p->alpha, p->beta);
    e.bias = p->has_bias ? &p->operand[3] : NULL;
    e.activation = p->relu ? TSR_RELU : TSR_NO_ACTIVATION;
    tsr_tensor const *const t = p->operand;
    char const *const text = p->text[0] ? p->text : NULL;
    bool const once = !again && !cuda_is_captured(stream);
    tsr_gpu_gemm_options const options = {.not_run_on_silicon = p->unproven, .slower = once ? MUCH_SLOWER : 1};
    return p->tuned ? tsr_gpu_gemm_tune(cuda_cache(), stream->device, text, t[0], t[1], t[2], &e, TRIES,
                                        cuda_given(stream), cuda_log(), plan)
                    : tsr_gpu_gemm_plan_with(cuda_cache(), stream->device, text, t[0], t[1], t[2], &e, &options,
                                             cuda_log(), plan);
}

/** The plan of a product, made if there is none, or if a kernel stands in for its own; NULL: an exception is set. */
static product *plan_of(product const *like, tsr_gpu_stream const *stream)
{
    product *p = find(like);
    if (p && (!tsr_gpu_gemm_stands_in(p->plan) || cuda_is_captured(stream)))
        return p;
    if (like->tuned && !can_measure(stream))
        return NULL;
    tsr_gpu_planned_gemm *plan = NULL;
    int const before = cuda_making(stream->device);
    tsr_gpu_result const r = make_plan(like, p != NULL, stream, &plan);
    cuda_made(stream->device, before);
    if (!cuda_check(r))
        return NULL;
    if (p) { /* nobody has kept the plan of one that stands in */
        tsr_gpu_planned_gemm *was = p->plan;
        p->plan = plan;
        return cuda_check(tsr_gpu_gemm_free(&was)) ? p : NULL;
    }
    if (count_products >= MOST_PRODUCTS)
        drop_products();
    p = (product *)PyMem_Malloc(sizeof *p);
    if (!p) {
        (void)tsr_gpu_gemm_free(&plan);
        return PyErr_NoMemory(), NULL;
    }
    *p = *like;
    p->plan = plan;
    p->next = products;
    ++count_products;
    return products = p;
}

/** Whether the bytes of C reach into those of another operand. */
static bool overlap(tsr_tensor const *t, int count)
{
    tsr_engine const *const c = &t[2].engine;
    bool r = false;
    for (int i = 0; i < count; ++i)
        r = r || (i != 2 && t[i].engine.begin < c->end && c->begin < t[i].engine.end);
    return r;
}

/** Launches a product of operands on one device, on *stream, their own. NULL: an exception is set. */
static product const *launch(char const *text, operand const *o, bool has_bias, scalar const n[2], bool relu,
                             bool tune, bool unproven, tsr_gpu_stream *stream)
{
    product like;
    memset(&like, 0, offsetof(product, operand));
    like.alpha = tsr_number_to_double(n[0].value);
    like.beta = tsr_number_to_double(n[1].value);
    like.has_bias = has_bias;
    like.relu = relu;
    like.tuned = tune && !unproven;
    like.unproven = unproven;
    like.device = o[0].device;
    int const count = has_bias ? 4 : 3;
    if (text && strlen(text) >= sizeof like.text)
        return PyErr_Format(PyExc_ValueError, "einsum: a text of more than %d characters", MOST_TEXT - 1), NULL;
    snprintf(like.text, sizeof like.text, "%s", text ? text : "");
    for (int i = 0; i < count; ++i)
        like.operand[i] = o[i].tensor;
    like.exact = overlap(like.operand, count);
    tsr_gpu_device const *const device = cuda_device(like.device);
    if (!device || !cuda_stream(o, count, device, stream))
        return NULL;
    like.stream = stream->handle;
    product const *const p = plan_of(&like, stream);
    if (!p)
        return NULL;
    uint64_t address[4] = {0};
    for (int i = 0; i < count; ++i)
        address[i] = o[i].tensor.engine.address;
    tsr_gpu_result const r = tsr_gpu_gemm_run_with(p->plan, like.alpha, like.beta, address[0], address[1], address[2],
                                                   address[3], cuda_given(stream));
    return cuda_check(r) ? p : NULL;
}

int cuda_multiply_operands(char const *text, operand const o[3])
{
    tsr_gpu_stream stream;
    scalar const n[2] = {cuda_constant(1), cuda_constant(0)};
    return launch(text, o, false, n, false, false, false, &stream) ? 1 : -1;
}

int cuda_multiply(char const *text, PyObject *const x[4], scalar const n[2], bool relu, bool tune, bool unproven)
{
    operand o[4];
    tsr_gpu_stream stream;
    bool const has_bias = x[3] != Py_None;
    int const count = has_bias ? 4 : 3;
    for (int i = 0; i < count; ++i)
        if (!operand_from_python(x[i], i == 2, &o[i]))
            return -1;
    int const place = cuda_place(o, count);
    if (place < 0)
        return place == -1 ? 0 : -1;
    product const *const p = launch(text, o, has_bias, n, relu, tune, unproven, &stream);
    if (!p || p->exact || tsr_gpu_gemm_stands_in(p->plan)) {
        trace_add_other();
        return p ? 1 : -1;
    }
    trace_add_product(x, count, n, p->plan);
    if (text && p->alpha == 1 && p->beta == 0 && !has_bias && !relu)
        cuda_remember_product(stream.device, text, x, p->plan);
    return 1;
}
