/** A descriptor of CK Tile: strides, exclusive ors of their dimensions, and the dimensions of a mode merged.
 *
 *      naive((4,8,8),(520,64,8)) | pass(4):0>0 + xor(8,8):1,2>1,2 | merge(4,8):0,1>0 + pass(8):2>1
 *
 *  Every exclusive or of bits of one mode into bits of one mode is tried. Behind the right one the samples are a sum of
 *  strides. */
#include "fit/fit.h"
#include "ops/ops.h"

/** The dimensions of the strides, the modes in order, each with its slowest digit first. */
typedef struct dims {
    int count, of[TSR_MAX_DIMS];
    int64_t extent[TSR_MAX_DIMS], stride[TSR_MAX_DIMS], weight[TSR_MAX_DIMS]; /* weight: of the digit in its mode */
} dims;

/** Cuts the digits of a leaf where digit `at` of it begins; false inside of an odd extent. */
static bool cut(radix *r, int64_t at)
{
    int64_t weight = 1;
    int i = 0;
    while (i < r->count && weight * r->extent[i] <= at)
        weight *= r->extent[i++];
    if (weight == at || i == r->count)
        return weight == at;
    int64_t const inner = at / weight;
    if (at % weight != 0 || r->extent[i] % inner != 0 || r->count == TSR_LINEAR_BITS)
        return false;
    for (int k = r->count++; k > i; --k) {
        r->extent[k] = r->extent[k - 1];
        r->stride[k] = r->stride[k - 1];
    }
    r->extent[i + 1] /= inner;
    r->stride[i + 1] = tsr_wrap_mul(r->stride[i], inner);
    r->extent[i] = inner;
    return true;
}

/** Does a digit begin at `at`? */
static bool begins(radix const *r, int64_t at)
{
    int64_t weight = 1;
    for (int i = 0; i < r->count && weight < at; ++i)
        weight *= r->extent[i];
    return weight == at;
}

/** Cuts the bits of an exclusive or out of both leaves, and each where the other one has a cut: the digits pair up. */
static bool cut_both(sums *of, exclusive const *x)
{
    radix *const a = &of->of[x->of], *const b = &of->of[x->into];
    for (int i = 0; i <= x->bits; ++i) {
        int64_t const in_a = (int64_t)1 << (x->from + i), in_b = (int64_t)1 << (x->to + i);
        bool const needed = i == 0 || i == x->bits || begins(a, in_a) || begins(b, in_b);
        if (needed && (!cut(a, in_a) || !cut(b, in_b)))
            return false;
    }
    return true;
}

static bool dims_of(sums const *of, grid const *g, dims *d)
{
    d->count = 0;
    for (int k = 0; k < g->leaves; ++k) {
        int64_t weight = g->extent[k];
        int const digits = of->of[k].count > 0 ? of->of[k].count : 1;
        for (int i = digits - 1; i >= 0; --i, ++d->count) {
            if (d->count == TSR_MAX_DIMS)
                return false;
            d->of[d->count] = k;
            d->extent[d->count] = of->of[k].count > 0 ? of->of[k].extent[i] : 1;
            d->stride[d->count] = of->of[k].count > 0 ? of->of[k].stride[i] : 0;
            weight /= d->extent[d->count];
            d->weight[d->count] = weight;
        }
    }
    return true;
}

/** The dimension that begins at a bit of a leaf. */
static int dim_at(dims const *d, int leaf, int from)
{
    int i = 0;
    while (i + 1 < d->count && (d->of[i] != leaf || d->weight[i] != (int64_t)1 << from || d->extent[i] == 1))
        ++i;
    return i;
}

/** A stage that is written and applied at once. */
typedef struct stage {
    writer *out;
    int count;
    tsr_link link[TSR_MAX_DIMS];
} stage;

static void add(stage *st, tsr_coord_transform t, char const *name, int lows, int const *low, int ups, int const *up)
{
    tsr_link l = TSR_ZERO;
    l.transform = t;
    put(st->out, "%s%s(", st->count > 0 ? " + " : " | ", name);
    bool const upper = t.kind != TSR_TRANSFORM_MERGE;
    for (int i = 0; i < (upper ? t.ups : t.lows); ++i)
        put(st->out, "%s%lld", i > 0 ? "," : "", (long long)(upper ? t.up[i] : t.low[i]));
    put(st->out, "):");
    for (int i = 0; i < lows; ++i) {
        put(st->out, "%s%d", i > 0 ? "," : "", low[i]);
        l.low[l.lows++] = (uint8_t)low[i];
    }
    put(st->out, ">");
    for (int i = 0; i < ups; ++i) {
        put(st->out, "%s%d", i > 0 ? "," : "", up[i]);
        l.up[l.ups++] = (uint8_t)up[i];
    }
    st->link[st->count++] = l;
}

static void apply(stage *st, tsr_descriptor *d)
{
    tsr_link_list const links = {st->count, st->link};
    *d = tsr_tile_stage(d, links);
    st->count = 0;
}

/** The exclusive ors of the dimensions of x; the others pass. */
static void add_exclusive(stage *st, tsr_descriptor *r, dims const *d, exclusive const *x)
{
    bool used[TSR_MAX_DIMS] = {false};
    int64_t extent = 2;
    for (int bit = 0; bit < x->bits && extent > 1; bit += tsr_bit_width((uint64_t)extent) - 1) {
        int const both[] = {dim_at(d, x->of, x->from + bit), dim_at(d, x->into, x->to + bit)};
        extent = d->extent[both[0]];
        add(st, tsr_make_xor_transform(extent, d->extent[both[1]]), "xor", 2, both, 2, both);
        used[both[0]] = used[both[1]] = true;
    }
    for (int i = 0; i < d->count; ++i)
        if (!used[i])
            add(st, tsr_make_pass_through_transform(d->extent[i]), "pass", 1, &i, 1, &i);
    apply(st, r);
}

/** One dimension for each mode. */
static void add_merges(stage *st, tsr_descriptor *r, dims const *d, grid const *g)
{
    if (d->count == g->leaves)
        return;
    for (int k = 0, i = 0; k < g->leaves; ++k) {
        int low[TSR_MAX_DIMS], n = 0;
        int64_t const *const extent = &d->extent[i];
        for (; i < d->count && d->of[i] == k; ++i)
            low[n++] = i;
        if (n == 1)
            add(st, tsr_make_pass_through_transform(extent[0]), "pass", 1, low, 1, &k);
        else
            add(st, tsr_make_merge_transform(n, extent), "merge", n, low, 1, &k);
    }
    apply(st, r);
}

/** Makes the descriptor, writes it, and tries it on every sample. */
static bool make(tsr_samples const *s, grid const *g, sums *of, exclusive const *x, tsr_found *r)
{
    dims d;
    writer w;
    stage st;
    tsr_vector const none = {-1, -1};
    if (!cut_both(of, x) || !dims_of(of, g, &d))
        return false;
    st.out = &w;
    st.count = 0;
    writer_open(&w, r->text, sizeof r->text);
    put(&w, "naive%s(", of->base ? "_off" : "");
    put_integers(&w, "(", d.count, d.extent, ",", ")");
    put(&w, ",");
    put_integers(&w, "(", d.count, d.stride, ",", ")");
    if (of->base)
        put(&w, ",%lld", (long long)of->base);
    put(&w, ")");
    r->descriptor = tsr_make_naive_tensor_descriptor_with_offset(d.count, d.extent, d.stride, of->base, none);
    add_exclusive(&st, &r->descriptor, &d, x);
    add_merges(&st, &r->descriptor, &d, g);
    r->ok = !r->descriptor.graph.why.status && w.used < sizeof r->text;
    for (int64_t c = 0; c < s->count && r->ok; ++c) {
        int64_t index[TSR_MAX_DIMS] = {0};
        for (int k = 0; k < g->leaves; ++k)
            index[k] = grid_digit(g, k, c);
        tsr_coordinate const at = tsr_make_tensor_coordinate(&r->descriptor, index);
        r->ok = tsr_coordinate_offset(&at) == s->value[c];
    }
    return r->ok;
}

/** The number of bits that a leaf has below its odd factor. */
static int bits_of(int64_t extent)
{
    int bits = 0;
    for (; extent % 2 == 0 && extent > 0; extent /= 2)
        ++bits;
    return bits;
}

/** Tries the exclusive ors of one mode into one mode, those of most bits first. */
static bool try_modes(tsr_samples const *s, grid const *g, int of, int into, tsr_found *r, int64_t *last,
                      int64_t *got)
{
    int const a = bits_of(g->extent[of]), b = bits_of(g->extent[into]);
    for (int bits = a < b ? a : b; bits > 0; --bits)
        for (int from = 0; from + bits <= a; ++from)
            for (int to = 0; to + bits <= b; ++to) {
                source const f = {s->value, g, {of, from, into, to, bits}};
                sums sum;
                int64_t at = 0, x = 0;
                if (of == into && from < to + bits && to < from + bits)
                    continue;
                if (tsr_fit_sums_(&f, s->work, &sum, &at, &x)) {
                    if (make(s, g, &sum, &f.change, r))
                        return true;
                } else if (*last < 0 || at > *last) {
                    *last = source_index(&f, at);
                    *got = x;
                }
            }
    return false;
}

bool tsr_fit_descriptor_(tsr_samples const *s, tsr_found *r)
{
    grid const g = tsr_fit_grid_(&s->shape);
    int64_t last = -1, got = 0;
    if (tsr_fit_missing_(s) > 0) {
        snprintf(r->text, sizeof r->text, "a descriptor needs a sample of every coordinate");
        return false;
    }
    for (int into = 0; into < g.leaves; ++into)
        for (int of = 0; of < g.leaves; ++of)
            if (try_modes(s, &g, of, into, r, &last, &got))
                return true;
    if (r->descriptor.graph.why.status)
        tsr_fit_refuse_(r, r->descriptor.graph.why);
    else if (last >= 0)
        tsr_fit_break_(r, s, last, got);
    else
        snprintf(r->text, sizeof r->text, "no mode has two values that an exclusive or could change");
    return false;
}
