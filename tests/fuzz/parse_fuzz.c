/** Any bytes as an expression: nothing crashes, and what is printed reads back as the same text. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tessera/text.h"

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    static char text[TSR_TEXT_SIZE], again[TSR_TEXT_SIZE];
    tsr_message error;
    char *const expression = (char *)malloc(size + 1);
    if (!expression)
        return 0;
    memcpy(expression, data, size);
    expression[size] = 0;
    tsr_layout const l = tsr_parse_layout(expression, 0, &error);
    if (tsr_ok(l)) {
        tsr_format_layout(text, sizeof text, l, 0);
        tsr_format_layout(again, sizeof again, tsr_parse(text), 0);
        if (strcmp(text, again) != 0)
            abort();
    }
    tsr_tuple const t = tsr_parse_tuple(expression, TSR_TEXT_STATIC, &error);
    if (tsr_ok(t)) {
        tsr_format_tuple(text, sizeof text, t, 0);
        tsr_format_tuple(again, sizeof again, tsr_parse_tuple(text, 0, &error), 0);
        if (strcmp(text, again) != 0)
            abort();
    }
    free(expression);
    return 0;
}
