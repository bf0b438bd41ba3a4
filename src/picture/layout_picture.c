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
    bool const linear = basis && coordinates_of_layout(&c_at, l);
    if (basis && !linear && picture_invalid(p, c_at.first))
        return;
    for (int64_t m = 0; m < rows; ++m)
        for (int64_t n = 0; n < columns && !p->refused[0]; ++n) {
            tsr_cell *const c = picture_cell(p, panel, m, n);
            c->index = m + rows * (n + columns * number);
            c->link = c->index;
            if (linear)
                c->label = picture_coordinate(p, &c_at, c->index);
            else if (basis)
                c->label = picture_tuple(p, tsr_layout_at(*l, tsr_int(c->index)));
            else
                c->label = picture_number(p, c->offset = tsr_layout_offset(l, c->index));
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
    return picture_text(p, ",%.*s", (int)n - 2, text + 1);
}

int picture_grid(tsr_picture *p, tsr_layout const *l, char const *name)
{
    tsr_tuple const size = l->shape.status ? l->shape : tsr_product(l->shape);
    if (picture_invalid(p, size)) /* no layout, or one of more elements than 64 bits count */
        return -1;
    if (tsr_is_unit(&l->shape)) {
        picture_refuse(p, "a layout without modes has no cells to draw");
        return -1;
    }
    int const rank = tsr_mode_count(&l->shape), first = p->panels;
    bool const across = rank == 1 && (*name || tsr_size(l->shape) <= ROW); /* a single mode is a row where it fits */
    tsr_tuple const one = tsr_int(1), mode = tsr_tuple_get(l->shape, 0);
    tsr_tuple const row_shape = across ? one : mode;
    tsr_tuple const column_shape = across ? mode : rank > 1 ? tsr_tuple_get(l->shape, 1) : one;
    int64_t const rows = tsr_size(row_shape), columns = tsr_size(column_shape), elements = tsr_layout_size(*l);
    if (elements > TSR_PICTURE_CELLS) {
        picture_refuse(p, "%lld elements do not make a readable picture (at most %d); slice the layout first",
                       (long long)elements, TSR_PICTURE_CELLS);
        return -1;
    }
    int64_t const panels = elements / rows / columns;
    uint32_t const text = picture_layout_text(p, l);
    for (int64_t number = 0; number < panels && !p->refused[0]; ++number) {
        uint32_t const rest = rest_of(p, l, number);
        uint32_t const title =
            panels == 1 ? picture_text(p, "%s%s%s", name, *name ? " = " : "", picture_string(p, text))
            : number == 0
                ? picture_text(p, "%s%s%s at (_,_%s)", name, *name ? " = " : "", picture_string(p, text),
                               picture_string(p, rest))
                : picture_text(p, "%s%s(_,_%s)", name, *name ? " at " : "", picture_string(p, rest));
        int const panel = picture_panel(p, rows, columns, title);
        if (panel < 0)
            break;
        p->panel[panel].rest = rest;
        p->panel[panel].name = picture_text(p, "%s", name);
        p->panel[panel].one_mode = rank == 1;
        if (number == 0) { /* all panels have the same axes */
            picture_axis(p, &p->panel[panel].row, row_shape);
            picture_axis(p, &p->panel[panel].column, column_shape);
        } else {
            p->panel[panel].row = p->panel[first].row;
            p->panel[panel].column = p->panel[first].column;
        }
        fill_panel(p, panel, l, number);
    }
    return p->refused[0] ? -1 : first;
}

tsr_cell *picture_at(tsr_picture *p, int panel, int64_t index)
{
    if (p->refused[0])
        return picture_cell(p, 0, 0, 0);
    int64_t const rows = p->panel[panel].row.count, columns = p->panel[panel].column.count;
    return picture_cell(p, panel + (int)(index / (rows * columns)), index % rows, index / rows % columns);
}

/** A thread is asked for: the layout is one of (thread,value), whose rows are threads and whose columns are values. */
static bool hold_rows(tsr_picture *p, tsr_layout const *l, int panel, tsr_picture_options const *o)
{
    if (o->thread < 0 || panel < 0 || p->refused[0] || tsr_mode_count(&l->shape) != 2)
        return false;
    for (int64_t t = 0; t < p->panel[panel].row.count; ++t)
        for (int64_t v = 0; v < p->panel[panel].column.count; ++v)
            picture_hold(picture_cell(p, panel, t, v), t, v, o);
    picture_axis_named(p, &p->panel[panel].row, "", "T");
    picture_axis_named(p, &p->panel[panel].column, "", "V");
    return true;
}

void picture_layout(tsr_picture *p, tsr_layout const *l, tsr_picture_options const *o)
{
    int const first = picture_grid(p, l, "");
    bool const held = hold_rows(p, l, first, o);
    if (!held)
        picture_colour_offsets(p, o, first);
    p->title = picture_layout_text(p, l);
    p->description =
        picture_text(p, "The offsets of the layout %s: rows are its first mode%s, columns its second%s.",
                     picture_string(p, p->title), held ? ", threads" : "", held ? ", their values" : "");
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
    return picture_text(p, "%s", text);
}

void picture_diff(tsr_picture *p, tsr_layout const *a, tsr_layout const *b, tsr_picture_options const *o)
{
    int const left = picture_grid(p, a, "A"), right = left < 0 ? -1 : picture_grid(p, b, "B");
    if (right < 0)
        return;
    int64_t const n = tsr_layout_size(*a), m = tsr_layout_size(*b), both = n < m ? n : m;
    int64_t differ = 0, first = -1;
    tsr_verdict why;
    picture_colour_offsets(p, o, 0);
    for (int64_t i = 0; i < (n > m ? n : m) && !p->refused[0]; ++i) {
        bool const same = i < both && !tsr_differ_at_(a, b, i, &why);
        int const mark = same ? TSR_MARK_FADED : TSR_MARK_CHOSEN;
        if (i < n)
            picture_at(p, left, i)->mark |= (uint8_t)mark;
        if (i < m)
            picture_at(p, right, i)->mark |= (uint8_t)mark;
        differ += !same;
        first = !same && first < 0 ? i : first;
    }
    uint32_t const a_text = picture_layout_text(p, a), b_text = picture_layout_text(p, b);
    p->title = picture_text(p, "%s against %s", picture_string(p, a_text), picture_string(p, b_text));
    p->description = picture_text(p, "The offsets of %s and of %s by the same 1-D coordinate.",
                                  picture_string(p, a_text), picture_string(p, b_text));
    if (differ == 0)
        picture_note(p, "The same function: all %lld offsets agree.", (long long)n);
    else if (first < both) {
        uint32_t const mine = value_text(p, a, first), other = value_text(p, b, first);
        picture_note(p, "%lld of %lld offsets differ; the first at the 1-D coordinate %lld: %s against %s.",
                     (long long)differ, (long long)(n > m ? n : m), (long long)first, picture_string(p, mine),
                     picture_string(p, other));
    } else
        picture_note(p, "One has %lld elements, the other %lld.", (long long)n, (long long)m);
    if (differ > 0)
        picture_legend(p, 0, 0, TSR_MARK_CHOSEN, "differs");
}
