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

bool tsr_io_fail_(tsr_message *error, char const *format, ...)
{
    va_list args;
    if (error) {
        char words[TSR_TEXT_SIZE];
        va_start(args, format);
        vsnprintf(words, sizeof words, format, args);
        va_end(args);
        error->at = 0;
        tsr_format_printable(error->text, sizeof error->text, words, strlen(words));
    }
    return false;
}

bool tsr_io_fail_reason_(tsr_message *error, tsr_reason why)
{
    if (error) {
        error->at = 0;
        tsr_format_reason(error->text, sizeof error->text, tsr_why(why));
    }
    return false;
}

bool tsr_io_fail_at_(tsr_message *error, char const *path)
{
    if (error) {
        tsr_message const words = *error;
        tsr_io_fail_(error, "%.*s: %.*s", 400, path, 600, words.text);
    }
    return false;
}

/** Bytes of a header that are read at a time. */
enum { PART = 1 << 16 };

static ptrdiff_t read_file(io_source *source, void *to, size_t n) { return read(source->handle, to, n); }

_Thread_local bool (*tsr_io_interrupted_)(void);

bool tsr_io_goes_on_(void) { return errno == EINTR && !(tsr_io_interrupted_ && tsr_io_interrupted_()); }

bool tsr_io_open_(char const *path, io_source *source, tsr_message *error)
{
    struct stat status;
    memset(source, 0, sizeof *source);
    source->read = read_file;
    do
        source->handle = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
    while (source->handle < 0 && tsr_io_goes_on_());
    if (source->handle < 0)
        return tsr_io_fail_(error, "cannot be opened: %s", strerror(errno));
    if (fstat(source->handle, &status) != 0) {
        tsr_io_fail_(error, "cannot be examined: %s", strerror(errno));
        tsr_io_source_close_(source);
        return false;
    }
    /* What the system makes up as it is read (/proc) says that it has no bytes. */
    source->size = S_ISREG(status.st_mode) && status.st_size > 0 ? (uint64_t)status.st_size : IO_UNKNOWN;
    source->ahead = source->size == IO_UNKNOWN ? 0 : PART;
    return true;
}

static ptrdiff_t read_memory(io_source *source, void *to, size_t n)
{
    memcpy(to, (char const *)source->memory + source->held, n);
    return (ptrdiff_t)n;
}

io_source tsr_io_memory_(void const *memory, uint64_t size)
{
    return (io_source){.read = read_memory, .handle = -1, .memory = memory, .size = size};
}

/** Memory for `bytes` bytes, of which the head keeps what it has. */
static bool reserve(io_source *source, uint64_t bytes, tsr_message *error)
{
    if (bytes <= source->capacity)
        return true;
    void *const bigger = bytes < SIZE_MAX ? realloc(source->head, (size_t)bytes) : NULL;
    if (!bigger)
        return tsr_io_fail_(error, "out of memory: %llu bytes", (unsigned long long)bytes);
    source->head = (unsigned char *)bigger;
    source->capacity = bytes;
    return true;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

bool tsr_io_head_(io_source *source, uint64_t bytes, tsr_message *error)
{
    while (source->held < bytes && source->held < source->size) {
        uint64_t const held = source->held, ahead = held + source->ahead;
        uint64_t const wanted = least(bytes > ahead ? bytes : ahead, source->size);
        /* Memory follows the bytes that there are, not those that are announced. */
        if (held == source->capacity && !reserve(source, least(wanted + held / 4, 2 * held + PART), error))
            return false;
        uint64_t const left = least(wanted, source->capacity) - held;
        ptrdiff_t const n = source->read(source, source->head + held, left < 1u << 30 ? (size_t)left : 1u << 30);
        if (n < 0 && tsr_io_goes_on_())
            continue;
        source->failed = n < 0;
        if (n < 0)
            return tsr_io_fail_(error, "reading fails after %llu bytes: %s", (unsigned long long)held,
                                strerror(errno));
        if (n == 0 && source->size != IO_UNKNOWN)
            return tsr_io_fail_(error, "became shorter while it was read: %llu bytes are left of %llu",
                                (unsigned long long)held, (unsigned long long)source->size);
        if (n == 0)
            source->size = held;
        source->held += (uint64_t)n;
    }
    return true;
}

bool tsr_io_take_(io_source *source, uint64_t bytes, bool map, tsr_bytes *taken, tsr_message *error)
{
    memset(taken, 0, sizeof *taken);
    if (map && source->size != IO_UNKNOWN && bytes > 0 && bytes <= SIZE_MAX) {
        void *const mapped = mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, source->handle, 0);
        taken->data = mapped == MAP_FAILED ? NULL : mapped;
    }
    if (!taken->data) {
        if (!tsr_io_head_(source, bytes, error))
            return false;
        if (source->held < bytes)
            return tsr_io_fail_(error, "ends after %llu bytes, %llu are announced", (unsigned long long)source->held,
                                (unsigned long long)bytes);
        taken->data = taken->owned = source->head;
        source->head = NULL;
        source->held = source->capacity = 0;
    }
    taken->size = bytes;
    return true;
}

bool tsr_io_peek_(io_source const *source, uint64_t at, void *to, size_t bytes)
{
    if (source->size == IO_UNKNOWN || at > source->size || bytes > source->size - at)
        return false;
    if (source->handle >= 0)
        return pread(source->handle, to, bytes, (off_t)at) == (ptrdiff_t)bytes;
    memcpy(to, (char const *)source->memory + at, bytes);
    return true;
}

/** How files of other formats begin, and what they are called. */
static char const *const formats[][2] = {
    {"PK\3\4", "a zip archive, as .npz and PyTorch's .pt are"},
    {"version https://git-lfs.github.com/", "a pointer of Git LFS: git lfs pull fetches the file"},
    {"GGUF", "a GGUF file"},
    {"\x93NUMPY", "an .npy file"},
    {"\x89HDF\r\n", "an HDF5 file"},
    {"\x1f\x8b", "compressed by gzip"},
};

bool tsr_io_is_other_(io_source *source, char const *what, tsr_message *error)
{
    enum { LONGEST = 40 };
    if (source->failed || !tsr_io_head_(source, LONGEST, NULL))
        return false;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i) {
        size_t const n = strlen(formats[i][0]);
        bool const same = strncmp(formats[i][1], what, strlen(what)) == 0;
        if (!same && source->held >= n && memcmp(source->head, formats[i][0], n) == 0)
            return tsr_io_fail_(error, "this is not %s file, but %s", what, formats[i][1]) || true;
    }
    return false;
}

void tsr_io_source_close_(io_source *source)
{
    free(source->head);
    if (source->handle >= 0)
        close(source->handle);
    memset(source, 0, sizeof *source);
    source->handle = -1;
}

void tsr_io_close_(tsr_bytes *bytes)
{
    if (bytes->owned)
        free(bytes->owned);
    else if (bytes->data)
        munmap((void *)(uintptr_t)bytes->data, (size_t)bytes->size);
    memset(bytes, 0, sizeof *bytes);
}
