/** The bodies of atom/copy_layout.h. */
#ifndef TSR_ATOM_BODY_COPY_LAYOUT_H
#define TSR_ATOM_BODY_COPY_LAYOUT_H

#include "tessera/atom/copy_layout.h"
#include "tessera/atom/body/copy.h"
#include "tessera/atom/body/tv.h"

TSR_HEADER_BEGIN

/** The 128-bit rows of n matrices in shared memory, each at the address of one thread; the other threads' addresses are
 *  not used. */
TSR_LOCAL tsr_layout tsr_copy_rows_(int64_t n)
{
    tsr_layout threads = TSR_ZERO;
    tsr_tv_push_(&threads, 8 * n, 128);
    if (n < 4)
        tsr_tv_push_(&threads, 4 / n, 0);
    return tsr_make_tv(threads, tsr_tv_run(128, 1));
}

/** n matrices in registers: 32 bits of a row a thread; with pieces of 16 or 8 bits, the elements of a column. */
TSR_LOCAL tsr_layout tsr_copy_matrices_(int64_t n, int64_t piece)
{
    tsr_layout threads = TSR_ZERO, values = TSR_ZERO;
    tsr_tv_push_(&threads, piece == 32 ? 32 : 4, piece == 32 ? 32 : 256);
    if (piece < 32)
        tsr_tv_push_(&threads, 8, piece);
    tsr_tv_push_(&values, piece, 1);
    for (int64_t held = piece, stride = 128; held < 32; held *= 2, stride /= 2)
        tsr_tv_push_(&values, 2, stride);
    if (n > 1)
        tsr_tv_push_(&values, n, 1024);
    return tsr_make_tv(threads, values);
}

/** The rows of n matrices of bytes: the halves of a 16x8 matrix are at the addresses of two neighbours. */
TSR_LOCAL tsr_layout tsr_copy_rows8_(int64_t n)
{
    tsr_layout threads = TSR_ZERO;
    tsr_tv_push_(&threads, 2, 128);
    tsr_tv_push_(&threads, 2, 1024);
    tsr_tv_push_(&threads, 4, 256);
    tsr_tv_push_(&threads, 2, n == 4 ? 2048 : 0);
    return tsr_make_tv(threads, tsr_tv_run(128, 1));
}

/** Two threads exchange halves: the layout of the destination on the source's (thread, 64 bits). */
TSR_LOCAL tsr_layout tsr_copy_shuffled_(int64_t distance)
{
    tsr_layout threads = TSR_ZERO, values = TSR_ZERO;
    if (distance > 1)
        tsr_tv_push_(&threads, distance, 64);
    tsr_tv_push_(&threads, 2, 32);
    tsr_tv_push_(&threads, 16 / distance, 128 * distance);
    tsr_tv_push_(&values, 32, 1);
    tsr_tv_push_(&values, 2, 64 * distance);
    return tsr_make_tv(threads, values);
}

/** The registers of a warp that hold `lanes` lanes of tensor memory, `times` groups of `bits` each. */
TSR_LOCAL tsr_layout tsr_copy_lanes_(int64_t lanes, int64_t bits, int64_t times)
{
    tsr_layout threads = TSR_ZERO, values = TSR_ZERO;
    int64_t const width = bits * times; /* of a lane */
    if (bits >= 128) {                  /* 4 threads a lane; the value's second half is 8 lanes on */
        tsr_tv_push_(&threads, 4, bits / 4);
        tsr_tv_push_(&threads, 8, width);
        tsr_tv_push_(&values, bits / 4, 1);
        tsr_tv_push_(&values, 2, 8 * width);
    } else if (bits == 64) { /* neighbours hold lanes 8 apart */
        tsr_tv_push_(&threads, 2, 8 * width);
        tsr_tv_push_(&threads, 2, 32);
        tsr_tv_push_(&threads, 8, width);
        tsr_tv_push_(&values, 32, 1);
    } else { /* a lane a thread; of 16 lanes, two halves */
        tsr_tv_push_(&threads, lanes, lanes == 16 ? 2 * width : width);
        if (lanes == 16)
            tsr_tv_push_(&threads, 2, width);
        tsr_tv_push_(&values, width, 1);
    }
    if (bits >= 64 && times > 1)
        tsr_tv_push_(&values, times, bits);
    return tsr_make_tv(threads, values);
}

/** `bits` bits that every one of `threads` threads sees. */
TSR_LOCAL tsr_layout tsr_copy_shared_(int64_t threads, int64_t bits)
{
    return tsr_make_tv(tsr_tv_run(threads, 0), tsr_tv_run(bits, 1));
}

/** Rows of 128 bits that are repeated until they fill 128 lanes: `groups` groups of `lanes` rows are data. */
TSR_LOCAL tsr_layout tsr_copy_repeated_(int64_t threads, int64_t lanes, int64_t groups)
{
    tsr_layout values = TSR_ZERO;
    tsr_tv_push_(&values, lanes, 1);
    tsr_tv_push_(&values, 128, lanes);
    if (groups > 1)
        tsr_tv_push_(&values, groups, 128 * lanes);
    tsr_tv_push_(&values, 128 / (lanes * groups), 0);
    return tsr_make_tv(tsr_tv_run(threads, 0), values);
}

/** One side, in bits: that of memory, or that of registers (for copies to tensor memory, that of shared memory). */
TSR_PART tsr_layout tsr_copy_side_(tsr_copy_atom x, bool registers)
{
    tsr_copy_row const row = tsr_copy_row_at(x.op);
    int64_t const n = x.number;
    tsr_layout four = TSR_ZERO;
    switch ((tsr_copy_kind)row.kind) {
    case TSR_COPY_THREAD:
        return tsr_copy_shared_(1, n);
    case TSR_COPY_AUTO:
        return tsr_make_tv(tsr_tv_run(1, 0), tsr_tv_run(1, 0));
    case TSR_COPY_SHUFFLE:
        return registers ? tsr_copy_shuffled_(row.a) : tsr_make_tv(tsr_tv_run(32, 64), tsr_tv_run(64, 1));
    case TSR_COPY_MATRIX:
        return registers ? tsr_copy_matrices_(n, 32) : tsr_copy_rows_(n);
    case TSR_COPY_MATRIX_T:
        return registers ? tsr_copy_matrices_(n / 2, 16) : tsr_copy_rows_(n / 2);
    case TSR_COPY_MATRIX_T8:
        return registers ? tsr_copy_matrices_(n / 4, 8) : row.store ? tsr_copy_rows_(n / 4) : tsr_copy_rows8_(n / 4);
    case TSR_COPY_REGISTERS:
        return tsr_make_tv(tsr_tv_run(32, 32), tsr_tv_run(32, 1));
    case TSR_COPY_TMEM:
        if (registers)
            return tsr_copy_lanes_(row.a, row.b, n);
        return tsr_copy_shared_(32, (row.a == 16 && row.b == 32 ? 2 : 1) * row.a * row.b * n);
    case TSR_COPY_TMEM_FILL:
        return tsr_copy_shared_(n, (int64_t)row.a * row.b);
    case TSR_COPY_TMEM_4DP:
        tsr_tv_push_(&four, 4, 32);
        tsr_tv_push_(&four, row.b, 128);
        return tsr_make_tv(tsr_tv_run(n, 0), four);
    case TSR_COPY_TMEM_CAST:
        return registers ? tsr_copy_repeated_(n, row.a, row.b) : tsr_copy_shared_(n, 128 * 128);
    case TSR_COPY_BULK:
        break;
    }
    return tsr_make_tv(tsr_tv_run(row.a, row.a > 1 ? n : 0), tsr_tv_run(n, 1));
}

TSR_OP int tsr_copy_threads(tsr_copy_atom x)
{
    tsr_copy_row const row = tsr_copy_row_at(x.op);
    switch ((tsr_copy_kind)row.kind) {
    case TSR_COPY_THREAD:
    case TSR_COPY_AUTO:
        return 1;
    case TSR_COPY_TMEM_FILL:
    case TSR_COPY_TMEM_4DP:
    case TSR_COPY_TMEM_CAST:
        return x.number;
    case TSR_COPY_BULK:
        return row.a;
    default:
        return 32;
    }
}

/** A side in values. Errors: COPY_VALUES when a value would be shared by threads. */
TSR_LOCAL tsr_layout tsr_copy_layout_(tsr_copy_atom x, bool registers)
{
    if (x.status)
        return tsr_refused_(tsr_copy_why(x));
    tsr_layout const bits = tsr_copy_side_(x, registers);
    if (x.type == 0)
        return bits;
    tsr_layout const r = tsr_recast_layout(bits, TSR_U1, x.type);
    if (r.shape.status || tsr_layout_size(tsr_mode_(&r, 0)) == tsr_copy_threads(x))
        return r;
    return tsr_bad_layout(TSR_COPY_VALUES, 0, tsr_dtype_bits(x.type), tsr_copy_threads(x), 0);
}

TSR_OP tsr_layout tsr_copy_thr_id(tsr_copy_atom x)
{
    int const threads = x.status ? 1 : tsr_copy_threads(x);
    return x.status ? tsr_refused_(tsr_copy_why(x)) : tsr_tv_run(threads, threads > 1 ? 1 : 0);
}

TSR_OP tsr_layout tsr_copy_layout_src(tsr_copy_atom x)
{
    return tsr_copy_layout_(x, !x.status && tsr_copy_row_at(x.op).store);
}

TSR_OP tsr_layout tsr_copy_layout_dst(tsr_copy_atom x)
{
    return tsr_copy_layout_(x, !x.status && !tsr_copy_row_at(x.op).store);
}

TSR_OP tsr_layout tsr_copy_layout_written(tsr_copy_atom x)
{
    if (!x.status && tsr_copy_row_at(x.op).kind == TSR_COPY_REGISTERS)
        x = tsr_copy_values(tsr_make_copy(TSR_COPY_SM75_LDSM_T, 2), x.type);
    return tsr_copy_layout_dst(x);
}

TSR_OP tsr_layout tsr_copy_layout_ref(tsr_copy_atom x)
{
    int const kind = x.status ? (int)TSR_COPY_THREAD : tsr_copy_row_at(x.op).kind;
    return tsr_copy_layout_(x, kind == TSR_COPY_MATRIX || kind == TSR_COPY_MATRIX_T || kind == TSR_COPY_MATRIX_T8);
}

TSR_HEADER_END

#endif
