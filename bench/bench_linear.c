/** What conversions between layouts and linear maps cost. Each is checked before it is timed. Limit: 2 us. */
#include "tessera/text.h"
#include "timing.h"

#define LIMIT_CONVERSION 2000.0

/** A layout and its map, on both ways. */
typedef struct pair {
    tsr_layout layout;
    tsr_linear map;
} pair;

static void to_map(bench_case const *self, int64_t times)
{
    pair const *const p = (pair const *)self->data;
    for (int64_t i = 0; i < times; ++i)
        bench_sink = bench_sink + (int64_t)tsr_linear_of_layout(p->layout).basis[0];
}

static void to_layout(bench_case const *self, int64_t times)
{
    pair const *const p = (pair const *)self->data;
    for (int64_t i = 0; i < times; ++i)
        bench_sink = bench_sink + tsr_linear_to_layout(p->map).stride.leaf[0].value;
}

static void to_inverse(bench_case const *self, int64_t times)
{
    pair const *const p = (pair const *)self->data;
    for (int64_t i = 0; i < times; ++i)
        bench_sink = bench_sink + (int64_t)tsr_linear_pseudo_inverse(p->map).basis[0];
}

static pair pair_of(char const *text)
{
    pair p;
    p.layout = tsr_parse_layout(text, TSR_TEXT_STATIC, NULL);
    p.map = tsr_linear_of_layout(p.layout);
    bench_done(p.map.why);
    tsr_linear const again = tsr_linear_of_layout(tsr_linear_to_layout(p.map));
    bench_done(tsr_linear_same_function(p.map, again).why);
    return p;
}

int main(void)
{
    pair const plain = pair_of("(128,64):(64,1)"), atom = pair_of("((4,8),(2,2,2)):((32,1),(16,8,128))"),
               swizzled = pair_of("Sw<3,3,3> o 0 o (128,64):(64,1)");
    static bench_case cases[] = {{"plain layout to map", LIMIT_CONVERSION, to_map, NULL, {0}},
                                 {"plain map to layout", LIMIT_CONVERSION, to_layout, NULL, {0}},
                                 {"plain map inverted", LIMIT_CONVERSION, to_inverse, NULL, {0}},
                                 {"MMA accumulator to map", LIMIT_CONVERSION, to_map, NULL, {0}},
                                 {"its map to layout", LIMIT_CONVERSION, to_layout, NULL, {0}},
                                 {"its map inverted", LIMIT_CONVERSION, to_inverse, NULL, {0}},
                                 {"swizzled tile to map", LIMIT_CONVERSION, to_map, NULL, {0}},
                                 {"its map to layout", LIMIT_CONVERSION, to_layout, NULL, {0}},
                                 {"its map inverted", LIMIT_CONVERSION, to_inverse, NULL, {0}}};
    enum { CASES = sizeof cases / sizeof cases[0] };
    pair const *const pairs[] = {&plain, &atom, &swizzled};
    int slow = 0;
    for (int i = 0; i < CASES; ++i)
        cases[i].data = pairs[i / 3];
    bench_print_machine();
    bench_measure(cases, CASES, 200);
    for (int i = 0; i < CASES; ++i) {
        slow += bench_median(&cases[i]) > cases[i].limit;
        printf("%-28s %8.0f ns\n", cases[i].name, bench_median(&cases[i]));
    }
    return slow != 0;
}
