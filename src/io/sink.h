/** Bytes of a header that are written to memory, or, without memory, counted. */
#ifndef TSR_SRC_IO_SINK_H
#define TSR_SRC_IO_SINK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct sink {
    unsigned char *bytes; /* NULL: they are counted */
    size_t n;
} sink;

static inline void sink_bytes(sink *s, void const *bytes, size_t n)
{
    if (s->bytes && n > 0)
        memcpy(s->bytes + s->n, bytes, n);
    s->n += n;
}

/** A little-endian integer of n bytes. */
static inline void sink_little(sink *s, uint64_t x, int n)
{
    unsigned char bytes[8];
    for (int i = 0; i < n; ++i)
        bytes[i] = (unsigned char)(x >> 8 * i);
    sink_bytes(s, bytes, (size_t)n);
}

#endif
