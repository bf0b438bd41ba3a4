/* A square of items of S bytes, one vector each way, and the tile of one cache line each way that is made of squares.
 *
 *      turn(w, from, from_step)      item j of line i of the source becomes item i of vector j
 *
 *  Interleaving the two halves of n vectors rotates the bits of an item's number by one, so log2 n rounds transpose
 *  n by n: inside of the lanes of 16 bytes by unpack instructions, then lane by lane. Where a vector is loaded from the
 *  lanes of several lines, the first rounds are all: 8 by 4 floats take 8 unpack instructions, and the vectors of bytes
 *  fit the registers. Whole lines of the destination are then streamed from registers, AT_ONCE of them.
 *
 *  On AArch64 nothing passes the caches, and 32 registers hold a block of DOWN by ACROSS squares, whose neighbours an
 *  instruction loads, or stores, together.
 */
#define SIDE (S > VECTOR ? S : VECTOR)
#define LANE (S > 16 ? S : 16)
#define BY_LANES (S == 1 || (VECTOR == 32 && S <= 16))
#define AT_ONCE (BY_LANES ? LANE / S : SIDE / S)
#define DOWN (!TSR_NEON || S == 1 || S > 16 ? 1 : 2)
#define ACROSS (DOWN == 1 || S == 2 ? 1 : 2)

#if S <= VECTOR
/** The rounds of a square, or of a part of one. */
static inline __attribute__((always_inline)) void NAMED(interleave)(vector_8 *v)
{
    enum { N = VECTOR / S, M = LANE / S };
    vector_8 w[AT_ONCE];
    (void)v, (void)w;
#  if S < 16
    TSR_UNROLL
    for (int round = 1; round < M; round *= 2) {
        TSR_UNROLL
        for (int i = 0; i < AT_ONCE; i += 2) {
            NAMED(vector) const a = (NAMED(vector))v[i / M * M + i % M / 2];
            NAMED(vector) const b = (NAMED(vector))v[i / M * M + i % M / 2 + M / 2];
            w[i] = (vector_8)__builtin_shufflevector(a, b, LOW_HALVES);
            w[i + 1] = (vector_8)__builtin_shufflevector(a, b, HIGH_HALVES);
        }
        TSR_UNROLL
        for (int i = 0; i < AT_ONCE; ++i)
            v[i] = w[i];
    }
#  endif
#  if S > 1 && VECTOR > S && VECTOR == 64
    TSR_UNROLL
    for (int round = 1; round < VECTOR / LANE; round *= 2) {
        TSR_UNROLL
        for (int i = 0; i < N / 2; ++i) {
            int const a = i / M * 2 * M + i % M;
            w[i] = __builtin_shufflevector(v[a], v[a + M], EVEN_LANES);
            w[i + N / 2] = __builtin_shufflevector(v[a], v[a + M], ODD_LANES);
        }
        TSR_UNROLL
        for (int i = 0; i < N; ++i)
            v[i] = w[i];
    }
#  endif
}

/** AT_ONCE items of VECTOR / S lines. */
static inline __attribute__((always_inline)) void NAMED(turn)(vector_8 *w, unsigned char const *from,
                                                              int64_t from_step)
{
    TSR_UNROLL
    for (int i = 0; i < AT_ONCE; ++i)
        w[i] = BY_LANES ? LANES(from + i * from_step, LANE / S * from_step) : load(from + i * from_step);
    NAMED(interleave)(w);
}
#endif

static inline __attribute__((always_inline)) void NAMED(square)(unsigned char *to, int64_t to_step,
                                                                unsigned char const *from, int64_t from_step)
{
#if S > VECTOR
    (void)to_step, (void)from_step;
    memcpy(to, from, S);
#else
    TSR_UNROLL
    for (int j = 0; j < VECTOR / S; j += AT_ONCE) {
        vector_8 w[AT_ONCE];
        NAMED(turn)(w, from + j * S, from_step);
        TSR_UNROLL
        for (int i = 0; i < AT_ONCE; ++i)
            store(to + (j + i) * to_step, w[i]);
    }
#endif
}

#define BLOCKS (TSR_NEON && S <= VECTOR)
#if BLOCKS
/** DOWN by ACROSS squares: of the next lines from `from` on, to the bytes `at` of rows. */
static inline __attribute__((always_inline)) void NAMED(few)(unsigned char *const *row, int const at,
                                                             unsigned char const **from, int64_t from_step)
{
    vector_8 w[DOWN][ACROSS][AT_ONCE];
    TSR_UNROLL
    for (int k = 0; k < DOWN; ++k) {
        TSR_UNROLL
        for (int i = 0; i < AT_ONCE; ++i)
#  if ACROSS == 2
            load_two(&w[k][0][i], &w[k][1][i], from, from_step);
#  else
            w[k][0][i] = load_next(from, from_step);
#  endif
        TSR_UNROLL
        for (int j = 0; j < ACROSS; ++j)
            NAMED(interleave)(w[k][j]);
    }
    TSR_UNROLL
    for (int i = 0; i < ACROSS * AT_ONCE; ++i)
#  if DOWN == 2
        store_two(row[i] + at, w[0][i / AT_ONCE][i % AT_ONCE], w[1][i / AT_ONCE][i % AT_ONCE]);
#  else
        store_one(row[i] + at, w[0][0][i]);
#  endif
}

/** The rows that a strip, or some squares, are written to. */
static inline __attribute__((always_inline)) void NAMED(rows)(unsigned char **row, unsigned char *to, int64_t to_step)
{
    TSR_UNROLL
    for (int i = 0; i < ACROSS * AT_ONCE; ++i)
        row[i] = to + i * to_step;
}

/** The same squares by themselves. */
static inline __attribute__((always_inline)) void NAMED(some)(unsigned char *to, int64_t to_step,
                                                              unsigned char const *from, int64_t from_step)
{
    unsigned char *row[ACROSS * AT_ONCE];
    NAMED(rows)(row, to, to_step);
    NAMED(few)(row, 0, &from, from_step);
}
#endif

/** A whole tile, by squares. */
static inline __attribute__((always_inline)) void NAMED(squares)(unsigned char *to, int64_t to_step,
                                                                 unsigned char const *from, int64_t from_step)
{
    /* A line of the source is read once: few of one set are cached together. */
    for (int j = 0; j < LINE; j += DOWN * SIDE)
        for (int i = 0; i < LINE; i += ACROSS * SIDE)
#if BLOCKS
            NAMED(some)(to + i / S * to_step + j, to_step, from + j / S * from_step + i, from_step);
#else
            NAMED(square)(to + i / S * to_step + j, to_step, from + j / S * from_step + i, from_step);
#endif
}

/** Moves a strip past the caches: AT_ONCE lines of the destination by `bytes` bytes, a multiple of a memory line. Each
 *  memory line takes the same items of a tile's source lines. */
static inline __attribute__((always_inline)) void NAMED(strip_of)(unsigned char *to, int64_t to_step,
                                                                  unsigned char const *from, int64_t from_step,
                                                                  int64_t bytes)
{
#if BLOCKS
    unsigned char *row[ACROSS * AT_ONCE];
    NAMED(rows)(row, to, to_step);
    for (; bytes > 0; bytes -= LINE) {
        TSR_UNROLL
        for (int k = 0; k < LINE; k += DOWN * VECTOR)
            NAMED(few)(row, k, &from, from_step);
        TSR_UNROLL
        for (int i = 0; i < ACROSS * AT_ONCE; ++i) {
            row[i] += LINE;
            __asm__("" : "+r"(row[i]));
        }
    }
#else
    for (; bytes > 0; bytes -= LINE, to += LINE, from += LINE / S * from_step) {
#  if S > VECTOR
        (void)to_step;
        for (int k = 0; k < LINE; k += VECTOR)
            STREAM(to + k, load(from + k / S * from_step + k % S));
#  else
        vector_8 w[LINE / VECTOR][AT_ONCE];
        TSR_UNROLL
        for (int k = 0; k < LINE / VECTOR; ++k)
            NAMED(turn)(w[k], from + k * (VECTOR / S) * from_step, from_step);
        TSR_UNROLL
        for (int i = 0; i < AT_ONCE; ++i) {
            TSR_UNROLL
            for (int k = 0; k < LINE / VECTOR; ++k)
                STREAM(to + i * to_step + k * VECTOR, w[k][i]);
        }
#  endif
    }
#endif
}

ONCE static void NAMED(strip)(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step,
                              int64_t bytes)
{
    NAMED(strip_of)(to, to_step, from, from_step, bytes);
}

ONCE static void NAMED(tile)(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step,
                             bool stream)
{
    if (!stream) {
        NAMED(squares)(to, to_step, from, from_step);
        return;
    }
    for (int j = 0; j < LINE / S; j += ACROSS * AT_ONCE) /* whole lines, one after the other */
        NAMED(strip_of)(to + j * to_step, to_step, from + j * S, from_step, LINE);
}

/** Of the source `lines` lines of `items` items. */
ONCE static void NAMED(part)(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step,
                             int64_t lines, int64_t items)
{
    _Alignas(LINE) unsigned char in[LINE / S * LINE], out[LINE / S * LINE];
    for (int64_t i = 0; i < lines; ++i)
        copy_part(in + i * LINE, from + i * from_step, items * S);
    NAMED(tile)(out, LINE, in, LINE, false);
    for (int64_t i = 0; i < items; ++i)
        copy_part(to + i * to_step, out + i * LINE, lines * S);
}

/** A block of at least one square each way; the last squares overlap those before. */
static void NAMED(block)(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step,
                         int64_t lines, int64_t items)
{
    enum { N = SIDE / S };
#if BLOCKS
    enum { DEEP = DOWN * N, WIDE = ACROSS * N };
    if (lines >= DEEP && items >= WIDE) {
        for (int64_t i = 0; i < items; i += WIDE)
            for (int64_t j = 0; j < lines; j += DEEP) {
                int64_t const x = tsr_min64(i, items - WIDE), y = tsr_min64(j, lines - DEEP);
                NAMED(some)(to + x * to_step + y * S, to_step, from + y * from_step + x * S, from_step);
            }
        return;
    }
#endif
    for (int64_t i = 0; i < items; i += N)
        for (int64_t j = 0; j < lines; j += N) {
            int64_t const x = tsr_min64(i, items - N), y = tsr_min64(j, lines - N);
            NAMED(square)(to + x * to_step + y * S, to_step, from + y * from_step + x * S, from_step);
        }
}

#if S < 16
static inline __attribute__((always_inline)) int64_t NAMED(weave_of)(unsigned char *to, unsigned char const *from,
                                                                     int64_t from_step, int const lines,
                                                                     int64_t items, bool stream)
{
    enum { N = VECTOR / S };
    int64_t j = 0;
    for (; j + N <= items; j += N) {
        vector_8 v[8], w[8];
        TSR_UNROLL
        for (int i = 0; i < lines; ++i) {
            v[i] = load(from + i * from_step + j * S);
            if (stream)
                __builtin_prefetch(from + i * from_step + j * S + ENGINE_AHEAD, 0, 3);
        }
        TSR_UNROLL
        for (int round = 1; round < lines; round *= 2) {
            TSR_UNROLL
            for (int i = 0; i < lines; i += 2) {
                NAMED(vector) const a = (NAMED(vector))v[i / 2], b = (NAMED(vector))v[i / 2 + lines / 2];
                vector_8 const low = (vector_8)__builtin_shufflevector(a, b, LOW_HALVES);
                vector_8 const high = (vector_8)__builtin_shufflevector(a, b, HIGH_HALVES);
                w[i] = FIRST_LANES(low, high);
                w[i + 1] = LAST_LANES(low, high);
            }
            TSR_UNROLL
            for (int i = 0; i < lines; ++i)
                v[i] = w[i];
        }
        TSR_UNROLL
        for (int i = 0; i < lines; ++i)
            if (stream)
                STREAM(to + (j * lines + i * N) * S, v[i]);
            else
                store(to + (j * lines + i * N) * S, v[i]);
    }
    return j;
}

static int64_t NAMED(weave)(unsigned char *to, unsigned char const *from, int64_t from_step, int lines, int64_t items,
                            bool stream)
{
    bool const past = stream && (uintptr_t)to % VECTOR == 0;
    switch (lines) {
    case 2:
        return past ? NAMED(weave_of)(to, from, from_step, 2, items, true)
                    : NAMED(weave_of)(to, from, from_step, 2, items, false);
    case 4:
        return past ? NAMED(weave_of)(to, from, from_step, 4, items, true)
                    : NAMED(weave_of)(to, from, from_step, 4, items, false);
    default:
        return past ? NAMED(weave_of)(to, from, from_step, 8, items, true)
                    : NAMED(weave_of)(to, from, from_step, 8, items, false);
    }
}

/** Some items of each of `lines` lines, `step` bytes apart, in turn to or from one line. */
static inline __attribute__((always_inline)) void NAMED(braid_some)(unsigned char *to, unsigned char const *from,
                                                                    int64_t step, int const lines, bool const apart,
                                                                    int64_t const items)
{
    APART
    for (int64_t i = 0; i < items; ++i)
        TSR_UNROLL
    for (int l = 0; l < lines; ++l)
        if (apart)
            memcpy(to + l * step + i * S, from + (i * lines + l) * S, S);
        else
            memcpy(to + (i * lines + l) * S, from + l * step + i * S, S);
}

static inline __attribute__((always_inline)) void NAMED(braid_of)(unsigned char *to, unsigned char const *from,
                                                                  int64_t step, int const lines, bool const apart,
                                                                  int64_t items)
{
    int64_t const t = apart ? S : S * lines, f = apart ? S * lines : S;
    int64_t i = 0;
    for (; i + 64 <= items; i += 64)
        NAMED(braid_some)(to + i * t, from + i * f, step, lines, apart, 64);
    if (i + 32 <= items) {
        NAMED(braid_some)(to + i * t, from + i * f, step, lines, apart, 32);
        i += 32;
    }
    for (; i + 16 <= items; i += 16)
        NAMED(braid_some)(to + i * t, from + i * f, step, lines, apart, 16);
    NAMED(braid_some)(to + i * t, from + i * f, step, lines, apart, items - i);
}

static void NAMED(braid)(unsigned char *to, unsigned char const *from, int64_t step, int lines, bool apart,
                         int64_t items)
{
    switch (lines * 2 + apart) {
#  define X(n)                                        \
  case 2 * n:                                         \
    NAMED(braid_of)(to, from, step, n, false, items); \
    return;                                           \
  case 2 * n + 1:                                     \
    NAMED(braid_of)(to, from, step, n, true, items);  \
    return;
        X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#  undef X
    }
}
#endif

enum { NAMED(at_once) = ACROSS * AT_ONCE, NAMED(deep) = S > VECTOR ? 0 : DOWN *VECTOR / S };

#undef SIDE
#undef LANE
#undef BY_LANES
#undef AT_ONCE
#undef DOWN
#undef ACROSS
#undef BLOCKS
#undef S
#undef LOW_HALVES
#undef HIGH_HALVES
#undef EVEN_LANES
#undef ODD_LANES
