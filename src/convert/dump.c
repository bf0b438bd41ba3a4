/** What Triton prints of a linear layout:
 *
 *      - register=1 -> (0, 1)
 *        register=2 -> (8, 0)
 *      - warp is a size 1 dimension
 *      where out dims are: [dim0 (size 16), dim1 (size 2)]
 */
#include "convert/convert.h"

/** Bases as numbers, until the outputs are known. */
typedef struct lines {
    tsr_linear_side in, out;
    int bits, count[TSR_LINEAR_BITS];
    int64_t basis[TSR_LINEAR_BITS][TSR_LINEAR_DIMS];
} lines;

/** name=4 -> (0, 1): the next power of two of an input. */
static void read_basis(scan *s, lines *l, int64_t number)
{
    int const at = l->bits < TSR_LINEAR_BITS ? l->bits++ : 0;
    int const dim = l->in.count - 1;
    if (s->failed || dim < 0 || dim >= TSR_LINEAR_DIMS) {
        scan_fail(s, "a linear layout has at most 10 inputs");
        return;
    }
    if (number != (int64_t)1 << (l->in.bits[dim] < 62 ? l->in.bits[dim] : 62) || at + 1 < l->bits)
        scan_fail(s, "the next power of two of this input is expected here");
    ++l->in.bits[dim];
    scan_expect(s, "->");
    l->count[at] = scan_integers(s, "(", ")", TSR_LINEAR_DIMS, l->basis[at]);
}

static void read_input(scan *s, lines *l)
{
    char name[TSR_LINEAR_NAME], again[TSR_LINEAR_NAME];
    scan_word(s, name, sizeof name);
    tsr_linear_side_add(&l->in, name, 0);
    if (scan_take(s, "is a size 1 dimension"))
        return;
    scan_expect(s, "=");
    read_basis(s, l, scan_integer(s));
    for (;;) {
        if (s->failed || scan_next(s) == '-' || scan_begins(s, "where out"))
            return;
        scan_word(s, again, sizeof again);
        if (strcmp(name, again) != 0)
            scan_fail(s, "the same input is expected here, or `-` before another one");
        scan_expect(s, "=");
        read_basis(s, l, scan_integer(s));
    }
}

static void read_outputs(scan *s, tsr_linear_side *out)
{
    char name[TSR_LINEAR_NAME];
    scan_expect(s, "where out dims are:");
    for (bool more = scan_list(s, "[", "]"); more; more = scan_more(s, "]")) {
        scan_word(s, name, sizeof name);
        scan_expect(s, "(size");
        int64_t const size = scan_integer(s);
        if (!s->failed && !tsr_is_pow2(size))
            scan_fail(s, "the size of an output is a power of two");
        scan_expect(s, ")");
        tsr_linear_side_add(out, name, s->failed ? 0 : tsr_bit_width((uint64_t)size) - 1);
    }
}

void tsr_read_dump_(scan *s, tsr_linear *r)
{
    lines l = TSR_ZERO;
    while (scan_take(s, "- "))
        read_input(s, &l);
    read_outputs(s, &l.out);
    for (int i = 0; i < l.bits; ++i)
        if (l.count[i] != l.out.count)
            scan_fail(s, "every basis has a number for each output");
    if (!s->failed)
        *r = tsr_linear_of_numbers_(&l.in, &l.out, l.bits, (int64_t const(*)[TSR_LINEAR_DIMS])l.basis);
}

void tsr_write_dump_(writer *w, tsr_linear const *f)
{
    int at = 0;
    for (int d = 0; d < f->in.count; ++d) {
        if (f->in.bits[d] == 0)
            put(w, "- %s is a size 1 dimension\n", f->in.name[d]);
        for (int b = 0; b < f->in.bits[d]; ++b) {
            put(w, "%s%s=%llu -> ", b > 0 ? "  " : "- ", f->in.name[d], 1ull << b);
            tsr_write_basis_(w, "(", &f->out, f->basis[at++], ", ", ")");
            put(w, "\n");
        }
    }
    put(w, "where out dims are: [");
    for (int d = 0; d < f->out.count; ++d)
        put(w, "%s%s (size %llu)", d > 0 ? ", " : "", f->out.name[d], 1ull << f->out.bits[d]);
    put(w, "]");
}
