/** Nest: the functions of exec/nest.h. */
#include "exec/nest.h"

static int64_t *tsr_nest_step_(tsr_nest_ const *n, int k, int loop)
{
    return &n->step[loop * n->each + k * n->apart];
}

/** Moves one of the numbers of loops that are `each` apart. */
static void tsr_nest_rotate_(int64_t *x, int each, int from, int to)
{
    int64_t const moved = x[from * each];
    int const by = from < to ? 1 : -1;
    for (; from != to; from += by)
        x[from * each] = x[(from + by) * each];
    x[to * each] = moved;
}

void tsr_nest_move_(tsr_nest_ const *n, int from, int to)
{
    if (from == to)
        return;
    tsr_nest_rotate_(n->count, n->each, from, to);
    for (int k = 0; k < n->operands; ++k)
        tsr_nest_rotate_(n->step + k * n->apart, n->each, from, to);
}

bool tsr_nest_add_(tsr_nest_ *n, int64_t count, int64_t const *step)
{
    if (count == 1 || n->loops == n->most)
        return count == 1;
    n->count[n->loops * n->each] = count;
    for (int k = 0; k < n->operands; ++k)
        *tsr_nest_step_(n, k, n->loops) = step[k];
    ++n->loops;
    return true;
}

void tsr_nest_fill_(tsr_nest_ *n)
{
    for (int k = 0; n->loops == 0 && k < n->operands; ++k)
        *tsr_nest_step_(n, k, 0) = 0;
    for (; n->loops == 0; ++n->loops)
        n->count[0] = 1;
}

void tsr_nest_turn_(tsr_nest_ const *n, int operand, int64_t *begin)
{
    for (int i = 0; i < n->loops; ++i) {
        bool const backward = *tsr_nest_step_(n, operand, i) < 0;
        for (int k = 0; backward && k < n->operands; ++k) {
            int64_t *const step = tsr_nest_step_(n, k, i);
            begin[k] += (n->count[i * n->each] - 1) * *step;
            *step = -*step;
        }
    }
}

void tsr_nest_sort_(tsr_nest_ const *n, int operand, bool still_last)
{
    int64_t const *const step = tsr_nest_step_(n, operand, 0);
    for (int i = 1; i < n->loops; ++i) {
        uint64_t const distance = tsr_abs64(step[i * n->each]) - still_last; /* 0 - 1 is the greatest */
        int at = i;
        while (at > 0 && tsr_abs64(step[(at - 1) * n->each]) - still_last > distance)
            --at;
        tsr_nest_move_(n, i, at);
    }
}

void tsr_nest_join_(tsr_nest_ *n)
{
    int last = 0;
    for (int i = 1; i < n->loops; ++i) {
        int64_t *const count = &n->count[last * n->each];
        bool joins = true;
        for (int k = 0; k < n->operands && joins; ++k)
            joins = *count * *tsr_nest_step_(n, k, last) == *tsr_nest_step_(n, k, i);
        if (joins)
            *count *= n->count[i * n->each];
        else
            tsr_nest_move_(n, i, ++last);
    }
    n->loops = n->loops > 0 ? last + 1 : 0;
}

/** Goes on to a leaf of more than one step where one is used up. False: its steps leave 64 bits. */
static bool tsr_leaves_next_(tsr_leaves_ *x)
{
    int64_t reach = 0;
    for (; x->count == 1 && x->next < x->end; ++x->next) {
        x->count = (int64_t)tsr_leaf_extent(x->layout->shape.leaf[x->next]);
        if (x->count == 1)
            continue;
        if (!tsr_mul64(x->layout->stride.leaf[x->next].value, x->unit, &x->step)
            || !tsr_mul64(x->step, x->count, &reach) || tsr_abs64(reach) > TSR_PLAN_FAR / TSR_MAX_LEAVES)
            return false;
    }
    return true;
}

/** The operand that the present leaf steps through; -1: none, for it leads to no coordinate. */
static int tsr_leaves_operand_(tsr_leaves_ const *x)
{
    int const basis = x->split ? (int)x->layout->stride.leaf[x->next - 1].aux : 1;
    return basis > 0 ? x->operand + basis - 1 : -1;
}

tsr_slow tsr_nest_cut_(tsr_nest_ *n, tsr_leaves_ *x, int layouts)
{
    for (;;) {
        int64_t count = TSR_INT_MAX, most = 1, step[TSR_IN_EDGE + TSR_PLAN_EDGES];
        for (int k = 0; k < layouts; ++k) {
            if (!tsr_leaves_next_(&x[k]))
                return TSR_SLOW_FAR;
            count = tsr_min64(count, x[k].count);
            most = tsr_max64(most, x[k].count);
        }
        if (most == 1)
            return TSR_SLOW_NOT_SLOW;
        for (int k = 0; k < n->operands; ++k)
            step[k] = 0;
        for (int k = 0; k < layouts; ++k) {
            if (count == 1 || (x[k].count != count && x[k].count % count != 0))
                return TSR_SLOW_SHAPES;
            int const operand = tsr_leaves_operand_(&x[k]);
            if (operand >= 0)
                step[operand] = x[k].step;
            x[k].count = x[k].count == count ? 1 : x[k].count / count;
            x[k].step *= count;
        }
        if (!tsr_nest_add_(n, count, step))
            return TSR_SLOW_CAPACITY;
    }
}
