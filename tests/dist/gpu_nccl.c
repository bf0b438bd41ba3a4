/** Random redistributions between ranks, a thread and a GPU for each: every element is where it belongs, whether movers
 *  touch the memory of others or NCCL sends; and ranks that are lost, which ends with a sentence.
 *  usage: gpu_nccl SEED PAIRS [FAKE]. TESSERA_NCCL names the library of true GPUs. */
#define _GNU_SOURCE /* syscall */
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "dist/gpu_nccl.h"
#include "dist/gpu_sign.h"
#include "gpu/call.h"
#include "gpu_ranks.h"

/** What a rank's thread has. */
typedef struct work {
    gpu_ranks *g;
    tsr_nccl const *nccl;
    tsr_nccl_id id;
    int rank, ranks, times;
    int streams;   /* that a rank's runs take in turns */
    gpu_part *old; /* what the first stream writes before the first run; NULL: it is there */
    double patience;
    tsr_dist_nccl *all;
    tsr_dist_nccl_moves *moves;
    bool ok;
    tsr_message error;
} work;

static work ranks_work[MOST_GPUS];

/** Threads that say that they are processes: the library asks here. */
static bool strangers;
static _Thread_local int process;

pid_t getpid(void) { return strangers ? 1000 + process : (pid_t)syscall(SYS_getpid); }

static void *meet(void *of)
{
    work *const w = (work *)of;
    process = w->rank;
    w->ok = tsr_dist_nccl_open(w->nccl, &w->g->device[w->rank], &w->id, w->rank, w->ranks, w->patience, &w->all,
                               &w->error);
    return NULL;
}

/** Writes the old part behind what a stream has to do. */
static bool write_old(work *w, tsr_gpu_stream const *stream)
{
    gpu_part *const p = w->old;
    return !p || !p->here || gpu_done(tsr_gpu_write(&p->there, p->at, p->here, p->bytes, stream));
}

static void *run(void *of)
{
    work *const w = (work *)of;
    tsr_gpu_stream const *stream = &w->g->stream[w->rank];
    w->ok = w->ok && write_old(w, stream);
    for (int i = 0; i < w->times && w->ok; ++i) {
        stream = &w->g->stream[w->rank + (w->streams ? i % w->streams : 0) * w->g->devices];
        w->ok = tsr_dist_nccl_run(w->moves, stream, &w->error);
    }
    w->ok = w->ok && tsr_dist_nccl_wait(w->all, stream, &w->error);
    return NULL;
}

/** Does it in a thread a rank; false: one of them failed, and its words are printed. */
static bool each(int first, int ranks, void *(*does)(void *))
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

static bool open_all(gpu_ranks *g, tsr_nccl const *nccl, int ranks, double patience)
{
    tsr_nccl_id id;
    tsr_message error = {0, ""};
    bool ok = tsr_dist_nccl_id(nccl, &id, &error);
    for (int r = 0; r < ranks; ++r) {
        work const w = {.g = g, .nccl = nccl, .id = id, .rank = r, .ranks = ranks, .patience = patience};
        ranks_work[r] = w;
    }
    ok = ok && each(0, ranks, meet);
    check("ranks meet", ok);
    return ok;
}

static void close_all(int ranks)
{
    for (int r = 0; r < ranks; ++r)
        tsr_dist_nccl_close(&ranks_work[r].all);
}

static bool plan_rank(gpu_ranks *g, pair const *p, tsr_dist_terms const *t, int64_t budget, int r, gpu_part *part)
{
    tsr_dist_plan plan;
    work *const w = &ranks_work[r];
    if (!gpu_parts(&g->device[r], p, r, t, part)
        || !tsr_dist_plan_make(&p->from, &p->to, r, p->host, &plan, &w->error))
        return false;
    w->ok = tsr_dist_nccl_plan(w->all, &g->cache, &plan, t, part[0].address, part[1].address, budget, &w->moves,
                               &w->error);
    tsr_dist_plan_free(&plan);
    if (!w->ok)
        printf("%s\n", w->error.text);
    return w->ok;
}

/** Does NCCL send? Can parts be named to other processes? Returns whether movers touch the memory of others. */
static bool choose(gpu_ranks *g, int ranks)
{
    bool const off = noise(3) == 0;
    int64_t const small = noise(2) ? 0 : 1 << 20;
    dist_gpu_again const again = (dist_gpu_again)noise(DIST_GPU_AGAINS);
    int64_t const row = noise(2) ? 0 : 16;
    bool near = !off;
    for (int r = 0; r < ranks; ++r) {
        tsr_dist_nccl *const all = ranks_work[r].all;
        all->near.off = off;
        all->near.small = small;
        all->near.again = again;
        all->near.row = row;
        near = near && tsr_dist_gpu_is_near_(&all->near);
    }
    if (g->fake) {
        g->fake->nameless = strangers && noise(8) == 0;
        g->fake->no_graphs = noise(8) == 0;
    }
    near = near && !(g->fake && g->fake->nameless);
    for (int r = 0; r < ranks; ++r)
        ranks_work[r].streams = near ? 3 : 1;
    return near;
}

static bool run_pair(gpu_ranks *g, pair const *p, tsr_dist_terms const *t, int64_t budget, int ranks, int times,
                     void *(*does)(void *))
{
    gpu_part part[MOST_GPUS][2];
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
        tsr_dist_nccl_free(&ranks_work[r].moves);
        ranks_work[r].old = NULL;
    }
    return ok;
}

static void test_pairs(gpu_ranks *g, tsr_nccl const *nccl, int64_t pairs, double patience, bool apart)
{
    int done = 0, sums = 0, near = 0;
    strangers = apart;
    if (!open_all(g, nccl, g->devices, patience))
        return;
    for (int64_t i = 0; i < pairs && failed == 0; ++i) {
        pair p = random_pair(1 + noise(g->devices), i % 3 == 0 ? 40 : 17);
        tsr_dist_terms const t = gpu_terms(g);
        if (p.ranks > g->devices) {
            --i;
            continue;
        }
        near += choose(g, g->devices);
        bool const ok = run_pair(g, &p, &t, noise(2) ? 0 : noise(2000), g->devices, 1 + (int)noise(3), run);
        check("a random pair", ok);
        sums += tsr_dist_sums(&p.from) > tsr_dist_sums(&p.to);
        done += ok;
        if (!ok) {
            printf("pair %lld\n", (long long)i);
            print_pair(&p);
        }
    }
    close_all(g->devices);
    strangers = false;
    if (g->fake) {
        g->fake->nameless = g->fake->no_graphs = 0;
        check("all memory is unmapped", g->fake->mapped == 0);
    }
    check("most movers touch the memory of others", near > pairs / 3);
    printf("%d pairs on %d GPUs (%s%s), NCCL %d, %d with sums, %d near, %s, %d kernels\n", done, g->devices,
           g->device[0].name, apart ? ", processes" : "", nccl->version, sums, near,
           patience > 0 ? "with patience" : "without", (int)g->cache.misses);
    fflush(stdout);
}

/** Captures a run, and launches it some times. */
static void *capture(void *of)
{
    enum { THREAD_LOCAL = 1 };
    work *const w = (work *)of;
    tsr_gpu_stream const *const stream = &w->g->stream[w->rank];
    tsr_gpu const *const g = &w->g->gpu;
    void *graph = NULL, *run = NULL;
    w->ok = gpu_done(tsr_gpu_enter_(&w->g->device[w->rank]))
            && g->cuStreamBeginCapture(stream->handle, THREAD_LOCAL) == 0
            && tsr_dist_nccl_run(w->moves, stream, &w->error) && g->cuStreamEndCapture(stream->handle, &graph) == 0
            && g->cuGraphInstantiate(&run, graph, 0) == 0;
    w->ok = w->ok && write_old(w, stream);
    for (int i = 0; i < w->times && w->ok; ++i)
        w->ok = g->cuGraphLaunch(run, stream->handle) == 0;
    w->ok = w->ok && tsr_dist_nccl_wait(w->all, stream, &w->error);
    w->ok = w->ok && g->cuGraphExecDestroy(run) == 0 && g->cuGraphDestroy(graph) == 0;
    return gpu_done(tsr_gpu_leave_(&w->g->device[w->rank], tsr_gpu_refuse_(TSR_GPU_OK, 0, 0, 0))) ? of : NULL;
}

/** Graphs of runs: a run whose work is small, and one that has a stream of its own for what stays. */
static void test_captured(gpu_ranks *g, tsr_nccl const *nccl)
{
    static char const *const pairs[][2] = {{"dtensor((64,64),(2),[S(0)])", "dtensor((64,64),(2),[S(1)])"},
                                           {"dtensor((1024,1024),(2),[S(0)])", "dtensor((1024,1024),(2),[SS(0,2)])"},
                                           {"dtensor((24,16),(2),[P])", "dtensor((24,16),(2),[S(1)])"}};
    tsr_dist_terms const t = tsr_dist_terms_of(TSR_F32);
    for (int i = 0; i < 6 && g->devices > 1; ++i) {
        pair p = {.ranks = 2, .host = 1};
        tsr_message error;
        check("layouts",
              tsr_dist_parse(pairs[i % 3][0], &p.from, &error) && tsr_dist_parse(pairs[i % 3][1], &p.to, &error));
        strangers = g->fake && i % 2;
        if (!open_all(g, nccl, 2, i < 3 ? 0 : 60))
            return;
        check("it runs before", run_pair(g, &p, &t, 0, 2, 2, run)); /* kernels are loaded */
        check("captured", run_pair(g, &p, &t, 0, 2, 3, capture));
        close_all(2);
    }
    strangers = false;
}

static bool says(char const *words)
{
    bool const is = !ranks_work[0].ok && strstr(ranks_work[0].error.text, words);
    if (!is)
        printf("  it says: %s\n", ranks_work[0].error.text);
    return is;
}

/** Rank 0 runs alone: the other one is late for ever. */
static void test_lost(gpu_ranks *g, tsr_nccl const *nccl)
{
    pair p = {.ranks = 2, .host = 1};
    tsr_message error;
    tsr_dist_terms const t = tsr_dist_terms_of(TSR_F32);
    gpu_part part[2][2];
    if (g->devices < 2 || !tsr_dist_parse("dtensor((64,64),(2),[S(0)])", &p.from, &error)
        || !tsr_dist_parse("dtensor((64,64),(2),[S(1)])", &p.to, &error) || !open_all(g, nccl, 2, 10))
        return;
    check("plans", plan_rank(g, &p, &t, 0, 0, part[0]) && plan_rank(g, &p, &t, 0, 1, part[1]));
    ranks_work[0].times = ranks_work[1].times = 1;
    check("they run", each(0, 2, run));
    tsr_dist_nccl_free(&ranks_work[0].moves);
    tsr_dist_nccl_free(&ranks_work[1].moves);
    close_all(2);
    for (int i = 0; i < 4; ++i)
        gpu_drop(&part[i / 2][i % 2]);
    if (!open_all(g, nccl, 2, 1))
        return;
    check("plans", plan_rank(g, &p, &t, 0, 0, part[0]));
    ranks_work[0].times = 1;
    check("a lost rank",
          !each(0, 1, run) && says("rank 0 of 2 cannot exchange messages: no answer from rank 1 for 1 s"));
    check("then", !tsr_dist_nccl_run(ranks_work[0].moves, &g->stream[0], &error)
                      && strstr(error.text, "has no communicator"));
    tsr_dist_nccl_free(&ranks_work[0].moves);
    gpu_drop(&part[0][0]);
    gpu_drop(&part[0][1]);
    if (g->fake) /* NCCL's own end would wait for rank 0 */
        close_all(2);
}

/** Plans for two ranks. */
static bool plan_two(gpu_ranks *g, pair *p, gpu_part part[2][2])
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

static void drop_two(gpu_part part[2][2])
{
    for (int r = 0; r < 2; ++r) {
        tsr_dist_nccl_free(&ranks_work[r].moves);
        gpu_drop(&part[r][0]);
        gpu_drop(&part[r][1]);
    }
}

static void *start(void *of)
{
    work *const w = (work *)of;
    w->ok = tsr_dist_nccl_run(w->moves, &w->g->stream[w->rank], &w->error);
    return NULL;
}

/** A rank that comes, and whose stream is stuck: the other one ends, and its stream is free again. Then the first one,
 *  which is late, is told that the other has left. */
static void test_stuck(gpu_ranks *g, tsr_nccl const *nccl)
{
    pair p;
    gpu_part part[2][2];
    uint32_t never = 0;
    tsr_message error;
    tsr_gpu_kernel kernel;
    dist_gpu_signs const stuck = {.awaited = 1, .sign = {(uint64_t)(uintptr_t)&never}};
    if (!open_all(g, nccl, 2, 1))
        return;
    check("plans", plan_two(g, &p, part));
    check("stuck", tsr_dist_gpu_sign_plan_(&g->cache, &g->device[1], &kernel, &error)
                       && tsr_dist_gpu_sign_(&kernel, &stuck, &g->stream[1], &error));
    check("a stuck rank", !each(0, 2, run) && says("cannot end its messages: no answer from another rank for 1 s"));
    check("its stream is free", gpu_done(tsr_gpu_stream_wait(&g->stream[0])));
    check("what was not written", gpu_get(&part[0][1]) && gpu_get(&part[1][1]));
    __atomic_store_n(&never, 1u, __ATOMIC_SEQ_CST);
    drop_two(part);
    close_all(2);
    never = 0;
    if (!open_all(g, nccl, 2, 1))
        return;
    check("stuck again", plan_two(g, &p, part) && tsr_dist_gpu_sign_(&kernel, &stuck, &g->stream[1], &error));
    check("they start", each(0, 2, start));
    tsr_dist_nccl_close(&ranks_work[0].all);
    check("the end has patience, too", gpu_done(tsr_gpu_stream_wait(&g->stream[0])));
    __atomic_store_n(&never, 1u, __ATOMIC_SEQ_CST);
    drop_two(part);
    close_all(2);
    if (!open_all(g, nccl, 2, 60))
        return;
    check("plans", plan_two(g, &p, part));
    tsr_dist_nccl_close(&ranks_work[1].all);
    check("a rank that has left", !each(0, 1, run) && says("cannot exchange messages: rank 1 has left"));
    drop_two(part);
    close_all(1);
}

/** GPUs that do not reach each other: NCCL sends. */
static void test_far(gpu_ranks *g, tsr_nccl const *nccl)
{
    pair p;
    gpu_part part[2][2];
    g->fake->apart = 1;
    check("they are far", open_all(g, nccl, 2, 0) && !tsr_dist_gpu_is_near_(&ranks_work[0].all->near));
    long long const before = g->fake->bytes;
    check("plans", plan_two(g, &p, part) && each(0, 2, run));
    check("NCCL sends", g->fake->bytes - before == 2 * 4 * 64 * 16);
    drop_two(part);
    close_all(2);
    g->fake->apart = 0;
}

/** A rank that does not even come. */
static void test_absent(gpu_ranks *g, tsr_nccl const *nccl)
{
    tsr_message error;
    work w = {.g = g, .nccl = nccl, .ranks = 2, .patience = 1};
    check("an id", tsr_dist_nccl_id(nccl, &w.id, &error));
    ranks_work[0] = w;
    check("an absent rank", !each(0, 1, meet) && says("cannot meet the others: no answer from another rank for 1 s"));
}

/** Every function of NCCL fails in turn. */
static void test_failures(gpu_ranks *g, tsr_nccl const *nccl)
{
    static char const *const names[] = {"ncclCommInitRankConfig", "ncclGroupStart",       "ncclSend", "ncclRecv",
                                        "ncclGroupEnd",           "ncclCommGetAsyncError"};
    pair p = {.ranks = 2, .host = 1};
    tsr_message error;
    tsr_nccl_id id;
    tsr_dist_terms const t = tsr_dist_terms_of(TSR_F32);
    bool const ok = tsr_dist_parse("dtensor((8,8),(2),[S(0)])", &p.from, &error)
                    && tsr_dist_parse("dtensor((8,8),(2),[S(1)])", &p.to, &error);
    check("layouts", ok);
    g->fake->failing = "ncclGetUniqueId";
    check("no id", !tsr_dist_nccl_id(nccl, &id, &error) && strstr(error.text, "fails: remote error"));
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        gpu_part part[2];
        bool failed_ = false;
        g->fake->failing = i == 0 ? names[0] : NULL;
        check("an id", tsr_dist_nccl_id(nccl, &id, &error));
        for (int r = 0; r < 2; ++r) {
            work const w = {.g = g, .nccl = nccl, .id = id, .rank = r, .ranks = 2, .times = 1, .patience = 5};
            ranks_work[r] = w;
        }
        failed_ = !each(0, i == 0 ? 1 : 2, meet);
        for (int r = 0; r < 2 && ranks_work[r].all; ++r)
            ranks_work[r].all->near.off = true;
        if (!failed_ && plan_rank(g, &p, &t, 0, 0, part)) {
            g->fake->failing = names[i];
            failed_ = !each(0, 1, run);
            gpu_drop(&part[0]);
            gpu_drop(&part[1]);
        }
        check(names[i], failed_ && says("remote error"));
        g->fake->failing = NULL;
        tsr_dist_nccl_free(&ranks_work[0].moves);
        close_all(2);
    }
}

static void test_found(gpu_ranks *g, char const *fake)
{
    tsr_nccl nccl;
    tsr_message error;
    check("no library", !tsr_dist_nccl_find(&nccl, "/nowhere/libnccl.so", &error)
                            && strstr(error.text, "/nowhere/libnccl.so cannot be loaded"));
    check("not found", !tsr_dist_nccl_id(&nccl, &ranks_work[0].id, &error) && strstr(error.text, "not found"));
    g->fake->version = 21605;
    check("an old one", !tsr_dist_nccl_find(&nccl, fake, &error) && strstr(error.text, "is NCCL 2.16; 2.17"));
    g->fake->version = 22809;
}

int main(int argc, char **argv)
{
    static gpu_ranks g;
    tsr_nccl nccl;
    tsr_message error;
    char const *const fake = argc > 3 ? argv[3] : NULL;
    int64_t const pairs = argc > 2 ? atoll(argv[2]) : 300;
    random_begin(argc > 1 ? (uint64_t)atoll(argv[1]) : 1);
    if (!gpu_begin(&g, fake))
        return 77;
    if (fake)
        test_found(&g, fake);
    if (!tsr_dist_nccl_find(&nccl, fake, &error))
        return puts(error.text), 77;
    for (int apart = 0; apart < (fake ? 2 : 1); ++apart) {
        test_pairs(&g, &nccl, pairs / 2, 0, apart);
        test_pairs(&g, &nccl, pairs / 2, 60, apart);
    }
    test_captured(&g, &nccl);
    if (fake) {
        test_failures(&g, &nccl);
        test_stuck(&g, &nccl);
        test_far(&g, &nccl);
    }
    test_lost(&g, &nccl);
    test_absent(&g, &nccl);
    if (!fake) /* a thread of NCCL may still wait for the rank that is lost */
        return fflush(stdout), report();
    tsr_dist_nccl_forget(&nccl);
    gpu_end(&g);
    return report();
}
