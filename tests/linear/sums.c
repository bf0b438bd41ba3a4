/** Sums of layouts against the values of their layouts: text, calls, coalesce, composition, equality, linear maps.
 *  sums SEED CASES */
#include "../sanitizer.h"
#include "random_map.h"

#include "tessera/core/terms.h"
#include "tessera/tessera.h"

enum { MODES = 3 };

static char text[TSR_TEXT_SIZE];

/** A shape of up to three modes of up to two leaves, static or dynamic, of at most 512 elements. */
static tsr_tuple random_shape(bool known)
{
    tsr_tuple shape = TSR_ZERO;
    int64_t size = 1;
    int const modes = 1 + (int)noise(MODES);
    for (int m = 0; m < modes; ++m) {
        tsr_tuple mode = TSR_ZERO;
        int const leaves = 1 + (int)noise(2);
        for (int k = 0; k < leaves; ++k) {
            int64_t const n = size * 4 > 512 ? 1 : 1 + noise(4);
            size *= n;
            tsr_tuple_push_leaf(&mode, tsr_leaf_make(known ? TSR_STATIC : TSR_DYNAMIC, n));
        }
        mode = leaves > 1 ? tsr_tuple_close(mode) : mode;
        tsr_tuple_push(&shape, &mode);
    }
    return modes > 1 ? tsr_tuple_close(shape) : shape;
}

/** A layout of a shape whose strides go along basis elements of two levels, or are 0. */
static tsr_layout random_along(tsr_tuple shape, bool known)
{
    tsr_tuple stride = shape;
    for (int k = 0; k < stride.leaves; ++k) {
        tsr_leaf *const d = &stride.leaf[k];
        static uint32_t const path[] = {1, 2, 3, 1 | 1 << 5, 1 | 2 << 5}; /* @0, @1, @2, @0@0, @1@0 */
        d->kind = (uint8_t)(known ? TSR_STATIC : TSR_DYNAMIC);
        d->value = noise(3) ? noise(9) - 2 : 0;
        d->aux = d->value ? path[1 + noise(2)] : 0;
    }
    return tsr_layout_unchecked(shape, stride);
}

static tsr_layout_sum random_sum(tsr_layout *of, int *n, bool known)
{
    tsr_tuple const shape = random_shape(known);
    *n = 1 + (int)noise(3);
    for (int t = 0; t < *n; ++t)
        of[t] = random_along(shape, known);
    return tsr_sum_of_layouts(of, *n);
}

/** What a layout gives along mode `mode` of the outermost level. */
static int64_t value_along(tsr_layout const *l, int mode, int64_t i)
{
    int64_t v = 0;
    for (int k = 0; k < l->shape.leaves; ++k) {
        int64_t const n = l->shape.leaf[k].value;
        if (l->stride.leaf[k].aux == (uint32_t)mode + 1)
            v += i % n * l->stride.leaf[k].value;
        i /= n;
    }
    return v;
}

/** The value of a coordinate at a mode: an integer, or what stands there. */
static int64_t coordinate_at(tsr_tuple const *c, int mode)
{
    if (tsr_is_leaf(c))
        return mode == 0 && c->leaf[0].aux == 0 ? c->leaf[0].value : 0;
    return mode < c->leaves ? c->leaf[mode].value : 0;
}

static bool has_values(tsr_layout_sum const *s, tsr_layout const *of, int n, int64_t i)
{
    tsr_tuple const got = tsr_sum_call(s, tsr_int(i));
    for (int mode = 0; mode < 3; ++mode) {
        int64_t wanted = 0;
        for (int t = 0; t < n; ++t)
            wanted += value_along(&of[t], mode, i);
        tsr_layout const along = tsr_sum_along(s, tsr_int(mode));
        if (tsr_layout_offset(&along, i) != wanted)
            return false;
        if (!got.status && !tsr_is_leaf(&got) && coordinate_at(&got, mode) != wanted)
            return false;
    }
    return !got.status;
}

static bool same_leaves(tsr_layout_sum const *a, tsr_layout_sum const *b)
{
    char other[TSR_TEXT_SIZE];
    tsr_format_sum(text, sizeof text, a, 0);
    tsr_format_sum(other, sizeof other, b, 0);
    return strcmp(text, other) == 0;
}

/** S o B for a B that reaches into S: a compact layout of a part of it, or any. */
static void try_composition(tsr_layout_sum const *s, tsr_layout const *of, int n, int64_t size)
{
    int64_t const extent = 1 + noise(6), other = 1 + noise(3), step = 1 + noise(4),
                  far = extent * step * (1 + noise(2));
    tsr_layout const b = tsr_make_layout_from(tsr_t(tsr_s(extent), tsr_s(other)), tsr_t(tsr_s(step), tsr_s(far)));
    tsr_layout_sum const r = tsr_sum_composition(s, b);
    if (tsr_sum_why(&r).status || (extent - 1) * step + (other - 1) * far >= size)
        return;
    bool ok = tsr_tuple_number(tsr_sum_size(&r)) == extent * other;
    for (int64_t i = 0; i < extent * other && ok; ++i)
        for (int mode = 0; mode < 3; ++mode) {
            int64_t wanted = 0;
            for (int t = 0; t < n; ++t)
                wanted += value_along(&of[t], mode, tsr_layout_offset(&b, i));
            tsr_layout const along = tsr_sum_along(&r, tsr_int(mode));
            ok = ok && tsr_layout_offset(&along, i) == wanted;
        }
    tsr_format_sum(text, sizeof text, s, 0);
    check(text, ok, NULL);
}

/** The tiles of S at an index are S at the index that the tiles of its compact layout have there; and the slice at a
 *  coordinate is S there, less S where the free modes are 0. */
static void try_tiles(tsr_layout_sum const *s)
{
    static tsr_layout_sum (*const divide[])(tsr_layout_sum const *, tsr_tiler) = {
        tsr_sum_logical_divide, tsr_sum_zipped_divide, tsr_sum_tiled_divide, tsr_sum_flat_divide};
    static tsr_layout (*const of_layout[])(tsr_layout, tsr_tiler) = {tsr_logical_divide_by, tsr_zipped_divide_by,
                                                                     tsr_tiled_divide_by, tsr_flat_divide_by};
    tsr_tuple const shape = tsr_sum_shape(s);
    int const which = (int)noise(4), rank = tsr_mode_count(&shape);
    int64_t const n = 1 + noise(3);
    tsr_tiler const by = rank > 1 && noise(2) ? tsr_tile(tsr_s(n), tsr_s(1 + noise(3))) : tsr_tile(tsr_s(n));
    tsr_layout const tiles = of_layout[which](tsr_make_layout_compact(shape), by);
    tsr_layout_sum const r = divide[which](s, by);
    bool ok = true;
    int64_t const size = tsr_layout_size(tiles);
    if (!tsr_sum_why(&r).status && !tiles.shape.status && size == tsr_tuple_number(tsr_sum_size(s))) {
        ok = tsr_tuple_number(tsr_sum_size(&r)) == size; /* where no tile is ragged */
        for (int64_t i = 0; i < size && ok; i += 1 + noise(1 + size / 16))
            for (int mode = 0; mode < 3; ++mode) {
                tsr_layout const got = tsr_sum_along(&r, tsr_int(mode)), want = tsr_sum_along(s, tsr_int(mode));
                ok = ok && tsr_layout_offset(&got, i) == tsr_layout_offset(&want, tsr_layout_offset(&tiles, i));
            }
    }
    tsr_format_sum(text, sizeof text, s, 0);
    check(text, ok, NULL);
}

static void try_slice(tsr_layout_sum const *s)
{
    tsr_tuple const shape = tsr_sum_shape(s);
    int const rank = tsr_mode_count(&shape), first_fixed = (int)noise(rank);
    tsr_tuple at = tsr_repeat(tsr_wild(), rank), from = tsr_repeat(tsr_int(0), rank);
    if (rank < 2)
        return;
    for (int i = 0; i < rank; ++i) { /* up to all of them */
        if (i != first_fixed && noise(2))
            continue;
        tsr_tuple const c = tsr_int(noise(tsr_size(tsr_tuple_get(shape, i))));
        at = tsr_tuple_replace(at, c, i);
        from = tsr_tuple_replace(from, c, i);
    }
    tsr_layout_sum const r = tsr_sum_slice(at, s);
    int64_t const size = tsr_tuple_number(tsr_sum_size(&r));
    tsr_layout const whole = tsr_make_layout_compact(shape), kept = tsr_layout_slice(at, whole);
    int64_t const first = tsr_tuple_number(tsr_layout_at(whole, from));
    bool ok = !tsr_sum_why(&r).status;
    for (int64_t i = 0; i < size && ok; ++i)
        for (int m = 0; m < 3; ++m) {
            tsr_layout const got = tsr_sum_along(&r, tsr_int(m)), want = tsr_sum_along(s, tsr_int(m));
            ok = ok
                 && tsr_layout_offset(&got, i) + tsr_layout_offset(&want, first)
                        == tsr_layout_offset(&want, first + tsr_layout_offset(&kept, i));
        }
    check("slice", ok, NULL);
}

static int linear_sums;

static void try_linear(tsr_layout_sum const *s, int64_t size)
{
    tsr_linear const f = tsr_sum_linear(s);
    linear_sums += !f.why.status && f.out.count > 1;
    bool ok = true;
    for (int64_t i = 0; i < size && ok && !f.why.status; ++i) {
        tsr_tuple const got = tsr_linear_call(f, tsr_int(i));
        for (int d = 0; d < f.out.count && f.out.count > 1; ++d) {
            tsr_layout const along = tsr_sum_along(s, tsr_int(f.out.name[d][3] - '0'));
            ok = ok && got.leaf[d].value == tsr_layout_offset(&along, i);
        }
    }
    check("linear", ok, NULL);
}

static void try_sum(bool known)
{
    tsr_layout of[4];
    int n = 0;
    tsr_layout_sum const s = random_sum(of, &n, known);
    if (!check("a sum", !tsr_sum_why(&s).status, NULL))
        return;
    int64_t const size = tsr_tuple_number(tsr_sum_size(&s));
    bool ok = true;
    for (int64_t i = 0; i < size; i += 1 + noise(1 + size / 16))
        ok = ok && has_values(&s, of, n, i);
    tsr_format_sum(text, sizeof text, &s, 0);
    check(text, ok, NULL);
    tsr_message error;
    tsr_layout_sum const again = tsr_parse_sum(text, 0, &error);
    check("its text", same_leaves(&s, &again), NULL);
    tsr_layout_sum const c = tsr_sum_coalesce(&s);
    check("coalesce",
          tsr_sum_same_function(&s, &c).answer == TSR_YES && c.term[0].shape.leaves <= s.term[0].shape.leaves, NULL);
    tsr_layout_sum const twice = tsr_sum_coalesce(&c);
    check("coalesce twice", same_leaves(&c, &twice), NULL);
    tsr_layout_sum changed = s;
    int const k = (int)noise(s.term[0].stride.leaves);
    if (s.term[0].shape.leaf[k].value > 1 && s.term[0].stride.leaf[k].value) {
        ++changed.term[0].stride.leaf[k].value;
        check("another function", tsr_sum_same_function(&s, &changed).answer == TSR_NO, NULL);
    }
    try_composition(&s, of, n, size);
    try_tiles(&s);
    try_slice(&s);
    try_linear(&s, size);
}

/** Outputs have the names of their basis elements, in the order of these. */
static void try_names(void)
{
    tsr_message error;
    tsr_layout_sum const s = tsr_parse_sum("(4,8):(1@0+1@1,4@1)", 0, &error);
    tsr_layout_sum const deep = tsr_parse_sum("(2,4):(1@0@1,1@0+2@0@1)", 0, &error);
    tsr_linear const f = tsr_sum_linear(&s), g = tsr_sum_linear(&deep);
    check("two outputs",
          !f.why.status && f.out.count == 2 && !strcmp(f.out.name[0], "dim0") && !strcmp(f.out.name[1], "dim1"),
          NULL);
    bool const turned = g.out.count == 2 && !strcmp(g.out.name[0], "dim1_0");
    check("a nested output",
          !g.why.status && g.out.count == 2 && !strcmp(g.out.name[turned ? 0 : 1], "dim1_0")
              && !strcmp(g.out.name[turned ? 1 : 0], "dim0"),
          NULL);
    tsr_layout l[2] = {
        tsr_make_composed_layout(tsr_make_swizzle(1, 0, 1), tsr_s(0), tsr_make_layout(tsr_int(4), tsr_int(1))),
        tsr_make_layout(tsr_int(4), tsr_int(1))};
    tsr_layout_sum const swizzled = tsr_sum_of_layouts(l, 2);
    check("a swizzle in front", tsr_sum_why(&swizzled).status == TSR_SWIZZLE_STRIDE, NULL);
    l[0] = tsr_invalid_layout(tsr_bad_tuple(TSR_RANK, 0, 3, 2, 0));
    tsr_layout_sum const invalid = tsr_sum_of_layouts(l, 2);
    check("an invalid first", tsr_sum_why(&invalid).status == TSR_RANK, NULL);
}

int main(int argc, char **argv)
{
    int64_t const cases = OF_CASES(argc > 2 ? atoll(argv[2]) : 1000);
    random_begin(argc > 1 ? (uint64_t)atoll(argv[1]) : 1);
    for (int64_t i = 0; i < cases; ++i)
        try_sum(i % 2 == 0);
    check("some sums are linear maps", linear_sums > 0, NULL);
    try_names();
    char const *const refused[] = {"sum(4:1@0, 8:1@1)",
                                   "sum(Sw<1,0,1> o 0 o 4:1, 4:1)",
                                   "sum(4:1, 4:1@0)",
                                   "4:1@0+1@1+1@2+1@3+1@4",
                                   "call((4,8):(1@0+1@1,1@1), (2,(3,4)))",
                                   "1@0+1@1",
                                   "4:1@0+1",
                                   "(4,4):(1@0+1@1,size(4:1))",
                                   "(4,4):(size(4:1),1@0+1@1)",
                                   "(4,8):(1@0+1@1,1@0",
                                   "composition((_6,8):(_1@0+_1@1,1@1), _4:_4)",
                                   "along<31>(4:1@0+1@1)",
                                   "zipped_divide((4,8):(1@0+1@1,1@1), <2,4,2>)",
                                   "slice((2,_,_), (4,8):(1@0+1@1,1@1))",
                                   "linear(6:1@0+1@1)"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i)
        check(refused[i], !tsr_calc(refused[i], 0, text, sizeof text), NULL);
    return report();
}
