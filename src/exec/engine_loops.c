/* The reductions of the row that runs. */
#include "exec/engine.h"

tsr_reducer_ tsr_engine_reducer_(void)
{
    engine_kernels const *const chosen = tsr_engine_chosen_();
    return chosen ? chosen->reduce : tsr_reducer_of_loops_();
}
