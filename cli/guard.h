/** Work on files that are mapped into memory, which another program may shorten meanwhile. */
#ifndef TSR_CLI_GUARD_H
#define TSR_CLI_GUARD_H

#include <stdbool.h>
#include <stdint.h>

/** The memory of a mapped file. */
typedef struct guarded {
    void const *begin;
    uint64_t bytes;
} guarded;

/** Does the work. False: a page of one of the files could not be had (the file was shortened, or its disk failed), and
 *  the work was left where it was. Not for several threads, and not within itself. */
bool guard(guarded const *files, int count, void (*work)(void *context), void *context);

#endif
