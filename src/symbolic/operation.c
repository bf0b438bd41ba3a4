/** The operations on layouts over named sizes, by their names in the table of operations. */
#include "symbolic/operation.h"

#include <string.h>

void tsr_symbol_give_(symbol *r, tsr_layout l)
{
    r->v.kind = VALUE_LAYOUT;
    r->v.as.layout = l;
}

/** A sum of one product is a tuple, too. */
static void give_sum(sizes *s, symbol *r, sum const *total)
{
    r->total = *total;
    r->v.kind = (value_kind)SYMBOL_SUM;
    if (total->terms > 1)
        return;
    r->v.kind = VALUE_TUPLE;
    r->v.as.tuple = tsr_from_leaf(total->terms ? tsr_size_leaf_(s, total->term[0]) : tsr_leaf_static(0));
}

/** Are all leaves of a shape sizes, and positive? False: it failed. */
static bool is_shape(sizes *s, tsr_tuple const *t)
{
    for (int i = 0; i < t->leaves; ++i) {
        product const n = tsr_size_product_(s, t->leaf[i]);
        if (n.c <= 0)
            tsr_size_fail_(s, "extent %lld of mode %d is not positive", (long long)n.c, i);
    }
    return !size_over_(s);
}

/** The layout read with another shape. */
static void run_with_shape(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    (void)n, (void)variant;
    if (!is_shape(s, &arg[1].v.as.tuple))
        return;
    tsr_layout const by = tsr_symbol_compact_(s, &arg[1].v.as.tuple, false);
    tsr_symbol_give_(r, tsr_symbol_compose_(s, layout_of_(&arg[0]), &by));
}

/** How many blocks each mode of a shape holds; a mode of a block that has none has one element. */
static tsr_tuple counts_of(sizes *s, tsr_tuple const *block, tsr_tuple const *to)
{
    tsr_tuple r = TSR_ZERO;
    int const rank = tsr_mode_count(to), modes = tsr_mode_count(block);
    if (rank < modes)
        tsr_size_fail_(s, "the block has %d modes, the target %d", modes, rank);
    for (int i = 0; i < rank && !size_over_(s); ++i) {
        tsr_tuple const whole = tsr_get_(to, i), part = i < modes ? tsr_get_(block, i) : tsr_s(1);
        product const extent = tsr_symbol_size_(s, &part), all = tsr_symbol_size_(s, &whole);
        if (tsr_size_divides_(s, extent, all))
            tsr_tuple_push_leaf(&r, tsr_size_leaf_(s, tsr_product_div_(all, extent)));
    }
    return tsr_is_leaf(to) ? r : tsr_tuple_close(r);
}

/** The stride of mode i of a flat shape: the extents of all modes of lower order. */
static product stride_in_order(sizes *s, tsr_tuple const *shape, tsr_tuple const *order, int i)
{
    product const extent = tsr_size_product_(s, shape->leaf[i]);
    product r = tsr_product_of_(!tsr_product_is_(&extent, 1));
    for (int k = 0; k < shape->leaves; ++k)
        if (order->leaf[k].value < order->leaf[i].value)
            r = tsr_product_mul_(s, r, tsr_size_product_(s, shape->leaf[k]));
    return r;
}

/** The layout of a shape whose modes follow each other in an order: LayoutLeft, LayoutRight or a number for each. */
static tsr_layout ordered_layout(sizes *s, tsr_tuple const *shape, tsr_tuple const *order)
{
    bool const whole = tsr_is_leaf(order), right = order->leaf[0].kind == TSR_MAJOR && order->leaf[0].value != 0;
    tsr_layout r = tsr_symbol_compact_(s, shape, whole && right);
    bool const flat = tsr_mode_count(shape) == shape->leaves && !tsr_is_leaf(shape);
    if (!whole && !(flat && tsr_same_profile(shape, order)))
        tsr_size_fail_(s, "the order needs a number for each of %d modes, which have no modes of their own",
                       tsr_mode_count(shape));
    for (int i = 0; !whole && i < order->leaves; ++i)
        if (order->leaf[i].kind != TSR_STATIC || order->leaf[i].aux != 0)
            tsr_size_fail_(s, "mode %d of the order is no number", i);
    for (int i = 0; !whole && i < r.stride.leaves && !size_over_(s); ++i) {
        tsr_leaf const d = tsr_size_leaf_(s, stride_in_order(s, shape, order, i));
        r.stride.leaf[i].kind = d.kind;
        r.stride.leaf[i].value = d.value;
    }
    return r;
}

static void run_ordered(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    (void)n, (void)variant;
    if (is_shape(s, &arg[0].v.as.tuple))
        tsr_symbol_give_(r, ordered_layout(s, &arg[0].v.as.tuple, &arg[1].v.as.tuple));
}

static void run_identity(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    tsr_tuple const *const shape = &arg[0].v.as.tuple;
    (void)n, (void)variant;
    if (is_shape(s, shape))
        tsr_symbol_give_(r, tsr_layout_unchecked(*shape, tsr_make_basis_like(*shape)));
    tsr_symbol_check_layout_(s, layout_of_(r));
}

/** A block repeated up to a shape, of which each mode must be a multiple of the block's. */
static void run_tile_to_shape(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    tsr_tuple const left = tsr_left(), *const order = n > 2 ? &arg[2].v.as.tuple : &left;
    (void)variant;
    if (!is_shape(s, &arg[1].v.as.tuple))
        return;
    tsr_tuple const counts = counts_of(s, &layout_of_(&arg[0])->shape, &arg[1].v.as.tuple);
    if (size_over_(s))
        return;
    tsr_symbol_give_(&arg[1], ordered_layout(s, &counts, order));
    if (!size_over_(s))
        tsr_symbol_run_blocked_(s, arg, 2, 0, r);
}

/* One layout */

static void run_coalesce(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    (void)n, (void)variant;
    tsr_symbol_give_(r, tsr_symbol_coalesce_(s, layout_of_(&arg[0])));
}

static void run_inverse(sizes *s, symbol *arg, int n, int right, symbol *r)
{
    (void)n;
    tsr_symbol_give_(r, tsr_symbol_inverse_(s, layout_of_(&arg[0]), right != 0));
}

static void run_complement(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    (void)variant;
    product to = tsr_product_of_(1);
    sum const cosize = tsr_symbol_cosize_(s, layout_of_(&arg[0]));
    if (n > 1 && !is_shape(s, &arg[1].v.as.tuple))
        return;
    if (n > 1)
        to = tsr_symbol_size_(s, &arg[1].v.as.tuple);
    else if (cosize.terms == 1)
        to = cosize.term[0];
    else
        tsr_size_fail_(s, "the cosize is no product of sizes: give a cotarget, complement(L, n)");
    if (!size_over_(s))
        tsr_symbol_give_(r, tsr_symbol_complement_(s, layout_of_(&arg[0]), &to));
}

static void run_make(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    tsr_tuple const *const shape = &arg[0].v.as.tuple, *const stride = n > 1 ? &arg[1].v.as.tuple : NULL;
    (void)variant;
    if (!is_shape(s, shape))
        return;
    if (!stride || stride->leaf[0].kind == TSR_MAJOR)
        tsr_symbol_give_(r, tsr_symbol_compact_(s, shape, stride && stride->leaf[0].value != 0));
    else
        tsr_symbol_give_(r, tsr_layout_unchecked(*shape, *stride));
    if (!tsr_same_profile(&r->v.as.layout.shape, &r->v.as.layout.stride))
        tsr_size_fail_(s, "shape and stride are not congruent");
    for (int i = 0; i < r->v.as.layout.stride.leaves; ++i)
        (void)tsr_symbol_stride_(s, r->v.as.layout.stride.leaf[i]); /* it is a size, too */
}

/** The size of a layout or a shape. */
static void run_size(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    sum total = {1, {{0, {0}}}};
    (void)n, (void)variant;
    total.term[0] =
        tsr_symbol_size_(s, arg[0].v.kind == VALUE_TUPLE ? &arg[0].v.as.tuple : &layout_of_(&arg[0])->shape);
    give_sum(s, r, &total);
}

static void run_cosize(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    sum const total = tsr_symbol_cosize_(s, layout_of_(&arg[0]));
    (void)n, (void)variant;
    give_sum(s, r, &total);
}

/* Coordinates */

/** Adds where a coordinate lies along a basis element, or in plain integers. */
static void add_offset(sizes *s, tsr_layout const *l, tsr_tuple const *c, uint32_t unit, sum *r)
{
    bool const leaf = tsr_is_leaf(c);
    if (leaf && tsr_leaf_is(c->leaf[0], 0))
        return;
    if (leaf && tsr_is_leaf(&l->shape)) {
        product const x = tsr_size_product_(s, c->leaf[0]);
        if (tsr_symbol_unit_(l->stride.leaf[0]) == unit)
            tsr_symbol_add_(s, r, tsr_product_mul_(s, x, tsr_symbol_stride_(s, l->stride.leaf[0])));
        return;
    }
    if (leaf || tsr_mode_count(c) != tsr_mode_count(&l->shape)) {
        tsr_size_fail_(s, "one number counts several modes here, which needs / and %%: give a coordinate for each");
        return;
    }
    for (int i = 0; i < tsr_mode_count(c); ++i) {
        tsr_layout const mode = tsr_mode(*l, i);
        tsr_tuple const x = tsr_get_(c, i);
        add_offset(s, &mode, &x, unit, r);
    }
}

/** The coordinate that basis strides make of c. Core finds its modes by one element along each basis element, which is
 *  marked with the mode that goes along it. */
static void give_coordinate(sizes *s, tsr_layout const *l, tsr_tuple const *c, symbol *r)
{
    symbol_path const whole = {0, {0}};
    symbol marked[2];
    tsr_layout at = *l;
    tsr_tuple one = l->shape;
    memset(marked, 0, sizeof marked);
    for (int i = 0; i < at.shape.leaves; ++i) {
        at.shape.leaf[i].kind = at.stride.leaf[i].kind = one.leaf[i].kind = TSR_STATIC;
        at.shape.leaf[i].value = 2;
        at.stride.leaf[i].value = i + 1;
        one.leaf[i].value = tsr_symbol_is_first_(&l->stride, i);
    }
    tsr_symbol_give_(&marked[0], at);
    marked[1].v.kind = VALUE_TUPLE;
    marked[1].v.as.tuple = one;
    tsr_symbol_run_core_(s, "call", &whole, marked, 2, r);
    for (int k = 0; !size_over_(s) && k < r->v.as.tuple.leaves; ++k) {
        tsr_leaf *const to = &r->v.as.tuple.leaf[k];
        sum total = {0, {{0, {0}}}};
        if (to->value > 0)
            add_offset(s, l, c, tsr_symbol_unit_(l->stride.leaf[to->value - 1]), &total);
        if (total.terms > 1)
            tsr_size_fail_(s, "component %d of the coordinate is a sum of sizes, which no tuple holds", k);
        tsr_leaf const x = total.terms ? tsr_size_leaf_(s, total.term[0]) : tsr_leaf_static(0);
        to->kind = x.kind;
        to->value = x.value;
    }
}

/** The modes under `_`, wherever the others are; or the others. */
static void take_slice(sizes *s, tsr_layout const *l, tsr_tuple c, bool beside, symbol *r)
{
    for (int i = 0; i < c.leaves; ++i)
        if (c.leaf[i].kind == TSR_DYNAMIC) {
            c.leaf[i].kind = TSR_STATIC;
            c.leaf[i].value = 0;
        }
    tsr_symbol_give_(r, beside ? tsr_layout_dice(c, *l) : tsr_layout_slice(c, *l));
    tsr_symbol_check_layout_(s, layout_of_(r));
}

static void run_call(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    tsr_tuple c = arg[1].v.as.tuple;
    sum total = {0, {{0, {0}}}};
    (void)variant;
    if (n > 2) {
        tsr_begin_tuple_(&c);
        for (int i = 1; i < n; ++i)
            tsr_tuple_push(&c, &arg[i].v.as.tuple);
        c = tsr_tuple_close(c);
    }
    if (tsr_has_wildcard(&c)) {
        take_slice(s, layout_of_(&arg[0]), c, false, r);
    } else if (tsr_has_basis(&layout_of_(&arg[0])->stride)) {
        give_coordinate(s, layout_of_(&arg[0]), &c, r);
    } else {
        add_offset(s, layout_of_(&arg[0]), &c, 0, &total);
        give_sum(s, r, &total);
    }
}

/** The modes of a layout under `_`, or those beside them. */
static void run_slice(sizes *s, symbol *arg, int n, int beside, symbol *r)
{
    (void)n;
    take_slice(s, layout_of_(&arg[1]), arg[0].v.as.tuple, beside != 0, r);
}

/* The table */

typedef struct row {
    bool swizzled;  /* the same behind a swizzle of the first argument: R = Sw o f(A), or what no swizzle changes */
    bool bracketed; /* takes modes in brackets, size<1,0>(L) */
    char const *name;
    char const
        *kinds; /* of the arguments: L, T, S (one of both), R (a tiler); the last may be missing or come again */
    int least, most, variant;
    void (*run)(sizes *s, symbol *arg, int n, int variant, symbol *r);
} row;

static row const rows[] = {
    {true, false, "logical_divide", "LR", 2, 2, SPLIT_LOGICAL, tsr_symbol_run_split_},
    {true, false, "zipped_divide", "LR", 2, 2, SPLIT_ZIPPED, tsr_symbol_run_split_},
    {true, false, "tiled_divide", "LR", 2, 2, SPLIT_TILED, tsr_symbol_run_split_},
    {true, false, "flat_divide", "LR", 2, 2, SPLIT_FLAT, tsr_symbol_run_split_},
    {false, false, "logical_product", "LR", 2, 2, SPLIT_LOGICAL + SPLIT_PRODUCT, tsr_symbol_run_split_},
    {false, false, "zipped_product", "LR", 2, 2, SPLIT_ZIPPED + SPLIT_PRODUCT, tsr_symbol_run_split_},
    {false, false, "tiled_product", "LR", 2, 2, SPLIT_TILED + SPLIT_PRODUCT, tsr_symbol_run_split_},
    {false, false, "flat_product", "LR", 2, 2, SPLIT_FLAT + SPLIT_PRODUCT, tsr_symbol_run_split_},
    {false, false, "blocked_product", "LL", 2, 2, 0, tsr_symbol_run_blocked_},
    {false, false, "raked_product", "LL", 2, 2, 1, tsr_symbol_run_blocked_},
    {true, false, "composition", "LR", 2, 2, 0, tsr_symbol_run_composition_},
    {true, false, "compose", "LR", 2, 2, 0, tsr_symbol_run_composition_},
    {true, false, "with_shape", "LT", 2, 2, 0, run_with_shape},
    {false, false, "tile_to_shape", "LT", 2, 3, 0, run_tile_to_shape},
    {false, false, "right_inverse", "L", 1, 1, 1, run_inverse},
    {false, false, "left_inverse", "L", 1, 1, 0, run_inverse},
    {false, false, "make_ordered_layout", "T", 2, 2, 0, run_ordered},
    {false, false, "make_identity_layout", "T", 1, 1, 0, run_identity},
    {true, false, "coalesce", "L", 1, 1, 0, run_coalesce},
    {false, false, "complement", "LT", 1, 2, 0, run_complement},
    {false, false, "make_layout", "TT", 1, 2, 0, run_make},
    {true, true, "size", "S", 1, 1, 0, run_size},
    {false, true, "cosize", "L", 1, 1, 0, run_cosize},
    {false, false, "call", "LT", 2, 16, 0, run_call},
    {false, false, "slice", "TL", 2, 2, 0, run_slice},
    {false, false, "dice", "TL", 2, 2, 1, run_slice},
};

static row const *row_named(char const *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

static bool takes(char letter, value const *v)
{
    bool const layout = v->kind == VALUE_LAYOUT, tuple = v->kind == VALUE_TUPLE;
    return letter == 'L'   ? layout
           : letter == 'T' ? tuple
                           : layout || tuple || (letter == 'R' && v->kind == VALUE_TILER);
}

static bool takes_all(row const *x, symbol const *argument, int arguments)
{
    int const last = (int)strlen(x->kinds) - 1;
    bool fits = arguments >= x->least && arguments <= x->most;
    for (int i = 0; fits && i < arguments; ++i)
        fits = takes(x->kinds[i < last ? i : last], &argument[i].v);
    return fits;
}

/** Does an operation move modes and leave their integers alone? */
static bool moves_modes(char const *name)
{
    static char const *const names[] = {"layout",  "get",       "rank", "depth",      "shape",      "stride",
                                        "flatten", "transpose", "take", "select",     "group",      "append",
                                        "prepend", "replace",   "zip",  "tile_unzip", "make_layout"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/** A row on arguments of which one has names. What is in front of the first one stays there. */
static void run_row(sizes *s, row const *x, symbol_path const *path, symbol *argument, int arguments, symbol *r)
{
    symbol part;
    memset(&part, 0, sizeof part);
    if (path->levels > 0) {
        tsr_symbol_run_core_(s, "get", path, argument, 1, &part);
        argument[0] = part;
    }
    tsr_layout const whole = *layout_of_(&argument[0]);
    bool const fronted = argument[0].v.kind == VALUE_LAYOUT && whole.composed;
    if (fronted)
        tsr_symbol_give_(&argument[0], tsr_layout_unchecked(whole.shape, whole.stride));
    if (fronted && !x->swizzled)
        tsr_size_fail_(s, "%s does not take a layout behind a swizzle here", x->name);
    if (!size_over_(s))
        x->run(s, argument, arguments, x->variant, r);
    if (fronted && r->v.kind == VALUE_LAYOUT)
        tsr_symbol_give_(r, tsr_with_(whole, layout_of_(r)->shape, layout_of_(r)->stride));
}

/** Beside names no argument is a sum, and only the first one stands behind a swizzle. */
static void check_argument(sizes *s, char const *name, value const *v, bool first)
{
    if ((int)v->kind == SYMBOL_SUM)
        tsr_size_fail_(s, "%s takes sizes, not sums of them", name);
    else if (!first && v->kind == VALUE_LAYOUT && v->as.layout.composed)
        tsr_size_fail_(s, "%s does not take a layout behind a swizzle here", name);
}

bool tsr_symbol_call_(sizes *s, char const *name, symbol_path const *path, symbol *argument, int arguments, symbol *r)
{
    row const *const x = row_named(name);
    bool const fits = x && takes_all(x, argument, arguments);
    bool numeric = true;
    memset(r, 0, sizeof *r);
    for (int i = 0; i < arguments; ++i)
        numeric = numeric && tsr_symbol_is_numeric_(&argument[i].v);
    for (int i = 0; i < arguments && !numeric; ++i)
        check_argument(s, name, &argument[i].v, i == 0);
    if (numeric || (!fits && moves_modes(name) && !s->failed))
        tsr_symbol_run_core_(s, name, path, argument, arguments, r);
    else if (!x)
        tsr_size_fail_(s, "%s is not defined for sizes with names", name);
    else if (!fits)
        tsr_size_fail_(s, "%s does not take these %d arguments", x->name, arguments);
    else if (path->levels > 0 && !x->bracketed)
        tsr_size_fail_(s, "%s takes no modes in brackets", x->name);
    else if (!s->failed)
        run_row(s, x, path, argument, arguments, r);
    return !size_over_(s);
}
