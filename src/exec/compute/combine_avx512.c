/* Elements side by side, combined by AVX-512. */
#include "exec/engine.h"

#if defined(__x86_64__) && defined(__GNUC__)
#  include "exec/target_avx512.h"
#  include "exec/compute/combine_runs.h"

bool tsr_engine_combine_avx512_(int op, tsr_dtype type, void *to, void const *x, void const *y, int64_t n)
{
    return tsr_combine_run_of_(op, type, to, x, y, n);
}
#  include "exec/target_end.h"
#endif
