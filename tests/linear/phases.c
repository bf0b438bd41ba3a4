/** Bank conflicts of every architecture against its documents: the threads of each phase as they are listed there, and
 *  the words of each bank counted thread by thread. phases SEED CASES */
#include "../sanitizer.h"
#include "random_map.h"

/** Threads first to last. */
typedef struct span {
    int first, last;
} span;

/** One phase of reads of 32 threads as the documents list it, and the banks; the others follow. */
typedef struct listed {
    char const *name;
    int bytes, banks;
    span phase[4][4]; /* of the first 32 threads; the second half is the same, 32 later */
    int halves;       /* do both halves of a wave of 64 belong to one phase? */
} listed;

#define WHOLE \
  {           \
    {         \
      {       \
        0, 31 \
      }       \
    }         \
  }
#define SIXTEENS \
  {              \
    {{0, 15}},   \
    {            \
      {          \
        16, 31   \
      }          \
    }            \
  }
#define EIGHTS                       \
  {                                  \
    {{0, 7}}, {{8, 15}}, {{16, 23}}, \
    {                                \
      {                              \
        24, 31                       \
      }                              \
    }                                \
  }
#define SPREADS                                                  \
  {                                                              \
    {{0, 3}, {20, 23}}, {{4, 7}, {16, 19}}, {{8, 11}, {28, 31}}, \
    {                                                            \
      {12, 15}, { 24, 27 }                                       \
    }                                                            \
  }
#define SPREAD16                            \
  {                                         \
    {{0, 3}, {12, 15}, {20, 23}, {24, 27}}, \
    {                                       \
      {4, 7}, {8, 11}, {16, 19}, { 28, 31 } \
    }                                       \
  }

/* clang-format off */
static listed const documents[] = {
    {"nvidia", 4, 32, WHOLE, 0},       {"nvidia", 8, 32, SIXTEENS, 0},      {"nvidia", 16, 32, EIGHTS, 0},
    {"gfx90a", 4, 32, WHOLE, 0},       {"gfx90a", 8, 32, SIXTEENS, 0},      {"gfx90a", 16, 32, SPREADS, 0},
    {"gfx942", 4, 32, WHOLE, 0},       {"gfx942", 8, 32, SIXTEENS, 0},      {"gfx942", 12, 32, SPREADS, 0},
    {"gfx942", 16, 32, SPREADS, 0},    {"gfx950", 4, 64, WHOLE, 1},         {"gfx950", 8, 64, WHOLE, 0},
    {"gfx950", 12, 32, SPREADS, 0},    {"gfx950", 16, 64, SPREAD16, 0},     {"gfx11", 4, 32, WHOLE, 0},
    {"gfx11", 8, 32, SIXTEENS, 0},     {"gfx11", 16, 32, SPREADS, 0},       {"gfx12", 4, 32, WHOLE, 0},
    {"gfx12", 8, 32, SIXTEENS, 0},     {"gfx12", 16, 32, EIGHTS, 0},        {"gfx12", 12, 32, EIGHTS, 0},
    {"gfx942_write", 4, 32, WHOLE, 0}, {"gfx942_write", 8, 32, SIXTEENS, 0}, {"gfx942_write", 16, 32, EIGHTS, 0},
    {"gfx950_write", 4, 32, WHOLE, 0}, {"gfx950_write", 8, 32, SIXTEENS, 0}, {"gfx950_write", 16, 32, EIGHTS, 0},
    {"gfx11_write", 8, 32, SIXTEENS, 0}, {"gfx12_write", 16, 32, EIGHTS, 0}, {"gfx10", 16, 32, SPREADS, 0},
};
/* clang-format on */

enum { DOCUMENTS = sizeof documents / sizeof documents[0], MOST = 4096 };

static bool is_in(listed const *d, int phase, int64_t thread)
{
    int64_t const t = thread % 32;
    bool in = false;
    for (int i = 0; i < 4; ++i)
        in = in || (d->phase[phase][i].last > 0 && d->phase[phase][i].first <= t && t <= d->phase[phase][i].last);
    return in;
}

/** Where the elements of an access are, in bytes: of thread t, element 0 of each vector. */
typedef struct byte_access {
    int64_t threads, vectors, at[MOST];
} byte_access;

/** The different words of the fullest bank, of the threads of one phase. */
static int64_t fullest(listed const *d, byte_access const *a, int phase, int64_t wave, int64_t v)
{
    int64_t most = 1;
    for (int64_t bank = 0; bank < d->banks; ++bank) {
        int64_t word[256], words = 0;
        for (int64_t t = wave; t < wave + (d->halves ? 64 : 32) && t < a->threads; ++t)
            for (int64_t b = 0; is_in(d, phase, t) && b < d->bytes; b += 4) {
                int64_t const at = (a->at[t + v * a->threads] + b) / 4;
                bool known = at % d->banks != bank;
                for (int64_t k = 0; k < words; ++k)
                    known = known || word[k] == at;
                if (!known)
                    word[words++] = at;
            }
        most = words > most ? words : most;
    }
    return most;
}

static int64_t counted(listed const *d, byte_access const *a)
{
    int64_t most = 1;
    for (int64_t v = 0; v < a->vectors; ++v)
        for (int64_t wave = 0; wave < a->threads; wave += d->halves ? 64 : 32)
            for (int phase = 0; phase < 4; ++phase) {
                int64_t const rounds = fullest(d, a, phase, wave, v);
                most = rounds > most ? rounds : most;
            }
    return most;
}

/** The bytes of an access of halves, swizzled and then padded. */
static byte_access bytes_of(tsr_layout const *l, tsr_swizzle sw, int64_t every, int64_t pad, int64_t n)
{
    static byte_access a;
    a.threads = tsr_layout_size(tsr_mode(*l, 0));
    a.vectors = tsr_layout_size(tsr_mode(*l, 1)) / n;
    for (int64_t i = 0; i < a.threads * a.vectors; ++i) {
        int64_t const index = i % a.threads + i / a.threads * n * a.threads;
        int64_t const at = (int64_t)tsr_swizzle_apply(sw, (uint64_t)tsr_at_index(*l, index));
        a.at[i] = 2 * (every > 0 ? at + at / every * pad : at);
    }
    return a;
}

/** Threads of a random layout, each with vectors of `n` halves that are aligned, and no longer ones. */
static tsr_layout random_access(int64_t n)
{
    int64_t const unit = n == 6 ? 8 : n, few = 1 + noise(2) * 2; /* an odd number of vectors: the widest are of n */
    tsr_layout const rows =
        tsr_make_layout(tsr_t(noise(3) ? 16 : 1 + noise(20), 4), tsr_t(unit * (1 + noise(40)), unit * noise(9)));
    tsr_layout const values = tsr_make_layout(tsr_t(n, few), tsr_t(1, unit * 2 * (1 + noise(30))));
    return tsr_make_tv(rows, values);
}

static void try_one(listed const *d)
{
    tsr_swizzle const none = tsr_make_swizzle(0, 0, 0);
    int64_t const n = d->bytes / 2;
    tsr_layout const l = random_access(n);
    tsr_banks banks = TSR_BANKS_NVIDIA;
    tsr_lane_access a = TSR_ZERO;
    check(d->name, tsr_banks_named(d->name, &banks) && strcmp(tsr_banks_name(banks), d->name) == 0, NULL);
    check("an access", tsr_make_lane_access_on(l, banks, TSR_F16, &a).status == TSR_OK, NULL);
    if (a.vector != n)
        return;
    byte_access const plain = bytes_of(&l, none, 0, 0, n);
    int64_t const rounds = tsr_tuple_number(tsr_bank_conflicts_on(l, banks, TSR_F16)), wanted = counted(d, &plain);
    check("rounds", rounds == wanted, NULL);
    tsr_linear const f = tsr_linear_of_tv(l);
    if (!f.why.status)
        check("rounds by rank", tsr_tuple_number(tsr_linear_bank_conflicts_on(f, banks, TSR_F16)) == wanted, &f);
    if (noise(8) != 0)
        return;
    tsr_tiler const alone = tsr_tile(l);
    tsr_swizzle const sw = tsr_find_swizzle_on(banks, alone, TSR_F16);
    byte_access const swizzled = bytes_of(&l, sw.status ? none : sw, 0, 0, n);
    check("swizzled", sw.status || counted(d, &swizzled) == 1, NULL);
    tsr_tuple const p = tsr_find_padding_on(banks, alone, TSR_F16);
    if (p.status)
        return;
    byte_access const padded = bytes_of(&l, none, p.leaf[0].value, p.leaf[1].value, n);
    check("padded", counted(d, &padded) == p.leaf[2].value && p.leaf[2].value <= wanted, NULL);
    for (int i = 0; i < 8; ++i) {
        int64_t const every = (n == 6  ? 8
                               : n < 2 ? 2
                                       : n)
                              << noise(8),
                      pad = (n == 6  ? 8
                             : n < 2 ? 2
                                     : n)
                            * (1 + noise(3));
        byte_access const other = bytes_of(&l, none, every, pad, n);
        int64_t last = 0;
        for (int64_t k = 0; k < tsr_layout_size(l); ++k)
            last = tsr_max64(last, tsr_at_index(l, k));
        int64_t const few = counted(d, &other), added = last / every * pad;
        check("no better padding",
              every > last || few > p.leaf[2].value || (few == p.leaf[2].value && added >= p.leaf[3].value), NULL);
    }
}

int main(int argc, char **argv)
{
    random_begin(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
    for (long i = OF_CASES(argc > 2 ? strtol(argv[2], NULL, 10) : 1000); i > 0; --i)
        try_one(&documents[noise(DOCUMENTS)]);
    return report();
}
