/** A transport of the user's own between GPUs: messages in mailboxes of this process. Random redistributions, between
 *  ranks that have peer access and without; what is refused; a transport that fails, and one whose ranks do not come.
 *  usage: gpu_transport SEED PAIRS [FAKE] */
#define _GNU_SOURCE /* syscall */
#include "nccl_ranks.h"

/** A message on its way. */
typedef struct parcel {
    struct parcel *next;
    size_t bytes;
    unsigned char at[];
} parcel;

/** A rank of the transport. */
typedef struct mail_rank {
    tsr_gpu_device const *device;
    int rank;
    bool fails;
    tsr_dist_wire awaited[4 * MOST_GPUS];
    int count, aborted, closed;
} mail_rank;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static parcel *mailbox[MOST_GPUS][MOST_GPUS]; /* from, to */
static mail_rank mail[MOST_GPUS];

static bool send_parcel(mail_rank const *m, tsr_dist_wire const *w)
{
    tsr_gpu_memory const from = {m->device, (uint64_t)(uintptr_t)w->at, w->bytes, true};
    parcel *const p = (parcel *)malloc(sizeof *p + w->bytes);
    bool const ok = p && gpu_done(tsr_gpu_read(&from, 0, p->at, w->bytes, NULL));
    if (!ok)
        return free(p), false;
    p->next = NULL;
    p->bytes = w->bytes;
    pthread_mutex_lock(&lock);
    parcel **last = &mailbox[m->rank][w->peer];
    while (*last)
        last = &(*last)->next;
    *last = p;
    pthread_mutex_unlock(&lock);
    return true;
}

/** 1: it has come, 0: not yet, -1: it is another one. */
static int receive_parcel(mail_rank const *m, tsr_dist_wire const *w)
{
    tsr_gpu_memory const to = {m->device, (uint64_t)(uintptr_t)w->at, w->bytes, true};
    pthread_mutex_lock(&lock);
    parcel *const p = mailbox[w->peer][m->rank];
    if (p)
        mailbox[w->peer][m->rank] = p->next;
    pthread_mutex_unlock(&lock);
    if (!p)
        return 0;
    bool const ok = p->bytes == w->bytes && gpu_done(tsr_gpu_write(&to, 0, p->at, w->bytes, NULL));
    free(p);
    return ok ? 1 : -1;
}

static int mail_state(void *self)
{
    mail_rank *const m = (mail_rank *)self;
    while (m->count > 0) {
        int const come = receive_parcel(m, &m->awaited[0]);
        if (come <= 0)
            return come;
        memmove(m->awaited, m->awaited + 1, (size_t)--m->count * sizeof *m->awaited);
    }
    return 1;
}

static int mail_group(void *self, tsr_dist_wire const *wire, int64_t wires, void *stream)
{
    mail_rank *const m = (mail_rank *)self;
    tsr_gpu_stream const behind = {m->device, stream};
    if (m->fails || !gpu_done(tsr_gpu_stream_wait(&behind)))
        return -1;
    for (int64_t i = 0; i < wires; ++i)
        if (!wire[i].sent)
            m->awaited[m->count++] = wire[i];
        else if (!send_parcel(m, &wire[i]))
            return -1;
    return mail_state(m);
}

static char const *mail_why(void *self) { return ((mail_rank *)self)->fails ? "the mail is on strike" : ""; }
static void mail_abort(void *self) { ++((mail_rank *)self)->aborted; }
static void mail_close(void *self) { ++((mail_rank *)self)->closed; }

static tsr_dist_transport transport_of(work const *w)
{
    mail_rank const fresh = {.device = &w->g->device[w->rank], .rank = w->rank};
    mail[w->rank] = fresh;
    tsr_dist_transport const t = {.self = &mail[w->rank],
                                  .rank = w->rank,
                                  .ranks = w->ranks,
                                  .why = mail_why,
                                  .group = mail_group,
                                  .state = mail_state,
                                  .abort = mail_abort,
                                  .close = mail_close};
    return t;
}

static void *connect_mail(void *of)
{
    work *const w = (work *)of;
    process = w->rank;
    tsr_dist_transport const t = transport_of(w);
    w->ok = tsr_dist_comm_open(&t, &w->g->device[w->rank], w->timeout, &w->all, &w->error);
    return NULL;
}

static bool open_mail(gpu_ranks *g, int ranks, double timeout)
{
    for (int r = 0; r < ranks; ++r) {
        work const w = {.g = g, .rank = r, .ranks = ranks, .timeout = timeout};
        ranks_work[r] = w;
    }
    bool const ok = each(0, ranks, connect_mail);
    check("ranks connect", ok);
    return ok;
}

static void close_mail(int ranks)
{
    close_all(ranks);
    for (int r = 0; r < ranks; ++r)
        check("the transport is closed once", mail[r].closed == 1);
    for (int i = 0; i < MOST_GPUS * MOST_GPUS; ++i)
        for (parcel **at = &mailbox[i / MOST_GPUS][i % MOST_GPUS]; *at;) {
            parcel *const p = *at;
            *at = p->next;
            free(p);
        }
}

static void test_pairs(gpu_ranks *g, int64_t pairs, bool p2p)
{
    int const ranks = g->devices < 4 ? g->devices : 4;
    if (!open_mail(g, ranks, p2p ? 0 : 60))
        return;
    for (int r = 0; r < ranks; ++r)
        ranks_work[r].all->p2p.off = !p2p;
    for (int64_t i = 0; i < pairs && failed == 0; ++i) {
        pair p = random_pair(1 + noise(ranks), 17);
        tsr_dist_terms const t = gpu_terms(g);
        if (p.ranks > ranks)
            continue;
        bool const ok = run_pair(g, &p, &t, noise(2) ? 0 : noise(2000), ranks, 1 + (int)noise(3), run);
        check("a random pair", ok);
        if (!ok)
            print_pair(&p);
    }
    close_mail(ranks);
}

static void test_refused(gpu_ranks *g)
{
    work const w = {.g = g, .rank = 0, .ranks = 2};
    tsr_message error;
    tsr_dist_comm *comm = NULL;
    tsr_dist_transport t = transport_of(&w);
    t.group = NULL;
    check("no messages", !tsr_dist_comm_open(&t, &g->device[0], 0, &comm, &error) && !comm && mail[0].closed == 1
                             && strstr(error.text, "the transport has no function `group`"));
    t.group = mail_group;
    t.rank = 2;
    check("no such rank", !tsr_dist_comm_open(&t, &g->device[0], 0, &comm, &error) && mail[0].closed == 2
                              && strstr(error.text, "rank 2 is none of 2 ranks"));
}

/** The other rank does not come; then a run of a transport that fails. */
static void test_lost(gpu_ranks *g)
{
    pair p;
    gpu_part part[2][2];
    tsr_message error;
    work const w = {.g = g, .ranks = 2, .timeout = 1};
    ranks_work[0] = w;
    check("an absent rank", !each(0, 1, connect_mail)
                                && says("cannot connect to the others: no answer from another rank for 1 s")
                                && mail[0].aborted == 1 && mail[0].closed == 1);
    close_mail(1);
    if (!open_mail(g, 2, 0))
        return;
    ranks_work[0].all->p2p.off = ranks_work[1].all->p2p.off = true;
    check("plans", plan_two(g, &p, part));
    mail[0].fails = true;
    check("a failure", !each(0, 1, run) && says("rank 0 of 2 cannot exchange messages: the mail is on strike")
                           && mail[0].aborted == 1);
    check("then", !tsr_dist_comm_run(ranks_work[0].moves, &g->stream[0], &error)
                      && strstr(error.text, "has no communicator: it was aborted") && mail[0].aborted == 1);
    drop_two(part);
    close_mail(2);
}

int main(int argc, char **argv)
{
    static gpu_ranks g;
    int64_t const pairs = argc > 2 ? atoll(argv[2]) : 100;
    random_begin(argc > 1 ? (uint64_t)atoll(argv[1]) : 1);
    if (!gpu_begin(&g, argc > 3 ? argv[3] : NULL) || g.devices < 2)
        return 77;
    test_refused(&g);
    test_pairs(&g, pairs, false);
    test_pairs(&g, pairs, true);
    test_lost(&g);
    gpu_end(&g);
    return report();
}
