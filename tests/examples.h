/** How one example of a doc comment is run. */
#include <stdio.h>
#include <string.h>

#include "tessera/text.h"

static int passed, failed;

static void compare(char const *where, char const *what, char const *got, char const *wanted)
{
    bool const same = strcmp(got, wanted) == 0;
    passed += same;
    failed += !same;
    if (!same)
        printf("%s: %s\n  says %s\n  gives %s\n", where, what, wanted, got);
}

static void calculated(char const *where, char const *expression, char const *wanted)
{
    char text[TSR_TEXT_SIZE];
    tsr_calc(expression, 0, text, sizeof text);
    compare(where, expression, text, wanted);
}

static void compiled_tuple(char const *where, char const *what, tsr_tuple t, char const *wanted)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_tuple(text, sizeof text, t, 0);
    compare(where, what, text, wanted);
}

static void compiled_layout(char const *where, char const *what, tsr_layout l, char const *wanted)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_layout(text, sizeof text, l, 0);
    compare(where, what, text, wanted);
}

static void compiled_number(char const *where, char const *what, int64_t n, char const *wanted)
{
    char text[TSR_TEXT_SIZE];
    snprintf(text, sizeof text, "%lld", (long long)n);
    compare(where, what, text, wanted);
}

static void compiled_tiler(char const *where, char const *what, tsr_tiler t, char const *wanted)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_tiler(text, sizeof text, t, 0);
    compare(where, what, text, wanted);
}

#define compiled(where, expression, wanted)   \
    _Generic((expression), tsr_tuple          \
             : compiled_tuple, tsr_layout     \
             : compiled_layout, tsr_tiler     \
             : compiled_tiler, default        \
             : compiled_number)(where, #expression, expression, wanted)

static int finished(void)
{
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
