/* What stands between this and exec/target_end.h is compiled for products of bytes and of bf16 (AArch64). */
#if defined(__clang__)
#  pragma clang attribute push(__attribute__((target("dotprod,i8mm,bf16"))), apply_to = function)
#else
#  pragma GCC push_options
#  pragma GCC target("arch=armv8.2-a+dotprod+i8mm+bf16")
#endif
