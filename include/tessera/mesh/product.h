/** Products of distributed matrices by SUMMA: panels of A and B go to the ranks of C while earlier products run.
 *
 *      tsr_dist_matrix const a = {&rows, TSR_F64, mine}, b = {&columns, TSR_F64, other}, c = {&blocks, TSR_F64, sums};
 *      tsr_dist_gemm(a, b, c, 1, 0, 256, &transport, 1, &error)
 *
 *  Law     C = alpha * A B + beta * C. A is (M,K), B is (K,N), C is (M,N), in any distributions without addends.
 *          K is cut into panels of at most `panel` indices, each inside one block of A and of B. The product of a
 *          panel is rounded to the type of C, as tsr_gemm rounds. Where beta is 0, C is not read.
 *  Memory  two panels of A and of B for the rank's part of C, and at most 16 MB of buffers (tsr_dist_gemm_cost_of).
 *  Source  R. van de Geijn, J. Watts, "SUMMA: Scalable Universal Matrix Multiplication Algorithm", 1997.
 */
#ifndef TSR_MESH_PRODUCT_H
#define TSR_MESH_PRODUCT_H

#include "tessera/mesh/run.h"

TSR_HEADER_BEGIN

/** A rank's part of a matrix. Memory of A and B is only read. */
typedef struct tsr_dist_matrix {
    tsr_dist_layout const *layout;
    tsr_dtype type;
    void *memory; /* NULL: the rank has no elements */
} tsr_dist_matrix;

/** C = alpha * A B + beta * C. All ranks of the transport call it; `panel` 0 is 256, and `host` as for a plan.
 *  Errors  false and a message: other modes or extents, addends, what plans, runs and tsr_gemm refuse, no memory. */
TSR_TRY bool tsr_dist_gemm(tsr_dist_matrix a, tsr_dist_matrix b, tsr_dist_matrix c, double alpha, double beta,
                           int64_t panel, tsr_dist_transport const *transport, int64_t host, tsr_message *error);

/** The same on layers of ranks. Each layer multiplies every `layers`-th panel and has a C of its own. Their sum is
 *  added to C. So a rank of P receives 2 n^2 / sqrt(P layers) elements of operands of n by n, where one layer receives
 *  2 n^2 / sqrt(P), and n^2 layers / P of sums are sent.
 *  Memory  besides that of tsr_dist_gemm, C once more on each layer: n^2 layers / P elements a rank.
 *  Errors  as tsr_dist_gemm; layers that do not divide the ranks.
 *  Source  E. Solomonik, J. Demmel, "Communication-Optimal Parallel 2.5D Matrix Multiplication and LU", 2011. */
TSR_TRY bool tsr_dist_gemm_layers(tsr_dist_matrix a, tsr_dist_matrix b, tsr_dist_matrix c, double alpha, double beta,
                                  int64_t panel, int64_t layers, tsr_dist_transport const *transport, int64_t host,
                                  tsr_message *error);

/** What a product on layers costs the rank that has the most of it. */
typedef struct tsr_dist_gemm_cost {
    int64_t layers;
    int64_t bytes; /* of memory besides the parts of A, B and C, and besides plans: panels, buffers, C on the layer */
    int64_t received; /* bytes of A and B that the rank needs, and of sums */
} tsr_dist_gemm_cost;

/** The cost of tsr_dist_gemm_layers, found from the layouts alone; memory of the matrices is not looked at. Layers
 *  that do not divide the ranks cost the greatest number. */
TSR_API tsr_dist_gemm_cost tsr_dist_gemm_cost_of(tsr_dist_matrix a, tsr_dist_matrix b, tsr_dist_matrix c,
                                                 int64_t panel, int64_t layers, int64_t ranks);

/** Chooses the layers for a product whose ranks may spend `bytes` of memory each.
 *  Law     Of all divisors of `ranks` whose cost is at most `bytes` it is the one that receives least, of equal ones
 *          the smallest. All ranks choose the same.
 *  Errors  false, 0 layers and a message: no number of layers fits, or what tsr_dist_gemm refuses. */
TSR_TRY bool tsr_dist_gemm_choose(tsr_dist_matrix a, tsr_dist_matrix b, tsr_dist_matrix c, int64_t panel,
                                  int64_t ranks, int64_t bytes, int64_t *layers, tsr_message *error);

/** tsr_dist_gemm_layers with the layers of tsr_dist_gemm_choose. */
TSR_TRY bool tsr_dist_gemm_within(tsr_dist_matrix a, tsr_dist_matrix b, tsr_dist_matrix c, double alpha, double beta,
                                  int64_t panel, int64_t bytes, tsr_dist_transport const *transport, int64_t host,
                                  tsr_message *error);

TSR_HEADER_END

#endif
