/** The modes of a product as loops that go through all of its tensors at once. */
#include "exec/gemm/engine.h"

/** The leaves of a mode one by one, as they are used up. */
typedef struct leaves {
    gemm_mode mode; /* from the next leaf on */
    int64_t count, step;
} leaves;

static void next_leaf(leaves *x)
{
    for (; x->count == 1 && x->mode.first < x->mode.end; ++x->mode.first) {
        x->count = (int64_t)tsr_leaf_extent(x->mode.layout->shape.leaf[x->mode.first]);
        x->step = x->mode.layout->stride.leaf[x->mode.first].value;
    }
}

/** How far a loop steps, for sorting: what does not step at all comes last. */
static uint64_t distance(tsr_gemm_loops const *x, int loop, int operand)
{
    int64_t const step = x->step[operand][loop];
    return step == 0 ? UINT64_MAX : tsr_abs64(step);
}

static bool goes_before(tsr_gemm_loops const *x, int a, int b, int first, int second)
{
    uint64_t const f = distance(x, a, first), g = distance(x, b, first);
    return f != g ? f < g : distance(x, a, second) < distance(x, b, second);
}

static void swap_loops(tsr_gemm_loops *x, int a, int b)
{
    int64_t const count = x->count[a];
    x->count[a] = x->count[b];
    x->count[b] = count;
    for (int i = 0; i < TSR_OPERANDS; ++i) {
        int64_t const step = x->step[i][a];
        x->step[i][a] = x->step[i][b];
        x->step[i][b] = step;
    }
}

/** Joins loops that go on from each other in every tensor. */
static void join_loops(tsr_gemm_loops *x)
{
    int last = 0;
    for (int i = 1; i < x->loops; ++i) {
        bool joins = true;
        for (int k = 0; k < TSR_OPERANDS; ++k)
            joins = joins && x->step[k][i] == x->step[k][last] * x->count[last];
        if (joins)
            x->count[last] *= x->count[i];
        else if (++last != i)
            swap_loops(x, last, i);
    }
    x->loops = x->loops > 0 ? last + 1 : 0;
}

/** Puts a loop behind the first `at` ones. */
static void insert_loop(tsr_gemm_loops *x, int loop, int at)
{
    for (; loop > at; --loop)
        swap_loops(x, loop, loop - 1);
}

/** Cuts the first loop in two: an inner loop of at most `most` steps, and an outer one, which is put behind the second
 *  loop. */
static void split_first(tsr_gemm_loops *x, int64_t most)
{
    int64_t inner = most;
    while (x->count[0] % inner != 0)
        --inner;
    if (x->count[0] <= most || inner * 3 < most || x->loops == TSR_MAX_LEAVES)
        return;
    int const outer = x->loops++;
    x->count[outer] = x->count[0] / inner;
    x->count[0] = inner;
    for (int i = 0; i < TSR_OPERANDS; ++i)
        x->step[i][outer] = x->step[i][0] * inner;
    insert_loop(x, outer, 2);
}

void tsr_gemm_order_loops(tsr_gemm_loops *x, int first, int second, int64_t most)
{
    for (int i = 1; i < x->loops; ++i)
        for (int k = i; k > 0 && goes_before(x, k, k - 1, first, second); --k)
            swap_loops(x, k, k - 1);
    join_loops(x);
    for (int i = 1; i < x->loops; ++i)
        if (distance(x, i, second) == 1) {
            insert_loop(x, i, 1);
            split_first(x, most);
            break;
        }
}

tsr_slow tsr_gemm_loops_of(tsr_gemm_loops *x, gemm_mode const mode[TSR_OPERANDS])
{
    leaves side[TSR_OPERANDS];
    x->loops = 0;
    x->size = 1;
    for (int i = 0; i < TSR_OPERANDS; ++i)
        side[i] = (leaves){mode[i], 1, 0};
    for (;;) {
        int64_t count = 0, most = 1;
        for (int i = 0; i < TSR_OPERANDS; ++i) {
            next_leaf(&side[i]);
            most = tsr_max64(most, side[i].count);
            if (mode[i].layout)
                count = count == 0 ? side[i].count : tsr_min64(count, side[i].count);
        }
        if (most == 1)
            break;
        if (count == 1 || x->loops == TSR_MAX_LEAVES)
            return count == 1 ? TSR_SLOW_SHAPES : TSR_SLOW_CAPACITY;
        for (int i = 0; i < TSR_OPERANDS; ++i) {
            x->step[i][x->loops] = 0;
            if (!mode[i].layout)
                continue;
            if (side[i].count % count != 0)
                return TSR_SLOW_SHAPES;
            x->step[i][x->loops] = side[i].step;
            side[i].count /= count;
            side[i].step *= count;
        }
        x->count[x->loops++] = count;
        x->size *= count;
    }
    return TSR_SLOW_NOT_SLOW;
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
