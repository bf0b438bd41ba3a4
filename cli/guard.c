/** SIGBUS as an answer.
 *
 *  A file that is read page by page as the copy asks for it must be mapped: reading it into memory first would need as
 *  much memory as the file has bytes, and pread for each element a call. Mapped, a page behind the new end of a file
 *  that was shortened is SIGBUS, at whichever load or store comes upon it. That is the one place where a signal is the
 *  only report there is, so it is taken here, around the loops over elements and nothing else: they hold no lock,
 *  and no memory but what the end of the command gives back. A fault anywhere else, or sent by another process, ends the
 *  program as it would have.
 */
#define _XOPEN_SOURCE 700 /* sigaction, sigsetjmp */

#include "guard.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

static sigjmp_buf back;
static guarded const *watched;
static int watched_count;

static void on_fault(int number, siginfo_t *info, void *context)
{
    uintptr_t const at = (uintptr_t)info->si_addr;
    (void)context;
    for (int i = 0; info->si_code > 0 && i < watched_count; ++i)
        if (at - (uintptr_t)watched[i].begin < watched[i].bytes)
            siglongjmp(back, 1);
    signal(number, SIG_DFL); /* and the same instruction again */
    raise(number);
}

bool guard(guarded const *files, int count, void (*work)(void *context), void *context)
{
    struct sigaction ours, before;
    volatile bool whole = false;
    memset(&ours, 0, sizeof ours);
    ours.sa_sigaction = on_fault;
    ours.sa_flags = SA_SIGINFO;
    watched = files;
    watched_count = count;
    if (sigaction(SIGBUS, &ours, &before) != 0)
        return false;
    if (sigsetjmp(back, 1) == 0) {
        work(context);
        whole = true;
    }
    sigaction(SIGBUS, &before, NULL);
    watched_count = 0;
    return whole;
}
