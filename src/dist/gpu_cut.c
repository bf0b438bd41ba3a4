/** Messages of a plan in chunks.
 *
 *  One chunk is packed while another one is moved. Packing is about four times as fast as moving. So the first chunk is
 *  small, and each is at most four times the one before: it is packed in time. Where only the receiver needs a buffer,
 *  chunks come in the other order, and the last one, which is unpacked alone, is small. Both ends know the same
 *  elements, boxes and budget, so they cut alike.
 */
#include <stdlib.h>

#include "dist/form.h"
#include "dist/gpu_cut.h"

enum { LEAST_CHUNK = 4 << 20, FIRST_PART = 16, FASTER = 4 };

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
    if (!tsr_dist_grow_((void **)&k->end, k->ends, &k->room, sizeof end))
        return no_memory(k);
    k->end[k->ends++] = end;
    return true;
}

/** Adds chunks of n elements behind `begin`, whole turns of `one` elements where these are smaller: each at most FASTER
 *  times the one before, or in the other order. */
static bool add_chunks(dist_gpu_cutter *k, int64_t begin, int64_t n, int64_t size, int64_t one, bool grows)
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
static bool cut_message(dist_gpu_cutter *k, tsr_dist_message const *m, bool sent, dist_gpu_message *x)
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
