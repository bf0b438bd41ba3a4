/** Products in groups: their records, and the list of their tiles, in memory of the device. One text for the host and
 *  for hopper_groups.cuh, as cuda/gemm_arguments.h. */
#ifndef TSR_SRC_GPU_KERNELS_HOPPER_LIST_H
#define TSR_SRC_GPU_KERNELS_HOPPER_LIST_H

#include "tessera/cuda/gemm_arguments.h"

TSR_HEADER_BEGIN

/** A product as a kernel takes it: the maps of A, B and the result, and its epilogue; aligned so. */
enum { TSR_RECORD_ALIGNMENT = 128 };

typedef struct tsr_gemm_record {
    uint64_t map[3][16];
    tsr_gemm_numbers epilogue;
} tsr_gemm_record;

TSR_SAME_(TSR_BEGINS_(tsr_gemm_record, epilogue, 384));

/** The tile of a cluster: its product, its position and its steps of K, as the kernel's int4. */
typedef struct tsr_gemm_listed {
    int32_t product, m, n, steps;
} tsr_gemm_listed;

TSR_SAME_(sizeof(tsr_gemm_listed) == 16);

/** What is to be done: tiles[0] to tiles[*count - 1]. */
typedef struct tsr_gemm_list {
    TSR_ON_DEVICE_(void const) groups;
    TSR_ON_DEVICE_(void const) tiles;
    TSR_ON_DEVICE_(int32_t const) count;
} tsr_gemm_list;

TSR_SAME_(sizeof(tsr_gemm_list) == 24);

/** Rows of one matrix that belong to one product after the other. `ends[v]` is where those of product v end, those of
 *  v + 1 begin. The rows are mode `mode` of the results, 0 or 1; their operand has them along the second dimension of
 *  its map, `pitch` bytes apart, the result likewise. */
typedef struct tsr_gemm_rows {
    TSR_ON_DEVICE_(void const)
    models; /* the records of products that have all rows; which become those of the list */
    TSR_ON_DEVICE_(void) groups;
    TSR_ON_DEVICE_(void) tiles;
    TSR_ON_DEVICE_(int32_t) count;
    TSR_ON_DEVICE_(int32_t const) ends;
    int32_t mode, others, steps; /* extent of the other mode, steps of K */
    int32_t most;                /* tiles that the list has room for */
    uint64_t address;            /* of the operand */
    int64_t pitch, pitch_d;
} tsr_gemm_rows;

TSR_SAME_(sizeof(tsr_gemm_rows) == 80 && TSR_BEGINS_(tsr_gemm_rows, address, 56));

TSR_HEADER_END

#endif
