/** A plan as text: how many bytes it moves, in what, by which loops. */
#include "tessera/text.h"
#include "text/writer.h"

/** How many values from first to last - 1 the loops of an edge take, when each steps over what the smaller ones reach;
 *  else -1. Their counts are set to 1. */
static int64_t values_of_edge(tsr_planned_copy const *p, int k, int64_t *count)
{
    int64_t reach = 1;
    for (bool found = true; found;) {
        found = false;
        for (int i = 0; i < p->loops; ++i)
            if (count[i] > 1 && p->loop[i].edge[k] == reach) {
                reach *= count[i];
                count[i] = 1;
                found = true;
            }
    }
    for (int i = 0; i < p->loops; ++i)
        if (count[i] > 1 && p->loop[i].edge[k] != 0)
            return -1;
    return tsr_max64(tsr_min64(p->edge[k].last, reach) - tsr_max64(p->edge[k].first, 0), 0);
}

/** The elements that move; *most is set where they may be fewer. */
static int64_t elements_of(tsr_planned_copy const *p, bool *most)
{
    int64_t count[TSR_PLAN_LOOPS], r = 1;
    for (int i = 0; i < p->loops; ++i)
        count[i] = p->loop[i].count;
    for (int k = 0; k < p->edges; ++k) {
        int64_t const values = values_of_edge(p, k, count);
        *most = *most || values < 0;
        r *= values < 0 ? 1 : values;
    }
    for (int i = 0; i < p->loops; ++i)
        r *= count[i];
    if (p->way == TSR_WAY_ELEMENTS)
        return p->elements;
    return p->units == 0 ? 0 : r * p->item / tsr_dtype_bits(p->to.type);
}

/** "each y becomes 0.5 relu(x) + 2 y". */
static void put_update(writer *w, tsr_update const *u)
{
    static char const *const functions[] = {
#define X(id, name, ...) name,
        TSR_FUNCTION_LIST(X)
#undef X
    };
    put(w, "\n  each y becomes %g %s", tsr_number_to_double(u->alpha), functions[u->function]);
    if (tsr_update_reads_(u))
        put(w, " + %g y", tsr_number_to_double(u->beta));
}

static void put_loops(writer *w, tsr_planned_copy const *p)
{
    for (int i = 0; i < p->loops; ++i) {
        tsr_loop const *const l = &p->loop[i];
        put(w, "\n  %-5s %8lld  from %+12lld  to %+12lld", i < p->box ? "block" : "loop", (long long)l->count,
            (long long)l->from, (long long)l->to);
        for (int k = 0; k < p->edges; ++k)
            if (l->edge[k] != 0)
                put(w, "  edge %d %+lld", k, (long long)l->edge[k]);
    }
    for (int k = 0; k < p->edges; ++k) {
        if (p->edge[k].first > -(int64_t)TSR_PLAN_FAR / 2)
            put(w, "\n  edge %d  %lld <= sum < %lld", k, (long long)p->edge[k].first, (long long)p->edge[k].last);
        else
            put(w, "\n  edge %d  sum < %lld", k, (long long)p->edge[k].last);
    }
}

size_t tsr_format_copy(char *out, size_t size, tsr_planned_copy const *p)
{
    static char const *const ways[] = {
#define X(id, words) words,
        TSR_WAY_LIST(X)
#undef X
    };
    static char const *const slows[] = {
#define X(id, words) words,
        TSR_SLOW_LIST(X)
#undef X
    };
    static char const *const kinds[] = {
#define X(id, words) words,
        TSR_BLOCK_LIST(X)
#undef X
    };
    bool most = false;
    writer w;
    if (p->why.status)
        return tsr_format_reason(out, size, p->why);
    writer_open(&w, out, size);
    int64_t const elements = elements_of(p, &most), bits = elements * tsr_dtype_bits(p->to.type);
    int64_t distinct = elements;
    char const *const from = tsr_dtype_name(p->from.type);
    for (int i = 0; i < p->loops; ++i)
        distinct /= p->loop[i].from == 0 ? p->loop[i].count : 1;
    put(&w, "%s%lld elements, %s to %s: reads %lld bytes, writes %lld\n", most ? "at most " : "", (long long)elements,
        from ? from : "numbers", tsr_dtype_name(p->to.type),
        (long long)((distinct * tsr_dtype_bits(p->from.type) + 7) / 8), (long long)((bits + 7) / 8));
    put(&w, "%s%s%s; %lld units", ways[p->way], p->slow ? ": " : "", slows[p->slow], (long long)p->units);
    if (p->way != TSR_WAY_ELEMENTS)
        put(&w, " of items of %lld bits, steps in bits", (long long)p->item);
    put_loops(&w, p);
    if (p->update.computes)
        put_update(&w, &p->update);
    if (p->way != TSR_WAY_ELEMENTS && p->kind != TSR_BLOCK_ITEMS)
        put(&w, "\n  blocks of %s%s", kinds[p->kind],
            p->stream && !tsr_update_reads_(&p->update) ? "; whole lines pass the caches" : "");
    if (p->stream)
        put(&w, "; %d %s are prefetched", p->ahead, p->kind == TSR_BLOCK_ROWS ? "lines" : "tiles");
    return w.used;
}
