/** Queries on tensor views and tile windows: memory is made for one query, element i of it is the number i. */
#include "tile/calc.h"

#include <stdlib.h>
#include <string.h>

#include "tessera/tile/tile_window.h"

/** Memory of the size of a descriptor, counting, or all 0. NULL after a refusal. */
static void *make_memory(tile_reader *r, tsr_descriptor const *d, tsr_dtype type, bool counts)
{
    if (!r->failed && d->space > TILE_ELEMENTS)
        tile_fail(r, "the descriptor spans too many elements to make memory for");
    if (r->failed)
        return NULL;
    int32_t *const memory = (int32_t *)calloc((size_t)d->space, sizeof *memory);
    if (!memory)
        tile_fail(r, "out of memory");
    for (int64_t i = 0; memory && counts && i < d->space; ++i) {
        float const f = (float)i;
        if (type == TSR_F32)
            memcpy(&memory[i], &f, sizeof f);
        else
            memory[i] = (int32_t)i;
    }
    return memory;
}

static void put_elements(tile_reader *r, writer *w, void const *elements, int64_t n, tsr_dtype type)
{
    put(w, "(");
    for (int64_t i = 0; i < n && tile_room(r, w); ++i) {
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

void tile_query_get(tile_reader *r, writer *w)
{
    tsr_descriptor const d = tile_descriptor(r);
    tile_expect(r, "w=");
    int64_t const width = tile_integer(r);
    float const invalid = tile_take(r, "inv=") ? (float)tile_integer(r) : 0;
    tile_expect(r, "@");
    tsr_coordinate const c = tile_coordinate(r, &d, tile_index_of(r, d.graph.tops));
    if (width < 1 || width > TILE_TABLE)
        tile_fail(r, "a vector has 1 to 256 elements");
    void *const memory = make_memory(r, &d, TSR_F32, true);
    if (memory) {
        float elements[TILE_TABLE];
        tsr_buffer_view const b = tsr_make_buffer_view_invalid(TSR_GMEM, memory, d.space, TSR_F32, &invalid);
        tsr_tensor_view const v = tsr_make_tensor_view(b, &d, TSR_UPDATE_SET);
        tsr_get_vectorized_elements(&v, &c, width, elements);
        put_elements(r, w, elements, width, TSR_F32);
    }
    free(memory);
}

static tsr_memory_operation read_memory_operation(tile_reader *r)
{
    static char const *const names[] = {
#define X(id, name, atomic) name,
        TSR_MEMORY_OPERATION_LIST(X)
#undef X
    };
    int found = TSR_MEMORY_OPERATIONS;
    tile_expect(r, "op=");
    for (int i = 0; i < TSR_MEMORY_OPERATIONS && found == TSR_MEMORY_OPERATIONS; ++i) {
        size_t const n = strlen(names[i]);
        if (strncmp(r->p, names[i], n) == 0 && (r->p[n] == ' ' || r->p[n] == '@'))
            found = i;
    }
    if (found == TSR_MEMORY_OPERATIONS)
        tile_fail(r, "an operation is expected here: set, add, max, atomic_add or atomic_max");
    else
        tile_expect(r, names[found]);
    return (tsr_memory_operation)found;
}

/** op=.. [space=lds] DESC x=.. @ I1 @ I2 ..; plain add and max are for any space. */
void tile_query_update2(tile_reader *r, writer *w)
{
    tsr_memory_operation const op = read_memory_operation(r);
    tsr_space const space = tile_take(r, "space=lds")                                      ? TSR_SMEM
                            : tile_take(r, "space=generic") || tile_take(r, "space=vgpr") ? TSR_RMEM
                                                                                          : TSR_GMEM;
    tsr_descriptor const d = tile_descriptor(r);
    tile_expect(r, "x=");
    float const x = (float)tile_integer(r);
    void *const memory = make_memory(r, &d, TSR_F32, true);
    if (memory) {
        tsr_tensor_view const v = tsr_make_tensor_view(tsr_make_buffer_view(space, memory, d.space, TSR_F32), &d, op);
        tile_refuse(r, tsr_tensor_view_reason(&v));
        while (tile_take(r, "@")) {
            tsr_coordinate const c = tile_coordinate(r, &d, tile_index_of(r, d.graph.tops));
            if (!r->failed)
                tsr_update_vectorized_elements(&v, &c, 1, &x);
        }
        put_elements(r, w, memory, d.space, TSR_F32);
    }
    free(memory);
}

/* Windows */

/** DESC @@ D */
static void read_window(tile_reader *r, tsr_descriptor *d, tsr_encoding *e)
{
    *d = tile_descriptor(r);
    tile_expect(r, "@@");
    *e = tile_encoding(r);
}

/** A window over memory; `origin` may be NULL. False after a refusal. */
static bool open_window(tile_reader *r, tsr_tile_window *window, void *memory, tsr_descriptor const *d,
                        tsr_encoding const *e, tsr_index const *origin)
{
    tsr_index const zero = TSR_ZERO;
    if (r->failed)
        return false;
    tsr_buffer_view const b = tsr_make_buffer_view(TSR_RMEM, memory, d->space, TSR_I32);
    tsr_tensor_view const v = tsr_make_tensor_view(b, d, TSR_UPDATE_SET);
    *window = tsr_make_tile_window(&v, e, origin ? origin->at : zero.at);
    tile_refuse(r, tsr_window_why(window));
    if (!r->failed && tsr_thread_buffer_size(e) > TILE_ELEMENTS)
        tile_fail(r, "the buffer of a thread has too many elements");
    return !r->failed;
}

void tile_query_wintraits(tile_reader *r, writer *w)
{
    tsr_descriptor d;
    tsr_encoding e;
    tsr_tile_window window;
    int64_t length[TSR_MAX_DIMS] = {0}, stride[TSR_MAX_DIMS] = {0};
    read_window(r, &d, &e);
    if (!open_window(r, &window, NULL, &d, &e, NULL))
        return;
    tsr_vector top[TSR_MAX_DIMS];
    tsr_descriptor_vectors(&d, false, top);
    tsr_load_store_traits const t = tsr_make_load_store_traits(&e, top);
    for (int i = 0; i < e.ys; ++i) {
        length[i] = t.y[i].length;
        stride[i] = t.y[i].stride;
    }
    put(w, "ylen=");
    tile_put_index(w, e.ys, length);
    put(w, " ystride=");
    tile_put_index(w, e.ys, stride);
    put(w, " vdim=%d vlen=%lld naccess=%lld", t.vector_y, (long long)t.width, (long long)t.accesses);
}

/** Refuses origins from which the window could not be reached without overflow. */
static tsr_index read_origin(tile_reader *r, char const *name, tsr_descriptor const *d, tsr_encoding const *e)
{
    tile_expect(r, name);
    tsr_index const at = tile_index_of(r, e->xs), x = tsr_x_lengths(e);
    tsr_index reach = at;
    if (!r->failed && e->xs != d->graph.tops)
        tile_refuse(r, tsr_because(TSR_WINDOW_RANK, 0, e->xs, d->graph.tops, 0));
    for (int i = 0; i < at.rank && !r->failed; ++i)
        if (!tsr_add64(at.at[i] < 0 ? -at.at[i] : at.at[i], x.at[i], &reach.at[i]))
            tile_refuse(r, tsr_because(TSR_OVERFLOW, i, at.at[i], 0, 0));
    (void)tile_coordinate(r, d, reach);
    return at;
}

/** RUN and the loops COUNT:MEMORY:BUFFER of a box, the innermost first. */
static void put_box(writer *w, tsr_box const *b)
{
    put(w, "%lld", (long long)b->run);
    for (int k = -1; k < b->loops; ++k) {
        tsr_box_loop const *const l = k < 0 ? &b->once : &b->loop[k];
        if (l->count > 1)
            put(w, " %lld:%lld:%lld", (long long)l->count, (long long)l->memory, (long long)l->buffer);
    }
}

/** DESC @@ D origin=O: where the tile stands, and the loops of a thread and of all, for elements of a byte. */
void tile_query_plan(tile_reader *r, writer *w)
{
    static char const *const places[] = {"graph", "edge", "inside"};
    tsr_descriptor d;
    tsr_encoding e;
    read_window(r, &d, &e);
    tsr_index const origin = read_origin(r, "origin=", &d, &e);
    if (r->failed)
        return;
    tsr_tile_plan const plan = tsr_make_tile_plan(&d, &e, d.graph.length[0], 1);
    tile_refuse(r, plan.why);
    put(w, "%s thread=", places[tsr_plan_place(&plan, origin.at)]);
    put_box(w, &plan.thread);
    put(w, " block=");
    put_box(w, &plan.block);
}

static void load(tile_reader *r, writer *w, bool moved)
{
    tsr_descriptor d;
    tsr_encoding e;
    tsr_tile_window window;
    tsr_index step = TSR_ZERO;
    read_window(r, &d, &e);
    tsr_index const origin = read_origin(r, "origin=", &d, &e);
    tsr_index const p = tile_inside(r, "p=", tsr_p_lengths(&e));
    if (moved)
        step = read_origin(r, "step=", &d, &e);
    void *const memory = make_memory(r, &d, TSR_I32, true);
    if (memory && open_window(r, &window, memory, &d, &e, &origin)) {
        int64_t const n = tsr_thread_buffer_size(&e);
        int32_t *const buffer = (int32_t *)calloc((size_t)n, sizeof *buffer);
        tsr_window_position at = tsr_window_begin(&window, p.at);
        if (moved) {
            tsr_move_tile_window(&window, step.at);
            tsr_move_window_position(&window, &at, step.at);
        }
        if (buffer) {
            tsr_load_tile(&window, &at, buffer);
            put_elements(r, w, buffer, n, TSR_I32);
        } else {
            tile_fail(r, "out of memory");
        }
        free(buffer);
    }
    free(memory);
}

void tile_query_load(tile_reader *r, writer *w) { load(r, w, false); }

void tile_query_loadmoved(tile_reader *r, writer *w) { load(r, w, true); }

/** Every partition stores 1 + its number * size + the place in its buffer. */
static void store_all(tile_reader *r, tsr_tile_window const *window)
{
    tsr_encoding const *const e = &window->encoding;
    tsr_index const length = tsr_p_lengths(e);
    int64_t const n = tsr_thread_buffer_size(e);
    int64_t p[TSR_MAX_DIMS] = {0}, partitions = 1;
    int32_t *const buffer = (int32_t *)calloc((size_t)n, sizeof *buffer);
    for (int i = 0; i < length.rank; ++i)
        if (!tsr_mul64(partitions, length.at[i], &partitions) || partitions > TILE_ELEMENTS / n)
            tile_fail(r, "the tile has too many elements");
    if (!buffer)
        tile_fail(r, "out of memory");
    for (int64_t c = 0; !r->failed && c < partitions; ++c) {
        for (int64_t d = 0; d < n; ++d)
            buffer[d] = (int32_t)(1 + c * n + d);
        tsr_window_position const at = tsr_window_begin(window, p);
        tsr_store_tile(window, &at, buffer);
        (void)tsr_next_index_(&length, p);
    }
    free(buffer);
}

void tile_query_storeall(tile_reader *r, writer *w)
{
    tsr_descriptor d;
    tsr_encoding e;
    tsr_tile_window window;
    read_window(r, &d, &e);
    tsr_index const origin = read_origin(r, "origin=", &d, &e);
    void *const memory = make_memory(r, &d, TSR_I32, false);
    if (memory && open_window(r, &window, memory, &d, &e, &origin)) {
        store_all(r, &window);
        put_elements(r, w, memory, d.space, TSR_I32);
    }
    free(memory);
}
