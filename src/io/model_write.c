/** Files of named tensors out: what the formats have in common. */
#include "io/model.h"
#include "io/scan.h"

#include <stdlib.h>

/** A copy of a text behind the others; NULL: it is no UTF-8. */
static char *keep(char **pool, char const *words)
{
    char *const copy = *pool;
    size_t const n = strlen(words);
    memcpy(copy, words, n + 1);
    *pool += n + 1;
    return tsr_is_utf8_(words, n) ? copy : NULL;
}

static bool keep_tensor_to_write(tsr_model *m, tsr_model_tensor const *tensor, char **pool, tsr_message *error)
{
    tsr_model_tensor *const t = tsr_model_add_tensor_(m);
    if (!t)
        return tsr_io_fail_(error, "out of memory for %d tensors", m->count);
    *t = *tensor;
    t->name = keep(pool, tensor->name);
    if (!t->name)
        return tsr_io_fail_(error, "no tensor can be named \"%.60s\": that is not UTF-8", tensor->name);
    if (t->type == 0)
        t->format = keep(pool, tensor->format ? tensor->format : "");
    return true;
}

/** What is to be written, in memory of the model's own. */
static bool keep_all(tsr_model *m, tsr_model_tensor const *tensor, int count, tsr_model const *metadata,
                     tsr_message *error)
{
    int const notes = metadata ? metadata->notes : 0;
    size_t bytes = 1;
    for (int i = 0; i < count; ++i)
        bytes += strlen(tensor[i].name) + (tensor[i].format ? strlen(tensor[i].format) : 0) + 2;
    for (int i = 0; i < notes; ++i)
        bytes += strlen(metadata->note[i].key) + strlen(metadata->note[i].value) + 2;
    char *pool = m->names = (char *)malloc(bytes);
    if (!pool)
        return tsr_io_fail_(error, "out of memory: %zu bytes", bytes);
    for (int i = 0; i < count; ++i)
        if (!keep_tensor_to_write(m, &tensor[i], &pool, error))
            return false;
    for (int i = 0; i < notes; ++i) {
        tsr_model_note const *const from = &metadata->note[i];
        tsr_model_note const n = {keep(&pool, from->key), keep(&pool, from->value)};
        if (!n.key || !n.value)
            return tsr_io_fail_(error, "the metadata \"%.60s\" are not UTF-8", from->key);
        if (!tsr_model_add_note_(m, n))
            return tsr_io_fail_(error, "out of memory for %d lines of metadata", notes);
    }
    return true;
}

bool tsr_model_keep_(tsr_model_writer *writer, tsr_model_tensor const *tensor, int count, tsr_model const *metadata,
                     tsr_message *error)
{
    memset(writer, 0, sizeof *writer);
    writer->image.output.handle = -1;
    return keep_all(&writer->model, tensor, count, metadata, error);
}

bool tsr_model_count_(tsr_model_tensor *t, tsr_message *error)
{
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
    return true;
}

bool tsr_model_create(char const *path, tsr_model_tensor const *tensor, int count, tsr_model const *metadata,
                      tsr_model_writer *writer, tsr_message *error)
{
    model_format const *const format = tsr_model_format_of_(path);
    memset(writer, 0, sizeof *writer);
    writer->image.output.handle = -1;
    if (format)
        return format->create(path, tensor, count, metadata, writer, error);
    tsr_io_fail_(error, "tensors are written to files whose names end in .safetensors, .gguf or .npz");
    return tsr_io_fail_at_(error, path);
}

bool tsr_model_at(tsr_model_writer const *writer, char const *name, tsr_tensor *tensor, tsr_message *error)
{
    return tsr_model_get_(&writer->model, name, writer->data, false, tensor, error);
}

bool tsr_model_commit(tsr_model_writer *writer, tsr_message *error)
{
    if (writer->archive)
        tsr_npz_finish_(writer); /* in the order of the machine, as the headers say */
    else
        tsr_model_swap_(&writer->model, writer->data);
    bool const ok = tsr_image_commit(&writer->image, error);
    tsr_model_discard(writer);
    return ok;
}

void tsr_model_discard(tsr_model_writer *writer)
{
    tsr_image_discard(&writer->image);
    tsr_model_close(&writer->model);
    writer->data = NULL;
}
