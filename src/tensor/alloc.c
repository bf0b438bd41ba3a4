/** Tensors in memory of their own. Its first byte is the begin of their bounds. */
#include <stdlib.h>
#include <string.h>

#include "tessera/tensor/array.h"

enum { LEAST_ALIGNMENT = 64 }; /* a cache line, and the widest vector */

static size_t rounded_alignment(size_t wanted)
{
    size_t r = LEAST_ALIGNMENT;
    while (r < wanted && r <= SIZE_MAX / 4)
        r *= 2;
    return r;
}

/** Bytes of memory, 0 each; NULL: there is none. */
static void *cleared(int64_t bytes, size_t alignment)
{
    if ((uint64_t)bytes > SIZE_MAX - alignment || bytes < 0)
        return NULL;
    size_t const whole = ((size_t)bytes + alignment - 1) / alignment * alignment;
    void *const memory = aligned_alloc(alignment, whole ? whole : alignment);
    return memory ? memset(memory, 0, whole) : NULL;
}

tsr_tensor tsr_alloc(tsr_dtype type, tsr_layout layout, size_t alignment)
{
    tsr_tuple const bytes = tsr_layout_size_in_bytes(layout, type);
    tsr_tensor t = tsr_make_tensor_of(tsr_engine_at(TSR_RMEM, NULL, false, type), layout);
    if (bytes.status) {
        t.engine.at = bytes;
        return t;
    }
    int64_t const size = tsr_tuple_number(bytes), first = -tsr_min64(tsr_ends_of(&layout).low, 0);
    char *const memory = cleared(size, rounded_alignment(alignment));
    if (!memory) {
        t.engine.at = tsr_bad_tuple(TSR_NO_MEMORY, 0, tsr_layout_size(layout), 0, 0);
        return t;
    }
    t.engine.address = (uint64_t)(uintptr_t)memory;
    t.engine = tsr_engine_add(t.engine, tsr_int(first));
    t.engine = tsr_engine_bounded(t.engine, (uint64_t)(uintptr_t)memory, (uint64_t)size);
    return t;
}

void tsr_free(tsr_tensor *t)
{
    if (t->engine.kind == TSR_POINTER && !t->engine.at.status)
        free((void *)(uintptr_t)t->engine.begin);
    t->engine.address = t->engine.begin = t->engine.end = 0;
}
