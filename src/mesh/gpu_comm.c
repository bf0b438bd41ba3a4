/** Communicators of ranks with a GPU each: they connect, wait and end. */
#include <stdlib.h>

#include "mesh/form.h"
#include "mesh/gpu_comm.h"
#include "mesh/gpu_copies.h"
#include "gpu/call.h"

bool tsr_dist_comm_abort_(tsr_dist_comm *comm)
{
    enum { SECONDS = 1 /* until streams have seen that nothing is to be waited for */ };
    if (comm->messages.ended)
        return false;
    tsr_dist_gpu_messages_abort_(&comm->messages);
    tsr_dist_gpu_p2p_leave_(&comm->p2p, SECONDS);
    return false;
}

/** Ranks connect: by the transport, and then, if they can, by each other's memory. */
static bool connect_ranks(tsr_dist_comm *c, tsr_message *error)
{
    bool const alone = c->messages.ranks == 1;
    return tsr_dist_gpu_done_(tsr_gpu_mark_make_(c->messages.device, &c->event), error)
           && (alone || tsr_dist_gpu_connection_make_(&c->connection, &c->messages, error))
           && tsr_dist_gpu_messages_connect_(&c->messages, error)
           && (alone || tsr_dist_gpu_connect_(&c->connection, &c->p2p, c->p2p_why, error));
}

static bool fits(tsr_dist_transport const *t, tsr_message *error)
{
    if (!t->group)
        return tsr_dist_fail_(error, "the transport has no function `group`, which sends messages between GPUs");
    return (t->rank >= 0 && t->rank < t->ranks && t->ranks <= TSR_DIST_RANKS)
           || tsr_dist_fail_(error, "rank %lld is none of %lld ranks", (long long)t->rank, (long long)t->ranks);
}

bool tsr_dist_comm_open(tsr_dist_transport const *transport, tsr_gpu_device const *device, double timeout,
                        tsr_dist_comm **comm, tsr_message *error)
{
    bool ok = fits(transport, error);
    tsr_dist_comm *const c = ok ? (tsr_dist_comm *)calloc(1, sizeof *c) : NULL;
    *comm = c;
    if (!c) {
        if (transport->close)
            transport->close(transport->self);
        return ok && tsr_dist_fail_(error, "there is no memory for a communicator");
    }
    c->messages.transport = *transport;
    c->messages.device = device;
    c->messages.rank = (int)transport->rank;
    c->messages.ranks = (int)transport->ranks;
    c->messages.timeout = timeout;
    c->p2p.messages = &c->messages;
    ok = connect_ranks(c, error) || tsr_dist_comm_abort_(c);
    if (!ok)
        tsr_dist_comm_close(comm);
    return ok;
}

char const *tsr_dist_comm_p2p_why(tsr_dist_comm const *comm) { return comm->p2p_why; }

void tsr_dist_comm_close(tsr_dist_comm **comm)
{
    tsr_dist_comm *const c = *comm;
    tsr_message error;
    if (!c)
        return;
    if (tsr_dist_gpu_has_p2p_(&c->p2p)) {
        tsr_dist_gpu_control_leave_(&c->p2p.control);
        if (!c->messages.ended && !tsr_dist_gpu_messages_wait_for_(&c->messages, &c->p2p.idle, &error))
            (void)tsr_dist_comm_abort_(c);
    }
    tsr_dist_gpu_messages_close_(&c->messages);
    tsr_dist_gpu_p2p_free_(&c->p2p);
    (void)tsr_gpu_event_free(&c->event);
    tsr_dist_gpu_connection_free_(&c->connection);
    free(c);
    *comm = NULL;
}

bool tsr_dist_comm_wait(tsr_dist_comm *comm, tsr_gpu_stream const *stream, tsr_message *error)
{
    return tsr_dist_gpu_messages_usable_(&comm->messages, error)
           && tsr_dist_gpu_done_(tsr_gpu_event_record(&comm->event, stream), error)
           && (tsr_dist_gpu_messages_wait_for_(&comm->messages, &comm->event, error) || tsr_dist_comm_abort_(comm));
}
