/** Expressions that are hard on what reads, evaluates and draws them: long work, modes (), numbers at the ends of 64
 *  bits. Each ends, evaluated and drawn in every format, with a text or a refusal; and numbers are written with a
 *  point in a locale that has a comma. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "picture_of.h"
#include "random.h"
#include "sanitizer.h"
#include "tessera/tensor/map.h"

/* Seconds of processor time, sanitizers and slow machines included: tells what does not end from what does. */
enum { SLOWER = 20 };

static int checks, failed;

static void check(bool ok, char const *what, char const *which)
{
    ++checks;
    failed += !ok;
    if (!ok)
        printf("%s: %.200s\n", what, which);
}

static bool drop(void *context, char const *bytes, size_t n)
{
    *(size_t *)context += n;
    return bytes != NULL;
}

static double seconds(clock_t since) { return (double)(clock() - since) / CLOCKS_PER_SEC; }

/** In every format; what is drawn, or refused with words. */
static void draw(tsr_picture *p, char const *which)
{
    check(tsr_picture_ok(p) || p->refused[0], "neither drawn nor refused", which);
    for (int format = 0; tsr_picture_ok(p) && format < TSR_FORMATS; ++format) {
        tsr_drawing how = TSR_ZERO;
        size_t n = 0;
        clock_t const begin = clock();
        how.format = (tsr_format)format;
        how.width = 80;
        check(tsr_draw_picture(p, how, drop, &n) || format == TSR_FORMAT_PPM, "not drawn",
              which); /* a pixmap has at most 128 MB */
        check(seconds(begin) < SLOWER, "drawing takes too long", which);
    }
    tsr_picture_free(p);
}

enum { LABELS = 3 };
static tsr_label const labels[LABELS] = {TSR_LABEL_OWN, TSR_LABEL_BANK, TSR_LABEL_COORD};

/** Evaluated, and drawn with the labels from `first` up to `last`. */
static void try_expression(char const *expression, int first, int last)
{
    static char text[TSR_TEXT_SIZE];
    clock_t begin = clock();
    (void)tsr_calc(expression, 0, text, sizeof text);
    check(text[0] != 0, "no answer", expression);
    check(seconds(begin) < SLOWER, "evaluating takes too long", expression);
    for (int i = first; i < last; ++i) {
        tsr_picture_options o = tsr_plain_picture();
        o.label = labels[i];
        begin = clock();
        tsr_picture p = picture_of(expression, &o);
        check(seconds(begin) < SLOWER, "a picture takes too long", expression);
        draw(&p, expression);
    }
}

static void try_diff(char const *a, char const *b)
{
    tsr_picture_options const o = tsr_plain_picture();
    tsr_picture p = diff_of(a, b, &o);
    draw(&p, a);
}

/** A shape and a stride of the same profile, with modes (). */
static void put_modes(char *shape, char *stride, int depth)
{
    static char const *const odd[] = {"0", "9223372036854775807", "922337203685475808", "1000000", "_0", "-1"};
    if (depth > 0 && below(3) > 0) {
        int64_t const n = 1 + below(4);
        strcat(shape, "(");
        strcat(stride, "(");
        for (int64_t i = 0; i < n; ++i) {
            strcat(shape, i ? "," : "");
            strcat(stride, i ? "," : "");
            put_modes(shape, stride, depth - 1);
        }
        strcat(shape, ")");
        strcat(stride, ")");
    } else if (below(4) == 0) {
        strcat(shape, "()");
        strcat(stride, "()");
    } else {
        sprintf(shape + strlen(shape), "%s%d", below(2) ? "_" : "", 1 + (int)below(9));
        if (below(5) == 0)
            strcat(stride, odd[below(6)]);
        else
            sprintf(stride + strlen(stride), "%d", (int)below(70));
    }
}

static void try_random(int n)
{
    static char const *const around[] = {"%s:%s",
                                         "counting_iter(9223372036854775800) o %s:%s",
                                         "coalesce(%s:%s)",
                                         "complement(%s:%s)",
                                         "make_identity_tensor(%s)",
                                         "right_inverse(%s:%s)"};
    static char expression[4096], shape[2048], stride[2048];
    for (int i = 0; i < n; ++i) {
        shape[0] = stride[0] = 0;
        put_modes(shape, stride, 3);
        snprintf(expression, sizeof expression, around[below(6)], shape, stride);
        try_expression(expression, i % LABELS, i % LABELS + 1);
        if (i % 4 == 0)
            try_diff(expression, "4:1");
    }
}

/** Every operation with nothing to work on, and with blanks where they may stand. */
static void try_empty(void)
{
    static char expression[128];
    int count = 0;
    tsr_op const *const ops = tsr_ops(&count);
    for (int i = 0; i < count; ++i) {
        snprintf(expression, sizeof expression, "%s()", ops[i].name);
        try_expression(expression, 0, LABELS);
    }
    tsr_calc("coalesce( < 4:1 , 2 > )", 0, expression, sizeof expression);
    check(strstr(expression, "coalesce does not take (a tiler)") != NULL, "blanks", expression);
}

static void try_locale(void)
{
    static char const *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    static char text[TSR_TEXT_SIZE], with_comma[TSR_TEXT_SIZE];
    float x[3] = {1.5f, -2.25f, 1e30f};
    tsr_tensor const t = tsr_make_tensor_of(tsr_make_gmem_ptr(x), tsr_make_layout(3, 1));
    bool found = false;
    size_t const n = tsr_format_values(text, sizeof text, t);
    for (int i = 0; i < 4 && !found; ++i)
        found = setlocale(LC_ALL, names[i]) != NULL;
    if (!found) {
        printf("skipped: no locale with a comma\n");
        return;
    }
    check(tsr_format_values(with_comma, sizeof with_comma, t) == n && strcmp(text, with_comma) == 0,
          "another text under a comma locale", with_comma);
    tsr_format_tensor(text, sizeof text,
                      tsr_make_tensor_of(tsr_scale_iter(tsr_make_gmem_ptr(x), 1.5), tsr_make_layout(3, 1)));
    check(strstr(text, "1.5") != NULL, "no point", text);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    static char const *const hard[] = {
        "((),())", "((),1)", "(_64,_3,16,(),3):(512,_1,32768,(),1024)", "((2,()),4):((1,()),2)",
        "local_tile(counting_iter(0) o 4:1, 9223372036854775807, 0)",
        "local_tile(make_identity_tensor((4,4)), (1000000,1000000), (0,0))",
        "find_swizzle<uint128_t>((_32,2047):(_9,_0),(_8,8192):(_32,_64))",
        ("composition(find_swizzle<uint128_t>((_32,2047):(_9,_0),(_8,8192):(_32,_64)), "
         "composition(find_swizzle<uint128_t>((_32,2047):(_9,_0),(_8,8192):(_32,_64)), 8:1))"),
        "load packed((8)) @@ dist{R=();H=((16777216));P=(());Y=(1.0)} origin=(0) p=(0)",
        "packed((9223372036854775807)) @@ dist{R=();H=((4));P=((1.0));Y=()} origin=(-9223372036854775807)",
        "offset packed((2,3)) | merge(2,3):0,1>0 @ (9223372036854775807)",
        "sweep dist{R=();H=((1048576));P=();Y=(1.0)} unpack=(1)", "sfc (9223372036854775807) per=(1)",
        "walk packed((4)) @ (1) ; (1) ; ; (1)", "counting_iter(0) o counting_iter(0) o packed((4)) @@ packed((4))",
        "size size size (4)", "make_identity_tensor((16,16,1,8,31))",
        "counting_iter(9223372036854775807) o (_2,_3):(_1,200)", "((4,1),(2,4)):((1,8),(922337203685475808,8))",
        /* far more cells than are drawn */
        "right_inverse((_9,7,300000000):(_1,_9,3))", "left_inverse((_9,_7,_300000000):(_1,_9,_63))",
        "right_inverse((_9,_7,_300000000):(_1,_9,_63))", "logical_divide((_9,7,300000000):(_1,_9,3), 3)",
        "logical_product((_9,300000000):(_1,_9), _7)", "slice((_,_,3), (_9,7,300000000):(_1,_9,3))",
        "local_tile(make_identity_tensor((63,300000000)), (7,1000000), (0,0))"};
    for (int i = 0, some = OF_CASES(LABELS); i < (int)(sizeof hard / sizeof hard[0]); ++i) {
        int const first = i % (LABELS - some + 1);
        try_expression(hard[i], first, first + some);
    }
    try_diff("((),1)", "4:1");
    try_diff("4:1", "((),())");
    try_random(OF_CASES(100));
    try_empty();
    try_locale();
    printf("%d checks, %d failed\n", checks, failed);
    return failed != 0;
}
