/** The plan of an einsum as text: a line for each step, with its text, its values and what it costs. */
#include "tessera/text.h"
#include "text/writer.h"

static void put_step(writer *w, tsr_planned_einsum const *p, int s)
{
    tsr_einsum_step const *const step = &p->step[s];
    int const made = p->operands + s;
    put(w, "\n  %2d  %s", s, p->value[step->left]);
    if (step->right >= 0)
        put(w, ",%s", p->value[step->right]);
    put(w, "->%s  value %d", p->value[made], step->left);
    if (step->right >= 0)
        put(w, " times %d", step->right);
    put(w, " gives %d: %.15g %s, %lld elements", made, step->products, step->right >= 0 ? "products" : "read",
        (long long)step->elements);
}

size_t tsr_format_einsum(char *out, size_t size, tsr_planned_einsum const *p)
{
    writer w;
    if (p->why.status)
        return tsr_format_reason(out, size, p->why);
    writer_open(&w, out, size);
    put(&w, "%.15g products in %d steps, at most %lld elements between", p->products, p->steps,
        (long long)p->largest);
    for (int s = 0; s < p->steps; ++s)
        put_step(&w, p, s);
    return w.used;
}
