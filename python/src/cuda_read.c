/** Elements in the memory of a GPU, for the host: one is read and written, and bytes of a tensor are fetched. These
 *  wait for the work of the stream. */
#include "cuda_trace.h"

#include <string.h>

/** The bytes of an operand on a device, and what it works on. False: an exception is set. */
static bool open_bytes(operand const *o, tsr_gpu_memory *m, tsr_gpu_stream *stream)
{
    m->device = cuda_device(o->device);
    m->address = o->tensor.engine.begin;
    m->bytes = (size_t)(o->tensor.engine.end - o->tensor.engine.begin);
    return m->device && cuda_stream(o, 1, m->device, stream);
}

/** Copies bytes to the host and waits for them, or from there. */
static bool move_bytes(tsr_gpu_memory const *m, size_t at, void *host, size_t bytes, bool writes,
                       tsr_gpu_stream const *stream)
{
    tsr_gpu_stream const *const on = stream->handle ? stream : NULL;
    tsr_gpu_result r = writes ? tsr_gpu_write(m, at, host, bytes, on) : tsr_gpu_read(m, at, host, bytes, on);
    if (tsr_gpu_ok(r) && on)
        r = tsr_gpu_stream_wait(on);
    return cuda_check(r);
}

/** Where the element at a coordinate is; a reason why there is none. */
static tsr_reason place_of(tsr_tensor const *t, tsr_tuple coord, bool written, uint64_t *at, int *bit)
{
    tsr_reason const good = written ? tsr_writable(*t) : tsr_readable(*t);
    tsr_tuple const index = tsr_coord_inside(coord, t->layout.shape);
    if (good.status || index.status)
        return good.status ? good : tsr_tuple_why(index);
    int64_t const k = tsr_layout_offset(&t->layout, index.leaf[0].value);
    *at = (uint64_t)(uintptr_t)tsr_element_place(&t->engine, k, bit);
    return tsr_element_inside_(&t->engine, k);
}

int cuda_element(PyObject *x, tsr_tuple coord, tsr_number *n, bool writes)
{
    operand o;
    tsr_gpu_memory m;
    tsr_gpu_stream stream;
    uint64_t at = 0;
    int bit = 0;
    unsigned char element[32] = {0};
    if (!operand_from_python(x, writes, &o))
        return -1;
    if (o.device < 0 || !cuda_device(o.device)) { /* of a machine without a driver the host's refusal tells more */
        PyErr_Clear();
        return 0;
    }
    tsr_reason const why = place_of(&o.tensor, coord, writes, &at, &bit);
    if (why.status)
        return refuse_why(why), -1;
    tsr_dtype const type = o.tensor.engine.type;
    size_t const bytes = (size_t)(tsr_dtype_bits(type) + bit + 7) / 8;
    if (!open_bytes(&o, &m, &stream) || !move_bytes(&m, (size_t)(at - m.address), element, bytes, false, &stream))
        return -1;
    trace_add_other();
    if (!writes) {
        *n = tsr_mapped_(&o.tensor.engine.map, tsr_load(type, element, bit));
        return 1;
    }
    tsr_store(type, element, bit, *n);
    return move_bytes(&m, (size_t)(at - m.address), element, bytes, true, &stream) ? 1 : -1;
}

/** _cuda_fetch(t, host): the bytes of a tensor on a device to one of the host, of the same layout and type */
PyObject *cuda_fetch(PyObject *module, PyObject *args)
{
    PyObject *x = NULL, *y = NULL;
    operand o;
    tsr_tensor to;
    tsr_gpu_memory m;
    tsr_gpu_stream stream;
    (void)module;
    trace_add_other();
    if (!PyArg_ParseTuple(args, "OO", &x, &y) || !operand_from_python(x, false, &o)
        || !tensor_from_python(y, true, &to))
        return NULL;
    size_t const bytes = (size_t)(to.engine.end - to.engine.begin);
    tsr_tuple const same = tsr_layout_equal(o.tensor.layout, to.layout);
    if (o.device < 0 || o.tensor.engine.type != to.engine.type || o.tensor.engine.swizzle.bits > 0 || same.status
        || same.leaf[0].value == 0 || o.tensor.engine.end - o.tensor.engine.begin < bytes)
        return refuse(NULL, "bytes are fetched from a device to a tensor of the same layout and type");
    if (!open_bytes(&o, &m, &stream)
        || !move_bytes(&m, (size_t)(o.tensor.engine.address - m.address), (void *)(uintptr_t)to.engine.address, bytes,
                       false, &stream))
        return NULL;
    return Py_BuildValue("");
}
