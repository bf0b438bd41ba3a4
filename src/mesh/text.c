/** Distributed layouts as texts of other systems. A text is written from the splits, read again, and kept only where
 *  it is the same layout: so no rule of a system is stated twice. */
#include "mesh/same.h"

#include <stdlib.h>
#include <string.h>

#include "mesh/list.h"
#include "mesh/scan.h"
#include "tessera/mesh/make.h"

/** A layout in its normal form, and what of it belongs together. */
typedef struct source {
    tsr_dist_layout d;
    dist_form form; /* of d */
    tsr_message *error;
} source;

/** Of shards with blocks of one size, that with the longer period is the outer one. */
static void order_nests(dist_form *f)
{
    for (int m = 0; m < f->d->modes; ++m)
        for (int i = 1; i < f->rules[m]; ++i)
            for (int k = i; k > 0; --k) {
                tsr_dist_split const *const out = &f->d->split[f->nest[m][k - 1]], *const in =
                                                                                       &f->d->split[f->nest[m][k]];
                int const swapped = f->nest[m][k];
                if (out->block != in->block || out->period >= in->period)
                    break;
                f->nest[m][k] = f->nest[m][k - 1];
                f->nest[m][k - 1] = swapped;
            }
}

static bool lacks(source const *s, char const *system, char const *what, int number)
{
    return tsr_dist_fail_(s->error, "%s has no word for %s (%d)", system, what, number);
}

/** The only split of a mode, or one of one rank. */
static tsr_dist_split split_of(source const *s, int m)
{
    tsr_dist_split const whole = {TSR_DIST_SHARD, m, 1, 1, tsr_max64(s->d.extent[m], 1), 1, 0};
    return s->form.nests[m] > 0 ? s->d.split[s->form.nest[m][0]] : whole;
}

/** Have the modes at most one split each, and are there neither copies nor addends? */
static bool is_dealt(source const *s, char const *system)
{
    for (int m = 0; m < s->d.modes; ++m) {
        if (s->form.nests[m] > 1)
            return lacks(s, system, "the splits of one mode by several axes of the mesh: mode", m);
        if (s->form.nests[m] == 1 && split_of(s, m).role == TSR_DIST_CHUNK)
            return lacks(s, system, "the chunks of several parts: mode", m);
    }
    return s->form.copies + s->form.sums == 0
           || lacks(s, system, "copies and addends: splits", s->form.copies + s->form.sums);
}

static bool write_scalapack(source const *s, writer *w)
{
    if (s->d.modes != 2)
        return lacks(s, "ScaLAPACK", "tensors that are no matrices: modes", s->d.modes);
    if (!is_dealt(s, "ScaLAPACK"))
        return false;
    tsr_dist_split const r = split_of(s, 0), c = split_of(s, 1);
    if (r.role != TSR_DIST_SHARD || c.role != TSR_DIST_SHARD)
        return lacks(s, "ScaLAPACK", "tables of intervals: mode", r.role == TSR_DIST_SHARD);
    bool const columns = r.extent > 1 && c.extent > 1 ? r.stride < c.stride : false;
    put(w, "(%lld,%lld,%lld,%lld,%lld,%lld", (long long)s->d.extent[0], (long long)s->d.extent[1], (long long)r.block,
        (long long)c.block, (long long)r.extent, (long long)c.extent);
    if (r.turn || c.turn || s->d.pitch[0])
        put(w, ",%lld,%lld", (long long)r.turn, (long long)c.turn);
    if (s->d.pitch[0])
        put(w, ",%lld", (long long)s->d.pitch[0]);
    put(w, "%s)", columns ? ",C" : "");
    return true;
}

/** The axes of the mesh are the splits by their strides, the largest first. Shards of a mode that do not cut it in this
 *  order have their turns. */
static void put_placement(source const *s, writer *w, int k)
{
    tsr_dist_split const *const x = &s->d.split[k];
    int turn = 0;
    bool ordered = true;
    if (!tsr_dist_cuts_(x)) {
        put(w, "%s", x->role == TSR_DIST_COPY ? "R" : "P");
        return;
    }
    for (int i = 0; i < s->form.nests[x->mode]; ++i) {
        ordered = ordered && (i == 0 || s->form.nest[x->mode][i - 1] < s->form.nest[x->mode][i]);
        turn = s->form.nest[x->mode][i] == k ? i : turn;
    }
    int64_t const extent = s->d.extent[x->mode];
    int64_t const parts = x->role == TSR_DIST_CHUNK         ? x->block
                          : turn == 0 && x->period < extent ? tsr_ceil_div64(extent, x->period)
                                                            : 1;
    if (parts > 1)
        put(w, "SS(%d,%lld)", x->mode, (long long)parts);
    else
        put(w, "S(%d)", x->mode);
    if (!ordered)
        put(w, "[%d]", turn);
}

static bool write_dtensor(source const *s, writer *w)
{
    for (int m = 0; m < s->d.modes; ++m)
        if (tsr_dist_has_table_(&s->form, m))
            return lacks(s, "DTensor", "tables of intervals: mode", m);
    put_integers(w, "((", s->d.modes, s->d.extent, ",", "),(");
    for (int k = 0; k < s->d.splits; ++k)
        put(w, "%s%lld", k ? "," : "", (long long)s->d.split[k].extent);
    put(w, "),[");
    for (int k = 0; k < s->d.splits; ++k) {
        put(w, "%s", k ? "," : "");
        put_placement(s, w, k);
    }
    put(w, "])");
    return true;
}

/** The elements of a tile along a mode, and how many tiles there are. 0: they differ in size. */
static int64_t tiles_of(source const *s, int m, int64_t *block)
{
    int64_t tiles = 1;
    if (tsr_dist_has_table_(&s->form, m) && s->form.nests[m] == 1) {
        tsr_dist_table const *const t = s->d.table[m];
        *block = t->run[0].length;
        for (int64_t i = 1; i < t->count; ++i)
            if (t->run[i].length > *block || (i + 1 < t->count && t->run[i].length < *block))
                return 0;
        return t->count;
    }
    for (int i = 0; i < s->form.nests[m]; ++i)
        tiles *= s->d.split[s->form.nest[m][i]].extent;
    *block = tsr_max64(tsr_ceil_div64(s->d.extent[m], tiles), 1);
    return tiles;
}

/** The devices of the copies of one tile. False: the tile has no element. */
static bool put_devices(source const *s, writer *w, int64_t const *tile, int64_t const *block, bool first)
{
    int64_t index[TSR_DIST_MODES] = {0}, rank = 0, offset = 0, copies = 0;
    for (int m = 0; m < s->d.modes; ++m)
        index[m] = tile[m] * block[m];
    if (!tsr_dist_at(&s->d, index, &rank, &offset))
        return false;
    int64_t *const copy = tsr_dist_offsets_(&s->d, s->form.copy, s->form.copies, &copies);
    for (int64_t i = 0; copy && i < copies; ++i)
        put(w, "%s%lld", i == 0 && first ? "" : ",", (long long)(rank + copy[i]));
    free(copy);
    return copy != NULL;
}

/** Devices in any order: all of them. */
static bool write_xla_list(source const *s, writer *w)
{
    int64_t tiles[TSR_DIST_MODES], block[TSR_DIST_MODES], tile[TSR_DIST_MODES] = {0};
    int64_t const copies = tsr_dist_copies(&s->d);
    put_integers(w, "((", s->d.modes, s->d.extent, ",", "),{devices=[");
    for (int m = 0; m < s->d.modes; ++m) {
        tiles[m] = tiles_of(s, m, &block[m]);
        if (tiles[m] == 0)
            return lacks(s, "XLA's text", "tiles of several sizes: mode", m);
        put(w, "%s%lld", m ? "," : "", (long long)tiles[m]);
    }
    put(w, copies > 1 ? ",%lld]" : "]", (long long)copies);
    for (bool first = true;; first = false) {
        int m = s->d.modes - 1;
        if (!put_devices(s, w, tile, block, first))
            return lacks(s, "a list of devices", "tiles without elements, or memory for it: mode", m);
        for (; m >= 0 && ++tile[m] == tiles[m]; --m)
            tile[m] = 0;
        if (m < 0 || w->used >= w->size)
            break;
    }
    put(w, copies > 1 ? " last_tile_dim_replicate})" : "})");
    return true;
}

/** Tiles count through the splits of the modes, the outermost first, and then through the copies; devices through all
 *  splits by their strides. */
static bool write_xla(source const *s, writer *w)
{
    int64_t copies = 1, tiles = 1;
    int axis[TSR_DIST_SPLITS], axes = 0;
    if (s->form.sums > 0)
        return lacks(s, "XLA's text", "addends: splits", s->form.sums);
    for (int m = 0; m < s->d.modes; ++m)
        if (tsr_dist_has_table_(&s->form, m))
            return write_xla_list(s, w);
    put_integers(w, "((", s->d.modes, s->d.extent, ",", "),{");
    for (int k = 0; k < s->d.splits; ++k) {
        copies *= s->d.split[k].role == TSR_DIST_COPY ? s->d.split[k].extent : 1;
        tiles *= s->d.split[k].extent;
    }
    if (tiles == 1) {
        put(w, "replicated})");
        return true;
    }
    put(w, "devices=[");
    for (int m = 0; m < s->d.modes; ++m) {
        int64_t n = 1;
        for (int i = 0; i < s->form.nests[m]; ++i) {
            axis[axes++] = s->form.nest[m][i];
            n *= s->d.split[s->form.nest[m][i]].extent;
        }
        put(w, "%s%lld", m ? "," : "", (long long)n);
    }
    for (int i = s->form.copies - 1; i >= 0; --i)
        axis[axes++] = s->form.copy[i];
    put(w, copies > 1 ? ",%lld]<=[" : "]<=[", (long long)copies);
    bool in_order = true;
    for (int k = 0; k < axes; ++k) {
        put(w, "%s%lld", k ? "," : "", (long long)s->d.split[k].extent);
        in_order = in_order && axis[k] == k;
    }
    put(w, "]%s", in_order ? "" : "T(");
    for (int k = 0; k < axes && !in_order; ++k)
        put(w, "%s%d", k ? "," : "", axis[k]);
    put(w, "%s%s})", in_order ? "" : ")", copies > 1 ? " last_tile_dim_replicate" : "");
    return true;
}

/** GEN_BLOCK of a table whose ranks have one interval each, in their order. */
static bool put_sizes(source const *s, writer *w, tsr_dist_table const *t)
{
    int64_t k = 0;
    put(w, "GEN_BLOCK(");
    for (int64_t i = 0; i < t->owners; ++i) {
        bool const some = k < t->count && t->run[k].owner == i;
        put(w, "%s%lld", i ? "," : "", some ? (long long)t->run[k].length : 0LL);
        k += some;
    }
    put(w, ")");
    return k == t->count || lacks(s, "GEN_BLOCK", "ranks whose intervals are not in their order: interval", (int)k);
}

/** The formats of HPF and MPI: of each mode the word for a whole one, or how it is cut. */
static bool put_formats(source const *s, writer *w, char const *whole, char const *system)
{
    if (!is_dealt(s, system))
        return false;
    put_integers(w, "((", s->d.modes, s->d.extent, ",", "),(");
    for (int m = 0; m < s->d.modes; ++m) {
        tsr_dist_split const x = split_of(s, m);
        put(w, "%s", m ? "," : "");
        if (s->form.nests[m] == 0) {
            put(w, "%s", whole);
        } else if (x.role == TSR_DIST_TABLE) {
            if (!put_sizes(s, w, s->d.table[m]))
                return false;
        } else if (x.block == tsr_ceil_div64(s->d.extent[m], x.extent)) {
            put(w, "BLOCK");
        } else {
            put(w, tsr_mul64_most(x.block, x.extent) >= s->d.extent[m] ? "BLOCK(%lld)" : "CYCLIC(%lld)",
                (long long)x.block);
        }
    }
    put(w, "),(");
    return true;
}

/** The ranks of the modes; `all`: of whole ones, too. */
static void put_grid(source const *s, writer *w, bool all)
{
    bool first = true;
    for (int m = 0; m < s->d.modes; ++m)
        if (all || s->form.nests[m] > 0) {
            put(w, "%s%lld", first ? "" : ",", (long long)split_of(s, m).extent);
            first = false;
        }
}

static bool write_hpf(source const *s, writer *w)
{
    if (!put_formats(s, w, "*", "HPF"))
        return false;
    put_grid(s, w, false);
    put(w, "))");
    return true;
}

static bool write_darray(source const *s, writer *w)
{
    if (!put_formats(s, w, "NONE", "MPI's darray"))
        return false;
    put_grid(s, w, true);
    put(w, s->d.modes > 1 && s->d.order[0] == 0 ? "),F)" : "))");
    return true;
}

/** The runs of a mode, also where a rule deals them. */
static void put_runs(source const *s, writer *w, int m)
{
    tsr_dist_split const x = split_of(s, m);
    tsr_dist_table const *const t = x.role == TSR_DIST_TABLE ? s->d.table[m] : NULL;
    int64_t const n = s->d.extent[m];
    put(w, "(");
    for (int64_t i = 0; t && i < t->count; ++i)
        put(w, "%s%lld:%lld", i ? "," : "", (long long)t->run[i].owner, (long long)t->run[i].length);
    for (int64_t at = 0, i = 0; !t && (at < n || i == 0) && w->used < w->size; ++i) {
        int64_t const in = at % x.period, length = tsr_min64(tsr_min64(x.block, x.period - in), n - at);
        put(w, "%s%lld:%lld", i ? "," : "", (long long)((in / x.block + x.turn) % x.extent), (long long)length);
        at += tsr_max64(length, 1);
    }
    put(w, ")");
}

static bool write_intervals(source const *s, writer *w)
{
    if (!is_dealt(s, "a list of intervals"))
        return false;
    put_integers(w, "((", s->d.modes, s->d.extent, ",", "),(");
    for (int m = 0; m < s->d.modes; ++m) {
        put(w, "%s", m ? "," : "");
        if (s->form.nests[m] == 0)
            put(w, "*");
        else
            put_runs(s, w, m);
    }
    put(w, "),(");
    put_grid(s, w, false);
    put(w, "))");
    return true;
}

/** The nearest text, which is not read or is another layout. */
static void complain(source const *s, char const *text, tsr_dist_layout const *read)
{
    char is[1024], was[1024];
    if (!read) {
        tsr_message const why = *s->error;
        (void)tsr_dist_fail_(s->error, "the nearest text is refused: %s", why.text);
        return;
    }
    tsr_dist_layout placed = *read;
    memcpy(placed.order, s->d.order, sizeof placed.order);
    memcpy(placed.pitch, s->d.pitch, sizeof placed.pitch);
    if (tsr_dist_same_(&s->d, &placed)) {
        (void)tsr_dist_fail_(s->error,
                             "the nearest text, %s, has the same elements on each rank, in another order of "
                             "its memory",
                             text);
        return;
    }
    tsr_dist_format_line(is, sizeof is, &s->d);
    tsr_dist_format_line(was, sizeof was, read);
    (void)tsr_dist_fail_(s->error, "the nearest text, %s, is %s, and not %s", text, was, is);
}

size_t tsr_dist_format_as(tsr_dist_system system, char *out, size_t size, tsr_dist_layout const *d,
                          tsr_message *error)
{
    static bool (*const write[])(source const *, writer *) = {write_scalapack, write_dtensor, write_xla,
                                                              write_hpf,       write_darray,  write_intervals};
    char text[TSR_TEXT_SIZE];
    tsr_dist_layout read;
    writer w;
    source s = {tsr_dist_normal_(d), {0}, error};
    if (!tsr_dist_check(d, error))
        return 0;
    s.form = tsr_dist_form_of_(&s.d);
    order_nests(&s.form);
    writer_open(&w, text, sizeof text);
    put(&w, "%s", tsr_dist_system_names_[system]);
    if (!write[system](&s, &w))
        return 0;
    if (s.d.first > 0)
        put(&w, "@%lld", (long long)s.d.first);
    if (w.used >= sizeof text)
        return tsr_dist_fail_(error, "the text has more than %d characters", TSR_TEXT_SIZE - 1), 0;
    bool const reads = tsr_dist_parse(text, &read, error);
    if (!reads || !tsr_dist_same_(&s.d, &read)) {
        complain(&s, text, reads ? &read : NULL);
        return 0;
    }
    writer_open(&w, out, size);
    put(&w, "%s", text);
    return w.used;
}
