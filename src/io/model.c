/** Files of named tensors: their lists, and the law of their places.
 *
 *  Law  sorted by their offsets the tensors cover the bytes from the first to the last, each byte once, but for what
 *       brings the next one to a multiple of the alignment.
 */
#include "io/model.h"
#include "io/types.h"

#include <stdlib.h>

/** Room for one more item behind `count`, which doubles at powers of two. */
static void *grow(void *items, int count, size_t bytes)
{
    bool const full = count == 0 || (count >= 16 && (count & (count - 1)) == 0);
    return full ? realloc(items, (size_t)(count ? 2 * count : 16) * bytes) : items;
}

tsr_model_tensor *tsr_model_add_tensor_(tsr_model *m)
{
    void *const bigger = grow(m->tensor, m->count, sizeof *m->tensor);
    if (!bigger)
        return NULL;
    m->tensor = (tsr_model_tensor *)bigger;
    memset(&m->tensor[m->count], 0, sizeof *m->tensor);
    return &m->tensor[m->count++];
}

bool tsr_model_add_note_(tsr_model *m, tsr_model_note note)
{
    void *const bigger = grow(m->note, m->notes, sizeof *m->note);
    if (!bigger)
        return false;
    m->note = (tsr_model_note *)bigger;
    m->note[m->notes++] = note;
    return true;
}

static int by_place(void const *a, void const *b)
{
    tsr_model_tensor const *const x = (tsr_model_tensor const *)a, *const y = (tsr_model_tensor const *)b;
    return x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin)
           : x->end != y->end   ? (x->end > y->end) - (x->end < y->end)
                                : strcmp(x->name, y->name);
}

static int by_size(void const *a, void const *b)
{
    tsr_model_tensor const *const x = (tsr_model_tensor const *)a, *const y = (tsr_model_tensor const *)b;
    int const bits = tsr_dtype_bits(x->type), others = tsr_dtype_bits(y->type);
    return bits != others ? others - bits : strcmp(x->name, y->name);
}

static void sort(tsr_model *m, int (*compare)(void const *a, void const *b))
{
    if (m->count > 0)
        qsort(m->tensor, (size_t)m->count, sizeof *m->tensor, compare);
}

void tsr_model_sort_for_writing_(tsr_model *m) { sort(m, by_size); }

static int by_name(void const *a, void const *b)
{
    return strcmp(((tsr_model_name const *)a)->name, ((tsr_model_name const *)b)->name);
}

bool tsr_model_names_once_(tsr_model *m, tsr_message *error)
{
    m->name = (tsr_model_name *)malloc((size_t)m->count * sizeof *m->name + 1);
    if (!m->name)
        return tsr_io_fail_(error, "out of memory for %d tensors", m->count);
    for (int i = 0; i < m->count; ++i)
        m->name[i] = (tsr_model_name){m->tensor[i].name, i};
    if (m->count > 0)
        qsort(m->name, (size_t)m->count, sizeof *m->name, by_name);
    for (int i = 1; i < m->count; ++i)
        if (strcmp(m->name[i - 1].name, m->name[i].name) == 0)
            return tsr_io_fail_(error, "the header has the name \"%.60s\" twice", m->name[i].name);
    return true;
}

static int by_key(void const *a, void const *b)
{
    return strcmp(((tsr_model_note const *)a)->key, ((tsr_model_note const *)b)->key);
}

bool tsr_model_notes_once_(tsr_model *m, tsr_message *error)
{
    size_t const bytes = (size_t)m->notes * sizeof *m->note;
    tsr_model_note *const sorted = (tsr_model_note *)malloc(bytes + 1);
    char const *twice = NULL;
    int kept = 0;
    if (!sorted)
        return tsr_io_fail_(error, "out of memory for %d keys", m->notes);
    if (m->notes > 0) {
        memcpy(sorted, m->note, bytes);
        qsort(sorted, (size_t)m->notes, sizeof *sorted, by_key);
    }
    for (int i = 1; i < m->notes && !twice; ++i)
        twice = strcmp(sorted[i - 1].key, sorted[i].key) == 0 ? sorted[i].key : NULL;
    free(sorted);
    if (twice)
        return tsr_io_fail_(error, "the header has the key \"%.60s\" twice", twice);
    for (int i = 0; i < m->notes; ++i)
        if (m->note[i].value)
            m->note[kept++] = m->note[i];
    m->notes = kept;
    return true;
}

bool tsr_model_is_opaque(tsr_model_tensor const *t)
{
    return t->type == 0 && t->format && strncmp(t->format, "type ", 5) == 0;
}

/** Opaque tensors, which are sorted behind what begins where they do, end where the next tensor begins. */
static bool end_opaque(tsr_model *m, uint64_t there, tsr_message *error)
{
    for (int i = m->count - 1; i >= 0; --i) {
        tsr_model_tensor *const t = &m->tensor[i];
        if (!tsr_model_is_opaque(t) || t->elements == 0)
            continue;
        t->end = i + 1 < m->count ? m->tensor[i + 1].begin : there;
        if (t->end == t->begin)
            return tsr_io_fail_(error, "tensor \"%.60s\" of the unknown %s has %lld elements, but no bytes", t->name,
                                t->format, (long long)t->elements);
    }
    return true;
}

bool tsr_model_check_(tsr_model *m, uint64_t there, uint64_t alignment, tsr_message *error)
{
    uint64_t reached = 0, next = 0;
    sort(m, by_place);
    if (!tsr_model_names_once_(m, error) || !end_opaque(m, there, error))
        return false;
    for (int i = 0; i < m->count; ++i) {
        tsr_model_tensor const *const t = &m->tensor[i];
        if (t->begin % alignment != 0)
            return tsr_io_fail_(error,
                                "tensor \"%.60s\" begins at %llu, which is not a multiple of the alignment %llu",
                                t->name, (unsigned long long)t->begin, (unsigned long long)alignment);
        if (t->begin < reached)
            return tsr_io_fail_(error,
                                "tensor \"%.60s\" begins at %llu, inside the one before it, which ends at %llu",
                                t->name, (unsigned long long)t->begin, (unsigned long long)reached);
        if (t->begin > next)
            return tsr_io_fail_(error, "the bytes %llu to %llu belong to no tensor", (unsigned long long)reached,
                                (unsigned long long)t->begin - 1);
        reached = t->end;
        next = reached + (alignment - reached % alignment) % alignment; /* tensors end inside the file: no overflow */
    }
    if (there > next)
        return tsr_io_fail_(error, "%llu bytes follow the %llu bytes of tensors",
                            (unsigned long long)(there - reached), (unsigned long long)reached);
    return true;
}

void tsr_model_swap_(tsr_model const *m, unsigned char *data)
{
    for (int i = 0; i < m->count && TSR_BIG_ENDIAN; ++i)
        tsr_io_swap_(m->tensor[i].type, data + m->tensor[i].begin, m->tensor[i].end - m->tensor[i].begin);
}

/** The tensors in memory of the caller's, `there` bytes of little-endian data. */
static bool keep_memory(tsr_model *m, unsigned char const *data, uint64_t there, tsr_message *error)
{
    m->data = data;
    if (!TSR_BIG_ENDIAN)
        return true;
    unsigned char *const copy = (unsigned char *)malloc((size_t)there + 1); /* the memory is the caller's */
    if (!copy)
        return tsr_io_fail_(error, "out of memory: %llu bytes", (unsigned long long)there);
    memcpy(copy, data, (size_t)there);
    tsr_model_swap_(m, copy);
    m->data = copy;
    m->bytes.data = m->bytes.owned = copy;
    m->bytes.size = there;
    return true;
}

bool tsr_model_view_(void const *data, uint64_t size, model_judge judge, tsr_model *m, tsr_message *error)
{
    io_source source = tsr_io_memory_(data, size);
    uint64_t begin = 0, there = 0;
    memset(m, 0, sizeof *m);
    bool const ok =
        judge(&source, m, &begin, &there, error) && keep_memory(m, (unsigned char const *)data + begin, there, error);
    tsr_io_source_close_(&source);
    if (!ok)
        tsr_model_close(m);
    return ok;
}

bool tsr_model_read_(io_source *source, model_judge judge, tsr_model *m, tsr_message *error)
{
    uint64_t begin = 0, there = 0;
    memset(m, 0, sizeof *m);
    if (!judge(source, m, &begin, &there, error)
        || !tsr_io_take_(source, begin + there, !TSR_BIG_ENDIAN, &m->bytes, error)) {
        tsr_model_close(m);
        return false;
    }
    m->data = (unsigned char const *)m->bytes.data + begin;
    if (TSR_BIG_ENDIAN)
        tsr_model_swap_(m, (unsigned char *)m->bytes.owned + begin);
    return true;
}

bool tsr_model_open_(char const *path, model_judge judge, tsr_model *m, tsr_message *error)
{
    io_source source;
    memset(m, 0, sizeof *m);
    bool ok = tsr_io_open_(path, &source, error);
    if (ok) {
        ok = tsr_model_read_(&source, judge, m, error);
        tsr_io_source_close_(&source);
    }
    return ok || tsr_io_fail_at_(error, path);
}

model_format const *tsr_model_format_of_(char const *path)
{
    static model_format const formats[] = {{".safetensors", tsr_safetensors_open, tsr_safetensors_create_},
                                           {".gguf", tsr_gguf_open, tsr_gguf_create},
                                           {".npz", tsr_npz_open, tsr_npz_create_}};
    size_t const n = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i) {
        size_t const m = strlen(formats[i].ending);
        if (n > m && strcmp(path + n - m, formats[i].ending) == 0)
            return &formats[i];
    }
    return NULL;
}

bool tsr_model_is_path(char const *path) { return tsr_model_format_of_(path) != NULL; }

bool tsr_model_open(char const *path, tsr_model *model, tsr_message *error)
{
    model_format const *const format = tsr_model_format_of_(path);
    memset(model, 0, sizeof *model);
    if (format)
        return format->open(path, model, error);
    tsr_io_fail_(error, "the name of a file of tensors ends in .safetensors, .gguf or .npz");
    return tsr_io_fail_at_(error, path);
}

void tsr_model_close(tsr_model *model)
{
    free(model->tensor);
    free(model->name);
    free(model->note);
    free(model->names);
    free(model->keys);
    tsr_io_close_(&model->bytes);
    memset(model, 0, sizeof *model);
}

/** The tensor at an address. */
static bool make_tensor(tsr_model_tensor const *t, unsigned char const *data, bool constant, tsr_tensor *tensor,
                        tsr_message *error)
{
    tsr_tuple shape = TSR_ZERO;
    if (tsr_model_is_opaque(t))
        return tsr_io_fail_(error, "tensor \"%.60s\" has the unknown %s: what its bytes mean is not known", t->name,
                            t->format);
    if (t->type == 0)
        return tsr_io_fail_(
            error, "tensor \"%.60s\" is quantised (%s): its numbers are stored in blocks with scales, not one by one",
            t->name, t->format);
    if (t->rank > TSR_MAX_LEAVES)
        return tsr_io_fail_(error, "tensor \"%.60s\" has %d dimensions, at most %d fit (TSR_MAX_LEAVES)", t->name,
                            t->rank, TSR_MAX_LEAVES);
    for (int i = 0; i < t->rank; ++i) {
        if (t->extent[i] == 0)
            return tsr_io_fail_(error,
                                "tensor \"%.60s\" is empty: extent %d is 0, and the extents of a layout are positive",
                                t->name, i);
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(t->extent[i]));
    }
    tsr_layout const l = tsr_layout_checked(tsr_make_layout_from(tsr_tuple_close(shape), tsr_right()));
    if (l.shape.status)
        return tsr_io_fail_reason_(error, tsr_layout_why(l));
    *tensor = tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, data + t->begin, constant, t->type), l);
    return true;
}

int tsr_model_find(tsr_model const *model, char const *name)
{
    tsr_model_name const key = {name, 0};
    void const *const found =
        model->count ? bsearch(&key, model->name, (size_t)model->count, sizeof *model->name, by_name) : NULL;
    return found ? ((tsr_model_name const *)found)->index : -1;
}

bool tsr_model_get_(tsr_model const *m, char const *name, unsigned char const *data, bool constant,
                    tsr_tensor *tensor, tsr_message *error)
{
    int const i = tsr_model_find(m, name);
    return i >= 0 ? make_tensor(&m->tensor[i], data, constant, tensor, error)
                  : tsr_io_fail_(error, "no tensor of the %d is named \"%.60s\"", m->count, name);
}

bool tsr_model_get(tsr_model const *model, char const *name, tsr_tensor *tensor, tsr_message *error)
{
    return tsr_model_get_(model, name, model->data, true, tensor, error);
}
