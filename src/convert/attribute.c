/** Attributes of Triton as they are printed, and what all of them share: the tile of a block, repeated in registers or
 *  cut to the shape, then the blocks of a cluster. */
#include "convert/attribute.h"

/** [1, 2] or [[1, 2], [3, 4]] */
static void read_list(scan *s, field *f)
{
    for (bool more = scan_list(s, "[", "]"); more; more = scan_more(s, "]")) {
        int const begin = f->count;
        bool const nested = scan_next(s) == '[', same = f->rows == 0 || nested == f->nested;
        f->nested = nested;
        if (nested)
            f->count += scan_integers(s, "[", "]", NUMBERS - begin, f->at + begin);
        else if (begin == NUMBERS)
            scan_fail(s, "at most %d integers are listed here", NUMBERS);
        else
            f->at[f->count++] = scan_integer(s);
        ++f->rows;
        if (!same || (nested && f->count != f->rows * (f->count - begin)))
            scan_fail(s, "lists of one length are expected here");
    }
}

/** Passes an attribute within another one, whose brackets pair up. */
static void pass_parent(scan *s, attribute *a)
{
    scan_blanks(s);
    a->parent = s->p;
    for (int open = 0; s->p < s->end; ++s->p) {
        if (open == 0 && scan_is(s, ",})>"))
            return;
        open += scan_is(s, "<({[") - scan_is(s, ">)}]");
    }
    scan_fail(s, "the parent of this layout does not end");
}

void tsr_attribute_empty_(field *f)
{
    f->key[0] = 0;
    f->nested = false;
    f->count = f->rows = 0;
}

void tsr_attribute_value_(scan *s, attribute *a, field *f)
{
    if (scan_next(s) == '[')
        read_list(s, f);
    else if (scan_take(s, "true") || scan_take(s, "false") || scan_take(s, "True") || scan_take(s, "False"))
        f->at[f->count++] = s->p[-2] == 'u';
    else if (strcmp(f->key, "parent") == 0)
        pass_parent(s, a);
    else if (strcmp(f->key, "ctaLayout") == 0)
        tsr_attribute_read_(s, a); /* its parts, register and warp, are as good as the attribute's own */
    else
        f->at[f->count++] = scan_integer(s);
}

void tsr_attribute_read_(scan *s, attribute *a)
{
    for (bool more = scan_list(s, "{", "}"); more; more = scan_more(s, "}")) {
        if (a->fields == FIELDS)
            scan_fail(s, "an attribute has at most 12 parts");
        if (s->failed)
            return;
        field *const f = &a->of[a->fields++];
        tsr_attribute_empty_(f);
        scan_word(s, f->key, sizeof f->key);
        scan_expect(s, "=");
        tsr_attribute_value_(s, a, f);
    }
}

void tsr_attribute_take_(scan *s, attribute *a)
{
    a->name[0] = 0;
    a->fields = 0;
    a->parent = NULL;
    if (scan_next(s) != '#') {
        tsr_gluon_take_(s, a);
        return;
    }
    if (!scan_take(s, "#ttg.") && !scan_take(s, "#triton_gpu."))
        scan_fail(s, "`#ttg.` is expected here; write the parent in the place of its alias");
    scan_word(s, a->name, sizeof a->name);
    scan_expect(s, "<");
    tsr_attribute_read_(s, a);
    if (scan_take(s, ","))
        scan_expect(s, "alignment"), scan_expect(s, "="), (void)scan_integer(s);
    scan_expect(s, ">");
}

field const *tsr_attribute_get_(attribute const *a, char const *key)
{
    for (int i = 0; i < a->fields; ++i)
        if (strcmp(a->of[i].key, key) == 0)
            return &a->of[i];
    return NULL;
}

int64_t const *tsr_attribute_need_(scan *s, attribute const *a, char const *key, int count)
{
    static int64_t const ones[TSR_LINEAR_DIMS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    field const *const f = tsr_attribute_get_(a, key);
    if (!f || f->nested || f->count != count)
        scan_fail(s, "%s of %d integers is needed here", key, count);
    return s->failed ? ones : f->at;
}

int64_t tsr_attribute_number_(attribute const *a, char const *key, int64_t absent)
{
    field const *const f = tsr_attribute_get_(a, key);
    return f && f->count == 1 && !f->nested ? f->at[0] : absent;
}

placed tsr_placed_begin_(int rank, bool shared)
{
    static char const *const inputs[] = {"register", "lane", "warp", "block"};
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

void tsr_placed_bit_(scan *s, placed *p, int in, int dim, int at)
{
    if (s->failed)
        return;
    if (p->bits[in] == TSR_LINEAR_BITS || at >= TSR_LINEAR_DIM_BITS) {
        scan_refuse(s, tsr_because(TSR_LINEAR_CAPACITY, 0, TSR_LINEAR_BITS + 1, TSR_LINEAR_BITS, 0));
        return;
    }
    p->to[in][p->bits[in]].dim = dim;
    p->to[in][p->bits[in]++].at = at;
    if (dim >= 0 && p->out[dim] <= at)
        p->out[dim] = at + 1;
}

void tsr_placed_add_(scan *s, placed *p, int in, int dim, int64_t size)
{
    if (!s->failed && !tsr_is_pow2(size))
        scan_refuse(s, tsr_because(TSR_LINEAR_EXTENT, dim < 0 ? 0 : dim, size, 0, 0));
    for (int64_t n = 1; !s->failed && n < size; n *= 2)
        tsr_placed_bit_(s, p, in, dim, dim < 0 ? 0 : p->out[dim]);
}

/** Cuts an output: the highest of its bits go nowhere. */
static void shrink(placed *p, int dim, int bits)
{
    for (; p->out[dim] > bits; --p->out[dim])
        for (int i = 0; i < p->ins; ++i)
            for (int b = 0; b < p->bits[i]; ++b)
                if (p->to[i][b].dim == dim && p->to[i][b].at == p->out[dim] - 1)
                    p->to[i][b].dim = -1;
}

tsr_linear tsr_placed_map_(placed const *p)
{
    static char const *const dims[] = {"dim0", "dim1", "dim2", "dim3", "dim4",
                                       "dim5", "dim6", "dim7", "dim8", "dim9"};
    tsr_linear_side in = TSR_ZERO, out = TSR_ZERO;
    uint64_t basis[TSR_LINEAR_BITS] = {0};
    int begin[TSR_LINEAR_DIMS] = {0}, at = 0, bits = 0;
    for (int d = 0; d < p->outs; bits += p->out[d++]) {
        begin[d] = bits;
        tsr_linear_side_add(&out, dims[d], p->out[d]);
    }
    for (int i = 0; i < p->ins; ++i) {
        tsr_linear_side_add(&in, p->in_name[i], p->bits[i]);
        for (int b = 0; b < p->bits[i] && at < TSR_LINEAR_BITS; ++b, ++at) {
            int const dim = p->to[i][b].dim, to = dim < 0 ? 0 : begin[dim] + p->to[i][b].at;
            basis[at] = dim < 0 || to >= TSR_LINEAR_BITS ? 0 : (uint64_t)1 << to;
        }
    }
    return tsr_make_linear(&in, &out, basis);
}

/** The blocks of a cluster as bases of the input block: CGALayout. */
static void add_bases(scan *s, placed *p, field const *f)
{
    int const block = p->ins - 1;
    if (f->count > 0 && (!f->nested || f->count != f->rows * p->outs))
        scan_fail(s, "CGALayout has a list of as many integers as dimensions for each bit of the block");
    for (int row = 0; row < f->rows && f->nested && !s->failed; ++row) {
        int dim = -1;
        for (int d = 0; d < p->outs; ++d) {
            int64_t const x = f->at[row * p->outs + d];
            if (x != 0 && (dim >= 0 || !tsr_is_pow2(x)))
                scan_fail(s, "a basis of CGALayout is one power of two");
            dim = x != 0 ? d : dim;
        }
        tsr_placed_bit_(s, p, block, dim,
                        dim < 0 || s->failed ? 0 : tsr_bit_width((uint64_t)f->at[row * p->outs + dim]) - 1);
    }
}

/** The blocks of a cluster: CTAsPerCGA, of which CTASplitNum have elements of their own, in the order of CTAOrder. */
static void add_blocks(scan *s, placed *p, attribute const *a)
{
    int const block = p->ins - 1;
    field const *const bases = tsr_attribute_get_(a, "CGALayout");
    if (bases)
        add_bases(s, p, bases);
    if (bases || !tsr_attribute_get_(a, "CTAsPerCGA") || s->failed)
        return;
    int64_t const *const ctas = tsr_attribute_need_(s, a, "CTAsPerCGA", p->outs),
                         *const split = tsr_attribute_need_(s, a, "CTASplitNum", p->outs),
                         *const order = tsr_attribute_need_(s, a, "CTAOrder", p->outs);
    for (int i = 0; i < p->outs && !s->failed; ++i) {
        int64_t const d = order[i];
        if (d < 0 || d >= p->outs || split[d] < 1 || ctas[d] % split[d] != 0) {
            scan_fail(s, "CTASplitNum divides CTAsPerCGA, and CTAOrder names dimensions");
            return;
        }
        tsr_placed_add_(s, p, block, (int)d, split[d]);
        tsr_placed_add_(s, p, block, -1, ctas[d] / split[d]);
    }
}

void tsr_placed_parts_(scan *s, attribute const *a, int rank, int64_t *parts)
{
    placed p = tsr_placed_begin_(rank, true);
    add_blocks(s, &p, a);
    for (int d = 0; d < rank; ++d)
        parts[d] = (int64_t)1 << p.out[d];
}

tsr_linear tsr_placed_fit_(scan *s, placed *p, attribute const *a, tsr_tuple const *shape, int64_t const *minor)
{
    placed blocks = *p;
    memset(blocks.bits, 0, sizeof blocks.bits);
    memset(blocks.out, 0, sizeof blocks.out);
    add_blocks(s, &blocks, a);
    for (int i = 0; i < p->outs && !s->failed; ++i) {
        int const d = (int)minor[i];
        int64_t const extent = shape->leaf[d].value;
        if (!tsr_is_pow2(extent)) {
            scan_refuse(s, tsr_because(TSR_LINEAR_EXTENT, d, extent, 0, 0));
            break;
        }
        int const bits = tsr_bit_width((uint64_t)extent) - 1;
        shrink(&blocks, d, bits);
        if (p->out[d] < bits - blocks.out[d])
            tsr_placed_add_(s, p, 0, d, (int64_t)1 << (bits - blocks.out[d] - p->out[d]));
        shrink(p, d, bits - blocks.out[d]);
    }
    for (int b = 0, in = p->ins - 1; b < blocks.bits[in] && !s->failed; ++b) {
        int const dim = blocks.to[in][b].dim;
        p->to[in][p->bits[in]].dim = dim;
        p->to[in][p->bits[in]++].at = dim < 0 ? 0 : p->out[dim] + blocks.to[in][b].at;
    }
    for (int d = 0; d < p->outs; ++d)
        p->out[d] += blocks.out[d];
    return s->failed ? tsr_bad_linear(tsr_no_reason()) : tsr_placed_map_(p);
}
