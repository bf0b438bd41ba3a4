/** The model of pictures: arrays that grow, and texts in one pool. */
#include "picture/build.h"

#include <stdlib.h>
#include <string.h>

void tsr_picture_refuse_(tsr_picture *p, char const *format, ...)
{
    va_list args;
    if (p->refused[0])
        return;
    va_start(args, format);
    char words[sizeof p->refused];
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    tsr_format_printable(p->refused, sizeof p->refused, words, strlen(words));
}

bool tsr_picture_visits_(tsr_picture *p, int64_t elements)
{
    if (!tsr_add64(p->visited, elements, &p->visited) || elements < 0 || p->visited > TSR_WORK_BUDGET)
        tsr_picture_refuse_(p, "this picture would visit %lld elements (at most %d); slice its argument first",
                            (long long)elements, TSR_WORK_BUDGET);
    return p->refused[0] == 0;
}

bool tsr_picture_invalid_(tsr_picture *p, tsr_tuple why)
{
    char text[512];
    tsr_format_reason(text, sizeof text, tsr_why(why));
    if (why.status)
        tsr_picture_refuse_(p, "%s", text);
    return why.status;
}

/** The array with room for n more elements; out of memory the picture is refused. */
static void *reserve(tsr_picture *p, void *array, size_t *capacity, size_t used, size_t n, size_t size)
{
    if (p->refused[0] || (used + n <= *capacity && array))
        return array;
    size_t const grown = 2 * (used + n) + 16;
    void *const bigger = realloc(array, grown * size);
    if (!bigger)
        tsr_picture_refuse_(p, "out of memory for %zu parts of a picture", grown);
    *capacity = bigger ? grown : *capacity;
    return bigger ? bigger : array;
}

static char *reserve_text(tsr_picture *p, size_t n)
{
    p->text = (char *)reserve(p, p->text, &p->text_capacity, p->texts, n + 1, 1);
    if (p->refused[0])
        return NULL;
    if (p->texts == 0)
        p->text[p->texts++] = 0;
    return p->text + p->texts;
}

static uint32_t text_of(tsr_picture *p, char const *format, va_list args)
{
    char little[128],
        *text = little; /* not in the pool: an argument may be a text there, which moves when it grows */
    va_list again;
    va_copy(again, args);
    int const length = vsnprintf(little, sizeof little, format, args);
    size_t const n = length < 0 ? 0 : (size_t)length;
    if (n >= sizeof little)
        text = (char *)malloc(n + 1);
    if (text && text != little)
        vsnprintf(text, n + 1, format, again);
    va_end(again);
    if (!text)
        tsr_picture_refuse_(p, "out of memory for a text of %zu characters", n);
    char *const to = text && n > 0 ? reserve_text(p, n + 1) : NULL;
    if (to) {
        memcpy(to, text, n + 1);
        p->texts += n + 1;
    }
    if (text != little)
        free(text);
    return to ? (uint32_t)(p->texts - n - 1) : 0;
}

uint32_t tsr_picture_text_(tsr_picture *p, char const *format, ...)
{
    va_list args;
    va_start(args, format);
    uint32_t const text = text_of(p, format, args);
    va_end(args);
    return text;
}

char const *tsr_decimal_(char digits[DIGITS], int64_t n)
{
    char *at = digits + DIGITS;
    uint64_t rest = n < 0 ? (uint64_t)0 - (uint64_t)n : (uint64_t)n;
    *--at = 0;
    do
        *--at = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (n < 0)
        *--at = '-';
    return at;
}

uint32_t tsr_picture_number_(tsr_picture *p, int64_t n)
{
    char digits[DIGITS];
    char const *const text = tsr_decimal_(digits, n);
    size_t const size = strlen(text) + 1;
    char *const to = reserve_text(p, size);
    if (!to)
        return 0;
    memcpy(to, text, size);
    p->texts += size;
    return (uint32_t)(p->texts - size);
}

uint32_t tsr_picture_tuple_(tsr_picture *p, tsr_tuple t)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_tuple(text, sizeof text, t, TSR_TEXT_STATIC);
    return tsr_picture_text_(p, "%s", text);
}

uint32_t tsr_picture_coordinate_(tsr_picture *p, coordinates const *c, int64_t index)
{
    tsr_tuple at;
    tsr_coordinates_at_(c, index, &at);
    return tsr_picture_tuple_(p, at);
}

/** A value's text as a text of the picture. */
static uint32_t value_text(tsr_picture *p, value const *v)
{
    writer w;
    char *const text = (char *)malloc(TSR_TEXT_SIZE);
    if (!text) {
        tsr_picture_refuse_(p, "out of memory for a text of %d characters", TSR_TEXT_SIZE);
        return 0;
    }
    writer_open(&w, text, TSR_TEXT_SIZE);
    tsr_value_write_(&w, v, p->flags);
    uint32_t const r = tsr_picture_text_(p, "%s", text);
    free(text);
    return r;
}

#define X(name, kind_of, member, type)                               \
  uint32_t tsr_picture_##name##_text_(tsr_picture *p, type const *x) \
  {                                                                  \
    value v;                                                         \
    v.names = NULL;                                                  \
    v.kind = kind_of;                                                \
    v.as.member = *x;                                                \
    return value_text(p, &v);                                        \
  }
X(layout, VALUE_LAYOUT, layout, tsr_layout)
X(tensor, VALUE_TENSOR, tensor, tsr_tensor)
X(mma, VALUE_MMA, mma, tsr_mma_atom)
X(copy, VALUE_COPY, copy, tsr_copy_atom)
#undef X

char const *tsr_picture_string_(tsr_picture const *p, uint32_t text) { return p->text && text ? p->text + text : ""; }

char const *tsr_line_label_(tsr_picture const *p, tsr_axis const *a, int64_t i)
{
    return tsr_picture_string_(p, p->line[a->lines + (uint32_t)i].label);
}

char const *tsr_line_coord_(tsr_picture const *p, tsr_axis const *a, int64_t i)
{
    return tsr_picture_string_(p, p->line[a->lines + (uint32_t)i].coord);
}

tsr_picture_options tsr_plain_picture(void)
{
    tsr_picture_options o = TSR_ZERO;
    o.thread = -1;
    return o;
}

bool tsr_picture_ok(tsr_picture const *p) { return p->refused[0] == 0; }

void tsr_picture_free(tsr_picture *p)
{
    free(p->cell);
    free(p->panel);
    free(p->line);
    free(p->owner);
    free(p->text);
    memset(p, 0, sizeof *p);
}

int tsr_picture_panel_(tsr_picture *p, int64_t rows, int64_t columns, uint32_t title)
{
    int64_t cells = 0;
    if (!tsr_mul64(rows, columns, &cells) || cells > TSR_PICTURE_CELLS - (int64_t)p->cells) {
        tsr_picture_refuse_(
            p, "%lld rows of %lld cells do not make a readable picture (at most %d cells); slice it first",
            (long long)rows, (long long)columns, TSR_PICTURE_CELLS);
        return -1;
    }
    if (p->panels == TSR_PICTURE_PANELS) {
        tsr_picture_refuse_(p, "more than %d panels do not make a readable picture; slice it first",
                            TSR_PICTURE_PANELS);
        return -1;
    }
    p->cell = (tsr_cell *)reserve(p, p->cell, &p->cell_capacity, p->cells, (size_t)cells, sizeof *p->cell);
    tsr_panel *const bigger = (tsr_panel *)realloc(p->panel, (size_t)(p->panels + 1) * sizeof *p->panel);
    p->panel = bigger ? bigger : p->panel;
    if (p->refused[0] || !bigger) {
        tsr_picture_refuse_(p, "out of memory for %lld cells", (long long)cells);
        return -1;
    }
    tsr_panel *const panel = &p->panel[p->panels];
    memset(panel, 0, sizeof *panel);
    panel->first = p->cells;
    panel->title = title;
    panel->row.count = (int32_t)rows;
    panel->column.count = (int32_t)columns;
    panel->at_row = panel->at_column = -1;
    tsr_cell empty = TSR_ZERO;
    empty.link = empty.index = -1;
    empty.offset = TSR_BAD_OFFSET;
    empty.thread = empty.value = -1;
    for (int64_t i = 0; i < cells; ++i)
        p->cell[p->cells + (size_t)i] = empty;
    p->cells += (size_t)cells;
    return p->panels++;
}

int tsr_picture_named_panel_(tsr_picture *p, int64_t rows, int64_t columns, char const *name, char const *title, ...)
{
    va_list args;
    int const panel = tsr_picture_panel_(p, rows, columns, 0);
    if (panel < 0)
        return -1;
    va_start(args, title);
    p->panel[panel].title = text_of(p, title, args);
    va_end(args);
    p->panel[panel].name = tsr_picture_text_(p, "%s", name);
    tsr_picture_axis_named_(p, &p->panel[panel].row, "", "");
    tsr_picture_axis_named_(p, &p->panel[panel].column, "", "");
    return panel;
}

void tsr_picture_place_(tsr_picture *p, int panel, int row, int column)
{
    if (p->refused[0])
        return;
    p->panel[panel].at_row = (int16_t)row;
    p->panel[panel].at_column = (int16_t)column;
}

tsr_cell *tsr_picture_cell_(tsr_picture *p, int panel, int64_t row, int64_t column)
{
    static tsr_cell nowhere; /* written where a refused picture has no cells, and never read */
    if (p->refused[0])
        return &nowhere;
    tsr_panel const *const g = &p->panel[panel];
    return &p->cell[g->first + (size_t)(row * g->column.count + column)];
}

static tsr_axis_line *axis_lines(tsr_picture *p, tsr_axis *axis)
{
    p->line = (tsr_axis_line *)reserve(p, p->line, &p->line_capacity, p->lines, (size_t)axis->count, sizeof *p->line);
    if (p->refused[0])
        return NULL;
    axis->lines = (uint32_t)p->lines;
    p->lines += (size_t)axis->count;
    return p->line + axis->lines;
}

void tsr_picture_axis_named_(tsr_picture *p, tsr_axis *axis, char const *name, char const *letter)
{
    tsr_axis_line *line = axis_lines(p, axis);
    axis->name = tsr_picture_text_(p, "%s", name);
    for (int i = 0; line && i < axis->count; ++i) {
        uint32_t const text = *letter ? tsr_picture_text_(p, "%s%d", letter, i) : tsr_picture_number_(p, i);
        line[i].label = line[i].coord = text;
    }
}

void tsr_picture_axis_(tsr_picture *p, tsr_axis *axis, tsr_tuple shape)
{
    tsr_axis_line *line = axis_lines(p, axis);
    int levels = 0;
    for (int i = 0; i < shape.leaves; ++i) /* the coordinate of a mode has a level for each leaf but those of one */
        if (shape.leaf[i].value > 1 && levels < TSR_PICTURE_LEVELS)
            axis->extent[levels++] = (int32_t)shape.leaf[i].value;
        else if (shape.leaf[i].value > 1)
            axis->extent[levels - 1] *= (int32_t)shape.leaf[i].value;
    axis->levels = levels;
    for (int i = 0; line && i < axis->count; ++i) {
        line[i].label = tsr_picture_number_(p, i);
        line[i].coord = tsr_is_leaf(&shape) ? line[i].label : tsr_picture_tuple_(p, tsr_idx2crd(tsr_int(i), shape));
    }
}

uint32_t tsr_picture_owner_text_(tsr_picture *p, int64_t owner, int64_t value)
{
    return tsr_picture_text_(p, p->ranks ? "R%lld\n+%lld" : "T%lld\nV%lld", (long long)owner, (long long)value);
}

void tsr_picture_hold_(tsr_cell *c, int64_t thread, int64_t value, tsr_picture_options const *o)
{
    c->thread = (int32_t)thread;
    c->value = (int32_t)value;
    c->link = thread;
    c->colour = tsr_picture_hue_(o, thread);
}

void tsr_picture_own_(tsr_picture *p, tsr_cell *c, int64_t thread, int64_t value, tsr_picture_options const *o)
{
    if (p->refused[0])
        return;
    if (c->thread < 0) {
        tsr_picture_hold_(c, thread, value, o);
        c->label = tsr_picture_owner_text_(p, thread, value);
        return;
    }
    if (p->owners >= 4 * (size_t)TSR_PICTURE_CELLS) {
        tsr_picture_refuse_(p, "more than %d owners of elements do not make a readable picture",
                            4 * TSR_PICTURE_CELLS);
        return;
    }
    p->owner = (tsr_owner *)reserve(p, p->owner, &p->owner_capacity, p->owners, 1, sizeof *p->owner);
    if (p->refused[0])
        return;
    tsr_owner const also = {(uint32_t)(c - p->cell), (int32_t)thread, (int32_t)value};
    p->owner[p->owners++] = also;
}

void tsr_picture_legend_(tsr_picture *p, int colour, int until, int mark, char const *format, ...)
{
    va_list args;
    if (p->legends == TSR_PICTURE_LEGENDS)
        return;
    va_start(args, format);
    uint32_t const text = text_of(p, format, args);
    va_end(args);
    tsr_legend const l = {text, (uint8_t)colour, (uint8_t)mark, (uint8_t)until};
    p->legend[p->legends++] = l;
}

void tsr_picture_note_(tsr_picture *p, char const *format, ...)
{
    va_list args;
    va_start(args, format);
    if (p->notes < TSR_PICTURE_NOTES)
        p->note[p->notes++] = text_of(p, format, args);
    va_end(args);
}
