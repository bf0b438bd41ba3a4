/* Products beside OpenBLAS and BLIS (loaded where CMake found them), and the most multiply-adds that the processor
 * makes, measured in the same turns. Every product is checked before it is timed. One thread, unless OMP_NUM_THREADS
 * says more.
 *
 *      bench_gemm [f32|f64|low|small|squares|narrow|vectors|contract] [turns] [contractions, a file of lines C-A-B]
 *                 [MB of the largest tensor]
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "products.h"

enum { TURNS = 41, BYTES_OF_LARGEST = 200 << 20 };

static int turns = TURNS;

/** A line: our rate, its part of the peak, and how much faster we are than each peer: medians of the ratios of a
 * turn. */
static void measure(gemm_case *c, double log_sum[PEERS], double worst[PEERS])
{
    double rate[101], part[101], ratio[PEERS][101];
    double const flops = 2.0 * (double)c->m * (double)c->n * (double)c->k;
    bool const peers = c->type == TSR_F32 || c->type == TSR_F64;
    int const times = flops < 4e7 ? (int)(4e7 / flops) + 1 : 1;
    for (int t = -1; t < turns; ++t) {
        double const most = peak() / (c->type == TSR_F64 ? 2 : 1);
        double ns[PEERS + 1] = {0};
        for (int who = 0; who <= PEERS; ++who) {
            int const x = (who + t + 1) % (PEERS + 1);
            if (x > 0 && (!peers || !peer[x - 1].handle))
                continue;
            double const start = bench_now();
            for (int i = 0; i < times; ++i) {
                if (x == 0)
                    run_case(c);
                else
                    run_peer(c, x - 1);
            }
            ns[x] = (bench_now() - start) / times;
        }
        if (t < 0)
            continue;
        rate[t] = flops / ns[0];
        part[t] = most > 0 ? rate[t] / most : 0;
        for (int i = 0; i < PEERS; ++i)
            ratio[i][t] = ns[i + 1] / ns[0];
    }
    printf("%-30s %5lld %5lld %5lld %8.1f %6.2f", c->name, (long long)c->m, (long long)c->n, (long long)c->k,
           bench_middle(rate, turns), bench_middle(part, turns));
    for (int i = 0; i < PEERS; ++i) {
        double const r = bench_middle(ratio[i], turns);
        printf(" %8.2f", r);
        if (r > 0) {
            log_sum[i] += __builtin_log(r);
            worst[i] = r < worst[i] ? r : worst[i];
        }
    }
    printf("\n");
    fflush(stdout);
}

/* clang-format off */
/** X(M, N, K, row-major A, row-major B): squares, then layers of transformers. */
#define SHAPES(X)                                                                                              \
  X(256, 256, 256, 0, 0)                                                                                       \
  X(384, 384, 384, 0, 0) X(512, 512, 512, 0, 1) X(768, 768, 768, 0, 0) X(1024, 1024, 1024, 1, 0)               \
      X(1536, 1536, 1536, 0, 0) X(2048, 2048, 2048, 0, 0) X(3000, 3000, 3000, 1, 1) X(4096, 4096, 4096, 0, 0)  \
          X(768, 512, 768, 1, 1) X(2304, 512, 768, 1, 1) X(3072, 512, 768, 1, 1) X(768, 512, 3072, 1, 1)       \
              X(4096, 128, 4096, 1, 1) X(11008, 128, 4096, 1, 1) X(4096, 16, 4096, 1, 1) X(512, 512, 64, 1, 1) \
                  X(64, 512, 512, 0, 1)
/* clang-format on */

static void print_sums(char const *name, int count, double const *log_sum, double const *worst)
{
    for (int i = 0; i < PEERS; ++i)
        if (log_sum[i] != 0)
            printf("%s beside %s: geometric mean %.3f, worst %.3f\n", name, peer[i].name,
                   __builtin_exp(log_sum[i] / count), worst[i]);
}

static void measure_type(char const *name, tsr_dtype type, tsr_dtype sum)
{
    double log_sum[PEERS] = {0}, worst[PEERS] = {9, 9};
    int count = 0;
#define X(m, n, k, ta, tb)                                     \
  {                                                            \
    gemm_case c = make_case(name, type, sum, m, n, k, ta, tb); \
    measure(&c, log_sum, worst);                               \
    free_case(&c);                                             \
    ++count;                                                   \
  }
    SHAPES(X)
#undef X
    print_sums(name, count, log_sum, worst);
}

/* Squares from small ones on, B contiguous along K or along N. */

static void measure_squares(char const *name, tsr_dtype type, bool tb)
{
    static int64_t const size[] = {8, 16, 24, 32, 48, 64, 96, 128, 192, 256};
    double log_sum[PEERS] = {0}, worst[PEERS] = {9, 9};
    for (size_t i = 0; i < sizeof size / sizeof *size; ++i) {
        gemm_case c = make_case(name, type, type, size[i], size[i], size[i], false, tb);
        measure(&c, log_sum, worst);
        free_case(&c);
    }
}

/* A matrix that no cache keeps, by a few columns and by a few rows, in all orders. */

static void measure_narrow(char const *name, tsr_dtype type)
{
    enum { SIDE = 4096 };
    static int64_t const few[] = {1, 2, 4, 8, 16, 32, 64, 128};
    double log_sum[PEERS] = {0}, worst[PEERS] = {9, 9};
    int count = 0;
    for (size_t i = 0; i < sizeof few / sizeof *few; ++i)
        for (int orders = 0; orders < 8; ++orders, ++count) {
            bool const rows = orders >= 4;
            gemm_case c = make_case(rows ? "few rows" : "few columns", type, type, rows ? few[i] : SIDE,
                                    rows ? SIDE : few[i], SIDE, (orders & 1) != 0, (orders & 2) != 0);
            measure(&c, log_sum, worst);
            free_case(&c);
        }
    print_sums(name, count, log_sum, worst);
}

/* A matrix by a vector, its lines across K or along, beside the peers' own function for that and beside reading it. */

#if defined(__GNUC__)
typedef float line __attribute__((vector_size(64)));

/** Reads whole lines, in eight sums. */
WIDE BENCH_NOINLINE static float read_all(void const *p, int64_t bytes)
{
    line const *const x = (line const *)p;
    line s[8] = {{0}};
    for (int64_t i = 0; i + 8 <= bytes / 64; i += 8)
        for (int u = 0; u < 8; ++u)
            s[u] += x[i + u];
    for (int u = 1; u < 8; ++u)
        s[0] += s[u];
    return s[0][0];
}
#endif

static void measure_vectors(char const *name, tsr_dtype type)
{
    static int64_t const size[] = {64, 256, 512, 1024, 2048, 4096, 8192};
    double log_sum[PEERS] = {0}, worst[PEERS] = {9, 9}, ns[101] = {0};
    int count = 0;
    for (size_t i = 0; i < sizeof size / sizeof *size; ++i)
        for (int along = 0; along < 2; ++along, ++count) {
            gemm_case c = make_case(name, type, type, size[i], 1, size[i], along != 0, false);
            int64_t const bytes = size[i] * size[i] * tsr_dtype_bits(type) / 8, times = 4000000 / bytes + 1;
            c.by_vector = true;
            measure(&c, log_sum, worst);
#if defined(__GNUC__)
            for (int t = 0; t < turns; ++t) {
                double const start = bench_now();
                for (int64_t x = 0; x < times; ++x)
                    bench_sink += (int64_t)read_all(c.a, bytes);
                ns[t] = (bench_now() - start) / (double)times;
            }
            printf("    %s K; read alone: %.1f GB/s\n", along ? "along" : "across",
                   (double)bytes / bench_middle(ns, turns));
#endif
            free_case(&c);
        }
    print_sums(name, count, log_sum, worst);
}

/* Low precision beside our own f32, of the same extents. */

static void measure_low(char const *name, tsr_dtype type, tsr_dtype sum, int64_t n)
{
    gemm_case ours = make_case(name, type, sum, n, n, n, true, true),
              f32 = make_case("f32", TSR_F32, TSR_F32, n, n, n, true, true);
    double ratio[101], rate[101];
    for (int t = -1; t < turns; ++t) {
        double const start = bench_now();
        run_case(&f32);
        double const middle = bench_now();
        run_case(&ours);
        double const end = bench_now();
        ratio[t < 0 ? 0 : t] = (middle - start) / (end - middle);
        rate[t < 0 ? 0 : t] = 2.0 * (double)n * (double)n * (double)n / (end - middle);
    }
    printf("%-30s %5lld %5lld %5lld %8.1f   %.2f times as fast as f32\n", name, (long long)n, (long long)n,
           (long long)n, bench_middle(rate, turns), bench_middle(ratio, turns));
    free_case(&ours);
    free_case(&f32);
}

/* Small products beside loops whose extents the compiler knows, four columns at a time. */

#define BY_HAND(n)                                                                                                 \
  WIDE BENCH_NOINLINE static void by_hand_##n(float const *restrict a, float const *restrict b, float *restrict c) \
  {                                                                                                                \
    for (int j = 0; j < (n); j += 4) {                                                                             \
      float s[4][n] = {{0}};                                                                                       \
      for (int k = 0; k < (n); ++k)                                                                                \
        for (int x = 0; x < 4; ++x)                                                                                \
          for (int i = 0; i < (n); ++i)                                                                            \
            s[x][i] += a[i + k * (n)] * b[j + x + k * (n)];                                                        \
      for (int x = 0; x < 4; ++x)                                                                                  \
        for (int i = 0; i < (n); ++i)                                                                              \
          c[i + (j + x) * (n)] += s[x][i];                                                                         \
    }                                                                                                              \
  }
BY_HAND(8)
BY_HAND(16)
BY_HAND(24)
BY_HAND(32)
BY_HAND(48)
BY_HAND(64)

static void measure_small(int64_t n, void (*by_hand)(float const *, float const *, float *))
{
    gemm_case c = make_case("small", TSR_F32, TSR_F32, n, n, n, false, false);
    int const times = (int)(2000000 / (n * n * n)) + 1;
    double ratio[101], ours[101], once[101];
    for (int t = -1; t < turns; ++t) {
        double const start = bench_now();
        for (int i = 0; i < times; ++i)
            by_hand((float const *)c.a, (float const *)c.b, (float *)c.c);
        double const middle = bench_now();
        for (int i = 0; i < times; ++i)
            run_case(&c);
        double const end = bench_now();
        for (int i = 0; i < times / 8 + 1; ++i) {
            tsr_planned_gemm const p =
                tsr_gemm_plan(c.plan.of.product.a, c.plan.of.product.b, c.plan.of.product.c, NULL);
            bench_done(tsr_gemm_run(&p, c.work, c.bytes));
        }
        int const x = t < 0 ? 0 : t;
        once[x] = (bench_now() - end) / (times / 8 + 1);
        ratio[x] = (middle - start) / (end - middle);
        ours[x] = (end - middle) / times;
    }
    printf(
        "f32, one small product         %5lld %5lld %5lld %8.0f ns, with its plan %.0f; loops by hand take %.2f of "
        "it\n",
        (long long)n, (long long)n, (long long)n, bench_middle(ours, turns), bench_middle(once, turns),
        bench_middle(ratio, turns));
    free_case(&c);
}

int main(int argc, char **argv)
{
    char const *const what = argc > 1 ? argv[1] : "f32";
    turns = argc > 2 ? atoi(argv[2]) : TURNS;
    turns = turns < 1 ? 1 : turns > 101 ? 101 : turns;
    char const *const t = getenv("OMP_NUM_THREADS");
    bench_one_thread = !t || atoi(t) == 1;
    bench_print_machine();
    load_peers(t ? atoi(t) : 1);
    printf("%-30s %5s %5s %5s %8s %6s %8s %8s\n", "", "M", "N", "K", "GFLOP/s", "peak", "OpenBLAS", "BLIS");
    if (strcmp(what, "f32") == 0)
        measure_type("f32", TSR_F32, TSR_F32);
    if (strcmp(what, "f64") == 0)
        measure_type("f64", TSR_F64, TSR_F64);
    for (int along_k = 1; strcmp(what, "squares") == 0 && along_k >= 0; --along_k) {
        measure_squares(along_k ? "f32" : "f32, B along N", TSR_F32, along_k);
        measure_squares(along_k ? "f64" : "f64, B along N", TSR_F64, along_k);
    }
    for (int64_t n = 512; strcmp(what, "low") == 0 && n <= 2048; n *= 2) {
        measure_low("bf16 to f32", TSR_BF16, TSR_F32, n);
        measure_low("bf16 to bf16", TSR_BF16, TSR_BF16, n);
        measure_low("f16 to f32", TSR_F16, TSR_F32, n);
        measure_low("i8 to i32", TSR_I8, TSR_I32, n);
        measure_low("u8 to i32", TSR_U8, TSR_I32, n);
        measure_low("c64", TSR_C64, TSR_C64, n);
    }
    if (strcmp(what, "narrow") == 0) {
        measure_narrow("f32", TSR_F32);
        measure_narrow("f64", TSR_F64);
    }
    if (strcmp(what, "vectors") == 0) {
        measure_vectors("f32", TSR_F32);
        measure_vectors("f64", TSR_F64);
    }
    if (strcmp(what, "small") == 0) {
        measure_small(8, by_hand_8);
        measure_small(16, by_hand_16);
        measure_small(24, by_hand_24);
        measure_small(32, by_hand_32);
        measure_small(48, by_hand_48);
        measure_small(64, by_hand_64);
    }
    if (argc > 3)
        measure_contractions(argv[3], argc > 4 ? atoll(argv[4]) << 20 : BYTES_OF_LARGEST, turns);
    return 0;
}
