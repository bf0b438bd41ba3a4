/** Run: the functions of exec/run.h. */
#include "exec/move/nibbles.h"
#include "exec/rows.h"

/** Elements of 4 bits as they are: sets of units by a table, larger blocks as they stand. Without edges. */
static int64_t tsr_copy_nibbles_(tsr_planned_copy const *p, uint64_t s, uint64_t q, int64_t first, int64_t last)
{
    enum { LARGE = 256 };
    int64_t x = 0, y = 0, moved = 0;
    tsr_unit_ unit;
    tsr_unit_begin_(&unit, p, first);
    tsr_block_ const b = tsr_unit_block_(p, &unit, &x, &y); /* the counts and steps of all */
    int64_t const block = b.count[0] * b.count[1];
    tsr_nibbles_ table;
    table.count = 0;
    if (block < LARGE)
        tsr_nibbles_of_plan_(&table, p);
    for (int64_t n = first; n < last;) {
        if (table.count > block && n % table.units == 0 && n + table.units <= last) {
            tsr_nibbles_by_table_(&table, q, unit.at[TSR_IN_DESTINATION], s, unit.at[TSR_IN_SOURCE]);
            moved += table.count;
            n += table.units;
            if (n < last)
                tsr_unit_begin_(&unit, p, n);
        } else {
            tsr_nibbles_block_(q, unit.at[TSR_IN_DESTINATION], s, unit.at[TSR_IN_SOURCE], b.count, b.to, b.from);
            moved += block;
            ++n;
            tsr_unit_next_(&unit, p);
        }
    }
    return moved;
}

int64_t tsr_copy_loops_at(tsr_planned_copy const *p, void const *from, void *to, int64_t first, int64_t last)
{
    uint64_t const q = p->to.absolute ? 0 : (uint64_t)(uintptr_t)to;
    uint64_t const s = p->from.absolute ? 0 : (uint64_t)(uintptr_t)from;
    if (p->way == TSR_WAY_PARTS && p->item == 4 && p->edges == 0 && first < last)
        return tsr_copy_nibbles_(p, s, q, first, last);
    tsr_unit_ unit;
    int64_t moved = 0;
    tsr_unit_begin_(&unit, p, first);
    for (int64_t n = first; n < last; ++n, tsr_unit_next_(&unit, p)) {
        int64_t x0 = 0, y0 = 0, lines = 0;
        tsr_block_ const whole = tsr_unit_block_(p, &unit, &x0, &y0);
        tsr_block_ b = whole;
        int64_t const line = tsr_plan_part_(p, &whole, &lines);
        if (whole.count[0] > 0 && whole.count[1] > 0)
            moved += whole.count[0] * whole.count[1];
        for (int64_t i = 0; i < whole.count[0]; i += line)
            for (int64_t j = 0; j < whole.count[1]; j += lines) {
                int64_t const x = x0 + i * b.from[0] + j * b.from[1], y = y0 + i * b.to[0] + j * b.to[1];
                b.count[0] = tsr_min64(whole.count[0] - i, line);
                b.count[1] = tsr_min64(whole.count[1] - j, lines);
                if (p->way == TSR_WAY_BYTES)
                    tsr_block_copy_(tsr_byte_at_(q, y), tsr_byte_at_(s, x), &b, p->item);
                else if (p->way == TSR_WAY_CONVERT && !TSR_ON_GPU)
                    tsr_block_convert_(p, q, s, y, x, &b);
                else
                    tsr_block_place_all_(p, q, s, y, x, &b);
            }
    }
    return moved * p->item / tsr_dtype_bits(p->to.type);
}

int64_t tsr_copy_run_at(tsr_planned_copy const *p, void const *from, void *to, int64_t first, int64_t last)
{
    return tsr_engine_run(p, from, to, first, last);
}

int64_t tsr_update_elements(tsr_update const *u, tsr_tensor const *s, tsr_tensor const *d, int64_t first,
                            int64_t last)
{
    tsr_dtype const type = s->engine.map.kind == TSR_AS_IS ? s->engine.type : (tsr_dtype)TSR_F64; /* maps give any */
    tsr_cursor from = tsr_cursor_at(s, first), to = tsr_cursor_at(d, first);
    for (int64_t i = first; i < last; ++i, tsr_cursor_next(&from), tsr_cursor_next(&to)) {
        tsr_number const x = tsr_cursor_get(&from), y = tsr_update_reads_(u) ? tsr_cursor_get(&to) : x;
        tsr_cursor_put(&to, tsr_update_number(u, d->engine.type, type, x, y));
    }
    return last - first;
}

int64_t tsr_copy_run(tsr_planned_copy const *p, tsr_tensor const *where, tsr_tensor const *s, tsr_tensor const *d,
                     int64_t first, int64_t last)
{
    if (p->why.status)
        return 0;
    if (p->way != TSR_WAY_ELEMENTS)
        return tsr_copy_run_at(p, (void const *)(uintptr_t)s->engine.address, (void *)(uintptr_t)d->engine.address,
                               first, last);
    first *= TSR_ELEMENTS_A_UNIT;
    last = tsr_min64(last * TSR_ELEMENTS_A_UNIT, p->elements);
    return p->update.computes ? tsr_update_elements(&p->update, s, d, first, last)
                              : tsr_copy_elements(where, s, d, first, last);
}

int64_t tsr_copy_run_told(tsr_planned_copy const *p, tsr_tensor const *where, tsr_tensor const *s,
                          tsr_tensor const *d, tsr_progress told, void *context)
{
    enum { PART = 1 << 24 }; /* bytes */
    if (p->why.status)
        return 0;
    int64_t const parts = p->elements / (PART * INT64_C(8) / tsr_max64(tsr_dtype_bits(p->to.type), 1)) + 1;
    int64_t const part = tsr_max64(p->units / parts, 1);
    int64_t moved = 0;
    bool more = true;
    for (int64_t done = 0; done < p->units && more; done += part) {
        int64_t const end = tsr_min64(done + part, p->units), n = tsr_copy_run(p, where, s, d, done, end);
        moved += n;
        more = told(context, n, end, p->units);
    }
    return moved;
}
