/** tessera relayout --reshape: other extents for the same elements, in C order. */
#include "relayout.h"

#include "tessera/text.h"

/** The extents that are asked for, -1 made what is left. False: complains. */
static bool take_extents(options const *o, char const *reshape, int64_t size, char const *shape, int rank,
                         int64_t *extent)
{
    int64_t product = 1;
    int left = -1;
    for (int i = 0; i < rank; ++i) {
        if (extent[i] == -1 && left >= 0)
            return complain(o, "--reshape %s: -1, which is what is left, may stand once", reshape), false;
        if (extent[i] == -1)
            left = i;
        else if (extent[i] < 0)
            return complain(o, "--reshape: extent %lld of axis %d is negative", (long long)extent[i], i), false;
        else if (!tsr_mul64(product, extent[i], &product) || (size > 0 && product > size))
            return complain(o, "--reshape %s has more than the %lld elements of %s", reshape, (long long)size, shape),
                   false;
    }
    if (left >= 0 && product == 0)
        return complain(o, "--reshape %s: any extent may stand for -1 beside an extent of 0", reshape), false;
    if (left >= 0 && size % product != 0)
        return complain(o, "--reshape %s: the %lld elements of %s are no multiple of %lld", reshape, (long long)size,
                        shape, (long long)product),
               false;
    if (left < 0 && product != size)
        return complain(o, "--reshape %s has %lld elements, and %s has %lld", reshape, (long long)product, shape,
                        (long long)size),
               false;
    if (left >= 0)
        extent[left] = size / product;
    return true;
}

/** Do axes lie as one, each stepping over all of the next? Axes of one index step nowhere. The step of the last. */
static bool lie_as_one(tsr_layout const *l, int axis, int end, int64_t *step)
{
    int64_t size = 0;
    for (int i = end - 1; i >= axis; --i) {
        int64_t const extent = l->shape.leaf[i].value, stride = l->stride.leaf[i].value;
        if (extent == 1)
            continue;
        if (size == 0)
            *step = stride;
        else if (stride != size)
            return false;
        size = stride * extent;
    }
    return true;
}

/** The strides of new axes over the old ones: groups of both that have as many elements, one by one. False: some group
 *  lies in another order. */
static bool take_strides(tsr_layout const *l, int rank, int64_t const *extent, int64_t *stride)
{
    int const old_rank = tsr_mode_count(&l->shape);
    int from = 0, to = 0;
    while (from < old_rank || to < rank) {
        int old_end = from, end = to;
        int64_t before = old_end < old_rank ? l->shape.leaf[old_end++].value : 1;
        int64_t after = end < rank ? extent[end++] : 1, step = 1;
        while (before != after)
            if (before < after)
                before *= l->shape.leaf[old_end++].value;
            else
                after *= extent[end++];
        if (!lie_as_one(l, from, old_end, &step))
            return false;
        for (int i = end - 1; i >= to; --i) {
            stride[i] = step;
            step *= extent[i];
        }
        from = old_end;
        to = end;
    }
    return true;
}

bool relayout_reshape(options const *o, char const *reshape, tsr_tensor *in, tsr_tuple *shape, bool *view)
{
    char text[TSR_TEXT_SIZE];
    int64_t extent[TSR_MAX_LEAVES] = {0}, stride[TSR_MAX_LEAVES] = {0};
    tsr_tuple made = TSR_ZERO, steps = TSR_ZERO;
    int rank = -1;
    bool const empty = tsr_layout_size(in->layout) == 0;
    tsr_format_tuple(text, sizeof text, in->layout.shape, 0);
    if (!relayout_axes(o, "--reshape", reshape, &rank, extent)
        || !take_extents(o, reshape, tsr_layout_size(in->layout), text, rank, extent))
        return false;
    *view = empty || take_strides(&in->layout, rank, extent, stride);
    for (int i = 0; i < rank; ++i) {
        tsr_tuple_push_leaf(&made, tsr_leaf_dynamic(extent[i]));
        tsr_tuple_push_leaf(&steps, tsr_leaf_dynamic(stride[i]));
    }
    *shape = tsr_tuple_close(made);
    if (*view) {
        if (!empty)
            in->engine = tsr_bounded(in->engine, &in->layout);
        in->layout = tsr_layout_unchecked(*shape, tsr_tuple_close(steps));
    }
    return true;
}
