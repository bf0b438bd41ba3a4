/** Ranks of a communicator for tests, a thread and a GPU each. They may say that they are processes. */
#ifndef TESTS_DIST_NCCL_RANKS_H
#define TESTS_DIST_NCCL_RANKS_H

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mesh/gpu_comm.h"
#include "tessera/mesh/nccl.h"
#include "gpu_ranks.h"

/** What a rank's thread has. */
typedef struct work {
    gpu_ranks *g;
    tsr_nccl const *nccl;
    tsr_nccl_id id;
    int rank, ranks, times;
    int streams;   /* that a rank's runs take in turns */
    gpu_part *old; /* what the first stream writes before the first run; NULL: it is there */
    double timeout;
    tsr_dist_comm *all;
    tsr_dist_moves *moves;
    bool ok;
    tsr_message error;
} work;

static work ranks_work[MOST_GPUS];

/** Threads that say that they are processes: the library asks here. */
static bool remote;
static _Thread_local int process;

pid_t getpid(void) { return remote ? 1000 + process : (pid_t)syscall(SYS_getpid); }

static inline void *connect_rank(void *of)
{
    work *const w = (work *)of;
    process = w->rank;
    w->ok = tsr_dist_nccl_open(w->nccl, &w->g->device[w->rank], &w->id, w->rank, w->ranks, w->timeout, &w->all,
                               &w->error);
    return NULL;
}

/** Writes the old part behind what a stream has to do. */
static inline bool write_old(work *w, tsr_gpu_stream const *stream)
{
    gpu_part *const p = w->old;
    return !p || !p->here || gpu_done(tsr_gpu_write(&p->there, p->at, p->here, p->bytes, stream));
}

static inline void *run(void *of)
{
    work *const w = (work *)of;
    tsr_gpu_stream const *stream = &w->g->stream[w->rank];
    w->ok = w->ok && write_old(w, stream);
    for (int i = 0; i < w->times && w->ok; ++i) {
        stream = &w->g->stream[w->rank + (w->streams ? i % w->streams : 0) * w->g->devices];
        w->ok = tsr_dist_comm_run(w->moves, stream, &w->error);
    }
    w->ok = w->ok && tsr_dist_comm_wait(w->all, stream, &w->error);
    return NULL;
}

/** Does it in a thread a rank; false: one of them failed, and its words are printed. */
static inline bool each(int first, int ranks, void *(*does)(void *))
{
    pthread_t thread[MOST_GPUS];
    bool ok = true;
    for (int r = first; r < ranks; ++r)
        ok = pthread_create(&thread[r], NULL, does, &ranks_work[r]) == 0 && ok;
    for (int r = first; r < ranks; ++r) {
        (void)pthread_join(thread[r], NULL);
        if (!ranks_work[r].ok)
            printf("%s\n", ranks_work[r].error.text);
        ok = ok && ranks_work[r].ok;
    }
    return ok;
}

static inline bool open_all(gpu_ranks *g, tsr_nccl const *nccl, int ranks, double timeout)
{
    tsr_nccl_id id;
    tsr_message error = {0, ""};
    bool ok = tsr_dist_nccl_id(nccl, &id, &error);
    for (int r = 0; r < ranks; ++r) {
        work const w = {.g = g, .nccl = nccl, .id = id, .rank = r, .ranks = ranks, .timeout = timeout};
        ranks_work[r] = w;
    }
    ok = ok && each(0, ranks, connect_rank);
    check("ranks connect", ok);
    return ok;
}

/** Are ranks that reach each other p2p? Else the library says why, in one sentence, which the tests print once. */
static inline bool are_p2p(void)
{
    static bool said;
    char const *const far = tsr_dist_comm_p2p_why(ranks_work[0].all);
    bool const p2p = tsr_dist_gpu_has_p2p_(&ranks_work[0].all->p2p);
    check("far ranks say why", p2p == (far[0] == 0));
    if (!p2p && !said)
        printf("skipped: no /dev/shm, so what p2p ranks do: %s\n", far);
    said = said || !p2p;
    return p2p;
}

static inline void close_all(int ranks)
{
    for (int r = 0; r < ranks; ++r)
        tsr_dist_comm_close(&ranks_work[r].all);
}

static inline bool plan_rank(gpu_ranks *g, pair const *p, tsr_dist_terms const *t, int64_t budget, int r,
                             gpu_part *part)
{
    tsr_dist_plan plan;
    work *const w = &ranks_work[r];
    if (!gpu_parts(&g->device[r], p, r, t, part)
        || !tsr_dist_plan_make(&p->from, &p->to, r, p->host, &plan, &w->error))
        return false;
    w->ok = tsr_dist_comm_plan(w->all, &g->cache, &plan, t, part[0].address, part[1].address, budget, &w->moves,
                               &w->error);
    tsr_dist_plan_free(&plan);
    if (!w->ok)
        printf("%s\n", w->error.text);
    return w->ok;
}

static inline bool run_pair(gpu_ranks *g, pair const *p, tsr_dist_terms const *t, int64_t budget, int ranks,
                            int times, void *(*does)(void *))
{
    static gpu_part part[MOST_GPUS][2]; /* threads read it */
    bool ok = true;
    memset(part, 0, sizeof part);
    for (int r = 0; r < ranks; ++r) {
        ranks_work[r].times = times;
        ok = plan_rank(g, p, t, budget, r, part[r]) && ok;
        ranks_work[r].old = &part[r][0];
        if (part[r][0].here)
            ok = gpu_done(tsr_gpu_fill(&part[r][0].there, 0, 0, part[r][0].at + part[r][0].bytes, NULL)) && ok;
    }
    ok = ok && each(0, ranks, does);
    for (int r = 0; r < ranks; ++r) {
        ok = ok && gpu_get(&part[r][1]) && (!part[r][1].here || same_terms(p, r, part[r][1].here, t, times));
        gpu_drop(&part[r][0]);
        gpu_drop(&part[r][1]);
        tsr_dist_moves_free(&ranks_work[r].moves);
        ranks_work[r].old = NULL;
    }
    return ok;
}

/** Plans for two ranks. */
static inline bool plan_two(gpu_ranks *g, pair *p, gpu_part part[2][2])
{
    tsr_message error;
    tsr_dist_terms const t = tsr_dist_terms_of(TSR_F32);
    memset(p, 0, sizeof *p);
    p->ranks = 2;
    p->host = 1;
    ranks_work[0].times = ranks_work[1].times = 1;
    return tsr_dist_parse("dtensor((64,64),(2),[S(0)])", &p->from, &error)
           && tsr_dist_parse("dtensor((64,64),(2),[S(1)])", &p->to, &error) && plan_rank(g, p, &t, 0, 0, part[0])
           && plan_rank(g, p, &t, 0, 1, part[1]);
}

static inline void drop_two(gpu_part part[2][2])
{
    for (int r = 0; r < 2; ++r) {
        tsr_dist_moves_free(&ranks_work[r].moves);
        gpu_drop(&part[r][0]);
        gpu_drop(&part[r][1]);
    }
}

static inline bool says(char const *words)
{
    bool const is = !ranks_work[0].ok && strstr(ranks_work[0].error.text, words);
    if (!is)
        printf("  it says: %s\n", ranks_work[0].error.text);
    return is;
}

#endif
