/** Coalesce, composition, complement and inverses of layouts over named sizes.
 *
 *  Where the walk of composition must know which of two products divides the other, and neither does for all sizes, the
 *  guard that lets a tile fit into a mode is added.
 */
#include "symbolic/value.h"

/** Modes without parentheses. A stride goes along a basis element, whose path is `unit`; 0 of plain integers. */
typedef struct flat {
    int n;
    product extent[TSR_MAX_LEAVES], stride[TSR_MAX_LEAVES];
    uint32_t unit[TSR_MAX_LEAVES];
} flat;

static void push_along(sizes *s, flat *f, product extent, product stride, uint32_t unit)
{
    if (f->n == TSR_MAX_LEAVES) {
        tsr_size_fail_(s, "the result needs more than %d leaves (TSR_MAX_LEAVES)", TSR_MAX_LEAVES);
        return;
    }
    f->extent[f->n] = extent;
    f->unit[f->n] = unit;
    f->stride[f->n++] = stride;
}

static void push_mode(sizes *s, flat *f, product extent, product stride) { push_along(s, f, extent, stride, 0); }

product tsr_symbol_stride_(sizes *s, tsr_leaf d)
{
    d.aux = tsr_leaf_is_basis(d) ? 0 : d.aux;
    return tsr_size_product_(s, d);
}

static flat flat_of(sizes *s, tsr_layout const *l)
{
    flat f;
    f.n = l->shape.leaves;
    for (int i = 0; i < f.n; ++i) {
        f.extent[i] = tsr_size_product_(s, l->shape.leaf[i]);
        f.stride[i] = tsr_symbol_stride_(s, l->stride.leaf[i]);
        f.unit[i] = tsr_symbol_unit_(l->stride.leaf[i]);
    }
    return f;
}

/** The modes of a layout, merged where one goes on from the one before. The last one stays, for what is beyond. */
static flat merged(sizes *s, tsr_layout const *l)
{
    flat const all = flat_of(s, l);
    flat f;
    f.n = 0;
    for (int i = 0; i < all.n; ++i) {
        product const extent = all.extent[i], stride = all.stride[i];
        if (tsr_product_is_(&extent, 1) && i + 1 < all.n)
            continue;
        product const next = f.n > 0 ? tsr_product_mul_(s, f.extent[f.n - 1], f.stride[f.n - 1]) : tsr_product_of_(0);
        if (f.n > 0 && f.unit[f.n - 1] == all.unit[i] && tsr_product_same_(&next, &stride))
            f.extent[f.n - 1] = tsr_product_mul_(s, f.extent[f.n - 1], extent);
        else
            push_along(s, &f, extent, stride, all.unit[i]);
    }
    return f;
}

static void push_flat(sizes *s, tsr_layout *list, flat const *f)
{
    for (int i = 0; i < f->n; ++i) {
        tsr_layout mode = tsr_symbol_layout_of_(s, f->extent[i], f->stride[i]);
        mode.stride.leaf[0].aux = f->unit[i];
        tsr_symbol_push_(list, &mode);
    }
}

/** Modes as a layout: one of them as itself, several in parentheses. */
static tsr_layout layout_of(sizes *s, flat const *f)
{
    tsr_layout r = TSR_ZERO;
    push_flat(s, &r, f);
    if (f->n != 1)
        tsr_symbol_close_(s, &r);
    return r;
}

tsr_layout tsr_symbol_coalesce_(sizes *s, tsr_layout const *l)
{
    flat f = merged(s, l);
    if (f.n > 1 && tsr_product_is_(&f.extent[f.n - 1], 1))
        --f.n;
    if (tsr_product_is_(&f.extent[0], 1))
        f.stride[0] = tsr_product_of_(0);
    return layout_of(s, &f);
}

/* Composition */

/** The part of what is left that goes into a mode of which `room` elements are left; the rest stays. */
static bool cut(sizes *s, product *rest, product room, product *part)
{
    bool const inside = tsr_product_is_number_(rest) && tsr_product_is_number_(&room) && rest->c < room.c;
    if (tsr_product_divides_(&room, rest)) {
        *part = room;
    } else if (inside || tsr_product_divides_(rest, &room)) {
        *part = *rest;
    } else if (tsr_size_can_divide_(s, *rest, room)) {
        tsr_size_divides_(s, *rest, room);
        return false;
    } else if (!tsr_size_divides_(s, room, *rest)) {
        return false;
    }
    *rest = tsr_product_div_(*rest, *part);
    return true;
}

/** Where a step of one element goes, as numbers have it: over every mode that it is a multiple of or inside of, into
 *  the last one; 0 where it is not known which. */
static product step_of_one(sizes *s, flat const *a, product stride)
{
    bool const back = stride.c < 0;
    stride.c = back ? -stride.c : stride.c;
    for (int i = 0; i + 1 < a->n; ++i) {
        product const n = a->extent[i];
        if (tsr_product_divides_(&n, &stride))
            stride = tsr_product_div_(stride, n);
        else if (tsr_product_divides_(&stride, &n))
            stride = tsr_product_of_(1);
        else
            return tsr_product_of_(0);
    }
    stride.c = back ? -stride.c : stride.c;
    return tsr_product_mul_(s, stride, a->stride[a->n - 1]);
}

/** extent:stride over the modes of a, pushed to r. */
static void compose_leaf(sizes *s, flat const *a, product extent, product stride, flat *r)
{
    int const first = r->n;
    int const last = a->n - 1;
    if (stride.c == 0 || tsr_product_is_(&extent, 1)) {
        push_along(s, r, extent, stride.c == 0 ? stride : step_of_one(s, a, stride),
                   stride.c == 0 ? 0 : a->unit[last]);
        return;
    }
    if (stride.c < 0) {
        tsr_size_fail_(s, "composition: a stride on the right is negative");
        return;
    }
    for (int i = 0; i + 1 < a->n && !size_over_(s); ++i) {
        product const n = a->extent[i];
        if (tsr_product_divides_(&n, &stride)) {
            stride = tsr_product_div_(stride, n);
            continue;
        }
        bool const steps = !tsr_size_can_divide_(s, stride, n) && tsr_size_can_divide_(s, n, stride);
        if (!tsr_size_divides_(s, steps ? n : stride, steps ? stride : n))
            return;
        product part = tsr_product_of_(1);
        if (!cut(s, &extent, tsr_product_div_(n, stride), &part))
            return;
        push_along(s, r, part, tsr_product_mul_(s, stride, a->stride[i]), a->unit[i]);
        stride = tsr_product_of_(1);
        if (tsr_product_is_(&extent, 1))
            return;
    }
    if (r->n == first || !tsr_product_is_(&extent, 1))
        push_along(s, r, extent, tsr_product_mul_(s, stride, a->stride[last]), a->unit[last]);
}

/** May guards say that the stride of each unused mode is a multiple of the extent and stride of mode i? */
static bool can_be_first(sizes *s, flat const *b, bool const *used, int i)
{
    product const end = tsr_product_mul_(s, b->extent[i], b->stride[i]);
    bool r = !used[i];
    for (int k = 0; r && k < b->n; ++k)
        r = used[k] || k == i || tsr_size_can_divide_(s, end, b->stride[k]);
    return r;
}

/** Adds the guards under which the only mode that can be the first of the unused ones is. */
static void guard_first(sizes *s, flat const *b, bool const *used)
{
    int first = -1, several = 0;
    for (int i = 0; i < b->n; ++i)
        if (can_be_first(s, b, used, i)) {
            first = i;
            ++several;
        }
    for (int k = 0; several == 1 && k < b->n; ++k)
        if (!used[k] && k != first)
            (void)tsr_size_divides_(s, tsr_product_mul_(s, b->extent[first], b->stride[first]), b->stride[k]);
}

/** The modes of b do not carry into each other: in some order each stride is a multiple of the extent and stride before
 *  it. False: it is over. */
static bool ordered(sizes *s, flat const *b, int *order, char const *operation)
{
    bool used[TSR_MAX_LEAVES] = {false};
    int count = 0, found = 0;
    for (int i = 0; i < b->n; ++i) {
        used[i] = b->stride[i].c == 0 || tsr_product_is_(&b->extent[i], 1);
        count += !used[i];
    }
    while (found < count) {
        int next = -1;
        for (int i = 0; i < b->n && next < 0; ++i) {
            bool first = !used[i];
            product const end = tsr_product_mul_(s, b->extent[i], b->stride[i]);
            for (int k = 0; first && k < b->n; ++k)
                first = used[k] || k == i || b->unit[k] != b->unit[i] || tsr_product_divides_(&end, &b->stride[k]);
            next = first ? i : -1;
        }
        if (next < 0)
            guard_first(s, b, used);
        if (next < 0 && s->again)
            return false;
        if (next < 0 || s->failed) {
            tsr_size_fail_(
                s,
                "%s: no order of the strides is known in which each is a multiple of extent times stride before "
                "it",
                operation);
            return false;
        }
        used[next] = true;
        order[found++] = next;
    }
    return true;
}

/** Pushes modes in the parentheses of the leaf that they come from. */
static void push_enclosed(sizes *s, tsr_layout *list, flat const *f, tsr_leaf where)
{
    int const first = list->shape.leaves;
    push_flat(s, list, f);
    tsr_enclose_(&list->shape, first, where);
    tsr_enclose_(&list->stride, first, where);
    if (!list->shape.status && list->shape.leaf[first].open > TSR_MAX_OPEN)
        list->shape = tsr_bad_tuple(TSR_DEPTH, 0, 0, 0, 0);
    tsr_symbol_check_layout_(s, list);
}

/** The modes of a that a basis element names, merged. */
static flat merged_part(sizes *s, tsr_layout const *a, uint32_t unit)
{
    tsr_layout part = *a;
    for (; unit != 0 && !s->failed; unit >>= 5) {
        part = tsr_mode(part, (int)(unit & 31u) - 1);
        tsr_symbol_check_layout_(s, &part);
    }
    return merged(s, s->failed ? a : &part);
}

tsr_layout tsr_symbol_compose_(sizes *s, tsr_layout const *a, tsr_layout const *b)
{
    tsr_layout r = TSR_ZERO;
    flat const by = flat_of(s, b);
    int order[TSR_MAX_LEAVES];
    if (!ordered(s, &by, order, "composition"))
        return r;
    for (int i = 0; i < by.n && !size_over_(s); ++i) {
        flat const from = merged_part(s, a, by.unit[i]);
        flat part;
        part.n = 0;
        compose_leaf(s, &from, by.extent[i], by.stride[i], &part);
        if (!size_over_(s))
            push_enclosed(s, &r, &part, b->shape.leaf[i]);
    }
    return r;
}

/** Fails where a stride goes along a basis element. */
static void need_offsets(sizes *s, flat const *f, char const *operation)
{
    for (int i = 0; i < f->n; ++i)
        if (f->unit[i] != 0)
            tsr_size_fail_(s, "%s: mode %d has a basis stride, and the strides of offsets are needed", operation, i);
}

/* Complement */

tsr_layout tsr_symbol_complement_(sizes *s, tsr_layout const *l, product const *cotarget)
{
    flat const f = flat_of(s, l);
    flat r;
    int order[TSR_MAX_LEAVES], count = 0;
    product current = tsr_product_of_(1);
    r.n = 0;
    need_offsets(s, &f, "complement");
    for (int i = 0; i < f.n; ++i)
        count += f.stride[i].c != 0 && !tsr_product_is_(&f.extent[i], 1);
    if (!ordered(s, &f, order, "complement"))
        return tsr_symbol_layout_of_(s, current, current);
    for (int k = 0; k < count && !size_over_(s); ++k) {
        product const stride = f.stride[order[k]];
        if (!tsr_size_divides_(s, current, stride))
            break;
        product const gap = tsr_product_div_(stride, current);
        if (!tsr_product_is_(&gap, 1))
            push_mode(s, &r, gap, current);
        current = tsr_product_mul_(s, stride, f.extent[order[k]]);
    }
    if (cotarget && !tsr_size_divides_(s, current, *cotarget))
        return tsr_symbol_layout_of_(s, current, current);
    product const rest = cotarget ? tsr_product_div_(*cotarget, current) : tsr_product_of_(1);
    bool const ends = cotarget && tsr_product_is_(&rest, 1); /* nothing is left: 1:0, or the modes so far */
    if (!ends || r.n == 0)
        push_mode(s, &r, rest, ends ? tsr_product_of_(0) : current);
    return layout_of(s, &r);
}

/* Inverses */

/** The product of the extents before mode i. */
static product before(sizes *s, flat const *f, int i)
{
    product r = tsr_product_of_(1);
    for (int k = 0; k < i; ++k)
        r = tsr_product_mul_(s, r, f->extent[k]);
    return r;
}

/** Does mode i count elements along a basis element? */
static bool counts_along(flat const *f, int i, uint32_t unit)
{
    return f->stride[i].c != 0 && f->unit[i] == unit && !tsr_product_is_(&f->extent[i], 1);
}

/** Do a and b differ for all quotients? One is a multiple of the other, by a number beyond 1. */
static bool always_differ(product const *a, product const *b)
{
    bool const up = tsr_product_divides_(a, b), down = tsr_product_divides_(b, a);
    return a->c < 0 || b->c < 0 || (up && a->c != b->c) || (down && a->c != b->c);
}

/** The modes whose strides continue each other from 1 on. It must be known of the others that they never do. */
static void invert_right(sizes *s, flat const *f, uint32_t unit, flat *r)
{
    bool used[TSR_MAX_LEAVES] = {false};
    product next = tsr_product_of_(1);
    for (int i = 0; i < f->n && !size_over_(s); ++i) {
        if (used[i] || !counts_along(f, i, unit) || !tsr_product_same_(&f->stride[i], &next))
            continue;
        for (int k = 0; k < f->n; ++k)
            if (k != i && !used[k] && counts_along(f, k, unit) && tsr_product_same_(&f->stride[k], &next))
                tsr_size_fail_(s, "right_inverse: modes %d and %d have the same stride", i, k);
        push_mode(s, r, f->extent[i], before(s, f, i));
        next = tsr_product_mul_(s, next, f->extent[i]);
        used[i] = true;
        i = -1;
    }
    product reached = tsr_product_of_(1);
    for (int k = 0; k <= r->n; ++k) {
        for (int i = 0; i < f->n; ++i)
            if (!used[i] && counts_along(f, i, unit) && !always_differ(&f->stride[i], &reached))
                tsr_size_fail_(s, "right_inverse: for some sizes the stride of mode %d follows the smaller ones", i);
        if (k < r->n)
            reached = tsr_product_mul_(s, reached, r->extent[k]);
    }
}

/** The modes by ascending stride, each a multiple of extent and stride before it, which guards may say. */
static void invert_left(sizes *s, flat const *f, uint32_t unit, flat *r)
{
    product stride = tsr_product_of_(1), at = tsr_product_of_(0);
    int order[TSR_MAX_LEAVES], count = 0, mine = 0;
    flat part = *f;
    for (int i = 0; i < f->n; ++i) {
        part.stride[i] = counts_along(f, i, unit) ? f->stride[i] : tsr_product_of_(0);
        count += part.stride[i].c != 0;
        mine = part.stride[i].c != 0 ? i : mine;
        if (part.stride[i].c < 0)
            tsr_size_fail_(s, "left_inverse: the stride of mode %d is negative", i);
    }
    if (size_over_(s) || !ordered(s, &part, order, "left_inverse"))
        return;
    for (int k = 0; k < count; ++k) {
        mine = order[k];
        push_mode(s, r, tsr_product_div_(f->stride[mine], stride), at);
        stride = f->stride[mine];
        at = before(s, f, mine);
    }
    push_mode(s, r, count > 0 || unit == 0 ? f->extent[mine] : tsr_product_of_(1), at);
}

/** The inverse along one basis element, merged. */
static flat inverse_along(sizes *s, flat const *f, uint32_t unit, bool right)
{
    flat r;
    tsr_layout whole = TSR_ZERO;
    r.n = 0;
    push_mode(s, &r, tsr_product_of_(1), tsr_product_of_(0));
    if (right)
        invert_right(s, f, unit, &r);
    else
        invert_left(s, f, unit, &r);
    push_flat(s, &whole, &r);
    return size_over_(s) ? r : merged(s, &whole);
}

tsr_layout tsr_symbol_inverse_(sizes *s, tsr_layout const *l, bool right)
{
    flat const f = merged(s, l);
    tsr_layout r = TSR_ZERO;
    tsr_tuple const value = tsr_coprofile_of(*l, tsr_unit()), unit = tsr_make_basis_like(value);
    tsr_symbol_check_(s, value.status ? &value : &unit);
    if (!tsr_has_basis(&l->stride)) {
        flat const part = inverse_along(s, &f, 0, right);
        return size_over_(s) ? r : layout_of(s, &part);
    }
    for (int i = 0; i < f.n; ++i)
        if (f.unit[i] == 0 && f.stride[i].c != 0)
            tsr_size_fail_(s, "%s_inverse: an integer stands beside basis strides", right ? "right" : "left");
    for (int i = 0; i < value.leaves && !size_over_(s); ++i) {
        flat const part = inverse_along(s, &f, unit.leaf[i].aux, right);
        if (!size_over_(s))
            push_enclosed(s, &r, &part, value.leaf[i]);
    }
    return r;
}
