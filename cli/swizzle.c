/** tessera swizzle: the bank conflicts of accesses to a tile of shared memory, and the smallest swizzle without any.
 *
 *  An access covers the whole tile: its threads go in the order of the instruction, so that each group of them that
 *  the banks serve together is one phase. The rows of a tile lie along its contiguous mode.
 */
#include "swizzle.h"

#include "files.h"
#include "usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/atoms.h"
#include "tessera/text.h"

/** A tile without its swizzle as (rows, contiguous mode); `vector` elements are 16 bytes. */
typedef struct tile {
    tsr_layout layout;
    tsr_swizzle own;
    tsr_dtype type;
    int64_t rows, columns, vector;
} tile;

/* The accesses: (thread, value) to offsets, or words in *why. */

/** A phase is 8 threads, each of 16 bytes of another row. */
static tsr_layout matrix_rows(tile const *t, char const **why)
{
    if (t->rows % 8 != 0 || t->columns % t->vector != 0)
        *why = "the tile has no whole matrices of 8 rows of 16 bytes";
    tsr_tiler const matrix = tsr_tiler_of_tuple(tsr_t(tsr_s(8), tsr_s(t->vector)));
    tsr_layout const cut = tsr_zipped_divide_by(t->layout, matrix), one = tsr_mode(cut, 0);
    return tsr_make_tv(tsr_make_tv(tsr_mode(one, 0), tsr_mode(cut, 1)), tsr_mode(one, 1));
}

/** Threads follow a row by 16 bytes, then the next row. */
static tsr_layout along_rows(tile const *t, char const **why)
{
    if (t->columns % t->vector != 0)
        *why = "the rows of the tile are no multiple of 16 bytes";
    tsr_tiler const chunk = tsr_tiler_of_tuple(tsr_t(tsr_s(1), tsr_s(t->vector)));
    tsr_layout const cut = tsr_zipped_divide_by(t->layout, chunk), rest = tsr_mode(cut, 1);
    return tsr_make_tv(tsr_make_tv(tsr_mode(rest, 1), tsr_mode(rest, 0)), tsr_mode(tsr_mode(cut, 0), 1));
}

/** 32 threads go down a column; in a shorter one the threads left over repeat it, which costs nothing. */
static tsr_layout down_columns(tile const *t, char const **why)
{
    int64_t const copies = t->rows < 32 ? 32 / t->rows : 1;
    if (t->rows * copies % 32 != 0)
        *why = "the number of rows neither divides 32 nor is a multiple of it";
    tsr_layout const column = tsr_make_tv(tsr_mode(t->layout, 0), tsr_tv_run(copies, 0));
    return tsr_make_tv(tsr_make_tv(column, tsr_mode(t->layout, 1)), tsr_tv_run(1, 0));
}

/** Threads go down so many rows by 16 bytes, then along them: an operand of MFMA or WMMA, k along the rows. */
static tsr_layout down_rows(tile const *t, int64_t rows, char const **why)
{
    if (t->rows % rows != 0 || t->columns % t->vector != 0)
        *why = rows == 16 ? "the tile has no whole blocks of 16 rows of 16 bytes"
                          : "the tile has no whole blocks of 32 rows of 16 bytes";
    tsr_tiler const piece = tsr_tiler_of_tuple(tsr_t(tsr_s(rows), tsr_s(t->vector)));
    tsr_layout const cut = tsr_zipped_divide_by(t->layout, piece), one = tsr_mode(cut, 0), rest = tsr_mode(cut, 1);
    tsr_layout const blocks = tsr_make_tv(tsr_mode(rest, 1), tsr_mode(rest, 0));
    return tsr_make_tv(tsr_make_tv(tsr_mode(one, 0), blocks), tsr_mode(one, 1));
}

static tsr_layout down_16_rows(tile const *t, char const **why) { return down_rows(t, 16, why); }
static tsr_layout down_32_rows(tile const *t, char const **why) { return down_rows(t, 32, why); }

/* clang-format off */
/** X(name, 16 bytes a thread, only swizzles of the hardware, whose instruction it is, does it write, function, help) */
#define ACCESS_LIST(X) \
    X(ldmatrix,   true,  false, NVIDIA, false, matrix_rows,  "8 rows of 16 bytes a phase, into fragments") \
    X(ldmatrix_t, true,  false, NVIDIA, false, matrix_rows,  "the same rows, transposed in the registers") \
    X(stmatrix,   true,  false, NVIDIA, true,  matrix_rows,  "8 rows of 16 bytes a phase, from fragments") \
    X(row128,     true,  false, ALL,    true,  along_rows,   "a warp follows the rows by 16 bytes a thread; on AMD it writes") \
    X(column,     false, false, ALL,    false, down_columns, "a warp goes down a column element by element") \
    X(tma,        true,  true,  NVIDIA, false, along_rows,   "rows by 16 bytes; the swizzle is Sw<0..3,4,3> of the byte address") \
    X(mfma16,     true,  false, AMD,    false, down_16_rows, "a wave reads 16 rows by 16 bytes a thread: an operand of MFMA or WMMA") \
    X(mfma32,     true,  false, AMD,    false, down_32_rows, "a wave reads 32 rows by 16 bytes a thread: an operand of MFMA")
/* clang-format on */

enum owner { ALL, NVIDIA, AMD };

typedef struct pattern {
    char const *name;
    bool wide, hardware;
    enum owner owner;
    bool writes;
    tsr_layout (*layout)(tile const *t, char const **why);
    char const *help;
} pattern;

static pattern const patterns[] = {
#define X(name, wide, hardware, owner, writes, layout, help) {#name, wide, hardware, owner, writes, layout, help},
    ACCESS_LIST(X)
#undef X
};

enum { PATTERNS = sizeof patterns / sizeof patterns[0], BANKS = 64 };

/** What is asked for, and what is found. */
typedef struct search {
    tile tile;
    pattern const *pattern[PATTERNS];
    tsr_lane_access access[PATTERNS];
    int count;
    bool hardware, padded;
    tsr_banks banks; /* of reads */
    tsr_swizzle best;
    int64_t most, tried; /* the rounds under `best`, and how many swizzles were tried beside it */
} search;

/* The tile. */

/** The contiguous mode: 1, else 0, else -1. */
static int contiguous_mode(tsr_layout l)
{
    for (int k = 1; k >= 0; --k)
        if (tsr_layout_size(tsr_mode(l, k)) > 1 && tsr_at_index(tsr_mode(l, k), 1) == 1)
            return k;
    return -1;
}

/** A pointer in the text of a value, as in smem_ptr[16b](0x400), says the bits of an element. They give the type where
 *  none is named. */
static bool type_of_pointer(options const *o, char const *text, tsr_dtype *type)
{
    static char written[TSR_TEXT_SIZE];
    char const *const bits = tsr_calc(text, o->flags, written, sizeof written) ? strstr(written, "ptr[") : NULL;
    int const wanted = bits ? (int)strtol(bits + 4, NULL, 10) : tsr_dtype_bits(*type);
    if (wanted == tsr_dtype_bits(*type))
        return true;
    if (option_of(o, "--type"))
        return complain(o, "--type: %s has %d bits, but the elements of %s have %d", tsr_dtype_name(*type),
                        tsr_dtype_bits(*type), text, wanted),
               false;
    *type = (tsr_dtype)(TSR_U1 - 1 + wanted); /* unsigned integers of these bits */
    return true;
}

static bool take_tile(options const *o, char const *text, tsr_dtype type, tile *t)
{
    tsr_message error;
    tsr_tuple const shape = tsr_parse_tuple(text, o->flags, &error);
    tsr_layout const l =
        shape.status ? tsr_parse_layout(text, o->flags, &error) : tsr_make_layout_from(shape, tsr_right());
    int const bits = tsr_dtype_bits(type);
    char reason[TSR_TEXT_SIZE];
    if (l.shape.status) {
        tsr_format_layout(reason, sizeof reason, l, 0);
        complain(o, "%s: %s", text, reason);
        point_at_error(o, text);
        return false;
    }
    if (128 % bits != 0)
        return complain(o, "16 bytes hold no whole number of elements of %d bits", bits), false;
    tsr_layout const plain = tsr_layout_inner(l);
    if (tsr_mode_count(&l.shape) != 2 || tsr_has_basis(&l.stride) || l.twice || (l.composed && l.offset.value != 0))
        return complain(o, "%s: a tile has two modes and begins at offset 0", text), false;
    if (tsr_layout_size(l) > TSR_LAW_BUDGET || tsr_is_injective(plain).answer != TSR_YES)
        return complain(o, "%s: a tile has at most %lld elements, each in a place of its own", text,
                        (long long)TSR_LAW_BUDGET),
               false;
    int const along = contiguous_mode(plain);
    if (along < 0)
        return complain(o, "%s: no mode of the tile is contiguous", text), false;
    t->layout = tsr_make_tv(tsr_mode(plain, 1 - along), tsr_mode(plain, along));
    t->own = l.composed ? l.swizzle : tsr_make_swizzle(0, 0, 0);
    t->type = type;
    t->rows = tsr_layout_size(tsr_mode(t->layout, 0));
    t->columns = tsr_layout_size(tsr_mode(t->layout, 1));
    t->vector = 128 / bits;
    return true;
}

/* The accesses asked for. */

char const *swizzle_access(int i) { return i < PATTERNS ? patterns[i].name : NULL; }

static pattern const *find_pattern(char const *name, size_t n)
{
    for (int i = 0; i < PATTERNS; ++i)
        if (strlen(patterns[i].name) == n && strncmp(patterns[i].name, name, n) == 0)
            return &patterns[i];
    return NULL;
}

static void no_access(options const *o, char const *word)
{
    tsr_nearest nearest = {word, NULL, 0};
    for (int i = 0; i < PATTERNS; ++i)
        tsr_nearest_try(&nearest, patterns[i].name);
    complain(o, "--access: unknown access %s%s", word, did_you_mean(&nearest));
    for (int i = 0; i < PATTERNS; ++i)
        fprintf(stderr, "  %-10s  %s\n", patterns[i].name, patterns[i].help);
}

static bool take_names(options const *o, char const *text, search *s)
{
    for (;;) {
        size_t const n = strcspn(text, ",");
        pattern const *const p = find_pattern(text, n);
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)n, text);
        if (!p)
            return no_access(o, word), false;
        bool again = false;
        for (int i = 0; i < s->count; ++i)
            again = again || s->pattern[i] == p;
        if (!again)
            s->pattern[s->count++] = p;
        s->hardware = s->hardware || p->hardware;
        if (!text[n])
            return true;
        text += n + 1;
    }
}

/** The banks as a pattern needs them: AMD's have a row for writes. */
static tsr_banks banks_of(search const *s, int i)
{
    return s->pattern[i]->writes ? tsr_banks_of_writes(s->banks) : s->banks;
}

static bool take_accesses(options const *o, search *s)
{
    char reason[TSR_TEXT_SIZE];
    enum owner const other = s->banks == TSR_BANKS_NVIDIA ? AMD : NVIDIA;
    for (int i = 0; i < s->count; ++i) {
        char const *why = NULL;
        if (s->pattern[i]->owner == other)
            return complain(o, "%s: this access is %s, and the banks are those of %s: --banks %s",
                            s->pattern[i]->name, other == AMD ? "AMD's" : "NVIDIA's", tsr_banks_name(s->banks),
                            other == AMD ? "gfx942" : "nvidia"),
                   false;
        tsr_layout const l = s->pattern[i]->layout(&s->tile, &why);
        tsr_tuple const made = tsr_make_lane_access_on(l, banks_of(s, i), s->tile.type, &s->access[i]);
        tsr_format_reason(reason, sizeof reason, tsr_why(made));
        if (!why && made.status)
            why = reason;
        if (!why && s->pattern[i]->wide && s->access[i].vector != s->tile.vector)
            why = "16 bytes of a row are not contiguous, or not aligned";
        if (why)
            return complain(o, "%s: the tile is not suitable: %s", s->pattern[i]->name, why), false;
    }
    return true;
}

/* The search. */

/** The most rounds of any access; 65 when the swizzle tears the values of a thread apart. */
static int64_t most_rounds(search const *s, tsr_swizzle sw)
{
    int64_t most = 1;
    for (int i = 0; i < s->count; ++i)
        most = sw.bits > 0 && (int64_t)1 << sw.base < s->access[i].vector
                   ? BANKS + 1
                   : tsr_max64(most, tsr_lane_access_most(&s->access[i], sw, BANKS + 1));
    return most;
}

static void try_one(search *s, tsr_swizzle sw)
{
    int64_t const most = most_rounds(s, sw);
    ++s->tried;
    if (most < s->most) {
        s->best = sw;
        s->most = most;
    }
}

/** Law  Bits of Y beyond the offsets of the tile are 0, so that such a swizzle does what one of fewer bits does; bits
 *        of Z beyond them would move elements out of the tile. So B + M + |S| need not exceed the bits of an offset. */
static void try_all(search *s, int below)
{
    int const width = tsr_bit_width((uint64_t)(tsr_cosize(s->tile.layout) - 1));
    try_one(s, tsr_make_swizzle(0, 0, 0));
    for (int bits = 1; bits < below && s->most > 1; ++bits)
        for (int base = 0; base + 2 * bits <= width; ++base)
            for (int shift = bits; bits + base + shift <= width; ++shift) {
                try_one(s, tsr_make_swizzle(bits, base, shift));
                try_one(s, tsr_make_swizzle(bits, base, -shift));
            }
}

/** TMA swizzles rows that are as long, and lie as far apart, as its span: box and swizzle fit each other. */
static bool hardware_fits(tile const *t, int span)
{
    tsr_layout const row = tsr_layout_coalesce(tsr_mode(t->layout, 1));
    int64_t const run = row.shape.leaf[0].value * tsr_dtype_bits(t->type) / 8;
    int64_t const pitch = t->rows > 1 ? tsr_at_index(tsr_mode(t->layout, 0), 1) * tsr_dtype_bits(t->type) / 8 : span;
    return span == 0 ? t->rows == 1 || run == pitch : run <= span && pitch == span;
}

static void try_hardware(search *s)
{
    int const base = tsr_bit_width((uint64_t)s->tile.vector) - 1;
    for (int i = 0; i < TSR_TMA_SWIZZLES; ++i) {
        tsr_swizzle const sw = tsr_tma_swizzle_bits(i);
        if ((i == TSR_TMA_SWIZZLE_NONE || sw.base == 4) && hardware_fits(&s->tile, tsr_tma_swizzle_span(i)))
            try_one(s, tsr_make_swizzle(sw.bits, sw.bits ? base : 0, sw.bits ? 3 : 0));
    }
}

/** The finder's swizzle, once all of fewer bits have been tried in vain; where it finds none, the least of all. */
static void find(search *s)
{
    tsr_lane_access each[PATTERNS]; /* patterns of one layout count once */
    int count = 0;
    s->most = BANKS + 2;
    if (s->hardware) {
        try_hardware(s);
        return;
    }
    for (int i = 0; i < s->count; ++i) {
        bool again = false;
        for (int k = 0; k < i; ++k)
            again = again || (s->pattern[k]->layout == s->pattern[i]->layout && banks_of(s, k) == banks_of(s, i));
        if (!again)
            each[count++] = s->access[i];
    }
    tsr_swizzle const found = tsr_search_swizzle(each, count);
    int bank_bits = 5;
    for (int i = 0; i < count; ++i)
        bank_bits = each[i].phase.banks > 32 ? 6 : bank_bits;
    try_all(s, found.status ? bank_bits + 1 : found.bits);
    if (!found.status && s->most > 1) {
        s->best = found;
        s->most = most_rounds(s, found);
    }
}

/* What is said of it. */

static long long rounds(search const *s, int i, tsr_swizzle sw)
{
    tsr_tuple const r = tsr_bank_conflicts_on(tsr_swizzled(sw, s->access[i].layout), banks_of(s, i), s->tile.type);
    return (long long)tsr_tuple_number(r);
}

/** The threads of the first phase: "8 threads", or "threads 0 to 3, 20 to 23". */
static void print_phase(tsr_bank_phase const *phase)
{
    bool const in_order = phase->order[2] == 4;
    if (in_order)
        printf("%d threads", phase->threads);
    else
        printf("threads 0 to");
    for (int place = 1; !in_order && place <= phase->threads; ++place) {
        int64_t const last = tsr_bank_thread(phase, place - 1), t = tsr_bank_thread(phase, place);
        if (place == phase->threads)
            printf(" %lld", (long long)last);
        else if (t != last + 1)
            printf(" %lld, %lld to", (long long)last, (long long)t);
    }
}

/** Rounds before and after, and the threads that the banks serve together. */
static void print_pattern(search const *s, int i)
{
    tsr_lane_access const *const a = &s->access[i];
    int64_t const wide = a->vector * a->bits;
    bool const bytes = wide % 8 == 0;
    printf("%-10s  %6lld  %5lld  a phase is ", s->pattern[i]->name, rounds(s, i, s->tile.own), rounds(s, i, s->best));
    print_phase(&a->phase);
    printf(" of %lld %s\n", (long long)(bytes ? wide / 8 : wide), bytes ? "bytes" : "bits");
}

/** The padding that serves the accesses best, beside the swizzle. */
static void print_padding(search const *s)
{
    tsr_padding p;
    if (tsr_search_padding(s->access, s->count, &p).status)
        printf("padding     not searched: the tile is too large\n");
    else if (p.every == 0)
        printf("padding     none has fewer than %lld rounds\n", (long long)p.rounds);
    else
        printf("padding     %lld elements behind every %lld: %lld round%s, %lld elements more\n", (long long)p.pad,
               (long long)p.every, (long long)p.rounds, p.rounds == 1 ? "" : "s", (long long)p.added);
}

static void print_reason(search const *s)
{
    char const *const whose = s->hardware ? " of the hardware that fit the rows" : "";
    if (s->most > 1)
        printf("none serves all: of %lld swizzles%s tried, no one goes in fewer than %lld rounds\n",
               (long long)s->tried, whose, (long long)s->most);
    else if (s->best.bits == 0)
        printf("no swizzle is needed\n");
    else if (s->hardware)
        printf("every phase goes in one round; of the %lld swizzles%s, none of fewer bits serves all\n",
               (long long)s->tried, whose);
    else
        printf("every phase goes in one round; it is the smallest of %lld candidates\n", (long long)s->tried);
}

static void print_search(options const *o, search const *s)
{
    char text[TSR_TEXT_SIZE];
    int64_t const size = tsr_layout_size(s->tile.layout), held = tsr_cosize(s->tile.layout);
    int64_t reach = 0;
    tsr_layout const swizzled = tsr_swizzled(s->best, s->tile.layout);
    for (int64_t i = 0; i < size; ++i)
        reach = tsr_max64(reach, tsr_at_index(swizzled, i) + 1);
    tsr_format_layout(text, sizeof text, s->tile.layout, o->flags);
    printf("tile        %s of %s, as rows by contiguous elements\n", text, tsr_dtype_name(s->tile.type));
    tsr_format_swizzle(text, sizeof text, s->best);
    printf("swizzle     %s of the offset in elements\n", text);
    if (reach > held)
        printf("memory      %lld elements, %lld more than the tile\n", (long long)reach, (long long)(reach - held));
    printf("access      before  after\n");
    for (int i = 0; i < s->count; ++i)
        print_pattern(s, i);
    print_reason(s);
    if (s->padded)
        print_padding(s);
}

int command_swizzle(options const *o, int n, char **argument)
{
    search s;
    memset(&s, 0, sizeof s);
    char const *const access = option_of(o, "--access"), *const banks = option_of(o, "--banks");
    tsr_dtype of = 0;
    if (n != 1)
        return misuse(o, "swizzle needs one tile: a layout of elements, or a shape (row-major)");
    s.padded = option_of(o, "--padding") != NULL;
    if (banks && (!tsr_banks_named(banks, &s.banks) || strstr(banks, "_write")))
        return misuse(o, "--banks: there are nvidia, gfx90a, gfx942, gfx950, gfx10, gfx11 and gfx12");
    char const *const usual = s.banks == TSR_BANKS_NVIDIA ? "ldmatrix" : "mfma16";
    if (!type_of_option(o, "--type", TSR_F16, &of) || !take_names(o, access ? access : usual, &s))
        return MISUSE;
    if (!type_of_pointer(o, argument[0], &of) || !take_tile(o, argument[0], of, &s.tile) || !take_accesses(o, &s))
        return FAILED;
    find(&s);
    if (s.tried == 0)
        return complain(o,
                        "tma: the tile is not suitable: its rows are neither packed nor a span of a swizzle apart"),
               FAILED;
    print_search(o, &s);
    return s.most > 1 ? FAILED : DONE;
}
