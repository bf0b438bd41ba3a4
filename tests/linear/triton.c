/** Triton's unit tests of linear layouts as expressions. triton FILE */
#include <stdio.h>
#include <string.h>

#include "tessera/text.h"

/** Is the answer what a line wants: a text, a refusal for !, or one that begins with what stands before *? */
static bool is_wanted(bool ok, char const *text, char const *wanted)
{
    size_t const n = strcspn(wanted, "*");
    if (wanted[0] == '!')
        return !ok;
    return ok && (wanted[n] ? strncmp(text, wanted, n) == 0 : strcmp(text, wanted) == 0);
}

int main(int argc, char **argv)
{
    static char line[1 << 14], text[TSR_TEXT_SIZE];
    char last[128] = "";
    int cases = 0, failed = 0, tests = 0;
    FILE *const file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!file)
        return 2;
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            continue;
        line[strcspn(line, "\n")] = 0;
        char *const expression = strchr(line, '\t'), *const wanted = expression ? strrchr(line, '\t') : NULL;
        if (!expression || wanted == expression)
            return 2;
        *expression = *wanted = 0;
        bool const ok = tsr_calc(expression + 1, 0, text, sizeof text);
        bool const right = is_wanted(ok, text, wanted + 1);
        if (!right)
            printf("%s: %s gives %s, not %s\n", line, expression + 1, text, wanted + 1);
        failed += !right;
        ++cases;
        tests += strcmp(last, line) != 0;
        snprintf(last, sizeof last, "%.100s", line);
    }
    fclose(file);
    printf("%d expressions of %d groups, %d failed\n", cases, tests, failed);
    return failed != 0 || cases == 0;
}
