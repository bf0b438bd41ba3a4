/** Indices and numbers out of tuples, and what answers are written of. */
#include "tile/take.h"

#include <stdlib.h>

tsr_reason tsr_tile_also_(tsr_reason why, tsr_tuple t)
{
    if (why.status || !t.status)
        return why;
    return t.status == TSR_CAPACITY ? tsr_because(TSR_DIMS, 0, t.leaf[0].value, TSR_MAX_DIMS, 0) : tsr_index_why(t);
}

tsr_index tsr_tile_index_(tsr_tuple t, int rank, tsr_reason *why)
{
    tsr_index const none = TSR_ZERO;
    bool const unit = !t.status && tsr_is_unit(&t);
    tsr_index const at = unit ? none : tsr_index_of(t);
    *why = tsr_tile_also_(*why, t);
    if (!why->status && !unit)
        *why = tsr_index_why(t);
    if (!why->status && rank >= 0 && at.rank != rank)
        *why = tsr_because(TSR_RANK, 0, at.rank, rank, 0);
    return why->status ? none : at;
}

tsr_index tsr_tile_inside_(tsr_tuple t, tsr_index length, tsr_reason *why)
{
    tsr_index const none = TSR_ZERO, at = tsr_tile_index_(t, length.rank, why);
    for (int i = 0; i < length.rank && !why->status; ++i)
        if (at.at[i] < 0 || at.at[i] >= length.at[i])
            *why = tsr_because(TSR_DIM_INDEX, i, at.at[i], length.at[i], 0);
    return why->status ? none : at;
}

int64_t tsr_tile_number_(tsr_tuple t, int64_t absent, tsr_reason *why)
{
    if (!t.status && tsr_is_unit(&t))
        return absent;
    tsr_index const n = tsr_tile_index_(t, -1, why);
    if (!why->status && !tsr_is_leaf(&t))
        *why = tsr_because(TSR_NOT_INTEGER, 0, n.rank, 0, 0);
    return n.at[0];
}

uint32_t tsr_tile_dims_(tsr_tuple t, tsr_encoding const *e, tsr_reason *why)
{
    uint32_t dims = 0;
    tsr_index const list = tsr_tile_index_(t, -1, why);
    for (int i = 0; i < list.rank && !why->status; ++i) {
        if (list.at[i] < 0 || list.at[i] >= e->xs)
            *why = tsr_because(TSR_INDEX, 0, list.at[i], e->xs, 0);
        else
            dims |= (uint32_t)1 << list.at[i];
    }
    return dims;
}

void tsr_tile_bounded_(tsr_descriptor const *d, tsr_index at, tsr_reason *why)
{
    tsr_index magnitude = at;
    for (int i = 0; i < at.rank; ++i)
        magnitude.at[i] = at.at[i] < 0 ? tsr_wrap_sub(0, at.at[i]) : at.at[i];
    if (!why->status && !tsr_adaptor_bounded(&d->graph, magnitude.at))
        *why = tsr_because(TSR_OVERFLOW, 0, at.at[0], 0, 0);
}

void *tsr_tile_memory_(int64_t elements, size_t size, tsr_reason *why)
{
    if (!why->status && elements > TILE_ELEMENTS)
        *why = tsr_because(TSR_ELEMENTS, 0, elements, TILE_ELEMENTS, 0);
    void *const memory = why->status ? NULL : calloc((size_t)elements, size);
    if (!why->status && !memory)
        *why = tsr_because(TSR_NO_MEMORY, 0, elements, 0, 0);
    return memory;
}

tsr_tuple tsr_tile_tuple_(tsr_index at)
{
    tsr_tuple r = TSR_ZERO;
    for (int i = 0; i < at.rank; ++i)
        tsr_tuple_push_leaf(&r, tsr_leaf_dynamic(at.at[i]));
    return at.rank == 0 ? tsr_unit() : tsr_tuple_close(r);
}

tsr_tuple tsr_tile_integer_(int64_t n, tsr_reason why) { return why.status ? tsr_reason_tuple(why) : tsr_int(n); }

tsr_tuple tsr_tile_answer_(tsr_reason why) { return why.status ? tsr_reason_tuple(why) : tsr_unit(); }

void tsr_write_index_(writer *w, int n, int64_t const *at) { put_integers(w, "(", n, at, ",", ")"); }

static void write_factors(writer *w, tsr_places const *list)
{
    put(w, "(");
    for (int i = 0; i < list->count; ++i)
        put(w, "%s%d.%d", i > 0 ? "," : "", list->at[i].major, list->at[i].minor);
    put(w, ")");
}

void tsr_write_encoding_(writer *w, tsr_encoding const *e)
{
    tsr_encoding_lists const l = tsr_encoding_lists_of(e);
    put(w, "dist{R=");
    tsr_write_index_(w, l.r.rank, l.r.at);
    put(w, ";H=(");
    for (int i = 0; i < l.xs; ++i) {
        put(w, i > 0 ? "," : "");
        tsr_write_index_(w, l.h[i].rank, l.h[i].at);
    }
    put(w, ");P=(");
    for (int i = 0; i < l.ps; ++i) {
        put(w, i > 0 ? "," : "");
        write_factors(w, &l.p[i]);
    }
    put(w, ");Y=");
    write_factors(w, &l.y);
    put(w, "}");
}
