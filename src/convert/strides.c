/** Shapes and strides in bytes: shape=(4, 8), strides=(32, 4) of NumPy, slowest first as it is written; ne=(8, 4),
 *  nb=(4, 32) of ggml, the other way round. */
#include "convert/convert.h"

static char const *const words[2][2] = {{"shape", "strides"}, {"ne", "nb"}};

void tsr_read_strides_(scan *s, tsr_system from, int64_t bytes, tsr_layout *r)
{
    bool const reversed = from == TSR_SYSTEM_GGML;
    integers extent, step;
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    scan_expect(s, words[reversed][0]);
    scan_expect(s, "=");
    take_integers(s, "(", ")", &extent);
    (void)scan_take(s, ",");
    scan_expect(s, words[reversed][1]);
    scan_expect(s, "=");
    take_integers(s, "(", ")", &step);
    if (!s->failed && (extent.count != step.count || extent.count == 0 || extent.count > TSR_MAX_LEAVES))
        scan_fail(s, "as many strides as extents are expected, 1 to 16");
    if (!s->failed && bytes < 1)
        scan_fail(s, "strides in bytes need elements of whole bytes");
    for (int i = 0; i < extent.count && !s->failed; ++i) {
        int const at = reversed ? extent.count - 1 - i : i;
        if (step.at[at] % bytes != 0)
            scan_fail(s, "a stride in bytes is no multiple of the size of an element: name it with --type");
        tsr_tuple_push_leaf(&shape, tsr_leaf_static(extent.at[at]));
        tsr_tuple_push_leaf(&stride, tsr_leaf_static(step.at[at] / bytes));
    }
    if (!s->failed)
        *r = tsr_layout_checked(tsr_layout_unchecked(tsr_tuple_close(shape), tsr_tuple_close(stride)));
}

void tsr_write_strides_(writer *w, tsr_system to, tsr_layout const *l, int64_t bytes, scan *s)
{
    bool const reversed = to == TSR_SYSTEM_GGML;
    int const modes = (int)tsr_layout_rank(*l);
    tsr_layout mode[TSR_MAX_LEAVES];
    int64_t step[TSR_MAX_LEAVES];
    char sentence[128];
    if (l->composed || tsr_has_basis(&l->stride))
        scan_fail(s, "a swizzled layout, or one of coordinates, has no strides in bytes");
    if (bytes < 1)
        scan_fail(s, "strides in bytes need elements of whole bytes");
    for (int i = 0; i < modes && !s->failed; ++i) {
        mode[i] = tsr_coalesce(tsr_static_all(tsr_mode(*l, i)));
        snprintf(sentence, sizeof sentence, "mode %d has %d strides, but a dimension has one", i,
                 mode[i].shape.leaves);
        if (mode[i].shape.leaves != 1)
            scan_fail(s, sentence);
        else if (!tsr_mul64(mode[i].stride.leaf[0].value, bytes, &step[i]))
            scan_refuse(s, tsr_because(TSR_OVERFLOW, i, mode[i].stride.leaf[0].value, 0, 0));
    }
    for (int k = 0; k < 2 && !s->failed; ++k) {
        put(w, "%s%s=(", k ? ", " : "", words[reversed][k]);
        for (int i = 0; i < modes; ++i) {
            int const at = reversed ? modes - 1 - i : i;
            put(w, "%s%lld", i > 0 ? ", " : "", (long long)(k ? step[at] : mode[at].shape.leaf[0].value));
        }
        put(w, "%s)", modes == 1 ? "," : "");
    }
}
