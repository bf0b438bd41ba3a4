/** No input takes longer than a second; with sanitizers, ten. */
#ifndef TSR_TESTS_FUZZ_IN_TIME_H
#define TSR_TESTS_FUZZ_IN_TIME_H

#include <stdlib.h>
#include <time.h>

enum { FUZZ_SECONDS = 10 };

static inline void check_time(clock_t begin)
{
    if (clock() - begin > FUZZ_SECONDS * CLOCKS_PER_SEC)
        abort();
}

/** The bytes as a text; to be freed. */
static inline char *fuzz_text(unsigned char const *data, size_t size)
{
    char *const text = (char *)malloc(size + 1);
    for (size_t i = 0; text && i < size; ++i)
        text[i] = (char)data[i];
    if (text)
        text[size] = 0;
    return text;
}

#endif
