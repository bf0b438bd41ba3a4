/** Tensors of the target: which rule makes each, and on which coordinates of the mesh. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/types.h"
#include "reshard/match.h"

/** The most numbers that a word has. */
typedef struct word_most {
    char word[RESHARD_WORD];
    int64_t count;
} word_most;

typedef struct namer {
    tsr_reshard *r;
    word_most most[RESHARD_HOLES];
    int words;
    int64_t
        *counted[RESHARD_HOLES]; /* by owners of the spec: what files of each coordinate count numbers to; or NULL */
    tsr_message *error;
} namer;

static word_most *most_of(namer *n, char const *word)
{
    int i = 0;
    while (i < n->words && strcmp(n->most[i].word, word) != 0)
        ++i;
    if (i == RESHARD_HOLES)
        return NULL;
    if (i == n->words) {
        memcpy(n->most[n->words].word, word, RESHARD_WORD);
        n->most[n->words++].count = 0;
    }
    return &n->most[i];
}

/** How many numbers there are of words that own axes. */
static void count_words(namer *n)
{
    tsr_reshard_spec const *const spec = n->r->spec[1];
    for (int64_t i = 0; i < n->r->tensors; ++i) {
        reshard_captures c;
        int which = 0;
        int const rule = tsr_reshard_rule_of_(spec, n->r->tensor[i].name, &which, &c);
        for (int k = 0; rule >= 0 && k < c.count; ++k) {
            word_most *const w = c.hole[k].word[0] && tsr_reshard_owner_(&spec->rule[rule], c.hole[k].word) >= 0
                                     ? most_of(n, c.hole[k].word)
                                     : NULL;
            if (w)
                w->count = tsr_max64(w->count, c.hole[k].number + 1);
        }
    }
}

/** The coordinate that owns a number, and the first number that it owns; -1: the sizes end before. */
static int64_t owner_of(reshard_axis_rule const *use, int64_t size, int64_t all, int64_t number, int64_t *first)
{
    int64_t const chunk = tsr_max64(tsr_ceil_div64(all, size), 1);
    *first = 0;
    if (use->owned.count == 0)
        return *first = number / chunk * chunk, number / chunk;
    for (int i = 0; i < use->owned.count; *first += use->owned.size[i++])
        if (number < *first + use->owned.size[i])
            return i;
    return -1;
}

/** Numbers that count from 0 on each coordinate, as names or in stacks: where no sizes say how many each has, a reader
 *  counts what is there. */
static void count_there(namer *n, reshard_axis_rule const *use, int axis, int64_t at, int64_t number)
{
    tsr_reshard_spec const *const spec = n->r->spec[1];
    for (int i = 0; i < spec->owners && use->owned.count == 0; ++i) {
        if (spec->owner[i].axis != axis || strcmp(spec->owner[i].word, use->word) != 0)
            continue;
        if (!n->counted[i])
            n->counted[i] = (int64_t *)calloc((size_t)spec->axis[axis].size, sizeof **n->counted);
        if (n->counted[i])
            n->counted[i][at] = tsr_max64(n->counted[i][at], number + 1);
    }
}

/** Would the numbers be what they are when the files are read? */
static void check_counts(namer *n)
{
    tsr_reshard_spec const *const spec = n->r->spec[1];
    for (int i = 0; i < spec->owners; ++i) {
        reshard_owner const *const owner = &spec->owner[i];
        word_most const *const w = n->counted[i] ? most_of(n, owner->word) : NULL;
        int64_t const chunk = w ? tsr_max64(tsr_ceil_div64(w->count, spec->axis[owner->axis].size), 1) : 0;
        for (int64_t at = 0; w && (at + 1) * chunk < w->count; ++at) {
            if (n->counted[i][at] == (at + 1) * chunk)
                continue;
            (void)tsr_reshard_note_(
                n->r, TSR_RESHARD_MISSING, "",
                "coordinate %lld of axis %s has numbers of {%s} to %lld, and no tensor of the last one: numbers that "
                "count from 0 there would be read as others. Say how many each has, as %s:{%s}(2,1)",
                (long long)at, spec->axis[owner->axis].name, owner->word, (long long)((at + 1) * chunk - 1),
                spec->axis[owner->axis].name, owner->word);
            break;
        }
        free(n->counted[i]);
        n->counted[i] = NULL;
    }
}

static bool find_pins(namer *n, reshard_tensor *t, reshard_rule const *rule, reshard_captures *c)
{
    tsr_reshard_spec const *const spec = n->r->spec[1];
    reshard_captures global = *c;
    reshard_capture const *const slot = rule->stack[0] ? tsr_reshard_captured_(&global, rule->stack) : NULL;
    t->side[1].slot = slot ? slot->number : 0;
    for (int a = 0; a < spec->axes; ++a) {
        reshard_axis_rule const *const use = &rule->axis[a];
        int64_t const size = spec->axis[a].size;
        if (use->use == RESHARD_PINNED)
            t->side[1].pin[a] = use->at < 0 ? size - 1 : use->at;
        if (use->use != RESHARD_OWNED)
            continue;
        reshard_capture const *const hole = tsr_reshard_captured_(&global, use->word);
        word_most const *const w = hole ? most_of(n, use->word) : NULL;
        int64_t first = 0, at = w ? owner_of(use, size, w->count, hole->number, &first) : -1;
        if (at < 0)
            return tsr_reshard_note_(
                n->r, TSR_RESHARD_UNMATCHED, t->name,
                "tensor %s: line %d of --to: the sizes of axis %s are %lld together, and {%s} is "
                "%lld: let one be larger",
                t->name, rule->line, spec->axis[a].name, (long long)first, use->word,
                hole ? (long long)hole->number : -1LL);
        t->side[1].pin[a] = at;
        t->side[1].slot -= strcmp(use->word, rule->stack) == 0 ? first : 0;
        if (strcmp(use->word, rule->stack) == 0)
            count_there(n, use, a, at, hole->number);
        reshard_capture hole_of_name;
        int width = 0;
        for (char const *p = rule->name; p && *p;) /* numbers of the name that count from 0 here */
            if (*p == '{' || *p == '*') {
                p = tsr_reshard_hole_(p, &hole_of_name, &width);
                reshard_capture *const local = tsr_reshard_captured_(c, use->word);
                if (p && hole_of_name.local && local && strcmp(hole_of_name.word, use->word) == 0) {
                    local->number -= first;
                    count_there(n, use, a, at, hole->number);
                }
            } else {
                ++p;
            }
    }
    return true;
}

static tsr_dtype cast_of(tsr_reshard const *r, reshard_tensor const *t)
{
    for (int i = 0; i < r->casts; ++i)
        if (fnmatch(r->cast[i].pattern, t->name, 0) == 0)
            return t->type == TSR_F64 || t->type == TSR_F32 || t->type == TSR_F16 || t->type == TSR_BF16
                       ? r->cast[i].type
                       : t->type;
    return t->type;
}

/** How the target's rule sees the tensor. */
static bool find_view(namer *n, reshard_tensor *t, reshard_rule const *rule)
{
    reshard_view *const from = &t->side[0].view, *const to = &t->side[1].view;
    int64_t const rows = from->modes > 0 ? from->extent[0] : 0, padded = tsr_reshard_padded_(rule, rows);
    *to = *from;
    to->rows_there = rows;
    to->groups = rule->groups;
    if (from->groups > 0 && to->groups > 0 && from->groups != to->groups)
        return tsr_reshard_note_(n->r, TSR_RESHARD_SHAPE, t->name,
                                 "tensor %s has %lld groups, and --to wants %lld of them", t->name,
                                 (long long)from->groups, (long long)to->groups);
    from->groups = to->groups = tsr_max64(from->groups, to->groups);
    if (rule->joined > 1 && from->modes == 0)
        return tsr_reshard_note_(n->r, TSR_RESHARD_SHAPE, t->name, "tensor %s has no rows to be joined", t->name);
    if ((rule->pad || rule->rows) && from->modes > 0) {
        if (rule->rows > 0 && rule->rows != rows)
            return tsr_reshard_note_(n->r, TSR_RESHARD_SHAPE, t->name, "tensor %s has %lld rows, and --to says %lld",
                                     t->name, (long long)rows, (long long)rule->rows);
        if (padded < rows)
            return tsr_reshard_note_(n->r, TSR_RESHARD_SHAPE, t->name,
                                     "tensor %s has %lld rows, and --to pads to %lld", t->name, (long long)rows,
                                     (long long)padded);
        to->rows_there = padded;
    }
    return true;
}

/** Can files of the target have the type and the name of a tensor? */
static bool check_in_file(namer *n, reshard_tensor const *t, char const *name)
{
    bool const npy = tsr_reshard_is_npy_(n->r->spec[1]);
    char const *const type = npy ? tsr_npy_descr(t->to) : tsr_io_safetensors_of_type_(t->to);
    if (!type || (npy && type[1] == 'V'))
        return tsr_reshard_note_(n->r, TSR_RESHARD_TYPE, t->name, "tensor %s has a type that %s do not: %s", t->name,
                                 npy ? "arrays of NumPy" : "files of safetensors",
                                 npy ? "cast it, or write .safetensors" : "write .npy");
    return !npy || (name[0] && name[0] != '.' && !strchr(name, '/'))
           || tsr_reshard_note_(n->r, TSR_RESHARD_UNMATCHED, t->name,
                                "tensor %s of the target: a name that is none of a file", name);
}

static bool name_target(namer *n, int64_t index)
{
    tsr_reshard *const r = n->r;
    reshard_tensor *const t = &r->tensor[index];
    reshard_captures c;
    int const rule = tsr_reshard_rule_of_(r->spec[1], t->name, &t->side[1].which, &c);
    if (rule < 0) {
        t->valid = tsr_reshard_note_(r, TSR_RESHARD_UNMATCHED, t->name,
                                     "no rule of --to names tensor %s; * R takes what is left", t->name);
        return true;
    }
    reshard_rule const *const x = &r->spec[1]->rule[rule];
    t->side[1].rule = rule;
    t->to = cast_of(r, t);
    reshard_capture const *const slot = x->stack[0] ? tsr_reshard_captured_(&c, x->stack) : NULL;
    t->valid =
        find_pins(n, t, x, &c) && find_view(n, t, x)
        && (!slot || slot->width == 0
            || tsr_reshard_note_(r, TSR_RESHARD_UNMATCHED, t->name,
                                 "tensor %s: a stack would lose the zeros of its number: write {%s:0%d} behind "
                                 "`as` in line %d of --to",
                                 t->name, x->stack, slot->width, x->line));
    if (!t->valid)
        return true;
    reshard_target *const g = (reshard_target *)tsr_reshard_more_((void **)&r->target, &r->targets,
                                                                  &r->target_capacity, sizeof *g, n->error);
    if (!g)
        return false;
    g->first = (int)index;
    g->members = 1;
    g->name = tsr_reshard_name_(x->name, &c);
    if (g->name && !check_in_file(n, t, g->name)) {
        t->valid = false;
        free(g->name);
        --r->targets;
        return true;
    }
    if (g->name)
        return true;
    n->error->at = 0;
    snprintf(n->error->text, sizeof n->error->text,
             "line %d of the spec of the target: %s has a star or a word that %s has not, or memory has run out",
             x->line, x->name, x->as[t->side[1].which]);
    return false;
}

bool tsr_reshard_targets_(tsr_reshard *r, tsr_message *error)
{
    namer n = {r, {{"", 0}}, 0, {NULL}, error};
    bool ok = true;
    count_words(&n);
    for (int64_t i = 0; ok && i < r->tensors; ++i)
        ok = !r->tensor[i].valid || name_target(&n, i);
    check_counts(&n);
    return ok && tsr_reshard_join_(r, error);
}
