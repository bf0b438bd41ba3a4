/** SIGBUS as an answer.
 *
 *  A file that is read page by page as the copy asks for it must be mapped: reading it into memory first would need as
 *  much memory as the file has bytes, and pread for each element a call. Mapped, a page behind the new end of a file
 *  that was shortened is SIGBUS, at whichever load or store comes upon it, in whichever thread. That is the one place
 *  where a signal is the only report there is, so it is taken here, around the loops over elements and nothing else:
 *  zeros take the place of the file until the work, which is told, is done. A fault anywhere else, or sent by another
 *  process, ends the program as it would have.
 */
#define _GNU_SOURCE /* mremap */

#include "guard.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 4 };

static guarded const *watched;
static int watched_count;
static void *aside[MOST];       /* the mapping of a file that zeros stand for */
static atomic_flag taken[MOST]; /* by the first thread that comes upon it; the others come again */
static size_t page;
static volatile sig_atomic_t failed;

/** Whole pages. */
static size_t extent_of(guarded const *file) { return ((size_t)file->bytes + page - 1) / page * page; }

/** Puts zeros in the place of a file, by system calls alone: they are as good here as those that POSIX names. */
static bool replace(int i)
{
    void *const begin = (void *)(uintptr_t)watched[i].begin;
    size_t const n = extent_of(&watched[i]);
    int const flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (atomic_flag_test_and_set(&taken[i]))
        return true;
    void *const moved = mremap(begin, n, n, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL);
    if (moved == MAP_FAILED || mmap(begin, n, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED)
        return false;
    aside[i] = moved;
    failed = 1;
    return true;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    uintptr_t const at = (uintptr_t)info->si_addr;
    (void)context;
    for (int i = 0; info->si_code > 0 && i < watched_count; ++i)
        if (at - (uintptr_t)watched[i].begin < watched[i].bytes && replace(i))
            return;
    signal(number, SIG_DFL); /* and the same instruction again */
    raise(number);
}

bool guard(guarded const *files, int count, void (*work)(void *context), void *context)
{
    struct sigaction ours, before;
    memset(&ours, 0, sizeof ours);
    ours.sa_sigaction = on_fault;
    ours.sa_flags = SA_SIGINFO;
    watched = files;
    watched_count = count < MOST ? count : MOST;
    page = (size_t)sysconf(_SC_PAGESIZE);
    failed = 0;
    for (int i = 0; i < MOST; ++i) {
        aside[i] = NULL;
        atomic_flag_clear(&taken[i]);
    }
    if (sigaction(SIGBUS, &ours, &before) != 0)
        return false;
    work(context);
    sigaction(SIGBUS, &before, NULL);
    for (int i = 0; i < watched_count; ++i)
        if (aside[i])
            mremap(aside[i], extent_of(&files[i]), extent_of(&files[i]), MREMAP_MAYMOVE | MREMAP_FIXED,
                   (void *)(uintptr_t)files[i].begin);
    watched_count = 0;
    return !failed;
}

bool guard_failed(void) { return failed != 0; }
