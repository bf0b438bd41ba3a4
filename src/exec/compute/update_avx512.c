/* Updates by AVX-512 (F, BW, DQ, VL). */
#include "exec/engine.h"

#if defined(__x86_64__) && defined(__GNUC__)
#  include <immintrin.h>
#  include "exec/target_avx512.h"
#  define VECTOR 64
#  define ROW(name) tsr_##name##_avx512_
#  include "exec/compute/update_row.h"
#  include "exec/target_end.h"
#endif
