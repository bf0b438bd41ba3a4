/** The bodies of core/tuple.h. */
#ifndef TSR_CORE_BODY_TUPLE_H
#define TSR_CORE_BODY_TUPLE_H

#include "tessera/core/tuple.h"

TSR_HEADER_BEGIN

/** A tuple without leaves, to be pushed to. Old leaves of a scratch value are not cleared. */
TSR_LOCAL void tsr_begin_tuple_(tsr_tuple *t) { t->status = t->leaves = t->mode = t->law = t->along = 0; }

TSR_OP void tsr_tuple_push_leaf(tsr_tuple *list, tsr_leaf a)
{
    if (list->status)
        return;
    if (a.kind == TSR_BAD || list->leaves == TSR_MAX_LEAVES) {
        tsr_clear_rest_(list);
        list->status = (uint8_t)(a.kind == TSR_BAD ? (int)a.aux : TSR_CAPACITY);
        list->leaf[0].value = a.kind == TSR_BAD ? a.value : list->leaves + 1;
        list->leaf[1].value = TSR_MAX_LEAVES;
        return;
    }
    a.open = a.close = 0;
    list->leaf[list->leaves++] = a;
}

TSR_HEADER_END

#endif
