/* Updates by AVX2. */
#include "exec/engine.h"

#if defined(__x86_64__) && defined(__GNUC__)
#  include <immintrin.h>
#  include "exec/target_avx2.h"
#  define VECTOR 32
#  define ROW(name) tsr_##name##_avx2_
#  include "exec/compute/update_row.h"
#  include "exec/target_end.h"
#endif
