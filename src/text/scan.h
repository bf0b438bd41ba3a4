/** Reading a text: a place in it, tokens, words, integers and lists, and the first error with its place.
 *
 *  A text has an end, and need not have a 0 there; nothing is read past it. After a failure nothing more is taken, and
 *  the first error is kept. A name that ends in _here takes what stands at the place, others pass blanks first. */
#ifndef TSR_SRC_TEXT_SCAN_H
#define TSR_SRC_TEXT_SCAN_H

#include <string.h>

#include "text/write.h"

#if defined(__GNUC__)
#  define SCAN_FORMAT(n) __attribute__((format(printf, n, n + 1)))
#else
#  define SCAN_FORMAT(n)
#endif

typedef struct scan {
    char const *text, *p, *end;
    int depth;
    bool failed;
    tsr_message *error;
} scan;

/** The text of n bytes, from its beginning on; clears the error. */
scan tsr_scan_open_(char const *text, size_t n, tsr_message *error);

/** Fails at a place. */
void tsr_scan_fail_(scan *s, char const *where, char const *format, va_list args);

/** Fails here, with a sentence; returns false. */
SCAN_FORMAT(2) static inline bool scan_fail(scan *s, char const *format, ...)
{
    va_list args;
    va_start(args, format);
    tsr_scan_fail_(s, s->p, format, args);
    va_end(args);
    return false;
}

SCAN_FORMAT(3) static inline bool scan_fail_at(scan *s, char const *where, char const *format, ...)
{
    va_list args;
    va_start(args, format);
    tsr_scan_fail_(s, where, format, args);
    va_end(args);
    return false;
}

/** Fails at a place with the words that the error has. */
static inline void scan_fail_as_is(scan *s, char const *where)
{
    s->error->at = s->failed ? s->error->at : (size_t)(where - s->text);
    s->failed = true;
}

/** Fails here with the sentence of a reason. */
static inline bool scan_refuse(scan *s, tsr_reason why)
{
    char words[TSR_TEXT_SIZE];
    tsr_format_reason(words, sizeof words, why);
    return scan_fail(s, "%s", words);
}

/** How many characters stand in front of the place. */
static inline size_t scan_at(scan const *s) { return (size_t)(s->p - s->text); }

/** Character k behind the place; 0 from the end on. */
static inline char scan_char(scan const *s, size_t k) { return k < (size_t)(s->end - s->p) ? s->p[k] : 0; }

/** Is the character at the place one of these? */
static inline bool scan_is(scan const *s, char const *set)
{
    return s->p < s->end && *s->p && strchr(set, *s->p) != NULL;
}

/** Is it a digit? */
static inline bool scan_is_digit(scan const *s) { return scan_char(s, 0) >= '0' && scan_char(s, 0) <= '9'; }

/** Passes characters of a set, or those up to one of it. */
static inline void scan_pass(scan *s, char const *set)
{
    while (scan_is(s, set))
        ++s->p;
}

static inline void scan_until(scan *s, char const *set)
{
    while (s->p < s->end && !scan_is(s, set))
        ++s->p;
}

static inline void scan_blanks(scan *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\r' || *s->p == '\n'))
        ++s->p;
}

/** The next character behind blanks; 0 at the end. */
static inline char scan_next(scan *s)
{
    scan_blanks(s);
    return scan_char(s, 0);
}

/** Does the rest of the text begin with a token? */
static inline bool scan_begins(scan const *s, char const *token)
{
    size_t const n = strlen(token);
    return (size_t)(s->end - s->p) >= n && memcmp(s->p, token, n) == 0;
}

/** Passes a token; false: something else stands here. */
static inline bool scan_take_here(scan *s, char const *token)
{
    bool const may = !*token || scan_char(s, 0) == *token; /* most differ at once */
    bool const taken = may && !s->failed && scan_begins(s, token);
    s->p += taken ? strlen(token) : 0;
    return taken;
}

static inline bool scan_take(scan *s, char const *token)
{
    scan_blanks(s);
    return scan_take_here(s, token);
}

/** The same, but it must stand here. */
static inline bool scan_expect(scan *s, char const *token)
{
    return scan_take(s, token) || scan_fail(s, "`%s` is expected here", token);
}

/** The same, with an example of the whole. */
static inline bool scan_expect_in(scan *s, char const *token, char const *example)
{
    return scan_take(s, token) || scan_fail(s, "`%s` is expected here: %s", token, example);
}

/** Is there nothing but blanks? Else it is an error. */
static inline bool scan_end(scan *s)
{
    scan_blanks(s);
    return !s->failed && (s->p == s->end || scan_fail(s, "nothing may follow here"));
}

/** How many of the characters are letters, digits and _. */
static inline size_t scan_letters(scan const *s)
{
    size_t n = 0;
    for (char c = scan_char(s, 0); c; c = scan_char(s, ++n)) {
        char const low = (char)(c | 32);
        if ((low < 'a' || low > 'z') && (c < '0' || c > '9') && c != '_')
            break;
    }
    return n;
}

/** A word of letters, digits and _ of at most size - 1 characters; "" where there is none. */
static inline bool scan_word(scan *s, char *word, size_t size)
{
    scan_blanks(s);
    size_t const n = s->failed ? 0 : scan_letters(s);
    word[0] = 0;
    if (n == 0)
        return scan_fail(s, "a name is expected here");
    if (n >= size)
        return scan_fail(s, "the name `%.*s` has more than %zu characters", (int)tsr_min64((int64_t)n, 64), s->p,
                         size - 1);
    memcpy(word, s->p, n);
    word[n] = 0;
    s->p += n;
    return true;
}

/** Digits of base 10 or 16, all of them; false: there are none, or the number does not fit in 64 bits. */
static inline bool scan_digits(scan *s, int base, uint64_t *v)
{
    char const *const begin = s->p;
    bool fits = true;
    for (*v = 0; s->p < s->end; ++s->p) {
        char const c = *s->p, low = (char)(c | 32);
        int const digit = c >= '0' && c <= '9' ? c - '0' : low >= 'a' && low <= 'f' ? low - 'a' + 10 : base;
        if (digit >= base)
            break;
        fits = fits && *v <= (base == 16 ? UINT64_MAX >> 4 : (UINT64_MAX - (uint64_t)digit) / 10);
        *v = *v * (uint64_t)base + (uint64_t)digit;
    }
    return fits && s->p > begin;
}

/** The digits of a number that begins at `begin`, with its sign or 0x. What is no integer of 64 bits fails and is 0. */
static inline int64_t scan_number(scan *s, int base, char const *begin)
{
    char const *const first = s->p;
    uint64_t v = 0;
    bool const fits = !s->failed && scan_digits(s, base, &v) && v <= TSR_INT_MAX;
    int const n = (int)tsr_min64(s->p - begin, 40);
    if (!fits && s->p == first)
        scan_fail(s, "an integer is expected here");
    else if (!fits)
        scan_fail_at(s, begin, "%.*s%s does not fit in 64 bits", n, begin, n < s->p - begin ? ".." : "");
    return fits ? (int64_t)v : 0;
}

/** Digits behind an optional minus. */
static inline int64_t scan_integer_here(scan *s)
{
    char const *const begin = s->p;
    bool const minus = scan_take_here(s, "-");
    int64_t const v = scan_number(s, 10, begin);
    return minus ? -v : v;
}

static inline int64_t scan_integer(scan *s)
{
    scan_blanks(s);
    return scan_integer_here(s);
}

/* Lists: for (bool more = scan_list(s, "(", ")"); more; more = scan_more(s, ")")) reads an element */

/** Takes what opens a list; has it an element? */
static inline bool scan_list(scan *s, char const *open, char const *close)
{
    return scan_expect(s, open) && !scan_take(s, close);
}

/** Behind an element: does another one follow? Else the list is closed. */
static inline bool scan_more_of(scan *s, char const *separator, char const *close)
{
    if (s->failed || scan_take(s, separator))
        return !s->failed;
    return !scan_take(s, close) && scan_fail(s, "`%s` or `%s` is expected here", separator, close);
}

static inline bool scan_more(scan *s, char const *close) { return scan_more_of(s, ",", close); }

/** open 1, 2, 3 close: how many integers there are. One more than `most` is an error; a comma may end the list. */
static inline int scan_integers(scan *s, char const *open, char const *close, int most, int64_t *at)
{
    int n = 0;
    for (bool more = scan_list(s, open, close); more; more = scan_more(s, close) && !scan_take(s, close)) {
        if (n == most)
            scan_fail(s, "at most %d integers are listed here", most);
        else
            at[n++] = scan_integer(s);
    }
    return s->failed ? 0 : n;
}

/** The map of bases that were read, with a number for each output; of a number that is too large the reason. */
tsr_linear tsr_linear_of_numbers_(tsr_linear_side const *in, tsr_linear_side const *out, int bits,
                                  int64_t const (*number)[TSR_LINEAR_DIMS]);

/** One level deeper, of at most `most`; scan_leave ends it. */
static inline bool scan_enter(scan *s, int most)
{
    return (++s->depth <= most && !s->failed) || scan_fail(s, "the text nests more than %d levels deep", most);
}

static inline void scan_leave(scan *s) { --s->depth; }

#endif
