/** The text of linear maps: linear{in=(basis,..);.. -> out=size;..}. */
#include "text/write.h"

void tsr_write_basis_(writer *w, char const *open, tsr_linear_side const *out, uint64_t x, char const *between,
                      char const *close)
{
    int begin = 0;
    put(w, "%s", open);
    for (int d = 0; d < out->count; begin += out->bits[d++])
        put(w, "%s%llu", d > 0 ? between : "",
            begin >= 64 ? 0ull : (unsigned long long)(x >> begin & (((uint64_t)1 << out->bits[d]) - 1)));
    put(w, "%s", close);
}

/** An integer where there is one output, else a tuple. */
static void write_basis(writer *w, tsr_linear_side const *out, uint64_t x)
{
    bool const one = out->count == 1;
    tsr_write_basis_(w, one ? "" : "(", out, x, ",", one ? "" : ")");
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
