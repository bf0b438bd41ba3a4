/** The numbers of a product by tcgen05.mma: tiles, buffers and layouts of shared memory that a kernel
 *  (cuda/umma_gemm.cuh) and the host that makes its maps (gpu/gemm.h) share.
 *
 *      tsr_umma_tile const x = tsr_make_umma_tile(TSR_BF16, TSR_BF16, 256, TSR_HOPPER_PAIRS);
 *      x.why names what is not possible; x.m, x.stages, x.shared, x.smem_a, ...
 *
 *  A tile has 128 rows, of a pair of CTAs 256, and n columns; its steps are 128 bytes of K. A CTA of a pair has half
 *  of the rows of A and of B. Shared memory is a ring of steps, tensor memory has two sums. Of the flags of
 *  atom/hopper_tile.h, TSR_HOPPER_A_MN, _B_MN and _PAIRS mean something here.
 *
 *  Errors  GEMM_TYPES, GEMM_MAJOR, GEMM_TILE; those of the atom.
 */
#ifndef TSR_ATOM_UMMA_TILE_H
#define TSR_ATOM_UMMA_TILE_H

#include "tessera/atom/hopper_tile.h"

TSR_HEADER_BEGIN

/** Of a block: a warp that loads, one that multiplies, four that take sums out; columns that they take at a time. */
enum { TSR_UMMA_TILE_THREADS = 192, TSR_UMMA_TILE_PART = 32 };

typedef struct tsr_umma_tile {
    tsr_reason why;            /* what is not possible, or no reason */
    int32_t ctas, m, n, k;     /* of a cluster; the tile of it, a step of K */
    int32_t stages, bytes;     /* buffers of the ring, bytes of one */
    int32_t shared;            /* bytes of shared memory in all */
    tsr_mma_atom atom;         /* m by n */
    tsr_layout smem_a, smem_b; /* (m,k) and (n,k) of a CTA */
} tsr_umma_tile;

/** The tile with `n` columns, 32, 64, 128 or 256, of a product of f16, bf16, tf32 or floats of 8 bits. */
TSR_OP tsr_umma_tile tsr_make_umma_tile(tsr_dtype a, tsr_dtype b, int n, int flags);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/atom/body/umma_tile.h"
#endif

#endif
