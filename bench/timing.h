/** Timing on a machine that does other things as well: every case runs a little, in turn, many times over, and the
 *  median of its turns counts. */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tessera/base/reason.h"

#if defined(__GNUC__)
#  define BENCH_NOINLINE __attribute__((noinline))
#else
#  define BENCH_NOINLINE
#endif

/** For functions that use the widest vectors of the processor. */
#if defined(__x86_64__) && defined(__linux__)
#  define WIDE __attribute__((target_clones("avx512f", "arch=haswell", "default")))
#else
#  define WIDE
#endif

#define BENCH_TURNS 101

typedef struct bench_case {
    char const *name;
    double limit; /* ns; 0: none */
    void (*run)(struct bench_case const *self, int64_t times);
    void const *data;
    double ns[BENCH_TURNS]; /* ns a run, one number a turn; sorted by bench_measure */
} bench_case;

/** What the measured functions write to, so that none of them is dropped. */
static volatile int64_t bench_sink;

/** Set where one thread does all the work: then bench_now counts what this thread ran, and other programs take none of
 *  it. They share the memory and the caches all the same. */
static bool bench_one_thread;

static double bench_now(void)
{
    struct timespec t;
#if defined(CLOCK_THREAD_CPUTIME_ID)
    if (bench_one_thread && clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0)
        return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
#else
    (void)bench_one_thread;
#endif
    (void)timespec_get(&t, TIME_UTC);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/** What was asked for, was done: else the program ends, for it would measure a refusal. */
static inline void bench_done(tsr_reason why)
{
    if (why.status)
        exit(fprintf(stderr, "refused: status %d\n", (int)why.status) != 0);
}

static int bench_compare(void const *a, void const *b)
{
    double const x = *(double const *)a, y = *(double const *)b;
    return (x > y) - (x < y);
}

/** The middle of n numbers, which it sorts. */
static inline double bench_middle(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, bench_compare);
    return x[n / 2];
}

static inline double bench_median(bench_case const *c) { return c->ns[BENCH_TURNS / 2]; }

/** One turn is `times` runs of each case. The first turn warms up and is measured again. */
static inline void bench_measure(bench_case *cases, int count, int64_t times)
{
    for (int turn = -1; turn < BENCH_TURNS; ++turn) {
        for (int i = 0; i < count; ++i) {
            double const start = bench_now();
            cases[i].run(&cases[i], times);
            cases[i].ns[turn < 0 ? 0 : turn] = (bench_now() - start) / (double)times;
        }
    }
    for (int i = 0; i < count; ++i)
        qsort(cases[i].ns, BENCH_TURNS, sizeof cases[i].ns[0], bench_compare);
}

/** Writes the machine and the compiler. */
static inline void bench_print_machine(void)
{
    char line[256], model[256] = "unknown processor";
    FILE *const f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f)) {
        char const *const colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            line[strcspn(line, "\n")] = 0;
            (void)snprintf(model, sizeof model, "%s", colon + 2);
            break;
        }
    }
    if (f)
        (void)fclose(f);
#if defined(__clang__)
    printf("%s, clang %s\n", model, __clang_version__);
#elif defined(__GNUC__)
    printf("%s, gcc %s\n", model, __VERSION__);
#else
    printf("%s\n", model);
#endif
}

#endif
