/** Every recorded line of CuTe's answers, through the calculator.
 *
 *  usage: conformance FOLDER. A family file holds EXPRESSION<TAB>ANSWER; the lines of errors.tsv and refuse*.tsv must
 *  be refused. A family line that refuse_more.tsv lists breaks the law of its operation and must be refused, too; one
 *  that corrected.tsv lists has the answer given there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/text.h"

/* clang-format off */
static char const *const families[] = {
    "composition", "coalesce", "complement", "inverse", "divide",    "product",    "common",   "recast",
    "filter",      "slice",    "make",       "swizzle", "coords",    "manip",      "query",    "int_tuple",
    "predicates",  "integers", "mixedbits",  "tensor",  "arith",     "pointer",    "gemmlike", "tvlike",
    "mma_atoms_expr", "mma_atoms_ext_expr", "copy_atoms_expr", "smem_atoms_expr", "gmma_desc_expr",
    "tma_expr", "tmem_expr", "tma_partition", "multicast_mask", "tiled_expr",  "tiled_swizzle_expr", "forms",
    "errors",      "refuse",   "refuse_more", "corrected", "dynamic"};
/* clang-format on */

enum { LINE = 65536, MORE = 256 };

/** The expressions of a file, and their answers. */
typedef struct list {
    char *line[MORE], *answer[MORE];
    int count;
} list;

static list more, corrected;

static FILE *open_family(char const *folder, char const *family)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.tsv", folder, family);
    FILE *const file = fopen(path, "r");
    if (!file) {
        printf("%s cannot be read\n", path);
        exit(2);
    }
    return file;
}

/** The next line that is no comment, cut at the tabs: expression and answer. */
static char *next_line(FILE *file, char *line, char **answer)
{
    while (fgets(line, LINE, file)) {
        line[strcspn(line, "\n")] = 0;
        *answer = strchr(line, '\t');
        if (line[0] == '#' || !*answer)
            continue;
        *(*answer)++ = 0;
        (*answer)[strcspn(*answer, "\t")] = 0;
        return line;
    }
    return NULL;
}

/** Is a result an expression itself? All are, but pointers, (layout,offset) pairs and tensor maps. */
static bool is_expression(char const *text)
{
    int depth = 0;
    for (char const *p = text; *p; ++p) {
        depth += (*p == '(') - (*p == ')');
        if ((*p == ':' && depth > 0) || *p == '[' || *p == ';')
            return false;
    }
    return true;
}

static void load(list *l, char const *folder, char const *family)
{
    static char line[LINE];
    char *answer = NULL;
    FILE *const file = open_family(folder, family);
    while (next_line(file, line, &answer) && l->count < MORE) {
        size_t const size = strlen(line) + strlen(answer) + 2;
        char *const copy = (char *)malloc(size);
        if (!copy)
            exit(2);
        l->line[l->count] = strcpy(copy, line);
        l->answer[l->count++] = strcpy(copy + strlen(line) + 1, answer);
    }
    fclose(file);
}

static void unload(list *l)
{
    for (int i = 0; i < l->count; ++i)
        free(l->line[i]);
}

/** The answer that a list has for an expression, or NULL. */
static char const *listed(list const *l, char const *expression)
{
    for (int i = 0; i < l->count; ++i)
        if (strcmp(l->line[i], expression) == 0)
            return l->answer[i];
    return NULL;
}

int main(int argc, char **argv)
{
    static char line[LINE], text[TSR_TEXT_SIZE], again[TSR_TEXT_SIZE];
    char *answer = NULL;
    int lines = 0, wrong = 0;
    if (argc != 2)
        return 2;
    load(&more, argv[1], "refuse_more");
    load(&corrected, argv[1], "corrected");
    for (size_t f = 0; f < sizeof families / sizeof families[0]; ++f) {
        bool const refused = strncmp(families[f], "refuse", 6) == 0 || strcmp(families[f], "errors") == 0;
        FILE *const file = open_family(argv[1], families[f]);
        while (next_line(file, line, &answer)) {
            bool const must_fail = refused || listed(&more, line);
            bool const ok = tsr_calc(line, 0, text, sizeof text);
            char const *const wanted = listed(&corrected, line) ? listed(&corrected, line) : answer;
            bool right = must_fail ? !ok : ok && strcmp(text, wanted) == 0;
            if (right && ok && is_expression(text))
                right = tsr_calc(text, 0, again, sizeof again) && strcmp(text, again) == 0; /* prints what it reads */
            ++lines;
            if (!right) {
                ++wrong;
                printf("%s: %s\n  wanted %s\n  got    %s%s\n", families[f], line, must_fail ? "an error" : wanted,
                       ok ? "" : "error: ", text);
            }
        }
        fclose(file);
    }
    unload(&more);
    unload(&corrected);
    printf("%d lines of %zu families, %d wrong\n", lines, sizeof families / sizeof families[0], wrong);
    return wrong ? 1 : 0;
}
