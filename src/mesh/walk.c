/** The boxes of a message: every combination of the pieces of its modes. */
#include "mesh/list.h"

typedef struct walker {
    tsr_dist_plan const *plan;
    dist_piece const *piece[TSR_DIST_MODES];
    int64_t pieces[TSR_DIST_MODES];
    dist_steps steps[TSR_DIST_MODES][2]; /* of the pieces, in memory */
    int64_t const *stride[2];            /* of the modes: in the sender's memory and in the receiver's */
    int64_t first, last;
    tsr_dist_see see;
    void *context;
} walker;

/** Adds a loop, which goes on with the one before where both sides do. */
static void add_loop(tsr_dist_box *b, int64_t count, int64_t from, int64_t to)
{
    int const k = b->loops;
    b->elements *= count;
    if (count == 1)
        return;
    if (k > 0 && b->step[0][k - 1] * b->count[k - 1] == from && b->step[1][k - 1] * b->count[k - 1] == to) {
        b->count[k - 1] *= count;
        return;
    }
    b->count[k] = count;
    b->step[0][k] = from;
    b->step[1][k] = to;
    ++b->loops;
}

/** The box of one combination. Its loops are in the order of the new memory, and a mode's own from the inside out. */
static tsr_dist_box box_of(walker const *w, int64_t const *at)
{
    tsr_dist_box b;
    b.loops = 0;
    b.elements = 1;
    b.begin[0] = b.begin[1] = 0;
    for (int k = 0; k < w->plan->to.modes; ++k) {
        int const m = w->plan->to.order[k];
        dist_piece const *const p = &w->piece[m][at[m]];
        dist_steps const *const s = w->steps[m];
        b.begin[0] += p->at[0] * w->stride[0][m];
        b.begin[1] += p->at[1] * w->stride[1][m];
        add_loop(&b, p->length, w->stride[0][m], w->stride[1][m]);
        add_loop(&b, p->count, s[0].step, s[1].step);
        add_loop(&b, p->again, s[0].leap, s[1].leap);
    }
    return b;
}

static void move_begin(tsr_dist_box *b, int64_t turns)
{
    b->begin[0] += turns * b->step[0][b->loops];
    b->begin[1] += turns * b->step[1][b->loops];
}

/** Elements first to last - 1 of a box as boxes: of the outermost loop a part of one turn, whole turns, a part. */
static bool cut(walker const *w, tsr_dist_box b, int64_t first, int64_t last, int64_t at)
{
    if (first >= last)
        return true;
    if (first == 0 && last == b.elements)
        return w->see(w->context, &b, at);
    tsr_dist_box inner = b;
    int64_t const count = b.count[--inner.loops], one = b.elements / count, head = (one - first % one) % one;
    int64_t const turn = first / one, whole = tsr_ceil_div64(first, one);
    inner.elements = one;
    move_begin(&inner, turn);
    if (last <= (turn + 1) * one)
        return cut(w, inner, first - turn * one, last - turn * one, at);
    if (!cut(w, inner, head ? first - turn * one : 0, head ? one : 0, at))
        return false;
    tsr_dist_box middle = b;
    middle.begin[0] = inner.begin[0];
    middle.begin[1] = inner.begin[1];
    --middle.loops;
    move_begin(&middle, whole - turn);
    int64_t const begin[] = {middle.begin[0], middle.begin[1]}, turns = last / one - whole;
    middle.count[middle.loops++] = turns;
    middle.elements = turns * one;
    if (turns > 0 && !w->see(w->context, &middle, at + head))
        return false;
    inner.begin[0] = begin[0];
    inner.begin[1] = begin[1];
    move_begin(&inner, turns);
    return cut(w, inner, 0, last % one, at + head + turns * one);
}

static bool walk(walker const *w)
{
    int64_t at[TSR_DIST_MODES] = {0}, done = 0;
    for (;;) {
        tsr_dist_box const b = box_of(w, at);
        int const modes = w->plan->to.modes;
        int k = 0;
        if (done >= w->last)
            return true;
        int64_t const first = tsr_max64(w->first - done, 0), last = tsr_min64(w->last - done, b.elements);
        if (first < last && !cut(w, b, first, last, tsr_max64(done - w->first, 0)))
            return false;
        done += b.elements;
        for (; k < modes; ++k) {
            int const m = w->plan->to.order[k];
            if (++at[m] < w->pieces[m])
                break;
            at[m] = 0;
        }
        if (k == modes)
            return true;
    }
}

/** The pieces of an entry of a mode, and their steps in both memories. The list is the one of side `own`. */
static void take_entry(walker *w, int mode, dist_list const *list, int64_t at, int own)
{
    dist_entry const *const e = &list->entry[at];
    w->piece[mode] = &list->pieces.piece[e->first];
    w->pieces[mode] = (at + 1 < list->count ? (int64_t)e[1].first : list->pieces.count) - (int64_t)e->first;
    for (int side = 0; side < 2; ++side) {
        dist_steps *const s = &w->steps[mode][side];
        *s = tsr_dist_steps_of_(&list->common, side, side == own ? list->width : e->width);
        s->step = tsr_mul64_most(s->step, w->stride[side][mode]); /* too far only where there is one run */
        s->leap = tsr_mul64_most(s->leap, w->stride[side][mode]);
    }
}

bool tsr_dist_walk(tsr_dist_plan const *plan, tsr_dist_message const *message, bool sent, int64_t first, int64_t last,
                   tsr_dist_see see, void *context)
{
    tsr_dist_part peer;
    walker w;
    bool const kept = message == &plan->keep;
    int64_t which = message->which;
    if (message->elements == 0)
        return true;
    w.plan = plan;
    w.first = first;
    w.last = tsr_min64(last, message->elements);
    w.see = see;
    w.context = context;
    (void)tsr_dist_part_of(sent ? &plan->to : &plan->from, message->peer, &peer);
    w.stride[0] = sent || kept ? plan->part[0].stride : peer.stride;
    w.stride[1] = sent ? peer.stride : plan->part[1].stride;
    for (int m = 0; m < plan->from.modes; ++m) {
        dist_list const *const list = &plan->lists[!sent]->mode[m];
        take_entry(&w, m, list, which % list->count, !sent);
        which /= list->count;
    }
    return walk(&w);
}
