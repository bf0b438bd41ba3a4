/** Ranks that find out whether they have peer access to each other: what each of them is, where the control block is,
 *  and whether all reach the memory of all.
 *
 *  Slow calls (mesh/gpu_p2p.h) come before NCCL's communicator is made, which waits for all, or after all ranks have
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
#include "mesh/gpu_copies.h"
#include "mesh/gpu_nccl.h"
#include "gpu/call.h"

enum { LAZY_PEERS = 1 };

/** Why a rank has no peer access to the others. */
typedef enum reason { NEAR, NO_HOST, MANY, NAMELESS, NO_CONTROL, NO_MAP, REASONS } reason;

/** What a rank tells the others. */
typedef struct offer {
    char host[64]; /* of this start of the machine; empty: unknown */
    uint64_t process[2];
    tsr_gpu_device const *device;  /* of the same process only */
    tsr_cu_ipc through;            /* the memory that offers pass through */
    dist_gpu_control_name control; /* of rank 0 */
    double timeout;
    reason far;
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

static void make_offer(tsr_dist_nccl *all, offer *mine)
{
    dist_gpu_handles handles = {0};
    memset(mine, 0, sizeof *mine);
    name_host(mine->host);
    name_process(mine->process);
    mine->device = all->device;
    mine->timeout = all->timeout;
    if (!mine->host[0])
        mine->far = NO_HOST;
    else if (all->ranks > DIST_GPU_CONTROL_RANKS)
        mine->far = MANY;
    else if (!tsr_dist_gpu_name_memory_(all->device, all->through.address, &handles))
        mine->far = NAMELESS;
    else if (all->rank == 0 && !tsr_dist_gpu_control_make_(all->ranks, &mine->control))
        mine->far = NO_CONTROL;
    mine->through = handles.handle;
}

/** Gives an offer to all ranks, and takes theirs. */
static bool exchange(tsr_dist_nccl *all, offer *offers, tsr_message *error)
{
    tsr_gpu_memory const *const through = &all->through;
    dist_gpu_wire wire[2];
    size_t const one = sizeof *offers;
    int const me = all->rank;
    bool ok = tsr_dist_gpu_done_(tsr_gpu_write(through, 0, offers, one * (size_t)all->ranks, NULL), error);
    for (int d = 1; ok && d < all->ranks; ++d) {
        int const to = (me + d) % all->ranks, from = (me + all->ranks - d) % all->ranks;
        uint64_t const base = through->address;
        wire[0] = (dist_gpu_wire){(void *)(uintptr_t)(base + one * (size_t)me), one, to, true};
        wire[1] = (dist_gpu_wire){(void *)(uintptr_t)(base + one * (size_t)from), one, from, false};
        ok = tsr_dist_nccl_group_(all, wire, 2, &all->connects, "connect to the others", error);
    }
    return ok && tsr_dist_nccl_wait(all, &all->connects, error)
           && tsr_dist_gpu_done_(tsr_gpu_read(through, 0, offers, one * (size_t)all->ranks, NULL), error);
}

/** Can this rank use the memory of another one? */
static bool reaches(tsr_dist_nccl const *all, offer const *mine, offer const *other)
{
    tsr_gpu_device const *const d = all->device;
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
static bool opens_control(tsr_dist_nccl *all, offer const *offers)
{
    return offers[all->rank].far == NEAR && offers[0].control.path[0]
           && tsr_dist_gpu_control_open_(&all->p2p.control, all->device, all->rank, all->ranks, &offers[0].control);
}

/** Makes the control block known to the driver, and tries all memory. */
static bool connects(tsr_dist_nccl *all, offer const *offers)
{
    dist_gpu_p2p *const n = &all->p2p;
    offer const *const mine = &offers[all->rank];
    bool ok = tsr_dist_gpu_p2p_make_(n, all->device, all->ranks) && tsr_dist_gpu_control_show_(&n->control);
    for (int r = 0; ok && r < all->ranks; ++r) {
        n->remote[r] = is_remote(mine, &offers[r]);
        n->any_remote = n->any_remote || n->remote[r];
        n->reads = n->reads || offers[r].timeout > 0;
        for (int q = 0; q < r; ++q)
            n->shares = n->shares || !is_remote(&offers[q], &offers[r]);
        ok = r == all->rank || reaches(all, mine, &offers[r]);
    }
    return ok;
}

/** Says why ranks are far from each other. */
static bool is_far(tsr_dist_nccl *all, int rank, char const *words)
{
    (void)snprintf(all->far, sizeof all->far, "NCCL sends all messages: rank %d %s", rank, words);
    return false;
}

/** Do all offers tell of ranks that may have peer access? */
static bool may_be_p2p(tsr_dist_nccl *all, offer const *offers)
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
    while (r < all->ranks && offers[r].far == NEAR)
        ++r;
    if (r == all->ranks)
        return true;
    dist_gpu_control_name const *const control = &offers[r].control;
    (void)snprintf(text, sizeof text, "finds no shared memory, a file of %lld bytes in /dev/shm: %s",
                   (long long)control->bytes, strerror(control->code));
    return is_far(all, r, offers[r].far == NO_CONTROL ? text : words[offers[r].far]);
}

/** Do all ranks reach the memory of all? After they have agreed on it. */
static bool say_reach(tsr_dist_nccl *all, bool p2p)
{
    for (int r = 0; r < all->ranks && !p2p; ++r)
        if (!tsr_dist_gpu_control_handles_(&all->p2p.control, r)->can)
            return is_far(all, r, "does not reach the memory of the other ranks' GPUs");
    return p2p;
}

/** All offers; then, by NCCL, whether all ranks have opened the control block; then, by handle messages, whether all
 *  have seen that, and whether all have peer access to the others. */
static bool agree(tsr_dist_nccl *all, offer *offers, bool *p2p, tsr_message *error)
{
    offer *const mine = &offers[all->rank];
    make_offer(all, mine);
    if (!exchange(all, offers, error))
        return false;
    bool const opened = opens_control(all, offers);
    if (mine->far == NEAR && !opened)
        mine->far = NO_MAP;
    if (!exchange(all, offers, error))
        return false;
    *p2p = may_be_p2p(all, offers);
    if (!*p2p)
        return true;
    if (!tsr_dist_gpu_p2p_agree_(all, p2p, error))
        return false;
    *p2p = connects(all, offers);
    bool const ok = tsr_dist_gpu_p2p_agree_(all, p2p, error);
    *p2p = ok && say_reach(all, *p2p);
    tsr_dist_nccl_end_connection_(all);
    return ok;
}

char const *tsr_dist_nccl_far(tsr_dist_nccl const *all) { return all->far; }

bool tsr_dist_nccl_make_connection_(tsr_dist_nccl *all, tsr_message *error)
{
    size_t const bytes = (size_t)all->ranks * sizeof(offer);
    return tsr_dist_gpu_done_(tsr_gpu_stream_make(all->device, &all->connects), error)
           && tsr_dist_gpu_done_(tsr_gpu_alloc(all->device, bytes, &all->through), error);
}

void tsr_dist_nccl_end_connection_(tsr_dist_nccl *all)
{
    (void)tsr_gpu_free(&all->through);
    (void)tsr_gpu_stream_free(&all->connects);
}

bool tsr_dist_nccl_connect_p2p_(tsr_dist_nccl *all, tsr_message *error)
{
    bool p2p = false;
    offer *const offers = (offer *)calloc((size_t)all->ranks, sizeof *offers);
    if (!offers)
        return tsr_dist_fail_(error, "there is no memory for %d ranks", all->ranks);
    bool const ok = agree(all, offers, &p2p, error);
    if (all->rank == 0)
        tsr_dist_gpu_control_forget_(&offers[0].control);
    free(offers);
    if (!p2p)
        tsr_dist_gpu_p2p_free_(&all->p2p, all->ranks);
    return ok;
}
