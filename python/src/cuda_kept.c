/** Plans by what the arrays of a call are, in a hash table.
 *
 *  Key     the text of einsum, the type of a result that the call makes, and of each array its device, type, extents,
 *          steps and place in 256 bytes; of a product the stream, too, for its launches share memory.
 *  Law     a plan serves all arrays of its key that do not reach into what is written. Whether they do is asked of
 *          each call, by their first and last bytes; those that do go the long way. So do arrays that are not plain:
 *          that record gradients, stand for others, or would be cast by torch. The lock of the interpreter guards the
 *          table.
 */
#include "cuda_kept.h"

#include <string.h>

enum { BUCKETS = 1024, MOST_KEPT = 4096 };

static kept *table[BUCKETS];
static int count_kept;

static void put_word(request *c, uint64_t word)
{
    c->key[c->words++] = word;
    c->hash = (c->hash ^ word) * 0x9e3779b97f4a7c15u;
    c->hash ^= c->hash >> 29;
}

/** Puts an array that was read into the key. False: it is not kept. */
static bool put_array(request *c, int i)
{
    DLTensor const *const d = &c->array[i];
    if (d->ndim < 0 || d->ndim > TSR_MAX_LEAVES || d->dtype.lanes != 1 || d->dtype.bits % 8 != 0
        || d->device.device_id != c->array[0].device.device_id)
        return false;
    c->address[i] = (uint64_t)(uintptr_t)d->data + d->byte_offset;
    put_word(c, (uint64_t)(uint32_t)d->device.device_id << 32 | (uint64_t)d->dtype.code << 16 | d->dtype.bits);
    put_word(c, (uint64_t)d->ndim << 32 | c->address[i] % KEPT_ALIGNED);
    for (int k = 0; k < d->ndim; ++k) {
        put_word(c, (uint64_t)d->shape[k]);
        put_word(c, (uint64_t)d->strides[k]);
    }
    return true;
}

bool kept_request(request *c, char const *const texts[2], PyObject *made, PyObject *const *x, int arrays)
{
    bool streams = false;
    for (int i = 0; i < arrays; ++i)
        if (!cuda_peek(x[i], &c->array[i], &streams, &c->stream))
            return false;
    int const rank = c->array[0].ndim;
    char const *const text = texts[rank == 3];
    size_t const length = text ? strlen(text) : 0;
    c->arrays = arrays;
    c->multiplies = text != NULL;
    c->words = 0;
    c->hash = 0;
    if (length / sizeof(uint64_t) + 3 + (size_t)arrays * (3 + 2 * TSR_MAX_LEAVES) > KEPT_WORDS
        || (texts[0] != texts[1] && rank != 2 && rank != 3))
        return false;
    put_word(c, (uint64_t)arrays << 32 | (uint64_t)c->multiplies << 31 | length);
    put_word(c, (uint64_t)(uintptr_t)made);
    for (size_t at = 0; at < length; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, text + at, length - at < sizeof word ? length - at : sizeof word);
        put_word(c, word);
    }
    for (int i = 0; i < arrays; ++i)
        if (!put_array(c, i))
            return false;
    put_word(c, text ? (uint64_t)(uintptr_t)c->stream : 0);
    return true;
}

bool kept_result(request *c, PyObject *y)
{
    DLTensor *const d = &c->array[c->arrays];
    if (!cuda_peek(y, d, NULL, NULL) || d->device.device_id != c->array[0].device.device_id)
        return false;
    c->address[c->arrays++] = (uint64_t)(uintptr_t)d->data + d->byte_offset;
    return true;
}

kept *kept_find(request const *c)
{
    for (kept *k = table[c->hash % BUCKETS]; k; k = k->next)
        if (k->hash == c->hash && k->words == c->words
            && memcmp(k->key, c->key, (size_t)c->words * sizeof *c->key) == 0)
            return k;
    return NULL;
}

bool kept_apart(kept const *k, request const *c)
{
    int const w = c->arrays - 1;
    uint64_t const begin = c->address[w] - (uint64_t)k->low[w], end = c->address[w] + (uint64_t)k->high[w];
    for (int i = 0; i < w; ++i)
        if (c->address[i] - (uint64_t)k->low[i] < end && begin < c->address[i] + (uint64_t)k->high[i])
            return false;
    return true;
}

static void drop(kept *k)
{
    tsr_gpu_copy_free(&k->copy);
    chain_free(&k->chain);
    Py_XDECREF(k->maker);
    Py_XDECREF(k->arguments);
    Py_XDECREF(k->guard);
    PyMem_Free(k);
}

bool kept_is_full(void)
{
    bool const full = count_kept >= MOST_KEPT;
    if (full)
        cuda_forget();
    return full;
}

void cuda_forget(void)
{
    chain_note_other();
    for (int i = 0; i < BUCKETS; ++i)
        for (kept *k = table[i], *next; k; k = next) {
            next = k->next;
            drop(k);
        }
    memset(table, 0, sizeof table);
    count_kept = 0;
}

/** How far an array reaches, in bytes. */
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

bool kept_serves(kept const *k, request const *c, PyObject *const *x)
{
    if (k->guard && !cuda_goes_forward()) {
        PyObject *a[KEPT_ARRAYS + 1] = {NULL}; /* those behind the first NULL are not read */
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

kept *kept_make(request const *c, PyObject *const *x, tsr_gpu_device const *device)
{
    size_t const bytes = (size_t)c->words * sizeof *c->key;
    bool const plain = cuda_are_plain(x, c->array, c->arrays, c->multiplies);
    kept *const k = plain ? (kept *)PyMem_Calloc(1, sizeof *k + bytes) : NULL;
    if (!k)
        return NULL;
    k->guard = cuda_guard_of(x, c->arrays);
    k->hash = c->hash;
    k->device = device;
    k->words = c->words;
    memcpy(k->key, c->key, bytes);
    for (int i = 0; i < c->arrays; ++i)
        bound(&c->array[i], &k->low[i], &k->high[i]);
    k->next = table[k->hash % BUCKETS];
    ++count_kept;
    return table[k->hash % BUCKETS] = k;
}
