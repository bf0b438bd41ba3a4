/** tessera relayout from tensors to tensors: those that are meant are changed, the others copied byte by byte. */
#define _POSIX_C_SOURCE 200809L /* strdup, fnmatch */

#include "relayout_job.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interrupt.h"
#include "escape.h"

bool relayout_means(relayout_job const *j, char const *name)
{
    if (!j->tensors || j->one)
        return !j->tensors || strcmp(j->tensors, name) == 0;
    for (char const *p = j->tensors; *p; p += *p == ',') {
        size_t const n = strcspn(p, ",");
        char *const pattern = strndup(p, n);
        bool const means = pattern && fnmatch(pattern, name, 0) == 0;
        free(pattern);
        if (means)
            return true;
        p += n;
    }
    return false;
}

void relayout_list_tensors(tsr_model const *model)
{
    enum { MOST = 20 };
    for (int i = 0; i < model->count && i < MOST; ++i) {
        fprintf(stderr, "  ");
        print_escaped(stderr, model->tensor[i].name);
        fprintf(stderr, "\n");
    }
    if (model->count > MOST)
        fprintf(stderr, "  .. and %d more: tessera show lists them\n", model->count - MOST);
}

void relayout_unknown_tensor(relayout_job const *j, tsr_model const *model)
{
    tsr_nearest nearest = {j->tensors, NULL, 0};
    for (int i = 0; i < model->count; ++i)
        tsr_nearest_try(&nearest, model->tensor[i].name);
    complain(j->o, "--tensor: no tensor is named %s%s", j->tensors, did_you_mean(&nearest));
    relayout_list_tensors(model);
}

/** What becomes of a tensor that is meant: its part, and where each element goes. */
static bool take_tensor(relayout_job *j, tsr_model const *model, tsr_model_tensor const *t, tsr_tensor *in,
                        relayout *r)
{
    if (!array_of_model(model, t, in, &j->error))
        return complain(j->o, "%s", j->error.text), false;
    if (!relayout_take(j->o, in, r)) {
        complain(j->o, "that was asked for of tensor \"%.60s\"; --tensor chooses some", t->name);
        return false;
    }
    return true;
}

/** Whether anything is asked for but a copy. */
static bool changes(relayout_job const *j, tsr_model_tensor const *t)
{
    static char const *const names[] = {"--slice", "--reshape", "--permute", "--tile", "--layout", "--cast"};
    bool asked = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        asked = asked || option_of(j->o, names[i]);
    return asked && relayout_means(j, t->name);
}

/** The list of the output's tensors, in the order of the input's. False: complains. */
static bool list_tensors(relayout_job *j, tsr_model const *model, tsr_model_tensor *list, int *count, int *changed)
{
    int meant = 0;
    *count = *changed = 0;
    for (int i = 0; i < model->count; ++i) {
        tsr_model_tensor const *const t = &model->tensor[i];
        tsr_tensor in;
        relayout r;
        bool const named = relayout_means(j, t->name);
        meant += named;
        if (j->only && !named)
            continue;
        tsr_model_tensor *const out = &list[(*count)++];
        *out = *t;
        if (t->type == 0 && !has_ending(j->out, ".gguf"))
            return complain(j->o,
                            "tensor \"%.60s\" is %s (%s), which %s does not have; --only leaves out "
                            "what --tensor does not choose",
                            t->name, tsr_model_is_opaque(t) ? "of an unknown type" : "quantised", t->format,
                            has_ending(j->out, ".npz") ? "NumPy" : "safetensors"),
                   false;
        if (!changes(j, t))
            continue;
        if (!take_tensor(j, model, t, &in, &r))
            return false;
        ++*changed;
        out->begin = 0; /* what will be read, for the meter */
        out->end = (uint64_t)(tsr_layout_size(in.layout) * tsr_dtype_bits(t->type) / 8);
        out->type = r.type;
        out->rank = tsr_is_unit(&r.shape) ? 0 : tsr_is_leaf(&r.shape) ? 1 : r.shape.leaves;
        for (int k = 0; k < out->rank; ++k)
            out->extent[k] = r.shape.leaf[k].value;
    }
    if (meant == 0 && j->tensors)
        return relayout_unknown_tensor(j, model), false;
    return true;
}

/** The tensors of the input at their places. */
static bool write_tensors(relayout_job *j, tsr_model const *model, tsr_model_writer const *w)
{
    bool ok = true;
    for (int i = 0; ok && i < w->model.count && !interrupted(); ++i) {
        tsr_model_tensor const *const to = &w->model.tensor[i];
        tsr_model_tensor const *const t = &model->tensor[tsr_model_find(model, to->name)];
        tsr_tensor in, out;
        relayout r;
        if (!changes(j, t)) {
            ok = relayout_bytes(j, w->data + to->begin, model->data + t->begin, t->end - t->begin);
            continue;
        }
        ok = take_tensor(j, model, t, &in, &r);
        if (ok && tsr_layout_size(in.layout) == 0)
            continue;
        if (ok && !tsr_model_at(w, to->name, &out, &j->error))
            ok = false, complain(j->o, "%s", j->error.text);
        ok = ok && relayout_elements(j, &r, in, out);
    }
    return ok;
}

/** Another program may have put a file of its own in the place of the output: the tensor that was written, or NULL. */
static tsr_model_tensor const *find_written(relayout_job *j, tsr_model const *out, char const *name, tsr_dtype type,
                                            int64_t elements)
{
    int const i = tsr_model_find(out, name);
    if (i >= 0 && out->tensor[i].type == type && out->tensor[i].elements == elements)
        return &out->tensor[i];
    complain(j->o, "%s: tensor \"%.60s\" differs from the bytes written: another program changed the file", j->out,
             name);
    return NULL;
}

/** Says what the output is, and compares it when that is asked for. */
static bool check_tensors(relayout_job *j, tsr_model const *model, tsr_model const *out)
{
    int64_t compared = 0;
    j->written = &out->bytes;
    for (int i = 0; i < model->count; ++i) {
        tsr_model_tensor const *const t = &model->tensor[i];
        tsr_tensor in, now;
        relayout r;
        if (j->only && !relayout_means(j, t->name))
            continue;
        compared += t->elements;
        if (!changes(j, t)) {
            tsr_model_tensor const *const to = find_written(j, out, t->name, t->type, t->elements);
            if (!to)
                return false;
            if (j->verify
                && !relayout_compare_bytes(j, t->name, out->data + to->begin, model->data + t->begin,
                                           t->end - t->begin))
                return false;
            continue;
        }
        if (!take_tensor(j, model, t, &in, &r))
            return false;
        tsr_model_tensor const *const to =
            find_written(j, out, t->name, r.type, tsr_tuple_number(tsr_product(r.shape)));
        if (!to)
            return false;
        if (!array_of_model(out, to, &now, &j->error))
            return complain(j->o, "%s", j->error.text), false;
        relayout_describe(j, "  ", t->name, now);
        if (j->verify && to->elements > 0 && !relayout_compare(j, &r, in, now))
            return false;
    }
    if (j->verify)
        fprintf(j->words, "verified: %lld elements of %d tensors\n", (long long)compared, out->count);
    return true;
}

/** Opens what was written, whose place may have another ending than the link to it. */
static bool open_written(relayout_job *j, char const *target, tsr_model *out)
{
    return (has_ending(j->out, ".gguf")  ? tsr_gguf_open
            : has_ending(j->out, ".npz") ? tsr_npz_open
                                         : tsr_safetensors_open)(target, out, &j->error);
}

/** Writes and commits; opens the file again, unless it is a stream. */
static bool write_model(relayout_job *j, tsr_model const *model, tsr_model_tensor const *list, int count,
                        tsr_model *out)
{
    tsr_model_writer w;
    double bytes = 0;
    if (!tsr_model_create(j->out, list, count, model, &w, &j->error))
        return complain(j->o, "%s", j->error.text), false;
    for (int i = 0; i < count; ++i)
        bytes += (double)list[i].end - (double)list[i].begin;
    j->to = &w.image;
    j->meter = meter_begin(j->progress, bytes);
    if (!relayout_may_go_on(j) || !write_tensors(j, model, &w) || !relayout_may_go_on(j)) {
        tsr_model_discard(&w);
        return false;
    }
    double const copied_in = meter_seconds(&j->meter);
    bool const stream = !w.image.output.temporary;
    char *const target = stream ? NULL : strdup(w.image.output.target);
    bool ok = tsr_model_commit(&w, &j->error);
    j->to = NULL;
    if (ok)
        meter_end(&j->meter, copied_in);
    if (ok && !stream)
        ok = open_written(j, target ? target : j->out, out);
    free(target);
    return ok ? true : (complain(j->o, "%s", j->error.text), false);
}

bool relayout_model(relayout_job *j, tsr_model const *model)
{
    tsr_model_tensor *const list = (tsr_model_tensor *)calloc((size_t)model->count + 1, sizeof *list);
    tsr_model out;
    int count = 0, changed = 0;
    memset(&out, 0, sizeof out);
    bool ok = list != NULL;
    if (!list)
        complain(j->o, "out of memory for %d tensors", model->count);
    ok = ok && list_tensors(j, model, list, &count, &changed) && write_model(j, model, list, count, &out);
    free(list);
    if (ok) {
        interrupt_waits(false);
        print_escaped(j->words, j->out);
        fprintf(j->words, ": %d tensors, %d changed\n", count, changed);
        ok = !out.bytes.data || check_tensors(j, model, &out);
    }
    tsr_model_close(&out);
    return ok;
}
