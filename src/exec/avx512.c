/* The row of AVX-512 (F, BW, DQ, VL). */
#include "exec/engine.h"

#if defined(__x86_64__) && defined(__GNUC__)
#  include <immintrin.h>
#  if defined(__clang__)
#    pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)
#  else
#    pragma GCC push_options
#    pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#  endif
#  define VECTOR 64
#  define ROW(name) name##_avx512
#  define STREAM(to, v) _mm512_stream_si512((void *)(to), (__m512i)(v))
#  define NARROWER engine_avx2
#  include "exec/kernels.h"
#  if defined(__clang__)
#    pragma clang attribute pop
#  else
#    pragma GCC pop_options
#  endif

engine_kernels const *engine_avx512(void)
{
    bool const here = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
                      && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return here ? &kernels : NULL;
}
#else
engine_kernels const *engine_avx512(void) { return NULL; }
#endif
