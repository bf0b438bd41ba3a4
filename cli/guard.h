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

/** Does the work, by however many threads. False: a page of one of the files could not be had (the file was shortened,
 *  or its disk failed): the work went on with zeros. Not within itself. */
bool guard(guarded const *files, int count, void (*work)(void *context), void *context);

/** Whether that has happened to the work that is done now: it may end. */
bool guard_failed(void);

#endif
