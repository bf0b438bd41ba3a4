/* The part of libgomp that the engines call, by threads that the sanitizer sees. Items of a loop are handed out without
 * any order between threads but that of barriers: an order that a lock makes by chance would hide a race. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { LOOPS = 8, THREADS = 16 };

typedef struct team {
    void (*work)(void *data);
    void *data;
    int threads;
    atomic_long handed_out[LOOPS]; /* chunks of each loop */
    pthread_barrier_t gate;
} team;

typedef struct member {
    team *of;
    int number, loops; /* loops that it has begun */
    long first, last, step, chunk;
} member;

static _Thread_local member me;

void GOMP_parallel(void (*work)(void *data), void *data, unsigned threads, unsigned flags);
bool GOMP_loop_nonmonotonic_dynamic_start(long first, long last, long step, long chunk, long *from, long *to);
bool GOMP_loop_nonmonotonic_dynamic_next(long *from, long *to);
void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);
void GOMP_barrier(void);
int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_in_parallel(void);
double omp_get_wtime(void);

static void *run(void *x)
{
    member const before = me;
    me = *(member *)x;
    me.of->work(me.of->data);
    me = before;
    return NULL;
}

void GOMP_parallel(void (*work)(void *data), void *data, unsigned threads, unsigned flags)
{
    team t = {.work = work, .data = data, .threads = threads > 0 ? (int)threads : omp_get_max_threads()};
    member members[THREADS] = {{0}};
    pthread_t thread[THREADS];
    (void)flags;
    if (t.threads > THREADS || pthread_barrier_init(&t.gate, NULL, (unsigned)t.threads) != 0)
        abort();
    for (int i = t.threads - 1; i >= 0; --i) {
        members[i].of = &t;
        members[i].number = i;
        if (i > 0 && pthread_create(&thread[i], NULL, run, &members[i]) != 0)
            abort();
    }
    run(&members[0]);
    for (int i = 1; i < t.threads; ++i)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&t.gate);
}

bool GOMP_loop_nonmonotonic_dynamic_next(long *from, long *to)
{
    long const i = atomic_fetch_add_explicit(&me.of->handed_out[me.loops - 1], 1, memory_order_relaxed);
    *from = me.first + i * me.chunk * me.step;
    *to = *from + me.chunk * me.step < me.last ? *from + me.chunk * me.step : me.last;
    return *from < me.last;
}

bool GOMP_loop_nonmonotonic_dynamic_start(long first, long last, long step, long chunk, long *from, long *to)
{
    if (step <= 0 || me.loops++ == LOOPS)
        abort();
    me.first = first;
    me.last = last;
    me.step = step;
    me.chunk = chunk;
    return GOMP_loop_nonmonotonic_dynamic_next(from, to);
}

void GOMP_loop_end(void) { GOMP_barrier(); }

void GOMP_loop_end_nowait(void) {}

void GOMP_barrier(void)
{
    if (me.of)
        pthread_barrier_wait(&me.of->gate);
}

int omp_get_thread_num(void) { return me.number; }

int omp_get_num_threads(void) { return me.of ? me.of->threads : 1; }

int omp_get_max_threads(void) { return 4; }

int omp_in_parallel(void) { return me.of && me.of->threads > 1; }

double omp_get_wtime(void) { return 0; } /* no thread is late */
