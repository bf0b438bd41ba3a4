/** safetensors: a JSON object of tensors, then their bytes without gaps.
 *
 *      file    length (8 bytes, little-endian), object, bytes
 *      object  {"__metadata__": {"any": "string", ..}, "name": tensor, ..}
 *      tensor  {"dtype": "F32", "shape": [2,3], "data_offsets": [0,24]}
 *
 *  Law     sorted by their offsets the tensors cover the bytes from the first to the last, each byte once.
 *  Source  safetensors, README.md, "Format"; the rules that its Rust implementation checks.
 */
#include "io/file.h"
#include "io/scan.h"
#include "io/types.h"

#include <stdlib.h>

/** The longest header that safetensors allows. */
#define LONGEST_HEADER 100000000u

enum { HAS_DTYPE = 1, HAS_SHAPE = 2, HAS_OFFSETS = 4 };

static bool read_shape(scan *s, tsr_safetensor *t)
{
    if (!scan_expect(s, '[', "of a shape"))
        return false;
    t->elements = 1;
    for (t->rank = 0; !scan_take(s, ']'); ++t->rank) {
        int64_t n = 0;
        if ((t->rank > 0 && !scan_expect(s, ',', "between extents")) || !scan_integer(s, &n, "the extent"))
            return false;
        if (!tsr_mul64(t->elements, n, &t->elements))
            return io_fail(s->error, "tensor \"%.60s\" has more than 2^63 elements", t->name);
        if (t->rank < TSR_MAX_LEAVES)
            t->extent[t->rank] = n;
    }
    return true;
}

static bool read_offsets(scan *s, tsr_safetensor *t)
{
    int64_t begin = 0, end = 0;
    if (!scan_expect(s, '[', "of the offsets") || !scan_integer(s, &begin, "the offset")
        || !scan_expect(s, ',', "between two offsets") || !scan_integer(s, &end, "the offset")
        || !scan_expect(s, ']', "after two offsets"))
        return false;
    t->begin = (uint64_t)begin;
    t->end = (uint64_t)end;
    return true;
}

static bool read_dtype(scan *s, tsr_safetensor *t)
{
    char const *name = NULL;
    if (!scan_json_string(s, &name, "the dtype"))
        return false;
    t->type = io_type_of_safetensors(name);
    return t->type ? true : io_fail(s->error, "tensor \"%.60s\": the dtype \"%.60s\" is not known", t->name, name);
}

/** One value of a tensor's object, and which one it is. */
static bool read_value(scan *s, tsr_safetensor *t, int *have)
{
    char const *key = NULL;
    if (!scan_json_string(s, &key, "a key") || !scan_expect(s, ':', "after a key"))
        return false;
    int const which = strcmp(key, "dtype") == 0          ? HAS_DTYPE
                      : strcmp(key, "shape") == 0        ? HAS_SHAPE
                      : strcmp(key, "data_offsets") == 0 ? HAS_OFFSETS
                                                         : 0;
    if (which == 0)
        return io_fail(s->error, "tensor \"%.60s\" has the unknown key \"%.60s\"", t->name, key);
    if (*have & which)
        return io_fail(s->error, "tensor \"%.60s\" has the key \"%s\" twice", t->name, key);
    *have |= which;
    return which == HAS_DTYPE ? read_dtype(s, t) : which == HAS_SHAPE ? read_shape(s, t) : read_offsets(s, t);
}

/** Shape, type and offsets agree. */
static bool check_size(tsr_safetensor const *t, uint64_t there, tsr_message *error)
{
    int64_t bits = 0;
    if (t->begin > t->end)
        return io_fail(error, "tensor \"%.60s\" ends at %llu, before it begins at %llu", t->name,
                       (unsigned long long)t->end, (unsigned long long)t->begin);
    if (t->end > there)
        return io_fail(error, "tensor \"%.60s\" ends at %llu, the file has %llu bytes of tensors", t->name,
                       (unsigned long long)t->end, (unsigned long long)there);
    if (!tsr_mul64(t->elements, tsr_dtype_bits(t->type), &bits))
        return io_fail(error, "tensor \"%.60s\" has more than 2^63 bits", t->name);
    if (bits % 8 != 0)
        return io_fail(error, "tensor \"%.60s\" has %lld bits, which are no whole bytes", t->name, (long long)bits);
    if ((uint64_t)bits / 8 != t->end - t->begin)
        return io_fail(error, "tensor \"%.60s\" needs %lld bytes, its offsets hold %llu", t->name,
                       (long long)bits / 8, (unsigned long long)(t->end - t->begin));
    return true;
}

static bool read_tensor(scan *s, tsr_safetensor *t, uint64_t there)
{
    int have = 0;
    if (!scan_expect(s, '{', "of a tensor"))
        return false;
    for (bool first = true; !scan_take(s, '}'); first = false)
        if ((!first && !scan_expect(s, ',', "between the keys of a tensor")) || !read_value(s, t, &have))
            return false;
    if (have != (HAS_DTYPE | HAS_SHAPE | HAS_OFFSETS))
        return io_fail(s->error, "tensor \"%.60s\" has no \"%s\"", t->name,
                       !(have & HAS_DTYPE)   ? "dtype"
                       : !(have & HAS_SHAPE) ? "shape"
                                             : "data_offsets");
    return check_size(t, there, s->error);
}

/** Strings by name: they are read, and not kept. */
static bool read_metadata(scan *s)
{
    char const *ignored = NULL;
    if (!scan_expect(s, '{', "of the metadata"))
        return false;
    for (bool first = true; !scan_take(s, '}'); first = false)
        if ((!first && !scan_expect(s, ',', "between the metadata")) || !scan_json_string(s, &ignored, "a key")
            || !scan_expect(s, ':', "after a key") || !scan_json_string(s, &ignored, "a value of the metadata"))
            return false;
    return true;
}

/** Room for one more tensor; NULL without memory. */
static tsr_safetensor *add_tensor(tsr_safetensors *f, int *room)
{
    if (f->count == *room) {
        int const more = *room ? 2 * *room : 16;
        void *const bigger = realloc(f->tensor, (size_t)more * sizeof *f->tensor);
        if (!bigger)
            return NULL;
        f->tensor = (tsr_safetensor *)bigger;
        *room = more;
    }
    tsr_safetensor *const t = &f->tensor[f->count++];
    memset(t, 0, sizeof *t);
    return t;
}

static bool read_object(scan *s, tsr_safetensors *f, uint64_t there)
{
    int room = 0;
    bool metadata = false;
    if (!scan_expect(s, '{', "of the header"))
        return false;
    for (bool first = true; !scan_take(s, '}'); first = false) {
        char const *name = NULL;
        if ((!first && !scan_expect(s, ',', "between tensors")) || !scan_json_string(s, &name, "a name")
            || !scan_expect(s, ':', "after a name"))
            return false;
        if (strcmp(name, "__metadata__") == 0) {
            if (metadata)
                return io_fail(s->error, "the header has the name \"__metadata__\" twice");
            metadata = true;
            if (!read_metadata(s))
                return false;
            continue;
        }
        tsr_safetensor *const t = add_tensor(f, &room);
        if (!t)
            return io_fail(s->error, "out of memory for %d tensors", f->count);
        t->name = name;
        if (!read_tensor(s, t, there))
            return false;
    }
    if (scan_peek(s) != 0 || s->at < s->size)
        return io_fail(s->error, "character %zu of the header, after the object, is not a space", s->at);
    return true;
}

static int by_name(void const *a, void const *b)
{
    return strcmp(((tsr_safetensor const *)a)->name, ((tsr_safetensor const *)b)->name);
}

static int by_place(void const *a, void const *b)
{
    tsr_safetensor const *const x = (tsr_safetensor const *)a, *const y = (tsr_safetensor const *)b;
    return x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin)
           : x->end != y->end   ? (x->end > y->end) - (x->end < y->end)
                                : strcmp(x->name, y->name);
}

/** The law, and that each name stands once. Leaves the tensors in the order of their data. */
static bool check_all(tsr_safetensors *f, uint64_t there, tsr_message *error)
{
    uint64_t reached = 0;
    if (f->count > 0)
        qsort(f->tensor, (size_t)f->count, sizeof *f->tensor, by_name);
    for (int i = 1; i < f->count; ++i)
        if (strcmp(f->tensor[i - 1].name, f->tensor[i].name) == 0)
            return io_fail(error, "the header has the name \"%.60s\" twice", f->tensor[i].name);
    if (f->count > 0)
        qsort(f->tensor, (size_t)f->count, sizeof *f->tensor, by_place);
    for (int i = 0; i < f->count; ++i) {
        tsr_safetensor const *const t = &f->tensor[i];
        if (t->begin < reached)
            return io_fail(error, "tensor \"%.60s\" begins at %llu, inside the one before it, which ends at %llu",
                           t->name, (unsigned long long)t->begin, (unsigned long long)reached);
        if (t->begin > reached)
            return io_fail(error, "the bytes %llu to %llu belong to no tensor", (unsigned long long)reached,
                           (unsigned long long)t->begin - 1);
        reached = t->end;
    }
    if (reached != there)
        return io_fail(error, "%llu bytes follow the %llu bytes of tensors", (unsigned long long)(there - reached),
                       (unsigned long long)reached);
    return true;
}

/** The length of the header, checked against a file of `size` bytes. */
static bool read_length(unsigned char const *p, uint64_t size, uint64_t *length, tsr_message *error)
{
    *length = 0;
    if (size < 8)
        return io_fail(error, "this is not a .safetensors file: it has %llu bytes, not the 8 of the header's length",
                       (unsigned long long)size);
    for (int i = 0; i < 8; ++i)
        *length |= (uint64_t)p[i] << 8 * i;
    if (*length > LONGEST_HEADER)
        return io_fail(error, "the header is to have %llu bytes, at most %u are allowed", (unsigned long long)*length,
                       LONGEST_HEADER);
    if (*length > size - 8)
        return io_fail(error, "the header is to have %llu bytes, %llu are there", (unsigned long long)*length,
                       (unsigned long long)(size - 8));
    return *length > 0 ? true : io_fail(error, "the header does not begin with a '{'");
}

/** The tensors that a header announces, behind which `there` bytes follow; IO_UNKNOWN becomes as many as it announces. */
static bool judge(char const *header, uint64_t length, uint64_t *there, tsr_safetensors *file, tsr_message *error)
{
    if (*header != '{')
        return io_fail(error, "the header does not begin with a '{'");
    file->names = (char *)malloc((size_t)length + 1);
    if (!file->names)
        return io_fail(error, "out of memory for a header of %llu bytes", (unsigned long long)length);
    scan s = {header, 0, (size_t)length, file->names, error};
    if (!read_object(&s, file, *there))
        return false;
    if (*there == IO_UNKNOWN) {
        *there = 0;
        for (int i = 0; i < file->count; ++i)
            *there = file->tensor[i].end > *there ? file->tensor[i].end : *there;
    }
    return check_all(file, *there, error);
}

/** The elements in the order of the machine; the format is little-endian. */
static void swap_all(tsr_safetensors const *file, unsigned char *data)
{
    for (int i = 0; i < file->count; ++i)
        io_swap(file->tensor[i].type, data + file->tensor[i].begin, file->tensor[i].end - file->tensor[i].begin);
}

bool tsr_safetensors_view(void const *data, uint64_t size, tsr_safetensors *file, tsr_message *error)
{
    unsigned char const *const p = (unsigned char const *)data;
    uint64_t length = 0;
    memset(file, 0, sizeof *file);
    if (!read_length(p, size, &length, error))
        return false;
    uint64_t there = size - 8 - length;
    bool ok = judge((char const *)p + 8, length, &there, file, error);
    file->data = p + 8 + length;
    if (ok && TSR_BIG_ENDIAN) { /* the memory is the caller's */
        unsigned char *const copy = (unsigned char *)malloc((size_t)there + 1);
        ok = copy ? true : io_fail(error, "out of memory: %llu bytes", (unsigned long long)there);
        if (ok) {
            memcpy(copy, file->data, (size_t)there);
            swap_all(file, copy);
            file->data = copy;
            file->bytes.data = file->bytes.owned = copy;
            file->bytes.size = there;
        }
    }
    if (!ok)
        tsr_safetensors_close(file);
    return ok;
}

/** Reads and judges the header, then takes the tensors. */
static bool read_tensors(io_source *source, tsr_safetensors *file, tsr_message *error)
{
    uint64_t length = 0;
    if (!io_head(source, 8, error) || !read_length(source->head, source->size, &length, error)
        || !io_head(source, 8 + length, error))
        return false;
    if (source->held < 8 + length)
        return io_fail(error, "the header is to have %llu bytes, %llu are there", (unsigned long long)length,
                       (unsigned long long)(source->held - 8));
    uint64_t there = source->size == IO_UNKNOWN ? IO_UNKNOWN : source->size - 8 - length;
    if (!judge((char const *)source->head + 8, length, &there, file, error)
        || !io_take(source, 8 + length + there, !TSR_BIG_ENDIAN, &file->bytes, error))
        return false;
    file->data = (unsigned char const *)file->bytes.data + 8 + length;
    if (TSR_BIG_ENDIAN)
        swap_all(file, (unsigned char *)file->bytes.owned + 8 + length);
    return true;
}

bool tsr_safetensors_open(char const *path, tsr_safetensors *file, tsr_message *error)
{
    io_source source;
    memset(file, 0, sizeof *file);
    if (!io_open(path, &source, error))
        return io_fail_at(error, path);
    bool const ok = read_tensors(&source, file, error);
    io_source_close(&source);
    if (!ok) {
        tsr_safetensors_close(file);
        return io_fail_at(error, path);
    }
    return true;
}

void tsr_safetensors_close(tsr_safetensors *file)
{
    free(file->tensor);
    free(file->names);
    io_close(&file->bytes);
    memset(file, 0, sizeof *file);
}

bool tsr_safetensors_get(tsr_safetensors const *file, char const *name, tsr_tensor *tensor, tsr_message *error)
{
    tsr_safetensor const *t = NULL;
    tsr_tuple shape = TSR_ZERO;
    for (int i = 0; i < file->count && !t; ++i)
        t = strcmp(file->tensor[i].name, name) == 0 ? &file->tensor[i] : NULL;
    if (!t)
        return io_fail(error, "no tensor of the %d is named \"%.60s\"", file->count, name);
    if (t->rank > TSR_MAX_LEAVES)
        return io_fail(error, "tensor \"%.60s\" has %d dimensions, at most %d fit (TSR_MAX_LEAVES)", t->name, t->rank,
                       TSR_MAX_LEAVES);
    for (int i = 0; i < t->rank; ++i) {
        if (t->extent[i] == 0)
            return io_fail(error,
                           "tensor \"%.60s\" is empty: extent %d is 0, and the extents of a layout are positive",
                           t->name, i);
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(t->extent[i]));
    }
    tsr_layout const l = tsr_layout_checked(tsr_make_layout_from(tsr_tuple_close(shape), tsr_right()));
    if (l.shape.status)
        return io_fail_reason(error, l.shape);
    *tensor = tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, file->data + t->begin, true, t->type), l);
    return true;
}
