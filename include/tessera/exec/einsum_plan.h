/** einsum of any number of tensors: sums and products of two, in the order that costs least.
 *
 *      tsr_tensor const *const x[] = {&a, &b, &c};
 *      tsr_einsum_n("ij,jk,kl->il", x, 3, &d);      D(i,l) = sum over j and k of A(i,j) * B(j,k) * C(k,l)
 *      tsr_einsum_n("...ii->...", &x[0], 1, &d);    the traces of a stack of matrices
 *
 *  The text is NumPy's. A letter names a mode, and `...` all modes that have none, from the last one on. A letter twice
 *  in a tensor is its diagonal. A mode of extent 1 is repeated. A letter that the result leaves out is summed over.
 *  Without an arrow the result has `...` and the letters that occur once, in the order of their characters.
 *
 *  A plan is a list of steps. Tensor i is value i, and step s makes value operands + s of one or two values; the last
 *  step writes the result. A letter of one tensor alone is summed first. Then values are multiplied two by two:
 *
 *      order     of up to TSR_EINSUM_EXACT tensors the one of the fewest products of numbers, of all orders; of more
 *                the better one of two greedy orders: fewest products next, or smallest growth of memory next
 *      cost      of a product of two values, the product of the extents of all their letters
 *      memory    each value but the result is compact, last mode fastest, in memory of the call's own at multiples of
 *                64 bytes, which is given back when the value has been read
 *      elements  of the values between: int64 where all tensors have integers; else f32, or f64 where a tensor has f64,
 *                or integers of more than 16 bits; c64 or c128 where one is complex
 *
 *  Law     to(o) = the sum over all other letters of the product of x[i], up to the rounding of exec/gemm.h and of
 *          each value between. Sums and products of integers are those modulo 2^64. Nothing is written on failure but
 *          in the last step.
 *  Errors  EINSUM_TEXT; SYNTAX, at a character: another number of tensors than the text has, or more than
 *          TSR_EINSUM_OPERANDS; a second `...`, one that the result leaves out, or one for which there are no letters;
 *          EINSUM_RANK, EINSUM_REPEATED (in the result), EINSUM_UNKNOWN, EINSUM_SIZE; EINSUM_ORDER; RANK, DIFFER_SIZE
 *          of tensors that the plan was not made for; CAPACITY of a value of more than 16 modes; OVERFLOW and NO_MEMORY
 *          of one that is too large; those of exec/gemm.h, exec/transform.h and exec/reduce.h, OVERLAP among them: the
 *          result may be no operand, unless the last step is elementwise.
 *  Source  NumPy, numpy.einsum and numpy.einsum_path; opt_einsum, its greedy and optimal paths.
 */
#ifndef TSR_EXEC_EINSUM_PLAN_H
#define TSR_EXEC_EINSUM_PLAN_H

#include "tessera/exec/einsum.h"

TSR_HEADER_BEGIN

/** Tensors of a text; of how many all orders are tried; steps, which are sums of one and products of two; values. */
enum {
    TSR_EINSUM_OPERANDS = 32,
    TSR_EINSUM_EXACT = 8,
    TSR_EINSUM_STEPS = 2 * TSR_EINSUM_OPERANDS - 1,
    TSR_EINSUM_VALUES = TSR_EINSUM_OPERANDS + TSR_EINSUM_STEPS
};

/** The letters of a value, one a mode, and a 0. */
typedef char tsr_einsum_letters[TSR_MAX_LEAVES + 1];

/** Two values that are multiplied. */
typedef struct tsr_einsum_pair {
    int left, right;
} tsr_einsum_pair;

typedef struct tsr_einsum_step {
    int left, right;  /* the values that it reads; right is -1 of a sum or a copy of one */
    double products;  /* products of two numbers, or additions of a sum */
    int64_t elements; /* of the value that it makes */
} tsr_einsum_step;

typedef struct tsr_planned_einsum {
    tsr_reason why; /* why there is no plan */
    int operands, steps;
    tsr_einsum_step step[TSR_EINSUM_STEPS];
    double products;                                   /* of all products of two values */
    int64_t largest;                                   /* the most elements of a value between; 0: there is none */
    int64_t extent[TSR_EINSUM_LETTERS];                /* of each letter, A to Z and a to z */
    tsr_einsum_letters given[TSR_EINSUM_OPERANDS + 1]; /* of each tensor and of the result, `...` as letters */
    tsr_einsum_letters value[TSR_EINSUM_VALUES];       /* of each value, none twice and none of extent 1 */
} tsr_planned_einsum;

/** The plan of a text. `to` is not needed for it: the result has extent[] of the letters given[operands].
 *  For "ij,jk,kl->il" of (8,4), (4,16), (16,2)
 *  step 0 multiplies values 1 and 2, step 1 values 0 and 3, by 192 products. */
TSR_TRY tsr_planned_einsum tsr_einsum_plan(char const *text, tsr_tensor const *const *x, int operands);

/** The plan of products in a given order. Pair i multiplies two of the tensors and the results of earlier pairs, which
 *  are number operands, operands + 1, ..; each is in one pair, so there are operands - 1 of them.
 *  Errors   also EINSUM_ORDER. */
TSR_TRY tsr_planned_einsum tsr_einsum_plan_along(char const *text, tsr_tensor const *const *x, int operands,
                                                 tsr_einsum_pair const *pair, int pairs);

/** Runs a plan on tensors of the extents that it was made for. */
TSR_TRY tsr_reason tsr_einsum_run(tsr_planned_einsum const *p, tsr_tensor const *const *x, tsr_tensor const *to);

/** The einsum of any number of tensors: a plan, run once. */
TSR_TRY tsr_reason tsr_einsum_n(char const *text, tsr_tensor const *const *x, int operands, tsr_tensor const *to);

TSR_HEADER_END

#endif
