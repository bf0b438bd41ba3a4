/** NCCL: found at run time; communicators, and waiting with a timeout. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include <limits.h>
#if !defined(_WIN32)
#  include <sched.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mesh/form.h"
#include "mesh/gpu_copies.h"
#include "mesh/gpu_nccl.h"
#include "gpu/call.h"
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

double tsr_dist_nccl_now_(void)
{
    struct timespec t;
    (void)timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

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

bool tsr_dist_nccl_usable_(tsr_dist_nccl const *all, tsr_message *error)
{
    return all->all
           || tsr_dist_fail_(error, "rank %d of %d has no communicator: it was aborted", all->rank, all->ranks);
}

void tsr_dist_nccl_abort_(tsr_dist_nccl *c)
{
    enum { SECONDS = 1 /* until streams have seen that nothing is to be waited for */ };
    if (!c->all)
        return;
    tsr_gpu_result const entered = tsr_gpu_enter_(c->device);
    (void)c->nccl->ncclCommAbort(c->all);
    c->all = NULL;
    if (tsr_gpu_ok(entered))
        (void)tsr_gpu_leave_(c->device, entered);
    tsr_dist_gpu_p2p_leave_(&c->p2p, SECONDS);
}

static bool failed(tsr_dist_nccl *c, int code, char const *what, tsr_message *error)
{
    char const *const words = c->nccl->ncclGetErrorString(code), *const last = c->nccl->ncclGetLastError(c->all);
    (void)tsr_dist_fail_(error, "rank %d of %d cannot %s: %s (%d)%s%.200s", c->rank, c->ranks, what,
                         words ? words : "an unknown error", code, last && *last ? ", " : "", last ? last : "");
    tsr_dist_nccl_abort_(c);
    return false;
}

bool tsr_dist_nccl_has_timeout_(tsr_dist_nccl const *all, double began)
{
    return all->timeout <= 0 || tsr_dist_nccl_now_() - began <= all->timeout;
}

bool tsr_dist_nccl_lost_(tsr_dist_nccl *all, int rank, bool left, tsr_message *error)
{
    char const *const cannot = "cannot exchange messages";
    if (left)
        (void)tsr_dist_fail_(error, "rank %d of %d %s: rank %d has left", all->rank, all->ranks, cannot, rank);
    else
        (void)tsr_dist_fail_(error, "rank %d of %d %s: no answer from rank %d for %g s", all->rank, all->ranks,
                             cannot, rank, all->timeout);
    tsr_dist_nccl_abort_(all);
    return false;
}

static bool give_up(tsr_dist_nccl *c, char const *what, tsr_message *error)
{
    (void)tsr_dist_fail_(error, "rank %d of %d cannot %s: no answer from another rank for %g s", c->rank, c->ranks,
                         what, c->timeout);
    tsr_dist_nccl_abort_(c);
    return false;
}

void tsr_dist_nccl_rest_(int64_t looks)
{
#if !defined(_WIN32) /* where there is no NCCL */
    enum { SPINS = 1000, YIELDS = 50000 };
    struct timespec const moment = {0, 20000};
    if (looks > YIELDS)
        (void)nanosleep(&moment, NULL);
    else if (looks > SPINS)
        (void)sched_yield();
#else
    (void)looks;
#endif
}

bool tsr_dist_nccl_settle_(tsr_dist_nccl *all, int result, char const *what, tsr_message *error)
{
    double const began = tsr_dist_nccl_now_();
    for (int looks = 0; result == IN_PROGRESS; ++looks) {
        int const asked = all->nccl->ncclCommGetAsyncError(all->all, &result);
        result = asked == DONE ? result : asked;
        if (result == IN_PROGRESS && !tsr_dist_nccl_has_timeout_(all, began))
            return give_up(all, what, error);
        if (result == IN_PROGRESS)
            tsr_dist_nccl_rest_(looks);
    }
    return result == DONE || failed(all, result, what, error);
}

static int call_group(tsr_dist_nccl *all, dist_gpu_wire const *wire, int64_t wires, tsr_gpu_stream const *stream)
{
    tsr_nccl const *const f = all->nccl;
    int r = f->ncclGroupStart();
    for (int64_t i = 0; i < wires && r == DONE; ++i) {
        dist_gpu_wire const *const w = &wire[i];
        r = w->sent ? f->ncclSend(w->at, w->bytes, BYTES, w->peer, all->all, stream->handle)
                    : f->ncclRecv(w->at, w->bytes, BYTES, w->peer, all->all, stream->handle);
    }
    int const ended = f->ncclGroupEnd();
    return r == DONE ? ended : r;
}

bool tsr_dist_nccl_group_(tsr_dist_nccl *all, dist_gpu_wire const *wire, int64_t wires, tsr_gpu_stream const *stream,
                          char const *what, tsr_message *error)
{
    tsr_gpu_device const *const d = all->device;
    if (!tsr_dist_gpu_done_(tsr_gpu_enter_(d), error))
        return false;
    bool const ok = tsr_dist_nccl_settle_(all, call_group(all, wire, wires, stream), what, error);
    tsr_gpu_result const left = tsr_gpu_leave_(d, tsr_gpu_fine_());
    return ok && tsr_dist_gpu_done_(left, error);
}

bool tsr_dist_nccl_open(tsr_nccl const *nccl, tsr_gpu_device const *device, tsr_nccl_id const *id, int rank,
                        int ranks, double timeout, tsr_dist_nccl **all, tsr_message *error)
{
    tsr_nccl_config config = {sizeof config, CONFIG_MAGIC, OLDEST,  timeout > 0 ? 0 : 1,
                              INT_MIN,       INT_MIN,      INT_MIN, NULL};
    *all = NULL;
    if (!found(nccl, error))
        return false;
    if (rank < 0 || rank >= ranks)
        return tsr_dist_fail_(error, "rank %d is none of %d ranks", rank, ranks);
    tsr_dist_nccl *const c = (tsr_dist_nccl *)calloc(1, sizeof *c);
    if (!c)
        return tsr_dist_fail_(error, "there is no memory for a communicator");
    c->nccl = nccl;
    c->device = device;
    c->rank = rank;
    c->ranks = ranks;
    c->timeout = timeout;
    *all = c;
    bool ok = tsr_dist_gpu_done_(tsr_gpu_mark_make_(device, &c->event), error)
              && (ranks == 1 || tsr_dist_nccl_make_connection_(c, error))
              && tsr_dist_gpu_done_(tsr_gpu_enter_(device), error);
    if (ok) {
        ok = tsr_dist_nccl_settle_(c, nccl->ncclCommInitRankConfig(&c->all, ranks, *id, rank, &config),
                                   "connect to the others", error);
        ok = tsr_dist_gpu_done_(tsr_gpu_leave_(device, tsr_gpu_fine_()), error) && ok;
    }
    ok = ok && (ranks == 1 || tsr_dist_nccl_connect_p2p_(c, error));
    if (!ok)
        tsr_dist_nccl_close(all);
    return ok;
}

void tsr_dist_nccl_close(tsr_dist_nccl **all)
{
    tsr_dist_nccl *const c = *all;
    tsr_message error;
    if (!c)
        return;
    if (tsr_dist_gpu_has_p2p_(&c->p2p)) {
        tsr_dist_gpu_control_leave_(&c->p2p.control);
        if (c->all)
            (void)tsr_dist_nccl_wait_for_(c, &c->p2p.idle, "end its messages", &error);
    }
    if (c->all) {
        tsr_gpu_result const entered = tsr_gpu_enter_(c->device);
        (void)c->nccl->ncclCommDestroy(c->all);
        if (tsr_gpu_ok(entered))
            (void)tsr_gpu_leave_(c->device, entered);
    }
    tsr_dist_gpu_p2p_free_(&c->p2p, c->ranks);
    (void)tsr_gpu_cache_free(&c->late);
    (void)tsr_gpu_event_free(&c->event);
    tsr_dist_nccl_end_connection_(c);
    free(c);
    *all = NULL;
}

bool tsr_dist_nccl_wait_for_(tsr_dist_nccl *all, tsr_gpu_event const *event, char const *what, tsr_message *error)
{
    double const began = tsr_dist_nccl_now_();
    for (int64_t looks = 0;; ++looks) {
        int state = DONE;
        bool come = false;
        if (!tsr_dist_gpu_done_(tsr_gpu_event_come(event, &come), error) || come)
            return come;
        int const asked = all->nccl->ncclCommGetAsyncError(all->all, &state);
        state = asked == DONE ? state : asked;
        if (state != DONE && state != IN_PROGRESS)
            return failed(all, state, what, error);
        if (!tsr_dist_nccl_has_timeout_(all, began))
            return give_up(all, what, error);
        tsr_dist_nccl_rest_(looks);
    }
}

bool tsr_dist_nccl_wait(tsr_dist_nccl *all, tsr_gpu_stream const *stream, tsr_message *error)
{
    return tsr_dist_nccl_usable_(all, error) && tsr_dist_gpu_done_(tsr_gpu_event_record(&all->event, stream), error)
           && tsr_dist_nccl_wait_for_(all, &all->event, "end its messages", error);
}
