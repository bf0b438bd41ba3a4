/** Coalesce, composition and complement of layouts over named sizes.
 *
 *  Where the walk of composition must know which of two products divides the other, and neither does for all sizes, the
 *  guard that lets a tile fit into a mode is added.
 */
#include "symbolic/value.h"

/** Modes without parentheses. */
typedef struct flat {
    int n;
    product extent[TSR_MAX_LEAVES], stride[TSR_MAX_LEAVES];
} flat;

static void push_mode(sizes *s, flat *f, product extent, product stride)
{
    if (f->n == TSR_MAX_LEAVES) {
        tsr_size_fail_(s, "the result needs more than %d leaves (TSR_MAX_LEAVES)", TSR_MAX_LEAVES);
        return;
    }
    f->extent[f->n] = extent;
    f->stride[f->n++] = stride;
}

static flat flat_of(sizes *s, tsr_layout const *l)
{
    flat f;
    f.n = l->shape.leaves;
    for (int i = 0; i < f.n; ++i) {
        f.extent[i] = tsr_size_product_(s, l->shape.leaf[i]);
        f.stride[i] = tsr_size_product_(s, l->stride.leaf[i]);
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
        if (f.n > 0 && tsr_product_same_(&next, &stride))
            f.extent[f.n - 1] = tsr_product_mul_(s, f.extent[f.n - 1], extent);
        else
            push_mode(s, &f, extent, stride);
    }
    return f;
}

static void push_flat(sizes *s, tsr_layout *list, flat const *f)
{
    for (int i = 0; i < f->n; ++i) {
        tsr_layout const mode = tsr_symbol_layout_of_(s, f->extent[i], f->stride[i]);
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
    if (stride.c == 0 || tsr_product_is_(&extent, 1)) {
        push_mode(s, r, extent, stride.c == 0 ? stride : step_of_one(s, a, stride));
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
        push_mode(s, r, part, tsr_product_mul_(s, stride, a->stride[i]));
        stride = tsr_product_of_(1);
        if (tsr_product_is_(&extent, 1))
            return;
    }
    if (r->n == first || !tsr_product_is_(&extent, 1))
        push_mode(s, r, extent, tsr_product_mul_(s, stride, a->stride[a->n - 1]));
}

/** The modes of b do not carry into each other: in some order each stride is a multiple of the extent and stride before
 *  it. False: it failed. */
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
                first = used[k] || k == i || tsr_product_divides_(&end, &b->stride[k]);
            next = first ? i : -1;
        }
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

tsr_layout tsr_symbol_compose_(sizes *s, tsr_layout const *a, tsr_layout const *b)
{
    tsr_layout r = TSR_ZERO;
    flat const from = merged(s, a), by = flat_of(s, b);
    int order[TSR_MAX_LEAVES];
    if (!ordered(s, &by, order, "composition"))
        return r;
    for (int i = 0; i < by.n && !size_over_(s); ++i) {
        flat part;
        part.n = 0;
        compose_leaf(s, &from, by.extent[i], by.stride[i], &part);
        if (!size_over_(s))
            push_enclosed(s, &r, &part, b->shape.leaf[i]);
    }
    return r;
}

/* Complement */

tsr_layout tsr_symbol_complement_(sizes *s, tsr_layout const *l, product const *cotarget)
{
    flat const f = flat_of(s, l);
    flat r;
    int order[TSR_MAX_LEAVES], count = 0;
    product current = tsr_product_of_(1);
    r.n = 0;
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
