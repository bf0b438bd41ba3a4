/** The text of linear maps: linear{in=(basis,..);.. -> out=size;..}. */
#include "text/write.h"

/** The part of a basis in one output. */
static unsigned long long part_of(tsr_linear_side const *out, int dim, uint64_t x)
{
    int begin = 0;
    for (int i = 0; i < dim; ++i)
        begin += out->bits[i];
    uint64_t const mask = ((uint64_t)1 << out->bits[dim]) - 1;
    return begin >= 64 ? 0 : (unsigned long long)(x >> begin & mask);
}

/** An integer where there is one output, else a tuple. */
static void write_basis(writer *w, tsr_linear_side const *out, uint64_t x)
{
    put(w, "%s", out->count == 1 ? "" : "(");
    for (int d = 0; d < out->count; ++d)
        put(w, "%s%llu", d > 0 ? "," : "", part_of(out, d, x));
    put(w, "%s", out->count == 1 ? "" : ")");
}

void tsr_write_linear_(writer *w, tsr_linear const *f)
{
    int at = 0;
    put(w, "linear{");
    for (int d = 0; d < f->in.count; ++d) {
        put(w, "%s%s=(", d > 0 ? ";" : "", f->in.name[d]);
        for (int b = 0; b < f->in.bits[d]; ++b) {
            put(w, "%s", b > 0 ? "," : "");
            write_basis(w, &f->out, f->basis[at++]);
        }
        put(w, ")");
    }
    put(w, "%s-> ", f->in.count > 0 ? " " : "");
    for (int d = 0; d < f->out.count; ++d)
        put(w, "%s%s=%llu", d > 0 ? ";" : "", f->out.name[d], 1ull << f->out.bits[d]);
    put(w, "}");
}

size_t tsr_format_linear(char *out, size_t size, tsr_linear f)
{
    writer w;
    writer_open(&w, out, size);
    if (f.why.status)
        tsr_write_why_(&w, &f.why);
    else
        tsr_write_linear_(&w, &f);
    return w.used;
}
