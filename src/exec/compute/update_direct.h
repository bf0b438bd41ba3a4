/** Direct: updates of elements of one type in the arithmetic of that type, without numbers of other types in between.
 *
 *  Law     that of exec/compute/update.h, bit by bit. It computes in double or in integers of 64 bits, and rounds or
 *          cuts once more at the end. This makes no difference for
 *
 *          integers       sums and products modulo 2^64 are, cut to w bits, those modulo 2^w
 *          f32, alpha x   of two floats: a double holds the product of 48 bits, whose exponent is above -300, so that
 *                         it is rounded once, to the float, as the product of floats is; below the normal numbers, too
 *          f32, x + y     and x - y, y - x, -x - y: where a sum of floats is cut in a double, it has 53 bits. These are
 *                         at least 2 * 24 + 2, and then rounding twice is as rounding once (Figueroa, "When is double
 *                         rounding innocuous?", 1995). A sum below the normal floats is a float.
 *          f32, sums      with factors that are powers of two: exec/compute/update_powers.h
 *          f64            each product and each sum is one of doubles anyway
 *          f16, bf16      the size of a number, or 0 in its place, is a pattern again
 *
 *          NaN is one pattern.
 */
#ifndef TSR_SRC_EXEC_COMPUTE_UPDATE_DIRECT_H
#define TSR_SRC_EXEC_COMPUTE_UPDATE_DIRECT_H

#include "exec/compute/update.h"

/** What is made of x and y, with factors a and b. */
typedef enum tsr_direct_op_ {
    TSR_DIRECT_NONE_,
    TSR_DIRECT_ABS_,
    TSR_DIRECT_RELU_,
    TSR_DIRECT_SQUARE_,
    TSR_DIRECT_SCALE_,
    TSR_DIRECT_SUM_,
    TSR_DIRECT_POWERS_
} tsr_direct_op_;

/** X(width, signed and unsigned integers of memory, what is computed in). Only signed ones have an abs or a relu. */
#define TSR_DIRECT_INTEGER_LIST(X)   \
  X(8, int8_t, uint8_t, uint32_t)    \
  X(16, int16_t, uint16_t, uint32_t) \
  X(32, int32_t, uint32_t, uint32_t) \
  X(64, int64_t, uint64_t, uint64_t)

TSR_LOCAL_MEMORY bool tsr_direct_integer_(tsr_dtype type)
{
    switch (type) {
#define TSR_X_(width, S, U, W) \
case TSR_I##width:             \
case TSR_U##width:
        TSR_DIRECT_INTEGER_LIST(TSR_X_)
#undef TSR_X_
        return true;
    default:
        return false;
    }
}

/** Whether x is a power of two such that quotients of two of them are floats, too. */
TSR_LOCAL_MEMORY bool tsr_is_float_power_(double x) { return tsr_is_power_(x, -60, 60); }

/** Whether an update of elements of one type is made so, and what of it. */
TSR_LOCAL_MEMORY tsr_direct_op_ tsr_direct_of_(tsr_update const *u, tsr_dtype to_type, tsr_dtype from_type)
{
    int const kind = (int)tsr_number_kind_of(from_type), in = tsr_update_in_(u, to_type, from_type, kind);
    bool const reads = tsr_update_reads_(u), ints = in == TSR_IN_INTEGERS_,
               halves = to_type == TSR_F16 || to_type == TSR_BF16;
    if (to_type != from_type || in == TSR_IN_COMPLEX_
        || !(ints ? tsr_direct_integer_(to_type) : halves || to_type == TSR_F32 || to_type == TSR_F64))
        return TSR_DIRECT_NONE_;
    double const a = tsr_number_to_double(u->alpha), b = tsr_number_to_double(u->beta);
    int const f = ints ? tsr_function_for_(u->function, kind == TSR_SIGNED) : u->function;
    bool const signs = a * a == 1 && b * b == 1, exact = to_type != TSR_F32 || reads || tsr_is_float_(a);
    if (f == TSR_OF_IDENTITY && to_type == TSR_F32 && reads && !signs)
        return tsr_is_float_power_(a) && tsr_is_float_power_(b) ? TSR_DIRECT_POWERS_ : TSR_DIRECT_NONE_;
    if (f == TSR_OF_IDENTITY)
        return halves || !exact ? TSR_DIRECT_NONE_ : reads ? TSR_DIRECT_SUM_ : TSR_DIRECT_SCALE_;
    if (reads || a != 1 || f > TSR_OF_SQUARE || (halves && f == TSR_OF_SQUARE))
        return TSR_DIRECT_NONE_;
    return f == TSR_OF_ABS ? TSR_DIRECT_ABS_ : f == TSR_OF_RELU ? TSR_DIRECT_RELU_ : TSR_DIRECT_SQUARE_;
}

/* Each element depends on what is in its place alone. */
#if defined(__clang__) && !defined(__CUDACC__)
#  define TSR_SIDE_BY_SIDE_ _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__) && !defined(__CUDACC__)
#  define TSR_SIDE_BY_SIDE_ _Pragma("GCC ivdep") _Pragma("GCC unroll 4")
#else
#  define TSR_SIDE_BY_SIDE_
#endif

/** Bytes between the elements of a pair: vectors are shorter, and memory is still read in its order. By 2048 bytes
 *  floats took twice the time of 256 (4 million on a Zen 4 by SSE2, 2.3 and 0.9 ms), and doubles by 512 (on a Zen 5,
 *  4.3 and 2.0 ms). */
enum { TSR_DIRECT_APART_ = 256 };

/* clang-format off */
/** r of element `at`, S and R in memory: of x, and of y where it is read, as numbers v and w of type W. Its `x` and `r`
 *  go to those given. */
#define TSR_DIRECT_ONE_(S, R, W, reads, value, at, to_x, to_r)                               \
    {                                                                                     \
        S x = 0, y = 0;                                                                   \
        TSR_COPY(&x, (unsigned char const *)from + (at) * (int64_t)sizeof x, sizeof x);   \
        if (reads)                                                                        \
            TSR_COPY(&y, (unsigned char *)to + (at) * (int64_t)sizeof y, sizeof y);       \
        W const v = (W)x, w = (W)y, z = value;                                            \
        (void)v, (void)w;                                                                 \
        to_x = x;                                                                         \
        to_r = (R)z;                                                                      \
    }

/** Elements first to last - 1, by pairs, so that one comparison looks at two of them; what is left by one. */
#define TSR_DIRECT_LOOP_(S, R, W, reads, value, note)                                        \
    int64_t const apart = TSR_DIRECT_APART_ / (int64_t)sizeof(S);                            \
    int64_t i = first;                                                                    \
    for (; i + 2 * apart <= last; i += 2 * apart) {                                       \
        TSR_SIDE_BY_SIDE_                                                                 \
        for (int64_t j = i; j < i + apart; ++j) {                                         \
            S x_1, x_2;                                                                   \
            R r_1, r_2;                                                                   \
            TSR_DIRECT_ONE_(S, R, W, reads, value, j, x_1, r_1)                              \
            TSR_DIRECT_ONE_(S, R, W, reads, value, j + apart, x_2, r_2)                      \
            (void)x_1, (void)x_2, note(x_1, x_2, r_1, r_2);                               \
            TSR_COPY((unsigned char *)to + j * (int64_t)sizeof r_1, &r_1, sizeof r_1);    \
            TSR_COPY((unsigned char *)to + (j + apart) * (int64_t)sizeof r_2,             \
                     &r_2, sizeof r_2);                                                   \
        }                                                                                 \
    }                                                                                     \
    TSR_SIDE_BY_SIDE_                                                                     \
    for (int64_t j = i; j < last; ++j) {                                                  \
        S x_1;                                                                            \
        R r_1;                                                                            \
        TSR_DIRECT_ONE_(S, R, W, reads, value, j, x_1, r_1)                                  \
        (void)x_1, note(x_1, x_1, r_1, r_1);                                              \
        TSR_COPY((unsigned char *)to + j * (int64_t)sizeof r_1, &r_1, sizeof r_1);        \
    }

/** Of all five, the one that is asked for; `of_x` or `of_r` is told of numbers that are NaN where r is. */
#define TSR_DIRECT_CASES_(S, R, W, abs_of, of_x, of_r)                                       \
    switch (op) {                                                                        \
    case TSR_DIRECT_ABS_: {                                                                  \
        TSR_DIRECT_LOOP_(S, R, W, false, abs_of, of_x)                                       \
    } break;                                                                              \
    case TSR_DIRECT_RELU_: {                                                                 \
        TSR_DIRECT_LOOP_(S, R, W, false, x < 0 ? (W)0 : v, of_x)                             \
    } break;                                                                              \
    case TSR_DIRECT_SQUARE_: {                                                               \
        TSR_DIRECT_LOOP_(S, R, W, false, v * v, of_x)                                        \
    } break;                                                                              \
    case TSR_DIRECT_SCALE_: {                                                                \
        TSR_DIRECT_LOOP_(S, R, W, false, a * v, of_r)                                        \
    } break;                                                                              \
    case TSR_DIRECT_SUM_: {                                                                  \
        TSR_DIRECT_LOOP_(S, R, W, true, a * v + b * w, of_r)                                 \
    } break;                                                                              \
    default:                                                                              \
        break;                                                                            \
    }

/** Elements between which NaN is looked for: what was written is still in the first cache. */
enum { TSR_DIRECT_BLOCK_ = 1024 };

#if defined(__GNUC__) && !defined(__CUDACC__)
#  define TSR_UNORDERED_(a, b) __builtin_isunordered(a, b)
#else
#  define TSR_UNORDERED_(a, b) ((a) != (a) || (b) != (b))
#endif
#define TSR_DIRECT_FLOATS_OF_X_(x_1, x_2, r_1, r_2) found |= -(int32_t)TSR_UNORDERED_(x_1, x_2)
#define TSR_DIRECT_FLOATS_OF_R_(x_1, x_2, r_1, r_2) found |= -(int32_t)TSR_UNORDERED_(r_1, r_2)
#define TSR_DIRECT_DOUBLES_OF_X_(x_1, x_2, r_1, r_2) found |= tsr_not_finite_(x_1, x_2)
#define TSR_DIRECT_DOUBLES_OF_R_(x_1, x_2, r_1, r_2) found |= tsr_not_finite_(r_1, r_2)
#define TSR_DIRECT_NOTHING_(x_1, x_2, r_1, r_2) (void)0

/** Floats or doubles: `found`, an M, is not 0 where one may be NaN, which is seldom. Then those of a block are
 *  replaced. */
#define TSR_DIRECT_REALS_(T, M, nan, abs_of, of_x, of_r)                                     \
    T const a = (T)tsr_number_to_double(u->alpha), b = (T)tsr_number_to_double(u->beta);  \
    for (int64_t first = 0, last = 0; first < n; first = last) {                          \
        M found = 0;                                                                      \
        last = tsr_min64(first + TSR_DIRECT_BLOCK_, n);                                      \
        TSR_DIRECT_CASES_(T, T, T, abs_of, of_x, of_r)                                       \
        for (int64_t i = first; found != 0 && i < last; ++i) {                            \
            T r = 0;                                                                      \
            TSR_COPY(&r, (unsigned char *)to + i * (int64_t)sizeof r, sizeof r);          \
            r = r != r ? nan : r;                                                         \
            TSR_COPY((unsigned char *)to + i * (int64_t)sizeof r, &r, sizeof r);          \
        }                                                                                 \
    }

TSR_LOCAL_REF void tsr_direct_floats_(tsr_direct_op_ op, tsr_update const *u, void *to, void const *from, int64_t n)
{
    TSR_DIRECT_REALS_(float, int32_t, tsr_bits_float_(0x7fc00000), tsr_abs_float_(x), TSR_DIRECT_FLOATS_OF_X_,
                   TSR_DIRECT_FLOATS_OF_R_)
}

/** Not 0 where one of two numbers is NaN, or their sum not finite: SSE2 has no comparison that makes 64 bits. */
TSR_LOCAL_REF int64_t tsr_not_finite_(double a, double b)
{
    double const sum = a + b;
    return (int64_t)tsr_double_bits_(sum - sum);
}

TSR_LOCAL_REF void tsr_direct_doubles_(tsr_direct_op_ op, tsr_update const *u, void *to, void const *from, int64_t n)
{
    TSR_DIRECT_REALS_(double, int64_t, tsr_nan_(), tsr_abs_(x), TSR_DIRECT_DOUBLES_OF_X_, TSR_DIRECT_DOUBLES_OF_R_)
}
/* clang-format on */

/** Patterns of 16 bits behind a sign: those above `infinity` are NaN. */
TSR_LOCAL_REF void tsr_direct_halves_(tsr_direct_op_ op, void *to, void const *from, int64_t last, uint32_t infinity,
                                      uint32_t nan)
{
    int64_t const first = 0;
    if (op == TSR_DIRECT_ABS_) {
        TSR_DIRECT_LOOP_(uint16_t, uint16_t, uint32_t, false, tsr_bits_if_((v & 0x7fff) > infinity, nan, v & 0x7fff),
                         TSR_DIRECT_NOTHING_)
    } else {
        TSR_DIRECT_LOOP_(uint16_t, uint16_t, uint32_t, false,
                         tsr_bits_if_((v & 0x7fff) > infinity, nan, v > 0x8000 ? 0 : v), TSR_DIRECT_NOTHING_)
    }
}

/** n elements side by side, x at `from`, y at `to`, which may be the same place. */
TSR_LOCAL_REF void tsr_update_direct_(tsr_direct_op_ op, tsr_update const *u, tsr_dtype type, void *to,
                                      void const *from, int64_t n)
{
    int64_t const first = 0, last = n;
    switch (type) {
    case TSR_F32:
        tsr_direct_floats_(op, u, to, from, n);
        break;
    case TSR_F64:
        tsr_direct_doubles_(op, u, to, from, n);
        break;
    case TSR_F16:
        tsr_direct_halves_(op, to, from, n, 0x7c00, 0x7e00);
        break;
    case TSR_BF16:
        tsr_direct_halves_(op, to, from, n, 0x7f80, 0x7fc0);
        break;
#define TSR_X_(width, S, U, W)                                                                      \
case TSR_I##width:                                                                                  \
case TSR_U##width: {                                                                                \
  W const a = (W)u->alpha.bits, b = (W)u->beta.bits;                                                \
  TSR_DIRECT_CASES_(S, U, W, x < 0 ? (W)0 - v : v, TSR_DIRECT_NOTHING_, TSR_DIRECT_NOTHING_) break; \
}
        TSR_DIRECT_INTEGER_LIST(TSR_X_)
#undef TSR_X_
    default:
        break;
    }
}

#endif
