/* Products beside OpenBLAS and BLIS (loaded where CMake found them), and the most multiply-adds that the processor
 * makes, measured in the same turns. Every product is checked before it is timed. One thread, unless OMP_NUM_THREADS
 * says more.
 *
 *      bench_gemm [f32|f64|low|small|contract] [turns] [contractions, a file of lines C-A-B] [MB of the largest
 * tensor]
 */
#define _GNU_SOURCE
#include "tessera/exec/engine.h"
#include "tessera/exec/gemm_plan.h"
#include "tessera/ops/move.h"
#include "tessera/tessera.h"
#include "timing.h"

#include <dlfcn.h>

#ifndef BENCH_OPENBLAS
#  define BENCH_OPENBLAS ""
#endif
#ifndef BENCH_BLIS
#  define BENCH_BLIS ""
#endif

enum { COLUMN_MAJOR = 102, NO = 111, YES = 112, PEERS = 2, TURNS = 41 };

typedef void (*sgemm)(int, int, int, int, int, int, float, void const *, int, void const *, int, float, void *, int);
typedef void (*dgemm)(int, int, int, int, int, int, double, void const *, int, void const *, int, double, void *,
                      int);

static struct {
    char const *name, *path, *threads;
    void *handle;
} peer[PEERS] = {{"OpenBLAS", BENCH_OPENBLAS, "openblas_set_num_threads", NULL},
                 {"BLIS", BENCH_BLIS, "bli_thread_set_num_threads", NULL}};

static int turns = TURNS, threads = 1;

/** Whether the engine runs by vectors of 64 bytes. */
static bool is_wide(void) { return strcmp(tsr_engine_name(), "avx512") == 0 || strcmp(tsr_engine_name(), "amx") == 0; }

static void load_peers(void)
{
    /* Both take a processor that they do not know for an old one. */
    if (is_wide()) {
        (void)setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
        (void)setenv("BLIS_ARCH_TYPE", "skx", 0);
    }
    for (int i = 0; i < PEERS; ++i) {
        peer[i].handle = *peer[i].path ? dlopen(peer[i].path, RTLD_NOW | RTLD_LOCAL) : NULL;
        printf("%s: %s\n", peer[i].name, peer[i].handle ? peer[i].path : "absent");
        if (peer[i].handle) {
            union {
                void *p;
                void (*f)(int);
            } set;
            set.p = dlsym(peer[i].handle, peer[i].threads);
            if (set.p)
                set.f(threads);
        }
    }
}

/* The peak: independent multiply-adds in registers. */

#if defined(__x86_64__)
#  define WIDE __attribute__((target("avx512f")))
typedef float wide __attribute__((vector_size(64)));
WIDE static double wide_peak(int64_t times)
{
    wide a = {0}, x = {0};
#  define Z(n) , s##n = {n}
    wide s0 = {0} Z(1) Z(2) Z(3) Z(4) Z(5) Z(6) Z(7) Z(8) Z(9) Z(10) Z(11);
#  undef Z
    a += 1.0f;
    x += 1e-9f;
    for (int64_t i = 0; i < times; ++i) {
#  define F(n) __asm__ volatile("vfmadd231ps %1, %2, %0" : "+v"(s##n) : "v"(a), "v"(x));
        F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11)
    }
    s0 += s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9 + s10 + s11;
    bench_sink = (int64_t)s0[0];
    return (double)times * 12 * 32;
}
#endif

/** Multiply-adds of f32 in a nanosecond, times two. */
static double peak(void)
{
#if defined(__x86_64__)
    if (is_wide()) {
        double const start = bench_now(), work = wide_peak(200000);
        return work / (bench_now() - start);
    }
#endif
    return 0;
}

/* Cases */

typedef struct gemm_case {
    char const *name;
    int64_t m, n, k;
    bool ta, tb; /* row-major A, B */
    tsr_dtype type, sum;
    void *a, *b, *c;
    tsr_gemm_plan plan;
    void *work;
    size_t bytes;
} gemm_case;

static void *filled(int64_t n, tsr_dtype type)
{
    int64_t const size = tsr_dtype_bits(type) / 8;
    unsigned char *const p = (unsigned char *)aligned_alloc(4096, (size_t)((n * size + 4095) / 4096 * 4096));
    if (!p)
        exit(2);
    for (int64_t i = 0; i < n; ++i)
        tsr_store(type, p + i * size, 0, tsr_number_int((i * 7 + i / 13) % 5 - 2));
    return p;
}

static tsr_tensor matrix(void *p, tsr_dtype type, int64_t m, int64_t n, bool rows)
{
    return tsr_make_tensor(tsr_make_gmem_ptr(p, type), tsr_t(m, n), rows ? tsr_t(n, 1) : tsr_t(1, m));
}

static void run_peer(gemm_case const *c, int which)
{
    union {
        void *p;
        sgemm s;
        dgemm d;
    } f;
    int const m = (int)c->m, n = (int)c->n, k = (int)c->k;
    f.p = dlsym(peer[which].handle, c->type == TSR_F64 ? "cblas_dgemm" : "cblas_sgemm");
    if (c->type == TSR_F64)
        f.d(COLUMN_MAJOR, c->ta ? YES : NO, c->tb ? NO : YES, m, n, k, 1, c->a, c->ta ? k : m, c->b, c->tb ? k : n, 1,
            c->c, m);
    else
        f.s(COLUMN_MAJOR, c->ta ? YES : NO, c->tb ? NO : YES, m, n, k, 1, c->a, c->ta ? k : m, c->b, c->tb ? k : n, 1,
            c->c, m);
}

static double value(tsr_tensor t, int64_t i, int64_t j)
{
    tsr_number x = tsr_number_int(0);
    tsr_tensor_read(t, tsr_t(i, j), &x);
    return tsr_number_to_double(x);
}

static gemm_case make_case(char const *name, tsr_dtype type, tsr_dtype sum, int64_t m, int64_t n, int64_t k, bool ta,
                           bool tb)
{
    gemm_case c;
    memset(&c, 0, sizeof c);
    c.name = name, c.m = m, c.n = n, c.k = k, c.ta = ta, c.tb = tb, c.type = type, c.sum = sum;
    c.a = filled(m * k, type);
    c.b = filled(n * k, type);
    c.c = filled(m * n, sum);
    tsr_tensor const a = matrix(c.a, type, m, k, ta), b = matrix(c.b, type, n, k, tb),
                     d = matrix(c.c, sum, m, n, false);
    c.plan = tsr_plan_gemm(a, b, d, NULL);
    c.bytes = tsr_gemm_plan_workspace(&c.plan);
    c.work = malloc(c.bytes);
    double want = value(d, m / 2, n / 3);
    for (int64_t i = 0; i < k; ++i)
        want += value(a, m / 2, i) * value(b, n / 3, i);
    tsr_gemm_plan_run(&c.plan, c.work, c.bytes);
    double const got = value(d, m / 2, n / 3);
    if (c.plan.product.why.status || got - want > 0.01 * (want < 0 ? -want : want)
        || want - got > 0.01 * (want < 0 ? -want : want)) {
        printf("%s is wrong: %g, not %g\n", name, got, want);
        exit(1);
    }
    return c;
}

static void free_case(gemm_case *c) { free(c->a), free(c->b), free(c->c), free(c->work); }

static double median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, bench_compare);
    return x[n / 2];
}

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
                    tsr_gemm_plan_run(&c->plan, c->work, c->bytes);
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
           median(rate, turns), median(part, turns));
    for (int i = 0; i < PEERS; ++i) {
        double const r = median(ratio[i], turns);
        printf(" %8.2f", r);
        if (r > 0) {
            log_sum[i] += __builtin_log(r);
            worst[i] = r < worst[i] ? r : worst[i];
        }
    }
    printf("\n");
    fflush(stdout);
}

/** X(M, N, K, row-major A, row-major B): squares, then layers of transformers. */
#define SHAPES(X)                                                                                              \
  X(256, 256, 256, 0, 0)                                                                                       \
  X(384, 384, 384, 0, 0) X(512, 512, 512, 0, 1) X(768, 768, 768, 0, 0) X(1024, 1024, 1024, 1, 0)               \
      X(1536, 1536, 1536, 0, 0) X(2048, 2048, 2048, 0, 0) X(3000, 3000, 3000, 1, 1) X(4096, 4096, 4096, 0, 0)  \
          X(768, 512, 768, 1, 1) X(2304, 512, 768, 1, 1) X(3072, 512, 768, 1, 1) X(768, 512, 3072, 1, 1)       \
              X(4096, 128, 4096, 1, 1) X(11008, 128, 4096, 1, 1) X(4096, 16, 4096, 1, 1) X(512, 512, 64, 1, 1) \
                  X(64, 512, 512, 0, 1)

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
    for (int i = 0; i < PEERS; ++i)
        if (log_sum[i] != 0)
            printf("%s beside %s: geometric mean %.3f, worst %.3f\n", name, peer[i].name,
                   __builtin_exp(log_sum[i] / count), worst[i]);
}

/* Low precision beside our own f32, of the same extents. */

static void measure_low(char const *name, tsr_dtype type, tsr_dtype sum, int64_t n)
{
    gemm_case ours = make_case(name, type, sum, n, n, n, true, true),
              f32 = make_case("f32", TSR_F32, TSR_F32, n, n, n, true, true);
    double ratio[101], rate[101];
    for (int t = -1; t < turns; ++t) {
        double const start = bench_now();
        tsr_gemm_plan_run(&f32.plan, f32.work, f32.bytes);
        double const middle = bench_now();
        tsr_gemm_plan_run(&ours.plan, ours.work, ours.bytes);
        double const end = bench_now();
        ratio[t < 0 ? 0 : t] = (middle - start) / (end - middle);
        rate[t < 0 ? 0 : t] = 2.0 * (double)n * (double)n * (double)n / (end - middle);
    }
    printf("%-30s %5lld %5lld %5lld %8.1f   %.2f times as fast as f32\n", name, (long long)n, (long long)n,
           (long long)n, median(rate, turns), median(ratio, turns));
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
            tsr_gemm_plan_run(&c.plan, c.work, c.bytes);
        double const end = bench_now();
        for (int i = 0; i < times / 8 + 1; ++i) {
            tsr_gemm_plan const p = tsr_plan_gemm(c.plan.product.a, c.plan.product.b, c.plan.product.c, NULL);
            tsr_gemm_plan_run(&p, c.work, c.bytes);
        }
        int const x = t < 0 ? 0 : t;
        once[x] = (bench_now() - end) / (times / 8 + 1);
        ratio[x] = (middle - start) / (end - middle);
        ours[x] = (end - middle) / times;
    }
    printf(
        "f32, one small product         %5lld %5lld %5lld %8.0f ns, with its plan %.0f; loops by hand take %.2f of "
        "it\n",
        (long long)n, (long long)n, (long long)n, median(ours, turns), median(once, turns), median(ratio, turns));
    free_case(&c);
}

/* Contractions beside our own product of the same extents, and beside OpenBLAS between transposes, which are our own. A
 * line is C-A-B. */

enum { BYTES_OF_LARGEST = 200 << 20 };

/** Extents by the rule of the benchmark: of all indices as equal as possible, of the first of a tensor multiples of
 * 24, of the others of 4, the largest tensor of about so many bytes. */
static void extents_of(char const *const part[3], int64_t extent[128], int64_t bytes)
{
    for (int64_t n = 4;; n += 4) {
        int64_t next[128] = {0}, largest = 0;
        for (int i = 0; i < 3; ++i)
            for (char const *p = part[i]; *p; ++p)
                next[(int)*p] = n;
        for (int i = 0; i < 3; ++i)
            next[(int)part[i][0]] = (n + 12) / 24 * 24 > 0 ? (n + 12) / 24 * 24 : 24;
        for (int i = 0; i < 3; ++i) {
            int64_t size = 4;
            for (char const *p = part[i]; *p; ++p)
                size *= next[(int)*p];
            largest = size > largest ? size : largest;
        }
        if (n > 4 && largest > bytes)
            return;
        memcpy(extent, next, sizeof next);
    }
}

static tsr_tensor named(void *memory, char const *letters, int64_t const extent[128], int64_t *size)
{
    tsr_tuple shape = tsr_int(1);
    *size = 1;
    for (int i = 0; letters[i]; ++i) {
        tsr_tuple const n = tsr_int(extent[(int)letters[i]]);
        shape = i ? tsr_tuple_append(shape, n) : tsr_wrap(n);
        *size *= extent[(int)letters[i]];
    }
    return tsr_make_tensor(tsr_make_gmem_ptr(memory, TSR_F32), shape);
}

/** The tensor of letters whose elements lie in the order of other ones. */
static tsr_tensor ordered(void *memory, char const *letters, char const *order, int64_t const extent[128])
{
    int64_t step = 1, stride[128] = {0};
    tsr_tuple shape = tsr_int(1), strides = tsr_int(1);
    for (; *order; step *= extent[(int)*order++])
        stride[(int)*order] = step;
    for (int i = 0; letters[i]; ++i) {
        tsr_tuple const n = tsr_int(extent[(int)letters[i]]), d = tsr_int(stride[(int)letters[i]]);
        shape = i ? tsr_tuple_append(shape, n) : tsr_wrap(n);
        strides = i ? tsr_tuple_append(strides, d) : tsr_wrap(d);
    }
    return tsr_make_tensor(tsr_make_gmem_ptr(memory, TSR_F32), tsr_make_layout_from(shape, strides));
}

/** Letters of one text that are (not) in another, behind what there is. */
static void add_letters(char *to, char const *from, char const *other, bool in)
{
    size_t n = strlen(to);
    for (; *from; ++from)
        if ((strchr(other, *from) != NULL) == in)
            to[n++] = *from;
    to[n] = 0;
}

/** A product of matrices between transposes: A and B to rows and K, a product by OpenBLAS, its result to C. */
typedef struct transposed {
    tsr_tensor a, b, c, a2, b2, c2;
    float *memory[3];
    int m, n, k;
} transposed;

static transposed make_transposed(char const *const part[3], int64_t const extent[128], tsr_tensor const t[3],
                                  int64_t const size[3], int64_t const mnk[3])
{
    char order[3][32] = {"", "", ""};
    transposed r;
    add_letters(order[0], part[0], part[1], true);
    add_letters(order[0], part[0], part[1], false);
    add_letters(order[1], part[0], part[1], true);
    add_letters(order[1], part[1], part[0], false);
    add_letters(order[2], part[0], part[2], true);
    add_letters(order[2], part[1], part[0], false);
    for (int i = 0; i < 3; ++i)
        r.memory[i] = (float *)filled(size[i], TSR_F32);
    r.c = t[0], r.a = t[1], r.b = t[2];
    r.c2 = ordered(r.memory[0], part[0], order[0], extent);
    r.a2 = ordered(r.memory[1], part[1], order[1], extent);
    r.b2 = ordered(r.memory[2], part[2], order[2], extent);
    r.m = (int)mnk[0], r.n = (int)mnk[1], r.k = (int)mnk[2];
    return r;
}

static void run_transposed(transposed const *t)
{
    union {
        void *p;
        sgemm s;
    } f;
    f.p = dlsym(peer[0].handle, "cblas_sgemm");
    tsrc_copy(t->a, t->a2);
    tsrc_copy(t->b, t->b2);
    f.s(COLUMN_MAJOR, NO, YES, t->m, t->n, t->k, 1, t->memory[1], t->m, t->memory[2], t->n, 0, t->memory[0], t->m);
    tsrc_axpby(tsr_number_real(1), t->c2, tsr_number_real(1), t->c);
}

static double measure_contraction(char const *line, int64_t bytes, double *beside)
{
    char text[3][16] = {"", "", ""}, spec[64];
    int64_t extent[128], size[3], mnk[3] = {1, 1, 1};
    if (sscanf(line, "%15[a-z]-%15[a-z]-%15[a-z]", text[0], text[1], text[2]) != 3)
        return 0;
    char const *const part[3] = {text[0], text[1], text[2]};
    extents_of(part, extent, bytes);
    for (char c = 'a'; c <= 'z'; ++c) {
        bool const in_c = strchr(text[0], c), in_a = strchr(text[1], c), in_b = strchr(text[2], c);
        if (in_a || in_b)
            mnk[in_a && in_b ? 2 : in_a && in_c ? 0 : 1] *= extent[(int)c];
    }
    float *memory[3];
    for (int i = 0; i < 3; ++i) {
        named(NULL, part[i], extent, &size[i]);
        memory[i] = (float *)filled(size[i], TSR_F32);
    }
    tsr_tensor const a = named(memory[1], text[1], extent, &size[1]), b = named(memory[2], text[2], extent, &size[2]),
                     c = named(memory[0], text[0], extent, &size[0]);
    gemm_case plain = make_case(line, TSR_F32, TSR_F32, mnk[0], mnk[1], mnk[2], false, false);
    snprintf(spec, sizeof spec, "%s,%s->%s", text[1], text[2], text[0]);
    tsr_epilogue const more = tsr_make_epilogue(1, 1);
    tsr_tensor const all[3] = {c, a, b};
    transposed const way = make_transposed(part, extent, all, size, mnk);
    double ratio[101], rate[101], other[101];
    for (int t = -1; t < turns; ++t) {
        double const start = bench_now();
        tsr_gemm_with(plain.plan.product.a, plain.plan.product.b, plain.plan.product.c, &more);
        double const middle = bench_now();
        tsr_einsum_with(spec, a, b, c, &more);
        double const end = bench_now();
        if (peer[0].handle)
            run_transposed(&way);
        other[t < 0 ? 0 : t] = (bench_now() - end) / (end - middle);
        ratio[t < 0 ? 0 : t] = (middle - start) / (end - middle);
        rate[t < 0 ? 0 : t] = 2.0 * (double)(mnk[0] * mnk[1]) * (double)mnk[2] / (end - middle);
    }
    double const r = median(ratio, turns);
    *beside = median(other, turns);
    printf("%-30s %6lld %5lld %5lld %8.1f   %.2f of the rate of gemm, %.2f of transposes and OpenBLAS\n", line,
           (long long)mnk[0], (long long)mnk[1], (long long)mnk[2], median(rate, turns), r, *beside);
    fflush(stdout);
    for (int i = 0; i < 3; ++i)
        free(memory[i]), free(way.memory[i]);
    free_case(&plain);
    return r;
}

static void measure_contractions(char const *file, int64_t bytes)
{
    char line[64];
    double all[256], beside[256], worst = 9;
    int count = 0, behind = 0;
    FILE *const f = fopen(file, "r");
    while (f && count < 256 && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        double const r = *line == '#' ? 0 : measure_contraction(line, bytes, &beside[count]);
        if (r > 0) {
            behind += beside[count] < 1;
            all[count++] = r;
        }
        worst = r > 0 && r < worst ? r : worst;
    }
    if (f)
        (void)fclose(f);
    if (count > 0) {
        double const middle = median(beside, count); /* sorts */
        printf("%d contractions: median %.2f of gemm, worst %.2f; beside transposes and OpenBLAS median %.2f, worst "
               "%.2f, behind in %d\n",
               count, median(all, count), worst, middle, beside[0], behind);
    }
}

int main(int argc, char **argv)
{
    char const *const what = argc > 1 ? argv[1] : "f32";
    turns = argc > 2 ? atoi(argv[2]) : TURNS;
    turns = turns < 1 ? 1 : turns > 101 ? 101 : turns;
    char const *const t = getenv("OMP_NUM_THREADS");
    threads = t ? atoi(t) : 1;
    if (!t)
        (void)setenv("OMP_NUM_THREADS", "1", 1);
    bench_print_machine();
    load_peers();
    printf("%-30s %5s %5s %5s %8s %6s %8s %8s\n", "", "M", "N", "K", "GFLOP/s", "peak", "OpenBLAS", "BLIS");
    if (strcmp(what, "f32") == 0)
        measure_type("f32", TSR_F32, TSR_F32);
    if (strcmp(what, "f64") == 0)
        measure_type("f64", TSR_F64, TSR_F64);
    for (int64_t n = 512; strcmp(what, "low") == 0 && n <= 2048; n *= 2) {
        measure_low("bf16 to f32", TSR_BF16, TSR_F32, n);
        measure_low("bf16 to bf16", TSR_BF16, TSR_BF16, n);
        measure_low("f16 to f32", TSR_F16, TSR_F32, n);
        measure_low("i8 to i32", TSR_I8, TSR_I32, n);
        measure_low("u8 to i32", TSR_U8, TSR_I32, n);
        measure_low("c64", TSR_C64, TSR_C64, n);
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
        measure_contractions(argv[3], argc > 4 ? atoll(argv[4]) << 20 : BYTES_OF_LARGEST);
    return 0;
}
