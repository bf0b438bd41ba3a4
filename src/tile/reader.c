/** Reads the notation of CK Tile's values. */
#include "tile/reader.h"

#include <string.h>

void tile_fail(tile_reader *r, char const *text)
{
    if (r->failed)
        return;
    r->failed = true;
    snprintf(r->message, sizeof r->message, "%s (at character %zu)", text, (size_t)(r->p - r->text));
}

void tile_refuse(tile_reader *r, tsr_reason why)
{
    if (r->failed || why.status == TSR_OK)
        return;
    r->failed = true;
    tsr_format_reason(r->message, sizeof r->message, why);
}

bool tile_take(tile_reader *r, char const *token)
{
    char const *p = r->p;
    while (*p == ' ' || *p == '\t')
        ++p;
    if (r->failed || strncmp(p, token, strlen(token)) != 0)
        return false;
    r->p = p + strlen(token);
    return true;
}

void tile_expect(tile_reader *r, char const *token)
{
    char text[64];
    snprintf(text, sizeof text, "`%s` is expected here", token);
    if (!tile_take(r, token))
        tile_fail(r, text);
}

static bool digit(char c) { return c >= '0' && c <= '9'; }

/** An integer; *runtime says whether a `?` follows it. */
static int64_t runtime_integer(tile_reader *r, bool *runtime)
{
    int64_t v = 0;
    (void)tile_take(r, "");
    bool const negative = tile_take(r, "-");
    if (!digit(*r->p))
        tile_fail(r, "a number is expected here");
    for (; !r->failed && digit(*r->p); ++r->p)
        if (!tsr_mul64(v, 10, &v) || !tsr_add64(v, *r->p - '0', &v))
            tile_fail(r, "this number does not fit in 64 bits");
    *runtime = !r->failed && *r->p == '?';
    r->p += *runtime;
    return negative ? -v : v;
}

int64_t tile_integer(tile_reader *r)
{
    bool runtime = false;
    return runtime_integer(r, &runtime);
}

/** One more integer of a list. */
static void append(tile_reader *r, tsr_index *list, bool *runtime)
{
    int64_t const v = runtime_integer(r, runtime);
    if (list->rank == TSR_MAX_DIMS)
        tile_refuse(r, tsr_because(TSR_DIMS, 0, TSR_MAX_DIMS + 1, TSR_MAX_DIMS, 0));
    if (!r->failed)
        list->at[list->rank++] = v;
}

tsr_index tile_index(tile_reader *r)
{
    tsr_index list = TSR_ZERO;
    bool runtime = false;
    tile_expect(r, "(");
    if (tile_take(r, ")"))
        return list;
    do
        append(r, &list, &runtime);
    while (tile_take(r, ","));
    tile_expect(r, ")");
    return list;
}

tsr_index tile_index_of(tile_reader *r, int rank)
{
    tsr_index const list = tile_index(r);
    if (!r->failed && list.rank != rank)
        tile_refuse(r, tsr_because(TSR_RANK, 0, list.rank, rank, 0));
    return list;
}

/** The arguments of a base or a transform: tuples in order, integers in order, and promises. */
typedef struct arguments {
    tsr_index list[2], number;
    int lists;
    bool runtime_last;
    int64_t v, s;
} arguments;

static arguments read_arguments(tile_reader *r)
{
    arguments a = TSR_ZERO;
    tile_expect(r, "(");
    do {
        if (tile_take(r, "v="))
            a.v = tile_integer(r);
        else if (tile_take(r, "s="))
            a.s = tile_integer(r);
        else if (r->p[0] == '(' && a.lists < 2)
            a.list[a.lists++] = tile_index(r);
        else
            append(r, &a.number, &a.runtime_last);
    } while (!r->failed && tile_take(r, ","));
    tile_expect(r, ")");
    return a;
}

static bool has(tile_reader *r, arguments const *a, int lists, int numbers)
{
    if (!r->failed && (a->lists != lists || (numbers >= 0 && a->number.rank != numbers)))
        tile_fail(r, "these are not the arguments that stand here: they end too early or go on too long");
    return !r->failed;
}

/** Equally many lengths and strides. */
static bool paired(tile_reader *r, arguments const *a)
{
    if (!r->failed && a->list[0].rank != a->list[1].rank)
        tile_refuse(r, tsr_because(TSR_STRIDE_COUNT, 0, a->list[0].rank, a->list[1].rank, 0));
    return !r->failed;
}

/** The word that begins here, up to its parenthesis. */
static bool word(tile_reader *r, char const *name)
{
    char const *const start = r->p;
    if (tile_take(r, name) && *r->p == '(')
        return true;
    r->p = start;
    return false;
}

static int64_t const *keep_table(tile_reader *r, tsr_index const *list)
{
    int64_t *const table = r->table + r->tabled;
    if (r->tabled + list->rank > TILE_TABLE)
        tile_fail(r, "the tables of the gathers do not fit");
    for (int i = 0; i < list->rank && !r->failed; ++i)
        r->table[r->tabled++] = list->at[i];
    return table;
}

static tsr_coord_transform make_transform(tile_reader *r, tsr_transform_kind kind, arguments const *a)
{
    int64_t const *const n = a->number.at;
    int const count = a->number.rank;
    tsr_coord_transform const none = TSR_ZERO;
    switch (kind) {
    case TSR_TRANSFORM_PASS_THROUGH:
        return has(r, a, 0, 1) ? tsr_make_pass_through_transform(n[0]) : none;
    case TSR_TRANSFORM_PAD:
        return has(r, a, 0, 3) ? tsr_make_pad_transform(n[0], n[1], n[2]) : none;
    case TSR_TRANSFORM_PAD_SKIP:
        return has(r, a, 0, 3) ? tsr_make_pad_skip_transform(n[0], n[1], n[2]) : none;
    case TSR_TRANSFORM_LEFT_PAD:
        return has(r, a, 0, 2) ? tsr_make_left_pad_transform(n[0], n[1]) : none;
    case TSR_TRANSFORM_RIGHT_PAD:
        return has(r, a, 0, 2) ? tsr_make_right_pad_transform(n[0], n[1]) : none;
    case TSR_TRANSFORM_EMBED:
        return has(r, a, 2, 0) && paired(r, a)
                   ? tsr_make_embed_transform(a->list[0].rank, a->list[0].at, a->list[1].at)
                   : none;
    case TSR_TRANSFORM_MERGE:
    case TSR_TRANSFORM_MERGE_MOD:
        return has(r, a, 0, -1) ? tsr_make_any_merge_(kind, count, n) : none;
    case TSR_TRANSFORM_UNMERGE:
        return has(r, a, 0, -1) ? tsr_make_unmerge_transform(count, n) : none;
    case TSR_TRANSFORM_FREEZE:
        return has(r, a, 0, 1) ? tsr_make_freeze_transform(n[0]) : none;
    case TSR_TRANSFORM_INSERT:
        return has(r, a, 0, 1) ? tsr_make_insert_transform(n[0]) : none;
    case TSR_TRANSFORM_REPLICATE:
        return has(r, a, 0, -1) ? tsr_make_replicate_transform(count, n) : none;
    case TSR_TRANSFORM_SLICE:
        return has(r, a, 0, 3) ? tsr_make_slice_transform(n[0], n[1], n[2]) : none;
    case TSR_TRANSFORM_MODULO:
        return has(r, a, 0, 2) ? tsr_make_modulo_transform(n[0], n[1]) : none;
    case TSR_TRANSFORM_XOR:
        return has(r, a, 0, 2) ? tsr_make_xor_transform(n[0], n[1]) : none;
    case TSR_TRANSFORM_OFFSET:
        return has(r, a, 0, 2) ? tsr_make_offset_transform(n[0], n[1]) : none;
    case TSR_TRANSFORM_INDEXING:
        return has(r, a, 1, 0) ? tsr_make_indexing_transform(a->list[0].rank, keep_table(r, &a->list[0])) : none;
    case TSR_TRANSFORM_KINDS:
        break;
    }
    return none;
}

tsr_coord_transform tile_transform(tile_reader *r)
{
    static char const *const names[] = {
#define X(kind, name, map) name,
        TSR_TRANSFORM_LIST(X)
#undef X
    };
    tsr_coord_transform t = TSR_ZERO;
    for (int kind = 0; kind < TSR_TRANSFORM_KINDS; ++kind) {
        if (word(r, names[kind])) {
            arguments const a = read_arguments(r);
            t = make_transform(r, (tsr_transform_kind)kind, &a);
            t.runtime_last = a.runtime_last;
            return t;
        }
    }
    tile_fail(r, "a transform is expected here");
    return t;
}

/** 0,2,1 or nothing. */
static int read_places(tile_reader *r, uint8_t *place)
{
    int n = 0;
    (void)tile_take(r, "");
    if (!digit(*r->p))
        return 0;
    do {
        int64_t const at = tile_integer(r);
        if (n == TSR_MAX_DIMS)
            tile_refuse(r, tsr_because(TSR_DIMS, 0, n + 1, TSR_MAX_DIMS, 0));
        if (!r->failed)
            place[n++] = (uint8_t)(at < 255 ? at : 255);
    } while (tile_take(r, ","));
    return n;
}

static tsr_descriptor read_base(tile_reader *r)
{
    tsr_descriptor d = TSR_ZERO;
    if (word(r, "naive_off")) {
        arguments const a = read_arguments(r);
        if (has(r, &a, 2, 1) && paired(r, &a))
            d = tsr_make_naive_tensor_descriptor_with_offset(a.list[0].rank, a.list[0].at, a.list[1].at,
                                                             a.number.at[0], tsr_make_vector(a.v, a.s));
    } else if (word(r, "naive")) {
        arguments const a = read_arguments(r);
        if (has(r, &a, 2, 0) && paired(r, &a))
            d = tsr_make_naive_tensor_descriptor(a.list[0].rank, a.list[0].at, a.list[1].at,
                                                 tsr_make_vector(a.v, a.s));
    } else if (word(r, "packed")) {
        arguments const a = read_arguments(r);
        if (has(r, &a, 1, 0))
            d = tsr_make_naive_tensor_descriptor_packed(a.list[0].rank, a.list[0].at, a.v);
    } else if (word(r, "aligned")) {
        arguments const a = read_arguments(r);
        if (has(r, &a, 1, 1))
            d = tsr_make_naive_tensor_descriptor_aligned(a.list[0].rank, a.list[0].at, a.number.at[0]);
    } else {
        tile_fail(r, "a descriptor is expected here: naive, naive_off, packed or aligned");
    }
    tile_refuse(r, d.graph.why);
    return d;
}

tsr_descriptor tile_descriptor(tile_reader *r)
{
    tsr_descriptor d = read_base(r);
    while (!r->failed && tile_take(r, "|")) {
        tsr_link link[TSR_MAX_TRANSFORMS];
        int links = 0;
        do {
            if (links == TSR_MAX_TRANSFORMS) {
                tile_refuse(r, tsr_because(TSR_GRAPH_CAPACITY, 0, links + 1, d.graph.hidden, 0));
                break;
            }
            tsr_link *const l = &link[links++];
            l->transform = tile_transform(r);
            tile_expect(r, ":");
            l->lows = (uint8_t)read_places(r, l->low);
            tile_expect(r, ">");
            l->ups = (uint8_t)read_places(r, l->up);
        } while (!r->failed && tile_take(r, "+"));
        if (!r->failed)
            tsr_adaptor_stage(&d.graph, links, link);
        tile_refuse(r, d.graph.why);
    }
    return d;
}

/** (1.0,2.1) */
static tsr_places read_factors(tile_reader *r)
{
    tsr_places list = TSR_ZERO;
    tile_expect(r, "(");
    if (tile_take(r, ")"))
        return list;
    do {
        int64_t const major = tile_integer(r);
        tile_expect(r, ".");
        int64_t const minor = tile_integer(r);
        if (list.count == TSR_MAX_DIMS)
            tile_refuse(r, tsr_because(TSR_DIMS, 0, TSR_MAX_DIMS + 1, TSR_MAX_DIMS, 0));
        if (major < 0 || minor < 0 || major > TSR_MAX_XS || minor > TSR_MAX_FACTORS)
            tile_refuse(r, tsr_because(TSR_NO_FACTOR, 0, major, minor, 0));
        if (!r->failed) {
            list.at[list.count].major = (uint8_t)major;
            list.at[list.count++].minor = (uint8_t)minor;
        }
    } while (tile_take(r, ","));
    tile_expect(r, ")");
    return list;
}

/** Is there one more element of a list of lists? */
static bool more(tile_reader *r, int count, int most)
{
    if (tile_take(r, ")"))
        return false;
    if (count > 0)
        tile_expect(r, ",");
    if (count == most)
        tile_refuse(r, tsr_because(TSR_DIMS, 0, most + 1, most, 0));
    return !r->failed;
}

tsr_encoding tile_encoding(tile_reader *r)
{
    tsr_encoding_lists l = TSR_ZERO;
    tsr_encoding const none = TSR_ZERO;
    tile_expect(r, "dist{");
    tile_expect(r, "R=");
    l.r = tile_index(r);
    tile_expect(r, ";");
    tile_expect(r, "H=");
    tile_expect(r, "(");
    while (more(r, l.xs, TSR_MAX_XS))
        l.h[l.xs++] = tile_index(r);
    tile_expect(r, ";");
    tile_expect(r, "P=");
    tile_expect(r, "(");
    while (more(r, l.ps, TSR_MAX_PS))
        l.p[l.ps++] = read_factors(r);
    tile_expect(r, ";");
    tile_expect(r, "Y=");
    l.y = read_factors(r);
    tile_expect(r, "}");
    if (r->failed)
        return none;
    tsr_encoding const e = tsr_make_tile_distribution_encoding(&l);
    tile_refuse(r, e.why);
    return e;
}

uint32_t tile_dims(tile_reader *r, tsr_encoding const *e)
{
    uint32_t dims = 0;
    tile_expect(r, "dims=");
    tsr_index const list = tile_index(r);
    for (int i = 0; i < list.rank && !r->failed; ++i) {
        if (list.at[i] < 0 || list.at[i] >= e->xs)
            tile_refuse(r, tsr_because(TSR_INDEX, 0, list.at[i], e->xs, 0));
        else
            dims |= (uint32_t)1 << list.at[i];
    }
    return dims;
}

tsr_index tile_inside(tile_reader *r, char const *name, tsr_index length)
{
    tsr_index const none = TSR_ZERO;
    tile_expect(r, name);
    tsr_index const at = tile_index_of(r, length.rank);
    for (int i = 0; i < length.rank && !r->failed; ++i)
        if (at.at[i] < 0 || at.at[i] >= length.at[i])
            tile_refuse(r, tsr_because(TSR_DIM_INDEX, i, at.at[i], length.at[i], 0));
    return r->failed ? none : at;
}

tsr_coordinate tile_coordinate(tile_reader *r, tsr_descriptor const *d, tsr_index at)
{
    tsr_index magnitude = at;
    tsr_coordinate const none = TSR_ZERO;
    for (int i = 0; i < at.rank; ++i)
        magnitude.at[i] = at.at[i] < 0 ? -at.at[i] : at.at[i];
    if (!r->failed && !tsr_adaptor_bounded(&d->graph, magnitude.at))
        tile_refuse(r, tsr_because(TSR_OVERFLOW, 0, at.at[0], 0, 0));
    return r->failed ? none : tsr_make_tensor_coordinate(d, at.at);
}

void tile_put_index(writer *w, int n, int64_t const *at)
{
    put(w, "(");
    for (int i = 0; i < n; ++i)
        put(w, "%s%lld", i > 0 ? "," : "", (long long)at[i]);
    put(w, ")");
}

static void put_factors(writer *w, tsr_places const *list)
{
    put(w, "(");
    for (int i = 0; i < list->count; ++i)
        put(w, "%s%d.%d", i > 0 ? "," : "", list->at[i].major, list->at[i].minor);
    put(w, ")");
}

void tile_put_encoding(writer *w, tsr_encoding const *e)
{
    tsr_encoding_lists const l = tsr_encoding_lists_of(e);
    put(w, "dist{R=");
    tile_put_index(w, l.r.rank, l.r.at);
    put(w, ";H=(");
    for (int i = 0; i < l.xs; ++i) {
        put(w, i > 0 ? "," : "");
        tile_put_index(w, l.h[i].rank, l.h[i].at);
    }
    put(w, ");P=(");
    for (int i = 0; i < l.ps; ++i) {
        put(w, i > 0 ? "," : "");
        put_factors(w, &l.p[i]);
    }
    put(w, ");Y=");
    put_factors(w, &l.y);
    put(w, "}");
}

bool tile_room(tile_reader const *r, writer const *w) { return !r->failed && w->used < w->size; }
