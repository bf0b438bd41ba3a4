/** eval and emit of layouts whose sizes have names: tessera eval --given 'M % 8 == 0' '(M,K):(K,1)'. */
#include "given.h"
#include "words.h"

#include <stdio.h>
#include <string.h>

#include "tessera/symbolic.h"

/** Reads an expression under the guards of the option. NULL: complains, in the place of a result where `printed`. */
static tsr_symbolic *read_given(options const *o, char const *given, char const *expression, bool printed)
{
    char text[TSR_TEXT_SIZE + 64];
    tsr_message error;
    tsr_symbolic *const e = tsr_symbolic_read(expression, given, &error);
    if (e)
        return e;
    snprintf(text, sizeof text, "%s (at character %zu)", error.text, error.at);
    if (printed)
        put_error(o, text);
    else
        complain(o, "%s", text);
    return NULL;
}

void hint_given(char const *expression)
{
    tsr_message error;
    tsr_symbolic *const e = tsr_symbolic_read(expression, "", &error);
    if (e && tsr_symbolic_is_layout(e) && tsr_symbolic_count(e) > 0)
        fprintf(stderr, "sizes with names are read under --given: tessera eval --given '' '%s'\n", expression);
    tsr_symbolic_free(e);
}

int eval_given(options const *o, char const *given, int n, char **argument)
{
    static char text[1 << 16];
    char guards[TSR_TEXT_SIZE];
    bool ok = true;
    for (int i = 0; i < n; ++i) {
        tsr_symbolic *const e = read_given(o, given, argument[i], true);
        ok = ok && e;
        if (!e)
            continue;
        tsr_symbolic_format(text, sizeof text, e);
        tsr_symbolic_format_guards(guards, sizeof guards, e);
        printf("%s\n", text);
        if (strcmp(guards, "1") != 0)
            printf("if %s\n", guards);
        tsr_symbolic_free(e);
    }
    return ok ? DONE : FAILED;
}

int emit_given(options const *o, char const *given, char const *language, char const *expression)
{
    static char text[1 << 16];
    tsr_message error;
    tsr_code const in = tsr_code_named(language);
    if (in == TSR_CODES)
        return misuse(o, "emit --given writes c, cuda, hip, python or triton, not %s", language);
    tsr_symbolic *const e = read_given(o, given, expression, false);
    if (!e)
        return FAILED;
    bool const ok = tsr_symbolic_emit(text, sizeof text, in, e, &error);
    tsr_symbolic_free(e);
    if (!ok)
        return complain(o, "%s", error.text), FAILED;
    printf("%s", text);
    return DONE;
}
