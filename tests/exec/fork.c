/* Forked children copy, multiply and reduce what is large, whoever had threads before: each ends with the numbers of
 * its parent. One that waits for threads which it does not have is ended by its alarm. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tessera/exec/engine.h"
#include "tessera/exec/gemm_plan.h"
#include "tessera/tessera.h"

enum { N = 1024, DEPTH = 256, THREADS = 4, SECONDS = 60 };

typedef struct results {
    float turned[N * N], product[N * N];
    double sum;
} results;

static float x[N * N];
static results wanted, got;
static tsr_planned_gemm planned;

static tsr_tensor matrix(float *p, int64_t columns, int64_t down, int64_t across)
{
    return tsr_make_tensor(tsr_make_ptr(p), tsr_make_layout(tsr_t(N, columns), tsr_t(down, across)));
}

static tsr_tensor operand(void) { return matrix(x, DEPTH, 1, N); }

/** What takes threads where they may be had; the product by the plan of the first process, too. */
static bool compute(results *r)
{
    memset(r, 0, sizeof *r);
    tsr_tensor const all = matrix(x, N, 1, N);
    tsr_tensor const sum = tsr_make_tensor(tsr_make_ptr(&r->sum), tsr_make_layout(tsr_t(N, N), tsr_t(0, 0)));
    return !tsr_copy(all, matrix(r->turned, N, N, 1)).status
           && !tsr_gemm(operand(), operand(), matrix(r->product, N, 1, N)).status
           && !tsr_reduce_to(TSR_REDUCE_SUM, all, sum).status;
}

static bool same_again(void)
{
    if (!compute(&got) || memcmp(&got, &wanted, sizeof got) != 0)
        return false;
    memset(got.product, 0, sizeof got.product);
    return !tsr_gemm_run(&planned, NULL, 0).status && memcmp(&got, &wanted, sizeof got) == 0;
}

static bool in_child(bool (*test)(void))
{
    int status = 0;
    fflush(stdout);
    pid_t const child = fork();
    if (child == 0) {
        alarm(SECONDS);
        _exit(test() ? 0 : 1);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool in_grandchild(void) { return same_again() && in_child(same_again); }

static bool has_threads(void)
{
    return tsr_cpu_engine_threads(THREADS) == THREADS && compute(&got) && memcmp(&got, &wanted, sizeof got) == 0;
}

/** The library took no thread; its user's OpenMP has, inside of which one thread is taken. */
static bool after_threads_of_others(void)
{
    int64_t sum = 0, most = THREADS;
#if defined(_OPENMP)
    most = 1;
#  pragma omp parallel for num_threads(THREADS) reduction(+ : sum)
#endif
    for (int i = 0; i < 1000; ++i)
        sum += i + (tsr_cpu_engine_threads(THREADS) > most);
    return sum == 499500 && in_child(in_grandchild);
}

static int failed;

static void check(bool ok, char const *what)
{
    failed += !ok;
    printf("%s: %s\n", what, ok ? "passed" : "failed");
}

int main(void)
{
    for (int i = 0; i < N * N; ++i)
        x[i] = (float)(i % 17 - 8);
    (void)tsr_cpu_engine_threads(1);
    check(compute(&wanted), "one thread");
    check(in_child(has_threads), "a child of one thread has threads");
    (void)tsr_cpu_engine_threads(THREADS);
    planned = tsr_gemm_plan(operand(), operand(), matrix(got.product, N, 1, N), NULL);
    check(in_child(after_threads_of_others), "children after threads of others");
    check(same_again(), "threads");
    check(in_child(has_threads), "a child of threads has threads");
    check(in_child(in_grandchild), "children and grandchildren after threads");
    check(same_again(), "threads of the parent");
    return failed != 0;
}
