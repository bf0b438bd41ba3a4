/* The reductions and the combinations of the row that runs. */
#include "exec/engine.h"

tsr_reducer_ tsr_engine_reducer_(void)
{
    engine_kernels const *const chosen = tsr_engine_chosen_();
    return chosen ? chosen->reduce : tsr_reducer_of_loops_();
}

bool tsr_engine_combine_vector_(int op, tsr_dtype type, void *to, void const *x, void const *y, int64_t n)
{
    return tsr_combine_by_loops_(op, type, to, x, y, n);
}

bool tsr_engine_combine_run(int op, tsr_dtype type, void *to, void const *x, void const *y, int64_t n)
{
    engine_kernels const *const chosen = tsr_engine_chosen_();
    return (chosen ? chosen->combine : tsr_combine_by_loops_)(op, type, to, x, y, n);
}
