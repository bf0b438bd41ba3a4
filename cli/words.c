/** What the program says beside its results. */
#include "words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"

static char const *error_mark(bool colour) { return colour ? "\033[31merror:\033[0m " : "error: "; }

/** "error: " and the words, whole however long a path or an expression in front of the cause is; cut without memory. */
static void say(options const *o, char const *format, va_list args)
{
    char text[4096], *more = NULL;
    va_list again;
    va_copy(again, args);
    int const n = vsnprintf(text, sizeof text, format, args);
    if (n >= (int)sizeof text && (more = (char *)malloc((size_t)n + 1)) != NULL)
        vsnprintf(more, (size_t)n + 1, format, again);
    va_end(again);
    fputs(error_mark(o->colour_err), stderr);
    print_escaped(stderr, more ? more : text);
    free(more);
}

void complain(options const *o, char const *format, ...)
{
    va_list args;
    va_start(args, format);
    say(o, format, args);
    va_end(args);
    fprintf(stderr, "\n");
}

int misuse(options const *o, char const *format, ...)
{
    va_list args;
    va_start(args, format);
    say(o, format, args);
    va_end(args);
    fprintf(stderr, *o->command ? " (see tessera %s --help)\n" : " (see tessera help)\n", o->command);
    return MISUSE;
}

bool put_error(options const *o, char const *text)
{
    printf("%s%s\n", error_mark(o->colour_out), text);
    return false;
}

void note_static(options const *o, char const *expression, char const *result)
{
    static char text[TSR_TEXT_SIZE];
    if (!tsr_calc_static(expression, o->flags, result, text, sizeof text))
        return;
    fflush(stdout);
    fprintf(stderr, "with static numbers: %s\n", text);
}

void point_at_error(options const *o, char const *expression)
{
    enum { BEFORE = 60, WIDTH = 76 };
    static tsr_message error;
    if (tsr_is_expression(expression, o->flags, &error))
        return;
    size_t const from = error.at > BEFORE ? error.at - BEFORE : 0;
    fflush(stdout);
    fprintf(stderr, "  ");
    size_t const left = strlen(expression + from);
    print_escaped_part(stderr, expression + from, left < WIDTH ? left : WIDTH);
    int const column = 2 + escaped_columns(expression + from, error.at - from);
    fprintf(stderr, "\n%*s%s\n", column, "", o->colour_err ? "\033[31m^\033[0m" : "^");
}

int print_wrapped(int column, int indent, char const *text)
{
    enum { WIDTH = 79 };
    for (bool gap = false; *text; gap = true) {
        int n = 0, depth = 0;
        for (; text[n] && (text[n] != ' ' || depth > 0); ++n)
            depth += (text[n] == '[') - (text[n] == ']');
        bool const next = column + gap + n > WIDTH && column > indent;
        if (next)
            column = indent;
        printf(next ? "\n%*s%.*s" : "%*s%.*s", next ? indent : gap, "", n, text);
        column += n + (gap && !next);
        text += n + (text[n] == ' ');
    }
    return column;
}
