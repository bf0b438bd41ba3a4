/** tessera relayout: what is asked for, checked against the array. Each function complains and returns false when it
 *  cannot be done. */
#include "relayout.h"

#include <stdio.h>
#include <string.h>

#include "tessera/text.h"

bool relayout_axes(options const *o, char const *option, char const *text, int *count, int64_t *out)
{
    char wrapped[TSR_TEXT_SIZE];
    tsr_message error;
    tsr_tuple t = tsr_parse_tuple(text, 0, &error);
    if (t.status && strchr(text, ',') && strlen(text) + 3 < sizeof wrapped) {
        snprintf(wrapped, sizeof wrapped, "(%s)", text);
        t = tsr_parse_tuple(wrapped, 0, &error);
    }
    if (t.status == TSR_CAPACITY)
        return complain(o, "%s has more than %d axes (TSR_MAX_LEAVES): %s", option, TSR_MAX_LEAVES, text), false;
    if (t.status)
        return complain(o, "%s takes integers with commas between, such as 1,0, not %s", option, text), false;
    bool flat = (tsr_is_unit(&t) ? 0 : t.leaves) == tsr_mode_count(&t);
    for (int i = 0; flat && i < tsr_mode_count(&t); ++i)
        flat = tsr_leaf_is_int(t.leaf[i]);
    if (*count >= 0 && (!flat || tsr_mode_count(&t) != *count))
        return complain(o, "%s needs one integer for each of the %d axes, not %s", option, *count, text), false;
    if (!flat)
        return complain(o, "%s needs one integer an axis, not %s", option, text), false;
    *count = tsr_mode_count(&t);
    for (int i = 0; i < *count; ++i)
        out[i] = t.leaf[i].value;
    return true;
}

/** The view: the array with its axes permuted. */
static bool take_view(options const *o, char const *permute, tsr_tensor const *in, relayout *r)
{
    int64_t axis[TSR_MAX_LEAVES] = {0};
    bool seen[TSR_MAX_LEAVES] = {false};
    r->rank = tsr_mode_count(&in->layout.shape);
    if (permute && !relayout_axes(o, "--permute", permute, &r->rank, axis))
        return false;
    for (int i = 0; i < r->rank; ++i) {
        int64_t const p = !permute ? i : axis[i] < 0 ? axis[i] + r->rank : axis[i];
        if (p < 0 || p >= r->rank || seen[p])
            return complain(o, "--permute %s: each of the axes 0 to %d must be named once", permute, r->rank - 1),
                   false;
        seen[p] = true;
        r->permute[i] = (int)p;
        r->extent[i] = in->layout.shape.leaf[p].value;
        r->stride[i] = in->layout.stride.leaf[p].value;
        tsr_tuple_push_leaf(&r->shape, tsr_leaf_dynamic(r->extent[i]));
    }
    r->shape = tsr_tuple_close(r->shape);
    return true;
}

static bool take_tile(options const *o, char const *tile, relayout *r)
{
    tsr_tuple tiles = TSR_ZERO, inside = TSR_ZERO;
    if (!relayout_axes(o, "--tile", tile, &r->rank, r->tile))
        return false;
    for (int i = 0; i < r->rank; ++i) {
        if (r->tile[i] <= 0)
            return complain(o, "--tile: extent %lld of axis %d is not positive", (long long)r->tile[i], i), false;
        tsr_tuple_push_leaf(&tiles, tsr_leaf_dynamic(r->extent[i] / r->tile[i] + (r->extent[i] % r->tile[i] != 0)));
        tsr_tuple_push_leaf(&inside, tsr_leaf_dynamic(r->tile[i]));
    }
    if (2 * r->rank > TSR_MAX_LEAVES)
        return complain(o, "--tile: %d axes become %d, at most %d fit", r->rank, 2 * r->rank, TSR_MAX_LEAVES), false;
    tsr_tuple_push(&tiles, &inside);
    r->kind = RELAYOUT_TILED;
    r->shape = tsr_tuple_close(tiles);
    return true;
}

/** The greatest offset, exactly; negative when an offset is. A swizzled layout is walked. */
static int64_t greatest_offset(tsr_layout l)
{
    tsr_tuple const span = tsr_span(l);
    if (!l.composed && !span.status)
        return span.leaf[0].value < 0 ? span.leaf[0].value : span.leaf[1].value;
    int64_t const size = tsr_layout_size(l);
    tsr_walk w = tsr_walk_begin(l);
    int64_t greatest = w.offset;
    for (int64_t i = 0; i < size && greatest >= 0; ++i, tsr_walk_next(&w))
        greatest = w.offset < 0 ? w.offset : tsr_max64(greatest, w.offset);
    return greatest;
}

static bool take_layout(options const *o, char const *text, relayout *r)
{
    char reason[TSR_TEXT_SIZE];
    tsr_layout l;
    if (!read_layout(o, "--layout: ", text, &l))
        return false;
    int const modes = tsr_mode_count(&l.shape);
    if (modes != r->rank)
        return complain(o, "--layout: the layout has %d modes, the array %d axes", modes, r->rank), false;
    for (int i = 0; i < modes; ++i) {
        if (r->extent[i] == 0)
            return complain(o, "--layout: axis %d of the array has no elements, and a mode of a layout has some", i),
                   false;
        long long const size = tsr_size_tuple(tsr_tuple_get(l.shape, i));
        if (size != r->extent[i])
            return complain(o, "--layout: mode %d has %lld elements, axis %d of the array %lld", i, size, i,
                            (long long)r->extent[i]),
                   false;
    }
    if (tsr_has_basis(&l.stride))
        return complain(o, "--layout: a layout of coordinates has no offsets"), false;
    tsr_verdict const once = tsr_is_injective(l);
    if (once.answer != TSR_YES) {
        tsr_format_reason(reason, sizeof reason, tsr_why(once));
        return complain(o, "--layout: two elements would have one place: %s", reason), false;
    }
    int64_t const greatest = greatest_offset(l);
    if (greatest < 0)
        return complain(o, "--layout: the offset %lld is negative", (long long)greatest), false;
    r->kind = RELAYOUT_LAID_OUT;
    r->layout = l;
    r->shape = tsr_tuple_1(tsr_int(greatest + 1));
    return true;
}

static bool take_cast(options const *o, tsr_dtype from, relayout *r)
{
    char const *const cast = option_of(o, "--cast");
    if (!type_of_option(o, "--cast", from, &r->type))
        return false;
    bool const numbers = tsr_number_kind_of(from) != TSR_NO_NUMBER && tsr_number_kind_of(r->type) != TSR_NO_NUMBER;
    if (r->type != from && !numbers)
        return complain(o, "--cast: %s to %s: bits without arithmetic are not converted", tsr_dtype_name(from), cast),
               false;
    if (tsr_dtype_code(from) == 5 && tsr_dtype_code(r->type) != 5)
        return complain(o, "--cast: %s to %s would lose the imaginary parts", tsr_dtype_name(from), cast), false;
    return true;
}

/** The elements of an array that lies in another order than C's: they go there, to where the new extents have them. */
static bool take_c_order(options const *o, tsr_tuple shape, tsr_tuple const *reshaped, relayout *r)
{
    char text[TSR_TEXT_SIZE];
    if (option_of(o, "--permute") || option_of(o, "--tile") || option_of(o, "--layout")) {
        tsr_format_tuple(text, sizeof text, shape, 0);
        return complain(o,
                        "--reshape %s: the elements of %s do not lie in C order, and no strides give these axes; "
                        "reshape alone first, then permute, tile or lay out",
                        option_of(o, "--reshape"), text),
               false;
    }
    r->kind = RELAYOUT_LAID_OUT;
    r->layout = tsr_layout_unchecked(r->shape, tsr_compact_row_major(r->shape));
    r->shape = *reshaped;
    return true;
}

bool relayout_take(options const *o, tsr_tensor *in, relayout *r)
{
    char const *const slice = option_of(o, "--slice"), *const tile = option_of(o, "--tile");
    char const *const layout = option_of(o, "--layout"), *const reshape = option_of(o, "--reshape");
    tsr_tuple reshaped = TSR_ZERO;
    bool view = true;
    memset(r, 0, sizeof *r);
    return (!slice || relayout_slice(o, slice, in))
           && (!reshape || relayout_reshape(o, reshape, in, &reshaped, &view))
           && take_view(o, option_of(o, "--permute"), in, r)
           && (view || take_c_order(o, in->layout.shape, &reshaped, r)) && (!tile || take_tile(o, tile, r))
           && (!layout || take_layout(o, layout, r)) && take_cast(o, in->engine.type, r);
}
