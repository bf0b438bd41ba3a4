/** The constants that a kernel of tsr_gpu_reduce is compiled with, and its arguments. The host and the kernel include
 *  one text. */
#ifndef TSR_SRC_GPU_KERNELS_REDUCE_FORM_H
#define TSR_SRC_GPU_KERNELS_REDUCE_FORM_H

#include "gpu/kernels/relayout_form.h"
#include "tessera/exec/reduce.h"

TSR_HEADER_BEGIN

enum {
    TSR_REDUCTION_LOG_THREADS = 8,
    TSR_REDUCTION_THREADS = 1 << TSR_REDUCTION_LOG_THREADS,
    TSR_REDUCTION_LOOPS = TSR_MAX_LEAVES + 1,
    TSR_REDUCTION_ITEMS = 8
};

/** What the numbers are multiplied by: nothing, numbers that lie as they do, one number for an access. */
enum { TSR_REDUCTION_PLAIN, TSR_REDUCTION_BY_RUN, TSR_REDUCTION_BY_ONE };

/** A form. Numbers of an access are neighbours: results side by side (`across`), or numbers of one result. */
typedef struct tsr_reduction_form {
    uint8_t op;            /* tsr_reducer */
    uint8_t across, items; /* numbers of an access */
    uint8_t single;        /* what is reduced is one loop */
    uint8_t wide;          /* indices need more than 31 bits */
    uint8_t fp8;           /* the device converts them */
    uint8_t swizzled;
    uint8_t by;                          /* TSR_REDUCTION_PLAIN, .. */
    uint8_t from_item, to_item, by_item; /* bytes of a number */
    tsr_dtype work;                      /* sums are f32, f64, i64 or u64 */
    tsr_dtype from_type, to_type, by_type;
} tsr_reduction_form;

/** The loops in bytes; those of an access are counted in accesses. `to` of what is reduced is a step of the factors. */
typedef struct tsr_reduction {
    int64_t from, to, by;     /* where the numbers, the results and the factors begin */
    int64_t results, numbers; /* accesses: of results, across, or of numbers of a result, along */
    int64_t chunk, part;      /* numbers of a part, and bytes from the results of one to those of the next */
    int64_t near_to;          /* across: bytes from one result of an access to the next */
    int32_t lanes;            /* the threads that share a result: 1 << lanes */
    int32_t keep_loops, over_loops, unused;
    tsr_swizzle from_swizzle, to_swizzle; /* of bytes */
    tsr_relayout_loop keep[TSR_REDUCTION_LOOPS], over[TSR_REDUCTION_LOOPS];
    int64_t keep_by[TSR_REDUCTION_LOOPS]; /* the steps of the factors */
} tsr_reduction;

TSR_SAME_(TSR_BEGINS_(tsr_reduction, from_swizzle, 80)
          && sizeof(tsr_reduction) == 112 + TSR_REDUCTION_LOOPS * (2 * sizeof(tsr_relayout_loop) + 8));

TSR_HEADER_END

#endif
