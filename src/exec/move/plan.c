/** Plan: the functions of exec/plan.h. */
#include "exec/move/plan.h"
#include "exec/by_address.h"

bool tsr_has_numbers_(tsr_tensor const *t)
{
    return t->engine.kind != TSR_POINTER || tsr_number_kind_of(t->engine.type) != TSR_NO_NUMBER;
}

tsr_reason tsr_matching_(tsr_tensor const *s, tsr_tensor const *d)
{
    tsr_reason const touched = tsr_reason_or(tsr_readable_(s), tsr_writable_(d));
    if (touched.status)
        return touched;
    int64_t const n = tsr_layout_size(s->layout), m = tsr_layout_size(d->layout);
    if (n != m)
        return tsr_because(TSR_DIFFER_SIZE, 0, n, m, 0);
    bool const computes = !tsr_same_bits_(s, d) && (!tsr_has_numbers_(s) || !tsr_has_numbers_(d));
    return computes ? tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0) : tsr_no_reason();
}

tsr_reason tsr_copyable_(tsr_tensor const *s, tsr_tensor const *d)
{
    tsr_reason const why = tsr_matching_(s, d);
    if (why.status)
        return why;
    tsr_verdict const once = tsr_is_injective(d->layout);
    return once.answer != TSR_YES ? once.why : tsr_disjoint_(s, d);
}

tsr_reason tsr_copyable(tsr_tensor const *s, tsr_tensor const *d)
{
    return tsr_reason_or(tsr_copyable_(s, d), tsr_reason_or(tsr_in_bounds_(s), tsr_in_bounds_(d)));
}

bool tsr_is_memory_(tsr_tensor const *t)
{
    tsr_engine const *const e = &t->engine;
    return !e->at.status && !t->layout.shape.status && e->kind == TSR_POINTER && e->map.kind == TSR_AS_IS
           && e->address != 0 && e->space != TSR_TMEM && !tsr_has_basis(&t->layout.stride);
}

tsr_slow tsr_plan_side_(tsr_side *x, tsr_tensor const *t)
{
    tsr_engine const *const e = &t->engine;
    int64_t const bits = tsr_dtype_bits(e->type);
    tsr_slow slow = TSR_SLOW_NOT_SLOW;
    int64_t begin = 0, offset = 0;
    int unit = 3; /* the bits of a byte, or of an element */
    x->type = e->type;
    x->absolute = e->swizzle.bits > 0;
    x->byte = (uint8_t)(x->absolute ? 0 : e->address % TSR_LINE_BYTES);
    x->swizzle = e->swizzle;
    if (x->absolute)
        begin = (int64_t)(e->address * 8);
    if (t->layout.composed) {
        offset = tsr_leaf_value(t->layout.offset);
        if (t->layout.twice || (t->layout.swizzle.bits > 0 && x->absolute))
            slow = TSR_SLOW_TWICE;
        if (t->layout.swizzle.bits > 0) {
            x->swizzle = t->layout.swizzle;
            unit = tsr_bit_width((uint64_t)bits) - 1;
            if (!tsr_is_pow2(bits) || e->bit != 0)
                slow = TSR_SLOW_ODD_BITS;
        }
    }
    x->swizzle.base = (int8_t)(x->swizzle.base + unit);
    if (!tsr_mul64(offset, bits, &offset) || !tsr_add64(begin, offset + e->bit, &x->begin)
        || tsr_abs64(x->begin) > TSR_PLAN_FAR || tsr_swizzle_width_(x->swizzle) > 60)
        slow = TSR_SLOW_FAR;
    return e->kind != TSR_POINTER || e->map.kind != TSR_AS_IS ? TSR_SLOW_COMPUTED : slow;
}

void tsr_plan_sides_(tsr_planned_copy *p, tsr_tensor const *s, tsr_tensor const *d)
{
    tsr_slow const from = tsr_plan_side_(&p->from, s), to = tsr_plan_side_(&p->to, d);
    p->slow = (uint8_t)(from ? from : to);
}

/** The edges of a predicate: every coordinate below the extent. */
static void tsr_plan_predicate_(tsr_planned_copy *p, tsr_tensor const *where)
{
    tsr_engine const *const e = &where->engine;
    tsr_tuple const *const at = &e->at, *const shape = (tsr_tuple const *)e->map.context;
    bool flat = e->kind == TSR_COORDINATES && e->map.kind == TSR_INSIDE && !where->layout.composed && !shape->status
                && at->leaves <= shape->leaves && tsr_mode_count(at) == at->leaves
                && tsr_mode_count(shape) == shape->leaves && tsr_is_leaf(at) == tsr_is_leaf(shape);
    for (int i = 0; flat && i < where->layout.stride.leaves; ++i)
        flat = where->layout.stride.leaf[i].aux <= (uint32_t)at->leaves;
    if (!flat || at->leaves > TSR_PLAN_EDGES)
        p->slow = flat ? TSR_SLOW_CAPACITY : TSR_SLOW_PREDICATE;
    for (int k = 0; !p->slow && k < at->leaves; ++k) {
        int64_t const remote = (int64_t)TSR_PLAN_FAR;
        if (tsr_abs64(at->leaf[k].value) > TSR_PLAN_FAR)
            p->slow = TSR_SLOW_FAR;
        p->edge[k].first = -remote;
        p->edge[k].last = tsr_min64((int64_t)tsr_leaf_extent(shape->leaf[k]), remote) - at->leaf[k].value;
        p->edges = (uint8_t)(k + 1);
    }
}

/** What the loops and edges that there are prove and reach; of `n` elements if there are no loops. */
static void tsr_plan_close_loops_(tsr_planned_copy *p, int64_t n)
{
    p->elements = n;
    p->units = 1;
    if (p->slow)
        return;
    p->elements = 1;
    for (int i = 0; i < p->loops; ++i)
        p->elements *= p->loop[i].count;
    p->once = tsr_plan_lands_once_(p);
    tsr_plan_clip_(p);
    tsr_side_reach_(p, &p->from, true);
    tsr_side_reach_(p, &p->to, false);
    p->item = tsr_dtype_bits(p->to.type);
    if (p->from.type == p->to.type)
        tsr_plan_drop_swizzles_(p);
}

/** Cuts closed loops into blocks; what has none goes element by element. */
static void tsr_plan_make_blocks_(tsr_planned_copy *p)
{
    if (!p->slow)
        tsr_plan_block_(p);
    if (p->slow) {
        p->way = TSR_WAY_ELEMENTS;
        p->loops = p->box = p->edges = 0;
        p->units = (p->elements - 1) / TSR_ELEMENTS_A_UNIT + 1;
    }
}

void tsr_plan_close_(tsr_planned_copy *p, int64_t n)
{
    tsr_plan_close_loops_(p, n);
    tsr_plan_make_blocks_(p);
}

/** The sides and the closed loops of two tensors that may be copied. */
static void tsr_plan_find_loops_(tsr_planned_copy *p, tsr_tensor const *where, tsr_tensor const *s,
                                 tsr_tensor const *d)
{
    tsr_leaves_ x[3] = {tsr_leaves_of_(&s->layout, tsr_dtype_bits(s->engine.type), TSR_IN_SOURCE),
                        tsr_leaves_of_(&d->layout, tsr_dtype_bits(d->engine.type), TSR_IN_DESTINATION),
                        tsr_leaves_of_(where ? &where->layout : &d->layout, 1, TSR_IN_EDGE)};
    x[2].split = true;
    tsr_plan_sides_(p, s, d);
    if (!p->slow && where)
        tsr_plan_predicate_(p, where);
    tsr_plan_cut_modes_(p, x, where ? 3 : 2);
    tsr_plan_close_loops_(p, p->slow ? tsr_layout_size(d->layout) : 0);
}

tsr_reason tsr_chosen_once_(tsr_tensor const *where, tsr_tensor const *d)
{
    tsr_verdict const all = tsr_is_injective(d->layout);
    tsr_planned_copy p = TSR_ZERO;
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    if (all.answer == TSR_YES || tsr_layout_size(where->layout) != tsr_layout_size(d->layout))
        return all.answer == TSR_YES ? tsr_no_reason() : all.why;
    tsr_plan_find_loops_(&p, where, d, d);
    for (int i = 0; i < p.loops; ++i) {
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(p.loop[i].count));
        tsr_tuple_push_leaf(&stride, tsr_leaf_dynamic(p.loop[i].to));
    }
    if (p.slow || p.loops == 0)
        return p.slow ? all.why : tsr_no_reason();
    tsr_layout const left = tsr_layout_unchecked(tsr_tuple_close(shape), tsr_tuple_close(stride));
    return p.units == 0 || tsr_is_injective(left).answer == TSR_YES ? tsr_no_reason() : all.why;
}

void tsr_plan_make_(tsr_planned_copy *p, tsr_tensor const *where, tsr_tensor const *s, tsr_tensor const *d)
{
    tsr_plan_find_loops_(p, where, s, d);
    tsr_plan_make_blocks_(p);
}

bool tsr_side_in_bounds_(tsr_planned_copy const *p, tsr_side const *x, tsr_tensor const *t)
{
    int64_t first = 0, last = 0, low = 0, high = 0;
    int const bits = tsr_dtype_bits(x->type);
    return !tsr_bounds_(&t->engine, &first, &last) || p->units == 0
           || (!p->slow && x->swizzle.bits == 0 && tsr_mul64(first, bits, &low) && tsr_mul64(last, bits, &high)
               && low + t->engine.bit <= x->low && x->high <= high + t->engine.bit);
}

/** The bytes from the first to the last that a side touches; all there are, behind a swizzle. */
static uint64_t tsr_side_bytes_(tsr_side const *x)
{
    bool const moved = x->absolute || x->swizzle.bits > 0;
    return moved ? ~(uint64_t)0 : (uint64_t)((x->high + 7) >> 3) - (uint64_t)(x->low >> 3);
}

/** Finds the loops of tensors that are plain memory, and says whether they prove all that is to be checked. */
static bool tsr_plan_find_checked_(tsr_planned_copy *p, tsr_tensor const *where, tsr_tensor const *s,
                                   tsr_tensor const *d)
{
    bool const as_it_is = s->engine.type == d->engine.type && !p->update.computes;
    if (!tsr_is_memory_(s) || !tsr_is_memory_(d) || d->engine.constant
        || (!as_it_is && (!tsr_has_numbers_(s) || !tsr_has_numbers_(d)))
        || (where && (where->engine.at.status || where->layout.shape.status)))
        return false;
    tsr_plan_find_loops_(p, where, s, d);
    uint64_t const apart = d->engine.address + (uint64_t)(p->to.low >> 3)
                           - (s->engine.address + (uint64_t)(p->from.low >> 3)); /* modulo all addresses */
    return !p->slow && p->once && tsr_side_bytes_(&p->from) <= apart && tsr_side_bytes_(&p->to) <= 0 - apart
           && tsr_side_in_bounds_(p, &p->from, s) && tsr_side_in_bounds_(p, &p->to, d);
}

bool tsr_plan_make_checked_(tsr_planned_copy *p, tsr_tensor const *where, tsr_tensor const *s, tsr_tensor const *d)
{
    bool const proved = tsr_plan_find_checked_(p, where, s, d);
    if (p->to.type != 0)
        tsr_plan_make_blocks_(p);
    return proved;
}

void tsr_plan_problem_(tsr_planned_copy *p, tsr_tensor const *s, tsr_tensor const *d)
{
    if (tsr_plan_find_checked_(p, NULL, s, d))
        return;
    p->why = tsr_copyable(s, d);
    if (!p->why.status && p->to.type == 0)
        tsr_plan_find_loops_(p, NULL, s, d);
}

void tsr_plan_copy_(tsr_planned_copy *p, tsr_tensor const *s, tsr_tensor const *d)
{
    tsr_plan_problem_(p, s, d);
    if (!p->why.status)
        tsr_plan_make_blocks_(p);
}

void tsr_copy_past_(tsr_planned_copy *p) { p->stream = p->stream || (!p->why.status && p->kind == TSR_BLOCK_ROWS); }

tsr_planned_copy tsr_copy_plan(tsr_tensor const *s, tsr_tensor const *d)
{
    tsr_planned_copy p = TSR_ZERO;
    tsr_plan_copy_(&p, s, d);
    return p;
}
