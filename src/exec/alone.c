/** The portable loops without rows: what runs in a program that has tessera.h in one file, and no library. */
#include "exec/rows.h"
#include "tessera/exec/engine.h"
#include "exec/by_value.h"

int64_t tsr_engine_run(tsr_planned_copy const *p, void const *from, void *to, int64_t first, int64_t last)
{
    return tsr_copy_loops_at(p, from, to, first, last);
}

void tsr_engine_convert(tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from, int64_t n)
{
    tsr_convert_by_loops_(to_type, to, from_type, from, n);
}

void tsr_engine_reduce(tsr_planned_reduce const *p, void const *from, void *to)
{
    tsr_reducer_ const k = tsr_reducer_of_loops_();
    for (int64_t i = 0; i < p->blocks; ++i)
        tsr_reduce_block_(p, &k, p->to.absolute ? 0 : (uint64_t)(uintptr_t)to,
                          p->from.absolute ? 0 : (uint64_t)(uintptr_t)from, i);
}

bool tsr_engine_combine_run(int op, tsr_dtype type, void *to, void const *x, void const *y, int64_t n)
{
    return tsr_combine_by_loops_(op, type, to, x, y, n);
}

void tsr_engine_combine(tsr_combination_ const *c, tsr_transform_ *t) { tsr_combine_run_(c, t); }

bool tsr_product_by_engine(tsr_product_ const *g)
{
    (void)g;
    return false;
}

char const *tsr_cpu_engine_row(int i) { return i == 0 ? "loops" : NULL; }

char const *tsr_cpu_engine_name(void) { return "loops"; }

bool tsr_cpu_engine_use(char const *row) { return !row || strcmp(row, "loops") == 0; }

int tsr_cpu_engine_threads(int most)
{
    (void)most;
    return 1;
}
