/** One grammar, two algebras: expressions of numbers alone have the same result over named sizes as over numbers,
 *  modes of one element too; either may refuse.
 *  algebras SEED CASES */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../random.h"
#include "tessera/symbolic.h"

static char text[512];
static size_t used;
static int64_t agreed, refused, failed;

static void say(char const *format, ...)
{
    va_list args;
    va_start(args, format);
    used += (size_t)vsnprintf(text + used, sizeof text - used, format, args);
    va_end(args);
}

static void say_layout(void)
{
    static int const extents[] = {1, 2, 3, 4, 6, 8, 12}, strides[] = {0, 1, 1, 2, 3, 4, 6, 8, 12, 24};
    int const modes = 1 + (int)below(3);
    for (int side = 0; side < 2; ++side) {
        say("%s", side ? ":" : "");
        say("%s", modes > 1 ? "(" : "");
        for (int i = 0; i < modes; ++i)
            say("%s%d", i > 0 ? "," : "", side ? strides[below(10)] : extents[below(7)]);
        say("%s", modes > 1 ? ")" : "");
    }
}

static void say_expression(int depth)
{
    static char const *const operations[] = {"coalesce",        "composition",  "logical_divide", "zipped_divide",
                                             "logical_product", "tiled_divide", "complement"};
    static int const sizes[] = {1, 2, 3, 4, 6, 24, 48, 96};
    int const which = (int)below(7);
    say("%s(", operations[which]);
    if (depth > 0 && below(3) == 0)
        say_expression(depth - 1);
    else
        say_layout();
    if (which > 0)
        say(", ");
    if (which > 0 && which < 6 && below(5) == 0)
        say("(%d,%d)", sizes[below(4)], sizes[below(5)]);
    else if (which == 6 || (which > 0 && below(3) == 0))
        say("%d", sizes[below(8)]);
    else if (which > 0)
        say_layout();
    say(")");
}

static void try_expression(void)
{
    char numbers[TSR_TEXT_SIZE], named[TSR_TEXT_SIZE];
    tsr_message error;
    used = 0;
    say_expression(2);
    bool const ok = tsr_calc(text, TSR_TEXT_STATIC, numbers, sizeof numbers);
    tsr_symbolic *const e = tsr_symbolic_read(text, "", &error);
    if (!ok || !e) {
        ++refused;
    } else {
        tsr_symbolic_format(named, sizeof named, e);
        bool const same = strcmp(numbers, named) == 0;
        agreed += same;
        if (!same && failed++ < 20)
            printf("FAILED %s\n    numbers %s\n    named   %s\n", text, numbers, named);
    }
    tsr_symbolic_free(e);
}

int main(int argc, char **argv)
{
    int64_t const cases = argc > 2 ? atoll(argv[2]) : 1000;
    random_begin(argc > 1 ? (uint64_t)atoll(argv[1]) : 1);
    for (int64_t i = 0; i < cases; ++i)
        try_expression();
    printf("%lld agree, %lld are refused by one of them, %lld differ\n", (long long)agreed, (long long)refused,
           (long long)failed);
    return failed != 0;
}
