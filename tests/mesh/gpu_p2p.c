/** Ranks with peer access: runs that are captured, parts that move, ranks that are stuck or have left, and GPUs
 *  that do not reach each other.
 *  usage: gpu_p2p SEED PAIRS [FAKE]; pairs are not used. TESSERA_NCCL names the library of true GPUs. */
#define _GNU_SOURCE /* syscall */
#include "mesh/gpu_flag.h"
#include "gpu/call.h"
#include "nccl_ranks.h"

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
            && tsr_dist_comm_run(w->moves, stream, &w->error) && g->cuStreamEndCapture(stream->handle, &graph) == 0
            && g->cuGraphInstantiate(&run, graph, 0) == 0;
    w->ok = w->ok && write_old(w, stream);
    for (int i = 0; i < w->times && w->ok; ++i)
        w->ok = g->cuGraphLaunch(run, stream->handle) == 0;
    w->ok = w->ok && tsr_dist_comm_wait(w->all, stream, &w->error);
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
        remote = g->fake && i % 2;
        if (!open_all(g, nccl, 2, i < 3 ? 0 : 60))
            return;
        if (!are_p2p()) { /* graphs of what NCCL sends are NCCL's own matter */
            close_all(2);
            break;
        }
        check("it runs before", run_pair(g, &p, &t, 0, 2, 2, run)); /* kernels are loaded */
        check("captured", run_pair(g, &p, &t, 0, 2, 3, capture));
        close_all(2);
    }
    remote = false;
}

enum { PLACES = 6, MOVED = 40 }; /* more places than runs remember */

static gpu_part places[PLACES][2][2];
static int order[MOVED];

static void *run_moved(void *of)
{
    work *const w = (work *)of;
    tsr_gpu_stream const *const stream = &w->g->stream[w->rank];
    for (int i = 0; i < MOVED && w->ok; ++i) {
        gpu_part const *const p = places[order[i]][w->rank];
        w->ok = tsr_dist_comm_run_at(w->moves, p[0].address, p[1].address, stream, &w->error);
    }
    w->ok = w->ok && tsr_dist_comm_wait(w->all, stream, &w->error);
    return NULL;
}

/** Parts that move between runs. */
static void test_moved(gpu_ranks *g, tsr_nccl const *nccl)
{
    pair p = {.ranks = 2, .host = 1};
    tsr_message error;
    tsr_dist_terms const t = tsr_dist_terms_of(TSR_F32);
    check("layouts", tsr_dist_parse("dtensor((24,16),(2),[S(0)])", &p.from, &error)
                         && tsr_dist_parse("dtensor((24,16),(2),[S(1)])", &p.to, &error));
    for (int turn = 0; turn < 4 && g->devices > 1; ++turn) {
        gpu_part unused[2][2];
        remote = g->fake && turn % 2;
        if (g->fake)
            g->fake->slow = !remote;
        if (!open_all(g, nccl, 2, turn < 2 ? 0 : 60))
            return;
        gpu_even = true;
        bool ok = plan_rank(g, &p, &t, 0, 0, unused[0]) && plan_rank(g, &p, &t, 0, 1, unused[1]);
        for (int i = 0; i < 2 * PLACES; ++i)
            ok = gpu_parts(&g->device[i % 2], &p, i % 2, &t, places[i / 2][i % 2]) && ok;
        gpu_even = false;
        for (int i = 0; i < MOVED; ++i)
            order[i] = (int)noise(i < MOVED / 2 ? 2 : PLACES);
        check("parts that move", ok && each(0, 2, run_moved));
        for (int i = 0; i < PLACES; ++i) {
            bool came = false;
            for (int k = 0; k < MOVED; ++k)
                came = came || order[k] == i;
            for (int r = 0; r < 2; ++r) {
                gpu_part *const q = places[i][r];
                check("a place", gpu_get(&q[1]) && (!came || same_terms(&p, r, q[1].here, &t, 1)));
                gpu_drop(&q[0]);
                gpu_drop(&q[1]);
            }
        }
        drop_two(unused);
        close_all(2);
    }
    remote = false;
    if (g->fake) {
        g->fake->slow = 0;
        check("no call of the driver waits for a rank that waits for it", g->fake->stuck == 0);
    }
}

static void *start(void *of)
{
    work *const w = (work *)of;
    w->ok = tsr_dist_comm_run(w->moves, &w->g->stream[w->rank], &w->error);
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
    dist_gpu_flags const stuck = {.awaited = 1, .flag = {(uint64_t)(uintptr_t)&never}};
    if (!open_all(g, nccl, 2, 1))
        return;
    if (!are_p2p()) {
        close_all(2);
        return;
    }
    check("plans", plan_two(g, &p, part));
    check("stuck", tsr_dist_gpu_flag_plan_(&g->cache, &g->device[1], &kernel, &error)
                       && tsr_dist_gpu_flag_(&kernel, &stuck, &g->stream[1], &error));
    check("a stuck rank", !each(0, 2, run) && says("cannot end its messages: no answer from another rank for 1 s"));
    check("its stream is free", gpu_done(tsr_gpu_stream_wait(&g->stream[0])));
    check("what was not written", gpu_get(&part[0][1]) && gpu_get(&part[1][1]));
    __atomic_store_n(&never, 1u, __ATOMIC_SEQ_CST);
    drop_two(part);
    close_all(2);
    never = 0;
    if (!open_all(g, nccl, 2, 1))
        return;
    check("stuck again", plan_two(g, &p, part) && tsr_dist_gpu_flag_(&kernel, &stuck, &g->stream[1], &error));
    check("they start", each(0, 2, start));
    tsr_dist_comm_close(&ranks_work[0].all);
    check("the end has a timeout, too", gpu_done(tsr_gpu_stream_wait(&g->stream[0])));
    __atomic_store_n(&never, 1u, __ATOMIC_SEQ_CST);
    drop_two(part);
    close_all(2);
    if (!open_all(g, nccl, 2, 60))
        return;
    check("plans", plan_two(g, &p, part));
    tsr_dist_comm_close(&ranks_work[1].all);
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
    check("they are far", open_all(g, nccl, 2, 0) && !tsr_dist_gpu_has_p2p_(&ranks_work[0].all->p2p));
    printf("%s\n", tsr_dist_comm_p2p_why(ranks_work[0].all));
    check("they say why",
          strncmp(tsr_dist_comm_p2p_why(ranks_work[0].all), "the transport sends all messages: rank ", 39) == 0);
    long long const before = g->fake->bytes;
    check("plans", plan_two(g, &p, part) && each(0, 2, run));
    check("NCCL sends", g->fake->bytes - before == 2 * 4 * 64 * 16);
    drop_two(part);
    close_all(2);
    g->fake->apart = 0;
}

/** The control block of 64 ranks is in shared memory, or nothing is, and errno says why. */
static void test_control(void)
{
    dist_gpu_control_name name;
    bool const made = tsr_dist_gpu_control_make_(DIST_GPU_CONTROL_RANKS, &name);
    check("a control block, or why not",
          made == (name.code == 0) && made == (name.path[0] != 0) && name.bytes > 65536);
    printf("a control block of %lld bytes: %s\n", (long long)name.bytes, made ? "made" : strerror(name.code));
    tsr_dist_gpu_control_forget_(&name);
    check("it is forgotten", name.path[0] == 0);
}

int main(int argc, char **argv)
{
    static gpu_ranks g;
    tsr_nccl nccl;
    tsr_message error;
    char const *const fake = argc > 3 ? argv[3] : NULL;
    random_begin(argc > 1 ? (uint64_t)atoll(argv[1]) : 1);
    if (!gpu_begin(&g, fake) || g.devices < 2)
        return 77;
    if (!tsr_dist_nccl_find(&nccl, fake, &error))
        return puts(error.text), 77;
    test_control();
    test_captured(&g, &nccl);
    test_moved(&g, &nccl);
    if (fake) {
        test_stuck(&g, &nccl);
        test_far(&g, &nccl);
    }
    tsr_dist_nccl_forget(&nccl);
    gpu_end(&g);
    return report();
}
