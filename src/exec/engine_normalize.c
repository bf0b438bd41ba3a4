/* Softmax and its relatives by the kernels of a row: threads take groups. */
#include "exec/engine.h"

/** What is smaller is done by one thread; more than one take this many parts each. */
enum { THREAD_ELEMENTS = 1 << 16, PARTS = 16 };

void tsr_engine_normalize(tsr_normalize_plan const *p, void *to, void const *from)
{
    tsr_normalizer_ k = engine_normalizer();
    uint64_t const y = p->to.absolute ? 0 : (uint64_t)(uintptr_t)to;
    uint64_t const x = p->from.absolute ? 0 : (uint64_t)(uintptr_t)from;
    bool const shared = tsr_dtype_bits(p->to.type) % 8 != 0; /* groups may share a byte */
    k.stream = x != y && p->groups * p->each >= TSR_STREAMED_BYTES * 8 / tsr_dtype_bits(p->to.type);
    int const threads = shared || p->groups * p->each < THREAD_ELEMENTS ? 1 : engine_threads();
    int64_t const least = p->beside ? tsr_min64(p->keep[0].count, TSR_NORMAL_COLUMNS) : 1;
    int64_t const part = threads > 1 ? tsr_max64(p->groups / (threads * PARTS), least) : tsr_max64(p->groups, 1);
#if defined(_OPENMP)
#  pragma omp parallel for num_threads(threads) if (threads > 1) schedule(dynamic)
#endif
    for (int64_t i = 0; i < p->groups; i += part) {
        tsr_normalize_groups_(p, &k, y, x, i, tsr_min64(i + part, p->groups));
        if (k.stream)
            ENGINE_FENCE();
    }
}
