/** The bodies of atom/hopper_parts.h. */
#ifndef TSR_ATOM_BODY_HOPPER_PARTS_H
#define TSR_ATOM_BODY_HOPPER_PARTS_H

#include "tessera/atom/body/fragment.h"
#include "tessera/atom/body/hopper_tile.h"
#include "tessera/atom/body/tiled_copy.h"
#include "tessera/atom/hopper_parts.h"

TSR_HEADER_BEGIN

TSR_OP tsr_hopper_parts tsr_make_hopper_parts(tsr_dtype a, tsr_dtype b, tsr_dtype d, int m, int n, int flags)
{
    tsr_hopper_parts r = TSR_ZERO;
    r.tile = tsr_make_hopper_tile(a, b, d, m, n, flags);
    if (r.tile.why.status)
        return r;
    bool const b_mn = (flags & TSR_HOPPER_B_MN) != 0, d_mn = (flags & TSR_HOPPER_D_MN) != 0;
    int const across = (flags & TSR_HOPPER_SCALES) != 0 && n > 128 ? 128 : n; /* columns of an instruction */
    r.atom = tsr_hopper_atom(a, b, across, flags);
    r.rows_b = tsr_hopper_smem(b, across, r.tile.k, b_mn ? 0 : 1);
    tsr_tiled_mma const mma = tsr_make_tiled_mma(tsr_hopper_atom(a, b, r.tile.columns, flags));
    tsr_layout const identity = tsr_make_identity_layout(tsr_tuple_2(tsr_s(64), tsr_s(r.tile.columns)));
    r.fragment = tsr_thread_values_c(mma, identity);
    if (tsr_dtype_bits(d) != 16) {
        r.to_d = tsr_thread_values_c(mma, r.tile.smem_d);
        return r;
    }
    tsr_copy_atom const matrices =
        tsr_copy_values(tsr_make_copy(d_mn ? TSR_COPY_SM90_STSM_T : TSR_COPY_SM90_STSM_N, d_mn ? 8 : 4), TSR_F16);
    tsr_tiled_copy const store = tsr_make_tiled_copy_c(matrices, mma);
    r.to_d = tsr_tidfrg_d(store, r.tile.smem_d);
    if (tsr_same_partition(tsr_tidfrg_s(store, identity), r.fragment).answer != TSR_YES)
        r.tile.why = tsr_because(TSR_GEMM_TILE, 0, m, n, 0);
    return r;
}

TSR_HEADER_END

#endif
