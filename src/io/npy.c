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

/** The layout of the shape, and the bytes that it needs. */
static bool lay_out(npy_header const *h, int element, tsr_layout *l, uint64_t *bytes)
{
    tsr_tuple shape = TSR_ZERO;
    int64_t total = element;
    for (int i = 0; i < h->rank; ++i) {
        if (h->extent[i] == 0)
            return tsr_io_fail_(h->s.error,
                                "the array is empty: extent %d is 0, and the extents of a layout are positive", i);
        if (!tsr_mul64(total, h->extent[i], &total))
            return tsr_io_fail_(h->s.error,
                                "the array has more than 2^63 bytes: extent %lld of dimension %d overflows",
                                (long long)h->extent[i], i);
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(h->extent[i]));
    }
    shape = tsr_tuple_close(shape);
    *l = tsr_layout_checked(tsr_make_layout_from(shape, h->fortran ? tsr_left() : tsr_right()));
    *bytes = (uint64_t)total;
    return l->shape.status ? tsr_io_fail_reason_(h->s.error, tsr_layout_why(*l)) : true;
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

/** Reads the header, which says where the elements begin and what type they have, or the one that is asked for. */
static bool read_npy_header(io_source *source, npy_header *h, tsr_dtype *type, tsr_npy *r, tsr_message *error)
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
    h->s = tsr_scan_open_((char const *)source->head + begin, (size_t)length, error);
    h->python2 = r->major < 3;
    r->begin = begin + length;
    return tsr_npy_read_header_(h) && choose_type(h, *type, type, r);
}

/** Has the file the bytes of the elements, and no others? */
static bool check_bytes(io_source const *source, uint64_t begin, uint64_t bytes, tsr_message *error)
{
    uint64_t const size = source->size, there = size - begin;
    if (there < bytes)
        return tsr_io_fail_(error, "the shape needs %llu bytes of elements, the file has %llu",
                            (unsigned long long)bytes, (unsigned long long)there);
    return there == bytes || size == IO_UNKNOWN || refuse_rest(source, begin + bytes, bytes, error);
}

/** Reads the header and judges it; the tensor has no address yet. */
static bool judge(io_source *source, tsr_dtype type, tsr_npy *r, tsr_message *error)
{
    npy_header h = {0};
    tsr_layout l;
    if (!read_npy_header(source, &h, &type, r, error) || !lay_out(&h, tsr_dtype_bits(type) / 8, &l, &r->bytes)
        || !check_bytes(source, r->begin, r->bytes, error))
        return false;
    r->order = h.fortran ? TSR_F_ORDER : TSR_C_ORDER;
    memcpy(r->descr, h.descr, sizeof r->descr);
    r->tensor = tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, NULL, true, type), l);
    return true;
}

bool tsr_npy_view(void const *data, uint64_t size, tsr_dtype type, tsr_npy *array, tsr_message *error)
{
    io_source source = tsr_io_memory_(data, size);
    memset(array, 0, sizeof *array);
    tsr_npy r = {0};
    bool const ok = judge(&source, type, &r, error);
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
    if (!judge(source, type, r, error)
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

/** As the one tensor of a model, which has no name yet. */
static bool judge_model(io_source *source, tsr_model *m, uint64_t *begin, uint64_t *there, tsr_message *error)
{
    npy_header h = {0};
    tsr_npy r = {0};
    tsr_dtype type = 0;
    if (!read_npy_header(source, &h, &type, &r, error))
        return false;
    if (r.big_endian)
        return tsr_io_fail_(error, "the elements are big-endian, and are to be little-endian here");
    if (h.fortran && h.rank > 1)
        return tsr_io_fail_(error, "the array is in Fortran's order, and is to be in C order here");
    tsr_model_tensor *const t = tsr_model_add_tensor_(m);
    if (!t)
        return tsr_io_fail_(error, "out of memory");
    t->type = type;
    t->format = tsr_npy_descr(type);
    t->rank = h.rank;
    memcpy(t->extent, h.extent, sizeof t->extent);
    t->elements = 1;
    for (int i = 0; i < h.rank; ++i) /* one of 0 makes all of them 0 */
        t->elements = tsr_mul64_most(t->elements, h.extent[i]);
    t->end = (uint64_t)tsr_mul64_most(t->elements, tsr_dtype_bits(type) / 8);
    *begin = r.begin;
    *there = t->end;
    return check_bytes(source, r.begin, t->end, error);
}

bool tsr_npy_open_model_(char const *path, char const *name, tsr_model *m, tsr_message *error)
{
    if (!tsr_model_open_(path, judge_model, m, error))
        return false;
    size_t const n = strlen(name) + 1;
    m->names = (char *)malloc(n);
    m->name = (tsr_model_name *)malloc(sizeof *m->name);
    if (!m->names || !m->name) {
        tsr_model_close(m);
        return tsr_io_fail_(error, "out of memory") || tsr_io_fail_at_(error, path);
    }
    memcpy(m->names, name, n);
    m->tensor[0].name = m->names;
    m->name[0] = (tsr_model_name){m->names, 0};
    return true;
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
