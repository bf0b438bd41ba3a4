/** The bodies of atom/tmem.h. */
#ifndef TSR_ATOM_BODY_TMEM_H
#define TSR_ATOM_BODY_TMEM_H

#include "tessera/atom/tmem.h"
#include "tessera/atom/body/mma.h"

TSR_HEADER_BEGIN

/** One tile, and where further ones go: first to `shared` places of its columns, `beside` apart, then behind its `step`
 *  elements. */
typedef struct tsr_tmem_tile_ {
    tsr_layout tile;
    int64_t shared, step;
    tsr_tuple beside;
} tsr_tmem_tile_;

/** n lanes (mode 0), or n elements (mode 1). */
TSR_LOCAL tsr_tuple tsr_tmem_unit_(int64_t n, uint32_t mode)
{
    tsr_tuple r = tsr_s(n);
    r.leaf[0].aux = n != 0 ? mode + 1 : 0;
    return r;
}

TSR_LOCAL tsr_tuple tsr_tmem_lane_(int64_t n) { return tsr_tmem_unit_(n, 0); }

TSR_LOCAL tsr_tuple tsr_tmem_element_(int64_t n) { return tsr_tmem_unit_(n, 1); }

TSR_LOCAL tsr_tmem_tile_ tsr_tmem_refuse_(tsr_status status, int64_t a, int64_t b, int64_t c)
{
    tsr_tmem_tile_ r = TSR_ZERO;
    r.tile = tsr_bad_layout(status, 0, a, b, c);
    return r;
}

TSR_LOCAL tsr_tmem_tile_ tsr_tmem_make_(tsr_tuple shape, tsr_tuple stride, int64_t step)
{
    tsr_tmem_tile_ r = TSR_ZERO;
    r.tile = tsr_make_layout_from(shape, stride);
    r.shared = 1;
    r.step = step;
    return r;
}

/** Rows in lanes. Fewer than 128: the columns in as many parts as there is room for. `apart` elements are from column
 *  to column. */
TSR_LOCAL tsr_tmem_tile_ tsr_tmem_rows_(int64_t m, int64_t n, int64_t apart)
{
    int64_t const parts = TSR_TMEM_LANES / m;
    if (n % parts != 0)
        return tsr_tmem_refuse_(TSR_TMEM_WIDTH, n, parts, 0);
    if (parts == 1)
        return tsr_tmem_make_(tsr_tuple_2(tsr_s(m), tsr_s(n)),
                              tsr_tuple_2(tsr_tmem_lane_(1), tsr_tmem_element_(apart)), n * apart);
    return tsr_tmem_make_(tsr_tuple_2(tsr_s(m), tsr_tuple_2(tsr_s(n / parts), tsr_s(parts))),
                          tsr_tuple_2(tsr_tmem_lane_(1), tsr_tuple_2(tsr_tmem_element_(apart), tsr_tmem_lane_(m))),
                          n / parts * apart);
}

/** 64 rows of one CTA: 16 of every 32 lanes; another tile may have the other 16. */
TSR_LOCAL tsr_tmem_tile_ tsr_tmem_halves_(int64_t n, int64_t apart, bool interleaved)
{
    tsr_tmem_tile_ r = tsr_tmem_make_(
        tsr_tuple_2(tsr_tuple_2(tsr_s(16), tsr_s(4)), tsr_s(n)),
        tsr_tuple_2(tsr_tuple_2(tsr_tmem_lane_(1), tsr_tmem_lane_(32)), tsr_tmem_element_(apart)), n * apart);
    r.shared = interleaved ? 2 : 1;
    r.beside = tsr_tmem_lane_(16);
    return r;
}

/** Scales of `columns` * 32 rows, four bytes a column, copied to `copies` parts of the lanes; of two copies the second
 *  half of the rows is 64 lanes on. */
TSR_LOCAL tsr_tmem_tile_ tsr_tmem_scales_(int64_t columns, int64_t copies, tsr_tuple k)
{
    int64_t const scales = k.leaf[1].value;
    if (scales < 1 || 4 % scales != 0)
        return tsr_tmem_refuse_(TSR_TMEM_SCALES, scales, 0, 0);
    tsr_tuple const rows = tsr_tuple_2(tsr_s(32), tsr_s(columns)),
                    row = tsr_tuple_2(tsr_tmem_lane_(1), tsr_tmem_element_(4)),
                    block = tsr_tuple_2(tsr_s(0), tsr_tmem_element_(1));
    tsr_tmem_tile_ r =
        copies == 4 ? tsr_tmem_make_(tsr_tuple_2(tsr_tuple_2(rows, tsr_s(4)), k),
                                     tsr_tuple_2(tsr_tuple_2(row, tsr_tmem_lane_(32)), block), 4 * columns)
                    : tsr_tmem_make_(tsr_tuple_2(tsr_tuple_3(rows, tsr_s(2), tsr_s(2)), k),
                                     tsr_tuple_2(tsr_tuple_3(row, tsr_tmem_lane_(64), tsr_tmem_lane_(32)), block),
                                     4 * columns);
    r.shared = 4 / scales;
    r.beside = tsr_tmem_element_(scales);
    return r;
}

/** Metadata of 128 rows. Of 16 and 32 bits, 16 rows alternate between the halves of a column, and the second half of K
 *  is 8 lanes on. */
TSR_LOCAL tsr_tmem_tile_ tsr_tmem_metadata_(int64_t k, int bits)
{
    int64_t const half = bits == 32 ? 8 : 16;
    if (bits <= 8)
        return tsr_tmem_rows_(TSR_TMEM_LANES, k, 1);
    if (k != 2 * half)
        return tsr_tmem_refuse_(TSR_TMEM_WIDTH, k, 2 * half, 0);
    return tsr_tmem_make_(tsr_tuple_2(tsr_t(tsr_s(8), tsr_s(2), tsr_s(8)), tsr_tuple_2(tsr_s(half), tsr_s(2))),
                          tsr_tuple_2(tsr_tuple_3(tsr_tmem_lane_(1), tsr_tmem_element_(half), tsr_tmem_lane_(16)),
                                      tsr_tuple_2(tsr_tmem_element_(1), tsr_tmem_lane_(8))),
                          k);
}

TSR_OP tsr_tuple tsr_tmem_extent(tsr_layout l, int64_t per_column)
{
    int64_t end[2] = {1, 1};
    if (l.shape.status)
        return l.shape;
    if (per_column <= 0 || per_column > 65536)
        return tsr_bad_tuple(per_column <= 0 ? TSR_FACTOR : TSR_OVERFLOW, 0, per_column, 0, 0);
    for (int i = 0; i < l.shape.leaves; ++i) {
        tsr_leaf const d = l.stride.leaf[i];
        int64_t way = 0;
        bool const there = d.kind <= TSR_STATIC && d.aux <= 2 && (d.aux > 0 || d.value == 0) && d.value >= 0;
        if (l.composed || !there || !tsr_mul64(l.shape.leaf[i].value - 1, d.value, &way)
            || !tsr_add64(end[d.aux == 2], way, &end[d.aux == 2]))
            return tsr_bad_tuple(TSR_TMEM_LAYOUT, 0, 0, 0, 0);
    }
    return tsr_tuple_2(tsr_s(end[0]), tsr_s((end[1] - 1) / per_column + 1));
}

/** l, or why it does not fit. */
TSR_LOCAL tsr_layout tsr_tmem_checked_(tsr_layout l, int64_t per_column)
{
    tsr_tuple const e = tsr_tmem_extent(l, per_column);
    if (e.status)
        return tsr_invalid_layout(e);
    bool const fits = e.leaf[0].value <= TSR_TMEM_LANES && e.leaf[1].value <= TSR_TMEM_COLUMNS;
    return fits ? l : tsr_bad_layout(TSR_TENSOR_MEMORY, 0, e.leaf[0].value - 1, e.leaf[1].value - 1, 0);
}

/** The tile with further ones beside and behind it. */
TSR_LOCAL tsr_layout tsr_tmem_tiled_(tsr_tmem_tile_ const *t, tsr_tuple tiles)
{
    tsr_tuple const extent = tsr_s(1 << 20);
    tsr_layout const room = t->shared > 1 ? tsr_make_layout_from(tsr_tuple_2(tsr_s(t->shared), extent),
                                                                 tsr_tuple_2(t->beside, tsr_tmem_element_(t->step)))
                                          : tsr_make_layout_from(extent, tsr_tmem_element_(t->step));
    if (t->tile.shape.status || tiles.status)
        return t->tile.shape.status ? t->tile : tsr_invalid_layout(tiles);
    for (int i = 0; i < tiles.leaves; ++i) /* the hardware's memory is laid out when code is made */
        tiles.leaf[i].kind = TSR_STATIC;
    tsr_layout const rest = tsr_composition(room, tsr_make_layout_compact(tsr_wrap(tiles)));
    if (rest.shape.status)
        return rest;
    return tsr_make_layout_from(tsr_tuple_prepend(tsr_wrap(rest.shape), t->tile.shape),
                                tsr_tuple_prepend(tsr_wrap(rest.stride), t->tile.stride));
}

/** ((M,N),tiles..): M and N, and what N is made of. False: another shape. */
TSR_LOCAL bool tsr_tmem_shape_(tsr_tuple const *shape, int64_t *m, tsr_tuple *n)
{
    tsr_tuple const tile = shape->status ? *shape : tsr_get_(shape, 0);
    if (tile.status || tsr_mode_count(shape) < 2 || tsr_mode_count(&tile) != 2)
        return false;
    tsr_tuple const rows = tsr_get_(&tile, 0);
    *n = tsr_get_(&tile, 1);
    for (int i = 0; i < shape->leaves; ++i)
        if (shape->leaf[i].kind > TSR_STATIC || shape->leaf[i].aux != 0 || shape->leaf[i].value <= 0
            || shape->leaf[i].value > 1 << 20)
            return false;
    *m = tsr_is_leaf(&rows) ? rows.leaf[0].value : 0;
    return *m > 0;
}

TSR_LOCAL tsr_layout tsr_tmem_bad_shape_(tsr_tuple shape)
{
    return shape.status ? tsr_invalid_layout(shape) : tsr_bad_layout(TSR_TMEM_SHAPE, 0, 0, 0, 0);
}

/** Is m a power of two from `least` to 128? */
TSR_LOCAL bool tsr_tmem_is_rows_(int64_t m, int64_t least)
{
    return m >= least && m <= TSR_TMEM_LANES && (m & (m - 1)) == 0;
}

/** How a tile of M rows lies. */
enum { TSR_TMEM_SS_, TSR_TMEM_TS_, TSR_TMEM_WS_ };

TSR_LOCAL tsr_layout tsr_tmem_frg_(tsr_tuple shape, int64_t ctas, tsr_dtype type, int64_t bits, int form)
{
    int64_t const width = tsr_dtype_bits(type), least = ctas == 1 && form != TSR_TMEM_WS_ ? 64 : 32;
    int64_t m = 0;
    tsr_tuple columns = TSR_ZERO;
    if (!tsr_tmem_shape_(&shape, &m, &columns) || !tsr_is_leaf(&columns))
        return tsr_tmem_bad_shape_(shape);
    if (width == 0 || bits > 32 || 32 % width != 0 || bits % width != 0 || bits <= 0)
        return tsr_bad_layout(TSR_TMEM_TYPE, 0, width, bits, 0);
    if (ctas != 1 && ctas != 2)
        return tsr_bad_layout(TSR_TMEM_CTAS, 0, ctas, 0, 0);
    if (!tsr_tmem_is_rows_(m, least))
        return tsr_bad_layout(TSR_TMEM_ROWS, 0, m, least, TSR_TMEM_LANES);
    int64_t const n = columns.leaf[0].value, apart = bits / width;
    bool const twice = ctas == 2 && form == TSR_TMEM_TS_, halves = m == 64 && ctas == 1 && form != TSR_TMEM_WS_;
    tsr_tmem_tile_ const t = halves ? tsr_tmem_halves_(n, apart, form == TSR_TMEM_SS_)
                                    : tsr_tmem_rows_(twice ? (int64_t)TSR_TMEM_LANES : m, n, apart);
    return tsr_tmem_checked_(tsr_tmem_tiled_(&t, tsr_tuple_take(shape, 1, -1)), 32 / width);
}

TSR_OP tsr_layout tsr_tmem_frg(tsr_tuple shape, int64_t ctas, tsr_dtype type, int64_t bits)
{
    return tsr_tmem_frg_(shape, ctas, type, bits, TSR_TMEM_SS_);
}

TSR_OP tsr_layout tsr_tmem_frg_ts(tsr_tuple shape, int64_t ctas, tsr_dtype type, int64_t bits)
{
    return tsr_tmem_frg_(shape, ctas, type, bits, TSR_TMEM_TS_);
}

TSR_OP tsr_layout tsr_tmem_frg_ws(tsr_tuple shape, tsr_dtype type, int64_t bits)
{
    return tsr_tmem_frg_(shape, 1, type, bits, TSR_TMEM_WS_);
}

/** Elements of A whose metadata share a column: 4 bits for 4 elements, of 32 bits for 2, of 4 bits for 8. */
TSR_LOCAL int64_t tsr_tmem_metadata_column_(int bits) { return bits == 32 ? 16 : bits == 4 ? 64 : 32; }

TSR_LOCAL tsr_layout tsr_tmem_e_(tsr_tuple shape, int bits, bool ws)
{
    int64_t m = 0;
    tsr_tuple k = TSR_ZERO;
    if (!tsr_tmem_shape_(&shape, &m, &k) || !tsr_is_leaf(&k))
        return tsr_tmem_bad_shape_(shape);
    if (bits != 4 && bits != 8 && bits != 16 && bits != 32)
        return tsr_bad_layout(TSR_TMEM_TYPE, 0, bits, 32, 0);
    int64_t const least = ws && bits <= 8 ? 32 : TSR_TMEM_LANES;
    if (!tsr_tmem_is_rows_(m, least))
        return tsr_bad_layout(TSR_TMEM_ROWS, 0, m, least, TSR_TMEM_LANES);
    tsr_tmem_tile_ t = tsr_tmem_metadata_(k.leaf[0].value, bits);
    if (m < TSR_TMEM_LANES) /* every part of the lanes has all of K */
        t = tsr_tmem_make_(tsr_tuple_2(tsr_s(m), tsr_tuple_2(k, tsr_s(TSR_TMEM_LANES / m))),
                           tsr_tuple_2(tsr_tmem_lane_(1), tsr_tuple_2(tsr_tmem_element_(1), tsr_tmem_lane_(m))),
                           k.leaf[0].value);
    return tsr_tmem_checked_(tsr_tmem_tiled_(&t, tsr_tuple_take(shape, 1, -1)), tsr_tmem_metadata_column_(bits));
}

TSR_OP tsr_layout tsr_tmem_e_frg(tsr_tuple shape, tsr_dtype type)
{
    return tsr_tmem_e_(shape, tsr_dtype_bits(type), false);
}

TSR_OP tsr_layout tsr_tmem_e_frg_ws(tsr_tuple shape, tsr_dtype type)
{
    return tsr_tmem_e_(shape, tsr_dtype_bits(type), true);
}

TSR_LOCAL tsr_layout tsr_tmem_sf_(tsr_tuple shape, int64_t copies)
{
    int64_t const rows = copies == 4 ? 32 : 64; /* of a column */
    int64_t m = 0;
    tsr_tuple k = TSR_ZERO;
    if (!tsr_tmem_shape_(&shape, &m, &k) || k.leaves != 2)
        return tsr_tmem_bad_shape_(shape);
    if (m % rows != 0)
        return tsr_bad_layout(TSR_TMEM_WIDTH, 0, m, rows, 0);
    tsr_tmem_tile_ const t = tsr_tmem_scales_(m / rows, copies, k);
    return tsr_tmem_checked_(tsr_tmem_tiled_(&t, tsr_tuple_take(shape, 1, -1)), 4);
}

TSR_OP tsr_layout tsr_tmem_sf_frg(tsr_tuple shape) { return tsr_tmem_sf_(shape, 4); }

TSR_OP tsr_layout tsr_tmem_sf_frg_2x2(tsr_tuple shape) { return tsr_tmem_sf_(shape, 2); }

/** Bits of an element of A in its place: an instruction reads 32 bytes along K. */
TSR_LOCAL int tsr_tmem_place_(tsr_mma_atom const *x)
{
    return (int)(256 / ((x->flags & TSR_MMA_SPARSE) != 0 ? x->k / 2 : x->k));
}

/** Elements along K that share a scale. */
TSR_LOCAL int64_t tsr_tmem_vector_(tsr_mma_atom const *x)
{
    return (x->form == TSR_MMA_SCALE_32 ? 32 : 16) * ((x->flags & TSR_MMA_SPARSE) != 0 ? 2 : 1);
}

/** Why the atom has no such operand. */
TSR_LOCAL tsr_reason tsr_tmem_lacks_(tsr_mma_atom const *x, int operand)
{
    bool const scaled = x->form >= TSR_MMA_SCALE_32 && x->form <= TSR_MMA_SCALE_16_4;
    bool const has = operand == TSR_TMEM_C   ? true
                     : operand == TSR_TMEM_A ? (x->flags & TSR_MMA_A_REGISTERS) != 0
                     : operand == TSR_TMEM_E ? (x->flags & TSR_MMA_SPARSE) != 0
                                             : scaled && operand < TSR_TMEM_OPERANDS;
    if (x->status)
        return tsr_mma_why(*x);
    if (x->kind != TSR_MMA_CTA && x->kind != TSR_MMA_CTA_PAIR)
        return tsr_because(TSR_TMEM_ATOM, 0, 0, 0, 0);
    return has ? tsr_no_reason() : tsr_because(TSR_TMEM_OPERAND, 0, operand, 0, 0);
}

/** A CTA's tile of an operand in front of the tiles. */
TSR_LOCAL tsr_tuple tsr_tmem_tile_of_(tsr_tuple m, tsr_tuple n, tsr_tuple tiles)
{
    return tsr_tuple_prepend(tsr_wrap(tiles), tsr_tuple_2(m, n));
}

TSR_LOCAL tsr_layout tsr_tmem_scales_of_(tsr_mma_atom const *x, bool b, tsr_tuple tiles)
{
    int64_t const vector = tsr_tmem_vector_(x), across = (x->n + 127) / 128 * 128;
    tsr_tuple const k = tsr_tuple_2(tsr_s(vector), tsr_s(x->k / vector));
    tsr_tuple const shape = tsr_tmem_tile_of_(tsr_s(b ? across : (int64_t)TSR_TMEM_LANES), k, tiles);
    return tsr_tmem_sf_(shape, b && x->kind == TSR_MMA_CTA_PAIR && x->m == 128 ? 2 : 4);
}

TSR_OP tsr_layout tsr_tmem_layout(tsr_mma_atom x, tsr_tmem_operand operand, tsr_tuple tiles)
{
    tsr_reason const why = x.status || !tiles.status ? tsr_tmem_lacks_(&x, (int)operand) : tsr_tuple_why(tiles);
    if (why.status)
        return tsr_refused_(why);
    int64_t const ctas = x.kind == TSR_MMA_CTA_PAIR ? 2 : 1;
    tsr_tuple const m = tsr_s(x.m / ctas), k = tsr_s(x.k);
    int const form = (x.flags & TSR_MMA_A_REGISTERS) != 0 && ctas == 1 ? TSR_TMEM_TS_ : TSR_TMEM_SS_;
    int const place = tsr_tmem_place_(&x);
    switch (operand) {
    case TSR_TMEM_C:
        return tsr_tmem_frg_(tsr_tmem_tile_of_(m, tsr_s(x.n), tiles), ctas, x.d, 32, form);
    case TSR_TMEM_A:
        return tsr_tmem_frg_(tsr_tmem_tile_of_(m, k, tiles), ctas, (tsr_dtype)place, place, TSR_TMEM_TS_);
    case TSR_TMEM_E:
        return tsr_tmem_e_(tsr_tmem_tile_of_(m, k, tiles), place, false);
    case TSR_TMEM_SFA:
    case TSR_TMEM_SFB:
    case TSR_TMEM_OPERANDS:
        break;
    }
    return tsr_tmem_scales_of_(&x, operand == TSR_TMEM_SFB, tiles);
}

TSR_OP int64_t tsr_tmem_per_column(tsr_mma_atom x, tsr_tmem_operand operand)
{
    if (tsr_tmem_lacks_(&x, (int)operand).status)
        return 0;
    return operand == TSR_TMEM_C   ? 32 / tsr_dtype_bits(x.d)
           : operand == TSR_TMEM_A ? 32 / tsr_tmem_place_(&x)
           : operand == TSR_TMEM_E ? tsr_tmem_metadata_column_(tsr_tmem_place_(&x))
                                   : 4;
}

#define TSR_TMEM_OF_(name, OPERAND)                                                 \
  TSR_OP tsr_layout tsr_tmem_##name##_tiles(tsr_mma_atom x, tsr_tuple tiles)        \
  {                                                                                 \
    return tsr_tmem_layout(x, TSR_TMEM_##OPERAND, tiles);                           \
  }                                                                                 \
  TSR_OP tsr_layout tsr_tmem_##name(tsr_mma_atom x)                                 \
  {                                                                                 \
    return tsr_tmem_layout(x, TSR_TMEM_##OPERAND, tsr_tuple_2(tsr_s(1), tsr_s(1))); \
  }
TSR_TMEM_OF_(c, C)
TSR_TMEM_OF_(a, A)
TSR_TMEM_OF_(e, E)
TSR_TMEM_OF_(sfa, SFA)
TSR_TMEM_OF_(sfb, SFB)
#undef TSR_TMEM_OF_

TSR_OP tsr_layout tsr_tmem_address(tsr_layout l, int64_t per_column)
{
    tsr_layout const checked = tsr_tmem_checked_(l, per_column);
    if (checked.shape.status)
        return checked;
    tsr_layout const address = tsr_make_layout_from(tsr_tuple_2(tsr_s(TSR_TMEM_LANES), tsr_s(16384)),
                                                    tsr_tuple_2(tsr_s(65536 * per_column), tsr_s(1)));
    return tsr_composition(address, l);
}

TSR_OP int64_t tsr_tmem_allocation(int64_t columns)
{
    int64_t r = 32;
    while (r < columns && r <= TSR_TMEM_COLUMNS)
        r *= 2;
    return r;
}

/** The columns of an operand, 0 where there is none, or why it does not fit. */
TSR_LOCAL int64_t tsr_tmem_columns_(tsr_mma_atom const *x, int operand, tsr_tuple tiles, tsr_reason *why)
{
    if (tsr_tmem_lacks_(x, operand).status)
        return 0;
    tsr_layout const l = tsr_tmem_layout(*x, (tsr_tmem_operand)operand, tiles);
    tsr_tuple const e = tsr_tmem_extent(l, tsr_tmem_per_column(*x, (tsr_tmem_operand)operand));
    if (e.status)
        *why = tsr_tuple_why(e);
    return e.status ? 0 : e.leaf[1].value;
}

TSR_OP tsr_tmem_plan tsr_make_tmem_plan(tsr_mma_atom x, tsr_tuple tiles, tsr_tuple depth)
{
    tsr_tmem_plan r = TSR_ZERO;
    bool const given = !x.status && (tiles.status || depth.status);
    r.why = given ? tsr_tuple_why(tiles.status ? tiles : depth) : tsr_tmem_lacks_(&x, TSR_TMEM_C);
    if (!r.why.status && (tsr_is_leaf(&tiles) || tsr_mode_count(&tiles) < 2))
        r.why = tsr_because(TSR_TMEM_SHAPE, 0, 0, 0, 0);
    for (int i = 0; i < TSR_TMEM_OPERANDS && !r.why.status; ++i) {
        tsr_tuple const along = i == TSR_TMEM_C ? tiles : tsr_tuple_2(tsr_get_(&tiles, i == TSR_TMEM_SFB), depth);
        r.first[i] = (r.used + TSR_TMEM_ALIGN - 1) / TSR_TMEM_ALIGN * TSR_TMEM_ALIGN;
        r.columns[i] = (int32_t)tsr_tmem_columns_(&x, i, along, &r.why);
        r.used = r.columns[i] > 0 ? r.first[i] + r.columns[i] : r.used;
    }
    if (!r.why.status && r.used > TSR_TMEM_COLUMNS)
        r.why = tsr_because(TSR_TMEM_PLAN, 0, r.columns[TSR_TMEM_C], r.used - r.columns[TSR_TMEM_C], r.used);
    r.allocated = (int32_t)tsr_tmem_allocation(r.used);
    return r;
}

TSR_OP tsr_tuple tsr_tmem_plan_tuple(tsr_mma_atom x, tsr_tuple tiles, tsr_tuple depth)
{
    tsr_tmem_plan const p = tsr_make_tmem_plan(x, tiles, depth);
    tsr_tuple r = TSR_ZERO;
    if (p.why.status)
        return tsr_reason_tuple(p.why);
    for (int i = 0; i < TSR_TMEM_OPERANDS; ++i) {
        tsr_tuple const at = tsr_t(p.first[i], p.columns[i]);
        if (p.columns[i] > 0)
            tsr_tuple_push(&r, &at);
    }
    tsr_tuple_push_leaf(&r, tsr_leaf_dynamic(p.allocated));
    return tsr_tuple_close(r);
}

TSR_HEADER_END

#endif
