/** What is written of the operations and the reasons: the laws of `tessera explain` belong to rows of the table, no
 *  sentence has a place that tsr_format_reason leaves unfilled, and static numbers and names are hinted at where that
 *  helps. */
#include <stdio.h>
#include <string.h>

#include "tessera/text.h"

#include "../cli/laws.h"

static int failed;

static void check(bool ok, char const *what, char const *which)
{
    failed += !ok;
    if (!ok)
        printf("%s: %s\n", what, which);
}

static void check_law(char const *name)
{
    int count = 0;
    bool found = false;
    tsr_op const *const ops = tsr_ops(&count);
    for (int i = 0; i < count; ++i)
        found = found || strcmp(ops[i].name, name) == 0;
    check(found, "a law of no operation", name);
}

static void check_reason(int status)
{
    char text[TSR_TEXT_SIZE], short_text[8];
    tsr_tuple t = tsr_bad_tuple((tsr_status)status, 3, 70, 71, 72);
    for (int k = 0; k < 2; ++k) { /* without a counterexample and the nearest numbers, then with them */
        size_t const n = tsr_format_reason(text, sizeof text, tsr_why(t));
        check(n > 0 && n == strlen(text), "a reason of another length", text);
        check(strpbrk(text, "{}%") == NULL, "a place that is not filled", text);
        check(tsr_format_reason(short_text, sizeof short_text, tsr_why(t)) == n, "a cut reason has another length",
              text);
        check(strlen(short_text) < sizeof short_text, "a reason that is too long", text);
        t.law = true;
        for (int i = 3; i < 8; ++i)
            t.leaf[i].value = 70 + i;
    }
}

/** tsr_explain names tsr_static_all where static numbers would let modes coalesce, and only there. */
static void check_hint(tsr_layout refused, bool wanted)
{
    char text[TSR_TEXT_SIZE] = "";
    FILE *const file = tmpfile();
    if (!file)
        return;
    tsr_explain(file, refused);
    tsr_explain(file, tsr_why(refused));
    rewind(file);
    for (int i = 0; i < 2; ++i) {
        bool const read = fgets(text, sizeof text, file) != NULL;
        check(read && (strstr(text, "tsr_static_all") != NULL) == wanted, "the hint to static numbers", text);
    }
    fclose(file);
}

/** What a word may mean, with blanks between. */
static void check_meant(char const *word, char const *wanted)
{
    char text[256] = "";
    char const *names[3];
    int const n = tsr_ops_meant(word, names, 3);
    for (int i = 0; i < n; ++i) {
        size_t const used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? " " : "", names[i]);
    }
    check(strcmp(text, wanted) == 0, word, text);
}

static void check_static(char const *expression, char const *wanted)
{
    char result[TSR_TEXT_SIZE], text[TSR_TEXT_SIZE];
    (void)tsr_calc(expression, 0, result, sizeof result);
    bool const other = tsr_calc_static(expression, 0, result, text, sizeof text);
    check(other == (*wanted != 0) && strcmp(text, wanted) == 0, expression, text);
    check(!tsr_calc_static(expression, TSR_TEXT_STATIC, result, text, sizeof text), "static already", expression);
}

int main(void)
{
    check_hint(tsr_logical_divide(tsr_parse("(8,6):(1,8)"), 3), true);
    check_hint(tsr_logical_divide(tsr_parse("(_8,6):(_1,_8)"), 3), false);
    check_hint(tsr_composition(tsr_parse("(4,6,8):(2,3,5)"), tsr_parse("6:3")), false);
    check_hint(tsr_parse("(4"), false);
    check_meant("inverse", "right_inverse left_inverse pseudo_inverse");
    check_meant("compositon", "composition");
    check_meant("compl", "complement complement_admissible");
    check_meant("reshape", "composition unflatten");
    check_meant("", "");
    check_meant("frobnicate", "");
    check_static("right_inverse((4,8):(8,1))", "(8,4):(4,1)");
    check_static("right_inverse((_4,_8):(_8,_1))", "");
    check_static("size((4,8))", "");
    check_static("slice((1,_), (4,8):(1,4))", "");
#define X(name, law, condition) check_law(#name);
    LAW_LIST(X)
#undef X
    for (int status = 0; status < TSR_STATUS_COUNT; ++status)
        check_reason(status);
    printf("%d statuses, %d failed\n", (int)TSR_STATUS_COUNT, failed);
    return failed != 0;
}
