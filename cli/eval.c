/** The commands that work on expressions: eval, show, run. */
#include "commands.h"
#include "given.h"
#include "option.h"
#include "escape.h"
#include "words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/text.h"

/** Evaluates one expression and prints the result or "error: " and the reason, on standard output. With `notes`, a line
 *  on standard error says where static numbers give more. */
static bool print_result(options const *o, char const *expression, bool notes)
{
    static char text[16 * TSR_TEXT_SIZE]; /* the memory behind a tensor view is longer than any value */
    if (!tsr_calc(expression, o->flags, text, sizeof text))
        return put_error(o, text);
    printf("%s\n", text);
    if (notes)
        note_static(o, expression, text);
    return true;
}

/** Lines as they come: the caller's buffer grows with them, to LONGEST. */
typedef struct lines {
    FILE *file;
    char *text;
    size_t capacity;
    long count;
} lines;

enum { LONGEST = 1 << 20 };

/** Room for one more character and a zero behind the first n. */
static bool grow(lines *l, size_t n)
{
    if (n + 1 < l->capacity)
        return true;
    size_t const grown = l->capacity ? 2 * l->capacity : 256;
    char *const bigger = (char *)realloc(l->text, grown);
    if (bigger) {
        l->text = bigger;
        l->capacity = grown;
    }
    return bigger != NULL;
}

/** Reads on; NULL at the end, or at what is complained of: then *ok becomes false. */
static char *read_line(options const *o, char const *path, lines *l, bool *ok)
{
    size_t n = 0;
    int c = 0;
    errno = 0;
    for (; grow(l, n) && (c = getc(l->file)) != EOF && c != '\n' && n < LONGEST; ++n)
        l->text[n] = c == 0 || c == '\t' ? ' ' : (char)c;
    if (n + 1 >= l->capacity)
        return complain(o, "%s: out of memory in line %ld, after %zu characters", path, l->count + 1, n), *ok = false,
                                                                                                          NULL;
    if (n == LONGEST && c != EOF && c != '\n')
        return complain(o, "%s: line %ld has more than %d characters", path, l->count + 1, LONGEST), *ok = false,
                                                                                                     NULL;
    if (ferror(l->file))
        return complain(o, "%s cannot be read: %s", path, strerror(errno)), *ok = false, NULL;
    if (c == EOF && n == 0)
        return NULL;
    ++l->count;
    if (n > 0 && l->text[n - 1] == '\r')
        --n;
    l->text[n] = 0;
    return l->text;
}

static bool is_comment(char const *line)
{
    line += strspn(line, " \t");
    return *line == 0 || *line == '#';
}

int command_eval(options const *o, int n, char **argument)
{
    bool ok = true;
    if (n == 0)
        return misuse(o, "eval needs an expression, or - to read standard input");
    if (option_of(o, "--given"))
        return eval_given(o, option_of(o, "--given"), n, argument);
    for (int i = 0; i < n; ++i) {
        if (strcmp(argument[i], "-") != 0) {
            if (!print_result(o, argument[i], true)) {
                point_at_error(o, argument[i]);
                hint_given(argument[i]);
                ok = false;
            }
            continue;
        }
        lines l = {stdin, NULL, 0, 0};
        for (char *line; (line = read_line(o, "standard input", &l, &ok));) {
            if (is_comment(line))
                printf("\n");
            else
                ok = print_result(o, line, false) && ok;
        }
        free(l.text);
    }
    return ok ? DONE : FAILED;
}

/** One line of a script: "# text" prints the text, "show EXPR", "explain EXPR" and "tma EXPR" run these commands,
 *  "!EXPR" is an expression that must be refused, anything else is evaluated. False when a line does not do what it
 *  should. */
static bool run_line(options const *o, char *line)
{
    static struct {
        char const *word;
        int (*run)(options const *o, int n, char **argument);
    } const before[] = {{"show ", command_show}, {"explain ", command_explain}, {"tma ", command_tma}};
    options quiet = *o;
    line += strspn(line, " \t");
    if (*line == 0 || *line == '#') {
        printf("%s", o->colour_out ? "\033[1m" : "");
        print_escaped(stdout, *line ? line + 1 + (line[1] == ' ') : "");
        printf("%s\n", o->colour_out ? "\033[0m" : "");
        return true;
    }
    if (strncmp(line, "static ", 7) == 0) {
        quiet.flags |= TSR_TEXT_STATIC;
        line += 7;
    }
    printf("> ");
    print_escaped(stdout, line + (*line == '!'));
    printf("\n");
    if (*line == '!')
        return !print_result(&quiet, line + 1, false);
    for (size_t i = 0; i < sizeof before / sizeof before[0]; ++i) {
        size_t const n = strlen(before[i].word);
        char *expression = line + n;
        if (strncmp(line, before[i].word, n) == 0)
            return before[i].run(&quiet, 1, &expression) == DONE;
    }
    if (print_result(&quiet, line, true))
        return true;
    point_at_error(&quiet, line);
    return false;
}

int command_run(options const *o, int n, char **argument)
{
    bool ok = true;
    if (n == 0)
        return misuse(o, "run needs a file");
    for (int i = 0; i < n; ++i) {
        lines l = {fopen(argument[i], "r"), NULL, 0, 0};
        if (!l.file) {
            complain(o, "%s cannot be read: %s", argument[i], strerror(errno));
            return MISUSE;
        }
        for (char *line; (line = read_line(o, argument[i], &l, &ok));)
            ok = run_line(o, line) && ok;
        free(l.text);
        fclose(l.file);
    }
    return ok ? DONE : FAILED;
}
