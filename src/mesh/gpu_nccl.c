/** NCCL as a transport: found at run time, and groups of messages. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/form.h"
#include "tessera/mesh/nccl.h"
#include "tma/driver.h"

enum { DONE = 0, IN_PROGRESS = 7, OLDEST = 21700, BYTES = 1 /* ncclUint8 */ };

#define CONFIG_MAGIC 0xcafebeefu

typedef struct row {
    char const *name;
    size_t at;
} row;

static row const rows[] = {
#define X(result, name, parameters) {#name, offsetof(tsr_nccl, name)},
    TSR_NCCL_LIST(X)
#undef X
};

void tsr_dist_nccl_forget(tsr_nccl *nccl)
{
    tsr_driver_close_(nccl->loaded);
    memset(nccl, 0, sizeof *nccl);
}

static bool find_functions(tsr_nccl *nccl, char const *shown, tsr_message *error)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        void *const function = tsr_driver_symbol_(nccl->loaded, rows[i].name);
        if (!function)
            return tsr_dist_fail_(error, "%s has no %s; NCCL 2.17 or later is needed", shown, rows[i].name);
        memcpy((char *)nccl + rows[i].at, &function, sizeof function);
    }
    if (nccl->ncclGetVersion(&nccl->version) != DONE || nccl->version < OLDEST)
        return tsr_dist_fail_(error, "%s is NCCL %d.%d; 2.17 or later is needed", shown, nccl->version / 10000,
                              nccl->version / 100 % 100);
    return true;
}

bool tsr_dist_nccl_find(tsr_nccl *nccl, char const *path, tsr_message *error)
{
    char const *const wanted = path ? path : getenv("TESSERA_NCCL");
    char const *const given[] = {wanted, NULL}, *const names[] = {"libnccl.so.2", NULL};
    memset(nccl, 0, sizeof *nccl);
    nccl->loaded = tsr_driver_open_(wanted ? given : names);
    if (!nccl->loaded)
        return tsr_dist_fail_(error, "there is no NCCL: %s cannot be loaded", wanted ? wanted : names[0]);
    if (find_functions(nccl, wanted ? wanted : names[0], error))
        return true;
    tsr_dist_nccl_forget(nccl);
    return false;
}

static bool found(tsr_nccl const *nccl, tsr_message *error)
{
    return nccl->loaded || tsr_dist_fail_(error, "there is no NCCL: it was not found, or given back");
}

bool tsr_dist_nccl_id(tsr_nccl const *nccl, tsr_nccl_id *id, tsr_message *error)
{
    memset(id, 0, sizeof *id);
    if (!found(nccl, error))
        return false;
    int const r = nccl->ncclGetUniqueId(id);
    return r == DONE || tsr_dist_fail_(error, "ncclGetUniqueId fails: %s", nccl->ncclGetErrorString(r));
}

/** A rank: a transport's `self`. */
typedef struct nccl_rank {
    tsr_nccl const *nccl;
    void *all; /* NULL: not connected, or aborted */
    tsr_nccl_id id;
    tsr_nccl_config config;
    int rank, ranks;
    char why[400];
} nccl_rank;

/** The result of a call as a transport's: 1, 0 or -1. */
static int answer(nccl_rank *c, int code)
{
    if (code == DONE || code == IN_PROGRESS)
        return code == DONE;
    char const *const words = c->nccl->ncclGetErrorString(code), *const last = c->nccl->ncclGetLastError(c->all);
    (void)snprintf(c->why, sizeof c->why, "%.150s (%d)%s%.200s", words ? words : "an unknown error", code,
                   last && *last ? ", " : "", last ? last : "");
    return -1;
}

static char const *nccl_why(void *self) { return ((nccl_rank *)self)->why; }

static int nccl_connect(void *self)
{
    nccl_rank *const c = (nccl_rank *)self;
    return answer(c, c->nccl->ncclCommInitRankConfig(&c->all, c->ranks, c->id, c->rank, &c->config));
}

static int nccl_state(void *self)
{
    nccl_rank *const c = (nccl_rank *)self;
    int state = DONE;
    int const asked = c->nccl->ncclCommGetAsyncError(c->all, &state);
    return answer(c, asked == DONE ? state : asked);
}

static int nccl_group(void *self, tsr_dist_wire const *wire, int64_t wires, void *stream)
{
    nccl_rank *const c = (nccl_rank *)self;
    tsr_nccl const *const f = c->nccl;
    int r = f->ncclGroupStart();
    for (int64_t i = 0; i < wires && r == DONE; ++i) {
        tsr_dist_wire const *const w = &wire[i];
        r = w->sent ? f->ncclSend(w->at, w->bytes, BYTES, (int)w->peer, c->all, stream)
                    : f->ncclRecv(w->at, w->bytes, BYTES, (int)w->peer, c->all, stream);
    }
    int const ended = f->ncclGroupEnd();
    return answer(c, r == DONE ? ended : r);
}

static void nccl_abort(void *self)
{
    nccl_rank *const c = (nccl_rank *)self;
    if (c->all)
        (void)c->nccl->ncclCommAbort(c->all);
    c->all = NULL;
}

static void nccl_close(void *self)
{
    nccl_rank *const c = (nccl_rank *)self;
    if (c->all)
        (void)c->nccl->ncclCommDestroy(c->all);
    free(c);
}

bool tsr_dist_nccl_open(tsr_nccl const *nccl, tsr_gpu_device const *device, tsr_nccl_id const *id, int rank,
                        int ranks, double timeout, tsr_dist_comm **comm, tsr_message *error)
{
    tsr_nccl_config const config = {sizeof config, CONFIG_MAGIC, OLDEST,  timeout > 0 ? 0 : 1,
                                    INT_MIN,       INT_MIN,      INT_MIN, NULL};
    *comm = NULL;
    if (!found(nccl, error))
        return false;
    nccl_rank *const c = (nccl_rank *)calloc(1, sizeof *c);
    if (!c)
        return tsr_dist_fail_(error, "there is no memory for a communicator");
    c->nccl = nccl;
    c->id = *id;
    c->config = config;
    c->rank = rank;
    c->ranks = ranks;
    tsr_dist_transport const t = {.self = c,
                                  .rank = rank,
                                  .ranks = ranks,
                                  .why = nccl_why,
                                  .group = nccl_group,
                                  .connect = nccl_connect,
                                  .state = nccl_state,
                                  .abort = nccl_abort,
                                  .close = nccl_close};
    return tsr_dist_comm_open(&t, device, timeout, comm, error);
}
