/** Opening, reporting and closing. */
#define _GNU_SOURCE /* strdup */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/form.h"
#include "reshard/deal.h"

enum { MOST_PROBLEMS = 1000 };

void *tsr_reshard_more_(void **list, int64_t *count, int64_t *capacity, size_t size, tsr_message *error)
{
    if (*count >= INT32_MAX || !tsr_dist_grow_(list, *count, capacity, size)) {
        error->at = 0;
        snprintf(error->text, sizeof error->text, "out of memory for a list of %lld", (long long)*count);
        return NULL;
    }
    char *const item = (char *)*list + (size_t)(*count)++ * size;
    memset(item, 0, size);
    return item;
}

bool tsr_reshard_note_(tsr_reshard *r, tsr_reshard_problem_kind kind, char const *tensor, char const *format, ...)
{
    char text[TSR_TEXT_SIZE];
    tsr_message error;
    va_list args;
    int64_t kept = tsr_min64(r->report.problems++, MOST_PROBLEMS);
    if (kept == MOST_PROBLEMS)
        return false;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tsr_reshard_problem *const p = (tsr_reshard_problem *)tsr_reshard_more_((void **)&r->problem, &kept,
                                                                            &r->problem_capacity, sizeof *p, &error);
    if (p) {
        p->kind = kind;
        p->tensor = strdup(tensor);
        p->text = strdup(text);
    }
    return false;
}

static bool copy_options(tsr_reshard *r, tsr_reshard_options const *o)
{
    r->spec[0] = o->from_spec;
    r->spec[1] = o->to_spec;
    r->memory = o->memory > 0 ? o->memory : INT64_C(512) << 20;
    r->shard_size = o->shard_size > 0 ? o->shard_size : INT64_C(5) << 30;
    r->replicas = o->replicas;
    r->to = strdup(o->to);
    r->cast = (tsr_reshard_cast *)calloc((size_t)o->casts + 1, sizeof *r->cast);
    for (size_t n; r->to && (n = strlen(r->to)) > 1 && r->to[n - 1] == '/';)
        r->to[n - 1] = 0;
    for (int i = 0; r->cast && i < o->casts; ++i) {
        r->cast[i].type = o->cast[i].type;
        r->cast[i].pattern = strdup(o->cast[i].pattern);
        r->casts += r->cast[i].pattern != NULL;
    }
    return r->to && r->cast && r->casts == o->casts;
}

static void count_report(tsr_reshard *r)
{
    tsr_reshard_report *const x = &r->report;
    x->tensors = r->tensors;
    x->sources = r->sources;
    x->files = r->files;
    for (int side = 0; side < 2; ++side)
        x->ranks[side] = tsr_reshard_ranks_(r->spec[side]);
    for (int64_t i = 0; i < r->sources; ++i) {
        tsr_model const *const m = &r->source[i].model;
        x->parts[0] += m->count;
        for (int k = 0; k < m->count; ++k)
            x->bytes_there += (int64_t)(m->tensor[k].end - m->tensor[k].begin);
    }
}

tsr_reshard *tsr_reshard_open(tsr_reshard_options const *options, tsr_message *error)
{
    tsr_reshard *const r = (tsr_reshard *)calloc(1, sizeof *r);
    error->at = 0;
    snprintf(error->text, sizeof error->text, "out of memory");
    bool ok = r && copy_options(r, options);
    if (ok && !*r->to) {
        snprintf(error->text, sizeof error->text, "the target has no name");
        ok = false;
    }
    ok = ok && tsr_reshard_sources_(r, options, error) && tsr_reshard_tensors_(r, error)
         && tsr_reshard_targets_(r, error);
    if (ok) {
        tsr_reshard_blocks_(r);
        tsr_reshard_replicas_(r);
        ok = tsr_reshard_deal_(r, error);
    }
    if (ok) {
        tsr_reshard_resume_(r);
        count_report(r);
        return r;
    }
    tsr_reshard_close(r);
    return NULL;
}

void tsr_reshard_close(tsr_reshard *r)
{
    if (!r)
        return;
    for (int64_t i = 0; i < r->sources; ++i) {
        tsr_model_close(&r->source[i].model);
        free(r->source[i].path);
    }
    for (int64_t i = 0; i < r->entries; ++i)
        free(r->entry[i].name);
    for (int64_t i = 0; i < r->targets; ++i)
        free(r->target[i].name);
    for (int64_t i = 0; i < r->files; ++i)
        free(r->file[i].path);
    for (int64_t i = 0; i < tsr_min64(r->report.problems, MOST_PROBLEMS); ++i) {
        free((void *)(uintptr_t)r->problem[i].text);
        free((void *)(uintptr_t)r->problem[i].tensor);
    }
    for (int i = 0; i < r->casts; ++i)
        free((void *)(uintptr_t)r->cast[i].pattern);
    free(r->source);
    free(r->entry);
    free(r->tensor);
    free(r->target);
    free(r->member);
    free(r->file);
    free(r->listed);
    free(r->problem);
    free(r->cast);
    free(r->seen);
    free(r->to);
    free(r);
}

tsr_reshard_report tsr_reshard_report_of(tsr_reshard const *r) { return r->report; }

tsr_reshard_problem tsr_reshard_problem_at(tsr_reshard const *r, int64_t i)
{
    tsr_reshard_problem const none = {TSR_RESHARD_MISSING, "", "no such problem, or it was not kept"};
    return i >= 0 && i < tsr_min64(r->report.problems, MOST_PROBLEMS) && r->problem[i].text && r->problem[i].tensor
               ? r->problem[i]
               : none;
}

tsr_bytes const *tsr_reshard_source(tsr_reshard const *r, int64_t i)
{
    return i >= 0 && i < r->sources ? &r->source[i].model.bytes : NULL;
}

char const *tsr_reshard_file(tsr_reshard const *r, int64_t i, int64_t *bytes)
{
    if (i < 0 || i >= r->files)
        return NULL;
    *bytes = r->file[i].bytes;
    return r->file[i].path;
}
