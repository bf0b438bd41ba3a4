/** The true NVRTC, without a GPU: what kernels are compiled from says of random layouts what the host says.
 *
 *  usage: gpu_nvrtc FOLDER [SEED [KERNEL.cuh...]]. Exits with 77, which means skipped, where there is no NVRTC. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "any_layout.h"
#include "gpu/combine.h"
#include "gpu/copy_plan.h"
#include "gpu/text.h"
#include "tessera/atom/hopper_tile.h"
#include "tessera/gpu.h"
#include "tessera/text.h"

enum { LAYOUTS = 24, TEXT = 1 << 20, MOST = 40 };

static int passed, failed;
static char words[65536];
static tsr_gpu_log const to_words = {words, sizeof words};
static char const *const kernels[] = {"offsets<l0>", "offsets<l1>", "plain"};

static void check(bool truth, char const *what)
{
    passed += truth;
    failed += !truth;
    if (!truth)
        printf("FAILED %s\n%.2000s\n", what, words);
}

static double milliseconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/** Kernels on two layouts by name, and all offsets of all layouts as assertions; `wrong` is added to the last one. */
static void write_source(char *text, tsr_gpu_constant const *constants, int64_t wrong)
{
    size_t n = (size_t)snprintf(text, TEXT,
                                "template <tsr_layout const &L> __global__ void offsets(int64_t *out) {\n"
                                "    if (threadIdx.x < tsr_size(L)) out[threadIdx.x] = tsr_at(L, threadIdx.x);\n"
                                "}\n"
                                "extern \"C\" __global__ void plain(int64_t *out) { out[0] = tsr_cosize(l2); }\n");
    for (int k = 0; k < LAYOUTS; ++k) {
        tsr_layout const l = constants[k].layout;
        n += (size_t)snprintf(text + n, TEXT - n, "static_assert(tsr_size(%s) == %lld", constants[k].name,
                              (long long)tsr_size(l));
        for (int64_t i = 0; i < tsr_size(l) && i < MOST; ++i)
            n += (size_t)snprintf(text + n, TEXT - n, "\n&& tsr_at(%s, %lld) == %lld", constants[k].name,
                                  (long long)i, (long long)(tsr_at(l, i) + (k == LAYOUTS - 1 ? wrong : 0)));
        n += (size_t)snprintf(text + n, TEXT - n, ", \"offsets\");\n");
    }
}

static void test_layouts(tsr_gpu const *gpu, char const *folder)
{
    static char text[TEXT];
    tsr_gpu_constant constants[LAYOUTS];
    char names[LAYOUTS][8];
    tsr_gpu_binary fresh, second;
    tsr_gpu_source const source = {
        .text = text, .constants = constants, .constant_count = LAYOUTS, .kernels = kernels, .kernel_count = 3};
    for (int k = 0; k < LAYOUTS; ++k) {
        snprintf(names[k], sizeof names[k], "l%d", k);
        constants[k].name = names[k];
        constants[k].layout = any_layout();
    }
    write_source(text, constants, 0);
    check(tsr_gpu_ok(tsr_gpu_compile(gpu, "sm_90", &source, &to_words, &fresh)), "a source with layouts");
    if (!fresh.cubin)
        return;
    check(words[0] == 0, "no warnings");
    check(memcmp(fresh.cubin, "\177ELF", 4) == 0, "a cubin");
    check(strncmp(tsr_gpu_binary_name(&fresh, 0), "_Z7offsets", 10) == 0
              && strcmp(tsr_gpu_binary_name(&fresh, 0), tsr_gpu_binary_name(&fresh, 1)) != 0
              && strcmp(tsr_gpu_binary_name(&fresh, 2), "plain") == 0,
          "lowered names");
    /* The cache gives what the compiler gave. */
    for (int turn = 0; turn < 2; ++turn) {
        tsr_gpu_cache cache = {.folder = folder};
        tsr_gpu_binary const *kept = NULL;
        check(tsr_gpu_ok(tsr_gpu_cache_compile(&cache, gpu, "sm_90", &source, &to_words, &kept)),
              "through the cache");
        check(turn == 0 || (cache.loads == 1 && cache.misses == 0), "from the folder");
        check(kept && kept->bytes == fresh.bytes && memcmp(kept->cubin, fresh.cubin, fresh.bytes) == 0
                  && kept->names_bytes == fresh.names_bytes
                  && memcmp(kept->names, fresh.names, fresh.names_bytes) == 0,
              "the same bytes");
        tsr_gpu_cache_free(&cache);
    }
    tsr_gpu_binary_free(&fresh);
    write_source(text, constants, 1);
    check(tsr_gpu_compile(gpu, "sm_90", &source, &to_words, &second).status == TSR_GPU_COMPILE
              && strstr(words, "static assertion failed"),
          "a wrong offset is found");
}

/** What a small kernel costs: compiled, from the folder, from memory. */
static void show_times(tsr_gpu const *gpu, char const *folder)
{
    tsr_gpu_source const source = {.text = "extern \"C\" __global__ void k(int *p) { *p = 1; }"};
    tsr_gpu_cache none = {0}, cache = {.folder = folder};
    tsr_gpu_binary const *binary = NULL;
    double const start = milliseconds();
    tsr_gpu_cache_compile(&none, gpu, "sm_90", &source, NULL, &binary);
    double const compiled = milliseconds();
    tsr_gpu_cache_compile(&cache, gpu, "sm_90", &source, NULL, &binary);
    tsr_gpu_cache_free(&cache);
    cache.folder = folder;
    double const between = milliseconds();
    tsr_gpu_cache_compile(&cache, gpu, "sm_90", &source, NULL, &binary);
    double const read = milliseconds();
    tsr_gpu_cache_compile(&cache, gpu, "sm_90", &source, NULL, &binary);
    double const found = milliseconds() - read;
    printf("a small kernel: compiled in %.0f ms, from the folder in %.2f ms, from memory in %.4f ms\n",
           compiled - start, read - between, found);
    tsr_gpu_cache_free(&none);
    tsr_gpu_cache_free(&cache);
}

/** Each header in its own name, all of them twice, and without -default-device and with it. */
static void test_headers(tsr_gpu const *gpu)
{
    char const *const options[] = {"-default-device"};
    tsr_gpu_source source = {.text = "#include \"tessera.h\"\n#include <tessera/tile.h>\n#include <tessera/atoms.h>\n"
                                     "#include \"tessera/exec/tma.h\"\n#include <tessera/cuda.cuh>\n"
                                     "extern \"C\" __global__ void k(int *out, tsr_tma_desc d) { *out = d.rank; }\n"};
    tsr_gpu_binary binary;
    for (int i = 0; i < 2; ++i) {
        source.options = options;
        source.option_count = i;
        check(tsr_gpu_ok(tsr_gpu_compile(gpu, "sm_90a", &source, &to_words, &binary)), "all headers");
        tsr_gpu_binary_free(&binary);
    }
}

/** The verbs of kernels on a layout that is known at run time only. */
static void test_verbs(tsr_gpu const *gpu)
{
    tsr_gpu_constant const part = {"tile", tsr_make_layout(tsr_t(tsr_s(32), tsr_s(4)), tsr_t(tsr_s(4), tsr_s(1)))};
    char const *const kernel[] = {"sums<tile>"};
    tsr_gpu_source const source = {.text = "#include <tessera/cuda.cuh>\n"
                                           "template <tsr_layout const &L> __global__ void sums(float *x)\n"
                                           "{\n"
                                           "    __shared__ float memory[tsr_cosize(L)];\n"
                                           "    float mine[tsr_values<L>];\n"
                                           "    memory[threadIdx.x] = x[threadIdx.x];\n"
                                           "    __syncthreads();\n"
                                           "    tsr_copy<16>(tsr_part<L>(memory, threadIdx.x), mine);\n"
                                           "    x[threadIdx.x] = mine[0] + mine[3];\n"
                                           "}\n",
                                   .constants = &part,
                                   .constant_count = 1,
                                   .kernels = kernel,
                                   .kernel_count = 1};
    tsr_gpu_binary binary;
    check(tsr_gpu_ok(tsr_gpu_compile(gpu, "sm_90a", &source, &to_words, &binary)), "a kernel with verbs");
    tsr_gpu_binary_free(&binary);
}

/** The kernels of copies: of tiles, of items in order, that convert, scale, and go element by element. But for the
 *  last no
 *  thread has a stack. */
static void test_copies(tsr_gpu const *gpu)
{
    static struct {
        char const *from, *to;
        tsr_dtype from_type, to_type;
        bool scaled;
    } const rows[] = {
        {"(64,64):(64,1)", "(64,64):(1,64)", TSR_F32, TSR_F32, false},
        {"(64,60):(61,1)", "(64,60):(1,64)", TSR_F16, TSR_F16, false},
        {"(8,8,8,8,8,8):(32768,4096,512,64,8,1)", "(8,8,8,8,8,8):(1,8,64,512,4096,32768)", TSR_U8, TSR_U8, false},
        {"(7,6,5):(-1,0,42)", "Sw<2,3,3> o _0 o (7,6,5):(1,7,42)", TSR_F64, TSR_F64, false},
        {"(100,50):(1,128)", "(100,50):(1,128)", TSR_F32, TSR_BF16, false},
        {"(100,50):(50,1)", "(100,50):(1,128)", TSR_F16, TSR_F8_E4M3FN, false},
        {"(100,50):(1,128)", "(100,50):(1,128)", TSR_F64, TSR_I8, false},
        {"(100,50):(1,128)", "(100,50):(1,128)", TSR_F32, TSR_F32, true},
        {"(6,6):(6,1)", "(4,9):(9,1)", TSR_F16, TSR_F32, true},
        {"(100,64):(1,128)", "(100,64):(1,128)", TSR_BF16, TSR_BF16, true},
        {"(128,64):(64,1)", "(128,64):(1,128)", TSR_F16, TSR_F16, true},
        {"(100,64):(1,128)", "(100,64):(1,128)", TSR_F32, TSR_F8_E5M2, true},
        {"(640,600):(1,641)", "(640,600):(601,1)", TSR_F32, TSR_F32, false},
        {"(20,30,50):(1,21,630)", "(20,30,50):(1500,50,1)", TSR_F32, TSR_F32, false},
        {"(640,600):(1,641)", "(640,600):(601,1)", TSR_BF16, TSR_BF16, true},
        {"(27,29,28,31):(1,27,783,21924)", "(27,29,28,31):(25172,868,31,1)", TSR_F32, TSR_F16, true},
        {"(3,4096):(1,3)", "(3,4096):(4096,1)", TSR_U8, TSR_U8, false},
        {"(4096,3):(1,4096)", "(4096,3):(3,1)", TSR_U8, TSR_U8, false},
        {"(3,100,100):(1,3,300)", "(3,100,100):(1,300,3)", TSR_F32, TSR_F32, false},
    };
    tsr_number const alpha = tsr_number_real(2), beta = tsr_number_real(3);
    char const *const kernel[] = {"relayout"}, *const options[] = {"-fmad=false", "--ptxas-options=-v"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char text[4096];
        tsr_gpu_planned_copy *plan;
        tsr_gpu_source const source = {
            .text = text, .kernels = kernel, .kernel_count = 1, .options = options, .option_count = 2};
        tsr_gpu_binary binary;
        tsr_tensor const s =
            tsr_make_tensor_of(tsr_gmem_ptr(tsr_int(1 << 20), rows[i].from_type), tsr_parse(rows[i].from));
        tsr_tensor const d =
            tsr_make_tensor_of(tsr_gmem_ptr(tsr_int(1 << 24), rows[i].to_type), tsr_parse(rows[i].to));
        tsr_gpu_result const r =
            tsr_gpu_copy_plan(NULL, NULL, rows[i].scaled ? &alpha : NULL, s, &beta, d, &to_words, &plan);
        check(tsr_gpu_ok(r), rows[i].from);
        if (!plan)
            continue;
        tsr_gpu_format_relayout_(text, sizeof text, plan->form);
        check(tsr_gpu_ok(tsr_gpu_compile(gpu, "sm_90a", &source, &to_words, &binary)), text);
        check(plan->form.kind == TSR_RELAYOUT_ELEMENTS || strstr(words, " 0 bytes stack frame, 0 bytes spill stores"),
              text);
        check(!strstr(words, "warning"), text);
        tsr_gpu_binary_free(&binary);
        tsr_gpu_copy_free(&plan);
    }
}

/** The kernels of combinations: in order, in tiles, of all kinds of numbers. Those of whole elements have no stack. */
static void test_combinations(tsr_gpu const *gpu)
{
    static struct {
        char const *x, *y, *z;
        tsr_dtype type[3];
        tsr_combiner op;
    } const rows[] = {
        {"65536:1", "65536:1", "65536:1", {TSR_F32, TSR_F32, TSR_F32}, TSR_COMBINE_SUM},
        {"65536:1", "65536:1", "65536:1", {TSR_BF16, TSR_BF16, TSR_BF16}, TSR_COMBINE_PRODUCT},
        {"65536:1", "65536:1", "65536:1", {TSR_I8, TSR_I8, TSR_I8}, TSR_COMBINE_PRODUCT},
        {"(64,100):(1,64)", "(64,100):(0,1)", "(64,100):(1,64)", {TSR_F64, TSR_F32, TSR_F64}, TSR_COMBINE_SUM},
        {"(100,64):(64,1)", "(100,64):(1,100)", "(100,64):(1,100)", {TSR_F32, TSR_F32, TSR_F32}, TSR_COMBINE_SUM},
        {"(100,64):(64,1)", "(100,64):(0,1)", "(100,64):(1,100)", {TSR_F16, TSR_F32, TSR_F32}, TSR_COMBINE_PRODUCT},
        {"(128,64,3):(64,1,9000)",
         "(128,64,3):(65,1,9000)",
         "(128,64,3):(1,128,8192)",
         {TSR_U8, TSR_U8, TSR_U8},
         TSR_COMBINE_SUM},
        {"(7,5,3,2,2):(-1,7,36,110,256)",
         "(7,5,3,2,2):(0,0,1,0,3)",
         "(7,5,3,2,2):(1,8,41,150,320)",
         {TSR_C64, TSR_F32, TSR_C64},
         TSR_COMBINE_PRODUCT},
        {"(100,64):(64,1)",
         "(100,64):(64,1)",
         "(100,64):(1,100)",
         {TSR_C128, TSR_C128, TSR_C128},
         TSR_COMBINE_PRODUCT},
        {"65536:1", "65536:1", "65536:1", {TSR_BF16, TSR_BF16, TSR_BF16}, TSR_COMBINE_QUOTIENT},
        {"65536:1", "65536:1", "65536:1", {TSR_F8_E4M3FN, TSR_F16, TSR_F16}, TSR_COMBINE_GREATEST},
        {"(6,6):(6,1)", "(4,9):(9,1)", "(4,9):(9,1)", {TSR_F16, TSR_I32, TSR_F32}, TSR_COMBINE_SUM},
        /* y is a number */
        {"65536:1", NULL, "65536:1", {TSR_F32, TSR_F32, TSR_F32}, TSR_COMBINE_SUM},
        {"65536:1", NULL, "65536:1", {TSR_BF16, TSR_BF16, TSR_BF16}, TSR_COMBINE_GREATEST},
        {"65536:1", NULL, "65536:1", {TSR_U8, TSR_U8, TSR_U8}, TSR_COMBINE_SUM},
        {"(100,64):(64,1)", NULL, "(100,64):(1,100)", {TSR_C64, TSR_C64, TSR_C64}, TSR_COMBINE_SUM},
        {"(6,6):(6,1)", NULL, "(4,9):(9,1)", {TSR_F16, TSR_F16, TSR_F32}, TSR_COMBINE_QUOTIENT},
    };
    char const *const kernel[] = {"combine"}, *const options[] = {"-fmad=false", "--ptxas-options=-v"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char text[4096];
        char const *const layout[3] = {rows[i].x, rows[i].y, rows[i].z};
        tsr_tensor t[3];
        tsr_gpu_planned_combine *plan;
        tsr_gpu_source const source = {
            .text = text, .kernels = kernel, .kernel_count = 1, .options = options, .option_count = 2};
        tsr_gpu_binary binary;
        for (int k = 0; k < 3; ++k)
            t[k] = tsr_make_tensor_of(tsr_gmem_ptr(tsr_int((k + 1) << 24), rows[i].type[k]),
                                      tsr_parse(layout[k] ? layout[k] : layout[0]));
        if (!layout[1])
            t[1] =
                tsr_make_tensor_of(tsr_counting_iter(tsr_int(1)), tsr_make_layout(tsr_size(t[2].layout), tsr_int(0)));
        tsr_number const one = tsr_number_int(1), minus = tsr_number_int(-1);
        check(
            tsr_gpu_ok(tsr_gpu_combine_plan(NULL, NULL, rows[i].op, one, t[0], minus, t[1], t[2], &to_words, &plan)),
            layout[0]);
        if (!plan)
            continue;
        tsr_gpu_format_combine_(text, sizeof text, plan->form);
        check(tsr_gpu_ok(tsr_gpu_compile(gpu, "sm_90a", &source, &to_words, &binary)), text);
        check(plan->form.kind == TSR_COMBINE_ELEMENTS || strstr(words, " 0 bytes stack frame, 0 bytes spill stores"),
              text);
        check(!strstr(words, "warning"), text);
        tsr_gpu_binary_free(&binary);
        tsr_gpu_combine_free(&plan);
    }
}

/** The kernels of the examples, as they stand in their folder; templates for these arguments, for sm_90a or the target
 *  that is named. */
static void test_examples(tsr_gpu const *gpu, int files, char **file)
{
    static char const *const templates[][3] = {
        {"cuda_1_", "sgemm_1<1, 0>"},
        {"cuda_2_", "sgemm_2<1, 1>"},
        {"cuda_3_", "hgemm_sm80<TSR_F32>"},
        {"cuda_6_", "tiled_copy<true>"},
        {"cuda_7_", "transpose<float>"},
        {"cuda_13_", "attention<128, true, tsr_f16>"},
        {"cuda_14_", "softmax<1024>"},
        {"cuda_16_", "attention_backward<128, true, tsr_bf16>"},
        {"cuda_19_w4a16.cuh", "w4_product<16>"},
        {"cuda_19_w4a16_few", "w4_few_product<w4_few_plan<8, 16>>"},
        {"cuda_25_", "kv_write<8>"},
        {"cuda_27_", "tsr_hopper_gemm_from<gather_product, gather_source, gather_epilogue>"},
        {"cuda_20_", "umma<256>", "sm_100a"},
        {"cuda_21_", "nvfp4<2>", "sm_103a"},
        {"cuda_23_", "mxf8f6f4", "sm_120a"}};
    static char text[TEXT];
    for (int i = 0; i < files; ++i) {
        FILE *const in = fopen(file[i], "rb");
        size_t const n = in ? fread(text, 1, TEXT - 1, in) : 0;
        char const *const name = strrchr(file[i], '/');
        char folder[4096];
        char const *const options[] = {folder}, *target = "sm_90a";
        tsr_gpu_source source = {.text = text, .options = options, .option_count = 1};
        tsr_gpu_binary binary;
        snprintf(folder, sizeof folder, "-I%.*s", name ? (int)(name - file[i]) : 1, name ? file[i] : ".");
        text[n] = 0;
        for (size_t k = 0; k < sizeof templates / sizeof templates[0]; ++k)
            if (strstr(file[i], templates[k][0])) {
                source.kernels = &templates[k][1];
                source.kernel_count = 1;
                target = templates[k][2] ? templates[k][2] : target;
            }
        check(in && fclose(in) == 0 && n > 0 && tsr_gpu_ok(tsr_gpu_compile(gpu, target, &source, &to_words, &binary)),
              file[i]);
        tsr_gpu_binary_free(&binary);
    }
}

/** Kernels of products, compiled at once: types, majors and epilogues; none has a stack, spills, or waits
 *  that ptxas put in. */
static void test_products(tsr_gpu const *gpu)
{
    static char const *const names[] = {
        "tsr_hopper_gemm<tsr_hopper_plan<TSR_F16, TSR_F16, TSR_F16, 128, 128, 48>, "
        "tsr_gemm_epilogue<TSR_F16, TSR_F16, 0> >",
        "tsr_hopper_gemm<tsr_hopper_plan<TSR_BF16, TSR_BF16, TSR_F32, 128, 192, 51>, "
        "tsr_gemm_epilogue<TSR_F32, TSR_F32, 9> >",
        "tsr_hopper_gemm<tsr_hopper_plan<TSR_F16, TSR_F16, TSR_F16, 128, 192, 32>, "
        "tsr_gemm_epilogue<TSR_F16, TSR_F16, 15> >",
        "tsr_hopper_gemm<tsr_hopper_plan<TSR_F8_E4M3FN, TSR_F8_E5M2, TSR_BF16, 64, 16, 84>, "
        "tsr_gemm_epilogue<TSR_BF16, TSR_F32, 0> >",
        "tsr_hopper_gemm<tsr_hopper_plan<TSR_I8, TSR_I8, TSR_I32, 128, 256, 40>, "
        "tsr_gemm_epilogue<TSR_I32, TSR_I32, 0> >",
        "tsr_hopper_gemm<tsr_hopper_plan<TSR_TF32, TSR_TF32, TSR_F32, 128, 128, 48>, "
        "tsr_gemm_epilogue<TSR_F32, TSR_F32, 2> >",
        "tsr_hopper_gemm<tsr_hopper_plan<TSR_F16, TSR_F16, TSR_F16, 64, 192, 368>, "
        "tsr_gemm_epilogue<TSR_F16, TSR_F16, 0> >",
        "tsr_hopper_gemm<tsr_hopper_plan<TSR_F8_E4M3FN, TSR_F8_E4M3FN, TSR_BF16, 128, 128, 160>, "
        "tsr_gemm_scaled<tsr_gemm_epilogue<TSR_BF16, TSR_BF16, 0> > >",
        "tsr_hopper_gemm<tsr_hopper_plan<TSR_F8_E4M3FN, TSR_F8_E5M2, TSR_F32, 64, 32, 152>, "
        "tsr_gemm_scaled<tsr_gemm_epilogue<TSR_F32, TSR_F32, 3> > >",
        "tsr_hopper_gemm_groups<tsr_hopper_plan<TSR_BF16, TSR_BF16, TSR_BF16, 128, 128, 48>, "
        "tsr_gemm_epilogue<TSR_BF16, TSR_F32, 4> >",
        "tsr_hopper_list_rows<tsr_hopper_plan<TSR_BF16, TSR_BF16, TSR_BF16, 128, 256, 40>, "
        "tsr_gemm_epilogue<TSR_BF16, TSR_F32, 4> >",
        "tsr_gemm_by_loops<TSR_F32, TSR_F8_E4M3FN, TSR_BF16, TSR_F32, 15, 8, 4>",
        "tsr_gemm_by_loops<TSR_I8, TSR_U8, TSR_I32, TSR_I32, 0, 4, 267>",
        "tsr_gemm_by_loops<TSR_F64, TSR_F64, TSR_F64, TSR_F64, 3, 8, 270>",
        "tsr_gemm_by_loops<TSR_F32, TSR_F64, TSR_F64, TSR_F64, 15, 8, 362>",
        "tsr_gemm_by_loops<TSR_F32, TSR_F32, TSR_F32, TSR_F32, 0, 4, 272>",
        "tsr_gemm_by_loops<TSR_F16, TSR_F32, TSR_F32, TSR_F32, 0, 8, 266>",
        "tsr_gemm_by_loops<TSR_F32, TSR_BF16, TSR_F32, TSR_F32, 15, 8, 296>",
        "tsr_gemm_by_loops<TSR_F16, TSR_F16, TSR_F16, TSR_F16, 0, 8, 458>",
        "tsr_gemm_by_loops<TSR_BF16, TSR_BF16, TSR_F32, TSR_F32, 15, 8, 363>",
        "tsr_gemm_by_loops<TSR_F16, TSR_F16, TSR_F16, TSR_F16, 0, 8, 320>",
        "tsr_gemm_by_loops<TSR_F16, TSR_F16, TSR_BF16, TSR_F32, 15, 4, 367>",
        "tsr_gemm_by_loops<TSR_BF16, TSR_BF16, TSR_BF16, TSR_F16, 7, 4, 336>",
        "tsr_gemm_by_loops<TSR_F16, TSR_F16, TSR_F16, TSR_F16, 0, 2, 330>",
        "tsr_gemm_by_loops<TSR_BF16, TSR_BF16, TSR_BF16, TSR_F16, 15, 2, 335>",
        "tsr_gemm_by_loops<TSR_F16, TSR_F16, TSR_F32, TSR_F32, 15, 2, 336>",
        "tsr_gemm_by_loops<TSR_F32, TSR_F32, TSR_F32, TSR_F32, 0, 2, 266>",
        "tsr_gemm_by_loops<TSR_F32, TSR_BF16, TSR_F32, TSR_F32, 15, 2, 273>",
        "tsr_gemm_by_loops<TSR_I8, TSR_U8, TSR_I32, TSR_I32, 15, 2, 257>",
        "tsr_gemm_by_loops<TSR_F64, TSR_F64, TSR_F64, TSR_F64, 0, 2, 458>",
        "tsr_gemm_by_loops<TSR_F64, TSR_F64, TSR_F64, TSR_F64, 15, 2, 80>",
        "tsr_gemm_by_copies<TSR_F32, TSR_F32, TSR_F32, TSR_F32, 0, 8, 896>",
        "tsr_gemm_by_copies<TSR_F32, TSR_F32, TSR_F32, TSR_F32, 15, 8, 815>",
        "tsr_gemm_by_copies<TSR_F32, TSR_F32, TSR_F32, TSR_F32, 0, 4, 804>",
        "tsr_gemm_by_copies<TSR_F32, TSR_F32, TSR_F32, TSR_F32, 0, 8, 1920>",
        "tsr_gemm_by_copies<TSR_F32, TSR_F32, TSR_F32, TSR_F32, 15, 8, 1824>",
        "tsr_gemm_by_copies<TSR_F64, TSR_F64, TSR_F64, TSR_F64, 0, 8, 1866>",
        "tsr_gemm_by_copies<TSR_F64, TSR_F64, TSR_F64, TSR_F64, 15, 8, 879>",
        "tsr_gemm_by_copies<TSR_F64, TSR_F64, TSR_F64, TSR_F64, 3, 4, 864>",
        "tsr_hopper_pixels<tsr_hopper_plan<TSR_F16, TSR_F16, TSR_F16, 128, 128, 48>, 2, tsr_gemm_epilogue<TSR_F16, "
        "TSR_F16, 0> >",
        "tsr_hopper_pixels<tsr_hopper_plan<TSR_BF16, TSR_BF16, TSR_F32, 128, 256, 32>, 3, "
        "tsr_gemm_epilogue<TSR_F32, TSR_F32, 0> >",
        "tsr_hopper_pixels<tsr_hopper_plan<TSR_F16, TSR_F16, TSR_F16, 64, 96, 82>, 1, tsr_gemm_epilogue<TSR_F16, "
        "TSR_F32, 15> >",
        "tsr_hopper_pixels<tsr_hopper_plan<TSR_TF32, TSR_TF32, TSR_F32, 64, 64, 28>, 2, tsr_gemm_epilogue<TSR_F32, "
        "TSR_F32, 6> >",
        "tsr_hopper_list_rows<tsr_hopper_plan<TSR_F8_E4M3FN, TSR_F8_E4M3FN, TSR_BF16, 128, 128, 160>, "
        "tsr_gemm_scaled<tsr_gemm_epilogue<TSR_BF16, TSR_BF16, 0> > >"};
    char const *const options[] = {"--ptxas-options=-v"};
    enum { NAMES = sizeof names / sizeof *names };
    tsr_gpu_source const source = {
        .text = "#include <gpu/kernels/hopper_groups.cuh>\n#include <gpu/kernels/gemm_any.cuh>\n"
                "#include <gpu/kernels/hopper_pixels.cuh>\n#include <gpu/kernels/gemm_async.cuh>\n",
        .kernels = names,
        .kernel_count = NAMES,
        .options = options,
        .option_count = 1};
    tsr_gpu_binary binary;
    check(tsr_gpu_ok(tsr_gpu_compile(gpu, "sm_90a", &source, &to_words, &binary)), "products");
    for (int i = 0; binary.cubin && i < NAMES; ++i) {
        char line[512];
        snprintf(line, sizeof line, "Compiling entry function '%s'", tsr_gpu_binary_name(&binary, i));
        char const *const of = strstr(words, line), *const next =
                                                        of ? strstr(of + 1, "Compiling entry function") : NULL;
        char const *const none =
            of ? strstr(of, " 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads") : NULL;
        check(none && (!next || none < next), names[i]);
    }
    check(!strstr(words, "wgmma"), "no waits");
    tsr_gpu_binary_free(&binary);
}

/** The kernels of plans for Blackwell: no such GPU runs them here. */
static void test_umma(tsr_gpu const *gpu)
{
    static char const *const targets[] = {"sm_100a", "sm_103a", "sm_110a"};
    static char const *const names[] = {
        "tsr_umma_gemm<tsr_umma_plan<TSR_BF16, TSR_BF16, 256, 32>, tsr_gemm_epilogue<TSR_BF16, TSR_BF16, 0> >",
        "tsr_umma_gemm<tsr_umma_plan<TSR_F16, TSR_F16, 128, 35>, tsr_gemm_epilogue<TSR_F32, TSR_F32, 15> >",
        "tsr_umma_gemm<tsr_umma_plan<TSR_TF32, TSR_TF32, 64, 0>, tsr_gemm_epilogue<TSR_F32, TSR_F32, 3> >",
        "tsr_umma_gemm<tsr_umma_plan<TSR_F8_E4M3FN, TSR_F8_E5M2, 32, 0>, tsr_gemm_epilogue<TSR_F16, TSR_F32, 4> >"};
    enum { NAMES = sizeof names / sizeof *names };
    char const *const options[] = {"--ptxas-options=-v"};
    tsr_gpu_source const source = {.text = "#include <tessera/cuda/umma_gemm.cuh>\n",
                                   .kernels = names,
                                   .kernel_count = NAMES,
                                   .options = options,
                                   .option_count = 1};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; ++i) {
        tsr_gpu_binary binary;
        int clean = 0;
        check(tsr_gpu_ok(tsr_gpu_compile(gpu, targets[i], &source, &to_words, &binary)), targets[i]);
        for (char const *at = words; (at = strstr(at, " 0 bytes stack frame, 0 bytes spill stores")); ++at)
            ++clean;
        check(clean == NAMES, "no kernel has a stack or spills");
        if (clean != NAMES)
            printf("%s\n", words);
        tsr_gpu_binary_free(&binary);
    }
}

/** The layouts of tiles that the host writes down are those that the compiler finds: the code and the constants of a
 *  kernel are the same, byte by byte. Those that the host writes take less time. */
static void test_parts(tsr_gpu const *gpu)
{
    static struct {
        tsr_dtype a, b, d;
        int m, n, flags;
    } const plans[] = {
        {TSR_F16, TSR_F16, TSR_F16, 128, 256, 32},  {TSR_BF16, TSR_BF16, TSR_F32, 128, 192, 51},
        {TSR_TF32, TSR_TF32, TSR_F32, 64, 64, 28},  {TSR_I8, TSR_I8, TSR_I32, 128, 256, 40},
        {TSR_F16, TSR_F16, TSR_BF16, 64, 192, 372}, {TSR_F8_E4M3FN, TSR_F8_E5M2, TSR_BF16, 128, 256, 160}};
    double took[2] = {0, 0};
    for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
        char name[256];
        bool const scaled = (plans[i].flags & TSR_HOPPER_SCALES) != 0;
        char const *const kernel = name;
        tsr_gpu_binary binary[2];
        snprintf(name, sizeof name, "tsr_hopper_gemm<tsr_hopper_plan<%d, %d, %d, %d, %d, %d>, %s<%d, 0, 0> %s>",
                 plans[i].a, plans[i].b, plans[i].d, plans[i].m, plans[i].n, plans[i].flags,
                 scaled ? "tsr_gemm_scaled<tsr_gemm_epilogue" : "tsr_gemm_epilogue", plans[i].d, scaled ? "> " : "");
        for (int k = 0; k < 2; ++k) {
            gpu_text text = {0};
            tsr_gpu_put_string_(&text, "#include <tessera/cuda/hopper_gemm.cuh>\n");
            if (k == 1)
                tsr_gpu_put_hopper_parts_(&text, plans[i].a, plans[i].b, plans[i].d, plans[i].m, plans[i].n,
                                          plans[i].flags);
            tsr_gpu_source const source = {.text = text.data, .kernels = &kernel, .kernel_count = 1};
            double const begin = milliseconds();
            check(tsr_gpu_ok(tsr_gpu_compile(gpu, "sm_90a", &source, &to_words, &binary[k])), name);
            took[k] += milliseconds() - begin;
            tsr_gpu_text_free_(&text);
        }
        check(binary[0].bytes > 0 && binary[0].bytes == binary[1].bytes
                  && memcmp(binary[0].cubin, binary[1].cubin, binary[0].bytes) == 0,
              name);
        for (int k = 0; k < 2; ++k)
            tsr_gpu_binary_free(&binary[k]);
    }
    printf("products of %d tiles: %.0f ms, with their layouts written down %.0f ms\n",
           (int)(sizeof plans / sizeof *plans), took[0], took[1]);
}

static void test_errors(tsr_gpu const *gpu)
{
    char text[512];
    char const *const missing[] = {"missing"};
    tsr_gpu_source source = {.text = "int x;\nint y = z;\n"};
    tsr_gpu_binary binary;
    tsr_gpu_result r = tsr_gpu_compile(gpu, "sm_90", &source, &to_words, &binary);
    tsr_format_gpu_result(text, sizeof text, r);
    check(r.status == TSR_GPU_COMPILE && strstr(text, "NVRTC_ERROR_COMPILATION"), text);
    check(strstr(words, "kernel.cu(2): error: identifier \"z\" is undefined") != NULL, "the line of an error");
    FILE *const stray = fopen("stray.h", "w");
    check(stray && fclose(stray) == 0, "a header in the current folder");
    source.text = "#include \"stray.h\"\n";
    r = tsr_gpu_compile(gpu, "sm_90", &source, &to_words, &binary);
    check(r.status == TSR_GPU_COMPILE && strstr(words, "stray.h"), "a header in the current folder is not found");
    remove("stray.h");
    source.text = "";
    r = tsr_gpu_compile(gpu, "sm_1", &source, &to_words, &binary);
    tsr_format_gpu_result(text, sizeof text, r);
    check(r.status == TSR_GPU_COMPILE && strstr(text, "NVRTC_ERROR_INVALID_OPTION"), text);
    source.kernels = missing;
    source.kernel_count = 1;
    r = tsr_gpu_compile(gpu, "sm_90", &source, &to_words, &binary);
    check(!tsr_gpu_ok(r) && !binary.cubin && strstr(words, "missing"), "a kernel that is not there");
}

int main(int argc, char **argv)
{
    tsr_gpu gpu = {0};
    char text[512];
    random_state = argc > 2 ? strtoull(argv[2], NULL, 10) * 2 + 1 : 1;
    tsr_gpu_result const r = tsr_gpu_find_compiler(&gpu, NULL);
    if (argc < 2)
        return 2;
    if (!tsr_gpu_ok(r)) {
        tsr_format_gpu_result(text, sizeof text, r);
        printf("skipped: %s\n", text);
        return 77;
    }
    test_layouts(&gpu, argv[1]);
    test_headers(&gpu);
    test_verbs(&gpu);
    test_copies(&gpu);
    test_combinations(&gpu);
    test_examples(&gpu, argc > 3 ? argc - 3 : 0, argv + 3);
    test_products(&gpu);
    test_umma(&gpu);
    test_parts(&gpu);
    test_errors(&gpu);
    show_times(&gpu, argv[1]);
    printf("NVRTC %d.%d: %d passed, %d failed\n", gpu.major, gpu.minor, passed, failed);
    tsr_gpu_forget(&gpu);
    return failed != 0;
}
