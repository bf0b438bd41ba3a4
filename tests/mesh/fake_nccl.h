/** The NCCL of fake_gpus.c. What a group sends waits in a queue of its pair until the receiver's group asks for it. */
#ifndef TESTS_DIST_FAKE_NCCL_H
#define TESTS_DIST_FAKE_NCCL_H

#include <stdlib.h>
#include <string.h>

#include "fake_gpus.h"
#include "fake_streams.h"
#include "tessera/mesh/nccl.h"

extern fake_gpus_state fake_gpus;

enum { NCCL_DONE = 0, NCCL_INVALID = 1, REMOTE = 6, IN_PROGRESS = 7, MOST = 64 };

typedef struct message {
    void *bytes;
    size_t n;
    struct message *next;
} message;

typedef struct comm {
    int rank, ranks, come, blocking, aborted;
} comm;

/** The messages of a group. */
typedef struct group_work {
    fake_work as_work;
    comm *of;
    void *stream;
    struct {
        void *at;
        size_t n;
        int peer, sent;
    } part[2 * MOST];
    int parts;
} group_work;

static message *mail[MOST][MOST]; /* from, to */
static int met;
static _Thread_local group_work *in_group;

static int fails(char const *name)
{
    return fake_gpus.failing && strcmp(fake_gpus.failing, name) == 0 ? REMOTE : NCCL_DONE;
}

static void put_mail(int from, int to, void const *bytes, size_t n)
{
    message **end = &mail[from][to];
    message *const m = (message *)calloc(1, sizeof *m);
    m->bytes = malloc(n);
    m->n = n;
    memcpy(m->bytes, bytes, n);
    while (*end)
        end = &(*end)->next;
    *end = m;
    fake_gpus.bytes += (long long)n;
}

static bool take_mail(int from, int to, void *bytes, size_t n)
{
    message *const m = mail[from][to];
    if (!m || m->n != n) /* messages of other lengths never meet */
        return false;
    memcpy(bytes, m->bytes, n);
    mail[from][to] = m->next;
    free(m->bytes);
    free(m);
    return true;
}

/** Sends what it has, and takes what has come. */
static bool run_group(fake_work *w)
{
    group_work *const g = (group_work *)w;
    int left = 0;
    if (g->of->aborted)
        return true;
    for (int i = 0; i < g->parts; ++i) {
        int const peer = g->part[i].peer, rank = g->of->rank;
        if (g->part[i].sent)
            put_mail(rank, peer, g->part[i].at, g->part[i].n);
        else if (!take_mail(peer, rank, g->part[i].at, g->part[i].n))
            g->part[left++] = g->part[i];
    }
    g->parts = left;
    return left == 0;
}

EXPORT int ncclGetVersion(int *version) { return *version = fake_gpus.version, NCCL_DONE; }
EXPORT char const *ncclGetErrorString(int error) { return error == REMOTE ? "remote error" : "another error"; }
EXPORT char const *ncclGetLastError(void *all) { return all ? "the cable is cut" : ""; }

EXPORT int ncclGetUniqueId(tsr_nccl_id *id)
{
    memset(id, 1, sizeof *id);
    met = 0;
    for (int i = 0; i < MOST * MOST; ++i)
        for (message **at = &mail[i / MOST][i % MOST]; *at;) {
            message *const m = *at;
            *at = m->next;
            free(m->bytes);
            free(m);
        }
    return fails(__func__);
}

EXPORT int ncclCommGetAsyncError(void *all, int *error)
{
    comm *const c = (comm *)all;
    pthread_mutex_lock(&fake_lock);
    c->come = c->come || met >= c->ranks;
    *error = fails(__func__) ? REMOTE : !c->come ? IN_PROGRESS : NCCL_DONE;
    pthread_mutex_unlock(&fake_lock);
    return NCCL_DONE;
}

EXPORT int ncclCommInitRankConfig(void **all, int ranks, tsr_nccl_id id, int rank, tsr_nccl_config *config)
{
    comm *const c = (comm *)calloc(1, sizeof *c);
    if (!c || id.bytes[0] != 1 || config->magic != 0xcafebeef || ranks > MOST)
        return free(c), NCCL_INVALID;
    c->rank = rank;
    c->ranks = ranks;
    c->blocking = config->blocking;
    *all = c;
    pthread_mutex_lock(&fake_lock);
    ++met;
    pthread_mutex_unlock(&fake_lock);
    if (fails(__func__))
        return REMOTE;
    int state = IN_PROGRESS;
    while (c->blocking && state == IN_PROGRESS && ncclCommGetAsyncError(c, &state) == NCCL_DONE)
        (void)sched_yield();
    return state;
}

/* Groups on their way know their communicator: it is never freed. */
EXPORT int ncclCommDestroy(void *all) { return !all; }
EXPORT int ncclCommAbort(void *all) { return ++fake_gpus.aborted, ((comm *)all)->aborted = 1, NCCL_DONE; }

EXPORT int ncclGroupStart(void)
{
    in_group = (group_work *)calloc(1, sizeof *in_group);
    in_group->as_work.run = run_group;
    return fails(__func__);
}

static int add_part(void *at, size_t n, int peer, void *all, void *stream, int sent)
{
    group_work *const g = in_group;
    if (g->parts == 2 * MOST)
        return NCCL_INVALID;
    g->of = (comm *)all;
    g->stream = stream;
    g->part[g->parts].at = at;
    g->part[g->parts].n = n;
    g->part[g->parts].peer = peer;
    g->part[g->parts++].sent = sent;
    return NCCL_DONE;
}

EXPORT int ncclSend(void const *from, size_t count, int type, int peer, void *all, void *stream)
{
    return type != 1 || fails(__func__) ? REMOTE : add_part((void *)(uintptr_t)from, count, peer, all, stream, 1);
}

EXPORT int ncclRecv(void *to, size_t count, int type, int peer, void *all, void *stream)
{
    return type != 1 || fails(__func__) ? REMOTE : add_part(to, count, peer, all, stream, 0);
}

EXPORT int ncclGroupEnd(void)
{
    group_work *const g = in_group;
    if (fails(__func__) || !g->of)
        return free(g), fails(__func__);
    int const blocking = g->of->blocking;
    return fake_give(g->stream, &g->as_work), blocking ? NCCL_DONE : IN_PROGRESS;
}

#endif
