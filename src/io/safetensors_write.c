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

/** A string of JSON: what RFC 8259 wants escaped is. */
static void put_string(writer *w, char const *words)
{
    put(w, "\"");
    for (char const *p = words; *p;) {
        size_t n = 0;
        while ((unsigned char)p[n] >= 0x20 && p[n] != '"' && p[n] != '\\')
            ++n;
        put(w, "%.*s", (int)n, p);
        p += n;
        if (*p && (unsigned char)*p < 0x20)
            put(w, "\\u%04x", (unsigned)*p++);
        else if (*p)
            put(w, "\\%c", *p++);
    }
    put(w, "\"");
}

static void put_header(writer *w, tsr_model const *m)
{
    put(w, "{%s", m->notes > 0 ? "\"__metadata__\":{" : "");
    for (int i = 0; i < m->notes; ++i) {
        put(w, "%s", i > 0 ? "," : "");
        put_string(w, m->note[i].key);
        put(w, ":");
        put_string(w, m->note[i].value);
    }
    put(w, "%s", m->notes > 0 ? "}" : "");
    for (int i = 0; i < m->count; ++i) {
        tsr_model_tensor const *const x = &m->tensor[i];
        put(w, "%s", i > 0 || m->notes > 0 ? "," : "");
        put_string(w, x->name);
        put(w, ":{\"dtype\":");
        put_string(w, x->format);
        put_integers(w, ",\"shape\":[", x->rank, x->extent, ",", "]");
        put(w, ",\"data_offsets\":[%llu,%llu]}", (unsigned long long)x->begin, (unsigned long long)x->end);
    }
    put(w, "}");
    while (w->used % ALIGNED != 0)
        put(w, " ");
}

/** The header of a model, and its length: memory to be freed; NULL: there is none. */
static char *make_header(tsr_model const *m, size_t *length)
{
    writer w;
    writer_open(&w, NULL, 0);
    put_header(&w, m); /* counts */
    *length = w.used;
    char *const text = (char *)malloc(w.used + 1);
    writer_open(&w, text, text ? w.used + 1 : 0);
    put_header(&w, m);
    return text;
}

/** The tensor's place behind the others. */
static bool place(tsr_model_tensor *t, uint64_t *reached, tsr_message *error)
{
    int64_t bits = 0, end = 0;
    if (strcmp(t->name, "__metadata__") == 0)
        return tsr_io_fail_(error, "no tensor can be named \"__metadata__\": that name means the metadata");
    t->format = tsr_io_safetensors_of_type_(t->type);
    if (!t->format)
        return tsr_io_fail_(error, "tensor \"%.60s\": safetensors has no elements of %s", t->name,
                            tsr_dtype_name(t->type));
    if (!tsr_model_count_(t, error))
        return false;
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
static bool create(char const *path, tsr_model_writer *w, tsr_message *error)
{
    size_t length = 0;
    uint64_t reached = 0;
    tsr_model_sort_for_writing_(&w->model);
    if (!tsr_model_names_once_(&w->model, error) || !tsr_model_notes_once_(&w->model, error))
        return tsr_io_fail_at_(error, path);
    for (int i = 0; i < w->model.count; ++i)
        if (!place(&w->model.tensor[i], &reached, error))
            return tsr_io_fail_at_(error, path);
    char *const header = make_header(&w->model, &length);
    bool ok = true;
    if (!header)
        ok = tsr_io_fail_(error, "out of memory for a header of %zu bytes", length) || tsr_io_fail_at_(error, path);
    else if (length > SAFETENSORS_LONGEST_HEADER)
        ok = tsr_io_fail_(error, "the header would have %zu bytes, at most %u are allowed", length,
                          SAFETENSORS_LONGEST_HEADER)
             || tsr_io_fail_at_(error, path);
    else
        ok = tsr_image_create(path, 8 + length + reached, &w->image, error);
    if (ok) {
        unsigned char *const begin = (unsigned char *)w->image.map;
        for (int i = 0; i < 8; ++i)
            begin[i] = (unsigned char)((uint64_t)length >> 8 * i & 255);
        memcpy(begin + 8, header, length);
        w->data = begin + 8 + length;
    }
    free(header);
    return ok;
}

bool tsr_safetensors_create(char const *path, tsr_model_tensor const *tensor, int count, tsr_model_note const *note,
                            int notes, tsr_model_writer *writer, tsr_message *error)
{
    tsr_model const metadata = {.note = (tsr_model_note *)(uintptr_t)note, .notes = notes};
    return tsr_safetensors_create_(path, tensor, count, &metadata, writer, error);
}

bool tsr_safetensors_create_(char const *path, tsr_model_tensor const *tensor, int count, tsr_model const *metadata,
                             tsr_model_writer *writer, tsr_message *error)
{
    if (!tsr_model_keep_(writer, tensor, count, metadata, error))
        tsr_io_fail_at_(error, path);
    else if (create(path, writer, error))
        return true;
    tsr_model_discard(writer);
    return false;
}
