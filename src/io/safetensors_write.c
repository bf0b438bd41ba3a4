/** safetensors out: the header is known before the first element is written.
 *
 *  Law     the data begin at a multiple of 8 bytes, by spaces behind the object, and stand without gaps in the order of
 *          decreasing sizes of elements: so each tensor begins at a multiple of its elements' size.
 *  Source  safetensors, README.md, "Format", and tensor.rs, prepare().
 */
#include "io/model.h"
#include "io/scan.h"
#include "io/types.h"

#include <stdio.h>
#include <stdlib.h>

enum { ALIGNED = 8 };

/** Text that is only counted while there is no room for it. */
typedef struct text {
    char *at;
    size_t size;
} text;

static void put(text *t, char const *bytes, size_t n)
{
    if (t->at)
        memcpy(t->at + t->size, bytes, n);
    t->size += n;
}

static void put_words(text *t, char const *words) { put(t, words, strlen(words)); }

static void put_number(text *t, char const *before, unsigned long long n)
{
    char digits[64];
    snprintf(digits, sizeof digits, "%s%llu", before, n);
    put_words(t, digits);
}

/** A string of JSON: what RFC 8259 wants escaped is. */
static void put_string(text *t, char const *words)
{
    char escape[8];
    put(t, "\"", 1);
    for (char const *p = words; *p; ++p) {
        bool const named = *p == '"' || *p == '\\';
        if (named)
            put(t, "\\", 1);
        snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(unsigned char)*p);
        if ((unsigned char)*p < 0x20)
            put_words(t, escape);
        else
            put(t, p, 1);
    }
    put(t, "\"", 1);
}

static void put_header(text *t, tsr_model const *m)
{
    put(t, "{", 1);
    if (m->notes > 0) {
        put_words(t, "\"__metadata__\":{");
        for (int i = 0; i < m->notes; ++i) {
            put(t, ",", i > 0);
            put_string(t, m->note[i].key);
            put(t, ":", 1);
            put_string(t, m->note[i].value);
        }
        put(t, "}", 1);
    }
    for (int i = 0; i < m->count; ++i) {
        tsr_model_tensor const *const x = &m->tensor[i];
        put(t, ",", i > 0 || m->notes > 0);
        put_string(t, x->name);
        put_words(t, ":{\"dtype\":");
        put_string(t, x->format);
        put_words(t, ",\"shape\":[");
        for (int k = 0; k < x->rank; ++k)
            put_number(t, k > 0 ? "," : "", (unsigned long long)x->extent[k]);
        put_number(t, "],\"data_offsets\":[", x->begin);
        put_number(t, ",", x->end);
        put_words(t, "]}");
    }
    put(t, "}", 1);
    while (t->size % ALIGNED != 0)
        put(t, " ", 1);
}

/** A copy of a text behind the others; NULL: it is no UTF-8. */
static char *keep(char **pool, char const *words)
{
    char *const copy = *pool;
    size_t const n = strlen(words);
    memcpy(copy, words, n + 1);
    *pool += n + 1;
    return tsr_scan_is_utf8_(words, n) ? copy : NULL;
}

/** What is to be written, in memory of the writer's own. */
static bool keep_all(tsr_model *m, tsr_model_tensor const *tensor, int count, tsr_model_note const *note, int notes,
                     tsr_message *error)
{
    size_t bytes = 1;
    for (int i = 0; i < count; ++i)
        bytes += strlen(tensor[i].name) + 1;
    for (int i = 0; i < notes; ++i)
        bytes += strlen(note[i].key) + strlen(note[i].value) + 2;
    char *pool = m->names = (char *)malloc(bytes);
    for (int i = 0; pool && i < count; ++i) {
        tsr_model_tensor *const t = tsr_model_add_tensor_(m);
        if (!t)
            return tsr_io_fail_(error, "out of memory for %d tensors", count);
        *t = tensor[i];
        t->name = keep(&pool, tensor[i].name);
        if (!t->name || strcmp(t->name, "__metadata__") == 0)
            return tsr_io_fail_(error, "no tensor can be named \"%.60s\": %s", tensor[i].name,
                                t->name ? "that name means the metadata" : "that is not UTF-8");
    }
    for (int i = 0; pool && i < notes; ++i) {
        tsr_model_note const n = {keep(&pool, note[i].key), keep(&pool, note[i].value)};
        if (!n.key || !n.value)
            return tsr_io_fail_(error, "the metadata \"%.60s\" are not UTF-8", note[i].key);
        if (!tsr_model_add_note_(m, n))
            return tsr_io_fail_(error, "out of memory for %d lines of metadata", notes);
    }
    return pool ? true : tsr_io_fail_(error, "out of memory: %zu bytes", bytes);
}

/** The tensor's place behind the others. */
static bool place(tsr_model_tensor *t, uint64_t *reached, tsr_message *error)
{
    int64_t bits = 0, end = 0;
    t->format = tsr_io_safetensors_of_type_(t->type);
    if (!t->format)
        return tsr_io_fail_(error, "tensor \"%.60s\": safetensors has no elements of %s", t->name,
                            tsr_dtype_name(t->type));
    if (t->rank < 0 || t->rank > TSR_MAX_LEAVES)
        return tsr_io_fail_(error, "tensor \"%.60s\" has %d dimensions, at most %d fit (TSR_MAX_LEAVES)", t->name,
                            t->rank, TSR_MAX_LEAVES);
    t->elements = 1;
    for (int i = 0; i < t->rank; ++i) {
        if (t->extent[i] < 0)
            return tsr_io_fail_(error, "tensor \"%.60s\": extent %d is %lld", t->name, i, (long long)t->extent[i]);
        if (!tsr_mul64(t->elements, t->extent[i], &t->elements))
            return tsr_io_fail_(error, "tensor \"%.60s\" has more than 2^63 elements", t->name);
    }
    if (!tsr_mul64(t->elements, tsr_dtype_bits(t->type), &bits) || !tsr_add64(bits / 8, (int64_t)*reached, &end))
        return tsr_io_fail_(error, "with tensor \"%.60s\" the file would have more than 2^63 bytes", t->name);
    if (bits % 8 != 0)
        return tsr_io_fail_(error, "tensor \"%.60s\" has %lld bits, which are no whole bytes", t->name,
                            (long long)bits);
    t->begin = *reached;
    t->end = *reached = (uint64_t)end;
    return true;
}

/** Header and places, then the file. */
static bool create(char const *path, tsr_safetensors_writer *w, tsr_message *error)
{
    text header = {NULL, 0};
    uint64_t reached = 0;
    tsr_model_sort_for_writing_(&w->model);
    if (!tsr_model_names_once_(&w->model, error) || !tsr_model_notes_once_(&w->model, error))
        return tsr_io_fail_at_(error, path);
    for (int i = 0; i < w->model.count; ++i)
        if (!place(&w->model.tensor[i], &reached, error))
            return tsr_io_fail_at_(error, path);
    put_header(&header, &w->model);
    if (header.size > SAFETENSORS_LONGEST_HEADER)
        return tsr_io_fail_(error, "the header would have %zu bytes, at most %u are allowed", header.size,
                            SAFETENSORS_LONGEST_HEADER)
               || tsr_io_fail_at_(error, path);
    if (!tsr_image_create(path, 8 + header.size + reached, &w->image, error))
        return false;
    unsigned char *const begin = (unsigned char *)w->image.map;
    for (int i = 0; i < 8; ++i)
        begin[i] = (unsigned char)((uint64_t)header.size >> 8 * i & 255);
    w->data = begin + 8 + header.size;
    header = (text){(char *)begin + 8, 0};
    put_header(&header, &w->model);
    return true;
}

bool tsr_safetensors_create(char const *path, tsr_model_tensor const *tensor, int count, tsr_model_note const *note,
                            int notes, tsr_safetensors_writer *writer, tsr_message *error)
{
    memset(writer, 0, sizeof *writer);
    writer->image.output.handle = -1;
    if (!keep_all(&writer->model, tensor, count, note, notes, error))
        tsr_io_fail_at_(error, path);
    else if (create(path, writer, error))
        return true;
    tsr_safetensors_discard(writer);
    return false;
}

bool tsr_safetensors_commit(tsr_safetensors_writer *writer, tsr_message *error)
{
    tsr_model_swap_(&writer->model, writer->data);
    bool const ok = tsr_image_commit(&writer->image, error);
    tsr_safetensors_discard(writer);
    return ok;
}

void tsr_safetensors_discard(tsr_safetensors_writer *writer)
{
    tsr_image_discard(&writer->image);
    tsr_model_close(&writer->model);
    writer->data = NULL;
}
