/** bench_own: checks and times a copy, a product or a contraction of one's own, beside memcpy, the peak of one core,
 *  and OpenBLAS, BLIS and HPTT where they are installed. It prints medians.
 *
 *  usage: bench_own [--type TYPE] [--cast TYPE] [--threads N] [--repeat N] copy FROM TO | gemm M N K | gemm A B C
 *                   | contract "mk,nk->mn" A B C */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "own.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tessera/exec/engine.h"
#include "tessera/tessera.h"

/** What a turn of a contestant takes at least, in ns: shorter ones run several times. */
static double const least_turn = 2e6;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int compare(void const *a, void const *b)
{
    double const x = *(double const *)a, y = *(double const *)b;
    return (x > y) - (x < y);
}

void bench_enter(contest *c, char const *name, void (*run)(void *), void *context, double amount)
{
    contestant const x = {name, run, context, amount, 0};
    if (c->count < MOST_CONTESTANTS)
        c->list[c->count++] = x;
}

/** The time of one run, the mean of several. */
static double time_of(contestant const *x, int times)
{
    double const begin = now();
    for (int i = 0; i < times; ++i)
        x->run(x->context);
    return (now() - begin) / times;
}

void bench_measure(contest *c)
{
    static double ns[MOST_CONTESTANTS][MOST_TURNS];
    int times[MOST_CONTESTANTS];
    for (int i = 0; i < c->count; ++i) { /* the first run warms up */
        times[i] = 0;
        if (!c->list[i].run)
            continue;
        (void)time_of(&c->list[i], 1);
        double const once = time_of(&c->list[i], 1);
        times[i] = once > 0 && once < least_turn ? (int)(least_turn / (once < 10 ? 10 : once)) + 1 : 1;
    }
    for (int turn = 0; turn < c->turns; ++turn)
        for (int i = 0; i < c->count; ++i)
            ns[i][turn] = times[i] > 0 ? time_of(&c->list[i], times[i]) : 0;
    printf("%-14s %10s   %s\n", "", c->unit, "tessera, of it");
    for (int i = 0; i < c->count; ++i) {
        contestant *const x = &c->list[i];
        if (!x->run) {
            printf("%-14s %10s\n", x->name, "absent");
            continue;
        }
        qsort(ns[i], (size_t)c->turns, sizeof ns[i][0], compare);
        x->ns = ns[i][c->turns / 2];
        printf("%-14s %10.2f", x->name, x->amount / x->ns);
        if (i > 0)
            printf("   %.2f", c->list[0].amount / c->list[0].ns / (x->amount / x->ns));
        printf("\n");
    }
}

static void say(char const *format, va_list words)
{
    (void)fputs("error: ", stderr);
    (void)vfprintf(stderr, format, words);
    (void)fputs("\n", stderr);
}

void complain(char const *format, ...)
{
    va_list words;
    va_start(words, format);
    say(format, words);
    va_end(words);
}

int misuse(char const *format, ...)
{
    va_list words;
    va_start(words, format);
    say(format, words);
    va_end(words);
    return MISUSE;
}

/** The positive number that a word is. False: complains. */
static bool take_number(char const *option, char const *word, int most, int *number)
{
    char *end = NULL;
    long const n = strtol(word, &end, 10);
    *number = (int)n;
    if (end != word && !*end && n >= 1 && n <= most)
        return true;
    return misuse("%s takes a number from 1 to %d, not %s", option, most, word), false;
}

/** The element type that a word is. False: complains. */
static bool take_type(char const *option, char const *word, tsr_dtype *type)
{
    *type = tsr_dtype_named(word);
    return *type || (misuse("%s: unknown element type %s", option, word), false);
}

/** Takes the options from the front. Returns how many words they are, or -1. */
static int take_options(contest *c, int n, char **argument)
{
    int at = 0;
    for (; at < n && strncmp(argument[at], "--", 2) == 0; at += 2) {
        char const *const option = argument[at], *const word = at + 1 < n ? argument[at + 1] : "nothing";
        bool good = false;
        if (strcmp(option, "--type") == 0)
            good = take_type(option, word, &c->type);
        else if (strcmp(option, "--cast") == 0)
            good = take_type(option, word, &c->cast);
        else if (strcmp(option, "--threads") == 0)
            good = take_number(option, word, 1024, &c->threads);
        else if (strcmp(option, "--repeat") == 0)
            good = take_number(option, word, MOST_TURNS, &c->turns);
        else
            (void)misuse("unknown option %s: it takes --type, --cast, --threads and --repeat", option);
        if (!good)
            return -1;
    }
    return at;
}

bool bench_make_operand(tsr_layout l, tsr_dtype type, bench_operand *x)
{
    enum { PATTERN = 1 << 12 };
    char text[TSR_TEXT_SIZE];
    tsr_tuple const span = tsr_span(l);
    int64_t const bits = tsr_dtype_bits(type);
    int64_t low = 0, elements = 0, all = 0;
    memset(x, 0, sizeof *x);
    if (span.status) {
        tsr_format_tuple(text, sizeof text, span, 0);
        return complain("%s", text), false;
    }
    low = span.leaf[0].value >= 0 ? 0 : (span.leaf[0].value - PATTERN + 1) / PATTERN * PATTERN;
    if (!tsr_add64(span.leaf[1].value, 1 - low, &elements) || !tsr_mul64(elements, bits, &all)
        || all > INT64_MAX - 4096 * 8)
        return complain("the layout reaches further than any memory"), false;
    x->bytes = (size_t)(all / 8 + 4096) / 4096 * 4096;
    x->memory = (unsigned char *)aligned_alloc(4096, x->bytes);
    if (!x->memory)
        return complain("there are no %lld bytes of memory", (long long)x->bytes), false;
    size_t const pattern = (size_t)(PATTERN * bits / 8);
    unsigned char *const numbers = (unsigned char *)calloc(1, pattern + 16);
    for (int64_t i = 0; numbers && i < PATTERN; ++i)
        tsr_store(type, numbers + i * bits / 8, (int)(i * bits % 8), tsr_number_int((i * 7 + i / 13) % 5 - 2));
    for (size_t i = 0; numbers && i < x->bytes; i += pattern)
        memcpy(x->memory + i, numbers, x->bytes - i < pattern ? x->bytes - i : pattern);
    free(numbers);
    tsr_engine const e = tsr_make_gmem_ptr((void *)(x->memory - low * bits / 8), type);
    x->tensor = tsr_make_tensor(e, l);
    if (!tsr_tensor_why(x->tensor).status)
        return true;
    tsr_format_reason(text, sizeof text, tsr_tensor_why(x->tensor));
    free(x->memory);
    return complain("%s", text), false;
}

bool bench_operand_of(char const *text, tsr_dtype type, bench_operand *x)
{
    static tsr_message error;
    tsr_layout const l = tsr_parse_layout(text, TSR_TEXT_SHAPES, &error);
    memset(x, 0, sizeof *x);
    if (tsr_ok(l))
        return bench_make_operand(l, type, x);
    if (!error.text[0])
        tsr_format_layout(error.text, sizeof error.text, l, 0);
    return complain("%s", error.text), false;
}

void bench_print_case(contest *c, char const *what, double amount, char const *unit)
{
    c->unit = strcmp(what, "copy") == 0 ? "GB/s" : "GFLOP/s";
    printf("%s: %.0f %s; row %s, %d thread%s, median of %d\n", what, amount, unit, tsr_cpu_engine_name(), c->threads,
           c->threads > 1 ? "s" : "", c->turns);
}

int bench_refuse(tsr_reason why)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_reason(text, sizeof text, why);
    complain("%s", text);
    return FAILED;
}

bool bench_take_operands(int n, char **argument, tsr_dtype type, tsr_dtype other, bench_operand *operand)
{
    bool good = true;
    for (int i = 0; good && i < n; ++i)
        good = bench_operand_of(argument[i], i < n - 1 ? type : other, &operand[i]);
    return good;
}

void bench_free_operands(int n, bench_operand *operand)
{
    for (int i = 0; i < n; ++i)
        free(operand[i].memory);
}

void bench_take_types(contest const *c, tsr_dtype (*cast)(tsr_dtype), tsr_dtype *type, tsr_dtype *other)
{
    *type = c->type ? c->type : TSR_F32;
    *other = c->cast ? c->cast : cast(*type);
}

int main(int count, char **argument)
{
    static contest c = {.threads = 1, .turns = 21};
    int const options = take_options(&c, count - 1, argument + 1), n = count - options - 2;
    if (options < 0)
        return MISUSE;
    char const *const what = n >= 0 ? argument[options + 1] : "";
    char **const rest = argument + options + 2;
    tsr_cpu_engine_threads(c.threads);
    if (strcmp(what, "copy") == 0)
        return bench_copy(&c, n, rest);
    if (strcmp(what, "gemm") == 0)
        return bench_gemm(&c, n, rest);
    if (strcmp(what, "contract") == 0)
        return bench_contract(&c, n, rest);
    return misuse("it measures a copy (FROM TO), a gemm (M N K, or A B C) or a contract (\"mk,nk->mn\" A B C)");
}
