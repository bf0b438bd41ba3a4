/** The modes of a product as loops that go through all of its tensors at once. */
#include "exec/gemm/engine.h"

static tsr_nest_ nest_of(tsr_gemm_loops *x)
{
    tsr_nest_ const n = {x->count, x->step[0], 1, TSR_MAX_LEAVES, TSR_OPERANDS, x->loops, TSR_MAX_LEAVES};
    return n;
}

/** Cuts the first loop in two: an inner loop of at most `most` steps, and an outer one, which is put behind the second
 *  loop. */
static void split_first(tsr_nest_ *n, int64_t most)
{
    int64_t const count = n->count[0];
    int64_t inner = most, step[TSR_OPERANDS];
    while (count % inner != 0)
        --inner;
    if (count <= most || inner * 3 < most || n->loops == n->most)
        return;
    for (int k = 0; k < TSR_OPERANDS; ++k)
        step[k] = n->step[k * n->apart] * inner;
    n->count[0] = inner;
    (void)tsr_nest_add_(n, count / inner, step);
    tsr_nest_move_(n, n->loops - 1, 2);
}

void tsr_gemm_order_loops(tsr_gemm_loops *x, int first, int second, int64_t most)
{
    tsr_nest_ n = nest_of(x);
    int at = 1;
    if (n.loops < 2)
        return;
    tsr_nest_sort_(&n, second, true);
    tsr_nest_sort_(&n, first, true);
    tsr_nest_join_(&n);
    while (at < n.loops && tsr_abs64(x->step[second][at]) != 1)
        ++at;
    if (at < n.loops) {
        tsr_nest_move_(&n, at, 1);
        split_first(&n, most);
    }
    x->loops = n.loops;
}

tsr_slow tsr_gemm_loops_of(tsr_gemm_loops *x, tsr_leaves_ *mode, int modes)
{
    x->loops = 0;
    tsr_nest_ n = nest_of(x);
    tsr_slow const slow = tsr_nest_cut_(&n, mode, modes);
    x->loops = n.loops;
    x->size = 1;
    for (int i = 0; i < n.loops; ++i)
        x->size *= x->count[i];
    return slow;
}

int64_t tsr_gemm_offset(tsr_gemm_loops const *x, int operand, int64_t at)
{
    int64_t r = 0;
    for (int i = 0; i < x->loops; at /= x->count[i++])
        r += at % x->count[i] * x->step[operand][i];
    return r;
}

void tsr_gemm_offsets(tsr_gemm_loops const *x, int operand, int64_t from, int64_t n, int64_t scale, int64_t *out)
{
    int64_t const count = x->loops > 0 ? x->count[0] : 1, step = x->loops > 0 ? x->step[operand][0] * scale : 0;
    while (n > 0) {
        int64_t const run = tsr_min64(n, count - from % count);
        int64_t offset = tsr_gemm_offset(x, operand, from) * scale;
        for (int64_t i = 0; i < run; ++i, offset += step)
            out[i] = offset;
        from += run;
        out += run;
        n -= run;
    }
}
