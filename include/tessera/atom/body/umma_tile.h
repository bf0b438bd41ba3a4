/** The bodies of atom/umma_tile.h. */
#ifndef TSR_ATOM_BODY_UMMA_TILE_H
#define TSR_ATOM_BODY_UMMA_TILE_H

#include "tessera/atom/umma_tile.h"
#include "tessera/atom/body/hopper_tile.h"

TSR_HEADER_BEGIN

TSR_OP tsr_umma_tile tsr_make_umma_tile(tsr_dtype a, tsr_dtype b, int n, int flags)
{
    tsr_umma_tile r = TSR_ZERO;
    int const bits = tsr_dtype_bits(a), majors = flags & (TSR_HOPPER_A_MN | TSR_HOPPER_B_MN);
    r.ctas = flags & TSR_HOPPER_PAIRS ? 2 : 1;
    r.m = 128 * r.ctas;
    r.n = n;
    if (bits != tsr_dtype_bits(b) || (bits != 8 && bits != 16 && bits != 32))
        r.why = tsr_because(TSR_GEMM_TYPES, 0, bits, tsr_dtype_bits(b), 32);
    else if (bits != 16 && majors != 0)
        r.why = tsr_because(TSR_GEMM_MAJOR, flags & TSR_HOPPER_A_MN ? 0 : 1, bits, 0, 0);
    else if (n != 32 && n != 64 && n != 128 && n != 256)
        r.why = tsr_because(TSR_GEMM_TILE, 0, r.m, n, 0);
    if (r.why.status)
        return r;
    r.atom = tsr_umma(r.ctas, r.m, n, TSR_F32, a, b,
                      (flags & TSR_HOPPER_A_MN ? TSR_MMA_A_MN : 0) | (flags & TSR_HOPPER_B_MN ? TSR_MMA_B_MN : 0),
                      TSR_MMA_PLAIN);
    r.why = tsr_mma_why(r.atom);
    r.k = 1024 / bits;
    r.bytes = (r.m + n) / r.ctas * 128;
    r.stages = (int32_t)tsr_min64((TSR_HOPPER_SMEM - 1024) / r.bytes, TSR_HOPPER_STAGES);
    r.shared = r.stages * (r.bytes + 16) + 40; /* two barriers a buffer and a sum; where tensor memory is */
    if (r.why.status)
        return r;
    r.smem_a = tsr_hopper_smem(a, 128, r.k, flags & TSR_HOPPER_A_MN ? 0 : 1);
    r.smem_b = tsr_hopper_smem(b, n / r.ctas, r.k, flags & TSR_HOPPER_B_MN ? 0 : 1);
    return r;
}

TSR_HEADER_END

#endif
