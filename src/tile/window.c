/** Tensor views and tile windows. Memory that is not there is made for one answer: its element i is the number i. */
#include "tile/take.h"

#include <stdlib.h>
#include <string.h>

/** A view of memory that counts has elements, but no data. */
tsr_tensor_view tsr_tile_view(tsr_engine e, tsr_descriptor const *below)
{
    tsr_descriptor d = *below;
    tsr_buffer_view b = tsr_make_buffer_view(TSR_RMEM, NULL, 0, TSR_I32);
    tsr_reason const ok = TSR_ZERO, why = tsr_tile_also_(ok, e.at);
    b.size = d.space;
    if (why.status)
        d.graph.why = why;
    else if (!d.graph.why.status && e.kind == TSR_COORDINATES)
        d.graph.why = tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    if (e.kind == TSR_POINTER || e.map.kind != TSR_AS_IS)
        return tsr_make_tensor_view_at((tsr_space)e.space, e, d);
    return tsr_make_tensor_view(b, &d, TSR_UPDATE_SET);
}

/** Why a view has no elements that could be shown. */
static tsr_reason view_reason(tsr_tensor_view const *v)
{
    tsr_reason const why = tsr_tensor_view_why(v);
    bool const counts = !v->buffer.data && v->buffer.size > 0;
    return why.status || counts ? why : tsr_because(TSR_NOT_READ, 0, 0, 0, 0);
}

/** Memory of the size of a descriptor, counting or all 0; to be freed. */
static void *make_memory(tsr_descriptor const *d, tsr_dtype type, bool counts, tsr_reason *why)
{
    int32_t *const memory = (int32_t *)tsr_tile_memory_(d->space, sizeof *memory, why);
    for (int64_t i = 0; memory && counts && i < d->space; ++i) {
        float const f = (float)i;
        if (type == TSR_F32)
            memcpy(&memory[i], &f, sizeof f);
        else
            memory[i] = (int32_t)i;
    }
    return memory;
}

static void write_elements(writer *w, void const *elements, int64_t n, tsr_dtype type)
{
    put(w, "(");
    for (int64_t i = 0; i < n && has_room(w); ++i) {
        int32_t word = 0;
        float f = 0;
        memcpy(&word, (unsigned char const *)elements + 4 * i, sizeof word);
        memcpy(&f, &word, sizeof f);
        put(w, "%s", i > 0 ? "," : "");
        put_real(w, "%.9g", type == TSR_F32 ? (double)f : (double)word);
    }
    put(w, ")");
}

/* Tensor views */

/** The coordinate of an index in a view. */
static tsr_coordinate coordinate(tsr_tensor_view const *v, tsr_index at, tsr_reason *why)
{
    tsr_coordinate const none = TSR_ZERO;
    int const tops = v->descriptor.graph.tops;
    if (!why->status && at.rank != tops)
        *why = tsr_because(TSR_RANK, 0, at.rank, tops, 0);
    tsr_tile_bounded_(&v->descriptor, at, why);
    return why->status ? none : tsr_make_tensor_coordinate(&v->descriptor, at.at);
}

tsr_tuple tsr_tile_get(tsr_tensor_view const *v, tsr_tuple w, tsr_tuple inv, tsr_tuple index, tsr_text *out)
{
    tsr_reason why = tsr_tile_also_(tsr_tile_also_(tsr_tile_also_(view_reason(v), w), inv), index);
    int64_t const width = tsr_tile_number_(w, 1, &why);
    float const invalid = (float)tsr_tile_number_(inv, 0, &why);
    tsr_coordinate const c = coordinate(v, tsr_tile_index_(index, -1, &why), &why);
    if (!why.status && width < 1)
        why = tsr_because(TSR_DIM_EMPTY, 0, width, 0, 0);
    void *const memory = make_memory(&v->descriptor, TSR_F32, true, &why);
    float *const elements = (float *)tsr_tile_memory_(width, sizeof *elements, &why);
    if (!why.status) {
        tsr_buffer_view const b =
            tsr_make_buffer_view_invalid(TSR_GMEM, memory, v->descriptor.space, TSR_F32, &invalid);
        tsr_tensor_view const in = tsr_make_tensor_view(b, &v->descriptor, TSR_UPDATE_SET);
        tsr_get_vectorized_elements(&in, &c, width, elements);
        write_elements(out, elements, width, TSR_F32);
    }
    free(elements);
    free(memory);
    return tsr_tile_answer_(why);
}

tsr_tuple tsr_tile_update_view(tsr_memory_operation op, tsr_space space, tsr_tensor_view const *v, tsr_tuple x,
                               tsr_index_list indices, tsr_text *out)
{
    tsr_reason why = tsr_tile_also_(view_reason(v), x);
    why = why.status ? why : indices.why;
    float const operand = (float)tsr_tile_number_(x, 0, &why);
    tsr_descriptor const *const d = &v->descriptor;
    void *const memory = make_memory(d, TSR_F32, true, &why);
    tsr_tensor_view const to = tsr_make_tensor_view(tsr_make_buffer_view(space, memory, d->space, TSR_F32), d, op);
    why = why.status ? why : tsr_tensor_view_why(&to);
    for (int i = 0; i < indices.count && !why.status; ++i) {
        tsr_coordinate const c = coordinate(&to, indices.at[i], &why);
        if (!why.status)
            tsr_update_vectorized_elements(&to, &c, 1, &operand);
    }
    if (!why.status)
        write_elements(out, memory, d->space, TSR_F32);
    free(memory);
    return tsr_tile_answer_(why);
}

/* Windows */

/** Refuses places from which a window could not be reached without overflow. */
static void reachable(tsr_descriptor const *d, tsr_encoding const *e, tsr_index at, tsr_reason *why)
{
    tsr_index const x = tsr_x_lengths(e);
    for (int i = 0; i < at.rank && !why->status; ++i)
        if (!tsr_add64(at.at[i] < 0 ? tsr_wrap_sub(0, at.at[i]) : at.at[i], x.at[i], &at.at[i]))
            *why = tsr_because(TSR_OVERFLOW, i, at.at[i], 0, 0);
    tsr_tile_bounded_(d, at, why);
}

tsr_tile_window tsr_tile_make_window(tsr_tensor_view const *v, tsr_encoding e, tsr_tuple origin)
{
    tsr_reason why = tsr_tensor_view_why(v);
    why = tsr_tile_also_(why.status ? why : e.why, origin);
    tsr_index at = tsr_tile_index_(origin, !origin.status && tsr_is_unit(&origin) ? 0 : e.xs, &why);
    at.rank = e.xs;
    if (!why.status && e.xs != v->descriptor.graph.tops)
        why = tsr_because(TSR_WINDOW_RANK, 0, e.xs, v->descriptor.graph.tops, 0);
    if (!why.status)
        reachable(&v->descriptor, &e, at, &why);
    e.why = why;
    return tsr_make_tile_window(v, &e, at.at);
}

tsr_tuple tsr_tile_window_traits(tsr_tile_window const *w, tsr_text *out)
{
    tsr_vector top[TSR_MAX_DIMS];
    int64_t length[TSR_MAX_DIMS], stride[TSR_MAX_DIMS];
    int const ys = w->encoding.ys;
    if (!tsr_window_ok(w))
        return tsr_tile_answer_(tsr_window_why(w));
    tsr_descriptor_vectors(&w->view.descriptor, false, top);
    tsr_load_store_traits const t = tsr_make_load_store_traits(&w->encoding, top);
    for (int i = 0; i < ys; ++i) {
        length[i] = t.y[i].length;
        stride[i] = t.y[i].stride;
    }
    put(out, "ylen=");
    tsr_write_index_(out, ys, length);
    put(out, " ystride=");
    tsr_write_index_(out, ys, stride);
    put(out, " vdim=%d vlen=%lld naccess=%lld", t.vector_y, (long long)t.width, (long long)t.accesses);
    return tsr_unit();
}

/** RUN and the loops COUNT:MEMORY:BUFFER of a box, the innermost first. */
static void write_box(writer *w, tsr_box const *b)
{
    put(w, "%lld", (long long)b->run);
    for (int k = -1; k < b->loops; ++k) {
        tsr_box_loop const *const l = k < 0 ? &b->once : &b->loop[k];
        if (l->count > 1)
            put(w, " %lld:%lld:%lld", (long long)l->count, (long long)l->memory, (long long)l->buffer);
    }
}

/** The loops are for elements of a byte. */
tsr_tuple tsr_tile_plan_window(tsr_tile_window const *w, tsr_text *out)
{
    static char const *const places[] = {"graph", "edge", "inside"};
    tsr_descriptor const *const d = &w->view.descriptor;
    if (!tsr_window_ok(w))
        return tsr_tile_answer_(tsr_window_why(w));
    tsr_planned_tile const plan = tsr_tile_plan(d, &w->encoding, d->graph.length[0], 1);
    if (!plan.why.status) {
        put(out, "%s thread=", places[tsr_planned_tile_place(&plan, w->origin)]);
        write_box(out, &plan.thread);
        put(out, " block=");
        write_box(out, &plan.block);
    }
    return tsr_tile_answer_(plan.why);
}

/** The same window over memory. */
static tsr_tile_window over(tsr_tile_window const *w, void *memory)
{
    tsr_descriptor const *const d = &w->view.descriptor;
    tsr_buffer_view const b = tsr_make_buffer_view(TSR_RMEM, memory, d->space, TSR_I32);
    tsr_tensor_view const v = tsr_make_tensor_view(b, d, TSR_UPDATE_SET);
    return tsr_make_tile_window(&v, &w->encoding, w->origin);
}

static tsr_reason window_reason(tsr_tile_window const *w)
{
    return tsr_window_ok(w) ? view_reason(&w->view) : tsr_window_why(w);
}

/** What thread p loads after a step. */
static tsr_tuple load(tsr_tile_window const *w, tsr_index p, tsr_index step, tsr_reason why, tsr_text *out)
{
    int64_t const n = tsr_thread_buffer_size(&w->encoding);
    void *const memory = make_memory(&w->view.descriptor, TSR_I32, true, &why);
    int32_t *const buffer = (int32_t *)tsr_tile_memory_(n, sizeof *buffer, &why);
    if (!why.status) {
        tsr_tile_window window = over(w, memory);
        tsr_window_position at = tsr_window_begin(&window, p.at);
        tsr_move_tile_window(&window, step.at);
        tsr_move_window_position(&window, &at, step.at);
        tsr_load_tile(&window, &at, buffer);
        write_elements(out, buffer, n, TSR_I32);
    }
    free(buffer);
    free(memory);
    return tsr_tile_answer_(why);
}

tsr_tuple tsr_tile_load(tsr_tile_window const *w, tsr_tuple p, tsr_text *out)
{
    tsr_index const none = TSR_ZERO;
    tsr_reason why = window_reason(w);
    tsr_index const at = tsr_tile_inside_(p, tsr_p_lengths(&w->encoding), &why);
    return load(w, at, none, why, out);
}

tsr_tuple tsr_tile_load_moved(tsr_tile_window const *w, tsr_tuple p, tsr_tuple step, tsr_text *out)
{
    tsr_reason why = tsr_tile_also_(tsr_tile_also_(window_reason(w), p), step);
    tsr_index const at = tsr_tile_inside_(p, tsr_p_lengths(&w->encoding), &why);
    tsr_index const by = tsr_tile_index_(step, w->encoding.xs, &why);
    if (!why.status)
        reachable(&w->view.descriptor, &w->encoding, by, &why);
    return load(w, at, by, why, out);
}

/** Every partition stores 1 + its number * size + the place in its buffer. */
static void store_all(tsr_tile_window const *w, int64_t partitions, int32_t *buffer)
{
    tsr_index const length = tsr_p_lengths(&w->encoding);
    int64_t const n = tsr_thread_buffer_size(&w->encoding);
    int64_t p[TSR_MAX_DIMS] = {0};
    for (int64_t c = 0; c < partitions; ++c) {
        for (int64_t d = 0; d < n; ++d)
            buffer[d] = (int32_t)(1 + c * n + d);
        tsr_window_position const at = tsr_window_begin(w, p);
        tsr_store_tile(w, &at, buffer);
        (void)tsr_next_index(&length, p);
    }
}

tsr_tuple tsr_tile_store_all(tsr_tile_window const *w, tsr_text *out)
{
    tsr_reason why = window_reason(w);
    tsr_index const length = tsr_p_lengths(&w->encoding);
    int64_t const n = tsr_thread_buffer_size(&w->encoding);
    int64_t partitions = 1;
    for (int i = 0; i < length.rank && !why.status; ++i)
        if (!tsr_mul64(partitions, length.at[i], &partitions) || partitions > TILE_ELEMENTS / n)
            why = tsr_because(TSR_ELEMENTS, i, partitions, TILE_ELEMENTS / n, 0);
    void *const memory = make_memory(&w->view.descriptor, TSR_I32, false, &why);
    int32_t *const buffer = (int32_t *)tsr_tile_memory_(n, sizeof *buffer, &why);
    if (!why.status) {
        tsr_tile_window const window = over(w, memory);
        store_all(&window, partitions, buffer);
        write_elements(out, memory, window.view.descriptor.space, TSR_I32);
    }
    free(buffer);
    free(memory);
    return tsr_tile_answer_(why);
}
