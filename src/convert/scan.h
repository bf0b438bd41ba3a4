/** What the readers of other systems' texts share: a place in a text, lists of integers, and the first error. */
#ifndef TSR_SRC_CONVERT_SCAN_H
#define TSR_SRC_CONVERT_SCAN_H

#include <string.h>

#include "tessera/convert.h"

#include "text/write.h"

/** The most integers of a list, and lists of a list. */
enum { MOST = TSR_LINEAR_BITS };

/** The most characters of a function of TileLang, times the elements for which it is read. */
enum { MOST_SAMPLED = 1 << 25 };

typedef struct scan {
    char const *text, *p;
    bool failed;
    tsr_message *error;
} scan;

typedef struct integers {
    int count;
    int64_t at[MOST];
} integers;

static inline void scan_fail(scan *s, char const *words)
{
    if (s->failed)
        return;
    s->failed = true;
    s->error->at = (size_t)(s->p - s->text);
    snprintf(s->error->text, sizeof s->error->text, "%s", words);
}

/** The sentence of a reason. */
static inline void scan_refuse(scan *s, tsr_reason why)
{
    char words[TSR_TEXT_SIZE];
    tsr_format_reason(words, sizeof words, why);
    scan_fail(s, words);
}

static inline void scan_blanks(scan *s)
{
    while (*s->p == ' ' || *s->p == '\t' || *s->p == '\r' || *s->p == '\n')
        ++s->p;
}

/** Passes a token behind blanks; false: something else stands here. */
static inline bool scan_take(scan *s, char const *token)
{
    scan_blanks(s);
    size_t const n = *s->p == *token ? strlen(token) : 0; /* most tokens differ at once */
    if (s->failed || n == 0 || strncmp(s->p, token, n) != 0)
        return false;
    s->p += n;
    return true;
}

static inline void scan_expect(scan *s, char const *token)
{
    char words[64];
    if (scan_take(s, token) || s->failed)
        return;
    snprintf(words, sizeof words, "`%s` is expected here", token);
    scan_fail(s, words);
}

static inline bool scan_is_word(char c)
{
    char const low = (char)(c | 32);
    return (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/** A word of letters, digits and _ of at most size - 1 characters. */
static inline void scan_word(scan *s, char *word, size_t size)
{
    size_t n = 0;
    scan_blanks(s);
    while (scan_is_word(s->p[n]))
        ++n;
    word[0] = 0;
    if (n == 0 || n >= size)
        scan_fail(s, n == 0 ? "a name is expected here" : "this name is too long");
    if (s->failed)
        return;
    memcpy(word, s->p, n);
    word[n] = 0;
    s->p += n;
}

static inline int64_t scan_integer(scan *s)
{
    int64_t v = 0;
    scan_blanks(s);
    bool const minus = !s->failed && *s->p == '-';
    s->p += minus;
    if (*s->p < '0' || *s->p > '9')
        scan_fail(s, "an integer is expected here");
    for (; !s->failed && *s->p >= '0' && *s->p <= '9'; ++s->p)
        if (!tsr_mul64(v, 10, &v) || !tsr_add64(v, *s->p - '0', &v))
            scan_fail(s, "this integer does not fit in 64 bits");
    return minus ? -v : v;
}

/** open 1, 2, 3 close */
static inline void scan_integers(scan *s, char const *open, char const *close, integers *r)
{
    r->count = 0;
    scan_expect(s, open);
    if (scan_take(s, close))
        return;
    for (bool more = true; more && !s->failed;) { /* a comma may end the list: (4,) */
        if (r->count == MOST)
            scan_fail(s, "a list has at most 64 integers");
        else
            r->at[r->count++] = scan_integer(s);
        more = scan_take(s, ",");
        scan_blanks(s);
        more = more && *s->p != *close;
    }
    scan_expect(s, close);
}

/* The readers and writers of the systems */

/** Does a text begin with a layout of Gluon? */
bool tsr_is_gluon_(char const *text);

/** Does a text begin with words of CuTe that are no expression of ours? */
bool tsr_is_cute_(char const *text);

/** Does a text begin with a layout of TileLang? */
bool tsr_is_tilelang_(char const *text);

/** Has a map the outputs (thread, index) of a fragment of TileLang? */
bool tsr_is_fragment_(tsr_linear const *f);

/** The map of a layout of the coordinates (thread, index). */
tsr_linear tsr_fragment_map_(tsr_layout const *l);

/** The fragment of a map from register, lane and warp, and back; what it cannot be is refused. */
tsr_linear tsr_fragment_of_(tsr_linear const *f, scan *s);
tsr_linear tsr_distributed_of_(tsr_linear const *f, scan *s);

void tsr_read_dump_(scan *s, tsr_linear *r);
void tsr_read_ttg_(scan *s, tsr_tuple shape, tsr_converted *r);
void tsr_read_mdspan_(scan *s, tsr_layout *r);
void tsr_read_cute_(scan *s, tsr_layout *r);
void tsr_read_isl_(scan *s, tsr_layout *r);
void tsr_read_einops_(scan *s, tsr_tuple shape, tsr_layout *r);
void tsr_read_strides_(scan *s, tsr_system from, int64_t bytes, tsr_layout *r);
void tsr_read_tilelang_(scan *s, tsr_tuple shape, int64_t bytes, tsr_converted *r);
void tsr_read_mpi_(scan *s, int64_t bytes, tsr_layout *r);
void tsr_read_tag_(scan *s, tsr_tuple shape, tsr_layout *r);

void tsr_write_dump_(writer *w, tsr_linear const *f);
void tsr_write_ttg_(writer *w, tsr_linear const *f, scan *s);
void tsr_write_gluon_(writer *w, tsr_linear const *f, scan *s);
void tsr_write_cute_(writer *w, tsr_layout const *l, scan *s);
void tsr_write_cutedsl_(writer *w, tsr_layout const *l, scan *s);
void tsr_write_isl_(writer *w, tsr_layout const *l, scan *s);
void tsr_write_mdspan_(writer *w, tsr_layout const *l, scan *s);
void tsr_write_ck_(writer *w, tsr_converted const *v, scan *s);
void tsr_write_strides_(writer *w, tsr_system to, tsr_layout const *l, int64_t bytes, scan *s);
void tsr_write_tilelang_(writer *w, tsr_converted const *v, scan *s);
void tsr_write_mpi_(writer *w, tsr_layout const *l, int64_t bytes, scan *s);
void tsr_write_tag_(writer *w, tsr_layout const *l, scan *s);

#endif
