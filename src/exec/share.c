/* Loops in threads, and whether these are worth waiting for.
 *
 * Whoever asks waits for all threads at the end. On a machine with other work one of them may not run for a time slice
 * of some milliseconds, which is longer than most loops. So the caller's wait is measured: where it was longer than the
 * work, the next loops take one thread, twice as many of them each time, until threads come in time again. */
#include <stdatomic.h>
#if defined(_OPENMP)
#  include <omp.h>
#endif

#include "exec/engine.h"

#if defined(_OPENMP)
/* Seconds that threads may always be waited for; loops of one thread behind a late one, at least and at most. */
#  define PATIENCE 100e-6
enum { FEWEST_ALONE = 16, MOST_ALONE = 1024 };

static atomic_int alone, next_alone = FEWEST_ALONE; /* loops of one thread to come; behind the next late one */

/** Notes how long a loop took, and which part of that its caller waited. */
static void note(double whole, double waited)
{
    bool const late = waited > PATIENCE && waited > whole / 2;
    int const next = atomic_load_explicit(&next_alone, memory_order_relaxed);
    if (late)
        atomic_store_explicit(&alone, next, memory_order_relaxed);
    atomic_store_explicit(&next_alone, late ? (int)tsr_min64(2 * next, MOST_ALONE) : FEWEST_ALONE,
                          memory_order_relaxed);
}

int tsr_engine_threads_of_memory_(void)
{
    int const left = atomic_load_explicit(&alone, memory_order_relaxed), threads = tsr_engine_threads_();
    if (left > 0 && threads > 1)
        atomic_store_explicit(&alone, left - 1, memory_order_relaxed);
    return left > 0 ? 1 : threads;
}

void tsr_engine_share_(int threads, int64_t parts, void (*run)(void *context, int64_t i), void *context)
{
    double const begin = omp_get_wtime();
    double done = begin;
#  pragma omp parallel num_threads(threads)
    {
#  pragma omp for schedule(dynamic) nowait
        for (int64_t i = 0; i < parts; ++i)
            run(context, i);
        if (omp_get_thread_num() == 0)
            done = omp_get_wtime();
    }
    double const end = omp_get_wtime();
    note(end - begin, end - done);
}
#else
int tsr_engine_threads_of_memory_(void) { return 1; }

void tsr_engine_share_(int threads, int64_t parts, void (*run)(void *context, int64_t i), void *context)
{
    (void)threads;
    for (int64_t i = 0; i < parts; ++i)
        run(context, i);
}
#endif
