/* Copies by plans against memcpy of the same bytes, in turn: what a plan costs, small copies, permutations, packing,
 * casts. Small ones against loops whose extents the compiler knows, too. Every result is checked before it is timed.
 */
#include "tessera/tessera.h"
#include "tessera/tessera.h"
#include "moved.h"
#include "timing.h"

enum { BYTES = 1 << 25, CASES = 32 };

static _Alignas(4096) unsigned char from[BYTES], to[BYTES];

typedef struct copy_case {
    tsr_tensor s, d;
    tsr_planned_copy plan;
    int64_t bytes; /* read and written */
} copy_case;

static copy_case copies[CASES];
static bench_case timed[2 * CASES];
static int count;

static void run_memcpy(bench_case const *self, int64_t times)
{
    copy_case const *const c = (copy_case const *)self->data;
    for (int64_t i = 0; i < times; ++i) {
        memcpy(to, from, (size_t)c->bytes / 2);
        bench_sink = to[i % 64];
    }
}

static void run_copy(bench_case const *self, int64_t times)
{
    copy_case const *const c = (copy_case const *)self->data;
    for (int64_t i = 0; i < times; ++i)
        bench_sink = tsr_copy(c->s, c->d).status;
}

static void run_plan(bench_case const *self, int64_t times)
{
    copy_case const *const c = (copy_case const *)self->data;
    for (int64_t i = 0; i < times; ++i)
        bench_sink = tsr_copy_run(&c->plan, NULL, &c->s, &c->d, 0, c->plan.units);
}

static void add(char const *name, tsr_dtype type, tsr_layout s, tsr_dtype other, tsr_layout d)
{
    copy_case *const c = &copies[count];
    c->s = tsr_make_tensor(tsr_make_gmem_ptr((void *)from, type), s);
    c->d = tsr_make_tensor(tsr_make_gmem_ptr((void *)to, other), d);
    c->plan = tsr_copy_plan(c->s, c->d);
    c->bytes = tsr_layout_size(d) * (tsr_dtype_bits(type) + tsr_dtype_bits(other)) / 8;
    memset(to, 0, sizeof to);
    tsr_copy_run(&c->plan, NULL, &c->s, &c->d, 0, c->plan.units);
    if (c->plan.why.status || !bench_moved(&c->plan, &c->s, &c->d)) {
        printf("%s is wrong\n", name);
        exit(1);
    }
    timed[2 * count] = (bench_case){name, 0, run_memcpy, c, {0}};
    timed[2 * count + 1] = (bench_case){name, 0, c->bytes < 100000 ? run_copy : run_plan, c, {0}};
    ++count;
}

static void transpose(char const *name, tsr_dtype type, int64_t n)
{
    add(name, type, tsr_make_layout(tsr_t(n, n)), type, tsr_make_layout(tsr_t(n, n), tsr_right()));
}

/* Small copies: n by n floats, transposed, and rows out of a matrix with rows of n + 4. */

/* clang-format off */
#define BY_HAND(n)                                                            \
    WIDE BENCH_NOINLINE static void turn_##n(float const *restrict s, float *restrict d) \
    {                                                                         \
        for (int j = 0; j < (n); ++j)                                         \
            for (int i = 0; i < (n); ++i)                                     \
                d[j + i * (n)] = s[i + j * (n)];                              \
    }                                                                         \
    WIDE BENCH_NOINLINE static void rows_##n(float const *restrict s, float *restrict d) \
    {                                                                         \
        for (int j = 0; j < (n); ++j)                                         \
            for (int i = 0; i < (n); ++i)                                     \
                d[i + j * (n)] = s[i + j * ((n) + 4)];                        \
    }
BY_HAND(8) BY_HAND(16) BY_HAND(24) BY_HAND(32) BY_HAND(64)
    /* clang-format on */

    typedef void by_hand(float const *, float *);

typedef struct small_case {
    copy_case copy;
    by_hand *hand;
} small_case;

static void run_small_plan(bench_case const *self, int64_t times)
{
    small_case const *const c = (small_case const *)self->data;
    for (int64_t i = 0; i < times; ++i)
        bench_sink = tsr_copy_run(&c->copy.plan, NULL, &c->copy.s, &c->copy.d, 0, 1);
}

static void run_small_copy(bench_case const *self, int64_t times)
{
    small_case const *const c = (small_case const *)self->data;
    for (int64_t i = 0; i < times; ++i)
        bench_sink = tsr_copy(c->copy.s, c->copy.d).status;
}

static void run_by_hand(bench_case const *self, int64_t times)
{
    small_case const *const c = (small_case const *)self->data;
    for (int64_t i = 0; i < times; ++i) {
        c->hand((float const *)(void const *)from, (float *)(void *)to);
        bench_sink = to[0];
    }
}

static void measure_small(char const *name, int64_t n, tsr_layout s, tsr_layout d, by_hand *hand)
{
    small_case c;
    c.hand = hand;
    c.copy.s = tsr_make_tensor(tsr_make_gmem_ptr((void *)from, TSR_F32), s);
    c.copy.d = tsr_make_tensor(tsr_make_gmem_ptr((void *)to, TSR_F32), d);
    c.copy.bytes = 8 * n * n;
    c.copy.plan = tsr_copy_plan(c.copy.s, c.copy.d);
    memset(to, 0, sizeof to);
    tsr_copy_run(&c.copy.plan, NULL, &c.copy.s, &c.copy.d, 0, 1);
    if (c.copy.plan.units != 1 || !bench_moved(&c.copy.plan, &c.copy.s, &c.copy.d)) {
        printf("%s is wrong\n", name);
        exit(1);
    }
    bench_case three[] = {
        {name, 0, run_by_hand, &c, {0}}, {name, 0, run_small_plan, &c, {0}}, {name, 0, run_small_copy, &c, {0}}};
    bench_measure(three, 3, 500);
    printf("%2lldx%-2lld f32 %-36s %6.1f ns by hand, %6.1f with its plan in hand, %6.1f from its tensors\n",
           (long long)n, (long long)n, name, bench_median(&three[0]), bench_median(&three[1]),
           bench_median(&three[2]));
}

int main(void)
{
    tsr_layout const million = tsr_make_layout(1 << 20), cube = tsr_make_layout(tsr_t(128, 128, 128));
    for (int i = 0; i < BYTES / 4; ++i) {
        float const x = (float)(i % 1000) * 0.25f - 100;
        memcpy(&from[4 * i], &x, 4);
    }
    transpose("8x8 f32 transposed, with its plan", TSR_F32, 8);
    transpose("64x64 f32 transposed, with its plan", TSR_F32, 64);
    add("64x64 f16 behind Sw<3,3,3>, with its plan", TSR_F16, tsr_make_layout(tsr_t(64, 64)), TSR_F16,
        tsr_make_composed_layout(tsr_make_swizzle(3, 3, 3), tsr_s(0), tsr_make_layout(tsr_t(64, 64))));
    add("1000 f32 to bf16, with its plan", TSR_F32, tsr_make_layout(1000), TSR_BF16, tsr_make_layout(1000));
    add("rows of 2048 f32 to rows of 2050", TSR_F32, tsr_make_layout(tsr_t(2048, 2000)), TSR_F32,
        tsr_make_layout(tsr_t(2048, 2000), tsr_t(1, 2050)));
    transpose("2048x2048 u8 transposed", TSR_U8, 2048);
    transpose("2048x2048 f16 transposed", TSR_F16, 2048);
    transpose("2048x2048 f32 transposed", TSR_F32, 2048);
    transpose("2047x2047 f32 transposed", TSR_F32, 2047);
    transpose("1024x1024 f64 transposed", TSR_F64, 1024);
    add("128x128x128 f32 reversed", TSR_F32, cube, TSR_F32, tsr_make_layout(cube.shape, tsr_right()));
    add("NHWC to NCHW, 64 channels of f16", TSR_F16, tsr_make_layout(tsr_t(64, 3136, 8)), TSR_F16,
        tsr_make_layout(tsr_t(64, 3136, 8), tsr_t(3136, 1, 64 * 3136)));
    add("VNNI, 1024x1024 bf16", TSR_BF16, tsr_make_layout(tsr_t(1024, tsr_t(2, 512)), tsr_t(1, tsr_t(1024, 2048))),
        TSR_BF16, tsr_make_layout(tsr_t(1024, tsr_t(2, 512)), tsr_t(2, tsr_t(1, 2048))));
    add("f32 to bf16", TSR_F32, million, TSR_BF16, million);
    add("f32 to f8_e4m3fn", TSR_F32, million, TSR_F8_E4M3FN, million);
    add("f16 to f32", TSR_F16, million, TSR_F32, million);
    add("f64 to f32", TSR_F64, million, TSR_F32, million);
    add("i32 to f32", TSR_I32, million, TSR_F32, million);
    add("f32 to i8", TSR_F32, million, TSR_I8, million);
    bench_print_machine();
    printf("%-44s %10s %10s %8s\n", "", "ns", "memcpy", "GB/s");
    for (int i = 0; i < count; ++i) {
        bench_measure(&timed[2 * i], 2, copies[i].bytes < 100000 ? 2000 : 1);
        double const ns = bench_median(&timed[2 * i + 1]);
        printf("%-44s %10.0f %10.0f %8.2f\n", timed[2 * i].name, ns, bench_median(&timed[2 * i]),
               (double)copies[i].bytes / ns);
    }
/* clang-format off */
#define X(n)                                                                                                    \
    measure_small("transposed", n, tsr_make_layout(tsr_t(n, n)), tsr_make_layout(tsr_t(n, n), tsr_right()),     \
                  turn_##n);                                                                                    \
    measure_small("of wider rows", n, tsr_make_layout(tsr_t(n, n), tsr_t(1, n + 4)), tsr_make_layout(tsr_t(n, n)), \
                  rows_##n);
    X(8) X(16) X(24) X(32) X(64)
/* clang-format on */
#undef X
        return 0;
}
