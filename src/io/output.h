/** Temporary files that their writer locks, for every file that takes the place of another. */
#ifndef TSR_SRC_IO_OUTPUT_H
#define TSR_SRC_IO_OUTPUT_H

#include "io/file.h"

/** Makes a new, locked file TARGET.NUMBER.tmp and removes those that dead writers to the same target left. Gives its
 *  descriptor, and its name in memory of the caller's; -1: errno says why. */
int tsr_io_open_beside_(char const *target, unsigned mode, char **temporary);

/** Writes all bytes; false: errno says why. */
bool tsr_io_write_(int handle, void const *bytes, uint64_t n);

#endif
