/** The bytes of files, in and out, and how failures are told. */
#ifndef TSR_SRC_IO_FILE_H
#define TSR_SRC_IO_FILE_H

#include "tessera/io.h"

/** Writes the words of a failure and returns false. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool tsr_io_fail_(tsr_message *error, char const *format, ...);

/** The words of an invalid value (tsr_format_reason). */
bool tsr_io_fail_reason_(tsr_message *error, tsr_reason why);

/** Puts the path in front of the words; returns false. */
bool tsr_io_fail_at_(tsr_message *error, char const *path);

/** What is asked when a signal interrupts this thread as it opens, reads or writes: true ends the call. NULL: it goes
 *  on. Of each thread its own, since Python runs handlers in one; the functions of io.h have no room for it. */
extern _Thread_local bool (*tsr_io_interrupted_)(void);

/** Whether a call that failed, as errno says, was interrupted and is to be made again. */
bool tsr_io_goes_on_(void);

/** A size that nobody knows before the end: that of a pipe or a device. */
#define IO_UNKNOWN UINT64_MAX

/** Bytes that are read from their beginning: first a header, which is judged, then exactly as much as the header
 *  announces.
 *
 *  Law  each byte of a header is fetched once, into the head. A header is judged from the head alone, against the size
 *       that was taken when the source was opened: what changes meanwhile changes no answer. */
typedef struct io_source {
    /** Copies the next bytes, at most n; returns how many, 0 at the end, -1 when errno says why not. */
    ptrdiff_t (*read)(struct io_source *source, void *to, size_t n);
    int handle;         /* of a file; -1: */
    void const *memory; /* of the caller's */
    uint64_t size;      /* IO_UNKNOWN: no regular file */
    uint64_t ahead;     /* bytes that may be read beyond what is asked for: 0 for a stream */
    unsigned char *head;
    uint64_t held, capacity; /* bytes of the head, in memory of its own */
    bool failed;             /* a read failed, or was interrupted */
} io_source;

bool tsr_io_open_(char const *path, io_source *source, tsr_message *error);

/** Memory of the caller's, which is copied as far as its header goes. */
io_source tsr_io_memory_(void const *memory, uint64_t size);

/** Reads on until the head has `bytes` bytes or more, or all that there are; then the size is known. A file that ends
 *  before its size is refused. */
bool tsr_io_head_(io_source *source, uint64_t bytes, tsr_message *error);

/** The first `bytes` bytes of the file: mapped when that is wanted and the file can be, else in memory. The head is
 *  given back, or becomes their beginning. */
bool tsr_io_take_(io_source *source, uint64_t bytes, bool map, tsr_bytes *taken, tsr_message *error);

/** Bytes at a place of a source of a known size, which may have changed since others were read. False: they are not to
 *  be had. */
bool tsr_io_peek_(io_source const *source, uint64_t at, void *to, size_t bytes);

/** Whether the file is known to be of another format, which the message then names: a zip archive, a pointer of Git
 *  LFS. `what` is the format that it is not. */
bool tsr_io_is_other_(io_source *source, char const *what, tsr_message *error);

void tsr_io_source_close_(io_source *source);

/** Gives them back. */
void tsr_io_close_(tsr_bytes *bytes);

#endif
