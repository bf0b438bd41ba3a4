/** Coordinate transforms: what maps an upper index (of the reader) to a lower index (nearer to memory).
 *
 *      pass_through(L)      l = u                          slice(L, begin, end)   l = u + begin
 *      pad(L, left, right)  l = u - left                   offset(L, o)           l = u + o
 *      left_pad, right_pad  the same with one side         freeze(i)              l = i, no upper dimension
 *      embed(lens, coeffs)  l = sum of u_i * coeff_i       insert(L)              no lower dimension
 *      unmerge(lens)        l = the row-major number of u  replicate(lens)        no lower dimension
 *      merge(lens)          l = the digits of u, the last  xor(l0, l1)            l = (u0, u1 ^ (u0 mod l1))
 *                           fastest; merge_mod the same    modulo(M, L)           l = u mod M
 *                                                          indexing(L, table)     l = table[u]
 *
 *  Most are linear, l = constant + sum of u_i * coefficient_i, and are run together (tile/evaluate.h).
 *
 *  Rounding is toward minus infinity, so the slowest digit of a negative index is negative, and no other.
 *  Source  ROCm composable_kernel, include/ck_tile/core/algorithm/coordinate_transform.hpp. Ours differ: every length
 *          is known, so all are checked; modulo, left_pad and gathers move, too.
 */
#ifndef TSR_TILE_TRANSFORM_H
#define TSR_TILE_TRANSFORM_H

#include "tessera/tile/reason.h"

TSR_HEADER_BEGIN

/* clang-format off */
/** X(kind, name, map): the name in the notation of the calculator, and how the lower index comes about. */
#define TSR_TRANSFORM_LIST(X)          \
    X(PASS_THROUGH, "pass", LINEAR)    \
    X(PAD, "pad", LINEAR)              \
    X(PAD_SKIP, "pad_skip", LINEAR)    \
    X(LEFT_PAD, "lpad", LINEAR)        \
    X(RIGHT_PAD, "rpad", LINEAR)       \
    X(EMBED, "embed", LINEAR)          \
    X(MERGE, "merge", DIGITS)          \
    X(MERGE_MOD, "merge_mod", DIGITS)  \
    X(UNMERGE, "unmerge", LINEAR)      \
    X(FREEZE, "freeze", LINEAR)        \
    X(INSERT, "insert", NOTHING)       \
    X(REPLICATE, "replicate", NOTHING) \
    X(SLICE, "slice", LINEAR)          \
    X(MODULO, "modulo", REMAINDER)     \
    X(XOR, "xor", EXCLUSIVE)           \
    X(OFFSET, "offset", LINEAR)        \
    X(INDEXING, "indexing", TABLE)
/* clang-format on */

typedef enum tsr_transform_kind {
#define TSR_X_(kind, name, map) TSR_TRANSFORM_##kind,
    TSR_TRANSFORM_LIST(TSR_X_)
#undef TSR_X_
        TSR_TRANSFORM_KINDS
} tsr_transform_kind;

typedef enum tsr_transform_map {
    TSR_MAP_LINEAR,
    TSR_MAP_DIGITS,
    TSR_MAP_NOTHING,
    TSR_MAP_REMAINDER,
    TSR_MAP_EXCLUSIVE,
    TSR_MAP_TABLE
} tsr_transform_map;

typedef struct tsr_coord_transform {
    uint8_t kind, lows, ups;
    bool runtime_last; /* the last upper length is known at run time only (it counts for vectors) */
    tsr_reason why;
    int64_t low[TSR_MAX_DIMS];         /* lower lengths; what embed, offset, freeze, modulo, indexing reach */
    int64_t up[TSR_MAX_DIMS];          /* upper lengths */
    int64_t coefficient[TSR_MAX_DIMS]; /* linear: of each upper index */
    int64_t constant;                  /* linear: added */
    int64_t least;                     /* the smallest lower index that is reached */
    int64_t const *table;              /* indexing: one lower index for each upper one */
} tsr_coord_transform;

/** May the lower index be padding? */
TSR_FN bool tsr_may_pad_(uint8_t kind)
{
    return kind == TSR_TRANSFORM_PAD || kind == TSR_TRANSFORM_LEFT_PAD || kind == TSR_TRANSFORM_RIGHT_PAD;
}

/** lower = upper. */
TSR_OP tsr_coord_transform tsr_make_pass_through_transform(int64_t length);

/** A dimension with `left` elements of padding in front and `right` behind. */
TSR_OP tsr_coord_transform tsr_make_pad_transform(int64_t length, int64_t left, int64_t right);

/** A pad whose elements count as valid: for those who know that they are never read, or that memory is there. */
TSR_OP tsr_coord_transform tsr_make_pad_skip_transform(int64_t length, int64_t left, int64_t right);

/** A dimension with padding in front. */
TSR_OP tsr_coord_transform tsr_make_left_pad_transform(int64_t length, int64_t left);

/** A dimension with padding behind. */
TSR_OP tsr_coord_transform tsr_make_right_pad_transform(int64_t length, int64_t right);

/** Errors  OVERFLOW when a lower index of an upper one inside the lengths leaves 64 bits. */
TSR_OP tsr_coord_transform tsr_make_embed_transform(int n, int64_t const *length, int64_t const *coefficient);

/** One dimension as n, the last one fastest. */
TSR_OP tsr_coord_transform tsr_make_unmerge_transform(int n, int64_t const *length);

/** merge of one of CK Tile's versions. */
TSR_OP tsr_coord_transform tsr_make_merge_of_kind(tsr_transform_kind kind, int n, int64_t const *length);

/** n dimensions as one, the last one fastest. */
TSR_OP tsr_coord_transform tsr_make_merge_transform(int n, int64_t const *length);

/** A dimension at one index. */
TSR_OP tsr_coord_transform tsr_make_freeze_transform(int64_t index);

/** n upper dimensions that lead nowhere. */
TSR_OP tsr_coord_transform tsr_make_replicate_transform(int n, int64_t const *length);

/** An upper dimension that leads nowhere. */
TSR_OP tsr_coord_transform tsr_make_insert_transform(int64_t length);

/** The indices from begin to end - 1. */
TSR_OP tsr_coord_transform tsr_make_slice_transform(int64_t length, int64_t begin, int64_t end);

/** lower = upper + offset. */
TSR_OP tsr_coord_transform tsr_make_offset_transform(int64_t length, int64_t offset);

/** lower = upper modulo a number. */
TSR_OP tsr_coord_transform tsr_make_modulo_transform(int64_t modulus, int64_t length);

/** Errors  XOR_LENGTH unless l1 is a power of two: otherwise the map is not one to one. */
TSR_OP tsr_coord_transform tsr_make_xor_transform(int64_t l0, int64_t l1);

/** A gather through a table of `length` lower indices, which must outlive the transform. */
TSR_OP tsr_coord_transform tsr_make_indexing_transform(int64_t length, int64_t const *table);

/* Division */

/** a / n toward minus infinity, n > 0; in 32 bits where that is enough, for wide divisions are slow. */
TSR_FN int64_t tsr_floor_div(int64_t a, int64_t n)
{
    if (((uint64_t)a | (uint64_t)n) >> 32 == 0)
        return (int64_t)((uint32_t)a / (uint32_t)n);
    int64_t const q = a / n;
    return tsr_wrap_mul(q, n) > a ? q - 1 : q;
}

TSR_FN int64_t tsr_floor_mod(int64_t a, int64_t n) { return tsr_wrap_sub(a, tsr_wrap_mul(tsr_floor_div(a, n), n)); }

/* Vectors */

/** What is sure of the elements along one dimension: in each group of `length` indices that begins at a multiple of
 *  `length`, neighbours are `stride` elements apart. -1: nothing is. */
typedef struct tsr_vector {
    int64_t length, stride;
} tsr_vector;

TSR_OP tsr_vector tsr_no_vector(void);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/transform.h"
#endif

#endif
