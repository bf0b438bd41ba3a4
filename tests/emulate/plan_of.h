/** A plan of a GPU's product, for the emulator: what a launch gives its kernel. */
#ifndef PLAN_OF_H
#define PLAN_OF_H

#include "tessera/exec/gemm.h"
#include "tessera/tma/descriptor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plan_of_product {
    unsigned grid, cluster, threads, shared;
    int a, b, d, n, flags;                  /* of which the kernel is made */
    tsr_tma_desc desc[2];                   /* the maps of A and of B */
    unsigned char shape[56], epilogue[128]; /* as the kernel reads them */
} plan_of_product;

/** The plan of C = alpha * A * B + beta * C on a fake sm_100 of `processors`; its text, or why there is none. False:
 *  not by tcgen05.mma. */
bool plan_of_umma(char const *fake, int processors, tsr_tensor a, tsr_tensor b, tsr_tensor c, double alpha,
                  double beta, plan_of_product *x, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
