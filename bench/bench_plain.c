/* Work beside the loops that anyone writes for it, by every row of this machine: products, copies, casts, functions and
 * updates. The compiler makes what it can of the loops, for any processor of the kind. Every result is compared with
 * that of the loop before it is timed. Plans are in hand; one thread.
 *
 *  Columns: what the loop takes in us; how many times as fast each row is, the portable ones last: below 1 a row loses.
 *
 *  usage: bench_plain [PART [TURNS]]      PART: a part of the names of the cases
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "tessera/exec/engine.h"
#include "tessera/exec/gemm_plan.h"
#include "tessera/tessera.h"
#include "timing.h"

enum { ROOM = 64 << 20, TURNS = 15, ROWS = 6, PLAIN_NS = 300000 };

typedef enum kind { COPIES, UPDATES, PRODUCTS } kind;

typedef struct plain_case {
    char name[48];
    kind kind;
    void (*plain)(struct plain_case const *c);
    int64_t m, n, k; /* extents */
    tsr_function_id function;
    double alpha, beta; /* of updates */
    tsr_tensor a, b, d; /* b: of products */
    tsr_planned_copy copy;
    tsr_planned_gemm product;
    void *work;
    size_t bytes;
} plain_case;

static unsigned char *from, *other, *to, *wanted;
static char const *part = "";
static int turns = TURNS;

/* The loops */

#define PRODUCT(name, T)                                                                               \
  static BENCH_NOINLINE void name(plain_case const *c)                                                 \
  {                                                                                                    \
    T const *restrict const a = (T const *)(void *)from, *restrict const b = (T const *)(void *)other; \
    T *restrict const d = (T *)(void *)to;                                                             \
    for (int64_t j = 0; j < c->n; ++j)                                                                 \
      for (int64_t x = 0; x < c->k; ++x)                                                               \
        for (int64_t i = 0; i < c->m; ++i)                                                             \
          d[i + j * c->m] += a[i + x * c->m] * b[x + j * c->k];                                        \
  }
PRODUCT(product_f32, float)
PRODUCT(product_f64, double)
PRODUCT(product_i32, uint32_t)

/** X(name, type, other type, expression of x): element by element. */
#define EACH(name, T, D, expression)                     \
  static BENCH_NOINLINE void name(plain_case const *c)   \
  {                                                      \
    T const *restrict const s = (T const *)(void *)from; \
    D *restrict const d = (D *)(void *)to;               \
    for (int64_t i = 0; i < c->m; ++i) {                 \
      T const x = s[i];                                  \
      D const y = d[i];                                  \
      (void)y;                                           \
      d[i] = (D)(expression);                            \
    }                                                    \
  }

static inline uint16_t brain(float x)
{
    uint32_t bits = 0;
    memcpy(&bits, &x, 4);
    uint32_t const nan = (bits >> 16 & 0x8000) | 0x7fc0;
    return (uint16_t)(x != x ? nan : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static inline float of_brain(uint16_t x)
{
    uint32_t const bits = (uint32_t)x << 16;
    float y = 0;
    memcpy(&y, &bits, 4);
    return y;
}

EACH(copy_f32, float, float, x)
EACH(f32_to_f64, float, double, x)
EACH(f64_to_f32, double, float, x)
EACH(i8_to_f32, int8_t, float, x)
EACH(u8_to_i32, uint8_t, int32_t, x)
EACH(i32_to_f64, int32_t, double, x)
EACH(i32_to_i8, int32_t, int8_t, x)
EACH(f32_to_bf16, float, uint16_t, brain(x))
EACH(bf16_to_f32, uint16_t, float, of_brain(x))
EACH(scale_f32, float, float, 0.5f * x)
EACH(scale_f64, double, double, 0.5 * x)
EACH(add_f32, float, float, 0.5f * x + 0.25f * y)
EACH(add_f64, double, double, 0.5 * x + 0.25 * y)
EACH(minus_f32, float, float, -x)
EACH(plus_f32, float, float, x + y)
EACH(plus_bf16, uint16_t, uint16_t, brain(of_brain(x) + of_brain(y)))
EACH(plus_brain, uint16_t, float, of_brain(x) + y)
EACH(clip_bf16, uint16_t, uint16_t, x >> 15 ? 0 : x)
EACH(clip_i32, int32_t, int32_t, x > 0 ? x : 0)
EACH(abs_f32, float, float, x < 0 ? -x : x)
EACH(square_f32, float, float, x *x)
EACH(sqrt_f32, float, float, __builtin_sqrtf(x))
EACH(clip_f32, float, float, x > 0 ? x : 0)
EACH(clip_f64, double, double, x > 0 ? x : 0)

#define TURN(name, T)                                    \
  static BENCH_NOINLINE void name(plain_case const *c)   \
  {                                                      \
    T const *restrict const s = (T const *)(void *)from; \
    T *restrict const d = (T *)(void *)to;               \
    for (int64_t i = 0; i < c->m; ++i)                   \
      for (int64_t j = 0; j < c->n; ++j)                 \
        d[j + i * c->n] = s[i + j * c->m];               \
  }
TURN(turn_u8, uint8_t)
TURN(turn_u16, uint16_t)
TURN(turn_f32, float)
TURN(turn_f64, double)

/* Cases */

typedef void loop(plain_case const *c);

static bool is_wanted(char const *name) { return strstr(name, part) != NULL; }

static tsr_tensor tensor(void *p, tsr_dtype type, tsr_layout l)
{
    return tsr_make_tensor(tsr_make_gmem_ptr(p, type), l);
}

static plain_case case_of(kind kind, loop *plain, int64_t m, int64_t n, int64_t k)
{
    plain_case c;
    memset(&c, 0, sizeof c);
    c.kind = kind, c.plain = plain, c.m = m, c.n = n, c.k = k;
    return c;
}

static tsr_number factor(double x) { return x == (int)x ? tsr_number_int((int)x) : tsr_number_real(x); }

/** Plans a case for the row that runs. */
static void make_plan(plain_case *c)
{
    if (c->kind == PRODUCTS)
        c->product = tsr_gemm_plan(c->a, c->b, c->d, NULL);
    else if (c->kind == COPIES)
        c->copy = tsr_copy_plan(c->a, c->d);
    else
        c->copy = tsr_apply_plan(c->function, factor(c->alpha), c->a, factor(c->beta), c->d);
    bench_done(c->kind == PRODUCTS ? c->product.of.product.why : c->copy.why);
    free(c->work);
    c->bytes = c->kind == PRODUCTS ? tsr_gemm_workspace(&c->product) : 0;
    c->work = c->bytes > 0 ? malloc(c->bytes) : NULL;
}

static void run(plain_case const *c)
{
    if (c->kind == PRODUCTS)
        bench_done(tsr_gemm_run(&c->product, c->work, c->bytes));
    else
        (void)tsr_copy_run(&c->copy, NULL, &c->a, &c->d, 0, c->copy.units);
}

/** Lets a row run, and plans a case for it. */
static void use_row(plain_case *c, int row)
{
    if (!tsr_cpu_engine_use(tsr_cpu_engine_row(row)))
        exit(1);
    make_plan(c);
}

/** The same small numbers in a buffer, whatever is read of it, and zeros where results go. */
static void begin(plain_case const *c)
{
    tsr_tensor const t[2] = {c->a, c->kind == PRODUCTS ? c->b : c->a};
    unsigned char *const p[2] = {from, other};
    for (int o = 0; o < 2; ++o)
        for (int64_t i = 0; i < tsr_cosize(t[o].layout); ++i)
            tsr_store(t[o].engine.type, p[o] + i * (tsr_dtype_bits(t[o].engine.type) / 8), 0,
                      tsr_number_int((i * 7 + i / 13) % 5));
    memset(to, 0, ROOM);
}

static void check(plain_case const *c, char const *row)
{
    begin(c);
    run(c);
    int64_t const bytes = tsr_cosize(c->d.layout) * (tsr_dtype_bits(c->d.engine.type) / 8);
    if (memcmp(to, wanted, (size_t)bytes) != 0) { /* all are small whole numbers or quarters of them: exact */
        printf("%s is wrong by the row %s\n", c->name, row);
        exit(1);
    }
}

static double time_of(plain_case const *c, bool plain, int times)
{
    double const start = bench_now();
    for (int i = 0; i < times; ++i) {
        if (plain)
            c->plain(c);
        else
            run(c);
    }
    return (bench_now() - start) / times;
}

/** A line: by all rows in turn. */
static void measure(plain_case *c)
{
    double ns[ROWS + 1][BENCH_TURNS], ratio[ROWS][BENCH_TURNS];
    int rows = 0;
    if (!is_wanted(c->name))
        return;
    begin(c);
    c->plain(c);
    memcpy(wanted, to, ROOM);
    for (; rows < ROWS && tsr_cpu_engine_row(rows); ++rows) {
        use_row(c, rows);
        check(c, tsr_cpu_engine_row(rows));
    }
    int const times = (int)(PLAIN_NS / (time_of(c, true, 1) + 1)) + 1;
    for (int t = 0; t < turns; ++t) {
        ns[rows][t] = time_of(c, true, times);
        for (int i = 0; i < rows; ++i) {
            use_row(c, i);
            ns[i][t] = time_of(c, false, times);
            ratio[i][t] = ns[rows][t] / ns[i][t];
        }
    }
    printf("%-36s %10.2f", c->name, bench_middle(ns[rows], turns) / 1000);
    for (int i = 0; i < rows; ++i)
        printf(" %8.2f", bench_middle(ratio[i], turns));
    printf("\n");
    (void)fflush(stdout);
    free(c->work);
}

static void measure_product(char const *name, tsr_dtype type, loop *plain, int64_t n)
{
    plain_case c = case_of(PRODUCTS, plain, n, n, n);
    (void)snprintf(c.name, sizeof c.name, "product, %s, %d", name, (int)n);
    c.a = tensor(from, type, tsr_make_layout(tsr_t(n, n)));
    c.b = tensor(other, type, tsr_make_layout(tsr_t(n, n), tsr_t(n, 1)));
    c.d = tensor(to, type, tsr_make_layout(tsr_t(n, n)));
    measure(&c);
}

/** A copy where alpha is 0. */
static void measure_line(char const *name, tsr_function_id function, double alpha, double beta, tsr_dtype type,
                         tsr_dtype into, loop *plain, int64_t n)
{
    plain_case c = case_of(alpha == 0 ? COPIES : UPDATES, plain, n, 1, 1);
    (void)snprintf(c.name, sizeof c.name, "%s, %d", name, (int)n);
    c.function = function, c.alpha = alpha, c.beta = beta;
    c.a = tensor(from, type, tsr_make_layout(n));
    c.d = tensor(to, into, tsr_make_layout(n));
    measure(&c);
}

static void measure_turn(char const *name, tsr_dtype type, loop *plain, int64_t m, int64_t n)
{
    plain_case c = case_of(COPIES, plain, m, n, 1);
    (void)snprintf(c.name, sizeof c.name, "transposed, %s, %d by %d", name, (int)m, (int)n);
    c.a = tensor(from, type, tsr_make_layout(tsr_t(m, n)));
    c.d = tensor(to, type, tsr_make_layout(tsr_t(m, n), tsr_right()));
    measure(&c);
}

/* clang-format off */
/** X(name, function, alpha, beta, type, of the result, loop): lines. */
#define LINES(X)                                                        \
    X("copy, f32", IDENTITY, 0, 0, F32, F32, copy_f32)                  \
    X("f32 to f64", IDENTITY, 0, 0, F32, F64, f32_to_f64)               \
    X("f64 to f32", IDENTITY, 0, 0, F64, F32, f64_to_f32)               \
    X("i8 to f32", IDENTITY, 0, 0, I8, F32, i8_to_f32)                  \
    X("u8 to i32", IDENTITY, 0, 0, U8, I32, u8_to_i32)                  \
    X("i32 to f64", IDENTITY, 0, 0, I32, F64, i32_to_f64)               \
    X("i32 to i8", IDENTITY, 0, 0, I32, I8, i32_to_i8)                  \
    X("f32 to bf16", IDENTITY, 0, 0, F32, BF16, f32_to_bf16)            \
    X("bf16 to f32", IDENTITY, 0, 0, BF16, F32, bf16_to_f32)            \
    X("x / 2, f32", IDENTITY, 0.5, 0, F32, F32, scale_f32)              \
    X("x / 2, f64", IDENTITY, 0.5, 0, F64, F64, scale_f64)              \
    X("-x, f32", IDENTITY, -1, 0, F32, F32, minus_f32)                  \
    X("x + y, f32", IDENTITY, 1, 1, F32, F32, plus_f32)                 \
    X("x + y, bf16", IDENTITY, 1, 1, BF16, BF16, plus_bf16)             \
    X("x + y, bf16 to f32", IDENTITY, 1, 1, BF16, F32, plus_brain)      \
    X("x / 2 + y / 4, f32", IDENTITY, 0.5, 0.25, F32, F32, add_f32)     \
    X("x / 2 + y / 4, f64", IDENTITY, 0.5, 0.25, F64, F64, add_f64)     \
    X("relu, f32", RELU, 1, 0, F32, F32, clip_f32)                      \
    X("relu, bf16", RELU, 1, 0, BF16, BF16, clip_bf16)                  \
    X("relu, f64", RELU, 1, 0, F64, F64, clip_f64)                      \
    X("relu, i32", RELU, 1, 0, I32, I32, clip_i32)                      \
    X("abs, f32", ABS, 1, 0, F32, F32, abs_f32)                         \
    X("square, f32", SQUARE, 1, 0, F32, F32, square_f32)                \
    X("sqrt, f32", SQRT, 1, 0, F32, F32, sqrt_f32)
/* clang-format on */

int main(int argc, char **argv)
{
    static int64_t const squares[] = {7, 8, 16, 31, 64, 128, 256, 512}, lines[] = {4096, 1 << 22};
    part = argc > 1 ? argv[1] : "";
    turns = argc > 2 ? (int)tsr_min64(tsr_max64(atoi(argv[2]), 1), BENCH_TURNS) : TURNS;
    unsigned char **const all[] = {&from, &other, &to, &wanted};
    for (int i = 0; i < 4; ++i)
        if (!(*all[i] = (unsigned char *)aligned_alloc(4096, ROOM)))
            return 1;
    bench_one_thread = true;
    (void)tsr_cpu_engine_threads(1);
    bench_print_machine();
    printf("%-36s %10s", "", "loop, us");
    for (int i = 0; i < ROWS && tsr_cpu_engine_row(i); ++i)
        printf(" %8s", tsr_cpu_engine_row(i));
    printf("\n");
    for (size_t i = 0; i < sizeof squares / sizeof *squares; ++i) {
        measure_product("f32", TSR_F32, product_f32, squares[i]);
        measure_product("f64", TSR_F64, product_f64, squares[i]);
        measure_product("i32", TSR_I32, product_i32, squares[i]);
    }
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
#define X(name, function, alpha, beta, type, into, plain) \
  measure_line(name, TSR_OF_##function, alpha, beta, TSR_##type, TSR_##into, plain, lines[i]);
        LINES(X)
#undef X
    }
    for (int64_t n = 64; n <= 2048; n *= 32) {
        measure_turn("u8", TSR_U8, turn_u8, n, n - 1);
        measure_turn("u16", TSR_U16, turn_u16, n, n - 1);
        measure_turn("f32", TSR_F32, turn_f32, n, n - 1);
        measure_turn("f64", TSR_F64, turn_f64, n, n - 1);
    }
    return 0;
}
