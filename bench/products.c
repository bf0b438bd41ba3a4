/* What products are measured with, and beside. */
#define _GNU_SOURCE
#include "products.h"
#include "tessera/exec/engine.h"

#include <dlfcn.h>

#ifndef BENCH_OPENBLAS
#  define BENCH_OPENBLAS ""
#endif
#ifndef BENCH_BLIS
#  define BENCH_BLIS ""
#endif

blas peer[PEERS] = {{"OpenBLAS", BENCH_OPENBLAS, "openblas_set_num_threads", NULL},
                    {"BLIS", BENCH_BLIS, "bli_thread_set_num_threads", NULL}};

/** Whether the engine runs by vectors of 64 bytes. */
static bool is_wide(void)
{
    return strcmp(tsr_cpu_engine_name(), "avx512") == 0 || strcmp(tsr_cpu_engine_name(), "amx") == 0;
}

void load_peers(int threads)
{
    bench_one_thread = threads == 1;
    (void)tsr_cpu_engine_threads(threads);
    /* Both take a processor that they do not know for an old one; beside a row that is forced they use its
     * vectors. BLIS 0.9 counts its own: 0 is skx, 3 haswell. */
    bool const fused = strcmp(tsr_cpu_engine_name(), "avx2") == 0;
    if (is_wide() || fused) {
        (void)setenv("OPENBLAS_CORETYPE", fused ? "Haswell" : "SkylakeX", 0);
        (void)setenv("BLIS_ARCH_TYPE", fused ? "3" : "0", 0);
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

/* The peak: what a row's instructions multiply and add in registers, in sums that do not wait for each other. */

#if defined(__x86_64__) || defined(__aarch64__)
#  define SUMS(X) X(s0) X(s1) X(s2) X(s3) X(s4) X(s5) X(s6) X(s7) X(s8) X(s9) X(s10) X(s11)
#  define BEGIN(s) vector s = {0};
#  define JOIN(s) all += s;
/* ADD(s): the statement that adds a product of a and x to s. */
#  define PEAK(name, bytes, target, ADD)                        \
    target static double name(int64_t times)                    \
    {                                                           \
      typedef float vector __attribute__((vector_size(bytes))); \
      vector a = {0}, x = {0}, all = {0};                       \
      a += 1.0f;                                                \
      x += 1e-9f;                                               \
      SUMS(BEGIN)                                               \
      for (int64_t t = 0; t < times; ++t) {                     \
        SUMS(ADD)                                               \
      }                                                         \
      SUMS(JOIN)                                                \
      bench_sink = (int64_t)all[0];                             \
      return (double)times * 12 * 2 * ((bytes) / 4);            \
    }
#endif
#if defined(__x86_64__)
#  define FUSED(s) __asm__ volatile("vfmadd231ps %1, %2, %0" : "+v"(s) : "v"(a), "v"(x));
#  define APART(s)                                               \
    {                                                            \
      vector product = a; /* SSE2 has nothing that fuses */      \
      __asm__ volatile("mulps %1, %0" : "+x"(product) : "x"(x)); \
      __asm__ volatile("addps %1, %0" : "+x"(s) : "x"(product)); \
    }
PEAK(peak_64, 64, __attribute__((target("avx512f"))), FUSED)
PEAK(peak_32, 32, __attribute__((target("avx2,fma"))), FUSED)
PEAK(peak_16, 16, , APART)
#elif defined(__aarch64__)
#  define FUSED(s) __asm__ volatile("fmla %0.4s, %1.4s, %2.4s" : "+w"(s) : "w"(a), "w"(x));
PEAK(peak_16, 16, , FUSED)
#endif

double peak(void)
{
    double (*run)(int64_t) = NULL;
    char const *const row = tsr_cpu_engine_name();
    (void)row;
#if defined(__x86_64__)
    run = is_wide() ? peak_64 : strcmp(row, "avx2") == 0 ? peak_32 : peak_16;
#elif defined(__aarch64__)
    run = peak_16;
#endif
    double const start = bench_now(), work = run ? run(200000) : 0;
    return work / (bench_now() - start);
}

/* Cases */

void *filled(int64_t n, tsr_dtype type)
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

/** A matrix by a vector. */
static void run_peer_vector(gemm_case const *c, int which)
{
    union {
        void *p;
        sgemv s;
        dgemv d;
    } f;
    int const m = (int)c->m, k = (int)c->k, rows = c->ta ? k : m, columns = c->ta ? m : k;
    f.p = dlsym(peer[which].handle, c->type == TSR_F64 ? "cblas_dgemv" : "cblas_sgemv");
    if (c->type == TSR_F64)
        f.d(COLUMN_MAJOR, c->ta ? YES : NO, rows, columns, 1, c->a, rows, c->b, 1, 1, c->c, 1);
    else
        f.s(COLUMN_MAJOR, c->ta ? YES : NO, rows, columns, 1, c->a, rows, c->b, 1, 1, c->c, 1);
}

void run_peer(gemm_case const *c, int which)
{
    union {
        void *p;
        sgemm s;
        dgemm d;
    } f;
    int const m = (int)c->m, n = (int)c->n, k = (int)c->k;
    if (c->by_vector) {
        run_peer_vector(c, which);
        return;
    }
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
    return tsr_tensor_read(t, tsr_t(i, j), &x).status ? -1 : tsr_number_to_double(x);
}

void run_case(gemm_case const *c) { bench_done(tsr_gemm_run(&c->plan, c->work, c->bytes)); }

gemm_case make_case(char const *name, tsr_dtype type, tsr_dtype sum, int64_t m, int64_t n, int64_t k, bool ta,
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
    c.plan = tsr_gemm_plan(a, b, d, NULL);
    c.bytes = tsr_gemm_workspace(&c.plan);
    c.work = malloc(c.bytes);
    double want = value(d, m / 2, n / 3);
    for (int64_t i = 0; i < k; ++i)
        want += value(a, m / 2, i) * value(b, n / 3, i);
    run_case(&c);
    double const got = value(d, m / 2, n / 3);
    if (c.plan.of.product.why.status || got - want > 0.01 * (want < 0 ? -want : want)
        || want - got > 0.01 * (want < 0 ? -want : want)) {
        printf("%s is wrong: %g, not %g\n", name, got, want);
        exit(1);
    }
    return c;
}

void free_case(gemm_case *c) { free(c->a), free(c->b), free(c->c), free(c->work); }
