/* Conversions by the kernels of a row, for what the headers compute in between. */
#include "exec/engine.h"
#include "tessera/exec/transform.h"

void tsr_engine_convert(tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from, int64_t n)
{
    engine_kernels const *const chosen = tsr_engine_chosen_();
    if (chosen)
        chosen->convert(to_type, to, from_type, from, n);
    else
        tsr_convert_by_loops_(to_type, to, from_type, from, n);
}
