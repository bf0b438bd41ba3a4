/** Targets into files: one for each rank, or shards of a size. */
#define _GNU_SOURCE /* strdup */
#define _FILE_OFFSET_BITS 64
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reshard/deal.h"
#include "reshard/match.h"

static char const *files_of(tsr_reshard_spec const *spec)
{
    return spec->files ? spec->files : "model-{part:05}-of-{parts:05}.safetensors";
}

static bool in_shards(tsr_reshard_spec const *spec) { return strstr(files_of(spec), "{part") != NULL; }

static bool one_file(tsr_reshard const *r)
{
    size_t const n = strlen(r->to), m = sizeof ".safetensors" - 1;
    return n > m && strcmp(r->to + n - m, ".safetensors") == 0 && !tsr_reshard_is_npy_(r->spec[1]);
}

bool tsr_reshard_is_indexed_(tsr_reshard const *r)
{
    return !one_file(r) && (r->spec[1]->index || !r->spec[1]->files) && r->files > 1;
}

char const *tsr_reshard_index_name_(tsr_reshard const *r)
{
    return r->spec[1]->index ? r->spec[1]->index : "model.safetensors.index.json";
}

/** Files of one rank, from `first` on, get their names. */
static bool name_files(tsr_reshard *r, int64_t first, tsr_message *error)
{
    tsr_reshard_spec const *const spec = r->spec[1];
    bool const alone = r->files == first + 1 && (spec->index || !spec->files) && tsr_reshard_ranks_(spec) == 1;
    for (int64_t i = first; i < r->files; ++i) {
        reshard_captures c;
        tsr_reshard_rank_words_(spec, r->file[i].rank, &c);
        bool const from_1 = strstr(files_of(spec), "{parts") != NULL;
        reshard_capture const part = {.word = "part", .number = i - first + from_1};
        reshard_capture const parts = {.word = "parts", .number = r->files - first};
        c.hole[c.count++] = part;
        c.hole[c.count++] = parts;
        if (tsr_reshard_is_npy_(spec)) {
            char const *const tensor = r->target[r->listed[r->file[i].first]].name;
            reshard_capture const star = {.begin = tensor, .length = strlen(tensor)};
            c.hole[c.count++] = star;
        }
        char *const name = alone ? strdup("model.safetensors") : tsr_reshard_name_(files_of(spec), &c);
        size_t const size = strlen(r->to) + (name ? strlen(name) : 0) + 2;
        char *const path = one_file(r) ? strdup(r->to) : (char *)malloc(size);
        if (path && name && !one_file(r))
            snprintf(path, size, "%s/%s", r->to, name);
        r->file[i].path = path;
        if (!path || !name) {
            snprintf(error->text, sizeof error->text,
                     "the names of the target's files, %s, have a star or a word that is none of the mesh",
                     files_of(spec));
            return free(name), false;
        }
        free(name);
    }
    return true;
}

/** The file that goes on, or a new one, for a tensor of these bytes. */
static reshard_file *file_for(tsr_reshard *r, int64_t first, int64_t rank, int64_t bytes, tsr_message *error)
{
    reshard_file *const last = r->files > first ? &r->file[r->files - 1] : NULL;
    if (last && !tsr_reshard_is_npy_(r->spec[1])
        && (!in_shards(r->spec[1]) || one_file(r) || last->bytes == 0 || last->bytes + bytes <= r->shard_size))
        return last;
    reshard_file *const f =
        (reshard_file *)tsr_reshard_more_((void **)&r->file, &r->files, &r->file_capacity, sizeof *f, error);
    if (f) {
        f->rank = rank;
        f->first = (int)r->listed_count;
    }
    return f;
}

static bool deal_rank(tsr_reshard *r, int64_t rank, tsr_message *error)
{
    int64_t const first = r->files;
    if (!tsr_reshard_is_npy_(r->spec[1]) && !file_for(r, first, rank, 0, error))
        return false;
    for (int64_t i = 0; i < r->targets; ++i) {
        reshard_tensor const *const t = tsr_reshard_member_(r, &r->target[i], 0);
        int64_t sub = 0;
        reshard_place place;
        if (!tsr_reshard_holds_(r, t, 1, rank, &sub))
            continue;
        if (!tsr_reshard_place_(r, t, 1, sub, &place, error))
            return false;
        int64_t const bytes = place.elements * (tsr_dtype_bits(t->to) / 8);
        reshard_file *const f = file_for(r, first, rank, bytes, error);
        int *const item = f ? (int *)tsr_reshard_more_((void **)&r->listed, &r->listed_count, &r->listed_capacity,
                                                       sizeof *item, error)
                            : NULL;
        if (!item)
            return false;
        *item = (int)i;
        f->bytes += bytes;
        ++f->count;
        r->report.bytes_written += bytes;
        ++r->report.parts[1];
        for (int k = 0; k < r->target[i].members; ++k) {
            reshard_tensor const *const m = tsr_reshard_member_(r, &r->target[i], k);
            if (!tsr_reshard_place_(r, m, 1, sub, &place, error))
                return false;
            r->report.bytes_read += place.part.elements * (tsr_dtype_bits(m->type) / 8);
        }
    }
    return name_files(r, first, error);
}

static int by_file_path(void const *a, void const *b)
{
    return strcmp((*(reshard_file const *const *)a)->path, (*(reshard_file const *const *)b)->path);
}

typedef struct file_identity {
    dev_t device;
    ino_t number;
} file_identity;

static int by_identity(void const *a, void const *b)
{
    file_identity const *const x = (file_identity const *)a, *const y = (file_identity const *)b;
    return x->device != y->device ? (x->device > y->device ? 1 : -1)
                                  : (x->number > y->number) - (x->number < y->number);
}

/** No file that would be written is a source. */
static bool check_sources(tsr_reshard const *r, tsr_message *error)
{
    file_identity *const list = (file_identity *)calloc((size_t)r->sources + 1, sizeof *list);
    bool ok = list != NULL;
    struct stat status;
    for (int64_t s = 0; ok && s < r->sources; ++s)
        if (stat(r->source[s].path, &status) == 0)
            list[s] = (file_identity){status.st_dev, status.st_ino};
    if (ok && r->sources > 1)
        qsort(list, (size_t)r->sources, sizeof *list, by_identity);
    for (int64_t i = 0; ok && i < r->files; ++i) {
        if (stat(r->file[i].path, &status) != 0)
            continue;
        file_identity const one = {status.st_dev, status.st_ino};
        ok = !bsearch(&one, list, (size_t)r->sources, sizeof *list, by_identity);
        if (!ok)
            snprintf(error->text, sizeof error->text, "%s is a source, and would be written: name another target",
                     r->file[i].path);
    }
    free(list);
    return ok;
}

/** No two files have one name, and none is a source. */
static bool check_paths(tsr_reshard const *r, tsr_message *error)
{
    reshard_file const **const list = (reshard_file const **)malloc((size_t)r->files * sizeof *list + 1);
    bool ok = list != NULL;
    for (int64_t i = 0; ok && i < r->files; ++i)
        list[i] = &r->file[i];
    if (ok && r->files > 1)
        qsort(list, (size_t)r->files, sizeof *list, by_file_path);
    for (int64_t i = 1; ok && i < r->files; ++i)
        if (strcmp(list[i - 1]->path, list[i]->path) == 0) {
            snprintf(error->text, sizeof error->text,
                     "ranks %lld and %lld of the target have one file, %s: its name needs {rank}",
                     (long long)list[i - 1]->rank, (long long)list[i]->rank, list[i]->path);
            ok = false;
        }
    free(list);
    return ok && check_sources(r, error);
}

bool tsr_reshard_deal_(tsr_reshard *r, tsr_message *error)
{
    error->at = 0;
    snprintf(error->text, sizeof error->text, "out of memory");
    if (one_file(r) && tsr_reshard_ranks_(r->spec[1]) > 1) {
        snprintf(error->text, sizeof error->text,
                 "%s is one file, and the mesh of --to has %lld ranks: name a folder", r->to,
                 (long long)tsr_reshard_ranks_(r->spec[1]));
        return false;
    }
    for (int64_t rank = 0; rank < tsr_reshard_ranks_(r->spec[1]); ++rank)
        if (!deal_rank(r, rank, error))
            return false;
    return check_paths(r, error);
}
