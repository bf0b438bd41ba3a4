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

/** The dimensions of an array and of a field in its structures: extents, and steps in bytes. */
typedef struct dimensions {
    int rank;
    int64_t extent[NPY_DIMENSIONS + TSR_MAX_LEAVES], step[NPY_DIMENSIONS + TSR_MAX_LEAVES];
} dimensions;

/** Those of a header, whose elements or structures have so many bytes; and the bytes of all. */
static bool list_dimensions(npy_header const *h, int64_t record, dimensions *d, uint64_t *bytes)
{
    int64_t total = record;
    d->rank = h->rank + (h->structured ? h->field.rank : 0);
    for (int k = 0; k < h->rank; ++k) {
        int const i = h->fortran ? k : h->rank - 1 - k;
        d->extent[i] = h->extent[i];
        d->step[i] = total;
        if (!tsr_mul64(total, h->extent[i], &total))
            return tsr_io_fail_(h->s.error,
                                "the array has more than 2^63 bytes: extent %lld of dimension %d overflows",
                                (long long)h->extent[i], i);
    }
    for (int k = h->rank; k < d->rank; ++k) {
        d->extent[k] = h->field.extent[k - h->rank];
        d->step[k] = h->field.step[k - h->rank];
    }
    *bytes = (uint64_t)total;
    return true;
}

/** Leaves out a dimension. */
static void drop(dimensions *d, int i)
{
    --d->rank;
    memmove(d->extent + i, d->extent + i + 1, (size_t)(d->rank - i) * sizeof *d->extent);
    memmove(d->step + i, d->step + i + 1, (size_t)(d->rank - i) * sizeof *d->step);
}

/** As many dimensions as a layout has: of more those of one index are left out, then the last ones that lie as one, the
 *  last index fastest, are joined. */
static bool coalesce(dimensions *d, bool empty, int dimensions_of_file, tsr_message *error)
{
    for (int i = d->rank - 1; i >= 0 && dimensions_of_file > TSR_MAX_LEAVES; --i)
        if (d->extent[i] == 1)
            drop(d, i);
    for (int i = d->rank - 2; i >= 0 && d->rank > TSR_MAX_LEAVES; --i)
        if ((empty || d->step[i] == d->extent[i + 1] * d->step[i + 1])
            && tsr_mul64(d->extent[i], d->extent[i + 1], &d->extent[i + 1]))
            drop(d, i);
    return d->rank <= TSR_MAX_LEAVES
               ? true
               : tsr_io_fail_(error,
                              "the array has %d dimensions, and %d are left when those of one index are left out and "
                              "those in C order are joined: at most %d fit (TSR_MAX_LEAVES)",
                              dimensions_of_file, d->rank, TSR_MAX_LEAVES);
}

/** The layout of the dimensions, which is invalid where an extent is 0; the elements, and the bytes of the array. */
static bool lay_out(npy_header const *h, int element, npy_place *place, tsr_layout *l, tsr_npy *array)
{
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    dimensions d;
    if (!list_dimensions(h, h->structured ? h->record : element, &d, &array->bytes))
        return false;
    array->dimensions = d.rank;
    bool empty = array->bytes == 0;
    for (int i = h->rank; i < d.rank; ++i)
        empty = empty || d.extent[i] == 0;
    if (!coalesce(&d, empty, d.rank, h->s.error))
        return false;
    array->rank = d.rank;
    array->elements = empty ? 0 : 1;
    for (int i = 0; i < d.rank; ++i) {
        array->extent[i] = d.extent[i];
        array->elements *= d.extent[i]; /* at most as many as bytes */
        place->step[i] = d.step[i];
        place->apart = place->apart || (d.extent[i] > 1 && d.step[i] % element != 0);
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(d.extent[i]));
        tsr_tuple_push_leaf(&stride, tsr_leaf_dynamic(d.step[i] / element));
    }
    place->apart = h->structured && (place->apart || array->swapped);
    place->offset = (uint64_t)h->field.offset;
    shape = tsr_tuple_close(shape);
    tsr_tuple const steps = h->structured && !place->apart ? tsr_tuple_close(stride)
                            : h->fortran && !h->structured ? tsr_left()
                                                           : tsr_right();
    *l = tsr_layout_checked(tsr_make_layout_from(shape, steps));
    return l->shape.status && !empty ? tsr_io_fail_reason_(h->s.error, tsr_layout_why(*l)) : true;
}

/** Whether the elements are structures where a field is wanted, and have it. */
static bool check_field(npy_header const *h)
{
    npy_field const *const f = &h->field;
    char shown[64];
    if (!h->structured && !f->name)
        return true;
    tsr_format_printable(shown, sizeof shown, f->name ? f->name : "", f->name ? strlen(f->name) : 0);
    if (!h->structured)
        return tsr_io_fail_(h->s.error, "the elements have no fields, and none is named \"%s\"", shown);
    if (!*f->names)
        return tsr_io_fail_(h->s.error, "the elements are structures without fields");
    if (!f->name)
        return tsr_io_fail_(h->s.error, "the elements are structures: choose one of their fields %s (--tensor)",
                            f->names);
    return f->found
               ? true
               : tsr_io_fail_(h->s.error, "the structures have no field \"%s\", but the fields %s", shown, f->names);
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

bool tsr_npy_judge_(io_source *source, tsr_dtype type, npy_place *place, tsr_npy *r, tsr_message *error)
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
    h.field.name = place->field;
    tsr_layout l;
    tsr_dtype chosen = 0;
    if (!tsr_npy_read_header_(&h))
        return false;
    memcpy(r->descr, h.descr, sizeof r->descr);
    if (!check_field(&h) || !choose_type(&h, type, &chosen, r))
        return false;
    r->tensor.engine.type = chosen;
    if (!lay_out(&h, tsr_dtype_bits(chosen) / 8, place, &l, r))
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
    npy_place place = {.field = NULL};
    bool const ok = tsr_npy_judge_(&source, type, &place, &r, error);
    tsr_io_source_close_(&source);
    if (!ok)
        return false;
    r.tensor.engine.address = (uint64_t)(uintptr_t)data + r.begin;
    *array = r;
    return true;
}

/* The file */

/** Copies the elements of a field together, in C order, to memory that takes the place of the file's bytes. */
static bool gather(tsr_npy const *r, npy_place const *place, tsr_bytes *bytes, tsr_message *error)
{
    size_t const element = (size_t)tsr_dtype_bits(r->tensor.engine.type) / 8, n = (size_t)r->elements * element;
    unsigned char *const together = (unsigned char *)malloc(n + 1);
    unsigned char const *const from = (unsigned char const *)bytes->data + r->begin + place->offset;
    int64_t at[TSR_MAX_LEAVES] = {0}, offset = 0;
    if (!together)
        return tsr_io_fail_(error, "out of memory: %zu bytes", n);
    for (int64_t k = 0; k < r->elements; ++k) {
        memcpy(together + (size_t)k * element, from + offset, element);
        for (int i = r->rank - 1; i >= 0; --i) {
            offset += place->step[i];
            if (++at[i] < r->extent[i])
                break;
            offset -= r->extent[i] * place->step[i];
            at[i] = 0;
        }
    }
    tsr_io_close_(bytes);
    *bytes = (tsr_bytes){together, n, together};
    return true;
}

bool tsr_npy_read_(io_source *source, char const *field, tsr_dtype type, tsr_file *file, tsr_message *error)
{
    tsr_npy *const r = &file->npy;
    npy_place place = {.field = field};
    memset(file, 0, sizeof *file);
    if (!tsr_npy_judge_(source, type, &place, r, error)
        || !tsr_io_take_(source, r->begin + r->bytes, !r->swapped && !place.apart, &file->bytes, error)
        || (place.apart && !gather(r, &place, &file->bytes, error))) {
        tsr_file_close(file);
        return false;
    }
    uint64_t const begin = place.apart ? 0 : r->begin + place.offset;
    if (r->swapped)
        tsr_io_swap_(r->tensor.engine.type, (unsigned char *)file->bytes.owned + begin,
                     place.apart ? file->bytes.size : r->bytes);
    r->tensor.engine.address = (uint64_t)(uintptr_t)file->bytes.data + begin;
    file->tensor = r->tensor;
    return true;
}

bool tsr_npy_open_field(char const *path, char const *field, tsr_dtype type, tsr_file *file, tsr_message *error)
{
    io_source source;
    memset(file, 0, sizeof *file);
    bool ok = tsr_io_open_(path, &source, error);
    if (ok) {
        ok = tsr_npy_read_(&source, field, type, file, error);
        tsr_io_source_close_(&source);
    }
    return ok || tsr_io_fail_at_(error, path);
}

/** As the one tensor of a model, which has no name yet. */
static bool judge_model(io_source *source, tsr_model *m, uint64_t *begin, uint64_t *there, tsr_message *error)
{
    tsr_npy r = {0};
    npy_place place = {.field = NULL};
    if (!tsr_npy_judge_(source, 0, &place, &r, error))
        return false;
    if (r.big_endian)
        return tsr_io_fail_(error, "the elements are big-endian, and are to be little-endian here");
    if (r.order == TSR_F_ORDER && r.rank > 1)
        return tsr_io_fail_(error, "the array is in Fortran's order, and is to be in C order here");
    tsr_model_tensor *const t = tsr_model_add_tensor_(m);
    if (!t)
        return tsr_io_fail_(error, "out of memory");
    t->type = r.tensor.engine.type;
    t->format = tsr_npy_descr(t->type);
    t->rank = r.dimensions > TSR_MAX_LEAVES ? r.dimensions : r.rank;
    memcpy(t->extent, r.extent, sizeof t->extent);
    t->elements = r.elements;
    t->end = *there = r.bytes;
    *begin = r.begin;
    return true;
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

bool tsr_npy_open_as(char const *path, tsr_dtype type, tsr_file *file, tsr_message *error)
{
    return tsr_npy_open_field(path, NULL, type, file, error);
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
