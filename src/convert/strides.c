/** Shapes and strides in bytes: shape=(4, 8), strides=(32, 4) of NumPy, slowest first as it is written; ne=(8, 4),
 *  nb=(4, 32) of ggml, the other way round. */
#include "convert/convert.h"

static char const *const words[2][2] = {{"shape", "strides"}, {"ne", "nb"}};

void tsr_read_strides_(scan *s, tsr_system from, int64_t bytes, tsr_layout *r)
{
    bool const reversed = from == TSR_SYSTEM_GGML;
    integers read, steps, extent, step;
    scan_expect(s, words[reversed][0]);
    scan_expect(s, "=");
    take_integers(s, "(", ")", &read);
    (void)scan_take(s, ",");
    scan_expect(s, words[reversed][1]);
    scan_expect(s, "=");
    take_integers(s, "(", ")", &steps);
    extent.count = step.count = read.count;
    if (!s->failed && (read.count != steps.count || read.count == 0 || read.count > TSR_MAX_LEAVES))
        scan_fail(s, "as many strides as extents are expected, 1 to 16");
    if (!s->failed && bytes < 1)
        scan_fail(s, "strides in bytes need elements of whole bytes");
    for (int i = 0; i < extent.count && !s->failed; ++i) {
        int const at = reversed ? extent.count - 1 - i : i;
        if (steps.at[at] % bytes != 0)
            scan_fail(s, "a stride in bytes is no multiple of the size of an element: name it with --type");
        extent.at[i] = read.at[at];
        step.at[i] = steps.at[at] / bytes;
    }
    if (!s->failed)
        *r = tsr_layout_of_(&extent, &step);
}

void tsr_write_strides_(writer *w, tsr_system to, tsr_layout const *l, int64_t bytes, scan *s)
{
    bool const reversed = to == TSR_SYSTEM_GGML;
    integers list[2], in_order[2];
    (void)tsr_layout_take_(l, &list[0], &list[1], s);
    int const modes = list[0].count;
    if (bytes < 1)
        scan_fail(s, "strides in bytes need elements of whole bytes");
    for (int i = 0; i < modes && !s->failed; ++i) {
        int const at = reversed ? modes - 1 - i : i;
        in_order[0].at[at] = list[0].at[i];
        if (!tsr_mul64(list[1].at[i], bytes, &in_order[1].at[at]))
            scan_refuse(s, tsr_because(TSR_OVERFLOW, i, list[1].at[i], 0, 0));
    }
    for (int k = 0; k < 2 && !s->failed; ++k) {
        put(w, "%s%s=", k ? ", " : "", words[reversed][k]);
        put_integers(w, "(", modes, in_order[k].at, ", ", modes == 1 ? ",)" : ")");
    }
}
