/* What plans that convert or compute make of lines of elements, by the kernels of a row. */
#include "exec/engine.h"

/** Bytes computed at once, since each call takes time to set up; elements from which a table pays. */
enum { ROOM = 8192, TABLED = 1024 };

/** Lines that lie side by side in `to` and are gathered, as many as there is room for. */
TSR_APART void compute_lines(engine_conversion const *c, unsigned char *to, unsigned char const *from,
                             int64_t from_step, int64_t n, int64_t lines)
{
    unsigned char buffer[ROOM];
    tsr_planned_copy const *const p = c->plan;
    int64_t const t = p->item / 8, f = tsr_dtype_bits(p->from.type) / 8, together = ROOM / (n * f);
    if (c->kernels->update_lines(&p->update, p->to.type, to, p->from.type, from,
                                 tsr_lines_of_(n, lines, n * t, from_step)))
        return;
    for (int64_t i = 0, m = 0; i < lines; i += m) {
        m = tsr_max64(tsr_min64(together, lines - i), 1);
        for (int64_t k = 0; m > 1 && k < m; ++k)
            memcpy(buffer + k * n * f, from + (i + k) * from_step, (size_t)(n * f));
        c->kernels->update(&p->update, p->to.type, to + i * n * t, p->from.type,
                           m > 1 ? buffer : from + i * from_step, m * n);
    }
}

static void convert_lines(engine_conversion const *c, void *to, void const *from, int64_t from_step, int64_t n,
                          int64_t lines)
{
    tsr_planned_copy const *const p = c->plan;
    int64_t const t = p->item / 8;
    if (p->update.computes)
        compute_lines(c, (unsigned char *)to, (unsigned char const *)from, from_step, n, lines);
    else if (!c->pass.one_by_one)
        c->kernels->convert_lines(&c->pass, to, n * t, from, from_step, n, lines);
    else
        for (int64_t i = 0; i < lines; ++i)
            tsr_convert_by_loops_(p->to.type, (unsigned char *)to + i * n * t, p->from.type,
                                  (unsigned char const *)from + i * from_step, n);
}

void tsr_engine_conversion_begin_(engine_conversion *c, engine_kernels const *k, tsr_planned_copy const *p)
{
    unsigned char every[sizeof c->table];
    c->kernels = k;
    c->plan = p;
    c->pass = tsr_pass_of_(p->to.type, p->from.type);
    c->by_table = tsr_dtype_bits(p->to.type) == 8 && tsr_dtype_bits(p->from.type) == 8 && p->elements >= TABLED
                  && !tsr_update_reads_(&p->update);
    for (size_t i = 0; c->by_table && i < sizeof every; ++i)
        every[i] = (unsigned char)i;
    if (c->by_table)
        convert_lines(c, c->table, every, 0, sizeof every, 1);
}

/** A line by the table. */
static void look_up(engine_conversion const *c, unsigned char *to, unsigned char const *from, int64_t n)
{
    for (int64_t i = tsr_engine_look_up_(c->kernels->vector, to, from, c->table, n); i < n; ++i)
        to[i] = c->table[from[i]];
}

void tsr_engine_convert_(engine_conversion const *c, void *to, void const *from, int64_t from_step, int64_t n,
                         int64_t lines)
{
    for (int64_t i = 0; c->by_table && i < lines; ++i)
        look_up(c, (unsigned char *)to + i * n, (unsigned char const *)from + i * from_step, n);
    if (!c->by_table)
        convert_lines(c, to, from, from_step, n, lines);
}
