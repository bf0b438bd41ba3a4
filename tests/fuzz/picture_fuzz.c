/** Any bytes as an expression that is drawn, and compared with another layout: in every format, with every label,
 *  nothing crashes; what is refused says why, and all ends in time. */
#include "fuzz.h"

#include <string.h>

#include "in_time.h"
#include "../picture_of.h"

static bool drop(void *context, char const *bytes, size_t n)
{
    *(size_t *)context += n;
    return bytes != NULL;
}

static void draw(tsr_picture *p)
{
    if (!tsr_picture_ok(p) && p->refused[0] == 0)
        abort();
    for (int format = 0; tsr_picture_ok(p) && p->cells < 4096 && format < TSR_FORMATS; ++format) {
        tsr_drawing how = TSR_ZERO;
        size_t n = 0;
        how.format = (tsr_format)format;
        how.width = 80;
        if (!tsr_draw_picture(p, how, drop, &n) && format != TSR_FORMAT_PPM)
            abort();
    }
    tsr_picture_free(p);
}

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    static char const *const panels[] = {NULL, NULL, NULL, "1", "A,2", "result"};
    clock_t const begin = clock();
    char *const text = fuzz_text(data, size);
    if (!text)
        return 0;
    unsigned const choice = size > 0 ? (unsigned)(data[size / 2] * 7u + size) : 0;
    tsr_picture_options o = tsr_plain_picture();
    o.label = (tsr_label)(choice % (TSR_LABEL_BANK + 1));
    o.thread = choice % 9 == 0 ? (int64_t)(choice % 40) : -1;
    o.panel = panels[choice % 6];
    o.cute = choice % 5 == 0;
    o.alone = choice % 11 == 0;
    o.flags = choice % 2 ? TSR_TEXT_SHAPES : 0;
    tsr_picture p = picture_of(text, &o);
    draw(&p);
    o.panel = NULL;
    p = diff_of(text, "(4,8):(8,1)", &o);
    draw(&p);
    free(text);
    check_time(begin);
    return 0;
}
