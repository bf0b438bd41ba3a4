/* The reductions of one instruction set: exec/compute/reduce_lines.h in vectors. The file that includes this says
 *
 *      VECTOR       the bytes of its vectors: 16, 32 or 64
 *      ROW(name)    tsr_name_avx512_, ..
 */
#include <string.h>

#include "exec/compute/packet.h"

#define REDUCE_NEON (TSR_NEON && VECTOR == 16)

typedef double reals __attribute__((vector_size(VECTOR)));
typedef int64_t integers __attribute__((vector_size(VECTOR)));
typedef uint64_t words __attribute__((vector_size(VECTOR)));
typedef int32_t smalls __attribute__((vector_size(VECTOR)));

enum { EACH = VECTOR / 8, CHUNK = TSR_REDUCE_LANES, SMALLS = VECTOR / 4, LINE = ENGINE_LINE, MOST_LINES = 1 << 15 };

/* ALWAYS: inlined, because its callers pass constants that it branches on. ALL_IN_IT: everything that it calls is
 * inlined. Both are off in builds that check every access, which would take a minute to compile. */
#if defined(__SANITIZE_ADDRESS__)
#  define CHECKED 1
#elif defined(__has_feature)
#  define CHECKED __has_feature(address_sanitizer)
#else
#  define CHECKED 0
#endif
#if CHECKED
#  define ALWAYS static __attribute__((unused))
#  define ALL_IN_IT
#else
#  define ALWAYS static inline __attribute__((always_inline))
#  define ALL_IN_IT __attribute__((flatten))
#endif

typedef float floats __attribute__((vector_size(VECTOR / 2)));
typedef uint32_t halves __attribute__((vector_size(VECTOR / 2)));

#if VECTOR == 16
#  include "exec/compute/reduce_plain.h"
#else
#  include "exec/compute/reduce_x86.h"
#endif
#define EACH_PART TSR_UNROLL for (int k = 0; k < PARTS; ++k)

#if REDUCE_NEON
#  include "exec/compute/reduce_neon.h"
#  define WORDS_AT_ONCE(type) (64 / tsr_dtype_bits(type))
#  define IN_REGISTER(x) __asm__("" : "+w"(x)) /* else gcc moves all sums back to where they were in each turn */
#else
#  define WORDS_AT_ONCE(type) 1
#  define IN_REGISTER(x) (void)0
#  define load_words(type, p, x) (void)0
#endif

ALWAYS words chosen(integers mask, words a, words b) { return (a & (words)mask) | (b & ~(words)mask); }

ALWAYS words combined(int const op, bool const real, words m, words x)
{
    if (real && op == TSR_REDUCE_SUM)
        return (words)((reals)m + (reals)x);
    if (op == TSR_REDUCE_SUM)
        return m + x;
    if (real)
        return chosen((op == TSR_REDUCE_MIN ? (reals)x < (reals)m : (reals)x > (reals)m) | ((reals)x != (reals)x), x,
                      m);
    return chosen(op == TSR_REDUCE_MIN ? (integers)x < (integers)m : (integers)x > (integers)m, x, m);
}

/** Reduces lines of `vectors` vectors, which stay in registers, `together` of them loaded at once. */
ALWAYS void columns(int const op, tsr_dtype const type, bool const real, int const vectors, int const together,
                    unsigned char const *from, int64_t lines, int64_t outer, unsigned char *acc)
{
    words m[CHUNK / EACH];
    TSR_UNROLL
    for (int v = 0; v < vectors; ++v)
        memcpy(&m[v], acc + v * VECTOR, VECTOR);
    for (int64_t line = 0; line < lines; ++line, from += outer) {
        TSR_UNROLL
        for (int v = 0; v < vectors; v += together) {
            words x[4];
            if (together == 1)
                x[0] = load_word(type, from + v * EACH * (tsr_dtype_bits(type) / 8));
            else
                load_words(type, from + v / together * VECTOR, x);
            TSR_UNROLL
            for (int i = 0; i < together; ++i) {
                m[v + i] = combined(op, real, m[v + i], x[i]);
                if (op == TSR_REDUCE_SUM)
                    IN_REGISTER(m[v + i]);
            }
        }
    }
    TSR_UNROLL
    for (int v = 0; v < vectors; ++v)
        memcpy(acc + v * VECTOR, &m[v], VECTOR);
}

/* Integers of up to 16 bits in 32: any order gives the same sums of up to 2^15 of them. */

ALWAYS void small_columns(int const op, tsr_dtype const type, unsigned char const *from, int64_t lines, int64_t outer,
                          void *acc)
{
    int64_t const step = SMALLS * (tsr_dtype_bits(type) / 8);
    smalls m[CHUNK / SMALLS];
    int32_t sums[CHUNK];
    TSR_UNROLL
    for (int v = 0; v < CHUNK / SMALLS; v += SMALLS_AT_ONCE)
        load_smalls(type, from + v * step, m + v);
    for (int64_t line = 1; line < lines; ++line) {
        from += outer;
        TSR_UNROLL
        for (int v = 0; v < CHUNK / SMALLS; v += SMALLS_AT_ONCE) {
            smalls x[SMALLS_AT_ONCE];
            load_smalls(type, from + v * step, x);
            TSR_UNROLL
            for (int i = 0; i < SMALLS_AT_ONCE; ++i) {
                smalls const old = m[v + i], mask = op == TSR_REDUCE_MIN ? x[i] < old : x[i] > old;
                m[v + i] = op == TSR_REDUCE_SUM ? old + x[i] : (x[i] & mask) | (old & ~mask);
            }
        }
    }
    memcpy(sums, m, sizeof sums);
    tsr_fold_lines_(op, TSR_I32, false, (unsigned char const *)sums, 1, 0, CHUNK, 4, acc);
}

#include "exec/compute/reduce_extremes.h"

/** Lines of CHUNK neighbours. */
ALWAYS void chunk_lines(int const op, tsr_dtype const type, bool const real, unsigned char const *from, int64_t lines,
                        int64_t outer, void *acc)
{
    if (lines == 0 || extreme_lines(op, type, real, from, lines, outer, acc))
        return;
    if (real || tsr_dtype_bits(type) > 16)
        columns(op, type, real, CHUNK / EACH, WORDS_AT_ONCE(type), from, lines, outer, (unsigned char *)acc);
    else
        small_columns(op, type, from, lines, outer, acc);
}

/** The loops of an operation and a type, compiled once for all that calls them: lines of CHUNK neighbours, and of EACH
 *  where elements have more than 16 bits or are real. */
typedef struct reduce_loops {
    void (*chunk)(unsigned char const *from, int64_t lines, int64_t outer, void *acc);
    void (*each)(unsigned char const *from, int64_t lines, int64_t outer, void *acc);
} reduce_loops;

/** X(operation, id, real) for each of them. */
#define OPERATIONS(X, id, real) X(TSR_REDUCE_SUM, id, real) X(TSR_REDUCE_MIN, id, real) X(TSR_REDUCE_MAX, id, real)

#define LOOPS(op, id, real)                                                                                   \
  ALL_IN_IT static void chunk_##op##_##id(unsigned char const *from, int64_t lines, int64_t outer, void *acc) \
  {                                                                                                           \
    chunk_lines(op, TSR_##id, real, from, lines, outer, acc);                                                 \
  }                                                                                                           \
  static void each_##op##_##id(unsigned char const *from, int64_t lines, int64_t outer, void *acc)            \
  {                                                                                                           \
    if (real || tsr_dtype_bits(TSR_##id) > 16)                                                                \
      columns(op, TSR_##id, real, 1, 1, from, lines, outer, (unsigned char *)acc);                            \
  }
#define X(id, T, real) OPERATIONS(LOOPS, id, real)
TSR_REDUCED_LIST(X)
#undef X

static reduce_loops loops_of(int op, tsr_dtype type)
{
    switch (op * 65536 + (int)type) {
#define LOOPS_OF(op, id, real) \
  case op * 65536 + TSR_##id:  \
    return (reduce_loops){chunk_##op##_##id, each_##op##_##id};
#define X(id, T, real) OPERATIONS(LOOPS_OF, id, real)
        TSR_REDUCED_LIST(X)
#undef X
    default:
        return (reduce_loops){NULL, NULL};
    }
}

/** Neighbours side by side: as many lines at a time as the first cache holds. */
static void beside(int op, tsr_dtype type, unsigned char const *from, int64_t lines, int64_t outer, int64_t n,
                   unsigned char *acc)
{
    reduce_loops const loops = loops_of(op, type);
    int64_t const bytes = tsr_dtype_bits(type) / 8,
                  group = n <= CHUNK ? MOST_LINES : tsr_max64(16384 / (n * bytes), 8);
    bool const narrow = tsr_number_kind_of(type) != TSR_REAL && bytes <= 2;
    for (int64_t line = 0; line < lines; line += group, from += group * outer) {
        int64_t const some = tsr_min64(lines - line, group), next = tsr_min64(lines - line - some, group);
        int64_t i = 0;
        for (; i + CHUNK <= n; i += CHUNK) {
            for (int64_t k = 0; k < next; ++k)
                for (int64_t b = 0; b < CHUNK * bytes; b += LINE)
                    __builtin_prefetch(from + (some + k) * outer + i * bytes + b, 0, 3);
            loops.chunk(from + i * bytes, some, outer, acc + 8 * i);
        }
        for (; !narrow && i + EACH <= n; i += EACH)
            loops.each(from + i * bytes, some, outer, acc + 8 * i);
        if (i < n)
            tsr_reduce_lines_(op, type, from + i * bytes, some, outer, n - i, bytes, acc + 8 * i);
    }
}

/** The partial sums of a run, by halves to the first one. */
ALWAYS uint64_t folded(int const op, bool const real, words *lanes)
{
    uint64_t *const sums = (uint64_t *)lanes;
    TSR_UNROLL
    for (int half = CHUNK / 2; half > 0; half /= 2)
        tsr_fold_lines_(op, real ? TSR_F64 : TSR_I64, real, (unsigned char const *)(sums + half), 1, 0, half, 8,
                        sums);
    return sums[0];
}

/** One result after the other, by partial sums. */
void ROW(engine_runs)(int op, tsr_dtype type, void const *from, int64_t count, int64_t n, int64_t outer, void *acc)
{
    reduce_loops const loops = loops_of(op, type);
    bool const real = tsr_number_kind_of(type) == TSR_REAL;
    int64_t const bytes = tsr_dtype_bits(type) / 8, lines = count / CHUNK;
    unsigned char const *p = (unsigned char const *)from;
    uint64_t *const result = (uint64_t *)acc;
    for (int64_t i = 0; i < n; ++i, p += outer) {
        words lanes[CHUNK / EACH]; /* written and read as whole vectors: a load does not wait for narrower stores */
        for (int v = 0; v < CHUNK / EACH; ++v)
            lanes[v] = (words){0} + result[i];
        loops.chunk(p, lines, CHUNK * bytes, lanes);
        if (count % CHUNK > 0)
            tsr_reduce_lines_(op, type, p + lines * CHUNK * bytes, 1, 0, count % CHUNK, bytes, lanes);
        switch (2 * op + real) {
/* clang-format off */
#define FOLDED(op)                                                        \
    case 2 * op: result[i] = folded(op, false, lanes); break;             \
    case 2 * op + 1: result[i] = folded(op, true, lanes); break;
            FOLDED(TSR_REDUCE_SUM) FOLDED(TSR_REDUCE_MIN) FOLDED(TSR_REDUCE_MAX)
/* clang-format on */
#undef FOLDED
                default : break;
        }
    }
}

#include "exec/compute/reduce_shorts.h"

void ROW(engine_lines)(int op, tsr_dtype type, void const *from, int64_t lines, int64_t outer, int64_t n,
                       int64_t inner, void *acc)
{
    unsigned char const *const p = (unsigned char const *)from;
    unsigned char *const q = (unsigned char *)acc;
    int64_t const bytes = tsr_dtype_bits(type) / 8;
    int64_t done = 0;
    if (inner == bytes) {
        beside(op, type, p, lines, outer, n, q);
        return;
    }
#if defined(PARTS)
    switch (outer == bytes && inner > outer ? op * 65536 + (int)type : -1) {
#  define SHORTS(op, id, real)                        \
  case op * 65536 + TSR_##id:                         \
    done = shorts_##op##_##id(p, lines, n, inner, q); \
    break;
#  define X(id, T, real) OPERATIONS(SHORTS, id, real)
        TSR_REDUCED_LIST(X)
#  undef X
#  undef SHORTS
    default:
        break;
    }
#endif
    tsr_reduce_lines_(op, type, p + done * inner, lines, outer, n - done, inner, q + 8 * done);
}
