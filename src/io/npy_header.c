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
    char const quote = scan_peek(&h->s);
    if (quote != '\'' && quote != '"')
        return io_fail(h->s.error, "character %zu of the header does not begin %s, which is a string", h->s.at, what);
    size_t const begin = ++h->s.at;
    while (h->s.at < h->s.size && h->s.text[h->s.at] != quote && h->s.text[h->s.at] != '\\')
        ++h->s.at;
    if (h->s.at >= h->s.size)
        return io_fail(h->s.error, "the string at character %zu of the header has no end", begin - 1);
    if (h->s.text[h->s.at] == '\\')
        return io_fail(h->s.error, "the string at character %zu of the header has a backslash", begin - 1);
    size_t const n = h->s.at++ - begin;
    tsr_format_printable(shown, sizeof shown, h->s.text + begin, n);
    if (n >= room)
        return io_fail(h->s.error, "%s '%s..' has %zu characters, at most %zu are known", what, shown, n, room - 1);
    if (memchr(h->s.text + begin, 0, n))
        return io_fail(h->s.error, "%s '%s' has a zero byte", what, shown);
    memcpy(out, h->s.text + begin, n);
    out[n] = 0;
    return true;
}

static bool read_word(npy_header *h, char const *word)
{
    size_t const n = strlen(word);
    scan_peek(&h->s);
    if (h->s.size - h->s.at < n || memcmp(h->s.text + h->s.at, word, n) != 0)
        return false;
    h->s.at += n;
    return true;
}

/** One extent; Python 2 wrote an L after it. */
static bool read_extent(npy_header *h, int dimension, int64_t *extent)
{
    char what[40];
    snprintf(what, sizeof what, "extent %d of the shape", dimension);
    if (!scan_integer(&h->s, extent, what))
        return false;
    if (h->s.at < h->s.size && h->s.text[h->s.at] == 'L')
        ++h->s.at;
    return true;
}

static bool read_shape(npy_header *h)
{
    if (!scan_expect(&h->s, '(', "of the shape"))
        return false;
    for (h->rank = 0; !scan_take(&h->s, ')'); ++h->rank) {
        int64_t n = 0;
        if (!read_extent(h, h->rank, &n))
            return false;
        if (h->rank < TSR_MAX_LEAVES)
            h->extent[h->rank] = n;
        bool const comma = scan_take(&h->s, ',');
        if (!comma && h->rank == 0 && scan_peek(&h->s) == ')')
            return io_fail(h->s.error, "the shape (%lld) is an integer in brackets, a tuple is (%lld,)", (long long)n,
                           (long long)n);
        if (!comma && scan_peek(&h->s) != ')')
            return scan_expect(&h->s, ')', "of the shape");
    }
    if (h->rank > TSR_MAX_LEAVES)
        return io_fail(h->s.error, "the array has %d dimensions, at most %d fit (TSR_MAX_LEAVES)", h->rank,
                       TSR_MAX_LEAVES);
    return true;
}

static bool read_descr(npy_header *h)
{
    if (scan_peek(&h->s) == '[')
        return io_fail(h->s.error,
                       "the elements are structures ('descr' is a list), which are no elements of a tensor");
    return read_string(h, h->descr, sizeof h->descr, "the type");
}

static bool read_order(npy_header *h)
{
    if (read_word(h, "True"))
        h->fortran = true;
    else if (!read_word(h, "False"))
        return io_fail(h->s.error, "'fortran_order' is neither True nor False (character %zu of the header)",
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
        return io_fail(h->s.error, "the header has the unknown key '%s'", shown);
    }
    if (*seen)
        return io_fail(h->s.error, "the header has the key '%s' twice", key);
    *seen = true;
    if (!scan_expect(&h->s, ':', "after a key"))
        return false;
    return seen == &h->has_descr ? read_descr(h) : seen == &h->has_order ? read_order(h) : read_shape(h);
}

bool npy_read_header(npy_header *h)
{
    if (h->s.size == 0 || h->s.text[--h->s.size] != '\n')
        return io_fail(h->s.error, "the header does not end with a newline");
    if (!scan_expect(&h->s, '{', "of the dictionary"))
        return false;
    while (!scan_take(&h->s, '}')) {
        if (!read_entry(h))
            return false;
        if (!scan_take(&h->s, ',') && scan_peek(&h->s) != '}')
            return scan_expect(&h->s, '}', "of the dictionary");
    }
    if (!h->has_descr || !h->has_order || !h->has_shape)
        return io_fail(h->s.error, "the header has no '%s'",
                       !h->has_descr   ? "descr"
                       : !h->has_order ? "fortran_order"
                                       : "shape");
    if (scan_peek(&h->s) != 0 || h->s.at < h->s.size)
        return io_fail(h->s.error, "character %zu of the header, after the dictionary, is not padding", h->s.at);
    return true;
}
