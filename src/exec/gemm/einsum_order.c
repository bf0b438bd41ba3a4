/** The order of the products of an einsum: the best of all, or greedy. A set of tensors has a bit for each. */
#include <math.h>

#include "exec/gemm/einsum_plan.h"

enum { SETS = 1 << TSR_EINSUM_EXACT };

uint64_t tsr_einsum_letters_of_(tsr_einsum_sets_ const *s, uint32_t some)
{
    uint64_t inside = 0, outside = s->result;
    for (int i = 0; i < s->count; ++i)
        *(some >> i & 1 ? &inside : &outside) |= s->letters[i];
    return inside & outside;
}

double tsr_einsum_cost_(tsr_einsum_sets_ const *s, uint64_t letters)
{
    double r = 1;
    for (int x = 0; letters >> x; ++x)
        r *= letters >> x & 1 ? (double)s->extent[x] : 1;
    return r;
}

int tsr_einsum_modes_(uint64_t letters)
{
    int n = 0;
    for (; letters; letters &= letters - 1)
        ++n;
    return n;
}

/* All orders: the best one of a set is the best way to cut it in two, each part in its best order. */

typedef struct search {
    uint64_t letters[SETS];
    double products[SETS];
    uint32_t left[SETS]; /* the part with the set's first tensor */
} search;

static void cut_best(search *f, tsr_einsum_sets_ const *s, uint32_t set)
{
    uint32_t const first = set & (0u - set), others = set ^ first;
    f->products[set] = HUGE_VAL;
    f->left[set] = first;
    for (uint32_t more = others;;) { /* all parts of the others but the whole, smaller ones later */
        more = (more - 1) & others;
        uint32_t const left = first | more, right = set ^ left;
        double const n =
            f->products[left] + f->products[right] + tsr_einsum_cost_(s, f->letters[left] | f->letters[right]);
        if (n < f->products[set]) {
            f->products[set] = n;
            f->left[set] = left;
        }
        if (more == 0)
            break;
    }
    if (tsr_einsum_modes_(f->letters[set]) > TSR_MAX_LEAVES)
        f->products[set] = HUGE_VAL;
}

/** Lists the products of a set, those of its parts first. Returns the number of its result. */
static int list_pairs(search const *f, tsr_einsum_sets_ const *s, uint32_t set, int *count, tsr_einsum_order_ *o)
{
    uint32_t const left = f->left[set];
    int i = 0;
    if (left == set) {
        while (!(set >> i & 1))
            ++i;
        return i;
    }
    int const a = list_pairs(f, s, left, count, o), b = list_pairs(f, s, set ^ left, count, o);
    o->pair[*count] = (tsr_einsum_pair){a, b};
    return s->count + (*count)++;
}

static tsr_einsum_order_ best_of_all(tsr_einsum_sets_ const *s)
{
    search f;
    tsr_einsum_order_ o;
    int count = 0;
    uint32_t const all = (1u << s->count) - 1;
    f.left[all] = all;
    f.products[all] = 0;
    for (uint32_t set = 1; set <= all; ++set) {
        f.letters[set] = tsr_einsum_letters_of_(s, set);
        f.products[set] = 0;
        f.left[set] = set;
        if (set & (set - 1))
            cut_best(&f, s, set);
    }
    o.products = f.products[all];
    list_pairs(&f, s, all, &count, &o);
    return o;
}

/* Greedy orders */

/** Values that are not yet multiplied: the tensors in each, its letters, its number. */
typedef struct values {
    int count, number[TSR_EINSUM_OPERANDS];
    uint32_t of[TSR_EINSUM_OPERANDS];
    uint64_t letters[TSR_EINSUM_OPERANDS];
} values;

/** What the next product is chosen by, the least first: its products of numbers, or how many elements more there are
 *  after it. HUGE_VAL: it has too many modes. */
static double worth(tsr_einsum_sets_ const *s, values const *v, int i, int k, bool by_memory)
{
    uint64_t const letters = tsr_einsum_letters_of_(s, v->of[i] | v->of[k]);
    if (tsr_einsum_modes_(letters) > TSR_MAX_LEAVES)
        return HUGE_VAL;
    if (!by_memory)
        return tsr_einsum_cost_(s, v->letters[i] | v->letters[k]);
    return tsr_einsum_cost_(s, letters) - tsr_einsum_cost_(s, v->letters[i]) - tsr_einsum_cost_(s, v->letters[k]);
}

/** Multiplies the two values of the least worth. */
static void multiply_next(tsr_einsum_sets_ const *s, values *v, bool by_memory, int step, tsr_einsum_order_ *o)
{
    int a = 0, b = 1;
    double least = HUGE_VAL;
    for (int i = 0; i < v->count; ++i)
        for (int k = i + 1; k < v->count; ++k) {
            double const n = worth(s, v, i, k, by_memory);
            if (n < least) {
                least = n;
                a = i;
                b = k;
            }
        }
    o->products += least < HUGE_VAL ? tsr_einsum_cost_(s, v->letters[a] | v->letters[b]) : HUGE_VAL;
    o->pair[step] = (tsr_einsum_pair){v->number[a], v->number[b]};
    v->of[a] |= v->of[b];
    v->letters[a] = tsr_einsum_letters_of_(s, v->of[a]);
    v->number[a] = s->count + step;
    --v->count;
    v->of[b] = v->of[v->count];
    v->letters[b] = v->letters[v->count];
    v->number[b] = v->number[v->count];
}

static tsr_einsum_order_ greedy(tsr_einsum_sets_ const *s, bool by_memory)
{
    tsr_einsum_order_ o;
    values v = {.count = s->count};
    o.products = 0;
    for (int i = 0; i < s->count; ++i) {
        v.number[i] = i;
        v.of[i] = 1u << i;
        v.letters[i] = tsr_einsum_letters_of_(s, v.of[i]);
    }
    for (int step = 0; v.count > 1; ++step)
        multiply_next(s, &v, by_memory, step, &o);
    return o;
}

tsr_einsum_order_ tsr_einsum_best_(tsr_einsum_sets_ const *s)
{
    if (s->count <= TSR_EINSUM_EXACT)
        return best_of_all(s);
    tsr_einsum_order_ const a = greedy(s, false), b = greedy(s, true);
    return b.products < a.products ? b : a;
}
