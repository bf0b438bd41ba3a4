/** Whole tensors from their parts: extents, and what is missing, twice or of another shape. */
#include "reshard/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tsr_model_tensor const *tensor_of(tsr_reshard const *r, reshard_entry const *e)
{
    return &r->source[e->source].model.tensor[e->index];
}

static char const *path_of(tsr_reshard const *r, reshard_entry const *e) { return r->source[e->source].path; }

/** Each entry is of one rule, and on the coordinates that the rule pins. */
static bool check_pins(tsr_reshard *r, reshard_tensor *t)
{
    tsr_reshard_spec const *const spec = r->spec[0];
    reshard_entry const *const e = &r->entry[t->first];
    reshard_rule const *const rule = &spec->rule[e->rule];
    for (int i = 1; i < t->count; ++i)
        if (e[i].rule != e->rule || e[i].which != e->which || e[i].slot != e->slot)
            return tsr_reshard_note_(
                r, TSR_RESHARD_TWICE, t->name, "tensor %s is %s of %s, and %s of %s: they are tensors of two rules",
                t->name, tensor_of(r, e)->name, path_of(r, e), tensor_of(r, &e[i])->name, path_of(r, &e[i]));
    for (int a = 0; a < spec->axes; ++a) {
        reshard_axis_rule const *const use = &rule->axis[a];
        if (use->use == RESHARD_PLACED)
            continue;
        int64_t const at = tsr_reshard_coordinate_(spec, e->rank, a);
        int64_t const wanted = use->use == RESHARD_OWNED ? at : use->at < 0 ? spec->axis[a].size - 1 : use->at;
        t->side[0].pin[a] = wanted;
        for (int i = 0; i < t->count; ++i)
            if (tsr_reshard_coordinate_(spec, e[i].rank, a) != wanted)
                return tsr_reshard_note_(r, TSR_RESHARD_TWICE, t->name,
                                         "%s has tensor %s, which the spec puts on coordinate %lld of axis %s alone",
                                         path_of(r, &e[i]), tensor_of(r, &e[i])->name, (long long)wanted,
                                         spec->axis[a].name);
    }
    return true;
}

/** One type and one number of modes. */
static bool check_types(tsr_reshard *r, reshard_tensor *t)
{
    reshard_entry const *const e = &r->entry[t->first];
    tsr_model_tensor const *const x = tensor_of(r, e);
    bool const stacked = r->spec[0]->rule[e->rule].stack[0] != 0;
    t->type = x->type;
    t->side[0].view.modes = x->rank - stacked;
    t->side[0].slot = e->slot;
    t->side[0].slots = stacked ? x->extent[0] : 0;
    if (x->type == 0 || tsr_dtype_bits(x->type) % 8 != 0)
        return tsr_reshard_note_(r, TSR_RESHARD_TYPE, t->name,
                                 "%s: tensor %s has the type %s, whose elements are no bytes", path_of(r, e), x->name,
                                 x->format);
    if (x->rank >= TSR_DIST_MODES)
        return tsr_reshard_note_(r, TSR_RESHARD_SHAPE, t->name,
                                 "%s: tensor %s has %d dimensions, at most %d are placed", path_of(r, e), x->name,
                                 x->rank, TSR_DIST_MODES - 1);
    for (int i = 1; i < t->count; ++i) {
        tsr_model_tensor const *const y = tensor_of(r, &e[i]);
        if (y->type != x->type)
            return tsr_reshard_note_(r, TSR_RESHARD_TYPE, t->name, "tensor %s has the type %s in %s, and %s in %s",
                                     x->name, x->format, path_of(r, e), y->format, path_of(r, &e[i]));
        if (y->rank != x->rank)
            return tsr_reshard_note_(r, TSR_RESHARD_SHAPE, t->name, "tensor %s has %d dimensions in %s, and %d in %s",
                                     x->name, x->rank, path_of(r, e), y->rank, path_of(r, &e[i]));
    }
    return true;
}

/** The extent of a mode in files: the sum over the ranks of the axes that cut it. An absent part has no elements. Where
 *  one copy is enough, one counts. */
static int64_t sum_extents(tsr_reshard const *r, reshard_tensor const *t, int mode)
{
    tsr_reshard_spec const *const spec = r->spec[0];
    reshard_rule const *const rule = &spec->rule[t->side[0].rule];
    int64_t sum = 0;
    for (int i = t->first; i < t->first + t->count; ++i) {
        bool counts = true;
        for (int a = 0; a < spec->axes; ++a) {
            reshard_axis_rule const *const use = &rule->axis[a];
            bool const cuts = use->placement.kind != TSR_PLACE_REPLICATE && use->placement.mode == mode;
            bool const any = rule->once && tsr_reshard_copies_(r, t, 0, a);
            if (use->use == RESHARD_PLACED && !cuts && !any)
                counts = counts
                         && tsr_reshard_coordinate_(spec, r->entry[i].rank, a)
                                == tsr_reshard_coordinate_(spec, r->entry[t->first].rank, a);
        }
        if (counts && rule->once) /* of copies one */
            counts = tsr_reshard_entry_(r, t, tsr_reshard_original_(r, t, 0, r->entry[i].rank)) == &r->entry[i];
        int64_t const extent = tensor_of(r, &r->entry[i])->extent[mode + (rule->stack[0] != 0)];
        sum += counts ? tsr_min64(extent, TSR_DIST_ELEMENTS - sum) : 0;
    }
    return sum;
}

/** On how many ranks each row is, where these are more than heads. */
static int64_t repeats_of(tsr_reshard const *r, reshard_rule const *rule, int which)
{
    int64_t repeats = 1;
    for (int a = 0; a < r->spec[0]->axes; ++a)
        repeats *= tsr_reshard_repeats_(r->spec[0], rule, which, a);
    return repeats;
}

/** The rows of each of the tensors that a file joins. */
static bool split_rows(tsr_reshard *r, reshard_tensor *t, reshard_rule const *rule, int64_t rows)
{
    reshard_side *const s = &t->side[0];
    int64_t sum = 0;
    for (int i = 0; i < rule->joined; ++i) {
        int64_t const repeats = repeats_of(r, rule, i);
        s->rows[i] = rule->joined == 1          ? rows / repeats
                     : rule->parts.size[0] == 0 ? rows / rule->joined
                                                : rule->parts.size[i];
        sum += tsr_mul64_most(s->rows[i], repeats);
    }
    if (rule->joined > 1 && rule->parts.count == 0)
        return tsr_reshard_note_(r, TSR_RESHARD_SHAPE, t->name,
                                 "%s joins %d tensors in %lld rows: say how many each has, as parts(4096,1024,1024)",
                                 rule->name, rule->joined, (long long)rows);
    if (sum != rows)
        return tsr_reshard_note_(r, TSR_RESHARD_SHAPE, t->name,
                                 "%s has %lld rows in files, and its parts %lld together",
                                 tensor_of(r, &r->entry[t->first])->name, (long long)rows, (long long)sum);
    return true;
}

/** The extents of the whole, and of what files have. */
static bool find_extents(tsr_reshard *r, reshard_tensor *t, reshard_rule const *rule)
{
    reshard_view *const v = &t->side[0].view;
    for (int m = 0; m < v->modes; ++m)
        v->extent[m] = sum_extents(r, t, m);
    int64_t const rows = v->modes > 0 ? v->extent[0] : 0;
    v->groups = rule->groups;
    v->rows_there = rows;
    if (v->modes == 0)
        return rule->joined == 1
               || tsr_reshard_note_(r, TSR_RESHARD_SHAPE, t->name, "%s has no rows to be joined", t->name);
    if (rule->pad > 0 && rule->rows == 0)
        return tsr_reshard_note_(
            r, TSR_RESHARD_SHAPE, t->name,
            "%s has %lld rows in files, some of which are padding: say how many are not, as rows %lld", t->name,
            (long long)rows, (long long)rows);
    if (rule->rows > rows || (rule->pad > 0 && rows != tsr_reshard_padded_(rule, rule->rows)))
        return tsr_reshard_note_(
            r, TSR_RESHARD_SHAPE, t->name, "%s has %lld rows in files: the spec says %lld, and %lld with padding",
            t->name, (long long)rows, (long long)rule->rows, (long long)tsr_reshard_padded_(rule, rule->rows));
    if (!split_rows(r, t, rule, rows))
        return false;
    v->extent[0] = rule->rows > 0 ? rule->rows : t->side[0].rows[t->side[0].which];
    v->rows_there = rule->joined > 1 || rule->heads.count > 0 ? v->extent[0] : rows;
    return true;
}

/** Writes extents as (4,8). */
static void put_extents(char *out, size_t size, int n, int64_t const *extent)
{
    size_t at = (size_t)snprintf(out, size, "(");
    for (int m = 0; m < n && at < size; ++m)
        at += (size_t)snprintf(out + at, size - at, "%s%lld", m ? "," : "", (long long)extent[m]);
    if (at < size)
        snprintf(out + at, size - at, ")");
}

/** Notes a part that no file has; of a rank without files once. */
static void note_missing(tsr_reshard *r, reshard_tensor const *t, int64_t rank)
{
    bool const any = r->seen[rank] == RESHARD_SEEN;
    if (any)
        (void)tsr_reshard_note_(r, TSR_RESHARD_MISSING, t->name, "tensor %s: no file has the part of rank %lld",
                                t->name, (long long)rank);
    else if (r->seen[rank] == RESHARD_UNSEEN)
        (void)tsr_reshard_note_(r, TSR_RESHARD_MISSING, t->name,
                                "no file has the parts of rank %lld, as of tensor %s", (long long)rank, t->name);
    if (!any)
        r->seen[rank] = RESHARD_NOTED;
}

/** Is the part of each rank there? An absent part may be an empty one, but where the spec does not say the rows of the
 *  whole, nothing tells it from a lost one. */
static bool check_missing(tsr_reshard *r, reshard_tensor *t, int64_t ranks)
{
    tsr_reshard_spec const *const spec = r->spec[0];
    reshard_rule const *const rule = &spec->rule[t->side[0].rule];
    reshard_entry const *e = &r->entry[t->first], *const end = e + t->count;
    bool ok = true;
    for (int64_t sub = 0; sub < ranks; ++sub) {
        int64_t const rank = tsr_reshard_rank_(spec, rule, t->side[0].pin, sub);
        reshard_place place;
        tsr_message why;
        while (e < end && e->rank < rank)
            ++e;
        if ((e < end && e->rank == rank) || (rule->once && tsr_reshard_entry_(r, t, rank)))
            continue;
        if (!tsr_reshard_place_(r, t, 0, sub, &place, &why))
            return tsr_reshard_note_(r, TSR_RESHARD_SHAPE, t->name,
                                     "tensor %s: line %d of the spec of the source: %s", t->name, rule->line,
                                     why.text);
        if (place.elements == 0 && rule->rows > 0)
            continue;
        note_missing(r, t, rank);
        ok = false;
    }
    return ok;
}

/** Has each rank one part, of the shape that the spec says? */
static bool check_parts(tsr_reshard *r, reshard_tensor *t)
{
    tsr_reshard_spec const *const spec = r->spec[0];
    reshard_rule const *const rule = &spec->rule[t->side[0].rule];
    bool ok = check_missing(r, t, tsr_reshard_mesh_(spec, rule).ranks);
    for (reshard_entry const *e = &r->entry[t->first]; ok && e < &r->entry[t->first] + t->count; ++e) {
        char wanted[TSR_DIST_MODES * 24], found[TSR_DIST_MODES * 24];
        tsr_model_tensor const *const x = tensor_of(r, e);
        reshard_place place;
        tsr_message why;
        int64_t sub = 0;
        if (e > &r->entry[t->first] && e[-1].rank == e->rank)
            return tsr_reshard_note_(r, TSR_RESHARD_TWICE, t->name, "%s and %s both have tensor %s of rank %lld",
                                     path_of(r, e - 1), path_of(r, e), x->name, (long long)e->rank);
        (void)tsr_reshard_holds_(r, t, 0, e->rank, &sub);
        if (!tsr_reshard_place_(r, t, 0, sub, &place, &why))
            return tsr_reshard_note_(r, TSR_RESHARD_SHAPE, t->name,
                                     "tensor %s: line %d of the spec of the source: %s", t->name, rule->line,
                                     why.text);
        if (memcmp(x->extent, place.extent, (size_t)place.modes * sizeof *x->extent) == 0)
            continue;
        put_extents(found, sizeof found, x->rank, x->extent);
        put_extents(wanted, sizeof wanted, place.modes, place.extent);
        ok = tsr_reshard_note_(r, TSR_RESHARD_SHAPE, t->name, "%s: tensor %s is %s, and the spec says %s",
                               path_of(r, e), x->name, found, wanted);
    }
    return ok;
}

int64_t tsr_reshard_find_(tsr_reshard const *r, char const *name)
{
    int64_t low = 0, high = r->tensors;
    while (low < high) {
        int64_t const middle = low + (high - low) / 2;
        int const order = strcmp(r->tensor[middle].name, name);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/** Where numbers own axes, a rank without a file may be a lost one: its tensors would be missed by nobody, and those
 *  behind it would be counted from a smaller number. */
static void check_ranks(tsr_reshard *r)
{
    tsr_reshard_spec const *const spec = r->spec[0];
    if (spec->owners == 0 || tsr_reshard_is_npy_(spec))
        return;
    for (int64_t rank = 0; rank < tsr_reshard_ranks_(spec); ++rank)
        if (r->seen[rank] == RESHARD_UNSEEN) {
            (void)tsr_reshard_note_(r, TSR_RESHARD_MISSING, "", "rank %lld has no file, and numbers own axis %s",
                                    (long long)rank, spec->axis[spec->owner[0].axis].name);
            r->seen[rank] = RESHARD_NOTED;
        }
}

bool tsr_reshard_tensors_(tsr_reshard *r, tsr_message *error)
{
    r->seen = (char *)calloc((size_t)tsr_reshard_ranks_(r->spec[0]), 1);
    if (!r->seen)
        return snprintf(error->text, sizeof error->text, "out of memory for the ranks of the source"), false;
    for (int64_t i = 0; i < r->sources; ++i)
        r->seen[r->source[i].rank] = RESHARD_SEEN;
    check_ranks(r);
    if (!tsr_reshard_entries_(r, error))
        return false;
    for (int64_t i = 0, next; i < r->entries; i = next) {
        for (next = i + 1; next < r->entries && strcmp(r->entry[i].name, r->entry[next].name) == 0;)
            ++next;
        reshard_tensor *const t = (reshard_tensor *)tsr_reshard_more_((void **)&r->tensor, &r->tensors,
                                                                      &r->tensor_capacity, sizeof *t, error);
        if (!t)
            return false;
        t->name = r->entry[i].name;
        t->first = (int)i;
        t->count = (int)(next - i);
        t->side[0].rule = r->entry[i].rule;
        t->side[0].which = r->entry[i].which;
        t->valid = check_pins(r, t) && check_types(r, t) && find_extents(r, t, &r->spec[0]->rule[t->side[0].rule])
                   && check_parts(r, t);
    }
    return true;
}
