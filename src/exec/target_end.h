/* The end of what exec/target_avx2.h, exec/target_avx512.h or exec/target_dots.h begins. */
#if defined(__clang__)
#  pragma clang attribute pop
#else
#  pragma GCC pop_options
#endif
