/** Reading the target again: each element beside its source.
 *
 *  Along each mode a table has, of each local index of the target's part, the index of the whole (tsr_dist_index_at),
 *  and of that index the rank of the source and its local index there (tsr_dist_at). Ranks and offsets are sums over
 *  the modes. So the way of an element is found from its index, and no plan is looked at.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/engine.h"
#include "io/file.h"
#include "reshard/output.h"
#include "reshard/watch.h"
#include "tessera/tensor/pointer.h"

enum { LARGEST = 16 };

/** Of each local index of a mode: what it adds to the rank of the source, and its local index on that rank. */
typedef struct mode_way {
    int64_t *rank, *local;
} mode_way;

/** A rank of the source: its elements, and their strides. */
typedef struct source_part {
    char const *memory;
    int64_t stride[TSR_DIST_MODES];
    bool known;
} source_part;

typedef struct verifier {
    tsr_reshard const *r;
    reshard_tensor const *t;
    reshard_place to, from; /* layouts; the part of `to` */
    int64_t sub;
    mode_way way[TSR_DIST_MODES];
    int64_t first; /* the rank of index 0 in the source, to which modes add */
    source_part *part;
    int64_t parts;
    char const *memory; /* of the tensor in the file */
    char const *path, *name;
    reshard_watch *watch;
    tsr_message *error;
} verifier;

static bool find_way(verifier *v, int m)
{
    int64_t const n = v->to.part.extent[m];
    mode_way *const w = &v->way[m];
    w->rank = (int64_t *)malloc((size_t)n * sizeof *w->rank + 1);
    w->local = (int64_t *)malloc((size_t)n * sizeof *w->local + 1);
    if (!w->rank || !w->local)
        return tsr_io_fail_(v->error, "out of memory for %lld indices of a mode", (long long)n);
    tsr_dist_part part = {{0}, {0}, 0, 0};
    for (int64_t i = 0, known = -1; i < n; ++i) {
        int64_t local[TSR_DIST_MODES] = {0}, index[TSR_DIST_MODES], only[TSR_DIST_MODES] = {0}, rank = 0, offset = 0;
        local[m] = i;
        if (!tsr_dist_index_at(&v->to.layout, v->sub, local, index))
            return tsr_io_fail_(v->error, "tensor %s has no index %lld of mode %d", v->t->name, (long long)i, m);
        only[m] = index[m];
        if (!tsr_dist_at(&v->from.layout, only, &rank, &offset))
            return tsr_io_fail_(v->error, "tensor %s has no index %lld of mode %d in the source", v->t->name,
                                (long long)index[m], m);
        if (rank != known)
            (void)tsr_dist_part_of(&v->from.layout, rank, &part);
        known = rank;
        w->rank[i] = rank - v->first;
        w->local[i] = part.stride[m] > 0 ? offset / part.stride[m] : 0;
    }
    return true;
}

static source_part *part_of_rank(verifier *v, int64_t rank)
{
    source_part *const p = &v->part[rank];
    reshard_place place;
    if (p->known)
        return p;
    if (!tsr_reshard_place_(v->r, v->t, 0, rank, &place, v->error))
        return NULL;
    p->memory = (char const *)tsr_reshard_memory_(v->r, v->t, rank, &place);
    memcpy(p->stride, place.part.stride, sizeof p->stride);
    p->known = p->memory != NULL;
    return p->known
               ? p
               : (tsr_io_fail_(v->error, "tensor %s: the part of rank %lld is gone", v->t->name, (long long)rank),
                  NULL);
}

static bool same_run(verifier const *v, char const *to, char const *from, int64_t n, int64_t *bad)
{
    int64_t const bytes = tsr_dtype_bits(v->t->type) / 8, wide = tsr_dtype_bits(v->t->to) / 8;
    if (v->t->type == v->t->to && memcmp(to, from, (size_t)(n * bytes)) == 0)
        return true;
    for (*bad = 0; *bad < n; ++*bad) {
        unsigned char want[LARGEST] = {0};
        if (v->t->type == v->t->to)
            memcpy(want, from + *bad * bytes, (size_t)bytes);
        else
            tsr_store(v->t->to, want, 0, tsr_load(v->t->type, from + *bad * bytes, 0));
        if (memcmp(to + *bad * wide, want, (size_t)wide) != 0)
            return false;
    }
    return true;
}

static bool differs(verifier *v, int64_t offset)
{
    return tsr_io_fail_(v->error, "%s: element %lld of tensor %s differs from its source", v->path, (long long)offset,
                        v->name);
}

/** A row of the target's part, whose other indices are `at`. */
static bool verify_row(verifier *v, int64_t const *at)
{
    int const modes = v->to.layout.modes, last = modes - 1;
    int64_t const bytes = tsr_dtype_bits(v->t->type) / 8, wide = tsr_dtype_bits(v->t->to) / 8;
    int64_t const n = modes > 0 ? v->to.part.extent[last] : 1;
    int64_t rank = v->first, offset = v->to.base, bad = 0;
    for (int m = 0; m < last; ++m) {
        rank += v->way[m].rank[at[m]];
        offset += at[m] * v->to.part.stride[m];
    }
    for (int64_t i = 0, end; i < n; i = end) {
        int64_t const there = modes > 0 ? v->way[last].rank[i] : 0, local = modes > 0 ? v->way[last].local[i] : 0;
        for (end = i + 1; end < n && v->way[last].rank[end] == there && v->way[last].local[end] == local + end - i;)
            ++end;
        source_part const *const p = part_of_rank(v, rank + there);
        int64_t from = local;
        if (!p)
            return false;
        for (int m = 0; m < last; ++m)
            from += v->way[m].local[at[m]] * p->stride[m];
        if (!same_run(v, v->memory + (offset + i) * wide, p->memory + from * bytes, end - i, &bad))
            return differs(v, offset + i + bad);
    }
    tsr_reshard_tell_(v->watch, n * wide, n * (bytes + wide));
    return !tsr_reshard_ends_(v->watch);
}

static bool verify_rows(verifier *v)
{
    int const modes = v->to.layout.modes;
    int64_t at[TSR_DIST_MODES] = {0};
    for (int64_t left = v->to.part.elements; left > 0;) {
        if (!verify_row(v, at))
            return false;
        left -= modes > 0 ? v->to.part.extent[modes - 1] : 1;
        for (int m = modes - 2; m >= 0; --m) {
            if (++at[m] < v->to.part.extent[m])
                break;
            at[m] = 0;
        }
    }
    return true;
}

/** Rows that padding added: they are behind the others. */
static bool verify_padding(verifier *v, int joined)
{
    int64_t const wide = tsr_dtype_bits(v->t->to) / 8;
    for (int64_t i = joined > 1 ? v->to.elements : v->to.part.elements; i < v->to.elements; ++i)
        for (int64_t k = 0; k < wide; ++k)
            if (v->memory[i * wide + k] != 0)
                return differs(v, i);
    return true;
}

static bool verify_member(verifier *v, reshard_target const *g, int member, int64_t rank)
{
    v->t = tsr_reshard_member_(v->r, g, member);
    reshard_rule const *const rule = &v->r->spec[0]->rule[v->t->side[0].rule];
    v->parts = tsr_reshard_mesh_(v->r->spec[0], rule).ranks;
    v->part = (source_part *)calloc((size_t)v->parts, sizeof *v->part);
    bool ok = v->part || tsr_io_fail_(v->error, "out of memory for %lld ranks", (long long)v->parts);
    ok = ok && tsr_reshard_holds_(v->r, v->t, 1, rank, &v->sub)
         && tsr_reshard_place_(v->r, v->t, 1, v->sub, &v->to, v->error)
         && tsr_reshard_place_(v->r, v->t, 0, 0, &v->from, v->error);
    int64_t const zeros[TSR_DIST_MODES] = {0};
    int64_t offset = 0;
    if (ok && v->to.part.elements > 0 && !tsr_dist_at(&v->from.layout, zeros, &v->first, &offset))
        ok = tsr_io_fail_(v->error, "tensor %s has no index 0 in the source", v->t->name);
    for (int m = 0; ok && m < v->to.layout.modes && v->to.part.elements > 0; ++m)
        ok = find_way(v, m);
    ok = ok && verify_rows(v) && verify_padding(v, g->members);
    for (int m = 0; m < TSR_DIST_MODES; ++m) {
        free(v->way[m].rank);
        free(v->way[m].local);
        v->way[m].rank = v->way[m].local = NULL;
    }
    free(v->part);
    return ok;
}

/** The tensors of one file. */
typedef struct file_verifier {
    tsr_reshard const *r;
    reshard_file const *file;
    tsr_model const *model;
    reshard_watch *watch;
} file_verifier;

static void verify_one(void *context, int worker, int64_t i)
{
    file_verifier const *const f = (file_verifier const *)context;
    reshard_target const *const g = &f->r->target[f->r->listed[f->file->first + i]];
    reshard_tensor const *const t = tsr_reshard_member_(f->r, g, 0);
    int const k = tsr_model_find(f->model, g->name);
    tsr_message error = {0, ""};
    int64_t sub = 0;
    (void)worker;
    if (tsr_reshard_ends_(f->watch))
        return;
    verifier *const v = (verifier *)calloc(1, sizeof *v);
    if (!v) {
        tsr_reshard_fail_(f->watch, NULL);
        return;
    }
    *v = (verifier){.r = f->r, .path = f->file->path, .name = g->name, .watch = f->watch, .error = &error};
    bool ok =
        tsr_reshard_holds_(f->r, t, 1, f->file->rank, &sub) && tsr_reshard_place_(f->r, t, 1, sub, &v->to, &error);
    tsr_model_tensor const *const x = k >= 0 ? &f->model->tensor[k] : NULL;
    if (ok
        && (!x || x->type != t->to || x->rank != v->to.modes
            || memcmp(x->extent, v->to.extent, (size_t)x->rank * sizeof *x->extent) != 0))
        ok = tsr_io_fail_(&error, "%s: tensor %s is gone, or of another type or shape", f->file->path, g->name);
    v->memory = x ? (char const *)f->model->data + x->begin : NULL;
    for (int m = 0; ok && m < g->members; ++m)
        ok = verify_member(v, g, m, f->file->rank);
    if (!ok && !error.text[0] && !tsr_reshard_ends_(f->watch))
        (void)tsr_io_fail_(&error, "%s: rank %lld does not hold tensor %s", f->file->path, (long long)f->file->rank,
                           g->name);
    if (!ok && error.text[0])
        tsr_reshard_fail_(f->watch, &error);
    free(v);
}

bool tsr_reshard_verify(tsr_reshard *r, tsr_progress told, void *context, tsr_message *error)
{
    reshard_watch watch;
    int const threads = tsr_engine_threads_();
    error->at = 0;
    error->text[0] = 0;
    if (!tsr_reshard_watch_open_(&watch, r, threads, 1, r->report.bytes_written, told, context, error))
        return false;
    bool ok = true;
    for (int64_t i = 0; ok && i < r->files; ++i) {
        tsr_model model;
        ok = tsr_reshard_output_read_(r, &r->file[i], &model, error);
        if (!ok)
            break;
        file_verifier f = {r, &r->file[i], &model, &watch};
        watch.written = &model.bytes;
        if (model.count != r->file[i].count)
            ok = tsr_io_fail_(error, "%s has %d tensors, and %d were written", r->file[i].path, model.count,
                              r->file[i].count);
        else
            tsr_engine_share_(threads, r->file[i].count, verify_one, &f);
        watch.written = NULL;
        tsr_model_close(&model);
        ok = ok && !tsr_reshard_ends_(&watch);
    }
    bool const whole = tsr_reshard_watch_close_(&watch);
    if (!whole && !error->text[0])
        (void)tsr_io_fail_(error, "ended before all files were compared");
    return ok && whole;
}
