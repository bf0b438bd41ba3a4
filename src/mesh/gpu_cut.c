/** Messages of a plan in chunks.
 *
 *  One chunk is packed while another one is moved. Packing is about four times as fast as moving, and each chunk costs
 *  some time of its own. So a message that is packed has a fifth of it in front, and the rest is packed while that
 *  fifth is moved. One that is unpacked has a fifth behind. What is larger than a chunk may be is cut again. Both ends
 *  know the same elements, boxes and budget, so they cut alike.
 */
#include <stdlib.h>

#include "mesh/form.h"
#include "mesh/gpu_cut.h"

enum { CUT = 16 << 20 /* bytes of a message */, OF_ONE = 5, OF_BOTH = 6 };

/** What is asked of a message: its first box, and how many there are. */
typedef struct gpu_look {
    tsr_dist_box box;
    int64_t boxes;
} gpu_look;

static bool look(void *context, tsr_dist_box const *box, int64_t at)
{
    gpu_look *const l = (gpu_look *)context;
    (void)at;
    if (l->boxes == 0)
        l->box = *box;
    return ++l->boxes < 2;
}

static gpu_look look_at(dist_gpu_cutter const *k, tsr_dist_message const *m, bool sent)
{
    gpu_look l;
    l.boxes = 0;
    (void)tsr_dist_walk(k->plan, m, sent, 0, m->elements, look, &l);
    return l;
}

/** Is a message one run of a side's memory, whose elements are carried as they are? */
static bool in_place(dist_gpu_cutter const *k, gpu_look const *l, bool sender)
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

static bool no_memory(dist_gpu_cutter const *k)
{
    return tsr_dist_fail_(k->error, "there is no memory for %lld chunks of messages", (long long)k->ends + 1);
}

static bool add_end(dist_gpu_cutter *k, int64_t end)
{
    if (!tsr_dist_grow_((void **)&k->end, k->ends, &k->capacity, sizeof end))
        return no_memory(k);
    k->end[k->ends++] = end;
    return true;
}

/** Adds a chunk, or as many equal ones as are needed, up to `end`; of whole turns of `one` elements where these are
 *  smaller. */
static bool add_chunks(dist_gpu_cutter *k, int64_t begin, int64_t end, int64_t one)
{
    int64_t const n = end - begin, part = tsr_ceil_div64(n, tsr_max64(tsr_ceil_div64(n, k->most), 1));
    int64_t const size = part >= one ? part / one * one : part;
    while (begin < end) {
        begin = tsr_min64(begin + size, end);
        if (!add_end(k, begin))
            return false;
    }
    return true;
}

/** Cuts a message. */
static bool cut_message(dist_gpu_cutter *k, tsr_dist_message const *m, bool sent, dist_gpu_message *x)
{
    gpu_look const l = look_at(k, m, sent);
    bool const packs = !in_place(k, &l, true), unpacks = !in_place(k, &l, false);
    int64_t const n = m->elements, one = l.boxes == 1 && l.box.loops > 0 ? n / l.box.count[l.box.loops - 1] : 1;
    int64_t const part = tsr_min64(n / (packs && unpacks ? OF_BOTH : OF_ONE), k->most);
    bool const cuts = !k->plan->adds && n * k->bytes >= CUT;
    int64_t const whole = part >= one ? part / one * one : tsr_max64(part, 1);
    int64_t const first = cuts && packs ? whole : 0, last = cuts && unpacks ? whole : 0;
    x->in_place = sent ? !packs : !unpacks;
    x->begin = l.box.begin[!sent];
    x->first = k->ends;
    bool const ok = !packs && !unpacks ? add_end(k, n)
                                       : add_chunks(k, 0, first, one) && add_chunks(k, first, n - last, one)
                                             && add_chunks(k, n - last, n, one);
    x->chunks = k->ends - x->first;
    return ok;
}

static bool cut_messages(dist_gpu_cutter *k, bool sent)
{
    int64_t const n = sent ? k->plan->sends : k->plan->receives;
    k->message[sent] = (dist_gpu_message *)calloc((size_t)tsr_max64(n, 1), sizeof *k->message[sent]);
    bool ok = k->message[sent] || no_memory(k);
    for (int64_t i = 0; ok && i < n; ++i)
        ok = cut_message(k, sent ? &k->plan->send[i] : &k->plan->receive[i], sent, &k->message[sent][i]);
    return ok;
}

bool tsr_dist_gpu_cut_(dist_gpu_cutter *k) { return cut_messages(k, false) && cut_messages(k, true); }

void tsr_dist_gpu_cut_free_(dist_gpu_cutter *k)
{
    free(k->message[0]);
    free(k->message[1]);
    free(k->end);
}
