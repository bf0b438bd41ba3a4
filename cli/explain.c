/** tessera explain: the operations of an expression in the order they are done, the law of each, what a compound one
 *  is made of, and what is true of the layout that comes out. */
#include "commands.h"
#include "escape.h"
#include "words.h"
#include "laws.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/text.h"

typedef struct law {
    char const *name, *law, *condition;
} law;

static law const laws[] = {
#define X(name, law, condition) {#name, law, condition},
    LAW_LIST(X)
#undef X
};

/** Evaluates a pattern in which $1 and $2 stand for the texts a and b; what is too long is an error. */
static bool calculate(options const *o, char *out, size_t size, char const *pattern, char const *a, char const *b)
{
    static char expression[4 * TSR_TEXT_SIZE];
    size_t n = 0;
    for (char const *p = pattern; *p && n + 1 < sizeof expression; ++p) {
        if (*p == '$') {
            char const *const text = *++p == '1' ? a : b;
            n += (size_t)snprintf(expression + n, sizeof expression - n, "%s", text);
        } else {
            expression[n++] = *p;
        }
    }
    if (n + 1 >= sizeof expression) {
        snprintf(out, size, "this expression is longer than %zu characters", sizeof expression - 2);
        return false;
    }
    expression[n] = 0;
    return tsr_calc(expression, o->flags, out, size);
}

/** The steps inside a divide or a product of a layout by a layout: `left` and `right` are their texts. */
static void inner_steps(options const *o, char const *name, char const *left, char const *right)
{
    static char text[TSR_TEXT_SIZE];
    bool const divide = strstr(name, "_divide") != NULL;
    bool const product = strcmp(name, "logical_product") == 0;
    if ((!divide && !product) || *right == '<' || !strchr(right, ':') || strncmp(left, "Sw<", 3) == 0)
        return;
    if (divide) {
        bool const ok = calculate(o, text, sizeof text, "complement($2, shape(coalesce($1)))", left, right);
        printf("    the tiles are counted by complement(T, shape(L)) = %s%s\n", ok ? "" : "error: ", text);
    } else {
        bool const ok = calculate(o, text, sizeof text, "complement($1, imul(size($1), cosize($2)))", left, right);
        printf("    the repetitions go to complement(L, size(L)*cosize(T)) = %s%s\n", ok ? "" : "error: ", text);
    }
}

/** What a refused composition would be, had its condition not failed. */
static void print_fit(options const *o, char const *left, char const *right)
{
    static char text[TSR_TEXT_SIZE];
    if (!calculate(o, text, sizeof text, "composition($1, $2)", left, right)
        && calculate(o, text, sizeof text, "composition_fit($1, $2)", left, right))
        printf("    its values are those of %s, but the condition fails\n", text);
}

/** Cuts "A, B, .." behind the first argument; false where there is one. */
static bool first_argument(char const *text, char *left, char *right)
{
    int depth = 0;
    for (char const *p = text; *p; ++p) {
        depth += (*p == '(' || *p == '<') - (*p == ')' || *p == '>');
        if (depth == 0 && p[0] == ',' && p[1] == ' ') {
            if (strlen(text) >= TSR_TEXT_SIZE)
                return false;
            snprintf(left, TSR_TEXT_SIZE, "%.*s", (int)(p - text), text);
            snprintf(right, TSR_TEXT_SIZE, "%s", p + 2);
            return true;
        }
    }
    return false;
}

/** Cuts "A, B" at the comma between two arguments; false unless there are exactly two. */
static bool two_arguments(char const *text, char *left, char *right)
{
    return first_argument(text, left, right) && (strstr(right, ", ") == NULL || *right == '(' || *right == '<');
}

/** How many coordinates of a divided layout lie outside of it: its tiles hang over. */
static void print_overhang(options const *o, char const *left, char const *result)
{
    static char cut[TSR_TEXT_SIZE], whole[TSR_TEXT_SIZE], over[TSR_TEXT_SIZE];
    if (calculate(o, cut, sizeof cut, "size($1)", result, "")
        && calculate(o, whole, sizeof whole, "size($1)", left, "")
        && calculate(o, over, sizeof over, "isub(size($1), size($2))", result, left)
        && strspn(over, "_0") < strlen(over))
        printf("    the tiles hang over: they have %s coordinates, the layout %s elements, so %s lie outside of it\n",
               cut, whole, over);
}

/** The same of the tiles of a tensor, of which one is taken, or one element of each. */
static void print_tensor_overhang(options const *o, char const *name, char const *arguments)
{
    static char tensor[TSR_TEXT_SIZE], rest[TSR_TEXT_SIZE], tiler[TSR_TEXT_SIZE], cut[TSR_TEXT_SIZE];
    bool const threads = strcmp(name, "local_partition") == 0;
    if (!threads && strcmp(name, "local_tile") != 0 && !strstr(name, "er_partition"))
        return;
    if (first_argument(arguments, tensor, rest) && first_argument(rest, tiler, cut)
        && calculate(o, cut, sizeof cut,
                     threads ? "zipped_divide($1, product_each(shape($2)))" : "zipped_divide($1, $2)", tensor, tiler))
        print_overhang(o, tensor, cut);
}

static void print_step(void *context, char const *name, char const *arguments, char const *result)
{
    options const *const o = (options const *)context;
    static char left[TSR_TEXT_SIZE], right[TSR_TEXT_SIZE];
    printf("  %s(%s)\n    = %s\n", name, arguments, result);
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; ++i)
        if (strcmp(laws[i].name, name) == 0)
            printf("    law: %s\n    condition: %s\n", laws[i].law, laws[i].condition);
    print_tensor_overhang(o, name, arguments);
    if (!two_arguments(arguments, left, right))
        return;
    inner_steps(o, name, left, right);
    if (strstr(name, "_divide"))
        print_overhang(o, left, result);
    if (strcmp(name, "composition") == 0)
        print_fit(o, left, right);
}

static void print_verdicts(options const *o, char const *layout)
{
    static char const *const questions[] = {"is_injective", "is_surjective", "is_bijective", "is_contiguous",
                                            "is_tractable"};
    static char text[TSR_TEXT_SIZE], numbers[3][TSR_TEXT_SIZE];
    calculate(o, numbers[0], TSR_TEXT_SIZE, "size($1)", layout, "");
    calculate(o, numbers[1], TSR_TEXT_SIZE, "cosize($1)", layout, "");
    calculate(o, numbers[2], TSR_TEXT_SIZE, "int32_extent($1)", layout, "");
    printf("  size %s, cosize %s, offsets fit 32 bits up to element %s\n", numbers[0], numbers[1], numbers[2]);
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; ++i) {
        calculate(o, text, sizeof text, "$2($1)", layout, questions[i]);
        printf("  %-12s %s\n", questions[i] + 3, text);
    }
}

/** What an access by threads of whole warps costs, of elements of one to sixteen bytes: in shared and in global
 *  memory. */
static void print_access(options const *o, char const *layout)
{
    static char const *const bits[] = {"8", "16", "32", "64", "128"};
    char text[TSR_TEXT_SIZE], pattern[64];
    tsr_message error;
    tsr_layout const l = tsr_parse_layout(layout, o->flags, &error);
    if (!tsr_ok(l) || tsr_layout_rank(l) != 2 || tsr_layout_size(tsr_mode(l, 0)) % 32 != 0)
        return;
    printf("  as an access (thread,value)\n");
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; ++i) {
        snprintf(pattern, sizeof pattern, "bank_conflicts<uint%s_t>($1)", bits[i]);
        bool const banks = calculate(o, text, sizeof text, pattern, layout, "");
        printf("    of %s bits: shared memory %s%s", bits[i], banks ? "rounds " : "error: ", text);
        snprintf(pattern, sizeof pattern, "global_sectors<uint%s_t>($1)", bits[i]);
        if (calculate(o, text, sizeof text, pattern, layout, ""))
            printf("; global memory (requests,sectors,lines,ideal sectors) %s", text);
        printf("\n");
    }
}

int command_explain(options const *o, int n, char **argument)
{
    bool ok = true;
    options steps = *o;
    steps.flags |= TSR_TEXT_SHAPES;
    if (n == 0)
        return misuse(o, "explain needs an expression");
    for (int i = 0; i < n; ++i) {
        static char text[TSR_TEXT_SIZE], richer[TSR_TEXT_SIZE];
        tsr_message error;
        print_escaped(stdout, argument[i]);
        printf("\n");
        if (!tsr_calc_traced(argument[i], steps.flags, text, sizeof text, print_step, &steps)) {
            printf("  ");
            ok = put_error(o, text);
            point_at_error(&steps, argument[i]);
            continue;
        }
        printf("  result: %s\n", text);
        if (tsr_calc_static(argument[i], steps.flags, text, richer, sizeof richer))
            printf("  with static numbers: %s\n", richer);
        tsr_layout const l = tsr_parse_layout(argument[i], steps.flags, &error);
        if (tsr_ok(l)) { /* of a tensor, what is true of its layout */
            tsr_format_layout(text, sizeof text, l, o->flags);
            print_verdicts(&steps, text);
            print_access(&steps, text);
        }
    }
    return ok ? DONE : FAILED;
}
