/** Triton's layouts of shared memory: swizzled_shared, nvmma_shared and padded_shared. */
#include "convert/attribute.h"

/** Rows are xored: groups of `vec` columns by the row / perPhase, of maxPhase. Rotating ones also by the number of the
 *  block of maxPhase such rows.
 *  Source  Triton, LinearLayoutConversions.cpp: swizzledSharedToLinearLayout, sharedToLinearLayoutAMDRotating. */
void tsr_ttg_swizzled_(scan *s, attribute const *a, tsr_tuple const *shape, tsr_linear *r)
{
    int const rank = shape->leaves;
    placed p = tsr_placed_begin_(rank, true);
    int64_t const *const order = tsr_ttg_order_(s, a, rank);
    int64_t const vec = *tsr_attribute_need_(s, a, "vec", 1), per = *tsr_attribute_need_(s, a, "perPhase", 1),
                  most = *tsr_attribute_need_(s, a, "maxPhase", 1);
    if (!s->failed && (!tsr_is_pow2(vec) || !tsr_is_pow2(per) || !tsr_is_pow2(most) || vec > 1024 || most > 1024))
        scan_fail(s, "vec, perPhase and maxPhase are powers of two up to 1024");
    int64_t parts[TSR_LINEAR_DIMS];
    tsr_placed_parts_(s, a, rank, parts);
    for (int i = 0; i < rank && !s->failed; ++i)
        tsr_placed_add_(s, &p, 0, (int)order[i], tsr_max64(1, shape->leaf[order[i]].value / parts[order[i]]));
    if (s->failed)
        return;
    int const columns = p.out[order[0]], rows = rank < 2 ? 0 : p.out[order[1]];
    *r = tsr_placed_fit_(s, &p, a, shape, order);
    if (s->failed || r->why.status)
        return;
    int begin = 0;
    for (int d = 0; d < order[0]; ++d)
        begin += r->out.bits[d];
    bool const rotating = strcmp(a->name, "amd_rotating_shared") == 0;
    for (int b = 0; b < rows; ++b) {
        int64_t const row = ((int64_t)1 << b) / per, block = rotating ? row / most % most : 0;
        int64_t const column = vec * (row % most ^ block);
        r->basis[columns + b] |= (uint64_t)(column & (((int64_t)1 << columns) - 1)) << begin;
    }
}

enum { PADDINGS = 8 };

/** Behind every so many elements so many are left out. */
typedef struct paddings {
    int count;
    int64_t every[PADDINGS], pads[PADDINGS];
} paddings;

/** What nvmma_shared says, checked; the shape of a block of the cluster, and of one copy of TMA. */
typedef struct nvmma {
    int64_t bytes, bits, part[TSR_LINEAR_DIMS], box[TSR_LINEAR_DIMS];
    int contiguous; /* the dimension along which memory is contiguous */
} nvmma;

/** The part of a block, and the box in it: at most 256 of each dimension, and the contiguous bytes of the swizzle. */
static void take_nvmma(scan *s, attribute const *a, tsr_tuple const *shape, nvmma *n)
{
    int const rank = shape->leaves;
    bool const transposed = tsr_attribute_number_(a, "transposed", 0) == 1;
    n->bytes = *tsr_attribute_need_(s, a, "swizzlingByteWidth", 1);
    n->bits = tsr_attribute_number_(a, "elementBitWidth", 16);
    n->contiguous =
        transposed && n->bytes > 0 ? 0 : rank - 1; /* Triton does not transpose what it does not swizzle */
    tsr_placed_parts_(s, a, rank, n->part);
    if (n->bytes != 0 && n->bytes != 32 && n->bytes != 64 && n->bytes != 128)
        scan_fail(s, "swizzlingByteWidth is 0, 32, 64 or 128");
    if (!tsr_is_pow2(n->bits) || n->bits < 4 || n->bits > 64)
        scan_fail(s, "elementBitWidth is a power of two from 4 to 64");
    if (tsr_attribute_number_(a, "fp4Padded", 0) == 1)
        scan_fail(s, "fp4Padded leaves gaps, which a linear map of elements has no words for");
    if (n->bytes > 0 && (rank < 2 || (transposed && rank != 2)))
        scan_fail(s, "swizzled nvmma_shared is read for tensors of rank 2 or more, transposed ones of rank 2");
    for (int d = 0; d < rank && !s->failed; ++d) {
        if (!tsr_is_pow2(shape->leaf[d].value))
            scan_refuse(s, tsr_because(TSR_LINEAR_EXTENT, d, shape->leaf[d].value, 0, 0));
        n->part[d] = tsr_max64(1, shape->leaf[d].value / n->part[d]);
        n->box[d] = tsr_min64(n->part[d], 256);
    }
    int64_t rows = 1, columns = s->failed ? 1 : 8 * n->bytes / n->bits;
    for (int d = 0; d < rank && !s->failed; ++d)
        rows *= d == n->contiguous ? 1 : n->box[d];
    if (!s->failed && n->bytes > 0 && (n->part[n->contiguous] < columns || rows < 8))
        scan_fail(s, "nvmma_shared needs 8 rows of %lld elements, not %lld of %lld", (long long)columns,
                  (long long)rows, (long long)n->part[n->contiguous]);
    if (n->bytes > 0)
        n->box[n->contiguous] = columns;
}

/** Rows of as many bytes as the swizzle has, whose pieces of 16 bytes are xored by the row; then the rows of the box,
 *  and the boxes. */
void tsr_ttg_nvmma_(scan *s, attribute const *a, tsr_tuple const *shape, tsr_linear *r)
{
    int const rank = shape->leaves;
    placed p = tsr_placed_begin_(rank, true);
    int64_t order[TSR_LINEAR_DIMS];
    nvmma n;
    take_nvmma(s, a, shape, &n);
    if (s->failed)
        return;
    int const last = n.contiguous;
    tsr_placed_add_(s, &p, 0, last, n.box[last]);
    for (int d = rank - 1; d >= 0; --d)
        if (d != last)
            tsr_placed_add_(s, &p, 0, d, n.box[d]);
    for (int d = 0; d < rank; ++d)
        order[d] = n.bytes == 0 ? rank - 1 - d : d; /* in which the boxes follow each other */
    *r = tsr_placed_fit_(s, &p, a, shape, order);
    int const columns = tsr_bit_width((uint64_t)n.box[last]) - 1;
    int begin = 0;
    for (int d = 0; d < last && !s->failed; ++d)
        begin += r->out.bits[d];
    for (int row = 0; row < 3 && n.bytes > 0 && !s->failed && !r->why.status; ++row) {
        int64_t const phases = n.bytes / 16, each = 8 / phases;
        r->basis[columns + row] |= (uint64_t)((128 / n.bits) * (((int64_t)1 << row) / each % phases)) << begin;
    }
}

/** [128:+4, 256:+8]; of Gluon a list of pairs. */
static void take_paddings(scan *s, attribute const *a, paddings *p)
{
    field const *const pairs = a ? tsr_attribute_get_(a, "pairs") : NULL;
    p->count = 0;
    if (a && (!pairs || pairs->count != 2 * pairs->rows || pairs->rows > PADDINGS))
        scan_fail(s, "interval_padding_pairs has at most 8 pairs");
    for (int i = 0; pairs && i < pairs->rows && !s->failed; ++i, ++p->count) {
        p->every[i] = pairs->at[2 * i];
        p->pads[i] = pairs->at[2 * i + 1];
    }
    if (a)
        return;
    for (bool more = scan_list(s, "[", "]"); more; more = scan_more(s, "]")) {
        if (p->count == PADDINGS) {
            scan_fail(s, "at most 8 paddings are read");
            return;
        }
        p->every[p->count] = scan_integer(s);
        scan_expect(s, ":+");
        p->pads[p->count++] = scan_integer(s);
    }
}

/** From an offset without paddings to one with them. */
static tsr_layout layout_of(scan *s, paddings const *p, int64_t size)
{
    tsr_tuple extents = TSR_ZERO, strides = TSR_ZERO;
    int64_t before = 1, stride = 1;
    for (int i = 0; i < p->count && !s->failed; ++i) {
        int64_t const every = p->every[i], pad = p->pads[i];
        if (every <= 0 || pad < 0 || every % before != 0 || pad > 1 << 30 || every > 1 << 30) {
            scan_fail(s, "intervals of padding ascend, each a multiple of the one before");
            break;
        }
        tsr_tuple_push_leaf(&extents, tsr_leaf_static(every / before));
        tsr_tuple_push_leaf(&strides, tsr_leaf_static(stride));
        stride = stride * (every / before) + pad; /* what one interval takes, with all paddings in it */
        before = every;
    }
    tsr_tuple_push_leaf(&extents, tsr_leaf_static(tsr_max64(1, (size + before - 1) / before)));
    tsr_tuple_push_leaf(&strides, tsr_leaf_static(stride));
    return tsr_layout_close_(extents, strides);
}

/** The layout of a tensor in the order of its dimensions. */
static tsr_layout in_order(scan *s, attribute const *a, tsr_tuple shape)
{
    field const *const own = tsr_attribute_get_(a, "shape");
    if (own) {
        shape = (tsr_tuple)TSR_ZERO;
        for (int i = 0; i < own->count && i < TSR_MAX_LEAVES; ++i)
            tsr_tuple_push_leaf(&shape, tsr_leaf_static(own->at[i]));
        shape = tsr_tuple_close(shape);
    }
    int64_t const *const order = tsr_ttg_order_(s, a, shape.leaves);
    tsr_tuple places = TSR_ZERO;
    for (int d = 0; d < shape.leaves && !s->failed; ++d) {
        int64_t place = 0;
        while (order[place] != d)
            ++place;
        tsr_tuple_push_leaf(&places, tsr_leaf_static(place));
    }
    return s->failed ? tsr_make_layout(1) : tsr_make_ordered_layout(shape, tsr_tuple_close(places));
}

/** The layout whose inverse the bases of offset are. */
static tsr_layout inverse_of_bases(scan *s, attribute const *a)
{
    tsr_linear f = tsr_bad_linear(tsr_no_reason());
    tsr_ttg_linear_(s, a, &f);
    if (!s->failed
        && (f.in.count < 1 || strcmp(f.in.name[0], "offset") != 0 || tsr_linear_bits(&f.in) != f.in.bits[0]))
        scan_fail(s, "padded_shared is read for one block: bases of offset only");
    tsr_layout l = tsr_make_layout(1);
    if (!s->failed)
        l = tsr_linear_to_layout(tsr_linear_left_inverse(tsr_linear_select_ins(f, tsr_s(0))));
    if (!s->failed && tsr_ok(l) && l.composed)
        scan_fail(s, "the bases swizzle: behind the paddings that is no layout");
    return l;
}

void tsr_ttg_padded_(scan *s, attribute *a, tsr_tuple shape, tsr_layout *r)
{
    paddings p;
    bool const printed = a->name[0] == 0; /* else the attribute has been read */
    take_paddings(s, printed ? NULL : a, &p);
    if (printed && !s->failed)
        tsr_attribute_read_(s, a);
    if (s->failed)
        return;
    tsr_layout const plain = tsr_attribute_get_(a, "offset") ? inverse_of_bases(s, a) : in_order(s, a, shape);
    tsr_layout const padded = s->failed || !tsr_ok(plain) ? plain : layout_of(s, &p, tsr_layout_size(plain));
    if (!s->failed)
        *r = tsr_ok(plain) ? tsr_composition(padded, plain) : plain;
}
