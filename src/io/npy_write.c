/** Writing .npy: into a file of another name beside the target, which takes the target's name when it is whole. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PREFIX = 10, ALIGNED = 64, LONGEST = 1024 };

/** Magic, version, length and dictionary, padded so that elements begin at a multiple of 64; returns its length. */
static size_t write_header(char *out, char const *descr, tsr_layout l, tsr_order order)
{
    static char const magic[9] = "\x93NUMPY\x01";
    size_t n = PREFIX;
    memset(out, ' ', LONGEST);
    n += (size_t)snprintf(out + n, LONGEST - n, "{'descr': '%s', 'fortran_order': %s, 'shape': (", descr,
                          order == TSR_F_ORDER ? "True" : "False");
    bool const scalar = tsr_is_unit(&l.shape);
    for (int i = 0; !scalar && i < l.shape.leaves; ++i)
        n += (size_t)snprintf(out + n, LONGEST - n, "%s%lld", i ? ", " : "", (long long)l.shape.leaf[i].value);
    n += (size_t)snprintf(out + n, LONGEST - n, "%s), }", !scalar && l.shape.leaves == 1 ? "," : "");
    out[n] = ' ';
    size_t const total = (n + ALIGNED) / ALIGNED * ALIGNED;
    out[total - 1] = '\n';
    memcpy(out, magic, 8);
    out[8] = (char)((total - PREFIX) & 255);
    out[9] = (char)((total - PREFIX) >> 8);
    return total;
}

/** Where the target is: behind the link if it is one. What exists and is no file is left alone. */
static bool resolve_target(tsr_npy_writer *w, char const *path, mode_t *mode, tsr_io_error *error)
{
    struct stat status;
    bool const exists = stat(path, &status) == 0;
    if (exists && !S_ISREG(status.st_mode))
        return io_fail(error, "exists and is not a regular file");
    *mode = exists ? status.st_mode & 07777 : 0;
    w->target = exists ? realpath(path, NULL) : strdup(path);
    return w->target ? true : io_fail(error, "out of memory");
}

/** Opens a new file beside the target; one that replaces another has its permissions. */
static bool open_temporary(tsr_npy_writer *w, mode_t mode, tsr_io_error *error)
{
    size_t const room = strlen(w->target) + 48;
    char *const name = (char *)malloc(room);
    if (!name)
        return io_fail(error, "out of memory");
    for (int i = 0; w->handle < 0 && (i == 0 || errno == EEXIST) && i < 10000; ++i) {
        snprintf(name, room, "%s.%ld-%d.tmp", w->target, (long)getpid(), i);
        w->handle = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (w->handle < 0) {
        free(name);
        return io_fail(error, "no file can be made beside it: %s", strerror(errno));
    }
    w->temporary = name;
    if (mode != 0 && fchmod(w->handle, mode) != 0)
        return io_fail(error, "its permissions cannot be set: %s", strerror(errno));
    return true;
}

/** Memory of the size of the file: the file itself where it can be mapped, and its blocks be reserved. */
static bool map_file(tsr_npy_writer *w, tsr_io_error *error)
{
    if (w->size > SIZE_MAX / 2)
        return io_fail(error, "%llu bytes do not fit in memory", (unsigned long long)w->size);
    int const full = posix_fallocate(w->handle, 0, (off_t)w->size);
    if (full == ENOSPC || full == EFBIG || full == EDQUOT)
        return io_fail(error, "there is no room for %llu bytes: %s", (unsigned long long)w->size, strerror(full));
    if (full == 0)
        w->map = mmap(NULL, (size_t)w->size, PROT_READ | PROT_WRITE, MAP_SHARED, w->handle, 0);
    w->mapped = full == 0 && w->map != MAP_FAILED;
    if (!w->mapped)
        w->map = calloc(1, (size_t)w->size);
    return w->map ? true : io_fail(error, "out of memory: %llu bytes", (unsigned long long)w->size);
}

/** The compact layout of a shape of integers. */
static bool lay_out(tsr_tuple shape, tsr_order order, tsr_layout *l, tsr_io_error *error)
{
    tsr_tuple const wrapped = tsr_is_leaf(&shape) ? tsr_tuple_1(shape) : shape;
    *l = tsr_checked_(tsr_make_layout_from(wrapped, order == TSR_F_ORDER ? tsr_left() : tsr_right()));
    if (l->shape.status)
        return io_fail_reason(error, l->shape);
    if (!tsr_is_unit(&l->shape) && tsr_rank_of_(&l->shape) != l->shape.leaves)
        return io_fail(error, "the shape of an array does not nest");
    return true;
}

bool tsr_npy_create(char const *path, tsr_dtype type, tsr_tuple shape, tsr_order order, tsr_npy_writer *writer,
                    tsr_io_error *error)
{
    char header[LONGEST];
    tsr_layout l;
    tsr_npy_writer w = {.handle = -1};
    int64_t bytes = 0;
    mode_t mode = 0;
    char const *const descr = tsr_npy_descr(type);
    memset(writer, 0, sizeof *writer);
    writer->handle = -1;
    if (!descr)
        return io_fail(error, "NumPy has no elements of %d bits", tsr_dtype_bits(type)) || io_fail_at(error, path);
    if (!lay_out(shape, order, &l, error))
        return io_fail_at(error, path);
    size_t const begin = write_header(header, descr, l, order);
    if (!tsr_mul64(tsr_layout_size(l), tsr_dtype_bits(type) / 8, &bytes) || !tsr_add64(bytes, (int64_t)begin, &bytes))
        return io_fail(error, "the file would have more than 2^63 bytes") || io_fail_at(error, path);
    w.size = (uint64_t)bytes;
    if (!resolve_target(&w, path, &mode, error) || !open_temporary(&w, mode, error) || !map_file(&w, error)) {
        tsr_npy_discard(&w);
        return io_fail_at(error, path);
    }
    memcpy(w.map, header, begin);
    w.tensor = tsr_make_tensor_of(tsr_engine_at_(TSR_GMEM, (char *)w.map + begin, false, type), l);
    *writer = w;
    return true;
}

static bool write_all(int handle, char const *p, uint64_t n, tsr_io_error *error)
{
    while (n > 0) {
        ssize_t const done = write(handle, p, n < 1u << 30 ? (size_t)n : 1u << 30);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return io_fail(error, "cannot be written: %s", strerror(errno));
        p += done;
        n -= (uint64_t)done;
    }
    return true;
}

/** Brings the name of a file to the disk, which is in its folder. Not every file system can; then it follows later. */
static void sync_folder(char const *path)
{
    size_t n = strlen(path);
    while (n > 0 && path[n - 1] != '/')
        --n;
    char *const folder = (char *)malloc(n + 2);
    if (!folder)
        return;
    memcpy(folder, n ? path : ".", n ? n : 1);
    folder[n ? n : 1] = 0;
    int const handle = open(folder, O_RDONLY | O_CLOEXEC);
    if (handle >= 0) {
        fsync(handle);
        close(handle);
    }
    free(folder);
}

bool tsr_npy_commit(tsr_npy_writer *writer, tsr_io_error *error)
{
    bool ok = writer->mapped || write_all(writer->handle, (char const *)writer->map, writer->size, error);
    if (ok && writer->mapped && msync(writer->map, (size_t)writer->size, MS_SYNC) != 0)
        ok = io_fail(error, "cannot be written: %s", strerror(errno));
    if (ok && fsync(writer->handle) != 0)
        ok = io_fail(error, "cannot be brought to the disk: %s", strerror(errno));
    if (ok && rename(writer->temporary, writer->target) != 0)
        ok = io_fail(error, "cannot be replaced: %s", strerror(errno));
    if (ok) {
        sync_folder(writer->target);
        free(writer->temporary);
        writer->temporary = NULL;
    } else if (writer->target) {
        io_fail_at(error, writer->target);
    }
    tsr_npy_discard(writer);
    return ok;
}

void tsr_npy_discard(tsr_npy_writer *writer)
{
    if (writer->mapped)
        munmap(writer->map, (size_t)writer->size);
    else if (writer->map != MAP_FAILED)
        free(writer->map);
    if (writer->handle >= 0)
        close(writer->handle);
    if (writer->temporary)
        unlink(writer->temporary);
    free(writer->temporary);
    free(writer->target);
    memset(writer, 0, sizeof *writer);
    writer->handle = -1;
}

bool tsr_npy_write(char const *path, tsr_tensor tensor, tsr_order order, tsr_io_error *error)
{
    tsr_npy_writer w;
    tsr_engine const *const e = &tensor.engine;
    tsr_dtype const type = e->map.kind == TSR_CAST ? e->map.type : e->kind == TSR_POINTER ? e->type : TSR_I64;
    tsr_tuple const reason = tsr_readable(tensor), shape = tsr_product_each(tensor.layout.shape);
    if (reason.status)
        return io_fail_reason(error, reason) || io_fail_at(error, path);
    if (!tsr_npy_create(path, type, shape, order, &w, error))
        return false;
    tsr_tuple const copied = tsr_copy(tensor, w.tensor);
    if (copied.status) {
        tsr_npy_discard(&w);
        return io_fail_reason(error, copied) || io_fail_at(error, path);
    }
    return tsr_npy_commit(&w, error);
}
