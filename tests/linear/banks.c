/** Bank conflicts of linear maps by rank against words counted one by one, and the permutation with the fewest rounds
 *  against the finder of swizzles. banks SEED CASES */
#include "../sanitizer.h"
#include "random_map.h"

static tsr_dtype const types[] = {TSR_I8, TSR_F16, TSR_F32, TSR_F64};

/** The rounds of a vector of the first values, of the first group of threads: the words of the fullest bank. */
static int64_t counted(tsr_linear const *f, int bits, int64_t vector)
{
    int64_t const wide = vector * bits, group = wide > 32 ? 1024 / wide : 32;
    int64_t const threads = (int64_t)1 << (tsr_linear_bits(&f->in) - f->in.bits[0]);
    int64_t most = 1;
    for (int64_t bank = 0; bank < 32; ++bank) {
        int64_t word[1024], words = 0;
        for (int64_t t = 0; t < group && t < threads; ++t)
            for (int64_t i = 0; i < vector; ++i) {
                uint64_t const x = (uint64_t)t << f->in.bits[0] | (uint64_t)i;
                for (int64_t b = 0; b < (bits > 32 ? bits / 32 : 1); ++b) {
                    int64_t const at = (int64_t)tsr_linear_at(f, x) * bits / 32 + b;
                    bool known = at % 32 != bank;
                    for (int64_t k = 0; k < words; ++k)
                        known = known || word[k] == at;
                    if (!known)
                        word[words++] = at;
                }
            }
        most = words > most ? words : most;
    }
    return most;
}

static int64_t number(tsr_tuple t) { return t.status ? -1 : t.leaf[0].value; }

/** An access: the thread and the value of a random map, whose registers often begin with a vector. */
static tsr_linear random_access(int offsets)
{
    tsr_linear_side in = TSR_ZERO, out = TSR_ZERO;
    uint64_t basis[TSR_LINEAR_BITS];
    int bit[16], n = 0;
    int const values = (int)noise(4), lanes = (int)noise(6), vector = values > 0 ? (int)noise(values + 1) : 0;
    tsr_linear_side_add(&in, "register", values);
    tsr_linear_side_add(&in, "lane", lanes);
    tsr_linear_side_add(&in, "warp", (int)noise(2));
    tsr_linear_side_add(&out, "offset", offsets);
    for (int i = vector; i < offsets; ++i)
        bit[n++] = i;
    for (int i = 0; i < tsr_linear_bits(&in); ++i) {
        if (i < vector) {
            basis[i] = (uint64_t)1 << i;
            continue;
        }
        int const at = n > 0 ? (int)noise(n) : 0;
        basis[i] = n > 0 ? (uint64_t)1 << bit[at] : 0;
        if (n > 0)
            bit[at] = bit[--n];
        if (noise(8) == 0)
            basis[i] ^= (uint64_t)1 << (vector + noise(offsets - vector));
    }
    return tsr_make_linear(&in, &out, basis);
}

static void try_rounds(void)
{
    tsr_linear const f = random_access(12);
    tsr_dtype const type = types[noise(4)];
    int64_t const vector = number(tsr_linear_access_vector(f, type));
    int64_t const wanted = counted(&f, tsr_dtype_bits(type), vector);
    check("rounds by rank", number(tsr_linear_bank_conflicts(f, type)) == wanted, &f);
}

/** Of layouts, as the counter of layouts counts them. */
static void try_layout_rounds(void)
{
    tsr_layout const l = random_layout(9);
    tsr_linear const f = tsr_linear_of_tv(l);
    tsr_dtype const type = types[noise(4)];
    if (f.why.status)
        return;
    check("rounds of a layout", number(tsr_linear_bank_conflicts(f, type)) == number(tsr_bank_conflicts_int(l, type)),
          &f);
}

/** The rounds of a phase from a place on, for the vector that begins with a value: the words of the fullest bank; 0
 *  where the access has none of its threads. */
static int64_t phase_rounds(tsr_linear const *f, tsr_bank_phase const *phase, int bits, int64_t vector, int64_t first,
                            int64_t value)
{
    int64_t const threads = (int64_t)1 << (tsr_linear_bits(&f->in) - f->in.bits[0]);
    int64_t const words = vector * bits > 32 ? vector * bits / 32 : 1;
    int64_t word[512], rounds[64] = {0}, found = 0, most = 0;
    for (int64_t i = 0; i < phase->threads * words; ++i) {
        int64_t const t = tsr_bank_thread(phase, first + i / words);
        if (t >= threads)
            continue;
        uint64_t const x = (uint64_t)t << f->in.bits[0] | (uint64_t)value;
        int64_t const at = (int64_t)tsr_linear_at(f, x) * bits / 32 + i % words;
        bool known = false;
        for (int64_t k = 0; k < found; ++k)
            known = known || word[k] == at;
        if (!known) {
            word[found++] = at;
            ++rounds[at % phase->banks];
            most = rounds[at % phase->banks] > most ? rounds[at % phase->banks] : most;
        }
    }
    return most;
}

/** All rounds of an access to banks behind a permutation, counted. */
static int64_t all_rounds(tsr_linear const *f, tsr_banks on, tsr_dtype type, tsr_linear const *moved)
{
    tsr_linear const g = tsr_linear_composition(*moved, *f);
    int const bits = tsr_dtype_bits(type);
    int64_t const vector = number(tsr_linear_access_vector(g, type)), values = (int64_t)1 << f->in.bits[0];
    int64_t const threads = (int64_t)1 << (tsr_linear_bits(&f->in) - f->in.bits[0]);
    tsr_bank_phase const phase = tsr_bank_phase_of(on, vector * bits);
    int64_t all = 0;
    for (int64_t v = 0; v < values; v += vector)
        for (int64_t t = 0; t < (threads + 31) / 32 * 32; t += phase.threads)
            all += phase_rounds(&g, &phase, bits, vector, t, v);
    return all;
}

/** The access as a layout (thread, value). */
static tsr_layout thread_value(tsr_linear const *f)
{
    tsr_linear g = *f;
    int const values = f->in.bits[0], threads = tsr_linear_bits(&f->in) - values;
    g.in = (tsr_linear_side)TSR_ZERO;
    tsr_linear_side_add(&g.in, "thread", threads);
    tsr_linear_side_add(&g.in, "value", values);
    for (int i = 0; i < threads; ++i)
        g.basis[i] = f->basis[values + i];
    for (int i = 0; i < values; ++i)
        g.basis[threads + i] = f->basis[i];
    return tsr_linear_to_layout(g);
}

static int64_t found;

/** The first swizzle under which a store and a load go in one round. */
static tsr_swizzle finders(tsr_layout store, tsr_layout load, tsr_banks on, tsr_dtype type)
{
    tsr_lane_access a[2];
    if (tsr_make_lane_access_on(store, tsr_banks_of_writes(on), type, &a[0]).status
        || tsr_make_lane_access_on(load, on, type, &a[1]).status)
        return tsr_bad_swizzle(TSR_BANKS, 2, 0, 0);
    return tsr_search_swizzle(a, 2);
}

static void try_swizzle(void)
{
    static tsr_banks const all[] = {TSR_BANKS_NVIDIA, TSR_BANKS_GFX90A, TSR_BANKS_GFX942,      TSR_BANKS_GFX950,
                                    TSR_BANKS_GFX10,  TSR_BANKS_GFX12,  TSR_BANKS_GFX942_WRITE};
    tsr_linear const f = random_access(11), g = random_access(11);
    tsr_dtype const type = types[noise(4)];
    tsr_banks const on = all[noise(7)], writes = tsr_banks_of_writes(on);
    tsr_linear const best = tsr_linear_optimal_swizzle_on(f, g, on, type),
                     none = tsr_linear_optimal_swizzle_on(f, f, on, type);
    check("a permutation", !best.why.status && tsr_linear_is_bijective(best).answer == TSR_YES, &best);
    int64_t const rounds = all_rounds(&f, writes, type, &best) + all_rounds(&g, on, type, &best);
    tsr_linear plain = best;
    for (int i = 0; i < tsr_linear_bits(&plain.in); ++i)
        plain.basis[i] = (uint64_t)1 << i;
    check("no more rounds than unswizzled",
          rounds <= all_rounds(&f, writes, type, &plain) + all_rounds(&g, on, type, &plain), &f);
    tsr_linear const alone = tsr_linear_composition(none, f);
    check("one access has no conflict", writes != on || number(tsr_linear_bank_conflicts_on(alone, on, type)) == 1,
          &f);
    tsr_layout const a = thread_value(&f), b = thread_value(&g);
    if (a.shape.status || b.shape.status || a.composed || b.composed)
        return;
    tsr_swizzle const sw = finders(a, b, on, type);
    if (sw.status)
        return;
    tsr_linear swizzled = plain;
    for (int i = 0; i < tsr_linear_bits(&plain.in); ++i)
        swizzled.basis[i] = tsr_swizzle_apply(sw, (uint64_t)1 << i);
    ++found;
    check("no more rounds than the finder",
          rounds <= all_rounds(&f, writes, type, &swizzled) + all_rounds(&g, on, type, &swizzled), &f);
}

int main(int argc, char **argv)
{
    uint64_t const seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int64_t const cases = OF_CASES(argc > 2 ? strtoll(argv[2], NULL, 10) : 1000);
    random_begin(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int64_t i = 0; i < cases; ++i) {
        try_rounds();
        try_layout_rounds();
        if (i % 20 == 0)
            try_swizzle();
    }
    check("swizzles were found to compare with", found > cases / 200, NULL);
    return report();
}
