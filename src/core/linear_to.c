/** The layouts that linear maps are: the shortest one, one behind a swizzle, or the fewest whose xor the map is. */
#include "tessera/core/swizzle.h"

#include "core/linear_side.h"

/** What becomes of each input bit: its stride, and the path of the basis element that this counts. */
typedef struct strides {
    uint64_t value[TSR_LINEAR_BITS];
    uint32_t path[TSR_LINEAR_BITS];
} strides;

/** The path of an output called offset, dim3 or dim1_0; false for other names. */
static bool path_named(char const *name, uint32_t *path)
{
    uint32_t r = 0;
    int level = 0;
    char const *p = name + 3;
    *path = 0;
    if (strcmp(name, "offset") == 0)
        return true;
    if (strncmp(name, "dim", 3) != 0)
        return false;
    for (;; ++p) {
        uint32_t mode = 0;
        char const *const begin = p;
        for (; *p >= '0' && *p <= '9' && mode < 100; ++p)
            mode = mode * 10 + (uint32_t)(*p - '0');
        if (p == begin || mode >= TSR_BASIS_MODES || level == TSR_BASIS_LEVELS)
            return false;
        r |= (mode + 1) << 5 * level++;
        if (*p != '_')
            break;
    }
    *path = r;
    return *p == 0;
}

/** The paths of the outputs: by their names, or of all by their places; an output that is alone is the offset. */
static void name_paths(tsr_linear_side const *out, uint32_t *path)
{
    bool named = true;
    for (int i = 0; i < out->count; ++i)
        named = path_named(out->name[i], &path[i]) && named;
    for (int i = 0; i < out->count && !named; ++i)
        path[i] = out->count == 1 ? 0 : (uint32_t)i + 1;
}

/** Does bit i + 1 go on where bit i ends? */
static bool goes_on(strides const *s, int i)
{
    return s->path[i] == s->path[i + 1] && s->value[i + 1] == s->value[i] << 1;
}

static int count_leaves(tsr_linear_side const *in, strides const *s)
{
    int leaves = 0, at = 0;
    for (int d = 0; d < in->count; at += in->bits[d++])
        for (int b = 0; b < in->bits[d]; ++b)
            leaves += b == 0 || !goes_on(s, at + b - 1);
    return leaves;
}

/** The modes of one input into a shape and a stride. */
static void push_mode(tsr_tuple *shape, tsr_tuple *stride, strides const *s, int at, int bits)
{
    tsr_tuple extents = TSR_ZERO, steps = TSR_ZERO;
    int leaves = 0;
    for (int b = 0; b < bits; ++leaves) {
        int n = 1;
        while (b + n < bits && goes_on(s, at + b + n - 1))
            ++n;
        tsr_leaf d = tsr_leaf_static((int64_t)s->value[at + b]);
        d.aux = s->value[at + b] ? s->path[at + b] : 0;
        tsr_tuple_push_leaf(&extents, tsr_leaf_static((int64_t)1 << n));
        tsr_tuple_push_leaf(&steps, d);
        b += n;
    }
    if (leaves == 0) {
        tsr_tuple_push_leaf(&extents, tsr_leaf_static(1));
        tsr_tuple_push_leaf(&steps, tsr_leaf_static(0));
    }
    if (leaves > 1) {
        extents = tsr_tuple_close(extents);
        steps = tsr_tuple_close(steps);
    }
    tsr_tuple_push(shape, &extents);
    tsr_tuple_push(stride, &steps);
}

/** The layout with a mode for each input. */
static tsr_layout layout_of(tsr_linear_side const *in, strides const *s)
{
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    int const leaves = count_leaves(in, s);
    int at = 0;
    if (leaves > TSR_MAX_LEAVES)
        return tsr_bad_layout(TSR_CAPACITY, 0, leaves, TSR_MAX_LEAVES, 0);
    for (int d = 0; d < in->count; at += in->bits[d++])
        push_mode(&shape, &stride, s, at, in->bits[d]);
    if (in->count == 0)
        return tsr_layout_unchecked(tsr_s(1), tsr_s(0));
    if (in->count > 1 || shape.leaves > 1) {
        shape = tsr_tuple_close(shape);
        stride = tsr_tuple_close(stride);
    }
    return tsr_layout_checked(tsr_layout_unchecked(shape, stride));
}

/** Of each output bit, the input bits that give it. */
static void rows_of(tsr_linear const *f, int bits, uint64_t *row)
{
    memset(row, 0, TSR_LINEAR_BITS * sizeof row[0]);
    for (int i = 0; i < bits; ++i)
        for (uint64_t v = f->basis[i]; v; v &= v - 1)
            row[linear_lowest(v)] |= (uint64_t)1 << i;
}

static bool several(uint64_t row) { return (row & (row - 1)) != 0; }

static int count_bits(uint64_t x)
{
    int n = 0;
    for (; x; x &= x - 1)
        ++n;
    return n;
}

/** Do the bits Z from `z` on, xored with those S above, or below for S < 0, come from one input bit each? */
static bool serves(uint64_t const *row, int z, int bits, int shift)
{
    for (int i = z; i < z + bits; ++i)
        if (i + shift < 0 || i + shift >= TSR_LINEAR_BITS || several(row[i] ^ row[i + shift]))
            return false;
    return true;
}

/** The swizzle of the fewest bits behind which a map is a layout, and of these the one that leaves the shortest layout:
 *  the output bits that several inputs give are its Z. No bits: there is none. */
static tsr_swizzle find_swizzle(tsr_linear const *f, uint64_t const *row, strides *s)
{
    tsr_swizzle best = tsr_make_swizzle(0, 0, 0);
    int low = -1, high = -1, leaves = 0;
    strides tried;
    int const bits = tsr_linear_bits(&f->in);
    for (int r = 0; r < TSR_LINEAR_BITS; ++r)
        if (several(row[r])) {
            low = low < 0 ? r : low;
            high = r;
        }
    int const n = high - low + 1;
    memset(tried.path, 0, sizeof tried.path);
    for (int distance = n; distance <= 30; ++distance)
        for (int minus = 0; minus < 2; ++minus) {
            int const shift = minus ? -distance : distance, base = minus ? low - distance : low;
            tsr_swizzle const sw = tsr_make_swizzle(n, base, shift);
            if (sw.status || !serves(row, low, n, shift))
                continue;
            for (int i = 0; i < bits; ++i)
                tried.value[i] = tsr_swizzle_apply(sw, f->basis[i]);
            int const count = count_leaves(&f->in, &tried);
            if (best.bits == 0 || count < leaves) {
                best = sw;
                leaves = count;
                *s = tried;
            }
        }
    return best;
}

/** Why a map is no layout: the first input bit that shares an output bit with one before. */
static tsr_layout refuse_shared(tsr_linear const *f, uint64_t const *row)
{
    uint64_t used = 0;
    int i = 0, most = 0, before = 0;
    while (!(f->basis[i] & used))
        used |= f->basis[i++];
    int const bit = linear_lowest(f->basis[i] & used);
    while (!(f->basis[before] >> bit & 1u))
        ++before;
    for (int r = 0; r < TSR_LINEAR_BITS; ++r)
        most = count_bits(row[r]) > most ? count_bits(row[r]) : most;
    tsr_layout l = tsr_bad_layout(TSR_LINEAR_SHARED, 0, before, i, bit);
    l.shape.leaf[3].value = most;
    return l;
}

/** The strides of a map; the first input bit that moves along two outputs is refused. */
static tsr_reason strides_of(tsr_linear const *f, strides *s)
{
    uint32_t path[TSR_LINEAR_DIMS] = {0};
    name_paths(&f->out, path);
    memset(s->path, 0, sizeof s->path);
    for (int i = 0; i < tsr_linear_bits(&f->in); ++i) {
        int along = -1;
        s->value[i] = 0;
        for (int d = 0; d < f->out.count; ++d) {
            uint64_t const part = linear_part(&f->out, d, f->basis[i]);
            if (part && along >= 0)
                return tsr_because(TSR_LINEAR_STRIDE, 0, i, along, d);
            if (part) {
                along = d;
                s->value[i] = part;
                s->path[i] = path[d];
            }
        }
    }
    return tsr_no_reason();
}

/** Beside an offset, outputs without bits are left out: `block` of a layout of one block. */
static void leave_out(tsr_linear_side *out)
{
    tsr_linear_side r = TSR_ZERO;
    int const offset = tsr_linear_dim(out, "offset");
    for (int d = 0; d < out->count && offset >= 0; ++d)
        if (d == offset || out->bits[d] > 0)
            tsr_linear_side_add(&r, out->name[d], out->bits[d]);
    *out = offset >= 0 ? r : *out;
}

tsr_layout tsr_linear_to_layout(tsr_linear f)
{
    leave_out(&f.out);
    strides s;
    uint64_t row[TSR_LINEAR_BITS];
    bool shared = false;
    tsr_reason const why = f.why.status ? f.why : strides_of(&f, &s);
    if (why.status)
        return tsr_invalid_layout(tsr_reason_tuple(why));
    rows_of(&f, tsr_linear_bits(&f.in), row);
    for (int r = 0; r < TSR_LINEAR_BITS; ++r)
        shared = shared || several(row[r]);
    if (!shared)
        return layout_of(&f.in, &s);
    uint32_t path[TSR_LINEAR_DIMS] = {0};
    name_paths(&f.out, path);
    tsr_swizzle const sw = f.out.count == 1 && path[0] == 0 ? find_swizzle(&f, row, &s) : tsr_make_swizzle(0, 0, 0);
    return sw.bits ? tsr_make_composed_layout(sw, tsr_s(0), layout_of(&f.in, &s)) : refuse_shared(&f, row);
}

tsr_tiler tsr_linear_to_sum(tsr_linear f)
{
    tsr_tiler r = TSR_ZERO;
    uint64_t row[TSR_LINEAR_BITS];
    int const bits = tsr_linear_bits(&f.in);
    int layouts = 1;
    if (f.why.status || f.out.count != 1)
        return tsr_tiler_of_layout(
            tsr_invalid_layout(tsr_reason_tuple(f.why.status ? f.why : tsr_because(TSR_RANK, 0, f.out.count, 1, 0))));
    rows_of(&f, bits, row);
    for (int b = 0; b < TSR_LINEAR_BITS; ++b)
        layouts = count_bits(row[b]) > layouts ? count_bits(row[b]) : layouts;
    for (int n = 0; n < layouts && !r.by.shape.status; ++n) {
        strides s = {{0}, {0}};
        for (int b = 0; b < TSR_LINEAR_BITS; ++b) { /* the n-th input bit of each output bit is in the n-th layout */
            uint64_t rest = row[b];
            for (int k = 0; k < n; ++k)
                rest &= rest - 1;
            if (rest)
                s.value[linear_lowest(rest)] |= (uint64_t)1 << b;
        }
        tsr_tiler const one = tsr_tiler_of_layout(layout_of(&f.in, &s));
        tsr_tiler_push(&r, &one);
    }
    return tsr_tiler_close(r);
}
