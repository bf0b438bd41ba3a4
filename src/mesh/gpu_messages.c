/** A transport's messages between GPUs. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#if !defined(_WIN32)
#  include <sched.h>
#endif
#include <time.h>

#include "mesh/form.h"
#include "mesh/gpu_copies.h"
#include "mesh/gpu_messages.h"
#include "gpu/call.h"

static char const ends[] = "end its messages";

double tsr_dist_gpu_now_(void)
{
    struct timespec t;
    (void)timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void tsr_dist_gpu_rest_(int64_t looks)
{
#if !defined(_WIN32) /* where there are no such transports */
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

bool tsr_dist_gpu_has_time_(dist_gpu_messages const *m, double began)
{
    return m->timeout <= 0 || tsr_dist_gpu_now_() - began <= m->timeout;
}

bool tsr_dist_gpu_messages_usable_(dist_gpu_messages const *m, tsr_message *error)
{
    return !m->ended || tsr_dist_fail_(error, "rank %d of %d has no communicator: it was aborted", m->rank, m->ranks);
}

bool tsr_dist_gpu_messages_lost_(dist_gpu_messages const *m, int rank, bool left, tsr_message *error)
{
    char const *const cannot = "cannot exchange messages";
    if (left)
        return tsr_dist_fail_(error, "rank %d of %d %s: rank %d has left", m->rank, m->ranks, cannot, rank);
    return tsr_dist_fail_(error, "rank %d of %d %s: no answer from rank %d for %g s", m->rank, m->ranks, cannot, rank,
                          m->timeout);
}

static bool failed(dist_gpu_messages const *m, char const *what, tsr_message *error)
{
    char const *const why = m->transport.why ? m->transport.why(m->transport.self) : "the transport fails";
    return tsr_dist_fail_(error, "rank %d of %d cannot %s: %s", m->rank, m->ranks, what, why);
}

static bool give_up(dist_gpu_messages const *m, char const *what, tsr_message *error)
{
    return tsr_dist_fail_(error, "rank %d of %d cannot %s: no answer from another rank for %g s", m->rank, m->ranks,
                          what, m->timeout);
}

static int state_of(dist_gpu_messages const *m)
{
    return m->transport.state ? m->transport.state(m->transport.self) : 1;
}

/** Waits until a call of the transport is done. */
static bool settle(dist_gpu_messages *m, int state, char const *what, tsr_message *error)
{
    double const began = tsr_dist_gpu_now_();
    for (int64_t looks = 0; state == 0; ++looks) {
        state = state_of(m);
        if (state == 0 && !tsr_dist_gpu_has_time_(m, began))
            return give_up(m, what, error);
        if (state == 0)
            tsr_dist_gpu_rest_(looks);
    }
    return state > 0 || failed(m, what, error);
}

/** Ends what began with the device's context made current. */
static bool leave(dist_gpu_messages const *m, bool ok, tsr_message *error)
{
    tsr_gpu_result const left = tsr_gpu_leave_(m->device, tsr_gpu_fine_());
    return ok && tsr_dist_gpu_done_(left, error);
}

bool tsr_dist_gpu_messages_connect_(dist_gpu_messages *m, tsr_message *error)
{
    tsr_dist_transport const *const t = &m->transport;
    return !t->connect
           || (tsr_dist_gpu_done_(tsr_gpu_enter_(m->device), error)
               && leave(m, settle(m, t->connect(t->self), "connect to the others", error), error));
}

bool tsr_dist_gpu_messages_group_(dist_gpu_messages *m, tsr_dist_wire const *wire, int64_t wires,
                                  tsr_gpu_stream const *stream, char const *what, tsr_message *error)
{
    tsr_dist_transport const *const t = &m->transport;
    return tsr_dist_gpu_done_(tsr_gpu_enter_(m->device), error)
           && leave(m, settle(m, t->group(t->self, wire, wires, stream->handle), what, error), error);
}

bool tsr_dist_gpu_messages_wait_for_(dist_gpu_messages *m, tsr_gpu_event const *event, tsr_message *error)
{
    double const began = tsr_dist_gpu_now_();
    for (int64_t looks = 0;; ++looks) {
        bool come = false;
        if (!tsr_dist_gpu_done_(tsr_gpu_event_come(event, &come), error) || come)
            return come;
        if (state_of(m) < 0)
            return failed(m, ends, error);
        if (!tsr_dist_gpu_has_time_(m, began))
            return give_up(m, ends, error);
        tsr_dist_gpu_rest_(looks);
    }
}

/** Calls a function of the transport with the device's context. */
static void call(dist_gpu_messages *m, void (*function)(void *self))
{
    tsr_gpu_result const entered = tsr_gpu_enter_(m->device);
    if (function)
        function(m->transport.self);
    if (tsr_gpu_ok(entered))
        (void)tsr_gpu_leave_(m->device, entered);
}

void tsr_dist_gpu_messages_abort_(dist_gpu_messages *m)
{
    if (!m->ended)
        call(m, m->transport.abort);
    m->ended = true;
}

void tsr_dist_gpu_messages_close_(dist_gpu_messages *m)
{
    call(m, m->transport.close);
    m->ended = true;
}
