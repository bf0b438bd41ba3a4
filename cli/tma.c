/** The command that shows what TMA would do: tma. */
#include "commands.h"

#include <stdio.h>

/** One plan. False when there is none, or when the hardware would refuse it. */
static bool show_plan(options const *o, char const *expression)
{
    char text[TSR_TEXT_SIZE];
    tsr_text_error error;
    tsr_tma_copy const c = tsr_parse_tma(expression, o->flags, &error);
    if (c.desc.why.status == TSR_SYNTAX && error.text[0]) {
        printf("%s%s (at character %zu)\n", o->colour_out ? "\033[31merror:\033[0m " : "error: ", error.text,
               error.at);
        return false;
    }
    tsr_format_tma(text, sizeof text, c);
    fputs(text, stdout);
    return tsr_tma_lint(c.desc).answer == TSR_YES;
}

int command_tma(options const *o, int n, char **argument)
{
    bool ok = true;
    if (n == 0) {
        complain(o, "tma needs an expression: make_tma_copy(..), tma_tiled(..) or tma_im2col(..)");
        return MISUSE;
    }
    for (int i = 0; i < n; ++i) {
        printf("%s", i > 0 ? "\n" : "");
        ok = show_plan(o, argument[i]) && ok;
    }
    return ok ? DONE : FAILED;
}
