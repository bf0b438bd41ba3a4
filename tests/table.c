/** What is written of the operations and the reasons: the laws of `tessera explain` belong to rows of the table, and
 *  no sentence has a place that tsr_format_reason leaves unfilled. */
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

int main(void)
{
#define X(name, law, condition) check_law(#name);
    LAW_LIST(X)
#undef X
    for (int status = 0; status < TSR_STATUS_COUNT; ++status)
        check_reason(status);
    printf("%d statuses, %d failed\n", (int)TSR_STATUS_COUNT, failed);
    return failed != 0;
}
