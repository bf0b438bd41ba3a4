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
static bool is_wide(void) { return strcmp(tsr_engine_name(), "avx512") == 0 || strcmp(tsr_engine_name(), "amx") == 0; }

void load_peers(int threads)
{
    (void)tsr_engine_threads(threads);
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

double peak(void)
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

void run_peer(gemm_case const *c, int which)
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

gemm_case make_case(char const *name, tsr_dtype type, tsr_dtype sum, int64_t m, int64_t n, int64_t k, bool ta, bool tb)
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

void free_case(gemm_case *c) { free(c->a), free(c->b), free(c->c), free(c->work); }
