/** Calls by name: finds the row of the table of operations that fits the arguments, and runs it. */
#include <string.h>

#include "calc/value.h"
#include "tile/take.h"

/** The arguments from `first` on as one tuple, or as one tiler. A single argument stays as it is, unless `wrap`. */
static tsr_tuple pack_tuples(call const *c, int first)
{
    tsr_tuple r = TSR_ZERO;
    for (int i = first; i < c->args; ++i)
        tsr_tuple_push(&r, &c->arg[i].as.tuple);
    return c->args - first == 1 ? c->arg[first].as.tuple : tsr_tuple_close(r);
}

static tsr_tiler pack_tilers(call const *c, int first, bool wrap)
{
    tsr_tiler r = TSR_ZERO;
    if (c->args - first == 1 && !wrap)
        return tsr_value_tiler_(&c->arg[first]);
    for (int i = first; i < c->args; ++i) {
        tsr_tiler const t = tsr_value_tiler_(&c->arg[i]);
        tsr_tiler_push(&r, &t);
    }
    return tsr_tiler_close(r);
}

/** Is a value of one of these kinds? */
static bool is_one_of(value const *v, char const *kinds)
{
    while (*kinds && v->kind != tsr_kind_of_letter_(*kinds))
        ++kinds;
    return *kinds != 0;
}

/** Are all arguments from `first` on of these kinds, and without labels? */
static bool all_are(call const *c, int first, char const *kinds)
{
    while (first < c->args && is_one_of(&c->arg[first], kinds) && !c->arg[first].label[0])
        ++first;
    return first == c->args;
}

/** A descriptor in the place of a view: memory in front of it counts. */
OWN_FRAME static bool put_view(content *to, call const *c, tsr_descriptor const *d)
{
    to->view = (tsr_tensor_view *)tsr_memory_take_(c->kept, sizeof *to->view);
    if (to->view)
        *to->view = TSR_RUN(tile_view)(tsr_counting_iter(tsr_int(0)), d);
    return to->view != NULL;
}

/** Puts an argument into the place of a parameter, or returns false when it is of another kind. With `shapes` an
 *  integer or a tuple may stand for its compact layout. */
OWN_FRAME static bool put_argument(content *to, char parameter, call const *c, value const *v, bool shapes)
{
    if (parameter == 'R' && is_one_of(v, "TLR"))
        to->tiler = tsr_value_tiler_(v);
    else if (parameter == 'L' && v->kind == VALUE_TUPLE && shapes)
        to->layout = tsr_make_layout_compact(v->as.tuple);
    else if (parameter == 'v' && v->kind == VALUE_DESCRIPTOR)
        return put_view(to, c, v->as.descriptor);
    else if (v->kind == tsr_kind_of_letter_(parameter))
        *to = v->as;
    else
        return false;
    return true;
}

/** In the place of a parameter with a label whose argument is left out. */
static bool put_absent(content *to, char parameter)
{
    memset(to, 0, sizeof *to);
    if (parameter == 'T')
        to->tuple = tsr_unit();
    else if (parameter == 'p')
        to->space = TSR_GMEM;
    return parameter == 'T' || parameter == 'p' || parameter == 'm';
}

/** The arguments from `first` on as transforms with their dimensions, or as indices. */
OWN_FRAME static bool put_list(content *to, char parameter, call const *c, int first)
{
    int const n = c->args - first;
    void *const at = tsr_memory_take_(c->kept, (size_t)n * (parameter == 'l' ? sizeof(tsr_link) : sizeof(tsr_index)));
    memset(to, 0, sizeof *to);
    if (parameter == 'l') {
        to->links.count = n;
        to->links.at = (tsr_link *)at;
    } else {
        to->indices.count = n;
        to->indices.at = (tsr_index *)at;
    }
    for (int i = 0; at && i < n; ++i)
        if (parameter == 'l')
            ((tsr_link *)at)[i] = c->arg[first + i].as.link;
        else
            ((tsr_index *)at)[i] = tsr_tile_index_(c->arg[first + i].as.tuple, -1, &to->indices.why);
    return at;
}

/** The call without the labelled arguments at its end. */
static call without_labels(call const *c)
{
    call r = *c;
    while (r.args > 0 && r.arg[r.args - 1].label[0])
        --r.args;
    return r;
}

/** The arguments from `first` on, but for labelled ones at the end, as one parameter; `used` counts them. */
OWN_FRAME static bool put_rest(content *to, char parameter, call const *all, int first, int *used)
{
    call const some = without_labels(all), *const c = &some;
    *used += c->args > first ? c->args - first : 0;
    bool const tuples = strchr("UVi", parameter) != NULL;
    if (!all_are(c, first, tuples ? "T" : parameter == 'l' ? "l" : parameter == 'M' ? "L" : "TLR"))
        return false;
    if (first >= c->args && parameter != 'i')
        return false;
    if (parameter == 'i' || parameter == 'l')
        return put_list(to, parameter, c, first);
    if (!tuples)
        to->tiler = pack_tilers(c, first, parameter == 'M');
    else if (parameter == 'U' && c->args - first == 1)
        to->tuple = tsr_tuple_1(c->arg[first].as.tuple);
    else
        to->tuple = pack_tuples(c, first);
    return true;
}

/** The next entry in brackets, or the rest of them as a tuple. */
OWN_FRAME static bool put_brackets(content *to, char parameter, call const *c, int *at)
{
    tsr_tuple path = TSR_ZERO;
    if (parameter != 'P' && *at == c->brackets)
        return false;
    bracketed const *const b = &c->bracket[*at];
    if (parameter == 'B')
        to->type = b->type;
    else if (parameter == 'N')
        to->number = b->number;
    if (parameter != 'P')
        return c->bracket[(*at)++].is_type == (parameter == 'B');
    bool ok = true;
    for (; *at < c->brackets; ++*at) {
        tsr_tuple const n = tsr_s(c->bracket[*at].number);
        ok = ok && !c->bracket[*at].is_type;
        tsr_tuple_push(&path, &n);
    }
    to->tuple = path.leaves > 0 ? path : tsr_unit();
    return ok;
}

/** The first argument from i on without a label. */
static int skip_labels(call const *c, int i)
{
    while (i < c->args && c->arg[i].label[0])
        ++i;
    return i;
}

/** The argument behind a label of n characters; NULL: it is left out. */
static value const *labelled(call const *c, char const *label, size_t n)
{
    for (int i = 0; i < c->args; ++i)
        if (strlen(c->arg[i].label) == n && strncmp(c->arg[i].label, label, n) == 0)
            return &c->arg[i];
    return NULL;
}

/** Puts the call's arguments into the places of the row, or returns false when they do not fit. */
static bool fits(call const *c, tsr_op const *row, bool shapes, tsr_message *error)
{
    int next = skip_labels(c, 0), used = 0, bracket = 0;
    content *to = c->place;
    char const *label = row->labels;
    bool ok = true;
    for (char const *p = row->signature; *p && ok; ++p) {
        if (strchr("(), ", *p))
            continue;
        if (!tsr_op_is_filled_(*p)) {
            if (*p == 'o')
                to->out = c->answer;
            else
                to->why = error;
            ++to;
            continue;
        }
        op_label const at = tsr_op_label_next_(&label);
        if (strchr("NBP", *p)) {
            ok = put_brackets(to, *p, c, &bracket);
        } else if (strchr("UVQMli", *p)) {
            ok = put_rest(to, *p, c, next, &used);
        } else {
            value const *const v = at.in_front      ? labelled(c, at.word, (size_t)at.length)
                                   : next < c->args ? &c->arg[next]
                                                    : NULL;
            ok = v ? put_argument(to, *p, c, v, shapes) : at.in_front && put_absent(to, *p);
            used += v != NULL;
            next = at.in_front ? next : skip_labels(c, next + 1);
        }
        ++to;
    }
    return ok && used == c->args && bracket == c->brackets;
}

/* The call */

OWN_FRAME static void unknown_name(call const *c, tsr_message *error)
{
    writer w;
    writer_open(&w, error->text, sizeof error->text);
    put(&w, "unknown operation `%s`", c->name);
    tsr_call_write_meant_(&w, c->name);
}

/** Would a row fit if shapes stood for layouts? */
static bool fits_with_layouts(call const *c, tsr_op const *rows, int count, tsr_message *error)
{
    for (int i = 0; i < count; ++i)
        if (strcmp(rows[i].name, c->name) == 0 && fits(c, &rows[i], true, error))
            return true;
    return false;
}

OWN_FRAME static void no_row(call const *c, tsr_message *error)
{
    writer w;
    int known = 0, count = 0, last = -1;
    tsr_op const *const rows = tsr_ops(&count);
    for (int i = 0; i < count; ++i)
        last = strcmp(rows[i].name, c->name) == 0 ? i : last;
    writer_open(&w, error->text, sizeof error->text);
    tsr_call_write_name_(&w, c);
    put(&w, " does not take (");
    for (int i = 0; i < c->args; ++i)
        put(&w, "%s%s%s%s", i > 0 ? ", " : "", c->arg[i].label, c->arg[i].label[0] ? "=" : "",
            tsr_value_words_(&c->arg[i]));
    put(&w, "); there is ");
    for (int i = 0; i < count; ++i)
        if (strcmp(rows[i].name, c->name) == 0) {
            put(&w, known == 0 ? "" : i == last ? " and " : ", ");
            tsr_call_write_row_(&w, &rows[i]);
            ++known;
        }
    if (known && !c->shapes && fits_with_layouts(c, rows, count, error))
        put(&w, "; a shape is not a layout: write make_layout(shape)");
    if (known && c->args > 0 && c->arg[0].kind == VALUE_TENSOR && strstr(c->name, "_product"))
        put(&w, "; a product of a tensor would reach beyond its memory, so only layouts have one");
    if (!known)
        unknown_name(c, error);
}

void tsr_call_write_meant_(writer *w, char const *word)
{
    char const *names[3];
    int const n = tsr_ops_meant(word, names, 3);
    for (int i = 0; i < n; ++i)
        put(w, "%s`%s`%s", i == 0 ? ", did you mean " : i + 1 < n ? ", " : " or ", names[i], i + 1 < n ? "" : "?");
}

void tsr_call_write_name_(writer *w, call const *c)
{
    put(w, "%s", c->name);
    for (int i = 0; i < c->brackets; ++i) {
        put(w, "%s", i > 0 ? "," : "<");
        if (c->bracket[i].is_type)
            put(w, "%s", tsr_type_cute_name_(c->bracket[i].type));
        else
            put(w, "%lld", (long long)c->bracket[i].number);
    }
    put(w, "%s", c->brackets > 0 ? ">" : "");
}

void tsr_call_write_arguments_(writer *w, call const *c, unsigned flags)
{
    for (int i = 0; i < c->args; ++i) {
        put(w, "%s%s%s", i > 0 ? ", " : "", c->arg[i].label, c->arg[i].label[0] ? "=" : "");
        tsr_value_write_(w, &c->arg[i], flags);
    }
}

bool tsr_is_operation_(char const *name)
{
    int count = 0;
    tsr_op const *const rows = tsr_ops(&count);
    for (int i = 0; i < count; ++i)
        if (strcmp(rows[i].name, name) == 0)
            return true;
    return false;
}

/** L(c) with `_` in the coordinate is a slice, which the table does not say: the row of `call` gives an index. */
OWN_FRAME static bool sliced(call const *c, value *result)
{
    if (strcmp(c->name, "call") != 0 || c->args < 2 || c->brackets > 0 || !all_are(c, 1, "T"))
        return false;
    tsr_tuple const coord = pack_tuples(c, 1);
    value const *const v = &c->arg[0];
    if (!tsr_has_wildcard(&coord) || (v->kind != VALUE_TENSOR && v->kind != VALUE_LAYOUT))
        return false;
    result->kind = v->kind;
    if (v->kind == VALUE_LAYOUT)
        result->as.layout = TSR_RUN(layout_slice)(coord, v->as.layout);
    else
        result->as.tensor = TSR_RUN(tensor_slice)(coord, v->as.tensor);
    return true;
}

/** Room for an answer, which is empty. */
static bool open_answer(call const *c)
{
    if (!c->answer->out)
        c->answer->out = (char *)tsr_memory_take_(c->kept, MAX_ANSWER);
    writer_open(c->answer, c->answer->out, c->answer->out ? MAX_ANSWER : 0);
    return c->answer->out != NULL;
}

/** Runs a row on what fits it. False: the words in *error. */
static bool run_row(call const *c, int row, bool answers, value *result, tsr_message *error)
{
    error->text[0] = 0;
    bool const ran = (!answers || open_answer(c)) && tsr_row_run_(row, c->place, result, c->kept);
    bool const whole = !answers || c->answer->used < c->answer->size;
    if (!ran || !whole) {
        snprintf(error->text, sizeof error->text, "%s",
                 ran ? "the answer is longer than the text that holds it" : "out of memory");
        return false;
    }
    if (error->text[0]) { /* the row refuses its arguments */
        result->kind = VALUE_ANSWER;
        result->as.answer = tsr_syntax_reason_(0, error->text);
        return false;
    }
    if (answers)
        result->text = c->answer->out;
    if (result->kind == VALUE_TRANSFORM && c->args > 0)
        result->as.transform.runtime_last = c->arg[c->args - 1].runtime;
    return true;
}

/** The row of the call's name behind a row; -1: none. */
static int next_row(call const *c, tsr_op const *rows, int count, int row)
{
    if (c->next)
        return row < 0 ? c->first : c->next[row];
    for (++row; row < count && strcmp(rows[row].name, c->name) != 0;)
        ++row;
    return row < count ? row : -1;
}

/** The row that takes the arguments as written, or else with shapes as layouts; -1: none. */
static int row_of(call const *c, tsr_op const *rows, int count, tsr_message *error)
{
    for (int shapes = 0; shapes <= c->shapes; ++shapes)
        for (int i = next_row(c, rows, count, -1); i >= 0; i = next_row(c, rows, count, i))
            if (fits(c, &rows[i], shapes, error))
                return i;
    return -1;
}

/** Layouts of shared memory as layouts of elements, unless a row of the name takes them as they are. */
OWN_FRAME static void settle_smem(call const *c, tsr_op const *rows, int count)
{
    bool as_it_is = false;
    for (int i = next_row(c, rows, count, -1); i >= 0; i = next_row(c, rows, count, i))
        as_it_is = as_it_is || strchr(rows[i].signature, 'S');
    for (int i = 0; i < c->args && !as_it_is; ++i)
        if (c->arg[i].kind == VALUE_SMEM)
            tsr_value_settle_(&c->arg[i]);
}

bool tsr_call_fits_(call const *c)
{
    int count = 0;
    tsr_message unused;
    tsr_op const *const rows = tsr_ops(&count);
    settle_smem(c, rows, count);
    return row_of(c, rows, count, &unused) >= 0;
}

bool tsr_call_evaluate_(call const *c, value *result, tsr_message *error)
{
    int count = 0;
    tsr_op const *const rows = tsr_ops(&count);
    for (int i = 0; i < c->args; ++i) {
        if (!tsr_value_ok_(&c->arg[i])) { /* the first invalid argument is the answer */
            *result = c->arg[i];
            return true;
        }
    }
    memset(result, 0, sizeof *result);
    settle_smem(c, rows, count);
    if (sliced(c, result))
        return true;
    int const row = row_of(c, rows, count, error);
    if (row >= 0)
        return run_row(c, row, rows[row].result == 'a', result, error);
    if (c->kept->failed)
        snprintf(error->text, sizeof error->text, "out of memory");
    else
        no_row(c, error);
    return false;
}
