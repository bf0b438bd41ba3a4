/** The bodies of atom/tmem_copy.h. */
#ifndef TSR_ATOM_BODY_TMEM_COPY_H
#define TSR_ATOM_BODY_TMEM_COPY_H

#include "tessera/atom/tmem_copy.h"
#include "tessera/atom/body/copy_layout.h"
#include "tessera/atom/body/tiled_copy.h"
#include "tessera/atom/body/tmem.h"

TSR_HEADER_BEGIN

/** Is the operation of the list one of the half forms, whose values are the lower 16 bits of columns? */
TSR_LOCAL bool tsr_copy_is_half_(int op)
{
    return op == TSR_COPY_LOAD_16DP256B_16 || op == TSR_COPY_STORE_16DP256B_16 || op == TSR_COPY_LOAD_16DP128B_16
           || op == TSR_COPY_STORE_16DP128B_16 || op == TSR_COPY_LOAD_16DP64B_16 || op == TSR_COPY_STORE_16DP64B_16
           || op == TSR_COPY_LOAD_16DP32B_16 || op == TSR_COPY_STORE_16DP32B_16 || op == TSR_COPY_LOAD_32DP32B_16
           || op == TSR_COPY_STORE_32DP32B_16;
}

/** `lanes` lanes of `width` bits of registers. */
TSR_LOCAL tsr_layout tsr_copy_columns_(int64_t lanes, int64_t width, bool half)
{
    tsr_tuple const bits = half ? tsr_tuple_2(tsr_s(16), tsr_s(width / 16)) : tsr_s(width);
    tsr_tuple const apart = half ? tsr_tuple_2(tsr_tmem_element_(1), tsr_tmem_element_(32)) : tsr_tmem_element_(1);
    return tsr_make_layout_from(tsr_tuple_2(bits, tsr_s(lanes)), tsr_tuple_2(apart, tsr_tmem_lane_(1)));
}

/** 128 bits of `lanes` lanes in all 128: `groups` groups are data, 64 lanes apart, the rest copies. */
TSR_LOCAL tsr_layout tsr_copy_spread_(int64_t lanes, int64_t groups)
{
    tsr_tuple const rows = tsr_s(lanes), copies = tsr_s(TSR_TMEM_LANES / lanes / groups), to = tsr_tmem_lane_(lanes);
    if (groups == 1)
        return tsr_make_layout_from(tsr_tuple_3(rows, tsr_s(128), copies),
                                    tsr_tuple_3(tsr_tmem_lane_(1), tsr_tmem_element_(1), to));
    return tsr_make_layout_from(
        tsr_tuple_4(rows, tsr_s(128), tsr_s(groups), copies),
        tsr_tuple_4(tsr_tmem_lane_(1), tsr_tmem_element_(1), tsr_tmem_lane_(TSR_TMEM_LANES / groups), to));
}

TSR_OP tsr_layout tsr_copy_val_id(tsr_copy_atom x)
{
    tsr_copy_row const row = tsr_copy_row_at(x.op);
    if (x.status)
        return tsr_refused_(tsr_copy_why(x));
    switch ((tsr_copy_kind)row.kind) {
    case TSR_COPY_TMEM:
        return tsr_copy_columns_(row.a, (row.a == 16 && row.b == 32 ? 2 : 1) * row.b * x.number,
                                 tsr_copy_is_half_(x.op));
    case TSR_COPY_TMEM_FILL:
    case TSR_COPY_TMEM_4DP:
        return tsr_make_layout_from(tsr_tuple_2(tsr_s(TSR_TMEM_LANES), tsr_s(row.b)),
                                    tsr_tuple_2(tsr_tmem_lane_(1), tsr_tmem_element_(1)));
    case TSR_COPY_TMEM_CAST:
        return tsr_copy_spread_(row.a, row.b);
    default:
        return tsr_bad_layout(TSR_TMEM_COPY, 0, 0, 0, 0);
    }
}

/** The copy by threads whose places are `threads`, over tensor memory. */
TSR_LOCAL tsr_tiled_copy tsr_tmem_copy_(tsr_copy_atom x, tsr_layout tmem, bool cp)
{
    int const bits = x.type ? tsr_dtype_bits(x.type) : 1;
    int64_t const per_column = bits > 0 && bits < 32 ? 32 / bits : 1;
    bool const is_cp = tsr_copy_row_at(x.op).kind != TSR_COPY_TMEM;
    tsr_layout const id = !x.status && tmem.shape.status ? tmem
                          : x.status || cp == is_cp      ? tsr_copy_val_id(x)
                                                         : tsr_bad_layout(TSR_TMEM_COPY, 0, 0, 0, 0);
    tsr_layout const all = tsr_tmem_address(id, 32);
    tsr_layout const values = tsr_coalesce(bits > 1 ? tsr_recast_layout(all, TSR_U1, x.type) : all);
    tsr_layout const warps =
        tsr_make_layout_from(tsr_tuple_2(tsr_s(32), tsr_s(4)), tsr_tuple_2(tsr_s(0), tsr_s(32 * 65536 * per_column)));
    tsr_layout const threads = cp && !x.status ? tsr_tv_run(tsr_copy_threads(x), 0) : warps;
    tsr_layout const tv = values.shape.status ? values : tsr_make_pair(&threads, &values);
    bool const named = !tmem.shape.status && tsr_has_basis(&tmem.stride);
    return tsr_make_cotiled_copy(x, tv, named ? tsr_tmem_address(tmem, per_column) : tmem);
}

TSR_OP tsr_tiled_copy tsr_make_tmem_copy(tsr_copy_atom x, tsr_layout tmem) { return tsr_tmem_copy_(x, tmem, false); }

TSR_OP tsr_tiled_copy tsr_make_utccp_copy(tsr_copy_atom x, tsr_layout tmem) { return tsr_tmem_copy_(x, tmem, true); }

TSR_HEADER_END

#endif
