/** A layout: a grid of its first two modes, a panel for each coordinate of the others. */
#include "picture/build.h"

#include <string.h>

/** The most elements of a layout of one mode that stand in a row; more stand in a column, unless among other panels.
 */
enum { ROW = 64 };

/** The cells of one panel. Offsets that are numbers come from the 1-D coordinate at once. */
static void fill_panel(tsr_picture *p, int panel, tsr_layout const *l, int64_t number)
{
    int64_t const rows = p->panel[panel].row.count, columns = p->panel[panel].column.count;
    bool const basis = tsr_has_basis(&l->stride);
    coordinates c_at;
    bool const linear = basis && tsr_coordinates_of_layout_(&c_at, l);
    if (basis && !linear && tsr_picture_invalid_(p, c_at.first))
        return;
    for (int64_t m = 0; m < rows; ++m)
        for (int64_t n = 0; n < columns && !p->refused[0]; ++n) {
            tsr_cell *const c = tsr_picture_cell_(p, panel, m, n);
            c->index = m + rows * (n + columns * number);
            c->link = c->index;
            if (linear)
                c->label = tsr_picture_coordinate_(p, &c_at, c->index);
            else if (basis)
                c->label = tsr_picture_tuple_(p, tsr_layout_at(*l, tsr_int(c->index)));
            else
                c->label = tsr_picture_number_(p, c->offset = tsr_layout_offset(l, c->index));
        }
}

/** ",1,(0,2)": the coordinate of the modes from 2 on. */
static uint32_t rest_of(tsr_picture *p, tsr_layout const *l, int64_t number)
{
    char text[TSR_TEXT_SIZE];
    int const rank = tsr_mode_count(&l->shape);
    if (rank <= 2)
        return 0;
    tsr_format_tuple(text, sizeof text, tsr_idx2crd(tsr_int(number), tsr_tuple_take(l->shape, 2, rank)),
                     TSR_TEXT_STATIC);
    size_t const n = strlen(text);
    return tsr_picture_text_(p, ",%.*s", (int)n - 2, text + 1);
}

int tsr_picture_grid_(tsr_picture *p, tsr_layout const *l, char const *name)
{
    tsr_tuple const size = l->shape.status ? l->shape : tsr_product(l->shape);
    if (tsr_picture_invalid_(p, size)) /* no layout, or one of more elements than 64 bits count */
        return -1;
    if (tsr_is_unit(&l->shape)) {
        tsr_picture_refuse_(p, "a layout without modes has no cells to draw");
        return -1;
    }
    int const rank = tsr_mode_count(&l->shape), first = p->panels;
    bool const across = rank == 1 && (*name || tsr_size(l->shape) <= ROW); /* a single mode is a row where it fits */
    tsr_tuple const one = tsr_int(1), mode = tsr_tuple_get(l->shape, 0);
    tsr_tuple const row_shape = across ? one : mode;
    tsr_tuple const column_shape = across ? mode : rank > 1 ? tsr_tuple_get(l->shape, 1) : one;
    int64_t const rows = tsr_size(row_shape), columns = tsr_size(column_shape), elements = tsr_layout_size(*l);
    if (elements > TSR_PICTURE_CELLS) {
        tsr_picture_refuse_(p, "%lld elements do not make a readable picture (at most %d); slice the layout first",
                            (long long)elements, TSR_PICTURE_CELLS);
        return -1;
    }
    int64_t const panels = elements / rows / columns;
    uint32_t const text = tsr_picture_layout_text_(p, l);
    for (int64_t number = 0; number < panels && !p->refused[0]; ++number) {
        uint32_t const rest = rest_of(p, l, number);
        uint32_t const title =
            panels == 1 ? tsr_picture_text_(p, "%s%s%s", name, *name ? " = " : "", tsr_picture_string_(p, text))
            : number == 0
                ? tsr_picture_text_(p, "%s%s%s at (_,_%s)", name, *name ? " = " : "", tsr_picture_string_(p, text),
                                    tsr_picture_string_(p, rest))
                : tsr_picture_text_(p, "%s%s(_,_%s)", name, *name ? " at " : "", tsr_picture_string_(p, rest));
        int const panel = tsr_picture_panel_(p, rows, columns, title);
        if (panel < 0)
            break;
        p->panel[panel].rest = rest;
        p->panel[panel].name = tsr_picture_text_(p, "%s", name);
        p->panel[panel].one_mode = rank == 1;
        if (number == 0) { /* all panels have the same axes */
            tsr_picture_axis_(p, &p->panel[panel].row, row_shape);
            tsr_picture_axis_(p, &p->panel[panel].column, column_shape);
        } else {
            p->panel[panel].row = p->panel[first].row;
            p->panel[panel].column = p->panel[first].column;
        }
        fill_panel(p, panel, l, number);
    }
    return p->refused[0] ? -1 : first;
}

/** Cells from panel `first` on get the places of their elements behind the swizzle of a pointer. */
static void place_cells(tsr_picture *p, int first, tsr_engine const *e)
{
    tsr_reason const whole = tsr_whole_elements_(e);
    if (first < 0 || tsr_picture_invalid_(p, tsr_reason_tuple(whole)))
        return;
    for (size_t i = p->panel[first].first; i < p->cells && !p->refused[0]; ++i) {
        tsr_cell *const c = &p->cell[i];
        int64_t bits = 0;
        if (c->offset == TSR_BAD_OFFSET)
            continue;
        if (!tsr_mul64(c->offset, tsr_engine_bits(*e), &bits) || tsr_abs64(bits) >= (uint64_t)1 << 62
            || tsr_swizzle_width_(e->swizzle) > TSR_SWIZZLE_WIDEST_)
            tsr_picture_refuse_(p, "behind the swizzle of the pointer the offset %lld does not fit in 64 bits",
                                (long long)c->offset);
        else
            c->offset = (tsr_bits_from_(e, c->offset, e->address) - e->bit) / tsr_engine_bits(*e);
        c->label = tsr_picture_number_(p, c->offset);
    }
}

int tsr_picture_tensor_grid_(tsr_picture *p, tsr_tensor const *t, char const *name)
{
    int const first = tsr_picture_grid_(p, &t->layout, name);
    if (t->engine.kind == TSR_POINTER && p->element_bits == 0)
        p->element_bits = tsr_engine_bits(t->engine);
    if (t->engine.kind == TSR_POINTER && t->engine.swizzle.bits > 0)
        place_cells(p, first, &t->engine);
    return p->refused[0] ? -1 : first;
}

tsr_cell *tsr_picture_at_(tsr_picture *p, int panel, int64_t index)
{
    if (p->refused[0])
        return tsr_picture_cell_(p, 0, 0, 0);
    int64_t const rows = p->panel[panel].row.count, columns = p->panel[panel].column.count;
    return tsr_picture_cell_(p, panel + (int)(index / (rows * columns)), index % rows, index / rows % columns);
}

/** A thread is asked for: the layout is one of (thread,value), whose rows are threads and whose columns are values. */
static bool hold_rows(tsr_picture *p, tsr_layout const *l, int panel, tsr_picture_options const *o)
{
    if (o->thread < 0 || panel < 0 || p->refused[0] || tsr_mode_count(&l->shape) != 2)
        return false;
    for (int64_t t = 0; t < p->panel[panel].row.count; ++t)
        for (int64_t v = 0; v < p->panel[panel].column.count; ++v)
            tsr_picture_hold_(tsr_picture_cell_(p, panel, t, v), t, v, o);
    tsr_picture_axis_named_(p, &p->panel[panel].row, "", "T");
    tsr_picture_axis_named_(p, &p->panel[panel].column, "", "V");
    return true;
}

void tsr_picture_layout_(tsr_picture *p, tsr_layout const *l, tsr_picture_options const *o)
{
    int const first = tsr_picture_grid_(p, l, "");
    bool const held = hold_rows(p, l, first, o);
    if (!held)
        tsr_picture_colour_offsets_(p, o, first);
    p->title = tsr_picture_layout_text_(p, l);
    p->description =
        tsr_picture_text_(p, "The offsets of the layout %s: rows are its first mode%s, columns its second%s.",
                          tsr_picture_string_(p, p->title), held ? ", threads" : "", held ? ", their values" : "");
    p->plain = !held;
    p->label_width = 1;
    for (int64_t n = tsr_cosize(*l); n >= 10; n /= 10)
        ++p->label_width;
}

/** L(i), an integer or a coordinate. */
static uint32_t value_text(tsr_picture *p, tsr_layout const *l, int64_t i)
{
    char text[TSR_TEXT_SIZE];
    tsr_tuple value = tsr_layout_at(*l, tsr_int(i));
    for (int k = 0; k < value.leaves; ++k)
        value.leaf[k].kind = TSR_DYNAMIC; /* numbers, not promises */
    tsr_format_tuple(text, sizeof text, value, 0);
    return tsr_picture_text_(p, "%s", text);
}

void tsr_picture_diff_(tsr_picture *p, tsr_layout const *a, tsr_layout const *b, tsr_picture_options const *o)
{
    int const left = tsr_picture_grid_(p, a, "A"), right = left < 0 ? -1 : tsr_picture_grid_(p, b, "B");
    if (right < 0)
        return;
    int64_t const n = tsr_layout_size(*a), m = tsr_layout_size(*b), both = n < m ? n : m;
    int64_t differ = 0, first = -1;
    tsr_verdict why;
    tsr_picture_colour_offsets_(p, o, 0);
    for (int64_t i = 0; i < (n > m ? n : m) && !p->refused[0]; ++i) {
        bool const same = i < both && !tsr_differ_at_(a, b, i, &why);
        int const mark = same ? TSR_MARK_FADED : TSR_MARK_CHOSEN;
        if (i < n)
            tsr_picture_at_(p, left, i)->mark |= (uint8_t)mark;
        if (i < m)
            tsr_picture_at_(p, right, i)->mark |= (uint8_t)mark;
        differ += !same;
        first = !same && first < 0 ? i : first;
    }
    uint32_t const a_text = tsr_picture_layout_text_(p, a), b_text = tsr_picture_layout_text_(p, b);
    p->title = tsr_picture_text_(p, "%s against %s", tsr_picture_string_(p, a_text), tsr_picture_string_(p, b_text));
    p->description = tsr_picture_text_(p, "The offsets of %s and of %s by the same 1-D coordinate.",
                                       tsr_picture_string_(p, a_text), tsr_picture_string_(p, b_text));
    if (differ == 0)
        tsr_picture_note_(p, "The same function: all %lld offsets agree.", (long long)n);
    else if (first < both) {
        uint32_t const mine = value_text(p, a, first), other = value_text(p, b, first);
        tsr_picture_note_(p, "%lld of %lld offsets differ; the first at the 1-D coordinate %lld: %s against %s.",
                          (long long)differ, (long long)(n > m ? n : m), (long long)first,
                          tsr_picture_string_(p, mine), tsr_picture_string_(p, other));
    } else
        tsr_picture_note_(p, "One has %lld elements, the other %lld.", (long long)n, (long long)m);
    if (differ > 0)
        tsr_picture_legend_(p, 0, 0, TSR_MARK_CHOSEN, "differs");
}
