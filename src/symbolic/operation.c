/** The operations on layouts over named sizes, by their names in the table of operations. */
#include "symbolic/operation.h"

#include <string.h>

/** Are all leaves of a shape sizes, and positive? False: it failed. */
static bool is_shape(sizes *s, symbol_tuple const *t)
{
    for (int i = 0; i < t->frame.leaves; ++i)
        if (t->frame.leaf[i].kind != TSR_DYNAMIC)
            tsr_size_fail_(s, "a size is needed here, not `_` or an order");
        else if (t->leaf[i].c <= 0)
            tsr_size_fail_(s, "extent %lld of mode %d is not positive", (long long)t->leaf[i].c, i);
    return !size_over_(s);
}

/** The layout read with another shape. */
static void run_with_shape(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    (void)n, (void)variant;
    r->kind = SYMBOL_LAYOUT;
    if (!is_shape(s, &arg[1].layout.shape))
        return;
    symbol_layout const by = tsr_symbol_compact_(s, &arg[1].layout.shape, false);
    r->layout = tsr_symbol_compose_(s, &arg[0].layout, &by);
}

/** A block repeated up to a shape, of which each mode must be a multiple of the block's. */
static void run_tile_to_shape(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    symbol_layout const block = arg[0].layout;
    symbol_tuple const *const to = &arg[1].layout.shape;
    symbol pair[2];
    (void)n, (void)variant;
    if (!is_shape(s, to))
        return;
    if (tsr_symbol_rank_(to) < tsr_symbol_rank_(&block.shape)) {
        tsr_size_fail_(s, "the block has %d modes, the target %d", tsr_symbol_rank_(&block.shape),
                       tsr_symbol_rank_(to));
        return;
    }
    memset(pair, 0, sizeof pair);
    for (int i = 0; i < tsr_symbol_rank_(to); ++i) {
        symbol_tuple const whole = tsr_symbol_mode_(to, i);
        symbol_tuple const part = i < tsr_symbol_rank_(&block.shape) ? tsr_symbol_mode_(&block.shape, i)
                                                                     : tsr_symbol_leaf_(tsr_product_of_(1));
        product const extent = tsr_symbol_size_(s, &part);
        if (!tsr_size_divides_(s, extent, tsr_symbol_size_(s, &whole)))
            return;
        symbol_tuple const count = tsr_symbol_leaf_(tsr_product_div_(tsr_symbol_size_(s, &whole), extent));
        tsr_symbol_push_(s, &pair[1].layout.shape, &count);
    }
    if (!tsr_symbol_is_leaf_(to))
        tsr_symbol_close_(s, &pair[1].layout.shape);
    pair[0] = arg[0];
    pair[1].kind = SYMBOL_LAYOUT;
    pair[1].layout = tsr_symbol_compact_(s, &pair[1].layout.shape, false);
    tsr_symbol_run_blocked_(s, pair, 2, 0, r);
}

/* One layout */

/** Itself, or the mode that brackets name. */
static void run_whole(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    (void)s, (void)n, (void)variant;
    *r = arg[0];
}

static void run_coalesce(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    (void)n, (void)variant;
    r->kind = SYMBOL_LAYOUT;
    r->layout = tsr_symbol_coalesce_(s, &arg[0].layout);
}

static void run_complement(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    (void)variant;
    product to = tsr_product_of_(1);
    sum const cosize = tsr_symbol_cosize_(s, &arg[0].layout);
    r->kind = SYMBOL_LAYOUT;
    if (n > 1 && !is_shape(s, &arg[1].layout.shape))
        return;
    if (n > 1)
        to = tsr_symbol_size_(s, &arg[1].layout.shape);
    else if (cosize.terms == 1)
        to = cosize.term[0];
    else
        tsr_size_fail_(s, "the cosize is no product of sizes: give a cotarget, complement(L, n)");
    if (!size_over_(s))
        r->layout = tsr_symbol_complement_(s, &arg[0].layout, &to);
}

static void run_make(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    (void)variant;
    if (!is_shape(s, &arg[0].layout.shape))
        return;
    r->kind = SYMBOL_LAYOUT;
    r->layout.shape = arg[0].layout.shape;
    if (n == 1 || arg[1].layout.shape.frame.leaf[0].kind == TSR_MAJOR)
        r->layout =
            tsr_symbol_compact_(s, &arg[0].layout.shape, n > 1 && arg[1].layout.shape.frame.leaf[0].value != 0);
    else
        r->layout.stride = arg[1].layout.shape;
    if (!tsr_tuple_number(tsr_congruent(r->layout.shape.frame, r->layout.stride.frame)))
        tsr_size_fail_(s, "shape and stride are not congruent");
}

/** The modes of a layout on one level, or in the opposite order. */
static void run_modes(sizes *s, symbol *arg, int n, int reversed, symbol *r)
{
    int const count = reversed ? tsr_symbol_rank_(&arg[0].layout.shape) : arg[0].layout.shape.frame.leaves;
    (void)n;
    memset(r, 0, sizeof *r);
    r->kind = SYMBOL_LAYOUT;
    for (int i = 0; i < count; ++i) {
        symbol_layout const *const l = &arg[0].layout;
        symbol_layout const mode = reversed ? tsr_symbol_layout_mode_(l, count - 1 - i)
                                            : tsr_symbol_layout_of_(l->shape.leaf[i], l->stride.leaf[i]);
        tsr_symbol_layout_push_(s, &r->layout, &mode);
    }
    tsr_symbol_layout_close_(s, &r->layout);
}

enum { SIZE, COSIZE, SHAPE, STRIDE, RANK };

static void run_measure(sizes *s, symbol *arg, int n, int what, symbol *r)
{
    (void)n;
    memset(r, 0, sizeof *r);
    r->kind = what == SHAPE || what == STRIDE ? SYMBOL_TUPLE : SYMBOL_SUM;
    if (what == COSIZE)
        r->total = tsr_symbol_cosize_(s, &arg[0].layout);
    else if (what == SHAPE || what == STRIDE)
        r->layout.shape = what == SHAPE ? arg[0].layout.shape : arg[0].layout.stride;
    else
        tsr_symbol_add_(s, &r->total,
                        what == SIZE ? tsr_symbol_size_(s, &arg[0].layout.shape)
                                     : tsr_product_of_(tsr_symbol_rank_(&arg[0].layout.shape)));
}

/* Coordinates */

static void add_offset(sizes *s, symbol_layout const *l, symbol_tuple const *c, sum *r)
{
    bool const leaf = tsr_symbol_is_leaf_(c);
    if (leaf && tsr_product_is_(&c->leaf[0], 0))
        return;
    if (leaf && tsr_symbol_is_leaf_(&l->shape)) {
        tsr_symbol_add_(s, r, tsr_product_mul_(s, c->leaf[0], l->stride.leaf[0]));
        return;
    }
    if (leaf || tsr_symbol_rank_(c) != tsr_symbol_rank_(&l->shape)) {
        tsr_size_fail_(s, "one number counts several modes here, which needs / and %%: give a coordinate for each");
        return;
    }
    for (int i = 0; i < tsr_symbol_rank_(c); ++i) {
        symbol_layout const mode = tsr_symbol_layout_mode_(l, i);
        symbol_tuple const x = tsr_symbol_mode_(c, i);
        add_offset(s, &mode, &x, r);
    }
}

/** The modes whose coordinate is `_`. */
static void take_slice(sizes *s, symbol_layout const *l, symbol_tuple const *c, symbol *r)
{
    r->kind = SYMBOL_LAYOUT;
    if (tsr_symbol_rank_(c) != tsr_symbol_rank_(&l->shape))
        tsr_size_fail_(s, "the coordinate has %d modes, the layout has %d", tsr_symbol_rank_(c),
                       tsr_symbol_rank_(&l->shape));
    for (int i = 0; i < tsr_symbol_rank_(c) && !s->failed; ++i) {
        symbol_tuple const x = tsr_symbol_mode_(c, i);
        symbol_layout const mode = tsr_symbol_layout_mode_(l, i);
        if (tsr_symbol_is_wild_(&x))
            tsr_symbol_layout_push_(s, &r->layout, &mode);
        else if (tsr_has_wildcard(&x.frame))
            tsr_size_fail_(s, "`_` is for a whole mode here");
    }
    if (!s->failed)
        tsr_symbol_layout_close_(s, &r->layout);
}

static void run_call(sizes *s, symbol *arg, int n, int variant, symbol *r)
{
    symbol_tuple c = arg[1].layout.shape;
    (void)variant;
    if (n > 2) {
        memset(&c, 0, sizeof c);
        for (int i = 1; i < n; ++i)
            tsr_symbol_push_(s, &c, &arg[i].layout.shape);
        tsr_symbol_close_(s, &c);
    }
    memset(r, 0, sizeof *r);
    r->kind = SYMBOL_SUM;
    if (!s->failed && tsr_has_wildcard(&c.frame))
        take_slice(s, &arg[0].layout, &c, r);
    else if (!s->failed)
        add_offset(s, &arg[0].layout, &c, &r->total);
}

/* The table */

typedef struct row {
    bool swizzled; /* the same behind a swizzle of the first argument: R = Sw o f(A), or what no swizzle changes */
    bool bracketed; /* takes modes in brackets, size<1,0>(L) */
    char const *name;
    char const *kinds; /* of the arguments: L, T, S (one of both), R (any of a tiler); the last one may be missing or come again */
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
    {false, false, "tile_to_shape", "LT", 2, 2, 0, run_tile_to_shape},
    {true, false, "coalesce", "L", 1, 1, 0, run_coalesce},
    {true, true, "layout", "L", 1, 1, 0, run_whole},
    {true, true, "get", "S", 1, 1, 0, run_whole},
    {false, false, "complement", "LT", 1, 2, 0, run_complement},
    {false, false, "make_layout", "TT", 1, 2, 0, run_make},
    {true, false, "flatten", "L", 1, 1, 0, run_modes},
    {true, false, "transpose", "L", 1, 1, 1, run_modes},
    {true, true, "size", "S", 1, 1, SIZE, run_measure},
    {false, true, "cosize", "L", 1, 1, COSIZE, run_measure},
    {true, true, "shape", "L", 1, 1, SHAPE, run_measure},
    {false, true, "stride", "L", 1, 1, STRIDE, run_measure},
    {true, true, "rank", "S", 1, 1, RANK, run_measure},
    {false, false, "call", "LT", 2, 16, 0, run_call},
};

static row const *row_named(char const *name, size_t n)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (strlen(rows[i].name) == n && strncmp(rows[i].name, name, n) == 0)
            return &rows[i];
    return NULL;
}

static bool takes(char letter, symbol const *v)
{
    bool const layout = v->kind == SYMBOL_LAYOUT, tuple = v->kind == SYMBOL_TUPLE;
    return letter == 'L' ? layout : letter == 'T' ? tuple : layout || tuple || (letter == 'R' && v->kind == SYMBOL_TILER);
}

static bool takes_all(row const *x, symbol const *argument, int arguments)
{
    int const last = (int)strlen(x->kinds) - 1;
    bool fits = arguments >= x->least && arguments <= x->most;
    for (int i = 0; fits && i < arguments; ++i)
        fits = takes(x->kinds[i < last ? i : last], &argument[i]);
    return fits;
}

/** The mode of a layout that a path leads to, in its place. */
static void take_modes(sizes *s, symbol *v, symbol_path const *path)
{
    for (int i = 0; i < path->levels && !size_over_(s); ++i) {
        int const rank = tsr_symbol_rank_(&v->layout.shape);
        if (path->mode[i] < 0 || path->mode[i] >= rank)
            tsr_size_fail_(s, "mode %lld does not exist: the rank is %d", (long long)path->mode[i], rank);
        else
            v->layout = tsr_symbol_layout_mode_(&v->layout, (int)path->mode[i]);
    }
}

/** A row on arguments of which one has names. */
static void run_row(sizes *s, row const *x, symbol_path const *path, symbol *argument, int arguments, symbol *r)
{
    tsr_swizzle const front = argument[0].front;
    for (int i = 0; i < arguments; ++i)
        if (argument[i].front.bits > 0 && (i > 0 || !x->swizzled))
            tsr_size_fail_(s, "%s does not take a layout behind a swizzle here", x->name);
    if (!takes_all(x, argument, arguments))
        tsr_size_fail_(s, "%s does not take these %d arguments", x->name, arguments);
    else if (path->levels > 0 && !x->bracketed)
        tsr_size_fail_(s, "%s takes no modes in brackets", x->name);
    take_modes(s, &argument[0], path);
    if (size_over_(s))
        return;
    x->run(s, argument, arguments, x->variant, r);
    if (r->kind == SYMBOL_LAYOUT)
        r->front = front;
    if (r->kind == SYMBOL_SUM && r->total.terms < 2) {
        r->kind = SYMBOL_TUPLE;
        r->layout.shape = tsr_symbol_leaf_(r->total.terms ? r->total.term[0] : tsr_product_of_(0));
    }
}

bool tsr_symbol_call_(sizes *s, char const *name, size_t n, symbol_path const *path, symbol *argument, int arguments,
                      symbol *r)
{
    row const *const x = row_named(name, n);
    bool numeric = true;
    for (int i = 0; numeric && i < arguments; ++i)
        numeric = tsr_symbol_is_numeric_(&argument[i]);
    if (numeric)
        return tsr_symbol_call_numbers_(s, name, n, path, argument, arguments, r);
    memset(r, 0, sizeof *r);
    if (!x)
        tsr_size_fail_(s, "%.*s is not defined for sizes with names", (int)n, name);
    else
        run_row(s, x, path, argument, arguments, r);
    return !size_over_(s);
}
