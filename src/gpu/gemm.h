/** Products: which tile. */
#ifndef TSR_SRC_GPU_GEMM_H
#define TSR_SRC_GPU_GEMM_H

#include "tessera/gpu/gemm.h"

/** The parts of an epilogue, as cuda/gemm_epilogue.cuh counts them. */
enum { EPILOGUE_SCALES = 1, EPILOGUE_ADDS = 2, EPILOGUE_BIASED = 4, EPILOGUE_RELU = 8 };

/** A product whose loops were found, seen from one of its sides: `swapped`, B's modes are the rows. */
typedef struct gpu_product {
    tsr_gemm_plan const *of;
    bool swapped;
    tsr_gemm_loops const *m, *n;
    tsr_tensor const *a, *b;
    int left, right; /* the operands that a and b are */
} gpu_product;

gpu_product gpu_product_of(tsr_gemm_plan const *of, bool swapped);

/** The step of a mode of one loop; 0 of one of one element. */
int64_t gpu_step(tsr_gemm_loops const *x, int operand);

/** How a product is cut: the tile of least time, with the parts of K. why: nothing of TMA can do it. */
typedef struct gpu_choice {
    tsr_hopper_tile tile;
    bool swapped;
    int splits;
    int64_t tiles, blocks; /* that there are; that run at once */
} gpu_choice;

/** `any`: TSR_HOPPER_D_ANY where the result is no tensor of TMA, else 0. */
gpu_choice gpu_choose(tsr_gemm_plan const *p, int parts, int any, int processors);

/** Whether the neighbours of an operand are along its own mode and not along the other one. */
bool gpu_along(tsr_gemm_loops const *own, tsr_gemm_loops const *other, int operand);

#endif
