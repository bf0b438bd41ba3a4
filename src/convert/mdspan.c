/** Mappings of C++23's mdspan, and the padded ones of C++26:
 *
 *      std::layout_right::mapping<std::extents<std::size_t, 4, 8>>()
 *      std::layout_stride::mapping<std::extents<std::size_t, 4, 8>>({}, std::array<std::size_t, 2>{12, 1})
 *      std::layout_left_padded<8>::mapping<std::extents<int, 6, 8>>()         read; written as layout_stride
 */
#include "convert/convert.h"

/** Passes std:: and std::experimental::. */
static void pass_scope(scan *s)
{
    while (scan_take(s, "std::") || scan_take(s, "experimental::"))
        ;
}

/** extents<type, 4, 8> */
static void take_extents(scan *s, integers *r)
{
    r->count = 0;
    pass_scope(s);
    scan_expect(s, "extents");
    scan_expect(s, "<");
    scan_until(s, ",>"); /* the type of an index */
    while (!s->failed && scan_take(s, ",")) {
        if (r->count == TSR_MAX_LEAVES) {
            scan_refuse(s, tsr_because(TSR_CAPACITY, 0, r->count + 1, TSR_MAX_LEAVES, 0));
            return;
        }
        pass_scope(s);
        if (scan_take(s, "dynamic_extent"))
            scan_fail(s, "extents known at run time have no layout: write their numbers");
        r->at[r->count++] = scan_integer(s);
        if (!s->failed && r->at[r->count - 1] < 1)
            scan_fail(s, "an extent is a positive integer");
    }
    if (!s->failed && r->count == 0)
        scan_fail(s, "a mapping without extents is a single element: write an extent of 1");
    scan_expect(s, ">");
}

/** The strides of compact extents, the last or the first fastest; `pad` rounds the extent of the fastest one up. */
static bool make_strides(integers const *extent, bool right, int64_t pad, integers *r)
{
    int64_t stride = 1;
    r->count = extent->count;
    for (int i = 0; i < extent->count; ++i) {
        int const d = right ? extent->count - 1 - i : i;
        int64_t const n = i == 0 && extent->count > 1 ? (extent->at[d] - 1) / pad * pad + pad : extent->at[d];
        r->at[d] = stride;
        if (!tsr_mul64(stride, n, &stride))
            return false;
    }
    return true;
}

void tsr_read_mdspan_(scan *s, tsr_layout *r)
{
    integers extent, step = {0, {0}};
    int64_t pad = 1;
    pass_scope(s);
    bool const strided = scan_take(s, "layout_stride"), right = !strided && scan_take(s, "layout_right");
    if (!strided && !right)
        scan_expect(s, "layout_left");
    if (!strided && scan_take(s, "_padded")) {
        scan_expect(s, "<");
        pad = scan_integer(s);
        scan_expect(s, ">");
        if (!s->failed && (pad < 1 || pad > 1 << 30))
            scan_fail(s, "a padding is a positive integer");
    }
    scan_expect(s, "::mapping");
    scan_expect(s, "<");
    take_extents(s, &extent);
    scan_expect(s, ">");
    bool const round = scan_take(s, "(");
    if (strided) {
        if (!round || !scan_take(s, "{}") || !scan_take(s, ","))
            scan_fail(s, "({}, std::array<std::size_t, 2>{8, 1}) is expected here");
        pass_scope(s);
        scan_expect(s, "array");
        scan_until(s, "{");
        take_integers(s, "{", "}", &step);
        if (!s->failed && step.count != extent.count)
            scan_refuse(s, tsr_because(TSR_STRIDE_COUNT, 0, extent.count, step.count, 0));
    } else if (!s->failed && !make_strides(&extent, right, pad, &step)) {
        scan_refuse(s, tsr_because(TSR_OVERFLOW, 0, extent.at[0], 0, 0));
    }
    if (round)
        scan_expect(s, ")");
    else
        (void)scan_take(s, "{}");
    if (!s->failed)
        *r = tsr_layout_of_(&extent, &step);
}

/** Does no stride fall into the reach of a smaller one? Then no two indices share an element. */
static bool is_unique(integers const *extent, integers const *step)
{
    for (int i = 0; i < step->count; ++i)
        for (int k = 0; k < step->count; ++k)
            if (i != k && extent->at[i] > 1 && extent->at[k] > 1
                && (step->at[i] < step->at[k] || (step->at[i] == step->at[k] && i < k))
                && step->at[k] / step->at[i] < extent->at[i])
                return false;
    return true;
}

/** An extent and a stride for each mode; false: refused. */
static bool take_modes(tsr_layout const *l, integers *extent, integers *step, scan *s)
{
    (void)tsr_layout_take_(l, extent, step, s);
    for (int i = 0; i < extent->count && !s->failed; ++i) {
        if (step->at[i] < 1 && extent->at[i] > 1)
            scan_fail(s, "the strides of layout_stride are positive");
        step->at[i] = tsr_max64(step->at[i], 1);
    }
    if (!s->failed && !is_unique(extent, step))
        scan_fail(s, "two indices share an element, or strides reach into each other: layout_stride is unique");
    return !s->failed;
}

void tsr_write_mdspan_(writer *w, tsr_layout const *l, scan *s)
{
    integers extent, step, compact;
    if (!take_modes(l, &extent, &step, s))
        return;
    char const *name = "stride";
    for (int right = 1; right >= 0; --right)
        if (make_strides(&extent, right, 1, &compact)
            && memcmp(compact.at, step.at, (size_t)step.count * sizeof step.at[0]) == 0)
            name = right ? "right" : name[0] == 's' ? "left" : name;
    put(w, "std::layout_%s::mapping<std::extents<std::size_t", name);
    put_integers(w, ", ", extent.count, extent.at, ", ", ">>(");
    if (name[0] == 's') {
        put(w, "{}, std::array<std::size_t, %d>", step.count);
        put_integers(w, "{", step.count, step.at, ", ", "}");
    }
    put(w, ")");
}
