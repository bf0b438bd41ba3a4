/** Sums of one function a leaf, from samples that may be few.
 *
 *  Each sample is an equation: value = base + sum of g_k(digit k). One with a single unknown number determines it, and
 *  so do two that differ in one digit; the equations are gone through until none does. What they leave free is chosen.
 *  Each g_k is then a mixed radix, whose first digit is the largest one that moves in even steps.
 */
#include "fit/fit.h"

grid tsr_fit_grid_(tsr_tuple const *shape)
{
    grid g = TSR_ZERO;
    g.size = 1;
    for (int i = 0; i < shape->leaves; ++i) {
        g.extent[g.leaves] = shape->leaf[i].kind == TSR_UNIT ? 1 : shape->leaf[i].value;
        g.weight[g.leaves] = g.size;
        g.size *= g.extent[g.leaves++];
    }
    return g;
}

int64_t tsr_fit_sums_at_(sums const *r, grid const *g, int64_t c)
{
    int64_t v = r->base;
    for (int k = 0; k < g->leaves; ++k) {
        int64_t digit = grid_digit(g, k, c);
        for (int i = 0; i < r->of[k].count; ++i) {
            v = tsr_wrap_add(v, tsr_wrap_mul(digit % r->of[k].extent[i], r->of[k].stride[i]));
            digit /= r->of[k].extent[i];
        }
    }
    return v;
}

/** The functions g_k, one behind the other; a leaf of extent 1 has none, so that they fit in the size of the grid. */
typedef struct unknowns {
    int64_t *g[TSR_MAX_LEAVES];
    int64_t base;
} unknowns;

/** Takes one sample. Returns false where nothing is unknown and the sum is another one: *got. */
static bool take_sample(unknowns *u, grid const *g, int64_t c, int64_t v, bool *learned, bool *open, int64_t *got)
{
    int64_t sum = u->base;
    int unknown = -1, count = 0;
    for (int k = 0; k < g->leaves; ++k) {
        if (g->extent[k] == 1)
            continue;
        int64_t const x = u->g[k][grid_digit(g, k, c)];
        count += x == TSR_BAD_OFFSET;
        unknown = x == TSR_BAD_OFFSET ? k : unknown;
        sum = x == TSR_BAD_OFFSET ? sum : tsr_wrap_add(sum, x);
    }
    *got = sum;
    *open = *open || count > 1;
    if (count == 1) {
        u->g[unknown][grid_digit(g, unknown, c)] = tsr_wrap_sub(v, sum);
        *learned = true;
    }
    return count > 0 || sum == v;
}

/** The stride of all known numbers within blocks of `run`; false where they have several. `known` counts them. */
static bool stride_of(int64_t const *v, int64_t n, int64_t run, int64_t *stride, int64_t *known)
{
    bool some = false;
    *stride = *known = 0;
    for (int64_t block = 0; block < n; block += run) {
        int64_t before = -1;
        for (int64_t i = block; i < block + run; ++i) {
            if (v[i] == TSR_BAD_OFFSET)
                continue;
            ++*known;
            if (before >= 0) {
                int64_t const d = tsr_wrap_sub(v[i], v[before]) / (i - before);
                *stride = some ? *stride : d;
                some = true;
                if (tsr_wrap_mul(*stride, i - before) != tsr_wrap_sub(v[i], v[before]))
                    return false;
            }
            before = i;
        }
    }
    return true;
}

/** Where too few samples are left: one function goes on in even steps. False: none can. */
static bool go_on(unknowns *u, grid const *g)
{
    for (int k = 0; k < g->leaves; ++k) {
        int64_t const n = g->extent[k];
        int64_t stride = 0, known = 0, i = 0;
        if (n == 1 || !stride_of(u->g[k], n, n, &stride, &known) || known < 2 || known == n)
            continue;
        while (u->g[k][i] == TSR_BAD_OFFSET)
            ++i;
        int64_t const begin = tsr_wrap_sub(u->g[k][i], tsr_wrap_mul(i, stride));
        for (i = 0; i < n; ++i)
            u->g[k][i] = tsr_wrap_add(begin, tsr_wrap_mul(i, stride));
        return true;
    }
    return false;
}

/** The difference of two samples that differ in one digit alone is that of its numbers. False: no number is new. */
static bool compare_rows(source const *f, unknowns *u)
{
    grid const *const g = f->grid;
    bool learned = false;
    for (int k = 0; k < g->leaves; ++k)
        for (int64_t c = 0; c < g->size && g->extent[k] > 1; ++c) {
            int64_t known = 0;
            if (grid_digit(g, k, c) != 0)
                continue;
            while (known < g->extent[k]
                   && (u->g[k][known] == TSR_BAD_OFFSET || source_at(f, c + known * g->weight[k]) == TSR_BAD_OFFSET))
                ++known;
            for (int64_t i = 0; i < g->extent[k] && known < g->extent[k]; ++i) {
                int64_t const v = source_at(f, c + i * g->weight[k]), from = source_at(f, c + known * g->weight[k]);
                if (v == TSR_BAD_OFFSET || u->g[k][i] != TSR_BAD_OFFSET)
                    continue;
                u->g[k][i] = tsr_wrap_add(u->g[k][known], tsr_wrap_sub(v, from));
                learned = true;
            }
        }
    return learned;
}

/** Where samples leave a number free, it is 0: the first unknown one of a sample with several. Each costs a pass over
 *  all samples, so the numbers behind MOST_FREE of them go on in even steps. */
enum { MOST_FREE = 64 };
static bool choose(source const *f, unknowns *u)
{
    grid const *const g = f->grid;
    for (int64_t c = 0; c < g->size; ++c)
        for (int k = 0; k < g->leaves && source_at(f, c) != TSR_BAD_OFFSET; ++k) {
            int64_t *const x = g->extent[k] > 1 ? &u->g[k][grid_digit(g, k, c)] : NULL;
            if (x && *x == TSR_BAD_OFFSET) {
                *x = 0;
                return true;
            }
        }
    return false;
}

/** The functions of all samples; false at the first sample that has another sum. */
static bool solve(source const *f, unknowns *u, int64_t *at, int64_t *got)
{
    grid const *const g = f->grid;
    int64_t first = 0;
    bool learned = true, open = true;
    while (first < g->size && source_at(f, first) == TSR_BAD_OFFSET)
        ++first;
    u->base = source_at(f, first);
    for (int k = 0; k < g->leaves; ++k)
        if (g->extent[k] > 1)
            u->g[k][grid_digit(g, k, first)] = 0;
    for (int free = 0; learned && open;) {
        learned = open = false;
        for (int64_t c = first; c < g->size; ++c) {
            int64_t const v = source_at(f, c);
            *at = c;
            if (v != TSR_BAD_OFFSET && !take_sample(u, g, c, v, &learned, &open, got))
                return false;
        }
        learned = learned || (open && (compare_rows(f, u) || go_on(u, g) || (free++ < MOST_FREE && choose(f, u))));
    }
    return true;
}

/** Puts the blocks of `run` together into one number each; false where a block has several. */
static bool fold(int64_t *v, int64_t n, int64_t run, int64_t stride)
{
    for (int pass = 0; pass < 2; ++pass) /* tries, then writes */
        for (int64_t block = 0; block < n / run; ++block) {
            int64_t x = TSR_BAD_OFFSET;
            for (int64_t i = 0; i < run; ++i) {
                int64_t const y = v[block * run + i];
                int64_t const begin = y == TSR_BAD_OFFSET ? x : tsr_wrap_sub(y, tsr_wrap_mul(i, stride));
                if (x != TSR_BAD_OFFSET && begin != x)
                    return false;
                x = begin;
            }
            if (pass == 1)
                v[block] = x;
        }
    return true;
}

/** The mixed radix of a function; the last digit goes on where there is none. */
static void find_radix(int64_t *v, int64_t n, radix *r)
{
    r->count = 0;
    while (n > 1 && r->count < TSR_LINEAR_BITS) {
        int64_t run = n, stride = 0, known = 0;
        bool found = stride_of(v, n, n, &stride, &known);
        for (int64_t parts = 2; !found && parts <= n / 2; ++parts) {
            run = n / parts;
            found = n % parts == 0 && stride_of(v, n, run, &stride, &known) && fold(v, n, run, stride);
        }
        if (!found) { /* the samples are compared with it, and one differs */
            run = n;
            (void)stride_of(v, n, n, &stride, &known);
        }
        r->extent[r->count] = run;
        r->stride[r->count++] = stride;
        n /= run;
    }
}

bool tsr_fit_sums_(source const *f, int64_t *work, sums *r, int64_t *at, int64_t *got)
{
    grid const *const g = f->grid;
    unknowns u = TSR_ZERO;
    int64_t used = 0;
    for (int k = 0; k<g->leaves; used += g->extent[k]> 1 ? g->extent[k] : 0, ++k)
        u.g[k] = work + used;
    for (int64_t i = 0; i < used; ++i)
        work[i] = TSR_BAD_OFFSET;
    if (!solve(f, &u, at, got))
        return false;
    int64_t first = 0;
    while (source_at(f, first) == TSR_BAD_OFFSET)
        ++first;
    for (int k = 0; k < g->leaves; ++k)
        find_radix(u.g[k], g->extent[k], &r->of[k]);
    r->base = 0;
    r->base = tsr_wrap_sub(source_at(f, first), tsr_fit_sums_at_(r, g, first));
    for (*at = 0; *at < g->size; ++*at) {
        int64_t const v = source_at(f, *at);
        *got = v == TSR_BAD_OFFSET ? 0 : tsr_fit_sums_at_(r, g, *at);
        if (v != TSR_BAD_OFFSET && v != *got)
            return false;
    }
    return true;
}
