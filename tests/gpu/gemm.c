/** Plans of products without a GPU: which way, which tile, what is refused and why, and that nothing stays behind.
 *
 *  usage: gpu_gemm FAKE EMPTY FOLDER, as of gpu_runtime. */
#include "faked.h"
#include "gpu/gemm.h"

#include <math.h>

static tsr_gpu_cache cache;
static char words[4096];
static tsr_gpu_log const to_words = {words, sizeof words};

/** A tensor at a place of its own in a memory that nobody reads. */
static tsr_tensor tensor(int place, int64_t past, tsr_dtype type, tsr_layout layout)
{
    return tsr_make_tensor(tsr_gmem_ptr(tsr_int(((int64_t)(place + 1) << 36) + past), type), layout);
}

static tsr_layout by_rows(int64_t m, int64_t n, int64_t pitch)
{
    return tsr_make_layout(tsr_t(m, n), tsr_t(pitch, 1));
}
static tsr_layout by_columns(int64_t m, int64_t n, int64_t pitch)
{
    return tsr_make_layout(tsr_t(m, n), tsr_t(1, pitch));
}

/** A plan, its text as it should be. */
static void is_as(tsr_gpu_result r, tsr_gpu_planned_gemm *plan, char const *expected)
{
    char text[1024];
    tsr_format_gpu_gemm(text, sizeof text, plan);
    check(tsr_gpu_ok(r) && strstr(text, expected), expected);
    if (!tsr_gpu_ok(r) || !strstr(text, expected)) {
        tsr_format_gpu_result(text, sizeof text, r);
        printf("    %s %s\n    ", text, words);
        tsr_format_gpu_gemm(text, sizeof text, plan);
        printf("%s\n", text);
    }
    int const before = fake->launches, launches = plan && plan->rows.ends ? 2 : 1;
    if (tsr_gpu_ok(r) && tsr_gpu_gemm_copies(plan) == 0) { /* the fake would copy what is nowhere */
        tsr_gpu_launch const *const launch = tsr_gpu_gemm_launch(plan);
        bool const scaled = (plan->tile.flags & TSR_HOPPER_SCALES) != 0;
        check(tsr_gpu_ok(tsr_gpu_gemm_run(plan, NULL)) && fake->launches == before + launches, "it runs");
        check(fake->grid[0] == launch->grid[0] && fake->shared == launch->shared && tsr_gpu_gemm_kernel(plan)->handle
                  && fake->early == (plan->device->major >= 9 && plan->groups == 0 && !scaled),
              "as it says");
    }
    check(tsr_gpu_ok(tsr_gpu_gemm_free(&plan)) && !plan && tsr_gpu_gemm_run(plan, NULL).status == TSR_GPU_NOT_THERE,
          "what was given back does not run");
}

/** The plan of a product. */
static void plans_as(tsr_gpu_device const *d, tsr_tensor a, tsr_tensor b, tsr_tensor c, tsr_epilogue const *e,
                     char const *expected)
{
    tsr_gpu_planned_gemm *plan;
    tsr_gpu_result const r = tsr_gpu_gemm_plan(&cache, d, a, b, c, e, &to_words, &plan);
    is_as(r, plan, expected);
}

static void test_tiles(tsr_gpu_device const *d)
{
    static struct {
        int64_t m, n, k;
        tsr_dtype in, out;
        char const *text;
    } const cases[] = {
        {4096, 4096, 4096, TSR_F16, TSR_F16, "128x256 tiles, 4 stages; 512 tiles on 132 blocks"},
        {8192, 8192, 8192, TSR_BF16, TSR_BF16, "128x192 tiles in turns, pairs, 4 stages; 2752 tiles on 132 blocks"},
        {16, 8192, 8192, TSR_F16, TSR_F16, "64x16 tiles in turns, A and B change places, 12 stages; 128 tiles"},
        {128, 4096, 14336, TSR_F16, TSR_F16, "K in parts"},
        {33, 1000, 8200, TSR_BF16, TSR_BF16, /* rows that begin at no multiple of 32 bytes: each is read once */
         "64x48 tiles in turns, A and B change places, 12 stages; 128 tiles on 128 blocks, K in parts"},
        {100, 5120, 5120, TSR_F16, TSR_F16, "64x80 tiles in turns"},
        {80, 4096, 4096, TSR_F16, TSR_F16, "64x48 tiles in turns, A and B change places"},
        {1024, 5120, 5120, TSR_F16, TSR_F16, "128x160 tiles in turns, 5 stages; 256 tiles on 132 blocks"},
        {4096, 4096, 4096, TSR_F8_E4M3FN, TSR_BF16, "128x128 tiles in turns, 6 stages"},
        {4096, 4096, 4096, TSR_TF32, TSR_F32, "128x256 tiles, pairs"},
        {4096, 4096, 4096, TSR_I8, TSR_I32, "tiles in turns"},
        {300, 400, 500, TSR_F32, TSR_F32, "plain loops, 35 tiles of 64x64: gemm: wgmma has no products of 32 by 32"},
        {4096, 4096, 512, TSR_F32, TSR_F32, "plain loops, 1024 tiles of 128x128"},
        {64, 64, 65536, TSR_F32, TSR_F32, "plain loops, 128 tiles of 64x64, K in parts: gemm"},
        {300, 400, 500, TSR_F64, TSR_F64,
         "plain loops, 35 tiles of 64x64 by tensor cores: gemm: wgmma has no products of 64 by 64"},
    };
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        int64_t const m = cases[i].m, n = cases[i].n, k = cases[i].k;
        plans_as(d, tensor(0, 0, cases[i].in, by_rows(m, k, k)), tensor(1, 0, cases[i].in, by_rows(n, k, k)),
                 tensor(2, 0, cases[i].out, by_rows(m, n, n)), &plain, cases[i].text);
    }
}

/** Whether the boxes that the planner finds from lengths alone are those of a layout. */
static bool same_boxes(tsr_layout smem, tsr_dtype type, int rows, int columns, int along, int parts)
{
    tsr_tma_tile const x = tsr_make_tma_tile(smem, type, parts);
    tsr_tma_tile const y = tsr_gpu_boxes_(type, rows, columns, along, parts);
    return !x.why.status && !y.why.status && x.along == y.along && x.rows == y.rows && x.parts == y.parts
           && x.box[0] == y.box[0] && x.box[1] == y.box[1] && x.boxes == y.boxes && x.elements == y.elements
           && x.swizzle.bits == y.swizzle.bits && x.swizzle.base == y.swizzle.base
           && x.swizzle.shift == y.swizzle.shift;
}

/** Every tile that is not refused has boxes of its operands and its result, and what the choice knows of it before. */
static void test_every_tile(void)
{
    static tsr_dtype const types[][2] = {{TSR_F16, TSR_F16},       {TSR_BF16, TSR_F32}, {TSR_TF32, TSR_F32},
                                         {TSR_F8_E4M3FN, TSR_F16}, {TSR_I8, TSR_I32},   {TSR_F8_E5M2, TSR_F32}};
    enum { EACH = 2 * 16 * 64 };
    int tiles = 0;
    bool good = true;
    for (int i = 0; i < 6 * EACH; ++i) {
        tsr_dtype const in = types[i / EACH][0], out = types[i / EACH][1];
        int const m = 64 + 64 * (i / 1024 % 2), n = 16 + i / 64 % 16 * 16, flags = i % 64 & ~TSR_HOPPER_D_ANY;
        tsr_hopper_tile const t = tsr_make_hopper_tile(in, in, out, m, n, flags);
        tsr_hopper_tile numbers = tsr_hopper_tile_numbers(in, in, out, m, n, flags);
        good = good && numbers.why.status == t.why.status && numbers.shared == t.shared && numbers.stages == t.stages;
        tsr_mma_atom atom = tsr_hopper_atom(in, in, 256, flags); /* as the search has it: of one width for all */
        atom.n = n;
        tsr_hopper_tile_fit(&numbers, &atom, out, m, flags);
        good =
            good && numbers.why.status == t.why.status && numbers.shared == t.shared && numbers.columns == t.columns;
        if (t.why.status)
            continue;
        ++tiles;
        good = good && t.stages >= 2 && t.shared <= TSR_HOPPER_SMEM && !tsr_layout_why(t.rows_a).status
               && same_boxes(t.smem_a, in, m, t.k, flags & TSR_HOPPER_A_MN ? 0 : 1, 1)
               && same_boxes(t.smem_b, in, n, t.k, flags & TSR_HOPPER_B_MN ? 0 : 1, t.ctas)
               && same_boxes(t.smem_d, out, 64, t.columns, flags & TSR_HOPPER_D_MN ? 0 : 1, 1);
    }
    check(good && tiles > 2000, "every tile has boxes");
}

/** A plan whose kernel is there compiles nothing, reads no attribute and counts no clusters; another context has its
 *  own kernel. */
static void test_kept(tsr_gpu_device const *d)
{
    tsr_layout const square = by_rows(4096, 4096, 4096);
    tsr_tensor const a = tensor(0, 0, TSR_F16, square), b = tensor(1, 0, TSR_F16, square),
                     c = tensor(2, 0, TSR_F16, square), odd = tensor(0, 0, TSR_F16, by_rows(4096, 4096, 4097));
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    for (int i = 0; i < 2; ++i) {
        int const compiled = fake->compilations, reports = fake->reports;
        int64_t const hits = cache.hits;
        plans_as(d, a, b, c, &plain, "128x256 tiles");
        plans_as(d, odd, b, c, &plain, "behind 1 and before 0 copies");
        plans_as(d, tensor(0, 0, TSR_F32, by_rows(300, 500, 500)), tensor(1, 0, TSR_F32, by_rows(400, 500, 500)),
                 tensor(2, 0, TSR_F32, by_rows(300, 400, 400)), &plain, "plain loops");
        check(i == 0 || (fake->compilations == compiled && fake->reports == reports && cache.hits == hits),
              "kernels are found by their numbers");
    }
    tsr_gpu_device other = *d;
    int64_t const hits = cache.hits;
    int const modules = fake->modules;
    other.context = NULL;
    tsr_gpu_planned_gemm *plan = NULL;
    check(tsr_gpu_gemm_plan(&cache, &other, a, b, c, &plain, &to_words, &plan).status == TSR_GPU_NOT_THERE && !plan
              && cache.hits == hits && fake->modules == modules,
          "a closed device has none");
}

/** What TMA cannot take, and what is said of it. */
static void test_ways(tsr_gpu_device const *d)
{
    tsr_tensor const a = tensor(0, 0, TSR_F16, by_rows(512, 512, 512)),
                     b = tensor(1, 0, TSR_F16, by_rows(512, 512, 512));
    tsr_tensor const c = tensor(2, 0, TSR_F16, by_rows(512, 512, 512));
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    tsr_layout const loops = tsr_make_layout(tsr_t(512, tsr_t(16, 32)), tsr_t(1024, tsr_t(1, 32)));
    plans_as(d, tensor(0, 0, TSR_F16, by_rows(512, 512, 513)), b, c, &plain, "stride 1026 of dimension 1");
    plans_as(d, tensor(0, 2, TSR_F16, by_rows(512, 512, 512)), b, c, &plain, "behind 1 and before 0 copies");
    plans_as(d, tensor(0, 0, TSR_F16, tsr_make_layout(tsr_t(512, 512), tsr_t(1024, 2))), b, c, &plain,
             "behind 1 and");
    plans_as(d, tensor(0, 2, TSR_F16, by_rows(64, 512, 512)), b, tensor(2, 0, TSR_F16, by_rows(64, 512, 512)), &plain,
             "plain loops");
    plans_as(d, tensor(0, 0, TSR_F16, tsr_make_layout(tsr_t(512, tsr_t(128, 4)), tsr_t(128, tsr_t(1, 80000)))), b,
             tensor(2, 0, TSR_F16, tsr_make_layout(tsr_t(tsr_t(64, 8), 512), tsr_t(tsr_t(512, 40000), 1))), &plain,
             "64x32 tiles in turns, 12 stages; 128 tiles on 128 blocks");
    plans_as(d, a, b, tensor(2, 0, TSR_F16, tsr_make_layout(tsr_t(tsr_t(8, 64), 512), tsr_t(tsr_t(512, 5000), 1))),
             &plain, "behind 0 and before 1 copies: gemm: mode 1 of (V,M,N,K) goes through memory in 2 loops");
    plans_as(d, a, b, tensor(2, 0, TSR_F16, tsr_make_layout(tsr_t(tsr_t(8, 64), 512), tsr_t(tsr_t(512, 5000), 1))),
             NULL, "behind 1 and before 1 copies");
    plans_as(d, tensor(0, 0, TSR_F16, loops), b, c, &plain, "mode 3 of (V,M,N,K) goes through memory in 2 loops");
    plans_as(d, a, b, tensor(2, 0, TSR_F16, by_rows(512, 512, 513)), &plain, "C element by element");
    plans_as(d, tensor(0, 0, TSR_F16, by_columns(512, 512, 512)), tensor(1, 0, TSR_F16, by_columns(512, 512, 512)),
             tensor(2, 0, TSR_F16, by_columns(512, 512, 512)), &plain, "tiles in turns");
    plans_as(d, tensor(0, 0, TSR_I8, by_columns(512, 512, 512)), tensor(1, 0, TSR_I8, by_rows(512, 512, 512)),
             tensor(2, 0, TSR_I32, by_rows(512, 512, 512)), &plain, "of 8 bits must be contiguous along K");
    tsr_tensor const bias = tensor(3, 0, TSR_F32, tsr_make_layout(tsr_t(512, 512), tsr_t(0, 1)));
    tsr_epilogue all = tsr_make_epilogue(0.5, -1);
    all.bias = &bias;
    all.activation = TSR_RELU;
    plans_as(d, a, b, c, &all, "tiles");
    int64_t const far = (int64_t)1 << 31;
    plans_as(d, tensor(0, 0, TSR_F16, by_rows(far, 8, 8)), tensor(1, 0, TSR_F16, by_rows(8, 8, 8)),
             tensor(2, 0, TSR_F16, by_rows(far, 8, 8)), &plain, "mode 1 of (V,M,N,K) has 2147483648 elements");
    tsr_gpu_device old = *d;
    old.major = 8;
    plans_as(&old, a, b, c, &plain,
             "64x64 by tensor cores, K in parts: gemm: wgmma is of compute capability 9.0, this device has 8");
    old.major = 7;
    plans_as(
        &old, a, b, c, &plain,
        "plain loops, 128 tiles of 64x64, K in parts: gemm: wgmma is of compute capability 9.0, this device has 7");
}

/** Plans by tcgen05.mma: only where they are asked for, and where there is one. */
static void test_not_run(tsr_gpu_device const *d)
{
    static struct {
        int major, minor;
        int64_t m, n, k;
        tsr_dtype in, out;
        bool asked;
        char const *text;
    } const cases[] = {
        {10, 0, 4096, 4096, 4096, TSR_BF16, TSR_BF16, true,
         "256x256 tiles by tcgen05.mma, not run on silicon, pairs, 7 stages, C element by element; 512 tiles on 132"},
        {10, 3, 100, 4096, 4096, TSR_F16, TSR_F32, true,
         "128x32 tiles by tcgen05.mma, not run on silicon, 11 stages, C element by element; 128 tiles on 128 blocks"},
        {11, 0, 300, 70, 512, TSR_F8_E4M3FN, TSR_F16, true, "256x32 tiles by tcgen05.mma"},
        {10, 0, 300, 70, 512, TSR_TF32, TSR_F32, true, "256x32 tiles by tcgen05.mma"},
        {10, 0, 4096, 4096, 4096, TSR_BF16, TSR_BF16, false, "plain loops"},
        {10, 0, 300, 70, 512, TSR_I8, TSR_I32, true, "wgmma is of compute capability 9.0, this device has 10.0"},
        {10, 0, 300, 70, 500, TSR_F8_E4M3FN, TSR_F16, true, "stride 500 of dimension 1"},
        {12, 0, 4096, 4096, 4096, TSR_BF16, TSR_BF16, true, "plain loops"},
        {9, 0, 4096, 4096, 4096, TSR_BF16, TSR_BF16, true, "128x256 tiles, 4 stages; 512 tiles on 132 blocks"}};
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        int64_t const m = cases[i].m, n = cases[i].n, k = cases[i].k;
        tsr_gpu_device other = *d;
        tsr_gpu_planned_gemm *plan;
        other.major = cases[i].major;
        other.minor = cases[i].minor;
        tsr_gpu_gemm_options const options = {.not_run_on_silicon = cases[i].asked};
        tsr_gpu_result const r =
            tsr_gpu_gemm_plan_with(&cache, &other, NULL, tensor(0, 0, cases[i].in, by_rows(m, k, k)),
                                   tensor(1, 0, cases[i].in, by_rows(n, k, k)),
                                   tensor(2, 0, cases[i].out, by_rows(m, n, n)), &plain, &options, &to_words, &plan);
        is_as(r, plan, cases[i].text);
    }
}

/** An im2col view ((q,p,n),(c,s,r)) of an image with room at its sides, `apart` elements between pixels. */
static tsr_layout view_of(int64_t out, int64_t images, int64_t channels, int64_t taps, int64_t stride, int64_t apart)
{
    int64_t const side = (out - 1) * stride + taps, row = side * apart;
    return tsr_make_layout(tsr_t(tsr_t(out, out, images), tsr_t(channels, taps, taps)),
                           tsr_t(tsr_t(stride * apart, stride * row, side * row), tsr_t(1, apart, row)));
}
static tsr_layout filters_of(int64_t filters, int64_t channels, int64_t taps)
{
    return tsr_make_layout(tsr_t(filters, tsr_t(channels, taps, taps)),
                           tsr_t(channels * taps * taps, tsr_t(1, channels, channels * taps)));
}

/** Views of images, and what of them the copy engine cannot take. */
static void test_views(tsr_gpu_device const *d)
{
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    tsr_tensor const filter = tensor(1, 0, TSR_F16, filters_of(256, 128, 3));
    tsr_tensor const c = tensor(2, 0, TSR_F16, by_rows(14 * 14 * 32, 256, 256)),
                     other = tensor(2, 0, TSR_F16, by_columns(256, 14 * 14 * 32, 256));
    tsr_tensor const view = tensor(0, 0, TSR_F16, view_of(14, 32, 128, 3, 1, 128)),
                     wide = tensor(0, 0, TSR_F16, view_of(14, 32, 128, 3, 2, 136));
    plans_as(d, view, filter, c, &plain, "im2col of 2 modes"); /* a row of taps is one run */
    plans_as(d, wide, filter, c, &plain, "im2col of 2 modes");
    plans_as(d, tensor(1, 0, TSR_F16, filter.layout), wide, other, &plain,
             "A and B change places, im2col of 2 modes");
    plans_as(d, tensor(0, 2, TSR_F16, wide.layout), filter, c, &plain, "behind 1 and before 0 copies: ");
    plans_as(d, tensor(0, 0, TSR_F16, view_of(14, 32, 128, 3, 1, 129)), filter, c, &plain,
             "behind 1 and before 0 copies: stride 258 of dimension 1 is not a multiple of 16 bytes");
    plans_as(d, tensor(0, 0, TSR_F16, view_of(14, 32, 128, 3, 9, 128)), filter, c, &plain, "im2col of 2 modes");
    plans_as(d, wide, filter,
             tensor(2, 0, TSR_F16,
                    tsr_make_layout(tsr_t(tsr_t(14 * 14, 32), 256), tsr_t(tsr_t(1, 14 * 14 * 256), 14 * 14))),
             &plain, "im2col of 2 modes");
    plans_as(d, tensor(0, 0, TSR_F16, view_of(14, 32, 8, 3, 1, 72)), tensor(1, 0, TSR_F16, filters_of(4096, 8, 3)),
             tensor(2, 0, TSR_F16, by_rows(14 * 14 * 32, 4096, 4096)), &plain,
             "behind 1 and before 0 copies: gemm: mode");
    tsr_gpu_device old = *d;
    old.major = 8;
    plans_as(&old, wide, filter, c, &plain, "by tensor cores");
}

/** Halves that TMA cannot address: by tensor cores from where they lie, large ones behind copies. */
static void test_halves(tsr_gpu_device const *d)
{
    tsr_layout const odd = tsr_make_layout(tsr_t(100, 100, 100), tsr_t(10100, 101, 1)),
                     turned = tsr_make_layout(tsr_t(100, 100, 100), tsr_t(10100, 1, 101)),
                     apart = tsr_make_layout(tsr_t(100, 100, 100), tsr_t(20200, 202, 2));
    tsr_layout const all[] = {odd, turned, apart};
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    for (int i = 0; i < 9; ++i)
        plans_as(d, tensor(0, 0, TSR_F16, all[i / 3]), tensor(1, 2, TSR_F16, all[i % 3]), tensor(2, 0, TSR_F16, odd),
                 &plain, "plain loops, 100 tiles of 128x128 by tensor cores: ");
    plans_as(d, tensor(0, 0, TSR_F16, odd), tensor(1, 0, TSR_BF16, odd), tensor(2, 0, TSR_F32, odd), &plain,
             "plain loops, 100 tiles of 128x128: gemm: wgmma has no products of 16 by 16");
    plans_as(d, tensor(0, 0, TSR_BF16, by_rows(4096, 4096, 4097)), tensor(1, 0, TSR_BF16, by_rows(4096, 4096, 4097)),
             tensor(2, 0, TSR_BF16, by_rows(4096, 4096, 4097)), &plain, "behind 2 and before 0 copies");
    tsr_gpu_planned_gemm *plan;
    tsr_gpu_result const r =
        tsr_gpu_gemm_plan(&cache, d, tensor(0, 0, TSR_F16, by_columns(4096, 4096, 4097)),
                          tensor(1, 0, TSR_F16, by_rows(4096, 4096, 4097)),
                          tensor(2, 0, TSR_F16, by_columns(4096, 4096, 4096)), &plain, &to_words, &plan);
    int const majors = TSR_HOPPER_A_MN | TSR_HOPPER_B_MN;
    check(tsr_gpu_ok(r) && tsr_gpu_gemm_copies(plan) == 2 && tsr_gpu_gemm_why(plan).status != TSR_OK
              && (plan->tile.flags & majors) == (plan->swapped ? TSR_HOPPER_B_MN : TSR_HOPPER_A_MN),
          "copies keep the order");
    (void)tsr_gpu_gemm_free(&plan);
}

/** Batches of products of few elements: in small tiles, unless they have more of K, or fill larger ones. */
static void test_small(tsr_gpu_device const *d)
{
    static struct {
        tsr_dtype type;
        int side, count;
        char const *plan;
    } const cases[] = {{TSR_F16, 30, 2000, "plain loops, 2000 tiles of 32x32 by tensor cores: "},
                       {TSR_F16, 50, 1000, "plain loops, 1000 tiles of 64x64 by tensor cores: "},
                       {TSR_F32, 30, 2000, "plain loops, 2000 tiles of 32x32: "},
                       {TSR_F32, 16, 4000, "plain loops, 4000 tiles of 32x32: "},
                       {TSR_F32, 100, 100, "plain loops, 100 tiles of 128x128: "},
                       {TSR_F64, 30, 2000, "plain loops, 2000 tiles of 32x32 by tensor cores: "}};
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        int const n = cases[i].side;
        tsr_layout const all = tsr_make_layout(tsr_t(cases[i].count, n, n), tsr_t(n * n, n, 1));
        plans_as(d, tensor(0, 0, cases[i].type, all), tensor(1, 0, cases[i].type, all),
                 tensor(2, 0, cases[i].type, all), &plain, cases[i].plan);
    }
}

static void refuses(tsr_gpu_device const *d, tsr_tensor a, tsr_tensor b, tsr_tensor c, tsr_gpu_status status,
                    char const *in_log)
{
    tsr_gpu_planned_gemm *plan;
    char text[512];
    tsr_gpu_result const r = tsr_gpu_gemm_plan(&cache, d, a, b, c, NULL, &to_words, &plan);
    tsr_format_gpu_result(text, sizeof text, r);
    check(r.status == status && strstr(words, in_log) && strstr(text, in_log) && !plan && !strchr(text, '{'), in_log);
    check((r.why.status != TSR_OK) == (status == TSR_GPU_PRODUCT), "a product is forbidden for a reason");
    if (r.status != status || !strstr(words, in_log))
        printf("    %s; %s\n", text, words);
}

#include "gemm_groups.inc"

static void test_refused(tsr_gpu_device const *d)
{
    tsr_tensor const a = tensor(0, 0, TSR_F16, by_rows(64, 32, 32)), b = tensor(1, 0, TSR_F16, by_rows(64, 32, 32));
    tsr_tensor const c = tensor(2, 0, TSR_F16, by_rows(64, 64, 64));
    tsr_gpu_device const none = {0};
    refuses(d, a, tensor(1, 0, TSR_F16, by_rows(64, 40, 40)), c, TSR_GPU_PRODUCT,
            "mode 2 has 32 elements in one tensor and 40");
    refuses(d, a, b, tensor(0, 0, TSR_F16, by_rows(64, 64, 64)), TSR_GPU_PRODUCT, "lie in both");
    refuses(d, a, b, tensor(2, 0, TSR_I8, by_rows(64, 64, 64)), TSR_GPU_PRODUCT_TYPES, "");
    refuses(&none, a, b, c, TSR_GPU_NOT_THERE, "");
    refuses(d, tensor(0, 0, TSR_F16, tsr_make_layout(tsr_t(tsr_t(2, 3), 32), tsr_t(tsr_t(1, 5), 32))), b,
            tensor(2, 0, TSR_F16, tsr_make_layout(tsr_t(tsr_t(3, 2), 64), tsr_t(tsr_t(64, 999), 1))),
            TSR_GPU_PRODUCT_LOOPS, "the modes do not end at multiples of each other");
    refuses(d, tensor(0, 1, TSR_F16, a.layout), b, c, TSR_GPU_PRODUCT_LOOPS, "numbers begin anywhere");
}

/** Plans share memory that stays: two that live have other parts of it, and it outlives its cache with a plan. */
static void test_scratch(tsr_gpu_device const *d)
{
    tsr_gpu_cache own = {0};
    tsr_gpu_planned_gemm *plan[2] = {NULL, NULL};
    tsr_tensor const a = tensor(0, 0, TSR_F16, by_rows(256, 14336, 14336)),
                     b = tensor(1, 0, TSR_F16, by_rows(1024, 14336, 14336));
    tsr_tensor const c = tensor(2, 0, TSR_F16, by_rows(256, 1024, 1024));
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    int const before = fake->memories;
    own.folder = "";
    for (int i = 0; i < 40; ++i) {
        tsr_gpu_planned_gemm **const p = &plan[i % 2];
        check(
            tsr_gpu_ok(tsr_gpu_gemm_free(p)) && tsr_gpu_ok(tsr_gpu_gemm_plan(&own, d, a, b, c, &plain, &to_words, p)),
            "a plan in parts of K");
        gpu_scratch const *const x = &plan[0]->sums, *const y = plan[1] ? &plan[1]->sums : x;
        check(x == y || x->address + x->bytes <= y->address || y->address + y->bytes <= x->address,
              "scratch memory is apart");
    }
    check(fake->memories <= before + 2, "which are parts of few slabs");
    check(tsr_gpu_ok(tsr_gpu_gemm_free(&plan[0])) && tsr_gpu_ok(tsr_gpu_cache_free(&own)) && fake->memories > before
              && tsr_gpu_ok(tsr_gpu_gemm_free(&plan[1])) && fake->memories == before,
          "the last plan frees them");
}

/** Whatever fails on the way is named, and the memory for parts of K is given back. */
static void test_failing(tsr_gpu_device const *d)
{
    static char const *const calls[] = {"cuMemAlloc_v2", "cuMemsetD8Async", "cuFuncSetAttribute", "cuModuleLoadData",
                                        "nvrtcCompileProgram"};
    tsr_tensor const a = tensor(0, 0, TSR_F16, by_rows(256, 14336, 14336)),
                     b = tensor(1, 0, TSR_F16, by_rows(1024, 14336, 14336));
    tsr_tensor const c = tensor(2, 0, TSR_F16, by_rows(256, 1024, 1024));
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    int const before = fake->memories; /* what the other cache keeps */
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        tsr_gpu_cache empty = {0};
        tsr_gpu_planned_gemm *plan;
        fake->failing = calls[i];
        fake->code = 1;
        tsr_gpu_result const r = tsr_gpu_gemm_plan(&empty, d, a, b, c, &plain, &to_words, &plan);
        fake->failing = NULL;
        check(!tsr_gpu_ok(r) && !plan, calls[i]);
        check(tsr_gpu_ok(tsr_gpu_cache_free(&empty)) && fake->memories == before, calls[i]);
    }
    tsr_gpu_cache empty = {0};
    tsr_gpu_planned_gemm *pairs;
    tsr_tensor const x = tensor(0, 0, TSR_F16, by_rows(8192, 8192, 8192)), y = tensor(1, 0, TSR_F16, x.layout),
                     z = tensor(2, 0, TSR_F16, x.layout);
    fake->failing = "cuOccupancyMaxActiveClusters";
    check(!tsr_gpu_ok(tsr_gpu_gemm_plan(&empty, d, x, y, z, &plain, &to_words, &pairs)) && !pairs, fake->failing);
    tsr_gpu_cache_free(&empty);
    fake->failing = "cuTensorMapEncodeTiled";
    refuses(d, a, b, c, TSR_GPU_PRODUCT, "1");
    fake->failing = NULL;
}

/** A plan runs at other addresses: maps, loops and copies move with their operands, and what did not move stays. */
static void test_moved(tsr_gpu_device const *d)
{
    static struct {
        int64_t m, pitch;
        tsr_dtype type;
    } const cases[] = {{512, 512, TSR_F16}, {16, 512, TSR_F16}, {512, 512, TSR_F32}, {100, 511, TSR_F64}};
    enum { FAR = 1 << 20 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        tsr_dtype const type = cases[i].type;
        tsr_tensor const a = tensor(0, 0, type, by_rows(cases[i].m, 512, cases[i].pitch)),
                         b = tensor(1, 0, type, by_rows(512, 512, cases[i].pitch)),
                         c = tensor(2, 0, type, by_rows(cases[i].m, 512, 512));
        uint64_t const at[3] = {a.engine.address, b.engine.address, c.engine.address};
        tsr_gpu_planned_gemm *plan;
        check(tsr_gpu_ok(tsr_gpu_gemm_plan(&cache, d, a, b, c, NULL, &to_words, &plan)), "a plan that moves");
        for (int k = 0; k < 3; ++k) {
            uint64_t to[3] = {at[0], at[1], at[2]};
            int const before = fake->launches;
            to[k] += FAR;
            check(tsr_gpu_ok(tsr_gpu_gemm_run_at(plan, to[0], to[1], to[2], 0, NULL)) && fake->launches == before + 1,
                  "a product at other addresses");
            to[k] += 128;
            check(tsr_gpu_gemm_run_at(plan, to[0], to[1], to[2], 0, NULL).status == TSR_GPU_MOVED, "a bad distance");
        }
        check(tsr_gpu_ok(tsr_gpu_gemm_run_at(plan, at[0], 0, 0, 0, NULL)), "0: it stays");
        if (tsr_gpu_gemm_by_tma(plan)) {
            fake->failing = "cuTensorMapReplaceAddress";
            fake->code = 1;
            check(tsr_gpu_gemm_run_at(plan, at[0] + FAR, 0, 0, 0, NULL).status == TSR_GPU_CALL, fake->failing);
            fake->failing = NULL;
        }
        check(tsr_gpu_ok(tsr_gpu_gemm_free(&plan)), "and is given back");
    }
    check(tsr_gpu_gemm_run_at(NULL, 0, 0, 0, 0, NULL).status == TSR_GPU_NOT_THERE, "no plan");
}

/** A plan runs with other numbers of the same kernel: where there was a factor there is one, else there is none. */
static void test_numbers(tsr_gpu_device const *d)
{
    static struct {
        tsr_dtype in, out;
        double alpha, beta; /* of the plan */
        bool takes[5];      /* (1, 0), (2, 0), (1, 3), (2, 3), (2.5, 0.5) */
    } const cases[] = {{TSR_F16, TSR_F16, 1, 0, {true, false, false, false, false}},
                       {TSR_F16, TSR_F16, 4, 0, {true, true, false, false, false}},
                       {TSR_F16, TSR_F32, 1, 4, {false, false, true, false, false}},
                       {TSR_F16, TSR_F32, 0.5, 4, {false, false, true, true, true}},
                       {TSR_F64, TSR_F64, 0.5, 4, {false, false, true, true, true}},
                       {TSR_I8, TSR_I32, 5, 4, {false, false, true, true, false}}};
    static double const numbers[5][2] = {{1, 0}, {2, 0}, {1, 3}, {2, 3}, {2.5, 0.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        tsr_layout const square = by_rows(512, 512, 512);
        tsr_epilogue const e = tsr_make_epilogue(cases[i].alpha, cases[i].beta);
        tsr_tensor const a = tensor(0, 0, cases[i].in, square), b = tensor(1, 0, cases[i].in, square),
                         c = tensor(2, 0, cases[i].out, square);
        tsr_gpu_planned_gemm *plan;
        check(tsr_gpu_ok(tsr_gpu_gemm_plan(&cache, d, a, b, c, &e, &to_words, &plan)), "a plan with numbers");
        for (int k = 0; k < 5; ++k) {
            uint64_t const at = k % 2 ? a.engine.address + 4096 : 0;
            int const before = fake->launches;
            tsr_gpu_result const r = tsr_gpu_gemm_run_with(plan, numbers[k][0], numbers[k][1], at, 0, 0, 0, NULL);
            check(cases[i].takes[k] ? tsr_gpu_ok(r) && fake->launches == before + 1 : r.status == TSR_GPU_NUMBERS,
                  "with other numbers");
        }
        check(tsr_gpu_ok(tsr_gpu_gemm_free(&plan)), "and is given back");
    }
    check(tsr_gpu_gemm_run_with(NULL, 1, 0, 0, 0, 0, 0, NULL).status == TSR_GPU_NOT_THERE, "no plan");
}

#include "gemm_compiled.inc"
#include "gemm_einsum.inc"

int main(int argc, char **argv)
{
    tsr_gpu gpu = {0};
    tsr_gpu_device d = {0};
    void *library = NULL;
    if (argc != 4 || !load_fake(argv[1], &library))
        return 2;
    find_fake(&gpu, argv[1]);
    check(tsr_gpu_ok(tsr_gpu_open(&gpu, 0, &d)), "a device");
    gpu.cuFuncGetParamInfo = NULL; /* the fake's kernels have other parameters */
    fake->attribute = 1;           /* and those of products no shared memory of their own */
    d.processors = 132;
    test_tiles(&d);
    test_every_tile();
    test_kept(&d);
    test_small(&d);
    test_halves(&d);
    test_views(&d);
    test_ways(&d);
    test_not_run(&d);
    test_groups(&d);
    test_beside(&d);
    test_refused(&d);
    test_scratch(&d);
    test_failing(&d);
    test_moved(&d);
    test_numbers(&d);
    test_compiled(&d);
    test_einsum(&d);
    test_einsum_of_elements(&d);
    test_einsum_ways(&d);
    tsr_gpu_cache_free(&cache);
    check(tsr_gpu_ok(tsr_gpu_close(&d)) && fake->memories == 0 && fake->modules == 0 && fake->current == 0,
          "nothing stays behind");
    return unload_fake(&gpu, library);
}
