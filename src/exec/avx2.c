/* The row of AVX2. */
#include "exec/engine.h"

#if defined(__x86_64__) && defined(__GNUC__)
#  include <immintrin.h>
#  if defined(__clang__)
#    pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#  else
#    pragma GCC push_options
#    pragma GCC target("avx2")
#  endif
#  define VECTOR 32
#  define ROW(name) name##_avx2
#  define STREAM(to, v) _mm256_stream_si256((void *)(to), (__m256i)(v))
#  define LANES(p, step) (vector_8)_mm256_loadu2_m128i((void const *)((p) + (step)), (void const *)(p))
#  define NARROWER engine_vector
#  include "exec/kernels.h"
#  if defined(__clang__)
#    pragma clang attribute pop
#  else
#    pragma GCC pop_options
#  endif

engine_kernels const *engine_avx2(void)
{
    return __builtin_cpu_supports("avx2") ? &kernels : NULL;
}
#else
engine_kernels const *engine_avx2(void) { return NULL; }
#endif
