/* Copies by plans against memcpy of the same bytes, in turn: what a plan costs, small copies, permutations, packing,
 * casts. Every result is checked before it is timed.
 */
#include "tessera/ops/move.h"
#include "tessera/tessera.h"
#include "moved.h"
#include "timing.h"

enum { BYTES = 1 << 25, CASES = 32 };

static _Alignas(4096) unsigned char from[BYTES], to[BYTES];

typedef struct copy_case {
    tsr_tensor s, d;
    tsr_plan plan;
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
        bench_sink = tsrc_copy(c->s, c->d).status;
}

static void run_plan(bench_case const *self, int64_t times)
{
    copy_case const *const c = (copy_case const *)self->data;
    for (int64_t i = 0; i < times; ++i)
        bench_sink = tsrc_plan_run(&c->plan, NULL, &c->s, &c->d, 0, c->plan.units);
}

static void add(char const *name, tsr_dtype type, tsr_layout s, tsr_dtype other, tsr_layout d)
{
    copy_case *const c = &copies[count];
    c->s = tsr_make_tensor(tsr_make_gmem_ptr((void *)from, type), s);
    c->d = tsr_make_tensor(tsr_make_gmem_ptr((void *)to, other), d);
    c->plan = tsrc_plan_copy(c->s, c->d);
    c->bytes = tsr_layout_size(d) * (tsr_dtype_bits(type) + tsr_dtype_bits(other)) / 8;
    memset(to, 0, sizeof to);
    tsrc_plan_run(&c->plan, NULL, &c->s, &c->d, 0, c->plan.units);
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
    return 0;
}
