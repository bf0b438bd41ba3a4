/** Transforms from tuples, and what they answer. */
#include "tile/take.h"

#include <string.h>

#include "tessera/tile/magic_division.h"

static tsr_coord_transform refused(tsr_reason why)
{
    tsr_coord_transform t = TSR_ZERO;
    t.why = why;
    return t;
}

/** The integers of all these tuples; the first reason why one is none. */
static tsr_reason take_numbers(int n, tsr_tuple const *from, int64_t *to)
{
    tsr_reason why = TSR_ZERO;
    for (int i = 0; i < n; ++i)
        why = tsr_tile_also_(why, from[i]);
    for (int i = 0; i < n; ++i) {
        if (!why.status && tsr_is_unit(&from[i]))
            why = tsr_because(TSR_WILDCARD, 0, 0, 0, 0);
        to[i] = tsr_tile_number_(from[i], 0, &why);
    }
    return why;
}

#define NUMBERS(...) __VA_ARGS__
#define X(name, maker, parameters, given, numbers)                                     \
  tsr_coord_transform tsr_tile_##name parameters                                       \
  {                                                                                    \
    tsr_tuple const from[] = {NUMBERS given};                                          \
    int64_t n[3] = {0};                                                                \
    tsr_reason const why = take_numbers((int)(sizeof from / sizeof from[0]), from, n); \
    return why.status ? refused(why) : tsr_make_##maker##_transform numbers;           \
  }
X(pass, pass_through, (tsr_tuple a), (a), (n[0]))
X(freeze, freeze, (tsr_tuple a), (a), (n[0]))
X(insert, insert, (tsr_tuple a), (a), (n[0]))
X(lpad, left_pad, (tsr_tuple a, tsr_tuple b), (a, b), (n[0], n[1]))
X(rpad, right_pad, (tsr_tuple a, tsr_tuple b), (a, b), (n[0], n[1]))
X(modulo, modulo, (tsr_tuple a, tsr_tuple b), (a, b), (n[0], n[1]))
X(xor, xor, (tsr_tuple a, tsr_tuple b), (a, b), (n[0], n[1]))
X(shift, offset, (tsr_tuple a, tsr_tuple b), (a, b), (n[0], n[1]))
X(pad, pad, (tsr_tuple a, tsr_tuple b, tsr_tuple c), (a, b, c), (n[0], n[1], n[2]))
X(pad_skip, pad_skip, (tsr_tuple a, tsr_tuple b, tsr_tuple c), (a, b, c), (n[0], n[1], n[2]))
X(slice, slice, (tsr_tuple a, tsr_tuple b, tsr_tuple c), (a, b, c), (n[0], n[1], n[2]))
#undef X

#define X(name, made)                                       \
  tsr_coord_transform tsr_tile_##name(tsr_tuple lengths)    \
  {                                                         \
    tsr_reason why = TSR_ZERO;                              \
    tsr_index const n = tsr_tile_index_(lengths, -1, &why); \
    return why.status ? refused(why) : made;                \
  }
X(merge, tsr_make_merge_transform(n.rank, n.at))
X(merge_mod, tsr_make_merge_of_kind(TSR_TRANSFORM_MERGE_MOD, n.rank, n.at))
X(unmerge, tsr_make_unmerge_transform(n.rank, n.at))
X(replicate, tsr_make_replicate_transform(n.rank, n.at))
#undef X

tsr_coord_transform tsr_tile_embed(tsr_tuple lengths, tsr_tuple coefficients)
{
    tsr_reason const ok = TSR_ZERO;
    tsr_reason why = tsr_tile_also_(tsr_tile_also_(ok, lengths), coefficients);
    tsr_index const n = tsr_tile_index_(lengths, -1, &why), c = tsr_tile_index_(coefficients, -1, &why);
    if (!why.status && n.rank != c.rank)
        why = tsr_because(TSR_STRIDE_COUNT, 0, n.rank, c.rank, 0);
    return why.status ? refused(why) : tsr_make_embed_transform(n.rank, n.at, c.at);
}

tsr_coord_transform tsr_tile_indexing(tsr_index_list table)
{
    if (!table.why.status && table.count != 1)
        table.why = tsr_because(TSR_RANK, 0, table.count, 1, 0);
    return table.why.status ? refused(table.why) : tsr_make_indexing_transform(table.at[0].rank, table.at[0].at);
}

/* Answers */

tsr_tuple tsr_tile_uplens(tsr_coord_transform t)
{
    tsr_index up = {t.ups, {0}};
    memcpy(up.at, t.up, sizeof up.at);
    return t.why.status ? tsr_reason_tuple(t.why) : tsr_tile_tuple_(up);
}

tsr_tuple tsr_tile_always_valid(tsr_coord_transform t)
{
    return tsr_tile_integer_(tsr_transform_always_valid(&t), t.why);
}

tsr_tuple tsr_tile_lower(tsr_coord_transform t, tsr_tuple index, tsr_text *out)
{
    tsr_reason why = t.why;
    int64_t low[TSR_MAX_DIMS] = {0};
    tsr_index const up = tsr_tile_index_(index, t.ups, &why);
    if (!why.status) {
        tsr_transform_lower(&t, up.at, low);
        tsr_write_index_(out, t.lows, low);
        put(out, " %d", tsr_transform_valid(&t, low));
    }
    return tsr_tile_answer_(why);
}

tsr_tuple tsr_tile_update(tsr_coord_transform t, tsr_tuple index, tsr_tuple step, tsr_text *out)
{
    tsr_reason why = tsr_tile_also_(tsr_tile_also_(t.why, index), step);
    int64_t low[TSR_MAX_DIMS] = {0}, old[TSR_MAX_DIMS] = {0};
    tsr_index up = tsr_tile_index_(index, t.ups, &why);
    tsr_index const diff = tsr_tile_index_(step, t.ups, &why);
    if (why.status)
        return tsr_tile_answer_(why);
    tsr_transform_lower(&t, up.at, low);
    memcpy(old, low, sizeof old);
    for (int i = 0; i < t.ups; ++i)
        up.at[i] = tsr_wrap_add(up.at[i], diff.at[i]);
    tsr_transform_update(&t, diff.at, up.at, low);
    tsr_write_index_(out, t.lows, low);
    for (int i = 0; i < t.lows; ++i)
        low[i] = tsr_wrap_sub(low[i], old[i]);
    put(out, " ");
    tsr_write_index_(out, t.lows, low);
    return tsr_tile_answer_(why);
}

/* Magic division */

tsr_tuple tsr_tile_magic(tsr_tuple divisor)
{
    tsr_reason why = TSR_ZERO;
    tsr_magic_division const m = tsr_make_magic_division(tsr_tile_number_(divisor, 0, &why));
    why = why.status ? why : m.why;
    return why.status ? tsr_reason_tuple(why) : tsr_tuple_2(tsr_int(m.multiplier), tsr_int(m.shift));
}

tsr_tuple tsr_tile_mdiv(tsr_tuple dividend, tsr_tuple divisor)
{
    tsr_reason const ok = TSR_ZERO;
    tsr_reason why = tsr_tile_also_(tsr_tile_also_(ok, dividend), divisor);
    int64_t const n = tsr_tile_number_(dividend, 0, &why);
    tsr_magic_division const m = tsr_make_magic_division(tsr_tile_number_(divisor, 0, &why));
    why = why.status ? why : m.why;
    if (!why.status && (n < 0 || n > 0x7fffffff))
        why = tsr_because(TSR_MAGIC, 0, n, 0, 0);
    return tsr_tile_integer_(why.status ? 0 : tsr_magic_divide(m, (uint32_t)n), why);
}
