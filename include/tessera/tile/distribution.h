/** Tile distribution: what an encoding means, as a map from (P, Y) to X, as the graph of that map, and as a
 *  thread-value layout of CuTe.
 *
 *  Law     tsr_distribution_x(e, p, y) is the bottom index of tsr_distribution_adaptor(e) at (p, y).
 *          every element of the tile belongs to some (P, Y), and to as many as the lengths of R multiply to.
 *          tv(t, v) is the column-major number of X(p, y), where t counts p with the last P fastest and v is the
 *          place in the thread's buffer.
 *
 *  Example  x dist{R=();H=((4,2,4),(32));P=((1.1,2.0));Y=(1.0,1.2)} @ p=(33) y=(1,2)  =  (14,1)
 *  Example  tvlayout dist{R=();H=((4,2,4),(32));P=((1.1,2.0));Y=(1.0,1.2)}  =  ((32,2),(4,4)):((32,4),(1,8))
 *  Source   ROCm composable_kernel, include/ck_tile/core/tensor/tile_distribution.hpp.
 */
#ifndef TSR_TILE_DISTRIBUTION_H
#define TSR_TILE_DISTRIBUTION_H

#include "tessera/tile/encoding_algebra.h"
#include "tessera/tile/fold.h"

TSR_HEADER_BEGIN

/** The graph from (P, Y) to X: top dimensions are the Ps and then the Ys, bottom dimensions the Xs. */
TSR_OP tsr_adaptor tsr_distribution_adaptor(tsr_encoding const *e);

/** X(p, y): the digits of every P, and the Ys, each so far along its X. */
TSR_OP tsr_index tsr_distribution_x(tsr_encoding const *e, int64_t const *p, int64_t const *y);

/** The thread-value layout (T,V):(T,V), static, each mode coalesced. */
TSR_OP tsr_layout tsr_distribution_tv_layout(tsr_encoding const *e);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/distribution.h"
#endif

#endif
