/* The reductions of the row that runs. */
#include "exec/engine.h"

tsr_reducer_ engine_reducer(void)
{
    engine_kernels const *const chosen = engine_chosen();
    return chosen ? chosen->reduce : tsr_reducer_of_loops_();
}
