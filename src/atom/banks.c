/** Banks of shared memory: the functions of atom/banks.h. */
#include "tessera/atom/banks.h"

#include <stdio.h>
#include <string.h>

/** The order of threads in phases: 0 to 7; 0 to 3 and 20 to 23; 0 to 3, 12 to 15, 20 to 23 and 24 to 27. */
/* clang-format off */
#define TSR_IN_ORDER_  {1, 2, 4, 8, 16}
#define TSR_SPREAD_    {1, 2, 20, 4, 8}
#define TSR_SPREAD_16_ {1, 2, 12, 20, 4}
/* clang-format on */

typedef struct tsr_bank_model_ {
    char const *name;
    int threads[4];  /* of vectors of 4, 8, 12 and 16 bytes */
    int order[3][5]; /* of those of up to 8, of 12 and of 16 */
} tsr_bank_model_;

static tsr_bank_model_ const tsr_bank_models_[] = {
#define X(id, name, b32, b64, b96, b128, order96, order128) \
  {name, {b32, b64, b96, b128}, {TSR_IN_ORDER_, order96, order128}},
    TSR_BANKS_LIST(X)
#undef X
};

enum { TSR_BANK_MODELS_ = sizeof tsr_bank_models_ / sizeof tsr_bank_models_[0], TSR_MOST_BANKS_ = 64 };

char const *tsr_banks_name(tsr_banks banks)
{
    return (unsigned)banks < TSR_BANK_MODELS_ ? tsr_bank_models_[banks].name : "";
}

bool tsr_banks_named(char const *name, tsr_banks *banks)
{
    int i = 0;
    while (i < TSR_BANK_MODELS_ && strcmp(tsr_bank_models_[i].name, name) != 0)
        ++i;
    if (i < TSR_BANK_MODELS_)
        *banks = (tsr_banks)i;
    return i < TSR_BANK_MODELS_;
}

tsr_banks tsr_banks_of_writes(tsr_banks banks)
{
    char name[32];
    snprintf(name, sizeof name, "%s_write", tsr_banks_name(banks));
    (void)tsr_banks_named(name, &banks);
    return banks;
}

/** Each thread of a phase has banks of its own for its whole vector: 4 bytes a bank, in a power of two of them. */
tsr_bank_phase tsr_bank_phase_of(tsr_banks banks, int64_t bits)
{
    tsr_bank_phase r = {0, 0, TSR_IN_ORDER_};
    int const words = bits > 32 ? (int)(bits / 32) : 1;
    if ((unsigned)banks >= TSR_BANK_MODELS_ || words > 4)
        return r;
    tsr_bank_model_ const *const m = &tsr_bank_models_[banks];
    if (m->threads[words - 1] == 0)
        return r;
    r.threads = m->threads[words - 1];
    r.banks = 1 << tsr_bit_width((uint64_t)(r.threads * words - 1));
    memcpy(r.order, m->order[words < 3 ? 0 : words - 2], sizeof r.order);
    return r;
}

int64_t tsr_bank_thread(tsr_bank_phase const *phase, int64_t place)
{
    int64_t r = place & ~(int64_t)31;
    for (int i = 0; i < 5; ++i)
        r ^= place >> i & 1 ? phase->order[i] : 0;
    return r;
}

int64_t tsr_lane_access_at(tsr_lane_access const *a, tsr_swizzle sw, int64_t t, int64_t v)
{
    int64_t const at = tsr_at_index(a->layout, t + v * a->threads);
    return tsr_swizzle_leaf_(sw, tsr_leaf_dynamic(at)).value;
}

/** Are all runs of n values contiguous, and does each begin at a multiple of `aligned`? */
static bool tsr_lane_access_runs_(tsr_lane_access const *a, int64_t n, int64_t aligned)
{
    tsr_swizzle const none = tsr_make_swizzle(0, 0, 0);
    for (int64_t i = 0; i < a->threads * a->values; ++i) {
        int64_t const t = i % a->threads, v = i / a->threads, at = tsr_lane_access_at(a, none, t, v);
        if (v % n == 0 ? at % aligned != 0 : at != tsr_lane_access_at(a, none, t, v - 1) + 1)
            return false;
    }
    return true;
}

/** The widest vectors: 16 bytes, 12 where the banks have them, then a power of two. */
static int64_t tsr_lane_access_vector_(tsr_lane_access const *a, tsr_banks banks)
{
    for (int64_t wide = 128; wide > a->bits; wide = wide == 128 ? 96 : wide == 96 ? 64 : wide / 2) {
        int64_t const n = wide / a->bits, aligned = wide == 96 ? 128 / a->bits : n;
        bool const some = wide % a->bits == 0 && tsr_bank_phase_of(banks, wide).threads > 0;
        if (some && a->values % n == 0 && tsr_lane_access_runs_(a, n, aligned))
            return n;
    }
    return 1;
}

tsr_tuple tsr_make_lane_access_on(tsr_layout l, tsr_banks banks, tsr_dtype type, tsr_lane_access *a)
{
    tsr_lane_access r = {0};
    r.layout = l;
    r.bits = tsr_dtype_bits(type);
    if (l.shape.status || tsr_mode_count(&l.shape) != 2)
        return l.shape.status ? l.shape : tsr_bad_tuple(TSR_ACCESS_MODES, 0, tsr_mode_count(&l.shape), 0, 0);
    if (tsr_has_basis(&l.stride))
        return tsr_bad_tuple(TSR_BASIS_VALUES, tsr_first_basis_(&l.stride), 0, 0, 0);
    if (r.bits == 0 || 128 % r.bits != 0)
        return tsr_bad_tuple(TSR_TYPE, 0, r.bits, 0, 0);
    r.threads = tsr_layout_size(tsr_mode(l, 0));
    r.values = tsr_layout_size(tsr_mode(l, 1));
    if (r.threads > TSR_LAW_BUDGET || r.values > TSR_LAW_BUDGET / r.threads)
        return tsr_bad_tuple(TSR_NOT_DECIDED, 0, TSR_LAW_BUDGET, 0, 0);
    for (int64_t i = 0; i < r.threads * r.values; ++i)
        if (tsr_at_index(l, i) < 0 || tsr_at_index(l, i) > TSR_INT_MAX / 128)
            return tsr_bad_tuple(TSR_NEGATIVE, 0, tsr_at_index(l, i), 0, 0);
    r.vector = tsr_lane_access_vector_(&r, banks);
    r.phase = tsr_bank_phase_of(banks, r.vector * r.bits);
    *a = r;
    return tsr_s(0);
}

tsr_tuple tsr_make_lane_access(tsr_layout l, tsr_dtype type, tsr_lane_access *a)
{
    return tsr_make_lane_access_on(l, TSR_BANKS_NVIDIA, type, a);
}

/** Where elements are: at their offset, swizzled, then padded; every 0: not padded. */
typedef struct tsr_placing_ {
    tsr_swizzle sw;
    int64_t every, pad;
} tsr_placing_;

static int64_t tsr_bank_place_(tsr_lane_access const *a, tsr_placing_ const *p, int64_t t, int64_t v)
{
    int64_t const at = tsr_lane_access_at(a, p->sw, t, v);
    return p->every > 0 ? at + at / p->every * p->pad : at;
}

static int64_t tsr_phase_rounds_(tsr_lane_access const *a, tsr_placing_ const *p, int64_t first, int64_t v)
{
    int64_t word[TSR_MOST_BANKS_] = {0}, most = 1;
    int64_t const wide = a->vector * a->bits, words = wide > 32 ? wide / 32 : 1;
    int found = 0, rounds[TSR_MOST_BANKS_] = {0};
    for (int64_t i = 0; i < a->phase.threads * words; ++i) {
        int64_t const t = tsr_bank_thread(&a->phase, first + i / words);
        if (t >= a->threads)
            continue;
        int64_t const at = tsr_bank_place_(a, p, t, v) * a->bits / 32 + i % words;
        bool known = false;
        for (int k = 0; k < found; ++k)
            known = known || word[k] == at;
        if (!known) {
            word[found++] = at;
            most = tsr_max64(most, ++rounds[at % a->phase.banks]);
        }
    }
    return most;
}

/** The places of all threads: whole groups of those that phases take in an order of their own. */
static int64_t tsr_lane_access_places_(tsr_lane_access const *a) { return (a->threads + 31) / 32 * 32; }

static int64_t tsr_most_rounds_(tsr_lane_access const *a, tsr_placing_ const *p, int64_t enough)
{
    int64_t most = 1;
    for (int64_t v = 0; v < a->values && most < enough; v += a->vector)
        for (int64_t t = 0; t < tsr_lane_access_places_(a) && most < enough; t += a->phase.threads)
            most = tsr_max64(most, tsr_phase_rounds_(a, p, t, v));
    return most;
}

int64_t tsr_lane_access_rounds(tsr_lane_access const *a, tsr_swizzle sw, int64_t first, int64_t v)
{
    tsr_placing_ const p = {sw, 0, 0};
    return tsr_phase_rounds_(a, &p, first, v);
}

int64_t tsr_lane_access_most(tsr_lane_access const *a, tsr_swizzle sw, int64_t enough)
{
    tsr_placing_ const p = {sw, 0, 0};
    return tsr_most_rounds_(a, &p, enough);
}

tsr_tuple tsr_bank_conflicts_on(tsr_layout access, tsr_banks banks, tsr_dtype type)
{
    tsr_lane_access a = {0};
    tsr_tuple const why = tsr_make_lane_access_on(access, banks, type, &a);
    return why.status ? why : tsr_int(tsr_lane_access_most(&a, tsr_make_swizzle(0, 0, 0), TSR_MOST_BANKS_ + 1));
}

tsr_tuple tsr_bank_conflicts_int(tsr_layout access, tsr_dtype type)
{
    return tsr_bank_conflicts_on(access, TSR_BANKS_NVIDIA, type);
}

int64_t tsr_bank_conflicts(tsr_layout access, tsr_dtype type)
{
    return tsr_tuple_number(tsr_bank_conflicts_int(access, type));
}

/** True if all accesses go in one round under the swizzle, with unbroken vectors. *left counts down the elements that
 *  may still be visited. Once it is negative, the answer is no. */
static bool tsr_swizzle_serves_(tsr_swizzle sw, tsr_lane_access const *a, int count, int64_t *left)
{
    for (int i = 0; i < count; ++i) {
        if (sw.bits > 0 && (int64_t)1 << sw.base < a[i].vector)
            return false;
        for (int64_t v = 0; v < a[i].values; v += a[i].vector)
            for (int64_t t = 0; t < tsr_lane_access_places_(&a[i]); t += a[i].phase.threads) {
                *left -= tsr_max64(32, a[i].phase.threads);
                if (*left < 0 || tsr_lane_access_rounds(&a[i], sw, t, v) > 1)
                    return false;
            }
    }
    return true;
}

/** The largest offset of any access. */
static int64_t tsr_lane_access_last_(tsr_lane_access const *a, int count)
{
    int64_t most = 0;
    for (int i = 0; i < count; ++i)
        for (int64_t k = 0; k < a[i].threads * a[i].values; ++k)
            most = tsr_max64(most, tsr_at_index(a[i].layout, k));
    return most;
}

/** The most banks of any access. */
static int tsr_lane_access_banks_(tsr_lane_access const *a, int count)
{
    int most = 1;
    for (int i = 0; i < count; ++i)
        most = a[i].phase.banks > most ? a[i].phase.banks : most;
    return most;
}

tsr_swizzle tsr_search_swizzle(tsr_lane_access const *a, int count)
{
    int const width = tsr_bit_width((uint64_t)tsr_lane_access_last_(a, count)), most = width < 30 ? width : 30;
    tsr_swizzle const none = tsr_make_swizzle(0, 0, 0);
    int64_t left = TSR_WORK_BUDGET;
    if (count == 0 || tsr_swizzle_serves_(none, a, count, &left))
        return none;
    for (int bits = 1; 1 << bits <= tsr_lane_access_banks_(a, count); ++bits)
        for (int base = 0; base <= 10; ++base)
            for (int remote = bits; bits + base + remote <= most; ++remote)
                for (int minus = 0; minus <= (a[0].bits << base < 32); ++minus) {
                    tsr_swizzle const sw = tsr_make_swizzle(bits, base, minus ? -remote : remote);
                    if (tsr_swizzle_serves_(sw, a, count, &left))
                        return sw;
                    if (left < 0)
                        return tsr_bad_swizzle(TSR_NOT_DECIDED, TSR_WORK_BUDGET, 0, 0);
                }
    return tsr_bad_swizzle(TSR_BANKS, count, 0, 0);
}

/** The accesses that layouts of (thread, value) are, or why one is none. */
static tsr_tuple tsr_take_accesses_(tsr_tiler const *accesses, tsr_banks banks, tsr_dtype type, tsr_lane_access *a,
                                    int *count)
{
    tsr_tuple why = accesses->by.shape;
    *count = why.status ? 0 : tsr_tiler_rank_(accesses);
    for (int i = 0; i < *count && !why.status; ++i)
        why = tsr_make_lane_access_on(tsr_tiler_get(*accesses, i).by, banks, type, &a[i]);
    return why;
}

tsr_swizzle tsr_find_swizzle_on(tsr_banks banks, tsr_tiler accesses, tsr_dtype type)
{
    tsr_lane_access a[TSR_ACCESSES_] = {0};
    int count = 0;
    tsr_tuple const why = tsr_take_accesses_(&accesses, banks, type, a, &count);
    if (why.status)
        return tsr_bad_swizzle((tsr_status)why.status, why.leaf[0].value, why.leaf[1].value, why.leaf[2].value);
    return tsr_search_swizzle(a, count);
}

tsr_swizzle tsr_find_swizzle(tsr_tiler accesses, tsr_dtype type)
{
    return tsr_find_swizzle_on(TSR_BANKS_NVIDIA, accesses, type);
}

/* Paddings */

/** The least power of two elements that keeps every vector aligned, and whole words in it. */
static int64_t tsr_padding_unit_(tsr_lane_access const *a, int count)
{
    int64_t r = 1;
    for (int i = 0; i < count; ++i) {
        int64_t const vector = (int64_t)1 << tsr_bit_width((uint64_t)(a[i].vector - 1));
        r = tsr_max64(r, tsr_max64(vector, 32 / a[i].bits));
    }
    return r;
}

/** The most rounds of all accesses behind a padding; as many as `enough` are as bad as more. */
static int64_t tsr_padding_rounds_(tsr_lane_access const *a, int count, tsr_padding const *p, int64_t enough)
{
    tsr_placing_ const to = {tsr_make_swizzle(0, 0, 0), p->every, p->pad};
    int64_t most = 1;
    for (int i = 0; i < count && most < enough; ++i)
        most = tsr_max64(most, tsr_most_rounds_(&a[i], &to, enough));
    return most;
}

static bool tsr_padding_is_better_(tsr_padding const *p, tsr_padding const *than)
{
    if (p->rounds != than->rounds)
        return p->rounds < than->rounds;
    return p->added != than->added ? p->added < than->added : p->every > than->every;
}

tsr_tuple tsr_search_padding(tsr_lane_access const *a, int count, tsr_padding *r)
{
    int64_t const last = tsr_lane_access_last_(a, count), unit = tsr_padding_unit_(a, count);
    int64_t const row = count > 0 ? (int64_t)tsr_lane_access_banks_(a, count) * 32 / a[0].bits : 0;
    int64_t left = TSR_WORK_BUDGET, visits = 0;
    tsr_padding best = {0, 0, 0, 0};
    for (int i = 0; i < count; ++i)
        visits += tsr_lane_access_places_(&a[i]) * a[i].values;
    best.rounds = tsr_padding_rounds_(a, count, &best, TSR_MOST_BANKS_ + 1);
    int64_t const end = best.rounds > 1 ? last : 0;
    for (int64_t every = unit; every <= end; every *= 2)
        for (int64_t pad = unit; pad < row; pad += unit) {
            tsr_padding p = {every, pad, 0, last / every * pad};
            left -= visits;
            if (left < 0)
                return tsr_bad_tuple(TSR_NOT_DECIDED, 0, TSR_WORK_BUDGET, 0, 0);
            p.rounds = tsr_padding_rounds_(a, count, &p, best.rounds + 1);
            best = tsr_padding_is_better_(&p, &best) ? p : best;
        }
    *r = best;
    return tsr_s(0);
}

tsr_tuple tsr_find_padding_on(tsr_banks banks, tsr_tiler accesses, tsr_dtype type)
{
    tsr_lane_access a[TSR_ACCESSES_] = {0};
    tsr_padding p = {0, 0, 0, 0};
    int count = 0;
    tsr_tuple why = tsr_take_accesses_(&accesses, banks, type, a, &count);
    why = why.status ? why : tsr_search_padding(a, count, &p);
    return why.status ? why : tsr_t(p.every, p.pad, p.rounds, p.added);
}

tsr_tuple tsr_find_padding(tsr_tiler accesses, tsr_dtype type)
{
    return tsr_find_padding_on(TSR_BANKS_NVIDIA, accesses, type);
}
