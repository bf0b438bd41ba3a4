/** NumPy's .npy: the header is a Python dictionary of three keys, read here by its grammar and nothing more.
 *
 *      file    \x93NUMPY major minor length dictionary padding newline elements
 *      length  2 bytes in version 1, 4 bytes in versions 2 and 3, little-endian
 *      keys    'descr' a string, 'fortran_order' True or False, 'shape' a tuple of integers; each once, in any order
 *
 *  Source  NumPy, numpy/lib/format.py.
 */
#include "file.h"
#include "types.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/** Python's dictionary as it is read: `at` is the next character. */
typedef struct header {
    char const *text;
    size_t at, size;
    bool has_descr, has_order, has_shape;
    bool fortran;
    char descr[16];
    int rank;
    int64_t extent[TSR_MAX_LEAVES];
    tsr_io_error *error;
} header;

/* The grammar */

static void skip_spaces(header *h)
{
    while (h->at < h->size && (h->text[h->at] == ' ' || h->text[h->at] == '\t'))
        ++h->at;
}

/** The next character after spaces; 0 at the end. */
static char peek(header *h)
{
    skip_spaces(h);
    return h->at < h->size ? h->text[h->at] : 0;
}

static bool take(header *h, char c)
{
    if (peek(h) != c || h->at >= h->size)
        return false;
    ++h->at;
    return true;
}

static bool expect(header *h, char c, char const *where)
{
    if (take(h, c))
        return true;
    if (h->at >= h->size)
        return io_fail(h->error, "the header ends where a '%c' %s is expected", c, where);
    return io_fail(h->error, "character %zu of the header is not the '%c' %s", h->at, c, where);
}

/** Spells a name of the header in a message: what is no plain letter becomes a question mark. */
static void spell(char *out, size_t room, char const *text, size_t n)
{
    size_t i = 0;
    for (; i < n && i + 1 < room; ++i)
        out[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    out[i] = 0;
}

/** A string without escapes, in either kind of quotes. */
static bool read_string(header *h, char *out, size_t room, char const *what)
{
    char shown[40];
    char const quote = peek(h);
    if (quote != '\'' && quote != '"')
        return io_fail(h->error, "character %zu of the header does not begin %s, which is a string", h->at, what);
    size_t const begin = ++h->at;
    while (h->at < h->size && h->text[h->at] != quote && h->text[h->at] != '\\')
        ++h->at;
    if (h->at >= h->size)
        return io_fail(h->error, "the string at character %zu of the header has no end", begin - 1);
    if (h->text[h->at] == '\\')
        return io_fail(h->error, "the string at character %zu of the header has a backslash", begin - 1);
    size_t const n = h->at++ - begin;
    spell(shown, sizeof shown, h->text + begin, n);
    if (n >= room)
        return io_fail(h->error, "%s '%s..' has %zu characters, at most %zu are known", what, shown, n, room - 1);
    if (memchr(h->text + begin, 0, n))
        return io_fail(h->error, "%s '%s' has a zero byte", what, shown);
    memcpy(out, h->text + begin, n);
    out[n] = 0;
    return true;
}

static bool read_word(header *h, char const *word)
{
    size_t const n = strlen(word);
    skip_spaces(h);
    if (h->size - h->at < n || memcmp(h->text + h->at, word, n) != 0)
        return false;
    h->at += n;
    return true;
}

/** One extent: decimal digits; Python 2 wrote an L after them. */
static bool read_extent(header *h, int dimension, int64_t *extent)
{
    char const first = peek(h);
    int64_t n = 0;
    if (first == '-')
        return io_fail(h->error, "extent %d of the shape is negative", dimension);
    if (first == '(' || first == '[' || first == '{')
        return io_fail(h->error, "extent %d of the shape is not an integer: '%c' nests", dimension, first);
    if (first < '0' || first > '9')
        return io_fail(h->error, "extent %d of the shape is not an integer (character %zu of the header)", dimension, h->at);
    size_t const begin = h->at;
    for (; h->at < h->size && h->text[h->at] >= '0' && h->text[h->at] <= '9'; ++h->at)
        if (!tsr_mul64(n, 10, &n) || !tsr_add64(n, h->text[h->at] - '0', &n))
            return io_fail(h->error, "extent %d of the shape does not fit in 64 bits", dimension);
    if (first == '0' && h->at - begin > 1)
        return io_fail(h->error, "extent %d of the shape begins with a zero", dimension);
    if (h->at < h->size && h->text[h->at] == 'L')
        ++h->at;
    *extent = n;
    return true;
}

static bool read_shape(header *h)
{
    if (!expect(h, '(', "of the shape"))
        return false;
    for (h->rank = 0; !take(h, ')'); ++h->rank) {
        int64_t n = 0;
        if (!read_extent(h, h->rank, &n))
            return false;
        if (h->rank < TSR_MAX_LEAVES)
            h->extent[h->rank] = n;
        bool const comma = take(h, ',');
        if (!comma && h->rank == 0 && peek(h) == ')')
            return io_fail(h->error, "the shape (%lld) is an integer in brackets, a tuple is (%lld,)", (long long)n,
                           (long long)n);
        if (!comma && peek(h) != ')')
            return expect(h, ')', "of the shape");
    }
    if (h->rank > TSR_MAX_LEAVES)
        return io_fail(h->error, "the array has %d dimensions, at most %d fit (TSR_MAX_LEAVES)", h->rank, TSR_MAX_LEAVES);
    return true;
}

static bool read_descr(header *h)
{
    if (peek(h) == '[')
        return io_fail(h->error, "the elements are structures ('descr' is a list), which are no elements of a tensor");
    return read_string(h, h->descr, sizeof h->descr, "the type");
}

static bool read_order(header *h)
{
    if (read_word(h, "True"))
        h->fortran = true;
    else if (!read_word(h, "False"))
        return io_fail(h->error, "'fortran_order' is neither True nor False (character %zu of the header)", h->at);
    return true;
}

static bool read_entry(header *h)
{
    char key[24];
    if (!read_string(h, key, sizeof key, "the key"))
        return false;
    bool *const seen = strcmp(key, "descr") == 0           ? &h->has_descr
                     : strcmp(key, "fortran_order") == 0   ? &h->has_order
                     : strcmp(key, "shape") == 0           ? &h->has_shape
                                                           : NULL;
    if (!seen) {
        char shown[24];
        spell(shown, sizeof shown, key, strlen(key));
        return io_fail(h->error, "the header has the unknown key '%s'", shown);
    }
    if (*seen)
        return io_fail(h->error, "the header has the key '%s' twice", key);
    *seen = true;
    if (!expect(h, ':', "after a key"))
        return false;
    return seen == &h->has_descr ? read_descr(h) : seen == &h->has_order ? read_order(h) : read_shape(h);
}

static bool read_dictionary(header *h)
{
    if (!expect(h, '{', "of the dictionary"))
        return false;
    while (!take(h, '}')) {
        if (!read_entry(h))
            return false;
        if (!take(h, ',') && peek(h) != '}')
            return expect(h, '}', "of the dictionary");
    }
    if (!h->has_descr || !h->has_order || !h->has_shape)
        return io_fail(h->error, "the header has no '%s'",
                       !h->has_descr ? "descr" : !h->has_order ? "fortran_order" : "shape");
    skip_spaces(h);
    if (h->at + 1 == h->size && h->text[h->at] == '\n')
        return true;
    if (h->at >= h->size)
        return io_fail(h->error, "the header does not end with a newline");
    return io_fail(h->error, "character %zu of the header, after the dictionary, is not padding", h->at);
}

/* The array */

/** Magic, version and length: where the dictionary begins, and how long it is. */
static bool read_prefix(unsigned char const *p, uint64_t size, tsr_npy *array, uint64_t *begin, uint64_t *length,
                        tsr_io_error *error)
{
    static unsigned char const magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    if (size < 6 || memcmp(p, magic, 6) != 0)
        return io_fail(error, "this is not an .npy file: it does not begin with \\x93NUMPY");
    if (size < 8)
        return io_fail(error, "the file ends after %llu bytes, inside the version", (unsigned long long)size);
    array->major = p[6];
    array->minor = p[7];
    if (p[6] < 1 || p[6] > 3 || p[7] != 0)
        return io_fail(error, "version %d.%d of the format is not known (1.0, 2.0 and 3.0 are)", p[6], p[7]);
    *begin = p[6] == 1 ? 10 : 12;
    if (size < *begin)
        return io_fail(error, "the file ends after %llu bytes, inside the length of the header", (unsigned long long)size);
    *length = (uint64_t)p[8] | (uint64_t)p[9] << 8;
    if (p[6] > 1)
        *length |= (uint64_t)p[10] << 16 | (uint64_t)p[11] << 24;
    if (*length > size - *begin)
        return io_fail(error, "the header is to have %llu bytes, %llu are there", (unsigned long long)*length,
                       (unsigned long long)(size - *begin));
    return true;
}

/** The type of 'descr', or the one that is asked for if it has as many bits. */
static bool choose_type(header const *h, tsr_dtype asked, tsr_dtype *type, bool *big)
{
    char const *const d = h->descr;
    char shown[16];
    spell(shown, sizeof shown, d, strlen(d));
    if (*d && strchr("<>|=", *d) && d[1] == 'O')
        return io_fail(h->error, "the elements are Python objects ('%s')", shown);
    bool const formed = *d && strchr("<>|", *d) && d[1] && strchr("biufcVSUMm", d[1]);
    char *end = NULL;
    unsigned long const bytes = formed && d[2] >= '1' && d[2] <= '9' ? strtoul(d + 2, &end, 10) : 0;
    if (bytes == 0 || bytes > INT_MAX || *end != 0)
        return io_fail(h->error, "'%s' is not the name of a type", shown);
    if (*d == '|' && bytes > 1 && d[1] != 'V')
        return io_fail(h->error, "'%s' does not say its byte order", shown);
    *big = *d == '>' && bytes > 1;
    *type = asked ? asked : io_type_of_numpy(d);
    if (*type == 0 && d[1] == 'V')
        return io_fail(h->error, "the elements are %lu raw bytes each ('%s'): the type must be given", bytes, shown);
    if (*type == 0)
        return io_fail(h->error, "there is no element type for '%s'", shown);
    if ((uint64_t)tsr_dtype_bits(*type) != 8ull * bytes)
        return io_fail(h->error, "the elements have %lu bits ('%s'), those of the type that is asked for %d", 8 * bytes, shown,
                       tsr_dtype_bits(*type));
    return true;
}

/** The layout of the shape, and the bytes that it needs. */
static bool lay_out(header const *h, int element, tsr_layout *l, uint64_t *bytes)
{
    tsr_tuple shape = TSR_ZERO;
    int64_t total = element;
    for (int i = 0; i < h->rank; ++i) {
        if (h->extent[i] == 0)
            return io_fail(h->error, "the array is empty: extent %d is 0, and the extents of a layout are positive", i);
        if (!tsr_mul64(total, h->extent[i], &total))
            return io_fail(h->error, "the array has more than 2^63 bytes: extent %lld of dimension %d overflows",
                           (long long)h->extent[i], i);
        tsr_push_leaf_(&shape, tsr_leaf_dynamic(h->extent[i]));
    }
    shape = tsr_close_(shape);
    *l = tsr_checked_(tsr_make_layout_from(shape, h->fortran ? tsr_left() : tsr_right()));
    *bytes = (uint64_t)total;
    return l->shape.status ? io_fail_reason(h->error, l->shape) : true;
}

bool tsr_npy_view(void const *data, uint64_t size, tsr_dtype type, tsr_npy *array, tsr_io_error *error)
{
    unsigned char const *const p = (unsigned char const *)data;
    header h = {0};
    uint64_t begin = 0, length = 0;
    tsr_npy r = {0};
    memset(array, 0, sizeof *array);
    if (!read_prefix(p, size, &r, &begin, &length, error))
        return false;
    h.text = (char const *)p + begin;
    h.size = (size_t)length;
    h.error = error;
    tsr_layout l;
    tsr_dtype chosen = 0;
    if (!read_dictionary(&h) || !choose_type(&h, type, &chosen, &r.big_endian)
        || !lay_out(&h, tsr_dtype_bits(chosen) / 8, &l, &r.bytes))
        return false;
    uint64_t const there = size - begin - length;
    if (there < r.bytes)
        return io_fail(error, "the shape needs %llu bytes of elements, the file has %llu", (unsigned long long)r.bytes,
                       (unsigned long long)there);
    if (there > r.bytes)
        return io_fail(error, "%llu bytes follow the %llu bytes of elements", (unsigned long long)(there - r.bytes),
                       (unsigned long long)r.bytes);
    r.begin = begin + length;
    r.order = h.fortran ? TSR_F_ORDER : TSR_C_ORDER;
    memcpy(r.descr, h.descr, sizeof r.descr);
    r.tensor = tsr_make_tensor_of(tsr_engine_at_(TSR_GMEM, p + r.begin, true, chosen), l);
    *array = r;
    return true;
}

/* The file */

/** The elements in the byte order of the machine, in memory of their own. */
static bool swap_elements(tsr_file *file, tsr_io_error *error)
{
    tsr_dtype const type = file->npy.tensor.engine.type;
    size_t const part = (size_t)tsr_dtype_bits(type) / (tsr_dtype_code(type) == 5 ? 16 : 8), n = (size_t)file->npy.bytes;
    unsigned char const *const from = (unsigned char const *)file->bytes.data + file->npy.begin;
    unsigned char *const to = (unsigned char *)malloc(n);
    if (!to)
        return io_fail(error, "out of memory: %zu bytes for an array that is big-endian", n);
    for (size_t i = 0; i < n; i += part)
        for (size_t k = 0; k < part; ++k)
            to[i + k] = from[i + part - 1 - k];
    io_close(&file->bytes);
    file->bytes.data = file->bytes.owned = to;
    file->bytes.size = n;
    file->npy.tensor.engine.address = (uint64_t)(uintptr_t)to;
    return true;
}

bool tsr_npy_open_as(char const *path, tsr_dtype type, tsr_file *file, tsr_io_error *error)
{
    memset(file, 0, sizeof *file);
    bool const ok = io_read(path, &file->bytes, error)
                 && tsr_npy_view(file->bytes.data, file->bytes.size, type, &file->npy, error)
                 && (!file->npy.big_endian || swap_elements(file, error));
    if (!ok) {
        tsr_file_close(file);
        return io_fail_at(error, path);
    }
    file->tensor = file->npy.tensor;
    return true;
}

bool tsr_npy_open(char const *path, tsr_file *file, tsr_io_error *error)
{
    return tsr_npy_open_as(path, 0, file, error);
}

void tsr_file_close(tsr_file *file)
{
    io_close(&file->bytes);
    memset(file, 0, sizeof *file);
}
