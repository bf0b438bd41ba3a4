/** tessera fit: the layout that has the offsets of a file. */
#include "commands.h"
#include "words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/text.h"

/** The integers of a file, as many as a law is tried on. */
typedef struct samples {
    int64_t value[TSR_LAW_BUDGET];
    int64_t count;
} samples;

/** Reads integers between blanks and commas; the rest of a line after # is a comment. False: complained of. */
static bool read_samples(options const *o, char const *path, FILE *file, samples *s)
{
    char word[32];
    int n = 0, line = 1;
    for (int c = 0; c != EOF;) {
        c = getc(file);
        while (c == '#')
            while ((c = getc(file)) != EOF && c != '\n')
                ;
        bool const blank = c == EOF || c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n';
        if (!blank && n + 1 < (int)sizeof word)
            word[n++] = c == 0 ? '?' : (char)c;
        else if (!blank)
            return complain(o, "%s: an integer of line %d has more than %d characters", path, line, n), false;
        if (blank && n > 0) {
            char *end = word;
            word[n] = 0;
            errno = 0;
            long long const x = strtoll(word, &end, 10);
            if (*end || errno || x > TSR_INT_MAX || x < -TSR_INT_MAX)
                return complain(o, "%s: `%s` in line %d is not an integer of 62 bits", path, word, line), false;
            if (s->count == TSR_LAW_BUDGET)
                return complain(o, "%s: more than %d integers", path, TSR_LAW_BUDGET), false;
            s->value[s->count++] = x;
            n = 0;
        }
        line += c == '\n';
    }
    if (ferror(file))
        return complain(o, "%s cannot be read: %s", path, strerror(errno)), false;
    if (s->count == 0)
        return complain(o, "%s has no integers", path), false;
    return true;
}

/** Prints the layout, or why there is none. */
static bool print_fit(options const *o, samples const *s, char const *shape)
{
    static char text[TSR_TEXT_SIZE];
    tsr_message error = {0};
    tsr_tuple const all = tsr_int(s->count);
    tsr_tuple const over = shape ? tsr_parse_tuple(shape, o->flags, &error) : all;
    if (error.text[0]) {
        complain(o, "%s", error.text);
        point_at_error(o, shape);
        return false;
    }
    tsr_layout const l = tsr_fit(s->value, s->count, o->flags & TSR_TEXT_STATIC ? tsr_static_tuple(over) : over);
    tsr_format_layout(text, sizeof text, l, o->flags);
    if (!tsr_ok(l))
        return put_error(o, text);
    printf("%s\n", text);
    return true;
}

int command_fit(options const *o, int n, char **argument)
{
    if (n < 1 || n > 2)
        return misuse(o,
                      "fit needs a file of integers, or - for standard input, and takes a shape: "
                      "echo 0 1 3 2 | tessera fit -");
    bool const standard = strcmp(argument[0], "-") == 0;
    FILE *const file = standard ? stdin : fopen(argument[0], "r");
    samples *const s = (samples *)calloc(1, sizeof *s);
    if (!file)
        complain(o, "%s cannot be read: %s", argument[0], strerror(errno));
    else if (!s)
        complain(o, "out of memory");
    bool const ok = file && s && read_samples(o, standard ? "standard input" : argument[0], file, s)
                 && print_fit(o, s, n == 2 ? argument[1] : NULL);
    if (file && !standard)
        fclose(file);
    free(s);
    return ok ? DONE : FAILED;
}
