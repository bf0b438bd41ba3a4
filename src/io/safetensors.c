/** safetensors in: a JSON object of tensors, then their bytes without gaps.
 *
 *      file    length (8 bytes, little-endian), object, bytes
 *      object  {"__metadata__": {"any": "string", ..}, "name": tensor, ..}
 *      tensor  {"dtype": "F32", "shape": [2,3], "data_offsets": [0,24]}
 *
 *  Source  safetensors, README.md, "Format"; the rules that its Rust implementation checks.
 */
#include "io/model.h"
#include "io/scan.h"
#include "io/types.h"

#include <stdlib.h>

enum { HAS_DTYPE = 1, HAS_SHAPE = 2, HAS_OFFSETS = 4 };

static bool read_shape(scan *s, tsr_model_tensor *t)
{
    if (!tsr_header_expect_(s, "[", "of a shape"))
        return false;
    t->elements = 1;
    for (t->rank = 0; !scan_take(s, "]"); ++t->rank) {
        int64_t n = 0;
        if ((t->rank > 0 && !tsr_header_expect_(s, ",", "between extents"))
            || !tsr_header_integer_(s, &n, "the extent"))
            return false;
        if (!tsr_mul64(t->elements, n, &t->elements))
            return scan_fail(s, "tensor \"%.60s\" has more than 2^63 elements", t->name);
        if (t->rank < TSR_MAX_LEAVES)
            t->extent[t->rank] = n;
    }
    return true;
}

static bool read_offsets(scan *s, tsr_model_tensor *t)
{
    int64_t begin = 0, end = 0;
    if (!tsr_header_expect_(s, "[", "of the offsets") || !tsr_header_integer_(s, &begin, "the offset")
        || !tsr_header_expect_(s, ",", "between two offsets") || !tsr_header_integer_(s, &end, "the offset")
        || !tsr_header_expect_(s, "]", "after two offsets"))
        return false;
    t->begin = (uint64_t)begin;
    t->end = (uint64_t)end;
    return true;
}

static bool read_dtype(scan *s, char **pool, tsr_model_tensor *t)
{
    char const *name = NULL;
    if (!tsr_header_string_(s, pool, &name, "the dtype"))
        return false;
    t->format = name;
    t->type = tsr_io_type_of_safetensors_(name);
    return t->type ? true : scan_fail(s, "tensor \"%.60s\": the dtype \"%.60s\" is not known", t->name, name);
}

/** One value of a tensor's object, and which one it is. */
static bool read_value(scan *s, char **pool, tsr_model_tensor *t, int *have)
{
    char const *key = NULL;
    if (!tsr_header_string_(s, pool, &key, "a key") || !tsr_header_expect_(s, ":", "after a key"))
        return false;
    int const which = strcmp(key, "dtype") == 0          ? HAS_DTYPE
                      : strcmp(key, "shape") == 0        ? HAS_SHAPE
                      : strcmp(key, "data_offsets") == 0 ? HAS_OFFSETS
                                                         : 0;
    if (which == 0)
        return scan_fail(s, "tensor \"%.60s\" has the unknown key \"%.60s\"", t->name, key);
    if (*have & which)
        return scan_fail(s, "tensor \"%.60s\" has the key \"%s\" twice", t->name, key);
    *have |= which;
    return which == HAS_DTYPE ? read_dtype(s, pool, t) : which == HAS_SHAPE ? read_shape(s, t) : read_offsets(s, t);
}

/** Shape, type and offsets agree. */
static bool check_size(tsr_model_tensor const *t, uint64_t there, tsr_message *error)
{
    int64_t bits = 0;
    if (t->begin > t->end)
        return tsr_io_fail_(error, "tensor \"%.60s\" ends at %llu, before it begins at %llu", t->name,
                            (unsigned long long)t->end, (unsigned long long)t->begin);
    if (t->end > there)
        return tsr_io_fail_(error, "tensor \"%.60s\" ends at %llu, the file has %llu bytes of tensors", t->name,
                            (unsigned long long)t->end, (unsigned long long)there);
    if (!tsr_mul64(t->elements, tsr_dtype_bits(t->type), &bits))
        return tsr_io_fail_(error, "tensor \"%.60s\" has more than 2^63 bits", t->name);
    if (bits % 8 != 0)
        return tsr_io_fail_(error, "tensor \"%.60s\" has %lld bits, which are no whole bytes", t->name,
                            (long long)bits);
    if ((uint64_t)bits / 8 != t->end - t->begin)
        return tsr_io_fail_(error, "tensor \"%.60s\" needs %lld bytes, its offsets hold %llu", t->name,
                            (long long)bits / 8, (unsigned long long)(t->end - t->begin));
    return true;
}

static bool read_tensor(scan *s, char **pool, tsr_model_tensor *t, uint64_t there)
{
    int have = 0;
    if (!tsr_header_expect_(s, "{", "of a tensor"))
        return false;
    for (bool first = true; !scan_take(s, "}"); first = false)
        if ((!first && !tsr_header_expect_(s, ",", "between the keys of a tensor")) || !read_value(s, pool, t, &have))
            return false;
    if (have != (HAS_DTYPE | HAS_SHAPE | HAS_OFFSETS))
        return scan_fail(s, "tensor \"%.60s\" has no \"%s\"", t->name,
                         !(have & HAS_DTYPE)   ? "dtype"
                         : !(have & HAS_SHAPE) ? "shape"
                                               : "data_offsets");
    return check_size(t, there, s->error);
}

/** Strings by name. */
static bool read_metadata(scan *s, char **pool, tsr_model *f)
{
    if (!tsr_header_expect_(s, "{", "of the metadata"))
        return false;
    for (bool first = true; !scan_take(s, "}"); first = false) {
        tsr_model_note n = {NULL, NULL};
        if ((!first && !tsr_header_expect_(s, ",", "between the metadata"))
            || !tsr_header_string_(s, pool, &n.key, "a key") || !tsr_header_expect_(s, ":", "after a key")
            || !tsr_header_string_(s, pool, &n.value, "a value of the metadata"))
            return false;
        if (!tsr_model_add_note_(f, n))
            return scan_fail(s, "out of memory for %d lines of metadata", f->notes);
    }
    return true;
}

static bool read_object(scan *s, char **pool, tsr_model *f, uint64_t there)
{
    bool metadata = false;
    if (!tsr_header_expect_(s, "{", "of the header"))
        return false;
    for (bool first = true; !scan_take(s, "}"); first = false) {
        char const *name = NULL;
        if ((!first && !tsr_header_expect_(s, ",", "between tensors"))
            || !tsr_header_string_(s, pool, &name, "a name") || !tsr_header_expect_(s, ":", "after a name"))
            return false;
        if (strcmp(name, "__metadata__") == 0) {
            if (metadata)
                return scan_fail(s, "the header has the name \"__metadata__\" twice");
            metadata = true;
            if (!read_metadata(s, pool, f))
                return false;
            continue;
        }
        tsr_model_tensor *const t = tsr_model_add_tensor_(f);
        if (!t)
            return scan_fail(s, "out of memory for %d tensors", f->count);
        t->name = name;
        if (!read_tensor(s, pool, t, there))
            return false;
    }
    if (scan_next(s) != 0 || s->p < s->end)
        return scan_fail(s, "character %zu of the header, after the object, is not a space", scan_at(s));
    return true;
}

/** The length of the header, checked against a file of `size` bytes. */
static bool read_length(unsigned char const *p, uint64_t size, uint64_t *length, tsr_message *error)
{
    *length = 0;
    if (size < 8)
        return tsr_io_fail_(error,
                            "this is not a .safetensors file: it has %llu bytes, not the 8 of the header's length",
                            (unsigned long long)size);
    for (int i = 0; i < 8; ++i)
        *length |= (uint64_t)p[i] << 8 * i;
    if (*length > SAFETENSORS_LONGEST_HEADER)
        return tsr_io_fail_(error, "the header is to have %llu bytes, at most %u are allowed",
                            (unsigned long long)*length, SAFETENSORS_LONGEST_HEADER);
    if (*length > size - 8)
        return tsr_io_fail_(error, "the header is to have %llu bytes, %llu are there", (unsigned long long)*length,
                            (unsigned long long)(size - 8));
    return *length > 0 ? true : tsr_io_fail_(error, "the header does not begin with a '{'");
}

/** The tensors of a header of `length` bytes, behind which `there` bytes follow; IO_UNKNOWN becomes as many as it
 *  announces. */
static bool judge(char const *header, uint64_t length, uint64_t *there, tsr_model *model, tsr_message *error)
{
    if (*header != '{')
        return tsr_io_fail_(error, "the header does not begin with a '{'");
    model->names = (char *)malloc((size_t)length + 1);
    if (!model->names)
        return tsr_io_fail_(error, "out of memory for a header of %llu bytes", (unsigned long long)length);
    scan s = tsr_scan_open_(header, (size_t)length, error);
    char *pool = model->names;
    if (!read_object(&s, &pool, model, *there))
        return false;
    if (*there == IO_UNKNOWN) {
        *there = 0;
        for (int i = 0; i < model->count; ++i)
            *there = model->tensor[i].end > *there ? model->tensor[i].end : *there;
    }
    return tsr_model_notes_once_(model, error) && tsr_model_check_(model, *there, 1, error);
}

static bool judge_file(io_source *source, tsr_model *model, uint64_t *begin, uint64_t *there, tsr_message *error)
{
    uint64_t length = 0;
    if (!tsr_io_head_(source, 8, error) || !read_length(source->head, source->size, &length, error)
        || !tsr_io_head_(source, 8 + length, error))
        return false;
    if (source->held < 8 + length)
        return tsr_io_fail_(error, "the header is to have %llu bytes, %llu are there", (unsigned long long)length,
                            (unsigned long long)(source->held - 8));
    *begin = 8 + length;
    *there = source->size == IO_UNKNOWN ? IO_UNKNOWN : source->size - *begin;
    return judge((char const *)source->head + 8, length, there, model, error);
}

bool tsr_safetensors_judge_(io_source *source, tsr_model *model, uint64_t *begin, uint64_t *there, tsr_message *error)
{
    bool const ok = judge_file(source, model, begin, there, error);
    if (!ok && !(source->held > 8 && source->head[8] == '{'))
        (void)tsr_io_is_other_(source, "a .safetensors", error);
    return ok;
}

bool tsr_safetensors_view(void const *data, uint64_t size, tsr_model *model, tsr_message *error)
{
    return tsr_model_view_(data, size, tsr_safetensors_judge_, model, error);
}

bool tsr_safetensors_open(char const *path, tsr_model *model, tsr_message *error)
{
    return tsr_model_open_(path, tsr_safetensors_judge_, model, error);
}
