/** Reduce: the sum, the least or the greatest of the elements that a layout sends to one place.
 *
 *      to(c) = op of all from(d) with to's offset of d the same as of c
 *
 *  Both layouts have one shape; where to's stride is 0 the elements are reduced. (N,M):(0,1) gives each column its sum,
 *  (N,M):(0,0) all of them one.
 *
 *  Integers are added modulo 2^64 and compared exactly; those of 64 bits whose sum is no integer are added in double.
 *  Other numbers are reduced in double and rounded once. Complex
 *  numbers have sums only, and real ones may be reduced to complex ones. If there is a NaN, the result is one; the
 *  least and the greatest are never -0. A sum of doubles depends on its order, which follows from the layouts alone,
 *  not from threads or instructions:
 *
 *      The reduced elements of a result are in the order of their addresses, mode by mode, in runs of at most 4096
 *      along the smallest stride; up to 16 pieces of runs, of 65536 elements and more, are summed by themselves, from
 *      +0 on, and added in turn. Where runs go along the smallest step of the source and are not short (`along`),
 *      element i of one is added to partial sum i modulo 32, and these by halves: j and j + 16, j and j + 8, ..;
 *      else one after the other.
 *
 *  Errors  those of a copy; NOT_INJECTIVE where strides other than 0 lead two results to one place; REDUCE_LOOPS.
 *  Source  NumPy, ufunc.reduce; CuTe, include/cute/algorithm/tensor_reduce.hpp.
 */
#ifndef TSR_EXEC_REDUCE_H
#define TSR_EXEC_REDUCE_H

#include "tessera/exec/run.h"

TSR_HEADER_BEGIN

/* clang-format off */
/** X(id, m and x of reals, of integers). */
#define TSR_REDUCER_LIST(X)                              \
    X(SUM, m + x, (int64_t)((uint64_t)m + (uint64_t)x))  \
    X(MIN, x < m || x != x ? x : m, x < m ? x : m)       \
    X(MAX, x > m || x != x ? x : m, x > m ? x : m)
/* clang-format on */

typedef enum tsr_reducer {
#define TSR_X_(id, real, integer) TSR_REDUCE_##id,
    TSR_REDUCER_LIST(TSR_X_)
#undef TSR_X_
        TSR_REDUCERS
} tsr_reducer;

/** Elements of a run; pieces; results side by side. */
enum { TSR_REDUCE_RUN = 4096, TSR_REDUCE_PIECES = 16, TSR_REDUCE_WIDTH = 1024 };

typedef struct tsr_planned_reduce {
    tsr_reason why; /* why there are none */
    int64_t results;
    uint8_t op, kept, reduced;
    bool along, in_place; /* elements are read where they lie */
    tsr_dtype work, as;   /* f64, i64, u64; what elements are read as (src/exec/compute/reduce_lines.h) */
    tsr_side from, to;
    int64_t runs, pieces, blocks;                                /* runs and pieces of a result, blocks of results */
    tsr_loop keep[TSR_MAX_LEAVES + 1], over[TSR_MAX_LEAVES + 1]; /* the smallest step of the source first */
    int64_t reserved[4];                                         /* 0: room for fields of a later version */
} tsr_planned_reduce;

/** The plan of tsr_reduce_to(op, s, d). */
TSR_TRY tsr_planned_reduce tsr_reduce_plan(tsr_reducer op, tsr_tensor const *s, tsr_tensor const *d);

/** Runs a plan between two pointers. */
TSR_API void tsr_reduce_run(tsr_planned_reduce const *p, void const *from, void *to);

/** Reduces the elements of `from` to those of `to`. */
TSR_TRY tsr_reason tsr_reduce_to(tsr_reducer op, tsr_tensor const *from, tsr_tensor const *to);

/* A call names tensors; where they are is what it passes (tensor/tensor.h). */
#ifdef __cplusplus
TSR_HOST_REF TSR_NODISCARD tsr_planned_reduce tsr_reduce_plan(tsr_reducer op, tsr_tensor const &s,
                                                              tsr_tensor const &d)
{
    return tsr_reduce_plan(op, &s, &d);
}
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_reduce_to(tsr_reducer op, tsr_tensor const &from, tsr_tensor const &to)
{
    return tsr_reduce_to(op, &from, &to);
}
#else
#  define tsr_reduce_plan(op, s, d) tsr_reduce_plan(op, TSR_AT(s), TSR_AT(d))
#  define tsr_reduce_to(op, from, to) tsr_reduce_to(op, TSR_AT(from), TSR_AT(to))
#endif

TSR_HEADER_END

#endif
