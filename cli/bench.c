/** tessera bench: a copy, a product or a contraction of the user's own, beside memcpy and the libraries that are
 *  installed. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "option.h"
#include "tessera/exec/engine.h"
#include "words.h"

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

/** How long one run takes, over so many. */
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

/** A positive number that an option names. False: complains. */
static bool number_of_option(options const *o, char const *option, int absent, int most, int *number)
{
    char const *const text = option_of(o, option);
    char *end = NULL;
    long const n = text ? strtol(text, &end, 10) : absent;
    *number = (int)n;
    if (!text || (end != text && !*end && n >= 1 && n <= most))
        return true;
    return misuse(o, "%s takes a number from 1 to %d, not %s", option, most, text), false;
}

bool bench_make_operand(options const *o, tsr_layout l, tsr_dtype type, bench_operand *x)
{
    enum { PATTERN = 1 << 12 };
    char text[TSR_TEXT_SIZE];
    tsr_tuple const span = tsr_span(l);
    int64_t const bits = tsr_dtype_bits(type);
    int64_t low = 0, elements = 0, all = 0;
    memset(x, 0, sizeof *x);
    if (span.status) {
        tsr_format_tuple(text, sizeof text, span, 0);
        return complain(o, "%s", text), false;
    }
    low = span.leaf[0].value >= 0 ? 0 : (span.leaf[0].value - PATTERN + 1) / PATTERN * PATTERN;
    if (!tsr_add64(span.leaf[1].value, 1 - low, &elements) || !tsr_mul64(elements, bits, &all)
        || all > INT64_MAX - 4096 * 8)
        return complain(o, "the layout reaches further than any memory"), false;
    x->bytes = (size_t)(all / 8 + 4096) / 4096 * 4096;
    x->memory = (unsigned char *)aligned_alloc(4096, x->bytes);
    if (!x->memory)
        return complain(o, "there are no %lld bytes of memory", (long long)x->bytes), false;
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
    return complain(o, "%s", text), false;
}

bool bench_operand_of(options const *o, char const *text, tsr_dtype type, bench_operand *x)
{
    tsr_layout l;
    memset(x, 0, sizeof *x);
    return read_layout(o, "", text, &l) && bench_make_operand(o, l, type, x);
}

void bench_print_case(contest *c, char const *what, double amount, char const *unit)
{
    c->unit = strcmp(what, "copy") == 0 ? "GB/s" : "GFLOP/s";
    printf("%s: %.0f %s; row %s, %d thread%s, median of %d\n", what, amount, unit, tsr_cpu_engine_name(), c->threads,
           c->threads > 1 ? "s" : "", c->turns);
}

int bench_refuse(options const *o, tsr_reason why)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_reason(text, sizeof text, why);
    complain(o, "%s", text);
    return FAILED;
}

bool bench_take_operands(options const *o, int n, char **argument, tsr_dtype type, tsr_dtype other,
                         bench_operand *operand)
{
    bool good = true;
    for (int i = 0; good && i < n; ++i)
        good = bench_operand_of(o, argument[i], i < n - 1 ? type : other, &operand[i]);
    return good;
}

void bench_free_operands(int n, bench_operand *operand)
{
    for (int i = 0; i < n; ++i)
        free(operand[i].memory);
}

bool bench_take_types(options const *o, tsr_dtype (*cast)(tsr_dtype), tsr_dtype *type, tsr_dtype *other)
{
    return type_of_option(o, "--type", TSR_F32, type) && type_of_option(o, "--cast", cast(*type), other);
}

int command_bench(options const *o, int n, char **argument)
{
    contest c;
    memset(&c, 0, sizeof c);
    if (!number_of_option(o, "--threads", 1, 1024, &c.threads)
        || !number_of_option(o, "--repeat", 21, MOST_TURNS, &c.turns))
        return MISUSE;
    tsr_cpu_engine_threads(c.threads);
    if (n > 0 && strcmp(argument[0], "copy") == 0)
        return bench_copy(o, &c, n - 1, argument + 1);
    if (n > 0 && strcmp(argument[0], "gemm") == 0)
        return bench_gemm(o, &c, n - 1, argument + 1);
    if (n > 0 && strcmp(argument[0], "contract") == 0)
        return bench_contract(o, &c, n - 1, argument + 1);
    return misuse(o,
                  "bench measures a copy (FROM TO), a gemm (M N K, or A B C) or a contract "
                  "(\"mk,nk->mn\" A B C)");
}
