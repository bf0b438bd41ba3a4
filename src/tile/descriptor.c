/** Descriptors and tensor views from tuples, and what they answer. */
#include "tile/take.h"

#include <stdlib.h>

#include "tessera/tile/fold.h"

/** The promise of the last dimension: vectors of v elements, s apart. */
static tsr_vector promise(tsr_tuple v, tsr_tuple s, tsr_reason *why)
{
    int64_t const length = tsr_tile_number_(v, 0, why), stride = tsr_tile_number_(s, 0, why);
    return tsr_make_vector(length, stride);
}

static tsr_reason const ok = TSR_ZERO;

/** Equally many lengths and strides. */
static void paired(tsr_index lengths, tsr_index strides, tsr_reason *why)
{
    if (!why->status && lengths.rank != strides.rank)
        *why = tsr_because(TSR_STRIDE_COUNT, 0, lengths.rank, strides.rank, 0);
}

tsr_descriptor tsr_tile_naive(tsr_tuple lengths, tsr_tuple strides, tsr_tuple v, tsr_tuple s)
{
    tsr_reason why = tsr_tile_also_(tsr_tile_also_(tsr_tile_also_(tsr_tile_also_(ok, lengths), strides), v), s);
    tsr_index const n = tsr_tile_index_(lengths, -1, &why), d = tsr_tile_index_(strides, -1, &why);
    tsr_vector const vector = promise(v, s, &why);
    paired(n, d, &why);
    return why.status ? tsr_bad_descriptor(why) : tsr_make_naive_tensor_descriptor(n.rank, n.at, d.at, vector);
}

tsr_descriptor tsr_tile_packed(tsr_tuple lengths, tsr_tuple v)
{
    tsr_reason why = tsr_tile_also_(tsr_tile_also_(ok, lengths), v);
    tsr_index const n = tsr_tile_index_(lengths, -1, &why);
    int64_t const vector = tsr_tile_number_(v, 0, &why);
    return why.status ? tsr_bad_descriptor(why) : tsr_make_naive_tensor_descriptor_packed(n.rank, n.at, vector);
}

tsr_descriptor tsr_tile_aligned(tsr_tuple lengths, tsr_tuple multiple)
{
    tsr_reason why = tsr_tile_also_(tsr_tile_also_(ok, lengths), multiple);
    tsr_index const n = tsr_tile_index_(lengths, -1, &why);
    int64_t const align = tsr_tile_number_(multiple, 0, &why);
    return why.status ? tsr_bad_descriptor(why) : tsr_make_naive_tensor_descriptor_aligned(n.rank, n.at, align);
}

tsr_descriptor tsr_tile_naive_off(tsr_tuple lengths, tsr_tuple strides, tsr_tuple offset, tsr_tuple v, tsr_tuple s)
{
    tsr_reason why = tsr_tile_also_(
        tsr_tile_also_(tsr_tile_also_(tsr_tile_also_(tsr_tile_also_(ok, lengths), strides), offset), v), s);
    tsr_index const n = tsr_tile_index_(lengths, -1, &why), d = tsr_tile_index_(strides, -1, &why);
    int64_t const first = tsr_tile_number_(offset, 0, &why);
    tsr_vector const vector = promise(v, s, &why);
    paired(n, d, &why);
    return why.status ? tsr_bad_descriptor(why)
                      : tsr_make_naive_tensor_descriptor_with_offset(n.rank, n.at, d.at, first, vector);
}

tsr_descriptor tsr_tile_stage(tsr_descriptor const *d, tsr_link_list links)
{
    tsr_descriptor r = *d;
    if (links.count > TSR_MAX_TRANSFORMS && !r.graph.why.status)
        r.graph.why = tsr_because(TSR_GRAPH_CAPACITY, 0, links.count, r.graph.hidden, r.graph.tables);
    if (!r.graph.why.status)
        tsr_adaptor_stage(&r.graph, links.count, links.at);
    return r;
}

/* Answers */

tsr_tuple tsr_tile_lengths(tsr_descriptor const *d)
{
    return d->graph.why.status ? tsr_reason_tuple(d->graph.why) : tsr_tile_tuple_(tsr_adaptor_lengths(&d->graph));
}

tsr_tuple tsr_tile_size(tsr_descriptor const *d)
{
    return tsr_tile_integer_(tsr_descriptor_element_space_size(d), d->graph.why);
}

tsr_tuple tsr_tile_hidden_count(tsr_descriptor const *d) { return tsr_tile_integer_(d->graph.hidden, d->graph.why); }

/** The coordinate at an index. */
static tsr_coordinate coordinate(tsr_descriptor const *d, tsr_tuple index, tsr_reason *why)
{
    tsr_coordinate const none = TSR_ZERO;
    tsr_index const at = tsr_tile_index_(index, d->graph.tops, why);
    tsr_tile_bounded_(d, at, why);
    return why->status ? none : tsr_make_tensor_coordinate(d, at.at);
}

/** Is the offset of a coordinate valid while its index is inside the lengths, and is that inside? */
static bool in_memory(tsr_descriptor const *d, tsr_coordinate const *c)
{
    return tsr_coordinate_has_valid_offset_assuming_top_index_is_valid(d, c);
}

tsr_tuple tsr_tile_offset(tsr_descriptor const *d, tsr_tuple index)
{
    tsr_reason why = d->graph.why;
    tsr_coordinate const c = coordinate(d, index, &why);
    return why.status ? tsr_reason_tuple(why)
                      : tsr_tuple_3(tsr_int(tsr_coordinate_offset(&c)), tsr_int(in_memory(d, &c)),
                                    tsr_int(tsr_coordinate_has_valid_offset(d, &c)));
}

tsr_tuple tsr_tile_hidden(tsr_descriptor const *d, tsr_tuple index, tsr_text *out)
{
    tsr_reason why = d->graph.why;
    tsr_coordinate const c = coordinate(d, index, &why);
    tsr_write_index_(out, d->graph.hidden, c.hidden);
    return tsr_tile_answer_(why);
}

static void write_place(writer *w, tsr_descriptor const *d, tsr_index at, tsr_coordinate const *c)
{
    tsr_write_index_(w, at.rank, at.at);
    put(w, "=%lld/%d%d", (long long)tsr_coordinate_offset(c), in_memory(d, c), tsr_coordinate_has_valid_offset(d, c));
}

tsr_tuple tsr_tile_walk(tsr_descriptor const *d, tsr_tuple index, tsr_index_list steps, tsr_text *out)
{
    tsr_reason why = tsr_tile_also_(d->graph.why, index);
    why = why.status ? why : steps.why;
    tsr_index at = tsr_tile_index_(index, d->graph.tops, &why);
    tsr_coordinate c = coordinate(d, index, &why);
    if (!why.status)
        write_place(out, d, at, &c);
    for (int i = 0; i < steps.count && !why.status; ++i) {
        tsr_index const *const step = &steps.at[i];
        if (step->rank != at.rank)
            why = tsr_because(TSR_RANK, 0, step->rank, at.rank, 0);
        for (int k = 0; k < at.rank && !why.status; ++k)
            if (!tsr_add64(at.at[k], step->at[k], &at.at[k]))
                why = tsr_because(TSR_OVERFLOW, 0, step->at[k], 0, 0);
        tsr_tile_bounded_(d, at, &why);
        if (why.status)
            break;
        tsr_move_tensor_coordinate(d, &c, step->at);
        put(out, " ");
        write_place(out, d, at, &c);
    }
    return tsr_tile_answer_(why);
}

tsr_tuple tsr_tile_vec(tsr_descriptor const *d, tsr_text *out)
{
    tsr_vector top[TSR_MAX_DIMS];
    int64_t length[TSR_MAX_DIMS], stride[TSR_MAX_DIMS];
    if (d->graph.why.status)
        return tsr_reason_tuple(d->graph.why);
    tsr_descriptor_vectors(d, true, top);
    for (int i = 0; i < d->graph.tops; ++i) {
        length[i] = top[i].length;
        stride[i] = top[i].stride;
    }
    tsr_write_index_(out, d->graph.tops, length);
    put(out, " ");
    tsr_write_index_(out, d->graph.tops, stride);
    return tsr_unit();
}

/** off=K (shape):(stride) */
static tsr_tuple write_folded(writer *w, tsr_folded *f, int64_t base)
{
    f->layout.composed = false;
    if (f->layout.shape.status)
        return f->layout.shape;
    put(w, "off=%lld ", (long long)base);
    tsr_write_layout_(w, &f->layout, TSR_TEXT_STATIC);
    return tsr_unit();
}

tsr_tuple tsr_tile_fold(tsr_descriptor const *d, tsr_text *out)
{
    static char const *const reasons[] = {"", "padding", "xor", "gather", "nonlinear"};
    if (d->graph.why.status)
        return tsr_reason_tuple(d->graph.why);
    tsr_folded f = tsr_fold_plain(d);
    if (f.guards == 0 && f.kind == TSR_FOLDED)
        return write_folded(out, &f, f.base);
    put(out, "none:%s", f.guards > 0 ? "padding" : reasons[f.kind]);
    return tsr_unit();
}

tsr_tuple tsr_tile_fold_swizzled(tsr_descriptor const *d, tsr_text *out)
{
    if (d->graph.why.status)
        return tsr_reason_tuple(d->graph.why);
    tsr_folded f = tsr_fold_swizzled(d);
    tsr_swizzle const sw = f.layout.swizzle;
    if (f.kind == TSR_FOLDED && f.layout.composed) {
        put(out, "Swizzle<%d,%d,%d> ", sw.bits, sw.base, sw.shift);
        return write_folded(out, &f, tsr_leaf_value(f.layout.offset));
    }
    put(out, "none");
    return tsr_unit();
}
