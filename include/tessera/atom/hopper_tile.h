/** The numbers of a product on Hopper: tiles, buffers and layouts of shared memory that a kernel
 *  (cuda/hopper_gemm.cuh) and the host that makes its maps (gpu/gemm.h) share.
 *
 *      int const flags = TSR_HOPPER_TURNS | TSR_HOPPER_PAIRS;
 *      tsr_hopper_tile const x = tsr_make_hopper_tile(TSR_F16, TSR_F16, TSR_F16, 128, 128, flags);
 *      x.why names the hardware's limit that it breaks; x.stages, x.shared, x.smem_a, ...
 *
 *  A tile is M by N, its steps 128 bytes of K. Two consumer warpgroups have each a tile of its own (TSR_HOPPER_TURNS)
 *  or half of the rows of one. D leaves 64 rows of 128 bytes, or of the largest power of two that divides them, at a
 *  time, through two buffers a consumer; all other shared memory is a ring of steps.
 *
 *  Errors  TYPE, GEMM_TILE, GEMM_SUMS, GEMM_MAJOR; those of the atom.
 */
#ifndef TSR_ATOM_HOPPER_TILE_H
#define TSR_ATOM_HOPPER_TILE_H

#include "tessera/atom/mma.h"
#include "tessera/atom/smem.h"

TSR_HEADER_BEGIN

enum {
    TSR_HOPPER_A_MN = 1,  /* A has its neighbours along M */
    TSR_HOPPER_B_MN = 2,  /* B along N */
    TSR_HOPPER_D_MN = 4,  /* D along M, else along N */
    TSR_HOPPER_D_ANY = 8, /* D is no tensor of TMA */
    TSR_HOPPER_TURNS = 16,
    TSR_HOPPER_PAIRS = 32,   /* two CTAs of a cluster share B */
    TSR_HOPPER_SPLITS = 64,  /* K is divided among CTAs; whoever is last adds up */
    TSR_HOPPER_SCALES = 128, /* each 128 of K have scales: N is 256 (without turns) or divides 128 */
    TSR_HOPPER_MODES = 256,  /* M, N and K are two modes each */
    TSR_HOPPER_BATCHES = 512 /* the batches are two modes, and so may be one of M and N */
};

enum { TSR_HOPPER_CONSUMERS = 2, TSR_HOPPER_THREADS = 384, TSR_HOPPER_SMEM = 232448, TSR_HOPPER_STAGES = 12 };

/** Scales of a step beside those of A's rows: of the 128 or 256 columns of B. */
enum { TSR_HOPPER_SCALES_B = 2 };

typedef struct tsr_hopper_tile {
    tsr_reason why;            /* what is not possible, or no reason */
    tsr_dtype a, b, d, sums;   /* types */
    int32_t m, n, k, flags;    /* the tile, a step of K */
    int32_t ctas;              /* of a cluster */
    int32_t rows, columns;     /* of a consumer; of D that leave at a time */
    int32_t stages, bytes;     /* buffers of the ring, and bytes of one */
    int32_t shared;            /* bytes of shared memory in all */
    tsr_layout smem_a, rows_a; /* (m,k) of a tile, of a consumer */
    tsr_layout smem_b, smem_d; /* (n,k); (64,columns) */
} tsr_hopper_tile;

/** The rows of tiles that run column by column (cuda/schedule.cuh). Blocks that run at the same time share the lines
 *  that they read: columns of B, or rows of A where there are more rows and few columns of tiles. */
TSR_FN int tsr_hopper_height(int64_t m, int64_t n, int tile_n, int ctas)
{
    return ctas == 1 && m > n && n <= 8 * (int64_t)tile_n ? 1 : 16 / ctas;
}

/** The swizzle of a tile with `contiguous` elements side by side: 3, 2, 1 or 0 for lines of 128, 64, 32 or 16
 *  bytes, the longest that divide them. */
TSR_FN int tsr_hopper_swizzle(tsr_dtype type, int64_t contiguous)
{
    int64_t const units = contiguous * tsr_dtype_bits(type) / 128;
    return units % 8 == 0 ? 3 : units % 4 == 0 ? 2 : units % 2 == 0 ? 1 : 0;
}

/** A tile whose mode `along` has its neighbours side by side, in lines of tsr_hopper_swizzle. */
TSR_OP tsr_layout tsr_hopper_smem(tsr_dtype type, int64_t rows, int64_t columns, int along);

/** Returns the instruction for N columns of such operands. */
TSR_OP tsr_mma_atom tsr_hopper_atom(tsr_dtype a, tsr_dtype b, int n, int flags);

/** Writes the numbers of a tile M by N, N and the operands those of an instruction of tsr_hopper_atom, to `tile`, and
 *  leaves its layouts as they are: for a search among many tiles. */
TSR_OP void tsr_hopper_tile_fit(tsr_hopper_tile *tile, tsr_mma_atom const *atom, tsr_dtype d, int m, int flags);

/** The tile without its layouts, which take most of the time. */
TSR_OP tsr_hopper_tile tsr_hopper_tile_numbers(tsr_dtype a, tsr_dtype b, tsr_dtype d, int m, int n, int flags);

/** The tile of m by n of a product of these types, with its layouts. */
TSR_OP tsr_hopper_tile tsr_make_hopper_tile(tsr_dtype a, tsr_dtype b, tsr_dtype d, int m, int n, int flags);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/atom/body/hopper_tile.h"
#endif

#endif
