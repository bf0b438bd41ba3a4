/** GGUF out, version 3: the header is known before the first element is written.
 *
 *  Law     the data, and each tensor in them, begin at a multiple of the alignment, and the last tensor is followed by
 *          zeros up to the next one. Tensors lie in the order in which they are given. The keys of a GGUF file are
 *          written as they were read, with their types; other metadata are strings.
 *  Source  ggml, gguf.md; what its reader (gguf.cpp) refuses is not written.
 */
#include "io/gguf_types.h"
#include "io/model.h"
#include "io/sink.h"

#include <stdlib.h>

enum { VERSION = 3, ALIGNED = 32, NUMBER = 4, STRING = 8, DIMENSIONS = 4, LONGEST_NAME = 63, LONGEST_KEY = 65535 };

static void put_text(sink *s, char const *words)
{
    sink_little(s, strlen(words), 8);
    sink_bytes(s, words, strlen(words));
}

/** The number of a tensor's type in the file; false: GGUF has none. */
static bool number_of_type(tsr_model_tensor const *t, uint64_t *number)
{
    gguf_type const *const row = t->type ? tsr_gguf_type_like_(t->type) : tsr_gguf_type_named_(t->format);
    char *end = NULL;
    *number = row ? (uint64_t)row->number : 0;
    if (!row && tsr_model_is_opaque(t))
        *number = (uint64_t)strtoull(t->format + strlen("type "), &end, 10);
    return row || (end && end > t->format + strlen("type ") && *end == 0);
}

static void put_gguf_header(sink *s, tsr_model const *m, uint64_t alignment)
{
    sink_bytes(s, "GGUF", 4);
    sink_little(s, VERSION, 4);
    sink_little(s, (uint64_t)m->count, 8);
    sink_little(s, m->keys ? m->key_count : (uint64_t)m->notes, 8);
    sink_bytes(s, m->keys, (size_t)m->key_bytes);
    for (int i = 0; i < m->notes && !m->keys; ++i) {
        bool const number = strcmp(m->note[i].key, "general.alignment") == 0;
        put_text(s, m->note[i].key);
        sink_little(s, number ? NUMBER : STRING, 4);
        if (number)
            sink_little(s, alignment, 4);
        else
            put_text(s, m->note[i].value);
    }
    for (int i = 0; i < m->count; ++i) {
        tsr_model_tensor const *const t = &m->tensor[i];
        uint64_t number = 0;
        (void)number_of_type(t, &number);
        put_text(s, t->name);
        sink_little(s, (uint64_t)t->rank, 4);
        for (int k = t->rank - 1; k >= 0; --k)
            sink_little(s, (uint64_t)t->extent[k], 8);
        sink_little(s, number, 4);
        sink_little(s, t->begin, 8);
    }
}

/** The bytes of a tensor: of blocks and of unknown types as many as it is given with. */
static bool bytes_of_tensor(tsr_model_tensor *t, int64_t *bytes, tsr_message *error)
{
    uint64_t number = 0;
    if (strlen(t->name) > LONGEST_NAME)
        return tsr_io_fail_(error, "tensor \"%.60s..\": its name has %zu bytes, in GGUF at most %d", t->name,
                            strlen(t->name), LONGEST_NAME);
    if (!number_of_type(t, &number))
        return tsr_io_fail_(error, "tensor \"%.60s\": GGUF has no elements of %s", t->name,
                            t->type ? tsr_dtype_name(t->type) : t->format);
    if (t->rank > DIMENSIONS)
        return tsr_io_fail_(error, "tensor \"%.60s\" has %d dimensions, in GGUF at most %d", t->name, t->rank,
                            DIMENSIONS);
    if (!tsr_model_count_(t, error))
        return false;
    gguf_type const *const row = tsr_gguf_type_of_(number);
    *bytes = (int64_t)(t->end - t->begin);
    if (row)
        t->format = row->name;
    if (row && t->rank > 0 && t->extent[t->rank - 1] % row->block != 0)
        return tsr_io_fail_(error, "tensor \"%.60s\": %lld elements are no whole blocks of %d (%s)", t->name,
                            (long long)t->extent[t->rank - 1], row->block, row->name);
    return !row || tsr_mul64(t->elements / row->block, row->bytes, bytes)
               ? true
               : tsr_io_fail_(error, "tensor \"%.60s\" has more than 2^63 bytes", t->name);
}

/** The next multiple of a power of two; false: there is none below 2^63. */
static bool round_up(uint64_t *n, uint64_t alignment)
{
    if (*n > INT64_MAX - alignment)
        return false;
    *n = (*n + alignment - 1) & ~(alignment - 1);
    return true;
}

/** A tensor's place behind the others. */
static bool place_at(tsr_model_tensor *t, uint64_t *reached, uint64_t alignment, tsr_message *error)
{
    int64_t bytes = 0, end = 0;
    if (!bytes_of_tensor(t, &bytes, error))
        return false;
    t->begin = *reached;
    if (!tsr_add64((int64_t)*reached, bytes, &end))
        return tsr_io_fail_(error, "with tensor \"%.60s\" the file would have more than 2^63 bytes", t->name);
    t->end = *reached = (uint64_t)end;
    return round_up(reached, alignment)
               ? true
               : tsr_io_fail_(error, "with tensor \"%.60s\" the file would have more than 2^63 bytes", t->name);
}

/** The alignment that the metadata ask for, and whether their keys can be written. */
static bool check_keys(tsr_model const *m, uint64_t *alignment, tsr_message *error)
{
    for (int i = 0; i < m->notes; ++i) {
        tsr_model_note const *const n = &m->note[i];
        if (*n->key == 0 || strlen(n->key) > LONGEST_KEY)
            return tsr_io_fail_(error, "a key of %zu bytes, in GGUF at least 1 and at most %d", strlen(n->key),
                                LONGEST_KEY);
        if (strcmp(n->key, "general.alignment") != 0)
            continue;
        char *end = NULL;
        *alignment = (uint64_t)strtoull(n->value, &end, 10);
        if (*end != 0 || *alignment == 0 || *alignment > 1u << 31 || (*alignment & (*alignment - 1)) != 0)
            return tsr_io_fail_(error, "general.alignment is \"%.60s\", not a power of two below 2^32", n->value);
    }
    return true;
}

/** Keys with their types, of a GGUF file, which are taken as they are. */
static bool keep_keys(tsr_model *m, tsr_model const *metadata, tsr_message *error)
{
    if (!metadata || !metadata->keys)
        return true;
    m->keys = (unsigned char *)malloc((size_t)metadata->key_bytes + 1);
    if (!m->keys)
        return tsr_io_fail_(error, "out of memory for %llu bytes of keys", (unsigned long long)metadata->key_bytes);
    memcpy(m->keys, metadata->keys, (size_t)metadata->key_bytes);
    m->key_bytes = metadata->key_bytes;
    m->key_count = metadata->key_count;
    return true;
}

static bool create_gguf(char const *path, tsr_model_writer *w, tsr_message *error)
{
    uint64_t reached = 0, alignment = ALIGNED, begin = 0;
    sink s = {NULL, 0};
    if (!tsr_model_names_once_(&w->model, error) || !tsr_model_notes_once_(&w->model, error)
        || !check_keys(&w->model, &alignment, error))
        return tsr_io_fail_at_(error, path);
    for (int i = 0; i < w->model.count; ++i)
        if (!place_at(&w->model.tensor[i], &reached, alignment, error))
            return tsr_io_fail_at_(error, path);
    put_gguf_header(&s, &w->model, alignment); /* counts */
    begin = s.n;
    if (!round_up(&begin, alignment) || begin > (uint64_t)INT64_MAX - reached) {
        tsr_io_fail_(error, "the file would have more than 2^63 bytes");
        return tsr_io_fail_at_(error, path);
    }
    if (!tsr_image_create(path, begin + reached, &w->image, error))
        return false;
    s = (sink){(unsigned char *)w->image.map, 0};
    put_gguf_header(&s, &w->model, alignment);
    w->data = (unsigned char *)w->image.map + begin;
    return true;
}

bool tsr_gguf_create(char const *path, tsr_model_tensor const *tensor, int count, tsr_model const *metadata,
                     tsr_model_writer *writer, tsr_message *error)
{
    if (!tsr_model_keep_(writer, tensor, count, metadata, error) || !keep_keys(&writer->model, metadata, error))
        tsr_io_fail_at_(error, path);
    else if (create_gguf(path, writer, error))
        return true;
    tsr_model_discard(writer);
    return false;
}
