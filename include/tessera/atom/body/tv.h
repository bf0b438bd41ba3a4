/** The bodies of atom/tv.h. */
#ifndef TSR_ATOM_BODY_TV_H
#define TSR_ATOM_BODY_TV_H

#include "tessera/atom/tv.h"

TSR_HEADER_BEGIN

TSR_OP void tsr_tv_push_(tsr_layout *list, int64_t extent, int64_t stride)
{
    tsr_tuple_push_leaf(&list->shape, tsr_leaf_static(extent));
    tsr_tuple_push_leaf(&list->stride, tsr_leaf_static(stride));
}

/** The list as one mode: a single entry as itself, no entry as _1:_0. */
TSR_LOCAL tsr_layout tsr_tv_mode_(tsr_layout list)
{
    if (list.shape.leaves == 0 && !list.shape.status)
        tsr_tv_push_(&list, 1, 0);
    if (list.shape.leaves > 1) {
        tsr_enclose_all_(&list.shape);
        tsr_enclose_all_(&list.stride);
    }
    return list;
}

TSR_OP tsr_layout tsr_make_tv(tsr_layout threads, tsr_layout values)
{
    tsr_layout const t = tsr_tv_mode_(threads), v = tsr_tv_mode_(values);
    return tsr_make_pair(&t, &v);
}

TSR_OP tsr_layout tsr_tv_run(int64_t extent, int64_t stride)
{
    tsr_layout r = TSR_ZERO;
    tsr_tv_push_(&r, extent, stride);
    return r;
}

TSR_HEADER_END

#endif
