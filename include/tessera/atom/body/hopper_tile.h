/** The bodies of atom/hopper_tile.h. */
#ifndef TSR_ATOM_BODY_HOPPER_TILE_H
#define TSR_ATOM_BODY_HOPPER_TILE_H

#include "tessera/atom/hopper_tile.h"
#include "tessera/atom/body/mma.h"
#include "tessera/atom/body/smem.h"

TSR_HEADER_BEGIN

TSR_OP tsr_layout tsr_hopper_smem(tsr_dtype type, int64_t rows, int64_t columns, int along)
{
    int const swizzle = tsr_hopper_swizzle(type, along == 0 ? rows : columns);
    return tsr_tile_to_shape_ordered(tsr_smem_atom(along == 0 ? TSR_MAJOR_MN : TSR_MAJOR_K, swizzle, type),
                                     tsr_tuple_2(tsr_s(rows), tsr_s(columns)),
                                     along == 0 ? tsr_tuple_2(tsr_s(2), tsr_s(1)) : tsr_tuple_2(tsr_s(1), tsr_s(2)));
}

TSR_OP tsr_mma_atom tsr_hopper_atom(tsr_dtype a, tsr_dtype b, int n, int flags)
{
    return tsr_wgmma(n, a == TSR_I8 ? TSR_I32 : TSR_F32, a, b,
                     (flags & TSR_HOPPER_A_MN ? TSR_MMA_A_MN : 0) | (flags & TSR_HOPPER_B_MN ? TSR_MMA_B_MN : 0),
                     TSR_MMA_PLAIN);
}

TSR_OP void tsr_hopper_tile_fit(tsr_hopper_tile *tile, tsr_mma_atom const *atom, tsr_dtype d, int m, int flags)
{
    tsr_dtype const a = atom->a, b = atom->b;
    int const bits = tsr_dtype_bits(a), bits_d = tsr_dtype_bits(d), n = atom->n;
    tile->why = tsr_no_reason();
    tile->a = a;
    tile->b = b;
    tile->d = d;
    tile->sums = atom->c;
    tile->m = m;
    tile->n = n;
    tile->flags = flags;
    tile->ctas = flags & TSR_HOPPER_PAIRS ? 2 : 1;
    tile->rows = flags & TSR_HOPPER_TURNS ? m : m / TSR_HOPPER_CONSUMERS;
    tile->k = tile->columns = tile->bytes = tile->stages = tile->shared = 0;
    bool const scaled = (flags & TSR_HOPPER_SCALES) != 0, wide = n == 256 && (flags & TSR_HOPPER_TURNS) == 0;
    /* Of a thread: the sums, and with scales the products of two steps, or those of 128 columns of one. */
    int const own = tile->rows / 64 * n / 2, sums = !scaled ? own : wide ? own + 64 : 3 * own;
    if (bits != tsr_dtype_bits(b) || (bits != 8 && bits != 16 && bits != 32) || (bits_d != 16 && bits_d != 32)
        || (d == TSR_I32 && a != TSR_I8))
        tile->why = tsr_because(TSR_GEMM_TYPES, 0, bits, tsr_dtype_bits(b), bits_d);
    else if (bits != 16 && (flags & (TSR_HOPPER_A_MN | TSR_HOPPER_B_MN)) != 0)
        tile->why = tsr_because(TSR_GEMM_MAJOR, flags & TSR_HOPPER_A_MN ? 0 : 1, bits, 0, 0);
    else if (scaled && (bits != 8 || a == TSR_I8))
        tile->why = tsr_because(TSR_GEMM_TYPES, 0, bits, tsr_dtype_bits(b), bits_d);
    else if (m > 128 || tile->rows % 64 != 0 || tile->rows == 0 || n % 16 != 0 || n > 256)
        tile->why = tsr_because(TSR_GEMM_TILE, 0, m, n, 0);
    else if (sums > 192 || (scaled && (tile->rows > 64 || (128 % n != 0 && !wide))))
        tile->why = tsr_because(TSR_GEMM_SUMS, 0, m, n, sums);
    else if (atom->status)
        tile->why = tsr_mma_why(*atom);
    if (tile->why.status)
        return;
    tile->k = 1024 / bits;
    tile->columns = 1024 / bits_d;
    while (n % tile->columns != 0)
        tile->columns /= 2;
    tile->bytes = (m + n) * 128;
    int32_t const out = TSR_HOPPER_CONSUMERS * 2 * 64 * tile->columns * bits_d / 8;
    int32_t const each = tile->bytes + (scaled ? (m + TSR_HOPPER_SCALES_B) * 4 + 8 : 0), few = scaled ? 256 : 1024;
    tile->stages = (int32_t)tsr_min64((TSR_HOPPER_SMEM - few - out) / each, TSR_HOPPER_STAGES);
    tile->shared = /* two barriers a buffer, a number a consumer */
        tile->stages * (each + 16) + out + 4 * TSR_HOPPER_CONSUMERS;
}

TSR_OP tsr_hopper_tile tsr_hopper_tile_numbers(tsr_dtype a, tsr_dtype b, tsr_dtype d, int m, int n, int flags)
{
    tsr_hopper_tile r = TSR_ZERO;
    tsr_mma_atom const atom = tsr_hopper_atom(a, b, n, flags);
    tsr_hopper_tile_fit(&r, &atom, d, m, flags);
    return r;
}

TSR_OP tsr_hopper_tile tsr_make_hopper_tile(tsr_dtype a, tsr_dtype b, tsr_dtype d, int m, int n, int flags)
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
