/** What the engines share of exec/gemm.h. */
#ifndef TSR_SRC_EXEC_GEMM_GEMM_H
#define TSR_SRC_EXEC_GEMM_GEMM_H

#include "exec/compute/algorithm.h"
#include "tessera/exec/gemm.h"

/** The product of tensors with the modes that they name; `why` says what forbids it. */
TSR_INTERNAL void tsr_product_make_(tsr_product_ *g, tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c,
                                    tsr_epilogue const *e);

/** Is the epilogue computed in 64-bit integers? C and the bias have integers, alpha and beta are whole. */
TSR_INTERNAL bool tsr_epilogue_is_whole_(tsr_product_ const *g);

TSR_INTERNAL void tsr_product_by_element_(tsr_product_ const *of);

#endif
