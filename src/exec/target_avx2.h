/* What stands between this and exec/target_end.h is compiled for AVX2 and F16C. */
#if defined(__clang__)
#  pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#else
#  pragma GCC push_options
#  pragma GCC target("avx2,f16c")
#endif
