/** Work in threads that is watched. */
#include "reshard/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tsr_reshard_watch_open_(reshard_watch *w, tsr_reshard const *r, int threads, int64_t buffer_bytes, int64_t all,
                             tsr_progress told, void *context, tsr_message *error)
{
    memset(w, 0, sizeof *w);
    w->r = r;
    w->threads = threads;
    w->buffer_bytes = buffer_bytes;
    w->told = told;
    w->context = context;
    w->all = all;
    w->error = error;
    w->buffer = (char *)malloc((size_t)threads * (size_t)buffer_bytes);
    atomic_flag_clear(&w->telling);
    if (w->buffer)
        return true;
    snprintf(error->text, sizeof error->text, "out of memory for %d buffers of %lld bytes", threads,
             (long long)buffer_bytes);
    return false;
}

/** Tells of all that was done, by one thread at a time. */
static void tell_all(reshard_watch *w)
{
    int64_t const bytes = atomic_exchange(&w->untold, 0);
    int64_t const done = atomic_fetch_add(&w->done, bytes) + bytes;
    if (w->told && bytes > 0 && !w->told(w->context, bytes, done, w->all))
        atomic_store(&w->ended, true);
}

bool tsr_reshard_watch_close_(reshard_watch *w)
{
    tell_all(w);
    free(w->buffer);
    return !tsr_reshard_ends_(w);
}

static void forget(reshard_watch const *w)
{
    for (int64_t i = 0; i < w->r->sources; ++i)
        tsr_bytes_forget(&w->r->source[i].model.bytes);
    if (w->written)
        tsr_bytes_forget(w->written);
}

void tsr_reshard_tell_(reshard_watch *w, int64_t done, int64_t touched)
{
    int64_t const now = atomic_fetch_add(&w->touched, touched) + touched;
    atomic_fetch_add(&w->untold, done);
    if (atomic_flag_test_and_set(&w->telling))
        return; /* another thread tells of it, or the close */
    tell_all(w);
    if (now >= w->r->memory / 2) {
        atomic_store(&w->touched, 0);
        forget(w);
    }
    atomic_flag_clear(&w->telling);
}

void tsr_reshard_fail_(reshard_watch *w, tsr_message const *error)
{
    tsr_message const none = {0, "out of memory"};
    if (!atomic_exchange(&w->failed, true))
        *w->error = error ? *error : none;
}

bool tsr_reshard_ends_(reshard_watch *w) { return atomic_load(&w->failed) || atomic_load(&w->ended); }
