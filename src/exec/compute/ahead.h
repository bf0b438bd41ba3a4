/** Ahead: what memory is asked for while lines are updated, a line of memory at a time. Requests wait for each other:
 *  many at once stop the processor until some are answered (0.7 x + 0.3 y of bf16 on a Zen 4: 0.38 ns an element, by
 *  32 requests every 512 elements 0.51).
 */
#ifndef TSR_SRC_EXEC_COMPUTE_AHEAD_H
#define TSR_SRC_EXEC_COMPUTE_AHEAD_H

#include "exec/compute/forms.h"
#include "tessera/exec/loops.h"

/** Line i of an update asks for line i here, of the destination and of the source. What is there need not exist. NULL:
 *  nothing is asked for. */
struct tsr_ahead_ {
    unsigned char const *to, *from;
    int64_t to_step, from_step; /* bytes from line to line */
};

#if defined(__GNUC__)
/** What a line asks for as it goes along; or NULL. */
typedef struct tsr_next_ {
    unsigned char const *to, *from;
} tsr_next_;

static inline __attribute__((always_inline)) tsr_next_ tsr_next_of_(tsr_lines_ const *b, int64_t line)
{
    tsr_ahead_ const *const a = b->ahead;
    tsr_next_ r = {NULL, NULL};
    if (a) {
        r.to = a->to + line * a->to_step;
        r.from = a->from + line * a->from_step;
    }
    return r;
}

/** Asks for what corresponds to bytes of a line from `to` and from `from` on. */
static inline __attribute__((always_inline)) void tsr_ask_(tsr_next_ next, int64_t to, int64_t to_bytes, int64_t from,
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
