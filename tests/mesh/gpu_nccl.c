/** Random redistributions between ranks, a thread and a GPU for each: every element is where it belongs, whether movers
 *  touch the memory of others or NCCL sends; and ranks that are lost, which ends with a sentence.
 *  usage: gpu_nccl SEED PAIRS [FAKE]. TESSERA_NCCL names the library of true GPUs. */
#define _GNU_SOURCE /* syscall */
#include "nccl_ranks.h"

/** Does NCCL send? Can parts be named to other processes? Returns whether movers touch the memory of others. */
static bool choose(gpu_ranks *g, int ranks)
{
    bool const off = noise(3) == 0;
    int64_t const small = noise(2) ? 0 : 1 << 20;
    dist_gpu_replay const replay = (dist_gpu_replay)noise(DIST_GPU_REPLAYS);
    int64_t const row = noise(2) ? 0 : 16, read = noise(2) ? 0 : 1 << 20;
    dist_gpu_flager const flag_writer = (dist_gpu_flager)noise(DIST_GPU_FLAGERS);
    bool p2p = !off;
    for (int r = 0; r < ranks; ++r) {
        tsr_dist_comm *const all = ranks_work[r].all;
        all->p2p.off = off;
        all->p2p.small = small;
        all->p2p.replay = replay;
        all->p2p.row = row;
        all->p2p.read = read;
        all->p2p.flag_writer = flag_writer;
        p2p = p2p && tsr_dist_gpu_has_p2p_(&all->p2p);
    }
    if (g->fake) {
        g->fake->nameless = remote && noise(8) == 0;
        g->fake->no_graphs = noise(8) == 0;
    }
    p2p = p2p && !(g->fake && g->fake->nameless);
    for (int r = 0; r < ranks; ++r)
        ranks_work[r].streams = p2p ? 3 : 1;
    return p2p;
}

static void test_pairs(gpu_ranks *g, tsr_nccl const *nccl, int64_t pairs, double timeout, bool apart)
{
    int done = 0, sums = 0, p2p = 0;
    remote = apart;
    if (g->fake)
        g->fake->slow = !apart; /* processes have drivers of their own */
    if (!open_all(g, nccl, g->devices, timeout))
        return;
    bool const far = g->devices < 2 || !are_p2p();
    for (int64_t i = 0; i < pairs && failed == 0; ++i) {
        pair p = random_pair(1 + noise(g->devices), i % 3 == 0 ? 40 : 17);
        tsr_dist_terms const t = gpu_terms(g);
        if (p.ranks > g->devices) {
            --i;
            continue;
        }
        p2p += choose(g, g->devices);
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
    remote = false;
    if (g->fake) {
        g->fake->nameless = g->fake->no_graphs = g->fake->slow = 0;
        check("all memory is unmapped", g->fake->mapped == 0);
        check("no call of the driver waits for a rank that waits for it", g->fake->stuck == 0);
    }
    check("most movers touch the memory of others", p2p > pairs / 3 || far);
    printf("%d pairs on %d GPUs (%s%s), NCCL %d, %d with sums, %d p2p, %s, %d kernels\n", done, g->devices,
           g->device[0].name, apart ? ", processes" : "", nccl->version, sums, p2p,
           timeout > 0 ? "with a timeout" : "without", (int)g->cache.misses);
    fflush(stdout);
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
    tsr_dist_moves_free(&ranks_work[0].moves);
    tsr_dist_moves_free(&ranks_work[1].moves);
    close_all(2);
    for (int i = 0; i < 4; ++i)
        gpu_drop(&part[i / 2][i % 2]);
    if (!open_all(g, nccl, 2, 1))
        return;
    check("plans", plan_rank(g, &p, &t, 0, 0, part[0]));
    ranks_work[0].times = 1;
    check("a lost rank",
          !each(0, 1, run)
              && says(are_p2p() ? "rank 0 of 2 cannot exchange messages: no answer from rank 1 for 1 s"
                                : "rank 0 of 2 cannot end its messages: no answer from another rank for 1 s"));
    check("then", !tsr_dist_comm_run(ranks_work[0].moves, &g->stream[0], &error)
                      && strstr(error.text, "has no communicator"));
    tsr_dist_moves_free(&ranks_work[0].moves);
    gpu_drop(&part[0][0]);
    gpu_drop(&part[0][1]);
    if (g->fake) /* NCCL's own end would wait for rank 0 */
        close_all(2);
}

/** A rank that does not even come. */
static void test_absent(gpu_ranks *g, tsr_nccl const *nccl)
{
    tsr_message error;
    work w = {.g = g, .nccl = nccl, .ranks = 2, .timeout = 1};
    check("an id", tsr_dist_nccl_id(nccl, &w.id, &error));
    ranks_work[0] = w;
    check("an absent rank",
          !each(0, 1, connect_rank) && says("cannot connect to the others: no answer from another rank for 1 s"));
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
            work const w = {.g = g, .nccl = nccl, .id = id, .rank = r, .ranks = 2, .times = 1, .timeout = 5};
            ranks_work[r] = w;
        }
        failed_ = !each(0, i == 0 ? 1 : 2, connect_rank);
        for (int r = 0; r < 2 && ranks_work[r].all; ++r)
            ranks_work[r].all->p2p.off = true;
        if (!failed_ && plan_rank(g, &p, &t, 0, 0, part)) {
            g->fake->failing = names[i];
            failed_ = !each(0, 1, run);
            gpu_drop(&part[0]);
            gpu_drop(&part[1]);
        }
        check(names[i], failed_ && says("remote error"));
        g->fake->failing = NULL;
        tsr_dist_moves_free(&ranks_work[0].moves);
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
    if (fake)
        test_failures(&g, &nccl);
    test_lost(&g, &nccl);
    test_absent(&g, &nccl);
    if (!fake) /* a thread of NCCL may still wait for the rank that is lost */
        return fflush(stdout), report();
    tsr_dist_nccl_forget(&nccl);
    gpu_end(&g);
    return report();
}
