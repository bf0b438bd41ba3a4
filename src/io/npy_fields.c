/** The fields of an array of structures: 'descr' is a list.
 *
 *      list    [(name, type) or (name, type, shape), ..]
 *      name    a string, '' for bytes that are no field; or (title, name)
 *      type    a string as '<f4', or a list: a field in it is named z.u
 *
 *  Law     the fields of a list lie one behind the other. A field with a shape has that many elements, the last index
 *          fastest; in a list with a shape each field has these dimensions in front of its own.
 *  Source  NumPy, numpy/lib/format.py (dtype_to_descr, descr_to_dtype).
 */
#include "io/npy_header.h"

#include <stdio.h>
#include <stdlib.h>

enum { DEEPEST = 8, LONGEST_PATH = 160 };

/** The names down to a field, with dots between. */
typedef struct field_path {
    char text[LONGEST_PATH];
    size_t length;
    int depth;
} field_path;

/** A shape: its extents and their product. */
typedef struct field_shape {
    int rank;
    int64_t extent[TSR_MAX_LEAVES], size;
} field_shape;

/** The bytes of an element of a type; 0: its name is not known. A character of U has four; times have units. */
static int64_t bytes_of(char const *descr)
{
    bool const formed = *descr && strchr("<>|=", *descr) && descr[1] && strchr("biufcVSUmMO", descr[1]);
    char *end = NULL;
    unsigned long const n = formed && descr[2] >= '1' && descr[2] <= '9' ? strtoul(descr + 2, &end, 10) : 0;
    bool const unit = n > 0 && *end == '[' && strchr("mM", descr[1]);
    if (formed && descr[1] == 'O')
        return (int64_t)sizeof(void *); /* never read: the array is a pickle */
    return n > 0 && n <= INT32_MAX && (*end == 0 || unit) ? (int64_t)n * (descr[1] == 'U' ? 4 : 1) : 0;
}

static bool read_name(npy_header *h, field_path *p)
{
    char ignored[64];
    char *const to = p->text + p->length;
    bool const titled = scan_take(&h->s, "(");
    if (titled
        && (!tsr_npy_read_string_(h, ignored, sizeof ignored, "the title of a field")
            || !tsr_header_expect_(&h->s, ",", "after a title")))
        return false;
    if (!tsr_npy_read_string_(h, to, LONGEST_PATH - p->length, "the name of a field"))
        return false;
    p->length += strlen(to);
    return !titled || tsr_header_expect_(&h->s, ")", "after a title and a name");
}

/** A shape behind a type, or none. */
static bool read_field_shape(npy_header *h, field_shape *shape)
{
    *shape = (field_shape){.size = 1};
    if (!scan_take(&h->s, ",") || scan_next(&h->s) == ')')
        return true;
    if (!tsr_header_expect_(&h->s, "(", "of the shape of a field"))
        return false;
    while (!scan_take(&h->s, ")")) {
        int64_t n = 0;
        if (!tsr_header_integer_(&h->s, &n, "the extent of a field"))
            return false;
        if (shape->rank == TSR_MAX_LEAVES || !tsr_mul64(shape->size, n, &shape->size))
            return scan_fail(&h->s, "a field has more than %d dimensions, or 2^63 elements", TSR_MAX_LEAVES);
        shape->extent[shape->rank++] = n;
        if (!scan_take(&h->s, ",") && scan_next(&h->s) != ')')
            return tsr_header_expect_(&h->s, ")", "of the shape of a field");
    }
    (void)scan_take(&h->s, ",");
    return true;
}

/** Puts the dimensions of a shape, of items of so many bytes, in front of those that the field has. */
static bool add_dimensions(npy_header *h, field_shape const *shape, int64_t item)
{
    npy_field *const f = &h->field;
    if (f->rank + shape->rank > TSR_MAX_LEAVES)
        return scan_fail(&h->s, "a field has %d dimensions, at most %d fit (TSR_MAX_LEAVES)", f->rank + shape->rank,
                         TSR_MAX_LEAVES);
    memmove(f->extent + shape->rank, f->extent, (size_t)f->rank * sizeof *f->extent);
    memmove(f->step + shape->rank, f->step, (size_t)f->rank * sizeof *f->step);
    for (int i = shape->rank - 1; i >= 0; --i) {
        f->extent[i] = shape->extent[i];
        f->step[i] = item;
        item *= shape->extent[i]; /* at most the bytes of the structure, which fit */
    }
    f->rank += shape->rank;
    return true;
}

/** Notes a field's name for messages, as many as there is room for. */
static void add_name(npy_field *f, char const *name)
{
    size_t const n = strlen(f->names), room = sizeof f->names - n;
    if (n == 0 || strcmp(f->names + (n < 2 ? 0 : n - 2), "..") != 0)
        snprintf(f->names + n, room, "%s%s", n ? ", " : "", strlen(name) + 8 < room ? name : "..");
}

static bool read_list(npy_header *h, field_path *p, int64_t at, int64_t *bytes);

/** One field, `at` bytes behind the begin of the structure. */
static bool read_field(npy_header *h, field_path *p, int64_t at, int64_t *bytes)
{
    npy_field *const f = &h->field;
    field_path own = *p;
    field_shape shape;
    int64_t item = 0;
    char descr[sizeof h->descr];
    bool const found = f->found;
    if (!tsr_header_expect_(&h->s, "(", "of a field") || !read_name(h, &own)
        || !tsr_header_expect_(&h->s, ",", "after the name of a field"))
        return false;
    bool const list = scan_next(&h->s) == '[', named = own.length > p->length;
    if (list && named && own.length + 1 < sizeof own.text)
        memcpy(own.text + own.length++, ".", 2);
    if (list ? !read_list(h, &own, at, &item) : !tsr_npy_read_string_(h, descr, sizeof descr, "the type of a field"))
        return false;
    if (!list && (item = bytes_of(descr)) == 0)
        return scan_fail(&h->s, "field %s: '%s' is not the name of a type", own.text, descr);
    if (!read_field_shape(h, &shape) || !tsr_header_expect_(&h->s, ")", "after a field"))
        return false;
    if (!tsr_mul64(item, shape.size, bytes))
        return scan_fail(&h->s, "field %s has more than 2^63 bytes", own.text);
    if (!list && named) {
        add_name(f, own.text);
        if (f->name && !f->found && strcmp(f->name, own.text) == 0) {
            f->found = true;
            f->offset = at;
            memcpy(h->descr, descr, sizeof descr);
        }
    }
    return found == f->found || add_dimensions(h, &shape, item);
}

static bool read_list(npy_header *h, field_path *p, int64_t at, int64_t *bytes)
{
    int64_t one = 0;
    *bytes = 0;
    if (++p->depth > DEEPEST)
        return scan_fail(&h->s, "structures nest more than %d deep", DEEPEST);
    if (!tsr_header_expect_(&h->s, "[", "of the fields"))
        return false;
    while (!scan_take(&h->s, "]")) {
        if (!read_field(h, p, at + *bytes, &one))
            return false;
        if (!tsr_add64(*bytes, one, bytes) || *bytes > INT64_MAX - at)
            return scan_fail(&h->s, "a structure has more than 2^63 bytes");
        if (!scan_take(&h->s, ",") && scan_next(&h->s) != ']')
            return tsr_header_expect_(&h->s, "]", "after the fields");
    }
    return true;
}

bool tsr_npy_read_fields_(npy_header *h)
{
    field_path p = {.length = 0};
    snprintf(h->descr, sizeof h->descr, "structure");
    h->structured = true;
    return read_list(h, &p, 0, &h->record);
}
