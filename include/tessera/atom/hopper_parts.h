/** The layouts of a product on Hopper: what the tiles of atom/hopper_tile.h are to an instruction and to the threads
 *  that store. A kernel computes them when it is compiled (cuda/hopper_plan.cuh), which takes NVRTC longer than
 *  reading its headers. So the host computes them for the products that it compiles (src/gpu/gemm_parts.c).
 *
 *  Law     each is what its own operation gives of the tile.
 */
#ifndef TSR_ATOM_HOPPER_PARTS_H
#define TSR_ATOM_HOPPER_PARTS_H

#include "tessera/atom/fragment.h"
#include "tessera/atom/gmma_tile.h"
#include "tessera/atom/hopper_tile.h"
#include "tessera/atom/tiled_copy.h"

TSR_HEADER_BEGIN

typedef struct tsr_hopper_parts {
    tsr_hopper_tile tile;
    tsr_mma_atom atom;   /* of the sums */
    tsr_layout rows_b;   /* (n,k) of an instruction */
    tsr_layout fragment; /* what leaves at a time: (thread,(2,2,columns/8)) -> (m,n) of 64 rows of `columns` */
    tsr_layout to_d;     /* the same -> offsets in shared memory: D as `smem_d`, by stmatrix if it has 16 bits */
} tsr_hopper_parts;

/** The parts of a tile. Errors: those of the tile; GEMM_TILE: stmatrix takes the registers in another order than that
 *  of the accumulators. */
TSR_OP tsr_hopper_parts tsr_make_hopper_parts(tsr_dtype a, tsr_dtype b, tsr_dtype d, int m, int n, int flags);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/atom/body/hopper_parts.h"
#endif

#endif
