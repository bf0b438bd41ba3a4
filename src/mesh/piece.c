/** The pieces of two lines. */
#include "mesh/piece.h"

/** a * b modulo m, for 0 <= a, b < m < 2^62. */
static int64_t multiply_modulo(int64_t a, int64_t b, int64_t m)
{
    int64_t r = 0;
    if (m <= (int64_t)1 << 31)
        return a * b % m;
    for (; b > 0; b >>= 1) {
        r = b & 1 ? (r + a) % m : r;
        a = 2 * a % m;
    }
    return r;
}

/** The inverse of a modulo m, which have no common divisor. */
static int64_t inverse_modulo(int64_t a, int64_t m)
{
    int64_t r0 = m, r1 = a % m, x0 = 0, x1 = 1;
    while (r1 > 0) {
        int64_t const q = r0 / r1, r = r0 - q * r1, x = x0 - q * x1;
        r0 = r1;
        r1 = r;
        x0 = x1;
        x1 = x;
    }
    return x0 < 0 ? x0 + m : x0;
}

dist_common tsr_dist_common_of_(int64_t extent, int64_t from_period, int64_t to_period)
{
    dist_common c;
    c.outer = to_period > from_period;
    int64_t const outer = c.outer ? to_period : from_period, inner = c.outer ? from_period : to_period;
    c.divisor = tsr_gcd64(outer, inner);
    c.period = tsr_mul64_most(outer, inner / c.divisor);
    c.range = inner / c.divisor;
    c.inverse = c.range == 1 ? 0 : inverse_modulo(outer / c.divisor, c.range);
    if (c.period > extent) /* nothing repeats */
        c.period = tsr_round_up64(tsr_max64(extent, 1), outer);
    c.inner = inner;
    c.turns[0] = c.period / from_period;
    c.turns[1] = c.period / to_period;
    return c;
}

/** a / b for 0 <= a: most of a plan's quotients are 0 or 1, and a division takes as long as all else of a piece. */
static int64_t quotient(int64_t a, int64_t b) { return a < b ? 0 : a - b < b ? 1 : a / b; }

static int64_t modulo(int64_t a, int64_t m)
{
    int64_t const r = m == 1 ? 0 : a % m;
    return r < 0 ? r + m : r;
}

/** One intersection of two intervals, and what adds its pieces. */
typedef struct intersection {
    dist_pieces *p;
    dist_common const *c;
    dist_line const *line[2];         /* from, to */
    dist_interval const *interval[2]; /* of these */
    int64_t elements;
} intersection;

/** The local index of element `at`, which the interval of that side has. */
static int64_t local_of(intersection const *m, int side, int64_t at)
{
    dist_interval const *const i = m->interval[side];
    int64_t const beyond = at - i->at, period = m->line[side]->period, turn = quotient(beyond, period);
    return i->local + turn * m->line[side]->width + beyond - turn * period;
}

static void push(intersection *m, int64_t at, int64_t length, int64_t count, int64_t again)
{
    if (length <= 0 || count <= 0 || again <= 0 || m->p->failed)
        return;
    if (m->p->count == DIST_MOST
        || !tsr_dist_grow_((void **)&m->p->piece, m->p->count, &m->p->capacity, sizeof *m->p->piece)) {
        m->p->failed = true;
        return;
    }
    dist_piece *const x = &m->p->piece[m->p->count++];
    x->length = length;
    x->count = count;
    x->again = again;
    x->at[0] = local_of(m, 0, at);
    x->at[1] = local_of(m, 1, at);
    m->elements += length * count * again;
}

/** `count` runs of `length` from `at` on at steps of the inner period, in each common period up to the extent. */
static void push_clipped(intersection *m, int64_t at, int64_t length, int64_t count)
{
    int64_t const n = m->line[0]->extent, step = m->c->inner, period = m->c->period;
    if (count <= 0 || length <= 0 || at >= n)
        return;
    int64_t const end = at + (count - 1) * step + length;
    int64_t const again = end <= n ? quotient(n - end, period) + 1 : 0;
    push(m, at, length, count, again);
    int64_t const last = at + again * period; /* a repetition that the extent cuts */
    if (last >= n)
        return;
    int64_t const whole = tsr_min64(count, last + length <= n ? quotient(n - last - length, step) + 1 : 0);
    push(m, last, length, whole, 1);
    if (whole < count && last + whole * step < n)
        push(m, last + whole * step, n - last - whole * step, 1, 1);
}

/** The inner intervals that lie in repetition t of the outer one: a first that may be cut, a run, a last. */
static void intersect_at(intersection *m, int64_t t)
{
    dist_interval const *const out = m->interval[m->c->outer], *const in = m->interval[!m->c->outer];
    int64_t const step = m->c->inner;
    int64_t const begin = out->at + t * m->line[m->c->outer]->period, end = begin + out->length;
    int64_t const before = begin - in->at - in->length;
    int64_t first = before < 0 ? 0 : quotient(before, step) + 1, last = end - in->at - 1;
    last = last < 0 ? -1 : quotient(last, step);
    if (first <= last && in->at + first * step < begin) {
        int64_t const stop = tsr_min64(in->at + first * step + in->length, end);
        push_clipped(m, begin, stop - begin, 1);
        ++first;
    }
    bool const cut = first <= last && in->at + last * step + in->length > end;
    push_clipped(m, in->at + first * step, in->length, last - first + (cut ? 0 : 1));
    if (cut)
        push_clipped(m, in->at + last * step, end - in->at - last * step, 1);
}

/** All intersections of two intervals in one common period. */
static void intersect(intersection *m)
{
    dist_interval const *const out = m->interval[m->c->outer], *const in = m->interval[!m->c->outer];
    int64_t const turns = m->c->turns[m->c->outer]; /* in the last one an interval may begin behind the extent */
    int64_t const g = m->c->divisor, range = m->c->range;
    int64_t const apart = out->at - in->at; /* delta is congruent to this modulo g, and near 0 */
    int64_t const deltas = quotient(out->length + in->length - 1, g) + 1;
    if (turns <= deltas || deltas >= range) {
        for (int64_t t = 0; t < turns; ++t)
            intersect_at(m, t);
        return;
    }
    int64_t delta = 1 - out->length;
    delta += modulo(apart - delta, g);
    for (; delta < in->length; delta += g) {
        int64_t const x = modulo(g == 1 ? delta - apart : (delta - apart) / g, range),
                      t = multiply_modulo(x, m->c->inverse, range);
        if (t < turns)
            intersect_at(m, t);
    }
}

/** Lines that do not repeat are in order: one walk along both. */
static void intersect_once(intersection *m)
{
    dist_line const *const a = m->line[0], *const b = m->line[1];
    for (int64_t i = 0, k = 0; i < a->count && k < b->count && !m->p->failed;) {
        int64_t const ends[] = {a->interval[i].at + a->interval[i].length, b->interval[k].at + b->interval[k].length};
        int64_t const at = tsr_max64(a->interval[i].at, b->interval[k].at);
        m->interval[0] = &a->interval[i];
        m->interval[1] = &b->interval[k];
        push(m, at, tsr_min64(tsr_min64(ends[0], ends[1]), a->extent) - at, 1, 1);
        i += ends[0] <= ends[1];
        k += ends[1] <= ends[0];
    }
}

int64_t tsr_dist_intersect_(dist_pieces *p, dist_common const *c, dist_line const *from, dist_line const *to)
{
    intersection m = {p, c, {from, to}, {NULL, NULL}, 0};
    bool const once = from->period >= from->extent && to->period >= to->extent;
    p->tried += once ? from->count + to->count : from->count * to->count;
    p->failed = p->failed || from->failed || to->failed || p->tried > DIST_PAIRS;
    if (once) {
        if (!p->failed)
            intersect_once(&m);
        return m.elements;
    }
    for (int64_t i = 0; i < from->count && !p->failed; ++i)
        for (int64_t k = 0; k < to->count && !p->failed; ++k) {
            m.interval[0] = &from->interval[i];
            m.interval[1] = &to->interval[k];
            intersect(&m);
        }
    return m.elements;
}
