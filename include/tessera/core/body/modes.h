/** The bodies of core/modes.h. */
#ifndef TSR_CORE_BODY_MODES_H
#define TSR_CORE_BODY_MODES_H

#include "tessera/core/modes.h"
#include "tessera/core/body/tuple.h"

TSR_HEADER_BEGIN

TSR_OP tsr_tuple tsr_tuple_depth(tsr_tuple t)
{
    int depth = 0, deepest = 0;
    if (t.status)
        return t;
    for (int i = 0; i < t.leaves; ++i) {
        if (t.leaf[i].kind == TSR_UNIT)
            return tsr_bad_tuple(TSR_EMPTY, 0, 0, 0, 0);
        depth += t.leaf[i].open;
        deepest = depth > deepest ? depth : deepest;
        depth -= t.leaf[i].close;
    }
    return tsr_s(deepest);
}

TSR_OP tsr_tuple tsr_tuple_get_path(tsr_tuple t, tsr_tuple path)
{
    if (t.status || path.status)
        return t.status ? t : path;
    for (int i = 0; i < path.leaves && path.leaf[i].kind != TSR_UNIT; ++i)
        t = tsr_tuple_get(t, path.leaf[i].value);
    return t;
}

/** The mode at the end of a path into r, which has no modes. */
TSR_LOCAL void tsr_put_path_(tsr_tuple *r, tsr_tuple const *t, tsr_tuple const *path)
{
    tsr_sub_ mode = tsr_sub_whole_(t);
    if (!t->status && !path->status && tsr_sub_at_(&mode, path))
        tsr_put_sub_(r, mode);
    else
        *r = tsr_tuple_get_path(*t, *path);
}

TSR_OP tsr_tuple tsr_tuple_take(tsr_tuple t, int64_t b, int64_t e)
{
    tsr_tuple r = TSR_ZERO;
    if (t.status)
        return t;
    int64_t const rank = tsr_mode_count(&t), end = e == -1 ? rank : e;
    if (b < 0 || b > end || end > rank)
        return tsr_bad_tuple(TSR_RANGE, 0, b, e, rank);
    for (int64_t i = b; i < end; ++i) {
        tsr_tuple const mode = tsr_tuple_get(t, i);
        tsr_tuple_push(&r, &mode);
    }
    return tsr_tuple_close(r);
}

TSR_OP tsr_tuple tsr_tuple_select(tsr_tuple t, tsr_tuple path)
{
    tsr_tuple r = TSR_ZERO;
    if (t.status || path.status)
        return t.status ? t : path;
    if (path.leaf[0].open == 0) /* an integer, or integers that no parentheses hold */
        path = tsr_tuple_close(path);
    if (tsr_mode_count(&path) == 1 && path.leaves > 0 && path.leaf[0].open > 1)
        path = tsr_tuple_get(path, 0);
    for (int i = 0; i < path.leaves && path.leaf[i].kind != TSR_UNIT; ++i) {
        int const first = r.leaves;
        tsr_tuple const mode = tsr_tuple_get(t, path.leaf[i].value);
        tsr_tuple_push(&r, &mode);
        if (r.status)
            return r;
        tsr_leaf *const front = &r.leaf[first], *const back = &r.leaf[r.leaves - 1];
        if (front->open + path.leaf[i].open > TSR_MAX_OPEN)
            return tsr_bad_tuple(TSR_DEPTH, i, 0, 0, 0);
        front->open = (uint8_t)(front->open + path.leaf[i].open);
        back->close = (uint8_t)(back->close + path.leaf[i].close);
    }
    return r.leaves == 0 ? tsr_tuple_close(r) : r;
}

TSR_OP tsr_tuple tsr_unwrap(tsr_tuple t)
{
    while (!t.status && !tsr_is_leaf(&t) && tsr_mode_count(&t) == 1)
        t = tsr_tuple_get(t, 0);
    return t;
}

TSR_OP tsr_tuple tsr_flatten_to_tuple(tsr_tuple t)
{
    tsr_tuple r = TSR_ZERO;
    if (t.status)
        return t;
    for (int i = 0; i < t.leaves; ++i)
        if (t.leaf[i].kind != TSR_UNIT)
            tsr_tuple_push_leaf(&r, t.leaf[i]);
    return tsr_tuple_close(r);
}

TSR_OP tsr_tuple tsr_tuple_flatten(tsr_tuple t) { return t.status || tsr_is_leaf(&t) ? t : tsr_flatten_to_tuple(t); }

TSR_OP tsr_tuple tsr_tuple_unflatten(tsr_tuple t, tsr_tuple profile)
{
    int n = 0;
    if (t.status || profile.status)
        return t.status ? t : profile;
    for (int i = 0; i < profile.leaves; ++i) {
        if (profile.leaf[i].kind == TSR_UNIT)
            continue;
        if (n < t.leaves) {
            uint8_t const open = profile.leaf[i].open, close = profile.leaf[i].close;
            profile.leaf[i] = t.leaf[n];
            profile.leaf[i].open = open;
            profile.leaf[i].close = close;
        }
        ++n;
    }
    return n == t.leaves ? profile : tsr_bad_tuple(TSR_LEAVES, 0, t.leaves, n, 0);
}

TSR_OP tsr_tuple tsr_tuple_group(tsr_tuple t, int64_t b, int64_t e)
{
    tsr_tuple r = TSR_ZERO;
    if (t.status)
        return t;
    int64_t const rank = tsr_mode_count(&t), end = e == -1 ? rank : e;
    tsr_tuple const inner = tsr_tuple_take(t, b, end);
    if (inner.status)
        return inner;
    for (int64_t i = 0; i < rank; ++i) {
        tsr_tuple const mode = i == b && b < end ? inner : tsr_tuple_get(t, i);
        if (i <= b || i >= end)
            tsr_tuple_push(&r, &mode);
    }
    return tsr_tuple_close(r);
}

/** t with x in place of modes b to e. */
TSR_LOCAL tsr_tuple tsr_splice_(tsr_tuple t, int64_t b, int64_t e, tsr_tuple x, int64_t copies)
{
    tsr_tuple r = TSR_ZERO;
    if (t.status || x.status)
        return t.status ? t : x;
    int64_t const rank = tsr_mode_count(&t);
    if (b < 0 || e < b || e > rank)
        return tsr_bad_tuple(TSR_INDEX, 0, b, rank, 0);
    if (copies > TSR_MAX_LEAVES)
        return tsr_bad_tuple(TSR_CAPACITY, 0, copies * x.leaves, TSR_MAX_LEAVES, 0);
    for (int64_t i = 0; i <= rank; ++i) {
        for (int64_t k = 0; i == b && k < copies; ++k)
            tsr_tuple_push(&r, &x);
        if (i < rank && (i < b || i >= e)) {
            tsr_tuple const mode = tsr_tuple_get(t, i);
            tsr_tuple_push(&r, &mode);
        }
    }
    return tsr_tuple_close(r);
}

TSR_OP tsr_tuple tsr_tuple_append(tsr_tuple t, tsr_tuple x)
{
    return tsr_splice_(t, tsr_mode_count(&t), tsr_mode_count(&t), x, 1);
}

TSR_OP tsr_tuple tsr_tuple_prepend(tsr_tuple t, tsr_tuple x) { return tsr_splice_(t, 0, 0, x, 1); }

TSR_OP tsr_tuple tsr_tuple_append_to(tsr_tuple t, tsr_tuple x, int64_t n)
{
    int64_t const rank = tsr_mode_count(&t);
    if (t.status || x.status)
        return t.status ? t : x;
    if (rank == n)
        return t;
    return rank < n ? tsr_splice_(t, rank, rank, x, n - rank) : tsr_bad_tuple(TSR_PAD, 0, rank, n, 0);
}

TSR_OP tsr_tuple tsr_tuple_prepend_to(tsr_tuple t, tsr_tuple x, int64_t n)
{
    int64_t const rank = tsr_mode_count(&t);
    if (t.status || x.status)
        return t.status ? t : x;
    if (rank == n)
        return t;
    return rank < n ? tsr_splice_(t, 0, 0, x, n - rank) : tsr_bad_tuple(TSR_PAD, 0, rank, n, 0);
}

TSR_OP tsr_tuple tsr_insert(tsr_tuple t, tsr_tuple x, int64_t n) { return tsr_splice_(t, n, n, x, 1); }

TSR_OP tsr_tuple tsr_remove(tsr_tuple t, int64_t n) { return tsr_splice_(t, n, n + 1, tsr_unit(), 0); }

TSR_OP tsr_tuple tsr_tuple_replace(tsr_tuple t, tsr_tuple x, int64_t n)
{
    if (!t.status && tsr_is_leaf(&t) && n == 0)
        return x;
    return tsr_splice_(t, n, n + 1, x, 1);
}

TSR_OP tsr_tuple tsr_replace_front(tsr_tuple t, tsr_tuple x) { return tsr_tuple_replace(t, x, 0); }

TSR_OP tsr_tuple tsr_replace_back(tsr_tuple t, tsr_tuple x)
{
    return tsr_tuple_replace(t, x, tsr_mode_count(&t) - 1);
}

TSR_OP tsr_tuple tsr_repeat(tsr_tuple x, int64_t n)
{
    tsr_tuple r = TSR_ZERO;
    if (x.status || n == 1)
        return x;
    if (n < 0 || n > TSR_MAX_LEAVES)
        return tsr_bad_tuple(TSR_CAPACITY, 0, n, TSR_MAX_LEAVES, 0);
    for (int64_t i = 0; i < n; ++i)
        tsr_tuple_push(&r, &x);
    return tsr_tuple_close(r);
}

TSR_OP tsr_tuple tsr_repeat_like(tsr_tuple t, tsr_tuple x)
{
    tsr_tuple r = TSR_ZERO;
    if (t.status || x.status)
        return t.status ? t : x;
    for (int i = 0; i < t.leaves; ++i) {
        tsr_tuple const u = t.leaf[i].kind == TSR_UNIT ? tsr_unit() : x;
        int const first = r.leaves;
        tsr_tuple_push(&r, &u);
        if (r.status)
            return r;
        r.leaf[first].open = (uint8_t)(r.leaf[first].open + t.leaf[i].open);
        r.leaf[r.leaves - 1].close = (uint8_t)(r.leaf[r.leaves - 1].close + t.leaf[i].close);
        if (r.leaf[first].open > TSR_MAX_OPEN)
            return tsr_bad_tuple(TSR_DEPTH, 0, 0, 0, 0);
    }
    return r;
}

TSR_OP tsr_tuple tsr_tuple_cat(tsr_tuple list)
{
    tsr_tuple r = TSR_ZERO;
    if (list.status)
        return list;
    for (int i = 0; i < tsr_mode_count(&list); ++i) {
        tsr_tuple const t = tsr_get_(&list, i);
        for (int k = 0; k < tsr_mode_count(&t); ++k) {
            tsr_tuple const mode = tsr_get_(&t, k);
            tsr_tuple_push(&r, &mode);
        }
    }
    return tsr_tuple_close(r);
}

TSR_OP tsr_tuple tsr_reverse(tsr_tuple t)
{
    tsr_tuple r = TSR_ZERO;
    if (t.status || tsr_is_leaf(&t))
        return t;
    for (int i = tsr_mode_count(&t) - 1; i >= 0; --i) {
        tsr_tuple const mode = tsr_tuple_get(t, i);
        tsr_tuple_push(&r, &mode);
    }
    return tsr_tuple_close(r);
}

TSR_OP tsr_tuple tsr_front(tsr_tuple t)
{
    if (t.status)
        return t;
    return t.leaf[0].kind == TSR_UNIT ? tsr_bad_tuple(TSR_EMPTY, 0, 0, 0, 0) : tsr_from_leaf(t.leaf[0]);
}

TSR_OP tsr_tuple tsr_back(tsr_tuple t)
{
    tsr_leaf const last = t.leaf[t.leaves > 0 ? t.leaves - 1 : 0];
    if (t.status)
        return t;
    return last.kind == TSR_UNIT ? tsr_bad_tuple(TSR_EMPTY, 0, 0, 0, 0) : tsr_from_leaf(last);
}

TSR_OP tsr_tuple tsr_tuple_zip(tsr_tuple t)
{
    tsr_tuple r = TSR_ZERO;
    if (t.status || tsr_is_leaf(&t) || tsr_is_unit(&t))
        return t;
    tsr_tuple const first = tsr_tuple_get(t, 0);
    if (tsr_is_leaf(&first))
        return tsr_tuple_close(t);
    int const outer = tsr_mode_count(&t), inner = tsr_mode_count(&first);
    for (int i = 0; i < outer; ++i) {
        tsr_tuple const mode = tsr_tuple_get(t, i);
        if (tsr_is_leaf(&mode) || tsr_mode_count(&mode) != inner)
            return tsr_bad_tuple(TSR_ZIP_RANK, i, inner, tsr_mode_count(&mode), 0);
    }
    for (int j = 0; j < inner; ++j) {
        tsr_tuple row = TSR_ZERO;
        for (int i = 0; i < outer; ++i) {
            tsr_tuple const x = tsr_tuple_get(tsr_tuple_get(t, i), j);
            tsr_tuple_push(&row, &x);
        }
        row = tsr_tuple_close(row);
        tsr_tuple_push(&r, &row);
    }
    return tsr_tuple_close(r);
}

/** (none, what stands in t). */
TSR_LOCAL void tsr_pair_with_(tsr_tuple *t, int64_t none)
{
    tsr_tuple pair TSR_SCRATCH;
    tsr_begin_tuple_(&pair);
    tsr_tuple_push_leaf(&pair, tsr_leaf_static(none));
    tsr_tuple_push(&pair, t);
    tsr_enclose_all_(&pair);
    *t = pair;
}

/** The transpose of the pairs at the leaves of `guide`: ((a,b),(c,d),e) by <_,_> becomes ((a,c),(b,d,e)), into r,
 *  which has no modes. A mode without a tile is paired with `none`. */
TSR_LOCAL void tsr_put_zip2_(tsr_tuple *r, tsr_tuple const *t, tsr_tuple const *guide, int64_t none)
{
    tsr_tuple seconds TSR_SCRATCH, pair TSR_SCRATCH;
    int const rank = tsr_mode_count(t), pairs = tsr_mode_count(guide);
    bool const leaf = tsr_is_leaf(guide), alone = leaf && guide->leaf[0].kind == TSR_ABSENT;
    if (t->status || guide->status) {
        *r = t->status ? *t : *guide;
        return;
    }
    if (alone ? false : leaf ? rank != 2 : rank < pairs || tsr_is_leaf(t)) {
        *r = tsr_bad_tuple(TSR_ZIP_RANK, 0, rank, leaf ? 2 : pairs, 0);
        return;
    }
    if (leaf) {
        tsr_tuple_push(r, t);
        if (alone)
            tsr_pair_with_(r, none);
        return;
    }
    tsr_begin_tuple_(&seconds);
    for (int i = 0, begin = 0, end = 0, by = 0, by_end = 0; i < rank; ++i, begin = end, by = by_end) {
        end = tsr_mode_end_(t, begin);
        if (i >= pairs) {
            tsr_push_sub_(&seconds, t, begin, end);
            continue;
        }
        by_end = tsr_mode_end_(guide, by);
        tsr_begin_tuple_(&pair);
        tsr_push_sub_(&pair, t, begin, end);
        if (by_end - by > 1 || guide->leaf[by].open > (by == 0) || guide->leaf[by].kind == TSR_UNIT) {
            tsr_tuple const mode = pair, inner = tsr_get_(guide, i);
            tsr_begin_tuple_(&pair);
            tsr_put_zip2_(&pair, &mode, &inner, none);
        } else if (guide->leaf[by].kind == TSR_ABSENT) {
            tsr_pair_with_(&pair, none);
        } else if (tsr_mode_count(&pair) != 2) {
            pair = tsr_bad_tuple(TSR_ZIP_RANK, 0, tsr_mode_count(&pair), 2, 0);
        }
        if (pair.status) {
            *r = pair;
            return;
        }
        int const half = tsr_mode_end_(&pair, 0);
        tsr_push_sub_(r, &pair, 0, half);
        tsr_push_sub_(&seconds, &pair, half, pair.leaves);
    }
    tsr_enclose_all_(r);
    tsr_enclose_all_(&seconds);
    tsr_tuple_push(r, &seconds);
    tsr_enclose_all_(r);
}

TSR_OP tsr_tuple tsr_zip2_by(tsr_tuple t, tsr_tuple guide)
{
    tsr_tuple r = TSR_ZERO;
    tsr_put_zip2_(&r, &t, &guide, 0);
    return r;
}

/** Opens mode i of a tuple into its own modes; one that is an integer or has one mode stays, and () goes. */
TSR_LOCAL void tsr_open_mode_(tsr_tuple *t, int i)
{
    int end = 0, depth = -1;
    int const b = tsr_mode_begin_(t, i, &end);
    if (b < 0) {
        *t = tsr_is_leaf(t) && i == 0 ? *t : tsr_get_(t, i);
        return;
    }
    bool const tuple = t->leaf[b].open > (b == 0);
    if (!tuple && t->leaf[b].kind == TSR_UNIT) {
        *t = tsr_remove(*t, i);
        return;
    }
    for (int k = b; tuple && k + 1 < end; ++k) {
        depth += t->leaf[k].open - t->leaf[k].close - (k == 0);
        if (depth <= 0) { /* its first mode is not its last */
            --t->leaf[b].open;
            --t->leaf[end - 1].close;
            return;
        }
    }
}

/** Is it (a,b,..), two leaves or more without further brackets or ()? */
TSR_LOCAL bool tsr_is_row_(tsr_tuple const *t)
{
    bool flat = t->status == TSR_OK && t->leaves > 1;
    for (int i = 0; flat && i < t->leaves; ++i)
        flat = t->leaf[i].open == (i == 0) && t->leaf[i].close == (i == t->leaves - 1) && t->leaf[i].kind != TSR_UNIT;
    return flat;
}

TSR_OP bool tsr_same_profile(tsr_tuple const *a, tsr_tuple const *b)
{
    if (a->leaves != b->leaves)
        return false;
    for (int i = 0; i < a->leaves; ++i)
        if (a->leaf[i].open != b->leaf[i].open || a->leaf[i].close != b->leaf[i].close
            || (a->leaf[i].kind == TSR_UNIT) != (b->leaf[i].kind == TSR_UNIT))
            return false;
    return true;
}

TSR_OP tsr_tuple tsr_static_tuple(tsr_tuple t)
{
    for (int i = 0; !t.status && i < t.leaves; ++i)
        if (t.leaf[i].kind == TSR_DYNAMIC)
            t.leaf[i].kind = TSR_STATIC;
    return t;
}

TSR_HEADER_END

#endif
