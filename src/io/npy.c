/** NumPy's .npy: magic, version and length, a dictionary (npy_header.c), the elements.
 *
 *      file    \x93NUMPY major minor length dictionary padding newline elements
 *      length  2 bytes in version 1, 4 bytes in versions 2 and 3, little-endian
 *
 *  Source  NumPy, numpy/lib/format.py.
 */
#include "io/npy_header.h"
#include "io/types.h"

#include <limits.h>
#include <stdlib.h>

/** The longest prefix, and the longest header that is read: one of 16 dimensions needs 500 bytes. */
enum { PREFIX = 12, LONGEST_HEADER = 1 << 20 };

/** Magic, version and length: where the dictionary begins, and how long it is. */
static bool read_prefix(unsigned char const *p, uint64_t size, tsr_npy *array, uint64_t *begin, uint64_t *length,
                        tsr_message *error)
{
    static unsigned char const magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    if (size < 6 || memcmp(p, magic, 6) != 0)
        return tsr_io_fail_(error, "this is not an .npy file: it does not begin with \\x93NUMPY");
    if (size < 8)
        return tsr_io_fail_(error, "the file ends after %llu bytes, inside the version", (unsigned long long)size);
    array->major = p[6];
    array->minor = p[7];
    if (p[6] < 1 || p[6] > 3 || p[7] != 0)
        return tsr_io_fail_(error, "version %d.%d of the format is not known (1.0, 2.0 and 3.0 are)", p[6], p[7]);
    *begin = p[6] == 1 ? 10 : 12;
    if (size < *begin)
        return tsr_io_fail_(error, "the file ends after %llu bytes, inside the length of the header",
                            (unsigned long long)size);
    *length = (uint64_t)p[8] | (uint64_t)p[9] << 8;
    if (p[6] > 1)
        *length |= (uint64_t)p[10] << 16 | (uint64_t)p[11] << 24;
    if (*length > LONGEST_HEADER && *length <= size - *begin)
        return tsr_io_fail_(error, "the header is to have %llu bytes, at most %d are read",
                            (unsigned long long)*length, LONGEST_HEADER);
    if (*length > size - *begin)
        return tsr_io_fail_(error, "the header is to have %llu bytes, %llu are there", (unsigned long long)*length,
                            (unsigned long long)(size - *begin));
    return true;
}

/** The order of the bytes of a name as '<f4'; false, and the message: it is no such name. */
static bool read_code(npy_header const *h, char const *shown, unsigned long *bytes, tsr_npy *array)
{
    char const *const d = h->descr;
    bool const formed = *d && strchr("<>|=", *d) && d[1] && strchr("biufcVSUMm", d[1]);
    char *end = NULL;
    *bytes = formed && d[2] >= '1' && d[2] <= '9' ? strtoul(d + 2, &end, 10) : 0;
    if (*bytes == 0 || *bytes > INT_MAX || *end != 0)
        return tsr_io_fail_(h->s.error, "'%s' is not the name of a type", shown);
    if (*d == '|' && *bytes > 1 && d[1] != 'V')
        return tsr_io_fail_(h->s.error, "'%s' does not say its byte order", shown);
    array->big_endian = *bytes > 1 && (*d == '>' || (*d == '=' && TSR_BIG_ENDIAN));
    array->swapped = *bytes > 1 && array->big_endian != TSR_BIG_ENDIAN;
    return true;
}

/** The type of 'descr', or the one that is asked for if it has as many bits; and the order of the bytes. */
static bool choose_type(npy_header const *h, tsr_dtype asked, tsr_dtype *type, tsr_npy *array)
{
    char const *const d = h->descr;
    char shown[sizeof h->descr];
    tsr_dtype const named = tsr_io_type_of_ml_dtypes_(d);
    unsigned long bytes = (unsigned long)tsr_dtype_bits(named) / 8;
    tsr_format_printable(shown, sizeof shown, d, strlen(d));
    if (*d && strchr("<>|=", *d) && d[1] == 'O')
        return tsr_io_fail_(h->s.error, "the elements are Python objects ('%s')", shown);
    array->big_endian = named && bytes > 1 && TSR_BIG_ENDIAN; /* a name alone means the machine's order */
    if (!named && !read_code(h, shown, &bytes, array))
        return false;
    *type = asked ? asked : named ? named : tsr_io_type_of_numpy_(d);
    if (*type == 0 && d[1] == 'V')
        return tsr_io_fail_(h->s.error, "the elements are raw bytes ('%s'): the type must be given, one of %lu bits",
                            shown, 8 * bytes);
    if (*type == 0)
        return tsr_io_fail_(h->s.error, "there is no element type for '%s'", shown);
    if ((uint64_t)tsr_dtype_bits(*type) != 8ull * bytes)
        return tsr_io_fail_(
            h->s.error,
            "the elements have %lu bits ('%s'), but the type that is asked for has %d: it names the same "
            "bits anew, and a cast (--cast) converts them",
            8 * bytes, shown, tsr_dtype_bits(*type));
    return true;
}

/** The layout of the shape, which is invalid where an extent is 0; the elements, and the bytes that they need. */
static bool lay_out(npy_header const *h, int element, tsr_layout *l, tsr_npy *array)
{
    tsr_tuple shape = TSR_ZERO;
    int64_t total = element;
    for (int i = 0; i < h->rank; ++i) {
        if (!tsr_mul64(total, h->extent[i], &total))
            return tsr_io_fail_(h->s.error,
                                "the array has more than 2^63 bytes: extent %lld of dimension %d overflows",
                                (long long)h->extent[i], i);
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(h->extent[i]));
    }
    shape = tsr_tuple_close(shape);
    *l = tsr_layout_checked(tsr_make_layout_from(shape, h->fortran ? tsr_left() : tsr_right()));
    array->rank = h->rank;
    memcpy(array->extent, h->extent, sizeof array->extent);
    array->elements = total / element;
    array->bytes = (uint64_t)total;
    return l->shape.status && total > 0 ? tsr_io_fail_reason_(h->s.error, tsr_layout_why(*l)) : true;
}

/** Bytes behind the elements: another array, as numpy.save puts behind the first into an open file, or none. */
static bool refuse_rest(io_source const *source, uint64_t end, uint64_t elements, tsr_message *error)
{
    char magic[6];
    if (tsr_io_peek_(source, end, magic, sizeof magic) && memcmp(magic, "\x93NUMPY", sizeof magic) == 0)
        return tsr_io_fail_(error, "another array follows at byte %llu, but a file of one array is read",
                            (unsigned long long)end);
    return tsr_io_fail_(error, "%llu bytes follow the %llu bytes of elements",
                        (unsigned long long)(source->size - end), (unsigned long long)elements);
}

bool tsr_npy_judge_(io_source *source, tsr_dtype type, tsr_npy *r, tsr_message *error)
{
    uint64_t begin = 0, length = 0;
    if (!tsr_io_head_(source, PREFIX, error))
        return false;
    if (!read_prefix(source->head, source->size, r, &begin, &length, error)) {
        (void)tsr_io_is_other_(source, "an .npy", error);
        return false;
    }
    if (!tsr_io_head_(source, begin + length, error))
        return false;
    if (source->held < begin + length)
        return tsr_io_fail_(error, "the header is to have %llu bytes, %llu are there", (unsigned long long)length,
                            (unsigned long long)(source->held - begin));
    uint64_t const size = source->size;
    npy_header h = {0};
    h.s = tsr_scan_open_((char const *)source->head + begin, (size_t)length, error);
    h.python2 = r->major < 3;
    tsr_layout l;
    tsr_dtype chosen = 0;
    if (!tsr_npy_read_header_(&h))
        return false;
    memcpy(r->descr, h.descr, sizeof r->descr);
    if (!choose_type(&h, type, &chosen, r))
        return false;
    r->tensor.engine.type = chosen;
    if (!lay_out(&h, tsr_dtype_bits(chosen) / 8, &l, r))
        return false;
    uint64_t const there = size - begin - length;
    if (there < r->bytes)
        return tsr_io_fail_(error, "the shape needs %llu bytes of elements, the file has %llu",
                            (unsigned long long)r->bytes, (unsigned long long)there);
    if (there > r->bytes && size != IO_UNKNOWN)
        return refuse_rest(source, size - there + r->bytes, r->bytes, error);
    r->begin = begin + length;
    r->order = h.fortran ? TSR_F_ORDER : TSR_C_ORDER;
    r->tensor = tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, NULL, true, chosen), l);
    return true;
}

bool tsr_npy_view(void const *data, uint64_t size, tsr_dtype type, tsr_npy *array, tsr_message *error)
{
    io_source source = tsr_io_memory_(data, size);
    memset(array, 0, sizeof *array);
    tsr_npy r = {0};
    bool const ok = tsr_npy_judge_(&source, type, &r, error);
    tsr_io_source_close_(&source);
    if (!ok)
        return false;
    r.tensor.engine.address = (uint64_t)(uintptr_t)data + r.begin;
    *array = r;
    return true;
}

/* The file */

bool tsr_npy_read_(io_source *source, tsr_dtype type, tsr_file *file, tsr_message *error)
{
    tsr_npy *const r = &file->npy;
    memset(file, 0, sizeof *file);
    if (!tsr_npy_judge_(source, type, r, error)
        || !tsr_io_take_(source, r->begin + r->bytes, !r->swapped, &file->bytes, error)) {
        tsr_file_close(file);
        return false;
    }
    if (r->swapped)
        tsr_io_swap_(r->tensor.engine.type, (unsigned char *)file->bytes.owned + r->begin, r->bytes);
    r->tensor.engine.address = (uint64_t)(uintptr_t)file->bytes.data + r->begin;
    file->tensor = r->tensor;
    return true;
}

bool tsr_npy_open_as(char const *path, tsr_dtype type, tsr_file *file, tsr_message *error)
{
    io_source source;
    memset(file, 0, sizeof *file);
    bool ok = tsr_io_open_(path, &source, error);
    if (ok) {
        ok = tsr_npy_read_(&source, type, file, error);
        tsr_io_source_close_(&source);
    }
    return ok || tsr_io_fail_at_(error, path);
}

bool tsr_npy_open(char const *path, tsr_file *file, tsr_message *error)
{
    return tsr_npy_open_as(path, 0, file, error);
}

void tsr_file_close(tsr_file *file)
{
    tsr_io_close_(&file->bytes);
    memset(file, 0, sizeof *file);
}
