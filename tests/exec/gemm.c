/* Products by the engine: every table of kernels, over random types, layouts and epilogues.
 *
 *  usage: gemm [CASES [SEED [small]]]      small: random products alone, of at most SMALL_WORK multiplications
 */
#define _DEFAULT_SOURCE
#include "gemm_cases.h"

/** A product of matrices of small whole numbers, which every order of sums gives exactly, by every set of instructions
 *  and by threads; A and B contiguous along K or across, lines of B `more` elements longer than they need be. All three
 *  end at a page that is not to be touched. Bytes have sums of 32 bits. */
static bool try_whole_of(tsr_dtype type, int64_t m, int64_t n, int64_t k, bool a_along_k, bool along_k, int64_t more)
{
    static double sum[64 * 128];
    tsr_dtype const of_c = type == TSR_I8 ? TSR_I32 : type;
    int64_t const size = tsr_dtype_bits(type) / 8, of_sum = tsr_dtype_bits(of_c) / 8,
                  pitch = (along_k ? k : n) + more;
    unsigned char *const a = arenas[0].bytes + ROOM - m * k * size;
    unsigned char *const c = arenas[2].bytes + ROOM - m * n * of_sum;
    unsigned char *const b = arenas[1].bytes + ROOM - (pitch * ((along_k ? n : k) - 1) + pitch - more) * size;
    for (int64_t i = 0; i < m * k; ++i)
        tsr_store(type, a + (a_along_k ? i / m + i % m * k : i) * size, 0, tsr_number_int(i * 7 % 11 - 5));
    for (int64_t j = 0; j < n; ++j)
        for (int64_t x = 0; x < k; ++x)
            tsr_store(type, b + (along_k ? x + j * pitch : j + x * pitch) * size, 0,
                      tsr_number_int((x * 3 + j) % 7 - 3));
    for (int64_t i = 0; i < m * n; ++i) {
        sum[i] = 0;
        for (int64_t x = 0; x < k; ++x)
            sum[i] += (double)(((i % m + x * m) * 7 % 11 - 5) * ((x * 3 + i / m) % 7 - 3));
    }
    tsr_tensor const s =
        tsr_make_tensor(tsr_make_gmem_ptr((void *)a, type), tsr_t(m, k), a_along_k ? tsr_t(k, 1) : tsr_t(1, m));
    tsr_tensor const t =
        tsr_make_tensor(tsr_make_gmem_ptr((void *)b, type), tsr_t(n, k), along_k ? tsr_t(pitch, 1) : tsr_t(1, pitch));
    tsr_tensor const d = tsr_make_tensor(tsr_make_gmem_ptr((void *)c, of_c), tsr_t(m, n));
    tsr_epilogue const e = tsr_make_epilogue(1, 0);
    for (int row = 0; tsr_cpu_engine_row(row); ++row) {
        if (!tsr_cpu_engine_use(tsr_cpu_engine_row(row)))
            return false;
        for (int threads = 1; threads <= 3; threads += 2) {
            tsr_planned_gemm p = tsr_gemm_plan(s, t, d, &e);
            p.threads = threads;
            memset(c, 0xff, (size_t)(m * n * of_sum)); /* NaN */
            if (tsr_gemm_run(&p, NULL, 0).status)
                return false;
            for (int64_t i = 0; i < m * n; ++i) {
                unsigned char rounded[8];
                tsr_store(of_c, rounded, 0, tsr_number_real(sum[i]));
                if (tsr_number_to_double(tsr_load(of_c, c + i * of_sum, 0))
                    != tsr_number_to_double(tsr_load(of_c, rounded, 0))) {
                    printf("%s, %lld x %lld x %lld, A %s, B %s: element %lld\n", tsr_cpu_engine_name(), (long long)m,
                           (long long)n, (long long)k, a_along_k ? "along K" : "along M",
                           along_k ? "along K" : "along N", (long long)i);
                    return false;
                }
            }
        }
    }
    return true;
}

static bool try_whole(tsr_dtype type, int64_t m, int64_t n, int64_t k, bool along_k, int64_t more)
{
    return try_whole_of(type, m, n, k, false, along_k, more);
}

/** A along K, and B, or B across: tiles of sums of vectors, what is left of rows, columns and K; a small A turned. */
static bool try_dots(void)
{
    static int64_t const sizes[][3] = {{3, 4, 32},   {2, 2, 33},   {7, 5, 39}, {64, 21, 530}, {5, 128, 515},
                                       {64, 60, 67}, {9, 7, 2500}, {7, 7, 7},  {16, 16, 16},  {61, 33, 64}};
    bool good = true;
    for (int i = 0; good && i < 40; ++i) {
        int64_t const *const s = sizes[i / 4];
        good = try_whole_of(TSR_F32, s[0], s[1], s[2], true, i % 2 == 0, i / 2 % 2 * 3)
               && try_whole_of(TSR_F64, s[0], s[1], s[2], true, i % 2 == 0, i / 2 % 2 * 5);
    }
    return tsr_cpu_engine_use(NULL) && good;
}

/** B in place, in panels that are kept, in panels that are packed eight at a time (in one block of K, in several). */
static bool try_wholes(void)
{
    static int64_t const sizes[][3] = {{48, 37, 600}, {64, 21, 530},  {56, 50, 128}, {32, 8, 515},
                                       {24, 33, 96},  {56, 120, 700}, {61, 75, 1100}};
    bool good = true;
    for (int i = 0; good && i < 28; ++i) {
        int64_t const *const s = sizes[i / 4];
        good = try_whole(TSR_F32, s[0], s[1], s[2], i % 2 == 0, i / 2 % 2 * 27)
               && try_whole(TSR_F64, s[0], s[1], s[2], i % 2 == 0, i / 2 % 2 * 27);
    }
    return tsr_cpu_engine_use(NULL) && good;
}

/** Rows that are no whole vectors, by kernels of one number where there are no masks, also beside whole ones. */
static bool try_odd(void)
{
    bool good = true;
    for (int64_t m = 1; good && m <= 35; ++m)
        good = try_whole(TSR_F32, m, 7, 5, m % 2 == 0, 0) && try_whole(TSR_F64, m, 13, 8, m % 2 != 0, 3)
               && try_whole(TSR_I32, m, 6, 9, m % 2 == 0, 1);
    return tsr_cpu_engine_use(NULL) && good;
}

/** Numbers that kernels take in pairs, along K: B in place where its pairs lie at places of their size, else packed. */
static bool try_pairs(void)
{
    static int64_t const sizes[][2] = {{16, 5}, {33, 8}, {50, 17}, {100, 3}};
    bool good = true;
    for (int64_t i = 0; good && i < 4 * 11 * 4; ++i) {
        int64_t const *const s = sizes[i % 4], k = 2 + i / 4 % 11, more = i / 44;
        good = try_whole(TSR_BF16, s[0], s[1], k, true, more) && try_whole(TSR_I16, s[0], s[1], k, true, more);
    }
    return tsr_cpu_engine_use(NULL) && good;
}

/** Lines of 64 bytes along K, which AMX reads in place where tiles are whole; K and N by which they are not, too. */
static bool try_tiles(void)
{
    static int64_t const sizes[][3] = {{16, 64, 64},  {33, 48, 128}, {50, 32, 64},  {40, 96, 192}, {61, 16, 640},
                                       {50, 33, 128}, {50, 40, 64},  {50, 32, 100}, {50, 32, 96},  {17, 48, 62}};
    bool good = true;
    for (int i = 0; good && i < 10 * 5; ++i) {
        int64_t const *const s = sizes[i % 10], more = i / 10;
        good = try_whole(TSR_BF16, s[0], s[1], s[2], true, more) && try_whole(TSR_I8, s[0], s[1], s[2], true, more);
    }
    return tsr_cpu_engine_use(NULL) && good;
}

/** Element (i,x) of an operand whose lines are along K, or across. */
static double far_value(int64_t i, int64_t x, int which) { return (double)((i * 7 + x * 3 + which) % 11 - 5); }

static tsr_tensor far_operand(void *memory, tsr_dtype type, int64_t m, int64_t k, bool along_k, int which)
{
    int64_t const size = tsr_dtype_bits(type) / 8;
    tsr_tensor const t =
        tsr_make_tensor(tsr_make_gmem_ptr(memory, type), tsr_t(m, k), along_k ? tsr_t(k, 1) : tsr_t(1, m));
    for (int64_t i = 0; i < m; ++i)
        for (int64_t x = 0; x < k; ++x)
            tsr_store(type, (unsigned char *)memory + (along_k ? i * k + x : x * m + i) * size, 0,
                      tsr_number_int((int64_t)far_value(i, x, which)));
    return t;
}

/** The product of two such operands, which every order of sums gives exactly. */
static void far_sums(float *sum, int64_t m, int64_t n, int64_t k, bool c_rows)
{
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
            double exact = 0;
            for (int64_t x = 0; x < k; ++x)
                exact += far_value(i, x, 0) * far_value(j, x, 4);
            sum[c_rows ? i * n + j : j * m + i] = (float)exact;
        }
}

/** An operand that no cache keeps, beside a few rows or columns: exact sums by every row. */
static bool try_far(tsr_dtype type, int64_t m, int64_t n, int64_t k, int orders, int threads)
{
    size_t const size = (size_t)tsr_dtype_bits(type) / 8, bytes = (size_t)(m * n) * sizeof(float);
    bool const c_rows = (orders & 4) != 0;
    void *const a = malloc((size_t)(m * k) * size), *const b = malloc((size_t)(n * k) * size);
    float *const c = (float *)malloc(bytes), *const sum = (float *)malloc(bytes);
    bool good = a && b && c && sum;
    if (good) {
        tsr_tensor const s = far_operand(a, type, m, k, (orders & 1) != 0, 0),
                         t = far_operand(b, type, n, k, (orders & 2) != 0, 4),
                         d = tsr_make_tensor(tsr_make_gmem_ptr(c, TSR_F32), tsr_t(m, n),
                                             c_rows ? tsr_t(n, 1) : tsr_t(1, m));
        tsr_epilogue const e = tsr_make_epilogue(1, 0);
        far_sums(sum, m, n, k, c_rows);
        (void)tsr_cpu_engine_threads(threads);
        for (int row = 0; good && tsr_cpu_engine_row(row); ++row) {
            good = tsr_cpu_engine_use(tsr_cpu_engine_row(row));
            tsr_planned_gemm p = tsr_gemm_plan(s, t, d, &e);
            memset(c, 0xff, bytes); /* NaN */
            good = good && !tsr_gemm_run(&p, NULL, 0).status && memcmp(c, sum, bytes) == 0;
        }
        if (!good)
            printf("%s, %s, %lld x %lld x %lld, orders %d, threads %d\n", tsr_cpu_engine_name(), tsr_dtype_name(type),
                   (long long)m, (long long)n, (long long)k, orders, threads);
    }
    (void)tsr_cpu_engine_threads(0);
    free(a), free(b), free(c), free(sum);
    return good;
}

/** Parts of rows, of columns and of K, as many threads share them. */
static bool try_shared(void)
{
    static int64_t const sizes[][3] = {{16, 700, 300}, {700, 16, 300},  {97, 640, 600},  {513, 333, 70},
                                       {33, 801, 900}, {1030, 250, 40}, {300, 300, 300}, {1, 1, 300001},
                                       {1, 1, 70000},  {1, 1, 2600000}, {47, 41, 9001}};
    static tsr_dtype const types_of_shared[] = {TSR_F32, TSR_BF16, TSR_F16};
    bool good = true;
    for (int i = 0; good && i < OF_CASES(11 * 4); ++i)
        good = try_far(types_of_shared[i % 3], sizes[i % 11][0], sizes[i % 11][1], sizes[i % 11][2], i % 8,
                       2 + i * 5 % 17);
    return good;
}

/** Few columns, few rows, and fewer of them, in all orders; sizes that blocks and vectors do not divide. */
static bool try_fars(void)
{
    bool good = true;
    for (int orders = 0; good && orders < OF_CASES(8); ++orders) {
        bool const rows = orders % 3 == 1;
        good = orders % 3 == 2
                   ? try_far(TSR_BF16, 2100, 5, 2001, orders, 2)
                   : try_far(TSR_F32, rows ? 1 + orders : 1111, rows ? 1111 : 1 + orders, 1909, orders, 1);
    }
    return tsr_cpu_engine_use(NULL) && good;
}

/** A matrix of m rows by a vector of k numbers. By the bits of `kind` the lines of the matrix are along K or across,
 *  the vector is A or B, and steps in it and in C are more than 1. Lines are `more` elements longer than they need be.
 *  Small whole numbers, by every row and by threads; NaN is in C before. All end at a page that may not be touched. */
static bool try_lines_of(tsr_dtype type, int64_t m, int64_t k, int64_t more, int kind)
{
    bool const along = (kind & 1) != 0, of_a = (kind & 2) != 0;
    tsr_dtype const sum = type == TSR_F64 ? TSR_F64 : TSR_F32;
    int64_t const size = tsr_dtype_bits(type) / 8, wide = tsr_dtype_bits(sum) / 8, apart = (kind & 4) != 0 ? 3 : 1,
                  pitch = (along ? k : m) + more;
    int64_t const last = along ? (m - 1) * pitch + k : (k - 1) * pitch + m, step = (kind & 8) != 0 ? 2 : 1;
    unsigned char *const a = arenas[0].bytes + ROOM - last * size,
                         *const x = arenas[1].bytes + ROOM - ((k - 1) * apart + 1) * size,
                         *const c = arenas[2].bytes + ROOM - ((m - 1) * step + 1) * wide;
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < k; ++j)
            tsr_store(type, a + (along ? i * pitch + j : j * pitch + i) * size, 0,
                      tsr_number_int((i * 3 + j * 7) % 11 - 5));
    for (int64_t j = 0; j < k; ++j)
        tsr_store(type, x + j * apart * size, 0, tsr_number_int(j * 5 % 7 - 3));
    tsr_tensor const s =
        tsr_make_tensor(tsr_make_gmem_ptr((void *)a, type), tsr_t(m, k), along ? tsr_t(pitch, 1) : tsr_t(1, pitch));
    tsr_tensor const t = tsr_make_tensor(tsr_make_gmem_ptr((void *)x, type), tsr_t(1, k), tsr_t(0, apart));
    tsr_tensor const d = tsr_make_tensor(tsr_make_gmem_ptr((void *)c, sum), of_a ? tsr_t(1, m) : tsr_t(m, 1),
                                         of_a ? tsr_t(0, step) : tsr_t(step, 0));
    tsr_epilogue const e = tsr_make_epilogue(more > 0 ? 1 : 0.5, 0);
    for (int run = 0; tsr_cpu_engine_row(run / 2); ++run) {
        if (!tsr_cpu_engine_use(tsr_cpu_engine_row(run / 2)))
            return false;
        tsr_planned_gemm p = of_a ? tsr_gemm_plan(t, s, d, &e) : tsr_gemm_plan(s, t, d, &e);
        p.threads = run % 2 == 0 ? 1 : 3;
        memset(c, 0xff, (size_t)(((m - 1) * step + 1) * wide)); /* NaN */
        if (tsr_gemm_run(&p, NULL, 0).status)
            return false;
        for (int64_t i = 0; i < m; ++i) {
            int64_t exact = 0;
            for (int64_t j = 0; j < k; ++j)
                exact += ((i * 3 + j * 7) % 11 - 5) * (j * 5 % 7 - 3);
            if (tsr_number_to_double(tsr_load(sum, c + i * step * wide, 0)) == e.alpha * (double)exact)
                continue;
            printf("%s, %s, matrix of %lld x %lld, kind %d, way %d: element %lld\n", tsr_cpu_engine_name(),
                   tsr_dtype_name(type), (long long)m, (long long)k, kind, p.way, (long long)i);
            return false;
        }
    }
    return true;
}

/** Sizes about those of vectors, of groups of lines, of parts, and of what is worked on at once. */
static bool try_lines(void)
{
    static int64_t const sizes[][2] = {{1, 1},   {1, 37},   {2, 3},   {3, 4},    {5, 8},     {7, 33},   {64, 64},
                                       {65, 18}, {130, 67}, {257, 9}, {4, 9000}, {2, 17000}, {9000, 5}, {4100, 11}};
    static tsr_dtype const types_of_lines[] = {TSR_F32, TSR_F64, TSR_BF16, TSR_F16};
    bool good = true;
    for (int i = 0; good && i < 14 * 64; ++i) {
        int64_t const *const s = sizes[i / 64];
        good = s[0] * s[1] < 40000 || i % 16 < OF_CASES(16)
                   ? try_lines_of(types_of_lines[i % 4], s[0], s[1], i % 3 * 2, i / 4 % 16)
                   : good;
    }
    return tsr_cpu_engine_use(NULL) && good;
}

/** Sums of products of two arrays over K = (k,k2), v by v: lines of A and of B are along K or across, by the bits of
 *  `kind`, elements of C 1 or 3 apart; NaN is in C before. By every row and by threads. */
static bool try_points_of(tsr_dtype type, int64_t v, int64_t k, int64_t k2, int kind)
{
    tsr_dtype const sum = type == TSR_F64 ? TSR_F64 : TSR_F32;
    int64_t const size = tsr_dtype_bits(type) / 8, wide = tsr_dtype_bits(sum) / 8, all = v * k * k2,
                  step = (kind & 4) != 0 ? 3 : 1, pitch = k + 1;
    unsigned char *const x[2] = {arenas[0].bytes + ROOM - (all + v * k2) * size,
                                 arenas[1].bytes + ROOM - (all + v * k2) * size},
                         *const c = arenas[2].bytes + ROOM - ((v - 1) * step + 1) * wide;
    tsr_tensor t[2];
    for (int i = 0; i < 2; ++i) {
        bool const along = (kind >> i & 1) != 0;
        t[i] = tsr_make_tensor(tsr_make_gmem_ptr((void *)x[i], type), tsr_t(v, 1, tsr_t(k, k2)),
                               along ? tsr_t(pitch, 0, tsr_t(1, v * pitch)) : tsr_t(1, 0, tsr_t(v, v * k)));
        for (int64_t j = 0; j < all; ++j)
            tsr_store(type, x[i] + tsr_layout_offset(&t[i].layout, j) * size, 0,
                      tsr_number_int(j * (3 + i) % 11 - 5));
    }
    tsr_tensor const d = tsr_make_tensor(tsr_make_gmem_ptr((void *)c, sum), tsr_t(v, 1, 1), tsr_t(step, 0, 0));
    for (int run = 0; tsr_cpu_engine_row(run / 2); ++run) {
        if (!tsr_cpu_engine_use(tsr_cpu_engine_row(run / 2)))
            return false;
        tsr_epilogue const e = tsr_make_epilogue(run % 4 < 2 ? 1 : 0.5, 0);
        tsr_planned_gemm p = tsr_gemm_plan(t[0], t[1], d, &e);
        p.threads = run % 2 == 0 ? 1 : 3;
        memset(c, 0xff, (size_t)(((v - 1) * step + 1) * wide)); /* NaN */
        if (tsr_gemm_run(&p, NULL, 0).status)
            return false;
        for (int64_t i = 0; i < v; ++i) {
            int64_t exact = 0;
            for (int64_t j = i; j < all; j += v)
                exact += (j * 3 % 11 - 5) * (j * 4 % 11 - 5);
            if (tsr_number_to_double(tsr_load(sum, c + i * step * wide, 0)) == e.alpha * (double)exact)
                continue;
            printf("%s, %s, %lld points of %lld x %lld, kind %d: element %lld\n", tsr_cpu_engine_name(),
                   tsr_dtype_name(type), (long long)v, (long long)k, (long long)k2, kind, (long long)i);
            return false;
        }
    }
    return true;
}

/** Sizes about those of vectors, and of what is worked on at once. */
static bool try_points(void)
{
    static int64_t const sizes[][3] = {{1, 5, 3},    {2, 1, 1},    {7, 33, 1},   {300, 9, 2},
                                       {5, 5000, 1}, {257, 17, 3}, {4100, 5, 1}, {64, 64, 2}};
    static tsr_dtype const types_of_points[] = {TSR_F32, TSR_F64, TSR_BF16, TSR_F16};
    bool good = true;
    for (int i = 0; good && i < 8 * 32; ++i)
        good = try_points_of(types_of_points[i % 4], sizes[i / 32][0], sizes[i / 32][1], sizes[i / 32][2], i / 4 % 8);
    return tsr_cpu_engine_use(NULL) && good;
}

/** Products of V pairs (M,K) and (N,K), one after the other and at once, by every row: A along K or M, C by rows or by
 *  columns, by the bits of `kind`. How many were by blocks; -1: one was wrong. */
static int try_batches_of(tsr_dtype type, int64_t v, int64_t m, int64_t n, int64_t k, int kind)
{
    tsr_dtype const sum = type == TSR_F64 ? TSR_F64 : TSR_F32;
    int64_t const size = tsr_dtype_bits(type) / 8, wide = tsr_dtype_bits(sum) / 8;
    unsigned char *const a = arenas[0].bytes + ROOM - v * m * k * size,
                         *const b = arenas[1].bytes + ROOM - v * n * k * size,
                         *const c = arenas[2].bytes + ROOM - v * m * n * wide;
    tsr_tensor const s = tsr_make_tensor(tsr_make_gmem_ptr((void *)a, type), tsr_t(v, m, k),
                                         (kind & 1) != 0 ? tsr_t(m * k, k, 1) : tsr_t(m * k, 1, m));
    tsr_tensor const t = tsr_make_tensor(tsr_make_gmem_ptr((void *)b, type), tsr_t(v, n, k), tsr_t(n * k, k, 1));
    tsr_tensor const d = tsr_make_tensor(tsr_make_gmem_ptr((void *)c, sum), tsr_t(v, m, n),
                                         (kind & 2) != 0 ? tsr_t(m * n, n, 1) : tsr_t(m * n, 1, m));
    tsr_epilogue const e = tsr_make_epilogue((kind & 4) != 0 ? 2 : 1, 0);
    static double exact[1 << 14];
    int blocked = 0;
    for (int64_t i = 0; i < v * m * k; ++i)
        tsr_store(type, a + tsr_layout_offset(&s.layout, i) * size, 0, tsr_number_int(i * 7 % 11 - 5));
    for (int64_t i = 0; i < v * n * k; ++i)
        tsr_store(type, b + tsr_layout_offset(&t.layout, i) * size, 0, tsr_number_int(i * 3 % 7 - 3));
    for (int64_t i = 0; i < v * m * n; ++i) {
        int64_t const x = i % v, y = i / v % m, z = i / v / m;
        exact[i] = 0;
        for (int64_t j = 0; j < k; ++j)
            exact[i] += (double)(((x + y * v + j * v * m) * 7 % 11 - 5) * ((x + z * v + j * v * n) * 3 % 7 - 3));
    }
    for (int run = 0; tsr_cpu_engine_row(run / 3); ++run) {
        if (!tsr_cpu_engine_use(tsr_cpu_engine_row(run / 3)))
            return -1;
        tsr_planned_gemm p = tsr_gemm_plan(s, t, d, &e);
        blocked += p.way == TSR_GEMM_BLOCKED;
        p.threads = p.way == TSR_GEMM_BLOCKED || run % 3 == 0 ? 1 : 3;
        p.batches = p.way == TSR_GEMM_BLOCKED ? 1 + run % 3 : 1;
        memset(c, 0xff, (size_t)(v * m * n * wide)); /* NaN */
        if (tsr_gemm_run(&p, NULL, 0).status)
            return -1;
        for (int64_t i = 0; i < v * m * n; ++i) {
            if (tsr_number_to_double(tsr_load(sum, c + tsr_layout_offset(&d.layout, i) * wide, 0))
                != e.alpha * exact[i]) {
                printf("%s, %s, %lld products of %lldx%lldx%lld, kind %d, way %d, %lld at once: element %lld\n",
                       tsr_cpu_engine_name(), tsr_dtype_name(type), (long long)v, (long long)m, (long long)n,
                       (long long)k, kind, p.way, (long long)p.batches, (long long)i);
                return -1;
            }
        }
    }
    return blocked;
}

static bool try_batches(void)
{
    static int64_t const sizes[][4] = {{2, 40, 33, 70}, {5, 17, 64, 130}, {9, 64, 5, 48}, {3, 50, 96, 100}};
    static tsr_dtype const types_of_batches[] = {TSR_F32, TSR_F64, TSR_BF16, TSR_F16};
    int blocked = 0, one = 0;
    for (int i = 0; one >= 0 && i < 4 * OF_CASES(32); ++i) {
        int64_t const *const s = sizes[i % 4];
        one = try_batches_of(types_of_batches[i / 4 % 4], s[0], s[1], s[2], s[3], i / 16);
        blocked += one;
    }
    return tsr_cpu_engine_use(NULL) && one >= 0 && blocked > 0;
}

/** Dot products of k complex numbers, small and whole, of which every order of sums is exact; A or B side by side or
 *  not, both end at a page that may not be touched. */
static bool try_complex_of(tsr_dtype type, int64_t k, int64_t a_step, int64_t b_step)
{
    int64_t const size = tsr_dtype_bits(type) / 8;
    unsigned char *const a = arenas[0].bytes + ROOM - ((k - 1) * a_step + 1) * size,
                         *const b = arenas[1].bytes + ROOM - ((k - 1) * b_step + 1) * size,
                         *const c = arenas[2].bytes;
    double re = 0, im = 0;
    for (int64_t i = 0; i < k; ++i) {
        double const x[2] = {(double)(i * 7 % 11 - 5), (double)(i * 3 % 5 - 2)},
                     y[2] = {(double)(i * 5 % 7 - 3), (double)(i * 2 % 9 - 4)};
        for (int part = 0; part < 2; ++part) {
            tsr_dtype const real = type == TSR_C64 ? TSR_F32 : TSR_F64;
            tsr_store(real, a + i * a_step * size + part * size / 2, 0, tsr_number_real(x[part]));
            tsr_store(real, b + i * b_step * size + part * size / 2, 0, tsr_number_real(y[part]));
        }
        re += x[0] * y[0] - x[1] * y[1];
        im += x[0] * y[1] + x[1] * y[0];
    }
    tsr_tensor const s = tsr_make_tensor(tsr_make_gmem_ptr((void *)a, type), tsr_t(1, k), tsr_t(0, a_step));
    tsr_tensor const t = tsr_make_tensor(tsr_make_gmem_ptr((void *)b, type), tsr_t(1, k), tsr_t(0, b_step));
    tsr_tensor const d = tsr_make_tensor(tsr_make_gmem_ptr((void *)c, type), tsr_t(1, 1));
    tsr_epilogue const e = tsr_make_epilogue(1, 0);
    for (int row = 0; tsr_cpu_engine_row(row); ++row) {
        if (!tsr_cpu_engine_use(tsr_cpu_engine_row(row)))
            return false;
        memset(c, 0xff, (size_t)size); /* NaN */
        tsr_number const got = tsr_gemm_with(s, t, d, &e).status ? tsr_number_int(0) : tsr_load(type, c, 0);
        if (tsr_number_to_double(got) != re || got.im != im) {
            printf("%s, %s, dot of %lld\n", tsr_cpu_engine_name(), tsr_dtype_name(type), (long long)k);
            return false;
        }
    }
    return true;
}

/** Lengths about those of vectors, of what is gathered and of what a kernel takes at once. */
static bool try_complex(void)
{
    static int64_t const long_ones[] = {511, 512, 1025, 16383, 20001};
    bool good = true;
    for (int64_t k = 1; good && k <= 100 + 5; ++k) {
        int64_t const n = k <= 100 ? k : long_ones[k - 101];
        good = try_complex_of(TSR_C64, n, 1, 1) && try_complex_of(TSR_C128, n, 1, 1)
               && try_complex_of(k % 2 ? TSR_C64 : TSR_C128, n, 1 + k % 3, 1 + k / 3 % 3);
    }
    return tsr_cpu_engine_use(NULL) && good;
}

enum { SMALL_WORK = 100000 };

/** Work memory that a caller gives: it is used where it suffices, and else left alone. */
static bool try_work(void)
{
    enum { M = 48, N = 40, K = 3000 };
    static float a[M * K], b[N * K], c[2][M * N];
    static unsigned char work[1 << 21];
    for (int i = 0; i < M * K; ++i)
        a[i] = (float)(i % 7 - 3);
    for (int i = 0; i < N * K; ++i)
        b[i] = (float)(i % 5 - 2);
    tsr_tensor const x = tsr_make_tensor(tsr_make_gmem_ptr(a), tsr_t(M, K), tsr_t(K, 1));
    tsr_tensor const y = tsr_make_tensor(tsr_make_gmem_ptr(b), tsr_t(N, K), tsr_t(K, 1));
    for (int less = 0; less < 2; ++less) {
        tsr_tensor const z = tsr_make_tensor(tsr_make_gmem_ptr(c[less]), tsr_t(M, N), tsr_t(1, M));
        tsr_epilogue const e = tsr_make_epilogue(2, 0);
        tsr_planned_gemm const p = tsr_gemm_plan(x, y, z, &e);
        size_t const needs = tsr_gemm_workspace(&p);
        int touched = 0;
        memset(work, 0xa5, sizeof work);
        if (needs == 0 || needs > sizeof work || tsr_gemm_run(&p, work, needs - (size_t)less).status)
            return false;
        for (size_t i = 0; i < sizeof work; ++i)
            touched += work[i] != 0xa5;
        if ((touched == 0) != (less == 1)) {
            printf("%d bytes of %zu were touched, %d too few\n", touched, needs, less);
            return false;
        }
    }
    return memcmp(c[0], c[1], sizeof c[0]) == 0;
}

/** Complex products whose C lies behind a swizzle go element by element, also where A and B had changed places. */
static bool try_turned(void)
{
    enum { M = 8, N = 16, K = 5 };
    static float a[2 * M * K], b[2 * N * K], c[2][2 * M * N];
    for (int i = 0; i < 2 * M * K; ++i)
        a[i] = (float)(i % 7 - 3);
    for (int i = 0; i < 2 * N * K; ++i)
        b[i] = (float)(i % 5 - 2);
    tsr_tensor const x = tsr_make_tensor(tsr_make_gmem_ptr((void *)a, TSR_C64), tsr_make_layout(tsr_t(M, K)));
    tsr_tensor const y = tsr_make_tensor(tsr_make_gmem_ptr((void *)b, TSR_C64), tsr_make_layout(tsr_t(N, K)));
    tsr_layout const l =
        tsr_make_composed_layout(tsr_make_swizzle(2, 1, 3), tsr_s(0), tsr_make_layout(tsr_t(M, N), tsr_t(N, 1)));
    tsr_tensor const z = tsr_make_tensor(tsr_make_gmem_ptr((void *)c[0], TSR_C64), l);
    tsr_tensor const w = tsr_make_tensor(tsr_make_gmem_ptr((void *)c[1], TSR_C64), l);
    tsr_epilogue const e = tsr_make_epilogue(1, 1);
    tsr_planned_gemm const p = tsr_gemm_plan(x, y, z, &e);
    return p.way == TSR_GEMM_BY_ELEMENT && p.of.swapped && !tsr_gemm_run(&p, NULL, 0).status
           && !tsr_gemm_by_element(x, y, w, &e).status && memcmp(c[0], c[1], sizeof c[0]) == 0;
}

int main(int argc, char **argv)
{
    bool const small = argc > 3 && strcmp(argv[3], "small") == 0;
    int64_t const cases = OF_CASES(argc > 1 ? atoll(argv[1]) : 400);
    random_begin(argc > 2 ? (uint64_t)atoll(argv[2]) : 1);
    begin_products();
    if (!small
        && (!try_wholes() || !try_odd() || !try_pairs() || !try_tiles() || !try_dots() || !try_lines()
            || !try_points() || !try_fars() || !try_shared() || !try_batches() || !try_complex() || !try_work()
            || !try_turned()))
        return 1;
    for (int64_t i = 0; i < cases; ++i) {
        most_work = small && i % 8 != 0 ? SMALL_WORK : INT64_MAX;
        while (!try_product(i, (int)(i % TYPES_COUNT)))
            continue;
    }
    printf("%lld products: %lld by element, %lld in place, %lld in blocks\n", (long long)cases, (long long)ways[0],
           (long long)ways[1], (long long)ways[2]);
    for (int isa = 0; isa < 8; ++isa)
        for (int i = 0; i < 16; ++i)
            if (rows_seen[isa][i])
                printf("  set %d, row %d: %lld\n", isa, i, (long long)rows_seen[isa][i]);
    return failures != 0;
}
