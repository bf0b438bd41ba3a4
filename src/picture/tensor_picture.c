/** A tensor: its values in the grid of its layout. */
#include "picture/build.h"

/** One value, as short as it can be read. */
static uint32_t value_label(tsr_picture *p, tsr_tensor const *t, int64_t index)
{
    tsr_number x = TSR_ZERO;
    if (t->engine.kind == TSR_COORDINATES && t->engine.map.kind == TSR_AS_IS)
        return tsr_picture_tuple_(p, tsr_tensor_at(*t, tsr_int(index)));
    if (!tsr_tensor_counts_(t, index) || tsr_tensor_read(*t, tsr_int(index), &x).status)
        return tsr_picture_text_(p, "?");
    if (x.kind == TSR_SIGNED)
        return tsr_picture_number_(p, (int64_t)x.bits);
    if (x.kind == TSR_UNSIGNED)
        return tsr_picture_text_(p, "%llu", (unsigned long long)x.bits);
    char text[64];
    writer w;
    writer_open(&w, text, sizeof text);
    put_real(&w, x.kind == TSR_COMPLEX ? "%.3g" : "%.4g", x.re);
    if (x.kind == TSR_COMPLEX) {
        put_real(&w, "%+.3g", x.im);
        put(&w, "i");
    }
    return tsr_picture_text_(p, "%s", text);
}

void tsr_picture_tensor_(tsr_picture *p, tsr_tensor const *t, tsr_picture_options const *o)
{
    int const first = tsr_picture_tensor_grid_(p, t, "");
    int64_t const n = p->refused[0] ? 0 : tsr_layout_size(t->layout);
    p->title = tsr_picture_tensor_text_(p, t);
    p->description = tsr_picture_text_(p, "The elements of the tensor %s.", tsr_picture_string_(p, p->title));
    p->element_bits = t->engine.kind == TSR_POINTER ? tsr_engine_bits(t->engine) : 0;
    if (n > 0)
        p->panel[first].title = p->title;
    coordinates c;
    bool const linear = n > 0 && tsr_coordinates_of_tensor_(&c, t);
    if (n > 0 && !linear && tsr_picture_invalid_(p, c.first))
        return;
    if (t->engine.kind != TSR_POINTER)
        for (int64_t i = 0; i < n; ++i)
            tsr_picture_at_(p, first, i)->label = linear ? tsr_picture_coordinate_(p, &c, i) : value_label(p, t, i);
    else
        tsr_picture_note_(p, "The elements are in memory that is not here; the cells show their offsets%s.",
                          t->engine.swizzle.bits > 0 ? ", through the swizzle of the pointer" : "");
    tsr_picture_colour_offsets_(p, o, first);
}
