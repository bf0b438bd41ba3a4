/** Prefetch: the memory that comes next while lines are updated, a line of it at a time. Requests wait for each other:
 *  many at once stop the processor until some are answered (0.7 x + 0.3 y of bf16 on a Zen 4: 0.38 ns an element, by
 *  32 requests every 512 elements 0.51).
 */
#ifndef TSR_SRC_EXEC_COMPUTE_PREFETCH_H
#define TSR_SRC_EXEC_COMPUTE_PREFETCH_H

#include "exec/compute/forms.h"
#include "tessera/exec/loops.h"

/** Line i of an update prefetches line i here, of the destination and of the source. What is there need not exist.
 *  NULL: nothing is prefetched. */
struct tsr_prefetch_lines_ {
    unsigned char const *to, *from;
    int64_t to_step, from_step; /* bytes from line to line */
};

#if defined(__GNUC__)
/** What a line prefetches as it goes along; or NULL. */
typedef struct tsr_prefetch_ {
    unsigned char const *to, *from;
} tsr_prefetch_;

static inline __attribute__((always_inline)) tsr_prefetch_ tsr_prefetch_of_(tsr_lines_ const *b, int64_t line)
{
    tsr_prefetch_lines_ const *const a = b->prefetch;
    tsr_prefetch_ r = {NULL, NULL};
    if (a) {
        r.to = a->to + line * a->to_step;
        r.from = a->from + line * a->from_step;
    }
    return r;
}

/** Prefetches what corresponds to bytes of a line from `to` and from `from` on. */
static inline __attribute__((always_inline)) void tsr_prefetch_bytes_(tsr_prefetch_ next, int64_t to,
                                                                      int64_t to_bytes, int64_t from,
                                                                      int64_t from_bytes)
{
    if (!next.to)
        return;
    for (int64_t k = 0; k < to_bytes; k += TSR_LINE_BYTES)
        __builtin_prefetch(next.to + to + k, 0, 2);
    for (int64_t k = 0; k < from_bytes; k += TSR_LINE_BYTES)
        __builtin_prefetch(next.from + from + k, 0, 2);
}
#endif

#endif
