/** The bytes of a file: mapped, or read where it cannot be mapped (a pipe, an empty file). */
#define _POSIX_C_SOURCE 200809L

#include "file.h"
#include "tessera/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool io_fail(tsr_io_error *error, char const *format, ...)
{
    va_list args;
    if (error) {
        va_start(args, format);
        vsnprintf(error->text, sizeof error->text, format, args);
        va_end(args);
    }
    return false;
}

bool io_fail_reason(tsr_io_error *error, tsr_tuple why)
{
    if (error)
        tsr_format_reason(error->text, sizeof error->text, why);
    return false;
}

bool io_fail_at(tsr_io_error *error, char const *path)
{
    if (error) {
        tsr_io_error const words = *error;
        snprintf(error->text, sizeof error->text, "%.*s: %.*s", 400, path, 600, words.text);
    }
    return false;
}

/** Reads to the end, whatever the size is said to be. */
static bool read_all(int handle, tsr_bytes *bytes, tsr_io_error *error)
{
    size_t capacity = 65536, used = 0;
    unsigned char *buffer = (unsigned char *)malloc(capacity);
    while (buffer) {
        ssize_t const n = read(handle, buffer + used, capacity - used);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            free(buffer);
            return io_fail(error, "reading fails after %zu bytes: %s", used, strerror(errno));
        }
        used += (size_t)n;
        if (n == 0)
            break;
        if (used == capacity) {
            unsigned char *const bigger =
                capacity < SIZE_MAX / 2 ? (unsigned char *)realloc(buffer, 2 * capacity) : NULL;
            if (!bigger)
                free(buffer);
            buffer = bigger;
            capacity *= 2;
        }
    }
    if (!buffer)
        return io_fail(error, "out of memory after %zu bytes", used);
    bytes->data = bytes->owned = buffer;
    bytes->size = used;
    return true;
}

bool io_read(char const *path, tsr_bytes *bytes, tsr_io_error *error)
{
    struct stat status;
    int const handle = open(path, O_RDONLY | O_CLOEXEC);
    memset(bytes, 0, sizeof *bytes);
    if (handle < 0)
        return io_fail(error, "cannot be opened: %s", strerror(errno));
    bool ok = fstat(handle, &status) == 0;
    if (!ok)
        io_fail(error, "cannot be examined: %s", strerror(errno));
    else if (S_ISREG(status.st_mode) && status.st_size > 0 && (uint64_t)status.st_size <= SIZE_MAX) {
        void *const map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, handle, 0);
        bytes->data = map == MAP_FAILED ? NULL : map;
        bytes->size = (uint64_t)status.st_size;
    }
    if (ok && !bytes->data)
        ok = read_all(handle, bytes, error);
    close(handle);
    return ok;
}

void io_close(tsr_bytes *bytes)
{
    if (bytes->owned)
        free(bytes->owned);
    else if (bytes->data)
        munmap((void *)(uintptr_t)bytes->data, (size_t)bytes->size);
    memset(bytes, 0, sizeof *bytes);
}
