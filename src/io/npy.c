/** NumPy's .npy: magic, version and length, a dictionary (npy_header.c), the elements.
 *
 *      file    \x93NUMPY major minor length dictionary padding newline elements
 *      length  2 bytes in version 1, 4 bytes in versions 2 and 3, little-endian
 *
 *  Source  NumPy, numpy/lib/format.py.
 */
#include "npy_header.h"
#include "types.h"

#include <limits.h>
#include <stdlib.h>

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
        return io_fail(error, "the file ends after %llu bytes, inside the length of the header",
                       (unsigned long long)size);
    *length = (uint64_t)p[8] | (uint64_t)p[9] << 8;
    if (p[6] > 1)
        *length |= (uint64_t)p[10] << 16 | (uint64_t)p[11] << 24;
    if (*length > size - *begin)
        return io_fail(error, "the header is to have %llu bytes, %llu are there", (unsigned long long)*length,
                       (unsigned long long)(size - *begin));
    return true;
}

/** The type of 'descr', or the one that is asked for if it has as many bits. */
static bool choose_type(npy_header const *h, tsr_dtype asked, tsr_dtype *type, bool *big)
{
    char const *const d = h->descr;
    char shown[16];
    npy_spell(shown, sizeof shown, d, strlen(d));
    if (*d && strchr("<>|=", *d) && d[1] == 'O')
        return io_fail(h->s.error, "the elements are Python objects ('%s')", shown);
    bool const formed = *d && strchr("<>|", *d) && d[1] && strchr("biufcVSUMm", d[1]);
    char *end = NULL;
    unsigned long const bytes = formed && d[2] >= '1' && d[2] <= '9' ? strtoul(d + 2, &end, 10) : 0;
    if (bytes == 0 || bytes > INT_MAX || *end != 0)
        return io_fail(h->s.error, "'%s' is not the name of a type", shown);
    if (*d == '|' && bytes > 1 && d[1] != 'V')
        return io_fail(h->s.error, "'%s' does not say its byte order", shown);
    *big = *d == '>' && bytes > 1;
    *type = asked ? asked : io_type_of_numpy(d);
    if (*type == 0 && d[1] == 'V')
        return io_fail(h->s.error, "the elements are %lu raw bytes each ('%s'): the type must be given", bytes,
                       shown);
    if (*type == 0)
        return io_fail(h->s.error, "there is no element type for '%s'", shown);
    if ((uint64_t)tsr_dtype_bits(*type) != 8ull * bytes)
        return io_fail(h->s.error, "the elements have %lu bits ('%s'), those of the type that is asked for %d",
                       8 * bytes, shown, tsr_dtype_bits(*type));
    return true;
}

/** The layout of the shape, and the bytes that it needs. */
static bool lay_out(npy_header const *h, int element, tsr_layout *l, uint64_t *bytes)
{
    tsr_tuple shape = TSR_ZERO;
    int64_t total = element;
    for (int i = 0; i < h->rank; ++i) {
        if (h->extent[i] == 0)
            return io_fail(h->s.error, "the array is empty: extent %d is 0, and the extents of a layout are positive",
                           i);
        if (!tsr_mul64(total, h->extent[i], &total))
            return io_fail(h->s.error, "the array has more than 2^63 bytes: extent %lld of dimension %d overflows",
                           (long long)h->extent[i], i);
        tsr_push_leaf_(&shape, tsr_leaf_dynamic(h->extent[i]));
    }
    shape = tsr_close_(shape);
    *l = tsr_checked_(tsr_make_layout_from(shape, h->fortran ? tsr_left() : tsr_right()));
    *bytes = (uint64_t)total;
    return l->shape.status ? io_fail_reason(h->s.error, l->shape) : true;
}

bool tsr_npy_view(void const *data, uint64_t size, tsr_dtype type, tsr_npy *array, tsr_io_error *error)
{
    unsigned char const *const p = (unsigned char const *)data;
    npy_header h = {0};
    uint64_t begin = 0, length = 0;
    tsr_npy r = {0};
    memset(array, 0, sizeof *array);
    if (!read_prefix(p, size, &r, &begin, &length, error))
        return false;
    h.s.text = (char const *)p + begin;
    h.s.size = (size_t)length;
    h.s.error = error;
    tsr_layout l;
    tsr_dtype chosen = 0;
    if (!npy_read_header(&h) || !choose_type(&h, type, &chosen, &r.big_endian)
        || !lay_out(&h, tsr_dtype_bits(chosen) / 8, &l, &r.bytes))
        return false;
    uint64_t const there = size - begin - length;
    if (there < r.bytes)
        return io_fail(error, "the shape needs %llu bytes of elements, the file has %llu",
                       (unsigned long long)r.bytes, (unsigned long long)there);
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
    size_t const part = (size_t)tsr_dtype_bits(type) / (tsr_dtype_code(type) == 5 ? 16 : 8),
                 n = (size_t)file->npy.bytes;
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
