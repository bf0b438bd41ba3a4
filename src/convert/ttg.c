/** The layouts of Triton's dialect: linear, blocked, nvidia_mma, swizzled_shared and padded_shared. */
#include "convert/attribute.h"

static char const *const inputs[] = {"register", "lane", "warp", "block"};

/** A map from register, lane, warp and block, or of shared memory from offset and block. */
static placed begin_placed(int rank, bool shared)
{
    placed p;
    memset(&p, 0, sizeof p);
    p.ins = shared ? 2 : 4;
    p.outs = rank;
    for (int i = 0; i < p.ins; ++i)
        p.in_name[i] = inputs[shared ? 3 : i];
    if (shared)
        p.in_name[0] = "offset";
    return p;
}

/** The order of dimensions of a key, the fastest first; each is there once. */
static int64_t const *order_of(scan *s, attribute const *a, int rank)
{
    int64_t const *const order = tsr_attribute_need_(s, a, "order", rank);
    unsigned found = 0;
    for (int i = 0; i < rank && !s->failed; ++i)
        found |= order[i] < 0 || order[i] >= rank ? 0 : 1u << order[i];
    if (!s->failed && found != (1u << rank) - 1)
        scan_fail(s, "order names each dimension once");
    return order;
}

static void read_blocked(scan *s, attribute const *a, tsr_tuple const *shape, tsr_linear *r)
{
    static char const *const keys[] = {"sizePerThread", "threadsPerWarp", "warpsPerCTA"};
    int const rank = shape->leaves;
    placed p = begin_placed(rank, false);
    int64_t const *const order = order_of(s, a, rank);
    for (int i = 0; i < 3; ++i) {
        int64_t const *const size = tsr_attribute_need_(s, a, keys[i], rank);
        for (int k = 0; k < rank && !s->failed; ++k)
            tsr_placed_add_(s, &p, i, (int)order[k], size[order[k]]);
    }
    if (!s->failed)
        *r = tsr_placed_fit_(s, &p, a, shape, order);
}

/** The accumulator of mma.sync (2) and of wgmma (3): 16 rows, in which quads of lanes hold pairs of columns. */
static void read_mma(scan *s, attribute const *a, tsr_tuple const *shape, tsr_linear *r)
{
    int const rank = shape->leaves, n = rank - 1, m = rank - 2;
    int64_t const version = *tsr_attribute_need_(s, a, "versionMajor", 1);
    int64_t const *const instruction = tsr_attribute_need_(s, a, "instrShape", version == 3 ? 3 : rank),
                  *const warps = tsr_attribute_need_(s, a, "warpsPerCTA", rank);
    int64_t const rows = instruction[version == 3 ? 0 : m > 0 ? m : 0], columns = instruction[version == 3 ? 1 : n];
    if (!s->failed && (rank < 2 || version < 2 || version > 3 || rows != 16 || columns < 8))
        scan_fail(s, "nvidia_mma is read for versions 2 and 3, tiles of 16 rows and tensors of rank 2 or more");
    if (s->failed)
        return;
    placed p = begin_placed(rank, false);
    int64_t minor[TSR_LINEAR_DIMS];
    tsr_placed_add_(s, &p, 0, n, 2);
    tsr_placed_add_(s, &p, 1, n, 4);
    tsr_placed_add_(s, &p, 1, m, 8);
    tsr_placed_add_(s, &p, 0, m, 2);
    tsr_placed_add_(s, &p, 0, n, columns / 8);
    for (int i = 0; i < rank; ++i) {
        int const d = version == 3 ? i : n - i; /* the warps of wgmma go down the rows first */
        tsr_placed_add_(s, &p, 2, d, warps[d]);
        minor[i] = n - i;
    }
    *r = tsr_placed_fit_(s, &p, a, shape, minor);
}

/** A list of bases of an input of #ttg.linear, into a map whose outputs grow with them. */
static void read_linear(scan *s, attribute const *a, tsr_linear *r)
{
    tsr_linear_side in = TSR_ZERO, out = TSR_ZERO;
    uint64_t basis[TSR_LINEAR_BITS] = {0};
    int64_t all[TSR_LINEAR_DIMS] = {0};
    int rank = -1, bits = 0;
    for (int k = 0; k < a->fields; ++k) {
        field const *const f = &a->of[k];
        int const columns = f->rows > 0 ? f->count / f->rows : rank;
        if (f->rows > 0 && (!f->nested || (rank >= 0 && columns != rank) || columns > TSR_LINEAR_DIMS))
            scan_fail(s, "bases are lists of one length, of at most 10 integers");
        rank = columns;
        tsr_linear_side_add(&in, f->key, f->rows);
        bits += f->rows;
        for (int i = 0; i < f->count && !s->failed; ++i) {
            if (f->at[i] < 0)
                scan_fail(s, "bases are not negative");
            all[i % columns] |= f->at[i];
        }
    }
    if (!s->failed && bits > TSR_LINEAR_BITS)
        scan_refuse(s, tsr_because(TSR_LINEAR_CAPACITY, 0, bits, TSR_LINEAR_BITS, 0));
    for (int d = 0; d < rank; ++d) {
        char const name[] = {'d', 'i', 'm', (char)('0' + d), 0};
        tsr_linear_side_add(&out, name, tsr_bit_width((uint64_t)all[d]));
    }
    for (int k = 0, at = 0; k < a->fields && !s->failed; ++k)
        for (int row = 0; row < a->of[k].rows; ++row, ++at)
            for (int d = 0, begin = 0; d < rank; begin += out.bits[d++])
                basis[at] |= begin < 64 ? (uint64_t)a->of[k].at[row * rank + d] << begin : 0;
    if (!s->failed)
        *r = tsr_make_linear(&in, &out, basis);
}

/** Rows are xored: groups of `vec` columns by the row / perPhase, of maxPhase. */
static void read_swizzled(scan *s, attribute const *a, tsr_tuple const *shape, tsr_linear *r)
{
    int const rank = shape->leaves;
    placed p = begin_placed(rank, true);
    int64_t const *const order = order_of(s, a, rank);
    int64_t const vec = *tsr_attribute_need_(s, a, "vec", 1), per = *tsr_attribute_need_(s, a, "perPhase", 1),
                  most = *tsr_attribute_need_(s, a, "maxPhase", 1);
    if (!s->failed && (!tsr_is_pow2(vec) || !tsr_is_pow2(per) || !tsr_is_pow2(most) || vec > 1024 || most > 1024))
        scan_fail(s, "vec, perPhase and maxPhase are powers of two up to 1024");
    field const *const ctas = tsr_attribute_get_(a, "CTAsPerCGA");
    for (int i = 0; ctas && i < ctas->count; ++i)
        if (ctas->at[i] != 1)
            scan_fail(s, "swizzled_shared is read for one block");
    for (int i = 0; i < rank && !s->failed; ++i)
        tsr_placed_add_(s, &p, 0, (int)order[i], shape->leaf[order[i]].value);
    if (s->failed)
        return;
    *r = tsr_placed_map_(&p);
    if (r->why.status || rank < 2)
        return;
    int const columns = r->out.bits[order[0]], rows = r->out.bits[order[1]];
    int begin = 0;
    for (int d = 0; d < order[0]; ++d)
        begin += r->out.bits[d];
    for (int b = 0; b < rows; ++b) {
        int64_t const phase = ((int64_t)1 << b) / per % most, column = vec * phase;
        r->basis[columns + b] |= (uint64_t)(column & (((int64_t)1 << columns) - 1)) << begin;
    }
}

/** [128:+4, 256:+8] {order = .., shape = ..}: behind every 128 elements 4 are left out. */
static void read_padded(scan *s, attribute *a, tsr_tuple shape, tsr_layout *r)
{
    tsr_tuple extents = TSR_ZERO, strides = TSR_ZERO;
    int64_t before = 1, stride = 1, pads[8], every[8];
    int count = 0;
    scan_expect(s, "[");
    do {
        if (count == 8) {
            scan_fail(s, "at most 8 paddings are read");
            return;
        }
        every[count] = scan_integer(s);
        scan_expect(s, ":+");
        pads[count++] = scan_integer(s);
    } while (!s->failed && scan_take(s, ","));
    scan_expect(s, "]");
    tsr_attribute_read_(s, a);
    field const *const own = tsr_attribute_get_(a, "shape");
    if (own && !s->failed) {
        shape = (tsr_tuple)TSR_ZERO;
        for (int i = 0; i < own->count && i < TSR_MAX_LEAVES; ++i)
            tsr_tuple_push_leaf(&shape, tsr_leaf_static(own->at[i]));
        shape = tsr_tuple_close(shape);
    }
    int64_t const *const order = order_of(s, a, shape.leaves);
    for (int i = 0; i < count && !s->failed; ++i) {
        if (every[i] <= 0 || pads[i] < 0 || every[i] % before != 0 || pads[i] > 1 << 30 || every[i] > 1 << 30)
            scan_fail(s, "intervals of padding ascend, each a multiple of the one before");
        tsr_tuple_push_leaf(&extents, tsr_leaf_static(every[i] / before));
        tsr_tuple_push_leaf(&strides, tsr_leaf_static(stride));
        stride = stride * (every[i] / before) + pads[i]; /* what one interval takes, with all paddings in it */
        before = every[i];
    }
    tsr_tuple order_tuple = TSR_ZERO;
    for (int d = 0; d < shape.leaves && !s->failed; ++d) {
        int64_t place = 0;
        while (order[place] != d)
            ++place;
        tsr_tuple_push_leaf(&order_tuple, tsr_leaf_static(place));
    }
    if (s->failed)
        return;
    tsr_layout const plain = tsr_make_ordered_layout(shape, tsr_tuple_close(order_tuple));
    tsr_tuple const size = tsr_product(shape);
    int64_t const rest = size.status ? 1 : (size.leaf[0].value + before - 1) / before;
    tsr_tuple_push_leaf(&extents, tsr_leaf_static(rest > 0 ? rest : 1));
    tsr_tuple_push_leaf(&strides, tsr_leaf_static(stride));
    tsr_layout const padded =
        tsr_layout_checked(tsr_layout_unchecked(tsr_tuple_close(extents), tsr_tuple_close(strides)));
    *r = tsr_composition(padded, plain);
}

/** A shape of at most ten static integers. */
static tsr_tuple flat_shape(scan *s, tsr_tuple shape)
{
    bool const some = !tsr_is_unit(&shape) && shape.leaves <= TSR_LINEAR_DIMS;
    if (!some)
        scan_fail(s, "the shape of the tensor is needed: --shape \"(64,32)\", with 1 to 10 extents");
    for (int i = 0; i < shape.leaves && !s->failed; ++i) {
        if (!tsr_leaf_is_int(shape.leaf[i]) || shape.leaf[i].value < 1)
            scan_fail(s, "the extents of the shape are positive integers");
        shape.leaf[i] = tsr_leaf_static(shape.leaf[i].value);
    }
    for (int i = 0; i < shape.leaves; ++i)
        shape.leaf[i].open = shape.leaf[i].close = 0;
    return tsr_tuple_close(shape);
}

void tsr_read_ttg_(scan *s, tsr_tuple shape, tsr_converted *r)
{
    attribute a;
    memset(&a, 0, sizeof a);
    char const *const name = strstr(s->p, "#ttg.") ? strstr(s->p, "#ttg.") : strstr(s->p, "#triton_gpu.");
    s->p = name ? strchr(name, '.') + 1 : s->p;
    if (!name)
        scan_fail(s, "`#ttg.` is expected here");
    scan_word(s, a.name, sizeof a.name);
    scan_expect(s, "<");
    bool const padded = strcmp(a.name, "padded_shared") == 0;
    r->is_map = !padded;
    if (padded && !s->failed) {
        bool const own = strstr(s->p, "shape") != NULL; /* the text has a shape */
        read_padded(s, &a, own ? tsr_tuple_1(tsr_s(1)) : flat_shape(s, shape), &r->layout);
    } else {
        tsr_attribute_read_(s, &a);
        if (strcmp(a.name, "linear") == 0) {
            read_linear(s, &a, &r->map);
        } else {
            tsr_tuple const flat = flat_shape(s, shape);
            if (s->failed)
                return;
            if (strcmp(a.name, "blocked") == 0)
                read_blocked(s, &a, &flat, &r->map);
            else if (strcmp(a.name, "nvidia_mma") == 0)
                read_mma(s, &a, &flat, &r->map);
            else if (strcmp(a.name, "swizzled_shared") == 0 || strcmp(a.name, "shared") == 0)
                read_swizzled(s, &a, &flat, &r->map);
            else
                scan_fail(s, "linear, blocked, nvidia_mma, swizzled_shared and padded_shared are read");
        }
    }
    scan_expect(s, ">");
}

/** A basis as a list. */
static void write_row(writer *w, tsr_linear_side const *out, uint64_t x)
{
    int begin = 0;
    put(w, "[");
    for (int d = 0; d < out->count; begin += out->bits[d++])
        put(w, "%s%llu", d > 0 ? ", " : "",
            begin >= 64 ? 0ull : (unsigned long long)(x >> begin & (((uint64_t)1 << out->bits[d]) - 1)));
    put(w, "]");
}

void tsr_write_ttg_(writer *w, tsr_linear const *f, scan *s)
{
    tsr_verdict const onto = tsr_linear_is_surjective(*f);
    if (onto.answer != TSR_YES)
        scan_refuse(s, onto.why); /* the sizes of outputs are what the bases reach */
    for (int d = 0; d < f->out.count && !s->failed; ++d)
        if (strlen(f->out.name[d]) != 4 || strncmp(f->out.name[d], "dim", 3) != 0 || f->out.name[d][3] != '0' + d)
            scan_fail(s, "the outputs of #ttg.linear are dim0, dim1, ..: compose the map with its memory, or "
                         "use --to triton");
    for (int d = 0; d < f->in.count && !s->failed; ++d)
        if (f->in.count > 4 || strcmp(f->in.name[d], inputs[d]) != 0)
            scan_fail(s, "the inputs of #ttg.linear are register, lane, warp and block, in this order");
    put(w, "#ttg.linear<{");
    for (int d = 0, at = 0; d < 4; ++d) {
        put(w, "%s%s = [", d > 0 ? ", " : "", inputs[d]);
        for (int b = 0; d < f->in.count && b < f->in.bits[d]; ++b) {
            put(w, "%s", b > 0 ? ", " : "");
            write_row(w, &f->out, f->basis[at++]);
        }
        put(w, "]");
    }
    put(w, "}>");
}
