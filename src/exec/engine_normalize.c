/* Softmax and its relatives by the kernels of a row: threads take groups. */
#include "exec/engine.h"

/** What is smaller is done by one thread; more than one take this many parts each. */
enum { THREAD_ELEMENTS = 1 << 16, PARTS = 16 };

void tsr_engine_normalize(tsr_normalize_plan const *p, void *to, void const *from)
{
    tsr_normalizer_ const portable = {
        {tsr_convert, tsr_reduce_lines_, tsr_reduce_runs_}, tsr_exps_, tsr_centered_, tsr_squares_};
    engine_kernels const *const chosen = engine_chosen();
    tsr_normalizer_ const *const k = chosen ? &chosen->normalize : &portable;
    uint64_t const y = p->to.absolute ? 0 : (uint64_t)(uintptr_t)to;
    uint64_t const x = p->from.absolute ? 0 : (uint64_t)(uintptr_t)from;
    bool const shared = tsr_dtype_bits(p->to.type) % 8 != 0; /* groups may share a byte */
    int const threads = shared || p->groups * p->each < THREAD_ELEMENTS ? 1 : engine_threads();
    int64_t const part = threads > 1 ? tsr_max64(p->groups / (threads * PARTS), 1) : tsr_max64(p->groups, 1);
#if defined(_OPENMP)
#  pragma omp parallel for num_threads(threads) if (threads > 1) schedule(dynamic)
#endif
    for (int64_t i = 0; i < p->groups; i += part)
        tsr_normalize_groups_(p, k, y, x, i, tsr_min64(i + part, p->groups));
}
