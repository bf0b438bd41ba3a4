/** Tensor maps, encoded by a function of the CUDA driver. */
#include "tma/driver.h"
#include "tessera/exec/tma.h"

#include <stdatomic.h>

typedef int (*encode_tiled)(void *map, int format, uint32_t rank, void *address, uint64_t const *dim,
                            uint64_t const *stride, uint32_t const *box, uint32_t const *step, int interleave,
                            int swizzle, int l2, int fill);

typedef int (*encode_im2col)(void *map, int format, uint32_t rank, void *address, uint64_t const *dim,
                             uint64_t const *stride, int const *lower, int const *upper, uint32_t channels,
                             uint32_t pixels, uint32_t const *step, int interleave, int swizzle, int l2, int fill);

tsr_reason tsr_tma_encode_with_(void *function, tsr_tma_desc const *d, uint64_t address, tsr_tma_map *map)
{
    tsr_tma_desc at = *d;
    uint64_t dim[TSR_TMA_DIMS], stride[TSR_TMA_DIMS];
    uint32_t box[TSR_TMA_DIMS], step[TSR_TMA_DIMS];
    int lower[3], upper[3], error = 0;
    at.address = address;
    tsr_verdict const v = tsr_tma_lint(at);
    if (v.answer != TSR_YES)
        return v.why;
    for (int i = 0; i < TSR_TMA_DIMS; ++i) {
        dim[i] = (uint64_t)d->dim[i];
        stride[i] = (uint64_t)d->stride[i];
        box[i] = (uint32_t)d->box[i];
        step[i] = (uint32_t)d->step[i];
    }
    for (int i = 0; i < 3; ++i) {
        lower[i] = (int)d->lower[i];
        upper[i] = (int)d->upper[i];
    }
    union {
        void *found;
        encode_tiled tiled;
        encode_im2col im2col;
    } const f = {function};
    if (!f.found)
        return tsr_because(TSR_TMA_DRIVER, 0, 0, 0, 0);
    if (d->im2col)
        error = f.im2col(map, d->format, (uint32_t)d->rank, (void *)(uintptr_t)address, dim, stride + 1, lower, upper,
                         (uint32_t)d->channels, (uint32_t)d->pixels, step, d->interleave, d->swizzle, d->l2, d->fill);
    else
        error = f.tiled(map, d->format, (uint32_t)d->rank, (void *)(uintptr_t)address, dim, stride + 1, box, step,
                        d->interleave, d->swizzle, d->l2, d->fill);
    return error == 0 ? tsr_no_reason() : tsr_because(TSR_TMA_ENCODE, 0, error, 0, 0);
}

/** The driver's function of a name, which is looked for until it is found: the driver then stays loaded. */
static void *find(void *_Atomic *found, char const *name)
{
    void *f = atomic_load_explicit(found, memory_order_relaxed);
    void *const library = f ? NULL : tsr_driver_open_(tsr_driver_names_);
    if (library && (f = tsr_driver_symbol_(library, name)))
        atomic_store_explicit(found, f, memory_order_relaxed);
    else
        tsr_driver_close_(library);
    return f;
}

tsr_reason tsr_tma_encode(tsr_tma_desc const *d, uint64_t address, tsr_tma_map *map)
{
    static void *_Atomic tiled, *_Atomic im2col;
    void *const f = d->im2col ? find(&im2col, "cuTensorMapEncodeIm2col") : find(&tiled, "cuTensorMapEncodeTiled");
    return tsr_tma_encode_with_(f, d, address, map);
}
