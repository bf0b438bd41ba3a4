/** A bounded text: writes what fits and counts what would have been written, as snprintf does. */
#ifndef TSR_SRC_WRITER_H
#define TSR_SRC_WRITER_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/** A function that keeps its own frame, so that its large values are not on the stack while another one runs. */
#if defined(__GNUC__)
#  define OWN_FRAME __attribute__((noinline))
#else
#  define OWN_FRAME
#endif

typedef struct writer {
    char *out;
    size_t size, used;
} writer;

static inline void writer_open(writer *w, char *out, size_t size)
{
    w->out = out;
    w->size = size;
    w->used = 0;
    if (size > 0)
        out[0] = 0;
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static inline void put(writer *w, char const *format, ...)
{
    va_list args;
    size_t const at = w->used < w->size ? w->used : w->size;
    va_start(args, format);
    int const n = vsnprintf(w->size > 0 ? w->out + at : NULL, w->size - at, format, args);
    va_end(args);
    w->used += n > 0 ? (size_t)n : 0;
}

#endif
