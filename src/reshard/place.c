/** Where the part of a rank lies in the tensor of a file, alone or joined with others.
 *
 *  Joined tensors lie one behind the other along mode 0, each rank's part of each. In groups they take turns: a group
 *  has rows of the first, of the second, and so on, so each is a tensor of (groups, rows of a group, ..) with a pitch.
 *  A rank that has a part of one group has no turns: its parts lie one behind the other again.
 */
#include "reshard/match.h"

#include <string.h>

#include "mesh/form.h"

static reshard_rule const *rule_of(tsr_reshard const *r, reshard_tensor const *t, int side)
{
    return &r->spec[side]->rule[t->side[side].rule];
}

/** How the rule sees tensor `which` of the joined ones. */
static reshard_view view_of(tsr_reshard const *r, reshard_tensor const *t, int side, int which)
{
    reshard_side const *const s = &t->side[side];
    reshard_rule const *const rule = rule_of(r, t, side);
    reshard_view view = s->view;
    view.heads = rule->heads.count > 0 ? rule->heads.size[which] : 0;
    if (which != s->which)
        view.extent[0] = view.rows_there = s->rows[which];
    for (int i = 0; i < rule->joined && view.groups > 0 && view.modes > 0; ++i) {
        int64_t const rows = (rule->joined == 1 ? view.extent[0] : s->rows[i]) / view.groups;
        view.before += i < which ? rows : 0;
        view.turn += rows;
    }
    return view;
}

/** The same, as the files of this side have it, which know nothing of the other one's groups. */
static reshard_view view_in_files(reshard_rule const *rule, reshard_view view)
{
    view.groups = rule->groups > 0 ? view.groups : 0;
    return view;
}

/** The rows of the part of tensor `which` in files. */
static bool local_rows(tsr_reshard const *r, reshard_tensor const *t, int side, int which, int64_t sub,
                       int64_t *local, tsr_message *error)
{
    reshard_view const view = view_in_files(rule_of(r, t, side), view_of(r, t, side, which));
    tsr_dist_layout d;
    tsr_dist_part part;
    if (!tsr_reshard_layout_(r->spec[side], rule_of(r, t, side), &view, &d, error))
        return false;
    (void)tsr_dist_part_of(&d, sub, &part);
    *local = part.extent[0] * (view.groups > 0 ? part.extent[1] : 1);
    return true;
}

bool tsr_reshard_place_(tsr_reshard const *r, reshard_tensor const *t, int side, int64_t sub, reshard_place *place,
                        tsr_message *error)
{
    reshard_side const *const s = &t->side[side];
    reshard_rule const *const rule = rule_of(r, t, side);
    reshard_view const view = view_of(r, t, side, s->which), in_files = view_in_files(rule, view);
    int const lead = in_files.groups > 0 ? 2 : 1, modes = view.modes;
    tsr_dist_part there;
    tsr_dist_layout d;
    tsr_message why;
    int64_t inner = 1, before = 0, all = 0;
    memset(place, 0, sizeof *place);
    if (!tsr_reshard_layout_there_(r->spec[side], rule, &in_files, &d, error)
        || !tsr_reshard_layout_(r->spec[side], rule, &view, &place->layout, error))
        return false;
    (void)tsr_dist_part_of(&d, sub, &there);
    bool const turns = rule->groups > 0 && view.groups > 0 && rule->joined > 1 && there.extent[0] > 1;
    for (int i = 0; i < rule->joined && modes > 0; ++i) {
        int64_t local = there.extent[0] * (lead == 2 ? there.extent[1] : 1);
        if (i != s->which && !local_rows(r, t, side, i, sub, &local, &why))
            return tsr_dist_fail_(error, "it is joined with %s: %s", rule->as[i], why.text);
        before += i < s->which ? local : 0;
        all += local;
    }
    if (turns)
        place->layout.pitch[1] = view.turn;
    (void)tsr_dist_part_of(&place->layout, sub, &place->part);
    place->modes = modes;
    place->elements = 1;
    for (int m = 0; m < modes; ++m) {
        place->extent[m] = m == 0 ? all : there.extent[m + lead - 1];
        place->elements *= place->extent[m];
        inner *= m > 0 ? place->extent[m] : 1;
    }
    place->base = (turns ? view.before : before) * inner;
    if (s->slots > 0) { /* mode 0 of the file's tensor counts the stacked ones */
        memmove(place->extent + 1, place->extent, (size_t)modes * sizeof *place->extent);
        place->extent[0] = s->slots;
        place->base += s->slot * place->elements;
        place->elements *= s->slots;
        ++place->modes;
    }
    return true;
}

bool tsr_reshard_holds_(tsr_reshard const *r, reshard_tensor const *t, int side, int64_t rank, int64_t *sub)
{
    tsr_reshard_spec const *const spec = r->spec[side];
    reshard_rule const *const rule = rule_of(r, t, side);
    *sub = 0;
    for (int a = 0; a < spec->axes; ++a) {
        int64_t const x = tsr_reshard_coordinate_(spec, rank, a);
        if (rule->axis[a].use == RESHARD_PLACED)
            *sub = *sub * spec->axis[a].size + x;
        else if (x != t->side[side].pin[a])
            return false;
    }
    return !rule->once || tsr_reshard_original_(r, t, side, rank) == rank;
}

bool tsr_reshard_copies_(tsr_reshard const *r, reshard_tensor const *t, int side, int axis)
{
    reshard_axis_rule const *const use = &rule_of(r, t, side)->axis[axis];
    return use->use == RESHARD_PLACED
           && (use->placement.kind == TSR_PLACE_REPLICATE || t->side[side].view.modes == 0);
}

int64_t tsr_reshard_original_(tsr_reshard const *r, reshard_tensor const *t, int side, int64_t rank)
{
    tsr_reshard_spec const *const spec = r->spec[side];
    int64_t original = 0;
    for (int a = 0; a < spec->axes; ++a) {
        int64_t const x = tsr_reshard_coordinate_(spec, rank, a);
        int64_t const repeats = tsr_reshard_repeats_(spec, rule_of(r, t, side), t->side[side].which, a);
        original = original * spec->axis[a].size + (tsr_reshard_copies_(r, t, side, a) ? 0 : x - x % repeats);
    }
    return original;
}

reshard_entry const *tsr_reshard_entry_(tsr_reshard const *r, reshard_tensor const *t, int64_t rank)
{
    reshard_entry const *const e = &r->entry[t->first];
    int64_t low = 0, high = t->count;
    while (low < high) {
        int64_t const middle = low + (high - low) / 2;
        if (e[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < t->count && e[low].rank == rank)
        return &e[low];
    int64_t const original = tsr_reshard_original_(r, t, 0, rank);
    for (low = 0; rule_of(r, t, 0)->once && low < t->count; ++low)
        if (tsr_reshard_original_(r, t, 0, e[low].rank) == original)
            return &e[low];
    return NULL;
}

void const *tsr_reshard_memory_(tsr_reshard const *r, reshard_tensor const *t, int64_t sub,
                                reshard_place const *place)
{
    int64_t const rank = tsr_reshard_rank_(r->spec[0], rule_of(r, t, 0), t->side[0].pin, sub);
    reshard_entry const *const e = tsr_reshard_entry_(r, t, rank);
    if (!e)
        return NULL;
    tsr_model const *const m = &r->source[e->source].model;
    return m->data + m->tensor[e->index].begin + place->base * (tsr_dtype_bits(t->type) / 8);
}
