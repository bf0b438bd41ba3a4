/** From an expression to its picture: of the operation where there is one, else of the value. */
#include "build.h"

#include "../tile_calc.h"

#include <stdlib.h>
#include <string.h>

/** Refuses a value that its text says better. */
static void refuse_worded(tsr_picture *p, char const *text)
{
    picture_refuse(p, "%s", text);
    p->worded = true;
}

/** The picture of a value alone. */
static void picture_value(tsr_picture *p, value const *v, tsr_picture_options const *o)
{
    tsr_tuple const why = value_reason(v);
    if (why.status) {
        picture_refuse_because(p, why);
        return;
    }
    tsr_tiled_mma const one = tsr_make_tiled_mma(v->mma), mma = value_tiled_mma(v);
    tsr_tiled_copy const copy = value_tiled_copy(v);
    tsr_tensor const tensor = tsr_make_tensor_of(v->engine, v->layout);
    tsr_layout const compact = v->kind == VALUE_TUPLE ? tsr_make_layout_compact(v->tuple) : v->layout;
    switch (v->kind) {
        case VALUE_TUPLE:
            if (o->flags & TSR_TEXT_SHAPES && !compact.shape.status)
                picture_layout(p, &compact, o);
            else
                refuse_worded(p, "an integer or a tuple is its own picture: `tessera eval` prints it");
            break;
        case VALUE_LAYOUT:
        case VALUE_SMEM:
        case VALUE_PAIR:
        case VALUE_TILED_LAYOUT:
            picture_layout(p, &v->layout, o);
            break;
        case VALUE_TILER:
            refuse_worded(p, "a tiler has no picture of its own, but what it divides has");
            break;
        case VALUE_TENSOR:
            picture_tensor(p, &tensor, o);
            break;
        case VALUE_SWIZZLE:
            picture_swizzle(p, v->swizzle, o);
            break;
        case VALUE_MMA:
            picture_mma(p, &one, o);
            break;
        case VALUE_TILED_MMA:
            picture_mma(p, &mma, o);
            break;
        case VALUE_COPY:
            picture_copy_atom(p, v->copy, o);
            break;
        case VALUE_TILED_COPY:
            picture_tiled_copy(p, &copy, o);
            break;
        case VALUE_TMA_MAP:
        case VALUE_TMA:
            picture_tma(p, &v->tma, o);
            break;
        case VALUE_ENGINE:
        case VALUE_VERDICT:
        case VALUE_TYPE:
        case VALUE_TMA_OP:
            refuse_worded(p, "a value of this kind has no picture: `tessera eval` prints it");
            break;
    }
}

tsr_picture tsr_make_picture(char const *expression, tsr_picture_options const *options)
{
    tsr_picture p = TSR_ZERO;
    value v = TSR_ZERO;
    call outer = TSR_ZERO;
    tsr_text_error error = TSR_ZERO;
    p.element_bits = options->type ? tsr_dtype_bits(options->type) : 0;
    if (picture_is_tile(expression)) {
        picture_tile(&p, expression, options);
    } else if (tile_is_query(expression)) {
        refuse_worded(&p, "this query has no picture: `tessera eval` answers it");
    } else if (!value_read(expression, options->flags, &v, &outer, &error)) {
        picture_refuse(&p, "%.400s (at character %zu)", error.text, error.at);
    } else if (value_reason(&v).status) {
        picture_refuse_because(&p, value_reason(&v));
    } else if (options->alone || !outer.name[0] || !picture_operation(&p, &outer, &v, options)) {
        if (options->label == TSR_LABEL_BANK && v.kind == VALUE_LAYOUT && v.layout.composed)
            picture_banks(&p, &v.layout, options);
        else
            picture_value(&p, &v, options);
    }
    if (p.element_bits == 0)
        p.element_bits = 32;
    picture_finish(&p, options);
    free(outer.arg);
    return p;
}
