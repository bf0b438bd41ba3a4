/** The algebra of linear maps over seeded random ones, against enumeration. algebra SEED CASES */
#include "../sanitizer.h"
#include "random_map.h"

static tsr_linear identity_of(tsr_linear_side const *side)
{
    uint64_t basis[TSR_LINEAR_BITS];
    for (int i = 0; i < TSR_LINEAR_BITS; ++i)
        basis[i] = (uint64_t)1 << i;
    return tsr_make_linear(side, side, basis);
}

static bool equal(tsr_linear f, tsr_linear g)
{
    tsr_tuple const r = tsr_linear_equal(f, g);
    return r.status == TSR_OK && r.leaf[0].value == 1;
}

static uint64_t size_of(tsr_linear_side const *side) { return (uint64_t)1 << tsr_linear_bits(side); }

/** f(x ^ y) = f(x) ^ f(y), and a composition is one function after the other. */
static void try_composition(void)
{
    tsr_linear const f = random_map(10, 8);
    tsr_linear_side const out = random_side(in_names, 6);
    tsr_linear const g = random_between(&f.out, &out), h = random_between(&g.out, &f.in);
    tsr_linear const gf = tsr_linear_composition(g, f);
    bool same = !gf.why.status;
    for (int i = 0; i < 20; ++i) {
        uint64_t const x = (uint64_t)noise((int64_t)size_of(&f.in)), y = (uint64_t)noise((int64_t)size_of(&f.in));
        same = same && tsr_linear_at(&gf, x) == tsr_linear_at(&g, tsr_linear_at(&f, x));
        same = same && tsr_linear_at(&f, x ^ y) == (tsr_linear_at(&f, x) ^ tsr_linear_at(&f, y));
    }
    check("composition", same, &f);
    check("(h g) f = h (g f)",
          equal(tsr_linear_composition(tsr_linear_composition(h, g), f), tsr_linear_composition(h, gf)), &f);
    check("1 f = f", equal(tsr_linear_composition(identity_of(&f.out), f), f), &f);
    check("f 1 = f", equal(tsr_linear_composition(f, identity_of(&f.in)), f), &f);
}

/** How many outputs there are: 2^rank; is each reached once? */
static void try_rank(void)
{
    static bool reached[1024];
    tsr_linear const f = random_map(9, 9);
    int64_t values = 0;
    memset(reached, 0, sizeof reached);
    for (uint64_t x = 0; x < size_of(&f.in); ++x) {
        values += !reached[tsr_linear_at(&f, x)];
        reached[tsr_linear_at(&f, x)] = true;
    }
    bool const injective = (uint64_t)values == size_of(&f.in), surjective = (uint64_t)values == size_of(&f.out);
    check("rank", (int64_t)1 << tsr_linear_rank(f).leaf[0].value == values, &f);
    check("injective", (tsr_linear_is_injective(f).answer == TSR_YES) == injective, &f);
    check("surjective", (tsr_linear_is_surjective(f).answer == TSR_YES) == surjective, &f);
    check("bijective", (tsr_linear_is_bijective(f).answer == TSR_YES) == (injective && surjective), &f);
    if (!surjective)
        check("what is missed", !reached[tsr_linear_is_surjective(f).why.number[0]], &f);
    if (!injective)
        check("what is 0",
              tsr_linear_at(&f, (uint64_t)tsr_linear_is_injective(f).why.number[1]) == 0
                  && tsr_linear_is_injective(f).why.number[1] != 0,
              &f);
    int free = 0;
    tsr_tuple const masks = tsr_linear_broadcast_bits(f);
    for (int i = 0; i < masks.leaves; ++i)
        for (int64_t m = masks.leaf[i].value; m; m &= m - 1)
            ++free;
    check("broadcast bits", free + tsr_linear_rank(f).leaf[0].value == tsr_linear_bits(&f.in), &f);
    tsr_linear const r = tsr_linear_pseudo_inverse(f), frf = tsr_linear_composition(f, tsr_linear_composition(r, f));
    check("f r f = f", equal(frf, f), &f);
    check("r f r = r", equal(tsr_linear_composition(r, tsr_linear_composition(f, r)), r), &f);
    tsr_linear const left = tsr_linear_left_inverse(f), right = tsr_linear_right_inverse(f);
    check(
        "left inverse",
        injective ? equal(tsr_linear_composition(left, f), identity_of(&f.in)) : left.why.status == TSR_NOT_INJECTIVE,
        &f);
    check("right inverse",
          surjective ? equal(tsr_linear_composition(f, right), identity_of(&f.out))
                     : right.why.status == TSR_NOT_SURJECTIVE,
          &f);
}

/** The part of a number in each dimension, of a product: that of the first factor, and above that of the second. */
static void try_product(void)
{
    tsr_linear const f = random_map(6, 6), g = random_map(6, 6);
    tsr_linear const p = tsr_linear_multiply(f, g);
    if (!check("a product", !p.why.status, &f))
        return;
    check("a product has the bits of both",
          tsr_linear_bits(&p.in) == tsr_linear_bits(&f.in) + tsr_linear_bits(&g.in)
              && tsr_linear_bits(&p.out) == tsr_linear_bits(&f.out) + tsr_linear_bits(&g.out),
          &p);
    check("its rank",
          tsr_linear_rank(p).leaf[0].value == tsr_linear_rank(f).leaf[0].value + tsr_linear_rank(g).leaf[0].value,
          &p);
    tsr_linear const h = tsr_linear_divide_left(p, f), k = tsr_linear_divide_right(p, g);
    check("f h = p", equal(tsr_linear_multiply(f, h), p), &p);
    check("k g = p", equal(tsr_linear_multiply(k, g), p), &p);
    for (int d = 0; d < g.in.count; ++d)
        check("h is g", h.in.bits[tsr_linear_dim(&h.in, g.in.name[d])] == g.in.bits[d], &h);
    tsr_linear const any = random_map(4, 4), q = tsr_linear_divide_left(f, any), r = tsr_linear_divide_right(f, any);
    check("a factor or not", q.why.status || equal(tsr_linear_multiply(any, q), f), &f);
    check("a right factor or not", r.why.status || equal(tsr_linear_multiply(r, any), f), &f);
}

/** Parts, put together again. */
static void try_parts(void)
{
    static int64_t const order[] = {2, 0, 1};
    tsr_linear const f = random_map(9, 9);
    tsr_tuple ins = TSR_ZERO, outs = TSR_ZERO, first = tsr_s(0);
    for (int i = 0; i < 3; ++i) {
        tsr_tuple const place = tsr_s(order[i]);
        if (order[i] < f.in.count)
            tsr_tuple_push(&ins, &place);
        if (order[i] < f.out.count)
            tsr_tuple_push(&outs, &place);
    }
    tsr_linear const g =
        tsr_linear_select_outs(tsr_linear_select_ins(f, tsr_tuple_close(ins)), tsr_tuple_close(outs));
    check("the same in another order", tsr_linear_same_function(f, g).answer == TSR_YES, &f);
    check("and the other way", tsr_linear_same_function(g, f).answer == TSR_YES, &g);
    tsr_linear const flat = tsr_linear_flatten_outs(tsr_linear_flatten_ins(f));
    bool same = flat.in.count == 1 && flat.out.count == 1;
    for (int i = 0; i < TSR_LINEAR_BITS; ++i)
        same = same && flat.basis[i] == f.basis[i];
    check("flat", same, &f);
    tsr_linear const one = tsr_linear_select_ins(f, first), out = tsr_linear_select_outs(f, first);
    if (f.in.count == 2)
        check("inputs", equal(tsr_linear_concat_ins(one, tsr_linear_select_ins(f, tsr_s(1))), f), &f);
    if (f.out.count == 2)
        check("outputs", equal(tsr_linear_concat_outs(out, tsr_linear_select_outs(f, tsr_s(1))), f), &f);
    tsr_linear other = f;
    int const bit = (int)noise(9);
    other.basis[bit] ^= 1;
    if (bit < tsr_linear_bits(&f.in) && tsr_linear_bits(&f.out) > 0) {
        tsr_verdict const v = tsr_linear_same_function(f, other);
        check("the first bit that differs", v.answer == TSR_NO && v.why.number[0] == (int64_t)1 << bit, &f);
    }
}

/** The largest vector, by trying all. */
static void try_vector(void)
{
    tsr_linear const f = random_offsets(8, 8);
    int64_t n = 1;
    for (int v = 1; v <= f.in.bits[0] && v <= f.out.bits[0]; ++v) {
        bool ok = true;
        for (uint64_t x = 0; x < size_of(&f.in); ++x) {
            uint64_t const low = ((uint64_t)1 << v) - 1, base = tsr_linear_at(&f, x & ~low);
            ok = ok && (base & low) == 0 && tsr_linear_at(&f, x) == base + (x & low);
        }
        n = ok ? (int64_t)1 << v : n;
    }
    check("largest vector", tsr_linear_largest_vector(f).leaf[0].value == n, &f);
}

int main(int argc, char **argv)
{
    uint64_t const seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int64_t const cases = OF_CASES(argc > 2 ? strtoll(argv[2], NULL, 10) : 1000);
    random_begin(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int64_t i = 0; i < cases; ++i) {
        try_composition();
        try_product();
        try_parts();
        if (i % 4 == 0) {
            try_rank();
            try_vector();
        }
    }
    return report();
}
