/** A file that is written as memory: the temporary file itself, or memory that is written into it by the commit.
 *
 *  The blocks of the file are reserved first, so that a full disk is an error and not a signal. Mapped, it is written
 *  in any order, and needs no memory of its own; docs/benchmarks.md has it beside cp.
 */
#define _GNU_SOURCE /* posix_fallocate, madvise, sync_file_range */
#define _FILE_OFFSET_BITS 64

#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 1 << 30 }; /* bytes of one call */

/** Memory of the size of the file: the file itself where it can be mapped, and its blocks be reserved. */
static bool map_file(tsr_image *w, tsr_message *error)
{
    int full = ENODEV; /* a stream has no blocks */
    if (w->size > SIZE_MAX / 2)
        return tsr_io_fail_(error, "%llu bytes do not fit in memory", (unsigned long long)w->size);
    if (w->output.temporary)
        full = posix_fallocate(w->output.handle, 0, (off_t)w->size);
    if (full == ENOSPC || full == EFBIG || full == EDQUOT)
        return tsr_io_fail_(error, "there is no room for %llu bytes: %s", (unsigned long long)w->size,
                            strerror(full));
    if (full == 0)
        w->map = mmap(NULL, (size_t)w->size, PROT_READ | PROT_WRITE, MAP_SHARED, w->output.handle, 0);
    w->mapped = full == 0 && w->map != MAP_FAILED;
    if (!w->mapped)
        w->map = calloc(1, (size_t)w->size);
    return w->map ? true : tsr_io_fail_(error, "out of memory: %llu bytes", (unsigned long long)w->size);
}

bool tsr_image_create(char const *path, uint64_t size, tsr_image *image, tsr_message *error)
{
    tsr_image w = {{NULL, NULL, -1}, NULL, size, false};
    bool ok = tsr_output_open(path, &w.output, error);
    if (ok && !map_file(&w, error)) {
        tsr_image_discard(&w);
        ok = tsr_io_fail_at_(error, path);
    }
    *image = w;
    return ok;
}

/** Gives the memory back; the output is left. */
static void unmap(tsr_image *w)
{
    if (w->mapped)
        munmap(w->map, (size_t)w->size);
    else if (w->map != MAP_FAILED)
        free(w->map);
    w->map = NULL;
    w->mapped = false;
}

bool tsr_image_commit(tsr_image *image, tsr_message *error)
{
    bool ok = image->mapped || tsr_output_write(&image->output, image->map, image->size, error);
    if (ok && image->mapped && msync(image->map, (size_t)image->size, MS_SYNC) != 0) {
        ok = tsr_io_fail_(error, "cannot be written: %s", strerror(errno));
        tsr_io_fail_at_(error, image->output.target);
    }
    unmap(image);
    ok = ok && tsr_output_commit(&image->output, error);
    tsr_image_discard(image);
    return ok;
}

void tsr_image_discard(tsr_image *image)
{
    unmap(image);
    tsr_output_discard(&image->output);
    memset(image, 0, sizeof *image);
    image->output.handle = -1;
}

bool tsr_image_put(tsr_image const *image, uint64_t at, void const *bytes, uint64_t n, tsr_message *error)
{
    char const *p = (char const *)bytes;
    if (at > image->size || n > image->size - at)
        return tsr_io_fail_(error, "bytes %llu to %llu are not in a file of %llu", (unsigned long long)at,
                            (unsigned long long)(at + n), (unsigned long long)image->size)
               || tsr_io_fail_at_(error, image->output.target);
    if (!image->mapped) {
        memcpy((char *)image->map + at, bytes, (size_t)n);
        return true;
    }
    while (n > 0) {
        ssize_t const done = pwrite(image->output.handle, p, n < MOST ? (size_t)n : MOST, (off_t)at);
        if (done < 0 && tsr_io_goes_on_())
            continue;
        if (done <= 0)
            return tsr_io_fail_(error, "cannot be written: %s", strerror(errno))
                   || tsr_io_fail_at_(error, image->output.target);
        p += done;
        at += (uint64_t)done;
        n -= (uint64_t)done;
    }
    return true;
}

void tsr_image_flush(tsr_image const *image, uint64_t at, uint64_t n)
{
#if defined(SYNC_FILE_RANGE_WRITE)
    if (image->mapped)
        (void)sync_file_range(image->output.handle, (off_t)at, (off_t)n, SYNC_FILE_RANGE_WRITE);
#else
    (void)image;
    (void)at;
    (void)n;
#endif
}

void tsr_image_forget(tsr_image const *image)
{
    if (image->mapped)
        madvise(image->map, (size_t)image->size, MADV_DONTNEED);
}

void tsr_bytes_forget(tsr_bytes const *bytes)
{
    if (!bytes->owned && bytes->data)
        madvise((void *)(uintptr_t)bytes->data, (size_t)bytes->size, MADV_DONTNEED);
}
