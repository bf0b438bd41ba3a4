/** Linear maps of layouts, of swizzles, and of what is put together from them. */
#include "tessera/core/swizzle.h"

#include "core/linear_side.h"

/** Which output a stride moves along: the path of a basis element, 0 for the offset; and the bits that are used. */
typedef struct output {
    uint32_t path;
    uint64_t used;
} output;

/** The bits of a layout's index: where each goes, and how far. */
typedef struct columns {
    tsr_reason why;
    bool moved; /* by an offset in front of a swizzle: whether the sums carry does not matter yet */
    tsr_linear_side in;
    int bits, outputs;
    int64_t value[TSR_LINEAR_BITS];
    uint32_t path[TSR_LINEAR_BITS];
    output out[TSR_LINEAR_DIMS + 1];
} columns;

/** Does a path come before another one, the outermost mode first? */
static bool is_before(uint32_t a, uint32_t b)
{
    while ((a & 31u) == (b & 31u) && a && b)
        a >>= 5, b >>= 5;
    return (a & 31u) < (b & 31u);
}

/** The place of a path among the outputs, which are in order; a new one is put in. */
static int output_of(columns *c, uint32_t path)
{
    int at = 0;
    while (at < c->outputs && is_before(c->out[at].path, path))
        ++at;
    if (at < c->outputs && c->out[at].path == path)
        return at;
    if (c->outputs == TSR_LINEAR_DIMS) {
        c->why = tsr_reason_or(c->why, tsr_because(TSR_LINEAR_CAPACITY, 0, TSR_LINEAR_DIMS + 1, TSR_LINEAR_DIMS, 0));
        return at < c->outputs ? at : c->outputs - 1;
    }
    for (int i = c->outputs++; i > at; --i)
        c->out[i] = c->out[i - 1];
    c->out[at].path = path;
    c->out[at].used = 0;
    return at;
}

/** One more bit of the index; it may share no bit of its output with those before. */
static void add_bit(columns *c, int mode, tsr_leaf stride, int64_t value)
{
    int const at = value == 0 && stride.aux == 0 ? -1 : output_of(c, stride.aux);
    if (c->why.status)
        return;
    if (value < 0 && !c->moved) {
        c->why = tsr_because(TSR_NEGATIVE, mode, value, 0, 0);
    } else if (at >= 0 && !c->moved && ((uint64_t)value & c->out[at].used)) {
        int before = 0;
        while (c->path[before] != stride.aux || !(c->value[before] & value))
            ++before;
        int64_t const index = (int64_t)1 << before | (int64_t)1 << c->bits;
        c->why = tsr_because(TSR_LINEAR_SUM, mode, index, c->value[before] + value, c->value[before] ^ value);
    }
    if (at >= 0)
        c->out[at].used |= (uint64_t)value;
    c->value[c->bits] = value;
    c->path[c->bits++] = stride.aux;
}

/** The bits of one mode. */
static void add_mode(columns *c, tsr_layout const *l, int mode)
{
    char name[TSR_LINEAR_NAME];
    int end = 1, first = 0; /* of an integer, which is its own mode */
    int const begin = c->bits;
    if (!tsr_is_leaf(&l->shape))
        first = tsr_mode_begin_(&l->shape, mode, &end);
    for (int i = first; i < end && !c->why.status; ++i) {
        tsr_leaf const s = l->shape.leaf[i], d = l->stride.leaf[i];
        if (s.kind == TSR_UNIT)
            continue;
        if (!tsr_is_pow2(s.value))
            c->why = tsr_because(TSR_LINEAR_EXTENT, mode, s.value, 0, 0);
        for (int64_t n = 1; n < s.value && !c->why.status; n *= 2)
            add_bit(c, mode, d, d.value * n);
    }
    memcpy(name, "dim", 4);
    name[3] = (char)('0' + mode);
    name[4] = 0;
    if (mode < TSR_LINEAR_DIMS)
        tsr_linear_side_add(&c->in, name, c->bits - begin);
}

static columns columns_of(tsr_layout const *l, bool moved)
{
    columns c = TSR_ZERO;
    c.moved = moved;
    int const modes = l->shape.status ? 0 : tsr_mode_count(&l->shape);
    c.why = tsr_tuple_why(l->shape);
    if (modes > TSR_LINEAR_DIMS)
        c.why = tsr_because(TSR_LINEAR_CAPACITY, 0, modes, TSR_LINEAR_DIMS, 0);
    for (int i = 0; i < modes && !c.why.status; ++i)
        add_mode(&c, l, i);
    if (c.outputs == 0) /* nothing moves: all is at offset 0 */
        output_of(&c, 0);
    return c;
}

/** "offset", or dim and the modes of a path, the outermost first. */
static void name_output(tsr_linear_side *out, uint32_t path, int bits)
{
    char name[32] = "dim";
    size_t n = 3;
    for (; path; path >>= 5) {
        unsigned const mode = (path & 31u) - 1;
        if (n > 3)
            name[n++] = '_';
        if (mode > 9)
            name[n++] = (char)('0' + mode / 10);
        name[n++] = (char)('0' + mode % 10);
    }
    name[n] = 0;
    tsr_linear_side_add(out, n > 3 ? name : "offset", bits);
}

/** The map of the columns of a layout of coordinates, or of offsets that were changed since. */
static tsr_linear map_of(columns const *c)
{
    tsr_linear_side out = TSR_ZERO;
    uint64_t basis[TSR_LINEAR_BITS] = {0};
    for (int at = 0; at < c->outputs && !c->why.status; ++at) {
        uint64_t all = 0;
        int const begin = tsr_linear_bits(&out);
        for (int i = 0; i < c->bits; ++i)
            if (c->path[i] == c->out[at].path) {
                all |= (uint64_t)c->value[i];
                basis[i] = begin < 64 ? (uint64_t)c->value[i] << begin : 0;
            }
        name_output(&out, c->out[at].path, tsr_bit_width(all));
    }
    return c->why.status ? tsr_bad_linear(c->why) : tsr_make_linear(&c->in, &out, basis);
}

/** Tries the law on every index, where an offset is in front of a swizzle. */
static tsr_reason try_all(tsr_layout const *l, columns const *c)
{
    int64_t const size = (int64_t)1 << c->bits;
    if (tsr_layout_offset(l, 0) != 0)
        return tsr_because(TSR_LINEAR_SUM, 0, 0, tsr_layout_offset(l, 0), 0);
    if (c->bits > 62 || size > TSR_LAW_BUDGET)
        return tsr_because(TSR_NOT_DECIDED, 0, TSR_LAW_BUDGET, 0, 0);
    for (int64_t i = 0; i < size; ++i) {
        int64_t const at = tsr_layout_offset(l, i);
        int64_t sum = 0;
        for (int b = 0; b < c->bits; ++b)
            sum ^= i >> b & 1 ? c->value[b] : 0;
        if (at < 0)
            return tsr_because(TSR_NEGATIVE, 0, at, 0, 0);
        if (at != sum)
            return tsr_because(TSR_LINEAR_SUM, 0, i, at, sum);
    }
    return tsr_no_reason();
}

tsr_linear tsr_linear_of_layout(tsr_layout l)
{
    bool const twice = l.composed && l.twice && tsr_leaf_value(l.outer_offset) != 0;
    bool const moved = twice || (l.composed && tsr_leaf_value(l.offset) != 0);
    l = tsr_layout_checked(l);
    columns c = columns_of(&l, moved);
    for (int i = 0; i < c.bits && l.composed && !c.why.status; ++i) {
        uint64_t const x = tsr_swizzle_apply(l.swizzle, (uint64_t)c.value[i]);
        c.value[i] = moved     ? tsr_layout_offset(&l, (int64_t)1 << i)
                     : l.twice ? (int64_t)tsr_swizzle_apply(l.outer_swizzle, x)
                               : (int64_t)x;
    }
    if (moved && !c.why.status)
        c.why = try_all(&l, &c);
    return map_of(&c);
}

tsr_linear tsr_linear_of_tv(tsr_layout l)
{
    tsr_linear const f = tsr_linear_of_layout(l);
    if (f.why.status)
        return f;
    if (f.in.count != 2)
        return tsr_bad_linear(tsr_because(TSR_RANK, 0, f.in.count, 2, 0));
    tsr_linear r = f;
    int const threads = f.in.bits[0], values = f.in.bits[1], lanes = threads < 5 ? threads : 5;
    r.in = (tsr_linear_side)TSR_ZERO;
    tsr_linear_side_add(&r.in, "register", values);
    tsr_linear_side_add(&r.in, "lane", lanes);
    tsr_linear_side_add(&r.in, "warp", threads - lanes);
    for (int i = 0; i < values; ++i)
        r.basis[i] = f.basis[threads + i];
    for (int i = 0; i < threads; ++i)
        r.basis[values + i] = f.basis[i];
    return r;
}

tsr_linear tsr_linear_of_swizzle(tsr_swizzle sw)
{
    tsr_linear_side side = TSR_ZERO;
    uint64_t basis[TSR_LINEAR_BITS] = {0};
    int const bits = sw.bits + sw.base + (sw.shift < 0 ? -sw.shift : sw.shift);
    if (sw.status)
        return tsr_bad_linear(tsr_swizzle_why(sw));
    tsr_linear_side_add(&side, "offset", bits);
    for (int i = 0; i < bits; ++i)
        basis[i] = tsr_swizzle_apply(sw, (uint64_t)1 << i);
    return tsr_make_linear(&side, &side, basis);
}

tsr_linear tsr_linear_of_sum(tsr_tiler layouts)
{
    if (layouts.by.shape.status)
        return tsr_bad_linear(tsr_tuple_why(layouts.by.shape));
    bool const many = tsr_tiler_is_tuple(&layouts);
    int64_t const count = many ? tsr_tiler_rank_(&layouts) : 1;
    tsr_linear r = TSR_ZERO;
    for (int i = 0; i < count; ++i) {
        tsr_layout const l = many ? tsr_tiler_get_(&layouts, i).by : layouts.by;
        if (tsr_by_is_tuple_(&l) || tsr_by_is_wild_(&l) || tsr_by_is_int_(&l))
            return tsr_bad_linear(tsr_because(TSR_STRIDE, i, 0, 0, 0));
        tsr_linear const f = tsr_linear_of_layout(l);
        if (f.why.status || i == 0) {
            r = f;
            if (f.why.status)
                return f;
            continue;
        }
        if (f.in.count != r.in.count || f.out.count != 1 || r.out.count != 1)
            return tsr_bad_linear(f.in.count != r.in.count
                                      ? tsr_because(TSR_RANK, 0, f.in.count, r.in.count, 0)
                                      : tsr_because(TSR_RANK, 0, tsr_max64(f.out.count, r.out.count), 1, 0));
        for (int d = 0; d < f.in.count; ++d)
            if (f.in.bits[d] != r.in.bits[d])
                return tsr_bad_linear(tsr_because(TSR_LINEAR_MATCH, d, f.in.bits[d], r.in.bits[d], 0));
        r.out.bits[0] = f.out.bits[0] > r.out.bits[0] ? f.out.bits[0] : r.out.bits[0];
        for (int b = 0; b < TSR_LINEAR_BITS; ++b)
            r.basis[b] ^= f.basis[b];
    }
    return r;
}
