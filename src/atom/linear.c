/** Bank conflicts of linear maps by rank, and the permutation of shared memory with the fewest. */
#include "tessera/atom/linear.h"

#include "core/linear_side.h"

/** An access by its bits: the bases of the values of a thread, and those of threads; of elements of 2^size bits. */
typedef struct access {
    uint64_t value[TSR_LINEAR_BITS], thread[TSR_LINEAR_BITS];
    int values, threads, size;
    tsr_banks on;
} access;

/** A word of shared memory has 2^5 bits, the widest access 2^7. */
enum { WORD = 5, WIDEST = 7 };

/** Threads of a phase at most. */
enum { MOST_THREADS = 64 };

static bool is_block(char const *name) { return strcmp(name, "block") == 0; }

/** The output with bits, beside `block`; where none has, the last. *several: how many have. */
static int output_of(tsr_linear const *f, int *several)
{
    int r = 0;
    *several = 0;
    for (int d = 0; d < f->out.count; ++d)
        if (!is_block(f->out.name[d]) && (f->out.bits[d] > 0 || *several == 0)) {
            *several += f->out.bits[d] > 0;
            r = d;
        }
    return r;
}

/** Threads reach the memory of their own block: only the input `block` has bases along the output `block`. */
static tsr_reason take_access(tsr_linear const *f, tsr_banks on, tsr_dtype type, access *a)
{
    int const bits = tsr_dtype_bits(type);
    access r = {{0}, {0}, 0, 0, 0, on};
    int several = 0;
    if (f->why.status)
        return f->why;
    int const d = output_of(f, &several);
    if (f->out.count < 1 || several > 1)
        return tsr_because(TSR_ACCESS_OUTPUTS, 0, several, 0, 0);
    if (bits == 0 || 128 % bits != 0)
        return tsr_because(TSR_TYPE, 0, bits, 0, 0);
    r.size = tsr_bit_width((uint64_t)bits) - 1;
    for (int in = 0, at = 0; in < f->in.count; ++in)
        for (int b = 0; b < f->in.bits[in]; ++b, ++at) {
            uint64_t const base = linear_part(&f->out, d, f->basis[at]);
            bool const elsewhere = f->basis[at] != linear_place(&f->out, d, base);
            if (elsewhere && !is_block(f->in.name[in]))
                return tsr_because(TSR_ACCESS_BLOCKS, 0, at, 0, 0);
            if (strcmp(f->in.name[in], "register") == 0)
                r.value[r.values++] = base;
            else if (!elsewhere)
                r.thread[r.threads++] = base;
        }
    *a = r;
    return tsr_no_reason();
}

/** How many of the first values are contiguous and aligned in every thread: their bits. */
static int vector_of(access const *a)
{
    uint64_t others = 0;
    int n = 0;
    while (n < a->values && n < WIDEST - a->size && a->value[n] == (uint64_t)1 << n)
        ++n;
    for (int i = n; i < a->values; ++i)
        others |= a->value[i];
    for (int i = 0; i < a->threads; ++i)
        others |= a->thread[i];
    for (; n > 0 && (others & linear_mask(n)); --n)
        others |= a->value[n - 1];
    return n;
}

/** How vectors of 2^n values are served. */
static tsr_bank_phase phase_of(access const *a, int n)
{
    return tsr_bank_phase_of(a->on, (int64_t)1 << (n + a->size));
}

/** What the bits of a number add up to. */
static uint64_t sum_of(uint64_t const *base, int64_t number)
{
    uint64_t r = 0;
    for (; number; number &= number - 1)
        r ^= base[tsr_bit_width((uint64_t)(number & -number)) - 1];
    return r;
}

/** The threads of a phase behind its first one that an access has, as the sums of their bases: a span without 0.
 *  Returns how many there are. */
static int phase_threads(access const *a, tsr_bank_phase const *phase, uint64_t at[])
{
    int64_t const threads = (int64_t)1 << (a->threads < 6 ? a->threads : 6);
    int n = 0;
    for (int place = 1; place < phase->threads; ++place) {
        int64_t const thread = tsr_bank_thread(phase, place);
        if (thread < threads)
            at[n++] = sum_of(a->thread, thread);
    }
    return n;
}

/** How many bits count the threads that are served together, with vectors of 2^n values. */
static int group_of(access const *a, int n)
{
    tsr_bank_phase const phase = phase_of(a, n);
    uint64_t at[MOST_THREADS];
    return tsr_bit_width((uint64_t)phase_threads(a, &phase, at) + 1) - 1;
}

/** A word and its bank. */
static void insert_word(linear_echelon *words, linear_echelon *banks, uint64_t word, int count)
{
    linear_insert(words, word, 1);
    linear_insert(banks, word & (uint64_t)(count - 1), 1);
}

/** The bits of the rounds of one vector of the first phase: rank W - rank B. The threads of a phase that an access has
 *  are a span, and those of every other phase one of its cosets. */
static int conflict_bits(access const *a)
{
    linear_echelon words = linear_nothing(), banks = linear_nothing();
    int const n = vector_of(a), inner = n + a->size > WORD ? n + a->size - WORD : 0;
    tsr_bank_phase const phase = phase_of(a, n);
    uint64_t thread[MOST_THREADS];
    int const threads = phase_threads(a, &phase, thread);
    for (int i = 0; i < inner; ++i)
        insert_word(&words, &banks, (uint64_t)1 << i, phase.banks);
    for (int i = 0; i < threads; ++i)
        insert_word(&words, &banks, a->size > WORD ? thread[i] << (a->size - WORD) : thread[i] >> (WORD - a->size),
                    phase.banks);
    return words.rank - banks.rank;
}

/** The bits of the rounds of the whole access. */
static int round_bits(access const *a)
{
    int const n = vector_of(a);
    return a->values - n + a->threads - group_of(a, n) + conflict_bits(a);
}

tsr_tuple tsr_linear_bank_conflicts_on(tsr_linear f, tsr_banks on, tsr_dtype type)
{
    access a;
    tsr_reason const why = take_access(&f, on, type, &a);
    return why.status ? tsr_reason_tuple(why) : tsr_int((int64_t)1 << conflict_bits(&a));
}

tsr_tuple tsr_linear_bank_conflicts(tsr_linear f, tsr_dtype type)
{
    return tsr_linear_bank_conflicts_on(f, TSR_BANKS_NVIDIA, type);
}

tsr_tuple tsr_linear_access_vector(tsr_linear f, tsr_dtype type)
{
    access a;
    tsr_reason const why = take_access(&f, TSR_BANKS_NVIDIA, type, &a);
    return why.status ? tsr_reason_tuple(why) : tsr_int((int64_t)1 << vector_of(&a));
}

/* The permutation */

/** A square matrix of n bases as a map x -> M x, and its inverse. */
typedef struct matrix {
    int n;
    uint64_t column[TSR_LINEAR_BITS];
} matrix;

static uint64_t apply(matrix const *m, uint64_t x)
{
    uint64_t r = 0;
    for (int i = 0; i < m->n; ++i)
        r ^= x >> i & 1u ? m->column[i] : 0;
    return r;
}

static matrix invert(matrix const *m)
{
    linear_echelon e = linear_nothing();
    matrix r = {m->n, {0}};
    for (int i = 0; i < m->n; ++i)
        linear_insert(&e, m->column[i], (uint64_t)1 << i);
    for (int i = 0; i < m->n; ++i)
        r.column[i] = e.inputs[i]; /* all n bits are pivots */
    return r;
}

static access behind(matrix const *m, access a)
{
    for (int i = 0; i < a.values; ++i)
        a.value[i] = apply(m, a.value[i]);
    for (int i = 0; i < a.threads; ++i)
        a.thread[i] = apply(m, a.thread[i]);
    return a;
}

/** The bits of an offset inside of a row of all banks. */
static int row_of(access const *a)
{
    return WORD + tsr_bit_width((uint64_t)phase_of(a, vector_of(a)).banks) - 1 - a->size;
}

/** What the segments of memory are to avoid: the threads of a phase and a word, without the first `kept` bits; at most
 *  as many as the banks can part. */
static linear_echelon to_avoid(access const *a, int kept)
{
    int const room = row_of(a) - kept, n = vector_of(a), word = a->size < WORD ? WORD - a->size : 0,
              low = n > word ? n : word;
    linear_echelon all = linear_nothing(), r = linear_nothing();
    for (int i = 0; i < low; ++i)
        linear_insert(&all, (uint64_t)1 << i, 0);
    tsr_bank_phase const phase = phase_of(a, n);
    uint64_t thread[MOST_THREADS];
    int const threads = phase_threads(a, &phase, thread);
    for (int i = 0; i < threads; ++i)
        linear_insert(&all, thread[i], 0);
    for (int p = kept; p < TSR_LINEAR_BITS && r.rank < room; ++p)
        if (all.pivots >> p & 1u)
            linear_insert(&r, all.vector[p], 0);
    return r;
}

/** A basis outside of both spans: two vectors, each outside of one, have a sum outside of both. */
static uint64_t find_outside(linear_echelon const *x, linear_echelon const *y, int from, int bits)
{
    uint64_t a = 0, b = 0, unused = 0;
    for (int i = bits - 1; i >= from; --i) {
        uint64_t const e = (uint64_t)1 << i;
        bool const in_x = linear_reduce(x, e, &unused) == 0, in_y = linear_reduce(y, e, &unused) == 0;
        if (!in_x && !in_y)
            return e;
        a = !in_x && a == 0 ? e : a;
        b = !in_y && b == 0 ? e : b;
    }
    return a ^ b;
}

/** The permutation that keeps the first `kept` bits of n: its inverse has the bits of banks, then of segments H. Where
 *  one access has more banks, its segments are those of the other one without the lowest. */
static matrix part_segments(access const *a, access const *b, int kept, int n)
{
    int const of_a = row_of(a), of_b = row_of(b), row = of_a < of_b ? of_a : of_b;
    int const word = a->size < WORD ? WORD - a->size : 0, low = kept > word ? kept : word;
    int const segments = n > row ? n - row : 0, first = low < n ? low : n;
    linear_echelon x = to_avoid(a, kept), y = to_avoid(b, kept), all = linear_nothing();
    matrix m = {n, {0}};
    for (int i = 0; i < first; ++i) {
        m.column[i] = (uint64_t)1 << i;
        linear_insert(&all, m.column[i], 0);
    }
    for (int i = n - 1; i >= n - segments; --i) {
        uint64_t const h = find_outside(i >= of_a ? &x : &y, i >= of_b ? &y : &x, kept, n);
        linear_insert(&x, h, 0);
        linear_insert(&y, h, 0);
        linear_insert(&all, h, 0);
        m.column[i] = h;
    }
    for (int i = first, at = first; i < n && at < n - segments; ++i)
        if (linear_insert(&all, (uint64_t)1 << i, 0))
            m.column[at++] = (uint64_t)1 << i;
    return invert(&m);
}

/** The bases of an access behind its first p values, into a span. */
static void insert_others(linear_echelon *e, access const *a, int p)
{
    for (int i = p; i < a->values; ++i)
        linear_insert(e, a->value[i], 0);
    for (int i = 0; i < a->threads; ++i)
        linear_insert(e, a->thread[i], 0);
}

/** Puts the first p values of an access lowest, so that they are a vector of it, and of the other one if it is `both`.
 *  False: other bases depend on these. */
static bool put_first(access const *a, access const *b, bool both, int p, int n, matrix *r)
{
    linear_echelon e = linear_nothing();
    matrix m = {n, {0}};
    int at = p;
    insert_others(&e, a, p);
    if (both)
        insert_others(&e, b, p);
    for (int i = 0; i < n; ++i)
        if (e.pivots >> i & 1u && at < n)
            m.column[at++] = e.vector[i];
    if (at - p != e.rank)
        return false;
    for (int i = 0; i < p; ++i) {
        m.column[i] = a->value[i];
        if (!linear_insert(&e, a->value[i], 0) || (both && b->value[i] != a->value[i]))
            return false;
    }
    for (int i = 0; i < n && at < n; ++i)
        if (linear_insert(&e, (uint64_t)1 << i, 0))
            m.column[at++] = (uint64_t)1 << i;
    *r = invert(&m);
    return true;
}

/** Both accesses, how they are moved, and in how many rounds. */
typedef struct choice {
    matrix moved;
    int64_t rounds;
} choice;

static int64_t shift(int bits) { return bits < 62 ? (int64_t)1 << bits : TSR_INT_MAX / 4; }

/** Takes a permutation behind `before`, if it needs fewer rounds. */
static void try_choice(choice *best, access const *a, access const *b, matrix const *before, int n)
{
    access const x = behind(before, *a), y = behind(before, *b);
    int const v = vector_of(&x), w = vector_of(&y);
    matrix const after = part_segments(&x, &y, v > w ? v : w, n);
    access const u = behind(&after, x), z = behind(&after, y);
    int64_t const rounds = shift(round_bits(&u)) + shift(round_bits(&z));
    if (best->rounds >= 0 && rounds >= best->rounds)
        return;
    best->rounds = rounds;
    best->moved = *before;
    for (int i = 0; i < n; ++i)
        best->moved.column[i] = apply(&after, before->column[i]);
}

tsr_linear tsr_linear_optimal_swizzle(tsr_linear f, tsr_linear g, tsr_dtype type)
{
    return tsr_linear_optimal_swizzle_on(f, g, TSR_BANKS_NVIDIA, type);
}

tsr_linear tsr_linear_optimal_swizzle_on(tsr_linear f, tsr_linear g, tsr_banks on, tsr_dtype type)
{
    access a, b;
    tsr_reason why = tsr_reason_or(f.why, g.why);
    why = why.status ? why : take_access(&f, tsr_banks_of_writes(on), type, &a);
    why = why.status ? why : take_access(&g, on, type, &b);
    if (why.status)
        return tsr_bad_linear(why);
    int several = 0;
    int const d = output_of(&f, &several), e = output_of(&g, &several);
    if (strcmp(f.out.name[d], g.out.name[e]) != 0)
        return tsr_bad_linear(linear_mismatch(d, f.out.bits[d], -1));
    int const n = f.out.bits[d] > g.out.bits[e] ? f.out.bits[d] : g.out.bits[e];
    choice best = {{n, {0}}, -1};
    matrix before = {n, {0}};
    for (int i = 0; i < n; ++i)
        before.column[i] = (uint64_t)1 << i;
    try_choice(&best, &a, &b, &before, n);
    for (int p = 1; p <= WIDEST - a.size && p <= n; ++p) {
        if (p <= a.values && p <= b.values && put_first(&a, &b, true, p, n, &before))
            try_choice(&best, &a, &b, &before, n);
        if (p <= a.values && put_first(&a, &b, false, p, n, &before))
            try_choice(&best, &a, &b, &before, n);
        if (p <= b.values && put_first(&b, &a, false, p, n, &before))
            try_choice(&best, &a, &b, &before, n);
    }
    tsr_linear_side side = TSR_ZERO;
    tsr_linear_side_add(&side, f.out.name[d], n);
    return tsr_make_linear(&side, &side, best.moved.column);
}
