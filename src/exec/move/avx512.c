/* The row of AVX-512 (F, BW, DQ, VL). */
#include "exec/engine.h"

#if defined(__x86_64__) && defined(__GNUC__)
#  include <immintrin.h>
#  include "exec/target_avx512.h"
#  define VECTOR 64
#  define ROW(name) tsr_##name##_avx512_
#  define STREAM(to, v) _mm512_stream_si512((void *)(to), (__m512i)(v))
#  define LANE_FROM(v, i, p) _mm512_mask_broadcast_i32x4(v, 15 << 4 * (i), _mm_loadu_si128((void const *)(p)))
#  define TWO_LANES(p, step) LANE_FROM(_mm512_broadcast_i32x4(_mm_loadu_si128((void const *)(p))), 1, (p) + (step))
#  define LANES(p, step) (vector_8) LANE_FROM(LANE_FROM(TWO_LANES(p, step), 2, (p) + 2 * (step)), 3, (p) + 3 * (step))
#  define NARROWER tsr_engine_avx2_
#  include "exec/move/kernels.h"
#  include "exec/target_end.h"

engine_kernels const *tsr_engine_avx512_(void)
{
    bool const here = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
                      && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return here ? &kernels : NULL;
}
#else
engine_kernels const *tsr_engine_avx512_(void) { return NULL; }
#endif
