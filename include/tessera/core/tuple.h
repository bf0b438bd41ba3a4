/** IntTuple: an integer, or a tuple of IntTuples.
 *
 *  One array holds the leaves in order; each leaf counts the parentheses that open before it and close after it:
 *
 *      ((2,3),4)   =   open 2 [2]   [3] close 1   [4] close 1
 *
 *  so flattening clears counts, grouping adds one pair, and printing is a walk. The same profile is the same counts.
 *  An invalid tuple has a status; its leaves then hold the numbers of the message (base/status_list.h). Behind the
 *  leaves in use stands no value, so tuples and layouts are compared by tsr_equal and not byte by byte.
 *
 *  Example  tsr_t(tsr_t(2, 2), tsr_s(8))  is  ((2,2),_8)
 *  Source   CuTe, include/cute/container/tuple.hpp and int_tuple.hpp: the same values, as types.
 */
#ifndef TSR_CORE_TUPLE_H
#define TSR_CORE_TUPLE_H

#include "tessera/core/leaf.h"

TSR_HEADER_BEGIN

typedef struct tsr_tuple {
    uint16_t status; /* tsr_status */
    uint8_t leaves;
    uint8_t mode; /* invalid: the mode at fault */
    uint8_t law;  /* invalid: leaf 3 to 5 hold a counterexample: at, got, wanted */
    uint8_t
        along; /* invalid: the numbers that are along a basis element (base/reason.h), whose path is leaf[0].aux */
    tsr_leaf leaf[TSR_MAX_LEAVES];
} tsr_tuple;

/* Makers */

/** An invalid tuple: the reason, the mode at fault and three numbers. */
TSR_FN tsr_tuple tsr_bad_tuple(tsr_status status, int mode, int64_t a, int64_t b, int64_t c)
{
    tsr_tuple r = TSR_ZERO;
    r.status = (uint16_t)status;
    r.mode = (uint8_t)mode;
    r.leaf[0].value = a;
    r.leaf[1].value = b;
    r.leaf[2].value = c;
    return r;
}

/** Why a tuple is invalid. */
TSR_FN tsr_reason tsr_tuple_why(tsr_tuple t)
{
    tsr_reason r = TSR_ZERO;
    r.status = t.status;
    r.mode = t.mode;
    r.law = t.law != 0;
    for (int i = 0; t.status && i < TSR_NOTES; ++i)
        r.number[i] = t.leaf[i].value;
    r.along = t.along;
    r.unit = (t.along ? t.leaf[0].aux : 0) & 0x3fffffffu;
    return r;
}

/** An invalid tuple with that reason; of no reason a valid one. */
TSR_FN tsr_tuple tsr_reason_tuple(tsr_reason why)
{
    tsr_tuple r = TSR_ZERO;
    r.status = why.status;
    r.mode = why.mode;
    r.law = why.law;
    r.along = why.along;
    r.leaves = why.status ? 0 : 1;
    for (int i = 0; i < TSR_NOTES; ++i)
        r.leaf[i].value = why.number[i];
    r.leaf[0].aux = why.unit;
    r.leaf[0].kind = why.status ? 0 : TSR_STATIC;
    return r;
}

/** The tuple that is one leaf; a bad leaf gives an invalid tuple. */
TSR_EVAL tsr_tuple tsr_from_leaf(tsr_leaf a)
{
    tsr_tuple r = TSR_ZERO;
    if (a.kind == TSR_BAD) {
        r.status = (uint16_t)a.aux;
        r.leaf[0].value = a.value;
        return r;
    }
    r.leaves = 1;
    r.leaf[0] = a;
    r.leaf[0].open = 0;
    r.leaf[0].close = 0;
    return r;
}

/** The dynamic integer v.
 *  Example  tsr_int(8)  is  8 */
TSR_EVAL tsr_tuple tsr_int(int64_t v) { return tsr_from_leaf(tsr_leaf_dynamic(v)); }

/** The static integer v.
 *  Example  tsr_s(8)  is  _8 */
TSR_EVAL tsr_tuple tsr_s(int64_t v) { return tsr_from_leaf(tsr_leaf_static(v)); }

/** `_`, which keeps a mode. */
TSR_EVAL tsr_tuple tsr_wild(void) { return tsr_from_leaf(tsr_leaf_make(TSR_WILD, 0)); }

/** `()`. */
TSR_EVAL tsr_tuple tsr_unit(void) { return tsr_from_leaf(tsr_leaf_make(TSR_UNIT, 0)); }

/** The order tags: LayoutLeft (column-major) and LayoutRight (row-major). */
TSR_EVAL tsr_tuple tsr_left(void) { return tsr_from_leaf(tsr_leaf_make(TSR_MAJOR, 0)); }

/** LayoutRight, row-major. */
TSR_EVAL tsr_tuple tsr_right(void) { return tsr_from_leaf(tsr_leaf_make(TSR_MAJOR, 1)); }

/* Accessors */

/** Is the tuple valid? */
TSR_FN bool tsr_tuple_ok(tsr_tuple t) { return t.status == TSR_OK; }

/** Is it one leaf without parentheses: an integer, `_` or bits? */
TSR_FN bool tsr_is_leaf(tsr_tuple const *t)
{
    return t->leaves == 1 && t->leaf[0].open == 0 && t->leaf[0].kind != TSR_UNIT;
}

/** Is it the empty tuple ()? */
TSR_FN bool tsr_is_unit(tsr_tuple const *t)
{
    return t->leaves == 1 && t->leaf[0].open == 0 && t->leaf[0].kind == TSR_UNIT;
}

/** One past the last leaf of the mode that begins at leaf `begin` of the tuple t. */
TSR_FN int tsr_mode_end_(tsr_tuple const *t, int begin)
{
    int depth = begin == 0 ? -1 : 0;
    for (int i = begin; i < t->leaves; ++i) {
        depth += t->leaf[i].open - t->leaf[i].close;
        if (depth <= 0)
            return i + 1;
    }
    return t->leaves;
}

/** The number of modes: 1 for an integer, 0 for (). */
TSR_FN int tsr_mode_count(tsr_tuple const *t)
{
    int rank = 0;
    if (tsr_is_leaf(t))
        return 1;
    if (tsr_is_unit(t))
        return 0;
    for (int i = 0; i < t->leaves; i = tsr_mode_end_(t, i))
        ++rank;
    return rank;
}

/** Clears the room behind the leaves: an invalid tuple has numbers there. */
TSR_FN void tsr_clear_rest_(tsr_tuple *t)
{
    tsr_leaf const none = TSR_ZERO;
    for (int i = t->leaves; i < TSR_MAX_LEAVES; ++i)
        t->leaf[i] = none;
}

/** Pushes leaves b to e of t, as they are inside its outermost parentheses, behind those of a list that has room. */
TSR_FN void tsr_push_sub_(tsr_tuple *list, tsr_tuple const *t, int b, int e)
{
    int const k = list->leaves;
    for (int i = b; i < e; ++i)
        list->leaf[k + i - b] = t->leaf[i];
    list->leaves = (uint8_t)(k + e - b);
    if (b == 0)
        --list->leaf[k].open;
    if (e == t->leaves)
        --list->leaf[k + e - b - 1].close;
}

/** The first leaf of mode i of a tuple, and in *end one past the last; -1: t has no such mode in its parentheses. */
TSR_FN int tsr_mode_begin_(tsr_tuple const *t, int64_t i, int *end)
{
    int b = 0;
    if (t->status || i < 0 || tsr_is_leaf(t) || tsr_is_unit(t))
        return -1;
    for (int64_t at = 0; b < t->leaves; ++at, b = *end) {
        *end = tsr_mode_end_(t, b);
        if (at == i)
            return b;
    }
    return -1;
}

/** Mode i of a tuple; an integer is its own mode 0. */
TSR_FN tsr_tuple tsr_get_(tsr_tuple const *t, int64_t i)
{
    tsr_tuple r = TSR_ZERO;
    int end = 0;
    int const begin = tsr_mode_begin_(t, i, &end);
    if (begin >= 0)
        tsr_push_sub_(&r, t, begin, end);
    else
        r = t->status || (i == 0 && tsr_is_leaf(t)) ? *t : tsr_bad_tuple(TSR_INDEX, 0, i, tsr_mode_count(t), 0);
    return r;
}

/** Mode i of a tuple. Errors: INDEX. */
TSR_FN tsr_tuple tsr_tuple_get(tsr_tuple t, int64_t i) { return tsr_get_(&t, i); }

/* Building a tuple mode by mode: start from TSR_ZERO, push, then close with tsr_tuple_close. */

/** A tuple without leaves, to be pushed to. Old leaves of a scratch value are not cleared. */
TSR_FN void tsr_begin_tuple_(tsr_tuple *t) { t->status = t->leaves = t->mode = t->law = t->along = 0; }

TSR_FN void tsr_tuple_push(tsr_tuple *list, tsr_tuple const *t)
{
    int const k = list->leaves, n = k + t->leaves;
    if (list->status)
        return;
    if (t->status) {
        *list = *t;
        return;
    }
    if (n > TSR_MAX_LEAVES) {
        tsr_clear_rest_(list);
        list->status = TSR_CAPACITY;
        list->mode = 0;
        list->leaf[0].value = n;
        list->leaf[1].value = TSR_MAX_LEAVES;
        list->leaf[2].value = 0;
        return;
    }
    for (int i = 0; i < t->leaves; ++i)
        list->leaf[k + i] = t->leaf[i];
    list->leaves = (uint8_t)n;
}

/* The same for literals: loops with constant bounds and positions chosen by comparison, never an index that is
 * computed, so that a literal folds. Only the leaves of `t` are written. */

TSR_LITERAL void tsr_push_literal_(tsr_tuple *list, tsr_tuple const *t)
{
    int const k = list->leaves, n = k + t->leaves;
    int const full = n > TSR_MAX_LEAVES ? TSR_CAPACITY : TSR_OK;
    int const status = list->status ? list->status : t->status ? t->status : full;
    TSR_UNROLL for (int at = 0; at < TSR_MAX_LEAVES; ++at)
    {
        if (k == at && status == TSR_OK) {
            TSR_UNROLL for (int i = 0; i < TSR_MAX_LEAVES - at; ++i)
            {
                if (i < t->leaves)
                    list->leaf[at + i] = t->leaf[i];
            }
        }
    }
    list->leaves = (uint8_t)n;
    if (list->status == TSR_OK && status != TSR_OK) {
        list->mode = t->mode;
        list->law = t->law;
        TSR_UNROLL for (int i = 0; i < TSR_MAX_LEAVES; ++i) list->leaf[i].value = t->leaf[i].value;
        list->leaf[0].value = t->status ? t->leaf[0].value : n;
        list->leaf[1].value = t->status ? t->leaf[1].value : TSR_MAX_LEAVES;
    }
    list->status = (uint16_t)status;
}

TSR_LITERAL void tsr_push_int_(tsr_tuple *list, int64_t v)
{
    int const k = list->leaves;
    bool const ok = list->status == TSR_OK;
    TSR_UNROLL for (int at = 0; at < TSR_MAX_LEAVES; ++at)
    {
        if (k == at && ok)
            list->leaf[at].value = v;
    }
    list->leaves = (uint8_t)(k + 1);
    if (k == TSR_MAX_LEAVES && ok) {
        list->status = TSR_CAPACITY;
        list->leaf[0].value = k + 1;
        list->leaf[1].value = TSR_MAX_LEAVES;
    }
}

TSR_LITERAL void tsr_close_literal_(tsr_tuple *list)
{
    bool const ok = list->status == TSR_OK, empty = list->leaves == 0;
    TSR_UNROLL for (int i = 0; i < TSR_MAX_LEAVES; ++i)
    {
        if (ok && i + 1 == list->leaves)
            ++list->leaf[i].close;
    }
    if (ok && empty) {
        list->leaves = 1;
        list->leaf[0].kind = TSR_UNIT;
    }
    if (ok && !empty)
        ++list->leaf[0].open;
    if (ok && list->leaf[0].open > TSR_MAX_OPEN)
        list->status = TSR_DEPTH;
}

TSR_FN void tsr_enclose_all_(tsr_tuple *list)
{
    if (list->status)
        return;
    if (list->leaves == 0) {
        *list = tsr_unit();
        return;
    }
    ++list->leaf[list->leaves - 1].close;
    ++list->leaf[0].open;
    if (list->leaf[0].open > TSR_MAX_OPEN) {
        tsr_clear_rest_(list);
        list->status = TSR_DEPTH;
    }
}

/** Puts the modes from `first` on into the parentheses of the leaf they came from, and into a pair of their own when
 *  there are several. */
TSR_FN void tsr_enclose_(tsr_tuple *list, int first, tsr_leaf where)
{
    if (list->status)
        return;
    int const own = list->leaves - first > 1;
    tsr_leaf *const front = &list->leaf[first], *const back = &list->leaf[list->leaves - 1];
    front->open = (uint8_t)(front->open + where.open + own);
    back->close = (uint8_t)(back->close + where.close + own);
}

TSR_FN tsr_tuple tsr_tuple_close(tsr_tuple list)
{
    tsr_enclose_all_(&list);
    return list;
}

TSR_OP void tsr_tuple_push_leaf(tsr_tuple *list, tsr_leaf a);

/** (a), (a,b), (a,b,c), (a,b,c,d). */
TSR_LITERAL tsr_tuple tsr_tuple_1(tsr_tuple a)
{
    tsr_close_literal_(&a);
    return a;
}

TSR_LITERAL tsr_tuple tsr_tuple_2(tsr_tuple a, tsr_tuple b)
{
    tsr_push_literal_(&a, &b);
    tsr_close_literal_(&a);
    return a;
}

TSR_LITERAL tsr_tuple tsr_tuple_3(tsr_tuple a, tsr_tuple b, tsr_tuple c)
{
    tsr_push_literal_(&a, &b);
    tsr_push_literal_(&a, &c);
    tsr_close_literal_(&a);
    return a;
}

TSR_LITERAL tsr_tuple tsr_tuple_4(tsr_tuple a, tsr_tuple b, tsr_tuple c, tsr_tuple d)
{
    tsr_push_literal_(&a, &b);
    tsr_push_literal_(&a, &c);
    tsr_push_literal_(&a, &d);
    tsr_close_literal_(&a);
    return a;
}

/* tsr_t(...): nested literals, one spelling in C, C++ and CUDA. Integers are dynamic; tsr_s() makes static ones. */

#define TSR_NARG_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, number, ...) number
#define TSR_NARG(...) TSR_NARG_(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)

/** 1 for an argument that begins with a list in parentheses, else 0. C reads (4, 8) as 8, so such a list is refused. */
#define TSR_IS_LIST(x) TSR_SECOND_(TSR_LIST_PROBE_ x, 0, 0)
#define TSR_LIST_PROBE_(...) 0, TSR_NARG_(__VA_ARGS__, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0),
#define TSR_SECOND_(...) TSR_SECOND_OF_(__VA_ARGS__)
#define TSR_SECOND_OF_(a, b, ...) b

/** (a,b,...) of up to 16 integers or tuples. It is written in place, argument by argument.
 *  Example  tsr_t(tsr_t(2, 2), 8)  is  ((2,2),8)
 *  Example  tsr_t(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)  is  (1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16) */
#ifdef __cplusplus

TSR_EVAL tsr_tuple const &tsr_lift(tsr_tuple const &t) { return t; }
template <class Int> TSR_TEMPLATE_EVAL tsr_tuple tsr_lift(Int v) { return tsr_int(static_cast<int64_t>(v)); }
#  define TSR_LIFT(x) tsr_lift(x)

TSR_EVAL void tsr_put_(tsr_tuple *list, tsr_tuple const &t) { tsr_push_literal_(list, &t); }
template <class Int> TSR_TEMPLATE_EVAL void tsr_put_(tsr_tuple *list, Int v)
{
    tsr_push_int_(list, static_cast<int64_t>(v));
}

template <class... Modes> TSR_TEMPLATE_EVAL tsr_tuple tsr_t(Modes const &...modes)
{
    tsr_tuple list = TSR_ZERO;
    (tsr_put_(&list, modes), ...);
    tsr_close_literal_(&list);
    return list;
}

#else

TSR_EVAL tsr_tuple tsr_lift_tuple_(tsr_tuple t) { return t; }
/* clang-format off */
#  define TSR_LIFT(x) _Generic((x), tsr_tuple: tsr_lift_tuple_, default: tsr_int)(x)
/* clang-format on */

TSR_EVAL int64_t tsr_number_(int64_t v) { return v; }
TSR_EVAL tsr_tuple *tsr_put_int_(tsr_tuple *list, int64_t v)
{
    tsr_push_int_(list, v);
    return list;
}
TSR_EVAL tsr_tuple *tsr_put_tuple_(tsr_tuple *list, tsr_tuple t)
{
    tsr_push_literal_(list, &t);
    return list;
}
TSR_EVAL tsr_tuple *tsr_closed_(tsr_tuple *list)
{
    tsr_close_literal_(list);
    return list;
}
TSR_EVAL tsr_tuple const *tsr_tuple_of_leaves_(tsr_leaf const *leaves)
{
    return (tsr_tuple const *)(void const *)((char const *)leaves - offsetof(tsr_tuple, leaf));
}
/* clang-format off */
/* Every argument is the value of a call. gcc makes calls from the last argument to the first, and names the numbers in
 * this order, by which it sorts the terms of an offset: without, an offset takes an instruction more than by hand. */
#  define TSR_ARGUMENT(x) _Generic((x), tsr_tuple: tsr_lift_tuple_, default: tsr_number_)(x)
#  define TSR_PUT(list, x) _Generic((x), tsr_tuple: tsr_put_tuple_, default: tsr_put_int_)(list, TSR_ARGUMENT(x))
#  define TSR_LIST_1(l, a) TSR_PUT(l, a)
#  define TSR_LIST_2(l, a, ...) TSR_LIST_1(TSR_PUT(l, a), __VA_ARGS__)
#  define TSR_LIST_3(l, a, ...) TSR_LIST_2(TSR_PUT(l, a), __VA_ARGS__)
#  define TSR_LIST_4(l, a, ...) TSR_LIST_3(TSR_PUT(l, a), __VA_ARGS__)
#  define TSR_LIST_5(l, a, ...) TSR_LIST_4(TSR_PUT(l, a), __VA_ARGS__)
#  define TSR_LIST_6(l, a, ...) TSR_LIST_5(TSR_PUT(l, a), __VA_ARGS__)
#  define TSR_LIST_7(l, a, ...) TSR_LIST_6(TSR_PUT(l, a), __VA_ARGS__)
#  define TSR_LIST_8(l, a, ...) TSR_LIST_7(TSR_PUT(l, a), __VA_ARGS__)
#  define TSR_LIST_9(l, a, ...) TSR_LIST_8(TSR_PUT(l, a), __VA_ARGS__)
#  define TSR_LIST_10(l, a, ...) TSR_LIST_9(TSR_PUT(l, a), __VA_ARGS__)
#  define TSR_LIST_11(l, a, ...) TSR_LIST_10(TSR_PUT(l, a), __VA_ARGS__)
#  define TSR_LIST_12(l, a, ...) TSR_LIST_11(TSR_PUT(l, a), __VA_ARGS__)
#  define TSR_LIST_13(l, a, ...) TSR_LIST_12(TSR_PUT(l, a), __VA_ARGS__)
#  define TSR_LIST_14(l, a, ...) TSR_LIST_13(TSR_PUT(l, a), __VA_ARGS__)
#  define TSR_LIST_15(l, a, ...) TSR_LIST_14(TSR_PUT(l, a), __VA_ARGS__)
#  define TSR_LIST_16(l, a, ...) TSR_LIST_15(TSR_PUT(l, a), __VA_ARGS__)
/** Where an argument is, as a tuple. It is not copied: the value of an expression stays until the whole expression
 *  ends (C11, 6.2.4). An integer becomes a tuple of its own. */
#  define TSR_NUMBER(x) _Generic((x), tsr_tuple: 0, default: (x))
#  define TSR_NEW(type) (&(type){0})
#  define TSR_TUPLE_AT(x) tsr_tuple_of_leaves_( \
      _Generic((x), tsr_tuple: (x), default: *tsr_put_int_(TSR_NEW(tsr_tuple), TSR_NUMBER(x))).leaf)
#  define tsr_t(...) (*tsr_closed_(TSR_CAT(TSR_LIST_, TSR_NARG(__VA_ARGS__))(TSR_NEW(tsr_tuple), __VA_ARGS__)))
/* clang-format on */

#endif

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/tuple.h"
#endif

#endif
