/** Moves that are written into the receivers' shared memory, and unpacked there. NCCL only says that something is done:
 *  a *sign* is one byte from each rank to each of its neighbours.
 *
 *      sign -1    after all work of the stream, and after all that was unpacked by other runs
 *      sign s     after stage s is written, and stage s - 1 is unpacked
 *      write s    after sign s - 2, in the third s mod 3 of the memory, from which stage s - 3 is unpacked by then
 *      unpack s   after sign s
 *
 *  So stage s + 1 is written while sign s is on its way and stage s is unpacked.
 */
#include "dist/gpu_copies.h"
#include "dist/gpu_moves.h"
#include "dist/gpu_packed.h"

static bool after(tsr_gpu_stream const *stream, tsr_gpu_event const *event, tsr_message *error)
{
    return tsr_dist_gpu_done_(tsr_gpu_stream_after(stream, event), error);
}

static bool record(tsr_gpu_event const *event, tsr_gpu_stream const *stream, tsr_message *error)
{
    return tsr_dist_gpu_done_(tsr_gpu_event_record(event, stream), error);
}

/** A byte to a neighbour, and one from it. */
static int64_t add_sign(tsr_dist_nccl_moves *v, int64_t n, int peer)
{
    tsr_gpu_memory const *const m = &v->all->shared.memory;
    uint64_t const bytes = m->address + m->bytes - (uint64_t)v->all->ranks - 1;
    v->wire[n] = (dist_gpu_wire){(void *)(uintptr_t)(bytes + (uint64_t)v->all->ranks), 1, peer, true};
    v->wire[n + 1] = (dist_gpu_wire){(void *)(uintptr_t)(bytes + (uint64_t)peer), 1, peer, false};
    return n + 2;
}

/** Signs between all that have messages of a stage. */
static bool sign(tsr_dist_nccl_moves *v, int64_t stage, tsr_gpu_stream const *stream, tsr_message *error)
{
    tsr_dist_packet const *x = NULL, *y = NULL;
    int64_t const receives = tsr_dist_packed_packets(v->packed, stage, false, &x);
    int64_t const sends = tsr_dist_packed_packets(v->packed, stage, true, &y);
    int64_t n = 0;
    for (int64_t i = 0; i < receives; ++i)
        n = add_sign(v, n, (int)x[i].peer);
    for (int64_t i = 0; i < sends; ++i) {
        bool has = false;
        for (int64_t k = 0; k < receives; ++k)
            has = has || x[k].peer == y[i].peer;
        if (!has)
            n = add_sign(v, n, (int)y[i].peer);
    }
    return tsr_dist_nccl_group_(v->all, v->wire, n, stream, "exchange messages", error);
}

/** Writes a stage, after sign s - 2; sign -1 is that of the start. */
static bool write_stage(tsr_dist_nccl_moves *v, int64_t s, tsr_message *error)
{
    if (s >= tsr_dist_packed_stages(v->packed))
        return true;
    return after(&v->pack, s < 2 ? &v->start : &v->moved[s % 2], error)
           && tsr_dist_packed_write_(v->packed, s, v->old, v->all->shared.reach, &v->pack, error)
           && record(&v->filled[s % 2], &v->pack, error);
}

/** What stays, beside everything else: elements of the new part that no message has. */
static bool keep(tsr_dist_nccl_moves *v, tsr_message *error)
{
    return after(&v->side, &v->end, error) && tsr_dist_packed_keep(v->packed, v->old, v->new_, &v->side, error)
           && record(&v->kept, &v->side, error);
}

bool tsr_dist_nccl_write_(tsr_dist_nccl_moves *v, tsr_gpu_stream const *stream, tsr_message *error)
{
    int64_t const stages = tsr_dist_packed_stages(v->packed);
    tsr_gpu_event const *const idle = &v->all->shared.idle;
    bool ok = after(stream, idle, error) && record(&v->end, stream, error) && after(&v->unpack, &v->end, error);
    ok = ok && (stages == 0 || sign(v, 0, stream, error)) && record(&v->start, stream, error)
         && write_stage(v, 0, error) && keep(v, error);
    for (int64_t s = 0; ok && s < stages; ++s)
        ok = write_stage(v, s + 1, error) && after(stream, &v->filled[s % 2], error)
             && (s == 0 || after(stream, &v->emptied[(s - 1) % 2], error)) && sign(v, s, stream, error)
             && record(&v->moved[s % 2], stream, error) && after(&v->unpack, &v->moved[s % 2], error)
             && tsr_dist_packed_unpack(v->packed, s, v->all->shared.memory.address, v->new_, &v->unpack, error)
             && record(&v->emptied[s % 2], &v->unpack, error);
    return ok && record(idle, &v->unpack, error) && after(stream, idle, error) && after(stream, &v->kept, error);
}
