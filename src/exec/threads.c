/* Loops in threads: workers that wait for a loop, and take its parts one after the other.
 *
 * Law  a loop ends when its last part does. The caller takes parts, too, and whoever does not come in time finds
 *      nothing left: on a machine with other work a worker may not run for a time slice of some milliseconds, which is
 *      longer than most loops. Only a worker that is inside of a part is waited for.
 *
 *      A worker that is late looks for the next loop before it sleeps again: to wake one takes as long as a loop does.
 *
 * Parts are in as many ranges as there are threads, up to RANGES. A thread takes those of its own range first, and then
 * what others have left. So loops over the same memory find it in the caches of the threads that had it before, and
 * threads seldom wait for each other's counters.
 *
 * There is one pool, made by the first loop that wants it. Who comes while another thread's loop has it, or from inside
 * of a part, runs alone. A child of fork begins without workers and makes its own.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include <stdatomic.h>
#include <stdlib.h>

#include "exec/engine.h"

#if defined(__unix__) || defined(__APPLE__)
#  include <pthread.h>
#  include <sched.h>
#  include <signal.h>
#  include <time.h>
#  include <unistd.h>

/** Nanoseconds for which one looks for what it waits for, and then for which it also lets others run, before it sleeps;
 *  how many times parts are taken from a range; the most ranges and threads; bytes of a worker's stack, of which some
 *  systems give less than kernels and callbacks use; bytes that processors share at once. */
enum {
    LOOKS_NS = 50000,
    YIELDS_NS = 1000000,
    TURNS = 64,
    RANGES = 64,
    MOST_THREADS = 1024,
    STACK = 2 << 20,
    LINE = 128
};

/** The state of the pool: how many workers are in a loop, how many more it takes, and its number. */
typedef unsigned long long pool_state;
enum { INSIDE_AT = 16, NUMBER_AT = 32 };
#  define PLACES ((pool_state)0xffff)
#  define ONE_INSIDE ((pool_state)1 << INSIDE_AT)
#  define ONE_LOOP ((pool_state)1 << NUMBER_AT)

static struct pool {
    pthread_mutex_t lock; /* of the workers' number and sleep */
    pthread_cond_t work, done;
    int workers;
    bool watched; /* forks are */
    bool caller_waits;
    atomic_flag busy;                                  /* a caller has it */
    void (*run)(void *context, int worker, int64_t i); /* the loop: of the caller, and of who is inside */
    void *context;
    int64_t parts, turn;
    int ranges;
    bool all;                                /* every worker has a place in it */
    _Alignas(LINE) _Atomic pool_state state; /* who waits reads it all the time */
    struct {
        _Alignas(LINE) atomic_llong next;
    } range[RANGES];
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .work = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER,
          .busy = ATOMIC_FLAG_INIT};

static int inside(pool_state s) { return (int)(s >> INSIDE_AT & PLACES); }

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/** Passes a moment between two looks for what one waits for since `begin`; false: it is time to sleep. */
static bool look_again(int64_t begin)
{
    int64_t const past = now() - begin;
    if (past >= LOOKS_NS)
        sched_yield();
#  if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#  elif defined(__aarch64__)
    __asm__ volatile("isb");
#  endif
    return past < LOOKS_NS + YIELDS_NS;
}

/** Goes into the loop, and returns the worker's number in it; 0: there is none, or it has enough. */
static int enter(void)
{
    pool_state s = atomic_load(&pool.state);
    while (s & PLACES)
        if (atomic_compare_exchange_weak(&pool.state, &s, s - 1 + ONE_INSIDE))
            return (int)(s & PLACES);
    return 0;
}

static void leave(void)
{
    pool_state const s = atomic_fetch_sub(&pool.state, ONE_INSIDE) - ONE_INSIDE;
    if ((s & PLACES) || inside(s))
        return;
    pthread_mutex_lock(&pool.lock);
    if (pool.caller_waits)
        pthread_cond_signal(&pool.done);
    pthread_mutex_unlock(&pool.lock);
}

/** The first part of a range. */
static int64_t first_of(int i)
{
    int64_t const each = pool.parts / pool.ranges, more = pool.parts % pool.ranges;
    return i * each + tsr_min64(i, more);
}

/** Takes the parts of a range that are left. */
static void take_range(int worker, int i)
{
    int64_t const end = first_of(i + 1);
    while (atomic_load_explicit(&pool.range[i].next, memory_order_relaxed) < end) {
        int64_t const first = atomic_fetch_add(&pool.range[i].next, pool.turn);
        int64_t const last = tsr_min64(first + pool.turn, end);
        for (int64_t part = first; part < last; ++part)
            pool.run(pool.context, worker, part);
    }
}

/** Takes parts as thread `self`, whose memory is that of `worker`. */
static void take_parts(int self, int worker)
{
    for (int i = 0; i < pool.ranges; ++i)
        take_range(worker, (self + i) % pool.ranges);
}

/** Wakes two if they sleep, each of which wakes two more: nobody has the calls of the system for all of them. */
static void wake(void)
{
    for (int i = 0; i < 2 && (atomic_load(&pool.state) & PLACES); ++i)
        pthread_cond_signal(&pool.work);
}

/** Sleeps until there is a loop, and returns the worker's number in it; 0: it was over. */
static int sleep_until_loop(void)
{
    pthread_mutex_lock(&pool.lock);
    int number = enter();
    if (!number) {
        pthread_cond_wait(&pool.work, &pool.lock);
        number = enter();
    }
    pthread_mutex_unlock(&pool.lock);
    wake();
    return number;
}

static int wait_for_loop(void)
{
    for (;;) {
        int64_t const begin = now();
        int number = enter();
        while (!number && look_again(begin))
            number = enter();
        if (!number)
            number = sleep_until_loop();
        if (number)
            return number;
    }
}

static void *work(void *number)
{
    int const self = (int)(intptr_t)number;
    for (;;) {
        int const place = wait_for_loop();
        take_parts(self, pool.all ? self : place);
        leave();
    }
    return NULL;
}

/* A child of fork has the thread that forked, and the lock. */
static void before_fork(void) { pthread_mutex_lock(&pool.lock); }

static void in_parent(void) { pthread_mutex_unlock(&pool.lock); }

static void in_child(void)
{
    static pthread_cond_t const fresh = PTHREAD_COND_INITIALIZER;
    pool.workers = 0;
    pool.caller_waits = false;
    pool.work = pool.done = fresh;
    atomic_store(&pool.state, 0);
    atomic_flag_clear(&pool.busy);
    pthread_mutex_unlock(&pool.lock);
}

/** Signals are for the threads of the program, but for those that an access of this one raises. */
static sigset_t signals_of_others(void)
{
    static int const own[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP};
    sigset_t set;
    sigfillset(&set);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i)
        sigdelset(&set, own[i]);
    return set;
}

/** As many workers as there may be, or fewer. */
static void grow(int workers)
{
    sigset_t const others = signals_of_others();
    sigset_t before;
    pthread_attr_t detached;
    if (pool.workers >= workers || pthread_attr_init(&detached) != 0)
        return;
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&detached, STACK);
    pthread_sigmask(SIG_SETMASK, &others, &before);
    if (!pool.watched)
        pool.watched = pthread_atfork(before_fork, in_parent, in_child) == 0;
    for (pthread_t id; pool.watched && pool.workers < workers; ++pool.workers)
        if (pthread_create(&id, &detached, work, (void *)(intptr_t)(pool.workers + 1)) != 0)
            break;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&detached);
}

static void open_loop(int workers)
{
    pool_state const number = (atomic_load(&pool.state) & ~(ONE_LOOP - 1)) + ONE_LOOP;
    pthread_mutex_lock(&pool.lock);
    grow(workers);
    pool.all = pool.workers <= workers;
    atomic_store(&pool.state, number | (pool_state)workers);
    pthread_mutex_unlock(&pool.lock);
    wake();
}

static void close_loop(void)
{
    atomic_fetch_and(&pool.state, ~PLACES);
    int64_t const begin = now();
    while (inside(atomic_load(&pool.state)) && look_again(begin))
        continue;
    if (!inside(atomic_load(&pool.state)))
        return;
    pthread_mutex_lock(&pool.lock);
    pool.caller_waits = true;
    while (inside(atomic_load(&pool.state)))
        pthread_cond_wait(&pool.done, &pool.lock);
    pool.caller_waits = false;
    pthread_mutex_unlock(&pool.lock);
}

void tsr_engine_share_(int threads, int64_t parts, void (*run)(void *context, int worker, int64_t i), void *context)
{
    int const most = (int)tsr_min64(tsr_min64(threads, MOST_THREADS), parts);
    if (most <= 1 || atomic_flag_test_and_set(&pool.busy)) {
        for (int64_t i = 0; i < parts; ++i)
            run(context, 0, i);
        return;
    }
    pool.run = run;
    pool.context = context;
    pool.parts = parts;
    pool.turn = tsr_max64(parts / (most * TURNS), 1);
    pool.ranges = most < RANGES ? most : RANGES;
    for (int i = 0; i < pool.ranges; ++i)
        atomic_store_explicit(&pool.range[i].next, first_of(i), memory_order_relaxed);
    open_loop(most - 1);
    take_parts(0, 0);
    close_loop();
    atomic_flag_clear(&pool.busy);
}

static int processors(void)
{
#  if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
#  endif
    return (int)tsr_max64(tsr_min64(sysconf(_SC_NPROCESSORS_ONLN), MOST_THREADS), 1);
}

int tsr_engine_most_threads_(void)
{
    static atomic_int known;
    int most = atomic_load_explicit(&known, memory_order_relaxed);
    if (most == 0) {
        char const *const said = getenv("OMP_NUM_THREADS");
        long const number = said ? strtol(said, NULL, 10) : 0;
        most = number > 0 ? (int)tsr_min64(number, MOST_THREADS) : processors();
        atomic_store_explicit(&known, most, memory_order_relaxed);
    }
    return most;
}
#else
void tsr_engine_share_(int threads, int64_t parts, void (*run)(void *context, int worker, int64_t i), void *context)
{
    (void)threads;
    for (int64_t i = 0; i < parts; ++i)
        run(context, 0, i);
}

int tsr_engine_most_threads_(void) { return 1; }
#endif
