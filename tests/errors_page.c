/* Writes docs/errors.md: every reason of base/status_list.h, what helps, and an expression of the tests that shows it.
 * usage: errors_page >docs/errors.md */
#include <stdio.h>
#include <string.h>

#include "repairs.h"
#include "ops/ops.h"
#include "tessera/text.h"

#include "laws/provoked.inc"

typedef struct entry {
    char const *name, *sentence, *repair, *section;
} entry;

static entry entries[TSR_STATUS_COUNT] = {
#define TSR_ROW_(id, text) {#id, text, NULL, NULL},
#include "tessera/base/status_list.h"
};

/** A sentence in HTML, N for its numbers, T for its types, .. for its words. */
static void put_sentence(char const *text)
{
    fputs("<code>", stdout);
    for (; *text; ++text)
        if (*text == '{') {
            fputs(text[1] == 't' ? "T" : strchr("wkfb", text[1]) ? ".." : "N", stdout);
            text = strchr(text, '}');
        } else if (strchr("<>&\"|*_[]\\`", *text)) {
            printf("&#%d;", *text);
        } else {
            putchar(*text);
        }
    fputs("</code>", stdout);
}

/** The first expression that provokes a status, and what the calculator says of it. */
static void put_example(int status)
{
    char text[TSR_TEXT_SIZE];
    for (size_t i = 0; i < sizeof provoked / sizeof provoked[0]; ++i)
        if (provoked[i].status == status) {
            bool const ok = tsr_calc(provoked[i].expression, 0, text, sizeof text);
            printf("\n```\n$ tessera eval '%s'\n%s%s\n```\n", provoked[i].expression, ok ? "" : "error: ", text);
            return;
        }
}

int main(void)
{
#define X(id, text) entries[TSR_##id].repair = text;
    REPAIR_LIST(X)
#undef X
#define X(id, text) entries[TSR_##id].section = text;
    SECTION_LIST(X)
#undef X
    puts("# Errors\n\n"
         "Made by the target `errors` from the reasons in include/tessera/base/status_list.h and the expressions "
         "that\n"
         "provoke them in the tests. An invalid value carries its reason through all further operations\n"
         "([layouts.md](layouts.md#10-refuse)); `tsr_explain` prints the sentence. Here N is a\n"
         "number. In C a reason is `TSR_` and its name.");
    for (int i = 0; i < TSR_STATUS_COUNT; ++i) {
        if (!entries[i].repair) {
            fprintf(stderr, "tests/repairs.h has no row for %s\n", entries[i].name);
            return 1;
        }
        if (entries[i].section)
            printf("\n## %s\n", entries[i].section);
        if (i == TSR_OK)
            continue;
        printf("\n### %s\n\n", entries[i].name);
        put_sentence(entries[i].sentence);
        printf("\n\n%s\n", entries[i].repair);
        put_example(i);
    }
    return 0;
}
