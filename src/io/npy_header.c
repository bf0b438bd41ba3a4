/** The dictionary of an .npy header, read by its grammar and nothing more.
 *
 *      keys    'descr' a string, 'fortran_order' True or False, 'shape' a tuple of integers; each once, in any order
 *
 *  Source  NumPy, numpy/lib/format.py.
 */
#include "io/npy_header.h"

#include <stdio.h>

/** A string without escapes, in either kind of quotes. */
static bool read_string(npy_header *h, char *out, size_t room, char const *what)
{
    char shown[40];
    char const quote = tsr_scan_peek_(&h->s);
    if (quote != '\'' && quote != '"')
        return tsr_io_fail_(h->s.error, "character %zu of the header does not begin %s, which is a string", h->s.at,
                            what);
    size_t const begin = ++h->s.at;
    while (h->s.at < h->s.size && h->s.text[h->s.at] != quote && h->s.text[h->s.at] != '\\')
        ++h->s.at;
    if (h->s.at >= h->s.size)
        return tsr_io_fail_(h->s.error, "the string at character %zu of the header has no end", begin - 1);
    if (h->s.text[h->s.at] == '\\')
        return tsr_io_fail_(h->s.error, "the string at character %zu of the header has a backslash", begin - 1);
    size_t const n = h->s.at++ - begin;
    tsr_format_printable(shown, sizeof shown, h->s.text + begin, n);
    if (n >= room)
        return tsr_io_fail_(h->s.error, "%s '%s..' has %zu characters, at most %zu are known", what, shown, n,
                            room - 1);
    if (memchr(h->s.text + begin, 0, n))
        return tsr_io_fail_(h->s.error, "%s '%s' has a zero byte", what, shown);
    memcpy(out, h->s.text + begin, n);
    out[n] = 0;
    return true;
}

static bool read_word(npy_header *h, char const *word)
{
    size_t const n = strlen(word);
    tsr_scan_peek_(&h->s);
    if (h->s.size - h->s.at < n || memcmp(h->s.text + h->s.at, word, n) != 0)
        return false;
    h->s.at += n;
    return true;
}

/** One extent; Python 2 wrote an L after it. Python 3, whose version 3.0 is, cannot read that. */
static bool read_extent(npy_header *h, int dimension, int64_t *extent)
{
    char what[40];
    snprintf(what, sizeof what, "extent %d of the shape", dimension);
    if (!tsr_scan_integer_(&h->s, extent, what))
        return false;
    bool const marked = h->s.at < h->s.size && h->s.text[h->s.at] == 'L';
    h->s.at += marked;
    return !marked || h->python2
               ? true
               : tsr_io_fail_(h->s.error, "%s is %lldL, an integer of Python 2: versions 1.0 and 2.0 may have those",
                              what, (long long)*extent);
}

static bool read_shape(npy_header *h)
{
    if (!tsr_scan_expect_(&h->s, '(', "of the shape"))
        return false;
    for (h->rank = 0; !tsr_scan_take_(&h->s, ')'); ++h->rank) {
        int64_t n = 0;
        if (!read_extent(h, h->rank, &n))
            return false;
        if (h->rank < TSR_MAX_LEAVES)
            h->extent[h->rank] = n;
        bool const comma = tsr_scan_take_(&h->s, ',');
        if (!comma && h->rank == 0 && tsr_scan_peek_(&h->s) == ')')
            return tsr_io_fail_(h->s.error, "the shape (%lld) is an integer in brackets, a tuple is (%lld,)",
                                (long long)n, (long long)n);
        if (!comma && tsr_scan_peek_(&h->s) != ')')
            return tsr_scan_expect_(&h->s, ')', "of the shape");
    }
    if (h->rank > TSR_MAX_LEAVES)
        return tsr_io_fail_(h->s.error, "the array has %d dimensions, at most %d fit (TSR_MAX_LEAVES)", h->rank,
                            TSR_MAX_LEAVES);
    return true;
}

static bool read_descr(npy_header *h)
{
    if (tsr_scan_peek_(&h->s) == '[')
        return tsr_io_fail_(h->s.error,
                            "the elements are structures ('descr' is a list), which are no elements of a tensor");
    return read_string(h, h->descr, sizeof h->descr, "the type");
}

static bool read_order(npy_header *h)
{
    if (read_word(h, "True"))
        h->fortran = true;
    else if (!read_word(h, "False"))
        return tsr_io_fail_(h->s.error, "'fortran_order' is neither True nor False (character %zu of the header)",
                            h->s.at);
    return true;
}

static bool read_entry(npy_header *h)
{
    char key[24];
    if (!read_string(h, key, sizeof key, "the key"))
        return false;
    bool *const seen = strcmp(key, "descr") == 0           ? &h->has_descr
                       : strcmp(key, "fortran_order") == 0 ? &h->has_order
                       : strcmp(key, "shape") == 0         ? &h->has_shape
                                                           : NULL;
    if (!seen) {
        char shown[24];
        tsr_format_printable(shown, sizeof shown, key, strlen(key));
        return tsr_io_fail_(h->s.error, "the header has the unknown key '%s'", shown);
    }
    if (*seen)
        return tsr_io_fail_(h->s.error, "the header has the key '%s' twice", key);
    *seen = true;
    if (!tsr_scan_expect_(&h->s, ':', "after a key"))
        return false;
    return seen == &h->has_descr ? read_descr(h) : seen == &h->has_order ? read_order(h) : read_shape(h);
}

bool tsr_npy_read_header_(npy_header *h)
{
    if (h->s.size == 0 || h->s.text[--h->s.size] != '\n')
        return tsr_io_fail_(h->s.error, "the header does not end with a newline");
    if (!tsr_scan_expect_(&h->s, '{', "of the dictionary"))
        return false;
    while (!tsr_scan_take_(&h->s, '}')) {
        if (!read_entry(h))
            return false;
        if (!tsr_scan_take_(&h->s, ',') && tsr_scan_peek_(&h->s) != '}')
            return tsr_scan_expect_(&h->s, '}', "of the dictionary");
    }
    if (!h->has_descr || !h->has_order || !h->has_shape)
        return tsr_io_fail_(h->s.error, "the header has no '%s'",
                            !h->has_descr   ? "descr"
                            : !h->has_order ? "fortran_order"
                                            : "shape");
    if (tsr_scan_peek_(&h->s) != 0 || h->s.at < h->s.size)
        return tsr_io_fail_(h->s.error, "character %zu of the header, after the dictionary, is not padding", h->s.at);
    return true;
}
