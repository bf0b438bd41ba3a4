/** tessera relayout --slice: a part of an array, as NumPy's basic slices mean it, but that nothing is cut off
 *  silently. */
#include "relayout.h"

#include <stdlib.h>
#include <string.h>

#include "tessera/text.h"

/** Bounds and step of an axis. */
typedef struct range {
    int64_t first, count, step;
    bool dropped; /* an index: the axis goes */
} range;

/** An integer at *p, which moves on; `absent` where there is none. False: it does not fit. */
static bool take_integer(char const **p, int64_t absent, int64_t *out, bool *given)
{
    char *end = NULL;
    bool const sign = **p == '-' || **p == '+';
    *given = (*p)[sign] >= '0' && (*p)[sign] <= '9';
    *out = absent;
    if (!*given)
        return !sign;
    long long const n = strtoll(*p, &end, 10);
    *out = n;
    *p = end;
    return n > -((int64_t)1 << 62) && n < (int64_t)1 << 62;
}

/** A bound between 0 and the extent, or between -1 and the last index where the range runs backwards. */
static bool take_bound(options const *o, int axis, int64_t extent, int64_t low, bool given, int64_t *n)
{
    long long const asked = *n;
    if (given && *n < 0)
        *n += extent;
    if (given && (*n < 0 || *n > extent + low))
        return complain(o, "--slice: %lld is not within axis %d, which has %lld indices", asked, axis,
                        (long long)extent),
               false;
    return true;
}

/** INDEX, or [FROM]:[TO][:[STEP]]. */
static bool take_range(options const *o, char const **p, int axis, int64_t extent, range *r)
{
    char const *const text = *p;
    int64_t to = 0;
    bool from_given = false, to_given = false, step_given = false;
    *r = (range){0, 1, 1, false};
    bool ok = take_integer(p, 0, &r->first, &from_given);
    if (ok && from_given && (**p == ',' || **p == 0)) {
        r->dropped = true;
        return take_bound(o, axis, extent, -1, true, &r->first);
    }
    ok = ok && *(*p)++ == ':' && take_integer(p, 0, &to, &to_given);
    if (ok && **p == ':') {
        ++*p;
        ok = take_integer(p, 1, &r->step, &step_given);
    }
    if (!ok || (**p != ',' && **p != 0))
        return complain(o, "--slice: axis %d is neither an index nor FROM:TO:STEP, as in 0:4,:,3: %.40s", axis, text),
               false;
    if (r->step == 0)
        return complain(o, "--slice: the step of axis %d is 0", axis), false;
    bool const back = r->step < 0;
    r->first = from_given ? r->first : back ? extent - 1 : 0;
    if (!take_bound(o, axis, extent, back ? -1 : 0, from_given, &r->first)
        || !take_bound(o, axis, extent, back ? -1 : 0, to_given, &to))
        return false;
    to = to_given ? to : back ? -1 : extent;
    int64_t const distance = back ? r->first - to : to - r->first, step = back ? -r->step : r->step;
    if (distance <= 0 && extent > 0)
        return complain(o, "--slice: axis %d, from %lld to %lld by %lld, has no indices", axis, (long long)r->first,
                        (long long)to, (long long)r->step),
               false;
    r->count = distance > 0 ? (distance - 1) / step + 1 : 0;
    return true;
}

bool relayout_slice(options const *o, char const *slice, tsr_tensor *in)
{
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    int const rank = tsr_mode_count(&in->layout.shape);
    int64_t offset = 0;
    char const *p = slice;
    int axis = 0;
    for (; axis < rank; ++axis) {
        int64_t const extent = in->layout.shape.leaf[axis].value, step = in->layout.stride.leaf[axis].value;
        range r = {0, extent, 1, false}; /* axes that are not named stay whole */
        if (*p && !take_range(o, &p, axis, extent, &r))
            return false;
        p += *p == ',';
        offset += r.first * step;
        if (r.dropped)
            continue;
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(r.count));
        tsr_tuple_push_leaf(&stride, tsr_leaf_dynamic(r.step * step));
    }
    if (*p)
        return complain(o, "--slice: %s has more than the %d axes of the array", slice, rank), false;
    if (tsr_layout_size(in->layout) > 0)
        in->engine = tsr_engine_add(tsr_bounded(in->engine, &in->layout), tsr_int(offset));
    in->layout = tsr_layout_unchecked(tsr_tuple_close(shape), tsr_tuple_close(stride));
    return true;
}
