/** NumPy's .npz: a zip archive of .npy files, each the tensor of its name.
 *
 *  Law     each sum is checked when the archive is opened. Where all members are stored, in C order and in the order of
 *          bytes of the machine, the file is mapped; else all of them are read into memory, in C order.
 *  Source  NumPy, numpy/lib/npyio.py (savez, NpzFile).
 */
#include "io/model.h"
#include "io/npy_header.h"
#include "io/types.h"
#include "io/zip.h"
#include "tessera/tessera.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROOM_OF_FORMAT = 32, ALIGNED = 64 };

typedef struct npz {
    io_source const *source;
    zip_archive archive;
    crc_table table;
    tsr_model *model;
    char *pool;            /* where the names of types go: behind those of the members */
    unsigned char *memory; /* NULL: the file is mapped */
    tsr_message *error;
} npz;

/** A stored member as a source of its own. */
typedef struct member_source {
    io_source own;
    io_source const *file;
    uint64_t begin;
} member_source;

static ptrdiff_t read_member(io_source *source, void *to, size_t n)
{
    member_source const *const m = (member_source const *)(void const *)source;
    return tsr_io_peek_(m->file, m->begin + source->held, to, n) ? (ptrdiff_t)n : -1;
}

/** "w.npy" is the tensor w. */
static bool is_array(char const *name, size_t *stem)
{
    size_t const n = strlen(name);
    bool const npy = n > 4 && strcmp(name + n - 4, ".npy") == 0;
    *stem = npy ? n - 4 : n;
    return npy;
}

/** The header of a member, in memory or in the file. False: it is damaged. A type that is none of ours stays 0. */
static bool judge_member(npz *z, zip_member const *m, unsigned char const *bytes, tsr_npy *array)
{
    member_source stored = {{.read = read_member, .handle = -1, .size = m->size}, z->source, m->begin};
    io_source memory = tsr_io_memory_(bytes, m->size);
    io_source *const source = bytes ? &memory : &stored.own;
    tsr_message error = {0, ""};
    memset(array, 0, sizeof *array);
    npy_place place = {.field = NULL};
    bool const ok = tsr_npy_judge_(source, 0, &place, array, &error);
    tsr_io_source_close_(source);
    return ok || (array->descr[0] && array->tensor.engine.type == 0)
               ? true
               : tsr_io_fail_(z->error, "member \"%.60s\": %.600s", m->name, error.text);
}

/** The elements in C order, from `from`, which lies in Fortran order. */
static bool turn(npz *z, tsr_npy const *array, unsigned char *elements)
{
    void *const copy = malloc((size_t)array->bytes + 1);
    if (!copy)
        return tsr_io_fail_(z->error, "out of memory: %llu bytes", (unsigned long long)array->bytes);
    memcpy(copy, elements, (size_t)array->bytes);
    tsr_dtype const type = array->tensor.engine.type;
    tsr_layout const from = array->tensor.layout, to = tsr_make_layout_from(from.shape, tsr_right());
    tsr_reason const why = tsr_copy(tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, copy, true, type), from),
                                    tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, elements, false, type), to));
    free(copy);
    return why.status ? tsr_io_fail_reason_(z->error, why) : true;
}

static bool is_turned(tsr_npy const *array)
{
    return array->order == TSR_F_ORDER && array->rank > 1 && array->elements > 1;
}

/** Lists a member, whose bytes begin at `begin` of the data. */
static bool keep_member(npz *z, zip_member const *m, bool npy, size_t stem, tsr_npy const *array, uint64_t begin)
{
    tsr_model_tensor *const t = tsr_model_add_tensor_(z->model);
    if (!t)
        return tsr_io_fail_(z->error, "out of memory for %d tensors", z->model->count);
    char *const name = (char *)(uintptr_t)m->name; /* in memory of the archive's, which the model takes */
    name[stem] = 0;
    t->name = name;
    t->type = array->tensor.engine.type;
    t->format = z->pool;
    z->pool += ROOM_OF_FORMAT;
    snprintf(z->pool - ROOM_OF_FORMAT, ROOM_OF_FORMAT, "%s%.24s", t->type ? "" : "type ",
             npy ? array->descr : "file");
    t->rank = array->dimensions > TSR_MAX_LEAVES ? array->dimensions : array->rank;
    memcpy(t->extent, array->extent, sizeof t->extent);
    t->elements = t->type ? array->elements : 1;
    t->begin = begin + (t->type ? array->begin : 0);
    t->end = t->begin + (t->type ? array->bytes : m->size);
    return true;
}

/** Whether a member lies in the file as its tensor would. */
static bool lies_so(npz *z, zip_member const *m, bool *so)
{
    size_t stem = 0;
    tsr_npy array;
    *so = !m->deflated;
    if (m->deflated || !is_array(m->name, &stem))
        return true;
    if (!judge_member(z, m, NULL, &array))
        return false;
    *so = !array.swapped && !is_turned(&array);
    return true;
}

/** A member from the file: mapped later, or into memory from byte `at` on. */
static bool take_member(npz *z, zip_member const *m, uint64_t at)
{
    size_t stem = 0;
    tsr_npy array;
    unsigned char *const bytes = z->memory ? z->memory + at : NULL;
    bool const npy = is_array(m->name, &stem);
    memset(&array, 0, sizeof array);
    if (!tsr_io_zip_read_(z->source, m, &z->table, bytes, z->error) || (npy && !judge_member(z, m, bytes, &array)))
        return false;
    if (!bytes && array.tensor.engine.type && (array.swapped || is_turned(&array)))
        return tsr_io_fail_(z->error, "member \"%.60s\" changed while it was read", m->name);
    if (bytes && array.swapped && array.tensor.engine.type)
        tsr_io_swap_(array.tensor.engine.type, bytes + array.begin, array.bytes);
    if (bytes && array.tensor.engine.type && is_turned(&array) && !turn(z, &array, bytes + array.begin))
        return false;
    return keep_member(z, m, npy, stem, &array, bytes ? at : m->begin);
}

/** Where the next member goes in memory. */
static bool next_place(uint64_t at, uint64_t size, uint64_t *next)
{
    *next = at + size;
    if (*next < at || *next > SIZE_MAX / 2)
        return false;
    *next = (*next + ALIGNED - 1) / ALIGNED * ALIGNED;
    return true;
}

/** Where each member goes in memory, if any needs it. */
static bool take_memory(npz *z)
{
    uint64_t all = 0;
    bool mapped = true, so = true;
    for (int i = 0; i < z->archive.count; ++i) {
        if (!lies_so(z, &z->archive.member[i], &so))
            return false;
        mapped = mapped && so;
        if (!next_place(all, z->archive.member[i].size, &all))
            return tsr_io_fail_(z->error, "the members have more bytes than memory can");
    }
    if (mapped)
        return true;
    z->memory = (unsigned char *)malloc((size_t)all + 1);
    z->model->bytes = (tsr_bytes){z->memory, all, z->memory};
    z->model->data = z->memory;
    return z->memory ? true : tsr_io_fail_(z->error, "out of memory: %llu bytes", (unsigned long long)all);
}

/** Lists the members of a source in an empty model, whose data are in memory, or in the file from its first byte on. */
static bool judge(io_source const *source, tsr_model *m, tsr_message *error)
{
    npz z = {.source = source, .model = m, .error = error};
    uint64_t at = 0, next = 0;
    if (!tsr_io_zip_open_(source, &z.archive, error))
        return false;
    m->names = z.archive.names;
    z.archive.names = NULL;
    z.pool = z.archive.rest;
    tsr_io_crc_begin_(&z.table);
    bool ok = take_memory(&z);
    for (int i = 0; ok && i < z.archive.count; ++i, at = next)
        ok = next_place(at, z.archive.member[i].size, &next) && take_member(&z, &z.archive.member[i], at);
    tsr_io_zip_close_(&z.archive);
    return ok && tsr_model_names_once_(m, error);
}

bool tsr_npz_view(void const *data, uint64_t size, tsr_model *model, tsr_message *error)
{
    io_source source = tsr_io_memory_(data, size);
    memset(model, 0, sizeof *model);
    bool const ok = judge(&source, model, error);
    tsr_io_source_close_(&source);
    if (!ok)
        tsr_model_close(model);
    else if (!model->data)
        model->data = (unsigned char const *)data;
    return ok;
}

bool tsr_npz_open(char const *path, tsr_model *model, tsr_message *error)
{
    io_source source;
    memset(model, 0, sizeof *model);
    bool ok = tsr_io_open_(path, &source, error);
    if (ok) {
        ok = judge(&source, model, error)
             && (model->data || tsr_io_take_(&source, source.size, true, &model->bytes, error));
        tsr_io_source_close_(&source);
    }
    if (ok && !model->data)
        model->data = (unsigned char const *)model->bytes.data;
    if (!ok)
        tsr_model_close(model);
    return ok || tsr_io_fail_at_(error, path);
}
