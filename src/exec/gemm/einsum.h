/** What the engines share of exec/einsum.h. */
#ifndef TSR_SRC_EXEC_GEMM_EINSUM_H
#define TSR_SRC_EXEC_GEMM_EINSUM_H

#include "exec/gemm/gemm.h"
#include "tessera/exec/einsum.h"

/** Where each letter stands: in which mode of each of the three tensors, and at which character; -1: not there. */
typedef struct tsr_einsum_ {
    tsr_reason why;
    int8_t mode[3][TSR_EINSUM_LETTERS];
    int at[3][TSR_EINSUM_LETTERS];
    int count[3];
} tsr_einsum_;

/** 0 to 51 of a letter, A to Z before a to z; else -1. */
TSR_INTERNAL int tsr_letter_(char c);

/** A reason with the text, as much of it as fits into the numbers that its sentence does not use. */
TSR_INTERNAL tsr_reason tsr_einsum_quote_(tsr_reason why, char const *text);

/** Reads the text: letters, a comma, letters, an arrow, letters; blanks mean nothing. */
TSR_INTERNAL void tsr_einsum_read_(tsr_einsum_ *e, char const *text);

/** Gives the tensors the modes (V, M, K), (V, N, K), (V, M, N) of their product. `bias` has C's modes, or is NULL. */
TSR_INTERNAL tsr_reason tsr_einsum_as_gemm(char const *text, tsr_tensor *a, tsr_tensor *b, tsr_tensor *c,
                                           tsr_tensor *bias);

#endif
