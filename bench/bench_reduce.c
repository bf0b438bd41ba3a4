/* Reductions, functions and transformations beside memcpy, in turn, in one process; reductions are verified before they
 * are timed.
 *
 *  Columns: GB/s read, of what is no reduction read and written; of memcpy, read and written; how much of memcpy's
 *  speed that is.
 *
 *  usage: bench_reduce [PART [TURNS [THREADS]]]      PART: a prefix of the names of the cases, "" for all
 */
#include "tessera/tessera.h"
#include "timing.h"

enum { MOST = 64, ROOM = 128 << 20 };

typedef enum kind { REDUCES, APPLIES, TRANSFORMS } kind;

typedef struct reduce_case {
    char name[64];
    kind kind;
    int op; /* TSR_REDUCE_, TSR_OF_ */
    tsr_tensor s, d;
    int64_t bytes;
} reduce_case;

static unsigned char *from, *to;
static double results[1 << 23];
static reduce_case cases[MOST];
static int count, turns = 9;
static char const *part = "";

static void add(char const *name, int op, tsr_dtype type, tsr_tuple shape, tsr_tuple source, tsr_tuple kept,
                tsr_dtype other)
{
    reduce_case *const c = &cases[count];
    if (strncmp(name, part, strlen(part)) != 0 || count == MOST)
        return;
    (void)snprintf(c->name, sizeof c->name, "%s", name);
    c->op = op;
    c->s = tsr_make_tensor(tsr_make_gmem_ptr((void *)from, type), tsr_make_layout(shape, source));
    c->d = tsr_make_tensor(tsr_make_gmem_ptr((void *)results, other), tsr_make_layout(shape, kept));
    c->bytes = tsr_layout_size(c->s.layout) * tsr_dtype_bits(type) / 8;
    ++count;
}

/** Element by element, from one array to another. */
static void add_move(char const *name, kind kind, int op, tsr_dtype type, tsr_layout l)
{
    int const before = count;
    add(name, op, type, l.shape, l.stride, l.stride, type);
    for (int i = before; i < count; ++i) {
        cases[i].kind = kind;
        cases[i].d.engine = tsr_make_gmem_ptr((void *)to, type);
        cases[i].bytes *= 2;
    }
}

static double user(double x, void const *context) { return x * x + *(double const *)context; }

static tsr_number user_number(tsr_number x, void const *context)
{
    return tsr_number_add(x, *(tsr_number const *)context);
}

static long double number(tsr_tensor const *t, int64_t offset)
{
    tsr_number const x = tsr_element_(&t->engine, offset);
    return x.kind == TSR_SIGNED ? (long double)(int64_t)x.bits : (long double)tsr_number_to_double(x);
}

/** Results all over the destination are what a plain loop gives. */
static bool is_right(reduce_case const *c)
{
    int64_t const n = tsr_layout_size(c->d.layout);
    if (c->kind != REDUCES)
        return true;
    for (int place = 0; place < 3; ++place) {
        int64_t const wanted = tsr_at_index(c->d.layout, n / 3 * place);
        tsr_walk x = tsr_walk_begin(c->s.layout), y = tsr_walk_begin(c->d.layout);
        long double sum = 0, size = 0, least = 1e30L, most = -1e30L;
        for (int64_t i = 0; i < n; ++i, tsr_walk_next(&x), tsr_walk_next(&y)) {
            if (y.offset != wanted)
                continue;
            long double const e = number(&c->s, x.offset);
            sum += e;
            size += e < 0 ? -e : e;
            least = e < least ? e : least;
            most = e > most ? e : most;
        }
        long double const got = number(&c->d, wanted);
        long double const r = c->op == TSR_REDUCE_SUM ? sum : c->op == TSR_REDUCE_MIN ? least : most;
        long double const off = r < got ? got - r : r - got;
        if (off > (tsr_number_kind_of(c->d.engine.type) == TSR_REAL ? 1e-6L * size : 0))
            return false;
    }
    return true;
}

static void run(reduce_case const *c)
{
    double const tenth = 0.1;
    tsr_number const number = tsr_number_real(tenth);
    if (c->kind == REDUCES)
        bench_done(tsr_reduce_to(c->op, c->s, c->d));
    else if (c->kind == APPLIES)
        bench_done(tsr_apply(c->op, c->s, c->d));
    else if (c->op == 0)
        bench_done(tsr_transform_reals(c->s, c->d, user, &tenth));
    else
        bench_done(tsr_transform(c->s, c->d, user_number, &number));
}

static void run_memcpy(reduce_case const *c, int threads)
{
    int64_t const n = c->bytes / 2;
    (void)threads;
#if defined(_OPENMP)
#  pragma omp parallel for num_threads(threads) schedule(static)
#endif
    for (int i = 0; i < threads; ++i)
        memcpy(to + n * i / threads, from + n * i / threads, (size_t)(n * (i + 1) / threads - n * i / threads));
}

static void measure(reduce_case const *c, int threads)
{
    double own[BENCH_TURNS], copy[BENCH_TURNS];
    run(c);
    if (!is_right(c)) {
        printf("%s is wrong\n", c->name);
        exit(1);
    }
    int64_t const times = c->bytes > 20000000 ? 1 : 20000000 / c->bytes;
    for (int turn = 0; turn < turns; ++turn) {
        double const begin = bench_now();
        for (int64_t i = 0; i < times; ++i)
            run(c);
        double const middle = bench_now();
        for (int64_t i = 0; i < times; ++i)
            run_memcpy(c, threads);
        own[turn] = (middle - begin) / (double)times;
        copy[turn] = (bench_now() - middle) / (double)times;
    }
    double const t = bench_middle(own, turns), m = bench_middle(copy, turns);
    printf("%-40s %8.2f %8.2f %6.2f\n", c->name, (double)c->bytes / t, (double)c->bytes / m, m / t);
    (void)fflush(stdout);
}

static void add_all(void)
{
    int64_t const n = 1 << 25; /* of f32: 128 MB */
#define X(id, of, other)                                                                               \
  add("all, sum, " #id, TSR_REDUCE_SUM, TSR_##id, tsr_t(n * 4 / of), tsr_t(1), tsr_t(0), TSR_##other); \
  add("all, max, " #id, TSR_REDUCE_MAX, TSR_##id, tsr_t(n * 4 / of), tsr_t(1), tsr_t(0), TSR_##other);
    /* clang-format off */
    X(F32, 4, F32)
    X(F64, 8, F64)
    X(BF16, 2, F32) X(F16, 2, F32) X(I8, 1, I64) X(U8, 1, I64) X(I16, 2, I64) X(I32, 4, I64)
#undef X
        add("rows of 8192, f32", TSR_REDUCE_SUM, TSR_F32, tsr_t(8192, n / 8192), tsr_t(1, 8192), tsr_t(0, 1),
            TSR_F32);
    /* clang-format on */
    add("rows of 256, f32", TSR_REDUCE_SUM, TSR_F32, tsr_t(256, n / 256), tsr_t(1, 256), tsr_t(0, 1), TSR_F32);
    add("rows of 64, f32", TSR_REDUCE_SUM, TSR_F32, tsr_t(64, n / 64), tsr_t(1, 64), tsr_t(0, 1), TSR_F32);
    add("rows of 32, f32", TSR_REDUCE_SUM, TSR_F32, tsr_t(32, n / 32), tsr_t(1, 32), tsr_t(0, 1), TSR_F32);
    add("rows of 16, f32", TSR_REDUCE_SUM, TSR_F32, tsr_t(16, n / 16), tsr_t(1, 16), tsr_t(0, 1), TSR_F32);
    add("rows of 8, f32", TSR_REDUCE_SUM, TSR_F32, tsr_t(8, n / 8), tsr_t(1, 8), tsr_t(0, 1), TSR_F32);
    add("rows of 8, max, f32", TSR_REDUCE_MAX, TSR_F32, tsr_t(8, n / 8), tsr_t(1, 8), tsr_t(0, 1), TSR_F32);
    add("rows of 8, bf16", TSR_REDUCE_SUM, TSR_BF16, tsr_t(8, n / 4), tsr_t(1, 8), tsr_t(0, 1), TSR_F32);
    add("rows of 8, i8", TSR_REDUCE_SUM, TSR_I8, tsr_t(8, n / 2), tsr_t(1, 8), tsr_t(0, 1), TSR_I32);
    add("rows of 7, f32", TSR_REDUCE_SUM, TSR_F32, tsr_t(7, n / 8), tsr_t(1, 7), tsr_t(0, 1), TSR_F32);
    add("rows of 8, f64", TSR_REDUCE_SUM, TSR_F64, tsr_t(8, n / 16), tsr_t(1, 8), tsr_t(0, 1), TSR_F64);
    add("columns of 4096, f32", TSR_REDUCE_SUM, TSR_F32, tsr_t(8192, n / 8192), tsr_t(1, 8192), tsr_t(1, 0), TSR_F32);
    add("columns of 4096, max, f32", TSR_REDUCE_MAX, TSR_F32, tsr_t(8192, n / 8192), tsr_t(1, 8192), tsr_t(1, 0),
        TSR_F32);
    add("columns of 4096, bf16", TSR_REDUCE_SUM, TSR_BF16, tsr_t(16384, n / 8192), tsr_t(1, 16384), tsr_t(1, 0),
        TSR_F32);
    add("columns of 4096, i8", TSR_REDUCE_SUM, TSR_I8, tsr_t(32768, n / 8192), tsr_t(1, 32768), tsr_t(1, 0), TSR_I32);
    tsr_tuple const cube = tsr_t(256, 256, 512), compact = tsr_t(1, 256, 65536);
    add("middle of 256,256,512, f32", TSR_REDUCE_SUM, TSR_F32, cube, compact, tsr_t(1, 0, 256), TSR_F32);
    add("outer two of 256,256,512, f32", TSR_REDUCE_SUM, TSR_F32, cube, compact, tsr_t(1, 0, 0), TSR_F32);
    add("inner and outer of 256,256,512, f32", TSR_REDUCE_SUM, TSR_F32, cube, compact, tsr_t(0, 1, 0), TSR_F32);
    tsr_tuple const flat = tsr_t(32, 1024, 1024), dense = tsr_t(1, 32, 32768);
    add("middle of 32,1024,1024, f32", TSR_REDUCE_SUM, TSR_F32, flat, dense, tsr_t(1, 0, 32), TSR_F32);
    add("outer two of 32,1024,1024, f32", TSR_REDUCE_SUM, TSR_F32, flat, dense, tsr_t(1, 0, 0), TSR_F32);
    add("outer two of 8,2048,2048, f32", TSR_REDUCE_SUM, TSR_F32, tsr_t(8, 2048, 2048), tsr_t(1, 8, 16384),
        tsr_t(1, 0, 0), TSR_F32);
    tsr_layout const line = tsr_make_layout(n);
/* clang-format off */
#define X(id, type)                                                                                               \
    add_move(id ", f32", APPLIES, type, TSR_F32, line);                                       \
    add_move(id ", bf16", APPLIES, type, TSR_BF16, tsr_make_layout(2 * n));                   \
    add_move(id ", e4m3", APPLIES, type, TSR_F8_E4M3FN, tsr_make_layout(4 * n));
    X("relu", TSR_OF_RELU) X("exp", TSR_OF_EXP) X("gelu", TSR_OF_GELU)
/* clang-format on */
#undef X
        add_move("transform of doubles, f32", TRANSFORMS, 0, TSR_F32, line);
    add_move("transform of numbers, f32", TRANSFORMS, 1, TSR_F32, line);
}

int main(int argc, char **argv)
{
    int const threads = argc > 3 ? atoi(argv[3]) : 1;
    part = argc > 1 ? argv[1] : "";
    turns = argc > 2 ? (int)tsr_min64(tsr_max64(atoi(argv[2]), 1), BENCH_TURNS) : 9;
    from = (unsigned char *)aligned_alloc(4096, ROOM);
    to = (unsigned char *)aligned_alloc(4096, ROOM);
    if (!from || !to)
        return 1;
    for (size_t i = 0; i < ROOM / 2; ++i) { /* floats between 0.5 and 2, in any format */
        uint16_t const x = (uint16_t)(0x3f00 + (i * 7 + i / 13) % 251);
        memcpy(from + 2 * i, &x, 2);
    }
    memset(to, 0, ROOM);
    add_all();
    bench_print_machine();
    (void)tsr_cpu_engine_threads(threads);
    printf("row %s, %d threads\n%-40s %8s %8s %6s\n", tsr_cpu_engine_name(), threads, "", "GB/s", "memcpy", "ratio");
    for (int i = 0; i < count; ++i)
        measure(&cases[i], threads);
    return 0;
}
