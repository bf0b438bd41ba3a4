/** The bodies of core/tuple.h. */
#ifndef TSR_CORE_BODY_TUPLE_H
#define TSR_CORE_BODY_TUPLE_H

#include "tessera/core/tuple.h"

TSR_HEADER_BEGIN

/** One mode of a tuple, where it stands: leaves b to e. Of the parentheses at leaf b, `open` are its own. */
typedef struct tsr_sub_ {
    tsr_tuple const *t;
    int b, e, open;
} tsr_sub_;

/** A tuple that has leaves, as a mode. */
TSR_LOCAL tsr_sub_ tsr_sub_whole_(tsr_tuple const *t)
{
    tsr_sub_ const r = {t, 0, t->leaves, t->leaf[0].open};
    return r;
}

/** The mode inside of m that begins at leaf b. */
TSR_LOCAL tsr_sub_ tsr_sub_mode_(tsr_sub_ m, int b)
{
    tsr_sub_ r = {m.t, b, b, b == m.b ? m.open - 1 : m.t->leaf[b].open};
    for (int depth = r.open; r.e < m.e; depth += m.t->leaf[r.e].open) {
        depth -= m.t->leaf[r.e++].close;
        if (depth <= 0 || r.e == m.e)
            break;
    }
    return r;
}

TSR_LOCAL bool tsr_sub_is_leaf_(tsr_sub_ m)
{
    return m.e == m.b + 1 && m.open == 0 && m.t->leaf[m.b].kind != TSR_UNIT;
}

/** tsr_mode_count of a mode. */
TSR_LOCAL int tsr_sub_count_(tsr_sub_ m)
{
    int rank = 0;
    if (m.open == 0)
        return tsr_sub_is_leaf_(m);
    for (int b = m.b; b < m.e; b = tsr_sub_mode_(m, b).e)
        ++rank;
    return rank;
}

/** Pushes a mode to a list that has room, with the parentheses that are its own. */
TSR_LOCAL void tsr_put_sub_(tsr_tuple *list, tsr_sub_ m)
{
    tsr_leaf *const to = &list->leaf[list->leaves];
    int const last = m.e - m.b - 1;
    int depth = m.open;
    for (int i = 0; i <= last; ++i) {
        to[i] = m.t->leaf[m.b + i];
        depth += i > 0 ? to[i].open : 0;
        depth -= i < last ? to[i].close : 0;
    }
    to[0].open = (uint8_t)m.open;
    to[last].close = (uint8_t)depth;
    list->leaves = (uint8_t)(list->leaves + last + 1);
}

/** The mode at the end of a path of integers. False: there is none. */
TSR_LOCAL bool tsr_sub_at_(tsr_sub_ *m, tsr_tuple const *path)
{
    for (int k = 0; k < path->leaves && path->leaf[k].kind != TSR_UNIT; ++k) {
        int64_t i = path->leaf[k].value;
        if (i == 0 && tsr_sub_is_leaf_(*m))
            continue;
        if (i < 0 || m->open == 0)
            return false;
        tsr_sub_ mode = tsr_sub_mode_(*m, m->b);
        for (; i > 0 && mode.e < m->e; --i)
            mode = tsr_sub_mode_(*m, mode.e);
        if (i > 0)
            return false;
        *m = mode;
    }
    return true;
}

TSR_OP void tsr_tuple_push_leaf(tsr_tuple *list, tsr_leaf a)
{
    if (list->status)
        return;
    if (a.kind == TSR_BAD || list->leaves == TSR_MAX_LEAVES) {
        tsr_clear_rest_(list);
        list->status = (uint16_t)(a.kind == TSR_BAD ? (int)a.aux : TSR_CAPACITY);
        list->leaf[0].value = a.kind == TSR_BAD ? a.value : list->leaves + 1;
        list->leaf[1].value = TSR_MAX_LEAVES;
        return;
    }
    a.open = a.close = 0;
    list->leaf[list->leaves++] = a;
}

TSR_HEADER_END

#endif
