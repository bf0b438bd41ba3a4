/** bench_own: the libraries of BLAS that are found when it runs, and the most that the processor multiplies. */
#define _GNU_SOURCE /* RTLD_LOCAL, setenv */

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "own.h"
#include "tessera/exec/engine.h"

enum { ROW_MAJOR = 101, COLUMN_MAJOR = 102, NO = 111, YES = 112, BLAS = 2, HPTT = 2 };

typedef void (*sgemm)(int, int, int, int, int, int, float, void const *, int, void const *, int, float, void *, int);
typedef void (*dgemm)(int, int, int, int, int, int, double, void const *, int, void const *, int, double, void *,
                      int);
typedef void (*somatcopy)(int, int, int, int, float, void const *, int, void *, int);
typedef void (*domatcopy)(int, int, int, int, double, void const *, int, void *, int);

typedef void (*spermute)(int const *, int, float, void const *, int const *, int const *, float, void *, int const *,
                         int, int);
typedef void (*dpermute)(int const *, int, double, void const *, int const *, int const *, double, void *,
                         int const *, int, int);

typedef struct library {
    char const *name, *file[2], *threads; /* threads: the function that takes their number, if one does */
} library;

static library const libraries[] = {{"OpenBLAS", {"libopenblas.so.0", "libopenblas.so"}, "openblas_set_num_threads"},
                                    {"BLIS", {"libblis.so.4", "libblis.so"}, "bli_thread_set_num_threads"},
                                    {"HPTT", {"libhptt.so", "libhptt.so.1"}, NULL}};

typedef union symbol {
    void *address;
    void (*function)(void);
    void (*set)(int);
} symbol;

/** Whether the engine runs by vectors of 64 bytes. */
static bool is_wide(void)
{
    return strcmp(tsr_cpu_engine_name(), "avx512") == 0 || strcmp(tsr_cpu_engine_name(), "amx") == 0;
}

/** A function of a library, which uses `threads` threads from now on; NULL: it is absent. */
static void (*function_of(library const *l, char const *name, int threads))(void)
{
    void *handle = NULL;
    symbol f = {NULL}, set = {NULL};
    if (is_wide()) { /* both take a processor that they do not know for an old one */
        (void)setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
        (void)setenv("BLIS_ARCH_TYPE", "skx", 0);
    }
    for (int i = 0; i < 2 && !handle; ++i)
        handle = dlopen(l->file[i], RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return NULL;
    set.address = l->threads ? dlsym(handle, l->threads) : NULL;
    f.address = dlsym(handle, name);
    if (set.address)
        set.set(threads);
    return f.address ? f.function : NULL;
}

static void enter(contest *c, library const *l, void (*run)(void *), void *context, void (*function)(void),
                  double amount)
{
    bench_enter(c, l->name, function ? run : NULL, context, amount);
}

/* Products */

/** A matrix (rows,K) whose rows, or whose K, are side by side: the other stride. */
static bool matrix_of(tsr_tensor const *t, bool *transposed, int *rows, int *columns, int *pitch)
{
    tsr_layout const *const l = &t->layout;
    if (l->composed || l->shape.leaves != 2 || tsr_mode_count(&l->shape) != 2)
        return false;
    int64_t const m = l->shape.leaf[0].value, n = l->shape.leaf[1].value;
    int64_t const a = l->stride.leaf[0].value, b = l->stride.leaf[1].value, other = a == 1 ? b : a;
    *transposed = a != 1;
    *rows = (int)m;
    *columns = (int)n;
    *pitch = (int)other;
    return (a == 1 || b == 1) && other >= (a == 1 ? m : n) && m <= INT32_MAX && n <= INT32_MAX && other <= INT32_MAX;
}

bool blas_product_of(tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c, blas_product *p)
{
    bool rows = false;
    int n = 0, k = 0;
    memset(p, 0, sizeof *p);
    p->type = a->engine.type;
    p->a = (void const *)(uintptr_t)a->engine.address;
    p->b = (void const *)(uintptr_t)b->engine.address;
    p->c = (void *)(uintptr_t)c->engine.address;
    return (p->type == TSR_F32 || p->type == TSR_F64) && c->engine.type == p->type
           && matrix_of(a, &p->transposed_a, &p->m, &p->k, &p->lda)
           && matrix_of(b, &p->transposed_b, &p->n, &k, &p->ldb) && matrix_of(c, &rows, &p->m, &n, &p->ldc) && !rows;
}

static void run_product(void *context)
{
    blas_product const *const p = (blas_product const *)context;
    int const a = p->transposed_a ? YES : NO, b = p->transposed_b ? NO : YES;
    if (p->type == TSR_F64)
        ((dgemm)p->function)(COLUMN_MAJOR, a, b, p->m, p->n, p->k, 1, p->a, p->lda, p->b, p->ldb, 1, p->c, p->ldc);
    else
        ((sgemm)p->function)(COLUMN_MAJOR, a, b, p->m, p->n, p->k, 1, p->a, p->lda, p->b, p->ldb, 1, p->c, p->ldc);
}

void bench_enter_blas(contest *c, blas_product const *p, blas_product *room, double amount)
{
    for (int i = 0; i < BLAS; ++i) {
        room[i] = *p;
        room[i].function = function_of(&libraries[i], p->type == TSR_F64 ? "cblas_dgemm" : "cblas_sgemm", c->threads);
        enter(c, &libraries[i], run_product, &room[i], room[i].function, amount);
    }
}

/* Transpositions */

static void run_omatcopy(void *context)
{
    blas_transposition const *const t = (blas_transposition const *)context;
    if (t->type == TSR_F64)
        ((domatcopy)t->function)(COLUMN_MAJOR, YES, t->rows, t->columns, 1, t->from, t->rows, t->to, t->columns);
    else
        ((somatcopy)t->function)(COLUMN_MAJOR, YES, t->rows, t->columns, 1, t->from, t->rows, t->to, t->columns);
}

void bench_enter_omatcopy(contest *c, blas_transposition *t, double amount)
{
    t->function = function_of(&libraries[0], t->type == TSR_F64 ? "cblas_domatcopy" : "cblas_somatcopy", c->threads);
    enter(c, &libraries[0], run_omatcopy, t, t->function, amount);
}

/* Permutations */

static void run_hptt(void *context)
{
    permutation const *const p = (permutation const *)context;
    if (p->type == TSR_F64)
        ((dpermute)p->function)(p->order, p->rank, 1, p->from, p->size, NULL, 0, p->to, NULL, p->threads, 0);
    else
        ((spermute)p->function)(p->order, p->rank, 1, p->from, p->size, NULL, 0, p->to, NULL, p->threads, 0);
}

void bench_enter_hptt(contest *c, permutation *p, double amount)
{
    p->threads = c->threads;
    p->function =
        function_of(&libraries[HPTT], p->type == TSR_F64 ? "dTensorTranspose" : "sTensorTranspose", c->threads);
    enter(c, &libraries[HPTT], run_hptt, p, p->function, amount);
}

/* The peak: twelve chains of multiply-adds, of two operations for each number of a vector. */

#if defined(__x86_64__) && defined(__GNUC__)
enum { ROUNDS = 100000, CHAINS = 12 };

#  define CHAIN_LIST(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)

__attribute__((target("avx512f"))) static void multiply_512(void *context)
{
    (void)context;
    for (int i = 0; i < ROUNDS; ++i) {
#  define X(n) __asm__ volatile("vfmadd231ps %%zmm31, %%zmm31, %%zmm" #  n ::: "xmm" #  n);
        CHAIN_LIST(X)
#  undef X
    }
}

__attribute__((target("avx2,fma"))) static void multiply_256(void *context)
{
    (void)context;
    for (int i = 0; i < ROUNDS; ++i) {
#  define X(n) __asm__ volatile("vfmadd231ps %%ymm15, %%ymm15, %%ymm" #  n ::: "xmm" #  n);
        CHAIN_LIST(X)
#  undef X
    }
}

void (*bench_peak(tsr_dtype type, double *amount))(void *context)
{
    bool const wide = is_wide(), narrow = strcmp(tsr_cpu_engine_name(), "avx2") == 0;
    double const numbers = (wide ? 64.0 : 32.0) / (type == TSR_F64 ? 8 : 4);
    *amount = 2.0 * ROUNDS * CHAINS * numbers;
    if (type != TSR_F32 && type != TSR_F64)
        return NULL;
    return wide ? multiply_512 : narrow && __builtin_cpu_supports("fma") ? multiply_256 : NULL;
}
#else
void (*bench_peak(tsr_dtype type, double *amount))(void *context)
{
    (void)type;
    *amount = 0;
    return NULL;
}
#endif
