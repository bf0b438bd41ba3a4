/* The engine: every row leaves the bytes of a copy, or an update, element by element, and of a reduction those of the
 * other rows, and touches no others.
 *
 *  usage: engine [SEED [PERCENT [small]]]      small: random cases alone, seven of eight of them small
 */
#include "engine_cases.h"
#include "exec/move/machine.h"

int tests_machine;

enum { CASES = 100000 };

/** A copy that threads share, and reductions of its result. */
static bool try_threads(void)
{
    enum { N = 1100, M = 1300 };
    static float x[N * M], y[N * M];
    static double thirds[N * M];
    tsr_layout const s = tsr_make_layout(tsr_t(N, M)), d = tsr_make_layout(tsr_t(N, M), tsr_right());
    for (int i = 0; i < N * M; ++i) {
        x[i] = (float)i;
        thirds[i] = i / 3.0;
    }
    for (int threads = 1; threads <= 3; ++threads) {
        memset(y, 0, sizeof y);
        (void)tsr_cpu_engine_threads(threads);
        if (tsr_copy(tsr_make_tensor(tsr_make_ptr(x), s), tsr_make_tensor(tsr_make_ptr(y), d)).status)
            return false;
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < M; ++j)
                if (y[i * M + j] != x[i + j * N])
                    return false;
        for (int k = 0; k < 3; ++k) {
            static double sums[3][M], once[3][M];
            tsr_layout const over[] = {tsr_make_layout(tsr_t(N, M), tsr_t(0, 1)),
                                       tsr_make_layout(tsr_t(N, M), tsr_t(1, 0)),
                                       tsr_make_layout(tsr_t(N, M), tsr_t(0, 0))};
            if (tsr_reduce_to(TSR_REDUCE_SUM, tsr_make_tensor(tsr_make_ptr(thirds), s),
                              tsr_make_tensor(tsr_make_ptr(&sums[k][0]), over[k]))
                    .status)
                return false;
            if (threads == 1)
                memcpy(once, sums, sizeof once);
            if (memcmp(once[k], sums[k], sizeof once[k]) != 0)
                return false;
        }
    }
    (void)tsr_cpu_engine_threads(0);
    return true;
}

/** Rows of n bytes at equal steps, large enough to pass the caches: by every row of the engine, at the beginning of a
 *  line and elsewhere. Gaps keep what they have. */
static bool try_rows(int64_t n, int64_t rows, int64_t gap, int64_t at)
{
    int64_t const bytes = (n + gap) * rows;
    unsigned char *const x = (unsigned char *)malloc((size_t)bytes), *const room = (unsigned char *)malloc(
                                                                         (size_t)bytes + 2 * ENGINE_LINE);
    bool good = x && room;
    unsigned char *const y = good ? room + (-(uintptr_t)room % ENGINE_LINE) + at : NULL;
    for (int64_t i = 0; good && i < bytes; ++i)
        x[i] = (unsigned char)(i * 7 + (i >> 8) + (i >> 16));
    for (int row = 0; good && tsr_cpu_engine_row(row); ++row) {
        if (!tsr_cpu_engine_use(tsr_cpu_engine_row(row)))
            continue;
        memset(y, 99, (size_t)bytes);
        tsr_layout const l = tsr_make_layout_from(tsr_t(n, rows), tsr_t(tsr_int(1), n + gap));
        good = tsr_copy(tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, x, true, TSR_U8), l),
                        tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, y, false, TSR_U8), l))
                   .status
               == 0;
        for (int64_t i = 0; good && i < bytes; i += n + gap) {
            unsigned char const *const behind = y + i + n;
            good = memcmp(y + i, x + i, (size_t)n) == 0 && *behind == 99
                   && memcmp(behind, behind + 1, (size_t)gap - 1) == 0;
        }
    }
    free(x);
    free(room);
    return tsr_cpu_engine_use(NULL) && good;
}

static bool try_all_rows(void)
{
    static int64_t const lines[] = {1, 2, 3, 4, 8, 31, 32, 33, 64};
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; ++k) {
        int64_t const n = lines[k] * ENGINE_LINE, rows = (5 << 20) / n + (int64_t)k % 5;
        if (!try_rows(n, rows, n, 0) || !try_rows(n, rows, ENGINE_LINE, 0) || !try_rows(n, rows, n, 4)
            || !try_rows(n + 4, rows, n, 0))
            return false;
    }
    return true;
}

/** Items of few lines in turn along one line, and back, by every row; what lies behind stays. */
static bool try_few_lines_of(tsr_dtype type, int64_t lines, int64_t items)
{
    enum { MOST = 9 * 4103 * 8 + 64 };
    static unsigned char x[MOST], y[MOST];
    int64_t const size = tsr_dtype_bits(type) / 8, all = lines * items, pitch = items + 3;
    tsr_layout const one = tsr_make_layout_from(tsr_t(lines, items), tsr_t(1, lines)),
                     few = tsr_make_layout_from(tsr_t(lines, items), tsr_t(pitch, 1));
    for (int i = 0; i < MOST; ++i)
        x[i] = (unsigned char)(i * 7 + (i >> 8));
    for (int row = 0; tsr_cpu_engine_row(row); ++row)
        for (int apart = 0; apart < 2; ++apart) {
            tsr_layout const from = apart ? one : few, to = apart ? few : one;
            memset(y, 99, sizeof y);
            if (!tsr_cpu_engine_use(tsr_cpu_engine_row(row))
                || tsr_copy(tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, x, true, type), from),
                            tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, y, false, type), to))
                       .status)
                return false;
            for (int64_t i = 0; i < all; ++i)
                if (memcmp(y + tsr_layout_offset(&to, i) * size, x + tsr_layout_offset(&from, i) * size,
                           (size_t)size))
                    return false;
            for (int64_t i = ((apart ? pitch * (lines - 1) : all - items) + items) * size; i < MOST; ++i)
                if (y[i] != 99)
                    return false;
        }
    return true;
}

static bool try_few_lines(void)
{
    static tsr_dtype const types[] = {TSR_U8, TSR_F16, TSR_F32, TSR_F64};
    static int64_t const items[] = {1, 2, 15, 16, 17, 47, 100, 300, 4100};
    bool good = true;
    for (int i = 0; good && i < 4 * 9; ++i)
        for (int64_t lines = 2; good && lines <= 9; ++lines)
            good = try_few_lines_of(types[i % 4], lines, items[i / 4]);
    return tsr_cpu_engine_use(NULL) && good;
}

/** What a listener was told, and after how many calls it ends the work. */
typedef struct heard {
    int64_t calls, most, elements, done, all;
} heard;

static bool hear(void *context, int64_t elements, int64_t done, int64_t all)
{
    heard *const h = (heard *)context;
    h->elements += elements;
    h->done = done;
    h->all = all;
    return ++h->calls < h->most;
}

/** A transpose of 48 MB in parts: the listener is told of every element once; where it ends the work, this goes on. */
static bool try_progress(void)
{
    enum { N = 4096, M = 3072 };
    float *const x = (float *)malloc(sizeof(float) * N * M), *const y = (float *)calloc(N * M, sizeof(float));
    bool good = x && y;
    for (int i = 0; good && i < N * M; ++i)
        x[i] = (float)(i % 65521);
    tsr_tensor const s = tsr_make_tensor(tsr_make_ptr(x), tsr_t(N, M));
    tsr_tensor const d = tsr_make_tensor(tsr_make_ptr(y), tsr_t(N, M), tsr_right());
    tsr_planned_copy const p = tsr_copy_plan(s, d);
    for (int most = 2; good && most <= 1000; most += 998) {
        heard h = {0, most, 0, 0, 0};
        int64_t moved = tsr_copy_run_told(&p, NULL, &s, &d, hear, &h);
        good = moved == h.elements && h.all == p.units && (most == 2) == (h.done < h.all) && h.calls >= 2;
        moved += tsr_copy_run(&p, NULL, &s, &d, h.done, p.units);
        good = good && moved == (int64_t)N * M;
        for (int i = 0; good && i < N; ++i)
            for (int j = 0; good && j < M; ++j)
                good = y[(int64_t)i * M + j] == x[i + (int64_t)j * N];
        memset(y, 0, good ? sizeof(float) * N * M : 0);
    }
    tsr_planned_copy const none = tsr_copy_plan(s, tsr_make_tensor(tsr_make_ptr(y), 8));
    heard h = {0, 1, 0, 0, 0};
    good = good && tsr_copy_run_told(&none, NULL, &s, &d, hear, &h) == 0 && h.calls == 0;
    free(x);
    free(y);
    return good;
}

/** What is tried besides random cases. */
static bool try_others(void)
{
    bool const threads = try_threads(), rows = threads && try_all_rows() && try_few_lines(),
               parts = rows && try_progress();
    if (!parts)
        printf("%s\n", !threads ? "threads differ" : !rows ? "rows at equal steps differ" : "a copy in parts fails");
    return parts;
}

int main(int argc, char **argv)
{
    uint64_t const seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int64_t const cases = OF_CASES(CASES) * (argc > 2 ? strtoll(argv[2], NULL, 10) : 100) / 100;
    bool const small = argc > 3 && strcmp(argv[3], "small") == 0;
    random_begin(seed);
    begin_cases();
    if (tsr_cpu_engine_use("no such row"))
        return 1;
    for (int64_t i = 0; i < cases; ++i) {
        if (small)
            use_room(below(8) != 0);
        tests_machine = (int)below(ENGINE_MACHINES);
        if (!try_case() || (i % 4 == 0 && !try_reduction())) {
            printf("seed %llu, case %lld failed\n", (unsigned long long)seed, (long long)i);
            return 1;
        }
    }
    if (!tsr_cpu_engine_use(NULL) || (!small && !try_others()))
        return 1;
    if (cases >= 1000 && (kinds[TSR_BLOCK_SKEWED] == 0 || crowded[0] == 0 || crowded[1] == 0)) {
        printf("no tiles are skewed, crowded or scattered: the limits do not reach the planner\n");
        return 1;
    }
    printf("%lld cases:", (long long)cases);
    for (int i = 0; i < 4; ++i)
        printf(" %lld", (long long)kinds[i]);
    printf(" of items, rows, tiles, skewed tiles, %lld aligned, %lld of crowded and %lld of scattered lines; ",
           (long long)aligned, (long long)crowded[0], (long long)crowded[1]);
    printf("%lld reductions across, %lld along; rows", (long long)reductions[0], (long long)reductions[1]);
    for (int i = 0; tsr_cpu_engine_row(i); ++i)
        printf(" %s", tsr_cpu_engine_row(i));
    printf("\n");
    return 0;
}
