/** The bytes of files, in and out, and how failures are told. */
#ifndef TSR_SRC_IO_FILE_H
#define TSR_SRC_IO_FILE_H

#include "tessera/io.h"

/** Writes the words of a failure and returns false. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool io_fail(tsr_io_error *error, char const *format, ...);

/** The words of an invalid value (tsr_format_reason). */
bool io_fail_reason(tsr_io_error *error, tsr_tuple why);

/** Puts the path in front of the words; returns false. */
bool io_fail_at(tsr_io_error *error, char const *path);

/** The bytes of a file. */
bool io_read(char const *path, tsr_bytes *bytes, tsr_io_error *error);

/** Gives them back. */
void io_close(tsr_bytes *bytes);

#endif
