/* Reductions and what else is computed by AVX2. */
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
#  include "exec/reduce_row.h"
#  include "exec/compute_row.h"
#  if defined(__clang__)
#    pragma clang attribute pop
#  else
#    pragma GCC pop_options
#  endif
#endif
