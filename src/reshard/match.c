/** Names of files' tensors as names of whole tensors: rules, numbers that count from 0 on each coordinate of an axis,
 *  and a list of who has what. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reshard/match.h"

int tsr_reshard_rule_(tsr_reshard_spec const *spec, char const *name, reshard_captures *c)
{
    for (int i = 0; i < spec->rules; ++i)
        if (tsr_reshard_match_(spec->rule[i].name, name, c))
            return i;
    return -1;
}

int tsr_reshard_rule_of_(tsr_reshard_spec const *spec, char const *tensor, int *which, reshard_captures *c)
{
    for (int i = 0; i < spec->rules; ++i)
        for (int k = 0; k < spec->rule[i].joined && !spec->rule[i].skip; ++k)
            if (tsr_reshard_match_(spec->rule[i].as[k], tensor, c)) {
                *which = k;
                return i;
            }
    return -1;
}

int tsr_reshard_owner_(reshard_rule const *rule, char const *word)
{
    for (int a = 0; a < RESHARD_AXES; ++a)
        if (rule->axis[a].use == RESHARD_OWNED && strcmp(rule->axis[a].word, word) == 0)
            return a;
    return -1;
}

/** How many numbers of a word each coordinate of its axis has, where files count from 0. */
typedef struct word_counts {
    char word[RESHARD_WORD];
    int axis;
    int64_t *count; /* by coordinates; then: of all before */
} word_counts;

typedef struct matcher {
    tsr_reshard *r;
    word_counts counts[RESHARD_HOLES];
    int words;
    tsr_message *error;
} matcher;

static word_counts *counts_of(matcher *m, char const *word, int axis)
{
    for (int i = 0; i < m->words; ++i)
        if (strcmp(m->counts[i].word, word) == 0 && m->counts[i].axis == axis)
            return &m->counts[i];
    if (m->words == RESHARD_HOLES)
        return NULL;
    word_counts *const x = &m->counts[m->words];
    x->axis = axis;
    memcpy(x->word, word, sizeof x->word);
    x->count = (int64_t *)calloc((size_t)m->r->spec[0]->axis[axis].size + 1, sizeof *x->count);
    m->words += x->count != NULL;
    return x->count ? x : NULL;
}

/** The tensors of a stack: their number, as a word that counts from 0 where an axis owns it. 1: no stack; -1: there are
 *  too many, or no mode has them. */
static int64_t slots_of(reshard_rule const *rule, tsr_model_tensor const *t)
{
    enum { MOST_SLOTS = 1 << 16 };
    return !rule->stack[0] ? 1 : t->rank > 0 && t->extent[0] <= MOST_SLOTS ? t->extent[0] : -1;
}

static reshard_captures with_slot(reshard_rule const *rule, reshard_captures const *c, int64_t slot)
{
    reshard_captures one = *c;
    if (rule->stack[0])
        tsr_reshard_put_(&one, rule->stack, slot)->local = tsr_reshard_owner_(rule, rule->stack) >= 0;
    return one;
}

/** Counts local numbers, or makes them global. */
static bool each_local(matcher *m, reshard_rule const *rule, int64_t rank, reshard_captures *c, bool counts)
{
    for (int i = 0; i < c->count; ++i) {
        reshard_capture *const hole = &c->hole[i];
        int const axis = hole->local ? tsr_reshard_owner_(rule, hole->word) : -1;
        if (!hole->local)
            continue;
        word_counts *const x = axis >= 0 ? counts_of(m, hole->word, axis) : NULL;
        if (!x) {
            m->error->at = 0;
            snprintf(m->error->text, sizeof m->error->text,
                     "line %d of the spec: {%s-local} counts on no axis: one is owned by {%s}, as pp:{%s}",
                     rule->line, hole->word, hole->word, hole->word);
            return false;
        }
        int64_t const at = tsr_reshard_coordinate_(m->r->spec[0], rank, axis);
        reshard_sizes const *const owned = &rule->axis[axis].owned;
        if (owned->count > 0) /* the rule says how many each has */
            for (int64_t k = 0; k < at && !counts; ++k)
                hole->number += owned->size[k];
        else if (counts)
            x->count[at + 1] = tsr_max64(x->count[at + 1], hole->number + 1);
        else
            hole->number += x->count[at];
    }
    return true;
}

/** Calls for each tensor of each file that a rule matches. */
static bool each_tensor(matcher *m, bool (*see)(matcher *m, int source, int index, int rule, reshard_captures *c))
{
    for (int64_t s = 0; s < m->r->sources; ++s)
        for (int i = 0; i < m->r->source[s].model.count; ++i) {
            reshard_captures c;
            int const rule = tsr_reshard_rule_(m->r->spec[0], m->r->source[s].model.tensor[i].name, &c);
            if (!see(m, (int)s, i, rule, &c))
                return false;
        }
    return true;
}

static bool count_locals(matcher *m, int source, int index, int rule, reshard_captures *c)
{
    reshard_source const *const s = &m->r->source[source];
    reshard_rule const *const x = rule < 0 ? NULL : &m->r->spec[0]->rule[rule];
    int64_t const slots = !x || x->skip ? 0 : slots_of(x, &s->model.tensor[index]);
    if (slots < 1)
        return true;
    reshard_captures last = with_slot(x, c, slots - 1);
    return each_local(m, x, s->rank, &last, true);
}

/** The entries of the joined tensors of a slot. */
static bool add_slot(matcher *m, int source, int index, int rule, int64_t slot, reshard_captures *c)
{
    tsr_reshard *const r = m->r;
    reshard_rule const *const x = &r->spec[0]->rule[rule];
    if (!each_local(m, x, r->source[source].rank, c, false))
        return false;
    for (int k = 0; k < x->joined; ++k) {
        reshard_entry *const e = (reshard_entry *)tsr_reshard_more_((void **)&r->entry, &r->entries,
                                                                    &r->entry_capacity, sizeof *e, m->error);
        if (!e)
            return false;
        e->name = tsr_reshard_name_(x->as[k], c);
        e->rule = rule;
        e->which = k;
        e->slot = slot;
        e->source = source;
        e->rank = r->source[source].rank;
        e->index = index;
        if (!e->name) {
            m->error->at = 0;
            snprintf(m->error->text, sizeof m->error->text,
                     "line %d of the spec: %s has a star or a word that %s has not, or memory has run out", x->line,
                     x->as[k], x->name);
            return false;
        }
    }
    return true;
}

static bool add_entries(matcher *m, int source, int index, int rule, reshard_captures *c)
{
    tsr_reshard *const r = m->r;
    reshard_source const *const s = &r->source[source];
    char const *const name = s->model.tensor[index].name;
    if (rule < 0) {
        (void)tsr_reshard_note_(r, TSR_RESHARD_UNMATCHED, name,
                                "%s: no rule of --from names tensor %s; * R takes what is left", s->path, name);
        return true;
    }
    reshard_rule const *const x = &r->spec[0]->rule[rule];
    if (x->skip)
        return true;
    int64_t const slots = slots_of(x, &s->model.tensor[index]);
    if (slots < 0)
        (void)tsr_reshard_note_(r, TSR_RESHARD_SHAPE, name,
                                "%s: line %d of --from stacks {%s} along mode 0 of tensor %s, which has no modes, or "
                                "more than 65536 there",
                                s->path, x->line, x->stack, name);
    bool ok = true;
    for (int64_t slot = 0; ok && slot < slots; ++slot) {
        reshard_captures one = with_slot(x, c, slot);
        ok = add_slot(m, source, index, rule, slot, &one);
    }
    return ok;
}

static int by_name_and_rank(void const *a, void const *b)
{
    reshard_entry const *const x = (reshard_entry const *)a, *const y = (reshard_entry const *)b;
    int const names = strcmp(x->name, y->name);
    return names ? names : x->rank < y->rank ? -1 : x->rank > y->rank ? 1 : x->source - y->source;
}

bool tsr_reshard_entries_(tsr_reshard *r, tsr_message *error)
{
    matcher m = {r, {{"", 0, NULL}}, 0, error};
    bool ok = each_tensor(&m, count_locals);
    for (int i = 0; i < m.words; ++i)
        for (int64_t k = 1; k <= r->spec[0]->axis[m.counts[i].axis].size; ++k)
            m.counts[i].count[k] += m.counts[i].count[k - 1];
    ok = ok && each_tensor(&m, add_entries);
    for (int i = 0; i < m.words; ++i)
        free(m.counts[i].count);
    if (r->entries > 1)
        qsort(r->entry, (size_t)r->entries, sizeof *r->entry, by_name_and_rank);
    return ok;
}
