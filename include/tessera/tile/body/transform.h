/** The bodies of tile/transform.h. */
#ifndef TSR_TILE_BODY_TRANSFORM_H
#define TSR_TILE_BODY_TRANSFORM_H

#include "tessera/tile/transform.h"
#include "tessera/tile/body/reason.h"

TSR_HEADER_BEGIN

TSR_LOCAL tsr_transform_map tsr_map_of_(uint8_t kind)
{
    switch ((tsr_transform_kind)kind) {
#define TSR_X_(kind, name, map) \
case TSR_TRANSFORM_##kind:      \
  return TSR_MAP_##map;
        TSR_TRANSFORM_LIST(TSR_X_)
#undef TSR_X_
    case TSR_TRANSFORM_KINDS:
        break;
    }
    return TSR_MAP_NOTHING;
}

/* Makers */

TSR_LOCAL tsr_coord_transform tsr_transform_of_(tsr_transform_kind kind, int lows, int ups)
{
    tsr_coord_transform t = TSR_ZERO;
    t.kind = (uint8_t)kind;
    t.lows = (uint8_t)lows;
    t.ups = (uint8_t)ups;
    return t;
}

/** One lower and one upper dimension, l = u + constant. */
TSR_LOCAL tsr_coord_transform tsr_shift_(tsr_transform_kind kind, int64_t low, int64_t up, int64_t constant)
{
    tsr_coord_transform t = tsr_transform_of_(kind, 1, 1);
    int64_t volume = 1;
    t.low[0] = low;
    t.up[0] = up;
    t.coefficient[0] = 1;
    t.constant = constant;
    if (tsr_volume_(t.low, 1, &volume, &t.why))
        (void)tsr_volume_(t.up, 1, &volume, &t.why);
    return t;
}

TSR_OP tsr_coord_transform tsr_make_pass_through_transform(int64_t length)
{
    return tsr_shift_(TSR_TRANSFORM_PASS_THROUGH, length, length, 0);
}

TSR_LOCAL tsr_coord_transform tsr_make_any_pad_(tsr_transform_kind kind, int64_t length, int64_t left, int64_t right)
{
    int64_t sum = 0;
    bool const fits = tsr_add64(length, left, &sum) && tsr_add64(sum, right, &sum);
    tsr_coord_transform t = tsr_shift_(kind, length, sum, -left);
    if (!fits)
        t.why = tsr_because(TSR_OVERFLOW, 0, length, 0, 0);
    if (left < 0 || right < 0)
        t.why = tsr_because(TSR_PAD_NEGATIVE, 0, left, right, length);
    return t;
}

TSR_OP tsr_coord_transform tsr_make_pad_transform(int64_t length, int64_t left, int64_t right)
{
    return tsr_make_any_pad_(TSR_TRANSFORM_PAD, length, left, right);
}

TSR_OP tsr_coord_transform tsr_make_pad_skip_transform(int64_t length, int64_t left, int64_t right)
{
    return tsr_make_any_pad_(TSR_TRANSFORM_PAD_SKIP, length, left, right);
}

TSR_OP tsr_coord_transform tsr_make_left_pad_transform(int64_t length, int64_t left)
{
    return tsr_make_any_pad_(TSR_TRANSFORM_LEFT_PAD, length, left, 0);
}

TSR_OP tsr_coord_transform tsr_make_right_pad_transform(int64_t length, int64_t right)
{
    return tsr_make_any_pad_(TSR_TRANSFORM_RIGHT_PAD, length, 0, right);
}

TSR_OP tsr_coord_transform tsr_make_embed_transform(int n, int64_t const *length, int64_t const *coefficient)
{
    tsr_coord_transform t = tsr_transform_of_(TSR_TRANSFORM_EMBED, 1, n);
    int64_t volume = 1, greatest = 0, term = 0;
    if (!tsr_volume_(length, n, &volume, &t.why))
        return t;
    for (int i = 0; i < n; ++i) {
        t.up[i] = length[i];
        t.coefficient[i] = coefficient[i];
        int64_t *const side = coefficient[i] < 0 ? &t.least : &greatest;
        if (!tsr_mul64(length[i] - 1, coefficient[i], &term) || !tsr_add64(*side, term, side))
            t.why = tsr_because(TSR_OVERFLOW, i, coefficient[i], 0, 0);
    }
    if (!tsr_add64(greatest, 1, &t.low[0]))
        t.why = tsr_because(TSR_OVERFLOW, 0, greatest, 0, 0);
    return t;
}

TSR_OP tsr_coord_transform tsr_make_unmerge_transform(int n, int64_t const *length)
{
    tsr_coord_transform t = tsr_transform_of_(TSR_TRANSFORM_UNMERGE, 1, n);
    t.low[0] = 1;
    if (!tsr_volume_(length, n, &t.low[0], &t.why))
        return t;
    for (int64_t i = n - 1, weight = 1; i >= 0; --i) {
        t.up[i] = length[i];
        t.coefficient[i] = weight;
        weight *= length[i];
    }
    return t;
}

TSR_OP tsr_coord_transform tsr_make_merge_of_kind(tsr_transform_kind kind, int n, int64_t const *length)
{
    tsr_coord_transform t = tsr_transform_of_(kind, n, 1);
    if (!tsr_volume_(length, n, &t.up[0], &t.why))
        return t;
    for (int i = 0; i < n; ++i)
        t.low[i] = length[i];
    return t;
}

TSR_OP tsr_coord_transform tsr_make_merge_transform(int n, int64_t const *length)
{
    return tsr_make_merge_of_kind(TSR_TRANSFORM_MERGE, n, length);
}

TSR_OP tsr_coord_transform tsr_make_freeze_transform(int64_t index)
{
    tsr_coord_transform t = tsr_transform_of_(TSR_TRANSFORM_FREEZE, 1, 0);
    t.constant = t.least = index;
    if (!tsr_add64(index, 1, &t.low[0]))
        t.why = tsr_because(TSR_OVERFLOW, 0, index, 0, 0);
    return t;
}

TSR_LOCAL tsr_coord_transform tsr_make_any_replicate_(tsr_transform_kind kind, int n, int64_t const *length)
{
    tsr_coord_transform t = tsr_transform_of_(kind, 0, n);
    int64_t volume = 1;
    if (tsr_volume_(length, n, &volume, &t.why))
        for (int i = 0; i < n; ++i)
            t.up[i] = length[i];
    return t;
}

TSR_OP tsr_coord_transform tsr_make_replicate_transform(int n, int64_t const *length)
{
    return tsr_make_any_replicate_(TSR_TRANSFORM_REPLICATE, n, length);
}

TSR_OP tsr_coord_transform tsr_make_insert_transform(int64_t length)
{
    return tsr_make_any_replicate_(TSR_TRANSFORM_INSERT, 1, &length);
}

TSR_OP tsr_coord_transform tsr_make_slice_transform(int64_t length, int64_t begin, int64_t end)
{
    bool const range = 0 <= begin && begin < end && end <= length;
    tsr_coord_transform t = tsr_shift_(TSR_TRANSFORM_SLICE, length, range ? end - begin : 1, begin);
    if (!range)
        t.why = tsr_because(TSR_SLICE_RANGE, 0, begin, end, length);
    return t;
}

TSR_OP tsr_coord_transform tsr_make_offset_transform(int64_t length, int64_t offset)
{
    tsr_coord_transform t = tsr_shift_(TSR_TRANSFORM_OFFSET, 1, length, offset);
    t.least = offset;
    if (!tsr_add64(length, offset, &t.low[0]))
        t.why = tsr_because(TSR_OVERFLOW, 0, offset, 0, 0);
    return t;
}

TSR_OP tsr_coord_transform tsr_make_modulo_transform(int64_t modulus, int64_t length)
{
    return tsr_shift_(TSR_TRANSFORM_MODULO, modulus, length, 0);
}

TSR_OP tsr_coord_transform tsr_make_xor_transform(int64_t l0, int64_t l1)
{
    tsr_coord_transform t = tsr_transform_of_(TSR_TRANSFORM_XOR, 2, 2);
    int64_t volume = 1;
    t.low[0] = t.up[0] = l0;
    t.low[1] = t.up[1] = l1;
    if (tsr_volume_(t.up, 2, &volume, &t.why) && !tsr_is_pow2(l1))
        t.why = tsr_because(TSR_XOR_LENGTH, 1, l1, 0, 0);
    return t;
}

TSR_OP tsr_coord_transform tsr_make_indexing_transform(int64_t length, int64_t const *table)
{
    tsr_coord_transform t = tsr_shift_(TSR_TRANSFORM_INDEXING, 1, length, 0);
    t.table = table;
    t.least = length > 0 ? table[0] : 0;
    for (int64_t i = 0; i < length; ++i) {
        t.least = tsr_min64(t.least, table[i]);
        t.low[0] = tsr_max64(t.low[0], tsr_wrap_add(table[i], 1));
    }
    return t;
}

TSR_OP tsr_vector tsr_no_vector(void)
{
    tsr_vector v = TSR_ZERO;
    v.length = v.stride = -1;
    return v;
}

/** gcd(v, n), where v may be "nothing". */
TSR_LOCAL tsr_vector tsr_vector_cut_(tsr_vector v, int64_t n)
{
    if (v.length > 0)
        v.length = tsr_gcd64(v.length, n);
    return v;
}

TSR_HEADER_END

#endif
