/** The copy of tessera relayout as a plan: the view and the output, leaf by leaf, and which elements of tiles there are.
 */
#include "relayout.h"
#include "tessera/ops/move.h"

/** One more leaf of the source, of the destination, and of the coordinates along an axis. */
static void push(tsr_tuple *shape, tsr_tuple *stride, int64_t extent, int64_t from, int64_t to, int64_t step, int axis)
{
    tsr_leaf coordinate = tsr_leaf_dynamic(step);
    coordinate.aux = (uint32_t)axis + 1;
    tsr_tuple_push_leaf(shape, tsr_leaf_dynamic(extent));
    tsr_tuple_push_leaf(&stride[0], tsr_leaf_dynamic(from));
    tsr_tuple_push_leaf(&stride[1], tsr_leaf_dynamic(to));
    tsr_tuple_push_leaf(&stride[2], coordinate);
}

/** Each axis of the view in the modes under it, the first of them fastest. */
static void push_axis(relayout const *r, int axis, tsr_layout const *out, int *leaf, tsr_tuple *shape, tsr_tuple *stride)
{
    int64_t left = r->extent[axis], step = 1;
    if (r->kind == RELAYOUT_TILED) {
        int64_t const tile = r->tile[axis], tiles = out->shape.leaf[axis].value;
        push(shape, stride, tile, r->stride[axis], out->stride.leaf[r->rank + axis].value, 1, axis);
        push(shape, stride, tiles, r->stride[axis] * tile, out->stride.leaf[axis].value, tile, axis);
        return;
    }
    for (; *leaf < out->shape.leaves; ++*leaf) {
        int64_t const n = out->shape.leaf[*leaf].value;
        if (left == 1 && n != 1)
            break;
        push(shape, stride, n, r->stride[axis] * step, out->stride.leaf[*leaf].value, step, axis);
        left /= n;
        step *= n;
    }
}

void relayout_make_move(relayout const *r, tsr_tensor in, tsr_tensor out, relayout_move *m)
{
    tsr_tuple shape = TSR_ZERO, stride[3] = {TSR_ZERO, TSR_ZERO, TSR_ZERO}, at = TSR_ZERO;
    tsr_layout const to = r->kind == RELAYOUT_LAID_OUT ? r->layout : out.layout;
    int leaf = 0;
    bool ragged = false;
    m->extents = at;
    for (int i = 0; i < r->rank; ++i) {
        push_axis(r, i, &to, &leaf, &shape, stride);
        tsr_tuple_push_leaf(&m->extents, tsr_leaf_dynamic(r->extent[i]));
        tsr_tuple_push_leaf(&at, tsr_leaf_dynamic(0));
        ragged = ragged || (r->kind == RELAYOUT_TILED && r->extent[i] % r->tile[i] != 0);
    }
    m->extents = tsr_tuple_close(m->extents);
    m->from = in;
    m->to = out;
    m->from.engine = tsr_bounded(in.engine, &in.layout);
    m->to.engine = tsr_bounded(out.engine, &out.layout);
    shape = tsr_tuple_close(shape);
    m->from.layout = tsr_layout_unchecked(shape, tsr_tuple_close(stride[0]));
    m->to.layout = tsr_with_(to, shape, tsr_tuple_close(stride[1]));
    if (!ragged) {
        m->plan = tsrc_plan_copy(m->from, m->to);
        return;
    }
    m->there = tsr_make_tensor_of(tsr_inside_iter(tsr_make_inttuple_iter(tsr_tuple_close(at)), &m->extents),
                                  tsr_layout_unchecked(shape, tsr_tuple_close(stride[2])));
    m->plan = tsrc_plan_copy_if(m->there, m->from, m->to);
}

int64_t relayout_run(relayout_move const *m, relayout_progress progress, void *context)
{
    int64_t const part = tsr_max64(m->plan.units / 1024, 1);
    int64_t copied = 0;
    for (int64_t unit = 0; unit < m->plan.units; unit += part) {
        int64_t const end = tsr_min64(unit + part, m->plan.units);
        int64_t const n = tsrc_plan_run(&m->plan, &m->there, &m->from, &m->to, unit, end);
        copied += n;
        if (progress && !progress(context, n))
            break;
    }
    return copied;
}
