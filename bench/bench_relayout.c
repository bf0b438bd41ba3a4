/* Relayouts beside memcpy of the same bytes, in turn, in one process: HPTT's permutations (from a file), transposes,
 * odd sizes, packings, casts, updates, fills; verified before they are timed. Peers where they were found: OpenBLAS
 * (omatcopy), HPTT.
 *
 *  Columns: GB/s read and written, of memcpy, how much of memcpy's speed that is; of the peer, too. Of transposed
 *  updates the peer is a limit: a loop that reads both sides and writes one in such an order, and computes nothing.
 *
 *  usage: bench_relayout CASES [PART [TURNS [THREADS]]]      PART: a prefix of the group, or of the name a part
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "tessera/tessera.h"
#include "moved.h"
#include "timing.h"
#if defined(HAVE_OPENBLAS)
#  include <cblas.h>
#endif
#if defined(HAVE_HPTT) /* its header is C++ */
void sTensorTranspose(int const *perm, int dim, float alpha, float const *a, int const *size, int const *outer_a,
                      float beta, float *b, int const *outer_b, int threads, int row_major);
void dTensorTranspose(int const *perm, int dim, double alpha, double const *a, int const *size, int const *outer_a,
                      double beta, double *b, int const *outer_b, int threads, int row_major);
#endif

enum { MOST = 256 };

typedef struct relayout_case {
    char name[64];
    char const *group;
    tsr_tensor s, d;
    tsr_planned_copy plan;
    int64_t bytes, written;            /* read and written; written alone */
    int rank, permutation[6], size[6]; /* of a whole permutation of f32 or f64; rank 0: something else */
    bool turned;                       /* an update of a matrix that reads the destination, transposed */
    double ratio;
} relayout_case;

static unsigned char *from, *to;
static size_t room;
static char const *part = "";
static int turns = 9;
static relayout_case cases[MOST];
static int count;

static void add(char const *group, char const *name, tsr_dtype type, tsr_layout s, tsr_dtype other, tsr_layout d,
                int64_t offset)
{
    relayout_case *const c = &cases[count];
    int64_t const n = tsr_layout_size(d), cosize = tsr_cosize(d), source = tsr_cosize(s);
    if ((strncmp(group, part, strlen(part)) != 0 && !strstr(name, part)) || count == MOST)
        return;
    (void)snprintf(c->name, sizeof c->name, "%s", name);
    c->group = group;
    c->bytes = n * (tsr_dtype_bits(type) + tsr_dtype_bits(other)) / 8;
    c->written = n * tsr_dtype_bits(other) / 8;
    if ((size_t)(cosize * tsr_dtype_bits(other) / 8 + offset) > room
        || (size_t)(source * tsr_dtype_bits(type) / 8) > room) {
        printf("%s: too large\n", name);
        exit(1);
    }
    c->s = tsr_make_tensor(tsr_make_gmem_ptr((void *)from, type), s);
    c->d = tsr_make_tensor(tsr_make_gmem_ptr((void *)(to + offset), other), d);
    c->plan = tsr_copy_plan(c->s, c->d);
    if (c->plan.why.status) {
        printf("%s: no plan\n", name);
        exit(1);
    }
    ++count;
}

/** alpha * x + beta * y in the place of a copy: y is read too, where beta is not 0. */
static void add_update(char const *name, tsr_dtype type, tsr_layout s, tsr_dtype other, tsr_layout d, double beta)
{
    int const before = count;
    add("update", name, type, s, other, d, 0);
    for (int i = before; i < count; ++i) {
        cases[i].plan =
            tsr_apply_plan(TSR_OF_IDENTITY, tsr_number_real(0.7), cases[i].s, tsr_number_real(beta), cases[i].d);
        cases[i].bytes += beta != 0 ? cases[i].written : 0;
        cases[i].turned = beta != 0 && s.shape.leaves == 2;
    }
}

static void add_updates(void)
{
    tsr_layout const flat = tsr_make_layout(1 << 25), s = tsr_make_layout(tsr_t(4096, 8192));
    tsr_layout const d = tsr_make_layout(tsr_t(4096, 8192), tsr_right());
    tsr_layout const six = tsr_make_layout(tsr_t(32, 24, 32, 24, 40));
    tsr_layout const back = tsr_make_layout(tsr_t(32, 24, 32, 24, 40), tsr_right());
    tsr_layout const one = tsr_make_layout(1 << 25, 0);
    add_update("0.7 x, f32", TSR_F32, flat, TSR_F32, flat, 0);
    add_update("0.7 x + 0.3 y, f32", TSR_F32, flat, TSR_F32, flat, 0.3);
    add_update("0.7 x + 0.3 y, f64", TSR_F64, flat, TSR_F64, flat, 0.3);
    add_update("0.7 x + 0.3 y, bf16", TSR_BF16, flat, TSR_BF16, flat, 0.3);
    add_update("0.7 x + 0.3 y, bf16 to f32", TSR_BF16, flat, TSR_F32, flat, 0.3);
    add_update("0.7 x + 0.3 y, f16", TSR_F16, flat, TSR_F16, flat, 0.3);
    add_update("0.7 x + 0.3 y, f32 to bf16", TSR_F32, flat, TSR_BF16, flat, 0.3);
    add_update("0.7 x, transposed, f32", TSR_F32, s, TSR_F32, d, 0);
    add_update("0.7 x + 0.3 y, transposed, f32", TSR_F32, s, TSR_F32, d, 0.3);
    add_update("0.7 x + 0.3 y, transposed, f64", TSR_F64, s, TSR_F64, d, 0.3);
    add_update("0.7 x + 0.3 y, transposed, bf16", TSR_BF16, s, TSR_BF16, d, 0.3);
    add_update("0.7 x + 0.3 y, five reversed, f32", TSR_F32, six, TSR_F32, back, 0.3);
    add_update("0.7 x + 0.3 y, five reversed, bf16", TSR_BF16, six, TSR_BF16, back, 0.3);
    add("fill", "f32", TSR_F32, one, TSR_F32, flat, 0);
    add("fill", "f32, a row over all columns", TSR_F32, tsr_make_layout(tsr_t(4096, 8192), tsr_t(1, 0)), TSR_F32, s,
        0);
    add("fill", "f32, a column over all rows", TSR_F32, tsr_make_layout(tsr_t(4096, 8192), tsr_t(0, 1)), TSR_F32, s,
        0);
}

static void run(relayout_case const *c) { tsr_copy_run(&c->plan, NULL, &c->s, &c->d, 0, c->plan.units); }

/** memcpy of the same bytes, by as many threads. */
static void run_memcpy(relayout_case const *c, int threads)
{
    int64_t const n = c->bytes / 2;
    (void)threads;
#if defined(_OPENMP)
#  pragma omp parallel for num_threads(threads) schedule(static)
#endif
    for (int i = 0; i < threads; ++i)
        memcpy(to + n * i / threads, from + n * i / threads, (size_t)(n * (i + 1) / threads - n * i / threads));
}

/** A line of memory of each of 128 lines of the source, of elements of `size` bytes, and as many of the destination,
 *  which are written again: the accesses of a transposed update, in an order that is fast. */
static inline void run_limit_of(relayout_case const *c, int64_t const size)
{
    enum { LINES = 128, LINE = 64 };
    int64_t const n = (int64_t)tsr_leaf_extent(c->s.layout.shape.leaf[0]), m = tsr_layout_size(c->s.layout) / n;
    int64_t const rows = LINE / size, of_row = LINES / rows; /* lines of memory of a row are written in turn */
    uint64_t sum[LINE / 8] = {0}, at[LINE / 8];
    for (int64_t j = 0; j < m; j += LINES)
        for (int64_t i = 0; i < n; i += rows)
            for (int64_t k = 0; k < LINES; ++k) {
                unsigned char const *const p = from + ((j + k) * n + i) * size;
                unsigned char *const q = to + ((i + k / of_row) * m + j) * size + k % of_row * LINE;
                __builtin_prefetch(p + LINE, 0, 2);
                __builtin_prefetch(q + rows * m * size, 1, 2);
                memcpy(at, p, LINE);
                for (int x = 0; x < LINE / 8; ++x)
                    sum[x] ^= at[x];
                memcpy(at, q, LINE);
                __asm__(""
                        : "+m"(at)); /* written again, not left out: other numbers would change what an update does */
                memcpy(q, at, LINE);
            }
    bench_sink = (int64_t)sum[0];
}

static void run_limit(relayout_case const *c)
{
    int const bits = tsr_dtype_bits(c->d.engine.type);
    if (bits == 64)
        run_limit_of(c, 8);
    else if (bits == 32)
        run_limit_of(c, 4);
    else
        run_limit_of(c, 2);
}

/** The same by a library that is there, if it has such a function: its name, else NULL. */
static char const *run_peer(relayout_case const *c, int threads)
{
    bool const f32 = c->d.engine.type == TSR_F32;
    void *const b = (void *)(uintptr_t)c->d.engine.address;
    (void)threads, (void)f32, (void)b;
    if (c->turned) {
        run_limit(c);
        return "limit";
    }
    if (c->rank == 0)
        return NULL;
#if defined(HAVE_HPTT)
    if (c->rank > 2) {
        if (f32)
            sTensorTranspose(c->permutation, c->rank, 1, (float *)from, c->size, NULL, 0, (float *)b, NULL, threads,
                             0);
        else
            dTensorTranspose(c->permutation, c->rank, 1, (double *)from, c->size, NULL, 0, (double *)b, NULL, threads,
                             0);
        return "HPTT";
    }
#endif
#if defined(HAVE_OPENBLAS)
    if (c->rank == 2) {
        int const n = c->size[0], m = c->size[1];
        if (f32)
            cblas_somatcopy(CblasColMajor, CblasTrans, n, m, 1, (float *)from, n, (float *)b, m);
        else
            cblas_domatcopy(CblasColMajor, CblasTrans, n, m, 1, (double *)from, n, (double *)b, m);
        return "OpenBLAS";
    }
#endif
    return NULL;
}

/** Fills the source, and the destination of an update, with numbers of their types: what other types make of them would
 *  be rare ones. They repeat themselves. */
static void fill(unsigned char *room_of, tsr_dtype type, int64_t n)
{
    enum { PERIOD = 65521 };
    static float number[PERIOD];
    uint32_t seed = 1;
    for (int i = 0; i < PERIOD; ++i) {
        seed = seed * 1664525 + 1013904223;
        number[i] = (float)(int32_t)(seed >> 8) * 0x1p-23f - 1;
    }
    int64_t const bytes = tsr_dtype_bits(type) / 8;
    tsr_layout const all = tsr_make_layout(tsr_min64(n, PERIOD));
    bench_done(tsr_copy(tsr_make_tensor(tsr_make_gmem_ptr((void *)number, TSR_F32), all),
                        tsr_make_tensor(tsr_make_gmem_ptr((void *)room_of, type), all)));
    for (int64_t i = PERIOD; i < n; i += PERIOD)
        memcpy(room_of + i * bytes, room_of, (size_t)(tsr_min64(n - i, PERIOD) * bytes));
}

static void measure(relayout_case *c, int threads)
{
    double own[BENCH_TURNS], copy[BENCH_TURNS], other[BENCH_TURNS];
    char const *peer = NULL;
    fill(from, c->s.engine.type, tsr_cosize(c->s.layout));
    memset(to, 0, (size_t)c->written + 64);
    run(c);
    if (!bench_moved(&c->plan, &c->s, &c->d)) {
        printf("%s is wrong\n", c->name);
        exit(1);
    }
    if (c->plan.update.computes)
        fill(to, c->d.engine.type, tsr_cosize(c->d.layout));
    int64_t const times = c->bytes > 20000000 ? 1 : 20000000 / c->bytes;
    for (int turn = 0; turn < turns; ++turn) {
        double const begin = bench_now();
        for (int64_t i = 0; i < times; ++i)
            run(c);
        double const middle = bench_now();
        for (int64_t i = 0; i < times; ++i)
            run_memcpy(c, threads);
        double const end = bench_now();
        for (int64_t i = 0; i < times && (turn == 0 || peer); ++i)
            peer = run_peer(c, threads);
        own[turn] = (middle - begin) / (double)times;
        copy[turn] = (end - middle) / (double)times;
        other[turn] = (bench_now() - end) / (double)times;
    }
    double const t = bench_middle(own, turns), m = bench_middle(copy, turns);
    c->ratio = m / t;
    printf("%-10s %-36s %8.2f %8.2f %6.2f", c->group, c->name, (double)c->bytes / t, (double)c->bytes / m, c->ratio);
    if (peer)
        printf("   %s %.2f", peer, m / bench_middle(other, turns));
    printf("\n");
    (void)fflush(stdout);
}

/** One line of the cases: RANK, the permutation, the sizes. */
static void add_permutation(char const *line, tsr_dtype type)
{
    int64_t number[13] = {0};
    int n = 0;
    char name[64];
    char *end = (char *)(uintptr_t)line;
    for (; n < 13; ++n) {
        char *const begin = end;
        number[n] = strtoll(begin, &end, 10);
        if (end == begin)
            break;
    }
    int const rank = (int)number[0];
    if (n != 1 + 2 * rank || rank < 2)
        return;
    int64_t step = 1, stride[6] = {0};
    tsr_tuple shape = TSR_ZERO, strides = TSR_ZERO;
    for (int i = 0; i < rank; ++i) {
        stride[number[1 + i]] = step;
        step *= number[1 + rank + number[1 + i]];
    }
    for (int i = 0; i < rank; ++i) {
        shape = i == 0 ? tsr_t(number[1 + rank]) : tsr_append(shape, tsr_int(number[1 + rank + i]));
        strides = i == 0 ? tsr_t(stride[0]) : tsr_append(strides, tsr_int(stride[i]));
    }
    (void)snprintf(name, sizeof name, "%s", line + 2);
    name[strcspn(name, "\n")] = 0;
    int const before = count;
    add(type == TSR_F32 ? "hptt f32" : "hptt f64", name, type, tsr_make_layout(shape), type,
        tsr_make_layout(shape, strides), 0);
    for (int i = 0; i < rank && count > before; ++i) {
        cases[before].rank = rank;
        cases[before].permutation[i] = (int)number[1 + i];
        cases[before].size[i] = (int)number[1 + rank + i];
    }
}

static void transpose(char const *group, tsr_dtype type, int64_t n, int64_t m, int64_t offset)
{
    char name[64];
    tsr_layout const s = tsr_make_layout(tsr_t(n, m)), d = tsr_make_layout(tsr_t(n, m), tsr_right());
    (void)snprintf(name, sizeof name, "%lldx%lld, %d bytes, at %lld", (long long)n, (long long)m,
                   tsr_dtype_bits(type) / 8, (long long)offset);
    int const before = count;
    add(group, name, type, s, type, d, offset);
    if (count > before && (type == TSR_F32 || type == TSR_F64)) {
        cases[before].rank = 2;
        cases[before].size[0] = (int)n;
        cases[before].size[1] = (int)m;
    }
}

static void add_casts(void)
{
    tsr_layout const flat = tsr_make_layout(1 << 25), small = tsr_make_layout(1 << 14);
    tsr_layout const s = tsr_make_layout(tsr_t(4096, 8192)), d = tsr_make_layout(tsr_t(4096, 8192), tsr_right());
#define X(a, b) add("cast", #a " to " #b, TSR_##a, flat, TSR_##b, flat, 0);
    /* clang-format off */
    X(F32, BF16) X(F32, F16) X(F32, F8_E4M3FN) X(BF16, F32) X(F16, F32) X(F8_E4M3FN, F32) X(F64, F32)
    X(I32, F32) X(F32, I8)
#undef X
    add("cast", "F32 to BF16, 16384", TSR_F32, small, TSR_BF16, small, 0);
    /* clang-format on */
    add("cast", "F32 to BF16, transposed", TSR_F32, s, TSR_BF16, d, 0);
    add("cast", "BF16 to F32, transposed", TSR_BF16, s, TSR_F32, d, 0);
    add("cast", "F32 to F8_E4M3FN, transposed", TSR_F32, s, TSR_F8_E4M3FN, d, 0);
}

/** Blocks of b by c elements, each side by side; b = 1: pairs and fours as VNNI takes them. */
static void packing(char const *name, tsr_dtype type, int64_t b, int64_t c, bool across)
{
    int64_t const n = 4096;
    tsr_layout const s = tsr_make_layout(tsr_t(c, n / c, b, n / b), tsr_t(1, c, n, n * b));
    tsr_layout const d =
        tsr_make_layout(tsr_t(c, n / c, b, n / b), tsr_t(across ? b : 1, b * c, across ? 1 : c, n * b));
    add("packing", name, type, s, type, d, 0);
}

int main(int argc, char **argv)
{
    int const threads = argc > 4 ? atoi(argv[4]) : 1;
    char line[256];
    FILE *const f = argc > 1 ? fopen(argv[1], "r") : NULL;
    bench_one_thread = threads == 1;
    room = (size_t)16384 * 16384 * 4 + 65536;
    part = argc > 2 ? argv[2] : "";
    turns = argc > 3 ? (int)tsr_min64(tsr_max64(atoi(argv[3]), 1), BENCH_TURNS) : 9;
    from = (unsigned char *)aligned_alloc(4096, room);
    to = (unsigned char *)aligned_alloc(4096, room);
    if (!from || !to)
        return 1;
    for (size_t i = 0; i < room / 4; ++i) {
        float const x = (float)(i % 1000) * 0.25f - 100 + (float)(i % 77);
        memcpy(from + 4 * i, &x, 4);
    }
    memset(to, 0, room);
    while (f && fgets(line, sizeof line, f))
        add_permutation(line, TSR_F32);
    if (f)
        rewind(f);
    while (f && fgets(line, sizeof line, f))
        add_permutation(line, TSR_F64);
    for (int64_t n = 1 << 10; n <= 1 << 14; n *= 2)
        transpose("transpose", TSR_F32, n, n, 0);
    transpose("transpose", TSR_F64, 4096, 4096, 0);
    transpose("odd", TSR_F32, 8191, 8191, 0);
    transpose("odd", TSR_F32, 8191, 8191, 4);
    transpose("odd", TSR_F32, 8192, 8192, 4);
    transpose("odd", TSR_F32, 5000, 7001, 12);
    transpose("odd", TSR_F64, 5001, 5003, 8);
    transpose("odd", TSR_F16, 8191, 8191, 2);
    transpose("odd", TSR_U8, 7265, 7263, 1);
    transpose("odd", TSR_U8, 8191, 8191, 1);
    transpose("narrow", TSR_F16, 8192, 8192, 0);
    transpose("narrow", TSR_U8, 8192, 8192, 0);
    transpose("narrow", TSR_F16, 7264, 7264, 0);
    tsr_tuple const nhwc = tsr_t(64, 3136, 64);
    add("narrow", "NHWC to NCHW, 64 channels, 2 bytes", TSR_F16, tsr_make_layout(nhwc), TSR_F16,
        tsr_make_layout(nhwc, tsr_t(3136, 1, 64 * 3136)), 0);
    packing("VNNI, pairs of 2 bytes", TSR_BF16, 2, 1, true);
    packing("VNNI, fours of 1 byte", TSR_U8, 4, 1, true);
    packing("4x4, 4 bytes", TSR_F32, 4, 4, false);
    packing("8x8, 4 bytes", TSR_F32, 8, 8, false);
    packing("8x8, 2 bytes", TSR_F16, 8, 8, false);
    packing("8x8, 2 bytes, across", TSR_F16, 8, 8, true);
    packing("8x8, 4 bytes, across", TSR_F32, 8, 8, true);
    packing("4x4, 4 bytes, across", TSR_F32, 4, 4, true);
    packing("16x16, 4 bytes, across", TSR_F32, 16, 16, true);
    add_casts();
    add_updates();
    bench_print_machine();
    tsr_cpu_engine_threads(threads);
    printf("row %s, %d threads\n%-10s %-36s %8s %8s %6s\n", tsr_cpu_engine_name(), threads, "", "", "GB/s", "memcpy",
           "ratio");
    for (int i = 0; i < count; ++i) {
        measure(&cases[i], threads);
    }
    for (int i = 0; i < count;) {
        double ratio[MOST];
        int n = 0;
        char const *const group = cases[i].group;
        for (; i < count && strcmp(cases[i].group, group) == 0; ++i)
            ratio[n++] = cases[i].ratio;
        double const middle = bench_middle(ratio, n);
        printf("%-10s median %.2f, worst %.2f of memcpy, %d cases\n", group, middle, ratio[0], n);
    }
    return 0;
}
