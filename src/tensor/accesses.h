/** The functions of tensor/accesses.h, compiled with the bodies of the room (bodies.c). */
#ifndef TSR_SRC_TENSOR_ACCESSES_H
#define TSR_SRC_TENSOR_ACCESSES_H

#include "tessera/tensor/accesses.h"
#include "tensor/span.h"

TSR_API bool tsr_same_bits_(tsr_tensor const *s, tsr_tensor const *d)
{
    return s->engine.kind == TSR_POINTER && s->engine.map.kind == TSR_AS_IS && s->engine.type == d->engine.type;
}

/** The runs of `elements` elements that the first ones of `common` are. */
static tsr_layout tsr_runs_(tsr_layout const *l, tsr_layout const *common, int64_t elements)
{
    tsr_layout const run = tsr_composition_by(*common, tsr_tiler_of_tuple(tsr_s(elements)));
    return tsr_mode(tsr_logical_divide_by(*l, tsr_tiler_of_layout(run)), 1);
}

/** How far an address lies past a multiple of `bytes`. */
static int64_t tsr_past_(tsr_tensor const *t, int64_t bytes)
{
    return (int64_t)(t->engine.address % (uint64_t)bytes);
}

TSR_API tsr_accesses tsr_copy_vector(tsr_tensor s, tsr_tensor d, int64_t max_bits)
{
    tsr_layout const a = tsr_static_all(s.layout), b = tsr_static_all(d.layout);
    int64_t const width = tsr_dtype_bits(d.engine.type), size = tsr_layout_size(d.layout);
    tsr_accesses r = TSR_ZERO;
    r.elements = 1;
    r.bits = width;
    r.source = s.layout;
    r.target = d.layout;
    r.why = tsr_because(TSR_VECTOR_TYPE, 0, tsr_dtype_bits(s.engine.type), width, 0);
    if (!tsr_same_bits_(&s, &d))
        return r;
    tsr_layout const common = tsr_max_common_layout(tsr_layout_inner(a), tsr_layout_inner(b));
    tsr_tuple const whole = tsr_gcd(tsr_t(tsr_max_alignment(a), tsr_max_alignment(b)));
    int64_t const most = tsr_min64(tsr_kept_together_(&s.engine), tsr_kept_together_(&d.engine));
    int64_t side = common.shape.status || whole.status ? 1 : tsr_gcd64(tsr_layout_size(common), whole.leaf[0].value);
    if (side > most)
        side = tsr_gcd64(side, most);
    r.why = tsr_because(TSR_VECTOR_LAYOUT, 0, side, 0, 0);
    for (int64_t n = 2, bits = 2 * width; side % n == 0; n *= 2, bits *= 2) {
        if (bits > max_bits) {
            r.why = tsr_because(TSR_VECTOR_LIMIT, 0, max_bits, 0, 0);
            break;
        }
        if (bits % 8 != 0 || (bits & (bits - 1)) != 0)
            continue;
        int64_t const past = tsr_max64(tsr_past_(&s, bits / 8), tsr_past_(&d, bits / 8));
        if (past != 0 || s.engine.bit != 0 || d.engine.bit != 0) {
            r.why = tsr_because(TSR_VECTOR_ALIGN, 0, bits / 8, past, 0);
            break;
        }
        tsr_layout const source = tsr_runs_(&a, &common, n), target = tsr_runs_(&b, &common, n);
        if (source.shape.status || target.shape.status || tsr_layout_size(source) * n != size
            || tsr_layout_size(target) * n != size)
            break; /* the runs do not split the modes evenly */
        r.elements = n;
        r.bits = bits;
        r.source = source;
        r.target = target;
    }
    return r;
}

#endif
