/** The last sets of addresses that runs had. */
#include <stdlib.h>
#include <string.h>

#include "mesh/gpu_replay.h"

dist_gpu_repeat *tsr_dist_gpu_repeat_(dist_gpu_repeats *r, uint64_t const *address, int64_t count, bool *seen)
{
    size_t const bytes = (size_t)count * sizeof *address;
    dist_gpu_repeat *oldest = &r->of[0];
    *seen = false;
    ++r->runs;
    for (int i = 0; i < DIST_GPU_REPEATS && !r->off; ++i) {
        dist_gpu_repeat *const x = &r->of[i];
        if (x->address && memcmp(x->address, address, bytes) == 0) {
            *seen = true;
            x->used = r->runs;
            return x;
        }
        oldest = x->used < oldest->used ? x : oldest;
    }
    tsr_dist_gpu_graph_free_(&oldest->graph);
    if (!r->off && !oldest->address)
        oldest->address = (uint64_t *)malloc(bytes);
    if (r->off || !oldest->address)
        return NULL;
    memcpy(oldest->address, address, bytes);
    oldest->used = r->runs;
    return oldest;
}

void tsr_dist_gpu_repeats_free_(dist_gpu_repeats *r)
{
    for (int i = 0; i < DIST_GPU_REPEATS; ++i) {
        tsr_dist_gpu_graph_free_(&r->of[i].graph);
        free(r->of[i].address);
    }
    (void)tsr_gpu_stream_free(&r->own);
    memset(r, 0, sizeof *r);
}
