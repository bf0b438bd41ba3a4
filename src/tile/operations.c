/** Curves, and operations on the parts of tiles that threads have. */
#include "tile/take.h"

#include <stdlib.h>

/** A list of integers, as far as there is room. */
static void write_numbers(writer *w, int64_t n, int64_t const *x)
{
    put(w, "(");
    for (int64_t i = 0; has_room(w) && i < n; ++i)
        put(w, "%s%lld", i > 0 ? "," : "", (long long)x[i]);
    put(w, ")");
}

/* Curves */

static tsr_curve take_curve(tsr_tuple lengths, tsr_tuple order, tsr_tuple per, tsr_tuple snake)
{
    tsr_reason const ok = TSR_ZERO;
    tsr_reason why = tsr_tile_also_(tsr_tile_also_(tsr_tile_also_(tsr_tile_also_(ok, lengths), order), per), snake);
    tsr_index const n = tsr_tile_index_(lengths, -1, &why);
    tsr_index at = n;
    for (int i = 0; i < n.rank; ++i)
        at.at[i] = i;
    if (order.status || !tsr_is_unit(&order))
        at = tsr_tile_index_(order, n.rank, &why);
    tsr_index const each = tsr_tile_index_(per, n.rank, &why);
    bool const back = tsr_tile_number_(snake, 1, &why) != 0;
    tsr_curve c = tsr_make_space_filling_curve(n.rank, n.at, at.at, each.at, back);
    c.why = why.status ? why : c.why;
    return c;
}

static tsr_tuple write_curve(tsr_curve c, bool steps, tsr_text *out)
{
    for (int64_t i = 0; !c.why.status && has_room(out) && i + steps < tsr_curve_accesses(&c); ++i) {
        tsr_index const at = steps ? tsr_curve_step(&c, i) : tsr_curve_index(&c, i);
        put(out, i > 0 ? " " : "");
        tsr_write_index_(out, at.rank, at.at);
    }
    return tsr_tile_answer_(c.why);
}

tsr_tuple tsr_tile_sfc(tsr_tuple lengths, tsr_tuple order, tsr_tuple per, tsr_tuple snake, tsr_text *out)
{
    return write_curve(take_curve(lengths, order, per, snake), false, out);
}

tsr_tuple tsr_tile_sfc_steps(tsr_tuple lengths, tsr_tuple order, tsr_tuple per, tsr_tuple snake, tsr_text *out)
{
    return write_curve(take_curve(lengths, order, per, snake), true, out);
}

/* Operations */

tsr_tuple tsr_tile_sweep(tsr_encoding e, tsr_tuple unpack, tsr_text *out)
{
    tsr_reason why = e.why;
    tsr_index const at_a_time = tsr_tile_index_(unpack, e.xs, &why);
    if (why.status)
        return tsr_tile_answer_(why);
    tsr_sweep const s = tsr_make_sweep(&e, at_a_time.at);
    for (int64_t call = 0; !s.why.status && has_room(out) && call < tsr_sweep_calls(&s); ++call) {
        put(out, call > 0 ? " " : "");
        for (int64_t i = 0; has_room(out) && i < tsr_sweep_elements(&s); ++i) {
            tsr_index const y = tsr_sweep_index(&s, call, i);
            put(out, i > 0 ? "+" : "");
            tsr_write_index_(out, y.rank, y.at);
        }
    }
    return tsr_tile_answer_(s.why);
}

tsr_tuple tsr_tile_shuffle(tsr_encoding from, tsr_encoding to, tsr_text *out)
{
    tsr_reason const why = from.why.status ? from.why : to.why.status ? to.why : tsr_shuffle_why(&from, &to);
    put(out, "(");
    for (int64_t d = 0; !why.status && has_room(out) && d < tsr_thread_buffer_size(&to); ++d)
        put(out, "%s%lld", d > 0 ? "," : "", (long long)tsr_shuffle_source(&from, &to, d));
    put(out, ")");
    return tsr_tile_answer_(why);
}

tsr_tuple tsr_tile_slice_distribution(tsr_encoding e, tsr_tuple begin, tsr_tuple end, tsr_text *out)
{
    tsr_reason why = tsr_tile_also_(tsr_tile_also_(e.why, begin), end);
    tsr_index const from = tsr_tile_index_(begin, e.xs, &why), to = tsr_tile_index_(end, e.xs, &why);
    if (why.status)
        return tsr_tile_answer_(why);
    tsr_encoding_slice const s = tsr_slice_distribution_from_x(&e, from.at, to.at);
    if (s.encoding.why.status)
        return tsr_tile_answer_(s.encoding.why);
    tsr_write_encoding_(out, &s.encoding);
    put(out, " yorg=");
    tsr_write_index_(out, s.y_origin.rank, s.y_origin.at);
    put(out, " ylen=");
    tsr_write_index_(out, s.y_length.rank, s.y_length.at);
    put(out, " buf=(");
    for (int64_t d = 0; has_room(out) && d < tsr_thread_buffer_size(&s.encoding); ++d)
        put(out, "%s%lld", d > 0 ? "," : "", (long long)tsr_slice_source(&e, &s, d));
    put(out, ")");
    return tsr_unit();
}

/** Elements of which number i is (7 i) mod 13. */
static int64_t *counted(int64_t n, tsr_reason *why)
{
    int64_t *const x = (int64_t *)tsr_tile_memory_(n, sizeof *x, why);
    for (int64_t i = 0; x && i < n; ++i)
        x[i] = 7 * i % 13;
    return x;
}

tsr_tuple tsr_tile_reduce(tsr_memory_operation op, tsr_encoding e, tsr_tuple dims, tsr_text *out)
{
    tsr_reason why = e.why;
    uint32_t const set = tsr_tile_dims_(dims, &e, &why);
    tsr_encoding reduced = e;
    if (!why.status) {
        reduced = tsr_make_reduce_tile_distribution_encoding(&e, set);
        why = reduced.why;
    }
    int64_t const kept = tsr_thread_buffer_size(&reduced);
    int64_t *const in = counted(tsr_thread_buffer_size(&e), &why);
    int64_t *const sum = (int64_t *)tsr_tile_memory_(kept, sizeof *sum, &why);
    if (!why.status) {
        tsr_distributed_tensor const from = tsr_make_static_distributed_tensor(&e, in, TSR_I64);
        tsr_distributed_tensor const to = tsr_make_static_distributed_tensor(&reduced, sum, TSR_I64);
        why = tsr_block_tile_reduce(&from, &to, set, op);
    }
    if (!why.status) {
        tsr_write_encoding_(out, &reduced);
        put(out, " buf=");
        write_numbers(out, kept, sum);
    }
    free(sum);
    free(in);
    return tsr_tile_answer_(why);
}

/** Lanes are the last P. */
static int lanes_of(tsr_encoding const *e, tsr_reason *why)
{
    int const p = e->ps - 1;
    *why = e->why;
    if (!why->status)
        *why = p < 0 ? tsr_because(TSR_INDEX, 0, p, e->ps, 0) : tsr_lane_why(e, p);
    return p;
}

tsr_tuple tsr_tile_lanes(tsr_encoding e, tsr_text *out)
{
    tsr_reason why;
    int const p = lanes_of(&e, &why);
    for (int stage = 0; !why.status && stage < tsr_lane_stages(&e, p); ++stage) {
        put(out, stage > 0 ? " (" : "(");
        for (int64_t lane = 0; has_room(out) && lane < tsr_p_lengths(&e).at[p]; ++lane)
            put(out, "%s%lld", lane > 0 ? "," : "", (long long)tsr_lane_partner(&e, p, stage, lane));
        put(out, ")");
    }
    return tsr_tile_answer_(why);
}

tsr_tuple tsr_tile_reduce_lanes(tsr_memory_operation op, tsr_encoding e, tsr_text *out)
{
    tsr_reason why;
    int const p = lanes_of(&e, &why);
    tsr_index const length = tsr_p_lengths(&e);
    int64_t all = tsr_thread_buffer_size(&e);
    for (int i = 0; i < length.rank && !why.status; ++i)
        if (!tsr_mul64(all, length.at[i], &all))
            why = tsr_because(TSR_OVERFLOW, i, all, 0, 0);
    int64_t *const buffers = counted(all, &why);
    if (buffers)
        why = tsr_block_tile_reduce_sync(&e, p, op, TSR_I64, buffers);
    if (!why.status)
        write_numbers(out, all, buffers);
    free(buffers);
    return tsr_tile_answer_(why);
}
