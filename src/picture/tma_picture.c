/** Tensor maps: the boxes over the tensor, what lies outside of it, and where the rows of a box stand in shared
 *  memory. */
#include "picture/build.h"
#include "tma/text.h"

enum { MOST_UNITS = 48 };

/** One direction: its cells are units of `unit` elements, `count` of them, from element `first` on. */
typedef struct direction {
    int64_t extent, box, unit, count, first;
    bool cut; /* there are more boxes than are drawn */
} direction;

static direction make_direction(int64_t extent, int64_t box)
{
    direction d = {extent, box, 1, 0, 0, false};
    int64_t const padded = tsr_ceil_div64(extent, box) * box;
    while (padded / d.unit > MOST_UNITS && d.unit < box)
        d.unit = box % (2 * d.unit) == 0 ? 2 * d.unit : box;
    d.count = padded / d.unit;
    d.cut = d.count > MOST_UNITS;
    if (d.cut)
        d.count = MOST_UNITS / (box / d.unit) * (box / d.unit);
    if (d.cut && d.count == 0)
        d.count = box / d.unit;
    return d;
}

/** The coordinates beside the cells. */
static void direction_axis(tsr_picture *p, tsr_axis *axis, direction const *d, char const *name)
{
    tsr_picture_axis_named_(p, axis, name, "");
    for (int64_t i = 0; i < axis->count && !p->refused[0]; ++i) {
        uint32_t const text = tsr_picture_number_(p, d->first + i * d->unit);
        tsr_axis_line *const line = &p->line[axis->lines + (uint32_t)i];
        line->label = line->coord = text;
    }
}

/** The tensor in boxes: rows are dimension 1, columns dimension 0. */
static void boxes_panel(tsr_picture *p, tsr_tma_desc const *d, tsr_picture_options const *o)
{
    direction const x = make_direction(d->dim[0], d->box[0]);
    direction const y = make_direction(d->rank > 1 ? d->dim[1] : 1, d->rank > 1 ? d->box[1] : 1);
    int64_t const bits = tsr_tma_format_bits(d->format), across = tsr_ceil_div64(x.extent, x.box);
    int const panel =
        tsr_picture_named_panel_(p, y.count, x.count, "boxes", "boxes: %lldx%lld elements, boxes of %lldx%lld",
                                 (long long)y.extent, (long long)x.extent, (long long)y.box, (long long)x.box);
    if (panel < 0)
        return;
    direction_axis(p, &p->panel[panel].row, &y, "dim 1");
    direction_axis(p, &p->panel[panel].column, &x, "dim 0");
    for (int64_t m = 0; m < y.count; ++m)
        for (int64_t n = 0; n < x.count && !p->refused[0]; ++n) {
            tsr_cell *const c = tsr_picture_cell_(p, panel, m, n);
            int64_t const i = n * x.unit, k = m * y.unit, box = i / x.box + across * (k / y.box);
            c->link = box;
            c->index = i + x.extent * k;
            c->colour = tsr_picture_hue_(o, box);
            c->mark = i >= x.extent || k >= y.extent ? TSR_MARK_OUTSIDE : box == 0 ? TSR_MARK_CHOSEN : 0;
            if (!(c->mark & TSR_MARK_OUTSIDE))
                c->offset = (i * bits + k * (d->rank > 1 ? d->stride[1] * 8 : 0)) / bits;
            if (x.unit * y.unit == 1 && !(c->mark & TSR_MARK_OUTSIDE))
                c->label = tsr_picture_number_(p, c->offset);
            else if (!(c->mark & TSR_MARK_OUTSIDE) && i % x.box == 0 && k % y.box == 0)
                c->label = tsr_picture_number_(p, box);
        }
    tsr_picture_legend_(p, 0, 0, TSR_MARK_CHOSEN, "the first box");
    if (x.count * x.unit > x.extent || y.count * y.unit > y.extent)
        tsr_picture_legend_(p, 0, 0, TSR_MARK_OUTSIDE, "out of bounds: filled with %s",
                            d->fill == TSR_TMA_FILL_NAN ? "NaN" : "zero");
    if (x.unit * y.unit > 1)
        tsr_picture_note_(p, "A cell is %lldx%lld elements (dim 1 by dim 0); a number is that of its box.",
                          (long long)y.unit, (long long)x.unit);
    if (x.cut || y.cut)
        tsr_picture_note_(p, "Only the first %lldx%lld of %lldx%lld boxes are drawn.",
                          (long long)(y.count * y.unit / y.box), (long long)(x.count * x.unit / x.box),
                          (long long)tsr_ceil_div64(y.extent, y.box), (long long)across);
    for (int i = 2; i < d->rank; ++i)
        tsr_picture_note_(p, "Dimension %d: %lld elements, boxes of %lld.", i, (long long)d->dim[i],
                          (long long)d->box[i]);
}

/** Rows of a box in shared memory, in chunks of 16 bytes: which chunk of the row stands where. */
static void chunks_panel(tsr_picture *p, tsr_tma_desc const *d, tsr_picture_options const *o)
{
    tsr_swizzle const sw = tsr_tma_swizzle_bits(d->swizzle);
    int64_t const columns = tsr_tma_row_pitch(d) / 16, all = tsr_tma_smem_bytes(d) / 16;
    if (columns < 2 || columns > MOST_UNITS || all < columns)
        return;
    int64_t const rows = tsr_min64(all / columns, 8);
    int const panel = tsr_picture_named_panel_(
        p, rows, columns, "smem", "smem: chunks of 16 bytes in %lld bytes a row", (long long)(columns * 16));
    if (panel < 0)
        return;
    p->panel[panel].joint = tsr_picture_text_(p, sw.bits ? "Sw<%d,%d,%d>" : "box", sw.bits, sw.base, sw.shift);
    for (int64_t i = 0; i < rows * columns; ++i) {
        int64_t const held = (int64_t)tsr_swizzle_apply(sw, (uint64_t)(i * 16)) / 16 % columns;
        tsr_cell *const c = tsr_picture_cell_(p, panel, i / columns, i % columns);
        c->index = i / columns * columns + held;
        c->label = tsr_picture_number_(p, held);
        c->colour = tsr_picture_hue_(o, held);
    }
}

/** An im2col map: where base pixels may stand in a plane of the image. */
static void pixels_panel(tsr_picture *p, tsr_tma_desc const *d)
{
    direction x = {d->dim[1], 1, 1, 0, 0, false}, y = {d->rank > 3 ? d->dim[2] : 1, 1, 1, 0, 0, false};
    int64_t const low_x = d->lower[0], high_x = x.extent - 1 + d->upper[0];
    int64_t const low_y = d->rank > 3 ? d->lower[1] : 0, high_y = d->rank > 3 ? y.extent - 1 + d->upper[1] : 0;
    x.first = tsr_min64(low_x, 0);
    y.first = tsr_min64(low_y, 0);
    x.count = tsr_min64(tsr_max64(high_x, x.extent - 1) + 1 - x.first, MOST_UNITS);
    y.count = tsr_min64(tsr_max64(high_y, y.extent - 1) + 1 - y.first, MOST_UNITS);
    int const panel =
        tsr_picture_named_panel_(p, y.count, x.count, "pixels", "pixels: base pixels of the bounding box");
    if (panel < 0)
        return;
    direction_axis(p, &p->panel[panel].row, &y, "H");
    direction_axis(p, &p->panel[panel].column, &x, "W");
    for (int64_t m = 0; m < y.count; ++m)
        for (int64_t n = 0; n < x.count; ++n) {
            int64_t const i = x.first + n, k = y.first + m;
            bool const base = i >= low_x && i <= high_x && k >= low_y && k <= high_y;
            tsr_cell *const c = tsr_picture_cell_(p, panel, m, n);
            c->mark = (uint8_t)((i < 0 || i >= x.extent || k < 0 || k >= y.extent ? TSR_MARK_OUTSIDE : 0)
                                | (base ? TSR_MARK_CHOSEN : 0));
            c->colour = (uint8_t)(base ? TSR_COLOUR_HUE : 0);
        }
    tsr_picture_legend_(p, TSR_COLOUR_HUE, 0, TSR_MARK_CHOSEN, "base pixels, in order along W, then H");
    tsr_picture_legend_(p, 0, 0, TSR_MARK_OUTSIDE, "out of bounds: filled with %s",
                        d->fill == TSR_TMA_FILL_NAN ? "NaN" : "zero");
    tsr_picture_note_(p, "%lld channels of %lld pixels a load.", (long long)d->channels, (long long)d->pixels);
}

void tsr_picture_tma_(tsr_picture *p, tsr_tma_desc const *d, tsr_picture_options const *o)
{
    char text[TSR_TEXT_SIZE];
    writer w;
    if (tsr_picture_invalid_(p, tsr_reason_tuple(d->why)))
        return;
    writer_open(&w, text, sizeof text);
    tsr_write_tma_map_(&w, d);
    p->title = tsr_picture_text_(p, "tensor map %s", text);
    p->description = tsr_picture_text_(p, "The boxes of the tensor map %s over its tensor.", text);
    if (d->im2col) {
        pixels_panel(p, d);
    } else {
        boxes_panel(p, d, o);
        chunks_panel(p, d, o);
    }
    tsr_picture_note_(p, "%s", text);
}
