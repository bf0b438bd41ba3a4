/** A file that has other bytes as soon as they are read, and may end then: what a reader makes of it is what it makes
 *  of the bytes that it read, each once, or it is refused.
 *
 *  The control says how: its lowest bits how many bytes a read gives at most; ENDS that the file ends where the second
 *  read ended; STREAM that nobody knows its size; the highest how much data follows.
 */
#ifndef TSR_TESTS_FUZZ_CHANGING_H
#define TSR_TESTS_FUZZ_CHANGING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"

enum { CHANGING_STEP = 7, CHANGING_ENDS = 8, CHANGING_STREAM = 16 };

static unsigned changing_data(unsigned control) { return control >> 5 & 3; }

typedef struct changing {
    io_source source;     /* the first, so that the hook finds the others */
    uint8_t const *bytes; /* that are read; those in the file are their complement */
    size_t size, at;
    unsigned control;
    int reads;
} changing;

/** Gives the next bytes. */
static ptrdiff_t changing_read(io_source *source, void *to, size_t n)
{
    changing *const c = (changing *)source;
    size_t const most = (size_t)1 << 2 * (c->control & CHANGING_STEP), left = c->size - c->at;
    if (source->held != c->at)
        abort();
    n = n < most ? n : most;
    n = n < left ? n : left;
    memcpy(to, c->bytes + c->at, n);
    c->at += n;
    if (++c->reads == 2 && (c->control & CHANGING_ENDS)) {
        c->size = c->at;
        if (ftruncate(source->handle, (off_t)c->at) != 0)
            abort();
    }
    return (ptrdiff_t)n;
}

/** A file of these bytes, open until the next one. */
static changing changing_open(uint8_t const *bytes, size_t n, unsigned control)
{
    static FILE *file;
    bool const stream = (control & CHANGING_STREAM) != 0;
    unsigned char *const other = (unsigned char *)malloc(n + 1);
    file = file ? file : tmpfile();
    if (!file || !other)
        abort();
    for (size_t i = 0; i < n; ++i)
        other[i] = (unsigned char)~bytes[i];
    if (ftruncate(fileno(file), 0) != 0 || pwrite(fileno(file), other, n, 0) != (ssize_t)n)
        abort();
    free(other);
    return (changing){{.read = changing_read,
                       .handle = fileno(file),
                       .size = stream ? IO_UNKNOWN : n,
                       .ahead = stream ? 0 : control},
                      bytes,
                      n,
                      0,
                      control,
                      0};
}

/** Frees the head; the file stays open. */
static void changing_close(changing *c)
{
    c->source.handle = -1;
    tsr_io_source_close_(&c->source);
}

/** Whether the answer to a file that changes is that to the one that does not: of a file whose end is known the same,
 *  unless it ended earlier. A stream may be longer than what is taken of it, and where a tensor of an unknown type ends
 *  is not known there. */
static void changing_check(changing const *c, bool accepted, char const *words, bool first, char const *first_words)
{
    bool const stream = (c->control & CHANGING_STREAM) != 0;
    bool const ended = !accepted && (c->control & CHANGING_ENDS) && (stream || strstr(words, "became shorter"));
    bool const opaque = stream && !accepted && strstr(words, "unknown type");
    bool const same = accepted == first && (accepted || strcmp(words, first_words) == 0);
    if (!(ended || opaque || same || (stream && !first)) || (!accepted && !*words)) {
        fprintf(stderr, "%s\n%s\n", accepted ? "accepted" : words, first ? "accepted" : first_words);
        abort();
    }
}

#endif
