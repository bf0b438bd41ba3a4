/** What of CK Tile's notation is no expression of its own:
 *
 *      distribution  dist{R=(..);H=((..),(..),..);P=((1.0,2.0),..);Y=(1.1,..)}
 *      dims>dims     places of dimensions below and above a transform, lists with commas that may be empty
 *      label=word    a memory operation or an address space
 */
#include <string.h>

#include "calc/parser.h"

/** The lists of a distribution, and the first reason why they are none. */
typedef struct lists {
    tsr_encoding_lists of;
    tsr_reason why;
} lists;

/** Counts one more entry, of at most `most`. Entries beyond that overwrite the last place. */
static int one_more(lists *l, int count, int most)
{
    if (count >= most && !l->why.status)
        l->why = tsr_because(TSR_DIMS, 0, most + 1, most, 0);
    return count < most ? count : most - 1;
}

typedef void read_entry(parser *s, lists *l, void *list);

/** (entry,..) */
static void read_list(parser *s, lists *l, read_entry *read, void *list)
{
    for (bool more = scan_list(&s->in, "(", ")"); more; more = scan_more(&s->in, ")"))
        read(s, l, list);
}

static void read_length(parser *s, lists *l, void *list)
{
    tsr_index *const to = (tsr_index *)list;
    int const at = one_more(l, to->rank, TSR_MAX_DIMS);
    to->at[at] = scan_integer(&s->in);
    to->rank = (uint8_t)(at + 1);
    (void)scan_take_here(&s->in, "?");
}

static void read_factor(parser *s, lists *l, void *list)
{
    tsr_places *const to = (tsr_places *)list;
    int const at = one_more(l, to->count, TSR_MAX_DIMS);
    int64_t const major = scan_integer(&s->in);
    scan_expect(&s->in, ".");
    int64_t const minor = scan_integer(&s->in);
    if (!l->why.status && (major < 0 || minor < 0 || major > TSR_MAX_XS || minor > TSR_MAX_FACTORS))
        l->why = tsr_because(TSR_NO_FACTOR, 0, major, minor, 0);
    to->at[at].major = (uint8_t)major;
    to->at[at].minor = (uint8_t)minor;
    to->count = (uint8_t)(at + 1);
}

static void read_h(parser *s, lists *l, void *list)
{
    int const at = one_more(l, l->of.xs, TSR_MAX_XS);
    (void)list;
    read_list(s, l, read_length, &l->of.h[at]);
    l->of.xs = (uint8_t)(at + 1);
}

static void read_p(parser *s, lists *l, void *list)
{
    int const at = one_more(l, l->of.ps, TSR_MAX_PS);
    (void)list;
    read_list(s, l, read_factor, &l->of.p[at]);
    l->of.ps = (uint8_t)(at + 1);
}

OWN_FRAME bool tsr_token_distribution_(parser *s, value *r)
{
    lists l = TSR_ZERO;
    struct {
        char const *name;
        read_entry *read;
        void *list;
    } const parts[] = {
        {"R=", read_length, &l.of.r}, {"H=", read_h, NULL}, {"P=", read_p, NULL}, {"Y=", read_factor, &l.of.y}};
    if (!scan_take_here(&s->in, "dist{"))
        return false;
    for (int i = 0; i < 4; ++i) {
        scan_expect(&s->in, parts[i].name);
        read_list(s, &l, parts[i].read, parts[i].list);
        scan_expect(&s->in, i < 3 ? ";" : "}");
    }
    r->kind = VALUE_DISTRIBUTION;
    r->as.distribution = tsr_make_tile_distribution_encoding(&l.of);
    if (l.why.status)
        r->as.distribution.why = l.why;
    return true;
}

/** Passes the sign and what is blank; false unless a digit follows. */
static bool take_before_digit(parser *s, char const *sign)
{
    char const *const start = s->in.p;
    if (!scan_take_here(&s->in, sign))
        return false;
    scan_blanks(&s->in);
    if (scan_is_digit(&s->in))
        return true;
    s->in.p = start;
    return false;
}

/** 0,2,1 or nothing; a comma with no number behind it is not ours. */
static uint8_t read_places(parser *s, uint8_t *place, tsr_reason *why)
{
    uint8_t n = 0;
    bool more = take_before_digit(s, "");
    while (more && !s->in.failed) {
        int64_t const at = scan_integer_here(&s->in);
        if (n == TSR_MAX_DIMS && !why->status)
            *why = tsr_because(TSR_DIMS, 0, n + 1, TSR_MAX_DIMS, 0);
        else if (n < TSR_MAX_DIMS)
            place[n++] = (uint8_t)(at < 255 ? at : 255);
        more = take_before_digit(s, ",");
    }
    return n;
}

OWN_FRAME void tsr_token_link_(parser *s, value *r)
{
    tsr_link l = TSR_ZERO;
    l.transform = r->as.transform;
    l.lows = read_places(s, l.low, &l.transform.why);
    scan_expect_in(&s->in, ">", "transform:dims below>dims above");
    l.ups = read_places(s, l.up, &l.transform.why);
    r->kind = VALUE_LINK;
    r->as.link = l;
}

bool tsr_token_label_(parser *s, char *label, size_t size)
{
    size_t const n = strspn(s->in.p, "abcdefghijklmnopqrstuvwxyz");
    label[0] = 0;
    if (s->in.failed || n == 0 || s->in.p[n] != '=')
        return false;
    if (n >= size)
        scan_fail(&s->in, "no argument has this label");
    else
        snprintf(label, size, "%.*s", (int)n, s->in.p);
    s->in.p += n + 1;
    scan_blanks(&s->in);
    return true;
}

bool tsr_token_word_(scan *s, value *r)
{
    static struct {
        char const *name;
        value_kind kind;
        int is;
    } const words[] = {
#define X(id, name, atomic) {name, VALUE_UPDATE, TSR_UPDATE_##id},
        TSR_MEMORY_OPERATION_LIST(X)
#undef X
        /* clang-format off */
        {"sum", VALUE_UPDATE, TSR_UPDATE_ADD}, {"generic", VALUE_SPACE, TSR_RMEM}, {"vgpr", VALUE_SPACE, TSR_RMEM},
        {"global", VALUE_SPACE, TSR_GMEM}, {"lds", VALUE_SPACE, TSR_SMEM},
    /* clang-format on */
#define X(id, name, ...) {name, VALUE_BANKS, TSR_BANKS_##id},
        TSR_BANKS_LIST(X)
#undef X
    };
    size_t const n = scan_is_digit(s) ? 0 : strspn(s->p, "abcdefghijklmnopqrstuvwxyz_0123456789");
    if (n == 0 || s->p[n] == '(' || s->p[n] == '<' || s->p[n] == '{')
        return false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        if (strlen(words[i].name) != n || strncmp(words[i].name, s->p, n) != 0)
            continue;
        s->p += n;
        r->kind = words[i].kind;
        r->text = words[i].name;
        if (r->kind == VALUE_UPDATE)
            r->as.update = (tsr_memory_operation)words[i].is;
        else if (r->kind == VALUE_BANKS)
            r->as.banks = (tsr_banks)words[i].is;
        else
            r->as.space = (tsr_space)words[i].is;
        return true;
    }
    scan_fail(s, "an operation (set, add, max, atomic_add, atomic_max), an address space (global, lds, vgpr, "
                 "generic) or banks (nvidia, gfx90a, gfx942, gfx950, gfx10, gfx11, gfx12, and each with _write) are "
                 "expected here");
    return true;
}
