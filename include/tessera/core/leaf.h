/** One leaf of a tuple: an integer that is dynamic or static, a scaled basis element, `_`, or partly static bits.
 *
 *  Law of static and dynamic: a static leaf is a promise that the value is known when code is generated. An
 *  operation on two static integers is static, on any dynamic one dynamic, except where a static operand alone
 *  decides the result (0*d, 0/d, 0%d, d%1, 0&d, 0 and d, nonzero or d), which is then static. The same
 *  rules are CuTe's (numeric/integral_constant.hpp), so results print alike.
 */
#ifndef TSR_CORE_LEAF_H
#define TSR_CORE_LEAF_H

#include "tessera/base/abi.h"
#include "tessera/base/int64.h"
#include "tessera/base/reason.h"

TSR_HEADER_BEGIN

typedef enum tsr_kind {
    TSR_DYNAMIC, /* 8          value */
    TSR_STATIC,  /* _8         value */
    TSR_WILD,    /* _          keep this mode; pass this coordinate through */
    TSR_UNIT,    /* ()         the empty tuple, held as a leaf */
    TSR_MIXED,   /* M_s|(d&f)  bits: value holds d (low half) and f (high half), aux holds s */
    TSR_MAJOR,   /* LayoutLeft (value 0) or LayoutRight (value 1) */
    TSR_ABSENT,  /* in a tiler: an extent without a stride */
    TSR_BAD      /* invalid: aux holds the status, value a number */
} tsr_kind;

/** `open` and `close` count the parentheses before and after the leaf; they are the whole structure of a tuple.
 *  `tile` counts the tiler brackets around it. `aux` is the basis path of an integer: five bits a level, one more
 *  than the mode, the outermost level lowest; 0 for a plain integer. */
typedef struct tsr_leaf {
    int64_t value;
    uint32_t aux;
    uint8_t kind, open, close, tile;
} tsr_leaf;

#define TSR_BASIS_LEVELS 6
#define TSR_BASIS_MODES 31

/** A leaf of a kind, with its number. */
TSR_EVAL tsr_leaf tsr_leaf_make(tsr_kind kind, int64_t value)
{
    tsr_leaf r = TSR_ZERO;
    r.value = value;
    r.kind = (uint8_t)kind;
    return r;
}

/** A static integer, printed `_8`. */
TSR_EVAL tsr_leaf tsr_leaf_static(int64_t value) { return tsr_leaf_make(TSR_STATIC, value); }

/** A dynamic integer, printed `8`. */
TSR_EVAL tsr_leaf tsr_leaf_dynamic(int64_t value) { return tsr_leaf_make(TSR_DYNAMIC, value); }

/** An invalid leaf: the reason and its number. */
TSR_FN tsr_leaf tsr_leaf_bad(tsr_status status, int64_t number)
{
    tsr_leaf r = tsr_leaf_make(TSR_BAD, number);
    r.aux = (uint32_t)status;
    return r;
}

/** Is it an integer or a basis element? */
TSR_FN bool tsr_leaf_is_number(tsr_leaf a) { return a.kind <= TSR_STATIC; }

/** Is it an integer, static or dynamic? */
TSR_FN bool tsr_leaf_is_int(tsr_leaf a) { return a.kind <= TSR_STATIC && a.aux == 0; }

/** Is it a basis element, such as `_1@0`? */
TSR_FN bool tsr_leaf_is_basis(tsr_leaf a) { return a.kind <= TSR_STATIC && a.aux != 0; }

/** Is its number static? */
TSR_FN bool tsr_leaf_is_static(tsr_leaf a) { return a.kind == TSR_STATIC; }

/** True for the static integer `value` only: the test on which structure may depend. */
TSR_FN bool tsr_leaf_is(tsr_leaf a, int64_t value) { return a.kind == TSR_STATIC && a.aux == 0 && a.value == value; }

/** The static bits of partly static bits. */
TSR_FN uint32_t tsr_mixed_static(tsr_leaf a) { return a.aux; }

/** The dynamic bits of partly static bits. */
TSR_FN uint32_t tsr_mixed_dynamic(tsr_leaf a) { return (uint32_t)((uint64_t)a.value & 0xffffffffu); }

/** The mask of the dynamic bits. */
TSR_FN uint32_t tsr_mixed_flags(tsr_leaf a) { return (uint32_t)((uint64_t)a.value >> 32); }

/** Bits s known statically, bits d under the mask f known dynamically; static bits take precedence. Without a
 *  dynamic bit left it is the static integer s. */
TSR_FN tsr_leaf tsr_leaf_mixed(uint32_t s, uint32_t d, uint32_t f)
{
    uint32_t const mask = f & ~s;
    tsr_leaf r = tsr_leaf_static((int64_t)s);
    if (mask == 0)
        return r;
    r = tsr_leaf_make(TSR_MIXED, (int64_t)(((uint64_t)mask << 32) | (d & mask)));
    r.aux = s;
    return r;
}

/** The number behind an integer, basis or mixed leaf, static or not. */
TSR_FN int64_t tsr_leaf_value(tsr_leaf a)
{
    return a.kind == TSR_MIXED ? (int64_t)(tsr_mixed_static(a) | tsr_mixed_dynamic(a)) : a.value;
}

/** The refusal of operands that are not two plain integers. */
TSR_FN tsr_leaf tsr_leaf_refuse_(tsr_leaf a, tsr_leaf b)
{
    if (a.kind == TSR_BAD)
        return a;
    if (b.kind == TSR_BAD)
        return b;
    if (a.value < -TSR_INT_MAX || b.value < -TSR_INT_MAX)
        return tsr_leaf_bad(TSR_OVERFLOW, a.value);
    if (a.kind == TSR_MIXED || b.kind == TSR_MIXED)
        return tsr_leaf_bad(TSR_MIXED_BITS, 0);
    if (tsr_leaf_is_basis(a))
        return tsr_leaf_bad(TSR_BASIS, (int64_t)(a.aux & 31u) - 1);
    if (tsr_leaf_is_basis(b))
        return tsr_leaf_bad(TSR_BASIS, (int64_t)(b.aux & 31u) - 1);
    return tsr_leaf_bad(TSR_WILDCARD, 0);
}

/** Two plain integers inside the range of tsr_add64 and its kin. */
TSR_FN bool tsr_leaf_ints_(tsr_leaf a, tsr_leaf b)
{
    return tsr_leaf_is_int(a) && tsr_leaf_is_int(b) && a.value >= -TSR_INT_MAX && b.value >= -TSR_INT_MAX;
}

/** The value v, static when both operands are. */
TSR_FN tsr_leaf tsr_leaf_join_(tsr_leaf a, tsr_leaf b, int64_t v)
{
    return tsr_leaf_make(a.kind == TSR_STATIC && b.kind == TSR_STATIC ? TSR_STATIC : TSR_DYNAMIC, v);
}

/** a + b. */
TSR_FN tsr_leaf tsr_leaf_add(tsr_leaf a, tsr_leaf b)
{
    int64_t v = 0;
    if (!tsr_leaf_ints_(a, b))
        return tsr_leaf_refuse_(a, b);
    return tsr_add64(a.value, b.value, &v) ? tsr_leaf_join_(a, b, v) : tsr_leaf_bad(TSR_OVERFLOW, a.value);
}

/** -a. */
TSR_FN tsr_leaf tsr_leaf_neg(tsr_leaf a)
{
    if (!tsr_leaf_is_number(a) || a.value < -TSR_INT_MAX)
        return tsr_leaf_refuse_(a, a);
    a.value = -a.value;
    return a;
}

/** a - b. */
TSR_FN tsr_leaf tsr_leaf_sub(tsr_leaf a, tsr_leaf b) { return tsr_leaf_add(a, tsr_leaf_neg(b)); }

/** Integers multiply; an integer scales a basis element. */
TSR_FN tsr_leaf tsr_leaf_mul(tsr_leaf a, tsr_leaf b)
{
    int64_t v = 0;
    if (!tsr_leaf_is_number(a) || !tsr_leaf_is_number(b) || (a.aux != 0 && b.aux != 0))
        return tsr_leaf_refuse_(a, b);
    if (!tsr_mul64(a.value, b.value, &v))
        return tsr_leaf_bad(TSR_OVERFLOW, a.value);
    tsr_leaf r = tsr_leaf_join_(a, b, v);
    if ((a.kind == TSR_STATIC && a.value == 0) || (b.kind == TSR_STATIC && b.value == 0))
        r.kind = TSR_STATIC;
    r.aux = a.aux | b.aux;
    return r;
}

/** The quotient, rounded toward zero. */
TSR_FN tsr_leaf tsr_leaf_div(tsr_leaf a, tsr_leaf b)
{
    int64_t v = 0;
    if (!tsr_leaf_ints_(a, b))
        return tsr_leaf_refuse_(a, b);
    if (tsr_leaf_is(a, 0) && b.kind == TSR_DYNAMIC)
        return a;
    return tsr_div64(a.value, b.value, &v) ? tsr_leaf_join_(a, b, v) : tsr_leaf_bad(TSR_DIV_ZERO, a.value);
}

/** The remainder, with the sign of a. */
TSR_FN tsr_leaf tsr_leaf_mod(tsr_leaf a, tsr_leaf b)
{
    if (!tsr_leaf_ints_(a, b))
        return tsr_leaf_refuse_(a, b);
    if (tsr_leaf_is(a, 0) && b.kind == TSR_DYNAMIC)
        return a;
    if (b.value == 0)
        return tsr_leaf_bad(TSR_DIV_ZERO, a.value);
    tsr_leaf r = tsr_leaf_join_(a, b, a.value % b.value);
    if (tsr_leaf_is(b, 1) || tsr_leaf_is(b, -1))
        r.kind = TSR_STATIC;
    return r;
}

/** r scaled back to the unit of a basis element. */
TSR_FN tsr_leaf tsr_leaf_in_unit_(tsr_leaf r, uint32_t unit)
{
    r.aux = r.kind == TSR_BAD ? r.aux : unit;
    return r;
}

/** The number of groups of b that hold a: (a + b - 1) / b, with C's rounding. A basis element keeps its unit. */
TSR_FN tsr_leaf tsr_leaf_ceil_div(tsr_leaf a, tsr_leaf b)
{
    uint32_t const unit = tsr_leaf_is_basis(a) ? a.aux : 0;
    a.aux = unit ? 0 : a.aux;
    if (a.value >= 1 && b.value >= 1 && tsr_leaf_ints_(a, b)) { /* without a division where the quotient is plain */
        int64_t const v = b.value == 1 ? a.value : b.value >= a.value ? 1 : (a.value - 1) / b.value + 1;
        return tsr_leaf_in_unit_(tsr_leaf_join_(a, b, v), unit);
    }
    tsr_leaf const top = tsr_leaf_sub(tsr_leaf_add(a, b), tsr_leaf_static(1));
    return tsr_leaf_in_unit_(tsr_leaf_div(top, b), unit);
}

/** The least multiple of b that is not below a. */
TSR_FN tsr_leaf tsr_leaf_round_up(tsr_leaf a, tsr_leaf b) { return tsr_leaf_mul(tsr_leaf_ceil_div(a, b), b); }

/** a / b, where two static integers must divide exactly (CuTe's safe_div). A basis element keeps its unit. */
TSR_FN tsr_leaf tsr_leaf_safe_div(tsr_leaf a, tsr_leaf b)
{
    uint32_t const unit = tsr_leaf_is_basis(a) ? a.aux : 0;
    a.aux = unit ? 0 : a.aux;
    if (!tsr_leaf_ints_(a, b))
        return tsr_leaf_refuse_(a, b);
    if (tsr_leaf_is_static(a) && tsr_leaf_is_static(b) && b.value != 0 && a.value % b.value != 0)
        return tsr_leaf_bad(TSR_SAFE_DIV, a.value);
    return tsr_leaf_in_unit_(tsr_leaf_div(a, b), unit);
}

/** The absolute value. */
TSR_FN tsr_leaf tsr_leaf_abs(tsr_leaf a) { return a.value < 0 || !tsr_leaf_is_number(a) ? tsr_leaf_neg(a) : a; }

/** -1, 0 or 1, by the sign of a. */
TSR_FN tsr_leaf tsr_leaf_signum(tsr_leaf a)
{
    if (!tsr_leaf_is_int(a))
        return tsr_leaf_refuse_(a, a);
    a.value = (a.value > 0) - (a.value < 0);
    return a;
}

/** The smaller of two integers. */
TSR_FN tsr_leaf tsr_leaf_min(tsr_leaf a, tsr_leaf b)
{
    return tsr_leaf_ints_(a, b) ? tsr_leaf_join_(a, b, tsr_min64(a.value, b.value)) : tsr_leaf_refuse_(a, b);
}

/** The larger of two integers. */
TSR_FN tsr_leaf tsr_leaf_max(tsr_leaf a, tsr_leaf b)
{
    return tsr_leaf_ints_(a, b) ? tsr_leaf_join_(a, b, tsr_max64(a.value, b.value)) : tsr_leaf_refuse_(a, b);
}

/** The greatest common divisor. */
TSR_FN tsr_leaf tsr_leaf_gcd(tsr_leaf a, tsr_leaf b)
{
    return tsr_leaf_ints_(a, b) ? tsr_leaf_join_(a, b, tsr_gcd64(a.value, b.value)) : tsr_leaf_refuse_(a, b);
}

/** The least common multiple. */
TSR_FN tsr_leaf tsr_leaf_lcm(tsr_leaf a, tsr_leaf b) { return tsr_leaf_mul(tsr_leaf_div(a, tsr_leaf_gcd(a, b)), b); }

/** Equality of two leaves as CuTe decides it: static when both are, and when the units differ. */
TSR_FN tsr_leaf tsr_leaf_eq(tsr_leaf a, tsr_leaf b)
{
    if (a.kind == TSR_BAD || b.kind == TSR_BAD)
        return tsr_leaf_refuse_(a, b);
    if (a.kind > TSR_STATIC || b.kind > TSR_STATIC)
        return tsr_leaf_static(a.kind == b.kind && a.value == b.value && a.aux == b.aux);
    if (a.aux != b.aux)
        return tsr_leaf_static(0);
    return tsr_leaf_join_(a, b, a.value == b.value);
}

/** Is a less than b? 1 or 0; static when both are. */
TSR_FN tsr_leaf tsr_leaf_lt(tsr_leaf a, tsr_leaf b)
{
    return tsr_leaf_ints_(a, b) ? tsr_leaf_join_(a, b, a.value < b.value) : tsr_leaf_refuse_(a, b);
}

/** 1 for 0, else 0. */
TSR_FN tsr_leaf tsr_leaf_not(tsr_leaf a)
{
    if (!tsr_leaf_is_int(a))
        return tsr_leaf_refuse_(a, a);
    a.value = a.value == 0;
    return a;
}

/** 1 where neither is 0, else 0. */
TSR_FN tsr_leaf tsr_leaf_land(tsr_leaf a, tsr_leaf b)
{
    if (!tsr_leaf_ints_(a, b))
        return tsr_leaf_refuse_(a, b);
    if (tsr_leaf_is(a, 0) || tsr_leaf_is(b, 0))
        return tsr_leaf_static(0);
    return tsr_leaf_join_(a, b, a.value != 0 && b.value != 0);
}

/** 1 where either is not 0, else 0. */
TSR_FN tsr_leaf tsr_leaf_lor(tsr_leaf a, tsr_leaf b)
{
    if (!tsr_leaf_ints_(a, b))
        return tsr_leaf_refuse_(a, b);
    if ((a.kind == TSR_STATIC && a.value != 0) || (b.kind == TSR_STATIC && b.value != 0))
        return tsr_leaf_static(1);
    return tsr_leaf_join_(a, b, a.value != 0 || b.value != 0);
}

TSR_HEADER_END

#endif
