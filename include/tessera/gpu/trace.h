/** Traces: launches in a row, recorded once and done again at other addresses.
 *
 *      tsr_gpu_trace_begin(&t, address, 2);                         arrays 0 and 1 of the call, of these addresses
 *      m = tsr_gpu_trace_memory(&t, room, bytes);                   memory between the launches
 *      tsr_gpu_trace_copy(&t, (tsr_gpu_place[2]){{0, 0}, {m, 0}}, NULL, &plan)
 *      tsr_gpu_trace_reduce(&t, (tsr_gpu_place[2]){{m, 0}, {1, 0}}, sum)
 *      tsr_gpu_trace_end(&t, -1);
 *      .. tsr_gpu_trace_run(&t, others, at, NULL, stream, NULL);    the same of other arrays; at[0] has t.bytes[0]
 *
 *  A step is a plan, the places of its operands, and its two numbers, each its own or one of the call. A trace keeps
 *  plans of copies and combinations, which it is given; those of products and sums stay their owner's and are to live
 *  as long. All memory between the launches becomes one piece of t.bytes[0] bytes, that of a result another one.
 *
 *  Law     a run launches the steps in their order. Plans depend on addresses modulo TSR_GPU_KEY_ALIGNED bytes, so
 *          arrays have the same place there as those of the recording, and memory begins at multiples of it. Launches
 *          of one stream do not overtake each other: memory between them is free for others behind the last one.
 *  Errors  a step that does not fit, or whose operand has no place, is not added: false, and the plan stays the
 *          caller's. A run ends at the first launch that fails, with its result; NUMBERS of step 0 means that the plans
 *          are for other numbers, and nothing was launched.
 *  Source  CUDA graphs, stream capture; PyTorch, torch.cuda.CUDAGraph. */
#ifndef TSR_GPU_TRACE_H
#define TSR_GPU_TRACE_H

#include "tessera/gpu/combine.h"
#include "tessera/gpu/copy.h"
#include "tessera/gpu/gemm.h"
#include "tessera/gpu/plan_cache.h"
#include "tessera/gpu/reduce.h"

TSR_HEADER_BEGIN

enum {
    TSR_GPU_TRACE_STEPS = 32,
    TSR_GPU_TRACE_BETWEEN = 32,
    TSR_GPU_TRACE_MEMORIES = TSR_GPU_KEY_ARRAYS + TSR_GPU_TRACE_BETWEEN,
    TSR_GPU_TRACE_OPERANDS = 4
};

/** Bytes behind where some memory of a trace begins. */
typedef struct tsr_gpu_place {
    int memory;
    uint64_t offset;
} tsr_gpu_place;

/** A number of a step: number `slot` of the call, or with a slot of -1 always this value. */
typedef struct tsr_gpu_factor {
    int slot;
    tsr_number value;
} tsr_gpu_factor;

typedef enum tsr_gpu_step_kind {
    TSR_GPU_STEP_COPY,
    TSR_GPU_STEP_COMBINE,
    TSR_GPU_STEP_GEMM,
    TSR_GPU_STEP_REDUCE
} tsr_gpu_step_kind;

typedef struct tsr_gpu_step {
    tsr_gpu_step_kind kind;
    bool renumbered; /* a number is one of the call */
    int operands;
    tsr_gpu_planned_copy *copy;
    tsr_gpu_planned_combine *combine;
    tsr_gpu_planned_gemm const *product;
    tsr_gpu_planned_reduce const *sum;
    tsr_gpu_place at[TSR_GPU_TRACE_OPERANDS];
    tsr_gpu_factor number[2];
} tsr_gpu_step;

/** A trace. Where it has ended, places are in arrays 0 .. arrays - 1, in memory `arrays`, which is between launches, or
 *  in memory `arrays + 1`, that of a result. */
typedef struct tsr_gpu_trace {
    int arrays, memories, steps;
    unsigned written;  /* a bit for each array */
    uint64_t bytes[2]; /* of the memory between launches, and of the result's */
    uint64_t begin[TSR_GPU_TRACE_MEMORIES], size[TSR_GPU_TRACE_MEMORIES]; /* while it is recorded */
    tsr_gpu_step step[TSR_GPU_TRACE_STEPS];
} tsr_gpu_trace;

/** Begins a trace of a call on arrays at these addresses, at most TSR_GPU_KEY_ARRAYS of them. */
TSR_API bool tsr_gpu_trace_begin(tsr_gpu_trace *t, uint64_t const *address, int arrays);

/** Further memory, which begins at a multiple of TSR_GPU_KEY_ALIGNED bytes. Returns its number; -1: it does not, or
 *  there are TSR_GPU_TRACE_BETWEEN already. */
TSR_API int tsr_gpu_trace_memory(tsr_gpu_trace *t, uint64_t begin, uint64_t bytes);

/** The steps. A copy is written to place 1, a combination to place 2; they take their plan, and *plan is NULL then. A
 *  product is written to place 2, a sum to place 1. Numbers may be NULL: those of the plan. */
TSR_API bool tsr_gpu_trace_copy(tsr_gpu_trace *t, tsr_gpu_place const at[2], tsr_gpu_factor const *number,
                                tsr_gpu_planned_copy **plan);
TSR_API bool tsr_gpu_trace_combine(tsr_gpu_trace *t, tsr_gpu_place const at[3], tsr_gpu_factor const *number,
                                   tsr_gpu_planned_combine **plan);
TSR_API bool tsr_gpu_trace_gemm(tsr_gpu_trace *t, tsr_gpu_place const *at, int operands, tsr_gpu_factor const *number,
                                tsr_gpu_planned_gemm const *plan);
TSR_API bool tsr_gpu_trace_reduce(tsr_gpu_trace *t, tsr_gpu_place const at[2], tsr_gpu_planned_reduce const *plan);

/** Ends the recording: memory `result`, or none of -1, is that of a result. */
TSR_API void tsr_gpu_trace_end(tsr_gpu_trace *t, int result);

/** Launches all steps: the arrays at these addresses, memory of t->bytes[i] bytes at at[i], the numbers by their slots.
 *  *ran becomes how many were launched; it may be NULL. */
TSR_API tsr_gpu_result tsr_gpu_trace_run(tsr_gpu_trace const *t, uint64_t const *address, uint64_t const at[2],
                                         tsr_number const *number, tsr_gpu_stream const *stream, int *ran);

/** Gives back the plans that the trace keeps. */
TSR_API void tsr_gpu_trace_free(tsr_gpu_trace *t);

TSR_HEADER_END

#endif
