/** Two tensors to one by every row of the engine: random layouts, types and factors, byte by byte what the law of
 *  exec/transform.h makes of each element.
 *
 *  usage: combine [SEED [CASES]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gpu/any_combination.h"
#include "../sanitizer.h"
#include "tessera/exec/engine.h"

typedef struct side {
    _Alignas(256) unsigned char byte[PAIR_BYTES];
} side;

static side first, second, found, wanted;
static int in_place, refused, rows[8];

static void stir(side *x)
{
    for (int i = 0; i < PAIR_BYTES; i += 8) {
        uint64_t const word = random_bits();
        memcpy(&x->byte[i], &word, 8);
    }
}

static void show(any_combination const *c)
{
    for (int i = 0; i < 3; ++i) {
        char text[1024];
        tsr_format_layout(text, sizeof text, c->layout[i], 0);
        printf("    %s %s\n", tsr_dtype_name(c->type[i]), text);
    }
    printf("    op %d, factors %g and %g, row %s\n", (int)c->l.op, tsr_number_to_double(c->l.alpha),
           tsr_number_to_double(c->l.beta), tsr_cpu_engine_name());
}

static void try_case(void)
{
    any_combination c;
    tsr_tensor t[3], w[3];
    uint64_t const memory[3] = {(uint64_t)(uintptr_t)first.byte, (uint64_t)(uintptr_t)second.byte,
                                (uint64_t)(uintptr_t)found.byte};
    uint64_t const other[3] = {memory[0], memory[1], (uint64_t)(uintptr_t)wanted.byte};
    if (!any_combination_of(&c))
        return;
    combination_tensors(&c, memory, t);
    combination_tensors(&c, other, w);
    for (int i = 0; i < 3; ++i)
        put_numbers(t[i]);
    memcpy(&wanted, &found, sizeof found);
    int const row = (int)below(5);
    char const *const name = tsr_cpu_engine_row(row);
    rows[tsr_cpu_engine_use(name) && name ? row : 0] += 1;
    tsr_reason const why = combine_on_cpu(&c, w), mine = tsr_combine(c.l.op, c.l.alpha, t[0], c.l.beta, t[1], t[2]);
    check(why.status == mine.status, "the reason of the law");
    if (why.status) {
        ++refused;
        return;
    }
    in_place += c.mine >= 0;
    bool const same = memcmp(&found, &wanted, sizeof found) == 0;
    check(same, "the bytes of the law");
    if (!same)
        show(&c);
}

/** Enough elements for threads, whose groups begin anywhere: rows of 3 and a transposed source. */
static void test_large(void)
{
    enum { N = 400000 };
    static float x[3 * N], y[3], z[3 * N], turned[3 * N];
    for (int i = 0; i < 3 * N; ++i)
        x[i] = (float)(i % 1000);
    for (int i = 0; i < 3; ++i)
        y[i] = (float)i;
    tsr_tensor const rows_of_3 = tsr_make_tensor(x, tsr_t(N, 3), tsr_right()),
                     one = tsr_make_tensor(y, tsr_t(N, 3), tsr_t(0, 1)),
                     sums = tsr_make_tensor(z, tsr_t(N, 3), tsr_right()),
                     columns = tsr_make_tensor(turned, tsr_t(N, 3), tsr_t(1, N));
    tsr_number const by = tsr_number_int(1);
    check(!tsr_combine(TSR_COMBINE_SUM, by, rows_of_3, by, one, sums).status, "rows of 3 and one more");
    check(!tsr_combine(TSR_COMBINE_GREATEST, by, rows_of_3, by, one, columns).status, "the same to columns");
    int bad = 0;
    for (int i = 0; i < N; ++i)
        for (int k = 0; k < 3; ++k) {
            float const a = x[3 * i + k], b = y[k];
            bad += z[3 * i + k] != a + b || turned[k * N + i] != (a < b ? b : a);
        }
    check(bad == 0, "in threads");
}

int main(int argc, char **argv)
{
    random_state = argc > 1 ? strtoull(argv[1], NULL, 10) * 2 + 1 : 1;
    int const cases = OF_CASES(argc > 2 ? atoi(argv[2]) : 1000);
    for (int i = 0; i < cases; ++i) {
        for (int k = 0; k < 3 && i % 64 == 0; ++k)
            stir(k == 0 ? &first : k == 1 ? &second : &found);
        try_case();
    }
    check(tsr_cpu_engine_use(NULL), "the best row");
    test_large();
    check(cases < 1000 || (in_place > 0 && refused > 0 && (!tsr_cpu_engine_row(1) || rows[1] > 0)),
          "in place, refused, by other rows");
    printf("in place %d, refused %d\n%d passed, %d failed\n", in_place, refused, passed, failed);
    return failed != 0;
}
