/** The files of a source, by the spec's names, and the tensors that an index lists. */
#define _GNU_SOURCE /* strdup */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/npy_header.h"
#include "reshard/reshard.h"

static bool fail(tsr_message *error, char const *format, char const *a, char const *b)
{
    error->at = 0;
    snprintf(error->text, sizeof error->text, format, a, b);
    return false;
}

static char *join_path(char const *folder, char const *name)
{
    size_t const n = strlen(folder), size = n + strlen(name) + 2;
    char *const path = (char *)malloc(size);
    if (path)
        snprintf(path, size, "%s%s%s", folder, n > 0 && folder[n - 1] != '/' ? "/" : "", name);
    return path;
}

static bool ends_in(char const *text, char const *end)
{
    size_t const n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static bool is_folder(char const *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool exists(char const *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

/** Opens a file of a rank, an array with the name of a tensor. The path is the caller's. */
static bool open_source(tsr_reshard *r, char const *path, int64_t rank, char const *array, tsr_message *error)
{
    tsr_model model;
    if (!(array ? tsr_npy_open_model_(path, array, &model, error) : tsr_safetensors_open(path, &model, error)))
        return false;
    reshard_source *const s =
        (reshard_source *)tsr_reshard_more_((void **)&r->source, &r->sources, &r->source_capacity, sizeof *s, error);
    if (!s) {
        tsr_model_close(&model);
        return false;
    }
    s->model = model;
    s->rank = rank;
    s->path = strdup(path);
    return s->path || fail(error, "out of memory%s%s", "", "");
}

static int by_path(void const *a, void const *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/** A list of paths, relative to a folder. */
typedef struct path_list {
    char **path;
    int64_t count, capacity;
} path_list;

/** Lists the files of a folder and of those in it, as deep as the pattern is. */
static bool list_files(char const *root, char const *under, int depth, path_list *list, tsr_message *error)
{
    char *const folder = join_path(root, under);
    DIR *const d = folder ? opendir(folder) : NULL;
    bool ok = d || fail(error, "%s cannot be read: %s", folder ? folder : root, strerror(errno));
    for (struct dirent const *e; ok && (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        char *const name = *under ? join_path(under, e->d_name) : strdup(e->d_name);
        char *const path = name ? join_path(root, name) : NULL;
        if (path && is_folder(path)) {
            ok = depth == 0 || list_files(root, name, depth - 1, list, error);
            free(name);
        } else {
            char **const more = path ? (char **)tsr_reshard_more_((void **)&list->path, &list->count, &list->capacity,
                                                                  sizeof(char *), error)
                                     : NULL;
            ok = more != NULL || fail(error, "out of memory%s%s", "", "");
            if (more)
                *more = name;
            else
                free(name);
        }
        free(path);
    }
    if (d)
        closedir(d);
    free(folder);
    return ok;
}

/** The tensor that a file of an array is of; "": files have tensors with names. */
static char *array_of(tsr_reshard const *r, reshard_captures const *c)
{
    for (int i = 0; i < c->count && tsr_reshard_is_npy_(r->spec[0]); ++i)
        if (!c->hole[i].word[0])
            return strndup(c->hole[i].begin, c->hole[i].length);
    return strdup("");
}

/** Opens those files of a folder that the pattern names. `found` (NULL: it is an error): is there one? */
static bool open_by_pattern(tsr_reshard *r, char const *folder, char const *pattern, bool *found, tsr_message *error)
{
    path_list list = {NULL, 0, 0};
    int depth = 0;
    int64_t const before = r->sources;
    for (char const *p = pattern; *p; ++p)
        depth += *p == '/';
    bool ok = list_files(folder, "", depth, &list, error);
    if (list.count > 1)
        qsort(list.path, (size_t)list.count, sizeof *list.path, by_path);
    int64_t parts = 0;
    for (int64_t i = 0; ok && i < list.count; ++i) {
        reshard_captures c;
        if (!tsr_reshard_match_(pattern, list.path[i], &c))
            continue;
        reshard_capture const *const all = tsr_reshard_captured_(&c, "parts");
        parts = all ? tsr_max64(parts, all->number) : parts;
        int64_t const rank = tsr_reshard_rank_named_(r->spec[0], &c);
        char *const path = join_path(folder, list.path[i]), *const array = array_of(r, &c);
        if (rank < 0)
            ok = fail(error, "%s is the file of a rank that the mesh of --from does not have%s", list.path[i], "");
        else
            ok = path && array ? open_source(r, path, rank, *array ? array : NULL, error)
                               : fail(error, "out of memory%s%s", "", "");
        free(array);
        free(path);
    }
    for (int64_t i = 0; i < list.count; ++i)
        free(list.path[i]);
    free(list.path);
    if (ok && parts > r->sources - before && tsr_reshard_ranks_(r->spec[0]) == 1)
        (void)tsr_reshard_note_(r, TSR_RESHARD_MISSING, "", "%s has %lld of %lld files of the name %s", folder,
                                (long long)(r->sources - before), (long long)parts, pattern);
    if (found)
        *found = r->sources > before;
    return ok && (found || r->sources > before || fail(error, "%s has no file of the name %s", folder, pattern));
}

/** What an index lists: files to be opened once, and tensors that these are to have. */
typedef struct index_reader {
    tsr_reshard *r;
    char const *folder;
    int64_t first; /* source */
    tsr_message *error;
} index_reader;

static bool see_tensor(void *context, char const *tensor, char const *file)
{
    index_reader *const x = (index_reader *)context;
    char *const path = join_path(x->folder, file);
    int64_t i = x->first;
    if (!path)
        return fail(x->error, "out of memory%s%s", "", "");
    while (i < x->r->sources && strcmp(x->r->source[i].path, path) != 0)
        ++i;
    bool const ok = i < x->r->sources || open_source(x->r, path, 0, NULL, x->error);
    if (ok && tsr_model_find(&x->r->source[i].model, tensor) < 0)
        (void)tsr_reshard_note_(x->r, TSR_RESHARD_MISSING, tensor,
                                "the index says that %s has tensor %s, and it has not", path, tensor);
    free(path);
    return ok;
}

/** A whole model: its index, model.safetensors, the files of the spec, or all .safetensors files of the folder. */
static bool open_whole(tsr_reshard *r, char const *folder, tsr_message *error)
{
    char const *const wanted = r->spec[0]->index ? r->spec[0]->index : "model.safetensors.index.json";
    char *const index = join_path(folder, wanted), *const one = join_path(folder, "model.safetensors");
    index_reader x = {r, folder, r->sources, error};
    bool ok = false, found = false;
    if (!index || !one)
        (void)fail(error, "out of memory%s%s", "", "");
    else if (exists(index))
        ok = tsr_reshard_index_read_(index, see_tensor, &x, error);
    else if (exists(one))
        ok = open_source(r, one, 0, NULL, error);
    else
        ok = (!r->spec[0]->files || open_by_pattern(r, folder, r->spec[0]->files, &found, error))
             && (found || open_by_pattern(r, folder, "*.safetensors", NULL, error));
    free(index);
    free(one);
    return ok;
}

/** Has the run ended that writes the folder? */
static bool is_complete(char const *folder, tsr_message *error)
{
    char *const plan = join_path(folder, tsr_reshard_plan_name_);
    bool const runs = plan && exists(plan);
    free(plan);
    return !runs
           || fail(error,
                   "%s is not complete: the run that writes it has left %s there, and goes on when it is "
                   "started again",
                   folder, tsr_reshard_plan_name_);
}

bool tsr_reshard_sources_(tsr_reshard *r, tsr_reshard_options const *o, tsr_message *error)
{
    char const *const files = r->spec[0]->files;
    int64_t const ranks = tsr_reshard_ranks_(r->spec[0]);
    if (o->count < 1)
        return fail(error, "no source is named%s%s", "", "");
    for (int i = 0; i < o->count; ++i) {
        char const *const path = o->from[i];
        bool ok = true;
        if (!is_folder(path)) {
            if (tsr_reshard_is_npy_(r->spec[0]))
                return fail(error, "%s is no folder: arrays of --from are the .npy files of one%s", path, "");
            if (!ends_in(path, ".safetensors"))
                return fail(error, "%s is neither a folder nor a .safetensors file%s", path,
                            exists(path) ? "" : ", and does not exist");
            if (ranks > 1 && o->count != ranks) {
                error->at = 0;
                snprintf(
                    error->text, sizeof error->text,
                    "%d files are named, and the mesh of --from has %lld ranks: name a file for each rank, or their "
                    "folder",
                    o->count, (long long)ranks);
                return false;
            }
            ok = open_source(r, path, ranks > 1 ? i : 0, NULL, error);
        } else if (!is_complete(path, error)) {
            ok = false;
        } else if (files && (ranks > 1 || tsr_reshard_is_npy_(r->spec[0]))) {
            ok = open_by_pattern(r, path, files, NULL, error);
        } else {
            ok = open_whole(r, path, error);
        }
        if (!ok)
            return false;
    }
    return true;
}
