/** One grammar, one algebra: expressions of numbers alone have the same text over named sizes as in the calculator, or
 *  the same refusal; and so has a mode of numbers beside one with names.
 *  algebras SEED CASES */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../random.h"
#include "tessera/symbolic.h"

/** A text for the calculator and the same one for sizes with names. There an extent may be a product, 1*4, which the
 *  calculator does not read: so what is compared is the operation, not the calculator with itself. */
typedef struct pair {
    char plain[2048], named[2048];
} pair;

static pair now;
static bool swizzles; /* may one stand in front of a layout? */
static bool fault;    /* may something be wrong by itself? Of two faults either may be said first */
static int64_t agreed, refused, failed;

static void say_to(char *text, char const *format, va_list args)
{
    size_t const n = strlen(text);
    vsnprintf(text + n, sizeof now.plain - n, format, args);
}

static void say(char const *format, ...)
{
    va_list args;
    va_start(args, format);
    say_to(now.plain, format, args);
    va_end(args);
    va_start(args, format);
    say_to(now.named, format, args);
    va_end(args);
}

static void say_named(char const *format, ...)
{
    va_list args;
    va_start(args, format);
    say_to(now.named, format, args);
    va_end(args);
}

static void say_number(int v)
{
    if (below(4) == 0)
        say_named("1*");
    say("%d", v);
}

static int any_extent(void)
{
    static int const extents[] = {1, 2, 3, 4, 6, 8, 12, 16};
    bool const bad = fault && below(50) == 0;
    fault = fault && !bad;
    return bad ? -(int)below(2) : extents[below(8)];
}

static int any_stride(void)
{
    static int const strides[] = {0, 1, 1, 2, 3, 4, 6, 8, 12, 24};
    return below(30) == 0 ? -strides[1 + below(9)] : strides[below(10)];
}

/** Modes of which some have modes of their own, the same for shape and stride. */
static void say_modes(int modes, int inner, bool stride)
{
    say(modes > 1 ? "(" : "");
    for (int i = 0; i < modes; ++i) {
        bool const nests = modes > 1 && (inner >> i & 1);
        say(i > 0 ? "," : "");
        say(nests ? "(" : "");
        say_number(stride ? any_stride() : any_extent());
        if (nests) {
            say(",");
            say_number(stride ? any_stride() : any_extent());
            say(")");
        }
    }
    say(modes > 1 ? ")" : "");
}

static int any_inner(void) { return below(3) == 0 ? (int)below(8) : 0; }

static void say_layout(void)
{
    static char const *const fronts[] = {"Sw<1,0,1> o ", "Sw<2,1,-3> o ", "Sw<3,0,4> o "};
    int const modes = 1 + (int)below(3), inner = any_inner();
    if (swizzles && below(12) == 0)
        say(fronts[below(3)]);
    say_modes(modes, inner, false);
    say(":");
    say_modes(modes, inner, true);
}

static void say_shape(void)
{
    static int const sizes[] = {1, 2, 3, 4, 6, 24, 48, 96};
    if (below(2))
        say_number(sizes[below(8)]);
    else
        say_modes(1 + (int)below(3), any_inner(), false);
}

static void say_coordinate(void)
{
    say("(");
    for (int i = 0, n = 1 + (int)below(3); i < n; ++i) {
        say(i > 0 ? "," : "");
        if (below(3) == 0)
            say("_");
        else
            say_number((int)below(4));
    }
    say(")");
}

static void say_expression(int depth);

static void say_tiler(int depth)
{
    bool const outside = swizzles;
    if (below(3) == 0) {
        swizzles = swizzles && fault && below(8) == 0; /* a tiler cannot hold one */
        fault = fault && !swizzles;
        say("<");
        for (int i = 0, n = 1 + (int)below(3); i < n; ++i) {
            say(i > 0 ? "," : "");
            if (below(6) == 0)
                say("_");
            else if (depth > 0 && below(6) == 0)
                say_tiler(depth - 1);
            else
                (below(2) ? say_shape : say_layout)();
        }
        say(">");
        swizzles = outside;
    } else {
        (below(2) ? say_shape : say_layout)();
    }
}

static void say_argument(char kind, int depth)
{
    if (kind == 'L' && depth > 0 && below(3) == 0)
        say_expression(depth - 1);
    else if (kind == 'L')
        say_layout();
    else if (kind == 'R')
        say_tiler(1);
    else if (kind == 'C')
        say_coordinate();
    else if (kind == 'O')
        say(below(2) ? "LayoutLeft" : "LayoutRight");
    else
        say_shape();
}

/** The operations that both know, and some of the calculator's alone. */
static char const *const operations[][2] = {{"logical_divide", "LR"},
                                            {"zipped_divide", "LR"},
                                            {"tiled_divide", "LR"},
                                            {"flat_divide", "LR"},
                                            {"logical_product", "LR"},
                                            {"zipped_product", "LR"},
                                            {"tiled_product", "LR"},
                                            {"flat_product", "LR"},
                                            {"blocked_product", "LL"},
                                            {"raked_product", "LL"},
                                            {"composition", "LR"},
                                            {"compose", "LR"},
                                            {"with_shape", "LT"},
                                            {"tile_to_shape", "LT"},
                                            {"coalesce", "L"},
                                            {"layout<0>", "L"},
                                            {"get<1>", "L"},
                                            {"get<0,1>", "L"},
                                            {"complement", "L"},
                                            {"complement", "LT"},
                                            {"make_layout", "T"},
                                            {"make_layout", "TO"},
                                            {"make_layout", "TT"},
                                            {"flatten", "L"},
                                            {"transpose", "L"},
                                            {"size", "L"},
                                            {"size", "T"},
                                            {"size<1>", "L"},
                                            {"cosize", "L"},
                                            {"shape", "L"},
                                            {"stride", "L"},
                                            {"rank", "L"},
                                            {"call", "LC"},
                                            {"call", "LT"},
                                            {"coalesce<1>", "L"},
                                            {"right_inverse", "L"},
                                            {"left_inverse", "L"},
                                            {"slice", "CL"},
                                            {"same_function", "LL"},
                                            {"is_injective", "L"}};

static void say_expression(int depth)
{
    char const *const *const x = operations[below((int64_t)(sizeof operations / sizeof operations[0]))];
    say("%s(", x[0]);
    for (int i = 0; x[1][i]; ++i) {
        say(i > 0 ? ", " : "");
        say_argument(x[1][i], depth);
    }
    say(")");
}

/** An operation on a mode of numbers, and the same one beside a mode with names. */
static void say_mode(void)
{
    static char const *const by_mode[] = {"logical_divide", "logical_product", "composition"};
    char const *const name = by_mode[below(3)];
    int const modes = 1 + (int)below(3), inner = any_inner();
    say("%s(", name);
    snprintf(now.named, sizeof now.named, "get<0>(%s((", name);
    say_modes(modes, inner, false);
    say_named(",M)");
    say(":");
    say_named("(");
    say_modes(modes, inner, true);
    say_named(",K)");
    say(", ");
    say_named("<");
    say_tiler(0);
    say_named(",T>)");
    say(")");
}

/** What the calculator says, without the `_` of static integers and without places. */
static bool calculate(char *out, size_t size)
{
    bool const ok = tsr_calc(now.plain, TSR_TEXT_STATIC, out, size);
    char *const place = strstr(out, " (at character");
    if (!ok && place)
        *place = 0;
    return ok;
}

static void without_underscores(char *text)
{
    char *to = text;
    for (char const *p = text; *p; ++p)
        if (*p != '_' || p[1] < '0' || p[1] > '9')
            *to++ = *p;
    *to = 0;
}

/** Of several refusals the calculator says first that there is no such operation, before those of the arguments. In a
 *  mode of a larger expression a refusal has words of its own. */
static void compare(bool words)
{
    char numbers[TSR_TEXT_SIZE], named[TSR_TEXT_SIZE];
    tsr_message error;
    bool const ok = calculate(numbers, sizeof numbers);
    tsr_symbolic *const e = tsr_symbolic_read(now.named, "", &error);
    if (e)
        tsr_symbolic_format(named, sizeof named, e);
    else
        snprintf(named, sizeof named, "%s", error.text);
    without_underscores(numbers);
    without_underscores(named);
    bool const other = !ok && (!words || strstr(numbers, " does not take "));
    bool const full = !words && !e && strstr(error.text, "TSR_MAX_LEAVES");
    bool const same = full || (ok == (e != NULL) && (other || strcmp(numbers, named) == 0));
    agreed += same && ok;
    refused += same && !ok;
    if (!same && failed++ < 20)
        printf("FAILED %s\n    as %s\n    numbers %s\n    named   %s\n", now.plain, now.named, numbers, named);
    tsr_symbolic_free(e);
}

/** The examples of all operations of the calculator. */
static void try_examples(void)
{
    int count = 0;
    tsr_op const *const rows = tsr_ops(&count);
    for (int i = 0; i < count; ++i) {
        snprintf(now.plain, sizeof now.plain, "%s", rows[i].example);
        snprintf(now.named, sizeof now.named, "%s", rows[i].example);
        compare(true);
    }
}

int main(int argc, char **argv)
{
    int64_t const cases = argc > 2 ? atoll(argv[2]) : 1000;
    try_examples();
    random_begin(argc > 1 ? (uint64_t)atoll(argv[1]) : 1);
    for (int64_t i = 0; i < cases; ++i) {
        bool const mode = below(4) == 0;
        swizzles = !mode;
        fault = below(8) == 0;
        now.plain[0] = now.named[0] = 0;
        if (mode)
            say_mode();
        else
            say_expression(2);
        compare(!mode);
    }
    printf("%lld agree, %lld are refused by both, %lld differ\n", (long long)agreed, (long long)refused,
           (long long)failed);
    return failed != 0 || agreed < cases / 4;
}
