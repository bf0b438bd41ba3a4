/** The choices of each operation, and the assignment that costs least.
 *
 *  A fragment of one operand gives layouts of the operation: the bits that the operand leaves out go to new registers,
 *  or to the threads that hold copies. These give fragments of the other operands, until there are no new ones. The
 *  search goes through the operations in order, and leaves a branch whose cost is not below the best.
 */
#include <stdlib.h>
#include <string.h>

#include "infer/infer.h"

/** Takes a fragment into the pool of a value; true: it is new. */
static bool pool_add(tsr_inference const *p, value_of *v, fragment const *f)
{
    for (int i = 0; i < v->fragments; ++i)
        if (tsr_infer_same_(&v->pool[i], f, p->warps))
            return false;
    if (v->fragments == INFER_CHOICES)
        return false;
    v->pool[v->fragments++] = *f;
    return true;
}

/** The bits of the operation's coordinate x as those of an operand. */
static uint64_t projected(value_of const *op, int operand, uint64_t x)
{
    uint64_t r = 0;
    for (int b = 0; b < op->space; ++b)
        if (x >> b & 1u && op->to[operand][b] >= 0)
            r |= (uint64_t)1 << op->to[operand][b];
    return r;
}

static fragment project(value_of const *op, int operand, fragment const *f)
{
    fragment r;
    memset(&r, 0, sizeof r);
    for (int i = 0; i < f->registers; ++i)
        tsr_infer_push_(&r, projected(op, operand, f->reg[i]));
    for (int i = 0; i < INFER_THREADS; ++i)
        r.thread[i] = projected(op, operand, f->thread[i]);
    return r;
}

/** The bits of an operand as those of the operation. */
static uint64_t lifted(value_of const *op, int operand, uint64_t x)
{
    uint64_t r = 0;
    for (int b = 0; b < op->space; ++b)
        if (op->to[operand][b] >= 0 && x >> op->to[operand][b] & 1u)
            r |= (uint64_t)1 << b;
    return r;
}

/** A layout of the operation in which an operand is f. The bits that the operand leaves out go to threads that hold
 *  copies, if they may, and to registers. */
static fragment lift(tsr_inference const *p, value_of const *op, int operand, fragment const *f, bool copies)
{
    fragment r;
    int thread = 0;
    memset(&r, 0, sizeof r);
    for (int i = 0; i < f->registers; ++i)
        tsr_infer_push_(&r, lifted(op, operand, f->reg[i]));
    for (int i = 0; i < INFER_THREADS; ++i)
        r.thread[i] = lifted(op, operand, f->thread[i]);
    for (int b = 0; b < op->space; ++b) {
        if (op->to[operand][b] >= 0)
            continue;
        while (thread < INFER_LANES + p->warps && f->thread[thread] != 0)
            ++thread;
        if (copies && thread < INFER_LANES + p->warps)
            r.thread[thread++] = (uint64_t)1 << b;
        else
            tsr_infer_push_(&r, (uint64_t)1 << b);
    }
    return r;
}

static bool same_choice(tsr_inference const *p, value_of const *op, choice const *a, choice const *b)
{
    bool same = true;
    for (int i = 0; same && i <= op->operands; ++i)
        same = tsr_infer_same_(&a->need[i], &b->need[i], p->warps);
    return same;
}

/** Takes a choice of an operation, and what it needs into the pools; true: it is new. */
static bool choice_add(tsr_inference *p, value_of *op, choice const *c)
{
    for (int i = 0; i < op->choices; ++i)
        if (same_choice(p, op, &op->choice[i], c))
            return false;
    if (op->choices == INFER_CHOICES)
        return false;
    op->choice[op->choices++] = *c;
    for (int i = 0; i <= op->operands; ++i)
        (void)pool_add(p, &p->value[op->operand[i]], &c->need[i]);
    return true;
}

/** The layouts of an operation that a fragment of one of its values gives. */
static bool propose(tsr_inference *p, value_of *op, int operand, fragment const *f)
{
    bool grown = false;
    for (int copies = 0; copies < 2; ++copies) {
        fragment const whole = lift(p, op, operand, f, copies != 0);
        choice c;
        memset(&c, 0, sizeof c);
        for (int i = 0; i <= op->operands; ++i)
            c.need[i] = project(op, i, &whole);
        if (op->kind == OP_REDUCE)
            c.cost = tsr_infer_reduced_(&c.need[0], &c.need[1], p->warps);
        grown = choice_add(p, op, &c) || grown;
    }
    return grown;
}

/* Products */

/** A bit of a tile of `rows` bits by others, from a bit of the atom's of `atom_rows` bits. */
static uint64_t tile_bits(uint64_t x, int atom_rows, int rows)
{
    uint64_t const low = ((uint64_t)1 << atom_rows) - 1;
    return (x & low) | (x >> atom_rows) << rows;
}

/** A fragment of the atom repeated over a tile: `by_rows` and `by_columns` bits of warps, the rest in registers. */
static fragment tiled(tsr_layout const *l, int const *atom, value_of const *v, int by_rows, int by_columns, int first,
                      int second)
{
    fragment r;
    tsr_linear const map = tsr_linear_of_tv(*l);
    int const registers = tsr_linear_bits(&map.in) - INFER_LANES, rows = v->bits[0];
    memset(&r, 0, sizeof r);
    for (int i = 0; i < registers; ++i)
        tsr_infer_push_(&r, tile_bits(map.basis[i], atom[0], rows));
    for (int i = 0; i < INFER_LANES; ++i)
        r.thread[i] = tile_bits(map.basis[registers + i], atom[0], rows);
    for (int i = 0; i < by_rows; ++i)
        r.thread[INFER_LANES + first + i] = (uint64_t)1 << (atom[0] + i);
    for (int i = 0; i < by_columns; ++i)
        r.thread[INFER_LANES + second + i] = (uint64_t)1 << (rows + atom[1] + i);
    for (int i = atom[0] + by_rows; i < rows; ++i)
        tsr_infer_push_(&r, (uint64_t)1 << i);
    for (int i = rows + atom[1] + by_columns; i < v->total; ++i)
        tsr_infer_push_(&r, (uint64_t)1 << i);
    return r;
}

static int log_of(int64_t n) { return tsr_bit_width((uint64_t)n) - 1; }

/** Warps along M and along N, in every way; those that are left over hold copies. */
static void propose_mma(tsr_inference *p, value_of *op)
{
    tsr_tuple const shape = tsr_mma_shape(op->atom);
    int const m = log_of(shape.leaf[0].value), n = log_of(shape.leaf[1].value), k = log_of(shape.leaf[2].value);
    tsr_layout const a = tsr_static_all(tsr_mma_layout_a(op->atom)), b = tsr_static_all(tsr_mma_layout_b(op->atom));
    tsr_layout const c = tsr_static_all(tsr_mma_layout_c(op->atom));
    int const along_m[2] = {m, k}, along_n[2] = {n, k}, both[2] = {m, n};
    for (int wm = 0; wm <= p->warps && wm <= op->bits[0] - m; ++wm) {
        int const left = p->warps - wm, room = op->bits[1] - n, wn = left < room ? left : room;
        choice x;
        memset(&x, 0, sizeof x);
        x.need[0] = tiled(&a, along_m, &p->value[op->operand[0]], wm, 0, 0, 0);
        x.need[1] = tiled(&b, along_n, &p->value[op->operand[1]], wn, 0, wm, 0);
        x.need[2] = x.need[3] = tiled(&c, both, op, wm, wn, 0, wm);
        (void)choice_add(p, op, &x);
    }
}

/* Proposals */

/** One round; true: something is new. */
static bool propose_round(tsr_inference *p)
{
    bool grown = false;
    for (int v = 0; v < p->values; ++v) {
        value_of *const op = &p->value[v];
        for (int i = 0; is_computed(op) && op->kind != OP_MMA && i <= op->operands; ++i)
            for (int k = 0; k < p->value[op->operand[i]].fragments; ++k)
                grown = propose(p, op, i, &p->value[op->operand[i]].pool[k]) || grown;
    }
    return grown;
}

/** A value without any fragment, or -1. */
static int unknown(tsr_inference const *p)
{
    for (int v = 0; v < p->values; ++v)
        if (p->value[v].fragments == 0)
            return v;
    return -1;
}

void tsr_infer_propose_(tsr_inference *p)
{
    for (int v = 0; v < p->values; ++v) {
        if (p->value[v].given)
            (void)pool_add(p, &p->value[v], &p->value[v].fixed);
        if (p->value[v].kind == OP_MMA)
            propose_mma(p, &p->value[v]);
    }
    do {
        while (propose_round(p))
            continue;
        int const v = unknown(p);
        if (v < 0)
            break;
        fragment const f = tsr_infer_blocked_(&p->value[v], p->warps);
        (void)pool_add(p, &p->value[v], &f);
    } while (true);
}

/* Search */

/** The fragment that an operation needs of a value; the given one of its own result last. */
static fragment const *needed(value_of const *op, int operand) { return &op->choice[op->chosen].need[operand]; }

static fragment const *home_of(value_of const *v)
{
    if (is_computed(v))
        return needed(v, v->operands);
    return v->given ? &v->fixed : &v->pool[v->home];
}

/** Is the same fragment of the value needed before operand i of operation u? Then it is moved once. */
static bool is_moved_before(tsr_inference const *p, int value, int u, int i, fragment const *f)
{
    value_of const *const v = &p->value[value];
    if (is_computed(v) && v->given && tsr_infer_same_(&v->fixed, f, p->warps))
        return true;
    for (int k = 0; k <= u; ++k)
        for (int j = 0; is_computed(&p->value[k]) && j < p->value[k].operands && (k < u || j < i); ++j)
            if (p->value[k].operand[j] == value && tsr_infer_same_(needed(&p->value[k], j), f, p->warps))
                return true;
    return false;
}

/** What an operation costs: its exchanges, and the moves of its operands, but of those that are free. */
static int64_t cost_of(tsr_inference const *p, int u)
{
    value_of const *const op = &p->value[u];
    int64_t cost = op->choice[op->chosen].cost;
    if (op->given)
        cost += tsr_infer_cost_(home_of(op), &op->fixed, p->warps);
    for (int i = 0; i < op->operands; ++i) {
        value_of const *const v = &p->value[op->operand[i]];
        bool const is_free = !is_computed(v) && !v->given;
        if (!is_free && !is_moved_before(p, op->operand[i], u, i, needed(op, i)))
            cost += tsr_infer_cost_(home_of(v), needed(op, i), p->warps);
    }
    return cost;
}

/** The moves of a free value, whose fragment is the one that costs least, then the one of the fewest registers. */
static int64_t settle(tsr_inference *p, int value)
{
    value_of *const v = &p->value[value];
    int64_t least = INT64_MAX;
    int best = 0;
    for (v->home = 0; v->home < v->fragments; ++v->home) {
        int64_t cost = 0;
        for (int u = value + 1; u < p->values; ++u)
            for (int i = 0; is_computed(&p->value[u]) && i < p->value[u].operands; ++i)
                if (p->value[u].operand[i] == value && !is_moved_before(p, value, u, i, needed(&p->value[u], i)))
                    cost += tsr_infer_cost_(home_of(v), needed(&p->value[u], i), p->warps);
        bool const smaller = cost == least && v->pool[v->home].registers < v->pool[best].registers;
        best = cost < least || smaller ? v->home : best;
        least = cost < least ? cost : least;
    }
    v->home = best;
    return least;
}

static int64_t settle_all(tsr_inference *p)
{
    int64_t cost = 0;
    for (int v = 0; v < p->values; ++v)
        if (!is_computed(&p->value[v]) && !p->value[v].given)
            cost += settle(p, v);
    return cost;
}

static void keep(tsr_inference *p, int64_t cost)
{
    p->cost = cost;
    for (int v = 0; v < p->values; ++v)
        p->value[v].best = p->value[v].chosen;
}

/** Tries the choices of value u, the cheapest first, and of all behind it; `steps` are left. */
static void search(tsr_inference *p, int u, int64_t cost, int64_t *steps)
{
    while (u < p->values && !is_computed(&p->value[u]))
        ++u;
    if (--*steps <= 0)
        return;
    if (u == p->values) {
        cost += settle_all(p);
        if (cost < p->cost)
            keep(p, cost);
        return;
    }
    value_of *const op = &p->value[u];
    int64_t more[INFER_CHOICES];
    for (op->chosen = 0; op->chosen < op->choices; ++op->chosen)
        more[op->chosen] = cost_of(p, u);
    for (int tried = 0; tried < op->choices; ++tried) {
        int next = 0;
        for (int i = 1; i < op->choices; ++i)
            next = more[i] < more[next] ? i : next;
        op->chosen = next;
        if (cost + more[next] < p->cost)
            search(p, u + 1, cost + more[next], steps);
        more[next] = INT64_MAX;
    }
}

/** Takes note of the moves of the operands of u, and to its given fragment. */
static void note_move(tsr_inference *p, int value, int user, fragment const *to)
{
    value_of const *const v = &p->value[value];
    if (tsr_infer_cost_(home_of(v), to, p->warps) == 0)
        return;
    tsr_inferred_move *const m = &p->move[p->moves++];
    m->value = value;
    m->user = user;
    m->to = tsr_infer_map_(to, v, p->warps);
    m->count = tsr_infer_move_(home_of(v), to, p->warps);
}

void tsr_infer_search_(tsr_inference *p)
{
    int64_t steps = INFER_STEPS;
    p->cost = INT64_MAX;
    search(p, 0, 0, &steps);
    p->proved = steps > 0;
    for (int v = 0; v < p->values; ++v)
        p->value[v].chosen = p->value[v].best;
    (void)settle_all(p);
    for (int u = 0; u < p->values; ++u) {
        value_of const *const op = &p->value[u];
        for (int i = 0; is_computed(op) && i < op->operands; ++i)
            if (!is_moved_before(p, op->operand[i], u, i, needed(op, i)))
                note_move(p, op->operand[i], u, needed(op, i));
        if (is_computed(op) && op->given)
            note_move(p, u, u, &op->fixed);
    }
}
