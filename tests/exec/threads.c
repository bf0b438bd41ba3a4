/* Threads that share plans: parts of random copies and updates at once, and large copies, products, reductions and
 * functions, called from several threads at once, of whom one has the four threads at a time. Results are those of one
 * thread. Built with the sanitizer of threads, which sees every access of the engines. */
#include <pthread.h>
#include <stdatomic.h>

#define RUN_IN_PARTS run_by_threads
#include "engine_cases.h"
#include "exec/move/machine.h"
#include "tessera/exec/engine.h"
#include "tessera/exec/gemm_plan.h"

int tests_machine; /* another one for each case */

enum { PARTS = 4, N = 700, K = 300, CALLERS = 3 };

/* Parts of one plan */

typedef struct part {
    tsr_planned_copy const *plan;
    tsr_tensor const *from, *to;
    int64_t first, last, moved;
} part;

static void *run_part(void *x)
{
    part *const p = (part *)x;
    p->moved = tsr_copy_run(p->plan, NULL, p->from, p->to, p->first, p->last);
    return NULL;
}

static void at_once(void *(*work)(void *x), void *each, size_t size, int count)
{
    pthread_t thread[8];
    for (int i = 0; i < count; ++i)
        if (pthread_create(&thread[i], NULL, work, (char *)each + (size_t)i * size) != 0)
            exit(2);
    for (int i = 0; i < count; ++i)
        pthread_join(thread[i], NULL);
}

static int64_t run_by_threads(tsr_planned_copy const *p, tsr_tensor const *s, tsr_tensor const *d)
{
    part parts[PARTS];
    int64_t first = 0, moved = 0;
    for (int i = 0; i < PARTS; ++i) {
        int64_t const last = i + 1 == PARTS ? p->units : first + below(p->units - first + 1);
        parts[i] = (part){p, s, d, first, last, 0};
        first = last;
    }
    at_once(run_part, parts, sizeof *parts, PARTS);
    for (int i = 0; i < PARTS; ++i)
        moved += parts[i].moved;
    return moved;
}

/* Calls at once: operands and the plan are shared, results are not */

typedef struct results {
    float turned[N * N], product[N * N], batches[4 * 64 * 64], powers[N * N];
    double across[N], along[N], all;
    bool good;
} results;

static float x[N * N];
static results one, several[CALLERS];
static tsr_planned_gemm planned;

static tsr_tensor matrix(float *p, int64_t down, int64_t across)
{
    return tsr_make_tensor(tsr_make_ptr(p), tsr_make_layout(tsr_t(N, N), tsr_t(down, across)));
}

static tsr_tensor sums(double *p, int64_t down, int64_t across)
{
    return tsr_make_tensor(tsr_make_ptr(p), tsr_make_layout(tsr_t(N, N), tsr_t(down, across)));
}

static tsr_tensor operand(void) { return tsr_make_tensor(tsr_make_ptr(x), tsr_make_layout(tsr_t(N, K))); }

static void *compute(void *to)
{
    results *const r = (results *)to;
    tsr_tensor const all = matrix(x, 1, N);
    tsr_tensor const a = tsr_make_tensor(tsr_make_ptr(x), tsr_make_layout(tsr_t(64, 64, 4))),
                     c = tsr_make_tensor(tsr_make_ptr(r->batches), tsr_make_layout(tsr_t(64, 64, 4)));
    tsr_planned_gemm p = planned;
    p.of.product.c = matrix(r->product, 1, N);
    r->good = !tsr_copy(all, matrix(r->turned, N, 1)).status && !tsr_gemm_run(&p, NULL, 0).status
              && !tsr_einsum("mkv,nkv->mnv", a, a, c).status
              && !tsr_apply(TSR_OF_EXP, all, matrix(r->powers, 1, N)).status
              && !tsr_reduce_to(TSR_REDUCE_SUM, all, sums(r->across, 1, 0)).status
              && !tsr_reduce_to(TSR_REDUCE_SUM, all, sums(r->along, 0, 1)).status
              && !tsr_reduce_to(TSR_REDUCE_SUM, all, sums(&r->all, 0, 0)).status;
    return NULL;
}

static bool try_calls(char const *row)
{
    if (!tsr_cpu_engine_use(row))
        return false;
    (void)tsr_cpu_engine_threads(4);
    memset(&one, 0, sizeof one);
    memset(several, 0, sizeof several);
    planned = tsr_gemm_plan(operand(), operand(), matrix(one.product, 1, N), NULL);
    (void)tsr_cpu_engine_threads(1); /* whose plan of the product would sum in another order */
    compute(&one);
    (void)tsr_cpu_engine_threads(4);
    at_once(compute, several, sizeof *several, CALLERS);
    (void)tsr_cpu_engine_threads(0);
    bool same = one.good && (planned.threads > 1 || planned.batches > 1);
    for (int i = 0; i < CALLERS; ++i)
        same = same && memcmp(&one, &several[i], sizeof one) == 0;
    printf("%s: calls of %d threads, four by each: %s\n", row, CALLERS, same ? "the same" : "they differ");
    return same;
}

/* Loops of the pool, and loops in their parts: each part once, each worker's number of one thread at a time */

enum { MOST_WORKERS = 6, MOST_PARTS = 40, LOOPS = 20000 };

typedef struct loop {
    int64_t parts;
    int threads, times[MOST_PARTS];
    atomic_int inner[MOST_WORKERS];
    atomic_bool failed, inside[MOST_WORKERS];
} loop;

static void run_inner(void *context, int worker, int64_t i)
{
    atomic_fetch_add((atomic_int *)context, worker < 3 ? (int)i : MOST_PARTS * MOST_PARTS);
}

static void run_loop(void *context, int worker, int64_t i)
{
    loop *const l = (loop *)context;
    if (worker >= l->threads || atomic_exchange(&l->inside[worker], true))
        atomic_store(&l->failed, true);
    ++l->times[i];
    atomic_store(&l->inner[worker], 0);
    tsr_engine_share_(3, i, run_inner, &l->inner[worker]);
    if (atomic_load(&l->inner[worker]) != i * (i - 1) / 2)
        atomic_store(&l->failed, true);
    atomic_store(&l->inside[worker], false);
}

static void *run_loops(void *seed)
{
    bool *const good = (bool *)seed;
    *good = true;
    for (int n = 0; *good && n < LOOPS; ++n) {
        loop l = {n % (MOST_PARTS + 1), 1 + n / 7 % MOST_WORKERS, {0}, {0}, false, {false}};
        tsr_engine_share_(l.threads, l.parts, run_loop, &l);
        for (int64_t i = 0; i < l.parts; ++i)
            *good = *good && l.times[i] == 1;
        *good = *good && !atomic_load(&l.failed);
    }
    return NULL;
}

static bool try_loops(void)
{
    bool good[CALLERS];
    at_once(run_loops, good, sizeof *good, 1);
    bool all = good[0];
    at_once(run_loops, good, sizeof *good, CALLERS);
    for (int i = 0; i < CALLERS; ++i)
        all = all && good[i];
    printf("%d loops, by one caller and by %d: %s\n", LOOPS, CALLERS, all ? "passed" : "failed");
    return all;
}

int main(int argc, char **argv)
{
    int64_t const cases = argc > 1 ? strtoll(argv[1], NULL, 10) : 300;
    bool good = try_loops();
    begin_cases();
    random_begin(1);
    for (int i = 0; i < N * N; ++i)
        x[i] = (float)(noise(2001) - 1000) / 777;
    for (int i = 0; good && tsr_cpu_engine_row(i); ++i)
        good = try_calls(tsr_cpu_engine_row(i));
    for (int64_t i = 0; good && i < cases; ++i) {
        tests_machine = (int)below(ENGINE_MACHINES);
        good = try_case();
    }
    printf("%lld plans in %d parts at once: %s\n", (long long)cases, PARTS, good ? "passed" : "failed");
    return good ? 0 : 1;
}
