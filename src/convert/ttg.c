/** The layouts of Triton's dialect: linear, blocked and slices. Those of matrix instructions and of shared memory are
 *  in ttg_mma.c and ttg_shared.c. */
#include "convert/attribute.h"

int64_t const *tsr_ttg_order_(scan *s, attribute const *a, int rank)
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
    placed p = tsr_placed_begin_(rank, false);
    int64_t const *const order = tsr_ttg_order_(s, a, rank);
    for (int i = 0; i < 3; ++i) {
        int64_t const *const size = tsr_attribute_need_(s, a, keys[i], rank);
        for (int k = 0; k < rank && !s->failed; ++k)
            tsr_placed_add_(s, &p, i, (int)order[k], size[order[k]]);
    }
    if (!s->failed)
        *r = tsr_placed_fit_(s, &p, a, shape, order);
}

/** Is a field bases of an input? */
static bool is_basis(field const *f)
{
    static char const *const others[] = {"shape", "alignment", "pairs", "order"};
    bool basis = true;
    for (int i = 0; i < 4; ++i)
        basis = basis && strcmp(f->key, others[i]) != 0;
    return basis;
}

/** A list of bases of an input of #ttg.linear, into a map whose outputs grow with them. */
void tsr_ttg_linear_(scan *s, attribute const *a, tsr_linear *r)
{
    tsr_linear_side in = TSR_ZERO, out = TSR_ZERO;
    uint64_t basis[TSR_LINEAR_BITS] = {0};
    int64_t all[TSR_LINEAR_DIMS] = {0};
    field const *const shape = tsr_attribute_get_(a, "shape"); /* of Gluon: the sizes of the outputs */
    int rank = shape ? shape->count : -1, bits = 0;
    for (int k = 0; k < a->fields; ++k) {
        field const *const f = &a->of[k];
        if (!is_basis(f))
            continue;
        bool const some = f->rows > 0 || f->count > 0; /* a number and `true` are no list */
        int const columns = f->rows > 0 ? f->count / f->rows : rank;
        if (some && (!f->nested || (rank >= 0 && columns != rank) || columns < 1 || columns > TSR_LINEAR_DIMS))
            scan_fail(s, "bases are lists of one length, of 1 to 10 integers");
        if (s->failed)
            return;
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
    for (int d = 0; shape && d < rank && d < TSR_LINEAR_DIMS && !s->failed; ++d) {
        if (!tsr_is_pow2(shape->at[d]) || all[d] >= shape->at[d])
            scan_refuse(s, tsr_because(tsr_is_pow2(shape->at[d]) ? TSR_OUTSIDE : TSR_LINEAR_EXTENT, d,
                                       tsr_is_pow2(shape->at[d]) ? all[d] : shape->at[d], shape->at[d], 0));
        all[d] = shape->at[d] - 1;
    }
    if (rank > TSR_LINEAR_DIMS)
        scan_refuse(s, tsr_because(TSR_LINEAR_CAPACITY, 0, rank, TSR_LINEAR_DIMS, 0));
    for (int d = 0; d < rank && !s->failed; ++d) {
        char const name[] = {'d', 'i', 'm', (char)('0' + d), 0};
        tsr_linear_side_add(&out, name, tsr_bit_width((uint64_t)all[d]));
    }
    for (int k = 0, at = 0; k < a->fields && !s->failed; ++k)
        for (int row = is_basis(&a->of[k]) ? 0 : a->of[k].rows; row < a->of[k].rows; ++row, ++at)
            for (int d = 0, begin = 0; d < rank; begin += out.bits[d++])
                basis[at] |= begin < 64 ? (uint64_t)a->of[k].at[row * rank + d] << begin : 0;
    if (!s->failed)
        *r = tsr_make_linear(&in, &out, basis);
}

static void make(scan *s, attribute *a, tsr_tuple const *shape, tsr_linear *r, int depth);

/** The map of the parent over the shape with an extent of 1 more, without that dimension and without registers that
 *  hold what others do. */
static void read_slice(scan *s, attribute const *a, tsr_tuple const *shape, tsr_linear *r, int depth)
{
    int64_t const dim = *tsr_attribute_need_(s, a, "dim", 1);
    tsr_tuple wider = TSR_ZERO;
    attribute parent;
    tsr_linear f = tsr_bad_linear(tsr_no_reason());
    if (!s->failed && (dim < 0 || dim > shape->leaves || shape->leaves == TSR_LINEAR_DIMS || !a->parent || depth > 3))
        scan_fail(s, "slice has a dim of its parent, which has at most 10 dimensions and 3 parents of its own");
    if (s->failed)
        return;
    for (int d = 0; d <= shape->leaves; ++d)
        tsr_tuple_push_leaf(&wider,
                            d == dim ? tsr_leaf_static(1) : tsr_leaf_static(shape->leaf[d - (d > dim)].value));
    wider = tsr_tuple_close(wider);
    char const *const behind = s->p;
    s->p = a->parent;
    tsr_attribute_take_(s, &parent);
    make(s, &parent, &wider, &f, depth + 1);
    s->p = behind;
    if (s->failed || f.why.status) {
        *r = f;
        return;
    }
    tsr_linear_side out = TSR_ZERO;
    uint64_t basis[TSR_LINEAR_BITS] = {0};
    int kept = 0, registers = 0;
    for (int d = 0; d < shape->leaves; ++d)
        tsr_linear_side_add(&out, f.out.name[d], f.out.bits[d + (d >= dim)]);
    for (int b = 0; b < tsr_linear_bits(&f.in); ++b)
        if (b >= f.in.bits[0] || f.basis[b] != 0) {
            registers += b < f.in.bits[0];
            basis[kept++] = f.basis[b];
        }
    f.in.bits[0] = (uint8_t)registers;
    *r = tsr_make_linear(&f.in, &out, basis);
}

/** The map of an attribute over a shape. */
static void make(scan *s, attribute *a, tsr_tuple const *shape, tsr_linear *r, int depth)
{
    static struct {
        char const *name;
        void (*read)(scan *s, attribute const *a, tsr_tuple const *shape, tsr_linear *r);
    } const layouts[] = {
        {"blocked", read_blocked},     {"nvidia_mma", tsr_ttg_mma_},     {"amd_mfma", tsr_ttg_mfma_},
        {"amd_wmma", tsr_ttg_wmma_},   {"dot_op", tsr_ttg_operand_},     {"swizzled_shared", tsr_ttg_swizzled_},
        {"shared", tsr_ttg_swizzled_}, {"nvmma_shared", tsr_ttg_nvmma_}, {"amd_rotating_shared", tsr_ttg_swizzled_}};
    if (s->failed)
        return;
    if (strcmp(a->name, "slice") == 0) {
        read_slice(s, a, shape, r, depth);
        return;
    }
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; ++i)
        if (strcmp(a->name, layouts[i].name) == 0) {
            layouts[i].read(s, a, shape, r);
            return;
        }
    scan_fail(s, "linear, shared_linear, blocked, slice, dot_op, nvidia_mma, amd_mfma, amd_wmma, swizzled_shared, "
                 "nvmma_shared, amd_rotating_shared and padded_shared are read");
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
    char const *const name = strstr(s->p, "#ttg.") ? strstr(s->p, "#ttg.") : strstr(s->p, "#triton_gpu.");
    s->p = name ? name : s->p; /* an alias may stand in front: #blocked = */
    r->is_map = true;
    if (scan_take(s, "#ttg.padded_shared<")) {
        bool const own = strstr(s->p, "shape") || strstr(s->p, "offset"); /* the text has a shape */
        r->is_map = false;
        a.fields = 0;
        a.name[0] = 0;
        tsr_ttg_padded_(s, &a, own ? tsr_tuple_1(tsr_s(1)) : flat_shape(s, shape), &r->layout);
        scan_expect(s, ">");
        return;
    }
    tsr_attribute_take_(s, &a);
    if (!s->failed && strcmp(a.name, "padded_shared") == 0) {
        r->is_map = false;
        tsr_ttg_padded_(s, &a, shape, &r->layout);
        return;
    }
    if (!s->failed && (strcmp(a.name, "linear") == 0 || strcmp(a.name, "shared_linear") == 0)) {
        tsr_ttg_linear_(s, &a, &r->map);
        return;
    }
    tsr_tuple const flat = s->failed ? shape : flat_shape(s, shape);
    make(s, &a, &flat, &r->map, 0);
}

static char const *const inputs[] = {"register", "lane", "warp", "block"};

void tsr_write_ttg_(writer *w, tsr_linear const *f, scan *s)
{
    tsr_verdict const onto = tsr_linear_is_surjective(*f);
    if (onto.answer != TSR_YES)
        scan_refuse(s, onto.why); /* the sizes of outputs are what the bases reach */
    for (int d = 0; d < f->out.count && !s->failed; ++d)
        if (strlen(f->out.name[d]) != 4 || strncmp(f->out.name[d], "dim", 3) != 0 || f->out.name[d][3] != '0' + d)
            scan_fail(s, "the outputs of #ttg.linear are dim0, dim1, ..: compose the map with its memory, or "
                         "use --to triton");
    bool const shared = f->in.count > 0 && strcmp(f->in.name[0], "offset") == 0;
    for (int d = 0; d < f->in.count && !s->failed; ++d)
        if (f->in.count > (shared ? 2 : 4)
            || strcmp(f->in.name[d], shared && d == 0 ? "offset" : inputs[shared ? 3 : d]) != 0)
            scan_fail(s, "the inputs of #ttg.linear are register, lane, warp and block, in this order; those of "
                         "#ttg.shared_linear are offset and block");
    put(w, shared ? "#ttg.shared_linear<{" : "#ttg.linear<{");
    for (int d = 0, at = 0; d < (shared ? 2 : 4); ++d) {
        put(w, "%s%s = [", d > 0 ? ", " : "", shared && d == 0 ? "offset" : inputs[shared ? 3 : d]);
        for (int b = 0; d < f->in.count && b < f->in.bits[d]; ++b)
            tsr_write_basis_(w, b > 0 ? ", [" : "[", &f->out, f->basis[at++], ", ", "]");
        put(w, "]");
    }
    put(w, shared ? "}, alignment = 16>" : "}>");
}
