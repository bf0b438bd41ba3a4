/** The bytes of a file: its header read, the rest mapped, or read where it cannot be mapped (a pipe, a device). */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "io/file.h"
#include "tessera/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool io_fail(tsr_message *error, char const *format, ...)
{
    va_list args;
    if (error) {
        error->at = 0;
        va_start(args, format);
        vsnprintf(error->text, sizeof error->text, format, args);
        va_end(args);
    }
    return false;
}

bool io_fail_reason(tsr_message *error, tsr_reason why)
{
    if (error) {
        error->at = 0;
        tsr_format_reason(error->text, sizeof error->text, tsr_why(why));
    }
    return false;
}

bool io_fail_at(tsr_message *error, char const *path)
{
    if (error) {
        tsr_message const words = *error;
        snprintf(error->text, sizeof error->text, "%.*s: %.*s", 400, path, 600, words.text);
    }
    return false;
}

bool io_open(char const *path, io_source *source, tsr_message *error)
{
    struct stat status;
    memset(source, 0, sizeof *source);
    source->handle = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (source->handle < 0)
        return io_fail(error, "cannot be opened: %s", strerror(errno));
    if (fstat(source->handle, &status) != 0) {
        io_fail(error, "cannot be examined: %s", strerror(errno));
        io_source_close(source);
        return false;
    }
    /* What the system makes up as it is read (/proc) says that it has no bytes. */
    source->size = S_ISREG(status.st_mode) && status.st_size > 0 ? (uint64_t)status.st_size : IO_UNKNOWN;
    return true;
}

/** Memory for `bytes` bytes, of which the head keeps what it has. */
static bool grow(io_source *source, uint64_t bytes, tsr_message *error)
{
    void *const bigger = bytes < SIZE_MAX ? realloc(source->head, (size_t)bytes + 1) : NULL;
    if (!bigger)
        return io_fail(error, "out of memory: %llu bytes", (unsigned long long)bytes);
    source->head = (unsigned char *)bigger;
    return true;
}

bool io_head(io_source *source, uint64_t bytes, tsr_message *error)
{
    if (bytes > source->held && !grow(source, bytes, error))
        return false;
    while (source->held < bytes) {
        uint64_t const left = bytes - source->held;
        ssize_t const n = read(source->handle, source->head + source->held, left < 1u << 30 ? (size_t)left : 1u << 30);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return io_fail(error, "reading fails after %llu bytes: %s", (unsigned long long)source->held,
                           strerror(errno));
        if (n == 0) {
            source->size = source->held;
            return true;
        }
        source->held += (uint64_t)n;
    }
    return true;
}

bool io_take(io_source *source, uint64_t bytes, bool map, tsr_bytes *taken, tsr_message *error)
{
    memset(taken, 0, sizeof *taken);
    if (map && source->size != IO_UNKNOWN && bytes > 0 && bytes <= SIZE_MAX) {
        void *const mapped = mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, source->handle, 0);
        taken->data = mapped == MAP_FAILED ? NULL : mapped;
    }
    if (!taken->data) {
        if (!io_head(source, bytes, error))
            return false;
        if (source->held < bytes)
            return io_fail(error, "ends after %llu bytes, %llu are announced", (unsigned long long)source->held,
                           (unsigned long long)bytes);
        taken->data = taken->owned = source->head;
        source->head = NULL;
        source->held = 0;
    }
    taken->size = bytes;
    return true;
}

void io_source_close(io_source *source)
{
    free(source->head);
    if (source->handle >= 0)
        close(source->handle);
    memset(source, 0, sizeof *source);
    source->handle = -1;
}

void io_close(tsr_bytes *bytes)
{
    if (bytes->owned)
        free(bytes->owned);
    else if (bytes->data)
        munmap((void *)(uintptr_t)bytes->data, (size_t)bytes->size);
    memset(bytes, 0, sizeof *bytes);
}
