/** Handle messages, mapped memory and flags of ranks that have peer access to each other. */
#include <stdlib.h>
#include <string.h>

#include "mesh/form.h"
#include "mesh/gpu_copies.h"
#include "mesh/gpu_p2p.h"
#include "gpu/call.h"

enum { LAZY_PEERS = 1, BUFFER_ID = 7, SMALL = 1 << 20, READ = 16 << 20 };

static bool leaves(tsr_gpu_device const *device, bool ok)
{
    return tsr_gpu_ok(tsr_gpu_leave_(device, tsr_gpu_fine_())) && ok;
}

bool tsr_dist_gpu_p2p_make_(dist_gpu_p2p *n)
{
    tsr_gpu const *const g = n->control.device->gpu;
    size_t const ranks = (size_t)n->control.ranks;
    if (!g->cuStreamIsCapturing || !g->cuMemGetAddressRange || !g->cuPointerGetAttribute || !g->cuIpcGetMemHandle
        || !g->cuIpcOpenMemHandle || !g->cuIpcCloseMemHandle)
        return false;
    n->replay = DIST_GPU_CHOSEN;
    n->row = DIST_GPU_ROW;
    n->read = READ;
    n->small = SMALL;
    n->remote = (bool *)calloc(ranks, sizeof *n->remote);
    n->known = (dist_gpu_mapping(*)[DIST_GPU_MAPPED])calloc(ranks, sizeof *n->known);
    return n->remote && n->known && tsr_gpu_ok(tsr_gpu_mark_make_(n->control.device, &n->idle));
}

/** Unmaps memory; runs that use it are done. */
static void drop(dist_gpu_p2p const *n, dist_gpu_mapping *k)
{
    tsr_gpu_device const *const d = n->control.device;
    if (k->here && tsr_gpu_ok(tsr_gpu_enter_(d)))
        (void)leaves(d, d->gpu->cuIpcCloseMemHandle(k->here) == 0);
    memset(k, 0, sizeof *k);
}

void tsr_dist_gpu_p2p_free_(dist_gpu_p2p *n)
{
    for (int r = 0; n->known && n->control.at && r < n->control.ranks; ++r)
        for (int i = 0; r != n->control.rank && i < DIST_GPU_MAPPED; ++i)
            drop(n, &n->known[r][i]);
    free(n->known);
    free(n->remote);
    (void)tsr_gpu_event_free(&n->idle);
    tsr_dist_gpu_control_close_(&n->control);
    (void)tsr_gpu_cache_free(&n->late);
    dist_gpu_p2p const none = {.messages = n->messages};
    *n = none;
}

/** Finds the allocation of an address. */
static bool find(tsr_gpu const *g, uint64_t address, uint64_t *base, uint64_t *id)
{
    size_t bytes = 0;
    *id = 0;
    return g->cuMemGetAddressRange(base, &bytes, address) == 0
           && g->cuPointerGetAttribute(id, BUFFER_ID, address) == 0;
}

bool tsr_dist_gpu_name_memory_(tsr_gpu_device const *device, uint64_t address, dist_gpu_handles *handles)
{
    tsr_gpu const *const g = device->gpu;
    if (!tsr_gpu_ok(tsr_gpu_enter_(device)))
        return false;
    return leaves(device, find(g, address, &handles->base, &handles->id)
                              && g->cuIpcGetMemHandle(&handles->handle, handles->base) == 0);
}

static bool is_it(dist_gpu_mapping const *k, uint64_t base, uint64_t id)
{
    return k->here && k->base == base && k->id == id;
}

/** The place for an allocation: its own; one whose allocation is no more; a free one; or the one that was used least
 *  lately. NULL: graphs use all. */
static dist_gpu_mapping *place_of(dist_gpu_mapping *known, uint64_t base, uint64_t id)
{
    dist_gpu_mapping *oldest = NULL;
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < DIST_GPU_MAPPED; ++i) {
        dist_gpu_mapping *const k = &known[i];
        uint64_t const used = !k->here ? 1 : k->base == base ? 0 : k->used + 1;
        if (is_it(k, base, id))
            return k;
        if (!k->pinned && used < least) {
            oldest = k;
            least = used;
        }
    }
    return oldest;
}

/** Names this rank's part in a handle message, by the handle of an earlier handle message if there is one. */
static bool name_part(dist_gpu_p2p *n, dist_gpu_handles *handles)
{
    tsr_gpu_device const *const d = n->control.device;
    if (!n->any_remote || !handles->address)
        return true;
    if (!tsr_gpu_ok(tsr_gpu_enter_(d)) || !leaves(d, find(d->gpu, handles->address, &handles->base, &handles->id)))
        return false;
    dist_gpu_mapping *const k = place_of(n->known[n->control.rank], handles->base, handles->id);
    if (is_it(k, handles->base, handles->id)) {
        handles->handle = k->handle;
    } else {
        if (!tsr_dist_gpu_name_memory_(d, handles->address, handles))
            return false;
        dist_gpu_mapping const own = {handles->base, handles->id, handles->base, handles->handle, 0, false};
        *k = own;
    }
    k->used = n->runs;
    return true;
}

/** Has a rank posted its handle message of this turn? */
static bool has_posted(dist_gpu_control const *b, int rank) { return tsr_dist_gpu_control_handles_(b, rank) != NULL; }

/** Waits until all ranks have done something. */
static bool wait_for_all(dist_gpu_p2p *n, bool (*has)(dist_gpu_control const *, int), tsr_message *error)
{
    dist_gpu_control const *const b = &n->control;
    for (int r = 0; r < n->control.ranks; ++r) {
        double const began = tsr_dist_gpu_now_();
        for (int64_t looks = 0;; ++looks) {
            bool const left = tsr_dist_gpu_control_left_(b, r); /* after its last handle message */
            if (has(b, r))
                break;
            if (left || !tsr_dist_gpu_has_time_(n->messages, began))
                return tsr_dist_gpu_messages_lost_(n->messages, r, left, error);
            tsr_dist_gpu_rest_(looks);
        }
    }
    return true;
}

/** Posts handles, and waits for those of all; *can: all can. */
static bool post_all(dist_gpu_p2p *n, dist_gpu_handles const *handles, bool *can, tsr_message *error)
{
    dist_gpu_control *const b = &n->control;
    tsr_dist_gpu_control_post_(b, handles);
    if (!wait_for_all(n, has_posted, error))
        return false;
    *can = true;
    for (int r = 0; r < n->control.ranks; ++r)
        *can = *can && tsr_dist_gpu_control_handles_(b, r)->can;
    return true;
}

bool tsr_dist_gpu_p2p_exchange_(dist_gpu_p2p *n, uint64_t part, uint64_t other, bool *can, tsr_message *error)
{
    dist_gpu_handles handles = {.address = part, .other = other};
    ++n->runs;
    handles.can = name_part(n, &handles);
    return post_all(n, &handles, can, error);
}

bool tsr_dist_gpu_p2p_exchange_again_(dist_gpu_p2p *n, tsr_message *error)
{
    dist_gpu_handles const handles = *tsr_dist_gpu_control_handles_(&n->control, n->control.rank);
    bool can = true;
    return post_all(n, &handles, &can, error);
}

bool tsr_dist_gpu_p2p_agree_(dist_gpu_p2p *n, bool *can, tsr_message *error)
{
    dist_gpu_handles const handles = {.can = *can};
    return post_all(n, &handles, can, error);
}

uint64_t tsr_dist_gpu_p2p_places_(dist_gpu_p2p const *n)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a, by words */
    for (int r = 0; r < n->control.ranks; ++r) {
        dist_gpu_handles const *const x = tsr_dist_gpu_control_handles_(&n->control, r);
        uint64_t const word[] = {x->address, x->other, x->id};
        for (int i = 0; i < 3; ++i) {
            hash = (hash ^ word[i]) * 1099511628211u;
            hash ^= hash >> 29;
        }
    }
    return hash;
}

bool tsr_dist_gpu_p2p_end_(dist_gpu_p2p *n, tsr_message *error)
{
    tsr_dist_gpu_control_give_(&n->control);
    return !n->shares || wait_for_all(n, tsr_dist_gpu_control_has_given_, error);
}

/** Maps an allocation of another process. */
static bool map(dist_gpu_p2p *n, dist_gpu_mapping *k, dist_gpu_handles const *x, tsr_message *error)
{
    tsr_gpu_device const *const d = n->control.device;
    bool const busy = k->here != 0;
    if (busy && !tsr_dist_gpu_messages_wait_for_(n->messages, &n->idle, error))
        return false;
    drop(n, k);
    if (!tsr_dist_gpu_done_(tsr_gpu_enter_(d), error))
        return false;
    tsr_gpu_result const opened =
        tsr_gpu_leave_(d, DRIVER(d->gpu, cuIpcOpenMemHandle, (&k->here, x->handle, LAZY_PEERS)));
    if (!tsr_gpu_ok(opened))
        memset(k, 0, sizeof *k);
    k->base = x->base;
    k->id = x->id;
    return tsr_dist_gpu_done_(opened, error);
}

bool tsr_dist_gpu_p2p_reach_(dist_gpu_p2p *n, int rank, bool pinned, uint64_t *address, tsr_message *error)
{
    dist_gpu_handles const *const x = tsr_dist_gpu_control_handles_(&n->control, rank);
    *address = x->address;
    if (!n->remote[rank] || !x->address)
        return true;
    dist_gpu_mapping *const k = place_of(n->known[rank], x->base, x->id);
    if (!k)
        return tsr_dist_fail_(error, "captured graphs use %d allocations of rank %d, and no more are kept",
                              DIST_GPU_MAPPED, rank);
    if (!is_it(k, x->base, x->id) && !map(n, k, x, error))
        return false;
    k->used = n->runs;
    k->pinned = k->pinned || pinned;
    *address = k->here + (x->address - x->base);
    return true;
}

void tsr_dist_gpu_p2p_leave_(dist_gpu_p2p *n, double seconds)
{
    double const began = tsr_dist_gpu_now_();
    if (!tsr_dist_gpu_has_p2p_(n))
        return;
    tsr_dist_gpu_control_leave_(&n->control);
    for (int64_t looks = 0; tsr_dist_gpu_now_() - began < seconds; ++looks) {
        bool come = false;
        tsr_dist_gpu_control_release_(&n->control);
        if (!tsr_gpu_ok(tsr_gpu_event_come(&n->idle, &come)) || come)
            return;
        tsr_dist_gpu_rest_(looks);
    }
}
