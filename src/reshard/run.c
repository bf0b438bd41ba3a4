/** Writing the target: file by file, of each file tensors in groups, and of a group pieces in threads. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "exec/engine.h"
#include "io/file.h"
#include "reshard/deal.h"
#include "reshard/move.h"
#include "reshard/watch.h"

/** Bytes of a piece at least and at most, tensors that are planned together, and bytes that threads are worth. */
enum { LEAST_PIECE = 1 << 16, MOST_PIECE = 1 << 20, TOGETHER = 64, WORTH_THREADS = 1 << 23 };

/** The pieces of a group of tensors. */
typedef struct group_runner {
    tsr_reshard *r;
    reshard_file const *file;
    tsr_model_writer const *writer;
    reshard_move *move;
    int64_t *piece_of; /* which piece of all is the first one of a move, and behind the last one */
    int64_t moves, first, piece_bytes;
    reshard_watch *watch;
} group_runner;

static void plan_one(void *context, int worker, int64_t i)
{
    group_runner *const g = (group_runner *)context;
    reshard_target const *const target = &g->r->target[g->r->listed[g->file->first + g->first + i]];
    tsr_model_writer const *const w = g->writer;
    tsr_message error;
    (void)worker;
    int const index = tsr_model_find(&w->model, target->name);
    uint64_t const at = (uint64_t)(w->data - (unsigned char *)w->image.map) + w->model.tensor[index].begin;
    if (!tsr_reshard_move_make_(g->r, target, g->file->rank, at, &g->move[i], &error))
        tsr_reshard_fail_(g->watch, &error);
}

static int64_t bytes_of(reshard_move const *m) { return m->streams > 0 ? tsr_dtype_bits(m->stream[0].to) / 8 : 1; }

static void run_one(void *context, int worker, int64_t i)
{
    group_runner *const g = (group_runner *)context;
    int64_t low = 0, high = g->moves;
    tsr_message error;
    if (tsr_reshard_ends_(g->watch))
        return;
    while (high - low > 1) {
        int64_t const middle = low + (high - low) / 2;
        *(g->piece_of[middle] <= i ? &low : &high) = middle;
    }
    reshard_move const *const m = &g->move[low];
    int64_t const bytes = bytes_of(m), size = g->piece_bytes / bytes, first = (i - g->piece_of[low]) * size;
    int64_t const last = tsr_min64(first + size, m->elements);
    int64_t touched = 0;
    void *const buffer = g->watch->buffer + worker * g->watch->buffer_bytes;
    bool const ok = tsr_reshard_move_piece_(m, &g->writer->image, first, last, buffer, &touched, &error);
    tsr_image_flush(&g->writer->image, m->at + (uint64_t)(first * bytes), (uint64_t)((last - first) * bytes));
    if (ok)
        tsr_reshard_tell_(g->watch, (last - first) * bytes, touched);
    else
        tsr_reshard_fail_(g->watch, &error);
}

/** Threads for a group: one where its bytes are not worth the wait for the others, as of many small tensors. */
static int threads_of(group_runner const *g)
{
    int64_t const bytes = g->file->bytes / tsr_max64(g->file->count, 1) * g->moves;
    int const threads = bytes < WORTH_THREADS ? 1 : tsr_engine_threads_();
    return threads < g->watch->threads ? threads : g->watch->threads;
}

static void run_group(group_runner *g)
{
    int const threads = threads_of(g);
    memset(g->move, 0, (size_t)g->moves * sizeof *g->move);
    tsr_engine_share_(threads, g->moves, plan_one, g);
    g->piece_of[0] = 0;
    for (int64_t i = 0; i < g->moves; ++i)
        g->piece_of[i + 1] =
            g->piece_of[i] + tsr_ceil_div64(g->move[i].elements * bytes_of(&g->move[i]), g->piece_bytes);
    if (!tsr_reshard_ends_(g->watch))
        tsr_engine_share_(threads, g->piece_of[g->moves], run_one, g);
    for (int64_t i = 0; i < g->moves; ++i)
        tsr_reshard_move_free_(&g->move[i]);
}

/** Writes the tensors of a file that was begun. */
static bool run_file(tsr_reshard *r, reshard_file const *f, tsr_model_writer const *w, reshard_watch *watch)
{
    group_runner g = {.r = r, .file = f, .writer = w, .watch = watch, .piece_bytes = watch->buffer_bytes};
    g.move = (reshard_move *)malloc(TOGETHER * sizeof *g.move);
    g.piece_of = (int64_t *)malloc((TOGETHER + 1) * sizeof *g.piece_of);
    if (!g.move || !g.piece_of)
        tsr_reshard_fail_(watch, NULL);
    for (; !tsr_reshard_ends_(watch) && g.first < f->count; g.first += TOGETHER) {
        g.moves = tsr_min64(TOGETHER, f->count - g.first);
        run_group(&g);
    }
    free(g.move);
    free(g.piece_of);
    return !tsr_reshard_ends_(watch);
}

/** The folders of a path. */
static bool make_folders(char const *path, tsr_message *error)
{
    char *const folder = strdup(path);
    bool ok = folder != NULL;
    for (char *p = folder ? strchr(folder + 1, '/') : NULL; ok && p; p = strchr(p + 1, '/')) {
        *p = 0;
        ok = mkdir(folder, 0777) == 0 || errno == EEXIST;
        if (!ok)
            (void)(tsr_io_fail_(error, "cannot be made: %s", strerror(errno)) || tsr_io_fail_at_(error, folder));
        *p = '/';
    }
    free(folder);
    return ok;
}

/** The tensors of a file, as its header lists them. */
static bool begin_file(tsr_reshard const *r, reshard_file const *f, tsr_model_writer *w, tsr_message *error)
{
    tsr_model_tensor *const list = (tsr_model_tensor *)calloc((size_t)f->count + 1, sizeof *list);
    tsr_model const *const notes = r->sources > 0 ? &r->source[0].model : NULL;
    bool ok = list || tsr_io_fail_(error, "out of memory for %d tensors", f->count);
    for (int i = 0; ok && i < f->count; ++i) {
        reshard_target const *const g = &r->target[r->listed[f->first + i]];
        reshard_tensor const *const t = &r->tensor[g->member[0]];
        reshard_place place;
        int64_t sub = 0;
        ok = tsr_reshard_holds_(r, t, 1, f->rank, &sub) && tsr_reshard_place_(r, t, 1, sub, &place, error);
        list[i].name = g->name;
        list[i].type = t->to;
        list[i].rank = place.modes;
        memcpy(list[i].extent, place.extent, sizeof place.extent);
    }
    ok = ok && make_folders(f->path, error)
         && tsr_safetensors_create(f->path, list, f->count, notes ? notes->note : NULL, notes ? notes->notes : 0, w,
                                   error);
    free(list);
    return ok;
}

static bool write_file(tsr_reshard *r, reshard_file *f, reshard_watch *watch, tsr_message *error)
{
    tsr_model_writer w;
    if (!begin_file(r, f, &w, error))
        return false;
    if (!run_file(r, f, &w, watch)) {
        tsr_model_discard(&w);
        return false;
    }
    if (!tsr_model_commit(&w, error) || !tsr_reshard_done_(r, f, error))
        return false;
    f->kept = true;
    return true;
}

/** Is the plan one that runs? */
static bool may_run(tsr_reshard const *r, tsr_message *error)
{
    if (r->report.problems > 0)
        return tsr_io_fail_(error, "%lld problems, the first one: %s", (long long)r->report.problems,
                            r->problem[0].text);
    return r->report.tensors > 0 || tsr_io_fail_(error, "the source has no tensors");
}

bool tsr_reshard_run(tsr_reshard *r, tsr_progress told, void *context, tsr_message *error)
{
    reshard_watch watch;
    error->at = 0;
    error->text[0] = 0;
    if (!may_run(r, error))
        return false;
    int const threads = tsr_engine_threads_();
    int64_t const piece =
        tsr_max64(tsr_min64(r->memory / 16 / threads, MOST_PIECE) / LEAST_PIECE * LEAST_PIECE, LEAST_PIECE);
    if (!tsr_reshard_watch_open_(&watch, r, threads, piece, r->report.bytes_written, told, context, error))
        return false;
    bool ok = r->files > 0 && make_folders(r->file[0].path, error) && tsr_reshard_begin_(r, error);
    for (int64_t i = 0; ok && i < r->files; ++i)
        if (r->file[i].kept)
            tsr_reshard_tell_(&watch, r->file[i].bytes, 0);
        else
            ok = write_file(r, &r->file[i], &watch, error);
    bool const ended = !tsr_reshard_watch_close_(&watch);
    if (ok)
        return tsr_reshard_end_(r, error);
    if (ended && !error->text[0])
        (void)tsr_io_fail_(error, "ended before all files were written; the same run goes on with the others");
    return false;
}
