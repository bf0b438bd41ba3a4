/** A bounded text: writes what fits and counts what would have been written, as snprintf does. */
#ifndef TSR_SRC_WRITER_H
#define TSR_SRC_WRITER_H

#include <stdarg.h>

#include "tessera/text.h"

/** A function that keeps its own frame, so that its large values are not on the stack while another one runs. */
#if defined(__GNUC__)
#  define OWN_FRAME __attribute__((noinline))
#else
#  define OWN_FRAME
#endif

typedef tsr_text writer;

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
static inline void
put(writer *w, char const *format, ...)
{
    va_list args;
    size_t const at = w->used < w->size ? w->used : w->size;
    va_start(args, format);
    int const n = vsnprintf(w->size > 0 ? w->out + at : NULL, w->size - at, format, args);
    va_end(args);
    w->used += n > 0 ? (size_t)n : 0;
}

/** A list of integers: put_integers(w, "(", n, x, ",", ")"). */
static inline void put_integers(writer *w, char const *open, int n, int64_t const *x, char const *between,
                                char const *close)
{
    put(w, "%s", open);
    for (int i = 0; i < n; ++i)
        put(w, "%s%lld", i > 0 ? between : "", (long long)x[i]);
    put(w, "%s", close);
}

/** A real number as printf writes it in the C locale: the bytes that stand for the point in another one become a
 *  point. */
static inline void put_real(writer *w, char const *format, double x)
{
    char text[400]; /* %f of the largest double has 309 digits before the point */
    int const n = snprintf(text, sizeof text, format, x);
    bool point = false;
    for (int i = 0; i < n && i + 1 < (int)sizeof text; ++i) {
        char const c = text[i];
        bool const plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == ' ' || c == '-' || c == '+';
        if (plain || !point)
            put(w, "%c", plain ? c : '.');
        point = !plain;
    }
}

#endif
