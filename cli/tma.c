/** The command that shows what TMA would do: tma. */
#include "commands.h"
#include "words.h"

#include <stdio.h>

/** One plan. False when there is none, or when the hardware would refuse it. */
static bool show_plan(options const *o, char const *expression)
{
    char text[TSR_TEXT_SIZE];
    tsr_tma_copy const c = tsr_parse_tma(expression, o->flags, NULL);
    if (c.desc.why.status == TSR_SYNTAX) {
        tsr_format_tuple(text, sizeof text, tsr_reason_tuple(c.desc.why), 0);
        put_error(o, text);
        point_at_error(o, expression);
        return false;
    }
    tsr_format_tma(text, sizeof text, c);
    fputs(text, stdout);
    return tsr_tma_lint(c.desc).answer == TSR_YES;
}

int command_tma(options const *o, int n, char **argument)
{
    bool ok = true;
    if (n == 0)
        return misuse(o, "tma needs an expression: make_tma_copy(..), tma_tiled(..) or tma_im2col(..)");
    for (int i = 0; i < n; ++i) {
        printf("%s", i > 0 ? "\n" : "");
        ok = show_plan(o, argument[i]) && ok;
    }
    return ok ? DONE : FAILED;
}
