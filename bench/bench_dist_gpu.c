/** Redistributions between all GPUs of a machine, beside plain messages of the same bytes: peers (kernels that write to
 *  a neighbour's memory, or read from it) beside copies of the driver, and NCCL beside ncclSend and ncclRecv without
 *  packing. Every case is checked first. Medians of rounds, in turns; GB/s are those that the busiest rank sends.
 *  Ranks that have peer access to each other move like peers, with flags; else NCCL sends.
 *
 *  usage: bench_dist_gpu [WORD..]: only cases with one of the words in their texts. TESSERA_NCCL names NCCL's
 *  library. */
#define _POSIX_C_SOURCE 200809L /* barriers */
#include <pthread.h>

#include "mesh/gpu_comm.h"
#include "tessera/mesh/nccl.h"
#include "mesh/gpu_copies.h"
#include "mesh/gpu_peers.h"
#include "tessera/mesh.h"
#include "timing.h"

enum { GPUS = 8, ROUNDS = 9, PEERS = 5, MOVES = 6 };

typedef enum way { PLAIN_COPY, CALLS, PLAIN_NCCL = CALLS + PEERS, OURS, WAYS = OURS + MOVES } way;

static char const *const way_names[WAYS] = {"plain copies",
                                            "call by call",
                                            "graphs",
                                            "one graph",
                                            "written",
                                            "read",
                                            "plain NCCL",
                                            "sent by NCCL",
                                            "p2p",
                                            "p2p, flag kernels",
                                            "p2p, flag operations",
                                            "timed, kernels",
                                            "timed, engines"};

/** Ways of one process: as they are run, and who moves. */
static dist_gpu_how const hows[PEERS] = {{DIST_GPU_WRITE, DIST_GPU_CALLS, DIST_GPU_ROW},
                                         {DIST_GPU_WRITE, DIST_GPU_GRAPHS, DIST_GPU_ROW},
                                         {DIST_GPU_WRITE, DIST_GPU_CHOSEN, DIST_GPU_ROW},
                                         {DIST_GPU_WRITE, DIST_GPU_GRAPHS, 0},
                                         {DIST_GPU_READ, DIST_GPU_GRAPHS, 0}};

/** Ways of ranks with a communicator. */
static struct {
    bool off, timed;
    dist_gpu_flager flag_writer;
    int64_t row, read;
} const wishes[MOVES] = {{true, false, DIST_GPU_FLAGER, 0, 0},
                         {false, false, DIST_GPU_FLAGER, DIST_GPU_ROW, 0},
                         {false, false, DIST_GPU_KERNELS, DIST_GPU_ROW, 0},
                         {false, false, DIST_GPU_OPERATIONS, DIST_GPU_ROW, 0},
                         {false, true, DIST_GPU_FLAGER, 0, 0},
                         {false, true, DIST_GPU_FLAGER, DIST_GPU_ROW, 0}};

static struct {
    tsr_gpu gpu;
    tsr_gpu_device device[GPUS];
    tsr_gpu_stream stream[GPUS];
    tsr_gpu_cache cache;
    tsr_nccl nccl;
    tsr_dist_comm *all[2][GPUS]; /* without and with a timeout */
    int ranks;
    bool has_nccl;
} on;

/** A case: plans, memory, and what is measured. */
static struct {
    tsr_dist_layout from, to;
    tsr_dist_plan plan[GPUS];
    tsr_gpu_memory old[GPUS], new_[GPUS], sent[GPUS], received[GPUS];
    tsr_dist_peers *peers[PEERS];
    tsr_dist_moves *moves[MOVES][GPUS];
    int repeats;
    way way;
} now_;

static pthread_barrier_t gate;
static double began, ended;

static void need(bool ok, tsr_message const *error)
{
    if (!ok)
        exit(printf("%s\n", error->text) != 0);
}

static void done(tsr_gpu_result r)
{
    char text[512];
    if (tsr_gpu_ok(r))
        return;
    tsr_format_gpu_result(text, sizeof text, r);
    exit(printf("%s\n", text) != 0);
}

static int64_t bytes_of(int64_t elements) { return 4 * elements; }

/** Where message i of a rank begins among its messages, as plain bytes. */
static uint64_t place_of(tsr_dist_message const *list, int64_t i)
{
    uint64_t at = 0;
    for (int64_t k = 0; k < i; ++k)
        at += (uint64_t)(bytes_of(list[k].elements) + 255) / 256 * 256;
    return at;
}

static void plain_copies(void)
{
    for (int r = 0; r < on.ranks; ++r) {
        tsr_dist_plan const *const p = &now_.plan[r];
        for (int64_t i = 0; i < p->sends; ++i) {
            int const peer = (int)p->send[i].peer;
            int64_t k = 0;
            while (now_.plan[peer].receive[k].peer != r)
                ++k;
            done(tsr_gpu_move(&now_.received[peer], place_of(now_.plan[peer].receive, k), &now_.sent[r],
                              place_of(p->send, i), (size_t)bytes_of(p->send[i].elements), &on.stream[r]));
        }
    }
}

static void plain_nccl(int r)
{
    enum { MOST = 2 * GPUS };
    tsr_dist_wire wire[MOST];
    tsr_dist_plan const *const p = &now_.plan[r];
    tsr_dist_transport const *const t = &on.all[0][r]->messages.transport;
    int64_t n = 0;
    for (int64_t i = 0; i < p->sends; ++i)
        wire[n++] = (tsr_dist_wire){(void *)(uintptr_t)(now_.sent[r].address + place_of(p->send, i)),
                                    (size_t)bytes_of(p->send[i].elements), p->send[i].peer, true};
    for (int64_t i = 0; i < p->receives; ++i)
        wire[n++] = (tsr_dist_wire){(void *)(uintptr_t)(now_.received[r].address + place_of(p->receive, i)),
                                    (size_t)bytes_of(p->receive[i].elements), p->receive[i].peer, false};
    if (t->group(t->self, wire, n, on.stream[r].handle) <= 0)
        exit(printf("NCCL fails\n") != 0);
}

/** One rank's runs over NCCL, between two gates. */
static void *by_nccl(void *rank)
{
    int const r = (int)(intptr_t)rank;
    tsr_message error;
    done(tsr_gpu_stream_wait(&on.stream[r]));
    (void)pthread_barrier_wait(&gate);
    if (r == 0)
        began = bench_now();
    for (int i = 0; i < now_.repeats; ++i) {
        if (now_.way == PLAIN_NCCL)
            plain_nccl(r);
        else
            need(tsr_dist_comm_run(now_.moves[now_.way - OURS][r], &on.stream[r], &error), &error);
    }
    done(tsr_gpu_stream_wait(&on.stream[r]));
    (void)pthread_barrier_wait(&gate);
    if (r == 0)
        ended = bench_now();
    return NULL;
}

static void each(void *(*does)(void *))
{
    pthread_t thread[GPUS];
    for (intptr_t r = 0; r < on.ranks; ++r)
        if (pthread_create(&thread[r], NULL, does, (void *)r) != 0)
            exit(printf("no thread\n") != 0);
    for (int r = 0; r < on.ranks; ++r)
        (void)pthread_join(thread[r], NULL);
}

static void wait_all(void)
{
    for (int r = 0; r < on.ranks; ++r)
        done(tsr_gpu_stream_wait(&on.stream[r]));
}

/** Nanoseconds of a run, one of several. */
static double measure(way w, int repeats)
{
    tsr_message error;
    now_.repeats = repeats;
    now_.way = w;
    if (w >= PLAIN_NCCL) {
        each(by_nccl);
    } else {
        began = bench_now();
        for (int i = 0; i < repeats; ++i) {
            if (w == PLAIN_COPY)
                plain_copies();
            else
                need(tsr_dist_peers_run(now_.peers[w - CALLS], on.stream, &error), &error);
        }
        wait_all();
        ended = bench_now();
    }
    return (ended - began) / repeats;
}

/** Memory for so many numbers, the same each time. */
static uint32_t *room(int64_t n)
{
    static uint32_t *here;
    static int64_t has;
    if (n > has) {
        free(here);
        here = (uint32_t *)malloc((size_t)bytes_of(n));
        has = here ? n : 0;
    }
    return here;
}

static uint32_t number_of(int64_t rank, int64_t offset)
{
    return (uint32_t)rank * 2654435761u + (uint32_t)offset * 40503u + 1;
}

/** Every element of the old parts is a number of its place. */
static void fill(void)
{
    for (int r = 0; r < on.ranks; ++r) {
        int64_t const n = now_.plan[r].part[0].span;
        uint32_t *const here = room(n);
        for (int64_t i = 0; here && i < n; ++i)
            here[i] = number_of(r, i);
        done(tsr_gpu_write(&now_.old[r], 0, here, (size_t)bytes_of(n), NULL));
    }
}

/** Does a sample of elements come from where it was? */
static void check(char const *way)
{
    tsr_dist_layout const *const d = &now_.to;
    for (int r = 0; r < on.ranks; ++r) {
        tsr_dist_part const *const part = &now_.plan[r].part[1];
        uint32_t *const here = room(part->span);
        int64_t bad = 0;
        done(tsr_gpu_read(&now_.new_[r], 0, here, (size_t)bytes_of(part->span), NULL));
        for (int64_t i = 0; here && i < part->elements; i += 1 + part->elements / 100003) {
            int64_t local[TSR_DIST_MODES], index[TSR_DIST_MODES], rest = i, at = 0, rank = 0, offset = 0;
            for (int m = d->modes - 1; m >= 0; --m) {
                local[m] = rest % part->extent[m];
                rest /= part->extent[m];
                at += local[m] * part->stride[m];
            }
            bool const known =
                tsr_dist_index_at(d, r, local, index) && tsr_dist_at(&now_.from, index, &rank, &offset);
            bad += !known || here[at] != number_of(rank, offset);
        }
        done(tsr_gpu_fill(&now_.new_[r], 0, 0, (size_t)bytes_of(part->span), NULL));
        if (bad)
            exit(printf("rank %d has %lld wrong elements: %s\n", r, (long long)bad, way) != 0);
    }
}

static void plan_moves(int rank, int k, tsr_dist_terms const *terms, tsr_dist_gpu_rank const *at)
{
    tsr_message error;
    tsr_dist_comm *const all = on.all[wishes[k].timed][rank];
    all->p2p.off = wishes[k].off;
    all->p2p.flag_writer = wishes[k].flag_writer;
    all->p2p.row = wishes[k].row;
    all->p2p.read = wishes[k].read;
    need(tsr_dist_comm_plan(all, &on.cache, &now_.plan[rank], terms, at->old, at->new_, 0, &now_.moves[k][rank],
                            &error),
         &error);
}

static void make_case(char const *from, char const *to)
{
    tsr_message error;
    tsr_dist_gpu_rank at[GPUS];
    tsr_dist_terms const terms = tsr_dist_terms_of(TSR_F32);
    memset(&now_, 0, sizeof now_);
    need(tsr_dist_parse(from, &now_.from, &error) && tsr_dist_parse(to, &now_.to, &error), &error);
    for (int r = 0; r < on.ranks; ++r) {
        tsr_dist_plan *const p = &now_.plan[r];
        need(tsr_dist_plan_make(&now_.from, &now_.to, r, on.ranks, p, &error), &error);
        done(tsr_gpu_alloc(&on.device[r], (size_t)bytes_of(p->part[0].span), &now_.old[r]));
        done(tsr_gpu_alloc(&on.device[r], (size_t)bytes_of(p->part[1].span), &now_.new_[r]));
        done(tsr_gpu_alloc(&on.device[r], place_of(p->send, p->sends) + 256, &now_.sent[r]));
        done(tsr_gpu_alloc(&on.device[r], place_of(p->receive, p->receives) + 256, &now_.received[r]));
        tsr_dist_gpu_rank const one = {&on.device[r], now_.old[r].address, now_.new_[r].address};
        at[r] = one;
        for (int k = 0; k < MOVES && on.has_nccl; ++k)
            plan_moves(r, k, &terms, &one);
    }
    for (int k = 0; k < PEERS; ++k)
        need(tsr_dist_peers_plan_(&on.cache, &now_.from, &now_.to, &terms, at, on.ranks, hows[k], &now_.peers[k],
                                  &error),
             &error);
}

static void free_case(void)
{
    for (int r = 0; r < on.ranks; ++r) {
        for (int k = 0; k < MOVES; ++k)
            tsr_dist_moves_free(&now_.moves[k][r]);
        tsr_gpu_memory *const m[] = {&now_.old[r], &now_.new_[r], &now_.sent[r], &now_.received[r]};
        for (int i = 0; i < 4; ++i)
            done(tsr_gpu_free(m[i]));
        tsr_dist_plan_free(&now_.plan[r]);
    }
    for (int k = 0; k < PEERS; ++k)
        tsr_dist_peers_free(&now_.peers[k]);
}

static void run_case(char const *from, char const *to)
{
    static double ns[WAYS][ROUNDS];
    int const ways = on.has_nccl ? WAYS : PLAIN_NCCL;
    int64_t most = 0;
    make_case(from, to);
    fill();
    for (int r = 0; r < on.ranks; ++r)
        most = tsr_max64(most, bytes_of(now_.plan[r].send_elements));
    for (int w = 0; w < ways; ++w) {
        (void)measure((way)w, 3);
        if (w != PLAIN_COPY && w != PLAIN_NCCL)
            check(way_names[w]);
    }
    for (int r = 0; r < ROUNDS; ++r)
        for (int w = 0; w < ways; ++w)
            ns[w][r] = measure((way)w, most > 1 << 26 ? 5 : 20);
    printf("%s to %s, %.1f MB of the busiest rank\n", from, to, (double)most / 1e6);
    for (int w = 0; w < ways; ++w) {
        double const t = bench_middle(ns[w], ROUNDS),
                     plain = ns[w < PLAIN_NCCL ? PLAIN_COPY : PLAIN_NCCL][ROUNDS / 2];
        printf("  %-22s %9.1f us  %6.1f GB/s  %5.2f of plain\n", way_names[w], t / 1e3, (double)most / t, plain / t);
    }
    fflush(stdout);
    free_case();
}

static void *connect_rank(void *rank)
{
    static tsr_message error[GPUS];
    static tsr_nccl_id id;
    int const r = (int)(intptr_t)rank;
    for (int k = 0; k < 2; ++k) {
        if (r == 0)
            need(tsr_dist_nccl_id(&on.nccl, &id, &error[r]), &error[r]);
        (void)pthread_barrier_wait(&gate);
        need(tsr_dist_nccl_open(&on.nccl, &on.device[r], &id, r, on.ranks, k ? 30 : 0, &on.all[k][r], &error[r]),
             &error[r]);
        (void)pthread_barrier_wait(&gate);
    }
    return NULL;
}

static bool begin(void)
{
    tsr_message error;
    int count = 0;
    if (!tsr_gpu_ok(tsr_gpu_find_driver(&on.gpu, NULL)) || !tsr_gpu_ok(tsr_gpu_find_compiler(&on.gpu, NULL))
        || !tsr_gpu_ok(tsr_gpu_count(&on.gpu, &count)) || count < 2)
        return printf("fewer than two GPUs\n") < 0;
    for (; on.ranks < count && on.ranks < GPUS; ++on.ranks) {
        done(tsr_gpu_open(&on.gpu, on.ranks, &on.device[on.ranks]));
        done(tsr_gpu_stream_make(&on.device[on.ranks], &on.stream[on.ranks]));
    }
    (void)pthread_barrier_init(&gate, NULL, (unsigned)on.ranks);
    on.has_nccl = tsr_dist_nccl_find(&on.nccl, NULL, &error);
    if (!on.has_nccl)
        printf("%s\n", error.text);
    else
        each(connect_rank);
    printf("%d %s, NCCL %d%s, median of %d\n", on.ranks, on.device[0].name, on.nccl.version,
           on.has_nccl && tsr_dist_gpu_has_p2p_(&on.all[0][0]->p2p) ? ", p2p" : "", ROUNDS);
    return true;
}

static bool is_wanted(char const *const texts[3], int words, char **word)
{
    bool wanted = words < 2;
    for (int i = 1; i < words; ++i)
        wanted = wanted || strstr(texts[1], word[i]) || strstr(texts[2], word[i]);
    return wanted;
}

int main(int argc, char **argv)
{
    static char const *const cases[][3] = {
        {"2", "dtensor((16384,16384),(2),[S(0)])", "dtensor((16384,16384),(2),[S(1)])"},
        {"2", "dtensor((16384,16384),(2),[S(1)])", "dtensor((16384,16384),(2),[S(0)])"},
        {"2", "dtensor((4096,4096),(2),[S(0)])", "dtensor((4096,4096),(2),[S(1)])"},
        {"2", "dtensor((1024,1024),(2),[S(0)])", "dtensor((1024,1024),(2),[S(1)])"},
        {"2", "dtensor((16384,8192),(2),[S(0)])", "dtensor((16384,8192),(2),[R])"},
        {"2", "dtensor((64,128,128,128),(2),[S(0)])", "dtensor((64,128,128,128),(2),[S(3)])"},
        {"2", "scalapack(16384,16384,128,128,2,1,0,0)", "scalapack(16384,16384,64,64,1,2,0,0)"},
        {"2", "scalapack(8192,8192,4096,8192,2,1,0,0)", "dtensor((8192,8192),(2),[S(1)])"},
        {"2", "dtensor((16384,16384),(2,1),[SS(0,2),S(0)])", "dtensor((16384,16384),(2,1),[S(1),S(0)])"},
        {"2", "dtensor((16384,16384),(2),[SS(0,2)])", "dtensor((16384,16384),(2),[S(0)])"},
        {"2", "dtensor((2048,2048),(2),[SS(0,4)])", "dtensor((2048,2048),(2),[S(1)])"},
        {"4", "dtensor((16384,16384),(4),[S(0)])", "dtensor((16384,16384),(4),[S(1)])"},
        {"4", "dtensor((4096,4096),(4),[S(0)])", "dtensor((4096,4096),(4),[S(1)])"},
        {"4", "dtensor((1024,1024),(4),[S(0)])", "dtensor((1024,1024),(4),[S(1)])"},
        {"4", "dtensor((16384,16384),(2,2),[S(0),S(1)])", "dtensor((16384,16384),(2,2),[S(1),S(0)])"},
        {"4", "dtensor((16384,16384),(2,2),[S(0)[1],S(0)[0]])", "dtensor((16384,16384),(2,2),[S(0),S(0)])"},
        {"4", "dtensor((16384,16384),(2,2),[SS(0,2),S(0)])", "dtensor((16384,16384),(2,2),[S(1),S(0)])"},
        {"4", "dtensor((16384,8192),(4),[S(0)])", "dtensor((16384,8192),(4),[R])"},
        {"4", "scalapack(16384,16384,128,128,4,1,0,0)", "scalapack(16384,16384,64,64,2,2,0,0)"}};
    if (!begin())
        return 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        if (atoi(cases[i][0]) == on.ranks && is_wanted(cases[i], argc, argv))
            run_case(cases[i][1], cases[i][2]);
    fflush(stdout);
    return 0;
}
