/** Products in groups, of rows, and with scales of blocks, on a GPU beside the same products on the CPU. Elements and
 *  scales are small integers, so that every order of sums is exact; all bytes of the results' memory are compared.
 *
 *  usage: gpu_groups [FOLDER [SEED [ROUNDS]]]. Exits with 77, which means skipped, where there is no Hopper GPU or no
 *  NVRTC. */
#include "../gpu/both.h"
#include "../gpu/check.h"
#include "tessera/exec/gemm_plan.h"
#include "tessera/text.h"

enum { MOST = 7 };

static int const sizes[] = {1, 8, 16, 40, 64, 80, 104, 128, 136, 200, 256, 304, 520};

/** Now and then such that a block has more than one tile. */
static int any_size(void) { return any(6) ? sizes[any(13)] : 2000; }

/** Modes of which the last is side by side, whole 16 bytes apart; or, `other`, the one before. */
static tsr_layout matrix(int64_t m, int64_t n, bool other)
{
    int64_t const up = ((other ? m : n) + 15) / 16 * 16;
    return tsr_make_layout(tsr_t(m, n), other ? tsr_t(1, up) : tsr_t(up, 1));
}

/** Runs a plan, reads the result back and compares it. */
static void compare(tsr_gpu_device const *d, tsr_gpu_result r, tsr_gpu_planned_gemm **plan, both const *c, int count,
                    char const *what)
{
    char name[640], text[512];
    tsr_format_gpu_gemm(text, sizeof text, *plan);
    snprintf(name, sizeof name, "%s: %s", what, text);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_gemm_run(*plan, NULL);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_wait(d);
    bool good = tsr_gpu_ok(r);
    for (int i = 0; i < count && good; ++i) {
        unsigned char *const back = (unsigned char *)malloc(c[i].bytes + 1);
        good = tsr_gpu_ok(tsr_gpu_read(&c[i].there, 0, back, c[i].bytes, NULL))
               && memcmp(back, c[i].here, c[i].bytes) == 0;
        free(back);
    }
    check(good, name);
    if (!tsr_gpu_ok(r))
        show_refusal(r);
    (void)tsr_gpu_gemm_free(plan);
}

static tsr_epilogue any_epilogue(void)
{
    tsr_epilogue e = tsr_make_epilogue(any(2) ? 1 : 2, any(3) - 1);
    e.activation = any(3) ? TSR_NO_ACTIVATION : TSR_RELU;
    return e;
}

/** Elements times their scales, by rows. */
static float *scaled(both const *x, both const *scale)
{
    int64_t const rows = tsr_layout_size(tsr_mode(x->layout, 0)), columns = tsr_layout_size(tsr_mode(x->layout, 1));
    tsr_layout const row = tsr_mode(scale->layout, 0), column = tsr_mode(scale->layout, 1);
    float *const r = (float *)malloc((size_t)(rows * columns) * sizeof *r);
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t k = 0; k < columns; ++k) {
            float s;
            memcpy(&s, scale->here + 4 * (tsr_layout_offset(&row, i) + tsr_layout_offset(&column, k)), sizeof s);
            r[i * columns + k] =
                s * (float)tsr_number_to_double(tsr_load(x->type, x->here + tsr_at(x->layout, i + rows * k), 0));
        }
    return r;
}

static tsr_tensor of_floats(float *p, int64_t rows, int64_t columns)
{
    return tsr_make_tensor_of(tsr_gmem_ptr(tsr_int((int64_t)(uintptr_t)p), TSR_F32),
                              tsr_make_layout(tsr_t(rows, columns), tsr_t(columns, 1)));
}

/** Scales of 1x128 of A, by rows or by blocks, and of 128x128 of B. */
static tsr_layout scales_of_a(int64_t m, int64_t k, bool by_blocks)
{
    int64_t const blocks = (k + 127) / 128;
    return tsr_make_layout(tsr_t(m, tsr_t(128, blocks)),
                           by_blocks ? tsr_t(blocks, tsr_t(0, 1)) : tsr_t(1, tsr_t(0, m)));
}
static tsr_layout scales_of_b(int64_t n, int64_t k)
{
    int64_t const tall = (n + 127) / 128, blocks = (k + 127) / 128;
    return tsr_make_layout(tsr_t(tsr_t(128, tall), tsr_t(128, blocks)), tsr_t(tsr_t(0, blocks), tsr_t(0, 1)));
}

/** With `blocks` the operands have scales. */
static void try_groups(tsr_gpu_device const *d, tsr_gpu_cache *cache, tsr_dtype in, tsr_dtype out, bool blocks)
{
    both x[5][MOST];
    tsr_tensor t[5][MOST];
    tsr_epilogue e[MOST];
    tsr_epilogue const one = any_epilogue();
    int const count = 1 + any(MOST), half = tsr_dtype_bits(in) == 16;
    bool const other[3] = {half && any(3) == 0, half && any(3) == 0, any(3) == 0};
    bool good = true;
    memset(x, 0, sizeof x);
    for (int i = 0; i < count; ++i) {
        int m = any_size(), n = any_size(), k = any(4) ? any_size() : 1000;
        if (any(6) == 0) { /* many tiles for a block, of one step each, whose stores follow each other */
            m = n = 2000;
            k = 8;
        }
        e[i] = one;
        good = good && make_both(d, &x[0][i], in, matrix(m, k, other[0]))
               && make_both(d, &x[1][i], in, matrix(n, k, other[1]))
               && make_both(d, &x[2][i], out, matrix(m, n, other[2]))
               && make_both(d, &x[3][i], TSR_F32, scales_of_a(m, k, any(2)))
               && make_both(d, &x[4][i], TSR_F32, scales_of_b(n, k));
        for (int o = 0; o < 5; ++o)
            t[o][i] = of_device(&x[o][i]);
        float *const a = scaled(&x[0][i], &x[3][i]), *const b = scaled(&x[1][i], &x[4][i]);
        good = good
               && !tsr_gemm_with(blocks ? of_floats(a, m, k) : of_host(&x[0][i]),
                                 blocks ? of_floats(b, n, k) : of_host(&x[1][i]), of_host(&x[2][i]), &one)
                       .status;
        free(a);
        free(b);
    }
    tsr_gpu_planned_gemm *plan;
    tsr_gpu_result const r = tsr_gpu_gemm_plan_groups(cache, d, count, t[0], t[1], blocks ? t[3] : NULL,
                                                      blocks ? t[4] : NULL, t[2], e, &to_words, &plan);
    compare(d, r, &plan, x[2], count, "groups");
    check(good, "groups on the CPU");
    for (int i = 0; i < 5 * MOST; ++i)
        free_both(&x[i / MOST][i % MOST]);
}

/** Rows of A and C, from one on to another. */
static tsr_tensor rows_of(tsr_tensor t, int64_t from, int64_t to)
{
    tsr_layout const l = t.layout;
    int64_t const pitch = tsr_at(l, 1);
    t.engine.address += (uint64_t)(from * pitch * tsr_dtype_bits(t.engine.type) / 8);
    t.layout = tsr_make_layout(tsr_t(to - from, tsr_layout_size(tsr_mode(l, 1))), tsr_t(pitch, 1));
    return t;
}

/** With `blocks` the operands have scales. */
static void try_rows(tsr_gpu_device const *d, tsr_gpu_cache *cache, tsr_dtype in, tsr_dtype out, bool blocks)
{
    int const m = any(2) ? any_size() : 2000, n = any_size(), k = any_size(), groups = 1 + any(any(4) ? MOST : 40);
    tsr_layout const one = matrix(n, k, false), scales = scales_of_b(n, k);
    int64_t const each = (tsr_cosize(one) + 15) / 16 * 16, apart = tsr_cosize(scales);
    tsr_epilogue const e = any_epilogue();
    int32_t ends[64];
    both x[5];
    tsr_gpu_memory there = {0};
    memset(x, 0, sizeof x);
    bool good = make_both(d, &x[0], in, matrix(m, k, false))
                && make_both(d, &x[1], in, tsr_make_layout(tsr_t(groups, n, k), tsr_t(each, tsr_at(one, 1), 1)))
                && make_both(d, &x[2], out, matrix(m, n, false))
                && make_both(d, &x[3], TSR_F32, scales_of_a(m, k, any(2)))
                && make_both(d, &x[4], TSR_F32,
                             tsr_make_layout_from(tsr_tuple_prepend(scales.shape, tsr_int(groups)),
                                                  tsr_tuple_prepend(scales.stride, tsr_int(apart))));
    float *const a = scaled(&x[0], &x[3]);
    for (int v = 0, at = 0; v < groups; ++v) {
        int const end = v + 1 < groups || any(2) ? (int)tsr_min64(m, at + (any(4) ? any(2 * m / groups + 2) : 0)) : m;
        if (end > at) {
            both b = x[1], scale = x[4];
            b.here += v * each * tsr_dtype_bits(in) / 8;
            b.layout = one;
            scale.here += v * apart * 4;
            scale.layout = scales;
            float *const floats = scaled(&b, &scale);
            tsr_tensor const left = blocks ? of_floats(a, m, k) : of_host(&x[0]);
            good = good
                   && !tsr_gemm_with(rows_of(left, at, end), blocks ? of_floats(floats, n, k) : of_host(&b),
                                     rows_of(of_host(&x[2]), at, end), &e)
                           .status;
            free(floats);
        }
        ends[v] = at = end;
    }
    good = good && tsr_gpu_ok(tsr_gpu_alloc(d, sizeof ends, &there))
           && tsr_gpu_ok(tsr_gpu_write(&there, 0, ends, sizeof ends, NULL));
    tsr_gpu_planned_gemm *plan;
    tsr_tensor const sa = of_device(&x[3]), sb = of_device(&x[4]);
    tsr_gpu_result const r =
        tsr_gpu_gemm_plan_rows(cache, d, of_device(&x[0]), of_device(&x[1]), blocks ? &sa : NULL, blocks ? &sb : NULL,
                               of_device(&x[2]), there.address, &e, &to_words, &plan);
    char text[128];
    snprintf(text, sizeof text, "%d rows of %d products, N %d K %d", m, groups, n, k);
    compare(d, r, &plan, &x[2], 1, text);
    check(good, "rows on the CPU");
    (void)tsr_gpu_free(&there);
    free(a);
    for (int i = 0; i < 5; ++i)
        free_both(&x[i]);
}

static void try_scaled(tsr_gpu_device const *d, tsr_gpu_cache *cache, tsr_dtype ta, tsr_dtype tb, tsr_dtype out)
{
    int const m = any_size(), n = any_size(), k = any(3) ? any_size() : any(2) ? 1500 : 9100; /* in parts */
    bool const by_blocks = any(2);
    tsr_epilogue const e = any_epilogue();
    both x[5];
    memset(x, 0, sizeof x);
    bool const good = make_both(d, &x[0], ta, matrix(m, k, false)) && make_both(d, &x[1], tb, matrix(n, k, false))
                      && make_both(d, &x[2], out, matrix(m, n, any(3) == 0))
                      && make_both(d, &x[3], TSR_F32, scales_of_a(m, k, by_blocks))
                      && make_both(d, &x[4], TSR_F32, scales_of_b(n, k));
    float *const a = scaled(&x[0], &x[3]), *const b = scaled(&x[1], &x[4]);
    tsr_gpu_planned_gemm *plan;
    tsr_gpu_result const r = tsr_gpu_gemm_plan_scaled(cache, d, of_device(&x[0]), of_device(&x[1]), of_device(&x[3]),
                                                      of_device(&x[4]), of_device(&x[2]), &e, &to_words, &plan);
    check(good && !tsr_gemm_with(of_floats(a, m, k), of_floats(b, n, k), of_host(&x[2]), &e).status, "on the CPU");
    char text[128];
    snprintf(text, sizeof text, "scaled M %d N %d K %d", m, n, k);
    compare(d, r, &plan, &x[2], 1, text);
    free(a);
    free(b);
    for (int i = 0; i < 5; ++i)
        free_both(&x[i]);
}

int main(int argc, char **argv)
{
    static tsr_dtype const types[][2] = {
        {TSR_F16, TSR_F16}, {TSR_BF16, TSR_F32}, {TSR_F8_E4M3FN, TSR_BF16}, {TSR_I8, TSR_I32}, {TSR_TF32, TSR_F32}};
    on_gpu on;
    if (!begin_on_gpu(&on, argc, argv, 10))
        return 77;
    if (on.device.major != 9) {
        printf("skipped: %s is not of compute capability 9.0\n", on.device.name);
        return 77;
    }
    for (int i = 0; i < on.rounds; ++i) {
        try_groups(&on.device, &on.cache, types[i % 5][0], types[i % 5][1], false);
        try_rows(&on.device, &on.cache, types[i % 5][0], types[i % 5][1], false);
        if (types[i % 5][0] == TSR_F8_E4M3FN) {
            try_groups(&on.device, &on.cache, TSR_F8_E4M3FN, TSR_BF16, true);
            try_rows(&on.device, &on.cache, TSR_F8_E4M3FN, TSR_BF16, true);
        }
        try_scaled(&on.device, &on.cache, TSR_F8_E4M3FN, i % 3 ? TSR_F8_E4M3FN : TSR_F8_E5M2,
                   i % 2 ? TSR_F32 : TSR_BF16);
    }
    printf("%s: %d rounds: %d passed, %d failed\n", on.device.name, on.rounds, passed, failed);
    end_on_gpu(&on);
    return failed != 0;
}
