/** The commands that work on expressions: eval, show, run. */
#include "commands.h"
#include "show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/text.h"

/** Evaluates one expression and prints the result or "error: " and the reason, on standard output. */
static bool print_result(options const *o, char const *expression)
{
    char text[16 * TSR_TEXT_SIZE]; /* the memory behind a tensor view is longer than any value */
    bool const ok = tsr_calc(expression, o->flags, text, sizeof text);
    printf("%s%s\n", ok ? "" : o->colour_out ? "\033[31merror:\033[0m " : "error: ", text);
    return ok;
}

/** Reads a line of any length; NULL at the end of the file. The caller's buffer grows. */
static char *read_line(FILE *file, char **buffer, size_t *size)
{
    size_t n = 0;
    for (int c = getc(file); c != EOF || n > 0; c = getc(file)) {
        if (n + 1 >= *size) {
            size_t const grown = *size ? 2 * *size : 256;
            char *const bigger = (char *)realloc(*buffer, grown);
            if (!bigger)
                return NULL;
            *buffer = bigger;
            *size = grown;
        }
        if (c == '\n' || c == EOF) {
            if (n > 0 && (*buffer)[n - 1] == '\r')
                --n;
            (*buffer)[n] = 0;
            return *buffer;
        }
        (*buffer)[n++] = c == 0 ? ' ' : (char)c;
    }
    return NULL;
}

static bool is_comment(char const *line)
{
    line += strspn(line, " \t");
    return *line == 0 || *line == '#';
}

int command_eval(options const *o, int n, char **argument)
{
    bool ok = true;
    if (n == 0) {
        complain(o, "eval needs an expression, or - to read standard input");
        return MISUSE;
    }
    for (int i = 0; i < n; ++i) {
        if (strcmp(argument[i], "-") != 0) {
            ok = print_result(o, argument[i]) && ok;
            continue;
        }
        char *buffer = NULL;
        size_t size = 0;
        for (char *line = read_line(stdin, &buffer, &size); line; line = read_line(stdin, &buffer, &size)) {
            if (is_comment(line))
                printf("\n");
            else
                ok = print_result(o, line) && ok;
        }
        free(buffer);
    }
    return ok ? DONE : FAILED;
}

/** One line of a script: "# text" prints the text, "show EXPR", "explain EXPR" and "tma EXPR" run these commands,
 *  "!EXPR" is an expression that must be refused, anything else is evaluated. False when a line does not do what it
 *  should. */
static bool run_line(options const *o, char *line)
{
    options quiet = *o;
    line += strspn(line, " \t");
    if (*line == 0 || *line == '#') {
        printf("%s%s%s\n", o->colour_out ? "\033[1m" : "", *line ? line + 1 + (line[1] == ' ') : "",
               o->colour_out ? "\033[0m" : "");
        return true;
    }
    if (strncmp(line, "static ", 7) == 0) {
        quiet.flags |= TSR_TEXT_STATIC;
        line += 7;
    }
    printf("> %s\n", line + (*line == '!'));
    if (*line == '!')
        return !print_result(&quiet, line + 1);
    if (strncmp(line, "show ", 5) == 0)
        return show_expression(&quiet, line + 5);
    if (strncmp(line, "explain ", 8) == 0) {
        char *expression = line + 8;
        return command_explain(&quiet, 1, &expression) == DONE;
    }
    if (strncmp(line, "tma ", 4) == 0) {
        char *expression = line + 4;
        return command_tma(&quiet, 1, &expression) == DONE;
    }
    return print_result(&quiet, line);
}

int command_run(options const *o, int n, char **argument)
{
    bool ok = true;
    if (n == 0) {
        complain(o, "run needs a file");
        return MISUSE;
    }
    for (int i = 0; i < n; ++i) {
        char *buffer = NULL;
        size_t size = 0;
        FILE *const file = fopen(argument[i], "r");
        if (!file) {
            complain(o, "%s cannot be read", argument[i]);
            return MISUSE;
        }
        for (char *line = read_line(file, &buffer, &size); line; line = read_line(file, &buffer, &size))
            ok = run_line(o, line) && ok;
        free(buffer);
        fclose(file);
    }
    return ok ? DONE : FAILED;
}
