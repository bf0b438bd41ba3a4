/** Memory that the ranks of a communicator write to: they tell each other where it is, and all must reach all of it. */
#define _POSIX_C_SOURCE 200809L /* getpid */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if !defined(_WIN32)
#  include <unistd.h>
#endif

#include "dist/form.h"
#include "dist/gpu_copies.h"
#include "dist/gpu_nccl.h"
#include "gpu/call.h"

enum { SHARED = 128 << 20, LEAST = 12 << 20, TIMES = 3, GRAIN = 256, LAZY_PEERS = 1, HANDLE = sizeof(tsr_cu_ipc) };

/** What a rank tells the others. */
typedef struct offer {
    char host[64]; /* of this start of the machine; empty: unknown */
    uint64_t process[2], address;
    tsr_gpu_device const *device; /* of the same process only */
    tsr_cu_ipc handle, through;   /* of shared memory, and of that which offers pass through */
    int64_t good;
    dist_gpu_board_name board; /* of rank 0 */
    double patience;
    bool near;
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

static bool calls(tsr_dist_nccl const *all, int code)
{
    return tsr_gpu_ok(tsr_gpu_leave_(all->device, tsr_gpu_fine_())) && code == 0;
}

static bool make_offer(tsr_dist_nccl *all, offer *mine)
{
    tsr_gpu const *const g = all->device->gpu;
    memset(mine, 0, sizeof *mine);
    name_host(mine->host);
    name_process(mine->process);
    mine->device = all->device;
    mine->address = all->shared.memory.address;
    return mine->host[0] && g->cuIpcGetMemHandle && g->cuIpcOpenMemHandle && g->cuIpcCloseMemHandle
           && tsr_gpu_ok(tsr_gpu_enter_(all->device))
           && calls(all, g->cuIpcGetMemHandle(&mine->handle, mine->address));
}

/** What ranks near each other tell: the board, and memory to try. */
static void make_near_offer(tsr_dist_nccl *all, tsr_gpu_memory const *through, offer *mine)
{
    dist_gpu_letter letter = {0};
    name_host(mine->host);
    name_process(mine->process);
    mine->device = all->device;
    mine->patience = all->patience;
    mine->near = mine->host[0] && all->ranks <= DIST_GPU_BOARD_RANKS
                 && tsr_dist_gpu_name_memory_(all->device, through->address, &letter)
                 && (all->rank > 0 || tsr_dist_gpu_board_make_(all->ranks, &mine->board));
    mine->through = letter.handle;
}

/** Reaches the memory of another rank. */
static bool reach(tsr_dist_nccl *all, int rank, offer const *mine, offer const *other)
{
    dist_gpu_shared *const s = &all->shared;
    tsr_gpu const *const g = all->device->gpu;
    if (!other->good || strcmp(mine->host, other->host) != 0)
        return false;
    s->reach[rank] = other->address;
    if (memcmp(mine->process, other->process, sizeof mine->process) == 0)
        return tsr_gpu_ok(tsr_gpu_reach(all->device, other->device));
    if (!tsr_gpu_ok(tsr_gpu_enter_(all->device)))
        return false;
    s->opened[rank] = calls(all, g->cuIpcOpenMemHandle(&s->reach[rank], other->handle, LAZY_PEERS));
    return s->opened[rank];
}

/** Gives an offer to all ranks, and takes theirs. They pass through the shared memory, or any other of the device. */
static bool exchange(tsr_dist_nccl *all, tsr_gpu_memory const *through, tsr_gpu_stream const *stream, offer *offers,
                     tsr_message *error)
{
    dist_gpu_wire wire[2];
    size_t const one = sizeof *offers;
    int const me = all->rank;
    bool ok = tsr_dist_gpu_done_(tsr_gpu_write(through, 0, offers, one * (size_t)all->ranks, NULL), error);
    for (int d = 1; ok && d < all->ranks; ++d) {
        int const to = (me + d) % all->ranks, from = (me + all->ranks - d) % all->ranks;
        uint64_t const base = through->address;
        wire[0] = (dist_gpu_wire){(void *)(uintptr_t)(base + one * (size_t)me), one, to, true};
        wire[1] = (dist_gpu_wire){(void *)(uintptr_t)(base + one * (size_t)from), one, from, false};
        ok = tsr_dist_nccl_group_(all, wire, 2, stream, "meet the others", error);
    }
    return ok && tsr_dist_nccl_wait(all, stream, error)
           && tsr_dist_gpu_done_(tsr_gpu_read(through, 0, offers, one * (size_t)all->ranks, NULL), error);
}

/** Is a rank in another process? */
static bool is_stranger(offer const *mine, offer const *other)
{
    return memcmp(mine->process, other->process, sizeof mine->process) != 0;
}

/** Can this rank use the memory of another one? It tries with the memory that the offers pass through. */
static bool tries(tsr_dist_nccl *all, offer const *mine, offer const *other)
{
    tsr_gpu_device const *const d = all->device;
    uint64_t address = 0;
    if (strcmp(mine->host, other->host) != 0)
        return false;
    if (!is_stranger(mine, other))
        return tsr_gpu_ok(tsr_gpu_reach(d, other->device));
    if (!tsr_gpu_ok(tsr_gpu_enter_(d)))
        return false;
    bool const opened = d->gpu->cuIpcOpenMemHandle(&address, other->through, LAZY_PEERS) == 0;
    return calls(all, opened ? d->gpu->cuIpcCloseMemHandle(address) : 1);
}

/** Opens the board of rank 0, and tries all memory. */
static bool comes_near(tsr_dist_nccl *all, offer const *offers)
{
    dist_gpu_near *const n = &all->near;
    offer const *const mine = &offers[all->rank];
    bool ok = tsr_dist_gpu_near_make_(n, all->device, all->ranks) && mine->near
              && tsr_dist_gpu_board_open_(&n->board, all->device, all->rank, all->ranks, &offers[0].board);
    for (int r = 0; ok && r < all->ranks; ++r) {
        n->stranger[r] = is_stranger(mine, &offers[r]);
        n->strange = n->strange || n->stranger[r];
        n->reads = n->reads || offers[r].patience > 0;
        ok = offers[r].near && (r == all->rank || tries(all, mine, &offers[r]));
    }
    return ok;
}

/** All offers; then all ranks' words on whether they reach the others. */
static bool agree(tsr_dist_nccl *all, tsr_gpu_memory const *through, tsr_gpu_stream const *stream, offer *offers,
                  bool *shares, bool *near, tsr_message *error)
{
    offer *const mine = &offers[all->rank];
    bool const quick = all->patience <= 0; /* with patience a sign takes 40 us: few large messages take less */
    mine->good = quick && all->shared.memory.address && make_offer(all, mine);
    make_near_offer(all, through, mine);
    if (!exchange(all, through, stream, offers, error))
        return false;
    for (int r = 0; r < all->ranks; ++r)
        mine->good = mine->good && (r == all->rank || reach(all, r, mine, &offers[r]));
    mine->near = comes_near(all, offers);
    if (!exchange(all, through, stream, offers, error))
        return false;
    *shares = true;
    for (int r = 0; r < all->ranks; ++r)
        *shares = *shares && offers[r].good;
    for (int r = 0; r < all->ranks; ++r)
        *near = *near && offers[r].near;
    return true;
}

bool tsr_dist_nccl_share_(tsr_dist_nccl *all, tsr_message *error)
{
    dist_gpu_shared *const s = &all->shared;
    tsr_gpu_device const *const d = all->device;
    size_t const ranks = (size_t)all->ranks;
    tsr_gpu_stream stream = {0};
    tsr_gpu_memory through = {0};
    bool shares = false, near = true;
    offer *const offers = (offer *)calloc(ranks, sizeof *offers);
    s->reach = (uint64_t *)calloc(ranks, sizeof *s->reach);
    s->opened = (bool *)calloc(ranks, sizeof *s->opened);
    s->least = LEAST;
    s->slot = SHARED / TIMES / all->ranks / GRAIN * GRAIN;
    if (!offers || !s->reach || !s->opened) {
        free(offers);
        return tsr_dist_fail_(error, "there is no memory for %d ranks", all->ranks);
    }
    if (s->slot == 0 || !tsr_gpu_ok(tsr_gpu_alloc(d, SHARED + ranks + 1, &s->memory)))
        memset(&s->memory, 0, sizeof s->memory);
    bool const ok = tsr_dist_gpu_done_(tsr_gpu_stream_make(d, &stream), error)
                    && tsr_dist_gpu_done_(tsr_gpu_mark_make_(d, &s->idle), error)
                    && tsr_dist_gpu_done_(tsr_gpu_alloc(d, ranks * sizeof *offers, &through), error)
                    && agree(all, &through, &stream, offers, &shares, &near, error);
    if (offers && all->rank == 0)
        tsr_dist_gpu_board_forget_(&offers[0].board);
    (void)tsr_gpu_free(&through);
    (void)tsr_gpu_stream_free(&stream);
    free(offers);
    if (!ok || !shares)
        tsr_dist_nccl_unshare_(all);
    if (!ok || !near)
        tsr_dist_gpu_near_free_(&all->near, all->ranks);
    return ok;
}

void tsr_dist_nccl_unshare_(tsr_dist_nccl *all)
{
    dist_gpu_shared *const s = &all->shared;
    for (int r = 0; s->opened && s->reach && r < all->ranks; ++r)
        if (s->opened[r] && tsr_gpu_ok(tsr_gpu_enter_(all->device)))
            (void)calls(all, all->device->gpu->cuIpcCloseMemHandle(s->reach[r]));
    free(s->reach);
    free(s->opened);
    (void)tsr_gpu_event_free(&s->idle);
    (void)tsr_gpu_free(&s->memory);
    memset(s, 0, sizeof *s);
}
