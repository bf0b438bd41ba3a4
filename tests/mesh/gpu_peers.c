/** Random redistributions between GPUs of one process: every element is where it belongs, nothing else is touched.
 *  usage: gpu_peers SEED PAIRS [FAKE] */
#include "mesh/gpu_peers.h"
#include "gpu_ranks.h"

static bool run_pair(gpu_ranks *g, pair const *p, tsr_dist_terms const *t, dist_gpu_how how, int times)
{
    static gpu_part part[MOST_RANKS][2];
    tsr_dist_gpu_rank at[MOST_RANKS];
    tsr_message error = {0, ""};
    tsr_dist_peers *plan = NULL;
    bool ok = true;
    memset(part, 0, sizeof part);
    for (int64_t r = 0; r < p->ranks; ++r) {
        at[r].device = &g->device[r % g->devices];
        ok = gpu_parts(at[r].device, p, r, t, part[r]) && ok;
        at[r].old = part[r][0].address;
        at[r].new_ = part[r][1].address;
    }
    ok = ok && tsr_dist_peers_plan_(&g->cache, &p->from, &p->to, t, at, p->ranks, how, &plan, &error);
    for (int i = 0; ok && i < times; ++i)
        ok = tsr_dist_peers_run(plan, g->stream, &error);
    for (int64_t r = 0; r < p->ranks; ++r)
        ok = gpu_done(tsr_gpu_stream_wait(&g->stream[r])) && ok;
    for (int64_t r = 0; r < p->ranks; ++r) {
        ok = ok && gpu_get(&part[r][1]) && (!part[r][1].here || same_terms(p, r, part[r][1].here, t, times));
        gpu_drop(&part[r][0]);
        gpu_drop(&part[r][1]);
    }
    tsr_dist_peers_free(&plan);
    if (error.text[0])
        printf("%s\n", error.text);
    return ok;
}

static void test_pairs(gpu_ranks *g, int64_t pairs)
{
    int done = 0, sums = 0;
    for (int64_t i = 0; i < pairs && failed == 0; ++i) {
        pair p = random_pair(1 + noise(8), i % 3 == 0 ? 40 : 17);
        tsr_dist_terms const t = gpu_terms(g);
        dist_gpu_how const how = {(dist_gpu_way)noise(DIST_GPU_WAYS), (dist_gpu_replay)noise(DIST_GPU_REPLAYS),
                                  noise(3) * 16};
        bool const ok = run_pair(g, &p, &t, how, 1 + (int)noise(4));
        check("a random pair", ok);
        sums += tsr_dist_sums(&p.from) > tsr_dist_sums(&p.to);
        done += ok;
        if (!ok) {
            printf("pair %lld\n", (long long)i);
            print_pair(&p);
        }
    }
    printf("%d pairs on %d GPUs (%s), %d with sums, %d kernels\n", done, g->devices, g->device[0].name, sums,
           (int)g->cache.misses);
    fflush(stdout);
}

static void test_refused(gpu_ranks *g)
{
    tsr_dist_layout from, to;
    tsr_message error = {0, ""};
    tsr_dist_peers *plan = NULL;
    tsr_dist_gpu_rank at[4] = {{&g->device[0], 0, 0}};
    tsr_dist_terms terms = tsr_dist_terms_of(TSR_F32);
    bool const ok = tsr_dist_parse("dtensor((8,8),(4),[S(0)])", &from, &error)
                    && tsr_dist_parse("dtensor((8,8),(4),[S(1)])", &to, &error);
    check("layouts", ok);
    check("too few", !tsr_dist_peers_plan(&g->cache, &from, &to, &terms, at, 2, &plan, &error));
    check("their words", strstr(error.text, "4 ranks have parts, and 2 have GPUs") && !plan);
    for (int r = 0; r < 4; ++r) {
        at[r].device = &g->device[r % g->devices];
        at[r].old = 4096;
        at[r].new_ = 8192;
    }
    at[2].new_ = 0;
    check("no memory", !tsr_dist_peers_plan(&g->cache, &from, &to, &terms, at, 4, &plan, &error));
    check(error.text, strstr(error.text, "rank 2 has 16 elements before and 16 after, and no memory"));
    at[2].new_ = 8192;
    terms.from = tsr_dtype_named("i4");
    check("half a byte", !tsr_dist_peers_plan(&g->cache, &from, &to, &terms, at, 4, &plan, &error));
    check("its words", strstr(error.text, "elements of 4 bits are not whole bytes"));
    if (!g->fake)
        return;
    terms.from = TSR_F32;
    g->fake->apart = 1;
    check("no peers", !tsr_dist_peers_plan(&g->cache, &from, &to, &terms, at, 4, &plan, &error));
    check(error.text, strstr(error.text, "device 0 cannot use the memory of device 1"));
    g->fake->apart = 0;
}

/** What is there already is not moved. */
static void test_same(gpu_ranks *g)
{
    tsr_dist_layout d;
    tsr_message error = {0, ""};
    tsr_dist_peers *plan = NULL;
    tsr_dist_gpu_rank at[2] = {{&g->device[0], 4096, 4096}, {&g->device[1 % g->devices], 8192, 8192}};
    tsr_dist_terms const terms = tsr_dist_terms_of(TSR_F32);
    check("a layout", tsr_dist_parse("dtensor((9,8),(2),[S(0)])", &d, &error));
    check("the same", tsr_dist_peers_plan(&g->cache, &d, &d, &terms, at, 2, &plan, &error)
                          && tsr_dist_peers_bytes(plan) == 0 && tsr_dist_peers_run(plan, g->stream, &error)
                          && gpu_done(tsr_gpu_stream_wait(&g->stream[0])));
    tsr_dist_peers_free(&plan);
}

/** Graphs from the second run on; none where the driver refuses, or where the caller captures. */
static void test_graphs(gpu_ranks *g)
{
    pair p = {.ranks = 4, .host = 1};
    tsr_message error = {0, ""};
    tsr_dist_terms const terms = tsr_dist_terms_of(TSR_F32);
    bool const ok = tsr_dist_parse("dtensor((64,64),(4),[S(0)])", &p.from, &error)
                    && tsr_dist_parse("dtensor((64,64),(4),[S(1)])", &p.to, &error);
    check("layouts", ok);
    for (int again = 0; again < DIST_GPU_REPLAYS; ++again)
        for (int refuses = 0; refuses < 2; ++refuses) {
            dist_gpu_how const how = {DIST_GPU_WRITE, (dist_gpu_replay)again, 0};
            int const before = g->fake->launched, each[] = {0, 4, 4}; /* so small a plan is chosen to be graphs */
            g->fake->no_graphs = refuses;
            check("three runs", run_pair(g, &p, &terms, how, 3));
            check("graphs", g->fake->launched - before == (refuses ? 0 : 2 * each[again]));
            g->fake->no_graphs = 0;
        }
}

int main(int argc, char **argv)
{
    static gpu_ranks g;
    random_begin(argc > 1 ? (uint64_t)atoll(argv[1]) : 1);
    if (!gpu_begin(&g, argc > 3 ? argv[3] : NULL))
        return 77;
    test_pairs(&g, argc > 2 ? atoll(argv[2]) : 300);
    test_refused(&g);
    test_same(&g);
    if (g.fake)
        test_graphs(&g);
    gpu_end(&g);
    return report();
}
