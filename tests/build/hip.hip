/* The verbs of tensors and tiles in a kernel of HIP, without its headers and libraries. */
#include "tessera/tessera.h"
#include "tessera/tile.h"

__attribute__((global)) void tile(tsr_planned_tile plan, tsr_buffer_view memory, tsr_index origin, int thread,
                                  float *out)
{
    tsr_planned_tile_load(&plan, &memory, origin.at, thread, out + thread * plan.size);
}

__attribute__((global)) void add(tsr_buffer_view memory, unsigned short half, float one, int i)
{
    tsr_buffer_update(&memory, TSR_UPDATE_ATOMIC_ADD, i, true, &half);
    tsr_buffer_update(&memory, TSR_UPDATE_ATOMIC_ADD, i, true, &one);
}

__attribute__((global)) void element(float *p, int i, int j)
{
    TSR_CONST tsr_layout l = tsr_make_layout(tsr_t(tsr_s(128), tsr_s(64)), tsr_t(tsr_s(1), tsr_s(128)));
    tsr_ref(float, tsr_make_tensor_of(tsr_make_gmem_ptr(p), l), tsr_t(i, j)) = 1;
}

__attribute__((global)) void whole(float *p, float *q, int m, int n)
{
    tsr_tensor const from = tsr_make_tensor(tsr_make_gmem_ptr(p), tsr_t(m, n)),
                     to = tsr_make_tensor(tsr_make_gmem_ptr(q), tsr_t(m, n), tsr_t(n, 1));
    for (int i = 0; i < m * n; ++i)
        tsr_ref(float, to, i) = tsr_ref(float, from, i);
}
