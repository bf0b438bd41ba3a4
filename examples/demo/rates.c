/* A permutation, a cast and a contraction through the library, each beside what limits it: memcpy of the same bytes by
 * one thread, and the product of plain matrices of the same size. Results are compared with the sums and moves that
 * define them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tessera/exec/einsum.h"
#include "tessera/exec/engine.h"
#include "tessera/tessera.h"

enum { TURNS = 5, I = 256, J = 384, K = 320, A = 64, B = 48, C = 640, D = 512 };

typedef struct work {
    tsr_tensor a, b, c;
    char const *einsum; /* NULL: a copy of a to c */
    size_t bytes;       /* not 0: memcpy of these bytes */
} work;

static bool run(work const *w)
{
    if (w->bytes > 0)
        memcpy((void *)(uintptr_t)w->c.engine.address, (void const *)(uintptr_t)w->a.engine.address, w->bytes);
    else if (w->einsum)
        return !tsr_why(tsr_einsum(w->einsum, w->a, w->b, w->c)).status;
    else
        return !tsr_why(tsr_copy(w->a, w->c)).status;
    return true;
}

static double seconds(void)
{
    struct timespec t;
    (void)timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** The least times of some turns of both, and a line; `amount` of work, in `unit`s a second of 1e9. */
static void show(char const *what, work const *ours, char const *limit, work const *other, double amount,
                 char const *unit)
{
    double best[2] = {1e9, 1e9};
    for (int turn = 0; turn < TURNS; ++turn)
        for (int i = 0; i < 2; ++i) {
            double const start = seconds();
            if (!run(i ? other : ours))
                exit(1);
            double const took = seconds() - start;
            best[i] = took < best[i] ? took : best[i];
        }
    printf("%-44s %7.1f %s, %s %.1f: %.2f\n", what, amount / best[0] * 1e-9, unit, limit, amount / best[1] * 1e-9,
           best[1] / best[0]);
}

static bool check(bool right, char const *what)
{
    if (!right)
        fprintf(stderr, "%s: a wrong result\n", what);
    return right;
}

int main(void)
{
    size_t const n = (size_t)I * J * K;
    float *const from = (float *)malloc(n * sizeof *from), *const to = (float *)malloc(n * sizeof *to);
    float *const sums = (float *)malloc((size_t)A * B * C * sizeof *sums);
    bool right = from && to && sums;
    for (size_t i = 0; right && i < n; ++i)
        from[i] = (float)(i * 7 % 1021) / 1024, to[i] = 0;
    if (!right)
        return fputs("no memory for 260 MB\n", stderr), 1;

    tsr_tensor const s = tsr_make_tensor(tsr_make_gmem_ptr(from), tsr_make_layout(tsr_t(I, J, K)));
    tsr_tensor const d = tsr_make_tensor(tsr_make_gmem_ptr(to), tsr_make_layout(tsr_t(I, J, K), tsr_t(K, I * K, 1)));
    tsr_tensor const halves =
        tsr_make_tensor(tsr_engine_at(TSR_GMEM, to, false, TSR_BF16), tsr_make_layout(tsr_t(I, J, K)));
    tsr_tensor const a = tsr_make_tensor(tsr_make_gmem_ptr(from), tsr_make_layout(tsr_t(A, B, D)));
    tsr_tensor const b = tsr_make_tensor(tsr_make_gmem_ptr(from + A * B * D), tsr_make_layout(tsr_t(D, C)));
    tsr_tensor const c = tsr_make_tensor(tsr_make_gmem_ptr(sums), tsr_make_layout(tsr_t(A, C, B)));
    tsr_tensor const rows = tsr_make_tensor(tsr_make_gmem_ptr(from), tsr_make_layout(tsr_t(A * B, D)));
    tsr_tensor const plain = tsr_make_tensor(tsr_make_gmem_ptr(sums), tsr_make_layout(tsr_t(A * B, C)));
    work const permute = {s, s, d, NULL, 0}, cast = {s, s, halves, NULL, 0}, contract = {a, b, c, "abk,kc->acb", 0};
    work const memory = {s, s, d, NULL, n * 4}, less = {s, s, d, NULL, n * 3},
               matrices = {rows, b, plain, "mk,kn->mn", 0};

    right = run(&permute);
    for (size_t x = 0; x < n; x += 997)
        right = right && to[x % I * K + x / I % J * I * K + x / I / J] == from[x];
    right = check(right, "permute") && check(run(&contract), "contract");
    for (size_t x = 0; x < (size_t)A * B * C; x += 9973) {
        double sum = 0;
        for (size_t k = 0; k < D; ++k)
            sum += (double)from[x % A + x / A / C * A + k * A * B] * (double)from[A * B * D + k + x / A % C * D];
        right = right && check(fabs(sum - (double)sums[x]) < 1e-3 * sum, "contract");
    }
    printf("%s, %d threads\n", tsr_cpu_engine_name(), tsr_cpu_engine_threads(0));
    show("(256,384,320) f32 to the order (2,0,1)", &permute, "memcpy", &memory, 8.0 * (double)n, "GB/s");
    show("31 million f32 to bf16", &cast, "memcpy", &less, 6.0 * (double)n, "GB/s");
    show("abk,kc->acb, 64 48 512, 512 640", &contract, "matrices", &matrices, 2.0 * A * B * C * D, "GFLOP/s");
    free(from);
    free(to);
    free(sums);
    return !right;
}
