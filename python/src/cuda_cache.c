/** Plans by what the arrays of a call are, in a cache of the library.
 *
 *  Key     the text of einsum, the type of a result that the call makes, and of each array its device, type, extents,
 *          steps and place in 256 bytes; of a product the stream, too, for its launches share memory.
 *  Law     a plan serves all arrays of its key that do not reach into what is written. Whether they do is asked of
 *          each call, by their first and last bytes; those that do go the long way. So do arrays that are not plain:
 *          that record gradients, stand for others, or would be cast by torch. The lock of the interpreter guards the
 *          table.
 */
#include "cuda_cache.h"

#include <string.h>

static void drop(void *plan)
{
    cache_entry *const k = (cache_entry *)plan;
    tsr_gpu_copy_free(&k->copy);
    trace_free(&k->trace);
    Py_XDECREF(k->maker);
    Py_XDECREF(k->arguments);
    Py_XDECREF(k->guard);
    PyMem_Free(k);
}

static tsr_gpu_plan_cache plans = {.drop = drop};

void cache_begin(request *c)
{
    tsr_gpu_key_begin(&c->key);
    c->numbers = 0;
    c->multiplies = false;
    c->stream = NULL;
}

/** Puts an array of another library that was read into the key. False: it is not kept. */
static bool put_foreign(request *c)
{
    int const i = c->key.arrays;
    DLTensor const *const d = &c->array[i];
    if (d->ndim < 0 || d->ndim > TSR_MAX_LEAVES || d->dtype.lanes != 1 || d->dtype.bits % 8 != 0)
        return false;
    c->own[i] = NULL;
    c->key.address[i] = (uint64_t)(uintptr_t)d->data + d->byte_offset;
    c->key.arrays = i + 1;
    bool fits = tsr_gpu_key_put(&c->key, (uint64_t)(uint32_t)d->device.device_id << 32 | (uint64_t)d->dtype.code << 16
                                             | d->dtype.bits)
                && tsr_gpu_key_put(&c->key, (uint64_t)d->ndim << 32 | c->key.address[i] % CACHE_ALIGNED);
    for (int k = 0; k < d->ndim && fits; ++k)
        fits = tsr_gpu_key_put(&c->key, (uint64_t)d->shape[k]) && tsr_gpu_key_put(&c->key, (uint64_t)d->strides[k]);
    return fits;
}

/** The same of a tensor of ours, which is memory as it is, all within its owner's. */
static bool put_own(request *c, tsr_tensor const *t, bool constant)
{
    c->own[c->key.arrays] = t;
    return tsr_gpu_key_put(&c->key, constant) && tsr_gpu_key_put_tensor(&c->key, t);
}

bool cache_put_array(request *c, PyObject *x, bool *streams)
{
    int const i = c->key.arrays;
    int device = -1;
    bool constant = false;
    if (i == CACHE_ARRAYS)
        return false;
    tsr_tensor const *const own = cuda_own(x, &device, &constant);
    if (!own && (PyObject_TypeCheck(x, tensor_type) || !cuda_peek(x, &c->array[i], streams, &c->stream)))
        return false;
    device = own ? device : c->array[i].device.device_id;
    if (i == 0)
        c->device = device;
    return device == c->device && (own ? put_own(c, own, constant) : put_foreign(c));
}

bool cache_read_request(request *c, char const *const texts[2], PyObject *made, PyObject *const *x, int arrays)
{
    bool streams = false;
    cache_begin(c);
    if (arrays < 1 || arrays > CACHE_ARRAYS)
        return false;
    for (int i = 0; i < arrays; ++i)
        if (!cuda_peek(x[i], &c->array[i], &streams, &c->stream))
            return false;
    c->device = c->array[0].device.device_id;
    int const rank = c->array[0].ndim;
    char const *const text = texts[rank == 3];
    if (texts[0] != texts[1] && rank != 2 && rank != 3)
        return false;
    c->multiplies = text != NULL;
    if (!tsr_gpu_key_put(&c->key, (uint64_t)arrays << 1 | c->multiplies)
        || !tsr_gpu_key_put(&c->key, (uint64_t)(uintptr_t)made)
        || !tsr_gpu_key_put_text(&c->key, text ? text : "", text ? strlen(text) : 0))
        return false;
    for (int i = 0; i < arrays; ++i)
        if (c->array[i].device.device_id != c->device || !put_foreign(c))
            return false;
    return tsr_gpu_key_put(&c->key, text ? (uint64_t)(uintptr_t)c->stream : 0);
}

bool cache_read_result(request *c, PyObject *y)
{
    DLTensor *const d = &c->array[c->key.arrays];
    if (!cuda_peek(y, d, NULL, NULL) || d->device.device_id != c->device)
        return false;
    c->key.address[c->key.arrays++] = (uint64_t)(uintptr_t)d->data + d->byte_offset;
    return true;
}

cache_entry *cache_find(request const *c)
{
    tsr_gpu_cached_plan const *const p = tsr_gpu_plan_find(&plans, &c->key);
    return p ? (cache_entry *)p->plan : NULL;
}

/** How far an array of another library reaches. */
static tsr_gpu_bytes bound(DLTensor const *d)
{
    int64_t const bytes = d->dtype.bits / 8;
    tsr_gpu_bytes r = {0, bytes};
    for (int i = 0; i < d->ndim; ++i) { /* which the plan has found to be within 64 bits */
        int64_t const last = (d->shape[i] - 1) * d->strides[i] * bytes;
        r.before -= last < 0 ? last : 0;
        r.behind += last < 0 ? 0 : last;
    }
    return r;
}

static void reach(request const *c, tsr_gpu_bytes *bytes)
{
    for (int i = 0; i < c->key.arrays; ++i)
        bytes[i] = c->own[i] ? tsr_gpu_bytes_of(c->own[i]) : bound(&c->array[i]);
}

bool cache_apart(cache_entry const *k, request const *c, int written)
{
    return tsr_gpu_is_apart(k->at->bytes, &c->key, written);
}

bool cache_will_be_apart(request const *c, int written)
{
    tsr_gpu_bytes bytes[CACHE_ARRAYS];
    reach(c, bytes);
    return tsr_gpu_is_apart(bytes, &c->key, written);
}

bool cache_is_full(void)
{
    bool const full = plans.entries >= TSR_GPU_PLANS;
    if (full)
        cuda_forget();
    return full;
}

void cuda_forget(void)
{
    trace_add_other();
    tsr_gpu_plan_clear(&plans);
}

bool cache_serves(cache_entry const *k, request const *c, PyObject *const *x)
{
    if (k->guard && !cuda_goes_forward()) {
        PyObject *a[CACHE_ARRAYS + 1] = {NULL}; /* those behind the first NULL are not read */
        memcpy(a, x, (size_t)c->key.arrays * sizeof *x);
        PyObject *const like =
            PyObject_CallFunctionObjArgs(k->guard, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
        bool const is = like && PyObject_IsTrue(like);
        Py_XDECREF(like);
        PyErr_Clear();
        if (is)
            return true;
    }
    return cuda_are_plain(x, c->array, c->key.arrays, c->multiplies);
}

cache_entry *cache_make(request const *c, PyObject *const *x, tsr_gpu_device const *device)
{
    tsr_gpu_bytes bytes[CACHE_ARRAYS];
    bool const plain = cuda_are_plain(x, c->array, c->key.arrays, c->multiplies);
    cache_entry *const k = plain ? (cache_entry *)PyMem_Calloc(1, sizeof *k) : NULL;
    if (!k)
        return NULL;
    reach(c, bytes);
    k->guard = cuda_guard_of(x, c->key.arrays);
    k->device = device;
    k->at = tsr_gpu_plan_insert(&plans, &c->key, bytes, k);
    if (k->at)
        return k;
    drop(k);
    return NULL;
}

/** The plan of a request, or the one that writes the result of a call that makes it. */
static cache_entry const *plan_of(request const *c, bool made)
{
    cache_entry const *const k = cache_find(c);
    return k && made ? k->writes : k;
}

int cache_run(request const *c, bool made, trace_memory *room)
{
    cache_entry const *k = plan_of(c, made);
    if (!k)
        return 0;
    tsr_gpu_stream const stream = {k->device, c->stream};
    tsr_gpu_stream const *const on = c->stream ? &stream : NULL;
    uint64_t const *const at = c->key.address;
    if (!k->trace)
        return cuda_check(k->copy ? tsr_gpu_copy_run(k->copy, at[0], at[1], on)
                                  : tsr_gpu_gemm_run_at(k->product, at[0], at[1], at[2], 0, on))
                   ? 1
                   : -1;
    trace_needs(k->trace, room);
    bool const taken = trace_take_memory(room, c->device);
    k = taken ? plan_of(c, made) : NULL;
    if (!k || !k->trace || !trace_fits(k->trace, room))
        return PyErr_Occurred() ? -1 : 0;
    return trace_run(k->trace, at, c->number, room, on);
}
