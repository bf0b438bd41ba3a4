/** Rows of atoms. The kinds are explained in ops.h. */
#ifndef TSR_OPS_ATOM_H
#define TSR_OPS_ATOM_H

#include "tessera/atom/mma_layout.h"

/* clang-format off */
#define TSR_OPS_ATOM(X, Y) \
    X(mma_shape, mma_shape, T, (A), "(M,N,K) of an MMA atom", \
      "mma_shape(SM90_64x96x32_S32S8S8_SS_TN)", "(_64,_96,_32)") \
    X(mma_thr_id, mma_thr_id, L, (A), "thread of the atom to thread of the warp or warpgroup", \
      "mma_thr_id(SM70_8x8x4_F32F16F16F32_NT)", "(_4,_2):(_1,_16)") \
    X(mma_layout_a, mma_layout_a, L, (A), "(thread,value) to the index of an element of A (M,K)", \
      "mma_layout_a(SM80_16x8x8_F32TF32TF32F32_TN)", "((_4,_8),(_2,_2)):((_16,_1),(_8,_64))") \
    X(mma_layout_b, mma_layout_b, L, (A), "(thread,value) to the index of an element of B (N,K)", \
      "mma_layout_b(SM90_64x8x16_F16F16F16_RS)", "(_128,(_8,_16)):(_0,(_1,_8))") \
    X(mma_layout_c, mma_layout_c, L, (A), "(thread,value) to the index of an element of C (M,N)", \
      "mma_layout_c(SM80_8x8x4_F64F64F64F64_TN)", "((_4,_8),_2):((_16,_1),_8)")
/* clang-format on */

#endif
