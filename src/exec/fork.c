/* Whether threads of OpenMP may be asked for: not in the child of a process that had threads when it forked.
 *
 *  A child has the one thread that forked it, and a copy of its pool: libgomp waits forever for the threads in there.
 *  Whoever made the pool, this library or its user, OpenMP does not tell of it, and only the system tells of a fork.
 *  Hence the flag, the one thing here that changes by itself. Children inherit it. A process of one thread has no pool:
 *  its child, a daemon or a worker, may have threads. */
#include <stdatomic.h>

#include "exec/engine.h"

#if defined(_OPENMP) && (defined(__unix__) || defined(__APPLE__))
#  include <pthread.h>
#  include <sys/stat.h>

static atomic_bool had_threads, is_child_of_threads;

/** Linux counts the threads of a process as links of this folder, beside the two of any folder. */
static void before_fork(void)
{
    struct stat tasks;
    atomic_store_explicit(&had_threads, stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink != 2 + 1,
                          memory_order_relaxed);
}

static void in_child(void)
{
    if (atomic_load_explicit(&had_threads, memory_order_relaxed))
        atomic_store_explicit(&is_child_of_threads, true, memory_order_relaxed);
}

/** Before main, since the first fork may come before the first copy. Where forks are not told, no threads are used. */
__attribute__((constructor)) static void watch_forks(void)
{
    if (pthread_atfork(before_fork, NULL, in_child) != 0)
        atomic_store_explicit(&is_child_of_threads, true, memory_order_relaxed);
}

bool tsr_engine_may_share_(void) { return !atomic_load_explicit(&is_child_of_threads, memory_order_relaxed); }
#else
bool tsr_engine_may_share_(void) { return true; }
#endif
