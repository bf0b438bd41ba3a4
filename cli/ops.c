/** The commands that print the table of operations: ops and reference. */
#include "commands.h"
#include "option.h"
#include "usage.h"
#include "words.h"

#include <stdio.h>
#include <string.h>

#include "tessera/atoms.h"
#include "tessera/text.h"

void print_kinds(char const *format)
{
    /* clang-format off */
    static char const *const kinds[][2] = {
        {"T", "tuple or integer"}, {"L", "layout"}, {"W", "swizzle"}, {"Z", "layout and offset"}, {"D", "verdict"},
        {"E", "engine"}, {"G", "tensor"}, {"f", "linear map over F2"}, {"A", "MMA atom"}, {"C", "copy atom"},
        {"H", "tiled MMA"}, {"K", "tiled copy"}, {"J", "tile and its layout"},
        {"R", "tiler: a layout, an integer, `_` or a tuple of these"}, {"U, V", "the remaining integers and tuples"}, {"Q, M", "the remaining tilers, layouts"},
        {"S", "layout of shared memory"}, {"F", "tensor map"}, {"I", "TMA copy"}, {"O", "name of a TMA operation"},
        {"Y", "element type or type/type"}, {"N, P", "in brackets: an integer, any number of integers"},
        {"B", "in brackets: an element type"}, {"d", "tensor descriptor"}, {"t", "transform"}, {"e", "distribution"},
        {"v", "tensor view, or a descriptor over memory that counts"}, {"w", "tile window"},
        {"r", "distributed layout"}, {"x", "redistribution"},
        {"l", "the remaining transforms, each with its dimensions"}, {"i", "the remaining indices"},
        {"m", "name of a memory operation"}, {"p", "name of an address space"},
        {"b", "name of banks of shared memory"}, {"s", "several numbers"},
        {"a", "an answer in words or numbers"}};
    /* clang-format on */
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
        printf(format, kinds[i][0], kinds[i][1]);
}

/** One row of the table as it is called: name<N>(T, L) -> T. */
static void operation_title(tsr_op const *op, char *out, size_t size)
{
    size_t const n = tsr_format_op(out, size, op);
    snprintf(out + n, size - n, " -> %c", op->result);
}

/** Is there an operation of this name? */
static bool is_operation(char const *name)
{
    int count = 0;
    tsr_op const *const ops = tsr_ops(&count);
    for (int i = 0; i < count; ++i)
        if (strcmp(ops[i].name, name) == 0)
            return true;
    return false;
}

/** Says that there is no such operation, and which may be meant. */
static bool unknown_operation(options const *o, char const *name)
{
    char const *names[3];
    char meant[256] = "";
    int const n = tsr_ops_meant(name, names, 3);
    for (int i = 0; i < n; ++i) {
        size_t const used = strlen(meant);
        snprintf(meant + used, sizeof meant - used, "%s%s%s",
                 i == 0      ? ", did you mean "
                 : i + 1 < n ? ", "
                             : " or ",
                 names[i], i + 1 < n ? "" : "?");
    }
    complain(o, "unknown operation %s%s", name, meant);
    return false;
}

/** A word that is no operation finds those whose name or description has it. */
static bool is_found(tsr_op const *op, char const *word)
{
    return !is_operation(word) && (strstr(op->name, word) || strstr(op->help, word));
}

/** The atoms whose names have a word of an atom's; the first of them are printed. */
typedef struct listing {
    char const *word;
    int count;
    bool quiet;
} listing;

enum { LISTED = 200 };

static void list_name(listing *l, char const *name)
{
    if (strstr(name, l->word) && l->count++ < LISTED && !l->quiet)
        printf("%s\n", name);
}

static void list_copy(void *context, tsr_copy_atom x)
{
    char name[TSR_TEXT_SIZE];
    (void)tsr_format_copy_atom(name, sizeof name, x);
    list_name((listing *)context, name);
}

static void list_mma(void *context, tsr_mma_atom x)
{
    char name[TSR_TEXT_SIZE];
    (void)tsr_format_mma_atom(name, sizeof name, x);
    list_name((listing *)context, name);
}

/** How many atoms have a word in their names; with `print` they are listed, those of copies first. */
static int list_atoms(char const *word, bool print)
{
    listing l = {word, 0, !print};
    (void)tsr_each_copy_atom(list_copy, &l);
    (void)tsr_each_mma_atom(list_mma, &l);
    if (print && l.count > LISTED)
        printf(".. and %d more: a longer word lists fewer\n", l.count - LISTED);
    return l.count;
}

int command_ops(options const *o, int n, char **argument)
{
    int count = 0;
    bool ok = true;
    tsr_op const *const ops = tsr_ops(&count);
    for (int k = 0; k < n; ++k) {
        bool found = is_operation(argument[k]);
        for (int i = 0; i < count && !found; ++i)
            found = is_found(&ops[i], argument[k]);
        found = found || list_atoms(argument[k], true) > 0;
        ok = (found || unknown_operation(o, argument[k])) && ok;
    }
    for (int i = 0; i < count; ++i) {
        bool named = false, found = n == 0;
        char left[128];
        for (int k = 0; k < n; ++k) {
            named = named || strcmp(ops[i].name, argument[k]) == 0;
            found = found || is_found(&ops[i], argument[k]);
        }
        operation_title(&ops[i], left, sizeof left);
        if (named || found)
            printf("%-34s %s\n", left, ops[i].help);
        if (named || (found && n > 0))
            printf("    %s  =  %s\n", ops[i].example, ops[i].value);
    }
    if (n == 0) {
        printf("\n");
        print_kinds("%-5s %s\n");
        printf("`tessera ops NAME` adds an example; any other word, as in `tessera ops compl`, searches\n");
    }
    return ok ? DONE : FAILED;
}

/** Text for a cell of a Markdown table. In backquotes only the bar needs care, elsewhere the signs of emphasis and
 *  of tags, too. */
static void cell(char const *text)
{
    bool code = false;
    for (; *text; ++text) {
        code = code != (*text == '`');
        if (*text == '|' || (!code && strchr("*_<>[]\\", *text)))
            putchar('\\');
        putchar(*text);
    }
}

static void code_cell(char const *text)
{
    putchar('`');
    for (; *text; ++text) {
        if (*text == '|')
            putchar('\\');
        putchar(*text);
    }
    putchar('`');
}

int command_reference(options const *o, int n, char **argument)
{
    int count = 0;
    tsr_op const *const ops = tsr_ops(&count);
    (void)o, (void)n, (void)argument;
    printf(
        "# Operations\n\n"
        "Made by `tessera reference` from the table in src/ops; `tessera eval` evaluates every\n"
        "example. In C `name(a, b)` is the function `tsr_NAME` of the last column; the numbers in brackets are its\n"
        "last arguments. CK Tile, distributed layouts and words have other functions in C: "
        "`tile.h`, `mesh.h`, `atom/umma.h` and `atom/smem.h`.\n"
        "`tessera gallery` draws them ([pictures](pictures.md)).\n\n"
        "| | |\n|---|---|\n");
    print_kinds("| %s | %s |\n");
    printf("\n`p=T` is an argument that is written behind `p=`, and may be left out. "
           "A line may also be written with blanks:\n`offset D @ (1,0,2)` is `offset(D, (1,0,2))`; "
           "the signs `@`, `;`, `*` and `->` may separate two arguments.\n");
    for (int i = 0; i < count; ++i) {
        char const *const part = tsr_part_of_op(&ops[i]);
        bool const first = i == 0 || part != tsr_part_of_op(&ops[i - 1]);
        bool const of_headers = strncmp(part, "CK Tile", 7) != 0 && strncmp(part, "Distributed", 11) != 0
                                && strcmp(part, "Blackwell: words") != 0;
        char title[128];
        if (first)
            printf("\n## %s\n\n| Operation | | Example | |%s\n|---|---|---|---|%s\n", part,
                   of_headers ? " In C |" : "", of_headers ? "---|" : "");
        operation_title(&ops[i], title, sizeof title);
        printf("| ");
        code_cell(title);
        printf(" | ");
        cell(ops[i].help);
        printf(" | ");
        code_cell(ops[i].example);
        printf(" | ");
        code_cell(ops[i].value);
        if (of_headers)
            printf(" | `tsr_%s`", ops[i].function);
        printf(" |\n");
    }
    return DONE;
}
