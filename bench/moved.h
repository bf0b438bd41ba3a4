/** Whether a copy that is to be timed is right. */
#ifndef BENCH_MOVED_H
#define BENCH_MOVED_H

#include <string.h>

#include "exec/compute/update.h"
#include "tessera/tessera.h"

static inline unsigned char *bench_place(tsr_tensor const *t, int64_t i)
{
    return (unsigned char *)(uintptr_t)t->engine.address
           + tsr_at_index(t->layout, i) * tsr_dtype_bits(t->engine.type) / 8;
}

/** Element i of d, which was 0, is what its plan makes of element i of s, for i all over them. */
static bool bench_moved(tsr_planned_copy const *p, tsr_tensor const *s, tsr_tensor const *d)
{
    int64_t const n = tsr_layout_size(d->layout);
    for (int64_t i = 0; i < n; i += 1 + i * 7919 % 97 * (n > 100000)) {
        unsigned char wanted[16] = {0}, got[16] = {0};
        size_t const bytes = (size_t)tsr_dtype_bits(d->engine.type) / 8;
        memcpy(got, bench_place(d, i), bytes);
        if (p->update.computes)
            tsr_update_element(&p->update, d->engine.type, wanted, 0, s->engine.type, bench_place(s, i), 0);
        else if (s->engine.type == d->engine.type)
            memcpy(wanted, bench_place(s, i), bytes);
        else
            tsr_store(d->engine.type, wanted, 0, tsr_load(s->engine.type, bench_place(s, i), 0));
        if (memcmp(wanted, got, sizeof wanted) != 0)
            return false;
    }
    return true;
}

#endif
