/** Tensors in the memory of the host: the functions of host.h. */
#include "host.h"

#include <string.h>

/** From how many elements on others may hold the lock. */
enum { UNLOCKED = 1 << 15 };

PyThreadState *host_unlock(int64_t elements) { return elements >= UNLOCKED ? PyEval_SaveThread() : NULL; }

void host_lock(PyThreadState *state)
{
    if (state)
        PyEval_RestoreThread(state);
}

static bool is_plain(object const *o)
{
    owner const *const memory = (owner const *)o->owner;
    tsr_layout const *const l = &o->v.as.tensor.layout;
    tsr_engine const *const e = &o->v.as.tensor.engine;
    return memory && !o->kept.last && memory->device == 1 && e->kind == TSR_POINTER && e->map.kind == TSR_AS_IS
           && e->swizzle.bits == 0 && e->bit == 0 && !l->composed && !l->shape.status && !l->stride.status
           && l->shape.leaves == l->stride.leaves && tsr_dtype_bits(e->type) % 8 == 0
           && tsr_number_kind_of(e->type) != TSR_NO_NUMBER;
}

/** Reads modes, and the offsets of the first and the last element. */
static bool read_modes(tsr_layout const *l, host *h, int64_t *low, int64_t *high)
{
    int const n = l->shape.leaves;
    bool flat = true, fits = true;
    h->rank = n;
    h->count = 1;
    for (int i = 0; flat && fits && i < n; ++i) {
        tsr_leaf const s = l->shape.leaf[i], d = l->stride.leaf[i];
        int64_t reach = 0;
        flat = s.kind == TSR_STATIC && d.kind == TSR_STATIC && d.aux == 0 && s.open == d.open && s.close == d.close
               && s.open == (i == 0 && (n > 1 || s.open)) && s.close == (i == n - 1 && (n > 1 || s.close));
        h->extent[i] = s.value;
        h->stride[i] = d.value;
        fits = tsr_mul64(h->count, s.value, &h->count) && tsr_mul64(s.value - 1, d.value, &reach)
               && tsr_add64(reach < 0 ? *low : *high, reach, reach < 0 ? low : high);
    }
    return flat && fits;
}

/** Whether elements fill their bytes: one mode goes on where those before it end. */
static bool fill_bytes(host const *h)
{
    int64_t count = 1;
    for (int done = 0; count < h->count; ++done) {
        int i = 0;
        while (i < h->rank && (h->stride[i] != count || h->extent[i] < 2))
            ++i;
        if (i == h->rank || done == h->rank)
            return false;
        count *= h->extent[i];
    }
    return true;
}

bool host_from_python(PyObject *x, host *h)
{
    if (Py_TYPE(x) != tensor_type || !is_plain((object const *)x))
        return false;
    object const *const o = (object const *)x;
    owner const *const memory = (owner const *)o->owner;
    tsr_engine const *const e = &o->v.as.tensor.engine;
    int64_t low = 0, high = 0;
    h->of = o;
    if (!read_modes(&o->v.as.tensor.layout, h, &low, &high))
        return false;
    uint64_t const base = (uint64_t)(uintptr_t)memory->base, size = (uint64_t)tsr_dtype_bits(e->type) / 8;
    uint64_t const first = e->begin > base ? e->begin : base;
    uint64_t const last = e->end < base + memory->bytes ? e->end : base + memory->bytes;
    h->type = e->type;
    h->at = (unsigned char *)(uintptr_t)e->address;
    h->writable = !e->constant && !memory->constant;
    h->side_by_side = fill_bytes(h);
    return e->address >= first && e->address <= last && (uint64_t)high < (last - e->address) / size
           && (uint64_t)-low <= (e->address - first) / size;
}

bool host_same_shape(host const *h, int rank, int64_t const *extent)
{
    bool same = h->rank == rank;
    for (int i = 0; same && i < rank; ++i)
        same = h->extent[i] == extent[i];
    return same;
}

bool host_same_order(host const *a, host const *b)
{
    bool same = host_same_shape(a, b->rank, b->extent);
    for (int i = 0; same && i < a->rank; ++i)
        same = a->stride[i] == b->stride[i] || a->extent[i] == 1;
    return same;
}

bool host_common(host const *a, host const *b, int *rank, int64_t *extent)
{
    bool fits = true;
    *rank = a->rank > b->rank ? a->rank : b->rank;
    for (int i = 0; fits && i < *rank; ++i) {
        int const k = i - (*rank - a->rank), l = i - (*rank - b->rank);
        int64_t const x = k < 0 ? 1 : a->extent[k], y = l < 0 ? 1 : b->extent[l];
        extent[i] = x > y ? x : y;
        fits = x == y || x == 1 || y == 1;
    }
    return fits;
}

/* Making */

static void set_modes(tsr_tuple *t, int n, int64_t const *x)
{
    t->status = 0;
    t->leaves = (uint8_t)n;
    for (int i = 0; i < n; ++i)
        t->leaf[i] = (tsr_leaf){x[i], 0, TSR_STATIC, i == 0, i == n - 1, 0};
    if (n == 0)
        *t = tsr_unit();
}

tsr_tensor host_tensor(host const *h, int rank, int64_t const *extent)
{
    tsr_tensor t = h->of->v.as.tensor;
    int64_t stride[TSR_MAX_LEAVES];
    if (host_same_shape(h, rank, extent))
        return t;
    for (int i = 0; i < rank; ++i) {
        int const k = i - (rank - h->rank);
        stride[i] = k < 0 || (h->extent[k] == 1 && extent[i] > 1) ? 0 : h->stride[k];
    }
    set_modes(&t.layout.shape, rank, extent);
    set_modes(&t.layout.stride, rank, stride);
    return t;
}

/** A tensor in new memory, whose modes are set already. Takes `r`. */
static PyObject *in_new_memory(object *r, tsr_dtype type, int64_t count, host *made)
{
    char *at = NULL;
    int64_t bytes = 0;
    bool const fits = tsr_mul64(count, tsr_dtype_bits(type) / 8, &bytes);
    owner *const o = r && fits ? new_bytes((size_t)bytes, false, &at) : NULL;
    if (r && !fits)
        PyErr_NoMemory();
    if (!o) {
        Py_XDECREF((PyObject *)r);
        return NULL;
    }
    tsr_engine *const e = &r->v.as.tensor.engine;
    o->base = at;
    o->bytes = (uint64_t)bytes;
    e->space = TSR_RMEM;
    e->constant = false;
    e->type = type;
    e->address = e->begin = (uint64_t)(uintptr_t)at;
    e->end = e->begin + (uint64_t)bytes;
    r->owner = (PyObject *)o;
    *made = (host){
        .of = r, .count = count, .type = type, .at = (unsigned char *)at, .writable = true, .side_by_side = true};
    return (PyObject *)r;
}

/** Takes the modes of a tensor over. */
static PyObject *with_modes(PyObject *r, host *made)
{
    int64_t low = 0, high = 0;
    if (r)
        (void)read_modes(&made->of->v.as.tensor.layout, made, &low, &high);
    return r;
}

PyObject *host_new(host const *beside, int rank, int64_t const *extent, tsr_dtype type, host *made)
{
    int64_t stride[TSR_MAX_LEAVES], count = 1;
    bool fits = true;
    for (int i = rank; i-- > 0;) {
        stride[i] = count;
        fits = fits && tsr_mul64(count, extent[i], &count);
    }
    object *const r = fits ? new_object(tensor_type, &beside->of->v) : NULL;
    if (!fits)
        return PyErr_NoMemory();
    if (r) {
        set_modes(&r->v.as.tensor.layout.shape, rank, extent);
        set_modes(&r->v.as.tensor.layout.stride, rank, stride);
    }
    return with_modes(in_new_memory(r, type, count, made), made);
}

/** Compact strides, the mode of the least stride the first. */
static void order_like(host const *h, int64_t *stride)
{
    int order[TSR_MAX_LEAVES], n = 0;
    for (int i = 0; i < h->rank; ++i) {
        int k = n;
        stride[i] = 0;
        if (h->extent[i] == 1)
            continue;
        for (; k > 0 && h->stride[order[k - 1]] > h->stride[i]; --k)
            order[k] = order[k - 1];
        order[k] = i;
        ++n;
    }
    int64_t next = 1;
    for (int k = 0; k < n; ++k) {
        stride[order[k]] = next;
        next *= h->extent[order[k]];
    }
}

PyObject *host_new_like(host const *h, tsr_dtype type, host *made)
{
    int64_t stride[TSR_MAX_LEAVES];
    for (int i = 0; i < h->rank; ++i)
        if (h->stride[i] == 0 && h->extent[i] > 1)
            return host_new(h, h->rank, h->extent, type, made);
    object *const r = new_object(tensor_type, &h->of->v);
    order_like(h, stride);
    for (int i = 0; r && i < h->rank; ++i)
        r->v.as.tensor.layout.stride.leaf[i].value = stride[i];
    return with_modes(in_new_memory(r, type, h->count, made), made);
}

tsr_tensor host_part(host const *h, int64_t offset, int rank, int64_t const *extent, int64_t const *stride)
{
    tsr_tensor t = h->of->v.as.tensor;
    set_modes(&t.layout.shape, rank, extent);
    set_modes(&t.layout.stride, rank, stride);
    t.engine.address += (uint64_t)(offset * (tsr_dtype_bits(h->type) / 8));
    return t;
}

PyObject *host_view(host const *h, int64_t offset, int rank, int64_t const *extent, int64_t const *stride)
{
    object *const r = new_object(tensor_type, &h->of->v);
    if (!r)
        return NULL;
    tsr_tensor *const t = &r->v.as.tensor;
    set_modes(&t->layout.shape, rank, extent);
    set_modes(&t->layout.stride, rank, stride);
    t->engine.address += (uint64_t)(offset * (tsr_dtype_bits(h->type) / 8));
    r->owner = h->of->owner;
    Py_INCREF(r->owner);
    return (PyObject *)r;
}

PyObject *host_array(void *at, tsr_dtype type, int rank, int64_t const *extent, int64_t const *stride, bool constant,
                     PyObject *from)
{
    value v;
    owner *const o = new_owner(from, constant, NULL, NULL);
    uint64_t const size = (uint64_t)tsr_dtype_bits(type) / 8;
    int64_t low = 0, high = 0;
    memset(&v, 0, sizeof v);
    v.kind = VALUE_TENSOR;
    tsr_tensor *const t = &v.as.tensor;
    t->engine = tsr_engine_at(TSR_RMEM, at, constant, type);
    set_modes(&t->layout.shape, rank, extent);
    set_modes(&t->layout.stride, rank, stride);
    for (int i = 0; i < rank; ++i)
        *(stride[i] < 0 ? &low : &high) += (extent[i] - 1) * stride[i];
    t->engine.begin = t->engine.address - (uint64_t)-low * size;
    t->engine.end = t->engine.address + ((uint64_t)high + 1) * size;
    object *const r = o ? new_object(tensor_type, &v) : NULL;
    if (!r) {
        Py_XDECREF((PyObject *)o);
        return NULL;
    }
    o->base = (void *)(uintptr_t)t->engine.begin;
    o->bytes = t->engine.end - t->engine.begin;
    r->owner = (PyObject *)o;
    return (PyObject *)r;
}
