/** Tensor maps of arrays, for kernels of the user's. A map depends on the array's address, type and layout and on the
 *  tile alone, so one that was made is found again by these: 20 us become 1. */
#include "cuda_cache.h"
#include "cuda_replay.h"
#include "tessera/tma/tile.h"

#include <string.h>

static void drop(void *map) { Py_DECREF((PyObject *)map); }

static tsr_gpu_plan_cache maps = {.drop = drop};

/** Puts a layout of shared memory into a key, with its swizzle. False: it is not kept. */
static bool put_smem(tsr_gpu_key *k, tsr_layout const *l)
{
    tsr_layout plain = *l;
    uint64_t offset[sizeof l->offset / sizeof(uint64_t)];
    tsr_swizzle const sw = l->swizzle;
    plain.composed = false;
    memcpy(offset, &l->offset, sizeof offset);
    return !l->twice && tsr_gpu_key_put_layout(k, &plain)
           && (!l->composed
               || (tsr_gpu_key_put(k, (uint64_t)(uint8_t)sw.bits << 16 | (uint64_t)(uint8_t)sw.base << 8
                                          | (uint64_t)(uint8_t)sw.shift)
                   && tsr_gpu_key_put(k, offset[0]) && tsr_gpu_key_put(k, offset[1])));
}

/** The key of an array at its address, and of its tiles. False, without an exception: its map is not kept. */
static bool read_map_key(request *c, PyObject *x, tsr_layout const *tile, int parts)
{
    bool streams = true; /* of no stream */
    cache_begin(c);
    return cache_put_array(c, x, &streams) && cuda_are_plain(&x, c->array, 1, false)
           && tsr_gpu_key_put(&c->key, c->key.address[0]) && tsr_gpu_key_put(&c->key, (uint64_t)c->device)
           && tsr_gpu_key_put(&c->key, (uint64_t)(unsigned)parts) && put_smem(&c->key, tile);
}

static PyObject *make_map(PyObject *x, tsr_layout const *smem, int parts)
{
    operand o;
    tsr_tma_map map;
    if (!operand_from_python(x, false, &o))
        return NULL;
    if (o.device < 0)
        return PyErr_Format(PyExc_TypeError, "%R is no tensor on a GPU", x);
    tsr_gpu_device const *const device = cuda_device(o.device);
    if (!device)
        return NULL;
    tsr_dtype const type = o.tensor.engine.type;
    tsr_tma_tile const tile = tsr_make_tma_tile(*smem, type, parts);
    tsr_tma_desc const desc = tsr_tma_tile_desc(&tile, type, o.tensor.layout);
    tsr_reason const why =
        desc.why.status ? desc.why : tsr_gpu_tma_encode(device, &desc, o.tensor.engine.address, &map);
    return why.status ? refuse_why(why) : PyBytes_FromStringAndSize((char const *)&map, sizeof map);
}

/** _cuda_map(tensor, layout of shared memory, CTAs that share it): the bytes of the map of a tensor of such tiles */
PyObject *cuda_map(PyObject *module, PyObject *args)
{
    PyObject *x = NULL, *layout = NULL;
    int parts = 1;
    request c;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO!i", &x, layout_type, &layout, &parts))
        return NULL;
    tsr_layout const *const tile = &((object *)layout)->v.as.layout;
    bool const kept = read_map_key(&c, x, tile, parts);
    tsr_gpu_cached_plan const *const found = kept ? tsr_gpu_plan_find(&maps, &c.key) : NULL;
    PyObject *const map = found ? (PyObject *)found->plan : make_map(x, tile, parts);
    if (!map || !kept) /* an exception, or the caller's alone */
        return map;
    if (found || tsr_gpu_plan_insert(&maps, &c.key, (tsr_gpu_bytes[TSR_GPU_KEY_ARRAYS]){{0, 0}}, map))
        Py_INCREF(map);
    return map;
}
