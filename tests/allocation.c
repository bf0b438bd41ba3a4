/** Memory that runs out: every allocation of an evaluation, of a picture in every format and of a printed tensor fails
 *  in turn. Nothing crashes or leaks, and what could not be made says so. The program is linked so that its allocations
 *  come here (-Wl,--wrap). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture_of.h"

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);

static long until = -1; /* allocations until one fails; negative: none does */
static long made;

static bool fails(void)
{
    ++made;
    return until >= 0 && until-- == 0;
}

void *__wrap_malloc(size_t n) { return fails() ? NULL : __real_malloc(n); }

void *__wrap_calloc(size_t n, size_t size) { return fails() ? NULL : __real_calloc(n, size); }

void *__wrap_realloc(void *p, size_t n) { return fails() ? NULL : __real_realloc(p, n); }

static int checks, failed;

static void check(bool ok, char const *what, char const *which, long at)
{
    ++checks;
    failed += !ok;
    if (!ok)
        printf("%s, allocation %ld: %.100s\n", what, at, which);
}

static bool drop(void *context, char const *bytes, size_t n)
{
    *(size_t *)context += n;
    return bytes != NULL;
}

static void ignore(void *context, char const *name, char const *arguments, char const *result)
{
    (void)context, (void)name, (void)arguments, (void)result;
}

/** Does it succeed, in a way: -2 traced, -1 evaluated, else a format of pictures? */
static bool run(char const *expression, int way)
{
    static char text[TSR_TEXT_SIZE];
    size_t n = 0;
    if (way < 0) {
        bool const ok = way == -1 ? tsr_calc(expression, 0, text, sizeof text)
                                  : tsr_calc_traced(expression, 0, text, sizeof text, ignore, NULL);
        return ok || text[0] == 0;
    }
    tsr_picture_options const o = tsr_plain_picture();
    tsr_drawing how = TSR_ZERO;
    how.format = (tsr_format)way;
    how.width = 80;
    tsr_picture p = picture_of(expression, &o);
    bool const ok = tsr_picture_ok(&p) && tsr_draw_picture(&p, how, drop, &n);
    tsr_picture_free(&p);
    return ok;
}

static void try_each(char const *expression)
{
    for (int way = -2; way < TSR_FORMATS; ++way) {
        until = -1;
        made = 0;
        if (!run(expression, way))
            continue;
        long const all = made;
        for (long i = 0; i < all; ++i) {
            until = i;
            bool const ok = run(expression, way);
            until = -1;
            check(!ok, "an allocation failed and nothing says so", expression, i);
        }
    }
}

int main(void)
{
    static char const *const expressions[] = {
        "(4,8):(8,1)",
        "((((1,2),3),4),5)",
        "<4:1,<2:1,3:1>>",
        "Sw<2,0,3> o _0 o (_8,_8):(_8,_1)",
        "composition((_6,_2):(_8,_2), (_4,_3):(_3,_1))",
        "complement((_8,_2):(_1,_32))",
        "zipped_divide((_8,_8):(_8,_1), (_2,_4))",
        "blocked_product((_2,_2):(_1,_2), (_2,_3):(_3,_1))",
        "local_tile(make_identity_tensor((8,8)), (_4,_4), (0,_))",
        "local_partition(counting_iter(0) o (_8,_8):(_1,_8), (_2,_2):(_1,_2), 1)",
        "right_inverse(((_4,_2),_4):((_8,_4),_1))",
        "mma_layout_c(SM80_16x8x16_F32F16F16F32_TN)",
        "bank_conflicts<float>((_32,_1):(_32,_0))",
        "find_swizzle<float>((_32,_1):(_1,_0), (_32,_1):(_32,_0))",
        "make_tma_copy(SM90_TMA_LOAD, float, (64,64):(64,_1), (_16,_16):(_16,_1), (_16,_16), 1)",
        "tvlayout dist{R=();H=((2,2),(4,4));P=((1.0,2.0));Y=(1.1,2.1)}",
        "load packed((8,32),v=4) @@ dist{R=();H=((2,2),(4,4));P=((1.0,2.0));Y=(1.1,2.1)} origin=(0,0) p=(0)"};
    for (size_t i = 0; i < sizeof expressions / sizeof expressions[0]; ++i)
        try_each(expressions[i]);
    printf("%d allocations failed, %d unsaid\n", checks, failed);
    return failed != 0;
}
