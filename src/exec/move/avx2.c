/* The row of AVX2. */
#include "exec/engine.h"

#if defined(__x86_64__) && defined(__GNUC__)
#  include <immintrin.h>
#  include "exec/target_avx2.h"
#  define VECTOR 32
#  define ROW(name) name##_avx2
#  define STREAM(to, v) _mm256_stream_si256((void *)(to), (__m256i)(v))
#  define LANES(p, step) (vector_8)_mm256_loadu2_m128i((void const *)((p) + (step)), (void const *)(p))
#  define NARROWER engine_vector
#  include "exec/move/kernels.h"
#  include "exec/target_end.h"

engine_kernels const *engine_avx2(void)
{
    return __builtin_cpu_supports("avx2") ? &kernels : NULL;
}
#else
engine_kernels const *engine_avx2(void) { return NULL; }
#endif
