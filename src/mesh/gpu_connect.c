/** Ranks that find out whether they have peer access to each other: what each of them is, where the control block is,
 *  and whether all reach the memory of all.
 *
 *  Slow calls (mesh/gpu_p2p.h) come before the transport connects, which waits for all, or after all ranks have
 *  posted their first handle messages: then no stream waits for another rank.
 */
#define _POSIX_C_SOURCE 200809L /* getpid */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if !defined(_WIN32)
#  include <unistd.h>
#endif

#include "mesh/form.h"
#include "mesh/gpu_connect.h"
#include "mesh/gpu_copies.h"
#include "gpu/call.h"

enum { LAZY_PEERS = 1 };

/** Why a rank has no peer access to the others. */
typedef enum reason { P2P, NO_HOST, MANY, NAMELESS, NO_CONTROL, NO_MAP, REASONS } reason;

/** What a rank tells the others. */
typedef struct offer {
    char host[64]; /* of this start of the machine; empty: unknown */
    uint64_t process[2];
    tsr_gpu_device const *device;  /* of the same process only */
    tsr_cu_ipc through;            /* the memory that offers pass through */
    dist_gpu_control_name control; /* of rank 0 */
    double timeout;
    reason reason;
} offer;

static void name_host(char host[64])
{
#if !defined(_WIN32)
    FILE *const f = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (f && !fgets(host, 64, f))
        host[0] = 0;
    if (f)
        (void)fclose(f);
#endif
}

/** Processes have numbers and, since they are loaded at random places, addresses of their own. */
static void name_process(uint64_t process[2])
{
    static char const here = 0;
    process[1] = (uint64_t)(uintptr_t)&here;
#if !defined(_WIN32)
    process[0] = (uint64_t)getpid();
#endif
}

static bool is_remote(offer const *mine, offer const *other)
{
    return memcmp(mine->process, other->process, sizeof mine->process) != 0;
}

static void make_offer(dist_gpu_connection const *c, dist_gpu_messages const *m, offer *mine)
{
    dist_gpu_handles handles = {0};
    memset(mine, 0, sizeof *mine);
    name_host(mine->host);
    name_process(mine->process);
    mine->device = m->device;
    mine->timeout = m->timeout;
    if (!mine->host[0])
        mine->reason = NO_HOST;
    else if (m->ranks > DIST_GPU_CONTROL_RANKS)
        mine->reason = MANY;
    else if (!tsr_dist_gpu_name_memory_(m->device, c->through.address, &handles))
        mine->reason = NAMELESS;
    else if (m->rank == 0 && !tsr_dist_gpu_control_make_(m->ranks, &mine->control))
        mine->reason = NO_CONTROL;
    mine->through = handles.handle;
}

/** Gives an offer to all ranks, and takes theirs. */
static bool exchange(dist_gpu_connection const *c, dist_gpu_messages *m, offer *offers, tsr_message *error)
{
    tsr_gpu_memory const *const through = &c->through;
    tsr_dist_wire wire[2];
    size_t const one = sizeof *offers, bytes = one * (size_t)m->ranks;
    int const me = m->rank;
    bool ok = tsr_dist_gpu_done_(tsr_gpu_write(through, 0, offers, bytes, NULL), error);
    for (int d = 1; ok && d < m->ranks; ++d) {
        int const to = (me + d) % m->ranks, from = (me + m->ranks - d) % m->ranks;
        uint64_t const base = through->address;
        wire[0] = (tsr_dist_wire){(void *)(uintptr_t)(base + one * (size_t)me), one, to, true};
        wire[1] = (tsr_dist_wire){(void *)(uintptr_t)(base + one * (size_t)from), one, from, false};
        ok = tsr_dist_gpu_messages_group_(m, wire, 2, &c->stream, "connect to the others", error);
    }
    return ok && tsr_dist_gpu_done_(tsr_gpu_event_record(&c->event, &c->stream), error)
           && tsr_dist_gpu_messages_wait_for_(m, &c->event, error)
           && tsr_dist_gpu_done_(tsr_gpu_read(through, 0, offers, bytes, NULL), error);
}

/** Can this rank use the memory of another one? */
static bool reaches(tsr_gpu_device const *d, offer const *mine, offer const *other)
{
    uint64_t address = 0;
    if (strcmp(mine->host, other->host) != 0)
        return false;
    if (!is_remote(mine, other))
        return tsr_gpu_ok(tsr_gpu_reach(d, other->device));
    if (!tsr_gpu_ok(tsr_gpu_enter_(d)))
        return false;
    bool const opened = d->gpu->cuIpcOpenMemHandle(&address, other->through, LAZY_PEERS) == 0
                        && d->gpu->cuIpcCloseMemHandle(address) == 0;
    return tsr_gpu_ok(tsr_gpu_leave_(d, tsr_gpu_fine_())) && opened;
}

/** Opens the control block of rank 0. */
static bool opens_control(dist_gpu_p2p *n, offer const *offers)
{
    dist_gpu_messages const *const m = n->messages;
    return offers[m->rank].reason == P2P && offers[0].control.path[0]
           && tsr_dist_gpu_control_open_(&n->control, m->device, m->rank, m->ranks, &offers[0].control);
}

/** Makes the control block known to the driver, and tries all memory. */
static bool connects(dist_gpu_p2p *n, offer const *offers)
{
    int const me = n->control.rank;
    bool ok = tsr_dist_gpu_p2p_make_(n) && tsr_dist_gpu_control_show_(&n->control);
    for (int r = 0; ok && r < n->control.ranks; ++r) {
        n->remote[r] = is_remote(&offers[me], &offers[r]);
        n->any_remote = n->any_remote || n->remote[r];
        n->reads = n->reads || offers[r].timeout > 0;
        for (int q = 0; q < r; ++q)
            n->shares = n->shares || !is_remote(&offers[q], &offers[r]);
        ok = r == me || reaches(n->control.device, &offers[me], &offers[r]);
    }
    return ok;
}

/** Says why ranks have no peer access. */
static bool refuse(char why[256], int rank, char const *words)
{
    (void)snprintf(why, 256, "the transport sends all messages: rank %d %s", rank, words);
    return false;
}

/** Do all offers tell of ranks that may have peer access? */
static bool may_be_p2p(offer const *offers, int ranks, char why[256])
{
    static char const *const words[REASONS] = {
        [NO_HOST] = "does not know its host: /proc/sys/kernel/random/boot_id is not there",
        [MANY] = "is one of more than 64 ranks, which share no memory",
        [NAMELESS] = "cannot name memory of its GPU to other processes",
        [NO_MAP] =
            "cannot map the file in /dev/shm that rank 0 has made: it runs on another host, or in another container",
    };
    char text[160];
    int r = 0;
    while (r < ranks && offers[r].reason == P2P)
        ++r;
    if (r == ranks)
        return true;
    dist_gpu_control_name const *const control = &offers[r].control;
    (void)snprintf(text, sizeof text, "finds no shared memory, a file of %lld bytes in /dev/shm: %s",
                   (long long)control->bytes, strerror(control->code));
    return refuse(why, r, offers[r].reason == NO_CONTROL ? text : words[offers[r].reason]);
}

/** Do all ranks reach the memory of all? After they have agreed on it. */
static bool say_reach(dist_gpu_control const *b, bool p2p, char why[256])
{
    for (int r = 0; r < b->ranks && !p2p; ++r)
        if (!tsr_dist_gpu_control_handles_(b, r)->can)
            return refuse(why, r, "does not reach the memory of the other ranks' GPUs");
    return p2p;
}

/** All offers; then, by messages, whether all ranks have opened the control block; then, by handle messages, whether
 *  all have seen that, and whether all have peer access to the others. */
static bool agree(dist_gpu_connection *c, dist_gpu_p2p *n, offer *offers, bool *p2p, char why[256],
                  tsr_message *error)
{
    dist_gpu_messages *const m = n->messages;
    offer *const mine = &offers[m->rank];
    make_offer(c, m, mine);
    if (!exchange(c, m, offers, error))
        return false;
    bool const opened = opens_control(n, offers);
    if (mine->reason == P2P && !opened)
        mine->reason = NO_MAP;
    if (!exchange(c, m, offers, error))
        return false;
    *p2p = may_be_p2p(offers, m->ranks, why);
    if (!*p2p)
        return true;
    if (!tsr_dist_gpu_p2p_agree_(n, p2p, error))
        return false;
    *p2p = connects(n, offers);
    bool const ok = tsr_dist_gpu_p2p_agree_(n, p2p, error);
    *p2p = ok && say_reach(&n->control, *p2p, why);
    tsr_dist_gpu_connection_free_(c);
    return ok;
}

bool tsr_dist_gpu_connection_make_(dist_gpu_connection *c, dist_gpu_messages const *messages, tsr_message *error)
{
    tsr_gpu_device const *const d = messages->device;
    size_t const bytes = (size_t)messages->ranks * sizeof(offer);
    return tsr_dist_gpu_done_(tsr_gpu_mark_make_(d, &c->event), error)
           && tsr_dist_gpu_done_(tsr_gpu_stream_make(d, &c->stream), error)
           && tsr_dist_gpu_done_(tsr_gpu_alloc(d, bytes, &c->through), error);
}

void tsr_dist_gpu_connection_free_(dist_gpu_connection *c)
{
    (void)tsr_gpu_free(&c->through);
    (void)tsr_gpu_stream_free(&c->stream);
    (void)tsr_gpu_event_free(&c->event);
}

bool tsr_dist_gpu_connect_(dist_gpu_connection *c, dist_gpu_p2p *p2p, char why[256], tsr_message *error)
{
    int const ranks = p2p->messages->ranks;
    bool has_p2p = false;
    offer *const offers = (offer *)calloc((size_t)ranks, sizeof *offers);
    if (!offers)
        return tsr_dist_fail_(error, "there is no memory for %d ranks", ranks);
    bool const ok = agree(c, p2p, offers, &has_p2p, why, error);
    if (p2p->messages->rank == 0)
        tsr_dist_gpu_control_forget_(&offers[0].control);
    free(offers);
    if (!has_p2p)
        tsr_dist_gpu_p2p_free_(p2p);
    return ok;
}
