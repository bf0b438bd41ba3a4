/** The bodies of atom/mma_layout.h. */
#ifndef TSR_ATOM_BODY_MMA_LAYOUT_H
#define TSR_ATOM_BODY_MMA_LAYOUT_H

#include "tessera/atom/mma_layout.h"
#include "tessera/atom/body/mma.h"
#include "tessera/atom/body/tv.h"

TSR_HEADER_BEGIN

/** A fragment of `rows` by `depth` elements. */
TSR_LOCAL tsr_layout tsr_mma_fragment_(int64_t rows, int64_t depth, int64_t run, bool group)
{
    tsr_layout threads = TSR_ZERO, values = TSR_ZERO;
    int64_t const rest = depth / (4 * run);
    tsr_tv_push_(&threads, 4, run * rows);
    tsr_tv_push_(&threads, 8, 1);
    if (group)
        tsr_tv_push_(&threads, 4, 16);
    if (run > 1)
        tsr_tv_push_(&values, run, rows);
    if (rows > 8)
        tsr_tv_push_(&values, 2, 8);
    if (rest > 1 || group)
        tsr_tv_push_(&values, rest, 4 * run * rows);
    return tsr_make_tv(threads, values);
}

/** All of a matrix in shared memory, seen by every thread. */
TSR_LOCAL tsr_layout tsr_mma_shared_(int64_t rows, int64_t depth)
{
    tsr_layout values = TSR_ZERO;
    tsr_tv_push_(&values, rows, 1);
    tsr_tv_push_(&values, depth, rows);
    return tsr_make_tv(tsr_tv_run(128, 0), values);
}

/** A matrix in memory of one CTA, or its rows in halves in those of two. */
TSR_LOCAL tsr_layout tsr_mma_memory_(int64_t ctas, int64_t rows, int64_t depth)
{
    tsr_layout values = TSR_ZERO;
    tsr_tv_push_(&values, rows / ctas, 1);
    tsr_tv_push_(&values, depth, rows);
    return tsr_make_tv(tsr_tv_run(ctas, ctas > 1 ? rows / ctas : 0), values);
}

/** A or B of a quad pair: a thread has a row of K, or of the other extent where that is contiguous. */
TSR_LOCAL tsr_layout tsr_mma_quadpair_(bool k_major)
{
    tsr_layout threads = TSR_ZERO;
    tsr_tv_push_(&threads, k_major ? 8 : 4, k_major ? 1 : 8);
    if (!k_major)
        tsr_tv_push_(&threads, 2, 4);
    return tsr_make_tv(threads, tsr_tv_run(4, k_major ? 8 : 1));
}

/** C of a quad pair: a thread has a row of half, or four 2x2 squares of float. */
TSR_LOCAL tsr_layout tsr_mma_quadpair_c_(bool half)
{
    tsr_layout threads = TSR_ZERO, values = TSR_ZERO;
    if (half)
        return tsr_make_tv(tsr_tv_run(8, 1), tsr_tv_run(8, 8));
    tsr_tv_push_(&threads, 2, 1);
    tsr_tv_push_(&threads, 2, 16);
    tsr_tv_push_(&threads, 2, 4);
    tsr_tv_push_(&values, 2, 8);
    tsr_tv_push_(&values, 2, 2);
    tsr_tv_push_(&values, 2, 32);
    return tsr_make_tv(threads, values);
}

/** The elements of A or B that are neighbours in a register, counting those of A that sparsity leaves out. sm_120
 *  spreads K over 32 bytes, whatever the types. */
TSR_LOCAL int64_t tsr_mma_run_(tsr_mma_atom x, tsr_dtype type, bool is_a)
{
    int64_t const parts = x.flags & TSR_MMA_SPARSE ? 2 : 1;
    int64_t const bits = x.arch == 120 ? 256 * parts / x.k : tsr_dtype_bits(type);
    return (bits < 32 ? 32 / bits : 1) * (is_a ? parts : 1);
}

/** A or B of a thread or a warp. CuTe writes the values of a single register of 4-bit elements as (_8). */
TSR_LOCAL tsr_layout tsr_mma_input_(tsr_mma_atom x, tsr_dtype type, int64_t rows, bool is_a)
{
    if (x.kind == TSR_MMA_THREAD)
        return tsr_make_tv(tsr_tv_run(1, 0), tsr_tv_run(x.k, x.k > 1 ? 1 : 0));
    tsr_layout r = tsr_mma_fragment_(rows, x.k, tsr_mma_run_(x, type, is_a), x.kind == TSR_MMA_WARPGROUP);
    if (tsr_dtype_bits(type) == 4 && r.shape.leaves == 3) {
        ++r.shape.leaf[2].open, ++r.shape.leaf[2].close;
        ++r.stride.leaf[2].open, ++r.stride.leaf[2].close;
    }
    return r;
}

/* AMD: a lane has a run of K of its row; of C, a column: rows in fours (MFMA), one of two (GFX11), in eights (GFX12).
 * Lanes that are left hold further blocks; of C, when rows are left to none, so do values. */

TSR_LOCAL tsr_layout tsr_mma_wave_input_(tsr_mma_atom x, int64_t rows)
{
    tsr_layout threads = TSR_ZERO;
    int64_t const lanes = x.kind == TSR_MMA_WAVE64 ? 64 : 32, blocks = tsr_mma_blocks(x);
    int64_t const parts = x.arch == TSR_ARCH_GFX11 ? 1 : lanes / rows / blocks, run = x.k / parts;
    tsr_tv_push_(&threads, rows, 1);
    tsr_tv_push_(&threads, lanes / rows, parts > 1 || blocks > 1 ? run * rows : 0);
    return tsr_make_tv(threads, tsr_tv_run(run, run > 1 ? rows : 0));
}

TSR_LOCAL tsr_layout tsr_mma_wave_c_(tsr_mma_atom x)
{
    tsr_layout threads = TSR_ZERO, values = TSR_ZERO;
    int64_t const lanes = x.kind == TSR_MMA_WAVE64 ? 64 : 32, blocks = tsr_mma_blocks(x);
    int64_t const group = x.kind == TSR_MMA_WAVE64 ? (x.c == TSR_F64 ? 1 : 4) : x.arch == TSR_ARCH_GFX11 ? 1 : 8;
    int64_t const parts = tsr_min64(lanes / x.n, x.m / group), held = x.m / parts, more = lanes / x.n / parts;
    tsr_tv_push_(&threads, x.n, x.m);
    tsr_tv_push_(&threads, more > 1 ? more : parts, more > 1 ? x.m * x.n : group);
    if (group > 1)
        tsr_tv_push_(&values, group, 1);
    if (held > group)
        tsr_tv_push_(&values, held / group, parts * group);
    if (blocks > more)
        tsr_tv_push_(&values, blocks / more, x.m * x.n);
    return tsr_make_tv(threads, values);
}

/* Intel's sub-group: an item has a column of A and of C, and a row of B. */

TSR_LOCAL tsr_layout tsr_mma_subgroup_(int64_t rows, int64_t items, bool b)
{
    return tsr_make_tv(tsr_tv_run(items, b ? 1 : rows), tsr_tv_run(rows, b ? rows : 1));
}

/* A tile of one thread: A and C by rows, B by rows of `packed` elements of K. */

TSR_LOCAL tsr_layout tsr_mma_tile_(int64_t rows, int64_t depth, int64_t packed)
{
    tsr_layout values = TSR_ZERO;
    tsr_tv_push_(&values, packed, rows);
    tsr_tv_push_(&values, rows, 1);
    if (depth > packed)
        tsr_tv_push_(&values, depth / packed, packed * rows);
    return tsr_make_tv(tsr_tv_run(1, 0), values);
}

/** A, B or C of a CTA's instructions and of those that are not NVIDIA's; `which` is 0, 1 or 2. */
TSR_LOCAL tsr_layout tsr_mma_other_(tsr_mma_atom x, int which)
{
    int64_t const rows = which == 1 ? x.n : x.m, depth = which == 2 ? x.n : x.k, word = 32 / tsr_dtype_bits(x.b);
    if (tsr_mma_is_umma(x))
        return tsr_mma_memory_(x.kind == TSR_MMA_CTA ? 1 : 2, rows, depth);
    if (x.kind == TSR_MMA_TILE)
        return tsr_mma_tile_(rows, depth, which == 1 && x.arch != TSR_ARCH_NEON ? word : depth);
    if (x.kind == TSR_MMA_SUBGROUP)
        return tsr_mma_subgroup_(rows, 16, which == 1);
    return which == 2 ? tsr_mma_wave_c_(x) : tsr_mma_wave_input_(x, rows);
}

TSR_OP tsr_tuple tsr_mma_shape(tsr_mma_atom x)
{
    tsr_tuple const one = tsr_tuple_3(tsr_s(x.m), tsr_s(x.n), tsr_s(x.k));
    if (x.status)
        return tsr_reason_tuple(tsr_mma_why(x));
    return tsr_mma_blocks(x) > 1 ? tsr_tuple_append(one, tsr_s(tsr_mma_blocks(x))) : one;
}

TSR_OP tsr_layout tsr_mma_thr_id(tsr_mma_atom x)
{
    tsr_layout quads = TSR_ZERO;
    if (x.status)
        return tsr_refused_(tsr_mma_why(x));
    if (x.kind == TSR_MMA_THREAD || x.kind == TSR_MMA_TILE || x.kind == TSR_MMA_CTA)
        return tsr_tv_run(1, 0);
    if (x.kind == TSR_MMA_CTA_PAIR)
        return tsr_tv_run(2, 1);
    if (x.kind > TSR_MMA_WARPGROUP)
        return tsr_tv_run(x.kind == TSR_MMA_WAVE64 ? 64 : x.kind == TSR_MMA_WAVE32 ? 32 : 16, 1);
    tsr_tv_push_(&quads, 4, 1);
    tsr_tv_push_(&quads, 2, 16);
    return x.kind == TSR_MMA_QUADPAIR ? tsr_tv_mode_(quads) : tsr_tv_run(x.kind == TSR_MMA_WARP ? 32 : 128, 1);
}

TSR_OP tsr_layout tsr_mma_layout_a(tsr_mma_atom x)
{
    if (x.status)
        return tsr_refused_(tsr_mma_why(x));
    if (x.kind > TSR_MMA_WARPGROUP)
        return tsr_mma_other_(x, 0);
    if (x.kind == TSR_MMA_QUADPAIR)
        return tsr_mma_quadpair_(!(x.flags & TSR_MMA_A_MN));
    if (x.kind == TSR_MMA_WARPGROUP && !(x.flags & TSR_MMA_A_REGISTERS))
        return tsr_mma_shared_(x.m, x.k);
    return tsr_mma_input_(x, x.a, x.m, true);
}

TSR_OP tsr_layout tsr_mma_layout_b(tsr_mma_atom x)
{
    if (x.status)
        return tsr_refused_(tsr_mma_why(x));
    if (x.kind > TSR_MMA_WARPGROUP)
        return tsr_mma_other_(x, 1);
    if (x.kind == TSR_MMA_QUADPAIR)
        return tsr_mma_quadpair_(!(x.flags & TSR_MMA_B_MN));
    if (x.kind == TSR_MMA_WARPGROUP)
        return tsr_mma_shared_(x.n, x.k);
    return tsr_mma_input_(x, x.b, x.n, false);
}

TSR_OP tsr_layout tsr_mma_layout_c(tsr_mma_atom x)
{
    if (x.status)
        return tsr_refused_(tsr_mma_why(x));
    if (x.kind > TSR_MMA_WARPGROUP)
        return tsr_mma_other_(x, 2);
    if (x.kind == TSR_MMA_THREAD)
        return tsr_make_tv(tsr_tv_run(1, 0), tsr_tv_run(1, 0));
    if (x.kind == TSR_MMA_QUADPAIR)
        return tsr_mma_quadpair_c_(x.c == TSR_F16);
    return tsr_mma_fragment_(x.m, x.n, 2, x.kind == TSR_MMA_WARPGROUP);
}

/* Scales and metadata, which instructions read from registers beside A and B. Scales of sm_120: lane bit 0 (of A)
 * chooses the row 8 further down, and the other lanes of a quad repeat it. Metadata of sm_120 and of bytes of a
 * warpgroup: bit 0 chooses the row, too, and bit 1 the half of K. Metadata of wider types of a warpgroup: bit 0
 * chooses the half of K, bit 1 is the selector, and a word has both rows. */

/** 1 when threads hold the scales of the atom, 2 when they hold metadata, 3 both; else 0. */
TSR_LOCAL int tsr_mma_beside_(tsr_mma_atom x)
{
    bool const holds = x.arch == 120 || x.kind == TSR_MMA_WARPGROUP;
    return !holds ? 0 : (tsr_mma_is_scaled(x) ? 1 : 0) + (x.flags & TSR_MMA_SPARSE ? 2 : 0);
}

/** ((2,2,8),rest) of A's rows. */
TSR_LOCAL tsr_layout tsr_mma_quads_(int64_t first, int64_t second, tsr_layout values)
{
    tsr_layout threads = TSR_ZERO;
    tsr_tv_push_(&threads, 2, first);
    tsr_tv_push_(&threads, 2, second);
    tsr_tv_push_(&threads, 8, 1);
    return tsr_make_tv(threads, values);
}

TSR_LOCAL tsr_layout tsr_mma_no_scales_(tsr_mma_atom x)
{
    return tsr_refused_(tsr_mma_why(x.status ? x : tsr_mma_refuse(x, TSR_MMA_BESIDE, 0, 0)));
}

TSR_OP tsr_layout tsr_mma_layout_sfa(tsr_mma_atom x)
{
    if (x.status || !(tsr_mma_beside_(x) & 1))
        return tsr_mma_no_scales_(x);
    return tsr_mma_quads_(8, 0, tsr_tv_run(x.k, 16));
}

TSR_OP tsr_layout tsr_mma_layout_sfb(tsr_mma_atom x)
{
    tsr_layout threads = TSR_ZERO;
    if (x.status || !(tsr_mma_beside_(x) & 1))
        return tsr_mma_no_scales_(x);
    tsr_tv_push_(&threads, 4, 0);
    tsr_tv_push_(&threads, 8, 1);
    return tsr_make_tv(threads, tsr_tv_run(x.k, 8));
}

TSR_OP tsr_layout tsr_mma_layout_e(tsr_mma_atom x)
{
    tsr_layout threads = TSR_ZERO, values = TSR_ZERO;
    if (x.status || !(tsr_mma_beside_(x) & 2))
        return tsr_mma_no_scales_(x);
    bool const group = x.kind == TSR_MMA_WARPGROUP, wide = group && tsr_dtype_bits(x.a) > 8;
    int64_t const half = x.k / 2, remote = half * x.m;
    tsr_tv_push_(&threads, 2, wide ? remote : 8);
    tsr_tv_push_(&threads, 2, wide ? 0 : remote);
    tsr_tv_push_(&threads, 8, 1);
    if (group)
        tsr_tv_push_(&threads, 4, 16);
    tsr_tv_push_(&values, half, x.m);
    if (wide)
        tsr_tv_push_(&values, 2, 8);
    if (!group && x.k == 128) {
        values.shape = tsr_tuple_1(values.shape);
        values.stride = tsr_tuple_1(values.stride);
    }
    return tsr_make_tv(threads, values);
}

TSR_HEADER_END

#endif
