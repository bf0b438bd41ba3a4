/** Queries on tile distributions. */
#include "tile/calc.h"

void tile_query_ndims(tile_reader *r, writer *w)
{
    tsr_encoding const e = tile_encoding(r);
    put(w, "%d %d %d %d", e.xs, e.ps, e.ys, e.first[1]);
}

void tile_query_xlens(tile_reader *r, writer *w)
{
    tsr_encoding const e = tile_encoding(r);
    tsr_index const x = tsr_x_lengths(&e);
    tile_put_index(w, x.rank, x.at);
}

void tile_query_ylens(tile_reader *r, writer *w)
{
    tsr_encoding const e = tile_encoding(r);
    tsr_index const y = tsr_y_lengths(&e);
    tile_put_index(w, y.rank, y.at);
}

void tile_query_dsize(tile_reader *r, writer *w)
{
    tsr_encoding const e = tile_encoding(r);
    put(w, "%lld", (long long)tsr_thread_buffer_size(&e));
}

void tile_query_x(tile_reader *r, writer *w)
{
    tsr_encoding const e = tile_encoding(r);
    tile_expect(r, "@");
    tsr_index const p = tile_inside(r, "p=", tsr_p_lengths(&e)), y = tile_inside(r, "y=", tsr_y_lengths(&e));
    if (r->failed)
        return;
    tsr_index const x = tsr_distribution_x(&e, p.at, y.at);
    tile_put_index(w, x.rank, x.at);
}

void tile_query_d(tile_reader *r, writer *w)
{
    tsr_encoding const e = tile_encoding(r);
    tile_expect(r, "@");
    tsr_index const y = tile_inside(r, "y=", tsr_y_lengths(&e));
    put(w, "%lld", (long long)tsr_thread_buffer_offset(&e, y.at));
}

void tile_query_rs(tile_reader *r, writer *w)
{
    tsr_encoding const e = tile_encoding(r);
    tile_expect(r, "@");
    tsr_index const p = tile_inside(r, "p=", tsr_p_lengths(&e)), at = tsr_r_index(&e, p.at);
    tile_put_index(w, at.rank, at.at);
}

void tile_query_spans(tile_reader *r, writer *w)
{
    tsr_encoding const e = tile_encoding(r);
    put(w, "(");
    for (int x = 0; x < e.xs; ++x) {
        tsr_index const span = tsr_span_lengths(&e, x);
        put(w, x > 0 ? "," : "");
        tile_put_index(w, span.rank, span.at);
    }
    put(w, ")");
}

void tile_query_yspan(tile_reader *r, writer *w)
{
    tsr_encoding const e = tile_encoding(r);
    put(w, "(");
    for (int y = 0; y < e.ys; ++y) {
        tsr_place const at = tsr_span_of_y(&e, y);
        put(w, "%s%d.%d", y > 0 ? "," : "", at.major, at.minor);
    }
    put(w, ")");
}

/** A number for each P and R. */
static void put_p_and_r(tile_reader *r, writer *w, bool owns)
{
    tsr_encoding const e = tile_encoding(r);
    put(w, "(");
    for (int p = 0; p < e.ps; ++p) {
        int64_t over[TSR_MAX_DIMS] = {0};
        for (int k = 0; k < e.first[1]; ++k)
            over[k] = owns ? tsr_p_owns_r(&e, p, k) : tsr_p_over_r(&e, p, k);
        put(w, p > 0 ? "," : "");
        tile_put_index(w, e.first[1], over);
    }
    put(w, ")");
}

void tile_query_p_over_r(tile_reader *r, writer *w) { put_p_and_r(r, w, false); }

void tile_query_p_owns_r(tile_reader *r, writer *w) { put_p_and_r(r, w, true); }

void tile_query_tvlayout(tile_reader *r, writer *w)
{
    char text[TSR_TEXT_SIZE];
    tsr_encoding const e = tile_encoding(r);
    tsr_layout const tv = tsr_distribution_tv_layout(&e);
    tsr_format_layout(text, sizeof text, tv, TSR_TEXT_STATIC);
    if (tv.shape.status)
        tile_fail(r, text);
    put(w, "%s", text);
}

/* Encodings from encodings */

static void put_made(tile_reader *r, writer *w, tsr_encoding const *e)
{
    tile_refuse(r, e->why);
    if (!r->failed)
        tile_put_encoding(w, e);
}

void tile_query_embed(tile_reader *r, writer *w)
{
    tsr_encoding const outer = tile_encoding(r);
    tile_expect(r, "*");
    tsr_encoding const inner = tile_encoding(r);
    tsr_encoding const e = tsr_make_embed_tile_distribution_encoding(&outer, &inner);
    put_made(r, w, &e);
}

void tile_query_reduce(tile_reader *r, writer *w)
{
    tsr_encoding const e = tile_encoding(r);
    tsr_encoding const reduced = tsr_make_reduce_tile_distribution_encoding(&e, tile_dims(r, &e));
    put_made(r, w, &reduced);
}
