/** Fragments as spaces over F2: what two of them have in common is counted by ranks.
 *
 *  Thread t holds the elements F(t) + span(registers of F), and needs G(t) + span(registers of G). The two meet if and
 *  only if F(t) + G(t) is in the sum of the spans; then they share as many elements as the spans do. What a warp holds
 *  is the same with the lanes of F among its registers.
 */
#include <string.h>

#include "infer/infer.h"

typedef struct span {
    int rank;
    uint64_t row[64];
} span;

/** Takes x into the span; false: it was there. */
static bool span_add(span *s, uint64_t x)
{
    for (int i = 0; i < s->rank; ++i)
        x = (x ^ s->row[i]) < x ? x ^ s->row[i] : x;
    if (x == 0)
        return false;
    s->row[s->rank++] = x;
    return true;
}

static void span_add_all(span *s, uint64_t const *x, int n)
{
    for (int i = 0; i < n; ++i)
        (void)span_add(s, x[i]);
}

static int rank_of(fragment const *f, int threads)
{
    span s = {0, {0}};
    span_add_all(&s, f->reg, f->registers);
    span_add_all(&s, f->thread, threads);
    return s.rank;
}

/** How many elements that the threads need by `to` are held by themselves, or, with the lanes, by their warps. */
static int64_t held(fragment const *from, fragment const *to, int warps, bool by_warp)
{
    int const lanes = by_warp ? INFER_LANES : 0, threads = INFER_LANES + warps;
    span both = {0, {0}};
    span_add_all(&both, from->reg, from->registers);
    span_add_all(&both, from->thread, lanes);
    int const mine = both.rank;
    span_add_all(&both, to->reg, to->registers);
    int const common = mine + to->registers - both.rank, before = both.rank;
    for (int i = 0; i < threads; ++i)
        (void)span_add(&both, to->thread[i] ^ (i < lanes ? 0 : from->thread[i]));
    return (int64_t)1 << (threads - (both.rank - before) + common);
}

tsr_move_count tsr_infer_move_(fragment const *from, fragment const *to, int warps)
{
    int64_t const all = (int64_t)1 << (INFER_LANES + warps + to->registers);
    int64_t const own = held(from, to, warps, false), near = held(from, to, warps, true);
    tsr_move_count const r = {own, near - own, all - near};
    return r;
}

int64_t tsr_infer_cost_(fragment const *from, fragment const *to, int warps)
{
    tsr_move_count const n = tsr_infer_move_(from, to, warps);
    return n.shuffled + TSR_INFER_SHARED * n.shared;
}

bool tsr_infer_same_(fragment const *a, fragment const *b, int warps)
{
    return a->registers == b->registers && tsr_infer_cost_(a, b, warps) == 0;
}

int64_t tsr_infer_reduced_(fragment const *from, fragment const *to, int warps)
{
    int const all = INFER_LANES + warps;
    int const thread = rank_of(from, 0) - rank_of(to, 0);
    int const warp = rank_of(from, INFER_LANES) - rank_of(to, INFER_LANES);
    int const block = rank_of(from, all) - rank_of(to, all);
    int64_t const results = (int64_t)1 << (all + to->registers);
    return results * (warp - thread) + TSR_INFER_SHARED * results * (block - warp);
}

void tsr_infer_push_(fragment *f, uint64_t basis)
{
    span s = {0, {0}};
    span_add_all(&s, f->reg, f->registers);
    if (span_add(&s, basis))
        f->reg[f->registers++] = basis;
}

fragment tsr_infer_blocked_(value_of const *v, int warps)
{
    fragment f;
    int bit = 0, threads = INFER_LANES + warps;
    int const inside = v->total > threads ? v->total - threads : 0;
    memset(&f, 0, sizeof f);
    for (int d = v->dims - 1; d >= 0; --d) {
        int first = 0;
        for (int k = 0; k < d; ++k)
            first += v->bits[k];
        for (int i = 0; i < v->bits[d]; ++i, ++bit)
            if (bit < inside)
                tsr_infer_push_(&f, (uint64_t)1 << (first + i));
            else
                f.thread[bit - inside] = (uint64_t)1 << (first + i);
    }
    return f;
}

/* Between fragments and maps */

/** The bases of the input of a name, or none. */
static int input_of(tsr_linear const *map, char const *name, uint64_t const **basis)
{
    int at = 0;
    int const dim = tsr_linear_dim(&map->in, name);
    for (int i = 0; i < dim; ++i)
        at += map->in.bits[i];
    *basis = map->basis + at;
    return dim < 0 ? 0 : map->in.bits[dim];
}

bool tsr_infer_from_(fragment *f, tsr_linear const *map, value_of const *v, tsr_message *error)
{
    uint64_t const *reg, *lane, *warp;
    int const regs = input_of(map, "register", &reg), lanes = input_of(map, "lane", &lane);
    int const warps = input_of(map, "warp", &warp);
    bool fits = regs + lanes + warps == tsr_linear_bits(&map->in) && lanes <= INFER_LANES
                && warps <= INFER_THREADS - INFER_LANES;
    memset(f, 0, sizeof *f);
    if (!fits)
        snprintf(error->text, sizeof error->text,
                 "a fragment has the inputs register, lane and warp, at most %d lanes", 1 << INFER_LANES);
    for (int i = 0; fits && map->out.count > 1 && i < v->dims; ++i)
        fits = map->out.count == v->dims && map->out.bits[i] == v->bits[i];
    fits = fits && tsr_linear_bits(&map->out) == v->total;
    if (!fits && !error->text[0])
        snprintf(error->text, sizeof error->text, "the fragment and %s have different extents", v->name);
    for (int i = 0; fits && i < regs; ++i)
        tsr_infer_push_(f, reg[i]);
    for (int i = 0; fits && i < lanes; ++i)
        f->thread[i] = lane[i];
    for (int i = 0; fits && i < warps; ++i)
        f->thread[INFER_LANES + i] = warp[i];
    if (fits && rank_of(f, INFER_THREADS) < v->total) {
        snprintf(error->text, sizeof error->text, "the fragment does not hold every element of %s", v->name);
        fits = false;
    }
    return fits;
}

tsr_linear tsr_infer_map_(fragment const *f, value_of const *v, int warps)
{
    tsr_linear_side in, out;
    uint64_t basis[TSR_LINEAR_BITS];
    int n = 0;
    memset(&in, 0, sizeof in);
    memset(&out, 0, sizeof out);
    tsr_linear_side_add(&in, "register", f->registers);
    tsr_linear_side_add(&in, "lane", INFER_LANES);
    tsr_linear_side_add(&in, "warp", warps);
    for (int i = 0; i < v->dims; ++i) {
        char name[16];
        snprintf(name, sizeof name, "dim%d", i);
        tsr_linear_side_add(&out, name, v->bits[i]);
    }
    for (int i = 0; i < f->registers; ++i)
        basis[n++] = f->reg[i];
    for (int i = 0; i < INFER_LANES + warps; ++i)
        basis[n++] = f->thread[i];
    return tsr_make_linear(&in, &out, basis);
}

/** The dimensions that a map has. */
static value_of value_of_map(tsr_linear const *map)
{
    value_of v;
    memset(&v, 0, sizeof v);
    snprintf(v.name, sizeof v.name, "the value");
    for (int i = 0; i < map->out.count && i < INFER_DIMS; ++i) {
        v.bits[v.dims++] = map->out.bits[i];
        v.total += map->out.bits[i];
    }
    return v;
}

static int warps_of(tsr_linear const *map)
{
    uint64_t const *basis;
    return input_of(map, "warp", &basis);
}

bool tsr_move_count_of(tsr_linear from, tsr_linear to, tsr_move_count *r, tsr_message *error)
{
    fragment f, g;
    value_of const v = value_of_map(&from);
    int const a = warps_of(&from), b = warps_of(&to);
    error->at = 0;
    error->text[0] = 0;
    if (from.why.status || to.why.status)
        tsr_format_reason(error->text, sizeof error->text, from.why.status ? from.why : to.why);
    else if (tsr_infer_from_(&f, &from, &v, error) && tsr_infer_from_(&g, &to, &v, error))
        *r = tsr_infer_move_(&f, &g, a > b ? a : b);
    return !error->text[0];
}
