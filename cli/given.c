/** eval and emit of layouts whose sizes have names: tessera eval --given 'M % 8 == 0' '(M,K):(K,1)'. */
#include "given.h"
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/symbolic.h"

/** Reads an expression under the guards of the option. NULL: complains, in the place of a result where `printed`. */
static tsr_symbolic *read_given(options const *o, char const *given, char const *expression, bool printed)
{
    static char text[TSR_TEXT_SIZE + 64];
    static tsr_message error;
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

/** The whole text of a result or of its guards, allocated; NULL: complains. */
static char *whole_text(options const *o, size_t (*format)(char *out, size_t size, tsr_symbolic const *e),
                        tsr_symbolic const *e)
{
    size_t const n = format(NULL, 0, e) + 1;
    char *const text = (char *)malloc(n);
    if (text)
        format(text, n, e);
    else
        complain(o, "out of memory for %zu characters", n);
    return text;
}

int eval_given(options const *o, char const *given, int n, char **argument)
{
    bool ok = true;
    for (int i = 0; i < n; ++i) {
        tsr_symbolic *const e = read_given(o, given, argument[i], true);
        ok = ok && e;
        if (!e)
            continue;
        char *const text = whole_text(o, tsr_symbolic_format, e);
        char *const guards = text ? whole_text(o, tsr_symbolic_format_guards, e) : NULL;
        if (guards)
            printf("%s\n", text);
        if (guards && strcmp(guards, "1") != 0)
            printf("if %s\n", guards);
        ok = ok && guards;
        free(guards);
        free(text);
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
