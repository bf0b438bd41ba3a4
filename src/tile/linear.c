/** Tile distributions as linear maps: the bits of P and Y, each tried alone. */
#include "tessera/tile/linear.h"

/** The first length that is not a power of two; -1: there is none. */
static int odd_length(tsr_index const *length)
{
    for (int i = 0; i < length->rank; ++i)
        if (!tsr_is_pow2(length->at[i]))
            return i;
    return -1;
}

static int bits_of(int64_t length) { return tsr_bit_width((uint64_t)length) - 1; }

/** What one bit of a P or of a Y moves: the coordinate, the first dimension lowest. */
static uint64_t basis_of(tsr_encoding const *e, tsr_index const *lengths, int p, int y, int64_t value)
{
    int64_t at_p[TSR_MAX_PS] = {0}, at_y[TSR_MAX_DIMS] = {0};
    uint64_t r = 0;
    int begin = 0;
    if (p >= 0)
        at_p[p] = value;
    else
        at_y[y] = value;
    tsr_index const x = tsr_distribution_x(e, at_p, at_y);
    for (int d = 0; d < x.rank; begin += bits_of(lengths->at[d++]))
        r |= begin < 64 ? (uint64_t)x.at[d] << begin : 0;
    return r;
}

tsr_linear tsr_tile_linear(tsr_encoding e)
{
    static char const *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
    if (e.why.status)
        return tsr_bad_linear(e.why);
    tsr_index const xs = tsr_x_lengths(&e), ps = tsr_p_lengths(&e), ys = tsr_y_lengths(&e);
    tsr_index const *const all[] = {&xs, &ps, &ys};
    for (int i = 0; i < 3; ++i)
        if (odd_length(all[i]) >= 0)
            return tsr_bad_linear(
                tsr_because(TSR_LINEAR_EXTENT, odd_length(all[i]), all[i]->at[odd_length(all[i])], 0, 0));
    tsr_linear_side in = TSR_ZERO, out = TSR_ZERO;
    uint64_t basis[TSR_LINEAR_BITS] = {0};
    int n = 0, registers = 0;
    char name[TSR_LINEAR_NAME] = "dim";
    for (int d = 0; d < xs.rank; ++d) {
        memcpy(name + 3, digits[d], 2);
        tsr_linear_side_add(&out, name, bits_of(xs.at[d]));
    }
    for (int y = 0; y < ys.rank; ++y)
        registers += bits_of(ys.at[y]);
    tsr_linear_side_add(&in, "register", registers);
    for (int p = ps.rank - 1; p >= 0; --p) {
        memcpy(name, "p", 1);
        memcpy(name + 1, digits[p], 2);
        tsr_linear_side_add(&in, ps.rank > 2 ? name : p == ps.rank - 1 ? "lane" : "warp", bits_of(ps.at[p]));
    }
    if (tsr_linear_bits(&in) > TSR_LINEAR_BITS)
        return tsr_make_linear(&in, &out, basis); /* which says that there are too many */
    for (int y = ys.rank - 1; y >= 0; --y)
        for (int b = 0; b < bits_of(ys.at[y]); ++b)
            basis[n++] = basis_of(&e, &xs, -1, y, (int64_t)1 << b);
    for (int p = ps.rank - 1; p >= 0; --p)
        for (int b = 0; b < bits_of(ps.at[p]); ++b)
            basis[n++] = basis_of(&e, &xs, p, 0, (int64_t)1 << b);
    return tsr_make_linear(&in, &out, basis);
}
