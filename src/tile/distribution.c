/** Distributions, and what they answer. */
#include "tile/take.h"

tsr_tuple tsr_tile_ndims(tsr_encoding e)
{
    tsr_index const n = {4, {e.xs, e.ps, e.ys, e.first[1]}};
    return e.why.status ? tsr_reason_tuple(e.why) : tsr_tile_tuple_(n);
}

/** Lengths, or why there are none. */
static tsr_tuple lengths(tsr_encoding const *e, tsr_index at)
{
    return e->why.status ? tsr_reason_tuple(e->why) : tsr_tile_tuple_(at);
}

tsr_tuple tsr_tile_xlens(tsr_encoding e) { return lengths(&e, tsr_x_lengths(&e)); }

tsr_tuple tsr_tile_ylens(tsr_encoding e) { return lengths(&e, tsr_y_lengths(&e)); }

tsr_tuple tsr_tile_dsize(tsr_encoding e) { return tsr_tile_integer_(tsr_thread_buffer_size(&e), e.why); }

tsr_tuple tsr_tile_distribution_hidden(tsr_encoding e)
{
    tsr_adaptor const graph = tsr_distribution_adaptor(&e);
    return tsr_tile_integer_(graph.hidden, e.why.status ? e.why : graph.why);
}

tsr_tuple tsr_tile_x(tsr_encoding e, tsr_tuple p, tsr_tuple y)
{
    tsr_reason why = tsr_tile_also_(tsr_tile_also_(e.why, p), y);
    tsr_index const at_p = tsr_tile_inside_(p, tsr_p_lengths(&e), &why),
                    at_y = tsr_tile_inside_(y, tsr_y_lengths(&e), &why);
    return why.status ? tsr_reason_tuple(why) : tsr_tile_tuple_(tsr_distribution_x(&e, at_p.at, at_y.at));
}

tsr_tuple tsr_tile_d(tsr_encoding e, tsr_tuple y)
{
    tsr_reason why = e.why;
    tsr_index const at = tsr_tile_inside_(y, tsr_y_lengths(&e), &why);
    return tsr_tile_integer_(tsr_thread_buffer_offset(&e, at.at), why);
}

tsr_tuple tsr_tile_rs(tsr_encoding e, tsr_tuple p)
{
    tsr_reason why = e.why;
    tsr_index const at = tsr_tile_inside_(p, tsr_p_lengths(&e), &why);
    return why.status ? tsr_reason_tuple(why) : tsr_tile_tuple_(tsr_r_index(&e, at.at));
}

tsr_tuple tsr_tile_spans(tsr_encoding e, tsr_text *out)
{
    put(out, "(");
    for (int x = 0; x < e.xs; ++x) {
        tsr_index const span = tsr_span_lengths(&e, x);
        put(out, x > 0 ? "," : "");
        tsr_write_index_(out, span.rank, span.at);
    }
    put(out, ")");
    return tsr_tile_answer_(e.why);
}

tsr_tuple tsr_tile_yspan(tsr_encoding e, tsr_text *out)
{
    put(out, "(");
    for (int y = 0; y < e.ys; ++y) {
        tsr_place const at = tsr_span_of_y(&e, y);
        put(out, "%s%d.%d", y > 0 ? "," : "", at.major, at.minor);
    }
    put(out, ")");
    return tsr_tile_answer_(e.why);
}

/** A number for each P and R. */
static tsr_tuple write_p_and_r(tsr_encoding const *e, bool owns, tsr_text *out)
{
    put(out, "(");
    for (int p = 0; p < e->ps; ++p) {
        int64_t over[TSR_MAX_FACTORS] = {0};
        for (int k = 0; k < e->first[1]; ++k)
            over[k] = owns ? tsr_p_owns_r(e, p, k) : tsr_p_over_r(e, p, k);
        put(out, p > 0 ? "," : "");
        tsr_write_index_(out, e->first[1], over);
    }
    put(out, ")");
    return tsr_tile_answer_(e->why);
}

tsr_tuple tsr_tile_p_over_r(tsr_encoding e, tsr_text *out) { return write_p_and_r(&e, false, out); }

tsr_tuple tsr_tile_p_owns_r(tsr_encoding e, tsr_text *out) { return write_p_and_r(&e, true, out); }

/** CK Tile's numbers are printed plain, so the layout is one of dynamic integers. */
tsr_layout tsr_tile_tv_layout(tsr_encoding e)
{
    tsr_layout tv = tsr_distribution_tv_layout(&e);
    for (int i = 0; i < tv.shape.leaves && !tv.shape.status; ++i)
        tv.shape.leaf[i].kind = tv.stride.leaf[i].kind = TSR_DYNAMIC;
    return tv;
}

tsr_encoding tsr_tile_embed_distribution(tsr_encoding outer, tsr_encoding inner)
{
    return tsr_make_embed_tile_distribution_encoding(&outer, &inner);
}

tsr_encoding tsr_tile_reduce_distribution(tsr_encoding e, tsr_tuple dims)
{
    tsr_reason why = e.why;
    uint32_t const set = tsr_tile_dims_(dims, &e, &why);
    e.why = why;
    return why.status ? e : tsr_make_reduce_tile_distribution_encoding(&e, set);
}
