/** Plans by what the arrays of a call are, in a hash table.
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

enum { BUCKETS = 1024, MOST_ENTRIES = 4096 };

static cache_entry *table[BUCKETS];
static int entries;

void cache_begin(request *c)
{
    c->arrays = c->words = c->numbers = 0;
    c->multiplies = false;
    c->stream = NULL;
    c->hash = 0;
}

bool cache_put(request *c, uint64_t word)
{
    if (c->words == CACHE_WORDS)
        return false;
    c->key[c->words++] = word;
    c->hash = (c->hash ^ word) * 0x9e3779b97f4a7c15u;
    c->hash ^= c->hash >> 29;
    return true;
}

bool cache_put_text(request *c, char const *text, size_t length)
{
    bool fits = cache_put(c, length);
    for (size_t at = 0; at < length && fits; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, text + at, length - at < sizeof word ? length - at : sizeof word);
        fits = cache_put(c, word);
    }
    return fits;
}

/** Puts an array of another library that was read into the key. False: it is not kept. */
static bool put_foreign(request *c, int i)
{
    DLTensor const *const d = &c->array[i];
    if (d->ndim < 0 || d->ndim > TSR_MAX_LEAVES || d->dtype.lanes != 1 || d->dtype.bits % 8 != 0)
        return false;
    c->own[i] = NULL;
    c->address[i] = (uint64_t)(uintptr_t)d->data + d->byte_offset;
    bool fits =
        cache_put(c, (uint64_t)(uint32_t)d->device.device_id << 32 | (uint64_t)d->dtype.code << 16 | d->dtype.bits)
        && cache_put(c, (uint64_t)d->ndim << 32 | c->address[i] % CACHE_ALIGNED);
    for (int k = 0; k < d->ndim && fits; ++k)
        fits = cache_put(c, (uint64_t)d->shape[k]) && cache_put(c, (uint64_t)d->strides[k]);
    return fits;
}

static bool put_tuple(request *c, tsr_tuple const *t)
{
    bool fits = cache_put(c, (uint64_t)t->status << 8 | t->leaves);
    for (int i = 0; i < t->leaves && fits; ++i) {
        uint64_t word[sizeof(tsr_leaf) / sizeof(uint64_t)];
        memcpy(word, &t->leaf[i], sizeof word);
        fits = cache_put(c, word[0]) && cache_put(c, word[1]);
    }
    return fits;
}

bool cache_put_layout(request *c, tsr_layout const *l)
{
    return !l->composed && put_tuple(c, &l->shape) && put_tuple(c, &l->stride);
}

/** The same of a tensor of ours, which is memory as it is, all within its owner's. */
static bool put_own(request *c, int i, tsr_tensor const *t, bool constant)
{
    tsr_engine const *const e = &t->engine;
    if (e->kind != TSR_POINTER || e->bit != 0 || e->swizzle.bits > 0 || e->map.kind != TSR_AS_IS)
        return false;
    c->own[i] = t;
    c->address[i] = e->address;
    bool const same = e->constant == constant;
    return cache_put(c, (uint64_t)1 << 63 | (uint64_t)e->type << 32 | (uint64_t)e->space << 16 | (uint64_t)same << 9
                            | (uint64_t)constant << 8 | c->address[i] % CACHE_ALIGNED)
           && cache_put_layout(c, &t->layout);
}

bool cache_put_array(request *c, PyObject *x, bool *streams)
{
    int const i = c->arrays;
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
    c->arrays = i + 1;
    return device == c->device && (own ? put_own(c, i, own, constant) : put_foreign(c, i));
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
    c->arrays = arrays;
    c->device = c->array[0].device.device_id;
    int const rank = c->array[0].ndim;
    char const *const text = texts[rank == 3];
    if (texts[0] != texts[1] && rank != 2 && rank != 3)
        return false;
    c->multiplies = text != NULL;
    if (!cache_put(c, (uint64_t)arrays << 1 | c->multiplies) || !cache_put(c, (uint64_t)(uintptr_t)made)
        || !cache_put_text(c, text ? text : "", text ? strlen(text) : 0))
        return false;
    for (int i = 0; i < arrays; ++i)
        if (c->array[i].device.device_id != c->device || !put_foreign(c, i))
            return false;
    return cache_put(c, text ? (uint64_t)(uintptr_t)c->stream : 0);
}

bool cache_read_result(request *c, PyObject *y)
{
    DLTensor *const d = &c->array[c->arrays];
    if (!cuda_peek(y, d, NULL, NULL) || d->device.device_id != c->device)
        return false;
    c->address[c->arrays++] = (uint64_t)(uintptr_t)d->data + d->byte_offset;
    return true;
}

cache_entry *cache_find(request const *c)
{
    for (cache_entry *k = table[c->hash % BUCKETS]; k; k = k->next)
        if (k->hash == c->hash && k->words == c->words
            && memcmp(k->key, c->key, (size_t)c->words * sizeof *c->key) == 0)
            return k;
    return NULL;
}

/** How far an array of another library reaches, in bytes. */
static void bound(DLTensor const *d, int64_t *low, int64_t *high)
{
    int64_t const bytes = d->dtype.bits / 8;
    *low = 0;
    *high = bytes;
    for (int i = 0; i < d->ndim; ++i) { /* which the plan has found to be within 64 bits */
        int64_t const last = (d->shape[i] - 1) * d->strides[i] * bytes;
        *low -= last < 0 ? last : 0;
        *high += last < 0 ? 0 : last;
    }
}

/** How many bytes each array takes before its address and behind it. */
static void reach(request const *c, int64_t *low, int64_t *high)
{
    for (int i = 0; i < c->arrays; ++i) {
        tsr_tensor const *const t = c->own[i];
        if (!t) {
            bound(&c->array[i], &low[i], &high[i]);
            continue;
        }
        tsr_ends const ends = tsr_ends_of(&t->layout);
        int64_t const bits = tsr_dtype_bits(t->engine.type);
        low[i] = ends.low < 0 ? (-ends.low * bits + 7) / 8 : 0;
        high[i] = ((ends.high + 1) * bits + 7) / 8;
    }
}

static bool is_apart(request const *c, int64_t const *low, int64_t const *high, int w)
{
    uint64_t const begin = c->address[w] - (uint64_t)low[w], end = c->address[w] + (uint64_t)high[w];
    for (int i = 0; i < c->arrays; ++i)
        if (i != w && c->address[i] - (uint64_t)low[i] < end && begin < c->address[i] + (uint64_t)high[i])
            return false;
    return true;
}

bool cache_apart(cache_entry const *k, request const *c, int written)
{
    return is_apart(c, k->low, k->high, written);
}

bool cache_will_be_apart(request const *c, int written)
{
    int64_t low[CACHE_ARRAYS], high[CACHE_ARRAYS];
    reach(c, low, high);
    return is_apart(c, low, high, written);
}

static void drop(cache_entry *k)
{
    tsr_gpu_copy_free(&k->copy);
    trace_free(&k->trace);
    Py_XDECREF(k->maker);
    Py_XDECREF(k->arguments);
    Py_XDECREF(k->guard);
    PyMem_Free(k);
}

bool cache_is_full(void)
{
    bool const full = entries >= MOST_ENTRIES;
    if (full)
        cuda_forget();
    return full;
}

void cuda_forget(void)
{
    trace_add_other();
    for (int i = 0; i < BUCKETS; ++i)
        for (cache_entry *k = table[i], *next; k; k = next) {
            next = k->next;
            drop(k);
        }
    memset(table, 0, sizeof table);
    entries = 0;
}

bool cache_serves(cache_entry const *k, request const *c, PyObject *const *x)
{
    if (k->guard && !cuda_goes_forward()) {
        PyObject *a[CACHE_ARRAYS + 1] = {NULL}; /* those behind the first NULL are not read */
        memcpy(a, x, (size_t)c->arrays * sizeof *x);
        PyObject *const like =
            PyObject_CallFunctionObjArgs(k->guard, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
        bool const is = like && PyObject_IsTrue(like);
        Py_XDECREF(like);
        PyErr_Clear();
        if (is)
            return true;
    }
    return cuda_are_plain(x, c->array, c->arrays, c->multiplies);
}

cache_entry *cache_make(request const *c, PyObject *const *x, tsr_gpu_device const *device)
{
    size_t const bytes = (size_t)c->words * sizeof *c->key;
    bool const plain = cuda_are_plain(x, c->array, c->arrays, c->multiplies);
    cache_entry *const k = plain ? (cache_entry *)PyMem_Calloc(1, sizeof *k + bytes) : NULL;
    if (!k)
        return NULL;
    k->guard = cuda_guard_of(x, c->arrays);
    k->hash = c->hash;
    k->device = device;
    k->words = c->words;
    memcpy(k->key, c->key, bytes);
    reach(c, k->low, k->high);
    k->next = table[k->hash % BUCKETS];
    ++entries;
    return table[k->hash % BUCKETS] = k;
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
    uint64_t const *const at = c->address;
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
