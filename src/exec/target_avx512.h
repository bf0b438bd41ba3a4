/* What stands between this and exec/target_end.h is compiled for AVX-512 (F, BW, DQ, VL). */
#if defined(__clang__)
#  pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,f16c"))), \
                               apply_to = function)
#else
#  pragma GCC push_options
#  pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,f16c,prefer-vector-width=512")
#endif
