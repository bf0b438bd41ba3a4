/** What threads of one work share: buffers, progress, the first error, and how much of the sources is in memory. */
#ifndef TSR_SRC_RESHARD_WATCH_H
#define TSR_SRC_RESHARD_WATCH_H

#include <stdatomic.h>

#include "reshard/reshard.h"

typedef struct reshard_watch {
    tsr_reshard const *r;
    tsr_bytes const *written; /* what is read again; NULL: nothing */
    int threads;
    int64_t buffer_bytes;
    char *buffer; /* one of each worker */
    tsr_progress told;
    void *context;
    int64_t all;
    tsr_message *error;
    atomic_llong untold, done, touched;
    atomic_flag telling;
    atomic_int failed; /* a word: some processors exchange no byte */
    atomic_bool ended;
} reshard_watch;

bool tsr_reshard_watch_open_(reshard_watch *w, tsr_reshard const *r, int threads, int64_t buffer_bytes, int64_t all,
                             tsr_progress told, void *context, tsr_message *error);

/** False: the work failed, or was ended. */
bool tsr_reshard_watch_close_(reshard_watch *w);

/** Bytes that were done, and bytes of mapped files that were touched: these go back when they are half of the
 *  memory. */
void tsr_reshard_tell_(reshard_watch *w, int64_t done, int64_t touched);

/** Keeps the first error (NULL: out of memory), and ends the work. */
void tsr_reshard_fail_(reshard_watch *w, tsr_message const *error);
bool tsr_reshard_ends_(reshard_watch *w);

#endif
