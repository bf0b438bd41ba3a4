/** Placements as layouts: the axes that place, heads and groups. */
#include "reshard/layout.h"

#include <string.h>

#include "mesh/form.h"

reshard_mesh tsr_reshard_mesh_(tsr_reshard_spec const *spec, reshard_rule const *rule)
{
    reshard_mesh m = {0, {0}, {0}, 1};
    for (int a = 0; a < spec->axes; ++a)
        if (rule->axis[a].use == RESHARD_PLACED) {
            m.axis[m.axes] = a;
            m.size[m.axes++] = spec->axis[a].size;
            m.ranks *= spec->axis[a].size;
        }
    return m;
}

int64_t tsr_reshard_rank_(tsr_reshard_spec const *spec, reshard_rule const *rule, int64_t const *pin, int64_t sub)
{
    int64_t rank = 0, stride = 1;
    for (int a = spec->axes - 1; a >= 0; --a) {
        int64_t const n = spec->axis[a].size;
        bool const placed = rule->axis[a].use == RESHARD_PLACED;
        rank += (placed ? sub % n : pin[a]) * stride;
        sub = placed ? sub / n : sub;
        stride *= n;
    }
    return rank;
}

int64_t tsr_reshard_coordinate_(tsr_reshard_spec const *spec, int64_t rank, int axis)
{
    for (int a = spec->axes - 1; a > axis; --a)
        rank /= spec->axis[a].size;
    return rank % spec->axis[axis].size;
}

int64_t tsr_reshard_padded_(reshard_rule const *rule, int64_t rows)
{
    return rule->multiple  ? tsr_mul64_most(tsr_ceil_div64(rows, rule->pad), rule->pad)
           : rule->pad > 0 ? rule->pad
                           : rows;
}

static cutting cutting_of(tsr_reshard_spec const *spec, reshard_rule const *rule)
{
    cutting c = {.mesh = tsr_reshard_mesh_(spec, rule), .rule = rule, .sizes = rule->sizes, .mode = -1};
    for (int a = 0; a < c.mesh.axes; ++a)
        c.p[a] = rule->axis[c.mesh.axis[a]].placement;
    return c;
}

/** Which axis cuts mode 0; -1: none; -2: there are two, or it is no cut into chunks. */
static int cuts_rows(cutting const *c)
{
    int found = -1;
    for (int a = 0; a < c->mesh.axes; ++a)
        if (c->p[a].kind != TSR_PLACE_REPLICATE && c->p[a].mode == 0 && c->mesh.size[a] > 1)
            found = found == -1 && c->p[a].kind == TSR_PLACE_SHARD ? a : -2;
    return found;
}

/** An axis becomes two: `outer` ranks of its placement, and behind them the rest, of another one. */
static void split_axis(cutting *c, int axis, int64_t outer, tsr_placement inner)
{
    reshard_mesh *const m = &c->mesh;
    for (int a = m->axes++; a > axis; --a) {
        m->size[a] = m->size[a - 1];
        c->p[a] = c->p[a - 1];
    }
    m->size[axis + 1] = m->size[axis] / outer;
    m->size[axis] = outer;
    c->p[axis + 1] = inner;
}

/** Ranks have whole heads. Where there are more ranks than heads, neighbours have copies of one. */
static bool cut_heads(cutting *c, reshard_view const *view, tsr_message *error)
{
    int const axis = cuts_rows(c);
    int64_t const ranks = axis < 0 ? 1 : c->mesh.size[axis], heads = view->heads;
    if (axis == -2)
        return tsr_dist_fail_(error, "heads are cut by one axis into chunks, as S(0)");
    if (view->modes == 0 || view->extent[0] % heads != 0 || (ranks % heads != 0 && heads % ranks != 0))
        return tsr_dist_fail_(error,
                              "%lld rows are %lld heads of the same size, and one of %lld heads and %lld ranks is a "
                              "multiple of the other: not here",
                              view->modes > 0 ? (long long)view->extent[0] : 0LL, (long long)heads, (long long)heads,
                              (long long)ranks);
    if (ranks > heads)
        split_axis(c, axis, heads, (tsr_placement){TSR_PLACE_REPLICATE, 0, 0});
    return true;
}

/** More ranks than groups: each has an equal part of one group's rows, of whichever tensors they are. Of this tensor
 *  that is an interval of the rows that a group has of it. */
static bool cut_turns(cutting *c, reshard_view const *view, tsr_message *error)
{
    int const axis = cuts_rows(c);
    int64_t const ranks = axis < 0 ? 1 : c->mesh.size[axis], groups = view->groups, inner = ranks / groups;
    int64_t const own = view->extent[0] / groups;
    if (ranks <= groups)
        return axis != -2 || tsr_dist_fail_(error, "groups are cut by one axis into chunks, as S(0)");
    if (ranks % groups != 0 || inner > RESHARD_SIZES || view->turn % inner != 0)
        return tsr_dist_fail_(error,
                              "%lld ranks cut %lld groups of %lld rows: where they are more than groups each has an "
                              "equal part of one, of at most %d",
                              (long long)ranks, (long long)groups, (long long)view->turn, RESHARD_SIZES);
    split_axis(c, axis, groups, (tsr_placement){TSR_PLACE_SHARD, 1, 0});
    c->mode = 1;
    c->sizes.count = (int)inner;
    for (int64_t i = 0, size = view->turn / inner; i < inner; ++i) {
        int64_t const first = tsr_max64(i * size, view->before), last = tsr_min64((i + 1) * size, view->before + own);
        c->sizes.size[i] = tsr_max64(last - first, 0);
    }
    return true;
}

/** Groups of neighbours that both sides see as a mode of their own. */
static bool make_grouped(tsr_reshard_spec const *spec, reshard_rule const *rule, reshard_view const *view,
                         tsr_dist_layout *d, tsr_message *error)
{
    cutting c = cutting_of(spec, rule);
    int64_t extent[TSR_DIST_MODES];
    if (view->modes == 0 || view->modes == TSR_DIST_MODES || view->extent[0] % view->groups != 0)
        return tsr_dist_fail_(error, "%lld rows are not %lld groups",
                              view->modes > 0 ? (long long)view->extent[0] : 0LL, (long long)view->groups);
    extent[0] = view->groups;
    extent[1] = view->extent[0] / view->groups;
    memcpy(extent + 2, view->extent + 1, (size_t)(view->modes - 1) * sizeof *extent);
    if (rule->groups == 0) {
        tsr_dist_layout flat;
        tsr_message why;
        reshard_view one = *view;
        one.groups = 0;
        if (!tsr_reshard_layout_(spec, rule, &one, &flat, error))
            return false;
        return tsr_dist_view(&flat, view->modes + 1, extent, d, &why)
               || tsr_dist_fail_(error,
                                 "it does not cut between the %lld groups of the other spec, so write a whole model "
                                 "first: %.*s",
                                 (long long)view->groups, TSR_TEXT_SIZE / 2, why.text);
    }
    for (int a = 0; a < c.mesh.axes; ++a)
        c.p[a].mode += c.p[a].mode > 0;
    reshard_rule by_groups = *rule;
    by_groups.parts.count = 0;
    c.rule = &by_groups;
    return cut_turns(&c, view, error) && tsr_reshard_cut_(&c, view->modes + 1, extent, extent[0], d, error);
}

int64_t tsr_reshard_repeats_(tsr_reshard_spec const *spec, reshard_rule const *rule, int which, int axis)
{
    if (rule->heads.count == 0)
        return 1;
    cutting const c = cutting_of(spec, rule);
    int const cuts = cuts_rows(&c);
    int64_t const heads = rule->heads.size[which];
    return cuts >= 0 && c.mesh.axis[cuts] == axis && c.mesh.size[cuts] > heads ? c.mesh.size[cuts] / heads : 1;
}

bool tsr_reshard_layout_(tsr_reshard_spec const *spec, reshard_rule const *rule, reshard_view const *view,
                         tsr_dist_layout *d, tsr_message *error)
{
    if (view->groups > 0)
        return make_grouped(spec, rule, view, d, error);
    cutting c = cutting_of(spec, rule);
    return (view->heads == 0 || cut_heads(&c, view, error))
           && tsr_reshard_cut_(&c, view->modes, view->extent, view->rows_there, d, error);
}

bool tsr_reshard_layout_there_(tsr_reshard_spec const *spec, reshard_rule const *rule, reshard_view const *view,
                               tsr_dist_layout *d, tsr_message *error)
{
    reshard_view there = *view;
    if (there.modes > 0)
        there.extent[0] = view->rows_there;
    return tsr_reshard_layout_(spec, rule, &there, d, error);
}
