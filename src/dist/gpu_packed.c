/** A rank's messages in stages: what is packed, which packets a transport moves, what is unpacked.
 *
 *  A message is cut into chunks, so that one is packed while another one is moved. Packing is about four times as fast
 *  as moving. So the first chunk is small, and each is at most four times the one before: it is packed in time. Where
 *  only the receiver needs a buffer, chunks come in the other order, and the last one, which is unpacked alone, is
 *  small. Both ends know the same elements, boxes and budget, so they cut alike. Stage s has chunk s of every message.
 *  Where elements are added, the messages of one round come before those of the next, as everywhere else: sums do not
 *  depend on the transport.
 */
#include <stdlib.h>
#include <string.h>

#include "dist/form.h"
#include "dist/gpu_copies.h"
#include "tessera/dist/gpu.h"

enum { USUAL_BUDGET = 256 << 20, LEAST_CHUNK = 4 << 20, FIRST_PART = 16, FASTER = 4, ALIGNED = 256 };

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
    int64_t count, room, cut_room;
    dist_gpu_copies copies;
} gpu_side;

typedef struct gpu_stage {
    gpu_side side[2]; /* received, sent */
} gpu_stage;

struct tsr_dist_packed {
    gpu_stage *stage;
    int64_t stages, room, bytes;
    tsr_gpu_memory zeros;
    dist_gpu_copies clear, keep;
};

/** What is asked of a message: its first box, and how many there are. */
typedef struct gpu_look {
    tsr_dist_box box;
    int64_t boxes;
} gpu_look;

/** A message in chunks: those from `first` on of the packer's list, and where it lies if it is moved in place. */
typedef struct gpu_message {
    int64_t first, chunks, begin;
    bool in_place;
} gpu_message;

typedef struct packer {
    tsr_dist_packed *p;
    tsr_dist_plan const *plan;
    dist_gpu_maker maker;
    dist_gpu_terms terms;
    int64_t bytes, most; /* of a carried element; elements of a chunk */
    gpu_message *message[2]; /* received, sent */
    int64_t *end; /* of chunks, in elements of their messages */
    int64_t ends, room;
} packer;

static bool look(void *context, tsr_dist_box const *box, int64_t at)
{
    gpu_look *const l = (gpu_look *)context;
    (void)at;
    if (l->boxes == 0)
        l->box = *box;
    return ++l->boxes < 2;
}

static gpu_look look_at(packer const *k, tsr_dist_message const *m, bool sent)
{
    gpu_look l;
    l.boxes = 0;
    (void)tsr_dist_walk(k->plan, m, sent, 0, m->elements, look, &l);
    return l;
}

/** Is a message one run of a side's memory, whose elements are carried as they are? */
static bool in_place(packer const *k, gpu_look const *l, bool sender)
{
    tsr_dist_terms const *const t = sender ? &k->terms.pack : &k->terms.unpack;
    int64_t reached = 1;
    if (l->boxes != 1 || t->from != t->to || !tsr_dist_copies_(t))
        return false;
    for (int i = 0; i < l->box.loops; ++i) {
        if (l->box.step[!sender][i] != reached)
            return false;
        reached *= l->box.count[i];
    }
    return true;
}

static bool no_memory(packer const *k)
{
    return tsr_dist_fail_(k->maker.error, "there is no memory for %lld stages of messages", (long long)k->p->stages);
}

static bool add_end(packer *k, int64_t end)
{
    if (!tsr_dist_grow_((void **)&k->end, k->ends, &k->room, sizeof end))
        return no_memory(k);
    k->end[k->ends++] = end;
    return true;
}

/** Adds chunks of n elements behind `begin`, whole turns of `one` elements where these are smaller: each at most FASTER
 *  times the one before, or in the other order. */
static bool add_chunks(packer *k, int64_t begin, int64_t n, int64_t size, int64_t one, bool grows)
{
    int64_t const low = k->ends;
    for (int64_t done = 0; done < n;) {
        int64_t const whole = size >= one ? size / one * one : size, take = tsr_min64(whole, n - done);
        done += take;
        if (!add_end(k, grows ? begin + done : begin + n - done + take))
            return false;
        size = k->plan->adds ? size : tsr_min64(FASTER * size, k->most);
    }
    for (int64_t i = low, j = k->ends - 1; !grows && i < j; ++i, --j) {
        int64_t const end = k->end[i];
        k->end[i] = k->end[j];
        k->end[j] = end;
    }
    return true;
}

/** Cuts a message. */
static bool cut_message(packer *k, tsr_dist_message const *m, bool sent, gpu_message *x)
{
    gpu_look const l = look_at(k, m, sent);
    bool const packs = !in_place(k, &l, true), unpacks = !in_place(k, &l, false);
    int64_t const n = m->elements, least = tsr_max64(LEAST_CHUNK / k->bytes, 1);
    int64_t const one = l.boxes == 1 && l.box.loops > 0 ? n / l.box.count[l.box.loops - 1] : 1;
    int64_t const size = k->plan->adds ? k->most : tsr_min64(tsr_max64(n / FIRST_PART, least), k->most);
    int64_t half = packs && unpacks ? n / 2 : packs ? n : 0; /* of growing chunks */
    x->in_place = sent ? !packs : !unpacks;
    x->begin = l.box.begin[!sent];
    x->first = k->ends;
    bool const whole = (!packs && !unpacks) || (n <= 2 * least && n <= k->most);
    if (k->plan->adds)
        half = n;
    bool const ok = whole ? add_end(k, n)
                          : add_chunks(k, 0, half, size, one, true) && add_chunks(k, half, n - half, size, one, false);
    x->chunks = k->ends - x->first;
    return ok;
}

static bool cut_messages(packer *k, bool sent)
{
    int64_t const n = sent ? k->plan->sends : k->plan->receives;
    k->message[sent] = (gpu_message *)calloc((size_t)tsr_max64(n, 1), sizeof *k->message[sent]);
    bool ok = k->message[sent] || no_memory(k);
    for (int64_t i = 0; ok && i < n; ++i)
        ok = cut_message(k, sent ? &k->plan->send[i] : &k->plan->receive[i], sent, &k->message[sent][i]);
    return ok;
}

/** Adds chunk `c` of a message to a stage; *more: it was not the last one. */
static bool add_packet(packer *k, gpu_stage *stage, int64_t message, bool sent, int64_t c, bool *more)
{
    gpu_message const *const m = &k->message[sent][message];
    gpu_side *const s = &stage->side[sent];
    if (c >= m->chunks)
        return true;
    gpu_cut const cut = {message, c > 0 ? k->end[m->first + c - 1] : 0, k->end[m->first + c]};
    tsr_dist_packet packet = {(sent ? k->plan->send : k->plan->receive)[message].peer,
                              (cut.last - cut.first) * k->bytes, 0, m->in_place};
    if (packet.in_place)
        packet.at = (uint64_t)((m->begin + cut.first) * k->bytes);
    if (!tsr_dist_grow_((void **)&s->packet, s->count, &s->room, sizeof packet)
        || !tsr_dist_grow_((void **)&s->cut, s->count, &s->cut_room, sizeof cut))
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
        if (!tsr_dist_grow_((void **)&p->stage, p->stages, &p->room, sizeof nothing))
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

/** Places packets in the buffer, of which odd stages have the second half. */
static void place_packets(tsr_dist_packed *p)
{
    int64_t half = 0;
    for (int turn = 0; turn < 2; ++turn)
        for (int64_t s = 0; s < p->stages; ++s) {
            int64_t at = turn == 1 && s % 2 ? half : 0;
            for (int i = 0; i < 2; ++i)
                for (int64_t k = 0; k < p->stage[s].side[i].count; ++k) {
                    tsr_dist_packet *const x = &p->stage[s].side[i].packet[k];
                    if (x->in_place)
                        continue;
                    x->at = (uint64_t)at;
                    at += tsr_ceil_div64(x->bytes, ALIGNED) * ALIGNED;
                }
            half = turn == 0 ? tsr_max64(half, at) : half;
        }
    p->bytes = p->stages > 1 ? 2 * half : half;
}

/** The copies that pack a stage, or unpack it. */
static bool plan_side(packer *k, gpu_side *s, bool sent)
{
    dist_gpu_maker m = k->maker;
    m.list = &s->copies;
    m.packed[sent] = true;
    m.memory[sent] = BUFFER;
    m.terms = sent ? k->terms.pack : k->terms.unpack;
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
    tsr_dist_packed *const p = k->p;
    dist_gpu_maker m = k->maker;
    m.terms = k->terms.all;
    m.list = &p->keep;
    m.row = DIST_GPU_ROW; /* kernels pack meanwhile, and NCCL's move */
    if (!tsr_dist_walk(k->plan, &k->plan->keep, false, 0, k->plan->keep.elements, tsr_dist_gpu_box_, &m))
        return false;
    if (!k->plan->clears)
        return true;
    if (!tsr_dist_gpu_zeros_(m.device, &p->zeros, m.error))
        return false;
    m.list = &p->clear;
    m.memory[0] = p->zeros.address;
    return tsr_dist_gpu_scale_(&m, &k->plan->part[1], k->plan->to.modes, beta);
}

static bool make(packer *k, tsr_number beta)
{
    if (!cut_messages(k, false) || !cut_messages(k, true) || !make_stages(k) || !plan_own(k, beta))
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
    packer k = {.plan = plan, .maker = {.cache = cache, .device = device, .error = error}};
    *packed = NULL;
    if (!tsr_dist_gpu_runs_(plan->rank, plan->part, terms, old, new_, error))
        return false;
    if (budget < 0)
        return tsr_dist_fail_(error, "the budget is %lld bytes", (long long)budget);
    k.maker.memory[0] = old;
    k.maker.memory[1] = new_;
    k.terms = tsr_dist_gpu_terms_(terms, plan->adds);
    k.bytes = tsr_dtype_bits(k.terms.carried) / 8;
    int64_t const slots = 4 * tsr_max64(plan->ranks - 1, 1); /* two stages, both directions */
    k.most = tsr_max64((budget ? budget : USUAL_BUDGET) / slots / k.bytes, 1);
    k.p = (tsr_dist_packed *)calloc(1, sizeof *k.p);
    if (!k.p)
        return tsr_dist_fail_(error, "there is no memory for a plan");
    *packed = k.p;
    bool const ok = make(&k, terms->beta);
    free(k.message[0]);
    free(k.message[1]);
    free(k.end);
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
