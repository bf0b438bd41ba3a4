/** The table of queries, and those on transforms and descriptors. */
#include "tile/calc.h"

#include <string.h>

#include "tessera/tile/fold.h"
#include "tessera/tile/magic_division.h"

static struct {
    char const *name;
    tile_query *run;
} const queries[] = {
#define X(name, c) {name, tile_query_##c},
    TILE_QUERIES(X)
#undef X
};

enum { QUERIES = sizeof queries / sizeof queries[0] };

/** The query that a line begins with, or -1; blanks may stand in front. */
static int find_query(char const *line)
{
    line += strspn(line, " \t");
    size_t const n = strcspn(line, " \t");
    for (int i = 0; line[n] != 0 && i < QUERIES; ++i)
        if (strlen(queries[i].name) == n && strncmp(queries[i].name, line, n) == 0)
            return i;
    return -1;
}

bool tile_is_query(char const *line) { return find_query(line) >= 0; }

bool tile_calc(char const *line, char *out, size_t size)
{
    tile_reader r = TSR_ZERO;
    writer w;
    int const query = find_query(line);
    r.text = line;
    r.p = line + strspn(line, " \t") + strlen(queries[query].name);
    writer_open(&w, out, size);
    queries[query].run(&r, &w);
    (void)tile_take(&r, "");
    if (!r.failed && *r.p != 0)
        tile_fail(&r, "nothing may follow here");
    if (w.used >= size)
        tile_fail(&r, "the answer is longer than the text that holds it");
    if (r.failed) {
        writer_open(&w, out, size);
        put(&w, "%s", r.message);
    }
    return !r.failed;
}

/* Descriptors */

void tile_query_lengths(tile_reader *r, writer *w)
{
    tsr_descriptor const d = tile_descriptor(r);
    tsr_index const lengths = tsr_adaptor_lengths(&d.graph);
    tile_put_index(w, lengths.rank, lengths.at);
}

void tile_query_size(tile_reader *r, writer *w)
{
    tsr_descriptor const d = tile_descriptor(r);
    put(w, "%lld", (long long)d.space);
}

void tile_query_nhidden(tile_reader *r, writer *w)
{
    (void)tile_take(r, "");
    if (strncmp(r->p, "dist{", 5) == 0) {
        tsr_encoding const e = tile_encoding(r);
        tsr_adaptor const graph = tsr_distribution_adaptor(&e);
        tile_refuse(r, graph.why);
        put(w, "%d", graph.hidden);
        return;
    }
    tsr_descriptor const d = tile_descriptor(r);
    put(w, "%d", d.graph.hidden);
}

/** A descriptor and the coordinate behind `@`. */
static tsr_coordinate read_at(tile_reader *r, tsr_descriptor *d)
{
    *d = tile_descriptor(r);
    tile_expect(r, "@");
    return tile_coordinate(r, d, tile_index_of(r, d->graph.tops));
}

void tile_query_offset(tile_reader *r, writer *w)
{
    tsr_descriptor d;
    tsr_coordinate const c = read_at(r, &d);
    put(w, "%lld %d %d", (long long)tsr_coordinate_offset(&c),
        tsr_coordinate_has_valid_offset_assuming_top_index_is_valid(&d, &c), tsr_coordinate_has_valid_offset(&d, &c));
}

void tile_query_hidden(tile_reader *r, writer *w)
{
    tsr_descriptor d;
    tsr_coordinate const c = read_at(r, &d);
    tile_put_index(w, d.graph.hidden, c.hidden);
}

void tile_query_walk(tile_reader *r, writer *w)
{
    tsr_descriptor d;
    tsr_coordinate c = read_at(r, &d);
    for (bool more = true; more && !r->failed;) {
        tsr_index at = TSR_ZERO;
        at.rank = d.graph.tops;
        for (int i = 0; i < at.rank; ++i)
            at.at[i] = c.hidden[d.graph.top[i]];
        tile_put_index(w, at.rank, at.at);
        put(w, "=%lld/%d%d", (long long)tsr_coordinate_offset(&c),
            tsr_coordinate_has_valid_offset_assuming_top_index_is_valid(&d, &c),
            tsr_coordinate_has_valid_offset(&d, &c));
        more = tile_take(r, ";");
        if (more) {
            tsr_index const step = tile_index_of(r, at.rank);
            for (int i = 0; i < at.rank; ++i)
                if (!tsr_add64(at.at[i], step.at[i], &at.at[i]))
                    tile_refuse(r, tsr_because(TSR_OVERFLOW, 0, step.at[i], 0, 0));
            (void)tile_coordinate(r, &d, at);
            tsr_move_tensor_coordinate(&d, &c, step.at);
            put(w, " ");
        }
    }
}

void tile_query_vec(tile_reader *r, writer *w)
{
    tsr_descriptor const d = tile_descriptor(r);
    tsr_vector top[TSR_MAX_DIMS];
    int64_t length[TSR_MAX_DIMS], stride[TSR_MAX_DIMS];
    tsr_descriptor_vectors(&d, true, top);
    for (int i = 0; i < d.graph.tops; ++i) {
        length[i] = top[i].length;
        stride[i] = top[i].stride;
    }
    tile_put_index(w, d.graph.tops, length);
    put(w, " ");
    tile_put_index(w, d.graph.tops, stride);
}

/** off=K (shape):(stride) */
static void put_fold(tile_reader *r, writer *w, tsr_folded const *f, int64_t base)
{
    char text[TSR_TEXT_SIZE];
    tsr_layout plain = f->layout;
    plain.composed = false;
    tsr_format_layout(text, sizeof text, plain, TSR_TEXT_STATIC);
    if (plain.shape.status)
        tile_fail(r, text);
    put(w, "off=%lld %s", (long long)base, text);
}

void tile_query_fold(tile_reader *r, writer *w)
{
    static char const *const reasons[] = {"", "padding", "xor", "gather", "nonlinear"};
    tsr_descriptor const d = tile_descriptor(r);
    if (r->failed)
        return;
    tsr_folded const f = tsr_fold_plain(&d);
    if (f.guards > 0 || f.kind != TSR_FOLDED)
        put(w, "none:%s", f.guards > 0 ? "padding" : reasons[f.kind]);
    else
        put_fold(r, w, &f, f.base);
}

void tile_query_foldswz(tile_reader *r, writer *w)
{
    tsr_descriptor const d = tile_descriptor(r);
    if (r->failed)
        return;
    tsr_folded const f = tsr_fold_swizzled(&d);
    if (f.kind != TSR_FOLDED || !f.layout.composed) {
        put(w, "none");
        return;
    }
    tsr_swizzle const sw = f.layout.swizzle;
    put(w, "Swizzle<%d,%d,%d> ", sw.bits, sw.base, sw.shift);
    put_fold(r, w, &f, tsr_leaf_value(f.layout.offset));
}

/* Single transforms */

static tsr_coord_transform read_transform(tile_reader *r)
{
    tsr_coord_transform const t = tile_transform(r);
    tile_refuse(r, t.why);
    return t;
}

void tile_query_uplens(tile_reader *r, writer *w)
{
    tsr_coord_transform const t = read_transform(r);
    tile_put_index(w, t.ups, t.up);
}

void tile_query_always_valid(tile_reader *r, writer *w)
{
    tsr_coord_transform const t = read_transform(r);
    put(w, "%d", tsr_transform_always_valid(&t));
}

void tile_query_lower(tile_reader *r, writer *w)
{
    tsr_coord_transform const t = read_transform(r);
    int64_t low[TSR_MAX_DIMS] = {0};
    tile_expect(r, "@");
    tsr_index const up = tile_index_of(r, t.ups);
    if (r->failed)
        return;
    tsr_transform_lower(&t, up.at, low);
    tile_put_index(w, t.lows, low);
    put(w, " %d", tsr_transform_valid(&t, low));
}

void tile_query_update(tile_reader *r, writer *w)
{
    tsr_coord_transform const t = read_transform(r);
    int64_t low[TSR_MAX_DIMS] = {0}, old[TSR_MAX_DIMS] = {0};
    tile_expect(r, "@");
    tsr_index up = tile_index_of(r, t.ups);
    tile_expect(r, ";");
    tsr_index const diff = tile_index_of(r, t.ups);
    if (r->failed)
        return;
    tsr_transform_lower(&t, up.at, low);
    memcpy(old, low, sizeof old);
    for (int i = 0; i < t.ups; ++i)
        up.at[i] = tsr_wrap_add_(up.at[i], diff.at[i]);
    tsr_transform_update(&t, diff.at, up.at, low);
    tile_put_index(w, t.lows, low);
    for (int i = 0; i < t.lows; ++i)
        low[i] = tsr_wrap_sub_(low[i], old[i]);
    put(w, " ");
    tile_put_index(w, t.lows, low);
}

/* Magic division */

void tile_query_magic(tile_reader *r, writer *w)
{
    tsr_magic_division const m = tsr_make_magic_division(tile_integer(r));
    tile_refuse(r, m.why);
    put(w, "%u %d", m.multiplier, m.shift);
}

void tile_query_mdiv(tile_reader *r, writer *w)
{
    int64_t const n = tile_integer(r);
    tsr_magic_division const m = tsr_make_magic_division(tile_integer(r));
    tile_refuse(r, m.why);
    if (n < 0 || n > 0x7fffffff)
        tile_refuse(r, tsr_because(TSR_MAGIC, 0, n, 0, 0));
    put(w, "%u", tsr_magic_divide(m, (uint32_t)(n & 0x7fffffff)));
}
