/** einsum: the product of two tensors, its modes named by letters, "mk,kn->mn".
 *
 *      tsr_einsum("mk,kn->mn", a, b, c);        C(m,n) = sum over k of A(m,k) * B(k,n)
 *      tsr_einsum("vmk,vnk->vmn", a, b, c);     the same for every v
 *      tsr_einsum("abij,jk->kabi", a, b, c);    a contraction of tensors
 *      tsr_einsum("i,i->", a, b, c);            a dot product, C has one element
 *
 *  Letter i of a tensor is its mode i, nested or not. A letter of all three tensors is a batch (V). A letter of one
 *  operand and the result counts rows (M) or columns (N). A letter of both operands alone is summed over (K). The modes
 *  are grouped to (V,M,K) x (V,N,K) -> (V,M,N), and no element moves before the product.
 *
 *  Law     the product of exec/gemm.h with an epilogue. Only tsr_einsum_with reads C's old elements.
 *  Errors  EINSUM_TEXT, EINSUM_ENDS, EINSUM_RANK, EINSUM_REPEATED (a diagonal), EINSUM_ALONE (a sum over one
 *          operand), EINSUM_UNKNOWN, EINSUM_SIZE; CAPACITY; those of gemm.
 *  Source  NumPy, numpy.einsum; TBLIS and TCCG for contractions as products of layouts.
 */
#ifndef TSR_EXEC_EINSUM_H
#define TSR_EXEC_EINSUM_H

#include "tessera/exec/gemm.h"

TSR_HEADER_BEGIN

enum { TSR_EINSUM_LETTERS = 52 };

/** einsum with an epilogue, whose bias has the modes of C. */
TSR_TRY tsr_reason tsr_einsum_with(char const *text, tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c,
                                   tsr_epilogue const *how);

/** einsum: C becomes the product. */
TSR_TRY tsr_reason tsr_einsum(char const *text, tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c);

/* A call names tensors; where they are is what it passes (tensor/tensor.h). */
#ifdef __cplusplus
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_einsum_with(char const *text, tsr_tensor const &a, tsr_tensor const &b,
                                                      tsr_tensor const &c, tsr_epilogue const *how)
{
    return tsr_einsum_with(text, &a, &b, &c, how);
}
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_einsum(char const *text, tsr_tensor const &a, tsr_tensor const &b,
                                                 tsr_tensor const &c)
{
    return tsr_einsum(text, &a, &b, &c);
}
#else
#  define tsr_einsum_with(text, a, b, c, how) tsr_einsum_with(text, TSR_AT(a), TSR_AT(b), TSR_AT(c), how)
#  define tsr_einsum(text, a, b, c) tsr_einsum(text, TSR_AT(a), TSR_AT(b), TSR_AT(c))
#endif

TSR_HEADER_END

#endif
