/* Updates by the vector loops of the compiler. The file that includes this says ROW(name): tsr_name_avx512_, .. */

#include "exec/compute/update_runs.h"

__attribute__((flatten)) void ROW(engine_update)(tsr_update const *u, tsr_converter convert, tsr_dtype to_type,
                                                 void *to, tsr_dtype from_type, void const *from, int64_t n)
{
    tsr_update_run_(u, convert, to_type, to, from_type, from, n);
}
