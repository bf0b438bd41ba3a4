/** What tsr_format_layout_source writes is, compiled, the layout that it was given.
 *
 *  usage: layout_source. Without WRITTEN it writes the layouts of a seed as initialisers; compiled with WRITTEN, the
 *  file that came of it, it draws the same layouts again and compares them with the initialisers, member by member. */
#include <stdio.h>
#include <string.h>

#include "any_layout.h"
#include "tessera/gpu.h"

enum { LAYOUTS = 60 };

/** Members that no layout has, to the ends of their types. */
static tsr_leaf wild_leaf(void)
{
    static int64_t const ends[] = {INT64_MIN, INT64_MIN + 1, -2147483648ll, -1, 2147483648ll, INT64_MAX};
    tsr_leaf x;
    memset(&x, 0, sizeof x);
    x.value = below(2) ? ends[below(6)] : (int64_t)random_bits();
    x.aux = (uint32_t)random_bits();
    x.kind = (uint8_t)random_bits();
    x.open = (uint8_t)random_bits();
    x.close = (uint8_t)random_bits();
    x.tile = (uint8_t)random_bits();
    return x;
}

static tsr_swizzle wild_swizzle(void)
{
    tsr_swizzle x;
    memset(&x, 0, sizeof x);
    x.status = (uint8_t)random_bits();
    x.bits = (int8_t)(below(256) - 128);
    x.base = (int8_t)(below(256) - 128);
    x.shift = (int8_t)(below(256) - 128);
    for (int i = 0; i < 3; ++i)
        x.number[i] = (int32_t)(below(4294967296ll) - 2147483648ll);
    return x;
}

static tsr_layout wild_layout(void)
{
    tsr_layout l;
    memset(&l, 0, sizeof l);
    tsr_tuple *const tuples[] = {&l.shape, &l.stride};
    for (int t = 0; t < 2; ++t) {
        tuples[t]->status = (uint8_t)random_bits();
        tuples[t]->leaves = (uint8_t)random_bits();
        tuples[t]->mode = (uint8_t)random_bits();
        tuples[t]->law = (uint8_t)random_bits();
        for (int i = 0; i < TSR_MAX_LEAVES; ++i)
            tuples[t]->leaf[i] = wild_leaf();
    }
    l.offset = wild_leaf();
    l.outer_offset = wild_leaf();
    l.swizzle = wild_swizzle();
    l.outer_swizzle = wild_swizzle();
    l.composed = below(2) != 0;
    l.twice = below(2) != 0;
    return l;
}

static tsr_layout next_layout(int i) { return i % 3 == 2 ? wild_layout() : any_layout(); }

#if defined(WRITTEN)

static tsr_layout const written[LAYOUTS] = {
#  include WRITTEN
};

static bool same_leaf(tsr_leaf a, tsr_leaf b)
{
    return a.value == b.value && a.aux == b.aux && a.kind == b.kind && a.open == b.open && a.close == b.close
           && a.tile == b.tile;
}

static bool same_tuple(tsr_tuple const *a, tsr_tuple const *b)
{
    int const held = a->status ? TSR_NOTES : a->leaves < TSR_MAX_LEAVES ? a->leaves : TSR_MAX_LEAVES;
    bool same = a->status == b->status && a->leaves == b->leaves && a->mode == b->mode && a->law == b->law;
    for (int i = 0; i < held; ++i)
        same = same && same_leaf(a->leaf[i], b->leaf[i]);
    return same;
}

static bool same_swizzle(tsr_swizzle a, tsr_swizzle b)
{
    return a.status == b.status && a.bits == b.bits && a.base == b.base && a.shift == b.shift
           && memcmp(a.number, b.number, sizeof a.number) == 0;
}

int main(void)
{
    int failed = 0;
    for (int i = 0; i < LAYOUTS; ++i) {
        tsr_layout const l = next_layout(i), *const w = &written[i];
        bool const same = same_tuple(&l.shape, &w->shape) && same_tuple(&l.stride, &w->stride)
                          && same_leaf(l.offset, w->offset) && same_leaf(l.outer_offset, w->outer_offset)
                          && same_swizzle(l.swizzle, w->swizzle) && same_swizzle(l.outer_swizzle, w->outer_swizzle)
                          && l.composed == w->composed && l.twice == w->twice;
        failed += !same;
        if (!same)
            printf("layout %d is another one\n", i);
    }
    printf("%d layouts, %d failed\n", (int)LAYOUTS, failed);
    return failed != 0;
}

#else

/** A layout with other numbers behind its leaves, which nothing reads. */
static tsr_layout with_rest(tsr_layout l)
{
    for (int i = l.shape.leaves; !l.shape.status && i < TSR_MAX_LEAVES; ++i)
        l.shape.leaf[i].value = l.stride.leaf[i].value = i;
    return l;
}

int main(void)
{
    char text[8192], part[64];
    for (int i = 0; i < LAYOUTS; ++i) {
        tsr_layout const l = next_layout(i), other = with_rest(l);
        size_t const length = tsr_format_layout_source(text, sizeof text, other);
        size_t const again = tsr_format_layout_source(part, sizeof part, l);
        if (length >= sizeof text || again != length || strlen(part) != sizeof part - 1
            || strncmp(part, text, 63) != 0)
            return 1;
        printf("%s,\n", text);
    }
    return 0;
}

#endif
