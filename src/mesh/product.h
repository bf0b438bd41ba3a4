/** Products over ranks: SUMMA on layers of ranks, as 2.5-D products use it. */
#ifndef TSR_SRC_MESH_PRODUCT_H
#define TSR_SRC_MESH_PRODUCT_H

#include "tessera/mesh/product.h"

/** Indices of a panel, and bytes of the buffers of all panels on their way, where the caller does not say. */
enum { DIST_PANEL = 256, DIST_ROOM = 16 << 20 };

/** The budget of the run that sends a panel of A or B to one of the layers. */
static inline int64_t tsr_dist_gemm_budget_(int64_t layers) { return tsr_max64(DIST_ROOM / (2 * layers), 1); }

/** The product whose C is `layer[l]` on layer l; `own` is this rank's, and its matrix is c. */
bool tsr_dist_gemm_on_(tsr_dist_matrix a, tsr_dist_matrix b, tsr_dist_matrix c, double alpha, double beta,
                       int64_t panel, tsr_dist_layout const *layer, int64_t layers, int64_t own,
                       tsr_dist_transport const *transport, int64_t host, tsr_message *error);

/** Are these no operands of a product, on any rank of `ranks`? Then the message says why. */
bool tsr_dist_gemm_refuses_(tsr_dist_matrix a, tsr_dist_matrix b, tsr_dist_matrix c, int64_t panel, int64_t ranks,
                            tsr_message *error);

#endif
