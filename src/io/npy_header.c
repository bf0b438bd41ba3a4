/** The dictionary of an .npy header, read by its grammar and nothing more.
 *
 *      keys    'descr' a string or a list of fields, 'fortran_order' True or False, 'shape' a tuple of integers; each
 *              once, in any order
 *
 *  Source  NumPy, numpy/lib/format.py.
 */
#include "io/npy_header.h"

#include <stdio.h>

bool tsr_npy_read_string_(npy_header *h, char *out, size_t capacity, char const *what)
{
    char shown[40];
    char const quote = scan_next(&h->s);
    if (quote != '\'' && quote != '"')
        return scan_fail(&h->s, "character %zu of the header does not begin %s, which is a string", scan_at(&h->s),
                         what);
    size_t const begin = scan_at(&h->s) + 1;
    char const *const string = ++h->s.p;
    scan_until(&h->s, quote == '"' ? "\"\\" : "'\\");
    if (h->s.p == h->s.end)
        return scan_fail(&h->s, "the string at character %zu of the header has no end", begin - 1);
    if (*h->s.p == '\\')
        return scan_fail(&h->s, "the string at character %zu of the header has a backslash", begin - 1);
    size_t const n = (size_t)(h->s.p++ - string);
    tsr_format_printable(shown, sizeof shown, string, n);
    if (n >= capacity)
        return scan_fail(&h->s, "%s '%s..' has %zu characters, at most %zu are known", what, shown, n, capacity - 1);
    if (memchr(string, 0, n))
        return scan_fail(&h->s, "%s '%s' has a zero byte", what, shown);
    memcpy(out, string, n);
    out[n] = 0;
    return true;
}

/** One extent; Python 2 wrote an L after it. Python 3, whose version 3.0 is, cannot read that. */
static bool read_extent(npy_header *h, int dimension, int64_t *extent)
{
    char what[40];
    snprintf(what, sizeof what, "extent %d of the shape", dimension);
    if (!tsr_header_integer_(&h->s, extent, what))
        return false;
    bool const marked = scan_take_here(&h->s, "L");
    return !marked || h->python2
               ? true
               : scan_fail(&h->s, "%s is %lldL, an integer of Python 2: versions 1.0 and 2.0 may have those", what,
                           (long long)*extent);
}

static bool read_shape(npy_header *h)
{
    if (!tsr_header_expect_(&h->s, "(", "of the shape"))
        return false;
    for (h->rank = 0; !scan_take(&h->s, ")"); ++h->rank) {
        int64_t n = 0;
        if (!read_extent(h, h->rank, &n))
            return false;
        if (h->rank < NPY_DIMENSIONS)
            h->extent[h->rank] = n;
        bool const comma = scan_take(&h->s, ",");
        if (!comma && h->rank == 0 && scan_next(&h->s) == ')')
            return scan_fail(&h->s, "the shape (%lld) is an integer in brackets, a tuple is (%lld,)", (long long)n,
                             (long long)n);
        if (!comma && scan_next(&h->s) != ')')
            return tsr_header_expect_(&h->s, ")", "of the shape");
    }
    if (h->rank > NPY_DIMENSIONS)
        return scan_fail(&h->s, "the array has %d dimensions, at most %d are read", h->rank, NPY_DIMENSIONS);
    return true;
}

static bool read_descr(npy_header *h)
{
    if (scan_next(&h->s) == '[')
        return tsr_npy_read_fields_(h);
    return tsr_npy_read_string_(h, h->descr, sizeof h->descr, "the type");
}

static bool read_order(npy_header *h)
{
    if (scan_take(&h->s, "True"))
        h->fortran = true;
    else if (!scan_take(&h->s, "False"))
        return scan_fail(&h->s, "'fortran_order' is neither True nor False (character %zu of the header)",
                         scan_at(&h->s));
    return true;
}

static bool read_entry(npy_header *h)
{
    char key[24];
    if (!tsr_npy_read_string_(h, key, sizeof key, "the key"))
        return false;
    bool *const seen = strcmp(key, "descr") == 0           ? &h->has_descr
                       : strcmp(key, "fortran_order") == 0 ? &h->has_order
                       : strcmp(key, "shape") == 0         ? &h->has_shape
                                                           : NULL;
    if (!seen) {
        char shown[24];
        tsr_format_printable(shown, sizeof shown, key, strlen(key));
        return scan_fail(&h->s, "the header has the unknown key '%s'", shown);
    }
    if (*seen)
        return scan_fail(&h->s, "the header has the key '%s' twice", key);
    *seen = true;
    if (!tsr_header_expect_(&h->s, ":", "after a key"))
        return false;
    return seen == &h->has_descr ? read_descr(h) : seen == &h->has_order ? read_order(h) : read_shape(h);
}

bool tsr_npy_read_header_(npy_header *h)
{
    if (h->s.p == h->s.end || *--h->s.end != '\n')
        return scan_fail(&h->s, "the header does not end with a newline");
    if (!tsr_header_expect_(&h->s, "{", "of the dictionary"))
        return false;
    while (!scan_take(&h->s, "}")) {
        if (!read_entry(h))
            return false;
        if (!scan_take(&h->s, ",") && scan_next(&h->s) != '}')
            return tsr_header_expect_(&h->s, "}", "of the dictionary");
    }
    if (!h->has_descr || !h->has_order || !h->has_shape)
        return scan_fail(&h->s, "the header has no '%s'",
                         !h->has_descr   ? "descr"
                         : !h->has_order ? "fortran_order"
                                         : "shape");
    if (scan_next(&h->s) != 0 || h->s.p < h->s.end)
        return scan_fail(&h->s, "character %zu of the header, after the dictionary, is not padding", scan_at(&h->s));
    return true;
}
