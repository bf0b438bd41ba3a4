/** CK Tile's words: a layout as a descriptor, naive((4,8),(8,1)), whose modes are merged; a linear map of register,
 *  lane and warp as the encoding of a distribution, dist{R=..;H=..;P=..;Y=..}. The calculator reads both. */
#include "convert/convert.h"

#include "tessera/tile/linear.h"

/** The digits of each mode, the slowest first, and how many they are; false: too many. */
static bool digits_of(tsr_layout const *l, int64_t *extent, int64_t *stride, int *digits, int modes)
{
    int n = 0;
    for (int m = 0; m < modes; ++m) {
        tsr_layout const mode = tsr_coalesce(tsr_static_all(tsr_mode(*l, m)));
        digits[m] = mode.shape.leaves;
        if (n + digits[m] > TSR_MAX_DIMS)
            return false;
        for (int i = digits[m] - 1; i >= 0; --i, ++n) {
            extent[n] = mode.shape.leaf[i].value;
            stride[n] = mode.stride.leaf[i].value;
        }
    }
    return true;
}

static void write_descriptor(writer *w, tsr_layout const *l, scan *s)
{
    int64_t extent[TSR_MAX_DIMS], stride[TSR_MAX_DIMS];
    int const modes = (int)tsr_layout_rank(*l);
    int digits[TSR_MAX_LEAVES], n = 0;
    int64_t const offset = l->composed ? tsr_leaf_value(l->offset) : 0;
    if ((l->composed && (l->swizzle.bits > 0 || l->twice)) || tsr_has_basis(&l->stride)) {
        scan_fail(s, "a descriptor is of strides: `tessera fit` finds one with xor for swizzled layouts");
        return;
    }
    if (!digits_of(l, extent, stride, digits, modes)) {
        scan_refuse(s, tsr_because(TSR_DIMS, 0, TSR_MAX_DIMS + 1, TSR_MAX_DIMS, 0));
        return;
    }
    for (int m = 0; m < modes; ++m)
        n += digits[m];
    int64_t least = offset;
    for (int i = 0; i < n && !s->failed; ++i) {
        int64_t reach = 0;
        if (stride[i] < 0 && (!tsr_mul64(stride[i], extent[i] - 1, &reach) || !tsr_add64(least, reach, &least)))
            scan_refuse(s, tsr_because(TSR_OVERFLOW, 0, stride[i], 0, 0));
    }
    if (!s->failed && least < 0)
        scan_refuse(s, tsr_because(TSR_NEGATIVE, 0, least, 0, 0));
    put(w, offset ? "naive_off(" : "naive(");
    put_integers(w, "(", n, extent, ",", ")");
    put(w, ",");
    put_integers(w, "(", n, stride, ",", ")");
    put(w, offset ? ",%lld)" : ")", (long long)offset);
    for (int m = 0, at = 0; m < modes && n > modes; at += digits[m++]) {
        put(w, "%s%s", m > 0 ? " + " : " | ", digits[m] > 1 ? "merge" : "pass");
        put_integers(w, "(", digits[m], extent + at, ",", "):");
        for (int i = 0; i < digits[m]; ++i)
            put(w, "%s%d", i > 0 ? "," : "", at + i);
        put(w, ">%d", m);
    }
}

/** Which input bit gives each output bit, -1 for none. False: an output bit has several, or an input bit gives two. */
static bool take_bits(tsr_linear const *f, int *from)
{
    bool ok = true;
    for (int b = 0; b < TSR_LINEAR_BITS; ++b)
        from[b] = -1;
    for (int i = 0; i < tsr_linear_bits(&f->in); ++i) {
        uint64_t const v = f->basis[i];
        int const bit = tsr_bit_width(v) - 1;
        ok = ok && (v & (v - 1)) == 0 && (v == 0 || from[bit] < 0);
        if (ok && v)
            from[bit] = i;
    }
    return ok;
}

/** A factor of H or R, and the input bit of its lowest bit. */
typedef struct factor {
    int major, minor, bit;
} factor;

typedef struct factors {
    int count;
    factor at[TSR_LINEAR_BITS];
} factors;

/** The input of an input bit: 0 register, 1 lane, 2 warp. */
static int input_of(tsr_linear const *f, int bit)
{
    int d = 0;
    while (bit >= f->in.bits[d])
        bit -= f->in.bits[d++];
    return d;
}

/** The factors of H: of each dimension from its highest bit on, as many bits as follow each other in one input. */
static bool take_h(tsr_linear const *f, int const *from, tsr_encoding_lists *l, factors *all)
{
    for (int d = 0, begin = 0; d < f->out.count; begin += f->out.bits[d++]) {
        int minor = 0, n = 0;
        for (int b = f->out.bits[d] - 1; b >= 0; b -= n, ++minor) {
            int const top = from[begin + b];
            if (top < 0 || minor == TSR_MAX_DIMS || all->count == TSR_LINEAR_BITS)
                return false;
            for (n = 1; n <= b && from[begin + b - n] == top - n && input_of(f, top - n) == input_of(f, top);)
                ++n;
            l->h[d].at[minor] = (int64_t)1 << n;
            all->at[all->count++] = (factor){d + 1, minor, top - n + 1};
        }
        if (minor == 0) { /* an extent of 1 is a Y of length 1 */
            l->h[d].at[minor++] = 1;
            l->y.at[l->y.count].major = (uint8_t)(d + 1);
            l->y.at[l->y.count++].minor = 0;
        }
        l->h[d].rank = (uint8_t)minor;
    }
    return true;
}

/** Replications: the input bits that give nothing. */
static bool take_r(tsr_linear const *f, tsr_encoding_lists *l, factors *all)
{
    for (int i = tsr_linear_bits(&f->in) - 1, n = 1; i >= 0; i -= n) {
        n = 1;
        if (f->basis[i])
            continue;
        if (input_of(f, i) == 0 || l->r.rank == TSR_MAX_DIMS || all->count == TSR_LINEAR_BITS)
            return false;
        while (n <= i && f->basis[i - n] == 0 && input_of(f, i - n) == input_of(f, i))
            ++n;
        l->r.at[l->r.rank] = (int64_t)1 << n;
        all->at[all->count++] = (factor){0, l->r.rank++, i - n + 1};
    }
    return true;
}

/** Puts the factors of each input in order, the slowest first. */
static void take_places(tsr_linear const *f, factors *all, tsr_encoding_lists *l)
{
    int const ps = l->ps;
    for (int i = 1; i < all->count; ++i)
        for (int k = i; k > 0 && all->at[k].bit > all->at[k - 1].bit; --k) {
            factor const t = all->at[k];
            all->at[k] = all->at[k - 1];
            all->at[k - 1] = t;
        }
    for (int i = 0; i < all->count; ++i) {
        int const in = input_of(f, all->at[i].bit);
        tsr_places *const to = in == 0 ? &l->y : &l->p[ps - in];
        to->at[to->count].major = (uint8_t)all->at[i].major;
        to->at[to->count++].minor = (uint8_t)all->at[i].minor;
    }
}

static void write_places(writer *w, tsr_places const *p)
{
    put(w, "(");
    for (int i = 0; i < p->count; ++i)
        put(w, "%s%d.%d", i > 0 ? "," : "", p->at[i].major, p->at[i].minor);
    put(w, ")");
}

static void write_encoding(writer *w, tsr_linear const *f, scan *s)
{
    static char const *const inputs[] = {"register", "lane", "warp", "block"};
    tsr_encoding_lists l = TSR_ZERO;
    factors all = {0, {{0, 0, 0}}};
    int from[TSR_LINEAR_BITS];
    bool named = f->in.count <= 4 && f->out.count <= TSR_MAX_XS;
    for (int d = 0; d < f->in.count && named; ++d)
        named = strcmp(f->in.name[d], inputs[d]) == 0 && (d < 3 || f->in.bits[d] == 0);
    if (!named) {
        scan_fail(s, "an encoding is of register, lane and warp, to at most as many dimensions as CK Tile has");
        return;
    }
    l.xs = f->out.count;
    l.ps = f->in.count > 2 && f->in.bits[2] > 0 ? 2 : f->in.count > 1 && f->in.bits[1] > 0 ? 1 : 0;
    if (!take_bits(f, from) || !take_h(f, from, &l, &all) || !take_r(f, &l, &all)) {
        scan_fail(s, "an encoding gives each bit of the tile one bit of register, lane or warp, and repeats no "
                     "register");
        return;
    }
    take_places(f, &all, &l);
    tsr_linear const again = tsr_tile_linear(tsr_make_tile_distribution_encoding(&l));
    if (again.why.status || memcmp(again.basis, f->basis, sizeof f->basis) != 0) {
        scan_refuse(s, again.why.status ? again.why : tsr_because(TSR_DIFFER, 0, 0, 0, 0));
        return;
    }
    put(w, "dist{R=");
    put_integers(w, "(", l.r.rank, l.r.at, ",", ")");
    put(w, ";H=(");
    for (int d = 0; d < l.xs; ++d) {
        put(w, "%s", d > 0 ? "," : "");
        put_integers(w, "(", l.h[d].rank, l.h[d].at, ",", ")");
    }
    put(w, ");P=(");
    for (int p = 0; p < l.ps; ++p) {
        put(w, "%s", p > 0 ? "," : "");
        write_places(w, &l.p[p]);
    }
    put(w, ");Y=");
    write_places(w, &l.y);
    put(w, "}");
}

void tsr_write_ck_(writer *w, tsr_converted const *v, scan *s)
{
    if (v->is_map)
        write_encoding(w, &v->map, s);
    else
        write_descriptor(w, &v->layout, s);
}
