/* The portable loops of reductions: where there is no row, and for what no row makes vectors of. */
#include "exec/engine.h"

void engine_other_lines(int op, tsr_dtype type, void const *from, int64_t lines, int64_t far, int64_t n, int64_t near,
                        void *acc)
{
    tsr_reduce_lines_(op, type, from, lines, far, n, near, acc);
}

tsr_reducer_ engine_reducer(void)
{
    engine_kernels const *const chosen = engine_chosen();
    return chosen ? chosen->reduce : tsr_reducer_of_loops_();
}
