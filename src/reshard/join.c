/** Tensors of the target's files from those of the checkpoint that they join or stack. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reshard/reshard.h"

/** A target of one tensor, that is to be sorted: the first rank that has it. */
typedef struct named_target {
    char *name;
    int member;
    int64_t rank;
    reshard_side const *side;
} named_target;

static int64_t order_of_two(int64_t a, int64_t b) { return (a > b) - (a < b); }

static int by_target(void const *a, void const *b)
{
    named_target const *const x = (named_target const *)a, *const y = (named_target const *)b;
    int const names = strcmp(x->name, y->name);
    int64_t const ranks = order_of_two(x->rank, y->rank), slots = order_of_two(x->side->slot, y->side->slot);
    return names ? names : (int)(ranks ? ranks : slots ? slots : x->side->which - y->side->which);
}

/** Sorts targets by their names, of one name by ranks, and of one rank as they lie in the file. */
static void sort_targets(tsr_reshard *r, named_target *list)
{
    for (int64_t i = 0; i < r->targets; ++i) {
        reshard_tensor const *const t = &r->tensor[r->target[i].first];
        named_target const one = {
            r->target[i].name, r->target[i].first,
            tsr_reshard_rank_(r->spec[1], &r->spec[1]->rule[t->side[1].rule], t->side[1].pin, 0), &t->side[1]};
        list[i] = one;
    }
    if (r->targets > 1)
        qsort(list, (size_t)r->targets, sizeof *list, by_target);
}

reshard_tensor *tsr_reshard_member_(tsr_reshard const *r, reshard_target const *g, int k)
{
    return &r->tensor[r->member[g->first + k]];
}

/** Is each member the one that lies there, and does none lack? */
static bool check_members(tsr_reshard *r, reshard_target const *g)
{
    reshard_tensor const *const first = tsr_reshard_member_(r, g, 0);
    reshard_rule const *const rule = &r->spec[1]->rule[first->side[1].rule];
    int const joined = rule->joined, most = rule->stack[0] ? g->members : joined;
    for (int k = 1; k < g->members; ++k) {
        reshard_tensor const *const a = tsr_reshard_member_(r, g, k - 1), *const b = tsr_reshard_member_(r, g, k);
        if (a->side[1].rule != b->side[1].rule || k >= most
            || (a->side[1].which == b->side[1].which && a->side[1].slot == b->side[1].slot))
            return tsr_reshard_note_(r, TSR_RESHARD_TWICE, b->name, "tensors %s and %s both become %s", a->name,
                                     b->name, g->name);
    }
    int k = 0;
    while (k < g->members && tsr_reshard_member_(r, g, k)->side[1].which == k % joined
           && (!rule->stack[0] || tsr_reshard_member_(r, g, k)->side[1].slot == k / joined))
        ++k;
    if (k == g->members && k % joined == 0)
        return true;
    if (!rule->stack[0])
        return tsr_reshard_note_(r, TSR_RESHARD_MISSING, first->name,
                                 "%s joins %d tensors, of which %d are there, as %s", g->name, joined, g->members,
                                 first->name);
    return tsr_reshard_note_(
        r, TSR_RESHARD_MISSING, first->name, "%s stacks the tensors of all numbers {%s}: the one %s %s is not there",
        g->name, rule->stack, k > 0 ? "behind" : "before", tsr_reshard_member_(r, g, k > 0 ? k - 1 : 0)->name);
}

/** Are the members alike, but for the rows of the joined ones? */
static bool check_alike(tsr_reshard *r, reshard_target const *g)
{
    reshard_tensor const *const first = tsr_reshard_member_(r, g, 0);
    reshard_rule const *const rule = &r->spec[1]->rule[first->side[1].rule];
    for (int k = 0; k < g->members; ++k) {
        reshard_tensor *const t = tsr_reshard_member_(r, g, k);
        reshard_view const *const a = &tsr_reshard_member_(r, g, k % rule->joined)->side[0].view;
        reshard_view const *const b = &t->side[0].view, *const c = &first->side[0].view;
        bool same = c->modes == b->modes && first->to == t->to;
        for (int m = 0; same && m < b->modes; ++m)
            same = (m == 0 ? a : c)->extent[m] == b->extent[m];
        if (!same)
            return tsr_reshard_note_(r, TSR_RESHARD_SHAPE, t->name, "%s %s %s and %s, which differ in type or in %s",
                                     g->name, rule->stack[0] ? "stacks" : "joins", first->name, t->name,
                                     rule->stack[0] ? "shape" : "more than rows");
        for (int i = 0; i < rule->joined && b->modes > 0; ++i)
            t->side[1].rows[i] = tsr_reshard_member_(r, g, i)->side[0].view.extent[0];
        t->side[1].slots = rule->stack[0] ? g->members / rule->joined : 0;
    }
    return true;
}

static bool check_places(tsr_reshard *r, reshard_target const *g)
{
    tsr_message why;
    reshard_place place;
    for (int k = 0; k < g->members; ++k)
        for (int side = 0; side < 2; ++side) {
            reshard_tensor const *const t = tsr_reshard_member_(r, g, k);
            if (!tsr_reshard_place_(r, t, side, 0, &place, &why))
                return tsr_reshard_note_(
                    r, TSR_RESHARD_SHAPE, t->name, "tensor %s: line %d of the spec of the %s: %s", t->name,
                    r->spec[side]->rule[t->side[side].rule].line, side ? "target" : "source", why.text);
        }
    return true;
}

bool tsr_reshard_join_(tsr_reshard *r, tsr_message *error)
{
    named_target *const list = (named_target *)malloc((size_t)r->targets * sizeof *list + 1);
    int64_t done = 0, joined = 0;
    r->member = (int *)malloc((size_t)r->targets * sizeof *r->member + 1);
    if (!list || !r->member) {
        free(list);
        return snprintf(error->text, sizeof error->text, "out of memory"), false;
    }
    sort_targets(r, list);
    for (int64_t i = 0; i < r->targets; ++i) {
        reshard_target *const last = joined > 0 ? &r->target[joined - 1] : NULL;
        r->member[i] = list[i].member;
        if (last && strcmp(last->name, list[i].name) == 0 && list[i].rank == list[i - 1].rank) {
            ++last->members;
            free(list[i].name);
            continue;
        }
        reshard_target const one = {list[i].name, (int)i, 1};
        r->target[joined++] = one;
    }
    free(list);
    r->targets = joined;
    for (int64_t i = 0; i < joined; ++i) {
        reshard_target const g = r->target[i];
        if (check_members(r, &g) && check_alike(r, &g) && check_places(r, &g)) {
            r->target[done++] = g;
            continue;
        }
        for (int k = 0; k < g.members; ++k)
            tsr_reshard_member_(r, &g, k)->valid = false;
        free(g.name);
    }
    r->targets = done;
    return true;
}
