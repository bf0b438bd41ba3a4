/* The row of AVX2 and F16C. */
#include "exec/engine.h"

#if defined(__x86_64__) && defined(__GNUC__)
#  include <cpuid.h>
#  include <immintrin.h>
#  include <stdatomic.h>
#  include "exec/target_avx2.h"
#  define VECTOR 32
#  define ROW(name) tsr_##name##_avx2_
#  define STREAM(to, v) _mm256_stream_si256((void *)(to), (__m256i)(v))
#  define LANES(p, step) (vector_8) _mm256_loadu2_m128i((void const *)((p) + (step)), (void const *)(p))
#  define NARROWER tsr_engine_vector_
#  include "exec/move/kernels.h"
#  include "exec/target_end.h"

bool tsr_engine_has_halves_(void)
{
    static atomic_int known = -1; /* a virtual machine takes microseconds to answer */
    int has = atomic_load_explicit(&known, memory_order_relaxed);
    if (has < 0) {
        unsigned a = 0, b = 0, c = 0, d = 0;
        has = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C) != 0;
        atomic_store_explicit(&known, has, memory_order_relaxed);
    }
    return has != 0;
}

engine_kernels const *tsr_engine_avx2_(void)
{
    return __builtin_cpu_supports("avx2") && tsr_engine_has_halves_() ? &kernels : NULL;
}
#else
bool tsr_engine_has_halves_(void) { return false; }

engine_kernels const *tsr_engine_avx2_(void) { return NULL; }
#endif
