/* What plans that convert or compute make of lines of elements, by the kernels of a row. */
#include "exec/engine.h"

/** So many bytes are computed at once, for it takes a while to say of what. */
enum { ROOM = 8192 };

engine_conversion engine_conversion_of(engine_kernels const *k, tsr_plan const *p)
{
    engine_conversion const c = {k, p, tsr_pass_of_(p->to.type, p->from.type)};
    return c;
}

/** Lines that lie side by side in `to` and are gathered, as many as there is room for. */
static void compute_lines(engine_conversion const *c, unsigned char *to, unsigned char const *from, int64_t from_step,
                          int64_t n, int64_t lines)
{
    unsigned char room[ROOM];
    tsr_plan const *const p = c->plan;
    int64_t const t = p->item / 8, f = tsr_dtype_bits(p->from.type) / 8, together = ROOM / (n * f);
    for (int64_t i = 0, m = 0; i < lines; i += m) {
        m = tsr_max64(tsr_min64(together, lines - i), 1);
        for (int64_t k = 0; m > 1 && k < m; ++k)
            memcpy(room + k * n * f, from + (i + k) * from_step, (size_t)(n * f));
        c->kernels->update(&p->update, p->to.type, to + i * n * t, p->from.type, m > 1 ? room : from + i * from_step,
                           m * n);
    }
}

void engine_convert(engine_conversion const *c, void *to, void const *from, int64_t from_step, int64_t n, int64_t lines)
{
    tsr_plan const *const p = c->plan;
    int64_t const t = p->item / 8;
    if (p->update.computes)
        compute_lines(c, (unsigned char *)to, (unsigned char const *)from, from_step, n, lines);
    else if (!c->pass.one_by_one)
        c->kernels->convert_lines(&c->pass, to, n * t, from, from_step, n, lines);
    else
        for (int64_t i = 0; i < lines; ++i)
            tsr_convert_numbers_(p->to.type, (unsigned char *)to + i * n * t, p->from.type,
                                 (unsigned char const *)from + i * from_step, n);
}
