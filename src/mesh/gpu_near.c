/** Letters, mapped memory and signs of ranks that are near each other. */
#include <stdlib.h>
#include <string.h>

#include "mesh/form.h"
#include "mesh/gpu_copies.h"
#include "mesh/gpu_nccl.h"
#include "gpu/call.h"

enum { LAZY_PEERS = 1, BUFFER_ID = 7, SMALL = 1 << 20, READ = 16 << 20 };

static bool leaves(tsr_gpu_device const *device, bool ok)
{
    return tsr_gpu_ok(tsr_gpu_leave_(device, tsr_gpu_fine_())) && ok;
}

bool tsr_dist_gpu_near_make_(dist_gpu_near *n, tsr_gpu_device const *device, int ranks)
{
    tsr_gpu const *const g = device->gpu;
    if (!g->cuStreamIsCapturing || !g->cuMemGetAddressRange || !g->cuPointerGetAttribute || !g->cuIpcGetMemHandle
        || !g->cuIpcOpenMemHandle || !g->cuIpcCloseMemHandle)
        return false;
    n->again = DIST_GPU_CHOSEN;
    n->row = DIST_GPU_ROW;
    n->read = READ;
    n->small = SMALL;
    n->stranger = (bool *)calloc((size_t)ranks, sizeof *n->stranger);
    n->known = (dist_gpu_known(*)[DIST_GPU_KEPT])calloc((size_t)ranks, sizeof *n->known);
    return n->stranger && n->known && tsr_gpu_ok(tsr_gpu_mark_make_(device, &n->idle));
}

/** Unmaps memory; runs that use it are done. */
static void drop(dist_gpu_near const *n, dist_gpu_known *k)
{
    tsr_gpu_device const *const d = n->board.device;
    if (k->here && tsr_gpu_ok(tsr_gpu_enter_(d)))
        (void)leaves(d, d->gpu->cuIpcCloseMemHandle(k->here) == 0);
    memset(k, 0, sizeof *k);
}

void tsr_dist_gpu_near_free_(dist_gpu_near *n, int ranks)
{
    for (int r = 0; n->known && n->board.at && r < ranks; ++r)
        for (int i = 0; r != n->board.rank && i < DIST_GPU_KEPT; ++i)
            drop(n, &n->known[r][i]);
    free(n->known);
    free(n->stranger);
    (void)tsr_gpu_event_free(&n->idle);
    tsr_dist_gpu_board_close_(&n->board);
    memset(n, 0, sizeof *n);
}

/** Finds the allocation of an address. */
static bool find(tsr_gpu const *g, uint64_t address, uint64_t *base, uint64_t *id)
{
    size_t bytes = 0;
    *id = 0;
    return g->cuMemGetAddressRange(base, &bytes, address) == 0
           && g->cuPointerGetAttribute(id, BUFFER_ID, address) == 0;
}

bool tsr_dist_gpu_name_memory_(tsr_gpu_device const *device, uint64_t address, dist_gpu_letter *letter)
{
    tsr_gpu const *const g = device->gpu;
    if (!tsr_gpu_ok(tsr_gpu_enter_(device)))
        return false;
    return leaves(device, find(g, address, &letter->base, &letter->id)
                              && g->cuIpcGetMemHandle(&letter->handle, letter->base) == 0);
}

static bool is_it(dist_gpu_known const *k, uint64_t base, uint64_t id)
{
    return k->here && k->base == base && k->id == id;
}

/** The place for an allocation: its own; one whose allocation is no more; a free one; or the one that was used least
 *  lately. NULL: graphs use all. */
static dist_gpu_known *place_of(dist_gpu_known *known, uint64_t base, uint64_t id)
{
    dist_gpu_known *oldest = NULL;
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < DIST_GPU_KEPT; ++i) {
        dist_gpu_known *const k = &known[i];
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

/** Names this rank's part in a letter, by the handle of an earlier letter if there is one. */
static bool name_part(dist_gpu_near *n, dist_gpu_letter *letter)
{
    tsr_gpu_device const *const d = n->board.device;
    if (!n->strange || !letter->address)
        return true;
    if (!tsr_gpu_ok(tsr_gpu_enter_(d)) || !leaves(d, find(d->gpu, letter->address, &letter->base, &letter->id)))
        return false;
    dist_gpu_known *const k = place_of(n->known[n->board.rank], letter->base, letter->id);
    if (is_it(k, letter->base, letter->id)) {
        letter->handle = k->handle;
    } else {
        if (!tsr_dist_gpu_name_memory_(d, letter->address, letter))
            return false;
        dist_gpu_known const own = {letter->base, letter->id, letter->base, letter->handle, 0, false};
        *k = own;
    }
    k->used = n->runs;
    return true;
}

/** Has a rank posted its letter of this turn? */
static bool has_posted(dist_gpu_board const *b, int rank) { return tsr_dist_gpu_board_letter_(b, rank) != NULL; }

/** Waits until all ranks have done something. */
static bool wait_for_all(tsr_dist_nccl *all, bool (*has)(dist_gpu_board const *, int), tsr_message *error)
{
    dist_gpu_board const *const b = &all->near.board;
    for (int r = 0; r < all->ranks; ++r) {
        double const began = tsr_dist_nccl_now_();
        for (int64_t looks = 0;; ++looks) {
            bool const left = tsr_dist_gpu_board_left_(b, r); /* after its last letter */
            if (has(b, r))
                break;
            if (left || !tsr_dist_nccl_is_patient_(all, began))
                return tsr_dist_nccl_lost_(all, r, left, error);
            tsr_dist_nccl_rest_(looks);
        }
    }
    return true;
}

/** Posts a letter, and waits for those of all; *can: all can. */
static bool meet(tsr_dist_nccl *all, dist_gpu_letter const *letter, bool *can, tsr_message *error)
{
    dist_gpu_board *const b = &all->near.board;
    tsr_dist_gpu_board_post_(b, letter);
    if (!wait_for_all(all, has_posted, error))
        return false;
    *can = true;
    for (int r = 0; r < all->ranks; ++r)
        *can = *can && tsr_dist_gpu_board_letter_(b, r)->can;
    return true;
}

bool tsr_dist_gpu_near_meet_(tsr_dist_nccl *all, uint64_t part, uint64_t other, bool *can, tsr_message *error)
{
    dist_gpu_near *const n = &all->near;
    dist_gpu_letter letter = {.address = part, .other = other};
    ++n->runs;
    letter.can = name_part(n, &letter);
    return meet(all, &letter, can, error);
}

bool tsr_dist_gpu_near_meet_again_(tsr_dist_nccl *all, tsr_message *error)
{
    dist_gpu_letter const letter = *tsr_dist_gpu_board_letter_(&all->near.board, all->rank);
    bool can = true;
    return meet(all, &letter, &can, error);
}

bool tsr_dist_gpu_near_agree_(tsr_dist_nccl *all, bool *can, tsr_message *error)
{
    dist_gpu_letter const letter = {.can = *can};
    return meet(all, &letter, can, error);
}

uint64_t tsr_dist_gpu_near_places_(tsr_dist_nccl const *all)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a, by words */
    for (int r = 0; r < all->ranks; ++r) {
        dist_gpu_letter const *const x = tsr_dist_gpu_board_letter_(&all->near.board, r);
        uint64_t const word[] = {x->address, x->other, x->id};
        for (int i = 0; i < 3; ++i) {
            hash = (hash ^ word[i]) * 1099511628211u;
            hash ^= hash >> 29;
        }
    }
    return hash;
}

bool tsr_dist_gpu_near_end_(tsr_dist_nccl *all, tsr_message *error)
{
    tsr_dist_gpu_board_give_(&all->near.board);
    return !all->near.shares || wait_for_all(all, tsr_dist_gpu_board_has_given_, error);
}

/** Maps an allocation of another process. */
static bool map(tsr_dist_nccl *all, dist_gpu_known *k, dist_gpu_letter const *x, tsr_message *error)
{
    tsr_gpu_device const *const d = all->device;
    bool const busy = k->here != 0;
    if (busy && !tsr_dist_nccl_wait_for_(all, &all->near.idle, "end its messages", error))
        return false;
    drop(&all->near, k);
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

bool tsr_dist_gpu_near_reach_(tsr_dist_nccl *all, int rank, bool pinned, uint64_t *address, tsr_message *error)
{
    dist_gpu_near *const n = &all->near;
    dist_gpu_letter const *const x = tsr_dist_gpu_board_letter_(&n->board, rank);
    *address = x->address;
    if (!n->stranger[rank] || !x->address)
        return true;
    dist_gpu_known *const k = place_of(n->known[rank], x->base, x->id);
    if (!k)
        return tsr_dist_fail_(error, "captured graphs use %d allocations of rank %d, and no more are kept",
                              DIST_GPU_KEPT, rank);
    if (!is_it(k, x->base, x->id) && !map(all, k, x, error))
        return false;
    k->used = n->runs;
    k->pinned = k->pinned || pinned;
    *address = k->here + (x->address - x->base);
    return true;
}

void tsr_dist_gpu_near_leave_(dist_gpu_near *n, double seconds)
{
    double const began = tsr_dist_nccl_now_();
    if (!tsr_dist_gpu_is_near_(n))
        return;
    tsr_dist_gpu_board_leave_(&n->board);
    for (int64_t looks = 0; tsr_dist_nccl_now_() - began < seconds; ++looks) {
        bool come = false;
        tsr_dist_gpu_board_release_(&n->board);
        if (!tsr_gpu_ok(tsr_gpu_event_come(&n->idle, &come)) || come)
            return;
        tsr_dist_nccl_rest_(looks);
    }
}
