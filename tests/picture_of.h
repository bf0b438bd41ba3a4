/** Pictures of expressions, as the command line makes them. */
#ifndef TSR_TESTS_PICTURE_OF_H
#define TSR_TESTS_PICTURE_OF_H

#include "tessera/picture.h"

static inline tsr_picture picture_of(char const *expression, tsr_picture_options const *o)
{
    tsr_evaluation *const e = tsr_evaluate(expression, o->flags, NULL, NULL);
    tsr_picture const p = tsr_make_picture(e, o);
    tsr_evaluation_free(e);
    return p;
}

static inline tsr_picture diff_of(char const *a, char const *b, tsr_picture_options const *o)
{
    tsr_layout const x = tsr_parse_layout(a, o->flags | TSR_TEXT_SHAPES, NULL),
                     y = tsr_parse_layout(b, o->flags | TSR_TEXT_SHAPES, NULL);
    return tsr_make_diff_picture(&x, &y, o);
}

#endif
