/** Loops over strided views (tensor/strided.h) beside the same loops over pointers and leading dimensions, and steps
 *  from element to element (tensor/each.h) beside nested loops by hand. Each pair is verified before it is timed, and
 *  runs in turn. It compiles as C and as C++.
 *
 *  Columns: us by hand and through tessera, and their ratio. Limits: 1.05 for loops, 2 ns an element for steps.
 *
 *  usage: bench_view [PART]      PART: a prefix of the names of the cases
 */
#include "tessera/tessera.h"
#include "timing.h"

enum { N = 256, WIDE_N = 512, BLOCK = 64, PAD = 16, ROOM = WIDE_N * (WIDE_N + PAD), NESTED = 1 << 16 };

typedef TSR_STRIDED(float const, 2) source;
typedef TSR_STRIDED_UNIT(float const, 2, 1) source_rows;
typedef TSR_STRIDED_UNIT(float, 2, 1) rows;
typedef TSR_STRIDED(float, 1) line;
typedef TSR_EACH_OF(float const) each;

static float *a, *b, *c; /* memory that the compiler knows nothing of */

static float *memory(void)
{
    float *const p = (float *)malloc(sizeof(float) * (ROOM + 7 * PAD));
    return p ? p : (exit(1), p);
}

/** A matrix of n by n elements whose rows are `ld` apart. */
static tsr_tensor matrix(float *p, int64_t n, int64_t ld)
{
    return tsr_make_tensor(tsr_make_ptr(p), tsr_t(n, n), tsr_t(ld, 1));
}

static int64_t extent(tsr_tensor const *t, int mode) { return tsr_size(tsr_mode(t->layout, mode)); }

static int64_t least(int64_t x, int64_t y) { return x < y ? x : y; }

/* C += A B, the innermost loop along rows */

static BENCH_NOINLINE void sgemm_by_hand(int64_t m, int64_t n, int64_t k, float const *A, int64_t lda, float const *B,
                                         int64_t ldb, float *C, int64_t ldc)
{
    for (int64_t i = 0; i < m; ++i)
        for (int64_t l = 0; l < k; ++l)
            for (int64_t j = 0; j < n; ++j)
                C[i * ldc + j] += A[i * lda + l] * B[l * ldb + j];
}

static BENCH_NOINLINE void sgemm_by_view(tsr_tensor const *A, tsr_tensor const *B, tsr_tensor const *C)
{
    source_rows x, y;
    rows z;
    bench_done(tsr_strided(&x, *A));
    bench_done(tsr_strided(&y, *B));
    bench_done(tsr_strided(&z, *C));
    int64_t const m = extent(C, 0), n = extent(C, 1), k = extent(A, 1);
    for (int64_t i = 0; i < m; ++i)
        for (int64_t l = 0; l < k; ++l)
            for (int64_t j = 0; j < n; ++j)
                tsr_el(z, i, j) += tsr_el(x, i, l) * tsr_el(y, l, j);
}

/* The same in blocks */

static BENCH_NOINLINE void blocked_by_hand(int64_t m, int64_t n, int64_t k, float const *A, int64_t lda,
                                           float const *B, int64_t ldb, float *C, int64_t ldc)
{
    for (int64_t j0 = 0; j0 < n; j0 += BLOCK)
        for (int64_t l0 = 0; l0 < k; l0 += BLOCK)
            for (int64_t i = 0; i < m; ++i)
                for (int64_t l = l0; l < least(l0 + BLOCK, k); ++l)
                    for (int64_t j = j0; j < least(j0 + BLOCK, n); ++j)
                        C[i * ldc + j] += A[i * lda + l] * B[l * ldb + j];
}

static BENCH_NOINLINE void blocked_by_view(tsr_tensor const *A, tsr_tensor const *B, tsr_tensor const *C)
{
    source_rows x, y;
    rows z;
    bench_done(tsr_strided(&x, *A));
    bench_done(tsr_strided(&y, *B));
    bench_done(tsr_strided(&z, *C));
    int64_t const m = extent(C, 0), n = extent(C, 1), k = extent(A, 1);
    for (int64_t j0 = 0; j0 < n; j0 += BLOCK)
        for (int64_t l0 = 0; l0 < k; l0 += BLOCK)
            for (int64_t i = 0; i < m; ++i)
                for (int64_t l = l0; l < least(l0 + BLOCK, k); ++l)
                    for (int64_t j = j0; j < least(j0 + BLOCK, n); ++j)
                        tsr_el(z, i, j) += tsr_el(x, i, l) * tsr_el(y, l, j);
}

/* The mean of the four neighbours and the element */

static BENCH_NOINLINE void stencil_by_hand(int64_t m, int64_t n, float const *A, int64_t lda, float *C, int64_t ldc)
{
    for (int64_t i = 1; i < m - 1; ++i)
        for (int64_t j = 1; j < n - 1; ++j)
            C[i * ldc + j] = 0.2f
                             * (A[i * lda + j] + A[(i - 1) * lda + j] + A[(i + 1) * lda + j] + A[i * lda + j - 1]
                                + A[i * lda + j + 1]);
}

static BENCH_NOINLINE void stencil_by_view(tsr_tensor const *A, tsr_tensor const *C)
{
    source_rows x;
    rows z;
    bench_done(tsr_strided(&x, *A));
    bench_done(tsr_strided(&z, *C));
    int64_t const m = extent(C, 0), n = extent(C, 1);
    for (int64_t i = 1; i < m - 1; ++i)
        for (int64_t j = 1; j < n - 1; ++j)
            tsr_el(z, i, j) = 0.2f
                              * (tsr_el(x, i, j) + tsr_el(x, i - 1, j) + tsr_el(x, i + 1, j) + tsr_el(x, i, j - 1)
                                 + tsr_el(x, i, j + 1));
}

/* C(j,i) = A(i,j), of any strides */

static BENCH_NOINLINE void transpose_by_hand(int64_t m, int64_t n, float const *A, int64_t lda, float *C, int64_t ldc)
{
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j)
            C[j * ldc + i] = A[i * lda + j];
}

static BENCH_NOINLINE void transpose_by_view(tsr_tensor const *A, tsr_tensor const *C)
{
    source_rows x;
    rows z;
    bench_done(tsr_strided(&x, *A));
    bench_done(tsr_strided(&z, *C));
    int64_t const m = extent(A, 0), n = extent(A, 1);
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j)
            tsr_el(z, j, i) = tsr_el(x, i, j);
}

/* The sums of the rows, of any strides */

static BENCH_NOINLINE void reduce_by_hand(int64_t m, int64_t n, float const *A, int64_t s, int64_t t, float *y,
                                          int64_t inc)
{
    for (int64_t i = 0; i < m; ++i) {
        float sum = 0;
        for (int64_t j = 0; j < n; ++j)
            sum += A[i * s + j * t];
        y[i * inc] = sum;
    }
}

static BENCH_NOINLINE void reduce_by_view(tsr_tensor const *A, tsr_tensor const *Y)
{
    source x;
    line y;
    bench_done(tsr_strided(&x, *A));
    bench_done(tsr_strided(&y, *Y));
    int64_t const m = extent(A, 0), n = extent(A, 1);
    for (int64_t i = 0; i < m; ++i) {
        float sum = 0;
        for (int64_t j = 0; j < n; ++j)
            sum += tsr_el(x, i, j);
        tsr_el(y, i) = sum;
    }
}

/* One element after the other: sums in the order of the 1-D coordinate */

static BENCH_NOINLINE float each_element(tsr_tensor const *t)
{
    each x;
    tsr_addresses ahead;
    float sum = 0;
    bench_done(tsr_each(&x, &ahead, *t));
    for (; x.at; tsr_next(x))
        sum += *x.at;
    return sum;
}

static BENCH_NOINLINE float strided_by_hand(float const *p, int64_t m, int64_t n, int64_t s, int64_t t)
{
    float sum = 0;
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i)
            sum += p[i * s + j * t];
    return sum;
}

/** The bits of an index in the opposite order: 16 modes of 2. */
static BENCH_NOINLINE float reversed_by_hand(float const *p, int64_t n)
{
    float sum = 0;
    for (int64_t i = 0; i < n; ++i) {
        int64_t at = 0;
        for (int k = 0; k < 16; ++k)
            at |= (i >> k & 1) << (15 - k);
        sum += p[at];
    }
    return sum;
}

static BENCH_NOINLINE float swizzled_by_hand(float const *p, int64_t n)
{
    float sum = 0;
    for (int64_t i = 0; i < n; ++i)
        sum += p[i ^ (i >> 3 & 56)]; /* Sw<3,3,3> */
    return sum;
}

/* The cases */

typedef enum kind { SGEMM, BLOCKED, STENCIL, TRANSPOSE, REDUCE, STRIDED, REVERSED, SWIZZLED } kind;

typedef struct job {
    char const *name;
    kind what;
    tsr_tensor A, B, C;
    int64_t n, elements;
    float result;
} job;

static void by_hand(bench_case const *self, int64_t times)
{
    job *const w = (job *)(uintptr_t)self->data;
    int64_t const n = w->n, ld = n + PAD;
    for (int64_t t = 0; t < times; ++t)
        switch (w->what) {
        case SGEMM:
            sgemm_by_hand(n, n, n, a, ld, b, ld, c, ld);
            break;
        case BLOCKED:
            blocked_by_hand(n, n, n, a, ld, b, ld, c, ld);
            break;
        case STENCIL:
            stencil_by_hand(n, n, a, ld, c, ld);
            break;
        case TRANSPOSE:
            transpose_by_hand(n, n, a, ld, c, ld);
            break;
        case REDUCE:
            reduce_by_hand(n, n, a, ld, 1, c, 1);
            break;
        case STRIDED:
            w->result = strided_by_hand(a, n, n, ld, 1);
            break;
        case REVERSED:
            w->result = reversed_by_hand(a, NESTED);
            break;
        case SWIZZLED:
            w->result = swizzled_by_hand(a, NESTED);
            break;
        }
}

static void by_view(bench_case const *self, int64_t times)
{
    job *const w = (job *)(uintptr_t)self->data;
    for (int64_t t = 0; t < times; ++t)
        switch (w->what) {
        case SGEMM:
            sgemm_by_view(&w->A, &w->B, &w->C);
            break;
        case BLOCKED:
            blocked_by_view(&w->A, &w->B, &w->C);
            break;
        case STENCIL:
            stencil_by_view(&w->A, &w->C);
            break;
        case TRANSPOSE:
            transpose_by_view(&w->A, &w->C);
            break;
        case REDUCE:
            reduce_by_view(&w->A, &w->C);
            break;
        case STRIDED:
        case REVERSED:
        case SWIZZLED:
            w->result = each_element(&w->A);
            break;
        }
}

static void fill(void)
{
    for (int i = 0; i < ROOM; ++i) {
        a[i] = (float)(i % 13);
        b[i] = (float)(i % 7);
        c[i] = 0;
    }
}

/** Both ways give the same bits. */
static void verify(job *w, bench_case const *hand, bench_case const *view)
{
    static float kept[ROOM];
    fill();
    by_hand(hand, 1);
    float const result = w->result;
    memcpy(kept, c, sizeof kept);
    fill();
    by_view(view, 1);
    if (memcmp(kept, c, sizeof kept) != 0 || memcmp(&result, &w->result, sizeof result) != 0)
        exit(fprintf(stderr, "%s: the results differ\n", w->name) != 0);
}

static int measure(job *w)
{
    bench_case cases[2] = {{w->name, 0, by_hand, w, {0}}, {w->name, 0, by_view, w, {0}}};
    verify(w, &cases[0], &cases[1]);
    bench_measure(cases, 2, w->what <= BLOCKED ? 1 : 8);
    double const hand = bench_median(&cases[0]), view = bench_median(&cases[1]);
    double ratio[BENCH_TURNS]; /* of turns of the same rank, which other programs slow down alike */
    for (int i = 0; i < BENCH_TURNS; ++i)
        ratio[i] = cases[1].ns[i] / cases[0].ns[i];
    double const middle = bench_middle(ratio, BENCH_TURNS), step = view / (double)(w->elements ? w->elements : 1);
    bool const good = w->elements ? step <= 2 : middle <= 1.05;
    printf("%-28s %10.1f %10.1f %7.3f", w->name, hand / 1000, view / 1000, middle);
    if (w->elements)
        printf("   %.2f ns an element, by hand %.2f", step, hand / (double)w->elements);
    printf("%s\n", good ? "" : "   over the limit");
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    char const *const part = argc > 1 ? argv[1] : "";
    float *const all[3] = {memory(), memory(), memory()};
    a = all[0];
    b = all[1] + 3 * PAD; /* pages begin alike: no two rows that meet in a loop have the same low bits of addresses */
    c = all[2] + 7 * PAD;
    tsr_tensor const small[3] = {matrix(a, N, N + PAD), matrix(b, N, N + PAD), matrix(c, N, N + PAD)},
                     wide[2] = {matrix(a, WIDE_N, WIDE_N + PAD), matrix(c, WIDE_N, WIDE_N + PAD)};
    tsr_tensor const sums = tsr_make_tensor(tsr_make_ptr(c), tsr_t(WIDE_N)),
                     nested = tsr_make_tensor(tsr_make_ptr(a), tsr_t(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2),
                                              tsr_right()),
                     swizzled = tsr_make_tensor(tsr_make_ptr(a),
                                                tsr_swizzled(tsr_make_swizzle(3, 3, 3), tsr_make_layout(NESTED)));
    job jobs[] = {{"sgemm, i k j", SGEMM, small[0], small[1], small[2], N, 0, 0},
                  {"sgemm, blocks of 64", BLOCKED, small[0], small[1], small[2], N, 0, 0},
                  {"stencil of 5 points", STENCIL, wide[0], wide[0], wide[1], WIDE_N, 0, 0},
                  {"transposition", TRANSPOSE, wide[0], wide[0], wide[1], WIDE_N, 0, 0},
                  {"sums of rows", REDUCE, wide[0], wide[0], sums, WIDE_N, 0, 0},
                  {"each, (256,256):(272,1)", STRIDED, small[0], sums, sums, N, N * N, 0},
                  {"each, 16 modes of 2", REVERSED, nested, sums, sums, 0, NESTED, 0},
                  {"each, Sw<3,3,3> o 65536:1", SWIZZLED, swizzled, sums, sums, 0, NESTED, 0}};
    int over = 0;
    bench_one_thread = true;
    bench_print_machine();
    printf("%-28s %10s %10s %7s\n", "", "us by hand", "by view", "ratio");
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; ++i)
        if (strncmp(jobs[i].name, part, strlen(part)) == 0)
            over += measure(&jobs[i]);
    for (int i = 0; i < 3; ++i)
        free(all[i]);
    return over != 0;
}
