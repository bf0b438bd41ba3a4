/** The numbers of a product on Hopper: tiles, buffers and layouts of shared memory that a kernel
 *  (cuda/hopper_gemm.cuh) and the host that makes its maps (gpu/gemm.h) have to agree on.
 *
 *      int const flags = TSR_HOPPER_TURNS | TSR_HOPPER_PAIRS;
 *      tsr_hopper_tile const x = tsr_make_hopper_tile(TSR_F16, TSR_F16, TSR_F16, 128, 128, flags);
 *      x.why says what the hardware cannot do; x.stages, x.shared, x.smem_a, ...
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
    TSR_HOPPER_PAIRS = 32, /* two CTAs of a cluster share B */
    TSR_HOPPER_SPLITS = 64, /* K is divided among CTAs; whoever is last adds up */
    TSR_HOPPER_SCALES = 128, /* each 128 of K have scales: N is 256 (without turns) or divides 128 */
    TSR_HOPPER_MODES = 256   /* M, N and K are two modes each */
};

enum { TSR_HOPPER_CONSUMERS = 2, TSR_HOPPER_THREADS = 384, TSR_HOPPER_SMEM = 232448, TSR_HOPPER_STAGES = 12 };

/** Scales of a step beside those of A's rows: of the 128 or 256 columns of B. */
enum { TSR_HOPPER_SCALES_B = 2 };

typedef struct tsr_hopper_tile {
    tsr_tuple why;             /* a valid tuple, or what is not possible */
    tsr_dtype a, b, d, sums;   /* types */
    int32_t m, n, k, flags;    /* the tile, a step of K */
    int32_t ctas;              /* of a cluster */
    int32_t rows, columns;     /* of a consumer; of D that leave at a time */
    int32_t stages, bytes;     /* buffers of the ring, and bytes of one */
    int32_t shared;            /* bytes of shared memory in all */
    tsr_layout smem_a, rows_a; /* (m,k) of a tile, of a consumer */
    tsr_layout smem_b, smem_d; /* (n,k); (64,columns) */
} tsr_hopper_tile;

/** How many rows of tiles go column by column (cuda/schedule.cuh). Blocks that run side by side read the same lines at
 *  the cost of one: columns of B, or, where rows are more and in few columns of tiles, rows of A. */
TSR_FN int tsr_hopper_height(int64_t m, int64_t n, int tile_n, int ctas)
{
    return ctas == 1 && m > n && n <= 8 * (int64_t)tile_n ? 1 : 16 / ctas;
}

/** A tile whose mode `along` has its neighbours side by side, in lines of 128, 64, 32 or 16 bytes, whichever divide it,
 *  swizzled by their length. */
TSR_FN tsr_layout tsr_hopper_smem(tsr_dtype type, int64_t rows, int64_t columns, int along)
{
    int64_t const line = (along == 0 ? rows : columns) * tsr_dtype_bits(type) / 128;
    int const swizzle = line % 8 == 0 ? 3 : line % 4 == 0 ? 2 : line % 2 == 0 ? 1 : 0;
    return tsr_tile_to_shape_ordered(tsr_smem_atom(along == 0 ? TSR_MAJOR_MN : TSR_MAJOR_K, swizzle, type),
                                     tsr_tuple_2(tsr_s(rows), tsr_s(columns)),
                                     along == 0 ? tsr_tuple_2(tsr_s(2), tsr_s(1)) : tsr_tuple_2(tsr_s(1), tsr_s(2)));
}

/** What an instruction for N columns of such operands is. */
TSR_FN tsr_mma_atom tsr_hopper_atom(tsr_dtype a, tsr_dtype b, int n, int flags)
{
    return tsr_wgmma(n, a == TSR_I8 ? TSR_I32 : TSR_F32, a, b,
                     (flags & TSR_HOPPER_A_MN ? TSR_MMA_A_MN : 0) | (flags & TSR_HOPPER_B_MN ? TSR_MMA_B_MN : 0),
                     TSR_MMA_PLAIN);
}

/** The tile without its layouts, which take most of the time. */
TSR_FN tsr_hopper_tile tsr_hopper_tile_numbers(tsr_dtype a, tsr_dtype b, tsr_dtype d, int m, int n, int flags)
{
    tsr_hopper_tile r = TSR_ZERO;
    int const bits = tsr_dtype_bits(a), bits_d = tsr_dtype_bits(d);
    tsr_mma_atom const atom = tsr_hopper_atom(a, b, n, flags);
    r.why = tsr_s(1);
    r.a = a;
    r.b = b;
    r.d = d;
    r.sums = atom.c;
    r.m = m;
    r.n = n;
    r.flags = flags;
    r.ctas = flags & TSR_HOPPER_PAIRS ? 2 : 1;
    r.rows = flags & TSR_HOPPER_TURNS ? m : m / TSR_HOPPER_CONSUMERS;
    bool const scaled = (flags & TSR_HOPPER_SCALES) != 0, wide = n == 256 && (flags & TSR_HOPPER_TURNS) == 0;
    /* Of a thread: the sums, and with scales the products of two steps, or those of 128 columns of one. */
    int const own = r.rows / 64 * n / 2, sums = !scaled ? own : wide ? own + 64 : 3 * own;
    if (bits != tsr_dtype_bits(b) || (bits != 8 && bits != 16 && bits != 32) || (bits_d != 16 && bits_d != 32)
        || (d == TSR_I32 && a != TSR_I8))
        r.why = tsr_bad_tuple(TSR_GEMM_TYPES, 0, bits, tsr_dtype_bits(b), bits_d);
    else if (bits != 16 && (flags & (TSR_HOPPER_A_MN | TSR_HOPPER_B_MN)) != 0)
        r.why = tsr_bad_tuple(TSR_GEMM_MAJOR, flags & TSR_HOPPER_A_MN ? 0 : 1, bits, 0, 0);
    else if (scaled && (bits != 8 || a == TSR_I8))
        r.why = tsr_bad_tuple(TSR_GEMM_TYPES, 0, bits, tsr_dtype_bits(b), bits_d);
    else if (m > 128 || r.rows % 64 != 0 || r.rows == 0 || n % 16 != 0 || n > 256)
        r.why = tsr_bad_tuple(TSR_GEMM_TILE, 0, m, n, 0);
    else if (sums > 192 || (scaled && (r.rows > 64 || (128 % n != 0 && !wide))))
        r.why = tsr_bad_tuple(TSR_GEMM_SUMS, 0, m, n, sums);
    else if (atom.status)
        r.why = tsr_reason_tuple(tsr_mma_why(atom));
    if (r.why.status)
        return r;
    r.k = 1024 / bits;
    r.columns = 1024 / bits_d;
    while (n % r.columns != 0)
        r.columns /= 2;
    r.bytes = (m + n) * 128;
    int32_t const out = TSR_HOPPER_CONSUMERS * 2 * 64 * r.columns * bits_d / 8;
    int32_t const each = r.bytes + (scaled ? (m + TSR_HOPPER_SCALES_B) * 4 + 8 : 0), few = scaled ? 256 : 1024;
    r.stages = (int32_t)tsr_min64((TSR_HOPPER_SMEM - few - out) / each, TSR_HOPPER_STAGES);
    r.shared = /* two barriers a buffer, a number a consumer */
        r.stages * (each + 16) + out + 4 * TSR_HOPPER_CONSUMERS;
    return r;
}

TSR_FN tsr_hopper_tile tsr_make_hopper_tile(tsr_dtype a, tsr_dtype b, tsr_dtype d, int m, int n, int flags)
{
    tsr_hopper_tile r = tsr_hopper_tile_numbers(a, b, d, m, n, flags);
    if (r.why.status)
        return r;
    r.smem_a = tsr_hopper_smem(a, m, r.k, flags & TSR_HOPPER_A_MN ? 0 : 1);
    r.rows_a = tsr_hopper_smem(a, r.rows, r.k, flags & TSR_HOPPER_A_MN ? 0 : 1);
    r.smem_b = tsr_hopper_smem(b, n, r.k, flags & TSR_HOPPER_B_MN ? 0 : 1);
    r.smem_d = tsr_hopper_smem(d, 64, r.columns, flags & TSR_HOPPER_D_MN ? 0 : 1);
    return r;
}

TSR_HEADER_END

#endif
