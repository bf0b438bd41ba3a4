/* The row of vectors of 16 bytes that every machine of today has: SSE2, NEON, or what the compiler makes of them. */
#include "exec/engine.h"

#if defined(__GNUC__) && (defined(__clang__) || __GNUC__ >= 12)
#  define VECTOR 16
#  define ROW(name) tsr_##name##_vector_
#  if defined(__SSE2__)
#    include <emmintrin.h>
#    define STREAM(to, v) _mm_stream_si128((void *)(to), (__m128i)(v))
#  else
#    define STREAM(to, v) store(to, v)
#  endif
#  define LANES(p, step) load(p)
#  define NARROWER NULL
#  include "exec/move/kernels.h"

engine_kernels const *tsr_engine_vector_(void) { return &kernels; }
#else
engine_kernels const *tsr_engine_vector_(void) { return NULL; }
#endif
