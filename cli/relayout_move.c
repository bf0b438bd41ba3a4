/** The copy of tessera relayout as a plan: the view and the output, leaf by leaf, and which elements of tiles there
 *  are.
 */
#include "relayout.h"
#include "tessera/tessera.h"

/** One more leaf of the source, of the destination, and of the coordinates along an axis. */
static void push(tsr_tuple *shape, tsr_tuple *stride, int64_t extent, int64_t from, int64_t to, int64_t step,
                 int axis)
{
    tsr_leaf coordinate = tsr_leaf_dynamic(step);
    coordinate.aux = (uint32_t)axis + 1;
    tsr_tuple_push_leaf(shape, tsr_leaf_dynamic(extent));
    tsr_tuple_push_leaf(&stride[0], tsr_leaf_dynamic(from));
    tsr_tuple_push_leaf(&stride[1], tsr_leaf_dynamic(to));
    tsr_tuple_push_leaf(&stride[2], coordinate);
}

/** Each axis of the view in the modes under it, the first of them fastest. */
static void push_axis(relayout const *r, int axis, tsr_layout const *out, int *leaf, tsr_tuple *shape,
                      tsr_tuple *stride)
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

void relayout_make_move(relayout const *r, tsr_tensor const *in, tsr_tensor const *out, relayout_move *m)
{
    tsr_tuple shape = TSR_ZERO, stride[3] = {TSR_ZERO, TSR_ZERO, TSR_ZERO}, at = TSR_ZERO;
    tsr_layout const to = r->kind == RELAYOUT_LAID_OUT ? r->layout : out->layout;
    int leaf = 0;
    m->image = NULL;
    m->ragged = false;
    m->extents = at;
    for (int i = 0; i < r->rank; ++i) {
        push_axis(r, i, &to, &leaf, &shape, stride);
        tsr_tuple_push_leaf(&m->extents, tsr_leaf_dynamic(r->extent[i]));
        tsr_tuple_push_leaf(&at, tsr_leaf_dynamic(0));
        m->ragged = m->ragged || (r->kind == RELAYOUT_TILED && r->extent[i] % r->tile[i] != 0);
    }
    m->extents = tsr_tuple_close(m->extents);
    m->from = *in;
    m->to = *out;
    m->from.engine = tsr_bounded(in->engine, &in->layout);
    m->to.engine = tsr_bounded(out->engine, &out->layout);
    shape = tsr_tuple_close(shape);
    m->from.layout = tsr_layout_unchecked(shape, tsr_tuple_close(stride[0]));
    m->to.layout = tsr_with_(to, shape, tsr_tuple_close(stride[1]));
    for (int i = 0; i < shape.leaves; ++i)
        m->box[i] = shape.leaf[i].value;
    if (!m->ragged) {
        m->plan = tsr_copy_plan(m->from, m->to);
        return;
    }
    m->there = tsr_make_tensor_of(tsr_inside_iter(tsr_make_inttuple_iter(tsr_tuple_close(at)), &m->extents),
                                  tsr_layout_unchecked(shape, tsr_tuple_close(stride[2])));
    m->plan = tsr_copy_if_plan(m->there, m->from, m->to);
}

/** The leaves of more than one index by the sizes of their strides, the smallest first; returns their number. */
static int sort_leaves(tsr_layout const *l, int *order)
{
    int n = 0;
    for (int i = 0; i < l->shape.leaves; ++i) {
        if (l->shape.leaf[i].value <= 1)
            continue;
        int at = n++;
        for (; at > 0 && tsr_abs64(l->stride.leaf[i].value) < tsr_abs64(l->stride.leaf[order[at - 1]].value); --at)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return n;
}

/** The first leaf of an order that the box does not have whole, and the run of elements that it has up to there; -1:
 *  there is none. */
static int next_leaf(tsr_tuple const *shape, int64_t const *box, int const *order, int n, int64_t *run)
{
    *run = 1;
    for (int i = 0; i < n; ++i) {
        *run *= box[order[i]];
        if (box[order[i]] < shape->leaf[order[i]].value)
            return order[i];
    }
    return -1;
}

void relayout_cut(relayout_move *m, int64_t bytes)
{
    int from[TSR_MAX_LEAVES], to[TSR_MAX_LEAVES];
    tsr_tuple const *const shape = &m->to.layout.shape;
    int const n = sort_leaves(&m->from.layout, from);
    int64_t const f = tsr_dtype_bits(m->from.engine.type), t = tsr_dtype_bits(m->to.engine.type);
    int64_t const most = bytes / (f + t) * 8;
    sort_leaves(&m->to.layout, to);
    if (n == 0 || tsr_layout_size(m->to.layout) <= most || m->to.layout.twice)
        return;
    for (int i = 0; i < n; ++i)
        m->box[from[i]] = 1;
    for (int64_t volume = 1;;) {
        int64_t source = 1, destination = 1;
        int const i = next_leaf(shape, m->box, from, n, &source), j = next_leaf(shape, m->box, to, n, &destination);
        int const k = source * f < destination * t ? i : j; /* the side whose run is shorter grows */
        if (k < 0)
            return;
        int64_t const more = tsr_min64(2 * m->box[k], shape->leaf[k].value);
        volume = volume / m->box[k] * more;
        if (volume > most)
            return;
        m->box[k] = more;
    }
}

/** The next box, the smallest step of the destination fastest; false after the last one. */
static bool next_box(relayout_move const *m, int const *order, int n, tsr_tuple *at)
{
    for (int i = 0; i < n; ++i) {
        int64_t *const index = &at->leaf[order[i]].value;
        *index += m->box[order[i]];
        if (*index < m->to.layout.shape.leaf[order[i]].value)
            return true;
        *index = 0;
    }
    return false;
}

/** A tensor from a coordinate on, of a number of indices of each leaf. In a frame of its own: the loops need the
 *  stack. */
TSR_APART void take_part(tsr_tensor *to, tsr_tensor const *t, tsr_tuple const *at, tsr_tuple const *shape)
{
    *to = tsr_tensor_domain_offset(*at, *t);
    to->layout.shape = *shape;
}

/** Who is told of the parts of a box, and whether the work goes on. */
typedef struct listener {
    relayout_progress progress;
    void *context;
    bool goes_on;
    int64_t copied;
} listener;

static bool part_done(void *context, int64_t elements, int64_t done, int64_t all)
{
    listener *const l = (listener *)context;
    l->copied += elements;
    l->goes_on = !l->progress || l->progress(l->context, elements, done == all);
    return l->goes_on;
}

/** The box at work: its units in parts, between which there is time for other things. */
TSR_APART bool run_box(relayout_move *m, relayout_progress progress, void *context, int64_t *copied,
                       tsr_message *error)
{
    tsr_tensor const *const t = m->part;
    listener l = {progress, context, true, 0};
    tsr_tensor const *const where = m->ragged ? &t[2] : NULL;
    bool ok = true;
    if (m->image)
        ok = tsr_image_copy(m->image, where, t[0], t[1], part_done, &l, error);
    else
        (void)tsr_copy_run_told(&m->plan, where, &t[0], &t[1], part_done, &l);
    *copied += l.copied;
    return ok && l.goes_on;
}

/** The plan of the box at work; false: there is none. */
TSR_APART bool plan_box(relayout_move *m)
{
    tsr_tensor const *const t = m->part;
    m->plan = m->ragged ? tsr_copy_if_plan(t[2], t[0], t[1]) : tsr_copy_plan(t[0], t[1]);
    return !m->plan.why.status;
}

int64_t relayout_run(relayout_move *m, relayout_progress progress, void *context, tsr_message *error)
{
    error->text[0] = 0;
    int order[TSR_MAX_LEAVES];
    int64_t copied = 0;
    tsr_tuple at = m->to.layout.shape, shape = at;
    int const n = sort_leaves(&m->to.layout, order);
    bool whole = true;
    for (int i = 0; i < shape.leaves; ++i) {
        whole = whole && m->box[i] == shape.leaf[i].value;
        at.leaf[i].value = 0;
    }
    m->part[0] = m->from;
    m->part[1] = m->to;
    m->part[2] = m->there;
    if (whole) {
        run_box(m, progress, context, &copied, error);
        return copied;
    }
    do {
        for (int i = 0; i < shape.leaves; ++i)
            shape.leaf[i].value = tsr_min64(m->box[i], m->to.layout.shape.leaf[i].value - at.leaf[i].value);
        take_part(&m->part[0], &m->from, &at, &shape);
        take_part(&m->part[1], &m->to, &at, &shape);
        if (m->ragged)
            take_part(&m->part[2], &m->there, &at, &shape);
        if (!plan_box(m) || !run_box(m, progress, context, &copied, error))
            break;
    } while (next_box(m, order, n, &at));
    return copied;
}
