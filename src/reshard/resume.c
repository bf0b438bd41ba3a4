/** The plan file of a run: tessera-reshard.plan in the folder of the target. Its first line is a hash of all that the
 *  files depend on. Each file that is whole adds a line: its number, bytes and time of change. The end of the run
 *  removes it, so a folder with a plan file is not complete. */
#define _GNU_SOURCE /* st_mtim */
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"
#include "io/output.h"
#include "reshard/deal.h"

char const tsr_reshard_plan_name_[] = "tessera-reshard.plan";

/** FNV-1a of 64 bits. */
static void add_hash(uint64_t *h, void const *bytes, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        *h = (*h ^ ((unsigned char const *)bytes)[i]) * UINT64_C(0x100000001b3);
}

static void add_text(uint64_t *h, char const *text) { add_hash(h, text, strlen(text) + 1); }

static void add_number(uint64_t *h, int64_t n) { add_hash(h, &n, sizeof n); }

static int64_t changed_at(struct stat const *s)
{
    return (int64_t)s->st_mtim.tv_sec * 1000000000 + s->st_mtim.tv_nsec;
}

static uint64_t hash_of(tsr_reshard const *r)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    add_text(&h, "tessera reshard 1");
    for (int side = 0; side < 2; ++side) {
        add_text(&h, r->spec[side]->text);
        for (int a = 0; a < r->spec[side]->axes; ++a)
            add_number(&h, r->spec[side]->axis[a].size);
    }
    for (int i = 0; i < r->casts; ++i) {
        add_text(&h, r->cast[i].pattern);
        add_number(&h, (int64_t)r->cast[i].type);
    }
    for (int64_t i = 0; i < r->sources; ++i) {
        struct stat s;
        add_text(&h, r->source[i].path);
        add_number(&h, r->source[i].rank);
        if (stat(r->source[i].path, &s) == 0) {
            add_number(&h, (int64_t)s.st_size);
            add_number(&h, changed_at(&s));
        }
    }
    for (int64_t i = 0; i < r->files; ++i) {
        add_text(&h, r->file[i].path);
        add_number(&h, r->file[i].bytes);
        add_number(&h, r->file[i].count);
    }
    return h;
}

/** The target is a folder; one file needs no plan file. */
static char *plan_path(tsr_reshard const *r)
{
    size_t const size = strlen(r->to) + sizeof tsr_reshard_plan_name_ + 1;
    char *const path = r->files == 1 && strcmp(r->file[0].path, r->to) == 0 ? NULL : (char *)malloc(size);
    if (path)
        snprintf(path, size, "%s/%s", r->to, tsr_reshard_plan_name_);
    return path;
}

void tsr_reshard_resume_(tsr_reshard *r)
{
    char *const path = plan_path(r);
    FILE *const file = path ? fopen(path, "r") : NULL;
    uint64_t hash = 0;
    int64_t number = 0, bytes = 0, time = 0;
    r->hash = hash_of(r);
    if (file && fscanf(file, "tessera reshard %" SCNx64, &hash) == 1 && hash == r->hash)
        while (fscanf(file, "%" SCNd64 " %" SCNd64 " %" SCNd64 " ;", &number, &bytes, &time) == 3) {
            struct stat s;
            if (number >= 0 && number < r->files && stat(r->file[number].path, &s) == 0 && (int64_t)s.st_size == bytes
                && changed_at(&s) == time && !r->file[number].kept) {
                r->file[number].kept = true;
                ++r->report.kept;
            }
        }
    if (file)
        fclose(file);
    free(path);
}

/** Writes a line at the end of the plan file, or as its only one, and brings it to the disk. */
static bool write_line(tsr_reshard const *r, bool first, char const *line, tsr_message *error)
{
    char *const path = plan_path(r);
    if (!path)
        return true;
    int const handle = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (first ? O_TRUNC : O_APPEND), 0666);
    bool const ok = handle >= 0 && tsr_io_write_(handle, line, strlen(line)) && fsync(handle) == 0;
    if (!ok)
        (void)(tsr_io_fail_(error, "cannot be written: %s", strerror(errno)) || tsr_io_fail_at_(error, path));
    if (handle >= 0)
        close(handle);
    free(path);
    return ok;
}

bool tsr_reshard_begin_(tsr_reshard const *r, tsr_message *error)
{
    char line[64];
    snprintf(line, sizeof line, "tessera reshard %016" PRIx64 "\n", r->hash);
    if (r->report.kept > 0)
        return true;
    return write_line(r, true, line, error);
}

bool tsr_reshard_done_(tsr_reshard const *r, reshard_file const *file, tsr_message *error)
{
    struct stat s;
    char line[96];
    if (stat(file->path, &s) != 0)
        return tsr_io_fail_(error, "is gone after it was written: %s", strerror(errno))
               || tsr_io_fail_at_(error, file->path);
    snprintf(line, sizeof line, "%lld %lld %lld ;\n", (long long)(file - r->file), (long long)s.st_size,
             (long long)changed_at(&s));
    return write_line(r, false, line, error);
}

/** A string of JSON. */
static bool put_json(tsr_output *out, char const *text, tsr_message *error)
{
    bool ok = tsr_output_write(out, "\"", 1, error);
    for (char const *p = text; ok && *p; ++p) {
        char escaped[8];
        if ((unsigned char)*p < 0x20)
            snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)*p);
        else
            snprintf(escaped, sizeof escaped, "%s%c", *p == '"' || *p == '\\' ? "\\" : "", *p);
        ok = tsr_output_write(out, escaped, strlen(escaped), error);
    }
    return ok && tsr_output_write(out, "\"", 1, error);
}

static bool put_index(tsr_reshard const *r, tsr_output *out, tsr_message *error)
{
    char head[96];
    int64_t seen = 0;
    snprintf(head, sizeof head, "{\n  \"metadata\": {\"total_size\": %lld},\n  \"weight_map\": {",
             (long long)r->report.bytes_written);
    bool ok = tsr_output_write(out, head, strlen(head), error);
    for (int64_t i = 0; ok && i < r->files; ++i)
        for (int k = 0; ok && k < r->file[i].count; ++k) {
            char const *const separator = seen++ > 0 ? ",\n    " : "\n    ";
            char const *const name = r->file[i].path + strlen(r->to) + 1;
            ok = tsr_output_write(out, separator, strlen(separator), error)
                 && put_json(out, r->target[r->listed[r->file[i].first + k]].name, error)
                 && tsr_output_write(out, ": ", 2, error) && put_json(out, name, error);
        }
    return ok && tsr_output_write(out, "\n  }\n}\n", 7, error);
}

static bool write_index(tsr_reshard const *r, tsr_message *error)
{
    size_t const size = strlen(r->to) + strlen(tsr_reshard_index_name_(r)) + 2;
    char *const path = (char *)malloc(size);
    tsr_output out;
    if (!path)
        return tsr_io_fail_(error, "out of memory");
    snprintf(path, size, "%s/%s", r->to, tsr_reshard_index_name_(r));
    bool ok = tsr_output_open(path, &out, error);
    free(path);
    if (!ok)
        return false;
    if (put_index(r, &out, error))
        return tsr_output_commit(&out, error);
    tsr_output_discard(&out);
    return false;
}

bool tsr_reshard_end_(tsr_reshard const *r, tsr_message *error)
{
    char *const path = plan_path(r);
    bool const ok = !tsr_reshard_is_indexed_(r) || write_index(r, error);
    if (ok && path)
        (void)unlink(path);
    free(path);
    return ok;
}
