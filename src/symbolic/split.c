/** What acts mode by mode: divides, products and composition. */
#include "symbolic/operation.h"

#include <string.h>

/* Mode by mode */

/** What a tiler has for mode i: an item, or NULL where it leaves the mode as it is. */
static symbol const *item_of(symbol const *by, int i, symbol *room)
{
    if (by->kind == SYMBOL_TILER)
        return i < by->items && !(by->item[i].kind == SYMBOL_TUPLE && tsr_symbol_is_wild_(&by->item[i].layout.shape))
                   ? &by->item[i]
                   : NULL;
    memset(room, 0, sizeof *room);
    if (i >= tsr_symbol_rank_(&by->layout.shape))
        return NULL;
    room->kind = SYMBOL_TUPLE;
    room->layout.shape = tsr_symbol_mode_(&by->layout.shape, i);
    return tsr_symbol_is_wild_(&room->layout.shape) ? NULL : room;
}

/** Does a value act mode by mode, as a tuple and a tiler do? */
static bool acts_by_mode(symbol const *by)
{
    return by->kind == SYMBOL_TILER || (by->kind == SYMBOL_TUPLE && !tsr_symbol_is_leaf_(&by->layout.shape));
}

static int modes_of(symbol const *by)
{
    return by->kind == SYMBOL_TILER ? by->items : tsr_symbol_rank_(&by->layout.shape);
}

/** The layout that an item is: an integer n is n:1. */
static symbol_layout layout_of_item(sizes *s, symbol const *item)
{
    if (item->kind == SYMBOL_LAYOUT)
        return item->layout;
    if (tsr_symbol_is_wild_(&item->layout.shape))
        tsr_size_fail_(s, "`_` is for a mode of a tiler here");
    else if (item->layout.shape.leaf[0].c <= 0)
        tsr_size_fail_(s, "a tile of %lld elements is not positive", (long long)item->layout.shape.leaf[0].c);
    return tsr_symbol_layout_of_(item->layout.shape.leaf[0], tsr_product_of_(1));
}

/** The same of a divide or a product, where a tile of 1 is its compact layout, 1:0. */
static symbol_layout tile_of_item(sizes *s, symbol const *item)
{
    symbol_layout t = layout_of_item(s, item);
    if (item->kind == SYMBOL_TUPLE && tsr_product_is_(&t.shape.leaf[0], 1))
        t.stride.leaf[0] = tsr_product_of_(0);
    return t;
}

/** An operation on a mode and its item, which is core's where neither has names. */
static symbol_layout on_mode(sizes *s, char const *name, symbol_layout const *mode, symbol const *item)
{
    static symbol_path const whole;
    symbol argument[2], r;
    memset(&r, 0, sizeof r);
    memset(argument, 0, sizeof argument);
    argument[0].kind = SYMBOL_LAYOUT;
    argument[0].layout = *mode;
    argument[1] = *item;
    tsr_symbol_call_(s, name, strlen(name), &whole, argument, 2, &r);
    return r.layout;
}

/** How a layout t splits l: into a tile and the rest, or, in a product, into the block l and its repetitions. */
static symbol_layout split(sizes *s, symbol_layout const *l, symbol_layout const *t, bool repeats)
{
    symbol_layout first, rest;
    if (repeats) {
        first = *l;
        rest = tsr_symbol_complement_(s, l, NULL);
        if (!size_over_(s))
            rest = tsr_symbol_compose_(s, &rest, t);
    } else {
        product const size = tsr_symbol_size_(s, &l->shape);
        first = tsr_symbol_compose_(s, l, t);
        rest = size_over_(s) ? *l : tsr_symbol_complement_(s, t, &size);
        if (!size_over_(s))
            rest = tsr_symbol_compose_(s, l, &rest);
    }
    return size_over_(s) ? *l : tsr_symbol_pair_(s, &first, &rest);
}

/** Pushes a layout, or its modes. */
static void push_modes(sizes *s, symbol_layout *list, symbol_layout const *l, bool spread)
{
    if (!spread || tsr_symbol_is_leaf_(&l->shape)) {
        tsr_symbol_layout_push_(s, list, l);
        return;
    }
    for (int i = 0; i < tsr_symbol_rank_(&l->shape); ++i) {
        symbol_layout const mode = tsr_symbol_layout_mode_(l, i);
        tsr_symbol_layout_push_(s, list, &mode);
    }
}

/** (first, rest) as `form` wants it. */
static symbol_layout formed(sizes *s, symbol_layout const *first, symbol_layout const *rest, int form)
{
    symbol_layout r;
    memset(&r, 0, sizeof r);
    push_modes(s, &r, first, form == SPLIT_FLAT);
    push_modes(s, &r, rest, form >= SPLIT_TILED);
    tsr_symbol_layout_close_(s, &r);
    return r;
}

static symbol_layout split_by_mode(sizes *s, symbol_layout const *l, symbol const *by, int form, bool repeats)
{
    static char const *const names[2][2] = {{"logical_divide", "zipped_divide"}, {"logical_product", "zipped_product"}};
    symbol_layout firsts, rests, whole;
    symbol_layout const one = tsr_symbol_layout_of_(tsr_product_of_(1), tsr_product_of_(0));
    int const rank = tsr_symbol_rank_(&l->shape), given = modes_of(by);
    memset(&firsts, 0, sizeof firsts);
    rests = whole = firsts;
    if (given > rank)
        tsr_size_fail_(s, "the tiler has %d modes, the layout has %d", given, rank);
    for (int i = 0; i < rank && !size_over_(s); ++i) {
        symbol room;
        symbol_layout const mode = tsr_symbol_layout_mode_(l, i);
        symbol const *const item = item_of(by, i, &room);
        symbol_layout part = mode, first = one, rest = mode;
        if (item) {
            part = on_mode(s, names[repeats][form != SPLIT_LOGICAL], &mode, item);
            if (size_over_(s))
                break;
        }
        if (item && form != SPLIT_LOGICAL) {
            first = tsr_symbol_layout_mode_(&part, 0);
            rest = tsr_symbol_layout_mode_(&part, 1);
        }
        tsr_symbol_layout_push_(s, &whole, &part);
        if (i < given)
            tsr_symbol_layout_push_(s, &firsts, &first);
        tsr_symbol_layout_push_(s, &rests, &rest);
    }
    if (size_over_(s))
        return one;
    tsr_symbol_layout_close_(s, &whole);
    tsr_symbol_layout_close_(s, &firsts);
    tsr_symbol_layout_close_(s, &rests);
    return form == SPLIT_LOGICAL ? whole : formed(s, &firsts, &rests, form);
}

void tsr_symbol_run_split_(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    int const form = variant & 3;
    bool const repeats = (variant & SPLIT_PRODUCT) != 0;
    (void)n;
    r->kind = SYMBOL_LAYOUT;
    if (acts_by_mode(&arg[1])) {
        r->layout = split_by_mode(s, &arg[0].layout, &arg[1], form, repeats);
        return;
    }
    symbol_layout const t = tile_of_item(s, &arg[1]);
    symbol_layout const both = size_over_(s) ? t : split(s, &arg[0].layout, &t, repeats);
    if (size_over_(s))
        return;
    symbol_layout const first = tsr_symbol_layout_mode_(&both, 0), rest = tsr_symbol_layout_mode_(&both, 1);
    r->layout = form < SPLIT_TILED ? both : formed(s, &first, &rest, form);
}

/** A layout with modes 1:0 behind, up to a rank. */
static symbol_layout padded(sizes *s, symbol_layout const *l, int rank)
{
    symbol_layout r;
    symbol_layout const one = tsr_symbol_layout_of_(tsr_product_of_(1), tsr_product_of_(0));
    memset(&r, 0, sizeof r);
    push_modes(s, &r, l, true);
    for (int i = tsr_symbol_rank_(&l->shape); i < rank; ++i)
        tsr_symbol_layout_push_(s, &r, &one);
    tsr_symbol_layout_close_(s, &r);
    return r;
}

/** Blocks side by side, ((block,count),..), or interleaved, ((count,block),..). */
void tsr_symbol_run_blocked_(sizes *s, symbol *arg, int n, int raked, symbol *r)
{
    symbol_layout const counts = arg[1].layout;
    int const a = tsr_symbol_rank_(&arg[0].layout.shape), b = tsr_symbol_rank_(&counts.shape), rank = a > b ? a : b;
    symbol_layout const block = padded(s, &arg[0].layout, rank), by = padded(s, &counts, rank);
    symbol_layout const both = size_over_(s) ? block : split(s, &block, &by, true);
    (void)n;
    memset(r, 0, sizeof *r);
    r->kind = SYMBOL_LAYOUT;
    if (size_over_(s))
        return;
    symbol_layout const blocks = tsr_symbol_layout_mode_(&both, 0), rest = tsr_symbol_layout_mode_(&both, 1);
    for (int i = 0; i < rank && !size_over_(s); ++i) {
        symbol_layout const x = tsr_symbol_layout_mode_(&blocks, i), y = tsr_symbol_layout_mode_(&rest, i);
        symbol_layout const mode = tsr_symbol_pair_(s, raked ? &y : &x, raked ? &x : &y);
        tsr_symbol_layout_push_(s, &r->layout, &mode);
    }
    tsr_symbol_layout_close_(s, &r->layout);
}

void tsr_symbol_run_composition_(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    symbol_layout list;
    symbol room;
    (void)n, (void)variant;
    r->kind = SYMBOL_LAYOUT;
    if (!acts_by_mode(&arg[1])) {
        symbol_layout const b = layout_of_item(s, &arg[1]);
        r->layout = size_over_(s) ? b : tsr_symbol_compose_(s, &arg[0].layout, &b);
        return;
    }
    int const rank = tsr_symbol_rank_(&arg[0].layout.shape), given = modes_of(&arg[1]);
    memset(&list, 0, sizeof list);
    if (given > rank)
        tsr_size_fail_(s, "the tiler has %d modes, the layout has %d", given, rank);
    for (int i = 0; i < given && !size_over_(s); ++i) {
        symbol const *const item = item_of(&arg[1], i, &room);
        symbol_layout mode = tsr_symbol_layout_mode_(&arg[0].layout, i);
        mode = item ? on_mode(s, "composition", &mode, item) : mode;
        if (!size_over_(s))
            tsr_symbol_layout_push_(s, &list, &mode);
    }
    if (!size_over_(s))
        tsr_symbol_layout_close_(s, &list);
    r->layout = list;
}
