/** How much stack an evaluation takes: every example of the table of operations, deep expressions and recorded ones,
 *  evaluated, traced and drawn in every format in a thread whose stack was painted. The most may be 80 kB, and what
 *  takes more than all before it also works in a thread that has no more.
 *
 *  usage: stack FILE...: the lines of FILE begin with expressions; one of every several is measured. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture_of.h"

enum { LIMIT = 80 << 10, WHOLE = 1 << 20, PAINT = 0xa5, LONGEST = 65536 };

typedef struct job {
    char const *expression;
    int format; /* of a picture; -1: evaluated, -2: evaluated and traced */
    bool drawn;
} job;

static bool drop(void *context, char const *bytes, size_t n)
{
    *(size_t *)context += n;
    return bytes != NULL;
}

static void ignore(void *context, char const *name, char const *arguments, char const *result)
{
    (void)context, (void)name, (void)arguments, (void)result;
}

static void *run(void *context)
{
    job *const j = (job *)context;
    size_t n = 0;
    if (j->format < 0) {
        char *const text = (char *)malloc(TSR_TEXT_SIZE);
        if (text && j->format == -1)
            tsr_calc(j->expression, TSR_TEXT_SHAPES, text, TSR_TEXT_SIZE);
        else if (text)
            tsr_calc_traced(j->expression, 0, text, TSR_TEXT_SIZE, ignore, NULL);
        free(text);
        return NULL;
    }
    tsr_picture_options const o = tsr_plain_picture();
    tsr_drawing how = TSR_ZERO;
    how.format = (tsr_format)j->format;
    how.width = 80;
    tsr_picture p = picture_of(j->expression, &o);
    j->drawn = tsr_picture_ok(&p) && tsr_draw_picture(&p, how, drop, &n);
    tsr_picture_free(&p);
    return NULL;
}

/** Runs a job in a thread with this stack; 0, or what pthreads says. */
static int run_in(void *stack, size_t size, job *j)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    int failed =
        stack ? pthread_attr_setstack(&attributes, stack, size) : pthread_attr_setstacksize(&attributes, size);
    failed = failed ? failed : pthread_create(&thread, &attributes, run, j);
    if (!failed)
        pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    return failed;
}

static unsigned char *stack;
static size_t most[3], deepest;
static char most_of[3][256];
static int jobs, failed;

/** The bytes of the stack that a job changes, less those of an empty one. What it changed is painted again. */
static size_t depth_of(job *j)
{
    unsigned char paint[64];
    size_t i = 0;
    memset(paint, PAINT, sizeof paint);
    if (run_in(stack, WHOLE, j) != 0)
        exit(2);
    while (i < WHOLE && memcmp(stack + i, paint, sizeof paint) == 0)
        i += sizeof paint;
    while (i < WHOLE && stack[i] == PAINT)
        ++i;
    memset(stack + i, PAINT, WHOLE - i);
    return WHOLE - i;
}

/** All ways; of recorded expressions (`brief`) one format of pictures. */
static void measure(char const *expression, bool brief)
{
    int const one = jobs % TSR_FORMATS;
    for (int format = -2; format < TSR_FORMATS; ++format) {
        if (brief && format >= 0 && format != one)
            continue;
        job j = {expression, format, false};
        size_t const n = depth_of(&j);
        int const way = format < 0 ? format + 2 : 2;
        ++jobs;
        if (n > most[way]) {
            most[way] = n;
            snprintf(most_of[way], sizeof most_of[way], "%s", expression);
        }
        if (n > LIMIT) {
            printf("%zu bytes, format %d: %.100s\n", n, format, expression);
            ++failed;
        } else if (n > deepest && run_in(NULL, LIMIT, &j) != 0) {
            printf("no thread of %d bytes\n", (int)LIMIT);
            ++failed;
        }
        deepest = n > deepest ? n : deepest;
    }
}

/** open^n inner close^n */
static void measure_nested(char const *open, char const *inner, char const *close, int n)
{
    static char text[LONGEST];
    size_t at = 0;
    for (int i = 0; i < n; ++i)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s", open);
    at += (size_t)snprintf(text + at, sizeof text - at, "%s", inner);
    for (int i = 0; i < n; ++i)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s", close);
    measure(text, false);
}

static void measure_deep(void)
{
    static char const *const nests[][3] = {{"(", "1", ")"},
                                           {"<", "4:1", ">"},
                                           {"(", "1", ",1)"},
                                           {"<1,", "4:1", ">"},
                                           {"coalesce(", "(8,8):(8,1)", ")"},
                                           {"composition((8,8):(8,1), ", "(8,8):(8,1)", ")"},
                                           {"composition((8,8):(8,1), <", "8:1", ",8:1>)"},
                                           {"zipped_divide((64,64):(64,1), <", "8:1", ",8:1>)"},
                                           {"Sw<1,2,3> o _0 o ", "(8,8):(8,1)", ""},
                                           {"Sw<1,2,3> o ", "(8,8):(8,1)", ""},
                                           {"size(", "4", ")"},
                                           {"get<0>(", "(8,8):(8,1)", ")"}};
    for (size_t i = 0; i < sizeof nests / sizeof nests[0]; ++i)
        for (int n = 1; n <= TSR_TEXT_DEPTH + 1; n += n < 15 ? 7 : 25)
            measure_nested(nests[i][0], nests[i][1], nests[i][2], n);
}

/** Expressions that were recorded, one of every several. */
static void measure_file(char const *path)
{
    static char line[LONGEST];
    FILE *const file = fopen(path, "r");
    if (!file) {
        printf("%s is not read\n", path);
        ++failed;
        return;
    }
    for (int n = 0; fgets(line, sizeof line, file); ++n) {
        line[strcspn(line, "\t\n")] = 0;
        if (n % 64 == 0 && *line && *line != '#')
            measure(line, true);
    }
    fclose(file);
}

int main(int argc, char **argv)
{
    static char const *const ways[] = {"evaluated and traced", "evaluated", "drawn"};
    int count = 0;
    tsr_op const *const ops = tsr_ops(&count);
    stack = (unsigned char *)aligned_alloc(4096, WHOLE);
    if (!stack)
        return 2;
    memset(stack, PAINT, WHOLE);
    for (int i = 0; i < count; ++i)
        measure(ops[i].example, false);
    measure_deep();
    for (int i = 1; i < argc; ++i)
        measure_file(argv[i]);
    for (int i = 0; i < 3; ++i)
        printf("%s: at most %zu bytes of stack, by %s\n", ways[i], most[i], most_of[i]);
    free(stack);
    printf("%d runs, %d failed\n", jobs, failed);
    return failed != 0;
}
