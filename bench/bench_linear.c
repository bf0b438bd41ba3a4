/** What conversions between layouts and linear maps cost, and of texts of other systems. Each is checked before it is
 *  timed. Limit: 2 us, and 0.5 us for each sample of a function of TileLang. */
#include "tessera/convert.h"
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

/** A text of a system over a shape, and its value. */
typedef struct words {
    tsr_system system;
    char const *text, *shape;
    tsr_tuple extents;
    tsr_converted value;
} words;

static void read_words(bench_case const *self, int64_t times)
{
    words const *const x = (words const *)self->data;
    tsr_message error;
    tsr_converted v;
    for (int64_t i = 0; i < times; ++i)
        bench_sink = bench_sink + tsr_convert_read(x->system, x->text, x->extents, 4, &v, &error);
}

static void write_words(bench_case const *self, int64_t times)
{
    words const *const x = (words const *)self->data;
    tsr_message error;
    char text[1024];
    for (int64_t i = 0; i < times; ++i)
        bench_sink = bench_sink + tsr_convert_write(text, sizeof text, x->system, &x->value, 4, &error);
}

/** Reads a text, and where `written` is asked for checks that its value is written as the same text. */
static void take_words(words *x, bool written)
{
    static char text[1024];
    tsr_message error = {0, ""};
    x->extents = x->shape ? tsr_parse_tuple(x->shape, TSR_TEXT_STATIC, &error) : tsr_unit();
    bool const read = tsr_convert_read(x->system, x->text, x->extents, 4, &x->value, &error);
    bool const wrote = read && tsr_convert_write(text, sizeof text, x->system, &x->value, 4, &error);
    if (!read || (written && (!wrote || strcmp(text, x->text) != 0))) {
        fprintf(stderr, "%s: %s\n", x->text, read ? text : error.text);
        exit(1);
    }
}

#define MMA_ "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>"

/** Texts: read, and where they are canonical written. Returns how many are too slow. */
static int measure_words(void)
{
    static words all[] = {
        {TSR_SYSTEM_NUMPY, "shape=(4, 8, 16), strides=(512, 64, 4)", NULL, {0}, {0}},
        {TSR_SYSTEM_ONEDNN, "aBcd16b", "(2,32,7,7)", {0}, {0}},
        {TSR_SYSTEM_CUTE, "make_layout(make_shape(Int<4>{}, 8), make_stride(8, Int<1>{}))", NULL, {0}, {0}},
        {TSR_SYSTEM_CUTEDSL, "cute.make_layout((4, 8), stride=(8, 1))", NULL, {0}, {0}},
        {TSR_SYSTEM_MDSPAN, "std::layout_right::mapping<std::extents<std::size_t, 4, 8>>()", NULL, {0}, {0}},
        {TSR_SYSTEM_TTG,
         "#ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], "
         "block = []}>",
         NULL,
         {0},
         {0}},
        {TSR_SYSTEM_MPI,
         "MPI_Type_vector(8, 4, 10, MPI_FLOAT, &t0); MPI_Type_create_hvector(3, 1, 400, t0, &t1);",
         NULL,
         {0},
         {0}},
        {TSR_SYSTEM_TTG, MMA_, "(128,128)", {0}, {0}},
        {TSR_SYSTEM_TTG, "#ttg.dot_op<{opIdx = 1, parent = " MMA_ ", kWidth = 2}>", "(128,128)", {0}, {0}},
        {TSR_SYSTEM_GLUON,
         "NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)",
         "(128,64)",
         {0},
         {0}},
    };
    enum { WORDS = sizeof all / sizeof all[0], CANONICAL = 7 };
    static bench_case cases[WORDS + CANONICAL];
    int slow = 0;
    for (int i = 0; i < WORDS; ++i)
        take_words(&all[i], i < CANONICAL);
    for (int i = 0; i < WORDS + CANONICAL; ++i) {
        bool const read = i < WORDS;
        cases[i].name = read ? "read" : "write";
        cases[i].limit = LIMIT_CONVERSION;
        cases[i].run = read ? read_words : write_words;
        cases[i].data = &all[read ? i : i - WORDS];
    }
    bench_measure(cases, WORDS + CANONICAL, 200);
    for (int i = 0; i < WORDS + CANONICAL; ++i) {
        slow += bench_median(&cases[i]) > cases[i].limit;
        printf("%-5s %8.0f ns  %.60s\n", cases[i].name, bench_median(&cases[i]),
               ((words const *)cases[i].data)->text);
    }
    return slow;
}

/** A fragment of TileLang, whose two functions are read once for each of 64 elements. Returns whether a sample is too
 *  slow. */
static int measure_sampled(void)
{
    enum { SAMPLES = 2 * 64, LIMIT_SAMPLE = 500 };
    static words fragment = {
        TSR_SYSTEM_TILELANG,
        "T.Fragment([8, 8], forward_thread_fn=lambda i, j: i * 4 + j // 2, forward_index_fn=lambda i, j: j % 2)",
        NULL,
        {0},
        {0}};
    static bench_case cases[] = {{"read", SAMPLES * LIMIT_SAMPLE, read_words, &fragment, {0}},
                                 {"write", LIMIT_CONVERSION, write_words, &fragment, {0}}};
    int slow = 0;
    take_words(&fragment, true);
    bench_measure(cases, 2, 200);
    for (int i = 0; i < 2; ++i) {
        slow += bench_median(&cases[i]) > cases[i].limit;
        printf("%-5s %8.0f ns  %.60s\n", cases[i].name, bench_median(&cases[i]), fragment.text);
    }
    return slow;
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
    return slow + measure_words() + measure_sampled() != 0;
}
