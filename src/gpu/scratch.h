/** Memory of plans: parts of slabs that a cache holds. Asking the driver takes longer than all the rest of a plan. */
#ifndef TSR_SRC_GPU_SCRATCH_H
#define TSR_SRC_GPU_SCRATCH_H

#include "tessera/gpu/compile.h"

/** Memory of one plan: a part of a slab, or its own. */
typedef struct gpu_scratch {
    tsr_gpu_slab *slab;
    tsr_gpu_memory own;
    uint64_t zeros, address; /* numbers that are 0 when no kernel of the plan runs; the rest */
    size_t bytes;
} gpu_scratch;

/** Takes `zeros` bytes that are 0, which the kernels of the plan leave so, and `bytes` others. */
tsr_gpu_result tsr_gpu_take_scratch_(tsr_gpu_cache *cache, tsr_gpu_device const *device, size_t zeros, size_t bytes,
                                     gpu_scratch *scratch);

/** Gives it back, in the thread that uses the cache; after a failure it is kept. */
tsr_gpu_result tsr_gpu_give_scratch_(gpu_scratch *scratch);

/** Frees what no plan uses; the rest is freed with the plans. */
tsr_gpu_result tsr_gpu_slabs_free_(tsr_gpu_cache *cache);

#endif
