/** Runs of plans: by the memory of other ranks, or as packets over the transport. While packets of one stage are moved,
 *  the next one is packed, and the one before is unpacked. */
#include <stdlib.h>

#include "mesh/form.h"
#include "mesh/gpu_comm.h"
#include "mesh/gpu_copies.h"
#include "mesh/gpu_direct.h"
#include "gpu/call.h"

enum { SHORT = 8 << 20 /* bytes of a part */ };

struct tsr_dist_moves {
    tsr_dist_comm *comm;
    tsr_dist_plan plan;
    tsr_dist_terms terms;
    int64_t budget;
    uint64_t old, new_;
    dist_gpu_direct *direct; /* NULL: ranks have no peer access */
    tsr_dist_packed *packed; /* for the transport; NULL: it was not needed yet */
    tsr_gpu_memory buffer;
    tsr_gpu_stream pack, unpack;
    tsr_gpu_event start, end, filled[2], moved[2], emptied[2]; /* of even and odd stages */
    tsr_dist_wire *wire;                                       /* of a stage */
    bool is_short;
};

static bool made(tsr_gpu_device const *d, tsr_gpu_event *event, tsr_message *error)
{
    return tsr_dist_gpu_done_(tsr_gpu_mark_make_(d, event), error);
}

static bool make_streams(tsr_dist_moves *v, tsr_message *error)
{
    tsr_gpu_device const *const d = v->comm->messages.device;
    int64_t const bytes = tsr_dist_packed_bytes(v->packed);
    bool ok = tsr_dist_gpu_done_(tsr_gpu_stream_make(d, &v->pack), error)
              && tsr_dist_gpu_done_(tsr_gpu_stream_make(d, &v->unpack), error) && made(d, &v->start, error)
              && made(d, &v->end, error);
    for (int i = 0; ok && i < 2; ++i)
        ok = made(d, &v->filled[i], error) && made(d, &v->moved[i], error) && made(d, &v->emptied[i], error);
    return ok && (bytes == 0 || tsr_dist_gpu_done_(tsr_gpu_alloc(d, (size_t)bytes, &v->buffer), error));
}

/** Room for the messages of a stage. */
static bool make_wires(tsr_dist_moves *v, tsr_message *error)
{
    int64_t most = 1;
    for (int64_t s = 0; s < tsr_dist_packed_stages(v->packed); ++s) {
        tsr_dist_packet const *x = NULL;
        most = tsr_max64(
            most, tsr_dist_packed_packets(v->packed, s, false, &x) + tsr_dist_packed_packets(v->packed, s, true, &x));
    }
    v->wire = (tsr_dist_wire *)calloc((size_t)most, sizeof *v->wire);
    return v->wire || tsr_dist_fail_(error, "there is no memory for %lld messages", (long long)most);
}

/** Plans what the transport sends. */
static bool plan_packed(tsr_dist_moves *v, tsr_gpu_cache *cache, tsr_message *error)
{
    tsr_dist_plan const *const p = &v->plan;
    int64_t const bytes = tsr_max64(tsr_dtype_bits(v->terms.from) * p->part[0].elements,
                                    tsr_dtype_bits(v->terms.to) * p->part[1].elements)
                          / 8;
    bool const ok = tsr_dist_packed_plan(cache, v->comm->messages.device, p, &v->terms, v->old, v->new_, v->budget,
                                         &v->packed, error)
                    && make_wires(v, error) && make_streams(v, error);
    v->is_short = ok && bytes <= SHORT && tsr_dist_packed_stages(v->packed) < 2;
    return ok;
}

bool tsr_dist_comm_plan(tsr_dist_comm *comm, tsr_gpu_cache *cache, tsr_dist_plan const *plan,
                        tsr_dist_terms const *terms, uint64_t old, uint64_t new_, int64_t budget,
                        tsr_dist_moves **moves, tsr_message *error)
{
    *moves = NULL;
    if (!tsr_dist_gpu_messages_usable_(&comm->messages, error))
        return false;
    if (plan->rank != comm->messages.rank
        || tsr_max64(tsr_dist_ranks(&plan->from), tsr_dist_ranks(&plan->to)) > comm->messages.ranks)
        return tsr_dist_fail_(error, "the plan of rank %lld of %lld is run by rank %d of %d", (long long)plan->rank,
                              (long long)plan->ranks, comm->messages.rank, comm->messages.ranks);
    tsr_dist_moves *const v = (tsr_dist_moves *)calloc(1, sizeof *v);
    if (!v)
        return tsr_dist_fail_(error, "there is no memory for a plan");
    v->comm = comm;
    v->terms = *terms;
    v->budget = budget;
    v->old = old;
    v->new_ = new_;
    *moves = v;
    bool const p2p = tsr_dist_gpu_has_p2p_(&comm->p2p) && !comm->p2p.off;
    bool const ok =
        tsr_dist_plan_make(&plan->from, &plan->to, plan->rank, plan->host, &v->plan, error)
        && (p2p ? tsr_dist_gpu_direct_plan_(&comm->p2p, cache, &v->plan, terms, old, new_, &v->direct, error)
                : plan_packed(v, cache, error));
    if (!ok)
        tsr_dist_moves_free(moves);
    return ok;
}

/** Where a packet's bytes are. */
static void *bytes_of(tsr_dist_moves const *v, tsr_dist_packet const *x, bool sent)
{
    uint64_t const base = !x->in_place ? v->buffer.address : sent ? v->old : v->new_;
    return (void *)(uintptr_t)(base + x->at);
}

/** One group of messages. */
static bool move(tsr_dist_moves *v, int64_t stage, tsr_gpu_stream const *stream, tsr_message *error)
{
    int64_t n = 0;
    for (int sent = 1; sent >= 0; --sent) {
        tsr_dist_packet const *x = NULL;
        int64_t const count = tsr_dist_packed_packets(v->packed, stage, sent, &x);
        for (int64_t i = 0; i < count; ++i)
            v->wire[n++] = (tsr_dist_wire){bytes_of(v, &x[i], sent), (size_t)x[i].bytes, x[i].peer, sent};
    }
    return tsr_dist_gpu_messages_group_(&v->comm->messages, v->wire, n, stream, "exchange messages", error);
}

static bool after(tsr_gpu_stream const *stream, tsr_gpu_event const *event, tsr_message *error)
{
    return tsr_dist_gpu_done_(tsr_gpu_stream_after(stream, event), error);
}

static bool record(tsr_gpu_event const *event, tsr_gpu_stream const *stream, tsr_message *error)
{
    return tsr_dist_gpu_done_(tsr_gpu_event_record(event, stream), error);
}

/** Packs a stage, when the one before the last has left its half of the buffer. */
static bool pack(tsr_dist_moves *v, int64_t s, tsr_message *error)
{
    int const half = (int)(s % 2);
    if (s >= tsr_dist_packed_stages(v->packed) || tsr_dist_packed_copies(v->packed, s, true) == 0)
        return true;
    return (s < 2 || after(&v->pack, &v->moved[half], error))
           && tsr_dist_packed_pack(v->packed, s, v->old, v->buffer.address, &v->pack, error)
           && record(&v->filled[half], &v->pack, error);
}

/** What stays is copied behind the first two packs, beside the messages. */
static bool keep(tsr_dist_moves *v, tsr_message *error)
{
    int64_t const last = tsr_min64(1, tsr_dist_packed_stages(v->packed) - 1);
    bool const packs = last >= 0 && tsr_dist_packed_copies(v->packed, last, true) > 0;
    return (!packs || after(&v->unpack, &v->filled[last], error))
           && tsr_dist_packed_keep(v->packed, v->old, v->new_, &v->unpack, error);
}

static bool run_stage(tsr_dist_moves *v, int64_t s, tsr_gpu_stream const *stream, tsr_message *error)
{
    int const half = (int)(s % 2);
    bool const packs = tsr_dist_packed_copies(v->packed, s, true) > 0;
    bool const unpacks = tsr_dist_packed_copies(v->packed, s, false) > 0;
    if (packs && !after(stream, &v->filled[half], error))
        return false;
    if (s >= 2 && !after(stream, &v->emptied[half], error))
        return false;
    if (!move(v, s, stream, error) || !record(&v->moved[half], stream, error))
        return false;
    return !unpacks
           || (after(&v->unpack, &v->moved[half], error)
               && tsr_dist_packed_unpack(v->packed, s, v->buffer.address, v->new_, &v->unpack, error)
               && record(&v->emptied[half], &v->unpack, error));
}

/** A short run, one step after the other: events would take longer. */
static bool run_short(tsr_dist_moves *v, tsr_gpu_stream const *stream, tsr_message *error)
{
    bool const any = tsr_dist_packed_stages(v->packed) > 0;
    return (!any || tsr_dist_packed_pack(v->packed, 0, v->old, v->buffer.address, stream, error))
           && tsr_dist_packed_keep(v->packed, v->old, v->new_, stream, error) && (!any || move(v, 0, stream, error))
           && (!any || tsr_dist_packed_unpack(v->packed, 0, v->buffer.address, v->new_, stream, error));
}

/** Runs stages that overlap. */
static bool run_stages(tsr_dist_moves *v, tsr_gpu_stream const *stream, tsr_message *error)
{
    if (!record(&v->start, stream, error) || !after(&v->pack, &v->start, error)
        || !after(&v->unpack, &v->start, error) || !pack(v, 0, error) || !pack(v, 1, error) || !keep(v, error))
        return false;
    for (int64_t s = 0; s < tsr_dist_packed_stages(v->packed); ++s)
        if ((s > 0 && !pack(v, s + 1, error)) || !run_stage(v, s, stream, error))
            return false;
    return record(&v->end, &v->unpack, error) && after(stream, &v->end, error);
}

/** P2P ranks that the transport sends for make their plans when they are needed, all in the same run. */
static bool plan_late(tsr_dist_moves *v, tsr_message *error)
{
    return plan_packed(v, &v->comm->p2p.late, error)
           && (!v->comm->p2p.shares || tsr_dist_gpu_p2p_exchange_again_(&v->comm->p2p, error));
}

static bool run_packed(tsr_dist_moves *v, tsr_gpu_stream const *stream, bool captured, tsr_message *error)
{
    return (v->packed || plan_late(v, error))
           && (v->is_short ? run_short(v, stream, error) : run_stages(v, stream, error))
           && (!v->direct || captured || record(&v->comm->p2p.idle, stream, error));
}

/** By memory, if all parts can be reached; else by messages. */
static bool run(tsr_dist_moves *v, tsr_gpu_stream const *stream, bool captured, tsr_message *error)
{
    bool moved = false;
    return (!v->direct || tsr_dist_gpu_direct_run_(v->direct, v->old, v->new_, stream, captured, &moved, error))
           && (moved || run_packed(v, stream, captured, error))
           && (!v->direct || tsr_dist_gpu_p2p_end_(&v->comm->p2p, error));
}

bool tsr_dist_comm_run_at(tsr_dist_moves *moves, uint64_t old, uint64_t new_, tsr_gpu_stream const *stream,
                          tsr_message *error)
{
    tsr_dist_comm *const c = moves->comm;
    bool const captured = moves->direct && tsr_dist_gpu_is_captured_(stream);
    if (!tsr_dist_gpu_messages_usable_(&c->messages, error))
        return false;
    moves->old = old;
    moves->new_ = new_;
    int const mode = captured ? tsr_dist_gpu_relax_(c->messages.device, DIST_GPU_RELAXED) : 0;
    bool const ok = run(moves, stream, captured, error) || tsr_dist_comm_abort_(c); /* the others wait */
    if (captured)
        (void)tsr_dist_gpu_relax_(c->messages.device, mode);
    return ok;
}

bool tsr_dist_comm_run(tsr_dist_moves *moves, tsr_gpu_stream const *stream, tsr_message *error)
{
    return tsr_dist_comm_run_at(moves, moves->old, moves->new_, stream, error);
}

void tsr_dist_moves_free(tsr_dist_moves **moves)
{
    tsr_dist_moves *const v = *moves;
    if (!v)
        return;
    tsr_dist_gpu_direct_free_(&v->direct);
    tsr_dist_packed_free(&v->packed);
    tsr_dist_plan_free(&v->plan);
    free(v->wire);
    (void)tsr_gpu_free(&v->buffer);
    (void)tsr_gpu_stream_free(&v->pack);
    (void)tsr_gpu_stream_free(&v->unpack);
    (void)tsr_gpu_event_free(&v->start);
    (void)tsr_gpu_event_free(&v->end);
    for (int i = 0; i < 2; ++i) {
        (void)tsr_gpu_event_free(&v->filled[i]);
        (void)tsr_gpu_event_free(&v->moved[i]);
        (void)tsr_gpu_event_free(&v->emptied[i]);
    }
    free(v);
    *moves = NULL;
}
