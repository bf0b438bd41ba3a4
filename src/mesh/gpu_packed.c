/** A rank's messages in stages: what is packed, which packets a transport moves, what is unpacked.
 *
 *  Messages are cut into chunks (src/mesh/gpu_cut.c), and stage s has chunk s of every message. Where elements are
 *  added, the messages of one round come before those of the next, as everywhere else: sums do not depend on the
 *  transport.
 */
#include <stdlib.h>
#include <string.h>

#include "mesh/form.h"
#include "mesh/gpu_cut.h"
#include "tessera/mesh/gpu.h"

enum { USUAL_BUDGET = 1 << 30, ALIGNED = 256 };

/** Where copies are planned for, in place of the buffer: no memory is there. */
#define BUFFER ((uint64_t)1 << 52)

/** Elements first to last - 1 of a message, as a packet. */
typedef struct gpu_cut {
    int64_t message, first, last;
} gpu_cut;

/** One direction of a stage. */
typedef struct gpu_side {
    tsr_dist_packet *packet;
    gpu_cut *cut;
    int64_t count, capacity, cut_capacity;
    dist_gpu_copies copies;
} gpu_side;

typedef struct gpu_stage {
    gpu_side side[2]; /* received, sent */
} gpu_stage;

struct tsr_dist_packed {
    gpu_stage *stage;
    int64_t stages, capacity, bytes;
    tsr_gpu_memory zeros;
    dist_gpu_copies clear, keep;
};

typedef struct packer {
    tsr_dist_packed *p;
    tsr_dist_plan const *plan;
    dist_gpu_maker maker;
    dist_gpu_cutter cuts;
} packer;

static bool no_memory(packer const *k)
{
    return tsr_dist_fail_(k->maker.error, "there is no memory for %lld stages of messages", (long long)k->p->stages);
}

/** Adds chunk `c` of a message to a stage; *more: it was not the last one. */
static bool add_packet(packer *k, gpu_stage *stage, int64_t message, bool sent, int64_t c, bool *more)
{
    dist_gpu_message const *const m = &k->cuts.message[sent][message];
    gpu_side *const s = &stage->side[sent];
    if (c >= m->chunks)
        return true;
    gpu_cut const cut = {message, c > 0 ? k->cuts.end[m->first + c - 1] : 0, k->cuts.end[m->first + c]};
    tsr_dist_packet packet = {(sent ? k->plan->send : k->plan->receive)[message].peer,
                              (cut.last - cut.first) * k->cuts.bytes, 0, m->in_place};
    if (packet.in_place)
        packet.at = (uint64_t)((m->begin + cut.first) * k->cuts.bytes);
    if (!tsr_dist_grow_((void **)&s->packet, s->count, &s->capacity, sizeof packet)
        || !tsr_dist_grow_((void **)&s->cut, s->count, &s->cut_capacity, sizeof cut))
        return no_memory(k);
    s->packet[s->count] = packet;
    s->cut[s->count++] = cut;
    *more = *more || c + 1 < m->chunks;
    return true;
}

/** The stages of messages low to high - 1 of both directions. */
static bool add_stages(packer *k, int64_t const low[2], int64_t const high[2])
{
    tsr_dist_packed *const p = k->p;
    bool more = low[0] < high[0] || low[1] < high[1];
    for (int64_t c = 0; more; ++c) {
        gpu_stage const nothing = {0};
        more = false;
        if (!tsr_dist_grow_((void **)&p->stage, p->stages, &p->capacity, sizeof nothing))
            return no_memory(k);
        p->stage[p->stages++] = nothing;
        for (int sent = 0; sent < 2; ++sent)
            for (int64_t i = low[sent]; i < high[sent]; ++i)
                if (!add_packet(k, &p->stage[p->stages - 1], i, sent, c, &more))
                    return false;
    }
    return true;
}

static int64_t round_of(tsr_dist_plan const *p, bool sent, int64_t i)
{
    if (i >= (sent ? p->sends : p->receives))
        return INT64_MAX;
    return sent ? tsr_dist_round(p, p->rank, p->send[i].peer) : tsr_dist_round(p, p->receive[i].peer, p->rank);
}

/** All messages at once; sums round by round. */
static bool make_stages(packer *k)
{
    int64_t low[] = {0, 0}, high[] = {k->plan->receives, k->plan->sends};
    if (!k->plan->adds)
        return add_stages(k, low, high);
    while (low[0] < k->plan->receives || low[1] < k->plan->sends) {
        int64_t const r = round_of(k->plan, false, low[0]), s = round_of(k->plan, true, low[1]);
        high[0] = low[0] + (r <= s);
        high[1] = low[1] + (s <= r);
        if (!add_stages(k, low, high))
            return false;
        low[0] = high[0];
        low[1] = high[1];
    }
    return true;
}

/** Places packets in the buffer. Each direction has one part for even stages and one for odd stages, so that packing
 *  never overwrites data that is not unpacked yet. */
static void place_packets(tsr_dist_packed *p)
{
    int64_t size[2][2] = {{0}}, begin[2][2], all = 0;
    for (int turn = 0; turn < 2; ++turn) {
        for (int64_t s = 0; s < p->stages; ++s)
            for (int sent = 0; sent < 2; ++sent) {
                gpu_side *const x = &p->stage[s].side[sent];
                int64_t at = turn == 1 ? begin[sent][s % 2] : 0;
                for (int64_t k = 0; k < x->count; ++k)
                    if (!x->packet[k].in_place) {
                        x->packet[k].at = (uint64_t)at;
                        at += tsr_ceil_div64(x->packet[k].bytes, ALIGNED) * ALIGNED;
                    }
                if (turn == 0)
                    size[sent][s % 2] = tsr_max64(size[sent][s % 2], at);
            }
        for (int i = 0; turn == 0 && i < 4; ++i) {
            begin[i / 2][i % 2] = all;
            all += size[i / 2][i % 2];
        }
    }
    p->bytes = all;
}

/** The copies that pack a stage, or unpack it. */
static bool plan_side(packer *k, gpu_side *s, bool sent)
{
    dist_gpu_maker m = k->maker;
    m.list = &s->copies;
    m.packed[sent] = true;
    m.memory[sent] = BUFFER;
    m.terms = sent ? k->cuts.terms.pack : k->cuts.terms.unpack;
    for (int64_t i = 0; i < s->count; ++i) {
        gpu_cut const *const c = &s->cut[i];
        tsr_dist_message const *const x = sent ? &k->plan->send[c->message] : &k->plan->receive[c->message];
        m.at[sent] = (int64_t)s->packet[i].at;
        if (!s->packet[i].in_place && !tsr_dist_walk(k->plan, x, sent, c->first, c->last, tsr_dist_gpu_box_, &m))
            return false;
    }
    return true;
}

static bool plan_own(packer *k, tsr_number beta)
{
    dist_gpu_maker m = k->maker;
    m.terms = k->cuts.terms.all;
    m.row = DIST_GPU_ROW; /* kernels pack meanwhile, and NCCL's move */
    return tsr_dist_gpu_own_(&m, k->plan, beta, &k->p->zeros, &k->p->clear, &k->p->keep);
}

static bool make(packer *k, tsr_number beta)
{
    if (!tsr_dist_gpu_cut_(&k->cuts) || !make_stages(k) || !plan_own(k, beta))
        return false;
    place_packets(k->p);
    for (int64_t s = 0; s < k->p->stages; ++s)
        for (int sent = 0; sent < 2; ++sent)
            if (!plan_side(k, &k->p->stage[s].side[sent], sent))
                return false;
    return true;
}

bool tsr_dist_packed_plan(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_dist_plan const *plan,
                          tsr_dist_terms const *terms, uint64_t old, uint64_t new_, int64_t budget,
                          tsr_dist_packed **packed, tsr_message *error)
{
    packer k = {.plan = plan,
                .maker = {.cache = cache, .device = device, .error = error},
                .cuts = {.plan = plan, .error = error}};
    *packed = NULL;
    if (!tsr_dist_gpu_runs_(plan->rank, plan->part, terms, old, new_, error))
        return false;
    if (budget < 0)
        return tsr_dist_fail_(error, "the budget is %lld bytes", (long long)budget);
    k.maker.memory[0] = old;
    k.maker.memory[1] = new_;
    k.cuts.terms = tsr_dist_gpu_terms_(terms, plan->adds);
    k.cuts.bytes = tsr_dtype_bits(k.cuts.terms.carried) / 8;
    int64_t const slots = 4 * tsr_max64(plan->ranks - 1, 1); /* two stages, both directions */
    k.cuts.most = tsr_max64((budget ? budget : USUAL_BUDGET) / slots / k.cuts.bytes, 1);
    k.p = (tsr_dist_packed *)calloc(1, sizeof *k.p);
    if (!k.p)
        return tsr_dist_fail_(error, "there is no memory for a plan");
    *packed = k.p;
    bool const ok = make(&k, terms->beta);
    tsr_dist_gpu_cut_free_(&k.cuts);
    if (!ok)
        tsr_dist_packed_free(packed);
    return ok;
}

int64_t tsr_dist_packed_bytes(tsr_dist_packed const *packed) { return packed->bytes; }

int64_t tsr_dist_packed_stages(tsr_dist_packed const *packed) { return packed->stages; }

int64_t tsr_dist_packed_packets(tsr_dist_packed const *packed, int64_t stage, bool sent,
                                tsr_dist_packet const **packets)
{
    gpu_side const *const s = &packed->stage[stage].side[sent];
    *packets = s->packet;
    return s->count;
}

int64_t tsr_dist_packed_copies(tsr_dist_packed const *packed, int64_t stage, bool sent)
{
    return packed->stage[stage].side[sent].copies.copies;
}

bool tsr_dist_packed_keep(tsr_dist_packed const *packed, uint64_t old, uint64_t new_, tsr_gpu_stream const *stream,
                          tsr_message *error)
{
    return tsr_dist_gpu_launch_(&packed->clear, packed->zeros.address, new_, stream, error)
           && tsr_dist_gpu_launch_(&packed->keep, old, new_, stream, error);
}

bool tsr_dist_packed_pack(tsr_dist_packed const *packed, int64_t stage, uint64_t old, uint64_t buffer,
                          tsr_gpu_stream const *stream, tsr_message *error)
{
    return tsr_dist_gpu_launch_(&packed->stage[stage].side[1].copies, old, buffer, stream, error);
}

bool tsr_dist_packed_unpack(tsr_dist_packed const *packed, int64_t stage, uint64_t buffer, uint64_t new_,
                            tsr_gpu_stream const *stream, tsr_message *error)
{
    return tsr_dist_gpu_launch_(&packed->stage[stage].side[0].copies, buffer, new_, stream, error);
}

void tsr_dist_packed_free(tsr_dist_packed **packed)
{
    tsr_dist_packed *const p = *packed;
    if (!p)
        return;
    for (int64_t s = 0; s < p->stages; ++s)
        for (int i = 0; i < 2; ++i) {
            gpu_side *const x = &p->stage[s].side[i];
            tsr_dist_gpu_copies_free_(&x->copies);
            free(x->packet);
            free(x->cut);
        }
    free(p->stage);
    tsr_dist_gpu_copies_free_(&p->clear);
    tsr_dist_gpu_copies_free_(&p->keep);
    (void)tsr_gpu_free(&p->zeros);
    free(p);
    *packed = NULL;
}
