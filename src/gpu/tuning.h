/** What the planners of src/gpu know of a processor: one table for each that was measured.
 *
 *  Models of the time choose tiles, parts of K and copies. Their numbers are clocks, bytes, and shares of what runs at
 *  once; they were fitted to times of the processor that the table is named after. Other processors are planned by that
 *  table, too: what is possible on them is asked of the device, never of the table. */
#ifndef TSR_SRC_GPU_TUNING_H
#define TSR_SRC_GPU_TUNING_H

#include "exec/gemm/problem.h"

/** Products by TMA and wgmma (gemm_choose.c). A step is 128 bytes of K. */
typedef struct gpu_hopper_tuning {
    double multiplied;    /* elements of a tile that the tensor cores multiply by a step's K, a clock */
    double operand_line;  /* clocks of a line of 128 bytes that the tensor cores read from shared memory */
    double incoming_line; /* .. that comes into the multiprocessor */
    double outside_line;  /* .. more, of a line outside of its tensor */
    double shared_line;   /* the share of lines of less than 128 bytes that is left where a pair of CTAs reads them */
    double few_lines,
        many_lines;         /* clocks of a line that leaves the second-level cache, read a few times, or often */
    double often;           /* the number of reads that count as often */
    double skew, much_skew; /* how much longer a line takes that begins at no 128 bytes, at no 32 */
    double much_incoming;   /* .. the latter, as it comes in */
    double least_step;      /* clocks of a step at least */
    double others;          /* the share that counts of what is not the slowest */
    double scales,
        scale_of_sum;  /* clocks of a step that adds up scaled sums: at least, and for each sum of a thread */
    double shared_end; /* clocks of a tile's end */
    double stored_turns, stored_shared; /* shares of its storing: in turns, shared */
    double store_bits;                  /* bits of a result that are stored in a clock */
    double pair_start, pair_end,
        join_end;        /* clocks of pairs of CTAs, once and for each wave; of joining parts of K */
    double join_sums;    /* sums that are joined in a clock */
    double last_share;   /* of the last tile's storing, which nothing hides */
    double narrow_end;   /* clocks of storing 64 rows in lines of less than 64 bytes */
    double narrow_bits;  /* what such lines have */
    double memory_bytes; /* a clock; */
    double again;        /* the share of lines that are read again, because tiles do not run side by side; */
    double memory_share; /* the share of the shorter one of multiplying and reading that counts */
    double compiled;     /* how much longer a tile may take whose kernel is compiled already */
    int least_steps;     /* of a part of K */
    int split_sums;      /* of a thread, at most, in tiles whose K is divided */
    int sums;            /* of a thread, where an epilogue reads nothing */
    int sums_with_one, sums_with_more; /* where it reads one thing, or more */
} gpu_hopper_tuning;

/** Products by plain loops (gemm_loops.c). */
typedef struct gpu_loops_tuning {
    struct {
        int each;                    /* rows and columns of a tile, in sixteens */
        double read, copied, halves; /* multiplications a clock: read, copied, of halves by tensor cores */
    } form[3];                       /* the last one is for few steps of K, and never copied */
    double tile_end, large_end;      /* clocks of a tile's end; how many times that of halves in large tiles */
    double small_end;                /* .. of tiles of the last form */
    int small_depth;                 /* of K: above it these are not tried */
    double copied_end;               /* clocks of a tile's begin and end where the copy unit brings it */
    int read_doubles;                /* of K: above it tiles of doubles are always copied */
    double join_end, join_sums;      /* clocks of joining parts of K; sums a clock */
    double two_at_once; /* slowdown of two tiles that share a multiprocessor, in turns of a tile that has one alone */
    int most_parts, most_tiles; /* of K; parts of tiles of a multiprocessor */
    tsr_gemm_near near;         /* neighbours in C before those in A or B: tiles read and write both in whole lines */
} gpu_loops_tuning;

/** Operands that are copied before a product (gemm_pack.c). */
typedef struct gpu_pack_tuning {
    double copy_clocks, copy_bytes; /* clocks of a launch; bytes a clock */
    double least_work;              /* operations below which plain loops are done before a copy is */
} gpu_pack_tuning;

/** Tiles of copies (copy_tile.c, copy_zip.c); bytes. */
typedef struct gpu_copy_tuning {
    int alone;                     /* the shortest run that moves without a tile */
    int line;                      /* of memory */
    int side;                      /* of a tile: what a row and a column have at most */
    int tile, longest;             /* a tile; its longest row */
    int long_run;                  /* a run that is worth accesses of its own */
    int shared, most_shared;       /* of a block; of a tile by words or of far pages: what sm_75 and later have */
    int square;                    /* a square tile of which a multiprocessor has three or four blocks */
    int lanes;                     /* threads side by side along a column */
    int64_t far_rows, far_columns; /* steps from which on larger tiles pay, for each row or column is in another page:
                                      28^6 floats 0.84 of a copy instead of 0.79, where runs are no whole lines 0.85;
                                      56^5 0.86 instead of 0.92 */
    int planes, plane_run;         /* that are zipped, at most; the shortest run of one */
} gpu_copy_tuning;

typedef struct gpu_tuning {
    gpu_hopper_tuning hopper;
    gpu_loops_tuning loops;
    gpu_pack_tuning pack;
    gpu_copy_tuning copy;
} gpu_tuning;

/** H200: 19,000 times of 140 products, 1,900 of 76 for narrow lines; 190 products by plain loops; the copies of
 *  bench/bench_gpu_copy.c. */
static gpu_tuning const gpu_h200 = {
    /* clang-format off */
    .hopper = {.multiplied = 32, .operand_line = 1.1, .incoming_line = 2, .outside_line = 1.5, .shared_line = 0.6,
               .few_lines = 0.8, .many_lines = 1.5, .often = 12, .skew = 2, .much_skew = 2.2,
               .much_incoming = 2, .least_step = 220, .others = 10, .scales = 75, .scale_of_sum = 0.65,
               .shared_end = 1200, .stored_turns = 0.08, .stored_shared = 0.1, .store_bits = 16,
               .pair_start = 4000, .pair_end = 400, .join_end = 3000,
               .join_sums = 6, .last_share = 0.3, .narrow_end = 450, .narrow_bits = 512, .memory_bytes = 2200,
               .again = 0.4, .memory_share = 0.3, .compiled = 1.05, .least_steps = 4, .split_sums = 96, .sums = 192,
               .sums_with_one = 128, .sums_with_more = 96},
    .loops = {.form = {{8, 85, 100, 310}, {4, 63, 76, 190}, {2, 40, 0, 90}}, .tile_end = 2000, .large_end = 3,
              .small_end = 0.3, .small_depth = 64, .copied_end = 6000, .read_doubles = 64, .join_end = 4000,
              .join_sums = 8, .two_at_once = 1.2, .most_parts = 256, .most_tiles = 6, .near = {48, 16, 16}},
    .pack = {.copy_clocks = 4600, .copy_bytes = 900, .least_work = 5e7},
    .copy = {.alone = 64, .line = 128, .side = 256, .tile = 32768, .longest = 2048, .long_run = 512, .shared = 49152,
             .most_shared = 65536, .square = 50176, .lanes = 8, .far_rows = 1 << 21, .far_columns = 1 << 16,
             .planes = 4, .plane_run = 32},
};
/* clang-format on */

#endif
