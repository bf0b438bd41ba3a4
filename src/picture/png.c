/** Pictures as PNG, where libpng was found. */
#include "canvas.h"
#include "stream.h"

char const *tsr_format_missing(tsr_format format)
{
    return format == TSR_FORMAT_PNG ? "this build has no libpng, so it draws no .png; .svg is always there" : NULL;
}

bool draw_png(tsr_picture const *p, tsr_drawing const *how, stream *s)
{
    (void)p, (void)how, (void)s;
    return false;
}
