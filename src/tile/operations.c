/** Queries on curves and on operations on tiles. */
#include "tile/calc.h"

#include <stdlib.h>

#include "tessera/tile.h"

/** LENS [order=..] per=.. [snake=..] */
static tsr_curve read_curve(tile_reader *r)
{
    tsr_curve const none = TSR_ZERO;
    tsr_index const length = tile_index(r);
    tsr_index order = TSR_ZERO;
    for (int i = 0; i < length.rank; ++i)
        order.at[i] = i;
    if (tile_take(r, "order="))
        order = tile_index_of(r, length.rank);
    tile_expect(r, "per=");
    tsr_index const per = tile_index_of(r, length.rank);
    bool const snake = tile_take(r, "snake=") ? tile_integer(r) != 0 : true;
    if (r->failed)
        return none;
    tsr_curve const c = tsr_make_space_filling_curve(length.rank, length.at, order.at, per.at, snake);
    tile_refuse(r, c.why);
    return c;
}

void tile_query_sfc(tile_reader *r, writer *w)
{
    tsr_curve const c = read_curve(r);
    for (int64_t i = 0; tile_room(r, w) && i < tsr_curve_accesses(&c); ++i) {
        tsr_index const at = tsr_curve_index(&c, i);
        put(w, i > 0 ? " " : "");
        tile_put_index(w, at.rank, at.at);
    }
}

void tile_query_sfcsteps(tile_reader *r, writer *w)
{
    tsr_curve const c = read_curve(r);
    for (int64_t i = 0; tile_room(r, w) && i + 1 < tsr_curve_accesses(&c); ++i) {
        tsr_index const step = tsr_curve_step(&c, i);
        put(w, i > 0 ? " " : "");
        tile_put_index(w, step.rank, step.at);
    }
}

void tile_query_sweep(tile_reader *r, writer *w)
{
    tsr_encoding const e = tile_encoding(r);
    tile_expect(r, "unpack=");
    tsr_index const unpack = tile_index_of(r, e.xs);
    if (r->failed)
        return;
    tsr_sweep const s = tsr_make_sweep(&e, unpack.at);
    tile_refuse(r, s.why);
    for (int64_t call = 0; tile_room(r, w) && call < tsr_sweep_calls(&s); ++call) {
        put(w, call > 0 ? " " : "");
        for (int64_t i = 0; tile_room(r, w) && i < tsr_sweep_elements(&s); ++i) {
            tsr_index const y = tsr_sweep_index(&s, call, i);
            put(w, i > 0 ? "+" : "");
            tile_put_index(w, y.rank, y.at);
        }
    }
}

void tile_query_shuffle(tile_reader *r, writer *w)
{
    tsr_encoding const from = tile_encoding(r);
    tile_expect(r, "->");
    tsr_encoding const to = tile_encoding(r);
    tile_refuse(r, tsr_shuffle_reason(&from, &to));
    for (int64_t d = 0; tile_room(r, w) && d < tsr_thread_buffer_size(&to); ++d)
        put(w, "%s%lld", d > 0 ? "," : "(", (long long)tsr_shuffle_source(&from, &to, d));
    put(w, ")");
}

void tile_query_slice(tile_reader *r, writer *w)
{
    tsr_encoding const e = tile_encoding(r);
    tile_expect(r, "begin=");
    tsr_index const begin = tile_index_of(r, e.xs);
    tile_expect(r, "end=");
    tsr_index const end = tile_index_of(r, e.xs);
    if (r->failed)
        return;
    tsr_encoding_slice const s = tsr_slice_distribution_from_x(&e, begin.at, end.at);
    tile_refuse(r, s.encoding.why);
    if (r->failed)
        return;
    tile_put_encoding(w, &s.encoding);
    put(w, " yorg=");
    tile_put_index(w, s.y_origin.rank, s.y_origin.at);
    put(w, " ylen=");
    tile_put_index(w, s.y_length.rank, s.y_length.at);
    put(w, " buf=");
    for (int64_t d = 0; tile_room(r, w) && d < tsr_thread_buffer_size(&s.encoding); ++d)
        put(w, "%s%lld", d > 0 ? "," : "(", (long long)tsr_slice_source(&e, &s, d));
    put(w, ")");
}

/** The accumulators of a buffer whose element d is (7 d) mod 13. */
static void put_reduced(tile_reader *r, writer *w, tsr_encoding const *e, tsr_encoding const *reduced, uint32_t dims,
                        tsr_memory_operation op)
{
    int64_t const size = tsr_thread_buffer_size(e), kept = tsr_thread_buffer_size(reduced);
    bool const fits = size <= TILE_ELEMENTS;
    int64_t *const in = (int64_t *)calloc(fits ? (size_t)size : 1, sizeof *in);
    int64_t *const sum = (int64_t *)calloc(fits ? (size_t)kept : 1, sizeof *sum);
    if (!fits || !in || !sum)
        tile_fail(r, "the buffer has too many elements to be written out");
    for (int64_t d = 0; !r->failed && d < size; ++d)
        in[d] = 7 * d % 13;
    if (!r->failed) {
        tsr_distributed_tensor const from = tsr_make_static_distributed_tensor(e, in, TSR_I64);
        tsr_distributed_tensor const to = tsr_make_static_distributed_tensor(reduced, sum, TSR_I64);
        tile_refuse(r, tsr_block_tile_reduce(&to, &from, dims, op));
    }
    for (int64_t d = 0; tile_room(r, w) && d < kept; ++d)
        put(w, "%s%lld", d > 0 ? "," : "(", (long long)sum[d]);
    put(w, ")");
    free(sum);
    free(in);
}

static tsr_memory_operation read_reduction(tile_reader *r)
{
    tile_expect(r, "op=");
    if (tile_take(r, "max"))
        return TSR_UPDATE_MAX;
    tile_expect(r, "sum");
    return TSR_UPDATE_ADD;
}

void tile_query_reducetile(tile_reader *r, writer *w)
{
    tsr_memory_operation const op = read_reduction(r);
    tsr_encoding const e = tile_encoding(r);
    uint32_t const dims = tile_dims(r, &e);
    tsr_encoding const reduced = tsr_make_reduce_tile_distribution_encoding(&e, dims);
    tile_refuse(r, reduced.why);
    if (r->failed)
        return;
    tile_put_encoding(w, &reduced);
    put(w, " buf=");
    put_reduced(r, w, &e, &reduced, dims, op);
}

/** The partners of all lanes, stage by stage; lanes are the last P. */
void tile_query_lanes(tile_reader *r, writer *w)
{
    tsr_encoding const e = tile_encoding(r);
    int const p = e.ps - 1;
    if (!r->failed && p < 0)
        tile_fail(r, "there is no P");
    tile_refuse(r, p < 0 ? e.why : tsr_lane_reason(&e, p));
    for (int stage = 0; !r->failed && stage < tsr_lane_stages(&e, p); ++stage) {
        put(w, stage > 0 ? " (" : "(");
        for (int64_t lane = 0; tile_room(r, w) && lane < tsr_p_lengths(&e).at[p]; ++lane)
            put(w, "%s%lld", lane > 0 ? "," : "", (long long)tsr_lane_partner(&e, p, stage, lane));
        put(w, ")");
    }
}

/** Element d of thread t is (7 (t size + d)) mod 13; reduced over lanes, the last P. */
void tile_query_reducelanes(tile_reader *r, writer *w)
{
    tsr_memory_operation const op = read_reduction(r);
    tsr_encoding const e = tile_encoding(r);
    int64_t const size = r->failed ? 1 : tsr_thread_buffer_size(&e);
    tsr_index const length = tsr_p_lengths(&e);
    int64_t all = size;
    for (int i = 0; i < length.rank; ++i)
        if (!tsr_mul64(all, length.at[i], &all) || all > TILE_ELEMENTS)
            tile_fail(r, "the buffers have too many elements to be written out");
    if (!r->failed && e.ps == 0)
        tile_fail(r, "there is no P");
    if (r->failed)
        return;
    int64_t *const buffers = (int64_t *)calloc((size_t)all, sizeof *buffers);
    if (!buffers)
        tile_fail(r, "out of memory");
    for (int64_t i = 0; buffers && i < all; ++i)
        buffers[i] = 7 * i % 13;
    if (buffers)
        tile_refuse(r, tsr_block_tile_reduce_sync(&e, e.ps - 1, op, TSR_I64, buffers));
    for (int64_t i = 0; tile_room(r, w) && i < all; ++i)
        put(w, "%s%lld", i > 0 ? "," : "(", (long long)buffers[i]);
    put(w, ")");
    free(buffers);
}
