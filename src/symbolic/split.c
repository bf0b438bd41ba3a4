/** What acts mode by mode: divides, products and composition. */
#include "symbolic/operation.h"

#include <string.h>

/** The layout of a tiler that is no tuple: an integer n is n:1, of a divide or a product a 1 is 1:0. */
static tsr_layout layout_of_tiler(sizes *s, tsr_tiler const *t, bool compact)
{
    if (!tsr_tiler_is_int(t))
        return t->by;
    product const n = tsr_size_product_(s, t->by.shape.leaf[0]);
    if (n.c <= 0)
        tsr_size_fail_(s, "a tile of %lld elements is not positive", (long long)n.c);
    return tsr_symbol_layout_of_(s, n, tsr_product_of_(!(compact && tsr_product_is_(&n, 1))));
}

/** An operation on a mode and its part of the tiler, which is core's where neither has names. */
static tsr_layout on_mode(sizes *s, char const *name, tsr_layout const *mode, tsr_tiler const *t)
{
    static symbol_path const whole;
    symbol argument[2], r;
    memset(&r, 0, sizeof r);
    memset(argument, 0, sizeof argument);
    tsr_symbol_give_(&argument[0], *mode);
    argument[1].v.kind = VALUE_TILER;
    argument[1].v.as.tiler = *t;
    tsr_symbol_call_(s, name, &whole, argument, 2, &r);
    return r.v.as.layout;
}

/** The same of all modes, or of those that the tiler has. */
static tsr_layout by_modes(sizes *s, char const *name, tsr_layout const *l, tsr_tiler const *t, bool all)
{
    tsr_layout r = TSR_ZERO;
    int const rank = tsr_mode_count(&l->shape), given = tsr_tiler_rank_(t);
    if (given > rank)
        tsr_size_fail_(s, "the tiler has %d modes, the layout has %d", given, rank);
    for (int i = 0; i < (all ? rank : given) && !size_over_(s); ++i) {
        tsr_layout mode = tsr_mode(*l, i);
        if (i < given) {
            tsr_tiler const item = tsr_tiler_get_(t, i);
            mode = on_mode(s, name, &mode, &item);
        }
        if (!size_over_(s))
            tsr_symbol_push_(&r, &mode);
    }
    if (!size_over_(s))
        tsr_symbol_close_(s, &r);
    return r;
}

static tsr_layout pair_of(sizes *s, tsr_layout const *a, tsr_layout const *b)
{
    tsr_layout r = TSR_ZERO;
    tsr_symbol_push_(&r, a);
    tsr_symbol_push_(&r, b);
    tsr_symbol_close_(s, &r);
    return r;
}

/** How a layout t splits l: into a tile and the rest, or, in a product, into the block l and its repetitions. */
static tsr_layout split(sizes *s, tsr_layout const *l, tsr_layout const *t, bool repeats)
{
    product const size = tsr_symbol_size_(s, &l->shape);
    if (tsr_has_basis(&t->stride))
        tsr_size_fail_(s, "mode %d of the %s has a basis stride, where offsets are needed",
                       tsr_first_basis_(&t->stride), repeats ? "repetitions" : "tile");
    if (size_over_(s))
        return *l;
    tsr_layout const first = repeats ? *l : tsr_symbol_compose_(s, l, t);
    if (size_over_(s))
        return *l;
    tsr_layout rest = repeats ? tsr_symbol_complement_(s, l, NULL) : tsr_symbol_complement_(s, t, &size);
    if (!size_over_(s))
        rest = tsr_symbol_compose_(s, repeats ? &rest : l, repeats ? t : &rest);
    return size_over_(s) ? *l : pair_of(s, &first, &rest);
}

/** Pushes the modes of a layout, or itself where it has one. */
static void push_modes(tsr_layout *list, tsr_layout const *l)
{
    int const rank = tsr_mode_count(&l->shape);
    for (int i = 0; i < rank; ++i) {
        tsr_layout const mode = rank > 1 ? tsr_mode(*l, i) : *l;
        tsr_symbol_push_(list, &mode);
    }
}

/** (first, rest) as a form wants it. */
static tsr_layout formed(sizes *s, tsr_layout const *both, int form)
{
    tsr_layout r = TSR_ZERO;
    tsr_layout const first = tsr_mode(*both, 0), rest = tsr_mode(*both, 1);
    if (form < SPLIT_TILED)
        return *both;
    if (form == SPLIT_FLAT)
        push_modes(&r, &first);
    else
        tsr_symbol_push_(&r, &first);
    push_modes(&r, &rest);
    tsr_symbol_close_(s, &r);
    return r;
}

void tsr_symbol_run_split_(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    tsr_tiler const by = tsr_value_tiler_(&arg[1].v);
    tsr_layout const *const l = layout_of_(&arg[0]);
    int const form = variant & 3;
    bool const repeats = (variant & SPLIT_PRODUCT) != 0;
    tsr_layout both = *l;
    (void)n;
    tsr_symbol_check_layout_(s, &by.by);
    if (size_over_(s))
        return;
    if (tsr_tiler_is_tuple(&by)) {
        both = by_modes(s, repeats ? "logical_product" : "logical_divide", l, &by, true);
    } else if (!tsr_tiler_is_wild(&by)) {
        tsr_layout const t = layout_of_tiler(s, &by, true);
        both = split(s, l, &t, repeats);
    }
    if (form != SPLIT_LOGICAL && !size_over_(s))
        both = tsr_tile_unzip_by(both, by);
    tsr_symbol_check_layout_(s, &both);
    tsr_symbol_give_(r, size_over_(s) ? both : formed(s, &both, form));
}

/** A layout with modes 1:0 behind, up to a rank, as a tuple. */
static tsr_layout padded(sizes *s, tsr_layout const *l, int rank)
{
    tsr_layout r = tsr_layout_pad(*l, rank);
    if (tsr_is_leaf(&r.shape))
        tsr_symbol_close_(s, &r);
    tsr_symbol_check_layout_(s, &r);
    return r;
}

void tsr_symbol_run_blocked_(sizes *s, symbol *arg, int n, int raked, symbol *r)
{
    tsr_layout const *const l = layout_of_(&arg[0]), *const counts = layout_of_(&arg[1]);
    int const a = tsr_mode_count(&l->shape), b = tsr_mode_count(&counts->shape), rank = a > b ? a : b;
    tsr_layout const block = padded(s, l, rank), by = padded(s, counts, rank);
    tsr_layout const both = size_over_(s) ? block : split(s, &block, &by, true);
    (void)n;
    tsr_symbol_give_(r, size_over_(s) ? both : tsr_layout_zip(raked ? tsr_transpose(both) : both));
    tsr_symbol_check_layout_(s, layout_of_(r));
}

void tsr_symbol_run_composition_(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    tsr_tiler const by = tsr_value_tiler_(&arg[1].v);
    tsr_layout const *const l = layout_of_(&arg[0]);
    (void)n, (void)variant;
    tsr_symbol_give_(r, *l);
    tsr_symbol_check_layout_(s, &by.by);
    if (size_over_(s))
        return;
    if (tsr_tiler_is_tuple(&by)) {
        tsr_symbol_give_(r, by_modes(s, "composition", l, &by, false));
    } else if (!tsr_tiler_is_wild(&by)) {
        tsr_layout const b = layout_of_tiler(s, &by, false);
        if (!size_over_(s))
            tsr_symbol_give_(r, tsr_symbol_compose_(s, l, &b));
    }
}
