/** A tensor: its values in the grid of its layout. */
#include "picture/build.h"

/** One value, as short as it can be read. */
static uint32_t value_label(tsr_picture *p, tsr_tensor const *t, int64_t index)
{
    tsr_number x = TSR_ZERO;
    if (t->engine.kind == TSR_COORDINATES && t->engine.map.kind == TSR_AS_IS)
        return picture_tuple(p, tsr_tensor_at(*t, tsr_int(index)));
    if (!tensor_counts(t, index) || tsr_tensor_read(*t, tsr_int(index), &x).status)
        return picture_text(p, "?");
    if (x.kind == TSR_SIGNED)
        return picture_number(p, (int64_t)x.bits);
    if (x.kind == TSR_UNSIGNED)
        return picture_text(p, "%llu", (unsigned long long)x.bits);
    char text[64];
    writer w;
    writer_open(&w, text, sizeof text);
    put_real(&w, x.kind == TSR_COMPLEX ? "%.3g" : "%.4g", x.re);
    if (x.kind == TSR_COMPLEX) {
        put_real(&w, "%+.3g", x.im);
        put(&w, "i");
    }
    return picture_text(p, "%s", text);
}

void picture_tensor(tsr_picture *p, tsr_tensor const *t, tsr_picture_options const *o)
{
    int const first = picture_grid(p, &t->layout, "");
    int64_t const n = p->refused[0] ? 0 : tsr_layout_size(t->layout);
    p->title = picture_tensor_text(p, t);
    p->description = picture_text(p, "The elements of the tensor %s.", picture_string(p, p->title));
    p->element_bits = t->engine.kind == TSR_POINTER ? tsr_engine_bits(t->engine) : 0;
    if (n > 0)
        p->panel[first].title = p->title;
    coordinates c;
    bool const linear = n > 0 && coordinates_of_tensor(&c, t);
    if (n > 0 && !linear && picture_invalid(p, c.first))
        return;
    if (t->engine.kind != TSR_POINTER)
        for (int64_t i = 0; i < n; ++i)
            picture_at(p, first, i)->label = linear ? picture_coordinate(p, &c, i) : value_label(p, t, i);
    else
        picture_note(p, "The elements are in memory that is not here; the cells show their offsets.");
    picture_colour_offsets(p, o, first);
}
