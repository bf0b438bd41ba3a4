/** The bytes of files, in and out, and how failures are told. */
#ifndef TSR_SRC_IO_FILE_H
#define TSR_SRC_IO_FILE_H

#include "tessera/io.h"

/** Writes the words of a failure and returns false. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool io_fail(tsr_message *error, char const *format, ...);

/** The words of an invalid value (tsr_format_reason). */
bool io_fail_reason(tsr_message *error, tsr_reason why);

/** Puts the path in front of the words; returns false. */
bool io_fail_at(tsr_message *error, char const *path);

/** A size that nobody knows before the end: that of a pipe or a device. */
#define IO_UNKNOWN UINT64_MAX

/** A file that is read from its beginning: first its header, which is judged, then exactly as much as the header
 *  announces. */
typedef struct io_source {
    int handle;
    uint64_t size; /* IO_UNKNOWN: no regular file */
    unsigned char *head;
    uint64_t held; /* bytes of the head, in memory of its own */
} io_source;

bool io_open(char const *path, io_source *source, tsr_message *error);

/** Reads on until the head has `bytes` bytes, or the file ends; then the size is known. */
bool io_head(io_source *source, uint64_t bytes, tsr_message *error);

/** The first `bytes` bytes of the file: mapped when that is wanted and the file can be, else in memory. The head is
 *  given back, or becomes their beginning. */
bool io_take(io_source *source, uint64_t bytes, bool map, tsr_bytes *taken, tsr_message *error);

void io_source_close(io_source *source);

/** Gives them back. */
void io_close(tsr_bytes *bytes);

#endif
