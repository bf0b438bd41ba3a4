/* Reductions and what else is computed by AVX-512 (F, BW, DQ, VL). */
#include "exec/engine.h"

#if defined(__x86_64__) && defined(__GNUC__)
#  include <immintrin.h>
#  if defined(__clang__)
#    pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,f16c"))), apply_to = function)
#  else
#    pragma GCC push_options
#    pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,f16c,prefer-vector-width=512")
#  endif
#  define VECTOR 64
#  define ROW(name) name##_avx512
#  include "exec/reduce_row.h"
#  include "exec/compute_row.h"
#  if defined(__clang__)
#    pragma clang attribute pop
#  else
#    pragma GCC pop_options
#  endif
#endif
