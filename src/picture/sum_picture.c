/** A sum of layouts: the grid of its shape with the coordinate of each element. */
#include "picture/build.h"

#include <stdlib.h>

#include "tessera/core/terms.h"

void tsr_picture_sum_(tsr_picture *p, tsr_layout_sum const *s, tsr_picture_options const *o)
{
    char *const text = (char *)malloc(TSR_TEXT_SIZE);
    tsr_layout const compact = tsr_make_layout_compact(tsr_sum_shape(s));
    int const first = text ? tsr_picture_grid_(p, &compact, "") : -1;
    if (!text)
        tsr_picture_refuse_(p, "out of memory for a text of %d characters", TSR_TEXT_SIZE);
    for (size_t i = first < 0 ? p->cells : p->panel[first].first; i < p->cells && !p->refused[0]; ++i)
        p->cell[i].label = tsr_picture_tuple_(p, tsr_sum_call(s, tsr_int(p->cell[i].index)));
    if (first >= 0 && !p->refused[0]) {
        (void)tsr_format_sum(text, TSR_TEXT_SIZE, s, p->flags);
        tsr_picture_colour_offsets_(p, o, first);
        p->title = tsr_picture_text_(p, "%s", text);
        p->panel[first].title =
            p->panels == first + 1
                ? p->title
                : tsr_picture_text_(p, "%s at (_,_%s)", text, tsr_picture_string_(p, p->panel[first].rest));
        p->description =
            tsr_picture_text_(p, "The coordinates of the sum %s: rows are its first mode, columns its second.", text);
        p->plain = true;
    }
    free(text);
}
