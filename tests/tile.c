/** Recorded answers of CK Tile, through the calculator.
 *
 *  usage: tile FOLDER. A family holds EXPRESSION<TAB>ANSWER. The lines of refuse.tsv hold EXPRESSION<TAB>WORDS: they
 *  must be refused, and the message must hold the words. quirks.tsv holds what is right where CK Tile errs.
 *
 *  Law     a line `name a @ b` answers what name(a, b) does, each argument written as it prints itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/text.h"

static char const *const families[] = {"transform",   "transform_chain",     "naive_descriptor",
                                       "move",        "vector_length",       "magic_division",
                                       "pyref_extra", "fold_to_layout",      "tile_distribution",
                                       "tv_layout",   "space_filling_curve", "tile_window",
                                       "tile_ops",    "tensor_view",         "quirks",
                                       "refuse"};

enum { LINE = 65536 };

/** Keeps the operation that was done last, as a call. */
static void keep_call(void *context, char const *name, char const *arguments, char const *result)
{
    (void)result;
    snprintf((char *)context, LINE, "%s(%s)", name, arguments);
}

int main(int argc, char **argv)
{
    static char line[LINE], text[LINE], call[LINE], again[LINE];
    int lines = 0, wrong = 0;
    if (argc != 2)
        return 2;
    for (size_t f = 0; f < sizeof families / sizeof families[0]; ++f) {
        bool const refused = strcmp(families[f], "refuse") == 0;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.tsv", argv[1], families[f]);
        FILE *const file = fopen(path, "r");
        if (!file) {
            printf("%s cannot be read\n", path);
            return 2;
        }
        while (fgets(line, sizeof line, file)) {
            line[strcspn(line, "\n")] = 0;
            char *const answer = strchr(line, '\t');
            if (line[0] == '#' || !answer)
                continue;
            answer[0] = 0;
            bool const ok = tsr_calc_traced(line, 0, text, sizeof text, keep_call, call);
            bool right = refused ? !ok && strstr(text, answer + 1) : ok && strcmp(text, answer + 1) == 0;
            if (right && ok)
                right = tsr_calc(call, 0, again, sizeof again) && strcmp(text, again) == 0;
            ++lines;
            wrong += !right;
            if (!right)
                printf("%s: %s\n  wanted %s%s\n  got    %s%s\n", families[f], line, refused ? "an error: " : "",
                       answer + 1, ok ? "" : "error: ", text);
        }
        fclose(file);
    }
    printf("%d lines of %zu families, %d wrong\n", lines, sizeof families / sizeof families[0], wrong);
    return wrong != 0 || lines == 0;
}
