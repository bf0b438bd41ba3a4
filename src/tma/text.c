/** Tensor maps and TMA copies as text: the line of the calculator, and the table of `tessera tma`. */
#include "tma/text.h"

char const *tsr_tma_op_name_(tsr_tma_op op)
{
    static char const *const names[] = {
#define X(name, peers, mode) #name,
        TSR_TMA_OP_LIST(X)
#undef X
    };
    return names[op];
}

static char const *tma_format_name(int format)
{
    static char const *const names[] = {
#define X(id, bits, is_float) #id,
        TSR_TMA_FORMAT_LIST(X)
#undef X
            "no format"};
    return names[format];
}

static char const *tma_swizzle_name(int swizzle)
{
    static char const *const names[] = {
#define X(name, span, b, m, s) #name,
        TSR_TMA_SWIZZLE_LIST(X)
#undef X
            "no swizzle"};
    return names[swizzle];
}

static void write_numbers(writer *w, int64_t const *number, int n)
{
    put(w, "(");
    for (int i = 0; i < n; ++i)
        put(w, "%s%lld", i > 0 ? "," : "", (long long)number[i]);
    put(w, ")");
}

void tsr_write_tma_map_(writer *w, tsr_tma_desc const *d)
{
    int const rank = d->rank < TSR_TMA_DIMS ? d->rank : TSR_TMA_DIMS;
    put(w, "%s ; %d ; ", tma_format_name(d->format), d->rank);
    write_numbers(w, d->dim, rank);
    put(w, " ; ");
    write_numbers(w, d->stride + 1, rank - 1);
    put(w, " ; ");
    if (d->im2col) {
        write_numbers(w, d->lower, rank - 2);
        put(w, " ; ");
        write_numbers(w, d->upper, rank - 2);
        put(w, " ; %lld ; %lld", (long long)d->channels, (long long)d->pixels);
    } else {
        write_numbers(w, d->box, rank);
    }
    put(w, " ; ");
    write_numbers(w, d->step, rank);
    put(w, " ; %s ; %d ; %d ; %d", tma_swizzle_name(d->swizzle), d->interleave, d->l2, d->fill);
}

/** The dimensions of a map, one a line. */
static void write_dimensions(writer *w, tsr_tma_desc const *d)
{
    int const rank = d->rank < TSR_TMA_DIMS ? d->rank : TSR_TMA_DIMS;
    put(w, d->im2col ? "dimension      extent       bytes   lower   upper  step\n"
                     : "dimension      extent       bytes     box  step\n");
    for (int i = 0; i < rank; ++i) {
        int64_t const bits = tsr_tma_format_bits(d->format);
        put(w, "%9d %11lld ", i, (long long)d->dim[i]);
        if (i == 0 && bits % 8 != 0)
            put(w, "%6lld bits", (long long)bits);
        else
            put(w, "%11lld", (long long)(i == 0 ? bits / 8 : d->stride[i]));
        if (!d->im2col)
            put(w, " %7lld", (long long)d->box[i]);
        else if (i >= 1 && i <= rank - 2)
            put(w, " %7lld %7lld", (long long)d->lower[i - 1], (long long)d->upper[i - 1]);
        else
            put(w, "%16s", "");
        put(w, " %5lld\n", (long long)d->step[i]);
    }
}

/** Every rule that the map breaks. */
static void write_rules(writer *w, tsr_tma_desc d)
{
    char text[TSR_TEXT_SIZE];
    int broken = 0;
    tsr_reason const other = d.why;
    d.why = tsr_no_reason();
    for (int i = 0; i < tsr_tma_rules(); ++i) {
        tsr_reason const why = tsr_tma_rule(&d, i);
        if (why.status) {
            tsr_format_reason(text, sizeof text, why);
            put(w, "rules      %s\n", text);
            ++broken;
        }
    }
    if (broken == 0 && other.status) {
        tsr_format_reason(text, sizeof text, other);
        put(w, "rules      %s\n", text);
    } else if (broken == 0) {
        put(w, "rules      all kept\n");
    }
}

size_t tsr_format_tma(char *out, size_t size, tsr_tma_copy c)
{
    static char const *const interleaves[] = {"none", "16B", "32B"}, *const l2[] = {"none", "64B", "128B", "256B"};
    writer w;
    char text[TSR_TEXT_SIZE];
    tsr_tma_desc const *const d = &c.desc;
    tsr_swizzle const sw = tsr_tma_swizzle_bits(d->swizzle);
    writer_open(&w, out, size);
    if (d->rank == 0) {
        tsr_format_reason(text, sizeof text, d->why);
        put(&w, "rules      %s\n", text);
        return w.used;
    }
    if (c.elements > 0)
        put(&w, "copy       %s\n", tsr_tma_op_name_(c.op));
    put(&w, "format     %s%s\n", tma_format_name(d->format), d->im2col ? ", im2col" : "");
    write_dimensions(&w, d);
    if (d->im2col)
        put(&w, "box        %lld channels of %lld pixels\n", (long long)d->channels, (long long)d->pixels);
    put(&w, "swizzle    %s", tma_swizzle_name(d->swizzle));
    if (sw.bits != 0)
        put(&w, ", Sw<%d,%d,%d> of the byte address", sw.bits, sw.base, sw.shift);
    put(&w, "\nmodes      interleave %s, L2 promotion %s, filled with %s\n", interleaves[d->interleave], l2[d->l2],
        d->fill == TSR_TMA_FILL_NAN ? "NaN" : "zero");
    put(&w, "box        %lld bytes a transaction, %lld of shared memory at a multiple of %lld\n",
        (long long)tsr_tma_box_bytes(d), (long long)tsr_tma_smem_bytes(d), (long long)tsr_tma_smem_alignment(d));
    if (c.elements > 0) {
        tsr_format_tuple(text, sizeof text, c.tiler, 0);
        put(&w, "tile       %s, %lld instructions", text,
            (long long)(tsr_tuple_number(tsr_product(c.tiler)) / c.elements));
        put(&w, c.multicast > 1 ? " for %lld CTAs together\n" : "\n", (long long)c.multicast);
        tsr_format_layout(text, sizeof text, c.tensor, 0);
        put(&w, "coordinate %s\n", text);
    }
    write_rules(&w, *d);
    return w.used;
}
