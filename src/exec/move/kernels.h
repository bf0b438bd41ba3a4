/* The kernels of one instruction set. The file that includes this says
 *
 *      VECTOR            the bytes of its vectors: 16, 32 or 64
 *      STREAM(to, v)     stores past the caches, to a multiple of VECTOR
 *      LANES(from, step) a vector of 16 bytes of each of several lines
 *      NARROWER          the row of narrower vectors, or NULL
 *      ROW(name)         tsr_name_avx512_, ..
 */
#include "exec/neon.h"

enum { LINE = ENGINE_LINE };

/* Before a large function that is compiled once, whatever calls it. */
#if defined(__clang__)
#  define ONCE __attribute__((noinline))
#else
#  define ONCE __attribute__((noinline, noclone))
#endif

/* Before a loop of which no step reads what another one writes. */
#if defined(__clang__)
#  define APART _Pragma("clang loop vectorize(assume_safety)")
#else
#  define APART _Pragma("GCC ivdep")
#endif

typedef uint8_t vector_1 __attribute__((vector_size(VECTOR)));
typedef uint16_t vector_2 __attribute__((vector_size(VECTOR)));
typedef uint32_t vector_4 __attribute__((vector_size(VECTOR)));
typedef uint64_t vector_8 __attribute__((vector_size(VECTOR)));

#if TSR_NEON /* where gcc moves 16 bytes of memory by two registers of integers */
typedef uint64_t vector_at __attribute__((vector_size(VECTOR), aligned(1), may_alias));

static inline vector_8 load(unsigned char const *p) { return *(vector_at const *)p; }

static inline void store(unsigned char *p, vector_8 v) { *(vector_at *)p = v; }
#else
static inline vector_8 load(unsigned char const *p)
{
    vector_8 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void store(unsigned char *p, vector_8 v) { memcpy(p, &v, sizeof v); }
#endif

#if TSR_NEON
/** The vector at p, which goes on to the next line in the same instruction; gcc makes two of them. */
static inline __attribute__((always_inline)) vector_8 load_next(unsigned char const **p, int64_t step)
{
    vector_8 v;
#  if defined(__clang__)
    v = load(*p);
    *p += step;
#  else
    __asm__("ld1 {%0.16b}, [%1], %2" : "=w"(v), "+r"(*p) : "r"(step), "m"(*(vector_at const *)*p));
#  endif
    return v;
}

/** The two vectors at p, and on to the next line: an address is the one before and a step, not a product. */
static inline __attribute__((always_inline)) void load_two(vector_8 *a, vector_8 *b, unsigned char const **p,
                                                           int64_t step)
{
    *a = load(*p);
    *b = load(*p + VECTOR);
    *p += step;
    __asm__("" : "+r"(*p));
}

/** Of vectors that clang does not look into: it would store the last round as pairs, by more instructions. */
static inline __attribute__((always_inline)) void store_one(unsigned char *p, vector_8 v)
{
#  if defined(__clang__)
    __asm__("" : "+w"(v));
#  endif
    store(p, v);
}

static inline __attribute__((always_inline)) void store_two(unsigned char *p, vector_8 a, vector_8 b)
{
#  if defined(__clang__)
    store_one(p, a);
    store_one(p + VECTOR, b);
#  else
    __asm__("stp %q2, %q3, %0" : "=Ump"(*(vector_at *)p), "=m"(*(vector_at *)(p + VECTOR)) : "w"(a), "w"(b));
#  endif
}
#endif

static inline void stream_line(unsigned char *to, unsigned char const *from)
{
    TSR_UNROLL
    for (int i = 0; i < LINE; i += VECTOR)
        STREAM(to + i, load(from + i));
}

static inline void copy_line(unsigned char *to, unsigned char const *from)
{
    TSR_UNROLL
    for (int i = 0; i < LINE; i += VECTOR)
        store(to + i, load(from + i));
}

/** Up to a line: the last piece overlaps the one before. */
static inline void copy_part(unsigned char *to, unsigned char const *from, int64_t n)
{
/* clang-format off */
#define X(bytes)                                              \
    if (n >= bytes) {                                         \
        for (int64_t i = 0; i + bytes < n; i += bytes)        \
            memcpy(to + i, from + i, bytes);                  \
        memcpy(to + n - bytes, from + n - bytes, bytes);      \
        return;                                               \
    }
    X(32) X(16) X(8) X(4) X(2)
/* clang-format on */
#undef X
        if (n == 1) *to = *from;
}

/** Moves adjacent bytes. `next` is read afterwards and is prefetched; NULL if the caller does that. */
static void copy_row(unsigned char *to, unsigned char const *from, int64_t n, unsigned char const *next, bool stream)
{
    int64_t i = 0;
    if (!stream) {
        memcpy(to, from, (size_t)n);
        return;
    }
    i = tsr_min64((int64_t)(-(uintptr_t)to % LINE), n);
    copy_part(to, from, i);
    for (; next && i + LINE <= n; i += LINE) {
        int64_t const at = i + ENGINE_AHEAD;
        __builtin_prefetch(at < n ? from + at : next + (at - n), 0, 3);
        stream_line(to + i, from + i);
    }
    for (; i + LINE <= n; i += LINE)
        stream_line(to + i, from + i);
    copy_part(to + i, from + i, n - i);
}

/** A row of whole lines past the caches, and the request for another one. */
static inline void stream_row(unsigned char *to, unsigned char const *from, int64_t n, unsigned char const *then)
{
    for (int64_t i = 0; i < n; i += LINE) {
        __builtin_prefetch(then + i, 0, 3);
        stream_line(to + i, from + i);
    }
}

/** Rows at places of which all but a few begin where lines do. */
static void copy_places(engine_place const *at, int64_t count, int ahead)
{
    for (engine_place const *const end = at + count; at < end; ++at) {
        int64_t const n = at->items, next = at[ahead].items; /* bytes */
        unsigned char const *const then = at[ahead].from;
        if (((uintptr_t)at->to | (uintptr_t)n) % LINE != 0 || next != n) {
            for (int64_t i = 0; i < next; i += LINE)
                __builtin_prefetch(then + i, 0, 3);
            copy_row(at->to, at->from, n, NULL, true);
            continue;
        }
        stream_row(at->to, at->from, n, then);
    }
}

/** The same with a gap behind each row of the source. Lines are asked for into the second cache: requests into the
 *  first one lead its prefetcher on into the gaps. */
static inline void stream_gapped(unsigned char *to, unsigned char const *from, int64_t n, unsigned char const *then)
{
    for (int64_t i = 0; i < n; i += LINE) {
        __builtin_prefetch(then + i, 0, 2);
        stream_line(to + i, from + i);
    }
}

/** Rows of n bytes at equal steps past the caches: whole lines on both sides. Short ones are taken from several places
 *  in turn, as memory has several pages open. */
static void stream_rows(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step, int64_t n,
                        int64_t rows)
{
    enum { PLACES = 4, SHORT = 2048, AHEAD = 4 };
    int64_t const places = n <= SHORT ? PLACES : 1, part = rows / places;
    bool const gapped = from_step > n;
    for (int64_t j = 0; j < part; ++j)
        for (int64_t c = 0; c < places; ++c) {
            unsigned char const *const s = from + (c * part + j) * from_step;
            unsigned char *const d = to + (c * part + j) * to_step;
            if (gapped)
                stream_gapped(d, s, n, s + AHEAD * from_step);
            else
                stream_row(d, s, n, s + AHEAD * from_step);
        }
    for (int64_t j = places * part; j < rows; ++j)
        stream_row(to + j * to_step, from + j * from_step, n, from + j * from_step);
}

/** Rows of n bytes, which pass through vectors: the last one of a row overlaps the one before. */
static void copy_rows(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step, int64_t n,
                      int64_t rows)
{
    switch (n) {
/* clang-format off */
#define X(bytes)                                                        \
    case bytes:                                                         \
        for (; rows > 0; --rows, to += to_step, from += from_step)      \
            memcpy(to, from, bytes);                                    \
        break;
        X(8) X(16) X(32) X(64) X(96) X(128) X(192)
/* clang-format on */
#undef X
            default : break;
    }
    for (; rows > 0; --rows, to += to_step, from += from_step) {
        if (n < VECTOR) {
            copy_part(to, from, n);
            continue;
        }
        for (int64_t i = 0; i + VECTOR < n; i += VECTOR)
            store(to + i, load(from + i));
        store(to + n - VECTOR, load(from + n - VECTOR));
    }
}

/** n bytes of a pattern that repeats itself after every power of two up to a line; two lines of it are given. */
static void fill_row(unsigned char *to, unsigned char const *pattern, int64_t n, bool stream)
{
    int64_t i = tsr_min64((int64_t)(-(uintptr_t)to % LINE), n);
    unsigned char const *const line = pattern + i; /* goes on where the first part ends */
    copy_part(to, pattern, i);
    for (; i + LINE <= n; i += LINE)
        if (stream)
            stream_line(to + i, line);
        else
            copy_line(to + i, line);
    copy_part(to + i, line, n - i);
}

/** Lines turned beside, behind what came before on each. */
static void skew_lines(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step,
                       int64_t lines, int64_t n, unsigned char (*carry)[LINE], bool first, bool last)
{
    for (; lines > 0; --lines, to += to_step, from += from_step, ++carry) {
        int64_t const before = (int64_t)((uintptr_t)to % LINE);
        int64_t k = first && before > 0 ? tsr_min64(LINE - before, n) : -before;
        if (first)
            copy_part(to, from, tsr_max64(k, 0));
        for (; k + LINE <= n; k += LINE)
            stream_line(to + k, from + k);
        if (last)
            copy_part(to + k, from + k, n - k);
        else
            copy_line(*carry, from + n - LINE);
    }
}

/* The indices that interleave the low, or the high, halves of the lanes of two vectors of items of s bytes. */
#define PAIR_8(i, n) (i), (i) + (n)
#define PAIR_4(i, n) PAIR_8(i, n), PAIR_8((i) + 1, n)
#define PAIR_2(i, n) PAIR_4(i, n), PAIR_4((i) + 2, n)
#define PAIR_1(i, n) PAIR_2(i, n), PAIR_2((i) + 4, n)
#define LANE_OF(s, k, high) PAIR_##s(16 / s * (k) + 8 / s * (high), VECTOR / s)
#if VECTOR == 64
#  define HALVES(s, high) LANE_OF(s, 0, high), LANE_OF(s, 1, high), LANE_OF(s, 2, high), LANE_OF(s, 3, high)
#  define EVEN_16 0, 1, 4, 5, 8, 9, 12, 13
#  define ODD_16 2, 3, 6, 7, 10, 11, 14, 15
#elif VECTOR == 32
#  define HALVES(s, high) LANE_OF(s, 0, high), LANE_OF(s, 1, high)
#else
#  define HALVES(s, high) LANE_OF(s, 0, high)
#endif
/* Two vectors of interleaved halves of lanes as one run. */
#if VECTOR == 64
#  define FIRST_LANES(low, high) __builtin_shufflevector(low, high, 0, 1, 8, 9, 2, 3, 10, 11)
#  define LAST_LANES(low, high) __builtin_shufflevector(low, high, 4, 5, 12, 13, 6, 7, 14, 15)
#elif VECTOR == 32
#  define FIRST_LANES(low, high) __builtin_shufflevector(low, high, 0, 1, 4, 5)
#  define LAST_LANES(low, high) __builtin_shufflevector(low, high, 2, 3, 6, 7)
#else
#  define FIRST_LANES(low, high) (low)
#  define LAST_LANES(low, high) (high)
#endif
#define EVEN_32 0, 1, 2, 3, 8, 9, 10, 11
#define ODD_32 4, 5, 6, 7, 12, 13, 14, 15
#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(name) JOIN(name, S)
#define S 1
#define LOW_HALVES HALVES(1, 0)
#define HIGH_HALVES HALVES(1, 1)
#define EVEN_LANES EVEN_16
#define ODD_LANES ODD_16
#include "exec/move/square.h"
#define S 2
#define LOW_HALVES HALVES(2, 0)
#define HIGH_HALVES HALVES(2, 1)
#define EVEN_LANES EVEN_16
#define ODD_LANES ODD_16
#include "exec/move/square.h"
#define S 4
#define LOW_HALVES HALVES(4, 0)
#define HIGH_HALVES HALVES(4, 1)
#define EVEN_LANES EVEN_16
#define ODD_LANES ODD_16
#include "exec/move/square.h"
#define S 8
#define LOW_HALVES HALVES(8, 0)
#define HIGH_HALVES HALVES(8, 1)
#define EVEN_LANES EVEN_16
#define ODD_LANES ODD_16
#include "exec/move/square.h"
#define S 16
#define EVEN_LANES EVEN_16
#define ODD_LANES ODD_16
#include "exec/move/square.h"
/* Items of whole lines: squares of TSR_GROUP_LINES lines. */
#define S 64
#include "exec/move/lines.h"
#define S 128
#include "exec/move/lines.h"
#define S 32
#define EVEN_LANES EVEN_32
#define ODD_LANES ODD_32
#include "exec/move/square.h"

#include "exec/compute/convert_row.h"

#if VECTOR == 16
#  define convert_by_row tsr_convert_lines_by_loops_
#  define update_by_row tsr_update_by_loops_
#else
#  define convert_by_row tsr_convert_lines_
#  define update_by_row ROW(engine_update)
#endif

__attribute__((flatten)) ONCE static void convert_lines(tsr_pass_ const *pass, void *to, int64_t to_step,
                                                        void const *from, int64_t from_step, int64_t n, int64_t lines)
{
    if (convert_floats(pass->to.type, to, to_step, pass->from.type, from, from_step, n, lines))
        return;
    convert_by_row(pass, to, to_step, from, from_step, n, lines);
}

ONCE static void convert(tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from, int64_t n)
{
    if (convert_floats(to_type, to, 0, from_type, from, 0, n, 1))
        return;
    tsr_pass_ const pass = tsr_pass_of_(to_type, from_type);
    if (pass.one_by_one)
        tsr_convert_by_loops_(to_type, to, from_type, from, n);
    else
        convert_lines(&pass, to, 0, from, 0, n, 1);
}

static bool update_lines(tsr_update const *u, tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from,
                         tsr_lines_ b)
{
#if VECTOR >= 32 || TSR_NEON
    return ROW(engine_update_lines)(u, to_type, to, from_type, from, b);
#else
    (void)u, (void)to_type, (void)to, (void)from_type, (void)from, (void)b;
    return false;
#endif
}

static void update(tsr_update const *u, tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from, int64_t n)
{
    if (!update_lines(u, to_type, to, from_type, from, tsr_lines_of_(n, 1, 0, 0)))
        update_by_row(u, convert, to_type, to, from_type, from, n);
}

static engine_kernels const kernels = {
    VECTOR,
    NARROWER,
    convert,
    convert_lines,
    update,
    update_lines,
    {convert, ROW(engine_lines), ROW(engine_runs)},
    ROW(engine_combine),
    {weave_1, weave_2, weave_4, weave_8},
    {braid_1, braid_2, braid_4, braid_8},
    copy_row,
    copy_rows,
    stream_rows,
    copy_places,
    skew_lines,
    fill_row,
    {
#define X(s) {tile_##s, part_##s, block_##s, strip_##s, at_once_##s, deep_##s},
        ENGINE_ITEM_LIST(X)
#undef X
            {tile_64, part_64, part_64, NULL, 0, 0},
        {tile_128, part_128, part_128, NULL, 0, 0},
    },
};
