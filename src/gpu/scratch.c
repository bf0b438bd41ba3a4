/** Memory of plans, in slabs.
 *
 *  Law     a part of a slab is given again only when all plans of the slab are gone and the device has done its work,
 *          so a plan may be given back while its kernels run.
 */
#include "gpu/scratch.h"
#include "gpu/call.h"

#include <stdlib.h>

/** Bytes of a slab, and of these the first that are 0. Larger rooms have memory of their own. */
enum { SLAB = 32 << 20, ZEROS = 1 << 20, LARGE = SLAB / 4, ALIGNED = 256 };

struct tsr_gpu_slab {
    tsr_gpu_slab *next;
    tsr_gpu_memory memory;
    size_t zeros, rest; /* taken, the rest from byte ZEROS on */
    int plans;
    bool alone; /* its cache is gone */
};

static size_t rounded(size_t bytes) { return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED; }

static bool fits(tsr_gpu_slab const *s, size_t zeros, size_t bytes)
{
    return s->zeros + zeros <= ZEROS && ZEROS + s->rest + bytes <= SLAB;
}

static tsr_gpu_result make_slab(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_gpu_slab **made)
{
    tsr_gpu_slab *const s = *made = (tsr_gpu_slab *)calloc(1, sizeof *s);
    if (!s)
        return tsr_gpu_refuse_(TSR_GPU_OUT_OF_MEMORY, (int64_t)sizeof *s, 0, 0);
    tsr_gpu_result r = tsr_gpu_alloc(device, SLAB, &s->memory);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_fill(&s->memory, 0, 0, ZEROS, NULL);
    if (!tsr_gpu_ok(r)) {
        (void)tsr_gpu_free(&s->memory);
        free(s);
        return r;
    }
    s->next = cache->slabs;
    cache->slabs = s;
    return r;
}

/** A slab that has so much left. One that no plan uses begins again when the device has done its work. */
static tsr_gpu_result find_slab(tsr_gpu_cache *cache, tsr_gpu_device const *device, size_t zeros, size_t bytes,
                                tsr_gpu_slab **found)
{
    for (tsr_gpu_slab *s = cache->slabs; s; s = s->next) {
        tsr_gpu_device const *const d = s->memory.device;
        *found = s;
        if (!d || d->gpu != device->gpu || d->context != device->context)
            continue;
        if (fits(s, zeros, bytes))
            return tsr_gpu_fine_();
        if (s->plans == 0) {
            s->zeros = s->rest = 0;
            return tsr_gpu_wait(device);
        }
    }
    return make_slab(cache, device, found);
}

tsr_gpu_result tsr_gpu_take_scratch_(tsr_gpu_cache *cache, tsr_gpu_device const *device, size_t zeros, size_t bytes,
                                     gpu_scratch *scratch)
{
    tsr_gpu_slab *s = NULL;
    gpu_scratch x = {0};
    zeros = rounded(zeros);
    x.bytes = bytes = rounded(bytes);
    bool const large = zeros > ZEROS || bytes > LARGE;
    tsr_gpu_result r =
        large ? tsr_gpu_alloc(device, zeros + bytes, &x.own) : find_slab(cache, device, zeros, bytes, &s);
    if (tsr_gpu_ok(r) && large) {
        r = zeros ? tsr_gpu_fill(&x.own, 0, 0, zeros, NULL) : r;
        x.zeros = x.own.address;
        x.address = x.zeros + zeros;
    } else if (tsr_gpu_ok(r)) {
        x.slab = s;
        x.zeros = s->memory.address + s->zeros;
        x.address = s->memory.address + ZEROS + s->rest;
        s->zeros += zeros;
        s->rest += bytes;
        ++s->plans;
    }
    *scratch = x;
    return r;
}

tsr_gpu_result tsr_gpu_give_scratch_(gpu_scratch *scratch)
{
    tsr_gpu_slab *const s = scratch->slab;
    tsr_gpu_result r = tsr_gpu_fine_();
    if (s && s->alone && s->plans == 1) {
        r = tsr_gpu_free(&s->memory);
        if (tsr_gpu_ok(r))
            free(s);
    } else if (s) {
        --s->plans;
    } else {
        r = tsr_gpu_free(&scratch->own);
    }
    if (tsr_gpu_ok(r))
        *scratch = (gpu_scratch){0};
    return r;
}

tsr_gpu_result tsr_gpu_slabs_free_(tsr_gpu_cache *cache)
{
    tsr_gpu_result r = tsr_gpu_fine_();
    while (cache->slabs && tsr_gpu_ok(r)) {
        tsr_gpu_slab *const s = cache->slabs;
        r = s->plans == 0 ? tsr_gpu_free(&s->memory) : r;
        if (!tsr_gpu_ok(r))
            return r;
        cache->slabs = s->next;
        s->next = NULL;
        s->alone = true;
        if (s->plans == 0)
            free(s);
    }
    return r;
}
