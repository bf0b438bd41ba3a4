/** What the plan of an einsum of any number of tensors is made of. */
#ifndef TSR_SRC_EXEC_GEMM_EINSUM_PLAN_H
#define TSR_SRC_EXEC_GEMM_EINSUM_PLAN_H

#include "exec/gemm/einsum.h"
#include "tessera/exec/einsum_plan.h"

/** The products of an order: pair i multiplies two of the tensors and the results of pairs, which are number
 *  operands, operands + 1, .. */
typedef struct tsr_einsum_order_ {
    tsr_einsum_pair pair[TSR_EINSUM_OPERANDS];
    double products; /* HUGE_VAL: a value between has too many modes */
} tsr_einsum_order_;

/** What an order is chosen by: sets of letters, bit x for letter x, of the tensors and of the result. */
typedef struct tsr_einsum_sets_ {
    int count;
    uint64_t letters[TSR_EINSUM_OPERANDS], result;
    int64_t const *extent;
} tsr_einsum_sets_;

/** The letters of the product of some tensors, a bit each, in which all sums that can be made are made. */
TSR_INTERNAL uint64_t tsr_einsum_letters_of_(tsr_einsum_sets_ const *s, uint32_t some);

/** How many letters there are in a set. */
TSR_INTERNAL int tsr_einsum_modes_(uint64_t letters);

/** The product of the extents of some letters. */
TSR_INTERNAL double tsr_einsum_cost_(tsr_einsum_sets_ const *s, uint64_t letters);

/** The order of the fewest products; of many tensors that of a greedy search. */
TSR_INTERNAL tsr_einsum_order_ tsr_einsum_best_(tsr_einsum_sets_ const *s);

#endif
