/** Operations of the algebra: arguments, an arrow, the result, and corresponding cells in one colour.
 *
 *  Which cell of the result is which cell of the argument is not worked out again: the operation itself is applied to
 *  the compact layout of the same shape, whose offsets are the 1-D coordinates of the argument.
 */
#include "picture/operation.h"

#include <stdlib.h>
#include <string.h>

tsr_layout tsr_picture_layout_of_(value const *v)
{
    return v->kind == VALUE_TUPLE ? tsr_make_layout_compact(v->as.tuple) : *tsr_value_layout_(v);
}

static bool is_grid(value const *v)
{
    return v->kind == VALUE_LAYOUT || v->kind == VALUE_TENSOR || v->kind == VALUE_PAIR;
}

int tsr_picture_subject_(call const *c)
{
    value_kind const kinds[] = {VALUE_TENSOR, VALUE_LAYOUT, VALUE_TUPLE}; /* a shape for its compact layout */
    for (int k = 0; k < 2 + c->shapes; ++k)
        for (int i = 0; i < c->args; ++i)
            if (c->arg[i].kind == kinds[k])
                return i;
    return -1;
}

/** A layout or tensor becomes the compact one of the same shape, whose offsets count its elements. */
OWN_FRAME static void count_elements(value *v)
{
    tsr_layout const counting = tsr_make_layout_compact(tsr_picture_layout_of_(v).shape);
    if (v->kind == VALUE_TENSOR) {
        v->as.tensor = tsr_make_tensor_of(tsr_counting_iter(tsr_int(0)), counting);
    } else {
        v->kind = VALUE_LAYOUT;
        v->as.layout = counting;
    }
}

value *tsr_picture_values_(tsr_picture *p, call const *c, int more)
{
    value *const r = (value *)tsr_memory_take_(c->kept, (size_t)(c->args + more) * sizeof *r);
    if (r)
        memcpy(r, c->arg, (size_t)c->args * sizeof *r);
    else
        tsr_picture_refuse_(p, "out of memory for %d arguments", c->args);
    return r;
}

bool tsr_picture_traced_(tsr_picture *p, call const *c, int at, value *result)
{
    call copy = *c;
    memory own = TSR_ZERO; /* it is called for every owner */
    tsr_message *const error = (tsr_message *)tsr_memory_take_(&own, sizeof *error);
    copy.arg = (value *)tsr_memory_take_(&own, (size_t)c->args * sizeof *copy.arg);
    bool ok = !own.failed;
    if (ok) {
        memcpy(copy.arg, c->arg, (size_t)c->args * sizeof *copy.arg);
        count_elements(&copy.arg[at]);
        ok = tsr_call_evaluate_(&copy, result, error) && tsr_value_ok_(result);
    } else {
        tsr_picture_refuse_(p, "out of memory for %d arguments", c->args);
    }
    tsr_memory_free_(&own);
    return ok;
}

int64_t tsr_picture_source_(value const *traced, int64_t i)
{
    content const *const as = &traced->as;
    int64_t const base = traced->kind == VALUE_TENSOR ? tsr_tuple_number(as->tensor.engine.at)
                         : traced->kind == VALUE_PAIR ? tsr_tuple_number(as->pair.offset)
                                                      : 0;
    if (traced->kind == VALUE_TUPLE)
        return tsr_tuple_number(as->tuple);
    return base == TSR_BAD_OFFSET ? -1 : base + tsr_layout_offset(tsr_value_layout_(traced), i);
}

/** Title and description: the call as it is written. */
static void name_call(tsr_picture *p, call const *c)
{
    char text[2 * TSR_TEXT_SIZE];
    writer w;
    writer_open(&w, text, sizeof text);
    tsr_call_write_name_(&w, c);
    put(&w, "(");
    tsr_call_write_arguments_(&w, c, p->flags);
    put(&w, ")");
    p->title = tsr_picture_text_(p, "%s", text);
    p->description =
        tsr_picture_text_(p, "The arguments and the result of %s; corresponding cells have one colour.", text);
}

/** An argument as a panel; its first panel, or -1. */
static int argument_grid(tsr_picture *p, value const *v, char const *name)
{
    if (v->kind == VALUE_TENSOR)
        return tsr_picture_tensor_grid_(p, &v->as.tensor, name);
    tsr_layout const l = tsr_picture_layout_of_(v);
    return tsr_picture_grid_(p, &l, name);
}

/** The grid of a result, behind an arrow. */
static int result_grid(tsr_picture *p, call const *c, value const *v)
{
    int const panel = argument_grid(p, v, "result");
    if (panel >= 0)
        p->panel[panel].joint = tsr_picture_text_(p, "%s", c->name);
    return panel;
}

/** Colours the marked cells of a grid of n cells: up to sixteen have a colour each; of more, neighbours share
 *  one. Returns how many. */
static int64_t colour_classes(tsr_picture *p, tsr_picture_options const *o, int first, int64_t n)
{
    int64_t used = 0, rank = 0;
    for (int64_t i = 0; i < n; ++i)
        used += tsr_picture_at_(p, first, i)->colour != 0;
    int64_t const each = (used + TSR_CLASSES - 1) / TSR_CLASSES;
    for (int64_t i = 0; i < n; ++i)
        if (tsr_picture_at_(p, first, i)->colour != 0) {
            tsr_picture_at_(p, first, i)->colour =
                (uint8_t)(o->cute ? TSR_COLOUR_GREY + i % 8 : TSR_COLOUR_HUE + rank / each);
            ++rank;
        }
    return each;
}

/** Fades the cells of a grid that nothing corresponds to. */
static void fade_uncoloured(tsr_picture *p, int first, int64_t n)
{
    for (int64_t i = 0; i < n; ++i) {
        tsr_cell *const c = tsr_picture_at_(p, first, i);
        if (!c->colour)
            c->mark |= TSR_MARK_FADED;
    }
}

void tsr_picture_composition_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    value traced = TSR_ZERO;
    if (result->kind != VALUE_LAYOUT || c->arg[0].kind != VALUE_LAYOUT || !tsr_picture_traced_(p, c, 0, &traced))
        return;
    int64_t const n = tsr_layout_size(c->arg[0].as.layout), m = tsr_layout_size(result->as.layout);
    int const a = argument_grid(p, &c->arg[0], "A");
    int const b = c->args == 2 && c->arg[1].kind == VALUE_LAYOUT ? argument_grid(p, &c->arg[1], "B") : -1;
    int const r = result_grid(p, c, result);
    if (p->refused[0])
        return;
    if (b >= 0)
        p->panel[b].joint = tsr_picture_text_(p, "o");
    for (int64_t i = 0; i < m; ++i) {
        int64_t const at = tsr_picture_source_(&traced, i);
        tsr_picture_at_(p, r, i)->link = at;
        if (at >= 0 && at < n)
            tsr_picture_at_(p, a, at)->colour = TSR_COLOUR_HUE;
    }
    int64_t const each = colour_classes(p, o, a, n);
    for (int64_t i = 0; i < m; ++i) {
        tsr_cell *const to = tsr_picture_at_(p, r, i);
        to->colour = to->link >= 0 && to->link < n ? tsr_picture_at_(p, a, to->link)->colour : TSR_COLOUR_NONE;
        if (b >= 0) {
            tsr_picture_at_(p, b, i)->link = to->link;
            tsr_picture_at_(p, b, i)->colour = to->colour;
        }
    }
    fade_uncoloured(p, a, n);
    tsr_picture_note_(p, "R(c) = A(B(c)): B gives the coordinate in A, A the offset.");
    tsr_picture_note_(p, each > 1 ? "A colour is %lld coordinates of A." : "One colour is one coordinate of A.",
                      (long long)each);
}

/** A cell of copy k of something. */
static void copy_of(tsr_cell *c, int64_t k, tsr_picture_options const *o)
{
    c->link = k;
    c->colour = tsr_picture_hue_(o, k);
}

void tsr_picture_complement_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    tsr_layout const a = tsr_picture_layout_of_(&c->arg[0]);
    if (result->kind != VALUE_LAYOUT)
        return;
    tsr_layout const rest = result->as.layout, both = tsr_make_pair(&a, &rest);
    if (both.shape.status)
        return;
    int64_t const n = tsr_layout_size(a), m = tsr_layout_size(rest);
    int const first = argument_grid(p, &c->arg[0], "A"), second = result_grid(p, c, result);
    int const third = tsr_picture_grid_(p, &both, "both");
    if (p->refused[0])
        return;
    p->panel[third].joint = tsr_picture_text_(p, "(A, A*)");
    for (int64_t i = 0; i < n; ++i) {
        copy_of(tsr_picture_at_(p, first, i), 0, o);
        for (int64_t k = 0; k < m; ++k)
            copy_of(tsr_picture_at_(p, third, i + n * k), k, o);
    }
    for (int64_t k = 0; k < m; ++k)
        tsr_picture_at_(p, second, k)->colour = tsr_picture_hue_(o, k);
    tsr_picture_note_(p, "The complement A* places copies of A so that all offsets are reached: a colour is a copy.");
}

void tsr_picture_inverse_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    if (result->kind != VALUE_LAYOUT)
        return;
    tsr_layout const l = tsr_picture_layout_of_(&c->arg[0]);
    int64_t const n = tsr_layout_size(l), m = tsr_layout_size(*tsr_value_layout_(result));
    int const a = argument_grid(p, &c->arg[0], "L"), r = result_grid(p, c, result);
    if (p->refused[0])
        return;
    for (int64_t x = 0; x < m; ++x) { /* R(x) = i and L(i) = x */
        int64_t const i = tsr_layout_offset(tsr_value_layout_(result), x);
        if (i < 0 || i >= n || tsr_layout_offset(&l, i) != x)
            continue;
        tsr_picture_at_(p, r, x)->link = i;
        tsr_picture_at_(p, a, i)->colour = TSR_COLOUR_HUE;
    }
    (void)colour_classes(p, o, a, n);
    for (int64_t x = 0; x < m; ++x) {
        int64_t const i = tsr_layout_offset(&result->as.layout, x);
        if (i >= 0 && i < n && tsr_layout_offset(&l, i) == x)
            tsr_picture_at_(p, r, x)->colour = tsr_picture_at_(p, a, i)->colour;
    }
    fade_uncoloured(p, a, n);
    fade_uncoloured(p, r, m);
    tsr_picture_note_(
        p, "A cell of L at index i with the offset x corresponds to the cell of the inverse at x, which holds i.");
}

void tsr_picture_divide_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    int const at = tsr_picture_subject_(c);
    value traced = TSR_ZERO, zipped = TSR_ZERO;
    call tiles = *c;
    snprintf(tiles.name, sizeof tiles.name, "zipped_divide");
    if (strcmp(c->name, "tile") == 0) /* its arguments are a tiler one by one */
        snprintf(tiles.name, sizeof tiles.name, "tile");
    if (at < 0 || !is_grid(result) || !tsr_picture_traced_(p, c, at, &traced)
        || !tsr_picture_traced_(p, &tiles, at, &zipped))
        return;
    int64_t const n = tsr_layout_size(tsr_picture_layout_of_(&c->arg[at])),
                  m = tsr_layout_size(*tsr_value_layout_(result));
    int64_t const tile = tsr_layout_size(tsr_mode(*tsr_value_layout_(&zipped), 0));
    int const a = argument_grid(p, &c->arg[at], "L"), r = result_grid(p, c, result);
    if (p->refused[0])
        return;
    for (int64_t i = 0; i < m; ++i) {
        int64_t const k = tsr_picture_source_(&zipped, i);
        if (k >= 0 && k < n)
            tsr_picture_at_(p, a, k)->colour = tsr_picture_hue_(o, i / tile);
    }
    for (int64_t i = 0; i < m; ++i) {
        int64_t const k = tsr_picture_source_(&traced, i);
        tsr_cell *const to = tsr_picture_at_(p, r, i);
        to->link = k;
        to->colour = k >= 0 && k < n ? tsr_picture_at_(p, a, k)->colour : 0;
    }
    tsr_picture_note_(p, "%lld tiles of %lld elements; a colour is a tile.", (long long)(m / tile), (long long)tile);
}

/* Products: which copy of the block an offset belongs to is looked up by the offset. */

typedef struct placed_element {
    int64_t offset, block, copy;
} placed_element;

static int by_offset(void const *a, void const *b)
{
    int64_t const x = ((placed_element const *)a)->offset, y = ((placed_element const *)b)->offset;
    return (x > y) - (x < y);
}

void tsr_picture_product_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    if (result->kind != VALUE_LAYOUT || c->args != 2)
        return;
    bool const whole = c->arg[1].kind == VALUE_LAYOUT;
    tsr_layout const block = tsr_picture_layout_of_(&c->arg[0]);
    tsr_layout const pairs = tsr_zipped_product_by(block, tsr_value_tiler_(&c->arg[1]));
    int64_t const n = tsr_layout_size(block), m = tsr_layout_size(*tsr_value_layout_(result));
    if (pairs.shape.status || tsr_layout_size(pairs) != m || m > TSR_PICTURE_CELLS)
        return;
    placed_element *const all = (placed_element *)tsr_memory_take_(c->kept, (size_t)m * sizeof *all);
    if (!all) {
        tsr_picture_refuse_(p, "out of memory for %lld elements", (long long)m);
        return;
    }
    for (int64_t i = 0; i < m; ++i) {
        all[i].offset = tsr_layout_offset(&pairs, i);
        all[i].block = i % n;
        all[i].copy = i / n;
    }
    qsort(all, (size_t)m, sizeof *all, by_offset);
    int const a = argument_grid(p, &c->arg[0], "block");
    int const b = whole ? argument_grid(p, &c->arg[1], "copies") : -1;
    int const r = result_grid(p, c, result);
    if (p->refused[0])
        return;
    for (int64_t i = 0; i < n; ++i)
        copy_of(tsr_picture_at_(p, a, i), 0, o);
    for (int64_t k = 0; k < m / n && b >= 0; ++k)
        copy_of(tsr_picture_at_(p, b, k), k, o);
    for (int64_t i = 0; i < m; ++i) {
        tsr_cell *const to = tsr_picture_at_(p, r, i);
        placed_element const key = {to->offset, 0, 0};
        placed_element const *const found =
            (placed_element const *)bsearch(&key, all, (size_t)m, sizeof *all, by_offset);
        if (found)
            copy_of(to, found->copy, o);
        else
            to->link = -1;
    }
    tsr_picture_note_(p, "%lld copies of a block of %lld elements; a colour is a copy.", (long long)(m / n),
                      (long long)n);
}

void tsr_picture_repeated_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    tsr_layout const block = tsr_picture_layout_of_(&c->arg[0]);
    if (result->kind != VALUE_LAYOUT || tsr_mode_count(&block.shape) > 2
        || tsr_mode_count(&tsr_value_layout_(result)->shape) > 2)
        return;
    int const a = argument_grid(p, &c->arg[0], "block"), r = result_grid(p, c, result);
    if (p->refused[0])
        return;
    int64_t const rows = tsr_size(tsr_tuple_get(block.shape, 0)), columns = tsr_layout_size(block) / rows;
    int64_t const down = p->panel[r].row.count / rows, n = tsr_layout_size(block);
    for (int64_t m = 0; m < p->panel[r].row.count; ++m)
        for (int64_t k = 0; k < p->panel[r].column.count; ++k)
            copy_of(tsr_picture_cell_(p, r, m, k), down > 0 ? m / rows + down * (k / columns) : 0, o);
    for (int64_t i = 0; i < n; ++i)
        copy_of(tsr_picture_at_(p, a, i), 0, o);
    tsr_picture_note_(p, "The block repeated up to the shape; a colour is a copy.");
}

void tsr_picture_slice_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    int const at = tsr_picture_subject_(c);
    value traced = TSR_ZERO;
    bool const element = result->kind == VALUE_TUPLE;
    (void)o;
    if (at < 0 || c->args < 2 || !(is_grid(result) || element) || !tsr_picture_traced_(p, c, at, &traced))
        return;
    int64_t const n = tsr_layout_size(tsr_picture_layout_of_(&c->arg[at]));
    int64_t const m = element ? 1 : tsr_layout_size(*tsr_value_layout_(result));
    if (!tsr_picture_visits_(p, m))
        return;
    int const a = argument_grid(p, &c->arg[at], c->arg[at].kind == VALUE_TENSOR ? "T" : "L");
    int const r = element || tsr_is_unit(&tsr_value_layout_(result)->shape) ? -1 : result_grid(p, c, result);
    if (p->refused[0])
        return;
    for (int64_t i = 0; i < n; ++i)
        tsr_picture_at_(p, a, i)->mark |= TSR_MARK_FADED;
    for (int64_t i = 0; i < m; ++i) {
        int64_t const from = tsr_picture_source_(&traced, i);
        if (from < 0 || from >= n)
            continue;
        tsr_cell *const source = tsr_picture_at_(p, a, from);
        source->mark = TSR_MARK_CHOSEN;
        source->colour = tsr_picture_hue_(o, 0);
        if (r >= 0) {
            tsr_cell *const to = tsr_picture_at_(p, r, i);
            to->link = from;
            to->colour = source->colour;
            to->label = source->label;
            to->offset = source->offset;
        }
    }
    tsr_picture_note_(p, "%lld of %lld elements; the cells of the result show the offsets in the original.",
                      (long long)m, (long long)n);
}

/* Everything else that takes a layout: before and after, offsets in one ramp. */

static void picture_before_after(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    char text[TSR_TEXT_SIZE];
    writer w;
    int grids = 0;
    for (int i = 0; i < c->args && !p->refused[0]; ++i) {
        if (!is_grid(&c->arg[i]) || tsr_is_unit(&tsr_value_layout_(&c->arg[i])->shape))
            continue;
        char const name[2] = {(char)(c->args > 1 ? 'A' + grids : 'L'), 0};
        int const panel = argument_grid(p, &c->arg[i], name);
        if (panel > 0)
            p->panel[panel].joint = tsr_picture_text_(p, ",");
        ++grids;
    }
    if (grids == 0 || p->refused[0])
        return;
    if (is_grid(result) && !tsr_is_unit(&tsr_value_layout_(result)->shape)) {
        (void)result_grid(p, c, result);
    } else {
        writer_open(&w, text, sizeof text);
        tsr_value_write_(&w, result, p->flags);
        tsr_picture_note_(p, "%s  =  %s", tsr_picture_string_(p, p->title), text);
    }
    tsr_picture_colour_offsets_(p, o, 0);
}

bool tsr_picture_operation_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    static struct {
        char const *name;
        picture_maker *draw;
    } const makers[] = {
#define X(name, maker) {#name, tsr_picture_##maker##_},
        PICTURE_OPERATIONS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; ++i)
        if (strcmp(makers[i].name, c->name) == 0) {
            name_call(p, c);
            makers[i].draw(p, c, result, o);
            if (p->panels > 0 || p->refused[0])
                return true;
        }
    if (result->kind == VALUE_MMA || result->kind == VALUE_TILED_MMA || result->kind == VALUE_TILED_COPY
        || result->kind == VALUE_TMA || result->kind == VALUE_TMA_MAP || strncmp(c->name, "make_", 5) == 0)
        return false; /* what makes a value: the value is the picture */
    name_call(p, c);
    picture_before_after(p, c, result, o);
    return p->panels > 0 || p->refused[0];
}
