/** A product of any loops, as the argument of a kernel (gemm_any.cuh): the loops of a problem, and where its
 *  tensors are. One text for the host and the kernel. */
#ifndef TSR_SRC_GPU_KERNELS_GEMM_ANY_H
#define TSR_SRC_GPU_KERNELS_GEMM_ANY_H

#include "tessera/core/swizzle.h"
#include "tessera/cuda/both_sides.h"
#include "tessera/exec/gemm_loops.h"

TSR_HEADER_BEGIN

/** How its kernel reads A and B: which have their neighbours along M or N, not K; of which 16 bytes of factors are read
 *  at a time, of halves for tensor cores wherever they begin; whether offsets go through swizzles; whether K is divided
 *  among blocks, of which the last adds up; whether two operands of f16 or of bf16, or f64, go by tensor cores, which
 *  compute capability 8.0, or 9.0, has; whether the sums of 16 bytes are written to C at a time;
 *  whether 32 bits count all tiles and elements of a mode; whether elements are copied, and not read
 *  (gemm_async.cuh), and of these, whether both operands lie along K, which is one loop. */
enum {
    TSR_ANY_A_ROWS = 1,
    TSR_ANY_A_WIDE = 2,
    TSR_ANY_B_ROWS = 4,
    TSR_ANY_B_WIDE = 8,
    TSR_ANY_SWIZZLED = 16,
    TSR_ANY_SPLITS = 32,
    TSR_ANY_TENSOR = 64,
    TSR_ANY_C_WIDE = 128,
    TSR_ANY_COUNTED = 256,
    TSR_ANY_COPIED = 512 | TSR_ANY_COUNTED,
    TSR_ANY_STRAIGHT = 1024
};

/** Steps of K for which a block computes offsets at a time; parts of K that are added up at once. */
enum { TSR_ANY_KNOWN = 256, TSR_ANY_GROUP = 16 };

/** What a kernel and its launch agree on: the threads of a block, the blocks of a multiprocessor, the tiles on their
 *  way, their elements of K, the slices that share these, the bytes of shared memory. */
typedef struct tsr_any_form {
    int threads, blocks, stages, depth, slices, bytes;
} tsr_any_form;

/** Of square tiles, for factors of `factor` bytes and sums of `sum` bytes. */
TSR_LOCAL tsr_any_form tsr_make_any_form(int factor, int sum, int side, int access)
{
    bool const a = (access & (TSR_ANY_A_ROWS | TSR_ANY_A_WIDE)) != 0,
               b = (access & (TSR_ANY_B_ROWS | TSR_ANY_B_WIDE)) != 0;
    bool const is_long = factor == 8, is_half = factor == 2, little = side <= 64, small = side == 32;
    bool const by_one = (access & (TSR_ANY_A_ROWS | TSR_ANY_A_WIDE)) == TSR_ANY_A_ROWS
                        || (access & (TSR_ANY_B_ROWS | TSR_ANY_B_WIDE)) == TSR_ANY_B_ROWS; /* along the rows */
    tsr_any_form r = TSR_ZERO;
    if ((access & TSR_ANY_COPIED) == TSR_ANY_COPIED) {
        r.threads = is_long && !little ? 256 : 128;
        r.blocks = is_long && !little ? 1 : 2;
        r.stages = little ? 3 : 4;
        r.depth = is_long ? (little ? 32 : 16) : !little ? 8 : by_one ? 16 : 32;
        r.slices = !little ? 1 : is_long ? 2 : 4;
    } else if (is_half) {
        r.threads = small ? 64 : little ? 128 : 512;
        r.blocks = small ? 8 : !little ? 1 : access & TSR_ANY_SWIZZLED ? 3 : 4; /* as registers allow */
        r.stages = 2;
        r.depth = 32;
        r.slices = 1;
    } else { /* as registers allow */
        bool const more =
            (access & (TSR_ANY_SWIZZLED | TSR_ANY_SPLITS)) != 0 || !(access & TSR_ANY_COUNTED) || !a || !b;
        r.threads = small ? 64 : 256;
        r.blocks = side * sum <= 256 ? (more ? 2 : 3) : side * sum <= 512 && !more ? 2 : 1;
        if (small)
            r.blocks = (sum == 8 ? 5 : 8) - (more ? 2 : 0);
        r.stages = 2;
        r.depth = !little && (!a || !b || is_long || !(access & (TSR_ANY_A_ROWS | TSR_ANY_B_ROWS))) ? 8 : 16;
        r.slices = 1;
    }
    int const tiles = r.stages * r.depth * 2 * (side * factor + (is_long ? 32 : 16)),
              sums = r.slices * side * side * sum;
    r.bytes = (tiles > sums ? tiles : sums) + (4 * TSR_ANY_KNOWN + 6 * side + 2) * 8 + 96;
    return r;
}

/** Where the first element of a tensor is; offsets go through the swizzle last. */
typedef struct tsr_gemm_base {
    uint64_t address;
    int64_t begin;     /* elements */
    int64_t low, high; /* without a swizzle: the range of bytes from the address on in which its elements lie */
    tsr_swizzle swizzle;
} tsr_gemm_base;

typedef struct tsr_gemm_any {
    tsr_gemm_loops v, m, n, k;
    tsr_gemm_base base[TSR_OPERANDS];
    double alpha, beta;
    int64_t whole;             /* tiles that come first, over all of K; those behind them are divided */
    int64_t splits, part;      /* of K: how many, and the steps of one, a multiple of TSR_ANY_KNOWN */
    uint64_t partial, arrived; /* their sums, and numbers of each such tile, one and one for each group of parts, 0
                                  before and behind the kernel */
} tsr_gemm_any;

TSR_SAME_(sizeof(tsr_gemm_loops) == 16 + 8 * TSR_MAX_LEAVES * (1 + TSR_OPERANDS) && sizeof(tsr_gemm_base) == 48);
TSR_SAME_(TSR_BEGINS_(tsr_gemm_any, alpha, 4 * (sizeof(tsr_gemm_loops) + sizeof(tsr_gemm_base)))
          && sizeof(tsr_gemm_any) == 4 * (sizeof(tsr_gemm_loops) + sizeof(tsr_gemm_base)) + 56);

TSR_HEADER_END

#endif
