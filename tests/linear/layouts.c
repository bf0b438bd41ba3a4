/** Layouts, swizzles and distributions as linear maps and back, against enumeration. layouts SEED CASES */
#include "../sanitizer.h"
#include "random_map.h"

/** Is a layout linear: every value the xor of the values of the bits, none negative? Every index is tried. */
static bool is_linear(tsr_layout const *l, int bits)
{
    for (int64_t i = 0; i < (int64_t)1 << bits; ++i) {
        int64_t sum = 0;
        for (int b = 0; b < bits; ++b)
            sum ^= i >> b & 1 ? tsr_layout_offset(l, (int64_t)1 << b) : 0;
        if (tsr_layout_offset(l, i) != sum || sum < 0)
            return false;
    }
    return true;
}

static bool is_a_refusal(int status) { return status == TSR_LINEAR_SUM || status == TSR_NEGATIVE; }

/** The same values at every index. */
static bool agree(tsr_layout const *l, tsr_linear const *f, int bits)
{
    for (int64_t i = 0; i < (int64_t)1 << bits; ++i)
        if (tsr_layout_offset(l, i) != (int64_t)tsr_linear_at(f, (uint64_t)i))
            return false;
    return true;
}

/** A layout is a map exactly when it is linear; and it comes back, no longer than it was. */
static void try_layout(void)
{
    tsr_layout const l = random_layout(9);
    tsr_linear const f = tsr_linear_of_layout(l);
    if (l.shape.status) {
        check("an invalid layout gives its reason", f.why.status == l.shape.status, &f);
        return;
    }
    int const bits = tsr_bit_width((uint64_t)tsr_layout_size(l)) - 1;
    bool const linear = is_linear(&l, bits);
    if (!check("linear or not", linear == (f.why.status == TSR_OK), &f) || !linear) {
        check("the reason", linear || is_a_refusal(f.why.status), &f);
        if (f.why.status == TSR_LINEAR_SUM && !l.composed)
            check("its counterexample",
                  f.why.number[0] < (int64_t)1 << bits && tsr_layout_offset(&l, f.why.number[0]) == f.why.number[1]
                      && f.why.number[1] != f.why.number[2],
                  &f);
        return;
    }
    check("the values", tsr_linear_bits(&f.in) == bits && agree(&l, &f, bits), &f);
    tsr_layout const back = tsr_linear_to_layout(f);
    if (back.shape.status == TSR_LINEAR_SHARED) {
        check("a layout behind two swizzles", l.twice, &f);
        return;
    }
    tsr_linear const again = tsr_linear_of_layout(back);
    check("there and back", !back.shape.status && tsr_linear_same_function(f, again).answer == TSR_YES, &f);
    check("the same layout", tsr_layout_size(back) == tsr_layout_size(l) && agree(&back, &f, bits), &f);
    if (!l.composed && !back.shape.status)
        check("no longer", back.shape.leaves <= l.shape.leaves && !back.composed, &f);
}

/** Do no two bases share a bit, behind the swizzle? */
static bool is_plain(tsr_linear const *f, tsr_swizzle sw)
{
    uint64_t used = 0;
    for (int i = 0; i < tsr_linear_bits(&f->in); ++i) {
        uint64_t const v = tsr_swizzle_apply(sw, f->basis[i]);
        if (v & used)
            return false;
        used |= v;
    }
    return true;
}

/** The fewest bits of a swizzle behind which a map is a layout, by trying all; -1: there is none. */
static int fewest_bits(tsr_linear const *f)
{
    for (int b = 0; b <= 8; ++b)
        for (int m = 0; m <= 16; ++m)
            for (int s = b; s <= 16; ++s)
                for (int minus = 0; minus < 2; ++minus) {
                    tsr_swizzle const sw = tsr_make_swizzle(b, m, minus ? -s : s);
                    if (!sw.status && is_plain(f, sw))
                        return b;
                }
    return -1;
}

/** A map is a layout behind a swizzle exactly when some swizzle serves, and always a xor of layouts. */
static void try_map(void)
{
    tsr_linear const f = random_offsets(7, 8);
    tsr_layout const l = tsr_linear_to_layout(f);
    int const bits = fewest_bits(&f);
    check("a layout or not", (l.shape.status == TSR_OK) == (bits >= 0), &f);
    if (l.shape.status)
        check("the reason", l.shape.status == TSR_LINEAR_SHARED, &f);
    else
        check("the fewest bits", (l.composed ? l.swizzle.bits : 0) == bits, &f);
    if (!l.shape.status)
        check("the values", agree(&l, &f, tsr_linear_bits(&f.in)), &f);
    tsr_tiler const sum = tsr_linear_to_sum(f);
    tsr_linear const again = tsr_linear_of_sum(sum);
    int most = 1;
    for (int b = 0; b < 8; ++b) {
        int n = 0;
        for (int i = 0; i < tsr_linear_bits(&f.in); ++i)
            n += (int)(f.basis[i] >> b & 1u);
        most = n > most ? n : most;
    }
    if (sum.by.shape.status == TSR_CAPACITY)
        return;
    bool same = !again.why.status;
    for (int i = 0; i < TSR_LINEAR_BITS; ++i)
        same = same && f.basis[i] == again.basis[i];
    check("a xor of layouts", same, &f);
    check("the fewest layouts", tsr_tiler_rank_(&sum) == most, &f);
}

/** The number of a coordinate along one dimension; a leaf is a number of one basis element, or a plain one of the first
 *  dimension. */
static int64_t number_along(tsr_tuple const *at, int dim)
{
    if (!tsr_is_leaf(at))
        return dim < tsr_mode_count(at) ? tsr_tuple_get(*at, dim).leaf[0].value : 0;
    uint32_t const path = at->leaf[0].aux ? at->leaf[0].aux : 1;
    return path == (uint32_t)dim + 1 ? at->leaf[0].value : 0;
}

/** Coordinates: several outputs, each basis along one. */
static void try_coordinates(void)
{
    tsr_linear const f = random_map(8, 8);
    tsr_layout const l = tsr_linear_to_layout(f);
    tsr_linear const again = tsr_linear_of_layout(l);
    if (l.shape.status) {
        check("refused",
              l.shape.status == TSR_LINEAR_STRIDE || l.shape.status == TSR_LINEAR_SHARED
                  || l.shape.status == TSR_CAPACITY,
              &f);
        return;
    }
    bool same = !again.why.status;
    for (int64_t i = 0; i < (int64_t)1 << tsr_linear_bits(&f.in) && same; ++i) {
        tsr_tuple const at = tsr_layout_at(l, tsr_int(i));
        uint64_t const x = tsr_linear_at(&f, (uint64_t)i);
        int begin = 0;
        for (int d = 0; d < f.out.count; begin += f.out.bits[d++]) {
            uint64_t const part = f.out.bits[d] ? x >> begin & ~(uint64_t)0 >> (64 - f.out.bits[d]) : 0;
            same = same && number_along(&at, d) == (int64_t)part;
        }
    }
    check("coordinates", same, &f);
}

/** Two dimensions of a tile, their factors dealt out to P, Y and R. */
static void try_distribution(void)
{
    tsr_encoding_lists l = TSR_ZERO;
    l.xs = (uint8_t)(1 + noise(2));
    l.ps = (uint8_t)(1 + noise(2));
    if (noise(3) == 0) {
        l.r.rank = 1;
        l.r.at[0] = (int64_t)1 << noise(3);
        l.p[0].at[l.p[0].count++] = (tsr_place){0, 0};
    }
    for (int x = 0; x < l.xs; ++x) {
        l.h[x].rank = (uint8_t)(1 + noise(3));
        for (int i = 0; i < l.h[x].rank; ++i) {
            tsr_place const place = {(uint8_t)(x + 1), (uint8_t)i};
            tsr_places *const to = noise(2) ? &l.y : &l.p[noise(l.ps)];
            l.h[x].at[i] = (int64_t)1 << noise(3);
            to->at[to->count++] = place;
        }
    }
    tsr_encoding const e = tsr_make_tile_distribution_encoding(&l);
    tsr_linear const f = tsr_tile_linear(e);
    if (!check("a distribution", !e.why.status && !f.why.status, &f))
        return;
    tsr_index const ps = tsr_p_lengths(&e), ys = tsr_y_lengths(&e), xs = tsr_x_lengths(&e);
    int64_t at_p[TSR_MAX_PS] = {0}, at_y[TSR_MAX_DIMS] = {0}, index = 0, step = 1;
    for (int y = ys.rank - 1; y >= 0; step *= ys.at[y--])
        index += step * (at_y[y] = noise(ys.at[y]));
    for (int p = ps.rank - 1; p >= 0; step *= ps.at[p--])
        index += step * (at_p[p] = noise(ps.at[p]));
    tsr_index const x = tsr_distribution_x(&e, at_p, at_y);
    int64_t wanted = 0;
    step = 1;
    for (int d = 0; d < xs.rank; step *= xs.at[d++])
        wanted += step * x.at[d];
    check("its coordinates", (int64_t)tsr_linear_at(&f, (uint64_t)index) == wanted, &f);
}

/** The text of a map is read as the map. */
static void try_text(void)
{
    char text[TSR_TEXT_SIZE], back[TSR_TEXT_SIZE];
    tsr_linear const f = random_map(12, 12);
    tsr_format_linear(text, sizeof text, f);
    check("its text", tsr_calc(text, 0, back, sizeof back) && strcmp(text, back) == 0, &f);
}

/** Layout, map and back take no index apart, so that a thousandth of a second is enough for any. */
int main(int argc, char **argv)
{
    uint64_t const seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int64_t const cases = OF_CASES(argc > 2 ? strtoll(argv[2], NULL, 10) : 10000);
    random_begin(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int64_t i = 0; i < cases; ++i) {
        try_layout();
        if (i % 20 == 0)
            try_map();
        if (i % 10 == 0) {
            try_coordinates();
            try_distribution();
            try_text();
        }
    }
    return report();
}
