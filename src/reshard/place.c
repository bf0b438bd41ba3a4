/** Where the part of a rank lies in the tensor of a file, alone or joined with others.
 *
 *  Joined tensors lie one behind the other along mode 0, each rank's part of each. In groups they take turns: a group
 *  has rows of the first, of the second, and so on, so each is a tensor of (groups, rows of a group, ..) with a pitch.
 */
#include "reshard/match.h"

#include <string.h>

static reshard_rule const *rule_of(tsr_reshard const *r, reshard_tensor const *t, int side)
{
    return &r->spec[side]->rule[t->side[side].rule];
}

/** The rows of a part in files, of a tensor of `rows` rows like this one. */
static bool local_rows(tsr_reshard const *r, reshard_tensor const *t, int side, int64_t rows, int64_t sub,
                       int64_t *local, tsr_message *error)
{
    reshard_view view = t->side[side].view;
    tsr_dist_layout d;
    tsr_dist_part part;
    view.extent[0] = view.rows_there = rows;
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
    int const lead = s->view.groups > 0 ? 2 : 1, modes = s->view.modes;
    bool const turns = rule->groups > 0 && s->view.groups > 0 && rule->joined > 1;
    tsr_dist_part there;
    tsr_dist_layout d;
    int64_t inner = 1, before = 0, all = 0, sum = 0, first = 0;
    memset(place, 0, sizeof *place);
    if (!tsr_reshard_layout_there_(r->spec[side], rule, &s->view, &d, error)
        || !tsr_reshard_layout_(r->spec[side], rule, &s->view, &place->layout, error))
        return false;
    (void)tsr_dist_part_of(&d, sub, &there);
    for (int i = 0; i < rule->joined && modes > 0; ++i) {
        int64_t local = there.extent[0] * (lead == 2 ? there.extent[1] : 1);
        if (i != s->which && !local_rows(r, t, side, s->rows[i], sub, &local, error))
            return false;
        before += i < s->which ? local : 0;
        all += local;
        first += i < s->which && turns ? s->rows[i] / s->view.groups : 0;
        sum += turns ? s->rows[i] / s->view.groups : 0;
    }
    if (turns)
        place->layout.pitch[1] = sum;
    (void)tsr_dist_part_of(&place->layout, sub, &place->part);
    place->modes = modes;
    place->elements = 1;
    for (int m = 0; m < modes; ++m) {
        place->extent[m] = m == 0 ? all : there.extent[m + lead - 1];
        place->elements *= place->extent[m];
        inner *= m > 0 ? place->extent[m] : 1;
    }
    place->base = (turns ? first : before) * inner;
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
    for (int a = 0; a < spec->axes; ++a)
        original = original * spec->axis[a].size
                   + (tsr_reshard_copies_(r, t, side, a) ? 0 : tsr_reshard_coordinate_(spec, rank, a));
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
