/* Nests of random loops, kept loop by loop or count by count: turned, sorted, moved and joined they bring the operands
 * to the same offsets together, as often, and a cursor that seeks an index is where as many steps lead to.
 *
 *  usage: nest [SEED [CASES]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "../random.h"
#include "../sanitizer.h"
#include "exec/nest.h"

enum { LOOPS = 6, OPERANDS = 4, FIELDS = LOOPS * (1 + OPERANDS) };

/** A sum over all indices that knows which offsets meet, not in which order. Each is also sought by itself. */
static uint64_t tuples(tsr_nest_ const *n, int64_t const *begin, bool *ok)
{
    int64_t digit[LOOPS] = {0}, at[OPERANDS], size = 1;
    uint64_t sum = 0;
    for (int i = 0; i < n->loops; ++i)
        size *= n->count[i * n->each];
    for (int k = 0; k < n->operands; ++k)
        at[k] = begin[k];
    for (int64_t index = 0; index < size; ++index, tsr_nest_next_(n, digit, at)) {
        int64_t found[LOOPS], there[OPERANDS];
        uint64_t one = 1;
        for (int k = 0; k < n->operands; ++k)
            there[k] = begin[k];
        tsr_nest_seek_(n, index, found, there);
        for (int k = 0; k < n->operands; ++k) {
            *ok = *ok && there[k] == at[k];
            one = (one ^ (uint64_t)at[k]) * 0x9e3779b97f4a7c15u;
            one ^= one >> 29;
        }
        sum += one;
    }
    for (int k = 0; k < n->operands; ++k)
        *ok = *ok && at[k] == begin[k];
    return sum;
}

/** A loop that goes on where the last one ends, or any. */
static void add_loop(tsr_nest_ *n)
{
    int const last = n->loops - 1;
    bool const joins = n->loops > 0 && below(3) == 0;
    int64_t step[OPERANDS];
    for (int k = 0; k < n->operands; ++k)
        step[k] = joins ? n->count[last * n->each] * n->step[last * n->each + k * n->apart] : below(41) - 20;
    (void)tsr_nest_add_(n, 1 + below(4), step);
}

static bool is_sorted(tsr_nest_ const *n, int operand)
{
    bool sorted = true;
    for (int i = 1; i < n->loops; ++i)
        sorted = sorted
                 && tsr_abs64(n->step[(i - 1) * n->each + operand * n->apart])
                        <= tsr_abs64(n->step[i * n->each + operand * n->apart]);
    return sorted;
}

static bool one_case(void)
{
    int64_t room[FIELDS], begin[OPERANDS] = {0};
    tsr_nest_ n = {room, room + LOOPS, 1, LOOPS, 1 + (int)below(OPERANDS), 0, LOOPS};
    if (below(2)) {
        n.step = room + 1;
        n.each = 1 + OPERANDS;
        n.apart = 1;
    }
    int const operand = (int)below(n.operands);
    bool ok = true;
    for (int64_t i = below(LOOPS + 2); i > 0; --i)
        add_loop(&n);
    uint64_t const before = tuples(&n, begin, &ok);
    tsr_nest_turn_(&n, operand, begin);
    for (int i = 0; i < n.loops; ++i)
        ok = ok && n.step[i * n.each + operand * n.apart] >= 0;
    ok = ok && tuples(&n, begin, &ok) == before;
    if (n.loops > 0)
        tsr_nest_move_(&n, (int)below(n.loops), (int)below(n.loops));
    ok = ok && tuples(&n, begin, &ok) == before;
    tsr_nest_sort_(&n, operand, false);
    ok = ok && is_sorted(&n, operand) && tuples(&n, begin, &ok) == before;
    tsr_nest_join_(&n);
    return ok && tuples(&n, begin, &ok) == before && ok;
}

int main(int argc, char **argv)
{
    int64_t const seed = argc > 1 ? atoll(argv[1]) : 1, cases = OF_CASES(argc > 2 ? atoll(argv[2]) : 10000);
    for (int64_t i = 0; i < cases; ++i) {
        random_begin((uint64_t)(seed + i));
        if (!one_case()) {
            printf("seed %lld: the nest is another one\n", (long long)(seed + i));
            return 1;
        }
    }
    printf("%lld nests\n", (long long)cases);
    return 0;
}
